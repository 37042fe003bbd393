// SPDX-License-Identifier: MIT
// Workers take work-groups of the submitted dispatches and run them to the end. Threads are theirs in
// thread.c.
//
// A worker runs its oldest group until all its waves have ended. Only when every wave of all its groups has
// used up its quantum, sleeps or waits does it start another, in turn of each dispatch that has some left, up
// to the number that the device reports as resident: that is the forward progress that spinning kernels rely
// on, within a dispatch and between dispatches.
#include <limits.h>
#include <string.h>
#include <time.h>

#include "exec/body/lanes.h"
#include "sched/pool.h"

enum {
    MAX_RESIDENT = 4096, // groups of a dispatch that a worker holds at most
    SLICE = 16,          // groups of a dispatch that it runs before it looks at another
    STARVE = 16,         // so often nothing goes before
    CLOCK_EVERY = 16,    // groups between two looks at the clock
    CLAIM_NS = 100000,   // groups of so much time are claimed at once,
    BATCH = 32,          // but no more than so many
    WAKE_NS = 60000,     // how long a thread takes to wake on hosts that are slow to
};

void worker_safe_point(struct worker *k) {
    struct pool *pool = k->pool;
    if (__atomic_load_n(&pool->map_version, __ATOMIC_ACQUIRE) == k->map_version) return;
    pthread_mutex_lock(&pool->lock);
    worker_forget_ranges(k);
    pthread_cond_broadcast(&pool->done);
    pthread_mutex_unlock(&pool->lock);
}

void workers_interrupt(struct pool *pool) {
    for (unsigned i = 0; i < worker_count(pool); i++)
        __atomic_store_n(&pool->workers[i].interrupt, 1, __ATOMIC_RELEASE);
}

// ---- Taking groups ----

// Claims up to `count` groups, the next in order, if its queue has room for them. `locked`: whether the
// device's lock is held.
static bool claim_groups(struct membership *m, uint64_t count, bool locked) {
    struct dispatch *q = m->dispatch;
    uint64_t n = dispatch_next(q);
    m->refused = false;
    if (dispatch_stopped(q) || n >= q->group_total) return false;
    count = room_take(q, count);
    m->refused = !count;
    while (count && n < q->group_total) {
        const uint64_t end = q->group_total - n < count ? q->group_total : n + count;
        if (!__atomic_compare_exchange_n(&q->group_next, &n, end, true, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
            continue;
        room_give(q, count - (end - n), locked);
        m->next = n;
        m->end = end;
        return true;
    }
    room_give(q, count, locked);
    return false;
}

static unsigned resident_per_worker(const struct pool *pool, const struct launch *l) {
    const sw_processor *p = pool->options.target.processor;
    unsigned waves = fact(p, FACT_waves_per_simd) * fact(p, FACT_simds_per_cu);
    unsigned groups = waves / l->waves_per_group;
    if (l->lds_size && processor_lds(p) / l->lds_size < groups) groups = processor_lds(p) / l->lds_size;
    const uint64_t total = (uint64_t)(groups ? groups : 1) * place_units(pool, l),
                   workers = worker_count(pool), each = (total + workers - 1) / workers;
    return each > MAX_RESIDENT ? MAX_RESIDENT : (unsigned)each;
}
uint64_t resident_groups(const struct pool *pool, const struct launch *l) {
    return (uint64_t)resident_per_worker(pool, l) * worker_count(pool);
}

// Marks the dispatches that the worker has joined with a number that no others have. Returns that. Rows of
// dispatches are joined by the dozen, and each submission lets all workers look. Lock: pool.
static uint64_t mark_joined(struct worker *k) {
    const uint64_t mark = ++k->pool->join_marks;
    for (size_t i = 0; i < k->joined.count; i++) k->joined.items[i].dispatch->join_mark = mark;
    return mark;
}

void worker_join(struct worker *k) {
    struct pool *pool = k->pool;
    k->work_version = __atomic_load_n(&pool->work_version, __ATOMIC_RELAXED);
    const uint64_t mark = mark_joined(k);
    for (struct dispatch *q = pool->dispatches; q; q = q->next) {
        struct membership m = {.dispatch = q};
        if (q->join_mark == mark || dispatch_exhausted(q) || !array_reserve(&k->joined, 1) ||
            !claim_groups(&m, 1, true))
            continue;
        m.resident = q->transfer ? MAX_RESIDENT : resident_per_worker(pool, q->launch);
        q->workers_in++;
        array_push(&k->joined, m);
    }
}

static void look_for_dispatches(struct worker *k) {
    if (!worker_has_submissions(k)) return;
    worker_heard(k); // else groups of what is new would give way for that itself
    pthread_mutex_lock(&k->pool->lock);
    worker_join(k);
    pthread_mutex_unlock(&k->pool->lock);
}

// Whether the worker has something of this dispatch that it may run, or could claim it.
static bool has_claims(const struct membership *m) {
    return m->next < m->end && !dispatch_stopped(m->dispatch);
}
static bool has_more(const struct membership *m) {
    return m->held < m->resident && (has_claims(m) || !(m->refused || dispatch_exhausted(m->dispatch)));
}

// Gives the room of groups that have ended, which are counted together as long as nobody waits for it.
static void leave_room(struct membership *m) {
    room_give(m->dispatch, m->left, false);
    m->left = 0;
}
// Short ones are counted together, too.
static void count_ended(struct membership *m) {
    if (m->ended) __atomic_add_fetch(&m->dispatch->groups_ended, m->ended, __ATOMIC_RELAXED);
    m->ended = 0;
}

// What it ran of a dispatch, before its launch is gone.
static void leave_weight(struct worker *k, const struct dispatch *q) {
    if (k->weighed != q->launch) return;
    worker_tell_weight(k, NULL);
    k->weighed = NULL;
}

// Whether the worker has no room for any group of the dispatch, after it gave what it had: there will be
// news.
static bool finds_no_room(struct membership *m) {
    if (!m->refused) return false;
    leave_room(m);
    return !claim_groups(m, 1, false) && m->refused;
}

// Leaves dispatches without unclaimed groups, or without free wave slots. residency.c wakes workers when
// slots are free again.
static void leave_finished(struct worker *k) {
    for (size_t i = 0; i < k->joined.count;) {
        struct membership *m = &k->joined.items[i];
        if (m->held || has_claims(m) || !(dispatch_exhausted(m->dispatch) || finds_no_room(m))) {
            i++;
            continue;
        }
        struct dispatch *q = m->dispatch;
        count_ended(m);
        leave_weight(k, q);
        room_give(q, m->left + (m->end - m->next), false);
        k->joined.items[i] = k->joined.items[--k->joined.count];
        dispatch_leave(k, q);
    }
}

// ---- Running groups ----

static struct membership *membership_of(struct worker *k, const struct dispatch *q) {
    size_t i = k->current < k->joined.count ? k->current : 0;
    if (k->joined.items[i].dispatch == q) return &k->joined.items[i];
    for (i = 0; k->joined.items[i].dispatch != q;) i++;
    k->current = i;
    return &k->joined.items[i];
}

static void count_instructions(struct worker *k, struct dispatch *q) {
    if (!q->observed) return;
    for (int i = 0; i < SW_CLASSES; i++)
        if (k->counts[i]) __atomic_add_fetch(&q->counts.instructions[i], k->counts[i], __ATOMIC_RELAXED);
    memset(k->counts, 0, sizeof k->counts);
}

static void retire(struct worker *k, size_t at) {
    struct group *g = k->held.items[at];
    struct membership *m = membership_of(k, g->dispatch);
    share_end(g);
    if (k->pool->weak) k->pool->machine->forget(g);
    m->held--;
    m->ended += !g->barrier.alive;
    if (m->ended >= k->batch) count_ended(m);
    if (++m->left >= BATCH || room_is_wanted(g->dispatch)) leave_room(m);
    memmove(&k->held.items[at], &k->held.items[at + 1], (--k->held.count - at) * sizeof g);
    k->first = 0;
    context_give_back(k, g);
}

// Claiming is where workers meet, and neighbours among groups share lines of memory, often pages: so several
// are claimed at once, towards the end of the grid fewer. Groups that take long are not, as a group may wait
// for the one before it, which had better run elsewhere meanwhile.
static void look_at_clock(struct worker *k, struct dispatch *q) {
    const uint64_t now = monotonic_ns(), each = (now - k->clock) / CLOCK_EVERY;
    k->each = each + 1;
    k->batch = each * BATCH <= CLAIM_NS ? BATCH : each < CLAIM_NS ? CLAIM_NS / (unsigned)each : 1;
    k->clock = now;
    k->since_clock = 0;
    worker_check_deadline(k, q);
}
unsigned claim_size(uint64_t left, unsigned threads, unsigned most) {
    const uint64_t share = left / (4 * threads) + 1;
    return share < most ? (unsigned)share : most;
}
static unsigned batch_of(const struct worker *k, const struct dispatch *q) {
    if (q->transfer || k->batch == 1) return 1;
    return claim_size(q->group_total - dispatch_next(q), worker_count(k->pool), k->batch);
}
static void begin_group(struct worker *k, struct group *g, struct membership *m) {
    if (++k->since_clock >= CLOCK_EVERY) look_at_clock(k, m->dispatch);
    group_start(k, g, m->dispatch, m->next++);
    share_begin(g);
}

// A caller that sleeps until the dispatch ends is told when waking takes as long as what is left.
static void tell_of_end(struct worker *k, const struct membership *m) {
    struct dispatch *q = m->dispatch;
    struct pool *pool = k->pool;
    if (!__atomic_load_n(&q->waited_for, __ATOMIC_RELAXED) || !k->each ||
        q->group_total - m->end > WAKE_NS * pool->thread_count / k->each)
        return;
    pthread_mutex_lock(&pool->lock);
    q->ends_soon = true;
    __atomic_store_n(&q->waited_for, false, __ATOMIC_RELAXED);
    pthread_cond_broadcast(&pool->done);
    pthread_mutex_unlock(&pool->lock);
}
static bool claim_batch(struct worker *k, struct membership *m) {
    if (!claim_groups(m, batch_of(k, m->dispatch), false)) return false;
    tell_of_end(k, m);
    return true;
}

// Whether the next group in turn is of the same dispatch as the one before. With a row of dispatches, looking
// at each of them takes longer than a short group does. Where groups take long there is none, as some of the
// others may have ended.
static bool stays_in_turn(struct worker *k) {
    if (k->joined.count == 1) return !k->unstarted;
    if (k->batch < SLICE || k->slice + 1 >= SLICE || k->starts % STARVE == 0 || (k->starts + 1) % STARVE == 0)
        return false;
    k->slice++;
    k->starts++;
    return true;
}

// Whether the group's context goes on at once with the next group of its dispatch, as nothing else is to be
// done: that is how short groups follow each other.
static bool goes_on(struct worker *k, struct group *g) {
    struct dispatch *q = g->dispatch;
    if (k->held.count != 1 || worker_has_submissions(k) || dispatch_stopped(q) || room_is_wanted(q) ||
        !stays_in_turn(k))
        return false;
    struct membership *m = membership_of(k, q);
    if (m->next >= m->end) {
        leave_room(m);
        if (!claim_batch(k, m)) return false;
    }
    share_end(g);
    if (++m->ended >= k->batch) count_ended(m);
    m->left++;
    worker_safe_point(k);
    begin_group(k, g, m);
    return true;
}

// The same ahead of time for those that run in a wave loop, which looks whether the worker is interrupted:
// groups of the same row of the grid that have been claimed, up to the next look at the clock, while none is
// timed or looked at.
static unsigned turns_left(const struct worker *k) {
    if (k->joined.count == 1) return k->unstarted ? 0 : UINT_MAX;
    if (k->unstarted || k->batch < SLICE || k->slice + 1 >= SLICE || k->starts % STARVE == 0) return 0;
    const unsigned slice = SLICE - 1 - k->slice, starts = STARVE - 1 - k->starts % STARVE;
    return slice < starts ? slice : starts;
}
uint32_t worker_may_follow(const struct worker *k, const struct group *g) {
    const struct dispatch *q = g->dispatch;
    const struct launch *l = q->launch;
    const struct membership *m = &k->joined.items[k->current < k->joined.count ? k->current : 0];
    if (m->dispatch != q || k->held.count != 1 || q->observed || q->share.is_one || g->phase ||
        (l->hot && __atomic_load_n(&l->hot->trial.phase, __ATOMIC_RELAXED)) || room_is_wanted(q))
        return 0;
    const unsigned turns = turns_left(k);
    uint64_t most = m->end - m->next;
    if (most > CLOCK_EVERY - 1 - k->since_clock) most = CLOCK_EVERY - 1 - k->since_clock;
    if (most > l->whole[0] - 1 - g->id[0]) most = l->whole[0] - 1 - g->id[0];
    return turns < most ? turns : (uint32_t)most;
}
void worker_followed(struct worker *k, struct group *g, uint32_t count) {
    struct membership *m = membership_of(k, g->dispatch);
    if (k->joined.count != 1) k->slice += count, k->starts += count;
    k->followed += count;
    k->since_clock += count;
    m->next += count;
    m->ended += count;
    m->left += count;
    g->number += count;
    g->id[0] += count;
}

// Which tier is faster (jit/trial.h): groups are timed while their kernel is on trial. Reading the clock
// takes a fraction of a microsecond, so that the end of a group is the beginning of the next.
static uint64_t thread_ns(void) {
    struct timespec t;
    return clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t)
               ? 0
               : (uint64_t)t.tv_sec * UINT64_C(1000000000) + (uint64_t)t.tv_nsec;
}
static uint32_t phase_of(const struct group *g) {
    const struct hot_kernel *h = g->dispatch->launch->hot;
    return h ? __atomic_load_n(&h->trial.phase, __ATOMIC_ACQUIRE) : 0;
}
static uint64_t time_group(struct worker *k, struct group *g, enum progress p, uint64_t since) {
    const uint32_t phase = phase_of(g);
    if (LIKELY(!phase)) return 0;
    const struct launch *l = g->dispatch->launch;
    const uint64_t now = thread_ns(), ns = since ? now - since : 0;
    g->spent += ns;
    if (p != GROUP_ENDED)
        trial_add_unfinished(&k->pool->tier_up, l->program, l->hot, ns);
    else if (since && g->phase == phase && !g->partial)
        trial_add(&k->pool->tier_up, l->program, l->hot, phase, g->spent, g->wave_count);
    return now;
}

// Runs the groups that the worker holds until one ends; the oldest first, but for one that has just begun
// while others wait.
enum held { HELD_ENDED, HELD_WAIT, HELD_NEWS };
static enum held run_held(struct worker *k) {
    const size_t count = k->held.count;
    for (size_t i = 0; i < count; i++) {
        const size_t at = (k->first + i) % count;
        struct group *g = k->held.items[at];
        struct dispatch *q = g->dispatch;
        uint64_t since = UNLIKELY(phase_of(g)) ? thread_ns() : 0;
        enum progress p;
        do {
            p = group_run(k, g);
            count_instructions(k, q);
            since = time_group(k, g, p, since);
        } while (p == GROUP_ENDED && goes_on(k, g));
        if (p == GROUP_DEADLOCKED) wave_fault(g->waves[0], NULL, FAULT_DEADLOCK, -1, 0);
        if (p == GROUP_STANDS_STILL) share_fault(g);
        worker_tell_fault(k, q);
        if (p == GROUP_ENDED || dispatch_stopped(q)) {
            if (dispatch_stopped(q)) {
                snapshot_group(q, g);
                gws_abandon(g);
            }
            retire(k, at);
            return HELD_ENDED;
        }
        worker_check_deadline(k, q);
        if (!worker_has_news(k)) continue;
        k->first = (at + 1) % count;
        return HELD_NEWS;
    }
    return HELD_WAIT;
}

// Orders two dispatches. Higher priority first, if `by_priority`; starts without it, now and then, keep low
// priorities from starving. While every held group waits: the dispatch with fewer groups here.
static bool goes_before(const struct membership *a, const struct membership *b, bool waiting,
                        bool by_priority) {
    if (by_priority && a->dispatch->priority != b->dispatch->priority)
        return a->dispatch->priority > b->dispatch->priority;
    return waiting && a->held < b->held;
}

// Which dispatch a group is started of next, in turn. NULL: none.
static struct membership *next_member(struct worker *k, enum held why) {
    const size_t n = k->joined.count;
    const bool by_priority = ++k->starts % STARVE != 0;
    if (++k->slice >= SLICE) k->slice = 0, k->turn++;
    const size_t from = by_priority ? k->turn : k->starts / STARVE;
    for (size_t i = 0; i < n; i++) {
        struct membership *m = &k->joined.items[i];
        m->refused = false;
        m->tried = !has_more(m) || (why == HELD_NEWS && m->held);
    }
    for (;;) {
        struct membership *best = NULL;
        for (size_t i = 0; i < n; i++) {
            struct membership *m = &k->joined.items[(from + i) % n];
            if (!m->tried && (!best || goes_before(m, best, why != HELD_ENDED, by_priority))) best = m;
        }
        if (!best) return NULL;
        if (best->next < best->end || claim_batch(k, best)) {
            if (by_priority) k->turn = (unsigned)(best - k->joined.items);
            return best;
        }
        best->tried = true;
    }
}

static void start_next(struct worker *k, enum held why) {
    struct membership *m = next_member(k, why);
    if (!m) return;
    struct dispatch *q = m->dispatch;
    worker_safe_point(k);
    if (q->transfer) {
        if (!m->next) __atomic_store_n(&q->clock_zero, monotonic_ns(), __ATOMIC_RELAXED);
        transfer_piece(q->transfer, m->next++);
        return;
    }
    struct group *g = array_reserve(&k->held, 1) ? context_take(k, q->launch) : NULL;
    if (!g) {
        worker_stop(k, q, &(sw_fault){.kind = SW_FAULT_STOPPED, .lane = -1, .reason = "out of memory"});
        return;
    }
    begin_group(k, g, m);
    m->held++;
    k->first = k->held.count;
    array_push(&k->held, g);
}

// Whether a dispatch that goes before all of which the worker holds groups has some more.
static bool something_urgent(struct worker *k) {
    if (k->joined.count < 2) return false;
    int held = INT_MIN, more = INT_MIN;
    for (size_t i = 0; i < k->joined.count; i++) {
        const struct membership *m = &k->joined.items[i];
        const int priority = m->dispatch->priority;
        if (m->held && priority > held) held = priority;
        if (has_more(m) && priority > more) more = priority;
    }
    return more > held && k->starts % STARVE;
}

// Whether the worker has claimed groups of a dispatch of which it holds none.
static bool someone_is_new(const struct worker *k) {
    for (size_t i = 0; i < k->joined.count; i++)
        if (!k->joined.items[i].held && has_claims(&k->joined.items[i])) return true;
    return false;
}

// What it claimed of a dispatch when it joined, nobody else will run: as long as it has not begun, the groups
// that have give way at once, as they do for news.
static void remember_unstarted(struct worker *k) {
    k->unstarted = k->held.count && k->joined.count > 1 && someone_is_new(k);
    if (k->unstarted) __atomic_store_n(&k->interrupt, 1, __ATOMIC_RELAXED);
}

void worker_serve(struct worker *k) {
    while (k->joined.count && !(k->lent && worker_has_submissions(k))) {
        enum held why = k->held.count ? run_held(k) : HELD_ENDED;
        leave_finished(k);
        if (!k->lent) look_for_dispatches(k);
        if (why == HELD_WAIT) k->batch = 1;
        for (size_t i = 0; why == HELD_WAIT && i < k->joined.count; i++) leave_room(&k->joined.items[i]);
        if (why == HELD_ENDED && k->held.count && someone_is_new(k)) why = HELD_NEWS;
        if (why != HELD_ENDED || !k->held.count || something_urgent(k)) start_next(k, why);
        remember_unstarted(k);
    }
}
