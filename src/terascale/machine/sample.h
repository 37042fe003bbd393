// SPDX-License-Identifier: MIT
// Texels of a texture for one lane: loaded, gathered, filtered.
#ifndef TERASCALE_SAMPLE_H
#define TERASCALE_SAMPLE_H

#include "terascale/machine/machine.h"
#include "terascale/machine/surface.h"

struct ts_sampling {
    struct ts_machine *m;
    const struct ts_texture *texture;
    const struct ts_sampler *sampler;
    bool texels[3];   // coordinates that count texels, instead of going from 0 to 1
    double offset[3]; // in texels
    bool compares;
};

// Each stops the run and returns false where a texel lies outside of memory, or what is asked is not known.
// Results are components of the format, before the selectors of the resource.
bool ts_sample(const struct ts_sampling *x, unsigned lane, const double at[3], double lod, double reference,
               uint32_t out[4]);
// One component (after the resource's selectors) of the four texels that a bilinear filter would take:
// (0, 0), (1, 0), (0, 1), (1, 1).
bool ts_gather(const struct ts_sampling *x, unsigned lane, const double at[3], unsigned component,
               double reference, uint32_t out[4]);
// The texel at integers; outside of the texture 0.
bool ts_load(const struct ts_sampling *x, unsigned lane, const int64_t at[3], int64_t level, uint32_t out[4]);
// What the resource's selectors make of components.
void ts_select(const struct ts_texture *t, const uint32_t in[4], uint32_t out[4]);
// The LOD that is used: with the sampler's bias before, within its limits after.
double ts_clamp_lod(const struct ts_sampling *x, double lod);

#endif
