// SPDX-License-Identifier: MIT
// Virtual memory under HIP 6 and later: reserved addresses, memory without an address, mappings with rights
// for each device, ranges that grow, two addresses of one memory. "unmapped" and "closed" as the first
// argument are kernels that touch what they may not; the program ends in a memory fault.
#include "check.h"

__global__ void fill(int *p, int n, int value) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) p[i] = value + i;
}
__global__ void total(const int *p, int n, unsigned long long *sum) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(sum, (unsigned long long)p[i]);
}

static hipMemAllocationProp on_device(int device) {
    hipMemAllocationProp p = {};
    p.type = hipMemAllocationTypePinned;
    p.location.type = hipMemLocationTypeDevice;
    p.location.id = device;
    return p;
}
static hipMemAccessDesc for_device(int device, hipMemAccessFlags flags) {
    hipMemAccessDesc d = {};
    d.location.type = hipMemLocationTypeDevice;
    d.location.id = device;
    d.flags = flags;
    return d;
}
static size_t granule() {
    const hipMemAllocationProp p = on_device(0);
    size_t size = 0;
    return hipMemGetAllocationGranularity(&size, &p, hipMemAllocationGranularityRecommended) == hipSuccess
               ? size
               : 0;
}

static void one_mapping() {
    int can = 0;
    CALL(hipDeviceGetAttribute(&can, hipDeviceAttributeVirtualMemoryManagementSupported, 0));
    EXPECT(can == 1);
    const size_t size = granule() * 3;
    EXPECT(size >= 3 * 4096);
    const hipMemAllocationProp p = on_device(0);
    void *at;
    hipMemGenericAllocationHandle_t memory, same;
    CALL(hipMemAddressReserve(&at, size, 0, nullptr, 0));
    EXPECT((uintptr_t)at % granule() == 0);
    CALL(hipMemCreate(&memory, size, &p, 0));
    CALL(hipMemMap(at, size, 0, memory, 0));
    const hipMemAccessDesc d = for_device(0, hipMemAccessFlagsProtReadWrite);
    CALL(hipMemSetAccess(at, size, &d, 1));
    unsigned long long flags = 0;
    hipMemLocation here = d.location;
    CALL(hipMemGetAccess(&flags, &here, at));
    EXPECT(flags == hipMemAccessFlagsProtReadWrite);
    hipMemAllocationProp told = {};
    CALL(hipMemGetAllocationPropertiesFromHandle(&told, memory));
    EXPECT(told.location.id == 0 && told.type == hipMemAllocationTypePinned);
    CALL(hipMemRetainAllocationHandle(&same, at));
    EXPECT(same == memory);
    const int n = (int)(size / 4);
    fill<<<(n + 255) / 256, 256>>>((int *)at, n, 3);
    std::vector<int> out(n);
    CALL(hipMemcpy(out.data(), at, size, hipMemcpyDeviceToHost));
    for (int i = 0; i < n; i++) EXPECT(out[i] == 3 + i);
    CALL(hipMemset(at, 0x22, size));
    CALL(hipMemcpy(out.data(), (char *)at + size / 2, size / 2, hipMemcpyDeviceToHost));
    for (int i = 0; i < n / 2; i++) EXPECT(out[i] == 0x22222222);
    CALL(hipMemUnmap(at, size));
    CALL(hipMemRelease(same));
    CALL(hipMemRelease(memory));
    CALL(hipMemAddressFree(at, size));
}

// A range of addresses into which memory is put step by step, as allocators do that grow.
static void a_range_that_grows() {
    const size_t step = granule() * 2, steps = 16;
    const hipMemAllocationProp p = on_device(0);
    const hipMemAccessDesc d = for_device(0, hipMemAccessFlagsProtReadWrite);
    char *at;
    unsigned long long *sum, total_of_all = 0, expected = 0;
    CALL(hipMemAddressReserve((void **)&at, step * steps, 0, nullptr, 0));
    CALL(hipMalloc((void **)&sum, 8));
    std::vector<hipMemGenericAllocationHandle_t> memory(steps);
    const int n = (int)(step / 4);
    for (size_t k = 0; k < steps; k++) {
        CALL(hipMemCreate(&memory[k], step, &p, 0));
        CALL(hipMemMap(at + k * step, step, 0, memory[k], 0));
        CALL(hipMemSetAccess(at + k * step, step, &d, 1));
        fill<<<(n + 255) / 256, 256>>>((int *)(at + k * step), n, (int)k * 7);
        const int all = (int)((k + 1) * step / 4);
        CALL(hipMemset(sum, 0, 8));
        total<<<(all + 255) / 256, 256>>>((const int *)at, all, sum); // over all that is there
        CALL(hipMemcpy(&total_of_all, sum, 8, hipMemcpyDeviceToHost));
        expected += (unsigned long long)n * (n - 1) / 2 + (unsigned long long)n * k * 7;
        EXPECT(total_of_all == expected);
    }
    // One copy over several mappings.
    std::vector<int> out(n * 2);
    CALL(hipMemcpy(out.data(), at + step / 2, step * 2, hipMemcpyDeviceToHost));
    EXPECT(out[0] == n / 2 && out[n / 2] == 7 && out[n / 2 + n] == 14);
    for (size_t k = 0; k < steps; k++) {
        CALL(hipMemUnmap(at + k * step, step));
        CALL(hipMemRelease(memory[k]));
    }
    CALL(hipMemAddressFree(at, step * steps));
    CALL(hipFree(sum));
}

// The same memory at two addresses, and again at another one after it was unmapped.
static void two_addresses() {
    const size_t size = granule();
    const int n = (int)(size / 4);
    const hipMemAllocationProp p = on_device(0);
    const hipMemAccessDesc d = for_device(0, hipMemAccessFlagsProtReadWrite);
    int *a, *b, out = 0;
    hipMemGenericAllocationHandle_t memory;
    CALL(hipMemAddressReserve((void **)&a, size, 0, nullptr, 0));
    CALL(hipMemAddressReserve((void **)&b, size, 0, nullptr, 0));
    CALL(hipMemCreate(&memory, size, &p, 0));
    CALL(hipMemMap(a, size, 0, memory, 0));
    CALL(hipMemSetAccess(a, size, &d, 1));
    fill<<<(n + 255) / 256, 256>>>(a, n, 11);
    CALL(hipDeviceSynchronize());
    CALL(hipMemUnmap(a, size));
    CALL(hipMemMap(b, size, 0, memory, 0));
    CALL(hipMemSetAccess(b, size, &d, 1));
    CALL(hipMemcpy(&out, b + n - 1, 4, hipMemcpyDeviceToHost));
    EXPECT(out == 11 + n - 1);
    CALL(hipMemUnmap(b, size));
    CALL(hipMemRelease(memory));
    CALL(hipMemAddressFree(a, size));
    CALL(hipMemAddressFree(b, size));
}

static void memory_of_another_device() {
    int count;
    CALL(hipGetDeviceCount(&count));
    if (count < 2) return;
    const size_t size = granule();
    const int n = (int)(size / 4);
    const hipMemAllocationProp p = on_device(1);
    const hipMemAccessDesc both[] = {for_device(0, hipMemAccessFlagsProtReadWrite),
                                     for_device(1, hipMemAccessFlagsProtReadWrite)};
    int *a, out = 0;
    hipMemGenericAllocationHandle_t memory;
    CALL(hipMemAddressReserve((void **)&a, size, 0, nullptr, 0));
    CALL(hipMemCreate(&memory, size, &p, 0));
    CALL(hipMemMap(a, size, 0, memory, 0));
    CALL(hipMemSetAccess(a, size, both, 2));
    for (int device = 0; device < 2; device++) {
        CALL(hipSetDevice(device));
        fill<<<(n + 255) / 256, 256>>>(a, n, device * 100);
        CALL(hipDeviceSynchronize());
        CALL(hipMemcpy(&out, a + n - 1, 4, hipMemcpyDeviceToHost));
        EXPECT(out == device * 100 + n - 1);
    }
    CALL(hipSetDevice(0));
    CALL(hipMemUnmap(a, size));
    CALL(hipMemRelease(memory));
    CALL(hipMemAddressFree(a, size));
}

static void refusals() {
    const size_t size = granule();
    const hipMemAllocationProp p = on_device(0);
    void *at;
    hipMemGenericAllocationHandle_t memory;
    EXPECT(hipMemCreate(&memory, size + 1, &p, 0) != hipSuccess);
    EXPECT(hipMemAddressReserve(&at, 0, 0, nullptr, 0) != hipSuccess);
    CALL(hipMemAddressReserve(&at, size, 0, nullptr, 0));
    CALL(hipMemCreate(&memory, size, &p, 0));
    EXPECT(hipMemMap(at, size, size, memory, 0) != hipSuccess); // no offset
    CALL(hipMemRelease(memory));
    CALL(hipMemAddressFree(at, size));
}

// Ends in a memory fault.
static void touch(bool closed) {
    const size_t size = granule();
    const hipMemAllocationProp p = on_device(0);
    const hipMemAccessDesc d = for_device(0, hipMemAccessFlagsProtReadWrite);
    int *at;
    hipMemGenericAllocationHandle_t memory;
    CALL(hipMemAddressReserve((void **)&at, size, 0, nullptr, 0));
    CALL(hipMemCreate(&memory, size, &p, 0));
    CALL(hipMemMap(at, size, 0, memory, 0));
    if (!closed) {
        CALL(hipMemSetAccess(at, size, &d, 1));
        fill<<<1, 64>>>(at, 64, 0);
        CALL(hipDeviceSynchronize());
        CALL(hipMemUnmap(at, size));
    }
    fill<<<1, 64>>>(at, 64, 0);
    CALL(hipDeviceSynchronize());
}

int main(int argc, char **argv) {
    if (argc > 1 && (!strcmp(argv[1], "unmapped") || !strcmp(argv[1], "closed"))) {
        touch(!strcmp(argv[1], "closed"));
        return 0;
    }
    arguments = argc, names = argv;
    CASE(one_mapping);
    CASE(a_range_that_grows);
    CASE(two_addresses);
    CASE(memory_of_another_device);
    CASE(refusals);
    return wrong;
}
