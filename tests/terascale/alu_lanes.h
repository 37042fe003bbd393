// SPDX-License-Identifier: MIT
// A clause of ALU instructions on one wave, for the tests that look at what it leaves in every lane.
#ifndef TERASCALE_ALU_LANES_H
#define TERASCALE_ALU_LANES_H

#include <stdbool.h>

#include "base/text.h"
#include "softwave/terascale.h"
#include "terascale/said.h"

// A wave with three inputs a lane, in R10.x, R11.y and R12.z, and the lane's number in R0.x; what the clause
// leaves in R20 is the result. Some chips have fewer lanes.
enum { LANES = 64 };
struct rig {
    uint32_t in[4][LANES], out[4][LANES];
    uint64_t valid;
};

static const uint32_t constants[32][4] = {{7, 70}, {8, 80}, {9, 90}, {10, 100}, {11, 110}};

static inline sw_status run(const char *chip, const char *clause, struct rig *r) {
    struct text t = {0};
    text_puts(&t, "main:\nALU: KCACHE0(CB0:0-31)\n");
    text_puts(&t, clause);
    text_puts(&t, !strcmp(chip, "cayman") ? "CF_END\n" : "NOP END_OF_PROGRAM\n");
    const sw_terascale_as_options a = {.size = sizeof a, .processor = sw_processor_find(chip, strlen(chip))};
    uint8_t *object;
    size_t size;
    *message = 0;
    sw_status status = sw_terascale_assemble(t.data, t.length, &a, &object, &size, &sink);
    static sw_terascale_wave wave;
    wave = (sw_terascale_wave){.size = sizeof wave, .valid = ~0ull};
    for (unsigned l = 0; l < LANES; l++) wave.gpr[0][0][l] = l;
    for (unsigned k = 0; k < 3; k++) memcpy(wave.gpr[10 + k][k], r->in[k], sizeof r->in[k]);
    for (unsigned g = 0; g < 32; g++) // what relative reads find
        for (unsigned l = 0; l < LANES; l++) wave.gpr[40 + g][0][l] = 1000 + g;
    static const float parameters[32][4][3];
    const sw_terascale_wave_options o = {
        .size = sizeof o,
        .constants = constants,
        .constants_size = sizeof constants,
        .parameters = parameters,
        .setup = &(sw_terascale_setup){.size = sizeof(sw_terascale_setup), .strict = true}};
    if (!status) status = sw_terascale_run_wave(object, size, &o, &wave, &sink);
    memcpy(r->out, wave.gpr[20], sizeof r->out);
    r->valid = wave.valid;
    sw_free(object);
    text_free(&t);
    return status;
}

static inline void fill(struct rig *r, bool floats) {
    static const uint32_t edges[] = {0,          0x80000000, 1,          0xffffffff, 0x7fffffff, 0x3f800000,
                                     0xbf800000, 0x7f800000, 0xff800000, 0x7fc00000, 0x3f000000, 31,
                                     32,         0x00ffffff, 0x4f000000, 0x7f7fffff};
    for (unsigned i = 0; i < 3; i++)
        for (unsigned l = 0; l < LANES; l++) {
            uint32_t v = random32();
            if (floats && v % 3 == 0) v = word((float)((int32_t)random32() % 4000) / 16.0f);
            if (random32() % 3 == 0) v = edges[random32() % 16];
            if (floats && !(v & 0x7f800000))
                v &= 0x80000000; // denormals are flushed, which another test shows
            r->in[i][l] = v;
        }
}

#endif
