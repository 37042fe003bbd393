// SPDX-License-Identifier: MIT
// Atomics on global memory and LDS: 32 and 64 bits, integer and floating point, with and without result.
// Where the order of work-items shows in a result, only what does not depend on it is kept.
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable

#define ID size_t i = get_global_id(0)
#define RELAXED memory_order_relaxed, memory_scope_device
#define GROUP   memory_order_seq_cst, memory_scope_work_group

// Slot n of `p` takes operation n from every work-item.
#define ALL(p, x, SCOPE)                                                                           \
    __opencl_atomic_fetch_add(&p[0], x, SCOPE);                                                    \
    __opencl_atomic_fetch_sub(&p[1], x, SCOPE);                                                    \
    __opencl_atomic_fetch_and(&p[2], x | 0x5a, SCOPE);                                             \
    __opencl_atomic_fetch_or(&p[3], x, SCOPE);                                                     \
    __opencl_atomic_fetch_xor(&p[4], x, SCOPE);                                                    \
    __opencl_atomic_fetch_min(&p[5], x, SCOPE);                                                    \
    __opencl_atomic_fetch_max(&p[6], x, SCOPE);
#define INTEGER(T)                                                                                 \
    __kernel void global_##T(__global atomic_##T *p, __global const T *in) {                       \
        ID;                                                                                        \
        T x = in[i];                                                                               \
        ALL(p, x, RELAXED)                                                                         \
    }                                                                                              \
    __kernel void local_##T(__global T *out, __global const T *in) {                               \
        __local atomic_##T p[8];                                                                   \
        int l = get_local_id(0);                                                                   \
        if (l < 8) __opencl_atomic_init(&p[l], in[l]);                                             \
        barrier(CLK_LOCAL_MEM_FENCE);                                                              \
        T x = in[get_global_id(0)];                                                                \
        ALL(p, x, GROUP)                                                                           \
        barrier(CLK_LOCAL_MEM_FENCE);                                                              \
        if (l < 8) out[get_group_id(0) * 8 + l] = __opencl_atomic_load(&p[l], GROUP);              \
    }                                                                                              \
    /* Results are permutations of known values: their sum, and each one's own slot. */            \
    __kernel void result_##T(__global T *out, __global atomic_##T *p, __global const T *in) {      \
        ID;                                                                                        \
        T n = __opencl_atomic_fetch_add(&p[0], 1, RELAXED);                                        \
        out[n] = n * 3;                                                                            \
        __global atomic_##T *own = p + 8 + i;                                                      \
        T x = in[i], s = __opencl_atomic_fetch_add(own, x, RELAXED);                               \
        s = s * 3 + __opencl_atomic_fetch_sub(own, 5, RELAXED);                                    \
        s = s * 3 + __opencl_atomic_fetch_xor(own, x >> 3, RELAXED);                               \
        s = s * 3 + __opencl_atomic_fetch_and(own, ~(T)64, RELAXED);                               \
        s = s * 3 + __opencl_atomic_fetch_or(own, 6, RELAXED);                                     \
        s = s * 3 + __opencl_atomic_fetch_min(own, x, RELAXED);                                    \
        s = s * 3 + __opencl_atomic_fetch_max(own, 77, RELAXED);                                   \
        s = s * 3 + __opencl_atomic_exchange(own, x + 9, RELAXED);                                 \
        T e = i & 1 ? x + 9 : x + 8;                                                               \
        int won = __opencl_atomic_compare_exchange_strong(own, &e, (T)i, memory_order_seq_cst, RELAXED); \
        out[1024 + i] = s * 3 + e + won;                                                           \
    }                                                                                              \
    __kernel void local_result_##T(__global T *out, __global const T *in) {                        \
        __local atomic_##T q[256];                                                                 \
        int l = get_local_id(0);                                                                   \
        __local atomic_##T *own = q + (l ^ 5);                                                     \
        T x = in[get_global_id(0)];                                                                \
        __opencl_atomic_init(own, x);                                                              \
        T s = __opencl_atomic_fetch_add(own, x, GROUP);                                            \
        s = s * 3 + __opencl_atomic_fetch_sub(own, 5, GROUP);                                      \
        s = s * 3 + __opencl_atomic_fetch_xor(own, x >> 3, GROUP);                                 \
        s = s * 3 + __opencl_atomic_fetch_and(own, ~(T)64, GROUP);                                 \
        s = s * 3 + __opencl_atomic_fetch_or(own, 6, GROUP);                                       \
        s = s * 3 + __opencl_atomic_fetch_min(own, x, GROUP);                                      \
        s = s * 3 + __opencl_atomic_fetch_max(own, 77, GROUP);                                     \
        s = s * 3 + __opencl_atomic_exchange(own, x + 9, GROUP);                                   \
        T e = l & 1 ? x + 9 : x + 8;                                                               \
        int won = __opencl_atomic_compare_exchange_strong(own, &e, (T)l, memory_order_seq_cst, GROUP); \
        out[get_global_id(0)] = s * 3 + e + won + __opencl_atomic_load(own, GROUP);                \
    }
INTEGER(int)
INTEGER(uint)
INTEGER(long)
INTEGER(ulong)

// Small whole numbers, so that sums do not depend on the order.
#define REAL(T)                                                                                    \
    __kernel void global_##T(__global atomic_##T *p, __global T *out, __global const T *in) {      \
        ID;                                                                                        \
        T x = in[i];                                                                               \
        __opencl_atomic_fetch_add(&p[0], x, RELAXED);                                              \
        __opencl_atomic_fetch_sub(&p[1], x, RELAXED);                                              \
        __opencl_atomic_fetch_min(&p[2], x, RELAXED);                                              \
        __opencl_atomic_fetch_max(&p[3], x, RELAXED);                                              \
        __global atomic_##T *own = p + 8 + i;                                                      \
        T s = __opencl_atomic_fetch_add(own, x, RELAXED);                                          \
        s = s * 3 + __opencl_atomic_fetch_min(own, (T)4, RELAXED);                                 \
        s = s * 3 + __opencl_atomic_fetch_max(own, (T)-3, RELAXED);                                \
        s = s * 3 + __opencl_atomic_exchange(own, x, RELAXED);                                     \
        out[i] = s;                                                                                \
    }                                                                                              \
    __kernel void local_##T(__global T *out, __global const T *in) {                               \
        __local atomic_##T p[4], q[256];                                                           \
        int l = get_local_id(0);                                                                   \
        T x = in[get_global_id(0)];                                                                \
        if (l < 4) __opencl_atomic_init(&p[l], (T)l);                                              \
        __opencl_atomic_init(&q[l], (T)-l);                                                        \
        barrier(CLK_LOCAL_MEM_FENCE);                                                              \
        __opencl_atomic_fetch_add(&p[0], x, GROUP);                                                \
        __opencl_atomic_fetch_sub(&p[1], x, GROUP);                                                \
        __opencl_atomic_fetch_min(&p[2], x, GROUP);                                                \
        __opencl_atomic_fetch_max(&p[3], x, GROUP);                                                \
        T s = __opencl_atomic_fetch_add(&q[l], x, GROUP);                                          \
        s = s * 3 + __opencl_atomic_fetch_min(&q[l], (T)4, GROUP);                                 \
        s = s * 3 + __opencl_atomic_fetch_max(&q[l], (T)-3, GROUP);                                \
        barrier(CLK_LOCAL_MEM_FENCE);                                                              \
        out[get_global_id(0)] = s + (l < 4 ? __opencl_atomic_load(&p[l], GROUP) : (T)0);           \
    }
REAL(float)
REAL(double)

// A lock made of compare and exchange; the counter it guards is not atomic.
__kernel void lock(__global atomic_int *held, __global int *count) {
    if (get_local_id(0) == 0) {
        for (int done = 0; !done;) {
            int e = 0;
            if (__opencl_atomic_compare_exchange_strong(held, &e, 1, memory_order_acquire, RELAXED)) {
                *(volatile __global int *)count += 1;
                __opencl_atomic_store(held, 0, memory_order_release, memory_scope_device);
                done = 1;
            }
        }
    }
}
