// SPDX-License-Identifier: MIT
// One statement to the bytes of one instruction: finds the rows that the mnemonic names, tries their
// encodings from the shortest on and in every form that suffix and modifiers allow, and encodes the first
// that fits. When none does, the one that got furthest says why.
#include <stdio.h>
#include <string.h>

#include "base/similar.h"
#include "asm/insn/fit.h"
#include "asm/insn/parse.h"
#include "isa/kinds.h"
#include "isa/names.h"

// What the mnemonic's suffix asks for.
enum form { FORM_ANY, FORM_E32, FORM_E64, FORM_DPP, FORM_SDWA, FORM_E64_DPP };

static const struct form_suffix {
    const char *text;
    uint8_t length, form;
} form_suffixes[] = {
    {"_e64_dpp", 8, FORM_E64_DPP}, {"_sdwa", 5, FORM_SDWA}, {"_e32", 4, FORM_E32},
    {"_e64", 4, FORM_E64},         {"_dpp", 4, FORM_DPP},
};

struct choice { // an encoding to try
    const struct row *row;
    const struct coding *coding;
    uint8_t suffix; // enum suffix
};

struct attempt {
    struct fit *fit;
    struct choice best;
    unsigned progress;
    const char *where;
    bool any, scaled;
};

// A matrix operation under the name that it has with scales.
static const struct row *find_scaled(const struct statement *st) {
    const struct isa *isa = &st->mode->isa;
    for (unsigned i = 0; isa->scale_prefix && i < isa->row_codings[isa_row_count]; i++) {
        const struct row *row = &isa_rows[isa->codings[i].row];
        if (isa->codings[i].format == FMT_MAI && row_dual(row) &&
            text_is(st->name, st->name + st->name_length, row_dual(row)))
            return row;
    }
    return NULL;
}

static bool fit_format(struct fit *f) {
    switch (f->in.format->id) {
    case FMT_SOP2:
    case FMT_SOPK:
    case FMT_SOP1:
    case FMT_SOPC:
    case FMT_SOPP: return fit_scalar(f);
    case FMT_SMEM: return fit_smem(f);
    case FMT_DS: return fit_ds(f);
    case FMT_FLAT:
    case FMT_GLOBAL:
    case FMT_SCRATCH: return fit_flat(f);
    case FMT_MUBUF:
    case FMT_MTBUF: return fit_buffer(f);
    case FMT_MIMG:
    case FMT_VIMAGE:
    case FMT_VSAMPLE: return fit_image(f);
    case FMT_TENSOR: return fit_tensor(f);
    case FMT_EXP: return fit_export(f);
    default: return fit_valu(f);
    }
}

static void prepare(struct fit *f, const struct statement *st, const struct choice *c) {
    const struct isa *isa = &st->mode->isa;
    memset(f, 0, sizeof *f);
    f->st = st;
    f->isa = isa;
    f->row = f->in.row = c->row;
    f->in.format = isa->formats[c->coding->format];
    f->in.suffix = c->suffix;
    unsigned r = (unsigned)(c->row - isa_rows);
    f->in.two_forms = isa->row_codings[r + 1] - isa->row_codings[r] > 1;
}

static bool try_choice(struct attempt *a, const struct statement *st, const struct choice *c) {
    prepare(a->fit, st, c);
    a->fit->in.scaled = a->scaled;
    if (fit_format(a->fit) && fit_finish(a->fit)) return true;
    if (!a->any || a->fit->where >= a->where) { // of equals the most general encoding
        a->any = true;
        a->best = *c;
        a->where = a->fit->where;
    }
    return false;
}

static bool present(const struct statement *st, enum modifier_id id) {
    return st->present[id >> 6] >> (id & 63) & 1;
}

static bool wants_dpp(const struct statement *st) {
    static const uint8_t ids[] = {M_quad_perm, M_row_shl,   M_row_shr,   M_row_ror,     M_row_mirror,
                                  M_wave_shl,  M_wave_rol,  M_wave_shr,  M_wave_ror,    M_row_half_mirror,
                                  M_row_bcast, M_row_share, M_row_xmask, M_row_newbcast};
    for (unsigned i = 0; i < sizeof ids; i++)
        if (present(st, ids[i])) return true;
    return false;
}

static bool wants_sdwa(const struct statement *st) {
    for (unsigned i = 0; i < st->operands; i++)
        if (st->operand[i].sext) return true;
    return present(st, M_dst_sel) || present(st, M_dst_unused) || present(st, M_src0_sel) ||
           present(st, M_src1_sel);
}

// Whether the word behind the format exists here and the row takes it.
static bool suffix_allowed(const struct isa *isa, const struct choice *c) {
    unsigned format = c->coding->format;
    uint64_t flags = c->row->flags;
    bool is_e32 = is_short(format);
    // Lanes of 64 bits are moved from gfx90a on only.
    bool wide_dpp = isa->dpp64 == 2 || (isa->dpp64 && operand_bits[c->row->src[0].type] < 64);
    if (c->suffix >= SUFFIX_DPP16 && is_e32 && loses_dpp(isa, c->row)) return false;
    if (c->suffix >= SUFFIX_DPP16 && c->row->reads & R_M0 && !isa->movrel_dpp) return false; // relative moves
    switch (c->suffix) {
    case SUFFIX_DPP16:
        if (!isa->formats[FMT_DPP16] || (!is_e32 && !(isa->vop3_dpp && is_long(format)))) return false;
        if (format == FMT_VOPC && !isa->vopc_dpp) return false;
        return flags & (!is_e32 ? ROW_E64_DPP : wide_dpp ? ROW_DPP | ROW_DPP64 : ROW_DPP);
    case SUFFIX_DPP8:
        if (!isa->formats[FMT_DPP8] || (!is_e32 && !(isa->vop3_dpp && is_long(format)))) return false;
        if (format == FMT_VOPC && !isa->vopc_dpp) return false;
        return flags & (is_e32 ? ROW_DPP : ROW_E64_DPP);
    case SUFFIX_SDWA:
        if (c->row->src[2].type && c->row->src[2].field == F_vdst && !isa->sdwa_adds) return false;
        return is_e32 && isa->formats[FMT_SDWA] && flags & ROW_SDWA;
    default: return true;
    }
}

static bool form_matches(enum form form, const struct choice *c) {
    unsigned format = c->coding->format;
    bool dpp = c->suffix == SUFFIX_DPP16 || c->suffix == SUFFIX_DPP8;
    bool is_e64 = is_long(format) || format == FMT_VOP3I;
    switch (form) {
    case FORM_E32: return !is_e64 && c->suffix == SUFFIX_NONE;
    case FORM_E64: return is_e64 && c->suffix == SUFFIX_NONE;
    case FORM_DPP: return is_short(format) && dpp;
    case FORM_SDWA: return c->suffix == SUFFIX_SDWA;
    case FORM_E64_DPP: return is_long(format) && dpp;
    default: return true;
    }
}

static bool try_row(struct attempt *a, const struct statement *st, const struct row *row, enum form form,
                    const struct coding **coding) {
    const struct isa *isa = &st->mode->isa;
    unsigned r = (unsigned)(row - isa_rows);
    bool dpp8 = present(st, M_dpp8), dpp16 = !dpp8 && wants_dpp(st);
    // Short encodings first, then long ones; DPP and SDWA exactly where what they need is given.
    uint8_t suffix = form == FORM_SDWA || wants_sdwa(st) ? SUFFIX_SDWA
                     : dpp8                              ? SUFFIX_DPP8
                     : dpp16                             ? SUFFIX_DPP16
                                                         : SUFFIX_NONE;
    for (unsigned i = isa->row_codings[r]; i < isa->row_codings[r + 1]; i++) {
        struct choice c = {row, &isa->codings[i], suffix};
        if (c.coding->format >= FMT_VOPDX) continue;
        if (!suffix_allowed(isa, &c) || !form_matches(form, &c)) continue;
        if (!try_choice(a, st, &c)) continue;
        *coding = c.coding;
        return true;
    }
    return false;
}

// Where no long encoding clamps, an SDWA word that selects whole registers may. What it misses is no news.
static bool try_clamped_sdwa(struct attempt *a, const struct statement *st, const struct row *row,
                             const struct coding **coding) {
    if (row->dst[0].type == T_MASK || !present(st, M_clamp) || wants_sdwa(st) || present(st, M_dpp8) ||
        wants_dpp(st))
        return false;
    const struct attempt before = *a;
    if (try_row(a, st, row, FORM_SDWA, coding)) return true;
    *a = before;
    return false;
}

// ---- The other half of a VOPD ----

static const struct coding *half_coding(const struct isa *isa, const struct row *row, unsigned format) {
    unsigned r = (unsigned)(row - isa_rows);
    for (unsigned i = isa->row_codings[r]; i < isa->row_codings[r + 1]; i++)
        if (isa->codings[i].format == format) return &isa->codings[i];
    return NULL;
}

static const struct row *find_half(const struct statement *st, unsigned format,
                                   const struct coding **coding) {
    uint32_t slot = ISA_NAME_START;
    const struct row *row;
    while ((row = isa_find_name(&st->mode->isa, st->name, st->name_length, true, &slot)))
        if ((*coding = half_coding(&st->mode->isa, row, format))) return row;
    return NULL;
}

static bool finish(const struct fit *f, unsigned op, struct asm_insn *out) {
    out->size = (uint8_t)insn_encode(f->isa, &f->in, op, out->bytes);
    out->fixup_count = 0;
    if (f->branch_expr)
        out->fixup[out->fixup_count++] = (struct mc_fixup){MC_FIXUP_BRANCH, 0, f->branch_expr};
    if (f->literal_expr)
        out->fixup[out->fixup_count++] =
            f->in.wide_literal ? (struct mc_fixup){MC_FIXUP_QWORD, (uint8_t)(out->size - 8), f->literal_expr}
                               : (struct mc_fixup){MC_FIXUP_DWORD, (uint8_t)(out->size - 4), f->literal_expr};
    return true;
}

// As an instruction of two dwords or, `wide`, of three. Without `reporting` nothing is said when it does not
// fit.
static bool try_vopd(const struct statement *x, const struct statement *y, bool wide, bool reporting,
                     bool *named, struct asm_insn *out) {
    struct fit fx, fy;
    const struct coding *cx, *cy;
    const struct row *rx = find_half(x, wide ? FMT_VOPD3X : FMT_VOPDX, &cx),
                     *ry = find_half(y, wide ? FMT_VOPD3Y : FMT_VOPDY, &cy);
    *named = rx && ry;
    if (!*named) {
        const struct statement *bad = rx ? y : x;
        return reporting && asm_fail(x->host, bad->name, "%.*s is no %s half of a VOPD on %s",
                                     (int)(bad->name_length < 60 ? bad->name_length : 60), bad->name,
                                     rx ? "second" : "first", x->mode->processor->name);
    }
    prepare(&fx, x, &(struct choice){rx, cx, SUFFIX_NONE});
    prepare(&fy, y, &(struct choice){ry, cy, SUFFIX_NONE});
    fx.in.format = fy.in.format = fx.isa->formats[wide ? FMT_VOPD3 : FMT_VOPD];
    fx.reporting = fy.reporting = reporting;
    if (!fit_vopd(&fx, &fy)) return false;
    fx.in.f[F_opx] = cx->op;
    return finish(&fx, cy->op, out);
}

static bool assemble_vopd(const struct statement *x, struct asm_insn *out) {
    struct statement y;
    if (!parse_statement(&y, x->mode, x->host, x->second, x->end, x->words)) return false;
    bool narrow, wide = false;
    if (!x->mode->wave32) return asm_fail(x->host, x->name, "a VOPD needs wavefrontsize32");
    if (try_vopd(x, &y, false, false, &narrow, out)) return true;
    bool has_wide = x->mode->isa.formats[FMT_VOPD3];
    if (has_wide && try_vopd(x, &y, true, false, &wide, out)) return true;
    return try_vopd(x, &y, has_wide && (wide || !narrow), true, &narrow, out);
}

// ---- Names ----

static bool unknown_name(const struct statement *st) {
    int length = (int)(st->name_length < 60 ? st->name_length : 60);
    const struct isa *isa = &st->mode->isa;
    size_t bare = st->name_length;
    for (unsigned i = 0; i < sizeof form_suffixes / sizeof *form_suffixes; i++) {
        const struct form_suffix *x = &form_suffixes[i];
        if (bare > x->length && !memcmp(st->name + bare - x->length, x->text, x->length)) {
            bare -= x->length;
            break;
        }
    }
    char others[80] = "";
    size_t used = 0;
    for (size_t i = 0; i < sw_processor_count(); i++) { // who has it
        const struct isa *other = isa_of(sw_processor_at(i));
        uint32_t slot = ISA_NAME_START;
        if (!other || !isa_find_name(other, st->name, bare, false, &slot)) continue;
        int n =
            snprintf(others + used, sizeof others - used, "%s%s", used ? ", " : "", sw_processor_at(i)->name);
        if (n < 0 || used + (size_t)n >= sizeof others - 6) {
            snprintf(others + used, sizeof others - used, ", ...");
            break;
        }
        used += (size_t)n;
    }
    if (*others)
        return asm_fail(st->host, st->name, "%s has no instruction '%.*s'; these have: %s",
                        st->mode->processor->name, length, st->name, others);
    const char *nearest = NULL;
    unsigned best = bare < 6 ? 2 : 3;
    for (unsigned i = 0; i < isa->row_codings[isa_row_count]; i++) {
        const char *name = isa_row_name(isa, &isa_rows[isa->codings[i].row]);
        unsigned d = similar_distance(st->name, bare, name, strlen(name), best);
        if (d < best) best = d, nearest = name;
    }
    if (nearest)
        return asm_fail(st->host, st->name, "%s has no instruction '%.*s'; did you mean %s?",
                        st->mode->processor->name, length, st->name, nearest);
    return asm_fail(st->host, st->name, "%s has no instruction '%.*s'", st->mode->processor->name, length,
                    st->name);
}

// A symbol may be called as a flag is: gds, lds, glc. `words` says to read such names so; *again is set when
// that is worth an attempt; NULL: report what is wrong.
static bool one_reading(const struct mc_mode *mode, const struct asm_host *host, const char *text,
                        const char *end, bool words, bool *again, struct asm_insn *out) {
    struct statement st;
    struct fit fit;
    struct attempt a = {.fit = &fit};
    if (!parse_statement(&st, mode, host, text, end, words)) return false;
    if (st.second) return assemble_vopd(&st, out);
    bool found = false, fits = false;
    const struct coding *coding = NULL;
    // The whole name first: some end as a suffix does.
    for (int s = -1; s < (int)(sizeof form_suffixes / sizeof *form_suffixes) && !fits; s++) {
        size_t length = st.name_length;
        enum form form = FORM_ANY;
        if (s >= 0) {
            const struct form_suffix *x = &form_suffixes[s];
            if (length <= x->length || memcmp(st.name + length - x->length, x->text, x->length)) continue;
            length -= x->length;
            form = x->form;
        }
        uint32_t slot = ISA_NAME_START;
        const struct row *row;
        while (!fits && (row = isa_find_name(&mode->isa, st.name, length, false, &slot))) {
            found = true;
            fits = try_row(&a, &st, row, form, &coding) ||
                   (form == FORM_ANY && try_clamped_sdwa(&a, &st, row, &coding));
        }
        if (found) break;
    }
    const struct row *scaled = found ? NULL : find_scaled(&st);
    if (scaled) {
        found = a.scaled = true;
        fits = try_row(&a, &st, scaled, FORM_ANY, &coding);
    }
    if (fits) return finish(&fit, coding->op, out);
    if (!found) return unknown_name(&st);
    if (!a.any)
        return asm_fail(host, st.name, "%.*s has no such encoding on %s",
                        (int)(st.name_length < 60 ? st.name_length : 60), st.name, mode->processor->name);
    if (!words && st.flag_due && again) return *again = true, false;
    prepare(&fit, &st, &a.best);
    fit.in.scaled = a.scaled;
    fit.reporting = true;
    if (fit_format(&fit)) fit_finish(&fit);
    return false;
}

static void ignore(void *context, const char *where, const char *message) {
    (void)context, (void)where, (void)message;
}

bool asm_instruction(const struct mc_mode *mode, const struct asm_host *host, const char *text,
                     const char *end, struct asm_insn *out) {
    if (mode->any_wave) {
        struct mc_mode one = *mode;
        struct asm_host quiet = *host;
        one.any_wave = false;
        one.wave32 = true;
        quiet.error = ignore;
        if (asm_instruction(&one, &quiet, text, end, out)) return true;
        one.wave32 = false;
        return asm_instruction(&one, host, text, end, out);
    }
    bool again = false, ok = one_reading(mode, host, text, end, false, &again, out);
    if (!again) return ok;
    struct asm_host quiet = *host;
    quiet.error = ignore;
    return one_reading(mode, &quiet, text, end, true, &again, out) ||
           one_reading(mode, host, text, end, false, NULL, out);
}
