// SPDX-License-Identifier: MIT
// One image instruction on one wave: its registers are set before it and read behind it. Resources and
// samplers are written here bit by bit from the manuals' tables, for each layout that processors have; images
// are linear, so what lies where is plain.
#ifndef TESTS_IMAGE_RIG_H
#define TESTS_IMAGE_RIG_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "rig.h"

enum { IMG_REGISTERS = 64, IMG_MEMORY = 1 << 20 };

enum layout { L_GFX6, L_GFX9, L_GFX10, L_GFX10_3, L_GFX11, L_GFX12 };
static const struct machine_kind {
    const char *name;
    enum layout layout;
    bool wave32, apart; // apart: 16-bit components have a register each
    unsigned pitch;     // bytes by which rows are aligned
    bool few;           // has loads, stores, atomics and image_sample alone
    bool no_list;       // the registers of a ray follow each other
} machines[] = {
    {"gfx600", L_GFX6, false, false, 256},  {"gfx803", L_GFX6, false, true, 256},
    {"gfx900", L_GFX9, false, false, 256},  {"gfx90a", L_GFX9, false, false, 256, true},
    {"gfx1010", L_GFX10, true, false, 256}, {"gfx1030", L_GFX10_3, true, false, 256},
    {"gfx1100", L_GFX11, true, false, 256}, {"gfx1200", L_GFX12, true, false, 128},
};
enum { MACHINES = sizeof machines / sizeof *machines };

// ---- Formats: data and number format of GFX6 to GFX9; one number of GFX10, and of GFX11 and later ----
struct pixel {
    const char *name;
    unsigned data, number, gfx10, gfx11, bytes;
};
enum pixel_name {
    P_R8,
    P_RGBA8,
    P_RGBA8UI,
    P_RGBA8SI,
    P_R32UI,
    P_R32F,
    P_RG32UI,
    P_RGBA16F,
    P_RGBA32F,
    P_RGB10A2,
    P_565,
    P_RG16SN,
    P_SRGB8,
    P_RGBA32UI
};
static const struct pixel pixels[] = {
    [P_R8] = {"8_unorm", 1, 0, 1, 1, 1},
    [P_RGBA8] = {"8_8_8_8_unorm", 10, 0, 56, 42, 4},
    [P_RGBA8UI] = {"8_8_8_8_uint", 10, 4, 60, 46, 4},
    [P_RGBA8SI] = {"8_8_8_8_sint", 10, 5, 61, 47, 4},
    [P_R32UI] = {"32_uint", 4, 4, 20, 20, 4},
    [P_R32F] = {"32_float", 4, 7, 22, 22, 4},
    [P_RG32UI] = {"32_32_uint", 11, 4, 62, 48, 8},
    [P_RGBA16F] = {"16_16_16_16_float", 12, 7, 71, 57, 8},
    [P_RGBA32F] = {"32_32_32_32_float", 14, 7, 77, 63, 16},
    [P_RGB10A2] = {"2_10_10_10_unorm", 9, 0, 50, 36, 4},
    [P_565] = {"5_6_5_unorm", 16, 0, 133, 68, 2},
    [P_RG16SN] = {"16_16_snorm", 5, 1, 24, 24, 4},
    [P_SRGB8] = {"8_8_8_8_srgb", 10, 9, 130, 66, 4},
    [P_RGBA32UI] = {"32_32_32_32_uint", 14, 4, 75, 61, 16},
};
enum { PIXELS = sizeof pixels / sizeof *pixels };

enum { TYPE_1D = 8, TYPE_2D, TYPE_3D, TYPE_CUBE, TYPE_1D_ARRAY, TYPE_2D_ARRAY };

struct picture_facts {
    enum pixel_name pixel;
    unsigned type, width, height, depth; // depth: slices of arrays, faces of cubes
    unsigned base_level, last_level, first_slice;
    uint16_t select; // 0: X Y Z W
};
static inline unsigned row_bytes(const struct machine_kind *m, const struct picture_facts *f) {
    const unsigned bytes = f->width * pixels[f->pixel].bytes;
    return (bytes + m->pitch - 1) / m->pitch * m->pitch;
}
// Of images of one level.
static inline size_t place_in(const struct machine_kind *m, const struct picture_facts *f, unsigned x,
                              unsigned y, unsigned z) {
    // Slices are as large as rows of whole 256 bytes make them, also where rows are shorter.
    const size_t slice = (size_t)f->height * ((f->width * pixels[f->pixel].bytes + 255) / 256 * 256);
    return z * slice + (size_t)y * row_bytes(m, f) + (size_t)x * pixels[f->pixel].bytes;
}

static inline void make_resource(const struct machine_kind *m, const struct picture_facts *f,
                                 const void *memory, uint32_t t[8]) {
    const uint64_t base = (uint64_t)(uintptr_t)memory;
    const struct pixel *p = &pixels[f->pixel];
    const unsigned select = f->select ? f->select : 4 | 5 << 3 | 6 << 6 | 7 << 9;
    const unsigned w = f->width - 1, h = f->height - 1, d = f->depth ? f->depth - 1 : 0;
    const unsigned pitch = row_bytes(m, f) / p->bytes - 1;
    const bool slices = f->type >= TYPE_CUBE;
    const unsigned last = slices ? f->first_slice + d : d;
    memset(t, 0, 32);
    t[0] = (uint32_t)(base >> 8);
    t[1] = (uint32_t)(base >> 40) & 255;
    t[3] = select | f->type << 28;
    switch (m->layout) {
    case L_GFX6:
        t[1] |= p->data << 20 | p->number << 26;
        t[2] = w | h << 14;
        t[3] |= f->base_level << 12 | f->last_level << 16 | 8 << 20; // tile mode 8: rows of texels
        t[4] = (f->type == TYPE_3D ? d : last) | pitch << 13;
        t[5] = f->first_slice | last << 13;
        break;
    case L_GFX9:
        t[1] |= p->data << 20 | p->number << 26;
        t[2] = w | h << 14;
        t[3] |= f->base_level << 12 | f->last_level << 16;
        t[4] = last | pitch << 13;
        t[5] = f->first_slice | f->last_level << 28;
        break;
    case L_GFX10:
    case L_GFX10_3:
        t[1] |= p->gfx10 << 20 | (w & 3) << 30;
        t[2] = w >> 2 | h << 14 | 1u << 31;
        t[3] |= f->base_level << 12 | f->last_level << 16;
        t[4] = last | f->first_slice << 16;
        t[5] = f->last_level << 4;
        break;
    case L_GFX11:
        t[1] |= p->gfx11 << 20 | f->last_level << 16 | (w & 3) << 30;
        t[2] = w >> 2 | h << 14;
        t[3] |= f->base_level << 12 | f->last_level << 16;
        t[4] = last | f->first_slice << 16;
        break;
    case L_GFX12:
        t[1] |= p->gfx11 << 17 | f->last_level << 12 | f->base_level << 25 | (w & 3) << 30;
        t[2] = w >> 2 | h << 14;
        t[3] |= f->last_level << 15;
        t[4] = last | f->first_slice << 16;
        break;
    }
}

struct sampler_facts {
    unsigned clamp[3], filter, z_filter, mip, compare, border, reduction, aniso;
    bool unnormalized;
    double bias, least, most;
};
static inline void make_sampler(const struct machine_kind *m, const struct sampler_facts *f, uint32_t s[4]) {
    const uint32_t bias = (uint32_t)(int32_t)lrint(f->bias * 256) & 0x3fff;
    const uint32_t least = (uint32_t)lrint(f->least * 256), most = (uint32_t)lrint(f->most * 256);
    memset(s, 0, 16);
    s[0] = f->clamp[0] | f->clamp[1] << 3 | f->clamp[2] << 6 | f->aniso << 9 | f->compare << 12 |
           (uint32_t)f->unnormalized << 15 | f->reduction << 29;
    s[1] = m->layout == L_GFX12 ? least | most << 13 : least | most << 12;
    s[2] = bias | f->filter << 20 | f->filter << 22 | f->z_filter << 24 | f->mip << 26;
    s[3] = f->border << 30;
}

// ---- Running ----

enum { T_AT = 8, S_AT = 16, MAX_CODE = 24 };
struct image_run {
    struct rig rig;
    const struct machine_kind *m;
    unsigned lanes;
    uint64_t exec;
    uint32_t t[8], s[4];
    uint32_t before[IMG_REGISTERS][64], after[IMG_REGISTERS][64];
    unsigned step;
    sw_fault fault;
    uint8_t *memory;
};

static inline void image_observe(void *context, const sw_step *step) {
    struct image_run *r = context;
    if (r->step++ == 0) {
        for (unsigned i = 0; i < 8; i++) *sw_step_register(step, T_AT + i) = r->t[i];
        for (unsigned i = 0; i < 4; i++) *sw_step_register(step, S_AT + i) = r->s[i];
        for (unsigned v = 0; v < IMG_REGISTERS; v++)
            memcpy(sw_step_register(step, 256 + v), r->before[v], 4 * step->lanes);
        *sw_step_register(step, 126) = (uint32_t)r->exec;
        *sw_step_register(step, 127) = (uint32_t)(r->exec >> 32);
        return;
    }
    for (unsigned v = 0; v < IMG_REGISTERS; v++)
        memcpy(r->after[v], sw_step_register(step, 256 + v), 4 * step->lanes);
}

// A device of this processor with memory for images.
static inline void image_open(struct image_run *r, const struct machine_kind *m) {
    memset(r, 0, sizeof *r);
    r->m = m;
    r->lanes = m->wave32 ? 32 : 64;
    sw_device_options o = {
        .size = sizeof o,
        .threads = 1,
        .hooks = &(sw_device_hooks){.size = sizeof(sw_device_hooks), .context = r, .observe = image_observe}};
    assert_int_equal(sw_target_parse(m->name, strlen(m->name), &o.target, NULL), SW_OK);
    assert_int_equal(sw_device_create(&o, &r->rig.device, NULL), SW_OK);
    r->memory = sw_device_alloc(r->rig.device, IMG_MEMORY);
    assert_non_null(r->memory);
    assert_int_equal((uintptr_t)r->memory % 256, 0);
}
static inline void image_close(struct image_run *r) { rig_close(&r->rig); }

// Runs one instruction: s[8:15] is the resource, s[16:19] the sampler.
static inline sw_status image_run(struct image_run *r, const char *instruction) {
    char code[512], text[2048];
    snprintf(code, sizeof code, "s_nop 0\n%s\ns_nop 0\ns_endpgm\n", instruction);
    char directives[256];
    snprintf(directives, sizeof directives, ".amdhsa_next_free_vgpr %u\n.amdhsa_next_free_sgpr 32\n%s",
             IMG_REGISTERS,
             r->m->few ? ".amdhsa_accum_offset 64\n"
             : r->m->layout >= L_GFX10
                 ? r->m->wave32 ? ".amdhsa_wavefront_size32 1\n" : ".amdhsa_wavefront_size32 0\n"
                 : "");
    assert_true(rig_text(text, sizeof text, code, directives));
    uint8_t *image;
    sw_object *object = rig_object(r->m->name, text, &image);
    if (!object) print_error("%s does not assemble for %s\n", instruction, r->m->name);
    assert_non_null(object);
    sw_executable *e;
    assert_int_equal(sw_device_load(r->rig.device, object, NULL, NULL, &e, NULL), SW_OK);
    const sw_dispatch q = rig_dispatch(object, e, "k", NULL, r->lanes, r->lanes);
    r->step = 0;
    memset(&r->fault, 0, sizeof r->fault);
    r->fault.size = sizeof r->fault;
    const sw_status status = sw_device_run(r->rig.device, &q, &r->fault, NULL, NULL);
    sw_device_unload(r->rig.device, e, NULL);
    sw_object_close(object);
    sw_free(image);
    return status;
}

static inline uint32_t bits_of(float f) {
    uint32_t v;
    memcpy(&v, &f, 4);
    return v;
}
static inline float float_of(uint32_t v) {
    float f;
    memcpy(&f, &v, 4);
    return f;
}
static uint64_t image_chance = 88172645463325252;
// IMAGE_SEED chooses other numbers.
__attribute__((constructor)) static void image_seed(void) {
    const char *seed = getenv("IMAGE_SEED");
    if (seed) image_chance ^= strtoull(seed, NULL, 0) * 0x9e3779b97f4a7c15;
}
static inline uint32_t image_random(void) {
    image_chance ^= image_chance << 13, image_chance ^= image_chance >> 7, image_chance ^= image_chance << 17;
    return (uint32_t)(image_chance >> 16);
}

#endif
