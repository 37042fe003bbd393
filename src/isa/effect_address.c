// SPDX-License-Identifier: MIT
#include "isa/effect_address.h"

struct look {
    const struct effect_memory *m;
    const sw_processor *processor;
    unsigned lane;
    effect_register *get;
    void *context;
};

// High dwords of the apertures of flat addresses, where LDS and scratch lie as kernels see them.
enum { SHARED_HIGH = 0x00010000, PRIVATE_HIGH = 0x04000000 };

static uint32_t dword(const struct look *l, unsigned code) { return l->get(l->context, code, l->lane); }
static uint64_t pair(const struct look *l, unsigned code) {
    return dword(l, code) | (uint64_t)dword(l, code + 1) << 32;
}

static uint64_t vector_part(const struct look *l) {
    const struct effect_memory *m = l->m;
    if (m->vaddr == EFFECT_NOWHERE) return 0;
    return m->vaddr64 ? pair(l, m->vaddr) : (uint64_t)dword(l, m->vaddr) * (m->scale ? m->scale : 1);
}
static uint64_t scalar_part(const struct look *l) {
    const struct effect_memory *m = l->m;
    return m->saddr == EFFECT_NOWHERE  ? 0
           : m->space == SPACE_SCRATCH ? dword(l, m->saddr)
                                       : pair(l, m->saddr);
}

static bool lanes_address(const struct look *l, int64_t offset, struct effect_place *out) {
    const uint64_t a = scalar_part(l) + vector_part(l);
    const uint32_t low = (uint32_t)a + (uint32_t)offset, high = (uint32_t)(a >> 32);
    out->space = l->m->space;
    out->address = a + (uint64_t)offset;
    if (l->m->space == SPACE_LDS || l->m->space == SPACE_SCRATCH) out->address = low;
    if (l->m->space != SPACE_FLAT) return true;
    out->space = high == SHARED_HIGH ? SPACE_LDS : high == PRIVATE_HIGH ? SPACE_SCRATCH : SPACE_GLOBAL;
    if (out->space == SPACE_LDS)
        out->address = low & UINT32_MAX >> (32 - fact(l->processor, FACT_lds_address_bits));
    if (out->space == SPACE_SCRATCH) out->address = low;
    const uint64_t flat = a + (uint64_t)offset;
    out->any_scratch = out->space == SPACE_GLOBAL && high >> 26 == PRIVATE_HIGH >> 26; // exec/map.h
    if (out->any_scratch)
        out->address = (flat >> 2 & 0x3ffffffffffff) << 7 | (flat >> 52 & 31) << 2 | (flat & 3);
    return true;
}

// 4 times the lane's number from M0 or a scalar base on.
static bool thread_address(const struct look *l, struct effect_place *out) {
    const unsigned m0 = isa_of(l->processor)->m0_register;
    out->space = l->m->space;
    out->address = (uint64_t)l->m->offset + 4 * l->lane;
    out->address += l->m->space == SPACE_LDS ? dword(l, m0) & 0xffff : scalar_part(l);
    return true;
}

// Parameters of attributes: 48 bytes for each primitive of the wave, whose quads follow each other; M0 has a
// bit for each quad but the first that begins a primitive, in 30:16, and where the first attribute is.
static bool parameter_address(const struct look *l, int64_t offset, bool by_lane, struct effect_place *out) {
    enum { PRIMITIVE_BYTES = 48, PARAMETER_BYTES = 16, LANE_BITS = 3 };
    const struct effect_memory *m = l->m;
    const uint32_t m0 = dword(l, isa_of(l->processor)->m0_register);
    const uint32_t begins = m0 >> 16 & ((1u << (m->quads - 1)) - 1), quad = l->lane / 4;
    const uint32_t primitives = 1 + (uint32_t)__builtin_popcount(begins),
                   primitive = (uint32_t)__builtin_popcount(begins & ((1u << quad) - 1));
    if (by_lane && (l->lane & LANE_BITS) == LANE_BITS) return false;
    out->space = m->space;
    out->address = (m0 & 0xffff) + (m->scale * primitives + primitive) * PRIMITIVE_BYTES + (uint64_t)offset;
    if (by_lane) out->address += (l->lane & LANE_BITS) * PARAMETER_BYTES;
    return true;
}

// Low bits of each part are dropped by the size of the access (TRAP-082, TRAP-083).
static bool scalar_address(const struct look *l, struct effect_place *out) {
    const struct effect_memory *m = l->m;
    const uint64_t keep = m->bytes >= 4 ? ~3ull : ~(uint64_t)(m->bytes - 1);
    out->space = l->m->space;
    out->address = (pair(l, m->saddr) & keep) + ((uint64_t)m->offset & keep);
    if (m->soffset != EFFECT_NOWHERE) out->address += (uint64_t)dword(l, m->soffset) * m->scale & keep;
    return true;
}

static bool scalar_buffer_address(const struct look *l, struct effect_place *out) {
    const struct effect_memory *m = l->m;
    const uint64_t keep = m->bytes >= 4 ? ~3ull : ~(uint64_t)(m->bytes - 1);
    const uint32_t base_bits = fact(l->processor, FACT_srd) == SRD_GFX12_5 ? 0x1ffffff : 0xffff;
    const uint64_t base = dword(l, m->saddr) | (uint64_t)(dword(l, m->saddr + 1) & base_bits) << 32;
    const uint64_t offset = (uint64_t)m->offset + (m->soffset != EFFECT_NOWHERE ? dword(l, m->soffset) : 0);
    out->space = l->m->space;
    out->address = (base & keep) + (offset & keep);
    return true;
}

// Those of CDNA5: a base of 57 bits, a sum of 45 bits.
static bool wide_buffer_address(const struct look *l, struct effect_place *out) {
    const struct effect_memory *m = l->m;
    const uint32_t word3 = dword(l, m->srsrc + 3);
    const uint64_t stride = (uint64_t)(word3 >> 12 & 0x3fff)
                            << (const uint8_t[]){0, 2, 3, 5}[word3 >> 26 & 3];
    uint64_t at = (uint64_t)m->offset;
    unsigned code = m->vaddr;
    if (word3 >> 28 & 1) return false; // swizzled
    if (m->idxen) at += stride * dword(l, code++);
    if (m->offen) at += dword(l, code);
    out->address = (pair(l, m->srsrc) & 0x1ffffffffffffff) + dword(l, m->soffset) + (at & 0x1fffffffffff);
    out->space = m->space;
    return true;
}

// Linear buffers (TRAP-306, TRAP-316, TRAP-317).
static bool buffer_address(const struct look *l, struct effect_place *out) {
    const struct effect_memory *m = l->m;
    const unsigned kind = fact(l->processor, FACT_srd);
    if (kind == SRD_GFX12_5) return wide_buffer_address(l, out);
    const uint32_t word1 = dword(l, m->srsrc + 1), word3 = dword(l, m->srsrc + 3);
    if ((kind >= SRD_GFX11 ? word1 >> 30 : word1 >> 31) || word3 >> 23 & 1) return false;
    uint64_t stride = word1 >> 16 & 0x3fff, at = (uint64_t)m->offset;
    if (kind == SRD_GFX12) stride <<= (const uint8_t[]){0, 2, 3, 5}[word3 >> 18 & 3];
    unsigned code = m->vaddr;
    if (m->addr64)
        at += pair(l, code);
    else {
        if (m->idxen) at += stride * dword(l, code++);
        if (m->offen) at += dword(l, code);
    }
    at += dword(l, m->srsrc) | (uint64_t)(word1 & 0xffff) << 32;
    at += dword(l, m->soffset);
    // Dword and larger accesses drop the low bits there (TRAP-314), but raw ones on processors with FLAT
    // (ERR-30).
    const bool raw = !(m->access & MEMORY_ATOMIC);
    const bool any = kind >= SRD_GFX10 || (raw && has(l->processor, CAP_flat_address_space));
    out->address = m->bytes >= 4 && !any ? at & ~3ull : at;
    out->space = l->m->space;
    return true;
}

bool effect_address(const struct effect *e, const sw_processor *processor, unsigned lane, unsigned element,
                    effect_register *get, void *context, struct effect_place *out) {
    const struct look l = {&e->memory, processor, lane, get, context};
    const struct effect_memory *m = &e->memory;
    out->any_scratch = false;
    switch (m->address) {
    case ADDRESS_LANES:
        if (m->elements == 32 && !(dword(&l, isa_of(processor)->m0_register) >> element & 1)) return false;
        return lanes_address(&l,
                             m->elements == 32 ? m->offset + 4 * (int64_t)element
                             : element         ? m->offset2
                                               : m->offset,
                             out);
    case ADDRESS_LANES_8:
        lanes_address(&l, m->offset, out);
        out->address &= 0xfff8;
        return true;
    case ADDRESS_THREAD: return thread_address(&l, out);
    case ADDRESS_OFFSET: *out = (struct effect_place){m->space, (uint64_t)m->offset}; return true;
    case ADDRESS_SCALAR: return scalar_address(&l, out);
    case ADDRESS_SCALAR_BUFFER: return scalar_buffer_address(&l, out);
    case ADDRESS_BUFFER: return buffer_address(&l, out);
    case ADDRESS_PARAMETERS: return parameter_address(&l, element ? m->offset2 : m->offset, false, out);
    case ADDRESS_LANE_PARAMETERS: return parameter_address(&l, m->offset, true, out);
    case ADDRESS_DIRECT:
        *out = (struct effect_place){m->space, (dword(&l, isa_of(processor)->m0_register) & 0xfffc) +
                                                   (uint64_t)m->offset};
        return true;
    default: return false;
    }
}
