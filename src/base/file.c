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

// Where a new file for `path` goes, with room behind the name for ".XXXXXX": a link stays a link.
static char *place_of(const char *path, bool exists, char **temporary) {
    char *place = exists ? realpath(path, NULL) : NULL;
    if (!place) place = strdup(path);
    const size_t length = place ? strlen(place) : 0;
    *temporary = place ? malloc(length + 8) : NULL;
    if (*temporary) {
        memcpy(*temporary, place, length);
        memcpy(*temporary + length, ".XXXXXX", 8);
        return place;
    }
    free(place);
    return NULL;
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
    char *temporary, *place = place_of(path, exists, &temporary);
    if (!place) return diag_fail(sink, SW_NO_MEMORY, NULL, "%s: out of memory", path);
    bool ok = replace(place, temporary, exists ? st.st_mode & 0777 : mode_of_new_file(), data, size);
    sw_status status = ok ? SW_OK : failed(sink, path, "write");
    free(temporary);
    free(place);
    return status;
}

// ---- Writing piece by piece ----

// A file without a name in the folder of `place`; where there is none, one with the name `temporary`.
static int open_new(const char *place, char *temporary, bool *named) {
    const char *slash = strrchr(place, '/');
    const size_t length = slash ? (size_t)(slash - place) + 1 : 0;
    char folder[4096];
    *named = false;
#ifdef O_TMPFILE
    if (length < sizeof folder) {
        memcpy(folder, length ? place : ".", length ? length : 1);
        folder[length ? length : 1] = 0;
        int fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
        if (fd >= 0) return fd;
    }
#endif
    *named = true;
    return mkstemp(temporary);
}

sw_status file_output_open(struct file_output *o, const char *path, const sw_sink *sink) {
    *o = (struct file_output){0};
    if (!strcmp(path, "-")) return o->stream = stdout, SW_OK;
    struct stat st;
    bool exists = stat(path, &st) == 0, named = false;
    int fd = -1;
    if (exists && !S_ISREG(st.st_mode))
        fd = open(path, O_WRONLY | O_CLOEXEC);
    else if (!exists || !access(path, W_OK)) {
        o->place = place_of(path, exists, &o->temporary);
        if (!o->place) return diag_fail(sink, SW_NO_MEMORY, NULL, "%s: out of memory", path);
        o->mode = exists ? st.st_mode & 0777 : mode_of_new_file();
        fd = open_new(o->place, o->temporary, &named);
    }
    o->stream = fd < 0 ? NULL : fdopen(fd, "w");
    if (o->stream) {
        if (!named && o->temporary) o->temporary[strlen(o->place)] = 0; // it has no name yet
        return SW_OK;
    }
    const sw_status status = failed(sink, path, "write");
    if (fd >= 0) close(fd);
    if (named && fd >= 0) unlink(o->temporary);
    free(o->place);
    free(o->temporary);
    *o = (struct file_output){0};
    return status;
}

// Gives a file without a name one that nothing else has.
static bool give_name(const struct file_output *o) {
    char link[64];
    const size_t length = strlen(o->place);
    snprintf(link, sizeof link, "/proc/self/fd/%d", fileno(o->stream));
    for (unsigned i = 0; i < 1000; i++) {
        o->temporary[length] = '.';
        snprintf(o->temporary + length + 1, 7, "%06x", (getpid() * 1009u + i) & 0xffffff);
        if (!linkat(AT_FDCWD, link, AT_FDCWD, o->temporary, AT_SYMLINK_FOLLOW)) return true;
        if (errno != EEXIST) return false;
    }
    return false;
}

// The reason of an earlier error is no longer known: writing once more has the same.
static bool write_rest(FILE *stream) {
    if (!ferror(stream)) return !fflush(stream);
    if (write(fileno(stream), "\n", 1) >= 0) errno = EIO;
    return false;
}

sw_status file_output_close(struct file_output *o, const char *path, bool keep, const sw_sink *sink) {
    if (!o->stream) return SW_OK;
    bool ok = write_rest(o->stream);
    int reason = errno;
    sigset_t before;
    hold_signals(&before);
    bool named = o->place && o->temporary[strlen(o->place)];
    if (ok && keep && o->place) {
        ok = fchmod(fileno(o->stream), o->mode) == 0;
        if (ok && !named) ok = named = give_name(o);
        if (!ok) reason = errno;
    }
    if (o->stream != stdout && fclose(o->stream) && ok) ok = false, reason = errno;
    if (ok && keep && o->place && rename(o->temporary, o->place)) ok = false, reason = errno;
    if (named && !(ok && keep)) unlink(o->temporary);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    free(o->place);
    free(o->temporary);
    *o = (struct file_output){0};
    errno = reason;
    return ok ? SW_OK : failed(sink, path, "write");
}
