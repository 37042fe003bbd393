// SPDX-License-Identifier: MIT
// `softwave isa`: the instruction reference, printed from the tables that everything else runs on.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "cli/commands.h"
#include "cli/isa/isa.h"

enum { TARGET, JSON, HTML };
static const struct cli_option options[] = {
    {TARGET, 0, "target", "ID", "only as it is on this processor"},
    {JSON, 0, "json", NULL, "print JSON"},
    {HTML, 0, "html", "DIR", "write the whole reference as pages; open DIR/index.html"},
};

// ---- Finding ----

struct found {
    const sw_insn_info *list[64];
    size_t count;
};

static void add(struct found *f, const sw_insn_info *info) {
    for (size_t i = 0; i < f->count; i++)
        if (f->list[i] == info) return;
    if (f->count < sizeof f->list / sizeof *f->list) f->list[f->count++] = info;
}

static void find(struct found *f, const char *name, size_t length, const sw_processor *only) {
    for (size_t i = 0; i < sw_processor_count(); i++) {
        const sw_processor *p = sw_processor_at(i);
        size_t cursor = 0;
        if (only && p != only) continue;
        for (const sw_insn_info *info; (info = sw_insn_info_find(p, name, length, &cursor));) add(f, info);
    }
    const sw_insn_info *info = sw_insn_info_by_id(name, length);
    if (info && (!only || sw_insn_mnemonic(info, only))) add(f, info);
}

// The name as it is, then without the suffix of an encoding.
static struct found find_any(const char *name, const sw_processor *only) {
    static const char *const suffixes[] = {"_e64_dpp", "_e32", "_e64", "_dpp", "_sdwa"};
    struct found f = {0};
    size_t length = strlen(name);
    find(&f, name, length, only);
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes && !f.count; i++) {
        size_t n = strlen(suffixes[i]);
        if (length > n && !memcmp(name + length - n, suffixes[i], n)) find(&f, name, length - n, only);
    }
    return f;
}

// ---- Did you mean ----

enum { LONGEST = 63, SUGGESTIONS = 3 };

static unsigned distance(const char *a, const char *b) {
    size_t n = strlen(b);
    unsigned row[LONGEST + 1];
    if (n > LONGEST) return LONGEST;
    for (unsigned k = 0; k <= n; k++) row[k] = k;
    for (unsigned i = 0; a[i]; i++) {
        unsigned diagonal = row[0];
        row[0] = i + 1;
        for (unsigned k = 0; k < n; k++) {
            unsigned best = diagonal + (a[i] != b[k]);
            if (row[k] + 1 < best) best = row[k] + 1;
            diagonal = row[k + 1];
            if (diagonal + 1 < best) best = diagonal + 1;
            row[k + 1] = best;
        }
    }
    return row[n];
}

struct nearest {
    const char *name[SUGGESTIONS];
    unsigned far[SUGGESTIONS];
};

static void consider(struct nearest *best, const char *name, const char *wanted) {
    unsigned d = distance(wanted, name);
    for (size_t i = 0; i < SUGGESTIONS; i++)
        if (best->name[i] && !strcmp(best->name[i], name)) return;
    for (size_t i = 0; i < SUGGESTIONS; i++) {
        if (d >= best->far[i]) continue;
        memmove(&best->name[i + 1], &best->name[i], (SUGGESTIONS - 1 - i) * sizeof *best->name);
        memmove(&best->far[i + 1], &best->far[i], (SUGGESTIONS - 1 - i) * sizeof *best->far);
        best->name[i] = name;
        best->far[i] = d;
        return;
    }
}

static sw_status unknown(const char *wanted, const sw_processor *only) {
    struct nearest best = {0};
    unsigned limit = (unsigned)strlen(wanted) / 3 + 1;
    for (size_t i = 0; i < SUGGESTIONS; i++) best.far[i] = limit + 1;
    for (size_t p = 0; p < sw_processor_count() && limit <= LONGEST / 3; p++) {
        const sw_processor *x = sw_processor_at(p);
        if (only && x != only) continue;
        for (size_t i = 0; i < sw_insn_info_count(); i++) {
            const sw_insn_info *info = sw_insn_info_at(i);
            const char *name = sw_insn_mnemonic(info, x);
            if (name) consider(&best, name, wanted);
            for (size_t k = 0; name && (name = sw_insn_alias(info, x, k)); k++) consider(&best, name, wanted);
        }
    }
    struct text t = {0};
    for (size_t i = 0; i < SUGGESTIONS && best.name[i]; i++)
        text_printf(&t, "%s%s", i ? ", " : "; did you mean ", best.name[i]);
    sw_status status = diag_fail(&cli_sink, SW_BAD_INPUT, NULL, "%s%s instruction '%s'%s%s",
                                 only ? sw_processor_name(only) : "no processor has the",
                                 only ? " has no" : "", wanted, t.data ? t.data : "", t.data ? "?" : "");
    text_free(&t);
    return status;
}

// ---- Lists ----

static void list(struct text *t, struct json *j, const sw_processor *p) {
    if (j) json_open(j, NULL, '[');
    for (size_t i = 0; i < sw_insn_info_count(); i++) {
        const sw_insn_info *info = sw_insn_info_at(i);
        if (p && !sw_insn_mnemonic(info, p)) continue;
        if (j)
            isa_show_json(j, info, p);
        else if (p)
            isa_show_line(t, info, p);
        else
            text_printf(t, "%s\n", sw_insn_id(info));
    }
    if (j) json_close(j, ']');
}

static int cmd_isa(int argc, char **argv) {
    const char *name = NULL, *target_text = NULL, *folder = NULL;
    bool as_json = false;
    struct scan scan = cli_scan(&command_isa, argc, argv);
    for (int id; (id = cli_next(&scan)) != SCAN_END;) {
        switch (id) {
        case TARGET: target_text = scan.value; break;
        case JSON: as_json = true; break;
        case HTML: folder = scan.value; break;
        case SCAN_POSITIONAL:
            if (name) return cli_usage("isa", "one NAME at a time");
            name = scan.value;
            break;
        default: return cli_early(id);
        }
    }
    sw_target target = {0};
    if (target_text && sw_target_parse(target_text, strlen(target_text), &target, &cli_sink)) return SW_USAGE;
    sw_isa_mode mode = {.size = sizeof mode};
    if (target_text && sw_isa_mode_init(&mode, target.processor))
        return diag_fail(&cli_sink, SW_UNSUPPORTED, NULL, "no instructions of %s", target_text);
    if (folder && (name || target_text || as_json)) return cli_usage("isa", "--html takes nothing else");
    if (folder) return isa_write_html(folder, &cli_sink);
    struct text t = {0};
    struct json j = {.out = &t};
    if (!name) {
        list(&t, as_json ? &j : NULL, target.processor);
        return cli_finish(&t, SW_OK);
    }
    struct found f = find_any(name, target.processor);
    if (!f.count) return unknown(name, target.processor);
    if (as_json) json_open(&j, NULL, '[');
    for (size_t i = 0; i < f.count; i++) {
        if (as_json)
            isa_show_json(&j, f.list[i], target.processor);
        else {
            if (i) text_puts(&t, "\n");
            isa_show_text(&t, f.list[i], target.processor);
        }
    }
    if (as_json) json_close(&j, ']');
    return cli_finish(&t, SW_OK);
}

const struct cli_command command_isa = {
    .name = "isa",
    .run = cmd_isa,
    .what = "what an instruction is: encodings, operands, processors",
    .synopsis = "[--target=ID] [--json] [NAME]\n"
                "--html=DIR",
    .about =
        "Shows an instruction under any name that some processor gives it: which processors have it, its "
        "encodings as bit pictures, operands and what each may be, flags, and whether the software GPU "
        "executes "
        "it. Without NAME, lists the instructions of the target, or all by their ids.",
    CLI_OPTIONS(options),
    .examples = "softwave isa v_add_co_u32\n"
                "softwave isa --target=gfx1100 s_waitcnt\n"
                "softwave isa --target=gfx90a\n"
                "softwave isa --json v_fma_f32\n"
                "softwave isa --html=isa-pages\n",
    .operand = "NAME",
};
