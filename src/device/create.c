// SPDX-License-Identifier: MIT
// Making and ending a device: choosing the bodies for this host and the tiers. Its workers begin when there
// is something for them (sched/start.c).
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "exec/body/body.h"
#include "device/device.h"
#include "exec/body/steps.h"
#include "jit/cache.h"
#include "jit/fuse.h"
#include "jit/fused.h"
#include "jit/native.h"
#include "watch/watch.h"
#include "weak/weak.h"

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

// Whether code is compiled, and when.
static void choose_compiler(sw_device *d) {
    struct tier_up *t = &d->pool.tier_up;
    const char *why = NULL;
    t->level = d->pool.level;
    t->chunk = fused_chunk(t->level);
    if (!d->pool.native) return;
    if (d->pool.options.tier == SW_TIER_COMPILED)
        d->fused_at_once = fused_built(d->pool.level, &d->native_not);
    const sw_device_options *o = &d->pool.options;
    t->dump =
        (struct jit_dump){o->dump ? strdup(o->dump) : NULL, d->pool.hooks.dumped, d->pool.hooks.context};
    if (d->fused_at_once && !o->dump) t->cache = cache_folder(o->cache);
    if (d->pool.options.tier != SW_TIER_BEST) return;
    t->on = tier_up_is_possible(d->pool.level, &why);
    t->why = why;
    if (t->on) t->threshold = tier_up_threshold();
    t->share = t->threshold / TIER_UP_SHARES;
    if (t->on) t->cache = cache_folder(d->pool.options.cache);
}

// ---- What the pool asks of its device ----

static void *reserve(struct pool *pool, uint64_t size) { return device_reserve(device_of(pool), size); }
static void release(struct pool *pool, void *memory) { device_release(device_of(pool), memory); }

static const struct machine machine = {
    .find_range = worker_find_range,
    .fault = dispatch_fault,
    .gws = gws_ask,
    .gds = gds_run,
    .passes_trap = state_breakpoint,
    .send = state_tell,
    .exports = state_export,
    .block = device_block,
    .jumps = state_jumps,
    .program = state_program,
    .read_hwreg = state_hwreg,
    .observe = watch_step,
    .weak = weak_step,
    .forget = weak_forget,
    .gws_allowed = share_allows_gws,
    .atomic = share_tell_atomic,
};

// ---- Making and ending ----

static sw_status check_dump(const sw_device_options *o, const sw_sink *sink) {
    struct text names = {0};
    const char *n = o->dump ? o->dump : "";
    for (size_t i = 0; fuse_phase_name(i); i++) text_printf(&names, ", %s", fuse_phase_name(i));
    for (; *n; n += strcspn(n, ","), n += *n == ',') {
        const int length = (int)strcspn(n, ",");
        size_t i = 0;
        while (fuse_phase_name(i) && !slice_is((struct slice){n, (size_t)length}, fuse_phase_name(i))) i++;
        if (!fuse_phase_name(i) && strcmp(o->dump, "all")) break;
    }
    sw_status status = SW_OK;
    if (*n)
        status = diag_fail(sink, SW_USAGE, NULL, "there is no phase '%.*s' to dump, only all%s",
                           (int)strcspn(n, ","), n, names.data ? names.data : "");
    else if (o->dump && o->tier != SW_TIER_COMPILED)
        status =
            diag_fail(sink, SW_USAGE, NULL, "phases can be dumped of tier 2 alone, where all is compiled");
    text_free(&names);
    return status;
}

sw_status sw_device_create(const sw_device_options *given, sw_device **out, const sw_sink *sink) {
    *out = NULL;
    sw_device_options own, *options = &own;
    const sw_status status = sized_take(SIZED(sw_device_options, level), options, given, sink);
    if (status) return status;
    sw_device_hooks hooks;
    const sw_status hooked = sized_take(SIZED(sw_device_hooks, dumped), &hooks, options->hooks, sink);
    if (hooked) return hooked;
    if ((unsigned)options->tier > SW_TIER_COMPILED)
        return diag_fail(
            sink, SW_UNSUPPORTED, NULL,
            "there is no tier %u, only 0, which interprets, 1, native code, and 2, compiled code",
            (unsigned)options->tier - 1);
    const sw_status dump = check_dump(options, sink);
    if (dump) return dump;
    if (options->weak && options->host_memory)
        return diag_fail(
            sink, SW_UNSUPPORTED, NULL,
            "weak memory is for the device's own memory, not for all of the process (host_memory)");
    const sw_processor *p = options->target.processor;
    const struct isa *isa = p ? isa_of(p) : NULL;
    if (!isa)
        return diag_fail(sink, SW_UNSUPPORTED, NULL, "%s cannot be executed",
                         p ? sw_processor_name(p) : "no processor");
    if (options->weak_hazards && !options->weak)
        return diag_fail(sink, SW_UNSUPPORTED, NULL, "hazards of %s are delivered with weak memory alone",
                         sw_processor_name(p));
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
    if (options->weak) threads = 1;
    if (!d || !pool_create(&d->pool, options, &hooks, threads)) {
        free(d);
        return diag_fail(sink, SW_NO_MEMORY, NULL, "out of memory");
    }
    d->pool.isa = isa;
    d->bodies = level->bodies;
    d->pool.machine = &machine;
    d->pool.reserve = reserve;
    d->pool.other_program = device_other_program;
    d->pool.release = release;
    d->pool.steps = level->steps;
    d->pool.level = level->name;
    d->pool.weak = options->weak ? weak_create(&d->pool, options->weak, options->weak_hazards) : NULL;
    if (options->weak && !d->pool.weak) {
        pool_destroy(&d->pool);
        free(d);
        return diag_fail(sink, SW_NO_MEMORY, NULL, "out of memory");
    }
    d->pool.native = options->tier != SW_TIER_INTERPRETER && native_possible(level->name, &d->native_not);
    if (d->pool.native && (options->count || hooks.observe)) {
        d->pool.native = false;
        d->native_not = "every instruction is observed";
    }
    if (options->weak) {
        d->native_not = "memory is weak";
        d->pool.native = false;
    }
    d->native_at_once = d->pool.native && options->tier >= SW_TIER_NATIVE;
    choose_compiler(d);
    d->pool.map.arena_begin = ARENA_BASE;
    d->pool.map.arena_end = ARENA_BASE + ARENA_SIZE;
    *out = d;
    return options->host_memory ? sw_device_guard_memory(d) : SW_OK;
}

bool device_enter(sw_device *d) {
    pthread_mutex_lock(&d->pool.lock);
    const bool open = !d->closing;
    d->calls += open;
    pthread_mutex_unlock(&d->pool.lock);
    return open;
}

void device_keep(sw_device *d) {
    pthread_mutex_lock(&d->pool.lock);
    d->calls++;
    pthread_mutex_unlock(&d->pool.lock);
}

void device_leave(sw_device *d) {
    pthread_mutex_lock(&d->pool.lock);
    if (!--d->calls && d->closing) pthread_cond_broadcast(&d->pool.done);
    pthread_mutex_unlock(&d->pool.lock);
}

static void end_workers(sw_device *d) {
    pthread_mutex_lock(&d->pool.lock);
    d->closing = true;
    while (d->calls || d->pool.dispatches) pthread_cond_wait(&d->pool.done, &d->pool.lock);
    d->pool.quit = true;
    __atomic_store_n(&d->pool.wanted, d->pool.lookouts, __ATOMIC_RELEASE);
    pthread_cond_broadcast(&d->pool.work);
    pthread_mutex_unlock(&d->pool.lock);
    workers_join(&d->pool);
}

// Others may be about to take back what they shared with it.
static void end_shares(sw_device *d) {
    shares_forget(d);
    pthread_mutex_lock(&d->pool.lock);
    while (d->calls) pthread_cond_wait(&d->pool.done, &d->pool.lock);
    pthread_mutex_unlock(&d->pool.lock);
}

void sw_device_destroy(sw_device *d) {
    if (!d) return;
    end_workers(d);
    guard_leave(&d->pool);
    end_shares(d);
    contexts_collect(&d->pool);
    contexts_free(&d->pool);
    for (sw_executable *e = d->executables, *next; e; e = next) {
        next = e->next;
        executable_free(d, e);
    }
    allocations_free(d);
    array_free(&d->blocks);
    weak_destroy(d->pool.weak);
    pool_destroy(&d->pool);
    free(d);
}

const sw_target *sw_device_target(const sw_device *d) { return &d->pool.options.target; }
unsigned sw_device_threads(const sw_device *d) { return worker_count(&d->pool); }
const char *sw_device_level(const sw_device *d) { return d->pool.level; }
sw_tier sw_device_tier(const sw_device *d, const char **why) {
    const char *reason = d->native_not;
    bool compiled = __atomic_load_n(&d->pool.tier_up.compiled, __ATOMIC_RELAXED);
    if (!compiled && !reason) reason = __atomic_load_n(&d->pool.tier_up.why, __ATOMIC_RELAXED);
    // Before any kernel ran: whether one that is not too large will be.
    if (d->fused_at_once && !compiled && !reason) compiled = fused_possible(d->pool.level, &reason);
    if (why) *why = reason;
    return compiled ? SW_TIER_COMPILED : d->pool.native ? SW_TIER_NATIVE : SW_TIER_INTERPRETER;
}
