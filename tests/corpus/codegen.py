#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# LLVM's own tests of code generation through `softwave cc`: see codegen.sh.
# usage: codegen.py SOFTWAVE FOLDER OUT [PATTERN]
import collections, concurrent.futures, fnmatch, os, re, subprocess, sys, tempfile, time

softwave, folder, out = sys.argv[1:4]
pattern = sys.argv[4] if len(sys.argv) > 4 else "*.ll"
LIMIT = 20  # seconds of one compilation: more is a hang
TARGETS = None if os.environ.get("EVERY") else int(os.environ.get("TARGETS", 2))  # of a file


def targets_of(text):
    """The processors of the RUN lines, each with its features and system, as softwave takes them."""
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
        triple = re.search(r"-mtriple[= ]*([A-Za-z0-9_-]+)", line)
        system = "amdgcn-amd-amdhsa"  # shaders find their stack as the system has it
        for name in ("amdgcn--amdpal", "amdgcn-mesa-mesa3d"):
            if triple and triple.group(1).endswith(name.rsplit("-", 1)[1]):
                system = name
        if (triple and triple.group(1) in ("amdgcn", "amdgcn--", "amdgcn-unknown-unknown")) or "-march=amdgcn" in line:
            system = "amdgcn--"
        one = (cpu, ",".join(features), system)
        if one not in found:
            found.append(one)
    return found or ([] if "r600" in text else [("gfx900", "", "amdgcn-amd-amdhsa")])


def reasons_of(message):
    """What is refused, by function (None: of the module), without names of values."""
    found = {}
    for line in message.splitlines():
        if "error: " not in line:
            continue
        text = line.split("error: ", 1)[1]
        name = re.match(r'function @("[^"]*"|[^:\s]+): ', text)
        text = re.sub(r"^'.*': ", "", text[name.end():] if name else text)
        text = re.sub(r"\b(a call of) @\S+", r"\1 a function", text)
        found.setdefault(name.group(1) if name else None, text[:110])
    return found or {None: message.strip()[:110] or "no message"}


def cc(args, path, name):
    base = [softwave, "cc", "--verify", "-c", "-o", name]
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


def one_target(path, names, args, o):
    """(kind, function, reason) of each function."""
    status, message = cc(args, path, o)
    if status == 0:
        bad = disassemble(o)
        return [("dis" if bad else "ok", n, bad or "") for n in names]
    reasons = reasons_of(message)
    everywhere = reasons.get(None)
    if status in (1, 2) or (status == 4 and everywhere):
        return [("refused" if status == 4 else "llvm", n, everywhere or "") for n in names]
    lines = [("refused", n, reasons[n]) for n in names if n in reasons] if status == 4 else []
    rest = [n for n in names if status != 4 or n not in reasons]
    # What compiled beside the refused ones, at once; each alone where something is wrong.
    chosen = [a for n in rest for a in ("-k", n.strip('"'))]
    if status == 4 and rest:
        s, m = cc(args + chosen, path, o)
        bad = disassemble(o) if s == 0 else None
        if s == 0 and not bad:
            return lines + [("ok", n, "") for n in rest]
    for n in rest:
        s, m = cc(args + ["-k", n.strip('"')], path, o)
        kind = "ok" if s == 0 else "refused" if s in (1, 4) else "crash"  # 1: nothing of this name is left
        bad = disassemble(o) if s == 0 else None
        lines.append(("dis", n, bad) if bad else (kind, n, "" if s == 0 else f"{s}: {list(reasons_of(m).values())[0]}"))
    return lines


def one_file(path):
    text = open(path, errors="replace").read()
    names = re.findall(r'^define [^@]*@("[^"]*"|[\w$.-]+)', text, re.M)
    lines = []
    with tempfile.TemporaryDirectory() as d:
        for cpu, features, system in targets_of(text)[:TARGETS]:
            args = ["--target=" + cpu, "--triple=" + system] + (["--mattr=" + features] if features else [])
            lines += [(k, n, cpu, r) for k, n, r in one_target(path, names, args, os.path.join(d, "o"))]
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
