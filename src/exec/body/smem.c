// SPDX-License-Identifier: MIT
// Scalar memory: one address for the wave, dwords to and from scalar registers.
//
// The address is a base register plus an immediate (mo->offset) plus, with mo->offen, a register or M0; low
// bits of each component are dropped by the size of the access (TRAP-082, TRAP-083). Buffer forms use base,
// stride and record count of the descriptor, check each dword alone and never swizzle (TRAP-084 to TRAP-086);
// before GFX12 they drop the low bits of the sum and compare it as it is (SM11-13, SM11-23).
// Results stand in consecutive registers, VCC included; with mo->null the access is made and its data
// dropped.
#include "exec/body/access.h"

// One address for the wave: compiled code leaves only for a range that the instruction has not found yet.
#undef LEAVES_RARELY
#define LEAVES_RARELY(k) true

INLINE uint64_t align_mask(enum access k) {
    return access_bytes(k) >= 4 ? ~3ull : ~(uint64_t)(access_bytes(k) - 1);
}

// Immediate plus register; `scale` is 64 in the scratch forms (TRAP-091).
INLINE uint64_t scalar_offset(struct wave *w, const struct op *op, enum access k, unsigned scale) {
    const struct mem_op *mo = mem_op_of(op);
    uint64_t sum = (uint64_t)mo->offset & align_mask(k);
    if (mo->offen) sum += (uint64_t)get32(w, op, mo->soffset) * scale & align_mask(k);
    return sum;
}

// What p holds, as one access extends it, into registers.
INLINE void put_scalar(struct wave *w, const struct op *op, enum access k, const char *p) {
    const struct mem_op *mo = mem_op_of(op);
    if (UNLIKELY(mo->null)) return;
    char *dst = wave_at(w, mo->dst);
    switch (k) {
    case ACCESS_U8: wr32(dst, (uint8_t)*p); break;
    case ACCESS_I8: wr32(dst, (uint32_t)(int8_t)*p); break;
    case ACCESS_U16: wr32(dst, rd16(p)); break;
    case ACCESS_I16: wr32(dst, (uint32_t)(int16_t)rd16(p)); break;
    default: memcpy(dst, p, access_bytes(k));
    }
}

#if !defined(STENCIL)
#define SCALAR_FAULT(kind, a) return wave_fault(w, op, kind, -1, a), false
#define SCALAR_RIGHT(w, op, a, bytes, rights, p)                                                             \
    (*(p) = host_at(a), global_right(w, mem_op_of(op)->slot, a, bytes, rights))
#else
#define SCALAR_FAULT(kind, a)                    return false
#define SCALAR_RIGHT(w, op, a, bytes, rights, p) in_found(w, op, a, bytes, p)
#endif

INLINE bool load_at(struct wave *w, const struct op *op, enum access k, uint64_t a) {
    char *p;
    if (UNLIKELY(!SCALAR_RIGHT(w, op, a, access_bytes(k), RIGHT_READ, &p))) SCALAR_FAULT(FAULT_READ, a);
    put_scalar(w, op, k, p);
    return true;
}
INLINE bool store_at(struct wave *w, const struct op *op, enum access k, uint64_t a) {
    char *p;
    if (UNLIKELY(!SCALAR_RIGHT(w, op, a, access_bytes(k), RIGHT_WRITE, &p))) SCALAR_FAULT(FAULT_WRITE, a);
    memcpy(p, wave_at(w, mem_op_of(op)->data), access_bytes(k));
    return true;
}
INLINE uint64_t scalar_base(struct wave *w, const struct op *op, enum access k) {
    return get64(w, op, mem_op_of(op)->saddr) & align_mask(k);
}

INLINE bool s_load(struct wave *w, const struct op *op, enum access k) {
    return load_at(w, op, k, scalar_base(w, op, k) + scalar_offset(w, op, k, 1));
}
INLINE bool s_store(struct wave *w, const struct op *op, enum access k) {
    return store_at(w, op, k, scalar_base(w, op, k) + scalar_offset(w, op, k, 1));
}
INLINE bool s_scratch_load(struct wave *w, const struct op *op, enum access k) {
    return load_at(w, op, k, scalar_base(w, op, k) + scalar_offset(w, op, k, 64));
}
INLINE bool s_scratch_store(struct wave *w, const struct op *op, enum access k) {
    return store_at(w, op, k, scalar_base(w, op, k) + scalar_offset(w, op, k, 64));
}

#if !defined(STENCIL)
// ---- Through a buffer descriptor ----
struct scalar_buffer {
    uint64_t base, size, offset;
};
// False: a negative offset, which is an address violation (TRAP-087).
INLINE bool scalar_buffer(struct wave *w, const struct op *op, enum access k, struct scalar_buffer *b) {
    const struct mem_op *mo = mem_op_of(op);
    uint32_t word[4];
    memcpy(word, operand_at(w, op, mo->saddr), sizeof word);
    const uint32_t stride = word[1] >> 16 & 0x3fff; // never scaled
    b->base = (word[0] | (uint64_t)(word[1] & 0xffff) << 32) & align_mask(k);
    b->size = (uint64_t)(stride ? stride : 1) * word[2];
    b->offset = (uint64_t)mo->offset + (mo->offen ? get32(w, op, mo->soffset) : 0);
    if (mo->srd == SRD_GFX12_5) { // CDNA5 8.1.2
        const uint64_t low = word[0] | (uint64_t)word[1] << 32, wide = word[3] >> 12 & 0x3fff;
        b->base = (low & 0x1ffffffffffffff) & align_mask(k);
        b->size = (wide ? wide : 1) * (low >> 57 | ((uint64_t)word[2] | (uint64_t)(word[3] & 63) << 32) << 7);
    }
    if (mo->srd >= SRD_GFX12) { // RDNA4 8.1.2
        b->size &= align_mask(k);
        b->offset = scalar_offset(w, op, k, 1);
    }
    return (int64_t)b->offset >= 0 && !(mo->negative_faults && mo->offset < 0);
}
// Of the dword n bytes into the access.
INLINE uint64_t scalar_at(const struct scalar_buffer *b, enum access k, unsigned n) {
    return b->base + (b->offset & align_mask(k)) + n;
}
INLINE bool s_buffer_load(struct wave *w, const struct op *op, enum access k) {
    const unsigned slot = mem_op_of(op)->slot, size = access_bytes(k), step = size < 4 ? size : 4;
    struct scalar_buffer b;
    if (!scalar_buffer(w, op, k, &b)) SCALAR_FAULT(FAULT_READ, scalar_at(&b, k, 0));
    if (LIKELY(b.offset + size <= b.size)) return load_at(w, op, k, scalar_at(&b, k, 0));
    char bounce[64] = {0};
    for (unsigned n = 0; n < size; n += step) {
        const uint64_t a = scalar_at(&b, k, n);
        if (b.offset + n >= b.size) continue;
        if (!global_right(w, slot, a, step, RIGHT_READ)) SCALAR_FAULT(FAULT_READ, a);
        memcpy(bounce + n, host_at(a), step);
    }
    put_scalar(w, op, k, bounce);
    return true;
}
INLINE bool s_buffer_store(struct wave *w, const struct op *op, enum access k) {
    const unsigned slot = mem_op_of(op)->slot, size = access_bytes(k);
    struct scalar_buffer b;
    if (!scalar_buffer(w, op, k, &b)) SCALAR_FAULT(FAULT_WRITE, scalar_at(&b, k, 0));
    for (unsigned n = 0; n < size; n += 4) {
        const uint64_t a = scalar_at(&b, k, n);
        if (b.offset + n >= b.size) continue;
        if (!global_right(w, slot, a, 4, RIGHT_WRITE)) SCALAR_FAULT(FAULT_WRITE, a);
        memcpy(host_at(a), (const char *)wave_at(w, mem_op_of(op)->data) + n, 4);
    }
    return true;
}

#endif

#define SCALAR_LOADS(run)                                                                                    \
    ACCESS_HANDLER(run, U8)                                                                                  \
    ACCESS_HANDLER(run, I8)                                                                                  \
    ACCESS_HANDLER(run, U16)                                                                                 \
    ACCESS_HANDLER(run, I16)                                                                                 \
    ACCESS_HANDLER(run, B32)                                                                                 \
    ACCESS_HANDLER(run, B64)                                                                                 \
    ACCESS_HANDLER(run, B96)                                                                                 \
    ACCESS_HANDLER(run, B128)                                                                                \
    ACCESS_HANDLER(run, B256)                                                                                \
    ACCESS_HANDLER(run, B512)                                                                                \
    static op_fn *const run##_table[ACCESS_D16_HI_B16 + 1] = {                                               \
        [ACCESS_U8] = run##_U8,     [ACCESS_I8] = run##_I8,     [ACCESS_U16] = run##_U16,                    \
        [ACCESS_I16] = run##_I16,   [ACCESS_B32] = run##_B32,   [ACCESS_B64] = run##_B64,                    \
        [ACCESS_B96] = run##_B96,   [ACCESS_B128] = run##_B128, [ACCESS_B256] = run##_B256,                  \
        [ACCESS_B512] = run##_B512,                                                                          \
    };                                                                                                       \
    MEMORY_BODY(run)
#define SCALAR_STORES(run)                                                                                   \
    ACCESS_HANDLER(run, B32)                                                                                 \
    ACCESS_HANDLER(run, B64)                                                                                 \
    ACCESS_HANDLER(run, B128)                                                                                \
    static op_fn *const run##_table[ACCESS_D16_HI_B16 + 1] = {                                               \
        [ACCESS_B32] = run##_B32,                                                                            \
        [ACCESS_B64] = run##_B64,                                                                            \
        [ACCESS_B128] = run##_B128,                                                                          \
    };                                                                                                       \
    MEMORY_BODY(run)
SCALAR_LOADS(s_load)
SCALAR_STORES(s_store)
#if !defined(STENCIL)
SCALAR_LOADS(s_buffer_load)
SCALAR_LOADS(s_scratch_load)
SCALAR_STORES(s_buffer_store)
SCALAR_STORES(s_scratch_store)
#endif
