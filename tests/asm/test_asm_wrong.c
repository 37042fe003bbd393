// SPDX-License-Identifier: MIT
// Wrong operands. For each instruction that tests/isa knows of a processor, each operand of its line is
// replaced by operands of other kinds. What does not assemble then must be refused with the mnemonic, the
// operand's name, what is allowed, the processor, the text that was found, and its column (issue of the
// assembler: every row, processor class and operand).
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "piece.h"
#include "asm/insn/parse.h"
#include "dis/listing.h"
#include "isa/kinds.h"

struct host {
    struct asm_host host;
    const char *text;
    char message[512];
    long column;
};

static void keep(void *context, const char *where, const char *message) {
    struct host *h = context;
    if (*h->message) return;
    h->column = where - h->text;
    snprintf(h->message, sizeof h->message, "%s", message);
}

static bool number(void *context, const char **at, const char *end, struct mc_value *out) {
    *out = (struct mc_value){0};
    if (parse_plain_integer(at, end, &out->number)) return true;
    keep(context, *at, "not an integer");
    return false;
}

struct counts {
    size_t tried, refused, told, untold;
};

static bool is_field(const char *name, size_t length) {
    static const char *const names[] = {
#define FIELD(name) #name,
#include "isa/fields.def"
#undef FIELD
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strlen(names[i]) == length && !memcmp(names[i], name, length)) return true;
    return false;
}

// "mnemonic: field must be ... on processor, found text", and the text is what stands at the column.
static bool tells(const struct host *h, const struct mc_mode *mode, const char *mnemonic) {
    char middle[64];
    const char *colon = strstr(h->message, ": "), *must = strstr(h->message, " must be ");
    snprintf(middle, sizeof middle, " on %s, found ", mode->processor->name);
    const char *found = strstr(h->message, middle);
    if (!colon || !must || must < colon || !found || found < must) return false;
    found += strlen(middle);
    if (!is_field(colon + 2, (size_t)(must - colon - 2))) return false;
    if (strncmp(h->message, mnemonic, (size_t)(colon - h->message))) return false;
    return h->column >= 0 && h->column < (long)strlen(h->text) && *found &&
           !strncmp(h->text + h->column, found, strlen(found));
}

static void try_wrong(const struct mc_mode *mode, const char *path, const char *line, const struct parsed *at,
                      const char *mnemonic, struct counts *n) {
    static const char *const wrong[] = {"v1", "v[2:3]", "v[4:35]", "s2",  "s[4:5]", "s[8:15]",
                                        "a1", "5",      "0x12345", "1.5", "off"};
    char text[1200];
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        snprintf(text, sizeof text, "%.*s%s%s", (int)(at->at - line), line, wrong[i], at->end);
        struct host h = {.text = text};
        h.host = (struct asm_host){number, keep, &h};
        struct asm_insn out;
        n->tried++;
        if (asm_instruction(mode, &h.host, text, text + strlen(text), &out)) continue;
        n->refused++;
        if (tells(&h, mode, mnemonic)) {
            n->told++;
            continue;
        }
        if (n->untold++ < 100000) print_error("%s: %s\n  %ld: %s\n", path, text, h.column, h.message);
    }
}

static void check_file(const struct mc_mode *mode, const char *path, uint8_t *seen, struct counts *n) {
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    char line[1024];
    while (fgets(line, sizeof line, f)) {
        line[strcspn(line, "\n")] = 0;
        char *text = strstr(line, "  ");
        if (!*line || *line == '#' || !text) continue;
        text += 2;
        uint8_t bytes[INSN_MAX_BYTES];
        size_t bad, count = parse_hex_bytes(line, (size_t)(text - 2 - line), bytes, sizeof bytes, &bad);
        struct insn in;
        if (insn_decode(&mode->isa, bytes, count, &in) != DECODE_OK || is_vopd(in.format->id) || in.scaled)
            continue;
        size_t key = (size_t)(in.row - isa_rows) * FORMATS + in.format->id; // one line a row and format
        if (seen[key]) continue;
        seen[key] = 1;
        struct host h = {.text = text};
        h.host = (struct asm_host){number, keep, &h};
        struct statement st;
        if (!parse_statement(&st, mode, &h.host, text, text + strlen(text), false)) continue;
        for (unsigned i = 0; i < st.operands; i++)
            try_wrong(mode, path, text, &st.operand[i], isa_row_name(&mode->isa, in.row), n);
    }
    fclose(f);
}

static void every_row(void **state) {
    (void)state;
    char root[4096], path[16384];
    path_beside(root, __FILE__, "../isa/golden");
    DIR *d = opendir(root);
    assert_non_null(d);
    struct counts n = {0};
    for (struct dirent *e; (e = readdir(d));) {
        const sw_processor *p = sw_processor_find(e->d_name, strlen(e->d_name));
        if (!p) continue;
        struct mc_mode mode = {.processor = p, .isa = *isa_of(p), .wave32 = has(p, CAP_wave32)};
        uint8_t *seen = calloc(isa_row_count, FORMATS);
        assert_non_null(seen);
        snprintf(path, sizeof path, "%s/%s", root, e->d_name);
        DIR *sub = opendir(path);
        assert_non_null(sub);
        for (struct dirent *t; (t = readdir(sub));) {
            if (*t->d_name == '.') continue;
            snprintf(path, sizeof path, "%s/%s/%s", root, e->d_name, t->d_name);
            check_file(&mode, path, seen, &n);
        }
        closedir(sub);
        free(seen);
    }
    closedir(d);
    print_message("%zu operands replaced, %zu refused, %zu in full, %zu otherwise\n", n.tried, n.refused,
                  n.told, n.untold);
    assert_true(n.refused > 100000);
    assert_int_equal(n.untold, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_row)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
