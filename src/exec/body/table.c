// SPDX-License-Identifier: MIT
// The body of every row, at this vector level, in the order of the instruction table. A row whose `sem` has
// no body is an undefined reference here, found by the linker.
#include "exec/body/body.h"

#define I(row_id, sem, ...) extern const struct body BODY_NAME(sem);
#include "isa/rows.def"
#undef I

extern const struct body *const PASTE(body_, table, LEVEL)[];
const struct body *const PASTE(body_, table, LEVEL)[] = {
#define I(row_id, sem, ...) &BODY_NAME(sem),
#include "isa/rows.def"
#undef I
};

BODY(unsupported, .shape = SHAPE_NONE);
