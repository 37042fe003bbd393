// SPDX-License-Identifier: MIT
// Changes as bytes of a file (doc/changes-file.md). Numbers are little-endian, nothing is aligned.
#include <stdlib.h>

#include "base/md5.h"
#include "changes/changes.h"
#include "changes/format.h"

struct out {
    ARRAY(uint8_t) all;
    bool failed;
};

static void put(struct out *o, const void *from, size_t count) {
    if (o->failed || !array_reserve(&o->all, count)) {
        o->failed = true;
        return;
    }
    if (count) memcpy(o->all.items + o->all.count, from, count);
    o->all.count += count;
}
static void put32(struct out *o, uint32_t v) { put(o, &v, sizeof v); }
static void put64(struct out *o, uint64_t v) { put(o, &v, sizeof v); }
static void put_name(struct out *o, const char *name) {
    put32(o, (uint32_t)strlen(name));
    put(o, name, strlen(name));
}

// Blocks that follow each other are a run.
static void put_blocks(struct out *o, const struct region *r) {
    const struct block *b = r->blocks.items;
    size_t runs = 0;
    for (size_t i = 0; i < r->blocks.count; i++) runs += !i || b[i].index != b[i - 1].index + 1;
    put64(o, runs);
    for (size_t i = 0, end; i < r->blocks.count; i = end) {
        for (end = i + 1; end < r->blocks.count && b[end].index == b[end - 1].index + 1;) end++;
        put64(o, b[i].index);
        put64(o, end - i);
        for (size_t n = i; n < end; n++) {
            put64(o, b[n].mask);
            for (unsigned byte = 0; byte < BLOCK_BYTES; byte++)
                if (b[n].mask >> byte & 1) put(o, &b[n].bytes[byte], 1);
        }
    }
}

static bool goes_on(const struct word *a, const struct word *b) {
    return b->offset == a->offset + a->bytes && b->kind == a->kind && b->bytes == a->bytes;
}

static void put_words(struct out *o, const struct region *r) {
    const struct word *w = r->words.items;
    size_t runs = 0;
    for (size_t i = 0; i < r->words.count; i++) runs += !i || !goes_on(&w[i - 1], &w[i]);
    put64(o, runs);
    for (size_t i = 0, end; i < r->words.count; i = end) {
        for (end = i + 1; end < r->words.count && goes_on(&w[end - 1], &w[end]);) end++;
        put64(o, w[i].offset);
        put64(o, end - i);
        put32(o, w[i].kind);
        put32(o, w[i].bytes);
        for (size_t n = i; n < end; n++) put(o, &w[n].operand, w[n].bytes);
    }
}

static void put_region(struct out *o, const struct region *r) {
    put_name(o, r->name);
    put64(o, r->bytes);
    put(o, r->digest, sizeof r->digest);
    put32(o, r->initial);
    put(o, r->pattern, sizeof r->pattern);
    if (r->initial == INITIAL_STORED) put(o, r->stored, r->bytes);
    put_blocks(o, r);
    put_words(o, r);
}

sw_status sw_changes_write(const sw_changes *c, uint8_t **out, size_t *size, const sw_sink *sink) {
    struct out o = {.failed = false};
    static const uint8_t no_digest[DIGEST_BYTES];
    *out = NULL;
    put(&o, CHANGES_MAGIC, CHANGES_MAGIC_BYTES);
    put32(&o, CHANGES_VERSION);
    put(&o, no_digest, sizeof no_digest);
    put(&o, c->fingerprint, sizeof c->fingerprint);
    put32(&o, c->share);
    put32(&o, c->shares);
    put64(&o, c->groups);
    put_name(&o, c->kernel);
    put_name(&o, c->target);
    put32(&o, (uint32_t)c->region_count);
    for (size_t i = 0; i < c->region_count; i++) put_region(&o, &c->regions[i]);
    if (o.failed) {
        array_free(&o.all);
        return no_memory(sink);
    }
    md5(o.all.items + CHANGES_CHECKED_FROM, o.all.count - CHANGES_CHECKED_FROM,
        o.all.items + CHANGES_MAGIC_BYTES + sizeof(uint32_t));
    *out = o.all.items;
    *size = o.all.count;
    return SW_OK;
}

void sw_changes_free_bytes(uint8_t *bytes) { free(bytes); }
