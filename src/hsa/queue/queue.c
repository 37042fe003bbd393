// SPDX-License-Identifier: MIT
// AQL queues (DISP-01, DISP-05, DISP-14): making, ending, the list of all. Who runs them: turn.c.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "hsa/queue/queue.h"
#include "hsa/tell/log.h"

enum { MIN_PACKETS = 64, MAX_PACKETS = 131072, MAX_QUEUES = 1024 };

static pthread_rwlock_t list_lock = PTHREAD_RWLOCK_INITIALIZER;
static ARRAY(struct queue *) all;
static struct queue *unused;
static uint64_t next_id;

// ---- All queues ----

void queues_reap(struct agent *a) {
    pthread_rwlock_rdlock(&list_lock);
    for (size_t i = 0; i < all.count; i++) {
        struct queue *q = all.items[i];
        if (q->agent != a || q->soft) continue;
        queue_hold(q);
        launches_reap(q);
        queue_let_go(q);
    }
    pthread_rwlock_unlock(&list_lock);
}

bool queues_show_running(void (*tell)(void *argument, struct record *r), void *argument) {
    bool all_seen = true;
    pthread_rwlock_rdlock(&list_lock);
    for (size_t i = 0; i < all.count; i++) {
        struct queue *q = all.items[i];
        if (q->soft) continue;
        if (!queue_try_hold(q)) {
            all_seen = false;
            continue;
        }
        for (struct record *r = q->running; r; r = r->next) tell(argument, r);
        queue_let_go(q);
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
    if (q) queue_hold(q);
    return q;
}
// The struct stays, as another thread may still be about to kick it. Requires: held; lets it go.
static void put_back(struct queue *q) {
    turns_drop(&q->turns);
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
    return rights_set(block, block + block_bytes(), access, SW_RIGHT_READ | SW_RIGHT_WRITE) == ST_SUCCESS &&
           rights_set(ring, ring + ring_bytes(size), access, SW_RIGHT_READ | SW_RIGHT_WRITE) == ST_SUCCESS;
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
    doorbell_drop(&q->ringer);
    q->bell = q->inactive = NULL;
}
static bool make_signals(struct queue *q, const struct agent *a) {
    const bool made = doorbell_make(&q->ringer);
    q->bell = made ? signal_make_doorbell(&q->ringer, a->info.isa_major < 9, q->block) : NULL;
    q->inactive = signal_make(0, 0);
    return q->bell && q->inactive;
}

static void dependency_changed(struct subscriber *s) { queue_note(s->owner); }

static void start_anew(struct queue *q) { // as the struct may have been another queue before
    queue_set_up_turns(q);
    q->bell = q->inactive = NULL;
    q->has_packet = false;
    q->read_index = 0;
    q->state = QUEUE_RUNS;
    q->deps_linked = false;
    q->error = ST_SUCCESS;
    q->in_flight = 0;
    q->priority = 1;
    q->looked = 0;
    for (int i = 0; i < 5; i++) q->deps[i] = (struct subscriber){.changed = dependency_changed, .owner = q};
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
    queue_let_go(q);
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
    queue_let_go(q);
    return ST_SUCCESS;
}

// ---- Ending ----

bool queue_claim_failure(struct queue *q) {
    enum queue_state expected = QUEUE_RUNS;
    return __atomic_compare_exchange_n(&q->state, &expected, QUEUE_FAILS, false, __ATOMIC_ACQ_REL,
                                       __ATOMIC_ACQUIRE);
}
void queue_stop(struct queue *q) { __atomic_store_n(&q->state, QUEUE_STOPS, __ATOMIC_RELEASE); }

void queue_fail(struct queue *q, status error) {
    if (!queue_claim_failure(q)) return; // the first error counts
    q->error = error;
    queue_stop(q);
    event_queue_error(&(struct queue_error){.queue = q,
                                            .handle = queue_handle(q),
                                            .call = q->callback,
                                            .data = q->data,
                                            .error = error,
                                            .inactive = q->inactive});
}

// Running kernels are stopped; their completion signals stay as they are.
static void tear_down(struct queue *q) {
    queue_hold(q);
    queue_stop(q);
    for (int i = 0; i < 5 && !q->soft; i++)
        if (q->deps_linked) signal_unsubscribe(&q->deps[i]);
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
    queue_stop(q);
    if (!q->soft) queue_kick(q);
    return ST_SUCCESS;
}

// ---- Queues of which the runtime chooses the size ----
// AMD's runtime gives several clients one hardware queue. There are enough here for each to have its own.

HSA(status, hsa_amd_counted_queue_acquire, handle_t agent, uint32_t type, int priority,
    void (*callback)(status, struct aql_queue *, void *), void *data, uint64_t flags,
    struct aql_queue **out) {
    enum { PACKETS = 16384 };
    NEED(!flags && priority >= 0 && priority <= 2, ST_INVALID_ARGUMENT);
    const status st = hsa_queue_create(agent, PACKETS, type, callback, data, 0, 0, out);
    if (st == ST_SUCCESS) queue_of(*out)->priority = (unsigned)priority;
    return st;
}
HSA(status, hsa_amd_counted_queue_release, struct aql_queue *hsa) { return hsa_queue_destroy(hsa); }

// ---- The end ----

void queues_close(void) {
    for (;;) {
        pthread_rwlock_wrlock(&list_lock);
        struct queue *q = all.count ? all.items[--all.count] : NULL;
        pthread_rwlock_unlock(&list_lock);
        if (!q) break;
        tear_down(q);
    }
    packet_thread_close();
}

void queues_forget(void) {
    pthread_rwlock_init(&list_lock, NULL);
    all.count = 0;
    unused = NULL;
    packet_thread_forget();
    later_forget();
}
