// SPDX-License-Identifier: MIT
// Compiled code on disk: found again for the same key and by the same library only, whatever has become of
// the files; bounded; shared by processes; and nobody notices where it cannot be.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "device/device.h"
#include "jit/cache.h"
#include "jit/compiler.h"
#include "jit/plan.h"
#include "piece.h"
#include "rig.h"

#define TEXT(x)  TEXT_(x)
#define TEXT_(x) #x

static char folder[4096], maker[4096];
static const uint8_t object[] = "an object of some length, so that there is something to be broken in it";
#define KEY(text) ((struct cache_key){(const uint8_t *)(text), strlen(text)})

static void put(const char *key) { cache_put(folder, KEY(key), maker, object, sizeof object, CACHE_BYTES); }
static bool is_there(const char *key) {
    size_t size;
    uint8_t *got = cache_get(folder, KEY(key), &size);
    const bool same = got && size == sizeof object && !memcmp(got, object, size);
    assert_true(same || !got);
    free(got);
    return same;
}

// Files of the folder; the path of the last one.
static unsigned files(char path[8192]) {
    unsigned n = 0;
    DIR *d = opendir(folder);
    for (struct dirent *f; d && (f = readdir(d));)
        if (*f->d_name != '.') {
            if (path) snprintf(path, 8192, "%s/%s", folder, f->d_name);
            n++;
        }
    if (d) closedir(d);
    return n;
}
static void write_file(const char *path, const void *bytes, size_t size) {
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    assert_int_equal(fwrite(bytes, 1, size, f), size);
    fclose(f);
}
static void empty(void) {
    char path[8192];
    while (files(path)) assert_int_equal(unlink(path), 0);
}
static int setup(void **state) {
    (void)state;
    chmod(folder, 0700);
    empty();
    write_file(maker, "a library", 9);
    return 0;
}

static void hit_and_miss(void **state) {
    (void)state;
    assert_false(is_there("one"));
    put("one");
    assert_true(is_there("one"));
    assert_false(is_there("two"));
    assert_int_equal(files(NULL), 1);
    put("two");
    put("one");
    assert_int_equal(files(NULL), 2);
    assert_true(is_there("one") && is_there("two"));
}

// Of a file that is found under its name, too: every byte and every length.
static void broken_files(void **state) {
    (void)state;
    char path[8192];
    uint8_t whole[4096], broken[4096];
    put("one");
    assert_int_equal(files(path), 1);
    FILE *f = fopen(path, "r");
    const size_t size = fread(whole, 1, sizeof whole, f);
    fclose(f);
    assert_true(size > sizeof object && size < sizeof whole);
    for (size_t i = 0; i < size; i++) {
        memcpy(broken, whole, size);
        broken[i] ^= (uint8_t)(1 << i % 8);
        write_file(path, broken, size);
        chmod(path, 0600);
        if (is_there("one")) fail_msg("byte %zu is not checked", i);
        assert_int_equal(files(NULL), 0); // it is of no use
        write_file(path, whole, i);
        chmod(path, 0600);
        if (is_there("one")) fail_msg("%zu bytes of %zu are taken", i, size);
    }
    memset(broken, 0xff, sizeof broken);
    memcpy(broken, whole, 8);
    write_file(path, broken, sizeof broken);
    chmod(path, 0600);
    assert_false(is_there("one"));
    write_file(path, whole, size);
    chmod(path, 0600);
    assert_true(is_there("one"));
}

// What is behind the checksum, added up as the cache does.
static uint64_t checksum_of(const uint8_t *bytes, size_t count) {
    uint64_t h = count * 0x9e3779b97f4a7c15ull;
    for (size_t i = 0; i < count; i += 8) {
        uint64_t w = 0;
        memcpy(&w, bytes + i, count - i < 8 ? count - i : 8);
        h = (h ^ w) * 0xff51afd7ed558ccdull;
        h ^= h >> 32;
    }
    return h;
}

// A file of ours whose checksum is right, and whose sizes are anything: it is not believed, and nothing
// behind it is read (as sanitizers see).
static void crafted_files(void **state) {
    (void)state;
    enum { SUM = 8, FROM = 16, SIZES = 16, SIZE_FIELDS = 3 };
    static const uint64_t values[] = {
        0, 1, 7, 64, 1000, 0x7fffffff, 0xffffffff, INT64_MAX, 1ull << 63, UINT64_MAX - 63, UINT64_MAX};
    enum { VALUES = sizeof values / sizeof *values };
    char path[8192];
    uint8_t whole[4096], crafted[4096];
    put("one");
    assert_int_equal(files(path), 1);
    FILE *f = fopen(path, "r");
    const size_t size = fread(whole, 1, sizeof whole, f);
    fclose(f);
    uint64_t sum = checksum_of(whole + FROM, size - FROM);
    assert_memory_equal(whole + SUM, &sum, sizeof sum);
    for (int n = 0; n < 1 << SIZE_FIELDS; n++) // which of the fields
        for (int v = 0; v < VALUES * VALUES; v++) {
            memcpy(crafted, whole, size);
            for (int i = 0, k = v; i < SIZE_FIELDS; i++)
                if (n >> i & 1) memcpy(crafted + SIZES + 8 * i, &values[k % VALUES], 8), k /= VALUES;
            const size_t length = v % 3 ? size : size - (size_t)v % size;
            sum = length > FROM ? checksum_of(crafted + FROM, length - FROM) : 0;
            memcpy(crafted + SUM, &sum, sizeof sum);
            write_file(path, crafted, length);
            chmod(path, 0600);
            if (is_there("one")) assert_memory_equal(crafted, whole, length);
        }
    // Sizes that fit together, but the text between them is another.
    memcpy(crafted, whole, size);
    uint64_t sizes[SIZE_FIELDS];
    memcpy(sizes, whole + SIZES, sizeof sizes);
    for (uint64_t maker_bytes = 0; maker_bytes < sizes[0] + sizes[2]; maker_bytes++) {
        const uint64_t moved[SIZE_FIELDS] = {maker_bytes, sizes[1], sizes[0] + sizes[2] - maker_bytes};
        memcpy(crafted + SIZES, moved, sizeof moved);
        sum = checksum_of(crafted + FROM, size - FROM);
        memcpy(crafted + SUM, &sum, sizeof sum);
        write_file(path, crafted, size);
        chmod(path, 0600);
        if (is_there("one")) assert_int_equal(maker_bytes, sizes[0]);
    }
}

static void another_library(void **state) {
    (void)state;
    put("one");
    write_file(maker, "a newer library", 15);
    assert_false(is_there("one"));
    put("one");
    assert_true(is_there("one"));
    unlink(maker);
    assert_false(is_there("one"));
}

// What others may write to is not trusted.
static void not_ours(void **state) {
    (void)state;
    char path[8192], elsewhere[8192];
    put("one");
    chmod(folder, 0777);
    assert_false(is_there("one"));
    put("two");
    chmod(folder, 0700);
    assert_true(is_there("one"));
    assert_false(is_there("two"));
    assert_int_equal(files(path), 1);
    chmod(path, 0666);
    assert_false(is_there("one"));
    put("one");
    assert_int_equal(files(path), 1);
    snprintf(elsewhere, sizeof elsewhere, "%s.elsewhere", maker);
    assert_int_equal(rename(path, elsewhere), 0);
    assert_int_equal(symlink(elsewhere, path), 0);
    assert_false(is_there("one"));
    unlink(elsewhere);
    if (geteuid() == 0) {
        put("one");
        assert_int_equal(files(path), 1);
        assert_int_equal(chown(path, 1234, 1234), 0);
        assert_false(is_there("one"));
        assert_int_equal(chown(folder, 1234, 1234), 0);
        put("two");
        assert_false(is_there("two"));
        assert_int_equal(chown(folder, 0, 0), 0);
    }
}

// The bound holds, and what was used last stays.
static void bounded(void **state) {
    (void)state;
    static uint8_t large[60000];
    enum { LIMIT = 1 << 20, MANY = 100 };
    char key[32];
    struct stat s;
    for (int i = 0; i < MANY; i++) {
        size_t size;
        snprintf(key, sizeof key, "number %d", i);
        cache_put(folder, KEY(key), maker, large, sizeof large, LIMIT);
        free(cache_get(folder, KEY("number 0"), &size));
        uint64_t sum = 0;
        DIR *d = opendir(folder);
        for (struct dirent *f; (f = readdir(d));)
            if (*f->d_name != '.' && !fstatat(dirfd(d), f->d_name, &s, 0)) sum += (uint64_t)s.st_size;
        closedir(d);
        assert_true(sum <= LIMIT);
        assert_true(files(NULL) >= (i < 15 ? (unsigned)i + 1 : 15));
    }
    size_t size;
    uint8_t *first = cache_get(folder, KEY("number 0"), &size),
            *second = cache_get(folder, KEY("number 1"), &size);
    assert_non_null(first);
    assert_null(second);
    free(first);
    // Nor does one file take all of it.
    empty();
    cache_put(folder, KEY("one"), maker, large, sizeof large, 100000);
    assert_int_equal(files(NULL), 0);
}

static void wait_for(pid_t child) {
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

// Several processes write and read the same files and others, and make room at the same time.
static void several_processes(void **state) {
    (void)state;
    pid_t children[4];
    for (int c = 0; c < 4; c++) {
        children[c] = fork();
        if (children[c]) continue;
        for (int i = 0; i < 300; i++) {
            char key[32];
            size_t size;
            snprintf(key, sizeof key, "number %d", i % 20);
            cache_put(folder, KEY(key), maker, object, sizeof object, 1 << 16);
            uint8_t *got = cache_get(folder, KEY(key), &size);
            if (got && (size != sizeof object || memcmp(got, object, size))) _exit(1);
            free(got);
        }
        _exit(0);
    }
    for (int c = 0; c < 4; c++) wait_for(children[c]);
    char path[8192];
    put("one");
    assert_true(is_there("one"));
    assert_true(files(path) <= 21);
    for (DIR *d = opendir(folder); d; closedir(d), d = NULL)
        for (struct dirent *f; (f = readdir(d));) assert_null(strstr(f->d_name, ".part"));
}

// A folder that machines share has files of processes of other machines, which have the same numbers as those
// here; and processes, or their machine, end in the middle of writing. Nothing waits for them.
static void other_machines(void **state) {
    (void)state;
    char path[8192];
    for (int i = 0; i < 20; i++) {
        snprintf(path, sizeof path, "%s/%ld-%d.code.part", folder, (long)getpid(), i);
        write_file(path, "x", 1);
    }
    put("one");
    assert_true(is_there("one"));
    for (int round = 0; round < 20; round++) {
        const pid_t child = fork();
        if (!child)
            for (int i = 0;; i++) put(i % 2 ? "two" : "three");
        usleep((useconds_t)(1000 + 700 * round));
        assert_int_equal(kill(child, SIGKILL), 0);
        assert_int_equal(waitpid(child, NULL, 0), child);
        is_there("two"); // there as a whole, or not at all
        is_there("three");
    }
    put("two");
    assert_true(is_there("two"));
}

// What a process left that ended while it wrote goes when it is old.
static void left_over(void **state) {
    (void)state;
    char old[8192], new[8192];
    snprintf(old, sizeof old, "%s/1-1.code.part", folder);
    snprintf(new, sizeof new, "%s/1-2.code.part", folder);
    write_file(old, "x", 1);
    write_file(new, "x", 1);
    const struct timespec then[2] = {{1000000, 0}, {1000000, 0}};
    assert_int_equal(utimensat(AT_FDCWD, old, then, 0), 0);
    put("one");
    assert_int_equal(access(old, F_OK), -1);
    assert_int_equal(access(new, F_OK), 0);
    assert_true(is_there("one"));
}

// The folder may be one that has files of its owner, old and large ones too: all of them stay.
static void files_of_others(void **state) {
    (void)state;
    static const char *const names[] = {"thesis.code",
                                        "0123456789abcdef.code",
                                        "0123456789abcdef0123456789abcdef0.code",
                                        "0123456789ABCDEF0123456789ABCDEF.code",
                                        "debian.iso.part",
                                        "2024-11.part",
                                        "-1.code.part",
                                        "1-.code.part",
                                        "1-1x.code.part",
                                        "code",
                                        ".code"};
    enum { NAMES = sizeof names / sizeof *names };
    static uint8_t large[60000];
    const struct timespec then[2] = {{1000000, 0}, {1000000, 0}};
    char path[8192], key[32], link[8192];
    for (size_t i = 0; i < NAMES; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        write_file(path, large, sizeof large);
        assert_int_equal(utimensat(AT_FDCWD, path, then, 0), 0);
    }
    snprintf(link, sizeof link, "%s/ffffffffffffffffffffffffffffffff.code", folder); // no regular file
    assert_int_equal(mkdir(link, 0700), 0);
    for (int i = 0; i < 20; i++) { // more than the limit, without those and with them
        snprintf(key, sizeof key, "number %d", i);
        cache_put(folder, KEY(key), maker, large, sizeof large, 300000);
    }
    for (size_t i = 0; i < NAMES; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        if (access(path, F_OK)) fail_msg("%s is gone", names[i]);
    }
    assert_int_equal(rmdir(link), 0);
    assert_true(files(NULL) <= NAMES + 1 + 300000 / 60000);
}

static void nowhere(void **state) {
    (void)state;
    static const char *const places[] = {"/proc/softwave", "/dev/null/softwave", "/dev/null"};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        size_t size;
        cache_put(places[i], KEY("one"), maker, object, sizeof object, CACHE_BYTES);
        assert_null(cache_get(places[i], KEY("one"), &size));
    }
    // Where files may not be as large, which the system tells of by a signal.
    const pid_t child = fork();
    if (!child) {
        const struct rlimit most = {100, 100};
        if (setrlimit(RLIMIT_FSIZE, &most)) _exit(1);
        cache_put(folder, KEY("one"), maker, object, sizeof object, CACHE_BYTES);
        _exit(files(NULL) != 0);
    }
    wait_for(child);
}

static void folders(void **state) {
    (void)state;
    char *here = getcwd(NULL, 0), want[8192];
    setenv("HOME", "/home/x", 1);
    struct {
        const char *given, *own, *xdg, *want;
    } cases[] = {
        {"", "/a", "/b", NULL},
        {"/c", "/a", "/b", "/c"},
        {NULL, "/a", "/b", "/a"},
        {NULL, "", "/b", NULL},
        {NULL, NULL, "/b", "/b/softwave"},
        {NULL, NULL, "relative", "/home/x/.cache/softwave"},
        {NULL, NULL, NULL, "/home/x/.cache/softwave"},
        {"d", NULL, NULL, want},
    };
    snprintf(want, sizeof want, "%s/d", here);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cases[i].own ? setenv("SOFTWAVE_CACHE", cases[i].own, 1) : unsetenv("SOFTWAVE_CACHE");
        cases[i].xdg ? setenv("XDG_CACHE_HOME", cases[i].xdg, 1) : unsetenv("XDG_CACHE_HOME");
        char *got = cache_folder(cases[i].given);
        if (!cases[i].want)
            assert_null(got);
        else
            assert_string_equal(got, cases[i].want);
        free(got);
    }
    free(here);
}

// ---- Kernels ----

#if defined(HAVE_FUSED) && !defined(__SANITIZE_THREAD__)
// Runs a kernel until it is compiled, or at once, and tells with which result and whether LLVM was loaded for
// it.
enum { ITEMS = 6400, LOADED = 1, COMPILED = 2, WRONG = 4 };
static int run_kernel(sw_tier tier, const char *cache) {
    struct rig r = {0};
    char text[16384], source[4096];
    path_beside(source, __FILE__, "test_tier_up.c"); // whose kernels are in a file already
    static const char descriptor[] =
        ".amdhsa_next_free_vgpr 12\n.amdhsa_next_free_sgpr 32\n.amdhsa_user_sgpr_kernarg_segment_ptr 1\n"
        ".amdhsa_system_sgpr_workgroup_id_x 1\n";
    uint32_t *memory[2], want = 0;
    int result = 0;
    for (int i = 0; i < 2; i++) {
        rig_text(text, sizeof text, piece_of(source, "work"), descriptor);
        if (!(r.object = rig_object("gfx900", text, &r.image))) return -1;
        const sw_device_options o = {.size = sizeof o,
                                     .threads = 2,
                                     .target = *sw_object_target(r.object),
                                     .tier = i ? tier : SW_TIER_INTERPRETER,
                                     .cache = cache};
        if (sw_device_create(&o, &r.device, NULL) != SW_OK ||
            sw_device_load(r.device, r.object, NULL, NULL, &r.executable, NULL) != SW_OK)
            return -1;
        r.device->pool.tier_up.keeps = true; // however long that takes: test_trial.c
        memory[i] = sw_device_alloc(r.device, ITEMS * 4);
        uint64_t *kernarg = sw_device_alloc(r.device, 64);
        kernarg[0] = (uint64_t)(uintptr_t)memory[i], kernarg[1] = 400;
        for (int n = 0; n < 4; n++) {
            memset(memory[i], 0, ITEMS * 4);
            if (rig_run(&r, kernarg, ITEMS, 64, NULL) != SW_OK) return -1;
            compiler_settle();
        }
        uint32_t sum = 0;
        for (int n = 0; n < ITEMS; n++) sum = sum * 31 + memory[i][n];
        if (!i) want = sum;
        if (i && sum != want) result |= WRONG;
        if (i && dlopen("libLLVM.so." TEXT(HAVE_FUSED) ".1", RTLD_NOW | RTLD_NOLOAD)) result |= LOADED;
        if (i && sw_device_tier(r.device, NULL) == SW_TIER_COMPILED) result |= COMPILED;
        rig_close(&r);
    }
    return result;
}
// In a process of its own.
static int run_apart(sw_tier tier, const char *cache) {
    const pid_t child = fork();
    if (!child) {
        alarm(60);
        _exit(run_kernel(tier, cache));
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static void without_llvm(void **state) {
    (void)state;
    setenv("SOFTWAVE_TIER_UP", "20000", 1); // the quick configuration only
    if (!(run_apart(SW_TIER_BEST, "") & COMPILED)) skip();
    assert_int_equal(files(NULL), 0);
    assert_int_equal(run_apart(SW_TIER_BEST, folder), COMPILED | LOADED);
    char path[8192];
    assert_int_equal(files(path), 1);
    // What is in the folder is enough.
    assert_int_equal(run_apart(SW_TIER_BEST, folder), COMPILED);
    assert_int_equal(files(NULL), 1);
    assert_int_equal(run_apart(SW_TIER_BEST, ""), COMPILED | LOADED);
    // Code that is compiled before it runs comes from more of the program, once.
    assert_int_equal(run_apart(SW_TIER_COMPILED, folder) & (COMPILED | WRONG), COMPILED);
    assert_int_equal(run_apart(SW_TIER_COMPILED, folder) & WRONG, 0);
    // And what is broken is compiled anew.
    empty();
    write_file(path, "SWCODE1", 8);
    assert_int_equal(run_apart(SW_TIER_BEST, folder), COMPILED | LOADED);
    assert_int_equal(run_apart(SW_TIER_BEST, folder), COMPILED);
    assert_int_equal(run_apart(SW_TIER_BEST, "/proc/softwave"), COMPILED | LOADED);
    // What stays hot is there in both configurations. The next process has the better one at once.
    empty();
    setenv("SOFTWAVE_TIER_UP", "4000", 1);
    assert_int_equal(run_apart(SW_TIER_BEST, folder), COMPILED | LOADED);
    assert_int_equal(files(path), 2);
    setenv("SOFTWAVE_TIER_UP", "20000", 1);
    assert_int_equal(run_apart(SW_TIER_BEST, folder), COMPILED);
    assert_int_equal(files(path), 2);
}
#endif

// Pieces are told by their names: the numbers of stencils are a build's own.
static struct plan_bytes bytes_of(uint16_t piece, const char **names) {
    const struct native_image image = {.names = names};
    struct step step;
    memset(&step, 0, sizeof step);
    step.kind = STEP_PIECE, step.piece = piece;
    const struct plan plan = {.image = &image, .steps = {.items = &step, .count = 1}};
    struct plan_bytes bytes = {0};
    assert_true(plan_put(&plan, &bytes));
    return bytes;
}
static void numbers_of_stencils(void **state) {
    (void)state;
    const char *all[] = {"v_add_f32_vv", "v_mul_f32_vv"}, *fewer[] = {"v_mul_f32_vv"};
    struct plan_bytes here = bytes_of(1, all), there = bytes_of(0, fewer), other = bytes_of(0, all);
    assert_int_equal(here.all.count, there.all.count);
    assert_memory_equal(here.all.items, there.all.items, here.all.count);
    assert_true(memcmp(other.all.items, there.all.items, there.all.count));
    array_free(&here.all);
    array_free(&there.all);
    array_free(&other.all);
}

int main(void) {
    char room[] = "/tmp/softwave-cache-XXXXXX", command[64];
    if (!mkdtemp(room)) return 1;
    snprintf(folder, sizeof folder, "%s/cache", room);
    snprintf(maker, sizeof maker, "%s/library", room);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(hit_and_miss, setup),
        cmocka_unit_test_setup(broken_files, setup),
        cmocka_unit_test_setup(crafted_files, setup),
        cmocka_unit_test_setup(another_library, setup),
        cmocka_unit_test_setup(not_ours, setup),
        cmocka_unit_test_setup(bounded, setup),
        cmocka_unit_test_setup(several_processes, setup),
        cmocka_unit_test_setup(other_machines, setup),
        cmocka_unit_test_setup(left_over, setup),
        cmocka_unit_test_setup(files_of_others, setup),
        cmocka_unit_test_setup(nowhere, setup),
        cmocka_unit_test(numbers_of_stencils),
#if defined(HAVE_FUSED) && !defined(__SANITIZE_THREAD__)
        cmocka_unit_test_setup(without_llvm, setup),
#endif
        cmocka_unit_test(folders),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    snprintf(command, sizeof command, "rm -rf %s", room);
    return system(command) || failed;
}
