// SPDX-License-Identifier: MIT
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
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

static sw_status read_stream(struct file *f, int fd, const char *path, const sw_sink *sink) {
    size_t room = 1 << 16, used = 0;
    uint8_t *data = malloc(room);
    while (data) {
        ssize_t n = read(fd, data + used, room - used);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) {
            free(data);
            return failed(sink, path, "read");
        }
        if (n == 0) {
            *f = (struct file){.data = data, .size = used};
            return SW_OK;
        }
        used += (size_t)n;
        if (used < room) continue;
        uint8_t *more = realloc(data, room *= 2);
        if (!more) free(data);
        data = more;
    }
    return diag_fail(sink, SW_NO_MEMORY, NULL, "%s: out of memory", path);
}

sw_status file_open(struct file *f, const char *path, const sw_sink *sink) {
    *f = (struct file){0};
    if (!strcmp(path, "-")) return read_stream(f, STDIN_FILENO, "standard input", sink);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return failed(sink, path, "open");
    struct stat st;
    sw_status status = SW_OK;
    if (fstat(fd, &st) < 0)
        status = failed(sink, path, "read");
    else if (S_ISDIR(st.st_mode))
        errno = EISDIR, status = failed(sink, path, "read");
    else if (!S_ISREG(st.st_mode) || st.st_size == 0)
        status = read_stream(f, fd, path, sink);
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

void file_close(struct file *f) {
    if (f->mapped)
        munmap((void *)f->data, f->size);
    else
        free((void *)f->data);
    *f = (struct file){0};
}

static bool write_all(int fd, const uint8_t *data, size_t size) {
    while (size) {
        ssize_t n = write(fd, data, size);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return false;
        data += n;
        size -= (size_t)n;
    }
    return true;
}

sw_status file_write(const char *path, const void *data, size_t size, const sw_sink *sink) {
    if (!strcmp(path, "-"))
        return write_all(STDOUT_FILENO, data, size) ? SW_OK : failed(sink, "standard output", "write");
    struct stat st;
    if (stat(path, &st) == 0 && !S_ISREG(st.st_mode)) { // a device or pipe cannot be replaced by renaming
        int fd = open(path, O_WRONLY | O_CLOEXEC);
        bool ok = fd >= 0 && write_all(fd, data, size);
        if (fd >= 0) close(fd);
        return ok ? SW_OK : failed(sink, path, "write");
    }
    size_t length = strlen(path);
    char *temporary = malloc(length + 8);
    if (!temporary) return diag_fail(sink, SW_NO_MEMORY, NULL, "%s: out of memory", path);
    memcpy(temporary, path, length);
    memcpy(temporary + length, ".XXXXXX", 8);
    int fd = mkstemp(temporary);
    bool ok = fd >= 0 && write_all(fd, data, size);
    mode_t mask = umask(0);
    umask(mask);
    if (ok) ok = fchmod(fd, 0666 & ~mask) == 0;
    if (fd >= 0 && close(fd) < 0) ok = false;
    if (ok) ok = rename(temporary, path) == 0;
    sw_status status = ok ? SW_OK : failed(sink, path, "write");
    if (!ok && fd >= 0) unlink(temporary);
    free(temporary);
    return status;
}
