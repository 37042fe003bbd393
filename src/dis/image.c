// SPDX-License-Identifier: MIT
// Image instructions: address registers by dimension, and modifiers.
#include "dis/print.h"

void print_image(struct printer *p) {
    const struct row *row = p->row;
    for (int i = 0; i < ROW_DST; i++) {
        if (!row->dst[i].type) continue;
        next_operand(p);
        put_operand(p, row->dst[i]);
    }
    for (int i = 0; i < ROW_SRC && row->src[i].type; i++) {
        next_operand(p);
        put_operand(p, row->src[i]);
    }
    put(p, " dmask:");
    put_hex(p, (uint64_t)p->in->f[F_dmask]);
    put_flag(p, F_unorm, "unorm");
    put_cache_policy(p);
}
