// SPDX-License-Identifier: MIT
// Signals: words that programs and kernels change; a change wakes the threads that wait (DISP-08, DISP-13).
// The words lie in slots that devices watch (reach.c), so the runtime hears of a kernel's store as of a call.
// What the runtime knows of a signal is in struct signal, out of reach of kernels. Both have the same index.
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "hsa/signal.h"

enum { SHARDS = 64 };

static struct signal *signals;
static struct queue *doorbell_queues[DOORBELLS];
static pthread_mutex_t shards[SHARDS], slab_lock = PTHREAD_MUTEX_INITIALIZER;
static uint32_t next_signal, next_doorbell;
static ARRAY(uint32_t) free_signals;
static ARRAY(uint32_t) free_doorbells;
static ARRAY(uint32_t) free_pages; // of signals that processes share
uint32_t any_epoch, any_waiters;

uint32_t signal_index(const struct signal *s) { return (uint32_t)(s - signals); }
struct signal *signal_at(uint32_t index) {
    return &signals[index];
}
static pthread_mutex_t *shard_of(const struct signal *s) { return &shards[signal_index(s) % SHARDS]; }

// ---- The slabs ----

status signals_open(void) {
    if (signals) return ST_SUCCESS;
    for (int i = 0; i < SHARDS; i++) pthread_mutex_init(&shards[i], NULL);
    void *p = mmap(NULL, SIGNALS * sizeof *signals, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    NEED(p != MAP_FAILED && reach_open(), ST_OUT_OF_RESOURCES);
    signals = p;
    return ST_SUCCESS;
}

status signals_map(struct agent *a) { return reach_map(a->device) ? ST_SUCCESS : ST_OUT_OF_RESOURCES; }

void signals_forget(void) {
    signals = NULL;
    reach_forget();
    next_signal = next_doorbell = 0;
    array_free(&free_signals);
    array_free(&free_doorbells);
    array_free(&free_pages);
    any_waiters = 0;
    pthread_mutex_init(&slab_lock, NULL);
}

// ---- From a handle to a signal ----

struct signal *signal_ever(handle_t handle) {
    const uint32_t slot = slot_of(handle);
    return slot < SIGNALS ? &signals[slot] : NULL;
}
struct signal *signal_of(handle_t handle) {
    struct signal *s = signal_ever(handle);
    return s && __atomic_load_n(&s->live, __ATOMIC_ACQUIRE) ? s : NULL;
}

status signals_take(struct signal_list *list, uint32_t count, const handle_t *handles) {
    list->count = count;
    list->items =
        count <= sizeof list->few / sizeof *list->few ? list->few : calloc(count, sizeof *list->items);
    NEED(list->items, ST_OUT_OF_RESOURCES);
    for (uint32_t i = 0; i < count; i++) {
        const handle_t handle = *(const volatile handle_t *)&handles[i];
        list->items[i] = handle ? signal_of(handle) : NULL;
        if (list->items[i] || !handle) continue;
        signals_let_go(list);
        return ST_INVALID_SIGNAL;
    }
    return ST_SUCCESS;
}
void signals_let_go(struct signal_list *list) {
    if (list->items != list->few) free(list->items);
    list->items = NULL;
}

// ---- Signals of several processes ----
// Each stands alone in a page of a file without a name, which lies in the slab of whoever uses it. How others
// hear of what one process does to it: shared.c.

static int shared_file = -1;
static pid_t shared_file_of;
static uint64_t shared_pages; // of the file

// An index whose page is nobody else's. SIGNALS: none left. Lock: slab.
static uint32_t take_page(void) {
    if (free_pages.count) return free_pages.items[--free_pages.count];
    const uint32_t i = (next_signal + SLOTS_A_PAGE - 1) / SLOTS_A_PAGE * SLOTS_A_PAGE;
    if (i + SLOTS_A_PAGE > SIGNALS) return SIGNALS;
    __atomic_store_n(&next_signal, i + SLOTS_A_PAGE, __ATOMIC_RELAXED);
    return i;
}
static void give_page_back(uint32_t i) {
    if (!slot_unshare(i)) return;
    pthread_mutex_lock(&slab_lock);
    if (!array_push(&free_pages, i)) {
        // it is not used again
    }
    pthread_mutex_unlock(&slab_lock);
}

// A thread that changed the signal which stood here before may still be about to tell of it: one wake too
// many.
static struct signal *set_up(uint32_t i, uint64_t attributes, struct queue *q) {
    struct signal *s = &signals[i];
    s->exposed = s->is_here = s->is_exported = false;
    const bool is_shared = (attributes & ATTRIBUTE_IPC) != 0;
    __atomic_store_n(&s->ipc, is_shared, __ATOMIC_RELAXED); // always the same for one index
    s->gpu_only = (attributes & ATTRIBUTE_GPU_ONLY) != 0;
    __atomic_store_n(&s->queue, q, __ATOMIC_RELAXED);
    __atomic_store_n(&s->live, true, __ATOMIC_RELEASE);
    return s;
}

static struct signal *make_shared(int64_t value) {
    pthread_mutex_lock(&slab_lock);
    if (shared_file < 0 || shared_file_of != getpid()) {
        shared_file = memfd_create("softwave-signals", MFD_CLOEXEC);
        shared_file_of = getpid();
        shared_pages = 0;
        if (shared_file >= 0 && ftruncate(shared_file, INT64_MAX / 2)) close(shared_file), shared_file = -1;
    }
    const uint32_t i = shared_file >= 0 ? take_page() : SIGNALS;
    const uint64_t offset = shared_pages++ * PAGE; // each page is used once: others may have it still
    pthread_mutex_unlock(&slab_lock);
    if (i == SIGNALS) return NULL;
    if (!slot_share(i, shared_file, offset)) {
        give_page_back(i);
        return NULL;
    }
    slot_set_up(i, value, false);
    struct signal *s = set_up(i, ATTRIBUTE_IPC, NULL);
    s->offset = offset;
    s->is_here = true;
    return s;
}

bool signal_place(handle_t handle, int *file, uint64_t *offset) {
    struct signal *s = signal_of(handle);
    if (!s || !s->is_here) return false;
    *file = shared_file;
    *offset = s->offset;
    s->is_exported = true;
    return true;
}
struct signal *signal_attach(int file, uint64_t offset) {
    struct stat f;
    if (fstat(file, &f) || offset > (uint64_t)f.st_size || (uint64_t)f.st_size - offset < PAGE) return NULL;
    pthread_mutex_lock(&slab_lock);
    const uint32_t i = take_page();
    pthread_mutex_unlock(&slab_lock);
    if (i == SIGNALS) return NULL;
    if (slot_share(i, file, offset)) return set_up(i, ATTRIBUTE_IPC, NULL);
    give_page_back(i);
    return NULL;
}

// ---- Making and dropping ----

static uint32_t take_index(void) {
    pthread_mutex_lock(&slab_lock);
    uint32_t i = SIGNALS;
    if (free_signals.count)
        i = free_signals.items[--free_signals.count];
    else if (next_signal < SIGNALS)
        i = __atomic_fetch_add(&next_signal, 1, __ATOMIC_RELAXED);
    pthread_mutex_unlock(&slab_lock);
    return i;
}

struct signal *signal_make(int64_t value, uint64_t attributes) {
    if (attributes & ATTRIBUTE_IPC) return make_shared(value);
    const uint32_t i = take_index();
    if (i == SIGNALS) return NULL;
    slot_set_up(i, value, !(attributes & ATTRIBUTE_GPU_ONLY));
    return set_up(i, attributes, NULL);
}

// Doorbells have 64 bits since the ninth generation of processors; before, a lock in the queue goes with
// them.
struct signal *signal_make_doorbell(struct queue *q, bool is_legacy) {
    const uint32_t i = take_index();
    if (i == SIGNALS) return NULL;
    slot_set_doorbell(i, q->doorbell, is_legacy, q->block);
    return set_up(i, ATTRIBUTE_GPU_ONLY, q);
}

void signal_drop(struct signal *s) {
    const uint32_t i = signal_index(s);
    if (!__atomic_exchange_n(&s->live, false, __ATOMIC_ACQ_REL)) return;
    __atomic_store_n(&s->queue, NULL, __ATOMIC_RELAXED);
    handlers_drop(s);
    pthread_mutex_lock(shard_of(s)); // subscribers hear no more
    for (struct subscriber *x = s->subscribers; x; x = x->next) x->linked = false;
    __atomic_store_n(&s->subscribers, NULL, __ATOMIC_RELAXED);
    pthread_mutex_unlock(shard_of(s));
    if (s->ipc) { // other processes may use it still
        shared_drop(s);
        if (s->is_here && !s->is_exported) // no other process has the page
            (void)!fallocate(shared_file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)s->offset, PAGE);
        give_page_back(i);
        return;
    }
    slot_clear(i);
    pthread_mutex_lock(&slab_lock);
    if (!array_push(&free_signals, i)) {
        // it is not used again
    }
    pthread_mutex_unlock(&slab_lock);
}

HSA(status, hsa_amd_signal_create, int64_t value, uint32_t count, const handle_t *consumers,
    uint64_t attributes, handle_t *out) {
    NEED_RUNTIME;
    NEED(out && (!count || consumers) && !(attributes & ~3ull), ST_INVALID_ARGUMENT);
    for (uint32_t i = 0; i < count; i++) {
        NEED(agent_of(consumers[i]), ST_INVALID_AGENT);
        for (uint32_t n = 0; n < i; n++) NEED(consumers[n] != consumers[i], ST_INVALID_ARGUMENT);
    }
    const struct signal *s = signal_make(value, attributes);
    NEED(s, (*out = 0, ST_OUT_OF_RESOURCES));
    *out = signal_handle(s);
    return ST_SUCCESS;
}
HSA(status, hsa_signal_create, int64_t value, uint32_t count, const handle_t *consumers, handle_t *out) {
    return hsa_amd_signal_create(value, count, consumers, 0, out);
}
HSA(status, hsa_signal_destroy, handle_t handle) {
    NEED_RUNTIME;
    NEED(handle, ST_INVALID_ARGUMENT);
    struct signal *s = signal_of(handle);
    NEED(s && !s->queue, ST_INVALID_SIGNAL);
    signal_drop(s);
    return ST_SUCCESS;
}

static void wake(uint32_t *epoch, int how) {
    __atomic_add_fetch(epoch, 1, __ATOMIC_SEQ_CST);
    syscall(SYS_futex, epoch, how, INT_MAX, NULL, NULL, 0);
}

// From now on the program may change the value without a call: waits look for themselves.
HSA(status, hsa_amd_signal_value_pointer, handle_t handle, volatile int64_t **out) {
    NEED_RUNTIME;
    NEED(out, ST_INVALID_ARGUMENT);
    struct signal *s = signal_of(handle);
    NEED(s && !s->queue, ST_INVALID_SIGNAL);
    __atomic_store_n(&s->exposed, true, __ATOMIC_RELEASE);
    wake(&s->epoch, FUTEX_WAKE_PRIVATE); // threads that wait already shall know
    if (s->ipc) {
        slot_expose(signal_index(s));
        wake(slot_shared_epoch(signal_index(s)), FUTEX_WAKE);
    }
    if (__atomic_load_n(&s->subscribers, __ATOMIC_ACQUIRE)) packet_thread_watch(s);
    *out = slot_pointer(signal_index(s));
    return ST_SUCCESS;
}

// ---- Changes ----

// Lock: the signal's shard.
static void poke(struct subscriber *s) {
    switch (s->kind) {
    case SUB_HANDLER: event_poke(s); break;
    case SUB_COPY: copy_poke(s); break;
    case SUB_QUEUE: queue_note(s->owner); break;
    }
}

static void tell_here(struct signal *s) {
    if (__atomic_load_n(&s->waiters, __ATOMIC_RELAXED)) {
        wake(&s->epoch, FUTEX_WAKE_PRIVATE);
        if (__atomic_load_n(&any_waiters, __ATOMIC_RELAXED)) wake(&any_epoch, FUTEX_WAKE_PRIVATE);
    }
    if (!__atomic_load_n(&s->subscribers, __ATOMIC_RELAXED)) return;
    pthread_mutex_lock(shard_of(s));
    for (struct subscriber *x = s->subscribers; x; x = x->next) poke(x);
    pthread_mutex_unlock(shard_of(s));
    queues_run_noted();
}

void signal_changed(struct signal *s) {
    __atomic_thread_fence(__ATOMIC_SEQ_CST); // the change is there before we look for waiting threads
    if (UNLIKELY(__atomic_load_n(&s->ipc, __ATOMIC_RELAXED)) && slot_has_waiters(signal_index(s)))
        wake(slot_shared_epoch(signal_index(s)), FUTEX_WAKE);
    tell_here(s);
}
// Also called when another process takes the address of the value.
void signal_changed_elsewhere(struct signal *s) {
    if (is_exposed(s) && __atomic_load_n(&s->subscribers, __ATOMIC_ACQUIRE)) packet_thread_watch(s);
    tell_here(s);
}

void subscribe(struct subscriber *s, struct signal *signal) {
    bool is_shared = false;
    pthread_mutex_lock(shard_of(signal));
    if (!s->linked) {
        is_shared = __atomic_load_n(&signal->ipc, __ATOMIC_RELAXED);
        if (s->signal != signal) s->signal = signal;
        s->next = signal->subscribers;
        s->linked = true;
        __atomic_store_n(&signal->subscribers, s, __ATOMIC_RELAXED);
    }
    pthread_mutex_unlock(shard_of(signal));
    __atomic_thread_fence(__ATOMIC_SEQ_CST); // before the value is read
    if ((is_shared && !shared_watch(signal)) || is_exposed(signal)) packet_thread_watch(signal);
}

void unsubscribe(struct subscriber *s) {
    struct signal *signal = s->signal;
    if (!signal) return; // it never was
    pthread_mutex_lock(shard_of(signal));
    const bool watched = s->linked && __atomic_load_n(&signal->ipc, __ATOMIC_RELAXED);
    if (s->linked) {
        struct subscriber **at = &signal->subscribers;
        while (*at != s) at = &(*at)->next;
        __atomic_store_n(at, s->next, __ATOMIC_RELAXED);
        s->linked = false;
    }
    pthread_mutex_unlock(shard_of(signal));
    if (watched) shared_unwatch(signal);
}

// ---- What kernels write ----

static void tell_slots(uint64_t address, uint64_t last) {
    const struct reached r = reached_slots(address, last);
    const uint32_t used = __atomic_load_n(&next_signal, __ATOMIC_RELAXED);
    for (uint32_t i = r.first; i < r.first + r.count && i < used; i++)
        if (__atomic_load_n(&signals[i].live, __ATOMIC_RELAXED)) signal_changed(&signals[i]);
}
static void tell_doorbells(uint64_t address, uint64_t last) {
    const struct reached r = reached_doorbells(address, last);
    for (uint32_t i = r.first; i < r.first + r.count; i++) {
        struct queue *q = __atomic_load_n(&doorbell_queues[i], __ATOMIC_ACQUIRE);
        if (q) queue_kick(q);
    }
}

void signals_written(void *agent, uint64_t address, uint64_t last) {
    const enum context before = context;
    struct agent *const agent_before = context_agent;
    context = IN_WAVE;
    context_agent = agent;
    tell_slots(address, last);
    tell_doorbells(address, last);
    context = before;
    context_agent = agent_before;
}

uint32_t doorbell_make(struct queue *q) {
    pthread_mutex_lock(&slab_lock);
    uint32_t i = NO_DOORBELL;
    if (free_doorbells.count)
        i = free_doorbells.items[--free_doorbells.count];
    else if (next_doorbell < DOORBELLS)
        i = next_doorbell++;
    pthread_mutex_unlock(&slab_lock);
    if (i == NO_DOORBELL) return i;
    doorbell_put(i, UINT64_MAX);
    __atomic_store_n(&doorbell_queues[i], q, __ATOMIC_RELEASE);
    return i;
}
void doorbell_drop(uint32_t i) {
    __atomic_store_n(&doorbell_queues[i], NULL, __ATOMIC_RELEASE);
    pthread_mutex_lock(&slab_lock);
    if (!array_push(&free_doorbells, i)) {
        // it is not used again
    }
    pthread_mutex_unlock(&slab_lock);
}

// ---- Operations ----
// Programs pass handles that they may have read from memory which kernels write (hsa_queue_t): a handle that
// is no address of a slot changes nothing. The value of a doorbell is a hint: a store makes the queue look at
// its packets, and no other operation changes a doorbell.

static int64_t load(handle_t handle) {
    const struct signal *s = signal_ever(handle);
    return s ? signal_value(s) : 0;
}

static void store(handle_t handle, int64_t value, bool tell) {
    struct signal *s = signal_ever(handle);
    if (UNLIKELY(!s)) return;
    struct queue *q = __atomic_load_n(&s->queue, __ATOMIC_RELAXED);
    if (q) {
        doorbell_put(q->doorbell, (uint64_t)value);
        queue_kick(q);
        return;
    }
    slot_store(signal_index(s), value);
    if (tell) signal_changed(s);
}

static struct signal *changeable(handle_t handle) {
    struct signal *s = signal_ever(handle);
    return s && !__atomic_load_n(&s->queue, __ATOMIC_RELAXED) ? s : NULL;
}
static int64_t change(handle_t handle, enum change how, int64_t operand) {
    struct signal *s = changeable(handle);
    if (UNLIKELY(!s)) return 0;
    const int64_t before = slot_change(signal_index(s), how, operand);
    signal_changed(s);
    return before;
}
static int64_t replace(handle_t handle, int64_t expected, int64_t value) {
    struct signal *s = changeable(handle);
    if (s && slot_replace(signal_index(s), &expected, value)) signal_changed(s);
    return s ? expected : 0;
}

void signal_add(struct signal *s, int64_t by) {
    if (__atomic_load_n(&s->queue, __ATOMIC_RELAXED)) return;
    slot_change(signal_index(s), CHANGE_ADD, by);
    signal_changed(s);
}

// Times first: a thread that sees the new value may read them.
void signal_complete(struct signal *s, uint64_t start, uint64_t end) {
    slot_put_times(signal_index(s), start, end);
    signal_add(s, -1);
}

// All orders are served by the strongest that any of them asks for.
#define LOAD(order)                                                                                          \
    HSA(int64_t, hsa_signal_load_##order, handle_t s) { return load(s); }
LOAD(relaxed)
LOAD(acquire)
LOAD(scacquire)

#define STORE(name, tell)                                                                                    \
    HSA(void, hsa_signal_##name, handle_t s, int64_t value) { store(s, value, tell); }
STORE(store_relaxed, true)
STORE(store_release, true)
STORE(store_screlease, true)
STORE(silent_store_relaxed, false)
STORE(silent_store_screlease, false)

#define EXCHANGE(order)                                                                                      \
    HSA(int64_t, hsa_signal_exchange_##order, handle_t s, int64_t value) {                                   \
        return change(s, CHANGE_EXCHANGE, value);                                                            \
    }
#define CAS(order)                                                                                           \
    HSA(int64_t, hsa_signal_cas_##order, handle_t s, int64_t expected, int64_t value) {                      \
        return replace(s, expected, value);                                                                  \
    }
#define CHANGE(name, how, order)                                                                             \
    HSA(void, hsa_signal_##name##_##order, handle_t s, int64_t value) { change(s, CHANGE_##how, value); }
#define ORDERS(X, ...)                                                                                       \
    X(__VA_ARGS__ relaxed)                                                                                   \
    X(__VA_ARGS__ acquire)                                                                                   \
    X(__VA_ARGS__ release)                                                                                   \
    X(__VA_ARGS__ acq_rel)                                                                                   \
    X(__VA_ARGS__ scacquire)                                                                                 \
    X(__VA_ARGS__ screlease)                                                                                 \
    X(__VA_ARGS__ scacq_screl)
ORDERS(EXCHANGE)
ORDERS(CAS)
#define ADD(order)      CHANGE(add, ADD, order)
#define SUBTRACT(order) CHANGE(subtract, SUBTRACT, order)
#define AND(order)      CHANGE(and, AND, order)
#define OR(order)       CHANGE(or, OR, order)
#define XOR(order)      CHANGE(xor, XOR, order)
ORDERS(ADD)
ORDERS(SUBTRACT)
ORDERS(AND)
ORDERS(OR)
ORDERS(XOR)
