// SPDX-License-Identifier: MIT
// Attributes of functions to facts, and the explicit arguments of kernels with what metadata says of them.
// Unknown attributes are hints and ignored.
#include "reader/reader.h"

#include <stdio.h>

enum { MOST_ATTRIBUTES = 512, FUNCTION = -1, TEXT = 256 };

static unsigned attributes_at(struct reader *r, llvm_ref function, int index, llvm_ref out[MOST_ATTRIBUTES]) {
    const unsigned count = r->l->GetAttributeCountAtIndex(function, (unsigned)index);
    if (count > MOST_ATTRIBUTES) return 0;
    if (count) r->l->GetAttributesAtIndex(function, (unsigned)index, out);
    return count;
}

bool reader_string_attribute(struct reader *r, llvm_ref function, const char *name, char *out, size_t room) {
    llvm_ref all[MOST_ATTRIBUTES];
    const unsigned count = attributes_at(r, function, FUNCTION, all);
    for (unsigned i = 0; i < count; i++) {
        unsigned length = 0;
        if (!r->l->IsStringAttribute(all[i])) continue;
        const char *key = r->l->GetStringAttributeKind(all[i], &length);
        if (strlen(name) != length || memcmp(key, name, length)) continue;
        const char *value = r->l->GetStringAttributeValue(all[i], &length);
        snprintf(out, room, "%.*s", (int)length, value ? value : "");
        return true;
    }
    return false;
}

// The enum or type attribute of a parameter (from 1 on); NULL: it does not have it.
static llvm_ref parameter_attribute(struct reader *r, llvm_ref function, unsigned index, const char *name) {
    llvm_ref all[MOST_ATTRIBUTES];
    const unsigned kind = r->l->GetEnumAttributeKindForName(name, strlen(name));
    const unsigned count = attributes_at(r, function, (int)index, all);
    for (unsigned i = 0; i < count; i++)
        if (!r->l->IsStringAttribute(all[i]) && r->l->GetEnumAttributeKind(all[i]) == kind) return all[i];
    return NULL;
}

static bool has_string(struct reader *r, llvm_ref function, unsigned index, const char *name) {
    llvm_ref all[MOST_ATTRIBUTES];
    const unsigned count = attributes_at(r, function, (int)index, all);
    for (unsigned i = 0; i < count; i++) {
        unsigned length = 0;
        const char *key =
            r->l->IsStringAttribute(all[i]) ? r->l->GetStringAttributeKind(all[i], &length) : "";
        if (strlen(name) == length && !memcmp(key, name, length)) return true;
    }
    return false;
}

// ---- Facts of functions ----

static void pair(struct reader *r, llvm_ref function, const char *name, uint32_t *first, uint32_t *second) {
    char text[TEXT];
    unsigned a, b;
    if (!reader_string_attribute(r, function, name, text, sizeof text)) return;
    const int read = sscanf(text, "%u,%u", &a, &b);
    if (read >= 1) *first = a;
    if (read == 2) *second = b;
}

static uint32_t denormals(const char *text, uint32_t otherwise) {
    return !strncmp(text, "ieee", 4) || !strncmp(text, "dynamic", 7)                    ? 3
           : !strncmp(text, "preserve-sign", 13) || !strncmp(text, "positive-zero", 13) ? 0
                                                                                        : otherwise;
}

// Numbers are decimal, hexadecimal or octal, as LLVM takes them.
static uint32_t number_attribute(struct reader *r, llvm_ref function, const char *name, uint32_t otherwise) {
    char text[TEXT];
    return reader_string_attribute(r, function, name, text, sizeof text) ? (uint32_t)strtoul(text, NULL, 0)
                                                                         : otherwise;
}
static bool flag_attribute(struct reader *r, llvm_ref function, const char *name, bool otherwise) {
    char text[TEXT];
    return reader_string_attribute(r, function, name, text, sizeof text) ? !strcmp(text, "true") : otherwise;
}

// What a list of features says of one: 1 on, 0 off, -1 nothing. The last word counts.
static int feature(const char *features, const char *name) {
    const size_t length = strlen(name);
    int said = -1;
    for (const char *s = features; s && *s; s += strcspn(s, ","), s += *s == ',')
        if ((*s == '+' || *s == '-') && strcspn(s, ",") == length + 1 && !memcmp(s + 1, name, length))
            said = *s == '+';
    return said;
}

// The wave size that features name; 0: none.
static unsigned wave_in(const char *features) {
    return feature(features, "wavefrontsize32") == 1   ? 32
           : feature(features, "wavefrontsize64") == 1 ? 64
                                                       : 0;
}

static void choose_processor(struct reader *r, llvm_ref function) {
    char cpu[TEXT];
    sw_target target = {0};
    if (r->options->target || !reader_string_attribute(r, function, "target-cpu", cpu, sizeof cpu)) return;
    if (sw_target_parse(cpu, strlen(cpu), &target, NULL)) {
        reader_refuse(r, "a \"target-cpu\" of unknown name");
        return;
    }
    if (r->m->processor && r->m->processor != target.processor) {
        reader_refuse(r, "a \"target-cpu\" other than that of the functions before; --target chooses one");
        return;
    }
    r->m->target = target;
    r->m->processor = target.processor;
}

// How work-groups are spread, where features say so.
static void set_modes(struct ir_function *f, const char *features) {
    const int cumode = feature(features, "cumode"), tgsplit = feature(features, "tgsplit");
    if (cumode >= 0) f->facts.cumode = (uint32_t)cumode;
    if (tgsplit >= 0) f->facts.tgsplit = (uint32_t)tgsplit;
}

static void choose_modes(struct reader *r, llvm_ref function) {
    sw_processor_info info = SW_INIT(sw_processor_info);
    char features[16 * TEXT];
    unsigned wave = wave_in(r->options->features);
    if (reader_string_attribute(r, function, "target-features", features, sizeof features)) {
        if (!wave) wave = wave_in(features);
        set_modes(r->f, features);
    }
    set_modes(r->f, r->options->features);
    if (r->m->processor) {
        sw_processor_get_info(r->m->processor, &info);
        if (!wave || !(info.wave_sizes & wave)) wave = info.wave_sizes & 32 ? 32 : 64;
    }
    r->f->facts.wave = wave;
}

// Hidden arguments that nobody asks for, and what metadata says of the kernel besides.
static void describe_kernel(struct reader *r, llvm_ref function) {
    static const char *const without[] = {"amdgpu-no-implicitarg-ptr",    "amdgpu-no-hostcall-ptr",
                                          "amdgpu-no-multigrid-sync-arg", "amdgpu-no-heap-ptr",
                                          "amdgpu-no-default-queue",      "amdgpu-no-completion-action",
                                          "amdgpu-no-queue-ptr"};
    struct ir_facts *facts = &r->f->facts;
    char text[TEXT];
    for (unsigned n = 0; n < sizeof without / sizeof *without; n++)
        if (reader_string_attribute(r, function, without[n], text, sizeof text)) facts->without |= 1u << n;
    if (reader_string_attribute(r, function, "device-init", text, sizeof text)) facts->kind = 1;
    if (reader_string_attribute(r, function, "device-fini", text, sizeof text)) facts->kind = 2;
    if (reader_string_attribute(r, function, "amdgpu-max-num-workgroups", text, sizeof text))
        sscanf(text, "%u,%u,%u", &facts->groups_x, &facts->groups_y, &facts->groups_z);
    const llvm_ref hint = reader_function_node(r, function, "work_group_size_hint");
    uint64_t size[3];
    if (hint && reader_node_number(r, hint, 0, &size[0]) && reader_node_number(r, hint, 1, &size[1]) &&
        reader_node_number(r, hint, 2, &size[2]))
        facts->hint_x = (uint32_t)size[0], facts->hint_y = (uint32_t)size[1],
        facts->hint_z = (uint32_t)size[2];
    llvm_ref version;
    if (r->l->GetNamedMetadataNumOperands(r->module, "opencl.ocl.version") == 0) return;
    version = reader_named_node(r, "opencl.ocl.version", 0);
    if (version && reader_node_number(r, version, 0, &size[0]) && reader_node_number(r, version, 1, &size[1]))
        facts->language_major = (uint32_t)size[0], facts->language_minor = (uint32_t)size[1];
}

void reader_attributes(struct reader *r, llvm_ref function) {
    struct ir_facts *facts = &r->f->facts;
    char text[TEXT];
    if (r->f->is_kernel) describe_kernel(r, function);
    choose_processor(r, function);
    choose_modes(r, function);
    pair(r, function, "amdgpu-flat-work-group-size", &facts->block_min, &facts->block_max);
    pair(r, function, "amdgpu-waves-per-eu", &facts->waves_min, &facts->waves_max);
    facts->no_hazard_waits = !number_attribute(r, function, "amdgpu-sgpr-hazard-wait", 1);
    facts->gds = number_attribute(r, function, "amdgpu-gds-size", 0);
    facts->table_high = number_attribute(r, function, "amdgpu-git-ptr-high", 0xffffffff);
    facts->most_vgprs = number_attribute(r, function, "amdgpu-num-vgpr", 0);
    facts->most_sgprs = number_attribute(r, function, "amdgpu-num-sgpr", 0);
    facts->hidden_bytes = number_attribute(r, function, "amdgpu-implicitarg-num-bytes", 0);
    facts->high32 = number_attribute(r, function, "amdgpu-32bit-address-high-bits", 0);
    if (facts->convention == IR_PIXEL_SHADER)
        facts->exports = (number_attribute(r, function, "amdgpu-color-export", 1) ? 1u : 0u) |
                         (number_attribute(r, function, "amdgpu-depth-export", 0) ? 2u : 0u);
    facts->pixel_inputs = number_attribute(r, function, "InitialPSInputAddr", 0);
    facts->ieee = flag_attribute(r, function, "amdgpu-ieee", facts->convention == IR_OWN);
    facts->dx10_clamp = flag_attribute(r, function, "amdgpu-dx10-clamp", true);
    facts->uniform_groups = flag_attribute(r, function, "uniform-work-group-size", false);
    if (reader_string_attribute(r, function, "denormal-fp-math", text, sizeof text))
        facts->denormal32 = facts->denormal64 = denormals(text, 3);
    if (reader_string_attribute(r, function, "denormal-fp-math-f32", text, sizeof text))
        facts->denormal32 = denormals(text, facts->denormal32);
    const llvm_ref reqd = reader_function_node(r, function, "reqd_work_group_size");
    uint64_t size[3];
    if (reqd && reader_node_number(r, reqd, 0, &size[0]) && reader_node_number(r, reqd, 1, &size[1]) &&
        reader_node_number(r, reqd, 2, &size[2])) {
        facts->reqd_x = (uint32_t)size[0];
        facts->reqd_y = (uint32_t)size[1];
        facts->reqd_z = (uint32_t)size[2];
    }
}

// ---- Arguments ----

static const char *copy(struct reader *r, const char *text) {
    const char *out = arena_copy(&r->m->arena, text, strlen(text));
    if (!out) reader_no_memory(r);
    return out;
}

static const char *node_copy(struct reader *r, llvm_ref function, const char *kind, unsigned n) {
    char text[4 * TEXT];
    const llvm_ref node = reader_function_node(r, function, kind);
    return node && reader_node_text(r, node, n, text, sizeof text) && *text ? copy(r, text) : NULL;
}

static const char *kind_of(struct reader *r, const struct ir_argument *a, bool pointer, const char *base,
                           const char *qualifiers) {
    (void)r;
    if (qualifiers && strstr(qualifiers, "pipe")) return "pipe";
    if (base && !strncmp(base, "image", 5) && strstr(base, "_t")) return "image";
    if (base && !strcmp(base, "sampler_t")) return "sampler";
    if (base && !strcmp(base, "queue_t")) return "queue";
    return !pointer ? "by_value" : a->space == IR_LOCAL ? "dynamic_shared_pointer" : "global_buffer";
}

static void describe(struct reader *r, llvm_ref function, unsigned n, struct ir_argument *a, bool pointer) {
    const char *qualifiers = node_copy(r, function, "kernel_arg_type_qual", n);
    const char *base = node_copy(r, function, "kernel_arg_base_type", n);
    size_t length;
    a->type_name = node_copy(r, function, "kernel_arg_type", n);
    a->name = node_copy(r, function, "kernel_arg_name", n);
    const char *own = r->l->GetValueName2(r->l->GetParam(function, n), &length);
    if (!a->name && length) a->name = arena_copy(&r->m->arena, own, length);
    a->access = node_copy(r, function, "kernel_arg_access_qual", n);
    if (a->access && !strcmp(a->access, "none")) a->access = NULL;
    a->kind = kind_of(r, a, pointer, base, qualifiers);
    a->is_const = qualifiers && strstr(qualifiers, "const");
    a->is_restrict = qualifiers && strstr(qualifiers, "restrict");
    a->is_volatile = qualifiers && strstr(qualifiers, "volatile");
    a->is_pipe = qualifiers && strstr(qualifiers, "pipe");
    if (pointer && parameter_attribute(r, function, n + 1, "noalias"))
        a->actual_access = parameter_attribute(r, function, n + 1, "readonly")    ? "read_only"
                           : parameter_attribute(r, function, n + 1, "writeonly") ? "write_only"
                                                                                  : NULL;
}

// True if the value is whole dwords of the kernarg segment, or an integer within one, as the first passes
// load them.
static bool is_plain(struct reader *r, llvm_ref type) {
    if (reader_is_aggregate(r, type)) return false;
    const struct ir_type t = *ir_type_at(r->m, reader_type(r, type));
    const uint64_t size = reader_size(r, type);
    if (size < 4) return t.kind == IR_INT && t.count == 1;
    return size <= 64 && (uint64_t)t.bits * t.count == size * 8;
}

// Arguments of a function: the members of each.
static void function_arguments(struct reader *r, llvm_ref function) {
    const llvm_ref result = r->l->GetReturnType(r->l->GlobalGetValueType(function));
    r->f->facts.result = reader_result_passed(r, function);
    r->result_place = IR_NOTHING;
    if (reader_is_in_memory(r, result, (enum ir_convention)r->f->facts.convention, r->f->facts.result)) {
        const struct ir_argument a = {.value = ir_value_add(r->f, ir_int(r->m, 32))};
        if (r->m->failed || !array_push(&r->f->arguments, a)) {
            reader_no_memory(r);
            return;
        }
        r->f->values.items[a.value].def = IR_ARGUMENT_DEF;
        r->result_place = ir_make(IR_VALUE, a.value);
    }
    const unsigned count = r->l->CountParams(function);
    // The first one of a whole wave's function is nothing that is passed: reader_begin_whole makes it.
    for (unsigned n = r->f->facts.whole == 2; n < count && !r->status; n++) {
        const llvm_ref parameter = r->l->GetParam(function, n), type = r->l->TypeOf(parameter);
        const unsigned leaves = reader_leaf_count(r, type);
        ARRAY(ir_ref) values = {0};
        for (unsigned k = 0; k < leaves && !r->status; k++) {
            struct ir_argument a = {.passed = reader_parameter_passed(r, function, n)};
            a.value = ir_value_add(r->f, reader_leaf_type(r, type, k));
            if (r->m->failed || !array_push(&r->f->arguments, a) ||
                !array_push(&values, ir_make(IR_VALUE, a.value)))
                reader_no_memory(r);
            else
                r->f->values.items[a.value].def = IR_ARGUMENT_DEF;
        }
        if (!r->status && reader_is_aggregate(r, type))
            reader_set_parts(r, parameter, values.items, leaves);
        else if (!r->status)
            reader_set(r, parameter, values.items[0]);
        array_free(&values);
    }
    if (!r->status && reader_is_variadic(r, r->l->GlobalGetValueType(function))) reader_variadic_parameter(r);
}

void reader_arguments(struct reader *r, llvm_ref function) {
    const struct llvm *l = r->l;
    if (!r->f->is_kernel) {
        function_arguments(r, function);
        return;
    }
    const unsigned count = l->CountParams(function);
    uint32_t at = 0, most = 4;
    for (unsigned n = 0; n < count && !r->status; n++) {
        const llvm_ref parameter = l->GetParam(function, n), type = l->TypeOf(parameter);
        if (has_string(r, function, n + 1, "amdgpu-hidden-argument"))
            reader_refuse(r, "a hidden argument among the explicit ones");
        const llvm_ref byref = parameter_attribute(r, function, n + 1, "byref");
        const llvm_ref align = parameter_attribute(r, function, n + 1, "align");
        const llvm_ref passed = byref ? l->GetTypeAttributeValue(byref) : type;
        const bool pointer = !byref && l->GetTypeKind(type) == LLVM_POINTER && !reader_is_fat(r, type),
                   plain = !byref && is_plain(r, type);
        struct ir_argument a = {0};
        const uint16_t own = plain ? reader_type(r, type) : ir_int(r->m, 32);
        a.size = (uint32_t)reader_size(r, passed);
        a.align =
            byref && align ? (uint32_t)l->GetEnumAttributeValue(align) : (uint32_t)reader_align(r, passed);
        if (r->status) return;
        a.value = ir_value_add(r->f, own);
        a.space = pointer ? l->GetPointerAddressSpace(type) : 0;
        at = (at + a.align - 1) / a.align * a.align;
        a.offset = at;
        at += a.size;
        most = a.align > most ? a.align : most;
        if (a.space == IR_LOCAL) a.pointee_align = align ? (uint32_t)l->GetEnumAttributeValue(align) : 1;
        describe(r, function, n, &a, pointer);
        if (r->m->failed || !array_push(&r->f->arguments, a) ||
            (!plain &&
             !array_push(&r->parameters, (struct reader_parameter){parameter, a.offset, byref != NULL}))) {
            reader_no_memory(r);
            return;
        }
        r->f->values.items[a.value].def = IR_ARGUMENT_DEF;
        if (plain) reader_set(r, parameter, ir_make(IR_VALUE, a.value));
    }
    r->f->facts.kernarg_bytes = (at + 3) / 4 * 4; // scalar loads read whole dwords
    r->f->facts.kernarg_align = most;
}
