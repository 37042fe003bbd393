// SPDX-License-Identifier: MIT
// What instructions do, by the lines of tests/device/*.txt: each is assembled and run on a wave of every
// processor that it names and at every vector level of this host. What a line does not name must not change.
// Lines with bytes= or counts= are not run but assembled and disassembled, those with `refused` do not
// assemble.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "piece.h"
#include "base/array.h"
#include "base/text.h"
#include "covered.h"
#include "isa/isa.h"
#include "softwave/asm.h"
#include "softwave/device.h"
#include "softwave/isa.h"
#include "target/target.h"

// Ranges of processors in lines follow this order.
static const char *const processors[] = {"gfx600",  "gfx700",  "gfx803",  "gfx900",  "gfx906",
                                         "gfx908",  "gfx90a",  "gfx942",  "gfx950",  "gfx1010",
                                         "gfx1030", "gfx1100", "gfx1150", "gfx1200", "gfx1250"};
static const char *const files[] = {"traps.txt", "memory.txt", "memory_bytes.txt", "sems.txt"};
static const char *const levels[] = {"v2", "v3", "v4"};
enum {
    ALIGNMENTS = SW_ALIGNMENT_STRICT + 1,
    PROCESSORS = sizeof processors / sizeof *processors,
    LEVELS = 3,
    REGISTERS = 48, // VGPRs, a multiple of every granule: v48 does not exist
    SCALARS = 128,
    SCC = SCALARS, // the place of SCC behind the scalar registers
    VECTORS = 2 * REGISTERS,
    MEMORY = 256, // dwords
};

struct state { // of a wave, and which of it is not compared
    uint32_t scalar[SCALARS + 1], vector[VECTORS][64], memory[MEMORY];
    uint8_t any_scalar[SCALARS + 1], any_vector[VECTORS], any_memory[MEMORY];
};

struct line {
    const char *file, *targets, *code, *in, *out, *ids;
    unsigned number;
    // of one run
    const sw_processor *processor;
    unsigned lanes;
    struct state expected, got;
    uint32_t *memory;
    bool started, ended, bad;
};

// ---- Registers and values ----

static unsigned m0_of(const struct line *l) { return has(l->processor, CAP_real_true16) ? 125 : 124; }

struct place {
    enum { SCALAR_PLACE, VECTOR_PLACE, MEMORY_PLACE, NO_PLACE } kind;
    unsigned first, dwords;
};

static struct place place_of(const struct line *l, const char *name) {
    static const struct {
        const char *name;
        unsigned code, dwords;
    } names[] = {{"vcc", 106, 2},     {"vcc_lo", 106, 1},  {"vcc_hi", 107, 1}, {"exec", 126, 2},
                 {"exec_lo", 126, 1}, {"exec_hi", 127, 1}, {"scc", SCC, 1}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(name, names[i].name)) return (struct place){SCALAR_PLACE, names[i].code, names[i].dwords};
    if (!strcmp(name, "m0")) return (struct place){SCALAR_PLACE, m0_of(l), 1};
    unsigned first, last;
    char file;
    if (sscanf(name, "mem[%u]", &first) == 1) return (struct place){MEMORY_PLACE, first, 1};
    if (sscanf(name, "%c[%u:%u]", &file, &first, &last) != 3) {
        if (sscanf(name, "%c%u", &file, &first) != 2) return (struct place){NO_PLACE, 0, 0};
        last = first;
    }
    struct place p = {file == 's' ? SCALAR_PLACE : VECTOR_PLACE, first, last - first + 1};
    if (file == 'a') p.first += REGISTERS;
    if (!strchr("sva", file) || last < first || last >= (file == 's' ? 106 : REGISTERS)) p.kind = NO_PLACE;
    return p;
}

// A number as bits: 0x10, -3, 1.5 (F32), 1.5h (F16), 1.5d (F64), `lane`, `&` (the memory), `&+8`, `&-8`;
// behind these ^N adds N << 48, as buffer descriptors have stride and swizzle.
static const char *parse_address(const struct line *l, const char *s, uint64_t *out) {
    char *end = (char *)(uintptr_t)s;
    *out = (uint64_t)(uintptr_t)l->memory;
    if (*s == '+' || *s == '-') *out += (uint64_t)strtoll(s, &end, 0);
    if (*end == '^') *out += strtoull(end + 1, &end, 0) << 48;
    return end;
}
static const char *parse_number(const struct line *l, const char *s, unsigned lane, uint64_t *out) {
    char *end;
    if (*s == '&') return parse_address(l, s + 1, out);
    if (!strncmp(s, "lane", 4)) {
        *out = lane;
        if (s[4] != '*') return s + 4;
        *out *= strtoull(s + 5, &end, 0);
        return end;
    }
    size_t digits = strspn(s, "+-.0123456789");
    if (memchr(s, '.', digits)) {
        const double x = strtod(s, &end);
        if (*end == 'h') {
            _Float16 h = (_Float16)x;
            uint16_t bits;
            memcpy(&bits, &h, 2);
            return *out = bits, end + 1;
        }
        if (*end == 'd') return memcpy(out, &x, 8), end + 1;
        const float f = (float)x;
        uint32_t bits;
        memcpy(&bits, &f, 4);
        return *out = bits, end;
    }
    *out = *s == '-' ? (uint64_t)strtoll(s, &end, 0) : strtoull(s, &end, 0);
    return end == s ? NULL : end;
}

static void put(struct state *st, const struct place *p, unsigned lane, uint64_t v) {
    for (unsigned i = 0; i < p->dwords; i++) {
        const uint32_t dword = i < 2 ? (uint32_t)(v >> 32 * i) : (uint32_t)v;
        switch (p->kind) {
        case SCALAR_PLACE: st->scalar[p->first + i] = dword; break;
        case VECTOR_PLACE: st->vector[p->first + i][lane] = dword; break;
        default: st->memory[p->first + i] = dword; break;
        }
    }
}

static void anything(struct state *st, const struct place *p) {
    for (unsigned i = 0; i < p->dwords; i++) {
        if (p->kind == SCALAR_PLACE) st->any_scalar[p->first + i] = 1;
        if (p->kind == VECTOR_PLACE) st->any_vector[p->first + i] = 1;
        if (p->kind == MEMORY_PLACE) st->any_memory[p->first + i] = 1;
    }
}

// NAME=NUMBER for all executing lanes, NAME=[NUMBER,...] for the first ones, NAME=? for anything.
static bool put_setting(const struct line *l, struct state *st, char *text, uint64_t exec) {
    char *value = strchr(text, '=');
    if (!value) return false;
    *value++ = 0;
    const struct place p = place_of(l, text);
    if (p.kind == NO_PLACE || p.first + p.dwords > (p.kind == MEMORY_PLACE ? MEMORY : SCALARS + 1))
        return false;
    if (*value == '?') return anything(st, &p), true;
    const bool list = *value == '[';
    uint64_t v;
    value += list;
    for (unsigned lane = 0; lane < l->lanes; lane++) {
        const char *end = parse_number(l, value, lane, &v);
        if (!end) return false;
        if (list || p.kind != VECTOR_PLACE || exec >> lane & 1) put(st, &p, lane, v);
        if (list && *end == ']') return !end[1];
        if (list && *end++ != ',') return false;
        if (list) value += end - value;
        if (!list && *end) return false;
        if (p.kind != VECTOR_PLACE) break;
    }
    return true;
}

// The settings of a field; those that configure the kernel, and faults, are others' business.
static bool put_settings(const struct line *l, struct state *st, const char *field, uint64_t exec) {
    char copy[4096], *rest = NULL;
    snprintf(copy, sizeof copy, "%s", field);
    for (char *s = strtok_r(copy, " ", &rest); s; s = strtok_r(NULL, " ", &rest)) {
        if (!strncmp(s, "mode=", 5) || !strncmp(s, "scratch=", 8) || !strncmp(s, "align=", 6) ||
            !strncmp(s, "fault=", 6) || !strcmp(s, "refused"))
            continue;
        if (!put_setting(l, st, s, exec)) {
            print_error("%s:%u: bad setting '%s' in '%s'\n", l->file, l->number, s, field);
            return false;
        }
    }
    return true;
}

// ---- The wave ----

static unsigned code_of(unsigned vector) {
    return vector < REGISTERS ? 256 + vector : 512 + vector - REGISTERS;
}

static void observe(void *context, const sw_step *step) {
    struct line *l = *(struct line **)context;
    struct state *now = &l->got;
    if (!l->started) {
        l->started = true;
        struct state *st = &l->expected;
        memset(st, 0, sizeof *st);
        for (unsigned i = 0; i < MEMORY; i++) st->memory[i] = i;
        for (unsigned i = 108; i < 124; i++) st->scalar[i] = i; // TTMPs, as a trap handler left them
        st->scalar[126] = (uint32_t)step->exec, st->scalar[127] = (uint32_t)(step->exec >> 32);
        l->bad |= !put_settings(l, st, l->in, ~0ull);
        for (unsigned i = 0; i < SCALARS; i++)
            if (i < 124 || i >= 126 || i == m0_of(l)) *sw_step_register(step, i) = st->scalar[i];
        *sw_step_scc(step) = st->scalar[SCC];
        for (unsigned v = 0; v < VECTORS; v++) {
            uint32_t *r = sw_step_register(step, code_of(v));
            if (r) memcpy(r, st->vector[v], 4 * (size_t)l->lanes);
        }
        memcpy(l->memory, st->memory, sizeof st->memory);
        const uint64_t exec = st->scalar[126] | (uint64_t)st->scalar[127] << 32;
        l->bad |= !put_settings(l, st, l->out, exec);
    }
    struct insn in;
    if (insn_decode(isa_of(l->processor), step->bytes, INSN_MAX_BYTES, &in) == DECODE_OK) {
        covered(row_sem(in.row));
        if (in.row_y) covered(row_sem(in.row_y));
    }
    // The last of these calls is that of s_endpgm.
    for (unsigned i = 0; i < SCALARS; i++) {
        const uint32_t *r = sw_step_register(step, i);
        now->scalar[i] = r ? *r : 0;
    }
    now->scalar[SCC] = *sw_step_scc(step);
    for (unsigned v = 0; v < VECTORS; v++) {
        const uint32_t *r = sw_step_register(step, code_of(v));
        if (r) memcpy(now->vector[v], r, 4 * (size_t)l->lanes);
    }
    memcpy(now->memory, l->memory, sizeof now->memory);
}

static bool compare(const struct line *l, struct text *t) {
    const struct state *x = &l->expected, *y = &l->got;
    for (unsigned i = 0; i <= SCALARS; i++) {
        if ((i == 124 || i == 125) && i != m0_of(l)) continue; // NULL
        if (!x->any_scalar[i] && x->scalar[i] != y->scalar[i])
            text_printf(t, " s%u=%#x, not %#x;", i, y->scalar[i], x->scalar[i]);
    }
    for (unsigned v = 0; v < VECTORS; v++)
        for (unsigned k = 0; k < l->lanes && !x->any_vector[v]; k++)
            if (x->vector[v][k] != y->vector[v][k]) {
                text_printf(t, " %s%u[%u]=%#x, not %#x;", v < REGISTERS ? "v" : "a", v % REGISTERS, k,
                            y->vector[v][k], x->vector[v][k]);
                break;
            }
    for (unsigned i = 0; i < MEMORY; i++)
        if (!x->any_memory[i] && x->memory[i] != y->memory[i])
            text_printf(t, " mem[%u]=%#x, not %#x;", i, y->memory[i], x->memory[i]);
    return !t->length;
}

// ---- The kernel ----

static uint32_t mode_of(const struct line *l) {
    const char *m = strstr(l->in, "mode=");
    return m ? (uint32_t)strtoul(m + 5, NULL, 0) : 0x3c0; // denormals of F64 and F16, DX10_CLAMP, IEEE
}

static void write_kernel(const struct line *l, struct text *t) {
    const sw_processor *p = l->processor;
    const uint32_t mode = mode_of(l);
    text_puts(t, ".text\n.globl k\n.p2align 8\n.type k,@function\nk:\ns_nop 0\n");
    for (const char *s = l->code; *s; s++) text_add(t, *s == ';' ? "\n" : s, 1);
    text_puts(t, "\ns_endpgm\n.section .rodata,\"a\",@progbits\n.p2align 6\n.amdhsa_kernel k\n");
    const bool unified = has(p, CAP_unified_vgprs);
    text_printf(
        t, ".amdhsa_next_free_vgpr %u\n.amdhsa_next_free_sgpr 96\n.amdhsa_group_segment_fixed_size 1024\n",
        unified ? VECTORS : REGISTERS);
    if (unified) text_printf(t, ".amdhsa_accum_offset %u\n", REGISTERS);
    text_printf(t,
                ".amdhsa_float_round_mode_32 %u\n.amdhsa_float_round_mode_16_64 %u\n"
                ".amdhsa_float_denorm_mode_32 %u\n.amdhsa_float_denorm_mode_16_64 %u\n",
                mode & 3, mode >> 2 & 3, mode >> 4 & 3, mode >> 6 & 3);
    if (has(p, CAP_ieee_mode))
        text_printf(t, ".amdhsa_dx10_clamp %u\n.amdhsa_ieee_mode %u\n", mode >> 8 & 1, mode >> 9 & 1);
    const char *scratch = strstr(l->in, "scratch=");
    if (scratch)
        text_printf(t, ".amdhsa_private_segment_fixed_size %lu\n", strtoul(scratch + 8, NULL, 0));
    else if (has(p, CAP_architected_flat_scratch))
        text_puts(t, ".amdhsa_enable_private_segment 1\n.amdhsa_private_segment_fixed_size 64\n");
    if (mode >> 23 & 1) text_puts(t, ".amdhsa_fp16_overflow 1\n");
    text_puts(t, ".end_amdhsa_kernel\n");
}

static const char *fault_name(sw_fault_kind kind) {
    static const char *const names[] = {"none", "read",    "write",       "atomic", "alignment",
                                        "jump", "illegal", "unsupported", "trap"};
    return kind < sizeof names / sizeof *names ? names[kind] : "other";
}

static void ignore(void *context, const sw_diagnostic *d) { (void)context, (void)d; }
static void complain(void *context, const sw_diagnostic *d) {
    (void)context;
    print_error("  %s\n", d->message);
}

// Devices of a run of the program: one a processor and level, with the line it is at.
struct machine {
    sw_device *device;
    struct line *line;
    uint32_t *memory;
};
static struct machine machines[ALIGNMENTS][PROCESSORS][LEVELS];

static sw_alignment alignment_of(const struct line *l) {
    if (strstr(l->in, "align=dword")) return SW_ALIGNMENT_DWORD_STRICT;
    return strstr(l->in, "align=strict") ? SW_ALIGNMENT_STRICT : SW_ALIGNMENT_UNALIGNED;
}

static struct machine *machine_of(const struct line *l, unsigned processor, unsigned level) {
    struct machine *m = &machines[alignment_of(l)][processor][level];
    if (m->device) return m;
    sw_device_options o = {.size = sizeof o,
                           .threads = 1,
                           .level = levels[level],
                           .alignment = alignment_of(l),
                           .hooks = &(sw_device_hooks){
                               .size = sizeof(sw_device_hooks), .context = &m->line, .observe = observe}};
    if (sw_target_parse(processors[processor], strlen(processors[processor]), &o.target, NULL) != SW_OK)
        return NULL;
    if (sw_device_create(&o, &m->device, NULL) != SW_OK) return NULL; // a level that this host lacks
    m->memory = sw_device_alloc(m->device, 4 * MEMORY);
    return m->memory ? m : NULL;
}

static void run_kernel(struct line *l, struct machine *m, const sw_object *object, struct text *t) {
    sw_executable *e;
    const sw_sink sink = {complain, NULL};
    if (sw_device_load(m->device, object, NULL, NULL, &e, &sink) != SW_OK) {
        text_puts(t, " does not load");
        return;
    }
    sw_dispatch q = {.size = sizeof q,
                     .executable = e,
                     .descriptor = sw_executable_base(e) + sw_object_kernel(object, 0)->descriptor_offset,
                     .grid = {l->lanes, 1, 1},
                     .block = {l->lanes, 1, 1},
                     .group_segment_size = 1024,
                     .timeout = 10};
    sw_fault fault = {.size = sizeof fault};
    m->line = l;
    l->memory = m->memory;
    l->started = l->bad = false;
    sw_device_run(m->device, &q, &fault, NULL, NULL);
    const char *asked = strstr(l->out, "fault=");
    char kind[16] = "none";
    long long at = 0; // from the start of the memory
    if (asked && sscanf(asked + 6, "%15[a-z]@%lli", kind, &at) < 2)
        at = (long long)(fault.address - (uint64_t)(uintptr_t)l->memory);
    const uint64_t address = (uint64_t)(uintptr_t)l->memory + (uint64_t)at;
    if (strcmp(kind, fault_name(fault.kind)) || (asked && fault.address != address))
        text_printf(t, " fault %s at & + %lld (%s);", fault_name(fault.kind),
                    (long long)(fault.address - (uint64_t)(uintptr_t)l->memory),
                    fault.reason ? fault.reason : "");
    else if (!l->bad)
        compare(l, t);
    sw_device_unload(m->device, e, NULL);
}

// The instruction as bytes, and what the disassembler makes of them.
static unsigned check_bytes(struct line *l, const char *name) {
    uint8_t bytes[SW_INSN_MAX_BYTES];
    size_t size = 0;
    char hex[2 * SW_INSN_MAX_BYTES + 1] = "", text[SW_INSN_TEXT_SIZE] = "";
    sw_isa_mode mode = {.size = sizeof mode};
    sw_insn insn = {.size = sizeof insn};
    if (sw_isa_mode_init(&mode, l->processor) != SW_OK ||
        sw_insn_assemble(&mode, l->code, strlen(l->code), bytes, &size, NULL) != SW_OK)
        size = 0;
    for (size_t i = 0; i < size; i++) sprintf(hex + 2 * i, "%02x", bytes[i]);
    if (size && sw_insn_decode(&mode, bytes, size, &insn) == SW_DECODED)
        sw_insn_format(&mode, &insn, 0, text, sizeof text);
    sw_insn_facts facts = {.size = sizeof facts};
    if (insn.info) sw_insn_get_facts(insn.info, &facts);
    const char *asked = strstr(l->out, "counts="), *counts = "none";
    if (facts.flags & SW_INSN_COUNTS_LGKM) counts = "lgkm";
    if (facts.flags & SW_INSN_COUNTS_VM) counts = "vm";
    if (asked ? !strcmp(counts, asked + 7)
              : !strcmp(hex, strstr(l->out, "bytes=") + 6) && !strcmp(text, l->code))
        return 0;
    print_error("%s:%u (%s) on %s: %s is %s, and that is %s, counts %s\n", l->file, l->number, l->ids, name,
                l->code, hex, text, counts);
    return 1;
}

// One line on one processor at all levels: failures.
static unsigned run_line(struct line *l, unsigned processor, unsigned lanes) {
    sw_asm_options o = {.size = sizeof o, .name = l->file, .os = SW_OS_AMDHSA};
    const bool refused = strstr(l->out, "refused");
    const sw_sink sink = {refused ? ignore : complain, NULL};
    const char *name = processors[processor];
    if (sw_target_parse(name, strlen(name), &o.target, NULL) != SW_OK) return 1;
    l->processor = o.target.processor;
    l->lanes = lanes ? lanes : has(l->processor, CAP_wave32) ? 32 : 64;
    if (has(l->processor, CAP_wave32))
        o.features = l->lanes == 32 ? "+wavefrontsize32,-real-true16" : "+wavefrontsize64,-real-true16";
    if (has(l->processor, CAP_wave32) && !has(l->processor, CAP_real_true16))
        o.features = l->lanes == 32 ? "+wavefrontsize32" : "+wavefrontsize64";
    if (strstr(l->out, "bytes=") || strstr(l->out, "counts=")) return check_bytes(l, name);
    struct text source = {0};
    uint8_t *bytes = NULL;
    size_t size;
    sw_object *object = NULL;
    unsigned failures = 0;
    write_kernel(l, &source);
    if (sw_assemble(source.data, source.length, &o, &bytes, &size, &sink) != SW_OK ||
        sw_object_open(bytes, size, NULL, &object, &sink) != SW_OK) {
        if (!refused) print_error("%s:%u on %s: %s: does not assemble\n", l->file, l->number, name, l->code);
        failures += !refused;
    } else if (refused) {
        print_error("%s:%u (%s) on %s: %s: assembles\n", l->file, l->number, l->ids, name, l->code);
        failures++;
    }
    for (unsigned level = 0; object && !refused && level < LEVELS; level++) {
        struct machine *m = machine_of(l, processor, level);
        if (!m) continue;
        struct text t = {0};
        run_kernel(l, m, object, &t);
        if (t.length || l->bad) {
            failures++;
            text_add(&t, "", 1);
            print_error("%s:%u (%s) on %s, level %s: %s |%s\n", l->file, l->number, l->ids, name,
                        levels[level], l->code, t.data);
        }
        text_free(&t);
        if (failures) break;
    }
    sw_object_close(object);
    sw_free(bytes);
    text_free(&source);
    return failures;
}

// ---- Lines ----

static int processor_index(const char *name, size_t length) {
    for (int i = 0; i < PROCESSORS; i++)
        if (strlen(processors[i]) == length && !memcmp(processors[i], name, length)) return i;
    return -1;
}

// Each of NAME, NAME-NAME, either with /32 or /64.
static unsigned run_everywhere(struct line *l, const char *only) {
    unsigned failures = 0;
    char copy[256], *rest = NULL;
    snprintf(copy, sizeof copy, "%s", l->targets);
    for (char *s = strtok_r(copy, " ", &rest); s; s = strtok_r(NULL, " ", &rest)) {
        char *slash = strchr(s, '/'), *to;
        const unsigned lanes = slash ? (unsigned)strtoul(slash + 1, NULL, 10) : 0;
        if (slash) *slash = 0;
        to = strchr(s, '-');
        const size_t length = to ? (size_t)(to - s) : strlen(s);
        const int first = processor_index(s, length),
                  last = to ? processor_index(to + 1, strlen(to + 1)) : first;
        if (first < 0 || last < first) {
            print_error("%s:%u: no processors '%s'\n", l->file, l->number, s);
            failures++;
        }
        for (int i = first; i >= 0 && i <= last; i++)
            if (!only || !strcmp(only, processors[i])) failures += run_line(l, (unsigned)i, lanes);
    }
    return failures;
}

static char *trim(char *s) {
    while (isspace((unsigned char)*s)) s++;
    for (char *end = s + strlen(s); end > s && isspace((unsigned char)end[-1]);) *--end = 0;
    return s;
}

static bool split(char *text, struct line *l) {
    const char **fields[] = {&l->targets, &l->code, &l->in, &l->out, &l->ids};
    for (int i = 0; i < 5; i++) {
        char *bar = strchr(text, '|');
        if ((i < 4) != (bar != NULL)) return false;
        if (bar) *bar = 0;
        *fields[i] = trim(text);
        text = bar + 1;
    }
    return *l->targets && *l->code && *l->ids;
}

static FILE *open_lines(const char *file) {
    char path[4096];
    path_beside(path, __FILE__, file);
    return fopen(path, "r");
}

static const char *only_file;
static unsigned only_line;
static const char *only_processor;

static unsigned run_file(const char *file, unsigned *lines) {
    FILE *f = open_lines(file);
    assert_non_null(f);
    struct line *l = calloc(1, sizeof *l);
    assert_non_null(l);
    char *text = NULL;
    size_t capacity = 0;
    unsigned failures = 0, number = 0;
    l->file = file;
    while (getline(&text, &capacity, f) > 0) {
        number++;
        if (*trim(text) == '#' || !*trim(text) || (only_line && number != only_line)) continue;
        l->number = number;
        ++*lines;
        if (split(text, l))
            failures += run_everywhere(l, only_processor);
        else
            failures++, print_error("%s:%u has not five fields\n", file, number);
    }
    free(text);
    free(l);
    fclose(f);
    return failures;
}

static void every_line(void **state) {
    (void)state;
    unsigned failures = 0, lines = 0;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        if (!only_file || !strcmp(only_file, files[i])) failures += run_file(files[i], &lines);
    for (unsigned a = 0; a < ALIGNMENTS; a++)
        for (unsigned p = 0; p < PROCESSORS; p++)
            for (unsigned v = 0; v < LEVELS; v++) sw_device_destroy(machines[a][p][v].device);
    print_message("%u lines, %u failures\n", lines, failures);
    assert_int_equal(failures, 0);
}

// Arguments, for whoever looks into a failure: the file, the number of a line, a processor.
int main(int argc, char **argv) {
    if (argc > 1) only_file = argv[1];
    if (argc > 2) only_line = (unsigned)strtoul(argv[2], NULL, 10);
    if (argc > 3) only_processor = argv[3];
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_line)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
