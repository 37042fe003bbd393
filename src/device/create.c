// SPDX-License-Identifier: MIT
// Making and ending a device: choosing the bodies for this host, numbering the hardware registers. Its
// workers begin when there is something for them (queue/start.c).
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/diag.h"
#include "device/body/body.h"
#include "device/device.h"
#include "device/body/steps.h"
#include "device/native/cache.h"
#include "device/native/fused.h"
#include "device/native/native.h"

struct level {
    const char *name;
    const struct body *const *bodies;
    const struct steps *steps;
};

// The Makefile says which levels it builds. The best comes first.
#define LEVEL_DECLARE(l) extern const struct body *const body_table_##l[];
#define LEVEL_ENTRY(l)   {#l, body_table_##l, &device_steps_##l},
#if defined(HAVE_LEVEL_v4)
LEVEL_DECLARE(v4)
#endif
#if defined(HAVE_LEVEL_v3)
LEVEL_DECLARE(v3)
#endif
#if defined(HAVE_LEVEL_v2)
LEVEL_DECLARE(v2)
#endif
#if defined(HAVE_LEVEL_plain)
LEVEL_DECLARE(plain)
#endif
static const struct level levels[] = {
#if defined(HAVE_LEVEL_v4)
    LEVEL_ENTRY(v4)
#endif
#if defined(HAVE_LEVEL_v3)
        LEVEL_ENTRY(v3)
#endif
#if defined(HAVE_LEVEL_v2)
            LEVEL_ENTRY(v2)
#endif
#if defined(HAVE_LEVEL_plain)
                LEVEL_ENTRY(plain)
#endif
};

static bool host_runs(const char *level) {
    if (!strcmp(level, "plain")) return true;
#if defined(__x86_64__)
    __builtin_cpu_init();
    bool v2 = __builtin_cpu_supports("sse4.2") && __builtin_cpu_supports("popcnt");
    bool v3 = v2 && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
              __builtin_cpu_supports("bmi2");
    bool v4 = v3 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
              __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
              __builtin_cpu_supports("avx512cd");
    return level[1] == '4' ? v4 : level[1] == '3' ? v3 : v2;
#else
    return false;
#endif
}

static const struct level *choose_level(const char *name) {
    for (size_t i = 0; i < sizeof levels / sizeof *levels; i++)
        if (host_runs(levels[i].name) && (!name || !strcmp(name, levels[i].name))) return &levels[i];
    return NULL;
}

// TRAP-385: the numbers moved on GFX12.
static void number_hwregs(sw_device *d) {
    const sw_processor *p = d->options.target.processor;
    uint8_t *h = d->hwregs;
    h[1] = HWREG_MODE;
    h[2] = HWREG_STATUS;
    h[5] = HWREG_GPR_ALLOC;
    h[6] = HWREG_LDS_ALLOC;
    const enum hwreg_map map = fact(p, FACT_hwregs);
    if (map == HWREGS_GFX12) {
        h[4] = HWREG_STATE_PRIV;
        h[18] = HWREG_TRAPSTS; // the exception flags of the user are what is left of it
        h[20] = HWREG_SCRATCH_BASE_LO;
        h[21] = HWREG_SCRATCH_BASE_HI;
        h[23] = HWREG_HW_ID1;
        h[29] = HWREG_SHADER_CYCLES_LO;
        h[30] = HWREG_SHADER_CYCLES_HI;
        return;
    }
    h[3] = HWREG_TRAPSTS;
    h[4] = map == HWREGS_GFX10 ? HWREG_NONE : HWREG_HW_ID;
    h[15] = HWREG_SH_MEM_BASES;
    if (fact(p, FACT_xccs)) h[20] = HWREG_XCC_ID;
    if (map == HWREGS_GFX10) {
        h[20] = HWREG_FLAT_SCR_LO;
        h[21] = HWREG_FLAT_SCR_HI;
        h[23] = HWREG_HW_ID1;
        h[29] = HWREG_SHADER_CYCLES;
    }
}

// Whether code is compiled, and when.
static void choose_compiler(sw_device *d) {
    struct tier_up *t = &d->tier_up;
    const char *why = NULL;
    t->level = d->level;
    if (!d->native) return;
    if (d->options.tier == SW_TIER_COMPILED) d->fused_at_once = fused_built(d->level, &d->native_not);
    if (d->fused_at_once) t->cache = cache_folder(d->options.cache);
    if (d->options.tier != SW_TIER_BEST) return;
    t->on = tier_up_is_possible(d->level, &why);
    t->why = why;
    if (t->on) t->threshold = tier_up_threshold();
    t->share = t->threshold / TIER_UP_SHARES;
    if (t->on) t->cache = cache_folder(d->options.cache);
}

sw_status sw_device_create(const sw_device_options *given, sw_device **out, const sw_sink *sink) {
    *out = NULL;
    sw_device_options own, *options = &own;
    const sw_status status = sized_take(SIZED(sw_device_options, level), options, given, sink);
    if (status) return status;
    if ((unsigned)options->tier > SW_TIER_COMPILED)
        return diag_fail(
            sink, SW_UNSUPPORTED, NULL,
            "there is no tier %u, only 0, which interprets, 1, native code, and 2, compiled code",
            (unsigned)options->tier - 1);
    const sw_processor *p = options->target.processor;
    const struct isa *isa = p ? isa_of(p) : NULL;
    if (!isa)
        return diag_fail(sink, SW_UNSUPPORTED, NULL, "%s cannot be executed",
                         p ? sw_processor_name(p) : "no processor");
    const struct level *level = choose_level(options->level);
    if (!level)
        return diag_fail(sink, SW_UNSUPPORTED, NULL, "this host cannot run vector level %s",
                         options->level ? options->level : "v2");
    sw_device *d = calloc(1, sizeof *d);
    unsigned threads = options->threads;
    if (!threads) {
        long n = sysconf(_SC_NPROCESSORS_ONLN);
        threads = n < 1 ? 1 : n > 256 ? 256 : (unsigned)n;
    }
    if (threads > 1024) threads = 1024;
    struct worker *workers = NULL;
    if (!d || posix_memalign((void **)&workers, _Alignof(struct worker), threads * sizeof *workers)) {
        free(d);
        return diag_fail(sink, SW_NO_MEMORY, NULL, "out of memory");
    }
    memset(workers, 0, threads * sizeof *workers);
    d->options = *options;
    d->isa = isa;
    d->bodies = level->bodies;
    d->steps = level->steps;
    d->level = level->name;
    d->native = options->tier != SW_TIER_INTERPRETER && native_possible(level->name, &d->native_not);
    if (d->native && (options->count || options->observe)) {
        d->native = false;
        d->native_not = "every instruction is observed";
    }
    d->native_at_once = d->native && options->tier >= SW_TIER_NATIVE;
    choose_compiler(d);
    d->workers = workers;
    d->map = (struct map){.host_memory = options->host_memory,
                          .closed_begin = options->closed_begin,
                          .closed_end = options->closed_end};
    pthread_mutex_init(&d->lock, NULL);
    pthread_mutex_init(&d->observer_lock, NULL);
    pthread_mutex_init(&d->gws_lock, NULL);
    pthread_cond_init(&d->work, NULL);
    pthread_cond_init(&d->done, NULL);
    number_hwregs(d);
    for (unsigned i = 0; i < threads; i++) {
        struct worker *k = &workers[i];
        k->device = d;
        k->index = i;
        k->map = &d->map;
        worker_drop_ranges(k);
        pthread_mutex_init(&k->map_lock, NULL);
    }
    workers_prepare(d, threads);
    *out = d;
    return options->host_memory ? sw_device_guard_memory(d) : SW_OK;
}

bool device_enter(sw_device *d) {
    pthread_mutex_lock(&d->lock);
    const bool open = !d->closing;
    d->calls += open;
    pthread_mutex_unlock(&d->lock);
    return open;
}

void device_keep(sw_device *d) {
    pthread_mutex_lock(&d->lock);
    d->calls++;
    pthread_mutex_unlock(&d->lock);
}

void device_leave(sw_device *d) {
    pthread_mutex_lock(&d->lock);
    if (!--d->calls && d->closing) pthread_cond_broadcast(&d->done);
    pthread_mutex_unlock(&d->lock);
}

static void end_workers(sw_device *d) {
    pthread_mutex_lock(&d->lock);
    d->closing = true;
    while (d->calls || d->dispatches) pthread_cond_wait(&d->done, &d->lock);
    d->quit = true;
    __atomic_store_n(&d->wanted, d->lookouts, __ATOMIC_RELEASE);
    pthread_cond_broadcast(&d->work);
    pthread_mutex_unlock(&d->lock);
    workers_join(d);
}

// Others may be about to take back what they shared with it.
static void end_shares(sw_device *d) {
    shares_forget(d);
    pthread_mutex_lock(&d->lock);
    while (d->calls) pthread_cond_wait(&d->done, &d->lock);
    pthread_mutex_unlock(&d->lock);
}

void sw_device_destroy(sw_device *d) {
    if (!d) return;
    end_workers(d);
    guard_leave(d);
    end_shares(d);
    contexts_collect(d);
    for (unsigned i = 0; i < d->thread_count; i++) {
        struct worker *k = &d->workers[i];
        for (struct group *g = k->idle, *next; g; g = next) {
            next = g->next;
            context_free(d, g);
        }
        array_free(&k->held);
        array_free(&k->joined);
        free(k->kept);
    }
    for (sw_executable *e = d->executables, *next; e; e = next) {
        next = e->next;
        executable_free(d, e);
    }
    allocations_free(d);
    array_free(&d->blocks);
    array_free(&d->queues);
    free(d->map.ranges);
    free(d->workers);
    free(d->tier_up.cache);
    pthread_mutex_destroy(&d->lock);
    pthread_mutex_destroy(&d->observer_lock);
    pthread_mutex_destroy(&d->gws_lock);
    pthread_cond_destroy(&d->work);
    pthread_cond_destroy(&d->done);
    free(d);
}

const sw_target *sw_device_target(const sw_device *d) { return &d->options.target; }
unsigned sw_device_threads(const sw_device *d) { return worker_count(d); }
const char *sw_device_level(const sw_device *d) { return d->level; }
sw_tier sw_device_tier(const sw_device *d, const char **why) {
    const char *reason = d->native_not;
    bool compiled = __atomic_load_n(&d->tier_up.compiled, __ATOMIC_RELAXED);
    if (d->fused_at_once && !compiled) compiled = fused_possible(d->level, &reason);
    if (!compiled && !reason) reason = __atomic_load_n(&d->tier_up.why, __ATOMIC_RELAXED);
    if (why) *why = reason;
    return compiled ? SW_TIER_COMPILED : d->native ? SW_TIER_NATIVE : SW_TIER_INTERPRETER;
}
