// SPDX-License-Identifier: MIT
// What the plain HSA programs share: the runtime's agents, a loaded code object, a queue, dispatches.
#ifndef TESTS_HSA_RIG_H
#define TESTS_HSA_RIG_H

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <hsa/hsa.h>
#include <hsa/hsa_ext_amd.h>

#define CHECK(...)                                                                                           \
    do {                                                                                                     \
        if (!(__VA_ARGS__)) {                                                                                \
            printf("%s:%d: not so: %s\n", __FILE__, __LINE__, #__VA_ARGS__);                                 \
            exit(1);                                                                                         \
        }                                                                                                    \
    } while (0)
#define CALL(...) CHECK((__VA_ARGS__) == HSA_STATUS_SUCCESS)
// Waits until it is so. What never becomes so, the script ends: a loaded machine may take long.
#define UNTIL(...)                                                                                           \
    while (!(__VA_ARGS__)) usleep(100)

static hsa_agent_t cpu, gpus[8];
static unsigned gpu_count;
static hsa_amd_memory_pool_t fine, kernargs, device_pool[8];

static hsa_status_t note_agent(hsa_agent_t a, void *data) {
    hsa_device_type_t type;
    (void)data;
    CALL(hsa_agent_get_info(a, HSA_AGENT_INFO_DEVICE, &type));
    if (type == HSA_DEVICE_TYPE_CPU)
        cpu = a;
    else if (gpu_count < 8)
        gpus[gpu_count++] = a;
    return HSA_STATUS_SUCCESS;
}
static hsa_status_t note_pool(hsa_amd_memory_pool_t p, void *data) {
    uint32_t flags, segment;
    hsa_amd_memory_pool_t *device = data;
    CALL(hsa_amd_memory_pool_get_info(p, HSA_AMD_MEMORY_POOL_INFO_SEGMENT, &segment));
    if (segment != HSA_AMD_SEGMENT_GLOBAL) return HSA_STATUS_SUCCESS;
    CALL(hsa_amd_memory_pool_get_info(p, HSA_AMD_MEMORY_POOL_INFO_GLOBAL_FLAGS, &flags));
    if (device)
        *device = p;
    else if (flags & HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_KERNARG_INIT)
        kernargs = p;
    else if (flags & HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_FINE_GRAINED)
        fine = p;
    return HSA_STATUS_SUCCESS;
}
static void open_runtime(void) {
    gpu_count = 0;
    CALL(hsa_init());
    CALL(hsa_iterate_agents(note_agent, NULL));
    CHECK(gpu_count);
    CALL(hsa_amd_agent_iterate_memory_pools(cpu, note_pool, NULL));
    for (unsigned i = 0; i < gpu_count; i++)
        CALL(hsa_amd_agent_iterate_memory_pools(gpus[i], note_pool, &device_pool[i]));
}

struct code {
    hsa_executable_t executable;
    hsa_code_object_reader_t reader;
    void *bytes;
    hsa_agent_t agent;
};
static void load_code(struct code *c, const char *path, hsa_agent_t agent) {
    FILE *f = fopen(path, "rb");
    CHECK(f);
    fseek(f, 0, SEEK_END);
    const long size = ftell(f);
    rewind(f);
    c->bytes = malloc((size_t)size);
    CHECK(fread(c->bytes, 1, (size_t)size, f) == (size_t)size);
    fclose(f);
    c->agent = agent;
    CALL(hsa_code_object_reader_create_from_memory(c->bytes, (size_t)size, &c->reader));
    CALL(hsa_executable_create_alt(HSA_PROFILE_FULL, HSA_DEFAULT_FLOAT_ROUNDING_MODE_DEFAULT, NULL,
                                   &c->executable));
    CALL(hsa_executable_load_agent_code_object(c->executable, agent, c->reader, NULL, NULL));
    CALL(hsa_executable_freeze(c->executable, NULL));
}
static void drop_code(struct code *c) {
    CALL(hsa_executable_destroy(c->executable));
    CALL(hsa_code_object_reader_destroy(c->reader));
    free(c->bytes);
}
static uint64_t kernel_of(const struct code *c, const char *name) {
    hsa_executable_symbol_t s;
    uint64_t object;
    char full[64];
    snprintf(full, sizeof full, "%s.kd", name);
    if (hsa_executable_get_symbol_by_name(c->executable, full, &c->agent, &s)) // V2 has plain names
        CALL(hsa_executable_get_symbol_by_name(c->executable, name, &c->agent, &s));
    CALL(hsa_executable_symbol_get_info(s, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_OBJECT, &object));
    return object;
}

static hsa_status_t queue_status;
static void on_error(hsa_status_t status, hsa_queue_t *queue, void *data) {
    (void)queue, (void)data;
    __atomic_store_n(&queue_status, status, __ATOMIC_RELEASE);
}
static hsa_queue_t *make_queue(hsa_agent_t agent, uint32_t size) {
    hsa_queue_t *q;
    CALL(hsa_queue_create(agent, size, HSA_QUEUE_TYPE_MULTI, on_error, NULL, UINT32_MAX, UINT32_MAX, &q));
    return q;
}
static hsa_signal_t make_signal(hsa_signal_value_t value) {
    hsa_signal_t s;
    CALL(hsa_signal_create(value, 0, NULL, &s));
    return s;
}

enum { BARRIER = 1 << HSA_PACKET_HEADER_BARRIER };
static void put(hsa_queue_t *q, const void *packet, uint16_t header) {
    const uint64_t at = hsa_queue_add_write_index_scacq_screl(q, 1);
    while (at - hsa_queue_load_read_index_scacquire(q) >= q->size) usleep(10);
    char *slot = (char *)q->base_address + (at & (q->size - 1)) * 64;
    memcpy(slot + 2, (const char *)packet + 2, 62);
    __atomic_store_n((uint16_t *)slot, header, __ATOMIC_RELEASE);
    hsa_signal_store_screlease(q->doorbell_signal, (hsa_signal_value_t)at);
}
static void dispatch(hsa_queue_t *q, uint64_t kernel, const void *args, uint32_t items, uint32_t group,
                     hsa_signal_t done, uint16_t flags) {
    hsa_kernel_dispatch_packet_t p = {0};
    p.setup = 1;
    p.workgroup_size_x = (uint16_t)group;
    p.workgroup_size_y = p.workgroup_size_z = 1;
    p.grid_size_x = items;
    p.grid_size_y = p.grid_size_z = 1;
    p.kernel_object = kernel;
    p.kernarg_address = (void *)(uintptr_t)args;
    p.completion_signal = done;
    put(q, &p, HSA_PACKET_TYPE_KERNEL_DISPATCH | flags | 2 << 9 | 2 << 11);
}
static void *take(hsa_amd_memory_pool_t pool, size_t size, bool open) {
    void *p;
    CALL(hsa_amd_memory_pool_allocate(pool, size, 0, &p));
    if (open) CALL(hsa_amd_agents_allow_access(gpu_count, gpus, NULL, p));
    return p;
}
static bool wait_zero(hsa_signal_t s) {
    return hsa_signal_wait_scacquire(s, HSA_SIGNAL_CONDITION_LT, 1, 280000000000ull, HSA_WAIT_STATE_BLOCKED) <
           1;
}
static double seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

#endif
