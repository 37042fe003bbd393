// SPDX-License-Identifier: MIT
// Stencils: bodies compiled with holes for operands (exec/holes.h), as the build's collector finds them in
// object files and the device puts them behind each other. One image holds those of a vector level for both
// wave sizes; it is kept compressed until the first kernel is hot.
#ifndef JIT_STENCIL_H
#define JIT_STENCIL_H

#include <stddef.h>
#include <stdint.h>

enum stencil_kind {
    STENCIL_NEXT,   // rel32 to what stands behind the piece
    STENCIL_TARGET, // to where the branch leads
    STENCIL_PLAIN,  // to the handler that is not copied
    STENCIL_YIELD,  // to what gives way at a jump back
    STENCIL_POOL,   // rel32 to a constant, the addend's place in the pool
    STENCIL_D,      // 32 bits from here on: of the op
    STENCIL_A,
    STENCIL_B,
    STENCIL_C,
    STENCIL_E,
    STENCIL_PC,
    STENCIL_VADDR, // of its memory instruction
    STENCIL_SADDR,
    STENCIL_DATA,
    STENCIL_DATA1,
    STENCIL_DST,
    STENCIL_SOFFSET,
    STENCIL_SLOT,
    STENCIL_LDS_MASK,
    STENCIL_OP, // 64 bits
    STENCIL_IMM,
    STENCIL_OFFSET,
    STENCIL_OFFSET1,
    STENCIL_KINDS
};
#define STENCIL_HOLES                                                                                        \
    {                                                                                                        \
        "next", "target", "plain", "yield", "pool", "d", "a", "b", "c", "e", "pc", "vaddr", "saddr", "data", \
            "data1", "dst", "soffset", "slot", "lds_mask", "op", "imm", "offset", "offset1"                  \
    }
enum { STENCIL_SIGNED = 0x80 }; // of 32-bit holes: the instruction extends the sign

struct stencil_place {
    uint16_t at;  // in the piece
    uint8_t kind; // enum stencil_kind
    uint8_t unused;
    int32_t addend;
};

struct stencil {
    uint32_t code, places; // where they begin: each behind the one before
    uint16_t size, place_count;
    uint32_t without; // bits of op->e that it does not know
};

// The image: this, stencils, places, names of the stencils' functions, each with its NUL, the pool of
// constants, code. For compression, of stencils and places all
// first bytes stand before all second bytes and so on; where stencils begin is left out, and a place says how
// far it is from the one before in the array.
struct stencil_image {
    uint32_t stencils, places, name_bytes, pool_bytes, code_bytes;
};

static inline void stencil_split(uint8_t *to, const void *from, size_t size, size_t count) {
    for (size_t i = 0; i < size; i++)
        for (size_t k = 0; k < count; k++) to[i * count + k] = ((const uint8_t *)from)[k * size + i];
}
static inline void stencil_unsplit(void *to, const uint8_t *from, size_t size, size_t count) {
    for (size_t i = 0; i < size; i++)
        for (size_t k = 0; k < count; k++) ((uint8_t *)to)[k * size + i] = from[i * count + k];
}

// Pieces of the handler that a body or step table of the set, number `object`, names at `offset`; through
// another pointer, if `entry` is not NO_ENTRY, of whose table it is that entry. [wave size 32 or 64][whether
// the branch leads back, or the memory instruction has a scalar address], NO_STENCIL for none.
enum { NO_STENCIL = 0xffff, NO_ENTRY = 0xffff };
struct stencil_key {
    uint16_t object, offset, entry;
    uint16_t stencil[2][2];
};

struct stencil_set {
    const char *level;
    const void *const *objects;
    const struct stencil_key *keys;
    uint32_t key_count;
    const uint8_t *image, *image_end; // compressed
    uint32_t image_bytes;             // when it is not
    void (*yield)(void);
};

#endif
