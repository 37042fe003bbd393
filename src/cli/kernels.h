// SPDX-License-Identifier: MIT
// The kernels of a code object: their list, and which one a name means.
#ifndef CLI_KERNELS_H
#define CLI_KERNELS_H

#include "cli/cli.h"
#include "softwave/object.h"

// Up to `most` kernels with signature, registers, memory and occupancy: those that `name` means, or all when
// it is NULL or means none.
void kernels_list(struct text *t, const sw_object *object, const char *name, size_t most);
// The kernel that `name` means, or the only one when it is NULL; NULL after a message with the list.
const sw_kernel *kernels_find(const sw_object *object, const char *name, const char *file);

#endif
