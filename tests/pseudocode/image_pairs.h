// SPDX-License-Identifier: MIT
// Image rows of a processor as whole instructions, against the reference of images that the tests have:
// formats, filters, levels and address modes as Vulkan, OpenGL and the manuals state them
// (device/image_trials.h, image_sampled.h), on resources written bit by bit.
#ifndef TESTS_PSEUDOCODE_IMAGE_PAIRS_H
#define TESTS_PSEUDOCODE_IMAGE_PAIRS_H

#include "device/image_sampled.h"
#include "device/image_trials.h"
#include "device/ray_trials.h"
#include "row_runner.h"
#include "texel/surface.h"

static bool is_image_format(unsigned f) { return f == FMT_MIMG || f == FMT_VIMAGE || f == FMT_VSAMPLE; }
static bool has_row_named(const struct isa *isa, const char *id) {
    for (unsigned row = 0; row < isa_row_count; row++)
        if (has_row(isa, row) && !strcmp(row_id(&isa_rows[row]), id)) return true;
    return false;
}
static struct machine_kind image_machine(const sw_processor *p, const struct isa *isa, bool wave32) {
    const enum generation g = isa->generation;
    const enum layout layout = generation_within(g, GFX12)     ? L_GFX12
                               : generation_within(g, GFX11)   ? L_GFX11
                               : generation_within(g, GFX10_3) ? L_GFX10_3
                               : generation_within(g, GFX10)   ? L_GFX10
                               : generation_within(g, GFX9)    ? L_GFX9
                                                               : L_GFX6;
    return (struct machine_kind){.name = sw_processor_name(p),
                                 .layout = layout,
                                 .wave32 = wave32,
                                 .apart = generation_within(g, GFX8) && !isa->packed_d16,
                                 .pitch = layout == L_GFX12 ? 128 : 256,
                                 .few = !has_row_named(isa, "image_gather4")};
}
static bool try_sample_row(struct image_run *r, const char *name, bool levels) {
    struct sampling x = {.name = name,
                         .parts = parts_of(name),
                         .a16 = has_a16(r->m) && image_random() % 2,
                         .list = image_random() % 2};
    x.linear = image_random() % 2 || x.parts & P_GATHER;
    if (levels) {
        x.kind = 1;
        if (!(x.parts & P_GATHER))
            try_levels(r, &x, image_random() % 3 ? 0 : 0.25, image_random() % 3 ? 15 : 2.25);
        return true;
    }
    for (unsigned n = 0; n < 2;) {
        x.kind = image_random() % KINDS;
        if (can_sample(x.parts, x.kind)) try_places(r, &x), n++;
    }
    return true;
}
// One component of four samples of a texel, from the one that the address says on (RDNA3 10.1, RDNA4 10.1),
// or of up to four samples, the first component (RDNA2 12.17, opcode 128, and the name of LLVM's intrinsic:
// msaa.load.x). Where samples lie is for the encoder of resources and the equations to say, which
// test_texel_address has.
enum { MSAA_SIZE = 24, MSAA_MODE = 24, GFX12_MSAA_MODE = 3 };
static void try_msaa(struct image_run *r, const sw_processor *p, unsigned samples) {
    struct texel_surface f = {.kind = (uint8_t)fact(p, FACT_resource),
                              .dimension = SURFACE_2D_MSAA,
                              .base = (uint64_t)(uintptr_t)r->memory & ~0xffffull,
                              .bound = true,
                              .levels = 1,
                              .samples = (uint8_t)samples,
                              .layout = LAYOUT_32,
                              .number = NUMBER_UINT,
                              .select = {TEXEL_SELECT_0, TEXEL_SELECT_0, TEXEL_SELECT_0, TEXEL_SELECT_0},
                              .width = MSAA_SIZE,
                              .height = MSAA_SIZE,
                              .depth = 1};
    const bool up_to_four = r->m->layout < L_GFX11;
    const unsigned component = up_to_four ? 0 : image_random() % 4; // the only one that the texel gives
    f.select[component] = TEXEL_SELECT_X;
    f.base += 0x10000, f.tiling = r->m->layout == L_GFX12 ? GFX12_MSAA_MODE : MSAA_MODE;
    const char *why = texel_encode_resource(f.kind, &f, r->t);
    if (why || (why = texel_decode_resource(f.kind, r->t, false, &f))) fail_msg("%s: %s", r->m->name, why);
    char address[128], text[256];
    const unsigned mask = up_to_four ? 1 + image_random() % 15 : 1u << component,
                   count = (unsigned)__builtin_popcount(mask);
    unsigned place[13], x[64], y[64], first[64];
    address_text(r->m, 3, image_random() % 2, r->m->layout == L_GFX12, address, place);
    char data[32];
    registers_text(V_DATA, up_to_four ? count : 4, data);
    snprintf(text, sizeof text, "image_msaa_load %s, %s, s[%u:%u] dmask:0x%x dim:SQ_RSRC_IMG_2D_MSAA%s", data,
             address, T_AT, T_AT + 7, mask, r->m->layout == L_GFX12 ? "" : " unorm");
    randomize(r);
    for (unsigned l = 0; l < r->lanes; l++) {
        x[l] = image_random() % MSAA_SIZE, y[l] = image_random() % MSAA_SIZE;
        first[l] = samples == 8 ? image_random() % 2 * 4 : 0;
        put_word(r, place, 0, l, x[l]), put_word(r, place, 1, l, y[l]), put_word(r, place, 2, l, first[l]);
    }
    for (unsigned i = 0; i < IMG_MEMORY; i += 4) {
        const uint32_t v = image_random();
        memcpy(r->memory + i, &v, 4);
    }
    instructions++;
    if (image_run(r, text))
        fail_msg("%s: %s: %s", r->m->name, text, r->fault.reason ? r->fault.reason : "fault");
    nothing_else_changed(r, V_DATA, up_to_four ? count : 4);
    for (unsigned l = 0; l < r->lanes; l++)
        for (unsigned k = 0, to = V_DATA; executes(r, l) && k < 4 && first[l] + k < samples; k++) {
            uint64_t at;
            unsigned bytes;
            if (up_to_four && !(mask >> k & 1)) continue;
            assert_true(texel_address(&f, 0, x[l], y[l], 0, first[l] + k, &at, &bytes));
            compared++;
            if (memcmp((const void *)(uintptr_t)at, &r->after[to++][l], 4) != 0)
                fail_msg("%s: %s, lane %u, sample %u", r->m->name, text, l, first[l] + k);
        }
}

// False: nothing here tries such a row.
static bool try_image_row(struct image_run *r, const char *name, bool levels) {
    static const char *const floats[] = {"fmin",    "fmax",    "fcmpswap",   "min_flt",
                                         "max_flt", "add_flt", "pk_add_f16", "pk_add_bf16"};
    if (!strcmp(name, "image_gather4h")) return levels || (try_row_gather(r), true);
    if (!strncmp(name, "image_sample", 12) || !strncmp(name, "image_gather4", 13))
        return try_sample_row(r, name, levels);
    if (!strcmp(name, "image_get_lod") || !strcmp(name, "image_get_resinfo")) {
        for (unsigned n = 0; levels && n < 2; n++)
            if (strstr(name, "lod"))
                try_get_lod(r, n ? 0.5 : 0);
            else
                try_resinfo(r);
        return true;
    }
    if (levels) return true;
    if (!strcmp(name, "image_load") || !strcmp(name, "image_store")) {
        for (unsigned n = 0; n < 14; n++)
            if (strstr(name, "load"))
                try_load(r, image_random() % 4096);
            else
                try_store(r, image_random() % 4096);
        return true;
    }
    if (!strcmp(name, "image_msaa_load")) {
        const sw_processor *p = sw_processor_find(r->m->name, strlen(r->m->name));
        for (unsigned samples = 2; samples <= 8; samples *= 2) try_msaa(r, p, samples);
        return true;
    }
    if (strstr(name, "_mip"))
        try_raw_levels(r, name);
    else if (strstr(name, "_pck"))
        try_raw(r, name);
    else if (!strncmp(name, "image_atomic_", 13)) {
        for (unsigned i = 0; i < sizeof floats / sizeof *floats; i++)
            if (!strcmp(name + 13, floats[i])) return try_float_atomic(r, floats[i]), true;
        for (unsigned n = 0; n < 4; n++) try_atomic(r, name + 13, n & 1, n & 2);
    } else
        return false;
    return true;
}
static void image_rows_of(struct image_run *r, const struct isa *isa, bool levels, bool *seen) {
    if (levels) make_levels(r);
    for (unsigned row = 0; row < isa_row_count; row++)
        if (has_row(isa, row) && is_image_format(isa->codings[isa->row_codings[row]].format))
            seen[row] |= try_image_row(r, isa_row_name(isa, &isa_rows[row]), levels) && !levels;
}
// Rays. The names of the two rows differ in the width of the node's address. GFX10.1 with rays has them as
// GFX10.3 does.
static void rays_of(const sw_processor *p, const struct isa *isa, bool *seen) {
    struct machine_kind m = image_machine(p, isa, true);
    struct image_run r;
    if (!has_row_named(isa, "image_bvh_intersect_ray")) return;
    m.no_list = m.layout == L_GFX10;
    if (m.layout == L_GFX10) m.layout = L_GFX10_3;
    image_open(&r, &m);
    for (unsigned trial = 0; trial < 16; trial++)
        boxes_on(&r, trial & 1, trial & 2, trial & 4, image_random() % 5);
    for (unsigned trial = 0; trial < 4; trial++) triangles_on(&r, trial & 1);
    image_close(&r);
    for (unsigned row = 0; row < isa_row_count; row++)
        if (has_row(isa, row) && (!strcmp(row_id(&isa_rows[row]), "image_bvh_intersect_ray") ||
                                  !strcmp(row_id(&isa_rows[row]), "image_bvh64_intersect_ray")))
            seen[row] = true;
}
static unsigned images_of(const sw_processor *p, const struct isa *isa, bool *seen) {
    const bool both = generation_within(isa->generation, GFX10);
    if (!has_row_named(isa, "image_load")) return 0;
    for (unsigned lanes = both ? 32 : 64; lanes <= 64; lanes += 32) {
        const struct machine_kind m = image_machine(p, isa, lanes == 32);
        struct image_run r;
        image_open(&r, &m);
        image_rows_of(&r, isa, false, seen);
        image_rows_of(&r, isa, true, seen);
        image_close(&r);
    }
    rays_of(p, isa, seen);
    return 0; // a difference ends the test
}

#endif
