// Branches and loops within each other, whose lanes part and meet.
kernel void control(global int *out, global const int *in) {
    int i = get_global_id(0), x = in[i], sum = 0;
    for (int a = 0; a < (x & 15); a++) {
        if ((x >> a & 3) == 0) {
            for (int b = 0; b < 5; b++) {
                if (b == (x & 3)) continue;
                if (sum > 200) break;
                sum += b * a + 1;
            }
        } else if ((x >> a & 3) == 1) {
            int c = x & 7;
            while (c-- > 0) {
                if ((c ^ a) == 3) break;
                sum ^= c << 1;
                if (c & 1) continue;
                sum += 3;
            }
        } else if (sum & 1)
            break;
        else
            sum += a * 7;
    }
    switch (x & 7) {
    case 0: sum += 1; break;
    case 1: sum += 2; /* falls through */
    case 2: sum ^= 0x55; break;
    case 5: if (x > 0) { out[i] = -sum; return; } break;
    default: sum *= 3;
    }
    out[i] = sum;
}
