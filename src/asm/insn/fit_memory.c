// SPDX-License-Identifier: MIT
// Fitting memory instructions: scalar, LDS, flat, global, scratch, buffers; cache policy; exports.
#include "asm/insn/fit.h"

#include <stdio.h>
#include <string.h>

#include "isa/names.h"

static bool is_off(const struct parsed *p) { return p->kind == PARSED_WORD && text_is(p->at, p->end, "off"); }

static const struct part *offset_part(const struct fit *f) { // the one with the highest bits
    const struct part *found = NULL;
    for (unsigned i = 0; i < f->in.format->part_count; i++)
        if (f->in.format->parts[i].field == F_offset) found = &f->in.format->parts[i];
    return found;
}

// ---- Cache policy ----

static bool fit_temporal_hint(struct fit *f) {
    static const char *const plain[] = {"RT", "NT", "HT", "", "NT_RT", "RT_NT", "NT_HT", ""};
    static const char *const atomics[] = {"RT",         "RT_RETURN", "NT",         "NT_RETURN",
                                          "CASCADE_RT", "",          "CASCADE_NT", ""};
    const struct modifier *m = take_modifier(f, M_th);
    if (!m) return true;
    int32_t *th = &f->in.f[F_th];
    if (!m->is_text) return fit_refuse(f, m->at, "th must be a name, such as TH_LOAD_NT");
    bool narrow = f->in.format->id == FMT_SMEM; // two bits
    bool atomic = f->row->atomic || f->row->flags & ROW_ATOMIC;
    bool store = f->row->flags & ROW_STORE && !(f->row->flags & ROW_LOAD);
    const char *kind = atomic ? "TH_ATOMIC_" : store ? "TH_STORE_" : "TH_LOAD_", *name = m->at;
    if (text_is(name, m->end, "TH_DEFAULT")) return true;
    size_t length = strlen(kind);
    if ((size_t)(m->end - name) <= length || memcmp(name, kind, length))
        return fit_refuse(f, m->at, "th must be one of %s... for this instruction", kind);
    name += length;
    for (int i = 0; i < 8; i++)
        if (text_is(name, m->end, atomic ? atomics[i] : plain[i])) {
            if (atomic && i == 3 && f->in.f[F_scope] == 3)
                return fit_refuse(f, m->at, "scope:SCOPE_SYS and NT_RETURN exclude each other");
            if (narrow && i > 3) return fit_refuse(f, m->at, "scalar memory takes no such th value");
            *th = i;
            return true;
        }
    if (atomic && text_is(name, m->end, "RETURN")) {
        *th = 1;
        return true;
    }
    if (!atomic && (text_is(name, m->end, "BYPASS") || text_is(name, m->end, store ? "WB" : "LU"))) {
        *th = 3;
        if (*name != 'B' && f->in.f[F_scope] == 3)
            return fit_refuse(f, m->at, "at scope:SCOPE_SYS this policy is BYPASS");
        if (*name == 'B' && f->in.f[F_scope] != 3)
            return fit_refuse(f, m->at, "BYPASS needs scope:SCOPE_SYS");
        return true;
    }
    if (store && text_is(name, m->end, "NT_WB")) {
        *th = 7;
        return true;
    }
    return fit_refuse(f, m->at, "invalid th value");
}

// Offsets count elements of what is accessed: where there is an offset in registers beside a base.
static bool fit_scaled_offset(struct fit *f) {
    const struct row *row = f->row;
    if (!insn_has(&f->in, F_scale_offset) || !row->src[0].type) return true;
    for (int i = 0; i < ROW_SRC; i++)
        if (row->src[i].field == F_sbase && row->src[i].type != T_B64 && f->in.format->id == FMT_SMEM &&
            take_modifier(f, M_scale_offset))
            return fit_refuse(f, take_modifier(f, M_scale_offset)->start, "buffers take no scale_offset");
    fit_flag(f, M_scale_offset, &f->in.f[F_scale_offset]);
    return true;
}

bool fit_cache_policy(struct fit *f) {
    static const char *const scopes[] = {"SCOPE_CU", "SCOPE_SE", "SCOPE_DEV", "SCOPE_SYS"};
    int32_t *v = f->in.f;
    if (insn_has(&f->in, F_scope) || insn_has(&f->in, F_th)) {
        const struct modifier *m = take_modifier(f, M_scope);
        if (m) {
            int i = 0;
            if (m->is_text)
                while (i < 4 && !text_is(m->at, m->end, scopes[i])) i++;
            else
                i = m->value >= 0 && m->value < 4 ? (int)m->value : 4;
            if (i == 4) return fit_refuse(f, m->at, "invalid scope value");
            v[F_scope] = i;
        }
        if (insn_has(&f->in, F_nv)) fit_flag(f, M_nv, &v[F_nv]);
        return fit_scaled_offset(f) && fit_temporal_hint(f);
    }
    bool sc = f->isa->sc_bits && f->in.format->id != FMT_SMEM;
    if (insn_has(&f->in, F_glc)) fit_flag(f, sc ? M_sc0 : M_glc, &v[F_glc]);
    if (insn_has(&f->in, F_slc)) fit_flag(f, sc ? M_nt : M_slc, &v[F_slc]);
    if (insn_has(&f->in, F_dlc)) fit_flag(f, M_dlc, &v[F_dlc]);
    if (insn_has(&f->in, F_scc)) fit_flag(f, sc ? M_sc1 : M_scc, &v[F_scc]);
    return true;
}

// ---- Scalar memory ----

static bool fit_smem_immediate(struct fit *f, const struct parsed *p, int64_t n) {
    const struct part *part = offset_part(f);
    bool buffer = false;
    for (int i = 0; i < ROW_SRC; i++)
        buffer |= f->row->src[i].field == F_sbase && f->row->src[i].type == T_B128;
    int64_t hi = part->sign ? (1ll << (part->sign - 1)) - 1 : (1ll << part->width) - 1;
    int64_t lo = part->sign && !buffer ? -hi - 1 : 0;
    const char *where = p ? p->at : f->st->end;
    if (f->in.format->words == 1 && n > hi && f->isa->formats[FMT_FLAT] && n <= UINT32_MAX) { // GFX7
        f->in.f[F_offset] = SRC_LITERAL;
        f->in.has_literal = true;
        f->in.f[F_literal] = (int32_t)n;
        return true;
    }
    if ((n < lo || n > hi) && p && p->kind != PARSED_REGISTER) {
        char allowed[64];
        snprintf(allowed, sizeof allowed, "from %lld to %lld", (long long)lo, (long long)hi);
        return refuse_operand(f, F_offset, p, allowed);
    }
    if (n < lo || n > hi)
        return fit_refuse(f, where, "offset must be from %lld to %lld on %s, found %lld", (long long)lo,
                          (long long)hi, f->st->mode->processor->name, (long long)n);
    f->in.f[F_offset] = (int32_t)n;
    if (insn_has(&f->in, F_imm)) f->in.f[F_imm] = 1;
    return true;
}

static bool fit_smem_offset(struct fit *f) {
    int32_t *v = f->in.f;
    const struct modifier *m = take_modifier(f, M_offset);
    const struct parsed *p = peek(f);
    bool soffset = insn_has(&f->in, F_soffset);
    if (m && !p) return fit_refuse(f, m->start, "offset: stands beside an SGPR; alone it is an operand");
    if (soffset && !insn_has(&f->in, F_imm)) v[F_soffset] = (int32_t)f->isa->null_register;
    if (p) {
        f->next++;
        if (p->kind != PARSED_REGISTER) {
            int32_t n;
            if (m) return refuse_operand(f, F_soffset, p, "an SGPR beside offset:");
            struct mc_value number = {p->number, p->expr};
            if (p->kind == PARSED_NUMBER) return fit_smem_immediate(f, p, number.number);
            if (!fit_number(f, p, F_offset, INT32_MIN, UINT32_MAX, &n)) return false;
            return fit_smem_immediate(f, p, n);
        }
        if (p->neg || p->abs || p->sext) return fit_refuse(f, p->at, "soffset takes no modifier");
        struct rule rule = rule_of_field(f->isa, &f->in, F_soffset, 1);
        if (!rule_admits(f->isa, &rule, p->code) || p->dwords > 1)
            return refuse_operand(f, F_soffset, p, "an SGPR or an offset");
        if (!soffset || (insn_has(&f->in, F_imm) && !m)) // GFX9 keeps a lone register in the offset
            v[F_offset] = p->code;
        else
            v[F_soffset] = p->code;
        if (!m) return true;
        if (!soffset)
            return fit_refuse(f, m->start, "an SGPR and an offset together do not exist on this GPU");
        if (insn_has(&f->in, F_soe)) v[F_soe] = 1;
    }
    return fit_smem_immediate(f, p, m ? m->value : 0);
}

static bool fit_prefetch(struct fit *f) {
    const struct row *row = f->row;
    const struct parsed *p;
    if (row->src[0].field == F_sbase) {
        struct rule rule = fit_rule(f, RULE_SRC);
        if (!fit_register(f, F_sbase, rule.dwords, rule.allow, &f->in.f[F_sbase])) return false;
    }
    if (!(p = fit_take(f, F_offset)) || p->kind != PARSED_NUMBER)
        return p ? refuse_operand(f, F_offset, p, "a number") : false;
    if (!fit_smem_immediate(f, p, p->number)) return false;
    if (!fit_field(f, F_soffset, 1)) return false;
    return (p = fit_take(f, F_sdata)) && fit_number(f, p, F_sdata, 0, 31, &f->in.f[F_sdata]);
}

bool fit_smem(struct fit *f) {
    const struct row *row = f->row;
    bool base = false;
    for (int i = 0; i < ROW_SRC; i++)
        if (row->src[i].type && row->src[i].field == F_soffset) return fit_prefetch(f);
    for (int i = 0; i < 1 + ROW_SRC; i++) {
        struct operand_spec s = i ? row->src[i - 1] : row->dst[0];
        if (!s.type || (i && is_dst(row, s))) continue;
        int taken = fit_immediate(f, s, &f->in.f[s.field]);
        if (!taken) return false;
        if (taken < 0) {
            struct rule rule = fit_rule(f, i ? RULE_SRC + (unsigned)i - 1 : 0);
            if (!fit_register(f, s.field, rule.dwords, rule.allow, &f->in.f[s.field])) return false;
        }
        base |= s.field == F_sbase;
    }
    if (base && !fit_smem_offset(f)) return false;
    return !(row->flags & (ROW_LOAD | ROW_STORE)) || fit_cache_policy(f);
}

// ---- Data registers, which may be accumulation registers ----

static bool fit_data(struct fit *f, unsigned place, unsigned extra) {
    struct operand_spec s = row_operand(f->row, place);
    struct rule rule = fit_rule(f, place);
    const struct parsed *p = peek(f);
    int32_t *out = &f->in.f[s.field];
    if (!fit_register(f, s.field, rule.dwords + extra, rule.allow, out)) return false;
    if (p->half) return refuse_operand(f, s.field, p, "a register without .l or .h");
    bool agpr = *out >= SRC_AGPR0;
    if (f->data_seen) {
        if (agpr != (f->in.f[F_acc] != 0))
            return refuse_operand(f, s.field, p, "of the same register file as the other data");
    }
    f->data_seen = true;
    if (agpr) {
        *out -= SRC_AGPR0 - SRC_VGPR0;
        f->in.f[F_acc] = 1;
    }
    return true;
}

// ---- LDS ----

bool fit_ds(struct fit *f) {
    const struct row *row = f->row;
    int32_t *v = f->in.f, offset = 0;
    bool swizzle = false, gws = row->class == CLASS_GWS;
    if (row->class == CLASS_NOP) return true;
    for (int i = 0; i < ROW_DST; i++)
        if (row->dst[i].type && !fit_data(f, (unsigned)i, 0)) return false;
    for (int i = 0; i < ROW_SRC; i++) {
        struct operand_spec s = row->src[i];
        if (s.type == T_SWIZZLE)
            swizzle = true;
        else if (s.type && !(s.field == F_addr && !gws ? fit_field(f, s.field, 1)
                                                       : fit_data(f, RULE_SRC + (unsigned)i, 0)))
            return false;
    }
    if (gws && f->isa->even_tuples && v[F_addr] & 1)
        return refuse_operand(f, F_addr, &f->st->operand[0], "an even register");
    if (row->flags & ROW_TWO_OFFSETS) {
        if (!fit_int(f, M_offset0, 0, 255, &v[F_offset0]) || !fit_int(f, M_offset1, 0, 255, &v[F_offset1]))
            return false;
    } else {
        const struct modifier *m = swizzle ? take_modifier(f, M_offset) : NULL;
        if (m && m->is_text ? !fit_swizzle(f, m, &offset) : !fit_int(f, M_offset, 0, 0xffff, &offset))
            return false;
        v[F_offset0] = offset & 255;
        v[F_offset1] = offset >> 8;
    }
    bool between_lanes = row->class == CLASS_BETWEEN_LANES;
    const struct modifier *gds = take_modifier(f, M_gds);
    bool has_gds = f->isa->gds > !gws && !between_lanes;
    if (gds && (between_lanes || (gds->value && !has_gds)))
        return fit_refuse(f, gds->start, "gds is not supported by this instruction on %s",
                          f->st->mode->processor->name);
    v[F_gds] = gds && gds->value;
    if (!v[F_gds] && (gws || row->class == CLASS_GDS))
        return fit_refuse(f, f->st->name, "needs gds, as it is an operation on GDS");
    return true;
}

// ---- Flat, global, scratch ----

static bool returns_value(const struct fit *f) {
    if (!f->row->atomic && !(f->row->flags & ROW_ATOMIC)) return true;
    return insn_has(&f->in, F_th) ? f->in.f[F_th] & 1 : f->in.f[F_glc];
}

// Some atomics of gfx908 leave no result.
static bool check_return(struct fit *f) {
    bool add = f->row->atomic == ATOMIC_add_f32, pack = f->row->atomic == ATOMIC_pk_add_f16;
    const sw_processor *p = f->st->mode->processor;
    if (!f->in.f[F_glc] ||
        !((add && !has(p, CAP_atomic_fadd_rtn)) || (pack && !has(p, CAP_atomic_pk_add_f16_rtn))))
        return true;
    const struct modifier *m = take_modifier(f, M_glc);
    return fit_refuse(f, m ? m->start : f->st->name, "returns no value on %s", p->name);
}

static bool fit_flat_offset(struct fit *f) {
    enum modifier_id id = take_modifier(f, M_inst_offset) ? M_inst_offset : M_offset;
    if (!insn_has(&f->in, F_offset)) {
        int32_t zero = 0;
        return fit_int(f, id, 0, 0, &zero);
    }
    unsigned bits = offset_part(f)->sign;
    int64_t lo = 0, hi;
    if (bits) {
        hi = (1ll << (bits - 1)) - 1;
        lo = -hi - 1;
    } else { // FLAT has no negative offsets, and no more positive ones than GLOBAL
        const struct format *global = f->isa->formats[FMT_GLOBAL];
        unsigned width = 12;
        for (unsigned i = 0; global && i < global->part_count; i++)
            if (global->parts[i].field == F_offset) width = global->parts[i].sign - 1;
        hi = (1ll << width) - 1;
    }
    return fit_int(f, id, lo, hi, &f->in.f[F_offset]);
}

static bool fit_flat_vector(struct fit *f, struct operand_spec s, unsigned *vgprs) {
    const struct parsed *p = peek(f);
    unsigned format = f->in.format->id;
    if (p && is_off(p) && format == FMT_SCRATCH) {
        f->next++;
        *vgprs = 0;
        return true;
    }
    if (format == FMT_FLAT && f->isa->flat_saddr && p && p->dwords == 1) {
        *vgprs = 1;
        return fit_field(f, s.field, 1);
    }
    *vgprs = format == FMT_FLAT ? 2 : format == FMT_SCRATCH ? 1 : p && p->dwords == 1 ? 1 : 2;
    return fit_field(f, s.field, *vgprs);
}

static bool fit_flat_scalar(struct fit *f, unsigned vgprs, bool has_vector) {
    const struct parsed *p = fit_take(f, F_saddr);
    if (!p) return false;
    unsigned format = f->in.format->id, null = f->isa->null_register;
    if (is_off(p) && format == FMT_FLAT) return refuse_operand(f, F_saddr, p, "an SGPR pair");
    if (is_off(p)) {
        if (format == FMT_GLOBAL && has_vector && vgprs != 2)
            return refuse_operand(f, F_saddr, p, "an SGPR pair when vaddr is one register");
        bool none = format == FMT_SCRATCH && !vgprs && !f->isa->null_saddr;
        if (none && !f->isa->scratch_alone && !f->in.f[F_lds])
            return refuse_operand(f, F_saddr, p, "an SGPR when there is no vaddr");
        f->in.f[F_saddr] = none || !null ? 127 : (int32_t)null;
        return true;
    }
    if (format == FMT_GLOBAL && has_vector && vgprs != 1)
        return refuse_operand(f, F_saddr, p, "off when vaddr is a pair");
    if (format == FMT_SCRATCH && vgprs && !insn_has(&f->in, F_sve))
        return refuse_operand(f, F_saddr, p, "off when there is a vaddr");
    struct rule rule = rule_of_field(f->isa, &f->in, F_saddr, 0);
    if (p->kind == PARSED_REGISTER && p->code == SRC_EXEC_HI) // is how off is encoded, as null is elsewhere
        return refuse_operand(f, F_saddr, p, "an SGPR other than exec and null");
    return fit_value(f, p, F_saddr, T_B32, rule.dwords, rule.allow, &f->in.f[F_saddr]);
}

static bool check_scaled(struct fit *f, unsigned vgprs) {
    const struct statement *st = f->st;
    const bool scratch = f->in.format->id == FMT_SCRATCH;
    const bool scalar = f->in.f[F_saddr] != (int)f->isa->null_register && f->in.f[F_saddr] != 127;
    if (scratch ? vgprs : scalar && vgprs) return true;
    for (unsigned i = 0; i < st->operands; i++)
        if (is_off(&st->operand[i]))
            return scratch ? refuse_operand(f, F_vaddr, &st->operand[i], "a VGPR beside scale_offset")
                           : refuse_operand(f, F_saddr, &st->operand[i], "an SGPR pair beside scale_offset");
    return fit_refuse(f, take_modifier(f, M_scale_offset)->start,
                      "scale_offset needs an offset in a register");
}

bool fit_flat(struct fit *f) {
    const struct row *row = f->row;
    int32_t *v = f->in.f;
    unsigned vgprs = 0;
    bool has_vector = false;
    const struct parsed *vector = NULL;
    if (!fit_cache_policy(f) || !check_return(f)) return false;
    bool plain_load = row->flags & ROW_LOAD && row->access >= ACCESS_U8 && row->access <= ACCESS_B32;
    if (insn_has(&f->in, F_lds) && plain_load) fit_flag(f, M_lds, &v[F_lds]);
    if (insn_has(&f->in, F_tfe) && row->dst[0].type) fit_flag(f, M_tfe, &v[F_tfe]); // stores have no status
    if (f->in.format->id == FMT_FLAT && insn_has(&f->in, F_saddr))
        v[F_saddr] = (int32_t)f->isa->null_register;
    if (row->dst[0].type && returns_value(f) && !v[F_lds] && !fit_data(f, 0, v[F_tfe])) return false;
    for (int i = 0; i < ROW_SRC && row->src[i].type; i++) {
        struct operand_spec s = row->src[i];
        if (is_dst(row, s)) continue;
        if (s.type == T_ADDR) {
            has_vector = true;
            vector = peek(f);
            if (!fit_flat_vector(f, s, &vgprs)) return false;
        } else if (s.type == T_SADDR) {
            bool named = f->in.format->id != FMT_FLAT || (f->isa->flat_saddr && vgprs == 1);
            if (f->in.format->id == FMT_FLAT && f->isa->flat_saddr && vgprs == 2 && peek(f))
                return refuse_operand(f, F_vaddr, vector, "one VGPR beside a scalar address");
            if (named && f->in.format->id == FMT_FLAT && !peek(f))
                return refuse_operand(f, F_vaddr, vector, "a VGPR pair where there is no saddr");
            if (named && !fit_flat_scalar(f, vgprs, has_vector)) return false;
        } else if (!fit_data(f, RULE_SRC + (unsigned)i, 0))
            return false;
    }
    if (f->in.format->id == FMT_SCRATCH && insn_has(&f->in, F_sve)) v[F_sve] = vgprs != 0;
    if (v[F_scale_offset] && !check_scaled(f, vgprs)) return false;
    if (!row->src[0].type) { // cache maintenance
        if (insn_has(&f->in, F_saddr)) v[F_saddr] = (int32_t)f->isa->null_register;
        return true;
    }
    return fit_flat_offset(f);
}

// ---- Tensors ----

bool fit_tensor(struct fit *f) {
    if (!fit_cache_policy(f)) return false;
    for (unsigned i = 0; i < 4; i++) {
        struct operand_spec s = f->row->src[i];
        struct rule rule = fit_rule(f, RULE_SRC + i);
        if (i == 2 && !peek(f)) { // the further two are given together
            f->in.f[F_vaddr2] = f->in.f[F_vaddr3] = (int32_t)f->isa->null_register;
            break;
        }
        if (!fit_register(f, s.field, rule.dwords, rule.allow, &f->in.f[s.field])) return false;
    }
    return true;
}

// ---- Buffers ----

static int find_name(const struct fit *f, enum name_kind kind, const char *at, const char *end) {
    return isa_name_value(f->isa, kind, at, (size_t)(end - at));
}

static bool fit_split_format(struct fit *f, const char *at, const char *end, bool seen[2], unsigned *data,
                             unsigned *num) {
    int n = find_name(f, NAME_DATA_FORMAT, at, end);
    if (n >= 0 && !seen[0]) {
        seen[0] = true;
        *data = (unsigned)n;
        return true;
    }
    n = find_name(f, NAME_NUM_FORMAT, at, end);
    if (n >= 0 && !seen[1]) {
        seen[1] = true;
        *num = (unsigned)n;
        return true;
    }
    return fit_refuse(f, at, "unsupported format");
}

// A unified format named by its two parts: BUF_DATA_FORMAT_32 and BUF_NUM_FORMAT_FLOAT are BUF_FMT_32_FLOAT.
static int unified_of(const struct fit *f, unsigned data, unsigned num) {
    const char *d = isa_name(f->isa, NAME_DATA_FORMAT, data), *n = isa_name(f->isa, NAME_NUM_FORMAT, num);
    if (!d || !n) return -1;
    d += sizeof "BUF_DATA_FORMAT_" - 1;
    n += sizeof "BUF_NUM_FORMAT_" - 1;
    if (!data) return 0;
    for (unsigned i = 0; i < 128; i++) {
        const char *name = isa_name(f->isa, NAME_BUFFER_FORMAT, i);
        size_t length = strlen(d);
        if (name && !strncmp(name + sizeof "BUF_FMT_" - 1, d, length) &&
            name[sizeof "BUF_FMT_" - 1 + length] == '_' && !strcmp(name + sizeof "BUF_FMT_" + length, n))
            return (int)i;
    }
    return -1;
}

static bool fit_format(struct fit *f) {
    int32_t *out = &f->in.f[F_format], data = -1, num = -1;
    const struct modifier *m = take_modifier(f, M_format);
    *out = 1; // 8 bits, UNORM
    if (!m) {
        const struct modifier *d = take_modifier(f, M_dfmt), *n = take_modifier(f, M_nfmt);
        if (!d && !n) return true;
        if (!fit_int(f, M_dfmt, 0, 15, &data) || !fit_int(f, M_nfmt, 0, 7, &num)) return false;
        if (data < 0) data = 1;
        if (num < 0) num = 0;
        *out = f->isa->unified_format ? unified_of(f, (unsigned)data, (unsigned)num) : data | num << 4;
        return *out >= 0 || fit_refuse(f, (d ? d : n)->start, "unsupported format");
    }
    if (!m->is_text) {
        if (m->value < 0 || m->value > 127) return fit_refuse(f, m->at, "out of range format");
        *out = (int32_t)m->value;
        return true;
    }
    if (*m->at != '[') return fit_refuse(f, m->at, "expected a format in square brackets, or a number");
    bool seen[2] = {false, false};
    unsigned d = 1, n = 0, parts = 0;
    for (const char *p = m->at + 1; p < m->end && *p != ']'; parts++) {
        p = skip_spaces(p, m->end);
        const char *start = p;
        p = skip_name(p, m->end);
        int unified = f->isa->unified_format ? find_name(f, NAME_BUFFER_FORMAT, start, p) : -1;
        if (unified >= 0) {
            p = skip_spaces(p, m->end);
            if (parts || *p != ']') return fit_refuse(f, p, "expected a closing square bracket");
            *out = unified;
            return true;
        }
        if (!fit_split_format(f, start, p, seen, &d, &n)) return false;
        p = skip_spaces(p, m->end);
        if (*p == ',')
            p++;
        else if (*p != ']')
            return fit_refuse(f, p, "expected a comma or a closing square bracket");
    }
    if (!parts || parts > 2) return fit_refuse(f, m->at, "expected a format");
    *out = f->isa->unified_format ? unified_of(f, d, n) : (int32_t)(d | n << 4);
    return *out >= 0 || fit_refuse(f, m->at, "unsupported format");
}

static bool has_data(const struct row *row) {
    bool has = row->dst[0].type;
    for (int i = 0; i < ROW_SRC; i++) has |= row->src[i].type && row->src[i].field == F_vdata;
    return has;
}

bool fit_buffer(struct fit *f) {
    const struct row *row = f->row;
    int32_t *v = f->in.f;
    const struct operand_spec *data = row->dst[0].type ? &row->dst[0] : NULL;
    bool maintenance = !data && !row->src[0].type; // of caches; only gfx940's has a policy
    if (maintenance && !f->isa->maintenance_policy) return true;
    if (!fit_cache_policy(f) || !check_return(f)) return false;
    if (f->in.format->id == FMT_MTBUF ? !fit_format(f) : false) return false;
    if (f->in.format->id == FMT_MUBUF && insn_has(&f->in, F_format)) v[F_format] = row->src[0].type ? 1 : 0;
    if (maintenance) return true;
    bool vector = false;
    for (int i = 0; i < ROW_SRC; i++) vector |= row->src[i].type == T_BUFADDR;
    if (vector) {
        fit_flag(f, M_idxen, &v[F_idxen]);
        fit_flag(f, M_offen, &v[F_offen]);
        if (insn_has(&f->in, F_addr64)) fit_flag(f, M_addr64, &v[F_addr64]);
        if (v[F_addr64] && (v[F_idxen] || v[F_offen]))
            return fit_refuse(f, f->st->name, "addr64 excludes idxen and offen");
    }
    if (insn_has(&f->in, F_lds)) fit_flag(f, M_lds, &v[F_lds]);
    if (insn_has(&f->in, F_lds) && !v[F_lds] && !has_data(row))
        return fit_refuse(f, f->st->name, "lds must be given, as there is no register");
    if (v[F_lds] && data && row->flags & ROW_LOAD && !row->atomic && !isa_loads_to_lds(f->isa, row))
        return fit_refuse(f, take_modifier(f, M_lds)->start, "is not a load that may go to LDS on %s",
                          f->st->mode->processor->name);
    if (insn_has(&f->in, F_tfe) && data) { // stores have no status
        const struct modifier *tfe = take_modifier(f, M_tfe);
        if (tfe && !tfe->value) return fit_refuse(f, tfe->start, "buffers take no notfe");
        v[F_tfe] = tfe != NULL;
    }
    unsigned extra = v[F_tfe];
    if (extra && v[F_lds])
        return fit_refuse(f, take_modifier(f, M_lds)->start, "lds and tfe exclude each other");
    if (data && !v[F_lds] && !fit_data(f, 0, extra)) return false;
    for (int i = 0; i < ROW_SRC && row->src[i].type; i++) {
        struct operand_spec s = row->src[i];
        if (data && s.field == data->field) continue;
        if (s.type == T_BUFADDR) {
            unsigned vgprs = v[F_addr64] ? 2 : (unsigned)(v[F_idxen] + v[F_offen]);
            const struct parsed *p = peek(f);
            if (!vgprs && p && is_off(p))
                f->next++;
            else if (!vgprs)
                return p ? refuse_operand(f, s.field, p, "off without idxen, offen or addr64")
                         : fit_take(f, s.field) != NULL;
            else if (!fit_field(f, s.field, vgprs))
                return false;
        } else if (s.field == F_vdata) {
            if (!v[F_lds] && !fit_data(f, RULE_SRC + (unsigned)i, extra)) return false;
        } else {
            struct rule rule = fit_rule(f, RULE_SRC + (unsigned)i);
            const struct parsed *p = fit_take(f, s.field);
            if (!p || !fit_value(f, p, s.field, T_B32, rule.dwords, rule.allow, &v[s.field])) return false;
        }
    }
    const struct part *part = offset_part(f);
    int64_t hi = part->sign ? (1ll << (part->sign - 1)) - 1 : (1ll << part->width) - 1;
    return fit_int(f, M_offset, 0, hi, &v[F_offset]);
}

// ---- Exports ----

static int export_target(const struct isa *isa, const struct parsed *p) {
    for (unsigned t = 0; t < EXPORT_TARGETS; t++) {
        const char *name = isa_export_target(isa, t);
        if (name && text_is(p->at, p->end, name)) return (int)t;
    }
    return -1;
}

bool fit_export(struct fit *f) {
    static const enum field sources[] = {F_vsrc0, F_vsrc1, F_vsrc2, F_vsrc3};
    int32_t *v = f->in.f;
    const struct parsed *p = fit_take(f, F_tgt);
    if (!p) return false;
    int target = p->kind == PARSED_WORD || p->kind == PARSED_REGISTER ? export_target(f->isa, p) : -1;
    if (target < 0) return refuse_operand(f, F_tgt, p, "an export target");
    v[F_tgt] = target;
    fit_flag(f, M_done, &v[F_done]);
    if (insn_has(&f->in, F_compr)) fit_flag(f, M_compr, &v[F_compr]);
    if (insn_has(&f->in, F_vm)) fit_flag(f, M_vm, &v[F_vm]);
    if (insn_has(&f->in, F_row)) fit_flag(f, M_row_en, &v[F_row]);
    for (int i = 0; i < 4; i++) {
        if (!(p = peek(f))) return fit_take(f, sources[i]) != NULL;
        if (is_off(p)) {
            f->next++;
            continue;
        }
        int32_t code;
        struct rule rule = rule_of_field(f->isa, &f->in, sources[i], 1);
        if (!fit_register(f, sources[i], rule.dwords, rule.allow, &code)) return false;
        if (!v[F_compr]) {
            v[sources[i]] = code;
            v[F_en] |= 1 << i;
        } else if (!(i & 1)) { // two halves a register; each is written twice
            v[sources[i / 2]] = code;
            v[F_en] |= 3 << i;
        }
    }
    return true;
}
