// SPDX-License-Identifier: MIT
// Moving a chunk of lanes between registers and memory: what all memory bodies share.
//
// An access is {range, base, offset[lane], lanes m}: lane i touches base + offset[i], a 64-bit sum of a
// 32-bit unsigned offset. `load_inside` and `store_inside` do it if every byte lies in `range`, else they do
// nothing and return false; what then happens (another range, a fault, zeros) is the caller's business. They
// take the best of: consecutive elements, one address, gather or scatter. Bytes of inactive lanes are never
// touched.
#ifndef EXEC_BODY_ACCESS_H
#define EXEC_BODY_ACCESS_H

#include "exec/body/elements.h"
#include "exec/machine.h"

#define NOINLINE __attribute__((noinline))
#ifndef PREFETCH_WAVES
#define PREFETCH_WAVES 8
#endif

// ---- The shared cores, compiled once per level in memory.c ----
typedef bool load_fn(const struct range *range, uint64_t base, u32v offset, lmask m, u32v v[4]);
typedef bool store_fn(const struct range *range, uint64_t base, u32v offset, lmask m, const u32v v[4]);
#define LOAD_CORES  PASTE(load, cores, LEVEL) // by plain enum access
#define STORE_CORES PASTE(store, cores, LEVEL)
extern load_fn *const LOAD_CORES[ACCESS_B128 + 1];
extern store_fn *const STORE_CORES[ACCESS_B128 + 1];

INLINE bool load_inside(enum access k, const struct range *range, uint64_t base, u32v offset, lmask m,
                        u32v v[4]) {
    const unsigned size = access_bytes(k);
    if (LIKELY(m == ALL_LANES && full_run(offset, size) &&
               in_cached(range, base + offset[0], LANES * size))) {
        take(k, host_at(base + offset[0]), v);
        return true;
    }
    // Lanes a dword apart read overlapping elements: a stencil's neighbours.
    if (size > 4 && m == ALL_LANES && full_run(offset, 4) &&
        in_cached(range, base + offset[0], LANES * 4 + size - 4)) {
        for (unsigned d = 0; d < size / 4; d++) v[d] = vector_at(host_at(base + offset[0]) + 4 * d);
        return true;
    }
    return LOAD_CORES[access_plain(k)](range, base, offset, m, v);
}
INLINE bool store_inside(enum access k, const struct range *range, uint64_t base, u32v offset, lmask m,
                         const u32v v[4]) {
    const unsigned size = access_bytes(k);
    if (LIKELY(m == ALL_LANES && full_run(offset, size) &&
               in_cached(range, base + offset[0], LANES * size))) {
        give(k, host_at(base + offset[0]), v);
        return true;
    }
    return STORE_CORES[access_plain(k)](range, base, offset, m, v);
}

// The same in global memory through the cache slot of the instruction: faults and returns false when a lane
// of chunk i has no right there. Nothing is stored by the faulting lane; lanes before it may have stored.
#define LOAD_GLOBAL  PASTE(load, global, LEVEL)
#define STORE_GLOBAL PASTE(store, global, LEVEL)
bool LOAD_GLOBAL(struct wave *w, const struct op *op, enum access k, uint64_t base, u32v offset, lmask m,
                 unsigned i, u32v v[4]);
bool STORE_GLOBAL(struct wave *w, const struct op *op, enum access k, uint64_t base, u32v offset, lmask m,
                  unsigned i, const u32v v[4]);

#if !defined(STENCIL)
INLINE const struct mem_op *mem_op_of(const struct op *op) { return op->extra; }
INLINE struct range *slot_of(struct wave *w, const struct op *op) { return &w->ranges[mem_op_of(op)->slot]; }
#else
INLINE const struct mem_op *mem_op_of(const struct op *op) { return &op->memory; }
INLINE struct range *slot_of(struct wave *w, const struct op *op) {
    return (struct range *)((char *)w->ranges + op->memory.slot);
}
INLINE struct range *slot_alone(struct wave *w, const struct op *op) { // of an atomic's slot (alone_slot)
    return slot_of(w, op) - (RIGHT_READ | RIGHT_WRITE);
}
#endif

// Whether n bytes at `a` lie in the range that the instruction has found, and where the host has them.
INLINE bool in_found(struct wave *w, const struct op *op, uint64_t a, uint64_t n, char **p) {
    *p = host_at(a);
#if defined(FUSED)
    return in_cached_fixed(slot_of(w, op), a, n);
#else
    return in_cached(slot_of(w, op), a, n);
#endif
}

INLINE bool load_global(struct wave *w, const struct op *op, enum access k, uint64_t base, u32v offset,
                        lmask m, unsigned i, u32v v[4]) {
    if (LIKELY(load_inside(k, slot_of(w, op), base, offset, m, v))) return true;
    return LOAD_GLOBAL(w, op, access_plain(k), base, offset, m, i, v);
}
INLINE bool store_global(struct wave *w, const struct op *op, enum access k, uint64_t base, u32v offset,
                         lmask m, unsigned i, const u32v v[4]) {
    if (LIKELY(store_inside(k, slot_of(w, op), base, offset, m, v))) return true;
    return STORE_GLOBAL(w, op, access_plain(k), base, offset, m, i, v);
}
// Whether n bytes at `a` may be accessed; refreshes the slot.
INLINE bool global_right(struct wave *w, unsigned slot, uint64_t a, uint64_t n, uint32_t rights) {
    struct range *cached = &w->ranges[slot], found;
    if (LIKELY(in_cached(cached, a, n))) return true;
    if (!OUT(wave_find_range(w, a, rights, &found))) return false;
    struct range alone;
    if (rights == (RIGHT_READ | RIGHT_WRITE) && OUT(wave_find_range(w, a, rights | RIGHT_ALONE, &alone)) &&
        in_cached(&alone, a, n))
        w->ranges[alone_slot(slot)] = found = alone;
    *cached = found;
    return in_cached(&found, a, n);
}

// LDS: offset is the byte number below lds_limit. Beyond, loads give 0 and stores are
// dropped, dword by dword and byte by byte (TRAP-261, TRAP-262).
#define LOAD_LDS  PASTE(load, lds, LEVEL)
#define STORE_LDS PASTE(store, lds, LEVEL)
void LOAD_LDS(struct wave *w, enum access k, u32v offset, lmask m, u32v v[4]);
void STORE_LDS(struct wave *w, enum access k, u32v offset, lmask m, const u32v v[4]);

INLINE struct range lds_range(const struct wave *w) {
    uint64_t lo = (uint64_t)(uintptr_t)w->lds;
    return w->lds_limit ? (struct range){lo, lo + w->lds_limit - 1} : (struct range){1, 0};
}
INLINE void load_lds(struct wave *w, enum access k, u32v offset, lmask m, u32v v[4]) {
    struct range r = lds_range(w);
    if (m == ALL_LANES && !differ32(offset, splat32(offset[0])) &&
        in_cached(&r, r.lo + offset[0], access_bytes(k)))
        take_one(k, (const char *)w->lds + offset[0], v);
    else if (UNLIKELY(!load_inside(k, &r, r.lo, offset, m, v)))
        LOAD_LDS(w, access_plain(k), offset, m, v);
}
INLINE void store_lds(struct wave *w, enum access k, u32v offset, lmask m, const u32v v[4]) {
    struct range r = lds_range(w);
    if (UNLIKELY(!store_inside(k, &r, r.lo, offset, m, v))) STORE_LDS(w, access_plain(k), offset, m, v);
}

// Scratch: offset is the byte number in the lane's private segment, i the chunk. False after a fault.
#define LOAD_SCRATCH  PASTE(load, scratch, LEVEL)
#define STORE_SCRATCH PASTE(store, scratch, LEVEL)
bool LOAD_SCRATCH(struct wave *w, const struct op *op, enum access k, u32v offset, lmask m, unsigned i,
                  u32v v[4]);
bool STORE_SCRATCH(struct wave *w, const struct op *op, enum access k, u32v offset, lmask m, unsigned i,
                   const u32v v[4]);

// Buffers: the address of each lane and which dwords of the element are in range (bit 0 for shorter
// elements).
struct buffer_lanes {
    uint64_t at[LANES];
    uint8_t inside[LANES];
};
#define BUFFER_LANES PASTE(buffer, lanes, LEVEL)
// False: the descriptor is of another kind, so that the instruction does nothing (TRAP-311).
bool BUFFER_LANES(struct wave *w, const struct op *op, unsigned size, lmask m, unsigned i,
                  struct buffer_lanes *out);
// How far apart the dwords of an element are.
#define BUFFER_STEP PASTE(buffer, step, LEVEL)
uint64_t BUFFER_STEP(struct wave *w, const struct op *op);

// Records a fault of lane `lane` of chunk i.
INLINE bool lane_fault(struct wave *w, const struct op *op, enum fault_kind kind, unsigned i, unsigned lane,
                       uint64_t a) {
    wave_fault(w, op, kind, (int)(i * LANES + lane), a);
    return false;
}

// ---- Registers ----
INLINE void put_loaded(struct wave *w, wave_place dst, unsigned i, lmask m, enum access k, const u32v v[4]) {
    u32v first = v[0], old = reg_at(w, dst)[i];
    if (access_low_half(k)) first = (old & 0xffff0000u) | (first & 0xffff);
    if (access_high_half(k)) first = (old & 0xffff) | first << 16;
    for (unsigned d = 0; d < access_dwords(k); d++) {
        u32v *at = &reg_at(w, dst + d * wave_stride(w))[i];
        if (LIKELY(m == ALL_LANES))
            *at = d ? v[d] : first;
        else
            store_masked(at, m, d ? v[d] : first);
    }
}
INLINE void get_stored(struct wave *w, wave_place data, unsigned i, enum access k, u32v v[4]) {
    for (unsigned d = 0; d < access_dwords(k); d++) v[d] = reg_at(w, data + d * wave_stride(w))[i];
    if (access_high_half(k)) v[0] = v[0] >> 16;
}

// ---- A whole wave at once: every lane executes and consecutive lanes take consecutive elements ----
#if defined(FUSED)
// Questions to fuse.c, which knows more of the lanes than a body does (jit/lanes.h): whether it is known
// how far they are apart; whether to leave the access to its handler, as that does not hold now; where not,
// whether lanes are not first, first + step and so on. Lanes of one chunk may be known to lie so while the
// chunks of a wave have nothing to do with each other: they are apart.
extern __attribute__((const)) bool lanes_known(u32v v);
extern __attribute__((const)) bool lanes_apart(u32v v);
extern __attribute__((const)) bool lanes_unsure(u32v v);
extern __attribute__((const)) bool lanes_differ(u32v v, uint32_t first, uint32_t step);
// Whether lanes lie a step apart that may be known only when code runs. Of such lanes, whether the dwords of
// all are inside: at base + v, without a carry out of the lower dword of v, which is one of so many places
// from `from` on. And these dwords, of which the first one's is at p.
extern __attribute__((const)) bool lanes_strided(u32v v);
extern __attribute__((const)) bool lanes_inside(u32v v, uint64_t base, uint64_t from, uint64_t places);
extern __attribute__((pure)) u32v lanes_take(u32v v, const char *p);

// Of addresses in two registers, whose low halves the chunks have: what lanes_wide says of them.
typedef uint64_t wide_answer __attribute__((vector_size(32)));
enum { WIDE_KNOWN, WIDE_UNSURE, WIDE_FIRST, WIDE_STEP };
// clang-format off
#if STENCIL / LANES == 2
extern __attribute__((const)) wide_answer lanes_wide(u32v, u32v, u32v, u32v);
#define ASK_WIDE(lo, hi) lanes_wide(lo[0], lo[1], hi[0], hi[1])
#elif STENCIL / LANES == 4
extern __attribute__((const)) wide_answer lanes_wide(u32v, u32v, u32v, u32v, u32v, u32v, u32v, u32v);
#define ASK_WIDE(lo, hi) lanes_wide(lo[0], lo[1], lo[2], lo[3], hi[0], hi[1], hi[2], hi[3])
#else
extern __attribute__((const)) wide_answer lanes_wide(u32v, u32v, u32v, u32v, u32v, u32v, u32v, u32v,
                                                     u32v, u32v, u32v, u32v, u32v, u32v, u32v, u32v);
#define ASK_WIDE(lo, hi)                                                                                     \
    lanes_wide(lo[0], lo[1], lo[2], lo[3], lo[4], lo[5], lo[6], lo[7],                                        \
               hi[0], hi[1], hi[2], hi[3], hi[4], hi[5], hi[6], hi[7])
#endif
// clang-format on
extern __attribute__((const)) wide_answer lanes_wide_chunk(u32v lo, u32v hi);

// The same of a whole wave; `lo`, and `hi` unless NULL, are its lanes' address registers.
INLINE bool wave_known(const struct wave *w, const u32v *lo, const u32v *hi) {
    bool known = true;
    EACH_WAVE_CHUNK {
        known &= lanes_known(lo[i]);
        if (hi) known &= lanes_known(hi[i]);
    }
    return known;
}
INLINE bool wave_apart(const struct wave *w, const u32v *lo, const u32v *hi) {
    bool apart = true;
    EACH_WAVE_CHUNK {
        apart &= lanes_apart(lo[i]);
        if (hi) apart &= lanes_apart(hi[i]);
    }
    return apart;
}
INLINE bool wave_unsure(const struct wave *w, const u32v *lo, const u32v *hi) {
    bool unsure = false;
    EACH_WAVE_CHUNK {
        unsure |= lanes_unsure(lo[i]);
        if (hi) unsure |= lanes_unsure(hi[i]);
    }
    return unsure;
}
INLINE bool wave_strided(const struct wave *w, const u32v *lo) {
    bool strided = true;
    EACH_WAVE_CHUNK strided &= lanes_strided(lo[i]);
    return strided;
}
INLINE bool wave_differs(const struct wave *w, const u32v *v, uint32_t first, uint32_t step) {
    bool differ = false;
    EACH_WAVE_CHUNK { differ |= lanes_differ(v[i], first + i * LANES * step, step); }
    return differ;
}
#endif
// Sets the first address less its upper dword.
INLINE bool wave_run(const struct wave *w, const u32v *lo, const u32v *hi, unsigned size, uint32_t *first) {
    const uint32_t o = *first = lo[0][0];
    if (!exec_full(w) || o >= 0u - (wave_lanes(w) - 1) * size) return false; // the last one has no carry
#if defined(FUSED)
    return !(wave_differs(w, lo, o, size) | (hi && wave_differs(w, hi, hi[0][0], 0)));
#else
    const unsigned chunks = wave_lanes(w) / LANES;
    u32v expected = splat32(o) + LANE_INDEX * size, different = splat32(0);
    const u32v high = hi ? splat32(hi[0][0]) : splat32(0);
    UNROLL_CHUNKS for (unsigned i = 0; i < chunks; i++, expected += LANES * size) {
        different |= lo[i] ^ expected;
        if (hi) different |= hi[i] ^ high;
    }
    return !differ32(different, splat32(0));
#endif
}
// Every lane executes and has the same address.
INLINE bool wave_same(const struct wave *w, const u32v *lo, const u32v *hi) {
#if defined(FUSED)
    return exec_full(w) && !(wave_differs(w, lo, lo[0][0], 0) | (hi && wave_differs(w, hi, hi[0][0], 0)));
#else
    const unsigned chunks = wave_lanes(w) / LANES;
    if (!exec_full(w) || lo[0][0] != lo[0][1]) return false;
    u32v different = splat32(0);
    const u32v low = splat32(lo[0][0]), high = hi ? splat32(hi[0][0]) : low;
    UNROLL_CHUNKS for (unsigned i = 0; i < chunks; i++) {
        different |= lo[i] ^ low;
        if (hi) different |= hi[i] ^ high;
    }
    return !differ32(different, splat32(0));
#endif
}
INLINE void load_same(struct wave *w, enum access k, wave_place dst, const char *p) {
    const unsigned chunks = wave_lanes(w) / LANES;
    u32v v[4];
    take_one(k, p, v);
    UNROLL_CHUNKS for (unsigned i = 0; i < chunks; i++) put_loaded(w, dst, i, ALL_LANES, k, v);
}
// Waves run one after the other, and the next ones mostly go on where this one ends: their lines can be under
// way meanwhile.
INLINE void prefetch_run(const char *p, unsigned bytes) {
    UNROLL_CHUNKS for (unsigned at = 0; at < bytes; at += 64)
        __builtin_prefetch(p + PREFETCH_WAVES * bytes + at);
}
INLINE void load_run(struct wave *w, enum access k, wave_place dst, const char *p) {
    const unsigned chunks = wave_lanes(w) / LANES;
    prefetch_run(p, chunks * LANES * access_bytes(k));
    UNROLL_CHUNKS for (unsigned i = 0; i < chunks; i++, p += LANES * access_bytes(k)) {
        u32v v[4];
        take(k, p, v);
        put_loaded(w, dst, i, ALL_LANES, k, v);
    }
}
INLINE void load_overlap(struct wave *w, enum access k, wave_place dst, const char *p) {
    const unsigned chunks = wave_lanes(w) / LANES;
    UNROLL_CHUNKS for (unsigned i = 0; i < chunks; i++, p += LANES * 4) {
        u32v v[4];
        for (unsigned d = 0; d < access_dwords(k); d++) v[d] = vector_at(p + 4 * d);
        put_loaded(w, dst, i, ALL_LANES, k, v);
    }
}
INLINE void store_run(struct wave *w, enum access k, wave_place data, char *p) {
    const unsigned chunks = wave_lanes(w) / LANES;
    UNROLL_CHUNKS for (unsigned i = 0; i < chunks; i++, p += LANES * access_bytes(k)) {
        u32v v[4];
        get_stored(w, data, i, k, v);
        give(k, p, v);
    }
}

#if defined(STENCIL)
// How the lanes of chunks lie, a bit for each chunk: all at one element; overlap_step(size) bytes apart,
// which is less than an element. Of the others, lane n takes element n.
struct chunks {
    unsigned alike, overlap;
};
// Neighbours of a dword, or of a byte, read as one element. 0: there is no such step.
INLINE unsigned overlap_step(unsigned size) { return size > 4 ? 4 : size == 2; }
// Every lane executes, and what the chunks take lies inside the range at base + address + add. `of` is NULL
// where all chunks have to take consecutive elements.
INLINE bool wave_chunks(struct wave *w, const struct range *range, uint64_t base, wave_place vaddr,
                        uint32_t add, unsigned size, struct chunks *of) {
    const unsigned chunks = wave_lanes(w) / LANES;
    if (!exec_full(w)) return false;
    if (of) *of = (struct chunks){0};
#if defined(FUSED) // few places where control parts: these cost compilers most
    bool bad = false;
    const unsigned step = overlap_step(size);
    UNROLL_CHUNKS for (unsigned i = 0; i < chunks; i++) {
        const u32v o = reg_at(w, vaddr)[i] + add;
        const bool is_same = of && !lanes_differ(o, o[0], 0), is_run = !lanes_differ(o, o[0], size),
                   is_overlap = of && step && !lanes_differ(o, o[0], step);
        const unsigned bytes = is_same ? size : is_overlap ? (LANES - 1) * step + size : LANES * size;
        if (of) of->alike |= (unsigned)is_same << i, of->overlap |= (unsigned)is_overlap << i;
        bad |= (unsigned)!(is_same | is_run | is_overlap) | !(is_same | (o[0] < 0u - (LANES - 1) * size)) |
               !in_cached_fixed(range, base + o[0], bytes);
    }
    return !bad;
#else
    UNROLL_CHUNKS for (unsigned i = 0; i < chunks; i++) {
        const u32v o = reg_at(w, vaddr)[i] + add;
        unsigned bytes = LANES * size;
        if (of && o[0] == o[1]) {
            if (differ32(o, splat32(o[0]))) return false;
            of->alike |= 1u << i;
            bytes = size;
        } else if (!full_run(o, size))
            return false;
        if (!in_cached(range, base + o[0], bytes)) return false;
    }
    return true;
#endif
}
INLINE void load_chunk(enum access k, const char *p, bool alike, bool overlap, u32v v[4]) {
    if (alike)
        take_one(k, p, v);
    else if (overlap && access_bytes(k) == 2)
        v[0] = widen8(p, false) | widen8(p + 1, access_signed(k)) << 8;
    else if (overlap)
        for (unsigned d = 0; d < access_dwords(k); d++) v[d] = vector_at(p + 4 * d);
    else
        take(k, p, v);
}
// Pieces of longer elements are as long themselves: only compiled code, which knows most of what they ask,
// has them.
INLINE bool in_chunks(enum access k) {
#if defined(FUSED)
    (void)k;
    return true;
#else
    return access_bytes(k) <= 4;
#endif
}
#endif

// Runs the statement for chunks with executing lanes; i is the chunk, m its lanes.
#define EACH_ACTIVE(w, ...)                                                                                  \
    do {                                                                                                     \
        uint64_t exec_ = exec_of(w);                                                                         \
        for (unsigned i = 0; exec_; i++, exec_ >>= LANES) {                                                  \
            const lmask m = (lmask)exec_ & ALL_LANES;                                                        \
            if (m) { __VA_ARGS__; }                                                                          \
        }                                                                                                    \
    } while (0)

// Splits the lanes m with 64-bit addresses {hi, lo} by upper dword: runs the statement for lanes g with
// `high`.
#define EACH_HIGH(hi, m, ...)                                                                                \
    for (lmask left_ = (m); left_;) {                                                                        \
        const uint32_t high = LIKELY(left_ & 1) ? (hi)[0] : lane_of(hi, first_lane(left_));                  \
        const lmask g = left_ & ~differ32(hi, splat32(high));                                                \
        left_ &= ~g;                                                                                         \
        __VA_ARGS__;                                                                                         \
    }

// ---- Tables of handlers ----
// run(w, op, k) does the instruction and returns false after a fault. NOTE_ACCESS is for guard.c. A handler
// is not inlined into others, so that its locals are dead at the jump to the next op.
#if defined(FUSED) // fuse.c does
#define NOTE_ACCESS(w, op) (void)0
#else
#define NOTE_ACCESS(w, op) (w)->at = (op)
#endif
#if !defined(STENCIL)
#define ACCESS_HANDLER(run, k)                                                                               \
    static const struct op *run##_##k(struct wave *w, const struct op *op) {                                 \
        NOTE_ACCESS(w, op);                                                                                  \
        if (UNLIKELY(!run(w, op, ACCESS_##k))) return NULL;                                                  \
        NEXT;                                                                                                \
    }
#else                          // A piece has what is frequent: where that is not the case, run did nothing.
#define LEAVES_RARELY(k) false // so that what is not is worth no way back
#define ACCESS_HANDLER(run, k)                                                                               \
    INLINE const struct op *run##_##k##_ops(struct wave *w, const struct op *op) {                           \
        NOTE_ACCESS(w, REAL_OP);                                                                             \
        HOLE_FENCE();                                                                                        \
        if (UNLIKELY(!run(w, op, ACCESS_##k)))                                                               \
            return LEAVES_RARELY(ACCESS_##k) ? hole_leave(w, REAL_OP) : hole_plain(w, REAL_OP);              \
        NEXT;                                                                                                \
    }                                                                                                        \
    INLINE const struct op *run##_##k##__saddr_ops(struct wave *w, const struct op *op) {                    \
        return run##_##k##_ops(w, op);                                                                       \
    }                                                                                                        \
    PIECE(run##_##k, 0)                                                                                      \
    PIECE(run##_##k##__saddr, 1)
#endif
#define ACCESS_ENTRY(run, k) [ACCESS_##k] = run##_##k,
// clang-format off
#define LOAD_FORMS(X, run)                                                                                   \
    X(run, U8) X(run, I8) X(run, U16) X(run, I16) X(run, B32) X(run, B64) X(run, B96) X(run, B128)           \
    X(run, D16_U8) X(run, D16_I8) X(run, D16_B16) X(run, D16_HI_U8) X(run, D16_HI_I8) X(run, D16_HI_B16)
#define STORE_FORMS(X, run)                                                                                  \
    X(run, U8) X(run, U16) X(run, B32) X(run, B64) X(run, B96) X(run, B128)                                  \
    X(run, D16_HI_U8) X(run, D16_HI_B16)
#define ACCESS_HANDLERS(forms, run)                                                                          \
    forms(ACCESS_HANDLER, run)                                                                               \
    static op_fn *const run##_table[ACCESS_D16_HI_B16 + 1] = {forms(ACCESS_ENTRY, run)};
// clang-format on
#define LOAD_HANDLERS(run)  ACCESS_HANDLERS(LOAD_FORMS, run)
#define STORE_HANDLERS(run) ACCESS_HANDLERS(STORE_FORMS, run)
#define MEMORY_BODY(name)   BODY(name, .shape = SHAPE_MEMORY, .table = name##_table);

#endif
