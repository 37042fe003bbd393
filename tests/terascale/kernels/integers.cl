// Integer operations that the machine has, and divisions that it has not.
kernel void integers(global int *out, global const int *a, global const int *b) {
    int i = get_global_id(0);
    int x = a[i], y = b[i];
    uint u = (uint)x, v = (uint)y | 1;
    int d = (y | 1) == -1 ? 3 : y | 1; // no overflow
    int s = x / d + x % d;
    uint r = u / v ^ u % v;
    r += popcount(u) + clz(u) + mul_hi(u, v) + rotate(u, v & 31u) + (uint)mul_hi(x, y);
    r ^= (u >> 3 & 0x1f) + max(x, y) - min(u, v) + (u << (v & 31)) + (uint)(x >> (y & 31));
    out[i] = s ^ (int)r;
}
