// SPDX-License-Identifier: MIT
// Lane operations, LDS permutations, DPP and registers chosen by M0, against lane-by-lane references.
// Facts shown: TRAP-120, 121, 228, 229, 230, 231, 233 to 235, 237 to 239, 241, 242, 244 to 248, 250.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "bare_wave.h"

typedef uint64_t u64;
typedef uint32_t u32;

enum { SRC = 0, DST = 1, SELECT = 2, REGISTERS = 6 };
static const unsigned sizes[] = {32, 64};

static struct wave *filled(unsigned lanes) {
    struct wave *w = bare_wave(lanes, REGISTERS);
    for (unsigned r = 0; r < REGISTERS; r++)
        for (unsigned l = 0; l < lanes; l++) lanes_of(w, vgpr(w, r))[l] = 0x1000 * (r + 1) + l;
    return w;
}
static bool active(const struct wave *w, unsigned l) { return w->exec >> l & 1; }
static u32 source(const struct wave *w, unsigned l) { return 0x1000 * (SRC + 1) + l + 0 * w->lanes; }
static u32 old(unsigned l) { return 0x1000 * (DST + 1) + l; }

#define EVERYWHERE /* every level and wave size, with a fresh wave w */                                      \
    (void)state;                                                                                             \
    for (unsigned n = 0; n < level_count(); n++)                                                             \
        for (unsigned size = 0; size < 2; size++)
#define OP_NAMED(name) body_named(&levels[n], name)->fn[0]

static void one_lane(void **state) {
    EVERYWHERE {
        struct wave *w = filled(sizes[size]);
        struct op op = {.d = sgpr_offset(5), .a = vgpr(w, SRC), .b = sgpr_offset(6)};
        w->exec = 0x30;
        run_op(w, op, OP_NAMED("v_readfirstlane_b32"));
        assert_int_equal(w->s[5], source(w, 4));
        w->exec = 0; // TRAP-228
        run_op(w, op, OP_NAMED("v_readfirstlane_b32"));
        assert_int_equal(w->s[5], source(w, 0));
        // In wave32 the high half of EXEC does not count (TRAP-069).
        w->exec = sizes[size] == 32 ? 1ull << 40 : 1ull << 41;
        run_op(w, op, OP_NAMED("v_readfirstlane_b32"));
        assert_int_equal(w->s[5], source(w, sizes[size] == 32 ? 0 : 41));
        w->s[6] = 64 + 32 + 3; // masked to the wave size (TRAP-229)
        run_op(w, op, OP_NAMED("v_readlane_b32"));
        assert_int_equal(w->s[5], source(w, sizes[size] == 32 ? 3 : 35));
        w->s[7] = 77, w->exec = 0;
        run_op(w, (struct op){.d = vgpr(w, DST), .a = sgpr_offset(7), .b = sgpr_offset(6)},
               OP_NAMED("v_writelane_b32"));
        for (unsigned l = 0; l < w->lanes; l++)
            assert_int_equal(lanes_of(w, vgpr(w, DST))[l], l == (sizes[size] == 32 ? 3 : 35) ? 77 : old(l));
        // Hostile encodings: a literal where a vector register is due.
        op.a = OP_IMM, op.imm = 1234;
        run_op(w, op, OP_NAMED("v_readfirstlane_b32"));
        assert_int_equal(w->s[5], 1234);
        run_op(w, op, OP_NAMED("v_readlane_b32"));
        assert_int_equal(w->s[5], 1234);
        w->exec = ~0ull;
        run_op(w, (struct op){.d = vgpr(w, DST), .a = OP_IMM, .b = OP_IMM, .c = OP_IMM, .imm = 9},
               OP_NAMED("v_permlane16_var_b32"));
        assert_int_equal(lanes_of(w, vgpr(w, DST))[1], 9);
        free(w);
    }
}

static void permlanes(void **state) {
    static const char *const names[] = {"v_permlane16_b32", "v_permlanex16_b32", "v_permlane16_var_b32",
                                        "v_permlanex16_var_b32"};
    EVERYWHERE {
        for (unsigned k = 0; k < 4; k++)
            for (unsigned mode = 0; mode < 4; mode++)
                for (unsigned round = 0; round < 8; round++) {
                    struct wave *w = filled(sizes[size]);
                    const bool fetch = mode & 1, bound = mode & 2, x16 = k & 1, var = k >= 2;
                    w->exec = tricky_exec();
                    w->s[10] = (u32)random64(), w->s[11] = (u32)random64();
                    for (unsigned l = 0; l < w->lanes; l++) lanes_of(w, vgpr(w, SELECT))[l] = (u32)random64();
                    run_op(w,
                           (struct op){.d = vgpr(w, DST),
                                       .a = vgpr(w, SRC),
                                       .b = var ? vgpr(w, SELECT) : sgpr_offset(10),
                                       .c = sgpr_offset(11),
                                       .e = mode},
                           OP_NAMED(names[k]));
                    for (unsigned l = 0; l < w->lanes; l++) {
                        const u64 selectors = w->s[10] | (u64)w->s[11] << 32;
                        const unsigned pick =
                            var ? lanes_of(w, vgpr(w, SELECT))[l] % 16 : selectors >> (4 * (l % 16)) & 15;
                        const unsigned from = (l / 16 ^ x16) * 16 + pick;
                        const u32 want = !active(w, l)              ? old(l)
                                         : fetch || active(w, from) ? source(w, from)
                                         : bound                    ? 0
                                                                    : old(l);
                        assert_int_equal(lanes_of(w, vgpr(w, DST))[l], want);
                    }
                    free(w);
                }
        struct wave *w = filled(sizes[size]);
        w->exec = 0x8000000500000001;
        run_op(w, (struct op){.d = vgpr(w, SRC), .a = vgpr(w, SRC)},
               OP_NAMED("v_permlane64_b32")); // in place
        for (unsigned l = 0; l < w->lanes; l++)
            assert_int_equal(lanes_of(w, vgpr(w, SRC))[l],
                             source(w, w->lanes == 64 && active(w, l) ? l ^ 32 : l));
        free(w);
    }
}

static unsigned swizzle_reference(unsigned offset, unsigned l) {
    const unsigned n = l % 32;
    unsigned from = 0;
    if (offset >= 0xe000) {
        for (unsigned b = 0; b < 5; b++) from |= (n >> b & 1) << (4 - b);
        for (unsigned m = offset & 31; m; m &= m - 1) from /= 2;
        from |= n & offset & 31;
    } else if (offset >= 0xc000) {
        const int by = offset >> 10 & 1 ? -(int)(offset >> 5 & 31) : (int)(offset >> 5 & 31);
        for (unsigned b = 0; b < 5; b++)
            from |= (offset >> b & 1 ? n : (unsigned)((int)n + by) & 31) & 1u << b;
    } else if (offset >= 0x8000)
        from = n / 4 * 4 + (offset >> (n % 4 * 2) & 3);
    else
        from = ((n & (offset & 31)) | (offset >> 5 & 31)) ^ (offset >> 10 & 31);
    return l / 32 * 32 + from;
}
static void swizzles(void **state) {
    EVERYWHERE {
        for (unsigned round = 0; round < 400; round++) {
            struct wave *w = filled(sizes[size]);
            const unsigned offset =
                round < 4 ? (const unsigned[]){0x001f, 0xe000, 0xe010, 0xe01f}[round] : random64() & 0xffff;
            w->exec = tricky_exec();
            run_op(w, (struct op){.d = vgpr(w, DST), .a = vgpr(w, SRC), .e = offset},
                   OP_NAMED("ds_swizzle_b32"));
            for (unsigned l = 0; l < w->lanes; l++) {
                const unsigned from = swizzle_reference(offset, l);
                assert_int_equal(lanes_of(w, vgpr(w, DST))[l], !active(w, l)     ? old(l)
                                                               : active(w, from) ? source(w, from)
                                                                                 : 0);
            }
            free(w);
        }
        // The manual's own tables: bit reversal for 0xe000, and its second stage.
        assert_int_equal(swizzle_reference(0xe000, 1), 0x10);
        assert_int_equal(swizzle_reference(0xe010, 1), 8);
        assert_int_equal(swizzle_reference(0xe010, 16), 0x10);
    }
}

static void permutes(void **state) {
    EVERYWHERE {
        for (unsigned round = 0; round < 64; round++) {
            struct wave *w = filled(sizes[size]);
            const unsigned offset = random64() % 3 ? random64() & 0xfc : random64() & 0xffff;
            const bool in_halves = round & 1;
            unsigned lane[64];
            w->exec = tricky_exec();
            for (unsigned l = 0; l < w->lanes; l++) {
                const u32 address = random64() % 4 ? (u32)random64() & 0x7f : (u32)random64();
                lanes_of(w, vgpr(w, SELECT))[l] = address;
                const unsigned at = (u32)(address + offset) / 4;
                lane[l] = in_halves ? l / 32 * 32 + at % 32 : at % w->lanes;
            }
            u32 pushed[64] = {0};
            for (unsigned l = 0; l < w->lanes; l++)
                if (active(w, l)) pushed[lane[l]] = source(w, l);
            const struct op op = {
                .d = vgpr(w, DST), .a = vgpr(w, SELECT), .b = vgpr(w, SRC), .e = offset, .imm = in_halves};
            run_op(w, op, OP_NAMED("ds_bpermute_b32"));
            for (unsigned l = 0; l < w->lanes; l++)
                assert_int_equal(lanes_of(w, vgpr(w, DST))[l], !active(w, l)        ? old(l)
                                                               : active(w, lane[l]) ? source(w, lane[l])
                                                                                    : 0);
            for (unsigned l = 0; l < w->lanes; l++) lanes_of(w, vgpr(w, DST))[l] = old(l);
            run_op(w, op, OP_NAMED("ds_permute_b32"));
            for (unsigned l = 0; l < w->lanes; l++)
                assert_int_equal(lanes_of(w, vgpr(w, DST))[l], active(w, l) ? pushed[l] : old(l));
            free(w);
        }
    }
}

// The source lane of each DPP control, or -1.
static int dpp_reference(unsigned ctrl, int l, int lanes) {
    const int row = l / 16 * 16, n = l % 16, k = (int)(ctrl & 15);
    if (ctrl < 0x100) return l / 4 * 4 + (int)(ctrl >> (l % 4 * 2) & 3);
    if (ctrl < 0x110) return n + k > 15 ? -1 : l + k;
    if (ctrl < 0x120) return n - k < 0 ? -1 : l - k;
    if (ctrl < 0x130) return row + (n + 16 - k) % 16;
    if (ctrl == 0x130) return l == lanes - 1 ? -1 : l + 1;
    if (ctrl == 0x134) return (l + 1) % lanes;
    if (ctrl == 0x138) return l - 1;
    if (ctrl == 0x13c) return (l + lanes - 1) % lanes;
    if (ctrl == 0x140) return row + 15 - n;
    if (ctrl == 0x141) return l / 8 * 8 + 7 - l % 8;
    if (ctrl == 0x142) return row - 1;
    if (ctrl == 0x143) return l >= 32 ? 31 : -1;
    if (ctrl >= 0x150 && ctrl < 0x160) return row + k;
    if (ctrl >= 0x160 && ctrl < 0x170) return row + (n ^ k);
    return -1;
}
static void dpp_of_rows(void **state) {
    EVERYWHERE {
        for (unsigned round = 0; round < 0x170 * 4; round++) {
            struct wave *w = filled(sizes[size]);
            const unsigned ctrl = round % 0x170, rows = random64() % 2 ? 15 : random64() & 15,
                           banks = random64() % 2 ? 15 : random64() & 15;
            const bool bound = random64() & 1, fi = random64() & 1;
            w->exec = tricky_exec();
            const u64 exec = w->exec;
            const u32 to = temp_offset(3);
            const struct dpp dpp = dpp16(ctrl, rows, banks, bound, fi);
            const struct op op = {.d = to, .a = vgpr(w, SRC), .e = dpp.e, .imm = dpp.imm};
            const struct steps *steps = levels[n].steps;
            run_op(w, op, dpp.e & DPP_ACROSS ? steps->dpp_across : steps->dpp_rows);
            assert_int_equal(w->exec, exec);
            if (dpp_narrows(dpp)) run_op(w, op, steps->dpp_narrow);
            u64 written = 0;
            for (unsigned l = 0; l < w->lanes; l++) {
                const int from = dpp_reference(ctrl, (int)l, (int)w->lanes);
                const bool ok = from >= 0 && (fi || exec >> from & 1);
                if ((ok || bound) && exec >> l & 1 && rows >> (l / 16) & 1 && banks >> (l % 16 / 4) & 1) {
                    written |= 1ull << l;
                    if (lanes_of(w, to)[l] != (ok ? source(w, (unsigned)from) : 0))
                        fail_msg("dpp_ctrl %03x %s wave%u lane %u", ctrl, levels[n].name, w->lanes, l);
                }
            }
            assert_int_equal(w->exec & w->all_lanes, written);
            if (dpp_narrows(dpp)) run_op(w, (struct op){0}, steps->dpp_end);
            assert_int_equal(w->exec, exec);
            free(w);
        }
    }
}
static void dpp_of_eight(void **state) {
    EVERYWHERE {
        for (unsigned round = 0; round < 64; round++) {
            struct wave *w = filled(sizes[size]);
            const u32 lanes = (u32)random64() & 0xffffff;
            const bool fi = round & 1;
            w->exec = tricky_exec();
            const u64 exec = w->exec;
            const struct dpp dpp = dpp8(lanes, fi);
            assert_false(dpp_narrows(dpp));
            run_op(w, (struct op){.d = temp_offset(0), .a = vgpr(w, SRC), .e = dpp.e, .imm = dpp.imm},
                   levels[n].steps->dpp_rows);
            for (unsigned l = 0; l < w->lanes; l++) {
                const unsigned from = l / 8 * 8 + (lanes >> (l % 8 * 3) & 7);
                assert_int_equal(lanes_of(w, temp_offset(0))[l],
                                 fi || exec >> from & 1 ? source(w, from) : 0);
            }
            assert_int_equal(w->exec, exec);
            free(w);
        }
    }
}

static void relative_registers(void **state) {
    EVERYWHERE {
        struct wave *w = filled(sizes[size]);
        w->exec = 0x0f;
        const u32 m0 = sgpr_offset(124);
        w->s[124] = 2;
        run_op(w, (struct op){.d = vgpr(w, 1), .a = vgpr(w, 3), .e = m0, .c = vgpr(w, REGISTERS)},
               OP_NAMED("v_movrels_b32"));
        assert_int_equal(lanes_of(w, vgpr(w, 1))[3], 0x6003);
        assert_int_equal(lanes_of(w, vgpr(w, 1))[4], 0x2004);
        w->s[124] = 100; // v0 is read
        run_op(w, (struct op){.d = vgpr(w, 1), .a = vgpr(w, 3), .e = m0, .c = vgpr(w, REGISTERS)},
               OP_NAMED("v_movrels_b32"));
        assert_int_equal(lanes_of(w, vgpr(w, 1))[3], 0x1003);
        w->s[124] = 4;
        run_op(w, (struct op){.d = vgpr(w, 0), .a = vgpr(w, 2), .e = m0, .c = vgpr(w, REGISTERS)},
               OP_NAMED("v_movreld_b32"));
        assert_int_equal(lanes_of(w, vgpr(w, 4))[2], 0x3002);
        w->s[9] = 55; // scalar source
        run_op(w, (struct op){.d = vgpr(w, 1), .a = sgpr_offset(9), .e = m0, .c = vgpr(w, REGISTERS)},
               OP_NAMED("v_movreld_b32"));
        assert_int_equal(lanes_of(w, vgpr(w, 5))[2], 55);
        assert_int_equal(lanes_of(w, vgpr(w, 5))[7], 0x6007);
        w->s[124] = 1;
        run_op(w, (struct op){.d = vgpr(w, 0), .a = vgpr(w, 2), .e = m0, .c = vgpr(w, REGISTERS)},
               OP_NAMED("v_movrelsd_b32"));
        assert_int_equal(lanes_of(w, vgpr(w, 1))[0], 0x4000);
        w->s[124] = 3 << 16 | 2;
        run_op(w, (struct op){.d = vgpr(w, 0), .a = vgpr(w, 0), .e = m0, .c = vgpr(w, REGISTERS)},
               OP_NAMED("v_movrelsd_2_b32"));
        assert_int_equal(lanes_of(w, vgpr(w, 3))[1], 0x3001);
        w->s[124] = 4 << 16 | 5; // v5 and v4 change places
        const u32 x = lanes_of(w, vgpr(w, 5))[1], y = lanes_of(w, vgpr(w, 4))[1];
        run_op(w, (struct op){.d = vgpr(w, 0), .a = vgpr(w, 0), .e = m0, .c = vgpr(w, REGISTERS)},
               OP_NAMED("v_swaprel_b32"));
        assert_int_equal(lanes_of(w, vgpr(w, 4))[1], x);
        assert_int_equal(lanes_of(w, vgpr(w, 5))[1], y);
        // Destinations out of range, nearby and far: nothing happens (TRAP-120, TRAP-121).
        const size_t bytes = sizeof(struct wave) + (size_t)REGISTERS * w->stride;
        struct wave *before = malloc(bytes);
        static const u32 far[] = {6, 1u << 16, 0x10000000, 0x7fffffff, 0xffffffff};
        for (unsigned k = 0; k < sizeof far / sizeof *far; k++) {
            w->s[124] = far[k];
            memcpy(before, w, bytes);
            run_op(w, (struct op){.d = vgpr(w, 0), .a = vgpr(w, 2), .e = m0, .c = vgpr(w, REGISTERS)},
                   OP_NAMED("v_movreld_b32"));
            run_op(w, (struct op){.d = vgpr(w, 0), .a = vgpr(w, 2), .e = m0, .c = vgpr(w, REGISTERS)},
                   OP_NAMED("v_movrelsd_b32"));
            w->s[124] = far[k] << 16 | 0x3ff, before->s[124] = w->s[124];
            run_op(w, (struct op){.d = vgpr(w, 0), .a = vgpr(w, 2), .e = m0, .c = vgpr(w, REGISTERS)},
                   OP_NAMED("v_swaprel_b32"));
            assert_memory_equal(before, w, bytes);
        }
        free(before), free(w);
    }
}

// v_cmpx through its step, and compares under DPP: masked lanes give 0 (TRAP-231, TRAP-250).
static void compare_under_dpp(void **state) {
    EVERYWHERE {
        struct wave *w = filled(sizes[size]);
        w->exec = w->all_lanes;
        const struct dpp dpp = dpp16(0x111, 1, 15, false, false);
        const struct op op = {.d = temp_offset(0), .a = vgpr(w, SRC), .e = dpp.e, .imm = dpp.imm};
        run_op(w, op, levels[n].steps->dpp_rows);
        run_op(w, op, levels[n].steps->dpp_narrow);
        w->vcc = ~0ull;
        run_op(w, (struct op){.d = WAVE_OFFSET(vcc), .a = temp_offset(0), .b = vgpr(w, DST)},
               OP_NAMED("v_cmp_lt_u32"));
        assert_int_equal((u32)w->vcc, 0xfffe); // row 0 without lane 0, which has no source
        run_op(w, (struct op){.a = WAVE_OFFSET(vcc)}, levels[n].steps->cmpx);
        assert_int_equal(w->exec & w->all_lanes, 0xfffe);
        free(w);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_lane),           cmocka_unit_test(permlanes),
        cmocka_unit_test(swizzles),           cmocka_unit_test(permutes),
        cmocka_unit_test(dpp_of_rows),        cmocka_unit_test(dpp_of_eight),
        cmocka_unit_test(relative_registers), cmocka_unit_test(compare_under_dpp),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
