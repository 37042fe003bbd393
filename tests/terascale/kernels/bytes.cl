// Byte and short loads and stores, which write with a mask.
constant int table[8] = {3, 1, 4, 1, 5, 9, 2, 6};
kernel void bytes(global uchar4 *p, global short *q, char c, short s) {
    int i = get_global_id(0);
    uchar4 x = p[i];
    p[i] = x * (uchar4)3 + (uchar4)(uchar)c;
    q[i] = (short)(q[i] * s + table[x.x & 7]);
}
