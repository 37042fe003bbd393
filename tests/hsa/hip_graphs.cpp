// SPDX-License-Identifier: MIT
// Graphs under HIP: made of nodes by hand, captured from streams that part and meet, changed after they were
// instantiated, inside each other; functions of the host in streams and graphs.
#include "check.h"

#include <atomic>

static const int N = 3000;
__global__ void scale(int *p, int n, int by, int plus) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) p[i] = p[i] * by + plus;
}
__global__ void combine(const int *a, const int *b, int *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = a[i] * 1000 + b[i];
}
static void triple(void *p) { *(int *)p = *(int *)p * 3 + 1; }

static hipKernelNodeParams kernel_node(void *function, void **arguments) {
    hipKernelNodeParams k = {};
    k.func = function;
    k.gridDim = dim3((N + 63) / 64);
    k.blockDim = dim3(64);
    k.kernelParams = arguments;
    return k;
}

static void by_hand() {
    hipGraph_t g;
    hipGraphExec_t x;
    hipStream_t s;
    hipGraphNode_t fill_a, fill_b, copy_in, scale_a, both, copy_out, host_node;
    int *a, *b, *out, n = N, two = 2, five = 5, calls = 0;
    std::vector<int> source(N), result(N);
    for (int i = 0; i < N; i++) source[i] = i;
    CALL(hipMalloc(&a, N * 4));
    CALL(hipMalloc(&b, N * 4));
    CALL(hipMalloc(&out, N * 4));
    CALL(hipStreamCreate(&s));
    CALL(hipGraphCreate(&g, 0));
    hipMemsetParams m = {};
    m.dst = b, m.elementSize = 4, m.width = N, m.height = 1, m.value = 7;
    CALL(hipGraphAddMemsetNode(&fill_b, g, nullptr, 0, &m));
    m.dst = a, m.value = 99;
    CALL(hipGraphAddMemsetNode(&fill_a, g, nullptr, 0, &m));
    CALL(hipGraphAddMemcpyNode1D(&copy_in, g, &fill_a, 1, a, source.data(), N * 4, hipMemcpyHostToDevice));
    void *scale_arguments[] = {&a, &n, &two, &five}, *both_arguments[] = {&a, &b, &out, &n};
    hipKernelNodeParams k = kernel_node((void *)scale, scale_arguments);
    CALL(hipGraphAddKernelNode(&scale_a, g, &copy_in, 1, &k));
    hipGraphNode_t before[] = {scale_a, fill_b};
    k = kernel_node((void *)combine, both_arguments);
    CALL(hipGraphAddKernelNode(&both, g, before, 2, &k));
    CALL(hipGraphAddMemcpyNode1D(&copy_out, g, &both, 1, result.data(), out, N * 4, hipMemcpyDeviceToHost));
    hipHostNodeParams h = {triple, &calls};
    CALL(hipGraphAddHostNode(&host_node, g, &copy_out, 1, &h));
    size_t nodes = 0, edges = 0, roots = 0;
    CALL(hipGraphGetNodes(g, nullptr, &nodes));
    CALL(hipGraphGetEdges(g, nullptr, nullptr, &edges));
    CALL(hipGraphGetRootNodes(g, nullptr, &roots));
    EXPECT(nodes == 7 && edges == 6 && roots == 2);
    hipGraphNodeType type;
    CALL(hipGraphNodeGetType(both, &type));
    EXPECT(type == hipGraphNodeTypeKernel);
    CALL(hipGraphInstantiate(&x, g, nullptr, nullptr, 0));
    for (int round = 0; round < 3; round++) {
        CALL(hipGraphLaunch(x, s));
        CALL(hipStreamSynchronize(s));
        for (int i = 0; i < N; i++) EXPECT(result[i] == (i * 2 + 5) * 1000 + 7);
    }
    EXPECT(calls == 13); // 1, 4, 13
    // Other arguments for a kernel that is there already.
    int nine = 9;
    scale_arguments[3] = &nine;
    k = kernel_node((void *)scale, scale_arguments);
    CALL(hipGraphExecKernelNodeSetParams(x, scale_a, &k));
    CALL(hipGraphLaunch(x, s));
    CALL(hipStreamSynchronize(s));
    for (int i = 0; i < N; i++) EXPECT(result[i] == (i * 2 + 9) * 1000 + 7);
    EXPECT(calls == 40);
    CALL(hipGraphExecDestroy(x));
    CALL(hipGraphDestroy(g));
    CALL(hipStreamDestroy(s));
    for (int *p : {a, b, out}) CALL(hipFree(p));
}

static void captured_from_two_streams() {
    hipStream_t s, t;
    hipEvent_t fork, join;
    hipGraph_t g;
    hipGraphExec_t x;
    int *a, *b, *out;
    std::vector<int> result(N);
    CALL(hipStreamCreate(&s));
    CALL(hipStreamCreate(&t));
    CALL(hipEventCreate(&fork));
    CALL(hipEventCreate(&join));
    CALL(hipMalloc(&a, N * 4));
    CALL(hipMalloc(&b, N * 4));
    CALL(hipMalloc(&out, N * 4));
    CALL(hipStreamBeginCapture(s, hipStreamCaptureModeThreadLocal));
    CALL(hipMemsetAsync(a, 0, N * 4, s));
    CALL(hipEventRecord(fork, s));
    CALL(hipStreamWaitEvent(t, fork, 0));
    CALL(hipMemsetAsync(b, 0, N * 4, t));
    scale<<<(N + 63) / 64, 64, 0, s>>>(a, N, 1, 11);
    scale<<<(N + 63) / 64, 64, 0, t>>>(b, N, 1, 22);
    scale<<<(N + 63) / 64, 64, 0, t>>>(b, N, 3, 1);
    CALL(hipEventRecord(join, t));
    CALL(hipStreamWaitEvent(s, join, 0));
    combine<<<(N + 63) / 64, 64, 0, s>>>(a, b, out, N);
    CALL(hipMemcpyAsync(result.data(), out, N * 4, hipMemcpyDeviceToHost, s));
    hipStreamCaptureStatus status;
    CALL(hipStreamIsCapturing(t, &status));
    EXPECT(status == hipStreamCaptureStatusActive);
    CALL(hipStreamEndCapture(s, &g));
    for (int v : result) EXPECT(v == 0); // nothing ran so far
    CALL(hipGraphInstantiate(&x, g, nullptr, nullptr, 0));
    for (int round = 0; round < 5; round++) {
        std::fill(result.begin(), result.end(), 0);
        CALL(hipGraphLaunch(x, s));
        CALL(hipStreamSynchronize(s));
        for (int v : result) EXPECT(v == 11 * 1000 + 67);
    }
    CALL(hipGraphExecDestroy(x));
    CALL(hipGraphDestroy(g));
    CALL(hipEventDestroy(fork));
    CALL(hipEventDestroy(join));
    CALL(hipStreamDestroy(s));
    CALL(hipStreamDestroy(t));
    for (int *p : {a, b, out}) CALL(hipFree(p));
}

static void graphs_in_graphs() {
    hipGraph_t inner, outer, clone;
    hipGraphExec_t x;
    hipStream_t s;
    hipGraphNode_t add, inside, after, empty;
    int *a, n = N, one = 1, three = 3, ten = 10, zero = 0, first;
    CALL(hipMalloc(&a, N * 4));
    CALL(hipMemset(a, 0, N * 4));
    CALL(hipStreamCreate(&s));
    void *add_arguments[] = {&a, &n, &one, &three}, *times_arguments[] = {&a, &n, &ten, &zero};
    hipKernelNodeParams k = kernel_node((void *)scale, add_arguments);
    CALL(hipGraphCreate(&inner, 0));
    CALL(hipGraphAddKernelNode(&add, inner, nullptr, 0, &k));
    CALL(hipGraphCreate(&outer, 0));
    CALL(hipGraphAddEmptyNode(&empty, outer, nullptr, 0));
    CALL(hipGraphAddChildGraphNode(&inside, outer, &empty, 1, inner));
    k = kernel_node((void *)scale, times_arguments);
    CALL(hipGraphAddKernelNode(&after, outer, nullptr, 0, &k));
    CALL(hipGraphAddDependencies(outer, &inside, &after, 1));
    CALL(hipGraphClone(&clone, outer));
    CALL(hipGraphInstantiate(&x, clone, nullptr, nullptr, 0));
    CALL(hipGraphLaunch(x, s));
    CALL(hipGraphLaunch(x, s));
    CALL(hipStreamSynchronize(s));
    CALL(hipMemcpy(&first, a + N - 1, 4, hipMemcpyDeviceToHost));
    EXPECT(first == 330); // ((0 + 3) * 10 + 3) * 10
    CALL(hipGraphExecDestroy(x));
    CALL(hipGraphDestroy(outer));
    CALL(hipGraphDestroy(inner));
    CALL(hipStreamDestroy(s));
    CALL(hipFree(a));
}

static std::atomic<int> order;
static void at_place(hipStream_t, hipError_t, void *place) {
    int expected = *(int *)place;
    order.compare_exchange_strong(expected, expected + 1);
}
// Functions of the host run in the order of their stream.
static void host_functions() {
    hipStream_t s;
    int *p, places[8], first;
    CALL(hipStreamCreate(&s));
    CALL(hipMalloc(&p, N * 4));
    CALL(hipMemset(p, 0, N * 4));
    order = 0;
    for (int i = 0; i < 8; i++) {
        places[i] = i;
        scale<<<(N + 63) / 64, 64, 0, s>>>(p, N, 1, 1);
        CALL(hipStreamAddCallback(s, at_place, &places[i], 0));
    }
    CALL(hipStreamSynchronize(s));
    CALL(hipMemcpy(&first, p, 4, hipMemcpyDeviceToHost));
    EXPECT(first == 8);
    for (int i = 0; order < 8 && i < 1000; i++) { CALL(hipStreamSynchronize(s)); }
    EXPECT(order == 8);
    CALL(hipStreamDestroy(s));
    CALL(hipFree(p));
}

int main(int argc, char **argv) {
    arguments = argc, names = argv;
    CASE(by_hand);
    CASE(captured_from_two_streams);
    CASE(graphs_in_graphs);
    CASE(host_functions);
    return wrong;
}
