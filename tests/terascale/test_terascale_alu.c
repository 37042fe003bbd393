// SPDX-License-Identifier: MIT
// Groups of ALU slots: what they read and write, four slots together, indexes, predicates, denormals; and
// that each row either executes or says why not.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/text.h"
#include "softwave/terascale.h"
#include "terascale/ledger.h"
#include "terascale/alu_lanes.h"

// ---- Groups ----

static void groups_read_before_they_write(void **unused) {
    (void)unused;
    struct rig r;
    fill(&r, false);
    // A rotation of three registers in one group; PV and PS are the results of the group before (R7-12,
    // R7-13).
    assert_int_equal(run("cypress",
                         " 0 x: MOV R20.x, R10.x\n y: MOV R20.y, R11.y\n z: MOV R20.z, R12.z\n"
                         " 1 x: MOV R20.x, R20.y\n y: MOV R20.y, R20.z\n z: MOV R20.z, R20.x\n w: MOV "
                         "____:R9.w, R12.z\n t: MOV R9.x, R10.x\n"
                         " 2 w: ADD_INT R20.w, PV.w, PS\n",
                         &r),
                     SW_OK);
    for (unsigned l = 0; l < LANES; l++) {
        assert_int_equal(r.out[0][l], r.in[1][l]);
        assert_int_equal(r.out[1][l], r.in[2][l]);
        assert_int_equal(r.out[2][l], r.in[0][l]);
        assert_int_equal(r.out[3][l], r.in[2][l] + r.in[0][l]); // a masked slot gives PV as well
    }
}

static void predicates_choose_and_give_zero(void **unused) {
    (void)unused;
    struct rig r;
    fill(&r, false);
    assert_int_equal(run("cypress",
                         " 0 x: PRED_SETGT_INT R20.x, R10.x, R11.y UPDATE_PRED\n"
                         " 1 y: MOV R20.y, R10.x PRED_SEL_ONE\n"
                         " 2 y: MOV R20.y, R11.y PRED_SEL_ZERO\n",
                         &r),
                     SW_OK); // R7-15
    for (unsigned l = 0; l < LANES; l++) {
        const bool pass = (int32_t)r.in[0][l] > (int32_t)r.in[1][l];
        assert_int_equal(r.out[0][l], pass ? 0 : 0x3f800000);
        assert_int_equal(r.out[1][l], pass ? r.in[0][l] : r.in[1][l]);
    }
}

// Each lane has an index of its own (R7-10), added to GPRs, their destinations and constants; nine bits.
static void indexes_are_each_lanes_own(void **unused) {
    (void)unused;
    struct rig r;
    fill(&r, false);
    for (unsigned l = 0; l < LANES; l++) r.in[0][l] = l % 4;
    assert_int_equal(
        run("cypress",
            " 0 x: MOV R30.x, (100)\n 1 x: MOV R31.x, (101)\n 2 x: MOV R32.x, (102)\n 3 x: MOV R33.x, (103)\n"
            " 4 x: MOVA_INT ____, R10.x\n 5 x: MOV R20.x, R[AR.x+30].x\n y: MOV R20.y, KC0[AR.x+0].x\n"
            " 6 x: MOV R[AR.x+30].x, 1\n 7 z: ADD_INT R20.z, R30.x, R33.x\n"
            " 8 x: MOVA_INT ____, (1000)\n 9 w: MOV R20.w, R[AR.x+100].x\n",
            &r),
        SW_OK);
    for (unsigned l = 0; l < LANES; l++) {
        assert_int_equal(r.out[0][l], 100 + l % 4);
        assert_int_equal(r.out[1][l], 7 + l % 4); // of the constants
        assert_int_equal(r.out[2][l], (l % 4 == 0 ? 1 : 100) + (l % 4 == 3 ? 1 : 103));
        assert_int_equal(r.out[3][l], l); // outside: GPR 0, which holds the lane
    }
}

static void four_slots_work_together(void **unused) {
    (void)unused;
    struct rig r;
    fill(&r, true);
    for (unsigned l = 0; l < LANES; l++)
        for (unsigned k = 0; k < 3; k++) r.in[k][l] = word((float)((int32_t)random32() % 100));
    const char *dot = " 0 x: DOT4_IEEE R20.x, R10.x, R10.x\n y: DOT4_IEEE R20.y, R11.y, R11.y\n z: DOT4_IEEE "
                      "R20.z, R12.z, R12.z\n"
                      " w: DOT4_IEEE R20.w, 1.0, 0.5\n";
    for (unsigned chip = 0; chip < 4; chip++) {
        static const char *const chips[] = {"rv670", "rv770", "cypress", "cayman"};
        assert_int_equal(run(chips[chip], dot, &r), SW_OK);
        for (unsigned l = 0; l < LANES; l++) {
            float sum = 0.5f;
            for (unsigned k = 0; k < 3; k++) sum += real(r.in[k][l]) * real(r.in[k][l]);
            for (unsigned c = 0; c < 4; c++) assert_true(real(r.out[c][l]) == sum);
        }
    }
    // A direction to a face of a cube: source 0 is z z x y, source 1 y x z z.
    assert_int_equal(run("cypress",
                         " 0 x: CUBE R20.x, R12.z, R11.y\n y: CUBE R20.y, R12.z, R10.x\n z: CUBE R20.z, "
                         "R10.x, R12.z\n w: CUBE R20.w, R11.y, R12.z\n",
                         &r),
                     SW_OK);
    for (unsigned l = 0; l < LANES; l++) {
        const float d[3] = {real(r.in[0][l]), real(r.in[1][l]), real(r.in[2][l])};
        unsigned axis = 2;
        if (fabsf(d[1]) > fabsf(d[axis])) axis = 1;
        if (fabsf(d[0]) > fabsf(d[axis])) axis = 0;
        assert_true(real(r.out[2][l]) == 2 * d[axis]);
        assert_true(real(r.out[3][l]) == (float)(2 * axis + (d[axis] < 0)));
    }
}

static void doubles_take_pairs(void **unused) {
    (void)unused;
    struct rig r;
    fill(&r, false);
    double a[LANES];
    for (unsigned l = 0; l < LANES; l++) {
        a[l] = (double)(int32_t)random32() / 1e5;
        uint64_t v;
        memcpy(&v, &a[l], 8);
        r.in[0][l] = (uint32_t)v;
        r.in[1][l] = (uint32_t)(v >> 32);
    }
    // The first slot reads the high dwords and gives the low one.
    const char *add = " 0 x: MOV R21.x, R10.x\n y: MOV R21.y, R11.y\n"
                      " 1 x: ADD_64 R20.x, R21.y, R21.y\n y: ADD_64 R20.y, R21.x, R21.x\n";
    assert_int_equal(run("cypress", add, &r), SW_OK);
    for (unsigned l = 0; l < LANES; l++) {
        const uint64_t v = (uint64_t)r.out[1][l] << 32 | r.out[0][l];
        double d;
        memcpy(&d, &v, 8);
        assert_true(d == a[l] + a[l]);
    }
}

// Without ALLOW_SINGLE_DENORM denormals are zeros of their sign, but moved bits stay.
static void denormals_are_flushed(void **unused) {
    (void)unused;
    struct rig r;
    fill(&r, false);
    for (unsigned l = 0; l < LANES; l++) r.in[0][l] = 0x80000000u | (random32() & 0x7fffff);
    assert_int_equal(run("cypress",
                         " 0 x: ADD R20.x, R10.x, 0\n y: MOV R20.y, R10.x\n z: MUL_IEEE R20.z, R10.x, 1.0\n",
                         &r),
                     SW_OK);
    for (unsigned l = 0; l < LANES; l++) {
        assert_int_equal(r.out[0][l], 0);
        assert_int_equal(r.out[1][l], r.in[0][l]);
        assert_int_equal(r.out[2][l], 0x80000000);
    }
}

// Every operation of a family is executed, or refused by name.
static void rows_execute_or_say_why(void **unused) {
    (void)unused;
    static const char *const chips[TS_FAMILIES] = {"rv670", "rv770", "cypress", "cayman"};
    unsigned executed = 0, refused = 0;
    unsigned of[TS_FAMILIES] = {0};
    for (unsigned f = 0; f < TS_FAMILIES; f++)
        for (unsigned n = 0; n < TS_ROWS; n++) {
            const struct ts_row *row = &ts_rows[n];
            if ((row->space != TS_OP2_SPACE && row->space != TS_OP3_SPACE) || !row->op[f]) continue;
            struct rig r;
            struct text t = {0};
            fill(&r, true);
            const unsigned slots = row->slots[f] == TS_ALL || n == TS_OP2_FREXP_64 || row->flags & TS_INTERP
                                       ? 4
                                   : row->slots[f] == TS_TRIPLE                        ? 3
                                   : row->flags & TS_DOUBLE && row->slots[f] == TS_VEC ? 2
                                                                                       : 1;
            for (unsigned u = 0; u < slots; u++) {
                const bool masked = row->space == TS_OP2_SPACE;
                text_printf(&t, "%s%c: %s %s", u ? " " : " 0 ", row->slots[f] == TS_TRANS ? 't' : "xyzw"[u],
                            row -> id, masked ? "____" : "");
                if (!masked) text_printf(&t, "R20.%c", "xyzw"[u]);
                for (unsigned k = 0; k < row->sources; k++)
                    text_puts(&t, row->flags & TS_INTERP && k + 1 == row->sources ? ", Param0.x"
                                  : n == TS_OP2_FREXP_64                          ? ", 1.0"
                                                                                  : ", R10.x");
                text_puts(&t, "\n");
            }
            if (row->flags & TS_CHAIN) text_puts(&t, " z: MOV R20.z, R10.x\n");
            const sw_status status = run(n == TS_OP2_MOVA_GPR_INT ? "r600" : chips[f], t.data, &r);
            if (status == SW_UNSUPPORTED
                    ? !strstr(message, ts_row_name(row)) && !strstr(message, "source 448")
                    : status != SW_OK)
                fail_msg("%s on %s: %d %s\n%s", row->id, chips[f], status, message, t.data);
            if (row->gap) assert_int_equal(status, SW_UNSUPPORTED);
            *(status ? &refused : &executed) += 1;
            of[f] += !status;
            text_free(&t);
        }
    print_message("%u, %u, %u and %u executed, %u refused by name\n", of[0], of[1], of[2], of[3], refused);
    assert_true(executed > 250);
}

// The ledger names what is unsure, and never an operation that is not executed.
static void the_ledger_knows_every_operation(void **unused) {
    (void)unused;
    unsigned count = 0;
    for (unsigned r = 0; r < TS_ROWS; r++) {
        if (ts_unsure(&ts_rows[r]) && ts_rows[r].gap) fail_msg("%s is not executed", ts_rows[r].id);
        count += ts_unsure(&ts_rows[r]) != NULL;
    }
    assert_true(count > 150);
    const char *text =
        "f:\nALU:\n0 x: ADD R0.x, R1.x, R2.y\n1 t: SIN R0.x, R0.x\n2 x: SET_MODE R0.x, R0.x, R0.x\n"
        "GDS:\nGDS_INC R1.____, R2.xyz\nMEM_RAT: DEC_UINT, RAT(0)[R0], R1 END_OF_PROGRAM\n"
        "ALU:\n0 x: SUB_INT R0.x, R0.x, R0.x\n"; // not reached
    static const struct {
        const char *name;
        sw_terascale_certainty certainty;
    } expected[] = {
        {"ADD", SW_TERASCALE_SURE},
        {"ALU", SW_TERASCALE_SURE},
        {"DEC_UINT", SW_TERASCALE_UNSURE},
        {"GDS", SW_TERASCALE_SURE},
        {"GDS_INC", SW_TERASCALE_UNSURE},
        {"MEM_RAT", SW_TERASCALE_SURE},
        {"SET_MODE", SW_TERASCALE_UNSUPPORTED},
        {"SIN", SW_TERASCALE_UNSURE},
    };
    const sw_terascale_as_options a = {.size = sizeof a, .processor = sw_processor_find("cypress", 7)};
    uint8_t *object;
    size_t size, found;
    assert_int_equal(sw_terascale_assemble(text, strlen(text), &a, &object, &size, &sink), SW_OK);
    sw_terascale_operation all[20] = {{.size = sizeof *all}};
    assert_int_equal(sw_terascale_operations(object, size, NULL, all, 20, &found, &sink), SW_OK);
    assert_int_equal(found, 8);
    for (unsigned i = 0; i < 8; i++) {
        assert_string_equal(all[i].name, expected[i].name);
        assert_int_equal(all[i].certainty, expected[i].certainty);
        assert_int_equal(all[i].why == NULL, !expected[i].certainty);
    }
    assert_int_equal(sw_terascale_operations(object, size, NULL, NULL, 0, &found, &sink), SW_OK);
    assert_int_equal(found, 8);
    sw_free(object);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(groups_read_before_they_write),
        cmocka_unit_test(predicates_choose_and_give_zero),
        cmocka_unit_test(indexes_are_each_lanes_own),
        cmocka_unit_test(four_slots_work_together),
        cmocka_unit_test(doubles_take_pairs),
        cmocka_unit_test(denormals_are_flushed),
        cmocka_unit_test(rows_execute_or_say_why),
        cmocka_unit_test(the_ledger_knows_every_operation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
