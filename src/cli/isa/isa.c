// SPDX-License-Identifier: MIT
// `softwave isa`: the instruction reference, printed from the tables that everything else runs on.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/similar.h"
#include "cli/commands.h"
#include "cli/isa/isa.h"
#include "softwave/terascale.h"

enum { TARGET, SEARCH, JSON, HTML, RULES };
static const struct cli_option options[] = {
    {TARGET, 0, "target", "ID", "only as it is on this processor"},
    {SEARCH, 0, "search", "WORDS", "instructions with all these words in their names or in what they do"},
    {JSON, 0, "json", NULL, "print JSON"},
    {RULES, 0, "rules", NULL, "how to read the code"},
    {HTML, 0, "html", "DIR", "write the whole reference as pages; open DIR/index.html"},
};

static void show_rules(struct text *t) {
    const char *rule;
    for (size_t i = 0; (rule = sw_insn_meaning_rule(i)); i++) isa_wrap(t, rule, 0);
}

// Everything found: one operation, or several of one name, in full; what a pattern found as a list.
static void show_found(struct text *t, const struct isa_found *f, bool in_full, const sw_processor *p) {
    for (size_t i = 0; i < f->count; i++) {
        if (!in_full)
            isa_show_line(t, f->list[i], p);
        else {
            if (i) text_puts(t, "\n");
            isa_show_text(t, f->list[i], p);
        }
    }
}
static void json_found(struct text *t, const struct isa_found *f, const sw_processor *p) {
    struct json j = {.out = t};
    json_open(&j, NULL, '[');
    for (size_t i = 0; i < f->count; i++) isa_show_json(&j, f->list[i], p);
    json_close(&j, ']');
}
static void add_all(struct isa_found *f, const sw_processor *p) {
    for (size_t i = 0; i < sw_insn_info_count() && f->count < ISA_MOST; i++)
        if (!p || sw_insn_mnemonic(sw_insn_info_at(i), p)) f->list[f->count++] = sw_insn_info_at(i);
}

// Without a name: JSON of all, the instructions of a processor a line each, or groups.
static int show_all(const sw_processor *p, bool as_json) {
    struct text t = {0};
    struct isa_found f = {.count = 0};
    if (as_json || p) add_all(&f, p);
    if (as_json)
        json_found(&t, &f, p);
    else if (p)
        show_found(&t, &f, false, p);
    else
        isa_show_groups(&t, p);
    return cli_finish(&t, SW_OK);
}

static int cmd_isa(int argc, char **argv) {
    const char *name = NULL, *target_text = NULL, *folder = NULL, *words = NULL;
    bool as_json = false, rules = false;
    struct scan scan = cli_scan(&command_isa, argc, argv);
    for (int id; (id = cli_next(&scan)) != SCAN_END;) {
        switch (id) {
        case TARGET: target_text = scan.value; break;
        case JSON: as_json = true; break;
        case SEARCH: words = scan.value; break;
        case RULES: rules = true; break;
        case HTML: folder = scan.value; break;
        case SCAN_POSITIONAL:
            if (name) return cli_usage("isa", "one NAME at a time");
            name = scan.value;
            break;
        default: return cli_early(id);
        }
    }
    sw_target target = {0};
    if (target_text && sw_target_choose(target_text, strlen(target_text), &target, &cli_sink))
        return SW_USAGE;
    if (target_text && sw_terascale_processor(target.processor) && !as_json && !words && !folder && !rules) {
        struct text t = {0};
        if (isa_show_r600(&t, name, target.processor)) return cli_finish(&t, SW_OK);
        return isa_unknown(name, target.processor);
    }
    sw_isa_mode mode = {.size = sizeof mode};
    if (target_text && sw_isa_mode_init(&mode, target.processor))
        return diag_fail(&cli_sink, SW_UNSUPPORTED, NULL, "no instructions of %s", target_text);
    if (folder && (name || target_text || as_json || words || rules))
        return cli_usage("isa", "--html takes nothing else");
    if (folder) return isa_write_html(folder, &cli_sink);
    const sw_processor *p = target.processor;
    if (rules) {
        struct text t = {0};
        show_rules(&t);
        return cli_finish(&t, SW_OK);
    }
    if (name && words) return cli_usage("isa", "--search takes no NAME");
    if (!name && !words) return show_all(p, as_json);
    struct isa_found f = {.count = 0};
    if (words)
        isa_find_text(&f, words, p);
    else
        isa_find_name(&f, name, p);
    const bool exact = !words && f.count;
    if (!words && !exact) isa_find_pattern(&f, name, p);
    if (!f.count && words) return diag_fail(&cli_sink, SW_BAD_INPUT, NULL, "no instruction says '%s'", words);
    if (!f.count && !p && !as_json) { // else a name of the R600 family
        struct text t = {0};
        if (isa_show_r600(&t, name, NULL)) return cli_finish(&t, SW_OK);
    }
    if (!f.count) return isa_unknown(name, p);
    struct text t = {0};
    if (as_json)
        json_found(&t, &f, p);
    else
        show_found(&t, &f, exact || f.count == 1, p);
    return cli_finish(&t, SW_OK);
}

const struct cli_command command_isa = {
    .name = "isa",
    .run = cmd_isa,
    .what = "what an instruction is: encodings, operands, processors",
    .synopsis = "[--target=ID] [--json] [NAME | --search=WORDS]\n"
                "--rules\n"
                "--html=DIR",
    .about = "Shows an instruction under any name that some processor gives it: what it does, in a sentence "
             "and in "
             "code (--rules says how to read it), which processors have it, its encodings as bit pictures, "
             "operands "
             "and what each may be, flags, and whether the software GPU executes it.\n\n"
             "NAME may also be the beginning of names, or a pattern with * and ?: then a line for each is "
             "printed. "
             "Without NAME, all names are listed by group, or the instructions of the target.",
    CLI_OPTIONS(options),
    .examples = "softwave isa v_add_co_u32\n"
                "softwave isa --target=gfx1100 s_waitcnt\n"
                "softwave isa v_mad\n"
                "softwave isa 'v_mfma*bf16*'\n"
                "softwave isa --search='bit field'\n"
                "softwave isa --target=gfx90a\n"
                "softwave isa --json v_fma_f32\n"
                "softwave isa --html=isa-pages\n",
    .operand = "MNEMONIC",
};
