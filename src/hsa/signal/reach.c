// SPDX-License-Identifier: MIT
// The only file that reads or writes memory of the runtime which kernels can write (see reach.h). doc/hsa.md
// has the table of fields.
#include <string.h>
#include <sys/mman.h>

#include "hsa/memory/memory.h"
#include "hsa/signal/reach.h"
#include "hsa/signal/reach_layout.h"

static struct amd_signal *slots;
static uint64_t *doorbells, *mailbox; // nothing reads the mailbox

static void *slab(size_t size) {
    void *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return p == MAP_FAILED ? NULL : p;
}

bool reach_open(void) {
    if (!slots) slots = slab(SIGNALS * sizeof *slots);
    if (!doorbells) doorbells = slab(DOORBELLS * sizeof *doorbells);
    if (!mailbox) mailbox = slab(PAGE);
    return slots && doorbells && mailbox;
}

bool reach_map(sw_device *device) {
    const unsigned watched = SW_RIGHT_READ | SW_RIGHT_WRITE | SW_RIGHT_STAYS | SW_RIGHT_WATCH;
    return sw_device_map(device, slots, SIGNALS * sizeof *slots, watched) == SW_OK &&
           sw_device_map(device, doorbells, DOORBELLS * sizeof *doorbells, watched) == SW_OK &&
           sw_device_map(device, mailbox, PAGE, SW_RIGHT_READ | SW_RIGHT_WRITE | SW_RIGHT_STAYS) == SW_OK;
}

void reach_forget(void) {
    slots = NULL;
    doorbells = mailbox = NULL;
}

// ---- Signal slots ----

handle_t slot_handle(uint32_t slot) { return handle_of(&slots[slot]); }

uint32_t slot_of(handle_t handle) {
    const uint64_t offset = handle - handle_of(slots);
    if (!slots || offset >= SIGNALS * sizeof *slots || offset % sizeof *slots) return SIGNALS;
    return (uint32_t)(offset / sizeof *slots);
}

// `has_event`: kernels that change the value send an interrupt, so the runtime hears of it at once.
void slot_set_up(uint32_t slot, int64_t value, bool has_event) {
    slots[slot] = (struct amd_signal){.kind = SIGNAL_USER,
                                      .value = value,
                                      .mailbox = has_event ? handle_of(mailbox) : 0,
                                      .event_id = has_event ? (slot & 0xff) | 0x100 : 0};
}

void slot_set_doorbell(uint32_t slot, uint32_t doorbell, bool is_legacy, const struct amd_queue *block) {
    slots[slot] = (struct amd_signal){.kind = is_legacy ? SIGNAL_LEGACY_DOORBELL : SIGNAL_DOORBELL,
                                      .doorbell = &doorbells[doorbell],
                                      .queue = handle_of(block)};
}

void slot_clear(uint32_t slot) { __atomic_store_n(&slots[slot].kind, SIGNAL_NONE, __ATOMIC_RELAXED); }

int64_t slot_value(uint32_t slot) { return __atomic_load_n(&slots[slot].value, __ATOMIC_ACQUIRE); }
void slot_store(uint32_t slot, int64_t value) {
    __atomic_store_n(&slots[slot].value, value, __ATOMIC_RELEASE);
}

int64_t slot_change(uint32_t slot, enum change change, int64_t operand) {
    int64_t *at = &slots[slot].value;
    switch (change) {
    case CHANGE_EXCHANGE: return __atomic_exchange_n(at, operand, __ATOMIC_SEQ_CST);
    case CHANGE_ADD: return __atomic_fetch_add(at, operand, __ATOMIC_SEQ_CST);
    case CHANGE_SUBTRACT: return __atomic_fetch_sub(at, operand, __ATOMIC_SEQ_CST);
    case CHANGE_AND: return __atomic_fetch_and(at, operand, __ATOMIC_SEQ_CST);
    case CHANGE_OR: return __atomic_fetch_or(at, operand, __ATOMIC_SEQ_CST);
    case CHANGE_XOR: return __atomic_fetch_xor(at, operand, __ATOMIC_SEQ_CST);
    }
    return 0;
}

bool slot_replace(uint32_t slot, int64_t *expected, int64_t value) {
    return __atomic_compare_exchange_n(&slots[slot].value, expected, value, false, __ATOMIC_SEQ_CST,
                                       __ATOMIC_SEQ_CST);
}

volatile int64_t *slot_pointer(uint32_t slot) { return &slots[slot].value; }

// Of several packets with one signal, the last that ends leaves its times.
void slot_put_times(uint32_t slot, uint64_t start, uint64_t end) {
    __atomic_store_n(&slots[slot].start_ts, start, __ATOMIC_RELAXED);
    __atomic_store_n(&slots[slot].end_ts, end, __ATOMIC_RELAXED);
}
struct times slot_times(uint32_t slot) {
    return (struct times){__atomic_load_n(&slots[slot].start_ts, __ATOMIC_RELAXED),
                          __atomic_load_n(&slots[slot].end_ts, __ATOMIC_RELAXED)};
}

// ---- Slots that processes share ----

_Static_assert(SLOTS_A_PAGE * sizeof(struct amd_signal) == PAGE, "a page of slots");

bool slot_share(uint32_t slot, int file, uint64_t offset) {
    return mmap(&slots[slot], PAGE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, (off_t)offset) !=
           MAP_FAILED;
}
bool slot_unshare(uint32_t slot) {
    return mmap(&slots[slot], PAGE, PROT_READ | PROT_WRITE,
                MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE, -1, 0) != MAP_FAILED;
}

static struct shared_wait *shared_wait(uint32_t slot) { return (struct shared_wait *)&slots[slot + 2]; }
uint32_t *slot_shared_epoch(uint32_t slot) { return &shared_wait(slot)->epoch; }
void slot_count_waiter(uint32_t slot, int by) {
    __atomic_add_fetch(&shared_wait(slot)->waiters, (uint32_t)by, __ATOMIC_SEQ_CST);
}
bool slot_has_waiters(uint32_t slot) {
    return __atomic_load_n(&shared_wait(slot)->waiters, __ATOMIC_RELAXED) != 0;
}
void slot_expose(uint32_t slot) { __atomic_store_n(&shared_wait(slot)->is_exposed, 1, __ATOMIC_SEQ_CST); }
bool slot_is_exposed(uint32_t slot) {
    return __atomic_load_n(&shared_wait(slot)->is_exposed, __ATOMIC_ACQUIRE) != 0;
}

// ---- Doorbells ----

void doorbell_put(uint32_t doorbell, uint64_t value) {
    __atomic_store_n(&doorbells[doorbell], value, __ATOMIC_RELEASE);
}
uint64_t doorbell_hint(uint32_t doorbell) { return __atomic_load_n(&doorbells[doorbell], __ATOMIC_ACQUIRE); }
uint64_t doorbell_address(uint32_t doorbell) { return handle_of(&doorbells[doorbell]); }

// ---- What kernels wrote ----

static struct reached reached(uint64_t base, uint64_t item, uint64_t items, uint64_t address, uint64_t last) {
    const uint64_t end = base + item * items - 1;
    if (last < base || address > end) return (struct reached){0};
    const uint64_t from = address < base ? 0 : (address - base) / item;
    const uint64_t to = last > end ? items - 1 : (last - base) / item;
    return (struct reached){(uint32_t)from, (uint32_t)(to - from + 1)};
}
struct reached reached_slots(uint64_t address, uint64_t last) {
    return reached(handle_of(slots), sizeof *slots, SIGNALS, address, last);
}
struct reached reached_doorbells(uint64_t address, uint64_t last) {
    return reached(handle_of(doorbells), sizeof *doorbells, DOORBELLS, address, last);
}

// ---- Queue blocks ----

uint64_t block_bytes(void) { return sizeof(struct amd_queue); }
struct amd_queue *block_make(void) {
    return own_memory(sizeof(struct amd_queue));
}
void block_free(struct amd_queue *block) { own_memory_free(block, sizeof *block); }

void block_describe(struct amd_queue *block, const struct ring *ring, const struct queue_facts *facts) {
    *block = (struct amd_queue){.hsa = {.type = facts->type,
                                        .features = facts->features,
                                        .base = (void *)(uintptr_t)handle_of(ring),
                                        .doorbell = facts->doorbell,
                                        .size = facts->size,
                                        .id = facts->id},
                                .read_index_offset = offsetof(struct amd_queue, read_index),
                                .properties = facts->properties,
                                .max_cu_id = facts->max_cu_id,
                                .max_wave_id = facts->max_wave_id,
                                .inactive_signal = facts->inactive};
    if (!facts->has_apertures) return;
    block->group_aperture_hi = (uint32_t)(SW_SHARED_APERTURE >> 32);
    block->private_aperture_hi = (uint32_t)(SW_PRIVATE_APERTURE >> 32);
}
void block_put_read_index(struct amd_queue *block, uint64_t index) {
    __atomic_store_n(&block->read_index, index, __ATOMIC_RELEASE);
}
void block_put_properties(struct amd_queue *block, uint32_t properties) {
    __atomic_store_n(&block->properties, properties, __ATOMIC_RELAXED);
}

// ---- Rings ----

uint64_t ring_bytes(uint32_t size) { return size * (uint64_t)sizeof(union packet); }

struct ring *ring_make(uint32_t size) {
    union packet *slot = own_memory(ring_bytes(size));
    for (uint32_t i = 0; slot && i < size; i++) slot[i].header = PACKET_INVALID;
    return (struct ring *)slot;
}
void ring_free(struct ring *ring, uint32_t size) { own_memory_free(ring, ring_bytes(size)); }

static union packet *slot_at(const struct ring *ring, uint32_t size, uint64_t index) {
    return (union packet *)(uintptr_t)handle_of(ring) + (index & (size - 1));
}
static uint16_t header_at(const union packet *slot) {
    return __atomic_load_n(&slot->header, __ATOMIC_ACQUIRE);
}
static bool is_invalid(uint16_t header) { return (header & 0xff) == PACKET_INVALID; }

bool ring_is_empty(const struct ring *ring, uint32_t size, uint64_t index) {
    return is_invalid(header_at(slot_at(ring, size, index)));
}

bool ring_take(const struct ring *ring, uint32_t size, uint64_t index, union packet *out) {
    const union packet *slot = slot_at(ring, size, index);
    const uint16_t header = header_at(slot);
    if (is_invalid(header)) return false;
    for (int i = 0; i < 8; i++) out->words[i] = __atomic_load_n(&slot->words[i], __ATOMIC_RELAXED);
    out->header = header; // the one that was checked
    return true;
}

void ring_release(struct ring *ring, uint32_t size, uint64_t index) {
    __atomic_store_n(&slot_at(ring, size, index)->header, PACKET_INVALID, __ATOMIC_RELEASE);
}

// ---- Indices, which lie in the block itself; the program passes its address ----

#define BLOCK(q) ((struct amd_queue *)(uintptr_t)(q))
#define LOAD(i, order)                                                                                       \
    HSA(uint64_t, hsa_queue_load_##i##_index_##order, const struct aql_queue *q) {                           \
        return __atomic_load_n(&BLOCK(q)->i##_index, __ATOMIC_ACQUIRE);                                      \
    }
#define STORE(i, order)                                                                                      \
    HSA(void, hsa_queue_store_##i##_index_##order, const struct aql_queue *q, uint64_t value) {              \
        __atomic_store_n(&BLOCK(q)->i##_index, value, __ATOMIC_RELEASE);                                     \
    }
#define CAS(order)                                                                                           \
    HSA(uint64_t, hsa_queue_cas_write_index_##order, const struct aql_queue *q, uint64_t expected,           \
        uint64_t value) {                                                                                    \
        __atomic_compare_exchange_n(&BLOCK(q)->write_index, &expected, value, false, __ATOMIC_SEQ_CST,       \
                                    __ATOMIC_SEQ_CST);                                                       \
        return expected;                                                                                     \
    }
#define ADD(order)                                                                                           \
    HSA(uint64_t, hsa_queue_add_write_index_##order, const struct aql_queue *q, uint64_t value) {            \
        return __atomic_fetch_add(&BLOCK(q)->write_index, value, __ATOMIC_SEQ_CST);                          \
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
