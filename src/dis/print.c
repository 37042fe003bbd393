// SPDX-License-Identifier: MIT
// A decoded instruction as text, in LLVM's spelling: mnemonic with its encoding suffix, operands, modifiers.
#include "dis/print.h"

// _e32 and _e64 tell two forms of one operation apart; DPP and SDWA are always named.
static const char *encoding_suffix(const struct insn *in) {
    if (!in->row->dst[0].type && !in->row->src[0].type) return ""; // v_nop
    // Which LLVM calls the same in both forms.
    bool alike = in->row->flags & ROW_WORD_SEL && in->row->dst[0].type == T_V2F16;
    bool two_forms = in->two_forms && !alike && (in->row->dst[0].type || in->row->src[0].type);
    switch (in->format->id) {
    case FMT_VOP1:
    case FMT_VOP2:
    case FMT_VOPC:
    case FMT_VINTRP:
        // LLVM names neither DPP in compares nor SDWA in those of GFX8.
        if (in->suffix == SUFFIX_DPP16 || in->suffix == SUFFIX_DPP8)
            return in->format->id == FMT_VOPC ? "" : "_dpp";
        if (in->suffix == SUFFIX_SDWA) return in->format->id == FMT_VOPC && !in->sdwa_sdst ? "" : "_sdwa";
        return two_forms ? "_e32" : "";
    case FMT_VOP3:
    case FMT_VOP3B:
    case FMT_VOP3S:
    case FMT_VOP3I:
    case FMT_VOP3P:
        if (in->suffix == SUFFIX_DPP16 || in->suffix == SUFFIX_DPP8) return "_e64_dpp";
        return two_forms ? "_e64" : "";
    default: return "";
    }
}

static void print_scalar(struct printer *p) {
    const struct row *row = p->row;
    for (int i = 0; i < ROW_DST; i++) {
        if (!row->dst[i].type) continue;
        next_operand(p);
        put_operand(p, row->dst[i]);
    }
    for (int i = 0; i < ROW_SRC; i++) {
        struct operand_spec s = row->src[i];
        if (!s.type || (row->dst[0].type && s.field == row->dst[0].field)) continue;
        if (s.type == T_ENDPGM && !p->in->f[s.field]) continue;
        next_operand(p);
        put_operand(p, s);
    }
}

size_t insn_print(const struct insn *in, const struct print_options *options, char out[INSN_TEXT]) {
    const struct isa *isa = options->isa ? options->isa : isa_of(options->processor);
    struct printer p = {.p = out,
                        .end = out + INSN_TEXT - 1,
                        .isa = isa,
                        .in = in,
                        .row = in->row,
                        .options = options,
                        .wave32 = options->wave32};
    if (in->format->id == FMT_VOPD || in->format->id == FMT_VOPD3)
        print_vopd(&p);
    else {
        printer_put(&p, in->scaled ? row_dual(in->row) : isa_row_name(isa, in->row));
        printer_put(&p, encoding_suffix(in));
        switch (in->format->id) {
        case FMT_SOP2:
        case FMT_SOPK:
        case FMT_SOP1:
        case FMT_SOPC:
        case FMT_SOPP: print_scalar(&p); break;
        case FMT_SMEM: print_smem(&p); break;
        case FMT_DS: print_ds(&p); break;
        case FMT_FLAT:
        case FMT_GLOBAL:
        case FMT_SCRATCH: print_flat(&p); break;
        case FMT_MUBUF:
        case FMT_MTBUF: print_buffer(&p); break;
        case FMT_MIMG:
        case FMT_VIMAGE:
        case FMT_VSAMPLE: print_image(&p); break;
        case FMT_TENSOR: print_tensor(&p); break;
        case FMT_EXP: print_export(&p); break;
        default: print_valu(&p);
        }
    }
    *p.p = 0;
    return (size_t)(p.p - out);
}
