// SPDX-License-Identifier: MIT
// Finding operations for `softwave isa`: by a name, by the beginning of names, by a pattern, by words, and
// the names nearest to one that there is not.
#include <ctype.h>
#include <fnmatch.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/diag.h"
#include "base/similar.h"
#include "cli/isa/isa.h"
#include "softwave/terascale.h"

static void add(struct isa_found *f, const sw_insn_info *info) {
    for (size_t i = 0; i < f->count; i++)
        if (f->list[i] == info) return;
    if (f->count < ISA_MOST) f->list[f->count++] = info;
}

static void find(struct isa_found *f, const char *name, size_t length, const sw_processor *only) {
    for (size_t i = 0; i < sw_processor_count(); i++) {
        const sw_processor *p = sw_processor_at(i);
        size_t cursor = 0;
        if (only && p != only) continue;
        for (const sw_insn_info *info; (info = sw_insn_info_find(p, name, length, &cursor));) add(f, info);
    }
    const sw_insn_info *info = sw_insn_info_by_id(name, length);
    if (info && (!only || sw_insn_mnemonic(info, only))) add(f, info);
}

void isa_find_name(struct isa_found *f, const char *name, const sw_processor *only) {
    static const char *const suffixes[] = {"_e64_dpp", "_e32", "_e64", "_dpp", "_sdwa"};
    const size_t length = strlen(name);
    find(f, name, length, only);
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes && !f->count; i++) {
        size_t n = strlen(suffixes[i]);
        if (length > n && !memcmp(name + length - n, suffixes[i], n)) find(f, name, length - n, only);
    }
}

// ---- By what a name, or a text, is like ----

// Calls `take` for every name of an operation, until it says true.
static bool any_name(const sw_insn_info *info, const sw_processor *only,
                     bool (*take)(void *context, const char *name), void *context) {
    if (!only && take(context, sw_insn_id(info))) return true;
    const char *last = NULL;
    for (size_t i = 0; i < sw_processor_count(); i++) {
        const sw_processor *p = sw_processor_at(i);
        const char *name = only && p != only ? NULL : sw_insn_mnemonic(info, p);
        if (!name) continue;
        if (name != last && take(context, name)) return true;
        last = name;
        for (size_t k = 0; (name = sw_insn_alias(info, p, k)); k++)
            if (take(context, name)) return true;
    }
    return false;
}

static bool begins(void *context, const char *name) {
    const char *wanted = context;
    return !strncasecmp(name, wanted, strlen(wanted));
}
static bool matches(void *context, const char *name) { return fnmatch(context, name, 0) == 0; }

void isa_find_pattern(struct isa_found *f, const char *pattern, const sw_processor *only) {
    const bool glob = strpbrk(pattern, "*?[") != NULL;
    for (size_t i = 0; *pattern && i < sw_insn_info_count(); i++) {
        const sw_insn_info *info = sw_insn_info_at(i);
        if (any_name(info, only, glob ? matches : begins, (void *)(uintptr_t)pattern)) add(f, info);
    }
}

static bool contains(const char *text, const char *word, size_t length) {
    for (; *text; text++)
        if (!strncasecmp(text, word, length)) return true;
    return false;
}
struct word {
    const char *text;
    size_t length;
};
static bool name_contains(void *context, const char *name) {
    const struct word *w = context;
    return contains(name, w->text, w->length);
}

void isa_find_text(struct isa_found *f, const char *text, const sw_processor *only) {
    for (size_t i = 0; i < sw_insn_info_count(); i++) {
        const sw_insn_info *info = sw_insn_info_at(i);
        const char *sentence, *code;
        bool all = true, any = false;
        if (only && !sw_insn_mnemonic(info, only)) continue;
        sw_insn_meaning(info, &sentence, &code);
        for (const char *p = text; *p && all;) {
            struct word w = {p, strcspn(p, " ")};
            if (w.length)
                all = any = contains(sentence, w.text, w.length) || any_name(info, only, name_contains, &w);
            p += w.length;
            p += strspn(p, " ");
        }
        if (all && any) add(f, info);
    }
}

// ---- Did you mean ----

enum { LONGEST = 63, SUGGESTIONS = 3 };

struct nearest {
    const char *wanted, *name[SUGGESTIONS + 1];
    unsigned far[SUGGESTIONS + 1];
};
static bool consider(void *context, const char *name) {
    struct nearest *best = context;
    const unsigned d = similar_distance(best->wanted, strlen(best->wanted), name, strlen(name), LONGEST);
    for (size_t i = 0; i < SUGGESTIONS; i++)
        if (best->name[i] && !strcmp(best->name[i], name)) return false;
    for (size_t i = 0; i < SUGGESTIONS; i++) {
        if (d >= best->far[i]) continue;
        memmove(&best->name[i + 1], &best->name[i], (SUGGESTIONS - 1 - i) * sizeof *best->name);
        memmove(&best->far[i + 1], &best->far[i], (SUGGESTIONS - 1 - i) * sizeof *best->far);
        best->name[i] = name;
        best->far[i] = d;
        break;
    }
    return false;
}

int isa_unknown(const char *wanted, const sw_processor *only) {
    struct nearest best = {.wanted = wanted};
    const unsigned limit = (unsigned)strlen(wanted) / 3 + 1;
    for (size_t i = 0; i < SUGGESTIONS; i++) best.far[i] = limit + 1;
    for (size_t i = 0; i < sw_insn_info_count() && limit <= LONGEST / 3; i++)
        any_name(sw_insn_info_at(i), only, consider, &best);
    if (sw_terascale_processor(only)) isa_r600_names(only, consider, &best);
    struct text t = {0};
    for (size_t i = 0; i < SUGGESTIONS && best.name[i] && best.far[i] <= best.far[0] + 1; i++)
        text_printf(&t, "%s%s", i ? ", " : "; did you mean ", best.name[i]);
    int status = diag_fail(&cli_sink, SW_BAD_INPUT, NULL, "%s%s instruction '%s'%s%s",
                           only ? sw_processor_name(only) : "no processor has the", only ? " has no" : "",
                           wanted, t.data ? t.data : "", t.data ? "?" : "");
    text_free(&t);
    return status;
}
