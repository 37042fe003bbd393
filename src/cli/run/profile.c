// SPDX-License-Identifier: MIT
// `softwave run --profile[=FILE]`: what each instruction of a kernel cost, to standard output as text, or to
// a file: JSON where its name ends in .json, folded stacks for flame graphs where it ends in .folded.
#include <string.h>

#include "cli/run/run.h"
#include "softwave/profile.h"

static bool add_text(void *context, const char *text, size_t length) {
    text_add(context, text, length);
    return true;
}

static bool ends_in(const char *s, const char *ending) {
    const size_t n = strlen(s), k = strlen(ending);
    return n >= k && !strcmp(s + n - k, ending);
}

sw_status run_profile_begin(struct run_settings *o, sw_dispatch *q) {
    if (!o->profiling) return SW_OK;
    sw_status status =
        o->profile ? SW_OK : sw_profile_create(o->device.target.processor, &o->profile, &cli_sink);
    if (status) return status;
    sw_profile_clear(o->profile);
    q->observe = sw_profile_step;
    q->observe_context = o->profile;
    return SW_OK;
}

sw_status run_profile_end(struct run_settings *o, const struct run *r, const sw_kernel *kernel,
                          const sw_object *object, struct text *t) {
    if (!o->profiling) return SW_OK;
    const char *file = o->profile_file;
    const bool json = file && ends_in(file, ".json"), folded = file && ends_in(file, ".folded");
    sw_profile_options w = {.size = sizeof w,
                            .write = add_text,
                            .context = file ? &o->profiled : t,
                            .format = json     ? SW_PROFILE_JSON
                                      : folded ? SW_PROFILE_FOLDED
                                               : SW_PROFILE_TEXT,
                            .kernel = kernel->name,
                            .object = object,
                            .base = sw_executable_base(r->executable)};
    if (json) text_puts(&o->profiled, o->profiled.length ? ",\n" : "[\n"); // an element a kernel
    return sw_profile_write(o->profile, &w, &cli_sink);
}

sw_status run_profile_close(struct run_settings *o, sw_status status) {
    if (o->profile_file && o->profiled.length && (!status || status == SW_FAULTED)) {
        if (ends_in(o->profile_file, ".json")) text_puts(&o->profiled, "\n]\n");
        const sw_status written =
            o->profiled.failed ? SW_NO_MEMORY
                               : file_write(o->profile_file, o->profiled.data, o->profiled.length, &cli_sink);
        if (!status) status = written;
    }
    sw_profile_destroy(o->profile);
    text_free(&o->profiled);
    return status;
}
