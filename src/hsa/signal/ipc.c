// SPDX-License-Identifier: MIT
// Signals of several processes. Each stands alone in a page of a file without a name, which lies in the slab
// of whoever uses it. How others hear of what one process does to it: shared.c.
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "hsa/memory/ipc.h"
#include "hsa/signal/slab.h"

static struct {
    pthread_mutex_t lock;
    int file; // -1: none yet
    pid_t process;
    uint64_t pages; // of the file that are in use, or were
} shared = {.lock = PTHREAD_MUTEX_INITIALIZER, .file = -1};

struct signal *signal_make_shared(int64_t value) {
    pthread_mutex_lock(&shared.lock);
    if (shared.file < 0 || shared.process != getpid()) {
        shared.file = memfd_create("softwave-signals", MFD_CLOEXEC);
        shared.process = getpid();
        shared.pages = 0;
        if (shared.file >= 0 && ftruncate(shared.file, INT64_MAX / 2)) close(shared.file), shared.file = -1;
    }
    const uint32_t i = shared.file >= 0 ? page_take() : SIGNALS;
    const uint64_t offset = shared.pages++ * PAGE; // each page is used once: others may have it still
    pthread_mutex_unlock(&shared.lock);
    if (i == SIGNALS) return NULL;
    if (!slot_share(i, shared.file, offset)) {
        page_give_back(i);
        return NULL;
    }
    slot_set_up(i, value, false);
    struct signal *s = signal_set_up(i, ATTRIBUTE_IPC, NULL);
    s->offset = offset;
    s->is_here = true;
    return s;
}

static struct signal *attach(int file, uint64_t offset) {
    struct stat f;
    if (fstat(file, &f) || offset > (uint64_t)f.st_size || (uint64_t)f.st_size - offset < PAGE) return NULL;
    const uint32_t i = page_take();
    if (i == SIGNALS) return NULL;
    if (slot_share(i, file, offset)) return signal_set_up(i, ATTRIBUTE_IPC, NULL);
    page_give_back(i);
    return NULL;
}

void signal_drop_shared(struct signal *s) {
    shared_drop(s);
    if (s->is_here && !s->is_exported) // no other process has the page
        (void)!fallocate(shared.file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)s->offset, PAGE);
    page_give_back(signal_index(s));
}
void signals_ipc_forget(void) { pthread_mutex_init(&shared.lock, NULL); }

// ---- The interface ----

HSA(status, hsa_amd_ipc_signal_create, handle_t signal, struct ipc_handle *out) {
    NEED_RUNTIME;
    NEED(out, ST_INVALID_ARGUMENT);
    struct stat f;
    struct signal *s = signal_of(signal);
    NEED(s && s->is_here && !fstat(shared.file, &f), ST_INVALID_SIGNAL);
    s->is_exported = true;
    const struct ticket t = {(uint32_t)getpid(), (uint32_t)shared.file, s->offset, 0, f.st_ino};
    memcpy(out, &t, sizeof t);
    return ST_SUCCESS;
}
HSA(status, hsa_amd_ipc_signal_attach, const struct ipc_handle *handle, handle_t *signal) {
    NEED_RUNTIME;
    NEED(handle && signal, ST_INVALID_ARGUMENT);
    struct ticket t;
    memcpy(&t, handle, sizeof t);
    NEED(!t.size && !(t.offset % PAGE), ST_INVALID_ARGUMENT);
    const int file = ticket_open(&t);
    NEED(file >= 0, ST_INVALID_ARGUMENT);
    const struct signal *s = attach(file, t.offset);
    close(file); // the mapping stays
    NEED(s, ST_OUT_OF_RESOURCES);
    *signal = signal_handle(s);
    return ST_SUCCESS;
}
