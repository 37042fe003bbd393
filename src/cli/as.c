// SPDX-License-Identifier: MIT
// `softwave as`: assembly text to a relocatable object, or to a listing of encodings.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/diag.h"
#include "base/file.h"
#include "cli/as_hex.h"
#include "cli/assembly.h"
#include "cli/commands.h"
#include "cli/terascale/terascale.h"
#include "softwave/asm.h"
#include "softwave/terascale.h"

enum option {
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
    DISASSEMBLE,
    SCAN_RESULTS,
};
static const struct cli_option options[] = {
    {TARGET, 0, "target", "ID",
     "the GPU: gfx90a, gfx90a:xnack+, mi300x or amdgcn-amd-amdhsa--gfx1100 (default: the target that "
     ".amdgcn_target names in the text)"},
    {OUTPUT, 'o', "output", "FILE", "the object file (default: FILE with .o for .s; - is standard output)"},
    {ENCODING, 0, "show-encoding", NULL,
     "write no object; print the text again with the bytes of each instruction, as llvm-mc does"},
    {VERSION, 0, "code-object-version", "2|3|4|5|6", "the version of code objects for amdhsa (default 6)"},
    {VERSION, 0, "amdhsa-code-object-version", "2|3|4|5|6", NULL}, // as llvm-mc and GCC call it
    {MATTR, 0, "mattr", "[+-]F,...",
     "switch features on or off: wavefrontsize32, wavefrontsize64, real-true16, cumode, ..."},
    {INCLUDE, 'I', "include", "DIR", "a folder in which .include and .incbin look for files"},
    {DEBUG, 'g', "debug", NULL,
     "write debug information that points into FILE, unless FILE has .file directives"},
    {PRODUCER, 0, "producer", "TEXT",
     "the producer that the debug information of -g names (default: softwave and its version)"},
    {DWARF, 0, "dwarf-version", "2|3|4|5",
     "the version of the line table that .loc makes (default 4; .file 0 makes it 5)"},
    {DIRECTORY, 0, "fdebug-compilation-dir", "DIR",
     "the folder that a line table of version 5 names (default: the current folder)"},
    {DEFSYM, 0, "defsym", "NAME=NUMBER", "define a symbol"},
    {TRIPLE, 0, "triple", "TRIPLE",
     "the operating system: amdgcn-amd-amdhsa, amdgcn--amdpal, amdgcn-mesa-mesa3d, or none: amdgcn--"},
    {CPU, 0, "mcpu", "ID", "the processor; the same option as in llvm-mc"},
    {DISASSEMBLE, 0, "disassemble", NULL,
     "FILE holds bytes such as [0x01,0x05,0x00,0x06]; print them as instructions, as llvm-mc does"},
    {CLI_IGNORED, 0, "assemble", NULL, NULL},
    {FILETYPE, 0, "filetype", "obj|asm", "as in llvm-mc; asm needs --show-encoding or --disassemble"},
};

struct request {
    const char *file, *output, *target, *triple, *cpu;
    char *own_target; // what the text names
    bool encoding, disassemble, text;
    sw_asm_options o;
    ARRAY(const char *) include, define;
};

static bool print(void *context, const char *text, size_t length) {
    (void)context;
    return fwrite_unlocked(text, 1, length, stdout) == length;
}

// Fills r->o.target and os from --target, or --triple and -mcpu, or what .amdgcn_target names in the text.
static int choose_target(struct request *r, const struct file *text_of_file) {
    struct text id = {0};
    const char *named;
    const size_t length = r->target || r->cpu ? 0 : assembly_target(text_of_file, &named);
    if (length && !(r->target = r->own_target = strndup(named, length))) return SW_NO_MEMORY;
    if (r->target)
        text_puts(&id, r->target);
    else if (r->cpu)
        text_puts(&id, r->cpu);
    else
        return cli_usage("as", "--target is missing, and the text has no .amdgcn_target");
    sw_status status = sw_target_choose(id.data ? id.data : "", id.length, &r->o.target, &cli_sink);
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
    struct scan scan = cli_scan(&command_as, argc, argv);
    for (int id; (id = cli_next(&scan)) != SCAN_END;) {
        switch ((enum option)id) {
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
            r->text = !strcmp(scan.value, "asm");
            if (!r->text && strcmp(scan.value, "obj")) return cli_usage("as", "--filetype is obj or asm");
            break;
        case DWARF:
            r->o.dwarf_version = (unsigned)atoi(scan.value);
            if (r->o.dwarf_version < 2 || r->o.dwarf_version > 5)
                return cli_usage("as", "the DWARF version is 2 to 5");
            break;
        case DISASSEMBLE: r->disassemble = true; break;
        case DEBUG: r->o.debug = true; break;
        case PRODUCER: r->o.producer = scan.value; break;
        case DIRECTORY: r->o.directory = scan.value; break;
        case SCAN_HELP: *done = true; return SW_OK;
        case SCAN_POSITIONAL:
            if (r->file) return cli_usage("as", "one FILE at a time");
            r->file = scan.value;
            break;
        case SCAN_ERROR: return SW_USAGE;
        }
    }
    if (r->text && !r->encoding && !r->disassemble)
        return diag_fail(&cli_sink, SW_UNSUPPORTED, NULL,
                         "--filetype=asm: text is written only with --show-encoding or --disassemble");
    return r->file ? SW_OK : cli_usage("as", "FILE is missing");
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
    if ((status = (sw_status)choose_target(r, &f))) {
        file_close(&f);
        return status;
    }
    if (r->disassemble) {
        const struct hex_request hex = {r->o.name, r->o.target.processor, r->o.features, r->encoding};
        status = as_disassemble(&hex, &f);
        file_close(&f);
        return status;
    }
    const bool terascale = sw_terascale_processor(r->o.target.processor);
    r->o.include = r->include.items;
    r->o.include_count = r->include.count;
    r->o.define = r->define.items;
    r->o.define_count = r->define.count;
    if (r->encoding) r->o.listing = print;
    char *here = r->o.directory && *r->o.directory ? NULL : getcwd(NULL, 0);
    if (here) r->o.directory = here;
    uint8_t *object = NULL;
    size_t size;
    status = terascale ? terascale_as(&f, &r->o, &object, &size)
                       : sw_assemble((const char *)f.data, f.size, &r->o, &object, &size, &cli_sink);
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
    sw_free(object);
    file_close(&f);
    return status;
}

static int cmd_as(int argc, char **argv) {
    struct request r = {.o = {.size = sizeof r.o}};
    bool done = false;
    int status = parse(&r, argc, argv, &done);
    if (!status && !done) status = assemble(&r);
    array_free(&r.include);
    array_free(&r.define);
    free((char *)r.o.triple);
    free(r.own_target);
    return status;
}

const struct cli_command command_as = {
    .name = "as",
    .run = cmd_as,
    .what = "assemble GPU code",
    .synopsis = "[--target=ID] [OPTION...] FILE.s",
    .about =
        "Assembles GPU code in LLVM's syntax. The object is a code object of version 2 to 6 for amdhsa, or "
        "an object for amdpal, for mesa3d or for no operating system. FILE - is standard input.",
    CLI_OPTIONS(options),
    .examples = "softwave as --target=gfx1030 kernel.s -o kernel.o\n"
                "echo s_endpgm | softwave as --triple=amdgcn--amdpal --mcpu=gfx1100 -o shader.o -\n"
                "echo 'v_add_f32 v0, v1, v2' | softwave as --target=gfx90a --show-encoding -\n"
                "echo '[0x01,0x05,0x00,0x06]' | softwave as --target=gfx1030 --disassemble -\n",
    .operand = "FILE",
};
