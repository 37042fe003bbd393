// SPDX-License-Identifier: MIT
#ifndef CLI_PNG_H
#define CLI_PNG_H

#include "base/text.h"

// Appends a PNG file of `width` times `height` pixels, three bytes each, rows from the top.
void png_add(struct text *t, const uint8_t *rgb, uint32_t width, uint32_t height);

#endif
