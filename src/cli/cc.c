// SPDX-License-Identifier: MIT
// `softwave cc`: LLVM IR to GPU code.
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/file.h"
#include "cli/commands.h"
#include "softwave/compiler.h"

enum option {
    TARGET,
    TRIPLE,
    MATTR,
    LEVEL,
    ASSEMBLY,
    OBJECT,
    VERSION,
    OUTPUT,
    KERNEL,
    LLVM,
    FROM,
    UNTIL,
    DUMP,
    VERIFY,
    STATS,
    PASSES,
    THREADS,
    VERBOSE,
    SCAN_RESULTS,
};
static const struct cli_option options[] = {
    {TARGET, 0, "target", "ID",
     "the GPU, with features if wished: gfx90a:xnack+, mi300x (default: the functions' \"target-cpu\")"},
    {TRIPLE, 0, "triple", "TRIPLE", "the system (default: what the module says)"},
    {MATTR, 0, "mattr", "[+-]F,...", "switch features: wavefrontsize32, wavefrontsize64"},
    {LEVEL, 'O', NULL, "0|1|2|3", "code generation level, as llc's (default 2)"},
    {ASSEMBLY, 'S', NULL, NULL, "assembly; .swir text where --until ends before it"},
    {OBJECT, 'c', NULL, NULL, "a relocatable object (default: linked, to be loaded)"},
    {VERSION, 0, "code-object-version", "4|5|6", "default: what the module says, else 6"},
    {OUTPUT, 'o', "output", "FILE", "default: FILE with .s, .o or .co; - is standard output"},
    {KERNEL, 'k', "kernel", "NAME",
     "compile this kernel or function alone, and what it calls; may be repeated"},
    {LLVM, 0, "llvm", "FILE",
     "LLVM's library, version 22 or newer (default: SOFTWAVE_LLVM, or the system's)"},
    {PASSES, 0, "llvm-passes", "PASSES",
     "LLVM's passes to run first, as opt -passes= takes them: default<O2>, function(sroa,gvn)"},
    {FROM, 0, "from", "STAGE", "begin with this stage (of .swir text)"},
    {UNTIL, 0, "until", "STAGE", "end behind this stage, with .swir text"},
    {DUMP, 0, "dump", "STAGE,...", "the program behind these stages, or all, on standard error"},
    {VERIFY, 0, "verify", NULL, "check the program between all stages"},
    {STATS, 0, "stats", "[=json]",
     "instructions, registers and what else each function needs; the time of each stage"},
    {THREADS, 'j', "threads", "N",
     "compile so many functions at once (default 1; 0: as many as there are cores)"},
    {VERBOSE, 'v', "verbose", NULL, "say which LLVM reads, and what is compiled"},
};

struct stage_time {
    const char *stage;
    double seconds;
};
struct request {
    const char *file, *output, *target, *llvm;
    sw_compile_options o;
    ARRAY(const char *) kernels;
    ARRAY(sw_compile_figures) figures;
    ARRAY(struct stage_time) times;
    bool json;
};

static void put_time(void *context, const char *stage, double seconds) {
    struct request *r = context;
    if (!array_push(&r->times, (struct stage_time){stage, seconds})) return;
}

static void put_figures(void *context, const sw_compile_figures *figures) {
    struct request *r = context;
    sw_compile_figures own = *figures;
    if ((own.function = strdup(figures->function)) && !array_push(&r->figures, own))
        free((char *)own.function);
}

static void print_text(const struct request *r) {
    for (size_t n = 0; n < r->figures.count; n++) {
        const sw_compile_figures *f = &r->figures.items[n];
        fprintf(stderr, "  %-24s %7u instructions, %3u VGPRs, %3u SGPRs", f->function, f->instructions,
                f->vgprs, f->sgprs);
        if (f->spilled) fprintf(stderr, ", %u dwords spilled", f->spilled);
        if (f->stack) fprintf(stderr, ", %u bytes of stack", f->stack);
        if (f->lds) fprintf(stderr, ", %u bytes of LDS", f->lds);
        fprintf(stderr, ", %u waves a SIMD\n", f->waves);
    }
    for (size_t n = 0; n < r->times.count; n++)
        fprintf(stderr, "  %-14s %9.3f ms\n", r->times.items[n].stage, r->times.items[n].seconds * 1e3);
}

static void print_json(const struct request *r) {
    struct text out = {0};
    struct json j = {.out = &out};
    json_open(&j, NULL, '{');
    json_open(&j, "functions", '[');
    for (size_t n = 0; n < r->figures.count; n++) {
        const sw_compile_figures *f = &r->figures.items[n];
        json_open(&j, NULL, '{');
        json_string(&j, "name", f->function);
        json_uint(&j, "instructions", f->instructions);
        json_uint(&j, "vgprs", f->vgprs);
        json_uint(&j, "sgprs", f->sgprs);
        json_uint(&j, "spilled", f->spilled);
        json_uint(&j, "stack", f->stack);
        json_uint(&j, "lds", f->lds);
        json_uint(&j, "waves", f->waves);
        json_close(&j, '}');
    }
    json_close(&j, ']');
    json_open(&j, "seconds", '{');
    for (size_t n = 0; n < r->times.count; n++)
        json_real(&j, r->times.items[n].stage, r->times.items[n].seconds);
    json_close(&j, '}');
    json_close(&j, '}');
    fprintf(stderr, "%s\n", out.data ? out.data : "");
    text_free(&out);
}

static void print_dump(void *context, const char *stage, const char *text, size_t length) {
    (void)context;
    fprintf(stderr, "; ---- behind %s\n", stage);
    fwrite(text, 1, length, stderr);
}

static int number(const char *text, const char *allowed, const char *what, unsigned *out) {
    if (strlen(text) != 1 || !strchr(allowed, *text))
        return cli_usage("cc", "%s is one of %s", what, allowed);
    *out = (unsigned)(*text - '0');
    return SW_OK;
}

static int threads(const char *text, unsigned *out) {
    char *end;
    const unsigned long n = strtoul(text, &end, 10);
    if (*text < '0' || *text > '9' || *end || n > 1024) return cli_usage("cc", "-j takes 0 to 1024");
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    *out = n ? (unsigned)n : cores > 0 ? (unsigned)cores : 1;
    return SW_OK;
}

static int parse(struct request *r, int argc, char **argv, bool *done) {
    struct scan scan = cli_scan(&command_cc, argc, argv);
    int status = SW_OK;
    for (int id; !status && (id = cli_next(&scan)) != SCAN_END;) {
        switch ((enum option)id) {
        case TARGET: r->target = scan.value; break;
        case TRIPLE: r->o.triple = scan.value; break;
        case MATTR: r->o.features = scan.value; break;
        case LEVEL: status = number(scan.value, "0123", "-O", &r->o.level); break;
        case ASSEMBLY: r->o.output = SW_COMPILE_TEXT; break;
        case OBJECT: r->o.output = SW_COMPILE_OBJECT; break;
        case VERSION:
            status = number(scan.value, "456", "the code object version", &r->o.code_object_version);
            break;
        case OUTPUT: r->output = scan.value; break;
        case KERNEL:
            if (!array_push(&r->kernels, scan.value)) return SW_NO_MEMORY;
            break;
        case LLVM: r->llvm = scan.value; break;
        case FROM: r->o.from = scan.value; break;
        case UNTIL: r->o.until = strcmp(scan.value, "parse") ? scan.value : "read"; break;
        case DUMP: r->o.dump = scan.value; break;
        case VERIFY: r->o.verify = true; break;
        case STATS:
            if (scan.value && strcmp(scan.value, "json"))
                return cli_usage("cc", "--stats=%s: only json is known", scan.value);
            r->json = scan.value != NULL;
            r->o.timed = put_time;
            r->o.measured = put_figures;
            break;
        case PASSES: r->o.llvm_passes = scan.value; break;
        case THREADS: status = threads(scan.value, &r->o.threads); break;
        case VERBOSE: r->o.verbose = true; break;
        case SCAN_HELP: *done = true; return SW_OK;
        case SCAN_POSITIONAL:
            if (r->file) return cli_usage("cc", "one FILE at a time");
            r->file = scan.value;
            break;
        case SCAN_ERROR: return SW_USAGE;
        }
    }
    return status ? status : r->file ? SW_OK : cli_usage("cc", "FILE is missing");
}

// Beside the source, with another ending.
static void default_output(struct text *t, const struct request *r) {
    static const char *const endings[] = {".ll", ".bc", ".swir"};
    const char *ending = r->o.until                         ? ".swir"
                         : r->o.output == SW_COMPILE_TEXT   ? ".s"
                         : r->o.output == SW_COMPILE_OBJECT ? ".o"
                                                            : ".co";
    size_t length = strlen(r->file);
    if (!strcmp(r->file, "-") || r->o.until) {
        text_puts(t, "-");
        return;
    }
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        const size_t n = strlen(endings[i]);
        if (length > n && !strcmp(r->file + length - n, endings[i])) {
            length -= n;
            break;
        }
    }
    text_add(t, r->file, length);
    text_puts(t, ending);
}

static int compile(struct request *r) {
    struct file f;
    sw_target target;
    sw_compiler *compiler = NULL;
    uint8_t *out = NULL;
    size_t size = 0;
    if (r->target) {
        if (sw_target_choose(r->target, strlen(r->target), &target, &cli_sink)) return SW_USAGE;
        r->o.target = &target;
    }
    sw_status status = file_open(&f, r->file, &cli_sink);
    if (status) return status;
    r->o.kernels = r->kernels.items;
    r->o.kernel_count = r->kernels.count;
    r->o.dumped = print_dump;
    r->o.context = r;
    status = sw_compiler_open(r->llvm, &compiler, &cli_sink);
    if (!status)
        status = sw_compile(compiler, strcmp(r->file, "-") ? r->file : "<stdin>", f.data, f.size, &r->o, &out,
                            &size, &cli_sink);
    // On standard error: standard output may be the code's.
    if (!status && r->o.measured) (r->json ? print_json : print_text)(r);
    if (!status) {
        struct text name = {0};
        if (r->output)
            text_puts(&name, r->output);
        else
            default_output(&name, r);
        status = name.failed ? SW_NO_MEMORY : file_write(name.data, out, size, &cli_sink);
        text_free(&name);
    }
    sw_free(out);
    sw_compiler_close(compiler);
    file_close(&f);
    return status;
}

static int cmd_cc(int argc, char **argv) {
    struct request r = {.o = {.size = sizeof r.o, .level = 2, .output = SW_COMPILE_LOADABLE}};
    bool done = false;
    int status = parse(&r, argc, argv, &done);
    if (!status && !done) status = compile(&r);
    array_free(&r.kernels);
    for (size_t n = 0; n < r.figures.count; n++) free((char *)r.figures.items[n].function);
    array_free(&r.figures);
    array_free(&r.times);
    return status;
}

const struct cli_command command_cc = {
    .name = "cc",
    .run = cmd_cc,
    .what = "compile LLVM IR",
    .synopsis = "[OPTION...] FILE.{ll,bc,swir}",
    .about = "Compiles LLVM IR of amdgcn to GPU code. What it cannot compile it refuses by function, "
             "instruction and source "
             "line (exit 4). LLVM's library is needed to read .ll and .bc; .swir, the compiler's own text, "
             "needs none. FILE - is "
             "standard input.",
    CLI_OPTIONS(options),
    .examples = "softwave cc --target=gfx90a saxpy.ll -o saxpy.co\n"
                "softwave cc --target=gfx90a -S saxpy.ll -o -\n"
                "softwave cc -v -j 4 --target=gfx90a --llvm-passes='default<O2>' saxpy.ll -o saxpy.co\n"
                "softwave cc --until=read saxpy.ll\n",
    .operand = "FILE",
};
