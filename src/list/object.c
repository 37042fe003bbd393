// SPDX-License-Identifier: MIT
// Listings of bare code and of whole objects: which symbols, relocations and source lines a section has, and
// the parts of it that were asked for.
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/diag.h"
#include "base/sized.h"
#include "isa/names.h"
#include "list/list.h"
#include "object/code/object.h"

typedef ARRAY(struct listing_symbol) symbol_list;
typedef ARRAY(struct listing_relocation) relocation_list;

struct request {
    sw_list_options o;
    const sw_sink *sink;
    struct isa isa;     // with the features that were switched
    bool fixed_wave;    // of the caller's choice, whatever the kernels say
    struct arena names; // demangled
    struct listing listing;
    const sw_object *object;
    bool stopped; // the caller has enough
};

// ---- What is common ----

static bool pass_on(void *context, const char *text, size_t length) {
    struct request *r = context;
    if (!r->stopped) r->stopped = !r->o.write(r->o.context, text, length);
    return !r->stopped;
}

// The processor's tables with the asked features.
static sw_status choose_features(struct request *r) {
    struct listing *l = &r->listing;
    r->isa = *isa_of(l->processor);
    bool wave32 = l->wave32;
    for (const char *p = r->o.features; p && *p;) {
        size_t length = strcspn(p, ",");
        bool sign = *p == '+' || *p == '-';
        if (!sign || !isa_set_feature(&r->isa, &wave32, p + 1, length - 1, *p == '+'))
            return diag_fail(r->sink, SW_USAGE, NULL, "%s has no feature '%.*s'", l->processor->name,
                             (int)length, p);
        p += length + (p[length] == ',');
    }
    if (r->o.features) l->isa = &r->isa;
    r->fixed_wave |= wave32 != l->wave32;
    l->wave32 = wave32;
    return SW_OK;
}

static sw_status begin(struct request *r, const sw_processor *p, const sw_list_options *options,
                       const sw_sink *sink) {
    sw_status status = sized_take(SIZED(sw_list_options, source_text), &r->o, options, sink);
    if (status) return status;
    if (!r->o.write) return diag_fail(sink, SW_USAGE, NULL, "a listing needs a function that takes it");
    if (!p || !isa_of(p))
        return diag_fail(sink, SW_UNSUPPORTED, &(sw_location){.file = r->o.name}, "no disassembler for %s",
                         p ? p->name : "nothing");
    if (r->o.wave_size && r->o.wave_size != 32 && r->o.wave_size != 64)
        return diag_fail(sink, SW_USAGE, NULL, "a wave has 32 or 64 lanes, not %u", r->o.wave_size);
    if (!r->o.stop) r->o.stop = UINT64_MAX;
    r->sink = sink;
    r->fixed_wave = r->o.wave_size;
    r->listing = (struct listing){.processor = p,
                                  .wave32 = r->o.wave_size != 64 && has(p, CAP_wave32),
                                  .labels = r->o.labels,
                                  .json = r->o.json,
                                  .json_started = r->o.json_continues,
                                  .reasons = r->o.reasons,
                                  .zeroes = r->o.zeroes,
                                  .no_address = r->o.no_address,
                                  .no_words = r->o.no_words,
                                  .colour = r->o.colour,
                                  .remark = r->o.effects ? list_effects : NULL,
                                  .write = pass_on,
                                  .context = r};
    return choose_features(r);
}

static sw_status list_range(struct request *r, const uint8_t *code, size_t size, uint64_t address,
                            uint64_t start, uint64_t stop) {
    return r->o.graph ? list_graph(&r->listing, code, size, address, start, stop)
                      : list_code(&r->listing, code, size, address, start, stop);
}

sw_status sw_list_code(const sw_processor *processor, const void *code, size_t length, uint64_t address,
                       const sw_list_options *options, const sw_sink *sink) {
    struct request r = {0};
    sw_status status = begin(&r, processor, options, sink);
    return status ? status : list_range(&r, code, length, address, r.o.start, r.o.stop);
}

// ---- What a section has ----

static int by_address(const void *a, const void *b) {
    const struct listing_symbol *x = a, *y = b;
    return x->address != y->address ? (x->address > y->address ? 1 : -1) : strcmp(x->name, y->name);
}

// Code symbols of a section, one for an address; the section itself names what lies before the first.
static sw_status collect_symbols(const sw_object *object, uint32_t section, symbol_list *list) {
    const sw_section *home = sw_object_section(object, section);
    const sw_symbol_table table = sw_object_symbol_count(object, SW_SYMTAB) ? SW_SYMTAB : SW_DYNSYM;
    const sw_symbol *y;
    for (size_t i = 0; (y = sw_object_symbol(object, table, i)); i++) {
        if (y->section != section || !*y->name || y->type == STT_SECTION || y->type == STT_FILE) continue;
        const sw_kernel *k = sw_object_find_kernel(object, y->name);
        unsigned wave = k && k->has_descriptor ? k->descriptor->wavefront_size : 0;
        if (wave != 32 && wave != 64) wave = 0;
        if (!array_push(list,
                        (struct listing_symbol){y->value, y->name, (uint8_t)wave, y->type == STT_NOTYPE}))
            return SW_NO_MEMORY;
    }
    if (!array_reserve(list, 1)) return SW_NO_MEMORY;
    qsort(list->items, list->count, sizeof *list->items, by_address);
    size_t n = 0;
    for (size_t i = 0; i < list->count; i++)
        if (!n || list->items[n - 1].address != list->items[i].address) list->items[n++] = list->items[i];
    if (!n || list->items[0].address > home->address) {
        memmove(list->items + 1, list->items, n++ * sizeof *list->items);
        list->items[0] = (struct listing_symbol){home->address, home->name, 0, false};
    }
    list->count = n;
    return SW_OK;
}

static int by_place(const void *a, const void *b) {
    const struct listing_relocation *x = a, *y = b;
    return (x->address > y->address) - (x->address < y->address);
}

// The relocations of a section, or dynamic ones within it.
static sw_status collect_relocations(const sw_object *object, uint32_t index, const sw_section *section,
                                     relocation_list *list) {
    const sw_relocation *r;
    for (size_t i = 0; (r = sw_object_relocation(object, i)); i++) {
        const uint64_t address = r->section ? section->address + r->offset : r->offset;
        if (r->section ? r->section != index
                       : r->offset < section->address || r->offset - section->address >= section->size)
            continue;
        const sw_symbol *y = r->symbol ? sw_object_symbol(object, r->table, r->symbol) : NULL;
        const sw_section *named = y && y->type == STT_SECTION ? sw_object_section(object, y->section) : NULL;
        const char *name = named ? named->name : y ? y->name : "*ABS*";
        const struct listing_relocation shown = {address, name_of_relocation(r->type), name, r->addend};
        if (!array_push(list, shown)) return SW_NO_MEMORY;
    }
    if (list->count) qsort(list->items, list->count, sizeof *list->items, by_place);
    return SW_OK;
}

// As C++ calls it, where that is wanted.
static const char *shown_name(struct request *r, const char *name) {
    char plain[4096];
    size_t n = r->o.demangle ? sw_demangle(name, plain, sizeof plain) : 0;
    const char *copy = n ? arena_copy(&r->names, plain, n) : NULL;
    return copy ? copy : name;
}

// ---- Parts of a section ----

// The function of -k: a symbol, or the one kernel that is called so, as `run` takes names.
static const sw_symbol *find_function(const sw_object *object, const char *name) {
    const sw_symbol *y = sw_object_find_symbol(object, name);
    const sw_kernel *kernel = NULL;
    if (y || sw_object_match_kernels(object, name, &kernel, 1) != 1) return y;
    return sw_object_find_symbol(object, kernel->name);
}

static bool is_chosen(const struct request *r, const char *name) {
    for (size_t i = 0; i < r->o.function_count; i++)
        if (!strcmp(r->o.functions[i], name)) return true;
    return false;
}

static void say(struct request *r, const char *text) { pass_on(r, text, strlen(text)); }

static sw_status list_part(struct request *r, const sw_section *s, uint64_t start, uint64_t stop) {
    return list_range(r, s->data, s->size, s->address, start, stop);
}

static void list_heading(struct request *r, const sw_section *section) {
    if (!r->o.heading) return;
    say(r, "\nDisassembly of section ");
    say(r, section->name);
    say(r, ":\n");
}

// The whole section, the one function, or several, each up to the next symbol.
static sw_status list_parts(struct request *r, uint32_t index, const sw_section *section) {
    const struct listing *l = &r->listing;
    uint64_t start = r->o.start, stop = r->o.stop;
    if (r->o.function) {
        const sw_symbol *y = find_function(r->object, r->o.function);
        if (!y || y->section != index) return SW_OK;
        if (start < y->value) start = y->value;
        if (y->size && stop > y->value + y->size) stop = y->value + y->size;
    }
    if (!r->o.function_count) {
        list_heading(r, section);
        return list_part(r, section, start, stop);
    }
    sw_status status = SW_OK;
    for (size_t i = 0, shown = 0; i < l->symbol_count && !status && !r->stopped; i++) {
        const uint64_t from = l->symbols[i].address;
        const uint64_t to = i + 1 < l->symbol_count ? l->symbols[i + 1].address : UINT64_MAX;
        if (!is_chosen(r, l->symbols[i].name)) continue;
        if (!shown++) list_heading(r, section);
        status = list_part(r, section, start > from ? start : from, stop < to ? stop : to);
    }
    return status;
}

static sw_status list_section(struct request *r, uint32_t index, const sw_section *section) {
    symbol_list symbols = {0};
    relocation_list relocations = {0};
    struct list_source *source = NULL;
    sw_status status = collect_symbols(r->object, index, &symbols);
    if (!status && r->o.relocations) status = collect_relocations(r->object, index, section, &relocations);
    for (size_t i = 0; i < symbols.count; i++) {
        if (r->fixed_wave) symbols.items[i].wave_size = 0;
        symbols.items[i].name = shown_name(r, symbols.items[i].name);
    }
    for (size_t i = 0; i < relocations.count; i++)
        relocations.items[i].symbol = shown_name(r, relocations.items[i].symbol);
    struct listing *l = &r->listing;
    l->symbols = symbols.items;
    l->symbol_count = symbols.count;
    l->relocations = relocations.items;
    l->relocation_count = relocations.count;
    if (!status && (r->o.lines || r->o.source_text))
        status = list_source_open(&source, r->object, index, &r->o, l, r->sink);
    if (!status) status = list_parts(r, index, section);
    list_source_close(source);
    l->source = NULL;
    array_free(&symbols);
    array_free(&relocations);
    return status;
}

// ---- Objects ----

static sw_status check_names(const struct request *r) {
    const sw_location at = {.file = r->o.name};
    if (r->o.function && !find_function(r->object, r->o.function))
        return diag_fail(r->sink, SW_BAD_INPUT, &at, "no kernel or function '%s'", r->o.function);
    for (size_t i = 0; i < r->o.function_count; i++)
        if (!r->o.demangle && !sw_object_find_symbol(r->object, r->o.functions[i]))
            diag_warn(r->sink, &at, "no function '%s'", r->o.functions[i]);
    return SW_OK;
}

sw_status sw_list_object(const sw_object *object, const sw_list_options *options, const sw_sink *sink) {
    struct request r = {.object = object};
    sw_status status = begin(&r, sw_object_target(object)->processor, options, sink);
    if (!status) status = check_names(&r);
    if (!status && r.o.heading) say(&r, r.o.heading);
    const sw_section *section;
    for (size_t i = 0; !status && !r.stopped && (section = sw_object_section(object, i)); i++)
        if (section->flags & (r.o.all ? SHF_ALLOC : SHF_EXECINSTR) && section->type == SHT_PROGBITS)
            status = list_section(&r, (uint32_t)i, section);
    arena_free(&r.names);
    return status;
}
