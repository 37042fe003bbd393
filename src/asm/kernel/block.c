// SPDX-License-Identifier: MIT
// .amdhsa_kernel: the kernel descriptor from its directives (ASM-33 to ASM-73, KD-01 to KD-66). The values
// may depend on symbols that come later, so the 64 bytes are reserved at once and, where they are not known
// yet, filled in after the text.
#include "asm/kernel/kernel.h"
#include "asm/kernel/text.h"

#include <elf.h>
#include <string.h>

// Why a processor does not have a field.
static const char *const lacks[] = {
    [ALL] = "",
    [SCRATCH_SETUP] = "its flat scratch is not set up by the program",
    [ARCHITECTED] = "its flat scratch is set up by the program",
    [FLAT] = "it has no FLAT_SCRATCH register",
    [XNACK] = "it has no XNACK_MASK",
    [UNIFIED] = "its VGPRs and AGPRs are apart",
    [PRELOAD] = "it does not preload kernel arguments",
    [WAVES] = "it has no waves of 32 lanes",
    [WGP] = "its work-groups lie in one compute unit",
    [IEEE] = "it has no IEEE_MODE and DX10_CLAMP",
    [NO_IEEE] = "IEEE_MODE and DX10_CLAMP are in its place",
    [CLAMP16] = "it has no FP16_OVFL",
    [SHARED] = "it has no shared VGPRs",
    [PREFETCH] = "it does not prefetch instructions",
    [BARRIERS] = "it has no named barriers to count",
};

static void set_initial(const struct unit *u, struct kernel *k) {
    for (unsigned i = 0; i < ROWS; i++)
        if (kernel_has_row(u->program, i)) k->value[i].number = kernel_rows[i].initial;
    k->value[RESERVE_XNACK].number = u->program->xnack && kernel_has_row(u->program, RESERVE_XNACK);
    k->value[WAVE32].number = u->program->mode.wave32;
    k->value[WGP_MODE].number = kernel_has_row(u->program, WGP_MODE) && !u->program->cumode;
    k->value[TG_SPLIT].number = u->program->tgsplit;
}

static bool one_field(struct unit *u, struct kernel *k, const char *p, const char *end) {
    struct slice name;
    const char *start = p;
    if (!lex_name(&p, end, &name) || name.length < 9 || memcmp(name.text, ".amdhsa_", 8))
        return unit_error(u, start, "expected .amdhsa_ directive or .end_amdhsa_kernel");
    struct slice rest = {name.text + 8, name.length - 8};
    unsigned i = 0;
    while (i < ROWS && !slice_is(rest, kernel_rows[i].name)) i++;
    if (i == ROWS)
        return unit_error(u, name.text, "unknown .amdhsa_kernel directive %.*s", (int)name.length, name.text);
    const struct field_row *row = &kernel_rows[i];
    const bool waves = kernel_has(u->program, WAVES);
    if (!kernel_has_row(u->program, i))
        return unit_error(u, name.text, ".amdhsa_%s does not exist on %s: %s", row->name,
                          u->program->mode.processor->name,
                          lacks[row->need == WGP && !waves ? WAVES : row->need]);
    if (k->given[i])
        return unit_error(u, name.text, ".amdhsa_%s is given twice, first in line %u", row->name,
                          k->places[i]->line);
    const char *where = skip_space(p, end);
    struct mc_value v;
    int64_t n;
    if (!unit_expression(u, &p, end, &v) || !unit_end(u, p, end)) return false;
    if (!(k->places[i] = unit_keep_place(u, where))) return false;
    enum expr_status s = expr_absolute(&v, &u->program->layout, &n);
    if (!s) {
        v = (struct mc_value){.number = n};
        if (!kernel_check_range(u->program, k, i, n)) return false;
    } else if (s != EXPR_UNKNOWN || row->now)
        return unit_error(u, where, ".amdhsa_%s: %s", row->name,
                          s == EXPR_UNKNOWN ? "directive should have resolvable expression"
                                            : expr_status_text(s));
    k->given[i] = true;
    k->value[i] = v;
    k->order[k->count++] = (uint8_t)i;
    return true;
}

// ---- The block ----

static void register_value(struct unit *u, const struct kernel *k, unsigned row) {
    if (k->value[row].expr) program_register_used(u->program, k->value[row].expr);
}

// Symbols are met in the order of the descriptor's words, within a word in that of the text, and what is
// computed comes last.
static void register_symbols(struct unit *u, const struct kernel *k, const struct expr *entry) {
    static const uint16_t words[] = {352, 384, 416, 448, 464, 480};
    for (unsigned i = GROUP_SIZE; i <= KERNARG_SIZE; i++) register_value(u, k, i);
    program_register_used(u->program, entry);
    for (unsigned w = 0; w < 5; w++) {
        for (unsigned i = 0; i < k->count; i++) {
            const struct field_row *row = &kernel_rows[k->order[i]];
            if (row->width && row->first >= words[w] && row->first < words[w + 1])
                register_value(u, k, k->order[i]);
        }
        if (w == 0) register_value(u, k, ACCUM_OFFSET);
        if (w != 1) continue;
        register_value(u, k, NEXT_VGPR);
        if (has(u->program->mode.processor, CAP_fixed_sgprs) ||
            has(u->program->mode.processor, CAP_sgpr_init_bug))
            continue;
        register_value(u, k, NEXT_SGPR);
        register_value(u, k, RESERVE_VCC);
        register_value(u, k, RESERVE_FLAT);
    }
}

static struct symbol *descriptor_symbol(struct unit *u, struct kernel *k, struct symbol *code) {
    struct text t = {0};
    text_add(&t, k->name.text, k->name.length);
    text_puts(&t, ".kd");
    struct symbol *kd = t.failed ? NULL : program_symbol(u->program, (struct slice){t.data, t.length});
    text_free(&t);
    if (!kd || !(kd->size = expr_number(&u->program->arena, 64))) return program_no_memory(u->program), NULL;
    kd->binding = code->has_binding                 ? code->binding
                  : code->state != SYMBOL_UNDEFINED ? STB_LOCAL
                                                    : STB_GLOBAL;
    kd->has_binding = true;
    kd->visibility = code->visibility;
    kd->type = STT_OBJECT;
    if (code->visibility == STV_DEFAULT) code->visibility = STV_PROTECTED;
    return kd;
}

// In the order in which llvm-mc shows them.
static const char *const shown_rows[] = {
    "group_segment_fixed_size",
    "private_segment_fixed_size",
    "kernarg_size",
    "user_sgpr_count",
    "user_sgpr_private_segment_buffer",
    "user_sgpr_dispatch_ptr",
    "user_sgpr_queue_ptr",
    "user_sgpr_kernarg_segment_ptr",
    "user_sgpr_dispatch_id",
    "user_sgpr_flat_scratch_init",
    "user_sgpr_kernarg_preload_length",
    "user_sgpr_kernarg_preload_offset",
    "user_sgpr_private_segment_size",
    "wavefront_size32",
    "uses_dynamic_stack",
    "system_sgpr_private_segment_wavefront_offset",
    "enable_private_segment",
    "system_sgpr_workgroup_id_x",
    "system_sgpr_workgroup_id_y",
    "system_sgpr_workgroup_id_z",
    "system_sgpr_workgroup_info",
    "system_vgpr_workitem_id",
    "next_free_vgpr",
    "next_free_sgpr",
    "named_barrier_count",
    "accum_offset",
    "reserve_vcc",
    "reserve_flat_scratch",
    "reserve_xnack_mask",
    "float_round_mode_32",
    "float_round_mode_16_64",
    "float_denorm_mode_32",
    "float_denorm_mode_16_64",
    "dx10_clamp",
    "ieee_mode",
    "fp16_overflow",
    "tg_split",
    "workgroup_processor_mode",
    "memory_ordered",
    "forward_progress",
    "shared_vgpr_count",
    "inst_pref_size",
    "round_robin_scheduling",
    "exception_fp_ieee_invalid_op",
    "exception_fp_denorm_src",
    "exception_fp_ieee_div_zero",
    "exception_fp_ieee_overflow",
    "exception_fp_ieee_underflow",
    "exception_fp_ieee_inexact",
    "exception_int_div_zero",
};
static int64_t user_sgprs(const struct unit *u, const struct kernel *k) {
    int64_t count = kernel_has_row(u->program, PRELOAD_LENGTH) ? k->value[PRELOAD_LENGTH].number : 0;
    if (k->given[USER_COUNT]) return k->value[USER_COUNT].number;
    for (unsigned i = 0; i < ROWS; i++)
        if (kernel_has_row(u->program, i) && k->value[i].number) count += kernel_rows[i].sgprs;
    return count;
}
static void show_row(struct unit *u, const struct kernel *k, unsigned row) {
    struct mc_value v = k->value[row];
    if (row == USER_COUNT) v.number = user_sgprs(u, k);
    text_printf(&u->line, "\t\t.amdhsa_%s ", kernel_rows[row].name);
    unit_show_value(u, &v);
    unit_show(u, "\n");
}
static bool is_shown(const struct program *program, unsigned row) {
    const bool says_xnack = program->version == 4 || program->version == 5; // later ones have no need to
    return kernel_has_row(program, row) && (row != RESERVE_XNACK || says_xnack);
}
static void show_block(struct unit *u, const struct kernel *k) {
    if (!unit_shows(u)) return;
    unit_show_symbol(u, "\t.amdhsa_kernel ", k->name, "\n");
    for (size_t i = 0; i < sizeof shown_rows / sizeof *shown_rows; i++)
        for (unsigned row = 0; row < ROWS; row++)
            if (!strcmp(kernel_rows[row].name, shown_rows[i]) && is_shown(u->program, row))
                show_row(u, k, row);
    unit_show(u, "\t.end_amdhsa_kernel\n\n");
}

static bool finish_block(struct unit *u, struct kernel *k, const char *where) {
    static const uint8_t required[] = {NEXT_VGPR, NEXT_SGPR, ACCUM_OFFSET};
    for (unsigned i = 0; i < sizeof required; i++)
        if (!k->given[required[i]] && kernel_has_row(u->program, required[i]))
            return unit_error(u, where, ".amdhsa_%s directive is required on %s",
                              kernel_rows[required[i]].name, u->program->mode.processor->name);
    k->where = unit_place_of(u, where);
    bool late;
    if (!kernel_make(u->program, k, &late)) return false;
    k->done = !late;
    show_block(u, k);
    struct symbol *code = program_symbol(u->program, k->name);
    struct symbol *kd = code ? descriptor_symbol(u, k, code) : NULL;
    if (!kd || !program_define_label(u->program, kd, where)) return false;
    if (u->program->section->type == SHT_NOBITS)
        return unit_error(u, where, "a descriptor needs a section with contents, %s has none",
                          u->program->section->name);
    // The linker reckons the distance even when both are in one section.
    struct expr *to = arena_alloc(&u->program->arena, sizeof *to);
    if (to) {
        *to = code->reference;
        to->variant = VARIANT_REL64;
    }
    const struct expr *entry = expr_binary(&u->program->arena, OP_SUB, to, &kd->reference);
    if (!entry) return program_no_memory(u->program);
    k->at = program_here(u->program);
    register_symbols(u, k, entry);
    if (!program_fixup(u->program, k->at.offset + 16, FIX_DATA8, entry) ||
        !program_emit(u->program, k->bytes, sizeof k->bytes))
        return false;
    if (k->done) return true;
    *u->program->last_kernel = k;
    u->program->last_kernel = &k->next;
    return true;
}

bool dir_kernel(struct unit *u, struct slice directive, const char *p, const char *end, unsigned arg) {
    (void)arg;
    struct slice name;
    if (u->program->options->os != SW_OS_AMDHSA || program_is_v2(u->program))
        return unit_error(u, directive.text,
                          u->program->options->os == SW_OS_NONE
                              ? "'%.*s' is a directive of amdhsa; this assembly is for no system "
                                "(sw_asm_options.os, as --triple)"
                              : "unknown directive '%.*s': of code objects V3 to V6 for amdhsa",
                          (int)directive.length, directive.text);
    if (!unit_name(u, &p, end, &name) || !unit_end(u, p, end)) return false;
    struct kernel *k = arena_alloc(&u->program->arena, sizeof *k);
    if (!k) return program_no_memory(u->program);
    k->name = (struct slice){arena_copy(&u->program->arena, name.text, name.length), name.length};
    if (!k->name.text) return program_no_memory(u->program);
    set_initial(u, k);
    bool ok = true;
    while (unit_next_statement(u, &p, &end)) {
        p = skip_space(p, end);
        if (p == end) continue;
        struct slice word = {p, (size_t)(end - p)};
        if (slice_is(word, ".end_amdhsa_kernel")) return ok && finish_block(u, k, p);
        ok &= one_field(u, k, p, end);
        if (u->program->ended) return false;
    }
    return unit_error(u, NULL, "an .end_amdhsa_kernel is missing");
}

bool finish_kernels(struct program *program) {
    bool ok = true, late;
    for (struct kernel *k = program->kernels; k; k = k->next) {
        if (!kernel_make(program, k, &late)) {
            ok = false;
            continue;
        }
        uint8_t *to = program_bytes_at(k->at); // what is between is the entry's, and reserved
        memcpy(to, k->bytes, 16);
        memcpy(to + 44, k->bytes + 44, 20);
    }
    return ok;
}
