// SPDX-License-Identifier: MIT
// From blocks of ops to native code: for each op its piece, with the op's values in the holes, or the few
// instructions that go on by its handler. A literal, which pieces cannot reach, is stored in the wave first.
//
// Behind the pieces stand veneers, jumps to what is out of reach: handlers, and for branches whose target has
// no native code here the op that finds out.
#include "jit/join.h"
#include "base/hash.h"

#include <stdlib.h>
#include <string.h>

#include "exec/body/body.h"
#include "exec/body/steps.h"
#include "jit/fused.h"
#include "jit/pages.h"

// A rel32 at `at` that is to lead to an op, or to a veneer of a handler.
struct fixup {
    size_t at;
    const struct op *from;   // the branch, or the op whose handler goes on
    const struct op *target; // NULL: the handler
    op_fn *handler;
};
struct placed {
    const struct op *op; // NULL: an empty place in the table
    size_t at;
};
struct veneer {
    op_fn *handler;
    size_t at;
};

struct join {
    const struct program *program;
    const struct native_image *image;
    const struct op_block *blocks;
    size_t block_count;
    ARRAY(uint8_t) code;
    ARRAY(struct fixup) fixups;
    ARRAY(struct fixup) pool; // rel32s to constants: `handler` is not used
    ARRAY(int64_t) pool_places;
    ARRAY(size_t) starts; // of each op, in order of emission
    ARRAY(const struct op *) order;
    ARRAY(struct veneer) veneers;
    struct placed *placed; // first ops of blocks, a hash table
    size_t mask;
    bool *done; // by block
    bool failed;
};

// ---- Bytes ----

static void put(struct join *j, const void *bytes, size_t n) {
    if (!array_reserve(&j->code, n)) {
        j->failed = true;
        return;
    }
    memcpy(j->code.items + j->code.count, bytes, n);
    j->code.count += n;
}
static void put_bytes(struct join *j, unsigned n, uint64_t little_endian) {
    uint8_t b[8];
    for (unsigned i = 0; i < n; i++) b[i] = (uint8_t)(little_endian >> 8 * i);
    put(j, b, n);
}
static void put_fixup(struct join *j, size_t at, const struct op *from, const struct op *target,
                      op_fn *handler) {
    if (!array_push(&j->fixups, ((struct fixup){at, from, target, handler}))) j->failed = true;
}

// rsi = op; jump to its handler. 15 bytes.
static void put_plain(struct join *j, const struct op *op, op_fn *handler) {
    put_bytes(j, 2, 0xbe48);
    put_bytes(j, 8, (uint64_t)(uintptr_t)op);
    put_bytes(j, 1, 0xe9);
    put_fixup(j, j->code.count, op, NULL, handler);
    put_bytes(j, 4, 0);
}

// wave->literal = imm; what stands in the wave is at its offset from rdi.
static void put_literal(struct join *j, uint64_t imm) {
    if ((int64_t)imm == (int32_t)imm) { // mov qword [rdi + disp32], imm32
        put_bytes(j, 3, 0x87c748);
        put_bytes(j, 4, offsetof(struct wave, literal));
        put_bytes(j, 4, imm);
        return;
    }
    put_bytes(j, 2, 0xb848); // mov rax, imm64; mov [rdi + disp32], rax
    put_bytes(j, 8, imm);
    put_bytes(j, 3, 0x878948);
    put_bytes(j, 4, offsetof(struct wave, literal));
}

// ---- Blocks by their first op ----

static size_t place_hash(const struct op *op) { return (size_t)(hash_pointer(op) >> 32); }

static struct placed *place_of(const struct join *j, const struct op *op) {
    size_t at = place_hash(op) & j->mask;
    while (j->placed[at].op && j->placed[at].op != op) at = (at + 1) & j->mask;
    return &j->placed[at];
}
enum { NOWHERE = -1 };

// Where a branch of the program's own code leads, as far as that is decoded.
const struct op *native_target(const struct program *p, const struct op *op) {
    const struct op *target = __atomic_load_n(&op->target, __ATOMIC_ACQUIRE);
    if (!target && op->e < p->size && !(op->e & 3))
        target = __atomic_load_n(&p->blocks[op->e / 4], __ATOMIC_ACQUIRE);
    return target;
}

// ---- One op ----

static const struct mem_op *memory_of(const struct stencil_key *k, const struct op *op) {
    return k->entry == NO_ENTRY ? NULL : op->extra;
}

const struct stencil *native_choose(const struct program *p, const struct native_image *image,
                                    const struct op *op, const struct mem_op **memory) {
    const struct stencil_key *k = native_image_find(image, op->body);
    if (!k) return NULL;
    const struct mem_op *mo = *memory = memory_of(k, op);
    const uint16_t *of_size = k->stencil[p->facts.wave32 ? 0 : 1];
    bool other = of_size[1] != NO_STENCIL && op->d;
    if (mo) {
        if (mo->null || (mo->scratch && mo->has_vaddr)) return NULL;
        other = mo->scalar ? mo->offen : mo->has_saddr || mo->scratch;
    }
    if (of_size[other] == NO_STENCIL) return NULL;
    const struct stencil *s = &image->stencils[of_size[other]];
    return op->e & s->without ? NULL : s;
}

// A value as a hole's instruction takes it. False: it does not fit.
static bool fits(const struct stencil_place *place, int64_t v) {
    if (place->kind & STENCIL_SIGNED) return v == (int32_t)v;
    return v == (int64_t)(uint32_t)v;
}
static bool is_literal(uint32_t offset) { return offset == OP_IMM; }

bool native_value(unsigned kind, const struct op *op, const struct mem_op *mo, uint64_t *v, bool *literal) {
    uint32_t offset;
    switch (kind) {
    case STENCIL_E: *v = op->e; return true;
    case STENCIL_PC: *v = op->pc; return true;
    case STENCIL_OP: *v = (uint64_t)(uintptr_t)op; return true;
    case STENCIL_IMM: *v = op->imm; return true;
    case STENCIL_D: offset = op->d; break;
    case STENCIL_A: offset = op->a; break;
    case STENCIL_B: offset = op->b; break;
    case STENCIL_C: offset = op->c; break;
    default:
        if (!mo) return false;
        switch (kind) {
        case STENCIL_VADDR: offset = mo->vaddr; break;
        case STENCIL_SADDR: offset = mo->saddr; break;
        case STENCIL_DATA: offset = mo->data; break;
        case STENCIL_DATA1: offset = mo->data1; break;
        case STENCIL_DST: offset = mo->dst; break;
        case STENCIL_SOFFSET: offset = mo->soffset; break;
        case STENCIL_SLOT: *v = mo->slot * sizeof(struct range); return true;
        case STENCIL_LDS_MASK: *v = mo->lds_mask; return true;
        case STENCIL_OFFSET: *v = (uint64_t)mo->offset; return true;
        case STENCIL_OFFSET1: *v = (uint64_t)mo->offset1; return true;
        default: return false;
        }
    }
    if (is_literal(offset)) {
        *literal = true;
        offset = WAVE_OFFSET(literal);
    }
    *v = offset;
    return offset < 1u << 30;
}

// Whether every hole of the piece can be filled.
static bool can_fill(const struct stencil *s, const struct stencil_place *places, const struct op *op,
                     const struct mem_op *mo, bool *literal) {
    for (unsigned i = 0; i < s->place_count; i++) {
        const unsigned kind = places[i].kind & ~(unsigned)STENCIL_SIGNED;
        uint64_t v;
        if (kind <= STENCIL_POOL) continue;
        if (!native_value(kind, op, mo, &v, literal)) return false;
        if (kind < STENCIL_OP && !fits(&places[i], (int64_t)v + places[i].addend)) return false;
    }
    return true;
}

static void fill(struct join *j, const struct stencil_place *place, size_t piece, size_t end,
                 const struct op *op, const struct mem_op *mo) {
    const unsigned kind = place->kind & ~(unsigned)STENCIL_SIGNED;
    const size_t at = piece + place->at;
    uint64_t v = 0;
    bool literal;
    switch (kind) {
    case STENCIL_NEXT: wr32(j->code.items + at, (uint32_t)(end - at - 4)); return;
    case STENCIL_TARGET:
        put_fixup(j, at, op, native_target(j->program, op), j->program->facts.steps->go_to);
        return;
    case STENCIL_PLAIN: put_fixup(j, at, op, NULL, op->body); return;
    case STENCIL_YIELD: put_fixup(j, at, op, NULL, (op_fn *)j->image->set->yield); return;
    case STENCIL_POOL:
        if (!array_push(&j->pool, ((struct fixup){.at = at})) || !array_push(&j->pool_places, place->addend))
            j->failed = true;
        return;
    default: native_value(kind, op, mo, &v, &literal);
    }
    v += (uint64_t)(int64_t)place->addend;
    if (kind >= STENCIL_OP)
        wr64(j->code.items + at, v);
    else
        wr32(j->code.items + at, (uint32_t)v);
}

static void put_op(struct join *j, const struct op *op) {
    const struct mem_op *mo = NULL;
    const struct stencil *s = native_choose(j->program, j->image, op, &mo);
    const struct stencil_place *places = s ? j->image->places + s->places : NULL;
    bool literal = false;
    if (!array_push(&j->starts, j->code.count) || !array_push(&j->order, op)) j->failed = true;
    if (!s || !can_fill(s, places, op, mo, &literal)) {
        put_plain(j, op, op->body);
        return;
    }
    if (literal) put_literal(j, op->imm);
    const size_t piece = j->code.count;
    put(j, j->image->code + s->code, s->size);
    for (unsigned i = 0; i < s->place_count && !j->failed; i++)
        fill(j, &places[i], piece, piece + s->size, op, mo);
}

// ---- Blocks ----

static struct placed *waiting(struct join *j, const struct op *op) {
    struct placed *p = op ? place_of(j, op) : NULL;
    return p && p->op && p->at == (size_t)NOWHERE ? p : NULL;
}

// The block, and those that follow where control goes on without a choice.
static void put_block(struct join *j, const struct op_block *b) {
    while (b) {
        const struct op_block *next = NULL;
        place_of(j, b->ops)->at = j->code.count;
        j->done[b - j->blocks] = true;
        for (size_t i = 0; i < b->count && !j->failed; i++) {
            const struct op *op = &b->ops[i];
            if (op->body != j->program->facts.steps->go_to || i + 1 < b->count) {
                put_op(j, op);
                continue;
            }
            const struct op *target = native_target(j->program, op);
            if (!array_push(&j->starts, j->code.count) || !array_push(&j->order, op)) j->failed = true;
            for (size_t k = 0; waiting(j, target) && k < j->block_count && !next; k++)
                if (j->blocks[k].ops == target) next = &j->blocks[k];
            if (next) continue;
            put_bytes(j, 1, 0xe9);
            put_fixup(j, j->code.count, op, target, op->body);
            put_bytes(j, 4, 0);
        }
        put_bytes(j, 2, 0x0b0f); // not reached: blocks end in what does not go on
        if (next) j->code.count -= 2;
        b = next;
    }
}

// ---- Jumps ----

// jmp [rip + 0] and the address.
static size_t veneer_of(struct join *j, op_fn *handler) {
    for (size_t i = 0; i < j->veneers.count; i++)
        if (j->veneers.items[i].handler == handler) return j->veneers.items[i].at;
    const size_t at = j->code.count;
    put_bytes(j, 6, 0x25ff);
    put_bytes(j, 8, (uint64_t)(uintptr_t)handler);
    if (!array_push(&j->veneers, ((struct veneer){handler, at}))) j->failed = true;
    return at;
}

// Code that was joined before.
static bool is_native(const struct op *op) {
    return op && __atomic_load_n(&op->fn, __ATOMIC_RELAXED) != op->body;
}
static void to_native(struct join *j, size_t at, const struct op *op) {
    const int64_t from_pool =
        (int64_t)((uintptr_t)__atomic_load_n(&op->fn, __ATOMIC_RELAXED) - (uintptr_t)j->image->pool);
    if (!array_push(&j->pool, ((struct fixup){.at = at})) || !array_push(&j->pool_places, from_pool - 4))
        j->failed = true;
}

static void resolve(struct join *j) {
    for (size_t i = 0; i < j->fixups.count && !j->failed; i++) {
        const struct fixup f = j->fixups.items[i];
        size_t to;
        const struct placed *p = f.target ? place_of(j, f.target) : NULL;
        if (p && p->op && !fused_has(j->program, f.target))
            to = p->at;
        else if (is_native(f.target)) {
            to_native(j, f.at, f.target);
            continue;
        } else if (f.handler == j->program->facts.steps->go_to) { // a jump: rsi is not set yet
            to = j->code.count;
            put_bytes(j, 2, 0xbe48);
            put_bytes(j, 8, (uint64_t)(uintptr_t)f.from);
            put_bytes(j, 1, 0xe9);
            const size_t at = j->code.count;
            put_bytes(j, 4, 0);
            const size_t veneer = veneer_of(j, f.handler);
            if (!j->failed) wr32(j->code.items + at, (uint32_t)(veneer - at - 4));
        } else
            to = veneer_of(j, f.handler);
        if (!j->failed) wr32(j->code.items + f.at, (uint32_t)(to - f.at - 4));
    }
}

// ---- The whole ----

static bool begin(struct join *j) {
    size_t size = 16;
    while (size < 2 * j->block_count) size *= 2;
    j->mask = size - 1;
    j->placed = calloc(size, sizeof *j->placed);
    j->done = calloc(j->block_count, sizeof *j->done);
    if (!j->placed || !j->done) return false;
    for (size_t i = 0; i < j->block_count; i++)
        *place_of(j, j->blocks[i].ops) = (struct placed){j->blocks[i].ops, (size_t)NOWHERE};
    return true;
}

static void end(struct join *j) {
    free(j->placed);
    free(j->done);
    array_free(&j->code);
    array_free(&j->fixups);
    array_free(&j->pool);
    array_free(&j->pool_places);
    array_free(&j->starts);
    array_free(&j->order);
    array_free(&j->veneers);
}

// From here on whoever goes on at an op of these is in native code.
static bool publish(struct join *j, struct program *p) {
    struct native_region *region = calloc(1, sizeof *region);
    uint8_t *code = region ? native_pages(j->code.count) : NULL;
    if (!code) {
        free(region);
        return false;
    }
    for (size_t i = 0; i < j->pool.count; i++) {
        const size_t at = j->pool.items[i].at;
        wr32(j->code.items + at,
             (uint32_t)(uint64_t)((int64_t)(j->image->pool - (code + at)) + j->pool_places.items[i]));
    }
    memcpy(code, j->code.items, j->code.count);
    if (!native_seal(code, j->code.count, true)) {
        native_give_back(code, j->code.count);
        free(region);
        return false;
    }
    *region = (struct native_region){.next = p->native, .code = code, .bytes = j->code.count};
    p->native = region;
    for (size_t i = 0; i < j->order.count; i++) {
        if (fused_has(p, j->order.items[i])) continue;
        op_fn **fn = (op_fn **)&j->order.items[i]->fn;
        __atomic_store_n(fn, (op_fn *)(uintptr_t)(code + j->starts.items[i]), __ATOMIC_RELEASE);
    }
    return true;
}

bool native_join(struct program *p, const struct native_image *image, size_t first, size_t count) {
    struct join j = {
        .program = p, .image = image, .blocks = p->built.items + first, .block_count = count - first};
    bool joined = begin(&j);
    for (size_t i = 0; joined && i < j.block_count; i++)
        if (!j.done[i]) put_block(&j, &j.blocks[i]);
    if (joined) resolve(&j);
    joined = joined && !j.failed && publish(&j, p);
    end(&j);
    return joined;
}
