// SPDX-License-Identifier: MIT
// Memory for native code: one reservation a process, so that code and its constants are within reach of each
// other. Pages are writable, then executable, never both.
#include "jit/pages.h"

#include <pthread.h>
#include <string.h>
#include <sys/mman.h>

enum { PAGE = 4096, PAGES = 65536 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint8_t *reserved;
static uint8_t used[PAGES];

static bool reserve(void) {
    if (reserved) return true;
    void *p = mmap(NULL, (size_t)PAGES * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED) return false;
    reserved = p;
    return true;
}

static size_t find_free(size_t pages) {
    for (size_t i = 0, run = 0; i < PAGES; i++) {
        run = used[i] ? 0 : run + 1;
        if (run == pages) return i + 1 - pages;
    }
    return PAGES;
}

void *native_pages(size_t bytes) {
    const size_t pages = (bytes + PAGE - 1) / PAGE;
    void *p = NULL;
    pthread_mutex_lock(&lock);
    const size_t at = pages && pages < PAGES && reserve() ? find_free(pages) : PAGES;
    if (at < PAGES && !mprotect(reserved + at * PAGE, pages * PAGE, PROT_READ | PROT_WRITE)) {
        memset(used + at, 1, pages);
        p = reserved + at * PAGE;
    }
    pthread_mutex_unlock(&lock);
    return p;
}

bool native_seal(void *p, size_t bytes, bool executable) {
    const size_t size = (bytes + PAGE - 1) / PAGE * PAGE;
    return !mprotect(p, size, executable ? PROT_READ | PROT_EXEC : PROT_READ);
}

void native_give_back(void *p, size_t bytes) {
    const size_t pages = (bytes + PAGE - 1) / PAGE, at = (size_t)((uint8_t *)p - reserved) / PAGE;
    pthread_mutex_lock(&lock);
    mprotect(p, pages * PAGE, PROT_NONE);
    madvise(p, pages * PAGE, MADV_DONTNEED);
    memset(used + at, 0, pages);
    pthread_mutex_unlock(&lock);
}
