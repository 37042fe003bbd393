# SPDX-License-Identifier: MIT
"""Builds the package for pip with nothing but Python itself, so that `pip install` fetches nothing (PEP 517). The files
of a wheel have fixed times: the same sources give the same bytes."""
import base64
import hashlib
import os
import re
import tarfile
import zipfile

HERE = os.path.dirname(os.path.abspath(__file__))
PACKAGE = ["softwave/__init__.py", "softwave/_c.py"]
SOURCES = ["pyproject.toml", "build_backend.py", "README.md"] + PACKAGE


def _read(name):
    with open(os.path.join(HERE, name), "rb") as f:
        return f.read()


def _of_project(key):
    return re.search(r'^%s = "(.*)"$' % key, _read("pyproject.toml").decode(), re.M).group(1)


def _metadata():
    return "\n".join([
        "Metadata-Version: 2.1", "Name: " + _of_project("name"), "Version: " + _of_project("version"),
        "Summary: " + _of_project("description"), "License: MIT", "Requires-Python: " + _of_project("requires-python"),
        "Description-Content-Type: text/markdown", "", _read("README.md").decode()]).encode()


def _stem():
    return "%s-%s" % (_of_project("name"), _of_project("version"))


def _write_wheel(path, package):
    info = _stem() + ".dist-info/"
    files = dict(package)
    files[info + "METADATA"] = _metadata()
    files[info + "WHEEL"] = b"Wheel-Version: 1.0\nGenerator: softwave\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    record = ""
    for name, data in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        record += "%s,sha256=%s,%d\n" % (name, digest, len(data))
    files[info + "RECORD"] = (record + info + "RECORD,,\n").encode()
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as wheel:
        for name, data in files.items():
            entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            entry.external_attr = 0o100644 << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            wheel.writestr(entry, data)


def build_wheel(folder, config_settings=None, metadata_directory=None):
    name = _stem() + "-py3-none-any.whl"
    _write_wheel(os.path.join(folder, name), {f: _read(f) for f in PACKAGE})
    return name


def build_editable(folder, config_settings=None, metadata_directory=None):
    name = _stem() + "-py3-none-any.whl"
    _write_wheel(os.path.join(folder, name), {"softwave.pth": (HERE + "\n").encode()})
    return name


def build_sdist(folder, config_settings=None):
    name = _stem() + ".tar.gz"
    with tarfile.open(os.path.join(folder, name), "w:gz", format=tarfile.PAX_FORMAT) as archive:
        for f in SOURCES:
            archive.add(os.path.join(HERE, f), _stem() + "/" + f)
    return name
