// SPDX-License-Identifier: MIT
// Global symbols by name.
#include "link/link.h"

struct link_symbol *global_find(const struct link *l, const char *name, size_t length) {
    return name_table_get(&l->symbol_names, name, length);
}

struct link_symbol *global_insert(struct link *l, const char *name, size_t length) {
    void **value = name_table_at(&l->symbol_names, name, length);
    if (!value) {
        link_no_memory(l);
        return NULL;
    }
    if (*value) return *value;
    struct link_symbol *s = link_alloc(l, sizeof *s);
    if (!s || !link_push(l, &l->symbols, s)) return NULL;
    s->name = name;
    s->name_length = (uint32_t)length;
    return *value = s;
}
