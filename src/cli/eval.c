// SPDX-License-Identifier: MIT
// `softwave eval`: runs instructions on one wave whose registers were set, and prints what they changed. The
// instructions become a kernel: assembled, loaded and dispatched like any other; an observer sets the
// registers before the first of them and reads all registers behind the last. What is exported is printed.
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/run/run.h"
#include "cli/terascale/terascale.h"
#include "softwave/terascale.h"
#include "softwave/isa.h"

enum { SCALARS = 128, VECTORS = 512 };

struct setting {
    const char *text; // of the value
    unsigned code, dwords;
};

struct wave_copy { // registers by number: scalars, then vectors and accumulation registers by lane
    uint32_t scalar[SCALARS], scc, vector[VECTORS][64];
    bool taken;
};

struct eval {
    const char *target, *mattr;
    unsigned wave, lanes, shown;
    bool has_mode;
    uint32_t mode;
    ARRAY(const char *) lines;
    ARRAY(struct setting) settings;
    struct wave_copy before, after;
    struct text exports;                 // a line for each lane that is shown
    const char *type[VECTORS + SCALARS]; // of what wrote a register last: "F32"; NULL: nothing did
    uint64_t first, last;                // addresses of the first instruction and of s_endpgm
    sw_status status;
    sw_isa_mode mode_of_code;
    unsigned m0; // its number
};

enum { CODE_SCC = 1000 };

// The number of M0, which depends on the processor.
static unsigned m0_code(const sw_isa_mode *mode) {
    static const char text[] = "s_mov_b32 m0, 0";
    uint8_t bytes[SW_INSN_MAX_BYTES];
    size_t size;
    sw_insn in = {.size = sizeof in};
    sw_operand dst = {0};
    if (!sw_insn_assemble(mode, text, sizeof text - 1, bytes, &size, NULL) &&
        sw_insn_decode(mode, bytes, size, &in) == SW_DECODED)
        sw_insn_operands(mode, &in, &dst, 1, sizeof dst);
    return (unsigned)dst.code;
}

// REGISTER=: its number; false when the text is no register.
static bool parse_register_name(unsigned m0, const char *s, size_t length, struct setting *out) {
    static const struct {
        const char *name;
        uint16_t code, dwords;
    } names[] = {{"vcc", 106, 2},     {"vcc_lo", 106, 1},  {"vcc_hi", 107, 1},  {"exec", 126, 2},
                 {"exec_lo", 126, 1}, {"exec_hi", 127, 1}, {"scc", CODE_SCC, 1}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strlen(names[i].name) == length && !memcmp(names[i].name, s, length)) {
            out->code = names[i].code;
            out->dwords = names[i].dwords;
            return true;
        }
    if (length == 2 && !memcmp(s, "m0", 2)) {
        *out = (struct setting){.code = (uint16_t)m0, .dwords = 1};
        return true;
    }
    unsigned first, last, base = *s == 'v' ? 256 : *s == 'a' ? 512 : 0, limit = *s == 's' ? 105 : 255;
    char name[24], end = 0;
    if (length < 2 || length >= sizeof name || !strchr("vas", *s)) return false;
    memcpy(name, s, length);
    name[length] = 0;
    if (sscanf(name + 1, "[%u:%u]%c", &first, &last, &end) == 2 && last >= first && last <= limit) {
        *out = (struct setting){.code = base + first, .dwords = last - first + 1};
        return true;
    }
    if (!isdigit((unsigned char)name[1]) || sscanf(name + 1, "%u%c", &first, &end) != 1 || first > limit)
        return false;
    *out = (struct setting){.code = base + first, .dwords = 1};
    return true;
}

// ---- Before and after ----

static void put_value(const sw_step *step, const struct setting *s, unsigned lane, const uint32_t *dwords) {
    for (unsigned i = 0; i < s->dwords; i++) {
        uint32_t *r = s->code == CODE_SCC ? sw_step_scc(step) : sw_step_register(step, s->code + i);
        if (r) r[s->code >= 256 && s->code != CODE_SCC ? lane : 0] = dwords[i];
    }
}

static sw_status bad_value(const char *text) {
    return diag_fail(&cli_sink, SW_USAGE, NULL, "'%s' is no value: NUMBER, TYPE:NUMBER or TYPE:[NUMBER,...]",
                     text);
}

static sw_status set_register(const sw_step *step, const struct setting *s) {
    const char *p = s->text, *colon = strchr(p, ':');
    enum value_type type = s->dwords == 2 ? U64 : U32;
    if (!colon && !strncmp(p, "0x", 2))
        ; // an 'e' there is a digit
    else if (!colon && (strpbrk(p, ".eE") || strstr(p, "inf") || strstr(p, "nan")))
        type = s->dwords == 2 ? F64 : F32;
    if (colon) {
        type = value_type_of(p, (size_t)(colon - p));
        if (type == VALUE_TYPES) return bad_value(s->text);
        p = colon + 1;
    }
    if (value_size(type) > 4 * s->dwords) return bad_value(s->text);
    bool list = *p == '[', vector = s->code >= 256 && s->code != CODE_SCC;
    p += list;
    for (unsigned lane = 0; lane < (list && vector ? step->lanes : 1); lane++) {
        uint32_t dwords[32] = {0};
        if (!(p = value_parse(type, p, dwords))) return bad_value(s->text);
        if (s->dwords > 2)
            for (unsigned i = 1; i < s->dwords && i < 32; i++) dwords[i] = dwords[0];
        put_value(step, s, lane, dwords);
        if (!list)
            for (unsigned all = 1; vector && all < step->lanes; all++) put_value(step, s, all, dwords);
        if (list && *p == ',')
            p++;
        else
            break;
    }
    return *p == (list ? ']' : 0) && !(list && p[1]) ? SW_OK : bad_value(s->text);
}

static void copy_wave(const sw_step *step, struct wave_copy *out) {
    for (unsigned i = 0; i < SCALARS; i++) out->scalar[i] = *sw_step_register(step, i);
    for (unsigned i = 0; i < VECTORS; i++) {
        const uint32_t *r = sw_step_register(step, 256 + i);
        if (r) memcpy(out->vector[i], r, 4 * (size_t)step->lanes);
    }
    out->scc = *sw_step_scc(step);
    out->taken = true;
}

static void observe(void *context, const sw_step *step) {
    struct eval *e = context;
    if (!e->before.taken) {
        e->lanes = step->lanes;
        for (unsigned i = 256; i < 256 + VECTORS; i++) {
            uint32_t *r = sw_step_register(step, i);
            if (r) memset(r, 0, 4 * (size_t)step->lanes);
        }
        for (unsigned i = 0; i < 106; i++) *sw_step_register(step, i) = 0;
        for (size_t i = 0; i < e->settings.count && e->status == SW_OK; i++)
            e->status = set_register(step, &e->settings.items[i]);
        copy_wave(step, &e->before);
    }
    sw_insn in = {.size = sizeof in};
    sw_operand operands[SW_MAX_OPERANDS];
    sw_insn_facts facts = {.size = sizeof facts};
    e->mode_of_code.wave32 = step->lanes == 32;
    if (sw_insn_decode(&e->mode_of_code, step->bytes, SW_INSN_MAX_BYTES, &in) != SW_DECODED) return;
    sw_insn_get_facts(in.info, &facts);
    if (facts.flags & SW_INSN_TERMINATOR) copy_wave(step, &e->after);
    size_t count = sw_insn_operands(&e->mode_of_code, &in, operands, SW_MAX_OPERANDS, sizeof *operands);
    for (size_t i = 0; i < count; i++) {
        const sw_operand *o = &operands[i];
        if (!(o->access & SW_OPERAND_WRITE) || o->implicit || o->code < 0) continue;
        unsigned place = o->code >= 256 ? (unsigned)o->code - 256u : VECTORS + (unsigned)o->code;
        if (place < VECTORS + SCALARS) e->type[place] = o->type;
    }
}

static void exported(void *context, const sw_export *x) {
    struct eval *e = context;
    unsigned shown = e->shown;
    for (uint64_t left = x->lanes; left && shown; left &= left - 1, shown--) {
        const unsigned lane = (unsigned)__builtin_ctzll(left);
        text_printf(&e->exports, "%s of lane %u:", x->target_name, lane);
        exports_put_values(&e->exports, x, lane);
        text_puts(&e->exports, "\n");
    }
}

// Whether the processor has a capability of this name.
static bool has(const sw_processor *p, const char *name) {
    for (size_t i = 0; i < sw_capability_count(); i++)
        if (!strcmp(sw_capability_name(i), name)) return sw_processor_has(p, i);
    return false;
}

// ---- The kernel ----

enum { HEAD_LINES = 6 };
static void kernel_text(const struct eval *e, const sw_processor *p, struct text *t) {
    text_puts(t, ".text\n.globl eval\n.p2align 8\n.type eval,@function\neval:\ns_nop 0\n");
    for (size_t i = 0; i < e->lines.count; i++) text_printf(t, "%s\n", e->lines.items[i]);
    text_puts(t, "s_endpgm\n.section .rodata,\"a\",@progbits\n.p2align 6\n.amdhsa_kernel eval\n");
    bool unified = has(p, "unified_vgprs");
    text_printf(t, ".amdhsa_next_free_vgpr %d\n.amdhsa_next_free_sgpr %d\n", unified ? 512 : 256,
                has(p, "fixed_sgprs") ? 106 : 96);
    if (unified) text_puts(t, ".amdhsa_accum_offset 256\n");
    if (e->has_mode) {
        text_printf(t,
                    ".amdhsa_float_round_mode_32 %u\n.amdhsa_float_round_mode_16_64 %u\n"
                    ".amdhsa_float_denorm_mode_32 %u\n.amdhsa_float_denorm_mode_16_64 %u\n",
                    e->mode & 3, e->mode >> 2 & 3, e->mode >> 4 & 3, e->mode >> 6 & 3);
        if (has(p, "ieee_mode"))
            text_printf(t, ".amdhsa_dx10_clamp %u\n.amdhsa_ieee_mode %u\n", e->mode >> 8 & 1,
                        e->mode >> 9 & 1);
    }
    text_puts(t, ".end_amdhsa_kernel\n");
}

// ---- What changed ----

static bool is(const char *type, const char *name) { return type && !strcmp(type, name); }

static void print_number(struct text *t, const char *type, const uint32_t *dwords) {
    if (is(type, "F64"))
        text_printf(t, "0x%08x%08x", dwords[1], dwords[0]);
    else
        text_printf(t, "0x%08x", dwords[0]);
    if (is(type, "F32") || is(type, "F16") || is(type, "F64")) {
        text_puts(t, " (");
        value_print(t, is(type, "F32") ? F32 : is(type, "F16") ? F16 : F64, dwords);
        text_puts(t, ")");
    }
}

static void print_vectors(const struct eval *e, struct text *t) {
    for (unsigned i = 0; i < VECTORS; i++) {
        const char *type = e->type[i];
        bool wide = is(type, "F64") && i + 1 < VECTORS;
        size_t bytes = 4 * (size_t)e->lanes;
        bool changed = memcmp(e->before.vector[i], e->after.vector[i], bytes) ||
                       (wide && memcmp(e->before.vector[i + 1], e->after.vector[i + 1], bytes));
        if (!changed) continue;
        bool same = true;
        for (unsigned l = 1; l < e->lanes; l++)
            same &= e->after.vector[i][l] == e->after.vector[i][0] &&
                    (!wide || e->after.vector[i + 1][l] == e->after.vector[i + 1][0]);
        char file = i < 256 ? 'v' : 'a';
        text_printf(t, wide ? "%c[%u:%u] = " : "%c%u = ", file, i & 255, (i & 255) + 1);
        unsigned count = same ? 1 : e->lanes < e->shown ? e->lanes : e->shown;
        for (unsigned l = 0; l < count; l++) {
            uint32_t dwords[2] = {e->after.vector[i][l], wide ? e->after.vector[i + 1][l] : 0};
            if (l) text_puts(t, ", ");
            print_number(t, type, dwords);
        }
        text_puts(t, same ? " in all lanes\n" : count < e->lanes ? ", ...\n" : "\n");
        i += wide;
    }
}

static void print_scalars(const struct eval *e, struct text *t) {
    const struct wave_copy *a = &e->before, *b = &e->after;
    for (unsigned i = 0; i < 106; i++) {
        if (a->scalar[i] == b->scalar[i]) continue;
        text_printf(t, "s%u = ", i);
        print_number(t, is(e->type[VECTORS + i], "F32") ? "F32" : NULL, &b->scalar[i]);
        text_puts(t, "\n");
    }
    static const struct {
        const char *name;
        unsigned code;
    } pairs[] = {{"vcc", 106}, {"exec", 126}};
    for (int i = 0; i < 2; i++) {
        const uint32_t *x = &a->scalar[pairs[i].code], *y = &b->scalar[pairs[i].code];
        if (x[0] == y[0] && x[1] == y[1]) continue;
        if (e->lanes == 32 && x[1] == y[1])
            text_printf(t, "%s_lo = 0x%08x\n", pairs[i].name, y[0]);
        else
            text_printf(t, "%s = 0x%08x%08x\n", pairs[i].name, y[1], y[0]);
    }
    const unsigned m0 = e->m0;
    if (a->scalar[m0] != b->scalar[m0]) text_printf(t, "m0 = 0x%08x\n", b->scalar[m0]);
    if (a->scc != b->scc) text_printf(t, "scc = %u\n", b->scc);
}

static sw_status run_kernel(struct eval *e, const uint8_t *bytes, size_t size, const sw_target *target,
                            struct text *t) {
    sw_object *object = NULL;
    sw_device *device = NULL;
    sw_executable *executable;
    sw_object_options oo = {.size = sizeof oo, .name = "eval"};
    const sw_device_hooks hooks = {
        .size = sizeof hooks, .context = e, .observe = observe, .exported = exported};
    sw_device_options o = {.size = sizeof o, .target = *target, .threads = 1, .hooks = &hooks};
    sw_status status = sw_object_open(bytes, size, &oo, &object, &cli_sink);
    if (status == SW_OK) status = sw_device_create(&o, &device, &cli_sink);
    if (status == SW_OK) status = sw_device_load(device, object, NULL, NULL, &executable, &cli_sink);
    if (status == SW_OK) {
        const sw_kernel *k = sw_object_kernel(object, 0);
        sw_fault fault = {.size = sizeof fault};
        sw_dispatch q = {.size = sizeof q,
                         .executable = executable,
                         .descriptor = sw_executable_base(executable) + k->descriptor_offset,
                         .grid = {64, 1, 1},
                         .block = {64, 1, 1},
                         .timeout = 10};
        q.grid[0] = q.block[0] = k->descriptor->wavefront_size;
        status = sw_device_run(device, &q, &fault, NULL, &cli_sink);
        if (fault.kind) {
            struct run r = {.device = device, .executable = executable};
            run_fault(&fault, &r, k, object, NULL, 0);
        }
    }
    if (status == SW_OK) status = e->status;
    if (status == SW_OK && e->after.taken) {
        print_vectors(e, t);
        print_scalars(e, t);
        if (e->exports.length) text_printf(t, "%s", e->exports.data);
        if (!t->length) text_puts(t, "nothing changed\n");
    }
    if (e->exports.failed && !status) status = SW_NO_MEMORY;
    text_free(&e->exports);
    sw_device_destroy(device);
    sw_object_close(object);
    return status;
}

// Messages about the kernel are about the instructions that were given: they stand behind HEAD_LINES lines.
static void report(void *context, const sw_diagnostic *d) {
    const struct eval *e = context;
    sw_diagnostic own = *d;
    char file[40];
    if (d->at.line > HEAD_LINES && d->at.line <= HEAD_LINES + e->lines.count) {
        snprintf(file, sizeof file, "instruction %u", d->at.line - HEAD_LINES);
        own.at.file = file;
        own.at.line = 0;
    }
    cli_sink.report(NULL, &own);
}

static sw_status evaluate(struct eval *e, const sw_target *target, struct text *t) {
    struct text source = {0};
    kernel_text(e, target->processor, &source);
    struct file text = {.data = (const uint8_t *)source.data, .size = source.length};
    uint8_t *object = NULL;
    size_t size;
    sw_status status = source.failed ? SW_NO_MEMORY
                                     : run_assemble("eval", &text, e->target, e->wave, e->mattr, &object,
                                                    &size, &(sw_sink){report, e});
    if (status == SW_OK) status = run_kernel(e, object, size, target, t);
    sw_free(object);
    text_free(&source);
    return status;
}

// INSTRUCTION or REGISTER=VALUE.
static int take(struct eval *e, const char *text) {
    const char *equals = strchr(text, '=');
    size_t length = equals ? (size_t)(equals - text) : 0;
    struct setting s;
    if (equals && length == 4 && !memcmp(text, "mode", 4)) {
        uint64_t mode;
        if (!run_parse_number(equals + 1, strlen(equals + 1), &mode) || mode > UINT32_MAX)
            return cli_usage("eval", "mode takes a number of 32 bits, not '%s'", equals + 1);
        e->has_mode = true;
        e->mode = (uint32_t)mode;
        return 0;
    }
    if (!equals || memchr(text, ' ', length)) return array_push(&e->lines, text) ? 0 : SW_NO_MEMORY;
    if (!parse_register_name(e->m0, text, length, &s))
        return cli_usage("eval", "'%.*s' is no register that can be set", (int)length, text);
    s.text = equals + 1;
    return array_push(&e->settings, s) ? 0 : SW_NO_MEMORY;
}

enum option { O_TARGET, O_WAVE, O_MATTR, O_LANES, SCAN_RESULTS };
static const struct cli_option options[] = {
    {O_TARGET, 0, "target", "ID", "the GPU"},
    {O_WAVE, 0, "wave", "32|64", "the wave size (default: that of the GPU)"},
    {O_MATTR, 0, "mattr", "[+-]F,...", "switch features on or off, as in `softwave as`"},
    {O_LANES, 0, "lanes", "N", "print N lanes of each register (default 8; 64: all lanes)"},
};

static int parse(struct eval *e, int argc, char **argv, sw_target *target) {
    ARRAY(const char *) texts = {0};
    struct scan scan = cli_scan(&command_eval, argc, argv);
    int code = 0;
    uint64_t shown = 0;
    for (int id; !code && (id = cli_next(&scan)) != SCAN_END;) {
        switch ((enum option)id) {
        case O_TARGET: e->target = scan.value; break;
        case O_WAVE:
            e->wave = !strcmp(scan.value, "32") ? 32 : 64;
            if (e->wave == 64 && strcmp(scan.value, "64")) code = cli_usage("eval", "--wave takes 32 or 64");
            break;
        case O_MATTR: e->mattr = scan.value; break;
        case O_LANES:
            if (!run_parse_number(scan.value, strlen(scan.value), &shown) || !shown || shown > 64)
                code = cli_usage("eval", "--lanes takes a number from 1 to 64, not '%s'", scan.value);
            e->shown = (unsigned)shown;
            break;
        case SCAN_POSITIONAL: code = array_push(&texts, scan.value) ? 0 : SW_NO_MEMORY; break;
        case SCAN_HELP: code = -1; break;
        case SCAN_ERROR: code = SW_USAGE; break;
        }
    }
    if (!code && !e->target) code = cli_usage("eval", "--target is missing");
    if (!code && sw_target_choose(e->target, strlen(e->target), target, &cli_sink) != SW_OK) code = SW_USAGE;
    if (!code && sw_terascale_processor(target->processor)) {
        struct text t = {0};
        code = terascale_eval(target->processor, texts.items, texts.count, e->shown, &t);
        code = cli_finish(&t, code);
        array_free(&texts);
        return code ? code : -1;
    }
    e->mode_of_code.size = sizeof e->mode_of_code;
    if (!code && sw_isa_mode_init(&e->mode_of_code, target->processor))
        code = diag_fail(&cli_sink, SW_UNSUPPORTED, NULL, "%s cannot be run", e->target);
    if (!code) e->m0 = m0_code(&e->mode_of_code);
    for (size_t i = 0; !code && i < texts.count; i++) code = take(e, texts.items[i]);
    if (!code && !e->lines.count) code = cli_usage("eval", "an instruction is missing");
    array_free(&texts);
    return code;
}

static int cmd_eval(int argc, char **argv) {
    struct eval *e = calloc(1, sizeof *e);
    if (!e) return SW_NO_MEMORY;
    struct text t = {0};
    sw_target target = {0};
    e->shown = 8;
    int code = parse(e, argc, argv, &target);
    if (!code) code = cli_finish(&t, (int)evaluate(e, &target, &t));
    array_free(&e->lines);
    array_free(&e->settings);
    free(e);
    return code < 0 ? SW_OK : code;
}

const struct cli_command command_eval = {
    .name = "eval",
    .run = cmd_eval,
    .what = "run single instructions and show the registers that changed",
    .synopsis = "--target=ID [OPTION...] INSTRUCTION... [REGISTER=VALUE...]",
    .about = "Runs the instructions on one wave and prints the registers that changed. Values are "
             "hexadecimal; if an "
             "instruction writes floating-point numbers, they are printed as numbers as well.\n\n"
             "A REGISTER is v1, a1, s4, v[2:3], s[4:5], vcc, exec, m0, scc or mode. A VALUE is a number, "
             "TYPE:NUMBER, or "
             "TYPE:[NUMBER,...] with a number for each lane. TYPE is u32, i32, f32, f16, f64, u64 ... A "
             "single number "
             "goes to all lanes.",
    CLI_OPTIONS(options),
    .examples =
        "softwave eval --target=gfx90a 'v_add_f32 v0, v1, v2' v1=f32:1.5 v2=f32:[1,2,3]\n"
        "softwave eval --target=gfx1100 's_add_u32 s0, s1, s2' 's_addc_u32 s3, 0, 0' s1=0xffffffff s2=1\n"
        "softwave eval --target=gfx900 'v_fma_f64 v[0:1], v[2:3], v[2:3], 1.0' 'v[2:3]=f64:0.1' mode=0x1f3\n",
    .operand = "INSTRUCTION",
};
