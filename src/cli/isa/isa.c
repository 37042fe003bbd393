// SPDX-License-Identifier: MIT
// `softwave isa`: the instruction reference, printed from the tables that everything else runs on.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/similar.h"
#include "cli/commands.h"
#include "cli/isa/isa.h"

enum option { TARGET, SEARCH, FIDELITY, JSON, HTML, RULES, SCAN_RESULTS };
static const struct cli_option options[] = {
    {TARGET, 0, "target", "ID", "show this processor only"},
    {SEARCH, 0, "search", "WORDS", "list instructions whose name or sentence has all these words"},
    {FIDELITY, 0, "fidelity", NULL,
     "list which operations are not executed as a card executes them, bit for bit: approximate with the "
     "greatest error, or unsupported, and why"},
    {JSON, 0, "json", NULL, "print JSON"},
    {RULES, 0, "rules", NULL, "explain how to read the code"},
    {HTML, 0, "html", "DIR", "write the whole reference as HTML pages; open DIR/index.html"},
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

static int nothing(const char *name, const char *words, const sw_processor *p) {
    if (words) return diag_fail(&cli_sink, SW_BAD_INPUT, NULL, "no instruction says '%s'", words);
    return isa_unknown(name, p);
}

static int show_r600(const char *name, const char *words, const sw_processor *p, bool as_json) {
    struct text t = {0};
    if (isa_show_r600(&t, name, words, p, as_json)) return cli_finish(&t, SW_OK);
    text_free(&t);
    return nothing(name, words, p);
}

// The ledger of all operations, or of those that a name or pattern names.
static int show_fidelity(const char *name, const sw_processor *p, bool as_json) {
    const bool r600 = p && sw_terascale_processor(p);
    if (r600 && name) return cli_usage("isa", "--fidelity of the R600 family takes no NAME");
    struct isa_found f = {.count = 0};
    if (name) isa_find_name(&f, name, p);
    if (name && !f.count) isa_find_pattern(&f, name, p);
    if (name && !f.count) return isa_unknown(name, p);
    if (!name && !r600) add_all(&f, p);
    struct text t = {0};
    isa_show_fidelity(&t, &f, p, as_json);
    return cli_finish(&t, SW_OK);
}

static int cmd_isa(int argc, char **argv) {
    const char *name = NULL, *target_text = NULL, *folder = NULL, *words = NULL;
    bool as_json = false, rules = false, fidelity = false;
    struct scan scan = cli_scan(&command_isa, argc, argv);
    for (int id; (id = cli_next(&scan)) != SCAN_END;) {
        switch ((enum option)id) {
        case TARGET: target_text = scan.value; break;
        case FIDELITY: fidelity = true; break;
        case JSON: as_json = true; break;
        case SEARCH: words = scan.value; break;
        case RULES: rules = true; break;
        case HTML: folder = scan.value; break;
        case SCAN_POSITIONAL:
            if (name) return cli_usage("isa", "one NAME at a time");
            name = scan.value;
            break;
        case SCAN_ERROR:
        case SCAN_HELP: return cli_early(id);
        }
    }
    sw_target target = {0};
    if (target_text && sw_target_choose(target_text, strlen(target_text), &target, &cli_sink))
        return SW_USAGE;
    if (folder && (name || target_text || as_json || words || rules || fidelity))
        return cli_usage("isa", "--html takes nothing else");
    if (name && words) return cli_usage("isa", "--search takes no NAME");
    if (fidelity && (words || rules)) return cli_usage("isa", "--fidelity excludes --search and --rules");
    if (target_text && sw_terascale_processor(target.processor) && !folder && !rules && !fidelity)
        return show_r600(name, words, target.processor, as_json);
    if (fidelity) return show_fidelity(name, target.processor, as_json);
    sw_isa_mode mode = {.size = sizeof mode};
    if (target_text && sw_isa_mode_init(&mode, target.processor))
        return diag_fail(&cli_sink, SW_UNSUPPORTED, NULL, "no instructions of %s", target_text);
    if (folder) return isa_write_html(folder, &cli_sink);
    const sw_processor *p = target.processor;
    if (rules) {
        struct text t = {0};
        show_rules(&t);
        return cli_finish(&t, SW_OK);
    }
    if (!name && !words) return show_all(p, as_json);
    struct isa_found f = {.count = 0};
    if (words)
        isa_find_text(&f, words, p);
    else
        isa_find_name(&f, name, p);
    const bool exact = !words && f.count;
    if (!words && !exact) isa_find_pattern(&f, name, p);
    if (!f.count) return p ? nothing(name, words, p) : show_r600(name, words, NULL, as_json);
    struct text t = {0};
    if (as_json)
        json_found(&t, &f, p);
    else
        show_found(&t, &f, exact || f.count == 1, p);
    if (words && !p && !as_json) isa_show_r600(&t, NULL, words, NULL, false);
    return cli_finish(&t, SW_OK);
}

const struct cli_command command_isa = {
    .name = "isa",
    .run = cmd_isa,
    .what = "show what an instruction does, its encodings and its processors",
    .synopsis = "[--target=ID] [--json] [NAME | --search=WORDS]\n"
                "--fidelity [--target=ID] [--json] [NAME]\n"
                "--rules\n"
                "--html=DIR",
    .about =
        "Shows one instruction: what it does, as a sentence and as code, which processors have it, its "
        "encodings as bit pictures, its operands and what each may be, its flags, and whether the software "
        "GPU executes it. --rules explains the code.\n\n"
        "NAME is a name that any processor has for the instruction. It may also be the beginning of names, "
        "or "
        "a pattern with * and ?; then each match is one line. Without NAME, all names are listed by group; "
        "with --target, the instructions of that processor.\n\n"
        "--fidelity prints the ledger of what is exact. An exact operation gives what the manuals define, "
        "bit "
        "for bit. An approximate one computes what nobody outside AMD knows to the last bit; where it is "
        "measured, its greatest error in units of the last place (ulp) is printed. An unsupported one ends "
        "with exit code 4. `softwave run --fidelity` says which of them a kernel used, and `run --strict` "
        "refuses all that are not exact.\n\n"
        "Operations of the R600 family are shown with their sentence, their group and their opcode in each "
        "of the four families. They have no code, no bit pictures and no list of operands.",
    CLI_OPTIONS(options),
    .examples = "softwave isa v_add_co_u32\n"
                "softwave isa --target=gfx1100 s_waitcnt\n"
                "softwave isa v_mad\n"
                "softwave isa 'v_mfma*bf16*'\n"
                "softwave isa --search='bit field'\n"
                "softwave isa --target=gfx90a\n"
                "softwave isa --target=cayman DOT4\n"
                "softwave isa --fidelity --target=gfx1100\n"
                "softwave isa --json v_fma_f32\n"
                "softwave isa --html=isa-pages\n",
    .operand = "MNEMONIC",
};
