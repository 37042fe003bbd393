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
        for (int i = 0; i < 128; i++) out[2 + i] = implicit[i];
    }
}

// Every work-item has its own bytes of scratch, the work-group its LDS, both also through flat addresses; there the
// pointers to byte 0 of either are no null pointers, and those of all ones are.
#if defined(__gfx600__) || defined(__gfx601__) || defined(__gfx602__) // which have no flat addresses
#define FLAT(space) volatile space uint *
#define READ(space, p) (*(FLAT(space))(p))
#else
#define FLAT(space) volatile uint *
#define READ(space, p) read_flat((FLAT(space))(p))
static uint read_flat(volatile uint *p) {
    __asm volatile("" : "+v"(p)); // the compiler shall not know what it points to
    return *p;
}
#endif
__kernel void segments(__global uint *out, uint zero, uint ones) {
    __local uint shared[64];
    volatile uint own[8];
    const uint lane = __builtin_amdgcn_workitem_id_x();
    for (uint i = 0; i < 32; i++) ((volatile __private uchar *)own)[(i + lane) & 31] = (uchar)(lane * 5 + ((i + lane) & 31));
    shared[lane & 63] = 1000 + lane;
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
    __builtin_amdgcn_s_barrier();
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
    volatile __private uint *first = (volatile __private uint *)zero;
    const uint before = *first;
    *first = 77 + lane;
    const uint through = READ(__private, first);
    *first = before;
    uint right = 0;
    for (uint i = 0; i < 8; i++) {
        const uint at = lane * 5 + 4 * i, value = (at & 255) | (at + 1 & 255) << 8 | (at + 2 & 255) << 16 | (at + 3 & 255) << 24;
        right += own[i] == value && READ(__private, &own[i]) == value;
    }
    out[lane * 8] = through;
    out[lane * 8 + 1] = (FLAT(__private))(__private uint *)zero != 0;
    out[lane * 8 + 2] = (FLAT(__private))(__private uint *)ones == 0;
    out[lane * 8 + 3] = (FLAT(__local))(__local uint *)zero != 0;
    out[lane * 8 + 4] = (FLAT(__local))(__local uint *)ones == 0;
    out[lane * 8 + 5] = right;
    out[lane * 8 + 6] = READ(__local, &shared[lane ^ 1]);
    out[lane * 8 + 7] = READ(__local, (__local uint *)zero) == shared[0];
}
