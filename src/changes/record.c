// SPDX-License-Identifier: MIT
// Finding what a share changed: a copy of the regions from before is compared with what they hold after, and
// atomic operations are noted as they happen, in 16 bits for each dword.
#include <stdlib.h>

#include "base/md5.h"
#include "base/sized.h"
#include "changes/changes.h"

// ---- Atomic operations ----

// Of a dword: a bit for each sw_atomic_kind, and whether it was the first or the second half of eight bytes,
// or a word of its own.
enum { SINGLE = 1 << 9, FIRST = 1 << 10, SECOND = 1 << 11, KINDS = (1 << 9) - 1 };

static void note(struct region *r, uint64_t dword, unsigned bits) {
    uint16_t *at = &r->touched[dword];
    if ((__atomic_load_n(at, __ATOMIC_RELAXED) & bits) != bits)
        __atomic_fetch_or(at, (uint16_t)bits, __ATOMIC_RELAXED);
}

static void note_in_region(struct region *r, const sw_atomic_event *e) {
    bool any = false;
    for (uint64_t left = e->lanes; left; left &= left - 1) {
        const uint64_t offset = e->addresses[__builtin_ctzll(left)] - (uint64_t)(uintptr_t)r->memory;
        if (!in_range(offset, e->bytes, r->bytes)) continue;
        any = true;
        note(r, offset / 4, 1u << e->kind | (e->bytes == 8 ? FIRST : SINGLE));
        if (e->bytes == 8) note(r, offset / 4 + 1, 1u << e->kind | SECOND);
    }
    if (any && !__atomic_load_n(&r->any_touched, __ATOMIC_RELAXED))
        __atomic_store_n(&r->any_touched, true, __ATOMIC_RELAXED);
}

static void note_atomic(void *context, const sw_atomic_event *e) {
    sw_changes *c = context;
    for (size_t i = 0; i < c->region_count; i++) note_in_region(&c->regions[i], e);
}

// The word that begins at this dword; bytes 0: none was touched. What was touched in more than one way is
// ordered, dword by dword.
static struct word word_at(const struct region *r, uint64_t dword) {
    const unsigned bits = r->touched[dword], kinds = bits & KINDS, form = bits & ~(unsigned)KINDS;
    struct word w = {.offset = 4 * dword, .kind = SW_ATOMIC_ORDERED, .bytes = bits ? 4 : 0};
    const bool one_kind = kinds && !(kinds & (kinds - 1));
    if (!one_kind || (form != SINGLE && form != FIRST)) return w;
    if (form == FIRST && r->touched[dword + 1] != (kinds | SECOND)) return w;
    w.kind = (uint8_t)__builtin_ctz(kinds);
    if (form == FIRST) w.bytes = 8;
    return w;
}

static uint64_t load(const uint8_t *from, unsigned bytes) { return bytes == 8 ? rd64(from) : rd32(from); }

// Sets the operand. Whether the operations had any effect.
static bool find_operand(const struct region *r, struct word *w) {
    const uint64_t old = load(r->before + w->offset, w->bytes), new = load(r->memory + w->offset, w->bytes);
    if (w->kind == SW_ATOMIC_ADD)
        w->operand = w->bytes == 8 ? new - old : (uint32_t)(new - old);
    else if (w->kind == SW_ATOMIC_XOR)
        w->operand = new ^ old;
    else
        w->operand = new;
    return old != new;
}

// Also leaves bit 15 of every dword whose change is kept as an operand: its bytes are not.
enum { KEPT = 1 << 15 };
static bool find_words(struct region *r) {
    const uint64_t dwords = r->any_touched ? r->bytes / 4 : 0;
    for (uint64_t i = 0; i < dwords; i++) {
        struct word w = word_at(r, i);
        if (!w.bytes) continue;
        const bool commutes = w.kind != SW_ATOMIC_ORDERED;
        if ((!commutes || find_operand(r, &w)) && !array_push(&r->words, w)) return false;
        for (unsigned n = 0; commutes && n < w.bytes / 4u; n++) r->touched[i + n] = KEPT;
        i += w.bytes / 4u - 1;
    }
    return true;
}

// ---- Bytes ----

static bool find_block(struct region *r, uint64_t index) {
    const uint64_t at = index * BLOCK_BYTES, left = r->bytes - at;
    const unsigned count = left < BLOCK_BYTES ? (unsigned)left : BLOCK_BYTES;
    if (!memcmp(r->memory + at, r->before + at, count)) return true;
    struct block b = {.index = index};
    for (unsigned i = 0; i < count; i++) {
        if (r->memory[at + i] == r->before[at + i] || (r->any_touched && r->touched[(at + i) / 4] == KEPT))
            continue;
        b.mask |= 1ull << i;
        b.bytes[i] = r->memory[at + i];
    }
    return !b.mask || array_push(&r->blocks, b);
}

static bool find_changes(struct region *r) {
    if (!find_words(r)) return false;
    for (uint64_t i = 0; i * BLOCK_BYTES < r->bytes; i++)
        if (!find_block(r, i)) return false;
    free(r->before);
    free(r->touched);
    r->before = NULL;
    r->touched = NULL;
    return true;
}

sw_status sw_changes_end(sw_changes *c, const sw_sink *sink) {
    for (size_t i = 0; i < c->region_count; i++)
        if (c->regions[i].before && !find_changes(&c->regions[i])) return no_memory(sink);
    return SW_OK;
}

// ---- What the run is ----

static sw_status take_region(struct region *r, const sw_region *from, const sw_sink *sink) {
    if (!from->name || strlen(from->name) > NAME_MOST || (uintptr_t)from->memory & 7)
        return diag_fail(sink, SW_USAGE, NULL,
                         "a region needs a name of up to %d characters and memory aligned to 8 bytes",
                         NAME_MOST);
    r->name = strdup(from->name);
    r->bytes = from->bytes;
    r->memory = from->memory;
    r->before = malloc(r->bytes ? r->bytes : 1);
    r->touched = calloc(r->bytes / 4 + 2, sizeof *r->touched);
    if (!r->name || !r->before || !r->touched) return no_memory(sink);
    memcpy(r->before, r->memory, r->bytes);
    md5(r->before, r->bytes, r->digest);
    memcpy(r->pattern, r->before, r->bytes < PATTERN_BYTES ? r->bytes : PATTERN_BYTES);
    if (r->bytes <= PATTERN_BYTES || !memcmp(r->before, r->before + PATTERN_BYTES, r->bytes - PATTERN_BYTES))
        return SW_OK;
    r->initial = r->bytes <= STORED_MOST ? INITIAL_STORED : INITIAL_ELSEWHERE;
    if (r->initial == INITIAL_ELSEWHERE) return SW_OK;
    if (!(r->stored = malloc(r->bytes))) return no_memory(sink);
    memcpy(r->stored, r->before, r->bytes);
    return SW_OK;
}

struct bytes {
    ARRAY(uint8_t) all;
    bool failed;
};
static void add(struct bytes *b, const void *from, size_t count) {
    if (b->failed || !array_reserve(&b->all, count)) {
        b->failed = true;
        return;
    }
    if (count) memcpy(b->all.items + b->all.count, from, count);
    b->all.count += count;
}
static void add_text(struct bytes *b, const char *text) { add(b, text, strlen(text) + 1); }

// Of an argument: pointers into regions count as that, wherever the regions are.
static void add_argument(struct bytes *b, const sw_changes *c, const uint8_t *at, size_t count) {
    for (; count >= 8; at += 8, count -= 8) {
        const uint64_t value = rd64(at);
        uint64_t word[2] = {UINT64_MAX, value};
        for (uint64_t i = 0; i < c->region_count && word[0] == UINT64_MAX; i++) {
            const uint64_t offset = value - (uint64_t)(uintptr_t)c->regions[i].memory;
            if (offset <= c->regions[i].bytes) word[0] = i, word[1] = offset;
        }
        add(b, word, sizeof word);
    }
    add(b, at, count);
}

static void add_arguments(struct bytes *b, const sw_changes *c, const sw_kernel *k, const uint8_t *kernarg) {
    if (!k->argument_count) add_argument(b, c, kernarg, k->kernarg_segment_size);
    for (size_t i = 0; i < k->argument_count; i++) {
        const sw_argument *a = sw_kernel_argument(k, i);
        if (sw_value_kind_is_hidden(a->value_kind) || !in_range(a->offset, a->size, k->kernarg_segment_size))
            continue;
        const uint64_t place[2] = {a->offset, a->size};
        add(b, place, sizeof place);
        add_argument(b, c, kernarg + a->offset, a->size);
    }
}

static bool take_fingerprint(sw_changes *c, const sw_changes_options *o, const sw_dispatch *q) {
    struct bytes b = {.failed = false};
    const uint32_t sizes[] = {q->grid[0],
                              q->grid[1],
                              q->grid[2],
                              q->block[0],
                              q->block[1],
                              q->block[2],
                              q->group_segment_size,
                              q->private_segment_size,
                              c->shares};
    add_text(&b, c->kernel);
    add_text(&b, c->target);
    add_text(&b, o->setup ? o->setup : "");
    add(&b, sizes, sizeof sizes);
    add_arguments(&b, c, o->kernel, (const uint8_t *)(uintptr_t)q->kernarg);
    for (size_t i = 0; i < c->region_count; i++) {
        const struct region *r = &c->regions[i];
        add_text(&b, r->name);
        add(&b, &r->bytes, sizeof r->bytes);
        add(&b, r->digest, sizeof r->digest);
    }
    if (!b.failed) md5(b.all.items, b.all.count, c->fingerprint);
    array_free(&b.all);
    return !b.failed;
}

void changes_split(sw_changes *c) {
    const uint64_t whole = c->groups / c->shares, rest = c->groups % c->shares, before = c->share - 1;
    c->first_group = before * whole + (before < rest ? before : rest);
    c->group_count = whole + (before < rest);
}

static sw_status take_grid(sw_changes *c, const sw_dispatch *q, const sw_sink *sink) {
    c->groups = 1;
    for (int i = 0; i < 3; i++) {
        if (!q->grid[i] || !q->block[i])
            return diag_fail(sink, SW_USAGE, NULL, "grid and work-group sizes must not be 0");
        const uint64_t groups = ((uint64_t)q->grid[i] + q->block[i] - 1) / q->block[i];
        if (c->groups > (1ull << 48) / groups)
            return diag_fail(sink, SW_BAD_INPUT, NULL, "the grid has too many work-groups");
        c->groups *= groups;
    }
    if (!c->shares || c->shares > SHARES_MOST || !c->share || c->share > c->shares)
        return diag_fail(sink, SW_USAGE, NULL, "shares are numbered from 1 on, and there are at most %d",
                         SHARES_MOST);
    if (c->shares > c->groups)
        return diag_fail(sink, SW_USAGE, NULL, "%u shares of a grid that has %llu work-group%s", c->shares,
                         (unsigned long long)c->groups, c->groups == 1 ? "" : "s");
    changes_split(c);
    return SW_OK;
}

static sw_status begin(sw_changes *c, const sw_changes_options *o, const sw_dispatch *q,
                       const sw_sink *sink) {
    if (!o->kernel || !o->device || o->region_count > SW_MOST_REGIONS)
        return diag_fail(sink, SW_USAGE, NULL, "a kernel, a device, and at most %d regions are needed",
                         SW_MOST_REGIONS);
    c->share = o->share;
    c->shares = o->shares;
    sw_status status = take_grid(c, q, sink);
    if (status != SW_OK) return status;
    char target[SW_TARGET_TEXT];
    sw_target_format(sw_device_target(o->device), target);
    c->kernel = strdup(o->kernel->name ? o->kernel->name : "");
    c->target = strdup(target);
    c->regions = calloc(o->region_count ? o->region_count : 1, sizeof *c->regions);
    if (!c->kernel || !c->target || !c->regions) return no_memory(sink);
    for (; status == SW_OK && c->region_count < o->region_count; c->region_count++)
        status = take_region(&c->regions[c->region_count], &o->regions[c->region_count], sink);
    if (status == SW_OK && !take_fingerprint(c, o, q)) status = no_memory(sink);
    return status;
}

sw_status sw_changes_begin(const sw_changes_options *given, sw_dispatch *q, sw_changes **out,
                           const sw_sink *sink) {
    sw_changes_options o;
    *out = NULL;
    sw_status status = sized_take(SIZED(sw_changes_options, setup), &o, given, sink);
    if (status != SW_OK) return status;
    if (q->size < offsetof(sw_dispatch, atomic_context) + sizeof q->atomic_context)
        return diag_fail(sink, SW_USAGE, NULL, "this sw_dispatch is of an older header and has no shares");
    sw_changes *c = calloc(1, sizeof *c);
    if (!c) return no_memory(sink);
    status = begin(c, &o, q, sink);
    if (status != SW_OK) {
        sw_changes_free(c);
        return status;
    }
    q->first_group = c->first_group;
    q->group_count = c->group_count;
    q->atomic = note_atomic;
    q->atomic_context = c;
    *out = c;
    return SW_OK;
}

void sw_changes_free(sw_changes *c) {
    if (!c) return;
    for (size_t i = 0; i < c->region_count; i++) {
        struct region *r = &c->regions[i];
        free(r->name);
        free(r->stored);
        free(r->before);
        free(r->touched);
        array_free(&r->blocks);
        array_free(&r->words);
    }
    free(c->regions);
    free(c->kernel);
    free(c->target);
    free(c);
}
