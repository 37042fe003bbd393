// SPDX-License-Identifier: MIT
// `softwave bundle`: puts the code for several targets into one file, lists it, takes it out again; with the
// options of clang-offload-bundler.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/file.h"
#include "cli/cli.h"
#include "object/print.h"
#include "softwave/bundle.h"

static const char help[] =
    "usage: softwave bundle --type=TYPE --targets=ID,... --input=FILE... --output=FILE [OPTION...]\n"
    "       softwave bundle --unbundle --type=TYPE --targets=ID,... --input=FILE --output=FILE... "
    "[OPTION...]\n"
    "       softwave bundle --list [--type=TYPE] --input=FILE\n"
    "\n"
    "Bundles files for several targets into one, takes them out, or lists their ids. An ID is\n"
    "KIND-TRIPLE[-TARGET ID] with the kind host, hip, hipv4 or openmp. The files stand in the order of the "
    "ids.\n"
    "\n"
    "  --type=TYPE              o (object), bc (bitcode), gch, ast; i, ii, cui, hipi, d, ll, s (texts);\n"
    "                           a (archive of bundles, to take out only)\n"
    "  --targets=ID,...         what the files are for\n"
    "  --input=FILE             one for each target, or the bundle; --inputs=FILE,... too\n"
    "  --output=FILE            the bundle, or one for each target; --outputs=FILE,... too\n"
    "  --unbundle               take out what is compatible with each target\n"
    "  --list                   print the ids\n"
    "  --allow-missing-bundles  write empty files for targets that are not there\n"
    "  --check-input-archive    refuse an archive in which ids of one bundle conflict\n"
    "  --hip-openmp-compatible  code of kind hip and of kind openmp may stand for each other\n"
    "  --bundle-align=N         align each file of a binary bundle\n"
    "  --compress[=zstd|zlib]   compress the bundle\n"
    "  --compression-level=N    of that\n"
    "  --ccob-version=1|2|3     of the compressed bundle's header (default 2)\n"
    "\n"
    "examples:\n"
    "  softwave bundle --type=o --targets=host-x86_64-unknown-linux-gnu,hipv4-amdgcn-amd-amdhsa--gfx1100 \\\n"
    "      --input=/dev/null --input=kernel.co --output=kernel.hipfb --compress\n"
    "  softwave bundle --list --input=kernel.hipfb\n"
    "  softwave bundle --unbundle --type=o --targets=hip-amdgcn-amd-amdhsa--gfx1100 --input=kernel.hipfb "
    "--output=k.co\n";

enum {
    TYPE,
    TARGETS,
    INPUT,
    INPUTS,
    OUTPUT,
    OUTPUTS,
    UNBUNDLE,
    LIST,
    MISSING,
    CHECK,
    COMPATIBLE,
    ALIGN,
    COMPRESS,
    LEVEL,
    VERSION,
    HELP
};
static const struct option options[] = {
    {.name = "type", .takes_value = true, .id = TYPE},
    {.name = "targets", .takes_value = true, .id = TARGETS},
    {.name = "input", .takes_value = true, .id = INPUT},
    {.name = "inputs", .takes_value = true, .id = INPUTS},
    {.name = "output", .takes_value = true, .id = OUTPUT},
    {.name = "outputs", .takes_value = true, .id = OUTPUTS},
    {.name = "unbundle", .id = UNBUNDLE},
    {.name = "list", .id = LIST},
    {.name = "allow-missing-bundles", .id = MISSING},
    {.name = "check-input-archive", .id = CHECK},
    {.name = "hip-openmp-compatible", .id = COMPATIBLE},
    {.name = "bundle-align", .takes_value = true, .id = ALIGN},
    {.name = "compress", .optional_value = true, .id = COMPRESS},
    {.name = "compression-level", .takes_value = true, .id = LEVEL},
    {.name = "ccob-version", .takes_value = true, .id = VERSION},
    {.letter = 'h', .name = "help", .id = HELP},
};

static const struct type {
    const char *name, *comment; // NULL: not text
} types[] = {{"o", NULL},  {"a", NULL},   {"bc", NULL},   {"gch", NULL}, {"ast", NULL}, {"i", "//"},
             {"ii", "//"}, {"cui", "//"}, {"hipi", "//"}, {"d", "#"},    {"s", "#"},    {"ll", ";"}};

typedef ARRAY(const char *) strings;
struct request {
    const struct type *type;
    strings targets, inputs, outputs; // targets in standard form
    bool unbundle, list, missing, check, compatible;
    sw_bundle_options options;
    struct arena arena;
};

// Adds the comma-separated parts of `text`.
static bool add_list(struct request *r, strings *to, const char *text) {
    for (;;) {
        const size_t n = strcspn(text, ",");
        const char *part = arena_copy(&r->arena, text, n);
        if (!part || !array_push(to, part)) return false;
        if (!text[n]) return true;
        text += n + 1;
    }
}

static sw_status standardize(struct request *r) {
    for (size_t i = 0; i < r->targets.count; i++) {
        char text[SW_BUNDLE_ID_TEXT];
        sw_status s = sw_bundle_id_standardize(r->targets.items[i], text, &cli_sink);
        if (s) return s;
        if (!(r->targets.items[i] = arena_copy(&r->arena, text, strlen(text)))) return SW_NO_MEMORY;
    }
    return SW_OK;
}

// ---- Bundling ------------------------------------------------------------------------------------------

static bool is_elf(const struct file *f) { return f->size > 4 && !memcmp(f->data, "\177ELF", 4); }

static sw_status bundle(struct request *r) {
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
    free(out);
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
static sw_status take_out(struct request *r, sw_container *c, struct piece *pieces, size_t *found) {
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
static sw_status host_parts(struct request *r, const struct file *f, bool any, struct piece *pieces) {
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

static sw_status unbundle(struct request *r, const struct file *f, sw_container *c) {
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
    size_t count;
    const sw_entry *e = sw_container_entries(c, &count);
    for (size_t i = 0; i < count; i++) {
        if (e[i].member) print_name(t, e[i].member, strlen(e[i].member)), text_puts(t, ": ");
        print_name(t, e[i].id, strlen(e[i].id));
        text_puts(t, "\n");
    }
}

static sw_status read_bundle(struct request *r, struct text *t) {
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

static int number(const char *option, const char *text, unsigned long low, unsigned long high,
                  unsigned long *out) {
    char *end;
    *out = strtoul(text, &end, 0);
    if (*text >= '0' && *text <= '9' && !*end && *out >= low && *out <= high) return SW_OK;
    return cli_usage("bundle", "--%s takes a number from %lu to %lu, not '%s'", option, low, high, text);
}

static int take_option(struct request *r, int id, const char *value) {
    unsigned long n = 0;
    int status = SW_OK;
    bool ok = true;
    switch (id) {
    case TYPE:
        for (size_t i = 0; i < sizeof types / sizeof *types; i++)
            if (!strcmp(types[i].name, value)) r->type = &types[i];
        if (!r->type || strcmp(r->type->name, value))
            return cli_usage("bundle", "'%s': no such file type", value);
        break;
    case TARGETS: ok = add_list(r, &r->targets, value); break;
    case INPUT: ok = array_push(&r->inputs, value); break;
    case INPUTS: ok = add_list(r, &r->inputs, value); break;
    case OUTPUT: ok = array_push(&r->outputs, value); break;
    case OUTPUTS: ok = add_list(r, &r->outputs, value); break;
    case UNBUNDLE: r->unbundle = true; break;
    case LIST: r->list = true; break;
    case MISSING: r->missing = true; break;
    case CHECK: r->check = true; break;
    case COMPATIBLE: r->compatible = true; break;
    case ALIGN:
        status = number("bundle-align", value, 1, 1ul << 30, &n);
        r->options.alignment = n;
        break;
    case COMPRESS:
        r->options.compression = value && !strcmp(value, "zlib") ? SW_BUNDLE_ZLIB : SW_BUNDLE_ZSTD;
        if (value && strcmp(value, "zlib") && strcmp(value, "zstd"))
            return cli_usage("bundle", "--compress takes zstd or zlib, not '%s'", value);
        break;
    case LEVEL:
        status = number("compression-level", value, 1, 22, &n);
        r->options.level = (int)n;
        break;
    case VERSION:
        status = number("ccob-version", value, 1, 3, &n);
        r->options.ccob_version = (unsigned)n;
        break;
    case SCAN_POSITIONAL: ok = array_push(&r->inputs, value); break;
    default: return SW_USAGE;
    }
    return ok ? status : SW_NO_MEMORY;
}

int cmd_bundle(int argc, char **argv) {
    struct scan scan = {.argc = argc, .argv = argv, .next = 1};
    struct request r = {.options.size = sizeof r.options};
    struct text t = {0};
    int status = SW_OK;
    for (int id; !status && (id = scan_next(&scan, options, sizeof options / sizeof *options)) != SCAN_END;) {
        if (id == HELP) return fputs(help, stdout) < 0;
        status = take_option(&r, id, scan.value);
    }
    if (status)
        ;
    else if (r.list && r.unbundle)
        status = cli_usage("bundle", "--unbundle and --list exclude each other");
    else if (!r.list && !r.type)
        status = cli_usage("bundle", "--type is missing");
    else if (!r.list && !r.targets.count)
        status = cli_usage("bundle", "--targets is missing");
    else if (!(status = standardize(&r)))
        status = r.list || r.unbundle ? read_bundle(&r, &t) : bundle(&r);
    array_free(&r.targets);
    array_free(&r.inputs);
    array_free(&r.outputs);
    arena_free(&r.arena);
    return cli_finish(&t, status);
}
