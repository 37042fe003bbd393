// SPDX-License-Identifier: MIT
// `softwave as`: assembly text to a relocatable object, or to a listing of encodings.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/file.h"
#include "cli/cli.h"
#include "softwave/asm.h"

static const char help[] =
    "usage: softwave as --target=ID [OPTION...] FILE.s\n"
    "\n"
    "Assembles GPU assembly as LLVM writes it. FILE - is standard input.\n"
    "\n"
    "  --target=ID             the GPU, with features and triple if wished: gfx90a:xnack+,\n"
    "                          amdgcn-amd-amdhsa--gfx1100\n"
    "  -o, --output=FILE       the object (default: FILE with .o for .s; - is standard output)\n"
    "  --show-encoding         print each instruction with its bytes instead of writing an object\n"
    "  --code-object-version=N 2 to 6, for amdhsa (default 6)\n"
    "  --mattr=[+-]F,...       switch features: wavefrontsize32, wavefrontsize64, real-true16, cumode, ...\n"
    "  -I DIR                  a folder for .include and .incbin\n"
    "  -g                      debug information about FILE itself, if it has no .file directives\n"
    "  --producer=TEXT         who made that, as debuggers show it (default: softwave and its version)\n"
    "  --dwarf-version=N       2 to 5, of the line table that .loc makes (default 4; .file 0 makes it 5)\n"
    "  --fdebug-compilation-dir=DIR  the folder that a version 5 table names (default: the current one)\n"
    "  --defsym=NAME=NUMBER    give a symbol a value\n"
    "  --triple=TRIPLE         the system: amdgcn-amd-amdhsa, amdgcn--amdpal, amdgcn-mesa-mesa3d, amdgcn--\n"
    "  -mcpu=, --mcpu=, -mattr=  as llvm-mc takes them\n"
    "\n"
    "examples:\n"
    "  softwave as --target=gfx1030 kernel.s -o kernel.o\n"
    "  echo s_endpgm | softwave as --triple=amdgcn--amdpal --mcpu=gfx1100 -o shader.o -\n"
    "  echo 'v_add_f32 v0, v1, v2' | softwave as --target=gfx90a --show-encoding -\n";

enum {
    TARGET,
    OUTPUT,
    ENCODING,
    VERSION,
    MATTR,
    INCLUDE,
    DEFSYM,
    TRIPLE,
    CPU,
    FILETYPE,
    DWARF,
    DIRECTORY,
    DEBUG,
    PRODUCER,
    HELP
};
static const struct option options[] = {
    {.name = "target", .takes_value = true, .id = TARGET},
    {.letter = 'o', .name = "output", .takes_value = true, .id = OUTPUT},
    {.name = "show-encoding", .id = ENCODING},
    {.name = "code-object-version", .takes_value = true, .id = VERSION},
    {.name = "amdhsa-code-object-version", .takes_value = true, .id = VERSION}, // as llvm-mc and GCC call it
    {.name = "mattr", .takes_value = true, .id = MATTR},
    {.letter = 'I', .name = "include", .takes_value = true, .id = INCLUDE},
    {.name = "defsym", .takes_value = true, .id = DEFSYM},
    {.name = "triple", .takes_value = true, .id = TRIPLE},
    {.name = "mcpu", .takes_value = true, .id = CPU},
    {.name = "filetype", .takes_value = true, .id = FILETYPE},
    {.letter = 'g', .name = "debug", .id = DEBUG},
    {.name = "producer", .takes_value = true, .id = PRODUCER},
    {.name = "dwarf-version", .takes_value = true, .id = DWARF},
    {.name = "fdebug-compilation-dir", .takes_value = true, .id = DIRECTORY},
    {.letter = 'h', .name = "help", .id = HELP},
};

struct request {
    const char *file, *output, *target, *triple, *cpu;
    bool encoding;
    sw_asm_options o;
    ARRAY(const char *) include, define;
};

static bool print(void *context, const char *text, size_t length) {
    (void)context;
    return fwrite_unlocked(text, 1, length, stdout) == length;
}

// Fills r->o.target and os from --target, or --triple and -mcpu.
static int choose_target(struct request *r) {
    struct text id = {0};
    if (r->target)
        text_puts(&id, r->target);
    else if (r->cpu)
        text_puts(&id, r->cpu);
    else
        return cli_usage("as", "--target is missing");
    sw_status status = sw_target_parse(id.data ? id.data : "", id.length, &r->o.target, &cli_sink);
    r->o.os = SW_OS_AMDHSA;
    sw_triple triple = {.size = sizeof triple};
    const char *text = r->triple;
    if (!text && r->target && !strncmp(r->target, "amdgcn-", 7)) {
        // The triple is what stands before the processor's name.
        const char *name = strstr(r->target, "--");
        text = name ? r->target : NULL;
        id.length = name ? (size_t)(name - r->target) + 2 : 0;
    } else
        id.length = text ? strlen(text) : 0;
    if (!status && text) {
        status = sw_triple_parse(text, id.length, &triple, &cli_sink);
        if (!status) r->o.os = triple.os;
        if (!(r->o.triple = strndup(text, id.length))) status = SW_NO_MEMORY;
    }
    text_free(&id);
    return status ? SW_USAGE : SW_OK;
}

static int parse(struct request *r, int argc, char **argv, bool *done) {
    // -mcpu=, -mattr= and -triple= with one dash are LLVM's.
    for (int i = 1; i < argc; i++)
        for (const char *const *l =
                 (const char *const[]){"-mcpu=", "-mattr=", "-triple=", "-filetype=", "-dwarf-version=",
                                       "-fdebug-compilation-dir=", NULL};
             *l; l++)
            if (!strncmp(argv[i], *l, strlen(*l))) {
                char *twice = malloc(strlen(argv[i]) + 2);
                if (!twice) return SW_NO_MEMORY;
                *twice = '-';
                strcpy(twice + 1, argv[i]);
                argv[i] = twice; // for the rest of the process
            }
    struct scan scan = {.argc = argc, .argv = argv, .next = 1};
    for (int id; (id = scan_next(&scan, options, sizeof options / sizeof *options)) != SCAN_END;) {
        switch (id) {
        case TARGET: r->target = scan.value; break;
        case OUTPUT: r->output = scan.value; break;
        case ENCODING: r->encoding = true; break;
        case VERSION:
            r->o.code_object_version = (unsigned)atoi(scan.value);
            if (strlen(scan.value) != 1 || *scan.value < '2' || *scan.value > '6')
                return cli_usage("as", "the code object version is a number from 2 to 6");
            break;
        case MATTR: r->o.features = scan.value; break;
        case INCLUDE:
            if (!array_push(&r->include, scan.value)) return SW_NO_MEMORY;
            break;
        case DEFSYM:
            if (!array_push(&r->define, scan.value)) return SW_NO_MEMORY;
            break;
        case TRIPLE: r->triple = scan.value; break;
        case CPU: r->cpu = scan.value; break;
        case FILETYPE:
            if (strcmp(scan.value, "obj") && strcmp(scan.value, "asm"))
                return cli_usage("as", "--filetype is obj or asm");
            break;
        case DWARF:
            r->o.dwarf_version = (unsigned)atoi(scan.value);
            if (r->o.dwarf_version < 2 || r->o.dwarf_version > 5)
                return cli_usage("as", "the DWARF version is 2 to 5");
            break;
        case DEBUG: r->o.debug = true; break;
        case PRODUCER: r->o.producer = scan.value; break;
        case DIRECTORY: r->o.directory = scan.value; break;
        case HELP: *done = true; return fputs(help, stdout) < 0;
        case SCAN_POSITIONAL:
            if (r->file) return cli_usage("as", "one FILE at a time");
            r->file = scan.value;
            break;
        default: return SW_USAGE;
        }
    }
    return r->file ? choose_target(r) : cli_usage("as", "FILE is missing");
}

// The object's name when none is given: beside the text, .o for .s
static void default_output(struct text *t, const char *file) {
    size_t length = strlen(file);
    if (!strcmp(file, "-")) {
        text_puts(t, "-");
        return;
    }
    if (length > 2 && !strcmp(file + length - 2, ".s")) length -= 2;
    text_add(t, file, length);
    text_puts(t, ".o");
}

static int assemble(struct request *r) {
    struct file f;
    sw_status status = file_open(&f, r->file, &cli_sink);
    if (status) return status;
    r->o.name = strcmp(r->file, "-") ? r->file : "<stdin>";
    r->o.include = r->include.items;
    r->o.include_count = r->include.count;
    r->o.define = r->define.items;
    r->o.define_count = r->define.count;
    if (r->encoding) r->o.listing = print;
    char *here = r->o.directory && *r->o.directory ? NULL : getcwd(NULL, 0);
    if (here) r->o.directory = here;
    uint8_t *object;
    size_t size;
    status = sw_assemble((const char *)f.data, f.size, &r->o, &object, &size, &cli_sink);
    if (!status && object) {
        struct text name = {0};
        if (r->output)
            text_puts(&name, r->output);
        else
            default_output(&name, r->file);
        status = name.failed ? SW_NO_MEMORY : file_write(name.data, object, size, &cli_sink);
        text_free(&name);
    }
    free(here);
    sw_asm_free(object);
    file_close(&f);
    if (r->encoding && fflush(stdout)) status = SW_BAD_INPUT;
    return status;
}

int cmd_as(int argc, char **argv) {
    struct request r = {.o = {.size = sizeof r.o}};
    bool done = false;
    int status = parse(&r, argc, argv, &done);
    if (!status && !done) status = assemble(&r);
    array_free(&r.include);
    array_free(&r.define);
    free((char *)r.o.triple);
    return status;
}
