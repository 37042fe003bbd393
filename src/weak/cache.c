// SPDX-License-Identifier: MIT
// Caches: lines of memory by host address, each with one place that it may be at. Lines are written back only
// where waves may write, so memory that was taken away meanwhile is not touched.
#include <string.h>

#include "weak/inside.h"
#include "base/hash.h"

bool cache_may(struct weak *m, uint64_t address, uint32_t rights) {
    struct wave *w = m->current;
    struct range r;
    const uint64_t last = address + m->caches->line - 1;
    return (w->machine->find_range(w, address, rights, &r) && r.last >= last) ||
           (ALIAS_BIT && w->machine->find_range(w, address | ALIAS_BIT, rights, &r) &&
            r.last >= (last | ALIAS_BIT));
}

static struct line *place_of(const struct cache *c, uint64_t address) {
    return &c->lines[hash_number(address / 64) >> 40 & (c->count - 1)];
}

struct line *cache_find(const struct cache *c, uint64_t address) {
    if (!c) return NULL;
    struct line *l = place_of(c, address);
    return l->address == address ? l : NULL;
}

static bool is_dirty(const struct line *l) { return l->address && (l->dirty[0] | l->dirty[1]); }

static void write_back(struct weak *m, struct line *l) {
    if (!is_dirty(l)) return;
    uint8_t *memory = (uint8_t *)(uintptr_t)l->address;
    const bool may = cache_may(m, l->address, RIGHT_WRITE);
    for (unsigned i = 0; may && i < m->caches->line; i++)
        if (l->dirty[i / 64] >> i % 64 & 1) memory[i] = l->data[i];
    memset(l->dirty, 0, sizeof l->dirty);
}

struct line *cache_take(struct weak *m, struct cache *c, uint64_t address) {
    struct line *l = place_of(c, address);
    if (l->address != address) {
        write_back(m, l);
        *l = (struct line){.address = address};
    }
    return l;
}

void cache_drop(struct weak *m, struct cache *c, uint64_t address) {
    struct line *l = cache_find(c, address);
    if (!l) return;
    write_back(m, l);
    l->address = 0;
}

void cache_write_back(struct weak *m, struct cache *c) {
    for (unsigned i = 0; i < c->count; i++) write_back(m, &c->lines[i]);
}

void cache_drop_clean(struct cache *c) {
    for (unsigned i = 0; i < c->count; i++)
        if (!is_dirty(&c->lines[i])) c->lines[i].address = 0;
}
