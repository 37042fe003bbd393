// SPDX-License-Identifier: MIT
// A range of code as a listing: symbol headings, one line an instruction with its address and words,
// branch targets. Written piece by piece, so memory does not grow with the code.
#ifndef DIS_LISTING_H
#define DIS_LISTING_H

#include "dis/dis.h"

struct listing_symbol {
    uint64_t address;
    const char *name;
    uint8_t wave_size; // of the code from here on: 32, 64 or 0 (the default)
    bool is_label;     // no function: branches to it name it
};

// A relocation within the code, to be shown behind the instruction that it changes.
struct listing_relocation {
    uint64_t address;
    const char *type, *symbol;
    int64_t addend;
};

struct listing {
    const sw_processor *processor;
    const struct isa *isa;                // NULL: the processor's own; else a copy with features switched
    bool wave32;                          // where no symbol says otherwise
    bool labels;                          // branch targets get names L0, L1, ... and lines of their own
    bool json;                            // an array element a line instead of text
    bool reasons;                         // say why a word is data
    bool zeroes;                          // write out runs of zeros, which are otherwise left out
    bool no_address, no_words;            // leave them out
    bool colour;                          // with escape sequences of terminals
    const struct listing_symbol *symbols; // ascending
    size_t symbol_count;
    const struct listing_relocation *relocations; // ascending
    size_t relocation_count;
    // Where the code at an address comes from, to stand in comments before it, a line each; NULL: nothing
    // (new) to say.
    const char *(*source)(void *context, uint64_t address);
    void *source_context;
    // What is to be said of an instruction, as a comment behind it or as members of its JSON object; NULL:
    // nothing.
    void (*remark)(struct text *t, const struct listing *l, const struct insn *in, bool wave32);
    // Takes a finished piece of text; false stops the listing.
    bool (*write)(void *context, const char *text, size_t length);
    void *context;
    bool json_started; // internal: whether an element was written
};

// Writes the instructions of code[0..size), which lies at `address`, as far as they start in [start, stop).
// Anything that is no instruction becomes .long.
sw_status list_code(struct listing *l, const uint8_t *code, size_t size, uint64_t address, uint64_t start,
                    uint64_t stop);

// Instead writes the basic blocks of every function that begins in [start, stop), a cluster of nodes and
// edges each, to stand between the braces of a digraph.
sw_status list_graph(struct listing *l, const uint8_t *code, size_t size, uint64_t address, uint64_t start,
                     uint64_t stop);

// Why the bytes are listed as data.
const char *data_reason(const struct isa *isa, const uint8_t *bytes, size_t available);

// Whether this instruction jumps to a fixed place, and where.
bool insn_target(const struct insn *in, uint64_t address, uint64_t *target);

#endif
