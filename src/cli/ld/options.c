// SPDX-License-Identifier: MIT
// ld.lld's options that matter to GPU code, and what each sets. Letters are their own ids.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/ld/ld.h"

enum {
    WHOLE = 256,
    NO_WHOLE,
    START_LIB,
    END_LIB,
    PUSH,
    POP,
    SHARED,
    PIE,
    NO_EXPORT,
    NO_UNDEFINED,
    UNRESOLVED,
    SYMBOLIC,
    SYMBOLIC_F,
    SYMBOLIC_NW,
    SYMBOLIC_NWF,
    VERSION_SCRIPT,
    DYNAMIC_LIST,
    GC,
    NO_GC,
    PRINT_GC,
    INIT,
    FINI,
    DISCARD_NONE,
    HASH,
    BUILD_ID,
    MULTIPLE,
    DEFSYM,
    MAP,
    PRINT_MAP,
    ROSEGMENT
};
static const struct cli_option options[] = {
    {0, 0, NULL, NULL, "Files"},
    {'o', 'o', "output", "OUT", "the linked file (default: a.out; - is standard output)"},
    {'L', 'L', "library-path", "DIR", "a folder in which -l looks for libraries"},
    {'l', 'l', "library", "NAME", "link libNAME.a"},
    {WHOLE, 0, "whole-archive", NULL,
     "link all members of the archives that follow, or only the members that are needed (default)"},
    {NO_WHOLE, 0, "no-whole-archive", NULL, NULL},
    {START_LIB, 0, "start-lib", NULL,
     "link an object between the two options only if it is needed, like a member of an archive"},
    {END_LIB, 0, "end-lib", NULL, NULL},
    {PUSH, 0, "push-state", NULL, "save the state of --whole-archive, and restore it"},
    {POP, 0, "pop-state", NULL, NULL},
    {0, 0, NULL, NULL, "Output"},
    {SHARED, 0, "shared", NULL, "make a shared object (default); other objects can replace its symbols"},
    {SHARED, 0, "Bshareable", NULL, NULL},
    {SHARED, 0, "no-pie", NULL, NULL},
    {'r', 'r', "relocatable", NULL, "make an object that can be linked again"},
    {PIE, 0, "pie", NULL, "make a program; its symbols cannot be replaced, and only -E exports them"},
    {PIE, 0, "pic-executable", NULL, NULL},
    {HASH, 0, "hash-style", "both|sysv|gnu", "the kind of symbol hash table"},
    {BUILD_ID, 0, "build-id", "[=fast|md5|sha1|uuid|none|0xHEX]", "add a note with a hash of the output"},
    {'h', 'h', "soname", "NAME", "the name of the output for loaders (DT_SONAME)"},
    {'s', 's', "strip-all", NULL, "omit the symbol table"},
    {'S', 'S', "strip-debug", NULL, "omit debug information"},
    {'x', 'x', "discard-all", NULL, "omit local symbols"},
    {'X', 'X', "discard-locals", NULL, "omit local symbols that begin with .L"},
    {DISCARD_NONE, 0, "discard-none", NULL, "keep all local symbols"},
    {'O', 'O', NULL, "0|1|2",
     "0: merge no strings; 1: merge equal strings; 2: also merge a string with the end of another one"},
    {ROSEGMENT, 0, "no-rosegment", NULL, "put read-only data and code into one segment"},
    {MAP, 0, "Map", "FILE", "write a map of addresses, sections and symbols; - is standard output"},
    {PRINT_MAP, 'M', "print-map", NULL, "print that map"},
    {'v', 'v', "version", NULL, "print the version; if files are given, link them as well"},
    {0, 0, NULL, NULL, "Symbols"},
    {NO_UNDEFINED, 0, "no-undefined", NULL,
     "report undefined symbols as errors; without it they are left to the loader"},
    {UNRESOLVED, 0, "unresolved-symbols", "report-all|ignore-all",
     "report undefined symbols as errors, or ignore them"},
    {'E', 'E', "export-dynamic", NULL, "export the symbols of a program, or do not export them"},
    {NO_EXPORT, 0, "no-export-dynamic", NULL, NULL},
    {SYMBOLIC, 0, "Bsymbolic", NULL,
     "bind references to symbols of the object itself: all symbols, or only those named"},
    {SYMBOLIC_F, 0, "Bsymbolic-functions", NULL, NULL},
    {SYMBOLIC_NW, 0, "Bsymbolic-non-weak", NULL, NULL},
    {SYMBOLIC_NWF, 0, "Bsymbolic-non-weak-functions", NULL, NULL},
    {VERSION_SCRIPT, 0, "version-script", "FILE",
     "a file that names the exported symbols and their versions"},
    {DYNAMIC_LIST, 0, "dynamic-list", "FILE", "a file that names the symbols that other objects can replace"},
    {GC, 0, "gc-sections", NULL, "omit sections that nothing refers to, or keep them"},
    {NO_GC, 0, "no-gc-sections", NULL, NULL},
    {PRINT_GC, 0, "print-gc-sections", NULL, "print the names of the omitted sections"},
    {'u', 'u', "undefined", "SYMBOL", "link the member of an archive that defines this symbol"},
    {'e', 'e', "entry", "SYMBOL", "the first instruction of the program"},
    {INIT, 0, "init", "SYMBOL", "the function to call when the object is loaded, or unloaded"},
    {FINI, 0, "fini", "SYMBOL", NULL},
    {DEFSYM, 0, "defsym", "NAME=EXPRESSION",
     "define a symbol; EXPRESSION adds and subtracts numbers and symbols"},
    {MULTIPLE, 0, "allow-multiple-definition", NULL,
     "if a symbol is defined twice, use its first definition"},
    {'z', 'z', NULL, "KEYWORD",
     "defs, undefs, [no]text, [no]relro, now, max-page-size=N, [no]separate-code, [no]start-stop-gc, "
     "muldefs, "
     "nognustack"},
    {0, 0, NULL, NULL, "Not supported"},
    {'T', 'T', "script", "FILE", "linker scripts; relocations in the output"},
    {'T', 0, "emit-relocs", NULL, NULL},
    {CLI_IGNORED, 'm', NULL, "EMULATION", NULL},
    {CLI_IGNORED, 0, "flavor", "NAME", NULL},
    {CLI_IGNORED, 0, "plugin", "NAME", NULL},
    {CLI_IGNORED, 0, "plugin-opt", "OPTION", NULL},
    {CLI_IGNORED, 0, "mllvm", "OPTION", NULL},
    {CLI_IGNORED, 0, "threads", "N", NULL},
    {CLI_IGNORED, 0, "error-limit", "N", NULL},
    {CLI_IGNORED, 0, "color-diagnostics", "[=WHEN]", NULL},
    {CLI_IGNORED, 0, "eh-frame-hdr", NULL, NULL},
    {CLI_IGNORED, 0, "no-eh-frame-hdr", NULL, NULL},
    {CLI_IGNORED, 0, "as-needed", NULL, NULL},
    {CLI_IGNORED, 0, "no-as-needed", NULL, NULL},
    {CLI_IGNORED, 0, "allow-shlib-undefined", NULL, NULL},
    {CLI_IGNORED, 0, "no-allow-shlib-undefined", NULL, NULL},
    {CLI_IGNORED, 0, "undefined-version", NULL, NULL},
    {CLI_IGNORED, 0, "no-undefined-version", NULL, NULL},
    {CLI_IGNORED, 0, "enable-new-dtags", NULL, NULL},
    {CLI_IGNORED, 0, "disable-new-dtags", NULL, NULL},
    {CLI_IGNORED, 0, "no-dynamic-linker", NULL, NULL},
    {CLI_IGNORED, 0, "fatal-warnings", NULL, NULL},
    {CLI_IGNORED, 0, "no-fatal-warnings", NULL, NULL},
    {CLI_IGNORED, 0, "rosegment", NULL, NULL},
    {CLI_IGNORED, 0, "static", NULL, NULL},
    {CLI_IGNORED, 0, "Bstatic", NULL, NULL},
    {CLI_IGNORED, 0, "Bdynamic", NULL, NULL},
    {CLI_IGNORED, 0, "nostdlib", NULL, NULL},
    {CLI_IGNORED, 0, "start-group", NULL, NULL},
    {CLI_IGNORED, 0, "end-group", NULL, NULL},
    {CLI_IGNORED, '(', NULL, NULL, NULL},
    {CLI_IGNORED, ')', NULL, NULL, NULL},
};

static int take_z(struct ld_request *r, const char *value) {
    static const char *const ignored[] = {"lazy",      "combreloc",   "noexecstack",     "execstack",
                                          "copyreloc", "nocopyreloc", "noseparate-code", "start-stop-gc",
                                          "hazardplt", "origin"};
    sw_link_options *o = &r->o;
    const char *number = strchr(value, '=');
    if (!strcmp(value, "defs"))
        o->no_undefined = true;
    else if (!strcmp(value, "undefs"))
        o->no_undefined = false, o->allow_undefined = true;
    else if (!strcmp(value, "text") || !strcmp(value, "notext"))
        o->text_relocations = *value == 'n';
    else if (!strcmp(value, "relro") || !strcmp(value, "norelro"))
        o->no_relro = *value == 'n';
    else if (!strcmp(value, "now"))
        o->bind_now = true;
    else if (!strcmp(value, "separate-code"))
        o->separate_code = true;
    else if (!strcmp(value, "nostart-stop-gc"))
        o->keep_named_sections = true;
    else if (!strcmp(value, "nognustack"))
        o->no_gnu_stack_header = true;
    else if (!strcmp(value, "muldefs"))
        o->allow_duplicates = true;
    else if (!strncmp(value, "max-page-size=", 14))
        o->max_page_size = strtoull(number + 1, NULL, 0);
    else if (strncmp(value, "common-page-size=", 17) && strncmp(value, "stack-size=", 11)) {
        for (size_t i = 0; i < sizeof ignored / sizeof *ignored; i++)
            if (!strcmp(value, ignored[i])) return SW_OK;
        return cli_usage("ld", "unknown option -z %s", value);
    }
    return SW_OK;
}

static int take_build_id(struct ld_request *r, const char *value) {
    sw_link_options *o = &r->o;
    o->build_id = !value || !strcmp(value, "sha1") || !strcmp(value, "tree") ? SW_BUILD_ID_20
                  : !strcmp(value, "none")                                   ? SW_BUILD_ID_NONE
                  : !strcmp(value, "fast")                                   ? SW_BUILD_ID_8
                  : !strcmp(value, "md5") || !strcmp(value, "uuid")          ? SW_BUILD_ID_16
                                                                             : SW_BUILD_ID_GIVEN;
    if (o->build_id != SW_BUILD_ID_GIVEN) return SW_OK;
    size_t digits = strlen(value) - 2;
    if (strncmp(value, "0x", 2) || strlen(value) < 4 || digits % 2 || digits / 2 > sizeof r->build_id ||
        strspn(value + 2, "0123456789abcdefABCDEF") != digits)
        return cli_usage(
            "ld", "--build-id takes fast, md5, sha1, uuid, none or 0x and up to 128 hexadecimal digits");
    for (size_t i = 0; i < digits / 2; i++) {
        char byte[3] = {value[2 + 2 * i], value[3 + 2 * i], 0};
        r->build_id[i] = (uint8_t)strtoul(byte, NULL, 16);
    }
    o->build_id_bytes = r->build_id;
    o->build_id_size = digits / 2;
    return SW_OK;
}

static int take_text(struct file *f, sw_link_text *text, const char *path) {
    if (text->text) return cli_usage("ld", "%s: only one such file is taken", path);
    int status = file_open(f, path, &cli_sink);
    if (!status) *text = (sw_link_text){path, f->size ? (const char *)f->data : "", f->size};
    return status;
}

int ld_take(struct ld_request *r, int id, char *value) {
    sw_link_options *o = &r->o;
    switch (id) {
    case 'v': r->print_version = true; break;
    case 'o': r->output = value; break;
    case 'L': return array_push(&r->folders, value) ? SW_OK : SW_NO_MEMORY;
    case WHOLE: r->whole = true; break;
    case NO_WHOLE: r->whole = false; break;
    case START_LIB: r->lazy = true; break;
    case END_LIB: r->lazy = false; break;
    case PUSH: r->saved_whole = r->whole; break;
    case POP: r->whole = r->saved_whole; break;
    case SHARED: o->pie = false; break;
    case PIE: o->pie = true; break;
    case 'E': o->export_dynamic = true; break;
    case NO_EXPORT: o->export_dynamic = false; break;
    case NO_UNDEFINED: o->no_undefined = true; break;
    case UNRESOLVED:
        o->no_undefined = !strcmp(value, "report-all");
        o->allow_undefined = !strncmp(value, "ignore", 6);
        break;
    case SYMBOLIC: o->symbolic = SW_SYMBOLIC_ALL; break;
    case SYMBOLIC_F: o->symbolic = SW_SYMBOLIC_FUNCTIONS; break;
    case SYMBOLIC_NW: o->symbolic = SW_SYMBOLIC_NON_WEAK; break;
    case SYMBOLIC_NWF: o->symbolic = SW_SYMBOLIC_NON_WEAK_FUNCTIONS; break;
    case VERSION_SCRIPT: return take_text(&r->version_script, &o->version_script, value);
    case DYNAMIC_LIST: return take_text(&r->dynamic_list, &o->dynamic_list, value);
    case GC: o->gc_sections = true; break;
    case NO_GC: o->gc_sections = false; break;
    case PRINT_GC: o->print_gc_sections = true; break;
    case 'u': return array_push(&r->undefined, value) ? SW_OK : SW_NO_MEMORY;
    case 'e': o->entry = value; break;
    case INIT: o->init = value; break;
    case FINI: o->fini = value; break;
    case 's': o->strip = SW_STRIP_ALL; break;
    case 'S': o->strip = SW_STRIP_DEBUG; break;
    case 'x': o->discard = SW_DISCARD_ALL; break;
    case 'X': o->discard = SW_DISCARD_LOCALS; break;
    case DISCARD_NONE: o->discard = SW_DISCARD_NONE; break;
    case 'O':
        o->merge = *value == '0' ? SW_MERGE_NOTHING : *value == '1' ? SW_MERGE_EQUAL : SW_MERGE_TAILS;
        break;
    case HASH:
        o->hash = !strcmp(value, "sysv") ? SW_HASH_SYSV : !strcmp(value, "gnu") ? SW_HASH_GNU : SW_HASH_BOTH;
        if (o->hash == SW_HASH_BOTH && strcmp(value, "both"))
            return cli_usage("ld", "--hash-style is sysv, gnu or both");
        break;
    case BUILD_ID: return take_build_id(r, value);
    case 'h': o->soname = value; break;
    case 'z': return take_z(r, value);
    case DEFSYM: return array_push(&r->definitions, value) ? SW_OK : SW_NO_MEMORY;
    case MAP: r->map = value; break;
    case PRINT_MAP: r->map = "-"; break;
    case MULTIPLE: o->allow_duplicates = true; break;
    case ROSEGMENT: o->single_read_only_segment = true; break;
    case 'r': o->relocatable = true; break;
    case 'T':
        fprintf(stderr, "softwave ld: error: unsupported: linker scripts and --emit-relocs\n");
        return SW_UNSUPPORTED;
    default: break;
    }
    return SW_OK;
}

const struct cli_command command_ld = {
    .name = "ld",
    .run = cmd_ld,
    .what = "link GPU objects and archives",
    .synopsis = "[OPTION...] -o OUT FILE...",
    .about =
        "Links GPU objects, and archives of them, into a code object that can be loaded. It takes the "
        "options "
        "that compilers pass to ld.lld for AMD GPUs, with one dash or two. The default output is a shared "
        "object. @FILE reads more arguments from FILE.",
    CLI_OPTIONS(options),
    .examples = "softwave ld -shared -o kernel.co kernel.o\n"
                "softwave ld -shared --gc-sections -o app.co main.o -L lib -l math\n",
    .operand = "FILE",
};
