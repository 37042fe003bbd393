// SPDX-License-Identifier: MIT
// Registers that a traced instruction reads and writes, with what they hold.
#include <inttypes.h>
#include <string.h>

#include "cli/run/registers.h"

enum { CODE_VGPR0 = 256, CODE_AGPR0 = 512, SHOWN_LANES = 4, MOST_DWORDS = 4 };

static bool is_vector(const sw_operand *o) {
    return o->kind == SW_OPERAND_VGPR || o->kind == SW_OPERAND_AGPR;
}

// Where the operand's registers begin in the numbers of sw_step_register; -1: nowhere.
static int code_of(const sw_operand *o) {
    if (o->kind == SW_OPERAND_VGPR) return CODE_VGPR0 + o->first;
    if (o->kind == SW_OPERAND_AGPR) return CODE_AGPR0 + o->first;
    if (o->kind == SW_OPERAND_SGPR) return o->first;
    return o->kind == SW_OPERAND_TTMP || o->kind == SW_OPERAND_SPECIAL ? o->code : -1;
}

// EXEC and SCC before the instruction stand at the line's begin.
static bool is_shown(const sw_operand *o, unsigned access) {
    if (!(o->access & access) || o->kind == SW_OPERAND_INLINE || o->kind == SW_OPERAND_LITERAL ||
        o->kind == SW_OPERAND_IMMEDIATE || o->kind == SW_OPERAND_LABEL || o->kind == SW_OPERAND_INVALID)
        return false;
    if (!o->name) return true;
    if (!strcmp(o->name, "null")) return false;
    if (access == SW_OPERAND_READ &&
        (!strcmp(o->name, "scc") || (o->implicit && !strncmp(o->name, "exec", 4))))
        return false;
    return !strcmp(o->name, "scc") || o->code >= 0;
}

static void put_name(struct text *t, const sw_operand *o) {
    char file = o->kind == SW_OPERAND_AGPR ? 'a' : o->kind == SW_OPERAND_VGPR ? 'v' : 's';
    if (o->name)
        text_puts(t, o->name);
    else if (o->kind == SW_OPERAND_TTMP)
        text_printf(t, "ttmp%u", o->first);
    else if (o->count > 1)
        text_printf(t, "%c[%u:%u]", file, o->first, o->first + o->count - 1u);
    else
        text_printf(t, "%c%u", file, o->first);
}

static void put_number(struct text *t, const sw_operand *o, const uint32_t *dwords, unsigned count) {
    text_puts(t, "0x");
    for (unsigned i = count; i--;) text_printf(t, "%08" PRIx32, dwords[i]);
    const char *type = o->type ? o->type : "";
    if (!strcmp(type, "F32") && count == 1) text_puts(t, "("), value_print(t, F32, dwords), text_puts(t, ")");
    if (!strcmp(type, "F64") && count == 2) text_puts(t, "("), value_print(t, F64, dwords), text_puts(t, ")");
    if (!strcmp(type, "F16") && count == 1 && o->half != SW_HALF_HIGH)
        text_puts(t, "("), value_print(t, F16, dwords), text_puts(t, ")");
}

// The dwords of one lane; of more than a few the first ones. False: the wave has no such register.
static unsigned read_lane(const sw_step *s, const sw_operand *o, unsigned lane, uint32_t out[MOST_DWORDS]) {
    int code = code_of(o);
    unsigned count = o->count ? o->count : 1;
    if (count > MOST_DWORDS) count = MOST_DWORDS;
    for (unsigned i = 0; i < count; i++) {
        const uint32_t *r = code < 0 ? NULL : sw_step_register(s, (unsigned)code + i);
        if (!r) return 0;
        out[i] = r[is_vector(o) ? lane : 0];
    }
    return count;
}

static void put_lanes(struct text *t, const sw_step *s, const sw_operand *o, uint64_t lanes) {
    uint32_t first[MOST_DWORDS] = {0}, other[MOST_DWORDS] = {0};
    unsigned shown = 0, count = 0;
    bool same = true;
    for (unsigned lane = 0; lane < s->lanes; lane++) {
        if (!(lanes >> lane & 1)) continue;
        count = read_lane(s, o, lane, shown ? other : first);
        if (!count) {
            text_puts(t, "?");
            return;
        }
        same &= !shown++ || !memcmp(first, other, sizeof first);
    }
    if (!shown) {
        text_puts(t, "-"); // no lane is active
        return;
    }
    if (same) {
        put_number(t, o, first, count);
        if (shown > 1) text_puts(t, "*"); // in all active lanes
        return;
    }
    shown = 0;
    text_puts(t, "[");
    for (unsigned lane = 0; lane < s->lanes; lane++) {
        if (!(lanes >> lane & 1)) continue;
        if (shown++ == SHOWN_LANES) break;
        read_lane(s, o, lane, other);
        text_printf(t, "%s%u:", shown > 1 ? " " : "", lane);
        put_number(t, o, other, count);
    }
    text_puts(t, shown > SHOWN_LANES ? " ...]" : "]");
}

void values_put(struct text *t, const char *before, const sw_step *s, const sw_operand *all, size_t count,
                unsigned access, uint64_t lanes) {
    bool any = false;
    for (size_t i = 0; i < count; i++) {
        const sw_operand *o = &all[i];
        if (!is_shown(o, access)) continue;
        text_printf(t, "%s ", any ? "" : before);
        any = true;
        put_name(t, o);
        text_puts(t, "=");
        uint32_t dwords[MOST_DWORDS];
        if (o->name && !strcmp(o->name, "scc"))
            text_printf(t, "%" PRIu32, *sw_step_scc(s));
        else if (is_vector(o))
            put_lanes(t, s, o, lanes);
        else {
            unsigned n = read_lane(s, o, 0, dwords);
            if (n)
                put_number(t, o, dwords, n);
            else
                text_puts(t, "?");
        }
        if (o->count > MOST_DWORDS) text_puts(t, "..");
    }
}

bool values_any(const sw_operand *all, size_t count, unsigned access) {
    for (size_t i = 0; i < count; i++)
        if (is_shown(&all[i], access)) return true;
    return false;
}
