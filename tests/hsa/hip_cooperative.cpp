// SPDX-License-Identifier: MIT
// Cooperative launches under HIP: all groups of a grid meet (GWS), on one device and on two.
#include "check.h"

#include <hip/hip_cooperative_groups.h>

namespace cg = cooperative_groups;

// Each round adds up what the groups wrote in the one before.
__global__ void rounds(int *values, int *sums, int count) {
    cg::grid_group grid = cg::this_grid();
    for (int r = 0; r < count; r++) {
        if (threadIdx.x == 0) values[blockIdx.x] = r * 100 + blockIdx.x;
        grid.sync();
        if (blockIdx.x == r % gridDim.x && threadIdx.x == 0) {
            int sum = 0;
            for (unsigned b = 0; b < gridDim.x; b++) sum += values[b];
            sums[r] = sum;
        }
        grid.sync();
    }
}
static void grids() {
    const int groups = 40, count = 20;
    int *values, *sums, out[count], can, n = count;
    CALL(hipDeviceGetAttribute(&can, hipDeviceAttributeCooperativeLaunch, 0));
    EXPECT(can == 1);
    CALL(hipMalloc(&values, groups * 4));
    CALL(hipMalloc(&sums, sizeof out));
    void *arguments[] = {&values, &sums, &n};
    CALL(hipLaunchCooperativeKernel((const void *)rounds, dim3(groups), dim3(128), arguments, 0, 0));
    CALL(hipDeviceSynchronize());
    CALL(hipMemcpy(out, sums, sizeof out, hipMemcpyDeviceToHost));
    for (int r = 0; r < count; r++) EXPECT(out[r] == r * 100 * groups + groups * (groups - 1) / 2);
    CALL(hipFree(values));
    CALL(hipFree(sums));
}

__global__ void devices_meet(int *mine, const volatile int *others, int *seen) {
    cg::multi_grid_group all = cg::this_multi_grid();
    if (blockIdx.x == 0 && threadIdx.x == 0) *mine = 100 + (int)all.grid_rank();
    all.sync();
    if (blockIdx.x == 0 && threadIdx.x == 0) *seen = *others;
}
static void several_devices() {
    int count, *words;
    CALL(hipGetDeviceCount(&count));
    if (count < 2) return;
    CALL(hipHostMalloc((void **)&words, 64, hipHostMallocCoherent | hipHostMallocPortable));
    memset(words, 0, 64);
    hipLaunchParams launches[2];
    struct {
        int *mine, *others, *seen;
    } p[2] = {{words, words + 1, words + 2}, {words + 1, words, words + 3}};
    void *arguments[2][3];
    for (int d = 0; d < 2; d++) {
        CALL(hipSetDevice(d));
        hipStream_t s;
        CALL(hipStreamCreate(&s));
        arguments[d][0] = &p[d].mine, arguments[d][1] = &p[d].others, arguments[d][2] = &p[d].seen;
        launches[d] = {};
        launches[d].func = (void *)devices_meet;
        launches[d].gridDim = dim3(8);
        launches[d].blockDim = dim3(64);
        launches[d].args = arguments[d];
        launches[d].stream = s;
    }
    CALL(hipLaunchCooperativeKernelMultiDevice(launches, 2, 0));
    for (int d = 0; d < 2; d++) {
        CALL(hipSetDevice(d));
        CALL(hipDeviceSynchronize());
    }
    EXPECT(words[2] == 101 && words[3] == 100);
}

int main(int argc, char **argv) {
    arguments = argc, names = argv;
    CASE(grids);
    CASE(several_devices);
    return wrong;
}
