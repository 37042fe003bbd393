// SPDX-License-Identifier: MIT
// What code objects say beside their code: the directives that read it, and what makes notes and descriptors
// of it when the text has ended.
#ifndef ASM_KERNEL_TEXT_H
#define ASM_KERNEL_TEXT_H

#include "asm/text/unit.h"

directive_fn dir_target, dir_version, dir_kernel, dir_metadata, dir_metadata_v2, dir_pal_metadata,
    dir_pal_pairs;
directive_fn dir_isa_name, dir_hsa_version, dir_hsa_isa, dir_hsa_kernel, dir_kernel_code, dir_version_note;

bool finish_codes(struct program *program);
bool finish_pal(struct program *program);
bool finish_kernels(struct program *program);

// ---- Of the target and in notes (target.c, note.c) ----
bool program_is_v2(const struct program *program); // amdhsa code object V2
enum { PROGRAM_TARGET_TEXT = 160 };
void program_target_text(const struct program *program,
                         char out[PROGRAM_TARGET_TEXT]); // triple and target id
bool program_note(struct program *program, const char *vendor, uint32_t type, const void *desc,
                  size_t length);
// Calls in expressions that depend on the processor: extrasgprs and kin (fields.c).
bool program_call(void *program, enum call call, const int64_t *args, unsigned count, int64_t *out);

#endif
