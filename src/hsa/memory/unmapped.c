// SPDX-License-Identifier: MIT
// Attributes of shared virtual memory end with the mapping that they were set for, as with AMD's driver. The
// runtime learns of an unmapping by a userfaultfd that asks for events only. munmap waits until its event is
// read. So the thread that reads does nothing else: it takes no lock and allocates no memory, as the caller
// of munmap may hold either. It notes the range. The next thread that asks for attributes or starts a kernel
// acts on the notes. Mapped files have no events, nor do systems that deny userfaultfd to programs: there
// attributes stay.
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "hsa/memory/allocations.h"
#include "hsa/service/service.h"

#ifndef UFFD_USER_MODE_ONLY
#define UFFD_USER_MODE_ONLY 1
#endif
enum { MOST_GONE = 256 };
static int events = -1, end = -1; // under the map's lock
static struct range_gone { uint64_t lo, hi; } gone[MOST_GONE];
static unsigned gone_count;
static uint32_t gone_lock; // held for a few instructions, and never by who takes memory
static bool is_stale;      // atomic: there is something to be done, or about to be noted

static void hold_gone(void) {
    while (__atomic_exchange_n(&gone_lock, 1, __ATOMIC_ACQUIRE)) {}
}
static void let_gone(void) { __atomic_store_n(&gone_lock, 0, __ATOMIC_RELEASE); }

// With the lock held.
static void note(uint64_t lo, uint64_t hi) {
    unsigned i = 0;
    while (i < gone_count && (hi < gone[i].lo || gone[i].hi < lo)) i++;
    if (i == MOST_GONE) i--; // nobody asks: what lies between two goes as well
    if (i == gone_count) {
        gone[gone_count++] = (struct range_gone){lo, hi};
        return;
    }
    if (lo < gone[i].lo) gone[i].lo = lo;
    if (hi > gone[i].hi) gone[i].hi = hi;
}

static void take_event(int file) {
    struct uffd_msg m;
    hold_gone(); // the read lets munmap return: its caller may ask at once, so the range must be noted first
    __atomic_store_n(&is_stale, true, __ATOMIC_RELEASE);
    const bool got = read(file, &m, sizeof m) == sizeof m;
    if (got && m.event == UFFD_EVENT_UNMAP) note(m.arg.remove.start, m.arg.remove.end);
    if (got && m.event == UFFD_EVENT_REMAP) note(m.arg.remap.from, m.arg.remap.from + m.arg.remap.len);
    let_gone();
}

static uint64_t step(struct service *s) {
    struct pollfd p[2] = {{.fd = events, .events = POLLIN}, {.fd = end, .events = POLLIN}};
    pthread_mutex_unlock(&s->lock);
    if (poll(p, 2, -1) > 0 && p[0].revents & POLLIN) take_event(p[0].fd);
    pthread_mutex_lock(&s->lock);
    return SERVICE_AT_ONCE;
}
static void interrupt(void) {
    const uint64_t one = 1;
    (void)!write(end, &one, sizeof one);
}
static struct service reader = SERVICE("unmap", .step = step, .interrupt = interrupt);

// ---- With the map's lock held ----

static bool open_events(void) {
    static bool tried; // in vain
    if (events >= 0 || tried) return events >= 0;
    struct uffdio_api api = {.api = UFFD_API,
                             .features = UFFD_FEATURE_EVENT_UNMAP | UFFD_FEATURE_EVENT_REMAP};
    events = (int)syscall(SYS_userfaultfd, O_CLOEXEC | O_NONBLOCK | UFFD_USER_MODE_ONLY);
    end = events >= 0 ? eventfd(0, EFD_CLOEXEC) : -1;
    if (end >= 0 && !ioctl(events, UFFDIO_API, &api)) {
        pthread_mutex_lock(&reader.lock);
        const bool started = service_start(&reader);
        pthread_mutex_unlock(&reader.lock);
        if (started) return true;
    }
    if (end >= 0) close(end);
    if (events >= 0) close(events);
    events = end = -1;
    tried = true;
    return false;
}

// Asks for events of this range, which has attributes now.
void unmapped_watch(uint64_t lo, uint64_t hi) {
    if (!open_events()) return;
    struct uffdio_register r = {.range = {lo, hi - lo}, .mode = UFFDIO_REGISTER_MODE_WP};
    (void)!ioctl(events, UFFDIO_REGISTER, &r);
}

bool unmapped_any(void) { return __atomic_load_n(&is_stale, __ATOMIC_ACQUIRE); }

// Forgets the attributes of what was unmapped, and rights with them.
void unmapped_settle(void) {
    struct range_gone now[MOST_GONE];
    if (!unmapped_any()) return;
    hold_gone();
    const unsigned count = gone_count;
    for (unsigned i = 0; i < count; i++) now[i] = gone[i];
    gone_count = 0;
    __atomic_store_n(&is_stale, false, __ATOMIC_RELEASE);
    let_gone();
    for (unsigned i = 0; i < count; i++) svm_forget(now[i].lo, now[i].hi);
}

void memory_settle(void) {
    pthread_rwlock_wrlock(&map_lock);
    unmapped_settle();
    pthread_rwlock_unlock(&map_lock);
}

// ---- The end ----

void unmapped_close(void) {
    if (events < 0) return;
    service_stop(&reader);
    close(end);
    close(events); // whoever waits goes on
    events = end = -1;
    gone_count = 0;
    is_stale = false;
}
void unmapped_forget(void) { // in a child of fork, which has no events of its own
    service_forget(&reader);
    if (events >= 0) close(events), close(end);
    events = end = -1;
    gone_count = gone_lock = 0;
    is_stale = false;
}
