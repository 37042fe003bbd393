#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# LLVM's own tests of code generation through `softwave cc`: see codegen.sh.
# usage: codegen.py SOFTWAVE FOLDER OUT [PATTERN]
import collections, concurrent.futures, fnmatch, os, re, subprocess, sys, tempfile, time

softwave, folder, out = sys.argv[1:4]
pattern = sys.argv[4] if len(sys.argv) > 4 else "*.ll"
LIMIT = 20  # seconds of one compilation: more is a hang
DEFAULTS = {"tahiti": "gfx600", "hawaii": "gfx701"}


def targets_of(text):
    """The processors of the RUN lines, each with its features, as softwave takes them."""
    found = []
    for line in re.sub(r"\\\n[;\s]*RUN:", " ", text).splitlines():
        if "RUN:" not in line or "llc" not in line or "r600" in line:
            continue
        cpu = re.search(r"-mcpu[= ]([A-Za-z0-9-]+)", line)
        attributes = re.findall(r"-mattr[= ]([^\s|]+)", line)
        cpu = cpu.group(1) if cpu else "gfx900"
        if cpu in ("generic", "generic-hsa"):
            cpu = "gfx600" if cpu == "generic" else "gfx701"
        features = []
        for f in ",".join(attributes).split(","):
            if f in ("+xnack", "-xnack", "+sramecc", "-sramecc"):
                if cpu in ("gfx900", "gfx906", "gfx908", "gfx90a", "gfx942") and not (cpu in ("gfx900",) and "sram" in f):
                    cpu += ":" + f[1:] + f[0]
            elif f[1:] in ("wavefrontsize32", "wavefrontsize64", "cumode", "tgsplit"):
                features.append(f)
        one = (cpu, ",".join(features))
        if one not in found:
            found.append(one)
    return found or ([] if "r600" in text else [("gfx900", "")])


def reason_of(message):
    """What is refused, without the names of functions and values."""
    m = re.search(r"error: (?:.*?': )?(.*)", message)
    for line in message.splitlines():
        if "error:" in line:
            text = line.split("error: ", 1)[1]
            text = re.sub(r"^function @\S+: ", "", text)
            text = re.sub(r"^'.*': ", "", text)
            text = re.sub(r"a call of @\S+", "a call", text)
            return text[:110]
    return message.strip()[:110] or "no message"


def cc(args, path, name):
    base = [softwave, "cc", "--verify", "--triple=amdgcn-amd-amdhsa", "-c", "-o", name]
    try:
        p = subprocess.run(base + args + [path], stdin=subprocess.DEVNULL, capture_output=True, timeout=LIMIT)
        return p.returncode, p.stderr.decode(errors="replace")
    except subprocess.TimeoutExpired:
        return "hang", ""


def disassemble(name):
    try:
        p = subprocess.run([softwave, "dis", name], stdin=subprocess.DEVNULL, capture_output=True, timeout=60)
    except subprocess.TimeoutExpired:
        return "dis: hang"
    text = p.stdout.decode(errors="replace")
    bad = re.search(r"^.*(<invalid>|\.long 0x.*illegal).*$", text, re.M)
    return p.stderr.decode(errors="replace")[:200] if p.returncode else bad.group(0) if bad else None


def one_file(path):
    text = open(path, errors="replace").read()
    names = re.findall(r'^define [^@]*@("[^"]*"|[\w$.-]+)', text, re.M)
    kernels = re.findall(r'^define [^@]*amdgpu_kernel [^@]*@("[^"]*"|[\w$.-]+)', text, re.M)
    lines = []
    for cpu, features in targets_of(text):
        args = ["--target=" + cpu] + (["--mattr=" + features] if features else [])
        with tempfile.TemporaryDirectory() as d:
            o = os.path.join(d, "o")

            def note(what, status, message):
                if status == 0:
                    bad = disassemble(o)
                    lines.append(("dis" if bad else "ok", what, cpu, bad or ""))
                elif status == 4 or status == 1:
                    lines.append(("refused", what, cpu, reason_of(message)))
                elif status == 2:
                    lines.append(("llvm", what, cpu, reason_of(message)))
                else:
                    lines.append(("crash", what, cpu, f"{status}: {reason_of(message)}"))

            status, message = cc(args, path, o)
            if status == 0:
                bad = disassemble(o)
                lines += [("dis" if bad else "ok", n, cpu, bad or "") for n in names]
            elif status == 2:
                lines += [("llvm", n, cpu, reason_of(message)) for n in names]
            else:
                for n in names:
                    s, m = cc(args + ["-k", n.strip('"')], path, o)
                    note(n, s, m)
    return os.path.relpath(path, folder), lines


def main():
    start = time.time()
    paths = sorted(os.path.join(d, f) for d, _, files in os.walk(folder) for f in files if fnmatch.fnmatch(f, pattern))
    count, reasons, where, bad = collections.Counter(), collections.Counter(), {}, []
    with open(out, "w") as log, concurrent.futures.ThreadPoolExecutor(int(os.environ.get("JOBS", os.cpu_count()))) as pool:
        for path, lines in pool.map(one_file, paths):
            for kind, name, cpu, reason in lines:
                count[kind] += 1
                print(kind, path, name, cpu, reason, sep="\t", file=log)
                if kind in ("refused", "llvm"):
                    reasons[kind, reason] += 1
                    where.setdefault((kind, reason), f"{path} {name} {cpu}")
                elif kind != "ok":
                    bad.append(f"{kind} {path} {name} {cpu}: {reason}")
            log.flush()
    for (kind, reason), n in reasons.most_common(int(os.environ.get("REASONS", 40))):
        print(f"{n:7} {kind}: {reason} ({where[kind, reason]})")
    for line in bad[:100]:
        print(line)
    print(f"{len(paths)} files, {sum(count.values())} functions on processors: {count['ok']} compiled, "
          f"{count['refused']} refused, {count['llvm']} not read by this LLVM, {count['crash']} crashed or wrong, "
          f"{count['dis']} not disassembled; {time.time() - start:.0f} s")
    return bool(bad)


sys.exit(main())
