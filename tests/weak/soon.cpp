// SPDX-License-Identifier: MIT
// A kernel that moves a register between lanes directly behind the instruction that writes it: 7, or with hazards for
// some seeds 5.
#include <cstdio>
#include <hip/hip_runtime.h>

__global__ void soon(int *out) {
    int moved;
    asm volatile("v_mov_b32 v20, 5\n s_nop 7\n v_mov_b32 v20, 7\n v_mov_b32_dpp %0, v20 quad_perm:[0,1,2,3] row_mask:0xf "
                 "bank_mask:0xf"
                 : "=v"(moved)
                 :
                 : "v20");
    out[threadIdx.x] = moved;
}

int main() {
    int *device, host[64] = {0};
    if (hipMalloc(&device, sizeof host) != hipSuccess) return 1;
    soon<<<1, 64>>>(device);
    if (hipMemcpy(host, device, sizeof host, hipMemcpyDeviceToHost) != hipSuccess) return 1;
    printf("%d\n", host[5]);
}
