// SPDX-License-Identifier: MIT
// Ways to launch of HIP 6 and later: functions of symbols, cooperative launches of modules and on several
// devices, AMD's own launches with events, words of memory that streams write and wait for, graphs that are
// updated.
#include "check.h"

#include <hip/hip_cooperative_groups.h>
#include <hip/hip_ext.h>

namespace cg = cooperative_groups;

static const int N = 10000;
__global__ void scale(int *p, int n, int by, int plus) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) p[i] = p[i] * by + plus;
}
// Each group adds what all groups before the meeting wrote.
__global__ void meet(int *values, int *sums) {
    cg::grid_group grid = cg::this_grid();
    if (threadIdx.x == 0) values[blockIdx.x] = blockIdx.x + 1;
    grid.sync();
    int sum = 0;
    for (unsigned b = threadIdx.x; b < gridDim.x; b += blockDim.x) sum += values[b];
    atomicAdd(&sums[blockIdx.x], sum);
}
__global__ void meet_all(int *mine, const volatile int *others, int *seen, int *ranks) {
    cg::multi_grid_group all = cg::this_multi_grid();
    if (blockIdx.x == 0 && threadIdx.x == 0) *mine = 100 + (int)all.grid_rank();
    all.sync();
    if (blockIdx.x == 0 && threadIdx.x == 0) *seen = *others;
    if (blockIdx.x == 1 && threadIdx.x == 0) *ranks = (int)all.num_grids() * 1000 + all.is_valid();
}

static void functions_of_symbols() {
    hipFunction_t f;
    int *p, last = 1, n = N, by = 3, plus = 1;
    CALL(hipGetFuncBySymbol(&f, (const void *)scale));
    CALL(hipMalloc((void **)&p, N * 4));
    CALL(hipMemset(p, 0, N * 4));
    void *list[] = {&p, &n, &by, &plus};
    CALL(hipModuleLaunchKernel(f, (N + 127) / 128, 1, 1, 128, 1, 1, 0, nullptr, list, nullptr));
    hipEvent_t begin, end;
    float ms = -1;
    CALL(hipEventCreate(&begin));
    CALL(hipEventCreate(&end));
    hipStream_t s;
    CALL(hipStreamCreate(&s));
    CALL(hipDeviceSynchronize());
    // Its sizes are work-items.
    CALL(hipExtModuleLaunchKernel(f, (N + 127) / 128 * 128, 1, 1, 128, 1, 1, 0, s, list, nullptr, begin, end,
                                  0));
    CALL(hipEventSynchronize(end));
    CALL(hipEventElapsedTime(&ms, begin, end));
    EXPECT(ms >= 0 && ms < 10000);
    CALL(hipExtModuleLaunchKernel(f, (N + 127) / 128 * 128, 1, 1, 128, 1, 1, 0, s, list, nullptr, nullptr,
                                  nullptr, hipExtAnyOrderLaunch));
    CALL(hipStreamSynchronize(s));
    CALL(hipMemcpy(&last, p + N - 1, 4, hipMemcpyDeviceToHost));
    EXPECT(last == 13); // 1, 4, 13
    CALL(hipEventDestroy(begin));
    CALL(hipEventDestroy(end));
    CALL(hipStreamDestroy(s));
    CALL(hipFree(p));
}

static void cooperative_module() {
    hipFunction_t f;
    const int groups = 24;
    int *values, *sums, out[groups];
    CALL(hipGetFuncBySymbol(&f, (const void *)meet));
    CALL(hipMalloc((void **)&values, sizeof out));
    CALL(hipMalloc((void **)&sums, sizeof out));
    void *list[] = {&values, &sums};
    for (int round = 0; round < 3; round++) {
        CALL(hipMemset(values, 0, sizeof out));
        CALL(hipMemset(sums, 0, sizeof out));
        CALL(hipModuleLaunchCooperativeKernel(f, groups, 1, 1, 256, 1, 1, 0, nullptr, list));
        CALL(hipDeviceSynchronize());
        CALL(hipMemcpy(out, sums, sizeof out, hipMemcpyDeviceToHost));
        for (int sum : out) EXPECT(sum == groups * (groups + 1) / 2);
    }
    // More groups than can be resident at once are refused.
    int per_unit = 0, units = 0;
    CALL(hipOccupancyMaxActiveBlocksPerMultiprocessor(&per_unit, (const void *)meet, 256, 0));
    CALL(hipDeviceGetAttribute(&units, hipDeviceAttributeMultiprocessorCount, 0));
    EXPECT(hipLaunchCooperativeKernel((const void *)meet, dim3(per_unit * units * 2 + 1), dim3(256), list, 0,
                                      nullptr) == hipErrorCooperativeLaunchTooLarge);
    (void)hipGetLastError();
    CALL(hipFree(values));
    CALL(hipFree(sums));
}

static void several_devices() {
    int count, *words;
    CALL(hipGetDeviceCount(&count));
    if (count < 2) return;
    CALL(hipHostMalloc((void **)&words, 64, hipHostMallocCoherent | hipHostMallocPortable));
    hipStream_t streams[2];
    for (int d = 0; d < 2; d++) {
        CALL(hipSetDevice(d));
        CALL(hipStreamCreate(&streams[d]));
    }
    struct {
        int *mine, *others, *seen, *ranks;
    } p[2] = {{words, words + 1, words + 2, words + 4}, {words + 1, words, words + 3, words + 5}};
    void *lists[2][4];
    for (int d = 0; d < 2; d++) {
        void *list[] = {&p[d].mine, &p[d].others, &p[d].seen, &p[d].ranks};
        std::copy(list, list + 4, lists[d]);
    }
    const auto met = [&]() {
        for (int d = 0; d < 2; d++)
            if (hipSetDevice(d) != hipSuccess || hipDeviceSynchronize() != hipSuccess) return false;
        return words[2] == 101 && words[3] == 100 && words[4] == 2001 && words[5] == 2001;
    };
    // By the host's symbol, then by functions of modules.
    memset(words, 0, 64);
    hipLaunchParams launches[2] = {};
    for (int d = 0; d < 2; d++) {
        launches[d].func = (void *)meet_all;
        launches[d].gridDim = dim3(8), launches[d].blockDim = dim3(64);
        launches[d].args = lists[d], launches[d].stream = streams[d];
    }
    CALL(hipLaunchCooperativeKernelMultiDevice(launches, 2, 0));
    EXPECT(met());
    memset(words, 0, 64);
    hipFunctionLaunchParams functions[2] = {};
    for (int d = 0; d < 2; d++) {
        CALL(hipSetDevice(d));
        CALL(hipGetFuncBySymbol(&functions[d].function, (const void *)meet_all));
        functions[d].gridDimX = 8, functions[d].gridDimY = functions[d].gridDimZ = 1;
        functions[d].blockDimX = 64, functions[d].blockDimY = functions[d].blockDimZ = 1;
        functions[d].hStream = streams[d], functions[d].kernelParams = lists[d];
    }
    CALL(hipModuleLaunchCooperativeKernelMultiDevice(functions, 2, 0));
    EXPECT(met());
    // Without a meeting: a kernel for each device.
    int *rows[2], n = N, by = 2, plus = 5, out[2];
    void *of_rows[2][4];
    for (int d = 0; d < 2; d++) {
        CALL(hipSetDevice(d));
        CALL(hipMalloc((void **)&rows[d], N * 4));
        CALL(hipMemset(rows[d], 0, N * 4));
        CALL(hipDeviceSynchronize());
        void *list[] = {&rows[d], &n, &by, &plus};
        std::copy(list, list + 4, of_rows[d]);
        launches[d].func = (void *)scale;
        launches[d].gridDim = dim3((N + 63) / 64);
        launches[d].args = of_rows[d];
    }
    CALL(hipExtLaunchMultiKernelMultiDevice(launches, 2, 0));
    for (int d = 0; d < 2; d++) {
        CALL(hipSetDevice(d));
        CALL(hipDeviceSynchronize());
        CALL(hipMemcpy(&out[d], rows[d] + N - 1, 4, hipMemcpyDeviceToHost));
        EXPECT(out[d] == 5);
        CALL(hipFree(rows[d]));
        CALL(hipStreamDestroy(streams[d]));
    }
    CALL(hipSetDevice(0));
    CALL(hipHostFree(words));
}

// One stream waits for what another one writes.
static void words_of_memory() {
    hipStream_t s, t;
    uint32_t *small;
    uint64_t *large;
    int *p, last = 0;
    CALL(hipStreamCreateWithFlags(&s, hipStreamNonBlocking));
    CALL(hipStreamCreateWithFlags(&t, hipStreamNonBlocking));
    CALL(hipExtMallocWithFlags((void **)&large, 8, hipMallocSignalMemory));
    CALL(hipMalloc((void **)&small, 64));
    CALL(hipMalloc((void **)&p, N * 4));
    CALL(hipMemset(small, 0, 64));
    CALL(hipMemset(p, 0, N * 4));
    *large = 0;
    CALL(hipDeviceSynchronize());
    CALL(hipStreamWaitValue32(s, small, 7, hipStreamWaitValueEq, 0xffffffff));
    scale<<<(N + 63) / 64, 64, 0, s>>>(p, N, 10, 3);
    CALL(hipStreamWriteValue64(s, large, 1ull << 40, 0));
    scale<<<(N + 63) / 64, 64, 0, t>>>(p, N, 1, 2);
    CALL(hipStreamWriteValue32(t, small, 7, 0));
    CALL(hipStreamWaitValue64(t, large, 1ull << 40, hipStreamWaitValueGte, ~0ull));
    scale<<<(N + 63) / 64, 64, 0, t>>>(p, N, 2, 0);
    CALL(hipStreamSynchronize(t));
    CALL(hipMemcpy(&last, p + N - 1, 4, hipMemcpyDeviceToHost));
    EXPECT(last == 46 && *large == 1ull << 40); // ((0 + 2) * 10 + 3) * 2
    CALL(hipStreamSynchronize(s));
    CALL(hipStreamDestroy(s));
    CALL(hipStreamDestroy(t));
    CALL(hipFree(large));
    CALL(hipFree(small));
    CALL(hipFree(p));
}

// A graph that exists takes the arguments of one that was captured later.
static void updated_graphs() {
    hipStream_t s;
    hipGraph_t g[3];
    hipGraphExec_t x;
    int *p, last = 0;
    CALL(hipStreamCreate(&s));
    CALL(hipMalloc((void **)&p, N * 4));
    CALL(hipMemset(p, 0, N * 4));
    for (int k = 0; k < 3; k++) {
        CALL(hipStreamBeginCapture(s, hipStreamCaptureModeRelaxed));
        scale<<<(N + 63) / 64, 64, 0, s>>>(p, N, 10, k + 1);
        if (k == 2) scale<<<1, 64, 0, s>>>(p, 64, 1, 0); // another shape
        CALL(hipStreamEndCapture(s, &g[k]));
    }
    CALL(hipGraphInstantiateWithFlags(&x, g[0], 0));
    CALL(hipGraphLaunch(x, s));
    hipGraphNode_t node;
    hipGraphExecUpdateResult result;
    CALL(hipGraphExecUpdate(x, g[1], &node, &result));
    EXPECT(result == hipGraphExecUpdateSuccess);
    CALL(hipGraphLaunch(x, s));
    EXPECT(hipGraphExecUpdate(x, g[2], &node, &result) != hipSuccess && result != hipGraphExecUpdateSuccess);
    CALL(hipStreamSynchronize(s));
    CALL(hipMemcpy(&last, p + N - 1, 4, hipMemcpyDeviceToHost));
    EXPECT(last == 12);
    CALL(hipGraphExecDestroy(x));
    for (hipGraph_t each : g) CALL(hipGraphDestroy(each));
    CALL(hipStreamDestroy(s));
    CALL(hipFree(p));
}

int main(int argc, char **argv) {
    arguments = argc, names = argv;
    CASE(functions_of_symbols);
    CASE(cooperative_module);
    CASE(several_devices);
    CASE(words_of_memory);
    CASE(updated_graphs);
    return wrong;
}
