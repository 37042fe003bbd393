// SPDX-License-Identifier: MIT
// Build-time tool: expands formats.def and the rows into the constant decode tables of every processor,
// as C on standard output. It refuses pictures whose dwords do not have 32 bits, fixed bits that
// contradict each other, two rows on one opcode of one processor, and rows whose format does not exist
// where they do. One-shot: nothing is freed.
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa/meaning.h"

static const char *const field_names[] = {
#define FIELD(name) #name,
#include "isa/fields.def"
#undef FIELD
};

struct picture {
    const char *name, *text;
    enum generation from;
    enum format_id id;
    struct part parts[40];
    unsigned part_count, op_parts, words, number;
    uint32_t mask, match;
    uint64_t present[3];
    uint32_t tail_mask[3], tail_match[3];
};

static struct picture pictures[] = {
#define FORMAT(name, generation, picture) {#name, picture, generation, FMT_##name},
#define SUFFIX(name, generation, picture) {#name, picture, generation, FMT_##name},
#define SUBOP(name, generation)
#include "isa/formats.def"
#undef FORMAT
#undef SUFFIX
};
enum { PICTURES = sizeof pictures / sizeof *pictures, MAX_OPS = 1024, HALVES = 64 };

static int failures;

__attribute__((format(printf, 1, 2))) static void fail(const char *format, ...) {
    va_list args;
    va_start(args, format);
    fprintf(stderr, "expand: ");
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    va_end(args);
    failures++;
}

// ---- Pictures ----

static int find_field(const char *name, size_t length) {
    for (int i = 0; i < FIELDS; i++)
        if (strlen(field_names[i]) == length && !memcmp(field_names[i], name, length)) return i;
    return -1;
}

static unsigned significant_bits(const struct picture *p, unsigned field) {
    unsigned top = 0;
    for (unsigned i = 0; i < p->part_count; i++)
        if (p->parts[i].field == field && p->parts[i].at + p->parts[i].width > (int)top)
            top = p->parts[i].at + p->parts[i].width;
    return top;
}

// Parses one token ending at *position bits; returns the new bit position.
static int parse_token(struct picture *p, const char *t, size_t length, unsigned word, int position) {
    if (*t == '0' || *t == '1') {
        for (size_t i = 0; i < length; i++, position--) {
            *(word ? &p->tail_mask[word - 1] : &p->mask) |= 1u << position;
            *(word ? &p->tail_match[word - 1] : &p->match) |= (uint32_t)(t[i] == '1') << position;
        }
        return position;
    }
    const char *colon = memchr(t, ':', length);
    if (!colon) {
        fail("%s: bad token '%.*s'", p->name, (int)length, t);
        return position - 1;
    }
    char *end;
    int width = (int)strtol(colon + 1, &end, 10);
    position -= width;
    if (*t == '-') return position;
    int field = find_field(t, (size_t)(colon - t));
    if (field < 0) fail("%s: unknown field '%.*s'", p->name, (int)(colon - t), t);
    struct part part = {.field = (uint8_t)field,
                        .word = (uint8_t)word,
                        .lo = (uint8_t)(position + 1),
                        .width = (uint8_t)width};
    if (*end == '@') part.at = (uint8_t)strtol(end + 1, &end, 10);
    if (*end == '*') {
        long scale = strtol(end + 1, &end, 10);
        if (scale < 2 || scale & (scale - 1)) fail("%s: scale %ld is not a power of two", p->name, scale);
        while (scale > 1) part.at++, scale >>= 1;
    }
    if (*end == '+') part.bias = (uint16_t)strtol(end + 1, &end, 10);
    if (*end == 's') part.sign = 1, end++;
    if (end != t + length) fail("%s: bad token '%.*s'", p->name, (int)length, t);
    p->parts[p->part_count++] = part;
    p->present[field >> 6] |= 1ull << (field & 63);
    return position;
}

static void parse_picture(struct picture *p) {
    unsigned word = 0;
    int position = 31;
    for (const char *t = p->text; *t;) {
        size_t length = strcspn(t, " ");
        if (*t == '/') {
            if (position != -1) fail("%s: dword %u has %d bits left over", p->name, word, position + 1);
            word++, position = 31;
        } else
            position = parse_token(p, t, length, word, position);
        t += length;
        while (*t == ' ') t++;
    }
    if (*p->text && position != -1) fail("%s: dword %u has %d bits left over", p->name, word, position + 1);
    p->words = *p->text ? word + 1 : 0;
    struct part ordered[40] = {0}; // the parts of op first
    unsigned n = 0;
    for (int pass = 0; pass < 2; pass++)
        for (unsigned i = 0; i < p->part_count; i++)
            if ((p->parts[i].field == F_op) == !pass) ordered[n++] = p->parts[i];
    memcpy(p->parts, ordered, sizeof ordered);
    for (unsigned i = 0; i < p->part_count; i++) {
        if (p->parts[i].field == F_op) p->op_parts++;
        if (p->parts[i].sign) p->parts[i].sign = (uint8_t)significant_bits(p, p->parts[i].field);
    }
}

static const struct picture *picture_of(enum format_id id, enum generation g) {
    for (;; g = generation_rows[g].parent) {
        for (int i = 0; i < PICTURES; i++)
            if (pictures[i].id == id && pictures[i].from == g) return *pictures[i].text ? &pictures[i] : NULL;
        if (g == GFX6 || g == GEN_R600) return NULL;
    }
}

// ---- Opcodes ----

static int op_from_list(const struct encoding *e, enum generation g) {
    for (;; g = generation_rows[g].parent) {
        if (e->op[g]) return e->op[g] == OPCODE_NONE ? -1 : e->op[g] - 1;
        if (g == GFX6) return -1;
    }
}

// VOP3 opcode of a promoted instruction (TRAP-001, TRAP-002).
static int promoted(enum format_id from, int op, enum generation g) {
    if (from == FMT_VOP2) return op + 0x100;
    if (from == FMT_VOPC || from == FMT_VOPDX || from == FMT_VOPDY) return op;
    return op + (generation_within(g, GFX8) && !generation_within(g, GFX10) ? 0x140 : 0x180);
}

static int opcode(const struct row *row, const struct encoding *e, enum generation g) {
    if (!e->promoted_from) return op_from_list(e, g);
    for (int i = 0; i < ROW_ENC; i++)
        if (row->enc[i].format == e->promoted_from - 1 && !row->enc[i].promoted_from &&
            (i == 0 || row->enc[i].format)) {
            int op = op_from_list(&row->enc[i], g);
            return op < 0 ? -1 : promoted(row->enc[i].format, op, g);
        }
    fail("%s: promoted from a format it does not have", row->id);
    return -1;
}

// Halves of a VOPD of three dwords are where there is one.
static int opcode_on(const struct row *row, const struct encoding *e, const struct sw_processor *p) {
    if (e->format >= FMT_VOPD3X && !picture_of(FMT_VOPD3, p->generation)) return -1;
    return opcode(row, e, p->generation);
}

static bool has_encoding(const struct encoding *e) {
    if (e->promoted_from) return true;
    for (int g = 0; g < GENERATIONS; g++)
        if (e->op[g]) return true;
    return false;
}

static bool available(const struct row *row, const struct sw_processor *p) {
    for (int i = 0; i < ROW_NEEDS && row->needs[i]; i++) {
        unsigned need = row->needs[i];
        if (has(p, (need & ~(unsigned)NEEDS_NOT) - 1) != !(need & NEEDS_NOT)) return false;
    }
    return true;
}

// ---- Output ----

struct out_space {
    const struct picture *picture;
    struct entry entries[MAX_OPS];
    unsigned count;
};

static bool same_space(const struct picture *a, const struct picture *b) {
    return a->mask == b->mask && a->match == b->match && a->op_parts == b->op_parts &&
           !memcmp(a->parts, b->parts, sizeof *a->parts * a->op_parts);
}

static void print_picture(struct picture *p, unsigned number) {
    p->number = number;
    if (!*p->text) return;
    printf("static const struct part parts_%u[] = {", number);
    for (unsigned i = 0; i < p->part_count; i++) {
        const struct part *t = &p->parts[i];
        printf("{%u,%u,%u,%u,%u,%u,%u},", t->field, t->word, t->lo, t->width, t->at, t->sign, t->bias);
    }
    printf("};\nstatic const struct format format_%u = {%u, %u, %u, %u, 0x%xu, 0x%xu, parts_%u, {0x%llxu, "
           "0x%llxu, 0x%llxu}, {0x%xu, 0x%xu, 0x%xu}, {0x%xu, 0x%xu, 0x%xu}}; // %s\n",
           number, p->id, p->words, p->part_count, p->op_parts, p->mask, p->match, number,
           (unsigned long long)p->present[0], (unsigned long long)p->present[1],
           (unsigned long long)p->present[2], p->tail_mask[0], p->tail_mask[1], p->tail_mask[2],
           p->tail_match[0], p->tail_match[1], p->tail_match[2], p->name);
}

// Many processors have the same opcodes in a space: what was printed already is named again. Returns its
// number.
static unsigned print_entries(const struct entry *e, unsigned count) {
    static struct {
        struct entry *entries;
        unsigned count;
    } printed[2000];
    unsigned n = 0;
    while (printed[n].entries &&
           (printed[n].count != count || memcmp(printed[n].entries, e, count * sizeof *e)))
        n++;
    if (printed[n].entries) return n;
    printed[n].entries = malloc((count + 1) * sizeof *e);
    printed[n].count = count;
    memcpy(printed[n].entries, e, count * sizeof *e);
    printf("static const struct entry entries_%u[] = {", n);
    for (unsigned i = 0; i < count; i++) {
        if (e[i].row) printf("[%u]={%u,%u,%u},", i, e[i].row, e[i].format, e[i].two_forms);
    }
    printf("[%u]={0}};\n", count);
    return n;
}

static bool two_forms(const struct row *row, enum generation g) {
    bool is_short = false, is_long = false;
    for (int i = 0; i < ROW_ENC && has_encoding(&row->enc[i]); i++) {
        if (opcode(row, &row->enc[i], g) < 0) continue;
        switch (row->enc[i].format) {
        case FMT_VOP1:
        case FMT_VOP2:
        case FMT_VOPC:
        case FMT_VINTRP: is_short = true; break;
        case FMT_VOP3:
        case FMT_VOP3B:
        case FMT_VOP3S:
        case FMT_VOP3I: is_long = true; break;
        }
    }
    return is_short && is_long;
}

static unsigned add_rows(const struct sw_processor *p, struct out_space *spaces,
                         struct entry vopd[4][HALVES]) {
    unsigned count = 0;
    for (int f = 0; f < FMT_DPP16; f++) {
        const struct picture *pic = picture_of((enum format_id)f, p->generation);
        if (!pic) continue;
        unsigned s = 0;
        while (s < count && !same_space(spaces[s].picture, pic)) s++;
        if (s == count) spaces[count++].picture = pic;
    }
    for (unsigned r = 0; r < isa_row_count; r++) {
        const struct row *row = &isa_rows[r];
        if (!available(row, p)) continue;
        for (int i = 0; i < ROW_ENC && has_encoding(&row->enc[i]); i++) {
            enum format_id f = row->enc[i].format;
            int op = opcode_on(row, &row->enc[i], p);
            if (op < 0) continue;
            struct entry *slot;
            if (f >= FMT_VOPDX)
                slot = &vopd[f - FMT_VOPDX][op % HALVES];
            else {
                const struct picture *pic = picture_of(f, p->generation);
                if (!pic) {
                    fail("%s on %s: no such format there", row->id, p->name);
                    continue;
                }
                unsigned s = 0;
                while (!same_space(spaces[s].picture, pic)) s++;
                slot = &spaces[s].entries[op % MAX_OPS];
                if ((unsigned)op + 1 > spaces[s].count) spaces[s].count = (unsigned)op + 1;
            }
            if (slot->row && slot->row != r + 1)
                fail("%s: %s and %s share opcode 0x%x", p->name, row->id, isa_rows[slot->row - 1].id, op);
            *slot = (struct entry){(uint16_t)(r + 1), (uint8_t)f, two_forms(row, p->generation)};
        }
    }
    return count;
}

// Chains spaces by the nine top bits, those with more fixed bits first.
static void chain(struct out_space *spaces, unsigned count, uint8_t top[512], uint8_t *next) {
    memset(top, 0, 512);
    memset(next, 0, 64);
    // A space may sit in several chains, so order all spaces once and require chains to follow that order.
    unsigned order[64];
    for (unsigned i = 0; i < count; i++) {
        unsigned j = i;
        for (; j && __builtin_popcount(spaces[order[j - 1]].picture->mask) <
                        __builtin_popcount(spaces[i].picture->mask);
             j--)
            order[j] = order[j - 1];
        order[j] = i;
    }
    for (unsigned t = 0; t < 512; t++) {
        unsigned last = 0;
        for (unsigned i = 0; i < count; i++) {
            const struct picture *p = spaces[order[i]].picture;
            uint32_t mask = p->mask & 0xff800000u;
            if (((t << 23) & mask) != (p->match & mask)) continue;
            if (!last)
                top[t] = (uint8_t)(order[i] + 1);
            else {
                if (next[last - 1] && next[last - 1] != order[i] + 1)
                    fail("formats %s and others form a fork", p->name);
                next[last - 1] = (uint8_t)(order[i] + 1);
            }
            last = order[i] + 1;
            if (!(p->mask & ~0xff800000u)) break; // nothing behind it can match
        }
    }
}

// Every coding of every row in assembling order, and the mnemonics as a hash table.
static int by_length(const void *a, const void *b) {
    const struct coding *x = a, *y = b;
    static const uint8_t rank[FORMATS] = {
        [FMT_VOP3] = 1,  [FMT_VOP3B] = 1, [FMT_VOP3S] = 1,  [FMT_VOP3I] = 1,
        [FMT_VOPDX] = 2, [FMT_VOPDY] = 3, [FMT_VOPD3X] = 4, [FMT_VOPD3Y] = 5};
    return rank[x->format] - rank[y->format];
}

static void enter_name(uint16_t *table, const char *name, unsigned value) {
    uint32_t slot = isa_name_hash(name, strlen(name)) % ISA_NAME_SLOTS;
    while (table[slot]) slot = (slot + 1) % ISA_NAME_SLOTS;
    table[slot] = (uint16_t)value;
}

static void print_names(unsigned n, const struct sw_processor *p) {
    uint16_t table[ISA_NAME_SLOTS] = {0};
    uint16_t *firsts = calloc(isa_row_count + 1, sizeof *firsts);
    unsigned count = 0, used = 0;
    printf("static const struct coding codings_%u[] = {", n);
    for (unsigned r = 0; r < isa_row_count; r++) {
        const struct row *row = &isa_rows[r];
        firsts[r] = (uint16_t)count;
        if (!available(row, p)) continue;
        struct coding found[ROW_ENC];
        unsigned have = 0;
        bool plain = false, dual = false;
        for (int i = 0; i < ROW_ENC && has_encoding(&row->enc[i]); i++) {
            int op = opcode_on(row, &row->enc[i], p);
            if (op < 0) continue;
            unsigned f = row->enc[i].format;
            *(f >= FMT_VOPDX ? &dual : &plain) = true;
            found[have++] = (struct coding){(uint16_t)r, (uint16_t)op, (uint8_t)f};
        }
        dual |= plain && row->dual && found[0].format == FMT_MAI; // the name behind a scale prefix
        qsort(found, have, sizeof *found, by_length);
        for (unsigned i = 0; i < have; i++) printf("{%u,%u,%u},", found[i].row, found[i].op, found[i].format);
        count += have;
        if (plain) enter_name(table, row_name(row, p->generation), r + 1), used++;
        if (dual) enter_name(table, row->dual ? row->dual : row->id, ISA_DUAL + r + 1), used++;
    }
    firsts[isa_row_count] = (uint16_t)count;
    for (unsigned i = 0; i < isa_alias_count; i++) {
        const struct row_alias *a = &isa_row_aliases[i];
        if (generation_within(p->generation, a->from) &&
            !(a->until && generation_within(p->generation, a->until)) && firsts[a->row] < firsts[a->row + 1])
            enter_name(table, a->name, ISA_ALIAS + i + 1), used++;
    }
    if (used > ISA_NAME_SLOTS * 3 / 4) fail("%s: more mnemonics than the hash table is made for", p->name);
    printf("{0}};\nstatic const uint16_t row_codings_%u[] = {", n);
    for (unsigned r = 0; r <= isa_row_count; r++) printf("%u,", firsts[r]);
    printf("};\nstatic const uint16_t names_%u[ISA_NAME_SLOTS] = {", n);
    for (unsigned i = 0; i < ISA_NAME_SLOTS; i++)
        if (table[i]) printf("[%u]=%u,", i, table[i]);
    printf("};\n");
    free(firsts);
}

static void print_isa(unsigned n, const struct sw_processor *p) {
    static struct out_space spaces[64];
    struct entry vopd[4][HALVES] = {0};
    memset(spaces, 0, sizeof spaces);
    unsigned count = add_rows(p, spaces, vopd);
    uint8_t top[512], next[64];
    chain(spaces, count, top, next);
    unsigned entries[64], dual[4];
    for (unsigned s = 0; s < count; s++) entries[s] = print_entries(spaces[s].entries, spaces[s].count);
    for (unsigned h = 0; h < 4; h++) dual[h] = print_entries(vopd[h], HALVES);
    print_names(n, p);
    printf("static const struct space spaces_%u[] = {\n", n);
    for (unsigned s = 0; s < count; s++) {
        const struct picture *q = spaces[s].picture;
        printf("    {0x%xu, 0x%xu, &format_%u, entries_%u, %u, %u},\n", q->mask, q->match, q->number,
               entries[s], spaces[s].count, next[s]);
    }
    printf("};\nstatic const struct format *const formats_%u[FORMATS] = {", n);
    for (int f = 0; f < FMT_VOPDX; f++) {
        const struct picture *q = picture_of((enum format_id)f, p->generation);
        if (q) printf("[%d]=&format_%u,", f, q->number);
    }
    enum generation g = p->generation;
    printf("};\nstatic const struct isa isa_%u = {formats_%u, codings_%u, row_codings_%u, names_%u, "
           "spaces_%u, %u, {",
           n, n, n, n, n, n, count);
    for (unsigned t = 0; t < 512; t++) printf("%u,", top[t]);
    printf("}, {{entries_%u, entries_%u}, {entries_%u, entries_%u}}, %d", dual[0], dual[1], dual[2], dual[3],
           g);
    static const struct {
        const char *name;
        enum capability capability;
    } choices[] = {
#define X(name, capability) {#name, CAP_##capability},
        ISA_CHOICES(X)
#undef X
    };
    for (unsigned i = 0; i < sizeof choices / sizeof *choices; i++)
        printf(", .%s = %d", choices[i].name, has(p, choices[i].capability));
#define FACT(name, text) printf(", .%s = %u", #name, generation_fact(g, FACT_##name));
#define AMOUNT(name, text)
#include "target/facts.def"
#undef FACT
    printf("};\n");
}

// ---- Rows ----

// Each text stands once; a place in them is a number, 0 for none.
static char *texts;
static size_t text_size = 1;

static unsigned place_of(const char *text) {
    if (!text) return 0;
    const size_t length = strlen(text) + 1;
    for (size_t at = 1; at < text_size; at += strlen(texts + at) + 1)
        if (!strcmp(texts + at, text)) return (unsigned)at;
    texts = realloc(texts, text_size + length);
    memcpy(texts + text_size, text, length);
    text_size += length;
    return (unsigned)(text_size - length);
}

static void print_texts(void) {
    printf("const char isa_texts[] = \"\\0\"");
    for (size_t at = 1; at < text_size; at += strlen(texts + at) + 1) {
        printf("\n\"");
        for (const char *c = texts + at; *c; c++) printf(*c == '"' || *c == '\\' ? "\\%c" : "%c", *c);
        printf("\\0\"");
    }
    printf(";\n");
}

static void print_specs(const struct operand_spec *specs, unsigned count) {
    printf("{");
    for (unsigned i = 0; i < count; i++) printf("{%u,%u},", specs[i].field, specs[i].type);
    printf("},");
}
static void print_bytes(const uint8_t *bytes, unsigned count) {
    printf("{");
    for (unsigned i = 0; i < count; i++) printf("%u,", bytes[i]);
    printf("},");
}

static void print_row(const struct row *row, unsigned names) {
    printf("{%u,%u,%u,%u,%u,", place_of(row->id), place_of(row->sem), place_of(row->gap), place_of(row->dual),
           names);
    print_specs(row->dst, ROW_DST);
    print_specs(row->src, ROW_SRC);
    printf("0x%llxu,%u,%u,%u,%u,%u,%u,%u,%u,", (unsigned long long)row->flags, row->reads, row->writes,
           row->access, row->atomic, row->class, row->image, row->scalars, row->registers);
    print_bytes(row->key, sizeof row->key);
    print_bytes(row->needs, sizeof row->needs);
    printf("{");
    for (unsigned i = 0; i < ROW_ENC; i++) printf("{%u},", row->enc[i].format);
    printf("}},\n");
}

// The rows as everyone else has them, and what they are called elsewhere.
static void print_rows(void) {
    unsigned *names = calloc(isa_row_count, sizeof *names), count = 1;
    printf("const struct alias isa_row_names[] = {{0,0},");
    for (unsigned r = 0; r < isa_row_count; r++) {
        const struct alias *a = isa_rows[r].name;
        if (!a->name) continue;
        for (names[r] = count; a->name; a++, count++) printf("{%u,%u},", a->generation, place_of(a->name));
        count++, printf("{0,0},\n");
    }
    printf("};\nconst struct row isa_rows[] = {\n");
    for (unsigned r = 0; r < isa_row_count; r++) print_row(&isa_rows[r], names[r]);
    printf("};\nconst unsigned isa_row_count = %u;\nconst struct row_alias isa_row_aliases[] = {",
           isa_row_count);
    for (unsigned i = 0; i < isa_alias_count; i++) {
        const struct row_alias *a = &isa_row_aliases[i];
        printf("{%u,%u,%u,%u},", a->from, a->until, a->row, place_of(a->name));
    }
    printf("};\nconst unsigned isa_alias_count = %u;\n", isa_alias_count);
    print_texts();
    free(names);
}

// What each row does; entries that several rows share stand once.
static void print_meanings(void) {
    unsigned *place = calloc(meaning_count, sizeof *place), at = 0;
    bool *used = calloc(meaning_count, sizeof *used);
    for (unsigned r = 0; r < isa_row_count; r++) {
        int m = meaning_of_row(&isa_rows[r]);
        if (m < 0)
            fail("%s: nothing in meaning.def says what it does\n", isa_rows[r].id);
        else
            used[m] = true;
    }
    printf("const char isa_meaning_texts[] =");
    for (unsigned m = 0; m < meaning_count; m++) {
        if (!used[m] && meaning_is_needed(&meanings[m]))
            fail("%s: no row has this meaning\n", meanings[m].key);
        if (!used[m]) continue;
        place[m] = at;
        at += (unsigned)(strlen(meanings[m].sentence) + strlen(meanings[m].code) + 2);
        printf("\n\"%s\\0\"\"%s\\0\"", meanings[m].sentence, meanings[m].code);
    }
    printf(";\nconst struct meaning_place isa_meanings[] = {");
    for (unsigned r = 0; r < isa_row_count; r++) {
        int m = meaning_of_row(&isa_rows[r]);
        if (m >= 0) printf("{%u,%u},", place[m], place[m] + (unsigned)strlen(meanings[m].sentence) + 1);
    }
    printf("};\n");
    free(place);
    free(used);
}

static bool same_instructions(const struct sw_processor *a, const struct sw_processor *b) {
    if (a->generation != b->generation) return false;
#define X(name, capability)                                                                                  \
    if (has(a, CAP_##capability) != has(b, CAP_##capability)) return false;
    ISA_CHOICES(X)
#undef X
    for (unsigned r = 0; r < isa_row_count; r++)
        if (available(&isa_rows[r], a) != available(&isa_rows[r], b)) return false;
    return true;
}

int main(void) {
    printf("// Made by isa/expand.c from the .def files.\n#include \"isa/meaning.h\"\n\n");
    for (unsigned i = 0; i < PICTURES; i++) {
        parse_picture(&pictures[i]);
        print_picture(&pictures[i], i);
    }
    unsigned made[256] = {0}, count = (unsigned)sw_processor_count();
    for (unsigned i = 0; i < count; i++) {
        const struct sw_processor *p = sw_processor_at(i);
        if (p->generation == GEN_R600) continue;
        unsigned same = 0;
        while (same < i && !(made[same] == same + 1 && same_instructions(sw_processor_at(same), p))) same++;
        if (same == i) print_isa(i, p);
        made[i] = same + 1;
    }
    printf("const struct isa *const isa_by_processor[] = {");
    for (unsigned i = 0; i < count; i++) {
        if (made[i]) printf("[%u]=&isa_%u,", i, made[i] - 1);
    }
    printf("[%u]=0};\nconst char *const format_names[FORMATS] = {", count);
    for (unsigned f = 0; f < FORMATS; f++) {
        unsigned i = 0;
        while (i < PICTURES && pictures[i].id != f) i++;
        if (i < PICTURES) printf("[%u]=\"%s\",", f, pictures[i].name);
    }
    printf("};\n");
    print_rows();
    print_meanings();
    return failures ? 1 : 0;
}
