// SPDX-License-Identifier: MIT
// Calls and attributes of ROCm 6 and 7: later CODE-OBJECT.
#include "hsa_rig.h"
#include "later.h"

#include <hsa/hsa_ext_image.h>

static const hsa_status_t invalid = HSA_STATUS_ERROR_INVALID_ARGUMENT,
                          no_agent = HSA_STATUS_ERROR_INVALID_AGENT;

static void attributes(void) {
    uint16_t major = 0, minor = 0;
    bool yes[2] = {false, true};
    CALL(hsa_system_get_info(SYSTEM_EXT_MAJOR, &major));
    CALL(hsa_system_get_info(SYSTEM_EXT_MINOR, &minor));
    CHECK(major == 1 && minor >= 7);
    CALL(hsa_system_get_info(SYSTEM_VIRTUAL_MEMORY, &yes[0]));
    CALL(hsa_system_get_info(SYSTEM_DMABUF, &yes[1]));
    CHECK(yes[0] && !yes[1]);
    for (unsigned i = 0; i <= gpu_count; i++) {
        const hsa_agent_t a = i ? gpus[i - 1] : cpu;
        uint64_t most = 0, now = 0, frequency = 0;
        clocks_t before = {0}, after = {0};
        CALL(hsa_agent_get_info(a, AGENT_SCRATCH_LIMIT_MAX, &most));
        CALL(hsa_agent_get_info(a, AGENT_SCRATCH_LIMIT, &now));
        CHECK(now == most && (most > 0) == (i > 0));
        CALL(hsa_agent_get_info(a, AGENT_CLOCKS, &before));
        CALL(hsa_system_get_info(HSA_SYSTEM_INFO_TIMESTAMP, &now));
        CALL(hsa_agent_get_info(a, AGENT_CLOCKS, &after));
        CALL(hsa_system_get_info(HSA_SYSTEM_INFO_TIMESTAMP_FREQUENCY, &frequency));
        CHECK(before.gpu <= now && now <= after.gpu && before.cpu <= now && now <= after.cpu);
        CHECK(before.system <= now && now <= after.system && after.frequency == frequency);
        CHECK(hsa_agent_get_info(a, 0xa119, &now) == invalid);
    }
    size_t granule = 0;
    CALL(hsa_amd_memory_pool_get_info(device_pool[0], POOL_RECOMMENDED_GRANULE, &granule));
    CHECK(granule == 2u << 20);
}

static void scratch_limit(void) {
    uint64_t most, now;
    CALL(hsa_agent_get_info(gpus[0], AGENT_SCRATCH_LIMIT_MAX, &most));
    CALL(hsa_amd_agent_set_async_scratch_limit(gpus[0], most / 2));
    CALL(hsa_agent_get_info(gpus[0], AGENT_SCRATCH_LIMIT, &now));
    CHECK(now == most / 2);
    CHECK(hsa_amd_agent_set_async_scratch_limit(gpus[0], most + 1) == invalid);
    CHECK(hsa_amd_agent_set_async_scratch_limit(cpu, 0) == no_agent);
    CALL(hsa_agent_get_info(gpus[0], AGENT_SCRATCH_LIMIT, &now));
    CHECK(now == most / 2);
}

// Whether a GPU may execute a range, which is kept by page.
static void executable_range(void) {
    enum { GPU_EXEC = 7 };
    char *p = NULL;
    CHECK(!posix_memalign((void **)&p, 4096, 8192));
    hsa_amd_svm_attribute_pair_t pair = {GPU_EXEC, 1};
    CALL(hsa_amd_svm_attributes_set(p, 4096, &pair, 1));
    pair.value = 7;
    CALL(hsa_amd_svm_attributes_get(p, 4096, &pair, 1));
    CHECK(pair.value == 1);
    CALL(hsa_amd_svm_attributes_get(p + 4096, 4096, &pair, 1));
    CHECK(pair.value == 0);
    pair.attribute = GPU_EXEC + 1;
    CHECK(hsa_amd_svm_attributes_set(p, 4096, &pair, 1) == invalid);
    free(p);
}

// ---- The log ----

static FILE *log_file;
static char said[4096];
// What was logged since the last time.
static const char *logged(void) {
    static long from;
    fseek(log_file, from, SEEK_SET);
    const size_t n = fread(said, 1, sizeof said - 1, log_file);
    said[n] = 0;
    from += (long)n;
    return said;
}
static void enable(unsigned bits) {
    uint8_t flags[8] = {(uint8_t)bits};
    CALL(hsa_amd_enable_logging(flags, log_file));
}
static void copy(void *to, hsa_agent_t to_agent, const void *from, hsa_agent_t from_agent, size_t size) {
    hsa_signal_t s;
    CALL(hsa_signal_create(1, 0, NULL, &s));
    CALL(hsa_amd_memory_async_copy(to, to_agent, from, from_agent, size, 0, NULL, s));
    CHECK(wait_zero(s));
    CALL(hsa_signal_destroy(s));
}
static void logging(void) {
    char host[300] = {0};
    uint32_t *d = take(device_pool[0], 4096, false);
    log_file = tmpfile();
    CHECK(log_file);
    enable(1 << LOG_FLAG_AQL);
    CALL(hsa_amd_memory_fill(d, 0x1234, 64));
    CHECK(strstr(logged(), "fill of 256 bytes") && strstr(said, "with 0x1234"));
    copy(d + 100, gpus[0], d, gpus[0], 123);
    CHECK(strstr(logged(), "copy of 123 bytes"));
    copy(d, gpus[0], host, cpu, 300);
    CHECK(!*logged()); // not of this kind
    enable(1 << LOG_FLAG_SDMA);
    copy(d, gpus[0], host, cpu, 300);
    char expected[100];
    snprintf(expected, sizeof expected, "copy between agents of 300 bytes from %p to %p", (void *)host,
             (void *)d);
    CHECK(strstr(logged(), expected));
    copy(d + 100, gpus[0], d, gpus[0], 123);
    CHECK(!*logged());
    enable(1 << LOG_FLAG_INFO);
    hsa_queue_t *q;
    CALL(hsa_queue_create(gpus[0], 128, HSA_QUEUE_TYPE_MULTI, NULL, NULL, 0, 0, &q));
    CHECK(strstr(logged(), "of 128 packets"));
    CALL(hsa_queue_destroy(q));
    enable(0);
    CALL(hsa_amd_memory_fill(d, 0, 64));
    copy(d, gpus[0], host, cpu, 300);
    CHECK(!*logged());
    CALL(hsa_amd_enable_logging((uint8_t[8]){7}, NULL)); // to standard error; then never to the file again
    fclose(log_file);
    CALL(hsa_amd_memory_fill(d, 0, 64));
    CALL(hsa_amd_enable_logging((uint8_t[8]){0}, NULL));
    CALL(hsa_amd_memory_pool_free(d));
}

// ---- Queues and engines ----

static void counted_queues(void) {
    hsa_queue_t *q[2] = {NULL, NULL};
    for (int i = 0; i < 2; i++) {
        CALL(hsa_amd_counted_queue_acquire(gpus[0], HSA_QUEUE_TYPE_MULTI, 1, NULL, NULL, 0, &q[i]));
        hsa_signal_t s;
        CALL(hsa_signal_create(1, 0, NULL, &s));
        hsa_barrier_and_packet_t barrier = {.completion_signal = s};
        put(q[i], &barrier, HSA_PACKET_TYPE_BARRIER_AND);
        CHECK(wait_zero(s));
        CALL(hsa_signal_destroy(s));
    }
    for (int i = 0; i < 2; i++) CALL(hsa_amd_counted_queue_release(q[i]));
    CHECK(hsa_amd_counted_queue_acquire(gpus[0], HSA_QUEUE_TYPE_MULTI, 3, NULL, NULL, 0, &q[0]) == invalid);
    CHECK(hsa_amd_counted_queue_acquire(gpus[0], HSA_QUEUE_TYPE_MULTI, 1, NULL, NULL, 1, &q[0]) == invalid);
    CHECK(hsa_amd_counted_queue_acquire(cpu, HSA_QUEUE_TYPE_MULTI, 1, NULL, NULL, 0, &q[0]) ==
          HSA_STATUS_ERROR_INVALID_QUEUE_CREATION);
    uint32_t engines = 1;
    CALL(hsa_amd_memory_get_preferred_copy_engine(gpus[0], cpu, &engines));
    CHECK(!engines);
    CHECK(hsa_amd_memory_get_preferred_copy_engine(gpus[0], cpu, NULL) == invalid);
    CHECK(hsa_amd_memory_get_preferred_copy_engine(gpus[0], (hsa_agent_t){1}, &engines) == no_agent);
}

// ---- What there is not ----

static void exports(void) {
    char *d = take(device_pool[0], 5000, false), host[100];
    int file = -7;
    uint64_t offset = 7, copied = 7;
    int32_t error;
    CHECK(hsa_amd_portable_export_dmabuf(d + 8, 100, &file, &offset) == no_agent);
    CHECK(hsa_amd_portable_export_dmabuf_v2(d + 8, 100, &file, &offset, 0) == no_agent);
    CHECK(hsa_amd_portable_export_dmabuf(host, 100, &file, &offset) == HSA_STATUS_ERROR_INVALID_ALLOCATION);
    CHECK(hsa_amd_portable_export_dmabuf(d + 8, 4u << 20, &file, &offset) ==
          HSA_STATUS_ERROR_INVALID_ALLOCATION);
    CHECK(hsa_amd_portable_export_dmabuf(d, 100, NULL, &offset) == invalid);
    CHECK(file == -7 && offset == 7);
    CHECK(hsa_amd_portable_close_dmabuf(0) == HSA_STATUS_ERROR_RESOURCE_FREE && write(0, "", 0) <= 0);
    CHECK(hsa_amd_ais_file_read(0, d, 100, 0, &copied, &error) == HSA_STATUS_ERROR);
    CHECK(hsa_amd_ais_file_write(0, d, 100, 0, &copied, &error) == HSA_STATUS_ERROR);
    CHECK(hsa_amd_ais_file_read(0, d, 100, 0, NULL, &error) == invalid && copied == 7);
    CALL(hsa_amd_memory_pool_free(d));
}

static hsa_status_t count(const void *configuration, void *data) {
    ++*(int *)data;
    return configuration ? HSA_STATUS_SUCCESS : HSA_STATUS_ERROR;
}
static void ready(void *data, size_t size, size_t lost, hsa_status_t (*get)(void *, size_t, void *),
                  void *own) {
    (void)data, (void)size, (void)lost, (void)get, (void)own;
}
static void monitors(void) {
    uint32_t timeout = 1, copied;
    bool lost;
    int configurations = 0;
    uint64_t session = 7;
    CHECK(hsa_amd_spm_acquire(gpus[0]) == HSA_STATUS_ERROR && hsa_amd_spm_acquire(cpu) == no_agent);
    CHECK(hsa_amd_spm_release(gpus[0]) == HSA_STATUS_ERROR && hsa_amd_spm_release(cpu) == no_agent);
    CHECK(hsa_amd_spm_set_dest_buffer(gpus[0], 0, &timeout, &copied, NULL, &lost) == HSA_STATUS_ERROR);
    CHECK(hsa_amd_spm_set_dest_buffer(gpus[0], 0, NULL, &copied, NULL, &lost) == invalid);
    CALL(hsa_ven_amd_pcs_iterate_configuration(gpus[0], count, &configurations));
    CHECK(!configurations);
    CHECK(hsa_ven_amd_pcs_iterate_configuration(cpu, count, &configurations) == no_agent);
    CHECK(hsa_ven_amd_pcs_create(gpus[0], 0, 0, 1, 0, 64, ready, NULL, &session) == invalid);
    CHECK(hsa_ven_amd_pcs_create_from_id(1, gpus[0], 0, 0, 1, 0, 64, ready, NULL, &session) == invalid);
    CHECK(hsa_ven_amd_pcs_start(session) == invalid && hsa_ven_amd_pcs_stop(session) == invalid);
    CHECK(hsa_ven_amd_pcs_flush(session) == invalid && hsa_ven_amd_pcs_destroy(session) == invalid);
}

// ---- Extensions ----

static void samplers(void) {
    const hsa_status_t none = (hsa_status_t)HSA_EXT_STATUS_ERROR_SAMPLER_DESCRIPTOR_UNSUPPORTED;
    uint64_t sampler;
    for (uint32_t n = 0; n < 125; n++) {
        const sampler_v2_t how = {n & 1, n >> 1 & 1, {n % 5, n / 5 % 5, n / 25}};
        const hsa_status_t st = hsa_ext_sampler_create_v2(gpus[0], &how, &sampler);
        if (st == HSA_STATUS_SUCCESS)
            CALL(hsa_ext_sampler_destroy(gpus[0], (hsa_ext_sampler_t){sampler}));
        else
            CHECK(st == none);
        CHECK(hsa_ext_sampler_create_v2(cpu, &how, &sampler) == no_agent);
    }
    for (int i = 0; i < 3; i++) {
        sampler_v2_t how = {0};
        how.address[i] = 5;
        CHECK(hsa_ext_sampler_create_v2(gpus[0], &how, &sampler) == invalid);
    }
}

// Each client asks for a table as long as its header has it, and nothing behind that is written.
static void tables(void) {
    void *image[16], *loader[9];
    static const size_t image_sizes[] = {10, 13, 14}, loader_sizes[] = {3, 5, 6, 7};
    for (size_t i = 0; i < 3; i++) {
        memset(image, 0xee, sizeof image);
        CALL(hsa_system_get_major_extension_table(HSA_EXTENSION_IMAGES, 1, image_sizes[i] * 8, image));
        for (size_t n = 0; n < 16; n++)
            CHECK((image[n] == (void *)-0x1111111111111112) == (n >= image_sizes[i]));
    }
    CHECK(image[9] == (void *)hsa_ext_sampler_destroy && image[13] == (void *)hsa_ext_sampler_create_v2);
    for (size_t i = 0; i < 4; i++) {
        memset(loader, 0xee, sizeof loader);
        CALL(hsa_system_get_major_extension_table(HSA_EXTENSION_AMD_LOADER, 1, loader_sizes[i] * 8, loader));
        for (size_t n = 0; n < 9; n++)
            CHECK((loader[n] == (void *)-0x1111111111111112) == (n >= loader_sizes[i]));
    }
    const char *name;
    bool supported = true;
    uint16_t minor;
    CALL(hsa_extension_get_name(EXTENSION_PC_SAMPLING, &name));
    CHECK(!strcmp(name, "HSA_EXTENSION_AMD_PC_SAMPLING"));
    CALL(hsa_system_major_extension_supported(EXTENSION_PC_SAMPLING, 1, &minor, &supported));
    CHECK(!supported);
    CHECK(hsa_system_get_major_extension_table(EXTENSION_PC_SAMPLING, 1, 56, image) != HSA_STATUS_SUCCESS);
}

#define RUN(name) (name(), printf("ok " #name "\n"), fflush(stdout))
int main(void) {
    CHECK(hsa_amd_enable_logging((uint8_t[8]){1}, NULL) == HSA_STATUS_ERROR_NOT_INITIALIZED);
    CHECK(hsa_amd_spm_acquire(cpu) == HSA_STATUS_ERROR_NOT_INITIALIZED);
    open_runtime();
    RUN(attributes);
    RUN(scratch_limit);
    RUN(executable_range);
    RUN(logging);
    RUN(counted_queues);
    RUN(exports);
    RUN(monitors);
    RUN(samplers);
    RUN(tables);
    CALL(hsa_shut_down());
    return 0;
}
