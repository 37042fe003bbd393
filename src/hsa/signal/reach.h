// SPDX-License-Identifier: MIT
// The runtime's memory within reach of kernels: signal slots, doorbells, queue blocks (amd_queue_t), rings.
//
// The rule: a kernel does not steer the runtime. The runtime acts on copies of its own (struct signal, struct
// queue). What stands in the memory below is output, or one of three inputs: a value that callers only
// compare or hand to the program, a hint that may be wrong, or a packet that is copied once and then checked.
// No pointer, handle, size or index is read back. The types are incomplete outside of reach.c.
#ifndef HSA_SIGNAL_REACH_H
#define HSA_SIGNAL_REACH_H

#include "hsa/service/abi.h"
#include "softwave/device.h"

enum { SIGNALS = 1 << 20, DOORBELLS = 8192, NO_DOORBELL = DOORBELLS };
struct amd_queue;
struct ring;

// The slabs are made once and stay: programs keep signals beyond hsa_shut_down.
bool reach_open(void);
bool reach_map(sw_device *device);
void reach_forget(void); // in a child process, which makes slabs of its own

// ---- Signal slots ----
handle_t slot_handle(uint32_t slot);
uint32_t slot_of(handle_t handle); // SIGNALS: not the address of a slot; any number may be asked for
void slot_set_up(uint32_t slot, int64_t value, bool has_event);
void slot_set_doorbell(uint32_t slot, uint32_t doorbell, bool is_legacy, const struct amd_queue *block);
void slot_clear(uint32_t slot);
enum change { CHANGE_EXCHANGE, CHANGE_ADD, CHANGE_SUBTRACT, CHANGE_AND, CHANGE_OR, CHANGE_XOR };
int64_t slot_value(uint32_t slot);
void slot_store(uint32_t slot, int64_t value);
int64_t slot_change(uint32_t slot, enum change change, int64_t operand); // the value before
bool slot_replace(uint32_t slot, int64_t *expected, int64_t value);      // compare and swap
volatile int64_t *slot_pointer(uint32_t slot);                           // for the program
void slot_put_times(uint32_t slot, uint64_t start, uint64_t end);
struct times slot_times(uint32_t slot);

// ---- Slots that processes share: each is alone in a page of a file ----
enum { SLOTS_A_PAGE = 64 };
bool slot_share(uint32_t slot, int file, uint64_t offset);
bool slot_unshare(uint32_t slot);
uint32_t *slot_shared_epoch(uint32_t slot); // futex word: only compared
void slot_count_waiter(uint32_t slot, int by);
bool slot_has_waiters(uint32_t slot);
void slot_expose(uint32_t slot);
bool slot_is_exposed(uint32_t slot);

// ---- Doorbells ----
void doorbell_put(uint32_t doorbell, uint64_t value);
uint64_t doorbell_hint(uint32_t doorbell);
uint64_t doorbell_address(uint32_t doorbell);

// ---- What kernels wrote: slots and doorbells in [address, last] ----
struct reached {
    uint32_t first, count;
};
struct reached reached_slots(uint64_t address, uint64_t last);
struct reached reached_doorbells(uint64_t address, uint64_t last);

// ---- Queues ----
struct queue_facts { // what clients and kernels may read of a queue
    uint32_t type, features, size, properties, max_cu_id, max_wave_id;
    uint64_t id;
    handle_t doorbell, inactive;
    bool has_apertures;
};
struct amd_queue *block_make(void); // NULL: no memory
void block_free(struct amd_queue *block);
void block_describe(struct amd_queue *block, const struct ring *ring, const struct queue_facts *facts);
void block_put_read_index(struct amd_queue *block, uint64_t index);
void block_put_properties(struct amd_queue *block, uint32_t properties);
uint64_t block_bytes(void);

struct ring *ring_make(uint32_t size); // all packets invalid; NULL: no memory
void ring_free(struct ring *ring, uint32_t size);
uint64_t ring_bytes(uint32_t size);
// Copies the packet at `index` once, its header first. False: there is none yet.
bool ring_take(const struct ring *ring, uint32_t size, uint64_t index, union packet *out);
bool ring_is_empty(const struct ring *ring, uint32_t size, uint64_t index);
void ring_release(struct ring *ring, uint32_t size, uint64_t index);

#endif
