// SPDX-License-Identifier: MIT
// When a program gets native code. Its blocks are counted, not each of them: workers look now and then
// (native.h), and code that was decoded since the last time is joined at once the second time that somebody
// looks, later with growing patience. Where all blocks are joined anew their branches lead to each other
// directly. But former native code stays, as waves may be in it, so that is done only when there are twice as
// many as the last time. Between, new blocks are joined alone.
#include "jit/native.h"

#include <stdlib.h>
#include <string.h>

#include "jit/compiler.h"
#include "jit/fused.h"
#include "jit/join.h"
#include "jit/pages.h"

enum { MOST_AGAIN = 16 << 20 }; // bytes of native code of a program that is joined anew for other reasons

#if defined(__SANITIZE_THREAD__)
// Sanitizers cannot follow native code. This one is shown how it is handed over: what is published is a
// record of each op, and the handler that reads it, both written and found as native code is.
static bool make(struct program *p, const char *level, size_t first, size_t count) {
    (void)level;
    return native_stand_in(p, first, count);
}
#define CAN_MAKE(level) ((void)(level), true)
#else
static bool make(struct program *p, const char *level, size_t first, size_t count) {
    const struct native_image *image = native_image_of(level);
    return image && native_join(p, image, first, count);
}
#define CAN_MAKE(level) native_image_exists(level)
#endif

// Of operands that are NaNs pieces expect the first from the host's FMA (body.h), in whatever order hosts may
// look at three.
static bool takes_first_nan(void) {
#if defined(__x86_64__) && !defined(__SANITIZE_THREAD__)
    for (unsigned nans = 1; nans < 8; nans++) {
        const uint32_t one = 0x3f800000, nan = 0x7fc00001;
        uint32_t r, bits[3];
        float x[3];
        for (unsigned i = 0; i < 3; i++) bits[i] = nans >> i & 1 ? nan + i : one;
        memcpy(x, bits, sizeof x);
        __asm__("vfmadd231ss %2, %1, %0" : "+x"(x[2]) : "x"(x[0]), "x"(x[1]));
        memcpy(&r, &x[2], sizeof r);
        if (r != nan + (unsigned)__builtin_ctz(nans)) return false;
    }
#endif
    return true;
}

bool native_possible(const char *level, const char **why) {
    *why = NULL;
    if (!CAN_MAKE(level)) {
        *why = "no native code for this vector level";
        return false;
    }
    if (!takes_first_nan()) {
        *why = "the host's FMA takes other NaNs";
        return false;
    }
    void *page = native_pages(1);
    if (page && native_seal(page, 1, true)) {
        native_give_back(page, 1);
        return true;
    }
    if (page) native_give_back(page, 1);
    *why = "the host forbids executable memory";
    return false;
}

static void join(struct program *p, const char *level) {
    const size_t count = p->built.count;
    if (count > p->joined && !p->retired) {
        const bool anew = count >= 2 * (size_t)p->joined_anew && make(p, level, 0, count);
        if (anew)
            p->joined_anew = (unsigned)count;
        else
            make(p, level, p->joined, count);
    }
    // What cannot be joined is not tried again before there is more.
    __atomic_store_n(&p->joined, (unsigned)count, __ATOMIC_RELAXED);
}

void native_consider(struct program *p, const char *level, bool looping) {
    const unsigned built = __atomic_load_n(&p->built_count, __ATOMIC_RELAXED);
    if (built == __atomic_load_n(&p->joined, __ATOMIC_RELAXED) || p->facts.observed) return;
    const unsigned n = __atomic_add_fetch(&p->considered, 1, __ATOMIC_RELAXED);
    if (!looping && n < __atomic_load_n(&p->due, __ATOMIC_RELAXED)) return;
    if (pthread_mutex_trylock(&p->lock)) return; // somebody decodes or joins
    join(p, level);
    __atomic_store_n(&p->due, 2 * n, __ATOMIC_RELAXED);
    pthread_mutex_unlock(&p->lock);
}

void native_at_once(struct program *p, const char *level, const struct op *root, struct tier_up *compiled,
                    enum wave_rows rows) {
    if (p->facts.observed) return;
    if (compiled) fused_decode(p);
    pthread_mutex_lock(&p->lock);
    if (p->built.count > p->joined && !p->retired) {
        make(p, level, p->joined, p->built.count);
        __atomic_store_n(&p->joined, (unsigned)p->built.count, __ATOMIC_RELAXED);
    }
    pthread_mutex_unlock(&p->lock);
    if (compiled) fused_at_once(p, compiled, root, rows);
}

void native_again(struct program *p, const char *level) {
    size_t bytes = 0, first = 0;
    for (const struct native_region *r = p->native; r; r = r->next)
        if (!r->entries) bytes += r->bytes;
    if (bytes > MOST_AGAIN) first = p->joined;
    if (!p->retired && first < p->built.count) make(p, level, first, p->built.count);
    __atomic_store_n(&p->joined, (unsigned)p->built.count, __ATOMIC_RELAXED);
}

void native_retire(struct program *p) {
    pthread_mutex_lock(&p->lock);
    p->retired = true;
    for (size_t b = 0; b < p->built.count && !p->facts.observed; b++)
        for (size_t i = 0; i < p->built.items[b].count; i++) {
            const struct op *op = &p->built.items[b].ops[i];
            __atomic_store_n((op_fn **)&op->fn, op->body, __ATOMIC_RELEASE);
        }
    pthread_mutex_unlock(&p->lock);
}

void native_release(struct program *p) {
    compiler_forget(p);
    fused_forget(p);
    for (size_t i = 0; i < sizeof p->kernels / sizeof *p->kernels; i++)
        for (struct hot_kernel *h = p->kernels[i], *next; h; h = next) {
            next = h->next;
            free(h);
        }
    for (struct native_region *r = p->native, *next; r; r = next) {
        next = r->next;
        if (r->bytes)
            native_give_back(r->code, r->bytes);
        else
            free(r->code);
        free(r->copies);
        free(r->entries);
        free(r);
    }
    p->native = NULL;
}
