// SPDX-License-Identifier: MIT
// Trials of transfers of tensors (CDNA5): random descriptors against the manual's formulas, one element at a
// time (10.11.2 to 10.11.4): bounds, gaps, rows by number, several tiles, what lies outside of LDS, and the
// barrier that is arrived at behind them (ERR-45).
#ifndef TESTS_TENSOR_TRIALS_H
#define TESTS_TENSOR_TRIALS_H

#include "piece.h"
#include "rig.h"

// Pieces of tensor_trials.s.
#define TENSOR_PIECE(name) piece_of(tensor_source, name)
static const char tensor_source[] = __FILE__;

enum { TENSOR_LDS = 4096, TENSOR_MEMORY = 1 << 16 };

#define TENSOR_DESCRIPTOR                                                                                    \
    ".amdhsa_next_free_vgpr 16\n.amdhsa_next_free_sgpr 32\n.amdhsa_user_sgpr_kernarg_segment_ptr 1\n"        \
    ".amdhsa_group_segment_fixed_size 4096\n"

static uint64_t tensor_chance = 0x243f6a8885a308d3;
static inline uint32_t tensor_draw(uint32_t below) {
    tensor_chance = tensor_chance * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(tensor_chance >> 33) % below;
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

static inline void put_field(uint32_t *words, unsigned low, unsigned width, uint64_t v) {
    for (unsigned i = 0; i < width; i++)
        if (v >> i & 1) words[(low + i) / 32] |= 1u << (low + i) % 32;
}
// Tables 62 to 67.
static inline void pack_tensor(const struct tensor *t, uint64_t base, uint32_t out[20]) {
    uint32_t *g0 = out, *g1 = out + 4, *g2 = out + 12, *g3 = out + 16;
    memset(out, 0, 20 * sizeof *out);
    put_field(g0, 0, 2, t->count), put_field(g0, 30, 1, t->wide), put_field(g0, 31, 1, t->named);
    put_field(g0, 32, 32, t->lds), put_field(g0, 64, 57, base + t->offset), put_field(g0, 126, 2, t->type);
    put_field(g1, 16, 2, t->size), put_field(g1, 18, 1, t->arrives), put_field(g1, 19, 1, t->iterates),
        put_field(g1, 20, 1, t->pads);
    put_field(g1, 22, 3, t->interval), put_field(g1, 25, 7, t->amount), put_field(g1, 32, 16, t->barrier / 8);
    put_field(g1, 48, 32, t->bound[0]), put_field(g1, 80, 32, t->bound[1]);
    for (unsigned i = 0; i < 3; i++) put_field(g1, 112 + 16 * i, 16, t->tile[i]);
    put_field(g1, 160, 48, t->stride[1]), put_field(g1, 208, 48, t->stride[2]);
    if (t->named) {
        for (unsigned i = 0; i < 16; i++) {
            if (t->wide && i < 8) put_field(i < 4 ? g2 : g3, i % 4 * 32, 32, t->rows[i]);
            if (!t->wide) put_field(i < 8 ? g2 : g3, i % 8 * 16, 16, t->rows[i]);
        }
        return;
    }
    put_field(g2, 0, 32, t->bound[2]);
    put_field(g2, 32, 32, t->iterates ? t->lds_step : t->bound[3]);
    put_field(g2, 64, 48, t->iterates ? t->memory_step : t->stride[3]);
    put_field(g2, 112, 16, t->iterates ? t->tiles - 1 : t->tile[3]);
    if (t->iterates) return;
    put_field(g3, 0, 48, t->stride[4]), put_field(g3, 48, 32, t->bound[4]), put_field(g3, 80, 16, t->tile[4]);
}

static inline struct tensor random_tensor(bool two_groups) {
    struct tensor t = {.count = 1, .type = 2, .size = tensor_draw(4)};
    const unsigned bytes = 1u << t.size, kind = two_groups ? 0 : tensor_draw(4);
    const unsigned rank = two_groups  ? 1 + tensor_draw(2)
                          : kind == 2 ? 2 + tensor_draw(2)
                                      : 1 + tensor_draw(5);
    static const unsigned most[] = {40, 10, 5, 3, 3};
    t.named = kind == 1, t.iterates = kind == 2;
    t.wide = t.named && tensor_draw(2);
    for (unsigned d = 0; d < 5; d++) {
        t.bound[d] = tensor_draw(most[d] + 4);
        t.stride[d] = d ? tensor_draw(d == 1 ? 60 : 300) : 1;
        if (d < rank) t.tile[d] = 1 + tensor_draw(most[d]);
    }
    if (!tensor_draw(12)) t.tile[0] = 0;
    if (rank > 2 && !tensor_draw(6)) t.tile[1] = 0; // a dimension left out
    if (t.named) {
        t.tile[1] = tensor_draw(t.wide ? 9 : 17);
        t.bound[1] = tensor_draw(60);
        for (unsigned i = 0; i < 16; i++) t.rows[i] = tensor_draw(60);
    }
    t.tiles = 1 + tensor_draw(3), t.lds_step = tensor_draw(600), t.memory_step = tensor_draw(1000);
    if (tensor_draw(2)) { // the first dimension is whole dwords
        t.pads = true, t.interval = tensor_draw(8), t.amount = tensor_draw(20);
        if (bytes < 4) t.tile[0] = (t.tile[0] + 3) / 4 * 4;
    }
    t.lds = tensor_draw(8) ? tensor_draw(256) * 8 : TENSOR_LDS - tensor_draw(20) * 8;
    t.offset = tensor_draw(1000) * bytes;
    t.arrives = !tensor_draw(3), t.barrier = tensor_draw(TENSOR_LDS / 8 + 4) * 8;
    return t;
}

// ---- What the manual says ----

struct tensor_world {
    uint8_t lds[TENSOR_LDS], memory[TENSOR_MEMORY];
};

// Bits of the state as the pseudo-code of DS_ATOMIC_ASYNC_BARRIER_ARRIVE_B64 has them, with a width of 29.
static inline void tensor_arrive(uint8_t lds[TENSOR_LDS], uint32_t at) {
    uint32_t state, init;
    if (at + 8 > TENSOR_LDS) return;
    memcpy(&state, lds + at, 4), memcpy(&init, lds + at + 4, 4);
    state -= 1;
    uint32_t phase = state >> 29, pending = state & 0x1fffffff;
    if (pending & 0x10000000) pending = init & 0xffff;
    state = phase << 29 | pending;
    memcpy(lds + at, &state, 4);
}

static inline void move_element(const struct tensor *t, struct tensor_world *w, bool stores, uint64_t at,
                                uint64_t lds, bool in) {
    const unsigned bytes = 1u << t->size;
    for (unsigned b = 0; b < bytes; b++) {
        if (lds + b >= TENSOR_LDS) continue;
        if (stores && in) w->memory[at + b] = w->lds[lds + b];
        if (!stores) w->lds[lds + b] = in ? w->memory[at + b] : 0;
    }
}
// False: an element of the tensor lies behind the memory.
static inline bool move_tile(const struct tensor *t, struct tensor_world *w, bool stores, unsigned n) {
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
                        if (in && lds < TENSOR_LDS && place + bytes > TENSOR_MEMORY) return false;
                        move_element(t, w, stores, place, lds, in);
                    }
    return true;
}
static inline bool expect_tensor(const struct tensor *t, struct tensor_world *w, bool stores) {
    if (!t->count || !t->tile[0]) return true;
    for (unsigned n = 0; n < (t->iterates ? t->tiles : 1); n++)
        if (!move_tile(t, w, stores, n)) return false;
    if (t->arrives) tensor_arrive(w->lds, t->barrier);
    return true;
}

// ---- Runs ----

struct tensor_machine {
    struct rig r;
    uint8_t *from, *to, *memory;
    uint32_t *kernarg;
};
static inline void open_tensor(struct tensor_machine *m, const char *processor, const char *piece) {
    char code[8192];
    snprintf(code, sizeof code, "%s%s%s", TENSOR_PIECE("fill"), piece, TENSOR_PIECE("keep"));
    if (!rig_open(&m->r, processor, code, TENSOR_DESCRIPTOR)) fail_msg("%s", code);
    m->from = sw_device_alloc(m->r.device, TENSOR_LDS);
    m->to = sw_device_alloc(m->r.device, TENSOR_LDS);
    m->memory = sw_device_alloc(m->r.device, TENSOR_MEMORY);
    m->kernarg = sw_device_alloc(m->r.device, 128);
    memcpy(m->kernarg, &(uint64_t){(uintptr_t)m->from}, 8);
    memcpy(m->kernarg + 2, &(uint64_t){(uintptr_t)m->to}, 8);
}
static inline sw_fault_kind run_tensor(struct tensor_machine *m, const struct tensor *t,
                                       const struct tensor_world *before, struct tensor_world *after,
                                       sw_fault *fault) {
    memcpy(m->from, before->lds, TENSOR_LDS);
    memcpy(m->memory, before->memory, TENSOR_MEMORY);
    memset(m->to, 0x55, TENSOR_LDS);
    pack_tensor(t, (uint64_t)(uintptr_t)m->memory, m->kernarg + 4);
    *fault = (sw_fault){.size = sizeof *fault};
    rig_run(&m->r, m->kernarg, 32, 32, fault);
    memcpy(after->lds, m->to, TENSOR_LDS);
    memcpy(after->memory, m->memory, TENSOR_MEMORY);
    return fault->kind;
}
static inline void fill_tensor_world(struct tensor_world *w) {
    for (unsigned i = 0; i < TENSOR_LDS; i++) w->lds[i] = (uint8_t)tensor_draw(256);
    for (unsigned i = 0; i < TENSOR_MEMORY; i++) w->memory[i] = (uint8_t)tensor_draw(256);
}

// So many random descriptors, on a processor; a difference ends the test.
static inline void tensor_trials(const char *processor, const char *piece, unsigned count, bool stores,
                                 bool two_groups) {
    static struct tensor_world before, want, got;
    struct tensor_machine m;
    sw_fault fault;
    unsigned moved = 0;
    open_tensor(&m, processor, piece);
    fill_tensor_world(&before);
    for (unsigned n = 0; n < count; n++) {
        struct tensor t = random_tensor(two_groups);
        if (!tensor_draw(20)) t.count = 0;
        want = before;
        if (!expect_tensor(&t, &want, stores)) continue;
        assert_int_equal(run_tensor(&m, &t, &before, &got, &fault), SW_FAULT_NONE);
        for (unsigned i = 0; i < TENSOR_LDS; i++)
            if (got.lds[i] != want.lds[i])
                fail_msg("descriptor %u: LDS byte %u: %02x != %02x", n, i, got.lds[i], want.lds[i]);
        for (unsigned i = 0; i < TENSOR_MEMORY; i++)
            if (got.memory[i] != want.memory[i])
                fail_msg("descriptor %u: byte %u: %02x != %02x", n, i, got.memory[i], want.memory[i]);
        moved += memcmp(&want, &before, sizeof want) != 0;
    }
    assert_true(moved > count / 2);
    rig_close(&m.r);
}

#endif
