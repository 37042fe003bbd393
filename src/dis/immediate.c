// SPDX-License-Identifier: MIT
// Immediates with a structure: counters, hardware registers, messages, delays, DPP and SDWA controls.
#include "base/bytes.h"
#include "dis/print.h"

// Counters that wait for nothing are left out, unless that would leave nothing.
static void put_counters(struct printer *p, const struct counter_field *fields, const char *prefix,
                         uint32_t v) {
    for (int pass = 0; pass < 2; pass++) {
        bool any = false;
        for (const struct counter_field *f = fields; f->name; f++) {
            uint32_t max = (1u << (f->width + f->width2)) - 1;
            uint32_t n = (uint32_t)bits(v, f->lo, f->width);
            if (f->width2) n |= (uint32_t)bits(v, f->lo2, f->width2) << f->width;
            if (n == max && !pass) continue;
            if (any) put_char(p, ' ');
            any = true;
            printer_put(p, prefix);
            printer_put(p, f->name);
            put_char(p, '(');
            put_dec(p, n);
            put_char(p, ')');
        }
        if (any) return;
    }
}

static void put_depctr(struct printer *p, uint32_t v) {
    const struct counter_field *fields = isa_depctr_fields(p->isa);
    uint32_t used = 0;
    for (const struct counter_field *f = fields; f->name; f++) used |= ((1u << f->width) - 1) << f->lo;
    if (v & ~used)
        put_hex(p, v);
    else
        put_counters(p, fields, "depctr_", v);
}

static void put_hwreg(struct printer *p, uint32_t v) {
    const char *name = isa_name(p->isa, NAME_HWREG, v & 63);
    unsigned offset = v >> 6 & 31, width = (v >> 11 & 31) + 1;
    printer_put(p, "hwreg(");
    if (name)
        printer_put(p, name);
    else
        put_dec(p, v & 63);
    if (offset || width != 32) {
        printer_put(p, ", ");
        put_dec(p, offset);
        printer_put(p, ", ");
        put_dec(p, width);
    }
    put_char(p, ')');
}

static void put_message(struct printer *p, uint32_t v) {
    bool ops = p->isa->message_ops;
    unsigned id = ops ? v & 15 : v & 255, op = ops ? v >> 4 & 7 : 0, stream = ops ? v >> 8 & 3 : 0;
    const char *name = isa_name(p->isa, NAME_MESSAGE, id), *op_name = NULL;
    bool gs = ops && (id == 2 || id == 3), sys = ops && id == 15;
    bool valid = name != NULL;
    if (gs) {
        op_name = op || id == 3 ? isa_name(p->isa, NAME_GS_OP, op) : NULL;
        valid = op_name && (op || !stream);
    } else if (sys) {
        op_name = isa_name(p->isa, NAME_SYS_OP, op);
        valid = op_name && !stream;
    } else if (op || stream)
        valid = false;
    if (valid) {
        printer_put(p, "sendmsg(");
        printer_put(p, name);
        if (op_name) {
            printer_put(p, ", ");
            printer_put(p, op_name);
            if (gs && op) {
                printer_put(p, ", ");
                put_dec(p, stream);
            }
        }
        put_char(p, ')');
    } else if ((id | op << 4 | stream << 8) == v) {
        printer_put(p, "sendmsg(");
        put_dec(p, id);
        printer_put(p, ", ");
        put_dec(p, op);
        printer_put(p, ", ");
        put_dec(p, stream);
        put_char(p, ')');
    } else
        put_dec(p, v);
}

static void put_delay(struct printer *p, uint32_t v) {
    static const char *const ids[] = {"NO_DEP",        "VALU_DEP_1",    "VALU_DEP_2",
                                      "VALU_DEP_3",    "VALU_DEP_4",    "TRANS32_DEP_1",
                                      "TRANS32_DEP_2", "TRANS32_DEP_3", "FMA_ACCUM_CYCLE_1",
                                      "SALU_CYCLE_1",  "SALU_CYCLE_2",  "SALU_CYCLE_3"};
    static const char *const skips[] = {"SAME", "NEXT", "SKIP_1", "SKIP_2", "SKIP_3", "SKIP_4"};
    const struct {
        const char *label, *invalid;
        unsigned value, count;
        const char *const *names;
    } parts[] = {{"instid0(", "/* invalid instid value */", v & 15, 12, ids},
                 {"instskip(", "/* invalid instskip value */", v >> 4 & 7, 6, skips},
                 {"instid1(", "/* invalid instid value */", v >> 7 & 15, 12, ids}};
    bool any = false;
    for (unsigned i = 0; i < 3; i++) {
        if (!parts[i].value) continue;
        if (any) printer_put(p, " | ");
        any = true;
        printer_put(p, parts[i].label);
        printer_put(p, parts[i].value < parts[i].count ? parts[i].names[parts[i].value] : parts[i].invalid);
        put_char(p, ')');
    }
    if (!any) put_char(p, '0');
}

static void put_gpr_idx(struct printer *p, uint32_t v) {
    static const char *const modes[] = {"SRC0", "SRC1", "SRC2", "DST"};
    if (v & ~15u) {
        put_hex(p, v);
        return;
    }
    printer_put(p, "gpr_idx(");
    bool any = false;
    for (unsigned i = 0; i < 4; i++) {
        if (!(v >> i & 1)) continue;
        if (any) put_char(p, ',');
        any = true;
        printer_put(p, modes[i]);
    }
    put_char(p, ')');
}

static void put_label(struct printer *p, uint32_t v) {
    uint64_t target = p->options->address + 4 + (uint64_t)((int64_t)(int16_t)v * 4);
    const char *name = p->options->label ? p->options->label(p->options->context, target) : NULL;
    if (name)
        printer_put(p, name);
    else
        put_dec(p, v & 0xffff);
}

static void put_attribute(struct printer *p, uint32_t v) {
    printer_put(p, "attr");
    put_dec(p, v & 63);
    put_char(p, '.');
    put_char(p, "xyzw"[p->in->f[F_attrchan] & 3]);
}

static void put_interp_param(struct printer *p, uint32_t v) {
    static const char *const names[] = {"p10", "p20", "p0"};
    v = v >= SRC_VGPR0 ? v - SRC_VGPR0 : v;
    if (v < 3)
        printer_put(p, names[v]);
    else {
        printer_put(p, "invalid_param_");
        put_dec(p, v);
    }
}

static void put_small(struct printer *p, uint32_t v) { // inline numbers in decimal
    if ((v & 0xffff) <= 64)
        put_dec(p, v & 0xffff);
    else
        put_hex(p, v & 0xffff);
}

// The generation that code is for and the modes that it runs in, as LLVM writes a chain of or.
static void put_version(struct printer *p, uint32_t v) {
    static const char *const bits[] = {"UC_VERSION_W64_BIT", "UC_VERSION_W32_BIT", "UC_VERSION_MDP_BIT"};
    const char *name = isa_name(p->isa, NAME_UC_VERSION, v & 0xff);
    if (v & 0x1f00) {
        put_hex(p, v);
        return;
    }
    for (int n = __builtin_popcount(v >> 13); n > 1; n--) put_char(p, '(');
    if (name)
        printer_put(p, name);
    else
        put_dec(p, v & 0xff);
    bool any = false;
    for (unsigned i = 0; i < 3; i++) {
        if (!(v >> (13 + i) & 1)) continue;
        if (any) put_char(p, ')');
        any = true;
        put_char(p, '|');
        printer_put(p, bits[i]);
    }
}

bool put_immediate(struct printer *p, enum operand_type type, uint32_t v) {
    switch (type) {
    case T_IMM16: put_hex(p, v & 0xffff); break;
    case T_SMALL: put_small(p, v); break;
    case T_LABEL: put_label(p, v); break;
    case T_WAITCNT: put_counters(p, isa_waitcnt_fields(p->isa), "", v); break;
    case T_DEPCTR: put_depctr(p, v); break;
    case T_SENDMSG: put_message(p, v); break;
    case T_HWREG: put_hwreg(p, v); break;
    case T_DELAY: put_delay(p, v); break;
    case T_GPR_IDX: put_gpr_idx(p, v); break;
    case T_VERSION: put_version(p, v & 0xffff); break;
    case T_ENDPGM:
        if (v) put_dec(p, v & 0xffff);
        break;
    case T_ATTR: put_attribute(p, v); break;
    case T_INTERP: put_interp_param(p, v); break;
    default: return false;
    }
    return true;
}

// ---- DPP ----

static void put_dpp_control(struct printer *p, unsigned c) {
    if (p->row->flags & ROW_DPP64 && p->isa->row_newbcast && !(c >= 0x150 && c < 0x160)) {
        printer_put(p, " /* DP ALU dpp only supports row_newbcast */");
        return;
    }
    static const char *const shifts[] = {"row_shl", "row_shr", "row_ror"};
    if (c < 0x100) {
        printer_put(p, " quad_perm:[");
        for (unsigned i = 0; i < 4; i++) {
            if (i) put_char(p, ',');
            put_dec(p, c >> 2 * i & 3);
        }
        put_char(p, ']');
        return;
    }
    unsigned n = c & 15;
    bool wave = !p->isa->row_share;
    if (c >= 0x100 && c < 0x130 && n)
        put_field(p, shifts[(c - 0x100) >> 4], n);
    else if (c == 0x140)
        printer_put(p, " row_mirror");
    else if (c == 0x141)
        printer_put(p, " row_half_mirror");
    else if (wave && c == 0x130)
        printer_put(p, " wave_shl:1");
    else if (wave && c == 0x134)
        printer_put(p, " wave_rol:1");
    else if (wave && c == 0x138)
        printer_put(p, " wave_shr:1");
    else if (wave && c == 0x13c)
        printer_put(p, " wave_ror:1");
    else if (wave && c == 0x142)
        printer_put(p, " row_bcast:15");
    else if (wave && c == 0x143)
        printer_put(p, " row_bcast:31");
    else if (p->isa->row_share && c >= 0x150 && c < 0x160)
        put_field(p, "row_share", n);
    else if (p->isa->row_share && c >= 0x160 && c < 0x170)
        put_field(p, "row_xmask", n);
    else if (p->isa->row_newbcast && c >= 0x150 && c < 0x160)
        put_field(p, "row_newbcast", n);
    else if (c == 0x142 || c == 0x143)
        printer_put(p, " /* row_bcast is not supported starting from GFX10 */");
    else if (c >= 0x130 && c < 0x140 && !(c & 3)) {
        static const char *const names[] = {"wave_shl", "wave_rol", "wave_shr", "wave_ror"};
        printer_put(p, " /* ");
        printer_put(p, names[n >> 2]);
        printer_put(p, " is not supported starting from GFX10 */");
    } else if (c >= 0x150 && c < 0x160)
        printer_put(p, " /* row_newbcast/row_share is not supported on ASICs earlier than GFX90A/GFX10 */");
    else if (c >= 0x160 && c < 0x170)
        printer_put(p, " /* row_xmask is not supported on ASICs earlier than GFX10 */");
    else
        printer_put(p, " /* Invalid dpp_ctrl value */");
}

void put_dpp(struct printer *p) {
    const int32_t *f = p->in->f;
    if (p->in->suffix == SUFFIX_DPP8) {
        printer_put(p, " dpp8:[");
        for (unsigned i = 0; i < 8; i++) {
            if (i) put_char(p, ',');
            put_dec(p, f[F_dpp8] >> 3 * i & 7);
        }
        put_char(p, ']');
        if (p->in->dpp8_fi) printer_put(p, " fi:1");
        return;
    }
    if (p->in->suffix != SUFFIX_DPP16) return;
    put_dpp_control(p, (unsigned)f[F_dpp_ctrl]);
    printer_put(p, " row_mask:");
    put_hex(p, (uint64_t)f[F_row_mask]);
    printer_put(p, " bank_mask:");
    put_hex(p, (uint64_t)f[F_bank_mask]);
    put_flag(p, F_bound_ctrl, "bound_ctrl:1");
    put_flag(p, F_fi, "fi:1");
}

// ---- SDWA ----

static void put_select(struct printer *p, const char *label, enum field field) {
    static const char *const names[] = {"BYTE_0", "BYTE_1", "BYTE_2", "BYTE_3",
                                        "WORD_0", "WORD_1", "DWORD",  "/*invalid select*/"};
    printer_put(p, label);
    printer_put(p, names[p->in->f[field] & 7]);
}

void put_sdwa(struct printer *p) {
    static const char *const unused[] = {"UNUSED_PAD", "UNUSED_SEXT", "UNUSED_PRESERVE", "/*invalid*/"};
    if (p->in->suffix != SUFFIX_SDWA) return;
    if (p->in->format->id != FMT_VOPC && (p->row->dst[0].type || p->row->dst[1].type)) {
        bool whole = p->row->flags & ROW_BYTE_SEL || // 8-bit floats: only the source is chosen
                     (p->row->flags & ROW_OPSEL && p->row->dst[0].type == T_B64);
        if (!whole) {
            put_select(p, " dst_sel:", F_dst_sel);
            printer_put(p, " dst_unused:");
            printer_put(p, unused[p->in->f[F_dst_unused] & 3]);
        }
    }
    if (!p->row->src[0].type) return;
    put_select(p, " src0_sel:", F_src0_sel);
    if (insn_has(p->in, F_src1)) put_select(p, " src1_sel:", F_src1_sel);
}

// ---- ds_swizzle ----

static void put_pattern(struct printer *p, unsigned and_mask, unsigned or_mask, unsigned xor_mask) {
    for (unsigned bit = 16; bit; bit >>= 1) { // what becomes of each bit of the lane number
        unsigned zero = ((0 & and_mask) | or_mask) ^ xor_mask, one = ((31 & and_mask) | or_mask) ^ xor_mask;
        bool z = zero & bit, o = one & bit;
        put_char(p, z == o ? (z ? '1' : '0') : z ? 'i' : 'p');
    }
}

void put_swizzle(struct printer *p, unsigned offset) {
    if (!offset) return;
    printer_put(p, " offset:");
    if ((offset & 0xff00) == 0x8000) {
        printer_put(p, "swizzle(QUAD_PERM");
        for (unsigned i = 0; i < 4; i++) {
            put_char(p, ',');
            put_dec(p, offset >> 2 * i & 3);
        }
        put_char(p, ')');
        return;
    }
    bool rotates = p->isa->swizzle_rotates;
    if (offset >= 0xe000 && rotates) {
        printer_put(p, "swizzle(FFT,");
        put_dec(p, offset & 31);
        put_char(p, ')');
        return;
    }
    if (offset >= 0xc000 && rotates) {
        printer_put(p, "swizzle(ROTATE,");
        put_dec(p, offset >> 10 & 1);
        put_char(p, ',');
        put_dec(p, offset >> 5 & 31);
        put_char(p, ')');
        return;
    }
    if (offset & 0x8000) {
        put_dec(p, offset);
        return;
    }
    unsigned and_mask = offset & 31, or_mask = offset >> 5 & 31, xor_mask = offset >> 10 & 31;
    if (and_mask == 31 && !or_mask && xor_mask && !(xor_mask & (xor_mask - 1))) {
        printer_put(p, "swizzle(SWAP,");
        put_dec(p, xor_mask);
    } else if (and_mask == 31 && !or_mask && xor_mask && !(xor_mask & (xor_mask + 1))) {
        printer_put(p, "swizzle(REVERSE,");
        put_dec(p, xor_mask + 1);
    } else {
        unsigned group = 32 - and_mask;
        if (group > 1 && !(group & (group - 1)) && or_mask < group && !xor_mask) {
            printer_put(p, "swizzle(BROADCAST,");
            put_dec(p, group);
            put_char(p, ',');
            put_dec(p, or_mask);
        } else {
            printer_put(p, "swizzle(BITMASK_PERM,\"");
            put_pattern(p, and_mask, or_mask, xor_mask);
            put_char(p, '"');
        }
    }
    put_char(p, ')');
}
