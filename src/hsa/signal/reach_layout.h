// SPDX-License-Identifier: MIT
// The layouts of what kernels can write: amd_signal_t, amd_queue_t and what processes share of a signal.
// Only reach.c includes this file, so only reach.c can use these members. tests/hsa/hsa_abi.sh checks both.
#ifndef HSA_REACH_LAYOUT_H
#define HSA_REACH_LAYOUT_H

#include "hsa/service/abi.h"

// ---- Queues (DISP-01, DISP-14) ----
struct aql_queue { // hsa_queue_t
    uint32_t type, features;
    void *base;
    handle_t doorbell;
    uint32_t size, reserved;
    uint64_t id;
};

struct amd_queue {
    struct aql_queue hsa;
    uint32_t reserved1[4];
    uint64_t write_index;
    uint32_t group_aperture_hi, private_aperture_hi;
    uint32_t max_cu_id, max_wave_id;
    uint64_t max_legacy_doorbell_plus_1;
    uint32_t legacy_doorbell_lock, reserved2[9];
    uint64_t read_index;
    uint32_t read_index_offset, compute_tmpring_size;
    uint32_t scratch_descriptor[4];
    uint64_t scratch_location, scratch_bytes;
    uint32_t scratch_lane_bytes, properties;
    uint32_t reserved3[2];
    handle_t inactive_signal;
    uint32_t reserved4[14];
};

// ---- Signals (DISP-13) ----
struct amd_signal {
    int64_t kind;
    union {
        int64_t value;
        uint64_t *doorbell;
    };
    uint64_t mailbox;
    uint32_t event_id, reserved1;
    uint64_t start_ts, end_ts;
    uint64_t queue;
    uint64_t reserved2;
};
enum signal_kind { SIGNAL_NONE = 0, SIGNAL_USER = 1, SIGNAL_DOORBELL = -1, SIGNAL_LEGACY_DOORBELL = -2 };

// A signal of several processes stands alone in its page. This is at byte 128 of the page.
struct shared_wait {
    uint32_t epoch, waiters; // futex and count of threads that sleep on it
    uint32_t is_exposed;     // some process may write the value without a call
};

#endif
