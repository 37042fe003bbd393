// SPDX-License-Identifier: MIT
// Blocks of 4 by 4 texels with partitions: BC7 and BC6. A block is divided into up to three subsets of
// texels, each with two colours; an index tells each texel its place between them.
#include <math.h>
#include <string.h>

#include "base/bytes.h"
#include "texel/half.h"
#include "texel/texel.h"

// Subsets of the 64 partitions, two bits a texel from texel 0 up.
static const uint32_t two_subsets[64] = {
    0x50505050, 0x40404040, 0x54545454, 0x54505040, 0x50404000, 0x55545450, 0x55545040, 0x54504000,
    0x50400000, 0x55555450, 0x55544000, 0x54400000, 0x55555440, 0x55550000, 0x55555500, 0x55000000,
    0x55150100, 0x00004054, 0x15010000, 0x00405054, 0x00004050, 0x15050100, 0x05010000, 0x40505054,
    0x00404050, 0x05010100, 0x14141414, 0x05141450, 0x01155440, 0x00555500, 0x15014054, 0x05414150,
    0x44444444, 0x55005500, 0x11441144, 0x05055050, 0x05500550, 0x11114444, 0x41144114, 0x44111144,
    0x15055054, 0x01055040, 0x05041050, 0x05455150, 0x14414114, 0x50050550, 0x41411414, 0x00141400,
    0x00041504, 0x00105410, 0x10541000, 0x04150400, 0x50410514, 0x41051450, 0x05415014, 0x14054150,
    0x41050514, 0x41505014, 0x40011554, 0x54150140, 0x50505500, 0x00555050, 0x15151010, 0x54540404,
};
static const uint32_t three_subsets[64] = {
    0xaa685050, 0x6a5a5040, 0x5a5a4200, 0x5450a0a8, 0xa5a50000, 0xa0a05050, 0x5555a0a0, 0x5a5a5050,
    0xaa550000, 0xaa555500, 0xaaaa5500, 0x90909090, 0x94949494, 0xa4a4a4a4, 0xa9a59450, 0x2a0a4250,
    0xa5945040, 0x0a425054, 0xa5a5a500, 0x55a0a0a0, 0xa8a85454, 0x6a6a4040, 0xa4a45000, 0x1a1a0500,
    0x0050a4a4, 0xaaa59090, 0x14696914, 0x69691400, 0xa08585a0, 0xaa821414, 0x50a4a450, 0x6a5a0200,
    0xa9a58000, 0x5090a0a8, 0xa8a09050, 0x24242424, 0x00aa5500, 0x24924924, 0x24499224, 0x50a50a50,
    0x500aa550, 0xaaaa4444, 0x66660000, 0xa5a0a5a0, 0x50a050a0, 0x69286928, 0x44aaaa44, 0x66666600,
    0xaa444444, 0x54a854a8, 0x95809580, 0x96969600, 0xa85454a8, 0x80959580, 0xaa141414, 0x96960000,
    0xaaaa1414, 0xa05050a0, 0xa0a5a5a0, 0x96000000, 0x40804080, 0xa9a8a9a8, 0xaaaaaa44, 0x2a4a5254,
};
// The texel of each further subset whose index has one bit less; of the first subset it is texel 0.
static const char anchors[3][65] = {"fffffffffffffffff282288f28228822ff6828ff28222ff66268ff22fffff22f",
                                    "33ff83ff88666533338f336a588685ff8f356a8ff3f5ffff3f55585a5a8dfc33",
                                    "f883ff38fffffff8f8f3f8f83f6affa8f3faa89a6f8f3668f3ffffffffff3ff8"};
static const uint8_t weights[3][16] = {
    {0, 21, 43, 64},
    {0, 9, 18, 27, 37, 46, 55, 64},
    {0, 4, 9, 13, 17, 21, 26, 30, 34, 38, 43, 47, 51, 55, 60, 64},
};

// ---- Bits from the lowest up ----

struct reader {
    const uint8_t *block;
    unsigned at;
};
static unsigned bit_at(const uint8_t *block, unsigned at) { return block[at / 8 & 15] >> (at & 7) & 1; }
static unsigned take(struct reader *r, unsigned n) {
    unsigned v = 0;
    for (unsigned i = 0; i < n; i++) v |= bit_at(r->block, r->at++) << i;
    return v;
}

// ---- Partitions and indexes ----

static unsigned subset_of(unsigned subsets, unsigned partition, unsigned texel) {
    if (subsets == 1) return 0;
    return (subsets == 2 ? two_subsets : three_subsets)[partition] >> 2 * texel & 3;
}

static bool is_anchor(unsigned subsets, unsigned partition, unsigned texel) {
    static const char digits[] = "0123456789abcdef";
    if (!texel) return true;
    if (subsets == 2) return digits[texel] == anchors[0][partition];
    return subsets == 3 && (digits[texel] == anchors[1][partition] || digits[texel] == anchors[2][partition]);
}

// The index of a texel: those before it come first, anchors have a bit less.
static unsigned index_of(struct reader *r, unsigned subsets, unsigned partition, unsigned texel,
                         unsigned size) {
    unsigned v = 0;
    for (unsigned i = 0; i < 16; i++) {
        const unsigned taken = take(r, size - is_anchor(subsets, partition, i));
        if (i == texel) v = taken;
    }
    return v;
}

static int between(int a, int b, unsigned index, unsigned size) {
    const int w = weights[size - 2][index];
    return ((64 - w) * a + w * b + 32) >> 6;
}

// ---- BC7 ----

struct mode7 {
    uint8_t subsets, partition, rotation, selects, colour, alpha, own, shared, index, second;
};
static const struct mode7 modes7[8] = {
    {3, 4, 0, 0, 4, 0, 1, 0, 3, 0}, {2, 6, 0, 0, 6, 0, 0, 1, 3, 0}, {3, 6, 0, 0, 5, 0, 0, 0, 2, 0},
    {2, 6, 0, 0, 7, 0, 1, 0, 2, 0}, {1, 0, 2, 1, 5, 6, 0, 0, 2, 3}, {1, 0, 2, 0, 7, 8, 0, 0, 2, 2},
    {1, 0, 0, 0, 7, 7, 1, 0, 4, 0}, {2, 6, 0, 0, 5, 5, 1, 0, 2, 0},
};

// The ends of all subsets in eight bits: 2 * subset, and the one behind it.
static void read_ends(struct reader *r, const struct mode7 *m, int ends[6][4]) {
    unsigned low[6] = {0};
    for (unsigned c = 0; c < 4; c++)
        for (unsigned i = 0; i < 2u * m->subsets; i++)
            ends[i][c] = (int)take(r, c < 3 ? m->colour : m->alpha);
    for (unsigned i = 0; i < 2u * m->subsets && m->own; i++) low[i] = take(r, 1);
    for (unsigned i = 0; i < m->subsets && m->shared; i++) low[2 * i] = low[2 * i + 1] = take(r, 1);
    for (unsigned i = 0; i < 2u * m->subsets; i++)
        for (unsigned c = 0; c < 4; c++) {
            unsigned size = c < 3 ? m->colour : m->alpha, v = (unsigned)ends[i][c];
            if (size && (m->own || m->shared)) v = v << 1 | low[i], size++;
            ends[i][c] = size ? (int)(v << (8 - size) | (size < 8 ? v >> (2 * size - 8) : 0)) : 255;
        }
}

void texel_load_bc7(const uint8_t *block, unsigned texel, float out[4]) {
    struct reader r = {block, 0};
    unsigned number = 0;
    while (number < 8 && !take(&r, 1)) number++;
    out[0] = out[1] = out[2] = out[3] = 0;
    if (number == 8) return; // no mode
    const struct mode7 *m = &modes7[number];
    const unsigned partition = take(&r, m->partition), rotation = take(&r, m->rotation),
                   selects = take(&r, m->selects);
    int ends[6][4];
    read_ends(&r, m, ends);
    const unsigned first = index_of(&r, m->subsets, partition, texel, m->index),
                   second = m->second ? index_of(&r, 1, 0, texel, m->second) : first;
    const unsigned sizes[2] = {m->index, m->second ? m->second : m->index};
    const int *a = ends[2 * subset_of(m->subsets, partition, texel)], *b = a + 4;
    for (unsigned c = 0; c < 4; c++) {
        const bool other = (c == 3) != selects;
        out[c] = (float)between(a[c], b[c], other ? second : first, sizes[other]) / 255.0f;
    }
    if (rotation) {
        const float alpha = out[3];
        out[3] = out[rotation - 1];
        out[rotation - 1] = alpha;
    }
}

// ---- BC6 ----

// Where the bits behind the mode's go, in order: channel, end (0 to 3), and a bit or a range of bits.
static const char *const layouts6[14] = {
    "g2:4 b2:4 b3:4 r0:9-0 g0:9-0 b0:9-0 r1:4-0 g3:4 g2:3-0 g1:4-0 b3:0 g3:3-0 b1:4-0 b3:1 b2:3-0 r2:4-0 "
    "b3:2 r3:4-0 b3:3",
    "g2:5 g3:4 g3:5 r0:6-0 b3:0 b3:1 b2:4 g0:6-0 b2:5 b3:2 g2:4 b0:6-0 b3:3 b3:5 b3:4 r1:5-0 g2:3-0 g1:5-0 "
    "g3:3-0 b1:5-0 "
    "b2:3-0 r2:5-0 r3:5-0",
    "r0:9-0 g0:9-0 b0:9-0 r1:4-0 r0:10 g2:3-0 g1:3-0 g0:10 b3:0 g3:3-0 b1:3-0 b0:10 b3:1 b2:3-0 r2:4-0 b3:2 "
    "r3:4-0 b3:3",
    "r0:9-0 g0:9-0 b0:9-0 r1:3-0 r0:10 g3:4 g2:3-0 g1:4-0 g0:10 g3:3-0 b1:3-0 b0:10 b3:1 b2:3-0 r2:3-0 b3:0 "
    "b3:2 r3:3-0 "
    "g2:4 b3:3",
    "r0:9-0 g0:9-0 b0:9-0 r1:3-0 r0:10 b2:4 g2:3-0 g1:3-0 g0:10 b3:0 g3:3-0 b1:4-0 b0:10 b2:3-0 r2:3-0 b3:1 "
    "b3:2 r3:3-0 "
    "b3:4 b3:3",
    "r0:8-0 b2:4 g0:8-0 g2:4 b0:8-0 b3:4 r1:4-0 g3:4 g2:3-0 g1:4-0 b3:0 g3:3-0 b1:4-0 b3:1 b2:3-0 r2:4-0 "
    "b3:2 r3:4-0 b3:3",
    "r0:7-0 g3:4 b2:4 g0:7-0 b3:2 g2:4 b0:7-0 b3:3 b3:4 r1:5-0 g2:3-0 g1:4-0 b3:0 g3:3-0 b1:4-0 b3:1 b2:3-0 "
    "r2:5-0 r3:5-0",
    "r0:7-0 b3:0 b2:4 g0:7-0 g2:5 g2:4 b0:7-0 g3:5 b3:4 r1:4-0 g3:4 g2:3-0 g1:5-0 g3:3-0 b1:4-0 b3:1 b2:3-0 "
    "r2:4-0 b3:2 "
    "r3:4-0 b3:3",
    "r0:7-0 b3:1 b2:4 g0:7-0 b2:5 g2:4 b0:7-0 b3:5 b3:4 r1:4-0 g3:4 g2:3-0 g1:4-0 b3:0 g3:3-0 b1:5-0 b2:3-0 "
    "r2:4-0 b3:2 "
    "r3:4-0 b3:3",
    "r0:5-0 g3:4 b3:0 b3:1 b2:4 g0:5-0 g2:5 b2:5 b3:2 g2:4 b0:5-0 g3:5 b3:3 b3:5 b3:4 r1:5-0 g2:3-0 g1:5-0 "
    "g3:3-0 b1:5-0 "
    "b2:3-0 r2:5-0 r3:5-0",
    "r0:9-0 g0:9-0 b0:9-0 r1:9-0 g1:9-0 b1:9-0",
    "r0:9-0 g0:9-0 b0:9-0 r1:8-0 r0:10 g1:8-0 g0:10 b1:8-0 b0:10",
    "r0:9-0 g0:9-0 b0:9-0 r1:7-0 r0:10-11 g1:7-0 g0:10-11 b1:7-0 b0:10-11",
    "r0:9-0 g0:9-0 b0:9-0 r1:3-0 r0:10-15 g1:3-0 g0:10-15 b1:3-0 b0:10-15",
};
struct mode6 {
    uint8_t bits, size; // of the mode's number; of the first end
    uint8_t delta[3];   // of what the others differ by; 0: they do not differ, they are ends themselves
};
static const struct mode6 modes6[14] = {
    {0x00, 10, {5, 5, 5}}, {0x01, 7, {6, 6, 6}},  {0x02, 11, {5, 4, 4}}, {0x06, 11, {4, 5, 4}},
    {0x0a, 11, {4, 4, 5}}, {0x0e, 9, {5, 5, 5}},  {0x12, 8, {6, 5, 5}},  {0x16, 8, {5, 6, 5}},
    {0x1a, 8, {5, 5, 6}},  {0x1e, 6, {0, 0, 0}},  {0x03, 10, {0, 0, 0}}, {0x07, 11, {9, 9, 9}},
    {0x0b, 12, {8, 8, 8}}, {0x0f, 16, {4, 4, 4}},
};
enum { TWO_SUBSETS6 = 10 }; // modes before have two

static unsigned digits(const char **p) {
    unsigned v = 0;
    for (; **p >= '0' && **p <= '9'; ++*p) v = 10 * v + (unsigned)(**p - '0');
    return v;
}

// A range is written from its highest bit down, as the format's description has it; the lowest comes first,
// unless it is written the other way round.
static void read_ends6(struct reader *r, const char *layout, unsigned ends[4][3]) {
    for (const char *p = layout; *p; p += *p == ' ') {
        const unsigned c = *p == 'r' ? 0 : *p == 'g' ? 1 : 2, end = (unsigned)(p[1] - '0');
        p += 3;
        const unsigned from = digits(&p);
        unsigned to = from;
        if (*p == '-') p++, to = digits(&p);
        if (from >= to)
            for (unsigned i = to; i <= from; i++) ends[end][c] |= take(r, 1) << i;
        else
            for (unsigned i = to + 1; i-- > from;) ends[end][c] |= take(r, 1) << i;
    }
}

static int unquantized(int v, unsigned size, bool sign) {
    if (sign) {
        const int most = (1 << (size - 1)) - 1, size_of = v < 0 ? -v : v;
        if (size >= 16) return v;
        const int u = !size_of ? 0 : size_of >= most ? 0x7fff : ((size_of << 15) + 0x4000) >> (size - 1);
        return v < 0 ? -u : u;
    }
    if (size >= 15 || !v) return v;
    return v == (1 << size) - 1 ? 0xffff : ((v << 16) + 0x8000) >> size;
}

// 31/64 of the range, or with a sign 31/32, are the bits of a 16-bit float.
static float finished(int v, bool sign) {
    if (!sign) return of_half((uint16_t)((v * 31) >> 6));
    const int size = ((v < 0 ? -v : v) * 31) >> 5;
    return of_half((uint16_t)(size | (v < 0 ? 0x8000 : 0)));
}

void texel_load_bc6(const uint8_t *block, bool sign, unsigned texel, float out[4]) {
    struct reader r = {block, 0};
    unsigned bits = take(&r, 2), number = 0, ends[4][3] = {{0}};
    if (bits > 1) bits |= take(&r, 3) << 2;
    while (number < 14 && modes6[number].bits != bits) number++;
    out[0] = out[1] = out[2] = 0;
    out[3] = 1;
    if (number == 14) return; // reserved
    const struct mode6 *m = &modes6[number];
    const unsigned subsets = number < TWO_SUBSETS6 ? 2 : 1;
    read_ends6(&r, layouts6[number], ends);
    const unsigned partition = subsets == 2 ? take(&r, 5) : 0, size = subsets == 2 ? 3 : 4;
    const unsigned index = index_of(&r, subsets, partition, texel, size),
                   first = 2 * subset_of(subsets, partition, texel);
    for (unsigned c = 0; c < 3; c++) {
        int v[4];
        for (unsigned i = 0; i < 4; i++) {
            const unsigned own = i && m->delta[c] ? m->delta[c] : m->size;
            v[i] = (int)ends[i][c];
            if (sign || (i && m->delta[c])) v[i] = (int)sign_extend(ends[i][c], own);
            if (i && m->delta[c]) {
                const unsigned sum = (unsigned)(v[0] + v[i]) & ((1u << m->size) - 1);
                v[i] = sign ? (int)sign_extend(sum, m->size) : (int)sum;
            }
        }
        const int a = unquantized(v[first], m->size, sign), b = unquantized(v[first + 1], m->size, sign);
        out[c] = finished(between(a, b, index, size), sign);
    }
}
