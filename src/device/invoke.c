// SPDX-License-Identifier: MIT
// sw_device_launch: a kernel by its name, with its arguments one by one.
#include <stdio.h>
#include <string.h>

#include "base/diag.h"
#include "device/device.h"

enum { NAMES = 2, USUAL_BLOCK = 256, LOCAL_ALIGN = 16 };

static const struct sized launch_kind = SIZED(sw_launch, print_context);

static sw_status find_kernel(const sw_launch *l, const sw_kernel **out, const sw_sink *sink) {
    const sw_kernel *found[NAMES];
    if (!l->executable || !l->object || !l->kernel)
        return diag_fail(sink, SW_USAGE, NULL, "sw_launch names no executable, object or kernel");
    const size_t count = sw_object_match_kernels(l->object, l->kernel, found, NAMES);
    if (!count) return diag_fail(sink, SW_USAGE, NULL, "no kernel is called '%.200s'", l->kernel);
    if (count > 1)
        return diag_fail(sink, SW_USAGE, NULL, "'%.200s' may be any of %zu kernels", l->kernel, count);
    if (!found[0]->has_descriptor)
        return diag_fail(sink, SW_UNSUPPORTED, NULL, "kernel '%.200s' has no descriptor", l->kernel);
    *out = found[0];
    return SW_OK;
}

static void choose_sizes(const sw_launch *l, const sw_kernel *k, sw_dispatch *q) {
    const bool given = l->block[0] || l->block[1] || l->block[2];
    for (int i = 0; i < 3; i++) {
        q->grid[i] = l->grid[i] ? l->grid[i] : 1;
        q->block[i] = given                       ? l->block[i] ? l->block[i] : 1
                      : k->reqd_workgroup_size[0] ? k->reqd_workgroup_size[i]
                                                  : 1;
    }
    if (given || k->reqd_workgroup_size[0]) return;
    uint32_t most = k->max_flat_workgroup_size && k->max_flat_workgroup_size < USUAL_BLOCK
                        ? k->max_flat_workgroup_size
                        : USUAL_BLOCK;
    q->block[0] = q->grid[0] < most ? q->grid[0] : most;
}

// A __local pointer is an address in LDS, behind what the kernel itself has.
static uint64_t take_local(const sw_kernel *k, uint64_t bytes, uint32_t *dynamic_lds) {
    const uint64_t address =
        align_up(k->group_segment_fixed_size, LOCAL_ALIGN) + align_up(*dynamic_lds, LOCAL_ALIGN);
    *dynamic_lds = (uint32_t)(align_up(*dynamic_lds, LOCAL_ALIGN) + bytes);
    return address;
}

static sw_status put_argument(const sw_kernel *k, const sw_argument *a, size_t number,
                              const sw_kernel_value *v, uint8_t *block, uint32_t *dynamic_lds,
                              const sw_sink *sink) {
    if (!in_range(a->offset, a->size, k->kernarg_segment_size))
        return diag_fail(sink, SW_BAD_INPUT, NULL,
                         "kernel '%.200s': argument %zu lies outside the argument block", k->name, number);
    if (a->value_kind == SW_VALUE_DYNAMIC_SHARED_POINTER && !v->data) {
        if (v->bytes > UINT32_MAX / 2 || a->size < 4)
            return diag_fail(sink, SW_USAGE, NULL, "kernel '%.200s': argument %zu asks for %zu bytes of LDS",
                             k->name, number, v->bytes);
        const uint32_t address = (uint32_t)take_local(k, v->bytes, dynamic_lds);
        memcpy(block + a->offset, &address, 4);
        return SW_OK;
    }
    if (!v->data || v->bytes != a->size)
        return diag_fail(sink, SW_USAGE, NULL, "kernel '%.200s': argument %zu%s%s takes %u bytes, not %zu",
                         k->name, number, a->name ? ", " : "", a->name ? a->name : "", a->size,
                         v->data ? v->bytes : 0);
    memcpy(block + a->offset, v->data, a->size);
    return SW_OK;
}

static uint32_t block_size(const sw_kernel *k) {
    return k->has_metadata ? k->kernarg_segment_size : k->descriptor->kernarg_size;
}

// Without metadata, arguments lie one behind the other, each at a multiple of its size up to 8.
static sw_status put_unlisted(const sw_launch *l, const sw_kernel *k, uint8_t *block, const sw_sink *sink) {
    uint64_t at = 0;
    for (size_t i = 0; i < l->argument_count; i++) {
        const sw_kernel_value *v = &l->arguments[i];
        at = align_up(at, v->bytes >= 8 ? 8 : v->bytes >= 4 ? 4 : v->bytes ? v->bytes : 1);
        if (!v->data || !in_range(at, v->bytes, block_size(k)))
            return diag_fail(
                sink, SW_USAGE, NULL,
                "kernel '%.200s': argument %zu, %zu bytes, is not within its %u bytes of arguments", k->name,
                i, v->bytes, block_size(k));
        memcpy(block + at, v->data, v->bytes);
        at += v->bytes;
    }
    return SW_OK;
}

static sw_status put_arguments(const sw_launch *l, const sw_kernel *k, uint8_t *block, uint32_t *dynamic_lds,
                               const sw_sink *sink) {
    size_t wanted = 0;
    if (!k->argument_count && block_size(k)) return put_unlisted(l, k, block, sink);
    for (size_t i = 0; i < k->argument_count; i++)
        wanted += !sw_value_kind_is_hidden(k->arguments[i].value_kind);
    if (wanted != l->argument_count)
        return diag_fail(sink, SW_USAGE, NULL, "kernel '%.200s' takes %zu arguments, not %zu", k->name,
                         wanted, l->argument_count);
    sw_status status = SW_OK;
    for (size_t i = 0, n = 0; status == SW_OK && i < k->argument_count; i++)
        if (!sw_value_kind_is_hidden(k->arguments[i].value_kind)) {
            status = put_argument(k, &k->arguments[i], n, &l->arguments[n], block, dynamic_lds, sink);
            n++;
        }
    return status;
}

static void report_fault(const sw_kernel *k, const sw_fault *f, const sw_sink *sink) {
    char text[512], lane[32] = "";
    sw_fault_describe(f, text, sizeof text);
    if (f->lane >= 0) snprintf(lane, sizeof lane, ", lane %d", (int)f->lane);
    diag_fail(sink, SW_FAULTED, NULL, "kernel '%.200s' %s; code +0x%llx, work-group %u,%u,%u, wave %u%s",
              k->name, text, (unsigned long long)f->code_offset, f->group[0], f->group[1], f->group[2],
              f->wave, lane);
}

sw_status sw_device_launch(sw_device *d, const sw_launch *given, sw_fault *fault, const sw_sink *sink) {
    sw_launch own, *l = &own;
    const sw_kernel *k = NULL;
    sw_status status = sized_take(launch_kind, l, given, sink);
    if (!status) status = find_kernel(l, &k, sink);
    if (status) return status;
    uint8_t *block = sw_device_alloc(d, block_size(k) ? block_size(k) : 1);
    if (!block) return diag_fail(sink, SW_NO_MEMORY, NULL, "out of memory");
    sw_dispatch q = {.size = sizeof q,
                     .executable = l->executable,
                     .descriptor = sw_executable_base(l->executable) + k->descriptor_offset,
                     .kernarg = (uint64_t)(uintptr_t)block,
                     .timeout = l->timeout,
                     .print = l->print,
                     .print_context = l->print_context};
    uint32_t dynamic_lds = l->dynamic_lds;
    choose_sizes(l, k, &q);
    status = put_arguments(l, k, block, &dynamic_lds, sink);
    q.group_segment_size = k->group_segment_fixed_size;
    if (dynamic_lds)
        q.group_segment_size = (uint32_t)align_up(q.group_segment_size, LOCAL_ALIGN) + dynamic_lds;
    if (!status) status = sw_device_fill_hidden_arguments(d, k, &q, dynamic_lds, block);
    sw_fault own_fault = {.size = sizeof own_fault};
    if (!status) status = sw_device_run(d, &q, &own_fault, NULL, sink);
    if (own_fault.kind) report_fault(k, &own_fault, sink);
    if (fault) {
        const struct sized kind = SIZED(sw_fault, reason);
        if (!sized_check(kind, fault, NULL)) sized_fill(kind, fault, &own_fault);
    }
    sw_device_free(d, block);
    return status;
}
