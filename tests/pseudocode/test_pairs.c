// SPDX-License-Identifier: MIT
// Rows for which the manuals have no pseudo-code, on every processor that has them, against statements of the
// tests' own: images, buffers with formats, what manuals tell of memory in words, traps, barriers. Counts
// pairs of a row and a processor, with those that test_vectors runs, and fails when fewer are tested than the
// numbers below say, or when a pair has no statement that is not named below, with the reason.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "isa/isa.h"
#include "softwave/isa.h"
#include "barrier_pairs.h"
#include "control_pairs.h"
#include "format_pairs.h"
#include "device/gws_scene.h"
#include "image_pairs.h"
#include "matrix_rows.h"
#include "memory_pairs.h"
#include "move_pairs.h"
#include "tensor_pairs.h"
#include "trap_pairs.h"
#include "vector_line.h"

// Global wave sync: waves of several dispatches wait for each other.
static unsigned wave_sync_of(const sw_processor *p, const struct isa *isa, bool *seen) {
    static unsigned threads;
    if (!has_row_named(isa, "ds_gws_init")) return 0;
    try_semaphores(sw_processor_name(p), 1 + threads++ % 2, has_row_named(isa, "ds_gws_sema_release_all"));
    try_barrier(sw_processor_name(p), 1 + threads % 2);
    for (unsigned row = 0; row < isa_row_count; row++)
        seen[row] |= has_row(isa, row) && !strncmp(row_id(&isa_rows[row]), "ds_gws_", 7);
    return 0; // a difference ends the test
}

// Runs the rows of a processor that it knows, and notes them; how many trials fail.
typedef unsigned statement(const sw_processor *p, const struct isa *isa, bool *seen);
static const struct {
    const char *of;
    statement *run;
    unsigned least; // pairs
} statements[] = {{"images", images_of, 4010},
                  {"buffer formats", formats_of, 1358},
                  {"memory and interpolation", memory_of_rows, 1383},
                  {"ends and clocks", control_of, 223},
                  {"wave sync", wave_sync_of, 255},
                  {"traps and messages", traps_of, 184},
                  {"moves and others", moves_of, 87},
                  {"barriers", barriers_of, 20},
                  {"tensors and rays", tensors_of, 12}};
enum { STATEMENTS = sizeof statements / sizeof *statements };

// ---- Pairs that have none ----

// No source says what the hardware does; the device refuses these (exit code 4), which is tested.
static const struct {
    const char *row;
    enum generation from, to; // the first that it holds for, and the first for which it does not
    const char *reason;
} without[] = {
    {"s_barrier_init", GFX12, GFX12_5, "LLVM assembles it; RDNA4's manual has no named barriers (ERR-44)"},
    {"s_barrier_join", GFX12, GFX12_5, "LLVM assembles it; RDNA4's manual has no named barriers (ERR-44)"},
    {"s_barrier_leave", GFX12, GFX12_5, "LLVM assembles it; RDNA4's manual has no named barriers (ERR-44)"},
    {"global_load_tr_b64", GFX12, GFX12_5, "RDNA4 does not say where bytes go (ERR-39)"},
    {"tensor_save", GFX12_5, GENERATIONS, "LLVM assembles it; CDNA5's manual does not have it (ERR-45)"},
    {"tensor_stop", GFX12_5, GENERATIONS, "LLVM assembles it; CDNA5's manual does not have it (ERR-45)"},
};
enum { WITHOUT = sizeof without / sizeof *without };
static bool is_without[WITHOUT]; // some processor
static const char *reason_without(const struct isa *isa, const char *row) {
    for (unsigned i = 0; i < WITHOUT; i++)
        if (!strcmp(without[i].row, row) && generation_within(isa->generation, without[i].from) &&
            (without[i].to == GENERATIONS || !generation_within(isa->generation, without[i].to)))
            return is_without[i] = true, without[i].reason;
    return NULL;
}
// Whether the device refuses the row by name of its reason.
static bool is_refused(const sw_processor *p, const struct isa *isa, unsigned row) {
    const struct coding *c = &isa->codings[isa->row_codings[row]];
    struct trap_run r = {.p = p};
    struct insn in = trap_insn(isa, c);
    if (insn_has(&in, F_ssrc0)) in.f[F_ssrc0] = 128 + 1;
    const sw_fault fault = trap_run(&r, &in, c->op, false);
    return fault.kind == SW_FAULT_UNSUPPORTED && fault.reason && r.steps <= 1;
}

// ---- What test_vectors runs ----

static struct vector_generations named;
static struct vector_kind {
    unsigned row, format;
    uint64_t generations;
} * vector_kinds;
static unsigned vector_count;
static void read_vectors(void) {
    static char line[1 << 16];
    FILE *f = fopen("tests/pseudocode/vectors.txt", "r");
    struct vector_kind v = {0};
    assert_non_null(f);
    while (fgets(line, sizeof line, f)) {
        char *at, *names = strrchr(line, '@');
        if (*line == '#' || !names) continue;
        const char *id = strtok_r(line, " ", &at), *format = strtok_r(NULL, " ", &at);
        for (unsigned i = 0; strcmp(row_id(&isa_rows[v.row]), id) != 0;
             i++, v.row = (v.row + 1) % isa_row_count)
            assert_true(i < isa_row_count);
        for (v.format = 0; strcmp(format_names[v.format], format) != 0; v.format++)
            assert_true(v.format < FORMATS);
        v.generations = vector_names(&named, v.row, names + 1);
        vector_kinds = realloc(vector_kinds, (vector_count + 1) * sizeof *vector_kinds);
        vector_kinds[vector_count++] = v;
    }
    fclose(f);
}

static void every_pair(void **state) {
    (void)state;
    unsigned all = 0, tested = 0, failures = 0, open = 0, refused = 0, matrices = 0, pairs[STATEMENTS] = {0};
    read_vectors();
    for (unsigned i = 0; i < sw_processor_count(); i++) {
        const sw_processor *p = sw_processor_at(i);
        const struct isa *isa = isa_of(p);
        static bool seen[STATEMENTS][8192];
        if (!isa || strstr(sw_processor_name(p), "generic")) continue;
        static bool with_vector[8192];
        memset(seen, 0, sizeof seen);
        memset(with_vector, 0, sizeof with_vector);
        for (const struct vector_kind *v = vector_kinds; v < vector_kinds + vector_count; v++)
            with_vector[v->row] |= vector_holds(&named, isa, v->row, v->format, v->generations);
        for (unsigned n = 0; n < STATEMENTS; n++) failures += statements[n].run(p, isa, seen[n]);
        for (unsigned row = 0; row < isa_row_count; row++) {
            bool before = with_vector[row];
            if (!has_row(isa, row)) continue;
            for (unsigned n = 0; n < STATEMENTS; n++)
                pairs[n] += seen[n][row] && !before, before |= seen[n][row];
            const bool multiplies = has_matrix_row(isa, row) || has_scale_row(isa, row);
            const char *id = row_id(&isa_rows[row]);
            matrices += multiplies && !before, before |= multiplies;
            all++, tested += before;
            if (before) continue;
            if (reason_without(isa, id) && is_refused(p, isa, row)) {
                print_message("no second statement: %s, %s: %s\n", sw_processor_name(p), id,
                              reason_without(isa, id));
                refused++;
                continue;
            }
            print_error(
                "%s has no second statement of %s: add a line to tests/pseudocode/vectors.txt, or to a "
                "table of a statement\n",
                sw_processor_name(p), id);
            open++;
        }
    }
    print_message("pairs of a row and a processor: %u, with a statement by tests %u:", all, tested);
    for (unsigned n = 0; n < STATEMENTS; n++) print_message(" %s %u;", statements[n].of, pairs[n]);
    print_message(" matrices, in test_vectors, %u; the rest by pseudo-code; %u have none, and are refused\n",
                  matrices, refused);
    assert_int_equal(failures, 0);
    assert_int_equal(open, 0);
    for (unsigned i = 0; i < WITHOUT; i++)
        if (!is_without[i]) fail_msg("%s: no processor lacks a statement of it any more", without[i].row);
    for (unsigned n = 0; n < STATEMENTS; n++) assert_true(pairs[n] >= statements[n].least);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_pair)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
