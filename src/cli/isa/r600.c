// SPDX-License-Identifier: MIT
// The R600 family in `softwave isa`: what its operations do, their groups, and their opcodes by family, as
// text, JSON and a page.
#include <ctype.h>
#include <fnmatch.h>
#include <string.h>
#include <strings.h>

#include "cli/isa/isa.h"
#include "softwave/terascale.h"

static const char *const families[SW_TERASCALE_FAMILIES] = {"R600", "R700", "Evergreen", "Cayman"};

// ---- Finding ----

enum how { ALL, NAME, PATTERN, WORDS };

// PATTERN: the beginning of a name, or a pattern with * and ?.
static bool name_fits(const char *name, enum how how, const char *text) {
    if (!name) return false;
    if (how == NAME) return !strcasecmp(name, text);
    if (strpbrk(text, "*?[")) return !fnmatch(text, name, FNM_CASEFOLD);
    return *text && !strncasecmp(name, text, strlen(text));
}

static bool contains_all(const sw_terascale_opcode *o, const char *words) {
    bool any = false;
    while (*words) {
        const size_t n = strcspn(words, " ");
        char word[64];
        if (n >= sizeof word) return false;
        memcpy(word, words, n);
        word[n] = 0;
        any |= n > 0;
        if (n && !strcasestr(o->sentence, word) && !strcasestr(o->name, word) &&
            !(o->alias && strcasestr(o->alias, word)))
            return false;
        words += n + strspn(words + n, " ");
    }
    return any;
}

static bool fits(const sw_terascale_opcode *o, enum how how, const char *text, int family) {
    if (family >= 0 && o->opcode[family] < 0) return false;
    if (how == ALL) return true;
    if (how == WORDS) return contains_all(o, text);
    return name_fits(o->name, how, text) || name_fits(o->alias, how, text);
}

// ---- Showing ----

static void opcodes(struct text *t, const sw_terascale_opcode *o) {
    const char *separator = "";
    for (int f = 0; f < SW_TERASCALE_FAMILIES; f++) {
        if (o->opcode[f] < 0) continue;
        text_printf(t, "%s%s 0x%x", separator, families[f], (unsigned)o->opcode[f]);
        separator = ", ";
    }
}

static void executed(struct text *t, const sw_terascale_opcode *o) {
    text_printf(t, "%s%s", o->gap ? "no: " : "yes", o->gap ? o->gap : "");
    if (o->unsure) text_printf(t, "; not certain: %s", o->unsure);
}

static void show_full(struct text *t, const sw_terascale_opcode *o) {
    text_printf(t, "%s\n", o->name);
    isa_wrap(t, o->sentence, 2);
    if (o->alias) text_printf(t, "\n  also      %s", o->alias);
    text_printf(t, "\n  group     %s\n  opcodes   ", o->group);
    opcodes(t, o);
    if (o->sources) text_printf(t, "\n  sources   %u", o->sources);
    text_puts(t, "\n  executed  ");
    executed(t, o);
    text_puts(t, "\n");
}

static void show_line(struct text *t, const sw_terascale_opcode *o) {
    const char *end = strstr(o->sentence, ". ");
    text_printf(t, "%-32s %.*s\n", o->name, end ? (int)(end - o->sentence + 1) : (int)strlen(o->sentence),
                o->sentence);
}

static void show_json(struct json *j, const sw_terascale_opcode *o) {
    json_open(j, NULL, '{');
    json_string(j, "name", o->name);
    json_string(j, "alias", o->alias);
    json_string(j, "sentence", o->sentence);
    json_string(j, "group", o->group);
    json_open(j, "opcodes", '{');
    for (int f = 0; f < SW_TERASCALE_FAMILIES; f++)
        if (o->opcode[f] >= 0) json_uint(j, families[f], (unsigned)o->opcode[f]);
    json_close(j, '}');
    json_uint(j, "sources", o->sources);
    json_bool(j, "executed", !o->gap);
    json_string(j, "gap", o->gap);
    json_string(j, "unsure", o->unsure);
    json_close(j, '}');
}

static bool show(struct text *t, enum how how, const char *text, int family, bool as_json) {
    struct json j = {.out = t};
    bool any = false;
    sw_terascale_opcode o = {.size = sizeof o};
    for (size_t i = 0; sw_terascale_opcode_at(i, &o); i++) {
        if (!fits(&o, how, text, family)) continue;
        if (as_json && !any) json_open(&j, NULL, '[');
        if (as_json)
            show_json(&j, &o);
        else if (how != NAME)
            show_line(t, &o);
        else
            text_puts(t, any ? "\n" : ""), show_full(t, &o);
        any = true;
    }
    if (as_json && any) json_close(&j, ']');
    return any;
}

bool isa_show_r600(struct text *t, const char *name, const char *words, const sw_processor *only,
                   bool as_json) {
    const int family = only ? sw_terascale_family(only) : -1;
    if (words) return show(t, WORDS, words, family, as_json);
    if (!name) return show(t, ALL, NULL, family, as_json);
    return show(t, NAME, name, family, as_json) || show(t, PATTERN, name, family, as_json);
}

void isa_r600_each(const sw_processor *only, bool (*take)(void *context, const sw_terascale_opcode *o),
                   void *context) {
    const int family = sw_terascale_family(only);
    sw_terascale_opcode o = {.size = sizeof o};
    for (size_t i = 0; sw_terascale_opcode_at(i, &o); i++)
        if ((family < 0 || o.opcode[family] >= 0) && take(context, &o)) return;
}

struct names {
    bool (*take)(void *context, const char *name);
    void *context;
};
static bool take_names(void *context, const sw_terascale_opcode *o) {
    const struct names *n = context;
    return n->take(n->context, o->name) || (o->alias && n->take(n->context, o->alias));
}
void isa_r600_names(const sw_processor *only, bool (*take)(void *context, const char *name), void *context) {
    isa_r600_each(only, take_names, &(struct names){take, context});
}

// ---- The page ----

// The anchor of an operation: its group and its name.
static void anchor(struct text *t, const sw_terascale_opcode *o) {
    for (const char *p = o->group; *p; p++)
        if (isalpha((unsigned char)*p)) text_add(t, p, 1);
    text_printf(t, "-%s", o->name);
}

static void page_row(struct text *t, const sw_terascale_opcode *o) {
    text_puts(t, "<tr><td class=\"f\" id=\"");
    anchor(t, o);
    text_printf(t, "\">%s%s%s</td><td>", o->name, o->alias ? ", " : "", o->alias ? o->alias : "");
    isa_escape(t, o->sentence);
    text_puts(t, "<br/><span class=\"soft\">");
    opcodes(t, o);
    if (o->gap || o->unsure) {
        text_puts(t, o->gap ? "; executed " : "; executed: ");
        executed(t, o);
    }
    text_puts(t, "</span></td></tr>\n");
}

void isa_r600_page(struct text *t) {
    sw_terascale_opcode o = {.size = sizeof o}, first = {.size = sizeof first};
    text_puts(
        t, "<p class=\"say\">What each operation of R600, R700, Evergreen and Cayman does, with its opcode "
           "in each family. S0, S1 and S2 are the sources.</p>\n");
    for (size_t i = 0; sw_terascale_opcode_at(i, &first); i++) {
        bool begins = true; // the first operation of its group
        for (size_t k = 0; k < i && begins; k++)
            begins = sw_terascale_opcode_at(k, &o) && strcmp(o.group, first.group) != 0;
        if (!begins) continue;
        text_printf(t, "<h2>%c%s</h2>\n<table class=\"list\">\n", toupper((unsigned char)*first.group),
                    first.group + 1);
        for (size_t k = i; sw_terascale_opcode_at(k, &o); k++)
            if (!strcmp(o.group, first.group)) page_row(t, &o);
        text_puts(t, "</table>\n");
    }
}

void isa_r600_search(struct text *t) {
    sw_terascale_opcode o = {.size = sizeof o};
    for (size_t i = 0; sw_terascale_opcode_at(i, &o); i++) {
        text_printf(t, "[\"%s%s%s\",\"r600.html#", o.name, o.alias ? " " : "", o.alias ? o.alias : "");
        anchor(t, &o);
        text_printf(t, "\",\"%s\"],\n", o.sentence);
    }
}
