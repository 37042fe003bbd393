// SPDX-License-Identifier: MIT
// Kernels in C, without a library and with today's code object version: calls through tables of functions,
// recursion through pointers, arrays of variable length, 128-bit integers, structures by value.
typedef unsigned int uint;
typedef unsigned long ulong;
#ifdef __AMDGCN__
#define KERNEL __attribute__((amdgpu_kernel, visibility("protected"))) void
#define GLOBAL __attribute__((address_space(1)))
#define ID                                                                                                   \
    (__builtin_amdgcn_workgroup_id_x() * __builtin_amdgcn_workgroup_size_x() +                               \
     __builtin_amdgcn_workitem_id_x())
#else
#define KERNEL void
#define GLOBAL
uint host_id(void);
#define ID host_id()
#endif

static int f0(int x, int y) { return x * 3 - y; }
static int f1(int x, int y) { return (x ^ y) + 7; }
static int f2(int x, int y) { return y ? (int)((uint)x % (uint)y) : x; }
static int f3(int x, int y);
typedef int binary(int, int);
static binary *const table[4] = {f0, f1, f2, f3};
static int f3(int x, int y) { return y > 5 ? table[x & 1](y, x) : table[2](x, y + 1); }

KERNEL pointers(GLOBAL int *out, GLOBAL const int *in) {
    uint i = ID;
    int s = 0, x = in[i];
    for (int k = 0; k < 6; k++) s = table[(x >> k * 2) & 3](s + x, k + (int)i);
    out[i] = s;
}

typedef struct node {
    struct node *left, *right;
    int value;
} node;
typedef int visit(const node *, int);
static int down(const node *n, int x);
static int up(const node *n, int x) { return n ? down(n->right, x * 2 + n->value) + n->value : x; }
static int down(const node *n, int x) {
    return n ? up(n->left, x + n->value) * 3 + down(n->right, x) : x ^ 0x55;
}
KERNEL tree(GLOBAL int *out, GLOBAL const int *in) {
    uint i = ID;
    node n[15];
    for (int k = 0; k < 15; k++) {
        n[k].left = 2 * k + 1 < 15 ? &n[2 * k + 1] : 0;
        n[k].right = 2 * k + 2 < 15 ? &n[2 * k + 2] : 0;
        n[k].value = in[(i + (uint)k) & 63] & 0xff;
    }
    visit *volatile v = i & 1 ? up : down;
    out[i] = v(&n[i % 3], (int)i);
}

typedef struct big {
    double d;
    int a[7];
    short s;
} big;
__attribute__((noinline)) static big turn(big b, int k) {
    b.a[k % 7] += (int)b.d;
    b.d = b.d * 0.5 + b.s;
    b.s = (short)(b.s * 3 + b.a[(k + 3) % 7]);
    return b;
}
KERNEL by_value(GLOBAL double *out, GLOBAL const int *in, int n) {
    uint i = ID;
    big b = {.d = in[i] & 0xfff, .s = (short)i};
    for (int k = 0; k < 7; k++) b.a[k] = in[(i + (uint)k) & 63] & 0xffff;
    for (int k = 0; k < n; k++) b = turn(b, k + (int)i);
    out[i] = b.d + b.a[i % 7] * 65536.0 + b.s;
}

KERNEL wide128(GLOBAL ulong *out, GLOBAL const ulong *in) {
    uint i = ID;
    unsigned __int128 a = in[i], b = in[i + 1] | (unsigned __int128)in[i + 2] << 64,
                      c = a * b + (b >> (in[i] & 63));
    __int128 s = (__int128)b >> (in[i + 1] & 127);
    c ^= (unsigned __int128)s;
    c -= a << 70;
    out[i * 3] = (ulong)c;
    out[i * 3 + 1] = (ulong)(c >> 64);
    out[i * 3 + 2] = (ulong)(b < c) | (ulong)(s < 0) << 1;
}

// The generator MT19937, whose state lies in private memory. Compilers reach it by negative registers and
// positive immediates, so that addresses wrap (TRAP-464).
KERNEL twister(GLOBAL uint *out, uint seed) {
    uint s[624], p = 624;
    s[0] = seed + ID;
    for (uint i = 1; i < 624; i++) s[i] = 1812433253u * (s[i - 1] ^ s[i - 1] >> 30) + i;
    for (uint n = 0; n < 700; n++) {
        for (uint i = 0; p == 624 && i < 624; i++) {
            uint y = (s[i] & 0x80000000u) | (s[(i + 1) % 624] & 0x7fffffffu);
            s[i] = s[(i + 397) % 624] ^ y >> 1 ^ (y & 1 ? 0x9908b0dfu : 0);
        }
        p = p == 624 ? 0 : p;
        uint y = s[p++];
        y ^= y >> 11;
        y ^= y << 7 & 0x9d2c5680u;
        y ^= y << 15 & 0xefc60000u;
        out[ID * 700 + n] = y ^ y >> 18;
    }
}

// Additions and subtractions that saturate: clamp, where an instruction has it (TRAP-109, TRAP-463).
#define SATURATE(type, a, b)                                                                                 \
    (uint) __builtin_elementwise_add_sat((type)(a), (type)(b)),                                              \
        (uint)__builtin_elementwise_sub_sat((type)(a), (type)(b))
KERNEL saturate(GLOBAL uint *out, GLOBAL const uint *pa, GLOBAL const uint *pb) {
    uint i = ID, a = pa[i], b = pb[i];
    const uint r[] = {SATURATE(uint, a, b),  SATURATE(int, a, b),           SATURATE(unsigned short, a, b),
                      SATURATE(short, a, b), SATURATE(unsigned char, a, b), SATURATE(signed char, a, b)};
    for (uint k = 0; k < 12; k++) out[i * 14 + k] = r[k];
    const ulong wide = (ulong)a << 32 | b, other = (ulong)b << 32 | a;
    out[i * 14 + 12] = (uint)(__builtin_elementwise_add_sat(wide, other) >> 20);
    out[i * 14 + 13] = (uint)(__builtin_elementwise_sub_sat((long)wide, (long)other) >> 20);
}

// A division, whose steps need denormals whatever MODE says, and halves after it, which MODE must not have
// lost.
KERNEL divide(GLOBAL float *out, GLOBAL _Float16 *half, GLOBAL const float *pa, GLOBAL const float *pb) {
    uint i = ID;
    out[i] = pa[i] / pb[i];
    half[i] = half[i] + half[i];
}
