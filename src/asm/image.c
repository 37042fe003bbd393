// SPDX-License-Identifier: MIT
// Fitting image instructions: data by the mask of components, addresses as a tuple or one by one.
#include "asm/fit.h"

#include <string.h>

static const enum field scattered[] = {F_vaddr0, F_vaddr1, F_vaddr2, F_vaddr3, F_vaddr4};

static bool fit_dimension(struct fit *f) {
    static const char *const names[] = {"1D",       "2D",       "3D",      "CUBE",
                                        "1D_ARRAY", "2D_ARRAY", "2D_MSAA", "2D_MSAA_ARRAY"};
    const struct modifier *m = take_modifier(f, M_dim);
    if (!m) return refuse(f, f->st->end, "dim is required");
    if (!m->is_text) {
        if (m->value < 0 || m->value > 7) return refuse(f, m->at, "invalid dim value");
        f->in.f[F_dim] = (int32_t)m->value;
        return true;
    }
    const char *at = m->at;
    if (m->end - at > 12 && !memcmp(at, "SQ_RSRC_IMG_", 12)) at += 12;
    for (int i = 0; i < 8; i++)
        if (text_is(at, m->end, names[i])) {
            f->in.f[F_dim] = i;
            return true;
        }
    return refuse(f, m->at, "invalid dim value");
}

static unsigned data_dwords(const struct fit *f) {
    const int32_t *v = f->in.f;
    unsigned n = (unsigned)__builtin_popcount((unsigned)v[F_dmask] & 15);
    if (!n) n = 1;
    if (v[F_d16] && f->isa->packed_d16) n = (n + 1) / 2;
    return n + (v[F_tfe] != 0);
}

static bool fit_image_data(struct fit *f, struct operand_spec s) {
    const struct parsed *p = peek(f);
    unsigned allowed = insn_has(&f->in, F_acc) ? ALLOW_VGPR | ALLOW_AGPR : ALLOW_VGPR;
    int32_t *out = &f->in.f[s.field];
    unsigned dwords = s.type == T_DMASK ? data_dwords(f) : operand_dwords[s.type];
    if (!fit_register(f, s.field, dwords, allowed, out)) return false;
    if (p->half) return refuse_operand(f, s.field, p, "a register without .l or .h");
    if (*out >= SRC_AGPR0) {
        *out -= SRC_AGPR0 - SRC_VGPR0;
        f->in.f[F_acc] = 1;
    }
    return true;
}

static bool fit_image_address(struct fit *f, struct operand_spec s) {
    const struct parsed *p = take(f, s.field);
    if (!p) return false;
    if (p->kind == PARSED_REGISTER && !insn_has(&f->in, F_vaddr1))
        return fit_value(f, p, s.field, T_B32, p->dwords, ALLOW_VGPR, &f->in.f[s.field]);
    if (p->kind != PARSED_REGISTER && p->kind != PARSED_LIST)
        return refuse_operand(f, s.field, p, "a list of VGPRs");
    if (!insn_has(&f->in, F_vaddr1)) return refuse_operand(f, s.field, p, "a VGPR tuple");
    unsigned count = p->kind == PARSED_LIST ? p->count : p->dwords,
             slots = insn_has(&f->in, F_vaddr4) ? 5 : 4;
    for (unsigned i = 0; i < count; i++) {
        unsigned code = p->kind == PARSED_LIST ? f->st->list[p->code + i] : p->code + i;
        if (code < SRC_VGPR0 || code >= SRC_AGPR0) return refuse_operand(f, s.field, p, "a list of VGPRs");
        if (i < slots)
            f->in.f[scattered[i]] = (int32_t)code;
        else if ((int32_t)code != f->in.f[scattered[slots - 1]] + (int32_t)(i - slots + 1))
            return refuse_operand(f, s.field, p, "a list whose last registers follow each other");
    }
    return true;
}

bool fit_image(struct fit *f) {
    const struct row *row = f->row;
    int32_t *v = f->in.f;
    if (!fit_int(f, M_dmask, 0, 15, &v[F_dmask])) return false;
    if (insn_has(&f->in, F_dim) && !fit_dimension(f)) return false;
    static const struct {
        enum field field;
        enum modifier_id id;
    } flags[] = {{F_unorm, M_unorm}, {F_r128, M_r128}, {F_a16, M_a16}, {F_tfe, M_tfe},
                 {F_lwe, M_lwe},     {F_da, M_da},     {F_d16, M_d16}};
    for (unsigned i = 0; i < sizeof flags / sizeof *flags; i++)
        if (insn_has(&f->in, flags[i].field)) fit_flag(f, flags[i].id, &v[flags[i].field]);
    if (!fit_cache_policy(f)) return false;
    for (int i = 0; i < 1 + ROW_SRC; i++) {
        struct operand_spec s = i ? row->src[i - 1] : row->dst[0];
        if (!s.type || (i && is_dst(row, s))) continue;
        bool ok;
        if (s.type == T_IMGADDR)
            ok = fit_image_address(f, s);
        else if (s.field == F_vdata)
            ok = fit_image_data(f, s);
        else {
            unsigned dwords = s.field == F_srsrc && v[F_r128] ? 4 : operand_dwords[s.type];
            ok = fit_register(f, s.field, dwords, ALLOW_SGPR, &v[s.field]);
        }
        if (!ok) return false;
    }
    return true;
}
