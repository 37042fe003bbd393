// SPDX-License-Identifier: MIT
// The metadata note of code objects V4 to V6, as the directive's YAML: kernels, their arguments, their
// resources.
#include "compiler/passes.h"

// A text, which would be a truth value or a number without its tag if it looks like one.
static void put_quoted(struct text *t, const char *value, const char *behind) {
    text_puts(t, "!str '");
    for (; *value; value++) text_puts(t, *value == '\'' ? "''" : (char[]){*value, 0});
    text_printf(t, "%s'\n", behind);
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

// Hidden arguments, by the version of the code object: where they stand behind the explicit ones.
struct hidden {
    const char *kind;
    uint8_t offset, size;
};
static const struct hidden hidden_v4[] = {{"hidden_global_offset_x", 0, 8},
                                          {"hidden_global_offset_y", 8, 8},
                                          {"hidden_global_offset_z", 16, 8},
                                          {"hidden_none", 24, 8},
                                          {"hidden_none", 32, 8},
                                          {"hidden_none", 40, 8},
                                          {"hidden_none", 48, 8}};
static const struct hidden hidden_v5[] = {
    {"hidden_block_count_x", 0, 4},
    {"hidden_block_count_y", 4, 4},
    {"hidden_block_count_z", 8, 4},
    {"hidden_group_size_x", 12, 2},
    {"hidden_group_size_y", 14, 2},
    {"hidden_group_size_z", 16, 2},
    {"hidden_remainder_x", 18, 2},
    {"hidden_remainder_y", 20, 2},
    {"hidden_remainder_z", 22, 2},
    {"hidden_global_offset_x", 40, 8},
    {"hidden_global_offset_y", 48, 8},
    {"hidden_global_offset_z", 56, 8},
    {"hidden_grid_dims", 64, 2},
    // Where flat addresses of scratch and LDS lie: the last two, of processors whose instructions cannot ask.
    {"hidden_private_base", 192, 4},
    {"hidden_shared_base", 196, 4}};

static void put_hidden(struct compiler *c, const struct ir_function *f) {
    const bool five = c->m->code_object_version >= 5;
    const struct hidden *rows = five ? hidden_v5 : hidden_v4;
    const size_t count =
        !five ? sizeof hidden_v4 / sizeof *hidden_v4
              : sizeof hidden_v5 / sizeof *hidden_v5 - (has(c->processor, CAP_aperture_registers) ? 2 : 0);
    for (size_t i = 0; i < count && rows[i].offset + rows[i].size <= compiler_hidden_bytes(f); i++)
        text_printf(c->assembly, "      - .offset: %u\n        .size: %u\n        .value_kind: %s\n",
                    f->facts.hidden_offset + rows[i].offset, rows[i].size, rows[i].kind);
}

static void put_kernel(struct compiler *c, const struct ir_function *f) {
    struct text *t = c->assembly;
    const struct ir_facts *k = &f->facts;
    const bool hidden = k->inputs >> INPUT_HIDDEN & 1;
    text_puts(t, "  - .name: ");
    put_quoted(t, f->name, "");
    text_puts(t, "    .symbol: ");
    put_quoted(t, f->name, ".kd");
    if (f->arguments.count || hidden) text_puts(t, "    .args:\n");
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
    text_printf(t, "    .sgpr_count: %u\n    .vgpr_count: %u\n", k->all_sgprs,
                k->all_vgprs ? k->all_vgprs : 1);
    if (has(c->processor, CAP_unified_vgprs)) text_puts(t, "    .agpr_count: 0\n");
    text_puts(t, "    .sgpr_spill_count: 0\n    .vgpr_spill_count: 0\n");
    if (c->m->code_object_version >= 5)
        text_printf(t, "    .uses_dynamic_stack: %s\n", k->dynamic_stack ? "true" : "false");
    if (k->uniform_groups) text_puts(t, "    .uniform_work_group_size: 1\n");
    if (k->reqd_x)
        text_printf(t, "    .reqd_workgroup_size:\n      - %u\n      - %u\n      - %u\n", k->reqd_x,
                    k->reqd_y, k->reqd_z);
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
    text_printf(c->assembly,
                "amdhsa.target: 'amdgcn-amd-amdhsa--%s'\namdhsa.version:\n  - 1\n  - "
                "%u\n...\n\t.end_amdgpu_metadata\n",
                id, (c->m->code_object_version > 5 ? 5 : c->m->code_object_version) - 3); // V6 has V5's
}
