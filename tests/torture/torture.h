// SPDX-License-Identifier: MIT
// What the torture programs share: reproducible random numbers, a text that a crash leaves, a clock.
#ifndef TESTS_TORTURE_H
#define TESTS_TORTURE_H

#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static uint64_t random_state;
static uint32_t next_random(void) {
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (uint32_t)(random_state >> 16);
}
static uint32_t below(uint32_t n) { return next_random() % n; }

// ---- What a crash leaves ----
static char crash_text[160];
static int crash_file = 2; // where it goes
static void crashed(int number) {
    ssize_t n = write(crash_file, crash_text, strlen(crash_text));
    (void)n;
    signal(number, SIG_DFL);
    raise(number);
}
static void leave_text_at_crashes(void) {
    static const int signals[] = {SIGSEGV, SIGBUS, SIGILL, SIGABRT, SIGFPE, SIGTRAP};
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) signal(signals[i], crashed);
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

#endif
