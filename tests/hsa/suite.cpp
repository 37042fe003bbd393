// SPDX-License-Identifier: MIT
// A suite of googletest whose tests run HIP kernels, for runs in shares. With BREAK in the environment the test
// of that number fails.
#include <gtest/gtest.h>
#include <hip/hip_runtime.h>

#include <cstdlib>
#include <vector>

__global__ void scale(unsigned *p, unsigned n, unsigned by) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) p[i] *= by;
}

class Scale : public testing::TestWithParam<unsigned> {};
TEST_P(Scale, MultipliesEach) {
    const unsigned n = 100 + GetParam(), by = GetParam() + 3;
    std::vector<unsigned> host(n);
    for (unsigned i = 0; i < n; i++) host[i] = i;
    unsigned *p;
    ASSERT_EQ(hipMalloc(&p, n * sizeof *p), hipSuccess);
    ASSERT_EQ(hipMemcpy(p, host.data(), n * sizeof *p, hipMemcpyHostToDevice), hipSuccess);
    scale<<<(n + 63) / 64, 64>>>(p, n, by);
    ASSERT_EQ(hipMemcpy(host.data(), p, n * sizeof *p, hipMemcpyDeviceToHost), hipSuccess);
    const char *broken = getenv("BREAK");
    const unsigned wrong = broken && (unsigned)atoi(broken) == GetParam();
    for (unsigned i = 0; i < n; i++) ASSERT_EQ(host[i], i * by + wrong);
    ASSERT_EQ(hipFree(p), hipSuccess);
}
INSTANTIATE_TEST_SUITE_P(Sizes, Scale, testing::Range(0u, 20u));

TEST(Device, IsThere) {
    int count = 0;
    ASSERT_EQ(hipGetDeviceCount(&count), hipSuccess);
    ASSERT_EQ(count, 1);
}

int main(int argc, char **argv) {
    testing::InitGoogleTest(&argc, argv);
    return RUN_ALL_TESTS();
}
