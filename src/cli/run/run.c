// SPDX-License-Identifier: MIT
// softwave run: one or more kernels over buffers on a software GPU.
#include "cli/run/run.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/progress.h"
#include "cli/kernels.h"
#include "cli/terascale/terascale.h"

enum { MAX_WAVES = 1024 }; // that a report of those in flight looks at

static sw_status pick_object(const struct run_settings *o, const uint8_t *bytes, size_t size,
                             sw_container **container, sw_object **object) {
    sw_target wanted = {0};
    sw_status status;
    if (o->target && (status = sw_target_choose(o->target, strlen(o->target), &wanted, &cli_sink)) != SW_OK)
        return status;
    sw_container_options co = {.size = sizeof co, .name = o->file};
    if ((status = sw_container_open(bytes, size, &co, container, &cli_sink)) != SW_OK) return status;
    size_t index, length;
    const uint8_t *data;
    const sw_target *target = o->target ? &wanted : NULL;
    const char *kernel = o->jobs.items[0].kernel_name;
    status = sw_container_pick(*container, target, kernel, &index, NULL);
    // Where the target alone decides, what is wrong with the name can be told better.
    if (status != SW_OK && kernel) status = sw_container_pick(*container, target, NULL, &index, NULL);
    if (status != SW_OK) status = sw_container_pick(*container, target, kernel, &index, &cli_sink);
    if (status == SW_OK) status = sw_container_data(*container, index, &data, &length, &cli_sink);
    sw_object_options oo = {.size = sizeof oo, .name = o->file};
    if (status == SW_OK) status = sw_object_open(data, length, &oo, object, &cli_sink);
    return status;
}

static sw_status find_kernel(struct job *j, const sw_object *object, const char *file) {
    j->kernel = kernels_find(object, j->kernel_name, file);
    if (!j->kernel) return j->kernel_name ? SW_BAD_INPUT : SW_USAGE;
    if (j->kernel->has_descriptor) return SW_OK;
    if (sw_object_header(object)->code_object_version != 2)
        return diag_fail(&cli_sink, SW_BAD_INPUT, &(sw_location){.file = file},
                         "kernel '%s' has no descriptor", j->kernel->name);
    j->old = SW_INIT(sw_kernel);
    j->old_descriptor = SW_INIT(sw_kernel_descriptor);
    const sw_status status =
        sw_kernel_with_descriptor(object, j->kernel, &j->old, &j->old_descriptor, &cli_sink);
    j->kernel = &j->old;
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

static void drop_text(void *context, const char *text, size_t length) {
    (void)context, (void)text, (void)length;
}

// Hidden arguments whose service is here: hostcalls, and the heap of device malloc behind them.
static sw_status offer_hostcalls(struct run *r, const struct job *j) {
    for (size_t i = 0; i < j->kernel->argument_count; i++) {
        const sw_argument *a = sw_kernel_argument(j->kernel, i);
        const bool is_heap = a->value_kind == SW_VALUE_HIDDEN_HEAP_V1;
        if ((a->value_kind != SW_VALUE_HIDDEN_HOSTCALL_BUFFER && !is_heap) || a->size != 8 ||
            a->offset + 8 > j->kernel->kernarg_segment_size)
            continue;
        if (!r->hostcall && !(r->hostcall = hostcall_open(r->device)))
            return diag_fail(&cli_sink, SW_NO_MEMORY, NULL, "out of memory");
        const uint64_t address = is_heap ? hostcall_heap(r->hostcall) : hostcall_address(r->hostcall);
        if (!address) return diag_fail(&cli_sink, SW_NO_MEMORY, NULL, "out of memory");
        memcpy(j->kernarg + a->offset, &address, sizeof address);
    }
    return SW_OK;
}

// ---- A kernel that takes long ----

// A signal that ends the command; 0: none. The first one stops the kernel, so that a trace or profile of what
// it did so far is whole; the next one ends the command at once.
static volatile sig_atomic_t ending;
static const int endings[] = {SIGINT, SIGTERM, SIGHUP};
enum { ENDINGS = sizeof endings / sizeof *endings };

void run_end_as_asked(void) {
    if (!ending) return;
    fflush(NULL);
    raise(ending);
}
static void note_ending(int number) { ending = number; }
static void catch_endings(struct sigaction before[ENDINGS]) {
    struct sigaction once = {.sa_handler = note_ending, .sa_flags = (int)SA_RESETHAND};
    for (int i = 0; i < ENDINGS; i++) {
        sigaction(endings[i], NULL, &before[i]);
        if (before[i].sa_handler != SIG_IGN) sigaction(endings[i], &once, NULL);
    }
}
static void release_endings(const struct sigaction before[ENDINGS]) {
    for (int i = 0; i < ENDINGS; i++) sigaction(endings[i], &before[i], NULL);
}

// On a terminal, it is shown how far it is.
static void show_progress(sw_job *job, struct progress *p, double waited) {
    sw_counts now = {.size = sizeof now};
    sw_job_look(job, NULL, &now);
    p->done = now.groups;
    p->seconds += waited;
    progress_show(p);
}

static sw_status dispatch(struct run *r, const struct job *j, const sw_dispatch *q, bool observed,
                          sw_fault *fault, sw_counts *counts) {
    const bool shows = !r->tracer && progress_is_possible();
    if (!observed && !shows) return sw_device_run(r->device, q, fault, counts, &cli_sink);
    enum { LOOKS = 20 }; // for a signal, in a second
    sw_job *job;
    const sw_status status = sw_device_submit(r->device, q, NULL, &job, &cli_sink);
    if (status != SW_OK) return status;
    struct progress p = {.kernel = j->kernel->name,
                         .gpu = sw_processor_name(sw_device_target(r->device)->processor),
                         .all = 1};
    for (int i = 0; i < 3; i++) p.all *= ((uint64_t)q->grid[i] + q->block[i] - 1) / q->block[i];
    if (q->group_count) p.all = q->group_count;
    struct sigaction before[ENDINGS];
    if (observed) catch_endings(before);
    double waited = 0, due = (double)progress_after() * 1e-9;
    for (double wait; wait = observed && due > 1.0 / LOOKS ? 1.0 / LOOKS : due, !sw_job_wait(job, wait);) {
        waited += wait;
        if (observed && ending) sw_job_stop(job);
        if (waited < due) continue;
        if (shows) show_progress(job, &p, waited);
        waited = 0;
        due = (double)progress_every() * 1e-9;
    }
    if (shows) progress_clear();
    if (observed) release_endings(before);
    return sw_job_finish(job, fault, counts, &cli_sink);
}

static sw_status run_job(struct run *r, size_t index, struct run_settings *o, const sw_object *object,
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
                     .print = o->seeds && o->device.weak ? drop_text : print_text};
    if (j->dynamic_lds) q.group_segment_size = ((k->group_segment_fixed_size + 15) & ~15u) + j->dynamic_lds;
    memcpy(q.grid, j->grid, sizeof q.grid);
    memcpy(q.block, j->block, sizeof q.block);
    sw_device_fill_hidden_arguments(r->device, k, &q, j->dynamic_lds, j->kernarg);
    if ((status = offer_hostcalls(r, j)) != SW_OK) return status;
    tracer_kernel(r->tracer, k->name, &q);
    q.private_segment_size = o->stack;
    q.print_limit = o->print_limit;
    if ((status = run_share_begin(r, o, k, object, &q)) != SW_OK) return status;
    sw_fault fault = {.size = sizeof fault};
    sw_counts counts = {.size = sizeof counts};
    sw_wave_state *waves = q.waves = calloc(MAX_WAVES, sizeof *waves);
    if (!waves) return SW_NO_MEMORY;
    waves->size = sizeof *waves;
    q.wave_capacity = MAX_WAVES;
    status = run_profile_begin(o, &q);
    if (!status) status = dispatch(r, j, &q, o->tracing || o->profiling, &fault, &counts);
    hostcall_rest(r->hostcall);
    if (fault.kind == SW_FAULT_STOPPED && ending)
        fprintf(stderr, "softwave: kernel %s was stopped by a signal (%s)\n", k->name, strsignal(ending));
    else if (fault.kind)
        run_fault(&fault, r, k, object, waves, MAX_WAVES);
    if (status == SW_OK) status = run_share_end(r, o);
    if (status == SW_FAULTED && run_needs_service(&fault, k)) status = SW_UNSUPPORTED;
    free(waves);
    if (o->stats) run_stats(t, r->device, k, &counts, o->json);
    if (!status || status == SW_FAULTED) {
        const sw_status profiled = run_profile_end(o, r, k, object, t);
        if (!status) status = profiled;
    }
    return status;
}

static void print_dump(void *context, const char *phase, const char *text, size_t length) {
    (void)context;
    fprintf(stderr, "; ---- behind %s\n", phase);
    fwrite(text, 1, length, stderr);
}

static void written(void *context, uint64_t address, uint64_t last) {
    (void)address, (void)last;
    hostcall_written(((struct run *)context)->hostcall);
}
static void exported(void *context, const sw_export *e) { exports_take(((struct run *)context)->exports, e); }

static sw_status run_all(struct run_settings *o, sw_object *object, struct text *t) {
    struct run r = {
        .tracer = o->tracer, .jobs = o->jobs.items, .job_count = o->jobs.count, .shared = o->shares};
    sw_status status = SW_OK;
    for (size_t i = 0; status == SW_OK && i < r.job_count; i++) {
        status = find_kernel(&r.jobs[i], object, o->file);
        if (status == SW_OK) status = choose_sizes(&r.jobs[i]);
    }
    if (status == SW_OK) status = run_check_features(&r, sw_object_target(object), o->wave, o->mattr);
    if (status == SW_OK && o->exporting && !(r.exports = exports_open())) status = SW_NO_MEMORY;
    const sw_device_hooks hooks = {.size = sizeof hooks,
                                   .context = &r,
                                   .written = written,
                                   .dumped = print_dump,
                                   .exported = r.exports ? exported : NULL};
    o->device.hooks = &hooks;
    if (status == SW_OK) status = sw_device_create(&o->device, &r.device, &cli_sink);
    if (status == SW_OK) status = sw_device_load(r.device, object, NULL, NULL, &r.executable, &cli_sink);
    for (size_t i = 0; status == SW_OK && i < r.job_count; i++)
        run_warn_libclc(object, r.jobs[i].kernel, o->device.target.processor,
                        sw_executable_base(r.executable), o->file);
    if (status == SW_OK) tracer_object(r.tracer, object, sw_executable_base(r.executable));
    if (status == SW_OK) status = run_variables(&r, object, o->symbols.items, o->symbols.count);
    for (size_t i = 0; status == SW_OK && i < r.job_count; i++) status = run_job(&r, i, o, object, t);
    if (status == SW_OK && !o->shares) status = o->seeds ? run_seed_outputs(o, &r, t) : run_outputs(&r, t);
    if (o->fidelity && r.executable) run_fidelity(t, r.device, r.executable);
    sw_device_destroy(r.device);
    status = exports_close(r.exports, o->exports_file, status, t);
    hostcall_close(r.hostcall);
    sw_changes_free(r.share);
    arena_free(&r.texts);
    array_free(&r.buffers);
    array_free(&r.argument_buffers);
    return status;
}

sw_status run_file(struct run_settings *o, struct text *t) {
    struct file f;
    sw_container *container = NULL;
    sw_object *object = NULL;
    uint8_t *assembled = NULL;
    size_t size;
    sw_status status = run_is_source(o->file) ? run_compile(o->file, o->target, o->wave, &f)
                                              : file_open(&f, o->file, &cli_sink);
    if (status != SW_OK) return status;
    size = f.size;
    if (terascale_can_run(&f, o)) {
        if (o->shares)
            status = diag_fail(&cli_sink, SW_UNSUPPORTED, NULL,
                               "--shard: kernels of the R600 family do not run in shares");
        else if (o->device.weak)
            status = diag_fail(&cli_sink, SW_UNSUPPORTED, NULL,
                               "--weak: the R600 family has no memory model to be weak by");
        else
            status = terascale_run(&f, o, t);
        file_close(&f);
        return status;
    }
    if (o->limit) {
        file_close(&f);
        return (sw_status)cli_usage("run", "--limit is for the R600 family");
    }
    if (run_is_assembly(o->file)) status = run_assemble_kernel(o->file, &f, o, &assembled, &size);
    if (status == SW_OK) status = pick_object(o, assembled ? assembled : f.data, size, &container, &object);
    if (status == SW_OK) {
        o->device.target = *sw_object_target(object);
        o->device.count = o->stats;
        if (o->target) status = sw_target_choose(o->target, strlen(o->target), &o->device.target, &cli_sink);
        if (status == SW_OK && o->tracing)
            status = tracer_open(o->trace, o->device.target.processor, &o->tracer);
        if (status == SW_OK) status = o->weak_last ? run_seeds(o, object, t, run_all) : run_all(o, object, t);
        status = (sw_status)tracer_close(o->tracer, (int)status);
        status = run_profile_close(o, status);
    }
    sw_object_close(object);
    sw_container_close(container);
    sw_free(assembled);
    file_close(&f);
    return status;
}
