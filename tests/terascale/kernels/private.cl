// An array of one's own with an index that is only known later. A store with such an index is something llc gets wrong
// (ERR-36).
kernel void private_array(global int *out, global const int *in) {
    int i = get_global_id(0), values[8];
    for (int k = 0; k < 8; k++) values[k] = in[i] * (k + 1) + k;
    out[i] = values[in[i] >> 3 & 7] + values[(in[i] + 1) & 7];
}
