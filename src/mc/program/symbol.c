// SPDX-License-Identifier: MIT
// The symbol table: open addressing over pointers into an arena.
#include "mc/program/symbol.h"
#include "base/hash.h"

#include <stdlib.h>
#include <string.h>

static uint32_t hash_of(const char *name, size_t length) {
    uint64_t h = HASH_BEGIN ^ length;
    for (; length >= 8; name += 8, length -= 8) {
        uint64_t v;
        memcpy(&v, name, 8);
        h = hash_number(h ^ v);
        h ^= h >> 32;
    }
    return (uint32_t)(hash_number(hash_bytes(h, name, length)) >> 32);
}

static struct symbol **slot_of(const struct symbol_table *t, const char *name, size_t length, uint32_t hash) {
    size_t i = hash & (t->capacity - 1);
    for (struct symbol *s; (s = t->slots[i]); i = (i + 1) & (t->capacity - 1))
        if (s->hash == hash && s->length == length && !memcmp(s->name, name, length)) break;
    return &t->slots[i];
}

static bool grow(struct symbol_table *t) {
    size_t capacity = t->capacity ? t->capacity * 2 : 256;
    struct symbol **slots = calloc(capacity, sizeof *slots);
    if (!slots) return false;
    for (size_t i = 0; i < t->capacity; i++) {
        struct symbol *s = t->slots[i];
        if (!s) continue;
        size_t k = s->hash & (capacity - 1);
        while (slots[k]) k = (k + 1) & (capacity - 1);
        slots[k] = s;
    }
    free(t->slots);
    t->slots = slots;
    t->capacity = capacity;
    return true;
}

struct symbol *symbol_find(const struct symbol_table *t, const char *name, size_t length) {
    return t->capacity ? *slot_of(t, name, length, hash_of(name, length)) : NULL;
}

struct symbol *symbol_make(struct symbol_table *t) {
    struct symbol *s = arena_alloc(t->arena, sizeof *s);
    if (!s) return NULL;
    s->reference = (struct expr){.kind = EXPR_SYMBOL, .depth = 1, .symbol = s};
    return s;
}

struct symbol *symbol_get(struct symbol_table *t, const char *name, size_t length) {
    if (t->count * 3 >= t->capacity * 2 && !grow(t)) return NULL;
    uint32_t hash = hash_of(name, length);
    struct symbol **slot = slot_of(t, name, length, hash);
    if (*slot) return *slot;
    struct symbol *s = symbol_make(t);
    if (!s || length > UINT32_MAX || !(s->name = arena_copy(t->arena, name, length))) return NULL;
    s->length = (uint32_t)length;
    s->hash = hash;
    s->temporary = length >= 2 && name[0] == '.' && name[1] == 'L';
    t->count++;
    return *slot = s;
}
