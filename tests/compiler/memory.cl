// Kernels of memory.sh, which has the same in C for the host. Work-groups have 64 items.
// LDS in all widths, through a barrier.
__kernel void reverse(__global int *o, __global const int *a) {
    __local int l[64];
    __local uchar c[64];
    __local short s[64];
    __local long q[64];
    __local float4 v[64];
    int i = get_local_id(0), g = get_global_id(0);
    l[i] = a[g];
    c[i] = a[g];
    s[i] = a[g];
    q[i] = (long)a[g] * 3000000000L;
    v[i] = (float4)(i, i * 2, i * 3, a[g] & 255);
    barrier(CLK_LOCAL_MEM_FENCE);
    int j = 63 - i;
    float4 w = v[j ^ 5];
    o[g] = l[j] + c[j] * 3 + s[j ^ 1] + (int)(q[j ^ 3] >> 20) + (int)(w.x + w.y * w.z + w.w);
}
// Atomic operations that several items do in one place; LDS of a size that the launch says.
__kernel void histogram(__global int *o, __global const int *a, __global int *h, __local int *l) {
    int i = get_local_id(0), g = get_global_id(0);
    l[i] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_add(&l[a[g] & 15], 1);
    atomic_max(&h[20], a[g]);
    atomic_xor(&h[21], a[g]);
    int r = atomic_inc(&h[22]);
    atomic_add(&h[23], r);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i < 16) atomic_add(&h[i], l[i]);
    o[g] = l[i & 15];
}
// Flat addresses that are sometimes in LDS.
__kernel void flat(__global int *o, __global int *a, int n) {
    __local int l[64];
    int i = get_local_id(0), g = get_global_id(0);
    l[i] = a[g] * 3;
    barrier(CLK_LOCAL_MEM_FENCE);
    int *p = (i & 1) ? (int *)l : (int *)(a + get_group_id(0) * 64);
    int r = p[63 - i];
    p = n ? (int *)l : (int *)(a + get_group_id(0) * 64);
    r += p[(i * 7) & 63] * 5;
    r += __builtin_amdgcn_is_shared((const __generic void *)p) * 1000 + __builtin_amdgcn_is_private((const __generic void *)p) * 77;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    p[i] = r;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    o[g] = r + l[i ^ 1];
}
// Values that are not aligned to their size, and vectors of small elements.
__kernel void odd(__global uchar *o, __global const uchar *a) {
    __local uchar l[64 * 32];
    int i = get_local_id(0), g = get_global_id(0);
    typedef struct __attribute__((packed)) { uchar c; long q; ushort s; int4 v; uchar3 t; } odd_one;
    __local odd_one *x = (__local odd_one *)(l + i * 32);
    __global const odd_one *y = (__global const odd_one *)(a + g * 32);
    x->q = y->q + 1;
    x->s = y->s * 3;
    x->v = y->v ^ (int4)(1, 2, 3, g);
    x->t = y->t + (uchar3)(1, 2, 3);
    x->c = y->c ^ 85;
    barrier(CLK_LOCAL_MEM_FENCE);
    __local const odd_one *z = (__local const odd_one *)(l + (i ^ 1) * 32);
    __global odd_one *w = (__global odd_one *)(o + g * 32);
    w->q = z->q;
    w->s = z->s;
    w->v = z->v;
    w->t = z->t;
    w->c = z->c;
    vstore4(vload4(0, a + g * 32 + 27) + (uchar4)(9, 8, 7, 6), 0, o + g * 32 + 27);
}
