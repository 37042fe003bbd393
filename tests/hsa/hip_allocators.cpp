// SPDX-License-Identifier: MIT
// Memory that streams and graphs allocate under HIP 6 and later: pools with their attributes, access of other
// devices, nodes of graphs that allocate and free, by hand and captured.
#include "check.h"

static const int N = 50000;
__global__ void fill(int *p, int n, int value) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) p[i] = value + i;
}
__global__ void add(int *to, const int *from, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) to[i] += from[i];
}
#define GRID dim3((N + 255) / 256), dim3(256)

static hipMemPoolProps properties(int device) {
    hipMemPoolProps p = {};
    p.allocType = hipMemAllocationTypePinned;
    p.location.type = hipMemLocationTypeDevice;
    p.location.id = device;
    return p;
}
static uint64_t attribute(hipMemPool_t pool, hipMemPoolAttr which) {
    uint64_t value = ~0ull;
    return hipMemPoolGetAttribute(pool, which, &value) == hipSuccess ? value : ~0ull;
}

// Memory is there in the order of its stream, and in others behind an event.
static void order_of_streams() {
    hipStream_t s, t;
    hipEvent_t made, used;
    CALL(hipStreamCreate(&s));
    CALL(hipStreamCreateWithFlags(&t, hipStreamNonBlocking));
    CALL(hipEventCreateWithFlags(&made, hipEventDisableTiming));
    CALL(hipEventCreateWithFlags(&used, hipEventDisableTiming));
    std::vector<int> out(N);
    for (int round = 0; round < 20; round++) {
        int *a, *b;
        CALL(hipMallocAsync((void **)&a, N * 4, s));
        fill<<<GRID, 0, s>>>(a, N, round);
        CALL(hipEventRecord(made, s));
        CALL(hipStreamWaitEvent(t, made, 0));
        CALL(hipMallocAsync((void **)&b, N * 4, t));
        fill<<<GRID, 0, t>>>(b, N, 1000);
        add<<<GRID, 0, t>>>(b, a, N);
        CALL(hipEventRecord(used, t));
        CALL(hipStreamWaitEvent(s, used, 0));
        CALL(hipFreeAsync(a, s));
        CALL(hipMemcpyAsync(out.data(), b, N * 4, hipMemcpyDeviceToHost, t));
        CALL(hipFreeAsync(b, t));
        CALL(hipStreamSynchronize(t));
        for (int i = 0; i < N; i++) EXPECT(out[i] == 1000 + round + 2 * i);
    }
    CALL(hipStreamSynchronize(s));
    CALL(hipEventDestroy(made));
    CALL(hipEventDestroy(used));
    CALL(hipStreamDestroy(s));
    CALL(hipStreamDestroy(t));
}

// A pool counts what it holds and gives it back. How much it keeps for itself is HIP's business.
static void attributes() {
    const size_t size = 4 << 20;
    int can = 0;
    CALL(hipDeviceGetAttribute(&can, hipDeviceAttributeMemoryPoolsSupported, 0));
    EXPECT(can == 1);
    hipMemPool_t pool;
    const hipMemPoolProps p = properties(0);
    CALL(hipMemPoolCreate(&pool, &p));
    uint64_t all = ~0ull;
    CALL(hipMemPoolSetAttribute(pool, hipMemPoolAttrReleaseThreshold, &all));
    EXPECT(attribute(pool, hipMemPoolAttrReleaseThreshold) == ~0ull);
    EXPECT(attribute(pool, hipMemPoolAttrUsedMemCurrent) == 0);
    hipStream_t s;
    CALL(hipStreamCreate(&s));
    void *blocks[3];
    for (void *&b : blocks) {
        CALL(hipMallocFromPoolAsync(&b, size, pool, s));
        CALL(hipMemsetAsync(b, 1, size, s));
    }
    CALL(hipStreamSynchronize(s));
    EXPECT(attribute(pool, hipMemPoolAttrUsedMemCurrent) == 3 * size);
    EXPECT(attribute(pool, hipMemPoolAttrUsedMemHigh) == 3 * size);
    EXPECT(attribute(pool, hipMemPoolAttrReservedMemCurrent) >= 3 * size);
    for (void *b : blocks) CALL(hipFreeAsync(b, s));
    CALL(hipStreamSynchronize(s));
    EXPECT(attribute(pool, hipMemPoolAttrUsedMemCurrent) == 0);
    CALL(hipMemPoolTrimTo(pool, 0));
    EXPECT(attribute(pool, hipMemPoolAttrReservedMemCurrent) == 0);
    CALL(hipStreamDestroy(s));
    CALL(hipMemPoolDestroy(pool));
}

// The pool that a device allocates from can be another one.
static void pool_of_a_device() {
    hipMemPool_t pool, standard, now;
    const hipMemPoolProps p = properties(0);
    CALL(hipDeviceGetDefaultMemPool(&standard, 0));
    CALL(hipMemPoolCreate(&pool, &p));
    CALL(hipDeviceSetMemPool(0, pool));
    CALL(hipDeviceGetMemPool(&now, 0));
    EXPECT(now == pool && now != standard);
    int *a, last = 0;
    CALL(hipMallocAsync((void **)&a, N * 4, 0));
    EXPECT(attribute(pool, hipMemPoolAttrUsedMemCurrent) >= N * 4);
    fill<<<GRID>>>(a, N, 5);
    CALL(hipMemcpy(&last, a + N - 1, 4, hipMemcpyDeviceToHost));
    EXPECT(last == 5 + N - 1);
    CALL(hipFreeAsync(a, 0));
    CALL(hipDeviceSynchronize());
    CALL(hipDeviceSetMemPool(0, standard));
    CALL(hipMemPoolDestroy(pool));
}

static void pools_of_two_devices() {
    int count;
    CALL(hipGetDeviceCount(&count));
    if (count < 2) return;
    hipMemPool_t pool;
    const hipMemPoolProps p = properties(0);
    CALL(hipSetDevice(0));
    CALL(hipMemPoolCreate(&pool, &p));
    hipMemAccessDesc d = {};
    d.location.type = hipMemLocationTypeDevice;
    d.location.id = 1;
    d.flags = hipMemAccessFlagsProtReadWrite;
    CALL(hipMemPoolSetAccess(pool, &d, 1));
    hipMemAccessFlags flags = hipMemAccessFlagsProtNone;
    CALL(hipMemPoolGetAccess(&flags, pool, &d.location));
    EXPECT(flags == hipMemAccessFlagsProtReadWrite);
    hipStream_t s;
    CALL(hipStreamCreate(&s));
    int *a, last = 0;
    CALL(hipMallocFromPoolAsync((void **)&a, N * 4, pool, s));
    CALL(hipStreamSynchronize(s));
    CALL(hipSetDevice(1));
    fill<<<GRID>>>(a, N, 7); // by device 1, in memory of device 0
    CALL(hipDeviceSynchronize());
    CALL(hipSetDevice(0));
    CALL(hipMemcpy(&last, a + N - 1, 4, hipMemcpyDeviceToHost));
    EXPECT(last == 7 + N - 1);
    CALL(hipFreeAsync(a, s));
    CALL(hipStreamSynchronize(s));
    CALL(hipStreamDestroy(s));
    CALL(hipMemPoolDestroy(pool));
}

static hipKernelNodeParams kernel_node(void *function, void **arguments) {
    hipKernelNodeParams k = {};
    k.func = function;
    k.gridDim = dim3((N + 255) / 256), k.blockDim = dim3(256);
    k.kernelParams = arguments;
    return k;
}
// Nodes that allocate and free, at the same address at each launch.
static void graph_nodes() {
    hipGraph_t g;
    hipGraphExec_t x;
    hipStream_t s;
    hipGraphNode_t make_a, make_b, fill_a, fill_b, sum, copy, free_a, free_b;
    CALL(hipStreamCreate(&s));
    CALL(hipGraphCreate(&g, 0));
    hipMemAllocNodeParams m = {};
    m.poolProps = properties(0);
    m.bytesize = N * 4;
    CALL(hipGraphAddMemAllocNode(&make_a, g, nullptr, 0, &m));
    int *a = (int *)m.dptr, *b, n = N, hundred = 100, million = 1000000;
    CALL(hipGraphAddMemAllocNode(&make_b, g, nullptr, 0, &m));
    b = (int *)m.dptr;
    EXPECT(a && b && a != b);
    hipMemAllocNodeParams told;
    CALL(hipGraphMemAllocNodeGetParams(make_a, &told));
    EXPECT(told.dptr == a && told.bytesize == N * 4);
    std::vector<int> out(N);
    void *for_a[] = {&a, &n, &hundred}, *for_b[] = {&b, &n, &million}, *for_sum[] = {&a, &b, &n};
    hipKernelNodeParams k = kernel_node((void *)fill, for_a);
    CALL(hipGraphAddKernelNode(&fill_a, g, &make_a, 1, &k));
    k = kernel_node((void *)fill, for_b);
    CALL(hipGraphAddKernelNode(&fill_b, g, &make_b, 1, &k));
    const hipGraphNode_t both[] = {fill_a, fill_b};
    k = kernel_node((void *)add, for_sum);
    CALL(hipGraphAddKernelNode(&sum, g, both, 2, &k));
    CALL(hipGraphAddMemcpyNode1D(&copy, g, &sum, 1, out.data(), a, N * 4, hipMemcpyDeviceToHost));
    CALL(hipGraphAddMemFreeNode(&free_b, g, &sum, 1, b));
    CALL(hipGraphAddMemFreeNode(&free_a, g, &copy, 1, a));
    void *freed = nullptr;
    CALL(hipGraphMemFreeNodeGetParams(free_a, &freed));
    EXPECT(freed == a);
    CALL(hipGraphInstantiate(&x, g, nullptr, nullptr, 0));
    for (int round = 0; round < 4; round++) {
        std::fill(out.begin(), out.end(), 0);
        CALL(hipGraphLaunch(x, s));
        CALL(hipStreamSynchronize(s));
        for (int i = 0; i < N; i++) EXPECT(out[i] == 1000100 + 2 * i);
    }
    CALL(hipGraphExecDestroy(x));
    CALL(hipGraphDestroy(g));
    CALL(hipStreamDestroy(s));
    CALL(hipDeviceGraphMemTrim(0));
    uint64_t used = ~0ull;
    CALL(hipDeviceGetGraphMemAttribute(0, hipGraphMemAttrUsedMemCurrent, &used));
    EXPECT(used == 0);
}

// What a stream allocates and frees while it is captured becomes such nodes.
static void captured() {
    hipGraph_t g;
    hipGraphExec_t x;
    hipStream_t s;
    int *a, *kept;
    std::vector<int> out(N);
    CALL(hipStreamCreate(&s));
    CALL(hipMalloc((void **)&kept, N * 4));
    CALL(hipMemset(kept, 0, N * 4));
    CALL(hipStreamBeginCapture(s, hipStreamCaptureModeGlobal));
    CALL(hipMallocAsync((void **)&a, N * 4, s));
    fill<<<GRID, 0, s>>>(a, N, 3);
    add<<<GRID, 0, s>>>(kept, a, N);
    CALL(hipFreeAsync(a, s));
    CALL(hipStreamEndCapture(s, &g));
    size_t count = 0;
    CALL(hipGraphGetNodes(g, nullptr, &count));
    EXPECT(count == 4);
    std::vector<hipGraphNode_t> nodes(count);
    CALL(hipGraphGetNodes(g, nodes.data(), &count));
    int made = 0, freed = 0;
    for (hipGraphNode_t n : nodes) {
        hipGraphNodeType type;
        CALL(hipGraphNodeGetType(n, &type));
        made += type == hipGraphNodeTypeMemAlloc, freed += type == hipGraphNodeTypeMemFree;
    }
    EXPECT(made == 1 && freed == 1);
    CALL(hipGraphInstantiate(&x, g, nullptr, nullptr, 0));
    for (int round = 1; round <= 3; round++) {
        CALL(hipGraphLaunch(x, s));
        CALL(hipStreamSynchronize(s));
        CALL(hipMemcpy(out.data(), kept, N * 4, hipMemcpyDeviceToHost));
        for (int i = 0; i < N; i++) EXPECT(out[i] == round * (3 + i));
    }
    CALL(hipGraphExecDestroy(x));
    CALL(hipGraphDestroy(g));
    CALL(hipStreamDestroy(s));
    CALL(hipFree(kept));
}

// Memory that a graph allocated and did not free is the program's until it frees it.
static void memory_that_outlives_its_graph() {
    hipGraph_t g;
    hipGraphExec_t x;
    hipStream_t s;
    hipGraphNode_t make, write;
    CALL(hipStreamCreate(&s));
    CALL(hipGraphCreate(&g, 0));
    hipMemAllocNodeParams m = {};
    m.poolProps = properties(0);
    m.bytesize = N * 4;
    CALL(hipGraphAddMemAllocNode(&make, g, nullptr, 0, &m));
    int *a = (int *)m.dptr, n = N, nine = 9, last = 0;
    void *list[] = {&a, &n, &nine};
    const hipKernelNodeParams k = kernel_node((void *)fill, list);
    CALL(hipGraphAddKernelNode(&write, g, &make, 1, &k));
    CALL(hipGraphInstantiateWithFlags(&x, g, hipGraphInstantiateFlagAutoFreeOnLaunch));
    for (int round = 0; round < 3; round++) {
        CALL(hipGraphLaunch(x, s));
        CALL(hipMemcpyAsync(&last, a + N - 1, 4, hipMemcpyDeviceToHost, s));
        CALL(hipStreamSynchronize(s));
        EXPECT(last == 9 + N - 1);
    }
    CALL(hipFreeAsync(a, s));
    CALL(hipStreamSynchronize(s));
    CALL(hipGraphExecDestroy(x));
    CALL(hipGraphDestroy(g));
    CALL(hipStreamDestroy(s));
}

int main(int argc, char **argv) {
    arguments = argc, names = argv;
    CASE(order_of_streams);
    CASE(attributes);
    CASE(pool_of_a_device);
    CASE(pools_of_two_devices);
    CASE(graph_nodes);
    CASE(captured);
    CASE(memory_that_outlives_its_graph);
    return wrong;
}
