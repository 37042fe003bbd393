// SPDX-License-Identifier: MIT
// Image instructions on each generation: operands of every shape (runs of registers and lists, 16 and 32
// bits, each order), masks, status dwords, lanes; loads, stores and atomics against what the formats' text
// says; bad resources.
// Facts shown: TRAP-330, TRAP-331, TRAP-332, TRAP-335, TRAP-338, TRAP-340, TRAP-341, TRAP-344, TRAP-345,
// BUF-59.
#include "image_trials.h"

__attribute__((constructor)) static void cover(void) {
    covered("image_load"), covered("image_store"), covered("image_atomic");
}

// ---- Loads, stores, atomics ----

#define EACH_MACHINE(r)                                                                                      \
    for (unsigned n = 0; n < MACHINES && (image_open(&r, &machines[n]), true); n++, image_close(&r))

static void loads(void **state) {
    (void)state;
    struct image_run r;
    EACH_MACHINE(r)
    for (unsigned trial = 0; trial < PIXELS * KINDS * 2; trial++) try_load(&r, trial);
}
static void stores(void **state) {
    (void)state;
    struct image_run r;
    EACH_MACHINE(r)
    for (unsigned trial = 0; trial < STORED * KINDS; trial++) try_store(&r, trial);
}
static void atomics(void **state) {
    (void)state;
    static const char *const older[] = {"swap", "cmpswap", "add", "sub", "smin", "umin", "smax",
                                        "umax", "and",     "or",  "xor", "inc",  "dec"};
    static const char *const newer[] = {"swap",     "cmpswap",  "add_uint", "sub_uint", "min_int",
                                        "min_uint", "max_int",  "max_uint", "and",      "or",
                                        "xor",      "inc_uint", "dec_uint"};
    struct image_run r;
    EACH_MACHINE(r)
    for (unsigned trial = 0; trial < 13 * 4; trial++)
        try_atomic(&r, (r.m->layout == L_GFX12 ? newer : older)[trial % 13], trial / 13 & 1, trial / 26 & 1);
}
// Of floats, where there are such.
static void float_atomics(void **state) {
    (void)state;
    static const char *const older[] = {"fmin", "fmax", "fcmpswap"};
    static const char *const newer[] = {"min_flt", "max_flt", "add_flt", "pk_add_f16", "pk_add_bf16"};
    struct image_run r;
    EACH_MACHINE(r) {
        const bool is_new = r.m->layout == L_GFX12;
        if (!is_new && strcmp(r.m->name, "gfx600") && r.m->layout != L_GFX10 && r.m->layout != L_GFX10_3)
            continue;
        for (unsigned trial = 0; trial < (is_new ? 5 : 3); trial++)
            try_float_atomic(&r, (is_new ? newer : older)[trial]);
    }
}

// What a store has no data for is its first component again; a load of nothing gives 0 and fetches nothing.
static void missing_components(void **state) {
    (void)state;
    for (unsigned n = 0; n < MACHINES; n++) {
        struct image_run r;
        image_open(&r, &machines[n]);
        for (unsigned trial = 0; trial < 2; trial++) {
            const struct picture_facts f = picture_of(P_RGBA8UI, 1);
            const struct shape s = {.name = trial ? "image_load" : "image_store",
                                    .dim = D_2D,
                                    .words = 2,
                                    .data = trial ? 1 : 2,
                                    .dmask = trial ? 0 : 5};
            char text[256];
            unsigned place[13];
            fill(f.pixel, r.memory, 20000);
            instruction_text(r.m, &s, text, place);
            make_resource(r.m, &f, trial ? (const void *)(uintptr_t)0x123400000000 : r.memory, r.t);
            randomize(&r);
            for (unsigned l = 0; l < r.lanes; l++) {
                put_word(&r, place, 0, l, l % f.width), put_word(&r, place, 1, l, l / f.width);
                r.before[V_DATA][l] &= 255, r.before[V_DATA + 1][l] &= 255;
            }
            instructions++;
            assert_int_equal(image_run(&r, text), SW_OK);
            for (unsigned l = 0; l < r.lanes; l++) {
                if (!executes(&r, l)) continue;
                compared++;
                if (trial) {
                    assert_int_equal(r.after[V_DATA][l], 0);
                    continue;
                }
                const uint32_t x = r.before[V_DATA][l], z = r.before[V_DATA + 1][l];
                uint32_t texel;
                memcpy(&texel, r.memory + place_in(r.m, &f, l % f.width, l / f.width, 0), 4);
                assert_int_equal(texel, x | x << 8 | z << 16 | x << 24);
            }
        }
        image_close(&r);
    }
}

static void raw_texels(void **state) {
    (void)state;
    struct image_run r;
    EACH_MACHINE(r) {
        try_raw(&r, "image_load_pck"), try_raw(&r, "image_load_pck_sgn"), try_raw(&r, "image_store_pck");
        try_raw_levels(&r, "image_load_mip"), try_raw_levels(&r, "image_load_mip_pck");
        try_raw_levels(&r, "image_load_mip_pck_sgn"), try_raw_levels(&r, "image_store_mip_pck");
    }
}

// ---- Errors ----

// Memory that is not the device's: a fault that names lane and address. No resource: nothing is there.
static void bad_resources(void **state) {
    (void)state;
    for (unsigned n = 0; n < MACHINES; n++) {
        struct image_run r;
        image_open(&r, &machines[n]);
        struct picture_facts f = picture_of(P_R32F, 1);
        const struct shape s = {.name = "image_load", .dim = D_2D, .words = 2, .data = 1, .dmask = 1};
        char text[256];
        unsigned place[13];
        instruction_text(r.m, &s, text, place);
        make_resource(r.m, &f, (const void *)(uintptr_t)0x123400000000, r.t);
        randomize(&r);
        r.exec = 0xf0;
        for (unsigned l = 0; l < r.lanes; l++) put_word(&r, place, 0, l, 3), put_word(&r, place, 1, l, 2);
        assert_int_equal(image_run(&r, text), SW_FAULTED);
        assert_int_equal(r.fault.kind, SW_FAULT_READ);
        assert_int_equal(r.fault.lane, 4);
        assert_true(r.fault.address == 0x123400000000 + place_in(r.m, &f, 3, 2, 0));
        memset(r.t, 0, sizeof r.t); // unbound
        r.t[3] = 9u << 28;
        assert_int_equal(image_run(&r, text), SW_OK);
        for (unsigned l = 4; l < 8; l++) assert_int_equal(r.after[V_DATA][l], 0);
        r.t[0] = 64, r.t[3] = 0; // a buffer's: nothing happens
        assert_int_equal(image_run(&r, text), SW_OK);
        nothing_else_changed(&r, 0, 0);
        instructions += 3, compared += 8;
        image_close(&r);
    }
}

// Any bits as resource, sampler and address: an end in little time, a result, a fault or a reason.
static void hostile(void **state) {
    (void)state;
    static const char *const names[] = {"image_load",        "image_store",   "image_sample",
                                        "image_sample_l",    "image_gather4", "image_atomic_and",
                                        "image_get_resinfo", "image_get_lod"};
    unsigned ended[16] = {0};
    for (unsigned n = 0; n < MACHINES; n++) {
        struct image_run r;
        image_open(&r, &machines[n]);
        for (unsigned trial = 0; trial < 240; trial++) {
            const unsigned kind = trial % KINDS, which = image_random() % 8;
            if (r.m->few && (which == 3 || which == 4 || which == 7)) continue;
            const bool samples_it = which >= 2 && which != 5 && which != 6;
            struct picture_facts f = picture_of((enum pixel_name)(image_random() % PIXELS), kind);
            make_resource(r.m, &f, r.memory, r.t);
            struct sampler_facts sampler = {.filter = 1, .most = 15};
            make_sampler(r.m, &sampler, r.s);
            for (unsigned i = 0; i < 8; i++)
                if (i && trial % 4 == 0)
                    r.t[i] = image_random();
                else if (trial % 4 < 3)
                    r.t[i] ^= image_random() & image_random() & image_random() & image_random();
            if (trial % 7 == 0) memcpy(r.t, r.before[image_random() % 9], 32);
            for (unsigned i = 0; i < 4; i++) r.s[i] = image_random();
            struct shape s = {.name = names[which],
                              .dim = kinds[kind].dim,
                              .data = which == 4 ? 4 : 1,
                              .dmask = 1,
                              .sampler = samples_it};
            s.words = which == 6 ? 1 : kinds[kind].coordinates + (which == 3);
            char text[256];
            unsigned place[13];
            instruction_text(r.m, &s, text, place);
            randomize(&r);
            instructions++;
            const sw_status status = image_run(&r, text);
            assert_true(status == SW_OK || status == SW_FAULTED || status == SW_UNSUPPORTED);
            ended[r.fault.kind < 16 ? r.fault.kind : 15]++;
        }
        image_close(&r);
    }
    for (unsigned k = 0; k < 16; k++)
        if (ended[k]) print_message("  fault kind %u: %u\n", k, ended[k]);
}

static void count(void **state) {
    (void)state;
    print_message("%u instructions, %u values compared\n", instructions, compared);
    assert_true(instructions > 2000 && compared > 50000);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loads),         cmocka_unit_test(stores),     cmocka_unit_test(atomics),
        cmocka_unit_test(float_atomics), cmocka_unit_test(raw_texels), cmocka_unit_test(missing_components),
        cmocka_unit_test(bad_resources), cmocka_unit_test(hostile),    cmocka_unit_test(count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
