// SPDX-License-Identifier: MIT
// Shares become one: their changes are sorted by address, and what stands at the same address is joined or
// refused. Then what a region holds after the run, from what it held before.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/md5.h"
#include "base/sized.h"
#include "changes/changes.h"

// ---- Words ----

static int64_t signed_of(const struct word *w, uint64_t v) { return sign_extend(v, 8u * w->bytes); }

uint64_t word_join(const struct word *w, uint64_t other) {
    const uint64_t v = w->operand, most = ~0ull >> (64 - 8 * w->bytes);
    switch (w->kind) {
    case SW_ATOMIC_ADD: return (v + other) & most;
    case SW_ATOMIC_AND: return v & other;
    case SW_ATOMIC_OR: return v | other;
    case SW_ATOMIC_XOR: return v ^ other;
    case SW_ATOMIC_MIN_SIGNED: return signed_of(w, other) < signed_of(w, v) ? other : v;
    case SW_ATOMIC_MIN_UNSIGNED: return other < v ? other : v;
    case SW_ATOMIC_MAX_SIGNED: return signed_of(w, other) > signed_of(w, v) ? other : v;
    case SW_ATOMIC_MAX_UNSIGNED: return other > v ? other : v;
    default: return other; // ordered: what it holds stands among the bytes
    }
}
// Operands are what the operations make of a neutral element, but for min, max, AND and OR, whose operand has
// the old value in it already: joining that once more changes nothing.
uint64_t word_apply(const struct word *w, uint64_t old) { return word_join(w, old); }

// ---- Are these the shares of one run? ----

static sw_status check_runs(const sw_changes *const *shares, size_t count, const sw_sink *sink) {
    const sw_changes *first = shares[0];
    for (size_t i = 0; i < count; i++) {
        const sw_changes *c = shares[i];
        if (!c->share) return diag_fail(sink, SW_BAD_INPUT, NULL, "what is merged already is no share");
        bool same = c->shares == first->shares && c->groups == first->groups &&
                    c->region_count == first->region_count &&
                    !memcmp(c->fingerprint, first->fingerprint, sizeof c->fingerprint);
        for (size_t r = 0; same && r < c->region_count; r++)
            same = c->regions[r].bytes == first->regions[r].bytes &&
                   !strcmp(c->regions[r].name, first->regions[r].name);
        if (!same)
            return diag_fail(
                sink, SW_BAD_INPUT, NULL,
                "share %u of %u (kernel %s on %s) and share %u of %u (kernel %s on %s) are of different "
                "runs: kernel, code, GPU, grid, arguments and contents of buffers must be the same",
                first->share, first->shares, first->kernel, first->target, c->share, c->shares, c->kernel,
                c->target);
    }
    return SW_OK;
}

static sw_status check_complete(const sw_changes *const *shares, size_t count, const sw_sink *sink) {
    const unsigned all = shares[0]->shares;
    uint8_t *there = calloc(all + 1u, 1);
    if (!there) return no_memory(sink);
    sw_status status = SW_OK;
    for (size_t i = 0; i < count; i++)
        if (there[shares[i]->share]++ && status == SW_OK)
            status =
                diag_fail(sink, SW_BAD_INPUT, NULL, "share %u of %u is there twice", shares[i]->share, all);
    unsigned missing = 0;
    for (unsigned i = 1; i <= all && status == SW_OK; i++) missing += !there[i];
    enum { NAMED = 20 };
    for (unsigned i = 1, named = 0; i <= all && missing && named < NAMED; i++) {
        if (there[i]) continue;
        diag_fail(sink, SW_BAD_INPUT, NULL, "share %u of %u is missing", i, all);
        named++;
        status = SW_BAD_INPUT;
    }
    if (missing > NAMED) diag_note(sink, NULL, "%u shares are missing in all", missing);
    free(there);
    return status;
}

// ---- Joining ----

// Where a change of a share stands.
struct place {
    uint64_t at; // index of the block, or offset of the word
    unsigned share;
    union {
        const struct block *block;
        const struct word *word;
    };
};
struct places {
    ARRAY(struct place) all;
};

static int by_place(const void *a, const void *b) {
    const struct place *x = a, *y = b;
    if (x->at != y->at) return x->at < y->at ? -1 : 1;
    return x->share < y->share ? -1 : x->share > y->share;
}

// What a region of all shares is joined from.
struct joining {
    const struct region *region;
    struct places blocks, words;
    const sw_sink *sink;
    unsigned shares;
};

static bool collect(struct joining *j, const sw_changes *const *shares, size_t count, size_t index) {
    for (size_t i = 0; i < count; i++) {
        const struct region *r = &shares[i]->regions[index];
        for (size_t n = 0; n < r->blocks.count; n++) {
            const struct block *b = &r->blocks.items[n];
            if (!array_push(&j->blocks.all,
                            (struct place){.at = b->index, .share = shares[i]->share, .block = b}))
                return false;
        }
        for (size_t n = 0; n < r->words.count; n++) {
            const struct word *w = &r->words.items[n];
            if (!array_push(&j->words.all,
                            (struct place){.at = w->offset, .share = shares[i]->share, .word = w}))
                return false;
        }
    }
    if (j->blocks.all.count)
        qsort(j->blocks.all.items, j->blocks.all.count, sizeof *j->blocks.all.items, by_place);
    if (j->words.all.count)
        qsort(j->words.all.items, j->words.all.count, sizeof *j->words.all.items, by_place);
    return true;
}

static sw_status conflict(const struct joining *j, uint64_t offset, unsigned a, unsigned b,
                          const char *what) {
    return diag_fail(j->sink, SW_CHECK, NULL, "%s+0x%" PRIx64 ": shares %u and %u of %u %s", j->region->name,
                     offset, a < b ? a : b, a < b ? b : a, j->shares, what);
}

// Blocks of the same index. `from`: the share that each byte is of.
static sw_status join_block(const struct joining *j, struct block *into, unsigned from[BLOCK_BYTES],
                            const struct place *p) {
    for (unsigned i = 0; i < BLOCK_BYTES; i++) {
        if (!(p->block->mask >> i & 1)) continue;
        if (into->mask >> i & 1 && into->bytes[i] != p->block->bytes[i])
            return conflict(j, into->index * BLOCK_BYTES + i, from[i], p->share,
                            "changed this byte differently");
        into->mask |= 1ull << i;
        into->bytes[i] = p->block->bytes[i];
        from[i] = p->share;
    }
    return SW_OK;
}

static sw_status join_blocks(const struct joining *j, struct region *out) {
    const struct place *p = j->blocks.all.items;
    for (size_t i = 0, count = j->blocks.all.count; i < count;) {
        struct block b = {.index = p[i].at};
        unsigned from[BLOCK_BYTES];
        for (; i < count && p[i].at == b.index; i++) {
            const sw_status status = join_block(j, &b, from, &p[i]);
            if (status != SW_OK) return status;
        }
        if (!array_push(&out->blocks, b)) return no_memory(j->sink);
    }
    return SW_OK;
}

static const char in_order[] =
    "did atomic operations on this word that depend on their order: exchanges, compare-and-swap, "
    "float operations, or those whose old value the kernel uses";

// A word and the one before it, which may be the same or overlap.
static sw_status join_word(const struct joining *j, struct region *out, unsigned *last_share,
                           const struct place *p) {
    const struct word *w = p->word;
    struct word *last = out->words.count ? &out->words.items[out->words.count - 1] : NULL;
    if (!last || w->offset >= last->offset + last->bytes) {
        *last_share = p->share;
        return array_push(&out->words, *w) ? SW_OK : no_memory(j->sink);
    }
    if (w->kind == SW_ATOMIC_ORDERED || last->kind == SW_ATOMIC_ORDERED)
        return conflict(j, w->offset, *last_share, p->share, in_order);
    if (w->kind != last->kind || w->bytes != last->bytes || w->offset != last->offset)
        return conflict(j, w->offset, *last_share, p->share,
                        "did atomic operations of different kinds on this word");
    last->operand = word_join(last, w->operand);
    *last_share = p->share;
    return SW_OK;
}

static sw_status join_words(const struct joining *j, struct region *out) {
    unsigned last_share = 0;
    for (size_t i = 0; i < j->words.all.count; i++) {
        const sw_status status = join_word(j, out, &last_share, &j->words.all.items[i]);
        if (status != SW_OK) return status;
    }
    return SW_OK;
}

// Bytes that one share changed, and that another touched with atomic operations. Both are sorted; a block has
// several words, and a word of eight bytes may reach into the next block.
static sw_status check_words(const struct joining *j) {
    const struct place *blocks = j->blocks.all.items, *words = j->words.all.items;
    size_t first = 0;
    for (size_t i = 0; i < j->words.all.count; i++) {
        const uint64_t begin = words[i].at, end = begin + words[i].word->bytes;
        while (first < j->blocks.all.count && blocks[first].at < begin / BLOCK_BYTES) first++;
        for (size_t n = first; n < j->blocks.all.count && blocks[n].at * BLOCK_BYTES < end; n++)
            for (uint64_t at = begin; at < end && blocks[n].share != words[i].share; at++)
                if (at / BLOCK_BYTES == blocks[n].at && blocks[n].block->mask >> at % BLOCK_BYTES & 1)
                    return conflict(j, at, blocks[n].share, words[i].share,
                                    "changed this word, one by a store and one by atomic operations");
    }
    return SW_OK;
}

static sw_status join_region(const sw_changes *const *shares, size_t count, size_t index, struct region *out,
                             const sw_sink *sink) {
    const struct region *r = &shares[0]->regions[index];
    struct joining j = {.region = r, .sink = sink, .shares = shares[0]->shares};
    out->name = strdup(r->name);
    out->bytes = r->bytes;
    out->initial = r->initial;
    memcpy(out->digest, r->digest, sizeof out->digest);
    memcpy(out->pattern, r->pattern, sizeof out->pattern);
    if (r->stored && (out->stored = malloc(r->bytes ? r->bytes : 1)))
        memcpy(out->stored, r->stored, r->bytes);
    sw_status status = SW_OK;
    if (!out->name || (r->stored && !out->stored) || !collect(&j, shares, count, index))
        status = no_memory(sink);
    if (status == SW_OK) status = join_words(&j, out);
    if (status == SW_OK) status = check_words(&j);
    if (status == SW_OK) status = join_blocks(&j, out);
    array_free(&j.blocks.all);
    array_free(&j.words.all);
    return status;
}

sw_status sw_changes_merge(const sw_changes *const *shares, size_t count, sw_changes **out,
                           const sw_sink *sink) {
    *out = NULL;
    if (!count) return diag_fail(sink, SW_USAGE, NULL, "no shares to merge");
    sw_status status = check_runs(shares, count, sink);
    if (status == SW_OK) status = check_complete(shares, count, sink);
    if (status != SW_OK) return status;
    const sw_changes *first = shares[0];
    sw_changes *c = calloc(1, sizeof *c);
    if (!c) return no_memory(sink);
    c->shares = first->shares;
    c->groups = c->group_count = first->groups;
    c->kernel = strdup(first->kernel);
    c->target = strdup(first->target);
    memcpy(c->fingerprint, first->fingerprint, sizeof c->fingerprint);
    c->regions = calloc(first->region_count ? first->region_count : 1, sizeof *c->regions);
    if (!c->kernel || !c->target || !c->regions) status = no_memory(sink);
    for (; status == SW_OK && c->region_count < first->region_count; c->region_count++)
        status = join_region(shares, count, c->region_count, &c->regions[c->region_count], sink);
    if (status == SW_OK)
        *out = c;
    else
        sw_changes_free(c);
    return status;
}

// ---- What is in them ----

sw_status sw_changes_look(const sw_changes *c, sw_changes_info *out) {
    const struct sized kind = SIZED(sw_changes_info, region_count);
    const sw_status status = sized_check(kind, out, NULL);
    if (status != SW_OK) return status;
    sized_fill(kind, out,
               &(sw_changes_info){.kernel = c->kernel,
                                  .target = c->target,
                                  .share = c->share,
                                  .shares = c->shares,
                                  .first_group = c->first_group,
                                  .group_count = c->group_count,
                                  .groups = c->groups,
                                  .region_count = c->region_count});
    return SW_OK;
}

sw_status sw_changes_region(const sw_changes *c, size_t index, sw_region_info *out) {
    const struct sized kind = SIZED(sw_region_info, has_initial);
    const sw_status status = sized_check(kind, out, NULL);
    if (status != SW_OK || index >= c->region_count) return SW_USAGE;
    const struct region *r = &c->regions[index];
    sw_region_info i = {.name = r->name, .bytes = r->bytes, .has_initial = r->initial != INITIAL_ELSEWHERE};
    for (size_t n = 0; n < r->blocks.count; n++)
        i.changed += (unsigned)__builtin_popcountll(r->blocks.items[n].mask);
    for (size_t n = 0; n < r->words.count; n++) {
        const bool ordered = r->words.items[n].kind == SW_ATOMIC_ORDERED;
        i.ordered += ordered;
        i.words += !ordered;
    }
    sized_fill(kind, out, &i);
    return SW_OK;
}

static sw_status check_region(const sw_changes *c, size_t index, uint64_t bytes, const sw_sink *sink) {
    if (index >= c->region_count) return diag_fail(sink, SW_USAGE, NULL, "there is no region %zu", index);
    const struct region *r = &c->regions[index];
    if (bytes == r->bytes) return SW_OK;
    return diag_fail(sink, SW_BAD_INPUT, NULL, "%s has %" PRIu64 " bytes, not %" PRIu64, r->name, r->bytes,
                     bytes);
}

sw_status sw_changes_initial(const sw_changes *c, size_t index, void *memory, uint64_t bytes,
                             const sw_sink *sink) {
    const sw_status status = check_region(c, index, bytes, sink);
    if (status != SW_OK) return status;
    const struct region *r = &c->regions[index];
    if (r->initial == INITIAL_ELSEWHERE)
        return diag_fail(sink, SW_BAD_INPUT, NULL,
                         "what %s held before the run is too much to be in its changes", r->name);
    if (r->initial == INITIAL_STORED) memcpy(memory, r->stored, bytes);
    for (uint64_t i = 0; r->initial == INITIAL_PATTERN && i < bytes; i += PATTERN_BYTES)
        memcpy((uint8_t *)memory + i, r->pattern, bytes - i < PATTERN_BYTES ? bytes - i : PATTERN_BYTES);
    return SW_OK;
}

sw_status sw_changes_apply(const sw_changes *c, size_t index, void *memory, uint64_t bytes,
                           const sw_sink *sink) {
    uint8_t digest[DIGEST_BYTES], *to = memory;
    const sw_status status = check_region(c, index, bytes, sink);
    if (status != SW_OK) return status;
    const struct region *r = &c->regions[index];
    if (r->initial == INITIAL_ELSEWHERE) {
        md5(memory, bytes, digest);
        if (memcmp(digest, r->digest, sizeof digest))
            return diag_fail(sink, SW_BAD_INPUT, NULL, "this is not what %s held before the run", r->name);
    }
    for (size_t i = 0; i < r->blocks.count; i++) {
        const struct block *b = &r->blocks.items[i];
        for (unsigned n = 0; n < BLOCK_BYTES; n++)
            if (b->mask >> n & 1) to[b->index * BLOCK_BYTES + n] = b->bytes[n];
    }
    for (size_t i = 0; i < r->words.count; i++) {
        const struct word *w = &r->words.items[i];
        uint8_t *at = to + w->offset;
        if (w->kind == SW_ATOMIC_ORDERED) continue;
        if (w->bytes == 8)
            wr64(at, word_apply(w, rd64(at)));
        else
            wr32(at, (uint32_t)word_apply(w, rd32(at)));
    }
    return SW_OK;
}
