// Vectors of floats, in two dimensions.
kernel void vectors(global float4 *a, global const float4 *b, float scale, int shift) {
    int i = get_global_id(0) + get_global_id(1) * get_global_size(0);
    float4 x = a[i], y = b[i];
    float d = x.x * y.x + x.y * y.y + x.z * y.z + x.w * y.w;
    x = x * scale + y.wzyx + d + (float4)(float)shift;
    a[i] = (float4)(fmax(x.x, y.x), fmin(x.y, y.y), fmax(x.z, y.w), x.w) + (float4)(floor(x.x), trunc(x.y), ceil(x.z), rint(x.w)) * y + fabs(x.z - y.x);
}
