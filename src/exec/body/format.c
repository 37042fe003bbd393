// SPDX-License-Identifier: MIT
// Formatted buffer loads and stores (MTBUF, and MUBUF *_FORMAT_*): elements of one to four components that
// convert between memory and registers. MTBUF says the format itself and takes the components as they come;
// MUBUF takes format and component selection from the descriptor (TRAP-319, TRAP-320). An element is in range
// as a whole or not at all (TRAP-309). From GFX10 on it must be aligned (BUF-50). Rare code: lane by lane.
#include "exec/body/access.h"
#include "texel/texel.h"

enum { SELECT_0, SELECT_1, SELECT_X = 4 };
struct typed {
    struct texel_format format;
    uint8_t select[4]; // of each component of the register side
};

static struct typed typed_of(struct wave *w, const struct op *op) {
    const struct mem_op *mo = mem_op_of(op);
    struct typed t = {.format = {mo->data_format, mo->number_format}, .select = {4, 5, 6, 7}};
    if (mo->format_here) return t;
    const uint32_t word = rd32((const char *)operand_at(w, op, mo->srsrc) + 12);
    for (unsigned c = 0; c < 4; c++) t.select[c] = word >> 3 * c & 7;
    if (mo->srd >= SRD_GFX11)
        t.format = OUT(texel_unified(word >> 12 & 63, true));
    else if (mo->srd == SRD_GFX10)
        t.format = OUT(texel_unified(word >> 12 & 127, false));
    else
        t.format = (struct texel_format){word >> 15 & 15, word >> 12 & 7};
    return t;
}

// Conversions round to nearest and keep denormals whatever MODE says.
INLINE void round_plainly(void) { host_control_set(CONTROL_MASKED); }
INLINE void round_by_mode(const struct wave *w) { host_control_set(w->mxcsr); }

// Elements of four bytes and more are aligned to dwords, smaller ones to their size; earlier processors drop
// the low bits instead.
INLINE bool misaligned(const struct mem_op *mo, uint64_t a, unsigned step) {
    return mo->srd >= SRD_GFX10 && a & (step - 1);
}

static const struct texel_layout *layout_of(const struct typed *t) {
    return &texel_layouts[t->format.layout <= LAYOUT_32_32_32_32 ? t->format.layout : LAYOUT_INVALID];
}
// Where component c goes: packed two to a register, or one each; D16_HI takes the upper half of the first.
static void put_component(struct wave *w, const struct mem_op *mo, unsigned c, unsigned lane, uint32_t v) {
    const bool high = mo->d16 == D16_HIGH || (mo->d16 == D16_PACKED && c & 1);
    const uint32_t at = mo->dst + (mo->d16 == D16_PACKED ? c / 2 : c) * w->stride + 4 * lane;
    if (mo->d16) {
        const uint32_t old = rd32(wave_at(w, at));
        v = high ? (old & 0xffff) | v << 16 : (old & 0xffff0000) | (v & 0xffff);
    }
    put32(w, at, v);
}
static uint32_t get_component(struct wave *w, const struct mem_op *mo, unsigned c, unsigned lane) {
    const bool high = mo->d16 == D16_HIGH || (mo->d16 == D16_PACKED && c & 1);
    const uint32_t v =
        rd32(wave_at(w, mo->data + (mo->d16 == D16_PACKED ? c / 2 : c) * w->stride + 4 * lane));
    return high ? v >> 16 : v;
}

static NOINLINE bool format_load(struct wave *w, const struct op *op) {
    const struct mem_op *mo = mem_op_of(op);
    const struct typed t = typed_of(w, op);
    const struct texel_layout *layout = layout_of(&t);
    const uint8_t number = t.format.number, numbers[4] = {number, number, number, number};
    const unsigned size = layout->bytes, step = size < 4 ? size : 4;
    const bool whole = number_is_int(number);
    const uint32_t one = !size ? 0 : whole ? 1 : mo->d16 ? 0x3c00 : 0x3f800000;
    const uint64_t apart = BUFFER_STEP(w, op);
    bool fine = true;
    round_plainly();
    EACH_ACTIVE(
        w, struct buffer_lanes b; if (!BUFFER_LANES(w, op, size ? size : 4, m, i, &b)) break;
        OVER_LANES(m, lane) {
            uint32_t words[4] = {0};
            const uint8_t every = (uint8_t)((1u << (size + 3) / 4) - 1);
            if (fine && size && (b.inside[lane] & every) == every)
                for (unsigned d = 0; fine && d < (size + 3) / 4; d++) {
                    const uint64_t a = b.at[lane] + d * apart;
                    const bool odd = misaligned(mo, a, step);
                    fine = !odd && global_right(w, mo->slot, a, step, RIGHT_READ);
                    if (fine)
                        memcpy(&words[d], host_at(a), step);
                    else
                        lane_fault(w, op, odd ? FAULT_ALIGNMENT : FAULT_READ, i, lane, a);
                }
            const bool inside = size && (b.inside[lane] & every) == every;
            uint32_t value[4] = {0};
            if (inside) OUT(texel_load(layout, numbers, mo->d16, (const uint8_t *)words, 0, 0, value));
            for (unsigned c = 0; fine && c < mo->components; c++) {
                const unsigned s = t.select[c];
                put_component(w, mo, c, i * LANES + lane,
                              s >= SELECT_X   ? value[s - SELECT_X]
                              : s == SELECT_1 ? one
                                              : 0);
            }
        } if (!fine) break);
    round_by_mode(w);
    return fine;
}

static NOINLINE bool format_store(struct wave *w, const struct op *op) {
    const struct mem_op *mo = mem_op_of(op);
    const struct typed t = typed_of(w, op);
    const struct texel_layout *layout = layout_of(&t);
    const unsigned size = layout->bytes, step = size < 4 ? size : 4;
    const uint64_t apart = BUFFER_STEP(w, op);
    bool fine = true;
    if (!size) return true; // BUF-58
    round_plainly();
    EACH_ACTIVE(
        w, struct buffer_lanes b; if (!BUFFER_LANES(w, op, size, m, i, &b)) break; OVER_LANES(m, lane) {
            uint32_t words[4] = {0};
            const uint8_t every = (uint8_t)((1u << (size + 3) / 4) - 1);
            if (!fine || (b.inside[lane] & every) != every) continue;
            uint32_t value[4] = {0};
            for (unsigned c = 0; c < layout->components; c++) {
                unsigned from = 0; // the first where none is selected for it
                for (unsigned s = 0; s < mo->components; s++)
                    if (t.select[s] == SELECT_X + c) {
                        from = s;
                        break;
                    }
                value[c] = get_component(w, mo, from, i * LANES + lane);
            }
            OUT(texel_store(layout, t.format.number, mo->d16, value, (uint8_t *)words));
            for (unsigned d = 0; fine && d < (size + 3) / 4; d++) {
                const uint64_t a = b.at[lane] + d * apart;
                const bool odd = misaligned(mo, a, step);
                fine = !odd && global_right(w, mo->slot, a, step, RIGHT_WRITE);
                if (fine)
                    memcpy(host_at(a), &words[d], step);
                else
                    lane_fault(w, op, odd ? FAULT_ALIGNMENT : FAULT_WRITE, i, lane, a);
            }
        } if (!fine) break);
    round_by_mode(w);
    return fine;
}

#define FORMAT_BODY(name)                                                                                    \
    static const struct op *name##_run(struct wave *w, const struct op *op) {                                \
        w->at = op;                                                                                          \
        if (UNLIKELY(!name(w, op))) return NULL;                                                             \
        NEXT;                                                                                                \
    }                                                                                                        \
    static op_fn *const name##_table[1] = {name##_run};                                                      \
    MEMORY_BODY(name)
FORMAT_BODY(format_load)
FORMAT_BODY(format_store)
// The D16_HI forms; the translator tells them by the body.
BODY(format_load_high, .shape = SHAPE_MEMORY, .pair = 16, .table = format_load_table);
BODY(format_store_high, .shape = SHAPE_MEMORY, .pair = 16, .table = format_store_table);
