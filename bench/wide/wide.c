// SPDX-License-Identifier: MIT
// Runs the wide set (cases.def) on a software GPU at each tier and by default, in turns with the same in C on
// one thread, and compares the results. Prints for each kernel milliseconds of C, how often that each tier
// takes, time to the first result, CPU time of the compiler, and when it had compiled something and had
// compiled all by default; then geometric means, kernels above 4 times C, and those slower at a higher tier,
// by more than 5 % in the median of the rounds. Times are CPU times of all threads, the best of several runs
// in the steady state. Exit code 1: results differ. 2: a kernel was named. usage:
// [WIDE_LEVEL=v3] wide CODE-OBJECT TARGET [SECONDS [NAME...]]: SECONDS each kernel runs for
#include "bench/wide/wide.h"

#include <dirent.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "softwave/device.h"
#include "softwave/object.h"

// ---- What is run ----

struct wide_buffer {
    char kind;
    uint32_t words;
};
struct wide_case {
    char name[WIDE_NAME];
    uint32_t grid[2], block[2];
    struct wide_buffer buffers[WIDE_BUFFERS];
    int scalars[WIDE_SCALARS];
};
#define BUFFERS(...)                                                                                         \
    { __VA_ARGS__ }
#define SCALARS(...)                                                                                         \
    { __VA_ARGS__ }
#define CASE(kernel, x, y, i, j, use, numbers) {#kernel, {x, y}, {i, j}, use, numbers},
static const struct wide_case cases[] = {
#include "bench/wide/cases.def"
};
#undef CASE
enum { CASES = sizeof cases / sizeof *cases };

static void run_host(size_t n, const struct wide_args *a) {
#define CASE(kernel, ...)                                                                                    \
    if (!strcmp(cases[n].name, #kernel)) host_##kernel(a);
#include "bench/wide/cases.def"
#undef CASE
}

static void print(void *context, const sw_diagnostic *d) {
    (void)context;
    fprintf(stderr, "wide: %s\n", d->message);
}
static const sw_sink sink = {.report = print};
static void need(sw_status s) {
    if (s != SW_OK) exit(1);
}

// ---- Data ----

static uint64_t state;
static uint32_t draw(void) {
    return (uint32_t)((state = state * 6364136223846793005u + 1442695040888963407u) >> 32);
}
static float draw_f32(void) { return (float)(draw() >> 8) * 0x1p-24f; }

static void fill(const struct wide_case *c, unsigned i, uint32_t *p) {
    const uint32_t n = c->buffers[i].words;
    float *f = (float *)(void *)p;
    state = i + 1;
    memset(p, 0, 4 * (size_t)n);
    for (uint32_t k = 0; k < n; k++) switch (c->buffers[i].kind) {
        case 'f': f[k] = draw_f32(); break;
        case 'u': p[k] = draw(); break;
        case 'v': p[k] = draw() >> 8; break;
        case 'a': p[k] = draw() & 0x01010101; break;
        case 's': p[k] = 16 * k; break;
        case 'i': p[k] = draw() % (uint32_t)c->scalars[0]; break;
        case 't':
            f[k] = (float)(k % 2 ? -sin(3.141592653589793 * (k / 2) / 128)
                                 : cos(3.141592653589793 * (k / 2) / 128));
            break;
        case '4':
            if (k % 5)
                p[k] = draw();
            else
                f[k] = draw_f32();
            break;
        case '8':
            if (k % 9)
                p[k] = draw();
            else
                f[k] = draw_f32();
            break;
        default: break;
        }
}
static void fill_all(const struct wide_case *c, void *const *to) {
    for (unsigned i = 0; i < WIDE_BUFFERS && c->buffers[i].words; i++) fill(c, i, to[i]);
}
static bool is_number(char kind) { return strchr("fpnt", kind) != NULL; }

static bool is_same(const struct wide_case *c, unsigned i, const void *expected, const void *found) {
    const uint32_t n = c->buffers[i].words;
    if (!is_number(c->buffers[i].kind)) return !memcmp(expected, found, 4 * (size_t)n);
    const float *e = expected, *f = found;
    float most = 0;
    for (uint32_t k = 0; k < n; k++) most = fmaxf(most, fabsf(e[k]));
    for (uint32_t k = 0; k < n; k++)
        if (!(fabsf(e[k] - f[k]) <= 1e-3f * most)) return false;
    return most > 0;
}

// ---- Time ----

static double now(clockid_t clock) {
    struct timespec t;
    return clock_gettime(clock, &t) ? 0 : (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// CPU time of all threads by their own clocks: the clock of the process does not know what other threads have
// used since their last tick. The compiler's thread has a lower priority than others.
struct spent {
    double all, compiler;
};
static struct spent others(void) {
    struct spent s = {0};
    DIR *tasks = opendir("/proc/self/task");
    if (!tasks) return s;
    for (struct dirent *e; (e = readdir(tasks));) {
        const int tid = atoi(e->d_name);
        if (tid <= 0 || tid == getpid()) continue;
        const clockid_t clock = (clockid_t)(~(unsigned)tid << 3 | 6);
        const double t = now(clock);
        if (getpriority(PRIO_PROCESS, (id_t)tid) > getpriority(PRIO_PROCESS, 0))
            s.compiler += t;
        else
            s.all += t;
    }
    closedir(tasks);
    return s;
}
struct timer {
    struct spent others;
    double own, wall;
};
static struct timer start_timer(void) {
    struct timer t = {.others = others()};
    t.wall = now(CLOCK_MONOTONIC);
    t.own = now(CLOCK_THREAD_CPUTIME_ID);
    return t;
}
struct measured {
    double cpu, wall;
};
static struct measured stop_timer(const struct timer *t) {
    struct measured m = {.cpu = now(CLOCK_THREAD_CPUTIME_ID) - t->own};
    m.wall = now(CLOCK_MONOTONIC) - t->wall;
    m.cpu += others().all - t->others.all;
    return m;
}

// ---- Sides ----

enum { TIERS = 3, USUAL = TIERS, SIDES, MOST_ROUNDS = 9, LEAST_ROUNDS = 5, PATIENCE = 4 };

struct side {
    sw_device *device;
    sw_executable *executable;
    uint8_t *kernarg;
    void *memory[WIDE_BUFFERS];
    sw_dispatch dispatch;
    struct measured first;
    double best;
};

// As memory of OpenCL's and HIP's devices is.
enum { MEMORY_RIGHTS = SW_RIGHT_READ | SW_RIGHT_WRITE | SW_RIGHT_STAYS | SW_RIGHT_ALONE };

static void create(struct side *s, const struct wide_case *c, const char *target, sw_object *object,
                   sw_tier tier) {
    const sw_kernel *k = sw_object_find_kernel(object, c->name);
    if (!k) exit(1);
    sw_device_options o = {
        .size = sizeof o, .threads = 1, .tier = tier, .cache = "", .level = getenv("WIDE_LEVEL")};
    need(sw_target_parse(target, strlen(target), &o.target, &sink));
    need(sw_device_create(&o, &s->device, &sink));
    need(sw_device_load(s->device, object, NULL, NULL, &s->executable, &sink));
    s->kernarg = sw_device_alloc(s->device, k->kernarg_segment_size + 64);
    unsigned argument = 0;
    for (unsigned i = 0; i < WIDE_BUFFERS && c->buffers[i].words; i++) {
        const uint64_t bytes = 4 * (uint64_t)c->buffers[i].words;
        s->memory[i] = sw_device_alloc(s->device, bytes);
        need(sw_device_map(s->device, s->memory[i], bytes, MEMORY_RIGHTS));
        memcpy(s->kernarg + sw_kernel_argument(k, argument++)->offset, &s->memory[i], 8);
    }
    for (unsigned i = 0; i < WIDE_SCALARS && argument < k->argument_count; i++)
        memcpy(s->kernarg + sw_kernel_argument(k, argument++)->offset, &c->scalars[i], 4);
    s->dispatch = (sw_dispatch){.size = sizeof s->dispatch,
                                .executable = s->executable,
                                .descriptor = sw_executable_base(s->executable) + k->descriptor_offset,
                                .kernarg = (uint64_t)(uintptr_t)s->kernarg,
                                .grid = {c->grid[0], c->grid[1], 1},
                                .block = {c->block[0], c->block[1], 1}};
    sw_device_fill_hidden_arguments(s->device, k, &s->dispatch, 0, s->kernarg);
    s->best = 1e9;
}

static struct measured run(struct side *s) {
    const struct timer t = start_timer();
    need(sw_device_run(s->device, &s->dispatch, NULL, NULL, &sink));
    const struct measured m = stop_timer(&t);
    if (m.cpu < s->best) s->best = m.cpu;
    return m;
}

static bool differ;
static void check(struct side *s, const struct wide_case *c, void *const *expected, const char *what) {
    fill_all(c, s->memory);
    s->first = run(s);
    for (unsigned i = 0; i < WIDE_BUFFERS && c->buffers[i].words; i++)
        if (!is_same(c, i, expected[i], s->memory[i])) {
            printf("DIFFERENT: %s, buffer %u, %s\n", c->name, i, what);
            differ = true;
        }
}

// ---- One kernel ----

struct result {
    bool ran;
    double host, side[SIDES]; // seconds: the tiers, and by default
    double over_lower[SIDES]; // median of rounds: time over that of the tier below; of the default, over
    int best;                 // that of the best tier, which is this one
    double first_compiled, first_usual, compile, compile_usual, until, settled;
};

static double best_of_host(size_t n, const struct wide_args *a, double best) {
    const double start = now(CLOCK_THREAD_CPUTIME_ID);
    run_host(n, a);
    const double t = now(CLOCK_THREAD_CPUTIME_ID) - start;
    return t < best ? t : best;
}

// As programs run it: over and over, compiled meanwhile, until it is known which tier it has got, and the
// compiler has had nothing to do for a while. Its clock may stand still for a tick while it works.
enum { REST_MS = 400 };
static void run_usual(struct side *s, struct result *r, const struct wide_case *c, const char *target,
                      sw_object *object, void *const *expected, double seconds) {
    const double compiled_before = others().compiler, start = now(CLOCK_MONOTONIC);
    create(s, c, target, object, SW_TIER_BEST);
    check(s, c, expected, "by default, first");
    r->first_usual = s->first.wall;
    r->until = INFINITY;
    double compiled = compiled_before, changed = start, t;
    while ((t = now(CLOCK_MONOTONIC)) < start + PATIENCE * seconds &&
           (isinf(r->until) || t < changed + 1e-3 * REST_MS)) {
        const char *why;
        run(s);
        const double spent = others().compiler;
        if (spent > compiled) compiled = spent, changed = now(CLOCK_MONOTONIC);
        if (isinf(r->until) && (sw_device_tier(s->device, &why) == SW_TIER_COMPILED || why))
            r->until = t - start;
    }
    r->settled = changed - start;
    r->compile_usual = compiled - compiled_before;
    s->best = 1e9;
}

static int by_size(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}
static double median_over(double times[SIDES][MOST_ROUNDS], int a, int b, int rounds) {
    double ratios[MOST_ROUNDS];
    for (int i = 0; i < rounds; i++) ratios[i] = times[a][i] / times[b][i];
    qsort(ratios, (size_t)rounds, sizeof *ratios, by_size);
    return ratios[rounds / 2];
}

// All sides and C in turns.
static void run_rounds(size_t n, struct side *sides, const struct wide_args *a, struct result *r,
                       double seconds) {
    double times[SIDES][MOST_ROUNDS];
    int rounds = 0;
    const double start = now(CLOCK_MONOTONIC);
    for (; rounds < MOST_ROUNDS && (rounds < LEAST_ROUNDS || now(CLOCK_MONOTONIC) - start < seconds);
         rounds++) {
        r->host = best_of_host(n, a, r->host);
        for (int t = 0; t < SIDES; t++) times[t][rounds] = run(&sides[t]).cpu;
    }
    for (int t = 0; t < SIDES; t++) r->side[t] = sides[t].best;
    r->best = sides[2].best < sides[1].best ? 2 : 1;
    r->over_lower[0] = 1;
    for (int t = 1; t < TIERS; t++) r->over_lower[t] = median_over(times, t, t - 1, rounds);
    r->over_lower[USUAL] = median_over(times, USUAL, r->best, rounds);
}

static struct result run_case(size_t n, const char *target, sw_object *object, double seconds) {
    const struct wide_case *c = &cases[n];
    struct result r = {.ran = true, .host = 1e9};
    struct side sides[SIDES] = {0};
    struct wide_args a = {0};
    for (unsigned i = 0; i < WIDE_BUFFERS && c->buffers[i].words; i++)
        a.buffer[i] = aligned_alloc(64, (4 * (size_t)c->buffers[i].words + 127) & ~(size_t)63);
    memcpy(a.scalar, c->scalars, sizeof a.scalar);
    fill_all(c, a.buffer);
    run_host(n, &a);
    static const char names[SIDES][16] = {"tier 0", "tier 1", "tier 2", "by default"};
    for (int t = 0; t < TIERS; t++) {
        create(&sides[t], c, target, object, (sw_tier)(SW_TIER_INTERPRETER + t));
        check(&sides[t], c, a.buffer, names[t]);
    }
    r.first_compiled = sides[2].first.wall;
    const double compiled = sides[2].first.cpu;
    run_usual(&sides[USUAL], &r, c, target, object, a.buffer, seconds);
    run_rounds(n, sides, &a, &r, seconds);
    fill_all(c, a.buffer);
    run_host(n, &a);
    for (int t = 0; t < SIDES; t++) {
        check(&sides[t], c, a.buffer, names[t]);
        sw_device_destroy(sides[t].device);
    }
    r.compile = compiled - r.side[2];
    for (unsigned i = 0; i < WIDE_BUFFERS; i++) free(a.buffer[i]);
    return r;
}

static void print_row(const char *name, const struct result *r) {
    printf("  %-14s %8.3f  %6.2f %6.2f %6.2f %6.2f  %8.1f %8.1f  %6.2f %6.2f", name, 1e3 * r->host,
           r->side[0] / r->host, r->side[1] / r->host, r->side[2] / r->host, r->side[USUAL] / r->host,
           1e3 * r->first_compiled, 1e3 * r->first_usual, r->compile, r->compile_usual);
    if (isinf(r->until))
        printf("       -");
    else
        printf("  %6.2f", r->until);
    printf(" %6.2f\n", r->settled);
    fflush(stdout);
}

// ---- All of them ----

static void print_means(const struct result *all) {
    double sums[SIDES] = {0}, compile[2] = {0};
    unsigned count = 0;
    for (size_t n = 0; n < CASES; n++) {
        const struct result *r = &all[n];
        if (!r->ran) continue;
        count++;
        for (int t = 0; t < SIDES; t++) sums[t] += log(r->side[t] / r->host);
        compile[0] += r->compile;
        compile[1] += r->compile_usual;
    }
    if (!count) return;
    printf("  %-14s %8s  %6.2f %6.2f %6.2f %6.2f  %17s  %6.2f %6.2f in all\n", "geometric mean", "",
           exp(sums[0] / count), exp(sums[1] / count), exp(sums[2] / count), exp(sums[USUAL] / count), "",
           compile[0], compile[1]);
}
// Names what is above 4 times C by default, and what a higher tier or the default makes slower by more than
// 5 %. False: there is some.
static bool is_good(const struct result *all) {
    bool good = true;
    for (size_t n = 0; n < CASES; n++) {
        const struct result *r = &all[n];
        if (!r->ran) continue;
        if (r->side[USUAL] > 4 * r->host) {
            printf("ABOVE 4: %s takes %.1f times C's time\n", cases[n].name, r->side[USUAL] / r->host);
            good = false;
        }
        for (int t = 1; t < SIDES; t++)
            if (r->over_lower[t] > 1.05) {
                printf("SLOWER: %s takes %.2f times as long %s as at tier %d\n", cases[n].name,
                       r->over_lower[t],
                       t == USUAL ? "by default"
                       : t == 1   ? "at tier 1"
                                  : "at tier 2",
                       t == USUAL ? r->best : t - 1);
                good = false;
            }
    }
    return good;
}

static bool is_wanted(const char *name, char **names, int count) {
    for (int i = 0; i < count; i++)
        if (!strcmp(names[i], name)) return true;
    return !count;
}

int main(int argc, char **argv) {
    struct file f;
    sw_object *object;
    struct result all[CASES] = {0};
    if (argc < 3) return 1;
    const double seconds = argc > 3 ? atof(argv[3]) : 1;
    need(file_open(&f, argv[1], &sink));
    need(sw_object_open(f.data, f.size, NULL, &object, &sink));
    struct side warm = {0}; // LLVM is loaded
    create(&warm, &cases[CASES - 1], argv[2], object, SW_TIER_COMPILED);
    fill_all(&cases[CASES - 1], warm.memory);
    run(&warm);
    printf(
        "%s, level %s, one thread: milliseconds of C (best of CPU time); times that at tiers 0, 1, 2 and by "
        "default;\n"
        "milliseconds to the first result at tier 2 and by default; CPU seconds of the compiler, likewise;\n"
        "seconds of running by default until there was compiled code, and until there was all\n",
        argv[2], sw_device_level(warm.device));
    sw_device_destroy(warm.device);
    for (size_t n = 0; n < CASES; n++) {
        if (!is_wanted(cases[n].name, argv + 4, argc > 4 ? argc - 4 : 0)) continue;
        all[n] = run_case(n, argv[2], object, seconds);
        print_row(cases[n].name, &all[n]);
    }
    print_means(all);
    const bool good = is_good(all);
    sw_object_close(object);
    file_close(&f);
    return differ ? 1 : good ? 0 : 2;
}
