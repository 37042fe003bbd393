// SPDX-License-Identifier: MIT
// The public interface to operations and formats: what exists on which processor under which name, and what
// is known of it. Everything is read from the constant tables.
#include "base/diag.h"
#include "isa/api.h"
#include "isa/fidelity.h"
#include "isa/names.h"

#include "base/sized.h"
#include "isa/kinds.h"
#include "isa/rules.h"

const char *const api_field_names[] = {
#define FIELD(name) #name,
#include "isa/fields.def"
#undef FIELD
};
const char *const api_type_names[] = {
#define X(name, dwords, bits) #name,
    OPERAND_TYPES(X)
#undef X
};

// ---- Modes ----

// A mode without the names of labels is one, too.
static const struct sized mode_kind = SIZED(sw_isa_mode, real_true16);

sw_status sw_isa_mode_init(sw_isa_mode *mode, const sw_processor *processor) {
    if (!mode || !processor || sized_check(mode_kind, mode, NULL)) return SW_USAGE;
    sw_isa_mode m = {
        .processor = processor, .wave32 = has(processor, CAP_wave32), .real_true16 = SW_SETTING_ANY};
    sized_fill(mode_kind, mode, &m);
    return isa_of(processor) ? SW_OK : SW_UNSUPPORTED;
}

struct api_mode api_mode_of(const sw_isa_mode *mode, struct isa *copy) {
    struct api_mode m = {0};
    if (!mode || sized_take(mode_kind, &m.mode, mode, NULL) || !m.mode.processor) return m;
    m.isa = isa_of(m.mode.processor);
    bool named = m.mode.real_true16 == SW_SETTING_ON;
    if (!m.isa || (m.mode.real_true16 != SW_SETTING_ON && m.mode.real_true16 != SW_SETTING_OFF) ||
        named == m.isa->halves_named || (named && !m.isa->true16))
        return m;
    *copy = *m.isa;
    copy->halves_named = named;
    m.isa = copy;
    return m;
}

// ---- Operations ----

size_t sw_insn_info_count(void) { return isa_row_count; }

const sw_insn_info *sw_insn_info_at(size_t index) {
    return index < isa_row_count ? api_info(&isa_rows[index]) : NULL;
}

const char *sw_insn_id(const sw_insn_info *info) { return row_id(api_row(info)); }

const sw_insn_info *sw_insn_info_by_id(const char *id, size_t length) {
    for (unsigned i = 0; i < isa_row_count; i++)
        if (strlen(row_id(&isa_rows[i])) == length && !memcmp(row_id(&isa_rows[i]), id, length))
            return api_info(&isa_rows[i]);
    return NULL;
}

bool api_is_matrix(const struct row *row) {
    if (row->enc[0].format == FMT_MAI) return row->class != CLASS_ACC_MOVE;
    return row->class == CLASS_WMMA || row->class == CLASS_SWMMAC;
}

static bool is_scalar_format(unsigned format) { return format <= FMT_SMEM; }

unsigned api_implicit_reads(const struct row *row) {
    // Reading or writing one lane by its number goes by no mask, nor do matrices.
    bool one_lane = row->scalars & 1 || (row->scalars && row->dst[0].field == F_sdst);
    bool nothing = !row->dst[0].type && !row->src[0].type;
    bool lanes = !is_scalar_format(row->enc[0].format) && row->enc[0].format != FMT_MAI &&
                 !api_is_matrix(row) && !one_lane && !nothing;
    return row->reads | (lanes ? R_EXEC : 0u);
}

static uint32_t public_implicit(unsigned set) {
    return (set & R_SCC ? SW_IMPLICIT_SCC : 0u) | (set & R_VCC ? SW_IMPLICIT_VCC : 0u) |
           (set & R_EXEC ? SW_IMPLICIT_EXEC : 0u) | (set & R_M0 ? SW_IMPLICIT_M0 : 0u) |
           (set & R_MODE ? SW_IMPLICIT_MODE : 0u);
}

static uint32_t public_flags(const struct row *row) {
    static const struct {
        uint64_t row;
        uint32_t flag;
    } map[] = {
        {ROW_LOAD, SW_INSN_LOAD},
        {ROW_STORE, SW_INSN_STORE},
        {ROW_ATOMIC, SW_INSN_ATOMIC},
        {ROW_BRANCH, SW_INSN_BRANCH},
        {ROW_CALL, SW_INSN_CALL},
        {ROW_TERMINATOR, SW_INSN_TERMINATOR},
        {ROW_NO_FALL_THROUGH, SW_INSN_NO_FALL_THROUGH},
        {ROW_VM_CNT, SW_INSN_COUNTS_VM},
        {ROW_LGKM_CNT, SW_INSN_COUNTS_LGKM},
        {ROW_EXP_CNT, SW_INSN_COUNTS_EXP},
        {ROW_TRANS, SW_INSN_TRANSCENDENTAL},
        {ROW_D16, SW_INSN_D16},
        {ROW_CLAMP, SW_INSN_CLAMP},
        {ROW_OMOD, SW_INSN_OMOD},
        {ROW_ABSNEG, SW_INSN_NEG_ABS},
        {ROW_DPP | ROW_DPP64, SW_INSN_DPP},
        {ROW_SDWA, SW_INSN_SDWA},
        {ROW_E64_DPP, SW_INSN_VOP3_DPP},
        {ROW_DPP64, SW_INSN_ROW_NEWBCAST},
        {ROW_SEXT, SW_INSN_SEXT},
        {ROW_OPSEL, SW_INSN_OP_SEL},
        {ROW_PACKED, SW_INSN_PACKED},
        {ROW_DST_HIGH, SW_INSN_HIGH_RESULT},
    };
    static const uint32_t by_format[FORMATS] = {
        [FMT_SOP2] = SW_INSN_SCALAR,  [FMT_SOPK] = SW_INSN_SCALAR,  [FMT_SOP1] = SW_INSN_SCALAR,
        [FMT_SOPC] = SW_INSN_SCALAR,  [FMT_SOPP] = SW_INSN_SCALAR,  [FMT_SMEM] = SW_INSN_SCALAR,
        [FMT_DS] = SW_INSN_LDS,       [FMT_FLAT] = SW_INSN_FLAT,    [FMT_GLOBAL] = SW_INSN_FLAT,
        [FMT_SCRATCH] = SW_INSN_FLAT, [FMT_MUBUF] = SW_INSN_BUFFER, [FMT_MTBUF] = SW_INSN_BUFFER,
        [FMT_MIMG] = SW_INSN_IMAGE,   [FMT_VIMAGE] = SW_INSN_IMAGE, [FMT_VSAMPLE] = SW_INSN_IMAGE,
        [FMT_EXP] = SW_INSN_EXPORT,
    };
    uint32_t flags = by_format[row->enc[0].format];
    for (size_t i = 0; i < sizeof map / sizeof *map; i++)
        if (row->flags & map[i].row) flags |= map[i].flag;
    if (row->atomic) flags |= SW_INSN_ATOMIC;
    if (api_is_matrix(row)) flags |= SW_INSN_MATRIX;
    if (row->class == CLASS_SWMMAC) flags |= (uint32_t)SW_INSN_SPARSE;
    if (row_dual(row) && row->enc[0].format != FMT_MAI) flags |= SW_INSN_DUAL;
    return flags;
}

void sw_insn_get_facts(const sw_insn_info *info, sw_insn_facts *facts) {
    const struct row *row = api_row(info);
    const struct fidelity *fidelity = row_fidelity(row);
    sw_insn_facts f = {.id = row_id(row),
                       .flags = public_flags(row),
                       .reads = public_implicit(api_implicit_reads(row)),
                       .writes = public_implicit(row->writes),
                       .gap = row_gap(row),
                       .access_bits = 8 * access_size(row->access),
                       .approximate = fidelity ? fidelity->why : NULL,
                       .ulps = fidelity ? fidelity->ulps : 0};
    sized_fill(SIZED(sw_insn_facts, access_bits), facts, &f);
}

static const struct coding *codings(const struct row *row, const sw_processor *p, unsigned *count) {
    const struct isa *isa = p ? isa_of(p) : NULL;
    size_t r = (size_t)(row - isa_rows);
    *count = isa ? (unsigned)(isa->row_codings[r + 1] - isa->row_codings[r]) : 0;
    return *count ? &isa->codings[isa->row_codings[r]] : NULL;
}

const char *sw_insn_mnemonic(const sw_insn_info *info, const sw_processor *processor) {
    const struct row *row = api_row(info);
    unsigned count;
    const struct coding *c = codings(row, processor, &count);
    if (!count) return NULL;
    bool half = c->format == FMT_VOPDX || c->format == FMT_VOPDY; // never outside of a VOPD
    return half && row_dual(row) ? row_dual(row) : isa_row_name(isa_of(processor), row);
}

const char *sw_insn_alias(const sw_insn_info *info, const sw_processor *processor, size_t index) {
    unsigned count, row = (unsigned)(api_row(info) - isa_rows);
    if (!codings(api_row(info), processor, &count)) return NULL;
    enum generation g = isa_of(processor)->generation;
    for (unsigned i = 0; i < isa_alias_count; i++) {
        const struct row_alias *a = &isa_row_aliases[i];
        if (a->row != row || !generation_within(g, a->from)) continue;
        if (a->until && generation_within(g, a->until)) continue;
        if (!index--) return row_text_of(a->name);
    }
    return NULL;
}

const sw_insn_info *sw_insn_info_find(const sw_processor *processor, const char *mnemonic, size_t length,
                                      size_t *cursor) {
    const struct isa *isa = processor ? isa_of(processor) : NULL;
    // The cursor is the slot of the table of names plus one; its top bit: among halves of VOPD.
    const size_t dual = (size_t)1 << 24;
    while (isa) {
        bool among = *cursor & dual;
        uint32_t slot = *cursor & ~dual ? (uint32_t)(*cursor & ~dual) - 1 : ISA_NAME_START;
        const struct row *row = isa_find_name(isa, mnemonic, length, among, &slot);
        if (row) {
            *cursor = (slot + 1u) | (among ? dual : 0);
            return api_info(row);
        }
        if (among) break;
        *cursor = dual;
    }
    return NULL;
}

// ---- Encodings and formats ----

static unsigned whole_format(unsigned format) {
    return format < FMT_VOPDX ? format : format < FMT_VOPD3X ? FMT_VOPD : FMT_VOPD3;
}

size_t sw_insn_encodings(const sw_insn_info *info, const sw_processor *processor, sw_encoding *out,
                         size_t capacity, size_t stride) {
    unsigned count;
    const struct coding *c = codings(api_row(info), processor, &count);
    for (unsigned i = 0; i < count; i++) {
        static const char *const halves[] = {"VOPDX", "VOPDY", "VOPD3X", "VOPD3Y"};
        bool half = c[i].format >= FMT_VOPDX;
        const struct format *f = isa_of(processor)->formats[whole_format(c[i].format)];
        const char *name = half ? halves[c[i].format - FMT_VOPDX] : format_names[c[i].format];
        sw_encoding e = {name, c[i].op, 4u * f->words};
        api_put(out, i, capacity, stride, &e, sizeof e);
    }
    return count;
}

size_t sw_format_parts(const sw_processor *processor, const char *format, sw_format_part *out,
                       size_t capacity, size_t stride) {
    const struct isa *isa = processor ? isa_of(processor) : NULL;
    const struct format *f = NULL;
    for (unsigned i = 0; isa && i < FORMATS; i++)
        if (format_names[i] && !strcmp(format_names[i], format)) f = isa->formats[i];
    if (!f) return 0;
    size_t n = 0;
    for (unsigned word = 0; word < f->words; word++)
        for (int bit = 31; bit >= 0; bit--) {
            sw_format_part p = {.word = word, .width = 0};
            for (unsigned i = 0; i < f->part_count; i++) {
                const struct part *q = &f->parts[i];
                if (q->word != word || q->lo + q->width - 1 != bit) continue;
                p = (sw_format_part){.field = api_field_names[q->field],
                                     .word = word,
                                     .low = q->lo,
                                     .width = q->width,
                                     .at = q->at,
                                     .bias = q->bias,
                                     .is_signed = q->sign};
            }
            const uint32_t mask = word ? f->tail_mask[word - 1] : f->mask;
            const uint32_t match = word ? f->tail_match[word - 1] : f->match;
            if (!p.width && mask >> bit & 1) {
                int low = bit;
                while (low > 0 && mask >> (low - 1) & 1) low--;
                p.low = (unsigned)low, p.width = (unsigned)(bit - low + 1);
                p.value = match >> low & (p.width == 32 ? ~0u : (1u << p.width) - 1);
            }
            if (!p.width) continue;
            api_put(out, n++, capacity, stride, &p, sizeof p);
            bit = (int)p.low;
        }
    return n;
}

// ---- What operands can be ----

static unsigned public_allowed(unsigned allow) {
    static const struct {
        uint16_t allow, flag;
    } map[] = {
        {ALLOW_VGPR, SW_ALLOW_VGPR},       {ALLOW_AGPR, SW_ALLOW_AGPR},
        {ALLOW_SCALAR, SW_ALLOW_SGPR},     {ALLOW_CONSTANT, SW_ALLOW_INLINE},
        {ALLOW_LITERAL, SW_ALLOW_LITERAL}, {ALLOW_NUMBER, SW_ALLOW_IMMEDIATE},
        {ALLOW_LABEL, SW_ALLOW_LABEL},
    };
    unsigned flags = 0;
    for (size_t i = 0; i < sizeof map / sizeof *map; i++)
        if (allow & map[i].allow) flags |= map[i].flag;
    return flags;
}

// What an operand may be in an encoding without a further word.
static unsigned allowed_in(const struct isa *isa, const struct row *row, unsigned place, unsigned format) {
    struct insn in = {.row = row, .format = isa->formats[whole_format(format)]};
    struct rule rule = rule_of(isa, &in, place, false);
    return rule.implied ? SW_ALLOW_SGPR : public_allowed(rule.allow);
}

size_t sw_insn_operand_specs(const sw_insn_info *info, const sw_processor *processor, sw_operand_spec *out,
                             size_t capacity, size_t stride) {
    const struct row *row = api_row(info);
    unsigned count;
    size_t n = 0;
    const struct coding *c = codings(row, processor, &count);
    const bool swaps = row->flags & ROW_SWAPS; // what is written comes first, then all again as read
    for (unsigned i = 0; count && i < RULE_PLACES * (1u + swaps); i++) {
        const unsigned place = i % RULE_PLACES;
        const struct operand_spec s = row_operand(row, place);
        if (!s.type) continue;
        sw_operand_spec spec = {.field = api_field_names[s.field],
                                .type = api_type_names[s.type],
                                .written = swaps ? i < RULE_PLACES : place < RULE_SRC,
                                .dwords =
                                    s.type == T_F8F6F4 || s.type == T_MATRIX ? 0 : operand_dwords[s.type],
                                .element_bits = operand_bits[s.type]};
        for (unsigned k = 0; k < count; k++)
            spec.allowed |= allowed_in(isa_of(processor), row, place, c[k].format);
        api_put(out, n++, capacity, stride, &spec, sizeof spec);
    }
    return n;
}

sw_status sw_isa_mode_set_features(sw_isa_mode *mode, const char *features, const sw_sink *sink) {
    struct isa copy;
    struct api_mode m = api_mode_of(mode, &copy);
    if (!m.isa) return diag_fail(sink, SW_USAGE, NULL, "the mode names no processor with instructions");
    for (const char *p = features; *p;) {
        size_t length = strcspn(p, ",");
        bool sign = *p == '+' || *p == '-', on = *p == '+', wave32 = mode->wave32;
        struct isa switched = *m.isa;
        if (!sign || !isa_set_feature(&switched, &wave32, p + 1, length - 1, on))
            return diag_fail(sink, SW_USAGE, NULL, "%s has no feature '%.*s'", m.mode.processor->name,
                             (int)length, p);
        mode->wave32 = wave32;
        if (length == 12 && !strncasecmp(p + 1, "real-true16", 11))
            mode->real_true16 = on ? SW_SETTING_ON : SW_SETTING_OFF;
        p += length + (p[length] == ',');
    }
    return SW_OK;
}
