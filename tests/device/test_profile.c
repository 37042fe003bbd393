// SPDX-License-Identifier: MIT
// Profiles: what is taken down of a kernel whose counts are known by hand, in each form, and what is refused.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/text.h"
#include "piece.h"
#include "rig.h"
#include "softwave/profile.h"

// Two waves of 64. 40 lanes go through a loop of five rounds; LDS is written with a stride of 32 dwords, then
// of one; memory is read with a stride of 64 bytes and written densely; `f` is called once a wave.
static const char *code(void) { return PIECE("code"); } // 128

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
    assert_true(rig_open(&p->rig, "gfx900", code(), directives));
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
    assert_int_equal(count, 28);
    unsigned looked_at = 0;
    for (size_t i = 0; i < count; i++) {
        const sw_profile_site *s = &all[i];
        const uint64_t at = s->pc - p.entry;
        const bool loop = at >= 84 && at <= 96;
        assert_int_equal(s->executions, loop ? 10 : 2);
        assert_int_equal(s->lanes, loop || at == 100 ? s->executions * 40 : 128);
        assert_int_equal(s->partial, loop || at == 100 ? s->executions : 0);
        assert_int_equal(s->taken, at == 96 ? 8 : at == 116 || at == 136 ? 2 : 0);
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
        if (at == 128) { // both addresses of 64 lanes of one bank
            assert_int_equal(s->conflicts, 2 * 2 * 2 * 31);
            assert_int_equal(s->asked, 2 * 512);
            looked_at++;
        }
        if (at == 60) {
            assert_int_equal(s->asked, 512);
            assert_int_equal(s->touched, 512);
            looked_at++;
        }
    }
    assert_int_equal(looked_at, 5);
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
    assert_non_null(strstr(text.data, "k: 88 instructions by 2 waves of 64"));
    assert_non_null(strstr(text.data, "k+0x54 to k+0x60")); // the loop
    assert_non_null(strstr(text.data, "v_add_u32_e32 v4, 1, v4"));
    assert_non_null(strstr(text.data, "124 bank conflicts"));
    assert_non_null(strstr(text.data, "512 bytes asked, 16.00 touched for each"));
    o.format = SW_PROFILE_JSON, o.context = &json;
    assert_int_equal(sw_profile_write(p.profile, &o, NULL), SW_OK);
    assert_non_null(strstr(json.data, "\"executions\": 88"));
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
