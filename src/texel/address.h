// SPDX-License-Identifier: MIT
// Places of texels. Private to src/texel.
#ifndef TEXEL_ADDRESS_H
#define TEXEL_ADDRESS_H

#include "texel/surface.h"

// Finds the equation of a tiled surface. Returns NULL, or why its texels have no addresses.
const char *texel_tiling_problem(struct texel_surface *s);

#endif
