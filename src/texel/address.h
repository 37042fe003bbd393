// SPDX-License-Identifier: MIT
// Places of texels. Private to src/texel.
#ifndef TEXEL_ADDRESS_H
#define TEXEL_ADDRESS_H

#include "texel/surface.h"

// The format of a surface and what follows from it.
void texel_surface_format(struct texel_surface *s, struct texel_format f);
// Finds the equation of a tiled surface. Returns NULL, or why its texels have no addresses.
const char *texel_tiling_problem(struct texel_surface *s);

#endif
