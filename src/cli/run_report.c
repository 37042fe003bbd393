// SPDX-License-Identifier: MIT
// Fault reports, statistics and traces of `softwave run`.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/run.h"
#include "dis/dis.h"
#include "object/print.h"

// ---- Faults ----

static const char *const fault_text[] = {
    "no fault",
    "read outside the memory it may read",
    "write outside the memory it may write",
    "atomic outside the memory it may write",
    "misaligned access",
    "jump outside the code",
    "illegal instruction",
    "unsupported instruction",
    "trap",
    "time is up",
    "deadlock: every wave waits",
    "stopped",
};

void run_print_insn(struct text *t, const sw_processor *p, bool wave32, uint64_t pc) {
    struct insn in;
    char text[INSN_TEXT];
    struct print_options o = {.processor = p, .wave32 = wave32, .address = pc};
    if (insn_decode(isa_of(p), (const uint8_t *)(uintptr_t)pc, INSN_MAX_BYTES, &in) != DECODE_OK) return;
    insn_print(&in, &o, text);
    text_puts(t, text);
}

static bool in_code(const sw_fault *f, const sw_object *object) {
    return f->pc && f->code_offset + INSN_MAX_BYTES <= sw_object_layout(object)->size;
}

// Where the source says so, "\n  FILE:LINE:COLUMN".
static void source_line(struct text *t, const sw_object *object, uint64_t offset) {
    sw_lines *lines;
    if (sw_lines_open(object, &lines, NULL)) return;
    const sw_line *row = sw_lines_find(lines, offset);
    if (row && row->line) {
        text_puts(t, "\n  ");
        print_name(t, row->file->name, strlen(row->file->name));
        text_printf(t, ":%u:%u", row->line, row->column);
    }
    sw_lines_close(lines);
}

void run_fault(const sw_fault *f, const struct run *r, const sw_kernel *kernel, const sw_object *object) {
    struct text t = {0};
    text_printf(&t, "softwave: fault: %s", fault_text[f->kind]);
    if (f->kind <= SW_FAULT_JUMP || f->kind == SW_FAULT_TRAP) text_printf(&t, " at 0x%" PRIx64, f->address);
    if (f->reason) text_printf(&t, ": %s", f->reason);
    text_printf(&t, "\n  kernel %s", kernel->name);
    if (f->pc) {
        text_printf(&t, ", pc 0x%" PRIx64 " (%s+0x%" PRIx64 ")", f->pc, kernel->name,
                    f->code_offset - kernel->entry_offset);
        text_printf(&t, "\n  work-group %u,%u,%u, wave %u", f->group[0], f->group[1], f->group[2], f->wave);
        if (f->lane >= 0) text_printf(&t, ", lane %d", f->lane);
        source_line(&t, object, f->code_offset);
        if (f->kind != SW_FAULT_ILLEGAL && in_code(f, object)) {
            text_puts(&t, "\n  ");
            run_print_insn(&t, sw_device_target(r->device)->processor,
                           kernel->descriptor.wavefront_size == 32, f->pc);
        }
    }
    text_puts(&t, "\n");
    if (t.data) fputs(t.data, stderr);
    text_free(&t);
}

// ---- Statistics ----

void run_stats(struct text *t, const sw_device *d, const sw_kernel *kernel, const sw_counts *c, bool json) {
    uint64_t total = 0;
    for (int i = 0; i < SW_CLASSES; i++) total += c->instructions[i];
    char target[SW_TARGET_TEXT];
    sw_target_format(sw_device_target(d), target);
    if (json) {
        struct json j = {.out = t};
        json_open(&j, NULL, '{');
        json_string(&j, "kernel", kernel->name);
        json_string(&j, "target", target);
        json_uint(&j, "threads", sw_device_threads(d));
        json_string(&j, "level", sw_device_level(d));
        json_uint(&j, "workgroups", c->groups);
        json_uint(&j, "waves", c->waves);
        json_open(&j, "instructions", '{');
        for (int i = 0; i < SW_CLASSES; i++)
            json_uint(&j, sw_class_name((sw_insn_class)i), c->instructions[i]);
        json_uint(&j, "total", total);
        json_close(&j, '}');
        json_real(&j, "seconds", c->seconds);
        json_close(&j, '}');
        return;
    }
    text_printf(t, "%s on %s, %u thread%s, level %s\n", kernel->name, target, sw_device_threads(d),
                sw_device_threads(d) == 1 ? "" : "s", sw_device_level(d));
    text_printf(t, "  %-12s %14" PRIu64 "\n  %-12s %14" PRIu64 "\n", "work-groups", c->groups, "waves",
                c->waves);
    for (int i = 0; i < SW_CLASSES; i++)
        if (c->instructions[i])
            text_printf(t, "  %-12s %14" PRIu64 "  %5.1f %%\n", sw_class_name((sw_insn_class)i),
                        c->instructions[i], 100.0 * (double)c->instructions[i] / (double)total);
    text_printf(t, "  %-12s %14" PRIu64 "\n  %-12s %14.6f s\n", "instructions", total, "time", c->seconds);
    if (c->seconds > 0)
        text_printf(t, "  %-12s %14.1f M wave instructions a second (counted)\n", "speed",
                    (double)total / c->seconds * 1e-6);
}

// ---- Fidelity ----

void run_fidelity(struct text *t, sw_device *d, const sw_executable *e) {
    sw_operation all[512];
    size_t count = sw_executable_operations(d, e, all, 512), kinds[2] = {0};
    if (count > 512) count = 512;
    for (size_t i = 0; i < count; i++) kinds[all[i].approximate] += !all[i].unsupported;
    text_printf(t, "fidelity: %zu operations exact, %zu approximate", kinds[0], kinds[1]);
    for (size_t i = 0, n = 0; i < count; i++)
        if (all[i].approximate) text_printf(t, "%s%s", n++ ? ", " : ": ", all[i].mnemonic);
    for (size_t i = 0; i < count; i++)
        if (all[i].unsupported)
            text_printf(t, "\nfidelity: %s is unsupported: %s", all[i].mnemonic, all[i].unsupported);
    text_puts(t, "\n");
}
