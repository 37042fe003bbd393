// SPDX-License-Identifier: MIT
// The list of kernels that `softwave obj --kernels` prints, and that `softwave run` shows to who named none
// of them.
#include "cli/kernels.h"

#include <string.h>

// "saxpy(float*, float*, float)": from the mangled name, or from what the metadata says of the arguments.
static void signature(struct text *t, const sw_kernel *k) {
    char text[4096];
    if (sw_demangle(k->name, text, sizeof text)) {
        text_name(t, text, strlen(text));
        return;
    }
    text_name(t, k->name, strlen(k->name));
    if (!k->has_metadata) return;
    text_puts(t, "(");
    for (size_t i = 0, n = 0; i < k->argument_count; i++) {
        const sw_argument *a = sw_kernel_argument(k, i);
        if (sw_value_kind_is_hidden(a->value_kind)) continue;
        if (n++) text_puts(t, ", ");
        if (a->type_name)
            text_name(t, a->type_name, strlen(a->type_name));
        else if (a->value_kind == SW_VALUE_BY_VALUE)
            text_printf(t, "%u bytes", a->size);
        else if (a->value_kind == SW_VALUE_DYNAMIC_SHARED_POINTER)
            text_puts(t, "local pointer");
        else
            text_puts(t, a->value_kind == SW_VALUE_GLOBAL_BUFFER ? "pointer" : "handle");
        if (!a->name) continue;
        text_puts(t, " ");
        text_name(t, a->name, strlen(a->name));
    }
    text_puts(t, ")");
}

static void one(struct text *t, const sw_object *object, const sw_kernel *k) {
    text_puts(t, "  ");
    signature(t, k);
    text_puts(t, "\n");
    if (!strncmp(k->name, "_Z", 2)) {
        text_puts(t, "      symbol ");
        text_name(t, k->name, strlen(k->name));
        text_puts(t, "\n");
    }
    if (!k->has_descriptor) {
        text_puts(t, "      no descriptor: cannot be run\n");
        return;
    }
    const sw_kernel_descriptor *d = k->descriptor;
    uint32_t lds = k->group_segment_fixed_size > d->group_segment_fixed_size ? k->group_segment_fixed_size
                                                                             : d->group_segment_fixed_size;
    text_printf(t, "      wave%u, %u VGPRs", d->wavefront_size, d->vgprs);
    if (k->agpr_count) text_printf(t, " (%u of them AGPRs)", k->agpr_count);
    text_printf(t, ", %u SGPRs, %u bytes of LDS, %u of scratch%s, %u of arguments", d->sgprs, lds,
                d->private_segment_fixed_size, d->uses_dynamic_stack ? " and more for calls" : "",
                k->has_metadata ? k->kernarg_segment_size : d->kernarg_size);
    if (k->max_flat_workgroup_size)
        text_printf(t, ", up to %u work-items a group", k->max_flat_workgroup_size);
    const sw_target *target = sw_object_target(object);
    const char *limit = NULL;
    if (target && target->processor) {
        unsigned waves = sw_kernel_occupancy(k, target->processor, 0, 0, &limit);
        text_printf(t, ", occupancy %u%s%s", waves, limit && strcmp(limit, "waves") ? " by " : "",
                    limit && strcmp(limit, "waves") ? limit : "");
    }
    text_puts(t, "\n");
}

void kernels_list(struct text *t, const sw_object *object, const char *name, size_t most) {
    size_t shown = 0, meant = 0;
    const sw_kernel *k;
    if (name) meant = sw_object_match_kernels(object, name, NULL, 0);
    for (size_t i = 0; (k = sw_object_kernel(object, i)); i++) {
        if (meant && !sw_kernel_is_called(k, name)) continue;
        if (shown++ < most) one(t, object, k);
    }
    if (shown > most) text_printf(t, "  and %zu more\n", shown - most);
    if (!sw_object_kernel_count(object)) text_puts(t, "  no kernels\n");
}

const sw_kernel *kernels_find(const sw_object *object, const char *name, const char *file) {
    enum { SHOWN = 20 };
    const size_t count = sw_object_kernel_count(object);
    const sw_kernel *found = NULL;
    size_t meant = name ? sw_object_match_kernels(object, name, &found, 1) : count;
    if (!name && count == 1) found = sw_object_kernel(object, 0);
    if (meant == 1 && found) return found;
    sw_location at = {.file = file};
    const sw_kernel *similar = name && !meant ? sw_object_similar_kernel(object, name) : NULL;
    struct text t = {0};
    if (similar) {
        text_puts(&t, "; did you mean '");
        signature(&t, similar);
        text_puts(&t, "'?");
    }
    if (!name)
        diag_fail(&cli_sink, SW_USAGE, &at, "name the kernel with -k; there are %zu:", count);
    else if (meant)
        diag_fail(&cli_sink, SW_BAD_INPUT, &at, "kernel '%.200s' may be any of %zu:", name, meant);
    else
        diag_fail(&cli_sink, SW_BAD_INPUT, &at, "no kernel '%.200s'%s There %s %zu:", name,
                  t.data ? t.data : ".", count == 1 ? "is" : "are", count);
    t.length = 0;
    kernels_list(&t, object, name, SHOWN);
    if (t.data) fputs(t.data, stderr);
    text_free(&t);
    return NULL;
}
