// SPDX-License-Identifier: MIT
// Every operation of the R600 family has a sentence, which is one and agrees with the facts of its row: what
// is killed, what sets the predicate, what comes back from memory.
#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "softwave/terascale.h"
#include "terascale/isa/table.h"

static bool says(const sw_terascale_opcode *o, const char *word) { return strstr(o->sentence, word) != NULL; }

// Whether the operation gives what was in memory before: from 0x20 up of the shares and of RATs.
static bool gives_back(const struct ts_row *row) {
    const bool memory =
        row->space == TS_LDS_SPACE || row->space == TS_GDS_SPACE || row->space == TS_RAT_SPACE;
    return memory && row->op[TS_EVERGREEN] > 0x20;
}

static unsigned look(const struct ts_row *row, const sw_terascale_opcode *o) {
    const char *wrong = NULL;
    const size_t length = o->sentence ? strlen(o->sentence) : 0;
    if (length < 10 || length > 240)
        wrong = "no sentence, or a long one";
    else if (!isupper((unsigned char)*o->sentence) || o->sentence[length - 1] != '.' || says(o, "  "))
        wrong = "not a sentence";
    else if ((row->flags & TS_KILL) && !says(o, "Kills the lane"))
        wrong = "kills";
    else if ((row->flags & TS_PRED) && !says(o, "predicate"))
        wrong = "sets the predicate";
    else if ((row->flags & TS_DOUBLE) && !says(o, "double"))
        wrong = "is of doubles";
    else if ((row->flags & TS_CHAIN) && !says(o, "slot"))
        wrong = "takes the result of another slot";
    else if (row->space == TS_OP3_SPACE && !says(o, "S2"))
        wrong = strstr(o->name, "MUL_LIT_") ? NULL : "has three sources";
    else if (gives_back(row) && !says(o, "before") && !says(o, "Read") && !says(o, "order"))
        wrong = "gives the value before";
    if (wrong) print_error("%s (%s): %s: %s\n", o->name, o->group, wrong, o->sentence ? o->sentence : "-");
    return wrong != NULL;
}

static void test_every_row_has_a_sentence(void **state) {
    (void)state;
    sw_terascale_opcode o = {.size = sizeof o};
    unsigned wrong = 0;
    size_t i = 0;
    for (; sw_terascale_opcode_at(i, &o); i++) wrong += look(&ts_rows[i], &o);
    assert_int_equal(i, TS_ROWS);
    assert_int_equal(wrong, 0);
}

// Two operations of one kind do not do the same: their sentences differ.
static void test_sentences_tell_operations_apart(void **state) {
    (void)state;
    sw_terascale_opcode a = {.size = sizeof a}, b = {.size = sizeof b};
    unsigned same = 0;
    for (size_t i = 0; sw_terascale_opcode_at(i, &a); i++)
        for (size_t k = 0; k < i && sw_terascale_opcode_at(k, &b); k++) {
            if (strcmp(a.group, b.group) || strcmp(a.sentence, b.sentence)) continue;
            // Of the stores of dwords one is Cayman's and one everybody's.
            if (!strcmp(a.name, "STORE_DWORD") && !strcmp(b.name, "STORE_RAW")) continue;
            print_error("%s and %s: %s\n", b.name, a.name, a.sentence);
            same++;
        }
    assert_int_equal(same, 0);
}

// A caller with the struct of an older header gets what that has.
static void test_older_callers(void **state) {
    (void)state;
    sw_terascale_opcode o;
    memset(&o, 0xa5, sizeof o);
    o.size = offsetof(sw_terascale_opcode, alias);
    assert_true(sw_terascale_opcode_at(0, &o));
    assert_non_null(o.name);
    uint8_t untouched[sizeof o.sentence];
    memset(untouched, 0xa5, sizeof untouched);
    assert_memory_equal(&o.sentence, untouched, sizeof untouched);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_row_has_a_sentence),
        cmocka_unit_test(test_sentences_tell_operations_apart),
        cmocka_unit_test(test_older_callers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
