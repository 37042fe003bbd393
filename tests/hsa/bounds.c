// SPDX-License-Identifier: MIT
// What kernels may touch beside their memory: bounds CODE-OBJECT lenient|exact. Small device memory is a part
// of a block of 2 MiB, which its owner can read, as AMD's runtime has it; with exact bounds nothing beside it
// is there.
#include "hsa_rig.h"

static struct code code;
static struct {
    uint64_t address;
    uint32_t reasons;
    int count;
} event;
static hsa_status_t on_event(const hsa_amd_event_t *e, void *data) {
    (void)data;
    event.address = e->memory_fault.virtual_address;
    event.reasons = e->memory_fault.fault_reason_mask;
    __atomic_add_fetch(&event.count, 1, __ATOMIC_RELEASE);
    return HSA_STATUS_SUCCESS;
}

// True if the kernel ran to its end; else its memory fault is in `event`.
static bool runs(const char *kernel, const void *args) {
    hsa_queue_t *q = make_queue(gpus[0], 64);
    hsa_signal_t done = make_signal(1);
    const int before = __atomic_load_n(&event.count, __ATOMIC_ACQUIRE);
    dispatch(q, kernel_of(&code, kernel), args, 1, 1, done, 0);
    while (hsa_signal_load_scacquire(done) && __atomic_load_n(&event.count, __ATOMIC_ACQUIRE) == before)
        usleep(100);
    const bool ran = hsa_signal_load_scacquire(done) == 0;
    CALL(hsa_queue_destroy(q));
    CALL(hsa_signal_destroy(done));
    return ran;
}
static void *kernel_arguments;
static bool reads(const int *from, int *to) {
    struct {
        const int *from;
        int *to;
        int n;
    } args = {from, to, 1};
    memcpy(kernel_arguments, &args, sizeof args);
    return runs("vector_copy", kernel_arguments);
}
static bool writes(int *p, int value) {
    struct {
        int *p;
        int value;
    } args = {p, value};
    memcpy(kernel_arguments, &args, sizeof args);
    return runs("store", kernel_arguments);
}
static void not_there(const void *p) {
    CHECK(event.address == ((uint64_t)(uintptr_t)p & ~4095ull));
    CHECK(event.reasons == HSA_AMD_MEMORY_FAULT_PAGE_NOT_PRESENT);
}

static void small_memory(bool lenient) {
    int *out = take(device_pool[0], 4, false), *a = take(device_pool[0], 100, false),
        *b = take(device_pool[0], 5000, false), *c = take(device_pool[0], 4, false);
    *a = 1, *b = 2, *c = 3;
    // All of its pages are there; each allocation begins with zeros at a page of its own.
    CHECK(reads(a + 1023, out) && *out == 0 && writes(a + 1023, 7) && a[1023] == 7 && *b == 2);
    const int *beyond = a + (100 << 10 >> 2); // 100 KiB from its begin
    if (lenient) {
        CHECK((char *)b - (char *)a == 4096 && (char *)c - (char *)b == 8192); // of one block
        CHECK(reads(a + 1024, out) && *out == 2 && reads(a + 3072, out) && *out == 3);
        CHECK(reads(beyond, out) && *out == 0);
        CHECK(reads(a + (16 << 20 >> 2), out) && *out == 0); // behind the block
        CHECK(!writes((int *)beyond, 1));
        not_there(beyond);
    } else {
        CHECK(!reads(a + 1024, out));
        not_there(a + 1024);
    }
    // What was freed holds nothing, and its neighbours all that they did.
    *b = 4;
    CALL(hsa_amd_memory_pool_free(b));
    CHECK(!writes(b, 1));
    not_there(b);
    *out = 5;
    CHECK(reads(b, out) == lenient && *out == (lenient ? 0 : 5));
    CHECK(*a == 1 && *c == 3 && a[1023] == 7);
    CHECK(hsa_amd_memory_pool_free(b) == HSA_STATUS_ERROR_INVALID_ALLOCATION);
    CALL(hsa_amd_memory_pool_free(a));
    CALL(hsa_amd_memory_pool_free(c));
    CALL(hsa_amd_memory_pool_free(out));
}

static void large_memory(bool lenient) {
    enum { SIZE = (2 << 20) + 4096 };
    int *out = take(device_pool[0], 4, false);
    char *p = take(device_pool[0], SIZE, false);
    CHECK((uintptr_t)p % (2 << 20) == 0);
    CHECK(reads((int *)(p + SIZE), out) == lenient);
    if (!lenient) not_there(p + SIZE);
    CHECK(reads((int *)(p + (4 << 20) - 4), out) == lenient);
    CHECK(!writes((int *)(p + SIZE), 1));
    not_there(p + SIZE);
    CHECK(reads((int *)(p + (20 << 20) - 4), out) == lenient && *out == 0); // a tile of a matrix further
    CHECK(!reads((int *)(p + (20 << 20)), out));
    CALL(hsa_amd_memory_pool_free(p));
    CHECK(!reads((int *)p, out));
    CHECK(!reads((int *)(p + SIZE), out));
    CALL(hsa_amd_memory_pool_free(out));
}

static void host_memory(void) {
    int *out = take(device_pool[0], 4, false), *p = take(fine, 4, true);
    CHECK(reads(p, out) && !reads(p + 1024, out)); // has no blocks
    not_there(p + 1024);
    CALL(hsa_amd_memory_pool_free(p));
    CALL(hsa_amd_memory_pool_free(out));
}

// Kernels may write the constants of a code object, as cards let them, but not its instructions. A kernel's
// descriptor is a constant; bytes 28 to 31 of it are reserved.
static void constants(void) {
    char *descriptor = (char *)(uintptr_t)kernel_of(&code, "spin"),
         *entry = descriptor + *(int64_t *)(descriptor + 16);
    const int before = *(int *)entry;
    CHECK(writes((int *)(descriptor + 28), 77) && *(int *)(descriptor + 28) == 77);
    CHECK(writes((int *)(descriptor + 28), 0));
    CHECK(!writes((int *)entry, 77) && *(int *)entry == before);
    CHECK(event.address == ((uint64_t)(uintptr_t)entry & ~4095ull));
    CHECK(event.reasons == HSA_AMD_MEMORY_FAULT_READ_ONLY);
}

// Of another GPU only what was opened to this one.
static void other_gpu(bool lenient) {
    if (gpu_count < 2) return;
    int *out = take(device_pool[0], 4, false), *theirs = take(device_pool[1], 4, false);
    *theirs = 9;
    CHECK(!reads(theirs, out));
    CALL(hsa_amd_agents_allow_access(1, gpus, NULL, theirs));
    CHECK(reads(theirs, out) && *out == 9 && writes(theirs, 8) && *theirs == 8);
    CHECK(!reads(theirs + 1024, out));
    CALL(hsa_amd_memory_pool_free(theirs));
    CHECK(!reads(theirs, out));
    CALL(hsa_amd_memory_pool_free(out));
    (void)lenient;
}

static long kibibytes_of(const char *what) {
    char line[256];
    long n = -1;
    FILE *f = fopen("/proc/self/status", "r");
    while (n < 0 && fgets(line, sizeof line, f))
        if (!strncmp(line, what, strlen(what))) n = atol(line + strlen(what));
    fclose(f);
    return n;
}
// Memory, addresses and the pool's account go back with what is freed: pages of it would be 400 MB.
static void comes_and_goes(void) {
    enum { ROUNDS = 400, AT_ONCE = 250 };
    static void *p[AT_ONCE];
    uint64_t free_before, free_after;
    CALL(hsa_agent_get_info(gpus[0], (hsa_agent_info_t)0xa015, &free_before));
    long memory = 0, addresses = 0;
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < AT_ONCE; i++) {
            p[i] = take(device_pool[0], 1 + (size_t)(i % 3) * 4096, false);
            CHECK(*(int *)p[i] == 0); // nothing of what was there before
            memset(p[i], 0xff, 1 + (size_t)(i % 3) * 4096);
        }
        for (int i = 0; i < AT_ONCE; i++) CALL(hsa_amd_memory_pool_free(p[(i * 7) % AT_ONCE]));
        if (round == 20) memory = kibibytes_of("VmRSS:"), addresses = kibibytes_of("VmSize:");
    }
    CHECK(kibibytes_of("VmRSS:") < memory + 20000 && kibibytes_of("VmSize:") < addresses + 20000);
    CALL(hsa_agent_get_info(gpus[0], (hsa_agent_info_t)0xa015, &free_after));
    CHECK(free_before == free_after);
}

#define RUN(name, ...) (name(__VA_ARGS__), printf("ok %s: " #name "\n", argv[2]), fflush(stdout))
int main(int argc, char **argv) {
    CHECK(argc == 3);
    const bool lenient = !strcmp(argv[2], "lenient");
    open_runtime();
    CALL(hsa_amd_register_system_event_handler(on_event, NULL));
    load_code(&code, argv[1], gpus[0]);
    kernel_arguments = take(kernargs, 64, true);
    RUN(small_memory, lenient);
    RUN(large_memory, lenient);
    RUN(host_memory);
    RUN(constants);
    RUN(other_gpu, lenient);
    RUN(comes_and_goes);
    drop_code(&code);
    CALL(hsa_shut_down());
    return 0;
}
