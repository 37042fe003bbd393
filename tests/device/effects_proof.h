// SPDX-License-Identifier: MIT
// Whether a record tells the truth about an instruction. Each trial runs it on a random wave and holds what
// changed against what the record says is written; runs it again with all else changed that the record does
// not say is read, which must leave the same results; and changes what it says is read, one thing after the
// other, of which each must matter in some trial.
#ifndef TESTS_EFFECTS_PROOF_H
#define TESTS_EFFECTS_PROOF_H

#include "effects_slots.h"
#include "isa/effect_address.h"

// Bits of the image that are read, written, or written only perhaps.
struct masks {
    struct image *reads, *writes, *may, *own; // own: results that belong to a lane
};

// What the record declares, thing by thing: registers one by one, relative ranges as a whole.
enum thing_kind { THING_REGISTER, THING_RANGE, THING_STATE, THING_MEMORY, THING_LDS, THING_OUTCOME };
struct thing {
    uint8_t kind, range;
    bool writes, seen;
    uint16_t index; // of a register in its range; a state; an outcome
};
enum { MOST_THINGS = 400 };

struct proof {
    struct subject *m;
    const struct slot *s;
    struct effect e, right; // the record to be proved; the one that the library made
    struct image *before, *after, *other, *other_after, *scratch;
    struct masks k;
    struct thing things[MOST_THINGS];
    unsigned thing_count;
    char why[300];
    unsigned runs, trials;
};

static inline struct proof *proof_new(struct subject *m) {
    struct proof *p = calloc(1, sizeof *p);
    p->m = m;
    struct image **all[] = {&p->before,  &p->after,    &p->other, &p->other_after, &p->scratch,
                            &p->k.reads, &p->k.writes, &p->k.may, &p->k.own};
    for (unsigned i = 0; i < sizeof all / sizeof *all; i++) *all[i] = image_new(m);
    return p;
}
static inline void proof_free(struct proof *p) {
    struct image *all[] = {p->before,  p->after,    p->other, p->other_after, p->scratch,
                           p->k.reads, p->k.writes, p->k.may, p->k.own};
    for (unsigned i = 0; i < sizeof all / sizeof *all; i++) image_free(all[i]);
    free(p);
}

static inline uint64_t exec_of_image(const struct subject *m, const struct image *x) {
    return m->wave32 ? x->area[126] : x->area[126] | (uint64_t)x->area[127] << 32;
}

// ---- Values ----

static inline uint32_t value(void) {
    static const uint32_t awkward[] = {
        0,          1,          2,          31,         32,         63,         0x7f,       0x80,
        0xff,       0x7fff,     0x8000,     0x7fffffff, 0x80000000, 0xffffffff, 0x7fc00000, 0x7f800000,
        0x7e007c00, 0x3f800000, 0xbf800000, 0x3c00,     0xbc00,     0x3c003c00, 0x40004000, 0x3ff00000};
    switch (below(8)) {
    case 0: return awkward[below(sizeof awkward / sizeof *awkward)];
    case 1:
        return 0x3f800000 + ((random_dword() & 0x07ffffff) - 0x04000000) +
               (random_dword() & 0x80000000); // moderate F32
    case 2:
        return (0x3c00 + ((random_dword() & 0x0fff) - 0x0800)) |
               (0x3c00 + ((random_dword() & 0x0fff) - 0x0800)) << 16;
    case 3:
        return (0x3ff00000 + ((random_dword() & 0x00ffffff) - 0x00800000)) ^
               (random_dword() & 0x80000000); // of F64
    case 4: return below(128);
    case 5: return 0x3f800000 ^ (random_dword() & 0x803fffff); // 1 to 2
    default: return random_dword();
    }
}

// Numbers of hardware modes that exist.
static inline uint32_t any_mode(void) { return random_dword() & 0x8003ff; }

// A wave draws from a thousand values that change slowly: each by itself would take most of the time.
static uint32_t values[1024];
static inline void fill_wave(struct subject *m, struct image *x) {
    for (unsigned i = 0; i < 1024; i++)
        if (!values[i] || once_in(8)) values[i] = value();
    for (unsigned i = 0; i < 108; i++) x->area[i] = value();
    for (unsigned i = 108; i < 126; i++) x->area[i] = value();
    if (m->isa->null_register) x->area[m->isa->null_register] = value();
    const uint64_t full = m->wave32 ? 0xffffffff : ~0ull;
    const uint64_t exec = once_in(2)   ? full
                          : once_in(8) ? 0
                          : once_in(3) ? random_dwords() & random_dwords() & random_dwords()
                                       : random_dwords();
    x->area[126] = (uint32_t)exec, x->area[127] = (uint32_t)(exec >> 32);
    x->area[AREA_SCC] = below(2);
    memset(x->area + 128, 0, 4 * SCALAR_TUPLE);
    memset(x->area + WAVE_OFFSET(temp) / 4, 0, sizeof(uint32_t[TEMP_REGISTERS][MAX_LANES]));
    uint32_t *v = image_vector(m, x, 0);
    const unsigned registers = m->vgprs + m->agprs, pattern = below(4);
    for (unsigned r = 0; r < registers; r++) {
        const uint32_t same = value(), from = random_dword(), by = random_dword() | 1;
        for (unsigned l = 0; l < m->lanes; l++)
            *v++ = pattern == 0 ? same + (l & 3) : values[(from + l * by) & 1023];
    }
    memset(v, 0, (size_t)VECTOR_TUPLE * 4 * m->lanes);
    const uint32_t start = random_dword(), by = random_dword() | 1;
    for (unsigned i = 0; i < MEMORY / 4; i++)
        ((uint32_t *)(void *)x->memory)[i] = values[(start + i * by) & 1023];
    for (unsigned i = 0; i < (LDS + LDS_GUARD) / 4; i++)
        ((uint32_t *)(void *)x->lds)[i] = values[(start + i * by) >> 3 & 1023];
    x->mode = once_in(2) ? 0xf0u | 1 << 8 | 1 << 9 : any_mode();
    x->trap_status = random_dword();
    x->where = once_in(4) ? 0 : 1 << 20;
    const uint64_t scratch = m->memory_address + SCRATCH_AT;
    x->area[AREA_SCRATCH] = (uint32_t)scratch, x->area[AREA_SCRATCH + 1] = (uint32_t)(scratch >> 32);
}

static inline void put_pair(struct image *x, unsigned s, uint64_t v) {
    x->area[s] = (uint32_t)v, x->area[s + 1] = (uint32_t)(v >> 32);
}

// True if it moves data to or from the place in LDS that M0 says.
static inline bool moves_from_m0(const struct effect_memory *y) {
    return y->access & MEMORY_TO_LDS || (y->access & MEMORY_FROM_LDS && y->address == ADDRESS_BUFFER);
}

// Addresses that lie in memory, for the operands that make them.
static inline void aim(struct proof *p, struct image *x) {
    struct subject *m = p->m;
    const struct effect_memory *y = &p->e.memory;
    const struct insn *in = &p->s->in;
    const unsigned format = in->format->id;
    const bool wide = y->bytes > 16;
    const uint64_t base = m->memory_address + 0x800;
    uint32_t *m0 = image_scalar(x, m->m0);
    const char *id = row_id(p->s->row);
    if (strstr(id, "rel")) *m0 = below(4) | (strstr(id, "_2_") || strstr(id, "swaprel") ? below(4) << 16 : 0);
    if (p->s->row->flags & ROW_BARRIER) *m0 = ~0u;
    if (!y->space && format == FMT_DS && p->s->row->class == CLASS_GWS) *m0 = below(64) << 16;
    if (p->e.control & CONTROL_REGISTER || p->e.control & CONTROL_CALL) {
        for (unsigned i = 0; i < p->e.count; i++)
            if (!(p->e.ranges[i].flags & EFFECT_WRITES)) // an address, or a distance
                put_pair(x, p->e.ranges[i].first,
                         (strcmp(id, "s_add_pc_i64") ? (uint64_t)(uintptr_t)m->code : 4) + 4 * below(8));
    }
    if (!strcmp(id, "s_cbranch_join")) { // the stack of forks, and how many there are
        x->area[p->e.ranges[0].first] = once_in(2) ? x->mode >> 29 : below(8);
        for (unsigned i = 0; i < 8; i++) put_pair(x, 4 * i + 2, (uint64_t)(uintptr_t)m->code + 4 * below(8));
    }
    if (strstr(id, "subvector")) { // either half of EXEC may have no lanes
        for (unsigned i = 126; i < 128; i++) x->area[i] = once_in(2) ? 0 : random_dword();
        if (once_in(3)) x->area[p->e.ranges[0].first] = 0;
    }
    if (!y->space) return;
    if (format == FMT_DS)
        *m0 = y->address == ADDRESS_THREAD ? below(0x100) * 4 : once_in(3) ? below(LDS) : ~0u;
    if (y->address == ADDRESS_PARAMETERS || y->address == ADDRESS_LANE_PARAMETERS)
        *m0 = below(0x8000) << 16 | below(0x200) * 4;
    if (y->address == ADDRESS_DIRECT) *m0 = below(6) << 16 | below(LDS);
    if (moves_from_m0(y)) *m0 = below(0x200) * 4;
    if (y->elements == 32) *m0 = random_dword();
    for (unsigned l = 0; l < m->lanes; l++) {
        uint32_t *lo = y->vaddr >= SRC_VGPR0 && y->vaddr < SRC_AGPR0
                           ? image_vector(m, x, y->vaddr - SRC_VGPR0) + l
                           : NULL;
        uint32_t *hi = lo ? lo + m->lanes : NULL;
        if (y->lds != EFFECT_NOWHERE)
            image_vector(m, x, y->lds - SRC_VGPR0)[l] = 0x200 + 16 * l + below(2) * 0x400;
        const uint32_t near = below(0x100) * 16, row = l * (y->bytes ? y->bytes : 4);
        const uint32_t at = x->area[0] & 1 ? row : near;
        if (!lo) continue;
        switch (format) {
        case FMT_DS: *lo = at % 0xe00 + (once_in(16) ? LDS : 0); break;
        case FMT_FLAT: {
            const unsigned to =
                below(y->access & MEMORY_ATOMIC ? 1 : 4) + (y->access & MEMORY_ATOMIC ? 2 * below(2) : 0);
            const uint64_t a = to == 0   ? SW_SHARED_APERTURE + 0x80 + at % 0xe00
                               : to == 1 ? SW_PRIVATE_APERTURE + below(8) * 8
                                         : base + at;
            *lo = (uint32_t)a, *hi = (uint32_t)(a >> 32);
            break;
        }
        case FMT_GLOBAL:
            if (y->vaddr64)
                *lo = (uint32_t)(base + at), *hi = (uint32_t)((base + at) >> 32);
            else
                *lo = at;
            break;
        case FMT_SCRATCH: *lo = below(8) * 4; break;
        default: // buffers
            if (y->addr64)
                *lo = at, *hi = 0;
            else if (y->idxen)
                *lo = below(128), *(y->offen ? hi : lo) = y->offen ? below(64) * 8 : *lo;
            else
                *lo = at + (once_in(32) ? 2 * MEMORY : 0);
        }
    }
    switch (format) {
    case FMT_GLOBAL:
        if (y->saddr != EFFECT_NOWHERE) put_pair(x, y->saddr, base + below(64) * 16);
        break;
    case FMT_SCRATCH:
        if (y->saddr != EFFECT_NOWHERE) x->area[y->saddr] = below(4) * 4;
        break;
    case FMT_SMEM:
        put_pair(x, y->saddr, base + below(64) * 64);
        if (y->address == ADDRESS_SCALAR_BUFFER)
            x->area[y->saddr + 1] &= 0xffff, x->area[y->saddr + 2] = 0x800, x->area[y->saddr + 3] = 0x27000;
        if (y->address == ADDRESS_SCALAR_BUFFER && fact(m->p, FACT_srd) == SRD_GFX12_5)
            x->area[y->saddr + 2] = 0x800 >> 7, x->area[y->saddr + 3] = 0;
        if (y->soffset != EFFECT_NOWHERE) x->area[y->soffset] = below(strstr(id, "scratch") ? 8 : 64) * 8;
        break;
    case FMT_MUBUF:
    case FMT_MTBUF:
        put_pair(x, y->srsrc, m->memory_address);
        x->area[y->srsrc + 1] &= 0xffff;
        x->area[y->srsrc + 1] |= y->idxen ? 16u << 16 : 0;
        x->area[y->srsrc + 2] = y->idxen && m->isa->generation < GFX10 && fact(m->p, FACT_srd) != SRD_GFX8
                                    ? 64 + below(64)
                                    : MEMORY - 64;
        x->area[y->srsrc + 3] = !m->isa->unified_format ? 0x00000fac | 14 << 15 | 4 << 12
                                                        : 0x30000fac | (uint32_t)typed_format(m) << 12;
        if (!m->isa->unified_format && once_in(2)) x->area[y->srsrc + 3] = 0x00027fac;
        if (once_in(8)) x->area[y->srsrc + 2] = below(64);
        if (fact(m->p, FACT_srd) == SRD_GFX12_5) { // records are bytes, above the base
            const uint32_t records = once_in(8) ? below(64) : MEMORY - 64;
            x->area[y->srsrc + 1] = (x->area[y->srsrc + 1] & 0xffff) | records << 25;
            x->area[y->srsrc + 2] = records >> 7;
            x->area[y->srsrc + 3] = y->idxen ? 16u << 12 : 0;
        }
        if (y->soffset < 128) x->area[y->soffset] = below(64) * 16;
        break;
    default: break;
    }
    if (fact(m->p, FACT_flat_scratch_sgprs)) put_pair(x, SRC_FLAT_SCRATCH_LO, m->memory_address + SCRATCH_AT);
    (void)wide;
}

// ---- Masks ----

static inline uint32_t bytes_mask(unsigned bytes) {
    return (bytes & 1 ? 0xffu : 0) | (bytes & 2 ? 0xff00u : 0) | (bytes & 4 ? 0xff0000u : 0) |
           (bytes & 8 ? 0xff000000u : 0);
}

static inline uint32_t *vector_of(const struct subject *m, struct image *x, const struct effect_range *r,
                                  unsigned n) {
    const unsigned limit = r->bank == BANK_ACC ? m->agprs : m->vgprs, at = r->first + n;
    if (at >= limit) return NULL;
    return image_vector(m, x, at + (r->bank == BANK_ACC ? m->vgprs : 0));
}

static inline void mark_register(const struct subject *m, struct image *x, const struct effect_range *r,
                                 unsigned n, uint64_t lanes) {
    const uint32_t bits = bytes_mask(r->bytes);
    if (r->bank == BANK_SCALAR) {
        // A mask's bits of lanes that do not execute are not asked for.
        const bool by_lane = r->flags & EFFECT_EXEC;
        x->area[r->first + n] |= by_lane ? (uint32_t)(lanes >> 32 * n) : bits;
        return;
    }
    uint32_t *v = vector_of(m, x, r, n);
    for (unsigned l = 0; v && l < m->lanes; l++)
        if (lanes >> l & 1) v[l] |= bits;
}

static inline void mark_ranges(struct proof *p, const struct image *x, bool writes, struct image *out,
                               unsigned need) {
    const struct subject *m = p->m;
    const uint64_t exec = exec_of_image(m, x);
    for (unsigned i = 0; i < p->e.count; i++) {
        const struct effect_range *r = &p->e.ranges[i];
        if (!(r->flags & EFFECT_WRITES) == writes || (r->flags & need) != need) continue;
        for (unsigned n = 0; n < r->count; n++)
            mark_register(m, out, r, n, r->flags & EFFECT_EXEC ? exec : ~0ull);
    }
}

static inline void mark_states(const struct subject *m, unsigned states, struct image *x) {
    if (states & STATE_SCC) x->area[AREA_SCC] = ~0u;
    if (states & STATE_MODE) x->mode = ~0u;
    if (states & STATE_FLAGS) x->trap_status = ~0u;
    if (states & STATE_SCRATCH) x->area[AREA_SCRATCH] = x->area[AREA_SCRATCH + 1] = ~0u;
    if (states & STATE_EXEC) x->area[126] = ~0u, x->area[127] |= m->wave32 ? 0 : ~0u;
}

struct memory_marks {
    struct proof *p;
    const struct image *x;
};
static inline uint32_t marks_register(void *context, unsigned code, unsigned lane) {
    const struct memory_marks *c = context;
    const struct subject *m = c->p->m;
    if (code < 128) return c->x->area[code];
    if (code >= SRC_VGPR0 && code < SRC_AGPR0)
        return image_vector(m, (struct image *)(uintptr_t)c->x, code - SRC_VGPR0)[lane];
    if (code >= SRC_ZERO && code <= 192) return code - SRC_ZERO;
    if (code > 192 && code <= 208) return 192 - code;
    return 0;
}

static inline void mark_bytes(uint8_t *bytes, uint64_t size, uint64_t at, unsigned count) {
    for (unsigned i = 0; i < count; i++)
        if (at + i < size) bytes[at + i] = 0xff;
}

// The bytes that the access touches, where the record says how its addresses are made.
static inline void mark_memory(struct proof *p, const struct image *x, struct image *out) {
    const struct subject *m = p->m;
    const struct effect_memory *y = &p->e.memory;
    struct memory_marks c = {p, x};
    const uint64_t exec = exec_of_image(m, x);
    const uint64_t scratch = fact(m->p, FACT_flat_scratch_sgprs)
                                 ? x->area[102] | (uint64_t)x->area[103] << 32
                                 : x->area[AREA_SCRATCH] | (uint64_t)x->area[AREA_SCRATCH + 1] << 32;
    if (!y->space) return;
    for (unsigned l = 0; l < (y->access & MEMORY_WAVE ? 1 : m->lanes); l++) {
        if (!(y->access & MEMORY_WAVE) && !(exec >> l & 1) && !p->s->row->image) {
            bool all = false; // lanes that do not execute, where all act if any does
            for (unsigned i = 0; i < p->e.count; i++)
                if (p->e.ranges[i].flags & EFFECT_WRITES && !(p->e.ranges[i].flags & EFFECT_EXEC)) all = true;
            if (!all || (!exec && p->e.reads & STATE_EXEC)) continue;
        }
        for (unsigned e = 0; e < y->elements; e++) {
            struct effect_place at;
            if (!effect_address(&p->e, m->p, l, e, marks_register, &c, &at)) continue;
            for (unsigned b = 0; b < y->bytes; b++) {
                if (at.space == SPACE_LDS)
                    mark_bytes(out->lds, LDS, at.address + b, 1);
                else if (at.space == SPACE_SCRATCH) {
                    const uint64_t o = at.address + b;
                    mark_bytes(out->memory, MEMORY,
                               scratch - m->memory_address + (o & ~3ull) * m->lanes + l * 4 + (o & 3), 1);
                } else
                    mark_bytes(out->memory, MEMORY, at.address + b - m->memory_address, 1);
            }
        }
        if (y->lds != EFFECT_NOWHERE) {
            const uint32_t at =
                image_vector(m, (struct image *)x, y->lds - SRC_VGPR0)[l] + (uint32_t)y->offset;
            mark_bytes(out->lds, LDS, at, y->bytes);
        } else if (moves_from_m0(y)) {
            const unsigned dwords = y->access & MEMORY_TYPED ? 1 : (y->bytes + 3u) / 4,
                           apart = dwords == 3 ? 4 : dwords;
            const uint64_t at = (x->area[m->m0] & 0x3ffff) + (uint64_t)y->offset + 4 * l * apart;
            mark_bytes(out->lds, LDS, at, 4 * dwords);
        }
    }
}

static inline void image_clear(const struct subject *m, struct image *x) {
    uint32_t *area = x->area;
    memset(x, 0, sizeof *x);
    x->area = area;
    memset(area, 0, m->area_bytes);
}

static inline void make_masks(struct proof *p, const struct image *x) {
    const struct subject *m = p->m;
    const unsigned access = p->e.memory.access;
    struct image *all[] = {p->k.reads, p->k.writes, p->k.may, p->k.own};
    for (unsigned i = 0; i < 4; i++) image_clear(m, all[i]);
    mark_ranges(p, x, false, p->k.reads, 0);
    mark_ranges(p, x, true, p->k.writes, 0);
    mark_ranges(p, x, true, p->k.may, EFFECT_MAY);
    mark_ranges(p, x, true, p->k.own, EFFECT_OWN_LANE);
    mark_states(m, p->e.reads, p->k.reads);
    mark_states(m, p->e.writes & (STATE_SCC | STATE_MODE | STATE_FLAGS | STATE_SCRATCH), p->k.writes);
    mark_states(m, p->e.writes & STATE_FLAGS, p->k.may);
    if (!access) return;
    mark_memory(p, x, p->scratch); // as bytes; cleared by the caller
    for (unsigned i = 0; i < MEMORY; i++) {
        if (access & MEMORY_READS) p->k.reads->memory[i] = p->scratch->memory[i];
        if (access & MEMORY_WRITES && !(access & MEMORY_TO_LDS))
            p->k.writes->memory[i] = p->scratch->memory[i];
        // What is out of a buffer's range is not written.
        if (p->e.memory.address >= ADDRESS_BUFFER) p->k.may->memory[i] = p->k.writes->memory[i];
    }
    for (unsigned i = 0; i < LDS; i++) {
        const bool from = access & MEMORY_FROM_LDS;
        if ((access & MEMORY_READS && !(access & MEMORY_TO_LDS)) || from)
            p->k.reads->lds[i] = p->scratch->lds[i];
        if ((access & MEMORY_WRITES && !from) || access & MEMORY_TO_LDS)
            p->k.writes->lds[i] = p->scratch->lds[i];
        if (m->isa->m0_limits_lds || access & MEMORY_TO_LDS)
            p->k.may->lds[i] = p->k.writes->lds[i]; // up to M0
    }
}

// ---- Comparing ----

// Places of the wave that are no register: what the host keeps there changes as it likes.
static inline bool is_register_place(const struct subject *m, unsigned i) {
    if (i < 128) return !m->isa->null_register || i != m->isa->null_register;
    if (i == AREA_SCC || i == AREA_SCRATCH || i == AREA_SCRATCH + 1) return true;
    return i >= WAVE_OFFSET(v) / 4;
}
static inline const char *place_name(const struct subject *m, unsigned i, char *text, size_t room) {
    const unsigned v = WAVE_OFFSET(v) / 4;
    if (i < 128)
        snprintf(text, room, "s%u", i);
    else if (i == AREA_SCC)
        snprintf(text, room, "SCC");
    else if (i < v)
        snprintf(text, room, "the scratch address");
    else
        snprintf(text, room, "%c%u of lane %u", (i - v) / m->lanes >= m->vgprs ? 'a' : 'v',
                 (i - v) / m->lanes % m->vgprs, (i - v) % m->lanes);
    return text;
}

static inline bool failed(struct proof *p, const char *what, const char *where) {
    snprintf(p->why, sizeof p->why, "%s %s", where, what);
    return false;
}

// Nothing but the bits of `mask` differs.
static inline bool only_differ(struct proof *p, const struct image *a, const struct image *b,
                               const struct image *mask, const char *what) {
    char text[64];
    const struct subject *m = p->m;
    for (unsigned i = 0; i < m->area_bytes / 4; i++)
        if ((a->area[i] ^ b->area[i]) & ~mask->area[i] && is_register_place(m, i))
            return failed(p, what, place_name(m, i, text, sizeof text));
    if ((a->mode ^ b->mode) & ~mask->mode) return failed(p, what, "MODE");
    if ((a->trap_status ^ b->trap_status) & ~mask->trap_status) return failed(p, what, "the exception flags");
    for (unsigned i = 0; i < MEMORY; i++)
        if ((a->memory[i] ^ b->memory[i]) & ~mask->memory[i]) {
            snprintf(text, sizeof text, "memory at 0x%x", i);
            return failed(p, what, text);
        }
    for (unsigned i = 0; i < LDS + LDS_GUARD; i++)
        if ((a->lds[i] ^ b->lds[i]) & ~mask->lds[i]) {
            snprintf(text, sizeof text, "LDS at 0x%x", i);
            return failed(p, what, text);
        }
    return true;
}
// The bits of `mask` are the same.
static inline bool same_results(struct proof *p, const struct image *a, const struct image *b,
                                const struct image *mask, const char *what) {
    char text[64];
    const struct subject *m = p->m;
    for (unsigned i = 0; i < m->area_bytes / 4; i++)
        if ((a->area[i] ^ b->area[i]) & mask->area[i] && is_register_place(m, i))
            return failed(p, what, place_name(m, i, text, sizeof text));
    if ((a->mode ^ b->mode) & mask->mode) return failed(p, what, "MODE");
    if ((a->trap_status ^ b->trap_status) & mask->trap_status) return failed(p, what, "the exception flags");
    for (unsigned i = 0; i < MEMORY; i++)
        if ((a->memory[i] ^ b->memory[i]) & mask->memory[i]) return failed(p, what, "memory");
    for (unsigned i = 0; i < LDS; i++)
        if ((a->lds[i] ^ b->lds[i]) & mask->lds[i]) return failed(p, what, "LDS");
    return true;
}
static inline bool any_difference(const struct subject *m, const struct image *a, const struct image *b,
                                  const struct image *mask) {
    for (unsigned i = 0; i < m->area_bytes / 4; i++)
        if ((a->area[i] ^ b->area[i]) & mask->area[i]) return true;
    if ((a->mode ^ b->mode) & mask->mode || (a->trap_status ^ b->trap_status) & mask->trap_status)
        return true;
    for (unsigned i = 0; i < MEMORY; i++)
        if ((a->memory[i] ^ b->memory[i]) & mask->memory[i]) return true;
    for (unsigned i = 0; i < LDS; i++)
        if ((a->lds[i] ^ b->lds[i]) & mask->lds[i]) return true;
    return a->outcome != b->outcome || a->where != b->where;
}

// ---- Changing what must not matter ----

static inline void change(uint32_t *at, uint32_t keep) { *at = (*at & keep) | (value() & ~keep); }

// All that is not read. What may stay as it is counts as read here: it shows through.
static inline void change_unread(struct proof *p, struct image *x) {
    struct subject *m = p->m;
    const struct image *r = p->k.reads, *may = p->k.may;
    for (unsigned i = 0; i < 126; i++) change(&x->area[i], r->area[i] | may->area[i]);
    if (!(p->e.reads & STATE_EXEC) && !r->area[126]) change(&x->area[126], may->area[126]);
    if (!(p->e.reads & STATE_EXEC && !m->wave32) && !r->area[127]) change(&x->area[127], may->area[127]);
    if (!(p->e.reads & STATE_SCC)) x->area[AREA_SCC] = below(2);
    if (!(p->e.reads & STATE_MODE)) x->mode = any_mode();
    if (!(p->e.reads & STATE_FLAGS) && !(p->e.writes & STATE_FLAGS)) x->trap_status = random_dword();
    if (!(p->e.reads & STATE_SCRATCH))
        x->area[AREA_SCRATCH] = random_dword(), x->area[AREA_SCRATCH + 1] = random_dword();
    const unsigned first = WAVE_OFFSET(v) / 4, end = first + (m->vgprs + m->agprs) * m->lanes;
    const uint32_t start = random_dword(), by = random_dword() | 1;
    for (unsigned i = first; i < end; i++) {
        const uint32_t keep = r->area[i] | may->area[i];
        x->area[i] = (x->area[i] & keep) | (values[(start + i * by) & 1023] & ~keep);
    }
    for (unsigned i = 0; i < MEMORY; i++)
        if (!r->memory[i] && !may->memory[i]) x->memory[i] = (uint8_t)values[(start + i * by) & 1023];
    for (unsigned i = 0; i < LDS; i++)
        if (!r->lds[i] && !may->lds[i]) x->lds[i] = (uint8_t)values[(start + i * by) & 1023];
}

// Sources of lanes other than these, where a lane uses its own alone.
static inline void change_other_lanes(struct proof *p, struct image *x, uint64_t lanes) {
    struct subject *m = p->m;
    struct image *shared = p->scratch; // what others than its own lane use
    image_clear(m, shared);
    for (unsigned i = 0; i < p->e.count; i++)
        for (unsigned n = 0;
             !(p->e.ranges[i].flags & (EFFECT_WRITES | EFFECT_OWN_LANE)) && n < p->e.ranges[i].count; n++)
            mark_register(m, shared, &p->e.ranges[i], n, ~0ull);
    if (p->e.reads & STATE_EXEC) shared->area[126] = shared->area[127] = ~0u;
    for (unsigned i = 0; i < p->e.count; i++) {
        const struct effect_range *r = &p->e.ranges[i];
        if (r->flags & EFFECT_WRITES || !(r->flags & EFFECT_OWN_LANE)) continue;
        const unsigned code = r->first + SRC_VGPR0;
        if (r->bank == BANK_VECTOR && p->e.memory.vaddr != EFFECT_NOWHERE && code <= p->e.memory.vaddr + 1u &&
            p->e.memory.vaddr <= code + r->count)
            continue; // addresses must stay what they are
        for (unsigned n = 0; n < r->count; n++) {
            if (r->bank == BANK_SCALAR) {
                change(&x->area[r->first + n], (uint32_t)(lanes >> 32 * n) | shared->area[r->first + n]);
                continue;
            }
            uint32_t *v = vector_of(m, x, r, n);
            for (unsigned l = 0; v && l < m->lanes; l++)
                if (!(lanes >> l & 1)) change(&v[l], shared->area[&v[l] - x->area]);
        }
    }
}
static inline bool lanes_are_apart(struct proof *p, const struct image *a, const struct image *b,
                                   uint64_t lanes) {
    char text[64];
    const struct subject *m = p->m;
    for (unsigned i = 0; i < p->e.count; i++) {
        const struct effect_range *r = &p->e.ranges[i];
        if (!(r->flags & EFFECT_WRITES) || !(r->flags & EFFECT_OWN_LANE)) continue;
        for (unsigned n = 0; n < r->count; n++) {
            const char *what = "depends on other lanes";
            if (r->bank == BANK_SCALAR) {
                if ((a->area[r->first + n] ^ b->area[r->first + n]) & (uint32_t)(lanes >> 32 * n))
                    return failed(p, what, place_name(m, r->first + n, text, sizeof text));
                continue;
            }
            const uint32_t *u = vector_of(m, (struct image *)(uintptr_t)a, r, n);
            const uint32_t *v = vector_of(m, (struct image *)(uintptr_t)b, r, n);
            for (unsigned l = 0; u && l < m->lanes; l++)
                if (lanes >> l & 1 && (u[l] ^ v[l]) & bytes_mask(r->bytes))
                    return failed(p, what, place_name(m, (unsigned)(u + l - a->area), text, sizeof text));
        }
    }
    return true;
}

// ---- Things that must matter ----

static inline void add_thing(struct proof *p, unsigned kind, unsigned range, unsigned index, bool writes) {
    if (p->thing_count == MOST_THINGS) return;
    p->things[p->thing_count++] = (struct thing){
        .kind = (uint8_t)kind, .range = (uint8_t)range, .index = (uint16_t)index, .writes = writes};
}
static inline void list_things(struct proof *p) {
    const struct effect *e = &p->e;
    p->thing_count = 0;
    for (unsigned i = 0; i < e->count; i++) {
        const bool writes = e->ranges[i].flags & EFFECT_WRITES;
        if (e->ranges[i].flags & EFFECT_RELATIVE) {
            add_thing(p, THING_RANGE, i, 0, writes);
            continue;
        }
        for (unsigned n = 0; n < e->ranges[i].count; n++) add_thing(p, THING_REGISTER, i, n, writes);
    }
    static const uint16_t states[] = {STATE_SCC, STATE_EXEC, STATE_MODE, STATE_SCRATCH, STATE_FLAGS};
    for (unsigned i = 0; i < sizeof states / sizeof *states; i++) {
        if (e->reads & states[i]) add_thing(p, THING_STATE, 0, states[i], false);
        if (e->writes & states[i] && states[i] != STATE_EXEC) add_thing(p, THING_STATE, 0, states[i], true);
    }
    if (e->memory.access & MEMORY_READS) add_thing(p, THING_MEMORY, 0, 0, false);
    if (e->memory.access & (MEMORY_WRITES | MEMORY_TO_LDS)) add_thing(p, THING_MEMORY, 0, 0, true);
    static const struct {
        uint16_t control;
        uint8_t outcome;
    } outcomes[] = {{CONTROL_NEXT, WENT_ON},
                    {CONTROL_TARGET, WENT_TO},
                    {CONTROL_REGISTER, WENT_TO},
                    {CONTROL_END, ENDED},
                    {CONTROL_TRAP, FAULTED}};
    for (unsigned i = 0; i < sizeof outcomes / sizeof *outcomes; i++)
        if (e->control & outcomes[i].control) add_thing(p, THING_OUTCOME, i, outcomes[i].outcome, true);
}

static inline void perturb(struct proof *p, struct image *x, const struct thing *t) {
    struct subject *m = p->m;
    const struct effect_range *r = &p->e.ranges[t->range];
    if (t->kind == THING_MEMORY) {
        for (unsigned i = 0; i < MEMORY; i++)
            if (p->k.reads->memory[i]) x->memory[i] = (uint8_t)random_dword();
        for (unsigned i = 0; i < LDS; i++)
            if (p->k.reads->lds[i]) x->lds[i] = (uint8_t)random_dword();
        return;
    }
    if (t->kind == THING_STATE) {
        if (t->index == STATE_SCC) x->area[AREA_SCC] ^= 1;
        if (t->index == STATE_MODE) x->mode = once_in(2) ? any_mode() : x->mode ^ 1u << below(10);
        if (t->index == STATE_FLAGS) x->trap_status = random_dword();
        if (t->index == STATE_SCRATCH) x->area[AREA_SCRATCH] += 4u << below(8);
        if (t->index == STATE_EXEC)
            x->area[126] ^= random_dword(), x->area[127] ^= m->wave32 ? 0 : random_dword();
        return;
    }
    const unsigned from = t->kind == THING_RANGE ? 0 : t->index,
                   to = t->kind == THING_RANGE ? r->count : from + 1u;
    for (unsigned n = from; n < to; n++) {
        if (r->bank == BANK_SCALAR) {
            uint32_t *s = &x->area[r->first + n];
            *s = once_in(4) ? 0 : once_in(2) ? value() : once_in(2) ? *s ^ 1u << below(32) : below(0x100) * 4;
            continue;
        }
        uint32_t *v = vector_of(m, x, r, n);
        const bool small = once_in(2), zero = once_in(4);
        for (unsigned l = 0; v && l < m->lanes; l++) {
            const uint32_t bits = bytes_mask(r->bytes), to_be = zero    ? 0
                                                                : small ? v[l] ^ 1u << below(32)
                                                                        : value();
            v[l] = (v[l] & ~bits) | (to_be & bits);
        }
    }
}

static inline bool has_changed(struct proof *p, const struct thing *t) {
    const struct subject *m = p->m;
    const struct image *a = p->before, *b = p->after;
    const struct effect_range *r = &p->e.ranges[t->range];
    if (t->kind == THING_OUTCOME)
        return b->outcome == t->index ||
               (t->index == WENT_ON && (b->outcome == SLEEPS || b->outcome == WAITS));
    if (t->kind == THING_MEMORY) return memcmp(a->memory, b->memory, MEMORY) || memcmp(a->lds, b->lds, LDS);
    if (t->kind == THING_STATE)
        return t->index == STATE_SCC     ? a->area[AREA_SCC] != b->area[AREA_SCC]
               : t->index == STATE_MODE  ? a->mode != b->mode
               : t->index == STATE_FLAGS ? a->trap_status != b->trap_status
                                         : a->area[AREA_SCRATCH] != b->area[AREA_SCRATCH] ||
                                               a->area[AREA_SCRATCH + 1] != b->area[AREA_SCRATCH + 1];
    const unsigned from = t->kind == THING_RANGE ? 0 : t->index,
                   to = t->kind == THING_RANGE ? r->count : from + 1u;
    for (unsigned n = from; n < to; n++) {
        if (r->bank == BANK_SCALAR) {
            if (a->area[r->first + n] != b->area[r->first + n]) return true;
            continue;
        }
        const uint32_t *u = vector_of(m, (struct image *)(uintptr_t)a, r, n);
        const uint32_t *v = vector_of(m, (struct image *)(uintptr_t)b, r, n);
        if (u && memcmp(u, v, 4 * m->lanes)) return true;
    }
    return false;
}

// Now and then operands are equal, also to what memory holds, or masks empty: comparisons and branches look
// for that.
static inline void make_alike(struct proof *p, struct image *x) {
    struct subject *m = p->m;
    const unsigned way = below(3);
    if (once_in(4)) x->area[106] = x->area[107] = 0;
    if (way == 0) return;
    uint32_t one[2] = {way == 1 && p->s->in.format->id == FMT_SOPK
                           ? once_in(2) ? (uint32_t)(int16_t)p->s->in.f[F_simm16]
                                        : (uint16_t)p->s->in.f[F_simm16]
                           : value(),
                       value()};
    if (once_in(2)) one[1] = one[0];
    if (once_in(3)) one[below(2)] = once_in(2) ? 0 : ~0u;
    for (unsigned i = 0; i < p->right.count; i++) {
        const struct effect_range *r = &p->right.ranges[i];
        if (r->flags & (EFFECT_WRITES | EFFECT_RELATIVE) || once_in(8)) continue;
        for (unsigned n = 0; n < r->count; n++) {
            if (once_in(4)) continue;
            if (r->bank == BANK_SCALAR && r->first + n < 126) x->area[r->first + n] = one[n & 1];
            uint32_t *v = r->bank == BANK_SCALAR ? NULL : vector_of(m, x, r, n);
            for (unsigned l = 0; v && l < m->lanes; l++)
                if (l & 3) v[l] = one[n & 1];
        }
    }
    if (way == 2) return;
    for (unsigned i = 0; i < MEMORY / 4; i++) ((uint32_t *)(void *)x->memory)[i] = one[i & 1];
    for (unsigned i = 0; i < LDS / 4; i++) ((uint32_t *)(void *)x->lds)[i] = one[i & 1];
}

// ---- A trial ----

static inline bool outcome_is_declared(const struct effect *e, int outcome) {
    switch (outcome) {
    case WENT_ON: return e->control & CONTROL_NEXT;
    case WENT_TO: return e->control & (CONTROL_TARGET | CONTROL_REGISTER);
    case ENDED: return e->control & CONTROL_END;
    case YIELDED:
    case SLEEPS: return e->control & CONTROL_YIELD;
    case WAITS: return e->control & CONTROL_BARRIER;
    default: return e->control & CONTROL_TRAP;
    }
}
static inline void run(struct proof *p, const struct image *before, struct image *after) {
    machine_run(p->m, before, after);
    p->runs++;
}

static inline bool show_things(struct proof *p) {
    struct subject *m = p->m;
    for (unsigned i = 0; i < p->thing_count; i++) {
        struct thing *t = &p->things[i];
        if (t->seen) continue;
        if (t->writes) {
            t->seen = has_changed(p, t);
            continue;
        }
        image_copy(m, p->other, p->before);
        perturb(p, p->other, t);
        run(p, p->other, p->other_after);
        // Results, or control; what was changed and is no result does not count.
        t->seen = any_difference(m, p->after, p->other_after, p->k.writes) ||
                  p->other_after->outcome != p->after->outcome;
    }
    return true;
}

static inline bool trial(struct proof *p, bool whole) {
    struct subject *m = p->m;
    fill_wave(m, p->before);
    if (p->trials++ & 1)
        p->before->area[126] = random_dword() & random_dword(), p->before->area[127] = random_dword();
    make_alike(p, p->before);
    memcpy(p->before->area + WAVE_OFFSET(scc) / 4 + 1, (char *)m->w->s + WAVE_OFFSET(scc) + 4,
           WAVE_OFFSET(temp) - WAVE_OFFSET(scc) - 4); // constants
    const uint64_t scratch = m->memory_address + SCRATCH_AT;
    put_pair(p->before, AREA_SCRATCH, scratch);
    aim(p, p->before);
    image_clear(m, p->scratch);
    make_masks(p, p->before);
    run(p, p->before, p->after);
    if (!outcome_is_declared(&p->e, p->after->outcome)) {
        static const char *const names[] = {"goes on", "jumps", "ends", "yields", "waits at a barrier",
                                            "sleeps",  "faults"};
        return failed(p, "though the record does not say so", names[p->after->outcome]);
    }
    if (p->after->outcome == FAULTED) {
        for (unsigned i = 0; i < p->thing_count; i++)
            if (p->things[i].kind == THING_OUTCOME) p->things[i].seen |= has_changed(p, &p->things[i]);
        return true;
    }
    if (!only_differ(p, p->before, p->after, p->k.writes, "is written and not declared")) return false;
    if (!whole) return show_things(p);
    // All that is not read is another.
    image_copy(m, p->other, p->before);
    change_unread(p, p->other);
    run(p, p->other, p->other_after);
    const bool clock = p->e.reads & (STATE_CLOCK | STATE_OTHER);
    if (p->other_after->outcome != p->after->outcome)
        return failed(p, "depends on what is not read", "control");
    if (p->e.control & CONTROL_MESSAGE && p->other_after->where != p->after->where)
        return failed(p, "depends on what is not read", "what it sends");
    if (!only_differ(p, p->other, p->other_after, p->k.writes, "is written and not declared (2)"))
        return false;
    if (!clock && !same_results(p, p->after, p->other_after, p->k.writes, "depends on what is not read"))
        return false;
    // Other lanes' sources are others.
    const uint64_t lanes = random_dwords();
    image_copy(m, p->other, p->before);
    change_other_lanes(p, p->other, lanes);
    run(p, p->other, p->other_after);
    if (p->other_after->outcome == p->after->outcome && !lanes_are_apart(p, p->after, p->other_after, lanes))
        return false;
    // Once more on what it left.
    if (p->e.again && p->after->outcome == WENT_ON) {
        run(p, p->after, p->other_after);
        image_clear(m, p->other);
        if (!only_differ(p, p->after, p->other_after, p->other, "changes when the instruction is repeated"))
            return false;
    }
    return show_things(p);
}

static inline void describe_thing(const struct proof *p, const struct thing *t, char *text, size_t room) {
    const struct effect_range *r = &p->e.ranges[t->range];
    static const char *const outcomes[] = {"going on", "jumping",  "ending",  "yielding",
                                           "waiting",  "sleeping", "trapping"};
    const char *verb = t->writes ? "written" : "read";
    switch (t->kind) {
    case THING_REGISTER:
    case THING_RANGE:
        snprintf(text, room, "%c%u as %s", "sva"[r->bank], r -> first + t -> index, verb);
        return;
    case THING_STATE: snprintf(text, room, "state %x as %s", t->index, verb); return;
    case THING_MEMORY: snprintf(text, room, "memory as %s", verb); return;
    default: snprintf(text, room, "%s", outcomes[t->index]);
    }
}

#endif
