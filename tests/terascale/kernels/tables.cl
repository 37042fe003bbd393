// A table among the code, and y = a x + y below a bound.
constant int table[16] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, -3};
constant uchar letters[5] = {200, 7, 40, 255, 1};
kernel void saxpy(global float *y, global const float *x, float a, int n) {
    int i = get_global_id(0);
    if (i < n) y[i] = a * x[i] + y[i];
}
kernel void tables(global int *out, global const int *in) {
    int i = get_global_id(0), v = in[i];
    out[i] = table[v & 15] * 1000 + table[(v >> 4 & 7) + 3] - letters[(uint)v % 5u];
}
