// SPDX-License-Identifier: MIT
// The protocol of turns (src/hsa/service/turns.h), in every order in which the steps of its threads can come.
// The header's own code runs here: each of its accesses gives control back to the explorer, which knows a
// state by the words that threads share and by the access that each of them is about to make. Checked in each
// state: at most one thread looks or holds. At the end: everything that was asked for was looked at.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

#include <cmocka.h>

static void point(int line);
static uint32_t load(const uint32_t *p, int line);
static void store(uint32_t *p, uint32_t value, int line);
static uint32_t exchange(uint32_t *p, uint32_t value, int line);
#define TURNS_LOAD(p)        load(p, __LINE__)
#define TURNS_STORE(p, v)    store(p, v, __LINE__)
#define TURNS_EXCHANGE(p, v) exchange(p, v, __LINE__)
#include "hsa/service/turns.h"

// ---- What the threads do ----

enum { MOST_THREADS = 4, STACK = 64 << 10, MOST_STEPS = 400 };
enum role { ASKS, ASKS_TWICE, HOLDS };
static struct {
    struct turns turns;
    uint32_t posted, seen; // bits
    uint32_t inside;       // threads that look or hold
} world;
static bool broken; // two threads were inside

// Deliberate mistakes, which the explorer must find.
enum mistake { NONE, FORGETS_TO_ASK_AGAIN, EXCHANGES_IN_TWO_STEPS, NEVER_LOOKS_AGAIN };
static enum mistake mistake;

static uint32_t load(const uint32_t *p, int line) {
    point(line);
    return mistake == NEVER_LOOKS_AGAIN && p == &world.turns.again && world.turns.busy == 0 ? 0 : *p;
}
static void store(uint32_t *p, uint32_t value, int line) {
    point(line);
    if (mistake == FORGETS_TO_ASK_AGAIN && p == &world.turns.again && value && world.turns.busy) return;
    *p = value;
}
static uint32_t exchange(uint32_t *p, uint32_t value, int line) {
    point(line);
    const uint32_t before = *p;
    if (mistake == EXCHANGES_IN_TWO_STEPS) point(line + 1000 + (int)before);
    *p = value;
    return before;
}

static void enter(void) {
    if (world.inside++) broken = true;
}
static void look(void *argument) {
    (void)argument;
    enter();
    point(__LINE__);
    world.seen |= world.posted;
    point(__LINE__);
    world.inside--;
}
static void ask(uint32_t bit) {
    point(__LINE__);
    world.posted |= bit;
    turns_ask(&world.turns, look, NULL);
}
static void play(enum role role, unsigned thread) {
    if (role == HOLDS) {
        while (!turns_try_hold(&world.turns)) point(__LINE__);
        enter();
        point(__LINE__);
        world.inside--;
        if (turns_let_go(&world.turns)) turns_ask(&world.turns, look, NULL);
        return;
    }
    ask(1u << (2 * thread));
    if (role == ASKS_TWICE) ask(2u << (2 * thread));
}

// ---- The explorer ----

struct thread {
    ucontext_t context;
    char *stack;
    enum role role;
    int line; // of the access it is about to make; 0: it has ended
};
static struct thread threads[MOST_THREADS];
static unsigned thread_count, running;
static ucontext_t explorer;

static void point(int line) {
    threads[running].line = line;
    swapcontext(&threads[running].context, &explorer);
}
static void begin(void) {
    const unsigned t = running;
    play(threads[t].role, t);
    threads[t].line = 0;
    swapcontext(&threads[t].context, &explorer);
}
static void step(unsigned t) {
    running = t;
    swapcontext(&explorer, &threads[t].context);
}

// All threads stand before their first access.
static void restart(void) {
    memset(&world, 0, sizeof world);
    for (unsigned t = 0; t < thread_count; t++) {
        struct thread *x = &threads[t];
        getcontext(&x->context);
        x->context.uc_stack.ss_sp = x->stack;
        x->context.uc_stack.ss_size = STACK;
        x->context.uc_link = NULL;
        makecontext(&x->context, begin, 0);
        step(t);
    }
}

struct state {
    uint32_t words[5];
    int lines[MOST_THREADS];
};
static struct state now(void) {
    struct state s = {{world.turns.busy, world.turns.again, world.posted, world.seen, world.inside}, {0}};
    for (unsigned t = 0; t < thread_count; t++) s.lines[t] = threads[t].line;
    return s;
}
static struct {
    struct state *items;
    size_t count, room;
} known;

static bool is_new(const struct state *s) {
    for (size_t i = known.count; i-- > 0;)
        if (!memcmp(&known.items[i], s, sizeof *s)) return false;
    if (known.count == known.room) {
        known.room = known.room ? 2 * known.room : 1024;
        known.items = realloc(known.items, known.room * sizeof *known.items);
        assert_non_null(known.items);
    }
    known.items[known.count++] = *s;
    return true;
}

static unsigned char path[MOST_STEPS];
static size_t ends;

// The state that `depth` steps of the path lead to is the present one. True: nothing is wrong from here on.
static bool explore(size_t depth) {
    bool any = false;
    assert_true(depth < MOST_STEPS);
    const struct state here = now();
    for (unsigned t = 0; t < thread_count; t++) {
        if (!here.lines[t]) continue;
        if (any) { // again from the beginning: threads cannot go back
            restart();
            for (size_t i = 0; i < depth; i++) step(path[i]);
        }
        any = true;
        path[depth] = (unsigned char)t;
        step(t);
        const struct state next = now();
        if (broken) return false;
        if (is_new(&next) && !explore(depth + 1)) return false;
    }
    if (any) return true;
    ends++;
    return world.seen == world.posted && !world.turns.busy && !world.turns.again;
}

static bool holds_for(unsigned count, const enum role *roles) {
    thread_count = count;
    known.count = ends = 0;
    broken = false;
    for (unsigned t = 0; t < count; t++) {
        threads[t].role = roles[t];
        if (!threads[t].stack) threads[t].stack = malloc(STACK);
        assert_non_null(threads[t].stack);
    }
    restart();
    return explore(0);
}

static const struct {
    unsigned count;
    enum role roles[MOST_THREADS];
} plays[] = {
    {2, {ASKS, ASKS}},        {2, {ASKS_TWICE, ASKS_TWICE}}, {2, {ASKS_TWICE, HOLDS}},
    {3, {ASKS, ASKS, HOLDS}}, {3, {ASKS, HOLDS, HOLDS}},     {3, {ASKS, ASKS, ASKS}},
};
enum { PLAYS = sizeof plays / sizeof *plays };

static void nothing_is_forgotten(void **state) {
    (void)state;
    mistake = NONE;
    for (unsigned i = 0; i < PLAYS; i++) {
        assert_true(holds_for(plays[i].count, plays[i].roles));
        assert_true(ends > 0);
        print_message("%u threads: %zu states, %zu ends\n", plays[i].count, known.count, ends);
    }
}

// A wrong protocol is found out.
static void mistakes_are_found(void **state) {
    (void)state;
    for (mistake = FORGETS_TO_ASK_AGAIN; mistake <= NEVER_LOOKS_AGAIN; mistake++) {
        unsigned found = 0;
        for (unsigned i = 0; i < PLAYS; i++) found += !holds_for(plays[i].count, plays[i].roles);
        assert_true(found > 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_forgotten),
        cmocka_unit_test(mistakes_are_found),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    for (unsigned t = 0; t < MOST_THREADS; t++) free(threads[t].stack);
    free(known.items);
    return failed;
}
