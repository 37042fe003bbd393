// SPDX-License-Identifier: MIT
// Elements of matrices, as the instructions of all generations have them: as F32 bits or integers.
#ifndef EXEC_BODY_ELEMENT_H
#define EXEC_BODY_ELEMENT_H

#include "exec/body/body.h"
#include "exec/body/flags.h"
#include "exec/body/float.h"

enum element {
    E_F32,
    E_XF32,
    E_F16,
    E_BF16,
    E_FP8,
    E_BF8,
    E_F8F6F4,
    E_FP6,
    E_BF6,
    E_FP4,
    E_I8,
    E_IU8,
    E_IU4,
    E_I32,
    E_F64,
};
static const uint8_t element_width[] = {32, 32, 16, 16, 8, 8, 0, 6, 6, 4, 8, 8, 4, 32, 64};

INLINE bool is_constant(uint32_t offset) { return offset < WAVE_OFFSET(temp) || offset & OP_RELATIVE; }
// A short float without sign, as if its exponent were an F32's, then moved there; denormals come out right.
INLINE f32v moved_exponent(u32v sign, u32v magnitude, unsigned mantissa, int bias) {
    const u32v scale = splat32((uint32_t)(2 * 127 - bias) << 23); // 2 to the 127 - bias
    const f32v f = (f32v)(magnitude << (23 - mantissa)) * (f32v)scale;
    return (f32v)((u32v)f | sign << 31);
}
INLINE u32v unpacked(u32v x, unsigned kind, bool fnuz, bool is_signed, bool flush) {
    switch (kind) {
    case E_F32: return flush ? (u32v)flush32((f32v)x) : x;
    case E_XF32: { // ten bits of mantissa, nearest even
        if (flush) x = (u32v)flush32((f32v)x);
        const u32v r = (x + 0xfff + (x >> 13 & 1)) & ~0x1fffu;
        return select32((i32v)((x & 0x7f800000) == 0x7f800000), x, r);
    }
    case E_F16: return (u32v)from_f16(x);
    case E_BF16: return x << 16;
    case E_FP8: {
        const f32v f = moved_exponent(x >> 7, x & 127, 3, fnuz ? 8 : 7);
        const i32v nan = fnuz ? (i32v)(x == 128) : (i32v)((x & 127) == 127);
        return select32(nan, splat32(WIDENED_NAN32), (u32v)f);
    }
    case E_BF8: {
        const f32v f = moved_exponent(x >> 7, x & 127, 2, fnuz ? 16 : 15);
        if (fnuz) return select32((i32v)(x == 128), splat32(WIDENED_NAN32), (u32v)f);
        const u32v special =
            select32((i32v)((x & 3) != 0), splat32(WIDENED_NAN32), (x >> 7 << 31) | 0x7f800000);
        return select32((i32v)((x & 0x7c) == 0x7c), special, (u32v)f);
    }
    case E_FP6: return (u32v)moved_exponent(x >> 5, x & 31, 3, 1);
    case E_BF6: return (u32v)moved_exponent(x >> 5, x & 31, 2, 3);
    case E_FP4: return (u32v)moved_exponent(x >> 3, x & 7, 1, 1);
    case E_IU4: return is_signed ? (u32v)((i32v)(x << 28) >> 28) : x;
    default: return is_signed ? (u32v)((i32v)(x << 24) >> 24) : x;
    }
}
INLINE u32v to_bf16_nearest(u32v bits) {
    const u32v h = (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
    return select32(is_nan32((f32v)bits), (bits >> 16) | 0x40, h);
}

#endif
