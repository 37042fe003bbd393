// SPDX-License-Identifier: MIT
// A message between two work-groups, whose reader has read the place before: data, then a flag. With "fence"
// both sides order their accesses, without it they do not. Prints the data that was read.
#include <cstdio>
#include <cstring>
#include <hip/hip_runtime.h>

__global__ void message(int *data, int *flag, int *out, bool fences) {
    if (threadIdx.x) return;
    if (blockIdx.x == 0) {
        __hip_atomic_store(data, 7, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
        if (fences) __threadfence();
        __hip_atomic_store(flag, 1, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
        return;
    }
    while (!__hip_atomic_load(flag, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT)) {}
    if (fences) __threadfence();
    *out = __hip_atomic_load(data, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}

int main(int, char **argv) {
    int *memory, out = -1;
    if (hipMalloc(&memory, 3072) || hipMemset(memory, 0, 3072)) return 1;
    message<<<2, 64>>>(memory, memory + 256, memory + 512, !strcmp(argv[1], "fence"));
    if (hipMemcpy(&out, memory + 512, 4, hipMemcpyDeviceToHost)) return 1;
    printf("%d\n", out);
    return 0;
}
