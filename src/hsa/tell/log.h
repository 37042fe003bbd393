// SPDX-License-Identifier: MIT
// The log of hsa_amd_enable_logging (log.c).
#ifndef HSA_TELL_LOG_H
#define HSA_TELL_LOG_H

#include <stdbool.h>
#include <stdint.h>

// What is logged; the bits are those of the client's flags.
enum {
    LOG_BLIT = 1 << 0,   // fills, and copies within an agent
    LOG_ENGINE = 1 << 1, // copies between agents
    LOG_INFO = 1 << 2,   // queues
};
extern uint64_t log_kinds; // atomic

static inline bool logs(unsigned kind) { return __atomic_load_n(&log_kinds, __ATOMIC_ACQUIRE) & kind; }
void log_print(const char *format, ...) __attribute__((format(printf, 1, 2)));
void log_close(void);
void log_forget(void);

#endif
