// SPDX-License-Identifier: MIT
// A scalar register as the source of a vector instruction is a value that all lanes have: in each place of
// each encoding of each vector row, on each instruction set, it does what a vector register with that value
// in all lanes does, or the instruction is refused. So no body reads a scalar as if lanes lay behind it.
// SCALARS=ROW runs one row.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "effects_proof.h"

enum { SCALAR = 64, VARIANTS = 5, TRIALS = 3 };

static struct { unsigned sources, refused, failures; } total;

// Rows whose scalar sources are something else than a value of all lanes.
static bool is_excluded(const struct row *row) {
    if (row->reads & R_M0 || row->flags & ROW_SWAPS) return true; // registers relative to M0
    // LLVM has no pair of SGPRs there, but SRC_EXECZ: both floats are that.
    return !strcmp(row_id(row), "v_cvt_scalef32_sr_pk_fp4_f32");
}

static bool is_vector_format(unsigned f) { return f >= FMT_VOP2 && f <= FMT_MAI; }

// Registers of the source get the same value in all lanes, which the scalar registers have.
static void spread_source(const struct subject *m, struct image *x, unsigned first, unsigned dwords) {
    for (unsigned d = 0; d < dwords; d++)
        for (unsigned l = 0; l < m->lanes; l++)
            image_vector(m, x, first - SRC_VGPR0 + d)[l] = x->area[SCALAR + d];
}

static bool are_equal(const struct subject *m, const struct image *a, const struct image *b, unsigned *at) {
    for (unsigned i = 0; i < m->area_bytes / 4; i++)
        if (a->area[i] != b->area[i] && is_register_place(m, i)) return *at = i, false;
    *at = 0;
    return a->mode == b->mode && a->trap_status == b->trap_status && a->outcome == b->outcome;
}

static void report(const struct subject *m, const struct slot *s, const uint8_t *bytes, unsigned at) {
    char name[64];
    total.failures++;
    print_error("%s (%s, wave%u): a scalar source is not what a vector is, at %s:", row_id(s->row),
                sw_processor_name(m->p), m->lanes, place_name(m, at, name, sizeof name));
    for (unsigned i = 0; i < s->size; i += 4) print_error(" %08x", *(const uint32_t *)(bytes + i));
    print_error("\n");
}

// Tries the source in this field as a scalar register.
static void try_source(struct proof *p, const struct slot *s, const struct coding *c, enum field field,
                       unsigned dwords) {
    struct subject *m = p->m;
    struct insn in = s->in;
    uint8_t bytes[INSN_MAX_BYTES] = {0};
    const unsigned vector = (unsigned)in.f[field];
    in.f[field] = SCALAR;
    if (in.suffix == SUFFIX_SDWA) {
        if (field == F_src0) in.f[F_src0_s] = 1;
        if (field == F_src1) in.f[F_src1_s] = 1;
    }
    const unsigned size = insn_encode(m->isa, &in, c->op, bytes);
    struct insn again;
    if (insn_decode(m->isa, bytes, size, &again) != DECODE_OK || again.row != s->row) return;
    if (again.f[field] != SCALAR || again.suffix != s->in.suffix) return; // the field has no room for it
    total.sources++;
    for (unsigned n = 0; n < TRIALS; n++) {
        unsigned at;
        fill_wave(m, p->before);
        spread_source(m, p->before, vector, dwords);
        if (machine_load(m, &s->in, s->bytes)) return; // such an instruction does not run at all
        machine_run(m, p->before, p->after);
        if (machine_load(m, &again, bytes)) {
            total.refused++;
            return;
        }
        machine_run(m, p->before, p->other_after);
        if (are_equal(m, p->after, p->other_after, &at)) continue;
        report(m, s, bytes, at);
        return;
    }
}

static void try_slot(struct proof *p, const struct slot *s, const struct coding *c) {
    for (unsigned i = 0; i < 3 && s->row->src[i].type; i++) { // scales of matrices: one for all rows
        const struct operand_spec spec = s->row->src[i];
        const struct operand o = insn_operand(p->m->isa, &s->in, spec, p->m->wave32);
        const unsigned dwords = o.dwords ? o.dwords : 1;
        if (spec.type == T_MASK || o.type == T_NO_OPERAND || !operand_dwords[spec.type]) continue;
        if (spec.field == F_vdst || o.code < SRC_VGPR0 || o.code >= SRC_AGPR0) continue;
        if ((unsigned)s->in.f[spec.field] != o.code || o.code - SRC_VGPR0 + dwords > p->m->vgprs) continue;
        if (SCALAR + dwords <= 100) try_source(p, s, c, spec.field, dwords);
    }
}

static void try_machine(struct subject *m, const char *only) {
    struct proof *p = proof_new(m);
    for (unsigned r = 0; r < isa_row_count; r++) {
        const struct row *row = &isa_rows[r];
        if ((only && strcmp(only, row_id(row))) || row_gap(row) || is_excluded(row)) continue;
        for (unsigned k = m->isa->row_codings[r]; k < m->isa->row_codings[r + 1]; k++)
            for (unsigned v = 0; v < VARIANTS; v++) {
                const struct coding *c = &m->isa->codings[k];
                struct slot s;
                if (!is_vector_format(c->format)) continue;
                begin_chance(row_id(row), v + 16 * c->format);
                if (make_slot(m, c, v, &s)) try_slot(p, &s, c);
            }
    }
    proof_free(p);
}

static void scalars_are_values_of_all_lanes(void **state) {
    (void)state;
    static const char *const levels[] = {NULL, "v2", "v3"}; // NULL: the host's best
    const char *only = getenv("SCALARS");
    const struct isa *seen[128];
    unsigned count = 0, machines = 0;
    for (unsigned i = 0; i < sw_processor_count(); i++) {
        const sw_processor *p = sw_processor_at(i);
        const struct isa *isa = isa_of(p);
        bool is_new = isa != NULL;
        for (unsigned k = 0; k < count; k++) is_new &= seen[k] != isa;
        if (!is_new) continue;
        seen[count++] = isa;
        const bool wave32 = has(p, CAP_wave32_only) || (has(p, CAP_wave32) && machines % 2);
        struct subject *m = machine_open(p, wave32, false, levels[machines % 3]);
        if (!m) m = machine_open(p, wave32, false, NULL);
        assert_non_null(m);
        try_machine(m, only);
        machine_close(m);
        machines++;
    }
    print_message("%u sources on %u instruction sets, %u refused, %u fail\n", total.sources, machines,
                  total.refused, total.failures);
    assert_int_equal(total.failures, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(scalars_are_values_of_all_lanes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
