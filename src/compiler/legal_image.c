// SPDX-License-Identifier: MIT
// Intrinsics on images, llvm.amdgcn.image.*: loads, stores, samples, gathers, atomic operations and queries.
// An intrinsic's name is the row's, with dots, and the dimension behind it; its arguments stand in the order
// in which the hardware takes them. Descriptors are the same in all lanes by now (waterfall.c).
#include "compiler/image.h"
#include "compiler/cache.h"
#include "compiler/legal_buffer.h"

#include <stdio.h>

// ---- Names ----

struct dimension {
    char name[12];
    uint8_t coordinates, gradients; // gradients: of each direction
    bool layers;                    // what GFX9 wants to know of it (da)
};
static const struct dimension dimensions[IMAGE_DIMENSIONS] = {
    [IMAGE_1D] = {"1d", 1, 1, false},           [IMAGE_2D] = {"2d", 2, 2, false},
    [IMAGE_3D] = {"3d", 3, 3, false},           [IMAGE_CUBE] = {"cube", 3, 2, true},
    [IMAGE_1D_ARRAY] = {"1darray", 2, 1, true}, [IMAGE_2D_ARRAY] = {"2darray", 3, 2, true},
    [IMAGE_2D_MSAA] = {"2dmsaa", 3, 2, false},  [IMAGE_2D_MSAA_ARRAY] = {"2darraymsaa", 4, 2, true},
};

struct call {
    char op[40]; // the row's name behind "image_"
    unsigned dimension;
    bool sampled, store, atomic, two, query, no_result;
    const char *rest; // of the name: types
};

static bool begins(const char *s, const char *with) { return !strncmp(s, with, strlen(with)); }

static bool parse(const char *name, struct call *a) {
    size_t n = 0;
    *a = (struct call){0};
    if (!begins(name, "image.")) return false;
    for (name += 6; *name;) { // a word each
        const size_t length = strcspn(name, ".");
        for (a->dimension = 0; a->dimension < IMAGE_DIMENSIONS; a->dimension++)
            if (strlen(dimensions[a->dimension].name) == length &&
                !memcmp(dimensions[a->dimension].name, name, length))
                break;
        if (a->dimension < IMAGE_DIMENSIONS) {
            a->rest = name + length;
            break;
        }
        if (n + length + 2 > sizeof a->op) return false;
        if (n) a->op[n++] = '_';
        memcpy(a->op + n, name, length);
        n += length;
        name += length + (name[length] == '.');
    }
    if (!a->rest) return false;
    a->atomic = begins(a->op, "atomic_");
    a->two = a->atomic && strstr(a->op, "cmpswap");
    a->store = begins(a->op, "store");
    a->query = begins(a->op, "getresinfo");
    a->sampled = begins(a->op, "sample") || begins(a->op, "gather4") || begins(a->op, "getlod");
    a->no_result = begins(a->rest, ".nortn");
    return true;
}

bool compiler_image_operands(const char *name, unsigned operands, unsigned *descriptor, unsigned *sampler) {
    struct call a;
    if (begins(name, "image.bvh.intersect.ray.") && operands > 1) {
        *descriptor = operands - 1;
        *sampler = 0;
        return true;
    }
    if (!parse(name, &a) || operands < 5) return false;
    // Behind the descriptors: whether coordinates are texels, what failures do, the cache's policy.
    *descriptor = operands - (a.sampled ? 5 : 3);
    *sampler = a.sampled ? operands - 4 : 0;
    return true;
}

// Names that differ from the row's: of the intrinsic, of rows.
static const struct row *row_of(const struct legal *g, const struct call *a, bool half_gradients) {
    static const struct {
        char name[20], rows[2][28];
    } others[] = {
        {"getresinfo", {"get_resinfo"}},
        {"getlod", {"get_lod"}},
        {"msaa_load_x", {"msaa_load_x"}},
        {"atomic_add", {"atomic_add", "atomic_add_uint"}},
        {"atomic_sub", {"atomic_sub", "atomic_sub_uint"}},
        {"atomic_smin", {"atomic_smin", "atomic_min_int"}},
        {"atomic_umin", {"atomic_umin", "atomic_min_uint"}},
        {"atomic_smax", {"atomic_smax", "atomic_max_int"}},
        {"atomic_umax", {"atomic_umax", "atomic_max_uint"}},
        {"atomic_inc", {"atomic_inc", "atomic_inc_uint"}},
        {"atomic_dec", {"atomic_dec", "atomic_dec_uint"}},
    };
    char id[64];
    if (half_gradients && g->c->isa->g16) {
        snprintf(id, sizeof id, "image_%s_g16", a->op);
        return compiler_named_row(g->c, id);
    }
    for (size_t n = 0; n < sizeof others / sizeof *others; n++)
        for (unsigned k = 0; k < 2 && !strcmp(a->op, others[n].name) && *others[n].rows[k]; k++) {
            snprintf(id, sizeof id, "image_%s", others[n].rows[k]);
            const struct row *row = compiler_named_row(g->c, id);
            if (row) return row;
        }
    snprintf(id, sizeof id, "image_%s", a->op);
    return compiler_named_row(g->c, id);
}

// ---- Addresses ----

struct address {
    ir_ref words[16];
    unsigned count;
    bool half, half_gradients; // coordinates, gradients of 16 bits
};

static ir_ref in_vector(struct legal *g, ir_ref r) {
    const struct ir_value *v = ir_value_of(g->f, r);
    return v && v->bank == IR_BANK_V ? r : legal_emit_as(g, OP_copy, IR_BANK_V, ir_ref_type(g->f, r), &r, 1);
}

static bool is_half(const struct legal *g, unsigned operand) {
    return legal_type(g, legal_operand(g, operand))->bits == 16;
}

static ir_ref dword_of(struct legal *g, unsigned operand) {
    g->bank = IR_BANK_V;
    return legal_retype(g, g->i32, legal_part(g, legal_operand(g, operand), 0));
}

static void put_word(struct legal *g, struct address *a, ir_ref word) {
    if (a->count < sizeof a->words / sizeof *a->words)
        a->words[a->count++] = word;
    else
        legal_refuse(g, "an address of so many parts");
}

// Operands from `first` on, two to a dword if they have 16 bits.
static void put_words(struct legal *g, struct address *a, unsigned first, unsigned count, bool half) {
    for (unsigned n = 0; n < count && !g->c->status; n++) {
        const ir_ref low = dword_of(g, first + n);
        if (!half || n + 1 == count) {
            put_word(g, a, low);
            continue;
        }
        const ir_ref high = dword_of(g, first + ++n);
        put_word(g, a,
                 EMIT(g, OP_or, IR_BANK_V, EMIT(g, OP_shl, IR_BANK_V, high, legal_number(g, 16)),
                      EMIT(g, OP_and, IR_BANK_V, low, legal_number(g, 0xffff))));
    }
}

// Reads the address: parts of their own (offset, bias, reference), gradients, coordinates. False: refused.
static bool read_address(struct legal *g, const struct call *c, unsigned first, unsigned end,
                         struct address *a) {
    const bool gradients = strstr(c->op, "_d") || strstr(c->op, "_cd");
    const struct dimension *d = &dimensions[c->dimension];
    const unsigned sloped = gradients && c->sampled ? d->gradients * 2u : 0;
    const char *by = c->op;
    unsigned extra = 0;
    if (c->sampled && !c->query) { // what words of the name stand for
        for (; (by = strchr(by, '_')); by++)
            extra += (by[1] == 'o' || by[1] == 'b' || by[1] == 'c') && (!by[2] || by[2] == '_');
        if (begins(c->op, "getlod")) extra = 0;
    }
    if (end < first + extra + sloped + 1) {
        legal_refuse(g, "an address of so few parts");
        return false;
    }
    a->half = is_half(g, end - 1);
    a->half_gradients = sloped && is_half(g, first + extra);
    put_words(g, a, first, extra, false);
    for (unsigned n = 0; n < 2 && sloped; n++)
        put_words(g, a, first + extra + n * sloped / 2, sloped / 2, a->half_gradients);
    put_words(g, a, first + extra + sloped, end - first - extra - sloped, a->half);
    return !g->c->status;
}

// The address as operands. Scattered over registers where that is cheaper than moving them together, or as
// the encoding has it; what does not find room stands behind the last part.
static unsigned address_operands(struct legal *g, const struct row *row, const struct address *a,
                                 ir_ref *out) {
    enum { FEWEST = 3, MOST = 5, MOST_NEW = 4 };
    const struct isa *isa = g->c->isa;
    const unsigned format = isa->codings[isa->row_codings[row - isa_rows]].format;
    const unsigned most = format == FMT_MIMG ? MOST : MOST_NEW;
    const bool scattered =
        isa->nsa && (format != FMT_MIMG || (a->count >= FEWEST && (a->count <= most || isa->partial_nsa)));
    unsigned count = 0;
    for (unsigned n = 0; n < a->count && !g->c->status;) {
        const unsigned words = !scattered ? a->count : count + 1 == most ? a->count - n : 1;
        out[count++] = words == 1 ? in_vector(g, a->words[n])
                                  : legal_tuple(g, IR_BANK_V, ir_type_of(g->c->m, IR_BITS, words * 32, 1),
                                                a->words + n, words);
        n += words;
    }
    return count;
}

// ---- Data ----

// Components of 16 bits that have a dword each.
static bool is_unpacked(const struct legal *g) { return !has(g->c->processor, CAP_packed_d16); }

static unsigned data_words(const struct legal *g, unsigned components, bool half) {
    return half && !is_unpacked(g) ? (components + 1) / 2 : components;
}

// Registers are counted by components there, though fewer are used.
static bool counts_components(const struct legal *g) { return !g->c->isa->nsa; }

static ir_ref tuple(struct legal *g, const ir_ref *words, unsigned count) {
    if (count == 1) return in_vector(g, words[0]);
    return legal_tuple(g, IR_BANK_V, ir_type_of(g->c->m, IR_BITS, count * 32, 1), words, count);
}

static ir_ref data_of(struct legal *g, ir_ref value, unsigned components, bool half) {
    const struct ir_type t = *legal_type(g, value);
    ir_ref words[MOST_PARTS];
    g->bank = IR_BANK_V;
    if (half && is_unpacked(g)) {
        for (unsigned n = 0; n < t.count; n++) words[n] = legal_retype(g, g->i32, legal_part(g, value, n));
        return tuple(g, words, t.count);
    }
    unsigned count = legal_packed(g, value, words);
    while (half && counts_components(g) && count < components) words[count++] = legal_number(g, 0);
    return g->c->status ? IR_NOTHING : tuple(g, words, count);
}

// The result from the instruction's registers: components that it does not give are whatever. `status`: what
// is loaded comes packed, with the status behind it.
static void set_result(struct legal *g, const struct ir_type *data, ir_ref whole, unsigned words,
                       unsigned components, bool half, bool status) {
    const unsigned wanted = ((unsigned)data->bits * data->count + 31) / 32;
    ir_ref in[MOST_PARTS], out[MOST_PARTS], parts[MOST_PARTS];
    const unsigned own = data_words(g, components, half);
    unsigned count = 0;
    if (g->c->status) return;
    legal_parts_of(g, whole, words, g->i32, in);
    g->bank = IR_BANK_V;
    if (half && is_unpacked(g))
        count = legal_joined(g, in, own < 2 * wanted ? own : 2 * wanted, out);
    else
        while (count < own && count < wanted) out[count] = in[count], count++;
    while (count < wanted) out[count++] = legal_number(g, 0);
    if (status) {
        out[count++] = in[own];
        if (!g->c->status) legal_set_parts(g, out, count);
        return;
    }
    legal_unpacked(g, data, out, parts);
    if (!g->c->status) legal_set_parts(g, parts, legal_dwords(data) * data->count);
}

static void set_nothing(struct legal *g) {
    const struct ir_type *t = legal_type(g, ir_make(IR_VALUE, g->i->first_result));
    ir_ref nothing[MOST_PARTS];
    const unsigned count = legal_dwords(t) * t->count;
    const uint16_t type = legal_dword_type(g, t);
    for (unsigned n = 0; n < count && n < MOST_PARTS; n++) nothing[n] = ir_constant_bits(g->f, type, 0, 0);
    legal_set_parts(g, nothing, count);
}

// ---- Intrinsics ----

static bool number_of(struct legal *g, unsigned n, uint32_t *out) {
    const struct ir_constant *k = ir_constant_of(g->f, legal_operand(g, n));
    if (!k) legal_refuse(g, "an operand that is no constant here");
    *out = k ? (uint32_t)k->low : 0;
    return k != NULL;
}

static ir_ref scalars_of(struct legal *g, unsigned operand, unsigned dwords) {
    ir_ref words[8];
    for (unsigned n = 0; n < dwords; n++) {
        words[n] = legal_scalar(g, legal_part(g, legal_operand(g, operand), n));
        if (ir_constant_of(g->f, words[n]))
            words[n] = legal_emit_as(g, OP_copy, IR_BANK_S, g->i32, &words[n], 1);
    }
    return legal_tuple(g, IR_BANK_S, ir_type_of(g->c->m, IR_BITS, dwords * 32, 1), words, dwords);
}

static bool refuse(struct legal *g, const char *what) {
    legal_refuse(g, what);
    return true;
}

// Samples whose level of detail comes from how coordinates differ between neighbours.
static bool is_sloped(const struct call *c) {
    static const char *const given[] = {"_l", "_lz", "_d", "_cd"};
    for (const char *s = strchr(c->op, '_'); s; s = strchr(s + 1, '_'))
        for (size_t n = 0; n < sizeof given / sizeof *given; n++) {
            const size_t length = strlen(given[n]);
            if (begins(s, given[n]) && (!s[length] || s[length] == '_')) return false;
        }
    return c->sampled;
}

bool legal_is_sloped(const char *name) {
    struct call c;
    return parse(name, &c) && is_sloped(&c);
}

bool legal_image(struct legal *g, const char *name) {
    const unsigned operands = g->i->operands;
    unsigned rsrc, sampler;
    struct call c;
    struct address a = {0};
    ir_ref o[16];
    uint32_t mask = 1, unorm = 1, failing, policy;
    if (!parse(name, &c)) return false;
    if (!compiler_image_operands(name, operands, &rsrc, &sampler) || operands <= rsrc)
        return refuse(g, "an intrinsic of images with other arguments");
    if (g->f->facts.convention == IR_PIXEL_SHADER && has(g->c->processor, CAP_extended_image) &&
        is_sloped(&c) && !g->quads && !g->f->facts.live)
        return legal_refuse_quads(g), true;
    if (legal_type(g, legal_operand(g, rsrc))->bits * legal_type(g, legal_operand(g, rsrc))->count != 256)
        return refuse(g, "a descriptor of an image of this size");
    unsigned first = c.store || c.atomic ? 2 : 1; // behind the data
    if (c.two) first++;
    if (!c.atomic && !number_of(g, first++, &mask)) return true;
    if (!number_of(g, operands - 2, &failing) || !number_of(g, operands - 1, &policy) ||
        (c.sampled && !number_of(g, operands - 3, &unorm)))
        return true;
    mask &= 15;
    // What is loaded, or stored.
    const ir_ref value = c.store || c.atomic ? legal_operand(g, 1) : ir_make(IR_VALUE, g->i->first_result);
    struct ir_type t =
        c.no_result ? (struct ir_type){.kind = IR_F32, .bits = 32, .count = 4} : *legal_type(g, value);
    if (failing & 3 && !c.store && (c.no_result || !legal_status_type(c.rest, &t)))
        return refuse(g, "a load that says whether memory was missing (tfe), of this type,");
    const bool half = t.bits == 16 && !c.atomic,
               gather = begins(c.op, "gather4") || begins(c.op, "msaa_load");
    if (!mask && !(failing & 3)) { // nothing is read
        if (c.no_result) return true;
        if (!c.store) return set_nothing(g), true;
        mask = 15;
    }
    if (!mask) mask = 1;
    if (!read_address(g, &c, first, rsrc, &a)) return true;
    const struct row *row = row_of(g, &c, a.half_gradients);
    if (!row) {
        char what[160];
        snprintf(what, sizeof what, "the intrinsic llvm.amdgcn.%.90s on this processor", name);
        return refuse(g, what);
    }
    const struct isa *isa = g->c->isa;
    const struct insn in = {.row = row,
                            .format = isa->formats[isa->codings[isa->row_codings[row - isa_rows]].format]};
    if (((a.half || (a.half_gradients && !isa->g16)) && !insn_has(&in, F_a16)) ||
        (a.half_gradients && !isa->g16 && !a.half))
        return refuse(g, "an address of 16 bits in an image on this processor");
    if (!isa->g16 && a.half && strstr(c.op, "_d") && c.sampled && !a.half_gradients)
        return refuse(g, "an address of 16 bits with gradients of 32 bits on this processor");
    if (half && (!insn_has(&in, F_d16) || row->image & IMAGE_NO_D16))
        return refuse(g, "image data of 16 bits on this processor");
    if (c.no_result && !insn_has(&in, F_dim)) return refuse(g, "a sample without a result on this processor");
    if (failing & 3 && !insn_has(&in, F_tfe))
        return refuse(g, "a load that says whether memory was missing (tfe), on this processor,");

    struct ir_memory m = {.space = IR_FAT, .align_log2 = 2, .bytes = 16};
    if (!legal_cache(g, row, policy, &m)) return refuse(g, "a cache policy of this kind");
    const unsigned components = gather ? 4 : (unsigned)__builtin_popcount(mask);
    const bool returns = c.no_result || (g->i->results && (!c.atomic || legal_is_used(g))),
               status = failing & 3 && !c.store;
    const unsigned elements = t.count;
    if (!c.atomic && !gather && !c.store && components > elements)
        return refuse(g, "an image instruction of more components than its type has");
    unsigned count = 0, words = 0;
    bool tied = false;
    if (c.atomic) {
        const unsigned dwords = ((unsigned)t.bits * t.count + 31) / 32;
        mask = dwords * (c.two ? 2 : 1) == 4 ? 15 : dwords * (c.two ? 2u : 1u) == 2 ? 3 : 1;
        o[count++] = c.two ? legal_exchange_pair(g, legal_operand(g, 2), legal_operand(g, 1))
                           : data_of(g, value, dwords, false);
        words = dwords * (c.two ? 2 : 1);
        tied = returns;
        if (returns) m.cache |= CACHE_RETURN;
    } else if (c.store)
        o[count++] = data_of(g, value, components, half);
    else {
        words = data_words(g, components, half);
        if (half && gather && counts_components(g) && words < components) words = components;
        if (status) {
            ir_ref zeros[8];
            for (unsigned n = 0; n <= words; n++) zeros[n] = legal_number(g, 0);
            o[count++] = tuple(g, zeros, ++words);
            tied = true;
        }
    }
    const unsigned addresses = address_operands(g, row, &a, o + count);
    count += addresses;
    o[count++] = scalars_of(g, rsrc, 8);
    if (c.sampled) o[count++] = scalars_of(g, sampler, 4);
    o[count++] =
        ir_immediate((int32_t)(mask * IMAGE_BIT_MASK | c.dimension * IMAGE_BIT_DIMENSION |
                               (unorm & 1 ? IMAGE_BIT_UNORM : 0u) | (a.half ? IMAGE_BIT_A16 : 0u) |
                               (half ? IMAGE_BIT_D16 : 0u) | (failing & 1 ? IMAGE_BIT_TFE : 0u) |
                               (failing & 2 ? IMAGE_BIT_LWE : 0u) | addresses * IMAGE_BIT_ADDRESSES));
    if (g->c->status) return true;
    struct ir_inst *i = ir_append(g->f, ir_op_of_row(row), o, count);
    i->location = g->i->location;
    i->memory = ir_memory_add(g->f, &m);
    i->flags = g->i->flags & IR_CONVERGENT;
    if (tied) i->modifiers = IR_TIED;
    if (!returns) {
        if (g->i->results) set_nothing(g);
        return true;
    }
    const ir_ref r = ir_result(g->f, words == 1 ? g->i32 : ir_type_of(g->c->m, IR_BITS, words * 32, 1));
    struct ir_value *v = ir_value_of(g->f, r);
    if (!v) return true;
    v->bank = IR_BANK_V;
    if (c.no_result) { // its encoding is that of the plain sample: registers for the data are there
        ir_append(g->f, OP_keep, &r, 1);
        return true;
    }
    if (c.atomic) {
        const unsigned dwords = ((unsigned)t.bits * t.count + 31) / 32;
        ir_ref in_words[8], parts[MOST_PARTS];
        legal_parts_of(g, r, words, g->i32, in_words);
        g->bank = IR_BANK_V;
        legal_unpacked(g, &t, in_words, parts);
        (void)dwords;
        if (!g->c->status) legal_set_parts(g, parts, legal_dwords(&t) * t.count);
        return true;
    }
    set_result(g, &t, r, words, components, half, status);
    return true;
}
