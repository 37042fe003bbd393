// SPDX-License-Identifier: MIT
// Operations across the lanes of a wave. On the host a lane's value travels through host_exchange.
#ifdef __AMDGCN__
#define DPP(x, control)   __builtin_amdgcn_update_dpp(0, x, control, 0xf, 0xf, 1)
#define SWIZZLE(x, o)     __builtin_amdgcn_ds_swizzle(x, o)
#define BPERMUTE(x, lane) __builtin_amdgcn_ds_bpermute((lane) << 2, x)
#define PERMUTE(x, lane)  __builtin_amdgcn_ds_permute((lane) << 2, x)
#define READLANE(x, lane) __builtin_amdgcn_readlane(x, lane)
#define READFIRST(x)      __builtin_amdgcn_readfirstlane(x)
#define WAVE              __builtin_amdgcn_wavefrontsize()
#define LANE              (WAVE == 64 ? __builtin_amdgcn_mbcnt_hi(-1, __builtin_amdgcn_mbcnt_lo(-1, 0)) : __builtin_amdgcn_mbcnt_lo(-1, 0))
#define MBCNT(m)          (WAVE == 64 ? __builtin_amdgcn_mbcnt_hi((uint)((m) >> 32), __builtin_amdgcn_mbcnt_lo((uint)(m), 0)) : __builtin_amdgcn_mbcnt_lo((uint)(m), 0))
static ulong ballot(int c) {
#if __AMDGCN_WAVEFRONT_SIZE__ == 32 || defined(WAVE32)
    return __builtin_amdgcn_ballot_w32(c);
#else
    return __builtin_amdgcn_ballot_w64(c);
#endif
}
#else
const ulong *host_exchange(ulong value);
uint host_lane(void);
uint host_wave(void);
#define WAVE              host_wave()
#define LANE              host_lane()
#define MBCNT(m)          popcount((m) & ((1ul << LANE) - 1))
static int of_lane(int x, int lane) { return (int)host_exchange((uint)x)[lane & (WAVE - 1)]; }
#define BPERMUTE(x, lane) of_lane(x, lane)
#define READLANE(x, lane) of_lane(x, lane)
#define READFIRST(x)      of_lane(x, 0)
static int DPP(int x, int c) {
    uint l = LANE, row = l & 15, base = l & ~15u;
    const ulong *v = host_exchange((uint)x);
    if (c < 0x100) return (int)v[(l & ~3u) | (c >> (l & 3) * 2 & 3)];              // quad_perm
    if (c < 0x110) return row + (c & 15) < 16 ? (int)v[l + (c & 15)] : 0;          // row_shl
    if (c < 0x120) return row >= (c & 15) ? (int)v[l - (c & 15)] : 0;              // row_shr
    if (c < 0x130) return (int)v[base | ((row - (c & 15)) & 15)];                  // row_ror
    if (c == 0x140) return (int)v[base | (15 - row)];                              // row_mirror
    return (int)v[l ^ 7];                                                          // row_half_mirror
}
static int SWIZZLE(int x, int o) {
    const ulong *v = host_exchange((uint)x);
    uint l = LANE, i = l & 31;
    if (o & 0x8000) return (int)v[(l & ~3u) | (o >> (l & 3) * 2 & 3)];
    return (int)v[(l & 32) | ((((i & o) | (o >> 5)) ^ (o >> 10)) & 31)];
}
static int PERMUTE(int x, int lane) {
    ulong pair = (ulong)(uint)lane << 32 | (uint)x;
    const ulong *v = host_exchange(pair);
    int r = 0;
    for (uint k = 0; k < WAVE; k++)
        if ((v[k] >> 32 & (WAVE - 1)) == LANE) r = (int)v[k];
    return r;
}
static ulong ballot(int c) {
    const ulong *v = host_exchange(c != 0);
    ulong m = 0;
    for (uint k = 0; k < WAVE; k++) m |= v[k] << k;
    return m;
}
#endif

__kernel void dpp(__global int *out, __global const int *in) {
    int i = (int)get_global_id(0), x = in[i];
    __global int *o = out + i * 10;
    o[0] = DPP(x, 0x1b);
    o[1] = DPP(x, 0x4e);
    o[2] = DPP(x, 0xa0);
    o[3] = DPP(x, 0x101);
    o[4] = DPP(x, 0x107);
    o[5] = DPP(x, 0x111);
    o[6] = DPP(x, 0x11f);
    o[7] = DPP(x, 0x124);
    o[8] = DPP(x, 0x140);
    o[9] = DPP(x, 0x141);
}
__kernel void swizzle(__global int *out, __global const int *in) {
    int i = (int)get_global_id(0), x = in[i];
    __global int *o = out + i * 5;
    o[0] = SWIZZLE(x, 0x041f);
    o[1] = SWIZZLE(x, 0x7c1f);
    o[2] = SWIZZLE(x, 0x801b);
    o[3] = SWIZZLE(x, 0x0018);
    o[4] = SWIZZLE(x, 0x00b5);
}
// Reduction by exchange of ever more distant lanes.
__kernel void reduce_rows(__global int *out, __global const int *in) {
    int i = (int)get_global_id(0), x = in[i];
    x += DPP(x, 0x128);
    x += DPP(x, 0x124);
    x += DPP(x, 0x122);
    x += DPP(x, 0x121);
    out[i] = x;
}
__kernel void permute(__global int *out, __global const int *in) {
    int i = (int)get_global_id(0), x = in[i], l = (int)LANE;
    __global int *o = out + i * 4;
    o[0] = PERMUTE(x, (l & 32) | ((l * 5 + 3) & 31)); // RDNA keeps to 32 lanes
    o[1] = READLANE(x, 13);
    o[2] = READFIRST(x);
    o[3] = l;
}
__kernel void bpermute(__global int *out, __global const int *in) {
    int i = (int)get_global_id(0), x = in[i], l = (int)LANE;
    out[i] = BPERMUTE(x, (l & 32) | ((x & 31) ^ 7)) + 3 * BPERMUTE(x, (l & 32) | ((l * 7) & 31));
}
__kernel void ballots(__global ulong *out, __global const int *in) {
    int i = (int)get_global_id(0), x = in[i];
    ulong m = ballot(x & 1), k = ballot(x > 0);
    out[i * 3] = m;
    out[i * 3 + 1] = k ^ ballot(1);
    out[i * 3 + 2] = MBCNT(m) + 100 * MBCNT(k);
}
// The sum of a wave by prefix, in a divergent branch too.
__kernel void scan(__global int *out, __global const int *in) {
    int i = (int)get_global_id(0), x = in[i] & 0xffff, l = (int)LANE, s = x;
    for (int d = 1; d < 32; d <<= 1) {
        int y = BPERMUTE(s, (l & 32) | ((l - d) & 31));
        if ((l & 31) >= d) s += y;
    }
    out[i] = s;
}
