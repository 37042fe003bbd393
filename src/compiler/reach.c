// SPDX-License-Identifier: MIT
// Lets jumps reach what is far. Every 8191 dwords the text gets an island: jumps that others jump to, and a
// jump over them for whoever comes from above. Needs no register and changes no flag. Part of the pass emit.
#include "compiler/reach.h"

#include "compiler/passes.h"

#include <stdio.h>

// Instructions have 5 dwords at most. What is NEAR can be reached with three islands of MOST_TARGETS between.
enum {
    MOST_DWORDS = 5,
    LONGEST = 0x7fff,
    NEAR = 0x3fff,
    GAP = 0x1fff,
    MOST_TARGETS = 0xfff,
    NO_ISLAND = 0xffffffff
};

// ---- Collecting ----

bool reach_begin(struct reach *r, const struct text *text, uint32_t blocks) {
    *r = (struct reach){.text = text, .begin = text->length, .seen = text->length, .blocks = blocks};
    r->labels = calloc(blocks + 1, sizeof *r->labels);
    return r->labels != NULL;
}

void reach_free(struct reach *r) {
    free(r->labels);
    array_free(&r->jumps);
    array_free(&r->islands);
}

// The text's end. Labels and directives count as instructions, too.
static struct reach_point here(struct reach *r, uint32_t block) {
    for (; r->seen < r->text->length; r->seen++)
        if (r->text->data[r->seen] == '\n' && r->dwords < UINT32_MAX / 2) r->dwords += MOST_DWORDS;
    return (struct reach_point){.at = r->seen, .dwords = r->dwords, .block = block};
}

static struct reach_point *label_of(const struct reach *r, uint32_t block) {
    return &r->labels[block == REACH_END ? r->blocks : block];
}

void reach_label(struct reach *r, uint32_t block) { *label_of(r, block) = here(r, block); }
void reach_jump(struct compiler *c, struct reach *r, uint32_t block) {
    if (!array_push(&r->jumps, here(r, block))) compiler_no_memory(c);
}
void reach_place(struct compiler *c, struct reach *r) {
    const struct reach_point point = here(r, 0);
    const uint32_t last = r->islands.count ? r->islands.items[r->islands.count - 1].dwords : 0;
    if (point.dwords - last >= GAP && !array_push(&r->islands, point)) compiler_no_memory(c);
}

// ---- Islands ----

struct islands {
    struct compiler *c;
    const struct reach *r;
    const char *name;
    uint32_t targets; // blocks that are far from a jump
    uint32_t *target; // by block: its number among these, plus one; 0: it is none
    bool *needed;     // by island and target: somebody goes that way
};

static bool is_near(uint32_t a, uint32_t b) { return (a < b ? b - a : a - b) <= NEAR; }

static uint32_t *target_of(const struct islands *k, uint32_t block) {
    return &k->target[block == REACH_END ? k->r->blocks : block];
}

static void find_targets(struct islands *k) {
    for (size_t n = 0; n < k->r->jumps.count && !k->c->status; n++) {
        const struct reach_point *jump = &k->r->jumps.items[n];
        uint32_t *number = target_of(k, jump->block);
        if (*number || is_near(jump->dwords, label_of(k->r, jump->block)->dwords)) continue;
        *number = ++k->targets;
    }
    if (k->targets > MOST_TARGETS) compiler_refuse(k->c, NULL, "a function with so many long jumps");
}

// The island by which one goes from a point to a label: the farthest that is near. NO_ISLAND: none is needed.
static uint32_t by_way_of(const struct islands *k, uint32_t from, uint32_t block) {
    const uint32_t to = label_of(k->r, block)->dwords, count = (uint32_t)k->r->islands.count;
    const struct reach_point *islands = k->r->islands.items;
    uint32_t low = 0, high = count, best = NO_ISLAND; // low: the first island behind `from`
    if (is_near(from, to)) return NO_ISLAND;
    while (low < high) {
        const uint32_t middle = (low + high) / 2;
        if (islands[middle].dwords > from)
            high = middle;
        else
            low = middle + 1;
    }
    if (to > from)
        for (uint32_t n = low; n < count && is_near(from, islands[n].dwords); n++) best = n;
    else
        for (uint32_t n = low; n-- > 0 && is_near(from, islands[n].dwords);)
            if (islands[n].dwords < from) best = n;
    if (best == NO_ISLAND) compiler_refuse(k->c, NULL, "a jump over so long an instruction");
    return best;
}

static bool *is_needed(const struct islands *k, uint32_t island, uint32_t block) {
    return &k->needed[(size_t)island * k->targets + *target_of(k, block) - 1];
}

static void find_ways(struct islands *k) {
    for (size_t n = 0; n < k->r->jumps.count; n++) {
        const uint32_t block = k->r->jumps.items[n].block;
        uint32_t at = k->r->jumps.items[n].dwords;
        for (uint32_t i; !k->c->status && (i = by_way_of(k, at, block)) != NO_ISLAND;) {
            if (*is_needed(k, i, block)) break;
            *is_needed(k, i, block) = true;
            at = k->r->islands.items[i].dwords;
        }
    }
}

// ---- Text ----

void reach_put_label(struct text *t, const char *name, uint32_t block) {
    char number[16];
    if (block == REACH_END)
        snprintf(number, sizeof number, "_end");
    else
        snprintf(number, sizeof number, "_%u", block);
    compiler_put_name(t, ".L", name, number);
}

static void put_far_label(const struct islands *k, struct text *t, uint32_t island, uint32_t block) {
    char behind[40];
    snprintf(behind, sizeof behind, block == REACH_END ? "_far%u_end" : "_far%u_%u", island, block);
    compiler_put_name(t, ".L", k->name, behind);
}

// The label to which one jumps from here in order to get to a block.
static void put_way(const struct islands *k, struct text *t, uint32_t from, uint32_t block) {
    const uint32_t island = by_way_of(k, from, block);
    if (island == NO_ISLAND)
        reach_put_label(t, k->name, block);
    else
        put_far_label(k, t, island, block);
    text_puts(t, "\n");
}

static void put_island(const struct islands *k, struct text *t, uint32_t island) {
    char over[24];
    snprintf(over, sizeof over, "_over%u", island);
    text_puts(t, "\ts_branch ");
    compiler_put_name(t, ".L", k->name, over);
    text_puts(t, "\n");
    for (uint32_t n = 0; n <= k->r->blocks; n++) {
        const uint32_t block = n == k->r->blocks ? REACH_END : n;
        if (!*target_of(k, block) || !*is_needed(k, island, block)) continue;
        put_far_label(k, t, island, block);
        text_puts(t, ":\n\ts_branch ");
        put_way(k, t, k->r->islands.items[island].dwords, block);
    }
    compiler_put_name(t, ".L", k->name, over);
    text_puts(t, ":\n");
}

static size_t line_end(const struct text *t, size_t at) {
    while (at < t->length && t->data[at] != '\n') at++;
    return at + 1;
}

static void rewrite(const struct islands *k, struct text *out) {
    const struct text *in = k->r->text;
    size_t from = k->r->begin;
    uint32_t island = 0;
    for (size_t n = 0; n <= k->r->jumps.count; n++) {
        const bool end = n == k->r->jumps.count;
        const struct reach_point *jump = &k->r->jumps.items[n];
        for (; island < k->r->islands.count && (end || k->r->islands.items[island].at <= jump->at);
             island++) {
            const size_t at = k->r->islands.items[island].at;
            text_add(out, in->data + from, at - from);
            put_island(k, out, island);
            from = at;
        }
        if (end) break;
        text_add(out, in->data + from, jump->at - from);
        put_way(k, out, jump->dwords, jump->block);
        from = line_end(in, jump->at);
    }
    text_add(out, in->data + from, in->length - from);
}

void reach_end(struct compiler *c, struct reach *r, const char *name) {
    struct islands k = {.c = c, .r = r, .name = name};
    struct text out = {0};
    here(r, 0);
    if (r->dwords <= LONGEST || c->status) return;
    k.target = calloc(r->blocks + 1, sizeof *k.target);
    if (!k.target) compiler_no_memory(c);
    if (!c->status) find_targets(&k);
    if (!c->status) k.needed = calloc(r->islands.count * k.targets + 1, sizeof *k.needed);
    if (!c->status && !k.needed) compiler_no_memory(c);
    if (!c->status) find_ways(&k);
    if (!c->status && k.targets) {
        rewrite(&k, &out);
        c->assembly->length = r->begin;
        text_add(c->assembly, out.data, out.length);
        if (out.failed) compiler_no_memory(c);
    }
    text_free(&out);
    free(k.target);
    free(k.needed);
}
