// SPDX-License-Identifier: MIT
// Faults of kernels, as the runtime's clients hear of them: memory faults by way of system events, others by
// the callback of the queue (TRAP-04, TRAP-05).
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hsa/hsa.h"

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

static const char *what_happened(const sw_fault *f) {
    static const char *const texts[] = {
        [SW_FAULT_READ] = "reads memory that it may not",
        [SW_FAULT_WRITE] = "writes memory that it may not",
        [SW_FAULT_ATOMIC] = "changes memory that it may not",
        [SW_FAULT_ALIGNMENT] = "accesses a misaligned address",
        [SW_FAULT_JUMP] = "jumps out of its code",
        [SW_FAULT_ILLEGAL] = "reaches what is no instruction",
        [SW_FAULT_UNSUPPORTED] = "reaches an instruction that cannot be executed",
        [SW_FAULT_TRAP] = "traps",
        [SW_FAULT_TIMEOUT] = "takes longer than SOFTWAVE_TIMEOUT allows",
        [SW_FAULT_DEADLOCK] = "waits at a barrier that not all its waves can reach",
        [SW_FAULT_STOPPED] = "was stopped",
    };
    return f->kind < sizeof texts / sizeof *texts && texts[f->kind] ? texts[f->kind] : "faults";
}

static void describe(const struct queue *q, const sw_fault *f, const struct record *r) {
    const char *quiet = getenv("SOFTWAVE_FAULT");
    if (quiet && !strcmp(quiet, "quiet")) return;
    const struct symbol *k = loaded_kernel(r->loaded, r->packet->dispatch.kernel_object);
    char lane[24] = "", address[64] = "", reason[256] = "";
    if (f->lane >= 0) snprintf(lane, sizeof lane, ", lane %d", f->lane);
    if (is_memory_fault(f) || f->kind == SW_FAULT_ALIGNMENT)
        snprintf(address, sizeof address, " at 0x%llx", (unsigned long long)f->address);
    else if (f->kind == SW_FAULT_TRAP)
        snprintf(address, sizeof address, " (s_trap %llu)", (unsigned long long)f->address);
    if (f->reason) snprintf(reason, sizeof reason, ": %s", f->reason);
    char where[512] = "";
    sw_place place = {.size = sizeof place};
    const sw_line *line = NULL;
    sw_lines *lines = NULL;
    if (r->loaded->object && sw_lines_open(r->loaded->object, &lines, NULL) == SW_OK)
        line = sw_lines_find(lines, f->code_offset);
    if (line && line->file && line->line)
        snprintf(where, sizeof where, " (%s:%u)", line->file->name, line->line);
    (void)place;
    complain("fault: kernel %s on %s%s%s%s; pc +0x%llx%s, group (%u,%u,%u), wave %u%s",
             k ? k->name : "(unknown)", q->agent->name, what_happened(f) ? " " : "", what_happened(f),
             address, (unsigned long long)f->code_offset, where, f->group[0], f->group[1], f->group[2],
             f->wave, lane);
    if (*reason) complain("fault%s", reason);
    if (lines) sw_lines_close(lines);
}

void fault_deliver(struct queue *q, const sw_fault *f, const struct record *r) {
    if (__atomic_load_n(&q->suspended, __ATOMIC_ACQUIRE)) return; // the first fault of a queue counts
    describe(q, f, r);
    if (!is_memory_fault(f)) {
        queue_fail(q, fault_status(f));
        return;
    }
    if (__atomic_exchange_n(&q->suspended, true, __ATOMIC_ACQ_REL)) return;
    __atomic_store_n(&q->stopping, true, __ATOMIC_RELEASE);
    uint32_t reasons = FAULT_NOT_PRESENT;
    sw_memory_info info = {.size = sizeof info};
    if (f->unmapped)
        reasons = FAULT_NOT_PRESENT;
    else if (sw_device_memory_info(q->agent->device, f->address, &info) == SW_OK && info.rights & SW_READ)
        reasons = f->kind == SW_FAULT_JUMP ? FAULT_NO_EXECUTE : FAULT_READ_ONLY;
    event_memory_fault(q->agent, f->address & ~(uint64_t)(PAGE - 1), reasons, q);
}
