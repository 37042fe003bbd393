// SPDX-License-Identifier: MIT
// A hash table by name: open addressing, at most half full. Names belong to the caller and must stay. The
// hash has a key of chance, so that nobody can choose names that all fall on one another; nothing else
// depends on it.
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "link/link.h"

void hash_key_make(struct hash_key *k) {
    uint64_t word[2];
    if (getrandom(word, sizeof word, GRND_NONBLOCK) != sizeof word)
        word[0] = word[1] = (uint64_t)(uintptr_t)k;
    *k = (struct hash_key){word[0], word[1] | 1};
}

uint32_t hash_keyed(const struct hash_key *k, const void *data, size_t length) {
    const uint8_t *p = data;
    uint64_t h = k->start + length, last = 0;
    for (; length >= 8; p += 8, length -= 8) h = multiply_fold(h ^ rd64(p), k->factor);
    if (length) memcpy(&last, p, length);
    return (uint32_t)(multiply_fold(h ^ last, k->factor) >> 16);
}

static struct name_entry *slot_of(const struct name_table *t, const char *name, size_t length,
                                  uint32_t hash) {
    for (size_t i = hash & (t->size - 1);; i = (i + 1) & (t->size - 1)) {
        struct name_entry *e = &t->entries[i];
        if (!e->name || (e->hash == hash && e->length == length && !memcmp(e->name, name, length))) return e;
    }
}

void *name_table_get(const struct name_table *t, const char *name, size_t length) {
    return t->size ? slot_of(t, name, length, hash_keyed(&t->key, name, length))->value : NULL;
}

static bool grow(struct name_table *t) {
    struct name_table bigger = {.size = t->size ? t->size * 2 : 256, .count = t->count, .key = t->key};
    if (!t->size) hash_key_make(&bigger.key);
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
    uint32_t hash = hash_keyed(&t->key, name, length);
    struct name_entry *e = slot_of(t, name, length, hash);
    if (!e->name) {
        *e = (struct name_entry){.name = name, .length = (uint32_t)length, .hash = hash};
        t->count++;
    }
    return &e->value;
}

uint32_t string_add(struct link *l, struct string_table *t, const char *text, size_t length) {
    if (!t->text.length) text_add(&t->text, "", 1);
    if (!length) return 0;
    uint32_t at = (uint32_t)t->text.length;
    text_add(&t->text, text, length);
    text_add(&t->text, "", 1);
    if (t->text.failed) link_no_memory(l);
    if (t->text.length > UINT32_MAX) link_error(l, NULL, NULL, "the names take more than 4 GiB");
    return at;
}
