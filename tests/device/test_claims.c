// SPDX-License-Identifier: MIT
// Handing out groups: however many there are, and whatever the speeds of workers, none is idle for longer
// than a few groups take as long as another works. Time is counted here, not measured.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sched/sched.h"

enum { MOST = 32, WORKERS = 64 };

struct outcome {
    uint64_t groups, claims, last_claim;
    uint64_t first_idle, last_end;
};

// Worker i takes pace[i] for each group; whoever is free first claims next.
static struct outcome hand_out(uint64_t total, unsigned threads, const uint64_t *pace) {
    struct outcome o = {.first_idle = UINT64_MAX};
    uint64_t free_at[WORKERS] = {0};
    for (unsigned idle = 0; idle < threads;) {
        unsigned who = 0;
        for (unsigned i = 1; i < threads; i++)
            if (free_at[i] < free_at[who]) who = i;
        if (o.groups == total) { // nothing is left for it
            if (free_at[who] < o.first_idle) o.first_idle = free_at[who];
            if (free_at[who] > o.last_end) o.last_end = free_at[who];
            free_at[who] = UINT64_MAX;
            idle++;
            continue;
        }
        uint64_t n = claim_size(total - o.groups, threads, MOST);
        if (n > total - o.groups) n = total - o.groups;
        assert_in_range(n, 1, MOST);
        o.groups += n;
        o.claims++;
        o.last_claim = n;
        free_at[who] += n * pace[who];
    }
    return o;
}

static void all_end_together(void **state) {
    (void)state;
    for (unsigned threads = 1; threads <= WORKERS; threads = threads * 3 / 2 + 1)
        for (uint64_t total = 1; total < 20000; total = total * 5 / 4 + 1) {
            uint64_t pace[WORKERS];
            for (unsigned i = 0; i < threads; i++) pace[i] = 100;
            const struct outcome even = hand_out(total, threads, pace);
            assert_int_equal(even.groups, total);
            if (threads > 1) assert_in_range(even.last_end - even.first_idle, 0, 2 * 100);
            for (unsigned i = 0; i < threads; i++) pace[i] = i % 2 ? 200 : 100;
            const struct outcome uneven = hand_out(total, threads, pace);
            if (threads > 1) assert_in_range(uneven.last_end - uneven.first_idle, 0, 3 * 200);
            if (threads > 1) assert_int_equal(uneven.last_claim, 1);
        }
}

// The point of claiming several at once: far fewer claims than groups.
static void claims_are_few(void **state) {
    (void)state;
    const uint64_t pace[4] = {100, 100, 100, 100};
    const struct outcome o = hand_out(16384, 4, pace);
    assert_in_range(o.claims, 16384 / MOST, 16384 / MOST + 64);
}

int main(void) {
    static const struct CMUnitTest tests[] = {cmocka_unit_test(all_end_together),
                                              cmocka_unit_test(claims_are_few)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
