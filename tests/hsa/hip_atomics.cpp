// SPDX-License-Identifier: MIT
// Atomics under HIP: each operation of each type at each scope, on device memory, LDS and memory of the host.
// A cell is shared as far as the scope reaches: one work-item, a wave, a group, the device, all devices and
// the host.
#include "check.h"

static const int GROUPS = 6, SIZE = 128, ITEMS = GROUPS * SIZE;

// What item t brings. Sums of all of them fit in 23 bits, so that floating-point sums are exact in any order.
template <typename T> __host__ __device__ T brought(int t) { return (T)(t * 37 % 101 + 1); }

enum { ADD, MIN, MAX, SWAP, COUNT, AND, OR, XOR, OPERATIONS };
template <typename T, bool BITS> struct Bits {
    template <int SCOPE> static __device__ void apply(T *, int, T) {}
};
template <typename T> struct Bits<T, true> {
    template <int SCOPE> static __device__ void apply(T *p, int cells, T v) {
        __hip_atomic_fetch_and(p + AND * cells, ~v, __ATOMIC_RELAXED, SCOPE);
        __hip_atomic_fetch_or(p + OR * cells, v, __ATOMIC_ACQ_REL, SCOPE);
        __hip_atomic_fetch_xor(p + XOR * cells, v, __ATOMIC_SEQ_CST, SCOPE);
    }
};
template <typename T, int SCOPE, bool BITS> __device__ void apply(T *p, int cells, T v, T *swapped) {
    __hip_atomic_fetch_add(p + ADD * cells, v, __ATOMIC_RELAXED, SCOPE);
    __hip_atomic_fetch_min(p + MIN * cells, v, __ATOMIC_ACQUIRE, SCOPE);
    __hip_atomic_fetch_max(p + MAX * cells, v, __ATOMIC_RELEASE, SCOPE);
    *swapped = __hip_atomic_exchange(p + SWAP * cells, v, __ATOMIC_ACQ_REL, SCOPE);
    T seen = __hip_atomic_load(p + COUNT * cells, __ATOMIC_RELAXED, SCOPE);
    while (!__hip_atomic_compare_exchange_weak(p + COUNT * cells, &seen, (T)(seen + 1), __ATOMIC_SEQ_CST,
                                               __ATOMIC_RELAXED, SCOPE)) {}
    Bits<T, BITS>::template apply<SCOPE>(p, cells, v);
}
template <int SCOPE> __host__ __device__ int cell_of(int t, int wave) {
    switch (SCOPE) {
    case __HIP_MEMORY_SCOPE_SINGLETHREAD: return t;
    case __HIP_MEMORY_SCOPE_WAVEFRONT: return t / wave;
    case __HIP_MEMORY_SCOPE_WORKGROUP: return t / SIZE;
    default: return 0;
    }
}
// Cells of operation k lie at k * cells.
template <typename T, int SCOPE, bool BITS> __global__ void in_memory(T *p, int cells, T *swapped) {
    const int t = blockIdx.x * SIZE + threadIdx.x;
    apply<T, SCOPE, BITS>(p + cell_of<SCOPE>(t, warpSize), cells, brought<T>(t), swapped + t);
}
template <typename T, bool BITS> __global__ void in_lds(T *p, T *swapped, const T *first) {
    __shared__ T own[OPERATIONS];
    if (threadIdx.x < OPERATIONS) own[threadIdx.x] = first[threadIdx.x];
    __syncthreads();
    const int t = blockIdx.x * SIZE + threadIdx.x;
    apply<T, __HIP_MEMORY_SCOPE_WORKGROUP, BITS>(own, 1, brought<T>(t), swapped + t);
    __syncthreads();
    if (threadIdx.x < OPERATIONS) p[threadIdx.x * GROUPS + blockIdx.x] = own[threadIdx.x];
}

template <typename T> struct Start {
    T v[OPERATIONS];
    Start() : v{0, (T)1000, 0, (T)5000, 0, (T) ~(T)0, 0, 0} {}
};
template <> Start<float>::Start() : v{0, 1000, 0, 5000, 0, 0, 0, 0} {}
template <> Start<double>::Start() : v{0, 1000, 0, 5000, 0, 0, 0, 0} {}

template <typename T, bool BITS> struct Integer {
    static bool right(const T *, int, const T &, const T &, const T &) { return true; }
};
template <typename T> struct Integer<T, true> {
    static bool right(const T *got, int cells, const T &a, const T &o, const T &x) {
        return got[AND * cells] == a && got[OR * cells] == o && got[XOR * cells] == x;
    }
};
// The cells hold what their items make of the start, in whatever order; what was swapped out and what is left
// are what was there and what was brought.
template <typename T, int SCOPE, bool BITS>
static bool right(const T *got, int cells, const T *swapped, int wave) {
    const Start<T> start;
    for (int c = 0; c < cells; c++) {
        T sum = 0, least = start.v[MIN], most = 0, bits_and = start.v[AND], bits_or = 0, bits_xor = 0,
          items = 0;
        double in = (double)start.v[SWAP], out = (double)got[SWAP * cells + c];
        for (int t = 0; t < ITEMS; t++) {
            if (cell_of<SCOPE>(t, wave) != c) continue;
            const T v = brought<T>(t);
            sum += v, items += 1;
            if (v < least) least = v;
            if (v > most) most = v;
            const long long i = (long long)v;
            if (BITS) {
                bits_and = (T)((long long)bits_and & ~i);
                bits_or = (T)((long long)bits_or | i);
                bits_xor = (T)((long long)bits_xor ^ i);
            }
            in += (double)v, out += (double)swapped[t];
        }
        if (got[ADD * cells + c] != sum || got[MIN * cells + c] != least || got[MAX * cells + c] != most ||
            got[COUNT * cells + c] != items || in != out ||
            !Integer<T, BITS>::right(got + c, cells, bits_and, bits_or, bits_xor)) {
            printf("cell %d of %d at scope %d, type of %zu bytes\n", c, cells, SCOPE, sizeof(T));
            return false;
        }
    }
    return true;
}

template <typename T, int SCOPE, bool BITS> static bool scope(bool of_host) {
    const Start<T> start;
    int wave;
    T *p, *swapped;
    if (hipDeviceGetAttribute(&wave, hipDeviceAttributeWarpSize, 0) != hipSuccess) return false;
    const int cells = cell_of<SCOPE>(ITEMS - 1, wave) + 1;
    if ((of_host ? hipHostMalloc((void **)&p, OPERATIONS * cells * sizeof(T), hipHostMallocCoherent)
                 : hipMalloc((void **)&p, OPERATIONS * cells * sizeof(T))) != hipSuccess ||
        hipMalloc((void **)&swapped, ITEMS * sizeof(T)) != hipSuccess)
        return false;
    std::vector<T> cell(OPERATIONS * cells), old(ITEMS);
    for (int i = 0; i < OPERATIONS * cells; i++) cell[i] = start.v[i / cells];
    if (hipMemcpy(p, cell.data(), cell.size() * sizeof(T), hipMemcpyDefault) != hipSuccess) return false;
    in_memory<T, SCOPE, BITS><<<GROUPS, SIZE>>>(p, cells, swapped);
    if (hipMemcpy(cell.data(), p, cell.size() * sizeof(T), hipMemcpyDefault) != hipSuccess ||
        hipMemcpy(old.data(), swapped, ITEMS * sizeof(T), hipMemcpyDeviceToHost) != hipSuccess)
        return false;
    const bool is = right<T, SCOPE, BITS>(cell.data(), cells, old.data(), wave);
    return hipFree(swapped) == hipSuccess && (of_host ? hipHostFree(p) : hipFree(p)) == hipSuccess && is;
}
template <typename T, bool BITS> static bool lds() {
    const Start<T> start;
    T *p, *swapped, *first;
    if (hipMalloc((void **)&p, OPERATIONS * GROUPS * sizeof(T)) != hipSuccess ||
        hipMalloc((void **)&swapped, ITEMS * sizeof(T)) != hipSuccess ||
        hipMalloc((void **)&first, sizeof start.v) != hipSuccess ||
        hipMemcpy(first, start.v, sizeof start.v, hipMemcpyHostToDevice) != hipSuccess)
        return false;
    in_lds<T, BITS><<<GROUPS, SIZE>>>(p, swapped, first);
    std::vector<T> cell(OPERATIONS * GROUPS), old(ITEMS);
    if (hipMemcpy(cell.data(), p, cell.size() * sizeof(T), hipMemcpyDeviceToHost) != hipSuccess ||
        hipMemcpy(old.data(), swapped, ITEMS * sizeof(T), hipMemcpyDeviceToHost) != hipSuccess)
        return false;
    const bool is = right<T, __HIP_MEMORY_SCOPE_WORKGROUP, BITS>(cell.data(), GROUPS, old.data(), 64);
    return hipFree(p) == hipSuccess && hipFree(swapped) == hipSuccess && hipFree(first) == hipSuccess && is;
}
template <typename T, bool BITS> static void type() {
    bool first = true, second = false;
    for (bool of_host : {first, second}) {
        EXPECT(scope<T, __HIP_MEMORY_SCOPE_SINGLETHREAD, BITS>(of_host));
        EXPECT(scope<T, __HIP_MEMORY_SCOPE_WAVEFRONT, BITS>(of_host));
        EXPECT(scope<T, __HIP_MEMORY_SCOPE_WORKGROUP, BITS>(of_host));
        EXPECT(scope<T, __HIP_MEMORY_SCOPE_AGENT, BITS>(of_host));
        EXPECT(scope<T, __HIP_MEMORY_SCOPE_SYSTEM, BITS>(of_host));
    }
    EXPECT((lds<T, BITS>()));
}
static void atomics_int() { type<int, true>(); }
static void atomics_unsigned() { type<unsigned, true>(); }
static void atomics_long() { type<long long, true>(); }
static void atomics_unsigned_long() { type<unsigned long long, true>(); }
static void atomics_float() { type<float, false>(); }
static void atomics_double() { type<double, false>(); }

// The functions of HIP, of all their types: what each returns is what was there before.
__device__ unsigned cells32[16];
__device__ unsigned long long cells64[16];
__device__ float cells_f[4];
__device__ double cells_d[4];
__global__ void functions(unsigned *ticket, unsigned *wrong) {
    const unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
    ticket[atomicAdd(&cells32[0], 1u)] = 1;
    ticket[ITEMS + atomicInc(&cells32[1], ITEMS - 1)] = 1; // all of 0 to ITEMS - 1, then 0 again
    ticket[2 * ITEMS + atomicDec(&cells32[2], ITEMS - 1)] = 1;
    ticket[3 * ITEMS + atomicAdd(&cells64[0], 1ull)] = 1;
    atomicSub(&cells32[3], t);
    atomicSub((int *)&cells32[4], (int)t);
    atomicAnd(&cells64[1], ~(1ull << (t & 63)));
    atomicOr(&cells64[2], 1ull << (t & 63));
    atomicXor(&cells64[3], 1ull << (t & 63));
    atomicMin(&cells64[4], (unsigned long long)t << 33);
    atomicMax(&cells64[5], (unsigned long long)t << 33);
    atomicExch(&cells64[6], 77ull);
    atomicCAS(&cells64[7], 0ull, (unsigned long long)t + 1);
    atomicAdd_system(&cells32[5], 2u);
    atomicCAS_system(&cells32[6], 0u, t + 1);
    atomicExch(&cells_f[0], 1.5f);
    ticket[4 * ITEMS + (int)atomicAdd(&cells_f[1], 1.0f)] = 1;
    ticket[5 * ITEMS + (int)atomicAdd(&cells_d[0], 1.0)] = 1;
    atomicAdd_system(&cells_f[2], 0.5f);
    atomicAdd_system(&cells_d[1], 0.25);
#ifdef __OPTIMIZE__ // else LLVM 15 selects no instruction for it
    atomicAddNoRet(&cells_f[3], 2.0f);
#else
    atomicAdd(&cells_f[3], 2.0f);
#endif
    if (__hip_atomic_load(&cells_f[0], __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT) != 1.5f) *wrong = 1;
}
static void atomic_functions() {
    unsigned *ticket, *wrong_ones, got[16], out[6 * ITEMS + 1];
    unsigned long long wide[16];
    float f[4];
    double d[4];
    CALL(hipMalloc(&ticket, sizeof out));
    CALL(hipMemset(ticket, 0, sizeof out));
    wrong_ones = ticket + 6 * ITEMS;
    memset(got, 0, sizeof got), memset(wide, 0, sizeof wide), memset(f, 0, sizeof f), memset(d, 0, sizeof d);
    wide[1] = wide[4] = ~0ull;
    CALL(hipMemcpyToSymbol(HIP_SYMBOL(cells32), got, sizeof got));
    CALL(hipMemcpyToSymbol(HIP_SYMBOL(cells64), wide, sizeof wide));
    CALL(hipMemcpyToSymbol(HIP_SYMBOL(cells_f), f, sizeof f));
    CALL(hipMemcpyToSymbol(HIP_SYMBOL(cells_d), d, sizeof d));
    functions<<<GROUPS, SIZE>>>(ticket, wrong_ones);
    CALL(hipMemcpy(out, ticket, sizeof out, hipMemcpyDeviceToHost));
    CALL(hipMemcpyFromSymbol(got, HIP_SYMBOL(cells32), sizeof got));
    CALL(hipMemcpyFromSymbol(wide, HIP_SYMBOL(cells64), sizeof wide));
    CALL(hipMemcpyFromSymbol(f, HIP_SYMBOL(cells_f), sizeof f));
    CALL(hipMemcpyFromSymbol(d, HIP_SYMBOL(cells_d), sizeof d));
    for (int i = 0; i < 6 * ITEMS; i++) EXPECT(out[i] == 1);
    EXPECT(out[6 * ITEMS] == 0);
    const unsigned sum = ITEMS * (ITEMS - 1) / 2;
    EXPECT(got[0] == ITEMS && got[1] == 0 && got[2] == 0 && got[3] == -sum && got[4] == -sum &&
           got[5] == 2 * ITEMS);
    EXPECT(got[6] >= 1 && got[6] <= ITEMS);
    EXPECT(wide[0] == ITEMS && wide[1] == 0 && wide[2] == ~0ull && wide[3] == 0 && wide[4] == 0 &&
           wide[5] == (unsigned long long)(ITEMS - 1) << 33 && wide[6] == 77 && wide[7] >= 1 &&
           wide[7] <= ITEMS);
    EXPECT(f[0] == 1.5f && f[1] == ITEMS && f[2] == ITEMS * 0.5f && f[3] == ITEMS * 2.0f);
    EXPECT(d[0] == ITEMS && d[1] == ITEMS * 0.25);
    CALL(hipFree(ticket));
}

// The host and a kernel take turns by atomics of the system on the same words.
__global__ void turns(unsigned *ball, int rounds) {
    for (int r = 0; r < rounds; r++) {
        while (__hip_atomic_load(ball, __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_SYSTEM) != 2u * r + 1) {}
        ball[1] = ball[1] * 3 + 1;
        __hip_atomic_store(ball, 2u * r + 2, __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_SYSTEM);
    }
}
static void atomics_of_host_and_kernel() {
    unsigned *ball, want = 1;
    const int rounds = 50;
    CALL(hipHostMalloc((void **)&ball, 64, hipHostMallocCoherent));
    ball[0] = 0, ball[1] = 1;
    turns<<<1, 1>>>(ball, rounds);
    for (int r = 0; r < rounds; r++) {
        ball[1] = ball[1] * 5 + 2;
        __atomic_store_n(ball, 2u * r + 1, __ATOMIC_RELEASE);
        while (__atomic_load_n(ball, __ATOMIC_ACQUIRE) != 2u * r + 2) {}
        want = (want * 5 + 2) * 3 + 1;
    }
    CALL(hipDeviceSynchronize());
    EXPECT(ball[1] == want);
    CALL(hipHostFree(ball));
}

int main(int argc, char **argv) {
    arguments = argc, names = argv;
    CASE(atomics_int);
    CASE(atomics_unsigned);
    CASE(atomics_long);
    CASE(atomics_unsigned_long);
    CASE(atomics_float);
    CASE(atomics_double);
    CASE(atomic_functions);
    CASE(atomics_of_host_and_kernel);
    return wrong;
}
