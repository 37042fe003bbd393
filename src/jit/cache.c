// SPDX-License-Identifier: MIT
#include "jit/cache.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/array.h"

enum { NAME_BYTES = 64, MAX_FILE = 16 << 20, MAX_PATH = 4096, STALE_SECONDS = 3600, BLOCK = 4096 };
static const char magic[8] = "SWCODE1";
static const char suffix[] = ".code", unfinished[] = ".code.part", digits[] = "0123456789";

// What a file begins with; then the maker's path, the key and the object.
struct head {
    char magic[8];
    uint64_t checksum; // of all behind it
    uint64_t maker_bytes, key_bytes, object_bytes;
    int64_t maker_size, maker_seconds, maker_nanoseconds;
};
enum { CHECKED_FROM = 16 };

static uint64_t hash(const uint8_t *bytes, size_t count, uint64_t seed) {
    uint64_t h = seed ^ count * 0x9e3779b97f4a7c15ull;
    for (size_t i = 0; i < count; i += 8) {
        uint64_t w = 0;
        memcpy(&w, bytes + i, count - i < 8 ? count - i : 8);
        h = (h ^ w) * 0xff51afd7ed558ccdull;
        h ^= h >> 32;
    }
    return h;
}
// Names of our files: HASH_DIGITS hexadecimal digits and the suffix, PID-NUMBER and the suffix while they are
// written. is_kept and is_unfinished know these shapes; no other file is looked at.
enum { HASH_DIGITS = 32 };
static void name_of(struct cache_key key, char out[NAME_BYTES]) {
    snprintf(out, NAME_BYTES, "%016llx%016llx%s", (unsigned long long)hash(key.bytes, key.count, 1),
             (unsigned long long)hash(key.bytes, key.count, 0x5bd1e995), suffix);
}

// ---- The folder ----

static char *joined(const char *folder, const char *name) {
    char *path = NULL;
    return asprintf(&path, "%s%s%s", folder, *name ? "/" : "", name) < 0 ? NULL : path;
}

char *cache_folder(const char *given) {
    if (!given) given = secure_getenv("SOFTWAVE_CACHE");
    if (given && *given == '/') return strdup(given);
    if (given) { // from where the process is now
        char *here = *given ? getcwd(NULL, 0) : NULL, *path = here ? joined(here, given) : NULL;
        free(here);
        return path;
    }
    const char *place = secure_getenv("XDG_CACHE_HOME");
    if (place && *place == '/') return joined(place, "softwave");
    place = secure_getenv("HOME");
    return place && *place == '/' ? joined(place, ".cache/softwave") : NULL;
}

static bool is_own(const struct stat *s) { return s->st_uid == geteuid() && !(s->st_mode & 022); }

static int open_folder(const char *folder) {
    struct stat s;
    const int file = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (file < 0 || (!fstat(file, &s) && is_own(&s))) return file;
    close(file);
    return -1;
}

static void make_folder(const char *folder) {
    char parent[MAX_PATH];
    snprintf(parent, sizeof parent, "%s", folder);
    char *slash = strrchr(parent, '/');
    if (slash && slash > parent) {
        *slash = 0;
        mkdir(parent, 0700);
    }
    mkdir(folder, 0700);
}

// ---- Reading ----

static bool is_maker(const struct head *h, const char *path) {
    struct stat s;
    return !stat(path, &s) && s.st_size == h->maker_size && s.st_mtim.tv_sec == h->maker_seconds &&
           s.st_mtim.tv_nsec == h->maker_nanoseconds;
}

// Where the object begins in a file that is as it was written, for this key; NULL: it is not.
static const uint8_t *find_object(const uint8_t *all, size_t size, struct cache_key key, size_t *bytes) {
    struct head h;
    if (size < sizeof h) return NULL;
    memcpy(&h, all, sizeof h);
    const size_t rest = size - sizeof h;
    if (memcmp(h.magic, magic, sizeof magic) || h.maker_bytes > rest || !h.maker_bytes ||
        h.key_bytes > rest - h.maker_bytes || h.object_bytes != rest - h.maker_bytes - h.key_bytes ||
        h.checksum != hash(all + CHECKED_FROM, size - CHECKED_FROM, 0))
        return NULL;
    const char *maker = (const char *)all + sizeof h;
    const uint8_t *own_key = all + sizeof h + h.maker_bytes;
    if (maker[h.maker_bytes - 1] || h.key_bytes != key.count || memcmp(own_key, key.bytes, key.count) ||
        !is_maker(&h, maker))
        return NULL;
    *bytes = h.object_bytes;
    return own_key + h.key_bytes;
}

static bool read_all(int file, uint8_t *to, size_t size) {
    for (size_t done = 0; done < size;) {
        const ssize_t n = read(file, to + done, size - done);
        if (n <= 0) return false;
        done += (size_t)n;
    }
    return true;
}

static uint8_t *read_file(int file, size_t *size) {
    struct stat s;
    if (fstat(file, &s) || !S_ISREG(s.st_mode) || !is_own(&s) || s.st_size <= 0 || s.st_size > MAX_FILE)
        return NULL;
    *size = (size_t)s.st_size;
    uint8_t *all = malloc(*size);
    if (all && read_all(file, all, *size)) return all;
    free(all);
    return NULL;
}

uint8_t *cache_get(const char *folder, struct cache_key key, size_t *size) {
    char name[NAME_BYTES];
    name_of(key, name);
    const int in = open_folder(folder);
    const int file = in < 0 ? -1 : openat(in, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
    size_t bytes = 0;
    uint8_t *all = file < 0 ? NULL : read_file(file, &bytes), *result = NULL;
    const uint8_t *object = all ? find_object(all, bytes, key, size) : NULL;
    if (object && (result = malloc(*size))) {
        memcpy(result, object, *size);
        futimens(file, NULL); // it was used now
    } else if (file >= 0)
        unlinkat(in, name, 0);
    free(all);
    if (file >= 0) close(file);
    if (in >= 0) close(in);
    return result;
}

// ---- Writing ----

struct entry {
    char name[NAME_BYTES];
    struct timespec used;
    uint64_t bytes;
};
static int by_use(const void *a, const void *b) {
    const struct timespec x = ((const struct entry *)a)->used, y = ((const struct entry *)b)->used;
    if (x.tv_sec != y.tv_sec) return x.tv_sec < y.tv_sec ? -1 : 1;
    return x.tv_nsec < y.tv_nsec ? -1 : x.tv_nsec > y.tv_nsec;
}
static bool is_kept(const char *name) {
    return strspn(name, "0123456789abcdef") == HASH_DIGITS && !strcmp(name + HASH_DIGITS, suffix);
}
static bool is_unfinished(const char *name) {
    const size_t pid = strspn(name, digits), number = name[pid] == '-' ? strspn(name + pid + 1, digits) : 0;
    return pid && number && !strcmp(name + pid + 1 + number, unfinished);
}

// Removes the files used longest ago until `bytes` more fit the limit, and files that a process which has
// ended left unfinished. Leaves all that is not ours.
static void make_room(int in, uint64_t bytes, uint64_t limit) {
    ARRAY(struct entry) all = {0};
    uint64_t sum = bytes;
    const int again = dup(in);
    DIR *d = again < 0 ? NULL : fdopendir(again);
    if (!d) {
        if (again >= 0) close(again);
        return;
    }
    rewinddir(d);
    for (struct dirent *f; (f = readdir(d));) {
        struct entry e = {.bytes = 0};
        struct stat s;
        const bool part = is_unfinished(f->d_name);
        if (strlen(f->d_name) >= sizeof e.name || (!part && !is_kept(f->d_name)) ||
            fstatat(in, f->d_name, &s, AT_SYMLINK_NOFOLLOW) || !S_ISREG(s.st_mode) || s.st_uid != geteuid())
            continue;
        if (part && s.st_mtim.tv_sec < time(NULL) - STALE_SECONDS) unlinkat(in, f->d_name, 0);
        if (part) continue;
        strcpy(e.name, f->d_name);
        e.used = s.st_mtim;
        e.bytes = ((uint64_t)s.st_size + BLOCK - 1) & ~(uint64_t)(BLOCK - 1);
        sum += e.bytes;
        array_push(&all, e);
    }
    closedir(d);
    if (sum > limit && all.count) qsort(all.items, all.count, sizeof *all.items, by_use);
    for (size_t i = 0; i < all.count && sum > limit; i++) {
        unlinkat(in, all.items[i].name, 0);
        sum -= all.items[i].bytes;
    }
    array_free(&all);
}

static bool write_all(int file, const void *from, size_t size) {
    for (size_t done = 0; done < size;) {
        const ssize_t n = write(file, (const char *)from + done, size - done);
        if (n <= 0) return false;
        done += (size_t)n;
    }
    return true;
}

// The file appears complete or not at all.
static void write_file(int in, const char *name, const uint8_t *bytes, size_t size) {
    char part[NAME_BYTES];
    uint64_t number; // process numbers are those of one machine, and the folder may be that of many
    if (getrandom(&number, sizeof number, 0) != sizeof number) return;
    snprintf(part, sizeof part, "%ld-%llu%s", (long)getpid(), (unsigned long long)number, unfinished);
    const int file = openat(in, part, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (file < 0) return;
    const bool written = write_all(file, bytes, size);
    if (close(file) || !written || renameat(in, part, in, name)) unlinkat(in, part, 0);
}

void cache_put(const char *folder, struct cache_key key, const char *maker, const uint8_t *object,
               size_t size, uint64_t limit) {
    struct head h = {.maker_bytes = strlen(maker) + 1, .key_bytes = key.count, .object_bytes = size};
    const size_t all_bytes = sizeof h + h.maker_bytes + key.count + size;
    char name[NAME_BYTES];
    struct stat s;
    struct rlimit most; // which a signal tells of
    if (all_bytes > MAX_FILE || all_bytes > limit / 2 || stat(maker, &s)) return;
    if (getrlimit(RLIMIT_FSIZE, &most) || most.rlim_cur < all_bytes) return;
    make_folder(folder);
    const int in = open_folder(folder);
    uint8_t *all = in < 0 ? NULL : malloc(all_bytes);
    if (all) {
        memcpy(h.magic, magic, sizeof magic);
        h.maker_size = s.st_size;
        h.maker_seconds = s.st_mtim.tv_sec;
        h.maker_nanoseconds = s.st_mtim.tv_nsec;
        uint8_t *to = all + sizeof h;
        memcpy(to, maker, h.maker_bytes);
        memcpy(to + h.maker_bytes, key.bytes, key.count);
        memcpy(to + h.maker_bytes + key.count, object, size);
        memcpy(all, &h, sizeof h);
        h.checksum = hash(all + CHECKED_FROM, all_bytes - CHECKED_FROM, 0);
        memcpy(all, &h, sizeof h);
        make_room(in, (all_bytes + BLOCK - 1) & ~(size_t)(BLOCK - 1), limit);
        name_of(key, name);
        write_file(in, name, all, all_bytes);
        free(all);
    }
    if (in >= 0) close(in);
}
