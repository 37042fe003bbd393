// SPDX-License-Identifier: MIT
// Copies and fills: jobs like dispatches, whose pieces workers claim as they claim work-groups. What is small
// is done at once, in the thread that asks.
#include <string.h>

#include "base/diag.h"
#include "device/device.h"

enum { PIECE = 1 << 20, AT_ONCE = 16 << 10 };

// Bytes from the first to the last of a box. False: more than there are.
static bool extent(uint64_t bytes, uint64_t rows, uint64_t pitch, uint64_t slices, uint64_t slice,
                   uint64_t *out) {
    uint64_t a, b;
    return !__builtin_mul_overflow(rows - 1, pitch, &a) && !__builtin_mul_overflow(slices - 1, slice, &b) &&
           !__builtin_add_overflow(a, b, &a) && !__builtin_add_overflow(a, bytes, out);
}

// Rows without gaps are one row, and slices of one row are rows.
static void flatten(struct transfer *t) {
    if (!t->from && t->bytes % t->value_bytes) return; // each row begins the value anew
    for (int twice = 0; twice < 2; twice++) {
        if (t->rows > 1 && t->to_pitch == t->bytes && (!t->from || t->from_pitch == t->bytes)) {
            t->bytes *= t->rows;
            t->rows = 1;
        }
        if (t->rows > 1) return;
        t->rows = t->slices;
        t->to_pitch = t->to_slice, t->from_pitch = t->from_slice;
        t->slices = 1;
    }
}

// How many pieces there are. What overlaps is one, moved forwards.
static uint64_t cut(struct transfer *t, bool overlaps) {
    const uint64_t rows = t->rows * t->slices;
    if (!t->bytes) return 0;
    const uint64_t units = rows == 1 ? t->bytes : rows;
    t->piece = overlaps ? units : rows == 1 ? PIECE : t->bytes < PIECE ? PIECE / t->bytes : 1;
    return (units + t->piece - 1) / t->piece;
}

static sw_status prepare(struct transfer *t, const sw_transfer *o, uint64_t *pieces, const sw_sink *sink) {
    *t = (struct transfer){
        .to = (char *)(uintptr_t)host_address((uint64_t)(uintptr_t)o->to),
        .from = (const char *)(uintptr_t)host_address((uint64_t)(uintptr_t)o->from),
        .bytes = o->bytes,
        .rows = o->rows ? o->rows : 1,
        .slices = o->slices ? o->slices : 1,
        .to_pitch = o->to_pitch ? o->to_pitch : o->bytes,
        .from_pitch = o->from_pitch ? o->from_pitch : o->bytes,
        .value = o->value,
        .value_bytes = o->value_bytes ? o->value_bytes : 1,
    };
    uint64_t whole, to_bytes = 0, from_bytes = 0;
    const bool is_size = t->value_bytes <= 8 && !(t->value_bytes & (t->value_bytes - 1));
    if (!is_size)
        return diag_fail(sink, SW_USAGE, NULL, "a value to fill with has 1, 2, 4 or 8 bytes, not %u",
                         t->value_bytes);
    bool fits = !__builtin_mul_overflow(t->rows, t->slices, &whole) &&
                !__builtin_mul_overflow(whole, t->bytes, &whole) &&
                !__builtin_mul_overflow(t->rows, t->to_pitch, &t->to_slice) &&
                !__builtin_mul_overflow(t->rows, t->from_pitch, &t->from_slice);
    if (o->to_slice) t->to_slice = o->to_slice;
    if (o->from_slice) t->from_slice = o->from_slice;
    fits = fits && extent(t->bytes, t->rows, t->to_pitch, t->slices, t->to_slice, &to_bytes) &&
           extent(t->bytes, t->rows, t->from_pitch, t->slices, t->from_slice, &from_bytes);
    const uint64_t to = (uint64_t)(uintptr_t)t->to, from = (uint64_t)(uintptr_t)t->from;
    if (!fits || to_bytes > UINTPTR_MAX - to || (from && from_bytes > UINTPTR_MAX - from) ||
        (!to && t->bytes))
        return diag_fail(sink, SW_USAGE, NULL, "what is to be moved does not lie in memory");
    flatten(t);
    *pieces = cut(t, from && to < from + from_bytes && from < to + to_bytes);
    return SW_OK;
}

static uint64_t transfer_bytes(const struct transfer *t) { return t->bytes * t->rows * t->slices; }

sw_status sw_device_transfer(sw_device *d, const sw_transfer *transfer, const sw_submit_options *options,
                             sw_job **out, const sw_sink *sink) {
    *out = NULL;
    sw_transfer o;
    sw_status status = sized_take(SIZED(sw_transfer, value_bytes), &o, transfer, sink);
    if (status) return status;
    if (!device_enter(d)) return diag_fail(sink, SW_USAGE, NULL, "the device is being destroyed");
    struct sw_job *job = NULL;
    bool is_small = false;
    status = job_create(d, options, &job, sink);
    if (status == SW_OK) {
        job->dispatch.transfer = &job->transfer;
        status = prepare(&job->transfer, &o, &job->dispatch.group_total, sink);
        is_small = status == SW_OK && transfer_bytes(&job->transfer) <= AT_ONCE;
        if (status == SW_OK && !is_small) status = workers_begin(&d->pool, sink);
        if (status != SW_OK) job_discard(job);
    }
    if (status == SW_OK) {
        *out = job; // before `done` may ask for it
        if (is_small)
            job_run_here(job);
        else
            dispatch_enqueue(&job->dispatch, false);
    }
    device_leave(d);
    return status;
}
