// SPDX-License-Identifier: MIT
// Profiles: what is taken down of a kernel whose counts are known by hand, in each form, and what is refused.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/text.h"
#include "rig.h"
#include "softwave/profile.h"

// Two waves of 64. 40 lanes go through a loop of five rounds; LDS is written with a stride of 32 dwords, then
// of one; memory is read with a stride of 64 bytes and written densely; `f` is called once a wave.
static const char code[] = "s_load_dwordx2 s[2:3], s[0:1], 0x0\n" // 0
                           "v_lshlrev_b32 v1, 7, v0\n"            // 8: lane * 128
                           "v_lshlrev_b32 v2, 2, v0\n"            // 12
                           "v_lshlrev_b32 v3, 6, v0\n"            // 16
                           "s_mov_b32 m0, -1\n"                   // 20
                           "s_waitcnt lgkmcnt(0)\n"               // 24
                           "ds_write_b32 v1, v0\n"                // 28
                           "ds_write_b32 v2, v0\n"                // 36
                           "s_barrier\n"                          // 44
                           "global_load_dword v4, v3, s[2:3]\n"   // 48
                           "s_waitcnt vmcnt(0)\n"                 // 56
                           "global_store_dword v2, v0, s[2:3]\n"  // 60
                           "s_mov_b32 s4, 5\n"                    // 68
                           "s_mov_b64 s[6:7], exec\n"             // 72
                           "s_mov_b32 exec_hi, 0xff\n"            // 76: 8 + 32 lanes
                           "l: v_add_u32 v4, 1, v4\n"             // 84
                           "s_sub_u32 s4, s4, 1\n"                // 88
                           "s_cmp_lg_u32 s4, 0\n"                 // 92
                           "s_cbranch_scc1 l\n"                   // 96
                           "s_mov_b64 exec, s[6:7]\n"             // 100
                           "s_getpc_b64 s[8:9]\n"                 // 104
                           "s_add_u32 s8, s8, 16\n"               // 108: from 108 to 124
                           "s_addc_u32 s9, s9, 0\n"               // 112
                           "s_swappc_b64 s[10:11], s[8:9]\n"      // 116
                           "s_endpgm\n"                           // 120
                           ".type f,@function\nf:\ns_nop 3\n"     // 124
                           "s_setpc_b64 s[10:11]\n";              // 128

static const char directives[] = ".amdhsa_next_free_vgpr 8\n.amdhsa_next_free_sgpr 16\n"
                                 ".amdhsa_user_sgpr_kernarg_segment_ptr 1\n"
                                 ".amdhsa_group_segment_fixed_size 16384\n";

static bool take(void *context, const char *text, size_t length) {
    text_add(context, text, length);
    return true;
}

struct profiled {
    struct rig rig;
    sw_profile *profile;
    uint64_t entry;
};

static void run_profiled(struct profiled *p) {
    assert_true(rig_open(&p->rig, "gfx900", code, directives));
    assert_int_equal(sw_profile_create(sw_object_target(p->rig.object)->processor, &p->profile, NULL), SW_OK);
    void **kernarg = sw_device_alloc(p->rig.device, 8);
    *kernarg = sw_device_alloc(p->rig.device, 128 * 64);
    sw_dispatch q = rig_dispatch(p->rig.object, p->rig.executable, "k", kernarg, 128, 128);
    q.group_segment_size = 16384;
    q.observe = sw_profile_step;
    q.observe_context = p->profile;
    assert_int_equal(sw_device_run(p->rig.device, &q, NULL, NULL, NULL), SW_OK);
    p->entry =
        sw_executable_base(p->rig.executable) + sw_object_find_kernel(p->rig.object, "k")->entry_offset;
}

static void close_profiled(struct profiled *p) {
    sw_profile_destroy(p->profile);
    rig_close(&p->rig);
}

static void counts(void **state) {
    (void)state;
    struct profiled p;
    run_profiled(&p);
    sw_profile_site all[64] = {{.size = sizeof *all}};
    const size_t count = sw_profile_sites(p.profile, all, 64);
    assert_int_equal(count, sw_profile_sites(p.profile, NULL, 0));
    assert_int_equal(count, 27);
    unsigned looked_at = 0;
    for (size_t i = 0; i < count; i++) {
        const sw_profile_site *s = &all[i];
        const uint64_t at = s->pc - p.entry;
        const bool loop = at >= 84 && at <= 96;
        assert_int_equal(s->executions, loop ? 10 : 2);
        assert_int_equal(s->lanes, loop || at == 100 ? s->executions * 40 : 128);
        assert_int_equal(s->partial, loop || at == 100 ? s->executions : 0);
        assert_int_equal(s->taken, at == 96 ? 8 : at == 116 || at == 128 ? 2 : 0);
        if (at == 28) { // 64 lanes of one bank: 31 passes more for each half
            assert_int_equal(s->conflicts, 2 * 2 * 31);
            assert_int_equal(s->asked, 512);
            looked_at++;
        }
        if (at == 36) assert_int_equal(s->conflicts, 0), looked_at++;
        if (at == 48) { // a line for each lane
            assert_int_equal(s->asked, 512);
            assert_int_equal(s->touched, 128 * 64);
            looked_at++;
        }
        if (at == 60) {
            assert_int_equal(s->asked, 512);
            assert_int_equal(s->touched, 512);
            looked_at++;
        }
    }
    assert_int_equal(looked_at, 4);
    sw_profile_clear(p.profile);
    assert_int_equal(sw_profile_sites(p.profile, NULL, 0), 0);
    close_profiled(&p);
}

static void written(void **state) {
    (void)state;
    struct profiled p;
    struct text text = {0}, json = {0}, folded = {0};
    run_profiled(&p);
    sw_profile_options o = {.size = sizeof o,
                            .write = take,
                            .context = &text,
                            .kernel = "k",
                            .object = p.rig.object,
                            .base = sw_executable_base(p.rig.executable)};
    assert_int_equal(sw_profile_write(p.profile, &o, NULL), SW_OK);
    assert_non_null(strstr(text.data, "k: 86 instructions by 2 waves of 64"));
    assert_non_null(strstr(text.data, "k+0x54 to k+0x60")); // the loop
    assert_non_null(strstr(text.data, "v_add_u32_e32 v4, 1, v4"));
    assert_non_null(strstr(text.data, "124 bank conflicts"));
    assert_non_null(strstr(text.data, "512 bytes asked, 16.00 touched for each"));
    o.format = SW_PROFILE_JSON, o.context = &json;
    assert_int_equal(sw_profile_write(p.profile, &o, NULL), SW_OK);
    assert_non_null(strstr(json.data, "\"executions\": 86"));
    assert_non_null(strstr(json.data, "\"iterations\": 8"));
    o.format = SW_PROFILE_FOLDED, o.context = &folded;
    assert_int_equal(sw_profile_write(p.profile, &o, NULL), SW_OK);
    assert_non_null(strstr(folded.data, "k;f;s_nop_3 2\n"));
    assert_non_null(strstr(folded.data, "k;v_add_u32_e32_v4,_1,_v4 10\n"));
    o.object = NULL, o.format = SW_PROFILE_TEXT; // without names
    assert_int_equal(sw_profile_write(p.profile, &o, NULL), SW_OK);
    text_free(&text), text_free(&json), text_free(&folded);
    close_profiled(&p);
}

static void refused(void **state) {
    (void)state;
    struct profiled p;
    sw_profile *none;
    run_profiled(&p);
    sw_profile_options o = {.size = sizeof o}, format = {.size = sizeof o, .write = take, .format = 7};
    assert_int_equal(sw_profile_write(p.profile, &o, NULL), SW_USAGE);
    assert_int_equal(sw_profile_write(p.profile, &format, NULL), SW_USAGE);
    assert_int_equal(sw_profile_create(sw_processor_find("cayman", 6), &none, NULL), SW_UNSUPPORTED);
    assert_null(none);
    sw_profile_site wrong = {0};
    assert_int_equal(sw_profile_sites(p.profile, &wrong, 1), 0);
    close_profiled(&p);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(counts), cmocka_unit_test(written),
                                       cmocka_unit_test(refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
