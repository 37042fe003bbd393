// SPDX-License-Identifier: MIT
// What the parts that fit vector ALU instructions share: valu.c, valu_modifiers.c, vopd.c.
#ifndef ASM_VALU_H
#define ASM_VALU_H

#include "asm/insn/fit.h"
#include "isa/kinds.h"

bool fit_implicit_mask(struct fit *f, enum field field); // VCC, written out though no field holds it
bool fit_modifiers(struct fit *f);                       // of the format
bool fit_matrix_formats(struct fit *f);                  // which give the width of sources
bool fit_dpp(struct fit *f);
bool fit_sdwa(struct fit *f);

#endif
