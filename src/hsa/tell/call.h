// SPDX-License-Identifier: MIT
// How a function of the interface begins, and how it refuses. Every call and every refusal is reported to
// trace.c when somebody wants to see them.
#ifndef HSA_TELL_CALL_H
#define HSA_TELL_CALL_H

#include "base/clock.h" // all timestamps are monotonic_ns
#include "hsa/service/abi.h"

struct runtime;
extern struct runtime *runtime; // NULL: not initialised; atomic
static inline struct runtime *running(void) { return __atomic_load_n(&runtime, __ATOMIC_ACQUIRE); }

struct api_call {
    const char *name;
    uint64_t begin; // 0: nobody wants to see it
};
extern bool api_is_told;
void api_tell(const struct api_call *call);
void api_tell_refusal(const char *function, const char *need, status s);
static inline void api_end(const struct api_call *call) {
    if (__builtin_expect(call->begin != 0, 0)) api_tell(call);
}
static inline status api_refuse(const char *function, const char *need, status s) {
    if (__builtin_expect(api_is_told, 0) && s != ST_SUCCESS) api_tell_refusal(function, need, s);
    return s;
}
#define API_CALL                                                                                             \
    const struct api_call api_call_ __attribute__((cleanup(api_end), unused)) = {                            \
        __func__, __builtin_expect(api_is_told, 0) ? monotonic_ns() : 0}
#define NEED_RUNTIME                                                                                         \
    API_CALL;                                                                                                \
    if (!running()) return ST_NOT_INITIALIZED
// Returns the status unless the condition holds.
#define NEED(condition, status)                                                                              \
    if (!(condition)) return api_refuse(__func__, #condition, status)

static inline handle_t handle_of(const void *p) { return (handle_t)(uintptr_t)p; }

#endif
