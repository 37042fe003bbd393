// SPDX-License-Identifier: MIT
// The image extension's table of functions.
#ifndef HSA_IMAGE_H
#define HSA_IMAGE_H

#include <stddef.h>

size_t image_table(void *table, size_t length); // bytes written, `length` at the most

#endif
