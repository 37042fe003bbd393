// SPDX-License-Identifier: MIT
// MD5 (RFC 1321): compressed offload bundles carry half of one to recognise their contents.
#ifndef BASE_MD5_H
#define BASE_MD5_H

#include <stddef.h>
#include <stdint.h>

void md5(const void *bytes, size_t length, uint8_t digest[16]);

#endif
