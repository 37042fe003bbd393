// SPDX-License-Identifier: MIT
// Runs kernels that clang compiled for chips of the R600 family, and the same source that it compiled for the
// host, and compares every buffer. run_kernels FOLDER CHIP...: FOLDER holds NAME.so and NAME-CHIP.o for each
// case.
#include <dlfcn.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../device/kernels/host.h"
#include "softwave/terascale.h"

enum kind { NONE, INTEGERS, SMALL, FLOATS, UNSIGNED_SMALL, ZERO, LOCAL, INT, FLOAT };
struct argument {
    enum kind kind;
    uint32_t bytes; // for each work-item; of LDS all
    double value;
};
struct test {
    const char *file, *kernel;
    uint32_t grid[2], block[2];
    struct argument arguments[6];
    unsigned outputs; // of the arguments, a bit each
    double absolute;  // what results may differ by; 0: in no bit
    double relative;
};
static const struct test tests[] = {
    {"loop", "loop", {256, 1}, {64, 1}, {{FLOATS, 4}, {UNSIGNED_SMALL, 4}, {INT, 4, 250}}, 1, 0, 0},
    {"loop", "loop", {192, 1}, {96, 1}, {{FLOATS, 4}, {UNSIGNED_SMALL, 4}, {INT, 4, 999}}, 1, 0, 0},
    {"local", "local_sum", {512, 1}, {128, 1}, {{ZERO, 4}, {SMALL, 4}, {LOCAL, 512}, {LOCAL, 4}}, 1, 0, 0},
    {"local", "local_sum", {128, 1}, {32, 1}, {{ZERO, 4}, {INTEGERS, 4}, {LOCAL, 128}, {LOCAL, 4}}, 1, 0, 0},
    {"integers", "integers", {512, 1}, {64, 1}, {{ZERO, 4}, {INTEGERS, 4}, {INTEGERS, 4}}, 1, 0, 0},
    {"integers", "integers", {256, 1}, {256, 1}, {{ZERO, 4}, {SMALL, 4}, {SMALL, 4}}, 1, 0, 0},
    {"bytes",
     "bytes",
     {256, 1},
     {64, 1},
     {{INTEGERS, 4}, {INTEGERS, 2}, {INT, 1, 77}, {INT, 2, -321}},
     3,
     0,
     0},
    {"private", "private_array", {256, 1}, {64, 1}, {{ZERO, 4}, {INTEGERS, 4}}, 1, 0, 0},
    {"control", "control", {1024, 1}, {64, 1}, {{ZERO, 4}, {INTEGERS, 4}}, 1, 0, 0},
    {"control", "control", {256, 1}, {128, 1}, {{ZERO, 4}, {SMALL, 4}}, 1, 0, 0},
    {"vectors",
     "vectors",
     {64, 4},
     {16, 4},
     {{FLOATS, 16}, {FLOATS, 16}, {FLOAT, 4, 1.5}, {INT, 4, -3}},
     1,
     1e-3,
     1e-6},
    {"atomics", "atomics", {512, 1}, {64, 1}, {{INTEGERS, 4}, {INTEGERS, 4}}, 1, 0, 0},
    {"tables", "tables", {256, 1}, {64, 1}, {{ZERO, 4}, {INTEGERS, 4}}, 1, 0, 0},
    {"tables",
     "saxpy",
     {256, 1},
     {64, 1},
     {{FLOATS, 4}, {FLOATS, 4}, {FLOAT, 4, 2.5}, {INT, 4, 201}},
     1,
     0,
     0},
    // Sines: up to 15.6 radians become turns in floats, twice rounded by 2^-23 turns. exp(x) is 2 to the
    // power of a rounded product.
    {"functions", "functions", {256, 1}, {64, 1}, {{ZERO, 32}, {FLOATS, 4}}, 1, 2e-6, 4e-6},
};

static uint64_t state;
static uint32_t random32(void) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(state >> 32);
}

static void fill(uint8_t *p, size_t bytes, enum kind kind) {
    for (size_t i = 0; i + 4 <= bytes; i += 4) {
        uint32_t v = random32();
        if (v % 16 == 0 && kind == INTEGERS)
            v = (uint32_t[]){0, 1, 0xffffffff, 0x80000000, 0x7fffffff}[v / 16 % 5];
        if (kind == SMALL) v = (uint32_t)((int32_t)(v % 2001) - 1000);
        if (kind == UNSIGNED_SMALL) v %= 40;
        if (kind == ZERO) v = 0;
        if (kind == FLOATS) {
            const float f = (float)((int32_t)v % 2000) / 128.0f;
            memcpy(&v, &f, 4);
        }
        memcpy(p + i, &v, 4);
    }
}

static bool close_enough(const struct test *t, const uint8_t *a, const uint8_t *b) {
    float x, y;
    if (!memcmp(a, b, 4)) return true;
    memcpy(&x, a, 4);
    memcpy(&y, b, 4);
    return t->absolute > 0 && fabs((double)x - (double)y) <= t->absolute + t->relative * fabs((double)y);
}

static void say(void *context, const sw_diagnostic *d) {
    (void)context;
    printf("%s: %s\n", d->at.file ? d->at.file : "-", d->message);
}

struct buffers {
    uint8_t *gpu[6], *host[6];
    size_t bytes[6];
};

static bool same(const struct test *t, const struct buffers *b) {
    for (unsigned i = 0; i < 6; i++)
        for (size_t at = 0; t->outputs >> i & 1 && at + 4 <= b->bytes[i]; at += 4)
            if (!close_enough(t, b->gpu[i] + at, b->host[i] + at)) {
                uint32_t x, y;
                memcpy(&x, b->gpu[i] + at, 4);
                memcpy(&y, b->host[i] + at, 4);
                printf("argument %u, byte %zu: 0x%08x, the host has 0x%08x\n", i, at, x, y);
                return false;
            }
    return true;
}

static uint8_t *load(const char *path, size_t *size) {
    FILE *f = fopen(path, "rb");
    uint8_t *p = malloc(1 << 20);
    *size = f && p ? fread(p, 1, 1 << 20, f) : 0;
    if (f) fclose(f);
    return p;
}

static bool run(const struct test *t, const char *folder, const char *chip) {
    char path[512];
    snprintf(path, sizeof path, "%s/%s.so", folder, t->file);
    void *library = dlopen(path, RTLD_NOW);
    if (!library) return printf("%s\n", dlerror()), false;
    struct host_call call = {
        .grid = {t->grid[0], t->grid[1], 1}, .block = {t->block[0], t->block[1], 1}, .wave = 64};
    *(void **)&call.kernel = dlsym(library, t->kernel);
    sw_terascale_buffer gpu[6];
    struct buffers b = {0};
    uint8_t arguments[64] = {0};
    size_t length = 0, count = 0;
    unsigned integers = 0, reals = 0;
    uint32_t lds = 0;
    const size_t items = (size_t)t->grid[0] * t->grid[1];
    for (unsigned i = 0; i < 6 && t->arguments[i].kind; i++) {
        const struct argument *a = &t->arguments[i];
        uint32_t value = 0;
        size_t bytes = 4;
        if (a->kind == INT) {
            value = (uint32_t)(int32_t)a->value;
            bytes = a->bytes;
            call.integers[integers++] = (uint64_t)(int64_t)(int32_t)a->value;
        } else if (a->kind == FLOAT) {
            const float f = (float)a->value;
            memcpy(&value, &f, 4);
            memcpy(&call.reals[reals++], &f, 4);
        } else if (a->kind == LOCAL) {
            value = lds;
            lds += (a->bytes + 15) & ~15u;
            b.host[i] = calloc(1, a->bytes);
            call.integers[integers++] = (uint64_t)(uintptr_t)b.host[i];
        } else {
            b.bytes[i] = items * a->bytes;
            b.gpu[i] = malloc(b.bytes[i]);
            b.host[i] = malloc(b.bytes[i]);
            fill(b.gpu[i], b.bytes[i], a->kind);
            memcpy(b.host[i], b.gpu[i], b.bytes[i]);
            value = 0x100000u * (i + 1);
            gpu[count++] = (sw_terascale_buffer){b.gpu[i], b.bytes[i], value, false};
            call.integers[integers++] = (uint64_t)(uintptr_t)b.host[i];
        }
        length = (length + bytes - 1) & ~(bytes - 1);
        memcpy(arguments + length, &value, bytes);
        length += bytes;
    }
    snprintf(path, sizeof path, "%s/%s-%s.o", folder, t->file, chip);
    size_t size;
    uint8_t *object = load(path, &size);
    const sw_terascale_run_options o = {.size = sizeof o,
                                        .name = path,
                                        .function = t->kernel,
                                        .groups = {t->grid[0] / t->block[0], t->grid[1] / t->block[1], 1},
                                        .group_size = {t->block[0], t->block[1], 1},
                                        .arguments = arguments,
                                        .arguments_size = length,
                                        .dynamic_lds = lds,
                                        .setup = &(sw_terascale_setup){.size = sizeof(sw_terascale_setup),
                                                                       .buffers = gpu,
                                                                       .buffer_count = count,
                                                                       .seconds = 60,
                                                                       .strict = true}};
    const sw_sink sink = {say, NULL};
    bool good = host_run(&call, 0) == 0 && sw_terascale_run(object, size, &o, &sink) == SW_OK && same(t, &b);
    free(object);
    for (unsigned i = 0; i < 6; i++) free(b.gpu[i]), free(b.host[i]);
    dlclose(library);
    return good;
}

// Programs of random_kernel.py: those whose object is there.
static bool run_random(unsigned number, const char *folder, const char *chip, bool *there) {
    char path[512], file[32];
    snprintf(file, sizeof file, "random%u", number);
    snprintf(path, sizeof path, "%s/%s-%s.o", folder, file, chip);
    FILE *f = fopen(path, "rb");
    *there = f != NULL;
    if (!f) return true;
    fclose(f);
    const struct test t = {file, "program", {256, 1}, {64, 1}, {{ZERO, 4}, {INTEGERS, 4}, {LOCAL, 256}},
                           1,    0,         0};
    state = number;
    return run(&t, folder, chip);
}

int main(int argc, char **argv) {
    setvbuf(stdout, NULL, _IOLBF, 0);
    unsigned passed = 0, failed = 0;
    for (int c = 2; c < argc; c++)
        for (unsigned i = 0; i < sizeof tests / sizeof *tests; i++)
            for (unsigned seed = 1; seed <= 3; seed++) {
                state = seed * 1000 + i;
                if (run(&tests[i], argv[1], argv[c])) {
                    passed++;
                    continue;
                }
                failed++;
                printf("%s on %s, seed %u: differs\n", tests[i].kernel, argv[c], seed);
            }
    for (int c = 2; c < argc; c++)
        for (unsigned number = 1; number < 1000; number++) {
            bool there, good = run_random(number, argv[1], argv[c], &there);
            passed += there && good;
            failed += there && !good;
            if (!good) printf("random kernel %u on %s: differs\n", number, argv[c]);
        }
    printf("%u passed, %u failed, 0 skipped\n", passed, failed);
    return failed != 0;
}
