// SPDX-License-Identifier: MIT
// Hostcalls, by which HIP's kernels print, fail assertions and allocate: what the host of a program does, for
// kernels that `softwave run` starts.
//
// A wave takes a packet from a stack in memory, fills it for its lanes, puts it on another stack and adds 1
// to a signal, then waits until the packet's ready bit is off. The signal lies in watched memory, so each
// packet is served where its wave gives way. What a kernel leaves in the packets is not trusted.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/bytes.h"
#include "base/progress.h"
#include "cli/run/run.h"

enum { PACKETS = 16384, PAGE = 4096, LANES = 64, WORDS = 8, MOST_WORDS = 1 << 17, WIDEST = 1000 };
enum { SERVICE_CALL = 1, SERVICE_PRINT = 2, SERVICE_MEMORY = 3 };

struct header {
    uint64_t next, active;
    uint32_t service, control; // bit 0: ready
};
struct buffer_head {
    uint64_t headers, payloads, doorbell, free_stack, ready_stack, index_mask;
};
struct message {
    bool used;
    ARRAY(uint64_t) words;
};
struct hostcall {
    sw_device *device;
    uint64_t *signal; // amd_signal_t; a page of its own
    struct buffer_head *head;
    struct header *headers;
    uint64_t *payloads;
    pthread_mutex_t lock;
    ARRAY(struct message) messages;
    ARRAY(void *) dropped; // a worker must not free
    bool gave_memory;
    void *heap; // NULL: no kernel wanted it yet
};

// ---- printf ----

struct cursor {
    const uint64_t *words;
    size_t count, at;
};
static uint64_t next_word(struct cursor *c) { return c->at < c->count ? c->words[c->at++] : 0; }
// Text up to its NUL, which words are filled up behind.
static const char *next_text(struct cursor *c, size_t *length) {
    const char *p = (const char *)(c->words + c->at);
    const size_t room = (c->count - c->at) * 8;
    *length = strnlen(p, room);
    c->at += *length < room ? *length / 8 + 1 : c->count - c->at;
    return p;
}

static int limited(int64_t n) { return n > WIDEST ? WIDEST : n < -WIDEST ? -WIDEST : (int)n; }

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
static void put_number(struct text *t, const char *flags, int width, int precision, unsigned bytes,
                       char conversion, uint64_t v) {
    char form[32];
    const char *length = strchr("diouxX", conversion) ? "ll" : "";
    snprintf(form, sizeof form, "%%%s*.*%s%c", flags, length, conversion);
    const unsigned shift = 64 - 8 * bytes;
    double d;
    memcpy(&d, &v, sizeof d);
    if (strchr("di", conversion))
        text_printf(t, form, width, precision, (long long)((int64_t)(v << shift) >> shift));
    else if (strchr("ouxX", conversion))
        text_printf(t, form, width, precision, (unsigned long long)(v << shift >> shift));
    else
        text_printf(t, form, width, precision, d);
}
#pragma GCC diagnostic pop

static void put_conversion(struct text *t, struct cursor *c, const char **at, const char *end) {
    char flags[8] = "";
    size_t n = 0;
    const char *p = *at;
    for (; p < end && memchr("-+ #0", *p, 5); p++)
        if (n < 5 && !strchr(flags, *p)) flags[n++] = *p, flags[n] = 0;
    int64_t size[2] = {0, -1}; // width, precision
    for (int i = 0; i < 2; i++) {
        if (i && (p == end || *p != '.')) break;
        if (i) p++, size[1] = 0;
        if (p < end && *p == '*')
            p++, size[i] = (int32_t)next_word(c);
        else
            for (; p < end && *p >= '0' && *p <= '9'; p++)
                if (size[i] < WIDEST) size[i] = 10 * size[i] + (*p - '0');
    }
    unsigned bytes = 4;
    for (; p < end && memchr("hljztL", *p, 6); p++) bytes = *p == 'h' ? bytes / 2 : 8;
    const char conversion = p < end ? *p++ : 0;
    *at = p;
    const int width = limited(size[0]), precision = size[1] < 0 ? -1 : limited(size[1]);
    if (conversion == '%' || !conversion)
        text_puts(t, "%");
    else if (conversion == 's') {
        size_t length;
        const char *s = next_text(c, &length);
        if (precision >= 0 && length > (size_t)precision) length = (size_t)precision;
        text_printf(t, strchr(flags, '-') ? "%-*.*s" : "%*.*s", width, (int)length, s);
    } else if (conversion == 'c')
        text_printf(t, strchr(flags, '-') ? "%-*c" : "%*c", width, (int)(uint8_t)next_word(c));
    else if (conversion == 'p')
        text_printf(t, strchr(flags, '-') ? "%-*p" : "%*p", width, (void *)(uintptr_t)next_word(c));
    else if (strchr("diouxXfFeEgGaA", conversion))
        put_number(t, flags, width, precision, bytes ? bytes : 1, conversion, next_word(c));
    else
        next_word(c); // %n and what nobody knows
}

// The stream, the format, the arguments. Gives the characters that were written.
static uint64_t print(const uint64_t *words, size_t count) {
    struct cursor c = {words, count, 0};
    FILE *to = next_word(&c) == 1 ? stderr : stdout;
    size_t length;
    const char *p = next_text(&c, &length), *end = p + length;
    struct text t = {0};
    while (p < end) {
        const char *percent = memchr(p, '%', (size_t)(end - p)), *stop = percent ? percent : end;
        text_printf(&t, "%.*s", (int)(stop - p), p);
        p = stop + (percent != NULL);
        if (percent) put_conversion(&t, &c, &p, end);
    }
    progress_clear();
    if (t.length) fwrite(t.data, 1, t.length, to);
    const uint64_t written = t.length;
    text_free(&t);
    return written;
}

// ---- Messages: words that come in several packets ----

static struct message *message_of(struct hostcall *h, bool begins, uint64_t *number) {
    if (!begins)
        return *number < h->messages.count && h->messages.items[*number].used ? &h->messages.items[*number]
                                                                              : NULL;
    for (*number = 0; *number < h->messages.count && h->messages.items[*number].used;) ++*number;
    if (*number == h->messages.count && !array_push(&h->messages, (struct message){0})) return NULL;
    h->messages.items[*number].used = true;
    return &h->messages.items[*number];
}

static void take_message(struct hostcall *h, uint64_t *words) {
    enum { BEGIN = 1, END = 2, LENGTH_AT = 5, NUMBER_AT = 8 };
    const uint64_t what = words[0], length = what >> LENGTH_AT & 7;
    uint64_t number = what >> NUMBER_AT;
    struct message *m = message_of(h, what & BEGIN, &number);
    if (!m) return;
    for (uint64_t i = 0; i < length; i++)
        if (m->words.count < MOST_WORDS && !array_push(&m->words, words[1 + i])) break;
    words[0] = (what & ((1u << NUMBER_AT) - 1) & ~(uint64_t)BEGIN) | number << NUMBER_AT;
    if (!(what & END)) return;
    words[0] = print(m->words.items, m->words.count);
    array_free(&m->words);
    *m = (struct message){0};
}

// The heap of the device library finds a block's slab by its address, in steps of large pages; what begins at
// a page it takes for no part of a slab.
static uint64_t allocate(sw_device *d, uint64_t bytes) {
    enum { LARGE_PAGE = 2 << 20 };
    const sw_memory_options o = {
        .size = sizeof o, .bytes = bytes, .alignment = bytes >= LARGE_PAGE ? LARGE_PAGE : PAGE};
    void *p;
    return sw_device_allocate(d, &o, &p, NULL) == SW_OK ? (uint64_t)(uintptr_t)p : 0;
}

static void serve(struct hostcall *h, uint32_t service, uint64_t *words) {
    if (service == SERVICE_PRINT)
        take_message(h, words);
    else if (service == SERVICE_MEMORY && !words[0])
        words[0] = allocate(h->device, words[1]), h->gave_memory = true;
    else if (service == SERVICE_MEMORY)
        (void)!array_push(&h->dropped, (void *)(uintptr_t)words[0]), words[0] = 0;
    else // functions of a program that is not there
        words[0] = words[1] = 0;
}

void hostcall_written(struct hostcall *h) {
    if (!h) return;
    pthread_mutex_lock(&h->lock);
    uint64_t at = __atomic_exchange_n(&h->head->ready_stack, 0, __ATOMIC_ACQ_REL);
    for (unsigned n = 0; at && n < PACKETS; n++) {
        const uint64_t i = at & (PACKETS - 1);
        struct header *p = &h->headers[i];
        const uint64_t active = p->active;
        at = p->next; // its wave may use it again from the last store on
        for (unsigned lane = 0; lane < LANES; lane++)
            if (active >> lane & 1) serve(h, p->service, h->payloads + (i * LANES + lane) * WORDS);
        __atomic_fetch_and(&p->control, ~1u, __ATOMIC_RELEASE);
    }
    pthread_mutex_unlock(&h->lock);
}

// ---- Begin and end ----

static size_t align(size_t n) { return (n + 63) & ~(size_t)63; }

struct hostcall *hostcall_open(sw_device *device) {
    struct hostcall *h = calloc(1, sizeof *h);
    if (!h) return NULL;
    const size_t head = align(sizeof *h->head), headers = align(PACKETS * sizeof *h->headers);
    const size_t all = head + headers + sizeof(uint64_t[LANES * WORDS]) * PACKETS;
    uint8_t *memory = sw_device_alloc(device, all);
    h->signal = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (!memory || h->signal == MAP_FAILED ||
        sw_device_map(device, h->signal, PAGE, SW_RIGHT_READ | SW_RIGHT_WRITE | SW_RIGHT_WATCH) != SW_OK) {
        if (h->signal != MAP_FAILED) munmap(h->signal, PAGE);
        free(h);
        return NULL;
    }
    pthread_mutex_init(&h->lock, NULL);
    h->device = device;
    h->head = (struct buffer_head *)memory;
    h->headers = (struct header *)(memory + head);
    h->payloads = (uint64_t *)(memory + head + headers);
    h->signal[0] = 1; // of the kind that programs make
    // Pointers are numbers of packets, with a tag above that grows with each use; none is 0.
    uint64_t next = 0;
    for (unsigned i = 0; i < PACKETS; i++) {
        h->headers[i].next = next;
        next = PACKETS + i;
    }
    *h->head = (struct buffer_head){.headers = (uint64_t)(uintptr_t)h->headers,
                                    .payloads = (uint64_t)(uintptr_t)h->payloads,
                                    .doorbell = (uint64_t)(uintptr_t)h->signal,
                                    .free_stack = next,
                                    .index_mask = PACKETS - 1};
    return h;
}

// The state of the device library's heap (META-35), which begins as zeroes: no slabs yet, so it asks for
// some. Of the library's first version it has 100,872 bytes; clients give it at least 128 KiB.
uint64_t hostcall_heap(struct hostcall *h) {
    enum { HEAP = 1 << 20 };
    if (!h->heap) h->heap = sw_device_alloc(h->device, HEAP);
    return (uint64_t)(uintptr_t)h->heap;
}
uint64_t hostcall_address(const struct hostcall *h) { return (uint64_t)(uintptr_t)h->head; }

bool hostcall_gave_memory(const struct hostcall *h) { return h && h->gave_memory; }

void hostcall_rest(struct hostcall *h) {
    if (!h) return;
    for (size_t i = 0; i < h->dropped.count; i++) sw_device_free(h->device, h->dropped.items[i]);
    h->dropped.count = 0;
    fflush(stdout);
}

void hostcall_close(struct hostcall *h) {
    if (!h) return;
    for (size_t i = 0; i < h->messages.count; i++) array_free(&h->messages.items[i].words);
    array_free(&h->messages);
    array_free(&h->dropped);
    munmap(h->signal, PAGE);
    pthread_mutex_destroy(&h->lock);
    free(h);
}
