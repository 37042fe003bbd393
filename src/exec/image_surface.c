// SPDX-License-Identifier: MIT
#include "exec/image_surface.h"

#include "exec/machine.h"

bool image_refuse(struct wave *w, const struct op *op, const char *why) {
    wave_fault_because(w, op, FAULT_UNSUPPORTED, -1, w->code_base + op->pc, why);
    return false;
}

enum image_found image_surface_find(struct wave *w, const struct op *op, struct image_surface *out) {
    const struct image_op *o = image_op_of(op);
    uint32_t words[8] = {0};
    for (unsigned i = 0; i < (o->small ? 4u : 8u); i++)
        words[i] = rd32((const char *)wave_at(w, o->mem.srsrc) + 4 * i);
    *out = (struct image_surface){.w = w, .op = op, .o = o};
    const char *why = texel_decode_resource((enum resource_kind)o->kind, words, o->small, &out->t);
    if (why) return image_refuse(w, op, why), IMAGE_FAULTED;
    out->is_integer = number_is_int(out->t.number);
    return out->t.buffer ? IMAGE_NOTHING : IMAGE_FOUND;
}

// Whether n bytes at `a` may be accessed; refreshes the slot.
static bool has_right(struct wave *w, unsigned slot, uint64_t a, uint64_t n, uint32_t right) {
    struct range *cached = &w->ranges[slot], found;
    if (cached->lo <= a && a <= cached->last && cached->last - a >= n - 1) return true;
    if (!wave_find_range(w, a, right, &found)) return false;
    *cached = found;
    return found.lo <= a && a <= found.last && found.last - a >= n - 1;
}

bool image_bytes(struct wave *w, const struct op *op, unsigned lane, uint64_t a, uint64_t n, uint32_t right,
                 uint8_t **out) {
    if (has_right(w, image_op_of(op)->mem.slot, a, n, right)) {
        *out = (uint8_t *)(uintptr_t)host_address(a);
        return true;
    }
    const int kind = right == RIGHT_READ ? FAULT_READ : right == RIGHT_WRITE ? FAULT_WRITE : FAULT_ATOMIC;
    wave_fault(w, op, kind, (int)lane, a);
    return false;
}

bool image_element(struct image_surface *s, const struct image_texel *at, uint32_t right, bool *inside,
                   uint8_t **element, unsigned *bytes) {
    uint64_t a;
    *inside = s->t.bound && texel_address(&s->t, at->level, at->x, at->y, at->z, at->sample, &a, bytes);
    if (!*inside) return true;
    return image_bytes(s->w, s->op, s->lane, a, *bytes, right, element);
}
