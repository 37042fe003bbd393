// SPDX-License-Identifier: MIT
// Assembly text as `softwave run` takes it. Text without a kernel descriptor gets one: all that a small
// program may want to have in registers is there, and what was assumed is said on standard error.
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/assembly.h"
#include "cli/run/run.h"

bool run_is_assembly(const char *file) {
    size_t length = strlen(file);
    return length > 2 && !strcmp(file + length - 2, ".s");
}

// sw_assemble of `text` for `target`, with --wave and --mattr as features, and with its lines as debug
// information if `debug`.
static sw_status assemble(const char *name, const struct file *text, const sw_target *target, unsigned wave,
                          const char *mattr, bool debug, uint8_t **object, size_t *size,
                          const sw_sink *sink) {
    sw_asm_options o = {
        .size = sizeof o, .name = name, .os = SW_OS_AMDHSA, .target = *target, .debug = debug};
    struct text features = {0};
    if (wave) text_printf(&features, "+wavefrontsize%u", wave);
    if (mattr) text_printf(&features, "%s%s", wave ? "," : "", mattr);
    o.features = features.data;
    const sw_status status = features.failed
                                 ? SW_NO_MEMORY
                                 : sw_assemble((const char *)text->data, text->size, &o, object, size, sink);
    text_free(&features);
    return status;
}

static sw_status find_target(const struct file *text, const char *target, sw_target *out) {
    const char *named;
    if (target) return sw_target_choose(target, strlen(target), out, &cli_sink);
    const size_t length = assembly_target(text, &named);
    if (!length) return (sw_status)cli_usage("run", "assembly needs --target, or .amdgcn_target in its text");
    return sw_target_parse(named, length, out, &cli_sink);
}

sw_status run_assemble(const char *name, const struct file *text, const char *target, unsigned wave,
                       const char *mattr, uint8_t **object, size_t *size, const sw_sink *sink) {
    sw_target t;
    const sw_status status = find_target(text, target, &t);
    return status != SW_OK ? status : assemble(name, text, &t, wave, mattr, false, object, size, sink);
}

// ---- Text without a descriptor ----

static bool has(const sw_processor *p, const char *capability) {
    for (size_t i = 0; i < sw_capability_count(); i++)
        if (!strcmp(sw_capability_name(i), capability)) return sw_processor_has(p, i);
    return false;
}

static bool is_code(const struct file *text) {
    return !assembly_has_line(text, ".amdhsa_kernel") && !assembly_has_line(text, ".amd_kernel_code_t") &&
           !assembly_has_line(text, ".amdgpu_hsa_kernel");
}

// The first label of the assembled code, or `wanted` if it is there.
static bool first_label(const uint8_t *bytes, size_t size, const char *wanted, char out[256]) {
    sw_object *object;
    const sw_object_options oo = {.size = sizeof oo};
    const sw_symbol *best = NULL;
    if (sw_object_open(bytes, size, &oo, &object, NULL) != SW_OK) return false;
    const sw_symbol *s;
    for (size_t i = 0; (s = sw_object_symbol(object, SW_SYMTAB, i)); i++) {
        const sw_section *home = sw_object_section(object, s->section);
        if (!*s->name || !home || strcmp(home->name, ".text")) continue;
        if (wanted && !strcmp(s->name, wanted)) {
            best = s;
            break;
        }
        if (!best || s->value < best->value) best = s;
    }
    if (best) snprintf(out, 256, "%s", best->name);
    sw_object_close(object);
    return best && (!wanted || !strcmp(out, wanted));
}

// The accumulation registers of a unified file begin behind the others, so half of it is theirs if any is
// named.
static void append_descriptor(struct text *t, const char *name, const sw_processor *p) {
    const bool unified = has(p, "unified_vgprs");
    text_printf(t,
                "\n.text\n.globl %s\n.type %s,@function\n"
                ".if .amdgcn.next_free_vgpr < 4\n.set .amdgcn.next_free_vgpr, 4\n.endif\n"
                ".section .rodata,\"a\",@progbits\n.p2align 6\n.amdhsa_kernel %s\n",
                name, name, name);
    text_printf(t, ".amdhsa_next_free_vgpr %s\n.amdhsa_next_free_sgpr %d\n",
                unified ? "512" : ".amdgcn.next_free_vgpr", has(p, "fixed_sgprs") ? 106 : 96);
    if (unified) text_puts(t, ".amdhsa_accum_offset 256\n");
    text_puts(t, ".amdhsa_user_sgpr_kernarg_segment_ptr 1\n.amdhsa_kernarg_size 256\n"
                 ".amdhsa_system_sgpr_workgroup_id_x 1\n.amdhsa_system_sgpr_workgroup_id_y 1\n"
                 ".amdhsa_system_sgpr_workgroup_id_z 1\n.amdhsa_system_vgpr_workitem_id 2\n"
                 ".end_amdhsa_kernel\n");
}

static void say_assumed(const char *file, const char *name, const sw_processor *p) {
    fprintf(stderr,
            "%s: note: no .amdhsa_kernel, so '%s' runs with: s[0:1] the address of the arguments (up to 256 "
            "bytes), "
            "%s the work-group's ids x, y, z, %s\n",
            file, name, has(p, "architected_workgroup_ids") ? "ttmp9 and both halves of ttmp7" : "s2, s3, s4",
            has(p, "packed_workitem_ids")
                ? "v0 the work-item's ids, 10 bits each (in one dimension, just the id)"
                : "v0, v1, v2 the work-item's ids");
}

sw_status run_assemble_kernel(const char *file, const struct file *text, const struct run_settings *o,
                              uint8_t **object, size_t *size) {
    sw_target t;
    const char *wanted = o->jobs.items[0].kernel_name;
    sw_status status = find_target(text, o->target, &t);
    if (status == SW_OK) status = assemble(file, text, &t, o->wave, o->mattr, true, object, size, &cli_sink);
    if (status != SW_OK || !is_code(text)) return status;
    char name[256] = "kernel";
    const bool labelled = first_label(*object, *size, NULL, name);
    if (wanted && !first_label(*object, *size, wanted, name))
        return diag_fail(&cli_sink, SW_BAD_INPUT, &(sw_location){.file = file}, "no label '%.200s' in .text",
                         wanted);
    struct text own = {0};
    if (!labelled) text_printf(&own, "%s: ", name);
    text_add(&own, (const char *)text->data, text->size);
    append_descriptor(&own, name, t.processor);
    const struct file whole = {.data = (const uint8_t *)own.data, .size = own.length};
    sw_free(*object);
    *object = NULL;
    status = own.failed ? SW_NO_MEMORY
                        : assemble(file, &whole, &t, o->wave, o->mattr, true, object, size, &cli_sink);
    text_free(&own);
    if (status == SW_OK) say_assumed(file, name, t.processor);
    return status;
}
