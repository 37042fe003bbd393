// SPDX-License-Identifier: MIT
// The table of directives.
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "asm/directive/directive.h"
#include "asm/kernel/text.h"
#include "base/diag.h"
#include "base/sorted.h"

static const struct directive {
    const char *name;
    directive_fn *run;
    unsigned arg;
} directives[] = {
    // In the order of bytes: found by bisection.
    {".2byte", dir_data, 2},
    {".4byte", dir_data, 4},
    {".8byte", dir_data, 8},
    {".addrsig", dir_addrsig, 0},
    {".addrsig_sym", dir_addrsig, 1},
    {".align", dir_align, 0},
    {".amd_amdgpu_hsa_metadata", dir_metadata_v2, 0},
    {".amd_amdgpu_isa", dir_isa_name, 0},
    {".amd_amdgpu_pal_metadata", dir_pal_pairs, 0},
    {".amd_kernel_code_t", dir_kernel_code, 0},
    {".amdgcn_target", dir_target, 0},
    {".amdgpu_hsa_kernel", dir_hsa_kernel, 0},
    {".amdgpu_lds", dir_lds, 0},
    {".amdgpu_metadata", dir_metadata, 0},
    {".amdgpu_pal_metadata", dir_pal_metadata, 0},
    {".amdhsa_code_object_version", dir_version, 0},
    {".amdhsa_kernel", dir_kernel, 0},
    {".ascii", dir_ascii, 0},
    {".asciz", dir_ascii, 1},
    {".balign", dir_align, 0},
    {".balignl", dir_align, 4},
    {".balignw", dir_align, 2},
    {".bss", dir_named_section, 2},
    {".byte", dir_data, 1},
    {".cfi_endproc", dir_cfi_end, 0},
    {".cfi_lsda", dir_cfi_handler, 1},
    {".cfi_personality", dir_cfi_handler, 0},
    {".cfi_sections", dir_cfi_sections, 0},
    {".cfi_startproc", dir_cfi_start, 0},
    {".cg_profile", dir_cg_profile, 0},
    {".comm", dir_common, 0},
    {".common", dir_common, 0},
    {".data", dir_named_section, 1},
    {".dc", dir_data, 2},
    {".dc.a", dir_data, 8},
    {".dc.b", dir_data, 1},
    {".dc.d", dir_float, 8},
    {".dc.l", dir_data, 4},
    {".dc.s", dir_float, 4},
    {".dc.w", dir_data, 2},
    {".dcb", dir_dcb, 2},
    {".dcb.b", dir_dcb, 1},
    {".dcb.d", dir_dcb, 24},
    {".dcb.l", dir_dcb, 4},
    {".dcb.s", dir_dcb, 20},
    {".dcb.w", dir_dcb, 2},
    {".double", dir_float, 8},
    {".ds", dir_ds, 2},
    {".ds.b", dir_ds, 1},
    {".ds.d", dir_ds, 8},
    {".ds.l", dir_ds, 4},
    {".ds.p", dir_ds, 12},
    {".ds.s", dir_ds, 4},
    {".ds.w", dir_ds, 2},
    {".ds.x", dir_ds, 12},
    {".end", dir_end, 0},
    {".endm", dir_end_macro, 0},
    {".endmacro", dir_end_macro, 0},
    {".endr", dir_end_repeat, 0},
    {".equ", dir_set, 1},
    {".equiv", dir_set, 0},
    {".err", dir_message, 0},
    {".error", dir_message, 1},
    {".exitm", dir_exit_macro, 0},
    {".extern", dir_extern, 0},
    {".file", dir_file, 0},
    {".fill", dir_fill, 0},
    {".float", dir_float, 4},
    {".global", dir_attribute, SAY_GLOBAL},
    {".globl", dir_attribute, SAY_GLOBAL},
    {".hidden", dir_attribute, SAY_HIDDEN},
    {".hsa_code_object_isa", dir_hsa_isa, 0},
    {".hsa_code_object_version", dir_hsa_version, 0},
    {".hword", dir_data, 2},
    {".ident", dir_ident, 0},
    {".incbin", dir_incbin, 0},
    {".include", dir_include, 0},
    {".int", dir_data, 4},
    {".internal", dir_attribute, SAY_INTERNAL},
    {".irp", dir_irp, 0},
    {".irpc", dir_irp, 1},
    {".lcomm", dir_common, 1},
    {".line", dir_line, 0},
    {".loc", dir_loc, 0},
    {".loc_label", dir_loc_label, 0},
    {".local", dir_attribute, SAY_LOCAL},
    {".long", dir_data, 4},
    {".macro", dir_macro, 0},
    {".octa", dir_octa, 0},
    {".org", dir_org, 0},
    {".p2align", dir_align, 1},
    {".p2alignl", dir_align, 5},
    {".p2alignw", dir_align, 3},
    {".popsection", dir_pop, 0},
    {".previous", dir_previous, 0},
    {".print", dir_message, 3},
    {".protected", dir_attribute, SAY_PROTECTED},
    {".purgem", dir_purgem, 0},
    {".pushsection", dir_push, 0},
    {".quad", dir_data, 8},
    {".reloc", dir_reloc, 0},
    {".rep", dir_rept, 0},
    {".rept", dir_rept, 0},
    {".rodata", dir_named_section, 3},
    {".section", dir_section, 0},
    {".set", dir_set, 1},
    {".short", dir_data, 2},
    {".single", dir_float, 4},
    {".size", dir_size, 0},
    {".skip", dir_zero, 0},
    {".sleb128", dir_leb, 1},
    {".space", dir_zero, 0},
    {".string", dir_ascii, 1},
    {".subsection", dir_subsection, 0},
    {".symver", dir_symver, 0},
    {".tbss", dir_named_section, 5},
    {".tdata", dir_named_section, 4},
    {".text", dir_named_section, 0},
    {".type", dir_type, 0},
    {".uleb128", dir_leb, 0},
    {".value", dir_data, 2},
    {".version", dir_version_note, 0},
    {".warning", dir_message, 2},
    {".weak", dir_attribute, SAY_WEAK},
    {".weakref", dir_weakref, 0},
    {".zero", dir_zero, 1},
};

static int compare(struct slice name, const char *with) {
    size_t length = strlen(with);
    int c = memcmp(name.text, with, name.length < length ? name.length : length);
    return c ? c : (name.length > length) - (name.length < length);
}

static const struct directive *find_directive(struct slice name) {
    const size_t count = sizeof directives / sizeof *directives;
    const size_t at = SORTED_PREFIX(count, i, compare(name, directives[i].name) > 0);
    return at < count && !compare(name, directives[at].name) ? &directives[at] : NULL;
}

// What the listing shows of a directive that does not show itself: its text, behind a head of this form.
static const struct written {
    const char *name, *head, *behind;
} as_written[] = {
    {".addrsig", "\t.addrsig", "\n"},
    {".addrsig_sym", "\t.addrsig_sym ", "\n"},
    {".amdhsa_code_object_version", "\t.amdhsa_code_object_version ", "\n\n"},
    {".cfi_", "\t", "\n"},
    {".cg_profile", "\t.cg_profile ", "\n"},
    {".comm", "\t.comm\t", "\n"},
    {".common", "\t.comm\t", "\n"},
    {".ident", "\t.ident\t", "\n"},
    {".lcomm", "\t.lcomm\t", "\n"},
    {".reloc", "\t.reloc ", "\n"},
    {".symver", ".symver ", "\n"},
    {".weakref", ".weakref ", "\n\n"},
};

static void show_written(struct unit *u, struct slice name, const char *p, const char *end) {
    const struct written *w = NULL;
    for (size_t i = 0; i < sizeof as_written / sizeof *as_written; i++)
        if (slice_is(name, as_written[i].name) ||
            (!strcmp(as_written[i].name, ".cfi_") && name.length > 5 && !memcmp(name.text, ".cfi_", 5)))
            w = &as_written[i];
    if (!w) return;
    p = *w->head == '\t' && !w->head[1] ? name.text : skip_space(p, end);
    while (end > p && char_is(end[-1], CHAR_SPACE)) end--;
    text_puts(&u->line, w->head);
    const bool tight = strstr(w->head, "comm") != NULL; // no blanks behind commas
    for (; p < end; p++)
        if (!tight || !char_is(*p, CHAR_SPACE)) text_add(&u->line, p, 1);
    unit_show(u, w->behind);
}

static bool run(struct unit *u, struct slice name, const char *p, const char *end) {
    const struct directive *d = find_directive(name);
    char lower[48];
    if (!d && name.length < sizeof lower) { // letters may be of either case
        for (size_t i = 0; i < name.length; i++) {
            bool capital = name.text[i] >= 'A' && name.text[i] <= 'Z';
            lower[i] = (char)(name.text[i] | (capital ? 0x20 : 0));
        }
        d = find_directive((struct slice){lower, name.length});
    }
    if (d) return d->run(u, name, p, end, d->arg);
    if (name.length > 5 && !memcmp(name.text, ".cfi_", 5)) return dir_cfi(u, name, p, end, 0);
    return unit_error(u, name.text, "unknown directive '%.*s'", (int)name.length, name.text);
}

bool unit_directive(struct unit *u, struct slice name, const char *p, const char *end) {
    if (!run(u, name, p, end)) return false;
    if (unit_shows(u)) show_written(u, name, p, end);
    return true;
}

// Every name that is used and not defined is extern anyway.
bool dir_extern(struct unit *u, struct slice name, const char *p, const char *end, unsigned arg) {
    (void)u, (void)name, (void)p, (void)end, (void)arg;
    return true;
}

// ---- Messages ----

bool dir_message(struct unit *u, struct slice name, const char *p, const char *end, unsigned arg) {
    struct text t = {0};
    bool given = skip_space(p, end) < end && arg, ok = !given || unit_string(u, &p, end, &t);
    text_add(&t, "", 0);
    const char *said = t.length ? t.data : NULL;
    if (ok && arg < 2)
        ok = unit_error(u, name.text, "%s",
                        said  ? said
                        : arg ? ".error directive invoked in source file"
                              : ".err encountered");
    else if (ok && arg == 2)
        unit_warn(u, name.text, "%s", said ? said : ".warning directive invoked in source file");
    else if (ok)
        diag_note(u->program->sink, NULL, "%s", said ? said : "");
    text_free(&t);
    return ok;
}

bool dir_end(struct unit *u, struct slice name, const char *p, const char *end, unsigned arg) {
    (void)name, (void)p, (void)end, (void)arg;
    u->program->ended = true;
    return true;
}
