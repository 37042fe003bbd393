// SPDX-License-Identifier: MIT
// What ran, for people: SOFTWAVE_STATS=1 sums kernels up on standard error at the end; SOFTWAVE_PROFILE=FILE
// writes a timeline of kernels and copies that Perfetto and chrome://tracing open.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "hsa/trace.h"

struct total {
    char *kernel;
    const struct agent *agent;
    char gpu[16];
    uint64_t calls, ns, least, most, waves, instructions[SW_CLASSES];
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static ARRAY(struct total) totals;
static uint64_t copies, copied_bytes, copied_ns;
static FILE *profile;
static bool stats, first_event, opened;
static uint64_t zero;
static pid_t process;
bool trace_on;

static int by_time(const void *a, const void *b) {
    const uint64_t x = ((const struct total *)a)->ns, y = ((const struct total *)b)->ns;
    return x < y ? 1 : x > y ? -1 : 0;
}

static void print_mix(const struct total *t) {
    uint64_t all = 0;
    for (int i = 0; i < SW_CLASSES; i++) all += t->instructions[i];
    if (!all) return;
    fprintf(stderr, "  %14llu instructions:", (unsigned long long)all);
    for (int i = 0; i < SW_CLASSES; i++)
        if (t->instructions[i])
            fprintf(stderr, " %s %.1f %%", sw_class_name((sw_insn_class)i),
                    100.0 * (double)t->instructions[i] / (double)all);
    fputc('\n', stderr);
}

static void print_totals(void) {
    if (totals.count) qsort(totals.items, totals.count, sizeof *totals.items, by_time);
    fprintf(stderr, "softwave: kernels by time\n  %10s %12s %12s %12s %12s  kernel\n", "calls", "total ms",
            "mean us", "least us", "most us");
    for (size_t i = 0; i < totals.count; i++) {
        const struct total *t = &totals.items[i];
        fprintf(stderr, "  %10llu %12.3f %12.1f %12.1f %12.1f  %s on %s\n", (unsigned long long)t->calls,
                (double)t->ns * 1e-6, (double)t->ns * 1e-3 / (double)t->calls, (double)t->least * 1e-3,
                (double)t->most * 1e-3, t->kernel, t->gpu);
        print_mix(t);
    }
    if (copies)
        fprintf(stderr, "  %10llu %12.3f ms for copies of %llu bytes\n", (unsigned long long)copies,
                (double)copied_ns * 1e-6, (unsigned long long)copied_bytes);
}

static void at_end(void) {
    if (getpid() != process) return; // a child of fork tells nothing of its parent
    pthread_mutex_lock(&lock);
    if (stats) print_totals();
    stats = false;
    if (profile) {
        fputs("\n]\n", profile);
        fclose(profile);
    }
    profile = NULL;
    trace_on = false;
    pthread_mutex_unlock(&lock);
}

void trace_open(void) {
    pthread_mutex_lock(&lock);
    if (!opened) {
        const char *wanted = getenv("SOFTWAVE_STATS"), *name = getenv("SOFTWAVE_PROFILE");
        stats = wanted && !strcmp(wanted, "1");
        if (name && *name && !(profile = fopen(name, "we"))) complain("%s cannot be written", name);
        if (profile) fputs("[", profile);
        first_event = opened = true;
        zero = clock_now();
        process = getpid();
        trace_on = stats || profile;
        if (trace_on) atexit(at_end);
    }
    pthread_mutex_unlock(&lock);
}
bool trace_counts(void) { return stats; }

// ---- Events ----

static void put_string(const char *text) {
    fputc('"', profile);
    for (const char *p = text; *p; p++) {
        if (*p == '"' || *p == '\\') fputc('\\', profile);
        if ((unsigned char)*p >= ' ') fputc(*p, profile);
    }
    fputc('"', profile);
}
// With the lock held.
static void put_event(const char *name, const char *kind, unsigned gpu, uint64_t row, uint64_t begin,
                      uint64_t end) {
    fprintf(profile,
            "%s\n{\"ph\":\"X\",\"cat\":\"%s\",\"pid\":%u,\"tid\":%llu,\"ts\":%.3f,\"dur\":%.3f,\"name\":",
            first_event ? "" : ",", kind, gpu, (unsigned long long)row,
            (double)(int64_t)(begin - zero) * 1e-3, (double)(end - begin) * 1e-3);
    first_event = false;
    put_string(name);
    fputc('}', profile);
}

static struct total *total_of(const char *kernel, const struct agent *a) {
    for (size_t i = 0; i < totals.count; i++)
        if (totals.items[i].agent == a && !strcmp(totals.items[i].kernel, kernel)) return &totals.items[i];
    struct total t = {.kernel = strdup(kernel), .agent = a, .least = UINT64_MAX};
    snprintf(t.gpu, sizeof t.gpu, "%.15s", a->name);
    return t.kernel && array_push(&totals, t) ? &totals.items[totals.count - 1] : NULL;
}

void trace_dispatch(const struct agent *a, uint64_t queue, const char *kernel, const sw_counts *c) {
    char plain[1024];
    snprintf(plain, sizeof plain, "%s", kernel);
    const size_t n = strlen(plain);
    if (n > 3 && !strcmp(plain + n - 3, ".kd")) plain[n - 3] = 0;
    char name[1024];
    if (!sw_demangle(plain, name, sizeof name)) memcpy(name, plain, sizeof name);
    const uint64_t ns = c->end_ns - c->begin_ns;
    pthread_mutex_lock(&lock);
    struct total *t = stats ? total_of(name, a) : NULL;
    if (t) {
        t->calls++;
        t->ns += ns;
        t->waves += c->waves;
        if (ns < t->least) t->least = ns;
        if (ns > t->most) t->most = ns;
        for (int i = 0; i < SW_CLASSES; i++) t->instructions[i] += c->instructions[i];
    }
    if (profile) put_event(name, "kernel", a->index, queue + 1, c->begin_ns, c->end_ns);
    pthread_mutex_unlock(&lock);
}

void trace_copy(uint64_t bytes, uint64_t begin, uint64_t end) {
    pthread_mutex_lock(&lock);
    copies++;
    copied_bytes += bytes;
    copied_ns += end - begin;
    if (profile) put_event("copy", "copy", 0, 0, begin, end);
    pthread_mutex_unlock(&lock);
}
