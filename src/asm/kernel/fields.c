// SPDX-License-Identifier: MIT
// The fields of a kernel descriptor checked, alone and together, and put into its 64 bytes: ranges, register
// counts in granules, user SGPRs (KD-01 to KD-66, ASM-35 to ASM-73). Also the functions of expressions that
// need the same arithmetic (RES rows).
#include <string.h>

#include "asm/kernel/kernel.h"
#include "asm/kernel/text.h"
#include "base/bytes.h"

static void set_bits(uint8_t bytes[64], unsigned first, unsigned width, uint64_t v) {
    for (unsigned i = 0; i < width; i++) {
        uint8_t bit = (uint8_t)(1 << ((first + i) & 7));
        bytes[(first + i) >> 3] = (uint8_t)((bytes[(first + i) >> 3] & ~bit) | (v >> i & 1 ? bit : 0));
    }
}

static unsigned width_of(const struct program *program, unsigned row) {
    if (row == PREFETCH_SIZE && fact(program->mode.processor, FACT_inst_prefetch) == 255) return 8;
    if (row == USER_COUNT && fact(program->mode.processor, FACT_user_sgprs)) return 6;
    return kernel_rows[row].width;
}

static unsigned addressable_sgprs(const struct sw_processor *p) {
    unsigned sgprs = fact(p, FACT_sgprs);
    return has(p, CAP_sgpr_init_bug) ? 96 : sgprs > 104 ? 102 : sgprs;
}

void kernel_range(const struct program *program, unsigned row, int64_t *least, int64_t *most) {
    const struct sw_processor *p = program->mode.processor;
    *least = 0;
    switch (row) {
    case NEXT_VGPR: *most = has(p, CAP_unified_vgprs) ? 512 : fact(p, FACT_vgprs); break;
    case NEXT_SGPR: *most = has(p, CAP_fixed_sgprs) ? UINT32_MAX : addressable_sgprs(p); break;
    case ACCUM_OFFSET: *least = 4, *most = 256; break;
    case RESERVE_VCC:
    case RESERVE_FLAT:
    case RESERVE_XNACK: *most = 1; break;
    case PRELOAD_LENGTH: *most = 16; break;
    default: *most = (int64_t)((1ull << width_of(program, row)) - 1);
    }
}

bool kernel_check_range(struct program *program, const struct kernel *k, unsigned row, int64_t v) {
    int64_t least, most;
    kernel_range(program, row, &least, &most);
    const char *name = kernel_rows[row].name, *processor = program->mode.processor->name;
    if (row == ACCUM_OFFSET && (v < least || v > most || v & 3))
        return program_error_at(program, k->places[row],
                                ".amdhsa_%s must be a multiple of 4 from 4 to 256 on %s, found %lld", name,
                                processor, (long long)v);
    if (v < least || v > most)
        return program_error_at(program, k->places[row],
                                ".amdhsa_%s must be from %lld to %lld on %s, found %lld", name,
                                (long long)least, (long long)most, processor, (long long)v);
    if (row == RESERVE_XNACK && v != program->xnack)
        return program_error_at(program, k->places[row],
                                ".amdhsa_%s must be %d, as the target id says, found %lld", name,
                                program->xnack, (long long)v);
    return true;
}

static uint64_t granules(uint64_t count, unsigned granule) {
    if (!count) count = 1;
    return (count + granule - 1) / granule - 1;
}

static unsigned extra_sgprs(const struct program *program, bool vcc, bool flat, bool xnack) {
    const struct sw_processor *p = program->mode.processor;
    unsigned extra = vcc ? 2 : 0;
    if (has(p, CAP_fixed_sgprs)) return extra;
    bool mask = has(p, CAP_s_memrealtime);
    if (mask && xnack) extra = 4;
    if (flat || has(p, CAP_architected_flat_scratch)) extra = mask ? 6 : 4;
    return extra;
}

// GRANULATED_WORKITEM_VGPR_COUNT; its field also bounds the count.
static bool vgpr_field(struct program *program, struct kernel *k, const int64_t v[ROWS], uint64_t *blocks) {
    const struct sw_processor *p = program->mode.processor;
    bool w32 = has(p, CAP_wave32) && v[WAVE32];
    *blocks = granules((uint64_t)v[NEXT_VGPR],
                       fact(p, w32 ? FACT_vgpr_encoding_granule_w32 : FACT_vgpr_encoding_granule_w64));
    set_bits(k->bytes, 384, 6, *blocks);
    return kernel_check_range(program, k, NEXT_VGPR, v[NEXT_VGPR]);
}

// Before GFX8 what is reserved counts against the registers that there are, later it lies behind them.
static bool sgpr_field(struct program *program, struct kernel *k, const int64_t v[ROWS], unsigned user) {
    const struct sw_processor *p = program->mode.processor;
    if (has(p, CAP_fixed_sgprs)) return true;
    bool mask = has(p, CAP_s_memrealtime), fixed = has(p, CAP_sgpr_init_bug);
    uint64_t count = (uint64_t)v[NEXT_SGPR], most = addressable_sgprs(p);
    uint64_t extra =
        extra_sgprs(program, v[RESERVE_VCC], !kernel_has(program, FLAT) || v[RESERVE_FLAT], program->xnack);
    if (!kernel_check_range(program, k, NEXT_SGPR, v[NEXT_SGPR])) return false;
    // Preloaded arguments take registers that no instruction need name.
    if (kernel_has(program, PRELOAD) && v[PRELOAD_LENGTH] && count < user) count = user;
    count += extra;
    if ((!mask || fixed) && count > most)
        return program_error_at(program, k->places[NEXT_SGPR],
                                ".amdhsa_next_free_sgpr must be at most %llu on %s, with %llu more for VCC, "
                                "FLAT_SCRATCH and XNACK_MASK; found %lld",
                                (unsigned long long)(most - extra), p->name, (unsigned long long)extra,
                                (long long)v[NEXT_SGPR]);
    if (fixed) count = 96;
    set_bits(k->bytes, 390, 4, granules(count, fact(p, FACT_sgpr_encoding_granule)));
    return true;
}

static bool user_field(struct program *program, struct kernel *k, const int64_t v[ROWS], unsigned *count) {
    unsigned user = 0;
    for (unsigned i = 0; i < ROWS; i++)
        if (kernel_has_row(program, i) && v[i]) user += kernel_rows[i].sgprs;
    if (kernel_has(program, PRELOAD)) user += (unsigned)v[PRELOAD_LENGTH];
    if (k->given[USER_COUNT]) {
        if (v[USER_COUNT] < user)
            return program_error_at(
                program, k->places[USER_COUNT],
                ".amdhsa_user_sgpr_count must be at least %u, which the enabled user SGPRs take, "
                "found %lld",
                user, (long long)v[USER_COUNT]);
        user = (unsigned)v[USER_COUNT];
    }
    const unsigned wide = fact(program->mode.processor, FACT_user_sgprs), most = wide ? wide : 31;
    if (user > most)
        return program_error_at(program, &k->where, "too many user SGPRs enabled: %u, the field holds %u",
                                user, most);
    set_bits(k->bytes, 417, wide ? 6 : 5, user);
    *count = user;
    int64_t preload = kernel_has(program, PRELOAD) ? v[PRELOAD_LENGTH] : 0, offset = v[PRELOAD_OFFSET];
    if (preload && v[KERNARG_SIZE] && (preload + offset) * 4 > v[KERNARG_SIZE])
        return program_error_at(
            program, k->places[PRELOAD_LENGTH],
            "preloading %lld dwords from dword %lld on goes beyond .amdhsa_kernarg_size %lld",
            (long long)preload, (long long)offset, (long long)v[KERNARG_SIZE]);
    return true;
}

static bool together(struct program *program, struct kernel *k, const int64_t v[ROWS], uint64_t blocks) {
    if (kernel_has(program, UNIFIED)) {
        int64_t accum = v[ACCUM_OFFSET],
                all = (int64_t)align_up(v[NEXT_VGPR] > 0 ? (uint64_t)v[NEXT_VGPR] : 1, 4);
        if (!kernel_check_range(program, k, ACCUM_OFFSET, accum)) return false;
        if (accum > all)
            return program_error_at(
                program, k->places[ACCUM_OFFSET],
                ".amdhsa_accum_offset must be at most %lld, the VGPRs allocated, found %lld", (long long)all,
                (long long)accum);
        set_bits(k->bytes, 352, 6, (uint64_t)accum / 4 - 1);
    }
    int64_t shared = kernel_has(program, SHARED) ? v[SHARED_COUNT] : 0;
    if (shared && k->given[WAVE32] && v[WAVE32])
        return program_error_at(program, k->places[SHARED_COUNT],
                                ".amdhsa_shared_vgpr_count is not valid in waves of 32 lanes, found %lld",
                                (long long)shared);
    if (kernel_has(program, SHARED) && shared * 2 + (int64_t)blocks > 63)
        return program_error_at(
            program, k->places[SHARED_COUNT] ? k->places[SHARED_COUNT] : &k->where,
            "twice .amdhsa_shared_vgpr_count %lld and the granulated VGPR count %llu together "
            "cannot exceed 63",
            (long long)shared, (unsigned long long)blocks);
    return true;
}

bool kernel_make(struct program *program, struct kernel *k, bool *late) {
    int64_t v[ROWS];
    *late = false;
    for (unsigned i = 0; i < ROWS; i++) {
        enum expr_status s = expr_absolute(&k->value[i], &program->layout, &v[i]);
        if (s == EXPR_UNKNOWN && !program->laid_out) return *late = true;
        if (s)
            return program_error_at(program, k->places[i], ".amdhsa_%s: %s", kernel_rows[i].name,
                                    expr_status_text(s));
    }
    memset(k->bytes, 0, sizeof k->bytes);
    for (unsigned i = 0; i < ROWS; i++) {
        unsigned width = width_of(program, i);
        if (!kernel_has_row(program, i) || i == USER_COUNT || !width) continue;
        if (k->given[i] && !kernel_check_range(program, k, i, v[i])) return false;
        set_bits(k->bytes, kernel_rows[i].first, width, (uint64_t)v[i]);
    }
    uint64_t blocks;
    unsigned user = 0;
    return vgpr_field(program, k, v, &blocks) && user_field(program, k, v, &user) &&
           sgpr_field(program, k, v, user) && together(program, k, v, blocks);
}

// ---- Functions of expressions ----

// Waves by scalar registers, as LLVM numbers generations: 6 and 7 before GFX8, from 9 on GFX10.
static int64_t waves_by_sgprs(int64_t sgprs, int64_t most, int64_t generation) {
    static const struct {
        uint8_t sgprs[2], waves[2];
    } steps[] = {
        {{80, 48}, {10, 10}}, {{88, 56}, {9, 9}}, {{100, 64}, {8, 8}}, {{0, 72}, {7, 7}}, {{0, 80}, {7, 6}}};
    bool old = generation < 7;
    if (generation >= 9) return most;
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
        if (sgprs <= steps[i].sgprs[old]) return steps[i].waves[old];
    return old ? 5 : 7;
}

// occupancy(waves, granule, VGPRs in all, generation, before, SGPRs, VGPRs)
static int64_t occupancy(const int64_t *args) {
    uint64_t most = (uint64_t)args[0], granule = (uint64_t)args[1], all = (uint64_t)args[2],
             vgprs = (uint64_t)args[6];
    int64_t waves = args[4];
    if (args[5]) {
        int64_t by = waves_by_sgprs(args[5], args[0], args[3]);
        if (by < waves) waves = by;
    }
    if (!vgprs) return waves;
    uint64_t by = most;
    if (vgprs >= granule && granule) {
        uint64_t rounded = (vgprs + granule - 1) / granule * granule;
        by = rounded && all / rounded ? all / rounded : 1;
        if (by > most) by = most;
    }
    return by < (uint64_t)waves ? (int64_t)by : waves;
}

bool program_call(void *context, enum call call, const int64_t *args, unsigned count, int64_t *out) {
    const struct program *program = context;
    const struct sw_processor *p = program->mode.processor;
    int64_t most = fact(p, FACT_inst_prefetch) == 255 ? 255 : 63;
    switch (call) {
    case CALL_EXTRA_SGPRS:
        return count == 3 && (*out = extra_sgprs(program, args[0], args[1], args[2]), true);
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
    case CALL_OCCUPANCY:
        if (count != 7) return false;
        *out = occupancy(args);
        return true;
    default: return false;
    }
}
