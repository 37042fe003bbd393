// SPDX-License-Identifier: MIT
// Mistakes under HIP: launches that cannot be, memory that a kernel may not touch. A mode is the first
// argument.
#include "check.h"

__global__ void store(int *p, int n) {
    if (threadIdx.x == 3) p[n] = 1;
}
__global__ void load(const int *p, int *out) { out[threadIdx.x] = p[threadIdx.x]; }

static void bad_launches() {
    int *p;
    CALL(hipMalloc(&p, 1024));
    store<<<1, 2048>>>(p, 0);
    EXPECT(hipGetLastError() != hipSuccess);
    store<<<1, 64, 1 << 20>>>(p, 0);
    EXPECT(hipGetLastError() != hipSuccess);
    EXPECT(hipSetDevice(99) == hipErrorInvalidDevice);
    EXPECT(hipFree((void *)16) == hipErrorInvalidValue);
    store<<<1, 64>>>(p, 5); // and it goes on
    CALL(hipGetLastError());
    int out[6];
    CALL(hipMemcpy(out, p, sizeof out, hipMemcpyDeviceToHost));
    EXPECT(out[5] == 1);
    CALL(hipFree(p));
}

// More than there is, of each kind of memory, is an error, and what fits still works.
static void out_of_memory() {
    size_t free_bytes, total;
    void *p = nullptr, *pieces[8];
    CALL(hipMemGetInfo(&free_bytes, &total));
    for (int i = 0; i < 8; i++) CALL(hipMalloc(&pieces[i], 1 << 20));
    EXPECT(hipMalloc(&p, total + (1 << 20)) == hipErrorOutOfMemory && !p);
    EXPECT(hipMallocManaged(&p, (size_t)1 << 47) != hipSuccess);
    EXPECT(hipHostMalloc(&p, (size_t)1 << 47, 0) != hipSuccess);
    EXPECT(hipMallocPitch(&p, &free_bytes, (size_t)1 << 30, 1 << 20) != hipSuccess);
    EXPECT(hipGetLastError() != hipSuccess && hipGetLastError() == hipSuccess);
    for (void *piece : pieces) {
        store<<<1, 64>>>((int *)piece, 0);
        CALL(hipFree(piece));
    }
    CALL(hipDeviceSynchronize());
}
__global__ void spin(volatile int *stop) {
    while (!*stop) {}
}
// What no call may take.
static void wrong_arguments() {
    int *p, *q;
    hipEvent_t e;
    float ms;
    hipStream_t s;
    CALL(hipMalloc(&p, 1024));
    CALL(hipEventCreate(&e));
    CALL(hipStreamCreate(&s));
    EXPECT(hipMemcpy(nullptr, p, 16, hipMemcpyDeviceToHost) != hipSuccess);
    EXPECT(hipMemset(p, 0, 4096) != hipSuccess); // longer than it is
    EXPECT(hipEventElapsedTime(&ms, e, e) == hipErrorInvalidHandle);
    EXPECT(hipHostGetDevicePointer((void **)&q, &ms, 0) != hipSuccess);
    EXPECT(hipFuncGetAttributes(nullptr, (const void *)store) != hipSuccess);
    EXPECT(hipDeviceEnablePeerAccess(0, 0) != hipSuccess);
    store<<<dim3(1, 1, 1), dim3(32, 32, 2)>>>(p, 0);
    EXPECT(hipPeekAtLastError() != hipSuccess && hipGetLastError() != hipSuccess &&
           hipGetLastError() == hipSuccess);
    store<<<0, 64>>>(p, 0);
    EXPECT(hipGetLastError() != hipSuccess);
    store<<<1, 64, 0, s>>>(p, 100); // and it goes on
    CALL(hipStreamSynchronize(s));
    int out[101];
    CALL(hipMemcpy(out, p, sizeof out, hipMemcpyDeviceToHost));
    EXPECT(out[100] == 1);
    CALL(hipEventDestroy(e));
    CALL(hipStreamDestroy(s));
    CALL(hipFree(p));
}

int main(int argc, char **argv) {
    const char *mode = argc > 1 ? argv[1] : "";
    static int host[64];
    int *p = nullptr, *q = nullptr;
    if (hipMalloc(&p, 4096) != hipSuccess || hipMalloc(&q, 4096) != hipSuccess) return 2;
    if (!strcmp(mode, "bad-launches")) {
        argc = 1;
        arguments = 1;
        CASE(bad_launches);
        CASE(out_of_memory);
        CASE(wrong_arguments);
        return wrong;
    }
    if (!strcmp(mode, "null")) store<<<1, 64>>>(nullptr, 0);
    if (!strcmp(mode, "behind")) store<<<1, 64>>>(p, 1024 + 3);
    if (!strcmp(mode, "freed")) {
        if (hipFree(p) != hipSuccess) return 2;
        store<<<1, 64>>>(p, 0);
    }
    if (!strcmp(mode, "host")) load<<<1, 64>>>(host, q);
    if (!strcmp(mode, "hang")) spin<<<2, 64>>>(p);
    if (!strcmp(mode, "other-device")) {
        int *r, count;
        if (hipGetDeviceCount(&count) != hipSuccess || count < 2) return 2;
        if (hipSetDevice(1) != hipSuccess || hipMalloc(&r, 4096) != hipSuccess ||
            hipSetDevice(0) != hipSuccess)
            return 2;
        store<<<1, 64>>>(r, 0);
    }
    const hipError_t e = hipDeviceSynchronize();
    printf("went on: %s\n", hipGetErrorName(e));
    return e != hipSuccess;
}
