// SPDX-License-Identifier: MIT
// Memory under HIP: copies of every kind, pinned, registered, mapped and managed memory, pools, globals.
#include "check.h"

__global__ void add(int *p, int n, int by) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) p[i] += by;
}
__constant__ int table[16];
__device__ int counter[4] = {1, 2, 3, 4};
__global__ void use_globals(int *out) {
    out[threadIdx.x] = table[threadIdx.x] * 10 + counter[threadIdx.x & 3];
}

static const int N = 100000;

static void linear_copies() {
    std::vector<int> a(N), b(N);
    for (int i = 0; i < N; i++) a[i] = i * 7;
    int *x, *y;
    CALL(hipMalloc(&x, N * 4));
    CALL(hipMalloc(&y, N * 4));
    CALL(hipMemcpy(x, a.data(), N * 4, hipMemcpyHostToDevice));
    add<<<(N + 255) / 256, 256>>>(x, N, 5);
    CALL(hipMemcpy(y, x, N * 4, hipMemcpyDeviceToDevice));
    CALL(hipMemcpy(b.data(), y, N * 4, hipMemcpyDeviceToHost));
    for (int i = 0; i < N; i++) EXPECT(b[i] == i * 7 + 5);
    CALL(hipMemset(x, 0x11, N * 4));
    CALL(hipMemsetD32((hipDeviceptr_t)y, 12345, N));
    CALL(hipMemcpy(a.data(), x, N * 4, hipMemcpyDeviceToHost));
    CALL(hipMemcpy(b.data(), y, N * 4, hipMemcpyDeviceToHost));
    for (int i = 0; i < N; i++) EXPECT(a[i] == 0x11111111 && b[i] == 12345);
    CALL(hipFree(x));
    CALL(hipFree(y));
}

static void copies_2d_and_3d() {
    const int w = 100, h = 37;
    std::vector<int> a(w * h), b(w * h, -1);
    for (int i = 0; i < w * h; i++) a[i] = i;
    int *p;
    size_t pitch;
    CALL(hipMallocPitch((void **)&p, &pitch, w * 4, h));
    EXPECT(pitch >= w * 4);
    CALL(hipMemcpy2D(p, pitch, a.data(), w * 4, w * 4, h, hipMemcpyHostToDevice));
    CALL(hipMemcpy2D(b.data(), w * 4, p, pitch, w * 4, h, hipMemcpyDeviceToHost));
    EXPECT(a == b);
    std::fill(b.begin(), b.end(), -1);
    CALL(hipMemcpy2DAsync(b.data(), w * 4, (char *)p + pitch + 8, pitch, (w - 2) * 4, h - 1,
                          hipMemcpyDeviceToHost, 0));
    CALL(hipDeviceSynchronize());
    for (int y = 0; y < h - 1; y++)
        for (int x = 0; x < w - 2; x++) EXPECT(b[y * w + x] == (y + 1) * w + x + 2);
    CALL(hipMemset2D(p, pitch, 0, w * 4, h));
    CALL(hipFree(p));
    hipPitchedPtr q;
    CALL(hipMalloc3D(&q, make_hipExtent(40, 5, 6)));
    std::vector<char> c(40 * 5 * 6), d(40 * 5 * 6);
    for (size_t i = 0; i < c.size(); i++) c[i] = (char)i;
    hipMemcpy3DParms m = {};
    m.srcPtr = make_hipPitchedPtr(c.data(), 40, 40, 5);
    m.dstPtr = q;
    m.extent = make_hipExtent(40, 5, 6);
    m.kind = hipMemcpyHostToDevice;
    CALL(hipMemcpy3D(&m));
    m.srcPtr = q;
    m.dstPtr = make_hipPitchedPtr(d.data(), 40, 40, 5);
    m.kind = hipMemcpyDeviceToHost;
    CALL(hipMemcpy3D(&m));
    EXPECT(c == d);
    CALL(hipFree(q.ptr));
}

static void pinned_memory() {
    int *host, *device, *seen;
    CALL(hipHostMalloc((void **)&host, N * 4, hipHostMallocMapped));
    CALL(hipHostGetDevicePointer((void **)&seen, host, 0));
    for (int i = 0; i < N; i++) host[i] = i;
    add<<<(N + 255) / 256, 256>>>(seen, N, 1);
    CALL(hipDeviceSynchronize());
    for (int i = 0; i < N; i++) EXPECT(host[i] == i + 1);
    CALL(hipMalloc(&device, N * 4));
    CALL(hipMemcpyAsync(device, host, N * 4, hipMemcpyHostToDevice, 0));
    add<<<(N + 255) / 256, 256>>>(device, N, 1);
    CALL(hipMemcpyAsync(host, device, N * 4, hipMemcpyDeviceToHost, 0));
    CALL(hipStreamSynchronize(0));
    for (int i = 0; i < N; i++) EXPECT(host[i] == i + 2);
    CALL(hipFree(device));
    CALL(hipHostFree(host));
}

static void registered_memory() {
    std::vector<int> host(N);
    for (int i = 0; i < N; i++) host[i] = i;
    int *seen;
    CALL(hipHostRegister(host.data(), N * 4, hipHostRegisterMapped));
    CALL(hipHostGetDevicePointer((void **)&seen, host.data(), 0));
    add<<<(N + 255) / 256, 256>>>(seen, N, 3);
    CALL(hipDeviceSynchronize());
    for (int i = 0; i < N; i++) EXPECT(host[i] == i + 3);
    CALL(hipHostUnregister(host.data()));
}

static void managed_memory() {
    int *p;
    CALL(hipMallocManaged((void **)&p, N * 4));
    for (int i = 0; i < N; i++) p[i] = i;
    add<<<(N + 255) / 256, 256>>>(p, N, 9);
    CALL(hipDeviceSynchronize());
    for (int i = 0; i < N; i++) EXPECT(p[i] == i + 9);
    CALL(hipMemPrefetchAsync(p, N * 4, 0, 0));
    CALL(hipMemAdvise(p, N * 4, hipMemAdviseSetReadMostly, 0));
    CALL(hipDeviceSynchronize());
    CALL(hipFree(p));
}

static void globals() {
    int values[16], out[16], *p;
    for (int i = 0; i < 16; i++) values[i] = i;
    CALL(hipMemcpyToSymbol(HIP_SYMBOL(table), values, sizeof values));
    int two = 20;
    CALL(hipMemcpyToSymbol(HIP_SYMBOL(counter), &two, 4, 4));
    CALL(hipMalloc(&p, sizeof out));
    use_globals<<<1, 16>>>(p);
    CALL(hipMemcpy(out, p, sizeof out, hipMemcpyDeviceToHost));
    const int counters[4] = {1, 20, 3, 4};
    for (int i = 0; i < 16; i++) EXPECT(out[i] == i * 10 + counters[i & 3]);
    int back[4];
    CALL(hipMemcpyFromSymbol(back, HIP_SYMBOL(counter), sizeof back));
    EXPECT(back[1] == 20 && back[3] == 4);
    CALL(hipFree(p));
}

static void pools() {
    hipStream_t s;
    CALL(hipStreamCreate(&s));
    for (int round = 0; round < 20; round++) {
        int *p, first;
        CALL(hipMallocAsync((void **)&p, 4096, s));
        CALL(hipMemsetAsync(p, 0, 4096, s));
        add<<<4, 256, 0, s>>>(p, 1024, round);
        CALL(hipMemcpyAsync(&first, p, 4, hipMemcpyDeviceToHost, s));
        CALL(hipFreeAsync(p, s));
        CALL(hipStreamSynchronize(s));
        EXPECT(first == round);
    }
    // HIP 5.2.3 never returns from destroying a stream that memory was freed in.
}

static void out_of_memory() {
    void *p = nullptr;
    EXPECT(hipMalloc(&p, (size_t)1 << 46) == hipErrorOutOfMemory);
    size_t free_bytes, total;
    CALL(hipMemGetInfo(&free_bytes, &total));
    EXPECT(total >= free_bytes && total >= (size_t)1 << 30);
    CALL(hipMalloc(&p, 1 << 20)); // and it goes on
    CALL(hipFree(p));
}

int main(int argc, char **argv) {
    arguments = argc, names = argv;
    CASE(linear_copies);
    CASE(copies_2d_and_3d);
    CASE(pinned_memory);
    CASE(registered_memory);
    CASE(managed_memory);
    CASE(globals);
    CASE(pools);
    CASE(out_of_memory);
    return wrong;
}
