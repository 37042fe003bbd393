#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Functions for gfx1250_table.sh: of each row of gfx1250_table.txt ("KIND NAME: RESULT = ARGUMENTS", where an argument with
# a value is a constant) a kernel that takes the others out of memory, lane by lane (run), or a function (text).
# usage: gfx1250_table.py KIND < TABLE
import re, sys

kind = sys.argv[1]
names, declared = [], set()


def bits(type):
    n, one = re.match(r"<(\d+) x (\w+)>|(\w+)", type).group(1, 2)
    width = {"float": 32, "half": 16, "bfloat": 16}
    one = one or type
    return int(n or 1) * (width.get(one) or int(one[1:]))


def argument(n, type, name, fresh):
    """Instructions that load it: what differs by lane. Scales are such that results are neither 0 nor infinite."""
    scale = (type == "i32" and "scale" in name) or (type == "i64" and "scale16" in name) or (type == "float" and "scalef32" in name)
    at = f"  %i{n} = mul i32 %id, {29 + 2 * (n % 3)}\n  %j{n} = add i32 %i{n}, {n * 61}\n  %p{n} = getelementptr i32, ptr addrspace(1) %in, i32 %j{n}\n"
    if not scale:
        return at + f"  %a{n} = load {type}, ptr addrspace(1) %p{n}, align 4\n"
    word = "i64" if type == "i64" else "i32"
    if type == "float":
        return at + f"  %x{n} = load i32, ptr addrspace(1) %p{n}\n  %y{n} = and i32 %x{n}, 7\n  %z{n} = add i32 %y{n}, 124\n  %w{n} = shl i32 %z{n}, 23\n  %a{n} = bitcast i32 %w{n} to float\n"
    few, most = (0x0707070707070707, 0x7C7C7C7C7C7C7C7C) if word == "i64" else (0x07070707, 0x7C7C7C7C)
    return at + f"  %x{n} = load {word}, ptr addrspace(1) %p{n}, align 4\n  %y{n} = and {word} %x{n}, {few}\n  %a{n} = add {word} %y{n}, {most}\n"


print('target triple = "amdgcn-amd-amdhsa"\ndeclare i32 @llvm.amdgcn.workitem.id.x()')
for line in sys.stdin:
    k, name, result, arguments = re.match(r"(\w+) (\S+): (.*) = (.*)", line).groups()
    if k != kind:
        continue
    own = "n%d_%s" % (len(names), re.sub(r"\W", "_", name))
    names.append(own)
    parameters, loads, given = [], "", []
    for n, a in enumerate(re.findall(r"(?:<[^>]*>|[^,<]+)+", arguments)):
        a = a.strip()
        value = re.match(r"(i\d+) (\S+)$", a)
        if value:
            given.append(a)
            continue
        given.append(f"{a} %a{n}")
        parameters.append(f"{a} %a{n}")
        loads += argument(n, a, name, n) if k == "run" else ""
    types = ", ".join(re.sub(r"(i\d+) \S+$", r"\1", g) if not re.search(r"%a\d+$", g) else re.sub(r" %a\d+$", "", g) for g in given)
    declared.add(f"declare {result} @llvm.amdgcn.{name}({types})")
    call = ("" if result == "void" else "%r = ") + f"call {result} @llvm.amdgcn.{name}({', '.join(given)})"
    if k == "text":
        print(f"define {result} @{own}({', '.join(parameters)}) {{\n  {call}\n  ret {result}{'' if result == 'void' else ' %r'}\n}}")
        continue
    print(f"define amdgpu_kernel void @{own}(ptr addrspace(1) %out, ptr addrspace(1) %in) #0 {{\n  %id = call i32 @llvm.amdgcn.workitem.id.x()")
    print(f"{loads}  {call}\n  %k = mul i32 %id, 16\n  %o = getelementptr i32, ptr addrspace(1) %out, i32 %k")
    print(f"  store {result} %r, ptr addrspace(1) %o, align 4\n  ret void\n}}")
print("\n".join(sorted(declared)) + '\nattributes #0 = { "amdgpu-flat-work-group-size"="32,32" }')
