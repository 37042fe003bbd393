// SPDX-License-Identifier: MIT
// .amdhsa_kernel: the kernel descriptor from its directives (ASM-33 to ASM-73, KD-01 to KD-66). The values
// may depend on symbols that come later, so the 64 bytes are reserved at once and filled in after the text.
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "asm/unit.h"
#include "base/bytes.h"

enum need {
    ALL,
    SCRATCH_SETUP, // flat scratch is set up by the program
    ARCHITECTED,   // or not
    FLAT,          // flat addresses and a program that sets scratch up
    XNACK,         // there is an XNACK mask
    UNIFIED,       // VGPRs and AGPRs in one file
    PRELOAD,
    WAVES, // wave32 exists, and WGP mode with it
    IEEE,
    NO_IEEE,
    CLAMP16,
    SHARED,
    PREFETCH,
};

// Bit first..first+width of the descriptor; width 0: not a field of its own. `sgprs`: user SGPRs that it asks
// for.
struct field_row {
    const char *name;
    uint16_t first;
    uint8_t width, need, sgprs, initial;
};
enum field_id {
    GROUP_SIZE,
    PRIVATE_SIZE,
    KERNARG_SIZE,
    USER_COUNT,
    NEXT_VGPR,
    NEXT_SGPR,
    ACCUM_OFFSET,
    RESERVE_VCC,
    RESERVE_FLAT,
    RESERVE_XNACK,
    PRELOAD_LENGTH,
    PRELOAD_OFFSET,
    WAVE32,
    SHARED_COUNT,
    PREFETCH_SIZE,
    WGP_MODE,
    MEMORY_ORDERED,
    FORWARD,
    TG_SPLIT,
    FIRST_PLAIN,
};
static const struct field_row rows[] = {
    [GROUP_SIZE] = {"group_segment_fixed_size", 0, 32, ALL, 0, 0},
    [PRIVATE_SIZE] = {"private_segment_fixed_size", 32, 32, ALL, 0, 0},
    [KERNARG_SIZE] = {"kernarg_size", 64, 32, ALL, 0, 0},
    [USER_COUNT] = {"user_sgpr_count", 417, 5, ALL, 0, 0},
    [NEXT_VGPR] = {"next_free_vgpr", 0, 0, ALL, 0, 0},
    [NEXT_SGPR] = {"next_free_sgpr", 0, 0, ALL, 0, 0},
    [ACCUM_OFFSET] = {"accum_offset", 0, 0, UNIFIED, 0, 0},
    [RESERVE_VCC] = {"reserve_vcc", 0, 0, ALL, 0, 1},
    [RESERVE_FLAT] = {"reserve_flat_scratch", 0, 0, FLAT, 0, 1},
    [RESERVE_XNACK] = {"reserve_xnack_mask", 0, 0, XNACK, 0, 0},
    [PRELOAD_LENGTH] = {"user_sgpr_kernarg_preload_length", 464, 7, PRELOAD, 0, 0},
    [PRELOAD_OFFSET] = {"user_sgpr_kernarg_preload_offset", 471, 9, PRELOAD, 0, 0},
    [WAVE32] = {"wavefront_size32", 458, 1, WAVES, 0, 0},
    [SHARED_COUNT] = {"shared_vgpr_count", 352, 4, SHARED, 0, 0},
    [PREFETCH_SIZE] = {"inst_pref_size", 356, 6, PREFETCH, 0, 0},
    [WGP_MODE] = {"workgroup_processor_mode", 413, 1, WAVES, 0, 0},
    [MEMORY_ORDERED] = {"memory_ordered", 414, 1, WAVES, 0, 1},
    [FORWARD] = {"forward_progress", 415, 1, WAVES, 0, 1},
    [TG_SPLIT] = {"tg_split", 368, 1, UNIFIED, 0, 0},
    [FIRST_PLAIN] = {"user_sgpr_private_segment_buffer", 448, 1, SCRATCH_SETUP, 4, 0},
    {"user_sgpr_dispatch_ptr", 449, 1, ALL, 2, 0},
    {"user_sgpr_queue_ptr", 450, 1, ALL, 2, 0},
    {"user_sgpr_kernarg_segment_ptr", 451, 1, ALL, 2, 0},
    {"user_sgpr_dispatch_id", 452, 1, ALL, 2, 0},
    {"user_sgpr_flat_scratch_init", 453, 1, SCRATCH_SETUP, 2, 0},
    {"user_sgpr_private_segment_size", 454, 1, ALL, 1, 0},
    {"uses_dynamic_stack", 459, 1, ALL, 0, 0},
    {"system_sgpr_private_segment_wavefront_offset", 416, 1, SCRATCH_SETUP, 0, 0},
    {"enable_private_segment", 416, 1, ARCHITECTED, 0, 0},
    {"system_sgpr_workgroup_id_x", 423, 1, ALL, 0, 1},
    {"system_sgpr_workgroup_id_y", 424, 1, ALL, 0, 0},
    {"system_sgpr_workgroup_id_z", 425, 1, ALL, 0, 0},
    {"system_sgpr_workgroup_info", 426, 1, ALL, 0, 0},
    {"system_vgpr_workitem_id", 427, 2, ALL, 0, 0},
    {"float_round_mode_32", 396, 2, ALL, 0, 0},
    {"float_round_mode_16_64", 398, 2, ALL, 0, 0},
    {"float_denorm_mode_32", 400, 2, ALL, 0, 0},
    {"float_denorm_mode_16_64", 402, 2, ALL, 0, 3},
    {"dx10_clamp", 405, 1, IEEE, 0, 1},
    {"ieee_mode", 407, 1, IEEE, 0, 1},
    {"round_robin_scheduling", 405, 1, NO_IEEE, 0, 0},
    {"fp16_overflow", 410, 1, CLAMP16, 0, 0},
    {"exception_fp_ieee_invalid_op", 440, 1, ALL, 0, 0},
    {"exception_fp_denorm_src", 441, 1, ALL, 0, 0},
    {"exception_fp_ieee_div_zero", 442, 1, ALL, 0, 0},
    {"exception_fp_ieee_overflow", 443, 1, ALL, 0, 0},
    {"exception_fp_ieee_underflow", 444, 1, ALL, 0, 0},
    {"exception_fp_ieee_inexact", 445, 1, ALL, 0, 0},
    {"exception_int_div_zero", 446, 1, ALL, 0, 0},
};
enum { ROWS = sizeof rows / sizeof *rows };

struct kernel {
    struct kernel *next;
    struct place at;
    uint32_t line;
    struct asm_value value[ROWS];
    bool given[ROWS];
    uint32_t lines[ROWS];
};

// XNACK_MASK came with GFX8, as s_memrealtime did, and went with GFX11.
static bool has_xnack_mask(const struct sw_processor *p) { return has(p, CAP_s_memrealtime); }

static bool exists(const struct unit *u, enum need need) {
    const struct sw_processor *p = u->mode.processor;
    bool ieee = has(p, CAP_ieee_mode), architected = has(p, CAP_architected_flat_scratch),
         waves = has(p, CAP_wave32);
    switch (need) {
    case SCRATCH_SETUP: return !architected;
    case ARCHITECTED: return architected;
    case FLAT: return has(p, CAP_flat_address_space) && !architected;
    case XNACK: return has_xnack_mask(p) && has(p, CAP_xnack);
    case UNIFIED: return has(p, CAP_unified_vgprs);
    case PRELOAD: return has(p, CAP_kernarg_preload);
    case WAVES: return waves;
    case IEEE: return ieee;
    case NO_IEEE: return !ieee;
    case CLAMP16: return has(p, CAP_aperture_registers);
    case SHARED: return waves && ieee;
    case PREFETCH: return waves && architected;
    default: return true;
    }
}

static bool exists_here(const struct unit *u, unsigned row) { return exists(u, rows[row].need); }

static void set_bits(uint8_t bytes[64], unsigned first, unsigned width, uint64_t v) {
    for (unsigned i = 0; i < width; i++) {
        uint8_t bit = (uint8_t)(1 << ((first + i) & 7));
        bytes[(first + i) >> 3] = (uint8_t)((bytes[(first + i) >> 3] & ~bit) | (v >> i & 1 ? bit : 0));
    }
}

static void set_initial(const struct unit *u, struct kernel *k) {
    for (unsigned i = 0; i < ROWS; i++)
        if (exists_here(u, i)) k->value[i].number = rows[i].initial;
    k->value[RESERVE_XNACK].number = u->xnack && exists_here(u, RESERVE_XNACK);
    k->value[WAVE32].number = u->mode.wave32;
    k->value[WGP_MODE].number = exists_here(u, WGP_MODE) && !u->cumode;
    k->value[TG_SPLIT].number = u->tgsplit;
}

static bool one_field(struct unit *u, struct kernel *k, const char *p, const char *end) {
    struct slice name;
    if (!lex_name(&p, end, &name) || name.length < 9 || memcmp(name.text, ".amdhsa_", 8))
        return unit_error(u, p, "expected an .amdhsa_ directive or .end_amdhsa_kernel");
    struct slice rest = {name.text + 8, name.length - 8};
    unsigned i = 0;
    while (i < ROWS && !slice_is(rest, rows[i].name)) i++;
    if (i == ROWS) return unit_error(u, name.text, "unknown .amdhsa_kernel directive");
    if (!exists_here(u, i))
        return unit_error(u, name.text, "%.*s does not exist on %s", (int)name.length, name.text,
                          u->mode.processor->name);
    if (k->given[i]) return unit_error(u, name.text, ".amdhsa_ directives cannot be repeated");
    const char *where = skip_space(p, end);
    struct asm_value v;
    int64_t n;
    if (!unit_expression(u, &p, end, &v) || !unit_end(u, p, end)) return false;
    if (!expr_absolute(&v, &u->layout, &n)) {
        v = (struct asm_value){.number = n};
        unsigned width = i == PREFETCH_SIZE && !exists(u, IEEE) ? 8 : rows[i].width ? rows[i].width : 32;
        if (rows[i].initial <= 1 && !rows[i].width && i >= RESERVE_VCC && i <= RESERVE_XNACK) width = 1;
        if (n < 0 || n >> width)
            return unit_error(u, where, "value out of range: %lld does not fit %u bits", (long long)n, width);
        if (i == ACCUM_OFFSET && (n < 4 || n > 256 || n & 3))
            return unit_error(u, where, "accum_offset must be a multiple of 4 from 4 to 256");
        if (i == WAVE32 && n && !has(u->mode.processor, CAP_wave32))
            return unit_error(u, where, "value out of range");
    }
    k->given[i] = true;
    k->value[i] = v;
    k->lines[i] = u->statement_line;
    return true;
}

static bool finish_block(struct unit *u, struct kernel *k, struct slice name, const char *where) {
    if (!k->given[NEXT_VGPR]) return unit_error(u, where, ".amdhsa_next_free_vgpr directive is required");
    if (!k->given[NEXT_SGPR]) return unit_error(u, where, ".amdhsa_next_free_sgpr directive is required");
    if (exists(u, UNIFIED) && !k->given[ACCUM_OFFSET])
        return unit_error(u, where, ".amdhsa_accum_offset directive is required");
    struct symbol *code = unit_symbol(u, name);
    struct text t = {0};
    text_add(&t, name.text, name.length);
    text_puts(&t, ".kd");
    struct symbol *kd = t.failed ? NULL : unit_symbol(u, (struct slice){t.data, t.length});
    text_free(&t);
    if (!code || !kd) return unit_no_memory(u);
    kd->binding = code->has_binding                 ? code->binding
                  : code->state != SYMBOL_UNDEFINED ? STB_LOCAL
                                                    : STB_GLOBAL;
    kd->has_binding = true;
    kd->visibility = code->visibility;
    kd->type = STT_OBJECT;
    if (!(kd->size = expr_number(&u->arena, 64))) return unit_no_memory(u);
    if (code->visibility == STV_DEFAULT) code->visibility = STV_PROTECTED;
    if (!unit_define_label(u, kd, where)) return false;
    k->at = unit_here(u);
    static const uint8_t zeros[64] = {0};
    const struct expr *entry = expr_binary(&u->arena, OP_SUB, &code->reference, &kd->reference);
    if (!entry) return unit_no_memory(u);
    if (u->section->type == SHT_NOBITS)
        return unit_error(u, where, "a descriptor needs a section with contents");
    // Symbols are met in the order of the descriptor's words: sizes, entry, RSRC3, RSRC1, RSRC2.
    static const uint8_t before[] = {GROUP_SIZE, PRIVATE_SIZE, KERNARG_SIZE};
    for (unsigned i = 0; i < sizeof before; i++)
        if (k->value[before[i]].expr) unit_register_used(u, k->value[before[i]].expr);
    unit_register_used(u, entry);
    static const uint8_t behind[] = {ACCUM_OFFSET,  TG_SPLIT,  SHARED_COUNT,
                                     PREFETCH_SIZE, NEXT_VGPR, NEXT_SGPR};
    // A count of SGPRs is in no word where all waves have the same.
    bool no_sgprs = has(u->mode.processor, CAP_fixed_sgprs);
    for (unsigned i = 0; i < sizeof behind; i++)
        if (k->value[behind[i]].expr && !(no_sgprs && behind[i] == NEXT_SGPR))
            unit_register_used(u, k->value[behind[i]].expr);
    for (unsigned i = 0; i < ROWS; i++)
        if (k->value[i].expr && !(no_sgprs && i == NEXT_SGPR)) unit_register_used(u, k->value[i].expr);
    if (!unit_fixup(u, k->at.offset + 16, FIX_DATA8, entry) || !unit_emit(u, zeros, 64)) return false;
    *u->last_kernel = k;
    u->last_kernel = &k->next;
    return true;
}

bool dir_kernel(struct unit *u, struct slice directive, const char *p, const char *end, unsigned arg) {
    (void)arg;
    struct slice name;
    if (u->options->os != SW_OS_AMDHSA || unit_is_v2(u))
        return unit_error(u, directive.text, "unknown directive '%.*s': of code objects V3 to V6 for amdhsa",
                          (int)directive.length, directive.text);
    if (!unit_name(u, &p, end, &name) || !unit_end(u, p, end)) return false;
    name.text = arena_copy(&u->arena, name.text, name.length);
    struct kernel *k = arena_alloc(&u->arena, sizeof *k);
    if (!k || !name.text) return unit_no_memory(u);
    k->line = u->statement_line;
    set_initial(u, k);
    bool ok = true;
    for (struct source *s = u->source; unit_next_statement(u, &p, &end);) {
        p = skip_space(p, end);
        if (p == end) continue;
        struct slice word = {p, (size_t)(end - p)};
        if (slice_is(word, ".end_amdhsa_kernel")) return ok && finish_block(u, k, name, p);
        if (u->source != s && s == NULL) break;
        ok &= one_field(u, k, p, end);
        if (u->ended) return false;
    }
    return unit_error(u, NULL, "an .end_amdhsa_kernel is missing");
}

// ---- After the text ----

static bool value_of(struct unit *u, const struct kernel *k, unsigned row, int64_t *out) {
    enum expr_status s = expr_absolute(&k->value[row], &u->layout, out);
    return !s || unit_late_error(u, k->lines[row], ".amdhsa_%s: %s", rows[row].name, expr_status_text(s));
}

static uint64_t granules(uint64_t count, unsigned granule) {
    if (!count) count = 1;
    return (count + granule - 1) / granule - 1;
}

static bool vgpr_field(struct unit *u, const int64_t v[ROWS], uint8_t bytes[64], uint32_t line) {
    const struct sw_processor *p = u->mode.processor;
    bool w32 = has(p, CAP_wave32) && v[WAVE32];
    unsigned granule = w32 ? p->vgpr_encoding_granule_w32 : p->vgpr_encoding_granule_w64;
    uint64_t blocks = granules((uint64_t)v[NEXT_VGPR], granule);
    unsigned most = has(p, CAP_unified_vgprs) ? 512 : 256;
    if (blocks > 63 || (uint64_t)v[NEXT_VGPR] > most)
        return unit_late_error(u, line, ".amdhsa_next_free_vgpr: value out of range: %lld of %u",
                               (long long)v[NEXT_VGPR], most);
    set_bits(bytes, 384, 6, blocks);
    return true;
}

static unsigned extra_sgprs(const struct unit *u, bool vcc, bool flat, bool xnack) {
    const struct sw_processor *p = u->mode.processor;
    unsigned extra = vcc ? 2 : 0;
    if (has(p, CAP_fixed_sgprs)) return extra;
    bool mask = has_xnack_mask(p);
    if (mask && xnack) extra = 4;
    if (flat || has(p, CAP_architected_flat_scratch)) extra = mask ? 6 : 4;
    return extra;
}

bool unit_call(void *context, enum call call, const int64_t *args, unsigned count, int64_t *out) {
    const struct unit *u = context;
    const struct sw_processor *p = u->mode.processor;
    int64_t most = has(p, CAP_ieee_mode) ? 63 : 255;
    switch (call) {
    case CALL_EXTRA_SGPRS: return count == 3 && (*out = extra_sgprs(u, args[0], args[1], args[2]), true);
    case CALL_TOTAL_VGPRS:
        if (count != 2) return false;
        if (has(p, CAP_unified_vgprs) && args[0])
            *out = (int64_t)align_up((uint64_t)args[1], 4) + args[0];
        else
            *out = args[0] > args[1] ? args[0] : args[1];
        return true;
    case CALL_ALIGN_TO:
        if (count != 2 || args[1] <= 0) return false;
        *out = (int64_t)(((uint64_t)args[0] + (uint64_t)args[1] - 1) / (uint64_t)args[1] * (uint64_t)args[1]);
        return true;
    case CALL_PREFETCH: // in units of 128 bytes
        if (count != 1) return false;
        *out = (int64_t)(((uint64_t)args[0] + 127) / 128);
        if (*out > most || *out < 0) *out = most;
        return true;
    default: return false;
    }
}

static bool sgpr_field(struct unit *u, const int64_t v[ROWS], uint8_t bytes[64], uint32_t line) {
    const struct sw_processor *p = u->mode.processor;
    if (has(p, CAP_fixed_sgprs)) return true;
    bool mask = has_xnack_mask(p), fixed = has(p, CAP_sgpr_init_bug);
    uint64_t count = (uint64_t)v[NEXT_SGPR];
    uint64_t extra = extra_sgprs(u, v[RESERVE_VCC], !exists(u, FLAT) || v[RESERVE_FLAT], v[RESERVE_XNACK]);
    uint64_t most = fixed ? 96 : mask ? 102 : 104;
    if (!mask || fixed) count += extra;
    if (count > most)
        return unit_late_error(u, line, ".amdhsa_next_free_sgpr: value out of range: %llu of %llu",
                               (unsigned long long)count, (unsigned long long)most);
    if (mask && !fixed) count += extra;
    if (fixed) count = 96;
    set_bits(bytes, 390, 4, granules(count, p->sgpr_encoding_granule));
    return true;
}

static bool fill(struct unit *u, const struct kernel *k) {
    uint8_t bytes[64] = {0};
    int64_t v[ROWS];
    unsigned user = 0;
    for (unsigned i = 0; i < ROWS; i++) {
        if (!value_of(u, k, i, &v[i])) return false;
        if (!exists_here(u, i) || i == USER_COUNT) continue;
        unsigned width = i == PREFETCH_SIZE && !exists(u, IEEE) ? 8 : rows[i].width;
        if (width && (v[i] < 0 || v[i] >> width))
            return unit_late_error(u, k->lines[i], ".amdhsa_%s: value out of range: %lld", rows[i].name,
                                   (long long)v[i]);
        if (width) set_bits(bytes, rows[i].first, width, (uint64_t)v[i]);
        if (v[i]) user += rows[i].sgprs;
    }
    if (exists(u, PRELOAD)) user += (unsigned)v[PRELOAD_LENGTH];
    if (k->given[USER_COUNT]) {
        if (v[USER_COUNT] < user)
            return unit_late_error(u, k->line,
                                   "amdgpu_user_sgpr_count smaller than implied by enabled user SGPRs");
        user = v[USER_COUNT] > 31 ? 32 : (unsigned)v[USER_COUNT];
    }
    if (user > 31) return unit_late_error(u, k->line, "too many user SGPRs enabled");
    set_bits(bytes, 417, 5, user);
    if (exists(u, UNIFIED)) {
        int64_t accum = v[ACCUM_OFFSET];
        if (accum < 4 || accum > 256 || accum & 3)
            return unit_late_error(u, k->lines[ACCUM_OFFSET],
                                   "accum_offset must be a multiple of 4 from 4 to 256");
        if (accum > (int64_t)align_up(v[NEXT_VGPR] > 0 ? (uint64_t)v[NEXT_VGPR] : 1, 4))
            return unit_late_error(u, k->lines[ACCUM_OFFSET], "accum_offset exceeds total VGPR allocation");
        set_bits(bytes, 352, 6, (uint64_t)accum / 4 - 1);
    }
    if (exists(u, SHARED) && v[SHARED_COUNT]) {
        if (v[WAVE32])
            return unit_late_error(u, k->line, "shared_vgpr_count directive not valid on wavefront size 32");
        if (v[SHARED_COUNT] * 2 + (int64_t)granules((uint64_t)v[NEXT_VGPR], 4) > 63)
            return unit_late_error(
                u, k->line,
                "shared_vgpr_count*2 + compute_pgm_rsrc1.GRANULATED_WORKITEM_VGPR_COUNT cannot exceed 63");
    }
    if (!vgpr_field(u, v, bytes, k->lines[NEXT_VGPR]) || !sgpr_field(u, v, bytes, k->lines[NEXT_SGPR]))
        return false;
    uint8_t *to = unit_bytes_at(k->at);
    memcpy(to, bytes, 16); // what is between is the entry's, and reserved
    memcpy(to + 44, bytes + 44, 20);
    return true;
}

bool unit_finish_kernels(struct unit *u) {
    bool ok = true;
    for (const struct kernel *k = u->kernels; k; k = k->next) ok &= fill(u, k);
    return ok;
}
