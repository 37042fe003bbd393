// SPDX-License-Identifier: MIT
// Vendor packets with an indirect buffer of PM4 commands: runtimes and profilers send them to write back and
// invalidate caches, which memory here has none of. A buffer with nothing else is done at once. Other
// commands are not known, and the packet is refused.
#include <stdlib.h>

#include "hsa/queue/queue.h"

enum {
    INDIRECT_BUFFER = 0x3f,
    SIZE_MASK = 0xfffff, // dwords
};
// The third kind of PM4 packets has an opcode and so many dwords behind the first; the second is one filler.
static uint32_t kind_of(uint32_t word) { return word >> 30; }
static uint32_t opcode_of(uint32_t word) { return word >> 8 & 0xff; }
static uint32_t body_words(uint32_t word) { return (word >> 16 & 0x3fff) + 1; }

static bool is_cache_command(const uint32_t *words) {
    enum {
        NOP = 0x10,
        PFP_SYNC_ME = 0x42,
        SURFACE_SYNC = 0x43,
        EVENT_WRITE = 0x46,
        RELEASE_MEM = 0x49,
        ACQUIRE_MEM = 0x58
    };
    enum { PARTIAL_FLUSHES = 7, EVENT_MASK = 0x3f, CACHE_FLUSH = 6, CS_DONE = 0x2f };
    const uint32_t event = words[1] & EVENT_MASK;
    switch (opcode_of(words[0])) {
    case NOP:
    case PFP_SYNC_ME:
    case SURFACE_SYNC:
    case ACQUIRE_MEM: return true;
    case EVENT_WRITE: // without an address; samples of counters have one
        return body_words(words[0]) == 1 &&
               (event == PARTIAL_FLUSHES || event == CACHE_FLUSH || event == CS_DONE);
    case RELEASE_MEM: // that writes no data and sends no interrupt
        return body_words(words[0]) >= 2 && !(words[2] >> 29) && !(words[2] >> 24 & 7);
    default: return false;
    }
}

// A copy of the buffer, as kernels may write it. NULL: it is not in memory of the pools, or there is no
// memory.
static uint32_t *copy_buffer(uint64_t address, uint64_t bytes) {
    uint32_t *copy = malloc(bytes + 2 * sizeof *copy);
    if (!copy) return NULL;
    if (memory_read(address, bytes, copy)) return copy;
    free(copy);
    return NULL;
}

static const char *commands_refusal(const uint32_t *words, uint64_t count) {
    for (uint64_t i = 0; i < count;) {
        const uint32_t kind = kind_of(words[i]);
        if (kind == 2) {
            i++;
            continue;
        }
        if (kind != 3 || body_words(words[i]) >= count - i) return "its buffer is no sequence of commands";
        if (!is_cache_command(words + i)) return "its commands do more than to maintain caches";
        i += 1 + body_words(words[i]);
    }
    return NULL;
}

const char *pm4_refusal(const union packet *p) {
    const uint32_t *jump = p->pm4.words;
    if (kind_of(jump[0]) != 3 || opcode_of(jump[0]) != INDIRECT_BUFFER || body_words(jump[0]) != 3)
        return "it holds no indirect buffer";
    const uint64_t address = (jump[1] & ~3u) | (uint64_t)jump[2] << 32, count = jump[3] & SIZE_MASK;
    uint32_t *words = copy_buffer(address, count * 4);
    if (!words) return "its buffer is not in memory of the runtime's pools";
    const char *refusal = commands_refusal(words, count);
    free(words);
    return refusal;
}
