// SPDX-License-Identifier: MIT
// The names of what exports go to: render targets, positions, parameters.
#include "isa/names.h"

static const char *const targets[EXPORT_TARGETS] = {
#define FOUR(at, name, a, b, c, d) [at] = name #a, name #b, name #c, name #d
    FOUR(0, "mrt", 0, 1, 2, 3),
    FOUR(4, "mrt", 4, 5, 6, 7),
    [8] = "mrtz",
    [EXPORT_NULL] = "null",
    FOUR(12, "pos", 0, 1, 2, 3),
    [16] = "pos4",
    [20] = "prim",
    [21] = "dual_src_blend0",
    [22] = "dual_src_blend1",
    FOUR(EXPORT_PARAMETERS, "param", 0, 1, 2, 3),
    FOUR(36, "param", 4, 5, 6, 7),
    FOUR(40, "param", 8, 9, 10, 11),
    FOUR(44, "param", 12, 13, 14, 15),
    FOUR(48, "param", 16, 17, 18, 19),
    FOUR(52, "param", 20, 21, 22, 23),
    FOUR(56, "param", 24, 25, 26, 27),
    FOUR(60, "param", 28, 29, 30, 31),
#undef FOUR
};

const char *isa_export_target(const struct isa *isa, unsigned number) {
    if (number >= EXPORT_TARGETS) return NULL;
    if (number == EXPORT_NULL || number >= EXPORT_PARAMETERS) return isa->row_export ? NULL : targets[number];
    if (number == 16 || number == 20) return isa->prim_export ? targets[number] : NULL;
    if (number == 21 || number == 22) return isa->row_export ? targets[number] : NULL;
    return targets[number];
}

bool insn_exports(const struct insn *in, unsigned i) {
    return in->f[F_compr] ? i < 2 && in->f[F_en] >> 2 * i & 3 : in->f[F_en] >> i & 1;
}
