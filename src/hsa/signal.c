// SPDX-License-Identifier: MIT
// Signals: words that programs and kernels change, and that wake whoever waits (DISP-08, DISP-13). All lie in
// one slab, which devices watch, so that a kernel's store is heard of as a call's is. What the runtime keeps
// of each stands in a second slab, out of the kernels' reach. Doorbells have a slab of words of their own.
#include <limits.h>
#include <linux/futex.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "hsa/signal.h"

enum { SHARDS = 64, DOORBELLS = 8192 };

struct amd_signal *signals;
struct side *sides;
static uint64_t *doorbells;
static struct queue *doorbell_queues[DOORBELLS];
static uint64_t *mailbox;
static pthread_mutex_t shards[SHARDS], slab_lock = PTHREAD_MUTEX_INITIALIZER;
static uint32_t next_signal, next_doorbell;
static ARRAY(uint32_t) free_signals;
static ARRAY(uint32_t) free_doorbells;
static ARRAY(uint32_t) free_pages; // of signals that processes share
uint32_t any_epoch, any_waiters;

static pthread_mutex_t *shard_of(uint32_t signal) { return &shards[signal % SHARDS]; }

// ---- The slabs ----

static void *slab(size_t size) {
    void *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return p == MAP_FAILED ? NULL : p;
}

// The slabs are made once and stay: programs keep signals beyond hsa_shut_down.
status signals_open(void) {
    if (signals) return ST_SUCCESS;
    for (int i = 0; i < SHARDS; i++) pthread_mutex_init(&shards[i], NULL);
    signals = slab(SIGNALS * sizeof *signals);
    sides = slab(SIGNALS * sizeof *sides);
    doorbells = slab(DOORBELLS * sizeof *doorbells);
    mailbox = slab(PAGE);
    return signals && sides && doorbells && mailbox ? ST_SUCCESS : ST_OUT_OF_RESOURCES;
}

status signals_map(struct agent *a) {
    const unsigned watched = SW_READ | SW_WRITE | SW_WATCH;
    if (sw_device_map(a->device, signals, SIGNALS * sizeof *signals, watched) != SW_OK ||
        sw_device_map(a->device, doorbells, DOORBELLS * sizeof *doorbells, watched) != SW_OK ||
        sw_device_map(a->device, mailbox, PAGE, SW_READ | SW_WRITE) != SW_OK)
        return ST_OUT_OF_RESOURCES;
    return ST_SUCCESS;
}

void signals_forget(void) {
    signals = NULL; // a child of fork gets slabs of its own
    sides = NULL;
    doorbells = NULL;
    next_signal = next_doorbell = 0;
    array_free(&free_signals);
    array_free(&free_doorbells);
    array_free(&free_pages);
    any_waiters = 0;
    pthread_mutex_init(&slab_lock, NULL);
}

// ---- Signals of several processes ----
// Each stands alone in a page of a file without a name, which lies in the slab of whoever uses it. How others
// hear of what one process does to it: shared.c.

enum { IN_A_PAGE = PAGE / sizeof(struct amd_signal) };
static int shared_file = -1;
static pid_t shared_file_of;
static uint64_t shared_pages; // of the file

// An index whose page is nobody else's. SIGNALS: none left. Called with the slab's lock held.
static uint32_t take_page(void) {
    if (free_pages.count) return free_pages.items[--free_pages.count];
    const uint32_t i = (next_signal + IN_A_PAGE - 1) / IN_A_PAGE * IN_A_PAGE;
    if (i + IN_A_PAGE > SIGNALS) return SIGNALS;
    __atomic_store_n(&next_signal, i + IN_A_PAGE, __ATOMIC_RELAXED);
    return i;
}
static bool put_page(uint32_t i, int file, uint64_t offset) {
    return mmap(&signals[i], PAGE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, (off_t)offset) !=
           MAP_FAILED;
}
static void give_page_back(uint32_t i) {
    mmap(&signals[i], PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE,
         -1, 0);
    pthread_mutex_lock(&slab_lock);
    if (!array_push(&free_pages, i)) {
        // it is not used again
    }
    pthread_mutex_unlock(&slab_lock);
}

static void open_side(uint32_t i, uint64_t attributes) {
    // Whoever changed the one that stood here before may still be about to tell of it: that is one wake too
    // many.
    sides[i].exposed = false;
    const bool is_shared = (attributes & ATTRIBUTE_IPC) != 0;
    __atomic_store_n(&sides[i].ipc, is_shared, __ATOMIC_RELAXED); // always the same for one index
    sides[i].gpu_only = (attributes & ATTRIBUTE_GPU_ONLY) != 0;
    sides[i].queue = NULL;
    __atomic_store_n(&sides[i].live, true, __ATOMIC_RELEASE);
}

static handle_t make_shared(int64_t value) {
    pthread_mutex_lock(&slab_lock);
    if (shared_file < 0 || shared_file_of != getpid()) {
        shared_file = memfd_create("softwave-signals", MFD_CLOEXEC);
        shared_file_of = getpid();
        shared_pages = 0;
        if (shared_file >= 0 && ftruncate(shared_file, SIGNALS * (off_t)64))
            close(shared_file), shared_file = -1;
    }
    const uint32_t i = shared_file >= 0 && shared_pages < SIGNALS / IN_A_PAGE ? take_page() : SIGNALS;
    const uint64_t offset = shared_pages++ * PAGE;
    pthread_mutex_unlock(&slab_lock);
    if (i == SIGNALS) return 0;
    if (!put_page(i, shared_file, offset)) {
        give_page_back(i);
        return 0;
    }
    // Where it lies in the file stands in its page, behind it.
    signals[i] = (struct amd_signal){.kind = SIGNAL_USER, .value = value};
    *(uint64_t *)&signals[i + 1] = offset;
    open_side(i, ATTRIBUTE_IPC);
    return handle_of(&signals[i]);
}

bool signal_place(handle_t s, int *file, uint64_t *offset) {
    const struct side *side = signal_side(s);
    if (!side || !side->ipc || shared_file < 0) return false;
    *file = shared_file;
    *offset = *(const uint64_t *)(signal_of(s) + 1);
    return true;
}
handle_t signal_attach(int file, uint64_t offset) {
    pthread_mutex_lock(&slab_lock);
    const uint32_t i = take_page();
    pthread_mutex_unlock(&slab_lock);
    if (i == SIGNALS) return 0;
    if (!put_page(i, file, offset)) {
        give_page_back(i);
        return 0;
    }
    open_side(i, ATTRIBUTE_IPC);
    return handle_of(&signals[i]);
}

// ---- Making and dropping ----

handle_t signal_make(int64_t value, uint64_t attributes) {
    if (attributes & ATTRIBUTE_IPC) return make_shared(value);
    pthread_mutex_lock(&slab_lock);
    uint32_t i = SIGNALS;
    if (free_signals.count)
        i = free_signals.items[--free_signals.count];
    else if (next_signal < SIGNALS)
        i = __atomic_fetch_add(&next_signal, 1, __ATOMIC_RELAXED);
    pthread_mutex_unlock(&slab_lock);
    if (i == SIGNALS) return 0;
    struct amd_signal *s = &signals[i];
    *s = (struct amd_signal){.kind = SIGNAL_USER, .value = value};
    if (!(attributes & ATTRIBUTE_GPU_ONLY)) {
        s->mailbox = handle_of(mailbox); // kernels then send an interrupt, which tells of their store at once
        s->event_id = (i & 0xff) | 0x100;
    }
    open_side(i, attributes);
    return handle_of(s);
}

struct side *signal_side(handle_t s) {
    const uint64_t offset = s - handle_of(signals);
    if (!signals || offset >= SIGNALS * sizeof *signals || offset % sizeof *signals) return NULL;
    struct side *side = &sides[offset / sizeof *signals];
    return __atomic_load_n(&side->live, __ATOMIC_ACQUIRE) ? side : NULL;
}

void signal_drop(handle_t s) {
    const uint32_t i = signal_index(s);
    if (!__atomic_exchange_n(&sides[i].live, false, __ATOMIC_ACQ_REL)) return;
    handlers_drop(i);
    pthread_mutex_lock(shard_of(i)); // whoever still subscribes hears no more
    for (struct subscriber *x = sides[i].subscribers; x; x = x->next) x->linked = false;
    __atomic_store_n(&sides[i].subscribers, NULL, __ATOMIC_RELAXED);
    pthread_mutex_unlock(shard_of(i));
    if (sides[i].ipc) { // others may use it still
        shared_drop(i);
        give_page_back(i);
        return;
    }
    __atomic_store_n(&signals[i].kind, SIGNAL_NONE, __ATOMIC_RELAXED);
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
    *out = signal_make(value, attributes);
    return *out ? ST_SUCCESS : ST_OUT_OF_RESOURCES;
}
HSA(status, hsa_signal_create, int64_t value, uint32_t count, const handle_t *consumers, handle_t *out) {
    return hsa_amd_signal_create(value, count, consumers, 0, out);
}
HSA(status, hsa_signal_destroy, handle_t s) {
    NEED_RUNTIME;
    NEED(s, ST_INVALID_ARGUMENT);
    const struct side *side = signal_side(s);
    NEED(side && !side->queue, ST_INVALID_SIGNAL);
    signal_drop(s);
    return ST_SUCCESS;
}

static void wake(uint32_t *epoch, int how) {
    __atomic_add_fetch(epoch, 1, __ATOMIC_SEQ_CST);
    syscall(SYS_futex, epoch, how, INT_MAX, NULL, NULL, 0);
}

// The program may write the value unseen from now on: waits look for themselves.
HSA(status, hsa_amd_signal_value_pointer, handle_t s, volatile int64_t **out) {
    NEED_RUNTIME;
    NEED(out, ST_INVALID_ARGUMENT);
    struct side *side = signal_side(s);
    NEED(side && !side->queue, ST_INVALID_SIGNAL);
    __atomic_store_n(&side->exposed, true, __ATOMIC_RELEASE);
    wake(&side->epoch, FUTEX_WAKE_PRIVATE); // who waits already shall know
    if (side->ipc) {
        __atomic_store_n(&shared_wait_of(s)->is_exposed, 1, __ATOMIC_SEQ_CST);
        wake(&shared_wait_of(s)->epoch, FUTEX_WAKE);
    }
    if (__atomic_load_n(&side->subscribers, __ATOMIC_ACQUIRE)) packet_thread_watch(signal_index(s));
    *out = &signal_of(s)->value;
    return ST_SUCCESS;
}

// ---- Changes ----

static void poke(struct subscriber *s, ARRAY_OF_QUEUES *queues) {
    switch (s->kind) {
    case SUB_HANDLER: event_poke(s); break;
    case SUB_COPY: copy_poke(s); break;
    case SUB_QUEUE:
        if (queues->count < sizeof queues->items / sizeof *queues->items)
            queues->items[queues->count++] = s->owner;
        else
            packet_thread_kick(s->owner, 0);
        break;
    }
}

static void tell_here(handle_t handle) {
    const uint32_t i = signal_index(handle);
    struct side *side = &sides[i];
    if (__atomic_load_n(&side->waiters, __ATOMIC_RELAXED)) {
        wake(&side->epoch, FUTEX_WAKE_PRIVATE);
        if (__atomic_load_n(&any_waiters, __ATOMIC_RELAXED)) wake(&any_epoch, FUTEX_WAKE_PRIVATE);
    }
    if (!__atomic_load_n(&side->subscribers, __ATOMIC_RELAXED)) return;
    ARRAY_OF_QUEUES queues = {.count = 0};
    pthread_mutex_lock(shard_of(i));
    for (struct subscriber *s = side->subscribers; s; s = s->next) poke(s, &queues);
    pthread_mutex_unlock(shard_of(i));
    for (unsigned q = 0; q < queues.count; q++) queue_poke(queues.items[q]);
}

void signal_changed(handle_t handle) {
    __atomic_thread_fence(__ATOMIC_SEQ_CST); // the change is there before we look who waits for it
    if (UNLIKELY(__atomic_load_n(&sides[signal_index(handle)].ipc, __ATOMIC_RELAXED)) &&
        __atomic_load_n(&shared_wait_of(handle)->waiters, __ATOMIC_RELAXED))
        wake(&shared_wait_of(handle)->epoch, FUTEX_WAKE);
    tell_here(handle);
}
// Also that its value is exposed now comes as a change.
void signal_changed_elsewhere(handle_t handle) {
    const struct side *side = &sides[signal_index(handle)];
    if (is_exposed(handle) && __atomic_load_n(&side->subscribers, __ATOMIC_ACQUIRE))
        packet_thread_watch(signal_index(handle));
    tell_here(handle);
}

void subscribe(struct subscriber *s, handle_t signal) {
    const uint32_t i = signal_index(signal);
    bool listen = false;
    pthread_mutex_lock(shard_of(i));
    if (!s->linked) {
        listen = __atomic_load_n(&sides[i].ipc, __ATOMIC_RELAXED);
        if (s->signal != i) s->signal = i;
        s->next = sides[i].subscribers;
        s->linked = true;
        __atomic_store_n(&sides[i].subscribers, s, __ATOMIC_RELAXED);
    }
    pthread_mutex_unlock(shard_of(i));
    __atomic_thread_fence(__ATOMIC_SEQ_CST); // before the value is read
    if ((listen && !shared_watch(i)) || is_exposed(signal)) packet_thread_watch(i);
}

void unsubscribe(struct subscriber *s) {
    pthread_mutex_lock(shard_of(s->signal));
    const bool listened = s->linked && __atomic_load_n(&sides[s->signal].ipc, __ATOMIC_RELAXED);
    if (s->linked) {
        struct subscriber **at = &sides[s->signal].subscribers;
        while (*at != s) at = &(*at)->next;
        __atomic_store_n(at, s->next, __ATOMIC_RELAXED);
        s->linked = false;
    }
    pthread_mutex_unlock(shard_of(s->signal));
    if (listened) shared_unwatch(s->signal);
}

// ---- What kernels write ----

static void written_signals(uint64_t address, uint64_t last) {
    const uint64_t base = handle_of(signals), end = base + SIGNALS * sizeof *signals - 1;
    if (last < base || address > end) return;
    const uint64_t from = address < base ? 0 : (address - base) / sizeof *signals;
    uint64_t to = last > end ? SIGNALS - 1 : (last - base) / sizeof *signals;
    const uint32_t used = __atomic_load_n(&next_signal, __ATOMIC_RELAXED);
    if (to >= used) to = used ? used - 1 : 0;
    for (uint64_t i = from; i <= to; i++)
        if (__atomic_load_n(&sides[i].live, __ATOMIC_RELAXED)) signal_changed(handle_of(&signals[i]));
}
static void written_doorbells(uint64_t address, uint64_t last) {
    const uint64_t base = handle_of(doorbells), end = base + DOORBELLS * sizeof *doorbells - 1;
    if (last < base || address > end) return;
    const uint64_t from = address < base ? 0 : (address - base) / sizeof *doorbells;
    uint64_t to = last > end ? DOORBELLS - 1 : (last - base) / sizeof *doorbells;
    for (uint64_t i = from; i <= to; i++) {
        struct queue *q = __atomic_load_n(&doorbell_queues[i], __ATOMIC_ACQUIRE);
        if (q) queue_poke(q);
    }
}

void signals_written(void *agent, uint64_t address, uint64_t last) {
    context = IN_WAVE;
    context_agent = agent;
    written_signals(address, last);
    written_doorbells(address, last);
    context = IN_HOST;
}

uint64_t *doorbell_make(struct queue *q) {
    pthread_mutex_lock(&slab_lock);
    uint32_t i = DOORBELLS;
    if (free_doorbells.count)
        i = free_doorbells.items[--free_doorbells.count];
    else if (next_doorbell < DOORBELLS)
        i = next_doorbell++;
    pthread_mutex_unlock(&slab_lock);
    if (i == DOORBELLS) return NULL;
    doorbells[i] = UINT64_MAX;
    __atomic_store_n(&doorbell_queues[i], q, __ATOMIC_RELEASE);
    return &doorbells[i];
}
void doorbell_drop(uint64_t *doorbell) {
    const uint32_t i = (uint32_t)(doorbell - doorbells);
    __atomic_store_n(&doorbell_queues[i], NULL, __ATOMIC_RELEASE);
    pthread_mutex_lock(&slab_lock);
    if (!array_push(&free_doorbells, i)) {
        // it is not used again
    }
    pthread_mutex_unlock(&slab_lock);
}

// ---- Operations ----
// A doorbell's value is a hint: a store makes the queue look at its packets.

static bool is_doorbell(const struct amd_signal *s) {
    return __atomic_load_n(&s->kind, __ATOMIC_RELAXED) < 0;
}

static void store(handle_t handle, int64_t value, bool tell) {
    struct amd_signal *s = signal_of(handle);
    if (UNLIKELY(is_doorbell(s))) {
        __atomic_store_n(s->doorbell, (uint64_t)value, __ATOMIC_RELEASE);
        struct queue *q = sides[signal_index(handle)].queue;
        if (q) queue_kick(q);
        return;
    }
    __atomic_store_n(&s->value, value, __ATOMIC_RELEASE);
    if (tell) signal_changed(handle);
}
void signal_add(handle_t handle, int64_t by) {
    __atomic_add_fetch(&signal_of(handle)->value, by, __ATOMIC_ACQ_REL);
    signal_changed(handle);
}

// All orders are served by the strongest that any of them asks for.
#define LOAD(order)                                                                                          \
    HSA(int64_t, hsa_signal_load_##order, handle_t s) { return signal_value(s); }
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
        const int64_t before = __atomic_exchange_n(&signal_of(s)->value, value, __ATOMIC_SEQ_CST);           \
        signal_changed(s);                                                                                   \
        return before;                                                                                       \
    }
#define CAS(order)                                                                                           \
    HSA(int64_t, hsa_signal_cas_##order, handle_t s, int64_t expected, int64_t value) {                      \
        if (__atomic_compare_exchange_n(&signal_of(s)->value, &expected, value, false, __ATOMIC_SEQ_CST,     \
                                        __ATOMIC_SEQ_CST))                                                   \
            signal_changed(s);                                                                               \
        return expected;                                                                                     \
    }
#define CHANGE(name, operation, order)                                                                       \
    HSA(void, hsa_signal_##name##_##order, handle_t s, int64_t value) {                                      \
        __atomic_##operation##_fetch(&signal_of(s)->value, value, __ATOMIC_SEQ_CST);                         \
        signal_changed(s);                                                                                   \
    }
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
#define ADD(order)      CHANGE(add, add, order)
#define SUBTRACT(order) CHANGE(subtract, sub, order)
#define AND(order)      CHANGE(and, and, order)
#define OR(order)       CHANGE(or, or, order)
#define XOR(order)      CHANGE(xor, xor, order)
ORDERS(ADD)
ORDERS(SUBTRACT)
ORDERS(AND)
ORDERS(OR)
ORDERS(XOR)
