// SPDX-License-Identifier: MIT
// A HIP program that checks itself: hipcc --offload-arch=gfx90a saxpy.cpp && softwave exec --gpu=gfx90a
// ./a.out
#include <cstdio>
#include <vector>

#include <hip/hip_runtime.h>

__global__ void saxpy(int n, float a, const float *x, float *y) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + y[i];
}

int main() {
    const int n = 1 << 20;
    const size_t size = n * sizeof(float);
    std::vector<float> x(n), y(n);
    for (int i = 0; i < n; i++) x[i] = (float)(i % 1000), y[i] = 1;
    float *dx, *dy;
    if (hipMalloc((void **)&dx, size) != hipSuccess || hipMalloc((void **)&dy, size) != hipSuccess ||
        hipMemcpy(dx, x.data(), size, hipMemcpyHostToDevice) != hipSuccess ||
        hipMemcpy(dy, y.data(), size, hipMemcpyHostToDevice) != hipSuccess) {
        puts("no device, or no memory");
        return 2;
    }
    saxpy<<<(n + 255) / 256, 256>>>(n, 2, dx, dy);
    if (hipMemcpy(y.data(), dy, size, hipMemcpyDeviceToHost) != hipSuccess) return 2;
    for (int i = 0; i < n; i++)
        if (y[i] != 2 * (float)(i % 1000) + 1) {
            printf("y[%d] is %f\n", i, y[i]);
            return 1;
        }
    puts("saxpy is right");
}
