// SPDX-License-Identifier: MIT
// The texts of faults, for the command line and the HSA runtime.
#include <inttypes.h>
#include <stdio.h>

#include "base/sized.h"
#include "base/text.h"
#include "device/device.h"

static const char *const texts[] = {
    [SW_FAULT_NONE] = "did not fault",
    [SW_FAULT_READ] = "reads memory that it may not",
    [SW_FAULT_WRITE] = "writes memory that it may not",
    [SW_FAULT_ATOMIC] = "changes memory that it may not",
    [SW_FAULT_ALIGNMENT] = "accesses a misaligned address",
    [SW_FAULT_JUMP] = "jumps out of its code",
    [SW_FAULT_ILLEGAL] = "reaches an illegal instruction",
    [SW_FAULT_UNSUPPORTED] = "reaches an instruction that cannot be executed",
    [SW_FAULT_TRAP] = "traps",
    [SW_FAULT_TIMEOUT] = "takes longer than its timeout",
    [SW_FAULT_DEADLOCK] = "is in a deadlock: every wave waits",
    [SW_FAULT_STOPPED] = "was stopped",
    [SW_FAULT_HAZARD] = "does what nobody knows the hardware's answer to",
};

size_t sw_fault_describe(const sw_fault *f, char *out, size_t capacity) {
    const size_t kinds = sizeof texts / sizeof *texts;
    const bool is_known = f->size >= offsetof(sw_fault, reason) + sizeof f->reason && f->kind < kinds;
    char address[40] = "";
    if (is_known && f->kind >= SW_FAULT_READ && f->kind <= SW_FAULT_JUMP)
        snprintf(address, sizeof address, " at 0x%" PRIx64, f->address);
    else if (is_known && f->kind == SW_FAULT_TRAP)
        snprintf(address, sizeof address, " (s_trap %" PRIu64 ")", f->address);
    const char *reason = is_known ? f->reason : NULL;
    const int n = snprintf(out, capacity, "%s%s%s%s", is_known ? texts[f->kind] : "faults", address,
                           reason ? ": " : "", reason ? reason : "");
    return n < 0 ? 0 : (size_t)n;
}
