// SPDX-License-Identifier: MIT
// Global symbols after resolution: those that the linker defines itself, who may be replaced when the object
// is loaded, and where each lies.
#include <string.h>

#include "link/link.h"

// ---- The linker's own definitions ----

static void define_own(struct link *l, struct link_symbol *s, struct output_section *out, unsigned visibility,
                       unsigned binding) {
    unsigned mine = visibility_of(s);
    if (visibility != STV_DEFAULT && (mine == STV_DEFAULT || visibility < mine))
        s->other = (uint8_t)visibility;
    s->exported |= l->shared || l->options->export_dynamic;
    s->kind = SYMBOL_DEFINED;
    s->file = NULL;
    s->type = STT_NOTYPE;
    s->binding = (uint8_t)binding;
    s->section = NULL;
    s->out = out;
    s->value = s->size = 0;
    s->in_regular = true;
}

void symbol_define(struct link *l, struct link_symbol *s) { define_own(l, s, NULL, STV_DEFAULT, STB_GLOBAL); }

// Defines a symbol that is referenced and that nobody defines; NULL when not wanted.
static struct link_symbol *define_if_wanted(struct link *l, const char *name, struct output_section *out,
                                            unsigned visibility) {
    struct link_symbol *s = global_find(l, name, strlen(name));
    if (!s || s->kind == SYMBOL_DEFINED || s->kind == SYMBOL_COMMON) return NULL;
    define_own(l, s, out, visibility, STB_GLOBAL);
    return s;
}

enum reserved { BSS_START, END, END_2, ETEXT, ETEXT_2, EDATA, EDATA_2, RESERVED };

void symbols_reserve(struct link *l) {
    static const char *const starts[] = {"__ehdr_start", "__executable_start", "__dso_handle"};
    static const char *const names[RESERVED] = {"__bss_start", "end",   "_end",  "etext",
                                                "_etext",      "edata", "_edata"};
    for (size_t i = 0; i < 3; i++) define_if_wanted(l, starts[i], &l->header, STV_HIDDEN);
    for (size_t i = 0; i < RESERVED; i++)
        l->end_of[i] = define_if_wanted(l, names[i], &l->header, STV_DEFAULT);
}

static void move_end(struct link_symbol *s, struct output_section *out, bool at_end) {
    if (!s) return;
    s->nowhere = !out;
    if (!out) return;
    s->out = out;
    s->at_end = at_end;
}

// The ends that _etext, _edata and _end name are those of segments.
void symbols_place_reserved(struct link *l) {
    const struct link_segment *last = NULL;
    struct output_section *code = NULL, *data = NULL;
    for (size_t i = 0; i < l->segments.count; i++) {
        const struct link_segment *g = &l->segments.items[i];
        if (g->type != PT_LOAD) continue;
        last = g;
        if (!(g->flags & PF_W) && g->last) code = g->last;
    }
    for (size_t i = 0; last && i < l->sections.count; i++) {
        struct output_section *o = l->sections.items[i];
        if (o->type != SHT_NOBITS) data = o;
        if (o == last->last) break;
    }
    move_end(l->end_of[ETEXT], code, true);
    move_end(l->end_of[ETEXT_2], code, true);
    move_end(l->end_of[EDATA], data, true);
    move_end(l->end_of[EDATA_2], data, true);
    move_end(l->end_of[END], last ? last->last : NULL, true);
    move_end(l->end_of[END_2], last ? last->last : NULL, true);
    move_end(l->end_of[BSS_START], output_find(l, ".bss"), false);
}

static void bracket(struct link *l, const char *start, const char *end, struct output_section *out,
                    unsigned visibility) {
    define_if_wanted(l, start, out ? out : &l->header, visibility);
    struct link_symbol *s = define_if_wanted(l, end, out ? out : &l->header, visibility);
    if (s && out) s->at_end = true;
}

void symbols_start_stop(struct link *l) {
    bracket(l, "__preinit_array_start", "__preinit_array_end", output_find(l, ".preinit_array"), STV_HIDDEN);
    bracket(l, "__init_array_start", "__init_array_end", output_find(l, ".init_array"), STV_HIDDEN);
    bracket(l, "__fini_array_start", "__fini_array_end", output_find(l, ".fini_array"), STV_HIDDEN);
    struct text start = {0}, stop = {0};
    for (size_t i = 0; i < l->sections.count; i++) {
        struct output_section *o = l->sections.items[i];
        if (!is_c_name(o->name)) continue;
        start.length = stop.length = 0;
        text_printf(&start, "__start_%s", o->name);
        text_printf(&stop, "__stop_%s", o->name);
        if (start.failed || stop.failed)
            link_no_memory(l);
        else
            bracket(l, start.data, stop.data, o, STV_PROTECTED);
    }
    text_free(&start);
    text_free(&stop);
    struct link_symbol *s = global_insert(l, "_DYNAMIC", 8);
    if (!s || s->kind == SYMBOL_DEFINED) return;
    define_own(l, s, l->own[OWN_DYNAMIC].out, STV_HIDDEN, STB_WEAK);
}

// ---- Who may be replaced ----

// Whether a definition elsewhere can take the place of this one when the object is loaded.
static bool is_preemptible(const struct link *l, const struct link_symbol *s) {
    if (!symbol_exported(l, s) || visibility_of(s) != STV_DEFAULT) return false;
    if (s->kind != SYMBOL_DEFINED) return true;
    if (!l->shared || s->lds) return false;
    bool weak = s->binding == STB_WEAK, function = s->type == STT_FUNC;
    sw_link_symbolic how = l->options->symbolic;
    if (l->symbolic || (how == SW_SYMBOLIC_NON_WEAK && !weak) || (how == SW_SYMBOLIC_FUNCTIONS && function) ||
        (how == SW_SYMBOLIC_NON_WEAK_FUNCTIONS && function && !weak))
        return s->in_dynamic_list;
    return true;
}

// A definition in a section that is not in the output is none; whoever refers to it will hear of it.
static void demote(struct link_symbol *s) {
    s->kind = SYMBOL_UNDEFINED;
    if (s->binding == STB_WEAK) s->binding = STB_GLOBAL;
    if (s->section && s->section->own == OWN_NOTHING && s->file)
        s->discarded = (uint32_t)(s->section - s->file->sections);
    s->section = NULL;
    s->in_regular = false;
}

void symbols_finish(struct link *l) {
    for (size_t i = 0; i < l->symbols.count; i++) {
        struct link_symbol *s = l->symbols.items[i];
        if (s->kind == SYMBOL_DEFINED && s->section && !s->section->live) demote(s);
        if (s->kind == SYMBOL_LAZY) { // weak references only
            s->kind = SYMBOL_UNDEFINED;
            s->file = NULL;
        }
        s->preemptible = is_preemptible(l, s);
    }
    for (size_t n = 0; n < l->objects.count; n++)
        for (uint32_t i = 1; i < l->objects.items[n]->first_global; i++) {
            struct link_symbol *s = l->objects.items[n]->symbols[i];
            if (s->kind == SYMBOL_DEFINED && s->section && !s->section->live) demote(s);
        }
}
