// Atomics of global memory. llc passes the byte address where the index of a dword belongs (ERR-36).
#ifdef __R600__
#define AT(p) ((volatile global int *)((uint)(p) >> 2))
#else
#define AT(p) ((volatile global int *)(p))
#define atomic_add(p, v) __sync_fetch_and_add(p, v)
#define atomic_sub(p, v) __sync_fetch_and_sub(p, v)
#define atomic_and(p, v) __sync_fetch_and_and(p, v)
#define atomic_or(p, v) __sync_fetch_and_or(p, v)
#define atomic_xor(p, v) __sync_fetch_and_xor(p, v)
#define atomic_min(p, v) __sync_fetch_and_min(p, v)
#define atomic_max(p, v) __sync_fetch_and_max(p, v)
#endif
kernel void atomics(global int *out, global const int *in) {
    int i = get_global_id(0), v = in[i], at = 16 * (i & 7);
    atomic_add(AT(out + at), v);
    atomic_sub(AT(out + at + 1), v);
    atomic_and(AT(out + at + 2), v | 0xffff);
    atomic_or(AT(out + at + 3), v & 0x1111);
    atomic_xor(AT(out + at + 4), v);
    atomic_min(AT(out + at + 5), v);
    atomic_max(AT(out + at + 6), v);
}
