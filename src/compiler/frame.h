// SPDX-License-Identifier: MIT
// Frames of functions. p_enter and p_leave stand where a function begins and ends; their operands are the
// vector register whose first lanes keep where to return to and whose frame was the caller's (nothing, if the
// function calls no other), then pairs: a vector register that the function has to keep, or an accumulation
// register, and its place in the frame. Where lanes that are not active have to be kept as well, the place is
// that of -1 - N; with FRAME_OTHERS in N, those alone: what active ones hold then may be a result.
#ifndef COMPILER_FRAME_H
#define COMPILER_FRAME_H

#include "compiler/registers.h"

enum { FRAME_LANES = 3 }; // s30, s31, s33; behind them what convention_changes says

// Values in fixed registers that are needed behind a call, or that inline assembly names, are copied: inputs,
// and what calls give.
void compiler_detach(struct compiler *c);
// The scalar register by which a frame's end is reached where offsets are too small: no argument is in it,
// and no function keeps it.
enum { FRAME_FAR = 40, FRAME_OTHERS = 1 << 24 };
// By the vector register through which accumulation registers come and go: it holds no argument and no
// result, and no function keeps it.
enum { FRAME_ACC_BY = 32 };
// By register: it is used, and a function has to keep it (vector registers, accumulation registers); it is
// written for lanes that do not execute.
struct frame_kept {
    const bool *vectors, *accs, *whole;
};
// The function's frame, when all values have registers.
void compiler_frame(struct compiler *c, const struct spills *spills, const struct frame_kept *kept);

#endif
