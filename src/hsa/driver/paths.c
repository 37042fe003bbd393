// SPDX-License-Identifier: MIT
// libsoftwave-driver.so: programs that look for AMD's kernel driver find files of ours. `softwave exec`
// preloads it and names a folder in SOFTWAVE_DRIVER_FILES. A path of the driver that is opened, listed or
// asked about is taken below that folder; every other path, and everything without that variable, goes on
// unchanged. The C library's own uses of paths are out of reach: popen runs a program, which has the library
// as well.

// The functions below are the real names, which fortified headers would define as well.
#undef _FORTIFY_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// The library is compiled without large-file macros: open and open64 are two functions here.
#ifdef _FILE_OFFSET_BITS
#error "compile it without _FILE_OFFSET_BITS"
#endif

enum { ROOM = 4096 };
static const char *const places[] = {"/dev/kfd", "/sys/class/kfd", "/sys/devices/virtual/kfd",
                                     "/sys/module/amdgpu"};

// The path to use: `path` itself, or one below the folder, written to `room`.
static const char *taken(const char *path, char room[ROOM]) {
    if (!path || *path != '/') return path;
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        const size_t n = strlen(places[i]);
        if (strncmp(path, places[i], n) || (path[n] && path[n] != '/')) continue;
        const char *folder = getenv("SOFTWAVE_DRIVER_FILES");
        if (!folder || !*folder || snprintf(room, ROOM, "%s%s", folder, path) >= ROOM) return path;
        return room;
    }
    return path;
}

// The function that this library stands before. Two threads may look it up at once and find the same.
#define NEXT(type, name, ...)                                                                                \
    static type (*next)(__VA_ARGS__);                                                                        \
    if (!next) next = (type(*)(__VA_ARGS__))dlsym(RTLD_NEXT, #name);                                         \
    char room[ROOM]

#define EXPORT __attribute__((visibility("default")))

// ---- Opening ----

static mode_t mode_of(int flags, va_list list) {
    return flags & O_CREAT || (flags & O_TMPFILE) == O_TMPFILE ? va_arg(list, mode_t) : 0;
}
#define OPEN(name)                                                                                           \
    EXPORT int name(const char *path, int flags, ...) {                                                      \
        va_list list;                                                                                        \
        va_start(list, flags);                                                                               \
        const mode_t mode = mode_of(flags, list);                                                            \
        va_end(list);                                                                                        \
        NEXT(int, name, const char *, int, ...);                                                             \
        return next(taken(path, room), flags, mode);                                                         \
    }
OPEN(open)
#ifdef __GLIBC__
OPEN(open64)
#endif

#define OPENAT(name)                                                                                         \
    EXPORT int name(int folder, const char *path, int flags, ...) {                                          \
        va_list list;                                                                                        \
        va_start(list, flags);                                                                               \
        const mode_t mode = mode_of(flags, list);                                                            \
        va_end(list);                                                                                        \
        NEXT(int, name, int, const char *, int, ...);                                                        \
        return next(folder, taken(path, room), flags, mode);                                                 \
    }
OPENAT(openat)
#ifdef __GLIBC__
OPENAT(openat64)
#endif

// What programs call that were compiled with _FORTIFY_SOURCE.
#define OPEN_2(name)                                                                                         \
    EXPORT int name(const char *path, int flags);                                                            \
    int name(const char *path, int flags) {                                                                  \
        NEXT(int, name, const char *, int);                                                                  \
        return next(taken(path, room), flags);                                                               \
    }
#ifdef __GLIBC__
OPEN_2(__open_2)
OPEN_2(__open64_2)
#endif

#define FOPEN(name)                                                                                          \
    EXPORT FILE *name(const char *path, const char *mode) {                                                  \
        NEXT(FILE *, name, const char *, const char *);                                                      \
        return next(taken(path, room), mode);                                                                \
    }
FOPEN(fopen)
#ifdef __GLIBC__
FOPEN(fopen64)
#endif

EXPORT DIR *opendir(const char *path) {
    NEXT(DIR *, opendir, const char *);
    return next(taken(path, room));
}
EXPORT int scandir(const char *path, struct dirent ***list, int (*filter)(const struct dirent *),
                   int (*order)(const struct dirent **, const struct dirent **)) {
    NEXT(int, scandir, const char *, struct dirent ***, int (*)(const struct dirent *),
         int (*)(const struct dirent **, const struct dirent **));
    return next(taken(path, room), list, filter, order);
}

// ---- Asking ----

EXPORT int access(const char *path, int mode) {
    NEXT(int, access, const char *, int);
    return next(taken(path, room), mode);
}
EXPORT int faccessat(int folder, const char *path, int mode, int flags) {
    NEXT(int, faccessat, int, const char *, int, int);
    return next(folder, taken(path, room), mode, flags);
}
EXPORT ssize_t readlink(const char *path, char *out, size_t size) {
    NEXT(ssize_t, readlink, const char *, char *, size_t);
    return next(taken(path, room), out, size);
}

#define STAT(name, kind)                                                                                     \
    EXPORT int name(const char *path, struct kind *out) {                                                    \
        NEXT(int, name, const char *, struct kind *);                                                        \
        return next(taken(path, room), out);                                                                 \
    }
STAT(stat, stat)
STAT(lstat, stat)
#ifdef __GLIBC__
STAT(stat64, stat64)
STAT(lstat64, stat64)
#endif

#define STATAT(name, kind)                                                                                   \
    EXPORT int name(int folder, const char *path, struct kind *out, int flags) {                             \
        NEXT(int, name, int, const char *, struct kind *, int);                                              \
        return next(folder, taken(path, room), out, flags);                                                  \
    }
STATAT(fstatat, stat)
#ifdef __GLIBC__
STATAT(fstatat64, stat64)
#endif

// What programs call that were compiled before glibc 2.33.
#define XSTAT(name, kind)                                                                                    \
    EXPORT int name(int version, const char *path, struct kind *out);                                        \
    int name(int version, const char *path, struct kind *out) {                                              \
        NEXT(int, name, int, const char *, struct kind *);                                                   \
        if (next) return next(version, taken(path, room), out);                                              \
        errno = ENOSYS;                                                                                      \
        return -1;                                                                                           \
    }
#ifdef __GLIBC__
XSTAT(__xstat, stat)
XSTAT(__xstat64, stat64)
XSTAT(__lxstat, stat)
XSTAT(__lxstat64, stat64)
#endif

EXPORT int statx(int folder, const char *path, int flags, unsigned mask, struct statx *out) {
    NEXT(int, statx, int, const char *, int, unsigned, struct statx *);
    return next(folder, taken(path, room), flags, mask, out);
}
