// SPDX-License-Identifier: MIT
// Two processes that share signals: what one changes wakes the other, in every way in which a program waits,
// and nobody looks again and again meanwhile (DISP-13). processes CODE-OBJECT [latency]
#include "hsa_rig.h"

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>

enum { SIGNALS = 200, FEW = 40 }; // FEW: times that all threads of a process sleep while it waits once
static int to_child[2], from_child[2];
static hsa_signal_t shared[SIGNALS];

static void say(int pipe) { CHECK(write(pipe, "", 1) == 1); }
static void hear(int pipe) {
    char c;
    CHECK(read(pipe, &c, 1) == 1);
}
static long naps(void) {
    struct rusage r;
    getrusage(RUSAGE_SELF, &r);
    return r.ru_nvcsw;
}

// ---- The child: waits. The parent changes a signal some time after it is told that the wait begins. ----

static void wait_for_several(void) {
    hsa_signal_t own = make_signal(1), list[3] = {own, shared[0], shared[1]};
    hsa_signal_condition_t conditions[3] = {HSA_SIGNAL_CONDITION_EQ, HSA_SIGNAL_CONDITION_EQ,
                                            HSA_SIGNAL_CONDITION_GTE};
    hsa_signal_value_t values[3] = {7, 5, 9}, found = 0;
    CHECK(hsa_amd_signal_wait_any(3, list, conditions, values, UINT64_MAX, HSA_WAIT_STATE_BLOCKED, &found) ==
          2);
    CHECK(found == 10);
    CALL(hsa_signal_destroy(own));
}

static void wait_at_barriers(void) {
    hsa_queue_t *q = make_queue(gpus[0], 64);
    hsa_signal_t both = make_signal(1), either = make_signal(1), value = make_signal(1);
    hsa_barrier_and_packet_t all = {.dep_signal = {shared[0], shared[1]}, .completion_signal = both};
    put(q, &all, HSA_PACKET_TYPE_BARRIER_AND);
    hsa_barrier_or_packet_t any = {.dep_signal = {shared[2], shared[3]}, .completion_signal = either};
    put(q, &any, HSA_PACKET_TYPE_BARRIER_OR);
    hsa_amd_barrier_value_packet_t some = {.signal = shared[4],
                                           .value = 3,
                                           .mask = 0xff,
                                           .cond = HSA_SIGNAL_CONDITION_EQ,
                                           .completion_signal = value};
    some.header.AmdFormat = HSA_AMD_PACKET_TYPE_BARRIER_VALUE;
    put(q, &some, HSA_PACKET_TYPE_VENDOR_SPECIFIC);
    CHECK(wait_zero(both) && wait_zero(either) && wait_zero(value));
    CALL(hsa_queue_destroy(q));
    CALL(hsa_signal_destroy(both));
    CALL(hsa_signal_destroy(either));
    CALL(hsa_signal_destroy(value));
}

static void wait_to_copy(void) {
    int *from = take(fine, 64, true), *to = take(fine, 64, true);
    hsa_signal_t copied = make_signal(1);
    *from = 4711;
    CALL(hsa_amd_memory_async_copy(to, cpu, from, cpu, 4, 2, shared, copied));
    CHECK(wait_zero(copied) && *to == 4711);
    CALL(hsa_signal_destroy(copied));
    CALL(hsa_amd_memory_pool_free(from));
    CALL(hsa_amd_memory_pool_free(to));
}

// More than the system can wait for at once.
static void wait_for_many(void) {
    hsa_signal_condition_t conditions[SIGNALS];
    hsa_signal_value_t values[SIGNALS], found = 0;
    for (int i = 0; i < SIGNALS; i++) conditions[i] = HSA_SIGNAL_CONDITION_EQ, values[i] = 5;
    CHECK(hsa_amd_signal_wait_any(SIGNALS, shared, conditions, values, UINT64_MAX, HSA_WAIT_STATE_BLOCKED,
                                  &found) == SIGNALS - 1);
}

// The other process writes the value through a pointer, which it takes only while this one waits.
static void wait_for_the_unseen(void) {
    hsa_signal_condition_t conditions[2] = {HSA_SIGNAL_CONDITION_EQ, HSA_SIGNAL_CONDITION_EQ};
    hsa_signal_value_t values[2] = {5, 5}, found = 0;
    CHECK(hsa_amd_signal_wait_any(2, shared, conditions, values, UINT64_MAX, HSA_WAIT_STATE_BLOCKED,
                                  &found) == 1);
}

// ---- The parent: changes what the child waits for. ----

static void set(int i, hsa_signal_value_t value) { hsa_signal_store_screlease(shared[i], value); }
static void change_several(void) {
    hsa_signal_add_screlease(shared[0], 1); // not what it waits for
    usleep(1000);
    set(1, 10);
}
static void pass_barriers(void) {
    set(0, 0);
    usleep(1000);
    set(1, 0);
    usleep(1000);
    set(3, 0);
    usleep(1000);
    set(4, 0x103);
}
static void let_copy(void) { set(1, 0), set(0, 0); }
static void change_the_last(void) { set(SIGNALS - 1, 5); }
static void write_unseen(void) {
    volatile hsa_signal_value_t *p;
    CALL(hsa_amd_signal_value_pointer(shared[1], &p));
    usleep(1000);
    *p = 5;
}

static const struct {
    const char *name;
    void (*wait)(void), (*change)(void);
    bool looks; // again and again, as nothing else will do
} cases[] = {
    {"wait_for_several", wait_for_several, change_several},
    {"barriers", wait_at_barriers, pass_barriers},
    {"copies", wait_to_copy, let_copy},
    {"many", wait_for_many, change_the_last, true},
    {"unseen", wait_for_the_unseen, write_unseen, true},
};
enum { CASES = sizeof cases / sizeof *cases };

// As systems are that cannot wait for several.
static void wait_for_one_only(void) {
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 449, 0, 1), // futex_waitv
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    const struct sock_fprog program = {sizeof code / sizeof *code, code};
    CHECK(!prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) && !prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program));
}

static int child_main(bool old_system) {
    if (old_system) wait_for_one_only();
    open_runtime();
    for (int i = 0; i < SIGNALS; i++) {
        hsa_amd_ipc_signal_t handle;
        CHECK(read(to_child[0], &handle, sizeof handle) == sizeof handle);
        CALL(hsa_amd_ipc_signal_attach(&handle, &shared[i]));
    }
    for (int i = 0; i < CASES; i++) {
        hear(to_child[0]);
        say(from_child[1]);
        const long before = naps();
        cases[i].wait();
        const long after = naps();
        if (!old_system && !cases[i].looks && after - before >= FEW)
            printf("%s: slept %ld times\n", cases[i].name, after - before);
        CHECK(old_system || cases[i].looks || after - before < FEW);
        say(from_child[1]);
    }
    for (int i = 0; i < SIGNALS; i++) CALL(hsa_signal_destroy(shared[i]));
    CALL(hsa_shut_down());
    return 0;
}

static void all_cases(bool old_system) {
    int status;
    CHECK(!pipe(to_child) && !pipe(from_child));
    const pid_t child = fork();
    if (!child) _exit(child_main(old_system));
    close(to_child[0]), close(from_child[1]); // what ends there is noticed
    open_runtime();
    for (int i = 0; i < SIGNALS; i++) {
        hsa_amd_ipc_signal_t handle;
        CALL(hsa_amd_signal_create(1, 0, NULL, HSA_AMD_SIGNAL_IPC, &shared[i]));
        CALL(hsa_amd_ipc_signal_create(shared[i], &handle));
        CHECK(write(to_child[1], &handle, sizeof handle) == sizeof handle);
    }
    for (int i = 0; i < CASES; i++) {
        for (int n = 0; n < SIGNALS; n++) set(n, 1);
        say(to_child[1]);
        hear(from_child[0]);
        usleep(60000); // it waits by now
        cases[i].change();
        hear(from_child[0]);
        printf("ok %s%s\n", cases[i].name, old_system ? " on an older system" : "");
        fflush(stdout);
    }
    CHECK(waitpid(child, &status, 0) == child && status == 0);
    for (int i = 0; i < SIGNALS; i++) CALL(hsa_signal_destroy(shared[i]));
    CALL(hsa_shut_down());
    close(to_child[1]), close(from_child[0]);
}

// How long a change takes to be heard of in the other process, and what waiting costs: for people.
static void wait_either(int i, hsa_signal_value_t value) {
    hsa_signal_t list[2] = {shared[i], shared[2]};
    hsa_signal_condition_t conditions[2] = {HSA_SIGNAL_CONDITION_EQ, HSA_SIGNAL_CONDITION_EQ};
    hsa_signal_value_t values[2] = {value, 1 << 30}, found;
    hsa_amd_signal_wait_any(2, list, conditions, values, UINT64_MAX, HSA_WAIT_STATE_BLOCKED, &found);
}
static void latency(void) {
    enum { ROUNDS = 2000 };
    struct timespec before, after;
    int status;
    CHECK(!pipe(to_child) && !pipe(from_child));
    const pid_t child = fork();
    if (!child) {
        open_runtime();
        for (int i = 0; i < 3; i++) {
            hsa_amd_ipc_signal_t handle;
            CHECK(read(to_child[0], &handle, sizeof handle) == sizeof handle);
            CALL(hsa_amd_ipc_signal_attach(&handle, &shared[i]));
        }
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &before);
        say(from_child[1]);
        wait_either(0, 1);
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &after);
        printf("idle for a second: %.1f us of CPU time\n",
               (double)(after.tv_sec - before.tv_sec) * 1e6 +
                   (double)(after.tv_nsec - before.tv_nsec) * 1e-3);
        fflush(stdout);
        for (int i = 1; i <= ROUNDS; i++) {
            set(1, i);
            wait_either(0, i + 1);
        }
        _exit(0);
    }
    close(to_child[0]), close(from_child[1]);
    open_runtime();
    for (int i = 0; i < 3; i++) {
        hsa_amd_ipc_signal_t handle;
        CALL(hsa_amd_signal_create(0, 0, NULL, HSA_AMD_SIGNAL_IPC, &shared[i]));
        CALL(hsa_amd_ipc_signal_create(shared[i], &handle));
        CHECK(write(to_child[1], &handle, sizeof handle) == sizeof handle);
    }
    hear(from_child[0]);
    sleep(1);
    const double start = seconds();
    set(0, 1);
    for (int i = 1; i <= ROUNDS; i++) {
        wait_either(1, i);
        set(0, i + 1);
    }
    printf("a change is heard of after %.1f us\n", (seconds() - start) * 1e6 / (2 * ROUNDS));
    CHECK(waitpid(child, &status, 0) == child && status == 0);
}

int main(int argc, char **argv) {
    CHECK(argc > 1);
    if (argc > 2) {
        latency();
        return 0;
    }
    all_cases(false);
    all_cases(true);
    return 0;
}
