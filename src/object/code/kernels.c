// SPDX-License-Identifier: MIT
// Kernels: the metadata's list joined with the ".kd" symbols and the descriptors they point at.
//
// A kernel may lack either half: assembly without .amdgpu_metadata has descriptors only, and metadata may
// name a symbol that was stripped (reported). Leaves the list sorted by name, without duplicates. Offsets are
// those of the image, so this runs after layout.
#include "object/code/object.h"

#include <stdlib.h>
#include <string.h>

// Objects linked from several (GCC's, always) carry a metadata note for each. They count as one: the lists
// "amdhsa.kernels" and "amdhsa.printf" joined, of every other key the first.
static const sw_node *join(struct sw_object *o, const sw_node *const *roots, size_t count) {
    static const char *const lists[] = {"amdhsa.kernels", "amdhsa.printf"};
    sw_node *pairs = arena_alloc(&o->arena, 2 * ((size_t)roots[0]->count + 2) * sizeof *pairs);
    sw_node *root = arena_alloc(&o->arena, sizeof *root);
    if (!pairs || !root) return NULL;
    uint32_t used = 0;
    for (size_t l = 0; l < 2; l++) {
        size_t total = 0, filled = 0;
        for (size_t i = 0; i < count; i++) {
            const sw_node *list = node_get(roots[i], lists[l]);
            if (list && list->kind == SW_NODE_ARRAY) total += list->count;
        }
        if (!total) continue;
        sw_node *items = arena_alloc(&o->arena, total * sizeof *items);
        for (size_t i = 0; items && i < count; i++) {
            const sw_node *list = node_get(roots[i], lists[l]);
            if (!list || list->kind != SW_NODE_ARRAY) continue;
            memcpy(items + filled, list->as.items, list->count * sizeof *items);
            filled += list->count;
        }
        if (!items) return NULL;
        pairs[used++] = (sw_node){.kind = SW_NODE_STRING, .as.string = {lists[l], strlen(lists[l])}};
        pairs[used++] = (sw_node){.kind = SW_NODE_ARRAY, .count = (uint32_t)total, .as.items = items};
    }
    for (uint32_t i = 0; i < roots[0]->count; i++) {
        const sw_node *key = &roots[0]->as.items[2 * i];
        if (node_is(key, lists[0]) || node_is(key, lists[1])) continue;
        pairs[used++] = key[0];
        pairs[used++] = key[1];
    }
    *root = (sw_node){.kind = SW_NODE_MAP, .count = used / 2, .as.items = pairs};
    return root;
}

sw_status object_read_metadata(struct sw_object *o, const sw_sink *sink) {
    size_t count = 0;
    uint64_t where = 0;
    const sw_node **roots = arena_alloc(&o->arena, o->note_count * sizeof *roots);
    if (!roots) return object_no_memory(o, sink);
    for (size_t i = 0; i < o->note_count; i++) {
        const sw_note *n = &o->notes[i];
        if (o->header.os == SW_OS_AMDHSA && o->header.code_object_version == 2) {
            if (n->type != NOTE_V2_METADATA || strcmp(n->vendor, "AMD")) continue;
            where = (uint64_t)(n->data - o->bytes);
            sw_status s = object_read_metadata_v2(o, n, sink);
            return s ? s : metadata_kernels(o, where, &o->kernels, &o->kernel_count, sink);
        }
        if (n->type != NOTE_METADATA || strcmp(n->vendor, "AMDGPU")) continue;
        where = (uint64_t)(n->data - o->bytes);
        sw_status s = msgpack_read(o, n->data, n->size, where, &roots[count], sink);
        if (s) return s;
        if (roots[count++]->kind != SW_NODE_MAP)
            return object_bad(o, sink, where, "metadata", "expected a map");
    }
    if (!count) return SW_OK;
    o->metadata = count == 1 ? roots[0] : join(o, roots, count);
    if (!o->metadata) return object_no_memory(o, sink);
    if (o->header.os != SW_OS_AMDHSA) return SW_OK; // PAL's keys differ
    return metadata_kernels(o, where, &o->kernels, &o->kernel_count, sink);
}

static bool is_descriptor_symbol(const sw_symbol *s) {
    size_t n = strlen(s->name);
    return n > 3 && !strcmp(s->name + n - 3, ".kd") && (s->type == STT_OBJECT || s->type == STT_KERNEL) &&
           s->section != SHN_UNDEF && s->section < SHN_LORESERVE;
}

static int by_symbol(const void *a, const void *b) {
    return strcmp(((const sw_kernel *)a)->symbol, ((const sw_kernel *)b)->symbol);
}
static int by_name(const void *a, const void *b) {
    return strcmp(((const sw_kernel *)a)->name, ((const sw_kernel *)b)->name);
}

// Kernels without metadata: descriptor symbols that no entry names. `sorted` is by symbol.
static sw_status add_bare_kernels(struct sw_object *o, const sw_sink *sink) {
    const sw_symbol *symbols = o->symbols[object_linking_table(o)].items;
    size_t bare = 0, known = o->kernel_count;
    const char *last = NULL;
    for (size_t pass = 0; pass < 2; pass++, last = NULL) {
        for (size_t i = 0; i < o->by_name_count; i++) {
            const sw_symbol *s = &symbols[o->by_name[i]];
            if (!is_descriptor_symbol(s) || (last && !strcmp(last, s->name))) continue;
            last = s->name;
            sw_kernel key = {.symbol = s->name};
            if (known && bsearch(&key, o->kernels, known, sizeof key, by_symbol)) continue;
            if (!pass) {
                bare++;
                continue;
            }
            sw_kernel *k = &o->kernels[o->kernel_count++];
            k->symbol = s->name;
            k->name = arena_copy(&o->arena, s->name, strlen(s->name) - 3);
            if (!k->name) return object_no_memory(o, sink);
        }
        if (pass || !bare) break;
        sw_kernel *all = arena_alloc(&o->arena, (known + bare) * sizeof *all);
        if (!all) return object_no_memory(o, sink);
        if (known) memcpy(all, o->kernels, known * sizeof *all);
        o->kernels = all;
    }
    return SW_OK;
}

// Finds the descriptor's bytes and image offset. A kernel whose symbol is missing keeps has_descriptor false.
static sw_status find_descriptor(struct sw_object *o, sw_kernel *k, const sw_sink *sink) {
    const sw_symbol *s = sw_object_find_symbol(o, k->symbol);
    uint64_t offset;
    if (!s || s->section == SHN_UNDEF || !sw_object_symbol_offset(o, s, &k->descriptor_offset)) {
        object_warn(o, sink, 0, k->symbol, "the kernel descriptor's symbol is not defined");
        return SW_OK;
    }
    if (o->header.relocatable) {
        const sw_section *c = &o->sections[s->section];
        if (!c->data || !in_range(s->value, SW_DESCRIPTOR_SIZE, c->size))
            return object_bad(o, sink, c->offset, k->symbol, "the kernel descriptor lies outside section %s",
                              c->name);
        offset = c->offset + s->value;
    } else if (!object_file_offset(o, s->value, SW_DESCRIPTOR_SIZE, &offset))
        return object_bad(o, sink, 0, k->symbol,
                          "the kernel descriptor at 0x%llx lies outside the loaded segments",
                          (unsigned long long)s->value);
    if (k->descriptor_offset % 64) // KD-01
        object_warn(o, sink, offset, k->symbol, "the kernel descriptor is not aligned to 64 bytes");
    k->has_descriptor = true;
    k->descriptor_bytes = o->bytes + offset;
    // Quietly: old compilers leave a stray bit in every descriptor. reserved_bits counts them, and who wants
    // to know decodes again with a sink.
    sw_kernel_descriptor *d = arena_alloc(&o->arena, sizeof *d);
    if (!d) return object_no_memory(o, sink);
    d->size = sizeof *d;
    k->descriptor = d;
    return sw_descriptor_decode(k->descriptor_bytes, o->target.processor, d, NULL);
}

static int by_descriptor(const void *a, const void *b) {
    const sw_kernel *x = *(sw_kernel *const *)a, *y = *(sw_kernel *const *)b;
    return x->descriptor_offset < y->descriptor_offset ? -1 : x->descriptor_offset > y->descriptor_offset;
}

// In a relocatable object the entry offset (descriptor byte 16) is a REL64 relocation against the function.
static sw_status find_relocated_entries(struct sw_object *o, const sw_sink *sink) {
    if (!o->kernel_count) return SW_OK;
    sw_kernel **sorted = arena_alloc(&o->arena, o->kernel_count * sizeof *sorted);
    if (!sorted) return object_no_memory(o, sink);
    size_t count = 0;
    for (size_t i = 0; i < o->kernel_count; i++)
        if (o->kernels[i].has_descriptor) sorted[count++] = &o->kernels[i];
    qsort(sorted, count, sizeof *sorted, by_descriptor);
    for (size_t i = 0; count && i < o->relocation_count; i++) {
        const sw_relocation *r = &o->relocations[i];
        uint64_t place = o->section_place[r->section], target;
        if (r->type != R_AMDGPU_REL64 || place == PLACE_NONE || place + r->offset < 16) continue;
        sw_kernel key = {.descriptor_offset = place + r->offset - 16}, *pointer = &key;
        sw_kernel **k = bsearch(&pointer, sorted, count, sizeof *sorted, by_descriptor);
        if (!k || !sw_object_symbol_offset(o, &o->symbols[r->table].items[r->symbol], &target)) continue;
        // P is the field, 16 bytes into the descriptor; the field counts from the descriptor's start.
        (*k)->entry_offset = target + (uint64_t)r->addend - 16;
    }
    return SW_OK;
}

// The entry must lie in a part of the image that holds code.
static sw_status check_entry(const struct sw_object *o, const sw_kernel *k, const sw_sink *sink) {
    uint64_t where = (uint64_t)(k->descriptor_bytes - o->bytes);
    bool inside = false;
    for (size_t i = 0; i < o->layout.range_count; i++) {
        const sw_image_range *r = &o->layout.ranges[i];
        if (r->executable && k->entry_offset >= r->offset && k->entry_offset - r->offset < r->size)
            inside = true;
    }
    if (!inside)
        object_warn(o, sink, where, k->symbol, "the entry point, image offset 0x%llx, is not code",
                    (unsigned long long)k->entry_offset);
    else if (k->entry_offset % 256) // KD-06
        object_warn(o, sink, where, k->symbol, "the entry point is not aligned to 256 bytes");
    return SW_OK;
}

// V2 has no descriptors: kernels are those of the metadata, and symbols of the type for kernels.
static sw_status add_v2_kernels(struct sw_object *o, const sw_sink *sink) {
    const sw_symbol *symbols = o->symbols[object_linking_table(o)].items;
    size_t more = 0, known = o->kernel_count;
    for (size_t i = 0; i < o->by_name_count; i++) more += symbols[o->by_name[i]].type == STT_KERNEL;
    sw_kernel *all = arena_alloc(&o->arena, (known + more) * sizeof *all);
    if (!all) return object_no_memory(o, sink);
    if (known) memcpy(all, o->kernels, known * sizeof *all);
    if (known) qsort(all, known, sizeof *all, by_name);
    o->kernels = all;
    for (size_t i = 0; i < o->by_name_count; i++) {
        const sw_symbol *s = &symbols[o->by_name[i]];
        const sw_kernel key = {.name = s->name, .symbol = s->name, .code_size = s->size};
        const bool again = i && !strcmp(symbols[o->by_name[i - 1]].name, s->name);
        if (s->type != STT_KERNEL || again || (known && bsearch(&key, all, known, sizeof key, by_name)))
            continue;
        all[o->kernel_count++] = key;
    }
    if (o->kernel_count) qsort(all, o->kernel_count, sizeof *all, by_name);
    return SW_OK;
}

static sw_status read_kernels(struct sw_object *o, const sw_sink *sink) {
    if (o->header.os != SW_OS_AMDHSA) return SW_OK;
    if (o->header.code_object_version == 2) return add_v2_kernels(o, sink);
    if (o->kernel_count) qsort(o->kernels, o->kernel_count, sizeof *o->kernels, by_symbol);
    for (size_t i = 1; i < o->kernel_count; i++)
        if (!strcmp(o->kernels[i - 1].symbol, o->kernels[i].symbol))
            return object_bad(o, sink, 0, "metadata", "two kernels have the symbol '%.100s'",
                              o->kernels[i].symbol);
    sw_status s = add_bare_kernels(o, sink);
    for (size_t i = 0; !s && i < o->kernel_count; i++) s = find_descriptor(o, &o->kernels[i], sink);
    if (!s && o->header.relocatable) s = find_relocated_entries(o, sink);
    for (size_t i = 0; !s && i < o->kernel_count; i++) {
        sw_kernel *k = &o->kernels[i];
        const sw_symbol *f = sw_object_find_symbol(o, k->name);
        if (f && f->type == STT_FUNC) k->code_size = f->size;
        if (!k->has_descriptor) continue;
        if (!o->header.relocatable)
            k->entry_offset = k->descriptor_offset + (uint64_t)k->descriptor->kernel_code_entry_byte_offset;
        s = check_entry(o, k, sink);
    }
    if (!s && o->kernel_count) qsort(o->kernels, o->kernel_count, sizeof *o->kernels, by_name);
    return s;
}

sw_status object_read_kernels(struct sw_object *o, const sw_sink *sink) {
    static const sw_kernel_descriptor none = {.size = sizeof none};
    const sw_status s = read_kernels(o, sink);
    for (size_t i = 0; !s && i < o->kernel_count; i++) {
        o->kernels[i].size = sizeof *o->kernels;
        if (!o->kernels[i].descriptor) o->kernels[i].descriptor = &none;
    }
    return s;
}

const sw_kernel *sw_object_find_kernel(const sw_object *o, const char *name) {
    size_t n = strlen(name);
    bool symbol = n > 3 && !strcmp(name + n - 3, ".kd");
    if (!symbol && o->kernel_count) {
        sw_kernel key = {.name = name};
        return bsearch(&key, o->kernels, o->kernel_count, sizeof key, by_name);
    }
    for (size_t i = 0; i < o->kernel_count; i++)
        if (!strcmp(o->kernels[i].symbol, name)) return &o->kernels[i];
    return NULL;
}
