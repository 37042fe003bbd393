// SPDX-License-Identifier: MIT
// The interface of the compiler: joins the reader, the passes, the assembler and the linker. LLVM is loaded
// with the first LLVM IR.
#include "base/sized.h"
#include "compiler/compiler.h"
#include "reader/reader.h"
#include "softwave/asm.h"
#include "softwave/compiler.h"
#include "softwave/link.h"

struct sw_compiler {
    char *llvm; // a path, or NULL
};

sw_status sw_compiler_open(const char *llvm, sw_compiler **out, const sw_sink *sink) {
    (void)sink;
    *out = calloc(1, sizeof **out);
    if (*out && llvm) (*out)->llvm = strdup(llvm);
    if (*out && (!llvm || (*out)->llvm)) return SW_OK;
    free(*out);
    *out = NULL;
    return SW_NO_MEMORY;
}

void sw_compiler_close(sw_compiler *compiler) {
    if (!compiler) return;
    free(compiler->llvm);
    free(compiler);
}

size_t sw_compile_stage_count(void) { return compiler_stage_count(); }
const char *sw_compile_stage_name(size_t index) { return compiler_stage_name(index); }

// ---- Intake ----

// A text or bitcode, or LLVM's module.
struct source {
    const char *name;
    const void *bytes;
    size_t length;
    void *module;
};

#if HAVE_FUSED
extern const uint8_t fused_stub[], fused_stub_end[]; // of the LLVM tier, so that both share one library
#endif

static const struct llvm *load(const sw_compiler *c, char why[LLVM_WHY]) {
#if HAVE_FUSED
    const struct llvm_stub stub = {fused_stub, fused_stub_end, HAVE_FUSED};
    return llvm_load_to_read(c->llvm, &stub, why);
#else
    return llvm_load_to_read(c->llvm, NULL, why);
#endif
}

// True if the text is our own: its first word is "module", and the next one not that of LLVM's assembly.
static bool is_own_text(const char *text, size_t length) {
    size_t i = 0;
    while (i < length &&
           (text[i] == ' ' || text[i] == '\n' || text[i] == '\t' || text[i] == '\r' || text[i] == ';'))
        if (text[i++] == ';')
            while (i < length && text[i] != '\n') i++;
    return length - i > 7 && !memcmp(text + i, "module", 6) && (text[i + 6] == ' ' || text[i + 6] == '\n') &&
           !(length - i > 11 && !memcmp(text + i + 6, " asm ", 5));
}

static sw_status read_llvm(const sw_compiler *c, const struct source *from, const sw_compile_options *o,
                           const sw_sink *sink, struct ir_module **m) {
    char why[LLVM_WHY];
    const struct llvm *l = load(c, why);
    if (!l) return diag_fail(sink, SW_UNSUPPORTED, NULL, "%s", why);
    if (l->major > LLVM_READS_FROM)
        diag_warn(sink, NULL, "LLVM %u reads this; Softwave is tested with LLVM %u", l->major,
                  LLVM_READS_FROM);
    const char *file = llvm_file(l);
    if (o->verbose) diag_note(sink, NULL, "LLVM %u: %s", l->major, file ? file : "of this process");
    const struct reader_options r = {.target = o->target,
                                     .level = o->level,
                                     .triple = o->triple,
                                     .features = o->features,
                                     .passes = o->llvm_passes,
                                     .code_object_version = o->code_object_version,
                                     .kernels = o->kernels,
                                     .kernel_count = o->kernel_count,
                                     .only_reached = o->output == SW_COMPILE_LOADABLE && !o->until};
    return from->module ? reader_read_module(l, from->name, from->module, &r, sink, m)
                        : reader_read(l, from->name, from->bytes, from->length, &r, sink, m);
}

// ---- Output ----

static uint8_t *take_text(struct text *t, size_t *size) {
    uint8_t *out = (uint8_t *)t->data;
    *size = t->length;
    *t = (struct text){0};
    return out ? out : calloc(1, 1);
}

static sw_status assemble(const struct ir_module *m, const char *name, const struct text *text, uint8_t **out,
                          size_t *size, const sw_sink *sink) {
    const sw_asm_options a = {.size = sizeof a,
                              .target = m->target,
                              .os = compiler_system(m),
                              .code_object_version = m->code_object_version,
                              .features = compiler_features(m),
                              .name = name,
                              .no_files = true};
    const sw_status status = sw_assemble(text->data ? text->data : "", text->length, &a, out, size, sink);
    return status == SW_BAD_INPUT ? SW_CHECK : status; // the text is the passes'
}

static sw_status link_object(const char *name, uint8_t **object, size_t *size, const sw_sink *sink) {
    const sw_link_input input = {.size = sizeof input, .name = name, .bytes = *object, .length = *size};
    const sw_link_options options = SW_INIT(sw_link_options);
    uint8_t *linked = NULL;
    size_t length = 0;
    const sw_status status = sw_link(&input, 1, &options, &linked, &length, sink);
    sw_free(*object);
    // What the linker and the assembler give is freed each in its own way; here all of it becomes malloc's.
    *object = NULL;
    if (status == SW_OK && (*object = malloc(length ? length : 1))) memcpy(*object, linked, length);
    *size = length;
    sw_free(linked);
    return status != SW_OK || *object ? status : SW_NO_MEMORY;
}

static sw_status make_output(struct ir_module *m, const char *name, const sw_compile_options *o, bool whole,
                             struct text *assembly, uint8_t **out, size_t *size, const sw_sink *sink) {
    if (!whole || o->output == SW_COMPILE_IR) {
        struct text t = {0};
        ir_print(&t, m);
        if (t.failed) {
            text_free(&t);
            return SW_NO_MEMORY;
        }
        *out = take_text(&t, size);
        return *out ? SW_OK : SW_NO_MEMORY;
    }
    if (o->output == SW_COMPILE_TEXT) {
        *out = take_text(assembly, size);
        return *out ? SW_OK : SW_NO_MEMORY;
    }
    uint8_t *object = NULL;
    sw_status status = assemble(m, name, assembly, &object, size, sink);
    if (status == SW_OK && o->output == SW_COMPILE_LOADABLE) {
        status = link_object(name, &object, size, sink);
        *out = object;
        return status;
    }
    if (status == SW_OK && !(*out = malloc(*size ? *size : 1))) status = SW_NO_MEMORY;
    if (status == SW_OK) memcpy(*out, object, *size);
    sw_free(object);
    return status;
}

// ---- The whole way ----

static sw_status check_stage(const char *stage, const char *option, const sw_sink *sink) {
    if (!stage || compiler_stage(stage) < compiler_stage_count()) return SW_OK;
    return diag_fail(sink, SW_USAGE, NULL, "%s: no stage '%s'", option, stage);
}

// What passes know of; what a target id says stands in the target.
static sw_status check_features(const char *features, const sw_sink *sink) {
    static const char *const names[] = {"wavefrontsize32", "wavefrontsize64", "cumode", "tgsplit"};
    for (const char *f = features ? features : ""; *f;) {
        const size_t length = strcspn(f, ",");
        bool known = !length;
        for (size_t i = 0; i < sizeof names / sizeof *names && (*f == '+' || *f == '-'); i++)
            known |= length == strlen(names[i]) + 1 && !memcmp(f + 1, names[i], length - 1);
        if (!known)
            return diag_fail(sink, SW_UNSUPPORTED, NULL,
                             "feature '%.*s': the compiler takes wavefrontsize32, wavefrontsize64, cumode "
                             "and tgsplit; xnack and "
                             "sramecc are written behind the target (gfx90a:xnack+)",
                             (int)length, f);
        f += length + (f[length] == ',');
    }
    return SW_OK;
}

static void tell(const struct ir_module *m, const sw_sink *sink) {
    char id[SW_TARGET_TEXT];
    size_t count = 0;
    for (const struct ir_function *f = m->functions; f; f = f->next) count++;
    if (m->processor) sw_target_format(&m->target, id);
    diag_note(sink, NULL, "target %s, waves of %u lanes, code object V%u, %zu function%s",
              m->processor ? id : "not said", m->functions ? m->functions->facts.wave : 0,
              m->code_object_version, count, count == 1 ? "" : "s");
}

static sw_status compile(sw_compiler *compiler, const struct source *from, const sw_compile_options *options,
                         uint8_t **out, size_t *out_size, const sw_sink *sink) {
    sw_compile_options o;
    *out = NULL;
    *out_size = 0;
    sw_status status = sized_take(SIZED(sw_compile_options, verify), &o, options, sink);
    if (status == SW_OK) status = check_stage(o.from, "from", sink);
    if (status == SW_OK) status = check_stage(o.until, "until", sink);
    if (status == SW_OK) status = check_features(o.features, sink);
    if (status != SW_OK) return status;
    struct ir_module *m = NULL;
    const bool own = !from->module && is_own_text(from->bytes, from->length);
    if (own)
        m = ir_parse(from->name, from->bytes, from->length, sink, &status);
    else
        status = read_llvm(compiler, from, &o, sink, &m);
    if (status != SW_OK) return status;
    if (own && o.target) {
        m->target = *o.target;
        m->processor = o.target->processor;
    }
    if (o.verbose) tell(m, sink);
    const struct compiler_options c = {.level = o.level,
                                       .threads = o.threads,
                                       .from = o.from,
                                       .until = o.until,
                                       .dump = o.dump,
                                       .dumped = o.dumped,
                                       .timed = o.timed,
                                       .measured = o.measured,
                                       .context = o.context,
                                       .verify = o.verify,
                                       .own_text = own,
                                       .name = from->name};
    struct text assembly = {0};
    bool whole = false;
    status = compiler_run(m, &c, sink, &assembly, &whole);
    if (status == SW_OK) status = make_output(m, from->name, &o, whole, &assembly, out, out_size, sink);
    text_free(&assembly);
    ir_module_free(m);
    return status;
}

sw_status sw_compile(sw_compiler *compiler, const char *name, const void *bytes, size_t length,
                     const sw_compile_options *options, uint8_t **out, size_t *out_size,
                     const sw_sink *sink) {
    return compile(compiler, &(struct source){name, bytes, length, NULL}, options, out, out_size, sink);
}

sw_status sw_compile_llvm_module(sw_compiler *compiler, void *module, const sw_compile_options *options,
                                 uint8_t **out, size_t *out_size, const sw_sink *sink) {
    return compile(compiler, &(struct source){"module", NULL, 0, module}, options, out, out_size, sink);
}
