// SPDX-License-Identifier: MIT
// A kernel does not steer the runtime: reach CODE-OBJECT CASE. Each case has kernels write into memory of the
// runtime that they can reach (signal slots, queue blocks, rings, doorbells) and then uses the runtime.
// Addresses that kernels write point to `victim`, which must stay as it is. The host never reads what kernels
// may have changed of a queue (its address of packets, size, doorbell): it noted them when it made the queue.
#include <sys/wait.h>

#include "hsa_rig.h"

enum { WORDS = 512, QUEUE_WORDS = 32, SLOT_WORDS = 8 };
static uint64_t victim[WORDS];
static struct code code;
static uint64_t kernel;

struct lane { // a queue as it was made
    hsa_queue_t *queue;
    char *base;
    hsa_signal_t bell;
    uint64_t at;
};

static struct lane open_lane(void) {
    hsa_queue_t *q = make_queue(gpus[0], 64);
    return (struct lane){q, q->base_address, q->doorbell_signal, 0};
}

static void push(struct lane *l, const void *packet, uint16_t header) {
    char *slot = l->base + (l->at++ & 63) * 64;
    memcpy(slot + 2, (const char *)packet + 2, 62);
    __atomic_store_n((uint16_t *)slot, header, __ATOMIC_RELEASE);
}
static void ring(const struct lane *l) { hsa_signal_store_screlease(l->bell, (hsa_signal_value_t)l->at - 1); }

static void put_poke(struct lane *l, void *to, uint64_t value, hsa_signal_t done) {
    uint64_t *arguments = take(kernargs, 64, true);
    arguments[0] = (uint64_t)(uintptr_t)to;
    arguments[1] = value;
    hsa_kernel_dispatch_packet_t p = {.setup = 1,
                                      .workgroup_size_x = 1,
                                      .workgroup_size_y = 1,
                                      .workgroup_size_z = 1,
                                      .grid_size_x = 1,
                                      .grid_size_y = 1,
                                      .grid_size_z = 1,
                                      .kernel_object = kernel,
                                      .kernarg_address = arguments,
                                      .completion_signal = done};
    push(l, &p, HSA_PACKET_TYPE_KERNEL_DISPATCH | BARRIER | 2 << 9 | 2 << 11);
}
// A kernel stores a value somewhere, and has ended.
static void poke(struct lane *l, void *to, uint64_t value) {
    const hsa_signal_t s = make_signal(1);
    put_poke(l, to, value, s);
    ring(l);
    CHECK(wait_zero(s));
    CALL(hsa_signal_destroy(s));
}
// The queue does what it is asked for.
static void check_works(struct lane *l) {
    uint64_t *memory = take(device_pool[0], 64, true);
    *memory = 0;
    poke(l, memory, 4711);
    CHECK(*memory == 4711);
    CALL(hsa_amd_memory_pool_free(memory));
}
static uint64_t *slot_of(hsa_signal_t s) { return (uint64_t *)(uintptr_t)s.handle; }
static uint64_t bait(int i) { return (uint64_t)(uintptr_t)&victim[i % WORDS]; }

// ---- Signals ----

// A signal of the program becomes a doorbell that points into the program's memory.
static void signal_kind(void) {
    struct lane l = open_lane();
    const hsa_signal_t s = make_signal(1);
    for (int64_t kind = -1; kind >= -2; kind--) {
        poke(&l, slot_of(s) + 1, bait(0));
        poke(&l, slot_of(s), (uint64_t)kind);
        hsa_signal_store_screlease(s, 0x5ec4e7);
        CHECK(hsa_signal_load_relaxed(s) == 0x5ec4e7);
    }
    check_works(&l);
}

// The doorbell's own signal says where the doorbell is.
static void doorbell_pointer(void) {
    struct lane l = open_lane();
    poke(&l, slot_of(l.bell) + 1, bait(0));
    check_works(&l);
    hsa_signal_add_relaxed(l.bell, 8);
    hsa_signal_exchange_relaxed(l.bell, (hsa_signal_value_t)bait(8));
    poke(&l, slot_of(l.bell), 1); // it looks like a signal of the program
    check_works(&l);
    CALL(hsa_queue_destroy(l.queue));
}

static bool on_change(hsa_signal_value_t value, void *count) {
    (void)value;
    __atomic_add_fetch((int *)count, 1, __ATOMIC_RELEASE);
    return false;
}

// Every word of a slot, then every call on its signal.
static void slot(void) {
    struct lane l = open_lane();
    for (int word = 0; word < SLOT_WORDS; word++) {
        int called = 0;
        hsa_signal_t s = make_signal(5);
        hsa_signal_value_t *value;
        hsa_amd_profiling_dispatch_time_t times;
        poke(&l, slot_of(s) + word, bait(word));
        CHECK(hsa_signal_load_relaxed(s) == (word == 1 ? (int64_t)bait(1) : 5));
        CALL(hsa_amd_profiling_get_dispatch_time(gpus[0], s, &times));
        hsa_signal_store_screlease(s, 7);
        CHECK(hsa_signal_exchange_scacq_screl(s, 9) == 7 && hsa_signal_cas_scacq_screl(s, 9, 10) == 9);
        hsa_signal_add_relaxed(s, 1);
        hsa_signal_or_relaxed(s, 16);
        CHECK(hsa_signal_wait_scacquire(s, HSA_SIGNAL_CONDITION_EQ, 27, 0, HSA_WAIT_STATE_BLOCKED) == 27);
        CALL(hsa_amd_signal_async_handler(s, HSA_SIGNAL_CONDITION_EQ, 28, on_change, &called));
        hsa_signal_store_screlease(s, 28);
        UNTIL(__atomic_load_n(&called, __ATOMIC_ACQUIRE));
        CALL(hsa_amd_signal_value_pointer(s, (volatile hsa_signal_value_t **)&value));
        CHECK(*value == 28);
        hsa_signal_store_relaxed(s, 1);
        put_poke(&l, take(device_pool[0], 8, true), 1, s); // it completes a packet
        ring(&l);
        CHECK(wait_zero(s));
        CALL(hsa_signal_destroy(s));
    }
}

// Numbers that are no signals, in every call and packet that takes one.
static void handles(void) {
    struct lane l = open_lane();
    const hsa_signal_t s = make_signal(3);
    const uint64_t numbers[] = {1,
                                8,
                                s.handle + 8,
                                s.handle + 63,
                                s.handle - (1ull << 40),
                                bait(0),
                                bait(7) + 1,
                                UINT64_MAX,
                                1ull << 63,
                                s.handle + (64ull << 20),
                                0x4141414141414140};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        hsa_signal_t bad = {numbers[i]};
        hsa_signal_t pair[2] = {s, bad};
        hsa_signal_condition_t conditions[2] = {HSA_SIGNAL_CONDITION_EQ, HSA_SIGNAL_CONDITION_EQ};
        hsa_signal_value_t compare[2] = {3, 3}, found, *value;
        CHECK(hsa_signal_load_scacquire(bad) == 0);
        hsa_signal_store_screlease(bad, 1);
        hsa_signal_silent_store_relaxed(bad, 1);
        hsa_signal_add_relaxed(bad, 1);
        CHECK(hsa_signal_exchange_relaxed(bad, 1) == 0 && hsa_signal_cas_relaxed(bad, 0, 1) == 0);
        CHECK(hsa_signal_wait_relaxed(bad, HSA_SIGNAL_CONDITION_EQ, 9, 1000, HSA_WAIT_STATE_BLOCKED) == 0);
        CHECK(hsa_amd_signal_wait_any(2, pair, conditions, compare, 0, HSA_WAIT_STATE_BLOCKED, &found) ==
              UINT32_MAX);
        CHECK(hsa_signal_destroy(bad) == HSA_STATUS_ERROR_INVALID_SIGNAL);
        CHECK(hsa_amd_signal_value_pointer(bad, (volatile hsa_signal_value_t **)&value));
        CHECK(hsa_amd_signal_async_handler(bad, HSA_SIGNAL_CONDITION_EQ, 0, on_change, NULL));
        int from = 1, to = 0;
        CHECK(hsa_amd_memory_async_copy(&to, cpu, &from, cpu, 4, 0, NULL, bad));
        CHECK(hsa_amd_memory_async_copy(&to, cpu, &from, cpu, 4, 1, &bad, s));
        // In packets: what is no signal is not told, and holds nothing up.
        const hsa_signal_t end = make_signal(1);
        put_poke(&l, take(device_pool[0], 8, true), 1, bad);
        hsa_barrier_and_packet_t b = {.dep_signal = {bad, bad, bad, bad, bad}, .completion_signal = bad};
        push(&l, &b, HSA_PACKET_TYPE_BARRIER_AND | BARRIER);
        push(&l, &b, HSA_PACKET_TYPE_BARRIER_OR | BARRIER);
        hsa_amd_barrier_value_packet_t v = {
            .header.AmdFormat = HSA_AMD_PACKET_TYPE_BARRIER_VALUE, .signal = bad, .completion_signal = bad};
        push(&l, &v, HSA_PACKET_TYPE_VENDOR_SPECIFIC | BARRIER);
        b.completion_signal = l.bell; // a doorbell is not counted down
        push(&l, &b, HSA_PACKET_TYPE_BARRIER_AND | BARRIER);
        b.completion_signal = end;
        push(&l, &b, HSA_PACKET_TYPE_BARRIER_AND | BARRIER);
        ring(&l);
        CHECK(wait_zero(end));
        CALL(hsa_signal_destroy(end));
    }
    CHECK(hsa_signal_load_relaxed(s) == 3);
    check_works(&l);
}

// Where a signal of several processes lies in their file.
static void shared_page(void) {
    struct lane l = open_lane();
    hsa_signal_t s, attached;
    hsa_amd_ipc_signal_t before, after;
    CALL(hsa_amd_signal_create(77, 0, NULL, HSA_AMD_SIGNAL_IPC, &s));
    CALL(hsa_amd_ipc_signal_create(s, &before));
    for (int word = 2; word < 64; word++)
        poke(&l, slot_of(s) + word, word == 8 ? 4096 * 40000ull : bait(word));
    CALL(hsa_amd_ipc_signal_create(s, &after));
    CHECK(!memcmp(&before, &after, sizeof after));
    CALL(hsa_amd_ipc_signal_attach(&after, &attached));
    CHECK(hsa_signal_load_relaxed(attached) == 77);
    hsa_signal_store_screlease(attached, 78);
    CHECK(hsa_signal_wait_scacquire(s, HSA_SIGNAL_CONDITION_EQ, 78, 280000000000ull,
                                    HSA_WAIT_STATE_BLOCKED) == 78);
    CHECK(hsa_amd_ipc_signal_create(attached, &after) == HSA_STATUS_ERROR_INVALID_SIGNAL);
    CALL(hsa_signal_destroy(attached));
    CALL(hsa_signal_destroy(s));
}

// Pages of signals that are gone are no longer counted.
static void many_shared(void) {
    for (int i = 0; i < 20000; i++) {
        hsa_signal_t s;
        CALL(hsa_amd_signal_create(i, 0, NULL, HSA_AMD_SIGNAL_IPC, &s));
        CHECK(hsa_signal_load_relaxed(s) == i);
        CALL(hsa_signal_destroy(s));
    }
}

// ---- Queues ----

// The mask that finds slots, and the index of the next: between two packets of one ring.
static void queue_size(void) {
    struct lane l = open_lane();
    const hsa_signal_t s = make_signal(3);
    char *block = (char *)l.queue;
    uint64_t *memory = take(device_pool[0], 64, true);
    put_poke(&l, block + 24, 0, s);
    put_poke(&l, block + 128, 1ull << 28, s);
    put_poke(&l, memory, 1, s);
    ring(&l);
    CHECK(wait_zero(s) && *memory == 1 && !queue_status);
    // The runtime says where it is, not what the kernel wrote.
    CHECK(hsa_queue_load_read_index_relaxed(l.queue) == 3);
    for (int i = 0; i < 200; i++) check_works(&l); // around the ring
}

// Every word of the block, with an address and with ones; then the queue works and ends.
static void block(void) {
    for (int ones = 0; ones < 2; ones++)
        for (int word = 0; word < QUEUE_WORDS; word++) {
            struct lane l = open_lane();
            poke(&l, (uint64_t *)l.queue + word, ones ? UINT64_MAX : bait(word));
            check_works(&l);
            CALL(hsa_amd_profiling_set_profiler_enabled(l.queue, 1));
            CALL(hsa_queue_destroy(l.queue));
        }
}

// Also of a queue that the program serves itself, whose doorbell is a signal of the program.
static void soft_block(void) {
    struct lane l = open_lane();
    const hsa_signal_t bell = make_signal(0);
    for (int word = 0; word < QUEUE_WORDS; word++) {
        hsa_queue_t *q;
        hsa_region_t region = {fine.handle};
        CALL(hsa_soft_queue_create(region, 64, HSA_QUEUE_TYPE_MULTI, HSA_QUEUE_FEATURE_AGENT_DISPATCH, bell,
                                   &q));
        poke(&l, (uint64_t *)q + word, bait(word));
        CALL(hsa_queue_inactivate(q));
        CALL(hsa_queue_destroy(q));
    }
    CALL(hsa_signal_destroy(bell));
}

static void doorbell_handle(void) {
    struct lane l = open_lane();
    poke(&l, (char *)l.queue + 16, 0x4141414141414140);
    hsa_signal_store_screlease((hsa_signal_t){0x4141414141414140}, 3); // as clients do that read it each time
    CALL(hsa_queue_destroy(l.queue));
}
static void inactive_handle(void) {
    struct lane l = open_lane();
    poke(&l, (char *)l.queue + 192, 0x4141414141414140);
    CALL(hsa_queue_destroy(l.queue));
}

static void wait_for_error(hsa_status_t status) {
    UNTIL(__atomic_load_n(&queue_status, __ATOMIC_ACQUIRE));
    CHECK(queue_status == status);
}

// The signal by which the runtime says that the queue is in error.
static void inactive_error(void) {
    struct lane l = open_lane();
    const hsa_signal_t inactive = *(hsa_signal_t *)((char *)l.queue + 192);
    poke(&l, (char *)l.queue + 192, bait(7));
    push(&l, (char[64]){0}, 77); // a packet of no type
    ring(&l);
    wait_for_error(HSA_STATUS_ERROR_INVALID_PACKET_FORMAT);
    CHECK(hsa_signal_wait_scacquire(inactive, HSA_SIGNAL_CONDITION_LT, 0, 280000000000ull,
                                    HSA_WAIT_STATE_BLOCKED) == -1);
    CALL(hsa_queue_destroy(l.queue));
}

// ---- Packets ----

// A packet that waits is the one that was taken: what a kernel writes in its slot meanwhile comes too late.
static void waiting_packet(void) {
    struct lane l = open_lane(), other = open_lane();
    const hsa_signal_t dep = make_signal(1), end = make_signal(1), wrong = make_signal(1);
    hsa_barrier_and_packet_t b = {.dep_signal = {dep}, .completion_signal = end};
    push(&l, &b, HSA_PACKET_TYPE_BARRIER_AND | BARRIER);
    ring(&l);
    poke(&other, l.base + 56, wrong.handle);                        // another completion
    poke(&other, l.base + 8, wrong.handle);                         // another dependency
    poke(&other, l.base, HSA_PACKET_TYPE_AGENT_DISPATCH | BARRIER); // another type
    ring(&l);
    hsa_signal_store_screlease(dep, 0);
    CHECK(wait_zero(end) && hsa_signal_load_relaxed(wrong) == 1 && !queue_status);
    check_works(&l);
}

// What kernels write in a ring is at most a packet in error, for that queue alone.
static void ring_words(void) {
    for (int type = 6; type < 300; type += 49) {
        struct lane l = open_lane(), other = open_lane();
        __atomic_store_n(&queue_status, 0, __ATOMIC_RELEASE);
        poke(&other, l.base, (uint64_t)type);
        l.at = 1;
        ring(&l);
        wait_for_error(HSA_STATUS_ERROR_INVALID_PACKET_FORMAT);
        check_works(&other);
        CALL(hsa_queue_destroy(l.queue));
        CALL(hsa_queue_destroy(other.queue));
    }
}

// Doorbells say how far producers are, and may say anything.
static void doorbell_words(void) {
    struct lane l = open_lane();
    uint64_t *word = (uint64_t *)(uintptr_t)slot_of(l.bell)[1]; // where kernels find it
    const uint64_t values[] = {0, 63, 64, 1ull << 62, 1ull << 63, UINT64_MAX - 1, UINT64_MAX, bait(3)};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        poke(&l, word, values[i]);
        check_works(&l);
    }
    CALL(hsa_queue_destroy(l.queue));
}

// ---- Many queues that wake each other ----

enum { CHAIN = 1000 };
static hsa_signal_t links[CHAIN + 1];
static void *fall(void *argument) {
    hsa_signal_store_screlease(links[0], 0);
    return argument;
}
// Each waits for the one before it. The thread that starts them has a small stack.
static void chain(void) {
    for (int i = 0; i <= CHAIN; i++) links[i] = make_signal(1);
    for (int i = 0; i < CHAIN; i++) {
        struct lane l = open_lane();
        hsa_barrier_and_packet_t b = {.dep_signal = {links[i]}, .completion_signal = links[i + 1]};
        push(&l, &b, HSA_PACKET_TYPE_BARRIER_AND | BARRIER);
        ring(&l);
    }
    pthread_attr_t small;
    pthread_t thread;
    CHECK(!pthread_attr_init(&small) && !pthread_attr_setstacksize(&small, 64 << 10));
    CHECK(!pthread_create(&thread, &small, fall, NULL) && !pthread_join(thread, NULL));
    CHECK(wait_zero(links[CHAIN]));
    for (int i = 0; i <= CHAIN; i++) CHECK(hsa_signal_load_relaxed(links[i]) == 0);
}

static const struct {
    const char *name;
    void (*run)(void);
} cases[] = {
    {"signal_kind", signal_kind},
    {"doorbell_pointer", doorbell_pointer},
    {"slot", slot},
    {"handles", handles},
    {"shared_page", shared_page},
    {"many_shared", many_shared},
    {"queue_size", queue_size},
    {"block", block},
    {"soft_block", soft_block},
    {"doorbell_handle", doorbell_handle},
    {"inactive_handle", inactive_handle},
    {"inactive_error", inactive_error},
    {"waiting_packet", waiting_packet},
    {"ring_words", ring_words},
    {"doorbell_words", doorbell_words},
    {"chain", chain},
};

int main(int argc, char **argv) {
    if (argc < 2) { // which there are
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) puts(cases[i].name);
        return 0;
    }
    CHECK(argc == 3);
    open_runtime();
    load_code(&code, argv[1], gpus[0]);
    kernel = kernel_of(&code, "poke");
    for (int i = 0; i < WORDS; i++) victim[i] = 0x1111111111111111ull * (uint64_t)(i % 15 + 1);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        if (strcmp(cases[i].name, argv[2])) continue;
        cases[i].run();
        for (int w = 0; w < WORDS; w++) CHECK(victim[w] == 0x1111111111111111ull * (uint64_t)(w % 15 + 1));
        printf("ok %s\n", cases[i].name);
        fflush(stdout);
        CALL(hsa_shut_down());
        return 0;
    }
    printf("no case %s\n", argv[2]);
    return 2;
}
