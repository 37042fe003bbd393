// SPDX-License-Identifier: MIT
// Image instructions: data by the mask of components, addresses by the operation and the dimension,
// modifiers.
#include "dis/print.h"

static void put_address(struct printer *p, const struct image_address *a) {
    for (unsigned i = 0; i < a->count; i++) {
        if (i || a->list) printer_put(p, i ? ", " : "[");
        put_register(p, a->code[i], a->dwords[i]);
    }
    if (a->list) put_char(p, ']');
}

static void put_image_operand(struct printer *p, struct operand_spec s, const struct image_address *a,
                              unsigned data_dwords) {
    next_operand(p);
    if (s.type == T_DMASK) {
        unsigned code = (unsigned)p->in->f[s.field];
        if (insn_has(p->in, F_acc) && p->in->f[F_acc]) code += SRC_AGPR0 - SRC_VGPR0;
        put_register(p, code, data_dwords);
    } else if (s.type == T_IMGADDR)
        put_address(p, a);
    else
        put_operand(p, s);
}

void print_image(struct printer *p) {
    static const char *const dimensions[] = {"1D",       "2D",       "3D",      "CUBE",
                                             "1D_ARRAY", "2D_ARRAY", "2D_MSAA", "2D_MSAA_ARRAY"};
    const struct row *row = p->row;
    struct image_address a;
    bool fits = isa_image_address(p->isa, p->in, &a);
    unsigned dwords = isa_image_data(p->isa, p->in, fits);
    for (int i = 0; i < ROW_DST; i++)
        if (row->dst[i].type) put_image_operand(p, row->dst[i], &a, dwords);
    for (int i = 0; i < ROW_SRC && row->src[i].type; i++)
        if (!row->dst[0].type || row->src[i].field != row->dst[0].field)
            put_image_operand(p, row->src[i], &a, dwords);
    if (row->image & IMAGE_RAY) { // all else is fixed
        put_flag(p, F_a16, "a16");
        return;
    }
    if (p->in->f[F_dmask]) {
        printer_put(p, " dmask:");
        put_hex(p, (uint64_t)p->in->f[F_dmask]);
    }
    if (insn_has(p->in, F_dim)) {
        printer_put(p, " dim:SQ_RSRC_IMG_");
        printer_put(p, dimensions[p->in->f[F_dim] & 7]);
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
