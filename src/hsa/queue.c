// SPDX-License-Identifier: MIT
// AQL queues (DISP-01, DISP-05, DISP-14). The thread that rings a doorbell takes packets itself, unless
// another thread takes packets of that queue. The thread that ends what a queue waits for runs that queue.
// The packet thread runs queues that a thread may not run where it is, and looks for packets that are not
// written yet.
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "hsa/log.h"

enum { MIN_PACKETS = 64, MAX_PACKETS = 131072, MAX_QUEUES = 1024, REAP_ABOVE = 64 };

static pthread_rwlock_t list_lock = PTHREAD_RWLOCK_INITIALIZER;
static ARRAY(struct queue *) all;
static struct queue *unused;
static uint64_t next_id;

// ---- The packet thread ----

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t more;
static ARRAY(struct kicked {
    struct queue *queue;
    uint64_t due;
}) kicked;
static ARRAY(struct watched {
    struct signal *signal;
    int64_t value;
}) watched; // signals with subscribers whose value may change without a call
enum { WATCH_NS = 200000 };
static pthread_t thread;
static bool started, quit;

static void reap_if_many(struct queue *q) {
    if (__atomic_load_n(&q->done_count, __ATOMIC_RELAXED) < REAP_ABOVE) return;
    if (__atomic_exchange_n(&q->busy, 1, __ATOMIC_ACQUIRE)) return;
    launches_reap(q);
    __atomic_store_n(&q->busy, 0, __ATOMIC_RELEASE);
    if (__atomic_load_n(&q->again, __ATOMIC_SEQ_CST)) queue_kick(q);
}

// Called with the lock held, which it gives up to tell of a change.
static void look_at_watched(void) {
    for (size_t i = 0; i < watched.count; i++) {
        struct watched *w = &watched.items[i];
        struct signal *s = w->signal;
        if (!__atomic_load_n(&s->live, __ATOMIC_ACQUIRE) ||
            !__atomic_load_n(&s->subscribers, __ATOMIC_ACQUIRE)) {
            *w = watched.items[--watched.count];
            i--;
            continue;
        }
        const int64_t value = signal_value(s);
        if (value == w->value) continue;
        w->value = value;
        pthread_mutex_unlock(&lock);
        signal_changed(s);
        pthread_mutex_lock(&lock);
    }
}

static void *packet_main(void *argument) {
    (void)argument;
    pthread_mutex_lock(&lock);
    while (!quit) {
        look_at_watched();
        size_t soonest = SIZE_MAX;
        for (size_t i = 0; i < kicked.count; i++)
            if (soonest == SIZE_MAX || kicked.items[i].due < kicked.items[soonest].due) soonest = i;
        if (quit) break;
        if (soonest == SIZE_MAX && !watched.count) {
            pthread_cond_wait(&more, &lock);
            continue;
        }
        const uint64_t now = monotonic_ns();
        uint64_t due = soonest == SIZE_MAX ? UINT64_MAX : kicked.items[soonest].due;
        if (due > now) {
            if (watched.count && due > now + WATCH_NS) due = now + WATCH_NS;
            const struct timespec t = {(time_t)(due / 1000000000), (long)(due % 1000000000)};
            pthread_cond_timedwait(&more, &lock, &t);
            continue;
        }
        const struct kicked k = kicked.items[soonest];
        kicked.items[soonest] = kicked.items[--kicked.count];
        pthread_mutex_unlock(&lock);
        queue_kick(k.queue);
        reap_if_many(k.queue);
        pthread_mutex_lock(&lock);
    }
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void start_thread(void) { // with the lock held
    if (started) return;
    pthread_condattr_t a;
    pthread_condattr_init(&a);
    pthread_condattr_setclock(&a, CLOCK_MONOTONIC);
    pthread_cond_init(&more, &a);
    pthread_condattr_destroy(&a);
    quit = false;
    started = thread_start(&thread, "packet", packet_main, NULL);
}

void packet_thread_kick(struct queue *q, uint64_t delay) {
    const uint64_t due = delay ? monotonic_ns() + delay : 0;
    pthread_mutex_lock(&lock);
    start_thread();
    size_t i = 0;
    while (i < kicked.count && kicked.items[i].queue != q) i++;
    if (i < kicked.count) {
        if (due < kicked.items[i].due) kicked.items[i].due = due;
    } else if (!array_push(&kicked, (struct kicked){q, due})) {
        // out of memory: the next doorbell finds the packets
    }
    pthread_cond_signal(&more);
    pthread_mutex_unlock(&lock);
}

void packet_thread_watch(struct signal *signal) {
    pthread_mutex_lock(&lock);
    start_thread();
    size_t i = 0;
    while (i < watched.count && watched.items[i].signal != signal) i++;
    // Not its value: the first look reports a change, as it may have changed before.
    const struct watched w = {signal, ~signal_value(signal)};
    if (i < watched.count)
        watched.items[i] = w;
    else if (!array_push(&watched, w)) {
        // out of memory: a change by a call is heard of all the same
    }
    pthread_cond_signal(&more);
    pthread_mutex_unlock(&lock);
}

// ---- Running a queue ----

static void run_queue(struct queue *q) {
    __atomic_store_n(&q->again, 1, __ATOMIC_SEQ_CST);
    while (__atomic_load_n(&q->again, __ATOMIC_SEQ_CST)) {
        if (__atomic_exchange_n(&q->busy, 1, __ATOMIC_SEQ_CST)) return; // that thread looks again
        __atomic_store_n(&q->again, 0, __ATOMIC_SEQ_CST);
        if (q->block) queue_run_packets(q);
        __atomic_store_n(&q->busy, 0, __ATOMIC_SEQ_CST);
    }
}

// The queues that this thread has to run. A queue that changes a signal wakes others; they are noted here,
// and the outermost call runs them, so the stack does not grow with the number of queues that wake each
// other.
static _Thread_local struct {
    struct queue *first, *last;
    bool runs; // an outer call runs what is noted
} noted;

// A worker in the middle of a wave must not submit, and a worker of one device must not wait for another
// device.
static bool may_run_here(const struct queue *q) {
    return context == IN_HOST || (context == IN_DONE && context_agent == q->agent);
}

void queue_note(struct queue *q) {
    if (!may_run_here(q)) {
        packet_thread_kick(q, 0);
        return;
    }
    // On the list of another thread: that one clears is_noted before it runs the queue, so it sees the
    // change.
    if (__atomic_exchange_n(&q->is_noted, true, __ATOMIC_SEQ_CST)) return;
    q->next_noted = NULL;
    if (noted.first)
        noted.last->next_noted = q;
    else
        noted.first = q;
    noted.last = q;
}

void queues_run_noted(void) {
    if (noted.runs) return;
    noted.runs = true;
    for (struct queue *q; (q = noted.first);) {
        noted.first = q->next_noted;
        __atomic_store_n(&q->is_noted, false, __ATOMIC_SEQ_CST);
        run_queue(q);
    }
    noted.runs = false;
}

void queue_kick(struct queue *q) {
    queue_note(q);
    queues_run_noted();
}

static void hold(struct queue *q) {
    while (__atomic_exchange_n(&q->busy, 1, __ATOMIC_SEQ_CST)) sched_yield();
}
static void let_go(struct queue *q) {
    __atomic_store_n(&q->busy, 0, __ATOMIC_SEQ_CST);
    if (__atomic_load_n(&q->again, __ATOMIC_SEQ_CST)) queue_kick(q);
}

void queue_fail(struct queue *q, status error) {
    if (__atomic_exchange_n(&q->suspended, true, __ATOMIC_ACQ_REL)) return; // the first counts
    q->error = error;
    __atomic_store_n(&q->stopping, true, __ATOMIC_RELEASE);
    event_queue_error(q);
}

void queues_reap(struct agent *a) {
    pthread_rwlock_rdlock(&list_lock);
    for (size_t i = 0; i < all.count; i++) {
        struct queue *q = all.items[i];
        if (q->agent != a || q->soft) continue;
        hold(q);
        launches_reap(q);
        let_go(q);
    }
    pthread_rwlock_unlock(&list_lock);
}

bool queues_show_running(void (*tell)(void *argument, struct record *r), void *argument) {
    bool all_seen = true;
    pthread_rwlock_rdlock(&list_lock);
    for (size_t i = 0; i < all.count; i++) {
        struct queue *q = all.items[i];
        if (q->soft) continue;
        if (__atomic_exchange_n(&q->busy, 1, __ATOMIC_SEQ_CST)) {
            all_seen = false;
            continue;
        }
        for (struct record *r = q->running; r; r = r->next) tell(argument, r);
        let_go(q);
    }
    pthread_rwlock_unlock(&list_lock);
    return all_seen;
}

// ---- Making ----

struct aql_queue *queue_handle(const struct queue *q) {
    return (struct aql_queue *)q->block;
}

struct queue *queue_of(const struct aql_queue *hsa) {
    struct queue *q = NULL;
    pthread_rwlock_rdlock(&list_lock);
    for (size_t i = 0; i < all.count && !q; i++)
        if (queue_handle(all.items[i]) == hsa) q = all.items[i];
    pthread_rwlock_unlock(&list_lock);
    return hsa ? q : NULL;
}

// Held: a late kick of the queue that the struct was before must not see a queue in the making.
static struct queue *take(void) {
    pthread_rwlock_wrlock(&list_lock);
    struct queue *q = unused;
    if (q)
        unused = q->next_free;
    else if (all.count < MAX_QUEUES)
        q = calloc(1, sizeof *q);
    pthread_rwlock_unlock(&list_lock);
    if (q) hold(q);
    return q;
}
// The struct stays, as another thread may still be about to kick it. Requires: held; lets it go.
static void put_back(struct queue *q) {
    __atomic_store_n(&q->again, 0, __ATOMIC_SEQ_CST);
    __atomic_store_n(&q->busy, 0, __ATOMIC_SEQ_CST);
    pthread_rwlock_wrlock(&list_lock);
    q->next_free = unused;
    unused = q;
    pthread_rwlock_unlock(&list_lock);
}

static bool take_memory(struct queue *q, uint32_t size, uint32_t access) {
    q->size = size;
    q->block = block_make();
    q->ring = q->block ? ring_make(size) : NULL;
    if (!q->ring) return false;
    const uint64_t block = handle_of(q->block), ring = handle_of(q->ring);
    return rights_set(block, block + block_bytes(), access, SW_READ | SW_WRITE) == ST_SUCCESS &&
           rights_set(ring, ring + ring_bytes(size), access, SW_READ | SW_WRITE) == ST_SUCCESS;
}
static void free_memory(struct queue *q) {
    ring_free(q->ring, q->size);
    block_free(q->block);
    q->ring = NULL;
    q->block = NULL;
}

static void describe(struct queue *q, uint32_t type, uint32_t features, handle_t doorbell) {
    q->id = __atomic_fetch_add(&next_id, 1, __ATOMIC_RELAXED);
    q->properties = PROPERTY_PTR64;
    struct queue_facts facts = {.type = type,
                                .features = features,
                                .size = q->size,
                                .properties = q->properties,
                                .id = q->id,
                                .doorbell = doorbell};
    if (q->agent) {
        facts.inactive = signal_handle(q->inactive);
        facts.has_apertures = true;
        facts.max_cu_id = q->agent->product.cus - 1;
        facts.max_wave_id = q->agent->info.simds_per_cu * q->agent->info.waves_per_simd - 1;
    }
    block_describe(q->block, q->ring, &facts);
}

static bool add_to_list(struct queue *q) {
    pthread_rwlock_wrlock(&list_lock);
    const bool added = array_push(&all, q);
    pthread_rwlock_unlock(&list_lock);
    return added;
}

static bool is_size(uint32_t size) { return size && !(size & (size - 1)); }

static void drop_signals(struct queue *q) {
    if (q->bell) signal_drop(q->bell);
    if (q->inactive) signal_drop(q->inactive);
    if (q->doorbell != NO_DOORBELL) doorbell_drop(q->doorbell);
    q->bell = q->inactive = NULL;
    q->doorbell = NO_DOORBELL;
}
static bool make_signals(struct queue *q, const struct agent *a) {
    q->doorbell = doorbell_make(q);
    q->bell = q->doorbell != NO_DOORBELL ? signal_make_doorbell(q, a->info.isa_major < 9) : NULL;
    q->inactive = signal_make(0, 0);
    return q->bell && q->inactive;
}

static void start_anew(struct queue *q) { // as the struct may have been another queue before
    q->bell = q->inactive = NULL;
    q->doorbell = NO_DOORBELL;
    q->has_packet = false;
    q->read_index = 0;
    q->suspended = q->stopping = q->deps_linked = false;
    q->error = ST_SUCCESS;
    q->in_flight = 0;
    q->priority = 1;
    q->looked = 0;
    for (int i = 0; i < 5; i++) q->deps[i] = (struct subscriber){.kind = SUB_QUEUE, .owner = q};
}

static bool set_up(struct queue *q, struct agent *a, uint32_t size, uint32_t type) {
    q->agent = a;
    q->soft = false;
    start_anew(q);
    q->max_waves = (uint64_t)a->product.cus * a->info.simds_per_cu * a->info.waves_per_simd;
    q->is_masked = a->is_masked;
    memcpy(q->cu_mask, a->cu_mask, sizeof q->cu_mask);
    if (!take_memory(q, size, gpu_bit(a))) return false;
    if (make_signals(q, a)) {
        describe(q, type, FEATURE_KERNEL_DISPATCH, signal_handle(q->bell));
        if (add_to_list(q)) return true;
    }
    drop_signals(q);
    return false;
}

static status create(struct agent *a, uint32_t size, uint32_t type,
                     void (*callback)(status, struct aql_queue *, void *), void *data,
                     struct aql_queue **out) {
    struct queue *q = take();
    NEED(q, ST_OUT_OF_RESOURCES);
    q->callback = callback;
    q->data = data;
    if (!set_up(q, a, size, type)) {
        free_memory(q);
        put_back(q);
        return ST_OUT_OF_RESOURCES;
    }
    *out = queue_handle(q);
    if (logs(LOG_INFO)) log_print("queue %llu of %u packets on %s", (unsigned long long)q->id, size, a->name);
    let_go(q);
    return ST_SUCCESS;
}

// One for each agent, shared by all who ask.
static status create_cooperative(struct agent *a, uint32_t size,
                                 void (*callback)(status, struct aql_queue *, void *), void *data,
                                 struct aql_queue **out) {
    static pthread_mutex_t cooperative = PTHREAD_MUTEX_INITIALIZER;
    NEED(a->info.isa_major >= 9, ST_INVALID_QUEUE_CREATION);
    pthread_mutex_lock(&cooperative);
    status st = ST_SUCCESS;
    if (!a->cooperative) {
        st = create(a, size, QUEUE_COOPERATIVE, callback, data, out);
        if (st == ST_SUCCESS) a->cooperative = queue_of(*out);
    } else
        *out = queue_handle(a->cooperative);
    if (st == ST_SUCCESS) __atomic_add_fetch(&a->cooperative_users, 1, __ATOMIC_RELAXED);
    pthread_mutex_unlock(&cooperative);
    return st;
}

HSA(status, hsa_queue_create, handle_t agent, uint32_t size, uint32_t type,
    void (*callback)(status, struct aql_queue *, void *), void *data, uint32_t private_size,
    uint32_t group_size, struct aql_queue **out) {
    NEED_RUNTIME;
    (void)private_size, (void)group_size; // hints; each dispatch says what it needs
    struct agent *a = agent_of(agent);
    NEED(a, ST_INVALID_AGENT);
    NEED(a->is_gpu, ST_INVALID_QUEUE_CREATION);
    NEED(out && is_size(size) && size >= MIN_PACKETS && type <= QUEUE_COOPERATIVE, ST_INVALID_ARGUMENT);
    NEED(size <= MAX_PACKETS, ST_OUT_OF_RESOURCES);
    if (type == QUEUE_COOPERATIVE) return create_cooperative(a, size, callback, data, out);
    return create(a, size, type, callback, data, out);
}

HSA(status, hsa_soft_queue_create, handle_t region, uint32_t size, uint32_t type, uint32_t features,
    handle_t doorbell, struct aql_queue **out) {
    NEED_RUNTIME;
    const struct pool *p = pool_of(region);
    NEED(p, ST_INVALID_REGION);
    NEED(out && is_size(size) && type <= QUEUE_SINGLE && features && features <= 3 && signal_of(doorbell),
         ST_INVALID_ARGUMENT);
    struct queue *q = take();
    NEED(q, ST_OUT_OF_RESOURCES);
    q->agent = NULL;
    q->soft = true;
    q->callback = NULL;
    start_anew(q);
    bool made = take_memory(q, size, all_gpus());
    if (made) {
        describe(q, type, features, doorbell);
        made = add_to_list(q);
    }
    if (!made) {
        free_memory(q);
        put_back(q);
        return ST_OUT_OF_RESOURCES;
    }
    *out = queue_handle(q);
    let_go(q);
    return ST_SUCCESS;
}

// ---- Ending ----

// Running kernels are stopped; their completion signals stay as they are.
static void tear_down(struct queue *q) {
    hold(q);
    __atomic_store_n(&q->suspended, true, __ATOMIC_RELEASE);
    __atomic_store_n(&q->stopping, true, __ATOMIC_RELEASE);
    for (int i = 0; i < 5 && !q->soft; i++)
        if (q->deps_linked) unsubscribe(&q->deps[i]);
    q->deps_linked = false;
    for (struct record *r = q->running; r; r = r->next) sw_job_stop(r->job);
    while (q->running || __atomic_load_n(&q->done_count, __ATOMIC_RELAXED)) {
        if (q->running) sw_job_wait(q->running->job, -1);
        launches_reap(q);
    }
    event_queue_gone(q);
    drop_signals(q);
    while (q->free) {
        struct record *r = q->free;
        q->free = r->next;
        free(r);
    }
    for (size_t i = 0; i < q->pages.count; i++) own_memory_free(q->pages.items[i], PAGE);
    array_free(&q->pages);
    free_memory(q);
    put_back(q);
}

static bool remove_from_list(struct queue *q) {
    pthread_rwlock_wrlock(&list_lock);
    bool found = false;
    for (size_t i = 0; i < all.count && !found; i++)
        if (all.items[i] == q) all.items[i] = all.items[--all.count], found = true;
    pthread_rwlock_unlock(&list_lock);
    return found;
}

HSA(status, hsa_queue_destroy, struct aql_queue *hsa) {
    NEED_RUNTIME;
    NEED(hsa, ST_INVALID_ARGUMENT);
    struct queue *q = queue_of(hsa);
    NEED(q, ST_INVALID_QUEUE);
    if (q->agent && q->agent->cooperative == q) {
        if (__atomic_sub_fetch(&q->agent->cooperative_users, 1, __ATOMIC_RELAXED)) return ST_SUCCESS;
        q->agent->cooperative = NULL;
    }
    NEED(remove_from_list(q), ST_INVALID_QUEUE);
    tear_down(q);
    return ST_SUCCESS;
}

HSA(status, hsa_queue_inactivate, struct aql_queue *hsa) {
    NEED_RUNTIME;
    NEED(hsa, ST_INVALID_ARGUMENT);
    struct queue *q = queue_of(hsa);
    NEED(q, ST_INVALID_QUEUE);
    __atomic_store_n(&q->suspended, true, __ATOMIC_RELEASE);
    __atomic_store_n(&q->stopping, true, __ATOMIC_RELEASE);
    if (!q->soft) queue_kick(q);
    return ST_SUCCESS;
}

void queues_close(void) {
    for (;;) {
        pthread_rwlock_wrlock(&list_lock);
        struct queue *q = all.count ? all.items[--all.count] : NULL;
        pthread_rwlock_unlock(&list_lock);
        if (!q) break;
        tear_down(q);
    }
    pthread_mutex_lock(&lock);
    const bool join = started;
    const pthread_t which = thread;
    started = false;
    quit = true;
    if (join) pthread_cond_signal(&more);
    pthread_mutex_unlock(&lock);
    if (join) pthread_join(which, NULL);
    pthread_mutex_lock(&lock);
    array_free(&kicked);
    array_free(&watched);
    pthread_mutex_unlock(&lock);
}

void queues_forget(void) {
    pthread_rwlock_init(&list_lock, NULL);
    pthread_mutex_init(&lock, NULL);
    all.count = 0;
    unused = NULL;
    kicked.count = watched.count = 0;
    noted.first = NULL;
    noted.runs = false;
    started = quit = false;
}

// ---- Settings ----

HSA(status, hsa_amd_queue_set_priority, struct aql_queue *hsa, int priority) {
    NEED_RUNTIME;
    struct queue *q = queue_of(hsa);
    NEED(q, ST_INVALID_QUEUE);
    NEED(priority >= 0 && priority <= 2, ST_INVALID_ARGUMENT);
    q->priority = (unsigned)priority;
    return ST_SUCCESS;
}

static bool mask_bit(const uint32_t *mask, uint32_t i) { return mask[i / 32] >> i % 32 & 1; }

// HSA_CU_MASK limits all queues of an agent.
static bool may_have(const struct agent *a, uint32_t unit) {
    return unit < a->product.cus && unit < 32 * CU_MASK_WORDS &&
           (!a->is_masked || mask_bit(a->cu_mask, unit));
}

// From GFX10 on, two compute units are one work-group processor, which is on or off as a whole.
static bool splits_pair(const struct agent *a, uint32_t bits, const uint32_t *mask) {
    for (uint32_t i = 0; a->info.isa_major >= 10 && i + 1 < bits && i + 1 < a->product.cus; i += 2)
        if (mask_bit(mask, i) != mask_bit(mask, i + 1)) return true;
    return false;
}

// Bits behind the last unit are dropped. A mask may be empty: dispatches then run as without a mask, as they
// could never end otherwise.
HSA(status, hsa_amd_queue_cu_set_mask, const struct aql_queue *hsa, uint32_t bits, const uint32_t *mask) {
    NEED_RUNTIME;
    struct queue *q = queue_of(hsa);
    NEED(q && !q->soft, ST_INVALID_QUEUE);
    NEED(!(bits % 32) && (mask || !bits), ST_INVALID_ARGUMENT);
    NEED(!splits_pair(q->agent, bits, mask), ST_INVALID_ARGUMENT);
    uint32_t wanted[CU_MASK_WORDS] = {0};
    bool reduced = false;
    for (uint32_t i = 0; i < (bits ? bits : 32 * CU_MASK_WORDS); i++) {
        if (bits && !mask_bit(mask, i)) continue;
        if (may_have(q->agent, i))
            wanted[i / 32] |= 1u << i % 32;
        else
            reduced |= bits && q->agent->is_masked;
    }
    hold(q);
    memcpy(q->cu_mask, wanted, sizeof wanted);
    q->is_masked = bits || q->agent->is_masked;
    let_go(q);
    return reduced ? ST_CU_MASK_REDUCED : ST_SUCCESS;
}
HSA(status, hsa_amd_queue_cu_get_mask, const struct aql_queue *hsa, uint32_t bits, uint32_t *mask) {
    NEED_RUNTIME;
    struct queue *q = queue_of(hsa);
    NEED(q && !q->soft, ST_INVALID_QUEUE);
    NEED(bits && !(bits % 32) && mask, ST_INVALID_ARGUMENT);
    memset(mask, 0, bits / 8);
    hold(q);
    for (uint32_t i = 0; i < bits; i++)
        if (may_have(q->agent, i) && (!q->is_masked || mask_bit(q->cu_mask, i))) mask[i / 32] |= 1u << i % 32;
    let_go(q);
    return ST_SUCCESS;
}

HSA(status, hsa_amd_profiling_set_profiler_enabled, struct aql_queue *hsa, int enable) {
    NEED_RUNTIME;
    struct queue *q = queue_of(hsa);
    NEED(q && !q->soft, ST_INVALID_QUEUE);
    q->properties = PROPERTY_PTR64 | (enable ? PROPERTY_PROFILING : 0); // times are kept always
    block_put_properties(q->block, q->properties);
    return ST_SUCCESS;
}

// Agent and doorbell of a queue, for newer clients: 0 agent, 1 doorbell id.
HSA(status, hsa_amd_queue_get_info, struct aql_queue *hsa, int attribute, void *value) {
    NEED_RUNTIME;
    struct queue *q = queue_of(hsa);
    NEED(q && !q->soft, ST_INVALID_QUEUE);
    NEED(value, ST_INVALID_ARGUMENT);
    switch (attribute) {
    case 0: *(handle_t *)value = handle_of(q->agent); return ST_SUCCESS;
    case 1: *(uint64_t *)value = doorbell_address(q->doorbell); return ST_SUCCESS;
    default: return ST_INVALID_ARGUMENT;
    }
}

// ---- Queues of which the runtime chooses the size ----
// AMD's runtime gives several clients one hardware queue. There are enough here for each to have its own.

HSA(status, hsa_amd_counted_queue_acquire, handle_t agent, uint32_t type, int priority,
    void (*callback)(status, struct aql_queue *, void *), void *data, uint64_t flags,
    struct aql_queue **out) {
    enum { PACKETS = 16384 };
    NEED(!flags && priority >= 0 && priority <= 2, ST_INVALID_ARGUMENT);
    const status st = hsa_queue_create(agent, PACKETS, type, callback, data, 0, 0, out);
    return st == ST_SUCCESS ? hsa_amd_queue_set_priority(*out, priority) : st;
}
HSA(status, hsa_amd_counted_queue_release, struct aql_queue *hsa) { return hsa_queue_destroy(hsa); }
