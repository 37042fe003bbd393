// A reduction in LDS with barriers, and atomics there.
kernel void local_sum(global int *out, global const int *in, local int *part, local int *most) {
    int l = get_local_id(0), size = get_local_size(0);
    part[l] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int span = size / 2; span > 0; span /= 2) {
        if (l < span) part[l] += part[l + span];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0) *most = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_add(most, in[get_global_id(0)] & 0xff);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 0) out[2 * get_group_id(0)] = part[0];
    if (l == 1) out[2 * get_group_id(0) + 1] = *most;
}
