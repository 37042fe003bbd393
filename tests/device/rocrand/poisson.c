// SPDX-License-Identifier: MIT
// Runs rocRAND's six kernels of Poisson numbers. Their distribution is an argument by value that holds
// addresses, which a command line cannot give. usage: poisson OBJECT DIRECTORY, where DIRECTORY has the files
// that reference.c wrote: engines, tables and the numbers to be made. Prints what failed, then "N passed, N
// failed".
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "softwave/device.h"

#define SPACE  "_ZN12rocrand_host6detailL"
#define ALIAS  "28rocrand_poisson_distributionIL23rocrand_discrete_method1ELb0EE"
#define SEARCH "28rocrand_poisson_distributionIL23rocrand_discrete_method2ELb0EE"

// `arguments` says what each is: Engines, First engine, Output, Number of values, Distribution, Philox by
// value, Vectors, Skip.
static const struct test {
    const char *generator, *kernel, *arguments;
    uint64_t count;
    uint32_t grid[3], block;
} tests[] = {
    {"xorwow",
     SPACE "15generate_kernelIj" ALIAS "EEvPN14rocrand_device13xorwow_engineEjPT_mT0_",
     "EFOND",
     5003,
     {1024, 1, 1},
     256},
    {"mrg32k3a",
     SPACE "15generate_kernelIj24mrg_poisson_distributionEEvPN14rocrand_device15mrg32k3a_engineEjPT_mT0_",
     "EFOND",
     5003,
     {1024, 1, 1},
     256},
    {"philox",
     SPACE "15generate_kernelIj" ALIAS "EEvNS0_27philox4x32_10_device_engineEPT_mT0_",
     "POND",
     5003,
     {1024, 1, 1},
     256},
    {"mtgp32",
     SPACE "15generate_kernelILj256Ej" ALIAS "EEvPN14rocrand_device13mtgp32_engineEPT0_mT1_",
     "EOND",
     5003,
     {512, 1, 1},
     256},
    {"sobol32", SPACE "15generate_kernelILj1Ej" SEARCH "EEvPT0_mPKjjT1_", "ONVSD", 1500, {512, 8, 1}, 128},
    {"sobol64", SPACE "18generate_kernel_64ILj1Ej" SEARCH "EEvPT0_mPKyjT1_", "ONVSD", 1500, {512, 8, 1}, 128},
};

struct distribution { // as rocRAND lays it out
    uint32_t size, offset;
    void *alias, *threshold, *cumulated;
};

static void complain(void *context, const sw_diagnostic *d) {
    (void)context;
    if (d->severity == SW_SEVERITY_ERROR) fprintf(stderr, "    %s\n", d->message);
}
static const sw_sink sink = {.report = complain};

// The bytes of a file: in memory of the device, or of the host when `device` is NULL.
static void *read_file(sw_device *device, const char *directory, const char *generator, const char *what,
                       size_t *size) {
    char path[4096];
    snprintf(path, sizeof path, "%s%s%s%s%s", directory, generator ? "/" : "", generator ? generator : "",
             generator ? "." : "", what);
    FILE *f = fopen(path, "rb");
    if (!f || fseek(f, 0, SEEK_END)) return perror(path), exit(2), NULL;
    *size = (size_t)ftell(f);
    rewind(f);
    void *memory = device ? sw_device_alloc(device, *size) : malloc(*size);
    if (!memory || fread(memory, 1, *size, f) != *size) return perror(path), exit(2), NULL;
    fclose(f);
    return memory;
}

static bool run(const struct test *t, sw_device *device, sw_executable *executable, const sw_object *object,
                const struct distribution *distribution, const char *directory) {
    const sw_kernel *k = sw_object_find_kernel(object, t->kernel);
    if (!k) return printf("%s: no such kernel\n", t->generator), false;
    size_t size, ignored;
    uint32_t *expected = read_file(NULL, directory, t->generator, "poisson", &size);
    uint32_t *output = sw_device_alloc(device, size), first = 3, skip = 77;
    uint8_t *kernarg = sw_device_alloc(device, k->kernarg_segment_size);
    for (size_t i = 0; t->arguments[i]; i++) {
        const sw_argument *a = sw_kernel_argument(k, i);
        const void *value = NULL, *memory = output;
        switch (t->arguments[i]) {
        case 'E':
            memory = read_file(device, directory, t->generator, "engines", &ignored), value = &memory;
            break;
        case 'V':
            memory = read_file(device, directory, t->generator, "vectors", &ignored), value = &memory;
            break;
        case 'O': value = &memory; break;
        case 'P': value = read_file(device, directory, t->generator, "engine", &ignored); break;
        case 'F': value = &first; break;
        case 'N': value = &t->count; break;
        case 'S': value = &skip; break;
        case 'D': value = distribution; break;
        }
        memcpy(kernarg + a->offset, value, a->size);
    }
    sw_dispatch q = {.size = sizeof q,
                     .executable = executable,
                     .kernarg = (uint64_t)(uintptr_t)kernarg,
                     .descriptor = sw_executable_base(executable) + k->descriptor_offset,
                     .block = {t->block, 1, 1},
                     .group_segment_size = k->group_segment_fixed_size,
                     .timeout = 60,
                     .dispatch_id = 1};
    memcpy(q.grid, t->grid, sizeof q.grid);
    sw_device_fill_hidden_arguments(device, k, &q, 0, kernarg);
    sw_fault fault = {.size = sizeof fault};
    if (sw_device_run(device, &q, &fault, NULL, &sink) != SW_OK)
        return printf("%s: fault at 0x%llx\n", t->generator, (unsigned long long)fault.code_offset), false;
    for (size_t i = 0; i < size / 4; i++)
        if (output[i] != expected[i])
            return printf("%s: [%zu] is %u, expected %u\n", t->generator, i, output[i], expected[i]), false;
    free(expected);
    return true;
}

int main(int argc, char **argv) {
    if (argc != 3) return 1;
    size_t size, entries;
    void *bytes = read_file(NULL, argv[1], NULL, "", &size);
    sw_object *object = NULL;
    sw_device *device = NULL;
    sw_executable *executable = NULL;
    sw_device_options options = {.size = sizeof options, .threads = 1, .init = SW_INIT_RANDOM, .seed = 7};
    if (sw_object_open(bytes, size, NULL, &object, &sink) != SW_OK) return 2;
    options.target = *sw_object_target(object);
    if (sw_device_create(&options, &device, &sink) != SW_OK) return 2;
    if (sw_device_load(device, object, NULL, NULL, &executable, &sink) != SW_OK) return 2;
    struct distribution d = {.offset = 4};
    d.alias = read_file(device, argv[2], "poisson", "alias", &entries);
    d.size = (uint32_t)(entries / 4);
    d.threshold = read_file(device, argv[2], "poisson", "threshold", &entries);
    d.cumulated = read_file(device, argv[2], "poisson", "cumulated", &entries);
    int passed = 0, failed = 0;
    for (size_t i = 0; i < sizeof tests / sizeof *tests; i++)
        *(run(&tests[i], device, executable, object, &d, argv[2]) ? &passed : &failed) += 1;
    sw_device_destroy(device);
    sw_object_close(object);
    free(bytes);
    printf("%d passed, %d failed\n", passed, failed);
    return failed != 0;
}
