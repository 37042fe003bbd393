// SPDX-License-Identifier: MIT
// Faults of kernels, as the runtime's clients hear of them: memory faults by way of system events, others by
// the callback of the queue (TRAP-04, TRAP-05).
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hsa/queue/queue.h"
#include "hsa/tell/trace.h"

static bool is_memory_fault(const sw_fault *f) {
    return f->kind == SW_FAULT_READ || f->kind == SW_FAULT_WRITE || f->kind == SW_FAULT_ATOMIC ||
           f->kind == SW_FAULT_JUMP;
}

status fault_status(const sw_fault *f) {
    switch (f->kind) {
    case SW_FAULT_ALIGNMENT: return ST_MEMORY_APERTURE_VIOLATION;
    case SW_FAULT_ILLEGAL:
    case SW_FAULT_UNSUPPORTED: return ST_ILLEGAL_INSTRUCTION;
    case SW_FAULT_STOPPED: return ST_OUT_OF_RESOURCES;
    default: return ST_EXCEPTION;
    }
}

// In the library's words, but the timeout is the user's.
static void what_happened(const sw_fault *f, char *out, size_t size) {
    sw_fault bare = *f;
    bare.reason = NULL; // has a line of its own
    sw_fault_describe(&bare, out, size);
    if (f->kind == SW_FAULT_TIMEOUT)
        snprintf(out, size, "takes longer than --timeout (SOFTWAVE_TIMEOUT) allows, %g s",
                 running()->timeout);
}

// " (FILE:LINE)" where the object has line tables.
static void put_line(const sw_fault *f, const struct record *r, char *out, size_t size) {
    sw_lines *lines = NULL;
    if (!r->loaded->object || sw_lines_open(r->loaded->object, &lines, NULL) != SW_OK) return;
    const sw_line *line = sw_lines_find(lines, f->code_offset);
    if (line && line->file && line->line) snprintf(out, size, " (%s:%u)", line->file->name, line->line);
    sw_lines_close(lines);
}

static void describe(const struct queue *q, const sw_fault *f, const struct record *r) {
    const char *quiet = getenv("SOFTWAVE_FAULT");
    if (quiet && !strcmp(quiet, "quiet")) return;
    const struct symbol *k = loaded_kernel(r->loaded, r->packet.dispatch.kernel_object);
    char name[512], lane[24] = "", what[256], where[256] = "";
    kernel_name(k ? k->name : "(unknown)", name, sizeof name);
    if (f->lane >= 0) snprintf(lane, sizeof lane, ", lane %d", f->lane);
    what_happened(f, what, sizeof what);
    put_line(f, r, where, sizeof where);
    runtime_complain("fault: kernel %s on %s %s; pc +0x%llx%s, group (%u,%u,%u), wave %u%s", name,
                     q->agent->name, what, (unsigned long long)f->code_offset, where, f->group[0],
                     f->group[1], f->group[2], f->wave, lane);
    if (f->reason) runtime_complain("fault: %s", f->reason);
}

void fault_deliver(struct queue *q, const sw_fault *f, const struct record *r) {
    if (queue_state(q) != QUEUE_RUNS) return; // the first fault of a queue counts
    describe(q, f, r);
    if (!is_memory_fault(f)) {
        queue_fail(q, fault_status(f));
        return;
    }
    if (!queue_claim_failure(q)) return;
    queue_stop(q);
    uint32_t reasons = FAULT_NOT_PRESENT;
    sw_memory_info info = {.size = sizeof info};
    if (f->unmapped || memory_is_rest(f->address))
        reasons = FAULT_NOT_PRESENT;
    else if (sw_device_memory_info(q->agent->device, f->address, &info) == SW_OK &&
             info.rights & SW_RIGHT_READ)
        reasons = f->kind == SW_FAULT_JUMP ? FAULT_NO_EXECUTE : FAULT_READ_ONLY;
    event_memory_fault(q->agent, f->address & ~(uint64_t)(PAGE - 1), reasons);
}
