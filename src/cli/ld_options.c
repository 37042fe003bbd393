// SPDX-License-Identifier: MIT
// ld.lld's options that matter to GPU code, and what each sets. Letters are their own ids.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/ld.h"

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
    ROSEGMENT,
    IGNORED
};
static const struct option options[] = {
    {0, "help", .id = 'H'},
    {'v', "version", .id = 'v'},
    {'o', "output", true, .id = 'o'},
    {'L', "library-path", true, .id = 'L'},
    {'l', "library", true, .id = 'l'},
    {0, "whole-archive", .id = WHOLE},
    {0, "no-whole-archive", .id = NO_WHOLE},
    {0, "start-lib", .id = START_LIB},
    {0, "end-lib", .id = END_LIB},
    {0, "push-state", .id = PUSH},
    {0, "pop-state", .id = POP},
    {0, "shared", .id = SHARED},
    {0, "Bshareable", .id = SHARED},
    {0, "pie", .id = PIE},
    {0, "pic-executable", .id = PIE},
    {0, "no-pie", .id = SHARED},
    {'E', "export-dynamic", .id = 'E'},
    {0, "no-export-dynamic", .id = NO_EXPORT},
    {0, "no-undefined", .id = NO_UNDEFINED},
    {0, "unresolved-symbols", true, .id = UNRESOLVED},
    {0, "Bsymbolic", .id = SYMBOLIC},
    {0, "Bsymbolic-functions", .id = SYMBOLIC_F},
    {0, "Bsymbolic-non-weak", .id = SYMBOLIC_NW},
    {0, "Bsymbolic-non-weak-functions", .id = SYMBOLIC_NWF},
    {0, "version-script", true, .id = VERSION_SCRIPT},
    {0, "dynamic-list", true, .id = DYNAMIC_LIST},
    {0, "gc-sections", .id = GC},
    {0, "no-gc-sections", .id = NO_GC},
    {0, "print-gc-sections", .id = PRINT_GC},
    {'u', "undefined", true, .id = 'u'},
    {'e', "entry", true, .id = 'e'},
    {0, "init", true, .id = INIT},
    {0, "fini", true, .id = FINI},
    {'s', "strip-all", .id = 's'},
    {'S', "strip-debug", .id = 'S'},
    {'x', "discard-all", .id = 'x'},
    {'X', "discard-locals", .id = 'X'},
    {0, "discard-none", .id = DISCARD_NONE},
    {'O', NULL, true, .id = 'O'},
    {0, "hash-style", true, .id = HASH},
    {0, "build-id", .optional_value = true, .id = BUILD_ID},
    {'h', "soname", true, .id = 'h'},
    {'z', NULL, true, .id = 'z'},
    {0, "allow-multiple-definition", .id = MULTIPLE},
    {0, "no-rosegment", .id = ROSEGMENT},
    {'r', "relocatable", .id = 'r'},
    {'T', "script", true, .id = 'T'},
    {0, "emit-relocs", .id = 'T'},
    {'m', NULL, true, .id = IGNORED},
    {0, "flavor", true, .id = IGNORED},
    {0, "plugin", true, .id = IGNORED},
    {0, "plugin-opt", true, .id = IGNORED},
    {0, "mllvm", true, .id = IGNORED},
    {0, "threads", true, .id = IGNORED},
    {0, "error-limit", true, .id = IGNORED},
    {0, "color-diagnostics", .optional_value = true, .id = IGNORED},
    {0, "eh-frame-hdr", .id = IGNORED},
    {0, "no-eh-frame-hdr", .id = IGNORED},
    {0, "as-needed", .id = IGNORED},
    {0, "no-as-needed", .id = IGNORED},
    {0, "allow-shlib-undefined", .id = IGNORED},
    {0, "no-allow-shlib-undefined", .id = IGNORED},
    {0, "undefined-version", .id = IGNORED},
    {0, "no-undefined-version", .id = IGNORED},
    {0, "enable-new-dtags", .id = IGNORED},
    {0, "disable-new-dtags", .id = IGNORED},
    {0, "no-dynamic-linker", .id = IGNORED},
    {0, "fatal-warnings", .id = IGNORED},
    {0, "no-fatal-warnings", .id = IGNORED},
    {0, "rosegment", .id = IGNORED},
    {0, "static", .id = IGNORED},
    {0, "Bstatic", .id = IGNORED},
    {0, "Bdynamic", .id = IGNORED},
    {0, "nostdlib", .id = IGNORED},
    {0, "start-group", .id = IGNORED},
    {0, "end-group", .id = IGNORED},
    {'(', NULL, .id = IGNORED},
    {')', NULL, .id = IGNORED},
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

int ld_next(struct scan *scan) { return scan_next(scan, options, sizeof options / sizeof *options); }

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
    case MULTIPLE: o->allow_duplicates = true; break;
    case ROSEGMENT: o->single_read_only_segment = true; break;
    case 'r':
        fprintf(stderr, "softwave ld: error: unsupported: relocatable output (-r)\n");
        return SW_UNSUPPORTED;
    case 'T':
        fprintf(stderr, "softwave ld: error: unsupported: linker scripts and --emit-relocs\n");
        return SW_UNSUPPORTED;
    default: break;
    }
    return SW_OK;
}
