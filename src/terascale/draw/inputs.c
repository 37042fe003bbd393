// SPDX-License-Identifier: MIT
// Registers of the SPI: which parameter is which, and where a pixel shader finds what.
#include "base/bytes.h"
#include "terascale/draw/draw.h"

enum {
    REG_VS_OUT_ID_OLD = 0x28614,
    REG_VS_OUT_ID = 0x2861c,
    REG_PS_IN_CONTROL_1 = 0x286d0,
    REG_ALPHA_TEST = 0x28410,
    REG_TARGET_MASK = 0x28238,
    REG_VS_OUT_CNTL = 0x2881c,
};

static uint32_t get(const struct ts_state *s, uint32_t reg, unsigned lo, unsigned width) {
    return (uint32_t)bits(ts_state_get(s, reg), lo, width);
}

// What is asked for and not known, or NULL.
static const char *problem_of(const struct ts_state *s) {
    const bool newer = s->family >= TS_EVERGREEN;
    for (unsigned i = 0; i < TS_PARAMETERS; i++)
        if (get(s, TS_REG_PS_INPUT_CNTL + 4 * i, 13, 4)) return "what CYL_WRAP does is not known";
    if (get(s, TS_REG_PS_IN_CONTROL, 15, 4)) return "parameters made by PARAM_GEN are not executed";
    if (get(s, REG_PS_IN_CONTROL_1, 8, 1) && get(s, REG_PS_IN_CONTROL_1, 11, 1))
        return "what FRONT_FACE_ALL_BITS gives is not known";
    if (get(s, REG_PS_IN_CONTROL_1, 24, 1)) return "fixed-point positions are not executed";
    if (!newer && get(s, REG_PS_IN_CONTROL_1, 0, 1)) return "what GEN_INDEX_PIX gives is not known";
    if (newer && get(s, TS_REG_BARYC_CNTL, 12, 2)) return "what PERSP_PULL_MODEL gives is not known";
    if (get(s, REG_ALPHA_TEST, 3, 1)) return "alpha tests are not executed";
    if (get(s, REG_VS_OUT_CNTL, 0, 16)) return "clip and cull distances are not executed";
    if (get(s, REG_VS_OUT_CNTL, 18, 2)) return "layers and viewports of vertices are not executed";
    return NULL;
}

sw_status ts_take_inputs(const struct ts_state *s, struct ts_inputs *out, const char *file,
                         const sw_sink *sink) {
    static const uint8_t kinds[TS_BARYCENTRICS] = {8, 0, 4, 24, 16, 20}; // where SPI_BARYC_CNTL has them
    const bool newer = s->family >= TS_EVERGREEN;
    const char *problem = problem_of(s);
    const sw_location at = {.file = file};
    bool any = false;
    *out = (struct ts_inputs){.count = get(s, TS_REG_PS_IN_CONTROL, 0, 6),
                              .position = get(s, TS_REG_PS_IN_CONTROL, 8, 1),
                              .position_gpr = (uint8_t)get(s, TS_REG_PS_IN_CONTROL, 10, 5),
                              .face = get(s, REG_PS_IN_CONTROL_1, 8, 1),
                              .face_channel = (uint8_t)get(s, REG_PS_IN_CONTROL_1, 9, 2),
                              .face_gpr = (uint8_t)get(s, REG_PS_IN_CONTROL_1, 12, 5)};
    if (problem) return diag_fail(sink, SW_UNSUPPORTED, &at, "%s", problem);
    for (unsigned i = 0; i < TS_PARAMETERS; i++) {
        const uint32_t reg = TS_REG_PS_INPUT_CNTL + 4 * i;
        out->input[i].semantic = (uint8_t)get(s, reg, 0, 8);
        out->input[i].default_value = (uint8_t)get(s, reg, 8, 2);
        out->input[i].flat = get(s, reg, 10, 1);
        out->input[i].linear = get(s, reg, 12, 1);
    }
    for (unsigned i = 0; i < 40; i++)
        out->outputs[i] =
            (uint8_t)get(s, (newer ? REG_VS_OUT_ID : REG_VS_OUT_ID_OLD) + i / 4 * 4, 8 * (i & 3), 8);
    for (unsigned i = 0; i < TS_BARYCENTRICS; i++)
        any |= out->barycentric[i] = newer && get(s, TS_REG_BARYC_CNTL, kinds[i], 2);
    if (!any) out->barycentric[1] = true;
    out->written = ts_state_get(s, REG_TARGET_MASK);
    if (!out->written) out->written = ~0u;
    return SW_OK;
}

// ---- Parameters ----

// The vertices' parameter of an input: that of its semantic; without one, the one of its number. -1: none.
static int source_of(const struct ts_inputs *in, uint32_t exported, unsigned i) {
    if (!in->input[i].semantic) return exported >> i & 1 ? (int)i : -1;
    for (unsigned k = 0; k < TS_PARAMETERS; k++)
        if (exported >> k & 1 && in->outputs[k] == in->input[i].semantic) return (int)k;
    return -1;
}

void ts_make_parameters(const struct ts_inputs *in, uint32_t exported, const float *const vertices[3],
                        float out[TS_PARAMETERS][4][3]) {
    static const float defaults[4][4] = {{0, 0, 0, 0}, {0, 0, 0, 1}, {1, 1, 1, 0}, {1, 1, 1, 1}};
    for (unsigned i = 0; i < TS_PARAMETERS; i++) {
        const int k = source_of(in, exported, i);
        for (unsigned c = 0; c < 4; c++) {
            const float *p[3];
            for (unsigned v = 0; v < 3; v++)
                p[v] = k < 0 ? &defaults[in->input[i].default_value][c] : &vertices[v][4 * k + (int)c];
            out[i][c][0] = *p[0];
            out[i][c][1] = in->input[i].flat ? 0 : *p[1] - *p[0];
            out[i][c][2] = in->input[i].flat ? 0 : *p[2] - *p[0];
        }
    }
}

// ---- Registers ----

static void put(struct ts_wave *w, unsigned gpr, unsigned channel, unsigned lane, double v) {
    if (gpr < TS_GPRS) w->gpr[gpr][channel][lane] = ts_bits((float)v);
}

// R600 and R700: the parameters themselves, from R0 on.
static void give_parameters(const struct ts_inputs *in, const struct ts_quad *q, const float (*p)[4][3],
                            struct ts_wave *w, unsigned lane, unsigned k) {
    const unsigned count = in->count ? in->count : TS_PARAMETERS;
    for (unsigned i = 0; i < count && i < TS_PARAMETERS; i++) {
        const double *ij = in->input[i].linear ? q->linear[k] : q->perspective[k];
        for (unsigned c = 0; c < 4; c++)
            put(w, i, c, lane, (double)p[i][c][0] + ij[0] * (double)p[i][c][1] + ij[1] * (double)p[i][c][2]);
    }
}

// Evergreen and later: pairs i, j for each kind, two in a register.
static void give_coordinates(const struct ts_inputs *in, const struct ts_quad *q, struct ts_wave *w,
                             unsigned lane, unsigned k) {
    for (unsigned i = 0, n = 0; i < TS_BARYCENTRICS; i++) {
        const double *ij = i < 3 ? q->perspective[k] : q->linear[k];
        if (!in->barycentric[i]) continue;
        put(w, n / 2, n % 2 * 2, lane, ij[0]);
        put(w, n / 2, n % 2 * 2 + 1, lane, ij[1]);
        n++;
    }
}

void ts_give_inputs(const struct ts_inputs *in, enum ts_family family, const struct ts_quad *q,
                    const float (*parameters)[4][3], struct ts_wave *w, unsigned lane) {
    for (unsigned k = 0; k < 4; k++) {
        if (family < TS_EVERGREEN)
            give_parameters(in, q, parameters, w, lane + k, k);
        else
            give_coordinates(in, q, w, lane + k, k);
        if (in->position) {
            const double at[4] = {q->x + (k & 1) + 0.5, q->y + (k >> 1) + 0.5, q->z[k], q->w[k]};
            for (unsigned c = 0; c < 4; c++) put(w, in->position_gpr, c, lane + k, at[c]);
        }
        if (in->face) put(w, in->face_gpr, in->face_channel, lane + k, q->front ? 1 : -1);
    }
}
