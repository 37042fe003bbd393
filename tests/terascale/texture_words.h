// SPDX-License-Identifier: MIT
// Resources and samplers as the words that each family has for them.
#ifndef TESTS_TEXTURE_WORDS_H
#define TESTS_TEXTURE_WORDS_H

#include <stdbool.h>
#include <stdint.h>

#include "softwave/terascale.h"

enum { SETTINGS = 256 };
static sw_terascale_setting settings[SETTINGS];
static unsigned setting_count;

static void set(uint32_t reg, uint32_t value) {
    settings[setting_count++] = (sw_terascale_setting){reg, value};
}

struct texture {
    unsigned dim, tiling, width, height, depth, pitch, format, number, comp, degamma, levels, base_level,
        first_slice, last_slice;
    bool depth_order, no_zero;
    uint32_t address, mips;
    unsigned endian;
    unsigned sel[4];
};
struct sampler {
    unsigned clamp[3], magnify, minify, z, mip, border, compare;
    double min_lod, max_lod, bias;
};

// Numbers of a stage's first resource and sampler.
struct place {
    bool newer;
    unsigned resource, sampler;
};

static inline void set_texture(struct place p, unsigned id, const struct texture *t) {
    const uint32_t n = p.resource + id, at = p.newer ? 0x30000 + 32 * n : 0x38000 + 28 * n;
    const uint32_t w4 = t->comp | t->comp << 2 | t->comp << 4 | t->comp << 6 | t->number << 8 |
                        (uint32_t)t->no_zero << 10 | t->degamma << 11 | t->endian << 12 | t->sel[0] << 16 |
                        t->sel[1] << 19 | t->sel[2] << 22 | t->sel[3] << 25 | t->base_level << 28;
    const uint32_t w5 = (t->levels - 1) | t->first_slice << 4 | t->last_slice << 17;
    if (p.newer) {
        set(at, t->dim | (uint32_t)t->depth_order << 5 | (t->pitch / 8 - 1) << 6 | (t->width - 1) << 18);
        set(at + 4, (t->height - 1) | (t->depth - 1) << 14 | t->tiling << 28);
        set(at + 28, t->format | 2u << 30);
    } else {
        set(at, t->dim | t->tiling << 3 | (uint32_t)t->depth_order << 7 | (t->pitch / 8 - 1) << 8 |
                    (t->width - 1) << 19);
        set(at + 4, (t->height - 1) | (t->depth - 1) << 13 | t->format << 26);
        set(at + 24, 2u << 30);
    }
    set(at + 8, t->address >> 8);
    set(at + 12, t->mips >> 8);
    set(at + 16, w4);
    set(at + 20, w5);
}

static inline uint32_t fixed(double v, unsigned fraction, unsigned width) {
    return (uint32_t)(int32_t)(v * (1 << fraction)) & ((1u << width) - 1);
}

static inline void set_sampler(struct place p, unsigned id, const struct sampler *s) {
    const uint32_t at = 0x3c000 + 12 * (p.sampler + id),
                   clamp = s->clamp[0] | s->clamp[1] << 3 | s->clamp[2] << 6;
    if (p.newer) {
        set(at, clamp | s->magnify << 9 | s->minify << 11 | s->z << 13 | s->mip << 15 | s->border << 20 |
                    s->compare << 22);
        set(at + 4, fixed(s->min_lod, 8, 12) | fixed(s->max_lod, 8, 12) << 12);
        set(at + 8, fixed(s->bias, 8, 14) | 1u << 29); // without cube wrap
    } else {
        set(at, clamp | s->magnify << 9 | s->minify << 12 | s->z << 15 | s->mip << 17 | s->border << 22 |
                    s->compare << 26);
        set(at + 4, fixed(s->min_lod, 6, 10) | fixed(s->max_lod, 6, 10) << 10 | fixed(s->bias, 6, 12) << 20);
        set(at + 8, 0);
    }
}

#endif
