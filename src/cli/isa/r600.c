// SPDX-License-Identifier: MIT
// The R600 family in `softwave isa`: names, groups, opcodes by family.
#include <string.h>
#include <strings.h>

#include "cli/isa/isa.h"
#include "softwave/terascale.h"

static void show(struct text *t, const sw_terascale_opcode *o) {
    static const char *const families[SW_TERASCALE_FAMILIES] = {"R600", "R700", "Evergreen", "Cayman"};
    bool any = false;
    text_printf(t, "%-28s %-20s", o->name, o->group);
    for (int f = 0; f < SW_TERASCALE_FAMILIES; f++) {
        if (o->opcode[f] < 0) continue;
        text_printf(t, "%s%s 0x%x", any ? ", " : " ", families[f], (unsigned)o->opcode[f]);
        any = true;
    }
    text_printf(t, "%s%s\n", o->gap ? "; not executed: " : "", o->gap ? o->gap : "");
}

bool isa_show_r600(struct text *t, const char *name, const sw_processor *only) {
    const int family = only ? sw_terascale_family(only) : -1;
    const size_t before = t->length;
    sw_terascale_opcode o = {.size = sizeof o};
    for (size_t i = 0; sw_terascale_opcode_at(i, &o); i++)
        if ((!name || !strcasecmp(o.name, name)) && (family < 0 || o.opcode[family] >= 0)) show(t, &o);
    return t->length > before;
}
