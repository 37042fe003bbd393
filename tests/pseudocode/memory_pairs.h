// SPDX-License-Identifier: MIT
// Rows of memory that the manuals tell in words or in tables: operations of LDS with itself (Vega 8.4, SRC2),
// cache operations, block transfers (RDNA4 10.7), counters of streamout (RDNA3, DS_ADD_GS_REG_RTN), counts in
// order, exports (Vega 11.1). Which kind of trial each row has, those of the files beside this one among
// them.
#ifndef TESTS_PSEUDOCODE_MEMORY_PAIRS_H
#define TESTS_PSEUDOCODE_MEMORY_PAIRS_H

#include "copy_pairs.h"
#include "interp_pairs.h"
#include "stack_pairs.h"
#include "transposed_pairs.h"

enum { M_ADDRESS = 2, M_DATA = 8, GDS_WORDS = 128 };

static bool id_begins(const struct row *row, const char *text) {
    return !strncmp(row_id(row), text, strlen(text));
}

// ---- LDS with itself: MEM[A] = MEM[A] op MEM[B] ----

enum { REGION = 128 }; // bytes of a lane

static bool make_src2(struct row_rig *r, struct row_trial *t) {
    (void)r;
    // Signed dwords, or by lane with the top bit; 8 is a multiple of both widths.
    static const int far[] = {0, 0, 2048, -2048};
    t->a = row_random() % 4;
    const bool by_lane = t->number % 3 == 2;
    const int offset =
        by_lane ? (int)(0x8000 | (row_random() & 0x7fff)) : far[t->a] + 2 * (int)(row_random() % 9) - 8;
    t->in.f[F_offset0] = offset & 255, t->in.f[F_offset1] = by_lane ? offset >> 8 : offset >> 8 & 127;
    t->in.f[F_addr] = SRC_VGPR0 + M_ADDRESS;
    return true;
}
static bool is_wide(const struct row *row) { return strstr(row_id(row), "64") != NULL; }
static bool is_of_floats(const struct row *row) {
    return strstr(row_id(row), "_f32") || strstr(row_id(row), "_f64");
}
static int src2_offset(const struct row_trial *t, uint32_t address) { // in bytes
    const int raw = t->in.f[F_offset0] | t->in.f[F_offset1] << 8;
    if (raw & 0x8000) return 4 * ((int32_t)address >> 17);
    return 4 * (int16_t)(uint16_t)(raw << 1) / 2;
}
static void set_src2(struct row_rig *r, const struct row_trial *t) {
    const int raw = t->in.f[F_offset0] | t->in.f[F_offset1] << 8;
    const bool by_lane = raw & 0x8000, upper = !by_lane && src2_offset(t, 0) < -1024;
    r->before.m0 = 0xffffffff;
    for (unsigned l = 0; l < r->lanes; l++) {
        const unsigned at = l * REGION + 32 + 8 * (row_random() % 4) + (upper ? ROW_LDS / 2 : 0);
        const int apart = (t->a == 2 ? 2048 : 0) + 2 * (int)(row_random() % 9) - 8;
        r->before.v[M_ADDRESS][l] = at | (by_lane ? (uint32_t)apart << 17 : 0);
    }
    for (unsigned i = 0; i < ROW_LDS && is_of_floats(t->row); i += is_wide(t->row) ? 8 : 4) {
        const double d = (double)((int)(row_random() % 4096) - 2048) / 16;
        const float f = (float)d;
        memcpy(r->before.lds + i, is_wide(t->row) ? (const void *)&d : &f, is_wide(t->row) ? 8 : 4);
    }
}
static double number_of(uint64_t bits, bool wide) {
    const uint32_t low = (uint32_t)bits;
    double d;
    float f;
    memcpy(&d, &bits, 8), memcpy(&f, &low, 4);
    return wide ? d : (double)f;
}
static uint64_t bits_of_number(double v, bool wide) {
    const float f = (float)v;
    uint64_t d;
    uint32_t low;
    memcpy(&d, &v, 8), memcpy(&low, &f, 4);
    return wide ? d : low;
}
// The manual's third column, word for word.
static uint64_t src2_result(const struct row *row, uint64_t a, uint64_t b) {
    const char *op = row_id(row) + 3;
    const bool wide = is_wide(row);
    const uint64_t all = wide ? ~0ull : 0xffffffff;
    const int64_t sa = wide ? (int64_t)a : (int32_t)a, sb = wide ? (int64_t)b : (int32_t)b;
    const bool is_signed = strstr(op, "_i32") || strstr(op, "_i64");
    if (is_of_floats(row)) {
        const double x = number_of(a, wide), y = number_of(b, wide);
        return bits_of_number(!strncmp(op, "add", 3)   ? y + x
                              : !strncmp(op, "min", 3) ? (y < x ? y : x)
                                                       : (y > x ? y : x),
                              wide);
    }
    if (!strncmp(op, "add", 3)) return (a + b) & all;
    if (!strncmp(op, "sub", 3)) return (a - b) & all;
    if (!strncmp(op, "rsub", 4)) return (b - a) & all;
    if (!strncmp(op, "inc", 3)) return a >= b ? 0 : a + 1;
    if (!strncmp(op, "dec", 3)) return a == 0 || a > b ? b : a - 1;
    if (!strncmp(op, "min", 3)) return (is_signed ? sa < sb : a < b) ? a : b;
    if (!strncmp(op, "max", 3)) return (is_signed ? sa > sb : a > b) ? a : b;
    if (!strncmp(op, "and", 3)) return a & b;
    if (!strncmp(op, "or", 2)) return a | b;
    if (!strncmp(op, "xor", 3)) return a ^ b;
    assert_true(!strncmp(op, "store", 5));
    return b;
}
static void check_src2(struct row_rig *r, const struct row_trial *t) {
    static uint8_t lds[ROW_LDS];
    const unsigned bytes = is_wide(t->row) ? 8 : 4;
    memcpy(lds, r->before.lds, ROW_LDS);
    for (unsigned l = 0; l < r->lanes; l++) {
        const uint32_t address = r->before.v[M_ADDRESS][l], at = address & 0x1ffff;
        uint64_t a = 0, b = 0;
        if (!row_executes(r, l)) continue;
        memcpy(&a, r->before.lds + at, bytes);
        memcpy(&b, r->before.lds + (int)at + src2_offset(t, address), bytes);
        a = src2_result(t->row, a, b);
        memcpy(lds + at, &a, bytes);
    }
    row_others_stay(r, t, 0, 0);
    row_memory_is(r, t, r->before.memory, lds);
}

// ---- What acts on caches, or on nothing ----

static bool acts_on_caches(const struct row *row) {
    static const char *const ids[] = {"buffer_gl", "buffer_wb",       "buffer_inv",    "global_inv",
                                      "global_wb", "global_prefetch", "flat_prefetch", "ds_nop"};
    for (unsigned i = 0; i < sizeof ids / sizeof *ids; i++)
        if (id_begins(row, ids[i])) return true;
    return false;
}
static bool make_nothing(struct row_rig *r, struct row_trial *t) {
    if (insn_has(&t->in, F_vaddr) && t->row->src[0].type) t->in.f[F_vaddr] = SRC_VGPR0 + M_ADDRESS;
    if (insn_has(&t->in, F_saddr) && r->isa->null_register) t->in.f[F_saddr] = (int)r->isa->null_register;
    return true;
}
static void set_nothing(struct row_rig *r, const struct row_trial *t) {
    (void)t;
    for (unsigned l = 0; l < r->lanes; l++) {
        const uint64_t at = (uint64_t)(uintptr_t)r->memory + row_random() % ROW_MEMORY;
        r->before.v[M_ADDRESS][l] = (uint32_t)at, r->before.v[M_ADDRESS + 1][l] = (uint32_t)(at >> 32);
    }
}
static void check_nothing(struct row_rig *r, const struct row_trial *t) {
    row_others_stay(r, t, 0, 0);
    row_memory_is(r, t, r->before.memory, r->before.lds);
}

// ---- Blocks: a register for each bit of M0, and the dword at its place ----

enum { BLOCK = 32, M_BLOCK = 16 };
static bool is_block(const struct row *row) { return strstr(row_id(row), "_block") != NULL; }
static bool make_block(struct row_rig *r, struct row_trial *t) {
    const bool scratch = t->format == FMT_SCRATCH, store = strstr(row_id(t->row), "store");
    t->in.f[F_offset] = 4 * (int)(row_random() % 32);
    t->in.f[F_vaddr] = SRC_VGPR0 + M_ADDRESS;
    t->in.f[F_saddr] = (int)r->isa->null_register;
    if (scratch) t->in.f[F_sve] = 1;
    t->in.f[store && insn_has(&t->in, F_vdata) ? F_vdata : F_vdst] = SRC_VGPR0 + M_BLOCK;
    if (t->number == 0) t->in.f[F_offset] = 0;
    return true;
}
// Private memory lies dword by dword for the lanes (RDNA4 10.4).
enum { PRIVATE = ROW_MEMORY / 64 };
static unsigned block_place(const struct row_rig *r, const struct row_trial *t, unsigned lane, unsigned n) {
    const unsigned at = (unsigned)r->before.s[ROW_SGPRS - 1] % 64 * 4 + (unsigned)t->in.f[F_offset] + 4 * n;
    return t->format == FMT_SCRATCH ? at / 4 * 4 * r->lanes + 4 * lane : lane * 512 + at;
}
static void set_block(struct row_rig *r, const struct row_trial *t) {
    struct wave *w = r->step->state;
    w->scratch_base = (uint64_t)(uintptr_t)r->memory, w->scratch_size = PRIVATE;
    for (unsigned l = 0; l < r->lanes; l++) {
        const unsigned first = block_place(r, t, l, 0) - (unsigned)t->in.f[F_offset];
        const uint64_t at = (uint64_t)(uintptr_t)r->memory + first;
        r->before.v[M_ADDRESS][l] = (uint32_t)at, r->before.v[M_ADDRESS + 1][l] = (uint32_t)(at >> 32);
        if (t->format == FMT_SCRATCH) r->before.v[M_ADDRESS][l] = r->before.s[ROW_SGPRS - 1] % 64 * 4;
    }
    if (t->number == 1) r->before.m0 = ~0u;
}
static void check_block(struct row_rig *r, const struct row_trial *t) {
    static uint8_t memory[ROW_MEMORY];
    const bool store = strstr(row_id(t->row), "store");
    memcpy(memory, r->before.memory, ROW_MEMORY);
    row_others_stay(r, t, M_BLOCK, store ? 0 : BLOCK);
    for (unsigned l = 0; l < r->lanes; l++)
        for (unsigned n = 0; n < BLOCK && row_executes(r, l); n++) {
            uint32_t want = r->before.v[M_BLOCK + n][l];
            const unsigned at = block_place(r, t, l, n);
            if (r->before.m0 >> n & 1)
                memcpy(store ? (void *)(memory + at) : &want, store ? (void *)&want : memory + at, 4);
            if (!store && r->after.v[M_BLOCK + n][l] != want)
                row_fail(r, t, "a register of the block", l, want, r->after.v[M_BLOCK + n][l]);
        }
    row_memory_is(r, t, memory, r->before.lds);
}

// ---- Counters of streamout ----

static uint32_t gs_registers[24]; // as the trials before this one left them
static bool is_gs_register(const struct row *row) { return strstr(row_id(row), "_gs_reg_") != NULL; }
static bool make_gs(struct row_rig *r, struct row_trial *t) {
    (void)r;
    t->in.f[F_offset0] = (int)(row_random() % 16) << 2;
    t->in.f[F_data0] = SRC_VGPR0 + M_DATA, t->in.f[F_vdst] = SRC_VGPR0 + M_BLOCK;
    t->in.f[F_gds] = 1;
    return true;
}
static void set_gs(struct row_rig *r, const struct row_trial *t) {
    (void)t;
    r->exec = 1ull << (row_random() % r->lanes);
}
static void check_gs(struct row_rig *r, const struct row_trial *t) {
    const unsigned n = (unsigned)t->in.f[F_offset0] >> 2 & 15, first = n > 7 ? (n - 8) * 2 + 8 : n;
    const unsigned l = (unsigned)__builtin_ctzll(r->exec);
    const uint64_t old = gs_registers[first] | (n > 7 ? (uint64_t)gs_registers[first + 1] << 32 : 0);
    const uint64_t v = r->before.v[M_DATA][l], now = strstr(row_id(t->row), "sub") ? old - v : old + v;
    row_others_stay(r, t, M_BLOCK, n > 7 ? 2 : 1);
    for (unsigned i = 0; i < (n > 7 ? 2u : 1u); i++) {
        if (r->after.v[M_BLOCK + i][l] != gs_registers[first + i])
            row_fail(r, t, "the old counter", l, gs_registers[first + i], r->after.v[M_BLOCK + i][l]);
        gs_registers[first + i] = (uint32_t)(now >> 32 * i);
    }
}

// ---- Counts in the order of waves, of which there is one here ----

// LLVM (ds_ordered_add, ds_ordered_swap) and Mesa: the first lane's value is added to a counter of the global
// data share, or put there; M0 says where the counters begin, the offset which one it is. From GFX11 on
// counters are the registers above (RDNA3, chapter 12).
static uint32_t ordered_counters[GDS_WORDS];
static bool make_ordered(struct row_rig *r, struct row_trial *t) {
    const bool registers = generation_within(r->isa->generation, GFX11);
    const bool swaps = row_random() & 1;
    t->in.f[F_offset0] =
        4 * (int)(registers ? swaps ? 4 + row_random() % 4 : row_random() % 8 : row_random() % 64);
    t->in.f[F_offset1] = swaps << 4;
    t->in.f[F_addr] = SRC_VGPR0 + M_DATA, t->in.f[F_vdst] = SRC_VGPR0 + M_BLOCK;
    t->in.f[F_gds] = 1;
    return true;
}
static void set_ordered(struct row_rig *r, const struct row_trial *t) {
    (void)t;
    r->before.m0 = (row_random() % 64 * 4) << 16;
    if (!r->exec) r->exec = 2;
}
static void check_ordered(struct row_rig *r, const struct row_trial *t) {
    const unsigned n = (unsigned)t->in.f[F_offset0] >> 2;
    uint32_t *counter = generation_within(r->isa->generation, GFX11)
                            ? &gs_registers[n]
                            : &ordered_counters[(r->before.m0 >> 18) + n];
    const uint32_t v = r->before.v[M_DATA][__builtin_ctzll(r->exec)], old = *counter;
    row_others_stay(r, t, M_BLOCK, 1);
    for (unsigned l = 0; l < r->lanes; l++)
        if (row_executes(r, l) && r->after.v[M_BLOCK][l] != old)
            row_fail(r, t, "the old count", l, old, r->after.v[M_BLOCK][l]);
    *counter = t->in.f[F_offset1] ? v : old + v;
}

// ---- Exports (Vega 11.1) ----

enum { EXPORT_FORMS = 12 }; // colours 0 to 7, positions 0 to 3
static bool make_export(struct row_rig *r, struct row_trial *t) {
    int32_t *f = t->in.f;
    static const int halves[] = {3, 12, 15};
    f[F_tgt] = t->number < 8 ? (int)t->number : (int)t->number + 4;
    f[F_compr] = insn_has(&t->in, F_compr) && row_random() & 1;
    f[F_en] = f[F_compr] ? halves[row_random() % 3] : (int)(row_random() % 16);
    f[F_vm] = insn_has(&t->in, F_vm) && row_random() & 1;
    f[F_done] = row_random() & 1;
    for (unsigned i = 0; i < 4; i++) f[F_vsrc0 + i] = SRC_VGPR0 + M_DATA + (int)(row_random() % 16);
    (void)r;
    return true;
}
static void set_export(struct row_rig *r, const struct row_trial *t) {
    (void)t;
    r->exports = 0;
}
static void check_export(struct row_rig *r, const struct row_trial *t) {
    row_others_stay(r, t, 0, 0);
    row_memory_is(r, t, r->before.memory, r->before.lds);
    if (r->exports != 1) row_fail(r, t, "the number of exports", 0, 1, r->exports);
}
// While it runs.
static void row_exported(void *context, const sw_export *e) {
    struct row_rig *r = context;
    const struct row_trial *t = &r->trials[r->current];
    const int32_t *f = t->in.f;
    r->exports++;
    if (e->target != (unsigned)f[F_tgt] || e->lanes != r->exec || e->done != f[F_done] ||
        e->compressed != f[F_compr] || e->valid_mask != f[F_vm])
        row_fail(r, t, "how it is exported", 0, (unsigned)f[F_tgt], e->target);
    for (unsigned i = 0; i < 4; i++) {
        const bool enabled = f[F_compr] ? i < 2 && f[F_en] >> 2 * i & 3 : f[F_en] >> i & 1;
        const uint32_t *from = r->before.v[f[F_vsrc0 + i] - SRC_VGPR0];
        if (enabled != (e->values[i] != NULL))
            row_fail(r, t, "which values are exported", i, enabled, !enabled);
        for (unsigned l = 0; e->values[i] && l < r->lanes; l++)
            if (row_executes(r, l) && e->values[i][l] != from[l])
                row_fail(r, t, "what is exported", l, from[l], e->values[i][l]);
    }
}

// ---- GLOBAL_ATOMIC_ORDERED_ADD_B64 (RDNA4's pseudo-code): who is next adds, and names the one after ----

enum { LAST_ORDERED = 4095 }; // a register of the driver: ERR-44
static bool make_next(struct row_rig *r, struct row_trial *t) {
    int32_t *f = t->in.f;
    f[F_vaddr] = SRC_VGPR0 + M_ADDRESS, f[F_vdata] = SRC_VGPR0 + M_DATA, f[F_vdst] = SRC_VGPR0 + M_BLOCK;
    f[F_saddr] = (int)r->isa->null_register, f[F_th] = 1, f[F_offset] = 8 * (int)(row_random() % 8);
    return true;
}
static unsigned next_place(const struct row_trial *t, unsigned lane) {
    return 128 * lane + (unsigned)t->in.f[F_offset];
}
static void set_next(struct row_rig *r, const struct row_trial *t) {
    for (unsigned l = 0; l < r->lanes; l++) {
        const uint64_t at = (uint64_t)(uintptr_t)r->memory + 128 * l;
        const uint32_t id = l % 7 ? row_random() & LAST_ORDERED : LAST_ORDERED;
        r->before.v[M_ADDRESS][l] = (uint32_t)at, r->before.v[M_ADDRESS + 1][l] = (uint32_t)(at >> 32);
        r->before.v[M_DATA][l] = id;
        if (row_random() & 1) memcpy(r->before.memory + next_place(t, l), &id, 4);
    }
}
static void check_next(struct row_rig *r, const struct row_trial *t) {
    static uint8_t memory[ROW_MEMORY];
    memcpy(memory, r->before.memory, ROW_MEMORY);
    row_others_stay(r, t, M_BLOCK, 2);
    for (unsigned l = 0; l < r->lanes; l++) {
        uint32_t old[2], now[2];
        if (!row_executes(r, l)) continue;
        memcpy(old, memory + next_place(t, l), sizeof old);
        const bool is_next = old[0] == r->before.v[M_DATA][l];
        now[0] = is_next ? (old[0] + 1) & LAST_ORDERED : old[0];
        now[1] = old[1] + (is_next ? r->before.v[M_DATA + 1][l] : 0);
        memcpy(memory + next_place(t, l), now, sizeof now);
        for (unsigned i = 0; i < 2; i++)
            if (r->after.v[M_BLOCK + i][l] != old[i])
                row_fail(r, t, "what is returned", l, old[i], r->after.v[M_BLOCK + i][l]);
    }
    row_memory_is(r, t, memory, r->before.lds);
}

static const struct row_kind src2_kind = {make_src2, set_src2, check_src2},
                             nothing_kind = {make_nothing, set_nothing, check_nothing},
                             block_kind = {make_block, set_block, check_block},
                             gs_kind = {make_gs, set_gs, check_gs},
                             ordered_kind = {make_ordered, set_ordered, check_ordered},
                             export_kind = {make_export, set_export, check_export},
                             next_kind = {make_next, set_next, check_next};
static const struct row_kind *kind_of_memory(const struct row *row, unsigned format) {
    if (id_begins(row, "ds_") && strstr(row_id(row), "_src2_")) return &src2_kind;
    if (format != FMT_SMEM && acts_on_caches(row)) return &nothing_kind;
    if (is_block(row)) return &block_kind;
    if (id_begins(row, "global_atomic_ordered_add")) return &next_kind;
    if (is_copy(row)) return &copy_kind;
    if (is_stack(row)) return &stack_kind;
    if (interpolates(row)) return &interp_kind;
    if (is_transposed(row)) return &transposed_kind;
    if (id_begins(row, "ds_ordered_count")) return &ordered_kind;
    if (format == FMT_EXP) return &export_kind;
    return is_gs_register(row) ? &gs_kind : NULL;
}
static unsigned memory_of_rows(const sw_processor *p, const struct isa *isa, bool *seen) {
    static struct row_rig r;
    enum { EACH = 12 };
    r.failures = 0;
    for (unsigned lanes = 32; lanes <= 64; lanes += 32) {
        if (lanes == 32 && !generation_within(isa->generation, GFX10)) continue;
        if (lanes == 64 && generation_within(isa->generation, GFX12_5)) continue;
        r.p = p, r.isa = isa, r.lanes = lanes, r.exported = row_exported;
        memset(gs_registers, 0, sizeof gs_registers);
        memset(ordered_counters, 0, sizeof ordered_counters);
        for (unsigned row = 0; row < isa_row_count; row++)
            for (unsigned c = isa->row_codings[row]; c < isa->row_codings[row + 1]; c++) {
                const struct row_kind *kind = kind_of_memory(&isa_rows[row], isa->codings[c].format);
                for (unsigned n = 0; kind && n < EACH; n++)
                    seen[row] |= row_add(&r, kind, &isa->codings[c], n);
            }
        row_run(&r);
    }
    return r.failures;
}

#endif
