// SPDX-License-Identifier: MIT
// Threads of workers: how many begin and when, where they run, and what happens where the host gives none.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>

#include "rig.h"

// ---- What the host gives ----

static unsigned created, allowed = UINT32_MAX;

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*begin)(void *),
                   void *argument) {
    int (*host)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
    *(void **)&host = dlsym(RTLD_NEXT, "pthread_create");
    if (created >= allowed) return EAGAIN;
    created++;
    return host(thread, attributes, begin, argument);
}

static struct rig r;
static int open_rig(void **state) {
    (void)state;
    created = 0, allowed = UINT32_MAX;
    if (!rig_open(&r, "gfx900", "s_endpgm", ".amdhsa_next_free_vgpr 8\n.amdhsa_next_free_sgpr 16\n"))
        return -1;
    sw_device_destroy(r.device);
    r.device = rig_device("gfx900", 4, NULL);
    return r.device && !sw_device_load(r.device, r.object, NULL, NULL, &r.executable, NULL) ? 0 : -1;
}
static int close_rig(void **state) {
    (void)state;
    rig_close(&r);
    return 0;
}
static sw_status run_groups(unsigned groups) {
    const sw_dispatch q =
        rig_dispatch(r.object, r.executable, "k", sw_device_alloc(r.device, 64), 64 * groups, 64);
    return sw_device_run(r.device, &q, NULL, NULL, NULL);
}

// ---- How many ----

static void none_before_there_is_work(void **state) {
    (void)state;
    assert_int_equal(created, 0);
    assert_int_equal(sw_device_threads(r.device), 4);
    sw_device_destroy(r.device);
    r.device = NULL;
    assert_int_equal(created, 0);
}

static void as_many_as_groups(void **state) {
    (void)state;
    for (int i = 0; i < 5; i++) assert_int_equal(run_groups(1), SW_OK);
    assert_true(created >= 1 && created <= 2); // the first may not have noticed yet that its work has ended
    assert_int_equal(run_groups(3), SW_OK);
    assert_true(created >= 3);
    for (int i = 0; i < 5; i++) assert_int_equal(run_groups(1000), SW_OK);
    assert_int_equal(created, 4);
    assert_int_equal(sw_device_threads(r.device), 4);
}

// What is copied at once needs none.
static void transfers(void **state) {
    (void)state;
    enum { BYTES = 8 << 20 };
    char *to = sw_device_alloc(r.device, BYTES), *from = sw_device_alloc(r.device, BYTES);
    sw_job *job;
    sw_transfer t = {.size = sizeof t, .to = to, .from = from, .bytes = 64, .rows = 1, .slices = 1};
    memset(from, 7, BYTES);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(sw_device_transfer(r.device, &t, NULL, &job, NULL), SW_OK);
        assert_int_equal(sw_job_finish(job, NULL, NULL, NULL), SW_OK);
        assert_memory_equal(to, from, t.bytes);
        assert_int_equal(!created, !i);
        t.bytes = BYTES;
    }
}

// ---- Where none are to be had ----

static void report(void *context, const sw_diagnostic *d) { snprintf(context, 64, "%s", d->message); }

static void no_thread_at_all(void **state) {
    (void)state;
    char said[64] = "";
    const sw_sink sink = {.report = report, .context = said};
    const sw_dispatch q = rig_dispatch(r.object, r.executable, "k", sw_device_alloc(r.device, 64), 64, 64);
    allowed = 0;
    assert_int_equal(sw_device_run(r.device, &q, NULL, NULL, &sink), SW_NO_MEMORY);
    assert_string_equal(said, "cannot start a thread");
    allowed = UINT32_MAX; // later there are some again
    assert_int_equal(sw_device_run(r.device, &q, NULL, NULL, NULL), SW_OK);
    assert_int_equal(sw_device_threads(r.device), 4);
}

// Then those that there are hold as many groups as all would have held.
static void fewer_than_asked_for(void **state) {
    (void)state;
    const sw_dispatch q = rig_dispatch(r.object, r.executable, "k", sw_device_alloc(r.device, 64), 64, 64);
    const uint64_t resident = sw_device_resident_groups(r.device, &q);
    allowed = 2;
    assert_int_equal(run_groups(1000), SW_OK);
    assert_int_equal(sw_device_threads(r.device), 2);
    assert_true(sw_device_resident_groups(r.device, &q) >= resident);
    allowed = UINT32_MAX;
    assert_int_equal(run_groups(1000), SW_OK);
    assert_int_equal(created, 2);
}

// ---- Where they run ----

static cpu_set_t seen;
static void look(void *context, sw_job *job) {
    (void)context, (void)job;
    sched_getaffinity(0, sizeof seen, &seen);
}

// Where the device was made, not where who submits is bound to.
static void processors(void **state) {
    (void)state;
    cpu_set_t all, one;
    assert_int_equal(sched_getaffinity(0, sizeof all, &all), 0);
    CPU_ZERO(&one);
    for (int i = 0; !CPU_COUNT(&one); i++)
        if (CPU_ISSET(i, &all)) CPU_SET(i, &one);
    assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
    const sw_submit_options options = {.size = sizeof options, .done = look};
    const sw_dispatch q = rig_dispatch(r.object, r.executable, "k", sw_device_alloc(r.device, 64), 64, 64);
    sw_job *job;
    assert_int_equal(sw_device_submit(r.device, &q, &options, &job, NULL), SW_OK);
    assert_int_equal(sw_job_finish(job, NULL, NULL, NULL), SW_OK);
    sched_setaffinity(0, sizeof all, &all);
    assert_true(CPU_EQUAL(&seen, &all));
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, open_rig, close_rig)
int main(void) {
    const struct CMUnitTest tests[] = {
        CASE(none_before_there_is_work), CASE(as_many_as_groups),    CASE(transfers),
        CASE(no_thread_at_all),          CASE(fewer_than_asked_for), CASE(processors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
