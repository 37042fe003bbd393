// SPDX-License-Identifier: MIT
// Floating point that pieces treat in ways of their own gives the same bits in stencils and in compiled code
// as in the interpreter: NaNs of sums, products and operations on one operand, which are the host's, and
// divisions, minimum and maximum, whose rare operands pieces leave to handlers. Each step computes under the
// MODE that holds where it stands. Numbers are plain, or have zeros, denormals, infinities, NaNs and far
// exponents in a few lanes, or in most, or in one operand alone.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>

#include "device/device.h"
#include "rig.h"

enum { ITEMS = 128, ARRAYS = 4, RESULTS = 128, SETS = 18 };

struct target {
    const char *name;
    bool new_names; // of GFX11: waves have 32 lanes
};
static const struct target targets[] = {{"gfx90a", false}, {"gfx1100", true}};

static uint64_t seed;
static uint32_t random32(void) {
    seed = seed * 6364136223846793005 + 1442695040888963407;
    return (uint32_t)(seed >> 32);
}

// One instruction or more, from v[2:3] and v[4:5] to v20, or to v[20:21]. %V is VCC, %S another mask;
// s15 has a NaN.
struct code {
    const char *text;
    bool is_wide;
    bool is_packed; // new targets have no such instruction
};
#define DIVIDE32                                                                                             \
    "v_div_scale_f32 v20, %S, v4, v4, v2\nv_div_scale_f32 v21, %V, v2, v4, v2\nv_rcp_f32 v22, v20\n"         \
    "v_fma_f32 v23, -v20, v22, 1.0\nv_fma_f32 v22, v23, v22, v22\nv_mul_f32 v23, v21, v22\n"                 \
    "v_fma_f32 v24, -v20, v23, v21\nv_fma_f32 v23, v24, v22, v23\nv_fma_f32 v20, -v20, v23, v21\n"           \
    "v_div_fmas_f32 v20, v20, v22, v23\nv_div_fixup_f32 v20, v20, v4, v2\n"
#define DIVIDE64                                                                                             \
    "v_div_scale_f64 v[20:21], %S, v[4:5], v[4:5], v[2:3]\nv_div_scale_f64 v[22:23], %V, v[2:3], v[4:5], "   \
    "v[2:3]\n"                                                                                               \
    "v_rcp_f64 v[24:25], v[20:21]\nv_fma_f64 v[26:27], -v[20:21], v[24:25], 1.0\n"                           \
    "v_fma_f64 v[24:25], v[24:25], v[26:27], v[24:25]\nv_mul_f64 v[26:27], v[22:23], v[24:25]\n"             \
    "v_fma_f64 v[20:21], -v[20:21], v[26:27], v[22:23]\n"                                                    \
    "v_div_fmas_f64 v[20:21], v[20:21], v[24:25], v[26:27]\n"                                                \
    "v_div_fixup_f64 v[20:21], v[20:21], v[4:5], v[2:3]\n"
// The other rounding than the kernel's, and back (MODE is in s14).
#define OTHER_MODE      "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 2), 1\n"
#define MODE_BACK       "s_setreg_b32 hwreg(HW_REG_MODE, 0, 2), s14\n"
#define DENORMALS_COUNT "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 4, 2), 3\n"
#define NO_DENORMALS    "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 4, 2), 0\n"
static const struct code codes[] = {
    {"v_rcp_f32 v20, v2\n", false},
    {"v_rsq_f32 v20, v2\n", false},
    {"v_sqrt_f32 v20, v2\n", false},
    {"v_exp_f32 v20, v2\n", false},
    {"v_log_f32 v20, v2\n", false},
    {"v_rndne_f32 v20, v2\n", false},
    {"v_floor_f32 v20, v2\n", false},
    {"v_ceil_f32 v20, v2\n", false},
    {"v_trunc_f32 v20, v2\n", false},
    {"v_fract_f32 v20, v2\n", false},
    {"v_ldexp_f32 v20, v2, v4\n", false},
    {"v_bfe_i32 v20, v4, 3, 7\nv_ldexp_f32 v20, v2, v20\n", false},
    {"v_rcp_f32 v20, -|v2|\n", false},
    {"v_fma_f32 v20, v2, v4, v3\n", false},
    {"v_fma_f32 v20, v5, v4, v3\nv_fma_f32 v20, v2, v3, v20\nv_fma_f32 v20, v20, v4, v5\n", false},
    {"v_fma_f32 v20, v3, -v2, |v4|\nv_fma_f32 v20, v3, v20, v4\nv_fma_f32 v20, v20, v20, v20\n", false},
    {"v_fma_f32 v20, s15, v4, v3\nv_fma_f32 v21, v4, s15, v3\nv_fma_f32 v20, v20, v21, s15\n", false},
    {"v_add_f32 v20, v2, v4\nv_add_f32 v21, v4, v2\n", true},
    {"v_mul_f32 v20, v2, v4\nv_mul_f32 v21, v4, v2\n", true},
    {"v_sub_f32 v20, v2, v4\nv_sub_f32 v21, v4, v2\n", true},
    {"v_subrev_f32 v20, v2, v4\nv_subrev_f32 v21, v4, v2\n", true},
    {"v_add_f32 v20, s15, v4\nv_mul_f32 v21, s15, v2\n", true},
    {"v_sub_f32 v20, s15, v4\nv_subrev_f32 v21, s15, v2\n", true},
    {"v_sub_f32 v20, 1.0, v4\nv_subrev_f32 v20, 0x7fa00001, v20\nv_mul_f32 v21, 0xff900000, v2\n", true},
    {"v_sub_f32 v20, v2, v2\nv_subrev_f32 v21, v3, v3\n", true},
    {"v_min_f32 v20, v2, v4\nv_max_f32 v21, v4, v2\n", true},
    {"v_min_f32 v20, s15, v4\nv_max_f32 v21, 0, v3\n", true},
    {"v_max_f32 v20, v3, v3\nv_min_f32 v20, 1.0, v20\n", false},
    {"v_min3_f32 v20, v2, v4, v3\nv_max3_f32 v21, v2, v4, v3\n", true},
    {"v_mul_f32 v20, v3, v5\nv_add_f32 v20, v20, v2\nv_sub_f32 v20, v4, v20\n", false},
    {"v_pk_fma_f32 v[20:21], v[2:3], v[4:5], v[4:5]\n", true, true},
    {"v_pk_fma_f32 v[20:21], v[4:5], v[2:3], v[2:3] op_sel:[0,1,0] op_sel_hi:[1,0,1]\n", true, true},
    {"v_pk_add_f32 v[20:21], v[4:5], v[2:3]\n", true, true},
    {"v_pk_mul_f32 v[20:21], v[2:3], v[4:5] neg_lo:[1,0]\n", true, true},
    // The same twice, under two MODEs.
    {"v_mov_b32 v22, 0x3f8ccccd\nv_mov_b32 v23, 0x3dcccccd\nv_add_f32 v20, v22, v23\n" OTHER_MODE
     "v_add_f32 v21, v22, v23\n" MODE_BACK,
     true},
    {"v_mul_f32 v20, v2, v4\n" OTHER_MODE "v_mul_f32 v21, v2, v4\n" MODE_BACK, true},
    {OTHER_MODE "v_fma_f32 v20, v2, v4, v3\n" MODE_BACK "v_fma_f32 v21, v2, v4, v3\n", true},
    {"v_frexp_mant_f32 v20, v2\nv_frexp_exp_i32_f32 v21, v2\n", true},
    {DENORMALS_COUNT "v_frexp_mant_f32 v20, v2\n" NO_DENORMALS "v_frexp_mant_f32 v21, v2\n", true},
    {DENORMALS_COUNT "v_frexp_exp_i32_f32 v20, v2\n" NO_DENORMALS "v_frexp_exp_i32_f32 v21, v2\n", true},
    // Between F64 and F16, which MODE may round in another way.
    {"v_add_f32 v22, v2, v4\nv_fma_f64 v[24:25], v[2:3], v[4:5], v[2:3]\nv_mul_f32 v23, v3, v4\n"
     "v_add_f64 v[26:27], v[2:3], v[24:25]\nv_fma_f32 v20, v22, v23, v5\nv_mul_f64 v[26:27], v[26:27], "
     "v[4:5]\n"
     "v_add_f32 v20, v20, v26\nv_add_f32 v21, v27, v22\n",
     true},
    {"v_mul_f32 v22, v2, v4\nv_add_f16 v24, v2, v4\nv_add_f32 v23, v3, v4\nv_mul_f16 v25, v3, v4\n"
     "v_fma_f32 v20, v2, v3, v4\nv_fma_f16 v26, v24, v25, v3\nv_add_f32 v21, v22, v23\n"
     "v_xor_b32 v20, v20, v26\n",
     true},
    {DIVIDE32, false},
    {"v_div_scale_f32 v20, %V, v2, v4, v2\n", false},
    {"v_div_scale_f32 v20, %V, v2, v4, v2\nv_cndmask_b32 v20, v20, v4, %V\n", false},
    {"v_div_scale_f32 v20, %V, v3, v4, v2\n", false},
    {"v_div_scale_f32 v20, %V, v4, v4, v2\n", false},
    {"v_mov_b32 v20, v3\nv_div_scale_f32 v20, %S, v20, v4, v20\nv_cndmask_b32 v20, v20, v4, %S\n", false},
    {"v_div_scale_f32 v20, %V, v4, v4, v2\nv_cndmask_b32 v20, v20, v2, %V\n", false},
    {"s_mov_%B %V, 0\nv_div_fmas_f32 v20, v2, v4, v3\n", false},
    {"v_cmp_lt_i32 %V, v3, v5\nv_div_fmas_f32 v20, v2, v4, v3\n", false},
    {"v_div_fixup_f32 v20, v3, v4, v2\n", false},
    {"v_div_scale_f32 v20, %V, -v2, v4, -v2\nv_cndmask_b32 v20, v20, v4, %V\n", false},
    {"v_div_fmas_f32 v20, v2, -v4, v3\nv_div_fixup_f32 v21, v3, -v4, |v2|\n", true},
    {DIVIDE64, true},
    {"v_div_scale_f64 v[20:21], %V, -v[2:3], v[4:5], -v[2:3]\n", true},
    {"v_div_fixup_f64 v[20:21], -v[2:3], v[4:5], -v[2:3]\n", true},
    {"v_div_scale_f64 v[20:21], %V, v[4:5], v[4:5], v[2:3]\nv_cndmask_b32 v20, v20, v2, %V\n", true},
    {"s_mov_%B %V, 0\nv_div_fmas_f64 v[20:21], v[2:3], v[4:5], v[2:3]\n", true},
    {"v_cmp_lt_i32 %V, v2, v4\nv_div_fmas_f64 v[20:21], v[2:3], v[4:5], v[2:3]\n", true},
    {"v_div_fixup_f64 v[20:21], v[2:3], v[4:5], v[4:5]\n", true},
};
enum { CODES = sizeof codes / sizeof *codes };

struct text {
    char *at, *end;
};
static void put_text(struct text *t, const char *s) {
    const size_t n = strlen(s);
    assert_true(n < (size_t)(t->end - t->at));
    memcpy(t->at, s, n + 1);
    t->at += n;
}
static void put_for(struct text *t, const struct target *g, const char *s) {
    for (; *s; s++) {
        char one[2] = {*s, 0};
        if (*s != '%')
            put_text(t, one);
        else if (*++s == 'V')
            put_text(t, g->new_names ? "vcc_lo" : "vcc");
        else if (*s == 'S')
            put_text(t, g->new_names ? "s10" : "s[10:11]");
        else if (*s == 'E')
            put_text(t, g->new_names ? "exec_lo" : "exec");
        else if (*s == 'M')
            put_text(t, g->new_names ? "s12" : "s[12:13]");
        else if (*s == 'B')
            put_text(t, g->new_names ? "b32" : "b64");
        else
            put_text(t, g->new_names ? "v_add_nc_u32" : "v_add_u32"); // %A
    }
}
static void put_store(struct text *t, const struct target *g, const char *v) {
    put_text(t, g->new_names ? "global_store_b32 v1, " : "global_store_dword v1, ");
    put_text(t, v);
    put_for(t, g, ", s[6:7]\n%A v1, 0x200, v1\n");
}
// s[0:1] are the arguments: numbers, results, and the lanes that take part. Results stand one array behind
// the other. With `loops` each code stands in a loop, which ends at once: so operations that leave rare
// operands to handlers come back from there, and the codes behind are compiled code's again.
static void put_kernel(struct text *t, const struct target *g, bool loops) {
    put_text(t, g->new_names ? "s_load_b128 s[4:7], s[0:1], 0x0\ns_load_b64 s[12:13], s[0:1], 0x10\n"
                             : "s_load_dwordx4 s[4:7], s[0:1], 0x0\ns_load_dwordx2 s[12:13], s[0:1], 0x10\n");
    put_text(t, "s_waitcnt lgkmcnt(0)\nv_lshlrev_b32 v1, 2, v0\n");
    const char *load = g->new_names ? "global_load_b32" : "global_load_dword";
    for (unsigned i = 0; i < ARRAYS; i++) {
        char line[80];
        snprintf(line, sizeof line, "%s v%u, v1, s[4:5] offset:%u\n", load, 2 + i, i * ITEMS * 4);
        put_text(t, line);
    }
    put_text(t,
             "s_waitcnt vmcnt(0)\ns_getreg_b32 s14, hwreg(HW_REG_MODE, 0, 2)\ns_mov_b32 s15, 0xffa12345\n");
    for (size_t i = 0; i < CODES; i++) {
        char begin[64] = "", end[64] = "";
        if (loops) {
            snprintf(begin, sizeof begin, "s_mov_b32 s16, 0\ncode%zu:\n", i);
            snprintf(end, sizeof end, "s_cmp_eq_u32 s16, 1\ns_cbranch_scc1 code%zu\n", i);
        }
        put_text(t, begin);
        put_for(t, g, "v_mov_b32 v20, 0\nv_mov_b32 v21, 0\ns_mov_%B %E, %M\n");
        if (!codes[i].is_packed || !g->new_names) put_for(t, g, codes[i].text);
        put_text(t, end);
        put_for(t, g, "s_mov_%B %E, -1\n");
        put_store(t, g, "v20");
        if (codes[i].is_wide) put_store(t, g, "v21");
    }
    put_text(t, "s_endpgm\n");
}

struct arguments {
    uint64_t numbers, results, lanes;
};
struct run {
    struct rig r;
    struct arguments *arguments;
    uint32_t *numbers, *results;
};
static bool open_run(struct run *u, const struct target *g, const char *code, const char *mode,
                     const char *level, sw_tier tier) {
    char text[32768], descriptor[512];
    *u = (struct run){0};
    snprintf(
        descriptor, sizeof descriptor,
        ".amdhsa_next_free_vgpr 32\n.amdhsa_next_free_sgpr 20\n.amdhsa_user_sgpr_kernarg_segment_ptr 1\n%s%s",
        g->new_names ? "" : ".amdhsa_accum_offset 32\n", mode);
    assert_true(rig_text(text, sizeof text, code, descriptor));
    u->r.object = rig_object(g->name, text, &u->r.image);
    if (!u->r.object) fail_msg("does not assemble for %s:\n%s", g->name, code);
    sw_device_options o = {.size = sizeof o, .threads = 1, .level = level, .tier = tier, .cache = ""};
    o.target = *sw_object_target(u->r.object);
    if (sw_device_create(&o, &u->r.device, NULL) != SW_OK) {
        rig_close(&u->r);
        return false;
    }
    assert_int_equal(sw_device_load(u->r.device, u->r.object, NULL, NULL, &u->r.executable, NULL), SW_OK);
    u->arguments = sw_device_alloc(u->r.device, sizeof *u->arguments);
    u->numbers = sw_device_alloc(u->r.device, ARRAYS * ITEMS * 4);
    u->results = sw_device_alloc(u->r.device, RESULTS * ITEMS * 4);
    return true;
}

// Both the upper half of an F64 and an F32.
static uint32_t number_of(unsigned edges) {
    static const uint32_t rare[] = {0,          0x80000000, 1,          0x80000001, 0x007fffff,
                                    0x7f800000, 0xff800000, 0x7f800001, 0xffc00123, 0x7fa00000,
                                    0x7ff00000, 0xfff00001, 0x7ff80000, 0x00800000, 0x7f7fffff,
                                    0xff000000, 0x00100000, 0x7fe00000, 0x01000000, 0x4f000000};
    const uint32_t r = random32();
    if (random32() % 8 < edges) return random32() & 1 ? rare[random32() % (sizeof rare / sizeof *rare)] : r;
    return (0x3f800000 + (r & 0x3fffff)) ^ (r & 0x80000000);
}
// A number of an array, 0 of which is mostly the numerator, 1 the quotient, 2 the denominator.
enum { PLAIN, MOST_RARE, FEW_RARE, ZEROS, RARE_QUOTIENTS, ZEROS_BY_RARE, KINDS };
static uint32_t number_in(unsigned kind, unsigned array, unsigned item) {
    const bool is_one = item % 8 == 5, zeros = kind == ZEROS || kind == ZEROS_BY_RARE;
    if (zeros && is_one && array < 2) return array == item / 8 % 2 ? 0x80000000 : 0;
    if (kind == MOST_RARE) return number_of(7);
    if (is_one && ((kind == RARE_QUOTIENTS && array == 1) || (kind == ZEROS_BY_RARE && array == 2)))
        return number_of(8);
    return number_of(kind == FEW_RARE && is_one);
}
static void go(struct run *u, unsigned set) {
    static const uint64_t lanes[] = {~0ull, 0x5a5a00ffffff3333ull};
    seed = set;
    for (unsigned i = 0; i < ARRAYS * ITEMS; i++)
        u->numbers[i] = number_in(set % KINDS, i / ITEMS, i % ITEMS);
    memset(u->results, 0, RESULTS * ITEMS * 4);
    *u->arguments = (struct arguments){(uint64_t)(uintptr_t)u->numbers, (uint64_t)(uintptr_t)u->results,
                                       lanes[set / KINDS % 2]};
    assert_int_equal(rig_run(&u->r, u->arguments, ITEMS, ITEMS, NULL), SW_OK);
}
static const char *code_at(unsigned array) {
    for (size_t i = 0; i < CODES; i++) {
        const unsigned has = 1 + codes[i].is_wide;
        if (array < has) return codes[i].text;
        array -= has;
    }
    return "nothing";
}
static void compare(const struct target *g, const char *mode, const char *level, sw_tier tier, bool loops) {
    static char code[32768];
    struct text t = {code, code + sizeof code};
    put_kernel(&t, g, loops);
    struct run expected, other;
    if (!open_run(&other, g, code, mode, level, tier)) return; // the host has no such level
    assert_true(open_run(&expected, g, code, mode, level, SW_TIER_INTERPRETER));
    for (unsigned set = 0; set < SETS; set++) {
        go(&expected, set);
        go(&other, set);
        for (unsigned i = 0; i < RESULTS * ITEMS; i++)
            if (expected.results[i] != other.results[i]) {
                const uint32_t *n = expected.numbers + i % ITEMS;
                fail_msg("%s, level %s, tier %d, set %u, item %u: 0x%x, not 0x%x, of 0x%x 0x%x 0x%x 0x%x\n%s",
                         g->name, level, (int)tier - SW_TIER_INTERPRETER, set, i % ITEMS, other.results[i],
                         expected.results[i], n[0], n[ITEMS], n[2 * ITEMS], n[3 * ITEMS], code_at(i / ITEMS));
            }
    }
    if (other.r.device->fused_at_once)
        assert_int_equal(sw_device_tier(other.r.device, NULL), SW_TIER_COMPILED);
    rig_close(&expected.r);
    rig_close(&other.r);
}

static void alike(void **state) {
    (void)state;
    static const char *const levels[] = {"v3", "v4"};
    static const char *const modes[] = {"",
                                        ".amdhsa_float_denorm_mode_32 3\n.amdhsa_float_round_mode_32 2\n"};
    for (size_t g = 0; g < sizeof targets / sizeof *targets; g++)
        for (size_t v = 0; v < sizeof levels / sizeof *levels; v++) {
            for (int tier = SW_TIER_INTERPRETER + 1; tier <= SW_TIER_COMPILED; tier++)
                compare(&targets[g], modes[(g + v) % 2], levels[v], (sw_tier)tier, false);
            compare(&targets[g], modes[(g + v) % 2], levels[v], SW_TIER_COMPILED, true);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(alike)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
