// SPDX-License-Identifier: MIT
// What is known of the lanes of a wave from one of them (src/jit/lanes.h) holds lane by lane:
// random kernels compute addresses from work-item ids, constants at which they wrap, carry or change sign in
// the middle of a wave among them, and read the same compiled as interpreted.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>

#include "device/device.h"
#include "rig.h"

enum {
    KERNELS = 3,
    PAIRS = 12,
    LINES = 10,
    CHAINS = 3,
    LINE = 64,
    SETS = 16,
    GROUPS = 24,
    MOST_ITEMS = 256,
    CONSTANTS = 8,
    TABLE = 1024
};

static uint64_t seed;
static unsigned labels; // of the kernel that is written
static uint32_t pick(uint32_t below) {
    seed = seed * 6364136223846793005 + 1442695040888963407;
    return (uint32_t)(seed >> 33) % below;
}

// How a target's kernels are written.
struct target {
    const char *name;
    bool long_names, adds_pairs; // v_add_nc_u32 and s_load_b128; v_lshl_add_u64
};
static const struct target targets[] = {
    {"gfx1100", true, false}, {"gfx900", false, false}, {"gfx942", false, true}};

struct text {
    char *at, *end;
};
static void put(struct text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void put(struct text *t, const char *format, ...) {
    va_list list;
    va_start(list, format);
    const int n = vsnprintf(t->at, (size_t)(t->end - t->at), format, list);
    va_end(list);
    assert_true(n >= 0 && n < t->end - t->at);
    t->at += n;
}

// Values stand in v10 and up; constants in s16 to s23.
static uint32_t shift_count(void) { return pick(4) ? pick(9) : pick(32); }
static uint32_t mask(void) {
    switch (pick(4)) {
    case 0: return (1u << pick(32)) - 1;
    case 1: return ~((1u << pick(32)) - 1);
    case 2: return ((1u << pick(16)) - 1) << pick(16);
    default: return pick(2) ? 0xff : 0x3ffff;
    }
}
static void put_op(struct text *t, const struct target *g, unsigned to) {
    const char *add = g->long_names ? "v_add_nc_u32" : "v_add_u32",
               *sub = g->long_names ? "v_sub_nc_u32" : "v_sub_u32", *half = g->long_names ? "_lo" : "";
    const unsigned a = 10 + pick(to - 10), b = 10 + pick(to - 10), s = 16 + pick(CONSTANTS);
    switch (pick(20)) {
    case 0: put(t, "%s v%u, s%u, v%u\n", add, to, s, a); break;
    case 1: put(t, "%s v%u, v%u, v%u\n", add, to, a, b); break;
    case 2: put(t, "%s v%u, s%u, v%u\n", sub, to, s, a); break;
    case 3: put(t, "%s v%u, v%u, v%u\n", sub, to, a, b); break;
    case 4: put(t, "v_lshlrev_b32 v%u, %u, v%u\n", to, shift_count(), a); break;
    case 5: put(t, "v_lshrrev_b32 v%u, %u, v%u\n", to, shift_count(), a); break;
    case 6: put(t, "v_ashrrev_i32 v%u, %u, v%u\n", to, shift_count(), a); break;
    case 7: put(t, "v_and_b32 v%u, 0x%x, v%u\n", to, mask(), a); break;
    case 8: put(t, "v_mul_lo_u32 v%u, v%u, %u\n", to, a, pick(9)); break;
    case 9: put(t, "v_bfe_u32 v%u, v%u, %u, %u\n", to, a, pick(12), 1 + pick(20)); break;
    case 10: put(t, "v_lshl_add_u32 v%u, v%u, %u, v%u\n", to, a, pick(8), b); break;
    case 11: put(t, "v_or_b32 v%u, s%u, v%u\n", to, s, a); break;
    case 12: put(t, "v_add3_u32 v%u, v%u, s%u, v%u\n", to, a, s, b); break;
    case 13:
        put(t, "v_cmp_%s_%s32 vcc%s, s%u, v%u\n", pick(2) ? "lt" : "ge", pick(2) ? "u" : "i", half, s, a);
        put(t, "v_cndmask_b32 v%u, v%u, v%u, vcc%s\n", to, a, b, half);
        break;
    case 15: // a carry, and what a comparison chooses, move lanes
    case 16:
        put(t, "v_mov_b32 v4, 0\nv_add_co_u32 v2, vcc%s, s%u, v%u\n", half, s, a);
        put(t, "%s v2, %s, 0, v4, vcc%s\nv_lshl_add_u32 v%u, v2, 5, v%u\n",
            g->long_names ? "v_add_co_ci_u32_e64" : "v_addc_co_u32", g->long_names ? "null" : "vcc", half, to,
            b);
        break;
    case 17:
    case 18:
        put(t, "v_cmp_%s_%s32 vcc%s, s%u, v%u\nv_mov_b32 v4, 0x44\n", pick(2) ? "gt" : "le",
            pick(2) ? "u" : "i", half, s, a);
        put(t, "v_cndmask_b32 v2, 0, v4, vcc%s\n%s v%u, v2, v%u\n", half, add, to, b);
        break;
    case 14: put(t, "v_mul_hi_u32 v%u, s%u, v%u\n", to, s, a); break;
    default: put(t, "v_bfe_i32 v%u, v%u, %u, %u\n", to, a, pick(12), 1 + pick(20)); break;
    }
}

// v[to:to+1] = v[of:of+1] + the constant in s[s:s+1], 64-bit numbers.
static void put_pair_sum(struct text *t, const struct target *g, unsigned to, unsigned of, unsigned s) {
    if (g->adds_pairs && pick(2))
        put(t, "v_lshl_add_u64 v[%u:%u], v[%u:%u], 0, s[%u:%u]\n", to, to + 1, of, of + 1, s, s + 1);
    else if (g->long_names)
        put(t, "v_add_co_u32 v%u, vcc_lo, s%u, v%u\nv_add_co_ci_u32_e64 v%u, null, s%u, v%u, vcc_lo\n", to, s,
            of, to + 1, s + 1, of + 1);
    else
        put(t, "v_add_co_u32 v%u, vcc, s%u, v%u\nv_mov_b32 v4, s%u\nv_addc_co_u32 v%u, vcc, v4, v%u, vcc\n",
            to, s, of, s + 1, to + 1, of + 1);
}
static void put_wait(struct text *t, const struct target *g, unsigned value) {
    put(t, "s_waitcnt vmcnt(0)\nv_mul_lo_u32 v1, v1, 33\n%s v1, v1, v%u\n",
        g->long_names ? "v_add_nc_u32" : "v_add_u32", value);
}
// A loop moves a pointer in v[2:3] that is far from the table, by a number that carries or borrows, and reads
// from the table by its distance to it. Lanes begin at a signed or unsigned number of elements.
static void put_loop(struct text *t, const struct target *g, unsigned v) {
    const char *load = g->long_names ? "global_load_b32" : "global_load_dword";
    const bool is_signed = pick(2), up = pick(2);
    const unsigned rounds = 1 + pick(7), by = 4 * (1 + pick(20)), number = labels++;
    put(t, "v_bfe_%s32 v2, v%u, 0, 8\n", is_signed ? "i" : "u", v);
    put(t, is_signed ? "v_ashrrev_i32 v3, 31, v2\n" : "v_mov_b32 v3, 0\n");
    put(t, "v_lshlrev_b64 v[2:3], 2, v[2:3]\ns_mov_b32 s10, %u\n", rounds);
    put_pair_sum(t, g, 2, 2, 24);
    put(t, "loop%u:\n", number);
    put_pair_sum(t, g, 6, 2, 26);
    put(t, "%s v5, v[6:7], off offset:%u\n", load, 2048 - pick(2) * 4);
    put_wait(t, g, 5);
    put(t,
        g->long_names
            ? "v_add_co_u32 v2, vcc_lo, %d, v2\nv_add_co_ci_u32_e64 v3, null, %d, v3, vcc_lo\n"
            : "v_add_co_u32 v2, vcc, %d, v2\nv_mov_b32 v4, %d\nv_addc_co_u32 v3, vcc, v4, v3, vcc\n",
        up ? (int)by : -(int)by, up ? 0 : -1);
    put(t, "s_sub_u32 s10, s10, 1\ns_cmp_lg_u32 s10, 0\ns_cbranch_scc1 loop%u\n", number);
    if (pick(2)) return;
    // How far it is from where it began, as halves.
    put(t, g->long_names
               ? "v_subrev_co_u32 v2, vcc_lo, s24, v2\nv_subrev_co_ci_u32_e64 v3, null, s25, v3, vcc_lo\n"
               : "v_subrev_co_u32 v2, vcc, s24, v2\nv_mov_b32 v4, s25\nv_subb_co_u32 v3, vcc, v3, v4, vcc\n");
    put(t, "v_xor_b32 v1, v1, v2\nv_xor_b32 v1, v1, v3\n");
}
// A loop counts elements, from a number that is far from 0, and reads from the table by their distance to it.
static void put_counting(struct text *t, const struct target *g) {
    const char *load = g->long_names ? "global_load_b32" : "global_load_dword",
               *add = g->long_names ? "v_add_nc_u32" : "v_add_u32";
    const bool is_signed = pick(2);
    const unsigned number = labels++;
    put(t, "s_and_b32 s12, s%u, 0xffff0000\n%s v2, s12, v0\n", 16 + pick(CONSTANTS), add);
    put(t, is_signed ? "s_ashr_i32 s13, s12, 31\n" : "s_mov_b32 s13, 0\n");
    put(t, "s_lshl_b64 s[12:13], s[12:13], 2\ns_sub_u32 s14, s4, s12\ns_subb_u32 s15, s5, s13\n");
    put(t, "s_mov_b32 s10, %u\nloop%u:\n", 1 + pick(7), number);
    put(t, is_signed ? "v_ashrrev_i32 v3, 31, v2\n" : "v_mov_b32 v3, 0\n");
    put(t, "v_lshlrev_b64 v[6:7], 2, v[2:3]\n");
    put_pair_sum(t, g, 6, 6, 14);
    put(t, "%s v5, v[6:7], off offset:%u\n", load, 4 * pick(400));
    put_wait(t, g, 5);
    put(t, "%s v2, %u, v2\ns_sub_u32 s10, s10, 1\ns_cmp_lg_u32 s10, 0\ns_cbranch_scc1 loop%u\n", add,
        1 + pick(8), number);
}
// Reads a dword of the table and adds it to what v1 has: at an offset, or an address in s[24:27] in two parts
// whose sum is the table.
static void put_load(struct text *t, const struct target *g, unsigned values) {
    const char *load = g->long_names ? "global_load_b32" : "global_load_dword";
    const unsigned v = 10 + pick(values);
    switch (pick(4)) {
    case 0: put(t, "v_and_b32 v2, 0x%x, v%u\n%s v5, v2, s[4:5]\n", TABLE * 4 - 4, v, load); break;
    case 1:
        put(t, "v_and_b32 v2, 0x%x, v%u\nv_lshlrev_b32 v2, 2, v2\n%s v5, v2, s[4:5]\n", TABLE - 1, v, load);
        break;
    case 2:
        put(t, "v_and_b32 v2, 0x%x, v%u\nv_mov_b32 v3, 0\nv_lshlrev_b64 v[2:3], 2, v[2:3]\n", TABLE - 1, v);
        put_pair_sum(t, g, 2, 2, 24);
        put_pair_sum(t, g, 2, 2, 26);
        put(t, "%s v5, v[2:3], off\n", load);
        break;
    default: // products and sign extensions of all lanes
        put(t, "v_and_b32 v2, 0x%x, v%u\nv_mov_b32 v6, s24\nv_mov_b32 v7, s25\n", TABLE - 1, v);
        put(t, "v_mad_u64_u32 v[2:3], %s, v2, 4, v[6:7]\n", g->long_names ? "null" : "s[30:31]");
        put_pair_sum(t, g, 2, 2, 26);
        put(t, "%s v5, v[2:3], off\n", load);
        break;
    }
    put_wait(t, g, 5);
}

// What halves of a number of 64 bits in s[10:11] may come from, and what looks like it: another carry,
// another shift, the sign of something else.
static void put_halves(struct text *t) {
    const unsigned a = 16 + pick(CONSTANTS), b = 16 + pick(CONSTANTS), by = 1 + pick(31);
    switch (pick(11)) {
    case 0: put(t, "s_add_u32 s10, s10, s%u\ns_addc_u32 s11, s11, s%u\n", a, b); break;
    case 1: put(t, "s_add_u32 s10, s10, %u\ns_addc_u32 s11, s11, %u\n", pick(64), pick(2)); break;
    case 2:
        put(t, "s_add_u32 s10, s10, s%u\ns_cmp_%s_u32 s10, s%u\ns_addc_u32 s11, s11, 0\n", a,
            pick(2) ? "lt" : "gt", b);
        break;
    case 3:
        put(t, "s_mov_b32 s12, s10\ns_add_u32 s10, s10, 4\ns_cmp_gt_u32 s12, %d\ns_addc_u32 s11, s11, 0\n",
            pick(2) ? -5 : 9);
        break;
    case 4: put(t, "s_sub_u32 s10, s10, s%u\ns_subb_u32 s11, s11, s%u\n", a, b); break;
    case 5: put(t, "s_lshl_b64 s[10:11], s[10:11], %u\n", by); break;
    case 6: put(t, pick(2) ? "s_ashr_i32 s11, s%u, 31\n" : "s_mov_b32 s11, 0\n", pick(3) ? 10 : a); break;
    case 7: // of two low halves, which begin with the carry of another sum or not
        put(t, "%ss_add_u32 s10, s10, s%u\ns_addc_u32 s11, %s, 0\n",
            pick(2) ? "s_add_u32 s11, s10, s11\n" : "", a, pick(2) ? "0" : "s11");
        break;
    case 8: // by hand
        put(t, "s_%s s12, s%u, %u\n", pick(2) ? "lshr_b32" : "ashr_i32", pick(4) ? 10 : a,
            (pick(4) ? 32 : 33) - by);
        if (pick(2))
            put(t, "s_mov_b32 s11, s12\n");
        else
            put(t, "s_lshl_b32 s13, s11, %u\ns_or_b32 s11, s12, s13\n", by);
        put(t, "s_lshl_b32 s10, s10, %u\n", by);
        break;
    case 9: // by a funnel shift, of these halves or of others, by as much or not
        put(t, "v_mov_b32 v2, s10\nv_mov_b32 v3, s11\nv_mov_b32 v4, s%u\nv_alignbit_b32 v3, v3, v%u, %u\n", a,
            pick(4) ? 2 : 4, 32 - by);
        put(t, "v_lshlrev_b32 v2, %u, v2\nv_readfirstlane_b32 s10, v2\nv_readfirstlane_b32 s11, v3\n",
            pick(4) ? by : 1 + pick(31));
        break;
    default:
        put(t, "s_ashr_i32 s11, s10, %u\ns_lshl_b64 s[10:11], s[10:11], %u\n", pick(4) ? 31 : pick(31), by);
        break;
    }
    put(t, "s_lshl_b64 s[14:15], s[10:11], %u\ns_xor_b64 s[28:29], s[28:29], s[14:15]\n", pick(4));
}
static void put_scalars(struct text *t) {
    const unsigned number = labels++;
    put(t, "s_mov_b64 s[10:11], s[%u:%u]\ns_mov_b64 s[28:29], 0\ns_movk_i32 s3, %u\nloop%u:\n", 16, 17,
        1 + pick(4), number);
    for (unsigned n = 2 + pick(5); n--;) put_halves(t);
    put(t, "s_sub_u32 s3, s3, 1\ns_cmp_lg_u32 s3, 0\ns_cbranch_scc1 loop%u\n", number);
    put(t, "v_xor_b32 v1, s28, v1\nv_mul_lo_u32 v1, v1, 33\nv_xor_b32 v1, s29, v1\n");
}

typedef void put_fn(struct text *t, const struct target *g);
// s[0:1] are the arguments: table, out, the size of a group, the constants, and two addresses whose sum is
// the table. Twice: values, loads by them, and a store of v1.
static void put_begin(struct text *t, const struct target *g) {
    const char *of[] = {"s_load_dword", "s_load_dwordx4", "s_load_dwordx8"},
               *bits[] = {"s_load_b32", "s_load_b128", "s_load_b256"}, **load = g->long_names ? bits : of;
    put(t, "%s s[4:7], s[0:1], 0x0\n%s s8, s[0:1], 0x10\n%s s[16:23], s[0:1], 0x20\n", load[1], load[0],
        load[2]);
    put(t, "%s s[24:27], s[0:1], 0x40\ns_waitcnt lgkmcnt(0)\ns_mul_i32 s9, s8, s2\n", load[1]);
    put(t, "%s v10, s9, v0\nv_mov_b32 v11, v0\nv_mov_b32 v12, s2\nv_mov_b32 v1, 0\n",
        g->long_names ? "v_add_nc_u32" : "v_add_u32");
    put(t, "v_lshlrev_b32 v9, 2, v10\n");
}
static void put_kernel(struct text *t, const struct target *g) {
    put_begin(t, g);
    unsigned values = 3;
    for (int half = 0; half < 2; half++) {
        for (int i = 0; i < 10; i++) put_op(t, g, 10 + values++);
        for (int i = 0; i < 4; i++) put_load(t, g, values);
        put(t, "%s v9, v1, s[6:7]%s\n", g->long_names ? "global_store_b32" : "global_store_dword",
            half ? " offset:2048" : "");
    }
    put(t, "s_endpgm\n");
}

// Numbers of 64 bits in two registers, one loop with an address of lanes: what more there is, the less is
// known.
static void put_pairs(struct text *t, const struct target *g) {
    put_begin(t, g);
    for (int i = 0; i < 3; i++) put_scalars(t);
    if (pick(2))
        put_loop(t, g, 10 + pick(3));
    else
        put_counting(t, g);
    put(t, "%s v9, v1, s[6:7]\ns_endpgm\n", g->long_names ? "global_store_b32" : "global_store_dword");
}

// What halves of numbers of 64 bits in v[2:3] may come from, and what looks
// like it.
static void put_lane_halves(struct text *t, const struct target *g) {
    const char *vcc = g->long_names ? "vcc_lo" : "vcc",
               *carries = g->long_names ? "v_add_co_ci_u32" : "v_addc_co_u32",
               *add = g->long_names ? "v_add_nc_u32" : "v_add_u32";
    const unsigned a = 16 + pick(CONSTANTS), b = 16 + pick(CONSTANTS);
    switch (pick(8)) {
    case 0:
    case 1:
    case 2: put_pair_sum(t, g, 2, 2, 16 + 2 * pick(CONSTANTS / 2)); break;
    case 3: // the carry of something else
        put(t,
            "%s v2, s%u, v2\nv_cmp_gt_u32 %s, s%u, v2\nv_mov_b32 v4, 0\n%s v3, %s, "
            "v3, v4, %s\n",
            add, a, vcc, pick(2) ? a : b, carries, vcc, vcc);
        break;
    case 4: put(t, "v_ashrrev_i32 v3, %u, v%u\n", pick(4) ? 31 : pick(31), pick(4) ? 2 : 10); break;
    case 5: put(t, "v_mov_b32 v3, 0\n"); break;
    case 6: // the halves of two sums
        put(t,
            "v_mov_b32 v6, s%u\nv_ashrrev_i32 v7, 31, v6\nv_add_co_u32 v2, %s, v6, "
            "v2\n%s v3, %s, v%u, v3, "
            "%s\n",
            a, vcc, carries, vcc, pick(4) ? 7 : 6, vcc);
        break;
    default:
        put(t,
            "v_mov_b32 v6, s%u\nv_mov_b32 v7, s%u\nv_mad_u64_u32 v[6:7], %s, s%u, "
            "s%u, v[6:7]\n",
            a, b, g->long_names ? "null" : "s[30:31]", a, a);
        put(t, "v_add_co_u32 v2, %s, v6, v2\n%s v3, %s, v7, v3, %s\n", vcc, carries, vcc, vcc);
    }
}
// A shift to the left by 2, by hand or what looks like it.
static void put_lane_shift(struct text *t) {
    if (pick(2)) {
        put(t, "v_lshlrev_b64 v[2:3], 2, v[2:3]\n");
        return;
    }
    put(t, "v_%s v6, %u, v%u\n", pick(2) ? "lshrrev_b32" : "ashrrev_i32", pick(4) ? 30 : 29,
        pick(4) ? 2 : 10);
    if (pick(2))
        put(t, "v_mov_b32 v3, v6\n");
    else
        put(t, "v_lshlrev_b32 v7, %u, v3\nv_or_b32 v3, v6, v7\n", pick(4) ? 2 : 3);
    put(t, "v_lshlrev_b32 v2, 2, v2\n");
}
// Reads from the table by the lanes' distance to the wave's first one, if that
// is not too far for any of them. s[10:11]: for each chain and group what leads
// from the first lane's number to the table; behind these, what the lanes have.
static void put_lines(struct text *t, const struct target *g) {
    const char *vcc = g->long_names ? "vcc_lo" : "vcc", *bits = g->long_names ? "b32" : "b64",
               *exec = g->long_names ? "exec_lo" : "exec", *other = g->long_names ? "s30" : "s[30:31]",
               *load = g->long_names ? "s_load_b64" : "s_load_dwordx2",
               *store = g->long_names ? "global_store_b64" : "global_store_dwordx2";
    put_begin(t, g);
    put(t,
        "%s s[10:11], s[0:1], 0x18\ns_lshl_b32 s3, s2, 3\nv_lshlrev_b32 v8, 3, "
        "v10\n",
        load);
    for (int n = 0; n < CHAINS; n++) {
        const unsigned number = labels++;
        put(t, "v_mov_b32 v2, v%u\n", pick(2) ? 10 : 11);
        if (pick(2))
            put(t, "%s v2, s%u, v2\n", g->long_names ? "v_add_nc_u32" : "v_add_u32", 16 + pick(CONSTANTS));
        put(t, pick(2) ? "v_mov_b32 v3, 0\n" : "v_ashrrev_i32 v3, 31, v2\n");
        for (unsigned k = pick(3); k--;) put_lane_halves(t, g);
        put_lane_shift(t);
        for (unsigned k = pick(4); k--;) put_lane_halves(t, g);
        put(t,
            "s_waitcnt lgkmcnt(0)\ns_add_u32 s12, s10, s3\ns_addc_u32 s13, s11, "
            "0\n%s s[12:13], s[12:13], "
            "0x%x\n",
            load, n * GROUPS * 8);
        put(t,
            "s_add_u32 s14, s10, 0x%x\ns_addc_u32 s15, s11, 0\n%s v8, v[2:3], "
            "s[14:15]\n",
            CHAINS * GROUPS * 8 + n * GROUPS * LINE * 8, store);
        put(t, "s_add_u32 s14, s4, %u\ns_addc_u32 s15, s5, 0\ns_waitcnt lgkmcnt(0)\n", TABLE * 4);
        put_pair_sum(t, g, 6, 2, 12);
        put(t,
            "v_mov_b32 v5, 0\nv_cmp_le_u64 %s, s[4:5], v[6:7]\nv_cmp_gt_u64 %s, "
            "s[14:15], v[6:7]\n",
            vcc, other);
        put(t, "s_and_%s %s, %s, %s\ns_xor_%s %s, %s, %s\ns_cbranch_scc1 far%u\n", bits, vcc, vcc, other,
            bits, other, exec, vcc, number);
        put(t, "%s v5, v[6:7], off\nfar%u:\n", g->long_names ? "global_load_b32" : "global_load_dword",
            number);
        put_wait(t, g, 5);
    }
    put(t, "%s v9, v1, s[6:7]\ns_endpgm\n", g->long_names ? "global_store_b32" : "global_store_dword");
}

// Ids go up to GROUPS * MOST_ITEMS: some constants end a block of numbers among them.
static uint32_t constant(void) {
    static const uint32_t ends[] = {0, 0x80000000, 0x40000000, 0x10000, 0x400, 0x1000, 0x20000000};
    const uint32_t end = ends[pick(sizeof ends / sizeof *ends)];
    switch (pick(5)) {
    case 0: return pick(2) ? pick(GROUPS * MOST_ITEMS) : pick(100);
    case 1: return end + pick(64) - 32;
    case 3: return 0u - 1 - pick(64);
    case 2: return end - pick(GROUPS * MOST_ITEMS);
    default: return pick(1u << 31) * 2 + pick(2);
    }
}
struct arguments {
    uint64_t table, out;
    uint32_t items, unused;
    uint64_t lines; // of put_lines
    uint32_t constants[CONSTANTS];
    uint64_t parts[2];
};
static void fill(struct arguments *a, const uint32_t *table, const uint32_t *out, uint32_t items) {
    *a = (struct arguments){
        (uint64_t)(uintptr_t)table, (uint64_t)(uintptr_t)out, items, 0, a->lines, {0}, {0}};
    for (int i = 0; i < CONSTANTS; i++) a->constants[i] = constant();
    const uint64_t to_carry = -(a->table & 0xffffffff) - 4 * pick(TABLE);
    a->parts[0] = a->table + (pick(2) ? to_carry : (uint64_t)constant() << pick(20));
    a->parts[1] = a->table - a->parts[0];
}

#define DESCRIPTOR                                                                                           \
    ".amdhsa_next_free_vgpr 48\n.amdhsa_next_free_sgpr 40\n.amdhsa_user_sgpr_kernarg_segment_ptr 1\n"        \
    ".amdhsa_system_sgpr_workgroup_id_x 1\n"

struct run {
    struct rig r;
    struct arguments *arguments;
    uint32_t *table, *out;
};
enum { OUT = GROUPS * MOST_ITEMS + 1024 };
static void open_run(struct run *u, const struct target *g, const char *code, sw_tier tier) {
    char text[32768];
    *u = (struct run){0};
    const char *more = strcmp(g->name, "gfx942") ? "" : ".amdhsa_accum_offset 48\n";
    char descriptor[512];
    snprintf(descriptor, sizeof descriptor, "%s%s", DESCRIPTOR, more);
    assert_true(rig_text(text, sizeof text, code, descriptor));
    u->r.object = rig_object(g->name, text, &u->r.image);
    if (!u->r.object) fail_msg("does not assemble for %s:\n%s", g->name, code);
    const sw_device_options o = {
        .size = sizeof o, .threads = 1, .target = *sw_object_target(u->r.object), .tier = tier};
    assert_int_equal(sw_device_create(&o, &u->r.device, NULL), SW_OK);
    assert_int_equal(sw_device_load(u->r.device, u->r.object, NULL, NULL, &u->r.executable, NULL), SW_OK);
    u->arguments = sw_device_alloc(u->r.device, sizeof *u->arguments);
    u->table = sw_device_alloc(u->r.device, TABLE * 4 + 4096);
    u->out = sw_device_alloc(u->r.device, OUT * 4);
    for (uint32_t i = 0; i < TABLE; i++) u->table[i] = i * 2654435761u + 1;
}
static void go(struct run *u, uint64_t set, uint32_t items) {
    seed = set;
    memset(u->out, 0xa5, OUT * 4);
    fill(u->arguments, u->table, u->out, items);
    assert_int_equal(rig_run(&u->r, u->arguments, GROUPS * items, items, NULL), SW_OK);
}

static void compare(const struct target *g, uint64_t number, put_fn *put_code, uint64_t sets) {
    static const uint32_t sizes[] = {64, 256, 96, 128};
    char code[28000];
    struct text t = {code, code + sizeof code};
    seed = number;
    labels = 0;
    put_code(&t, g);
    struct run interpreted, compiled;
    open_run(&interpreted, g, code, SW_TIER_INTERPRETER);
    open_run(&compiled, g, code, SW_TIER_COMPILED);
    for (uint64_t set = 0; set < sets; set++) {
        const uint32_t items = sizes[set % 4];
        go(&interpreted, number * SETS + set, items);
        go(&compiled, number * SETS + set, items);
        for (uint32_t i = 0; i < OUT; i++)
            if (interpreted.out[i] != compiled.out[i])
                fail_msg("%s, kernel %llu, set %llu, groups of %u, dword %u: 0x%x, not 0x%x\n%s", g->name,
                         (unsigned long long)number, (unsigned long long)set, items, i, compiled.out[i],
                         interpreted.out[i], code);
    }
    rig_close(&interpreted.r);
    rig_close(&compiled.r);
}

// Numbers that wrap, carry, are less than another or leave a block of numbers from some lane on, or from one
// to another: each chooses which part of the table lanes read. All groups do the same, the first one to find
// memory.
struct edge {
    const char *code; // v4 from v1 = id + s16, v0 = id, v2 = 64, v3 = 0
    uint32_t (*place)(uint32_t id, uint32_t v, uint32_t other);
};
static uint32_t at_carry(uint32_t id, uint32_t v, uint32_t other) {
    return id + (v + other < other ? 64 : 0);
}
static uint32_t at_less(uint32_t id, uint32_t v, uint32_t other) { return id + (v < other ? 64 : 0); }
static uint32_t at_signed(uint32_t id, uint32_t v, uint32_t other) {
    return id + ((int32_t)v < (int32_t)other ? 64 : 0);
}
static uint32_t at_shifted(uint32_t id, uint32_t v, uint32_t other) { return (void)other, id + (v & 0xc0); }
static uint32_t at_sign(uint32_t id, uint32_t v, uint32_t other) { return (void)other, id + (v >> 31 << 6); }
static uint32_t at_masked(uint32_t id, uint32_t v, uint32_t other) { return (void)id, (void)other, v & 0xff; }
static const struct edge edge_list[] = {
    {"v_add_co_u32 v5, vcc, s17, v1\n v_cndmask_b32 v4, 0, v2, vcc\n v_add_u32 v4, v4, v0\n", at_carry},
    {"v_cmp_gt_u32 vcc, s17, v1\n v_cndmask_b32 v4, 0, v2, vcc\n v_add_u32 v4, v4, v0\n", at_less},
    {"v_cmp_gt_i32 vcc, s17, v1\n v_cndmask_b32 v4, 0, v2, vcc\n v_add_u32 v4, v4, v0\n", at_signed},
    {"v_lshrrev_b32 v4, 6, v1\n v_and_b32 v4, 3, v4\n v_lshl_add_u32 v4, v4, 6, v0\n", at_shifted},
    {"v_mov_b32 v6, v1\n v_mov_b32 v7, 0\n v_lshlrev_b64 v[6:7], 26, v[6:7]\n v_and_b32 v4, 3, v7\n"
     "v_lshl_add_u32 v4, v4, 6, v0\n",
     at_shifted},
    {"v_and_b32 v4, 0xc0, v1\n v_add_u32 v4, v4, v0\n", at_shifted},
    {"v_ashrrev_i32 v4, 31, v1\n v_and_b32 v4, 64, v4\n v_add_u32 v4, v4, v0\n", at_sign},
    {"v_and_b32 v4, 0xff, v1\n", at_masked},
};

static void edges_of(const struct edge *e) {
    enum { OFF = 70 };
    static const uint32_t others[] = {0, 20, 0u - 5, 0u - 31, 0x80000000, 0x80000013, 0x7ffffff0};
    static const uint32_t bases[] = {0, 0x80000000};
    char code[2048];
    struct run u;
    snprintf(code, sizeof code,
             "s_load_dwordx4 s[4:7], s[0:1], 0x0\n s_load_dwordx2 s[16:17], s[0:1], 0x20\n v_mov_b32 v2, 64\n"
             "v_mov_b32 v3, 0\n s_waitcnt lgkmcnt(0)\n v_add_u32 v1, s16, v0\n %s"
             "v_lshlrev_b32 v4, 2, v4\n v_lshlrev_b32 v0, 2, v0\n global_load_dword v4, v4, s[4:5]\n"
             "s_waitcnt vmcnt(0)\n global_store_dword v0, v4, s[6:7]\n s_endpgm\n",
             e->code);
    open_run(&u, &targets[1], code, SW_TIER_COMPILED);
    uint32_t *constants = u.arguments->constants;
    fill(u.arguments, u.table, u.out, 64);
    for (size_t b = 0; b < sizeof bases / sizeof *bases; b++)
        for (int off = -OFF; off < OFF; off++)
            for (size_t n = 0; n < sizeof others / sizeof *others; n++) {
                constants[0] = bases[b] + (uint32_t)off;
                constants[1] = others[n];
                assert_int_equal(rig_run(&u.r, u.arguments, 4 * 64, 64, NULL), SW_OK);
                for (uint32_t i = 0; i < 64; i++) {
                    const uint32_t at = e->place(i, i + constants[0], others[n]);
                    if (u.out[i] != u.table[at])
                        fail_msg("lane %u with 0x%x and 0x%x does not read place %u:\n%s", i, constants[0],
                                 others[n], at, e->code);
                }
            }
    rig_close(&u.r);
}
static void edges(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof edge_list / sizeof *edge_list; i++) edges_of(&edge_list[i]);
}

static void compare_all(uint64_t count, put_fn *put_code, uint64_t sets) {
    const char *first = getenv("TEST_SEED"), *many = getenv("TEST_KERNELS"); // to look for more
    const uint64_t from = first ? strtoull(first, NULL, 0) : 1;
    if (many) count = strtoull(many, NULL, 0);
    for (uint64_t k = from; k < from + count; k++)
        for (size_t n = 0; n < sizeof targets / sizeof *targets; n++) compare(&targets[n], k, put_code, sets);
}
static void alike(void **state) {
    (void)state;
    compare_all(KERNELS, put_kernel, SETS);
}
static void pairs(void **state) {
    (void)state;
    compare_all(PAIRS, put_pairs, 4);
}

// Groups of one wave. The first run says where lines begin.
static void compare_lines(const struct target *g, uint64_t number) {
    const uint32_t items = g->long_names ? 32 : 64;
    const size_t bytes = CHAINS * GROUPS * 8 + CHAINS * GROUPS * LINE * 8;
    char code[28000];
    struct text t = {code, code + sizeof code};
    struct run u[2];
    uint64_t *lines[2];
    unsigned read = 0;
    seed = number;
    labels = 0;
    put_lines(&t, g);
    for (int n = 0; n < 2; n++) {
        open_run(&u[n], g, code, n ? SW_TIER_COMPILED : SW_TIER_INTERPRETER);
        lines[n] = sw_device_alloc(u[n].r.device, bytes);
        u[n].arguments->lines = (uint64_t)(uintptr_t)lines[n];
    }
    for (uint64_t set = 0; set < SETS; set++) {
        for (int n = 0; n < 2; n++) {
            memset(lines[n], 0, bytes);
            go(&u[n], number * SETS + set, items);
            for (unsigned k = 0; k < CHAINS * GROUPS; k++)
                lines[n][k] = (uint64_t)(uintptr_t)u[n].table -
                              lines[n][CHAINS * GROUPS + k / GROUPS * GROUPS * LINE + k % GROUPS * items];
            go(&u[n], number * SETS + set, items);
        }
        for (uint32_t i = 0; i < OUT; i++) {
            read += u[0].out[i] != 0 && u[0].out[i] != 0xa5a5a5a5;
            if (u[0].out[i] != u[1].out[i])
                fail_msg("%s, kernel %llu, set %llu, dword %u: 0x%x, not 0x%x\n%s", g->name,
                         (unsigned long long)number, (unsigned long long)set, i, u[1].out[i], u[0].out[i],
                         code);
        }
    }
    assert_true(read > GROUPS * items);
    rig_close(&u[0].r);
    rig_close(&u[1].r);
}
static void lines(void **state) {
    (void)state;
    const char *first = getenv("TEST_SEED"),
               *many = getenv("TEST_KERNELS"); // to look for more
    const uint64_t from = first ? strtoull(first, NULL, 0) : 1,
                   count = many ? strtoull(many, NULL, 0) : LINES;
    for (uint64_t k = from; k < from + count; k++)
        for (size_t n = 0; n < sizeof targets / sizeof *targets; n++) compare_lines(&targets[n], k);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(edges), cmocka_unit_test(alike),
                                       cmocka_unit_test(pairs), cmocka_unit_test(lines)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
