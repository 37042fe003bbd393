// SPDX-License-Identifier: MIT
// Breaks facts of the instruction rows: mutate_rows SOURCE WORK PERCENT SEED CHECK. Reads the .def files
// under SOURCE, draws PERCENT of their facts, and breaks them many at a time, no two in one row: writes the
// files with the broken rows to WORK and runs the command CHECK, which leaves the ids of operations that some
// test found wrong in WORK/failed, or fails when the tables do not even expand, having written why to
// WORK/contradictions. A fact whose operation is not among them has survived and is printed.
//
// What is broken: an opcode (its lowest bit), an opcode that ends, a capability that is needed, an operand's
// type or field, a flag, a register touched without being named, a width of memory access, a name from some
// generation on, a set of operands, the id that is the name.
#include <ctype.h>
#include <dirent.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_FILES = 64, BATCH = 40 };

struct file {
    char name[128];
    char **lines;
    size_t count;
};
struct fact {
    unsigned file, line, at, length; // in the line
    char text[64];                   // to put there
    char id[64];                     // of the row
    bool dead;
};

static struct file files[MAX_FILES];
static unsigned file_count;
static struct fact *facts;
static size_t fact_count, fact_room;
static const char *work, *check;

static bool read_file(const char *folder, const char *name) {
    char path[4096], *line = NULL;
    size_t room = 0;
    struct file *f = &files[file_count++];
    snprintf(f->name, sizeof f->name, "%s", name);
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *in = fopen(path, "r");
    while (in && getline(&line, &room, in) > 0) {
        if (*line == ' ' && f->count) { // the rest of a row
            char *row = f->lines[f->count - 1];
            row[strcspn(row, "\n")] = 0;
            row = f->lines[f->count - 1] = realloc(row, strlen(row) + strlen(line) + 1);
            strcat(row, line + 1);
            continue;
        }
        f->lines = realloc(f->lines, (f->count + 1) * sizeof *f->lines);
        f->lines[f->count++] = strdup(line);
    }
    free(line);
    return in && !fclose(in);
}

static void add(unsigned file, unsigned line, const char *start, const char *at, size_t length,
                const char *text) {
    if (fact_count == fact_room) facts = realloc(facts, (fact_room = fact_room * 2 + 256) * sizeof *facts);
    struct fact *f = &facts[fact_count++];
    *f = (struct fact){.file = file, .line = line, .at = (unsigned)(at - start), .length = (unsigned)length};
    snprintf(f->text, sizeof f->text, "%s", text);
    snprintf(f->id, sizeof f->id, "%.*s", (int)strcspn(start + 2, ","), start + 2);
}

static bool word_char(char c) { return isalnum((unsigned char)c) || c == '_'; }
static size_t word_at(const char *p) {
    size_t n = 0;
    while (word_char(p[n])) n++;
    return n;
}
static bool is(const char *p, size_t n, const char *word) { return strlen(word) == n && !memcmp(p, word, n); }

// A type that reads or prints otherwise.
static const char *other_type(const char *p, size_t n) {
    static const char *const pairs[][2] = {
        {"F32", "B64"},  {"B32", "F32"},  {"U32", "B64"}, {"I32", "F32"},   {"F64", "F32"},  {"B64", "B32"},
        {"F16", "F32"},  {"B16", "B32"},  {"U16", "F16"}, {"I16", "U32"},   {"U64", "U32"},  {"I64", "F64"},
        {"MASK", "B32"}, {"B128", "B64"}, {"B96", "B64"}, {"B256", "B128"}, {"B512", "B256"}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        if (is(p, n, pairs[i][0])) return pairs[i][1];
    return "B32";
}

// The facts behind ".name = " up to the comma before the next column.
static const char *column_facts(unsigned file, unsigned line, const char *start, const char *column, size_t n,
                                const char *p, const char *end) {
    char text[64];
    bool operands = is(column, n, "dst") || is(column, n, "src");
    bool words =
        is(column, n, "flags") || is(column, n, "reads") || is(column, n, "writes") || is(column, n, "image");
    bool number = is(column, n, "scalars") || is(column, n, "registers");
    while (p < end) {
        if (!word_char(*p)) {
            p++;
            continue;
        }
        size_t k = word_at(p);
        // Types in the shapes of operand lists: V2(F32, B32).
        if (operands && p[k] != '(' && (p[-1] == '(' || (p[-1] == ' ' && p[-2] == ',')) &&
            (p[k] == ',' || p[k] == ')') && isupper((unsigned char)*p)) {
            add(file, line, start, p, k, other_type(p, k));
            p += k;
            continue;
        }
        if (operands && p[-1] == '{' && p[k] == ',') {
            const char *type = p + k + 2;
            size_t t = word_at(type);
            add(file, line, start, type, t, other_type(type, t));
            p = type + t;
            continue;
        }
        if (words) add(file, line, start, p, k, "0");
        if (number) {
            snprintf(text, sizeof text, "%d", atoi(p) ^ 1);
            add(file, line, start, p, k, text);
        }
        if (is(column, n, "access"))
            add(file, line, start, p, k, is(p, k, "ACCESS_B32") ? "ACCESS_B64" : "ACCESS_B32");
        if (is(column, n, "needs") && is(p, k, "HAS")) add(file, line, start, p, k, "HAS_NOT");
        if (is(column, n, "needs") && is(p, k, "HAS_NOT")) add(file, line, start, p, k, "HAS");
        if (is(column, n, "name") && p[-1] == '"') add(file, line, start, p, 0, "x");
        if (is(column, n, "enc") && *p == 'G' && p[k] == '(') {
            const char *value = p + k + 1;
            size_t v = word_at(value);
            if (is(value, v, "NONE"))
                add(file, line, start, p, k + v + 2, "");
            else {
                snprintf(text, sizeof text, "0x%lx", strtoul(value, NULL, 0) ^ 1);
                add(file, line, start, value, v, text);
            }
            p = value + v;
            continue;
        }
        p += k;
    }
    return p;
}

static void row_facts(unsigned file, unsigned line, const char *s) {
    for (const char *p = strstr(s, ", ."); p;) {
        const char *column = p + 3, *value;
        size_t n = word_at(column);
        const char *next = strstr(column, ", ."), *end = next ? next : s + strlen(s);
        value = strstr(column, "= ");
        if (value && value < end) column_facts(file, line, s, column, n, value + 2, end);
        p = next;
    }
}

static bool write_files(const size_t *batch, size_t count) {
    char path[4096];
    bool ok = true;
    for (unsigned f = 0; f < file_count; f++) {
        snprintf(path, sizeof path, "%s/src/isa/%s", work, files[f].name);
        FILE *out = fopen(path, "w");
        if (!out) return false;
        for (size_t l = 0; l < files[f].count; l++) {
            const struct fact *broken = NULL;
            for (size_t b = 0; b < count; b++)
                if (facts[batch[b]].file == f && facts[batch[b]].line == l) broken = &facts[batch[b]];
            const char *s = files[f].lines[l];
            if (broken)
                fprintf(out, "%.*s%s%s", (int)broken->at, s, broken->text, s + broken->at + broken->length);
            else
                fputs(s, out);
        }
        ok &= !fclose(out);
    }
    return ok;
}

// Facts of the operations that a file of the work folder names, word by word, have been found out.
static void bury(const size_t *batch, size_t count, const char *name) {
    char path[4096], line[1024];
    snprintf(path, sizeof path, "%s/%s", work, name);
    FILE *f = fopen(path, "r");
    while (f && fgets(line, sizeof line, f))
        for (char *word = strtok(line, " \n"); word; word = strtok(NULL, " \n"))
            for (size_t b = 0; b < count; b++)
                if (!strcmp(facts[batch[b]].id, word)) facts[batch[b]].dead = true;
    if (f) fclose(f);
}

static void try_batch(const size_t *batch, size_t count) {
    if (!count) return;
    if (!write_files(batch, count)) exit(2);
    if (!system(check)) {
        bury(batch, count, "failed");
        return;
    }
    // The tables contradict each other: whom the message names is found out, the others are tried again.
    size_t left[BATCH], n = 0;
    bury(batch, count, "contradictions");
    for (size_t b = 0; b < count; b++)
        if (!facts[batch[b]].dead) left[n++] = batch[b];
    if (n < count)
        try_batch(left, n);
    else if (count == 1)
        facts[batch[0]].dead = true;
    else {
        try_batch(batch, count / 2);
        try_batch(batch + count / 2, count - count / 2);
    }
}

int main(int argc, char **argv) {
    if (argc != 6) return 1;
    work = argv[2];
    check = argv[5];
    DIR *d = opendir(argv[1]);
    if (!d) return 1;
    for (struct dirent *e; (e = readdir(d)) && file_count < MAX_FILES;) {
        size_t n = strlen(e->d_name);
        if (n > 4 && !strcmp(e->d_name + n - 4, ".def") && !read_file(argv[1], e->d_name)) return 1;
    }
    closedir(d);
    for (unsigned f = 0; f < file_count; f++)
        for (unsigned l = 0; l < files[f].count; l++)
            if (!strncmp(files[f].lines[l], "I(", 2)) row_facts(f, l, files[f].lines[l]);
    uint64_t seed = strtoull(argv[4], NULL, 0) * 0x9e3779b97f4a7c15u + 1;
    size_t wanted = fact_count * (size_t)atoi(argv[3]) / 100, *drawn = calloc(fact_count, sizeof *drawn);
    if (!drawn) return 2;
    for (size_t i = 0; i < fact_count; i++) drawn[i] = i;
    for (size_t i = 0; i < wanted; i++) { // Fisher-Yates
        seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
        size_t j = i + (size_t)(seed >> 8) % (fact_count - i), t = drawn[i];
        drawn[i] = drawn[j];
        drawn[j] = t;
    }
    // Batches in which every row occurs once.
    for (size_t left = wanted; left;) {
        size_t batch[BATCH], n = 0, kept = 0;
        for (size_t i = 0; i < left; i++) {
            bool clash = n == BATCH;
            for (size_t b = 0; b < n && !clash; b++) clash = !strcmp(facts[batch[b]].id, facts[drawn[i]].id);
            if (clash)
                drawn[kept++] = drawn[i];
            else
                batch[n++] = drawn[i];
        }
        try_batch(batch, n);
        size_t survived = 0;
        for (size_t b = 0; b < n; b++) {
            const struct fact *f = &facts[batch[b]];
            if (f->dead) continue;
            survived++;
            printf("survived: %s, %s:%u: '%.*s' became '%s'\n", f->id, files[f->file].name, f->line + 1,
                   (int)f->length, files[f->file].lines[f->line] + f->at, f->text);
        }
        printf("batch %zu %zu\n", n, survived);
        fflush(stdout);
        left = kept;
    }
    printf("facts %zu of %zu\n", wanted, fact_count);
    return 0;
}
