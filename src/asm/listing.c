// SPDX-License-Identifier: MIT
// Labels and instructions with their bytes, as llvm-mc --show-encoding has them.
#include <string.h>

#include "asm/assemble.h"
#include "dis/dis.h"

static void list(struct unit *u) {
    const sw_asm_options *o = u->program->options;
    if (u->line.failed)
        u->program->ended = u->program->failed = true;
    else if (!o->listing(o->listing_context, u->line.data, u->line.length))
        u->program->ended = u->program->stopped = true;
    u->line.length = 0;
}

void list_label(struct unit *u, const struct symbol *s) {
    text_add(&u->line, s->name, s->length);
    text_puts(&u->line, ":\n");
    list(u);
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

void list_instruction(struct unit *u, const struct asm_insn *in, const char *p, const char *end) {
    static const char hex[] = "0123456789abcdef";
    struct text *t = &u->line;
    text_puts(t, "\t");
    struct insn d;
    if (!in->fixup_count && insn_decode(&u->program->mode.isa, in->bytes, in->size, &d) == DECODE_OK) {
        struct print_options o = {.processor = u->program->mode.processor,
                                  .isa = &u->program->mode.isa,
                                  .wave32 = u->program->mode.wave32};
        char line[INSN_TEXT + 16];
        text_add(t, line, offset_as_written(line, insn_print(&d, &o, line), p, end));
    } else
        text_add(t, p, (size_t)(end - p));
    // The tab counts as eight columns.
    if (t->length + 7 < 48)
        text_add(t, "                                                ", 48 - (t->length + 7));
    else
        text_add(t, " ", 1);
    text_puts(t, "; encoding: [");
    for (unsigned i = 0; i < in->size; i++) {
        unsigned letter = 0;
        for (unsigned f = 0; f < in->fixup_count; f++) {
            unsigned size = in->fixup[f].kind == ASM_FIXUP_BRANCH ? 2 : 4;
            if (i >= in->fixup[f].offset && i < in->fixup[f].offset + size) letter = 'A' + f;
        }
        char byte[6] = {'0', 'x', hex[in->bytes[i] >> 4], hex[in->bytes[i] & 15], ',', 0};
        if (letter) byte[0] = (char)letter, byte[1] = ',', byte[2] = 0;
        text_add(t, byte, strlen(byte) - (i + 1u == in->size));
    }
    text_puts(t, "]\n");
    list(u);
}
