// SPDX-License-Identifier: MIT
// Data formats: elements of memory, as buffers and textures hold them, to components of registers.
#ifndef TERASCALE_TEXEL_H
#define TERASCALE_TEXEL_H

#include <stdbool.h>
#include <stdint.h>

enum { TS_NUM_NORM, TS_NUM_INT, TS_NUM_SCALED };
enum { TS_COMP_UNSIGNED, TS_COMP_SIGNED, TS_COMP_BIASED };
enum { TS_ENDIAN_NONE, TS_ENDIAN_8IN16, TS_ENDIAN_8IN32, TS_ENDIAN_8IN64 };

// How elements become registers: what a fetch or a resource says.
struct ts_conversion {
    uint8_t format; // DATA_FORMAT
    uint8_t number; // TS_NUM_*
    uint8_t comp[4];
    uint8_t endian;
    bool no_zero; // SRF_MODE: signed norms have no zero
    bool degamma; // sRGB
};

// An element: a texel, or a block of some in one format. bytes 0: the format is not executed.
struct ts_element {
    uint8_t bytes, width, height, components;
};
struct ts_element ts_element_of(unsigned format);
// Why the conversion cannot be executed, or NULL. `wide`: the family swaps bytes in 64 bits (else AUTO).
const char *ts_conversion_problem(const struct ts_conversion *c, bool texture, bool wide);

// Texel x, y of an element, to four components; those that the format lacks are 0, 0, 0, 1.
void ts_convert(const struct ts_conversion *c, const uint8_t *element, unsigned x, unsigned y,
                uint32_t out[4]);
// Whether registers get integers; the 1 of selectors then is one.
bool ts_gives_integers(const struct ts_conversion *c);
uint32_t ts_one(const struct ts_conversion *c);

#endif
