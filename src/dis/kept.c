// SPDX-License-Identifier: MIT
#include "dis/kept.h"

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"

enum { WAYS = 4, FEWEST = 1 << 8, MOST = 1 << 15 };

bool kept_open(struct kept *k, size_t code) {
    *k = (struct kept){.count = FEWEST};
    while (k->count < MOST && k->count < code / 8) k->count *= 2;
    k->places = calloc(k->count, sizeof *k->places);
    k->lines = malloc(k->count * sizeof *k->lines);
    return k->places && k->lines;
}

void kept_close(struct kept *k) {
    free(k->places);
    free(k->lines);
}

static inline uint32_t add_word(uint32_t hash, uint32_t word) {
    hash = (hash ^ word) * 2654435761u;
    return hash ^ hash >> 15;
}

static inline struct kept_place *set_of(const struct kept *k, uint32_t hash) {
    return k->places + (hash & (k->count / WAYS - 1)) * WAYS;
}

const struct kept_line *kept_find(const struct kept *k, const uint8_t *bytes, size_t available, bool wave32) {
    if (available < 4) return NULL;
    uint32_t words[KEPT_WORDS] = {rd32(bytes)}, hash = 0;
    unsigned sizes = k->sizes[words[0] >> 23];
    for (unsigned n = 0; sizes; n++, sizes >>= 1) {
        if (available < 4 * n + 4) return NULL;
        words[n] = rd32(bytes + 4 * n);
        hash = add_word(hash, words[n]);
        if (!(sizes & 1)) continue;
        const struct kept_place *set = set_of(k, hash);
        for (int way = 0; way < WAYS; way++) {
            if (set[way].hash != hash || k->serial - set[way].serial >= k->count || !set[way].serial)
                continue;
            const struct kept_line *line = &k->lines[set[way].serial & (k->count - 1)];
            if (line->size == 4 * n + 4 && line->wave32 == wave32 &&
                !memcmp(line->words, words, sizeof words))
                return line;
        }
    }
    return NULL;
}

void kept_add(struct kept *k, const uint8_t *bytes, size_t size, bool wave32, const char *text,
              size_t length) {
    if (length > TEXT_COLUMN || size > 4 * KEPT_WORDS || size % 4) return;
    if (!++k->serial) { // after four thousand million lines: as if new
        memset(k->places, 0, k->count * sizeof *k->places);
        k->serial = 1;
    }
    struct kept_line *line = &k->lines[k->serial & (k->count - 1)];
    uint32_t hash = 0;
    for (unsigned n = 0; n < KEPT_WORDS; n++) line->words[n] = 4 * n < size ? rd32(bytes + 4 * n) : 0;
    for (unsigned n = 0; 4 * n < size; n++) hash = add_word(hash, line->words[n]);
    line->size = (uint8_t)size;
    line->wave32 = wave32;
    line->text[0] = '\t';
    memset(line->text + 1, ' ', TEXT_COLUMN);
    memcpy(line->text + 1, text, length);
    memcpy(line->text + 1 + TEXT_COLUMN, "// ", 4);
    k->sizes[line->words[0] >> 23] |= (uint8_t)(1 << (size / 4 - 1));
    struct kept_place *set = set_of(k, hash);
    memmove(set + 1, set, (WAYS - 1) * sizeof *set);
    *set = (struct kept_place){hash, k->serial};
}
