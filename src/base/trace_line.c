// SPDX-License-Identifier: MIT
// Values of the registers that an instruction reads and writes, and the lines that show them.
#include "base/trace_line.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

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

double half_to_double(uint16_t h) {
    const int e = h >> 10 & 31, m = h & 0x3ff;
    const double v = e == 31 ? (m ? (double)NAN : (double)INFINITY)
                     : e     ? ldexp(1024 + m, e - 25)
                             : ldexp(m, -24);
    return h & 0x8000 ? -v : v;
}

static void put_float(struct text *t, const char *type, unsigned count, const uint32_t *dwords) {
    float f;
    double d;
    if (!strcmp(type, "F32") && count == 1)
        text_printf(t, "(%.9g)", (double)*(float *)memcpy(&f, dwords, sizeof f));
    if (!strcmp(type, "F64") && count == 2)
        text_printf(t, "(%.17g)", *(double *)memcpy(&d, dwords, sizeof d));
    if (!strcmp(type, "F16") && count == 1) text_printf(t, "(%.5g)", half_to_double((uint16_t)dwords[0]));
}

static void put_number(struct text *t, const sw_operand *o, const uint32_t *dwords, unsigned count) {
    text_puts(t, "0x");
    for (unsigned i = count; i--;) text_printf(t, "%08" PRIx32, dwords[i]);
    if (o->type && !(o->half == SW_HALF_HIGH && !strcmp(o->type, "F16")))
        put_float(t, o->type, count, dwords);
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

// Where the lanes' element lies: " @lds [0:0x10 1:0x14 ...]"; of one place "0x10", with a * for several
// lanes.
static void put_places(struct text *t, const sw_step_place *places, uint64_t lanes) {
    static const char *const spaces[] = {
        [SW_STEP_GLOBAL] = "", [SW_STEP_LDS] = "lds ", [SW_STEP_SCRATCH] = "scratch "};
    const sw_step_place *first = NULL;
    unsigned count = 0, shown = 0;
    bool same = true;
    for (unsigned lane = 0; lane < 64; lane++) {
        if (!(lanes >> lane & 1) || places[lane].space == SW_STEP_NOWHERE) continue;
        if (!first) first = &places[lane];
        same &= first->address == places[lane].address && first->space == places[lane].space;
        count++;
    }
    if (!first) return;
    text_printf(t, " @%s", spaces[first->space]);
    if (same) {
        text_printf(t, "0x%" PRIx64 "%s", first->address, count > 1 ? "*" : "");
        return;
    }
    text_puts(t, "[");
    for (unsigned lane = 0; lane < 64; lane++) {
        const sw_step_place *p = &places[lane];
        if (!(lanes >> lane & 1) || p->space == SW_STEP_NOWHERE) continue;
        if (shown++ == SHOWN_LANES) break;
        text_printf(t, "%s%u:%s0x%" PRIx64, shown > 1 ? " " : "", lane,
                    p->space == first->space     ? ""
                    : p->space == SW_STEP_GLOBAL ? "global "
                                                 : spaces[p->space],
                    p->address);
    }
    text_puts(t, count > SHOWN_LANES ? " ...]" : "]");
}

void values_put_places(struct text *t, const sw_isa_mode *mode, const sw_insn *in, const sw_step *s,
                       uint64_t lanes) {
    enum { MOST_ELEMENTS = 2 };
    sw_insn_access access = {.size = sizeof access};
    sw_step_place places[64];
    if (!sw_insn_get_access(mode, in, &access)) return;
    for (unsigned e = 0; e < access.elements && e < MOST_ELEMENTS; e++) {
        sw_step_places(s, &access, e, places);
        put_places(t, places, access.once ? 1 : lanes & s->exec);
    }
}

// ---- Tables ----

void registers_head(struct text *t, const struct trace_filter *f) {
    char name[16];
    for (unsigned i = 0; i < f->register_count; i++) {
        trace_register_name(f->registers[i], name);
        text_printf(t, " %10s", name);
    }
    text_puts(t, "  after the instruction\n");
}
void registers_put(struct text *t, const struct trace_filter *f, const sw_step *s) {
    for (unsigned i = 0; i < f->register_count; i++) {
        const uint32_t *r = sw_step_register(s, f->registers[i]);
        const bool is_vector = f->registers[i] >= CODE_VGPR0;
        if (!r || (f->lane >= s->lanes && is_vector))
            text_printf(t, " %10s", "-");
        else
            text_printf(t, " 0x%08" PRIx32, r[is_vector && f->lane > 0 ? f->lane : 0]);
    }
}

// ---- Lines ----

struct trace_wave {
    void *state; // of the wave, as steps name it; other waves have it later
    struct trace_wave *next;
    uint32_t group[3], wave;
    uint64_t descriptor;
    char prefix[16];
    struct text line; // that waits; empty: none
    sw_operand operands[SW_MAX_OPERANDS];
    size_t count;
    uint64_t lanes;
};

static struct trace_wave *wave_of(struct trace_lines *t, void *state) {
    struct trace_wave **bucket = &t->waves[((uintptr_t)state >> 6) * 0x9e3779b1u >> 8 & (TRACE_BUCKETS - 1)],
                      *w = *bucket;
    while (w && w->state != state) w = w->next;
    if (w || !(w = calloc(1, sizeof *w))) return w;
    w->state = state;
    w->next = *bucket;
    return *bucket = w;
}

static void finish_line(struct trace_lines *t, struct trace_wave *w, const char *end) {
    if (!w->line.length) return;
    text_puts(&w->line, end);
    fwrite(w->line.data, 1, w->line.length, t->out);
    w->line.length = 0;
}

static bool is_same_wave(const struct trace_wave *w, const sw_step *s) {
    return w->wave == s->wave && w->descriptor == s->descriptor &&
           !memcmp(w->group, s->group, sizeof w->group);
}

// Of the instruction before: a row of a table.
static void put_row(struct trace_lines *t, struct trace_wave *w, const sw_step *s,
                    const struct trace_filter *f) {
    struct text row = {0};
    char wave[48];
    const int n = snprintf(wave, sizeof wave, "%s%u,%u,%u:%u", w->prefix, w->group[0], w->group[1],
                           w->group[2], w->wave);
    if (!t->has_head) {
        text_printf(&row, "%-*s", n, "wave");
        registers_head(&row, f);
    }
    t->has_head = true;
    text_puts(&row, wave);
    registers_put(&row, f, s);
    text_printf(&row, "  %s", w->line.data ? w->line.data : "");
    w->line.length = 0;
    text_add(&w->line, row.data, row.length);
    text_free(&row);
    finish_line(t, w, "\n");
}

// What the instruction before has written.
static void put_results(struct trace_lines *t, struct trace_wave *w, const sw_step *s,
                        const struct trace_filter *f) {
    if (!w->line.length) return;
    if (is_same_wave(w, s)) {
        if (f->register_count) {
            put_row(t, w, s, f);
            return;
        }
        values_put(&w->line, " ->", s, w->operands, w->count, SW_OPERAND_WRITE, w->lanes);
        finish_line(t, w, "\n");
    } else
        finish_line(t, w, " (did not finish)\n");
}

static void begin_line(struct trace_wave *w, const sw_processor *processor, const sw_step *s,
                       const char *prefix, const struct trace_filter *f) {
    char text[SW_INSN_TEXT_SIZE] = "(not an instruction)";
    sw_isa_mode mode = {.size = sizeof mode};
    sw_insn in = {.size = sizeof in};
    w->count = 0;
    bool is_known = sw_isa_mode_init(&mode, processor) == SW_OK;
    if (is_known) {
        mode.wave32 = s->lanes == 32, mode.vgpr_msb = s->vgpr_msb;
        is_known = sw_insn_decode(&mode, s->bytes, SW_INSN_MAX_BYTES, &in) == SW_DECODED;
        if (is_known) {
            sw_insn_format(&mode, &in, s->pc, text, sizeof text);
            w->count = sw_insn_operands(&mode, &in, w->operands, SW_MAX_OPERANDS, sizeof *w->operands);
        }
    }
    memcpy(w->group, s->group, sizeof w->group);
    w->wave = s->wave;
    w->descriptor = s->descriptor;
    w->lanes = f->lane < 0 ? s->exec : 1ull << f->lane;
    if (f->register_count) {
        snprintf(w->prefix, sizeof w->prefix, "%s", prefix);
        text_puts(&w->line, text);
        return;
    }
    text_printf(&w->line, "%s%u,%u,%u:%u %012" PRIx64 " exec=%016" PRIx64 " scc=%u  %s", prefix, s->group[0],
                s->group[1], s->group[2], s->wave, s->pc, s->exec, s->scc, text);
    values_put(&w->line, "  #", s, w->operands, w->count, SW_OPERAND_READ, w->lanes);
    if (is_known) values_put_places(&w->line, &mode, &in, s, w->lanes);
}

void trace_lines_step(struct trace_lines *t, const sw_processor *processor, const sw_step *s,
                      const char *prefix, const struct trace_filter *f) {
    struct trace_wave *w = wave_of(t, s->state);
    if (!w) return;
    put_results(t, w, s, f);
    if (!trace_filter_step(f, s)) return;
    begin_line(w, processor, s, prefix, f);
    if (values_any(w->operands, w->count, SW_OPERAND_WRITE)) return;
    if (f->register_count)
        put_row(t, w, s, f);
    else
        finish_line(t, w, "\n");
}

void trace_lines_end(struct trace_lines *t) {
    for (int i = 0; i < TRACE_BUCKETS; i++) {
        for (struct trace_wave *w = t->waves[i], *next; w; w = next) {
            next = w->next;
            finish_line(t, w, " (did not finish)\n");
            text_free(&w->line);
            free(w);
        }
        t->waves[i] = NULL;
    }
}
