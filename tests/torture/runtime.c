// SPDX-License-Identifier: MIT
// Kernels scribble over all memory of the HSA runtime that they can reach while the program uses it: slots of
// signals, queue blocks, rings, doorbells, arguments, buffers of commands. Nothing may crash; the runtime may
// not write where a kernel says (the values are often addresses of `bait`, which no kernel may write); and
// queues whose memory is left alone go on. Round after round, with other queues and signals each time. usage:
// runtime SECONDS SEED
#pragma GCC diagnostic ignored "-Wunused-function" // hsa_rig.h has more than this needs
#include <fcntl.h>

#include "../hsa/hsa_rig.h"
#include "softwave/asm.h"
#include "softwave/link.h"
#include "torture.h"

enum {
    GPUS = 2,
    QUEUES = 4, // scribbled ones, of each round
    SOFT = 1,
    SIGNALS = 48,
    SHARED = 4, // of the signals: those that processes share
    SIZE = 64,  // packets of a ring
    MOST_AREAS = 2048,
    BAIT_WORDS = 512,
    PATIENCE = 600 // seconds that a good queue may take on a machine with much else to do
};
static _Alignas(4096) uint64_t bait[BAIT_WORDS];
static struct kernels { uint64_t peek, poke, scribble; } kernels[GPUS];

#define MUST(...)                                                                                            \
    do {                                                                                                     \
        if (!(__VA_ARGS__)) {                                                                                \
            printf("%s:%d: not so: %s\n%s", __FILE__, __LINE__, #__VA_ARGS__, crash_text);                   \
            fflush(stdout);                                                                                  \
            _exit(1);                                                                                        \
        }                                                                                                    \
    } while (0)

// ---- Random numbers, for each thread its own ----

struct dice {
    uint64_t state;
};
static uint32_t roll(struct dice *d, uint32_t n) {
    d->state ^= d->state << 13;
    d->state ^= d->state >> 7;
    d->state ^= d->state << 17;
    return (uint32_t)(d->state >> 20) % n;
}
static struct dice dice_of(uint64_t seed, uint64_t n) {
    struct dice d = {seed * 0x9e3779b97f4a7c15 + n * 0xbf58476d1ce4e5b9 + 1};
    for (int i = 0; i < 8; i++) roll(&d, 2);
    return d;
}

// ---- Code ----

static void load_kernels(const char *path) {
    char text[1 << 16];
    FILE *f = fopen(path, "rb");
    MUST(f);
    const size_t length = fread(text, 1, sizeof text, f);
    fclose(f);
    uint8_t *object, *image;
    size_t object_size, image_size;
    sw_asm_options o = {.size = sizeof o, .os = SW_OS_AMDHSA, .name = path};
    MUST(sw_target_parse("gfx90a", 6, &o.target, NULL) == SW_OK);
    MUST(sw_assemble(text, length, &o, &object, &object_size, NULL) == SW_OK);
    const sw_link_input in = {.size = sizeof in, .name = path, .bytes = object, .length = object_size};
    MUST(sw_link(&in, 1, NULL, &image, &image_size, NULL) == SW_OK);
    sw_free(object);
    for (int g = 0; g < GPUS; g++) {
        struct code c = {.agent = gpus[g]};
        CALL(hsa_code_object_reader_create_from_memory(image, image_size, &c.reader));
        CALL(hsa_executable_create_alt(HSA_PROFILE_FULL, HSA_DEFAULT_FLOAT_ROUNDING_MODE_DEFAULT, NULL,
                                       &c.executable));
        CALL(hsa_executable_load_agent_code_object(c.executable, gpus[g], c.reader, NULL, NULL));
        CALL(hsa_executable_freeze(c.executable, NULL));
        kernels[g] =
            (struct kernels){kernel_of(&c, "peek"), kernel_of(&c, "poke"), kernel_of(&c, "scribble")};
    }
    sw_free(image);
}

// ---- Queues, of which the program notes what it needs when it makes them ----

struct lane {
    hsa_queue_t *queue;
    char *base;
    hsa_signal_t bell;
    uint64_t at;
    int gpu;
    uint64_t *arguments;
};
static struct lane open_lane(int gpu) {
    hsa_queue_t *q = make_queue(gpus[gpu], SIZE);
    return (struct lane){q, q->base_address, q->doorbell_signal, 0, gpu, take(kernargs, 4096, true)};
}
static void close_lane(struct lane *l) {
    CALL(hsa_queue_destroy(l->queue));
    CALL(hsa_amd_memory_pool_free(l->arguments));
}
static void push(struct lane *l, const void *packet, uint16_t header) {
    char *slot = l->base + (l->at++ & (SIZE - 1)) * 64;
    memcpy(slot + 2, (const char *)packet + 2, 62);
    __atomic_store_n((uint16_t *)slot, header, __ATOMIC_RELEASE);
}
static void ring(const struct lane *l) { hsa_signal_store_screlease(l->bell, (hsa_signal_value_t)l->at - 1); }
static hsa_kernel_dispatch_packet_t dispatch_of(uint64_t kernel, void *arguments, uint32_t items,
                                                hsa_signal_t done) {
    return (hsa_kernel_dispatch_packet_t){.setup = 1,
                                          .workgroup_size_x = 64,
                                          .workgroup_size_y = 1,
                                          .workgroup_size_z = 1,
                                          .grid_size_x = items,
                                          .grid_size_y = 1,
                                          .grid_size_z = 1,
                                          .kernel_object = kernel,
                                          .kernarg_address = arguments,
                                          .completion_signal = done};
}
enum { DISPATCH = HSA_PACKET_TYPE_KERNEL_DISPATCH | 2 << 9 | 2 << 11 };

// ---- What is scribbled over in a round ----

struct area {
    uint64_t base, words;
};
static struct round {
    struct lane lanes[QUEUES];
    hsa_queue_t *soft[SOFT];
    hsa_signal_t bell; // of soft queues
    hsa_signal_t signals[SIGNALS];
    uint32_t *commands; // a buffer of PM4 commands
    struct area *areas; // for kernels
    uint32_t count;
    int gpu;        // that scribbles
    uint32_t users; // atomic: threads at work in it
    bool over;      // atomic
} round_;
static void add_area(struct round *r, const void *p, uint64_t words) {
    MUST(r->count < MOST_AREAS);
    r->areas[r->count++] = (struct area){(uint64_t)(uintptr_t)p, words};
}

enum { COMMANDS = 64 };
static void fill_commands(uint32_t *words) {
    for (int i = 0; i < COMMANDS; i += 2) words[i] = 3u << 30 | 0 << 16 | 0x42 << 8, words[i + 1] = 0;
}

// A GPU may write the blocks and rings of its own queues alone.
// Headers decide whether the rest of a packet is looked at, so now and then they are spared; as are whole
// kinds.
static void choose_areas(struct round *r, struct dice *d) {
    r->count = 0;
    const uint32_t kinds = roll(d, 4) ? 1u << roll(d, 6) | 1u << roll(d, 6) : 63;
    for (int i = 0; i < QUEUES; i++) {
        struct lane *l = &r->lanes[i];
        const uint64_t *bell = (const uint64_t *)(uintptr_t)l->bell.handle;
        if (kinds & 1 && l->gpu == r->gpu) add_area(r, l->queue, 32);
        if (kinds & 2) add_area(r, (const void *)(uintptr_t)bell[1], 1);
        if (kinds & 4) add_area(r, bell, 8);
        if (kinds & 8) add_area(r, l->arguments, 512);
        const int from = (int)roll(d, 3);
        for (int n = 0; n < SIZE && kinds & 16 && l->gpu == r->gpu; n++)
            add_area(r, l->base + n * 64 + from * 8, (uint64_t)(8 - from));
    }
    for (int i = 0; i < SOFT; i++)
        if (kinds & 1) add_area(r, r->soft[i], 32);
    for (int i = 0; i < SIGNALS; i++)
        if (kinds & 4) add_area(r, (const void *)(uintptr_t)r->signals[i].handle, i < SHARED ? 512 : 8);
    if (kinds & 32) add_area(r, r->commands, COMMANDS / 2);
    if (!r->count) add_area(r, r->lanes[r->gpu].queue, 32);
}

static void open_round(struct round *r, struct dice *d) {
    for (int i = 0; i < QUEUES; i++) r->lanes[i] = open_lane(i % GPUS);
    CALL(hsa_signal_create(0, 0, NULL, &r->bell));
    for (int i = 0; i < SIGNALS; i++)
        CALL(hsa_amd_signal_create((hsa_signal_value_t)roll(d, 3), 0, NULL,
                                   i < SHARED ? HSA_AMD_SIGNAL_IPC : 0, &r->signals[i]));
    for (int i = 0; i < SOFT; i++)
        CALL(hsa_soft_queue_create((hsa_region_t){fine.handle}, SIZE, HSA_QUEUE_TYPE_MULTI,
                                   HSA_QUEUE_FEATURE_AGENT_DISPATCH, r->bell, &r->soft[i]));
    fill_commands(r->commands);
    r->gpu = (int)roll(d, GPUS);
    choose_areas(r, d);
    __atomic_store_n(&r->over, false, __ATOMIC_RELEASE);
}
static void close_round(struct round *r) {
    for (int i = 0; i < QUEUES; i++) close_lane(&r->lanes[i]);
    for (int i = 0; i < SOFT; i++) CALL(hsa_queue_destroy(r->soft[i]));
    for (int i = 0; i < SIGNALS; i++) CALL(hsa_signal_destroy(r->signals[i]));
    CALL(hsa_signal_destroy(r->bell));
}

// ---- The program at work in it ----

static bool keep_no(hsa_signal_value_t value, void *argument) {
    (void)value, (void)argument;
    return false;
}
static hsa_signal_t any_signal(struct dice *d) { return round_.signals[roll(d, SIGNALS)]; }
static long counted[2]; // operations and packets

static void use_signal(struct dice *d) {
    const hsa_signal_t s = any_signal(d), two[2] = {s, any_signal(d)};
    const hsa_signal_value_t v = (hsa_signal_value_t)roll(d, 4);
    hsa_signal_condition_t conditions[2] = {HSA_SIGNAL_CONDITION_EQ, HSA_SIGNAL_CONDITION_LT};
    hsa_signal_value_t values[2] = {v, v}, found;
    hsa_amd_profiling_dispatch_time_t times;
    static char from[4096], to[4096];
    hsa_amd_ipc_signal_t ticket;
    switch (roll(d, 12)) {
    case 0: hsa_signal_store_screlease(s, v); break;
    case 1: hsa_signal_load_scacquire(s); break;
    case 2: hsa_signal_add_scacq_screl(s, v); break;
    case 3: hsa_signal_cas_scacq_screl(s, v, v + 1); break;
    case 4: hsa_signal_wait_scacquire(s, HSA_SIGNAL_CONDITION_EQ, v, 50000, HSA_WAIT_STATE_BLOCKED); break;
    case 5:
        hsa_amd_signal_wait_any(2, (hsa_signal_t *)two, conditions, values, 50000, HSA_WAIT_STATE_BLOCKED,
                                &found);
        break;
    case 6: hsa_amd_signal_async_handler(s, HSA_SIGNAL_CONDITION_EQ, v, keep_no, NULL); break;
    case 7: CALL(hsa_amd_memory_async_copy(to, cpu, from, cpu, sizeof to, 1, two, two[1])); break;
    case 8: CALL(hsa_amd_profiling_get_dispatch_time(gpus[0], s, &times)); break;
    case 9: hsa_signal_exchange_scacq_screl(s, v); break;
    case 10: hsa_amd_ipc_signal_create(round_.signals[roll(d, SHARED)], &ticket); break;
    case 11: hsa_signal_store_relaxed(round_.bell, v); break;
    }
    __atomic_add_fetch(&counted[0], 1, __ATOMIC_RELAXED);
}

static void use_queue(struct lane *l, struct dice *d) {
    const hsa_signal_t none = {0};
    union {
        hsa_kernel_dispatch_packet_t dispatch;
        hsa_barrier_and_packet_t barrier;
        hsa_amd_barrier_value_packet_t value;
        uint32_t words[16];
    } p = {0};
    uint16_t header = HSA_PACKET_TYPE_BARRIER_AND;
    l->arguments[0] = (uint64_t)(uintptr_t)l->arguments;
    switch (roll(d, 5)) {
    case 0:
    case 1:
        p.dispatch = dispatch_of(kernels[l->gpu].peek, l->arguments, 64 + roll(d, 4096), any_signal(d));
        header = DISPATCH;
        break;
    case 2:
        for (int i = 0; i < 5; i++) p.barrier.dep_signal[i] = roll(d, 2) ? any_signal(d) : none;
        p.barrier.completion_signal = any_signal(d);
        if (roll(d, 2)) header = HSA_PACKET_TYPE_BARRIER_OR;
        break;
    case 3:
        p.value = (hsa_amd_barrier_value_packet_t){.header.AmdFormat = HSA_AMD_PACKET_TYPE_BARRIER_VALUE,
                                                   .signal = any_signal(d),
                                                   .value = roll(d, 3),
                                                   .mask = 3,
                                                   .cond = roll(d, 4),
                                                   .completion_signal = any_signal(d)};
        header = HSA_PACKET_TYPE_VENDOR_SPECIFIC;
        break;
    case 4:
        p.words[0] = 1 << 16; // PM4
        p.words[1] = 3u << 30 | 2 << 16 | 0x3f << 8;
        p.words[2] = (uint32_t)(uintptr_t)round_.commands;
        p.words[3] = (uint32_t)((uint64_t)(uintptr_t)round_.commands >> 32);
        p.words[4] = COMMANDS;
        header = HSA_PACKET_TYPE_VENDOR_SPECIFIC;
        break;
    }
    push(l, &p, header | (roll(d, 3) ? 0 : BARRIER));
    if (roll(d, 2)) ring(l);
    // As clients do that read the handle each time: it may be any number.
    if (!roll(d, 4))
        hsa_signal_store_screlease(*(volatile hsa_signal_t *)&l->queue->doorbell_signal,
                                   (hsa_signal_value_t)l->at);
    if (!roll(d, 8)) hsa_queue_load_read_index_relaxed(l->queue);
    if (!roll(d, 16)) hsa_amd_queue_set_priority(l->queue, (hsa_amd_queue_priority_t)roll(d, 3));
    __atomic_add_fetch(&counted[1], 1, __ATOMIC_RELAXED);
}

struct worker {
    pthread_t thread;
    int number;
    uint64_t seed;
};
static bool all_over; // atomic
static void *user_main(void *argument) {
    const struct worker *w = argument;
    struct dice d = dice_of(w->seed, (uint64_t)w->number);
    while (!__atomic_load_n(&all_over, __ATOMIC_ACQUIRE)) {
        __atomic_add_fetch(&round_.users, 1, __ATOMIC_SEQ_CST);
        while (!__atomic_load_n(&round_.over, __ATOMIC_SEQ_CST))
            if (w->number < QUEUES)
                use_queue(&round_.lanes[w->number], &d); // a queue has one producer
            else
                use_signal(&d);
        __atomic_sub_fetch(&round_.users, 1, __ATOMIC_SEQ_CST);
        while (__atomic_load_n(&round_.over, __ATOMIC_SEQ_CST) &&
               !__atomic_load_n(&all_over, __ATOMIC_ACQUIRE))
            usleep(100);
    }
    return NULL;
}

// ---- Queues that are left alone ----

static long checked[GPUS];
static void wait_long(hsa_signal_t s, const char *what) {
    const double until = now() + PATIENCE;
    while (hsa_signal_wait_scacquire(s, HSA_SIGNAL_CONDITION_LT, 1, 1000000000, HSA_WAIT_STATE_BLOCKED) > 0)
        if (now() > until) {
            printf("%s does not end\n%s", what, crash_text);
            _exit(1);
        }
}
static void *good_main(void *argument) {
    const struct worker *w = argument;
    const int gpu = w->number;
    struct lane l = open_lane(gpu);
    uint64_t *memory = take(device_pool[gpu], 4096, true), back[8];
    const hsa_signal_t done = make_signal(1), copied = make_signal(1);
    for (uint64_t n = 1; !__atomic_load_n(&all_over, __ATOMIC_ACQUIRE); n++) {
        l.arguments[0] = (uint64_t)(uintptr_t)memory;
        l.arguments[1] = n * 0x100000001;
        hsa_signal_store_relaxed(done, 1);
        hsa_signal_store_relaxed(copied, 1);
        const hsa_kernel_dispatch_packet_t p = dispatch_of(kernels[gpu].poke, l.arguments, 64, done);
        push(&l, &p, DISPATCH | BARRIER);
        ring(&l);
        wait_long(done, "a dispatch of a queue that is left alone");
        CALL(hsa_amd_memory_async_copy(back, cpu, memory, gpus[gpu], sizeof back, 1, &done, copied));
        wait_long(copied, "a copy");
        const uint64_t read = hsa_queue_load_read_index_relaxed(l.queue);
        if (back[0] != n * 0x100000001 || read != n) {
            printf(
                "dispatch %llu of a queue that is left alone: %llx was copied, memory has %llx, %llu packets "
                "were read, signals %lld and %lld\n%s",
                (unsigned long long)n, (unsigned long long)back[0],
                (unsigned long long)*(volatile uint64_t *)memory, (unsigned long long)read,
                (long long)hsa_signal_load_relaxed(done), (long long)hsa_signal_load_relaxed(copied),
                crash_text);
            fflush(stdout);
            _exit(1);
        }
        for (int i = 0; i < BAIT_WORDS; i++) MUST(bait[i] == 0x5ea15ea15ea15ea1);
        checked[gpu]++;
    }
    close_lane(&l);
    return NULL;
}

// ---- All of it ----

static hsa_status_t on_fault(const hsa_amd_event_t *event, void *data) {
    (void)event, (void)data;
    return HSA_STATUS_SUCCESS; // kernels with scribbled arguments may fault; the program goes on
}

static void start(struct worker *w, void *(*main)(void *), int number, uint64_t seed) {
    *w = (struct worker){.number = number, .seed = seed};
    MUST(!pthread_create(&w->thread, NULL, main, w));
}

static void scribble_round(struct lane *l, struct dice *d, hsa_signal_t done) {
    struct {
        uint64_t areas;
        uint32_t count, seed, rounds, gap;
        uint64_t bait;
    } *a = (void *)l->arguments;
    *a = (__typeof__(*a)){
        (uint64_t)(uintptr_t)round_.areas, round_.count, roll(d, 1u << 31) | 1, 1 + roll(d, 200), 0,
        (uint64_t)(uintptr_t)bait};
    hsa_signal_store_relaxed(done, 1);
    const hsa_kernel_dispatch_packet_t p = dispatch_of(kernels[l->gpu].scribble, a, 64 << roll(d, 3), done);
    push(l, &p, DISPATCH | BARRIER);
    ring(l);
    wait_long(done, "the kernel that scribbles");
}

int main(int argc, char **argv) {
    const double seconds = argc > 1 ? atof(argv[1]) : 10;
    const uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : (uint64_t)time(NULL);
    leave_text_at_crashes();
    setenv("SOFTWAVE_GPU", "gfx90a,cus=4;gfx90a,cus=4", 1);
    setenv("SOFTWAVE_FAULT", "quiet", 1);
    setenv("SOFTWAVE_CACHE", "", 1);
    const int null = open("/dev/null", O_WRONLY); // refusals of packets are many
    crash_file = 1;
    dup2(null, 2);
    for (int i = 0; i < BAIT_WORDS; i++) bait[i] = 0x5ea15ea15ea15ea1;
    open_runtime();
    MUST(gpu_count == GPUS);
    CALL(hsa_amd_register_system_event_handler(on_fault, NULL));
    load_kernels("tests/hsa/poke.s");
    round_.areas = take(fine, MOST_AREAS * sizeof *round_.areas, true);
    round_.commands = take(fine, 4096, true);
    round_.over = true;
    struct worker good[GPUS], users[QUEUES + 2];
    struct lane writers[GPUS];
    struct dice d = dice_of(seed, 99);
    const hsa_signal_t done = make_signal(0);
    for (int g = 0; g < GPUS; g++) writers[g] = open_lane(g), start(&good[g], good_main, g, seed);
    for (int i = 0; i < QUEUES + 2; i++) start(&users[i], user_main, i, seed);
    const double until = now() + seconds;
    long rounds = 0;
    while (now() < until) {
        snprintf(crash_text, sizeof crash_text, "crash: runtime %g %llu in round %ld\n", seconds,
                 (unsigned long long)seed, rounds);
        open_round(&round_, &d);
        for (uint32_t n = 1 + roll(&d, 4); n; n--) scribble_round(&writers[round_.gpu], &d, done);
        usleep(roll(&d, 2000));
        __atomic_store_n(&round_.over, true, __ATOMIC_SEQ_CST);
        while (__atomic_load_n(&round_.users, __ATOMIC_SEQ_CST)) usleep(50);
        close_round(&round_);
        rounds++;
    }
    __atomic_store_n(&all_over, true, __ATOMIC_RELEASE);
    for (int i = 0; i < QUEUES + 2; i++) pthread_join(users[i].thread, NULL);
    for (int g = 0; g < GPUS; g++) pthread_join(good[g].thread, NULL);
    CALL(hsa_shut_down());
    printf("runtime: %ld rounds, %ld calls and %ld packets beside kernels that scribble; %ld dispatches of "
           "other queues were right\n",
           rounds, counted[0], counted[1], checked[0] + checked[1]);
    return 0;
}
