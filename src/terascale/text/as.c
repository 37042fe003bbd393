// SPDX-License-Identifier: MIT
// Text to programs: lines to words, clauses to their places.
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "terascale/isa/clause.h"
#include "terascale/isa/needs.h"
#include "terascale/text/as.h"
#include "terascale/text/parse.h"

enum { MOST_WORDS = 1 << 22, MOST_ERRORS = 20, NO_PLACE = -1 };

struct line {
    const char *begin, *end;
    uint32_t number;
};

struct cf_item {
    struct ts_cf_line cf;
    int64_t place;
    uint32_t at;          // its word, once laid out
    ARRAY(uint32_t) body; // dwords
    bool has_body;
    struct line line;
};

struct data_item {
    int64_t place;
    ARRAY(uint32_t) dwords;
    uint32_t zeros; // words
    struct line line;
};

struct local_label {
    const char *name;
    size_t length, item; // the control-flow word behind it
};

struct group_line {
    struct ts_slot_line slot;
    struct line line;
};

struct as {
    const char *file;
    const struct ts_chip *chip;
    const sw_sink *sink;
    unsigned errors;
    bool no_memory;
    struct line line;
    ts_functions *functions;

    // Of the function that is being read.
    bool open;
    struct ts_function function;
    ARRAY(struct cf_item) cf;
    ARRAY(struct data_item) data;
    ARRAY(struct local_label) labels;

    // Of the group that is being read.
    ARRAY(struct group_line) group;
    bool unchecked, not_last;
    uint32_t literal[4];
    unsigned literals;
};

// ---- Messages ----

static void error_at(struct as *a, const struct line *line, const char *at, const char *why) {
    sw_location place = {.file = a->file,
                         .line = line->number,
                         .column = at ? (uint32_t)(at - line->begin) + 1 : 1,
                         .line_text = line->begin,
                         .line_length = (size_t)(line->end - line->begin)};
    if (a->errors++ < MOST_ERRORS) diag_fail(a->sink, SW_BAD_INPUT, &place, "%s", why);
}

static bool failed_line(struct as *a, const struct ts_cursor *c) {
    error_at(a, &a->line, c->at, *c->why ? c->why : "this is not understood");
    return false;
}

static bool out_of_memory(struct as *a) {
    a->no_memory = true;
    return false;
}

// ---- Groups ----

static bool push_dwords(struct as *a, struct cf_item *item, const uint32_t *w, unsigned n) {
    for (unsigned i = 0; i < n; i++)
        if (!array_push(&item->body, w[i])) return out_of_memory(a);
    item->has_body = true;
    return true;
}

// Gives literals without a channel a place: that of an equal one, or the first that is free.
static const char *place_literals(struct as *a, uint32_t value[4], unsigned *count) {
    bool taken[4] = {false};
    *count = a->literals;
    for (unsigned i = 0; i < a->literals; i++) value[i] = a->literal[i], taken[i] = true;
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < a->group.count; i++)
            for (unsigned k = 0; k < 3; k++) {
                struct ts_slot_line *s = &a->group.items[i].slot;
                if (!s->literal[k].used || (s->literal[k].chan < 0) != (pass == 1)) continue;
                const uint32_t v = s->literal[k].value;
                unsigned chan = pass ? 0 : (unsigned)s->literal[k].chan;
                while (pass && chan < 4 && taken[chan] && value[chan] != v) chan++;
                if (chan > 3) return "a group has at most four literals";
                if (taken[chan] && value[chan] != v) return "two literals of a group want one channel";
                taken[chan] = true;
                value[chan] = v;
                ts_set(&s->insn, (enum ts_field[]){TS_SRC0_CHAN, TS_SRC1_CHAN, TS_SRC2_CHAN}[k], chan);
                if (chan / 2 * 2 + 2 > *count) *count = chan / 2 * 2 + 2;
            }
    return NULL;
}

// The label that the text gives a slot has to be the unit that it executes in.
static const char *check_labels(struct as *a, struct ts_group *g) {
    static char why[96];
    if (!ts_place_units(g)) return NULL; // ts_check_group says why
    for (unsigned i = 0; i < g->count; i++) {
        const char unit = ts_unit_letter[g->slot[i].unit], written = a->group.items[i].slot.unit;
        if (unit == written) continue;
        snprintf(why, sizeof why, "this executes in slot %c, not %c", unit, written);
        return why;
    }
    return NULL;
}

static bool end_group(struct as *a) {
    if (!a->group.count) return true;
    uint32_t literal[4] = {0}, words[16];
    unsigned literals;
    const struct line line = a->group.items[0].line;
    struct cf_item *item = &a->cf.items[a->cf.count - 1];
    const char *why =
        a->group.count > 8 ? "a group has too many slots" : place_literals(a, literal, &literals);
    bool swizzled = a->unchecked;
    const size_t count = a->group.count;
    for (size_t i = 0; i < count && !why; i++) {
        struct ts_slot_line *s = &a->group.items[i].slot;
        ts_set(&s->insn, TS_LAST, i + 1 == count && !a->not_last);
        swizzled |= s->swizzled;
        words[2 * i] = s->insn.w[0], words[2 * i + 1] = s->insn.w[1];
    }
    if (!why) {
        struct ts_group g;
        ts_take_group(a->chip->family, words, (unsigned)count, &g);
        if (!a->unchecked) why = check_labels(a, &g);
        if (!why && !swizzled) {
            ts_place_units(&g);
            if (ts_find_swizzles(a->chip, &g))
                for (size_t i = 0; i < count; i++)
                    words[2 * i] = g.slot[i].insn.w[0], words[2 * i + 1] = g.slot[i].insn.w[1];
        }
        if (!why && !a->unchecked) why = ts_check_group(a->chip, &g);
        if (!why && !a->unchecked && literals < g.literals) why = "a literal has no value";
    }
    bool good = !why;
    if (why)
        error_at(a, &line, NULL, why);
    else
        good = push_dwords(a, item, words, 2 * (unsigned)count) && push_dwords(a, item, literal, literals);
    item->has_body = true;
    a->group.count = 0;
    a->unchecked = a->not_last = false;
    a->literals = 0;
    return good;
}

// ---- Lines of a clause ----

static struct cf_item *current_clause(struct as *a, enum ts_clause_kind kind) {
    if (!a->cf.count) return NULL;
    struct cf_item *item = &a->cf.items[a->cf.count - 1];
    return ts_clause_of(&item->cf.insn).kind == kind ? item : NULL;
}

static bool is_slot(const struct ts_cursor *c) {
    return c->end - c->p > 1 && c->p[1] == ':' && strchr("xyzwt", c->p[0]);
}

static bool read_slot(struct as *a, struct ts_cursor *c, bool numbered, bool unchecked) {
    if (numbered && !end_group(a)) return false;
    if (!current_clause(a, TS_ALU_CLAUSE))
        return failed_line(a, (ts_fail(c, "a slot stands below an ALU clause"), c));
    struct group_line line = {.line = a->line};
    if (unchecked) a->unchecked = true;
    if (!ts_parse_slot(c, &line.slot)) return failed_line(a, c);
    return array_push(&a->group, line) || out_of_memory(a);
}

static bool read_literals(struct as *a, struct ts_cursor *c) {
    uint32_t v[4] = {0};
    unsigned n = 0;
    do
        if (n == 4 || !ts_number(c, &v[n++])) return failed_line(a, (ts_fail(c, "two or four numbers"), c));
    while (ts_accept(c, ","));
    if (n & 1 || !a->group.count)
        return failed_line(a, (ts_fail(c, "two or four literals, below a group"), c));
    memcpy(a->literal, v, sizeof v);
    a->literals = n;
    return true;
}

static bool read_fetch(struct as *a, struct ts_cursor *c) {
    struct ts_insn in;
    struct cf_item *item = current_clause(a, TS_FETCH_CLAUSE);
    if (!item) return failed_line(a, (ts_fail(c, "a fetch stands below a fetch clause"), c));
    if (!ts_parse_fetch(c, &in)) return failed_line(a, c);
    return push_dwords(a, item, in.w, 4);
}

// ---- Lines of control flow, data, directives ----

static bool read_cf(struct as *a, struct ts_cursor *c, int64_t place) {
    struct cf_item item = {.place = place, .line = a->line};
    if (!a->open) return failed_line(a, (ts_fail(c, "code stands behind the name of a function"), c));
    if (!end_group(a)) return false;
    if (!ts_parse_cf(c, &item.cf)) return failed_line(a, c);
    return array_push(&a->cf, item) || out_of_memory(a);
}

static bool read_data(struct as *a, struct ts_cursor *c, int64_t place, bool zero) {
    struct data_item item = {.place = place, .line = a->line};
    uint32_t v;
    if (!a->open) return failed_line(a, (ts_fail(c, "data stands behind the name of a function"), c));
    if (!end_group(a)) return false;
    if (zero) {
        if (!ts_number(c, &item.zeros)) return failed_line(a, c);
        if (item.zeros > MOST_WORDS)
            return failed_line(a, (ts_fail(c, "a program has at most %d words", MOST_WORDS), c));
        return array_push(&a->data, item) || out_of_memory(a);
    }
    do {
        if (!ts_number(c, &v)) {
            array_free(&item.dwords);
            return failed_line(a, c);
        }
        if (!array_push(&item.dwords, v)) return out_of_memory(a);
    } while (ts_accept(c, ","));
    return array_push(&a->data, item) || out_of_memory(a);
}

static bool finish_function(struct as *a);

static bool begin_function(struct as *a, const char *name, size_t length) {
    if (!finish_function(a)) return false;
    a->open = true;
    a->function = (struct ts_function){.name = strndup(name, length)};
    return a->function.name || out_of_memory(a);
}

// Program state: registers that an object has for the function.
static bool read_state(struct as *a, struct ts_cursor *c) {
    struct ts_settings all;
    if (!ts_parse_state(c, a->function.stage, &all)) return failed_line(a, c);
    for (unsigned i = 0; i < all.count; i++)
        if (!array_push(&a->function.settings, all.item[i])) return out_of_memory(a);
    return true;
}

static bool read_directive(struct as *a, struct ts_cursor *c, int64_t place) {
    static const char *const stages[TS_STAGES] = {"compute", "vertex", "pixel", "geometry", "export"};
    const char *name;
    if (ts_accept(c, ".long")) return read_data(a, c, place, false);
    if (ts_accept(c, ".zero")) return read_data(a, c, place, true);
    const bool texture = c->end - c->p > 5 && c->p[5] == 'u'; // not ".text"
    if ((!texture && ts_accept(c, ".text")) || ts_accept(c, ".globl")) return true;
    if (!a->open) return failed_line(a, (ts_fail(c, "this stands behind the name of a function"), c));
    if (ts_accept(c, ".stage")) {
        const size_t n = ts_word(c, &name);
        for (unsigned i = 0; i < TS_STAGES; i++)
            if (strlen(stages[i]) == n && !memcmp(stages[i], name, n)) {
                a->function.stage = (enum ts_stage)i;
                return ts_at_end(c) || failed_line(a, (ts_fail(c, "nothing stands behind the stage"), c));
            }
        return failed_line(a, (ts_fail(c, "stages are compute, vertex, pixel, geometry and export"), c));
    }
    if (ts_accept(c, ".lds")) return ts_number(c, &a->function.lds) || failed_line(a, c);
    return read_state(a, c);
}

// ---- Laying a function out ----

static const struct local_label *find_label(const struct as *a, const char *name, size_t length) {
    for (size_t i = 0; i < a->labels.count; i++) {
        const struct local_label *l = &a->labels.items[i];
        if (l->length == length && !memcmp(l->name, name, length)) return l;
    }
    return NULL;
}

struct image {
    uint32_t *dwords;
    uint8_t *used;
    uint32_t words, room;
};

static bool reach(struct as *a, struct image *m, const struct line *line, uint64_t words) {
    if (words > MOST_WORDS) {
        error_at(a, line, NULL, "the program has too many words");
        return false;
    }
    if (words > m->room) {
        uint32_t room = (uint32_t)words * 2 + 64;
        uint32_t *dwords = realloc(m->dwords, 8 * (size_t)room);
        if (dwords) m->dwords = dwords;
        uint8_t *used = dwords ? realloc(m->used, room) : NULL;
        if (!used) return out_of_memory(a);
        memset(dwords + 2 * (size_t)m->room, 0, 8 * (size_t)(room - m->room));
        memset(used + m->room, 0, room - m->room);
        m->used = used;
        m->room = room;
    }
    if (words > m->words) m->words = (uint32_t)words;
    return true;
}

static bool store(struct as *a, struct image *m, const struct line *line, uint64_t at, const uint32_t *dwords,
                  size_t count) {
    const size_t words = (count + 1) / 2;
    if (at > MOST_WORDS || !reach(a, m, line, at + words)) {
        if (at > MOST_WORDS) error_at(a, line, NULL, "the program has too many words");
        return false;
    }
    for (size_t i = 0; i < words; i++) {
        if (m->used[at + i]) {
            error_at(a, line, NULL, "another word is there already");
            return false;
        }
        m->used[at + i] = 1;
    }
    for (size_t i = 0; i < count; i++) m->dwords[2 * at + i] = dwords[i];
    return true;
}

// Control flow from 0 on, or where the line's number says.
static bool place_cf(struct as *a, struct image *m) {
    uint64_t next = 0;
    static const uint32_t empty[2];
    for (size_t i = 0; i < a->cf.count; i++) {
        struct cf_item *item = &a->cf.items[i];
        if (item->place >= 0) next = (uint64_t)item->place;
        item->at = (uint32_t)next;
        if (!store(a, m, &item->line, next++, empty, 2)) return false;
    }
    return true;
}

static bool place_data(struct as *a, struct image *m, bool placed) {
    for (size_t i = 0; i < a->data.count; i++) {
        const struct data_item *d = &a->data.items[i];
        if ((d->place >= 0) != placed) continue;
        const uint64_t at = placed ? (uint64_t)d->place : m->words;
        if (d->zeros ? at > MOST_WORDS || !reach(a, m, &d->line, at + d->zeros)
                     : !store(a, m, &d->line, at, d->dwords.items, d->dwords.count))
            return false;
    }
    return true;
}

static bool place_clause(struct as *a, struct image *m, struct cf_item *item, bool placed) {
    struct ts_clause c = ts_clause_of(&item->cf.insn);
    struct ts_insn *in = &item->cf.insn;
    if (!c.kind || item->cf.has_addr != placed) return true;
    const uint32_t unit = c.kind == TS_ALU_CLAUSE ? 2 : 4;
    uint32_t count = (uint32_t)item->body.count / unit;
    if (!item->has_body) {
        if (!item->cf.has_addr || !item->cf.has_count) {
            error_at(a, &item->line, NULL, "the clause is empty");
            return false;
        }
        count = item->cf.count;
    } else if (item->cf.has_count && item->cf.count != count) {
        char why[80];
        snprintf(why, sizeof why, "the clause has %u of the %u that CNT says", count, item->cf.count);
        error_at(a, &item->line, NULL, why);
        return false;
    }
    const unsigned width = ts_width(in, TS_COUNT);
    if (!count || (count - 1) >> width) {
        char why[80];
        snprintf(why, sizeof why, "the clause has %u, and takes 1 to %u", count, 1u << width);
        error_at(a, &item->line, NULL, why);
        return false;
    }
    ts_set(in, TS_COUNT, count - 1);
    if (!placed) {
        const uint32_t at = m->words + (c.kind == TS_FETCH_CLAUSE && m->words & 1);
        ts_set(in, TS_ADDR, at);
    }
    return !item->has_body ||
           store(a, m, &item->line, ts_get(in, TS_ADDR), item->body.items, item->body.count);
}

static bool resolve(struct as *a, struct cf_item *item) {
    if (!item->cf.label) return true;
    const struct local_label *label = find_label(a, item->cf.label, item->cf.label_length);
    if (!label || label->item >= a->cf.count) {
        error_at(a, &item->line, item->cf.label, "no such label");
        return false;
    }
    ts_set(&item->cf.insn, TS_ADDR, a->cf.items[label->item].at);
    return true;
}

static bool check_clauses(struct as *a, const struct image *m) {
    bool good = true;
    for (size_t i = 0; i < a->cf.count; i++) {
        const struct cf_item *item = &a->cf.items[i];
        if (!item->has_body || item->cf.unchecked) continue;
        const struct ts_insn *ext =
            i && ts_is(&a->cf.items[i - 1].cf.insn, TS_CFA_ALU_EXT) ? &a->cf.items[i - 1].cf.insn : NULL;
        const char *why = ts_check_clause(a->chip, &item->cf.insn, ext,
                                          m->dwords + 2 * (size_t)ts_get(&item->cf.insn, TS_ADDR));
        if (why) error_at(a, &item->line, NULL, why), good = false;
    }
    return good;
}

static bool lay_out(struct as *a, struct image *m) {
    bool good = place_cf(a, m);
    for (size_t i = 0; i < a->cf.count && good; i++) good = resolve(a, &a->cf.items[i]);
    for (int placed = 1; placed >= 0 && good; placed--) {
        if (placed && !place_data(a, m, true)) return false;
        for (size_t i = 0; i < a->cf.count && good; i++) good = place_clause(a, m, &a->cf.items[i], placed);
    }
    if (!good || !place_data(a, m, false)) return false;
    for (size_t i = 0; i < a->cf.count; i++)
        memcpy(m->dwords + 2 * (size_t)a->cf.items[i].at, a->cf.items[i].cf.insn.w, 8);
    return check_clauses(a, m);
}

// Resources of another stage would make the function one of that stage.
static bool check_settings(struct as *a) {
    const struct ts_function *f = &a->function;
    for (size_t i = 0; i < f->settings.count; i++) {
        const uint32_t reg = f->settings.items[i].reg;
        bool other = false;
        for (unsigned s = 0; s < TS_STAGES; s++)
            other |= reg == ts_resources_register(a->chip->family, (enum ts_stage)s);
        if (!other || reg == ts_resources_register(a->chip->family, f->stage)) continue;
        const struct ts_register *r = ts_register_at(a->chip->family, reg);
        char why[128];
        snprintf(why, sizeof why, "an object has no place for %s in a function of this stage",
                 r ? r->name : "that");
        error_at(a, &a->line, NULL, why);
        return false;
    }
    return true;
}

static void clear_function(struct as *a) {
    for (size_t i = 0; i < a->cf.count; i++) array_free(&a->cf.items[i].body);
    for (size_t i = 0; i < a->data.count; i++) array_free(&a->data.items[i].dwords);
    array_free(&a->cf);
    array_free(&a->data);
    array_free(&a->labels);
    a->open = false;
}

static bool finish_function(struct as *a) {
    if (!a->open) return true;
    struct image m = {0};
    struct ts_needs needs = {0};
    bool good = end_group(a) && !a->errors && lay_out(a, &m);
    if (good && !ts_program_needs(a->chip, m.dwords, m.words, &needs)) good = out_of_memory(a);
    a->function.code.items = m.dwords;
    a->function.code.count = 2 * (size_t)m.words;
    a->function.gprs = needs.gprs;
    a->function.stack = needs.stack;
    a->function.kills = needs.kills;
    good = good && check_settings(a);
    free(m.used);
    clear_function(a);
    if (!array_push(a->functions, a->function)) {
        free(m.dwords);
        free(a->function.name);
        return out_of_memory(a);
    }
    return good;
}

// ---- The text ----

static const char *cut_comment(const char *begin, const char *end) {
    bool quoted = false;
    for (const char *p = begin; p < end; p++)
        if (*p == '"')
            quoted = !quoted;
        else if (quoted)
            continue;
        else if (*p == ';' || *p == '#' || (*p == '/' && end - p > 1 && p[1] == '/'))
            return p;
    return end;
}

static bool read_label(struct as *a, struct ts_cursor *c, const char *name, size_t n) {
    if (*name != '.') return begin_function(a, name, n);
    if (!end_group(a)) return false;
    if (find_label(a, name, n)) return failed_line(a, (ts_fail(c, "this label is there already"), c));
    return array_push(&a->labels, (struct local_label){name, n, a->cf.count}) || out_of_memory(a);
}

static bool read_line(struct as *a) {
    struct ts_cursor c = {.p = a->line.begin,
                          .end = cut_comment(a->line.begin, a->line.end),
                          .family = a->chip->family,
                          .chip = a->chip};
    const char *name;
    uint32_t number;
    int64_t place = NO_PLACE;
    if (ts_at_end(&c)) return true;
    if (ts_accept(&c, "\"")) {
        const char *quote = memchr(c.p, '"', (size_t)(c.end - c.p));
        if (!quote || quote == c.p) return failed_line(a, (ts_fail(&c, "a name in quotes"), &c));
        name = c.p;
        c.p = quote + 1;
        if (!ts_accept(&c, ":") || !ts_at_end(&c)) return failed_line(a, (ts_fail(&c, "expected ':'"), &c));
        return begin_function(a, name, (size_t)(quote - name));
    }
    if (isdigit((unsigned char)*c.p)) {
        if (!ts_number(&c, &number)) return failed_line(a, &c);
        place = number;
    }
    const bool unchecked = place >= 0 && ts_accept(&c, "!");
    ts_skip(&c);
    if (is_slot(&c)) return read_slot(a, &c, place >= 0, unchecked);
    if (ts_accept(&c, "l:")) return read_literals(a, &c);
    if (ts_accept(&c, "NOT_LAST")) return a->not_last = true;
    const char *const before = c.p;
    const size_t n = ts_word(&c, &name);
    bool label = n && ts_accept(&c, ":") && ts_at_end(&c) && place < 0;
    c.p = before;
    label = label && !ts_known_name(&c, 1 << TS_CF_SPACE | 1 << TS_CFA_SPACE); // "ALU:" is a clause
    if (label) return read_label(a, &c, name, n);
    if (n && *name == '.') return read_directive(a, &c, place);
    if (ts_known_name(&c, 1 << TS_TEX_SPACE | 1 << TS_VTX_SPACE | 1 << TS_MEM_SPACE | 1 << TS_GDS_SPACE))
        return read_fetch(a, &c);
    return read_cf(a, &c, place);
}

sw_status ts_assemble(const char *text, size_t length, const struct ts_chip *chip, const char *file,
                      ts_functions *out, const sw_sink *sink) {
    struct as a = {.file = file, .chip = chip, .sink = sink, .functions = out};
    const char *p = text, *end = text + length;
    while (p < end && !a.no_memory && a.errors < MOST_ERRORS) {
        const char *newline = memchr(p, '\n', (size_t)(end - p));
        a.line = (struct line){p, newline ? newline : end, a.line.number + 1};
        read_line(&a);
        p = newline ? newline + 1 : end;
    }
    if (!a.no_memory) finish_function(&a);
    clear_function(&a);
    array_free(&a.group);
    if (a.no_memory) return diag_fail(sink, SW_NO_MEMORY, NULL, "out of memory");
    if (a.errors) return SW_BAD_INPUT;
    return out->count
               ? SW_OK
               : diag_fail(sink, SW_BAD_INPUT, &(sw_location){.file = file}, "no function in the text");
}
