// SPDX-License-Identifier: MIT
// Pictures of vertex and pixel shaders, against coverage and interpolation written apart: which triangle
// holds a point a little right of, and a much smaller bit below, the pixel's centre; and the inverse of the
// matrix of clip coordinates.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/text.h"
#include "softwave/terascale.h"
#include "terascale/texture_words.h"
#include "terascale/said.h"

enum { W = 37, H = 23, VERTICES = 60, ADDRESS = 0x1000, STRIDE = 32 };

static float random_between(double low, double high) {
    return (float)(low + (high - low) * random32() / 4294967296.0);
}

static const char *const all_chips[2][4] = {{"r600", "rv770", "redwood", "cayman"},
                                            {"rs880", "rv710", "cedar", "cayman"}}; // with shorter waves
static const char *const *chips = all_chips[0];

static const struct place vertex_place[4] = {
    {false, 320, 18}, {false, 320, 18}, {true, 992, 18}, {true, 992, 18}};

// A buffer of 32_32_32_32_FLOAT, as a vertex fetch constant (R7-19).
static void set_buffer(unsigned chip, unsigned id, uint32_t address, uint32_t size, uint32_t stride) {
    const struct place p = vertex_place[chip];
    const uint32_t n = p.resource + id, at = p.newer ? 0x30000 + 32 * n : 0x38000 + 28 * n;
    set(at, address);
    set(at + 4, size - 1);
    set(at + 8, stride << 8 | 35u << 20 | 1u << 28); // signed
    if (p.newer) set(at + 12, 0 << 3 | 1 << 6 | 2 << 9 | 3 << 12);
    set(at + (p.newer ? 28 : 24), 3u << 30);
}

static struct { float position[4], colour[4]; } vertices[VERTICES];
static float picture[H][W][4];

static const char vertex_shader[] =
    "vs:\n.stage vertex\nCALL_FS\nEXP_DONE: POS0, R1\nEXP_DONE: PARAM0, R2%s\n"
    "fs:\n.stage vertex\nTC:\nVFETCH R1, R0.x, b%u USE_CONST_FIELDS\n"
    "VFETCH R2, R0.x, b%u OFFSET(16) USE_CONST_FIELDS\nRETURN\n";
static const char interpolate[] =
    "ALU:\n0 x: INTERP_ZW ____, R0.y, Param0.x VEC_210\ny: INTERP_ZW ____, R0.x, Param0.x VEC_210\n"
    "z: INTERP_ZW R3.z, R0.y, Param0.x VEC_210\nw: INTERP_ZW R3.w, R0.x, Param0.x VEC_210\n"
    "1 x: INTERP_XY R3.x, R0.y, Param0.x VEC_210\ny: INTERP_XY R3.y, R0.x, Param0.x VEC_210\n"
    "z: INTERP_XY ____, R0.y, Param0.x VEC_210\nw: INTERP_XY ____, R0.x, Param0.x VEC_210\n";

// `body` stands before the export; the colour is in R3 on Evergreen and later, else in R0.
static sw_status draw(unsigned chip, const char *body, const char *exported,
                      const sw_terascale_draw_options *base) {
    struct text t = {0};
    const bool newer = chip > 1;
    const char *end = chip == 3 ? "\nCF_END" : " END_OF_PROGRAM";
    text_printf(&t, vertex_shader, end, newer ? 0 : 160, newer ? 0 : 160);
    text_printf(&t, "ps:\n.stage pixel\n%s%sEXP_DONE: PIX0, %s%s\n", newer ? interpolate : "", body, exported,
                end);
    const sw_terascale_as_options a = {.size = sizeof a,
                                       .processor = sw_processor_find(chips[chip], strlen(chips[chip]))};
    sw_terascale_buffer buffers[2] = {{vertices, sizeof vertices, ADDRESS, true}};
    sw_terascale_draw_options o = *base;
    sw_terascale_setup setup = base->setup ? *base->setup : (sw_terascale_setup){.size = sizeof setup};
    if (setup.buffer_count) buffers[1] = setup.buffers[0];
    o.size = sizeof o;
    o.vertex = "vs";
    o.fetch = "fs";
    o.width = W;
    o.height = H;
    setup.settings = settings;
    setup.setting_count = setting_count;
    setup.buffers = buffers;
    setup.buffer_count++;
    setup.max_steps = 1000000;
    setup.strict = true;
    o.setup = &setup;
    o.targets[0] = picture[0][0];
    uint8_t *object;
    size_t size;
    *message = 0;
    sw_status status = sw_terascale_assemble(t.data, t.length, &a, &object, &size, &sink);
    if (!status) status = sw_terascale_draw(object, size, &o, &sink);
    sw_free(object);
    text_free(&t);
    return status;
}

// ---- The reference ----

static long long to_window(float v, float w, bool down, int size) {
    const double n = (double)v / (double)w;
    return llrint((down ? 1 - n : n + 1) / 2 * size * 256);
}

// The sign of the side of the moved point: of the distance, then of what the moves add.
static int side_of(const long long a[2], const long long b[2], const long long p[2]) {
    const long long dx = b[0] - a[0], dy = b[1] - a[1];
    const long long d = dx * (p[1] - a[1]) - dy * (p[0] - a[0]);
    if (d) return d > 0 ? 1 : -1;
    if (dy) return dy < 0 ? 1 : -1;
    return dx > 0 ? 1 : dx < 0 ? -1 : 0;
}

static bool covers(const unsigned v[3], int x, int y) {
    long long at[3][2];
    const long long p[2] = {256ll * x + 128, 256ll * y + 128};
    int sum = 0;
    for (unsigned i = 0; i < 3; i++) {
        const float *q = vertices[v[i]].position;
        at[i][0] = to_window(q[0], q[3], false, W);
        at[i][1] = to_window(q[1], q[3], true, H);
    }
    const long long area =
        (at[1][0] - at[0][0]) * (at[2][1] - at[0][1]) - (at[1][1] - at[0][1]) * (at[2][0] - at[0][0]);
    for (unsigned i = 0; i < 3 && area; i++) sum += side_of(at[i], at[(i + 1) % 3], p);
    return area && sum == (area > 0 ? 3 : -3);
}

// Weights of the vertices at a pixel: the solution of sum of weight * (x, y, w) = a multiple of (X, Y, 1).
static void solve(const unsigned v[3], int x, int y, double weight[3]) {
    const double X = (x + 0.5) * 2 / W - 1, Y = 1 - (y + 0.5) * 2 / H;
    double m[3][3], sum = 0;
    for (unsigned i = 0; i < 3; i++) {
        const float *q = vertices[v[i]].position;
        m[i][0] = (double)q[0], m[i][1] = (double)q[1], m[i][2] = (double)q[3];
    }
    for (unsigned i = 0; i < 3; i++) { // the cross product of the other two, times the pixel's ray
        const double *a = m[(i + 1) % 3], *b = m[(i + 2) % 3];
        weight[i] =
            X * (a[1] * b[2] - a[2] * b[1]) + Y * (a[2] * b[0] - a[0] * b[2]) + a[0] * b[1] - a[1] * b[0];
        sum += weight[i];
    }
    for (unsigned i = 0; i < 3; i++) weight[i] /= sum;
}

static void random_vertices(bool far) {
    for (unsigned i = 0; i < VERTICES; i++) {
        const float w = random_between(0.5, 4);
        const double reach = far ? 12 : 1.3;
        for (unsigned c = 0; c < 2; c++) {
            // Many on pixel centres and on each other's edges.
            const double grid = random32() % 2
                                    ? random_between(-reach, reach)
                                    : (int)(random32() % 37 - 18) * 2.0 / (c ? H : W) + 1.0 / (c ? H : W);
            vertices[i].position[c] = (float)(grid * (double)w);
        }
        vertices[i].position[2] = random_between(0, 1);
        vertices[i].position[3] = w;
        for (unsigned c = 0; c < 4; c++) vertices[i].colour[c] = random_between(0, 1);
    }
}

static void triangle_of(sw_terascale_primitive p, unsigned i, unsigned v[3]) {
    switch (p) {
    case SW_TERASCALE_TRIANGLES: v[0] = 3 * i, v[1] = 3 * i + 1, v[2] = 3 * i + 2; break;
    case SW_TERASCALE_TRIANGLE_STRIP: v[0] = i, v[1] = i + 1, v[2] = i + 2; break;
    case SW_TERASCALE_TRIANGLE_FAN: v[0] = i + 1, v[1] = i + 2, v[2] = 0; break;
    default: v[0] = i / 2 * 4, v[1] = v[0] + 1 + (i & 1), v[2] = v[1] + 1;
    }
}

static void pictures_agree(void **unused) {
    (void)unused;
    static const unsigned counts[4] = {VERTICES / 3, VERTICES - 2, VERTICES - 2, VERTICES / 2};
    for (unsigned round = 0; round < 48; round++) {
        const unsigned chip = round % 4;
        chips = all_chips[round / 4 % 3 == 1];
        const sw_terascale_primitive p = (sw_terascale_primitive)(round / 4 % 4);
        const bool flat = round % 5 == 4, linear = round % 7 == 6, far = round % 3 == 2;
        random_vertices(far);
        setting_count = 0;
        set_buffer(chip, 0, ADDRESS, sizeof vertices, STRIDE);
        set(0x28644, (uint32_t)flat << 10 | (uint32_t)linear << 12); // SPI_PS_INPUT_CNTL_0
        if (chip > 1 && linear) set(0x286e0, 1 << 16);               // SPI_BARYC_CNTL LINEAR_CENTER_ENA
        for (unsigned i = 0; i < W * H * 4; i++) picture[i / 4 / W][i / 4 % W][i % 4] = -1;
        const sw_terascale_draw_options o = {.primitive = p, .count = VERTICES};
        assert_int_equal(draw(chip, "", chip > 1 ? "R3" : "R0", &o), SW_OK);
        for (int y = 0; y < H; y++)
            for (int x = 0; x < W; x++) {
                int last = -1;
                unsigned v[3];
                double b[3];
                for (unsigned i = 0; i < counts[p]; i++) {
                    triangle_of(p, i, v);
                    if (covers(v, x, y)) last = (int)i;
                }
                const float *got = picture[y][x];
                if ((last >= 0) != (got[3] >= 0 || got[0] != -1))
                    fail_msg("round %u on %s: pixel %d, %d is %s covered", round, chips[chip], x, y,
                             last < 0 ? "not" : "");
                if (last < 0) continue;
                triangle_of(p, (unsigned)last, v);
                solve(v, x, y, b);
                if (linear) { // what they weigh on the screen
                    double sum = 0;
                    for (unsigned i = 0; i < 3; i++) sum += b[i] *= (double)vertices[v[i]].position[3];
                    for (unsigned i = 0; i < 3; i++) b[i] /= sum;
                }
                // Vertices snap to 256ths of a pixel: slivers feel it.
                double steep = 0;
                for (int k = 0; k < 4; k++) {
                    double other[3];
                    solve(v, x + (k & 1 ? 1 : -1) * (k < 2), y + (k & 1 ? 1 : -1) * (k >= 2), other);
                    for (unsigned i = 0; i < 3; i++) steep = fmax(steep, fabs(other[i] - b[i]));
                }
                if (steep > 2) continue;
                for (unsigned c = 0; c < 4; c++) {
                    double e = 0;
                    for (unsigned i = 0; i < 3; i++) e += b[i] * (double)vertices[v[i]].colour[c];
                    if (flat) e = (double)vertices[v[0]].colour[c];
                    if (fabs((double)got[c] - e) > 1e-4 + steep / 50)
                        fail_msg("round %u on %s: pixel %d, %d component %u: %g, expected %g (steep %g)",
                                 round, chips[chip], x, y, c, (double)got[c], e, steep);
                }
            }
    }
}

// A quad over the whole picture: texture coordinates are interpolated, the texel is multiplied with a
// constant, pixels in odd columns are killed; indices and instances choose the vertices.
static void shaders_find_textures_constants_and_position(void **unused) {
    (void)unused;
    static float texels[64 * 16];
    static const uint32_t indices[] = {40, 41, 42, 43};
    static const float constants[4] = {2, 0, 0, 0};
    const struct texture t = {.dim = 1,
                              .tiling = 1,
                              .width = 16,
                              .height = 16,
                              .depth = 1,
                              .pitch = 64,
                              .format = 14,
                              .levels = 1,
                              .address = 0x100000,
                              .sel = {0, 0, 0, 5}};
    for (unsigned i = 0; i < 64 * 16; i++) texels[i] = (float)(random32() % 1000);
    random_vertices(false);
    for (unsigned i = 0; i < 4; i++) {
        float *at = vertices[40 + i].position, *to = vertices[40 + i].colour;
        to[0] = i == 1 || i == 2;
        to[1] = i >= 2;
        at[0] = 2 * to[0] - 1, at[1] = 1 - 2 * to[1], at[3] = 1;
    }
    const sw_terascale_buffer buffer = {texels, sizeof texels, 0x100000, true};
    for (unsigned chip = 0; chip < 4; chip++) {
        const bool newer = chip > 1;
        const struct place pixel = {newer, 0, 0};
        const sw_terascale_draw_options o = {
            .primitive = SW_TERASCALE_QUADS,
            .count = 4,
            .indices = indices,
            .instances = 2,
            .constants = {NULL, constants},
            .constants_size = {0, sizeof constants},
            .setup = &(sw_terascale_setup){
                .size = sizeof(sw_terascale_setup), .buffers = &buffer, .buffer_count = 1}};
        setting_count = 0;
        set_buffer(chip, 0, ADDRESS, sizeof vertices, STRIDE);
        set_texture(pixel, 3, &t);
        set_sampler(pixel, 2, &(struct sampler){.max_lod = 0});
        set(0x286cc, 1 << 8 | 5 << 10);          // SPI_PS_IN_CONTROL_0: POSITION_ENA, POSITION_ADDR(5)
        set(0x286d0, 1 << 8 | 6 << 12 | 1 << 9); // SPI_PS_IN_CONTROL_1: FRONT_FACE_ENA, in R6.y
        if (!newer) set(0x30000, 0x40000000);    // the constant file's first (R7-11)
        for (unsigned i = 0; i < W * H; i++) picture[i / W][i % W][0] = -1;
        char body[400];
        snprintf(body, sizeof body,
                 "TC:\nSAMPLE R4, R%u.xyxx, t3, s2\nALU:%s\n0 x: MUL_e R5.x, R5.x, 0.5\ny: MOV R4.y, R6.y\n"
                 "1 x: FRACT R5.x, PV.x\nw: MUL_e R4.w, R4.w, %s\n2 x: KILLGT ____, R5.x, 0.5\n",
                 newer ? 3 : 0, newer ? " KCACHE0(CB0:0-15)" : "", newer ? "KC0[0].x" : "C0.x");
        assert_int_equal(draw(chip, body, "R4", &o), SW_OK);
        for (unsigned y = 0; y < H; y++)
            for (unsigned x = 0; x < W; x++) {
                const unsigned i = (unsigned)((x + 0.5) * 16 / W), j = (unsigned)((y + 0.5) * 16 / H);
                if (picture[y][x][0] != (x & 1 ? -1 : texels[j * 64 + i]))
                    fail_msg("%s, pixel %u, %u: %g", chips[chip], x, y, (double)picture[y][x][0]);
                if (x & 1) continue;
                assert_true(picture[y][x][3] == 2);  // 1 of the resource's selector, times the constant
                assert_true(picture[y][x][1] == -1); // clockwise
            }
    }
}

// SPI_PS_INPUT_CNTL's SEMANTIC finds the parameter of the same SPI_VS_OUT_ID; DEFAULT_VAL stands for none.
static void semantics_match(void **unused) {
    (void)unused;
    random_vertices(false);
    for (unsigned i = 0; i < 3; i++) {
        vertices[i].position[0] = i == 1 ? 3 : -1, vertices[i].position[1] = i == 2 ? 3 : -1;
        vertices[i].position[3] = 1, vertices[i].colour[0] = vertices[i].colour[3] = 0.25f;
    }
    for (unsigned chip = 0; chip < 4; chip++)
        for (unsigned match = 0; match < 2; match++) {
            const sw_terascale_draw_options o = {.count = 3};
            setting_count = 0;
            set_buffer(chip, 0, ADDRESS, sizeof vertices, STRIDE);
            set(chip > 1 ? 0x2861c : 0x28614, 9);
            set(0x28644, (match ? 9 : 8) | 1 << 8); // 0, 0, 0, 1 without a match
            assert_int_equal(draw(chip, "", chip > 1 ? "R3" : "R0", &o), SW_OK);
            assert_true(picture[5][5][0] == (match ? 0.25f : 0));
            assert_true(picture[5][5][3] == (match ? 0.25f : 1));
        }
}

static void draws_are_refused(void **unused) {
    (void)unused;
    static const struct {
        uint32_t reg, value;
        const char *why;
        sw_status status;
    } cases[] = {
        {0x28644, 1 << 13, "CYL_WRAP", SW_UNSUPPORTED},
        {0x28410, 1 << 3, "alpha tests are not executed", SW_UNSUPPORTED},
        {0x2881c, 1, "clip and cull distances", SW_UNSUPPORTED},
        {0x286d0, 1 << 8 | 1 << 11, "FRONT_FACE_ALL_BITS", SW_UNSUPPORTED},
        {0x50000, 1, "no register at 0x50000", SW_USAGE},
    };
    const sw_terascale_draw_options o = {.count = 3};
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        setting_count = 0;
        set(cases[i].reg, cases[i].value);
        assert_int_equal(draw(2, "", "R3", &o), cases[i].status);
        assert_non_null(strstr(message, cases[i].why));
    }
    setting_count = 0; // no buffer
    assert_int_equal(draw(2, "", "R3", &o), SW_FAULTED);
    assert_int_equal(draw(2, "", "R3", &(sw_terascale_draw_options){.count = 1 << 20}), SW_USAGE);
    // What only kernels and waves take.
    const sw_terascale_setup given[] = {{.size = sizeof *given, .memory_count = 1},
                                        {.size = sizeof *given, .booleans = 1},
                                        {.size = sizeof *given, .loop_count = 1}};
    for (size_t i = 0; i < sizeof given / sizeof *given; i++) {
        assert_int_equal(draw(2, "", "R3", &(sw_terascale_draw_options){.count = 3, .setup = &given[i]}),
                         SW_UNSUPPORTED);
        assert_non_null(strstr(message, "takes no memories, boolean or loop constants"));
    }
    assert_int_equal(draw(2, "", "R3", &(sw_terascale_draw_options){.primitive = (sw_terascale_primitive)9}),
                     SW_USAGE);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pictures_agree),
        cmocka_unit_test(shaders_find_textures_constants_and_position),
        cmocka_unit_test(semantics_match),
        cmocka_unit_test(draws_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
