// SPDX-License-Identifier: MIT
// What kernels may do under HIP: shared memory, shuffles and votes, atomics, calls through pointers,
// templates and lambdas, clocks, inline assembly, occupancy, waves that look back at other groups.
#include "check.h"

#if defined(__GFX11__) || defined(__GFX12__)
#define REAL_TIME() __builtin_amdgcn_s_sendmsg_rtnl(0x83)
#else
#define REAL_TIME() __builtin_amdgcn_s_memrealtime()
#endif

#include <hip/hip_cooperative_groups.h>

template <typename T> struct Buffer {
    T *p;
    explicit Buffer(size_t n) : p(nullptr) {
        if (hipMalloc((void **)&p, n * sizeof(T)) != hipSuccess ||
            hipMemset(p, 0, n * sizeof(T)) != hipSuccess)
            p = nullptr;
    }
    ~Buffer() { (void)hipFree(p); }
    std::vector<T> read(size_t n) {
        std::vector<T> v(n);
        if (hipMemcpy(v.data(), p, n * sizeof(T), hipMemcpyDeviceToHost) != hipSuccess) v.clear();
        return v;
    }
};

__global__ void reverse(int *p) {
    extern __shared__ int line[];
    line[threadIdx.x] = p[blockIdx.x * blockDim.x + threadIdx.x];
    __syncthreads();
    p[blockIdx.x * blockDim.x + threadIdx.x] = line[blockDim.x - 1 - threadIdx.x];
}
static void shared_memory() {
    const int n = 256 * 16;
    Buffer<int> b(n);
    std::vector<int> a(n);
    for (int i = 0; i < n; i++) a[i] = i;
    CALL(hipMemcpy(b.p, a.data(), n * 4, hipMemcpyHostToDevice));
    reverse<<<16, 256, 256 * 4>>>(b.p);
    a = b.read(n);
    for (int i = 0; i < n; i++) EXPECT(a[i] == i / 256 * 256 + 255 - i % 256);
}

__global__ void lanes(int *out) {
    const int i = threadIdx.x;
    int sum = i;
    for (int step = warpSize / 2; step; step /= 2) sum += __shfl_xor(sum, step);
    out[i] = sum;
    out[64 + i] = __shfl_up(i, 1) + 1000 * __shfl_down(i, 2);
    out[128 + i] = __any(i == 5) + 2 * __all(i >= 0) + 4 * (__popcll(__ballot(i & 1)) == warpSize / 2);
}
static void shuffles_and_votes() {
    int size;
    CALL(hipDeviceGetAttribute(&size, hipDeviceAttributeWarpSize, 0));
    Buffer<int> b(192);
    lanes<<<1, size>>>(b.p);
    std::vector<int> v = b.read(192);
    for (int i = 0; i < size; i++) {
        EXPECT(v[i] == size * (size - 1) / 2);
        EXPECT(v[64 + i] == (i ? i - 1 : 0) + 1000 * (i + 2 < size ? i + 2 : i));
        EXPECT(v[128 + i] == 7);
    }
}

__global__ void atomics(int *i, unsigned *u, unsigned long long *l, float *f, double *d) {
    const int t = blockIdx.x * blockDim.x + threadIdx.x;
    atomicAdd(&i[0], 1);
    atomicMin(&i[1], -t);
    atomicMax(&i[2], t);
    atomicXor(&i[3], t);
    atomicOr(&u[0], 1u << (t & 31));
    atomicAnd(&u[1], ~(1u << (t & 7)));
    atomicInc(&u[2], 99);
    atomicAdd(&l[0], 1ull << 32);
    atomicAdd(&f[0], 1.0f);
    atomicAdd(&d[0], 0.5);
    __hip_atomic_fetch_add(&i[4], 2, __ATOMIC_SEQ_CST, __HIP_MEMORY_SCOPE_SYSTEM);
    __hip_atomic_fetch_add(&i[5], 3, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
    int old = i[6], seen;
    do {
        seen = old;
        old = atomicCAS(&i[6], seen, seen + 1);
    } while (old != seen);
}
static void every_atomic() {
    const int n = 64 * 100;
    Buffer<int> i(8);
    Buffer<unsigned> u(4);
    Buffer<unsigned long long> l(1);
    Buffer<float> f(1);
    Buffer<double> d(1);
    CALL(hipMemset(u.p + 1, 0xff, 4));
    atomics<<<100, 64>>>(i.p, u.p, l.p, f.p, d.p);
    CALL(hipDeviceSynchronize());
    std::vector<int> v = i.read(8);
    int x = 0;
    for (int t = 0; t < n; t++) x ^= t;
    EXPECT(v[0] == n && v[1] == 1 - n && v[2] == n - 1 && v[3] == x);
    EXPECT(v[4] == 2 * n && v[5] == 3 * n && v[6] == n);
    EXPECT(u.read(4)[0] == 0xffffffff && u.read(4)[1] == 0xffffff00 && u.read(4)[2] == n % 100);
    EXPECT(l.read(1)[0] == (unsigned long long)n << 32 && f.read(1)[0] == n && d.read(1)[0] == n * 0.5);
}

struct Shape {
    __device__ virtual int area() const = 0;
    __device__ virtual ~Shape() {}
};
struct Square : Shape {
    int a;
    __device__ explicit Square(int a) : a(a) {}
    __device__ int area() const override { return a * a; }
};
struct Box : Shape {
    int a, b;
    __device__ Box(int a, int b) : a(a), b(b) {}
    __device__ int area() const override { return a * b; }
};
__global__ void virtual_calls(int *out) {
    Square s(threadIdx.x);
    Box b(threadIdx.x, 3);
    const Shape *shapes[2] = {&s, &b};
    out[threadIdx.x] = shapes[threadIdx.x & 1]->area();
}
__device__ int twice(int x) { return 2 * x; }
__device__ int square(int x) { return x * x; }
__device__ int (*const functions[2])(int) = {twice, square};
__global__ void pointer_calls(int *out) { out[threadIdx.x] = functions[threadIdx.x & 1](threadIdx.x); }
__device__ int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
__global__ void recursion(int *out) { out[threadIdx.x] = fibonacci(threadIdx.x); }
static void calls() {
    Buffer<int> b(64);
    virtual_calls<<<1, 64>>>(b.p);
    std::vector<int> v = b.read(64);
    for (int i = 0; i < 64; i++) EXPECT(v[i] == (i & 1 ? i * 3 : i * i));
    pointer_calls<<<1, 64>>>(b.p);
    v = b.read(64);
    for (int i = 0; i < 64; i++) EXPECT(v[i] == (i & 1 ? i * i : 2 * i));
    recursion<<<1, 12>>>(b.p);
    v = b.read(12);
    EXPECT(v[11] == 89 && v[10] == 55);
}

template <typename F> __global__ void apply(F f, int *out) { out[threadIdx.x] = f(threadIdx.x); }
static void lambdas() {
    Buffer<int> b(64);
    const int k = 11;
    apply<<<1, 64>>>([=] __device__(int i) { return i * k; }, b.p);
    std::vector<int> v = b.read(64);
    for (int i = 0; i < 64; i++) EXPECT(v[i] == i * 11);
}

__global__ void clocks(long long *out) {
    const long long a = clock64();
    const unsigned long long b = REAL_TIME();
    for (int i = 0; i < 100; i++) __builtin_amdgcn_s_sleep(1);
    out[0] = clock64() - a;
    out[1] = (long long)(REAL_TIME() - b);
}
__global__ void assembly(int *out) {
    int x = threadIdx.x, y;
    asm volatile("v_lshlrev_b32 %0, 1, %1" : "=v"(y) : "v"(x));
    out[threadIdx.x] = y;
}
static void clocks_and_assembly() {
    Buffer<long long> c(2);
    clocks<<<1, 1>>>(c.p);
    std::vector<long long> v = c.read(2);
    EXPECT(v[0] > 0 && v[1] >= 0);
    Buffer<int> b(64);
    assembly<<<1, 64>>>(b.p);
    std::vector<int> w = b.read(64);
    for (int i = 0; i < 64; i++) EXPECT(w[i] == 2 * i);
}

static void occupancy() {
    int groups = 0, smallest = 0, block = 0;
    CALL(hipOccupancyMaxActiveBlocksPerMultiprocessor(&groups, (const void *)reverse, 256, 1024));
    EXPECT(groups > 0);
    CALL(hipOccupancyMaxPotentialBlockSize(&smallest, &block, (const void *)reverse, 0, 0));
    EXPECT(smallest > 0 && block > 0 && block <= 1024);
}

// A sum over all groups, each of which waits for the one before it.
__global__ void look_back(const int *in, int *sums, int *state) {
    __shared__ int own[256], before;
    own[threadIdx.x] = in[blockIdx.x * 256 + threadIdx.x];
    __syncthreads();
    for (int step = 128; step; step /= 2) {
        if (threadIdx.x < step) own[threadIdx.x] += own[threadIdx.x + step];
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        if (blockIdx.x)
            while (!__hip_atomic_load(&state[blockIdx.x - 1], __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_AGENT)) {}
        before = blockIdx.x ? sums[blockIdx.x - 1] : 0;
        sums[blockIdx.x] = before + own[0];
        __hip_atomic_store(&state[blockIdx.x], 1, __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_AGENT);
    }
}
static void groups_that_wait() {
    const int groups = 500, n = groups * 256;
    Buffer<int> in(n), sums(groups), state(groups);
    std::vector<int> a(n);
    for (int i = 0; i < n; i++) a[i] = i % 7;
    CALL(hipMemcpy(in.p, a.data(), n * 4, hipMemcpyHostToDevice));
    look_back<<<groups, 256>>>(in.p, sums.p, state.p);
    std::vector<int> v = sums.read(groups);
    long sum = 0;
    for (int g = 0; g < groups; g++) {
        for (int i = 0; i < 256; i++) sum += a[g * 256 + i];
        EXPECT(v[g] == sum);
    }
}

namespace cg = cooperative_groups;
__global__ void tiles(int *out) {
    cg::thread_block_tile<16> tile = cg::tiled_partition<16>(cg::this_thread_block());
    int sum = threadIdx.x;
    for (int step = 8; step; step /= 2) sum += tile.shfl_down(sum, step);
    if (tile.thread_rank() == 0) out[threadIdx.x / 16] = sum;
}
static void tiles_of_groups() {
    Buffer<int> b(16);
    tiles<<<1, 256>>>(b.p);
    std::vector<int> v = b.read(16);
    for (int i = 0; i < 16; i++) EXPECT(v[i] == 16 * 16 * i + 120);
}

int main(int argc, char **argv) {
    arguments = argc, names = argv;
    CASE(shared_memory);
    CASE(shuffles_and_votes);
    CASE(every_atomic);
    CASE(calls);
    CASE(lambdas);
    CASE(clocks_and_assembly);
    CASE(occupancy);
    CASE(groups_that_wait);
    CASE(tiles_of_groups);
    return wrong;
}
