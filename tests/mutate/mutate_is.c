// SPDX-License-Identifier: MIT
// Breaks what rows are said to compute: mutate_is WORK SEED BATCHES CHECK. In each batch every text of is.def
// is broken in one way; the texts go to WORK/src/isa/is.def, and the command CHECK makes tables of them and
// runs test_is: it leaves the ids of rows that differ in WORK/failed, or fails and leaves those whose text is
// refused in WORK/refused. A text of which no row is among them has survived and is printed.
//
// What is broken: an operation (becomes another with the same shape), the order of operands, an operand, a
// number, a type, a mode, a part of a source, the place of a result. Mutants that mean the same are listed
// below.
#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa/isa.h"
#include "isa/operations.h"

static const struct {
    const char *key, *text;
} texts[] = {
#define IS(key, text) {#key, text},
#define RATE(key, rate)
#include "isa/is.def"
#undef IS
#undef RATE
};
static const struct {
    const char *key, *rate;
} rates[] = {
#define IS(key, text)
#define RATE(key, rate) {#key, #rate},
#include "isa/is.def"
#undef IS
#undef RATE
};
enum { TEXTS = sizeof texts / sizeof *texts, RATES = sizeof rates / sizeof *rates, MOST = 400 };

// A mutant that means the same: what was broken, what it became, and in which text ("" in any) it makes no
// difference.
static const struct {
    const char *from, *to, *within, *reason;
} same[] = {
#define SAME(from, to, within, reason) {from, to, within, reason},
#include "same_meaning.def"
#undef SAME
};

struct mutant {
    char text[256], from[32], to[32];
};
struct mutants {
    struct mutant *list;
    unsigned count;
};

// True if the mutant at that place of the text is a listed one.
static bool means_the_same(const char *text, const char *at, const char *from, const char *to) {
    for (unsigned i = 0; i < sizeof same / sizeof *same; i++) {
        if (strcmp(same[i].from, from) || strcmp(same[i].to, to)) continue;
        const size_t n = strlen(same[i].within);
        for (const char *p = text; (p = strstr(p, same[i].within)); p++)
            if (at >= p && at < p + n) return true;
    }
    return false;
}
static void add(struct mutants *m, const char *text, const char *at, size_t length, const char *with) {
    struct mutant *n = &m->list[m->count];
    snprintf(n->from, sizeof n->from, "%.*s", (int)length, at);
    snprintf(n->to, sizeof n->to, "%s", with);
    if (m->count == MOST || means_the_same(text, at, n->from, n->to)) return;
    snprintf(n->text, sizeof n->text, "%.*s%s%s", (int)(at - text), text, with, at + length);
    m->count++;
}

// The end of the expression that begins here.
static const char *end_of(const char *p) {
    unsigned depth = 0;
    for (; *p; p++) {
        if (!depth && (*p == ',' || *p == ')' || *p == ';' || *p == '|')) break;
        depth += (*p == '(') - (*p == ')');
    }
    return p;
}
static void break_order(struct mutants *m, const char *text, enum operation op, const char *open) {
    const struct operation_info *info = operation_info(op);
    const char *first = open + 1, *first_end = end_of(first);
    char turned[200];
    if (info->operands < 2 || info->properties & (OPERATION_COMMUTES | OPERATION_COMMUTES_FIRST)) return;
    const char *second = first_end + 2, *second_end = end_of(second);
    snprintf(turned, sizeof turned, "%.*s, %.*s", (int)(second_end - second), second,
             (int)(first_end - first), first);
    if (strncmp(turned, first, (size_t)(second_end - first)))
        add(m, text, first, (size_t)(second_end - first), turned);
}
static void break_operation(struct mutants *m, const char *text, const char *at, size_t n) {
    const enum operation op = operation_named(at, n);
    if (op == OPERATIONS) return;
    const struct operation_info *info = operation_info(op);
    const char *open = strchr(at, '(');
    break_order(m, text, op, open);
    for (unsigned other = 0; other < OPERATIONS; other++) {
        const struct operation_info *o = operation_info((enum operation)other);
        const bool alike = o->types == info->types && o->operands == info->operands;
        const bool between_lanes =
            op == OP_mbcnt_lo ? other == OP_mbcnt_hi : op == OP_mbcnt_hi && other == OP_mbcnt_lo;
        if (other != op && alike && (o->evaluates || between_lanes)) add(m, text, at, n, o->name);
    }
}
static void break_word(struct mutants *m, const char *text, const char *at, size_t n) {
    static const char *const pairs[][2] = {{"a", "b"},
                                           {"b", "a"},
                                           {"c", "a"},
                                           {"u8", "u16"},
                                           {"u16", "u32"},
                                           {"i16", "i8"},
                                           {"i8", "i16"},
                                           {"u32", "i32"},
                                           {"i32", "u32"},
                                           {"u64", "i64"},
                                           {"i64", "u64"},
                                           {"f16", "bf16"},
                                           {"bf16", "f16"},
                                           {"old", "0"},
                                           {"k", "c"},
                                           {"scc", "0"},
                                           {"flush32", "ieee"},
                                           {"ieee", "flush32"},
                                           {"flush16_64", "flush32"},
                                           {"exec", "a"},
                                           {"dst1", "vcc"}};
    for (unsigned i = 0; i < sizeof pairs / sizeof *pairs; i++)
        if (strlen(pairs[i][0]) == n && !memcmp(at, pairs[i][0], n)) add(m, text, at, n, pairs[i][1]);
}
static struct mutants mutants_of(const char *text) {
    struct mutants m = {calloc(MOST + 1, sizeof *m.list), 0};
    for (const char *p = text; *p;) {
        size_t n = 0;
        while (isalnum((unsigned char)p[n]) || p[n] == '_') n++;
        char number[32];
        if (isdigit((unsigned char)*p) && p > text && p[-1] == '~')
            ; // a bound that is wider than need be, or that no value reaches, is not wrong
        else if (isdigit((unsigned char)*p)) {
            snprintf(number, sizeof number, "%lu", strtoul(p, NULL, 0) ^ 1);
            add(&m, text, p, n, number);
        } else if (n && (p[n] == '(' || p[n] == ':'))
            break_operation(&m, text, p, n);
        else if (n)
            break_word(&m, text, p, n);
        if (*p == '!') add(&m, text, p, 1, "");
        p += n ? n : 1;
    }
    return m;
}

static char broken[TEXTS][256];
static bool is_broken[TEXTS], is_found[TEXTS];

static void write_texts(const char *work) {
    char path[4096];
    snprintf(path, sizeof path, "%s/src/isa/is.def", work);
    FILE *f = fopen(path, "w");
    if (!f) exit(2);
    for (unsigned i = 0; i < TEXTS; i++)
        fprintf(f, "IS(%s, \"%s\")\n", texts[i].key, is_broken[i] ? broken[i] : texts[i].text);
    for (unsigned i = 0; i < RATES; i++) fprintf(f, "RATE(%s, %s)\n", rates[i].key, rates[i].rate);
    fclose(f);
}
// The texts of the rows that a file of the work folder names have been found out.
static unsigned find_out(const char *work, const char *name) {
    char path[4096], line[1024];
    unsigned found = 0;
    snprintf(path, sizeof path, "%s/%s", work, name);
    FILE *f = fopen(path, "r");
    while (f && fgets(line, sizeof line, f))
        for (unsigned r = 0; r < isa_row_count; r++) {
            line[strcspn(line, "\n")] = 0;
            if (strcmp(row_id(&isa_rows[r]), line)) continue;
            for (unsigned i = 0; i < TEXTS; i++)
                if (is_broken[i] && !is_found[i] &&
                    (!strcmp(texts[i].key, line) || !strcmp(texts[i].key, row_sem(&isa_rows[r]))))
                    is_found[i] = true, found++;
        }
    if (f) fclose(f);
    return found;
}
static void run(const char *work, const char *check) {
    // Texts that are refused stand as they were when the others are tried again.
    for (;;) {
        write_texts(work);
        if (!system(check)) break;
        if (!find_out(work, "refused")) {
            printf("batch 0 1: %s fails and names no row\n", check);
            exit(2);
        }
        for (unsigned i = 0; i < TEXTS; i++) is_broken[i] &= !is_found[i];
    }
    find_out(work, "failed");
}

int main(int argc, char **argv) {
    if (argc != 5) return 1;
    const unsigned seed = (unsigned)atoi(argv[2]), batches = (unsigned)atoi(argv[3]);
    static struct mutants all[TEXTS];
    unsigned most = 0, total = 0;
    for (unsigned i = 0; i < TEXTS; i++) {
        all[i] = mutants_of(texts[i].text);
        total += all[i].count;
        if (all[i].count > most) most = all[i].count;
    }
    for (unsigned b = 0; b < batches && b < most; b++) {
        unsigned made = 0, survived = 0;
        for (unsigned i = 0; i < TEXTS; i++) {
            is_found[i] = false;
            is_broken[i] = b < all[i].count;
            if (!is_broken[i]) continue;
            made++;
            snprintf(broken[i], sizeof broken[i], "%s", all[i].list[(seed * 7919u + b) % all[i].count].text);
        }
        bool was_broken[TEXTS];
        memcpy(was_broken, is_broken, sizeof was_broken);
        run(argv[1], argv[4]);
        for (unsigned i = 0; i < TEXTS; i++) {
            if (!was_broken[i] || is_found[i]) continue;
            survived++;
            printf("survived: %s: \"%s\" became \"%s\"\n", texts[i].key, texts[i].text, broken[i]);
        }
        printf("batch %u %u\n", made, survived);
        fflush(stdout);
    }
    printf("%u texts, %u mutants of them; in %u batches all\n", (unsigned)TEXTS, total, most);
    return 0;
}
