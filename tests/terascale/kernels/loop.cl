// A loop with continue and break, below a bound.
kernel void loop(global float *a, global const int *b, int n) {
    int i = get_global_id(0);
    if (i >= n) return;
    float sum = a[i];
    for (int k = 0; k < b[i]; k++) {
        if (k % 7 == 3) continue;
        if (sum > 300.0f) break;
        sum += (float)(k * k) * 0.25f;
    }
    a[i] = sum;
}
