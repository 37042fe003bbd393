// SPDX-License-Identifier: MIT
// Copies between memory and LDS, as the manuals' chapters state them: by lane from M0 on (CDNA4 10.3 and
// 9.1.9), and by addresses in registers (CDNA5 10.8.1); loads for a cluster, of which the work-group is the
// only one (CDNA5 10.7: downgraded to global loads).
#ifndef TESTS_PSEUDOCODE_COPY_PAIRS_H
#define TESTS_PSEUDOCODE_COPY_PAIRS_H

#include "row_runner.h"

enum {
    C_ADDRESS = 2,
    C_DATA = 8,
    C_SADDR = 8,
    C_SOFFSET = 20,
    C_LANE = 64
}; // C_LANE: bytes of memory of a lane

static bool has_part(const struct row *row, const char *part) { return strstr(row_id(row), part) != NULL; }
static bool is_copy(const struct row *row) {
    return has_part(row, "_load_lds_") || has_part(row, "_store_lds_") || has_part(row, "async_to_lds") ||
           has_part(row, "async_from_lds") || !strncmp(row_id(row), "cluster_load_b", 14);
}
static unsigned bytes_of_copy(const struct row *row) {
    const char *width = strrchr(row_id(row), '_') + 2; // b8, u16, b128
    return (unsigned)strtoul(width, NULL, 10) / 8;
}
static bool is_by_address(const struct row *row) { return has_part(row, "async"); }

static bool make_copy(struct row_rig *r, struct row_trial *t) {
    int32_t *f = t->in.f;
    const bool buffer = t->format == FMT_MUBUF, scratch = t->format == FMT_SCRATCH;
    t->a = !buffer && !scratch && row_random() & 1; // a scalar base
    f[F_offset] = (int)(row_random() % 4) * 16;
    if (insn_has(&t->in, F_vaddr)) f[F_vaddr] = SRC_VGPR0 + C_ADDRESS;
    if (insn_has(&t->in, F_saddr))
        f[F_saddr] = t->a ? C_SADDR : r->isa->null_register ? (int)r->isa->null_register : 127;
    if (insn_has(&t->in, F_sve)) f[F_sve] = scratch;
    if (insn_has(&t->in, F_lds)) f[F_lds] = 1;
    if (buffer) f[F_srsrc] = C_SADDR, f[F_soffset] = C_SOFFSET;
    if (is_by_address(t->row)) f[has_part(t->row, "store") ? F_vdata : F_vdst] = SRC_VGPR0 + C_DATA;
    if (!strncmp(row_id(t->row), "cluster_load_b", 14)) f[F_vdst] = SRC_VGPR0 + C_DATA;
    return true;
}
// Private memory lies dword by dword for the lanes.
static unsigned copy_place(const struct row_rig *r, const struct row_trial *t, unsigned lane, unsigned byte) {
    const unsigned at = t->b + (unsigned)t->in.f[F_offset] + byte;
    return t->format == FMT_SCRATCH ? at / 4 * 4 * r->lanes + 4 * lane + at % 4 : C_LANE * lane + at;
}
static void set_copy(struct row_rig *r, const struct row_trial *t) {
    const uint64_t base = (uint64_t)(uintptr_t)r->memory;
    struct wave *w = r->step->state;
    if (t->format == FMT_SCRATCH) w->scratch_base = base, w->scratch_size = ROW_MEMORY / 64;
    r->before.m0 = t->format == FMT_GLOBAL && r->isa->null_register ? 0 : 4 * (row_random() % 512);
    for (unsigned l = 0; l < r->lanes; l++) {
        const uint64_t at = base + C_LANE * l;
        r->before.v[C_ADDRESS][l] = t->format == FMT_SCRATCH ? 0 : t->a ? C_LANE * l : (uint32_t)at;
        r->before.v[C_ADDRESS + 1][l] = (uint32_t)(at >> 32);
        if (is_by_address(t->row)) r->before.v[C_DATA][l] = 16 * ((l * 37 + t->number) % 256);
    }
    r->before.s[C_SADDR] = (uint32_t)base, r->before.s[C_SADDR + 1] = (uint32_t)(base >> 32) & 0xffff;
    if (t->format != FMT_MUBUF) return;
    // A structured buffer whose index is the lane's number: add_tid.
    r->before.s[C_SADDR + 1] |= C_LANE << 16;
    r->before.s[C_SADDR + 2] = ROW_MEMORY, r->before.s[C_SADDR + 3] = 1 << 23 | 4 << 12;
    r->before.s[C_SOFFSET] = 0;
}
static unsigned lds_place(const struct row_rig *r, const struct row_trial *t, unsigned lane) {
    const unsigned apart = bytes_of_copy(t->row) > 4 ? 16 : 4;
    if (is_by_address(t->row)) return r->before.v[C_DATA][lane] + (unsigned)t->in.f[F_offset];
    return r->before.m0 + (unsigned)t->in.f[F_offset] + apart * lane;
}
// What a lane takes from memory; less than a dword is extended.
static unsigned copied(const struct row_rig *r, const struct row_trial *t, unsigned lane, uint8_t out[16]) {
    const unsigned bytes = bytes_of_copy(t->row);
    const bool extends = bytes < 4 && !is_by_address(t->row),
               is_signed = strrchr(row_id(t->row), '_')[1] == 'i';
    for (unsigned i = 0; i < bytes; i++) out[i] = r->before.memory[copy_place(r, t, lane, i)];
    for (unsigned i = bytes; extends && i < 4; i++) out[i] = is_signed && out[bytes - 1] >> 7 ? 255 : 0;
    return extends ? 4 : bytes;
}
static void check_copy(struct row_rig *r, const struct row_trial *t) {
    static uint8_t memory[ROW_MEMORY], lds[ROW_LDS];
    const bool in_registers = !strncmp(row_id(t->row), "cluster_load_b", 14),
               store = has_part(t->row, "_store_");
    uint8_t data[16];
    memcpy(memory, r->before.memory, sizeof memory), memcpy(lds, r->before.lds, sizeof lds);
    row_others_stay(r, t, C_DATA, in_registers ? bytes_of_copy(t->row) / 4 : 0);
    for (unsigned l = 0; l < r->lanes; l++) {
        if (!row_executes(r, l)) continue;
        for (unsigned i = 0; store && i < bytes_of_copy(t->row); i++)
            memory[copy_place(r, t, l, i)] = r->before.lds[lds_place(r, t, l) + i];
        if (store) continue;
        const unsigned n = copied(r, t, l, data);
        for (unsigned i = 0; in_registers && i < n; i += 4)
            if (memcmp(data + i, &r->after.v[C_DATA + i / 4][l], 4) != 0)
                row_fail(r, t, "what is loaded", l, *(const uint32_t *)(const void *)(data + i),
                         r->after.v[C_DATA + i / 4][l]);
        if (!in_registers) memcpy(lds + lds_place(r, t, l), data, n);
    }
    row_memory_is(r, t, memory, lds);
}
static const struct row_kind copy_kind = {make_copy, set_copy, check_copy};

#endif
