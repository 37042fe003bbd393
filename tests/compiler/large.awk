# Kernels that need more registers than there are, and kernels longer than a jump, as C that this host's compiler and
# clang's OpenCL take alike. KERNEL(name) has work-item `id`, inputs `in` (64 dwords) and `n` rounds; it returns a dword.
# usage: awk -v values=N -v lines=N -f large.awk

# Of so many values of a loop half move in circles of three. The others move on, some are changed or exchanged on the way.
function turns(name, first, i) {
    printf "KERNEL(%s) {\n", name
    for (i = 0; i < values; i++) printf "    ulong a%d = (ulong)in[%d] * %dul + %s;\n", i, i % 64, 2 * i + 3, first
    print "    _Pragma(\"clang loop unroll(disable)\") for (uint k = 0; k < n; k++) {"
    for (i = 0; i < values / 2; i += 3) printf "        { ulong x = a%d; a%d = a%d; a%d = a%d; a%d = x; }\n", i, i, i + 1, i + 1, i + 2, i + 2
    first = i
    printf "        ulong t = a%d;\n", i
    for (; i + 1 < values; i++)
        printf "        a%d = a%d%s;\n", i, i + 1, i % 7 == 3 ? " ^ (t >> " i % 32 ")" : i % 11 == 5 ? " + k" : ""
    printf "        a%d = t;\n", values - 1
    for (i = first; i + 3 < values; i += 16) printf "        if (k & 1) { ulong x = a%d; a%d = a%d; a%d = x; }\n", i, i, i + 1, i + 1
    print "    }\n    ulong sum = 0;"
    for (i = 0; i < values; i++) printf "    sum = sum * 31 + a%d;\n", i
    print "    return (uint)(sum >> 32) ^ (uint)sum;\n}"
}

# Both ways of a branch are longer than a jump, in a loop.
function far(name, condition, i) {
    printf "KERNEL(%s) {\n    uint x = in[id %% 64u], y = id;\n", name
    print "    _Pragma(\"clang loop unroll(disable)\") for (uint k = 0; k < n; k++) {"
    printf "        if (%s) {\n", condition
    for (i = 0; i < lines; i++) printf "            x = (x + %du) * (y | 1); y ^= x >> %d;\n", 1000003 * i + 1234567, i % 13 + 3
    print "            if (x == 12345u) break;\n        } else {"
    for (i = 0; i < lines; i++) printf "            y = (y ^ %du) * (x | 1); x += y >> %d;\n", 1000033 * i + 7654321, i % 11 + 5
    print "        }\n    }\n    return x ^ y;\n}"
}
BEGIN {
    turns("turns_wave", "k0")
    turns("turns_lanes", "id")
    far("far_lanes", "(x ^ k) & 1")
    far("far_wave", "(in[k % 64u] ^ k) & 1")
}
