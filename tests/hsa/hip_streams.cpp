// SPDX-License-Identifier: MIT
// Streams, events, callbacks, graphs, priorities, masks and waits under HIP.
#include "check.h"

#include <atomic>

__global__ void add(int *p, int n, int by) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) p[i] += by;
}
__global__ void spin(volatile int *stop) {
    while (!*stop) {}
}
static const int N = 10000;

static void many_streams() {
    const int streams = 12;
    hipStream_t s[streams];
    int *p[streams];
    for (int i = 0; i < streams; i++) {
        CALL(hipStreamCreate(&s[i]));
        CALL(hipMalloc(&p[i], N * 4));
        CALL(hipMemsetAsync(p[i], 0, N * 4, s[i]));
    }
    for (int round = 0; round < 20; round++)
        for (int i = 0; i < streams; i++) add<<<(N + 63) / 64, 64, 0, s[i]>>>(p[i], N, i + 1);
    for (int i = 0; i < streams; i++) {
        std::vector<int> out(N);
        CALL(hipMemcpyAsync(out.data(), p[i], N * 4, hipMemcpyDeviceToHost, s[i]));
        CALL(hipStreamSynchronize(s[i]));
        for (int n = 0; n < N; n++) EXPECT(out[n] == 20 * (i + 1));
        CALL(hipFree(p[i]));
        CALL(hipStreamDestroy(s[i]));
    }
}

// A short kernel in one stream does not wait for one in another that never ends by itself.
static void beside_a_long_one() {
    hipStream_t a, b;
    int *stop, *p;
    CALL(hipStreamCreateWithFlags(&a, hipStreamNonBlocking));
    CALL(hipStreamCreateWithFlags(&b, hipStreamNonBlocking));
    CALL(hipHostMalloc((void **)&stop, 4, hipHostMallocCoherent));
    CALL(hipHostMalloc((void **)&p, 4, hipHostMallocCoherent));
    *stop = *p = 0;
    spin<<<8, 64, 0, a>>>(stop);
    add<<<1, 64, 0, b>>>(p, 1, 5);
    CALL(hipStreamSynchronize(b));
    EXPECT(*p == 5);
    EXPECT(hipStreamQuery(a) == hipErrorNotReady);
    __atomic_store_n(stop, 1, __ATOMIC_RELEASE);
    CALL(hipStreamSynchronize(a));
    EXPECT(hipStreamQuery(a) == hipSuccess);
    CALL(hipStreamDestroy(a));
    CALL(hipStreamDestroy(b));
    CALL(hipHostFree(stop));
    CALL(hipHostFree(p));
}

static void events() {
    hipEvent_t begin, end;
    hipStream_t a, b;
    int *p, out;
    CALL(hipEventCreate(&begin));
    CALL(hipEventCreate(&end));
    CALL(hipStreamCreate(&a));
    CALL(hipStreamCreate(&b));
    CALL(hipMalloc(&p, N * 4));
    CALL(hipMemset(p, 0, N * 4));
    CALL(hipEventRecord(begin, a));
    for (int i = 0; i < 30; i++) add<<<(N + 63) / 64, 64, 0, a>>>(p, N, 1);
    CALL(hipEventRecord(end, a));
    CALL(hipStreamWaitEvent(b, end, 0));
    CALL(hipMemcpyAsync(&out, p, 4, hipMemcpyDeviceToHost, b));
    CALL(hipStreamSynchronize(b));
    EXPECT(out == 30);
    CALL(hipEventSynchronize(end));
    float ms = -1;
    CALL(hipEventElapsedTime(&ms, begin, end));
    EXPECT(ms >= 0 && ms < 60000);
    CALL(hipEventDestroy(begin));
    CALL(hipEventDestroy(end));
    CALL(hipStreamDestroy(a));
    CALL(hipStreamDestroy(b));
    CALL(hipFree(p));
}

static std::atomic<int> called;
static void note(hipStream_t, hipError_t status, void *data) {
    if (status == hipSuccess) called += *(int *)data;
}
static void callbacks() {
    int *p, one = 1;
    hipStream_t s;
    CALL(hipStreamCreate(&s));
    CALL(hipMalloc(&p, 4));
    called = 0;
    for (int i = 0; i < 10; i++) {
        add<<<1, 1, 0, s>>>(p, 1, 1);
        CALL(hipStreamAddCallback(s, note, &one, 0));
    }
    CALL(hipStreamSynchronize(s));
    for (int i = 0; called < 10 && i < 1000; i++) { CALL(hipStreamSynchronize(s)); }
    EXPECT(called == 10);
    CALL(hipStreamDestroy(s));
    CALL(hipFree(p));
}

static void graphs() {
    int *p, out;
    hipStream_t s;
    hipGraph_t g;
    hipGraphExec_t x;
    CALL(hipMalloc(&p, N * 4));
    CALL(hipMemset(p, 0, N * 4));
    CALL(hipStreamCreate(&s));
    CALL(hipStreamBeginCapture(s, hipStreamCaptureModeGlobal));
    for (int i = 0; i < 5; i++) add<<<(N + 63) / 64, 64, 0, s>>>(p, N, i);
    CALL(hipStreamEndCapture(s, &g));
    CALL(hipGraphInstantiate(&x, g, NULL, NULL, 0));
    for (int i = 0; i < 10; i++) CALL(hipGraphLaunch(x, s));
    CALL(hipStreamSynchronize(s));
    CALL(hipMemcpy(&out, p + N - 1, 4, hipMemcpyDeviceToHost));
    EXPECT(out == 100);
    CALL(hipGraphExecDestroy(x));
    CALL(hipGraphDestroy(g));
    CALL(hipStreamDestroy(s));
    CALL(hipFree(p));
}

static void priorities_and_masks() {
    int least, greatest, *p, out;
    CALL(hipDeviceGetStreamPriorityRange(&least, &greatest));
    CALL(hipMalloc(&p, 4));
    CALL(hipMemset(p, 0, 4));
    for (int i = greatest; i <= least; i++) {
        hipStream_t s;
        CALL(hipStreamCreateWithPriority(&s, hipStreamDefault, i));
        add<<<1, 1, 0, s>>>(p, 1, 1);
        CALL(hipStreamSynchronize(s));
        CALL(hipStreamDestroy(s));
    }
    uint32_t mask[4] = {0xff, 0, 0, 0}, got[16]; // room for all units of a device
    hipStream_t s;
    CALL(hipExtStreamCreateWithCUMask(&s, 4, mask));
    CALL(hipExtStreamGetCUMask(s, 16, got));
    EXPECT(got[0] == 0xff);
    add<<<1, 1, 0, s>>>(p, 1, 1);
    CALL(hipStreamSynchronize(s));
    CALL(hipStreamDestroy(s));
    CALL(hipMemcpy(&out, p, 4, hipMemcpyDeviceToHost));
    EXPECT(out == least - greatest + 2);
    CALL(hipFree(p));
}

static void wait_value() {
    hipStream_t s;
    uint32_t *flag;
    int *p;
    CALL(hipStreamCreate(&s));
    CALL(hipExtMallocWithFlags((void **)&flag, 8, hipMallocSignalMemory));
    CALL(hipHostMalloc((void **)&p, 4, hipHostMallocCoherent));
    *flag = 0, *p = 0;
    CALL(hipStreamWaitValue32(s, flag, 1, hipStreamWaitValueEq, 0xffffffff));
    add<<<1, 1, 0, s>>>(p, 1, 7);
    EXPECT(hipStreamQuery(s) == hipErrorNotReady);
    EXPECT(*(volatile int *)p == 0);
    __atomic_store_n(flag, 1, __ATOMIC_RELEASE);
    CALL(hipStreamSynchronize(s));
    EXPECT(*p == 7);
    CALL(hipStreamWriteValue32(s, flag, 5, 0));
    CALL(hipStreamSynchronize(s));
    EXPECT(*flag == 5);
    CALL(hipFree(flag));
    CALL(hipHostFree(p));
    CALL(hipStreamDestroy(s));
}

int main(int argc, char **argv) {
    arguments = argc, names = argv;
    CASE(many_streams);
    CASE(beside_a_long_one);
    CASE(events);
    CASE(callbacks);
    CASE(graphs);
    CASE(priorities_and_masks);
    CASE(wait_value);
    return wrong;
}
