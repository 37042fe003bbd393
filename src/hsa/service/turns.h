// SPDX-License-Identifier: MIT
// Turns: many threads ask that something be looked at, one at a time looks. Nobody waits for that, and what
// was asked for is never forgotten: either the thread that asks looks itself, or the one that looks just now
// looks once more. tests/hsa/test_turns.c runs this code in every order in which threads can meet.
#ifndef HSA_SERVICE_TURNS_H
#define HSA_SERVICE_TURNS_H

#include <stdbool.h>
#include <stdint.h>

// Every step is in the one order that all threads see.
#ifndef TURNS_LOAD
#define TURNS_LOAD(p)        __atomic_load_n(p, __ATOMIC_SEQ_CST)
#define TURNS_STORE(p, v)    __atomic_store_n(p, v, __ATOMIC_SEQ_CST)
#define TURNS_EXCHANGE(p, v) __atomic_exchange_n(p, v, __ATOMIC_SEQ_CST)
#endif

struct turns {
    uint32_t busy;  // some thread looks, or holds it
    uint32_t again; // and shall look again
};

// Has `look` called, by this thread now, or by the one that is busy, after this call began.
static inline void turns_ask(struct turns *t, void (*look)(void *), void *argument) {
    TURNS_STORE(&t->again, 1);
    while (TURNS_LOAD(&t->again)) {
        if (TURNS_EXCHANGE(&t->busy, 1)) return; // that thread looks again
        TURNS_STORE(&t->again, 0);
        look(argument);
        TURNS_STORE(&t->busy, 0);
    }
}

// Keeps others from looking. False: somebody looks just now.
static inline bool turns_try_hold(struct turns *t) { return !TURNS_EXCHANGE(&t->busy, 1); }
// True: somebody asked meanwhile and went away, so this thread must ask.
static inline bool turns_let_go(struct turns *t) {
    TURNS_STORE(&t->busy, 0);
    return TURNS_LOAD(&t->again);
}
// Lets it go, and what was asked for is forgotten.
static inline void turns_drop(struct turns *t) {
    TURNS_STORE(&t->again, 0);
    TURNS_STORE(&t->busy, 0);
}

#endif
