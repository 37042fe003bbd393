// SPDX-License-Identifier: MIT
// What pixel shaders find: parameters of their triangle, coordinates in it, position and face.
#ifndef TERASCALE_DRAW_H
#define TERASCALE_DRAW_H

#include "terascale/machine/machine.h"
#include "terascale/draw/raster.h"

enum { TS_PARAMETERS = 32, TS_BARYCENTRICS = 6 };

// What the registers of the SPI say, and which components of targets are written.
struct ts_inputs {
    unsigned count; // of GPRs with parameters, on R600 and R700; 0: as many as the vertex shader exports
    struct {
        uint8_t semantic, default_value;
        bool flat, linear;
    } input[TS_PARAMETERS];
    uint8_t outputs[40];               // semantics of what the vertex shader exports
    bool barycentric[TS_BARYCENTRICS]; // with perspective: sample, centre, centroid; the same flat
    bool position, face;
    uint8_t position_gpr, face_gpr, face_channel;
    uint32_t written; // four bits a target
};
// SW_UNSUPPORTED: they ask for what is not known.
sw_status ts_take_inputs(const struct ts_state *s, struct ts_inputs *out, const char *file,
                         const sw_sink *sink);
// Parameters of a triangle, in the order of the pixel shader: of each component the value at the first
// vertex, and what the second and the third have more. `exported`: those that the vertices have.
void ts_make_parameters(const struct ts_inputs *in, uint32_t exported, const float *const vertices[3],
                        float out[TS_PARAMETERS][4][3]);
// The registers of the four lanes from `lane` on.
void ts_give_inputs(const struct ts_inputs *in, enum ts_family family, const struct ts_quad *q,
                    const float (*parameters)[4][3], struct ts_wave *w, unsigned lane);

#endif
