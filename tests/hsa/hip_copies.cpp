// SPDX-License-Identifier: MIT
// Copies under HIP in rows and boxes, asynchronous and of several streams; pools; what is known of pointers
// and symbols; managed variables; memory of another process.
#include "check.h"

#if HIP_VERSION_MAJOR >= 6
#define MEMORY_TYPE type
#else
#define MEMORY_TYPE memoryType
#endif

#include <string>
#include <sys/wait.h>
#include <unistd.h>

__global__ void add(int *p, int n, int by) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) p[i] += by;
}

// A box out of the middle of one volume into the middle of another, of three ways at once.
static void boxes() {
    enum { W = 24, H = 10, D = 7 };
    std::vector<short> a(W * H * D), b(W * H * D, -1), c(W * H * D, -1);
    for (size_t i = 0; i < a.size(); i++) a[i] = (short)i;
    hipStream_t s;
    hipPitchedPtr p, q;
    CALL(hipStreamCreate(&s));
    CALL(hipMalloc3D(&p, make_hipExtent(W * 2, H, D)));
    CALL(hipMalloc3D(&q, make_hipExtent(W * 2 + 100, H + 3, D)));
    CALL(hipMemset3DAsync(q, 0x55, make_hipExtent(W * 2, H, D), s));
    hipMemcpy3DParms m = {};
    m.srcPtr = make_hipPitchedPtr(a.data(), W * 2, W * 2, H);
    m.dstPtr = p;
    m.extent = make_hipExtent(W * 2, H, D);
    m.kind = hipMemcpyHostToDevice;
    CALL(hipMemcpy3DAsync(&m, s));
    m.srcPtr = p, m.dstPtr = q;
    m.srcPos = make_hipPos(2 * 2, 1, 1), m.dstPos = make_hipPos(5 * 2, 2, 3);
    m.extent = make_hipExtent(9 * 2, 6, 4);
    m.kind = hipMemcpyDeviceToDevice;
    CALL(hipMemcpy3DAsync(&m, s));
    m.srcPtr = q, m.dstPtr = make_hipPitchedPtr(b.data(), W * 2, W * 2, H);
    m.srcPos = m.dstPos = make_hipPos(0, 0, 0);
    m.extent = make_hipExtent(W * 2, H, D);
    m.kind = hipMemcpyDeviceToHost;
    CALL(hipMemcpy3DAsync(&m, s));
    CALL(hipStreamSynchronize(s));
    for (int z = 0; z < D; z++)
        for (int y = 0; y < H; y++)
            for (int x = 0; x < W; x++) {
                const bool in = x >= 5 && x < 14 && y >= 2 && y < 8 && z >= 3 && z < 7;
                const int from = ((z - 2) * H + y - 1) * W + x - 3;
                EXPECT(b[(z * H + y) * W + x] == (in ? a[from] : 0x5555));
            }
    CALL(hipFree(p.ptr));
    CALL(hipFree(q.ptr));
    CALL(hipStreamDestroy(s));
}

static void rows() {
    const int w = 61, h = 45;
    std::vector<int> a(w * h), b(w * h, 0);
    for (int i = 0; i < w * h; i++) a[i] = i * 3;
    int *p, *q, *host;
    size_t pp, qp;
    hipStream_t s;
    CALL(hipStreamCreate(&s));
    CALL(hipMallocPitch((void **)&p, &pp, w * 4, h));
    CALL(hipMallocPitch((void **)&q, &qp, w * 4 + 600, h));
    CALL(hipHostMalloc((void **)&host, w * h * 4, 0));
    memcpy(host, a.data(), w * h * 4);
    CALL(hipMemcpy2DAsync(p, pp, host, w * 4, w * 4, h, hipMemcpyHostToDevice, s));
    CALL(hipMemcpy2DAsync(q, qp, p, pp, w * 4, h, hipMemcpyDeviceToDevice, s));
    CALL(hipMemset2DAsync((char *)q + 3 * qp + 8, qp, 0, 16, 5, s));
    hip_Memcpy2D m = {};
    m.srcMemoryType = hipMemoryTypeDevice, m.srcDevice = (hipDeviceptr_t)q, m.srcPitch = qp;
    m.dstMemoryType = hipMemoryTypeHost, m.dstHost = b.data(), m.dstPitch = w * 4;
    m.WidthInBytes = w * 4, m.Height = h;
    CALL(hipStreamSynchronize(s));
    CALL(hipMemcpyParam2D(&m));
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            const bool cleared = y >= 3 && y < 8 && x >= 2 && x < 6;
            EXPECT(b[y * w + x] == (cleared ? 0 : a[y * w + x]));
        }
    CALL(hipFree(p));
    CALL(hipFree(q));
    CALL(hipHostFree(host));
    CALL(hipStreamDestroy(s));
}

// Each stream sends a piece up, works on it and fetches it, again and again: pieces do not mix.
static void pieces_in_streams() {
    enum { STREAMS = 4, PIECES = 32, LENGTH = 5000 };
    hipStream_t s[STREAMS];
    int *host, *device[STREAMS];
    CALL(hipHostMalloc((void **)&host, PIECES * LENGTH * 4, 0));
    for (int i = 0; i < PIECES * LENGTH; i++) host[i] = i;
    for (int i = 0; i < STREAMS; i++) {
        CALL(hipStreamCreateWithFlags(&s[i], hipStreamNonBlocking));
        CALL(hipMalloc(&device[i], LENGTH * 4));
    }
    for (int i = 0; i < PIECES; i++) {
        const int k = i % STREAMS;
        CALL(hipMemcpyAsync(device[k], host + i * LENGTH, LENGTH * 4, hipMemcpyHostToDevice, s[k]));
        add<<<(LENGTH + 127) / 128, 128, 0, s[k]>>>(device[k], LENGTH, 1000 * i);
        CALL(hipMemcpyAsync(host + i * LENGTH, device[k], LENGTH * 4, hipMemcpyDeviceToHost, s[k]));
    }
    for (int i = 0; i < STREAMS; i++) CALL(hipStreamSynchronize(s[i]));
    for (int i = 0; i < PIECES * LENGTH; i++) EXPECT(host[i] == i + 1000 * (i / LENGTH));
    for (int i = 0; i < STREAMS; i++) {
        CALL(hipFree(device[i]));
        CALL(hipStreamDestroy(s[i]));
    }
    CALL(hipHostFree(host));
}

static void memory_pools() {
    hipMemPool_t pool;
    hipMemPoolProps props = {};
    props.allocType = hipMemAllocationTypePinned;
    props.location.type = hipMemLocationTypeDevice;
    CALL(hipMemPoolCreate(&pool, &props));
    uint64_t keep = 1 << 20, used = 0, got = 0;
    CALL(hipMemPoolSetAttribute(pool, hipMemPoolAttrReleaseThreshold, &keep));
    CALL(hipMemPoolGetAttribute(pool, hipMemPoolAttrReleaseThreshold, &got));
    EXPECT(got == keep);
    int *p[4], first[4];
    for (int i = 0; i < 4; i++) {
        CALL(hipMallocFromPoolAsync((void **)&p[i], 40000, pool, 0));
        CALL(hipMemsetAsync(p[i], 0, 40000, 0));
        add<<<40, 250>>>(p[i], 10000, i + 5);
    }
    CALL(hipMemPoolGetAttribute(pool, hipMemPoolAttrUsedMemCurrent, &used));
    EXPECT(used >= 160000);
    for (int i = 0; i < 4; i++) {
        CALL(hipMemcpy(&first[i], p[i] + 9999, 4, hipMemcpyDeviceToHost));
        EXPECT(first[i] == i + 5);
        for (int k = 0; k < i; k++) EXPECT(p[i] != p[k]);
    }
    for (int i = 0; i < 4; i++) CALL(hipFreeAsync(p[i], 0));
    CALL(hipStreamSynchronize(0));
    CALL(hipMemPoolTrimTo(pool, 0));
    CALL(hipMemPoolGetAttribute(pool, hipMemPoolAttrUsedMemCurrent, &used));
    EXPECT(used == 0);
    CALL(hipMemPoolDestroy(pool));
}

__device__ int numbers[100];
__constant__ double factors[3] = {0.5, 1.5, 2.5};
static __managed__ int shared_number = 5;
__global__ void use_symbols(double *out) {
    numbers[threadIdx.x] += (int)threadIdx.x;
    out[threadIdx.x] = factors[threadIdx.x % 3];
    if (threadIdx.x == 0) shared_number *= 3;
}
static void symbols() {
    int *address, back[100];
    size_t size;
    double *p, out[100];
    CALL(hipGetSymbolAddress((void **)&address, HIP_SYMBOL(numbers)));
    CALL(hipGetSymbolSize(&size, HIP_SYMBOL(numbers)));
    EXPECT(size == sizeof numbers);
    CALL(hipMemset(address, 0, size));
    CALL(hipMalloc(&p, sizeof out));
    const double mine[3] = {-1, 10, 100};
    CALL(hipMemcpyToSymbol(HIP_SYMBOL(factors), &mine[1], 8, 8));
    shared_number = 7;
    use_symbols<<<1, 100>>>(p);
    CALL(hipMemcpy(out, p, sizeof out, hipMemcpyDeviceToHost));
    CALL(hipMemcpyFromSymbolAsync(back, HIP_SYMBOL(numbers), 50 * 4, 50 * 4, hipMemcpyDeviceToHost, 0));
    CALL(hipDeviceSynchronize());
    EXPECT(shared_number == 21);
    for (int i = 0; i < 50; i++) EXPECT(back[i] == 50 + i);
    for (int i = 0; i < 100; i++) EXPECT(out[i] == (i % 3 == 0 ? 0.5 : i % 3 == 1 ? 10 : 2.5));
    CALL(hipFree(p));
}

static void pointers() {
    int *device, *host, *managed, *at, plain;
    size_t size;
    hipPointerAttribute_t a;
    hipDeviceptr_t base;
    CALL(hipMalloc(&device, 10000));
    CALL(hipHostMalloc((void **)&host, 10000, hipHostMallocMapped));
    CALL(hipMallocManaged((void **)&managed, 10000));
    CALL(hipPointerGetAttributes(&a, device + 5));
    EXPECT(a.MEMORY_TYPE == hipMemoryTypeDevice && a.device == 0 && a.devicePointer == device + 5);
    CALL(hipPointerGetAttributes(&a, host + 5));
    EXPECT(a.MEMORY_TYPE == hipMemoryTypeHost && a.hostPointer == host + 5);
    CALL(hipPointerGetAttributes(&a, managed));
    EXPECT(a.isManaged);
#if HIP_VERSION_MAJOR >= 6
    CALL(hipPointerGetAttributes(&a, &plain));
    EXPECT(a.MEMORY_TYPE == hipMemoryTypeUnregistered);
#else
    EXPECT(hipPointerGetAttributes(&a, &plain) == hipErrorInvalidValue);
#endif
    CALL(hipMemGetAddressRange(&base, &size, (hipDeviceptr_t)(device + 700)));
    EXPECT(base == (hipDeviceptr_t)device && size == 10000);
    CALL(hipMemPtrGetInfo(device, &size));
    EXPECT(size == 10000);
    CALL(hipHostGetDevicePointer((void **)&at, host, 0));
    memset(host, 0, 10000);
    add<<<10, 250>>>(at, 2500, 4);
    CALL(hipDeviceSynchronize());
    EXPECT(host[0] == 4 && host[2499] == 4);
    unsigned flags;
    CALL(hipHostGetFlags(&flags, host));
    EXPECT(flags & hipHostMallocMapped);
    int where = 77;
    CALL(hipMemPrefetchAsync(managed, 10000, 0, 0));
    CALL(hipDeviceSynchronize());
    CALL(hipMemRangeGetAttribute(&where, 4, hipMemRangeAttributeLastPrefetchLocation, managed, 10000));
    EXPECT(where == 0);
    CALL(hipFree(device));
    CALL(hipFree(managed));
    CALL(hipHostFree(host));
}

// What one process allocates another uses: this program, started anew, as a process must that uses a GPU.
static int use_handle(int from, int to) {
    hipIpcMemHandle_t h;
    int *p;
    char done = 0;
    if (read(from, &h, sizeof h) == sizeof h &&
        hipIpcOpenMemHandle((void **)&p, h, hipIpcMemLazyEnablePeerAccess) == hipSuccess) {
        add<<<16, 64>>>(p, 1000, 30);
        done = hipDeviceSynchronize() == hipSuccess && hipIpcCloseMemHandle(p) == hipSuccess;
    }
    return write(to, &done, 1) != 1;
}
static void another_process() {
    int to_child[2], to_parent[2];
    EXPECT(pipe(to_child) == 0 && pipe(to_parent) == 0);
    const pid_t child = fork();
    if (child == 0) {
        const std::string from = std::to_string(to_child[0]), to = std::to_string(to_parent[1]);
        execl("/proc/self/exe", "hip", names[0], "--use-handle", from.c_str(), to.c_str(), nullptr);
        _exit(1);
    }
    hipIpcMemHandle_t h;
    std::vector<int> v(1000);
    int *p;
    char done = 0;
    CALL(hipMalloc(&p, 4000));
    for (int i = 0; i < 1000; i++) v[i] = i;
    CALL(hipMemcpy(p, v.data(), 4000, hipMemcpyHostToDevice));
    CALL(hipIpcGetMemHandle(&h, p));
    EXPECT(write(to_child[1], &h, sizeof h) == sizeof h);
    close(to_parent[1]);
    EXPECT(read(to_parent[0], &done, 1) == 1 && done);
    CALL(hipMemcpy(v.data(), p, 4000, hipMemcpyDeviceToHost));
    for (int i = 0; i < 1000; i++) EXPECT(v[i] == i + 30);
    waitpid(child, nullptr, 0);
    CALL(hipFree(p));
}

int main(int argc, char **argv) {
    arguments = argc, names = argv;
    if (argc == 4 && !strcmp(argv[1], "--use-handle")) return use_handle(atoi(argv[2]), atoi(argv[3]));
    CASE(boxes);
    CASE(rows);
    CASE(pieces_in_streams);
    CASE(memory_pools);
    CASE(symbols);
    CASE(pointers);
    CASE(another_process);
    return wrong;
}
