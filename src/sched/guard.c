// SPDX-License-Identifier: MIT
// Turns SIGSEGV and SIGBUS of a kernel's access into a fault of the kernel. This is needed where the map
// allows an access to memory that the host has not mapped: memory was unmapped meanwhile, or nobody checked
// (XNACK).
//
// The handler takes a signal only on a worker that runs a wave, and only for an address that this worker
// found in the map, so it cannot take the signal of any other access of the process. It leaves the wave.
// guard_enter then removes the page from what the worker knows and repeats the instruction, which now faults
// as any other, with its lane and address. Registers of compiled code are not in the wave, so compiled code
// restarts at its last mark (jit/code.c). All other signals go to the handler that was there before, or that
// the program has set since.
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "base/diag.h"
#include "exec/body/steps.h"
#include "sched/pool.h"

enum { PAGE = 4096, TRIES = 4 };

// Where a wave is entered, and where the signal leads back to. Compilers do that themselves in less time, but
// sanitizers want to know of it.
#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
typedef void *way_back[5];
#define COMES_BACK(b) __builtin_setjmp(b)
#define GO_BACK(b)    __builtin_longjmp(b, 1)
#else
typedef sigjmp_buf way_back;
#define COMES_BACK(b) sigsetjmp(b, 0)
#define GO_BACK(b)    siglongjmp(b, 1)
#endif

struct guarded {
    way_back back;
    struct wave *const *wave; // that runs
    uint64_t address;
    bool is_mapped, is_store;
};

// Workers of guarded devices, for handlers to find themselves: thread-local storage of a library that is
// loaded late may have to be allocated at its first use. The list grows only, entries are used again.
struct member {
    struct member *next;
    pthread_t thread;      // atomic; 0: it has not begun
    struct worker *worker; // atomic; NULL: not in use
};
static struct member *members; // atomic

// The one that runs a wave in this thread, which may have been a guest of others. NULL: none.
static struct worker *worker_of_this_thread(void) {
    const pthread_t self = pthread_self();
    for (struct member *m = __atomic_load_n(&members, __ATOMIC_ACQUIRE); m; m = m->next) {
        struct worker *k = __atomic_load_n(&m->worker, __ATOMIC_ACQUIRE);
        if (k && k->guarded && pthread_equal(__atomic_load_n(&m->thread, __ATOMIC_RELAXED), self)) return k;
    }
    return NULL;
}

// With the lock held.
static bool enlist(struct worker *k) {
    struct member *m = members;
    while (m && m->worker) m = m->next;
    const bool is_new = !m;
    if (is_new && !(m = calloc(1, sizeof *m))) return false;
    __atomic_store_n(&m->thread, k->self, __ATOMIC_RELAXED);
    __atomic_store_n(&m->worker, k, __ATOMIC_RELEASE);
    if (!is_new) return true;
    m->next = members;
    __atomic_store_n(&members, m, __ATOMIC_RELEASE);
    return true;
}
static void strike(const struct pool *pool) {
    for (struct member *m = members; m; m = m->next)
        if (m->worker && m->worker->pool == pool) __atomic_store_n(&m->worker, NULL, __ATOMIC_RELEASE);
}

// ---- Signals ----

static const int signals[2] = {SIGSEGV, SIGBUS};
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned users;
// The program's: as it was at first, which a later one may have kept to call it, and as it is now.
static struct sigaction first[2], latest[2];
// Marks the context of a signal that was passed on: the kernel leaves that field empty and looks at no other.
static ucontext_t passed_on;

// Addresses that the worker was let to: it keeps each range that it found for the access.
static bool may_touch(const struct worker *k, uint64_t address) {
    for (int i = 0; i < RANGE_SLOTS; i++) {
        const struct range *r = &k->ranges[i];
        if (r->lo <= r->last && address >= host_address(r->lo) && address <= host_address(r->last))
            return true;
    }
    return false;
}

static bool was_store(const ucontext_t *u) {
#if defined(__x86_64__)
    return u->uc_mcontext.gregs[REG_ERR] >> 1 & 1;
#else
    (void)u;
    return false;
#endif
}

static void unblock(int number) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, number);
    pthread_sigmask(SIG_UNBLOCK, &set, NULL);
}

// What happens without any handler: the instruction runs once more, or what was sent is sent once more.
static void die(int number, const siginfo_t *info) {
    signal(number, SIG_DFL);
    if (info->si_code > 0) return;
    unblock(number);
    raise(number);
}

static void pass_on(int number, siginfo_t *info, void *context) {
    const int at = number == SIGBUS;
    ucontext_t *u = context;
    const struct sigaction to = u->uc_link == &passed_on ? first[at] : latest[at];
    const bool has_info = to.sa_flags & SA_SIGINFO;
    if (!has_info && to.sa_handler == SIG_IGN && info->si_code <= 0) return;
    if (!has_info && (to.sa_handler == SIG_DFL || to.sa_handler == SIG_IGN)) {
        die(number, info);
        return;
    }
    if (to.sa_flags & SA_RESETHAND) latest[at].sa_handler = SIG_DFL, latest[at].sa_flags &= ~SA_SIGINFO;
    sigset_t before;
    pthread_sigmask(SIG_BLOCK, &to.sa_mask, &before);
    if (to.sa_flags & SA_NODEFER) unblock(number);
    u->uc_link = &passed_on;
    if (has_info)
        to.sa_sigaction(number, info, context);
    else
        to.sa_handler(number);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static void handle(int number, siginfo_t *info, void *context) {
    struct worker *k = worker_of_this_thread();
    struct guarded *g = k ? k->guarded : NULL;
    const uint64_t address = (uint64_t)(uintptr_t)info->si_addr;
    const bool is_fault = number == SIGBUS ? info->si_code == BUS_ADRERR
                                           : info->si_code == SEGV_MAPERR || info->si_code == SEGV_ACCERR;
    if (!g || !(*g->wave)->at || !is_fault || !may_touch(k, address)) {
        const int error = errno;
        pass_on(number, info, context);
        errno = error;
        return;
    }
    k->guarded = NULL;
    g->address = address;
    g->is_store = was_store(context);
    g->is_mapped = g->is_store && number == SIGSEGV && info->si_code == SEGV_ACCERR;
    pthread_sigmask(SIG_SETMASK, &((const ucontext_t *)context)->uc_sigmask, NULL); // as it was before
    GO_BACK(g->back);
}

static bool is_ours(const struct sigaction *a) {
    return a->sa_flags & SA_SIGINFO && a->sa_sigaction == handle;
}

// With the lock held.
static void take_signals(void) {
    for (int i = 0; i < 2; i++) {
        struct sigaction now;
        sigaction(signals[i], NULL, &now);
        if (is_ours(&now)) continue;
        latest[i] = now;
        struct sigaction ours = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART};
        sigemptyset(&ours.sa_mask);
        sigaction(signals[i], &ours, NULL);
    }
}

// A child of fork has none of the workers. The handlers stay and pass everything on.
static void before_fork(void) { pthread_mutex_lock(&lock); }
static void in_parent(void) { pthread_mutex_unlock(&lock); }
static void in_child(void) {
    pthread_mutex_init(&lock, NULL);
    for (struct member *m = members; m; m = m->next) m->worker = NULL;
    users = 0;
}

bool guard_join(struct pool *pool, bool *is_new) {
    static bool forks;
    pthread_mutex_lock(&lock);
    if (!forks) forks = !pthread_atfork(before_fork, in_parent, in_child);
    *is_new = !pool->guarded;
    bool enlisted = true;
    for (unsigned i = 0; *is_new && i < pool->thread_count; i++) enlisted &= enlist(&pool->workers[i]);
    if (*is_new && enlisted) {
        if (!users++)
            for (int i = 0; i < 2; i++) sigaction(signals[i], NULL, &first[i]);
        __atomic_store_n(&pool->guarded, true, __ATOMIC_RELAXED);
    } else if (!enlisted)
        strike(pool);
    if (enlisted) take_signals();
    pthread_mutex_unlock(&lock);
    return enlisted;
}

void guard_begin(struct worker *k) {
    pthread_mutex_lock(&lock);
    k->self = pthread_self();
    for (struct member *m = members; m; m = m->next)
        if (m->worker == k) __atomic_store_n(&m->thread, k->self, __ATOMIC_RELAXED);
    pthread_mutex_unlock(&lock);
}

void guard_look(const struct pool *pool) {
    if (!__atomic_load_n(&pool->guarded, __ATOMIC_RELAXED)) return;
    pthread_mutex_lock(&lock);
    take_signals();
    pthread_mutex_unlock(&lock);
}

// The program gets its signals back, unless it has set others since.
void guard_leave(struct pool *pool) {
    if (!pool->guarded) return;
    pthread_mutex_lock(&lock);
    strike(pool);
    const bool is_last = !--users;
    for (int i = 0; is_last && i < 2; i++) {
        struct sigaction now;
        sigaction(signals[i], NULL, &now);
        if (is_ours(&now)) sigaction(signals[i], &latest[i], NULL);
    }
    pthread_mutex_unlock(&lock);
}

// ---- Waves ----

static const struct op *stop(struct wave *w, const struct op *op) {
    (void)w, (void)op;
    return NULL;
}

// The page is none of the worker's until the wave has faulted.
static void lose_page(struct worker *k, const struct guarded *g) {
    const uint64_t page = g->address & ~(uint64_t)(PAGE - 1);
    k->gone = (struct range){page, page + PAGE - 1};
    k->gone_address = g->address;
    k->gone_is_mapped = g->is_mapped;
    k->control = 0; // the handler was entered with another, and left the wave's
    worker_drop_ranges(k);
    wave_load_control(*g->wave);
}

static const struct op *anew(const struct wave *w) {
    const uintptr_t at = (uintptr_t)w->at;
    return at & AT_ANEW ? (const struct op *)(at - AT_ANEW) : NULL;
}

void guard_enter(struct worker *k, struct wave *entered, const struct op *op) {
    struct wave *volatile w = entered; // or the one that it has handed over to (barrier_hop)
    struct guarded g;                  // not cleared: this is run for each wave
    struct op again[2];
    const struct op *volatile from = op;
    g.wave = &w->barrier->running;
    w->at = NULL;
    for (volatile int tries = 0;; tries = tries + 1) {
        if (!COMES_BACK(g.back)) {
            k->guarded = &g;
            k->pool->steps->enter(w, from);
            k->guarded = NULL;
            if (!tries) return;
            if (from == again) break;
            // A wave that began anew and came by nothing that is missing, as others have written since what
            // it had loaded.
            k->gone = (struct range){0};
            worker_drop_ranges(k);
            return;
        }
        // The access may have changed registers that its own addresses come from: then it does other things
        // this time, within what the wave may do, and is said to fault here all the same. Compiled code,
        // which has changed nothing, begins anew, and knows that the page is missing.
        lose_page(k, &g);
        w = w->barrier->running;
        from = anew(w);
        if (!from) {
            if (w->at != again) again[0] = *w->at;
            again[0].fn = again[0].body;
            again[1] = (struct op){.fn = stop, .body = stop};
            from = again;
        }
        if (tries == TRIES) break;
    }
    if (w->status != WAVE_FAULTED) wave_fault(w, from, g.is_store ? FAULT_WRITE : FAULT_READ, -1, g.address);
    k->gone = (struct range){0};
    w->at = NULL;
    worker_drop_ranges(k);
}

// Memory that was to stay is missing. The wave cannot be put back to where it was, as it was not kept: that
// is the fault.
static void lose_wave(struct worker *k, const struct guarded *g, struct wave *w, const struct launch *l) {
    lose_page(k, g);
    wave_fault(w, l->entry, g->is_store ? FAULT_WRITE : FAULT_READ, -1, g->address);
    k->gone = (struct range){0};
}

// The wave to which it happens leaves: it has changed nothing yet, or is as it was kept. It meets the same
// again by itself.
struct wave *guard_wave_loop(struct worker *k, struct wave *image, struct wave_loop *s,
                             const struct wave_loop_code *code) {
    const struct launch *l = s->launch;
    struct guarded g;
    g.wave = &image;
    image->at = l->entry;
    if (!COMES_BACK(g.back)) {
        k->guarded = &g;
        struct wave *w = code->run(image, s);
        k->guarded = NULL;
        return w;
    }
    wave_load_control(image);
    struct wave *w = wave_loop_begin_next(s);
    if (!code->restore)
        lose_wave(k, &g, w, l);
    else if (s->kept_at)
        code->restore(w, s);
    return w;
}

void guard_explain(const struct worker *k, sw_fault *fault) {
    if (!k->gone.last) return;
    const uint64_t alias = fault->address & ALIAS_BIT, host = host_address(fault->address);
    enum { WIDEST = 64 }; // bytes of an access
    if (host > k->gone.last || host + WIDEST <= k->gone.lo) {
        fault->address = k->gone_address;
        fault->lane = -1;
    } else if (host < k->gone.lo)
        fault->address = k->gone.lo | alias;
    fault->unmapped = !k->gone_is_mapped;
    fault->reason =
        k->gone_is_mapped ? "the process may only read it" : "the process has nothing mapped there";
}

bool guard_read(const struct pool *pool, void *into, uint64_t address, uint64_t bytes) {
    void *from = (void *)(uintptr_t)host_address(address);
    if (!__atomic_load_n(&pool->guarded, __ATOMIC_RELAXED)) {
        memcpy(into, from, bytes);
        return true;
    }
    const struct iovec to = {into, bytes}, of = {from, bytes};
    if (process_vm_readv(getpid(), &to, 1, &of, 1, 0) == (ssize_t)bytes) return true;
    if (errno != EPERM && errno != ENOSYS) return false;
    memcpy(into, from, bytes); // a sandbox forbids to ask
    return true;
}
