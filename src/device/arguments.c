// SPDX-License-Identifier: MIT
// Hidden kernel arguments: what a runtime fills in behind the explicit ones (META-22, META-31 to META-37).
#include <string.h>

#include "device/device.h"

static uint64_t hidden_value(const sw_dispatch *q, const sw_argument *a, uint32_t dynamic_lds) {
    int axis = 0;
    switch (a->value_kind) {
    case SW_VALUE_HIDDEN_BLOCK_COUNT_Z: axis++;                                // fall through
    case SW_VALUE_HIDDEN_BLOCK_COUNT_Y: axis++;                                // fall through
    case SW_VALUE_HIDDEN_BLOCK_COUNT_X: return q->grid[axis] / q->block[axis]; // full groups only (META-31)
    case SW_VALUE_HIDDEN_GROUP_SIZE_Z: axis++;                                 // fall through
    case SW_VALUE_HIDDEN_GROUP_SIZE_Y: axis++;                                 // fall through
    case SW_VALUE_HIDDEN_GROUP_SIZE_X: return q->block[axis];
    case SW_VALUE_HIDDEN_REMAINDER_Z: axis++; // fall through
    case SW_VALUE_HIDDEN_REMAINDER_Y: axis++; // fall through
    case SW_VALUE_HIDDEN_REMAINDER_X: return q->grid[axis] % q->block[axis];
    case SW_VALUE_HIDDEN_GRID_DIMS: return q->grid[2] > 1 ? 3 : q->grid[1] > 1 ? 2 : 1;
    case SW_VALUE_HIDDEN_DYNAMIC_LDS_SIZE: return dynamic_lds;
    case SW_VALUE_HIDDEN_PRIVATE_BASE: return SW_PRIVATE_APERTURE >> 32;
    case SW_VALUE_HIDDEN_SHARED_BASE: return SW_SHARED_APERTURE >> 32;
    case SW_VALUE_HIDDEN_PRINTF_BUFFER: return printf_address(q->executable);
    default: return 0; // global offsets, and services that are not there
    }
}

static bool is_service(sw_value_kind k) {
    return k == SW_VALUE_HIDDEN_HOSTCALL_BUFFER || k == SW_VALUE_HIDDEN_DEFAULT_QUEUE ||
           k == SW_VALUE_HIDDEN_COMPLETION_ACTION || k == SW_VALUE_HIDDEN_MULTIGRID_SYNC_ARG ||
           k == SW_VALUE_HIDDEN_HEAP_V1 || k == SW_VALUE_HIDDEN_QUEUE_PTR;
}

size_t sw_kernel_unserved_arguments(const sw_kernel *kernel, const char **names, size_t capacity) {
    size_t count = 0;
    for (size_t i = 0; i < kernel->argument_count; i++) {
        if (!is_service(kernel->arguments[i].value_kind)) continue;
        if (count < capacity) names[count] = kernel->arguments[i].value_kind_name;
        count++;
    }
    return count;
}

sw_status sw_device_fill_hidden_arguments(const sw_device *d, const sw_kernel *kernel,
                                          const sw_dispatch *given, uint32_t dynamic_lds, void *kernarg) {
    (void)d;
    sw_dispatch dispatch;
    const sw_status status = sized_take(dispatch_kind, &dispatch, given, NULL);
    if (status) return status;
    for (size_t i = 0; i < kernel->argument_count; i++) {
        const sw_argument *a = &kernel->arguments[i];
        if (!sw_value_kind_is_hidden(a->value_kind) ||
            !in_range(a->offset, a->size, kernel->kernarg_segment_size))
            continue;
        uint64_t v = hidden_value(&dispatch, a, dynamic_lds);
        memset((char *)kernarg + a->offset, 0, a->size);
        memcpy((char *)kernarg + a->offset, &v, a->size < 8 ? a->size : 8);
    }
    return SW_OK;
}
