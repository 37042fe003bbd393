// SPDX-License-Identifier: MIT
// Trials of memory instructions: offsets, addresses, and what lies there. Included by trial.h.
#ifndef TESTS_PSEUDOCODE_MEMORY_TRIAL_H
#define TESTS_PSEUDOCODE_MEMORY_TRIAL_H

enum { LANE_BYTES = 32, MEMORY_BYTES = 4 * MEMORY_DWORDS, MIDDLE = MEMORY_BYTES / 2, WINDOW = VECTOR_WINDOW };

_Static_assert((int)MEMORY_DWORDS == (int)VECTOR_MEMORY, "the memory of a line is that of a trial");

static bool is_float_type(unsigned type);
static bool is_memory_format(unsigned f) { return f == FMT_DS || reaches_global(f); }
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
// The order of lanes at one place is not told. It is theirs here, but a NaN's payload depends on it, and what
// stores leave.
static bool has_own_places(const struct row *row) {
    return (row->flags & ROW_STORE && !row->atomic) || is_float_type(element_type(row));
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
static bool has_no_scalar(const struct isa *isa, const struct insn *in) {
    if (in->format->id == FMT_FLAT && !isa->flat_saddr) return true;
    return !insn_has(in, F_saddr) || in->f[F_saddr] == (isa->null_register ? (int)isa->null_register : 127);
}
static void fill_flat(const struct isa *isa, struct slot *s, bool scalar, int offset) {
    struct insn *in = &s->in;
    if (insn_has(in, F_offset)) in->f[F_offset] = offset;
    if (insn_has(in, F_saddr) && !scalar)
        in->f[F_saddr] = isa->null_register || s->format == FMT_FLAT ? (int)isa->null_register : 127;
}
static void fill_buffer(struct slot *s) {
    const bool once = s->number % 4 == 1 && !has_own_places(s->row);
    s->in.f[F_offen] = !once && s->number % 4 != 2;
    s->in.f[F_idxen] = !once && s->number % 4 != 0;
    s->in.f[F_offset] = s->number == 1 ? 0 : 4 * (int)below(512);
}
enum { SMEM_OFFSET = 72 }; // the register with an offset of scalar memory
static bool has_scalar_offset(const struct isa *isa, const struct insn *in) {
    return insn_has(in, F_soffset) &&
           (insn_has(in, F_imm) ? in->f[F_soe] != 0 : in->f[F_soffset] != (int)isa->null_register);
}
static bool counts_dwords(const struct isa *isa, const struct insn *in) { // SI's manual: offsets of S_LOAD
    return in->format->id == FMT_SMEM && isa->generation <= GFX7;
}
static void fill_smem(const struct isa *isa, struct slot *s, bool scalar) {
    struct insn *in = &s->in;
    if (insn_has(in, F_imm)) in->f[F_imm] = 1;
    if (insn_has(in, F_soe)) in->f[F_soe] = scalar;
    if (insn_has(in, F_soffset))
        in->f[F_soffset] = scalar ? SMEM_OFFSET : insn_has(in, F_soe) ? 0 : (int)isa->null_register;
    in->f[F_offset] = counts_dwords(isa, in) ? (int)below(200) : 4 * (int)below(100);
}
// Private memory: a vector offset, a scalar one, or both where the instruction can say so.
static void fill_scratch(const struct isa *isa, struct slot *s, bool scalar) {
    struct insn *in = &s->in;
    const bool both = insn_has(in, F_sve) && s->number % 4 == 3;
    in->f[F_offset] = s->number == 1 ? 0 : s->number % 4 == 2 ? -(int)below(1024) : (int)below(8);
    if (insn_has(in, F_sve)) in->f[F_sve] = both || !scalar;
    if (!scalar) in->f[F_saddr] = isa->null_register ? (int)isa->null_register : 127;
    if (scalar && !both) in->f[F_vaddr] = SRC_VGPR0;
}
static bool has_vector_offset(const struct isa *isa, const struct insn *in) {
    return insn_has(in, F_sve) ? in->f[F_sve] != 0 : has_no_scalar(isa, in);
}
static bool is_settled(const struct isa *isa, struct slot *s, unsigned op, bool wave32) {
    struct insn again;
    s->size = insn_encode(isa, &s->in, op, s->bytes);
    if (insn_decode(isa, s->bytes, s->size, &again) != DECODE_OK || again.row != s->row ||
        !insn_is_canonical(isa, &again, wave32))
        return false;
    s->in = again;
    return true;
}
// The instruction with offsets, scalar bases and the value that an atomic returns as far as there are such.
static bool settle_memory(const struct isa *isa, struct slot *s, unsigned op, bool wave32) {
    const struct slot plain = *s;
    if (s->format == FMT_DS) {
        fill_ds(isa, s);
        return is_settled(isa, s, op, wave32);
    }
    const int offset = s->number == 1 ? 0 : (int)below(1024),
              sign = s->number % 4 == 3 && !id_has(s->row, "addtid") ? -1 : 1;
    for (unsigned way = 0; way < 16; way++) {
        *s = plain;
        const bool scalar = s->number % 2 && !(way & 1),
                   returns = s->row->atomic && s->number % 3 == 0 && !(way & 8);
        if (s->format == FMT_MUBUF)
            fill_buffer(s);
        else if (s->format == FMT_SMEM)
            fill_smem(isa, s, scalar);
        else if (s->format == FMT_SCRATCH)
            fill_scratch(isa, s, scalar);
        else
            fill_flat(isa, s, scalar || id_has(s->row, "addtid"),
                      way & 4   ? 0
                      : way & 2 ? offset
                                : sign * offset);
        if (returns && insn_has(&s->in, F_glc)) s->in.f[F_glc] = 1;
        if (returns && insn_has(&s->in, F_th)) s->in.f[F_th] = 1;
        if (s->row->atomic && s->row->dst[0].type && !returns && s->in.f[s->row->dst[0].field] >= SRC_VGPR0 &&
            s->row->dst[0].field == F_vdst)
            s->in.f[s->row->dst[0].field] = SRC_VGPR0;
        if (is_settled(isa, s, op, wave32)) return true;
    }
    return false;
}

// ---- Registers and memory ----

static struct place place_of(const struct isa *isa, const struct slot *s, struct operand_spec spec,
                             bool wave32);
static uint64_t global_base; // where memory of the device is; its lower 16 bits are zero
enum { NOT_BASE, BASE_LOW, BASE_HIGH };
static struct {
    uint8_t v[MACHINE_VGPRS], s[128];
} bases; // registers that hold an address of it: the trial's last
static void put_base(struct machine *m, const struct place *p, unsigned lane, uint32_t offset,
                     uint32_t high) {
    const uint64_t at = global_base + offset;
    const uint32_t halves[2] = {(uint32_t)at, (uint32_t)(at >> 32) + high};
    for (unsigned i = 0; i < 2; i++) {
        (p->kind == P_VGPR ? bases.v : bases.s)[p->index + i] = (uint8_t)(BASE_LOW + i);
        *(p->kind == P_VGPR ? &m->v[p->index + i][lane] : &m->s[p->index + i]) = halves[i];
    }
}
static struct place place_of_source(const struct isa *isa, const struct slot *s, unsigned field,
                                    bool wave32) {
    for (unsigned i = 0; i < ROW_SRC; i++)
        if (s->row->src[i].type && s->row->src[i].field == field)
            return place_of(isa, s, s->row->src[i], wave32);
    return (struct place){P_NOWHERE, 0, 0};
}
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
    const bool alone = has_own_places(row);
    const unsigned slot = s->number % 4 == 3 && !alone ? below(8) : own;
    const bool bent =
        !row->atomic && row->access && s->number && s->number % 3 == 0 && s->format != FMT_MUBUF;
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
// Memory has what is compared with.
static void put_compared(const struct isa *isa, const struct slot *s, struct machine *m, unsigned lane,
                         unsigned target) {
    const struct place data = place_of_source(isa, s, F_vdata, false);
    const unsigned dwords = element_bytes(s->row) / 4;
    if (data.kind != P_VGPR || !s->row->atomic || below(2)) return;
    const bool second = id_has(s->row, "cmpswap");
    for (unsigned i = 0; i < dwords; i++)
        m->mem[target / 4 + i] = m->v[data.index + i + (second ? dwords : 0)][lane];
}
static void randomize_flat(const struct isa *isa, const struct slot *s, struct machine *m, unsigned lanes) {
    const bool alone = has_no_scalar(isa, &s->in);
    const int offset = s->in.f[F_offset];
    const struct place vector = place_of_source(isa, s, F_vaddr, lanes == 32),
                       scalar = {P_SGPR, (unsigned)s->in.f[F_saddr], 0};
    const uint32_t part = alone ? 0 : below(0x1000);
    if (id_has(s->row, "addtid")) {
        put_base(m, &scalar, 0, (uint32_t)(WINDOW + MIDDLE - offset), 0);
        return;
    }
    if (!alone) put_base(m, &scalar, 0, WINDOW - part, 0);
    for (unsigned l = 0; l < lanes; l++) {
        const unsigned target = target_of_lane(isa, s, l);
        put_compared(isa, s, m, l, target);
        if (alone)
            put_base(m, &vector, l, WINDOW + target - (unsigned)offset, 0);
        else
            m->v[vector.index][l] = target + part - (unsigned)offset;
    }
}
// A descriptor whose base `put_base` has put there: 64 KiB of records of 32 bits, with OOB_SELECT 3 where
// there is one. CDNA5 9.6: the base has 57 bits, and records are bytes.
static void put_descriptor(const struct isa *isa, uint32_t *word, uint32_t stride) {
    if (generation_within(isa->generation, GFX12_5)) {
        word[2] = 0x10000 >> 7, word[3] = stride << 12;
        return;
    }
    word[1] |= stride << 16;
    word[2] = 0x10000;
    word[3] = generation_within(isa->generation, GFX10) ? 0x30014000 : 0x27000;
}
static void randomize_buffer(const struct isa *isa, const struct slot *s, struct machine *m, unsigned lanes) {
    const int32_t *f = s->in.f;
    const struct place vector = {P_VGPR, (unsigned)f[F_vaddr] - SRC_VGPR0, 0},
                       resource = place_of_source(isa, s, F_srsrc, lanes == 32),
                       scalar = place_of_source(isa, s, F_soffset, lanes == 32);
    const uint32_t part = f[F_offen] ? 4 * below(256) : 0, soffset = 4 * below(64),
                   stride = f[F_idxen] ? LANE_BYTES : 0;
    if (scalar.kind == P_SGPR) m->s[scalar.index] = soffset;
    const uint32_t beside = part + (uint32_t)f[F_offset] + (scalar.kind == P_SGPR ? soffset : 0);
    put_base(m, &resource, 0, WINDOW + MIDDLE - beside, 0);
    put_descriptor(isa, &m->s[resource.index], stride);
    for (unsigned l = 0; l < lanes; l++) {
        const unsigned target = f[F_offen] || f[F_idxen] ? target_of_lane(isa, s, l) : MIDDLE,
                       number = (target - MIDDLE) / LANE_BYTES;
        put_compared(isa, s, m, l, target);
        if (f[F_idxen]) m->v[vector.index][l] = number;
        if (f[F_offen])
            m->v[vector.index + (f[F_idxen] ? 1 : 0)][l] = part + (f[F_idxen] ? 0 : target - MIDDLE);
    }
}
// The base of private memory is in registers, or with the wave.
enum { FLAT_SCRATCH = 102 };
static void randomize_scratch(const struct isa *isa, const struct slot *s, struct machine *m,
                              unsigned lanes) {
    const struct insn *in = &s->in;
    const struct place vector = place_of_source(isa, s, F_vaddr, lanes == 32);
    const bool scalar = !has_no_scalar(isa, in), both = scalar && has_vector_offset(isa, in);
    const unsigned bytes = s->row->access == ACCESS_U8 || s->row->access == ACCESS_I8 ? below(4) : 0,
                   common = 16 + 16 * below(3) + bytes,
                   part = both ? below(8) : common - (unsigned)in->f[F_offset];
    put_base(m, &(struct place){P_SGPR, FLAT_SCRATCH, 0}, 0, WINDOW, 0);
    if (scalar) m->s[in->f[F_saddr]] = part;
    for (unsigned l = 0; l < lanes && has_vector_offset(isa, in); l++) {
        const unsigned target = 16 + 16 * below(3) + bytes;
        m->v[vector.index][l] = target - (unsigned)in->f[F_offset] - (both ? part : 0);
    }
}
static void randomize_smem(const struct isa *isa, const struct slot *s, struct machine *m) {
    const struct insn *in = &s->in;
    const struct place base = place_of_source(isa, s, F_sbase, false);
    const bool buffer = id_has(s->row, "s_buffer");
    const uint32_t soffset = !has_scalar_offset(isa, in)   ? 0
                             : id_has(s->row, "s_scratch") ? 64 * below(8)
                                                           : 4 * below(64),
                   offset = (uint32_t)in->f[F_offset] * (counts_dwords(isa, in) ? 4 : 1);
    m->s[SMEM_OFFSET] = id_has(s->row, "s_scratch") ? soffset / 64 : soffset;
    const unsigned bytes = s->row->access == ACCESS_U8 || s->row->access == ACCESS_I8 ? below(4) : 0;
    put_base(m, &base, 0, WINDOW + MIDDLE + 8 * below(64) + bytes - offset - soffset, 0);
    if (buffer) put_descriptor(isa, &m->s[base.index], 0);
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
        if (!spec.type || p.kind != P_VGPR || spec.type == T_ADDR || spec.type == T_BUFADDR) continue;
        for (unsigned l = 0; l < lanes; l++)
            for (unsigned n = 0; n < operand_dwords[spec.type]; n += step) {
                const uint64_t x = element(type);
                m->v[p.index + n][l] = (uint32_t)x;
                if (step == 2) m->v[p.index + n + 1][l] = (uint32_t)(x >> 32);
            }
    }
    if (s->format == FMT_DS) randomize_ds(isa, s, m, lanes);
    if (s->format == FMT_FLAT || s->format == FMT_GLOBAL) randomize_flat(isa, s, m, lanes);
    if (s->format == FMT_MUBUF) randomize_buffer(isa, s, m, lanes);
    if (s->format == FMT_SMEM) randomize_smem(isa, s, m);
    if (s->format == FMT_SCRATCH) randomize_scratch(isa, s, m, lanes);
}
// What a vector's line does not name of memory.
static void clear_memory(struct machine *m, const uint8_t *touched) {
    for (unsigned i = 0; i < MEMORY_DWORDS; i++) {
        const uint8_t *t = touched + 4 * (size_t)i;
        if (!(t[0] | t[1] | t[2] | t[3])) m->mem[i] = vector_memory(i);
    }
}

#endif
