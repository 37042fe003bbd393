// Kernels whose branches all lanes take alike; straight.sh has the same in C for the host.
__kernel void saxpy(__global float *y, __global const float *x, float a) {
    size_t i = get_global_id(0);
    y[i] += a * x[i];
}
__kernel void integers(__global long *o, __global const int *a, __global const short *b, __global const uchar *c, long k,
                       short h, uint n) {
    size_t i = get_global_id(0);
    long x = (long)a[i] * k + b[i];
    x ^= x << 13;
    x = (x >> 7) - c[i];
    uint u = (uint)x;
    u = u > n ? u - n : u + h;
    ulong w = (ulong)x >> 37 | (ulong)u << 40;
    o[i] = (x ^ (long)((ulong)u << 20)) + (a[i] < b[i] ? 5 : -3) + (long)w - (c[i] > 100 ? b[i] : a[i] >> 3) + (x < k ? 1 : 2);
}
__kernel void bytes(__global uchar *o, __global ushort *p, __global const uchar *a, __global const short *b, uchar s) {
    size_t i = get_global_id(0);
    o[i] = (uchar)(a[i] * 3 + s) ^ (uchar)(b[i] >> 5);
    p[i] = (ushort)((b[i] << 2) - a[i]) / 1 + (ushort)(b[i] > (short)a[i]);
}
__kernel void doubles(__global double *o, __global const double *a, __global const int *b, double k) {
    size_t i = get_global_id(0);
    double x = a[i] * k;
    o[i] = x + (double)b[i];
    o[i + get_global_size(0)] = a[i] > 3.0 ? fma(a[i], k, x) : (double)(float)a[i];
}
__kernel void vectors(__global float4 *o, __global const float4 *a, __global const int4 *b, float k) {
    size_t i = get_global_id(0);
    float4 x = a[i].wzyx;
    o[i] = fabs(x - k) + convert_float4(b[i]) * -x;
}
__kernel void grid(__global uint *o, uint w) {
    uint x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    o[(z * 4 + y) * w + x] = x | y << 8 | z << 16 | get_local_id(1) << 20 | get_group_id(2) << 24 | get_group_id(0) << 28;
}
__kernel void loops(__global int *o, __global const int *a, int n, int m) {
    size_t i = get_global_id(0);
    int s = a[i], t = 1;
    for (int j = 0; j < n; j++) {
        for (int k = 0; k < (j & 3); k++) {
            int u = t;
            s = s * 3 + k;
            t = s ^ t;
            s = u + j;
        }
        if (m == j) s += 7;
        switch ((j + m) & 7) {
        case 0: t++;
        case 1: s -= t; break;
        case 2:
        case 5: s ^= 5 << (m & 7); break;
        case 6: t = rotate((uint)t, 7u); break;
        default: break;
        }
        if (j > m * 3) break;
    }
    o[i] = s + t * 31;
}
__kernel void matrix(__global float *c, __global const float *a, __global const float *b, int n) {
    int i = get_global_id(1), j = get_global_id(0);
    float s = 0;
    for (int k = 0; k < n; k++) s = fma(a[i * n + k], b[k * n + j], s);
    c[i * n + j] = s;
}
