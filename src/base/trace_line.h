// SPDX-License-Identifier: MIT
// Lines of a trace: an instruction with the values that it reads behind "#" and those that it writes behind
// "->". Results are there when the wave comes to its next instruction, so a line waits until then.
#ifndef BASE_TRACE_LINE_H
#define BASE_TRACE_LINE_H

#include <stdio.h>

#include "base/text.h"
#include "base/trace_filter.h"
#include "softwave/device.h"
#include "softwave/isa.h"

// Appends `before` and " NAME=VALUE" for each operand with this access: hexadecimal, and as a number where it
// is one. Of vectors the lanes in `lanes`: one value with "*" when all hold it, else the first few.
void values_put(struct text *t, const char *before, const sw_step *step, const sw_operand *operands,
                size_t count, unsigned access, uint64_t lanes);
// Appends where the instruction accesses memory: " @ADDRESS" for each element, of lanes as above.
void values_put_places(struct text *t, const sw_isa_mode *mode, const sw_insn *insn, const sw_step *step,
                       uint64_t lanes);
// True if values_put would append anything.
bool values_any(const sw_operand *operands, size_t count, unsigned access);

// The filter's registers as columns of a table, in its lane or else the first one: their names, and what the
// wave has in them.
void registers_head(struct text *t, const struct trace_filter *f);
void registers_put(struct text *t, const struct trace_filter *f, const sw_step *step);

struct trace_wave;
enum { TRACE_BUCKETS = 256 };
struct trace_lines { // all zero but `out` at first
    FILE *out;
    bool has_head; // of a table
    struct trace_wave *waves[TRACE_BUCKETS];
};

// Writes the line that waits for this wave, then begins one for this instruction if the filter lets it.
// `prefix` stands before the line. One call at a time.
void trace_lines_step(struct trace_lines *t, const sw_processor *processor, const sw_step *s,
                      const char *prefix, const struct trace_filter *filter);
// Writes the lines of waves that came no further, and frees all.
void trace_lines_end(struct trace_lines *t);

double half_to_double(uint16_t half);

#endif
