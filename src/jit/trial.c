// SPDX-License-Identifier: MIT
#include "jit/trial.h"

#include <stdlib.h>

#include "jit/fused.h"
#include "jit/join.h"
#include "jit/native.h"

// A phase has groups of 0.2 ms, or one. Groups that run for a second and do not end may never do.
enum { PHASE_NS = 200000, UNFINISHED_NS = 1000000000 };

// ---- What the times say ----

// The Thue-Morse sequence: kernels that are launched in turns with more and less work do not keep step with
// it.
bool trial_is_without(unsigned i) { return __builtin_popcount(i) & 1; }

static int by_rate(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}
// The rates of one side, in order. Returns their number.
static unsigned side(const double *rates, unsigned count, bool without, double *to) {
    unsigned n = 0;
    for (unsigned i = 0; i < count; i++)
        if (trial_is_without(i) == without) to[n++] = rates[i];
    qsort(to, n, sizeof *to, by_rate);
    return n;
}

enum verdict trial_verdict(const double *rates, unsigned count) {
    // The sides are told apart before the last phase where all of one are so many times all of the other.
    const double apart = count == 4 ? 1.5 : count == 8 ? 1.2 : 0;
    double with[TRIAL_PHASES], without[TRIAL_PHASES];
    if (count < TRIAL_PHASES && !apart) return VERDICT_UNKNOWN;
    const unsigned n = side(rates, count, false, with), m = side(rates, count, true, without);
    if (count < TRIAL_PHASES)
        return with[0] > apart * without[m - 1]   ? VERDICT_REFUSE
               : without[0] > apart * with[n - 1] ? VERDICT_KEEP
                                                  : VERDICT_UNKNOWN;
    // Medians, and a margin below which the difference may be that of the groups.
    return with[n / 2] > 1.02 * without[m / 2] ? VERDICT_REFUSE : VERDICT_KEEP;
}

// ---- Phases ----

static void set_phase(struct trial *r, uint32_t phase) {
    __atomic_store_n(&r->ns, 0, __ATOMIC_RELAXED);
    __atomic_store_n(&r->waves, 0, __ATOMIC_RELAXED);
    __atomic_store_n(&r->unfinished, 0, __ATOMIC_RELAXED);
    __atomic_store_n(&r->phase, phase, __ATOMIC_RELEASE);
}
static void set_code(struct hot_kernel *h, bool without) {
    struct trial *r = &h->trial;
    fused_enter(r->region, !without);
    __atomic_store_n(&r->paused, without, __ATOMIC_RELAXED);
    // Loops over waves are no entries: groups ask.
    if (fused_is_of(r->region, h->entry)) __atomic_store_n(&r->without, without, __ATOMIC_RELAXED);
}

static void end(struct tier_up *t, struct program *p, struct hot_kernel *h, bool refuse) {
    struct trial *r = &h->trial;
    set_phase(r, 0);
    if (!p->retired) {
        set_code(h, refuse);
        if (!refuse) native_again(p, t->level); // native code leads to compiled code from now on
    }
    if (refuse) {
        fused_refuse(r->region);
        __atomic_sub_fetch(&t->compiled, 1, __ATOMIC_RELAXED);
        if (r->region->entry_count) // else there is other code
            __atomic_store_n(&t->why, "its compiled code was timed and is slower than native code",
                             __ATOMIC_RELAXED);
    }
    r->region = NULL;
}

void trial_begin(struct tier_up *t, struct program *p, struct hot_kernel *h, struct native_region *region) {
    struct trial *r = &h->trial;
    if (r->region) end(t, p, h, false);
    __atomic_store_n(&r->without, false, __ATOMIC_RELAXED);
    if (p->retired || !region || !fused_enter(region, false)) return;
    native_again(p, t->level); // which leads past the code, so that phases without it stay outside
    r->region = region;
    r->done = 0;
    set_code(h, trial_is_without(0));
    set_phase(r, ++r->last_phase);
}

static void advance(struct tier_up *t, struct program *p, struct hot_kernel *h) {
    struct trial *r = &h->trial;
    const uint64_t waves = __atomic_load_n(&r->waves, __ATOMIC_RELAXED);
    r->rates[r->done++] = (double)__atomic_load_n(&r->ns, __ATOMIC_RELAXED) / (double)(waves ? waves : 1);
    const enum verdict v = trial_verdict(r->rates, r->done);
    if (v != VERDICT_UNKNOWN || p->retired) {
        end(t, p, h, v == VERDICT_REFUSE);
        return;
    }
    set_code(h, trial_is_without(r->done));
    set_phase(r, ++r->last_phase);
}

void trial_add(struct tier_up *t, struct program *p, struct hot_kernel *h, uint32_t phase, uint64_t ns,
               unsigned waves) {
    struct trial *r = &h->trial;
    __atomic_add_fetch(&r->waves, waves, __ATOMIC_RELAXED);
    if (__atomic_add_fetch(&r->ns, ns, __ATOMIC_RELAXED) < PHASE_NS) return;
    if (pthread_mutex_trylock(&p->lock)) return; // the next group tries again
    if (r->region && r->phase == phase) advance(t, p, h);
    pthread_mutex_unlock(&p->lock);
}

void trial_add_unfinished(struct tier_up *t, struct program *p, struct hot_kernel *h, uint64_t ns) {
    struct trial *r = &h->trial;
    if (!__atomic_load_n(&r->paused, __ATOMIC_RELAXED) ||
        __atomic_add_fetch(&r->unfinished, ns, __ATOMIC_RELAXED) < UNFINISHED_NS ||
        pthread_mutex_trylock(&p->lock))
        return;
    if (r->region && r->paused) end(t, p, h, false);
    pthread_mutex_unlock(&p->lock);
}
