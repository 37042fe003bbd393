// SPDX-License-Identifier: MIT
// `run` for the R600 family.
#include <stdlib.h>
#include <string.h>

#include "cli/terascale/launch.h"

static sw_status choose_sizes(struct job *j, sw_terascale_run_options *r) {
    for (unsigned i = 0; i < 3; i++) {
        if (!j->has_block) j->block[i] = i ? 1 : j->has_grid && j->grid[0] < 256 ? j->grid[0] : 256;
        if (!j->has_grid) j->grid[i] = j->block[i];
        if (j->grid[i] % j->block[i])
            return (sw_status)cli_usage("run",
                                        "the grid is a number of whole work-groups on the R600 family");
        r->groups[i] = j->grid[i] / j->block[i];
        r->group_size[i] = j->block[i];
    }
    return SW_OK;
}

typedef ARRAY(sw_terascale_memory) memory_list;
// Buffers that --buffer names as what they are: "rat3", "return3", "scatter", "gds", "simd_gprs".
static bool name_memories(const struct launch *l, memory_list *out) {
    static const struct {
        const char *name;
        sw_terascale_space space;
    } kinds[] = {{"rat", SW_TERASCALE_RAT},
                 {"return", SW_TERASCALE_RAT_RETURN},
                 {"scatter", SW_TERASCALE_SCATTER},
                 {"gds", SW_TERASCALE_GDS},
                 {"simd_gprs", SW_TERASCALE_SIMD_GPRS}};
    for (size_t i = 0; i < l->run.buffers.count; i++) {
        const struct buffer *b = &l->run.buffers.items[i];
        for (unsigned k = 0; b->name && k < sizeof kinds / sizeof *kinds; k++) {
            const size_t n = strlen(kinds[k].name);
            const bool numbered = kinds[k].space <= SW_TERASCALE_RAT_RETURN;
            char *end = b->name;
            if (strncmp(b->name, kinds[k].name, n)) continue;
            const unsigned long number = numbered ? strtoul(b->name + n, &end, 10) : 0;
            if (numbered ? end == b->name + n || *end : b->name[n] != 0) continue;
            const sw_terascale_memory memory = {.size = sizeof memory,
                                                .space = kinds[k].space,
                                                .number = number > 99 ? 99 : (unsigned)number,
                                                .data = b->memory,
                                                .bytes = b->size};
            if (!array_push(out, memory)) return false;
        }
    }
    return true;
}

static sw_status run_one(struct launch *l, struct job *j, struct text *t) {
    sw_terascale_run_options r = {.size = sizeof r, .name = l->o->file, .function = j->kernel_name};
    sw_terascale_setup s = {.size = sizeof s,
                            .seconds = l->o->timeout,
                            .max_steps = l->o->limit,
                            .strict = l->o->device.exact_only};
    uint32_t declared = 0;
    memory_list memories = {0};
    sw_status status = sw_terascale_lds(l->object, l->size, j->kernel_name, &declared, &cli_sink);
    l->lds = declared;
    if (!status) status = launch_place(l, j);
    if (!status) status = choose_sizes(j, &r);
    if (!status && !name_memories(l, &memories)) status = SW_NO_MEMORY;
    r.arguments = l->arguments;
    r.arguments_size = l->length;
    r.setup = &s;
    s.buffers = l->buffers.items;
    s.buffer_count = l->buffers.count;
    r.dynamic_lds = l->lds - declared + j->dynamic_lds;
    s.memories = memories.items;
    s.memory_count = memories.count;
    if (!status) status = sw_terascale_run(l->object, l->size, &r, &cli_sink);
    if (!status) status = run_outputs(&l->run, t);
    array_free(&memories);
    return status;
}

bool terascale_can_run(const struct file *f, const struct run_settings *o) {
    sw_target target = {0};
    if (sw_terascale_is_object(f->data, f->size)) return true;
    return run_is_assembly(o->file) && o->target &&
           !sw_target_choose(o->target, strlen(o->target), &target, NULL) &&
           sw_terascale_processor(target.processor);
}

sw_status terascale_run(const struct file *f, const struct run_settings *o, struct text *t) {
    if (o->jobs.count != 1 || o->tracing || o->stats || o->symbols.count)
        return (sw_status)cli_usage("run",
                                    "--then, --trace, --stats and --symbol are not for the R600 family");
    struct launch *l = calloc(1, sizeof *l);
    if (!l) return SW_NO_MEMORY;
    struct job *j = &o->jobs.items[0];
    sw_status status = launch_open(l, f, o);
    if (!status) status = run_one(l, j, t);
    if (o->fidelity && l->object && (!status || status == SW_FAULTED || status == SW_UNSUPPORTED)) {
        const sw_status shown = launch_show_fidelity(l, j->kernel_name, t);
        if (!status) status = shown;
    }
    launch_close(l);
    free(l);
    return status;
}
