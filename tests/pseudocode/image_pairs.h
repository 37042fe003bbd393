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
