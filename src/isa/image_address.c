// SPDX-License-Identifier: MIT
// Where the address of an image instruction lies and how many registers its data takes, both functions of the
// operation, the dimension and the modifiers. Before GFX10 the dimension is in the resource, so the least
// that the operation can need stands for the address.
#include "isa/isa.h"

static unsigned extra_words(const struct row *row) {
    return (unsigned)__builtin_popcount(row->image & (IMAGE_OFFSET | IMAGE_BIAS | IMAGE_COMPARE));
}

// Dwords of the address, by dimension.
static unsigned address_words(const struct isa *isa, const struct insn *in) {
    static const uint8_t coordinates[] = {1, 2, 3, 3, 2, 3, 3, 4}, gradients[] = {2, 4, 6, 4, 2, 4, 4, 4};
    const struct row *row = in->row;
    unsigned dim = (unsigned)in->f[F_dim] & 7, words = extra_words(row);
    unsigned components = (row->image & IMAGE_QUERY ? 0u : coordinates[dim]) + !!(row->image & IMAGE_LEVEL);
    words += in->f[F_a16] ? (components + 1) / 2 : components;
    if (!(row->image & IMAGE_GRADIENTS)) return words;
    // Two gradients a coordinate; in 16 bits each direction starts a dword.
    bool half = row->image & IMAGE_G16 || (in->f[F_a16] && !isa->g16);
    return words + (half ? (gradients[dim] / 2 + 1u) & ~1u : gradients[dim]);
}

static bool samples(const struct row *row) {
    for (int i = 0; i < ROW_SRC; i++)
        if (row->src[i].type && row->src[i].field == F_ssamp) return true;
    return false;
}

// The most and the fewest dwords that any dimension of the operation has (MSAA images cannot be sampled).
unsigned isa_image_most(const struct row *row) {
    if (!samples(row)) return 4;
    bool level = row->image & IMAGE_LEVEL;
    unsigned words = row->image & IMAGE_G16 ? 7 : row->image & IMAGE_GRADIENTS ? 9 : 3;
    return words + level + extra_words(row);
}
static unsigned least_words(const struct row *row) {
    return samples(row) ? (row->image & IMAGE_GRADIENTS ? 2 : 1) + extra_words(row) : 1;
}

static const enum field places[] = {F_vaddr0, F_vaddr1, F_vaddr2, F_vaddr3,  F_vaddr4,  F_vaddr5, F_vaddr6,
                                    F_vaddr7, F_vaddr8, F_vaddr9, F_vaddr10, F_vaddr11, F_vaddr12};

static void one_run(const struct insn *in, unsigned dwords, struct image_address *out) {
    *out =
        (struct image_address){.count = 1, .dwords = {(uint8_t)dwords}, .code = {(uint16_t)in->f[F_vaddr0]}};
}

static void scattered(const struct insn *in, unsigned count, unsigned last, struct image_address *out) {
    *out = (struct image_address){.list = true, .count = (uint8_t)count};
    for (unsigned i = 0; i < count; i++) {
        out->code[i] = (uint16_t)in->f[places[i]];
        out->dwords[i] = i + 1 == count ? (uint8_t)last : 1;
    }
}

static bool ray_address(const struct isa *isa, const struct insn *in, struct image_address *out) {
    bool node64 = in->row->image & IMAGE_NODE64, half = in->f[F_a16];
    unsigned words = (half ? 8 : 11) + node64;
    if (in->format->id == FMT_MIMG && !in->f[F_nsa])
        one_run(in, words, out);
    else if (!isa->partial_nsa)
        scattered(in, words, 1, out);
    else if (in->row->image & IMAGE_DUAL_RAY) {
        static const uint8_t dwords[] = {2, 2, 3, 3, 2};
        scattered(in, 5, 2, out);
        for (unsigned i = 0; i < 5; i++) out->dwords[i] = dwords[i];
        if (in->row->image & IMAGE_GATHER) out->dwords[4] = 1; // one node, not two
    } else {
        scattered(in, half ? 4 : 5, 3, out);
        out->dwords[0] = 1 + node64;
        out->dwords[2] = out->dwords[3] = 3;
    }
    return isa->partial_nsa || in->format->id != FMT_MIMG || !in->f[F_nsa] ||
           (words + 2) / 4 == (unsigned)in->f[F_nsa];
}

// The dwords of data that the operation's mask and modifiers ask for; 0: no such number, or not so many
// registers from there.
static unsigned data_words(const struct isa *isa, const struct insn *in) {
    const struct row *row = in->row;
    bool gather = row->image & IMAGE_GATHER, atomic = row->flags & ROW_LOAD && row->flags & ROW_STORE;
    bool two = row->image & IMAGE_TWO_DATA;
    unsigned n = row->image & IMAGE_DUAL_RAY ? 10
                 : gather                    ? 4
                                             : (unsigned)__builtin_popcount((unsigned)in->f[F_dmask] & 15);
    if (!n) n = 1;
    if (in->f[F_d16] && isa->packed_d16) n = (n + 1) / 2;
    n += in->f[F_tfe] != 0;
    if ((unsigned)in->f[F_vdata] + n > SRC_AGPR0) return 0;
    if (isa->accvgpr_memory && n > 1 && in->f[F_vdata] & 1) return 0; // tuples start at an even register
    if ((gather && n == 3 && samples(row)) || (atomic && n > (two ? 5 : 3)) || (two && n < 2)) return 0;
    return n;
}

bool isa_image_address(const struct isa *isa, const struct insn *in, struct image_address *out) {
    const struct row *row = in->row;
    if (row->image & IMAGE_RAY) return ray_address(isa, in, out);
    bool fits = data_words(isa, in);
    if (!insn_has(in, F_dim)) {
        one_run(in, least_words(row), out);
        return fits;
    }
    unsigned words = address_words(isa, in), most = isa_image_most(row), least = least_words(row);
    if (in->format->id == FMT_MIMG && !in->f[F_nsa]) {
        unsigned longest = most == 3 ? 4 : most > 4 && most < 8 ? 8 : most; // MSAA: no name but a place
        fits &= (words <= most || words == longest) && words >= least &&
                (unsigned)in->f[F_vaddr0] + words <= SRC_AGPR0;
        one_run(in, fits ? words : least, out);
        return fits;
    }
    unsigned room = in->format->id == FMT_VIMAGE || in->format->id == FMT_VSAMPLE ? 4
                    : in->f[F_nsa] == 1                                           ? 5
                    : in->f[F_nsa] == 2                                           ? 9
                                                                                  : 12;
    if (room > most) room = most;
    fits &= words >= (in->format->id == FMT_MIMG ? 2 : 1) && words <= most;
    if (words > room)
        fits &= isa->partial_nsa && (unsigned)in->f[places[room - 1]] + words - room < SRC_AGPR0;
    if (!fits)
        scattered(in, room, 1, out);
    else if (words > room)
        scattered(in, room, words - room + 1, out);
    else
        scattered(in, words, 1, out);
    if (out->count == 1) out->list = false;
    return fits;
}

unsigned isa_image_data(const struct isa *isa, const struct insn *in, bool address_fits) {
    if (address_fits) return data_words(isa, in);
    return in->row->image & (IMAGE_GATHER | IMAGE_TWO_DATA) ? 2 : 1;
}
