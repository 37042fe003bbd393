// SPDX-License-Identifier: MIT
// What the interface's headers gained after version 5.2, which the tests are compiled with: attributes, types
// and functions up to ROCm 7, declared with plain integers where the headers have enumerations.
#ifndef TESTS_HSA_LATER_H
#define TESTS_HSA_LATER_H

#include <stdbool.h>
#include <stdint.h>

#include <hsa/hsa.h>

enum { // attributes
    SYSTEM_MWAITX = 0x203,
    SYSTEM_DMABUF = 0x204,
    SYSTEM_VIRTUAL_MEMORY = 0x205,
    SYSTEM_XNACK = 0x206,
    SYSTEM_EXT_MAJOR = 0x207,
    SYSTEM_EXT_MINOR = 0x208,
    AGENT_MEMORY_AVAILABLE = 0xa015,
    AGENT_TIMESTAMP_FREQUENCY = 0xa016,
    AGENT_FAMILY = 0xa107,
    AGENT_SCRATCH_LIMIT_MAX = 0xa116,
    AGENT_SCRATCH_LIMIT = 0xa117,
    AGENT_CLOCKS = 0xa118,
    POOL_LOCATION = 17,
    POOL_RECOMMENDED_GRANULE = 18,
    EXTENSION_PC_SAMPLING = 0x203,
};
enum { LOG_FLAG_AQL = 0, LOG_FLAG_SDMA = 1, LOG_FLAG_INFO = 2 }; // numbers of bits

typedef struct {
    uint64_t gpu, cpu, system, frequency;
} clocks_t;
typedef struct {
    uint32_t coordinate, filter, address[3];
} sampler_v2_t;

hsa_status_t hsa_amd_agent_set_async_scratch_limit(hsa_agent_t, size_t);
hsa_status_t hsa_amd_enable_logging(uint8_t *, void *);
hsa_status_t hsa_amd_memory_get_preferred_copy_engine(hsa_agent_t, hsa_agent_t, uint32_t *);
hsa_status_t hsa_amd_counted_queue_acquire(hsa_agent_t, hsa_queue_type32_t, int,
                                           void (*)(hsa_status_t, hsa_queue_t *, void *), void *, uint64_t,
                                           hsa_queue_t **);
hsa_status_t hsa_amd_counted_queue_release(hsa_queue_t *);
hsa_status_t hsa_amd_portable_export_dmabuf(const void *, size_t, int *, uint64_t *);
hsa_status_t hsa_amd_portable_export_dmabuf_v2(const void *, size_t, int *, uint64_t *, uint64_t);
hsa_status_t hsa_amd_portable_close_dmabuf(int);
hsa_status_t hsa_amd_ais_file_read(uint64_t, void *, uint64_t, int64_t, uint64_t *, int32_t *);
hsa_status_t hsa_amd_ais_file_write(uint64_t, void *, uint64_t, int64_t, uint64_t *, int32_t *);
hsa_status_t hsa_amd_spm_acquire(hsa_agent_t);
hsa_status_t hsa_amd_spm_release(hsa_agent_t);
hsa_status_t hsa_amd_spm_set_dest_buffer(hsa_agent_t, size_t, uint32_t *, uint32_t *, void *, bool *);
hsa_status_t hsa_ext_sampler_create_v2(hsa_agent_t, const sampler_v2_t *, uint64_t *);
hsa_status_t hsa_ven_amd_pcs_iterate_configuration(hsa_agent_t, hsa_status_t (*)(const void *, void *),
                                                   void *);
typedef void pcs_ready(void *, size_t, size_t, hsa_status_t (*)(void *, size_t, void *), void *);
hsa_status_t hsa_ven_amd_pcs_create(hsa_agent_t, int, int, size_t, size_t, size_t, pcs_ready *, void *,
                                    uint64_t *);
hsa_status_t hsa_ven_amd_pcs_create_from_id(uint32_t, hsa_agent_t, int, int, size_t, size_t, size_t,
                                            pcs_ready *, void *, uint64_t *);
hsa_status_t hsa_ven_amd_pcs_destroy(uint64_t);
hsa_status_t hsa_ven_amd_pcs_start(uint64_t);
hsa_status_t hsa_ven_amd_pcs_stop(uint64_t);
hsa_status_t hsa_ven_amd_pcs_flush(uint64_t);

#endif
