// SPDX-License-Identifier: MIT
// `softwave bundle`: puts the code for several targets into one file, lists it, takes it out again; with the
// options of clang-offload-bundler.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/bundle/bundle.h"
#include "cli/commands.h"

enum option {
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
    SCAN_RESULTS,
};
static const struct cli_option options[] = {
    {TYPE, 0, "type", "o|bc|gch|ast|i|ii|cui|hipi|d|ll|s|a",
     "the type of the files: o object, bc bitcode, gch and ast precompiled; i, ii, cui, hipi, d, ll and s "
     "text; "
     "a an archive of bundles, for --unbundle only"},
    {TARGETS, 0, "targets", "ID,...", "the target of each file"},
    {INPUT, 0, "input", "FILE", "a file for each target; with --unbundle and --list the bundle"},
    {INPUTS, 0, "inputs", "FILE,...", NULL},
    {OUTPUT, 0, "output", "FILE", "the bundle; with --unbundle a file for each target"},
    {OUTPUTS, 0, "outputs", "FILE,...", NULL},
    {UNBUNDLE, 0, "unbundle", NULL, "for each target, extract the file that is compatible with it"},
    {LIST, 0, "list", NULL, "print the ids in the bundle"},
    {MISSING, 0, "allow-missing-bundles", NULL,
     "if the bundle has no file for a target, write an empty file"},
    {CHECK, 0, "check-input-archive", NULL, "refuse an archive in which the ids of one bundle conflict"},
    {COMPATIBLE, 0, "hip-openmp-compatible", NULL,
     "treat code of kind hip and code of kind openmp as compatible"},
    {ALIGN, 0, "bundle-align", "N", "align each file of a binary bundle to N bytes"},
    {COMPRESS, 0, "compress", "[=zstd|zlib]", "compress the bundle"},
    {LEVEL, 0, "compression-level", "N", "the level of compression"},
    {VERSION, 0, "ccob-version", "1|2|3", "the header version of a compressed bundle (default 2)"},
};

static const struct bundle_type types[] = {{"o", NULL},    {"a", NULL}, {"bc", NULL}, {"gch", NULL},
                                           {"ast", NULL},  {"i", "//"}, {"ii", "//"}, {"cui", "//"},
                                           {"hipi", "//"}, {"d", "#"},  {"s", "#"},   {"ll", ";"}};

// Adds the comma-separated parts of `text`.
static bool add_list(struct bundle_request *r, strings *to, const char *text) {
    for (;;) {
        const size_t n = strcspn(text, ",");
        const char *part = arena_copy(&r->arena, text, n);
        if (!part || !array_push(to, part)) return false;
        if (!text[n]) return true;
        text += n + 1;
    }
}

static sw_status standardize(struct bundle_request *r) {
    for (size_t i = 0; i < r->targets.count; i++) {
        char text[SW_BUNDLE_ID_TEXT];
        sw_status s = sw_bundle_id_standardize(r->targets.items[i], text, &cli_sink);
        if (s) return s;
        if (!(r->targets.items[i] = arena_copy(&r->arena, text, strlen(text)))) return SW_NO_MEMORY;
    }
    return SW_OK;
}

static int number(const char *option, const char *text, unsigned long low, unsigned long high,
                  unsigned long *out) {
    char *end;
    *out = strtoul(text, &end, 0);
    if (*text >= '0' && *text <= '9' && !*end && *out >= low && *out <= high) return SW_OK;
    return cli_usage("bundle", "--%s takes a number from %lu to %lu, not '%s'", option, low, high, text);
}

static int take_option(struct bundle_request *r, int id, const char *value) {
    unsigned long n = 0;
    int status = SW_OK;
    bool ok = true;
    switch ((enum option)id) {
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
    case SCAN_ERROR:
    case SCAN_HELP: return cli_early(id);
    }
    return ok ? status : SW_NO_MEMORY;
}

static int cmd_bundle(int argc, char **argv) {
    struct scan scan = cli_scan(&command_bundle, argc, argv);
    struct bundle_request r = {.options.size = sizeof r.options};
    struct text t = {0};
    int status = SW_OK;
    for (int id; !status && (id = cli_next(&scan)) != SCAN_END;) {
        if (id == SCAN_HELP) return SW_OK;
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
        status = r.list || r.unbundle ? bundle_read_file(&r, &t) : bundle_write_files(&r);
    array_free(&r.targets);
    array_free(&r.inputs);
    array_free(&r.outputs);
    arena_free(&r.arena);
    return cli_finish(&t, status);
}

const struct cli_command command_bundle = {
    .name = "bundle",
    .run = cmd_bundle,
    .what = "bundle code for several targets into one file, list or extract it",
    .synopsis = "--type=TYPE --targets=ID,... --input=FILE... --output=FILE [OPTION...]\n"
                "--unbundle --type=TYPE --targets=ID,... --input=FILE --output=FILE... [OPTION...]\n"
                "--list [--type=TYPE] --input=FILE",
    .about =
        "Bundles files for several targets into one file, extracts them, or lists their ids. An ID is "
        "KIND-TRIPLE or KIND-TRIPLE-TARGETID. KIND is host, hip, hipv4 or openmp. The files stand in the "
        "same order as the ids.",
    CLI_OPTIONS(options),
    .examples = "softwave bundle --type=o "
                "--targets=host-x86_64-unknown-linux-gnu,hipv4-amdgcn-amd-amdhsa--gfx1100 \\\n"
                "    --input=/dev/null --input=kernel.co --output=kernel.hipfb --compress\n"
                "softwave bundle --list --input=kernel.hipfb\n"
                "softwave bundle --unbundle --type=o --targets=hip-amdgcn-amd-amdhsa--gfx1100 \\\n"
                "    --input=kernel.hipfb --output=k.co\n",
    .operand = "FILE",
};
