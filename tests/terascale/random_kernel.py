# SPDX-License-Identifier: MIT
# A random kernel for the R600 family and the host: random_kernel.py SEED. Integers, branches, loops with break and
# continue, floats that stay exact and small, LDS between barriers, reads of an array of one's own.
import random
import sys

r = random.Random(int(sys.argv[1]))
names = ["a", "b", "c", "d"]
loops = 0
array = r.randrange(4) == 0  # llc runs out of registers with more


def value(depth=2):
    dice = r.randrange(10)
    if depth == 0 or dice < 3:
        return r.choice(names + [str(r.randrange(-100, 100)), str(r.randrange(1 << 31))])
    x, y = value(depth - 1), value(depth - 1)
    if dice < 8:
        return "(%s %s %s)" % (x, r.choice(["+", "-", "*", "^", "&", "|"]), y)
    if dice == 8:
        return "(int)((uint)%s %s %d)" % (x, r.choice(["<<", ">>"]), r.randrange(32))
    return "(%s ? %s : %s)" % (condition(), x, y)


def condition():
    if r.randrange(5) == 0:
        return "f %s %d.0f" % (r.choice(["<", ">", "<=", ">="]), r.randrange(-50, 50))
    return "%s %s %s" % (value(1), r.choice(["<", ">", "==", "!=", "<=", ">="]), value(1))


def statements(depth, inside):
    out = []
    for _ in range(r.randrange(1, 5)):
        out += statement(depth, inside)
    return out


def indent(lines):
    return ["    " + line for line in lines]


def statement(depth, inside):
    global loops
    dice = r.randrange(12)
    if depth and dice < 3:
        lines = ["if (%s) {" % condition()] + indent(statements(depth - 1, inside))
        if r.randrange(2):
            lines += ["} else {"] + indent(statements(depth - 1, inside))
        return lines + ["}"]
    if depth and dice < 5:
        loops += 1
        i = "i%d" % loops
        body = indent(statements(depth - 1, True))
        return ["for (int %s = 0; %s < (%s & 7); %s++) {" % (i, i, r.choice(names), i)] + body + ["}"]
    if inside and dice == 5:
        return ["if (%s) break;" % condition()]
    if inside and dice == 6:
        return ["if (%s) continue;" % condition()]
    if dice == 7:
        return ["f = f * 0.5f + (float)(%s & 255);" % r.choice(names), "if (f > 1000.0f || f < -1000.0f) f = 1.5f;"]
    if dice == 8:
        return ["%s ^= (int)f;" % r.choice(names)]
    if dice == 9 and array:
        return ["%s += p[%s & 3];" % (r.choice(names), r.choice(names))]
    return ["%s = %s;" % (r.choice(names), value())]


print("kernel void program(global int *out, global const int *in, local int *l) {")
print("    int i = get_global_id(0), lid = get_local_id(0), a = in[i], b = a >> 8, c = a * 3, d = lid;")
if array:
    print("    int p[4] = {a, b + 1, c ^ d, 7};")
print("    float f = (float)(a & 63);")
for part in range(3):
    print("\n".join(indent(statements(3, False))))
    if part < 2:
        print("    l[lid] = %s;" % r.choice(names))
        print("    barrier(CLK_LOCAL_MEM_FENCE);")
        print("    %s ^= l[(lid + %d) & 63];" % (r.choice(names), r.randrange(64)))
        print("    barrier(CLK_LOCAL_MEM_FENCE);")
print("    out[i] = a ^ b * 3 ^ c * 5 ^ d * 7 ^ (int)f;")
print("}")
