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

int main(int argc, char **argv) {
    const char *mode = argc > 1 ? argv[1] : "";
    static int host[64];
    int *p = nullptr, *q = nullptr;
    if (hipMalloc(&p, 4096) != hipSuccess || hipMalloc(&q, 4096) != hipSuccess) return 2;
    if (!strcmp(mode, "bad-launches")) {
        argc = 1;
        arguments = 1;
        CASE(bad_launches);
        return wrong;
    }
    if (!strcmp(mode, "null")) store<<<1, 64>>>(nullptr, 0);
    if (!strcmp(mode, "behind")) store<<<1, 64>>>(p, 1024 + 3);
    if (!strcmp(mode, "freed")) {
        if (hipFree(p) != hipSuccess) return 2;
        store<<<1, 64>>>(p, 0);
    }
    if (!strcmp(mode, "host")) load<<<1, 64>>>(host, q);
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
