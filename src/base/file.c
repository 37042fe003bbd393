// SPDX-License-Identifier: MIT
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static sw_status failed(const sw_sink *sink, const char *path, const char *what) {
    sw_location at = {.file = path};
    return diag_fail(sink, SW_BAD_INPUT, &at, "cannot %s: %s", what, strerror(errno));
}

static sw_status too_long(struct file *f, const char *path, size_t most, const sw_sink *sink) {
    *f = (struct file){.too_long = true};
    return diag_fail(sink, SW_BAD_INPUT, &(sw_location){.file = path},
                     "more than %zu bytes, the limit of what is read here", most);
}

// How much to read: up to `most` bytes, and whether it is an error that there are more.
struct extent {
    size_t most;
    bool cut, whole; // cut: no error; whole: of regular files too
};

static sw_status read_stream(struct file *f, int fd, const char *path, struct extent e, const sw_sink *sink) {
    size_t room = e.most < 1 << 16 ? e.most + 1 : 1 << 16, used = 0;
    uint8_t *data = malloc(room);
    while (data) {
        ssize_t n = read(fd, data + used, room - used);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) {
            free(data);
            return failed(sink, path, "read");
        }
        used += (size_t)n;
        if (used > e.most && !e.cut) {
            free(data);
            return too_long(f, path, e.most, sink);
        }
        if (n == 0 || used >= e.most + !e.cut) {
            *f = (struct file){.data = data, .size = used < e.most ? used : e.most};
            return SW_OK;
        }
        if (used < room) continue;
        room = room < e.most / 2 ? room * 2 : e.most + 1;
        uint8_t *more = realloc(data, room);
        if (!more) free(data);
        data = more;
    }
    return diag_fail(sink, SW_NO_MEMORY, NULL, "%s: out of memory", path);
}

static sw_status open_extent(struct file *f, const char *path, struct extent e, const sw_sink *sink) {
    *f = (struct file){0};
    if (!strcmp(path, "-")) return read_stream(f, STDIN_FILENO, "standard input", e, sink);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return failed(sink, path, "open");
    struct stat st;
    sw_status status = SW_OK;
    if (fstat(fd, &st) < 0)
        status = failed(sink, path, "read");
    else if (S_ISDIR(st.st_mode))
        errno = EISDIR, status = failed(sink, path, "read");
    else if (!S_ISREG(st.st_mode) || st.st_size == 0)
        status = read_stream(f, fd, path, e, sink);
    else if (e.whole && (uint64_t)st.st_size > e.most)
        status = too_long(f, path, e.most, sink);
    else {
        void *p = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
        if (p == MAP_FAILED)
            status = failed(sink, path, "map");
        else
            *f = (struct file){.data = p, .size = (size_t)st.st_size, .mapped = true};
    }
    close(fd);
    return status;
}

sw_status file_open(struct file *f, const char *path, const sw_sink *sink) {
    return open_extent(f, path, (struct extent){.most = FILE_STREAM_MOST}, sink);
}

sw_status file_open_most(struct file *f, const char *path, size_t most, bool whole, const sw_sink *sink) {
    return open_extent(f, path, (struct extent){.most = most, .whole = whole}, sink);
}

sw_status file_open_begin(struct file *f, const char *path, size_t most, const sw_sink *sink) {
    return open_extent(f, path, (struct extent){.most = most, .cut = true}, sink);
}

void file_close(struct file *f) {
    if (f->mapped)
        munmap((void *)f->data, f->size);
    else
        free((void *)f->data);
    *f = (struct file){0};
}

// ---- Writing ----

static const int ending[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXFSZ, SIGPIPE, SIGALRM};

// Signals that end a program wait until this is undone, but for those that the program has in hand.
static void hold_signals(sigset_t *before) {
    sigset_t set;
    sigemptyset(&set);
    for (size_t i = 0; i < sizeof ending / sizeof *ending; i++) sigaddset(&set, ending[i]);
    pthread_sigmask(SIG_BLOCK, &set, before);
}

static bool signal_waits(const sigset_t *before) {
    sigset_t pending;
    if (sigpending(&pending)) return false;
    for (size_t i = 0; i < sizeof ending / sizeof *ending; i++)
        if (sigismember(&pending, ending[i]) && !sigismember(before, ending[i])) return true;
    return false;
}

// before: the signals held back before ours were, where a signal that waits ends the writing; else NULL.
static bool write_all(int fd, const uint8_t *data, size_t size, const sigset_t *before) {
    while (size) {
        ssize_t n = write(fd, data, size < 1 << 24 ? size : 1 << 24);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return false;
        if (before && signal_waits(before)) return errno = EINTR, false;
        data += n;
        size -= (size_t)n;
    }
    return true;
}

// Makes `path` from a temporary neighbour that gets `mode`.
static bool replace(const char *path, char *temporary, mode_t mode, const void *data, size_t size) {
    sigset_t before;
    hold_signals(&before);
    int fd = mkstemp(temporary);
    bool ok = fd >= 0 && write_all(fd, data, size, &before);
    if (ok) ok = fchmod(fd, mode) == 0;
    if (fd >= 0 && close(fd) < 0) ok = false;
    if (ok) ok = rename(temporary, path) == 0;
    int reason = errno;
    if (!ok && fd >= 0) unlink(temporary);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = reason;
    return ok;
}

static mode_t mode_of_new_file(void) {
    mode_t mask = umask(0);
    umask(mask);
    return 0666 & ~mask;
}

sw_status file_write(const char *path, const void *data, size_t size, const sw_sink *sink) {
    if (!strcmp(path, "-"))
        return write_all(STDOUT_FILENO, data, size, NULL) ? SW_OK : failed(sink, "standard output", "write");
    struct stat st;
    bool exists = stat(path, &st) == 0;
    if (exists && !S_ISREG(st.st_mode)) { // a device or pipe cannot be replaced by renaming
        int fd = open(path, O_WRONLY | O_CLOEXEC);
        bool ok = fd >= 0 && write_all(fd, data, size, NULL);
        if (fd >= 0 && close(fd) < 0) ok = false;
        return ok ? SW_OK : failed(sink, path, "write");
    }
    char *real = exists ? realpath(path, NULL) : NULL; // a link stays one
    const char *place = real ? real : path;
    size_t length = strlen(place);
    char *temporary = malloc(length + 8);
    if (!temporary) {
        free(real);
        return diag_fail(sink, SW_NO_MEMORY, NULL, "%s: out of memory", path);
    }
    memcpy(temporary, place, length);
    memcpy(temporary + length, ".XXXXXX", 8);
    bool ok = replace(place, temporary, exists ? st.st_mode & 0777 : mode_of_new_file(), data, size);
    sw_status status = ok ? SW_OK : failed(sink, path, "write");
    free(temporary);
    free(real);
    return status;
}
