// SPDX-License-Identifier: MIT
// A whole module: LLVM parses and verifies it, then symbols, then each function's body are read. Whatever
// LLVM says against a module is reported with its line and column.
#include "reader/reader.h"

#include <stdio.h>

// ---- Errors ----

void reader_no_memory(struct reader *r) {
    if (!r->status) r->status = SW_NO_MEMORY;
}

void reader_refuse(struct reader *r, const char *what) {
    if (r->status) return;
    const struct llvm *l = r->l;
    struct text t = {0};
    size_t length;
    sw_location at = {.file = r->name};
    if (r->function) {
        const char *name = l->GetValueName2(r->function, &length);
        text_printf(&t, "function @%.*s: ", (int)length, name);
    }
    char *inst = r->inst ? l->PrintValueToString(r->inst) : NULL;
    if (inst) {
        const char *s = inst + strspn(inst, " ");
        const size_t n = strcspn(s, "\n");
        text_puts(&t, "'");
        text_name(&t, s, n > 120 ? 120 : n);
        text_puts(&t, "': ");
        l->DisposeMessage(inst);
    }
    text_printf(&t, "%s is not supported", what);
    const uint32_t location = !r->f ? 0 : r->location ? r->location : r->f->location;
    if (location) {
        const struct ir_location *where = &r->f->locations.items[location - 1];
        if (where->file < r->m->files.count) at.file = r->m->files.items[where->file].name;
        at.line = where->line;
        at.column = where->column;
    }
    r->status = diag_fail(r->sink, SW_UNSUPPORTED, &at, "%s", t.data ? t.data : what);
    text_free(&t);
}

// LLVM's own message: "NAME:LINE:COLUMN: error: TEXT", then the line and a caret.
static sw_status report_parse(const char *name, const char *message, const sw_sink *sink) {
    sw_location at = {.file = name};
    const size_t n = strlen(name);
    const char *text = message ? message : "LLVM cannot read it";
    if (!strncmp(text, name, n) && text[n] == ':') {
        unsigned line, column;
        int used = 0;
        if (sscanf(text + n, ":%u:%u: %n", &line, &column, &used) == 2) {
            at.line = line;
            at.column = column;
            text += n + (size_t)used;
        } else
            text += n + 1 + strspn(text + n + 1, " ");
    }
    if (!strncmp(text, "error: ", 7)) text += 7;
    const size_t length = strcspn(text, "\n");
    if (text[length] && at.line) {
        at.line_text = text + length + 1;
        at.line_length = strcspn(at.line_text, "\n");
    }
    return diag_fail(sink, SW_BAD_INPUT, &at, "%.*s", (int)length, text);
}

// ---- Symbols ----

enum { // LLVMLinkage
    AVAILABLE_EXTERNALLY = 1,
    LINK_ONCE_ANY = 2,
    LINK_ONCE = 3,
    WEAK_ANY = 5,
    WEAK = 6,
    INTERNAL = 8,
    PRIVATE = 9,
    EXTERNAL_WEAK = 12,
    COMMON = 14
};

void reader_linkage(struct reader *r, llvm_ref global, uint8_t *visibility, bool *weak) {
    const int linkage = r->l->GetLinkage(global), seen = r->l->GetVisibility(global);
    *visibility = seen == IR_HIDDEN || seen == IR_PROTECTED ? (uint8_t)seen : IR_SEEN;
    *weak = (linkage >= LINK_ONCE_ANY && linkage <= WEAK) || linkage == EXTERNAL_WEAK || linkage == COMMON;
}

// What a function does not need of what those that call it could give, by attributes. Nobody passes the
// kernarg segment: its bit is that of the number by which functions find variables of LDS.
static uint32_t without(struct reader *r, llvm_ref function) {
    static const struct {
        char name[28];
        unsigned input;
    } rows[] = {
        {"amdgpu-no-dispatch-ptr", INPUT_DISPATCH_POINTER}, {"amdgpu-no-queue-ptr", INPUT_QUEUE_POINTER},
        {"amdgpu-no-lds-kernel-id", INPUT_KERNARG},         {"amdgpu-no-dispatch-id", INPUT_DISPATCH_ID},
        {"amdgpu-no-workgroup-id-x", INPUT_GROUP_X},        {"amdgpu-no-workgroup-id-y", INPUT_GROUP_Y},
        {"amdgpu-no-workgroup-id-z", INPUT_GROUP_Z},        {"amdgpu-no-workitem-id-x", INPUT_ITEM_X},
        {"amdgpu-no-workitem-id-y", INPUT_ITEM_Y},          {"amdgpu-no-workitem-id-z", INPUT_ITEM_Z},
        {"amdgpu-no-implicitarg-ptr", INPUT_HIDDEN}};
    char text[8];
    uint32_t bits = 0;
    for (size_t n = 0; n < sizeof rows / sizeof *rows; n++)
        if (reader_string_attribute(r, function, rows[n].name, text, sizeof text))
            bits |= 1u << rows[n].input;
    return bits;
}

static void set_symbol(struct reader *r, llvm_ref global, enum ir_symbol_kind kind) {
    const struct llvm *l = r->l;
    size_t length;
    const char *name = l->GetValueName2(global, &length);
    const char *copy = arena_copy(&r->m->arena, name, length);
    const uint32_t n = ir_symbol_add(r->m, copy, kind);
    if (!copy || r->m->failed) {
        reader_no_memory(r);
        return;
    }
    const int linkage = l->GetLinkage(global);
    struct ir_symbol s = r->m->symbols.items[n];
    s.defined = !l->IsDeclaration(global) && linkage != AVAILABLE_EXTERNALLY;
    s.local = linkage == INTERNAL || linkage == PRIVATE;
    reader_linkage(r, global, &s.visibility, &s.weak);
    s.replaceable = s.defined && (linkage == LINK_ONCE_ANY || linkage == WEAK_ANY || linkage == COMMON);
    if (length > 5 && !memcmp(name, "llvm.", 5)) s.defined = false; // lists for LLVM alone
    enum ir_convention convention = IR_OWN;
    if (kind == IR_FUNCTION_SYMBOL && reader_convention(l->GetFunctionCallConv(global), &convention))
        s.without = convention == IR_OWN ? without(r, global) : (1u << INPUTS) - 1;
    if (kind == IR_VARIABLE_SYMBOL) {
        const llvm_ref type = l->GlobalGetValueType(global);
        const uint64_t align = l->GetAlignment(global);
        const unsigned space = l->GetPointerAddressSpace(l->TypeOf(global));
        s.space = space < IR_SPACES ? (uint8_t)space : IR_GLOBAL; // unknown ones lie there, as with LLVM
        s.size = reader_size(r, type);
        s.align = align ? align : reader_align(r, type);
        s.constant = l->IsGlobalConstant(global);
        s.barrier = s.space == IR_LOCAL && reader_is_barrier(r, type);
    }
    r->m->symbols.items[n] = s;
}

// ---- The module ----

static void read_scopes(struct reader *r) {
    static const char *const one_as[IR_SCOPES] = {"one-as",           "singlethread-one-as",
                                                  "wavefront-one-as", "workgroup-one-as",
                                                  "cluster-one-as",   "agent-one-as"};
    for (unsigned i = 0; i < IR_SCOPES; i++) {
        const char *name = i == IR_SYSTEM ? "" : ir_scope_names[i];
        r->scopes[i] = r->l->GetSyncScopeID(r->context, name, strlen(name));
        r->scopes[IR_SCOPES + i] = r->l->GetSyncScopeID(r->context, one_as[i], strlen(one_as[i]));
    }
    static const char *const kinds[] = {"invariant.load",
                                        "nontemporal",
                                        "amdgpu.last.use",
                                        "amdgpu.noclobber",
                                        "amdgpu.no.remote.memory",
                                        "amdgpu.no.fine.grained.memory",
                                        "amdgpu.ignore.denormal.mode",
                                        "mmra",
                                        "fpmath",
                                        "noalias.addrspace"};
    for (unsigned i = 0; i < sizeof kinds / sizeof *kinds; i++)
        r->kinds[i] = r->l->GetMDKindIDInContext(r->context, kinds[i], (unsigned)strlen(kinds[i]));
}

static void read_flags(struct reader *r) {
    const struct llvm *l = r->l;
    size_t count = 0;
    const llvm_ref flags = l->CopyModuleFlagsMetadata(r->module, &count);
    static const char key[] = "amdhsa_code_object_version", old[] = "amdgpu_code_object_version";
    for (size_t i = 0; flags && i < count; i++) {
        size_t length;
        const char *name = l->ModuleFlagEntriesGetKey(flags, (unsigned)i, &length);
        if (!(length == sizeof key - 1 && !memcmp(name, key, length)) &&
            !(length == sizeof old - 1 && !memcmp(name, old, length)))
            continue;
        const llvm_ref value =
            l->MetadataAsValue(r->context, l->ModuleFlagEntriesGetMetadata(flags, (unsigned)i));
        llvm_ref number = value;
        if (l->IsAConstantInt(number))
            r->m->code_object_version = (unsigned)l->ConstIntGetZExtValue(number) / 100;
        else {
            char *text = l->PrintValueToString(value); // "i32 500"
            unsigned n;
            if (text && sscanf(text, "i32 %u", &n) == 1) r->m->code_object_version = n / 100;
            l->DisposeMessage(text);
        }
    }
    if (flags) l->DisposeModuleFlagsMetadata(flags);
    if (r->options->code_object_version) r->m->code_object_version = r->options->code_object_version;
}

static void read_formats(struct reader *r) {
    char text[4096];
    llvm_ref node;
    for (unsigned n = 0; (node = reader_named_node(r, "llvm.printf.fmts", n)); n++) {
        if (!reader_node_text(r, node, 0, text, sizeof text)) continue;
        const char *copy = arena_copy(&r->m->arena, text, strlen(text));
        if (!copy || !array_push(&r->m->formats, copy)) reader_no_memory(r);
    }
}

static void read_target(struct reader *r) {
    const char *own = r->l->GetTarget(r->module);
    const char *triple = r->options->triple ? r->options->triple : own && *own ? own : "amdgcn-amd-amdhsa";
    sw_triple parsed = SW_INIT(sw_triple);
    r->m->triple = arena_copy(&r->m->arena, triple, strlen(triple));
    if (!r->m->triple)
        reader_no_memory(r);
    else if (sw_triple_parse(triple, strlen(triple), &parsed, NULL) ||
             strncmp(parsed.architecture, "amdgcn", 6)) {
        char what[128];
        snprintf(what, sizeof what, "the target triple %.80s", triple);
        reader_refuse(r, what);
    }
    if (r->options->target) {
        r->m->target = *r->options->target;
        r->m->processor = r->m->target.processor;
    }
    r->data_layout_i128 =
        r->l->GetDataLayoutStr(r->module) && strstr(r->l->GetDataLayoutStr(r->module), "i128:128") ? 16 : 8;
}

static bool is_kernel(struct reader *r, llvm_ref function) {
    enum { SPIR_KERNEL = 76, AMDGPU_KERNEL = 91 };
    const unsigned convention = r->l->GetFunctionCallConv(function);
    return convention == AMDGPU_KERNEL || convention == SPIR_KERNEL;
}

enum { WHOLE_WAVE = 124 };

bool reader_convention(unsigned number, enum ir_convention *out) {
    static const struct {
        uint8_t number, convention;
    } rows[] = {{0, IR_OWN},           {8, IR_OWN},     {9, IR_OWN},          {75, IR_OWN},
                {76, IR_OWN},          {91, IR_OWN},    {87, IR_SHADER},      {88, IR_SHADER},
                {90, IR_SHADER},       {93, IR_SHADER}, {95, IR_SHADER},      {96, IR_SHADER},
                {89, IR_PIXEL_SHADER}, {100, IR_GFX},   {WHOLE_WAVE, IR_GFX}, {104, IR_CHAIN},
                {105, IR_CHAIN_KEEP}};
    for (size_t n = 0; n < sizeof rows / sizeof *rows; n++) {
        if (rows[n].number != number) continue;
        *out = (enum ir_convention)rows[n].convention;
        return true;
    }
    return false;
}

static bool is_wanted(struct reader *r, llvm_ref function) {
    size_t length;
    const char *name = r->l->GetValueName2(function, &length);
    for (size_t i = 0; i < r->options->kernel_count; i++)
        if (strlen(r->options->kernels[i]) == length && !memcmp(r->options->kernels[i], name, length))
            return true;
    return !r->options->kernel_count;
}

static enum ir_convention convention_of(struct reader *r, llvm_ref function) {
    const unsigned number = r->l->GetFunctionCallConv(function);
    enum ir_convention convention = IR_OWN;
    char what[64];
    if (reader_convention(number, &convention)) return convention;
    snprintf(what, sizeof what, "calling convention %u", number);
    reader_refuse(r, what);
    return IR_OWN;
}

static void read_function(struct reader *r, llvm_ref function) {
    enum { GEOMETRY = 88, COMPUTE = 90, HULL = 93 }; // LLVM's numbers of conventions
    const struct llvm *l = r->l;
    size_t length;
    const char *name = l->GetValueName2(function, &length);
    const char *copy = arena_copy(&r->m->arena, name, length);
    r->function = function;
    r->inst = NULL;
    r->location = 0;
    r->parameters.count = 0;
    r->variadic = IR_NOTHING;
    if (!copy || !(r->f = ir_function_add(r->m, copy, is_kernel(r, function)))) {
        reader_no_memory(r);
        return;
    }
    reader_begins(r, function);
    const enum ir_convention convention = convention_of(r, function);
    if (is_kernel(r, function) && reader_is_variadic(r, l->GlobalGetValueType(function)))
        reader_refuse(r, "a variable number of arguments");
    r->f->facts.convention = convention;
    const unsigned number = l->GetFunctionCallConv(function);
    r->f->facts.stage = number == COMPUTE                      ? IR_STAGE_COMPUTE
                        : number == GEOMETRY || number == HULL ? IR_STAGE_MERGED
                                                               : IR_STAGE_OTHER;
    if (number == WHOLE_WAVE) r->f->facts.whole = 2;
    if (!r->status) reader_attributes(r, function);
    if (!r->status) reader_arguments(r, function);
    if (!r->status) reader_body(r, function);
    r->f = NULL;
    r->function = NULL;
}

// True if other objects cannot name it, or take it from elsewhere.
static bool is_local(struct reader *r, llvm_ref global) {
    const int linkage = r->l->GetLinkage(global);
    return linkage == INTERNAL || linkage == PRIVATE || linkage == AVAILABLE_EXTERNALLY;
}

// True of kernels and of shaders that waves begin or go on with.
static bool is_entry(struct reader *r, llvm_ref function) {
    enum ir_convention convention = IR_OWN;
    return is_kernel(r, function) ||
           (reader_convention(r->l->GetFunctionCallConv(function), &convention) && convention >= IR_SHADER);
}

// What is asked for by name; else all kernels and functions that other objects may call; and what these need.
// Returns the number of kernels, or of those asked for.
static size_t find_functions(struct reader *r) {
    const struct llvm *l = r->l;
    const bool exports = !r->options->only_reached && !r->options->kernel_count;
    size_t kernels = 0;
    for (llvm_ref f = l->GetFirstFunction(r->module); f && !r->status; f = l->GetNextFunction(f)) {
        const bool kernel = is_entry(r, f), named = r->options->kernel_count != 0;
        if (l->IsDeclaration(f) || (kernel || named ? !is_wanted(r, f) : !exports || is_local(r, f)))
            continue;
        kernels += kernel || named;
        reader_reach(r, f);
    }
    // Variables that other objects may name are there in any case.
    for (llvm_ref g = l->GetFirstGlobal(r->module); g && !r->status; g = l->GetNextGlobal(g)) {
        size_t length;
        const char *name = l->GetValueName2(g, &length);
        if (l->IsDeclaration(g) || is_local(r, g) || (length > 5 && !memcmp(name, "llvm.", 5))) continue;
        reader_reach(r, g);
    }
    for (llvm_ref a = l->GetFirstGlobalAlias(r->module); a && exports && !r->status;
         a = l->GetNextGlobalAlias(a))
        if (!is_local(r, a)) reader_reach(r, a);
    reader_forget(r);
    return kernels;
}

static int by_address(const void *a, const void *b) {
    const uintptr_t x = (uintptr_t) * (const llvm_ref *)a, y = (uintptr_t) * (const llvm_ref *)b;
    return (x > y) - (x < y);
}
static bool is_reached(const struct reader *r, llvm_ref function) { // they are sorted
    return r->reached.count &&
           bsearch(&function, r->reached.items, r->reached.count, sizeof function, by_address);
}

// A function that cannot be expressed was reported; the others are read all the same, so that whatever is
// refused is said at once.
static void leave_out(struct reader *r, struct ir_function **at) {
    if (r->status != SW_UNSUPPORTED || r->m->failed) return;
    if (*at) ir_function_free(*at);
    reader_forget(r);
    r->status = SW_OK;
    r->m->refused = true;
}

// Functions that others could name if this became an object for a linker.
struct left_out {
    size_t count;
    const char *name; // of the first
    int length;
};

static void tell_left_out(struct reader *r, const struct left_out *left) {
    const sw_location place = {.file = r->name};
    if (left->count == 1)
        diag_note(r->sink, &place, "function @%.*s is left out: no kernel calls it", left->length,
                  left->name);
    else if (left->count)
        diag_note(r->sink, &place, "function @%.*s and %zu more are left out: no kernel calls them",
                  left->length, left->name, left->count - 1);
}

static void read_functions(struct reader *r) {
    const struct llvm *l = r->l;
    const size_t found = find_functions(r);
    if (r->reached.count) qsort(r->reached.items, r->reached.count, sizeof *r->reached.items, by_address);
    struct left_out left = {0};
    for (llvm_ref f = l->GetFirstFunction(r->module); f && !r->status; f = l->GetNextFunction(f)) {
        size_t length;
        const char *name = l->GetValueName2(f, &length);
        if (l->IsDeclaration(f) || r->options->names_only) continue;
        struct ir_function **at = r->m->last;
        if (is_reached(r, f))
            read_function(r, f), leave_out(r, at);
        else if (r->options->only_reached && !r->options->kernel_count && !is_entry(r, f) &&
                 !is_local(r, f) && !left.count++)
            left.name = name, left.length = (int)length;
    }
    tell_left_out(r, &left);
    if (!r->status && r->options->kernel_count > found)
        r->status = diag_fail(r->sink, SW_USAGE, &(sw_location){.file = r->name},
                              "there is no kernel of one of these names");
}

static void read_symbols(struct reader *r) {
    const struct llvm *l = r->l;
    size_t length;
    for (llvm_ref g = l->GetFirstGlobal(r->module); g && !r->status; g = l->GetNextGlobal(g))
        set_symbol(r, g, IR_VARIABLE_SYMBOL);
    for (llvm_ref f = l->GetFirstFunction(r->module); f && !r->status; f = l->GetNextFunction(f)) {
        const char *name = l->GetValueName2(f, &length);
        if (length < 5 || memcmp(name, "llvm.", 5)) set_symbol(r, f, IR_FUNCTION_SYMBOL);
    }
    // Initial values name other symbols: when all of them are known.
    uint32_t n = 0;
    for (llvm_ref g = l->GetFirstGlobal(r->module); g && !r->status; g = l->GetNextGlobal(g), n++) {
        r->variable = n;
        if (!r->m->symbols.items[n].defined) continue;
        const uint8_t *bytes = reader_initialiser(r, l->GetInitializer(g), r->m->symbols.items[n].size);
        r->m->symbols.items[n].bytes = bytes;
    }
    if (!r->status) reader_aliases(r);
    if (!r->status && l->GetFirstGlobalIFunc(r->module)) reader_refuse(r, "an ifunc");
    const char *assembly = l->GetModuleInlineAsm(r->module, &length);
    if (length && !(r->m->assembly = arena_copy(&r->m->arena, assembly, length))) reader_no_memory(r);
}

static void read_all(struct reader *r) {
    if (!(r->m = ir_module_create())) {
        reader_no_memory(r);
        return;
    }
    read_target(r);
    read_scopes(r);
    if (!r->status) read_flags(r);
    if (!r->status) read_formats(r);
    if (!r->status) read_symbols(r);
    if (!r->status) read_functions(r);
    r->m->stage = "read";
    if (r->m->failed) reader_no_memory(r);
}

// ---- With LLVM ----

struct work {
    struct reader r;
    struct llvm_messages messages;
    const void *bytes;
    size_t length;
    char *text; // a copy that ends with NUL, which LLVM's parser needs
};

static void parse(struct work *w) {
    const struct llvm *l = w->r.l;
    char *message = NULL;
    w->r.context = llvm_context_with(&w->messages);
    const llvm_ref buffer = l->CreateMemoryBufferWithMemoryRange(w->text, w->length, w->r.name, true);
    if (l->ParseIRInContext(w->r.context, buffer, &w->r.module, &message)) { // takes the buffer
        w->r.module = NULL;
        w->r.status = report_parse(w->r.name, message, w->r.sink);
    } else if (w->messages.errors)
        w->r.status =
            diag_fail(w->r.sink, SW_BAD_INPUT, &(sw_location){.file = w->r.name}, "%s", w->messages.first);
    l->DisposeMessage(message);
}

static void verify(struct work *w) {
    enum { RETURN_STATUS = 2 };
    char *message = NULL;
    if (w->r.l->VerifyModule(w->r.module, RETURN_STATUS, &message))
        w->r.status = diag_fail(w->r.sink, SW_BAD_INPUT, &(sw_location){.file = w->r.name}, "%.*s",
                                message ? (int)strcspn(message, "\n") : 0, message ? message : "");
    w->r.l->DisposeMessage(message);
}

// What has no name gets one, as llc does it.
static void name_all(struct reader *r) {
    const struct llvm *l = r->l;
    unsigned number = 0;
    size_t length;
    char name[32];
    for (llvm_ref g = l->GetFirstGlobal(r->module); g; g = l->GetNextGlobal(g))
        if (l->GetValueName2(g, &length), !length)
            l->SetValueName2(g, name, (size_t)snprintf(name, sizeof name, "__unnamed_%u", ++number));
    for (llvm_ref f = l->GetFirstFunction(r->module); f; f = l->GetNextFunction(f))
        if (l->GetValueName2(f, &length), !length)
            l->SetValueName2(f, name, (size_t)snprintf(name, sizeof name, "__unnamed_%u", ++number));
}

// Modules that have no layout have amdgcn's, as with llc: LLVM's passes take the sizes of pointers from it.
static void set_layout(struct reader *r) {
    static const char own[] =
        "e-m:e-p:64:64-p1:64:64-p2:32:32-p3:32:32-p4:64:64-p5:32:32-p6:32:32-p7:160:256:256:32-p8:128:128:"
        "128:48-"
        "p9:192:256:256:32-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-"
        "v2048:2048-n32:64-S32-A5-G1-ni:7:8:9";
    const char *layout = r->l->GetDataLayoutStr(r->module);
    if (!layout || !*layout) r->l->SetDataLayout(r->module, own);
}

static void read_text(void *context) {
    struct work *w = context;
    parse(w);
    if (!w->r.status) verify(w);
    if (!w->r.status) set_layout(&w->r);
    if (!w->r.status && w->r.options->passes) reader_run(&w->r, w->r.options->passes, SW_USAGE);
    if (!w->r.status) name_all(&w->r);
    if (!w->r.status && w->r.options->level) reader_prepare(&w->r);
    if (!w->r.status) read_all(&w->r);
    if (w->r.module) w->r.l->DisposeModule(w->r.module);
    w->r.l->ContextDispose(w->r.context);
}
// Of another's module a copy is made, as passes change it.
static void read_given(void *context) {
    struct work *w = context;
    w->r.module = w->r.l->CloneModule(w->r.module);
    set_layout(&w->r);
    if (w->r.options->passes) reader_run(&w->r, w->r.options->passes, SW_USAGE);
    name_all(&w->r);
    if (!w->r.status && w->r.options->level) reader_prepare(&w->r);
    if (!w->r.status) read_all(&w->r);
    w->r.l->DisposeModule(w->r.module);
}

static sw_status finish(struct work *w, bool done, const char *why, struct ir_module **out) {
    struct reader *r = &w->r;
    if (!done && !r->status)
        r->status =
            diag_fail(r->sink, SW_BAD_INPUT, &(sw_location){.file = r->name}, "LLVM gave up: %s", why);
    free(w->text);
    free(r->values);
    array_free(&r->parts);
    array_free(&r->parameters);
    array_free(&r->blocks);
    array_free(&r->block_numbers);
    array_free(&r->reached);
    if (r->status) ir_module_free(r->m);
    *out = r->status ? NULL : r->m;
    return r->status;
}

sw_status reader_read(const struct llvm *l, const char *name, const void *bytes, size_t length,
                      const struct reader_options *options, const sw_sink *sink, struct ir_module **out) {
    struct work w = {.r = {.l = l, .name = name, .options = options, .sink = sink},
                     .messages.l = l,
                     .bytes = bytes,
                     .length = length};
    char why[LLVM_WHY];
    *out = NULL;
    if (!(w.text = malloc(length + 1))) return SW_NO_MEMORY;
    memcpy(w.text, bytes, length);
    w.text[length] = 0;
    const bool done = llvm_try_why(read_text, &w, why);
    return finish(&w, done, why, out);
}

sw_status reader_read_module(const struct llvm *l, const char *name, llvm_ref module,
                             const struct reader_options *options, const sw_sink *sink,
                             struct ir_module **out) {
    struct work w = {.r = {.l = l, .name = name, .module = module, .options = options, .sink = sink},
                     .messages.l = l};
    char why[LLVM_WHY];
    *out = NULL;
    w.r.context = l->GetModuleContext(module);
    const bool done = llvm_try_why(read_given, &w, why);
    return finish(&w, done, why, out);
}
