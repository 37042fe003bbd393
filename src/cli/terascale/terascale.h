// SPDX-License-Identifier: MIT
// What the commands do for the R600 family, whose programs have a library interface of their own.
#ifndef CLI_TERASCALE_H
#define CLI_TERASCALE_H

#include "base/file.h"
#include "base/text.h"
#include "softwave/asm.h"
#include "softwave/terascale.h"

struct terascale_dis {
    const char *file, *function;
    const sw_processor *processor;
    bool code, hex, llvm; // code instead of an object, as hexadecimal text
};
int terascale_dis(const struct file *f, const struct terascale_dis *d);
sw_status terascale_as(const struct file *f, const sw_asm_options *options, uint8_t **object, size_t *size);
// Groups of slots and registers that are set, as `eval` takes them.
int terascale_eval(const sw_processor *processor, const char *const *texts, size_t count, unsigned shown,
                   struct text *t);
struct run_settings;
// Whether this is a program for `run` of this family; running it.
bool terascale_can_run(const struct file *f, const struct run_settings *o);
sw_status terascale_run(const struct file *f, const struct run_settings *o, struct text *t);
sw_status terascale_obj(const struct file *f, const char *name, struct text *t);

#endif
