// SPDX-License-Identifier: MIT
// A hash table by name: open addressing, at most half full. Names belong to the caller and must stay.
#include <stdlib.h>
#include <string.h>

#include "link/link.h"

static struct name_entry *slot_of(const struct name_table *t, const char *name, size_t length,
                                  uint32_t hash) {
    for (size_t i = hash & (t->size - 1);; i = (i + 1) & (t->size - 1)) {
        struct name_entry *e = &t->entries[i];
        if (!e->name || (e->hash == hash && e->length == length && !memcmp(e->name, name, length))) return e;
    }
}

void *name_table_get(const struct name_table *t, const char *name, size_t length) {
    return t->size ? slot_of(t, name, length, (uint32_t)hash64((const uint8_t *)name, length))->value : NULL;
}

static bool grow(struct name_table *t) {
    struct name_table bigger = {.size = t->size ? t->size * 2 : 256, .count = t->count};
    if (!(bigger.entries = calloc(bigger.size, sizeof *bigger.entries))) return false;
    for (size_t i = 0; i < t->size; i++) {
        const struct name_entry *e = &t->entries[i];
        if (e->name) *slot_of(&bigger, e->name, e->length, e->hash) = *e;
    }
    free(t->entries);
    *t = bigger;
    return true;
}

void **name_table_at(struct name_table *t, const char *name, size_t length) {
    if (t->count * 2 >= t->size && !grow(t)) return NULL;
    uint32_t hash = (uint32_t)hash64((const uint8_t *)name, length);
    struct name_entry *e = slot_of(t, name, length, hash);
    if (!e->name) {
        *e = (struct name_entry){.name = name, .length = (uint32_t)length, .hash = hash};
        t->count++;
    }
    return &e->value;
}
