// SPDX-License-Identifier: MIT
// Program state: the registers that drivers write before a program runs. Resources, samplers, constants and
// what the stages are given lie in one space of addresses.
#ifndef TERASCALE_STATE_H
#define TERASCALE_STATE_H

#include "terascale/state/stage.h"
#include "terascale/body/texel.h"

enum {
    TS_STATE_FIRST = 0x8000,
    TS_STATE_END = 0x40000,
    TS_SAMPLERS = 18, // of each stage
    TS_REG_SEMANTIC = 0x28380,
    TS_REG_VTX_BASE = 0x3cff0,
    TS_REG_START_INST = 0x3cff4,
    TS_REG_TA_CNTL_AUX = 0x9508,
    TS_REG_CLEARTYPE = 0xaa00,
    TS_REG_PS_INPUT_CNTL = 0x28644,
    TS_REG_PS_IN_CONTROL = 0x286cc,
    TS_REG_BARYC_CNTL = 0x286e0,
};

// Whose resources, samplers and constants a program finds: its stage's.
enum ts_set { TS_SET_PS, TS_SET_VS, TS_SET_GS, TS_SET_HS, TS_SET_LS, TS_SET_CS, TS_SET_FS, TS_SETS };
enum ts_set ts_set_of(enum ts_family family, enum ts_stage stage);

struct ts_state {
    enum ts_family family;
    uint32_t value[(TS_STATE_END - TS_STATE_FIRST) / 4];
    // Evergreen and later have a border colour behind an index for each stage.
    uint32_t border[TS_SET_FS][32][4];
};

struct ts_state *ts_state_new(enum ts_family family); // NULL: out of memory
void ts_state_free(struct ts_state *s);
// Writes a register. False: there is none at this address.
bool ts_state_set(struct ts_state *s, uint32_t reg, uint32_t value);
static inline uint32_t ts_state_get(const struct ts_state *s, uint32_t reg) {
    return s->value[(reg - TS_STATE_FIRST) / 4];
}

// A register's name with its number, and the other way; the row has the fields. NULL: none.
const struct ts_register *ts_register_find(enum ts_family family, uint32_t reg, char name[64]);
const struct ts_register *ts_register_named(enum ts_family family, const char *name, size_t length,
                                            uint32_t *reg);

// ---- Resources ----

enum { TS_RESOURCE_TEXTURE = 2, TS_RESOURCE_BUFFER = 3 };

struct ts_vertex_resource {
    uint64_t address, size;
    uint32_t stride;
    bool clamp_to_nan;
    struct ts_conversion conversion;
    uint8_t sel[4];
};
enum ts_dim { TS_1D, TS_2D, TS_3D, TS_CUBE, TS_1D_ARRAY, TS_2D_ARRAY, TS_2D_MSAA, TS_2D_ARRAY_MSAA };
enum ts_tiling { TS_LINEAR_GENERAL, TS_LINEAR_ALIGNED, TS_1D_THIN };

struct ts_texture {
    enum ts_family family;
    enum ts_dim dim;
    unsigned tiling;
    bool depth_order;                     // of texels in a micro tile
    uint32_t pitch, width, height, depth; // texels
    uint64_t base, mips;
    struct ts_conversion conversion;
    uint8_t sel[4];
    uint32_t base_level, last_level, first_slice, last_slice;
    const char *problem; // that no fetch of it can do with, or NULL
};

// The number of a stage's resource in the whole file; -1: the file ends before it.
int ts_resource_number(enum ts_family family, enum ts_set set, uint32_t id);
unsigned ts_resource_type(const struct ts_state *s, unsigned number);
void ts_vertex_resource_of(const struct ts_state *s, unsigned number, struct ts_vertex_resource *out);
void ts_texture_of(const struct ts_state *s, unsigned number, struct ts_texture *out);

// ---- Samplers ----

enum ts_xy_filter { TS_POINT, TS_BILINEAR };
enum ts_between { TS_STEP_NONE, TS_STEP_POINT, TS_STEP_LINEAR }; // along Z, between levels

struct ts_sampler {
    uint8_t clamp[3];
    enum ts_xy_filter magnify, minify;
    enum ts_between z, mip;
    double min_lod, max_lod, bias;
    unsigned compare;
    bool degamma, cube_wrap;
    uint32_t border[4];
    bool border_is_register; // else border holds floats 0.0 and 1.0
    const char *problem;
};
void ts_sampler_of(const struct ts_state *s, enum ts_set set, unsigned id, struct ts_sampler *out);

#endif
