#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random kernels in C, for GPU and host alike: programs.py SEED COUNT writes COUNT kernels to standard output.

Every kernel k0, k1, ... reads 64-bit words and leaves 16 of them for each work-item. Nothing in it is undefined:
arithmetic wraps, shifts and indices are masked, divisors are 3 or more, conversions to integers are clamped first, and
floating point stays with what IEEE fixes (no contraction, NaNs stored alike). What clang 22 is known to get wrong is
left out (doc/errata.md, ERR-34): there is no floating point zero to subtract from, no divisor of few bits."""
import random
import sys

INTS = ["u8", "i8", "u16", "i16", "u32", "i32", "u64", "i64"]
FLOATS = ["f32", "f64"]
BITS = {"u8": 8, "i8": 8, "u16": 16, "i16": 16, "u32": 32, "i32": 32, "u64": 64, "i64": 64}
OUTPUTS = 16

PROLOG = """\
typedef unsigned char u8; typedef signed char i8; typedef unsigned short u16; typedef short i16;
typedef unsigned int u32; typedef int i32; typedef unsigned long long u64; typedef long long i64;
typedef float f32; typedef double f64;
#if defined(__HIP__)
#pragma clang force_cuda_host_device begin
#define KERNEL extern "C" __attribute__((global, visibility("protected"))) void
#define GLOBAL
#define ITEM (__builtin_amdgcn_workgroup_id_x() * 64 + __builtin_amdgcn_workitem_id_x())
#elif defined(__AMDGCN__)
#define KERNEL __attribute__((amdgpu_kernel, visibility("protected"))) void
#define GLOBAL __attribute__((address_space(1)))
#define ITEM (__builtin_amdgcn_workgroup_id_x() * 64 + __builtin_amdgcn_workitem_id_x())
#else
#define KERNEL void
#define GLOBAL
extern u32 host_item;
#define ITEM host_item
#endif
#define NOINLINE static __attribute__((noinline))
static inline u64 of_f32(f32 x) { u32 b; if (x != x) return 0x7fc00000; __builtin_memcpy(&b, &x, 4); return b; }
static inline u64 of_f64(f64 x) { u64 b; if (x != x) return 0x7ff8000000000000ull; __builtin_memcpy(&b, &x, 8); return b; }
static inline f32 to_f32(u64 b) { u32 w = (u32)b; f32 x; __builtin_memcpy(&x, &w, 4); return x; }
static inline f64 to_f64(u64 b) { f64 x; __builtin_memcpy(&x, &b, 8); return x; }
static inline i64 whole(f64 x) { return x != x ? 0 : x > 1e18 ? 7 : x < -1e18 ? -7 : (i64)x; }
static inline u64 rol(u64 x, u32 n) { n &= 63; return n ? x << n | x >> (64 - n) : x; }
"""


class Kernel:
    def __init__(self, number, rng):
        self.number, self.rng, self.lines, self.depth = number, rng, [], 1
        self.vars, self.arrays, self.functions, self.names = [], [], [], 0
        self.structs = []
        self.loops = 0

    def pick(self, items):
        return self.rng.choice(items)

    def name(self, letter):
        self.names += 1
        return f"{letter}{self.names}"

    def emit(self, text):
        self.lines.append("    " * self.depth + text)

    # ---- Expressions ----
    def literal(self, t):
        if t in FLOATS:
            v = self.pick(["1.0", "2.0", "-1.5", "0.1", "3.25e10", "1e-30", "-7.0", "65536.0",
                           str(self.rng.uniform(-100, 100))])
            return f"({t}){v}"
        v = self.pick([0, 1, 2, 3, 5, 7, 31, 63, 64, 127, 128, 255, 256, 32767, 32768, 65535, 2**31 - 1, 2**31,
                       2**32 - 1, 2**63 - 1, 2**64 - 1, self.rng.getrandbits(64), self.rng.getrandbits(16)])
        return f"({t}){v % 2**BITS[t]}ull"

    def leaf(self, t):
        same = [n for n, vt in self.vars if vt == t]
        r = self.rng.random()
        if same and r < 0.6:
            return self.pick(same)
        if self.vars and r < 0.8:
            n, vt = self.pick(self.vars)
            return self.convert(n, vt, t)
        if r < 0.9 and self.arrays:
            n, at, size = self.pick(self.arrays)
            return self.convert(f"{n}[{self.index(size)}]", at, t)
        return self.literal(t)

    def index(self, size):
        ints = [n for n, t in self.vars if t in ("u32", "i32", "u8", "u16")]
        return f"(u32)({self.pick(ints) if ints and self.rng.random() < 0.8 else self.rng.randrange(size)}) & {size - 1}"

    def convert(self, e, a, b):
        if a in FLOATS and b not in FLOATS:
            return f"({b})whole({e})"
        return f"({b})({e})" if a != b else e

    def expr(self, t, depth=3):
        if depth == 0 or self.rng.random() < 0.15:
            return self.leaf(t)
        if t in FLOATS:
            return self.float_expr(t, depth - 1)
        return self.int_expr(t, depth - 1)

    def int_expr(self, t, d):
        u = "u64" if BITS[t] == 64 else "u32"  # what wraps
        e = lambda tt=None: f"({self.expr(tt or t, d)})"
        kind = self.rng.randrange(16)
        if kind < 3:
            return f"({t})(({u}){e()} {self.pick('+-*')} ({u}){e()})"
        if kind < 5:
            return f"({t})({e()} {self.pick('&|^')} {e()})"
        if kind == 5:
            return f"({t})(({u}){e()} << ({e('u32')} & {BITS[t] - 1}))"
        if kind == 6:
            return f"({t})({e()} >> ({e('u32')} & {BITS[t] - 1}))"
        if kind == 7:  # divisors of 3 and more, of whose width nothing is known: nothing traps or overflows
            return f"({t})({e()} {self.pick('/%')} ({t})(({e()} | 3) & {2 ** (BITS[t] - 1) - 1}ull))"
        if kind == 8:
            return f"({t})({self.condition(d)} ? {e()} : {e()})"
        if kind == 9:
            return f"({t}){self.condition(d)}"
        if kind == 10:
            f = self.pick(FLOATS)
            return f"({t})whole({self.expr(f, d)})"
        if kind == 11:
            other = self.pick(INTS)
            return f"({t})({self.expr(other, d)})"
        if kind == 12:
            b = self.pick(["__builtin_popcountll", "__builtin_clzll", "__builtin_ctzll"])
            return f"({t}){b}((u64){e('u64')} | 1ull << 40)"
        if kind == 13:
            return f"({t})rol((u64){e('u64')}, {e('u32')})"
        if kind == 14 and self.functions:
            return self.call(t, d)
        return f"({t})~{e()}"

    def float_expr(self, t, d):
        e = lambda: f"({self.expr(t, d)})"
        kind = self.rng.randrange(10)
        if kind < 5:
            return f"{e()} {self.pick(['+', '-', '*'])} {e()}"
        if kind == 5:
            return f"{self.condition(d)} ? {e()} : {e()}"
        if kind == 6:
            i = self.pick(["i32", "u32", "i16", "u8", "i64"])
            return f"({t})({self.expr(i, d)})"
        if kind == 7:
            return f"-{e()}"
        if kind == 8:
            return f"__builtin_fabs{'f' if t == 'f32' else ''}({e()})"
        return f"{e()} / {e()}"

    def condition(self, d):
        t = self.pick(INTS + FLOATS)
        c = f"(({self.expr(t, d)}) {self.pick(['<', '<=', '==', '!=', '>', '>='])} ({self.expr(t, d)}))"
        if self.rng.random() < 0.2 and d:
            return f"({c} {self.pick(['&&', '||'])} {self.condition(d - 1)})"
        return c

    def call(self, t, d):
        name, rt, ats = self.pick(self.functions)
        arguments = ", ".join(self.expr(a, min(d, 1)) for a in ats)
        return self.convert(f"{name}({arguments})", rt, t)

    # ---- Statements ----
    def assign(self):
        if self.arrays and self.rng.random() < 0.3:
            n, t, size = self.pick(self.arrays)
            self.emit(f"{n}[{self.index(size)}] = {self.expr(t)};")
            return
        free = [(n, t) for n, t in self.vars if n[0] == "v"]
        if not free or self.rng.random() < 0.35:
            t = self.pick(INTS + FLOATS + ["u32", "i32"])
            n = self.name("v")
            self.emit(f"{t} {n} = {self.expr(t)};")
            self.vars.append((n, t))
        else:
            n, t = self.pick(free)
            self.emit(f"{n} = {self.expr(t)};")

    def block(self, budget):
        count, saved = self.rng.randrange(1, 4), (list(self.vars), list(self.arrays))
        self.depth += 1
        for _ in range(count):
            self.statement(budget - 1)
        self.depth -= 1
        self.vars, self.arrays = saved

    def statement(self, budget):
        r = self.rng.random()
        if budget <= 0 or r < 0.55:
            self.assign()
        elif r < 0.72:
            self.emit(f"if {self.condition(2)} {{")
            self.block(budget)
            if self.rng.random() < 0.5:
                self.emit("} else {")
                self.block(budget)
            self.emit("}")
        elif r < 0.85 and self.loops < 2:
            self.loops += 1
            n = self.name("c")
            self.emit(f"for (u32 {n} = 0; {n} < (({self.expr('u32', 1)}) & {self.pick([1, 3, 7])}) + 1; {n}++) {{")
            self.vars.append((n, "u32"))
            self.block(budget)
            if self.rng.random() < 0.4:
                self.emit(f"    if {self.condition(1)} {self.pick(['break', 'continue'])};")
            self.vars = [v for v in self.vars if v[0] != n]
            self.emit("}")
            self.loops -= 1
        elif r < 0.92:
            self.emit(f"switch (({self.expr('u32', 2)}) & {self.pick([3, 7])}) {{")
            for case in range(self.rng.randrange(2, 5)):
                self.emit(f"case {case}: {{")
                self.block(budget - 1)
                self.emit("}" + (" break;" if self.rng.random() < 0.8 else " // falls through"))
            self.emit("default:;")
            self.emit("}")
        else:
            size, t = self.pick([2, 4, 8, 16, 32]), self.pick(INTS + FLOATS)
            n = self.name("a")
            self.emit(f"{t} {n}[{size}];")
            self.emit(f"for (u32 i = 0; i < {size}; i++) {n}[i] = ({t})(i * {self.rng.randrange(1, 50)});")
            self.arrays.append((n, t, size))

    # ---- Functions ----
    def function(self):
        name, t = f"f{self.number}_{len(self.functions)}", self.pick(INTS + FLOATS)
        ats = [self.pick(INTS + FLOATS) for _ in range(self.rng.randrange(1, 5))]
        names = [f"p{i}" for i in range(len(ats))]
        outer, self.loops = (self.vars, self.arrays), 1
        self.vars, self.arrays = [(n, a) for n, a in zip(names, ats)], []
        kind = self.pick(["NOINLINE", "NOINLINE", "static inline"])
        recursive = self.rng.random() < 0.2
        extra = ", u32 depth" if recursive else ""
        self.lines.append(f"{kind} {t} {name}{'_r' if recursive else ''}"
                          f"({', '.join(f'{a} {n}' for n, a in zip(names, ats))}{extra}) {{")
        for _ in range(self.rng.randrange(1, 4)):
            self.statement(2)
        if recursive:
            again = ", ".join(self.expr(a, 1) for a in ats)
            self.emit(f"if (depth && {self.condition(1)}) return {name}_r({again}, depth - 1);")
        self.emit(f"return {self.expr(t)};")
        self.lines.append("}")
        if recursive:
            plain = ", ".join(f"{a} {n}" for n, a in zip(names, ats))
            self.lines.append(f"static inline {t} {name}({plain}) {{ return {name}_r({', '.join(names)}, 5); }}")
        (self.vars, self.arrays), self.loops = outer, 0
        self.functions.append((name, t, ats))

    def write(self):
        for _ in range(self.rng.randrange(0, 4)):
            self.function()
        if self.rng.random() < 0.5:
            n, t = f"t{self.number}", self.pick(["u8", "u16", "u32", "u64"])
            values = ", ".join(str(self.rng.getrandbits(BITS[t])) + "ull" for _ in range(16))
            self.lines.append(f"static const {t} {n}[16] = {{{values}}};")
            self.table = (n, t)
        else:
            self.table = None
        self.lines.append(f"KERNEL k{self.number}(GLOBAL const u64 *in, GLOBAL u64 *out) {{")
        self.emit("const u32 item = ITEM;")
        self.vars = [("item", "u32")]
        for i in range(self.rng.randrange(2, 6)):
            t = self.pick(INTS + FLOATS)
            load = f"in[item * 8 + {i}]"
            self.emit(f"{t} v{i}_ = " + (f"to_{t}({load});" if t in FLOATS else f"({t}){load};"))
            self.vars.append((f"v{i}_", t))
        if self.table:
            n = self.name("v")
            self.emit(f"{self.table[1]} {n} = {self.table[0]}[({self.expr('u32', 1)}) & 15];")
            self.vars.append((n, self.table[1]))
        for _ in range(self.rng.randrange(3, 10)):
            self.statement(3)
        for i in range(OUTPUTS):
            t = self.pick(INTS + FLOATS)
            e = self.expr(t, 2)
            self.emit(f"out[item * {OUTPUTS} + {i}] = " + (f"of_{t}({e});" if t in FLOATS else f"(u64)({e});"))
        self.lines.append("}")
        return "\n".join(self.lines)


def main():
    seed, count = int(sys.argv[1]), int(sys.argv[2])
    print(PROLOG)
    for i in range(count):
        print(Kernel(i, random.Random(f"{seed} {i}")).write())


main()
