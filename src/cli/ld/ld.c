// SPDX-License-Identifier: MIT
// `softwave ld`: relocatable objects and archives to a loadable code object, with ld.lld's options.
#include <stdio.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/ld/ld.h"

static int take_library(struct ld_request *r, const char *name) {
    char *path = ld_find_library(name, r->folders.items, r->folders.count);
    int status = path ? ld_add_input(&r->in, path, r->whole, r->lazy) : SW_BAD_INPUT;
    free(path);
    return status;
}

// Files and libraries are opened as they are met, with the state of the options before them.
static int parse(struct ld_request *r) {
    struct scan scan = cli_scan(&command_ld, (int)r->words.count, r->words.items);
    int status = SW_OK;
    for (int id; !status && !r->done && (id = cli_next(&scan)) != SCAN_END;) {
        switch (id) {
        case SCAN_ERROR: return SW_USAGE;
        case SCAN_POSITIONAL: status = ld_add_input(&r->in, scan.value, r->whole, r->lazy); break;
        case SCAN_HELP: r->done = true; return SW_OK;
        case 'l': status = take_library(r, scan.value); break;
        default: status = ld_take(r, id, (char *)scan.value);
        }
    }
    return status;
}

static void write_map(void *context, const char *text, size_t length) {
    struct ld_request *r = context;
    r->map_status = file_write(r->map, (const uint8_t *)text, length, &cli_sink);
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
    r->o.definitions = r->definitions.items;
    r->o.definition_count = r->definitions.count;
    if (r->map) r->o.map = write_map, r->o.map_context = r;
    r->o.open = ld_open_member;
    r->o.open_context = &r->in;
    int status = sw_link(r->in.list.items, r->in.list.count, &r->o, &image, &length, &cli_sink);
    if (!status) status = r->map_status;
    if (!status) status = file_write(r->output ? r->output : "a.out", image, length, &cli_sink);
    sw_free(image);
    return status;
}

int cmd_ld(int argc, char **argv) {
    struct ld_request r = {.o = {.size = sizeof r.o}};
    int status = SW_OK;
    size_t read = 0;
    for (int i = 0; i < argc && !status; i++) status = ld_expand(&r.words, argv[i], &read, 0);
    if (!status) status = parse(&r);
    if (!status && !r.done) status = link_all(&r);
    for (size_t i = 0; i < r.words.count; i++) free(r.words.items[i]);
    array_free(&r.words);
    array_free(&r.folders);
    array_free(&r.undefined);
    array_free(&r.definitions);
    ld_free_inputs(&r.in);
    file_close(&r.version_script);
    file_close(&r.dynamic_list);
    return status;
}
