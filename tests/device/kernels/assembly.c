// SPDX-License-Identifier: MIT
// What the kernels of assembly.S compute, for the host.
#include <fenv.h>
typedef unsigned int uint;
typedef unsigned long ulong;
uint host_id(void);
const ulong *host_exchange(ulong value);

void waterfall(uint *out, const uint *in) {
    uint i = host_id(), n = 0;
    const ulong *v = host_exchange(in[i]);
    for (int k = 0; k < 64; k++) n += v[k] == in[i];
    out[i] = n * in[i];
}

void rounding(float *out, const float *in) {
    static const int modes[4] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    uint i = host_id();
    volatile float a = in[i], b = a * 0x1.555556p-2f;
    for (int k = 0; k < 4; k++) {
        fesetround(modes[k]);
        volatile float s = a + b;
        out[i * 4 + (uint)k] = s;
    }
    fesetround(FE_TONEAREST);
}

void scalar(uint *out, const uint *in) {
    uint i = host_id(), x = in[(i & ~63u) + 5], r = 0;
    for (int k = 0; k < 32; k++) r |= (x >> k & 1) << (31 - k);
    uint field = x >> 4 & 0x1ff;
    r ^= 0x7fu << 12;
    uint zeros = field ? (uint)__builtin_clz(field) : ~0u;
    uint carry = r + zeros < r;
    r += zeros;
    r += carry;
    for (int k = 0; k < 10; k++) {
        r <<= 1;
        r += r ? 3 : 5;
    }
    uint high = (uint)((ulong)r * x >> 32);
    r += (uint)(int)(signed char)x;
    out[i] = (r ^ high) ^ i;
}
