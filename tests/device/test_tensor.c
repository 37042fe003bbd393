// SPDX-License-Identifier: MIT
// Transfers of tensors (CDNA5): random descriptors against the manual's formulas, one element at a time
// (10.11.2 to 10.11.4): bounds, gaps, rows by number, several tiles, what lies outside of LDS, and the
// barrier that is arrived at behind them (ERR-45). Descriptors that are refused, and memory that is not the
// kernel's.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "covered.h"
#include "piece.h"
#include "rig.h"

enum { LDS = 4096, MEMORY = 1 << 16, TRIALS = 400 };

#define DESCRIPTOR                                                                                           \
    ".amdhsa_next_free_vgpr 16\n.amdhsa_next_free_sgpr 32\n.amdhsa_user_sgpr_kernarg_segment_ptr 1\n"        \
    ".amdhsa_group_segment_fixed_size 4096\n"

static uint64_t chance = 0x243f6a8885a308d3;
static uint32_t draw(uint32_t below) {
    chance = chance * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(chance >> 33) % below;
}

// A descriptor as its fields say, before they are packed.
struct tensor {
    unsigned count, type, size; // size: logarithm
    bool named, wide, iterates, pads, arrives;
    uint32_t lds, interval, amount, barrier;
    uint64_t offset; // in memory, in bytes
    uint32_t bound[5], tile[5], rows[16];
    uint64_t stride[5]; // [0] is 1
    uint32_t lds_step, tiles;
    uint64_t memory_step;
};

static void put(uint32_t *words, unsigned low, unsigned width, uint64_t v) {
    for (unsigned i = 0; i < width; i++)
        if (v >> i & 1) words[(low + i) / 32] |= 1u << (low + i) % 32;
}
// Tables 62 to 67.
static void pack(const struct tensor *t, uint64_t base, uint32_t out[20]) {
    uint32_t *g0 = out, *g1 = out + 4, *g2 = out + 12, *g3 = out + 16;
    memset(out, 0, 20 * sizeof *out);
    put(g0, 0, 2, t->count), put(g0, 30, 1, t->wide), put(g0, 31, 1, t->named);
    put(g0, 32, 32, t->lds), put(g0, 64, 57, base + t->offset), put(g0, 126, 2, t->type);
    put(g1, 16, 2, t->size), put(g1, 18, 1, t->arrives), put(g1, 19, 1, t->iterates), put(g1, 20, 1, t->pads);
    put(g1, 22, 3, t->interval), put(g1, 25, 7, t->amount), put(g1, 32, 16, t->barrier / 8);
    put(g1, 48, 32, t->bound[0]), put(g1, 80, 32, t->bound[1]);
    for (unsigned i = 0; i < 3; i++) put(g1, 112 + 16 * i, 16, t->tile[i]);
    put(g1, 160, 48, t->stride[1]), put(g1, 208, 48, t->stride[2]);
    if (t->named) {
        for (unsigned i = 0; i < 16; i++) {
            if (t->wide && i < 8) put(i < 4 ? g2 : g3, i % 4 * 32, 32, t->rows[i]);
            if (!t->wide) put(i < 8 ? g2 : g3, i % 8 * 16, 16, t->rows[i]);
        }
        return;
    }
    put(g2, 0, 32, t->bound[2]);
    put(g2, 32, 32, t->iterates ? t->lds_step : t->bound[3]);
    put(g2, 64, 48, t->iterates ? t->memory_step : t->stride[3]);
    put(g2, 112, 16, t->iterates ? t->tiles - 1 : t->tile[3]);
    if (t->iterates) return;
    put(g3, 0, 48, t->stride[4]), put(g3, 48, 32, t->bound[4]), put(g3, 80, 16, t->tile[4]);
}

static struct tensor random_tensor(bool two_groups) {
    struct tensor t = {.count = 1, .type = 2, .size = draw(4)};
    const unsigned bytes = 1u << t.size, kind = two_groups ? 0 : draw(4);
    const unsigned rank = two_groups ? 1 + draw(2) : kind == 2 ? 2 + draw(2) : 1 + draw(5);
    static const unsigned most[] = {40, 10, 5, 3, 3};
    t.named = kind == 1, t.iterates = kind == 2;
    t.wide = t.named && draw(2);
    for (unsigned d = 0; d < 5; d++) {
        t.bound[d] = draw(most[d] + 4);
        t.stride[d] = d ? draw(d == 1 ? 60 : 300) : 1;
        if (d < rank) t.tile[d] = 1 + draw(most[d]);
    }
    if (!draw(12)) t.tile[0] = 0;
    if (rank > 2 && !draw(6)) t.tile[1] = 0; // a dimension left out
    if (t.named) {
        t.tile[1] = draw(t.wide ? 9 : 17);
        t.bound[1] = draw(60);
        for (unsigned i = 0; i < 16; i++) t.rows[i] = draw(60);
    }
    t.tiles = 1 + draw(3), t.lds_step = draw(600), t.memory_step = draw(1000);
    if (draw(2)) { // the first dimension is whole dwords
        t.pads = true, t.interval = draw(8), t.amount = draw(20);
        if (bytes < 4) t.tile[0] = (t.tile[0] + 3) / 4 * 4;
    }
    t.lds = draw(8) ? draw(256) * 8 : LDS - draw(20) * 8;
    t.offset = draw(1000) * bytes;
    t.arrives = !draw(3), t.barrier = draw(LDS / 8 + 4) * 8;
    return t;
}

// ---- What the manual says ----

struct world {
    uint8_t lds[LDS], memory[MEMORY];
};

// Bits of the state as the pseudo-code of DS_ATOMIC_ASYNC_BARRIER_ARRIVE_B64 has them, with a width of 29.
static void arrive(uint8_t lds[LDS], uint32_t at) {
    uint32_t state, init;
    if (at + 8 > LDS) return;
    memcpy(&state, lds + at, 4), memcpy(&init, lds + at + 4, 4);
    state -= 1;
    uint32_t phase = state >> 29, pending = state & 0x1fffffff;
    if (pending & 0x10000000) pending = init & 0xffff;
    state = phase << 29 | pending;
    memcpy(lds + at, &state, 4);
}

static void element(const struct tensor *t, struct world *w, bool stores, uint64_t at, uint64_t lds,
                    bool in) {
    const unsigned bytes = 1u << t->size;
    for (unsigned b = 0; b < bytes; b++) {
        if (lds + b >= LDS) continue;
        if (stores && in) w->memory[at + b] = w->lds[lds + b];
        if (!stores) w->lds[lds + b] = in ? w->memory[at + b] : 0;
    }
}
// False: an element of the tensor lies behind the memory.
static bool one_tile(const struct tensor *t, struct world *w, bool stores, unsigned n) {
    const unsigned bytes = 1u << t->size;
    uint32_t tile[5], at[5];
    uint64_t linear = 0;
    for (unsigned d = 0; d < 5; d++) {
        tile[d] = t->tile[d] || !d || (t->named && d == 1) ? t->tile[d] : 1;
        if ((t->named && d > 1) || (t->iterates && d > 2)) tile[d] = 1;
    }
    for (at[4] = 0; at[4] < tile[4]; at[4]++)
        for (at[3] = 0; at[3] < tile[3]; at[3]++)
            for (at[2] = 0; at[2] < tile[2]; at[2]++)
                for (at[1] = 0; at[1] < tile[1]; at[1]++)
                    for (at[0] = 0; at[0] < tile[0]; at[0]++, linear++) {
                        uint64_t index = t->iterates ? n * t->memory_step : 0;
                        bool in = true;
                        for (unsigned d = 0; d < 5; d++) {
                            const uint32_t c = t->named && d == 1 ? t->rows[at[1]] : at[d];
                            const bool used =
                                (!d || t->tile[d]) && !(t->named && d > 1) && !(t->iterates && d > 2);
                            if (!used) continue;
                            in &= c < t->bound[d];
                            index += c * t->stride[d];
                        }
                        const uint64_t place = t->offset + index * bytes, offset = linear * bytes;
                        uint64_t lds =
                            t->lds + offset + (t->iterates ? (uint64_t)n * t->lds_step * bytes : 0);
                        // 4 * 2^(interval + 1) bytes, then (amount + 1) dwords that are left out
                        if (t->pads && !stores)
                            lds += offset / (4u << (t->interval + 1)) * 4 * (t->amount + 1);
                        if (in && lds < LDS && place + bytes > MEMORY) return false;
                        element(t, w, stores, place, lds, in);
                    }
    return true;
}
static bool expect(const struct tensor *t, struct world *w, bool stores) {
    if (!t->count || !t->tile[0]) return true;
    for (unsigned n = 0; n < (t->iterates ? t->tiles : 1); n++)
        if (!one_tile(t, w, stores, n)) return false;
    if (t->arrives) arrive(w->lds, t->barrier);
    return true;
}

// ---- Runs ----

struct machine {
    struct rig r;
    uint8_t *from, *to, *memory;
    uint32_t *kernarg;
};
static void open_machine(struct machine *m, const char *piece) {
    char code[8192];
    snprintf(code, sizeof code, "%s%s%s", PIECE("fill"), piece, PIECE("keep"));
    if (!rig_open(&m->r, "gfx1250", code, DESCRIPTOR)) fail_msg("%s", code);
    m->from = sw_device_alloc(m->r.device, LDS);
    m->to = sw_device_alloc(m->r.device, LDS);
    m->memory = sw_device_alloc(m->r.device, MEMORY);
    m->kernarg = sw_device_alloc(m->r.device, 128);
    memcpy(m->kernarg, &(uint64_t){(uintptr_t)m->from}, 8);
    memcpy(m->kernarg + 2, &(uint64_t){(uintptr_t)m->to}, 8);
}
static sw_fault_kind run(struct machine *m, const struct tensor *t, const struct world *before,
                         struct world *after, sw_fault *fault) {
    memcpy(m->from, before->lds, LDS);
    memcpy(m->memory, before->memory, MEMORY);
    memset(m->to, 0x55, LDS);
    pack(t, (uint64_t)(uintptr_t)m->memory, m->kernarg + 4);
    *fault = (sw_fault){.size = sizeof *fault};
    rig_run(&m->r, m->kernarg, 32, 32, fault);
    memcpy(after->lds, m->to, LDS);
    memcpy(after->memory, m->memory, MEMORY);
    return fault->kind;
}
static void fill_world(struct world *w) {
    for (unsigned i = 0; i < LDS; i++) w->lds[i] = (uint8_t)draw(256);
    for (unsigned i = 0; i < MEMORY; i++) w->memory[i] = (uint8_t)draw(256);
}

static void trials(const char *piece, bool stores, bool two_groups) {
    static struct world before, want, got;
    struct machine m;
    sw_fault fault;
    unsigned moved = 0;
    open_machine(&m, piece);
    fill_world(&before);
    for (unsigned n = 0; n < TRIALS; n++) {
        struct tensor t = random_tensor(two_groups);
        if (!draw(20)) t.count = 0;
        want = before;
        if (!expect(&t, &want, stores)) continue;
        assert_int_equal(run(&m, &t, &before, &got, &fault), SW_FAULT_NONE);
        for (unsigned i = 0; i < LDS; i++)
            if (got.lds[i] != want.lds[i])
                fail_msg("descriptor %u: LDS byte %u: %02x != %02x", n, i, got.lds[i], want.lds[i]);
        for (unsigned i = 0; i < MEMORY; i++)
            if (got.memory[i] != want.memory[i])
                fail_msg("descriptor %u: byte %u: %02x != %02x", n, i, got.memory[i], want.memory[i]);
        moved += memcmp(&want, &before, sizeof want) != 0;
    }
    assert_true(moved > TRIALS / 2);
    rig_close(&m.r);
}
static void loads(void **state) {
    (void)state;
    covered("tensor_transfer");
    trials(PIECE("load"), false, false);
}
static void loads_by_two_groups(void **state) {
    (void)state;
    trials(PIECE("load_two_groups"), false, true);
}
static void loads_whatever_exec_is(void **state) {
    (void)state;
    trials(PIECE("load_without_lanes"), false, false);
}
static void stores(void **state) {
    (void)state;
    trials(PIECE("store"), true, false);
}

static void refused(void **state) {
    (void)state;
    static struct world before, got;
    struct machine m;
    sw_fault fault;
    const struct tensor good = {
        .count = 1, .type = 2, .size = 2, .tile = {4, 4}, .bound = {4, 4}, .stride = {1, 4}};
    struct tensor t = good;
    open_machine(&m, PIECE("load"));
    assert_int_equal(run(&m, &t, &before, &got, &fault), SW_FAULT_NONE);
    t.type = 1;
    assert_int_equal(run(&m, &t, &before, &got, &fault), SW_FAULT_UNSUPPORTED);
    assert_string_equal(fault.reason, "a tensor descriptor whose type is not 2");
    t = good, t.count = 2;
    assert_int_equal(run(&m, &t, &before, &got, &fault), SW_FAULT_UNSUPPORTED);
    t = good, t.named = true, t.tile[1] = 17;
    assert_int_equal(run(&m, &t, &before, &got, &fault), SW_FAULT_UNSUPPORTED);
    t = good, t.iterates = true, t.tiles = 257;
    assert_int_equal(run(&m, &t, &before, &got, &fault), SW_FAULT_UNSUPPORTED);
    t = good, t.offset = (uint64_t)1 << 40;
    assert_int_equal(run(&m, &t, &before, &got, &fault), SW_FAULT_READ);
    assert_int_equal(fault.lane, -1);
    rig_close(&m.r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loads),
        cmocka_unit_test(loads_by_two_groups),
        cmocka_unit_test(loads_whatever_exec_is),
        cmocka_unit_test(stores),
        cmocka_unit_test(refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
