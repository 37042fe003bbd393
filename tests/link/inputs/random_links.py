#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random assembly files linked by softwave ld and by ld.lld-22 under random options: both write the same bytes, or both
refuse. usage: random_links.py SOFTWAVE SEED COUNT, in an empty folder. Prints the failing cases (each can be repeated: a
case depends on SEED and its number only) and "N same, N refused, N differ"."""
import os
import random
import subprocess
import sys

SYMBOLS = [f"g{i}" for i in range(12)]
# name, flags, type and what else the section directive says
SECTIONS = [
    *((n, '"ax",@progbits') for n in (".text", ".text.a", ".text.b")),
    *((n, '"aw",@progbits') for n in (".data", ".data.x", ".data.rel.ro", ".data.rel.ro.q", "named", "other_name",
                                      ".ctors", ".ctors.5", ".dtors", ".custom")),
    *((n, '"aw",@nobits') for n in (".bss", ".bss.z", ".bss.rel.ro", ".zeros")),
    *((n, '"aw",@init_array') for n in (".init_array", ".init_array.5", ".init_array.100")),
    (".fini_array", '"aw",@fini_array'), (".preinit_array", '"aw",@preinit_array'),
    *((n, '"a",@progbits') for n in (".rodata", ".rodata.y", ".table", ".gcc_except_table.x")),
    (".rodata.str1.1", '"aMS",@progbits,1'), (".rodata.str4.4", '"aMS",@progbits,4'),
    (".rodata.cst8", '"aM",@progbits,8'), (".rodata.cst16", '"aM",@progbits,16'),
    (".debug_info", '"",@progbits'), (".debug_ranges", '"",@progbits'), (".debug_str", '"MS",@progbits,1'),
    (".comment", '"MS",@progbits,1'), (".both", '"awx",@progbits'), (".order", '"ao",@progbits,.text'),
    (".group", "group"),
]
OPTIONS = [[], [], ["--gc-sections"], ["-O0"], ["-O2"], ["-Bsymbolic"], ["-Bsymbolic-functions"], ["-pie"],
           ["-pie", "--export-dynamic"], ["-z", "notext"], ["-z", "norelro"], ["-z", "separate-code"],
           ["--no-rosegment"], ["-s"], ["-S"], ["-x"], ["-X"], ["--hash-style=gnu"], ["--hash-style=sysv"],
           ["--build-id=fast"], ["-z", "now"], ["-soname", "abc"], ["-z", "nostart-stop-gc", "--gc-sections"],
           ["-u", "g3"], ["-e", "g1"], ["-z", "muldefs"], ["-z", "max-page-size=65536"], ["--no-undefined"],
           ["-init", "g2"]]
RESERVED = ["__start_named", "__stop_named", "_end", "_edata", "__bss_start", "_etext", "__init_array_start",
            "__init_array_end", "__ehdr_start", "end"]


class File:
    """The text of one file; `visible` is the same in all files of a case."""

    def __init__(self, r, number, files, visible, twice):
        self.r, self.number, self.visible = r, number, visible
        self.lines = []
        self.labels = ["base"]
        self.to_define = [s for i, s in enumerate(SYMBOLS) if i % files == number or r.random() < twice]

    def say(self, text):
        self.lines.append(text)

    def declare_symbols(self):
        r = self.r
        for s in SYMBOLS:
            if self.visible[s]:
                self.say(f".{self.visible[s]} {s}")
            if r.random() < 0.25:
                self.say(f".weak {s}")
            elif s in self.to_define:
                self.say(f".globl {s}")
        if r.random() < 0.2:
            self.say(f".comm common{r.randrange(3)},{r.randrange(1, 200)},{1 << r.randrange(7)}")
        if r.random() < 0.1:
            n = r.randrange(3)
            self.say(f".globl absolute{n}\nabsolute{n} = {r.randrange(1 << 20)}")

    def string(self, width):
        text = "".join(self.r.choice("ab") for _ in range(self.r.randrange(6)))
        if width == 1:
            return f'.asciz "{text}"'
        return ".long " + ",".join([str(ord(c)) for c in text] + ["0"])

    def item(self, name, how):
        r = self.r
        target = r.choice(SYMBOLS + [r.choice(self.labels)] * 6)
        x = r.random()
        flags = how.split('"')[1] if '"' in how else "aw"
        if "nobits" in how:
            return f".zero {r.randrange(64)}"
        if "S" in flags:
            return self.string(4 if "str4" in name else 1)
        if "M" in flags:
            return f".quad {r.randrange(4)}" + (",0" if "16" in name else "")
        if "x" in flags and x < 0.7:
            hidden = [s for s in SYMBOLS if self.visible[s]]
            near = target if target not in SYMBOLS or r.random() < 0.01 else r.choice(hidden)
            return r.choice([
                f"s_getpc_b64 s[0:1]\ns_add_u32 s0, s0, {near}@rel32@lo+4\ns_addc_u32 s1, s1, {near}@rel32@hi+12",
                f"s_add_u32 s0, s0, {target}@gotpcrel32@lo+4\ns_addc_u32 s1, s1, {target}@gotpcrel32@hi+12",
                "s_nop 1"])
        if x < 0.5 and ("w" in flags or not flags):
            return f".quad {target}+{r.choice([0, 0, 4, -8, 100])}"
        if x < 0.6 and flags: # ld.lld mistakes distances in sections that are not loaded
            return f".quad {r.choice(self.labels)}-."
        if x < 0.65 and "w" in flags:
            return f".quad {r.choice(RESERVED)}"
        return f".long {r.randrange(1000)}"

    def section(self):
        r = self.r
        name, how = r.choice(SECTIONS)
        if how == "group":
            name, how = f".group.{r.choice('ab')}", f'"awG",@progbits,signature{r.randrange(3)},comdat'
        self.say(f".section {name},{how}")
        strings = 'S"' in how
        if r.random() < 0.4 and not strings:
            self.say(f".p2align {r.randrange(8)}")
        if self.to_define and r.random() < 0.6 and not strings:
            s = self.to_define.pop()
            self.say(f"{s}:")
            if r.random() < 0.3:
                self.say(f".type {s},@object\n.size {s},8")
        if r.random() < 0.4:
            self.labels.append(f"label{self.number}_{len(self.labels)}")
            self.say(self.labels[-1] + ":")
        if r.random() < 0.2:
            self.say(f".Ltemporary{len(self.lines)}:")
        for _ in range(r.randrange(1, 5)):
            self.say(self.item(name, how))

    def text(self):
        self.declare_symbols()
        self.say(".text")
        for _ in range(self.r.randrange(2, 12)):
            self.section()
        self.say(".data")
        for s in self.to_define:
            self.say(f"{s}: .long 1")
        self.say('.section .custom,"aw",@progbits\nbase: .long 3')
        return "\n".join(self.lines) + "\n"


def run(*command, **more):
    return subprocess.run(command, capture_output=True, text=True, timeout=60, **more)


def arguments(r, files):
    args = ["-shared"]
    for _ in range(r.randrange(4)):
        args += r.choice(OPTIONS)
    if "-pie" in args:
        args.remove("-shared")
    if r.random() < 0.3 and len(files) > 1:
        if os.path.exists("l.a"):
            os.remove("l.a")
        run(os.environ["LLVM_AR"], "rcs", "l.a", *files[1:])
        files = r.choice([[files[0], "l.a"], ["l.a", files[0]], ["--whole-archive", files[0], "l.a"]])
    return args + files


def case(softwave, seed, number, environment):
    r = random.Random(seed * 1000003 + number)
    count, twice = r.randrange(1, 5), r.choice([0, 0, 0.02])
    visible = {s: r.choice(["", "", "", "hidden", "protected"]) for s in SYMBOLS}
    visible["g0"] = "hidden"
    files = []
    for n in range(count):
        with open(f"f{n}.s", "w", encoding="ascii") as f:
            f.write(File(r, n, count, visible, twice).text())
        how = ["--compress-debug-sections=zlib"] if r.random() < 0.1 else []
        made = run(os.environ["LLVM_MC"], "-triple=amdgcn-amd-amdhsa", "-mcpu=gfx90a", "-filetype=obj", *how, f"f{n}.s", "-o", f"f{n}.o")
        if made.returncode == 0:
            files.append(f"f{n}.o")
    if not files:
        return "refused"
    args = arguments(r, files)
    for name in "our.so", "their.so":
        if os.path.exists(name):
            os.remove(name)
    theirs = run(os.environ["LD_LLD"], *args, "-o", "their.so", env=environment)
    ours = run(softwave, "ld", *args, "-o", "our.so")
    if theirs.returncode and ours.returncode == 2:
        return "refused"
    if theirs.returncode or ours.returncode:
        print(f"case {seed} {number}: {' '.join(args)}: exit {ours.returncode}, ld.lld {theirs.returncode}",
              (ours.stderr or theirs.stderr)[:300].strip())
        return "differ"
    with open("our.so", "rb") as a, open("their.so", "rb") as b:
        if a.read() == b.read():
            return "same"
    print(f"case {seed} {number}: {' '.join(args)}: the outputs differ")
    return "differ"


def main():
    softwave, seed, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    version = run(softwave, "--version").stdout.strip()
    environment = dict(os.environ, LLD_VERSION="Linker: " + version)
    totals = {"same": 0, "refused": 0, "differ": 0}
    for number in range(count):
        totals[case(softwave, seed, number, environment)] += 1
    print(f"{totals['same']} same, {totals['refused']} refused, {totals['differ']} differ")
    return 1 if totals["differ"] or totals["same"] < count / 2 else 0


if __name__ == "__main__":
    sys.exit(main())
