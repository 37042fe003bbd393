// SPDX-License-Identifier: MIT
// Two devices under HIP, and code that is compiled or loaded while the program runs.
#include "check.h"

#include <string>

#include <hip/hiprtc.h>

__global__ void add(int *p, int n, int by) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) p[i] += by;
}
static const int N = 5000;

static void peers() {
    int count;
    CALL(hipGetDeviceCount(&count));
    EXPECT(count == 2);
    int *p[2], can;
    std::vector<int> a(N), b(N);
    for (int i = 0; i < N; i++) a[i] = i;
    for (int d = 0; d < 2; d++) {
        CALL(hipSetDevice(d));
        CALL(hipMalloc(&p[d], N * 4));
    }
    CALL(hipSetDevice(0));
    CALL(hipMemcpy(p[0], a.data(), N * 4, hipMemcpyHostToDevice));
    add<<<(N + 255) / 256, 256>>>(p[0], N, 1);
    CALL(hipMemcpyPeer(p[1], 1, p[0], 0, N * 4));
    CALL(hipDeviceSynchronize());
    CALL(hipSetDevice(1));
    add<<<(N + 255) / 256, 256>>>(p[1], N, 10);
    CALL(hipMemcpy(b.data(), p[1], N * 4, hipMemcpyDeviceToHost));
    for (int i = 0; i < N; i++) EXPECT(b[i] == i + 11);
    CALL(hipDeviceCanAccessPeer(&can, 1, 0));
    EXPECT(can == 1);
    CALL(hipDeviceEnablePeerAccess(0, 0));
    add<<<(N + 255) / 256, 256>>>(p[0], N, 100); // memory of device 0
    CALL(hipDeviceSynchronize());
    CALL(hipMemcpy(b.data(), p[0], N * 4, hipMemcpyDeviceToHost));
    for (int i = 0; i < N; i++) EXPECT(b[i] == i + 101);
    CALL(hipDeviceDisablePeerAccess(0));
    for (int d = 0; d < 2; d++) CALL(hipFree(p[d]));
    CALL(hipSetDevice(0));
}

// Around a ring of devices in streams of their own, each waiting for the one before.
static void copies_around() {
    int count;
    CALL(hipGetDeviceCount(&count));
    int *p[8];
    hipStream_t s[8];
    hipEvent_t done[8];
    std::vector<int> a(N), b(N);
    for (int i = 0; i < N; i++) a[i] = i * 2;
    for (int d = 0; d < count; d++) {
        CALL(hipSetDevice(d));
        CALL(hipStreamCreate(&s[d]));
        CALL(hipEventCreateWithFlags(&done[d], hipEventDisableTiming));
        CALL(hipMalloc(&p[d], N * 4));
    }
    CALL(hipSetDevice(0));
    CALL(hipMemcpyAsync(p[0], a.data(), N * 4, hipMemcpyHostToDevice, s[0]));
    for (int step = 0; step < 4 * count; step++) {
        const int d = step % count, next = (d + 1) % count;
        CALL(hipSetDevice(d));
        add<<<(N + 255) / 256, 256, 0, s[d]>>>(p[d], N, d + 1);
        CALL(hipMemcpyPeerAsync(p[next], next, p[d], d, N * 4, s[d]));
        CALL(hipEventRecord(done[d], s[d]));
        CALL(hipSetDevice(next));
        CALL(hipStreamWaitEvent(s[next], done[d], 0));
    }
    CALL(hipMemcpyAsync(b.data(), p[0], N * 4, hipMemcpyDeviceToHost, s[0]));
    CALL(hipStreamSynchronize(s[0]));
    for (int i = 0; i < N; i++) EXPECT(b[i] == i * 2 + 4 * count * (count + 1) / 2);
    hipPointerAttribute_t where;
    for (int d = 0; d < count; d++) {
        CALL(hipPointerGetAttributes(&where, p[d]));
        EXPECT(where.device == d);
        CALL(hipSetDevice(d));
        CALL(hipFree(p[d]));
        CALL(hipStreamDestroy(s[d]));
        CALL(hipEventDestroy(done[d]));
    }
    CALL(hipSetDevice(0));
}

static void compiled_at_run_time() {
    hiprtcProgram program;
    hipDeviceProp_t p;
    CALL(hipGetDeviceProperties(&p, 0));
    std::string arch = std::string("--offload-arch=") + p.gcnArchName;
    const char *options[] = {arch.c_str()};
    const char *text = "extern \"C\" __global__ void triple(int *p) { p[threadIdx.x] *= 3; }";
    EXPECT(hiprtcCreateProgram(&program, text, "triple.hip", 0, nullptr, nullptr) == HIPRTC_SUCCESS);
    EXPECT(hiprtcCompileProgram(program, 1, options) == HIPRTC_SUCCESS);
    size_t size;
    EXPECT(hiprtcGetCodeSize(program, &size) == HIPRTC_SUCCESS);
    std::vector<char> code(size);
    EXPECT(hiprtcGetCode(program, code.data()) == HIPRTC_SUCCESS);
    EXPECT(hiprtcDestroyProgram(&program) == HIPRTC_SUCCESS);
    for (int round = 0; round < 3; round++) { // loaded and unloaded
        hipModule_t module;
        hipFunction_t f;
        int *q, a[64];
        CALL(hipModuleLoadData(&module, code.data()));
        CALL(hipModuleGetFunction(&f, module, "triple"));
        for (int i = 0; i < 64; i++) a[i] = i;
        CALL(hipMalloc(&q, sizeof a));
        CALL(hipMemcpy(q, a, sizeof a, hipMemcpyHostToDevice));
        void *args[] = {&q};
        CALL(hipModuleLaunchKernel(f, 1, 1, 1, 64, 1, 1, 0, nullptr, args, nullptr));
        CALL(hipMemcpy(a, q, sizeof a, hipMemcpyDeviceToHost));
        for (int i = 0; i < 64; i++) EXPECT(a[i] == 3 * i);
        CALL(hipFree(q));
        CALL(hipModuleUnload(module));
    }
}

int main(int argc, char **argv) {
    arguments = argc, names = argv;
    CASE(peers);
    CASE(copies_around);
    CASE(compiled_at_run_time);
    return wrong;
}
