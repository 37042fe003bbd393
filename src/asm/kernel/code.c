// SPDX-License-Identifier: MIT
// .amd_kernel_code_t: the 256 bytes before a kernel's code in which code object V2, Mesa and PAL describe it
// (ASM-21 to ASM-26, KD-22); and .amdgpu_hsa_kernel, which marks its symbol and counts registers anew. Values
// may depend on symbols that come later, so the bytes are reserved at once and filled in after the text.
#include <string.h>

#include "asm/kernel/text.h"
#include "base/bytes.h"

enum { CODE_SIZE = 256 };

// Bits first..first+width of the 256 bytes. `late`: the value may be an expression of what comes later.
static const struct code_row {
    const char *name, *other;
    uint16_t first;
    uint8_t width;
    bool late;
} rows[] = {
#define FIELD(name, byte, bytes)                                                                             \
    { #name, #name, (byte)*8, (bytes)*8, false }
#define FIELD2(name, other, byte, bytes)                                                                     \
    { #name, #other, (byte)*8, (bytes)*8, false }
#define LATE(name, byte, bytes)                                                                              \
    { #name, #name, (byte)*8, (bytes)*8, true }
#define RSRC1(name, other, bit, width)                                                                       \
    { #name, "compute_pgm_rsrc1_" #other, 48 * 8 + (bit), width, true }
#define RSRC2(name, other, bit, width)                                                                       \
    { #name, "compute_pgm_rsrc2_" #other, 52 * 8 + (bit), width, true }
#define PROPERTY(name, bit, width)                                                                           \
    { #name, #name, 56 * 8 + (bit), width, false }
    FIELD2(amd_code_version_major, kernel_code_version_major, 0, 4),
    FIELD2(amd_code_version_minor, kernel_code_version_minor, 4, 4),
    FIELD2(amd_machine_kind, machine_kind, 8, 2),
    FIELD2(amd_machine_version_major, machine_version_major, 10, 2),
    FIELD2(amd_machine_version_minor, machine_version_minor, 12, 2),
    FIELD2(amd_machine_version_stepping, machine_version_stepping, 14, 2),
    FIELD(kernel_code_entry_byte_offset, 16, 8),
    FIELD(kernel_code_prefetch_byte_size, 32, 8),
    RSRC1(granulated_workitem_vgpr_count, vgprs, 0, 6),
    RSRC1(granulated_wavefront_sgpr_count, sgprs, 6, 4),
    RSRC1(priority, priority, 10, 2),
    RSRC1(float_mode, float_mode, 12, 8),
    RSRC1(priv, priv, 20, 1),
    RSRC1(enable_dx10_clamp, dx10_clamp, 21, 1),
    RSRC1(debug_mode, debug_mode, 22, 1),
    RSRC1(enable_ieee_mode, ieee_mode, 23, 1),
    RSRC1(enable_wgp_mode, wgp_mode, 29, 1),
    RSRC1(enable_mem_ordered, mem_ordered, 30, 1),
    RSRC1(enable_fwd_progress, fwd_progress, 31, 1),
    RSRC2(enable_sgpr_private_segment_wave_byte_offset, scratch_en, 0, 1),
    RSRC2(user_sgpr_count, user_sgpr, 1, 5),
    RSRC2(enable_trap_handler, trap_handler, 6, 1),
    RSRC2(enable_sgpr_workgroup_id_x, tgid_x_en, 7, 1),
    RSRC2(enable_sgpr_workgroup_id_y, tgid_y_en, 8, 1),
    RSRC2(enable_sgpr_workgroup_id_z, tgid_z_en, 9, 1),
    RSRC2(enable_sgpr_workgroup_info, tg_size_en, 10, 1),
    RSRC2(enable_vgpr_workitem_id, tidig_comp_cnt, 11, 2),
    RSRC2(enable_exception_msb, excp_en_msb, 13, 2),
    RSRC2(granulated_lds_size, lds_size, 15, 9),
    RSRC2(enable_exception, excp_en, 24, 7),
    PROPERTY(enable_sgpr_private_segment_buffer, 0, 1),
    PROPERTY(enable_sgpr_dispatch_ptr, 1, 1),
    PROPERTY(enable_sgpr_queue_ptr, 2, 1),
    PROPERTY(enable_sgpr_kernarg_segment_ptr, 3, 1),
    PROPERTY(enable_sgpr_dispatch_id, 4, 1),
    PROPERTY(enable_sgpr_flat_scratch_init, 5, 1),
    PROPERTY(enable_sgpr_private_segment_size, 6, 1),
    PROPERTY(enable_sgpr_grid_workgroup_count_x, 7, 1),
    PROPERTY(enable_sgpr_grid_workgroup_count_y, 8, 1),
    PROPERTY(enable_sgpr_grid_workgroup_count_z, 9, 1),
    PROPERTY(enable_wavefront_size32, 10, 1),
    PROPERTY(enable_ordered_append_gds, 16, 1),
    PROPERTY(private_element_size, 17, 2),
    PROPERTY(is_ptr64, 19, 1),
    {"is_dynamic_callstack", "is_dynamic_callstack", 56 * 8 + 20, 1, true},
    PROPERTY(is_debug_enabled, 21, 1),
    PROPERTY(is_xnack_enabled, 22, 1),
    LATE(workitem_private_segment_byte_size, 60, 4),
    FIELD(workgroup_group_segment_byte_size, 64, 4),
    FIELD(gds_segment_byte_size, 68, 4),
    FIELD(kernarg_segment_byte_size, 72, 8),
    FIELD(workgroup_fbarrier_count, 80, 4),
    LATE(wavefront_sgpr_count, 84, 2),
    LATE(workitem_vgpr_count, 86, 2),
    FIELD(reserved_vgpr_first, 88, 2),
    FIELD(reserved_vgpr_count, 90, 2),
    FIELD(reserved_sgpr_first, 92, 2),
    FIELD(reserved_sgpr_count, 94, 2),
    FIELD(debug_wavefront_private_segment_offset_sgpr, 96, 2),
    FIELD(debug_private_segment_buffer_sgpr, 98, 2),
    FIELD(kernarg_segment_alignment, 100, 1),
    FIELD(group_segment_alignment, 101, 1),
    FIELD(private_segment_alignment, 102, 1),
    FIELD(wavefront_size, 103, 1),
    FIELD(call_convention, 104, 4),
    FIELD(runtime_loader_kernel_symbol, 120, 8),
};
enum { ROWS = sizeof rows / sizeof *rows };

struct kernel_code {
    struct kernel_code *next;
    struct place at;
    struct mc_value value[ROWS];
    struct late said[ROWS];
    bool given[ROWS];
    uint8_t bytes[CODE_SIZE];
};

static void set_bits(uint8_t *bytes, unsigned first, unsigned width, uint64_t v) {
    for (unsigned i = 0; i < width; i++) {
        uint8_t bit = (uint8_t)(1 << ((first + i) & 7));
        bytes[(first + i) >> 3] = (uint8_t)((bytes[(first + i) >> 3] & ~bit) | (v >> i & 1 ? bit : 0));
    }
}

static unsigned row_of(const char *name) {
    unsigned i = 0;
    while (strcmp(rows[i].name, name)) i++;
    return i;
}
static void set_row(struct kernel_code *k, const char *name, uint64_t v) {
    const struct code_row *r = &rows[row_of(name)];
    set_bits(k->bytes, r->first, r->width, v);
}

static void set_defaults(const struct unit *u, struct kernel_code *k) {
    const struct sw_processor *p = u->program->mode.processor;
    set_row(k, "amd_code_version_major", 1);
    set_row(k, "amd_code_version_minor", 2);
    set_row(k, "amd_machine_kind", 1);
    set_row(k, "amd_machine_version_major", p->isa_major);
    set_row(k, "amd_machine_version_minor", p->isa_minor);
    set_row(k, "amd_machine_version_stepping", p->isa_stepping);
    set_row(k, "kernel_code_entry_byte_offset", CODE_SIZE);
    set_row(k, "wavefront_size", u->program->mode.wave32 ? 5 : 6);
    set_row(k, "enable_wavefront_size32", u->program->mode.wave32);
    set_row(k, "call_convention", UINT32_MAX);
    set_row(k, "kernarg_segment_alignment", 4);
    set_row(k, "group_segment_alignment", 4);
    set_row(k, "private_segment_alignment", 4);
    if (has(p, CAP_cumode)) {
        set_row(k, "enable_wgp_mode", !u->program->cumode);
        set_row(k, "enable_mem_ordered", 1);
        set_row(k, "enable_fwd_progress", 1); // LLVM 22 also fills all of RSRC2 with ones, by mistake
    }
}

// The two fields that say the size of a wave must say the one that is assembled for.
static bool check_wave(struct unit *u, const char *name, int64_t v, const char *where) {
    bool size = !strcmp(name, "wavefront_size"), flag = !strcmp(name, "enable_wavefront_size32");
    bool asks32 = (size && v == 5) || (flag && v & 1), asks64 = (size && v == 6) || (flag && !(v & 1));
    if (asks32 && !has(u->program->mode.processor, CAP_wave32))
        return unit_error(u, where, "%s=%lld: %s has no waves of 32 lanes", name, (long long)v,
                          u->program->mode.processor->name);
    if (asks32 && !u->program->mode.wave32)
        return unit_error(u, where, "%s=%lld requires +wavefrontsize32", name, (long long)v);
    if (asks64 && u->program->mode.wave32)
        return unit_error(u, where, "%s=%lld requires +wavefrontsize64", name, (long long)v);
    return true;
}

// Bits that must stay clear where the processor gives them no meaning.
static bool check_bit(struct unit *u, const char *name, int64_t v, const char *where) {
    static const struct {
        const char *name;
        bool wgp;
    } guarded[] = {{"enable_dx10_clamp", false},
                   {"enable_ieee_mode", false},
                   {"enable_wgp_mode", true},
                   {"enable_mem_ordered", true},
                   {"enable_fwd_progress", true}};
    for (size_t i = 0; i < sizeof guarded / sizeof *guarded; i++)
        if (!strcmp(name, guarded[i].name) && v & 1 &&
            !has(u->program->mode.processor, guarded[i].wgp ? CAP_cumode : CAP_ieee_mode))
            return unit_error(u, where, "%s=1 is not allowed on %s", name, u->program->mode.processor->name);
    return true;
}

static bool one_value(struct unit *u, struct kernel_code *k, const char *p, const char *end) {
    struct slice name;
    const char *start = p;
    if (!lex_name(&p, end, &name))
        return unit_error(u, p, "expected value identifier or .end_amd_kernel_code_t");
    if (slice_is(name, "max_scratch_backing_memory_byte_size")) return true; // an old name of nothing
    unsigned i = 0;
    while (i < ROWS && !slice_is(name, rows[i].name) && !slice_is(name, rows[i].other)) i++;
    if (i == ROWS)
        return unit_error(u, start, "unexpected amd_kernel_code_t field name %.*s", (int)name.length,
                          name.text);
    p = skip_space(p, end);
    if (p == end || *p != '=') return unit_error(u, p, "expected '=' behind %s", rows[i].name);
    p++;
    const char *where = skip_space(p, end);
    struct mc_value v;
    if (!unit_expression(u, &p, end, &v) || !unit_end(u, p, end)) return false;
    int64_t n;
    if (!expr_absolute(&v, &u->program->layout, &n))
        v = (struct mc_value){.number = n};
    else if (!rows[i].late)
        return unit_error(u, where, "%s: integer absolute expression expected", rows[i].name);
    if (!v.expr && (!check_wave(u, rows[i].name, n, where) || !check_bit(u, rows[i].name, n, where)))
        return false;
    k->value[i] = v;
    k->given[i] = true;
    k->said[i] = unit_late(u);
    return true;
}

static bool finish_block(struct unit *u, struct kernel_code *k, const char *where) {
    if (u->program->section->type == 8) // SHT_NOBITS
        return unit_error(u, where, "amd_kernel_code_t needs a section with contents");
    k->at = program_here(u->program);
    for (unsigned i = 0; i < ROWS; i++)
        if (k->value[i].expr) program_register_used(u->program, k->value[i].expr);
    if (!program_emit(u->program, k->bytes, CODE_SIZE)) return false;
    *u->program->last_code = k;
    u->program->last_code = &k->next;
    return true;
}

bool dir_kernel_code(struct unit *u, struct slice directive, const char *p, const char *end, unsigned arg) {
    (void)arg;
    if (u->program->options->os == SW_OS_AMDHSA && !program_is_v2(u->program))
        return unit_error(u, directive.text, "unknown directive '%.*s': not for amdhsa code object V%u",
                          (int)directive.length, directive.text, u->program->version);
    if (!unit_end(u, p, end)) return false;
    struct kernel_code *k = arena_alloc(&u->program->arena, sizeof *k);
    if (!k) return program_no_memory(u->program);
    set_defaults(u, k);
    bool ok = true;
    while (unit_next_statement(u, &p, &end)) {
        p = skip_space(p, end);
        if (p == end) continue;
        if (slice_is((struct slice){p, (size_t)(end - p)}, ".end_amd_kernel_code_t"))
            return ok && finish_block(u, k, p);
        ok &= one_value(u, k, p, end);
        if (u->program->ended) return false;
    }
    return unit_error(u, NULL, "an .end_amd_kernel_code_t is missing");
}

static bool fill(struct program *program, struct kernel_code *k) {
    for (unsigned i = 0; i < ROWS; i++) {
        if (!k->given[i]) continue;
        int64_t v;
        enum expr_status s = expr_absolute(&k->value[i], &program->layout, &v);
        if (s) return program_late_error(program, k->said[i], "%s: %s", rows[i].name, expr_status_text(s));
        set_bits(k->bytes, rows[i].first, rows[i].width, (uint64_t)v);
    }
    memcpy(program_bytes_at(k->at), k->bytes, CODE_SIZE);
    return true;
}

bool finish_codes(struct program *program) {
    bool ok = true;
    for (struct kernel_code *k = program->codes; k; k = k->next) ok &= fill(program, k);
    return ok;
}

// .amdgpu_hsa_kernel name
bool dir_hsa_kernel(struct unit *u, struct slice directive, const char *p, const char *end, unsigned arg) {
    (void)arg;
    struct slice name;
    if (u->program->options->os == SW_OS_AMDHSA && !program_is_v2(u->program))
        return unit_error(u, directive.text, "unknown directive '%.*s': not for amdhsa code object V%u",
                          (int)directive.length, directive.text, u->program->version);
    if (!unit_name(u, &p, end, &name) || !unit_end(u, p, end)) return false;
    struct symbol *s = program_symbol(u->program, name);
    if (!s) return false;
    s->type = 10; // STT_AMDGPU_HSA_KERNEL
    program_reset_scope(u->program);
    return true;
}
