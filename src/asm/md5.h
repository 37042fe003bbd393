// SPDX-License-Identifier: MIT
// MD5 of a text, by which DWARF 5 lets a debugger see that a source file has not changed.
#ifndef ASM_MD5_H
#define ASM_MD5_H

#include <stddef.h>
#include <stdint.h>

void md5(const void *data, size_t size, uint8_t out[16]);

#endif
