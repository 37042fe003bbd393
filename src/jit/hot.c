// SPDX-License-Identifier: MIT
#include "jit/hot.h"
#include "base/hash.h"

#include <stdlib.h>

#include "jit/compiler.h"
#include "jit/fused.h"

bool tier_up_is_possible(const char *level, const char **why) {
#if defined(__SANITIZE_THREAD__)
    *why = NULL;
    return level; // a stand-in is made
#else
    return fused_built(level, why);
#endif
}

uint64_t tier_up_threshold(void) {
    const char *given = secure_getenv("SOFTWAVE_TIER_UP");
    char *end;
    const unsigned long long n = given ? strtoull(given, &end, 10) : 0;
    return n && !*end ? n : TIER_UP_WEIGHT;
}

static struct hot_kernel **list_of(struct program *p, const struct op *entry) {
    return &p->kernels[(hash_pointer(entry) >> 32) % (sizeof p->kernels / sizeof *p->kernels)];
}
static struct hot_kernel *find(struct hot_kernel *const *list, const struct op *entry) {
    struct hot_kernel *h = __atomic_load_n(list, __ATOMIC_ACQUIRE);
    while (h && h->entry != entry) h = h->next;
    return h;
}

struct hot_kernel *hot_kernel_of(struct program *p, const struct op *entry, uint64_t threshold) {
    struct hot_kernel **list = list_of(p, entry), *h = find(list, entry);
    if (h) return h;
    pthread_mutex_lock(&p->lock);
    h = find(list, entry);
    if (!h && !posix_memalign((void **)&h, _Alignof(struct hot_kernel), sizeof *h)) {
        *h = (struct hot_kernel){.next = *list, .entry = entry, .due = threshold};
        __atomic_store_n(list, h, __ATOMIC_RELEASE);
    }
    pthread_mutex_unlock(&p->lock);
    return h;
}

void hot_add(struct tier_up *t, struct program *p, struct hot_kernel *h, uint64_t weight,
             const struct op *loop) {
    const uint64_t sum = __atomic_add_fetch(&h->weight, weight, __ATOMIC_RELAXED);
    uint64_t due = __atomic_load_n(&h->due, __ATOMIC_RELAXED);
    if (sum < due || !__atomic_load_n(&t->on, __ATOMIC_RELAXED)) return;
    // One worker asks; the compiler says when it is due again.
    if (__atomic_compare_exchange_n(&h->due, &due, UINT64_MAX, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED) &&
        !compiler_ask(t, p, h, loop))
        __atomic_store_n(&h->due, due, __ATOMIC_RELAXED);
}
