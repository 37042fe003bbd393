// SPDX-License-Identifier: MIT
// Texels: how elements of buffers, images and textures lie in memory, and how they become components of
// registers and back. GCN and the R600 family share the layouts and the conversions; each has its own numbers
// for them.
//
// A layout says which bits are a component, a number says what the bits mean. Conversions expect the host to
// round to nearest and to keep denormals. F32 to shorter floats truncates whatever the host does (BUF-20,
// ERR-31).
#ifndef TEXEL_TEXEL_H
#define TEXEL_TEXEL_H

#include <stdbool.h>
#include <stdint.h>

enum texel_kind {
    TEXEL_NONE,
    TEXEL_COMPONENTS, // each is a field of bits
    TEXEL_DEPTH,      // a float, and a stencil that is no colour
    TEXEL_SHARED,     // floats with one exponent, in the highest five bits
    TEXEL_PAIR,       // two texels that share red and blue
    TEXEL_BLOCK,      // 4 by 4 texels, compressed
};
enum texel_layout_id {
#define LAYOUT(name, kind, bits, bytes, width, height) LAYOUT_##name,
#include "texel/layouts.def"
#undef LAYOUT
    LAYOUTS
};
struct texel_layout {
    uint8_t kind, components;
    uint8_t bits[4];
    uint8_t bytes, width, height;
};
extern const struct texel_layout texel_layouts[LAYOUTS];

enum texel_number { // the first eight as GFX6 to GFX8 number them
    NUMBER_UNORM,
    NUMBER_SNORM,
    NUMBER_USCALED,
    NUMBER_SSCALED,
    NUMBER_UINT,
    NUMBER_SINT,
    NUMBER_SNORM_OGL, // signed, without a zero
    NUMBER_FLOAT,
    NUMBER_SRGB,
};
static inline bool number_is_int(unsigned number) { return number == NUMBER_UINT || number == NUMBER_SINT; }

struct texel_format {
    uint8_t layout, number; // LAYOUT_INVALID: there is no such format
};
// The formats of buffers by their unified number, as GFX10 has them, and GFX11, which has fewer. Images have
// more (surface.h).
struct texel_format texel_unified(unsigned number, bool gfx11);

double texel_linear_of_srgb(double s);
// One component as a register holds it: an integer, or F32, or, if `half`, F16.
uint32_t texel_load_component(uint32_t raw, unsigned bits, unsigned number, bool half);
// The other way. The register holds an integer or F32, or F16 or a 16-bit integer if `half`.
uint32_t texel_store_component(uint32_t value, unsigned bits, unsigned number, bool half);

// Texel x, y of an element. `numbers`: one for each component. Components that the layout lacks are left
// alone.
void texel_load(const struct texel_layout *l, const uint8_t numbers[4], bool half, const uint8_t *element,
                unsigned x, unsigned y, uint32_t out[4]);
// An element of LAYOUT_8 to LAYOUT_32_32_32_32.
void texel_store(const struct texel_layout *l, unsigned number, bool half, const uint32_t in[4],
                 uint8_t *element);

// ---- Blocks: components of texel x, y as floats; `sign` of BC4, BC5 and BC6 ----
void texel_load_block(enum texel_layout_id id, bool sign, const uint8_t *block, unsigned x, unsigned y,
                      float out[4]);
void texel_load_bc6(const uint8_t *block, bool sign, unsigned texel, float out[4]);
void texel_load_bc7(const uint8_t *block, unsigned texel, float out[4]);

#endif
