// SPDX-License-Identifier: MIT
// Blocks of 4 by 4 texels: BC1 to BC5, and the way to BC6 and BC7.
#include "base/bytes.h"
#include "texel/texel.h"

static void colour_565(unsigned v, float out[3]) {
    out[0] = (float)(v >> 11) / 31.0f;
    out[1] = (float)(v >> 5 & 63) / 63.0f;
    out[2] = (float)(v & 31) / 31.0f;
}

// Two colours and two between them; in BC1, when the first is not the greater, one between and black.
static void colours(const uint8_t *block, bool bc1, unsigned texel, float out[4]) {
    const unsigned first = block[0] | block[1] << 8, second = block[2] | block[3] << 8;
    const unsigned index = block[4 + texel / 4] >> 2 * (texel & 3) & 3;
    float a[3], b[3];
    colour_565(first, a);
    colour_565(second, b);
    const bool four = !bc1 || first > second;
    for (unsigned i = 0; i < 3; i++) {
        if (index < 2)
            out[i] = index ? b[i] : a[i];
        else if (four)
            out[i] = index == 2 ? (2 * a[i] + b[i]) / 3 : (a[i] + 2 * b[i]) / 3;
        else
            out[i] = index == 2 ? (a[i] + b[i]) / 2 : 0;
    }
    out[3] = !four && index == 3 ? 0.0f : 1.0f;
}

static float norm8(uint8_t v, bool sign) {
    if (!sign) return (float)v / 255.0f;
    return (int8_t)v == -128 ? -1.0f : (float)(int8_t)v / 127.0f;
}

// Two values and six between them; when the first is not the greater, four and the ends of the range.
static float ramp(const uint8_t *block, bool sign, unsigned texel) {
    const float a = norm8(block[0], sign), b = norm8(block[1], sign);
    uint64_t indexes = 0;
    for (unsigned i = 0; i < 6; i++) indexes |= (uint64_t)block[2 + i] << 8 * i;
    const unsigned index = (unsigned)(indexes >> 3 * texel & 7);
    const bool eight = sign ? (int8_t)block[0] > (int8_t)block[1] : block[0] > block[1];
    if (index < 2) return index ? b : a;
    if (eight) return ((float)(8 - index) * a + (float)(index - 1) * b) / 7;
    if (index < 6) return ((float)(6 - index) * a + (float)(index - 1) * b) / 5;
    return index == 7 ? 1.0f : sign ? -1.0f : 0.0f;
}

void texel_load_block(enum texel_layout_id id, bool sign, const uint8_t *block, unsigned x, unsigned y,
                      float out[4]) {
    const unsigned texel = 4 * (y & 3) + (x & 3);
    switch (id) {
    case LAYOUT_BC1: colours(block, true, texel, out); return;
    case LAYOUT_BC2:
        colours(block + 8, false, texel, out);
        out[3] = (float)(block[texel / 2] >> 4 * (texel & 1) & 15) / 15.0f;
        return;
    case LAYOUT_BC3:
        colours(block + 8, false, texel, out);
        out[3] = ramp(block, false, texel);
        return;
    case LAYOUT_BC4: out[0] = ramp(block, sign, texel); return;
    case LAYOUT_BC6: texel_load_bc6(block, sign, texel, out); return;
    case LAYOUT_BC7: texel_load_bc7(block, texel, out); return;
    default: out[0] = ramp(block, sign, texel); out[1] = ramp(block + 8, sign, texel);
    }
}
