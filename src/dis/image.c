// SPDX-License-Identifier: MIT
// Image instructions: data by the mask of components, addresses by the dimension, modifiers. What sampling
// adds to the coordinates (offset, bias, comparison value, derivatives) and scattered addresses of GFX10 and
// GFX11 (NSA) are not spelled out: such an instruction shows its first address register.
#include "dis/print.h"

static unsigned data_dwords(const struct printer *p) {
    const int32_t *f = p->in->f;
    unsigned n = (unsigned)__builtin_popcount((unsigned)f[F_dmask] & 15);
    if (!n) n = 1;
    if (f[F_d16] && p->isa->packed_d16) n = (n + 1) / 2;
    return n + (f[F_tfe] != 0);
}

// Address components of loads, stores and atomics.
static unsigned coordinates(const struct printer *p) {
    static const uint8_t by_dimension[] = {1, 2, 3, 3, 2, 3, 3, 4};
    if (!insn_has(p->in, F_dim)) return 1;
    for (int i = 0; i < ROW_SRC; i++)
        if (p->row->src[i].type && p->row->src[i].field == F_ssamp) return 1;
    unsigned n = by_dimension[p->in->f[F_dim] & 7];
    return p->in->f[F_a16] ? (n + 1) / 2 : n;
}

static void put_address(struct printer *p, struct operand_spec s) {
    static const enum field scattered[] = {F_vaddr0, F_vaddr1, F_vaddr2, F_vaddr3, F_vaddr4};
    unsigned n = coordinates(p);
    if (n == 1 || !insn_has(p->in, F_vaddr1)) {
        put_register(p, (unsigned)p->in->f[s.field], n);
        return;
    }
    for (unsigned i = 0; i < n; i++) {
        put(p, i ? ", " : "[");
        put_register(p, (unsigned)p->in->f[scattered[i]], 1);
    }
    put_char(p, ']');
}

static void put_image_operand(struct printer *p, struct operand_spec s) {
    next_operand(p);
    if (s.type == T_DMASK) {
        unsigned code = (unsigned)p->in->f[s.field];
        if (insn_has(p->in, F_acc) && p->in->f[F_acc]) code += SRC_AGPR0 - SRC_VGPR0;
        put_register(p, code, data_dwords(p));
    } else if (s.type == T_IMGADDR)
        put_address(p, s);
    else
        put_operand(p, s);
}

void print_image(struct printer *p) {
    static const char *const dimensions[] = {"1D",       "2D",       "3D",      "CUBE",
                                             "1D_ARRAY", "2D_ARRAY", "2D_MSAA", "2D_MSAA_ARRAY"};
    const struct row *row = p->row;
    for (int i = 0; i < ROW_DST; i++)
        if (row->dst[i].type) put_image_operand(p, row->dst[i]);
    for (int i = 0; i < ROW_SRC && row->src[i].type; i++)
        if (!row->dst[0].type || row->src[i].field != row->dst[0].field) put_image_operand(p, row->src[i]);
    if (p->in->f[F_dmask]) {
        put(p, " dmask:");
        put_hex(p, (uint64_t)p->in->f[F_dmask]);
    }
    if (insn_has(p->in, F_dim)) {
        put(p, " dim:SQ_RSRC_IMG_");
        put(p, dimensions[p->in->f[F_dim] & 7]);
    }
    put_flag(p, F_unorm, "unorm");
    put_cache_policy(p);
    put_flag(p, F_r128, "r128");
    put_flag(p, F_a16, "a16");
    put_flag(p, F_tfe, "tfe");
    put_flag(p, F_lwe, "lwe");
    put_flag(p, F_da, "da");
    put_flag(p, F_d16, "d16");
}
