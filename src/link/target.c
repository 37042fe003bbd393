// SPDX-License-Identifier: MIT
// What target the inputs are for together, as e_flags and notes say it, and LDS variables.
//
// Objects may be linked when OS, ABI version, processor and the version of a generic processor agree and no
// target-id feature is on in one and off in another; "any" gives way to either (OBJ-08 to OBJ-10).
#include <string.h>

#include "link/link.h"

static const char *spelled(const sw_target *t, char out[SW_TARGET_TEXT]) {
    sw_target_format(t, out);
    return out;
}

static bool merge_setting(sw_setting *all, sw_setting one) {
    if (*all == one) return true;
    if (*all == SW_SETTING_NONE || one == SW_SETTING_NONE) return false;
    if (*all == SW_SETTING_ANY) *all = one;
    return *all == one || one == SW_SETTING_ANY;
}

static void merge_one(struct link *l, const struct object_file *f, const struct object_file *first,
                      sw_target *all) {
    const sw_header *a = &first->object->header, *b = &f->object->header;
    const sw_target *t = &f->object->target;
    char mine[SW_TARGET_TEXT], theirs[SW_TARGET_TEXT];
    if (a->os != b->os)
        link_error(l, f, NULL, "OS ABI %u, but %s has %u", b->os_abi, first->name, a->os_abi);
    else if (a->abi_version != b->abi_version)
        link_error(l, f, NULL, "incompatible ABI version %u, but %s has %u", b->abi_version, first->name,
                   a->abi_version);
    else if (t->processor != all->processor)
        link_error(l, f, NULL, "incompatible processor: it is for %s, but %s for %s", spelled(t, theirs),
                   first->name, spelled(all, mine));
    else if (a->os != SW_OS_AMDHSA || a->code_object_version < 4) {
        if (a->flags != b->flags)
            link_error(l, f, NULL, "incompatible e_flags 0x%x, but %s has 0x%x", b->flags, first->name,
                       a->flags);
    } else if (!merge_setting(&all->xnack, t->xnack))
        link_error(l, f, NULL, "incompatible xnack: it is for %s, files before it for %s", spelled(t, theirs),
                   spelled(all, mine));
    else if (!merge_setting(&all->sramecc, t->sramecc))
        link_error(l, f, NULL, "incompatible sramecc: it is for %s, files before it for %s",
                   spelled(t, theirs), spelled(all, mine));
    else if (a->generic_version != b->generic_version)
        link_error(l, f, NULL, "incompatible generic version %u, but %s has %u", b->generic_version,
                   first->name, a->generic_version);
}

// The target that the metadata names must not contradict that of the whole.
static void check_notes(struct link *l, const struct object_file *f, const sw_target *all) {
    for (size_t i = 0; i < f->object->note_count; i++) {
        const sw_note *n = &f->object->notes[i];
        const sw_node *root;
        sw_target t, both = *all;
        char mine[SW_TARGET_TEXT], theirs[SW_TARGET_TEXT];
        if (n->type != NOTE_METADATA || strcmp(n->vendor, "AMDGPU")) continue;
        if (msgpack_read(f->object, n->data, n->size, (uint64_t)(n->data - f->object->bytes), &root,
                         l->sink)) {
            l->errors++;
            continue;
        }
        const sw_node *v = root->kind == SW_NODE_MAP ? node_get(root, "amdhsa.target") : NULL;
        if (!v || v->kind != SW_NODE_STRING) continue;
        if (sw_target_parse(v->as.string.data, v->as.string.length, &t, NULL)) {
            link_error(l, f, "amdhsa.target", "no target id of a known processor");
            continue;
        }
        if (t.processor != all->processor || !merge_setting(&both.xnack, t.xnack) ||
            !merge_setting(&both.sramecc, t.sramecc))
            link_error(l, f, "amdhsa.target", "the metadata is for %s, the link for %s", spelled(&t, theirs),
                       spelled(all, mine));
    }
}

void target_merge(struct link *l) {
    if (!l->objects.count) {
        link_error(l, NULL, NULL, "no object to link");
        return;
    }
    const struct object_file *first = l->objects.items[0];
    sw_target all = first->object->target;
    for (size_t i = 1; i < l->objects.count; i++) merge_one(l, l->objects.items[i], first, &all);
    if (link_failed(l)) return;
    enum { FEATURES = 0xf00 }; // OBJ-09
    const sw_header *h = &first->object->header;
    l->flags = h->flags;
    if (h->os == SW_OS_AMDHSA && h->code_object_version >= 4)
        l->flags = (l->flags & ~(uint32_t)FEATURES) |
                   (sw_target_to_eflags(&all, h->abi_version) & (uint32_t)FEATURES);
    for (size_t i = 0; i < l->objects.count && h->code_object_version >= 3; i++)
        check_notes(l, l->objects.items[i], &all);
}

// ---- LDS variables ----

// Symbols of SHN_AMDGPU_LDS (OBJ-33) get addresses in LDS, one after another from 0, as absolute symbols.
static void lds_place_one(struct link *l, struct link_symbol *s) {
    uint64_t alignment = s->value ? s->value : 1;
    if (alignment & (alignment - 1) || alignment > 1 << 16 || s->size > 1 << 20 || l->lds_size > 1 << 20) {
        link_error(l, s->file, s->name, "an LDS variable of 0x%llx bytes aligned to 0x%llx",
                   (unsigned long long)s->size, (unsigned long long)s->value);
        return;
    }
    s->value = align_up(l->lds_size, alignment);
    l->lds_size = s->value + s->size;
}

void lds_place(struct link *l) {
    for (size_t i = 0; i < l->symbols.count; i++)
        if (l->symbols.items[i]->kind == SYMBOL_DEFINED && l->symbols.items[i]->lds)
            lds_place_one(l, l->symbols.items[i]);
    for (size_t n = 0; n < l->objects.count; n++)
        for (uint32_t i = 1; i < l->objects.items[n]->first_global; i++)
            if (l->objects.items[n]->symbols[i]->lds) lds_place_one(l, l->objects.items[n]->symbols[i]);
}

static void raise_one(struct link *l, const struct link_symbol *s) {
    size_t n = s->name_length;
    if (s->kind != SYMBOL_DEFINED || !s->section || n < 4 || memcmp(s->name + n - 3, ".kd", 3)) return;
    const struct output_section *out = s->section->out;
    if (!out || out->type == SHT_NOBITS || s->type != STT_OBJECT) return;
    uint64_t offset = symbol_address(s, 0) - out->address;
    if (!in_range(offset, SW_DESCRIPTOR_SIZE, out->size)) return;
    uint8_t *size = l->image + out->offset + offset; // GROUP_SEGMENT_FIXED_SIZE
    if (rd32(size) < l->lds_size) wr32(size, (uint32_t)l->lds_size);
}

// Any kernel may reach the variables, so every one asks for at least their room.
void lds_raise_descriptors(struct link *l) {
    if (!l->lds_size || l->objects.items[0]->object->header.os != SW_OS_AMDHSA) return;
    for (size_t i = 0; i < l->symbols.count; i++) raise_one(l, l->symbols.items[i]);
    for (size_t n = 0; n < l->objects.count; n++)
        for (uint32_t i = 1; i < l->objects.items[n]->first_global; i++)
            raise_one(l, l->objects.items[n]->symbols[i]);
}
