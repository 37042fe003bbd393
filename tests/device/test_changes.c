// SPDX-License-Identifier: MIT
// One kernel in shares, by the library's calls (softwave/changes.h): a program that does what `softwave run
// --shard` and `softwave merge` do. Then changes files with wrong bytes, whose digest is right: each ends
// with changes or with a message.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/md5.h"
#include "rig.h"
#include "softwave/changes.h"

// Item i of group g stores at 4*i of the first buffer, and adds i to the second.
#define CODE                                                                                                 \
    "s_load_dwordx4 s[4:7], s[0:1], 0x0\ns_lshl_b32 s8, s2, 6\nv_add_u32 v1, s8, v0\n"                       \
    "v_lshlrev_b32 v2, 2, v1\nv_mov_b32 v3, 0\ns_waitcnt lgkmcnt(0)\n"                                       \
    "global_store_dword v2, v1, s[4:5]\nglobal_atomic_add v3, v1, s[6:7]\ns_endpgm"
#define DESCRIPTOR                                                                                           \
    ".amdhsa_next_free_vgpr 8\n.amdhsa_next_free_sgpr 32\n.amdhsa_accum_offset 8\n"                          \
    ".amdhsa_user_sgpr_kernarg_segment_ptr 1\n.amdhsa_kernarg_size 16\n"
enum { GROUPS = 9, ITEMS = GROUPS * 64, SHARES = 4 };

struct bytes {
    uint8_t *data;
    size_t size;
};

static char message[1000];
static void note(void *context, const sw_diagnostic *d) {
    (void)context;
    snprintf(message, sizeof message, "%s", d->message);
}
static const sw_sink sink = {.report = note};

static struct bytes run_share(unsigned share) {
    struct rig r;
    assert_true(rig_open(&r, "gfx90a", CODE, DESCRIPTOR));
    uint64_t *kernarg = sw_device_alloc(r.device, 16);
    uint32_t *stored = sw_device_alloc(r.device, 4 * ITEMS), *sum = sw_device_alloc(r.device, 4);
    kernarg[0] = (uint64_t)(uintptr_t)stored;
    kernarg[1] = (uint64_t)(uintptr_t)sum;
    *sum = 1000;
    sw_dispatch q = rig_dispatch(r.object, r.executable, "k", kernarg, ITEMS, 64);
    const sw_region regions[] = {{"stored", stored, 4 * ITEMS}, {"sum", sum, 4}};
    sw_changes_options o = SW_INIT(sw_changes_options);
    o.device = r.device;
    o.kernel = sw_object_find_kernel(r.object, "k");
    o.share = share;
    o.shares = SHARES;
    o.regions = regions;
    o.region_count = 2;
    sw_changes *c;
    struct bytes b = {0};
    sw_counts counts = {.size = sizeof counts};
    assert_int_equal(sw_changes_begin(&o, &q, &c, NULL), SW_OK);
    assert_int_equal(sw_device_run(r.device, &q, NULL, &counts, NULL), SW_OK);
    assert_int_equal(counts.groups, share == 1 ? 3 : 2); // nine groups in four shares
    assert_int_equal(sw_changes_end(c, NULL), SW_OK);
    assert_int_equal(sw_changes_write(c, &b.data, &b.size, NULL), SW_OK);
    sw_changes_free(c);
    rig_close(&r);
    return b;
}

static void by_the_library(void **state) {
    (void)state;
    sw_changes *shares[SHARES], *all;
    for (unsigned i = 0; i < SHARES; i++) {
        struct bytes b = run_share(i + 1);
        assert_int_equal(sw_changes_read(b.data, b.size, "share", &shares[i], NULL), SW_OK);
        sw_changes_free_bytes(b.data);
        sw_changes_info info = {.size = sizeof info};
        assert_int_equal(sw_changes_look(shares[i], &info), SW_OK);
        assert_int_equal(info.share, i + 1);
        assert_int_equal(info.first_group, i ? 1 + 2 * i : 0);
    }
    assert_int_equal(sw_changes_merge((const sw_changes *const *)shares, SHARES - 1, &all, &sink),
                     SW_BAD_INPUT);
    assert_string_equal(message, "share 4 of 4 is missing");
    assert_int_equal(sw_changes_merge((const sw_changes *const *)shares, SHARES, &all, NULL), SW_OK);
    uint32_t stored[ITEMS], sum;
    assert_int_equal(sw_changes_initial(all, 0, stored, sizeof stored, NULL), SW_OK);
    assert_int_equal(sw_changes_apply(all, 0, stored, sizeof stored, NULL), SW_OK);
    for (unsigned i = 0; i < ITEMS; i++) assert_int_equal(stored[i], i);
    assert_int_equal(sw_changes_initial(all, 1, &sum, sizeof sum, NULL), SW_OK);
    assert_int_equal(sum, 1000);
    assert_int_equal(sw_changes_apply(all, 1, &sum, sizeof sum, NULL), SW_OK);
    assert_int_equal(sum, 1000 + ITEMS * (ITEMS - 1) / 2);
    assert_int_equal(sw_changes_apply(all, 1, stored, sizeof stored, NULL), SW_BAD_INPUT);
    assert_int_equal(sw_changes_apply(all, 2, stored, sizeof stored, NULL), SW_USAGE);
    // What is merged is a file as well, but no share.
    struct bytes b;
    sw_changes *again, *none;
    assert_int_equal(sw_changes_write(all, &b.data, &b.size, NULL), SW_OK);
    assert_int_equal(sw_changes_read(b.data, b.size, "all", &again, NULL), SW_OK);
    sw_changes_free_bytes(b.data);
    assert_int_equal(sw_changes_merge((const sw_changes *const *)&again, 1, &none, NULL), SW_BAD_INPUT);
    sw_changes_free(again);
    sw_changes_free(all);
    for (unsigned i = 0; i < SHARES; i++) sw_changes_free(shares[i]);
}

// A dispatch of a range that the grid does not have.
static void wrong_ranges(void **state) {
    (void)state;
    struct rig r;
    assert_true(rig_open(&r, "gfx90a", CODE, DESCRIPTOR));
    uint64_t *kernarg = sw_device_alloc(r.device, 16);
    static const uint64_t bad[][2] = {{GROUPS, 1}, {0, GROUPS + 1}, {GROUPS - 1, 2}, {1, 0}, {1, UINT64_MAX}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        sw_dispatch q = rig_dispatch(r.object, r.executable, "k", kernarg, ITEMS, 64);
        q.first_group = bad[i][0];
        q.group_count = bad[i][1];
        assert_int_equal(sw_device_run(r.device, &q, NULL, NULL, NULL), SW_USAGE);
    }
    rig_close(&r);
}

enum { DIGEST_AT = 12, CHECKED_FROM = 28 };
static bool is_read(const uint8_t *bytes, size_t size) {
    sw_changes *c = NULL;
    uint8_t out[4 * ITEMS];
    *message = 0;
    const sw_status status = sw_changes_read(bytes, size, "bytes", &c, &sink);
    if (status != SW_OK) {
        assert_null(c);
        assert_int_equal(status, SW_BAD_INPUT);
        assert_true(*message);
        return false;
    }
    sw_changes *merged = NULL;
    for (size_t i = 0; i < 3; i++)
        if (sw_changes_initial(c, i, out, i ? 4 : sizeof out, NULL) == SW_OK)
            sw_changes_apply(c, i, out, i ? 4 : sizeof out, NULL);
    const sw_changes *const alone[] = {c, c};
    sw_changes_merge(alone, 1, &merged, NULL);
    sw_changes_free(merged);
    sw_changes_free(c);
    return true;
}

static void any_bytes(void **state) {
    (void)state;
    struct bytes b = run_share(2);
    uint64_t random = 88172645463325252u;
    unsigned refused = 0;
    assert_true(is_read(b.data, b.size));
    uint8_t *copy = malloc(b.size + 1);
    for (size_t size = 0; size < b.size; size++) { // cut off anywhere
        memcpy(copy, b.data, size);
        if (size >= CHECKED_FROM) md5(copy + CHECKED_FROM, size - CHECKED_FROM, copy + DIGEST_AT);
        assert_false(is_read(copy, size));
    }
    memcpy(copy, b.data, b.size);
    copy[b.size] = 0; // and more behind its end
    md5(copy + CHECKED_FROM, b.size + 1 - CHECKED_FROM, copy + DIGEST_AT);
    assert_false(is_read(copy, b.size + 1));
    static const uint8_t values[] = {0, 1, 0x7f, 0x80, 0xff};
    for (size_t at = 0; at < b.size; at++)
        for (size_t v = 0; v < sizeof values; v++) {
            memcpy(copy, b.data, b.size);
            copy[at] = values[v];
            if (at >= CHECKED_FROM) md5(copy + CHECKED_FROM, b.size - CHECKED_FROM, copy + DIGEST_AT);
            refused += !is_read(copy, b.size);
        }
    for (unsigned round = 0; round < 5000; round++) {
        memcpy(copy, b.data, b.size);
        for (unsigned n = 0; n < 1 + round % 8; n++) {
            random ^= random << 13, random ^= random >> 7, random ^= random << 17;
            copy[CHECKED_FROM + random % (b.size - CHECKED_FROM)] = (uint8_t)(random >> 32);
        }
        md5(copy + CHECKED_FROM, b.size - CHECKED_FROM, copy + DIGEST_AT);
        refused += !is_read(copy, b.size);
    }
    assert_true(refused > 1000);
    free(copy);
    sw_changes_free_bytes(b.data);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(by_the_library), cmocka_unit_test(wrong_ranges),
                                       cmocka_unit_test(any_bytes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
