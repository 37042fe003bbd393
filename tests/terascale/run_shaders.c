// SPDX-License-Identifier: MIT
// Runs shaders that llc compiled and compares what they export with the same functions written here.
// run_shaders FOLDER CHIP...: FOLDER holds NAME-CHIP.o for each case.
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "softwave/terascale.h"
#include "texture_words.h"

enum { LANES = 64, TARGETS = 2 };
static float constants[2][4] = {{0.5f, -2.0f, 3.0f, 1.0f}, {4.0f, -8.0f, 0.25f, 100.0f}};

struct target {
    unsigned type, base;
};
// From two inputs to what each target gets.
typedef void shader(const float a[4], const float b[4], float out[TARGETS][4]);

static void mix(const float a[4], const float b[4], float out[TARGETS][4]) {
    for (unsigned i = 0; i < 4; i++) {
        out[1][i] = a[i] * constants[0][i] + b[i];
        out[0][i] = out[1][i] < constants[1][i] ? constants[1][i] : out[1][i];
    }
    out[0][3] = a[3] - floorf(out[0][0]);
}

static void loop(const float a[4], const float v[4], float out[TARGETS][4]) {
    float sum = v[0], i = 0;
    (void)a;
    for (; i < v[1] && !(sum > 100.0f); i++) sum = sum < 10.0f ? sum + i + 1.5f : sum * 1.25f;
    for (unsigned k = 0; k < 4; k++) out[0][k] = out[1][k] = v[k];
    out[0][2] = sum;
    out[1][0] = i;
}

static void dot(const float a[4], const float b[4], float out[TARGETS][4]) {
    out[0][0] = 0;
    for (unsigned i = 0; i < 4; i++) out[0][0] += a[i] * b[i];
    const int32_t i = (int32_t)a[0], j = (int32_t)b[1], s = i + j, n = s * i ^ 85;
    out[0][1] = (float)(n > j ? n : s);
    out[0][2] = a[2];
    out[0][3] = a[3];
}

// A texture of 8 by 8 floats that repeats: the texel at a, the one half a texel right and above of b, and
// whether b's last is less than the one at b.
enum { SIDE = 8, TEXELS_AT = 0x4000 };
static float texels[SIDE][SIDE];

static float texel(float u, float v) {
    const int x = (int)floorf(u), y = (int)floorf(v);
    return texels[(y % SIDE + SIDE) % SIDE][(x % SIDE + SIDE) % SIDE];
}

static void tex(const float a[4], const float b[4], float out[TARGETS][4]) {
    const float u = b[0] * SIDE, v = b[1] * SIDE;
    out[0][0] = texel(a[0] * SIDE, a[1] * SIDE);
    out[0][1] = out[0][2] = 0;
    out[0][3] = 1;
    out[1][0] = a[0];
    out[1][1] = a[1];
    out[1][2] = texel(u + 0.5f, v - 0.5f);
    out[1][3] = b[3] < texel(u, v);
}

static void set_state(const char *chip) {
    const char *const old[] = {"r600", "r630", "rs880", "rv670", "rv710", "rv730", "rv770"};
    struct place p = {true, 0, 0};
    for (unsigned i = 0; i < sizeof old / sizeof *old; i++)
        if (!strcmp(old[i], chip)) p.newer = false;
    setting_count = 0;
    set_texture(p, 3,
                &(struct texture){.dim = 1,
                                  .width = SIDE,
                                  .height = SIDE,
                                  .depth = 1,
                                  .pitch = SIDE,
                                  .format = 14,
                                  .levels = 1,
                                  .address = TEXELS_AT,
                                  .sel = {0, 1, 2, 3}});
    set_sampler(p, 1, &(struct sampler){.compare = 1});
    for (unsigned i = 0; i < SIDE * SIDE; i++)
        texels[i / SIDE][i % SIDE] = (float)(rand() % 401 - 200) / 8.0f;
}

static const struct {
    const char *name;
    shader *of;
    unsigned first; // register of the first input
    struct target targets[TARGETS];
    unsigned count;
} shaders[] = {
    {"mix", mix, 0, {{0, 0}, {0, 1}}, 2},
    {"loop", loop, 0, {{1, 60}, {2, 0}}, 2},
    {"dot", dot, 0, {{0, 0}}, 1},
    {"tex", tex, 0, {{0, 0}, {0, 1}}, 2},
};

struct exports {
    const struct target *targets;
    unsigned count, other;
    uint64_t lanes[TARGETS];
    float values[TARGETS][4][LANES];
};

static void take(void *context, const sw_terascale_export *e) {
    struct exports *x = context;
    for (unsigned i = 0; i < x->count; i++) {
        if (x->targets[i].type != e->type || x->targets[i].base != e->base) continue;
        x->lanes[i] |= e->lanes;
        for (unsigned c = 0; c < 4; c++)
            if (e->values[c]) memcpy(x->values[i][c], e->values[c], sizeof x->values[i][c]);
        return;
    }
    x->other++;
}

static void say(void *context, const sw_diagnostic *d) {
    (void)context;
    printf("%s: %s\n", d->at.file ? d->at.file : "-", d->message);
}

static bool run(unsigned n, const char *folder, const char *chip) {
    char path[512];
    static uint8_t object[1 << 16];
    static sw_terascale_wave wave;
    snprintf(path, sizeof path, "%s/%s-%s.o", folder, shaders[n].name, chip);
    FILE *f = fopen(path, "rb");
    const size_t size = f ? fread(object, 1, sizeof object, f) : 0;
    if (f) fclose(f);
    const unsigned lanes = sw_terascale_lanes(sw_processor_find(chip, strlen(chip)));
    wave = (sw_terascale_wave){.size = sizeof wave, .valid = ~0ull >> (LANES - lanes)};
    float in[2][4][LANES];
    for (unsigned k = 0; k < 2; k++)
        for (unsigned c = 0; c < 4; c++)
            for (unsigned l = 0; l < LANES; l++) {
                in[k][c][l] = (float)(rand() % 401 - 200) / 8.0f;
                memcpy(&wave.gpr[shaders[n].first + k][c][l], &in[k][c][l], 4);
            }
    struct exports x = {.targets = shaders[n].targets, .count = shaders[n].count};
    const sw_sink sink = {say, NULL};
    const sw_terascale_buffer buffer = {texels, sizeof texels, TEXELS_AT, true};
    set_state(chip);
    const sw_terascale_wave_options o = {.size = sizeof o,
                                         .name = path,
                                         .constants = constants,
                                         .constants_size = sizeof constants,
                                         .exported = take,
                                         .context = &x,
                                         .setup = &(sw_terascale_setup){.size = sizeof(sw_terascale_setup),
                                                                        .buffers = &buffer,
                                                                        .buffer_count = 1,
                                                                        .settings = settings,
                                                                        .setting_count = setting_count,
                                                                        .max_steps = 1000000,
                                                                        .strict = true}};
    if (sw_terascale_run_wave(object, size, &o, &wave, &sink)) return false;
    for (unsigned l = 0; l < lanes; l++) {
        float a[4], b[4], out[TARGETS][4];
        for (unsigned c = 0; c < 4; c++) a[c] = in[0][c][l], b[c] = in[1][c][l];
        shaders[n].of(a, b, out);
        for (unsigned i = 0; i < x.count; i++)
            for (unsigned c = 0; c < 4; c++)
                if (!(x.lanes[i] >> l & 1) ||
                    !(fabsf(x.values[i][c][l] - out[i][c]) <= 1e-5f * fabsf(out[i][c]))) {
                    printf("target %u, lane %u, component %u: %g, expected %g\n", i, l, c,
                           (double)x.values[i][c][l], (double)out[i][c]);
                    return false;
                }
    }
    return x.other == 0;
}

int main(int argc, char **argv) {
    unsigned passed = 0, failed = 0;
    for (int c = 2; c < argc; c++)
        for (unsigned n = 0; n < sizeof shaders / sizeof *shaders; n++)
            for (unsigned seed = 1; seed <= 3; seed++) {
                srand(seed);
                if (run(n, argv[1], argv[c])) {
                    passed++;
                    continue;
                }
                failed++;
                printf("%s on %s, seed %u: differs\n", shaders[n].name, argv[c], seed);
            }
    printf("%u passed, %u failed, 0 skipped\n", passed, failed);
    return failed != 0;
}
