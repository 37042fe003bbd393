// SPDX-License-Identifier: MIT
// `softwave cc`: LLVM IR to GPU code.
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/file.h"
#include "cli/commands.h"
#include "softwave/compiler.h"

enum {
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
    VERBOSE,
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
    {KERNEL, 'k', "kernel", "NAME", "compile this kernel alone; may be repeated"},
    {LLVM, 0, "llvm", "FILE",
     "LLVM's library, version 22 or newer (default: SOFTWAVE_LLVM, or the system's)"},
    {FROM, 0, "from", "STAGE", "begin with this stage (of .swir text)"},
    {UNTIL, 0, "until", "STAGE", "end behind this stage, with .swir text"},
    {DUMP, 0, "dump", "STAGE,...", "the program behind these stages, or all, on standard error"},
    {VERIFY, 0, "verify", NULL, "check the program between all stages"},
};

struct request {
    const char *file, *output, *target, *llvm;
    sw_compile_options o;
    ARRAY(const char *) kernels;
};

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

static int parse(struct request *r, int argc, char **argv, bool *done) {
    struct scan scan = cli_scan(&command_cc, argc, argv);
    int status = SW_OK;
    for (int id; !status && (id = cli_next(&scan)) != SCAN_END;) {
        switch (id) {
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
        case SCAN_HELP: *done = true; return SW_OK;
        case SCAN_POSITIONAL:
            if (r->file) return cli_usage("cc", "one FILE at a time");
            r->file = scan.value;
            break;
        default: return SW_USAGE;
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
    status = sw_compiler_open(r->llvm, &cli_sink, &compiler);
    if (!status)
        status = sw_compile(compiler, strcmp(r->file, "-") ? r->file : "<stdin>", f.data, f.size, &r->o, &out,
                            &size, &cli_sink);
    if (!status) {
        struct text name = {0};
        if (r->output)
            text_puts(&name, r->output);
        else
            default_output(&name, r);
        status = name.failed ? SW_NO_MEMORY : file_write(name.data, out, size, &cli_sink);
        text_free(&name);
    }
    sw_compile_free(out);
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
                "softwave cc --until=read saxpy.ll\n",
    .operand = "FILE",
};
