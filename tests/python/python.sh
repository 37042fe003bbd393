#!/bin/sh
# SPDX-License-Identifier: MIT
# The Python package: its own tests, and its structures against those of the headers.
# usage: python.sh BINARY; BUILD is where libsoftwave.so is, CC the compiler.
build=$(realpath "${BUILD:-build}") root=$(realpath "$(dirname "$0")/../..")
export SOFTWAVE_LIBRARY="$build/libsoftwave.so" PYTHONPATH="$root/python" PYTHONDONTWRITEBYTECODE=1 SOFTWAVE_CACHE=
passed=0 failed=0 skipped=0

# One that has NumPy, if there is one.
python=
for p in python3 /usr/bin/python3; do
    command -v $p >/dev/null || continue
    python=${python:-$p}
    $p -c 'import numpy' 2>/dev/null && python=$p && break
done
if [ -z "$python" ]; then
    echo "python3 is not installed"
    echo "0 passed, 0 failed, 1 skipped"
    exit 0
fi

out=$($python -m unittest -v "$root/python/tests/test_softwave.py" 2>&1) || failed=$((failed + 1))
passed=$(echo "$out" | grep -c '\.\.\. ok$')
skipped=$(echo "$out" | grep -c '\.\.\. skipped')
[ $failed = 0 ] || echo "$out"

# Sizes and offsets, as Python has them and as the compiler has them.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
$python - >"$work/layout.c" <<'P'
from softwave import _c
print('#include "softwave/softwave.h"\n#include <stdio.h>\nint main(void) {')
for s in _c.STRUCTURES:
    n = "sw_" + s.__name__
    print('printf("%s %%zu\\n", sizeof(%s));' % (n, n))
    for m in s._fields_:
        print('printf("%s.%s %%zu\\n", offsetof(%s, %s));' % (n, m[0], n, m[0]))
print("}")
P
$python - >"$work/python" <<'P'
import ctypes
from softwave import _c
for s in _c.STRUCTURES:
    print("sw_%s %d" % (s.__name__, ctypes.sizeof(s)))
    for m in s._fields_:
        print("sw_%s.%s %d" % (s.__name__, m[0], getattr(s, m[0]).offset))
P
if ${CC:-cc} -I"$root/include" "$work/layout.c" -o "$work/layout" && "$work/layout" >"$work/c" && cmp -s "$work/c" "$work/python"; then
    passed=$((passed + 1))
else
    echo "structures differ (the headers, Python):"
    diff "$work/c" "$work/python"
    failed=$((failed + 1))
fi
# As pip installs it, from nothing but what is here: files of the wheel are those of the tree, also without pip.
if $python - "$work" "$root/python" <<'P'
import csv, hashlib, base64, io, os, sys, zipfile
work, tree = sys.argv[1:]
sys.path.insert(0, tree)
os.chdir(tree)
import build_backend
first, again = os.path.join(work, "1"), os.path.join(work, "2")
for folder in first, again:
    os.mkdir(folder)
    name = build_backend.build_wheel(folder)
one, two = (open(os.path.join(f, name), "rb").read() for f in (first, again))
assert one == two, "two wheels differ"
wheel = zipfile.ZipFile(io.BytesIO(one))
record = next(n for n in wheel.namelist() if n.endswith("/RECORD"))
listed = {r[0]: r[1] for r in csv.reader(io.StringIO(wheel.read(record).decode()))}
assert sorted(listed) == sorted(wheel.namelist()), "RECORD names other files"
for n in wheel.namelist():
    digest = base64.urlsafe_b64encode(hashlib.sha256(wheel.read(n)).digest()).rstrip(b"=").decode()
    assert n == record or listed[n] == "sha256=" + digest, n
assert {n for n in wheel.namelist() if n.startswith("softwave/")} == {"softwave/" + n for n in os.listdir("softwave") if n.endswith(".py")}
P
then passed=$((passed + 1)); else
    failed=$((failed + 1)) && echo "the package is not built"
fi
# And by pip, where that is installed.
if $python -m venv --without-pip "$work/v" >/dev/null 2>&1 && $python -m pip --python "$work/v/bin/python3" --version >/dev/null 2>&1; then
    if (cd "$work" && cp -r "$root/python" copy && PYTHONPATH= $python -m pip -q --python "$work/v/bin/python3" install --no-index ./copy &&
        PYTHONPATH= "$work/v/bin/python3" -c 'import softwave; assert softwave.version() == softwave.__version__ and "site-packages" in softwave.__file__') >"$work/pip" 2>&1
    then passed=$((passed + 1)); else
        failed=$((failed + 1)) && cat "$work/pip"
    fi
fi
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed = 0 ]
