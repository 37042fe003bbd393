// SPDX-License-Identifier: MIT
// Image instructions on each generation: operands of every shape (runs of registers and lists, 16 and 32
// bits, each order), masks, status dwords, lanes; loads, stores and atomics against what the formats' text
// says; bad resources.
// Facts shown: TRAP-330, TRAP-331, TRAP-332, TRAP-335, TRAP-338, TRAP-340, TRAP-341, TRAP-344, TRAP-345,
// BUF-59.
#include "image_shapes.h"

__attribute__((constructor)) static void cover(void) {
    covered("image_load"), covered("image_store"), covered("image_atomic");
}

// ---- Loads and stores ----

static void loads(void **state) {
    (void)state;
    for (unsigned n = 0; n < MACHINES; n++) {
        struct image_run r;
        image_open(&r, &machines[n]);
        for (unsigned trial = 0; trial < PIXELS * KINDS * 2; trial++) {
            const enum pixel_name p = (enum pixel_name)(trial % PIXELS);
            const unsigned kind = trial / PIXELS % KINDS;
            struct picture_facts f = picture_of(p, kind);
            if (trial % 5 == 0) f.select = 6 | 5 << 3 | 4 << 6 | 1 << 9; // blue, green, red, one
            if (f.type == TYPE_2D_ARRAY && trial % 2) f.first_slice = 2;
            fill(p, r.memory, 120000);
            struct shape s = {.name = "image_load", .dim = kinds[kind].dim, .dmask = 1 + image_random() % 15};
            s.a16 = has_a16(r.m) && trial % 3 == 1;
            s.d16 = r.m->layout != L_GFX6 ? trial % 4 == 2 : r.m->apart && trial % 4 == 2;
            s.tfe = trial % 7 == 3 && !r.m->few, s.list = trial % 2;
            s.r128 = kind < (has_dim(r.m) ? 2 : 1) && r.m->layout != L_GFX9 &&
                     trial % 9 == 4; // without a depth and a pitch
            s.words = s.a16 ? (kinds[kind].coordinates + 1) / 2 : kinds[kind].coordinates;
            const unsigned count = (unsigned)__builtin_popcount(s.dmask);
            s.data = s.d16 && !r.m->apart ? (count + 1) / 2 : count;
            char text[256];
            unsigned place[13];
            instruction_text(r.m, &s, text, place);
            make_resource(r.m, &f, r.memory, r.t);
            randomize(&r);
            unsigned at[64][3];
            bool inside[64];
            for (unsigned l = 0; l < r.lanes; l++) {
                unsigned words[3];
                random_texel(&f, kind, at[l], &inside[l]);
                const unsigned k = coordinates_of(kind, at[l], words);
                for (unsigned i = 0; i < k; i++)
                    if (s.a16)
                        put_half(&r, place, i, l, words[i]);
                    else
                        put_word(&r, place, i, l, words[i]);
            }
            instructions++;
            if (image_run(&r, text))
                print_error("%s: %s of %s: %s\n", r.m->name, text, pixels[p].name,
                            r.fault.reason ? r.fault.reason : "fault");
            assert_int_equal(r.fault.kind, 0);
            nothing_else_changed(&r, V_DATA, s.data + s.tfe);
            for (unsigned l = 0; l < r.lanes; l++) {
                if (!executes(&r, l)) continue;
                double rgba[4] = {0, 0, 0,
                                  pixels[p].bytes == 4 * (p == P_R32F || p == P_R32UI) || p == P_R8 ||
                                      p == P_565 || p == P_RG16SN || p == P_RG32UI},
                       all[4];
                if (inside[l])
                    decode(p, r.memory + place_in(r.m, &f, at[l][0], at[l][1], at[l][2] + f.first_slice),
                           rgba);
                memcpy(all, rgba, sizeof all);
                if (f.select) all[0] = rgba[2], all[2] = rgba[0], all[3] = 1;
                for (unsigned c = 0, k = 0; c < 4; c++) {
                    if (!(s.dmask >> c & 1)) continue;
                    const bool packed = s.d16 && !r.m->apart;
                    const uint32_t v =
                        r.after[V_DATA + (packed ? k / 2 : k)][l] >> (packed && k & 1 ? 16 : 0);
                    if (!is_value(p, s.d16, v, all[c])) {
                        print_error("%s, %s of %s: lane %u, component %u of %u %u %u is %08x, not %g\n",
                                    r.m->name, text, pixels[p].name, l, c, at[l][0], at[l][1], at[l][2], v,
                                    all[c]);
                        fail();
                    }
                    k++;
                }
                if (s.tfe) assert_int_equal(r.after[V_DATA + s.data][l], 0);
            }
        }
        image_close(&r);
    }
}

// What is stored is what a load gives, and no other byte changes.
static void stores(void **state) {
    (void)state;
    static const enum pixel_name stored[] = {P_R8,     P_RGBA8,   P_RGBA8UI, P_RGBA8SI, P_R32UI, P_R32F,
                                             P_RG32UI, P_RGBA16F, P_RGBA32F, P_RGB10A2, P_RG16SN};
    enum { STORED = sizeof stored / sizeof *stored, SIZE = 120000 };
    static uint8_t copy[SIZE];
    for (unsigned n = 0; n < MACHINES; n++) {
        struct image_run r;
        image_open(&r, &machines[n]);
        for (unsigned trial = 0; trial < STORED * KINDS; trial++) {
            const enum pixel_name p = stored[trial % STORED];
            const unsigned kind = trial / STORED % KINDS;
            const struct picture_facts f = picture_of(p, kind);
            fill(p, r.memory, SIZE);
            memcpy(copy, r.memory, SIZE);
            struct shape s = {
                .name = "image_store", .dim = kinds[kind].dim, .dmask = 15, .data = 4, .list = trial % 2};
            s.words = kinds[kind].coordinates;
            char text[256];
            unsigned place[13], at[64][3];
            bool inside[64];
            instruction_text(r.m, &s, text, place);
            make_resource(r.m, &f, r.memory, r.t);
            randomize(&r);
            for (unsigned l = 0; l < r.lanes; l++) {
                unsigned words[3];
                random_texel(&f, kind, at[l], &inside[l]);
                at[l][0] = inside[l] ? l % f.width : at[l][0]; // lanes apart
                const unsigned k = coordinates_of(kind, at[l], words);
                for (unsigned i = 0; i < k; i++) put_word(&r, place, i, l, words[i]);
                for (unsigned c = 0; c < 4; c++)
                    r.before[V_DATA + c][l] = is_integer(p) ? image_random() & (p == P_RGBA8SI ? 0x7f : 0xff)
                                                            : bits_of((float)(image_random() % 1001) / 1000);
            }
            instructions++;
            assert_int_equal(image_run(&r, text), SW_OK);
            nothing_else_changed(&r, 0, 0);
            for (unsigned l = 0; l < r.lanes; l++) {
                if (!executes(&r, l) || !inside[l]) continue;
                const size_t place_at = place_in(r.m, &f, at[l][0], at[l][1], at[l][2]);
                bool later = false;
                for (unsigned k = l + 1; k < r.lanes; k++)
                    later |= executes(&r, k) && inside[k] &&
                             place_at == place_in(r.m, &f, at[k][0], at[k][1], at[k][2]);
                memcpy(copy + place_at, r.memory + place_at, pixels[p].bytes);
                if (later) continue;
                double got[4];
                decode(p, r.memory + place_at, got);
                const double step = p == P_RGBA8 || p == P_R8 ? 0.5 / 255
                                    : p == P_RGB10A2          ? 0.5 / 3
                                    : p == P_RG16SN           ? 0.5 / 32767
                                    : p == P_RGBA16F          ? 0x1p-11
                                                              : 0;
                const unsigned components = p == P_R8 || p == P_R32UI || p == P_R32F ? 1
                                            : p == P_RG32UI || p == P_RG16SN         ? 2
                                                                                     : 4;
                for (unsigned c = 0; c < components; c++) {
                    const double want =
                        is_integer(p) ? r.before[V_DATA + c][l] : (double)float_of(r.before[V_DATA + c][l]);
                    const double bound = p == P_RGB10A2 && c < 3 ? 0.5 / 1023 : step;
                    compared++;
                    if (fabs(got[c] - want) > bound + 1e-7)
                        print_error("%s %s %s: %g, not %g\n", r.m->name, text, pixels[p].name, got[c], want);
                    assert_true(fabs(got[c] - want) <= bound + 1e-7);
                }
            }
            assert_memory_equal(copy, r.memory, SIZE);
        }
        image_close(&r);
    }
}

// ---- Atomics ----

static uint64_t after_atomic(const char *op, uint64_t old, uint64_t src, uint64_t compare, unsigned bits) {
    const uint64_t all = bits == 64 ? ~0ull : 0xffffffff;
    const int64_t so = bits == 64 ? (int64_t)old : (int32_t)old,
                  ss = bits == 64 ? (int64_t)src : (int32_t)src;
    if (!strcmp(op, "swap")) return src;
    if (!strcmp(op, "cmpswap")) return old == compare ? src : old;
    if (!strncmp(op, "add", 3)) return (old + src) & all;
    if (!strncmp(op, "sub", 3)) return (old - src) & all;
    if (!strcmp(op, "smin") || !strcmp(op, "min_int")) return ss < so ? src : old;
    if (!strcmp(op, "umin") || !strcmp(op, "min_uint")) return src < old ? src : old;
    if (!strcmp(op, "smax") || !strcmp(op, "max_int")) return ss > so ? src : old;
    if (!strcmp(op, "umax") || !strcmp(op, "max_uint")) return src > old ? src : old;
    if (!strcmp(op, "and")) return old & src;
    if (!strcmp(op, "or")) return old | src;
    if (!strcmp(op, "xor")) return old ^ src;
    if (!strncmp(op, "inc", 3)) return old >= src ? 0 : old + 1;
    return old == 0 || old > src ? src : old - 1; // dec
}
static void atomics(void **state) {
    (void)state;
    static const char *const older[] = {"swap", "cmpswap", "add", "sub", "smin", "umin", "smax",
                                        "umax", "and",     "or",  "xor", "inc",  "dec"};
    static const char *const newer[] = {"swap",     "cmpswap",  "add_uint", "sub_uint", "min_int",
                                        "min_uint", "max_int",  "max_uint", "and",      "or",
                                        "xor",      "inc_uint", "dec_uint"};
    for (unsigned n = 0; n < MACHINES; n++) {
        struct image_run r;
        image_open(&r, &machines[n]);
        for (unsigned trial = 0; trial < 13 * 4; trial++) {
            const char *op = (r.m->layout == L_GFX12 ? newer : older)[trial % 13];
            const bool wide = trial / 13 & 1, returns = trial / 26 & 1, swaps = !strcmp(op, "cmpswap");
            const struct picture_facts f = picture_of(wide ? P_RG32UI : P_R32UI, 1);
            char name[64], text[256];
            unsigned place[13];
            sprintf(name, "image_atomic_%s", op);
            const unsigned words = (wide ? 2 : 1) * (swaps ? 2 : 1);
            const struct shape s = {.name = name,
                                    .dim = D_2D,
                                    .words = 2,
                                    .data = words,
                                    .dmask = (1u << words) - 1,
                                    .returns = returns,
                                    .list = trial & 1};
            instruction_text(r.m, &s, text, place);
            make_resource(r.m, &f, r.memory, r.t);
            randomize(&r);
            fill(P_R32UI, r.memory, 20000);
            uint64_t expected[64], old[64] = {0};
            bool inside[64];
            for (unsigned l = 0; l < r.lanes; l++) {
                unsigned at[3];
                random_texel(&f, 1, at, &inside[l]);
                if (inside[l]) at[0] = l % f.width, at[1] = l / f.width; // lanes apart
                put_word(&r, place, 0, l, at[0]), put_word(&r, place, 1, l, at[1]);
                if (!inside[l]) continue;
                memcpy(&old[l], r.memory + place_in(r.m, &f, at[0], at[1], 0), wide ? 8 : 4);
                if (swaps && l % 2) memcpy(&r.before[V_DATA + (wide ? 2 : 1)][l], &old[l], 4);
                if (swaps && l % 2 && wide) r.before[V_DATA + 3][l] = (uint32_t)(old[l] >> 32);
                const uint64_t src =
                    r.before[V_DATA][l] | (wide ? (uint64_t)r.before[V_DATA + 1][l] << 32 : 0);
                const uint64_t second = wide ? r.before[V_DATA + 2][l] | (uint64_t)r.before[V_DATA + 3][l]
                                                                             << 32
                                             : r.before[V_DATA + 1][l];
                expected[l] = after_atomic(op, old[l], src, second, wide ? 64 : 32);
            }
            instructions++;
            if (image_run(&r, text)) print_error("%s: %s fault %u\n", r.m->name, text, r.fault.kind);
            assert_int_equal(r.fault.kind, 0);
            nothing_else_changed(&r, V_DATA, returns ? (wide ? 2 : 1) : 0);
            for (unsigned l = 0; l < r.lanes; l++) {
                if (!executes(&r, l)) continue;
                if (returns) assert_int_equal(r.after[V_DATA][l], (uint32_t)old[l]);
                if (returns && wide) assert_int_equal(r.after[V_DATA + 1][l], (uint32_t)(old[l] >> 32));
                if (!inside[l]) continue;
                uint64_t now = 0;
                memcpy(&now, r.memory + place_in(r.m, &f, l % f.width, l / f.width, 0), wide ? 8 : 4);
                assert_true(now == expected[l]);
                compared += 2;
            }
        }
        image_close(&r);
    }
}

// Of floats, where there are such.
static void float_atomics(void **state) {
    (void)state;
    static const char *const older[] = {"fmin", "fmax", "fcmpswap"};
    static const char *const newer[] = {"min_flt", "max_flt", "add_flt", "pk_add_f16", "pk_add_bf16"};
    for (unsigned n = 0; n < MACHINES; n++) {
        const bool is_new = machines[n].layout == L_GFX12;
        if (!is_new && strcmp(machines[n].name, "gfx600") && machines[n].layout != L_GFX10 &&
            machines[n].layout != L_GFX10_3)
            continue;
        struct image_run r;
        image_open(&r, &machines[n]);
        for (unsigned trial = 0; trial < (is_new ? 5 : 3); trial++) {
            const char *op = (is_new ? newer : older)[trial];
            const bool swaps = !strcmp(op, "fcmpswap"), packed = !strncmp(op, "pk", 2);
            const struct picture_facts f = picture_of(packed ? P_R32UI : P_R32F, 1);
            char name[64], text[256];
            unsigned place[13];
            sprintf(name, "image_atomic_%s", op);
            const struct shape s = {.name = name,
                                    .dim = D_2D,
                                    .words = 2,
                                    .data = swaps ? 2 : 1,
                                    .dmask = swaps ? 3 : 1,
                                    .returns = true};
            instruction_text(r.m, &s, text, place);
            make_resource(r.m, &f, r.memory, r.t);
            randomize(&r);
            float old[64], src[64];
            for (unsigned l = 0; l < r.lanes; l++) {
                put_word(&r, place, 0, l, l % f.width), put_word(&r, place, 1, l, l / f.width);
                old[l] = (float)(image_random() % 64) / 4, src[l] = (float)(image_random() % 64) / 4;
                uint32_t v = bits_of(old[l]), d = bits_of(src[l]);
                // Two halves of 16 bits, the upper one 1.5: F16 and BF16 have these numbers.
                if (!strcmp(op, "pk_add_f16"))
                    v = half_bits((double)old[l]) | 0x3e000000, d = half_bits((double)src[l]) | 0x3e000000;
                if (!strcmp(op, "pk_add_bf16")) v = v >> 16 | 0x3fc00000, d = d >> 16 | 0x3fc00000;
                memcpy(r.memory + place_in(r.m, &f, l % f.width, l / f.width, 0), &v, 4);
                r.before[V_DATA][l] = d;
                if (swaps) r.before[V_DATA + 1][l] = l % 2 ? v : bits_of(-1);
            }
            instructions++;
            assert_int_equal(image_run(&r, text), SW_OK);
            for (unsigned l = 0; l < r.lanes; l++) {
                if (!executes(&r, l)) continue;
                uint32_t now;
                memcpy(&now, r.memory + place_in(r.m, &f, l % f.width, l / f.width, 0), 4);
                const float sum = old[l] + src[l];
                const uint32_t want = !strcmp(op, "pk_add_f16")    ? half_bits((double)sum) | 0x42000000
                                      : !strcmp(op, "pk_add_bf16") ? bits_of(sum) >> 16 | 0x40400000
                                      : !strcmp(op, "add_flt")     ? bits_of(sum)
                                      : swaps                      ? bits_of(l % 2 ? src[l] : old[l])
                                      : strstr(op, "min")          ? bits_of(fminf(old[l], src[l]))
                                                                   : bits_of(fmaxf(old[l], src[l]));
                assert_int_equal(now, want);
                if (!packed) assert_int_equal(r.after[V_DATA][l], bits_of(old[l]));
                compared += 2;
            }
        }
        image_close(&r);
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

// Components as they lie in memory, with and without their signs, and put back.
static void raw_texels(void **state) {
    (void)state;
    for (unsigned n = 0; n < MACHINES; n++) {
        struct image_run r;
        image_open(&r, &machines[n]);
        for (unsigned trial = 0; trial < 3; trial++) {
            static const char *const names[] = {"image_load_pck", "image_load_pck_sgn", "image_store_pck"};
            const struct picture_facts f = picture_of(trial ? P_RGBA8 : P_RGBA8SI, 1);
            const struct shape s = {.name = names[trial], .dim = D_2D, .words = 2, .data = 4, .dmask = 15};
            char text[256];
            unsigned place[13];
            fill(f.pixel, r.memory, 20000);
            instruction_text(r.m, &s, text, place);
            make_resource(r.m, &f, r.memory, r.t);
            randomize(&r);
            for (unsigned l = 0; l < r.lanes; l++)
                put_word(&r, place, 0, l, l % f.width), put_word(&r, place, 1, l, l / f.width);
            instructions++;
            assert_int_equal(image_run(&r, text), SW_OK);
            for (unsigned l = 0; l < r.lanes; l++)
                for (unsigned c = 0; c < 4 && executes(&r, l); c++) {
                    const uint8_t b = r.memory[place_in(r.m, &f, l % f.width, l / f.width, 0) + c];
                    if (trial == 2)
                        assert_int_equal(b, r.before[V_DATA + c][l] & 255);
                    else
                        assert_int_equal(r.after[V_DATA + c][l], trial ? (uint32_t)(int8_t)b : b);
                    compared++;
                }
        }
        image_close(&r);
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
