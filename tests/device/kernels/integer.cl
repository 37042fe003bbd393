// SPDX-License-Identifier: MIT
// Integer arithmetic of every width: operators, division and remainder, shifts, comparisons, and OpenCL's
// integer functions. Operands on which C has no answer are replaced before use.

#define ID size_t i = get_global_id(0)

// Every operator into one slot each: out[i * 16 + n].
#define OPERATORS(T, U, bits)                                                                      \
    __kernel void ops_##T(__global T *out, __global const T *pa, __global const T *pb) {           \
        ID;                                                                                        \
        T a = pa[i], b = pb[i];                                                                    \
        __global T *o = out + i * 16;                                                              \
        int s = (int)((U)b & (bits - 1));                                                          \
        T d = b == 0 || b == (T)-1 ? (T)3 : b;                                                     \
        o[0] = (T)((U)a + (U)b);                                                                   \
        o[1] = (T)((U)a - (U)b);                                                                   \
        o[2] = (T)((ulong)(U)a * (ulong)(U)b);                                                     \
        o[3] = a / d;                                                                              \
        o[4] = a % d;                                                                              \
        o[5] = (T)((U)a << s);                                                                     \
        o[6] = a >> s;                                                                             \
        o[7] = a & b;                                                                              \
        o[8] = a | ~b;                                                                             \
        o[9] = a ^ b;                                                                              \
        o[10] = a < b ? a : b;                                                                     \
        o[11] = a > b ? a : b;                                                                     \
        o[12] = (T)((a == b) + 2 * (a <= b) + 4 * (a != b));                                       \
        o[13] = (T)(-(U)a);                                                                        \
        o[14] = (T)((U)a + (U)a * (U)b + (U)(a >> 1));                                             \
        o[15] = (T)(a >= 0 ? b : a);                                                               \
    }
OPERATORS(char, uchar, 8)
OPERATORS(uchar, uchar, 8)
OPERATORS(short, ushort, 16)
OPERATORS(ushort, ushort, 16)
OPERATORS(int, uint, 32)
OPERATORS(uint, uint, 32)
OPERATORS(long, ulong, 64)
OPERATORS(ulong, ulong, 64)

// OpenCL's integer functions: out[i * 16 + n].
#define FUNCTIONS(T, U)                                                                            \
    __kernel void fun_##T(__global T *out, __global const T *pa, __global const T *pb, __global const T *pc) { \
        ID;                                                                                        \
        T a = pa[i], b = pb[i], c = pc[i];                                                         \
        __global T *o = out + i * 16;                                                              \
        o[0] = add_sat(a, b);                                                                      \
        o[1] = sub_sat(a, b);                                                                      \
        o[2] = hadd(a, b);                                                                         \
        o[3] = rhadd(a, b);                                                                        \
        o[4] = mul_hi(a, b);                                                                       \
        o[5] = mad_hi(a, b, c);                                                                    \
        o[6] = min(a, b);                                                                          \
        o[7] = max(a, b);                                                                          \
        o[8] = clamp(a, min(b, c), max(b, c));                                                     \
        o[9] = clz(a);                                                                             \
        o[10] = popcount(a);                                                                       \
        o[11] = rotate(a, b);                                                                      \
        o[12] = (T)abs_diff(a, b);                                                                 \
        o[13] = (T)abs(a);                                                                         \
        o[14] = sizeof(T) == 8 ? c : mad_sat(a, b, c); /* libclc-22 is wrong for long */            \
        o[15] = ctz(a ? a : (T)4);                                                                 \
    }
FUNCTIONS(char, uchar)
FUNCTIONS(uchar, uchar)
FUNCTIONS(short, ushort)
FUNCTIONS(ushort, ushort)
FUNCTIONS(int, uint)
FUNCTIONS(uint, uint)
FUNCTIONS(long, ulong)
FUNCTIONS(ulong, ulong)

__kernel void mul24s(__global int *out, __global const int *pa, __global const int *pb) {
    ID;
    int a = pa[i] << 8 >> 8, b = pb[i] << 8 >> 8;
    out[i * 4] = mul24(a, b);
    out[i * 4 + 1] = mad24(a, b, pa[i]);
    out[i * 4 + 2] = (int)mul24((uint)a & 0xffffffu, (uint)b & 0xffffffu);
    out[i * 4 + 3] = (int)mad24((uint)a & 0xffffffu, (uint)b & 0xffffffu, (uint)b);
}

// Widening products and sums with carry, division of 64 by 32 bits, bit fields.
__kernel void wide(__global ulong *out, __global const uint *pa, __global const uint *pb) {
    ID;
    uint a = pa[i], b = pb[i];
    __global ulong *o = out + i * 8;
    o[0] = (ulong)a * b;
    o[1] = (ulong)((long)(int)a * (int)b);
    o[2] = ((ulong)a << 32 | b) + ((ulong)b << 32 | a);
    o[3] = ((ulong)a << 32 | b) / (b | 1u);
    o[4] = ((ulong)a << 32 | b) % (b | 1u);
    o[5] = (a >> 5 & 0x7ff) | (ulong)(b >> (a & 31)) << 20;
    o[6] = (ulong)((long)((ulong)a << 40) >> 40);
    o[7] = (ulong)a * b + ((ulong)b << 13 | a);
}

// Vectors of small integers, which targets may pack.
__kernel void packed(__global short4 *out, __global const short4 *pa, __global const short4 *pb) {
    ID;
    short4 a = pa[i], b = pb[i];
    __global short4 *o = out + i * 8;
    o[0] = a + b;
    o[1] = a - b;
    o[2] = a * b;
    o[3] = a * b + a;
    o[4] = a << (b & (short)15);
    o[5] = a >> (b & (short)15);
    o[6] = a < b ? a : b;
    o[7] = as_short4(as_ushort4(a) >> (as_ushort4(b) & (ushort)15)) ^ (a > b ? a : b);
}

__kernel void bytes(__global uchar4 *out, __global const uchar4 *pa, __global const uchar4 *pb) {
    ID;
    uchar4 a = pa[i], b = pb[i];
    out[i * 4] = a + b;
    out[i * 4 + 1] = a.wzyx ^ b.yxwz;
    out[i * 4 + 2] = (uchar4)(a.x * b.y, a.y / (b.z | 1), a.z % (b.w | 1), a.w >> (b.x & 7));
    out[i * 4 + 3] = a > b ? a : b;
}
