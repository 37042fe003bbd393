// SPDX-License-Identifier: MIT
// What GPU code may touch. GPU addresses are host addresses, or host addresses with ALIAS_BIT: memory may
// have both, with rights of their own. A map is a sorted array of ranges of GPU addresses with rights. Every
// access is checked before it is made.
#ifndef EXEC_MAP_H
#define EXEC_MAP_H

#include "exec/wave.h"
#include "softwave/device.h"
#include "target/target.h"

enum {
    RIGHT_READ = 1,
    RIGHT_WRITE = 2,
    RIGHT_EXECUTE = 4,
    RIGHT_WATCH = 8,
    RIGHT_CLOSED = 16,
    WATCH_BLOCK = 64
};

// No host pointer has this bit, and GPU addresses in every form have room for it. 0: other hosts' pointers
// may have it, and there are no second addresses.
#if defined(__x86_64__)
#define ALIAS_BIT 0x800000000000ull
#else
#define ALIAS_BIT 0ull
#endif
static inline uint64_t host_address(uint64_t address) { return address & ~ALIAS_BIT; }

struct map_range {
    uint64_t lo, hi; // [lo, hi)
    uint32_t rights;
};

struct map {
    struct map_range *ranges; // sorted and disjoint
    size_t count, capacity;
    bool host_memory;                  // see sw_device_options
    uint64_t closed_begin, closed_end; // [begin, end) that its owner keeps to itself
    uint64_t arena_begin, arena_end;   // where allocations of devices lie
};

// Gives [lo, hi) these rights, whatever it had. False: out of memory, nothing changed.
bool map_set(struct map *map, uint64_t lo, uint64_t hi, uint32_t rights);

// Takes a right from all ranges that touch [lo, hi). Returns whether one had it.
bool map_take(struct map *map, uint64_t lo, uint64_t hi, uint32_t right);
// Whether some of [lo, hi) has a right that is not among these.
bool map_has_more(const struct map *map, uint64_t lo, uint64_t hi, uint32_t rights);
// The range around `address` that has all these rights, as first and last byte; false if there is none. Where
// writing is watched, that is the block alone.
bool map_find(const struct map *map, uint64_t address, uint32_t rights, struct range *out);
// The stretch around `address` that the map has nothing of, within where Linux puts memory of programs; false
// if it has or if that is elsewhere.
bool map_find_hole(const struct map *map, uint64_t address, struct range *out);
// The same of the process's memory that nobody gave rights to: all of it, where the device may use that
// (XNACK), but not allocations of devices, nor what its owner keeps to itself.
bool map_find_host(const struct map *map, uint64_t address, uint32_t rights, struct range *out);
// Addresses of the range outside of [lo, hi); false if that holds the address itself.
bool range_keep_out(struct range *range, uint64_t address, uint64_t lo, uint64_t hi);
// Nobody but kernels of this device changes the memory while they run (SW_RIGHT_ALONE).
enum { RIGHT_ALONE = 64 };
// Whether all of the range is memory that stays mapped as long as kernels have rights to it (SW_RIGHT_STAYS).
enum { RIGHT_STAYS = 32 };
bool map_stays(const struct map *map, const struct range *range);

// The apertures of flat addresses (AS-14, AS-15) have 2^32 bytes each.
// Where flat addresses of scratch name the lane (wave32 alone): SW_PRIVATE_APERTURE in bits 63:58, the lane
// in 56:52, and below it the place in the scratch of all waves, without the lane: dwords of 32 lanes lie
// behind each other.
#define IS_SPREAD_SCRATCH(high) ((high) >> 26 == SW_PRIVATE_APERTURE >> 58)
static inline uint64_t spread_base(uint64_t scratch) { return SW_PRIVATE_APERTURE | (scratch >> 5 & ~3ull); }
static inline uint64_t spread_address(uint64_t flat) {
    return (flat >> 2 & 0x3ffffffffffff) << 7 | (flat >> 52 & 31) << 2 | (flat & 3);
}

enum { RANGE_SLOTS = 512 };

// Slots are shared when they run out. The low two bits of a slot number are the rights that its users ask
// for, so that a range cached for reading never lets a store through. An empty slot is {1, 0}. Nobody asks
// for no right: that slot of four has what the atomic of the same four has found, if the memory is
// RIGHT_ALONE and no other worker touches it.
static inline unsigned alone_slot(unsigned slot) { return slot & ~3u; }

// How 16-bit components lie in registers: the low halves first, one each, or the upper half of one.
enum d16 { D16_NONE, D16_PACKED, D16_APART, D16_HIGH };

// Registers of a block load or store; M0 has a bit for each.
enum { BLOCK_REGISTERS = 32 };
enum { STORE_FROM_LDS = BLOCK_REGISTERS + 1 }; // body->pair of stores of dwords from LDS

#if !defined(STENCIL)
// A memory instruction, decoded. Registers are byte offsets into the wave.
struct mem_op {
    uint8_t access, atomic; // enum access, enum atomic
    uint8_t srd;            // enum srd_kind of the processor
    bool flushes_f32;       // F32 atomics flush denormals (TRAP-348)
    bool returns;           // an atomic writes dst
    bool has_vaddr, vaddr64, has_saddr;
    bool idxen, offen, addr64;
    bool whole_dwords; // buffers: dwords drop two bits of the address (TRAP-314)
    bool scratch;      // a SCRATCH instruction: soffset is flat_scratch, saddr zeros where it has none
    uint16_t slot;     // of wave->ranges; each memory instruction has its own while they last
    int64_t offset;    // immediate, in bytes
    int64_t offset1;   // of the second access of DS 2ADDR forms
    uint32_t vaddr, saddr, data, data1, dst;
    uint32_t srsrc, soffset; // soffset may be OP_RELATIVE (operand_at)
    uint32_t m0;
    uint32_t flat_scratch;    // of the 64-bit base of the wave's scratch
    uint32_t lds_mask;        // bits of an LDS address that FLAT keeps (TRAP-288)
    bool lds_keeps_denormals; // FLAT's float atomics on LDS, whatever MODE says (TRAP-349)
    bool null;                // destination is the null register: nothing is written back
    bool format_here;         // typed buffers: the instruction says the format, not the descriptor
    uint8_t data_format, number_format, components; // (texel/texel.h)
    uint8_t d16;                                    // enum d16
    bool scalar;                                    // data and destination are scalar registers
    bool soffset_counts;                            // against the size of raw buffers
    bool negative_faults; // scalar buffer loads: a negative immediate is a violation (TRAP-087)
    uint32_t oob_flag;    // of wave->trap_status: set by a vector access out of its buffer's range
};
#endif

#endif
