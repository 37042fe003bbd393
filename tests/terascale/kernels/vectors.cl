// Vectors of floats.
kernel void vectors(global float4 *a, global const float4 *b, float scale, int3 shift) {
    int i = get_global_id(0) + get_global_id(1) * get_global_size(0);
    float4 x = a[i], y = b[i];
    float d = dot(x, y);
    x = mad(x, (float4)scale, y.wzyx) + d + (float4)(convert_float3(shift), 1.0f);
    a[i] = fmax(x, y) - fmin(x.yxwz, y) + floor(x) * trunc(y) + fabs(x - y);
}
