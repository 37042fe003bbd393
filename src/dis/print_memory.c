// SPDX-License-Identifier: MIT
// Memory instructions: scalar, LDS, flat, global, scratch and buffer; cache policy; exports.
#include "dis/print.h"

// ---- Cache policy ----

static void put_temporal_hint(struct printer *p, unsigned th, unsigned scope) {
    if (!th) return;
    printer_put(p, " th:");
    if (p->row->atomic || p->row->flags & ROW_ATOMIC) {
        printer_put(p, "TH_ATOMIC_");
        if (th & 4 && scope >= 2)
            printer_put(p, th & 2 ? "CASCADE_NT" : "CASCADE_RT");
        else if (th & 4)
            put_hex(p, th);
        else if (th & 2)
            printer_put(p, th & 1 ? "NT_RETURN" : "NT");
        else
            printer_put(p, "RETURN");
        return;
    }
    bool store = p->row->flags & ROW_STORE && !(p->row->flags & ROW_LOAD);
    if (!store && th == 7) {
        put_hex(p, th);
        return;
    }
    static const char *const names[] = {"RT", "NT", "HT", NULL, "NT_RT", "RT_NT", "NT_HT", "NT_WB"};
    printer_put(p, store ? "TH_STORE_" : "TH_LOAD_");
    if (th == 3)
        printer_put(p, scope == 3 ? "BYPASS" : store ? "WB" : "LU");
    else
        printer_put(p, names[th]);
}

void put_cache_policy(struct printer *p) {
    const struct insn *in = p->in;
    if (insn_has(in, F_th) || insn_has(in, F_scope)) {
        static const char *const scopes[] = {"", " scope:SCOPE_SE", " scope:SCOPE_DEV", " scope:SCOPE_SYS"};
        put_flag(p, F_scale_offset, "scale_offset");
        put_temporal_hint(p, (unsigned)in->f[F_th], (unsigned)in->f[F_scope]);
        printer_put(p, scopes[in->f[F_scope] & 3]);
        if (insn_has(in, F_th)) put_flag(p, F_nv, "nv");
        return;
    }
    bool sc = p->isa->sc_bits && in->format->id != FMT_SMEM;
    put_flag(p, F_glc, sc ? "sc0" : "glc");
    put_flag(p, F_slc, sc ? "nt" : "slc");
    put_flag(p, F_dlc, "dlc");
    put_flag(p, F_scc, sc ? "sc1" : "scc");
}

static void put_off(struct printer *p) {
    next_operand(p);
    printer_put(p, "off");
}

static void put_plain(struct printer *p, struct operand_spec s) {
    next_operand(p);
    put_operand(p, s);
}

// A register of the field, widened as by tfe.
static void put_data(struct printer *p, struct operand_spec s, unsigned extra) {
    struct operand o = insn_operand(p->isa, p->in, s, p->wave32);
    if (!o.type) return;
    next_operand(p);
    o.dwords = (uint8_t)(o.dwords + extra);
    put_msb(p, s.field);
    put_source(p, &o);
}

static void put_signed_hex(struct printer *p, int32_t v) {
    if (v < 0) put_char(p, '-');
    put_hex(p, v < 0 ? -(uint64_t)v : (uint64_t)v);
}

// ---- Scalar memory ----

static void put_smem_offset(struct printer *p) {
    const struct insn *in = p->in;
    const int32_t *f = in->f;
    next_operand(p);
    if (in->has_literal) {
        put_hex(p, (uint32_t)f[F_literal]);
        return;
    }
    if (!insn_has(in, F_soffset)) { // one or the other
        if (f[F_imm])
            put_hex(p, (uint64_t)f[F_offset]);
        else
            put_register(p, (unsigned)f[F_offset] & 127, 1);
        return;
    }
    bool has_register, has_offset;
    unsigned reg = (unsigned)f[F_soffset];
    if (insn_has(in, F_imm)) {
        has_register = f[F_soe] || !f[F_imm];
        has_offset = f[F_imm];
        if (!f[F_imm] && !f[F_soe]) reg = (unsigned)f[F_offset] & 127;
    } else {
        bool always = insn_has(in, F_th); // GFX12 writes a zero offset
        has_register = reg != p->isa->null_register || !(f[F_offset] || always);
        has_offset = f[F_offset] || !has_register || always;
    }
    if (has_register) put_register(p, reg, 1);
    if (!has_offset) return;
    if (has_register) printer_put(p, " offset:");
    put_signed_hex(p, f[F_offset]);
}

// Base, offset, register, length.
static void print_prefetch(struct printer *p) {
    const int32_t *f = p->in->f;
    if (p->row->src[0].field == F_sbase) put_plain(p, p->row->src[0]);
    next_operand(p);
    put_signed_hex(p, f[F_offset]);
    next_operand(p);
    put_register(p, (unsigned)f[F_soffset], 1);
    next_operand(p);
    put_dec(p, f[F_sdata] & 31);
}

void print_smem(struct printer *p) {
    const struct row *row = p->row;
    bool base = false;
    for (int i = 0; i < ROW_SRC; i++) {
        if (row->src[i].field != F_soffset || !row->src[i].type) continue;
        print_prefetch(p);
        return;
    }
    if (row->dst[0].type) put_plain(p, row->dst[0]);
    for (int i = 0; i < ROW_SRC && row->src[i].type; i++) {
        if (row->src[i].field == row->dst[0].field && row->dst[0].type) continue;
        put_plain(p, row->src[i]);
        base |= row->src[i].field == F_sbase;
    }
    if (base) put_smem_offset(p);
    if (row->flags & (ROW_LOAD | ROW_STORE)) put_cache_policy(p);
}

// ---- LDS ----

void print_ds(struct printer *p) {
    const struct row *row = p->row;
    const int32_t *f = p->in->f;
    for (int i = 0; i < ROW_DST; i++)
        if (row->dst[i].type) put_plain(p, row->dst[i]);
    bool swizzle = false;
    for (int i = 0; i < ROW_SRC; i++) {
        if (row->src[i].type == T_SWIZZLE)
            swizzle = true;
        else if (row->src[i].type)
            put_plain(p, row->src[i]);
    }
    unsigned offset = (unsigned)f[F_offset1] << 8 | (unsigned)f[F_offset0];
    if (swizzle)
        put_swizzle(p, offset);
    else if (row->flags & ROW_TWO_OFFSETS) {
        if (f[F_offset0]) put_field(p, "offset0", f[F_offset0]);
        if (f[F_offset1]) put_field(p, "offset1", f[F_offset1]);
    } else if (offset)
        put_field(p, "offset", offset);
    if (p->isa->gds == 2 || row->class == CLASS_GWS) put_flag(p, F_gds, "gds");
}

// ---- Flat, global, scratch ----

// What the address consists of: a VGPR of so many dwords (0: "off"), and whether an SGPR base is written.
struct flat_address {
    unsigned vgprs;
    bool scalar_operand, scalar;
};

static struct flat_address flat_address(const struct printer *p) {
    const struct insn *in = p->in;
    unsigned saddr = (unsigned)in->f[F_saddr], format = in->format->id;
    unsigned null = p->isa->null_register;
    if (format == FMT_FLAT && p->isa->flat_saddr && saddr != null)
        return (struct flat_address){1, true, true};
    if (format == FMT_FLAT) return (struct flat_address){2, false, false};
    bool scalar = (p->isa->null_saddr || saddr != 127) && !(null && saddr == null);
    if (format == FMT_GLOBAL) return (struct flat_address){scalar ? 1 : 2, true, scalar};
    bool vector = insn_has(in, F_sve) ? in->f[F_sve] : !scalar && !(null && saddr == 127);
    return (struct flat_address){vector, true, scalar};
}

static bool returns_value(const struct printer *p) {
    if (!p->row->atomic && !(p->row->flags & ROW_ATOMIC)) return true;
    return insn_has(p->in, F_th) ? p->in->f[F_th] & 1 : p->in->f[F_glc];
}

void print_flat(struct printer *p) {
    const struct row *row = p->row;
    const struct insn *in = p->in;
    struct flat_address a = flat_address(p);
    if (row->dst[0].type && returns_value(p) && !in->f[F_lds]) put_plain(p, row->dst[0]);
    for (int i = 0; i < ROW_SRC && row->src[i].type; i++) {
        struct operand_spec s = row->src[i];
        if (row->dst[0].type && s.field == row->dst[0].field) continue;
        if (s.type == T_ADDR) {
            next_operand(p);
            if (a.vgprs)
                put_vgprs(p, s.field, a.vgprs);
            else
                printer_put(p, "off");
        } else if (s.type == T_SADDR) {
            if (!a.scalar_operand) continue;
            next_operand(p);
            if (a.scalar)
                put_register(p, (unsigned)in->f[F_saddr], in->format->id == FMT_SCRATCH ? 1 : 2);
            else
                printer_put(p, "off");
        } else
            put_plain(p, s);
    }
    if (in->f[F_offset] && row->src[0].type) put_field(p, "offset", in->f[F_offset]);
    put_cache_policy(p);
    put_flag(p, F_lds, "lds");
    if (insn_has(in, F_tfe)) put_flag(p, F_tfe, "tfe");
}

// ---- Tensors ----

void print_tensor(struct printer *p) {
    for (unsigned i = 0; i < 4; i++)
        if (i < 2 || p->in->f[F_vaddr0 + i] != p->isa->null_register) put_plain(p, p->row->src[i]);
    put_cache_policy(p);
}

// ---- Buffers ----

static void put_format(struct printer *p) {
    unsigned v = (unsigned)p->in->f[F_format];
    if (p->isa->unified_format) {
        if (v == 1) return;
        const char *name = isa_name(p->isa, NAME_BUFFER_FORMAT, v);
        printer_put(p, " format:");
        if (name) {
            put_char(p, '[');
            printer_put(p, name);
            put_char(p, ']');
        } else
            put_dec(p, v);
        return;
    }
    unsigned data = v & 15, num = v >> 4;
    if (data == 1 && num == 0) return;
    printer_put(p, " format:[");
    if (data != 1) printer_put(p, isa_name(p->isa, NAME_DATA_FORMAT, data));
    if (data != 1 && num) put_char(p, ',');
    if (num) printer_put(p, isa_name(p->isa, NAME_NUM_FORMAT, num));
    put_char(p, ']');
}

void print_buffer(struct printer *p) {
    const struct row *row = p->row;
    const struct insn *in = p->in;
    const int32_t *f = in->f;
    bool any = false;
    unsigned extra = insn_has(in, F_tfe) && f[F_tfe];
    const struct operand_spec *data = row->dst[0].type ? &row->dst[0] : NULL;
    if (data && !f[F_lds]) put_data(p, *data, extra);
    for (int i = 0; i < ROW_SRC && row->src[i].type; i++) {
        struct operand_spec s = row->src[i];
        if (data && s.field == data->field) continue;
        any = true;
        if (s.type == T_BUFADDR) {
            unsigned vgprs = f[F_addr64] ? 2 : (unsigned)(f[F_idxen] + f[F_offen]);
            if (!vgprs)
                put_off(p);
            else {
                next_operand(p);
                put_vgprs(p, s.field, vgprs);
            }
        } else if (s.field == F_vdata) {
            if (!f[F_lds]) put_data(p, s, extra);
        } else
            put_plain(p, s);
    }
    if (!any) { // cache maintenance
        if (p->isa->maintenance_policy) {
            put_flag(p, F_glc, "sc0");
            put_flag(p, F_scc, "sc1");
        }
        return;
    }
    if (in->format->id == FMT_MTBUF) put_format(p);
    put_flag(p, F_idxen, "idxen");
    put_flag(p, F_offen, "offen");
    put_flag(p, F_addr64, "addr64");
    if (f[F_offset]) put_field(p, "offset", f[F_offset]);
    bool from_lds = !data && row->src[0].field != F_vdata; // LLVM names it first there
    if (from_lds) put_flag(p, F_lds, "lds");
    put_cache_policy(p);
    if (!from_lds) put_flag(p, F_lds, "lds");
    if (extra) printer_put(p, " tfe");
}

// ---- Exports ----

static void put_export_target(struct printer *p, unsigned t) {
    const char *name = isa_export_target(p->isa, t);
    next_operand(p);
    printer_put(p, name ? name : "invalid_target_");
    if (!name) put_dec(p, t);
}

void print_export(struct printer *p) {
    static const enum field sources[] = {F_vsrc0, F_vsrc1, F_vsrc2, F_vsrc3};
    const int32_t *f = p->in->f;
    put_export_target(p, (unsigned)f[F_tgt]);
    p->later = false; // no comma behind the target
    for (unsigned i = 0; i < 4; i++) {
        next_operand(p);
        if (f[F_en] >> i & 1)
            put_register(p, (unsigned)f[sources[f[F_compr] ? i / 2 : i]], 1);
        else
            printer_put(p, "off");
    }
    put_flag(p, F_done, "done");
    put_flag(p, F_compr, "compr");
    put_flag(p, F_vm, "vm");
    put_flag(p, F_row, "row_en");
}
