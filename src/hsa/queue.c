// SPDX-License-Identifier: MIT
// AQL queues (DISP-01, DISP-05, DISP-14). Whoever rings a doorbell takes packets itself when nobody else does
// so just now; whoever ends what a queue waits for goes on with it. Only what may not be done in that place,
// and what has to wait for a slot to be filled, is left to the packet thread.
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "hsa/hsa.h"

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
    uint32_t signal;
    int64_t value;
}) watched; // signals that are written unseen and that somebody subscribed to
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
        const struct side *side = &sides[w->signal];
        if (!__atomic_load_n(&side->live, __ATOMIC_ACQUIRE) ||
            !__atomic_load_n(&side->subscribers, __ATOMIC_ACQUIRE)) {
            *w = watched.items[--watched.count];
            i--;
            continue;
        }
        const handle_t s = handle_of(&signals[w->signal]);
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
        const uint64_t now = clock_now();
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
    const uint64_t due = delay ? clock_now() + delay : 0;
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

void packet_thread_watch(uint32_t signal) {
    pthread_mutex_lock(&lock);
    start_thread();
    size_t i = 0;
    while (i < watched.count && watched.items[i].signal != signal) i++;
    // A value that it has not: the first look tells of it, as it may have changed before.
    const struct watched w = {signal, ~signal_value(handle_of(&signals[signal]))};
    if (i < watched.count)
        watched.items[i] = w;
    else if (!array_push(&watched, w)) {
        // out of memory: a change by a call is heard of all the same
    }
    pthread_cond_signal(&more);
    pthread_mutex_unlock(&lock);
}

// ---- Running a queue ----

void queue_kick(struct queue *q) {
    __atomic_store_n(&q->again, 1, __ATOMIC_SEQ_CST);
    while (__atomic_load_n(&q->again, __ATOMIC_SEQ_CST)) {
        if (__atomic_exchange_n(&q->busy, 1, __ATOMIC_SEQ_CST)) return; // who has it looks again
        __atomic_store_n(&q->again, 0, __ATOMIC_SEQ_CST);
        if (q->abi) queue_run_packets(q);
        __atomic_store_n(&q->busy, 0, __ATOMIC_SEQ_CST);
    }
}

// A worker in the middle of a wave must not submit, and one device's worker must not wait for another device.
void queue_poke(struct queue *q) {
    if (context == IN_HOST || (context == IN_DONE && context_agent == q->agent))
        queue_kick(q);
    else
        packet_thread_kick(q, 0);
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

struct queue *queue_of(const struct aql_queue *hsa) {
    struct queue *q = NULL;
    pthread_rwlock_rdlock(&list_lock);
    for (size_t i = 0; i < all.count && !q; i++)
        if (&all.items[i]->abi->hsa == hsa) q = all.items[i];
    pthread_rwlock_unlock(&list_lock);
    return hsa ? q : NULL;
}

static struct queue *take(void) {
    pthread_rwlock_wrlock(&list_lock);
    struct queue *q = unused;
    if (q)
        unused = q->next_free;
    else if (all.count < MAX_QUEUES)
        q = calloc(1, sizeof *q);
    pthread_rwlock_unlock(&list_lock);
    return q;
}
// The struct stays, as somebody may still be about to kick it.
static void put_back(struct queue *q) {
    pthread_rwlock_wrlock(&list_lock);
    q->next_free = unused;
    unused = q;
    pthread_rwlock_unlock(&list_lock);
}

static bool take_memory(struct queue *q, uint32_t size) {
    q->ring_bytes = (uint64_t)size * sizeof *q->ring;
    q->abi = own_memory(sizeof *q->abi);
    q->ring = own_memory(q->ring_bytes);
    if (!q->abi || !q->ring) return false;
    for (uint32_t i = 0; i < size; i++) q->ring[i].header = PACKET_INVALID;
    return true;
}
static void free_memory(struct queue *q) {
    own_memory_free(q->ring, q->ring_bytes);
    own_memory_free(q->abi, sizeof *q->abi);
    q->ring = NULL;
    q->abi = NULL;
}

static void describe(struct queue *q, uint32_t size, uint32_t type, uint32_t features, handle_t doorbell) {
    struct amd_queue *a = q->abi;
    a->hsa = (struct aql_queue){.type = type,
                                .features = features,
                                .base = q->ring,
                                .doorbell = doorbell,
                                .size = size,
                                .id = __atomic_fetch_add(&next_id, 1, __ATOMIC_RELAXED)};
    a->read_index_offset = offsetof(struct amd_queue, read_index);
    a->properties = PROPERTY_PTR64;
    if (!q->agent) return;
    a->group_aperture_hi = 0x10000; // where flat addresses of LDS and scratch begin
    a->private_aperture_hi = 0x20000;
    a->max_cu_id = q->agent->product.cus - 1;
    a->max_wave_id = q->agent->info.simds_per_cu * q->agent->info.waves_per_simd - 1;
}

static bool add_to_list(struct queue *q) {
    pthread_rwlock_wrlock(&list_lock);
    const bool added = array_push(&all, q);
    pthread_rwlock_unlock(&list_lock);
    return added;
}

static bool is_size(uint32_t size) { return size && !(size & (size - 1)); }

static bool set_up(struct queue *q, struct agent *a, uint32_t size, uint32_t type) {
    q->agent = a;
    q->soft = false;
    if (!take_memory(q, size)) return false;
    const uint64_t abi = handle_of(q->abi), ring = handle_of(q->ring);
    if (rights_set(abi, abi + sizeof *q->abi, gpu_bit(a), SW_READ | SW_WRITE) != ST_SUCCESS ||
        rights_set(ring, ring + q->ring_bytes, gpu_bit(a), SW_READ | SW_WRITE) != ST_SUCCESS)
        return false;
    const handle_t doorbell = signal_make(0, ATTRIBUTE_GPU_ONLY);
    q->doorbell = doorbell ? doorbell_make(q) : NULL;
    const handle_t inactive = signal_make(0, 0);
    if (!q->doorbell || !inactive) {
        if (doorbell) signal_drop(doorbell);
        if (inactive) signal_drop(inactive);
        if (q->doorbell) doorbell_drop(q->doorbell);
        return false;
    }
    struct amd_signal *s = signal_of(doorbell);
    // Doorbells have 64 bits since the ninth generation of processors; before, a lock goes with them.
    s->kind = a->info.isa_major >= 9 ? SIGNAL_DOORBELL : SIGNAL_LEGACY_DOORBELL;
    s->doorbell = q->doorbell;
    s->queue = abi;
    signal_side(doorbell)->queue = q;
    describe(q, size, type, FEATURE_KERNEL_DISPATCH, doorbell);
    q->abi->inactive_signal = inactive;
    q->suspended = q->stopping = q->deps_linked = q->profiled = false;
    q->error = ST_SUCCESS;
    q->in_flight = 0;
    q->max_waves = (uint64_t)a->product.cus * a->info.simds_per_cu * a->info.waves_per_simd;
    q->priority = 1;
    q->is_masked = a->is_masked;
    memcpy(q->cu_mask, a->cu_mask, sizeof q->cu_mask);
    q->next_id = 0;
    q->looked = 0;
    for (int i = 0; i < 5; i++) q->deps[i] = (struct subscriber){.kind = SUB_QUEUE, .owner = q};
    return add_to_list(q);
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
    *out = &q->abi->hsa;
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
        *out = &a->cooperative->abi->hsa;
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
    NEED(out && is_size(size) && type <= QUEUE_SINGLE && features && features <= 3 && signal_side(doorbell),
         ST_INVALID_ARGUMENT);
    struct queue *q = take();
    NEED(q, ST_OUT_OF_RESOURCES);
    q->agent = NULL;
    q->soft = true;
    q->callback = NULL;
    bool made = take_memory(q, size);
    if (made) {
        const uint64_t abi = handle_of(q->abi), ring = handle_of(q->ring);
        describe(q, size, type, features, doorbell);
        made = rights_set(abi, abi + sizeof *q->abi, all_gpus(), SW_READ | SW_WRITE) == ST_SUCCESS &&
               rights_set(ring, ring + q->ring_bytes, all_gpus(), SW_READ | SW_WRITE) == ST_SUCCESS &&
               add_to_list(q);
    }
    if (!made) {
        free_memory(q);
        put_back(q);
        return ST_OUT_OF_RESOURCES;
    }
    *out = &q->abi->hsa;
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
    const handle_t doorbell = q->abi->hsa.doorbell, inactive = q->abi->inactive_signal;
    if (!q->soft) {
        doorbell_drop(q->doorbell);
        signal_drop(doorbell);
        signal_drop(inactive);
    }
    while (q->free) {
        struct record *r = q->free;
        q->free = r->next;
        free(r);
    }
    for (size_t i = 0; i < q->pages.count; i++) own_memory_free(q->pages.items[i], PAGE);
    array_free(&q->pages);
    free_memory(q);
    __atomic_store_n(&q->again, 0, __ATOMIC_SEQ_CST);
    __atomic_store_n(&q->busy, 0, __ATOMIC_SEQ_CST);
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

// What HSA_CU_MASK leaves of an agent is all that its queues may have.
static bool may_have(const struct agent *a, uint32_t unit) {
    return unit < a->product.cus && unit < 32 * CU_MASK_WORDS &&
           (!a->is_masked || mask_bit(a->cu_mask, unit));
}

HSA(status, hsa_amd_queue_cu_set_mask, const struct aql_queue *hsa, uint32_t bits, const uint32_t *mask) {
    NEED_RUNTIME;
    struct queue *q = queue_of(hsa);
    NEED(q && !q->soft, ST_INVALID_QUEUE);
    NEED(!(bits % 32) && (mask || !bits), ST_INVALID_ARGUMENT);
    uint32_t wanted[CU_MASK_WORDS] = {0}, some = 0;
    status st = ST_SUCCESS;
    for (uint32_t i = 0; i < (bits ? bits : 32 * CU_MASK_WORDS); i++) {
        if (bits && !mask_bit(mask, i)) continue;
        if (may_have(q->agent, i))
            wanted[i / 32] |= 1u << i % 32, some = 1;
        else if (bits)
            st = ST_CU_MASK_REDUCED;
    }
    NEED(some, ST_INVALID_ARGUMENT); // nothing would ever run
    hold(q);
    memcpy(q->cu_mask, wanted, sizeof wanted);
    q->is_masked = bits || q->agent->is_masked;
    let_go(q);
    return st;
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
    q->profiled = enable != 0; // times are kept always
    if (enable)
        q->abi->properties |= PROPERTY_PROFILING;
    else
        q->abi->properties &= ~(uint32_t)PROPERTY_PROFILING;
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
    case 1: *(uint64_t *)value = handle_of(q->doorbell); return ST_SUCCESS;
    default: return ST_INVALID_ARGUMENT;
    }
}

// ---- Indices, which lie in the queue itself ----

#define AMD_QUEUE(q) ((struct amd_queue *)(uintptr_t)(q))
#define LOAD(i, order)                                                                                       \
    HSA(uint64_t, hsa_queue_load_##i##_index_##order, const struct aql_queue *q) {                           \
        return __atomic_load_n(&AMD_QUEUE(q)->i##_index, __ATOMIC_ACQUIRE);                                  \
    }
#define STORE(i, order)                                                                                      \
    HSA(void, hsa_queue_store_##i##_index_##order, const struct aql_queue *q, uint64_t value) {              \
        __atomic_store_n(&AMD_QUEUE(q)->i##_index, value, __ATOMIC_RELEASE);                                 \
    }
#define CAS(order)                                                                                           \
    HSA(uint64_t, hsa_queue_cas_write_index_##order, const struct aql_queue *q, uint64_t expected,           \
        uint64_t value) {                                                                                    \
        __atomic_compare_exchange_n(&AMD_QUEUE(q)->write_index, &expected, value, false, __ATOMIC_SEQ_CST,   \
                                    __ATOMIC_SEQ_CST);                                                       \
        return expected;                                                                                     \
    }
#define ADD(order)                                                                                           \
    HSA(uint64_t, hsa_queue_add_write_index_##order, const struct aql_queue *q, uint64_t value) {            \
        return __atomic_fetch_add(&AMD_QUEUE(q)->write_index, value, __ATOMIC_SEQ_CST);                      \
    }
LOAD(read, relaxed)
LOAD(read, acquire)
LOAD(read, scacquire)
LOAD(write, relaxed)
LOAD(write, acquire)
LOAD(write, scacquire)
STORE(read, relaxed)
STORE(read, release)
STORE(read, screlease)
STORE(write, relaxed)
STORE(write, release)
STORE(write, screlease)
#define RMW(X) X(relaxed) X(acquire) X(release) X(acq_rel) X(scacquire) X(screlease) X(scacq_screl)
RMW(CAS)
RMW(ADD)
