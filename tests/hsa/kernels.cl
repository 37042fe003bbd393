// Kernels of the plain HSA tests, built by clang for each processor. Signals and queues are the interface's
// structs, which kernels reach by their addresses.
__kernel void vector_copy(__global const int *from, __global int *to, int n) {
    size_t i = __builtin_amdgcn_workgroup_id_x() * 64 + __builtin_amdgcn_workitem_id_x();
    if (i < n) to[i] = from[i];
}
// Stores to the value of a signal, first plainly, as any code may.
__kernel void store_signal(__global long *signal, long value) {
    if (__builtin_amdgcn_workitem_id_x() == 0) {
        __builtin_amdgcn_fence(__ATOMIC_RELEASE, "");
        __opencl_atomic_store((__global atomic_long *)&signal[1], value, memory_order_release, memory_scope_all_svm_devices);
    }
}
// Stores to the signal, then runs until the flag is set: whoever waits is woken while it runs.
__kernel void store_and_stay(__global long *signal, long value, __global volatile int *flag) {
    if (__builtin_amdgcn_workitem_id_x() == 0) {
        __opencl_atomic_fetch_add((__global atomic_long *)&signal[1], value, memory_order_acq_rel, memory_scope_all_svm_devices);
        while (!*flag) __builtin_amdgcn_s_sleep(1);
    }
}
__kernel void spin(__global volatile int *flag) {
    while (!*flag) {}
}
__kernel void store(__global int *p, int value) { *p = value; }
__kernel void trap(__global int *p) {
    if (*p) __builtin_trap();
}
__attribute__((visibility("protected"))) __global int table[4] = {1, 2, 3, 4};
__kernel void use_table(__global int *out) { out[__builtin_amdgcn_workitem_id_x() & 3] = table[__builtin_amdgcn_workitem_id_x() & 3]; }

// Notes where each group runs, and how many have been in flight at once, of which it waits for so many.
#if defined(__GFX10__) || defined(__GFX11__) || defined(__GFX12__)
#define HW_ID (23 | 31 << 11)
#else
#define HW_ID (4 | 31 << 11)
#endif
#if defined(__gfx942__) || defined(__gfx950__)
#define XCC_ID __builtin_amdgcn_s_getreg(20 | 3 << 11)
#else
#define XCC_ID 0
#endif
__kernel void meet(__global int *now, __global int *most, int wanted, __global int *place) {
    if (__builtin_amdgcn_workitem_id_x() == 0) {
        int n = 1 + __opencl_atomic_fetch_add((__global atomic_int *)now, 1, memory_order_relaxed, memory_scope_device);
        __opencl_atomic_fetch_max((__global atomic_int *)most, n, memory_order_relaxed, memory_scope_device);
        while (__opencl_atomic_load((__global atomic_int *)most, memory_order_relaxed, memory_scope_device) < wanted)
            __builtin_amdgcn_s_sleep(1);
        place[__builtin_amdgcn_workgroup_id_x()] = __builtin_amdgcn_s_getreg(HW_ID) | XCC_ID << 28;
        __opencl_atomic_fetch_sub((__global atomic_int *)now, 1, memory_order_relaxed, memory_scope_device);
    }
}

// The trap of this number, then a store that tells that the wave went on.
#define TRAP(n)                                                                                              \
    case n: __asm volatile("s_trap " #n); break;
__kernel void trap_number(__global int *p, int number) {
    switch (number) {
        TRAP(0) TRAP(1) TRAP(3) TRAP(4) TRAP(5) TRAP(6) TRAP(7) TRAP(8) TRAP(254) TRAP(255)
    }
    *p = 1;
}
// What the packet says, and what the client says in hidden arguments (V5).
__kernel void sizes(__global unsigned *out) {
    const __constant unsigned *packet = (const __constant unsigned *)__builtin_amdgcn_dispatch_ptr();
    const __constant unsigned short *implicit = (const __constant unsigned short *)__builtin_amdgcn_implicitarg_ptr();
    if (__builtin_amdgcn_workitem_id_x() == 0) {
        out[0] = packet[3];
        out[1] = packet[1] & 0xffff;
        for (int i = 0; i < 12; i++) out[2 + i] = implicit[i];
        out[14] = implicit[32];
    }
}
