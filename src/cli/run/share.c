// SPDX-License-Identifier: MIT
// `softwave run --shard=I/N --changes=FILE`: a share of the work-groups, and what it changed as a file, which
// appears complete or not at all. `softwave merge` joins them.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "cli/run/run.h"

bool run_parse_share(const char *s, unsigned *share, unsigned *shares) {
    uint64_t i, n;
    const char *slash = strchr(s, '/');
    if (!slash || !run_parse_number(s, (size_t)(slash - s), &i) ||
        !run_parse_number(slash + 1, strlen(slash + 1), &n))
        return false;
    if (!i || i > n || n > UINT32_MAX) return false;
    *share = (unsigned)i;
    *shares = (unsigned)n;
    return true;
}

sw_status run_share_check(const struct run_settings *o) {
    if (!o->shares != !o->changes) return (sw_status)cli_usage("run", "--shard and --changes go together");
    if (o->shares && o->jobs.count > 1)
        return (sw_status)cli_usage(
            "run", "--shard is for one kernel: what --then runs needs the results of all shares");
    return SW_OK;
}

// Buffers and variables by name or number of argument; then the code object, for variables that nobody named.
static sw_status begin(struct run *r, const struct run_settings *o, const sw_kernel *k,
                       const sw_object *object, sw_dispatch *q, sw_region *regions, char (*names)[24]) {
    size_t count = 0;
    for (size_t i = 0; i < r->buffers.count; i++) {
        const struct buffer *b = &r->buffers.items[i];
        snprintf(names[i], sizeof *names, "@%zu", b->argument);
        regions[count++] = (sw_region){b->name ? b->name : names[i], b->memory, b->size};
    }
    regions[count++] = (sw_region){"code object", (void *)(uintptr_t)sw_executable_base(r->executable),
                                   sw_object_layout(object)->size};
    char setup[100];
    snprintf(setup, sizeof setup, "init %d %" PRIu64 " alignment %d", (int)o->device.init, o->device.seed,
             (int)o->device.alignment);
    const sw_changes_options options = {.size = sizeof options,
                                        .device = r->device,
                                        .kernel = k,
                                        .share = o->share,
                                        .shares = o->shares,
                                        .regions = regions,
                                        .region_count = count,
                                        .setup = setup};
    return sw_changes_begin(&options, q, &r->share, &cli_sink);
}

sw_status run_share_begin(struct run *r, const struct run_settings *o, const sw_kernel *k,
                          const sw_object *object, sw_dispatch *q) {
    if (!o->shares) return SW_OK;
    sw_region *regions = calloc(r->buffers.count + 1, sizeof *regions);
    char(*names)[24] = calloc(r->buffers.count + 1, sizeof *names);
    const sw_status status = regions && names ? begin(r, o, k, object, q, regions, names)
                                              : diag_fail(&cli_sink, SW_NO_MEMORY, NULL, "out of memory");
    free(regions);
    free(names);
    return status;
}

sw_status run_share_end(struct run *r, const struct run_settings *o) {
    if (!r->share) return SW_OK;
    if (hostcall_gave_memory(r->hostcall))
        return diag_fail(
            &cli_sink, SW_UNSUPPORTED, NULL,
            "the kernel allocates memory of its own, which cannot be told as changes of buffers: it "
            "cannot run in shares");
    uint8_t *bytes = NULL;
    size_t size = 0;
    sw_status status = sw_changes_end(r->share, &cli_sink);
    if (status == SW_OK) status = sw_changes_write(r->share, &bytes, &size, &cli_sink);
    if (status == SW_OK) status = file_write(o->changes, bytes, size, &cli_sink);
    sw_changes_free_bytes(bytes);
    return status;
}
