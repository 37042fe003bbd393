// SPDX-License-Identifier: MIT
// The files of `softwave bundle`: inputs to one bundle, one bundle to outputs. Every output is in memory
// before the first is written.
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "cli/bundle/bundle.h"

// ---- Bundling ------------------------------------------------------------------------------------------

static bool is_elf(const struct file *f) { return f->size > 4 && !memcmp(f->data, "\177ELF", 4); }

sw_status bundle_write_files(struct bundle_request *r) {
    if (r->inputs.count != r->targets.count)
        return (sw_status)cli_usage("bundle", "%zu input files for %zu targets", r->inputs.count,
                                    r->targets.count);
    if (r->outputs.count != 1) return (sw_status)cli_usage("bundle", "one --output is needed");
    if (!strcmp(r->type->name, "a"))
        return (sw_status)cli_usage("bundle", "archives can only be taken apart");
    sw_status s = sw_bundle_ids_check(r->targets.items, r->targets.count, &cli_sink);
    struct file *files = arena_alloc(&r->arena, r->inputs.count * sizeof *files);
    sw_bundle_part *parts = arena_alloc(&r->arena, r->inputs.count * sizeof *parts);
    if (!files || !parts) return SW_NO_MEMORY;
    size_t open = 0;
    sw_bundle_form form = r->type->comment ? SW_BUNDLE_TEXT : SW_BUNDLE_BINARY;
    for (; !s && open < r->inputs.count; open++) {
        if ((s = file_open(&files[open], r->inputs.items[open], &cli_sink))) break;
        parts[open] = (sw_bundle_part){r->targets.items[open], files[open].data, files[open].size};
        if (!strncmp(parts[open].id, "host-", 5) && !strcmp(r->type->name, "o") && is_elf(&files[open]))
            form = SW_BUNDLE_OBJECT;
    }
    uint8_t *out = NULL;
    size_t length;
    r->options.comment = r->type->comment;
    if (!s) s = sw_bundle_write(form, parts, open, &r->options, &out, &length, &cli_sink);
    if (!s) s = file_write(r->outputs.items[0], out, length, &cli_sink);
    sw_free(out);
    while (open) file_close(&files[--open]);
    return s;
}

// ---- Unpacking -----------------------------------------------------------------------------------------

struct piece {
    const uint8_t *data;
    size_t length;
    uint8_t *own; // to free
};

// The part for each target; *found counts them. `c` NULL: the file is no bundle.
static sw_status take_out(struct bundle_request *r, sw_container *c, struct piece *pieces, size_t *found) {
    sw_status s = SW_OK;
    ptrdiff_t *chosen = arena_alloc(&r->arena, r->targets.count * sizeof *chosen);
    if (!chosen) return SW_NO_MEMORY;
    const bool archive = c && sw_container_get_kind(c) == SW_CONTAINER_ARCHIVE;
    if (c) sw_bundle_choose(c, r->targets.items, r->targets.count, r->compatible, chosen);
    for (size_t i = 0; c && !s && i < r->targets.count; i++) {
        struct piece *p = &pieces[i];
        size_t members = 0;
        if (archive) {
            s = sw_bundle_unpack_archive(c, r->targets.items[i], r->compatible, &p->own, &p->length, &members,
                                         &cli_sink);
            p->data = p->own;
        } else if (chosen[i] >= 0) {
            s = sw_container_data(c, (size_t)chosen[i], &p->data, &p->length, &cli_sink);
            members = 1;
        }
        *found += members > 0;
        if (!s && !members && !r->missing)
            s = diag_fail(&cli_sink, SW_BAD_INPUT, &(sw_location){.file = r->inputs.items[0]},
                          "nothing compatible with '%s'", r->targets.items[i]);
    }
    return s;
}

// A host part that is one NUL says: the object itself, less the sections of the bundle.
static sw_status host_parts(struct bundle_request *r, const struct file *f, bool any, struct piece *pieces) {
    for (size_t i = 0; i < r->targets.count; i++) {
        if (strncmp(r->targets.items[i], "host-", 5)) continue;
        if (!any) // not a bundle at all: a file for the host
            pieces[i] = (struct piece){.data = f->data, .length = f->size};
        if (!is_elf(f) || pieces[i].length != 1 || *pieces[i].data) continue;
        sw_status s = sw_bundle_host_object(f->data, f->size, &pieces[i].own, &pieces[i].length, &cli_sink);
        if (s) return s;
        pieces[i].data = pieces[i].own;
    }
    return SW_OK;
}

static sw_status unbundle(struct bundle_request *r, const struct file *f, sw_container *c) {
    if (r->outputs.count != r->targets.count)
        return (sw_status)cli_usage("bundle", "%zu output files for %zu targets", r->outputs.count,
                                    r->targets.count);
    struct piece *pieces = arena_alloc(&r->arena, r->targets.count * sizeof *pieces);
    if (!pieces) return SW_NO_MEMORY;
    size_t found = 0;
    sw_status s = r->check && c ? sw_bundle_check_container(c, &cli_sink) : SW_OK;
    if (!s) s = take_out(r, c, pieces, &found);
    if (!s) s = host_parts(r, f, found > 0, pieces);
    // Every part is there before the first file is written.
    for (size_t i = 0; !s && i < r->targets.count; i++)
        s = file_write(r->outputs.items[i], pieces[i].data, pieces[i].length, &cli_sink);
    for (size_t i = 0; i < r->targets.count; i++) free(pieces[i].own);
    return s;
}

static void list(const sw_container *c, struct text *t) {
    const sw_entry *e;
    for (size_t i = 0; (e = sw_container_entry(c, i)); i++) {
        if (e->member) text_name(t, e->member, strlen(e->member)), text_puts(t, ": ");
        text_name(t, e->id, strlen(e->id));
        text_puts(t, "\n");
    }
}

sw_status bundle_read_file(struct bundle_request *r, struct text *t) {
    if (r->inputs.count != 1) return (sw_status)cli_usage("bundle", "one --input is needed");
    struct file f;
    sw_container *c = NULL;
    sw_status s = file_open(&f, r->inputs.items[0], &cli_sink);
    if (s) return s;
    sw_container_options o = {.size = sizeof o, .name = r->inputs.items[0]};
    s = sw_container_open(f.data, f.size, &o, &c, r->missing ? NULL : &cli_sink);
    if (s && r->missing && r->unbundle) s = SW_OK; // a file without bundles in it
    if (!s && r->list) list(c, t);
    if (!s && r->unbundle) s = unbundle(r, &f, c);
    sw_container_close(c);
    file_close(&f);
    return s;
}
