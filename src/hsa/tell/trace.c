// SPDX-License-Identifier: MIT
// Reports about a run. SOFTWAVE_STATS=1: time of each kernel, on standard error at the end.
// SOFTWAVE_PROFILE=FILE: a timeline of calls, kernels and copies for Perfetto and chrome://tracing, a file
// for each process. SOFTWAVE_LOG=hsa: each call as it ends, and why one is refused. SOFTWAVE_FIDELITY=1:
// operations that are not exact.
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/array.h"
#include "hsa/service/process.h"
#include "hsa/tell/trace.h"

struct total {
    char *kernel;
    char gpu[16];
    unsigned index; // of the agent
    uint64_t calls, ns, least, most, waves, instructions[SW_CLASSES];
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static ARRAY(struct total) totals;
static uint64_t copies, copied_bytes, copied_ns;
static FILE *profile;
static bool stats, first_event, opened;
static uint64_t zero;
static pid_t process;
bool trace_on, api_is_told;
static bool log_calls, fidelity;
static void (*before_end)(void);

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
            fprintf(stderr, " %s %.1f %%", sw_insn_class_name((sw_insn_class)i),
                    100.0 * (double)t->instructions[i] / (double)all);
    fputc('\n', stderr);
}

static void print_totals(void) {
    if (totals.count) qsort(totals.items, totals.count, sizeof *totals.items, by_time);
    if (!totals.count) fprintf(stderr, "softwave: no kernel was launched\n");
    if (!totals.count && !copies) return;
    if (totals.count)
        fprintf(stderr, "softwave: kernels by time\n  %10s %12s %12s %12s %12s  kernel\n", "calls",
                "total ms", "mean us", "least us", "most us");
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

static void print_all_fidelity(void);

static void at_end(void) {
    if (getpid() != process) return; // a child of fork tells nothing of its parent
    if (fidelity) before_end();
    pthread_mutex_lock(&lock);
    if (fidelity) print_all_fidelity();
    fidelity = false;
    if (stats) print_totals();
    stats = false;
    if (profile) {
        fputs("\n]\n", profile);
        const bool failed = ferror(profile);
        if (fclose(profile) || failed)
            runtime_complain("the profile is cut short: its file cannot be written");
    }
    profile = NULL;
    trace_on = api_is_told = log_calls = false;
    pthread_mutex_unlock(&lock);
}

// Processes of one run may have the same name for their profile. The file is that of the process which holds
// its lock, or held it before it ended: `softwave exec` empties it first and says so in
// SOFTWAVE_PROFILE_EMPTIED.
static bool is_taken(int file) {
    struct stat s;
    if (fstat(file, &s) || !S_ISREG(s.st_mode)) return false;
    if (flock(file, LOCK_EX | LOCK_NB)) return errno == EWOULDBLOCK;
    return s.st_size && getenv("SOFTWAVE_PROFILE_EMPTIED");
}

// p.json becomes p.PID.json.
static FILE *open_own(const char *name) {
    char own[4096];
    const char *slash = strrchr(name, '/'), *base = slash ? slash + 1 : name, *dot = strrchr(base, '.');
    const int stem = (int)(dot && dot > base ? dot - name : (long)strlen(name));
    if (snprintf(own, sizeof own, "%.*s.%ld%s", stem, name, (long)getpid(), name + stem) >= (int)sizeof own) {
        errno = ENAMETOOLONG;
        return NULL;
    }
    return fopen(own, "we");
}

static FILE *open_profile(const char *name) {
    const int file = open(name, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    if (file < 0) return NULL;
    const bool taken = is_taken(file);
    FILE *f = taken || (ftruncate(file, 0) && errno != EINVAL) ? NULL : fdopen(file, "w");
    if (!f) close(file); // which gives the lock back
    return taken ? open_own(name) : f;
}

// `softwave exec --stats` tells of a program that never gets here.
static void tell_begun(void) {
    const char *name = getenv("SOFTWAVE_BEGUN");
    const int file = name ? open(name, O_WRONLY | O_CLOEXEC) : -1;
    if (file < 0) return;
    (void)!write(file, "1", 1);
    close(file);
}

void trace_open(void (*at_end_)(void)) {
    pthread_mutex_lock(&lock);
    before_end = at_end_;
    if (!opened) {
        const char *wanted = getenv("SOFTWAVE_STATS"), *name = getenv("SOFTWAVE_PROFILE");
        stats = wanted && !strcmp(wanted, "1");
        if (stats) tell_begun();
        if (name && *name && !(profile = open_profile(name)))
            runtime_complain("%s cannot be written: %s", name, strerror(errno));
        const char *log = getenv("SOFTWAVE_LOG"), *exact = getenv("SOFTWAVE_FIDELITY");
        log_calls = log && !strcmp(log, "hsa");
        fidelity = exact && !strcmp(exact, "1");
        api_is_told = log_calls || profile;
        if (profile) fputs("[", profile);
        first_event = opened = true;
        zero = monotonic_ns();
        process = getpid();
        trace_on = stats || profile || log_calls;
        if (trace_on || fidelity) atexit(at_end);
    }
    pthread_mutex_unlock(&lock);
}
bool trace_counts(void) { return stats; }

// ---- Calls ----

static _Thread_local long thread_id; // as the system shows it
static long this_thread(void) {
    if (!thread_id) thread_id = syscall(SYS_gettid);
    return thread_id;
}
static void log_line(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void log_line(const char *format, ...) {
    char text[512];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    fprintf(stderr, "softwave: [%ld] %12.6f %s\n", this_thread(), (double)(monotonic_ns() - zero) * 1e-9,
            text);
}

void api_tell_refusal(const char *function, const char *need, status s) {
    if (log_calls) log_line("%s: refused with 0x%x, as this is not so: %s", function, (unsigned)s, need);
}

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

void api_tell(const struct api_call *call) {
    if (strncmp(call->name, "hsa_", 4)) return; // what several functions share
    const uint64_t end = monotonic_ns();
    if (log_calls) log_line("%s, %.1f us", call->name, (double)(end - call->begin) * 1e-3);
    pthread_mutex_lock(&lock);
    if (profile) put_event(call->name, "api", 0, (uint64_t)this_thread(), call->begin, end);
    pthread_mutex_unlock(&lock);
}

// ---- Fidelity ----

// Operations that kernels reached, by processor. Several code objects may have one operation in common.
struct reached_operation {
    char gpu[16];
    const char *mnemonic, *unsupported, *why; // constant texts of the library
    bool approximate;
    double ulps;
};
static ARRAY(struct reached_operation) operations;
static bool operations_lost; // memory ran out

static bool is_of(const struct reached_operation *o, const char *gpu) { return !strcmp(o->gpu, gpu); }

static void add_operation(const char *gpu, const sw_operation *o) { // with the lock held
    struct reached_operation r = {"", o->mnemonic, o->unsupported, o->why, o->approximate, o->ulps};
    snprintf(r.gpu, sizeof r.gpu, "%.15s", gpu);
    for (size_t i = 0; i < operations.count; i++)
        if (is_of(&operations.items[i], r.gpu) && !strcmp(operations.items[i].mnemonic, o->mnemonic)) return;
    operations_lost |= !array_push(&operations, r);
}

// Called when a code object goes.
void trace_fidelity(const char *gpu, sw_device *device, const sw_executable *code) {
    enum { MOST = 1024 };
    if (!fidelity || !code) return;
    sw_operation *all = calloc(MOST, sizeof *all);
    if (!all) return;
    all->size = sizeof *all;
    size_t count = sw_executable_operations(device, code, all, MOST);
    if (count > MOST) count = MOST;
    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < count; i++) add_operation(gpu, &all[i]);
    pthread_mutex_unlock(&lock);
    free(all);
}

static void print_operation(const struct reached_operation *o) {
    char bound[40] = "";
    if (o->ulps > 0) snprintf(bound, sizeof bound, ", within %.3f ulp", o->ulps);
    fprintf(stderr, "softwave: fidelity: %s is %s%s: %s\n", o->mnemonic,
            o->unsupported ? "unsupported" : "approximate", bound, o->unsupported ? o->unsupported : o->why);
}
static void print_fidelity(const char *gpu) {
    size_t kinds[2] = {0}, refused = 0;
    for (size_t i = 0; i < operations.count; i++)
        if (is_of(&operations.items[i], gpu)) {
            refused += operations.items[i].unsupported != NULL;
            kinds[operations.items[i].approximate] += !operations.items[i].unsupported;
        }
    fprintf(stderr, "softwave: fidelity on %s: %zu operations exact, %zu approximate, %zu unsupported\n", gpu,
            kinds[0], kinds[1], refused);
    for (size_t i = 0; i < operations.count; i++)
        if (is_of(&operations.items[i], gpu) &&
            (operations.items[i].approximate || operations.items[i].unsupported))
            print_operation(&operations.items[i]);
}
static bool is_first_of_gpu(size_t at) {
    for (size_t i = 0; i < at; i++)
        if (is_of(&operations.items[i], operations.items[at].gpu)) return false;
    return true;
}
// One line for each processor. Lock: lock.
static void print_all_fidelity(void) {
    for (size_t i = 0; i < operations.count; i++)
        if (is_first_of_gpu(i)) print_fidelity(operations.items[i].gpu);
    if (operations_lost)
        fprintf(stderr, "softwave: fidelity: memory ran out; operations are missing above\n");
}

static struct total *total_of(const char *kernel, const char *gpu, unsigned index) {
    for (size_t i = 0; i < totals.count; i++)
        if (totals.items[i].index == index && !strcmp(totals.items[i].kernel, kernel))
            return &totals.items[i];
    struct total t = {.kernel = strdup(kernel), .index = index, .least = UINT64_MAX};
    snprintf(t.gpu, sizeof t.gpu, "%.15s", gpu);
    return t.kernel && array_push(&totals, t) ? &totals.items[totals.count - 1] : NULL;
}

void kernel_name(const char *symbol, char *out, size_t size) {
    char plain[1024];
    snprintf(plain, sizeof plain, "%s", symbol);
    const size_t n = strlen(plain);
    if (n > 3 && !strcmp(plain + n - 3, ".kd")) plain[n - 3] = 0;
    if (!sw_demangle(plain, out, size)) snprintf(out, size, "%s", plain);
}

void trace_dispatch(const char *gpu, unsigned index, uint64_t queue, const char *kernel, const sw_counts *c) {
    char name[1024];
    kernel_name(kernel, name, sizeof name);
    const uint64_t ns = c->end_ns - c->begin_ns;
    if (log_calls)
        log_line("kernel %s on %s, queue %llu: %.1f us", name, gpu, (unsigned long long)queue,
                 (double)ns * 1e-3);
    pthread_mutex_lock(&lock);
    struct total *t = stats ? total_of(name, gpu, index) : NULL;
    if (t) {
        t->calls++;
        t->ns += ns;
        t->waves += c->waves;
        if (ns < t->least) t->least = ns;
        if (ns > t->most) t->most = ns;
        for (int i = 0; i < SW_CLASSES; i++) t->instructions[i] += c->instructions[i];
    }
    if (profile) put_event(name, "kernel", index, queue + 1, c->begin_ns, c->end_ns);
    pthread_mutex_unlock(&lock);
}

void trace_copy(uint64_t bytes, uint64_t begin, uint64_t end) {
    pthread_mutex_lock(&lock);
    copies++;
    copied_bytes += bytes;
    copied_ns += end - begin;
    if (profile) put_event("copy", "copy", 0, 0, begin, end);
    if (log_calls)
        log_line("copy of %llu bytes: %.1f us", (unsigned long long)bytes, (double)(end - begin) * 1e-3);
    pthread_mutex_unlock(&lock);
}

// What is in the file's buffer would be written by the child as well.
void trace_before_fork(void) {
    pthread_mutex_lock(&lock);
    if (profile) fflush(profile);
}
void trace_after_fork(bool is_child) {
    if (is_child) profile = NULL; // which is the parent's
    pthread_mutex_unlock(&lock);
}
