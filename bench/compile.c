// SPDX-License-Identifier: MIT
// The time that one module takes to compile, best of so many runs, in one process: by LLVM's code generator
// (-O2) and by softwave cc's. compile llc|ours FILE.ll PROCESSOR RUNS prints microseconds for reading and for
// the rest.
#include <dlfcn.h>
#include <softwave/compiler.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static char *read_file(const char *path, size_t *size) {
    FILE *f = fopen(path, "rb");
    char *text = NULL;
    if (f && !fseek(f, 0, SEEK_END) && (*size = (size_t)ftell(f)) && (text = calloc(*size + 1, 1))) {
        rewind(f);
        *size = fread(text, 1, *size, f);
    }
    if (f) fclose(f);
    return text;
}

static void keep(double *best, double t) {
    if (!*best || t < *best) *best = t;
}

// Functions of LLVM's C interface, by their names.
typedef void *ref;
static void *llvm;
#define CALL(result, name, ...) ((result(*)(__VA_ARGS__))dlsym(llvm, "LLVM" #name))

static int by_llc(const char *text, size_t size, const char *processor, int runs, double *read,
                  double *rest) {
    const char *triple = "amdgcn-amd-amdhsa";
    ref target = NULL;
    char *message = NULL;
    if (!(llvm = dlopen("libLLVM.so.22.1", RTLD_NOW))) return fprintf(stderr, "%s\n", dlerror()), 1;
    CALL(void, InitializeAMDGPUTargetInfo, void)();
    CALL(void, InitializeAMDGPUTarget, void)();
    CALL(void, InitializeAMDGPUTargetMC, void)();
    CALL(void, InitializeAMDGPUAsmPrinter, void)();
    if (CALL(int, GetTargetFromTriple, const char *, ref *, char **)(triple, &target, &message)) return 1;
    for (int n = 0; n < runs; n++) {
        ref context = CALL(ref, ContextCreate, void)(), module = NULL, out = NULL;
        ref buffer = CALL(ref, CreateMemoryBufferWithMemoryRangeCopy, const char *, size_t,
                          const char *)(text, size, "bench");
        ref machine = CALL(ref, CreateTargetMachine, ref, const char *, const char *, const char *, int, int,
                           int)(target, triple, processor, "", 2, 2, 0);
        const double start = now();
        if (CALL(int, ParseIRInContext, ref, ref, ref *, char **)(context, buffer, &module, &message))
            return 1;
        const double parsed = now();
        if (CALL(int, TargetMachineEmitToMemoryBuffer, ref, ref, int, char **, ref *)(machine, module, 1,
                                                                                      &message, &out))
            return 1;
        keep(read, parsed - start);
        keep(rest, now() - parsed);
        CALL(void, DisposeMemoryBuffer, ref)(out);
        CALL(void, DisposeTargetMachine, ref)(machine);
        CALL(void, DisposeModule, ref)(module);
        CALL(void, ContextDispose, ref)(context);
    }
    return 0;
}

static int by_ours(const char *path, const char *text, size_t size, const char *processor, int runs,
                   double *read, double *rest) {
    sw_compiler *compiler = NULL;
    sw_target target;
    if (sw_target_parse(processor, strlen(processor), &target, NULL) ||
        sw_compiler_open(NULL, &compiler, NULL))
        return 1;
    for (int n = 0; n < runs; n++) {
        sw_compile_options options = {
            .size = sizeof options, .target = &target, .level = 2, .output = SW_COMPILE_IR, .until = "read"};
        uint8_t *out = NULL;
        size_t length = 0;
        const double start = now();
        if (sw_compile(compiler, path, text, size, &options, &out, &length, NULL)) return 1;
        sw_free(out);
        const double was_read = now();
        options.output = SW_COMPILE_OBJECT;
        options.until = NULL;
        if (sw_compile(compiler, path, text, size, &options, &out, &length, NULL)) return 1;
        sw_free(out);
        keep(read, was_read - start);
        keep(rest, now() - was_read);
    }
    *rest = *rest > *read ? *rest - *read : 0; // the second call has read it again
    sw_compiler_close(compiler);
    return 0;
}

int main(int argc, char **argv) {
    size_t size = 0;
    char *text = argc == 5 ? read_file(argv[2], &size) : NULL;
    double read = 0, rest = 0;
    if (!text) return fprintf(stderr, "usage: compile llc|ours FILE.ll PROCESSOR RUNS\n"), 2;
    const int status = !strcmp(argv[1], "llc")
                           ? by_llc(text, size, argv[3], atoi(argv[4]), &read, &rest)
                           : by_ours(argv[2], text, size, argv[3], atoi(argv[4]), &read, &rest);
    if (!status) printf("%.0f %.0f\n", read, rest);
    free(text);
    return status;
}
