// SPDX-License-Identifier: MIT
// Tensors (CDNA5 10.11, tensor_trials.h), arrivals at barriers in LDS (the pseudo-code of 15.15, opcodes 86
// and 117; a count of 29 bits: ERR-45), and rays against the nodes of GFX12 (bvh8_trials.h).
#ifndef TESTS_PSEUDOCODE_TENSOR_PAIRS_H
#define TESTS_PSEUDOCODE_TENSOR_PAIRS_H

#include "device/bvh8_trials.h"
#include "device/tensor_trials.h"
#include "image_pairs.h"

enum { ARRIVE_ADDRESS = 4, ARRIVE_DATA = 10, ARRIVE_TO = 20, ARRIVE_WIDTH = 29 };
static bool is_arrival(const struct row *row) { return strstr(row_id(row), "barrier_arrive") != NULL; }
static bool returns_arrival(const struct row_trial *t) { return strstr(row_id(t->row), "_rtn_") != NULL; }
static bool make_arrival(struct row_rig *r, struct row_trial *t) {
    (void)r;
    t->in.f[F_addr] = SRC_VGPR0 + ARRIVE_ADDRESS;
    t->in.f[F_offset0] = 8 * (int)(row_random() % 32);
    if (!returns_arrival(t)) return true;
    t->in.f[F_data0] = SRC_VGPR0 + ARRIVE_DATA, t->in.f[F_vdst] = SRC_VGPR0 + ARRIVE_TO;
    return true;
}
// Lanes meet at few barriers, in order, which are about to be complete now and then.
static void set_arrival(struct row_rig *r, const struct row_trial *t) {
    for (unsigned l = 0; l < r->lanes; l++) {
        const unsigned at = 8 * (row_random() % (t->number % 3 ? 512 : 5));
        const uint32_t state =
            row_random() % 3 ? (row_random() & 0xe0000000) | row_random() % 4 : row_random();
        r->before.v[ARRIVE_ADDRESS][l] = at;
        if (row_random() & 1) r->before.v[ARRIVE_DATA][l] = row_random() % 4;
        memcpy(r->before.lds + at + (unsigned)t->in.f[F_offset0], &state, sizeof state);
    }
}
static void check_arrival(struct row_rig *r, const struct row_trial *t) {
    static uint8_t lds[ROW_LDS];
    memcpy(lds, r->before.lds, sizeof lds);
    row_others_stay(r, t, ARRIVE_TO, returns_arrival(t) ? 2 : 0);
    for (unsigned l = 0; l < r->lanes; l++) {
        uint32_t old[2];
        if (!row_executes(r, l)) continue;
        uint8_t *at = lds + r->before.v[ARRIVE_ADDRESS][l] + t->in.f[F_offset0];
        memcpy(old, at, sizeof old);
        uint32_t state = old[0] - (returns_arrival(t) ? r->before.v[ARRIVE_DATA][l] : 1);
        const uint32_t ones = (1u << ARRIVE_WIDTH) - 1, phase = state >> ARRIVE_WIDTH, pending = state & ones;
        if (pending >> (ARRIVE_WIDTH - 1)) state = phase << ARRIVE_WIDTH | (old[1] & 0xffff & ones);
        memcpy(at, &state, sizeof state);
        for (unsigned i = 0; i < 2 && returns_arrival(t); i++)
            if (r->after.v[ARRIVE_TO + i][l] != old[i])
                row_fail(r, t, "the state before", l, old[i], r->after.v[ARRIVE_TO + i][l]);
    }
    row_memory_is(r, t, r->before.memory, lds);
}
static const struct row_kind arrival_kind = {make_arrival, set_arrival, check_arrival};
static unsigned arrivals_of(const sw_processor *p, const struct isa *isa, bool *seen) {
    static struct row_rig r;
    enum { EACH = 12 };
    r.failures = 0, r.p = p, r.isa = isa, r.lanes = 32;
    for (unsigned row = 0; row < isa_row_count; row++)
        for (unsigned n = 0; n < EACH && has_row(isa, row) && is_arrival(&isa_rows[row]); n++)
            seen[row] |= row_add(&r, &arrival_kind, &isa->codings[isa->row_codings[row]], n);
    row_run(&r);
    return r.failures;
}

static void tensors_on(const char *processor) {
    enum { EACH = 60 };
    tensor_trials(processor, TENSOR_PIECE("load"), EACH, false, false);
    tensor_trials(processor, TENSOR_PIECE("load_two_groups"), EACH, false, true);
    tensor_trials(processor, TENSOR_PIECE("store"), EACH, true, false);
}
// All lanes of a wave of 32, each with a node and a ray of its own.
static void new_nodes_on(const sw_processor *p, const struct isa *isa) {
    const struct machine_kind m = image_machine(p, isa, true);
    struct image_run r;
    enum { EACH = 20 };
    image_open(&r, &m);
    compared8 = met8 = 0;
    for (unsigned trial = 0; trial < EACH; trial++) {
        grid_on(&r, trial), instances_on(&r, trial), pairs_on(&r, trial);
        two_on(&r, trial, false), two_on(&r, trial, true);
    }
    assert_true(met8 > 1000 && compared8 > 2 * met8);
    image_close(&r);
}
static unsigned tensors_of(const sw_processor *p, const struct isa *isa, bool *seen) {
    static const char *const rows[] = {"tensor_load_to_lds", "tensor_store_from_lds",
                                       "image_bvh8_intersect_ray", "image_bvh_dual_intersect_ray"};
    if (has_row_named(isa, rows[0])) tensors_on(sw_processor_name(p));
    if (has_row_named(isa, rows[2])) new_nodes_on(p, isa);
    for (unsigned row = 0; row < isa_row_count; row++)
        for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++)
            seen[row] |=
                has_row(isa, row) && !strcmp(row_id(&isa_rows[row]), rows[i]); // a difference ends the test
    return arrivals_of(p, isa, seen);
}

#endif
