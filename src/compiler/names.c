// SPDX-License-Identifier: MIT
// Names of symbols as the assembler reads them: in quotes where they are no identifiers. A name in quotes has
// no modifier (@rel32) behind it.
#include "compiler/passes.h"

bool compiler_is_plain_name(const char *name) {
    if (!*name || (*name >= '0' && *name <= '9')) return false;
    for (; *name; name++)
        if (!((*name >= 'a' && *name <= 'z') || (*name >= 'A' && *name <= 'Z') ||
              (*name >= '0' && *name <= '9') || strchr("_.$", *name)))
            return false;
    return true;
}

void compiler_put_name(struct text *t, const char *before, const char *name, const char *behind) {
    const bool plain = compiler_is_plain_name(name);
    if (!plain) text_puts(t, "\"");
    text_puts(t, before);
    for (const char *s = name; *s; s++) {
        if (*s == '"' || *s == '\\') text_puts(t, "\\");
        text_add(t, s, 1);
    }
    text_puts(t, behind);
    if (!plain) text_puts(t, "\"");
}

// What is not defined here, and may be anywhere, is reached through a table of the linker.
bool compiler_is_near(const struct ir_symbol *s) {
    return s->defined || (s->visibility != IR_SEEN && !s->weak);
}

// What other objects may name is reached without a table: nothing takes its place once it is linked.
void compiler_put_linkage(struct text *t, const char *name, bool weak, unsigned visibility) {
    compiler_put_line(t, weak ? "\t.weak " : "\t.globl ", name, "\n");
    compiler_put_line(t, visibility == IR_HIDDEN ? "\t.hidden " : "\t.protected ", name, "\n");
}

void compiler_put_line(struct text *t, const char *before, const char *name, const char *behind) {
    text_puts(t, before);
    compiler_put_name(t, "", name, "");
    text_puts(t, behind);
}
