// SPDX-License-Identifier: MIT
// The runtime as its own files see it. Locks, outermost first: executables, map, queue (one each), a shard of
// the signals, device. Client code is called with none of them held. Agents, pools and ISAs never change
// after hsa_init and are read without locks.
#ifndef HSA_HSA_H
#define HSA_HSA_H

#include <pthread.h>

#include "base/array.h"
#include "base/clock.h" // all timestamps are monotonic_ns
#include "hsa/abi.h"
#include "hsa/reach.h"
#include "softwave/device.h"

enum { MAX_GPUS = 32, PAGE = 4096, CU_MASK_WORDS = 16 };
enum { SCRATCH_BYTES = 262128 }; // of a lane, at most

// ---- Agents (agent.c, isa.c) ----
struct product {
    uint32_t chip, cus, mhz, engines, arrays, xccs;
    uint32_t l1_kib, l2_kib, l3_kib;
    uint32_t gib, bus_bits, memory_mhz;
};

struct isa {
    struct isa *next;
    sw_target target; // processor NULL: of the CPU
    char name[80];
    uint32_t wave_sizes[2], wave_count; // also what wavefront handles point to
};

struct pool {
    struct agent *agent;
    enum segment segment;
    uint32_t flags;
    uint64_t size;
    uint64_t used; // atomic
};
struct cache {
    uint32_t level, bytes;
    char name[24];
};

struct agent {
    bool is_gpu;
    unsigned index, gpu; // among all, and among GPUs
    char name[64], vendor[64], product_name[64], uuid[24];
    struct product product;
    sw_target target;
    sw_processor_info info;
    struct isa *isa;
    sw_device *device;
    struct pool pools[3];
    unsigned pool_count;
    struct cache caches[4];
    unsigned cache_count;
    bool is_masked; // by HSA_CU_MASK
    uint32_t cu_mask[CU_MASK_WORDS];
    uint64_t scratch_limit;    // bytes; atomic; kept, as scratch memory is never held back
    struct queue *cooperative; // shared by all who ask for one
    unsigned cooperative_users;
};

// ---- The runtime ----
struct runtime {
    unsigned users;
    bool down; // no call comes in any more
    struct agent cpu;
    struct agent gpus[MAX_GPUS];
    unsigned gpu_count;
    bool xnack; // every GPU has it on
    bool fault_message;
    bool exact_bounds; // nothing around device memory can be read
    double timeout;    // seconds for each dispatch; 0: none
    uint64_t memory_limit;
};
extern struct runtime *runtime; // NULL: not initialised; atomic

static inline struct runtime *running(void) { return __atomic_load_n(&runtime, __ATOMIC_ACQUIRE); }
// What begins a function of the interface is told of where somebody wants to know (trace.c); and so is, in
// any function, why a call is refused.
struct api_call {
    const char *name;
    uint64_t begin;
};
extern bool api_is_told;
void api_tell(const struct api_call *call);
void api_tell_refusal(const char *function, const char *need, status s);
static inline void api_end(const struct api_call *call) {
    if (__builtin_expect(call->begin != 0, 0)) api_tell(call);
}
static inline status api_refuse(const char *function, const char *need, status s) {
    if (__builtin_expect(api_is_told, 0) && s != ST_SUCCESS) api_tell_refusal(function, need, s);
    return s;
}
#define API_CALL                                                                                             \
    const struct api_call api_call_ __attribute__((cleanup(api_end), unused)) = {                            \
        __func__, __builtin_expect(api_is_told, 0) ? monotonic_ns() : 0}
#define NEED_RUNTIME                                                                                         \
    API_CALL;                                                                                                \
    if (!running()) return ST_NOT_INITIALIZED
#define NEED(condition, status)                                                                              \
    if (!(condition)) return api_refuse(__func__, #condition, status)

static inline handle_t handle_of(const void *p) { return (handle_t)(uintptr_t)p; }
// NULL: no such agent; `agent_gpu` also refuses the CPU.
struct agent *agent_of(handle_t handle);
struct agent *agent_gpu(handle_t handle);
struct agent *agent_at(unsigned i); // 0: the CPU, then GPUs; NULL behind the last
struct pool *pool_of(handle_t handle);
struct isa *isa_of_handle(handle_t handle);
struct isa *isa_of_target(const sw_target *target);
void isas_forget(void);
status gpus_open(struct runtime *r, const char *list);
// A number of the environment, if it is set. False: it is none, which was complained of.
bool setting(const char *name, uint64_t *out);
void gpus_close(struct runtime *r);
void agent_describe(struct agent *a);
uint64_t host_memory(void);
// A message on standard error, one line, "softwave: " before it.
void complain(const char *format, ...) __attribute__((format(printf, 1, 2)));
// Starts a thread without signals of the program, named softwave/NAME.
bool thread_start(pthread_t *thread, const char *name, void *(*main)(void *), void *argument);

// ---- Memory (map.c, memory.c, lock.c) ----
// Where the pools' memory lies, and the runtime's own that kernels may touch.
#if defined(__SANITIZE_THREAD__)
#define ARENA_BASE 0x001000000000ull
#define ARENA_END  0x003f00000000ull
#else
#define ARENA_BASE 0x300000000000ull
#define ARENA_END  0x500000000000ull
#endif
// Agents see locked host memory at its address with this bit, which no user address has.
#define AGENT_BIT (1ull << 47)
static inline void *host_pointer(const void *p) {
    return (void *)(uintptr_t)((uint64_t)(uintptr_t)p & ~AGENT_BIT);
}
struct callback {
    void (*call)(void *p, void *data);
    void *data;
};
struct allocation {
    uint64_t base, size, room; // room: whole pages
    uint64_t mapped, mapped_size;
    struct pool *pool;
    struct block *block; // that it is a part of; NULL: none
    uint32_t access;     // GPUs that may touch it
    bool is_ipc, shared;
    uint64_t offset; // in the pools' file, when shared
    int file;
    void *user_data;
    ARRAY(struct callback) callbacks;
};
struct locked {
    uint64_t host, size; // as asked for
    uint32_t access;
    unsigned count;
    struct pool *pool;
    void *user_data;
};
uint32_t gpu_bit(const struct agent *a);
uint32_t all_gpus(void);
status memory_take(struct pool *pool, uint64_t size, uint32_t access, void **out);
status memory_give_back(void *p);
// Rights of the GPUs `access` on [lo, hi), none for others: of memory that the runtime alone unmaps, once it
// has taken them away.
status rights_set(uint64_t lo, uint64_t hi, uint32_t access, unsigned rights);
void vmem_close(void);
void vmem_forget(void);
void memory_close(void);
void memory_forget(void); // in a child process
// Memory of the runtime's own that kernels may read or write.
void *own_memory(uint64_t size);
void own_memory_free(void *p, uint64_t size);
// True if the address is beside the allocations: kernels may read there, but nothing is there (map.c).
bool memory_is_rest(uint64_t address);
// True if the host can read, or write, all of [p, p + size) (bounds.c).
bool host_may_access(const void *p, uint64_t size, bool write);
void bounds_close(void);
bool memory_changed_code(uint64_t lo, uint64_t size);
bool memory_holds_code(uint64_t lo, uint64_t size); // of a loaded code object

// ---- Signals (signal.c, wait.c, events.c) ----
enum subscriber_kind { SUB_QUEUE, SUB_HANDLER, SUB_COPY };
struct subscriber {
    struct subscriber *next;
    enum subscriber_kind kind;
    struct signal *signal;
    bool linked; // in the signal's list; under its shard's lock
    void *owner; // struct queue, struct handler, struct copy
};
// The runtime's state of a signal, out of reach of kernels. Its index in the slab is that of the slot which
// kernels see (reach.h).
struct signal {
    uint32_t epoch;   // futex: counts changes that a thread waited for
    uint32_t waiters; // atomic
    bool live, exposed, gpu_only, ipc;
    bool is_here;        // ipc: its page lies in this process's file, at `offset`
    bool is_exported;    // ipc: another process may have it
    struct queue *queue; // of a doorbell; atomic
    uint64_t offset;
    struct subscriber *subscribers;
};
status signals_open(void);
status signals_map(struct agent *a);
void signals_forget(void);
void signal_groups_forget(void);
void shared_close(void);
void shared_forget(void);
struct signal *signal_make(int64_t value, uint64_t attributes); // NULL: none left
struct signal *signal_make_doorbell(struct queue *q, bool is_legacy);
void signal_drop(struct signal *s);
// A signal of several processes: its place in this process's file, and the signal at a place of another file.
bool signal_place(handle_t handle, int *file, uint64_t *offset);
struct signal *signal_attach(int file, uint64_t offset);
// The only ways from a number to a signal; any number may be asked for. NULL: no signal that lives.
struct signal *signal_of(handle_t handle);
struct signal *signal_ever(handle_t handle); // also one that was destroyed; NULL: no address of a slot
uint32_t signal_index(const struct signal *s);
static inline handle_t signal_handle(const struct signal *s) { return slot_handle(signal_index(s)); }
static inline int64_t signal_value(const struct signal *s) { return slot_value(signal_index(s)); }
// The signals that an array of handles names. The array may change meanwhile; it is read once.
struct signal_list {
    struct signal *few[8], **items; // NULL: no signal (handle 0)
    uint32_t count;
};
status signals_take(struct signal_list *list, uint32_t count, const handle_t *handles);
void signals_let_go(struct signal_list *list);
// The value was changed: waiting threads wake, subscribers are told.
void signal_changed(struct signal *s);
void signal_add(struct signal *s, int64_t by);
// Decrements the value; its readers find the times.
void signal_complete(struct signal *s, uint64_t start, uint64_t end);
bool condition_holds(uint32_t condition, int64_t value, int64_t compare);
// Subscribes unless linked already. The owner is told of every change from now on.
void subscribe(struct subscriber *s, struct signal *signal);
void unsubscribe(struct subscriber *s);
// Kernels of this agent may have written the signals or doorbells in [address, last].
void signals_written(void *agent, uint64_t address, uint64_t last);
uint32_t doorbell_make(struct queue *q); // NO_DOORBELL: none left
void doorbell_drop(uint32_t doorbell);

// What a worker of a device does just now, which limits what may be done for others.
enum context { IN_HOST, IN_DONE, IN_WAVE };
extern _Thread_local enum context context;
extern _Thread_local struct agent *context_agent;

// Events: one thread that calls client code (events.c).
void event_poke(struct subscriber *s); // its handler is looked at
void event_queue_error(struct queue *q);
void event_queue_gone(const struct queue *q); // its callback is not called any more
void event_memory_fault(struct agent *a, uint64_t address, uint32_t reasons);
void handlers_drop(const struct signal *s);
void events_close(void);
void events_forget(void);

// ---- Queues (queue.c, packet.c, launch.c) ----
struct record {                  // a dispatch
    struct record *next, **link; // of the queue's running ones
    struct record *next_done;
    struct queue *queue;
    union packet packet; // what the runtime acts on
    union packet *shown; // a copy, which kernels may read
    sw_job *job;
    struct loaded *loaded;
    uint64_t number; // of the packet in its queue
    bool over;       // atomic
    uint64_t begin;  // when it was submitted, if that is to be shown
};
struct queue {
    struct amd_queue *block; // what clients and kernels see; NULL: not in use
    struct ring *ring;
    // What the block says, as the runtime believes it.
    uint32_t size, properties;
    uint64_t read_index, id;
    struct signal *bell, *inactive;
    uint32_t doorbell;
    // The packet at read_index, once it was taken out of the ring.
    bool has_packet;
    union packet packet;
    struct queue *next_free;
    struct agent *agent;
    void (*callback)(status, struct aql_queue *, void *);
    void *data;
    uint32_t busy;      // atomic: somebody runs it
    uint32_t again;     // atomic: and shall look again
    uint32_t in_flight; // atomic
    uint64_t max_waves;
    struct record *running, *free;
    struct record *done;                  // atomic stack
    uint32_t done_count;                  // atomic
    bool suspended, stopping, told, soft; // atomic where threads meet
    status error;
    struct subscriber deps[5];
    bool deps_linked;
    unsigned priority;
    bool is_masked; // by cu_mask; under `busy`
    uint32_t cu_mask[CU_MASK_WORDS];
    uint64_t looked;          // the last delay before looking at an invalid slot again, ns; 0: none
    ARRAY(void *) pages;      // of packet copies
    bool is_noted;            // atomic: on some thread's list of queues to run
    struct queue *next_noted; // on that list
};
struct queue *queue_of(const struct aql_queue *q);
struct aql_queue *queue_handle(const struct queue *q);
// Runs the queue here if this thread may, else in the packet thread. Where this thread runs queues already,
// it runs this one after them: queues that wake each other need no stack.
void queue_kick(struct queue *q);
// The two halves of it: notes the queue, under any lock; runs what was noted, under none.
void queue_note(struct queue *q);
void queues_run_noted(void);
void queue_run_packets(struct queue *q);             // packet.c; by whoever holds it
const char *pm4_refusal(const union packet *p);      // pm4.c; NULL: it only maintains caches
bool launch(struct queue *q, const union packet *p); // launch.c; false: not now
// The packet leaves the ring: before it completes, so that whoever sees the completion sees that, too.
void packet_leave(struct queue *q);
void launches_reap(struct queue *q);
void queue_fail(struct queue *q, status error);
void queues_forget(void);
void queues_close(void);
void queues_reap(struct agent *a); // all that has ended
// Tells of dispatches that were submitted and are not reaped. False: queues that somebody runs just now were
// left out.
bool queues_show_running(void (*tell)(void *argument, struct record *r), void *argument);
void packet_thread_kick(struct queue *q, uint64_t delay_ns);
// Somebody subscribed to a signal that is written unseen: the thread looks at it for them.
void packet_thread_watch(struct signal *s);

// ---- Copies (copy.c) ----
void copy_poke(struct subscriber *s);
void copies_close(void);
void copies_forget(void);

// ---- Executables (reader.c, executable.c, symbol.c) ----
struct symbol {
    char *name;
    bool is_kernel, is_const, is_dynamic, is_definition;
    struct loaded *loaded; // NULL: a program's variable
    uint64_t address, size, alignment;
    uint32_t kernarg_size, kernarg_alignment, group_size, private_size, wave_size;
};
struct loaded {
    struct loaded *next;
    struct executable *executable;
    struct agent *agent;
    sw_executable *code;
    sw_object *object; // kept when it has line tables
    uint8_t *copy;
    uint64_t base, size;
    uint32_t storage;
    const void *storage_base;
    uint64_t storage_size;
    char *uri;
    uint32_t users;               // dispatches; atomic
    ARRAY(struct symbol) symbols; // by name
};
// The loaded code that this address lies in; takes a use of it. NULL: none of this agent's.
struct loaded *loaded_use(struct agent *a, uint64_t address);
void loaded_unuse(struct loaded *l);
const struct symbol *loaded_kernel(const struct loaded *l, uint64_t address);
void executables_close(void);
void executables_forget(void);
void old_code_forget(void);

// ---- Errors (error.c) ----
status fault_status(const sw_fault *f);
void fault_deliver(struct queue *q, const sw_fault *f, const struct record *r);

// ---- Tables of extensions (extension.c, image.c, loader.c) ----
size_t loader_table(void *table, size_t length);
size_t image_table(void *table, size_t length);

#endif
