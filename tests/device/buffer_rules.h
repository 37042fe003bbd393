// SPDX-License-Identifier: MIT
// Buffer descriptors of every generation, where an element lies and whether it is in range, as the manuals
// say it (ERR-30 where they contradict themselves); for tests.
#ifndef TESTS_BUFFER_RULES_H
#define TESTS_BUFFER_RULES_H

#include <stdbool.h>
#include <stdint.h>

#include "target/target.h"

// What a descriptor says, before it is laid out.
struct buffer {
    enum srd_kind kind;
    uint64_t base;
    uint32_t stride, records, index_stride, element;
    bool swizzled, add_tid;
    unsigned oob;        // GFX10+
    bool unbound;        // format INVALID
    bool soffset_counts; // against the size of a raw buffer
};
static inline unsigned log2_of(uint32_t v) { return 31u - (unsigned)__builtin_clz(v); }
static inline void lay_out(const struct buffer *b, uint32_t word[4]) {
    word[0] = (uint32_t)b->base;
    word[1] = (uint32_t)(b->base >> 32) | (b->stride & 0x3fff) << 16;
    word[2] = b->records;
    word[3] = (log2_of(b->index_stride) - 3) << 21 | (uint32_t)b->add_tid << 23;
    if (b->kind < SRD_GFX11)
        word[1] |= (uint32_t)b->swizzled << 31;
    else if (b->swizzled)
        word[1] |= (b->element == 16 ? 3u : b->element == 8 ? 2u : 1u) << 30;
    if (b->kind <= SRD_GFX8) word[3] |= (log2_of(b->element) - 1) << 19;
    if (b->kind == SRD_GFX8 || b->kind == SRD_GFX9) word[3] |= b->add_tid ? b->stride >> 14 << 15 : 0;
    if (b->kind >= SRD_GFX10) word[3] |= b->oob << 28;
    if (b->unbound) return;
    if (b->kind >= SRD_GFX10)
        word[3] |= 20 << 12; // 32_UINT
    else if (!b->add_tid || b->kind == SRD_GFX6)
        word[3] |= 4 << 15; // 32
}
// Where dword c of an element is, and whether it may be touched: RDNA3 9.4, RDNA4 9.4.2, RDNA1 and RDNA2
// 8.1.5, Vega 8.1.5, CDNA2 with soffset (ERR-30); GFX8 in bytes unless swizzled, GFX6 in records wherever
// there is a stride.
static inline bool locate(const struct buffer *b, bool idxen, bool whole, uint32_t index, uint64_t offset,
                          uint32_t soffset, unsigned size, unsigned c, uint64_t *at) {
    const unsigned step = size < 4 ? size : 4;
    const bool unchecked =
        b->kind == SRD_GFX9 ? b->add_tid && !idxen : b->kind > SRD_GFX9 && b->oob == 2 && b->records;
    if (b->swizzled && unchecked) offset = (uint32_t)offset; // TRAP-464
    const uint64_t linear = (uint64_t)index * b->stride + offset;
    uint64_t buffer_offset = linear + soffset + 4 * c;
    if (b->swizzled) { // BUF-47, BUF-48; in RDNA4 soffset is a part of it (BUF-75)
        uint64_t o = offset;
        if (b->kind == SRD_GFX12) offset = o = (uint32_t)(offset + soffset);
        o = o / step * step + 4 * c;
        buffer_offset = ((uint64_t)(index / b->index_stride) * b->stride + o / b->element * b->element) *
                            b->index_stride +
                        index % b->index_stride * b->element + o % b->element +
                        (b->kind == SRD_GFX12 ? 0 : soffset);
    }
    *at = b->base + buffer_offset;
    if (size >= 4 && whole) *at &= ~3ull;        // TRAP-314
    if (b->unbound && !b->add_tid) return false; // BUF-58
    const uint32_t counted = b->soffset_counts ? soffset : 0;
    const uint64_t left = b->records > counted ? b->records - counted : 0;
    const bool index_in = index < b->records;
    const uint64_t end = offset + 4 * c + step; // with the payload
    switch (b->kind) {
    case SRD_GFX6:
        if (b->swizzled && b->add_tid) return true;
        return b->stride ? index_in : linear + 4 * c + step <= b->records;
    case SRD_GFX8:
        if (b->swizzled && b->add_tid) return true;
        return b->stride && b->swizzled ? index_in : linear + 4 * c + step <= left;
    case SRD_GFX9:
        if (b->add_tid && !idxen) return true;
        return b->stride && idxen ? index_in : linear + 4 * c < left;
    default:
        switch (b->oob) {
        case 0: return index_in && (b->kind == SRD_GFX10 ? offset + 4 * c < b->stride : end <= b->stride);
        case 1: return index_in;
        case 2: return b->records != 0;
        default:
            if (b->swizzled && b->stride) return index_in && end <= b->stride;
            return linear + 4 * c + step <= left;
        }
    }
}

#endif
