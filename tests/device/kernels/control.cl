// SPDX-License-Identifier: MIT
// Control flow and memory: private arrays with a dynamic index, recursion, calls through pointers, jump
// tables, divergent loops, barriers, static and dynamic LDS, generic pointers, uneven grids.

#ifdef __AMDGCN__
#define PAUSE
#else
void host_yield(void);
#define PAUSE host_yield() // the host's work-items take turns by will
#endif
#define ID size_t i = get_global_id(0)

__kernel void private_array(__global int *out, __global const int *in) {
    ID;
    int a[40];
    for (int k = 0; k < 40; k++) a[k] = in[(i + k) & 255] & 0xffff;
    for (int k = 0; k < 60; k++) {
        int x = (a[k % 40] + k) % 40, y = (x * 7 + 3) % 40;
        a[x] = a[y] * 3 + a[k % 40];
        a[y] ^= x;
    }
    int s = 0;
    for (int k = 0; k < 40; k++) s = s * 31 + a[k];
    out[i] = s;
}

__kernel void private_bytes(__global uchar *out, __global const uchar *in) {
    ID;
    uchar a[64];
    short b[16];
    double d[4];
    for (int k = 0; k < 64; k++) a[k] = (uchar)(in[k] + i);
    for (int k = 0; k < 16; k++) b[k] = (short)(a[a[k] & 63] * 257);
    for (int k = 0; k < 4; k++) d[k] = b[(i + k) & 15];
    out[i] = (uchar)((int)d[i & 3] ^ b[i & 15] ^ a[(i * 5) & 63]);
}

int ackermann(int m, int n) {
    if (m == 0) return n + 1;
    if (n == 0) return ackermann(m - 1, 1);
    return ackermann(m - 1, ackermann(m, n - 1));
}
ulong fibonacci(int n) { return n < 2 ? (ulong)n : fibonacci(n - 1) + fibonacci(n - 2); }
int depth(int n, int x) { return n ? depth(n - 1, x * 5 + n) * 3 + n : x; }
__kernel void recursion(__global ulong *out, __global const int *in) {
    ID;
    int x = in[i] & 7;
    out[i * 3] = ackermann(x & 1, x >> 1);
    out[i * 3 + 1] = fibonacci(x + 3);
    out[i * 3 + 2] = (ulong)depth(20 + x, (int)i);
}

__attribute__((noinline)) float4 many(float4 a, int b, long c, double d, char e, int8 v) {
    return a.wzyx * (float)b + (float4)((float)c, (float)d, (float)e, (float)(v.s0 + v.s3 - v.s7));
}
__kernel void calls(__global float4 *out, __global const int *in) {
    ID;
    int x = in[i] & 1023;
    int8 v = (int8)(x, 1, 2, x + 3, 4, 5, 6, (int)i);
    float4 r = (float4)(1, 2, 3, (float)x);
    if (x & 1) r = many(r, x, -x, x * 0.5, (char)x, v);
    for (int k = 0; k < (x & 3); k++) r = many(r, k, x, 1.0 / (k + 1), (char)-k, v + k) * 0.25f;
    out[i] = r;
}

__kernel void jump_table(__global uint *out, __global const uint *in) {
    ID;
    uint x = in[i], s = 1;
    for (int k = 0; k < 12; k++, x = x >> 3 | x << 29) {
        switch (x & 15) {
        case 0: s += x; break;
        case 1: s ^= x; break;
        case 2: s *= 3; // falls through
        case 3: s -= k; break;
        case 4: s = s << 5 | s >> 27; break;
        case 5: s |= 0x10101; break;
        case 6: s &= ~x; break;
        case 7: s += popcount(x); break;
        case 8: s = ~s; break;
        case 9: s /= (x & 31) + 1; break;
        case 10: s += clz(x); // falls through
        case 11: s ^= s >> 7; break;
        case 12: continue;
        case 13: if (s & 1) k++; break;
        default: s += 0x9e3779b9; break;
        }
    }
    out[i] = s;
}

__kernel void divergence(__global int *out, __global const int *in) {
    ID;
    int x = in[i] & 63, s = 0;
    for (int k = 0; k < x; k++) {
        if ((k + i) % 3 == 0) {
            s += k;
            if (s > 500) break;
            continue;
        }
        int y = x;
        while (y != 1 && y) {
            y = y & 1 ? 3 * y + 1 : y >> 1;
            if (++s % 97 == 0) goto out_of_both;
        }
        s ^= k;
    }
out_of_both:
    if (i % 5 == 0) { out[i] = -s; return; }
    out[i] = s;
}

__kernel void dynamic_lds(__global int *out, __global const int *in, __local int *a, __local uchar *b, int n) {
    int l = get_local_id(0), m = get_local_size(0);
    for (int k = l; k < n; k += m) a[k] = in[k] * 3, b[k] = (uchar)(in[k] >> 3);
    barrier(CLK_LOCAL_MEM_FENCE);
    int s = 0;
    for (int k = 0; k < n; k += 7) s = s * 5 + a[(k + l) % n] - b[(k * 3 + l) % n];
    out[get_global_id(0)] = s;
}

// Every width of LDS access, aligned and in pairs.
__kernel void lds_widths(__global ulong *out, __global const uint *in) {
    __local ulong q[256];
    __local uint4 v[64];
    __local ushort h[256];
    int l = get_local_id(0);
    q[l] = (ulong)in[l] * 0x100000001ul + l;
    h[l] = (ushort)(in[l] >> 7);
    if (l < 64) v[l] = (uint4)(in[l], in[l + 64], l, ~in[l]);
    barrier(CLK_LOCAL_MEM_FENCE);
    uint4 x = v[(l * 5) & 63];
    ulong s = q[(l + 1) & 255] + q[(l + 9) & 255] * 3 + q[l ^ 32];
    s ^= (ulong)x.x + ((ulong)x.y << 32) + x.z * (ulong)x.w;
    s += h[(l * 3) & 255] - (short)h[(l + 128) & 255];
    barrier(CLK_LOCAL_MEM_FENCE);
    ((__local uchar *)q)[l] = (uchar)s;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = s + ((__local char *)q)[255 - l];
}

// Generic pointers to the three kinds of memory.
int sum_of(const int *p, int n) {
    int s = 0;
    for (int k = 0; k < n; k++) s = s * 3 + p[k];
    return s;
}
void add_to(int *p, int x) { *p += x; }
__kernel void generic_pointers(__global int *out, __global int *in) {
    __local int shared[64];
    ID;
    int l = get_local_id(0), mine[8];
    shared[l] = in[l] ^ 5;
    for (int k = 0; k < 8; k++) mine[k] = in[k] + l * k;
    barrier(CLK_LOCAL_MEM_FENCE);
    int *p = l % 3 == 0 ? (int *)in : l % 3 == 1 ? (int *)shared : mine;
    int s = sum_of(p, 8);
    barrier(CLK_LOCAL_MEM_FENCE);
    int *w = l % 2 ? (int *)&shared[l] : (int *)&out[i * 2 + 1];
    add_to(w, s);
    add_to(&mine[l & 7], 3);
    out[i * 2] = s + shared[l] + mine[l & 7];
}

__kernel void ids(__global uint *out) {
    uint x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    uint i = (z * get_global_size(1) + y) * get_global_size(0) + x;
    out[i * 4] = x | y << 8 | z << 16;
    out[i * 4 + 1] = get_local_id(0) | get_local_id(1) << 8 | get_local_id(2) << 16;
    out[i * 4 + 2] = get_group_id(0) | get_group_id(1) << 8 | get_group_id(2) << 16;
    out[i * 4 + 3] = get_global_size(0) | get_global_size(1) << 8 | get_global_size(2) << 16;
}

// Bytes and halfwords, packed structures, unaligned access.
struct __attribute__((packed)) odd { uchar a; uint b; ushort c; ulong d; };
__kernel void memory_widths(__global struct odd *out, __global const uchar *in) {
    ID;
    struct odd o;
    o.a = in[i];
    o.b = *(__global const ushort *)(in + i * 2) * 70000u;
    o.c = (ushort)(((__global const char *)in)[i + 3] + ((__global const short *)in)[i]);
    o.d = ((__global const ulong *)in)[i & 31] ^ o.b;
    uchar16 v = vload16(i & 7, in);
    o.a ^= v.sf + v.s3;
    out[i] = o;
}

__constant int table[16] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3};
__constant double reals[4] = {0.5, -2.25, 1e10, 3.0};
__kernel void constants(__global double *out, __global const int *in) {
    ID;
    out[i] = table[in[i] & 15] * reals[i & 3] + table[i & 15];
}

// Work-groups that wait for each other: each adds to what the one before it left.
__kernel void chain(__global atomic_int *turn, __global int *sum, __global const int *in) {
    __local int total;
    int l = get_local_id(0), g = get_group_id(0);
    if (l == 0) {
        while (__opencl_atomic_load(turn, memory_order_acquire, memory_scope_device) != g) PAUSE;
        total = g ? sum[g - 1] : 0;
        for (int k = 0; k < 64; k++) total += in[g * 64 + k];
        sum[g] = total;
        __opencl_atomic_store(turn, g + 1, memory_order_release, memory_scope_device);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
}
// The same backwards: group 0 waits for the last.
__kernel void chain_back(__global atomic_int *turn, __global int *sum) {
    int g = get_group_id(0), n = (int)(get_global_size(0) / get_local_size(0));
    if (get_local_id(0) == 0) {
        while (__opencl_atomic_load(turn, memory_order_acquire, memory_scope_device) != n - 1 - g) PAUSE;
        sum[g] = n - g;
        __opencl_atomic_store(turn, n - g, memory_order_release, memory_scope_device);
    }
}
