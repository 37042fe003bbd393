// SPDX-License-Identifier: MIT
// What a runtime asks of the device beyond running a kernel: memory of its own choice, code that it writes,
// its own packets and queues, messages from waves.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "piece.h"
#include "rig.h"

#define DESCRIPTOR                                                                                           \
    ".amdhsa_next_free_vgpr 8\n.amdhsa_next_free_sgpr 40\n.amdhsa_user_sgpr_kernarg_segment_ptr 1\n"

static sw_memory_info info_of(sw_device *d, const void *p) {
    sw_memory_info info = {.size = sizeof info};
    assert_int_equal(sw_device_memory_info(d, (uint64_t)(uintptr_t)p, &info), SW_OK);
    return info;
}

static void memory_of_choice(void **state) {
    (void)state;
    sw_device *d = rig_device("gfx90a", 1, NULL);
    for (uint64_t alignment = 0; alignment <= 1 << 22; alignment = alignment ? alignment * 4 : 1) {
        const sw_memory_options o = {.size = sizeof o,
                                     .bytes = 1000,
                                     .alignment = alignment,
                                     .flags = alignment & 4 ? SW_MEMORY_FINE_GRAINED : 0u};
        uint8_t *p;
        assert_int_equal(sw_device_allocate(d, &o, (void **)&p, NULL), SW_OK);
        assert_true((uintptr_t)p % (alignment ? alignment : 256) == 0);
        for (int i = 0; i < 1000; i++) assert_int_equal(p[i], 0);
        memset(p, 1, 1000);
        const sw_memory_info first = info_of(d, p), inside = info_of(d, p + 999), before = info_of(d, p - 1);
        assert_true(first.base == (uint64_t)(uintptr_t)p && inside.base == first.base);
        assert_int_equal(first.rights, SW_RIGHT_READ | SW_RIGHT_WRITE);
        assert_int_equal(first.flags, o.flags);
        assert_true(!before.rights && before.base != first.base);
        assert_int_equal(sw_device_free(d, p), SW_OK);
        assert_int_equal(info_of(d, p).rights, 0);
    }
    static const sw_memory_options wrong[] = {{.size = sizeof wrong[0], .alignment = 3},
                                              {.size = sizeof wrong[0], .alignment = 1ull << 40},
                                              {.size = sizeof wrong[0], .flags = 8},
                                              {.size = 4}};
    void *p = d;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_int_equal(sw_device_allocate(d, &wrong[i], &p, NULL), SW_USAGE);
        assert_null(p);
    }
    const sw_memory_options huge = {.size = sizeof huge, .bytes = 1ull << 60};
    assert_int_equal(sw_device_allocate(d, &huge, &p, NULL), SW_NO_MEMORY);
    char host[64];
    assert_int_equal(sw_device_map(d, host, sizeof host, SW_RIGHT_READ), SW_OK);
    assert_int_equal(info_of(d, host + 63).rights, SW_RIGHT_READ);
    assert_true(info_of(d, host).base == 0);
    sw_device_destroy(d);
}

// A kernel that calls s[4:5] of its arguments and stores what it leaves in s8.
static const char *caller(void) { return PIECE("caller"); }

static void code_in_memory(void **state) {
    (void)state;
    struct rig r;
    assert_true(rig_open(&r, "gfx900", caller(), DESCRIPTOR));
    const sw_memory_options o = {.size = sizeof o, .bytes = 4096, .flags = SW_MEMORY_EXECUTABLE};
    uint32_t *code, *out = sw_device_alloc(r.device, 64);
    assert_int_equal(sw_device_allocate(r.device, &o, (void **)&code, NULL), SW_OK);
    assert_int_equal(info_of(r.device, code).rights, SW_RIGHT_READ | SW_RIGHT_WRITE | SW_RIGHT_EXECUTE);
    uint64_t *kernarg = sw_device_alloc(r.device, 64);
    kernarg[0] = (uint64_t)(uintptr_t)code, kernarg[1] = (uint64_t)(uintptr_t)out;
    for (uint32_t n = 1; n < 20; n++) {
        code[0] = 0xb0080000 | n; // s_movk_i32 s8, n
        code[1] = 0xbe801d1e;     // s_setpc_b64 s[30:31]
        assert_int_equal(sw_device_code_changed(r.device, (uint64_t)(uintptr_t)code, 8), SW_OK);
        assert_int_equal(rig_run(&r, kernarg, 64, 64, NULL), SW_OK);
        assert_int_equal(*out, n);
    }
    // The kernel itself: another constant in its store.
    uint32_t *k = (uint32_t *)(uintptr_t)(sw_executable_base(r.executable) +
                                          sw_object_find_kernel(r.object, "k")->entry_offset);
    while (*k != 0x7e020208) k++; // v_mov_b32 v1, s8
    *k = 0x7e0202a5;              // v_mov_b32 v1, 37
    assert_int_equal(sw_device_code_changed(r.device, (uint64_t)(uintptr_t)k, 4), SW_OK);
    assert_int_equal(rig_run(&r, kernarg, 64, 64, NULL), SW_OK);
    assert_int_equal(*out, 37);
    // Memory that is gone is no code, and other memory never was.
    sw_fault fault = {.size = sizeof fault};
    assert_int_equal(sw_device_free(r.device, code), SW_OK);
    assert_int_equal(rig_run(&r, kernarg, 64, 64, &fault), SW_FAULTED);
    assert_int_equal(fault.kind, SW_FAULT_JUMP);
    kernarg[0] = (uint64_t)(uintptr_t)out;
    assert_int_equal(rig_run(&r, kernarg, 64, 64, &fault), SW_FAULTED);
    assert_int_equal(fault.kind, SW_FAULT_JUMP);
    rig_close(&r);
}

// Kernels see the caller()'s packet and queue (INIT-05, INIT-06), or the device's own, of which they see no
// more than 64 and 256 bytes.
static void packets_and_queues(void **state) {
    (void)state;
    const char *code = PIECE("packets_and_queues: code");
    static const char directives[] =
        ".amdhsa_next_free_vgpr 8\n.amdhsa_next_free_sgpr 40\n.amdhsa_user_sgpr_dispatch_ptr 1\n"
        ".amdhsa_user_sgpr_queue_ptr 1\n.amdhsa_user_sgpr_kernarg_segment_ptr 1\n";
    struct rig r;
    assert_true(rig_open(&r, "gfx900", code, directives));
    uint32_t *out = sw_device_alloc(r.device, 64), *packet = sw_device_alloc(r.device, 64),
             *queue = sw_device_alloc(r.device, 256);
    uint64_t *kernarg = sw_device_alloc(r.device, 64);
    kernarg[0] = (uint64_t)(uintptr_t)out;
    packet[3] = 1234, queue[16] = 5678;
    sw_dispatch q = rig_dispatch(r.object, r.executable, "k", kernarg, 192, 64);
    assert_int_equal(sw_device_run(r.device, &q, NULL, NULL, NULL), SW_OK);
    assert_int_equal(out[0], 192); // grid_size_x
    assert_true(out[1] != 0);      // the high half of the LDS aperture
    q.packet = (uint64_t)(uintptr_t)packet, q.queue = (uint64_t)(uintptr_t)queue;
    assert_int_equal(sw_device_run(r.device, &q, NULL, NULL, NULL), SW_OK);
    assert_int_equal(out[0], 1234);
    assert_int_equal(out[1], 5678);
    q.packet = 64;
    assert_int_equal(sw_device_run(r.device, &q, NULL, NULL, NULL), SW_BAD_INPUT);
    rig_close(&r);
    for (int which = 0; which < 2; which++) { // a dword too far
        char beyond[128];
        snprintf(beyond, sizeof beyond, "s_load_dword s8, s[%d:%d], 0x%x\n s_waitcnt lgkmcnt(0)\n s_endpgm\n",
                 2 * which, 2 * which + 1, which ? 256 : 64);
        sw_fault fault = {.size = sizeof fault};
        assert_true(rig_open(&r, "gfx900", beyond, directives));
        assert_int_equal(rig_run(&r, NULL, 64, 64, &fault), SW_FAULTED);
        assert_int_equal(fault.kind, SW_FAULT_READ);
        rig_close(&r);
    }
}

struct heard {
    unsigned count, ids[8];
    uint32_t m0;
    uint64_t dispatch;
};
static void hear(void *context, const sw_message *m) {
    struct heard *h = context;
    const unsigned at = __atomic_fetch_add(&h->count, 1, __ATOMIC_RELAXED);
    if (at < 8) h->ids[at] = m->id;
    h->m0 = m->m0;
    h->dispatch = m->dispatch_id;
}
static void messages(void **state) {
    (void)state;
    static const char *const processors[] = {"gfx803", "gfx900", "gfx1030", "gfx1100", "gfx1201"};
    for (size_t i = 0; i < sizeof processors / sizeof *processors; i++) {
        struct heard heard = {0};
        struct rig r = {0};
        char text[1024];
        rig_text(text, sizeof text, "s_mov_b32 m0, 77\n s_sendmsg sendmsg(MSG_INTERRUPT)\n s_endpgm\n",
                 DESCRIPTOR);
        r.object = rig_object(processors[i], text, &r.image);
        assert_non_null(r.object);
        sw_device_options o = {
            .size = sizeof o,
            .tier = rig_tier(),
            .threads = 1,
            .target = *sw_object_target(r.object),
            .hooks = &(sw_device_hooks){.size = sizeof(sw_device_hooks), .context = &heard, .message = hear}};
        assert_int_equal(sw_device_create(&o, &r.device, NULL), SW_OK);
        assert_int_equal(sw_device_load(r.device, r.object, NULL, NULL, &r.executable, NULL), SW_OK);
        sw_dispatch q = rig_dispatch(r.object, r.executable, "k", NULL, 256, 64);
        q.dispatch_id = 99;
        assert_int_equal(sw_device_run(r.device, &q, NULL, NULL, NULL), SW_OK);
        const uint32_t waves = 256 / (i < 2 ? 64 : 32);
        assert_int_equal(heard.count, waves);
        for (unsigned k = 0; k < (waves < 8 ? waves : 8); k++) assert_int_equal(heard.ids[k], 1);
        assert_int_equal(heard.m0, 77);
        assert_int_equal(heard.dispatch, 99);
        rig_close(&r);
    }
}

struct taken {
    unsigned count;
    uint32_t values[4][2]; // of lanes 0 and 3
    sw_export first;
};
static void take(void *context, const sw_export *x) {
    struct taken *t = context;
    if (t->count++) return;
    t->first = *x;
    for (unsigned i = 0; i < 4; i++)
        if (x->values[i]) t->values[i][0] = x->values[i][0], t->values[i][1] = x->values[i][3];
}
static void exports(void **state) {
    (void)state;
    static const char *const processors[] = {"gfx803", "gfx900", "gfx1030", "gfx1100", "gfx1201"};
    for (size_t i = 0; i < sizeof processors / sizeof *processors; i++)
        for (int takes = 0; takes < 2; takes++) {
            struct taken taken = {0};
            struct rig r = {0};
            char text[1024];
            rig_text(text, sizeof text,
                     i < 4 ? "v_mov_b32 v1, 9\n exp pos1 v0, off, v1, off done\n s_endpgm\n"
                           : "v_mov_b32 v1, 9\n export pos1 v0, off, v1, off done\n s_endpgm\n",
                     DESCRIPTOR);
            r.object = rig_object(processors[i], text, &r.image);
            assert_non_null(r.object);
            const sw_device_hooks hooks = {
                .size = sizeof hooks, .context = &taken, .exported = takes ? take : NULL};
            sw_device_options o = {.size = sizeof o,
                                   .tier = rig_tier(),
                                   .threads = 1,
                                   .target = *sw_object_target(r.object),
                                   .hooks = &hooks};
            assert_int_equal(sw_device_create(&o, &r.device, NULL), SW_OK);
            assert_int_equal(sw_device_load(r.device, r.object, NULL, NULL, &r.executable, NULL), SW_OK);
            sw_dispatch q = rig_dispatch(r.object, r.executable, "k", NULL, 192, 192);
            q.dispatch_id = 98;
            sw_fault fault = {.size = sizeof fault};
            assert_int_equal(sw_device_run(r.device, &q, &fault, NULL, NULL), takes ? SW_OK : SW_UNSUPPORTED);
            const unsigned lanes = i < 2 ? 64 : 32;
            assert_int_equal(fault.kind, takes ? SW_FAULT_NONE : SW_FAULT_UNSUPPORTED);
            assert_int_equal(taken.count, takes ? 192 / lanes : 0);
            if (takes) {
                const sw_export *x = &taken.first;
                assert_int_equal(x->dispatch_id, 98);
                assert_int_equal(x->target, 13);
                assert_string_equal(x->target_name, "pos1");
                assert_true(x->lanes == (i < 2 ? ~0ull : 0xffffffff) && x->done && !x->valid_mask);
                assert_true(!x->compressed && x->row == -1 && !x->values[1] && !x->values[3]);
                assert_int_equal(taken.values[0][1] - taken.values[0][0], 3);
                assert_int_equal(taken.values[2][1], 9);
            }
            rig_close(&r);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_of_choice),
        cmocka_unit_test(code_in_memory),
        cmocka_unit_test(packets_and_queues),
        cmocka_unit_test(messages),
        cmocka_unit_test(exports),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
