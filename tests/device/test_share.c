// SPDX-License-Identifier: MIT
// Memory that several devices know, and memory with two addresses: rights by device and by address, byte for
// byte; what is taken away while kernels are at it; devices that end, and callbacks that free what others
// share.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <pthread.h>
#include <unistd.h>

#include "rig.h"

#define DESCRIPTOR                                                                                           \
    ".amdhsa_next_free_vgpr 8\n.amdhsa_next_free_sgpr 32\n.amdhsa_user_sgpr_kernarg_segment_ptr 1\n"
#define LOAD_ARGUMENT "s_load_dwordx2 s[2:3], s[0:1], 0x0\n v_mov_b32 v0, 0\n s_waitcnt lgkmcnt(0)\n"

enum { DEVICES = 2, LOAD, STORE, ADD, SPIN, KERNELS };
static const char *const texts[KERNELS] = {
    [LOAD] = LOAD_ARGUMENT "global_load_dword v1, v0, s[2:3]\n s_waitcnt vmcnt(0)\n s_endpgm",
    [STORE] = LOAD_ARGUMENT "v_mov_b32 v1, 7\n global_store_dword v0, v1, s[2:3]\n s_endpgm",
    [ADD] = LOAD_ARGUMENT "s_mov_b64 exec, 1\n v_mov_b32 v1, 5\n global_atomic_add v0, v1, s[2:3]\n s_endpgm",
    [SPIN] = LOAD_ARGUMENT "l: global_load_dword v1, v0, s[2:3] glc\n s_waitcnt vmcnt(0)\n s_branch l",
};

struct scene {
    sw_object *object[KERNELS];
    uint8_t *image[KERNELS];
    sw_device *device[DEVICES];
    sw_executable *executable[DEVICES][KERNELS];
    uint64_t *kernarg[DEVICES];
};
static void start(struct scene *s, int on) {
    s->device[on] = rig_device("gfx900", 2, NULL);
    assert_non_null(s->device[on]);
    for (int k = LOAD; k < KERNELS; k++)
        assert_int_equal(sw_device_load(s->device[on], s->object[k], NULL, NULL, &s->executable[on][k], NULL),
                         SW_OK);
    s->kernarg[on] = sw_device_alloc(s->device[on], 64);
}
static void open_scene(struct scene *s) {
    *s = (struct scene){0};
    for (int k = LOAD; k < KERNELS; k++) {
        char text[2048];
        assert_true(rig_text(text, sizeof text, texts[k], DESCRIPTOR));
        s->object[k] = rig_object("gfx900", text, &s->image[k]);
        assert_non_null(s->object[k]);
    }
    for (int on = 0; on < DEVICES; on++) start(s, on);
}
static void close_scene(struct scene *s) {
    for (int on = 0; on < DEVICES; on++) sw_device_destroy(s->device[on]);
    for (int k = LOAD; k < KERNELS; k++) {
        sw_object_close(s->object[k]);
        sw_free(s->image[k]);
    }
}
static sw_dispatch dispatch(struct scene *s, int on, int kernel, uint64_t address) {
    *s->kernarg[on] = address;
    return rig_dispatch(s->object[kernel], s->executable[on][kernel], "k", s->kernarg[on], 64, 64);
}
// How a kernel ends that touches the dword at this address.
static sw_fault_kind touch(struct scene *s, int on, int kernel, uint64_t address) {
    const sw_dispatch q = dispatch(s, on, kernel, address);
    sw_fault fault = {.size = sizeof fault};
    const sw_status status = sw_device_run(s->device[on], &q, &fault, NULL, NULL);
    assert_int_equal(status, fault.kind ? SW_FAULTED : SW_OK);
    if (fault.kind) assert_true(fault.address == address);
    return fault.kind;
}
static sw_job *spin(struct scene *s, int on, uint64_t address) {
    const sw_dispatch q = dispatch(s, on, SPIN, address);
    sw_job *job;
    assert_int_equal(sw_device_submit(s->device[on], &q, NULL, &job, NULL), SW_OK);
    usleep(2000);
    return job;
}
static void expect_read_fault(sw_job *job) {
    sw_fault fault = {.size = sizeof fault};
    assert_int_equal(sw_job_finish(job, &fault, NULL, NULL), SW_FAULTED);
    assert_int_equal(fault.kind, SW_FAULT_READ);
}

static void rights_by_device(void **state) {
    (void)state;
    struct scene s;
    open_scene(&s);
    uint32_t *p = sw_device_alloc(s.device[0], 1000);
    const uint64_t a = (uint64_t)(uintptr_t)p;
    assert_int_equal(touch(&s, 0, STORE, a), SW_FAULT_NONE);
    assert_int_equal(touch(&s, 1, LOAD, a), SW_FAULT_READ);
    assert_int_equal(sw_device_share(s.device[0], p, s.device[1], SW_RIGHT_READ), SW_OK);
    assert_int_equal(touch(&s, 1, LOAD, a), SW_FAULT_NONE);
    assert_int_equal(touch(&s, 1, LOAD, a + 996), SW_FAULT_NONE);
    assert_int_equal(touch(&s, 1, LOAD, a + 1000), SW_FAULT_READ); // no more than was asked for
    assert_int_equal(touch(&s, 1, STORE, a), SW_FAULT_WRITE);
    assert_int_equal(touch(&s, 1, ADD, a), SW_FAULT_ATOMIC);
    assert_int_equal(sw_device_share(s.device[0], p, s.device[1], SW_RIGHT_READ | SW_RIGHT_WRITE), SW_OK);
    assert_int_equal(touch(&s, 1, ADD, a), SW_FAULT_NONE);
    assert_int_equal(*p, 12);
    assert_int_equal(sw_device_share(s.device[0], p, s.device[1], 0), SW_OK);
    assert_int_equal(sw_device_share(s.device[0], p, s.device[1], 0), SW_OK);
    assert_int_equal(touch(&s, 1, LOAD, a), SW_FAULT_READ);
    assert_int_equal(touch(&s, 0, LOAD, a), SW_FAULT_NONE);
    // What cannot be shared.
    uint32_t host[4];
    assert_int_equal(sw_device_share(s.device[0], host, s.device[1], SW_RIGHT_READ), SW_USAGE);
    assert_int_equal(sw_device_share(s.device[0], p + 1, s.device[1], SW_RIGHT_READ), SW_USAGE);
    assert_int_equal(sw_device_share(s.device[1], p, s.device[0], SW_RIGHT_READ), SW_USAGE);
    assert_int_equal(sw_device_share(s.device[0], p, s.device[0], SW_RIGHT_READ), SW_USAGE);
    assert_int_equal(sw_device_share(s.device[0], p, s.device[1], SW_RIGHT_EXECUTE), SW_USAGE);
    assert_int_equal(sw_device_free(s.device[0], p), SW_OK);
    assert_int_equal(sw_device_share(s.device[0], p, s.device[1], SW_RIGHT_READ), SW_USAGE);
    close_scene(&s);
}

// Host memory of two devices, byte for byte.
static void host_memory(void **state) {
    (void)state;
    struct scene s;
    static uint32_t words[64];
    open_scene(&s);
    const uint64_t a = (uint64_t)(uintptr_t)words;
    assert_int_equal(sw_device_map(s.device[0], words, 9, SW_RIGHT_READ | SW_RIGHT_WRITE), SW_OK);
    assert_int_equal(sw_device_map(s.device[1], words + 1, 8, SW_RIGHT_READ), SW_OK);
    static const sw_fault_kind loads[2][3] = {{SW_FAULT_NONE, SW_FAULT_NONE, SW_FAULT_READ},
                                              {SW_FAULT_READ, SW_FAULT_NONE, SW_FAULT_NONE}};
    for (int on = 0; on < 2; on++)
        for (unsigned word = 0; word < 3; word++)
            assert_int_equal(touch(&s, on, LOAD, a + 4 * word), loads[on][word]);
    assert_int_equal(touch(&s, 1, STORE, a + 4), SW_FAULT_WRITE);
    close_scene(&s);
}

// Memory goes, or the device that owns it or shares it, while kernels of the other are at it.
static void taken_away(void **state) {
    (void)state;
    for (int way = 0; way < 4; way++) {
        struct scene s;
        open_scene(&s);
        uint32_t *p = sw_device_alloc(s.device[0], 64), *other = sw_device_alloc(s.device[0], 64);
        assert_int_equal(sw_device_share(s.device[0], p, s.device[1], SW_RIGHT_READ), SW_OK);
        assert_int_equal(sw_device_share(s.device[0], other, s.device[1], SW_RIGHT_READ), SW_OK);
        sw_job *job = spin(&s, 1, (uint64_t)(uintptr_t)p);
        assert_false(sw_job_wait(job, 0));
        switch (way) {
        case 0: assert_int_equal(sw_device_free(s.device[0], p), SW_OK); break;
        case 1: assert_int_equal(sw_device_share(s.device[0], p, s.device[1], 0), SW_OK); break;
        case 2:
            sw_device_destroy(s.device[0]);
            s.device[0] = NULL;
            break;
        default: // the one that shares ends first
            sw_job_stop(job);
            sw_job_finish(job, NULL, NULL, NULL);
            sw_device_destroy(s.device[1]);
            start(&s, 1); // maybe where the old one was
            assert_int_equal(touch(&s, 1, LOAD, (uint64_t)(uintptr_t)p), SW_FAULT_READ);
            assert_int_equal(sw_device_free(s.device[0], p), SW_OK);
            close_scene(&s);
            continue;
        }
        expect_read_fault(job);
        if (way < 2) assert_int_equal(touch(&s, 1, LOAD, (uint64_t)(uintptr_t)other), SW_FAULT_NONE);
        close_scene(&s);
    }
}

// Each device's job frees, when it is done, memory of its device that the other shares and reads all the
// time: neither waits for the other's worker, which is in such a call itself.
struct release {
    sw_device *device;
    void *memory;
    unsigned failed;
};
static void release(void *context, sw_job *job) {
    struct release *r = context;
    (void)job;
    r->failed += sw_device_free(r->device, r->memory) != SW_OK;
}
static void freed_when_done(void **state) {
    (void)state;
    struct scene s;
    open_scene(&s);
    for (int round = 0; round < 50; round++) {
        sw_job *readers[DEVICES], *jobs[DEVICES];
        struct release r[DEVICES];
        for (int on = 0; on < DEVICES; on++) {
            r[on] = (struct release){s.device[on], sw_device_alloc(s.device[on], 64), 0};
            assert_int_equal(sw_device_share(s.device[on], r[on].memory, s.device[!on], SW_RIGHT_READ),
                             SW_OK);
        }
        for (int on = 0; on < DEVICES; on++) {
            const sw_dispatch q = dispatch(&s, on, SPIN, (uint64_t)(uintptr_t)r[!on].memory);
            assert_int_equal(sw_device_submit(s.device[on], &q, NULL, &readers[on], NULL), SW_OK);
        }
        uint64_t *kernarg[DEVICES];
        for (int on = 0; on < DEVICES; on++) {
            kernarg[on] = sw_device_alloc(s.device[on], 64);
            *kernarg[on] = (uint64_t)(uintptr_t)kernarg[on];
            const sw_dispatch q =
                rig_dispatch(s.object[LOAD], s.executable[on][LOAD], "k", kernarg[on], 64, 64);
            const sw_submit_options o = {.size = sizeof o, .done = release, .context = &r[on]};
            assert_int_equal(sw_device_submit(s.device[on], &q, &o, &jobs[on], NULL), SW_OK);
        }
        for (int on = 0; on < DEVICES; on++) {
            assert_int_equal(sw_job_finish(jobs[on], NULL, NULL, NULL), SW_OK);
            assert_int_equal(r[on].failed, 0);
        }
        for (int on = 0; on < DEVICES; on++) {
            expect_read_fault(readers[on]);
            sw_device_free(s.device[on], kernarg[on]);
        }
    }
    close_scene(&s);
}

// Sharing, freeing and running from several threads, while a device comes and goes.
struct storm {
    struct scene *s;
    unsigned seed;
    uint64_t *kernarg;
};
static void *storm(void *argument) {
    struct storm *t = argument;
    struct scene *s = t->s;
    for (int i = 0; i < 100; i++) {
        const int on = (int)(t->seed + (unsigned)i) & 1;
        uint32_t *p = sw_device_alloc(s->device[0], 64);
        assert_non_null(p);
        assert_int_equal(sw_device_share(s->device[0], p, s->device[1], SW_RIGHT_READ | SW_RIGHT_WRITE),
                         SW_OK);
        *t->kernarg = (uint64_t)(uintptr_t)p;
        const sw_dispatch q = rig_dispatch(s->object[ADD], s->executable[on][ADD], "k", t->kernarg, 64, 64);
        assert_int_equal(sw_device_run(s->device[on], &q, NULL, NULL, NULL), SW_OK);
        assert_int_equal(*p, 5);
        if (i & 2) assert_int_equal(sw_device_share(s->device[0], p, s->device[1], 0), SW_OK);
        assert_int_equal(sw_device_free(s->device[0], p), SW_OK);
    }
    return NULL;
}
static void from_many_threads(void **state) {
    (void)state;
    enum { THREADS = 4 };
    struct scene s;
    open_scene(&s);
    pthread_t threads[THREADS];
    struct storm storms[THREADS];
    for (unsigned i = 0; i < THREADS; i++) {
        storms[i] = (struct storm){&s, i, sw_device_alloc(s.device[0], 64)};
        assert_int_equal(sw_device_share(s.device[0], storms[i].kernarg, s.device[1], SW_RIGHT_READ), SW_OK);
        assert_int_equal(pthread_create(&threads[i], NULL, storm, &storms[i]), 0);
    }
    uint32_t *lent = sw_device_alloc(s.device[0], 64);
    for (int i = 0; i < 20; i++) {
        sw_device *guest = rig_device("gfx900", 1, NULL);
        assert_int_equal(sw_device_share(s.device[0], lent, guest, SW_RIGHT_READ), SW_OK);
        void *own = sw_device_alloc(guest, 64);
        assert_int_equal(sw_device_share(guest, own, s.device[0], SW_RIGHT_READ), SW_OK);
        sw_device_destroy(guest);
    }
    for (unsigned i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    close_scene(&s);
}

// ---- Two addresses ----

static void second_address(void **state) {
    (void)state;
    struct scene s;
    static uint32_t words[1024];
    uint64_t alias;
    open_scene(&s);
    const uint64_t host = (uint64_t)(uintptr_t)words;
    const sw_status status =
        sw_device_map_alias(s.device[0], words, sizeof words, SW_RIGHT_READ | SW_RIGHT_WRITE, &alias);
#if !defined(__x86_64__)
    assert_int_equal(status, SW_UNSUPPORTED);
    close_scene(&s);
    return;
#endif
    assert_int_equal(status, SW_OK);
    assert_true(alias == host + (1ull << 47));
    words[3] = 40;
    assert_int_equal(touch(&s, 0, LOAD, alias + 12), SW_FAULT_NONE);
    assert_int_equal(touch(&s, 0, ADD, alias + 12), SW_FAULT_NONE);
    assert_int_equal(words[3], 45);
    assert_int_equal(touch(&s, 0, STORE, alias), SW_FAULT_NONE);
    assert_int_equal(words[0], 7);
    assert_int_equal(touch(&s, 0, LOAD, host), SW_FAULT_READ);  // rights belong to the address
    assert_int_equal(touch(&s, 1, LOAD, alias), SW_FAULT_READ); // and to the device
    assert_int_equal(touch(&s, 0, LOAD, alias + sizeof words), SW_FAULT_READ);
    assert_int_equal(sw_device_map(s.device[0], words, sizeof words, SW_RIGHT_READ), SW_OK);
    assert_int_equal(touch(&s, 0, LOAD, host), SW_FAULT_NONE);
    assert_int_equal(touch(&s, 0, STORE, host), SW_FAULT_WRITE);
    sw_memory_info info = {.size = sizeof info};
    assert_int_equal(sw_device_memory_info(s.device[0], alias, &info), SW_OK);
    assert_int_equal(info.rights, SW_RIGHT_READ | SW_RIGHT_WRITE);
    sw_job *job = spin(&s, 0, alias);
    assert_int_equal(sw_device_map_alias(s.device[0], words, sizeof words, 0, &alias), SW_OK);
    expect_read_fault(job);
    assert_int_equal(touch(&s, 0, LOAD, host), SW_FAULT_NONE);
    // No host memory is there.
    assert_int_equal(sw_device_map(s.device[0], (void *)(uintptr_t)alias, 64, SW_RIGHT_READ), SW_USAGE);
    assert_int_equal(sw_device_map(s.device[0], words, 1ull << 47, SW_RIGHT_READ), SW_USAGE);
    assert_int_equal(sw_device_map_alias(s.device[0], (void *)(uintptr_t)alias, 64, SW_RIGHT_READ, &alias),
                     SW_USAGE);
    assert_int_equal(sw_device_map_alias(s.device[0], NULL, 64, SW_RIGHT_READ, &alias), SW_USAGE);
    // Nor descriptors, which the device itself reads.
    sw_dispatch q = dispatch(&s, 0, LOAD, host);
    q.descriptor += 1ull << 47;
    assert_int_equal(sw_device_run(s.device[0], &q, NULL, NULL, NULL), SW_BAD_INPUT);
    close_scene(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rights_by_device),  cmocka_unit_test(host_memory),
        cmocka_unit_test(taken_away),        cmocka_unit_test(freed_when_done),
        cmocka_unit_test(from_many_threads), cmocka_unit_test(second_address),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
