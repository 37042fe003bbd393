// SPDX-License-Identifier: MIT
// Changes from the bytes of a file (doc/changes-file.md), which may be any. What a file says is checked
// before it is kept, and takes memory in proportion to the file.
#include <stdlib.h>

#include "base/md5.h"
#include "changes/changes.h"
#include "changes/format.h"

struct in {
    const uint8_t *at, *end;
    const char *why; // what is wrong; NULL: nothing so far
    bool no_memory;
};

static bool bad(struct in *in, const char *why) {
    if (!in->why) in->why = why;
    return false;
}
// The next bytes; NULL: the file ends before.
static const uint8_t *take(struct in *in, uint64_t count) {
    if (in->why || in->no_memory || count > (uint64_t)(in->end - in->at))
        return bad(in, "it ends too early"), NULL;
    const uint8_t *at = in->at;
    in->at += count;
    return at;
}
static uint32_t take32(struct in *in) {
    const uint8_t *at = take(in, 4);
    return at ? rd32(at) : 0;
}
static uint64_t take64(struct in *in) {
    const uint8_t *at = take(in, 8);
    return at ? rd64(at) : 0;
}
static bool no_room(struct in *in) { return in->no_memory = true, false; }

static char *take_name(struct in *in) {
    const uint32_t length = take32(in);
    if (length > NAME_MOST) return bad(in, "a name is too long"), NULL;
    const uint8_t *at = take(in, length);
    if (!at) return NULL;
    if (memchr(at, 0, length)) return bad(in, "a name has a NUL in it"), NULL;
    char *name = malloc(length + 1);
    if (!name) return no_room(in), NULL;
    memcpy(name, at, length);
    name[length] = 0;
    return name;
}

// ---- Regions ----

static bool take_block(struct in *in, struct region *r, uint64_t index) {
    struct block b = {.index = index, .mask = take64(in)};
    const uint64_t left = r->bytes - index * BLOCK_BYTES;
    if (in->why) return false;
    if (!b.mask || (left < BLOCK_BYTES && b.mask >> left))
        return bad(in, "changed bytes lie outside of their region");
    const uint8_t *at = take(in, (unsigned)__builtin_popcountll(b.mask));
    if (!at) return false;
    for (unsigned i = 0; i < BLOCK_BYTES; i++)
        if (b.mask >> i & 1) b.bytes[i] = *at++;
    return array_push(&r->blocks, b) || no_room(in);
}

static bool take_blocks(struct in *in, struct region *r) {
    const uint64_t blocks = r->bytes / BLOCK_BYTES + (r->bytes % BLOCK_BYTES != 0);
    uint64_t least = 0; // that the next run may begin at
    for (uint64_t runs = take64(in); runs && !in->why; runs--) {
        const uint64_t first = take64(in), count = take64(in);
        if (in->why) return false;
        if (!count || first < least || !in_range(first, count, blocks))
            return bad(in, "runs of blocks are out of order, or outside of their region");
        for (uint64_t i = 0; i < count; i++)
            if (!take_block(in, r, first + i)) return false;
        least = first + count;
    }
    return !in->why;
}

static bool take_words(struct in *in, struct region *r) {
    uint64_t least = 0;
    for (uint64_t runs = take64(in); runs && !in->why; runs--) {
        const uint64_t first = take64(in), count = take64(in);
        const uint32_t kind = take32(in), bytes = take32(in);
        if (in->why) return false;
        if (kind > SW_ATOMIC_MAX_UNSIGNED || (bytes != 4 && bytes != 8))
            return bad(in, "an atomic operation is of no known kind");
        if (!count || first < least || first % 4 || first > r->bytes || count > (r->bytes - first) / bytes)
            return bad(in, "runs of words are out of order, or outside of their region");
        for (uint64_t i = 0; i < count; i++) {
            const uint8_t *at = take(in, bytes);
            if (!at) return false;
            const struct word w = {.offset = first + i * bytes,
                                   .operand = bytes == 8 ? rd64(at) : rd32(at),
                                   .kind = (uint8_t)kind,
                                   .bytes = (uint8_t)bytes};
            if (!array_push(&r->words, w)) return no_room(in);
        }
        least = first + count * bytes;
    }
    return !in->why;
}

static bool take_region(struct in *in, struct region *r) {
    r->name = take_name(in);
    r->bytes = take64(in);
    const uint8_t *digest = take(in, sizeof r->digest);
    const uint32_t initial = take32(in);
    const uint8_t *pattern = take(in, sizeof r->pattern);
    if (!pattern) return false;
    if (r->bytes >> 48) return bad(in, "a region is too large");
    memcpy(r->digest, digest, sizeof r->digest);
    memcpy(r->pattern, pattern, sizeof r->pattern);
    if (initial >= INITIALS) return bad(in, "what a region held before is told in no known way");
    r->initial = (enum initial)initial;
    if (r->initial == INITIAL_STORED) {
        const uint8_t *stored = take(in, r->bytes);
        if (!stored) return false;
        if (!(r->stored = malloc(r->bytes ? r->bytes : 1))) return no_room(in);
        memcpy(r->stored, stored, r->bytes);
    }
    return take_blocks(in, r) && take_words(in, r);
}

// ---- The whole ----

static bool take_all(struct in *in, sw_changes *c) {
    const uint8_t *fingerprint = take(in, sizeof c->fingerprint);
    if (!fingerprint) return false;
    memcpy(c->fingerprint, fingerprint, sizeof c->fingerprint);
    c->share = take32(in);
    c->shares = take32(in);
    c->groups = take64(in);
    c->kernel = take_name(in);
    c->target = take_name(in);
    const uint32_t regions = take32(in);
    if (in->why || in->no_memory) return false;
    if (!c->shares || c->shares > SHARES_MOST || c->share > c->shares || c->shares > c->groups ||
        c->groups >> 48)
        return bad(in, "there is no such share");
    c->group_count = c->groups;
    if (c->share) changes_split(c);
    if (regions > SW_MOST_REGIONS) return bad(in, "it has too many regions");
    if (!(c->regions = calloc(regions ? regions : 1, sizeof *c->regions))) return no_room(in);
    for (c->region_count = 0; c->region_count < regions;)
        if (!take_region(in, &c->regions[c->region_count++])) return false;
    return in->at == in->end || bad(in, "bytes follow its end");
}

static sw_status check_head(const uint8_t *bytes, size_t size, const sw_location *at, const sw_sink *sink) {
    uint8_t digest[DIGEST_BYTES];
    if (size < CHANGES_CHECKED_FROM || memcmp(bytes, CHANGES_MAGIC, CHANGES_MAGIC_BYTES))
        return diag_fail(sink, SW_BAD_INPUT, at, "not a changes file");
    if (rd32(bytes + CHANGES_MAGIC_BYTES) != CHANGES_VERSION)
        return diag_fail(sink, SW_BAD_INPUT, at,
                         "a changes file of version %u; this Softwave reads version %d",
                         rd32(bytes + CHANGES_MAGIC_BYTES), CHANGES_VERSION);
    md5(bytes + CHANGES_CHECKED_FROM, size - CHANGES_CHECKED_FROM, digest);
    if (memcmp(digest, bytes + CHANGES_MAGIC_BYTES + 4, sizeof digest))
        return diag_fail(sink, SW_BAD_INPUT, at, "a changes file that was cut off or damaged");
    return SW_OK;
}

sw_status sw_changes_read(const uint8_t *bytes, size_t size, const char *name, sw_changes **out,
                          const sw_sink *sink) {
    const sw_location at = {.file = name};
    *out = NULL;
    sw_status status = check_head(bytes, size, &at, sink);
    if (status != SW_OK) return status;
    sw_changes *c = calloc(1, sizeof *c);
    if (!c) return no_memory(sink);
    struct in in = {.at = bytes + CHANGES_CHECKED_FROM, .end = bytes + size};
    if (take_all(&in, c)) {
        *out = c;
        return SW_OK;
    }
    sw_changes_free(c);
    if (in.no_memory) return no_memory(sink);
    return diag_fail(sink, SW_BAD_INPUT, &at, "a malformed changes file: %s", in.why);
}
