// SPDX-License-Identifier: MIT
// The initial state of a kernel (INIT-01 to INIT-20, TRAP-406 to TRAP-411): kernels that store their scalar
// registers, work-item ids and EXEC, assembled by llvm-mc for each generation, launched with every user SGPR
// that the generation has.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "assemble.h"
#include "base/text.h"
#include "softwave/device.h"

enum { SGPRS = 24, ROW = 64 }; // words of output: SGPRS, then exec lo, exec hi, wave size

struct machine {
    const char *name;
    bool gfx10, buffer, flat_init, packed, ttmp_ids, preload;
    unsigned lanes;
    const char *directives;
};

// Which user SGPRs a generation may have: KD-09 to KD-15.
static const struct machine machines[] = {
    {"gfx900", .buffer = true, .flat_init = true, .lanes = 64, .directives = ""},
    {"gfx90a", .buffer = true, .flat_init = true, .packed = true, .lanes = 64,
     .directives = ".amdhsa_accum_offset 12\n"},
    {"gfx942", .packed = true, .preload = true, .lanes = 64,
     .directives = ".amdhsa_accum_offset 12\n.amdhsa_user_sgpr_kernarg_preload_length 2\n"},
    {"gfx1030", .gfx10 = true, .buffer = true, .flat_init = true, .lanes = 32, .directives = ""},
    {"gfx1030", .gfx10 = true, .buffer = true, .flat_init = true, .lanes = 64,
     .directives = ".amdhsa_wavefront_size32 0\n"},
    {"gfx1100", .gfx10 = true, .packed = true, .lanes = 32, .directives = ""},
    {"gfx1201", .gfx10 = true, .packed = true, .ttmp_ids = true, .lanes = 32, .directives = ""},
};

// Position of each piece in the SGPRs, as INIT-03 to INIT-13 order them; -1: absent.
struct positions {
    int buffer, dispatch, queue, kernarg, id, flat, size, preload, group, info, offset;
};

static struct positions place(const struct machine *m) {
    struct positions p = {-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1};
    int n = 0;
    if (m->buffer) p.buffer = n, n += 4;
    p.dispatch = n, n += 2;
    p.queue = n, n += 2;
    p.kernarg = n, n += 2;
    p.id = n, n += 2;
    if (m->flat_init) p.flat = n, n += 2;
    p.size = n++;
    if (m->preload) p.preload = n, n += 2;
    if (!m->ttmp_ids) p.group = n, n += 3;
    if (!m->ttmp_ids) p.info = n++;
    if (m->buffer) p.offset = n++;
    return p;
}

// The kernel: stores s0..s23 and EXEC of each wave at row (group * waves + wave), then each lane's v0..v2
// behind all rows.
static void write_source(struct text *t, const struct machine *m, const struct positions *p) {
    const char *add = m->gfx10 ? "v_add_nc_u32" : "v_add_u32", *store = "global_store_dword";
    text_printf(
        t, ".amdgcn_target \"amdgcn-amd-amdhsa--%s\"\n.text\n.globl k\n.p2align 8\n.type k,@function\nk:\n",
        m->name);
    if (m->preload) text_puts(t, ".fill 64, 4, 0xbf800000\n"); // INIT-20: 256 bytes for old firmware
    text_puts(t, "v_mov_b32 v8, v0\nv_mov_b32 v9, v1\nv_mov_b32 v10, v2\n");
    text_printf(t, "s_load_dwordx4 s[40:43], s[%d:%d], 0x0\n", p->kernarg, p->kernarg + 1);
    // A wave takes the next row by an atomic counter in front of the rows.
    text_puts(t, m->gfx10 && !m->ttmp_ids ? "s_waitcnt lgkmcnt(0)\n"
                 : m->ttmp_ids            ? "s_wait_kmcnt 0x0\n"
                                          : "s_waitcnt lgkmcnt(0)\n");
    if (m->lanes == 64)
        text_puts(t, "s_mov_b64 s[44:45], exec\ns_mov_b64 exec, 1\n");
    else
        text_puts(t, "s_mov_b32 s44, exec_lo\ns_mov_b32 s45, 0\ns_mov_b32 exec_lo, 1\n");
    text_puts(t, "v_mov_b32 v3, 0\nv_mov_b32 v4, 1\n");
    text_printf(t, "global_atomic_add%s v5, v3, v4, s[40:41] %s\n",
                strcmp(m->name, "gfx1100") && !m->ttmp_ids ? "" : "_u32",
                m->ttmp_ids                  ? "th:TH_ATOMIC_RETURN"
                : !strcmp(m->name, "gfx942") ? "sc0"
                                             : "glc");
    text_puts(t, m->ttmp_ids ? "s_wait_loadcnt 0x0\n" : "s_waitcnt vmcnt(0)\n");
    text_puts(t, "v_readfirstlane_b32 s46, v5\ns_lshl_b32 s47, s46, 8\n"); // a row is 256 bytes
    text_printf(t, "v_mov_b32 v6, s47\n");
    for (int i = 0; i < SGPRS; i++)
        text_printf(t, "v_mov_b32 v7, s%d\n%s v6, v7, s[42:43] offset:%d\n", i, store, 4 * i);
    text_printf(t,
                "v_mov_b32 v7, s44\n%s v6, v7, s[42:43] offset:%d\nv_mov_b32 v7, s45\n%s v6, v7, s[42:43] "
                "offset:%d\n",
                store, 4 * SGPRS, store, 4 * SGPRS + 4);
    if (m->ttmp_ids)
        text_printf(t,
                    "v_mov_b32 v7, ttmp9\n%s v6, v7, s[42:43] offset:%d\nv_mov_b32 v7, ttmp7\n%s v6, v7, "
                    "s[42:43] offset:%d\nv_mov_b32 v7, ttmp8\n%s v6, v7, s[42:43] offset:%d\n",
                    store, 4 * SGPRS + 8, store, 4 * SGPRS + 12, store, 4 * SGPRS + 16);
    // Ids of the lanes: 64 rows on, 12 bytes a lane, 1024 bytes a row.
    if (m->lanes == 64)
        text_puts(t, "s_mov_b64 exec, s[44:45]\n");
    else
        text_puts(t, "s_mov_b32 exec_lo, s44\n");
    text_puts(t, "s_lshl_b32 s47, s46, 10\n");
    text_puts(t, "v_mbcnt_lo_u32_b32 v6, -1, 0\n");
    if (m->lanes == 64) text_puts(t, "v_mbcnt_hi_u32_b32 v6, -1, v6\n");
    text_printf(
        t, "v_mul_u32_u24 v6, 12, v6\n%s v6, s47, v6\ns_add_u32 s42, s42, 16384\ns_addc_u32 s43, s43, 0\n",
        add);
    for (int i = 0; i < 3; i++) text_printf(t, "%s v6, v%d, s[42:43] offset:%d\n", store, 8 + i, 4 * i);
    text_printf(t,
                "s_endpgm\n.rodata\n.p2align 6\n.amdhsa_kernel k\n.amdhsa_next_free_vgpr "
                "12\n.amdhsa_next_free_sgpr 50\n%s"
                ".amdhsa_kernarg_size 16\n.amdhsa_user_sgpr_dispatch_ptr 1\n.amdhsa_user_sgpr_queue_ptr "
                "1\n.amdhsa_user_sgpr_kernarg_segment_ptr 1\n"
                ".amdhsa_user_sgpr_dispatch_id 1\n.amdhsa_user_sgpr_private_segment_size "
                "1\n.amdhsa_private_segment_fixed_size 20\n"
                ".amdhsa_system_sgpr_workgroup_id_x 1\n.amdhsa_system_sgpr_workgroup_id_y "
                "1\n.amdhsa_system_sgpr_workgroup_id_z 1\n"
                ".amdhsa_system_sgpr_workgroup_info 1\n.amdhsa_system_vgpr_workitem_id 2\n",
                m->directives);
    if (m->buffer)
        text_puts(t, ".amdhsa_user_sgpr_private_segment_buffer "
                     "1\n.amdhsa_system_sgpr_private_segment_wavefront_offset 1\n");
    else
        text_puts(t, ".amdhsa_enable_private_segment 1\n");
    if (m->flat_init) text_puts(t, ".amdhsa_user_sgpr_flat_scratch_init 1\n");
    text_puts(t, ".end_amdhsa_kernel\n");
}

static const uint32_t grid[3] = {20, 5, 2}, block[3] = {8, 4, 2}; // partial groups in x and y

static void check_machine(const struct machine *m) {
    struct positions p = place(m);
    struct text t = {0};
    write_source(&t, m, &p);
    struct assembled code;
    assert_true(assemble(&code, m->name, m->gfx10 && m->lanes == 64 ? "-mattr=+wavefrontsize64" : "", t.data,
                         t.length));
    sw_object *object = code.object;
    sw_device_options o = {.size = sizeof o, .threads = 1, .target = *sw_object_target(object)};
    sw_device *d;
    sw_executable *e;
    assert_int_equal(sw_device_create(&o, &d, NULL), SW_OK);
    assert_int_equal(sw_device_load(d, object, NULL, NULL, &e, NULL), SW_OK);
    uint32_t *out = sw_device_alloc(d, 16384 + 65536), *counter = sw_device_alloc(d, 4);
    uint64_t *kernarg = sw_device_alloc(d, 16);
    kernarg[0] = (uint64_t)(uintptr_t)counter, kernarg[1] = (uint64_t)(uintptr_t)out;
    const sw_kernel *k = sw_object_find_kernel(object, "k");
    assert_non_null(k);
    assert_int_equal(k->descriptor->wavefront_size, m->lanes);
    sw_dispatch q = {.size = sizeof q,
                     .executable = e,
                     .descriptor = sw_executable_base(e) + k->descriptor_offset,
                     .kernarg = (uint64_t)(uintptr_t)kernarg,
                     .grid = {grid[0], grid[1], grid[2]},
                     .block = {block[0], block[1], block[2]},
                     .dispatch_id = 0x123456789};
    sw_fault fault = {.size = sizeof fault};
    if (sw_device_run(d, &q, &fault, NULL, NULL) != SW_OK)
        fail_msg("%s: fault %d at pc 0x%llx", m->name, fault.kind, (unsigned long long)fault.pc);

    // One worker starts groups in order and waves of a group in order, so the rows come in that order.
    uint32_t row = 0;
    for (uint32_t z = 0; z < 1; z++)
        for (uint32_t y = 0; y < 2; y++)
            for (uint32_t x = 0; x < 3; x++) {
                uint32_t size[3] = {x == 2 ? 4 : 8, y == 1 ? 1 : 4, 2}, items = size[0] * size[1] * size[2];
                uint32_t waves = (items + m->lanes - 1) / m->lanes;
                for (uint32_t w = 0; w < waves; w++, row++) {
                    const uint32_t *r = out + row * ROW;
                    uint64_t exec = r[SGPRS] | (uint64_t)r[SGPRS + 1] << 32, left = items - w * m->lanes;
                    assert_true(exec == (left >= m->lanes ? (m->lanes == 64 ? ~0ull : 0xffffffffull)
                                                          : (1ull << left) - 1)); // TRAP-406
                    assert_int_equal(r[p.kernarg], (uint32_t)(uintptr_t)kernarg); // INIT-06
                    assert_int_equal(r[p.id], 0x23456789);                        // INIT-07
                    assert_int_equal(r[p.id + 1], 1);
                    assert_int_equal(r[p.size], 20); // INIT-09: in bytes, a multiple of a dword
                    const uint32_t *packet =
                        (const uint32_t *)(uintptr_t)(r[p.dispatch] | (uint64_t)r[p.dispatch + 1] << 32);
                    assert_non_null(packet); // INIT-04; it is gone now, but the address was there
                    assert_true(r[p.queue] || r[p.queue + 1]); // INIT-05
                    if (p.preload >= 0) {                      // INIT-10, INIT-19
                        assert_int_equal(r[p.preload], (uint32_t)kernarg[0]);
                        assert_int_equal(r[p.preload + 1], (uint32_t)(kernarg[0] >> 32));
                    }
                    if (p.buffer >= 0) { // INIT-03: swizzled, a dword an element, wave size elements
                        assert_true(r[p.buffer + 1] >> 31);
                        assert_int_equal(r[p.buffer + 3] >> 21 & 3, m->lanes == 64 ? 3 : 2);
                        assert_true(r[p.buffer + 3] >> 23 & 1);
                    }
                    if (p.flat >= 0 && p.buffer >= 0)
                        assert_int_equal(r[p.flat], r[p.buffer]); // INIT-08: both name the wave's scratch
                    if (p.group >= 0) {                           // INIT-11, TRAP-408
                        assert_int_equal(r[p.group], x);
                        assert_int_equal(r[p.group + 1], y);
                        assert_int_equal(r[p.group + 2], z);
                        assert_int_equal(r[p.info] & 63, waves); // INIT-12
                        assert_int_equal(r[p.info] >> 31, w == 0);
                    } else { // TRAP-411
                        assert_int_equal(r[SGPRS + 2], x);
                        assert_int_equal(r[SGPRS + 3], y | z << 16);
                        assert_int_equal(r[SGPRS + 4] >> 25 & 31, w);
                    }
                    if (p.offset >= 0) assert_int_equal(r[p.offset], 0); // INIT-13
                    const uint32_t *ids = out + 4096 + row * 256;
                    for (uint32_t lane = 0; lane < m->lanes && lane < left; lane++) {
                        uint32_t n = w * m->lanes + lane,
                                 id[3] = {n % size[0], n / size[0] % size[1], n / size[0] / size[1]};
                        if (m->packed)
                            assert_int_equal(ids[3 * lane], id[0] | id[1] << 10 | id[2] << 20); // INIT-15
                        else
                            for (int i = 0; i < 3; i++) assert_int_equal(ids[3 * lane + i], id[i]); // INIT-14
                    }
                }
            }
    assert_int_equal(*counter, row);
    sw_device_destroy(d);
    assembled_close(&code);
    text_free(&t);
}

static void initial_state(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof machines / sizeof *machines; i++) check_machine(&machines[i]);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(initial_state)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
