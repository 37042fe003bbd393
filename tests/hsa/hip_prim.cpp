// SPDX-License-Identifier: MIT
// rocPRIM against the standard library: sort, scan with decoupled look-back, reduce, select, histogram,
// run-length.
#include "check.h"

#include <algorithm>
#include <numeric>
#include <rocprim/rocprim.hpp>

static size_t N = 2000000;

template <typename F> static hipError_t with_room(F f) { // asks for its room, then runs
    size_t size = 0;
    void *room = nullptr;
    hipError_t e = f(nullptr, size);
    if (e == hipSuccess) e = hipMalloc(&room, size ? size : 4);
    if (e == hipSuccess) e = f(room, size);
    if (e == hipSuccess) e = hipDeviceSynchronize();
    (void)hipFree(room);
    return e;
}
static unsigned *in, *out;
static std::vector<unsigned> data;
static std::vector<unsigned> result(size_t n) {
    std::vector<unsigned> v(n);
    if (hipMemcpy(v.data(), out, n * 4, hipMemcpyDeviceToHost) != hipSuccess) v.clear();
    return v;
}

static void sort() {
    CALL(with_room([&](void *r, size_t &s) { return rocprim::radix_sort_keys(r, s, in, out, N); }));
    std::vector<unsigned> want = data;
    std::sort(want.begin(), want.end());
    EXPECT(result(N) == want);
}
static void scan() {
    CALL(with_room([&](void *r, size_t &s) {
        return rocprim::inclusive_scan(r, s, in, out, N, rocprim::plus<unsigned>());
    }));
    std::vector<unsigned> want(N);
    std::partial_sum(data.begin(), data.end(), want.begin());
    EXPECT(result(N) == want);
}
static void reduce() {
    CALL(with_room([&](void *r, size_t &s) {
        return rocprim::reduce(r, s, in, out, 0u, N, rocprim::plus<unsigned>());
    }));
    EXPECT(result(1)[0] == std::accumulate(data.begin(), data.end(), 0u));
}
struct IsEven {
    __device__ bool operator()(unsigned x) const { return !(x & 1); }
};
static void select() {
    unsigned *count;
    CALL(hipMalloc(&count, 4));
    CALL(with_room([&](void *r, size_t &s) { return rocprim::select(r, s, in, out, count, N, IsEven()); }));
    std::vector<unsigned> want;
    for (unsigned x : data)
        if (!(x & 1)) want.push_back(x);
    unsigned n;
    CALL(hipMemcpy(&n, count, 4, hipMemcpyDeviceToHost));
    EXPECT(n == want.size() && result(n) == want);
}
static void histogram() {
    CALL(hipMemset(out, 0, 65 * 4));
    CALL(with_room([&](void *r, size_t &s) {
        return rocprim::histogram_even(r, s, in, (unsigned)N, (unsigned *)out, 65u, 0u, 1u << 16);
    }));
    std::vector<unsigned> want(64);
    for (unsigned x : data)
        if (x < 1 << 16) want[x >> 10]++;
    std::vector<unsigned> got = result(64);
    EXPECT(got == want);
}
static void run_length() {
    std::vector<unsigned> runs(N);
    for (size_t i = 0; i < N; i++) runs[i] = (unsigned)(i / (1 + i / 1000 % 7));
    unsigned *keys, *count, *source;
    CALL(hipMalloc(&source, N * 4));
    CALL(hipMalloc(&keys, N * 4));
    CALL(hipMalloc(&count, 4));
    CALL(hipMemcpy(source, runs.data(), N * 4, hipMemcpyHostToDevice));
    CALL(with_room([&](void *r, size_t &s) {
        return rocprim::run_length_encode(r, s, source, (unsigned)N, keys, out, count);
    }));
    std::vector<unsigned> want;
    for (size_t i = 0; i < N; i++)
        if (i && runs[i] == runs[i - 1])
            want.back()++;
        else
            want.push_back(1);
    unsigned n;
    CALL(hipMemcpy(&n, count, 4, hipMemcpyDeviceToHost));
    EXPECT(n == want.size() && result(n) == want);
}

int main(int argc, char **argv) {
    arguments = 1, names = argv;
    if (argc > 1) N = (size_t)atol(argv[1]);
    data.resize(N);
    unsigned x = 1;
    for (size_t i = 0; i < N; i++) data[i] = (x = x * 1664525 + 1013904223) >> 12 & 0x1ffff;
    if (hipMalloc(&in, N * 4) != hipSuccess || hipMalloc(&out, N * 4) != hipSuccess ||
        hipMemcpy(in, data.data(), N * 4, hipMemcpyHostToDevice) != hipSuccess)
        return 2;
    CASE(sort);
    CASE(scan);
    CASE(reduce);
    CASE(select);
    CASE(histogram);
    CASE(run_length);
    return wrong;
}
