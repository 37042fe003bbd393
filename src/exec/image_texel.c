// SPDX-License-Identifier: MIT
// Loads, stores and atomics of single texels, and questions about the image. A texel outside of the image is
// loaded as that of an image without colours, and neither stored nor changed; memory that is in the image but
// not the wave's is a fault.
#include "exec/image.h"

#include "exec/image_operands.h"
#include "exec/image_surface.h"
#include "isa/isa.h"

// Where a lane points; the level is the first of the view unless the instruction says one. Slices are places
// in the third direction, as depths are.
static struct image_texel texel_of(struct image_surface *s, const struct image_places *p, unsigned lane) {
    struct wave *w = s->w;
    const struct image_op *o = s->o;
    const unsigned d = s->t.dimension;
    const bool is_flat = d == SURFACE_1D || d == SURFACE_2D || d == SURFACE_2D_MSAA; // a slice says nothing
    struct image_texel at = {.x = image_integer(w, o, p->at[0], lane),
                             .y = image_integer(w, o, p->at[1], lane),
                             .z = image_integer(w, o, p->slice != NO_PLACE ? p->slice : p->at[2], lane),
                             .sample = image_integer(w, o, p->sample, lane),
                             .level = image_integer(w, o, p->level, lane)};
    s->lane = lane;
    if (is_flat) at.z = 0;
    if (d == SURFACE_1D || d == SURFACE_1D_ARRAY) at.y = 0;
    return at;
}

// ---- Loads ----

// The bits of each component as they are.
static void take_raw(const struct texel_surface *t, const uint8_t *element, bool sign, uint32_t out[4]) {
    const struct texel_layout *l = &texel_layouts[t->layout];
    struct texel_surface raw = *t;
    raw.number = sign ? NUMBER_SINT : NUMBER_UINT;
    for (unsigned c = 0; c < 4; c++) raw.numbers[c] = raw.number;
    if (l->kind != TEXEL_COMPONENTS) { // words of what has no components of its own
        memset(out, 0, 4 * sizeof *out);
        memcpy(out, element, l->bytes < 16 ? l->bytes : 16);
        return;
    }
    texel_load(l, raw.numbers, false, element, 0, 0, out);
}

// As the registers get it.
static bool load_texel(struct image_surface *s, const struct image_texel *at, bool half, uint32_t out[4]) {
    const bool raw = s->o->facts & IMAGE_RAW;
    uint32_t colour[4] = {0};
    uint8_t *element;
    unsigned bytes;
    bool inside;
    memset(out, 0, 4 * sizeof *out);
    if (!image_element(s, at, RIGHT_READ, &inside, &element, &bytes)) return false;
    if (raw) {
        if (inside) take_raw(&s->t, element, s->o->facts & IMAGE_SIGNED, out);
        return true;
    }
    if (!s->t.bound) return true;
    // Outside, nothing but the alpha of formats that have none.
    if (inside)
        texel_surface_load(&s->t, element, at->x, at->y, half, colour);
    else if (texel_layouts[s->t.layout].components < 4)
        colour[3] = s->is_integer ? 1 : half ? 0x3c00 : 0x3f800000;
    texel_select(&s->t, colour, half, out);
    return true;
}

// One component of four samples in a row: of that in dmask, or of the first where dmask says which samples
// (GFX10.3).
static bool load_samples(struct image_surface *s, struct image_texel at, bool half, uint32_t out[4]) {
    const unsigned component = s->o->facts & IMAGE_GATHER ? (unsigned)__builtin_ctz(image_mask(s->o)) : 0;
    for (unsigned n = 0; n < 4; n++, at.sample++) {
        uint32_t colour[4];
        if (!load_texel(s, &at, half, colour)) return false;
        out[n] = colour[component];
    }
    return true;
}

struct asking {
    struct image_surface s;
    struct image_places p;
};
static enum image_found begin(struct asking *a, struct wave *w, const struct op *op) {
    const enum image_found found = image_surface_find(w, op, &a->s);
    if (found == IMAGE_FOUND) a->p = image_places_of(a->s.o, image_dim_of(a->s.o, a->s.t.dimension));
    return found;
}

// With an empty dmask nothing is fetched (TRAP-331).
static bool load_lane(void *asking, unsigned lane, uint32_t out[4]) {
    struct asking *a = asking;
    const struct image_op *o = a->s.o;
    const struct image_texel at = texel_of(&a->s, &a->p, lane);
    return !o->dmask || (o->facts & IMAGE_MSAA ? load_samples(&a->s, at, o->mem.d16, out)
                                               : load_texel(&a->s, &at, o->mem.d16, out));
}
bool image_load(struct wave *w, const struct op *op) {
    struct asking a;
    const enum image_found found = begin(&a, w, op);
    if (found != IMAGE_FOUND) return found == IMAGE_NOTHING;
    return image_each_lane(w, a.s.o, a.s.o->facts & IMAGE_GATHER, load_lane, &a);
}

// ---- Stores ----

// Components of dmask in a row; the first one again for those that there are not (TRAP-332). The image
// selects them back to where its format has them.
static void stored_colour(struct image_surface *s, unsigned lane, uint32_t out[4]) {
    const struct image_op *o = s->o;
    const uint32_t first = image_data(s->w, o, 0, lane);
    uint32_t data[4];
    for (unsigned c = 0, n = 0; c < 4; c++)
        data[c] = image_mask(o) >> c & 1 ? image_data(s->w, o, n++, lane) : first;
    if (o->facts & IMAGE_RAW)
        memcpy(out, data, sizeof data);
    else
        texel_unselect(&s->t, data, out);
}

static void give_raw(const struct texel_surface *t, const uint32_t in[4], uint8_t *element) {
    const struct texel_layout *l = &texel_layouts[t->layout];
    uint32_t cut[4];
    if (l->kind != TEXEL_COMPONENTS) {
        memcpy(element, in, l->bytes < 16 ? l->bytes : 16);
        return;
    }
    for (unsigned c = 0; c < 4; c++) cut[c] = l->bits[c] < 32 ? in[c] & ((1u << l->bits[c]) - 1) : in[c];
    texel_store(l, NUMBER_UINT, false, cut, element);
}

bool image_store(struct wave *w, const struct op *op) {
    struct image_surface s;
    const enum image_found found = image_surface_find(w, op, &s);
    if (found != IMAGE_FOUND) return found == IMAGE_NOTHING;
    const struct image_op *o = s.o;
    const bool raw = o->facts & IMAGE_RAW;
    if (s.t.bound && !raw && !texel_can_store(&s.t))
        return image_refuse(w, op, "store of an image of this format");
    const struct image_places p = image_places_of(o, image_dim_of(o, s.t.dimension));
    image_round_plainly();
    EACH_LANE_ON(w, l) {
        const struct image_texel at = texel_of(&s, &p, l);
        uint8_t *element, texel[16];
        unsigned bytes;
        bool inside;
        uint32_t colour[4];
        if (!image_element(&s, &at, RIGHT_WRITE, &inside, &element, &bytes)) return image_end(w, false);
        if (!inside || bytes > sizeof texel) continue;
        stored_colour(&s, l, colour);
        memset(texel, 0, sizeof texel);
        if (raw)
            give_raw(&s.t, colour, texel);
        else
            texel_surface_store(&s.t, colour, o->mem.d16, texel);
        memcpy(element, texel, bytes);
    }
    return image_end(w, true);
}

// ---- Atomics ----

bool image_aim(struct wave *w, const struct op *op, unsigned bytes, uint64_t at[MAX_LANES], uint64_t *inside,
               bool *ignored) {
    struct image_surface s;
    const enum image_found found = image_surface_find(w, op, &s);
    *ignored = found == IMAGE_NOTHING;
    *inside = 0;
    memset(at, 0, MAX_LANES * sizeof *at);
    if (found != IMAGE_FOUND) return *ignored;
    const struct image_places p = image_places_of(s.o, image_dim_of(s.o, s.t.dimension));
    EACH_LANE_ON(w, l) {
        const struct image_texel texel = texel_of(&s, &p, l);
        uint8_t *element;
        unsigned size;
        bool is_inside;
        if (!image_element(&s, &texel, RIGHT_READ | RIGHT_WRITE, &is_inside, &element, &size)) return false;
        if (!is_inside) continue;
        if (size != bytes) return image_refuse(w, op, "atomic on an image whose texels are of another size");
        if ((uintptr_t)element % bytes) {
            wave_fault(w, op, FAULT_ALIGNMENT, (int)l, (uint64_t)(uintptr_t)element);
            return false;
        }
        at[l] = (uint64_t)(uintptr_t)element;
        *inside |= 1ull << l;
    }
    return true;
}

// ---- Questions ----

// Width, height, depth or slices, levels; nothing of levels that there are not.
static bool sizes_of_lane(void *asking, unsigned lane, uint32_t out[4]) {
    struct asking *a = asking;
    const uint32_t level = image_integer(a->s.w, a->s.o, a->p.level, lane);
    const uint32_t last = (uint32_t)a->s.t.last_level - a->s.t.first_level;
    if (!a->s.t.bound || level > last) return true;
    texel_level_size(&a->s.t, level, out);
    out[3] = last + 1;
    return true;
}
bool image_get_resinfo(struct wave *w, const struct op *op) {
    struct asking a;
    const enum image_found found = begin(&a, w, op);
    if (found != IMAGE_FOUND) return found == IMAGE_NOTHING;
    return image_each_lane(w, a.s.o, false, sizes_of_lane, &a);
}
