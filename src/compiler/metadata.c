// SPDX-License-Identifier: MIT
// The metadata note of code objects V4 to V6, as the directive's YAML: kernels, their arguments, their
// resources.
#include "compiler/passes.h"

// A text, which would be a truth value or a number without its tag if it looks like one.
static void put_quoted(struct text *t, const char *value, const char *behind) {
    bool plain = true;
    for (const char *s = value; *s; s++) plain &= (unsigned char)*s >= ' ';
    text_puts(t, plain ? "!str '" : "!str \"");
    for (; *value; value++)
        if (plain)
            text_puts(t, *value == '\'' ? "''" : (char[]){*value, 0});
        else if ((unsigned char)*value < ' ' || *value == '"' || *value == '\\')
            text_printf(t, "\\x%02x", (unsigned char)*value);
        else
            text_add(t, value, 1);
    text_printf(t, "%s%c\n", behind, plain ? '\'' : '"');
}
static void put_text(struct text *t, const char *key, const char *value) {
    if (!value) return;
    text_printf(t, "        %s ", key);
    put_quoted(t, value, "");
}

// NULL: metadata has no name for it.
static const char *space_name(unsigned space) { return space <= IR_PRIVATE ? ir_space_names[space] : NULL; }

static void put_argument(struct text *t, const struct ir_argument *a) {
    const bool pointer =
        a->kind && (!strcmp(a->kind, "global_buffer") || !strcmp(a->kind, "dynamic_shared_pointer"));
    text_printf(t, "      - .offset: %u\n        .size: %u\n", a->offset, a->size);
    put_text(t, ".value_kind:", a->kind ? a->kind : "by_value");
    put_text(t, ".name:", a->name);
    put_text(t, ".type_name:", a->type_name);
    if (pointer) put_text(t, ".address_space:", space_name(a->space));
    put_text(t, ".access:", a->access);
    put_text(t, ".actual_access:", a->actual_access);
    if (a->pointee_align) text_printf(t, "        .pointee_align: %u\n", a->pointee_align);
    if (a->is_const) text_puts(t, "        .is_const: true\n");
    if (a->is_restrict) text_puts(t, "        .is_restrict: true\n");
    if (a->is_volatile) text_puts(t, "        .is_volatile: true\n");
    if (a->is_pipe) text_puts(t, "        .is_pipe: true\n");
}

// Hidden arguments, by the version of the code object: where they stand behind the explicit ones. `without`
// is the attribute that rules one out, plus one.
struct hidden {
    const char *kind;
    uint8_t offset, size, without;
};
static const struct hidden hidden_v4[] = {{"hidden_global_offset_x", 0, 8, 0},
                                          {"hidden_global_offset_y", 8, 8, 0},
                                          {"hidden_global_offset_z", 16, 8, 0},
                                          {"hidden_hostcall_buffer", 24, 8, WITHOUT_HOSTCALL + 1},
                                          {"hidden_default_queue", 32, 8, WITHOUT_DEFAULT_QUEUE + 1},
                                          {"hidden_completion_action", 40, 8, WITHOUT_COMPLETION + 1},
                                          {"hidden_multigrid_sync_arg", 48, 8, WITHOUT_MULTIGRID + 1}};
static const struct hidden hidden_v5[] = {
    {"hidden_block_count_x", 0, 4, 0},
    {"hidden_block_count_y", 4, 4, 0},
    {"hidden_block_count_z", 8, 4, 0},
    {"hidden_group_size_x", 12, 2, 0},
    {"hidden_group_size_y", 14, 2, 0},
    {"hidden_group_size_z", 16, 2, 0},
    {"hidden_remainder_x", 18, 2, 0},
    {"hidden_remainder_y", 20, 2, 0},
    {"hidden_remainder_z", 22, 2, 0},
    {"hidden_global_offset_x", 40, 8, 0},
    {"hidden_global_offset_y", 48, 8, 0},
    {"hidden_global_offset_z", 56, 8, 0},
    {"hidden_grid_dims", 64, 2, 0},
    {"hidden_printf_buffer", 72, 8, 0},
    {"hidden_hostcall_buffer", 80, 8, WITHOUT_HOSTCALL + 1},
    {"hidden_multigrid_sync_arg", 88, 8, WITHOUT_MULTIGRID + 1},
    {"hidden_heap_v1", 96, 8, WITHOUT_HEAP + 1},
    {"hidden_default_queue", 104, 8, WITHOUT_DEFAULT_QUEUE + 1},
    {"hidden_completion_action", 112, 8, WITHOUT_COMPLETION + 1},
    {"hidden_dynamic_lds_size", 120, 4, 0},
    // Where flat addresses of scratch and LDS lie, of processors whose instructions cannot ask.
    {"hidden_private_base", 192, 4, 0},
    {"hidden_shared_base", 196, 4, 0},
    {"hidden_queue_ptr", 200, 8, WITHOUT_QUEUE + 1}};

static bool has_dynamic_lds(const struct ir_function *f) {
    bool any = f->facts.dynamic_lds;
    for (size_t n = 0; n < f->arguments.count; n++)
        any |= f->arguments.items[n].kind && !strcmp(f->arguments.items[n].kind, "dynamic_shared_pointer");
    return any;
}

// What stands in this place for the function; NULL: nothing.
static const char *hidden_kind(const struct compiler *c, const struct ir_function *f,
                               const struct hidden *h) {
    const bool five = c->m->code_object_version >= 5;
    const bool out = h->without && f->facts.without >> (h->without - 1) & 1;
    const bool based = !strcmp(h->kind, "hidden_private_base") || !strcmp(h->kind, "hidden_shared_base");
    if (!five && h->offset == 24 && c->m->formats.count) return "hidden_printf_buffer";
    if (out) return five ? NULL : "hidden_none";
    if (!strcmp(h->kind, "hidden_printf_buffer") && !c->m->formats.count) return NULL;
    if (!strcmp(h->kind, "hidden_dynamic_lds_size") && !has_dynamic_lds(f)) return NULL;
    return based && has(c->processor, CAP_aperture_registers) ? NULL : h->kind;
}

static void put_hidden(struct compiler *c, const struct ir_function *f) {
    const bool five = c->m->code_object_version >= 5;
    const struct hidden *rows = five ? hidden_v5 : hidden_v4;
    const size_t count = five ? sizeof hidden_v5 / sizeof *hidden_v5 : sizeof hidden_v4 / sizeof *hidden_v4;
    for (size_t i = 0; i < count; i++) {
        const char *kind = hidden_kind(c, f, &rows[i]);
        if (!kind || (!five && rows[i].offset + rows[i].size > compiler_hidden_bytes(f))) continue;
        text_printf(c->assembly, "      - .offset: %u\n        .size: %u\n        .value_kind: %s\n",
                    f->facts.hidden_offset + rows[i].offset, rows[i].size, kind);
    }
}

static void put_three(struct text *t, const char *key, uint32_t x, uint32_t y, uint32_t z) {
    text_printf(t, "    %s\n      - %u\n      - %u\n      - %u\n", key, x, y, z);
}

// What a launch may look at besides.
static void put_hints(struct compiler *c, const struct ir_facts *k) {
    static const char names[] = "xyz";
    struct text *t = c->assembly;
    const uint32_t groups[] = {k->groups_x, k->groups_y, k->groups_z};
    if (k->reqd_x) put_three(t, ".reqd_workgroup_size:", k->reqd_x, k->reqd_y, k->reqd_z);
    if (k->hint_x) put_three(t, ".workgroup_size_hint:", k->hint_x, k->hint_y, k->hint_z);
    if (k->language_major)
        text_printf(t, "    .language: OpenCL C\n    .language_version:\n      - %u\n      - %u\n",
                    k->language_major, k->language_minor);
    if (k->kind) text_printf(t, "    .kind: %s\n", k->kind == 1 ? "init" : "fini");
    for (unsigned n = 0; n < 3; n++)
        if (groups[n] && groups[n] != UINT32_MAX)
            text_printf(t, "    .max_num_workgroups_%c: %u\n", names[n], groups[n]);
    if (has(c->processor, CAP_cumode) && c->m->code_object_version >= 5)
        text_printf(t, "    .workgroup_processor_mode: %u\n", !k->cumode);
}

static void put_kernel(struct compiler *c, const struct ir_function *f) {
    struct text *t = c->assembly;
    const struct ir_facts *k = &f->facts;
    const bool hidden = compiler_has_hidden(f);
    text_puts(t, "  - .name: ");
    put_quoted(t, f->name, "");
    text_puts(t, "    .symbol: ");
    put_quoted(t, f->name, ".kd");
    text_puts(t, f->arguments.count || hidden ? "    .args:\n" : "    .args: []\n");
    for (size_t i = 0; i < f->arguments.count; i++) put_argument(t, &f->arguments.items[i]);
    if (hidden) put_hidden(c, f);
    text_printf(t, "    .group_segment_fixed_size: %u\n", k->lds);
    text_printf(t, "    .kernarg_segment_align: %u\n",
                k->kernarg_align < 8 && hidden ? 8
                : k->kernarg_align < 4         ? 4
                                               : k->kernarg_align);
    text_printf(t, "    .kernarg_segment_size: %u\n",
                hidden ? k->hidden_offset + compiler_hidden_bytes(f) : k->kernarg_bytes);
    text_printf(t, "    .max_flat_workgroup_size: %u\n    .private_segment_fixed_size: %u\n", k->block_max,
                k->all_stack);
    text_printf(t, "    .sgpr_count: %u\n    .vgpr_count: %u\n", k->all_sgprs, compiler_all_vgprs(c, k));
    if (c->isa->formats[FMT_MAI]) text_printf(t, "    .agpr_count: %u\n", k->all_agprs);
    text_puts(t, "    .sgpr_spill_count: 0\n    .vgpr_spill_count: 0\n");
    if (c->m->code_object_version >= 5)
        text_printf(t, "    .uses_dynamic_stack: %s\n", k->dynamic_stack ? "true" : "false");
    if (k->uniform_groups && c->m->code_object_version >= 5)
        text_puts(t, "    .uniform_work_group_size: 1\n");
    put_hints(c, k);
    text_printf(t, "    .wavefront_size: %u\n", k->wave);
}

void compiler_metadata(struct compiler *c) {
    char id[SW_TARGET_TEXT];
    bool any = false;
    sw_target_format(&c->m->target, id);
    text_puts(c->assembly, "\t.amdgpu_metadata\n---\namdhsa.kernels:\n");
    for (const struct ir_function *f = c->m->functions; f; f = f->next)
        if (f->is_kernel) put_kernel(c, f), any = true;
    if (!any) text_puts(c->assembly, "  []\n");
    if (c->m->formats.count) text_puts(c->assembly, "amdhsa.printf:\n");
    for (size_t n = 0; n < c->m->formats.count; n++) {
        text_puts(c->assembly, "  - ");
        put_quoted(c->assembly, c->m->formats.items[n], "");
    }
    text_printf(c->assembly,
                "amdhsa.target: 'amdgcn-amd-amdhsa--%s'\namdhsa.version:\n  - 1\n  - "
                "%u\n...\n\t.end_amdgpu_metadata\n",
                id, (c->m->code_object_version > 5 ? 5 : c->m->code_object_version) - 3); // V6 has V5's
}
