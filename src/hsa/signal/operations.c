// SPDX-License-Identifier: MIT
// The interface's loads, stores and changes of signals.
// Programs pass handles that they may have read from memory which kernels write (hsa_queue_t): a handle that
// is no address of a slot changes nothing. The value of a doorbell is a hint: a store makes the queue look at
// its packets, and no other operation changes a doorbell.
#include "hsa/signal/slab.h"

static int64_t load(handle_t handle) {
    const struct signal *s = signal_ever(handle);
    return s ? signal_value(s) : 0;
}

static void store(handle_t handle, int64_t value, bool tell) {
    struct signal *s = signal_ever(handle);
    if (UNLIKELY(!s)) return;
    struct ringer *r = __atomic_load_n(&s->ringer, __ATOMIC_RELAXED);
    if (r) {
        doorbell_put(r->doorbell, (uint64_t)value);
        r->rung(r);
        return;
    }
    slot_store(signal_index(s), value);
    if (tell) signal_changed(s);
}

static struct signal *changeable(handle_t handle) {
    struct signal *s = signal_ever(handle);
    return s && !signal_is_doorbell(s) ? s : NULL;
}
static int64_t change(handle_t handle, enum change how, int64_t operand) {
    struct signal *s = changeable(handle);
    if (UNLIKELY(!s)) return 0;
    const int64_t before = slot_change(signal_index(s), how, operand);
    signal_changed(s);
    return before;
}
static int64_t replace(handle_t handle, int64_t expected, int64_t value) {
    struct signal *s = changeable(handle);
    if (s && slot_replace(signal_index(s), &expected, value)) signal_changed(s);
    return s ? expected : 0;
}

// All orders are served by the strongest that any of them asks for.
#define LOAD(order)                                                                                          \
    HSA(int64_t, hsa_signal_load_##order, handle_t s) { return load(s); }
LOAD(relaxed)
LOAD(acquire)
LOAD(scacquire)

#define STORE(name, tell)                                                                                    \
    HSA(void, hsa_signal_##name, handle_t s, int64_t value) { store(s, value, tell); }
STORE(store_relaxed, true)
STORE(store_release, true)
STORE(store_screlease, true)
STORE(silent_store_relaxed, false)
STORE(silent_store_screlease, false)

#define EXCHANGE(order)                                                                                      \
    HSA(int64_t, hsa_signal_exchange_##order, handle_t s, int64_t value) {                                   \
        return change(s, CHANGE_EXCHANGE, value);                                                            \
    }
#define CAS(order)                                                                                           \
    HSA(int64_t, hsa_signal_cas_##order, handle_t s, int64_t expected, int64_t value) {                      \
        return replace(s, expected, value);                                                                  \
    }
#define CHANGE(name, how, order)                                                                             \
    HSA(void, hsa_signal_##name##_##order, handle_t s, int64_t value) { change(s, CHANGE_##how, value); }
#define ORDERS(X, ...)                                                                                       \
    X(__VA_ARGS__ relaxed)                                                                                   \
    X(__VA_ARGS__ acquire)                                                                                   \
    X(__VA_ARGS__ release)                                                                                   \
    X(__VA_ARGS__ acq_rel)                                                                                   \
    X(__VA_ARGS__ scacquire)                                                                                 \
    X(__VA_ARGS__ screlease)                                                                                 \
    X(__VA_ARGS__ scacq_screl)
ORDERS(EXCHANGE)
ORDERS(CAS)
#define ADD(order)      CHANGE(add, ADD, order)
#define SUBTRACT(order) CHANGE(subtract, SUBTRACT, order)
#define AND(order)      CHANGE(and, AND, order)
#define OR(order)       CHANGE(or, OR, order)
#define XOR(order)      CHANGE(xor, XOR, order)
ORDERS(ADD)
ORDERS(SUBTRACT)
ORDERS(AND)
ORDERS(OR)
ORDERS(XOR)
