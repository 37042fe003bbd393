// SPDX-License-Identifier: MIT
// Source files of `softwave run`: OpenCL (.cl) and HIP (.hip) go through a compiler of this host. LLVM's
// intermediate language (.ll) is compiled by Softwave; what it refuses, it says in a line, and llc compiles
// it. Which one, and how, is printed before it runs.
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/run/run.h"
#include "softwave/compiler.h"

enum { NEWEST = 40, OLDEST = 18, MOST_WORDS = 40, WORD = 4096 };

enum language { NO_SOURCE, OPENCL, HIP, LLVM_IR };

static enum language language_of(const char *file) {
    const char *dot = strrchr(file, '.');
    if (!dot) return NO_SOURCE;
    return !strcmp(dot, ".cl")    ? OPENCL
           : !strcmp(dot, ".hip") ? HIP
           : !strcmp(dot, ".ll")  ? LLVM_IR
                                  : NO_SOURCE;
}

bool run_is_source(const char *file) { return language_of(file) != NO_SOURCE; }

// ---- Finding things ----

// The program's place in PATH.
static bool find_program(const char *name, char out[WORD]) {
    const char *path = getenv("PATH");
    for (size_t n; path && *path; path += n + (path[n] == ':')) {
        n = strcspn(path, ":");
        snprintf(out, WORD, "%.*s/%s", (int)n, n ? path : ".", name);
        if (!access(out, X_OK)) return true;
    }
    return false;
}

// What `name --version` says behind the word "version"; 0: nothing.
static unsigned version_of(const char *name) {
    char command[WORD + 32], line[256];
    unsigned version = 0;
    snprintf(command, sizeof command, "'%s' --version 2> /dev/null", name);
    FILE *f = popen(command, "r");
    while (f && !version && fgets(line, sizeof line, f)) {
        const char *word = strstr(line, "version ");
        if (word) version = (unsigned)strtoul(word + strlen("version "), NULL, 10);
    }
    if (f) pclose(f);
    return version;
}

// The newest of "clang-40" to "clang-18", or "clang" itself if it is no older; llc likewise.
static bool find_newest(const char *name, char out[64], unsigned *version) {
    char path[WORD];
    for (*version = NEWEST; *version >= OLDEST; --*version) {
        snprintf(out, 64, "%s-%u", name, *version);
        if (find_program(out, path)) return true;
    }
    snprintf(out, 64, "%s", name);
    return find_program(name, path) && (*version = version_of(path)) >= OLDEST;
}

// libclc's functions for OpenCL, beside the compiler or where distributions have them.
static bool find_libclc(const char *compiler, char out[WORD]) {
    char place[WORD], real[WORD];
    static const char *const near[] = {"/../lib/clc", "/../share/clc", "/../../clc", "/../../../share/clc"};
    static const char *const others[] = {"/usr/lib/clc", "/usr/share/clc", "/usr/lib64/clc",
                                         "/usr/local/share/clc"};
    const char *file = "amdgcn-amd-amdhsa.bc";
    const bool found = find_program(compiler, place) && realpath(place, real);
    char *slash = found ? strrchr(real, '/') : NULL;
    if (slash) *slash = 0;
    for (size_t i = 0; i < sizeof near / sizeof *near + sizeof others / sizeof *others; i++) {
        const size_t n = sizeof near / sizeof *near;
        if (i < n && !slash) continue;
        char joined[2 * WORD];
        snprintf(joined, sizeof joined, "%s%s/%s", i < n ? real : "", i < n ? near[i] : others[i - n], file);
        if (strlen(joined) >= WORD || access(joined, R_OK)) continue;
        return realpath(joined, out) != NULL;
    }
    return false;
}

// ---- The command ----

struct command {
    char *words[MOST_WORDS];
    size_t count;
    struct arena *texts;
    bool failed;
};

static void word(struct command *c, const char *text) {
    char *copy = arena_copy(c->texts, text, strlen(text));
    if (!copy || c->count + 2 > MOST_WORDS)
        c->failed = true;
    else
        c->words[c->count++] = copy, c->words[c->count] = NULL;
}

static void words(struct command *c, const char *text) {
    while (*text) {
        const size_t n = strcspn(text, " ");
        char one[256];
        snprintf(one, sizeof one, "%.*s", (int)n, text);
        word(c, one);
        text += n + (text[n] == ' ');
    }
}

static void joined(struct command *c, const char *a, const char *b) {
    char text[WORD];
    snprintf(text, sizeof text, "%s%s", a, b);
    word(c, text);
}

static sw_status missing(const char *file, const char *what, const char *needs, const char *install) {
    return diag_fail(&cli_sink, SW_UNSUPPORTED, &(sw_location){.file = file},
                     "%s needs a compiler, %s, and none is in PATH; on Debian and Ubuntu: apt-get install %s",
                     what, needs, install);
}

// With code object V4, as libclc's get_global_id is wrong from V5 on (ERR-01).
static sw_status opencl(struct command *c, const char *file, const char *id, unsigned wave, const char *out) {
    char compiler[64], libclc[WORD];
    unsigned version;
    if (!find_newest("clang", compiler, &version))
        return missing(file, "OpenCL source", "clang from version 18 on",
                       "clang-22 libclc-22 (or the newest of both that `apt-cache search libclc` lists)");
    word(c, compiler);
    words(c, "-x cl -cl-std=CL2.0 -O2 -g -target amdgcn-amd-amdhsa");
    joined(c, "-mcpu=", id);
    if (wave) word(c, wave == 64 ? "-mwavefrontsize64" : "-mno-wavefrontsize64");
    words(c, "-nogpulib -mcode-object-version=4 -Xclang -finclude-default-header");
    if (find_libclc(compiler, libclc)) {
        words(c, "-Xclang -mlink-builtin-bitcode -Xclang");
        word(c, libclc);
    } else
        diag_warn(&cli_sink, &(sw_location){.file = file},
                  "libclc is not installed, so get_global_id and other functions of OpenCL are missing; on "
                  "Debian and "
                  "Ubuntu: apt-get install libclc-%u",
                  version);
    words(c, "-c -o");
    word(c, out);
    word(c, file);
    return SW_OK;
}

static sw_status hip(struct command *c, const char *file, const char *id, unsigned wave, const char *out) {
    char path[WORD];
    if (!find_program("hipcc", path)) return missing(file, "HIP source", "hipcc", "hipcc");
    words(c, "hipcc --genco");
    joined(c, "--offload-arch=", id);
    if (wave) word(c, wave == 64 ? "-mwavefrontsize64" : "-mno-wavefrontsize64");
    words(c, "-O2 -g -x hip");
    word(c, file);
    word(c, "-o");
    word(c, out);
    return SW_OK;
}

static sw_status llvm_ir(struct command *c, const char *file, const char *id, unsigned wave,
                         const char *out) {
    char compiler[64], cpu[SW_TARGET_TEXT], features[128] = "";
    unsigned version;
    if (!find_newest("llc", compiler, &version))
        return missing(file, "LLVM IR", "llc from version 18 on", "llvm-22");
    word(c, compiler);
    words(c, "-O2 -mtriple=amdgcn-amd-amdhsa");
    const size_t n = strcspn(id, ":");
    snprintf(cpu, sizeof cpu, "%.*s", (int)n, id);
    joined(c, "-mcpu=", cpu);
    for (const char *f = id + n; *f == ':';) { // ":xnack+" to "+xnack"
        const size_t length = strcspn(f + 1, ":");
        const size_t used = strlen(features);
        snprintf(features + used, sizeof features - used, "%s%c%.*s", used ? "," : "", f[length],
                 (int)length - 1, f + 1);
        f += 1 + length;
    }
    if (wave)
        snprintf(features + strlen(features), sizeof features - strlen(features), "%s+wavefrontsize%u",
                 *features ? "," : "", wave);
    if (*features) joined(c, "-mattr=", features);
    words(c, "-filetype=obj -o");
    word(c, out);
    word(c, file);
    return SW_OK;
}

static void print_command(const struct command *c) {
    fputc('+', stderr);
    for (size_t i = 0; i < c->count; i++) {
        const bool plain =
            strspn(c->words[i], "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_=+./:,") ==
            strlen(c->words[i]);
        fprintf(stderr, plain ? " %s" : " '%s'", c->words[i]);
    }
    fputc('\n', stderr);
}

// Runs it. The signals of a terminal end the compiler, and this program then takes its files away.
static sw_status execute(const struct command *c, const char *file) {
    struct sigaction ignore = {.sa_handler = SIG_IGN}, interrupt, quit;
    sigaction(SIGINT, &ignore, &interrupt);
    sigaction(SIGQUIT, &ignore, &quit);
    fflush(NULL);
    const pid_t child = fork();
    if (!child) {
        sigaction(SIGINT, &interrupt, NULL);
        sigaction(SIGQUIT, &quit, NULL);
        dup2(STDERR_FILENO, STDOUT_FILENO);
        execvp(c->words[0], c->words);
        _exit(127);
    }
    int status = -1;
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) {}
    sigaction(SIGINT, &interrupt, NULL);
    sigaction(SIGQUIT, &quit, NULL);
    if (child > 0 && WIFEXITED(status) && !WEXITSTATUS(status)) return SW_OK;
    return diag_fail(&cli_sink, SW_BAD_INPUT, &(sw_location){.file = file}, "%s failed", c->words[0]);
}

// ---- Softwave's own compiler ----

// Keeps the first error.
static void keep_error(void *context, const sw_diagnostic *d) {
    struct text *t = context;
    if (d->severity == SW_SEVERITY_ERROR && !t->length) text_puts(t, d->message);
}

// False: it was refused, and the reason printed.
static bool own_compiler(const char *file, const sw_target *target, unsigned wave, struct file *out) {
    struct file source;
    struct text why = {0};
    const sw_sink keep = {keep_error, &why};
    char id[SW_TARGET_TEXT], features[32];
    sw_compiler *compiler = NULL;
    uint8_t *code = NULL;
    size_t size = 0;
    sw_compile_options o = {.size = sizeof o, .target = target, .level = 2, .output = SW_COMPILE_LOADABLE};
    snprintf(features, sizeof features, "+wavefrontsize%u", wave);
    if (wave) o.features = features;
    sw_status status = file_open(&source, file, &keep);
    if (status == SW_OK) {
        status = sw_compiler_open(NULL, &compiler, &keep);
        if (status == SW_OK)
            status = sw_compile(compiler, file, source.data, source.size, &o, &code, &size, &keep);
        sw_compiler_close(compiler);
        file_close(&source);
    }
    sw_target_format(target, id);
    if (status == SW_OK) {
        fprintf(stderr, "+ softwave cc --target=%s %s\n", id, file);
        *out = (struct file){.data = code, .size = size};
    } else
        diag_note(&cli_sink, &(sw_location){.file = file}, "llc is taken, as softwave cc says: %s",
                  why.data ? why.data : sw_status_text(status));
    text_free(&why);
    return status == SW_OK;
}

sw_status run_compile(const char *file, const char *target, unsigned wave, struct file *out) {
    static sw_status (*const make[])(struct command *, const char *, const char *, unsigned,
                                     const char *) = {[OPENCL] = opencl, [HIP] = hip, [LLVM_IR] = llvm_ir};
    struct arena texts = {0};
    struct command c = {.texts = &texts};
    const char *temporary = getenv("TMPDIR");
    char folder[WORD - 8], object[WORD], id[SW_TARGET_TEXT];
    sw_target t;
    *out = (struct file){0};
    if (access(file, R_OK))
        return diag_fail(&cli_sink, SW_BAD_INPUT, &(sw_location){.file = file}, "cannot open: %s",
                         strerror(errno));
    sw_status status =
        sw_target_choose(target ? target : "gfx90a", target ? strlen(target) : 6, &t, &cli_sink);
    if (status != SW_OK) return status;
    if (language_of(file) == LLVM_IR && own_compiler(file, &t, wave, out)) return SW_OK;
    sw_target_format(&t, id);
    snprintf(folder, sizeof folder, "%s/softwave.XXXXXX", temporary && *temporary ? temporary : "/tmp");
    if (!mkdtemp(folder))
        return diag_fail(&cli_sink, SW_BAD_INPUT, NULL, "%s: cannot write: %s", folder, strerror(errno));
    snprintf(object, sizeof object, "%s/k.o", folder);
    status = make[language_of(file)](&c, file, id, wave, object);
    if (status == SW_OK && c.failed) status = SW_NO_MEMORY;
    if (status == SW_OK) {
        print_command(&c);
        status = execute(&c, file);
    }
    if (status == SW_OK) status = file_open(out, object, &cli_sink);
    unlink(object);
    rmdir(folder);
    arena_free(&texts);
    return status;
}
