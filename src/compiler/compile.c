// SPDX-License-Identifier: MIT
// The stages in order, and everything around a pass: where to begin and end, dumps, checks between passes.
#include "base/clock.h"
#include "compiler/callgraph.h"
#include "isa/counters.h"

#include <stdio.h>

struct stage {
    const char *name;
    compiler_pass *pass;                // of c->f; NULL: of the whole module alone, or done by the intake
    void (*module)(struct compiler *c); // before that, of all functions at once; NULL: nothing
};
static const struct stage stages[] = {
    {"read", NULL, NULL},
    {"lds", NULL, compiler_lds},
    {"calls", compiler_calls, NULL},
    {"move", compiler_move, NULL},
    {"space", compiler_space, NULL},
    {"abi", compiler_abi, compiler_inputs},
    {"quads", compiler_quads, NULL},
    {"atomic", compiler_atomic, NULL},
    {"address", compiler_address, NULL},
    {"ends", compiler_ends, NULL},
    {"blocks", compiler_blocks, NULL},
    {"waterfall", compiler_waterfall, NULL},
    {"divergence", compiler_divergence, NULL},
    {"legal", compiler_legal, NULL},
    {"select", compiler_select, NULL},
    {"whole", compiler_whole, NULL},
    {"memory_model", compiler_memory_model, NULL},
    {"control", compiler_control, NULL},
    {"assign", compiler_assign, NULL},
    {"waits", compiler_waits, NULL},
    {"hazards", compiler_hazards, NULL},
    {"emit", compiler_emit, compiler_resources},
};
enum { STAGES = sizeof stages / sizeof *stages };

size_t compiler_stage_count(void) { return STAGES; }
const char *compiler_stage_name(size_t index) { return index < STAGES ? stages[index].name : NULL; }
size_t compiler_stage(const char *name) {
    size_t i = 0;
    while (i < STAGES && strcmp(stages[i].name, name)) i++;
    return i;
}

// ---- Errors ----

void compiler_no_memory(struct compiler *c) {
    if (!c->status) c->status = SW_NO_MEMORY;
}

void compiler_refuse(struct compiler *c, const struct ir_inst *i, const char *what) {
    if (c->status) return;
    struct text t = {0};
    sw_location at = {.file = c->options->name};
    const uint32_t location = i && i->location ? i->location : c->f ? c->f->location : 0;
    if (location) {
        const struct ir_location *l = &c->f->locations.items[location - 1];
        if (l->file < c->m->files.count) at.file = c->m->files.items[l->file].name;
        at.line = l->line;
        at.column = l->column;
    }
    if (c->f) text_printf(&t, "function @%s: ", c->f->name);
    if (i) {
        text_puts(&t, "'");
        ir_print_inst(&t, c->f, i);
        text_puts(&t, "': ");
    }
    text_printf(&t, "%s is not supported", what);
    c->status = diag_fail(c->sink, SW_UNSUPPORTED, &at, "%s", t.data ? t.data : what);
    text_free(&t);
}

// ---- Stages ----

static bool is_listed(const char *list, const char *name) {
    const size_t n = strlen(name);
    if (!list) return false;
    if (!strcmp(list, "all")) return true;
    for (const char *s = list; *s; s += strcspn(s, ","), s += *s == ',')
        if (strcspn(s, ",") == n && !memcmp(s, name, n)) return true;
    return false;
}

static void dump(struct compiler *c, const char *stage) {
    struct text t = {0};
    if (!is_listed(c->options->dump, stage) || !c->options->dumped) return;
    ir_print(&t, c->m);
    c->options->dumped(c->options->context, stage, t.data ? t.data : "", t.length);
    text_free(&t);
}

static void check(struct compiler *c, const char *stage) {
    if (!c->status && !ir_verify(c->m, stage, c->sink)) c->status = SW_CHECK;
    if (c->m->failed) compiler_no_memory(c);
}

// Text of strangers is checked always, what passes leave only if asked.
static void begin(struct compiler *c, const char *stage) {
    if (!c->options->own_text) {
        if (c->options->verify) check(c, stage);
        return;
    }
    check(c, stage);
    if (c->status == SW_CHECK) c->status = SW_BAD_INPUT;
    const bool placed = compiler_stage(stage) >= compiler_stage("assign");
    for (const struct ir_function *f = c->m->functions; f && placed && !c->status; f = f->next)
        if (!f->registers && f->values.count)
            c->status =
                diag_fail(c->sink, SW_BAD_INPUT, &(sw_location){.file = c->options->name},
                          "@%s: values have no registers, though the text stands behind 'assign'", f->name);
}

// Every function is for one wave size, which the processor has; objects are those of V4 to V6.
static void check_target(struct compiler *c) {
    const sw_location at = {.file = c->options->name};
    sw_processor_info info = SW_INIT(sw_processor_info);
    sw_processor_get_info(c->m->processor, &info);
    if (strcmp(info.architecture, "amdgcn")) {
        c->status = diag_fail(c->sink, SW_UNSUPPORTED, &at, "%s is no processor of amdgcn", info.name);
        return;
    }
    if (c->m->code_object_version < 4)
        c->status =
            diag_fail(c->sink, SW_UNSUPPORTED, &at, "code objects of version %u are not made; 4 to 6 are",
                      c->m->code_object_version);
    for (struct ir_function *f = c->m->functions; f && !c->status; f = f->next) {
        c->f = f;
        if ((f->facts.wave != 32 && f->facts.wave != 64) || !(info.wave_sizes & f->facts.wave))
            c->status = diag_fail(c->sink, SW_BAD_INPUT, &at, "@%s: %s has no waves of %u lanes", f->name,
                                  info.name, f->facts.wave);
        else if (f->facts.wave != c->m->functions->facts.wave)
            compiler_refuse(c, NULL, "a function of another wave size than those before");
    }
    c->f = NULL;
}

static double now(void) { return 1e-9 * (double)monotonic_ns(); }

static void measure(const struct compiler *c) {
    for (const struct ir_function *f = c->m->functions; f && c->options->measured; f = f->next) {
        sw_compile_figures figures = SW_INIT(sw_compile_figures);
        figures.function = f->name;
        figures.instructions = f->facts.instructions;
        figures.sgprs = f->facts.sgprs;
        figures.vgprs = f->facts.vgprs;
        figures.spilled = f->facts.spilled;
        figures.stack = f->facts.stack;
        figures.lds = f->facts.lds;
        figures.waves = processor_occupancy(c->processor, f->facts.wave, compiler_all_vgprs(c, &f->facts),
                                            f->facts.sgprs);
        c->options->measured(c->options->context, &figures);
    }
}

// A function that cannot be compiled was reported; the others go on, so that all of them are.
static void leave_out(struct compiler *c) {
    if (c->status != SW_UNSUPPORTED || c->m->failed) return;
    ir_function_take_out(c->f); // those that call it may still ask what it needs
    c->f->next = c->left_out;
    c->left_out = c->f;
    c->status = SW_OK;
    c->m->refused = true;
}

static void run_stage(struct compiler *c, const struct stage *stage) {
    const bool emits = stage->pass == compiler_emit;
    const double start = c->options->timed ? now() : 0;
    if (emits) compiler_begin_text(c);
    if (stage->module) stage->module(c);
    if (stage->pass) compiler_each(c, stage->pass, leave_out);
    if (emits && !c->status) compiler_end_text(c);
    c->m->stage = stage->name;
    if (c->options->timed) c->options->timed(c->options->context, stage->name, now() - start);
    if (emits && !c->status) measure(c);
    if (!c->status && c->options->verify) check(c, stage->name);
    if (!c->status) dump(c, stage->name);
}

sw_status compiler_run(struct ir_module *m, const struct compiler_options *options, const sw_sink *sink,
                       struct text *assembly, bool *whole) {
    struct compiler c = {
        .m = m, .options = options, .sink = sink, .processor = m->processor, .assembly = assembly};
    const size_t last = options->until ? compiler_stage(options->until) : STAGES;
    size_t at = m->stage ? compiler_stage(m->stage) + 1 : 1;
    if (options->from) at = compiler_stage(options->from);
    if (at > STAGES) at = 1;
    if (!at) at = 1;
    begin(&c, stages[at - 1].name);
    if (!c.status && !options->from) dump(&c, stages[at - 1].name);
    if (!c.status && at <= last && at < STAGES && !m->processor)
        c.status = diag_fail(sink, SW_USAGE, &(sw_location){.file = options->name},
                             "no function has a \"target-cpu\"; --target is needed");
    if (!c.status && at <= last && at < STAGES) check_target(&c);
    if (!c.status && m->processor) c.isa = isa_of(m->processor);
    for (; !c.status && at <= last && at < STAGES; at++) run_stage(&c, &stages[at]);
    for (struct ir_function *f = c.left_out, *next; f; f = next) {
        next = f->next;
        ir_function_free(f);
    }
    if (c.calls) callgraph_free(c.calls);
    free(c.calls);
    *whole = last + 1 >= STAGES;
    return !c.status && m->refused ? SW_UNSUPPORTED : c.status;
}

sw_os compiler_system(const struct ir_module *m) {
    sw_triple triple = SW_INIT(sw_triple);
    bool shaders = false;
    for (const struct ir_function *f = m->functions; f; f = f->next) {
        if (f->is_kernel) return SW_OS_AMDHSA;
        shaders |= f->facts.convention != IR_OWN;
    }
    const char *name = m->triple ? m->triple : "";
    return shaders && sw_triple_parse(name, strlen(name), &triple, NULL) == SW_OK ? triple.os : SW_OS_AMDHSA;
}

const char *compiler_features(const struct ir_module *m) {
    sw_processor_info info = SW_INIT(sw_processor_info);
    if (!m->processor || !m->functions) return NULL;
    sw_processor_get_info(m->processor, &info);
    if (info.wave_sizes != (32 | 64)) return NULL;
    return m->functions->facts.wave == 64 ? "+wavefrontsize64" : "+wavefrontsize32";
}
