// SPDX-License-Identifier: MIT
// softwave run: one or more kernels over buffers on a software GPU.
#include "cli/run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"

enum {
    O_KERNEL,
    O_GRID,
    O_BLOCK,
    O_TARGET,
    O_LDS,
    O_THREADS,
    O_STATS,
    O_TRACE,
    O_TIMEOUT,
    O_INIT,
    O_LEVEL,
    O_THEN,
    O_FIDELITY,
    O_STACK,
    O_WAVE,
    O_MATTR,
    O_BUFFER,
    O_HELP
};
static const struct option options[] = {
    {'k', "kernel", 1, 0, O_KERNEL},   {'g', "grid", 1, 0, O_GRID},   {'b', "block", 1, 0, O_BLOCK},
    {0, "target", 1, 0, O_TARGET},     {0, "lds", 1, 0, O_LDS},       {'j', "threads", 1, 0, O_THREADS},
    {0, "stats", 0, 1, O_STATS},       {0, "trace", 0, 1, O_TRACE},   {0, "timeout", 1, 0, O_TIMEOUT},
    {0, "init", 1, 0, O_INIT},         {0, "level", 1, 0, O_LEVEL},   {0, "then", 0, 0, O_THEN},
    {0, "fidelity", 0, 0, O_FIDELITY}, {0, "stack", 1, 0, O_STACK},   {0, "wave", 1, 0, O_WAVE},
    {0, "mattr", 1, 0, O_MATTR},       {0, "buffer", 1, 0, O_BUFFER}, {'h', "help", 0, 0, O_HELP},
};

struct settings {
    const char *file, *target, *trace, *mattr;
    unsigned wave; // 0: the object's
    bool stats, json, tracing, fidelity;
    struct tracer *tracer;
    uint32_t stack;
    double timeout;
    sw_device_options device;
    ARRAY(struct job) jobs;
};

// 0, or the exit code; -1: help was printed.
static int parse(int argc, char **argv, struct settings *o) {
    struct scan scan = {.argc = argc, .argv = argv, .next = 1};
    array_push(&o->jobs, (struct job){0});
    for (;;) {
        int id = scan_next(&scan, options, sizeof options / sizeof *options);
        struct job *j = &o->jobs.items[o->jobs.count - 1];
        switch (id) {
        case SCAN_END: return o->file ? 0 : cli_usage("run", "no file given");
        case SCAN_ERROR: return SW_USAGE;
        case SCAN_POSITIONAL:
            if (!o->file)
                o->file = scan.value;
            else
                array_push(&j->arguments, scan.value);
            break;
        case O_KERNEL: j->kernel_name = scan.value; break;
        case O_GRID:
            if (!run_parse_size(scan.value, j->grid))
                return cli_usage("run", "bad grid size '%s'", scan.value);
            j->has_grid = true;
            break;
        case O_BLOCK:
            if (!run_parse_size(scan.value, j->block))
                return cli_usage("run", "bad work-group size '%s'", scan.value);
            j->has_block = true;
            break;
        case O_TARGET: o->target = scan.value; break;
        case O_LDS: j->dynamic_lds = (uint32_t)strtoul(scan.value, NULL, 0); break;
        case O_THREADS: o->device.threads = (unsigned)strtoul(scan.value, NULL, 0); break;
        case O_STATS:
            if (scan.value && strcmp(scan.value, "json"))
                return cli_usage("run", "--stats takes nothing or 'json'");
            o->stats = true, o->json = scan.value != NULL;
            break;
        case O_TRACE: o->tracing = true, o->trace = scan.value; break;
        case O_TIMEOUT: o->timeout = strtod(scan.value, NULL); break;
        case O_INIT:
            if (!run_parse_init(scan.value, &o->device))
                return cli_usage("run", "--init takes zero, pattern or random:SEED");
            break;
        case O_LEVEL: o->device.level = scan.value; break;
        case O_FIDELITY: o->fidelity = true; break;
        case O_STACK: o->stack = (uint32_t)strtoul(scan.value, NULL, 0); break;
        case O_WAVE:
            o->wave = (unsigned)strtoul(scan.value, NULL, 10);
            if (strcmp(scan.value, "32") && strcmp(scan.value, "64"))
                return cli_usage("run", "--wave takes 32 or 64");
            break;
        case O_MATTR: o->mattr = scan.value; break;
        case O_BUFFER: array_push(&j->buffers, scan.value); break;
        case O_THEN: array_push(&o->jobs, (struct job){0}); break;
        case O_HELP: fputs(run_help, stdout); return -1;
        }
    }
}

static sw_status pick_object(const struct settings *o, const uint8_t *bytes, size_t size,
                             sw_container **container, sw_object **object) {
    sw_target wanted = {0};
    sw_status status;
    if (o->target && (status = sw_target_parse(o->target, strlen(o->target), &wanted, &cli_sink)) != SW_OK)
        return status;
    sw_container_options co = {.size = sizeof co, .name = o->file};
    if ((status = sw_container_open(bytes, size, &co, container, &cli_sink)) != SW_OK) return status;
    size_t index, length;
    const uint8_t *data;
    status = sw_container_pick(*container, o->target ? &wanted : NULL, o->jobs.items[0].kernel_name, &index,
                               &cli_sink);
    if (status == SW_OK) status = sw_container_data(*container, index, &data, &length, &cli_sink);
    sw_object_options oo = {.size = sizeof oo, .name = o->file};
    if (status == SW_OK) status = sw_object_open(data, length, &oo, object, &cli_sink);
    return status;
}

static sw_status find_kernel(struct job *j, const sw_object *object) {
    size_t count;
    const sw_kernel *all = sw_object_kernels(object, &count);
    j->kernel = j->kernel_name ? sw_object_find_kernel(object, j->kernel_name) : count == 1 ? all : NULL;
    if (j->kernel && j->kernel->has_descriptor) return SW_OK;
    struct text names = {0};
    for (size_t i = 0; i < count && i < 20; i++) text_printf(&names, "%s%s", i ? ", " : "", all[i].name);
    if (!count) text_puts(&names, "none");
    sw_status status = j->kernel_name
                           ? diag_fail(&cli_sink, SW_BAD_INPUT, NULL, "no kernel '%s'; there are: %s",
                                       j->kernel_name, names.data)
                           : diag_fail(&cli_sink, SW_USAGE, NULL, "name the kernel with -k: %s", names.data);
    text_free(&names);
    return status;
}

static sw_status choose_sizes(struct job *j) {
    const sw_kernel *k = j->kernel;
    if (!j->has_block) {
        uint32_t most =
            k->max_flat_workgroup_size && k->max_flat_workgroup_size < 256 ? k->max_flat_workgroup_size : 256;
        for (int i = 0; i < 3; i++) j->block[i] = k->reqd_workgroup_size[0] ? k->reqd_workgroup_size[i] : 1;
        if (!k->reqd_workgroup_size[0]) j->block[0] = j->has_grid && j->grid[0] < most ? j->grid[0] : most;
    }
    if (!j->has_grid) memcpy(j->grid, j->block, sizeof j->grid);
    uint64_t items = (uint64_t)j->block[0] * j->block[1] * j->block[2];
    if (k->reqd_workgroup_size[0] && memcmp(k->reqd_workgroup_size, j->block, sizeof j->block))
        return diag_fail(&cli_sink, SW_USAGE, NULL, "kernel '%s' requires work-groups of %u,%u,%u", k->name,
                         k->reqd_workgroup_size[0], k->reqd_workgroup_size[1], k->reqd_workgroup_size[2]);
    if (k->max_flat_workgroup_size && items > k->max_flat_workgroup_size)
        return diag_fail(&cli_sink, SW_USAGE, NULL,
                         "kernel '%s' allows work-groups of %u work-items, %llu given", k->name,
                         k->max_flat_workgroup_size, (unsigned long long)items);
    return SW_OK;
}

static void print_text(void *context, const char *text, size_t length) {
    (void)context;
    fwrite(text, 1, length, stdout);
}

static sw_status run_job(struct run *r, size_t index, const struct settings *o, const sw_object *object,
                         struct text *t) {
    struct job *j = &r->jobs[index];
    sw_status status = run_arguments(r, index);
    if (status != SW_OK) return status;
    const sw_kernel *k = j->kernel;
    sw_dispatch q = {.size = sizeof q,
                     .executable = r->executable,
                     .descriptor = sw_executable_base(r->executable) + k->descriptor_offset,
                     .kernarg = (uint64_t)(uintptr_t)j->kernarg,
                     .group_segment_size = k->group_segment_fixed_size,
                     .timeout = o->timeout,
                     .dispatch_id = index + 1,
                     .print = print_text};
    if (j->dynamic_lds) q.group_segment_size = ((k->group_segment_fixed_size + 15) & ~15u) + j->dynamic_lds;
    memcpy(q.grid, j->grid, sizeof q.grid);
    memcpy(q.block, j->block, sizeof q.block);
    sw_fill_hidden_arguments(r->device, k, &q, j->dynamic_lds, j->kernarg);
    tracer_kernel(r->tracer, sw_executable_base(r->executable) + k->entry_offset);
    q.private_segment_size = o->stack ? k->private_segment_fixed_size + o->stack : 0;
    sw_fault fault;
    sw_counts counts;
    status = sw_device_run(r->device, &q, &fault, &counts, &cli_sink);
    if (fault.kind) run_fault(&fault, r, k, object);
    if (o->stats) run_stats(t, r->device, k, &counts, o->json);
    return status;
}

static sw_status run_all(struct settings *o, sw_object *object, struct text *t) {
    struct run r = {.tracer = o->tracer, .jobs = o->jobs.items, .job_count = o->jobs.count};
    sw_status status = SW_OK;
    for (size_t i = 0; status == SW_OK && i < r.job_count; i++) {
        status = find_kernel(&r.jobs[i], object);
        if (status == SW_OK) status = choose_sizes(&r.jobs[i]);
    }
    if (status == SW_OK) status = run_check_features(&r, sw_object_target(object), o->wave, o->mattr);
    if (status == SW_OK) status = sw_device_create(&o->device, &r.device, &cli_sink);
    if (status == SW_OK) status = sw_device_load(r.device, object, NULL, NULL, &r.executable, &cli_sink);
    for (size_t i = 0; status == SW_OK && i < r.job_count; i++) status = run_job(&r, i, o, object, t);
    if (status == SW_OK) status = run_outputs(&r, t);
    if (o->fidelity && r.executable) run_fidelity(t, r.device, r.executable);
    sw_device_destroy(r.device);
    arena_free(&r.texts);
    array_free(&r.buffers);
    array_free(&r.argument_buffers);
    return status;
}

static sw_status run_file(struct settings *o, struct text *t) {
    struct file f;
    sw_container *container = NULL;
    sw_object *object = NULL;
    uint8_t *assembled = NULL;
    size_t size;
    sw_status status = file_open(&f, o->file, &cli_sink);
    if (status != SW_OK) return status;
    size = f.size;
    if (run_is_assembly(o->file))
        status = run_assemble(o->file, &f, o->target, o->wave, o->mattr, &assembled, &size);
    if (status == SW_OK) status = pick_object(o, assembled ? assembled : f.data, size, &container, &object);
    if (status == SW_OK) {
        o->device.target = *sw_object_target(object);
        o->device.count = o->stats;
        if (o->target) status = sw_target_parse(o->target, strlen(o->target), &o->device.target, &cli_sink);
        if (status == SW_OK && o->tracing) status = tracer_open(o->trace, &o->device, &o->tracer);
        if (status == SW_OK) status = run_all(o, object, t);
        status = (sw_status)tracer_close(o->tracer, (int)status);
    }
    sw_object_close(object);
    sw_container_close(container);
    sw_asm_free(assembled);
    file_close(&f);
    return status;
}

int cmd_run(int argc, char **argv) {
    struct settings o = {.device = {.size = sizeof(sw_device_options)}};
    struct text t = {0};
    int code = parse(argc, argv, &o);
    if (!code) code = cli_finish(&t, (int)run_file(&o, &t));
    for (size_t i = 0; i < o.jobs.count; i++) {
        array_free(&o.jobs.items[i].arguments);
        array_free(&o.jobs.items[i].buffers);
    }
    array_free(&o.jobs);
    return code < 0 ? SW_OK : code;
}
