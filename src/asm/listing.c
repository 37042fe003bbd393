// SPDX-License-Identifier: MIT
// Labels and instructions with their bytes, as llvm-mc --show-encoding has them. Directives show themselves
// (text/show.c), but for .loc, .file and notes. A descriptor's field whose value comes later is shown as it
// was written, where llvm-mc shows how it computes it.
#include <string.h>

#include "asm/assemble.h"
#include "base/bytes.h"
#include "dis/dis.h"

void list_label(struct unit *u, const struct symbol *s) {
    unit_show_symbol(u, "", (struct slice){s->name, s->length}, ":\n");
}

// A scalar load has the same bytes for "null" and "0x0", and for an offset of 0 that is written or not. The
// disassembler shows one of them, llvm-mc what was written. `line` has room for what this adds.
static size_t offset_as_written(char *line, size_t n, const char *p, const char *end) {
    static const char no_offset[] = " offset:0x0";
    const char *name_end = p;
    while (name_end < end && *name_end != ' ' && *name_end != '\t') name_end++;
    if (*p != 's' ||
        (!memmem(p, (size_t)(name_end - p), "load", 4) && !memmem(p, (size_t)(name_end - p), "store", 5)))
        return n;
    const char *comma = memrchr(p, ',', (size_t)(end - p));
    char *last = memrchr(line, ' ', n);
    if (!comma || !last || memmem(line, n, "offset:", 7)) return n;
    const size_t length = (size_t)(end - comma);
    const bool null = memmem(comma, length, "null", 4), offset = memmem(comma, length, "offset:", 7);
    last++;
    const size_t shown = n - (size_t)(last - line);
    const bool shows_null = shown == 4 && !memcmp(last, "null", 4),
               shows_0 = shown == 3 && !memcmp(last, "0x0", 3);
    if (shows_null && !null) return memcpy(last, "0x0", 3), n - 1;
    if (shows_0 && null) memcpy(last, "null", 4), n++;
    if (!(shows_0 && null) && !(offset && (shows_null || *last == 's' || *last == 'm'))) return n;
    memcpy(line + n, no_offset, sizeof no_offset - 1);
    return n + sizeof no_offset - 1;
}

// An instruction whose value comes later is printed with a number that stands for it.
enum { STANDS_FOR_DWORD = 0x5a3c5a3c, STANDS_FOR_BRANCH = 0x5a3c };

static bool print(const struct unit *u, const struct asm_insn *in, char *line, size_t *n) {
    struct asm_insn copy = *in;
    struct insn d;
    const struct print_options o = {.processor = u->program->mode.processor,
                                    .isa = &u->program->mode.isa,
                                    .wave32 = u->program->mode.wave32};
    for (unsigned f = 0; f < in->fixup_count; f++) {
        uint8_t *at = copy.bytes + in->fixup[f].offset;
        if (in->fixup[f].kind == MC_FIXUP_BRANCH)
            wr16(at, STANDS_FOR_BRANCH);
        else
            wr32(at, STANDS_FOR_DWORD);
        if (in->fixup[f].kind == MC_FIXUP_QWORD) wr32(at + 4, STANDS_FOR_DWORD);
    }
    if (insn_decode(&u->program->mode.isa, copy.bytes, copy.size, &d) != DECODE_OK) return false;
    *n = insn_print(&d, &o, line);
    line[*n] = 0;
    return true;
}
static void add_with_expression(struct unit *u, const char *line, size_t n, const struct asm_insn *in) {
    const char *end = line + n;
    for (unsigned f = 0; f < in->fixup_count; f++) {
        const unsigned kind = in->fixup[f].kind;
        const char *number = kind == MC_FIXUP_BRANCH  ? "23100"
                             : kind == MC_FIXUP_QWORD ? "0x5a3c5a3c5a3c5a3c"
                                                      : "0x5a3c5a3c",
                   *at = strstr(line, number);
        if (!at) break;
        text_add(&u->line, line, (size_t)(at - line));
        unit_show_expr(u, in->fixup[f].expr);
        line = at + strlen(number);
    }
    text_add(&u->line, line, (size_t)(end - line));
}

static unsigned fixup_bytes(const struct mc_fixup *f) {
    return f->kind == MC_FIXUP_BRANCH ? 2 : f->kind == MC_FIXUP_QWORD ? 8 : 4;
}

static void list_fixup(struct unit *u, const struct mc_fixup *f, unsigned number) {
    text_printf(&u->line, "%40s;   fixup %c - offset: %u, value: ", "", 'A' + number, f->offset);
    unit_show_expr(u, f->expr);
    if (f->kind == MC_FIXUP_BRANCH)
        text_puts(&u->line, ", kind: fixup_si_sopp_br");
    else
        text_printf(&u->line, ", kind: %s_%u", expr_is_relative(f->expr) ? "FK_PCRel" : "FK_Data",
                    fixup_bytes(f));
    unit_show(u, "\n");
}

void list_instruction(struct unit *u, const struct asm_insn *in, const char *p, const char *end) {
    static const char hex[] = "0123456789abcdef";
    struct text *t = &u->line;
    text_puts(t, "\t");
    char line[INSN_TEXT + 16];
    size_t n;
    if (!print(u, in, line, &n))
        text_add(t, p, (size_t)(end - p));
    else if (in->fixup_count)
        add_with_expression(u, line, n, in);
    else
        text_add(t, line, offset_as_written(line, n, p, end));
    // The tab counts as eight columns.
    if (t->length + 7 < 48)
        text_add(t, "                                                ", 48 - (t->length + 7));
    else
        text_add(t, " ", 1);
    text_puts(t, "; encoding: [");
    for (unsigned i = 0; i < in->size; i++) {
        unsigned letter = 0;
        for (unsigned f = 0; f < in->fixup_count; f++) {
            const unsigned size = fixup_bytes(&in->fixup[f]);
            if (i >= in->fixup[f].offset && i < in->fixup[f].offset + size) letter = 'A' + f;
        }
        char byte[6] = {'0', 'x', hex[in->bytes[i] >> 4], hex[in->bytes[i] & 15], ',', 0};
        if (letter) byte[0] = (char)letter, byte[1] = ',', byte[2] = 0;
        text_add(t, byte, strlen(byte) - (i + 1u == in->size));
    }
    unit_show(u, "]\n");
    for (unsigned f = 0; f < in->fixup_count; f++) list_fixup(u, &in->fixup[f], f);
}
