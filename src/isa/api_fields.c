// SPDX-License-Identifier: MIT
// The public interface to decoding, fields and encoding. A changed instruction is encoded, decoded again and
// refused when that gives another operation, so no sequence of changes makes bytes that mean something else.
#include "base/diag.h"
#include "isa/api.h"

sw_decode sw_insn_decode(const sw_isa_mode *mode, const void *bytes, size_t available, sw_insn *insn) {
    struct isa copy;
    struct api_mode m = api_mode_of(mode, &copy);
    if (!insn || insn->size < sizeof *insn) return SW_DECODE_USAGE;
    insn->info = insn->second = NULL;
    insn->length = 0;
    if (!m.isa) return SW_DECODE_USAGE;
    struct insn *in = (struct insn *)insn->state;
    enum decode_status s = insn_decode(m.isa, bytes, available, in);
    insn->length = in->size;
    if (s == DECODE_OK) {
        if (m.isa->vgpr_msb) in->vgpr_msb = m.mode.vgpr_msb;
        insn->info = api_info(in->row);
        insn->second = api_info(in->row_y);
        return SW_DECODED;
    }
    insn->length = available < 4 ? (unsigned)available : 4;
    return s == DECODE_TRUNCATED ? SW_DECODE_TRUNCATED
           : s == DECODE_UNKNOWN ? SW_DECODE_UNKNOWN
                                 : SW_DECODE_BAD_OPERAND;
}

bool sw_insn_is_canonical(const sw_isa_mode *mode, const sw_insn *insn) {
    struct isa copy;
    struct api_mode m = api_mode_of(mode, &copy);
    return m.isa && api_has_insn(insn) && insn_is_canonical(m.isa, api_insn(insn), m.mode.wave32);
}

const char *sw_insn_format_name(const sw_insn *insn) {
    return api_has_insn(insn) ? format_names[api_insn(insn)->format->id] : NULL;
}

const char *sw_insn_suffix_name(const sw_insn *insn) {
    static const char *const names[] = {NULL, "literal", "DPP16", "DPP8", "SDWA"};
    return api_has_insn(insn) ? names[api_insn(insn)->suffix] : NULL;
}

// ---- Fields ----

static const struct format *suffix_of(const struct isa *isa, const struct insn *in) {
    switch (in->suffix) {
    case SUFFIX_DPP16: return isa->formats[FMT_DPP16];
    case SUFFIX_DPP8: return isa->formats[FMT_DPP8];
    case SUFFIX_SDWA: return isa->formats[in->format->id == FMT_VOPC ? FMT_SDWAB : FMT_SDWA];
    default: return NULL;
    }
}

static bool has_field(const struct format *f, unsigned field) {
    return f && f->present[field >> 6] >> (field & 63) & 1;
}

static int field_by_name(const char *name) {
    for (int i = 0; i < FIELDS; i++)
        if (!strcmp(api_field_names[i], name)) return i;
    return -1;
}

// The format that holds the field: where a word follows, its src0 is the one that counts.
static const struct format *holder(const struct isa *isa, const struct insn *in, int field) {
    const struct format *suffix = suffix_of(isa, in);
    if (has_field(suffix, (unsigned)field)) return suffix;
    return has_field(in->format, (unsigned)field) ? in->format : NULL;
}

// Registers in words of their own (NSA).
static bool is_scattered(const struct insn *in, int field) {
    return in->format->id == FMT_MIMG && field >= F_vaddr1 && field < F_vaddr1 + 4 * in->f[F_nsa];
}

bool sw_insn_field(const sw_isa_mode *mode, const sw_insn *insn, const char *name, int64_t *value) {
    struct isa copy;
    struct api_mode m = api_mode_of(mode, &copy);
    int field = field_by_name(name);
    if (!m.isa || !api_has_insn(insn) || field < 0) return false;
    const struct insn *in = api_insn(insn);
    bool scale = field == F_scale0 || field == F_scale1 || field == F_scale_sel || field == F_scale_sel_hi;
    if (field == F_literal ? !in->has_literal
        : scale            ? !in->scaled && !insn_has(in, (enum field)field)
                           : !holder(m.isa, in, field) && !is_scattered(in, field))
        return false;
    *value = field == F_literal ? (int64_t)(uint32_t)in->f[field] : in->f[field];
    if (field == F_literal && in->wide_literal)
        *value = (int64_t)((uint64_t)(uint32_t)in->f[F_literal_hi] << 32 | (uint32_t)in->f[F_literal]);
    return true;
}

// Whether the parts of the field hold exactly this value.
static bool holds(const struct format *f, int field, int64_t value) {
    uint64_t mask = 0;
    unsigned bias = 0, sign = 0;
    for (unsigned i = 0; i < f->part_count; i++) {
        const struct part *p = &f->parts[i];
        if (p->field != field) continue;
        mask |= ((1ull << p->width) - 1) << p->at;
        bias = p->bias;
        sign = p->sign;
    }
    if (field ==
        F_vdsty) { // a VGPR; its lowest bit is the opposite of the other half's, which encoding checks
        mask |= 1;
        bias = SRC_VGPR0;
    }
    if (sign)
        return value >= -(1ll << (sign - 1)) && value < 1ll << (sign - 1) &&
               !(value & ~mask & ((1ll << sign) - 1));
    return value >= bias && !((uint64_t)(value - bias) & ~mask);
}

sw_status sw_insn_set_field(const sw_isa_mode *mode, sw_insn *insn, const char *name, int64_t value,
                            const sw_sink *sink) {
    struct isa copy;
    struct api_mode m = api_mode_of(mode, &copy);
    if (!m.isa || !api_has_insn(insn)) return diag_fail(sink, SW_USAGE, NULL, "no decoded instruction");
    struct insn *in = (struct insn *)insn->state;
    int field = field_by_name(name);
    const char *id = row_id(in->row);
    if (field == F_op || field == F_opx)
        return diag_fail(sink, SW_BAD_INPUT, NULL, "%s: the opcode is the operation and cannot be set", id);
    if (field == F_literal) {
        if (in->suffix > SUFFIX_LITERAL)
            return diag_fail(sink, SW_BAD_INPUT, NULL, "%s: a literal and %s exclude each other", id,
                             sw_insn_suffix_name(insn));
        if (value < INT32_MIN || value > UINT32_MAX)
            return diag_fail(sink, SW_BAD_INPUT, NULL, "%s: a literal has 32 bits", id);
        in->suffix = SUFFIX_LITERAL;
        in->has_literal = true;
        in->f[field] = (int32_t)(uint32_t)value;
        return SW_OK;
    }
    const struct format *f = field < 0 ? NULL : holder(m.isa, in, field);
    bool scattered = field >= 0 && is_scattered(in, field);
    if (!f && !scattered)
        return diag_fail(sink, SW_BAD_INPUT, NULL, "%s: %s has no field '%s'", id,
                         format_names[in->format->id], name);
    if (scattered ? value < SRC_VGPR0 || value >= SRC_AGPR0 : !holds(f, field, value))
        return diag_fail(sink, SW_BAD_INPUT, NULL, "%s: field %s cannot hold %lld", id, name,
                         (long long)value);
    in->f[field] = (int32_t)value;
    return SW_OK;
}

// ---- Encoding ----

sw_status sw_insn_encode(const sw_isa_mode *mode, const sw_insn *insn, uint8_t bytes[SW_INSN_MAX_BYTES],
                         size_t *size, const sw_sink *sink) {
    struct isa copy;
    struct api_mode m = api_mode_of(mode, &copy);
    *size = 0;
    if (!m.isa || !api_has_insn(insn)) return diag_fail(sink, SW_USAGE, NULL, "no decoded instruction");
    struct insn in = *api_insn(insn), back;
    if (m.isa->formats[in.format->id] != in.format)
        return diag_fail(sink, SW_USAGE, NULL, "%s: decoded for another processor", row_id(in.row));
    if (in.format->id == FMT_MIMG && insn_has(&in, F_nsa) && in.has_literal) in.has_literal = false;
    unsigned length = insn_encode(m.isa, &in, (unsigned)in.f[F_op], bytes);
    enum decode_status s = insn_decode(m.isa, bytes, length, &back);
    // A literal that no source asks for any more is left out.
    if (s == DECODE_OK && in.has_literal && !back.has_literal && back.size + 4u == length) length = back.size;
    if (s != DECODE_OK || back.row != in.row || back.row_y != in.row_y || back.size != length)
        return diag_fail(sink, SW_BAD_INPUT, NULL, "%s: the fields make no such instruction", row_id(in.row));
    for (int i = 0; i < FIELDS; i++) // some exclude each other: destinations of both halves of a VOPD
        if (back.f[i] != in.f[i] && i != F_literal)
            return diag_fail(sink, SW_BAD_INPUT, NULL, "%s: field %s cannot be %d beside the other fields",
                             row_id(in.row), api_field_names[i], in.f[i]);
    *size = length;
    return SW_OK;
}
