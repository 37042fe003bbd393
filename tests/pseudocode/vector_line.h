// SPDX-License-Identifier: MIT
// Test vectors: what the interpreter of the manuals' pseudo-code computed, a line each:
//
//   ROW FORMAT WAVE MODE FIELD=NUMBER,... REGISTER=VALUE:VALUE... > REGISTER=VALUE:VALUE... @ PROCESSOR...
//
// Without fields there is a dash.
//
// Fields are those of the encoding. Registers are v2, s8, vcc, exec, scc and m0; a VGPR has a value for each
// of the first lanes, [8] is the dword at that byte of memory, and more values are of those behind it; all
// numbers are hexadecimal. Results name the registers that the instruction changes; all others, MODE (mode)
// among them, stay. pc is where the wave goes on, from the instruction on; without it, behind the
// instruction. P and Q before a number: the lower and the upper half of the sum with the instruction's
// address. A processor stands for its generation, and for those below it of which no line of the row names
// one (vector_holds). A result may say that not every bit is told:
//   7fc00000/7fc00000   compare these bits only
//   3f800000~2          within 2 units in the last place, as f32; ~h and ~H: the lower and the upper half as
//   f16 0~d40               this register and the next one as f64
#ifndef TESTS_PSEUDOCODE_VECTOR_LINE_H
#define TESTS_PSEUDOCODE_VECTOR_LINE_H

#include <string.h>

#include "isa/isa.h"
#include "softwave/isa.h"

static const char *const vector_fields[FIELDS] = {
#define FIELD(name) [F_##name] = #name,
#include "isa/fields.def"
#undef FIELD
};
enum { VECTOR_LANES = 5 };
static const uint32_t VECTOR_EXEC = 0x1d; // lane 1 waits
// Memory is VECTOR_MEMORY dwords: from offset 0 of LDS, or VECTOR_WINDOW bytes behind a base of which L and
// H, before a number, stand for the lower and the upper half; its lower 16 bits are zero. Private memory of
// the wave lies there, too. Dwords that a line does not name hold what the function says.
enum { VECTOR_MEMORY = 1024, VECTOR_WINDOW = 0x8000 };
static inline bool reaches_global(unsigned f) {
    return f == FMT_FLAT || f == FMT_GLOBAL || f == FMT_MUBUF || f == FMT_SMEM || f == FMT_SCRATCH;
}
static inline uint32_t vector_memory(unsigned dword) { return 0x5a5a0000 | dword; }

// Which generations the lines of each row name, and a processor's instructions of each.
enum { VECTOR_ROWS = 8192 };
struct vector_generations {
    uint64_t of_row[VECTOR_ROWS];
    const struct isa *isa[64];
};
// The generations of the processors that a line of the row names, which are noted.
static inline uint64_t vector_names(struct vector_generations *all, unsigned row, char *names) {
    uint64_t named = 0;
    char *at;
    for (char *word = strtok_r(names, " \n", &at); word; word = strtok_r(NULL, " \n", &at)) {
        const struct isa *isa = isa_of(sw_processor_find(word, strlen(word)));
        named |= 1ull << isa->generation;
        all->isa[isa->generation] = isa;
    }
    all->of_row[row] |= named;
    return named;
}
static inline bool has_vector_coding(const struct isa *isa, unsigned row, unsigned format) {
    for (unsigned c = isa->row_codings[row]; c < isa->row_codings[row + 1]; c++)
        if (isa->codings[c].format == format) return true;
    return false;
}
// Whether a line of these generations holds for the processor: as it, or, where no line of the row names its
// generation, the nearest one above that some line names has the row in the same bit picture.
static inline bool vector_holds(const struct vector_generations *all, const struct isa *isa, unsigned row,
                                unsigned format, uint64_t generations) {
    enum generation g = isa->generation;
    for (; !(all->of_row[row] >> g & 1); g = (enum generation)generation_rows[g].parent)
        if (g == generation_rows[g].parent) return false;
    return generations >> g & 1 && has_vector_coding(isa, row, format) &&
           isa->formats[format] == all->isa[g]->formats[format];
}

#endif
