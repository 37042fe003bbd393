// SPDX-License-Identifier: MIT
// Trials of memory instructions: offsets, addresses, and what lies there. Included by trial.h.
#ifndef TESTS_PSEUDOCODE_MEMORY_TRIAL_H
#define TESTS_PSEUDOCODE_MEMORY_TRIAL_H

enum { LANE_BYTES = 32, MEMORY_BYTES = 4 * MEMORY_DWORDS, MIDDLE = MEMORY_BYTES / 2 };

_Static_assert((int)MEMORY_DWORDS == (int)VECTOR_MEMORY, "the memory of a line is that of a trial");

static bool is_float_type(unsigned type);
static bool is_memory_format(unsigned f) { return f == FMT_DS; }
static bool id_has(const struct row *row, const char *part) { return strstr(row_id(row), part) != NULL; }
static bool is_between_lanes(const struct row *row) {
    return row->class == CLASS_BETWEEN_LANES || row->src[1].type == T_SWIZZLE;
}
// What an instruction does something with.
static enum operand_type element_type(const struct row *row) {
    if (id_has(row, "bf16")) return T_V2BF16;
    if (id_has(row, "f16")) return T_V2F16;
    if (id_has(row, "_f32")) return T_F32;
    if (id_has(row, "_f64")) return T_F64;
    return id_has(row, "64") && !id_has(row, "stride64_b32") ? T_B64 : T_B32;
}
static unsigned element_bytes(const struct row *row) {
    return operand_dwords[element_type(row)] == 2 ? 8 : 4;
}
static bool has_stride64(const struct row *row) { return id_has(row, "stride64"); }

// ---- Offsets ----

static void fill_ds(const struct isa *isa, struct slot *s) {
    const struct row *row = s->row;
    struct insn *in = &s->in;
    unsigned offset;
    const unsigned and = below(32);
    if (row->flags & ROW_TWO_OFFSETS) {
        const unsigned most = has_stride64(row) ? 6 : LANE_BYTES / element_bytes(row);
        in->f[F_offset0] = (int)below(most), in->f[F_offset1] = (int)below(most);
        if (in->f[F_offset0] == in->f[F_offset1]) in->f[F_offset1] = (in->f[F_offset0] + 1) % (int)most;
        return;
    }
    if (id_has(row, "swizzle"))
        offset = s->number % 4 == 3 ? 0x8000 | below(256)
                 : s->number % 4 && isa->generation >= GFX9
                     ? 0xc000 | below(0x4000)
                     : and | (below(32) & ~and) << 5 | (below(32) & and) << 10;
    else if (is_between_lanes(row))
        offset = 4 * below(64);
    else if (id_has(row, "addtid") || id_has(row, "append") || id_has(row, "consume"))
        offset = 4 * below(512);
    else
        offset = s->number == 1 ? 0 : below(MIDDLE);
    in->f[F_offset0] = (int)(offset & 255), in->f[F_offset1] = (int)(offset >> 8);
}
static void fill_memory(const struct isa *isa, struct slot *s) {
    if (s->format == FMT_DS) fill_ds(isa, s);
}

// ---- Registers and memory ----

static struct place place_of(const struct isa *isa, const struct slot *s, struct operand_spec spec,
                             bool wave32);
static struct place place_of_field(const struct isa *isa, const struct slot *s, unsigned field, bool wave32) {
    for (unsigned i = 0; i < ROW_DST + ROW_SRC; i++) {
        const struct operand_spec spec = i < ROW_DST ? s->row->dst[i] : s->row->src[i - ROW_DST];
        if (spec.type && spec.field == field) return place_of(isa, s, spec, wave32);
    }
    return (struct place){P_NOWHERE, 0, 0};
}
// Where in memory a lane's first access is: lanes have places of their own, or share a few.
static unsigned target_of_lane(const struct isa *isa, const struct slot *s, unsigned lane) {
    const struct row *row = s->row;
    const unsigned own = (lane * 5 + 3) % 64, bytes = element_bytes(row);
    if (row->flags & ROW_TWO_OFFSETS) return own * (has_stride64(row) ? bytes : LANE_BYTES);
    // The order of lanes at one place is not told. It is theirs here, but a NaN's payload depends on it.
    const bool alone = (row->flags & ROW_STORE && !row->atomic) || is_float_type(element_type(row));
    const unsigned slot = s->number % 4 == 3 && !alone ? below(8) : own;
    const bool bent = !row->atomic && row->access && s->number && s->number % 3 == 0;
    return MIDDLE + slot * LANE_BYTES + (bent && isa->generation >= GFX9 ? below(4) : 0);
}
static void randomize_ds(const struct isa *isa, const struct slot *s, struct machine *m, unsigned lanes) {
    const struct row *row = s->row;
    const struct place address = place_of_field(isa, s, F_addr, lanes == 32);
    const bool two = row->flags & ROW_TWO_OFFSETS;
    const unsigned offset = two ? 0 : (unsigned)(s->in.f[F_offset0] | s->in.f[F_offset1] << 8);
    m->s[isa->m0_register] = id_has(row, "addtid")                             ? 4 * below(256)
                             : id_has(row, "append") || id_has(row, "consume") ? 0xffff
                                                                               : 0xffffffff;
    for (unsigned l = 0; l < lanes && address.kind == P_VGPR; l++) {
        const unsigned target = target_of_lane(isa, s, l);
        m->v[address.index][l] = is_between_lanes(row) ? (uint32_t)next64() & 0xffff : target - offset;
        const struct place data = place_of_field(isa, s, below(2) ? F_data0 : F_data1, lanes == 32);
        if (data.kind != P_VGPR || below(2) || target % 4) continue; // memory has what is compared
        for (unsigned i = 0; i < element_bytes(row) / 4; i++)
            m->mem[target / 4 + i] = m->v[data.index + i][l];
    }
}
static void randomize_memory(const struct isa *isa, const struct slot *s, struct machine *m, unsigned lanes) {
    const enum operand_type type = element_type(s->row);
    const unsigned step = element_bytes(s->row) / 4;
    for (unsigned i = 0; i < MEMORY_DWORDS; i += step) {
        const uint64_t x = element(type);
        m->mem[i] = (uint32_t)x;
        if (step == 2) m->mem[i + 1] = (uint32_t)(x >> 32);
    }
    for (unsigned i = 0; i < ROW_SRC; i++) { // data of that type
        const struct operand_spec spec = s->row->src[i];
        const struct place p = place_of(isa, s, spec, lanes == 32);
        if (!spec.type || p.kind != P_VGPR) continue;
        for (unsigned l = 0; l < lanes; l++)
            for (unsigned n = 0; n < operand_dwords[spec.type]; n += step) {
                const uint64_t x = element(type);
                m->v[p.index + n][l] = (uint32_t)x;
                if (step == 2) m->v[p.index + n + 1][l] = (uint32_t)(x >> 32);
            }
    }
    if (s->format == FMT_DS) randomize_ds(isa, s, m, lanes);
}
// What a vector's line does not name of memory.
static void clear_memory(struct machine *m, const uint8_t *touched) {
    for (unsigned i = 0; i < MEMORY_DWORDS; i++) {
        const uint8_t *t = touched + 4 * (size_t)i;
        if (!(t[0] | t[1] | t[2] | t[3])) m->mem[i] = vector_memory(i);
    }
}

#endif
