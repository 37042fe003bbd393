// SPDX-License-Identifier: MIT
// Lanes of a wave under HIP: shuffles of every type and width, votes, matches, moves between lanes by inline
// assembly, cooperative groups inside a group, bit counts.
#include "check.h"

#include <string>

#include <hip/hip_cooperative_groups.h>

static int wave;
template <typename T> static std::vector<T> of_device(const T *p, size_t n) {
    std::vector<T> v(n);
    if (hipMemcpy(v.data(), p, n * sizeof(T), hipMemcpyDeviceToHost) != hipSuccess) v.clear();
    return v;
}

template <typename T> __host__ __device__ T value_of(int lane) { return (T)(lane * 1.25 + 3); }
template <> __host__ __device__ long long value_of(int lane) { return (long long)lane * 0x100000001ll - 5; }
template <> __host__ __device__ unsigned long long value_of(int lane) { return lane * 0x8000000100000001ull; }
template <typename T> __global__ void shuffles(T *out) {
    const int lane = threadIdx.x;
    const T v = value_of<T>(lane);
    int n = 0;
    for (int width = warpSize; width > 1; width /= 2) {
        out[n++ * 64 + lane] = __shfl(v, lane * 7 + 3, width);
        out[n++ * 64 + lane] = __shfl_up(v, 3, width);
        out[n++ * 64 + lane] = __shfl_down(v, 5, width);
        out[n++ * 64 + lane] = __shfl_xor(v, 3, width);
    }
}
// A source lane beyond the width is taken modulo it since HIP 6; before, it counts on, modulo the wave's
// size.
static int shuffled(int from, int base, int width) {
    return HIP_VERSION_MAJOR >= 6 ? base + from % width : (from + base) % wave;
}
template <typename T> static void shuffles_of() {
    T *p;
    CALL(hipMalloc(&p, 24 * 64 * sizeof(T)));
    shuffles<T><<<1, wave>>>(p);
    const std::vector<T> got = of_device(p, 24 * 64);
    EXPECT(got.size() == 24 * 64);
    int n = 0;
    for (int width = wave; width > 1; width /= 2)
        for (int kind = 0; kind < 4; kind++, n++)
            for (int lane = 0; lane < wave; lane++) {
                const int base = lane & -width, last = base + width - 1;
                int from = kind == 0   ? shuffled(lane * 7 + 3, base, width)
                           : kind == 1 ? lane - 3
                           : kind == 2 ? lane + 5
                                       : lane ^ 3;
                if ((kind == 1 && from < base) || (kind > 1 && from > last)) from = lane;
                EXPECT(got[n * 64 + lane] == value_of<T>(from));
            }
    CALL(hipFree(p));
}
static void shuffles_int() { shuffles_of<int>(); }
static void shuffles_unsigned() { shuffles_of<unsigned>(); }
static void shuffles_float() { shuffles_of<float>(); }
static void shuffles_double() { shuffles_of<double>(); }
static void shuffles_long() { shuffles_of<long long>(); }
static void shuffles_unsigned_long() { shuffles_of<unsigned long long>(); }

// All lanes that hold the same value, found in turns of the first lane that is left.
__device__ unsigned long long match_any(int v) {
    for (;;) {
        const int first = __builtin_amdgcn_readfirstlane(v);
        const unsigned long long same = __ballot(v == first);
        if (v == first) return same;
    }
}
__global__ void votes(unsigned long long *out) {
    const int lane = threadIdx.x;
    out[lane] = __ballot(lane % 3 == 0);
    out[64 + lane] = match_any(lane % 5);
    const unsigned long long live = __ballot(1);
    out[128 + lane] = live;
    unsigned long long odd = 0;
    if (lane & 1) odd = __ballot(lane > 10) | (unsigned long long)__all(lane & 1) << 32 << 31;
    out[192 + lane] = odd;
    out[256 + lane] = (unsigned long long)__any(lane == warpSize - 1) | __any(lane > 200) << 1 |
                      __all(lane < 64) << 2 | __all(lane != 4) << 3 | (unsigned long long)__lane_id() << 32;
}
static void votes_and_matches() {
    unsigned long long *p;
    CALL(hipMalloc(&p, 320 * 8));
    votes<<<1, wave>>>(p);
    const std::vector<unsigned long long> got = of_device(p, 320);
    const unsigned long long all = wave == 64 ? ~0ull : 0xffffffff;
    unsigned long long thirds = 0, fifths[5] = {0, 0, 0, 0, 0}, odds = 0;
    for (int i = 0; i < wave; i++) {
        if (i % 3 == 0) thirds |= 1ull << i;
        fifths[i % 5] |= 1ull << i;
        if (i & 1 && i > 10) odds |= 1ull << i;
    }
    for (int i = 0; i < wave; i++) {
        EXPECT(got[i] == thirds && got[64 + i] == fifths[i % 5] && got[128 + i] == all);
        EXPECT(got[192 + i] == (i & 1 ? odds | 1ull << 63 : 0));
        EXPECT(got[256 + i] == (5 | (unsigned long long)i << 32));
    }
    CALL(hipFree(p));
}

// Loads into a half of a register keep the other half; with SRAM ECC they clear it.
__global__ void load_halves(unsigned *out, const short *in) {
    unsigned v[6];
#if !defined(__GFX8__) && !defined(__GFX7__)
    for (int i = 0; i < 6; i++) v[i] = 0xdeadbeef;
    asm volatile("global_load_short_d16 %0, %6, off\n\tglobal_load_short_d16_hi %1, %6, off\n\t"
                 "global_load_sbyte_d16 %2, %6, off\n\tglobal_load_sbyte_d16_hi %3, %6, off\n\t"
                 "global_load_ubyte_d16 %4, %6, off\n\tglobal_load_ubyte_d16_hi %5, %6, off\n\t"
                 "s_waitcnt vmcnt(0)"
                 : "+v"(v[0]), "+v"(v[1]), "+v"(v[2]), "+v"(v[3]), "+v"(v[4]), "+v"(v[5])
                 : "v"(in + threadIdx.x)
                 : "memory");
    for (int i = 0; i < 6; i++) out[64 * i + threadIdx.x] = v[i];
#endif
}
static void loads_of_halves() {
    hipDeviceProp_t properties;
    CALL(hipGetDeviceProperties(&properties, 0));
    const std::string name = properties.gcnArchName;
    if (!name.compare(0, 4, "gfx8") || !name.compare(0, 4, "gfx7")) return; // have none
    const bool clears = name.find("sramecc+") != name.npos;
    unsigned *out;
    short *in;
    CALL(hipMalloc(&out, 6 * 64 * 4));
    CALL(hipMallocManaged((void **)&in, 64 * 2));
    for (int i = 0; i < 64; i++) in[i] = (short)(i * 1021 - 0x4000);
    load_halves<<<1, wave>>>(out, in);
    const std::vector<unsigned> got = of_device(out, 6 * 64);
    const unsigned low = clears ? 0 : 0xbeef, high = clears ? 0 : 0xdead0000;
    for (int i = 0; i < wave; i++) {
        const unsigned value[3] = {(unsigned short)in[i], (unsigned short)(signed char)in[i],
                                   (unsigned char)in[i]};
        for (int n = 0; n < 3; n++) {
            EXPECT(got[128 * n + i] == (value[n] | high));
            EXPECT(got[128 * n + 64 + i] == (value[n] << 16 | low));
        }
    }
    CALL(hipFree(out));
    CALL(hipFree(in));
}

#if defined(__GFX10__) || defined(__GFX11__) || defined(__GFX12__)
#define VCC "vcc_lo"
#else
#define VCC "vcc"
#endif
// What C++ has no word for: data parallel primitives, the LDS crossbar, the scalar unit, memory by its
// address.
__global__ void by_assembly(int *out, const int *in) {
    const int lane = threadIdx.x;
    int a = 0, b = -1, c, d, e, f;
    asm volatile("s_nop 1\n\tv_mov_b32_dpp %0, %1 quad_perm:[3,2,1,0] row_mask:0xf bank_mask:0xf"
                 : "+v"(a)
                 : "v"(lane));
    asm volatile("s_nop 1\n\tv_mov_b32_dpp %0, %1 row_shr:1 row_mask:0xf bank_mask:0xf"
                 : "+v"(b)
                 : "v"(lane));
    asm volatile("ds_swizzle_b32 %0, %1 offset:0x041f\n\ts_waitcnt lgkmcnt(0)" : "=v"(c) : "v"(lane));
    asm volatile("s_mov_b32 s20, 0x1234\n\ts_lshl_b32 s20, s20, 4\n\tv_mov_b32 %0, s20"
                 : "=v"(d)
                 :
                 : "s20", "scc");
    asm volatile("v_cmp_lt_u32 " VCC ", %1, %2\n\ts_nop 4\n\tv_mov_b32 %0, vcc_lo"
                 : "=v"(e)
                 : "v"(lane), "v"(5)
                 : "vcc");
    const int *address = in + lane;
    asm volatile("flat_load_dword %0, %1\n\ts_waitcnt vmcnt(0) lgkmcnt(0)"
                 : "=v"(f)
                 : "v"(address)
                 : "memory");
    out[lane] = a, out[64 + lane] = b, out[128 + lane] = c, out[192 + lane] = d, out[256 + lane] = e,
    out[320 + lane] = f;
}
static void inline_assembly() {
    int *p, *q, host[64];
    for (int i = 0; i < 64; i++) host[i] = 1000 - i * i;
    CALL(hipMalloc(&p, 384 * 4));
    CALL(hipMalloc(&q, sizeof host));
    CALL(hipMemcpy(q, host, sizeof host, hipMemcpyHostToDevice));
    by_assembly<<<1, wave>>>(p, q);
    const std::vector<int> got = of_device(p, 384);
    EXPECT(got.size() == 384);
    for (int i = 0; i < wave; i++) {
        EXPECT(got[i] == (i ^ 3) && got[64 + i] == (i % 16 ? i - 1 : -1) && got[128 + i] == (i ^ 1));
        EXPECT(got[192 + i] == 0x12340 && got[256 + i] == 31 && got[320 + i] == host[i]);
    }
    CALL(hipFree(p));
    CALL(hipFree(q));
}

namespace cg = cooperative_groups;
__global__ void groups_in_groups(int *out) {
    cg::thread_block block = cg::this_thread_block();
    cg::thread_group eights = cg::tiled_partition(block, 8);
    cg::thread_block_tile<32> tile = cg::tiled_partition<32>(block);
    const int t = block.thread_rank();
    __shared__ int sums[64];
    if (eights.thread_rank() == 0) sums[t / 8] = 0;
    eights.sync();
    atomicAdd(&sums[t / 8], t);
    block.sync();
    out[t] = sums[t / 8];
    out[256 + t] = tile.shfl_xor(t, 5) * 64 + (int)tile.thread_rank();
    out[512 + t] =
        (int)(block.size() * 1000 + eights.size() * 10 + block.is_valid() + 2 * (tile.size() == 32));
    if (t % 3 == 0) {
        cg::coalesced_group some = cg::coalesced_threads();
        out[768 + t] = (int)(some.size() * 100 + some.thread_rank());
        out[1024 + t] = some.shfl(t, 1);
    } else
        out[768 + t] = out[1024 + t] = -1;
}
static void cooperative_groups_of_lanes() {
    int *p;
    CALL(hipMalloc(&p, 1280 * 4));
    groups_in_groups<<<1, 256>>>(p);
    const std::vector<int> got = of_device(p, 1280);
    EXPECT(got.size() == 1280);
    for (int t = 0; t < 256; t++) {
        const int first = t / wave * wave, multiple = (first + 2) / 3 * 3; // of 3, in the wave of t
        EXPECT(got[t] == 8 * (t / 8 * 8) + 28);
        EXPECT(got[256 + t] == (t ^ 5) * 64 + t % 32);
        EXPECT(got[512 + t] == 256 * 1000 + 83);
        EXPECT(got[768 + t] ==
               (t % 3 ? -1 : ((first + wave - 1 - multiple) / 3 + 1) * 100 + (t - multiple) / 3));
        EXPECT(got[1024 + t] == (t % 3 ? -1 : multiple + 3));
    }
    CALL(hipFree(p));
}

__global__ void bits(const unsigned *in, unsigned long long *out, int n) {
    const int i = threadIdx.x;
    if (i >= n) return;
    const unsigned x = in[i];
    const unsigned long long w = (unsigned long long)x << 32 | (x * 2654435761u);
    unsigned long long *o = out + i * 12;
    o[0] = __popc(x), o[1] = __popcll(w), o[2] = __clz(x), o[3] = __clzll(w), o[4] = __ffs(x),
    o[5] = __ffsll(w);
    o[6] = __brev(x), o[7] = __brevll(w), o[8] = __byte_perm(x, ~x, 0x5140), o[9] = __umulhi(x, 0x89abcdef);
    o[10] = __umul64hi(w, 0x123456789abcdefull), o[11] = __sad((int)x, 12345, 7u);
}
static void bit_counts() {
    const int n = 64;
    unsigned in[n], x = 1, *p;
    unsigned long long *q;
    for (int i = 0; i < n; i++) in[i] = (x = x * 1103515245 + 12345) >> (i % 29);
    in[0] = 0;
    CALL(hipMalloc(&p, sizeof in));
    CALL(hipMalloc(&q, n * 12 * 8));
    CALL(hipMemcpy(p, in, sizeof in, hipMemcpyHostToDevice));
    bits<<<1, n>>>(p, q, n);
    const std::vector<unsigned long long> got = of_device(q, n * 12);
    EXPECT(got.size() == n * 12);
    for (int i = 0; i < n; i++) {
        const unsigned v = in[i];
        const unsigned long long w = (unsigned long long)v << 32 | (v * 2654435761u), *o = &got[i * 12];
        unsigned reversed = 0;
        unsigned long long wide = 0;
        for (int b = 0; b < 64; b++) {
            if (b < 32 && v >> b & 1) reversed |= 1u << (31 - b);
            if (w >> b & 1) wide |= 1ull << (63 - b);
        }
        EXPECT(o[0] == (unsigned)__builtin_popcount(v) && o[1] == (unsigned)__builtin_popcountll(w));
        EXPECT(o[2] == (v ? __builtin_clz(v) : 32) && o[3] == (w ? __builtin_clzll(w) : 64));
        EXPECT(o[4] == (unsigned)__builtin_ffs((int)v) && o[5] == (unsigned)__builtin_ffsll((long long)w));
        EXPECT(o[6] == reversed && o[7] == wide);
        EXPECT(o[8] == ((v & 0xff) | (~v & 0xff) << 8 | (v >> 8 & 0xff) << 16 | (~v >> 8 & 0xff) << 24));
        EXPECT(o[9] == (unsigned long long)v * 0x89abcdef >> 32);
        EXPECT(o[10] == (unsigned long long)((unsigned __int128)w * 0x123456789abcdefull >> 64));
        EXPECT(o[11] == (unsigned)llabs((long long)(int)v - 12345) + 7);
    }
    CALL(hipFree(p));
    CALL(hipFree(q));
}

int main(int argc, char **argv) {
    arguments = argc, names = argv;
    if (hipDeviceGetAttribute(&wave, hipDeviceAttributeWarpSize, 0) != hipSuccess) return 2;
    CASE(shuffles_int);
    CASE(shuffles_unsigned);
    CASE(shuffles_float);
    CASE(shuffles_double);
    CASE(shuffles_long);
    CASE(shuffles_unsigned_long);
    CASE(votes_and_matches);
    CASE(inline_assembly);
    CASE(cooperative_groups_of_lanes);
    CASE(bit_counts);
    CASE(loads_of_halves);
    return wrong;
}
