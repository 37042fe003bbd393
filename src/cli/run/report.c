// SPDX-License-Identifier: MIT
// Statistics of `softwave run`.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/run/run.h"

// ---- Statistics ----

void run_stats(struct text *t, const sw_device *d, const sw_kernel *kernel, const sw_counts *c, bool json) {
    uint64_t total = 0;
    for (int i = 0; i < SW_CLASSES; i++) total += c->instructions[i];
    char target[SW_TARGET_TEXT];
    const char *why;
    const unsigned tier = (unsigned)sw_device_tier(d, &why) - SW_TIER_INTERPRETER;
    sw_target_format(sw_device_target(d), target);
    if (json) {
        struct json j = {.out = t};
        json_open(&j, NULL, '{');
        json_string(&j, "kernel", kernel->name);
        json_string(&j, "target", target);
        json_uint(&j, "threads", sw_device_threads(d));
        json_string(&j, "level", sw_device_level(d));
        json_uint(&j, "tier", tier);
        if (why) json_string(&j, "tier_reason", why);
        json_uint(&j, "workgroups", c->groups);
        json_uint(&j, "waves", c->waves);
        json_open(&j, "instructions", '{');
        for (int i = 0; i < SW_CLASSES; i++)
            json_uint(&j, sw_insn_class_name((sw_insn_class)i), c->instructions[i]);
        json_uint(&j, "total", total);
        json_close(&j, '}');
        json_real(&j, "seconds", c->seconds);
        json_close(&j, '}');
        return;
    }
    text_printf(t, "%s on %s, %u thread%s, level %s, tier %u%s%s\n", kernel->name, target,
                sw_device_threads(d), sw_device_threads(d) == 1 ? "" : "s", sw_device_level(d), tier,
                why ? ": " : "", why ? why : "");
    text_printf(t, "  %-12s %14" PRIu64 "\n  %-12s %14" PRIu64 "\n", "work-groups", c->groups, "waves",
                c->waves);
    for (int i = 0; i < SW_CLASSES; i++)
        if (c->instructions[i])
            text_printf(t, "  %-12s %14" PRIu64 "  %5.1f %%\n", sw_insn_class_name((sw_insn_class)i),
                        c->instructions[i], 100.0 * (double)c->instructions[i] / (double)total);
    text_printf(t, "  %-12s %14" PRIu64 "\n  %-12s %14.6f s\n", "instructions", total, "time", c->seconds);
    if (c->seconds > 0)
        text_printf(t, "  %-12s %14.1f M wave instructions a second (counted)\n", "speed",
                    (double)total / c->seconds * 1e-6);
}

// ---- Fidelity ----

static void put_operation(struct text *t, const sw_operation *o) {
    text_printf(t, "  %-32s %s", o->mnemonic, o->unsupported ? "unsupported" : "approximate");
    if (o->ulps > 0) text_printf(t, ", within %.3f ulp", o->ulps);
    text_printf(t, ": %s\n", o->unsupported ? o->unsupported : o->why);
}

void run_fidelity(struct text *t, sw_device *d, const sw_executable *e) {
    sw_operation first = {.size = sizeof first};
    const size_t most = sw_executable_operations(d, e, &first, 1);
    sw_operation *all = calloc(most + 1, sizeof *all);
    size_t kinds[2] = {0}, refused = 0;
    if (!all) {
        t->failed = true;
        return;
    }
    all->size = sizeof *all;
    const size_t count = sw_executable_operations(d, e, all, most + 1);
    for (size_t i = 0; i < count && i <= most; i++) {
        refused += all[i].unsupported != NULL;
        kinds[all[i].approximate] += !all[i].unsupported;
    }
    text_printf(t, "fidelity: %zu operations exact, %zu approximate, %zu unsupported\n", kinds[0], kinds[1],
                refused);
    for (size_t i = 0; i < count && i <= most; i++)
        if (all[i].approximate || all[i].unsupported) put_operation(t, &all[i]);
    free(all);
}
