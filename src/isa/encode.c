// SPDX-License-Identifier: MIT
// Instruction to bytes, and mnemonic to row: the way back from what decode.c and the rows' names do. Needs
// nothing but constant data and the caller's memory.
#include "isa/isa.h"

#include <string.h>

#include "base/bytes.h"

const char *row_name(const struct row *row, enum generation g) {
    const char *name = row_id(row);
    for (const struct alias *a = row_names(row); a->name; a++)
        if (generation_within(g, a->generation)) name = row_text_of(a->name);
    return name;
}

const struct row *isa_find_name(const struct isa *isa, const char *name, size_t length, bool dual,
                                uint32_t *slot) {
    uint32_t i =
        *slot == ISA_NAME_START ? isa_name_hash(name, length) % ISA_NAME_SLOTS : (*slot + 1) % ISA_NAME_SLOTS;
    for (; isa->names[i]; i = (i + 1) % ISA_NAME_SLOTS) {
        unsigned value = isa->names[i];
        if (!(value & ISA_DUAL) == dual) continue;
        const struct row_alias *alias =
            value & ISA_ALIAS ? &isa_row_aliases[(value & ~(unsigned)ISA_ALIAS) - 1] : NULL;
        const struct row *row = &isa_rows[alias ? alias->row : (value & ~(unsigned)ISA_DUAL) - 1];
        const char *found = alias               ? row_text_of(alias->name)
                            : dual && row->dual ? row_dual(row)
                                                : row_name(row, isa->generation);
        if (strncmp(found, name, length) || found[length]) continue;
        *slot = i;
        return row;
    }
    return NULL;
}

static void insert(const struct format *format, const int32_t *f, uint32_t *words) {
    for (unsigned i = 0; i < format->part_count; i++) {
        const struct part *p = &format->parts[i];
        words[p->word] |= (uint32_t)((uint64_t)(uint32_t)f[p->field] >> p->at & ((1ull << p->width) - 1))
                          << p->lo;
    }
}

// What src0 holds where a word with the real source follows.
static const struct format *suffix_word(const struct isa *isa, const struct insn *in, int32_t *marker) {
    switch (in->suffix) {
    case SUFFIX_DPP16: *marker = SRC_DPP16; return isa->formats[FMT_DPP16];
    case SUFFIX_DPP8: *marker = in->dpp8_fi ? SRC_DPP8_FI : SRC_DPP8; return isa->formats[FMT_DPP8];
    case SUFFIX_SDWA:
        *marker = SRC_SDWA;
        return isa->formats[in->format->id == FMT_VOPC ? FMT_SDWAB : FMT_SDWA];
    default: return NULL;
    }
}

static const struct coding *scale_prefix(const struct isa *isa) {
    for (const struct coding *c = isa->codings; c < isa->codings + isa->row_codings[isa_row_count]; c++)
        if (isa_rows[c->row].class == CLASS_SCALE) return c;
    return NULL;
}

static unsigned encode_scaled(const struct isa *isa, const struct insn *in, unsigned op,
                              uint8_t out[INSN_MAX_BYTES]) {
    const struct coding *c = scale_prefix(isa);
    struct insn prefix = {.row = &isa_rows[c->row], .format = isa->formats[FMT_VOP3P]}, rest = *in;
    prefix.f[F_src0] = in->f[F_scale0];
    prefix.f[F_src1] = in->f[F_scale1];
    prefix.f[F_op_sel] = in->f[F_scale_sel];
    prefix.f[F_op_sel_hi] = in->f[F_scale_sel_hi];
    rest.scaled = false;
    unsigned size = insn_encode(isa, &prefix, c->op, out);
    return size + insn_encode(isa, &rest, op, out + size);
}

unsigned insn_encode(const struct isa *isa, const struct insn *in, unsigned op, uint8_t out[INSN_MAX_BYTES]) {
    if (in->scaled) return encode_scaled(isa, in, op, out);
    uint32_t words[INSN_MAX_BYTES / 4] = {in->format->match};
    unsigned count = in->format->words;
    for (unsigned i = 1; i < count; i++) words[i] = in->format->tail_match[i - 1];
    int32_t f[FIELDS], marker;
    memcpy(f, in->f, sizeof f);
    f[F_op] = (int32_t)op;
    const struct format *suffix = suffix_word(isa, in, &marker);
    if (suffix) {
        insert(suffix, f, words + count++);
        f[F_src0] = marker;
    }
    insert(in->format, f, words);
    if (in->format->id == FMT_MIMG && insn_has(in, F_nsa))
        for (unsigned i = 0; i < 4 * ((unsigned)f[F_nsa] & 3); i++) {
            if (!(i & 3)) words[count++] = 0;
            words[count - 1] |= ((uint32_t)f[F_vaddr1 + i] & 255) << 8 * (i & 3);
        }
    if (in->has_literal) words[count++] = (uint32_t)f[F_literal];
    if (in->wide_literal) words[count++] = (uint32_t)f[F_literal_hi];
    for (unsigned i = 0; i < count; i++) wr32(out + 4 * i, words[i]);
    return 4 * count;
}
