// SPDX-License-Identifier: MIT
// .amdhsa_kernel: the kernel descriptor from its directives (ASM-33 to ASM-73, KD-01 to KD-66). The values
// may depend on symbols that come later, so the 64 bytes are reserved at once and, where they are not known
// yet, filled in after the text.
#include "asm/kernel/kernel.h"
#include "asm/kernel/text.h"

#include <elf.h>
#include <string.h>

const struct field_row kernel_rows[] = {
    [GROUP_SIZE] = {"group_segment_fixed_size", 0, 32, ALL, 0, 0, false},
    [PRIVATE_SIZE] = {"private_segment_fixed_size", 32, 32, ALL, 0, 0, false},
    [KERNARG_SIZE] = {"kernarg_size", 64, 32, ALL, 0, 0, true},
    [USER_COUNT] = {"user_sgpr_count", 417, 5, ALL, 0, 0, true},
    [NEXT_VGPR] = {"next_free_vgpr", 0, 0, ALL, 0, 0, false},
    [NEXT_SGPR] = {"next_free_sgpr", 0, 0, ALL, 0, 0, false},
    [ACCUM_OFFSET] = {"accum_offset", 0, 0, UNIFIED, 0, 0, false},
    [RESERVE_VCC] = {"reserve_vcc", 0, 0, ALL, 0, 1, false},
    [RESERVE_FLAT] = {"reserve_flat_scratch", 0, 0, FLAT, 0, 1, false},
    [RESERVE_XNACK] = {"reserve_xnack_mask", 0, 0, XNACK, 0, 0, false},
    [PRELOAD_LENGTH] = {"user_sgpr_kernarg_preload_length", 464, 7, PRELOAD, 0, 0, true},
    [PRELOAD_OFFSET] = {"user_sgpr_kernarg_preload_offset", 471, 9, PRELOAD, 0, 0, true},
    [WAVE32] = {"wavefront_size32", 458, 1, WAVES, 0, 0, true},
    [SHARED_COUNT] = {"shared_vgpr_count", 352, 4, SHARED, 0, 0, true},
    [PREFETCH_SIZE] = {"inst_pref_size", 356, 6, PREFETCH, 0, 0, false},
    [WGP_MODE] = {"workgroup_processor_mode", 413, 1, WAVES, 0, 0, false},
    [MEMORY_ORDERED] = {"memory_ordered", 414, 1, WAVES, 0, 1, false},
    [FORWARD] = {"forward_progress", 415, 1, WAVES, 0, 1, false},
    [TG_SPLIT] = {"tg_split", 368, 1, UNIFIED, 0, 0, false},
    [FIRST_PLAIN] = {"user_sgpr_private_segment_buffer", 448, 1, SCRATCH_SETUP, 4, 0, true},
    {"user_sgpr_dispatch_ptr", 449, 1, ALL, 2, 0, true},
    {"user_sgpr_queue_ptr", 450, 1, ALL, 2, 0, true},
    {"user_sgpr_kernarg_segment_ptr", 451, 1, ALL, 2, 0, true},
    {"user_sgpr_dispatch_id", 452, 1, ALL, 2, 0, true},
    {"user_sgpr_flat_scratch_init", 453, 1, SCRATCH_SETUP, 2, 0, true},
    {"user_sgpr_private_segment_size", 454, 1, ALL, 1, 0, true},
    {"uses_dynamic_stack", 459, 1, ALL, 0, 0, false},
    {"system_sgpr_private_segment_wavefront_offset", 416, 1, SCRATCH_SETUP, 0, 0, false},
    {"enable_private_segment", 416, 1, ARCHITECTED, 0, 0, false},
    {"system_sgpr_workgroup_id_x", 423, 1, ALL, 0, 1, false},
    {"system_sgpr_workgroup_id_y", 424, 1, ALL, 0, 0, false},
    {"system_sgpr_workgroup_id_z", 425, 1, ALL, 0, 0, false},
    {"system_sgpr_workgroup_info", 426, 1, ALL, 0, 0, false},
    {"system_vgpr_workitem_id", 427, 2, ALL, 0, 0, false},
    {"float_round_mode_32", 396, 2, ALL, 0, 0, false},
    {"float_round_mode_16_64", 398, 2, ALL, 0, 0, false},
    {"float_denorm_mode_32", 400, 2, ALL, 0, 0, false},
    {"float_denorm_mode_16_64", 402, 2, ALL, 0, 3, false},
    {"dx10_clamp", 405, 1, IEEE, 0, 1, false},
    {"ieee_mode", 407, 1, IEEE, 0, 1, false},
    {"round_robin_scheduling", 405, 1, NO_IEEE, 0, 0, false},
    {"fp16_overflow", 410, 1, CLAMP16, 0, 0, false},
    {"exception_fp_ieee_invalid_op", 440, 1, ALL, 0, 0, false},
    {"exception_fp_denorm_src", 441, 1, ALL, 0, 0, false},
    {"exception_fp_ieee_div_zero", 442, 1, ALL, 0, 0, false},
    {"exception_fp_ieee_overflow", 443, 1, ALL, 0, 0, false},
    {"exception_fp_ieee_underflow", 444, 1, ALL, 0, 0, false},
    {"exception_fp_ieee_inexact", 445, 1, ALL, 0, 0, false},
    {"exception_int_div_zero", 446, 1, ALL, 0, 0, false},
};
_Static_assert(sizeof kernel_rows / sizeof *kernel_rows == ROWS, "the rows are counted in kernel.h");

bool kernel_has(const struct program *program, enum need need) {
    const struct sw_processor *p = program->mode.processor;
    bool ieee = has(p, CAP_ieee_mode), architected = has(p, CAP_architected_flat_scratch),
         waves = has(p, CAP_wave32);
    switch (need) {
    case SCRATCH_SETUP: return !architected;
    case ARCHITECTED: return architected;
    case FLAT: return has(p, CAP_flat_address_space) && !architected;
    case XNACK: return fact(p, FACT_xnack_mask);
    case UNIFIED: return has(p, CAP_unified_vgprs);
    case PRELOAD: return has(p, CAP_kernarg_preload);
    case WAVES: return waves;
    case IEEE: return ieee;
    case NO_IEEE: return !ieee;
    case CLAMP16: return fact(p, FACT_fp16_overflow);
    case SHARED: return fact(p, FACT_shared_vgprs);
    case PREFETCH: return fact(p, FACT_inst_prefetch);
    default: return true;
    }
}

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
    [IEEE] = "it has no IEEE_MODE and DX10_CLAMP",
    [NO_IEEE] = "IEEE_MODE and DX10_CLAMP are in its place",
    [CLAMP16] = "it has no FP16_OVFL",
    [SHARED] = "it has no shared VGPRs",
    [PREFETCH] = "it does not prefetch instructions",
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
    if (!kernel_has_row(u->program, i))
        return unit_error(u, name.text, ".amdhsa_%s does not exist on %s: %s", row->name,
                          u->program->mode.processor->name, lacks[row->need]);
    if (k->given[i])
        return unit_error(u, name.text, ".amdhsa_%s is given twice, first in line %u", row->name,
                          k->places[i]->line);
    const char *where = skip_space(p, end);
    struct asm_value v;
    int64_t n;
    if (!unit_expression(u, &p, end, &v) || !unit_end(u, p, end)) return false;
    if (!(k->places[i] = unit_keep_place(u, where))) return false;
    enum expr_status s = expr_absolute(&v, &u->program->layout, &n);
    if (!s) {
        v = (struct asm_value){.number = n};
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
        return unit_error(u, directive.text, "unknown directive '%.*s': of code objects V3 to V6 for amdhsa",
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
