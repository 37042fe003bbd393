// SPDX-License-Identifier: MIT
// `softwave ld`: relocatable objects and archives to a loadable code object, with ld.lld's options.
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/ld.h"

static const char help[] =
    "usage: softwave ld [OPTION...] -o OUT FILE...\n"
    "\n"
    "Links GPU objects and archives of them to a code object that can be loaded. Takes the options that\n"
    "compilers give ld.lld for AMD GPUs. The result is a shared object with or without -shared.\n"
    "\n"
    "  -o, --output=OUT          the linked object (default a.out; - is standard output)\n"
    "  -L DIR, -l NAME           folders to look for libNAME.a in\n"
    "  --whole-archive, --no-whole-archive, --start-lib, --end-lib\n"
    "                            take all members of the archives that follow; treat objects as members\n"
    "  --no-undefined, -z defs   undefined symbols are errors, not left to the loader\n"
    "  -pie, --export-dynamic    a program: its symbols cannot be replaced, and are exported only on "
    "request\n"
    "  -Bsymbolic, -Bsymbolic-functions, -Bsymbolic-non-weak, -Bsymbolic-non-weak-functions\n"
    "  --version-script=FILE, --dynamic-list=FILE\n"
    "  --gc-sections, --print-gc-sections, -u SYMBOL, -e SYMBOL, -init=SYMBOL, -fini=SYMBOL\n"
    "  -s, -S, -x, -X            strip all, strip debug information, discard local symbols, discard .L ones\n"
    "  -O LEVEL                  0: merge no strings, 2: also tails of strings\n"
    "  --hash-style=both|sysv|gnu, --build-id[=fast|md5|sha1|0xHEX|none], -soname=NAME\n"
    "  -z [no]text, [no]relro, now, max-page-size=N, [no]separate-code, [no]start-stop-gc, muldefs\n"
    "  @FILE                     more arguments\n"
    "Accepted without effect: -m, -plugin-opt, --lto-..., --eh-frame-hdr, --as-needed, groups, threads.\n"
    "\n"
    "examples:\n"
    "  softwave ld -shared -o kernel.co kernel.o\n"
    "  softwave ld -shared --gc-sections -o app.co main.o -L lib -l math\n";

static int take_library(struct ld_request *r, const char *name) {
    char *path = ld_find_library(name, r->folders.items, r->folders.count);
    int status = path ? ld_add_input(&r->in, path, r->whole, r->lazy) : SW_BAD_INPUT;
    free(path);
    return status;
}

// Files and libraries are opened as they are met, with the state of the options before them.
static int parse(struct ld_request *r) {
    struct scan scan = {.argc = (int)r->words.count, .argv = r->words.items, .next = 1};
    int status = SW_OK;
    for (int id; !status && !r->done && (id = ld_next(&scan)) != SCAN_END;) {
        switch (id) {
        case SCAN_ERROR: return SW_USAGE;
        case SCAN_POSITIONAL: status = ld_add_input(&r->in, scan.value, r->whole, r->lazy); break;
        case 'H': r->done = true; return fputs(help, stdout) < 0;
        case 'l': status = take_library(r, scan.value); break;
        default: status = ld_take(r, id, (char *)scan.value);
        }
    }
    return status;
}

static int link_all(struct ld_request *r) {
    if (r->print_version) {
        printf("softwave ld %s (compatible with GNU linkers)\n", sw_version());
        if (!r->in.list.count) return SW_OK;
    }
    if (!r->in.list.count) return cli_usage("ld", "no input files");
    r->o.undefined = r->undefined.items;
    r->o.undefined_count = r->undefined.count;
    uint8_t *image;
    size_t length;
    r->o.open = ld_open_member;
    r->o.open_context = &r->in;
    int status = sw_link(r->in.list.items, r->in.list.count, &r->o, &image, &length, &cli_sink);
    if (!status) status = file_write(r->output ? r->output : "a.out", image, length, &cli_sink);
    sw_link_free(image);
    return status;
}

int cmd_ld(int argc, char **argv) {
    struct ld_request r = {.o = {.size = sizeof r.o}};
    int status = SW_OK;
    for (int i = 0; i < argc && !status; i++) status = ld_expand(&r.words, argv[i], 0);
    if (!status) status = parse(&r);
    if (!status && !r.done) status = link_all(&r);
    for (size_t i = 0; i < r.words.count; i++) free(r.words.items[i]);
    array_free(&r.words);
    array_free(&r.folders);
    array_free(&r.undefined);
    ld_free_inputs(&r.in);
    file_close(&r.version_script);
    file_close(&r.dynamic_list);
    return status;
}
