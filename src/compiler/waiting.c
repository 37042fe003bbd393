// SPDX-License-Identifier: MIT
// Values of lanes that wait. While the wave executes a block with some of its lanes, others wait for a later
// one, and their values stay in vector registers. Rows that heed EXEC do not touch those. Matrix operations
// and v_writelane write whatever lanes execute: their results have registers apart from such values.
// Takes a function behind control; changes nothing.
#include "compiler/registers.h"

#include "isa/isa.h"

bool live_ignores_exec(const struct compiler *c, const struct ir_inst *i) {
    if (!ir_is_row(i->op)) return false;
    const struct row *row = ir_row(i->op);
    const unsigned format = c->isa->codings[c->isa->row_codings[row - isa_rows]].format;
    return (format == FMT_MAI && row->class != CLASS_ACC_MOVE) || row->class == CLASS_WMMA ||
           row->class == CLASS_SWMMAC || !strcmp(isa_row_name(c->isa, row), "v_writelane_b32");
}

// True if the wave goes where the block's lanes go.
static bool goes_along(const struct ir_function *f, const struct ir_block *b) {
    if (b->logical_count != b->successor_count) return false;
    for (uint32_t n = 0; n < b->logical_count; n++) {
        bool found = false;
        for (uint32_t k = 0; k < b->successor_count; k++)
            found |= live_way(f, b, true, n) == live_way(f, b, false, k);
        if (!found) return false;
    }
    return true;
}

// The last block from which the wave goes back to `head`; `head` itself if there is none.
static uint32_t end_of_loop(const struct ir_function *f, uint32_t head) {
    uint32_t end = head;
    for (uint32_t b = head; b < f->blocks.count; b++)
        for (uint32_t n = 0, to; (to = live_way(f, &f->blocks.items[b], false, n)) != NO_VALUE; n++)
            if (to == head) end = b;
    return end;
}

// The blocks [*first, *end) that the wave may visit while lanes wait that went from one block to another.
static void find_wait(const struct ir_function *f, uint32_t from, uint32_t to, uint32_t *first,
                      uint32_t *end) {
    if (to <= from) { // for the next round
        *first = to;
        *end = end_of_loop(f, to) + 1;
        return;
    }
    *first = from + 1;
    *end = to;
    for (uint32_t head = 0; head <= from; head++) { // loops that they leave go on
        const uint32_t last = end_of_loop(f, head);
        const bool is_loop = last > head || live_way(f, &f->blocks.items[head], false, 0) == head ||
                             live_way(f, &f->blocks.items[head], false, 1) == head;
        if (is_loop && last >= from && last < to && head < *first) *first = head;
    }
}

// What lanes need in `to` that came there from `from`: also phis, whose registers have their values since.
static void add_needed(const struct live *l, uint32_t from, uint32_t to, uint64_t *set) {
    const struct ir_function *f = l->f;
    for (size_t w = 0; w < l->words; w++) set[w] |= l->in[to * l->words + w] & l->lanes[w];
    uint32_t n = 0;
    for (const struct ir_inst *phi; (phi = live_next_phi(f, f->insts.items, &f->blocks.items[to], true, &n));)
        for (unsigned o = 0; o + 1 < phi->operands; o += 2)
            if (ir_operand(f, phi, o) == ir_make(IR_BLOCK, from))
                set[phi->first_result / 64] |= 1ull << phi->first_result % 64;
}

void live_find_waiting(const struct live *l, uint64_t *waiting) {
    const struct ir_function *f = l->f;
    for (uint32_t from = 0; from < f->blocks.count; from++) {
        const struct ir_block *b = &f->blocks.items[from];
        if (goes_along(f, b)) continue;
        for (uint32_t n = 0, to; (to = live_way(f, b, true, n)) != NO_VALUE; n++) {
            uint32_t first, end;
            find_wait(f, from, to, &first, &end);
            for (uint32_t k = first; k < end; k++) add_needed(l, from, to, waiting + k * l->words);
        }
    }
}
