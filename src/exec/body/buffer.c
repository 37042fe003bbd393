// SPDX-License-Identifier: MIT
// Untyped buffer loads and stores (MUBUF): the descriptor, its address calculation and its range check.
//
// Address = base + soffset + the linear or swizzled sum of index and offset (TRAP-306, TRAP-317). What is out
// of range depends on the descriptor's kind (TRAP-307, ERR-30); such dwords load as zero and are not stored,
// each alone (TRAP-309). What is in range must still lie in mapped memory. Two descriptors are done in
// vectors: raw linear ones, and the private segment buffer, which is swizzled by dword over the lanes of the
// wave.
#include "exec/body/access.h"

enum bounds {
    BOUNDS_NONE,
    BOUNDS_RAW,
    BOUNDS_INDEX,
    BOUNDS_RECORD,
    BOUNDS_ALL_OUT,
    BOUNDS_BYTES, // of CDNA5, where soffset counts
    BOUNDS_BYTES_AND_RECORD
};
struct descriptor {
    uint64_t base;  // with soffset, unless that is swizzled
    uint64_t limit; // of BOUNDS_RAW and BOUNDS_BYTES
    uint32_t soffset;
    uint32_t inner; // soffset where it is swizzled
    uint32_t stride, records, index_stride, element;
    bool swizzled, add_tid, valid;
    bool exact;     // the bytes transferred count in the range check, not only where they start
    uint8_t bounds; // enum bounds
};

// Unbound: the format is INVALID, whatever the instruction makes of its data (BUF-17, BUF-58). With lane ids
// in the index MUBUF has no use for the format.
INLINE bool is_unbound(const struct mem_op *mo, uint32_t word3) {
    const uint32_t format = mo->srd <= SRD_GFX9    ? word3 >> 15 & 15
                            : mo->srd == SRD_GFX10 ? word3 >> 12 & 127
                                                   : word3 >> 12 & 63;
    return !format && (mo->format_here || !(word3 >> 23 & 1));
}
// The size of raw buffers in bytes.
INLINE uint64_t raw_limit(const struct mem_op *mo, uint32_t records, uint32_t soffset) {
    if (!mo->soffset_counts) return records;
    return records > soffset ? records - soffset : 0;
}
// Before OOB_SELECT the kind of buffer follows from the descriptor and the instruction. On GFX9 lane ids
// without an index mean the private segment, which has no check (Vega 8.1.5, CDNA3 9.1.5.1).
static void choose_bounds(const struct mem_op *mo, struct descriptor *d) {
    const bool indexed = mo->srd == SRD_GFX9 ? mo->idxen : mo->srd == SRD_GFX8 ? d->swizzled : true;
    const bool private = mo->srd == SRD_GFX9 ? d->add_tid && !mo->idxen : d->add_tid && d->swizzled;
    d->bounds = mo->addr64 || private ? BOUNDS_NONE : d->stride && indexed ? BOUNDS_INDEX : BOUNDS_RAW;
    d->exact = mo->srd != SRD_GFX9;
}
// BUF-35 to BUF-38. GFX10 does not count the payload in mode 0 (RDNA2 8.1.5).
static void select_bounds(const struct mem_op *mo, struct descriptor *d, unsigned oob_select) {
    d->exact = mo->srd != SRD_GFX10 || oob_select;
    switch (oob_select) {
    case 0: d->bounds = BOUNDS_RECORD; break;
    case 1: d->bounds = BOUNDS_INDEX; break;
    case 2: d->bounds = d->records ? BOUNDS_NONE : BOUNDS_ALL_OUT; break;
    default: d->bounds = d->swizzled && d->stride ? BOUNDS_RECORD : BOUNDS_RAW;
    }
}
// CDNA5 9.4: records are bytes, and there is nothing but plain and swizzled buffers. `exact` counts the
// payload; offsets are sums of 45 bits before the base.
static struct descriptor read_descriptor_57(const uint32_t word[4], uint32_t soffset) {
    const uint64_t low = word[0] | (uint64_t)word[1] << 32, high = word[2] | (uint64_t)word[3] << 32;
    struct descriptor d = {
        .base = (low & 0x1ffffffffffffff) + soffset,
        .stride = (uint32_t)(high >> 44 & 0x3fff) << (const uint8_t[]){0, 2, 3, 5}[high >> 58 & 3],
        .index_stride = 32,
        .element = 16,
        .swizzled = high >> 60 & 1,
        .valid = true,
        .exact = true,
        .soffset = soffset,
    };
    const uint64_t bytes = low >> 57 | (high & 0x3fffffffff) << 7;
    d.limit = bytes;
    d.bounds = d.swizzled ? BOUNDS_NONE : high >> 61 & 1 ? BOUNDS_BYTES_AND_RECORD : BOUNDS_BYTES;
    return d;
}
// BUF-57 and BUF-76 for the layouts, TRAP-316 for the wide stride.
static NOINLINE struct descriptor read_descriptor(struct wave *w, const struct op *op) {
    const struct mem_op *mo = mem_op_of(op);
    const uint32_t soffset = get32(w, op, mo->soffset);
    uint32_t word[4];
    memcpy(word, operand_at(w, op, mo->srsrc), sizeof word);
    if (mo->srd == SRD_GFX12_5) return read_descriptor_57(word, soffset);
    struct descriptor d = {
        .base = word[0] | (uint64_t)(word[1] & 0xffff) << 32,
        .stride = word[1] >> 16 & 0x3fff,
        .records = word[2],
        .index_stride = 8u << (word[3] >> 21 & 3),
        .element = 4,
        .swizzled = word[1] >> 31,
        .add_tid = word[3] >> 23 & 1,
        .valid = word[3] >> 30 == 0,
    };
    const bool typed = !mo->access && !mo->atomic;
    if (mo->srd == SRD_GFX6 || mo->srd == SRD_GFX8) d.element = 2u << (word[3] >> 19 & 3);
    if ((mo->srd == SRD_GFX8 || mo->srd == SRD_GFX9) && d.add_tid && !typed)
        d.stride |= (word[3] >> 15 & 15) << 14;
    if (mo->srd >= SRD_GFX11) {
        d.swizzled = word[1] >> 30;
        if (d.swizzled) d.element = 2u << (word[1] >> 30);
    }
    if (mo->srd == SRD_GFX12) d.stride <<= (uint8_t[]){0, 2, 3, 5}[word[3] >> 18 & 3];
    if (mo->srd == SRD_GFX12 && d.swizzled) // BUF-75
        d.inner = soffset;
    else
        d.base += soffset;

    d.limit = raw_limit(mo, d.records, soffset);
    if (is_unbound(mo, word[3]))
        d.bounds = BOUNDS_ALL_OUT;
    else if (mo->srd < SRD_GFX10)
        choose_bounds(mo, &d);
    else
        select_bounds(mo, &d, word[3] >> 28 & 3);
    return d;
}
// Without a range check (the private segment) offsets wrap: compilers pair negative registers with positive
// immediates. Before GFX9 that segment was range-checked, and nothing relies on it (TRAP-464).
INLINE bool wraps(const struct mem_op *mo, const struct descriptor *d) {
    return d->bounds == BOUNDS_NONE && d->swizzled && mo->srd >= SRD_GFX9;
}
INLINE bool forces_alignment(const struct mem_op *mo, unsigned size) { return size >= 4 && mo->whole_dwords; }

bool BUFFER_LANES(struct wave *w, const struct op *op, unsigned size, lmask m, unsigned i,
                  struct buffer_lanes *out) {
    const struct mem_op *mo = mem_op_of(op);
    const struct descriptor d = read_descriptor(w, op);
    if (!d.valid) return false;
    const unsigned dwords = (size + 3) / 4, step = size < 4 ? size : 4, counted = d.exact ? step : 1;
    bool all_in = true;
    OVER_LANES(m, l) {
        uint64_t index = d.add_tid ? i * LANES + l : 0, offset = (uint64_t)mo->offset;
        uint32_t reg = mo->vaddr;
        if (mo->idxen) index += ((const uint32_t *)&reg_at(w, reg)[i])[l], reg += w->stride;
        if (mo->offen) offset += ((const uint32_t *)&reg_at(w, reg)[i])[l];
        index = (uint32_t)index;
        if (wraps(mo, &d)) offset = (uint32_t)offset;
        uint64_t linear = index * d.stride + offset, a;
        if (mo->srd == SRD_GFX12_5) linear &= 0x1fffffffffff;
        if (mo->addr64) {
            const uint32_t *lo = (const uint32_t *)&reg_at(w, mo->vaddr)[i];
            a = d.base + offset + (lo[l] | (uint64_t)lo[l + w->stride / 4] << 32);
        } else if (d.swizzled) {
            if (mo->srd == SRD_GFX12) offset = (uint32_t)(offset + d.inner);
            uint64_t in = offset & ~(uint64_t)(step - 1);
            a = d.base + (index / d.index_stride * d.stride + in / d.element * d.element) * d.index_stride +
                index % d.index_stride * d.element + in % d.element;
        } else
            a = d.base + linear;
        if (forces_alignment(mo, size)) a &= ~3ull;
        out->at[l] = a;
        out->inside[l] = 0;
        for (unsigned c = 0; c < dwords; c++) {
            bool in = true;
            switch (d.bounds) {
            case BOUNDS_RAW: in = linear + 4 * c + counted <= d.limit; break;
            case BOUNDS_INDEX: in = index < d.records; break;
            case BOUNDS_RECORD: in = index < d.records && offset + 4 * c + counted <= d.stride; break;
            case BOUNDS_ALL_OUT: in = false; break;
            case BOUNDS_BYTES: in = linear + d.soffset + 4 * c + counted <= d.limit; break;
            case BOUNDS_BYTES_AND_RECORD:
                in = linear + d.soffset + 4 * c + counted <= d.limit &&
                     offset + d.soffset + 4 * c + counted <= d.stride;
                break;
            default: break;
            }
            out->inside[l] |= (uint8_t)(in << c);
            all_in &= in;
        }
    }
    if (!all_in) w->trap_status |= mo->oob_flag; // BUF-74
    return true;
}
// How far apart the dwords of an element are.
INLINE uint64_t dword_step(struct wave *w, const struct op *op) {
    const struct descriptor d = read_descriptor(w, op);
    return d.swizzled && d.element == 4 ? 4ull * d.index_stride : 4;
}

uint64_t BUFFER_STEP(struct wave *w, const struct op *op) { return dword_step(w, op); }

static NOINLINE bool load_checked(struct wave *w, const struct op *op, enum access k, lmask m, unsigned i,
                                  u32v v[4], bool *ignored) {
    const unsigned size = access_bytes(k), step = size < 4 ? size : 4, slot = mem_op_of(op)->slot;
    struct buffer_lanes b;
    *ignored = !BUFFER_LANES(w, op, size, m, i, &b);
    if (*ignored) return true;
    const uint64_t apart = dword_step(w, op);
    uint32_t r[4][LANES] = {0};
    OVER_LANES(m, l) {
        for (unsigned c = 0; c < access_dwords(k); c++) {
            uint64_t a = b.at[l] + c * apart;
            if (!(b.inside[l] >> c & 1)) continue;
            if (!global_right(w, slot, a, step, RIGHT_READ)) return lane_fault(w, op, FAULT_READ, i, l, a);
            memcpy(&r[c][l], host_at(a), step);
            if (k == ACCESS_I8) r[c][l] = (uint32_t)(int8_t)r[c][l];
            if (k == ACCESS_I16) r[c][l] = (uint32_t)(int16_t)r[c][l];
        }
    }
    for (unsigned c = 0; c < access_dwords(k); c++) v[c] = vector_at((const char *)r[c]);
    return true;
}
static NOINLINE bool store_checked(struct wave *w, const struct op *op, enum access k, lmask m, unsigned i,
                                   const u32v v[4]) {
    const unsigned size = access_bytes(k), step = size < 4 ? size : 4, slot = mem_op_of(op)->slot;
    struct buffer_lanes b;
    if (!BUFFER_LANES(w, op, size, m, i, &b)) return true;
    const uint64_t apart = dword_step(w, op);
    uint32_t r[4][LANES];
    for (unsigned c = 0; c < access_dwords(k); c++) memcpy(r[c], &v[c], VB);
    OVER_LANES(m, l) {
        for (unsigned c = 0; c < access_dwords(k); c++) {
            uint64_t a = b.at[l] + c * apart;
            if (!(b.inside[l] >> c & 1)) continue;
            if (!global_right(w, slot, a, step, RIGHT_WRITE)) return lane_fault(w, op, FAULT_WRITE, i, l, a);
            memcpy(host_at(a), &r[c][l], step);
        }
    }
    return true;
}

// ---- In vectors ----
enum path { PATH_CHECKED, PATH_RAW, PATH_PRIVATE };
struct fast {
    enum path path;
    uint64_t base, limit;
    uint32_t index_stride;
};
// Most descriptors: raw, linear, without lane ids.
INLINE bool is_plain(const struct mem_op *mo, const uint32_t word[4]) {
    if (word[1] >> 30 | word[3] >> 30 | (word[3] >> 23 & 1)) return false;
    if (mo->srd >= SRD_GFX10 && (word[3] >> 28 & 3) != 3) return false;
    if (mo->srd == SRD_GFX6 && word[1] >> 16) return false;
    return !is_unbound(mo, word[3]);
}
// The private segment's: swizzled by dword over all lanes, not checked. Processors after GFX10 have scratch
// instructions instead.
INLINE bool is_private(const struct wave *w, const struct mem_op *mo, const uint32_t word[4]) {
    if (word[1] >> 30 != 2 || word[3] >> 30 || !(word[3] >> 23 & 1) || mo->srd > SRD_GFX10) return false;
    if (mo->srd == SRD_GFX10 && ((word[3] >> 28 & 3) != 2 || !word[2])) return false;
    if (mo->srd <= SRD_GFX8 && (word[3] >> 19 & 3) != 1) return false;
    return 8u << (word[3] >> 21 & 3) >= w->lanes;
}
INLINE struct fast choose(struct wave *w, const struct op *op, unsigned size) {
    const struct mem_op *mo = mem_op_of(op);
    const uint32_t soffset = get32(w, op, mo->soffset);
    struct fast f = {.path = PATH_CHECKED};
    uint32_t word[4];
    if (mo->addr64 || mo->idxen || mo->srd == SRD_GFX12_5) return f;
    memcpy(word, operand_at(w, op, mo->srsrc), sizeof word);
    f.base = (word[0] | (uint64_t)(word[1] & 0xffff) << 32) + soffset;
    f.limit = raw_limit(mo, word[2], soffset);
    f.index_stride = 8u << (word[3] >> 21 & 3);
    if (is_private(w, mo, word)) f.path = PATH_PRIVATE;
    if (is_plain(mo, word)) f.path = PATH_RAW;
    if (forces_alignment(mo, size) && f.base & 3) f.path = PATH_CHECKED;
    return f;
}
// Offsets of the lanes; false when some lane needs the full check.
INLINE bool fast_offset(struct wave *w, const struct op *op, const struct fast *f, unsigned size, lmask m,
                        unsigned i, u32v *out) {
    const struct mem_op *mo = mem_op_of(op);
    const uint32_t immediate = (uint32_t)mo->offset;
    u32v offset = splat32(immediate);
    if (mo->offen) {
        u32v own = reg_at(w, mo->vaddr)[i];
        const bool wrapping = f->path == PATH_PRIVATE && mo->srd >= SRD_GFX9;
        if (!wrapping && above32(own, splat32(~immediate)) & m) return false;
        offset += own;
    }
    if (f->path == PATH_PRIVATE) {
        if (above32(offset, splat32(UINT32_MAX / f->index_stride - 64)) & m) return false;
        *out = offset;
        return true;
    }
    if (f->limit < size) return false;
    if (above32(offset, splat32((uint32_t)(f->limit - size))) & m) return false;
    if (forces_alignment(mo, size)) offset &= ~3u;
    *out = offset;
    return true;
}

// The private segment: consecutive dwords of a lane are index_stride dwords apart. Elements that cross the
// border of a dword go byte by byte: compilers rely on unaligned access there.
INLINE u32v private_at(const struct fast *f, u32v offset, unsigned i) {
    return (offset & ~3u) * f->index_stride + (LANE_INDEX + i * LANES) * 4 + (offset & 3);
}
INLINE bool crosses(unsigned size, u32v offset, lmask m) {
    if (size == 1) return false;
    if (size == 2) return above32(offset & 3, splat32(2)) & m;
    return differ32(offset & 3, splat32(0)) & m;
}
static NOINLINE bool load_crossing(struct wave *w, const struct op *op, const struct fast *f, enum access k,
                                   u32v offset, lmask m, unsigned i, u32v v[4]) {
    for (unsigned d = 0; d < access_dwords(k); d++) v[d] = splat32(0);
    for (unsigned b = 0; b < access_bytes(k); b++) {
        u32v byte[4];
        if (!load_global(w, op, ACCESS_U8, f->base, private_at(f, offset + b, i), m, i, byte)) return false;
        v[b / 4] |= byte[0] << 8 * (b % 4);
    }
    if (k == ACCESS_I16) v[0] = (u32v)((i32v)(v[0] << 16) >> 16);
    return true;
}
static NOINLINE bool store_crossing(struct wave *w, const struct op *op, const struct fast *f, enum access k,
                                    u32v offset, lmask m, unsigned i, const u32v v[4]) {
    for (unsigned b = 0; b < access_bytes(k); b++) {
        u32v byte[4] = {v[b / 4] >> 8 * (b % 4)};
        if (!store_global(w, op, ACCESS_U8, f->base, private_at(f, offset + b, i), m, i, byte)) return false;
    }
    return true;
}
INLINE bool load_private(struct wave *w, const struct op *op, const struct fast *f, enum access k,
                         u32v offset, lmask m, unsigned i, u32v v[4]) {
    const unsigned size = access_bytes(k);
    if (UNLIKELY(crosses(size, offset, m))) return load_crossing(w, op, f, access_plain(k), offset, m, i, v);
    const u32v at = private_at(f, offset, i);
    if (size <= 4) return load_global(w, op, k, f->base, at, m, i, v);
    for (unsigned d = 0; d < size / 4; d++)
        if (!load_global(w, op, ACCESS_B32, f->base, at + d * 4 * f->index_stride, m, i, &v[d])) return false;
    return true;
}
INLINE bool store_private(struct wave *w, const struct op *op, const struct fast *f, enum access k,
                          u32v offset, lmask m, unsigned i, const u32v v[4]) {
    const unsigned size = access_bytes(k);
    if (UNLIKELY(crosses(size, offset, m))) return store_crossing(w, op, f, access_plain(k), offset, m, i, v);
    const u32v at = private_at(f, offset, i);
    if (size <= 4) return store_global(w, op, k, f->base, at, m, i, v);
    for (unsigned d = 0; d < size / 4; d++)
        if (!store_global(w, op, ACCESS_B32, f->base, at + d * 4 * f->index_stride, m, i, &v[d]))
            return false;
    return true;
}

INLINE bool buffer_load(struct wave *w, const struct op *op, enum access k) {
    const struct mem_op *mo = mem_op_of(op);
    const unsigned size = access_bytes(k);
    const struct fast f = choose(w, op, size);
    EACH_ACTIVE(
        w, u32v v[4], offset;
        if (UNLIKELY(f.path == PATH_CHECKED || !fast_offset(w, op, &f, size, m, i, &offset))) {
            bool ignored;
            if (!load_checked(w, op, access_plain(k), m, i, v, &ignored)) return false;
            if (ignored) return true;
        } else if (f.path == PATH_PRIVATE) {
            if (!load_private(w, op, &f, k, offset, m, i, v)) return false;
        } else if (!load_global(w, op, k, f.base, offset, m, i, v)) return false;
        put_loaded(w, mo->dst, i, m, k, v));
    return true;
}
INLINE bool buffer_store(struct wave *w, const struct op *op, enum access k) {
    const struct mem_op *mo = mem_op_of(op);
    const unsigned size = access_bytes(k);
    const struct fast f = choose(w, op, size);
    EACH_ACTIVE(
        w, u32v v[4], offset; get_stored(w, mo->data, i, k, v);
        if (UNLIKELY(f.path == PATH_CHECKED || !fast_offset(w, op, &f, size, m, i, &offset))) {
            if (!store_checked(w, op, access_plain(k), m, i, v)) return false;
        } else if (f.path == PATH_PRIVATE) {
            if (!store_private(w, op, &f, k, offset, m, i, v)) return false;
        } else if (!store_global(w, op, k, f.base, offset, m, i, v)) return false);
    return true;
}
LOAD_HANDLERS(buffer_load)
STORE_HANDLERS(buffer_store)
MEMORY_BODY(buffer_load)
MEMORY_BODY(buffer_store)
#if !defined(STENCIL)
BODY(buffer_store_lds, .shape = SHAPE_MEMORY, .pair = STORE_FROM_LDS, .table = buffer_store_table);
#endif
