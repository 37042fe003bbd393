// SPDX-License-Identifier: MIT
// `softwave obj`: what is in a code object, a bundle, or a host file with device code inside.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "cli/commands.h"
#include "cli/kernels.h"
#include "cli/terascale/terascale.h"
#include "softwave/list.h"
#include "softwave/terascale.h"

enum option { TARGET, ENTRY, ALL, KERNEL, KERNELS, JSON, METADATA, LINES, CHECK, EXTRACT, SCAN_RESULTS };
static const struct cli_option options[] = {
    {TARGET, 0, "target", "ID", "the code object that a device with this target id would run"},
    {ENTRY, 0, "entry", "N", "the code object with number N in the list"},
    {ALL, 0, "all", NULL, "every code object"},
    {KERNEL, 'k', "kernel", "NAME", "only this kernel: its symbol, its C++ name, or the end of that name"},
    {KERNELS, 0, "kernels", NULL,
     "print only the list of kernels: signature, registers, LDS, scratch memory, occupancy (waves on a "
     "SIMD)"},
    {JSON, 0, "json", NULL, "print JSON"},
    {METADATA, 0, "metadata", NULL, "print only the metadata, as YAML"},
    {LINES, 0, "lines", NULL, "print only the line table, one row a line: OFFSET FILE:LINE:COLUMN"},
    {CHECK, 0, "check", NULL,
     "print only errors in metadata and kernel descriptors; exit code 5 if there is one"},
    {EXTRACT, 0, "extract", "DIR",
     "write code objects to files in DIR: those that --target, -k and --entry choose, else all"},
};

struct request {
    const char *file, *target, *kernel, *directory;
    long entry; // -1: not given
    const uint8_t *bytes;
    size_t size;
    bool all, json, kernels, metadata, lines, check;
    sw_container *container;
    size_t count;
    bool *fits; // of each entry, when --target or -k choose what to extract; else NULL
};

static const char *target_text(const sw_entry *e, char text[SW_TARGET_TEXT]) {
    if (!e->has_target) return e->is_device ? "unknown" : "-";
    sw_target_format(&e->target, text);
    return text;
}

static const sw_entry *entry_at(const struct request *r, size_t i) {
    return sw_container_entry(r->container, i);
}

static void list_entries(struct text *t, const struct request *r) {
    size_t devices = 0;
    for (size_t i = 0; i < r->count; i++) devices += entry_at(r, i)->is_device;
    text_printf(t, "%s: %s, %zu code objects in %zu bundles\n", r->file,
                sw_container_kind_text(sw_container_get_kind(r->container)), devices,
                r->count ? entry_at(r, r->count - 1)->bundle + 1 : 0);
    text_puts(t, "  entry  bundle  target                     offset        size  id\n");
    for (size_t i = 0; i < r->count; i++) {
        const sw_entry *e = entry_at(r, i);
        char text[SW_TARGET_TEXT];
        text_printf(t, "  %5zu  %6zu  %-23s 0x%08llx  %10llu  ", i, e->bundle, target_text(e, text),
                    (unsigned long long)e->offset, (unsigned long long)e->size);
        text_name(t, e->id, strlen(e->id));
        text_puts(t, "\n");
    }
}

// The name of an extracted file: FILE-ENTRY-TARGET.co, with nothing that a path would interpret.
static sw_status extract(const struct request *r, size_t index, const uint8_t *data, size_t length) {
    char text[SW_TARGET_TEXT], path[4096];
    const char *base = strrchr(r->file, '/');
    base = base ? base + 1 : r->file;
    if (!strcmp(base, "-")) base = "stdin";
    int n = snprintf(path, sizeof path, "%s/%s-%zu-%s.co", r->directory, base, index,
                     target_text(entry_at(r, index), text));
    if (n < 0 || (size_t)n >= sizeof path)
        return (sw_status)cli_usage("obj", "the name of --extract is too long");
    for (char *p = path + strlen(r->directory); *p; p++)
        if (*p == ':') *p = '_';
    return file_write(path, data, length, &cli_sink);
}

static bool add_text(void *context, const char *text, size_t length) {
    struct text *t = context;
    text_add(t, text, length);
    return !t->failed;
}

static sw_status show(const struct request *r, size_t index, struct text *t, struct json *j) {
    const uint8_t *data;
    size_t length;
    sw_object *object;
    sw_status s = sw_container_data(r->container, index, &data, &length, &cli_sink);
    if (s) return s;
    if (r->directory) return extract(r, index, data, length);
    const sw_entry *e = entry_at(r, index);
    const bool stored = data >= r->bytes && data < r->bytes + r->size; // else from a compressed bundle
    const uint64_t offset = stored ? e->offset : 0;
    sw_object_options o = {.size = sizeof o, .name = r->file, .offset = offset};
    if ((s = sw_object_open(data, length, &o, &object, &cli_sink))) return s;
    const sw_kernel *kernel = r->kernel && !r->kernels ? kernels_find(object, r->kernel, r->file) : NULL;
    const char *name = kernel ? kernel->name : NULL;
    if (r->kernel && !kernel && !r->kernels)
        s = SW_BAD_INPUT;
    else if (r->kernels)
        kernels_list(t, object, r->kernel, SIZE_MAX);
    else if (r->check)
        s = sw_object_check(object, &cli_sink);
    else {
        const sw_describe_options d = {.size = sizeof d,
                                       .write = add_text,
                                       .context = t,
                                       .what = r->lines      ? SW_DESCRIBE_LINES
                                               : r->metadata ? SW_DESCRIBE_METADATA
                                                             : SW_DESCRIBE_ALL,
                                       .kernel = name,
                                       .json_depth = j ? (unsigned)j->depth : 0};
        s = sw_describe_object(object, &d, &cli_sink);
    }
    sw_object_close(object);
    return s;
}

static void entry_json(struct json *j, const sw_entry *e, size_t index) {
    char text[SW_TARGET_TEXT];
    json_uint(j, "entry", index);
    json_uint(j, "bundle", e->bundle);
    json_name(j, "id", e->id, strlen(e->id));
    json_bool(j, "is_device", e->is_device);
    json_string(j, "target_id", e->has_target ? target_text(e, text) : NULL);
    json_uint(j, "offset", e->offset);
    json_uint(j, "size", e->size);
}

// Whether the entry was asked for: by number, by target (then r->entry is set), as the only one, or all.
static bool is_chosen(const struct request *r, size_t index) {
    if (!entry_at(r, index)->is_device) return false;
    if (r->fits) return r->fits[index];
    return r->entry >= 0 ? (size_t)r->entry == index : r->all;
}

static sw_status print_entries(const struct request *r, struct text *t) {
    struct json j = {.out = t};
    sw_status status = SW_OK;
    bool chosen = r->entry >= 0 || r->all || r->fits;
    if (r->json && !r->directory) {
        json_open(&j, NULL, '{');
        json_name(&j, "file", r->file, strlen(r->file));
        json_string(&j, "kind", sw_container_kind_text(sw_container_get_kind(r->container)));
        json_open(&j, "entries", '[');
    } else if (!chosen)
        list_entries(t, r);
    for (size_t i = 0; i < r->count; i++) {
        bool whole = is_chosen(r, i);
        if (!whole && !(r->json && !r->directory && !chosen)) continue;
        if (r->json && !r->directory) {
            json_open(&j, NULL, '{');
            entry_json(&j, entry_at(r, i), i);
            if (whole && !status) status = show(r, i, t, &j);
            json_close(&j, '}');
            continue;
        }
        if (t->length) text_puts(t, "\n");
        if (r->all && !r->directory && r->count > 1) text_printf(t, "Entry %zu: %s\n", i, entry_at(r, i)->id);
        sw_status s = show(r, i, t, NULL);
        if (s && !status) status = s;
        if (t->length && fwrite(t->data, 1, t->length, stdout) != t->length) break;
        t->length = 0; // one object at a time: a library's text would be gigabytes
    }
    if (r->json && !r->directory) json_close(&j, ']'), json_close(&j, '}');
    return status;
}

static bool has_kernel(const struct request *r, size_t index) {
    const uint8_t *data;
    size_t length;
    sw_object *object;
    sw_object_options o = {.size = sizeof o, .name = r->file};
    if (sw_container_data(r->container, index, &data, &length, NULL) ||
        sw_object_open(data, length, &o, &object, NULL))
        return false;
    bool has = sw_object_match_kernels(object, r->kernel, NULL, 0) != 0;
    sw_object_close(object);
    return has;
}

// For --extract: every code object that a device of the target may run and that has the kernel.
static sw_status choose_fitting(struct request *r) {
    sw_target target;
    size_t count = 0, index;
    sw_status s = r->target ? sw_target_choose(r->target, strlen(r->target), &target, &cli_sink) : SW_OK;
    if (s) return s;
    if (!(r->fits = calloc(r->count + 1, sizeof *r->fits))) return SW_NO_MEMORY;
    for (size_t i = 0; i < r->count; i++) {
        const sw_entry *e = entry_at(r, i);
        bool runs =
            !r->target || (e->has_target && sw_target_compatible(&e->target, e->generic_version, &target));
        r->fits[i] = e->is_device && runs && (!r->kernel || has_kernel(r, i));
        count += r->fits[i];
    }
    // Which says what there is instead.
    return count ? SW_OK
                 : sw_container_pick(r->container, r->target ? &target : NULL, r->kernel, &index, &cli_sink);
}

static sw_status choose(struct request *r) {
    sw_target target;
    size_t devices = 0, last = 0, index;
    for (size_t i = 0; i < r->count; i++)
        if (entry_at(r, i)->is_device) devices++, last = i;
    if (r->entry >= 0 && ((size_t)r->entry >= r->count || !entry_at(r, (size_t)r->entry)->is_device))
        return (sw_status)cli_usage("obj", "entry %ld is no code object of %s", r->entry, r->file);
    if (r->directory && r->entry < 0 && (r->target || r->kernel)) return choose_fitting(r);
    if (r->target) {
        sw_status s = sw_target_choose(r->target, strlen(r->target), &target, &cli_sink);
        if (!s) s = sw_container_pick(r->container, &target, r->kernel, &index, &cli_sink);
        if (s) return s;
        r->entry = (long)index;
    } else if (r->kernel && r->entry < 0 && !r->all && devices != 1) {
        sw_status s = sw_container_pick(r->container, NULL, r->kernel, &index, &cli_sink);
        if (s) return s;
        r->entry = (long)index;
    } else if (r->entry < 0 && !r->all) {
        if (devices == 1)
            r->entry = (long)last;
        else if (r->directory)
            r->all = true;
    }
    return SW_OK;
}

static sw_status run(struct request *r, struct text *t) {
    struct file f;
    sw_status s = file_open(&f, r->file, &cli_sink);
    if (s) return s;
    if (sw_terascale_is_object(f.data, f.size)) {
        s = terascale_obj(&f, r->file, t);
        file_close(&f);
        return s;
    }
    r->bytes = f.data;
    r->size = f.size;
    sw_container_options o = {.size = sizeof o, .name = r->file};
    s = sw_container_open(f.data, f.size, &o, &r->container, &cli_sink);
    if (!s) {
        r->count = sw_container_entry_count(r->container);
        s = choose(r);
        if (!s && r->directory && mkdir(r->directory, 0777) && errno != EEXIST)
            s = diag_fail(&cli_sink, SW_BAD_INPUT, &(sw_location){.file = r->directory}, "cannot create: %s",
                          strerror(errno));
        if (!s) s = print_entries(r, t);
        sw_container_close(r->container);
        free(r->fits);
    }
    file_close(&f);
    return s;
}

static int cmd_obj(int argc, char **argv) {
    struct scan scan = cli_scan(&command_obj, argc, argv);
    struct request r = {.entry = -1};
    char *end;
    for (int id; (id = cli_next(&scan)) != SCAN_END;) switch ((enum option)id) {
        case TARGET: r.target = scan.value; break;
        case ENTRY:
            r.entry = strtol(scan.value, &end, 10);
            if (*end || end == scan.value || r.entry < 0)
                return cli_usage("obj", "--entry takes a number, not '%s'", scan.value);
            break;
        case ALL: r.all = true; break;
        case KERNEL: r.kernel = scan.value; break;
        case KERNELS: r.kernels = true; break;
        case JSON: r.json = true; break;
        case METADATA: r.metadata = true; break;
        case LINES: r.lines = true; break;
        case CHECK: r.check = r.all = true; break;
        case EXTRACT: r.directory = scan.value; break;
        case SCAN_POSITIONAL:
            if (r.file) return cli_usage("obj", "one file at a time, not also '%s'", scan.value);
            r.file = scan.value;
            break;
        case SCAN_ERROR:
        case SCAN_HELP: return cli_early(id);
        }
    if (!r.file) return cli_usage("obj", "which file?");
    if (r.kernels && r.json)
        return cli_usage("obj", "--kernels is text; --json without it has all that and more");
    struct text t = {0};
    int status = run(&r, &t);
    return cli_finish(&t, status);
}

const struct cli_command command_obj = {
    .name = "obj",
    .run = cmd_obj,
    .what = "show the contents of a code object, bundle or host program",
    .synopsis = "[OPTION...] FILE",
    .about =
        "Shows a code object: ELF header and tables, target id, notes, metadata, each field of the kernel "
        "descriptors, and the resources of kernels. If FILE holds several code objects (an offload bundle, a "
        "host program or library), it prints a list of them; choose one with an option to see it in full.",
    CLI_OPTIONS(options),
    .examples =
        "softwave obj kernel.co\n"
        "softwave obj --kernels kernel.co\n"
        "softwave obj -k saxpy kernel.co\n"
        "softwave obj libexample.so\n"
        "softwave obj --target=gfx90a:xnack- libexample.so\n"
        "softwave obj --extract=out --target=gfx90a -k saxpy libexample.so\n"
        "clang -target amdgcn-amd-amdhsa -mcpu=gfx1100 -nogpulib -c -o - k.cl | softwave obj --json -\n",
    .operand = "FILE",
};
