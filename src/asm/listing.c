// SPDX-License-Identifier: MIT
// Labels and instructions with their bytes, as llvm-mc --show-encoding has them.
#include <string.h>

#include "asm/assemble.h"
#include "dis/dis.h"

static void list(struct unit *u) {
    const sw_asm_options *o = u->program->options;
    if (u->line.failed || !o->listing(o->listing_context, u->line.data, u->line.length))
        u->program->ended = u->program->failed = true;
    u->line.length = 0;
}

void list_label(struct unit *u, const struct symbol *s) {
    text_add(&u->line, s->name, s->length);
    text_puts(&u->line, ":\n");
    list(u);
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
        char line[INSN_TEXT];
        text_add(t, line, insn_print(&d, &o, line));
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
