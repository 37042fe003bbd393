// SPDX-License-Identifier: MIT
// Mergeable sections: strings, or records of one size, of which equal ones share their bytes in the output.
//
// Those of one output section that agree in flags, entry size and (strings) alignment form a group, which
// stands where the first of them would. ld.lld distributes a group's pieces over 32 shards by their hash, to
// fill the shards in parallel, and puts the shards behind one another; so do we, one after the other, for the
// same bytes. With -O2 strings are sorted from their ends instead, so that one can lie inside another's tail.
#include <stdlib.h>
#include <string.h>

#include "link/link.h"

enum { SHARDS = 32 };

bool section_mergeable(struct link *l, const struct input_section *s) {
    if (!(s->flags & SHF_MERGE) || l->options->merge == SW_MERGE_NOTHING) return false;
    if (!s->data || !s->size || !s->entry_size) return false;
    if (s->size % s->entry_size || s->size > UINT32_MAX)
        link_error(l, s->file, s->name, "size 0x%llx is no multiple of the entry size 0x%llx",
                   (unsigned long long)s->size, (unsigned long long)s->entry_size);
    else if (s->flags & SHF_WRITE)
        link_error(l, s->file, s->name, "a section to be merged must not be writable");
    else
        return true;
    return false;
}

// Length of the string at `at` without its terminator; the section ends in one.
static uint64_t string_length(const struct input_section *s, uint64_t at) {
    if (s->entry_size == 1) return strlen((const char *)s->data + at);
    for (uint64_t i = at;; i += s->entry_size) {
        uint64_t zeros = 0;
        while (zeros < s->entry_size && !s->data[i + zeros]) zeros++;
        if (zeros == s->entry_size) return i - at;
    }
}

static bool ends_in_zero(const struct input_section *s) {
    for (uint64_t i = s->size - s->entry_size; i < s->size; i++)
        if (s->data[i]) return false;
    return true;
}

void pieces_split(struct link *l, struct input_section *s) {
    bool strings = s->flags & SHF_STRINGS, live = !(s->flags & SHF_ALLOC) || !l->options->gc_sections;
    if (strings && !ends_in_zero(s)) {
        link_error(l, s->file, s->name, "the last string does not end");
        return;
    }
    ARRAY(struct piece) pieces = {0};
    for (uint64_t at = 0; at < s->size;) {
        uint64_t length = strings ? string_length(s, at) : s->entry_size;
        struct piece p = {
            .offset = (uint32_t)at, .hash = (uint32_t)hash64(s->data + at, length) >> 1, .live = live};
        if (!link_push(l, &pieces, p)) break;
        at += length + (strings ? s->entry_size : 0);
    }
    if ((s->pieces = link_alloc(l, pieces.count * sizeof *s->pieces)))
        memcpy(s->pieces, pieces.items, pieces.count * sizeof *s->pieces);
    s->piece_count = pieces.count;
    array_free(&pieces);
}

// ---- Groups ----

void merge_into(struct link *l, struct output_section *out, struct input_section *s) {
    struct merge_kind kind;
    memset(&kind, 0, sizeof kind);
    kind.out = out;
    kind.flags = s->flags;
    kind.entry_size = s->entry_size;
    kind.alignment = s->flags & SHF_STRINGS ? s->alignment : 0;
    struct merge_group *g = name_table_get(&l->merge_kinds, (const char *)&kind, sizeof kind);
    if (!g) {
        if (!(g = link_alloc(l, sizeof *g)) || !link_push(l, &l->merge_groups, g)) return;
        g->kind = kind;
        void **value = name_table_at(&l->merge_kinds, (const char *)&g->kind, sizeof g->kind);
        if (!value) {
            link_no_memory(l);
            return;
        }
        *value = g;
        g->section = (struct input_section){.kind = SECTION_PLAIN,
                                            .own = OWN_MERGE,
                                            .name = s->name,
                                            .type = s->type,
                                            .flags = s->flags,
                                            .alignment = s->alignment,
                                            .entry_size = s->entry_size,
                                            .live = true,
                                            .out = out,
                                            .group = g};
        link_push(l, &out->inputs, &g->section);
    }
    if (s->alignment > g->section.alignment) g->section.alignment = s->alignment;
    s->group = g;
    link_push(l, &g->members, s);
}

struct item {
    struct piece *piece;
    const uint8_t *bytes;
    uint64_t length;
};

static uint64_t piece_length(const struct input_section *s, size_t i) {
    return (i + 1 < s->piece_count ? s->pieces[i + 1].offset : s->size) - s->pieces[i].offset;
}

static bool same(const struct item *a, const struct item *b) {
    return a->length == b->length && !memcmp(a->bytes, b->bytes, a->length);
}

struct filler {
    struct link *l;
    struct merge_group *g;
    struct item *items; // live pieces in order
    size_t count;
    size_t *first; // items that brought something new
    size_t first_count;
};

// Finds the items that no earlier one equals, and lets the others follow the first of their kind.
static bool find_equal(struct filler *f, size_t *leader) {
    size_t size = 16;
    while (size < 2 * f->count) size *= 2;
    size_t *table = calloc(size, sizeof *table); // item + 1
    if (!table) return false;
    struct hash_key key;
    hash_key_make(&key);
    for (size_t i = 0; i < f->count; i++) {
        size_t at = hash_keyed(&key, f->items[i].bytes, f->items[i].length) & (size - 1);
        while (table[at] && !(f->items[table[at] - 1].piece->hash == f->items[i].piece->hash &&
                              same(&f->items[table[at] - 1], &f->items[i])))
            at = (at + 1) & (size - 1);
        if (!table[at]) {
            table[at] = i + 1;
            f->first[f->first_count++] = i;
        }
        leader[i] = table[at] - 1;
    }
    free(table);
    return true;
}

static uint64_t place_by_shard(struct filler *f) {
    uint64_t alignment = f->g->section.alignment, start = 0, counts[SHARDS + 1] = {0};
    size_t *order = malloc((f->first_count + 1) * sizeof *order);
    if (!order) {
        link_no_memory(f->l);
        return 0;
    }
    for (size_t i = 0; i < f->first_count; i++) counts[(f->items[f->first[i]].piece->hash >> 26) + 1]++;
    for (int i = 0; i < SHARDS; i++) counts[i + 1] += counts[i];
    for (size_t i = 0; i < f->first_count; i++)
        order[counts[f->items[f->first[i]].piece->hash >> 26]++] = f->first[i]; // stable
    for (size_t i = 0; i < f->first_count; i++) {
        struct item *item = &f->items[order[i]];
        start = align_up(start, alignment);
        item->piece->place = start;
        start += item->length;
    }
    free(order);
    return start;
}

// By the reversed bytes, descending, so that a string stands before those that end it.
static int by_tail(const void *a, const void *b, void *context) {
    const struct item *items = context, *x = &items[*(const size_t *)a], *y = &items[*(const size_t *)b];
    uint64_t n = x->length < y->length ? x->length : y->length;
    for (uint64_t i = 1; i <= n; i++) {
        int c = y->bytes[y->length - i] - x->bytes[x->length - i];
        if (c) return c;
    }
    return x->length < y->length ? 1 : x->length > y->length ? -1 : 0;
}

static uint64_t place_by_tail(struct filler *f) {
    uint64_t alignment = f->g->section.alignment, size = 0;
    const struct item *last = NULL;
    qsort_r(f->first, f->first_count, sizeof *f->first, by_tail, f->items);
    for (size_t i = 0; i < f->first_count; i++) {
        struct item *item = &f->items[f->first[i]];
        bool inside = last && last->length >= item->length &&
                      !memcmp(last->bytes + last->length - item->length, item->bytes, item->length);
        if (inside && !((size - item->length) & (alignment - 1))) {
            item->piece->place = size - item->length;
            continue;
        }
        size = align_up(size, alignment);
        item->piece->place = size;
        size += item->length;
        last = item;
    }
    return size;
}

static void fill(struct filler *f, size_t *leader) {
    bool tails = f->l->options->merge == SW_MERGE_TAILS && (f->g->section.flags & SHF_STRINGS);
    uint64_t size = tails ? place_by_tail(f) : place_by_shard(f);
    for (size_t i = 0; i < f->count; i++) f->items[i].piece->place = f->items[leader[i]].piece->place;
    f->g->section.size = size;
    if (!(f->g->bytes = link_alloc(f->l, size))) return;
    for (size_t i = 0; i < f->first_count; i++) {
        const struct item *item = &f->items[f->first[i]];
        memcpy(f->g->bytes + item->piece->place, item->bytes, item->length);
    }
    f->g->section.data = f->g->bytes;
}

static void finish_group(struct link *l, struct merge_group *g) {
    size_t count = 0;
    uint64_t room = 0;
    for (size_t m = 0; m < g->members.count; m++) {
        count += g->members.items[m]->piece_count;
        room += g->members.items[m]->size;
    }
    if (count && room + count * g->section.alignment > l->options->max_output) {
        link_error(l, NULL, g->section.name, "the pieces take more than %llu bytes",
                   (unsigned long long)l->options->max_output);
        return;
    }
    struct filler f = {.l = l, .g = g};
    f.items = malloc((count + 1) * sizeof *f.items);
    f.first = malloc((count + 1) * sizeof *f.first);
    size_t *leader = malloc((count + 1) * sizeof *leader);
    if (f.items && f.first && leader) {
        for (size_t m = 0; m < g->members.count; m++) {
            const struct input_section *s = g->members.items[m];
            for (size_t i = 0; i < s->piece_count; i++)
                if (s->pieces[i].live)
                    f.items[f.count++] =
                        (struct item){&s->pieces[i], s->data + s->pieces[i].offset, piece_length(s, i)};
        }
        if (find_equal(&f, leader))
            fill(&f, leader);
        else
            link_no_memory(l);
    } else
        link_no_memory(l);
    free(f.items);
    free(f.first);
    free(leader);
}

void merge_finish(struct link *l) {
    for (size_t i = 0; i < l->merge_groups.count && !link_failed(l); i++)
        finish_group(l, l->merge_groups.items[i]);
}
