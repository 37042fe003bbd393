// SPDX-License-Identifier: MIT
// The log that a client turns on with hsa_amd_enable_logging. AMD's runtime logs there what it gives to its
// own copy kernels and copy engines. This runtime has neither; it logs the copies and fills that stand for
// them, one line each, when they are submitted.
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "hsa/tell/call.h"
#include "hsa/tell/log.h"

static FILE *file; // the client's; NULL: standard error
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
uint64_t log_kinds;

// The last call decides. Flags that have no meaning here are kept out.
HSA(status, hsa_amd_enable_logging, const uint8_t *flags, void *stream) {
    NEED_RUNTIME;
    uint64_t kinds = 0;
    if (flags) memcpy(&kinds, flags, sizeof kinds);
    pthread_mutex_lock(&lock);
    file = stream;
    __atomic_store_n(&log_kinds, kinds & (LOG_BLIT | LOG_ENGINE | LOG_INFO), __ATOMIC_RELEASE);
    pthread_mutex_unlock(&lock);
    return ST_SUCCESS;
}

void log_print(const char *format, ...) {
    char text[512];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    pthread_mutex_lock(&lock);
    FILE *to = file ? file : stderr;
    fprintf(to, "softwave: [%ld] %.6f %s\n", (long)syscall(SYS_gettid), (double)monotonic_ns() * 1e-9, text);
    fflush(to); // the client may end without closing its file
    pthread_mutex_unlock(&lock);
}

// The client's file does not outlive the runtime.
void log_close(void) {
    pthread_mutex_lock(&lock);
    log_kinds = 0;
    file = NULL;
    pthread_mutex_unlock(&lock);
}
void log_forget(void) {
    pthread_mutex_init(&lock, NULL);
    log_kinds = 0;
    file = NULL;
}
