// SPDX-License-Identifier: MIT
// `softwave isa --fidelity`: how many operations of each group are exact, approximate and unsupported, and
// each that is not exact, with the reason. Reads the ledgers of both families of GPUs through the public
// interface.
#include <string.h>

#include "base/array.h"
#include "cli/isa/isa.h"
#include "softwave/terascale.h"

enum { EXACT, APPROXIMATE, UNSUPPORTED, KINDS };
static const char *const kind_names[KINDS] = {"exact", "approximate", "unsupported"};

struct entry {
    const char *name, *group, *why; // why: NULL of exact ones
    unsigned kind;
    double ulps;
    const sw_insn_info *info; // NULL: of the R600 family
};
struct entries {
    ARRAY(struct entry) list;
    const sw_processor *only;
    struct text *t;
};

static void add(struct entries *e, struct entry one) {
    if (!array_push(&e->list, one)) e->t->failed = true;
}

static void add_insn(struct entries *e, const sw_insn_info *info) {
    sw_insn_facts f = {.size = sizeof f};
    sw_insn_get_facts(info, &f);
    add(e, (struct entry){.name = e->only ? sw_insn_mnemonic(info, e->only) : f.id,
                          .group = isa_group_of(info)->title,
                          .why = f.gap ? f.gap : f.approximate,
                          .kind = f.gap           ? UNSUPPORTED
                                  : f.approximate ? APPROXIMATE
                                                  : EXACT,
                          .ulps = f.gap ? 0 : f.ulps,
                          .info = info});
}

static bool add_r600(void *context, const sw_terascale_opcode *o) {
    add(context, (struct entry){.name = o->name,
                                .group = o->group,
                                .why = o->gap ? o->gap : o->unsure,
                                .kind = o->gap      ? UNSUPPORTED
                                        : o->unsure ? APPROXIMATE
                                                    : EXACT});
    return false;
}

// ---- Text ----

static void count_line(struct text *t, const char *title, const size_t counts[KINDS]) {
    text_printf(t, "%-32s %8zu %12zu %12zu\n", title, counts[EXACT], counts[APPROXIMATE],
                counts[UNSUPPORTED]);
}

static void show_groups(const struct entries *e) {
    size_t all[KINDS] = {0};
    text_printf(e->t, "%-32s %8s %12s %12s\n", "operations", kind_names[EXACT], kind_names[APPROXIMATE],
                kind_names[UNSUPPORTED]);
    for (size_t i = 0; i < e->list.count; i++) {
        const char *group = e->list.items[i].group;
        size_t counts[KINDS] = {0}, first = 0;
        while (strcmp(e->list.items[first].group, group) != 0) first++;
        if (first < i) continue;
        for (size_t k = i; k < e->list.count; k++)
            if (!strcmp(e->list.items[k].group, group)) counts[e->list.items[k].kind]++;
        for (unsigned k = 0; k < KINDS; k++) all[k] += counts[k];
        count_line(e->t, group, counts);
    }
    count_line(e->t, "all", all);
}

static void show_entry(const struct entries *e, const struct entry *one) {
    char bound[32] = "";
    if (one->ulps > 0) snprintf(bound, sizeof bound, "%.3f ulp", one->ulps);
    if (e->only)
        text_printf(e->t, *bound ? "    %-36s %10s" : "    %s", one->name, bound);
    else {
        const struct isa_processors having = isa_having(one->info, NULL);
        text_printf(e->t, "    %-36s %10s  ", one->name, bound);
        isa_ranges(e->t, &having);
    }
    text_puts(e->t, "\n");
}

// What is of a kind for one reason stands together, in the order of the first of each.
static void show_kind(const struct entries *e, unsigned kind) {
    for (size_t i = 0; i < e->list.count; i++) {
        const struct entry *one = &e->list.items[i];
        if (one->kind != kind) continue;
        size_t first = 0;
        while (e->list.items[first].kind != kind || strcmp(e->list.items[first].why, one->why) != 0) first++;
        if (first < i) continue;
        text_printf(e->t, "\n%s: %s\n", kind_names[kind], one->why);
        for (size_t k = i; k < e->list.count; k++)
            if (e->list.items[k].kind == kind && !strcmp(e->list.items[k].why, one->why))
                show_entry(e, &e->list.items[k]);
    }
}

// ---- JSON ----

static void show_json(const struct entries *e) {
    struct json j = {.out = e->t};
    json_open(&j, NULL, '[');
    for (size_t i = 0; i < e->list.count; i++) {
        const struct entry *one = &e->list.items[i];
        json_open(&j, NULL, '{');
        json_string(&j, "id", one->info ? sw_insn_id(one->info) : one->name);
        json_string(&j, "group", one->group);
        json_string(&j, "fidelity", kind_names[one->kind]);
        json_string(&j, "why", one->why);
        if (one->ulps > 0) json_real(&j, "ulps", one->ulps);
        json_open(&j, "processors", '[');
        const struct isa_processors having =
            one->info ? isa_having(one->info, e->only) : (struct isa_processors){0};
        for (size_t k = 0; k < having.count; k++) json_string(&j, NULL, sw_processor_name(having.list[k]));
        json_close(&j, ']');
        json_close(&j, '}');
    }
    json_close(&j, ']');
}

void isa_show_fidelity(struct text *t, const struct isa_found *found, const sw_processor *only,
                       bool as_json) {
    struct entries e = {.only = only, .t = t};
    for (size_t i = 0; i < found->count; i++) add_insn(&e, found->list[i]);
    if (only && sw_terascale_processor(only)) isa_r600_each(only, add_r600, &e);
    if (as_json)
        show_json(&e);
    else {
        show_groups(&e);
        for (unsigned kind = APPROXIMATE; kind < KINDS; kind++) show_kind(&e, kind);
    }
    array_free(&e.list);
}
