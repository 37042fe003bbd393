// SPDX-License-Identifier: MIT
// Run by the build: checks the pictures and the rows, and writes them as constant tables. Each dword of a
// picture has 32 bits; no two rows of a family share a number.
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "terascale/isa/table.h"

enum { R6 = 1 << TS_R600, R7 = 1 << TS_R700, EG = 1 << TS_EVERGREEN, CM = 1 << TS_CAYMAN, MAX_OPS = 2048 };

struct picture {
    const char *name, *text;
    enum ts_format_id id;
    unsigned families;
    struct ts_format format;
    struct ts_part parts[64];
};
static struct picture pictures[] = {
#define FORMAT(name, families, text) {#name, text, TSF_##name, families, {0}, {{0}}},
#include "terascale/isa/formats.def"
#undef FORMAT
};
enum { PICTURES = sizeof pictures / sizeof *pictures };

static const char *const field_names[TS_FIELDS] = {
#define FIELD(name, text, values) #name,
#include "terascale/isa/fields.def"
#undef FIELD
};

static int failures;

static void fail(const char *format, ...) {
    va_list args;
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fputc('\n', stderr);
    failures++;
}

static int field_number(const char *name, size_t length) {
    for (int i = 0; i < TS_FIELDS; i++)
        if (strlen(field_names[i]) == length && !memcmp(field_names[i], name, length)) return i;
    return -1;
}

// One "name:width@at" at *text, which moves behind it; false at the end of a dword.
static bool parse_part(struct picture *p, const char **text, unsigned word, unsigned *low) {
    *text += strspn(*text, " ");
    if (!**text || **text == '/') return false;
    const size_t name = strcspn(*text, ":");
    char *end;
    const unsigned width = (unsigned)strtoul(*text + name + 1, &end, 10);
    const unsigned at = *end == '@' ? (unsigned)strtoul(end + 1, &end, 10) : 0;
    const int field = field_number(*text, name);
    if (!width || width > *low) {
        fail("%s: dword %u has more than 32 bits", p->name, word);
        return false;
    }
    *low -= width;
    if (name == 1 && **text == '-')
        p->format.reserved[word] |= (0xffffffffu >> (32 - width)) << *low;
    else if (field < 0)
        fail("%s: no field %.*s", p->name, (int)name, *text);
    else {
        p->parts[p->format.part_count++] =
            (struct ts_part){(uint8_t)field, (uint8_t)word, (uint8_t)*low, (uint8_t)width, (uint8_t)at};
        if (at + width > p->format.width[field]) p->format.width[field] = (uint8_t)(at + width);
    }
    *text = end;
    return true;
}

static void parse_picture(struct picture *p) {
    const char *text = p->text;
    for (unsigned word = 0;; word++) {
        unsigned low = 32;
        while (parse_part(p, &text, word, &low)) {}
        if (low) fail("%s: dword %u has %u bits", p->name, word, 32 - low);
        p->format.words = (uint8_t)(word + 1);
        if (!*text) break;
        text++;
    }
}

static void print_picture(const struct picture *p, unsigned n) {
    printf("static const struct ts_part parts_%u[] = {", n);
    for (unsigned i = 0; i < p->format.part_count; i++) {
        const struct ts_part *t = &p->parts[i];
        printf("{%u,%u,%u,%u,%u},", t->field, t->word, t->lo, t->width, t->at);
    }
    printf("};\nstatic const struct ts_format format_%u = {\"%s\", %d, %u, %u, parts_%u, {", n, p->name,
           p->id, p->format.words, p->format.part_count, n);
    for (unsigned i = 0; i < 4; i++) printf("0x%xu,", p->format.reserved[i]);
    printf("}, {");
    for (unsigned i = 0; i < TS_FIELDS; i++)
        if (p->format.width[i]) printf("[%u]=%u,", i, p->format.width[i]);
    printf("}};\n");
}

static const struct picture *picture_of(unsigned family, unsigned id) {
    for (unsigned i = 0; i < PICTURES; i++)
        if (pictures[i].id == id && pictures[i].families >> family & 1) return &pictures[i];
    return NULL;
}

static unsigned key_of(const struct ts_row *row, unsigned family) {
    return row->op[family] - 1u + (row->space == TS_TEX_SPACE ? row->inst_mod << 5 : 0);
}

static void print_space(unsigned family, unsigned space) {
    uint16_t index[MAX_OPS] = {0};
    unsigned count = 0;
    for (unsigned r = 0; r < TS_ROWS; r++) {
        const struct ts_row *row = &ts_rows[r];
        if (row->space != space || !row->op[family]) continue;
        const unsigned key = key_of(row, family);
        if (!picture_of(family, row->format)) fail("%s: its format is not in family %u", row->id, family);
        if (key >= MAX_OPS || index[key])
            fail("%s and %s share number 0x%x of family %u", row->id,
                 key < MAX_OPS ? ts_rows[index[key] - 1].id : "-", key, family);
        else
            index[key] = (uint16_t)(r + 1);
        if (key + 1 > count) count = key + 1;
        const bool alu = space == TS_OP2_SPACE || space == TS_OP3_SPACE;
        if (alu && !row->slots[family]) fail("%s: no slots in family %u", row->id, family);
    }
    printf("static const uint16_t index_%u_%u[] = {", family, space);
    for (unsigned i = 0; i < count; i++)
        if (index[i]) printf("[%u]=%u,", i, index[i]);
    printf("[%u]=0};\nenum {count_%u_%u = %u};\n", count, family, space, count);
}

int main(void) {
    printf("// Made by terascale/isa/expand.c from the .def files.\n#include \"terascale/isa/table.h\"\n\n");
    for (unsigned i = 0; i < PICTURES; i++) {
        parse_picture(&pictures[i]);
        print_picture(&pictures[i], i);
    }
    for (unsigned f = 0; f < TS_FAMILIES; f++)
        for (unsigned s = 0; s < TS_SPACES; s++) print_space(f, s);
    printf("const struct ts_isa ts_isas[TS_FAMILIES] = {\n");
    for (unsigned f = 0; f < TS_FAMILIES; f++) {
        printf("{{");
        for (unsigned i = 0; i < TS_FORMATS; i++)
            if (picture_of(f, i)) printf("[%u]=&format_%u,", i, (unsigned)(picture_of(f, i) - pictures));
        printf("}, {");
        for (unsigned s = 0; s < TS_SPACES; s++) printf("index_%u_%u,", f, s);
        printf("}, {");
        for (unsigned s = 0; s < TS_SPACES; s++) printf("count_%u_%u,", f, s);
        printf("}},\n");
    }
    printf("};\n");
    return failures ? 1 : 0;
}
