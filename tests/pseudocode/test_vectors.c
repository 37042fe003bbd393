// SPDX-License-Identifier: MIT
// Runs the test vectors of vectors.txt, which the interpreter of the manuals' pseudo-code computed, on every
// processor of their generations, and counts pairs of a row and a processor: tested (exactly, within the
// accuracy that the manual tells, or that they change nothing), and unsupported. Where the wave goes on, and
// that registers and memory which a vector does not name stay, is compared as well. Matrix instructions, for
// which manuals have no pseudo-code, are compared with a reference of the tests (matrices.h, matrices5.h).
// Fails when fewer are tested than the numbers below say.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "exec/body/body.h"
#include "rig.h"
#include "softwave/isa.h"
#include "matrices5.h"
#include "slot_code.h"
#include "vector_line.h"

enum { LEAST_PAIRS = 43707, LEAST_MATRICES = 386, VECTOR_VGPRS = 128 };

struct value {
    uint16_t reg; // 0-127 scalar, 256 and up VGPRs, 128 SCC, 129 M0, 130 MODE, IN_PC, IN_MEMORY and up dwords
    uint8_t lane, kind;
    uint32_t bits, mask; // or units
};
enum { IN_PC = 131, IN_MEMORY = 0x8000 };
enum kind { WHOLE, MASKED, AS_F32, AS_LOW_F16, AS_HIGH_F16, AS_F64, LOW_BASE, HIGH_BASE, LOW_PC, HIGH_PC };
struct vector {
    const struct row *row;
    unsigned format, lanes, in_count, out_count, number;
    uint32_t mode;
    int32_t field[FIELDS];
    bool has_literal, inexact;
    struct value *in, *out;
    uint64_t generations;
};
static struct vector *vectors;
static unsigned vector_count;
static struct vector_generations named;

// ---- Reading ----

static const struct row *row_named(const char *id) {
    static unsigned last; // lines are sorted
    for (unsigned i = 0; i < isa_row_count; i++, last = (last + 1) % isa_row_count)
        if (!strcmp(row_id(&isa_rows[last]), id)) return &isa_rows[last];
    fail_msg("no row %s", id);
    return NULL;
}
static unsigned register_named(const char *name) {
    if (*name == '[') return IN_MEMORY + (unsigned)strtoul(name + 1, NULL, 16) / 4;
    static const struct {
        const char *name;
        unsigned reg;
    } special[] = {{"vcc_lo", 106}, {"vcc_hi", 107}, {"exec_lo", 126}, {"exec_hi", 127},
                   {"scc", 128},    {"m0", 129},     {"mode", 130},    {"pc", 131}};
    for (unsigned i = 0; i < sizeof special / sizeof *special; i++)
        if (!strcmp(name, special[i].name)) return special[i].reg;
    const unsigned n = (unsigned)strtoul(name + 1, NULL, 10);
    return *name == 'v' ? 256 + n : n;
}
static void read_value(struct value *v, const char *text) {
    char *end;
    static const char bases[] = "LHPQ";
    const char *letter = strchr(bases, *text);
    const bool base = letter && *letter;
    v->bits = (uint32_t)strtoul(text + base, &end, 16);
    v->kind = (uint8_t)(base ? LOW_BASE + (letter - bases) : WHOLE), v->mask = ~0u;
    if (*end == '/') v->kind = MASKED, v->mask = (uint32_t)strtoul(end + 1, NULL, 16);
    if (*end == '~') {
        const char c = end[1];
        v->kind = c == 'd' ? AS_F64 : c == 'h' ? AS_LOW_F16 : c == 'H' ? AS_HIGH_F16 : AS_F32;
        v->mask = (uint32_t)strtoul(end + 1 + (v->kind != AS_F32), NULL, 16);
    }
}
static struct value *read_registers(char **at, unsigned *count) {
    struct value *all = NULL;
    for (;;) {
        char *word = strtok_r(NULL, " ", at);
        if (!word || !strcmp(word, ">") || !strcmp(word, "@")) return all;
        char *equals = strchr(word, '=');
        *equals = 0;
        const unsigned reg = register_named(word);
        unsigned lane = 0;
        for (char *p = equals + 1; p; lane++) {
            all = realloc(all, (*count + 1) * sizeof *all);
            read_value(&all[*count], p);
            const bool memory = reg >= IN_MEMORY;
            all[*count].reg = (uint16_t)(memory ? reg + lane : reg);
            all[(*count)++].lane = (uint8_t)(memory ? 0 : lane);
            if ((p = strchr(p, ':'))) p++;
        }
    }
}
static void read_fields(struct vector *v, char *text) {
    if (*text == '-') text++;
    for (char *at, *word = strtok_r(text, ",", &at); word; word = strtok_r(NULL, ",", &at)) {
        char *equals = strchr(word, '=');
        if (!equals) {
            v->has_literal = true;
            continue;
        }
        *equals = 0;
        unsigned f = 0;
        while (f < FIELDS && strcmp(vector_fields[f], word) != 0) f++;
        assert_true(f < FIELDS);
        v->field[f] = (int32_t)(uint32_t)strtoul(equals + 1, NULL, 16);
    }
}
static void read_vector(char *line, unsigned number) {
    struct vector v = {.number = number};
    char *at, *word = strtok_r(line, " ", &at);
    v.row = row_named(word);
    word = strtok_r(NULL, " ", &at);
    while (v.format < FORMATS && strcmp(format_names[v.format], word) != 0) v.format++;
    v.lanes = (unsigned)strtoul(strtok_r(NULL, " ", &at), NULL, 10);
    v.mode = (uint32_t)strtoul(strtok_r(NULL, " ", &at), NULL, 16);
    read_fields(&v, strtok_r(NULL, " ", &at));
    v.in = read_registers(&at, &v.in_count);
    v.out = read_registers(&at, &v.out_count);
    for (unsigned i = 0; i < v.out_count; i++) v.inexact |= v.out[i].kind > MASKED && v.out[i].kind <= AS_F64;
    v.generations = vector_names(&named, (unsigned)(v.row - isa_rows), at);
    vectors = realloc(vectors, (vector_count + 1) * sizeof *vectors);
    vectors[vector_count++] = v;
}

// ---- Running ----

struct run {
    const sw_processor *p;
    const struct isa *isa;
    const struct vector **list;
    uint64_t *places;
    unsigned count, current, failures;
    bool pending;
    uint32_t mode;
    unsigned *sizes;
    uint64_t code, base;
    struct snapshot {
        uint32_t s[128], scc, mode, v[VECTOR_VGPRS][64];
    } kept; // the registers before an instruction
};
// What a vector's instruction reaches of memory; NULL: it reaches none.
static uint32_t *memory_of(const struct run *r, const sw_step *step) {
    const struct wave *w = step->state;
    if (reaches_global(r->list[r->current]->format)) return (uint32_t *)(uintptr_t)(r->base + VECTOR_WINDOW);
    return r->list[r->current]->format == FMT_DS ? (uint32_t *)(void *)w->lds : NULL;
}
static uint32_t *register_of(const struct run *r, const sw_step *step, unsigned reg, unsigned lane) {
    if (reg >= IN_MEMORY) return memory_of(r, step) + (reg - IN_MEMORY);
    if (reg == 128) return sw_step_scc(step);
    if (reg == 130) return &((struct wave *)step->state)->mode;
    if (reg == 129) reg = r->isa->m0_register;
    return sw_step_register(step, reg) + (reg >= 256 ? lane : 0);
}
static bool within(uint32_t want, uint32_t got, uint32_t units, uint32_t sign) {
    const int64_t apart = (int64_t)want - (int64_t)got;
    return (apart >= -(int64_t)units && apart <= (int64_t)units) || !((want | got) & ~sign);
}
static uint32_t near_pc(const struct run *r, const struct value *v) {
    const uint64_t at = r->code + r->places[r->current] + (uint64_t)(int32_t)v->bits;
    return (uint32_t)(v->kind == LOW_PC ? at : at >> 32);
}
static bool accepted(const struct run *r, const sw_step *step, const struct value *v) {
    if (v->reg == IN_PC) return true; // (goes_on)
    const uint32_t got = *register_of(r, step, v->reg, v->lane);
    // The upper half of an F64 follows in the lanes of the next register, or in memory.
    const unsigned next = v->reg >= IN_MEMORY ? 1 : VECTOR_LANES;
    switch (v->kind) {
    case AS_F32: return within(v->bits, got, v->mask, 0x80000000);
    case AS_LOW_F16:
        return got >> 16 == v->bits >> 16 && within(v->bits & 0xffff, got & 0xffff, v->mask, 0x8000);
    case AS_HIGH_F16:
        return (got & 0xffff) == (v->bits & 0xffff) && within(v->bits >> 16, got >> 16, v->mask, 0x8000);
    case AS_F64: {
        const uint64_t want = v->bits | (uint64_t)v[next].bits << 32,
                       have = got | (uint64_t)*register_of(r, step, v->reg + 1u, v->lane) << 32;
        const int64_t apart = (int64_t)(want - have);
        return apart >= -(int64_t)v->mask && apart <= (int64_t)v->mask;
    }
    case LOW_PC:
    case HIGH_PC: return got == near_pc(r, v);
    default: return !((got ^ v->bits) & v->mask);
    }
}
static bool goes_on(const struct run *r, const sw_step *step, const struct vector *v) {
    const uint64_t from = r->code + r->places[r->current];
    uint64_t to = from + r->sizes[r->current];
    for (unsigned i = 0; i < v->out_count; i++)
        if (v->out[i].reg == IN_PC) to = from + (uint64_t)(int32_t)v->out[i].bits;
    if (step->pc == to) return true;
    print_error("%s, line %u (%s): the wave goes on %lld bytes from here, should be %lld\n",
                sw_processor_name(r->p), v->number, row_id(v->row), (long long)(step->pc - from),
                (long long)(to - from));
    return false;
}
static void keep_registers(struct run *r, const sw_step *step) {
    struct snapshot *k = &r->kept;
    memcpy(k->s, sw_step_register(step, 0), sizeof k->s);
    k->scc = *sw_step_scc(step), k->mode = ((const struct wave *)step->state)->mode;
    for (unsigned n = 0; n < VECTOR_VGPRS; n++)
        memcpy(k->v[n], sw_step_register(step, 256 + n), 4 * (size_t)step->lanes);
}
// Registers that the results do not name are as they were.
static bool registers_stayed(struct run *r, const sw_step *step, const struct vector *v) {
    struct snapshot *k = &r->kept;
    for (unsigned i = 0; i < v->out_count; i++) {
        const struct value *o = &v->out[i];
        if (o->reg == IN_PC || o->reg >= IN_MEMORY) continue;
        const uint32_t got = *register_of(r, step, o->reg, o->lane);
        *(o->reg == 128   ? &k->scc
          : o->reg == 129 ? &k->s[r->isa->m0_register]
          : o->reg == 130 ? &k->mode
          : o->reg < 128  ? &k->s[o->reg]
                          : &k->v[o->reg - 256][o->lane]) = got;
    }
    unsigned differs = !!memcmp(k->s, sw_step_register(step, 0), sizeof k->s);
    differs |= k->scc != *sw_step_scc(step) || k->mode != ((const struct wave *)step->state)->mode ? 2 : 0;
    for (unsigned n = 0; n < VECTOR_VGPRS; n++)
        if (memcmp(k->v[n], sw_step_register(step, 256 + n), 4 * (size_t)step->lanes)) differs = 256 + n;
    if (differs)
        print_error("%s, line %u (%s): a register that is not named changed (%u)\n", sw_processor_name(r->p),
                    v->number, row_id(v->row), differs);
    return !differs;
}
// Memory that the results do not name is as it was.
static bool memory_stayed(const struct run *r, const sw_step *step, const struct vector *v) {
    uint32_t now[VECTOR_MEMORY], *memory = memory_of(r, step);
    if (!memory) return true;
    memcpy(now, memory, sizeof now);
    for (unsigned i = 0; i < VECTOR_MEMORY; i++) memory[i] = vector_memory(i);
    for (unsigned i = 0; i < v->in_count; i++)
        if (v->in[i].reg >= IN_MEMORY) memory[v->in[i].reg - IN_MEMORY] = v->in[i].bits;
    for (unsigned i = 0; i < v->out_count; i++)
        if (v->out[i].reg >= IN_MEMORY) memory[v->out[i].reg - IN_MEMORY] = now[v->out[i].reg - IN_MEMORY];
    for (unsigned i = 0; i < VECTOR_MEMORY; i++)
        if (memory[i] != now[i]) {
            print_error("%s, line %u (%s): memory at 0x%x is 0x%08x, should be 0x%08x\n",
                        sw_processor_name(r->p), v->number, row_id(v->row), 4 * i, now[i], memory[i]);
            return false;
        }
    return true;
}
static void check(struct run *r, const sw_step *step) {
    const struct vector *v = r->list[r->current];
    for (unsigned i = 0; i < v->out_count; i++)
        if (!accepted(r, step, &v->out[i])) {
            if (r->failures++ < 10)
                print_error("%s, line %u (%s): register %u of lane %u is 0x%08x, should be 0x%08x\n",
                            sw_processor_name(r->p), v->number, row_id(v->row), v->out[i].reg, v->out[i].lane,
                            *register_of(r, step, v->out[i].reg, v->out[i].lane), v->out[i].bits);
            return;
        }
    r->failures += !memory_stayed(r, step, v) || !registers_stayed(r, step, v) || !goes_on(r, step, v);
}
static void observe(void *context, const sw_step *step) {
    struct run *r = context;
    if (!r->code) r->code = step->pc;
    if (r->pending) {
        check(r, step);
        ((struct wave *)step->state)->mode = r->mode; // VSKIP and forks are over
        r->pending = false, r->current++;
    }
    if (r->current >= r->count || r->places[r->current] != step->pc - r->code) return;
    const struct vector *v = r->list[r->current];
    for (unsigned i = 0; i < 128; i++) // what the line does not name is zero
        if (i < 108 || i == r->isa->m0_register || i >= 126) *sw_step_register(step, i) = 0;
    if (v->format == FMT_SCRATCH) { // the wave's private memory is where memory is
        struct wave *w = step->state;
        w->scratch_base = r->base + VECTOR_WINDOW, w->scratch_size = 4 * VECTOR_MEMORY / step->lanes;
    }
    r->mode = ((struct wave *)step->state)->mode;
    uint32_t *memory = memory_of(r, step);
    for (unsigned i = 0; memory && i < VECTOR_MEMORY; i++) memory[i] = vector_memory(i);
    for (unsigned i = 0; i < v->in_count; i++) {
        uint32_t *at = register_of(r, step, v->in[i].reg, v->in[i].lane);
        *at = v->in[i].bits;
        if (v->in[i].kind == LOW_BASE) *at += (uint32_t)r->base;
        if (v->in[i].kind == HIGH_BASE) *at += (uint32_t)(r->base >> 32);
        if (v->in[i].kind >= LOW_PC) *at = near_pc(r, &v->in[i]);
        if (v->in[i].reg == 130) *at = r->mode | v->in[i].bits;
        for (unsigned l = VECTOR_LANES; v->in[i].reg >= 256 && v->in[i].reg < IN_MEMORY &&
                                        v->in[i].lane == VECTOR_LANES - 1 && l < step->lanes;
             l++)
            at[l - VECTOR_LANES + 1] = 0;
    }
    keep_registers(r, step);
    r->pending = true;
}
static const struct coding *coding_of(const struct isa *isa, const struct vector *v) {
    const unsigned row = (unsigned)(v->row - isa_rows);
    for (unsigned c = isa->row_codings[row]; c < isa->row_codings[row + 1]; c++)
        if (isa->codings[c].format == v->format) return &isa->codings[c];
    return NULL;
}
static char *kernel_of(struct run *r, unsigned lanes) {
    char *text = malloc((size_t)r->count * 300 + 4096), *p = text;
    uint64_t at = 0;
    p += sprintf(p, ".text\n.globl k\n.p2align 8\n.type k,@function\nk:\n");
    for (unsigned i = 0; i < r->count; i++) {
        const struct vector *v = r->list[i];
        struct insn in = {.row = v->row, .format = r->isa->formats[v->format], .has_literal = v->has_literal};
        if (v->has_literal) in.suffix = SUFFIX_LITERAL;
        memcpy(in.f, v->field, sizeof in.f);
        uint8_t bytes[INSN_MAX_BYTES];
        const unsigned size = insn_encode(r->isa, &in, coding_of(r->isa, v)->op, bytes);
        r->sizes[i] = size;
        r->places[i] = put_slot_code(&p, &at, v->row, bytes, size, v->mode);
    }
    p += sprintf(p,
                 "s_nop 0\ns_endpgm\n.section .rodata,\"a\"\n.p2align 6\n.amdhsa_kernel "
                 "k\n.amdhsa_next_free_vgpr 128\n"
                 ".amdhsa_next_free_sgpr 80\n.amdhsa_group_segment_fixed_size %d\n",
                 4 * VECTOR_MEMORY);
    if (has(r->p, CAP_unified_vgprs)) p += sprintf(p, ".amdhsa_accum_offset 128\n");
    if (r->isa->generation >= GFX10) p += sprintf(p, ".amdhsa_wavefront_size32 %d\n", lanes == 32);
    sprintf(p, ".end_amdhsa_kernel\n");
    return text;
}
static void run_list(struct run *r, unsigned lanes) {
    struct rig rig;
    char *text = kernel_of(r, lanes);
    const sw_device_hooks hooks = {.size = sizeof hooks, .context = r, .observe = observe};
    assert_true(rig_open_watched(&rig, sw_processor_name(r->p), text, &hooks));
    free(text);
    void *memory = sw_device_alloc(rig.device, 3 * 0x10000);
    assert_non_null(memory);
    r->base = ((uint64_t)(uintptr_t)memory + 0xffff) & ~0xffffull;
    assert_int_equal(rig_run(&rig, NULL, lanes, lanes, NULL), SW_OK);
    assert_int_equal(r->current, r->count);
    rig_close(&rig);
}

// What a vector shows of its row.
enum { TESTED = 1, INEXACT = 2, CHANGES = 4 };
static uint8_t kinds_of(const struct vector *v) {
    return (uint8_t)(TESTED | (v->inexact ? INEXACT : 0) | (v->out_count ? CHANGES : 0));
}
static void every_vector(void **state) {
    (void)state;
    static char line[1 << 16];
    FILE *f = fopen("tests/pseudocode/vectors.txt", "r");
    assert_non_null(f);
    for (unsigned n = 1; fgets(line, sizeof line, f); n++) {
        line[strcspn(line, "\n")] = 0;
        if (*line != '#') read_vector(line, n);
    }
    fclose(f);
    unsigned tested = 0, idle = 0, matrices = 0, inexact = 0, unsupported = 0, all = 0, failures = 0,
             runs = 0;
    // Bodies are those of a generation: where each takes ten times as long, one processor of each shows them.
    const bool slow = getenv("SANITIZED");
    bool has_run[64] = {false};
    for (unsigned i = 0; i < sw_processor_count(); i++) {
        const sw_processor *p = sw_processor_at(i);
        const struct isa *isa = isa_of(p);
        if (!isa || strstr(sw_processor_name(p), "generic")) continue;
        if (slow && has_run[isa->generation]) continue;
        has_run[isa->generation] = true;
        static uint8_t seen[8192];
        static bool multiplied[8192];
        memset(seen, 0, sizeof seen);
        memset(multiplied, 0, sizeof multiplied);
        failures += generation_within(isa->generation, GFX12_5) ? matrices5_of(p, isa, multiplied)
                                                                : matrices_of(p, isa, multiplied);
        for (unsigned lanes = 32; lanes <= 64; lanes += 32) {
            struct run r = {.p = p,
                            .isa = isa,
                            .list = malloc(vector_count * sizeof *r.list),
                            .places = malloc(vector_count * sizeof *r.places),
                            .sizes = malloc(vector_count * sizeof *r.sizes)};
            for (unsigned k = 0; k < vector_count; k++) {
                const struct vector *v = &vectors[k];
                const unsigned row = (unsigned)(v->row - isa_rows);
                if (v->lanes != lanes || !vector_holds(&named, isa, row, v->format, v->generations)) continue;
                r.list[r.count++] = v;
                seen[row] |= kinds_of(v);
            }
            if (r.count) run_list(&r, lanes);
            failures += r.failures, runs += r.count;
            free(r.list), free(r.places), free(r.sizes);
        }
        for (unsigned row = 0; row < isa_row_count; row++) {
            if (isa->row_codings[row] == isa->row_codings[row + 1]) continue;
            assert_int_equal(multiplied[row], has_matrix_row(isa, row)); // which test_pairs asks
            all++, matrices += multiplied[row] || has_scale_row(isa, row), tested += seen[row] & TESTED,
                inexact += !!(seen[row] & INEXACT);
            idle += seen[row] == TESTED;
            unsupported += row_gap(&isa_rows[row]) != NULL || !strcmp(row_sem(&isa_rows[row]), "unsupported");
        }
    }
    print_message("%u vectors, %u runs, %u fail\n", vector_count, runs, failures);
    print_message("pairs of a row and a processor: %u, tested by the manuals' pseudo-code %u: %u exact, %u "
                  "approximate, and %u that change nothing; by a reference of matrices %u; unsupported %u\n",
                  all, tested, tested - inexact - idle, inexact, idle, matrices, unsupported);
    assert_int_equal(failures, 0);
    assert_true(slow || (tested >= LEAST_PAIRS && matrices >= LEAST_MATRICES));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_vector)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
