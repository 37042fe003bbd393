// SPDX-License-Identifier: MIT
// HIP under MPI, with device pointers in MPI calls. Each rank checks what it can, and rank 0 says that all is
// right. mpi_ranks halo|reduce|ipc|die
#include <hip/hip_runtime.h>
#include <mpi.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <unistd.h>
#include <vector>

static int rank, ranks;

static void fail(const char *what, const char *why, int line) {
    fprintf(stderr, "rank %d, line %d: %s: %s\n", rank, line, what, why);
    MPI_Abort(MPI_COMM_WORLD, 1);
    exit(1);
}
#define HIP(call)                                                                                            \
    do {                                                                                                     \
        hipError_t e = (call);                                                                               \
        if (e != hipSuccess) fail(#call, hipGetErrorString(e), __LINE__);                                    \
    } while (0)
#define CHECK(what)                                                                                          \
    if (!(what)) fail(#what, "is not so", __LINE__)

template <class T> static T *device(size_t count) {
    T *p;
    HIP(hipMalloc(&p, count * sizeof(T)));
    HIP(hipMemset(p, 0, count * sizeof(T)));
    return p;
}

// ---- A stencil whose parts exchange their edges ----

enum { CELLS = 4096, STEPS = 40 };
__host__ __device__ static double next_of(double left, double here, double right) {
    return 0.25 * left + 0.5 * here + 0.25 * right;
}
static double first_of(int cell) { return (double)(cell * 7919 % 1009); }

// Cells 1 to n; 0 and n+1 are those of the neighbours.
__global__ void step(const double *from, double *to, int n) {
    const int i = 1 + (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i <= n) to[i] = next_of(from[i - 1], from[i], from[i + 1]);
}

static std::vector<double> alone() {
    std::vector<double> a(CELLS + 2), b(CELLS + 2);
    for (int i = 0; i < CELLS; i++) a[i + 1] = first_of(i);
    for (int s = 0; s < STEPS; s++, a.swap(b))
        for (int i = 1; i <= CELLS; i++) b[i] = next_of(a[i - 1], a[i], a[i + 1]);
    return a;
}

static void halo(int dies_at) {
    const int n = CELLS / ranks, first = rank * n;
    const int left = rank ? rank - 1 : MPI_PROC_NULL, right = rank + 1 < ranks ? rank + 1 : MPI_PROC_NULL;
    double *from = device<double>(n + 2), *to = device<double>(n + 2);
    std::vector<double> part(n);
    for (int i = 0; i < n; i++) part[i] = first_of(first + i);
    HIP(hipMemcpy(from + 1, part.data(), n * sizeof(double), hipMemcpyHostToDevice));
    for (int s = 0; s < STEPS; s++) {
        if (s == dies_at && rank == ranks - 1) raise(SIGKILL);
        MPI_Sendrecv(from + 1, 1, MPI_DOUBLE, left, 0, from + n + 1, 1, MPI_DOUBLE, right, 0, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        MPI_Sendrecv(from + n, 1, MPI_DOUBLE, right, 1, from, 1, MPI_DOUBLE, left, 1, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        step<<<(n + 63) / 64, 64>>>(from, to, n);
        HIP(hipDeviceSynchronize());
        double *t = from;
        from = to;
        to = t;
    }
    double *all = device<double>(CELLS);
    MPI_Gather(from + 1, n, MPI_DOUBLE, all, n, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    if (rank) return;
    std::vector<double> got(CELLS), expected = alone();
    HIP(hipMemcpy(got.data(), all, CELLS * sizeof(double), hipMemcpyDeviceToHost));
    CHECK(!memcmp(got.data(), expected.data() + 1, CELLS * sizeof(double)));
}

// ---- A reduction ----

__global__ void sum(unsigned long long first, unsigned long long count, unsigned long long *out) {
    __shared__ unsigned long long part[256];
    const unsigned long long i = (unsigned long long)blockIdx.x * blockDim.x + threadIdx.x;
    part[threadIdx.x] = i < count ? (first + i) * (first + i) : 0;
    for (unsigned n = 128; n; n /= 2) {
        __syncthreads();
        if (threadIdx.x < n) part[threadIdx.x] += part[threadIdx.x + n];
    }
    if (!threadIdx.x) atomicAdd(out, part[0]);
}

static void reduce() {
    const unsigned long long n = 100000, end = n * (unsigned)ranks;
    auto *mine = device<unsigned long long>(1), *all = device<unsigned long long>(1);
    sum<<<(n + 255) / 256, 256>>>(n * (unsigned)rank, n, mine);
    HIP(hipDeviceSynchronize());
    MPI_Allreduce(mine, all, 1, MPI_UNSIGNED_LONG_LONG, MPI_SUM, MPI_COMM_WORLD);
    unsigned long long got;
    HIP(hipMemcpy(&got, all, sizeof got, hipMemcpyDeviceToHost));
    CHECK(got == (end - 1) * end * (2 * end - 1) / 6);
}

// ---- Memory of another rank ----

__global__ void add(int *p, int n, int what) {
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n) p[i] += what + i;
}

// Each rank adds to the buffer of the next one.
static void ipc() {
    enum { COUNT = 1000 };
    int *own = device<int>(COUNT), *other;
    hipIpcMemHandle_t mine, theirs;
    const int to = (rank + 1) % ranks, from = (rank + ranks - 1) % ranks;
    HIP(hipIpcGetMemHandle(&mine, own));
    MPI_Sendrecv(&mine, sizeof mine, MPI_BYTE, from, 0, &theirs, sizeof theirs, MPI_BYTE, to, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    if (ranks > 1) {
        HIP(hipIpcOpenMemHandle((void **)&other, theirs, hipIpcMemLazyEnablePeerAccess));
        add<<<(COUNT + 63) / 64, 64>>>(other, COUNT, 100 * rank);
        HIP(hipDeviceSynchronize());
        HIP(hipIpcCloseMemHandle(other));
    }
    MPI_Barrier(MPI_COMM_WORLD);
    std::vector<int> got(COUNT);
    HIP(hipMemcpy(got.data(), own, COUNT * sizeof(int), hipMemcpyDeviceToHost));
    for (int i = 0; i < COUNT; i++) CHECK(got[i] == (ranks > 1 ? 100 * from + i : 0));
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    int devices = 0;
    HIP(hipGetDeviceCount(&devices));
    HIP(hipSetDevice(rank % devices)); // of those that exec gives to each rank
    const char *what = argc > 1 ? argv[1] : "";
    if (!strcmp(what, "halo")) halo(-1);
    else if (!strcmp(what, "die")) halo(STEPS / 2);
    else if (!strcmp(what, "reduce")) reduce();
    else if (!strcmp(what, "ipc")) ipc();
    else fail("usage", what, __LINE__);
    MPI_Barrier(MPI_COMM_WORLD);
    if (!rank) printf("%s of %d ranks with %d devices is right\n", what, ranks, devices);
    MPI_Finalize();
    return 0;
}
