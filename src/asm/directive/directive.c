// SPDX-License-Identifier: MIT
// The table of directives, and the conditional ones, which alone are obeyed in text that is skipped.
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "asm/text/unit.h"

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
    {".global", dir_attribute, 1},
    {".globl", dir_attribute, 1},
    {".hidden", dir_attribute, 2},
    {".hsa_code_object_isa", dir_hsa_isa, 0},
    {".hsa_code_object_version", dir_hsa_version, 0},
    {".hword", dir_data, 2},
    {".ident", dir_ident, 0},
    {".incbin", dir_incbin, 0},
    {".include", dir_include, 0},
    {".int", dir_data, 4},
    {".internal", dir_attribute, 3},
    {".irp", dir_irp, 0},
    {".irpc", dir_irp, 1},
    {".lcomm", dir_common, 1},
    {".line", dir_line, 0},
    {".loc", dir_loc, 0},
    {".loc_label", dir_loc_label, 0},
    {".local", dir_attribute, 4},
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
    {".protected", dir_attribute, 5},
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
    {".weak", dir_attribute, 6},
    {".weakref", dir_weakref, 0},
    {".zero", dir_zero, 1},
};

static int compare(struct slice name, const char *with) {
    size_t length = strlen(with);
    int c = memcmp(name.text, with, name.length < length ? name.length : length);
    return c ? c : (name.length > length) - (name.length < length);
}

static const struct directive *find_directive(struct slice name) {
    size_t low = 0, high = sizeof directives / sizeof *directives;
    while (low < high) {
        size_t middle = (low + high) / 2;
        int c = compare(name, directives[middle].name);
        if (!c) return &directives[middle];
        if (c < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return NULL;
}

bool unit_directive(struct unit *u, struct slice name, const char *p, const char *end) {
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

// Every name that is used and not defined is extern anyway.
bool dir_extern(struct unit *u, struct slice name, const char *p, const char *end, unsigned arg) {
    (void)u, (void)name, (void)p, (void)end, (void)arg;
    return true;
}

// ---- .if and its kind ----

static bool if_number(struct unit *u, struct slice name, const char *p, const char *end, bool *met) {
    static const char *const names[] = {".if", ".ifne", ".ifeq", ".iflt", ".ifle", ".ifgt", ".ifge"};
    int64_t v;
    unsigned which = 0;
    while (!slice_is(name, names[which])) which++;
    if (!unit_absolute(u, &p, end, &v) || !unit_end(u, p, end)) return false;
    const bool results[] = {v != 0, v != 0, v == 0, v<0, v <= 0, v> 0, v >= 0};
    *met = results[which];
    return true;
}

static bool if_defined(struct unit *u, const char *p, const char *end, bool wanted, bool *met) {
    struct slice name;
    if (!unit_name(u, &p, end, &name) || !unit_end(u, p, end)) return false;
    const struct symbol *s = symbol_find(&u->symbols, name.text, name.length);
    *met = (s && s->state != SYMBOL_UNDEFINED) == wanted;
    return true;
}

static bool if_blank(const char *p, const char *end, bool wanted, bool *met) {
    *met = (skip_space(p, end) == end) == wanted;
    return true;
}

static bool if_strings(struct unit *u, const char *p, const char *end, bool wanted, bool *met) {
    struct text a = {0}, b = {0};
    bool ok = unit_string(u, &p, end, &a);
    if (ok && !unit_comma(u, &p, end)) ok = unit_error(u, p, "expected comma after first string");
    ok = ok && unit_string(u, &p, end, &b) && unit_end(u, p, end);
    *met = ok && (a.length == b.length && (!a.length || !memcmp(a.data, b.data, a.length))) == wanted;
    text_free(&a);
    text_free(&b);
    return ok;
}

static struct slice trimmed(const char *p, const char *end) {
    p = skip_space(p, end);
    while (end > p && char_is(end[-1], CHAR_SPACE)) end--;
    return (struct slice){p, (size_t)(end - p)};
}

static bool if_text(struct unit *u, const char *p, const char *end, bool wanted, bool *met) {
    const char *comma = memchr(p, ',', (size_t)(end - p));
    if (!comma) return unit_error(u, end, "expected comma");
    struct slice a = trimmed(p, comma), b = trimmed(comma + 1, end);
    *met = (a.length == b.length && !memcmp(a.text, b.text, a.length)) == wanted;
    return true;
}

static bool begin_if(struct unit *u, struct slice name, const char *p, const char *end, bool *is_one,
                     bool *met, bool outer) {
    static const struct {
        const char *name;
        int kind;
        bool wanted;
    } ifs[] = {{".if", 0, 1},     {".ifne", 0, 1},     {".ifeq", 0, 1}, {".iflt", 0, 1},
               {".ifle", 0, 1},   {".ifgt", 0, 1},     {".ifge", 0, 1}, {".ifdef", 1, 1},
               {".ifndef", 1, 0}, {".ifnotdef", 1, 0}, {".ifb", 2, 1},  {".ifnb", 2, 0},
               {".ifeqs", 3, 1},  {".ifnes", 3, 0},    {".ifc", 4, 1},  {".ifnc", 4, 0}};
    *is_one = false;
    for (size_t i = 0; i < sizeof ifs / sizeof *ifs; i++) {
        if (!slice_is(name, ifs[i].name)) continue;
        *is_one = true;
        if (outer) return true;
        switch (ifs[i].kind) {
        case 0: return if_number(u, name, p, end, met);
        case 1: return if_defined(u, p, end, ifs[i].wanted, met);
        case 2: return if_blank(p, end, ifs[i].wanted, met);
        case 3: return if_strings(u, p, end, ifs[i].wanted, met);
        default: return if_text(u, p, end, ifs[i].wanted, met);
        }
    }
    return true;
}

bool unit_condition(struct unit *u, struct slice name, const char *p, const char *end, bool *handled) {
    char second = name.text[1], third = name.text[2];
    if (!(second == 'i' && third == 'f') && !(second == 'e' && (third == 'l' || third == 'n'))) return true;
    struct conditional *top = u->conditions.count ? &u->conditions.items[u->conditions.count - 1] : NULL;
    bool met = false, is_if, outer = top && top->ignoring;
    bool ok = begin_if(u, name, p, end, &is_if, &met, outer);
    if (is_if) {
        *handled = true;
        struct conditional c = {.kind = COND_IF, .met = met, .ignoring = outer || !met, .outer = outer};
        return (array_push(&u->conditions, c) || unit_no_memory(u)) && ok;
    }
    *handled = slice_is(name, ".else") || slice_is(name, ".elseif") || slice_is(name, ".endif");
    if (!*handled) return true;
    if (!top || (u->source && u->conditions.count <= u->source->conditions))
        return unit_error(u, name.text, "encountered %.*s that does not follow an .if", (int)name.length,
                          name.text);
    if (slice_is(name, ".endif")) {
        u->conditions.count--;
        return unit_end(u, p, end);
    }
    if (top->kind == COND_ELSE)
        return unit_error(u, name.text, "encountered %.*s behind .else", (int)name.length, name.text);
    top->ignoring = top->outer || top->met;
    if (slice_is(name, ".else")) {
        top->kind = COND_ELSE;
        top->met = true;
        return unit_end(u, p, end);
    }
    if (top->ignoring) return true;
    top->ignoring = false;
    ok = if_number(u, (struct slice){".if", 3}, p, end, &met);
    top->ignoring = !met;
    top->met |= met;
    return ok;
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
        diag_note(u->sink, NULL, "%s", said ? said : "");
    text_free(&t);
    return ok;
}

bool dir_end(struct unit *u, struct slice name, const char *p, const char *end, unsigned arg) {
    (void)name, (void)p, (void)end, (void)arg;
    u->ended = true;
    return true;
}
