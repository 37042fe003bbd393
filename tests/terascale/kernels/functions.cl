// Functions that are approximated.
kernel void functions(global float *out, global const float *in) {
    int i = get_global_id(0);
    float x = in[i];
    out[8 * i] = native_sin(x);
    out[8 * i + 1] = native_cos(x);
    out[8 * i + 2] = native_exp(x);
    out[8 * i + 3] = native_log2(fabs(x) + 1.0f);
    out[8 * i + 4] = native_recip(x + 20.0f);
    out[8 * i + 5] = native_rsqrt(fabs(x) + 1.0f);
    out[8 * i + 6] = x / (fabs(x) + 3.0f);
    out[8 * i + 7] = sqrt(fabs(x));
}
