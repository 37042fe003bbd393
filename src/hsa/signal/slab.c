// SPDX-License-Identifier: MIT
// The slab of signals: the runtime's state of each, at the index of its slot (reach.h). Which places are
// free, and which doorbells.
#include <pthread.h>
#include <sys/mman.h>

#include "base/array.h"
#include "hsa/signal/slab.h"

typedef ARRAY(uint32_t) free_list;
static struct {
    pthread_mutex_t lock;
    struct signal *signals;
    struct ringer *ringers[DOORBELLS]; // atomic
    uint32_t next, next_doorbell;      // never used before; `next` is atomic
    free_list free_places, free_doorbells, free_pages;
} slab = {.lock = PTHREAD_MUTEX_INITIALIZER};

uint32_t signal_index(const struct signal *s) { return (uint32_t)(s - slab.signals); }
struct signal *signal_at(uint32_t index) {
    return &slab.signals[index];
}
uint32_t signals_used(void) { return __atomic_load_n(&slab.next, __ATOMIC_RELAXED); }

bool slab_open(void) {
    if (slab.signals) return true;
    void *p = mmap(NULL, SIGNALS * sizeof *slab.signals, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED || !reach_open()) return false;
    slab.signals = p;
    return true;
}
status signals_map(struct agent *a) { return reach_map(a->device) ? ST_SUCCESS : ST_OUT_OF_RESOURCES; }
void slab_forget(void) {
    slab.signals = NULL;
    reach_forget();
    slab.next = slab.next_doorbell = 0;
    array_free(&slab.free_places);
    array_free(&slab.free_doorbells);
    array_free(&slab.free_pages);
    pthread_mutex_init(&slab.lock, NULL);
}

// ---- From a handle to a signal ----

struct signal *signal_ever(handle_t handle) {
    const uint32_t slot = slot_of(handle);
    return slot < SIGNALS ? &slab.signals[slot] : NULL;
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

// ---- Places ----

// Where there is no memory to note it, the place is not used again.
static void keep(free_list *list, uint32_t i) {
    pthread_mutex_lock(&slab.lock);
    (void)!array_push(list, i);
    pthread_mutex_unlock(&slab.lock);
}

uint32_t place_take(void) {
    pthread_mutex_lock(&slab.lock);
    uint32_t i = SIGNALS;
    if (slab.free_places.count)
        i = slab.free_places.items[--slab.free_places.count];
    else if (slab.next < SIGNALS)
        i = __atomic_fetch_add(&slab.next, 1, __ATOMIC_RELAXED);
    pthread_mutex_unlock(&slab.lock);
    return i;
}
void place_give_back(uint32_t i) {
    slot_clear(i);
    keep(&slab.free_places, i);
}

static uint32_t new_page(void) { // with the lock held
    const uint32_t i = (slab.next + SLOTS_A_PAGE - 1) / SLOTS_A_PAGE * SLOTS_A_PAGE;
    if (i + SLOTS_A_PAGE > SIGNALS) return SIGNALS;
    __atomic_store_n(&slab.next, i + SLOTS_A_PAGE, __ATOMIC_RELAXED);
    return i;
}
uint32_t page_take(void) {
    pthread_mutex_lock(&slab.lock);
    const uint32_t i = slab.free_pages.count ? slab.free_pages.items[--slab.free_pages.count] : new_page();
    pthread_mutex_unlock(&slab.lock);
    return i;
}
void page_give_back(uint32_t i) {
    if (!slot_unshare(i)) return;
    keep(&slab.free_pages, i);
}

// A thread that changed the signal which stood here before may still be about to tell of it: one wake too
// many.
struct signal *signal_set_up(uint32_t i, uint64_t attributes, struct ringer *r) {
    struct signal *s = &slab.signals[i];
    s->exposed = s->is_here = s->is_exported = false;
    const bool is_shared = (attributes & ATTRIBUTE_IPC) != 0;
    __atomic_store_n(&s->ipc, is_shared, __ATOMIC_RELAXED); // always the same for one index
    s->gpu_only = (attributes & ATTRIBUTE_GPU_ONLY) != 0;
    __atomic_store_n(&s->ringer, r, __ATOMIC_RELAXED);
    __atomic_store_n(&s->live, true, __ATOMIC_RELEASE);
    return s;
}

// ---- Doorbells ----

bool doorbell_make(struct ringer *r) {
    pthread_mutex_lock(&slab.lock);
    uint32_t i = NO_DOORBELL;
    if (slab.free_doorbells.count)
        i = slab.free_doorbells.items[--slab.free_doorbells.count];
    else if (slab.next_doorbell < DOORBELLS)
        i = slab.next_doorbell++;
    pthread_mutex_unlock(&slab.lock);
    r->doorbell = i;
    if (i == NO_DOORBELL) return false;
    doorbell_put(i, UINT64_MAX);
    __atomic_store_n(&slab.ringers[i], r, __ATOMIC_RELEASE);
    return true;
}
void doorbell_drop(struct ringer *r) {
    if (r->doorbell == NO_DOORBELL) return;
    __atomic_store_n(&slab.ringers[r->doorbell], NULL, __ATOMIC_RELEASE);
    keep(&slab.free_doorbells, r->doorbell);
    r->doorbell = NO_DOORBELL;
}
struct ringer *ringer_of(uint32_t doorbell) {
    return __atomic_load_n(&slab.ringers[doorbell], __ATOMIC_ACQUIRE);
}
