// SPDX-License-Identifier: MIT
// `eval` for the R600 family: groups of ALU slots and fetches on a wave whose registers were set, and what
// they changed.
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "cli/run/run.h"
#include "cli/terascale/terascale.h"
#include "softwave/terascale.h"

enum { LANES = 64, CONSTANTS = 256 };

enum clause { NONE, ALU, FETCH };
struct eval {
    enum clause clause;
    bool executes;
    const sw_processor *processor;
    unsigned shown, lanes;
    struct text program;
    unsigned groups;
    sw_terascale_wave before, after;
    uint32_t constants[CONSTANTS][4]; // of buffer 0, and of the file
};

// "R5.x", "KC0[3].y" or "C7.z" before the equals sign: where its value goes, and how far lanes are apart.
static uint32_t *find(struct eval *e, const char *s, size_t length, bool *lanes) {
    static const char letters[] = "xyzw";
    const char *channel = length > 2 && s[length - 2] == '.' ? memchr(letters, s[length - 1], 4) : NULL;
    const bool gpr = *s == 'R', cache = length > 4 && !memcmp(s, "KC0[", 4);
    uint64_t n;
    if (!channel || !(gpr || cache || *s == 'C')) return NULL;
    const char *digits = s + (cache ? 4 : 1);
    size_t count = (size_t)(s + length - 2 - digits);
    if (cache && (!count || digits[--count] != ']')) return NULL;
    if (!run_parse_number(digits, count, &n) || n >= (gpr ? 128 : cache ? 32 : CONSTANTS)) return NULL;
    *lanes = gpr;
    return gpr ? e->before.gpr[n][channel - letters] : &e->constants[n][channel - letters];
}

// NUMBER, TYPE:NUMBER or TYPE:[NUMBER,...], a number a lane.
static sw_status set(uint32_t *to, bool lanes, const char *text) {
    const char *colon = strchr(text, ':'), *p = colon ? colon + 1 : text;
    const enum value_type type = colon ? value_type_of(text, (size_t)(colon - text)) : U32;
    const bool list = *p == '[';
    if (type == VALUE_TYPES || value_size(type) > 4 || (list && !lanes))
        return (sw_status)cli_usage("eval", "'%s' is no value of 32 bits", text);
    p += list;
    uint32_t value = 0;
    for (unsigned l = 0; l < (list ? LANES : 1); l++) {
        value = 0;
        if (!(p = value_parse(type, p, &value)))
            return (sw_status)cli_usage("eval", "'%s' is no value", text);
        to[l] = value;
        if (*p != ',') break;
        p++;
    }
    if (*p != (list ? ']' : 0) || (list && p[1]))
        return (sw_status)cli_usage("eval", "'%s' is no value", text);
    for (unsigned l = 1; lanes && !list && l < LANES; l++) to[l] = value;
    return SW_OK;
}

// One clause after the other, as groups and fetches alternate.
static void begin_clause(struct eval *e, enum clause clause) {
    if (e->clause != clause) text_puts(&e->program, clause == ALU ? "ALU: KCACHE0(CB0:0-31)\n" : "TC:\n");
    e->clause = clause;
}

// One group: slots with semicolons between them. Or a fetch, or a directive for state.
static void add_group(struct eval *e, const char *text) {
    if (*text == '.') {
        text_printf(&e->program, "%s\n", text);
        return;
    }
    e->executes = true;
    const bool slots = *text && text[1] == ':';
    begin_clause(e, slots ? ALU : FETCH);
    if (slots) text_printf(&e->program, "%u ", e->groups++);
    for (; *text; text++) text_add(&e->program, *text == ';' ? "\n" : text, 1);
    text_puts(&e->program, "\n");
}

static sw_status take(struct eval *e, const char *text) {
    const char *equals = strchr(text, '=');
    bool lanes;
    if (!equals) return add_group(e, text), SW_OK;
    uint32_t *to = find(e, text, (size_t)(equals - text), &lanes);
    if (!to)
        return (sw_status)cli_usage("eval", "'%.*s' is no register that can be set: R0.x, KC0[0].x, C0.x",
                                    (int)(equals - text), text);
    return set(to, lanes, equals + 1);
}

static void print_value(struct text *t, uint32_t v) {
    text_printf(t, "0x%08x (", v);
    value_print(t, F32, &v);
    text_puts(t, ")");
}

static void print_changes(struct eval *e, struct text *t) {
    const unsigned shown = e->shown < e->lanes ? e->shown : e->lanes;
    for (unsigned g = 0; g < 128; g++)
        for (unsigned c = 0; c < 4; c++) {
            const uint32_t *a = e->before.gpr[g][c], *b = e->after.gpr[g][c];
            if (!memcmp(a, b, sizeof e->before.gpr[g][c])) continue;
            bool same = true;
            for (unsigned l = 1; l < e->lanes; l++) same &= b[l] == b[0];
            text_printf(t, "R%u.%c = ", g, "xyzw"[c]);
            for (unsigned l = 0; l < (same ? 1 : shown); l++) {
                if (l) text_puts(t, ", ");
                print_value(t, b[l]);
            }
            text_puts(t, same ? " in all lanes\n" : shown < e->lanes ? ", ...\n" : "\n");
        }
    const uint64_t killed = e->before.valid & ~e->after.valid;
    if (killed) text_printf(t, "killed = 0x%016llx\n", (unsigned long long)killed);
}

static sw_status run(struct eval *e, struct text *t) {
    const sw_terascale_as_options a = {.size = sizeof a, .processor = e->processor, .name = "eval"};
    const sw_terascale_wave_options o = {
        .size = sizeof o,
        .name = "eval",
        .constants = e->constants,
        .constants_size = sizeof e->constants,
        .file = e->constants[0],
        .lds = 32768,
        .setup = &(sw_terascale_setup){.size = sizeof(sw_terascale_setup), .max_steps = 1000000}};
    uint8_t *object;
    size_t size;
    if (e->program.failed) return SW_NO_MEMORY;
    sw_status status =
        sw_terascale_assemble(e->program.data, e->program.length, &a, &object, &size, &cli_sink);
    if (status) return status;
    e->after = e->before;
    status = sw_terascale_run_wave(object, size, &o, &e->after, &cli_sink);
    if (!status) print_changes(e, t);
    sw_free(object);
    return status;
}

int terascale_eval(const sw_processor *processor, const char *const *texts, size_t count, unsigned shown,
                   struct text *t) {
    struct eval *e = calloc(1, sizeof *e);
    if (!e) return SW_NO_MEMORY;
    e->processor = processor;
    e->shown = shown;
    e->lanes = sw_terascale_lanes(processor);
    e->before.size = sizeof e->before;
    e->before.valid = ~0ull >> (LANES - e->lanes);
    // So many GPRs leave no clause temporaries.
    text_puts(&e->program, "main:\n.stage pixel\n.set SQ_PGM_RESOURCES_PS NUM_GPRS(128)\n");
    sw_status status = SW_OK;
    for (size_t i = 0; !status && i < count; i++) status = take(e, texts[i]);
    if (!status && !e->executes) status = (sw_status)cli_usage("eval", "an instruction is missing");
    text_puts(&e->program,
              !strcmp(sw_processor_name(processor), "cayman") ? "CF_END\n" : "NOP END_OF_PROGRAM\n");
    if (!status) status = run(e, t);
    text_free(&e->program);
    free(e);
    return status;
}
