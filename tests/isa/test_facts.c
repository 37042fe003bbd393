// SPDX-License-Identifier: MIT
// Each operation of the instruction table against tests/isa/facts.txt: who has it under which name, its
// operands, what it touches without naming it, what it does to memory and counters. The implicit registers,
// loads, stores, branches and counters there agree with the tables of LLVM 19 for gfx700, 803, 900, 90a, 942,
// 1030, 1100 and 1200, but for EXP_CNT, which LLVM gives to every buffer instruction, EXEC of what has no
// lanes (s_nop's kin), s_quadmask (whose SCC LLVM leaves out), s_setvskip (to which LLVM gives SCC), and M0
// and stores of buffer loads to LDS, which have rows of their own there. What may stand as an operand was
// compared through llvm-mc-22: each operand of a golden line of each mnemonic and folder of tests/isa/golden,
// replaced by registers of each file, special registers, inline constants and literals, 2.3 million
// statements. llvm-mc takes the same, but for special registers whose numbers it cuts off where the field is
// too narrow, or which it takes as C of matrices. With --write, prints the lines instead; with --failures,
// the ids that differ.
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "piece.h"
#include "facts.h"

static FILE *open_facts(void) {
    char path[4096];
    path_beside(path, __FILE__, "facts.txt");
    return fopen(path, "r");
}

// The line that an operation without one lacks.
static size_t tell_missing(const bool *seen) {
    size_t missing = 0;
    for (size_t i = 0; i < sw_insn_info_count(); i++) {
        if (seen[i]) continue;
        struct text t = {0};
        facts_line(&t, sw_insn_info_at(i));
        print_error("no line in tests/isa/facts.txt (build/tests/test_facts --write prints all): %.*s\n",
                    (int)t.length, t.data);
        text_free(&t);
        missing++;
    }
    return missing;
}

static size_t compare(FILE *f, bool ids_only) {
    char *line = NULL;
    size_t capacity = 0, index = 0, failures = 0;
    bool *seen = calloc(sw_insn_info_count(), sizeof *seen);
    assert_non_null(seen);
    while (getline(&line, &capacity, f) > 0) {
        line[strcspn(line, "\n")] = 0;
        if (!*line || *line == '#') continue;
        const sw_insn_info *info = sw_insn_info_by_id(line, strcspn(line, " "));
        struct text t = {0};
        if (info) facts_line(&t, info);
        text_add(&t, "", 1);
        for (size_t i = 0; info && i < sw_insn_info_count(); i++)
            if (sw_insn_info_at(i) == info)
                failures += seen[i], seen[i] = true; // a second line is one too many
        if (!info || strcmp(t.data, line)) {
            failures++;
            if (ids_only)
                printf("%.*s\n", (int)strcspn(line, " "), line);
            else
                print_error("tests/isa/facts.txt: expected %s\n     got %s\n", line, t.data);
        }
        text_free(&t);
        index++;
    }
    free(line);
    if (!ids_only) failures += tell_missing(seen);
    free(seen);
    return failures + (index != sw_insn_info_count());
}

static void every_operation(void **state) {
    (void)state;
    FILE *f = open_facts();
    assert_non_null(f);
    size_t failures = compare(f, false);
    fclose(f);
    assert_int_equal(failures, 0);
}

int main(int argc, char **argv) {
    if (argc > 1 && !strcmp(argv[1], "--write")) {
        printf("# What the instruction table says of each operation; see test_facts.c for where it was "
               "checked.\n");
        for (size_t i = 0; i < sw_insn_info_count(); i++) {
            struct text t = {0};
            facts_line(&t, sw_insn_info_at(i));
            printf("%.*s\n", (int)t.length, t.data);
            text_free(&t);
        }
        return 0;
    }
    if (argc > 1 && !strcmp(argv[1], "--failures")) {
        FILE *f = open_facts();
        return !f || compare(f, true) ? 1 : 0;
    }
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_operation)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
