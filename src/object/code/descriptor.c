// SPDX-License-Identifier: MIT
// Kernel descriptors: 64 bytes as named fields, what the fields mean, and which bits ought to be 0.
//
// Everything follows from one table, descriptor_fields.def: decoding copies each field that the processor has
// into its member, every other set bit is reported, and sw_descriptor_field_at walks the same rows. Register
// counts come out in registers: the file holds granules that depend on processor and wave size.
#include "object/code/object.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "base/sized.h"

enum form { PLAIN, ZERO };
enum needs {
    EVERY,
    COUNTED_SGPRS,
    FIXED_SGPRS,
    IEEE_MODE,
    NO_IEEE_MODE,
    FP16_CLAMP,
    WGP,
    WAVES,
    FEW_USERS,
    MANY_USERS,
    SWITCHED_VGPRS,
    UNIFIED_VGPRS,
    SHARED_VGPRS,
    PREFETCH_63,
    PREFETCH_255,
    SCRATCH_SETUP,
    PRELOAD
};
enum meaning {
    NUMBER,
    BYTES,
    DWORDS,
    SWITCH,
    ROUND,
    DENORM,
    WORKITEM_ID,
    WAVE,
    WGP_MODE,
    ORDERED,
    PROGRESS,
    OVERFLOW16,
    SPLIT,
    VGPRS,
    SGPRS,
    ACCUM_OFFSET,
    SHARED,
    PREFETCH,
    ENTRY
};

struct field {
    const char *name;
    uint16_t bit, width;
    uint8_t form, needs, meaning;
    size_t at; // in sw_kernel_descriptor
};

#define FIELD(member, name, bit, width, form, needs, meaning)                                                \
    {name, bit, width, form, needs, meaning, offsetof(sw_kernel_descriptor, member)},
#define FIELD64(member, name, bit)                                                                           \
    {name, bit, 64, PLAIN, EVERY, ENTRY, offsetof(sw_kernel_descriptor, member)},
static const struct field fields[] = {
#include "object/code/descriptor_fields.def"
};
#undef FIELD
#undef FIELD64

#define COUNT(a) (sizeof(a) / sizeof *(a))

static bool exists(const sw_processor *p, enum needs needs) {
    switch (needs) {
    case EVERY: return true;
    case COUNTED_SGPRS: return !has(p, CAP_fixed_sgprs);
    case FIXED_SGPRS: return has(p, CAP_fixed_sgprs);
    case IEEE_MODE: return has(p, CAP_ieee_mode);
    case NO_IEEE_MODE: return !has(p, CAP_ieee_mode);
    case FP16_CLAMP: return fact(p, FACT_fp16_overflow);
    case WGP: return has(p, CAP_cumode);
    case WAVES: return has(p, CAP_wave32);
    case FEW_USERS: return !fact(p, FACT_user_sgprs);
    case MANY_USERS: return fact(p, FACT_user_sgprs);
    case SWITCHED_VGPRS: return !has(p, CAP_ieee_mode) && !fact(p, FACT_user_sgprs);
    case UNIFIED_VGPRS: return has(p, CAP_unified_vgprs);
    case SHARED_VGPRS: return fact(p, FACT_shared_vgprs);
    case PREFETCH_63: return fact(p, FACT_inst_prefetch) == 63;
    case PREFETCH_255: return fact(p, FACT_inst_prefetch) == 255;
    case SCRATCH_SETUP: return !has(p, CAP_architected_flat_scratch);
    case PRELOAD: return has(p, CAP_kernarg_preload);
    }
    return false;
}

static uint64_t value_of(const uint8_t *bytes, const struct field *f) {
    if (f->width == 64) return rd64(bytes + f->bit / 8);
    return bits(rd32(bytes + f->bit / 32 * 4), f->bit % 32, f->width);
}

// ---- Register counts -----------------------------------------------------------------------------------

static bool is_wave32(const uint8_t *bytes, const sw_processor *p) {
    return has(p, CAP_wave32) && (rd32(bytes + 56) >> 10 & 1);
}

// KD-23 to KD-25.
static unsigned vgprs_of(unsigned granulated, const sw_processor *p, bool wave32) {
    return (granulated + 1) *
           fact(p, wave32 ? FACT_vgpr_encoding_granule_w32 : FACT_vgpr_encoding_granule_w64);
}

// KD-26 to KD-28. GFX9 takes the field by pairs of granules: the manual wants it even, LLVM counts in eights
// and leaves it odd; the wave gets the same registers either way.
static unsigned sgprs_of(unsigned granulated, const sw_processor *p) {
    if (has(p, CAP_fixed_sgprs)) return fact(p, FACT_sgprs) + 2u; // and VCC
    return fact(p, FACT_sgpr_pairs) ? (granulated / 2 + 1) * 16 : (granulated + 1) * 8;
}

static void derive(const uint8_t *bytes, const sw_processor *p, sw_kernel_descriptor *d) {
    bool wave32 = is_wave32(bytes, p);
    d->wavefront_size = wave32 ? 32 : 64;
    d->vgprs = vgprs_of(d->granulated_workitem_vgpr_count, p, wave32);
    d->sgprs = sgprs_of(d->granulated_wavefront_sgpr_count, p);
    d->shared_vgprs = wave32 ? 0 : d->shared_vgpr_count * 8;
    d->prefetch_bytes = d->inst_pref_size * 128;
    if (has(p, CAP_unified_vgprs)) d->first_agpr = (d->accum_offset + 1) * 4;
    d->user_sgprs_enabled = 4 * d->enable_sgpr_private_segment_buffer + 2 * d->enable_sgpr_dispatch_ptr +
                            2 * d->enable_sgpr_queue_ptr + 2 * d->enable_sgpr_kernarg_segment_ptr +
                            2 * d->enable_sgpr_dispatch_id + 2 * d->enable_sgpr_flat_scratch_init +
                            d->enable_sgpr_private_segment_size + d->kernarg_preload_length;
}

// ---- Decoding ------------------------------------------------------------------------------------------

static void warn(const sw_sink *sink, const char *field, const char *format, ...) PRINTF_LIKE(3, 4);
static void warn(const sw_sink *sink, const char *field, const char *format, ...) {
    char text[160];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    sw_location at = {.within = field};
    diag_warn(sink, &at, "%s%s%s", field ? field : "", field ? " " : "", text);
}

// Set bits that no field of this processor covers.
static void check_reserved(const uint8_t *bytes, const sw_processor *p, sw_kernel_descriptor *d,
                           const sw_sink *sink) {
    uint32_t rest[SW_DESCRIPTOR_SIZE / 4];
    for (unsigned word = 0; word < COUNT(rest); word++) rest[word] = rd32(bytes + 4 * word);
    for (size_t i = 0; i < COUNT(fields); i++) {
        const struct field *f = &fields[i];
        if (!exists(p, f->needs)) continue;
        if (f->form == ZERO && value_of(bytes, f)) {
            warn(sink, f->name, "is %llu and must be 0", (unsigned long long)value_of(bytes, f));
            d->reserved_bits += (unsigned)__builtin_popcountll(value_of(bytes, f));
        }
        if (f->width == 64) // no other field goes beyond its word
            rest[f->bit / 32] = rest[f->bit / 32 + 1] = 0;
        else
            rest[f->bit / 32] &= ~(uint32_t)(((1ull << f->width) - 1) << f->bit % 32);
    }
    for (unsigned word = 0; word < COUNT(rest); word++) {
        const uint32_t set = rest[word];
        if (!set) continue;
        d->reserved_bits += (unsigned)__builtin_popcount(set);
        warn(sink, NULL, "reserved bits 0x%08x of bits %u to %u are set", set, word * 32, word * 32 + 31);
    }
}

static void check_contradictions(const sw_processor *p, const sw_kernel_descriptor *d, const sw_sink *sink) {
    if (d->user_sgprs_enabled > d->user_sgpr_count) // KD-21, KD-46
        warn(sink, "USER_SGPR_COUNT", "is %u, but %u user SGPRs are enabled", d->user_sgpr_count,
             d->user_sgprs_enabled);
    if (d->enable_vgpr_workitem_id == 3)
        warn(sink, "ENABLE_VGPR_WORKITEM_ID", "value 3 is undefined"); // KD-70
    if (d->wavefront_size == 32 && d->shared_vgpr_count)               // KD-62
        warn(sink, "SHARED_VGPR_COUNT", "must be 0 for wavefront size 32");
    if (d->vgprs + d->shared_vgprs > 256 && fact(p, FACT_shared_vgprs) && d->shared_vgpr_count)
        warn(sink, "SHARED_VGPR_COUNT", "%u + %u VGPRs exceed 256", d->vgprs, d->shared_vgprs);
    if (d->first_agpr > d->vgprs && d->vgprs)
        warn(sink, "ACCUM_OFFSET", "AGPRs begin at register %u of %u", d->first_agpr, d->vgprs);
}

sw_status sw_descriptor_decode(const uint8_t bytes[SW_DESCRIPTOR_SIZE], const sw_processor *p,
                               sw_kernel_descriptor *out, const sw_sink *sink) {
    const struct sized kind = SIZED(sw_kernel_descriptor, reserved_bits);
    const sw_status status = sized_check(kind, out, sink);
    if (status) return status;
    sw_kernel_descriptor all = {0}, *const d = &all;
    sized_fill(kind, out, d);
    if (!p) return diag_fail(sink, SW_USAGE, NULL, "a kernel descriptor means nothing without a processor");
    for (size_t i = 0; i < COUNT(fields); i++) {
        const struct field *f = &fields[i];
        if (!exists(p, f->needs)) continue;
        uint64_t v = value_of(bytes, f);
        if (f->width == 64)
            memcpy((char *)d + f->at, &v, 8);
        else
            *(uint32_t *)(void *)((char *)d + f->at) = (uint32_t)v;
    }
    d->rsrc3 = rd32(bytes + 44);
    d->rsrc1 = rd32(bytes + 48);
    d->rsrc2 = rd32(bytes + 52);
    d->properties = rd16(bytes + 56);
    derive(bytes, p, d);
    check_reserved(bytes, p, d, sink);
    check_contradictions(p, d, sink);
    sized_fill(kind, out, d);
    return SW_OK;
}

// ---- Explaining ----------------------------------------------------------------------------------------

static void explain(const struct field *f, uint64_t v, const uint8_t *bytes, const sw_processor *p, char *out,
                    size_t size) {
    static const char *const rounds[] = {"nearest even", "plus infinity", "minus infinity", "zero"};
    static const char *const denorms[] = {"flush source and destination", "flush destination", "flush source",
                                          "keep"};
    static const char *const ids[] = {"x", "x, y", "x, y, z", "undefined"};
    unsigned n = (unsigned)v;
    switch ((enum meaning)f->meaning) {
    case BYTES: snprintf(out, size, "bytes"); break;
    case DWORDS: snprintf(out, size, "dwords"); break;
    case SWITCH: snprintf(out, size, "%s", v ? "on" : "off"); break;
    case ROUND: snprintf(out, size, "%s", rounds[v & 3]); break;
    case DENORM: snprintf(out, size, "%s", denorms[v & 3]); break;
    case WORKITEM_ID: snprintf(out, size, "%s", ids[v & 3]); break;
    case WAVE: snprintf(out, size, "wave%d", v ? 32 : 64); break;
    case WGP_MODE: snprintf(out, size, "%s mode", v ? "WGP" : "CU"); break;
    case ORDERED: snprintf(out, size, "loads return %s", v ? "in order" : "out of order"); break;
    case PROGRESS: snprintf(out, size, "%s", v ? "forward progress" : "oldest wave first"); break;
    case OVERFLOW16: snprintf(out, size, "overflow gives %s", v ? "the largest number" : "infinity"); break;
    case SPLIT:
        snprintf(out, size, "%s", v ? "waves of a group on several CUs" : "waves of a group on one CU");
        break;
    case VGPRS: snprintf(out, size, "%u VGPRs", vgprs_of(n, p, is_wave32(bytes, p))); break;
    case SGPRS: snprintf(out, size, "%u SGPRs", sgprs_of(n, p)); break;
    case ACCUM_OFFSET: snprintf(out, size, "AGPRs begin at register %u", (n + 1) * 4); break;
    case SHARED: snprintf(out, size, "%u shared VGPRs", n * 8); break;
    case PREFETCH: snprintf(out, size, "%u bytes", n * 128); break;
    case ENTRY: snprintf(out, size, "entry point from the descriptor"); break;
    case NUMBER: *out = 0; break;
    }
}

// The fields by bit: the table keeps the manual's grouping. Made once, as objects have many kernels.
static const struct field *by_bit[COUNT(fields)];
static void sort_fields(void) {
    for (size_t i = 0; i < COUNT(fields); i++) {
        size_t at = i;
        for (; at && by_bit[at - 1]->bit > fields[i].bit; at--) by_bit[at] = by_bit[at - 1];
        by_bit[at] = &fields[i];
    }
}

bool sw_descriptor_field_at(const uint8_t bytes[SW_DESCRIPTOR_SIZE], const sw_processor *p, size_t index,
                            sw_descriptor_field *out) {
    static pthread_once_t sorted = PTHREAD_ONCE_INIT;
    pthread_once(&sorted, sort_fields);
    const struct field *found = NULL;
    for (size_t i = 0; i < COUNT(fields) && !found; i++)
        if (exists(p, by_bit[i]->needs) && !index--) found = by_bit[i];
    const struct sized kind = SIZED(sw_descriptor_field, meaning);
    if (!found || sized_check(kind, out, NULL)) return false;
    sw_descriptor_field f = {.name = found->name,
                             .bit = found->bit,
                             .width = found->width,
                             .value = value_of(bytes, found),
                             .must_be_zero = found->form == ZERO};
    explain(found, f.value, bytes, p, f.meaning, sizeof f.meaning);
    sized_fill(kind, out, &f);
    return true;
}

// ---- Occupancy -----------------------------------------------------------------------------------------

// Granules need not be powers of two: 24 VGPRs, 1280 bytes of LDS.
static unsigned round_up(unsigned n, unsigned granule) { return (n + granule - 1) / granule * granule; }

// A group's waves stay together: on the SIMDs of a compute unit, or in WGP mode on those of two, whose LDS is
// then one. Groups of several waves take one of its barriers, 16 a compute unit.
unsigned sw_kernel_occupancy(const sw_kernel *k, const sw_processor *p, unsigned workgroup_size,
                             unsigned dynamic_lds, const char **limit) {
    const sw_kernel_descriptor *d = k->descriptor;
    const unsigned units = d->wgp_mode ? 2 : 1, simds = units * fact(p, FACT_simds_per_cu);
    unsigned best = processor_occupancy(p, d->wavefront_size, d->vgprs, 0);
    const char *why = best < fact(p, FACT_waves_per_simd) ? "vgprs" : "waves";
    unsigned fit = processor_occupancy(p, d->wavefront_size, d->vgprs, d->sgprs);
    if (fit < best) best = fit, why = "sgprs";
    if (!workgroup_size) workgroup_size = k->max_flat_workgroup_size ? k->max_flat_workgroup_size : 1024;
    const unsigned waves = (unsigned)(((uint64_t)workgroup_size + d->wavefront_size - 1) / d->wavefront_size);
    if (waves > best * simds) best = 0; // not one group
    unsigned groups = simds * fact(p, FACT_waves_per_simd) / waves;
    if (waves > 1 && groups > 16 * units) groups = 16 * units;
    const char *by = "work-groups";
    const unsigned lds = d->group_segment_fixed_size + dynamic_lds;
    if (lds < dynamic_lds || lds > processor_lds(p))
        groups = 0, by = "lds";
    else if (lds && processor_lds(p) * units / round_up(lds, fact(p, FACT_lds_granule)) < groups)
        groups = processor_lds(p) * units / round_up(lds, fact(p, FACT_lds_granule)), by = "lds";
    const unsigned room = (groups * waves + simds - 1) / simds;
    if (room < best) best = room, why = by;
    if (limit) *limit = why;
    return best;
}
