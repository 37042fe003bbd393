// SPDX-License-Identifier: MIT
// The calls of the interface that plain.c does not make: rest CODE-OBJECT. The deprecated ones, extensions,
// what agents and pools say, the other orders of operations, what is refused by definition.
#include "hsa_rig.h"

#include <fcntl.h>
#include <hsa/hsa_ext_finalize.h>
#include <hsa/hsa_ext_image.h>
#include <hsa/hsa_ven_amd_loader.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>

static const char *path;

// ---- What agents, pools, caches and instruction sets say ----

static hsa_status_t count(uint64_t handle, void *data) {
    (void)handle;
    ++*(int *)data;
    return HSA_STATUS_SUCCESS;
}
static hsa_status_t count_isa(hsa_isa_t h, void *d) { return count(h.handle, d); }
static hsa_status_t count_pool(hsa_amd_memory_pool_t h, void *d) { return count(h.handle, d); }
static hsa_status_t stop_at_once(hsa_agent_t a, void *data) {
    ++*(int *)data;
    (void)a;
    return HSA_STATUS_INFO_BREAK;
}
static hsa_status_t look_at_cache(hsa_cache_t c, void *data) {
    uint32_t length, size;
    uint8_t level;
    char name[64] = "";
    CALL(hsa_cache_get_info(c, HSA_CACHE_INFO_NAME_LENGTH, &length));
    CALL(hsa_cache_get_info(c, HSA_CACHE_INFO_NAME, name));
    CALL(hsa_cache_get_info(c, HSA_CACHE_INFO_LEVEL, &level));
    CALL(hsa_cache_get_info(c, HSA_CACHE_INFO_SIZE, &size));
    CHECK(strlen(name) == length && level >= 1 && level <= 3 && size >= 1024);
    return count(c.handle, data);
}
static hsa_status_t look_at_region(hsa_region_t r, void *data) {
    uint32_t segment, flags;
    size_t size, most, granule;
    bool may;
    CALL(hsa_region_get_info(r, HSA_REGION_INFO_SEGMENT, &segment));
    CALL(hsa_region_get_info(r, HSA_REGION_INFO_GLOBAL_FLAGS, &flags));
    CALL(hsa_region_get_info(r, HSA_REGION_INFO_SIZE, &size));
    CALL(hsa_region_get_info(r, HSA_REGION_INFO_ALLOC_MAX_SIZE, &most));
    CALL(hsa_region_get_info(r, HSA_REGION_INFO_RUNTIME_ALLOC_ALLOWED, &may));
    CALL(hsa_region_get_info(r, HSA_REGION_INFO_RUNTIME_ALLOC_GRANULE, &granule));
    CHECK(size && may == (segment == HSA_REGION_SEGMENT_GLOBAL) && (most == size) == may);
    if (flags & HSA_REGION_GLOBAL_FLAG_KERNARG) *(hsa_region_t *)data = r;
    return HSA_STATUS_SUCCESS;
}
static hsa_status_t look_at_wavefront(hsa_wavefront_t w, void *data) {
    uint32_t size;
    CALL(hsa_wavefront_get_info(w, HSA_WAVEFRONT_INFO_SIZE, &size));
    CHECK(size == 32 || size == 64);
    return count(w.handle, data);
}

static void facts(void) {
    int n = 0;
    CHECK(hsa_iterate_agents(stop_at_once, &n) == HSA_STATUS_INFO_BREAK && n == 1);
    uint64_t a, b;
    uint16_t major, mask;
    const char *text;
    CALL(hsa_system_get_info(HSA_SYSTEM_INFO_TIMESTAMP, &a));
    CALL(hsa_system_get_info(HSA_SYSTEM_INFO_TIMESTAMP, &b));
    CALL(hsa_system_get_info(HSA_SYSTEM_INFO_VERSION_MAJOR, &major));
    CHECK(a <= b && major == 1);
    CALL(hsa_amd_profiling_convert_tick_to_system_domain(gpus[0], a, &b));
    CHECK(a == b);
    CALL(hsa_status_string(HSA_STATUS_ERROR_EXCEPTION, &text));
    CHECK(*text);
    CHECK(hsa_status_string((hsa_status_t)0x999, &text) == HSA_STATUS_ERROR_INVALID_ARGUMENT);
    char name[64];
    CALL(hsa_agent_get_info(gpus[0], HSA_AGENT_INFO_NAME, name));
    CHECK(!strncmp(name, "gfx", 3) && !strchr(name, ':'));
    hsa_isa_t isa;
    uint32_t length, wave;
    char isa_name[128];
    CALL(hsa_agent_get_info(gpus[0], HSA_AGENT_INFO_ISA, &isa));
    CALL(hsa_isa_get_info_alt(isa, HSA_ISA_INFO_NAME_LENGTH, &length));
    CALL(hsa_isa_get_info_alt(isa, HSA_ISA_INFO_NAME, isa_name));
    CHECK(length == strlen(isa_name) + 1 && strstr(isa_name, name));
    CALL(hsa_isa_get_info(isa, HSA_ISA_INFO_CALL_CONVENTION_INFO_WAVEFRONT_SIZE, 0, &wave));
    CHECK(wave == 32 || wave == 64);
    bool fits;
    CALL(hsa_isa_compatible(isa, isa, &fits));
    CHECK(fits);
    hsa_round_method_t method;
    CALL(hsa_isa_get_round_method(isa, HSA_FP_TYPE_32, HSA_FLUSH_MODE_FTZ, &method));
    CHECK(method == HSA_ROUND_METHOD_SINGLE);
    CALL(hsa_isa_get_exception_policies(isa, HSA_PROFILE_BASE, &mask));
    CHECK(mask == HSA_EXCEPTION_POLICY_DETECT);
    CALL(hsa_agent_get_exception_policies(gpus[0], HSA_PROFILE_BASE, &mask));
    CHECK(mask == HSA_EXCEPTION_POLICY_DETECT);
    n = 0;
    CALL(hsa_agent_iterate_isas(gpus[0], count_isa, &n));
    CHECK(n == 1); // HIP refuses devices with two
    n = 0;
    CALL(hsa_isa_iterate_wavefronts(isa, look_at_wavefront, &n));
    CHECK(n >= 1 && n <= 2);
    n = 0;
    CALL(hsa_agent_iterate_caches(gpus[0], look_at_cache, &n));
    CHECK(n >= 1);
    n = 0;
    CALL(hsa_amd_agent_iterate_memory_pools(gpus[0], count_pool, &n));
    CHECK(n == 2);
    uint32_t access;
    CALL(hsa_amd_agent_memory_pool_get_info(gpus[0], fine, HSA_AMD_AGENT_MEMORY_POOL_INFO_ACCESS, &access));
    CHECK(access == HSA_AMD_MEMORY_POOL_ACCESS_DISALLOWED_BY_DEFAULT);
    CALL(hsa_amd_memory_pool_can_migrate(fine, device_pool[0], &fits));
    CHECK(!fits);
    CHECK(hsa_amd_memory_migrate(&n, fine, 0) == HSA_STATUS_ERROR_OUT_OF_RESOURCES);
    hsa_amd_coherency_type_t coherency;
    CALL(hsa_amd_coherency_set_type(gpus[0], HSA_AMD_COHERENCY_TYPE_NONCOHERENT));
    CALL(hsa_amd_coherency_get_type(gpus[0], &coherency));
    CHECK(coherency == HSA_AMD_COHERENCY_TYPE_COHERENT);
}

// ---- Regions ----

static void regions(void) {
    hsa_region_t r = {0};
    CALL(hsa_agent_iterate_regions(gpus[0], look_at_region, &r));
    CHECK(r.handle);
    int *p;
    CALL(hsa_memory_allocate(r, 4096, (void **)&p));
    CALL(hsa_memory_assign_agent(p, gpus[0], HSA_ACCESS_PERMISSION_RW));
    hsa_amd_pointer_info_t info = {.size = sizeof info};
    hsa_agent_t *list;
    uint32_t n;
    CALL(hsa_amd_pointer_info(p, &info, malloc, &n, &list));
    CHECK(n == gpu_count + 1); // open to all
    free(list);
    CALL(hsa_memory_free(p));
    CALL(hsa_memory_register(&n, sizeof n));
    CALL(hsa_memory_deregister(&n, sizeof n));
}

static void freed(void *p, void *data) { *(void **)data = p; }
static void not_freed(void *p, void *data) {
    (void)p;
    *(void **)data = NULL;
}
static void callbacks_of_memory(void) {
    void *seen = NULL, *p = take(fine, 4096, false);
    CALL(hsa_amd_register_deallocation_callback(p, freed, &seen));
    CALL(hsa_amd_register_deallocation_callback(p, not_freed, &seen));
    CALL(hsa_amd_deregister_deallocation_callback(p, not_freed));
    CHECK(hsa_amd_deregister_deallocation_callback(p, not_freed) == HSA_STATUS_ERROR_INVALID_ARGUMENT);
    CALL(hsa_amd_memory_pool_free(p));
    CHECK(seen == p);
}

// ---- Signals ----

#define ORDERS(X) X(relaxed) X(acquire) X(release) X(acq_rel) X(scacquire) X(screlease) X(scacq_screl)
static void orders(void) {
    hsa_signal_t s = make_signal(0);
#define EACH(order)                                                                                          \
    hsa_signal_store_relaxed(s, 12);                                                                         \
    hsa_signal_add_##order(s, 5);                                                                            \
    hsa_signal_subtract_##order(s, 3);                                                                       \
    hsa_signal_and_##order(s, 6);                                                                            \
    hsa_signal_or_##order(s, 17);                                                                            \
    hsa_signal_xor_##order(s, 1);                                                                            \
    CHECK(hsa_signal_exchange_##order(s, 7) == 22);                                                          \
    CHECK(hsa_signal_cas_##order(s, 8, 9) == 7);                                                             \
    CHECK(hsa_signal_cas_##order(s, 7, 9) == 7 && hsa_signal_load_acquire(s) == 9);
    ORDERS(EACH)
    hsa_signal_store_release(s, 1);
    CHECK(hsa_signal_wait_relaxed(s, HSA_SIGNAL_CONDITION_EQ, 1, UINT64_MAX, HSA_WAIT_STATE_ACTIVE) == 1);
    hsa_signal_silent_store_relaxed(s, 2);
    CHECK(hsa_signal_wait_acquire(s, HSA_SIGNAL_CONDITION_GTE, 2, UINT64_MAX, HSA_WAIT_STATE_ACTIVE) == 2);
    hsa_signal_silent_store_screlease(s, 3);
    CHECK(hsa_signal_load_scacquire(s) == 3);
    CALL(hsa_signal_destroy(s));
    hsa_signal_t list[2] = {make_signal(0), make_signal(5)}, which;
    hsa_signal_group_t g;
    hsa_signal_condition_t conditions[2] = {HSA_SIGNAL_CONDITION_NE, HSA_SIGNAL_CONDITION_NE};
    hsa_signal_value_t values[2] = {0, 0}, value;
    CALL(hsa_signal_group_create(2, list, 0, NULL, &g));
    CALL(hsa_signal_group_wait_any_relaxed(g, conditions, values, HSA_WAIT_STATE_BLOCKED, &which, &value));
    CHECK(which.handle == list[1].handle && value == 5);
    CALL(hsa_signal_group_wait_any_scacquire(g, conditions, values, HSA_WAIT_STATE_BLOCKED, &which, &value));
    CALL(hsa_signal_group_destroy(g));
    CHECK(hsa_signal_group_destroy(g) == HSA_STATUS_ERROR_INVALID_SIGNAL_GROUP);
    hsa_signal_t ipc;
    hsa_amd_ipc_signal_t handle;
    CALL(hsa_amd_signal_create(1, 0, NULL, HSA_AMD_SIGNAL_IPC, &ipc));
    CHECK(hsa_amd_ipc_signal_create(list[0], &handle) == HSA_STATUS_ERROR_INVALID_SIGNAL); // not made for it
    CALL(hsa_amd_ipc_signal_create(ipc, &handle));
    CALL(hsa_amd_ipc_signal_attach(&handle, &which)); // once more in this process
    hsa_signal_store_relaxed(ipc, 77);
    CHECK(which.handle != ipc.handle && hsa_signal_load_relaxed(which) == 77);
    CALL(hsa_signal_destroy(which));
    CHECK(hsa_signal_load_relaxed(ipc) == 77);
    CALL(hsa_signal_destroy(ipc));
    memset(&handle, 0, sizeof handle);
    CHECK(hsa_amd_ipc_signal_attach(&handle, &ipc) == HSA_STATUS_ERROR_INVALID_ARGUMENT);
}

// A value that is written unseen is found by those who wait for it: handlers, barriers, copies.
static bool was_called(hsa_signal_value_t value, void *data) {
    __atomic_store_n((int *)data, (int)value, __ATOMIC_RELEASE);
    return false;
}
static void written_unseen(void) {
    volatile hsa_signal_value_t *value;
    hsa_signal_t s = make_signal(1), end = make_signal(1), copied = make_signal(1);
    CALL(hsa_amd_signal_value_pointer(s, &value));
    int called = -1, from = 5, to = 0;
    CALL(hsa_amd_signal_async_handler(s, HSA_SIGNAL_CONDITION_EQ, 0, was_called, &called));
    CALL(hsa_amd_memory_async_copy(&to, cpu, &from, cpu, sizeof to, 1, &s, copied));
    hsa_queue_t *q = make_queue(gpus[0], 64);
    hsa_barrier_and_packet_t p = {.completion_signal = end};
    p.dep_signal[2] = s;
    put(q, &p, HSA_PACKET_TYPE_BARRIER_AND);
    usleep(20000);
    CHECK(hsa_signal_load_relaxed(end) == 1 && hsa_signal_load_relaxed(copied) == 1);
    *value = 0;
    CHECK(wait_zero(end) && wait_zero(copied) && to == 5);
    UNTIL(__atomic_load_n(&called, __ATOMIC_ACQUIRE) >= 0);
    CHECK(called == 0);
    CALL(hsa_queue_destroy(q));
    CALL(hsa_signal_destroy(s));
}

// ---- Queues ----

static void queues(void) {
    hsa_queue_t *q = make_queue(gpus[0], 64), *soft, *shared, *again;
#define INDEX(order)                                                                                         \
    {                                                                                                        \
        const uint64_t at = hsa_queue_load_write_index_relaxed(q);                                           \
        CHECK(hsa_queue_add_write_index_##order(q, 1) == at);                                                \
        CHECK(hsa_queue_cas_write_index_##order(q, at, 99) == at + 1);                                       \
        CHECK(hsa_queue_cas_write_index_##order(q, at + 1, at) == at + 1);                                   \
    }
    ORDERS(INDEX)
    hsa_queue_store_write_index_relaxed(q, 3);
    CHECK(hsa_queue_load_write_index_acquire(q) == 3);
    hsa_queue_store_write_index_release(q, 2);
    CHECK(hsa_queue_load_write_index_scacquire(q) == 2);
    hsa_queue_store_write_index_screlease(q, 0);
    CHECK(hsa_queue_load_read_index_acquire(q) == 0 && hsa_queue_load_read_index_relaxed(q) == 0);
    uint32_t mask[4] = {3, 0, 0, 0}, got[4];
    CALL(hsa_amd_queue_cu_set_mask(q, 128, mask));
    CALL(hsa_amd_queue_cu_get_mask(q, 128, got));
    CHECK(got[0] == 3 && !got[1]);
    CALL(hsa_amd_profiling_set_profiler_enabled(q, 1));
    CALL(hsa_amd_profiling_async_copy_enable(true));
    CALL(hsa_queue_inactivate(q));
    CALL(hsa_queue_destroy(q));
    hsa_region_t r = {0};
    CALL(hsa_agent_iterate_regions(gpus[0], look_at_region, &r));
    hsa_signal_t doorbell = make_signal(0);
    CALL(hsa_soft_queue_create(r, 16, HSA_QUEUE_TYPE_SINGLE, HSA_QUEUE_FEATURE_AGENT_DISPATCH, doorbell,
                               &soft));
    CHECK(soft->size == 16 && soft->doorbell_signal.handle == doorbell.handle);
    hsa_queue_store_read_index_relaxed(soft, 1);
    hsa_queue_store_read_index_release(soft, 2);
    hsa_queue_store_read_index_screlease(soft, 3);
    CHECK(hsa_queue_load_read_index_scacquire(soft) == 3);
    CALL(hsa_queue_destroy(soft));
    // One cooperative queue for all who ask, where there is one.
    bool cooperative;
    CALL(hsa_agent_get_info(gpus[0], (hsa_agent_info_t)HSA_AMD_AGENT_INFO_COOPERATIVE_QUEUES, &cooperative));
    if (!cooperative) {
        CHECK(hsa_queue_create(gpus[0], 64, HSA_QUEUE_TYPE_COOPERATIVE, on_error, NULL, 0, 0, &shared) ==
              HSA_STATUS_ERROR_INVALID_QUEUE_CREATION);
        return;
    }
    CALL(hsa_queue_create(gpus[0], 64, HSA_QUEUE_TYPE_COOPERATIVE, on_error, NULL, 0, 0, &shared));
    CALL(hsa_queue_create(gpus[0], 64, HSA_QUEUE_TYPE_COOPERATIVE, on_error, NULL, 0, 0, &again));
    CHECK(shared == again);
    CALL(hsa_queue_destroy(shared));
    CALL(hsa_queue_destroy(shared));
    CHECK(hsa_queue_destroy(shared) == HSA_STATUS_ERROR_INVALID_QUEUE);
}

// ---- Code objects ----

static hsa_status_t give_room(size_t size, hsa_callback_data_t data, void **address) {
    (void)data;
    *address = malloc(size);
    return HSA_STATUS_SUCCESS;
}
static hsa_status_t note_code_symbol(hsa_code_object_t c, hsa_code_symbol_t s, void *data) {
    uint32_t length;
    (void)c;
    CALL(hsa_code_symbol_get_info(s, HSA_CODE_SYMBOL_INFO_NAME_LENGTH, &length));
    CHECK(length);
    return count(s.handle, data);
}
static hsa_status_t note_symbol(hsa_executable_t e, hsa_executable_symbol_t s, void *data) {
    (void)e;
    return count(s.handle, data);
}
static hsa_status_t note_loaded(hsa_executable_t e, hsa_loaded_code_object_t l, void *data) {
    uint32_t length, storage;
    char uri[4096] = "";
    hsa_executable_t owner;
    int64_t delta;
    uint64_t base;
    CALL(hsa_ven_amd_loader_loaded_code_object_get_info(
        l, HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_EXECUTABLE, &owner));
    CHECK(owner.handle == e.handle);
    CALL(hsa_ven_amd_loader_loaded_code_object_get_info(
        l, HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_CODE_OBJECT_STORAGE_TYPE, &storage));
    CALL(hsa_ven_amd_loader_loaded_code_object_get_info(
        l, HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_URI_LENGTH, &length));
    CALL(hsa_ven_amd_loader_loaded_code_object_get_info(l, HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_URI,
                                                        uri));
    CHECK(strlen(uri) == length && !strncmp(uri, storage == 1 ? "file://" : "memory://", 7));
    CALL(hsa_ven_amd_loader_loaded_code_object_get_info(
        l, HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_LOAD_DELTA, &delta));
    CALL(hsa_ven_amd_loader_loaded_code_object_get_info(
        l, HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_LOAD_BASE, &base));
    CHECK((uint64_t)delta == base);
    return count(l.handle, data);
}
static hsa_status_t note_executable(hsa_executable_t e, void *data) { return count(e.handle, data); }

static void old_code_objects(void) {
    FILE *f = fopen(path, "rb");
    static char bytes[1 << 20];
    const size_t size = fread(bytes, 1, sizeof bytes, f);
    fclose(f);
    hsa_code_object_t c;
    hsa_code_symbol_t s;
    hsa_executable_t e;
    void *copy;
    size_t copy_size;
    uint32_t kind, result = 9;
    int n = 0, state = 9;
    CALL(hsa_code_object_deserialize(bytes, size, NULL, &c));
    hsa_isa_t isa;
    CALL(hsa_code_object_get_info(c, HSA_CODE_OBJECT_INFO_ISA, &isa));
    CALL(hsa_code_object_serialize(c, give_room, (hsa_callback_data_t){0}, NULL, &copy, &copy_size));
    CHECK(copy_size == size && !memcmp(copy, bytes, size));
    free(copy);
    CALL(hsa_code_object_get_symbol(c, "store.kd", &s));
    CALL(hsa_code_object_get_symbol_from_name(c, NULL, "store.kd", &s));
    CALL(hsa_code_symbol_get_info(s, HSA_CODE_SYMBOL_INFO_TYPE, &kind));
    CHECK(kind == HSA_SYMBOL_KIND_KERNEL);
    CALL(hsa_code_object_iterate_symbols(c, note_code_symbol, &n));
    CHECK(n >= 7);
    CALL(hsa_executable_create(HSA_PROFILE_FULL, HSA_EXECUTABLE_STATE_UNFROZEN, NULL, &e));
    int variable;
    CALL(hsa_executable_global_variable_define(e, "of_program", &variable));
    CALL(hsa_executable_agent_global_variable_define(e, gpus[0], "of_agent", &variable));
    CALL(hsa_executable_readonly_variable_define(e, gpus[0], "constant", &variable));
    CALL(hsa_executable_load_code_object(e, gpus[0], c, NULL));
    CALL(hsa_code_object_destroy(c));
    CHECK(hsa_code_object_destroy(c) == HSA_STATUS_ERROR_INVALID_CODE_OBJECT);
    memset(bytes, 0, sizeof bytes); // it may go once it is loaded
    CALL(hsa_executable_freeze(e, NULL));
    CALL(hsa_executable_validate(e, &result));
    CALL(hsa_executable_validate_alt(e, NULL, &result));
    CHECK(!result);
    CALL(hsa_executable_get_info(e, HSA_EXECUTABLE_INFO_STATE, &state));
    CHECK(state == HSA_EXECUTABLE_STATE_FROZEN);
    hsa_executable_symbol_t x;
    CALL(hsa_executable_get_symbol(e, NULL, "store.kd", gpus[0], 0, &x));
    CALL(hsa_executable_symbol_get_info(x, HSA_EXECUTABLE_SYMBOL_INFO_TYPE, &kind));
    n = 0;
    CALL(hsa_executable_iterate_program_symbols(e, note_symbol, &n));
    CHECK(n == 1);
    n = 0;
    CALL(hsa_executable_iterate_symbols(e, note_symbol, &n));
    CHECK(n >= 8);
    CALL(hsa_executable_destroy(e));
}

static void files_and_loader(void) {
    const int file = open(path, O_RDONLY);
    hsa_code_object_reader_t r, part;
    hsa_executable_t e, found;
    CHECK(file >= 0);
    CALL(hsa_code_object_reader_create_from_file(file, &r));
    struct {
        hsa_status_t (*host)(const void *, const void **);
        hsa_status_t (*segments)(hsa_ven_amd_loader_segment_descriptor_t *, size_t *);
        hsa_status_t (*executable)(const void *, hsa_executable_t *);
    } table;
    CALL(hsa_system_get_major_extension_table(HSA_EXTENSION_AMD_LOADER, 1, sizeof table, &table));
    hsa_ven_amd_loader_1_03_pfn_t full;
    CALL(hsa_system_get_extension_table(HSA_EXTENSION_AMD_LOADER, 1, 3, &full));
    CHECK(full.hsa_ven_amd_loader_query_host_address == table.host);
    CHECK(hsa_ven_amd_loader_code_object_reader_create_from_file_with_offset_size(file, 0, 0, &part) ==
          HSA_STATUS_ERROR_INVALID_ARGUMENT);
    CALL(full.hsa_ven_amd_loader_code_object_reader_create_from_file_with_offset_size(
        file, 0, (size_t)lseek(file, 0, SEEK_END), &part));
    close(file);
    CALL(hsa_executable_create_alt(HSA_PROFILE_BASE, HSA_DEFAULT_FLOAT_ROUNDING_MODE_DEFAULT, NULL, &e));
    CHECK(hsa_executable_load_program_code_object(e, r, NULL, NULL) == HSA_STATUS_ERROR_INVALID_CODE_OBJECT);
    CALL(hsa_executable_load_agent_code_object(e, gpus[0], part, NULL, NULL));
    CALL(hsa_code_object_reader_destroy(part));
    CALL(hsa_code_object_reader_destroy(r));
    int n = 0;
    CALL(hsa_ven_amd_loader_executable_iterate_loaded_code_objects(e, note_loaded, &n));
    CHECK(n == 1);
    n = 0;
    CALL(hsa_ven_amd_loader_iterate_executables(note_executable, &n));
    CHECK(n == 1);
    size_t segments = 0;
    hsa_ven_amd_loader_segment_descriptor_t d;
    CALL(hsa_ven_amd_loader_query_segment_descriptors(NULL, &segments));
    CHECK(segments == 1);
    CALL(table.segments(&d, &segments));
    CHECK(d.executable.handle == e.handle && d.segment_size);
    const void *host;
    CALL(hsa_ven_amd_loader_query_host_address(d.segment_base, &host));
    CHECK(host == d.segment_base);
    CALL(hsa_ven_amd_loader_query_executable(d.segment_base, &found));
    CHECK(found.handle == e.handle);
    CHECK(table.executable(&n, &found) == HSA_STATUS_ERROR_INVALID_ARGUMENT);
    CALL(hsa_executable_destroy(e));
}

// ---- Extensions ----

static void extensions(void) {
    const char *name;
    uint16_t minor = 9;
    bool has;
    CALL(hsa_extension_get_name(HSA_EXTENSION_IMAGES, &name));
    CHECK(!strcmp(name, "HSA_EXTENSION_IMAGES"));
    CALL(hsa_system_extension_supported(HSA_EXTENSION_AMD_LOADER, 1, 3, &has));
    CHECK(has);
    CALL(hsa_system_major_extension_supported(HSA_EXTENSION_FINALIZER, 1, &minor, &has));
    CHECK(!has);
    CALL(hsa_agent_extension_supported(HSA_EXTENSION_IMAGES, gpus[0], 1, 0, &has));
    CHECK(has);
    CALL(hsa_agent_major_extension_supported(HSA_EXTENSION_IMAGES, cpu, 1, &minor, &has));
    CHECK(!has);
    hsa_ext_program_t program = {0};
    hsa_isa_t isa = {0};
    hsa_ext_control_directives_t control = {0};
    hsa_code_object_t code;
    CHECK(hsa_ext_program_create(0, 0, 0, NULL, &program) == HSA_STATUS_ERROR_NOT_INITIALIZED);
    CHECK(hsa_ext_program_add_module(program, NULL) == HSA_STATUS_ERROR_NOT_INITIALIZED);
    CHECK(hsa_ext_program_iterate_modules(program, NULL, NULL) == HSA_STATUS_ERROR_NOT_INITIALIZED);
    CHECK(hsa_ext_program_get_info(program, 0, NULL) == HSA_STATUS_ERROR_NOT_INITIALIZED);
    CHECK(hsa_ext_program_finalize(program, isa, 0, control, NULL, 0, &code) ==
          HSA_STATUS_ERROR_NOT_INITIALIZED);
    CHECK(hsa_ext_program_destroy(program) == HSA_STATUS_ERROR_NOT_INITIALIZED);
}

// What is wrong with arguments of the image extension. A GPU without images supports no format of any
// geometry, and so no handle is made (DISP-12): each function says so by the status that the interface has
// for that. What GPUs with images do is in images.c.
static bool has_images;
static void images(void) {
    const hsa_status_t none = (hsa_status_t)HSA_EXT_STATUS_ERROR_IMAGE_FORMAT_UNSUPPORTED;
    const hsa_status_t invalid = HSA_STATUS_ERROR_INVALID_ARGUMENT, no_agent = HSA_STATUS_ERROR_INVALID_AGENT;
    const hsa_access_permission_t rw = HSA_ACCESS_PERMISSION_RW;
    hsa_ext_image_data_info_t info;
    hsa_ext_image_t image = {0};
    uint32_t mask;
    _Alignas(256) char data[64];
    CALL(hsa_ext_image_get_capability(gpus[0], 0, &(hsa_ext_image_format_t){2, 8}, &mask));
    has_images = mask;
    for (uint32_t n = 0; !has_images && n < 8 * 16 * 20; n++) {
        hsa_ext_image_format_t format = {n / 8 % 16, n / 128};
        const uint32_t geometry = n % 8;
        mask = 9;
        CALL(hsa_ext_image_get_capability(gpus[0], geometry, &format, &mask));
        CHECK(mask == HSA_EXT_IMAGE_CAPABILITY_NOT_SUPPORTED);
        for (int layout = 0; layout < 2; layout++) {
            mask = 9;
            CALL(hsa_ext_image_get_capability_with_layout(gpus[0], geometry, &format, layout, &mask));
            CHECK(mask == HSA_EXT_IMAGE_CAPABILITY_NOT_SUPPORTED);
        }
        const hsa_ext_image_descriptor_t d = {geometry, 16, 16, 1, 0, format};
        CHECK(hsa_ext_image_create(gpus[0], &d, data, rw, &image) == none && !image.handle);
    }
    const hsa_ext_image_format_t format = {HSA_EXT_IMAGE_CHANNEL_TYPE_FLOAT,
                                           HSA_EXT_IMAGE_CHANNEL_ORDER_RGBA};
    const hsa_ext_image_descriptor_t d = {HSA_EXT_IMAGE_GEOMETRY_2D, 16, 16, 1, 0, format},
                                     bad = {HSA_EXT_IMAGE_GEOMETRY_2DADEPTH + 1, 16, 16, 1, 0, format};
    hsa_amd_image_descriptor_t layout = {0};
    CHECK(hsa_ext_image_get_capability(cpu, 0, &format, &mask) == no_agent);
    CHECK(hsa_ext_image_get_capability(gpus[0], 0, NULL, &mask) == invalid);
    CHECK(hsa_ext_image_get_capability(gpus[0], 0, &format, NULL) == invalid);
    CHECK(hsa_ext_image_get_capability_with_layout(cpu, 0, &format, 7, &mask) == no_agent);
    CHECK(hsa_ext_image_get_capability_with_layout(gpus[0], 0, &format, 7, &mask) == invalid);
    CHECK(has_images || hsa_ext_image_data_get_info(gpus[0], &d, rw, &info) == none);
    CHECK(hsa_ext_image_data_get_info(gpus[0], &d, rw, NULL) == invalid);
    CHECK(hsa_ext_image_data_get_info(gpus[0], &bad, rw, &info) == invalid);
    CHECK(hsa_ext_image_data_get_info(cpu, &d, rw, NULL) == no_agent);
    CHECK(has_images || hsa_ext_image_data_get_info_with_layout(gpus[0], &d, rw, 1, 0, 0, &info) == none);
    CHECK(hsa_ext_image_data_get_info_with_layout(gpus[0], &d, rw, 2, 0, 0, &info) == invalid);
    CHECK(hsa_ext_image_data_get_info_with_layout(cpu, &d, rw, 1, 0, 0, &info) == no_agent);
    CHECK(hsa_ext_image_create(gpus[0], &d, NULL, rw, &image) == invalid);
    CHECK(hsa_ext_image_create(gpus[0], &d, data, (hsa_access_permission_t)0, &image) == invalid);
    CHECK(hsa_ext_image_create(gpus[0], NULL, data, rw, &image) == invalid);
    CHECK(hsa_ext_image_create(cpu, &d, data, rw, &image) == no_agent);
    CHECK(has_images || hsa_ext_image_create_with_layout(gpus[0], &d, data, rw, 1, 0, 0, &image) == none);
    CHECK(hsa_ext_image_create_with_layout(gpus[0], &d, data, rw, 1, 0, 0, NULL) == invalid);
    CHECK(hsa_ext_image_create_with_layout(cpu, &d, data, rw, 1, 0, 0, &image) == no_agent);
    CHECK(has_images || hsa_amd_image_create(gpus[0], &d, &layout, data, rw, &image) == none);
    CHECK(hsa_amd_image_create(gpus[0], &d, NULL, data, rw, &image) == invalid);
    CHECK(hsa_amd_image_create(cpu, &d, &layout, data, rw, &image) == no_agent);
    // Nothing is an image, and nothing a sampler.
    hsa_dim3_t at = {0, 0, 0};
    hsa_ext_image_region_t region = {{0, 0, 0}, {1, 1, 1}};
    for (int i = 0; i < 2; i++) {
        const hsa_agent_t agent = i ? cpu : gpus[0];
        const hsa_status_t expected = i ? no_agent : invalid;
        CHECK(hsa_ext_image_copy(agent, image, &at, image, &at, &at) == expected);
        CHECK(hsa_ext_image_import(agent, data, 0, 0, image, &region) == expected);
        CHECK(hsa_ext_image_export(agent, image, data, 0, 0, &region) == expected);
        CHECK(hsa_ext_image_clear(agent, image, data, &region) == expected);
        CHECK(hsa_ext_image_destroy(agent, image) == expected);
        CHECK(hsa_ext_sampler_destroy(agent, (hsa_ext_sampler_t){0}) == expected);
    }
    hsa_ext_sampler_t sampler = {0};
    for (uint32_t n = 0; n < 2 * 2 * 5; n++) {
        const hsa_ext_sampler_descriptor_t how = {n & 1, n >> 1 & 1, n / 4};
        CHECK(has_images || hsa_ext_sampler_create(gpus[0], &how, &sampler) ==
                                (hsa_status_t)HSA_EXT_STATUS_ERROR_SAMPLER_DESCRIPTOR_UNSUPPORTED);
        CHECK(hsa_ext_sampler_create(cpu, &how, &sampler) == no_agent);
    }
    CHECK(hsa_ext_sampler_create(gpus[0], &(hsa_ext_sampler_descriptor_t){2, 0, 0}, &sampler) == invalid);
    CHECK(hsa_ext_sampler_create(gpus[0], NULL, &sampler) == invalid);
    // Limits, which programs ask for before they use pitched memory; by either function.
    static const uint32_t limits[][3] = {{16384},        {16384},        {1u << 27},     {16384, 16384},
                                         {16384, 16384}, {16384, 16384}, {16384, 16384}, {2048, 2048, 2048},
                                         {2048},         {128},          {64},           {16},
                                         {256}};
    for (uint32_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        const hsa_agent_info_t what = (hsa_agent_info_t)(HSA_EXT_AGENT_INFO_IMAGE_1D_MAX_ELEMENTS + i);
        uint32_t by[2][3] = {{0}};
        CALL(hsa_amd_image_get_info_max_dim(gpus[0], what, by[0]));
        CALL(hsa_agent_get_info(gpus[0], what, by[1]));
        CHECK(!memcmp(by[0], limits[i], 12) && !memcmp(by[1], limits[i], 12));
        CHECK(hsa_amd_image_get_info_max_dim(cpu, what, by[0]) == no_agent);
    }
    CHECK(hsa_amd_image_get_info_max_dim(gpus[0], (hsa_agent_info_t)0x300D, &mask) == invalid);
}

// ---- Copies by engine, memory locked to a pool ----

hsa_status_t hsa_amd_memory_async_copy_on_engine(void *, hsa_agent_t, const void *, hsa_agent_t, size_t,
                                                 uint32_t, const hsa_signal_t *, hsa_signal_t, uint32_t,
                                                 bool);
hsa_status_t hsa_amd_memory_copy_engine_status(hsa_agent_t, hsa_agent_t, uint32_t *);
hsa_status_t hsa_amd_queue_get_info(hsa_queue_t *, int, void *);
uint32_t hsa_amd_signal_wait_all(uint32_t, hsa_signal_t *, hsa_signal_condition_t *, hsa_signal_value_t *,
                                 uint64_t, hsa_wait_state_t, hsa_signal_value_t *);
static void newer_calls(void) {
    uint32_t engines;
    CALL(hsa_amd_memory_copy_engine_status(gpus[0], cpu, &engines));
    char *d = take(device_pool[0], 100, false), host[100], back[100];
    for (int i = 0; i < 100; i++) host[i] = (char)i;
    hsa_signal_t s[2] = {make_signal(1), make_signal(1)};
    CALL(hsa_amd_memory_async_copy_on_engine(d, gpus[0], host, cpu, 100, 0, NULL, s[0], engines & -engines,
                                             false));
    CALL(hsa_amd_memory_async_copy_on_engine(back, cpu, d, gpus[0], 100, 1, s, s[1], engines & -engines,
                                             false));
    hsa_signal_condition_t conditions[2] = {HSA_SIGNAL_CONDITION_EQ, HSA_SIGNAL_CONDITION_EQ};
    hsa_signal_value_t values[2] = {0, 0};
    CHECK(hsa_amd_signal_wait_all(2, s, conditions, values, UINT64_MAX, HSA_WAIT_STATE_BLOCKED, NULL) == 0);
    CHECK(!memcmp(host, back, 100));
    CHECK(hsa_amd_memory_async_copy_on_engine(d, gpus[0], host, cpu, 100, 0, NULL, s[0], 64, false) ==
          HSA_STATUS_ERROR_OUT_OF_RESOURCES);
    hsa_queue_t *q = make_queue(gpus[0], 64);
    hsa_agent_t owner;
    CALL(hsa_amd_queue_get_info(q, 0, &owner));
    CHECK(owner.handle == gpus[0].handle);
    CALL(hsa_queue_destroy(q));
    char *p = malloc(5000), *seen;
    CALL(hsa_amd_memory_lock_to_pool(p, 5000, gpus, 1, fine, 0, (void **)&seen));
    CALL(hsa_amd_memory_lock(p, 5000, gpus, 1, (void **)&seen)); // once more
    CALL(hsa_amd_memory_unlock(p));
    CALL(hsa_amd_memory_unlock(p));
    free(p);
    size_t size;
    void *mapped;
    CHECK(hsa_amd_interop_map_buffer(1, gpus, 3, 0, &size, &mapped, NULL, NULL) ==
          HSA_STATUS_ERROR_INVALID_ARGUMENT);
    CHECK(hsa_amd_interop_unmap_buffer(p) == HSA_STATUS_ERROR_INVALID_ARGUMENT);
}

// ---- Virtual memory, which the headers do not have yet ----

typedef struct {
    uint32_t permissions;
    hsa_agent_t agent;
} access_t;
typedef uint64_t memory_t;
hsa_status_t hsa_amd_vmem_address_reserve(void **, size_t, uint64_t, uint64_t);
hsa_status_t hsa_amd_vmem_address_reserve_align(void **, size_t, uint64_t, uint64_t, uint64_t);
hsa_status_t hsa_amd_vmem_address_free(void *, size_t);
hsa_status_t hsa_amd_vmem_handle_create(hsa_amd_memory_pool_t, size_t, int, uint64_t, memory_t *);
hsa_status_t hsa_amd_vmem_handle_release(memory_t);
hsa_status_t hsa_amd_vmem_map(void *, size_t, size_t, memory_t, uint64_t);
hsa_status_t hsa_amd_vmem_unmap(void *, size_t);
hsa_status_t hsa_amd_vmem_set_access(void *, size_t, const access_t *, size_t);
hsa_status_t hsa_amd_vmem_get_access(void *, uint32_t *, hsa_agent_t);
hsa_status_t hsa_amd_vmem_retain_alloc_handle(memory_t *, void *);
hsa_status_t hsa_amd_vmem_get_alloc_properties_from_handle(memory_t, hsa_amd_memory_pool_t *, int *);
hsa_status_t hsa_amd_vmem_export_shareable_handle(int *, memory_t, uint64_t);
hsa_status_t hsa_amd_vmem_import_shareable_handle(int, memory_t *);

// One memory at two addresses: what a kernel stores at one is found at the other.
static void virtual_memory(void) {
    enum { SIZE = 1 << 20 };
    char *space, *aligned;
    memory_t m, again;
    CALL(hsa_amd_vmem_address_reserve((void **)&space, 1ull << 40, 0, 0)); // far more than there is
    CALL(hsa_amd_vmem_address_reserve_align((void **)&aligned, SIZE, 0, 1 << 21, 0));
    CHECK(!((uintptr_t)aligned & ((1 << 21) - 1)));
    CALL(hsa_amd_vmem_address_free(aligned, SIZE));
    CALL(hsa_amd_vmem_handle_create(device_pool[0], SIZE, 0, 0, &m));
    CHECK(hsa_amd_vmem_map(space, SIZE, 0, m + 8, 0) == HSA_STATUS_ERROR_INVALID_ALLOCATION);
    CALL(hsa_amd_vmem_map(space, SIZE, 0, m, 0));
    CHECK(hsa_amd_vmem_map(space, SIZE, 0, m, 0) == HSA_STATUS_ERROR_INVALID_ARGUMENT); // something is there
    CALL(hsa_amd_vmem_map(space + (1ull << 39), SIZE, 0, m, 0));
    CALL(hsa_amd_vmem_handle_release(m)); // the mappings keep it
    // The program has no handle any more.
    hsa_amd_memory_pool_t none;
    int no_type;
    CHECK(hsa_amd_vmem_handle_release(m) == HSA_STATUS_ERROR_INVALID_ALLOCATION);
    CHECK(hsa_amd_vmem_get_alloc_properties_from_handle(m, &none, &no_type) ==
          HSA_STATUS_ERROR_INVALID_ALLOCATION);
    CHECK(hsa_amd_vmem_map(space + SIZE, SIZE, 0, m, 0) == HSA_STATUS_ERROR_INVALID_ALLOCATION);
    const access_t all[2] = {{3, gpus[0]}, {3, cpu}}, reading = {1, gpus[0]};
    CALL(hsa_amd_vmem_set_access(space, SIZE, all, 2));
    CALL(hsa_amd_vmem_set_access(space + (1ull << 39), SIZE, &all[1], 1));
    uint32_t permissions;
    CALL(hsa_amd_vmem_get_access(space, &permissions, gpus[0]));
    CHECK(permissions == 3);
    CALL(hsa_amd_vmem_get_access(space + (1ull << 39), &permissions, gpus[0]));
    CHECK(permissions == 0);
    struct code c;
    load_code(&c, path, gpus[0]);
    struct args {
        void *p;
        int value;
    } *args = take(kernargs, 64, true);
    *args = (struct args){space + 100, 42};
    hsa_signal_t done = make_signal(1);
    hsa_queue_t *q = make_queue(gpus[0], 64);
    dispatch(q, kernel_of(&c, "store"), args, 1, 1, done, BARRIER);
    CHECK(wait_zero(done) && *(int *)(space + (1ull << 39) + 100) == 42);
    CALL(hsa_amd_vmem_set_access(space, SIZE, &reading, 1));
    CALL(hsa_amd_vmem_get_access(space, &permissions, gpus[0]));
    CHECK(permissions == 1);
    hsa_amd_memory_pool_t pool;
    int type = 9, file;
    CALL(hsa_amd_vmem_retain_alloc_handle(&again, space + 5000));
    CALL(hsa_amd_vmem_get_alloc_properties_from_handle(again, &pool, &type));
    CHECK(again == m && pool.handle == device_pool[0].handle && type == 0);
    CHECK(hsa_amd_vmem_export_shareable_handle(&file, again, 0) == HSA_STATUS_ERROR_OUT_OF_RESOURCES);
    CHECK(hsa_amd_vmem_import_shareable_handle(0, &again) == HSA_STATUS_ERROR_INVALID_ARGUMENT);
    CALL(hsa_amd_vmem_handle_release(m));
    CHECK(hsa_amd_vmem_handle_release(m) == HSA_STATUS_ERROR_INVALID_ALLOCATION);
    CHECK(hsa_amd_vmem_address_free(space, 1ull << 40) == HSA_STATUS_ERROR_RESOURCE_FREE);
    CALL(hsa_amd_vmem_unmap(space, SIZE));
    CALL(hsa_amd_vmem_unmap(space + (1ull << 39), SIZE));
    CHECK(hsa_amd_vmem_unmap(space, SIZE) == HSA_STATUS_ERROR_INVALID_ALLOCATION);
    CHECK(hsa_amd_vmem_handle_release(m) == HSA_STATUS_ERROR_INVALID_ALLOCATION); // now it is gone
    CALL(hsa_amd_vmem_address_free(space, 1ull << 40));
    CALL(hsa_queue_destroy(q));
    drop_code(&c);
}

// What was released is refused, whatever it was.
static void released_twice(void) {
    struct code c;
    hsa_signal_group_t group;
    void *p = take(fine, 4096, true), *seen, *host = malloc(4096);
    hsa_signal_t s = make_signal(1);
    hsa_queue_t *q = make_queue(gpus[0], 64);
    load_code(&c, path, gpus[0]);
    CALL(hsa_signal_group_create(1, &s, 0, NULL, &group));
    CALL(hsa_amd_memory_lock(host, 4096, NULL, 0, &seen));
    for (int again = 0; again < 2; again++) {
        CHECK(hsa_amd_memory_pool_free(p) ==
              (again ? HSA_STATUS_ERROR_INVALID_ALLOCATION : HSA_STATUS_SUCCESS));
        CHECK(hsa_amd_memory_unlock(host) ==
              (again ? HSA_STATUS_ERROR_INVALID_ALLOCATION : HSA_STATUS_SUCCESS));
        CHECK(hsa_signal_group_destroy(group) ==
              (again ? HSA_STATUS_ERROR_INVALID_SIGNAL_GROUP : HSA_STATUS_SUCCESS));
        CHECK(hsa_signal_destroy(s) == (again ? HSA_STATUS_ERROR_INVALID_SIGNAL : HSA_STATUS_SUCCESS));
        CHECK(hsa_queue_destroy(q) == (again ? HSA_STATUS_ERROR_INVALID_QUEUE : HSA_STATUS_SUCCESS));
        CHECK(hsa_executable_destroy(c.executable) ==
              (again ? HSA_STATUS_ERROR_INVALID_EXECUTABLE : HSA_STATUS_SUCCESS));
        CHECK(hsa_code_object_reader_destroy(c.reader) ==
              (again ? HSA_STATUS_ERROR_INVALID_CODE_OBJECT_READER : HSA_STATUS_SUCCESS));
    }
    hsa_signal_value_t compare = 1, value;
    hsa_signal_condition_t condition = HSA_SIGNAL_CONDITION_EQ;
    CHECK(hsa_signal_group_wait_any_relaxed(group, &condition, &compare, HSA_WAIT_STATE_BLOCKED, &s,
                                            &value) == HSA_STATUS_ERROR_INVALID_SIGNAL_GROUP);
    CHECK(hsa_queue_inactivate(q) == HSA_STATUS_ERROR_INVALID_QUEUE);
    CHECK(hsa_executable_freeze(c.executable, NULL) == HSA_STATUS_ERROR_INVALID_EXECUTABLE);
    free(host);
    free(c.bytes);
}

// ---- Ranges that are too long ----

enum { INVALID = HSA_STATUS_ERROR_INVALID_ALLOCATION };

static void copy_is(int status, void *to, const void *from, size_t size) {
    hsa_signal_t done = make_signal(1);
    CHECK(hsa_memory_copy(to, from, size) == status);
    CHECK(hsa_amd_memory_async_copy(to, cpu, from, gpus[0], size, 0, NULL, done) == status);
    CHECK(status ? hsa_signal_load_relaxed(done) == 1 : wait_zero(done));
    CALL(hsa_signal_destroy(done));
}

static hsa_status_t note_fault(const hsa_amd_event_t *event, void *data) {
    __atomic_store_n((uint64_t *)data, event->memory_fault.virtual_address, __ATOMIC_RELEASE);
    return HSA_STATUS_SUCCESS;
}

// Copies and fills beyond the end of memory, or of memory that is not there, are refused: nothing is written,
// and the program goes on. Memory that goes between the call and the copy is a memory fault.
static void too_long(void) {
    enum { N = 8192, LARGE = 4 << 20 };
    char *device = take(device_pool[0], N, true), *system = take(fine, LARGE, true), *host = malloc(LARGE),
         *freed;
    char *plain = mmap(NULL, 3 * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    mprotect(plain + 4096, 4096, PROT_READ); // it cannot be written,
    munmap(plain + 8192, 4096);              // and there is nothing
    memset(system, 7, N);
    memset(device, 5, N);
    CALL(hsa_amd_memory_fill(device, 0x05050505, N / 4));
    CHECK(hsa_amd_memory_fill(device, 0, N / 4 + 1) == INVALID);
    CHECK(hsa_amd_memory_fill(device + 4096, 0x01020304, 1ull << 40) == INVALID);
    CHECK(hsa_amd_memory_fill(device, 0, SIZE_MAX / 4 + 2) == INVALID);
    CHECK(hsa_amd_memory_fill(plain + 4096, 0, 1) == INVALID &&
          hsa_amd_memory_fill((void *)8, 0, 1) == INVALID);
    copy_is(0, system, device, N);
    copy_is(INVALID, system, device, N + 1);
    copy_is(INVALID, device, system, N + 1);
    copy_is(INVALID, device + 1, system, N);
    copy_is(INVALID, host, device, LARGE);
    copy_is(INVALID, device, host, LARGE);
    copy_is(INVALID, device, host, SIZE_MAX - 5);
    copy_is(INVALID, device, (void *)16, 8);
    copy_is(0, system, plain, 8192);
    copy_is(INVALID, system, plain, 8193);
    copy_is(INVALID, plain, system, 4097);
    CALL(hsa_amd_memory_pool_allocate(fine, N, 0, (void **)&freed));
    CALL(hsa_amd_memory_pool_free(freed));
    copy_is(INVALID, freed, system, 8);
    copy_is(INVALID, system, freed, 8);
    for (int i = 0; i < N; i++) CHECK(device[i] == 5);
    // A hole in the midst of more, and of so much that the system is asked in another way.
    enum { MUCH = 16 << 20 };
    char *more = take(fine, MUCH, true);
    for (size_t size = 1 << 20; size <= MUCH; size *= 16) {
        char *holed = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        const size_t half = size / 2;
        copy_is(0, more, holed, size);
        mprotect(holed + half, 4096, PROT_READ);
        copy_is(0, more, holed, size);
        copy_is(INVALID, holed, more, size);
        CHECK(hsa_amd_memory_fill(holed, 0, size / 4) == INVALID);
        mprotect(holed + half, 4096, PROT_NONE);
        copy_is(INVALID, more, holed, size);
        copy_is(INVALID, holed, more, size);
        copy_is(0, more, holed, half);
        munmap(holed + half, 4096);
        copy_is(INVALID, more, holed, size);
        copy_is(0, holed + half + 4096, more, half - 4096);
        munmap(holed, size);
    }
    CALL(hsa_amd_memory_pool_free(more));
    // Boxes.
    hsa_signal_t done = make_signal(1);
    hsa_pitched_ptr_t to = {system, 64, 4096}, from = {device, 64, 4096};
    hsa_dim3_t zero = {0}, box = {64, 64, 2}, wide = {64, 64, 3}, last = {1, 63, 1},
               huge = {1, 2, UINT32_MAX};
    CALL(hsa_amd_memory_async_copy_rect(&to, &zero, &from, &zero, &box, gpus[0], hsaDeviceToDevice, 0, NULL,
                                        done));
    CHECK(wait_zero(done));
    hsa_signal_store_relaxed(done, 1);
    CHECK(hsa_amd_memory_async_copy_rect(&to, &zero, &from, &zero, &wide, gpus[0], hsaDeviceToDevice, 0, NULL,
                                         done) == INVALID);
    CHECK(hsa_amd_memory_async_copy_rect(&to, &zero, &from, &last, &(hsa_dim3_t){64, 1, 1}, gpus[0],
                                         hsaDeviceToDevice, 0, NULL, done) == INVALID);
    from.slice = SIZE_MAX / 2;
    CHECK(hsa_amd_memory_async_copy_rect(&to, &zero, &from, &zero, &huge, gpus[0], hsaDeviceToDevice, 0, NULL,
                                         done) == INVALID);
    // Memory that goes before the copy begins.
    uint64_t fault = 0;
    hsa_signal_t first = make_signal(1);
    CALL(hsa_amd_register_system_event_handler(note_fault, &fault));
    char *goes = take(fine, N, true);
    CALL(hsa_amd_memory_async_copy(goes, cpu, system, cpu, N, 1, &first, done));
    CALL(hsa_amd_memory_pool_free(goes));
    hsa_signal_store_screlease(first, 0);
    UNTIL(__atomic_load_n(&fault, __ATOMIC_ACQUIRE));
    CHECK(fault == (uint64_t)(uintptr_t)goes && hsa_signal_load_relaxed(done) == 1);
    CALL(hsa_amd_memory_pool_free(device));
    CALL(hsa_amd_memory_pool_free(system));
    munmap(plain, 8192);
    free(host);
}

// ---- Processes ----

// Device memory is seen by another process that attaches it.
static void shared_with_a_process(void) {
    int to_child[2], from_child[2];
    CHECK(!pipe(to_child) && !pipe(from_child));
    const pid_t child = fork();
    if (!child) {
        // After fork nothing is initialised, and hsa_init starts afresh.
        CHECK(hsa_signal_create(1, 0, NULL, &(hsa_signal_t){0}) == HSA_STATUS_ERROR_NOT_INITIALIZED);
        hsa_amd_ipc_memory_t handle;
        int *p, answer = 0;
        hsa_amd_ipc_signal_t signal_handle;
        hsa_signal_t there;
        CHECK(read(to_child[0], &handle, sizeof handle) == sizeof handle);
        CHECK(read(to_child[0], &signal_handle, sizeof signal_handle) == sizeof signal_handle);
        open_runtime();
        CALL(hsa_amd_ipc_signal_attach(&signal_handle, &there));
        CALL(hsa_amd_ipc_memory_attach(&handle, 8192, 1, gpus, (void **)&p));
        hsa_amd_pointer_info_t info = {.size = sizeof info};
        CALL(hsa_amd_pointer_info(p, &info, NULL, NULL, NULL));
        CHECK(info.type == HSA_EXT_POINTER_TYPE_IPC);
        struct code c;
        load_code(&c, path, gpus[0]);
        struct args {
            int *p;
            int value;
        } *args = take(kernargs, 64, true);
        *args = (struct args){p + 1, 4711};
        hsa_signal_t done = make_signal(1);
        hsa_queue_t *q = make_queue(gpus[0], 64);
        dispatch(q, kernel_of(&c, "store"), args, 1, 1, done, BARRIER);
        CHECK(wait_zero(done));
        answer = p[0];
        CALL(hsa_amd_ipc_memory_detach(p));
        CHECK(hsa_amd_ipc_memory_detach(p) == HSA_STATUS_ERROR_INVALID_ARGUMENT);
        CHECK(write(from_child[1], &answer, sizeof answer) == sizeof answer);
        struct rusage before, after; // the other process's change wakes it: it does not look all the time
        getrusage(RUSAGE_THREAD, &before);
        CHECK(hsa_signal_wait_scacquire(there, HSA_SIGNAL_CONDITION_EQ, 5, UINT64_MAX,
                                        HSA_WAIT_STATE_BLOCKED) == 5);
        getrusage(RUSAGE_THREAD, &after);
        CHECK(after.ru_nvcsw - before.ru_nvcsw < 8);
        hsa_signal_add_screlease(there, 1);
        CALL(hsa_signal_destroy(there));
        _exit(0);
    }
    int *p = take(device_pool[0], 8192, false), answer = 0, status;
    p[0] = 815;
    hsa_amd_ipc_memory_t handle;
    CHECK(hsa_amd_ipc_memory_create(p + 1, 8188, &handle) == HSA_STATUS_ERROR_INVALID_ARGUMENT);
    CALL(hsa_amd_ipc_memory_create(p, 8192, &handle));
    CHECK(write(to_child[1], &handle, sizeof handle) == sizeof handle);
    hsa_signal_t here;
    hsa_amd_ipc_signal_t signal_handle;
    CALL(hsa_amd_signal_create(1, 0, NULL, HSA_AMD_SIGNAL_IPC, &here));
    CALL(hsa_amd_ipc_signal_create(here, &signal_handle));
    CHECK(write(to_child[1], &signal_handle, sizeof signal_handle) == sizeof signal_handle);
    CHECK(read(from_child[0], &answer, sizeof answer) == sizeof answer);
    CHECK(answer == 815 && p[1] == 4711);
    usleep(50000);
    hsa_signal_store_screlease(here, 5);
    CHECK(hsa_signal_wait_scacquire(here, HSA_SIGNAL_CONDITION_EQ, 6, UINT64_MAX, HSA_WAIT_STATE_BLOCKED) ==
          6);
    CALL(hsa_signal_destroy(here));
    CHECK(waitpid(child, &status, 0) == child && status == 0);
    CALL(hsa_amd_memory_pool_free(p));
}

#define RUN(name) (name(), printf("ok " #name "\n"), fflush(stdout))
int main(int argc, char **argv) {
    CHECK(argc == 2);
    path = argv[1];
    CHECK(hsa_iterate_agents(note_agent, NULL) == HSA_STATUS_ERROR_NOT_INITIALIZED);
    CHECK(hsa_ext_image_create(cpu, NULL, NULL, 0, NULL) == HSA_STATUS_ERROR_NOT_INITIALIZED);
    CHECK(hsa_ext_image_data_get_info(cpu, NULL, 0, NULL) == HSA_STATUS_ERROR_NOT_INITIALIZED);
    open_runtime();
    RUN(facts);
    RUN(regions);
    RUN(callbacks_of_memory);
    RUN(orders);
    RUN(written_unseen);
    RUN(queues);
    RUN(old_code_objects);
    RUN(files_and_loader);
    RUN(extensions);
    RUN(images);
    RUN(newer_calls);
    RUN(virtual_memory);
    RUN(released_twice);
    RUN(too_long);
    RUN(shared_with_a_process);
    CALL(hsa_init()); // counted
    CALL(hsa_shut_down());
    CALL(hsa_shut_down());
    CHECK(hsa_iterate_agents(note_agent, NULL) == HSA_STATUS_ERROR_NOT_INITIALIZED);
    open_runtime(); // and once more from the beginning
    CALL(hsa_shut_down());
    return 0;
}
