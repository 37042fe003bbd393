// SPDX-License-Identifier: MIT
// The public functions.
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/sized.h"
#include "softwave/terascale.h"
#include "terascale/ledger.h"
#include "terascale/meaning.h"
#include "terascale/object/object.h"
#include "terascale/text/as.h"
#include "terascale/text/listing.h"
#include "terascale/text/parse.h"
#include "terascale/state/state.h"

#ifndef EM_AMDGPU
#define EM_AMDGPU 224
#endif
enum { CODE_MOST = 1 << 28 };

bool sw_terascale_processor(const sw_processor *p) { return ts_chip_of(p) != NULL; }

unsigned sw_terascale_lanes(const sw_processor *p) {
    const struct ts_chip *chip = ts_chip_of(p);
    return chip ? chip->wave : 0;
}

int sw_terascale_family(const sw_processor *p) {
    const struct ts_chip *chip = ts_chip_of(p);
    return chip ? (int)chip->family : -1;
}

bool sw_terascale_opcode_at(size_t index, sw_terascale_opcode *out) {
    static const char *const groups[TS_SPACES] = {
        [TS_CF_SPACE] = "control flow",
        [TS_CFA_SPACE] = "ALU clause",
        [TS_RAT_SPACE] = "memory write (RAT)",
        [TS_OP2_SPACE] = "ALU",
        [TS_OP3_SPACE] = "ALU",
        [TS_LDS_SPACE] = "LDS",
        [TS_TEX_SPACE] = "texture fetch",
        [TS_VTX_SPACE] = "vertex fetch",
        [TS_MEM_SPACE] = "memory read",
        [TS_GDS_SPACE] = "global data share",
    };
    if (index >= TS_ROWS) return false;
    const struct ts_row *row = &ts_rows[index];
    sw_terascale_opcode o = {.name = ts_row_name(row),
                             .group = groups[row->space],
                             .gap = row->gap,
                             .sources = row->sources,
                             .alias = row->name ? row->id : NULL,
                             .sentence = ts_sentence(row),
                             .unsure = row->gap ? NULL : ts_unsure(row)};
    for (unsigned f = 0; f < TS_FAMILIES; f++) o.opcode[f] = row->op[f] - 1;
    sized_fill(SIZED(sw_terascale_opcode, sources), out, &o);
    return true;
}

bool sw_terascale_is_object(const uint8_t *data, size_t size) {
    return size >= 20 && !memcmp(data, ELFMAG, SELFMAG) && data[EI_CLASS] == ELFCLASS32 &&
           data[EI_DATA] == ELFDATA2LSB && rd16(data + 18) == EM_AMDGPU;
}

static sw_status give(struct text *t, const sw_terascale_output *out, const sw_sink *sink) {
    sw_status status = SW_OK;
    if (t->failed)
        status = diag_fail(sink, SW_NO_MEMORY, NULL, "out of memory");
    else if (t->length && !out->write(out->context, t->data, t->length))
        status = SW_BAD_INPUT;
    text_free(t);
    return status;
}

static sw_status take_options(const sw_terascale_dis_options *options, sw_terascale_dis_options *o,
                              const sw_sink *sink) {
    return sized_take(SIZED(sw_terascale_dis_options, llvm), o, options, sink);
}

sw_status sw_terascale_list(const uint8_t *code, size_t size, const sw_terascale_dis_options *options,
                            const sw_terascale_output *out, const sw_sink *sink) {
    sw_terascale_dis_options o;
    sw_status status = take_options(options, &o, sink);
    if (status) return status;
    const struct ts_chip *chip = ts_chip_of(o.processor);
    const sw_location at = {.file = o.name};
    if (!chip) return diag_fail(sink, SW_USAGE, &at, "no processor of the R600 family");
    if (size % 8 || size > CODE_MOST)
        return diag_fail(sink, SW_BAD_INPUT, &at, "code is a number of 8-byte words, up to %u bytes",
                         CODE_MOST);
    uint32_t *words = malloc(size + 8); // aligned
    if (!words) return diag_fail(sink, SW_NO_MEMORY, NULL, "out of memory");
    memcpy(words, code, size);
    struct text t = {0};
    if (!o.llvm) text_puts(&t, "main:\n");
    const bool good = ts_list_program(&t, chip, words, (uint32_t)(size / 8), o.llvm);
    free(words);
    if (!good) {
        text_free(&t);
        return diag_fail(sink, SW_NO_MEMORY, NULL, "out of memory");
    }
    return give(&t, out, sink);
}

// ---- Objects ----

// Where a function's words end: with its size, where only padding follows up to the next one; or there, for
// constants lie behind code.
static uint32_t extent(const struct ts_object *o, uint32_t i) {
    const struct ts_symbol *f = &o->functions[i];
    const uint32_t end = i + 1 < o->function_count ? o->functions[i + 1].value : (o->text_size + 7) & ~7u;
    const uint32_t own = f->value + ((f->size + 7) & ~7u);
    for (uint32_t at = own; at < end; at += 4)
        if (o->code[at / 4] && o->code[at / 4] != TS_PADDING) return end - f->value;
    return own - f->value;
}

// A register by name with its fields, as `.set` takes them.
static void print_setting(struct text *t, const struct ts_object *o, uint32_t reg, uint32_t value) {
    char name[64];
    const struct ts_register *r = ts_register_find(o->chip->family, reg, name);
    if (!r) {
        text_printf(t, "0x%05x 0x%x", reg, value);
        return;
    }
    text_puts(t, name);
    uint32_t rest = value;
    for (const char *f = r->fields; *f;) {
        const size_t n = strcspn(f, ":");
        char *end;
        const unsigned width = (unsigned)strtoul(f + n + 1, &end, 10),
                       lo = (unsigned)strtoul(end + 1, &end, 10);
        const uint32_t v = (uint32_t)bits(value, lo, width);
        if (v) text_printf(t, " %.*s(%u)", (int)n, f, v);
        rest &= ~(uint32_t)((~0ull >> (64 - width)) << lo);
        f = end + (*end == ' ');
    }
    if (rest) text_printf(t, " BITS(0x%x)", rest);
}

static void print_state(struct text *t, const struct ts_object *o, const struct ts_symbol *f,
                        const char *indent) {
    for (uint32_t k = 0; k < f->setting_count; k++) {
        text_puts(t, indent);
        print_setting(t, o, rd32(f->settings + 8 * k), rd32(f->settings + 8 * k + 4));
        text_puts(t, "\n");
    }
}

static const char *const stage_names[TS_STAGES] = {"compute", "vertex", "pixel", "geometry", "export"};

// In quotes where the name is no word, or an instruction.
static void print_label(struct text *t, const struct ts_object *o, const char *name) {
    const bool plain =
        !name[strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.")];
    const struct ts_row *other;
    const bool cf =
        ts_find_row(o->chip->family, 1 << TS_CF_SPACE | 1 << TS_CFA_SPACE, name, strlen(name), &other) ||
        other;
    text_printf(t, plain && !cf && !strchr("0123456789.", *name) ? "\n%s:\n" : "\n\"%s\":\n", name);
}

static void list_function(struct text *t, const struct ts_object *o, uint32_t i, bool llvm, bool *good) {
    const struct ts_symbol *f = &o->functions[i];
    print_label(t, o, *f->name ? f->name : "unnamed");
    if (!llvm) {
        const enum ts_stage stage = ts_stage_of(o, f);
        if (stage) text_printf(t, "    .stage %s\n", stage_names[stage]);
        print_state(t, o, f, "    .set ");
    }
    *good = *good && ts_list_program(t, o->chip, o->code + f->value / 4, extent(o, i) / 8, llvm);
}

sw_status sw_terascale_list_object(const uint8_t *data, size_t size, const sw_terascale_dis_options *options,
                                   const sw_terascale_output *out, const sw_sink *sink) {
    sw_terascale_dis_options opt;
    struct ts_object o;
    sw_status status = take_options(options, &opt, sink);
    if (!status) status = ts_object_open(data, size, opt.name, &o, sink);
    if (status) return status;
    struct text t = {0};
    bool good = true, found = false;
    if (!opt.llvm) text_printf(&t, "; %s, %s\n", opt.name ? opt.name : "object", o.chip->name);
    for (uint32_t i = 0; i < o.function_count && good; i++) {
        if (opt.function && strcmp(o.functions[i].name, opt.function)) continue;
        list_function(&t, &o, i, opt.llvm, &good);
        found = true;
    }
    ts_object_close(&o);
    if (good && (found || !opt.function)) return give(&t, out, sink);
    text_free(&t);
    if (!good) return diag_fail(sink, SW_NO_MEMORY, NULL, "out of memory");
    return diag_fail(sink, SW_BAD_INPUT, &(sw_location){.file = opt.name}, "no function '%s'", opt.function);
}

sw_status sw_terascale_show_object(const uint8_t *data, size_t size, const char *name,
                                   const sw_terascale_output *out, const sw_sink *sink) {
    struct ts_object o;
    const sw_status status = ts_object_open(data, size, name, &o, sink);
    if (status) return status;
    struct text t = {0};
    text_printf(&t, "%s: ELF32 relocatable object of the R600 family\n", name ? name : "object");
    text_printf(&t, "  target          %s (e_flags 0x%x)\n", o.chip->name, o.flags);
    text_printf(&t, "  wave            %u lanes, %u stack subentries an entry\n", o.chip->wave,
                o.chip->subentries);
    text_printf(&t, "  .text           %u bytes, %u relocations\n", o.text_size,
                o.relocations + o.unresolved);
    if (o.unresolved) text_printf(&t, "  unresolved      %u relocations\n", o.unresolved);
    text_printf(&t, "  .AMDGPU.config  %u bytes\n", o.config_size);
    for (uint32_t i = 0; i < o.function_count; i++) {
        const struct ts_symbol *f = &o.functions[i];
        text_printf(&t, "\n%s (%s)\n  at              0x%x, %u bytes\n", *f->name ? f->name : "unnamed",
                    stage_names[ts_stage_of(&o, f)], f->value, f->size);
        print_state(&t, &o, f, "  ");
    }
    ts_object_close(&o);
    return give(&t, out, sink);
}

// ---- Assembling ----

// The functions of a text, and its options as they are understood.
static sw_status read_text(const char *text, size_t length, const sw_terascale_as_options *options,
                           sw_terascale_as_options *o, ts_functions *functions, const sw_sink *sink) {
    const sw_status status = sized_take(SIZED(sw_terascale_as_options, raw), o, options, sink);
    if (status) return status;
    const struct ts_chip *chip = ts_chip_of(o->processor);
    if (!chip) return diag_fail(sink, SW_USAGE, NULL, "no processor of the R600 family");
    return ts_assemble(text, length, chip, o->name, functions, sink);
}

sw_status sw_terascale_assemble(const char *text, size_t length, const sw_terascale_as_options *options,
                                uint8_t **result, size_t *result_size, const sw_sink *sink) {
    sw_terascale_as_options o;
    *result = NULL;
    *result_size = 0;
    ts_functions functions = {0};
    sw_status status = read_text(text, length, options, &o, &functions, sink);
    if (!status && o.raw && functions.count != 1)
        status = diag_fail(sink, SW_BAD_INPUT, &(sw_location){.file = o.name}, "code alone has one function");
    if (!status && o.raw) {
        *result = (uint8_t *)functions.items[0].code.items;
        *result_size = 4 * functions.items[0].code.count;
        functions.items[0].code.items = NULL;
    } else if (!status) {
        sw_processor_info info = {.size = sizeof info};
        sw_processor_get_info(o.processor, &info);
        *result = ts_write_object(ts_chip_of(o.processor), info.mach, &functions, result_size);
        if (!*result) status = diag_fail(sink, SW_NO_MEMORY, NULL, "out of memory");
    }
    ts_functions_free(&functions);
    return status;
}

static sw_status collect(const ts_functions *f, const char *name, sw_terascale_setting **settings,
                         size_t *count, const sw_sink *sink) {
    for (size_t i = 0; i < f->count; i++) {
        if (f->items[i].code.count)
            return diag_fail(sink, SW_BAD_INPUT, &(sw_location){.file = name}, "state holds no code");
        *count += f->items[i].settings.count;
    }
    *settings = calloc(*count + 1, sizeof **settings);
    if (!*settings) return diag_fail(sink, SW_NO_MEMORY, NULL, "out of memory");
    size_t n = 0;
    for (size_t i = 0; i < f->count; i++)
        for (size_t k = 0; k < f->items[i].settings.count; k++)
            (*settings)[n++] = (sw_terascale_setting){f->items[i].settings.items[k].reg,
                                                      f->items[i].settings.items[k].value};
    return SW_OK;
}

sw_status sw_terascale_state(const char *text, size_t length, const sw_terascale_as_options *options,
                             sw_terascale_setting **settings, size_t *count, const sw_sink *sink) {
    sw_terascale_as_options o;
    *settings = NULL;
    *count = 0;
    ts_functions functions = {0};
    sw_status status = read_text(text, length, options, &o, &functions, sink);
    if (!status) status = collect(&functions, o.name, settings, count, sink);
    ts_functions_free(&functions);
    return status;
}
