// SPDX-License-Identifier: MIT
// From a program whose text has ended to an object: places, values and relocations, the ELF file.
#ifndef MC_OBJECT_H
#define MC_OBJECT_H

#include "mc/program/program.h"

// Gives every piece its size and moves what stands behind (layout.c).
bool object_lay_out(struct program *program);
// The words from behind a branch at `offset` to its target; false: only the linker knows.
bool object_branch(struct program *program, const struct section *s, uint64_t offset,
                   const struct expr *target, int64_t *words);
// Resolves what expressions were kept; leaves relocations in the sections (fixup.c).
bool object_resolve(struct program *program);
bool object_write(struct program *program, uint8_t **object, size_t *size); // elf_write.c

#endif
