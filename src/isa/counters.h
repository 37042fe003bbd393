// SPDX-License-Identifier: MIT
// The counters of outstanding operations that each generation has, and what counts in which. The names are
// those of GFX10; GFX12 splits them further and renames them, older ones lack some.
#ifndef ISA_COUNTERS_H
#define ISA_COUNTERS_H

#include "isa/isa.h"

enum counter {
    COUNTER_VM,     // vector loads; before GFX10 all of vector memory; loadcnt on GFX12
    COUNTER_VS,     // vector stores and atomics that return nothing, from GFX10 on; storecnt
    COUNTER_LGKM,   // LDS; before GFX12 scalar memory and messages as well; dscnt
    COUNTER_EXP,    // exports; on GFX6 the data of stores until it was read
    COUNTER_KM,     // scalar memory and messages (GFX12)
    COUNTER_SAMPLE, // samples (GFX12)
    COUNTER_BVH,    // ray tracing (GFX12)
    COUNTER_X,     // accesses whose addresses are not translated yet, which may be issued once more (gfx1250)
    COUNTER_ASYNC, // copies of lanes between memory and LDS that go on by themselves (gfx1250)
    COUNTER_TENSOR, // transfers of tensors (gfx1250)
    COUNTERS
};
// The counters before this one are waited for by compilers. What counts in the others programs wait for
// themselves: no memory model covers it.
enum { COUNTERS_OF_MODELS = COUNTER_ASYNC };

// Operations that come back in the order of their issue among themselves, and in no order with others.
enum count_kind {
    COUNT_VECTOR = 1,
    COUNT_FLAT = 2,
    COUNT_LDS = 4,
    COUNT_SCALAR = 8,
    COUNT_DATA = 16,
    COUNT_EXPORT = 32,
    COUNT_SAMPLE = 64,
    COUNT_RAY = 128
};
enum { COUNT_IN_ORDER = COUNT_VECTOR | COUNT_LDS | COUNT_DATA | COUNT_SAMPLE | COUNT_RAY };

struct counters {
    uint8_t most[COUNTERS];  // the greatest count that can be waited for, which waits for nothing; 0: no such
                             // counter
    char wait[COUNTERS][20]; // the field of s_waitcnt, or id of the row
    bool split;              // a row for each counter (GFX12)
    uint8_t loads, stores, lds, scalar; // where each counts: enum counter
    bool store_data;                    // stores hold their data until COUNTER_EXP (GFX6)
};
const struct counters *isa_counters(const struct isa *isa);

// What a row counts in, given whether it has a result: for each counter the kinds of what it begins; all
// zero: nothing. Cache maintenance begins nothing: to count too few operations is safe, to count too many is
// not.
void isa_counts(const struct isa *isa, const struct row *row, bool result, uint8_t kinds[COUNTERS]);
// The kind of what a row begins in COUNTER_X, which isa_counts leaves alone: its end says nothing of results.
// COUNT_DATA: of what no other counter here knows, copies that go on by themselves.
uint8_t isa_counts_translation(const struct isa *isa, const struct row *row);
// Adds what a row counts in behind COUNTERS_OF_MODELS. Copies to LDS, and arrivals behind them, come back in
// order (COUNT_VECTOR), copies from LDS in an order of their own (COUNT_DATA), tensors in that of their wave.
void isa_counts_copies(const struct isa *isa, const struct row *row, uint8_t kinds[COUNTERS]);

// The memory models of LLVM's manual.
enum memory_family {
    MEMORY_GFX6,
    MEMORY_GFX90A,
    MEMORY_GFX942,
    MEMORY_GFX10,
    MEMORY_GFX12,
    MEMORY_GFX125,
    MEMORY_FAMILIES
};
enum memory_family isa_memory_family(const struct isa *isa);
// True if DLC says how the last level of caches is used, not the first (GFX11).
bool isa_dlc_is_policy(const struct isa *isa);
// True if DS instructions of whole dwords and more take any address, where the mode allows it (it does on
// amdhsa).
bool isa_lds_unaligned(const struct isa *isa);
// Of ds_ordered_count: whether the instruction says how many dwords it counts in, and for which stage.
bool isa_ordered_counts_dwords(const struct isa *isa);
bool isa_ordered_names_stage(const struct isa *isa);
// The greatest offset that all encodings of this format and generation hold without a sign; 0: none.
unsigned isa_greatest_offset(const struct isa *isa, enum format_id format);

#endif
