// SPDX-License-Identifier: MIT
// softwave merge: the shares of a kernel that `softwave run --shard` ran become its result.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/file.h"
#include "cli/commands.h"
#include "softwave/changes.h"

enum option { OUT, IN, SCAN_RESULTS };
static const struct cli_option options[] = {
    {OUT, 0, "out", "NAME=FILE",
     "write what the buffer holds after the run to FILE. NAME is the name of a buffer or variable, or @N for "
     "argument N. It may be given for several buffers"},
    {IN, 0, "in", "NAME=FILE",
     "what the buffer held before the run. It is needed for a buffer of more than 1M that was not filled "
     "with "
     "one value"},
};

struct request {
    ARRAY(const char *) files, outs, ins;
    ARRAY(sw_changes *) shares;
    sw_changes *merged;
};

// ---- Buffers ----

// The region that NAME=FILE is about, and FILE.
static sw_status find_region(const sw_changes *c, const char *text, const char *option, size_t *index,
                             const char **file) {
    sw_changes_info info = {.size = sizeof info};
    sw_region_info r = {.size = sizeof r};
    const char *eq = strchr(text, '=');
    if (!eq || eq == text || !eq[1])
        return (sw_status)cli_usage("merge", "--%s takes NAME=FILE, not '%s'", option, text);
    *file = eq + 1;
    const size_t n = (size_t)(eq - text);
    sw_changes_look(c, &info);
    for (*index = 0; *index < info.region_count; ++*index) {
        sw_changes_region(c, *index, &r);
        if (strlen(r.name) == n && !memcmp(r.name, text, n)) return SW_OK;
    }
    return diag_fail(&cli_sink, SW_USAGE, NULL, "--%s: the run had no buffer '%.*s'", option, (int)n, text);
}

// The file that --in names for the region; NULL: none.
static sw_status find_input(const struct request *q, size_t region, const char **file) {
    *file = NULL;
    for (size_t i = 0; i < q->ins.count; i++) {
        size_t index;
        const char *f;
        const sw_status status = find_region(q->merged, q->ins.items[i], "in", &index, &f);
        if (status != SW_OK) return status;
        if (index == region) *file = f;
    }
    return SW_OK;
}

static sw_status begin_with(const struct request *q, size_t region, const char *input, uint8_t *memory,
                            uint64_t bytes) {
    if (!input) return sw_changes_initial(q->merged, region, memory, bytes, &cli_sink);
    struct file f;
    sw_status status = file_open(&f, input, &cli_sink);
    if (status != SW_OK) return status;
    memcpy(memory, f.data, f.size < bytes ? f.size : bytes); // as buf:SIZE,in=FILE does
    file_close(&f);
    return SW_OK;
}

static sw_status write_buffer(const struct request *q, const char *text) {
    size_t region;
    const char *file, *input;
    sw_region_info r = {.size = sizeof r};
    sw_status status = find_region(q->merged, text, "out", &region, &file);
    if (status == SW_OK) status = find_input(q, region, &input);
    if (status != SW_OK) return status;
    sw_changes_region(q->merged, region, &r);
    if (!r.has_initial && !input)
        return (sw_status)cli_usage("merge", "%s needs --in=%s=FILE with what it held before the run", r.name,
                                    r.name);
    uint8_t *memory = calloc(r.bytes ? r.bytes : 1, 1);
    if (!memory) return diag_fail(&cli_sink, SW_NO_MEMORY, NULL, "out of memory");
    status = begin_with(q, region, input, memory, r.bytes);
    if (status == SW_OK) status = sw_changes_apply(q->merged, region, memory, r.bytes, &cli_sink);
    if (status == SW_OK) status = file_write(file, memory, r.bytes, &cli_sink);
    free(memory);
    return status;
}

// ---- The whole ----

static sw_status read_share(struct request *q, const char *name) {
    struct file f;
    sw_status status = file_open(&f, name, &cli_sink);
    if (status != SW_OK) return status;
    sw_changes *c;
    status = sw_changes_read(f.data, f.size, name, &c, &cli_sink);
    file_close(&f);
    if (status == SW_OK && !array_push(&q->shares, c)) {
        sw_changes_free(c);
        status = SW_NO_MEMORY;
    }
    return status;
}

static sw_status merge(struct request *q) {
    sw_status status = SW_OK;
    for (size_t i = 0; i < q->files.count; i++) { // all that is wrong is told
        const sw_status s = read_share(q, q->files.items[i]);
        if (status == SW_OK) status = s;
    }
    if (status != SW_OK) return status;
    return sw_changes_merge((const sw_changes *const *)q->shares.items, q->shares.count, &q->merged,
                            &cli_sink);
}

static void describe(struct text *t, const sw_changes *c) {
    sw_changes_info info = {.size = sizeof info};
    sw_changes_look(c, &info);
    text_name(t, info.kernel, strlen(info.kernel));
    text_puts(t, " on ");
    text_name(t, info.target, strlen(info.target));
    text_printf(t, ": %u share%s, %" PRIu64 " work-groups\n", info.shares, info.shares == 1 ? "" : "s",
                info.groups);
    for (size_t i = 0; i < info.region_count; i++) {
        sw_region_info r = {.size = sizeof r};
        sw_changes_region(c, i, &r);
        text_puts(t, "  ");
        text_name(t, r.name, strlen(r.name));
        text_printf(t, ": %" PRIu64 " of %" PRIu64 " bytes changed", r.changed, r.bytes);
        if (r.words) text_printf(t, ", %" PRIu64 " words joined", r.words);
        text_puts(t, "\n");
    }
}

static int take(struct request *q, int id, const char *value) {
    bool ok = true;
    switch ((enum option)id) {
    case OUT: ok = array_push(&q->outs, value); break;
    case IN: ok = array_push(&q->ins, value); break;
    case SCAN_POSITIONAL: ok = array_push(&q->files, value); break;
    case SCAN_ERROR:
    case SCAN_HELP: return SW_USAGE;
    }
    return ok ? SW_OK : SW_NO_MEMORY;
}

static int cmd_merge(int argc, char **argv) {
    struct scan scan = cli_scan(&command_merge, argc, argv);
    struct request q = {.merged = NULL};
    struct text t = {0};
    int status = SW_OK;
    bool done = false;
    for (int id; !status && !done && (id = cli_next(&scan)) != SCAN_END;) {
        done = id == SCAN_HELP;
        if (!done) status = take(&q, id, scan.value);
    }
    if (!status && !done && !q.files.count) status = cli_usage("merge", "no changes file given");
    if (!status && !done) {
        status = (int)merge(&q);
        for (size_t i = 0; !status && i < q.outs.count; i++) status = (int)write_buffer(&q, q.outs.items[i]);
        if (!status) describe(&t, q.merged);
    }
    for (size_t i = 0; i < q.shares.count; i++) sw_changes_free(q.shares.items[i]);
    sw_changes_free(q.merged);
    array_free(&q.shares);
    array_free(&q.files);
    array_free(&q.outs);
    array_free(&q.ins);
    return cli_finish(&t, status);
}

const struct cli_command command_merge = {
    .name = "merge",
    .run = cmd_merge,
    .what = "join the shares of a kernel that ran on several machines",
    .synopsis = "[OPTION...] CHANGES...",
    .about = "Joins what `softwave run --shard=I/N --changes=CHANGES` wrote for each share of a kernel, and "
             "prints how "
             "much of each buffer changed. With --out the buffers are written as the whole kernel would have "
             "left them.\n\n"
             "All shares must be there, and of one run; else the exit code is 2, and each missing share is "
             "named. What "
             "two shares changed differently is refused with exit code 5, the address and both shares. "
             "Atomic operations "
             "of a kind that commutes are joined: integer add and sub, and, or, xor, min, max; inc and dec "
             "only where "
             "their limit is the largest number.",
    CLI_OPTIONS(options),
    .examples = "softwave run --shard=1/2 --changes=1.changes -k saxpy -g 1024 kernels.o buf:4K,fill=f32:1 "
                "buf:4K,fill=f32:iota f32:2\n"
                "softwave run --shard=2/2 --changes=2.changes -k saxpy -g 1024 kernels.o buf:4K,fill=f32:1 "
                "buf:4K,fill=f32:iota f32:2\n"
                "softwave merge --out=@0=result.bin 1.changes 2.changes\n",
    .operand = "FILE",
};
