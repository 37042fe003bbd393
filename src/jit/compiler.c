// SPDX-License-Identifier: MIT
// From hot kernels to compiled ones, behind the waves' back.
//
// A request is planned under the lock of its program, compiled without any, and published under it again. The
// compiler's lock is taken before a program's: whoever ends a program takes its requests away first, so that
// a request has its program, kernel and device as long as it names them.
//
// There are two threads. The quick one plans all requests, and compiles in the quick configuration. What is
// to be compiled in full goes to the other one, which may take seconds and lets workers go first.
#include "jit/compiler.h"

#include <dlfcn.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#if defined(__linux__)
#include <sys/resource.h>
#include <sys/syscall.h>
#endif

#include "jit/fused.h"
#include "jit/join.h"

enum {
    MAX_REQUESTS = 64,
    STACK_BYTES = 64 << 20, // of which only what is used is memory; LLVM recurses as deep as code is nested
    PATIENCE = 4            // a kernel is looked at again with so many times the weight
};

enum lane { QUICK, FULL, LANES };
// Four fifths of what a worker gets where they compete for a processor, and a tenth.
static const int nice_of[LANES] = {1, 10};

struct request {
    struct tier_up *device;
    struct program *program; // NULL: gone
    struct hot_kernel *kernel;
    const struct op *loop;
    bool is_call;                  // what is compiled is what a jump leads to
    enum plan_functions functions; // of code in the full configuration
};

static struct {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    struct half {
        struct request queue[MAX_REQUESTS];
        unsigned count;
        struct request current; // its program is NULL while there is none
        bool busy;              // it works on what may no longer be there
        bool is_absent;         // its thread could not be started
        pthread_t thread;
    } halves[LANES];
    bool started;
    bool abandoned; // the process was forked while another thread was in LLVM: whose locks stay locked
} c = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

// ---- One request ----

// What jumps to addresses in registers lead to, function or place behind a call, and was not compiled, nor
// tried to be. NULL: nothing. `tries`: it is now.
static const struct op *find_call(const struct hot_kernel *h, struct program *p, bool tries) {
    enum { REACHED = 1, TRIED };
    for (size_t b = 0; b < p->built.count && h->calls < TIER_UP_CALLS; b++) {
        const struct op *op = p->built.items[b].ops;
        uint8_t *reached = &p->reached[op->pc / 4];
        if (__atomic_load_n(reached, __ATOMIC_RELAXED) != REACHED || fused_was_made(p, op)) continue;
        if (tries) __atomic_store_n(reached, TRIED, __ATOMIC_RELAXED);
        return op;
    }
    return NULL;
}

// Whether a kernel that was compiled stays so hot that it is worth the full configuration. Code that was
// slower is often rescued by loops over waves, which short code gets. Code that was too large for the quick
// configuration is treated as code of too many steps.
static bool is_due_in_full(const struct request *r, size_t steps, uint64_t weight) {
    const struct hot_kernel *h = r->kernel;
    const unsigned due = h->compiled ? TIER_UP_FULL : TIER_UP_LONG;
    return h->full_steps != steps && weight >= r->device->threshold * due &&
           (!h->compiled || fused_has(r->program, h->entry) || steps <= TIER_UP_FULL_STEPS);
}

// Whether a kernel with loops over waves gets full code for waves that run by themselves as well: those in
// loops weigh nothing, so there are many.
static bool is_due_as_usual(const struct request *r, size_t steps, uint64_t weight) {
    const struct hot_kernel *h = r->kernel;
    return h->full_steps == steps && h->usual_steps != steps &&
           weight >= r->device->threshold * TIER_UP_USUAL;
}

// There is full code of so many steps, or will be.
static void note_full(struct hot_kernel *h, enum plan_functions functions, size_t steps) {
    h->full_steps = steps;
    if (functions != FUNCTIONS_LOOPS) h->usual_steps = steps;
}

static uint8_t rows_of(const struct hot_kernel *h) {
    return (uint8_t)__atomic_load_n(&h->rows, __ATOMIC_RELAXED);
}

// Leaves the request for full code of so many steps to the other thread, which says when to ask again. False:
// it has no room. Lock: compiler.
static bool pass_on(const struct request *r, enum plan_functions functions, size_t steps) {
    struct half *full = &c.halves[FULL];
    if (full->is_absent || full->count == MAX_REQUESTS) return false;
    full->queue[full->count] = *r;
    full->queue[full->count++].functions = functions;
    pthread_cond_broadcast(&c.changed);
    note_full(r->kernel, functions, steps);
    return true;
}
static bool plan_kernel(const struct request *r, struct plan *plan) {
    const bool planned =
        fused_plan(plan, r->program, r->device->level, r->kernel->entry, TIER_UP_CUT_STEPS, false);
    plan->rows = rows_of(r->kernel);
    plan->most = r->device->most;
    plan->functions = r->functions;
    return planned;
}
static bool plan_in_full(const struct request *r, struct plan *plan) {
    if (plan_kernel(r, plan) && !plan_is_longer(plan, TIER_UP_LONG_STEPS)) {
        r->kernel->steps = plan->steps.count;
        note_full(r->kernel, r->functions, plan->steps.count);
        return true;
    }
    plan_free(plan);
    const uint64_t weight = __atomic_load_n(&r->kernel->weight, __ATOMIC_RELAXED);
    __atomic_store_n(&r->kernel->due, PATIENCE * weight, __ATOMIC_RELAXED);
    return false;
}

// What is to be compiled, under the lock of the compiler and of the program. False: nothing, or not yet; when
// to ask again is said.
static bool plan_request(struct request *r, struct plan *plan) {
    struct hot_kernel *h = r->kernel;
    const uint64_t weight = __atomic_load_n(&h->weight, __ATOMIC_RELAXED);
    const bool planned = plan_kernel(r, plan), whole = planned && !plan_is_longer(plan, TIER_UP_MOST_STEPS),
               in_parts = planned && !whole; // what is longer is compiled in parts alone
    const size_t steps = plan->steps.count;
    const uint64_t long_due = r->device->threshold * TIER_UP_LONG;
    const uint64_t parts_due = r->device->threshold * steps / TIER_UP_MOST_STEPS;
    uint64_t due = weight * PATIENCE;
    plan->quick = true;
    if ((whole || (in_parts && weight >= parts_due)) && steps != h->steps) return h->steps = steps, true;
    // Waves that do not run in a loop have the quick code.
    const bool passed =
        whole
            ? (is_due_in_full(r, steps, weight) &&
               pass_on(r, h->compiled ? FUNCTIONS_LOOPS : FUNCTIONS_ALL, steps)) ||
                  (is_due_as_usual(r, steps, weight) && pass_on(r, FUNCTIONS_USUAL, steps))
            // What is too long for that, and hot enough: once, where it is not too long for the other thread.
            : in_parts && weight >= long_due && !plan_is_longer(plan, TIER_UP_LONG_STEPS) &&
                  h->full_steps != steps && pass_on(r, FUNCTIONS_ALL, steps);
    if (passed) {
        plan_free(plan);
        return false;
    }
    if (!planned && !fused_has(r->program, h->entry))
        __atomic_store_n(&r->device->why, "the kernel is too long to be compiled", __ATOMIC_RELAXED);
    if (!whole && weight < r->device->threshold * TIER_UP_LOOP)
        due = r->device->threshold * TIER_UP_LOOP;
    else if (r->loop && !fused_was_made(r->program, r->loop)) {
        plan_free(plan);
        if (fused_plan(plan, r->program, r->device->level, r->loop, TIER_UP_MOST_STEPS, true))
            return plan->quick = true;
    } else {
        const struct op *call = find_call(h, r->program, true);
        h->calls += call != NULL;
        r->is_call = call;
        plan_free(plan);
        if (call && fused_plan(plan, r->program, r->device->level, call, TIER_UP_MOST_STEPS, true))
            return plan->quick = true;
        if (find_call(h, r->program, false)) due = weight;
    }
    plan_free(plan);
    if (!whole && weight < long_due && due > long_due) due = long_due;
    if (in_parts && weight < parts_due) due = parts_due;
    __atomic_store_n(&h->due, due, __ATOMIC_RELAXED);
    return false;
}

// The same two locks.
static void begin_trial(const struct request *r, struct native_region *made) {
    if (!r->device->keeps) trial_begin(r->device, r->program, r->kernel, made);
}
// Lets waves enter the code, on trial. The same two locks.
static bool let_enter(const struct request *r, const struct plan *plan, const struct fused_code *code) {
    struct hot_kernel *h = r->kernel;
    if (!fused_publish(r->program, r->device->level, plan, code)) return false;
    struct native_region *made = fused_newest(r->program);
    if (code->full && made->entry_count && fused_is_of(made, h->entry)) h->usual_steps = plan->steps.count;
    __atomic_add_fetch(&r->device->compiled, 1, __ATOMIC_RELAXED);
    begin_trial(r, made);
    return true;
}

// Says when to ask again. `enters`: waves enter the code.
static void say_when(const struct request *r, const struct plan *plan, const struct fused_code *code,
                     bool enters) {
    struct hot_kernel *h = r->kernel;
    if (enters) {
        h->compiled += !r->is_call && plan->quick;
        const uint64_t weight = __atomic_load_n(&h->weight, __ATOMIC_RELAXED);
        const bool call = find_call(h, r->program, false);
        uint64_t due = call ? weight : PATIENCE * weight;
        if (h->full_steps != h->steps && due > r->device->threshold * TIER_UP_FULL)
            due = r->device->threshold * TIER_UP_FULL;
        if (h->compiled < TIER_UP_TIMES || call) __atomic_store_n(&h->due, due, __ATOMIC_RELAXED);
    } else if (code->why) {
        __atomic_store_n(&r->device->why, code->why, __ATOMIC_RELAXED);
        __atomic_store_n(&r->device->on, false, __ATOMIC_RELAXED);
    } else if (code->refused && r->functions != FUNCTIONS_LOOPS) {
        __atomic_store_n(&r->device->why, code->refused, __ATOMIC_RELAXED);
        const uint64_t later = PATIENCE * __atomic_load_n(&h->weight, __ATOMIC_RELAXED);
        const uint64_t long_due = r->device->threshold * TIER_UP_LONG;
        if (plan->quick) // the full configuration is left
            __atomic_store_n(&h->due, later > long_due ? later : long_due, __ATOMIC_RELAXED);
        else if (plan->steps.count > TIER_UP_MOST_STEPS) // its loops are left
            __atomic_store_n(&h->due, later, __ATOMIC_RELAXED);
    } else if (r->is_call || r->functions == FUNCTIONS_LOOPS) // the kernel itself was compiled
        __atomic_store_n(&h->due, PATIENCE * __atomic_load_n(&h->weight, __ATOMIC_RELAXED), __ATOMIC_RELAXED);
}

// Loops that were kept beside the code that has just been handed over.
static void hand_over_loops(const struct request *r, const struct plan *plan,
                            const struct fused_code *loops) {
    if (let_enter(r, plan, loops)) note_full(r->kernel, FUNCTIONS_LOOPS, plan->steps.count);
}

struct parts {
    struct half *half;
    struct native_region *made; // those so far
};
// Waves enter each part at once, and all are on trial in the end.
static bool take_part(void *context, const struct plan *part, const struct fused_code *code, bool is_last) {
    struct parts *parts = context;
    const struct request *r = &parts->half->current;
    pthread_mutex_lock(&c.lock);
    const bool is_wanted = r->program;
    if (is_wanted) {
        pthread_mutex_lock(&r->program->lock);
        if (fused_publish(r->program, r->device->level, part, code)) {
            if (!parts->made) __atomic_add_fetch(&r->device->compiled, 1, __ATOMIC_RELAXED);
            parts->made = fused_beside(r->program, parts->made);
        }
        if (parts->made && is_last) begin_trial(r, parts->made);
        pthread_mutex_unlock(&r->program->lock);
    }
    pthread_mutex_unlock(&c.lock);
    return is_wanted;
}

// Without the compiler's lock. Returns whether waves enter the code already.
static bool make(struct half *half, struct plan *plan, struct fused_maker *maker, struct fused_code *code) {
    struct parts parts = {.half = half};
    if (plan->quick) fused_find(maker, plan, FUNCTIONS_USUAL, code);
    if (code->object) return false;
    if (plan->quick)
        fused_in_parts(maker, plan, code, take_part, &parts);
    else
        fused_compile(maker, plan, code);
    return parts.made;
}

// With the compiler's lock, which is given up meanwhile.
static void serve(enum lane lane) {
    struct half *mine = &c.halves[lane];
    struct plan plan = {0};
    struct fused_code code = {0}, loops = {0};
    pthread_mutex_lock(&mine->current.program->lock);
    const bool made =
        lane == FULL ? plan_in_full(&mine->current, &plan) : plan_request(&mine->current, &plan);
    pthread_mutex_unlock(&mine->current.program->lock);
    if (!made) return;
    const struct tier_up *device = mine->current.device;
    char *cache = device->cache ? strdup(device->cache) : NULL;
    struct fused_maker maker = {.level = device->level,
                                .cache = cache,
                                .behind = true,
                                .part = device->part ? device->part : TIER_UP_PART};
    pthread_mutex_unlock(&c.lock);
    const bool enters = make(mine, &plan, &maker, &code);
    if (code.kept && plan.quick) fused_find(&maker, &plan, FUNCTIONS_LOOPS, &loops);
    fused_maker_end(&maker);
    free(cache);
    pthread_mutex_lock(&c.lock);
    const struct request *r = &mine->current;
    if (r->program) {
        pthread_mutex_lock(&r->program->lock);
        say_when(r, &plan, &code, enters || let_enter(r, &plan, &code));
        if (loops.object) hand_over_loops(r, &plan, &loops);
        pthread_mutex_unlock(&r->program->lock);
    }
    fused_code_free(&code);
    fused_code_free(&loops);
    plan_free(&plan);
}

// ---- The threads ----

static void *compiler_main(void *argument) {
    const enum lane lane = argument ? FULL : QUICK;
    struct half *mine = &c.halves[lane];
#if defined(__linux__)
    setpriority(PRIO_PROCESS, (id_t)syscall(SYS_gettid), nice_of[lane]); // if it fails, so be it
#endif
    pthread_mutex_lock(&c.lock);
    for (;;) {
        if (!mine->count) {
            pthread_cond_wait(&c.changed, &c.lock);
            continue;
        }
        mine->current = mine->queue[0];
        for (unsigned i = 1; i < mine->count; i++) mine->queue[i - 1] = mine->queue[i];
        mine->count--;
        mine->busy = true;
        serve(lane);
        mine->busy = false;
        mine->current = (struct request){0};
        pthread_cond_broadcast(&c.changed);
    }
    return NULL;
}

// ---- A process that forks ----

static void before_fork(void) { pthread_mutex_lock(&c.lock); }
static void in_parent(void) { pthread_mutex_unlock(&c.lock); }
static void in_child(void) {
    for (unsigned i = 0; i < LANES; i++) {
        c.abandoned |= c.halves[i].busy;
        c.halves[i].count = 0;
        c.halves[i].current = (struct request){0};
        c.halves[i].busy = false;
    }
    c.started = false;
    c.changed = (pthread_cond_t)PTHREAD_COND_INITIALIZER;
    pthread_mutex_unlock(&c.lock);
}

// Code that a thread is in must not be unloaded.
static void stay(void) {
    Dl_info own;
    void *self = dladdr(&c, &own) ? dlopen(own.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE) : NULL;
    if (self) dlclose(self); // it stays all the same; a program itself always does
}

static bool start(void) {
    static bool prepared;
    if (c.started) return true;
    if (c.abandoned) return false;
    if (!prepared) prepared = !pthread_atfork(before_fork, in_parent, in_child);
    if (!prepared) return false;
    stay();
    pthread_attr_t attributes;
    sigset_t all, before;
    sigfillset(&all); // signals are for the threads of the program
    for (const int *s = (const int[]){SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGPROF, 0}; *s; s++)
        sigdelset(&all, *s);
    if (pthread_attr_init(&attributes)) return false;
    pthread_attr_setstacksize(&attributes, STACK_BYTES);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    // Without the second one there is no code of the full configuration.
    c.started = !pthread_create(&c.halves[QUICK].thread, &attributes, compiler_main, NULL);
    c.halves[FULL].is_absent =
        c.started && pthread_create(&c.halves[FULL].thread, &attributes, compiler_main, &c.halves[FULL]);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    return c.started;
}

// ---- What others see of it ----

bool compiler_ask(struct tier_up *t, struct program *p, struct hot_kernel *h, const struct op *loop) {
    if (pthread_mutex_trylock(&c.lock)) return false; // a worker has better things to do than to wait
    if (c.abandoned) {
        __atomic_store_n(&t->why, "the process was forked while a kernel was compiled", __ATOMIC_RELAXED);
        __atomic_store_n(&t->on, false, __ATOMIC_RELAXED);
    }
    struct half *quick = &c.halves[QUICK];
    const bool taken = quick->count < MAX_REQUESTS && start();
    if (taken) {
        quick->queue[quick->count++] = (struct request){.device = t, .program = p, .kernel = h, .loop = loop};
        pthread_cond_broadcast(&c.changed);
    }
    pthread_mutex_unlock(&c.lock);
    return taken;
}

static void forget(struct half *half, const struct program *p) {
    unsigned left = 0;
    for (unsigned i = 0; i < half->count; i++)
        if (half->queue[i].program != p) half->queue[left++] = half->queue[i];
    half->count = left;
    if (half->current.program == p) half->current.program = NULL;
}
void compiler_forget(const struct program *p) {
    pthread_mutex_lock(&c.lock);
    for (unsigned i = 0; i < LANES; i++) forget(&c.halves[i], p);
    pthread_mutex_unlock(&c.lock);
}

static bool has_work(void) {
    bool some = false;
    for (unsigned i = 0; i < LANES; i++) some |= c.halves[i].count || c.halves[i].busy;
    return some;
}
void compiler_settle(void) {
    pthread_mutex_lock(&c.lock);
    while (c.started && has_work()) pthread_cond_wait(&c.changed, &c.lock);
    pthread_mutex_unlock(&c.lock);
}
