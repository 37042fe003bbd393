// SPDX-License-Identifier: MIT
// Fitting image instructions: data by the mask of components, addresses as a tuple or one by one.
#include "asm/insn/fit.h"

#include <string.h>

static bool fit_dimension(struct fit *f) {
    static const char *const names[] = {"1D",       "2D",       "3D",      "CUBE",
                                        "1D_ARRAY", "2D_ARRAY", "2D_MSAA", "2D_MSAA_ARRAY"};
    const struct modifier *m = take_modifier(f, M_dim);
    if (!m) return fit_refuse(f, f->st->end, "dim is required");
    if (!m->is_text) {
        if (m->value < 0 || m->value > 7) return fit_refuse(f, m->at, "invalid dim value");
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
    return fit_refuse(f, m->at, "invalid dim value");
}

static bool fit_image_data(struct fit *f, unsigned place, unsigned dwords) {
    struct operand_spec s = row_operand(f->row, place);
    const struct parsed *p = peek(f);
    unsigned allowed = fit_rule(f, place).allow;
    int32_t *out = &f->in.f[s.field];
    if (s.type != T_DMASK) dwords = operand_dwords[s.type];
    if (!fit_register(f, s.field, dwords, allowed, out)) return false;
    if (p->half) return refuse_operand(f, s.field, p, "a register without .l or .h");
    if (*out >= SRC_AGPR0) {
        *out -= SRC_AGPR0 - SRC_VGPR0;
        f->in.f[F_acc] = 1;
    }
    return true;
}

// Before GFX10 nothing tells how many registers an address has: any tuple will do.
static bool fit_image_address(struct fit *f, struct operand_spec s) {
    const struct parsed *p = fit_take(f, s.field);
    if (!p) return false;
    if (p->kind != PARSED_REGISTER && p->kind != PARSED_LIST) return refuse_operand(f, s.field, p, "VGPRs");
    if (p->neg || p->abs || p->sext)
        return fit_refuse(f, p->at, "%s takes no modifier", asm_field_names[s.field]);
    if (p->half) return refuse_operand(f, s.field, p, "a register without .l or .h");
    bool list = p->count > 1;
    unsigned count = list ? p->count : 1;
    for (unsigned i = 0; i < count; i++) {
        unsigned code = list ? f->st->list[p->first + i].code : p->code;
        if (code < SRC_VGPR0 || code >= SRC_AGPR0) return refuse_operand(f, s.field, p, "VGPRs");
        if (f->isa->even_tuples && code & 1 && (list ? f->st->list[p->first + i].dwords : p->dwords) > 1)
            return refuse_operand(f, s.field, p, "a tuple that starts at an even register");
        if (i < 13) f->in.f[F_vaddr0 + i] = (int32_t)code;
    }
    if (!f->isa->nsa) return !list || refuse_operand(f, s.field, p, "a VGPR tuple");
    if (f->in.format->id == FMT_MIMG && list)
        f->in.f[F_nsa] = f->isa->partial_nsa ? 1 : (int32_t)(count + 2) / 4;
    struct image_address a;
    bool fits = count <= 13 && isa_image_address(f->isa, &f->in, &a);
    if (!fits || a.count != count || a.list != list)
        return refuse_operand(f, s.field, p, "an address of as many registers as dim and a16 ask for");
    for (unsigned i = 0; i < count; i++) {
        unsigned dwords = list ? f->st->list[p->first + i].dwords : p->dwords;
        if (dwords == a.dwords[i] || (!list && dwords == 8 && a.dwords[i] > 4 && a.dwords[i] < 8)) continue;
        if (!list && dwords == 16 && a.dwords[i] > 12) continue;
        return refuse_operand(f, s.field, p, "an address of as many registers as dim and a16 ask for");
    }
    return true;
}

bool fit_image(struct fit *f) {
    const struct row *row = f->row;
    int32_t *v = f->in.f;
    bool ray = row->image & IMAGE_RAY, gather = row->image & IMAGE_GATHER && !ray;
    if (ray) {
        v[F_dmask] = 15;
        v[F_unorm] = v[F_r128] = 1;
        fit_flag(f, M_a16, &v[F_a16]);
    } else if (!fit_int(f, M_dmask, 0, 15, &v[F_dmask]) || (insn_has(&f->in, F_dim) && !fit_dimension(f)))
        return false;
    if (gather && __builtin_popcount((unsigned)v[F_dmask]) != 1)
        return fit_refuse(f, f->st->name, "invalid image_gather dmask: only one bit must be set");
    if ((row->atomic || row->flags & ROW_ATOMIC) && v[F_dmask] != 1 && v[F_dmask] != 3 && v[F_dmask] != 15)
        return fit_refuse(f, f->st->name, "dmask of an atomic must be 0x1, 0x3 or 0xf, found 0x%x",
                          (unsigned)v[F_dmask]);
    if (row->image & IMAGE_MSAA && v[F_dim] != 6 && v[F_dim] != 7)
        return fit_refuse(f, take_modifier(f, M_dim)->at, "dim must be 2D_MSAA or 2D_MSAA_ARRAY");
    static const struct {
        enum field field;
        enum modifier_id id;
    } flags[] = {{F_unorm, M_unorm}, {F_r128, M_r128}, {F_a16, M_a16}, {F_tfe, M_tfe},
                 {F_lwe, M_lwe},     {F_da, M_da},     {F_d16, M_d16}};
    for (unsigned i = 0; i < sizeof flags / sizeof *flags && !ray; i++)
        if (!(flags[i].id == M_d16 && row->image & IMAGE_NO_D16) && insn_has(&f->in, flags[i].field))
            fit_flag(f, flags[i].id, &v[flags[i].field]);
    if (!ray && !fit_cache_policy(f)) return false;
    unsigned dwords = isa_image_data(f->isa, &f->in, true);
    for (int i = 0; i < 1 + ROW_SRC; i++) {
        struct operand_spec s = i ? row->src[i - 1] : row->dst[0];
        if (!s.type || (i && is_dst(row, s))) continue;
        const unsigned place = i ? RULE_SRC + (unsigned)i - 1 : 0;
        bool ok;
        if (s.type == T_IMGADDR)
            ok = fit_image_address(f, s);
        else if (s.field == F_vdata)
            ok = fit_image_data(f, place, dwords);
        else {
            struct rule rule = fit_rule(f, place); // r128 does not change its width
            ok = fit_register(f, s.field, rule.dwords, rule.allow, &v[s.field]);
        }
        if (!ok) return false;
    }
    return true;
}
