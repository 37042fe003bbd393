// SPDX-License-Identifier: MIT
// Drives an assembly: what is known before the text, the text's statements one by one, then the object. One
// pass over the text; whatever depends on later text is kept as a fixup.
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "asm/assemble.h"
#include "asm/kernel/text.h"
#include "base/diag.h"
#include "base/sized.h"
#include "isa/names.h"
#include "mc/dwarf/dwarf.h"
#include "mc/object/object.h"

static bool define_number(struct unit *u, const char *name, int64_t v) {
    return program_assign(u->program, (struct slice){name, strlen(name)}, &(struct mc_value){.number = v},
                          true, NULL);
}

static bool predefine(struct unit *u) {
    const struct sw_processor *p = u->program->mode.processor;
    bool scope = u->program->options->os != SW_OS_AMDHSA || program_is_v2(u->program);
    static const char *const generation[2][3] = {
        {".amdgcn.gfx_generation_number", ".amdgcn.gfx_generation_minor", ".amdgcn.gfx_generation_stepping"},
        {".option.machine_version_major", ".option.machine_version_minor",
         ".option.machine_version_stepping"}};
    bool ok = define_number(u, generation[scope][0], p->isa_major) &&
              define_number(u, generation[scope][1], p->isa_minor) &&
              define_number(u, generation[scope][2], p->isa_stepping);
    if (scope) {
        ok = ok && define_number(u, ".kernel.vgpr_count", 0) && define_number(u, ".kernel.sgpr_count", 0) &&
             (!has(p, CAP_agprs) || define_number(u, ".kernel.agpr_count", 0));
        u->program->vgprs = symbol_find(&u->program->symbols, ".kernel.vgpr_count", 18);
        u->program->sgprs = symbol_find(&u->program->symbols, ".kernel.sgpr_count", 18);
        u->program->agprs = symbol_find(&u->program->symbols, ".kernel.agpr_count", 18);
    } else {
        ok = ok && define_number(u, ".amdgcn.next_free_vgpr", 0) &&
             define_number(u, ".amdgcn.next_free_sgpr", 0);
        u->program->next_vgpr = symbol_find(&u->program->symbols, ".amdgcn.next_free_vgpr", 22);
        u->program->next_sgpr = symbol_find(&u->program->symbols, ".amdgcn.next_free_sgpr", 22);
    }
    // They are in no object's table unless the text gives them a value.
    while (u->program->first_symbol->next)
        u->program->first_symbol->next->registered = false,
        u->program->first_symbol->next = u->program->first_symbol->next->next;
    u->program->last_symbol = &u->program->first_symbol->next;
    for (size_t i = 0; ok && i < u->program->options->define_count; i++) {
        const char *text = u->program->options->define[i], *equal = strchr(text, '=');
        char *rest;
        long long v = equal ? strtoll(equal + 1, &rest, 0) : 0;
        if (!equal || equal == text || rest == equal + 1 || *rest) {
            diag_fail(u->program->sink, SW_USAGE, NULL, "defsym must be of the form NAME=NUMBER: %s", text);
            return false;
        }
        ok = program_assign(u->program, (struct slice){text, (size_t)(equal - text)},
                            &(struct mc_value){.number = v}, true, NULL);
    }
    return ok;
}

static sw_status take_features(struct unit *u) {
    const struct sw_processor *p = u->program->mode.processor;
    u->program->mode.isa = *isa_of(p);
    u->program->mode.wave32 = has(p, CAP_wave32);
    u->program->xnack =
        u->program->target.xnack == SW_SETTING_ON || u->program->target.xnack == SW_SETTING_ANY;
    u->program->sramecc =
        u->program->target.sramecc == SW_SETTING_ON || u->program->target.sramecc == SW_SETTING_ANY;
    unsigned sizes = 0; // of waves, asked for
    for (const char *f = u->program->options->features; f && *f;) {
        size_t length = strcspn(f, ",");
        bool sign = *f == '+' || *f == '-', on = *f == '+';
        struct slice name = {f + sign, length - sign};
        bool ok =
            length && sign &&
            isa_set_feature(&u->program->mode.isa, &u->program->mode.wave32, name.text, name.length, on);
        if (slice_is(name, "xnack") && has(p, CAP_xnack))
            u->program->xnack = on, u->program->target.xnack = on ? SW_SETTING_ON : SW_SETTING_OFF;
        if (slice_is(name, "sramecc") && has(p, CAP_sramecc))
            u->program->sramecc = on, u->program->target.sramecc = on ? SW_SETTING_ON : SW_SETTING_OFF;
        sizes |= on && slice_is(name, "wavefrontsize32")   ? 1
                 : on && slice_is(name, "wavefrontsize64") ? 2
                                                           : 0;
        if (slice_is(name, "cumode")) u->program->cumode = on;
        if (slice_is(name, "tgsplit")) u->program->tgsplit = on;
        if (!ok && length)
            return diag_fail(u->program->sink, SW_USAGE, NULL, "%s has no feature '%.*s'", p->name,
                             (int)length, f);
        f += length + (f[length] == ',');
    }
    u->program->mode.any_wave = sizes == 3;
    return SW_OK;
}

static void dispose(struct unit *u) {
    while (u->source) {
        u->conditions.count = 0;
        unit_pop(u);
    }
    array_free(&u->conditions);
    text_free(&u->scratch);
    text_free(&u->line);
    dwarf_free(u->program);
    program_free(u->program);
}

// ---- What the program tells the reader of ----

static bool labelled(void *unit, const struct symbol *label) {
    struct unit *u = unit;
    return dwarf_add_label(u->program, label, u->statement_line);
}

static bool entered(void *unit, struct section *section) {
    struct unit *u = unit;
    return dwarf_add_section(u->program, section);
}

static bool row(void *unit) {
    struct unit *u = unit;
    return dwarf_row(u->program);
}

// # 12 "file.S": where the next line of preprocessed text is from.
static void marker(struct unit *u, const char *p, const char *end) {
    p = skip_space(p + 1, end);
    if (p == end || !char_is(*p, CHAR_DIGIT)) return;
    struct number n = lex_number(&p, end);
    p = skip_space(p, end);
    const char *close = p < end && *p == '"' ? memchr(p + 1, '"', (size_t)(end - p - 1)) : NULL;
    if (n.error || n.kind != NUMBER_INTEGER || !close || close == p + 1) return;
    if (unit_shows(u)) unit_show(u, "\n");
    if (u->program->describes)
        dwarf_marker(u->program, (struct slice){p + 1, (size_t)(close - p - 1)}, (uint32_t)n.low,
                     u->statement_line);
}

// ---- From begin to end ----

static void show_target(struct unit *u) {
    char target[PROGRAM_TARGET_TEXT];
    if (u->program->options->os != SW_OS_AMDHSA) return;
    program_target_text(u->program, target);
    text_printf(&u->line, "\t.amdgcn_target \"%s\"", target);
    unit_show(u, "\n");
}
// llvm-mc keeps lines that are empty, but not those of comments alone.
static bool is_blank_line(const struct unit *u) {
    const char *p = u->statement, *end = u->source ? u->source->end : p;
    while (p < end && (*p == ' ' || *p == '\t' || *p == '\r')) p++;
    return p < end && *p == '\n';
}

static void read_all(struct unit *u) {
    const char *p, *end;
    const bool shows = unit_shows(u);
    if (shows) show_target(u);
    while (!u->program->ended && unit_next_statement(u, &p, &end)) {
        if (p < end)
            unit_statement(u, p, end);
        else if (shows && !unit_skips(u) && is_blank_line(u))
            unit_show(u, "\n");
        // A listing keeps no bytes but those that something still refers to.
    }
    while (u->source && u->source->parent) unit_pop(u);
    if (u->conditions.count && !u->program->ended) unit_error(u, NULL, "unmatched .ifs or .elses");
    u->conditions.count = 0;
}

static bool finish(struct unit *u, uint8_t **object, size_t *object_size) {
    return finish_pal(u->program) && finish_profile(u->program) && finish_versions(u->program) &&
           program_join_subsections(u->program) && object_lay_out(u->program) && program_settle(u->program) &&
           finish_kernels(u->program) && finish_codes(u->program) && dwarf_write(u->program) &&
           object_resolve(u->program) && !u->program->errors && object_write(u->program, object, object_size);
}

sw_status sw_assemble(const char *text, size_t length, const sw_asm_options *given, uint8_t **object,
                      size_t *object_size, const sw_sink *sink) {
    *object = NULL;
    *object_size = 0;
    sw_asm_options own, *options = &own;
    sw_status status = sized_take(SIZED(sw_asm_options, triple), options, given, sink);
    if (status) return status;
    const sw_processor *p = options->target.processor;
    if (!p || !isa_of(p))
        return diag_fail(sink, SW_UNSUPPORTED, NULL, "no assembler for %s", p ? p->name : "nothing");
    struct program program = {.options = options, .sink = sink, .target = options->target};
    struct unit u = {.program = &program, .text = text, .text_end = text + length, .marker = marker};
    const struct program_reader reader = {.context = &u,
                                          .message = unit_message,
                                          .late = unit_late,
                                          .labelled = labelled,
                                          .entered = entered,
                                          .row = row};
    program.reader = &reader;
    program.version = options->code_object_version ? options->code_object_version : 6;
    program.mode.processor = p;
    program.symbols.arena = &program.arena;
    program.last_symbol = &program.first_symbol;
    program.last_section = &program.sections;
    program.last_kernel = &program.kernels;
    program.last_code = &program.codes;
    program.layout =
        (struct expr_layout){.distance = program_distance, .call = program_call, .context = &program};
    unit_init(&u);
    status = take_features(&u);
    if (!status && (!(program.section = program_section(&program, (struct slice){".text", 5}, SHT_PROGBITS,
                                                        SHF_ALLOC | SHF_EXECINSTR, 0)) ||
                    !predefine(&u)))
        status = program.failed ? SW_NO_MEMORY : SW_USAGE;
    if (!status &&
        unit_push(&u, (struct source){.name = options->name, .text = text, .end = text + length})) {
        if (!options->debug || options->listing || dwarf_begin_source(&program, text, length)) read_all(&u);
        bool ok = !program.errors && !program.stopped;
        if (ok && !options->listing) ok = finish(&u, object, object_size);
        status = ok && !program.errors && !program.failed ? SW_OK
                 : program.failed                         ? SW_NO_MEMORY
                                                          : SW_BAD_INPUT;
    }
    dispose(&u);
    return status;
}
