// SPDX-License-Identifier: MIT
// Evaluates optimised LLVM IR, the very IR from which the code object was made, in interval arithmetic. A
// value is known to lie between two bounds:
// - An operation that IEEE 754 rounds correctly is monotonic in each operand, rounding included, so it maps
//   the corners of its operands' intervals to the bounds of its result: nothing is added.
// - A division or square root with !fpmath N may be N ULP off: its bounds are those of the real result,
//   N ULP further apart. Without !fpmath it is correctly rounded.
// - llvm.fmuladd may be fused or not, as the backend likes: its bounds hold both results.
// - Integers and comparisons are exact; one that would depend on an inexact value ends the evaluation.
// - A flag that allows more than that (contract, reassoc, ...) is refused by the reader, ir.c.
// What the device computed must lie within the bounds, bit for bit where they meet.
// Memory is an arena with a twin: the lower bound of what lies at p is at p, the upper one at p + TWIN.
#include "emitted.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "host.h"
#include "ir.h"

enum { TWIN = 256 << 20, STACKS = 128 << 20, STACK = 32 << 10, CALLS = 64 };
static uint8_t *arena; // in the low 4 GiB: pointers to LDS and scratch have 32 bits
static size_t arena_used;
static const struct ir_function *kernel;
static struct ir_value arguments[CASE_ARGUMENTS];
static uint64_t packet, implicit;
static const char *problem; // set once; ends every work-item
static char problem_text[120];

static uint64_t take(size_t size) {
    size_t at = (arena_used + 63) & ~(size_t)63;
    if (at + size > STACKS) {
        problem = "the kernel's memory does not fit";
        return (uint64_t)(uintptr_t)arena;
    }
    arena_used = at + size;
    memset(arena + at, 0, size);
    memset(arena + TWIN + at, 0, size);
    return (uint64_t)(uintptr_t)(arena + at);
}
static uint64_t place(const char *name, uint64_t size) {
    (void)name;
    return take(size);
}

static void give_up(const char *what) {
    if (!problem) problem = what;
}

// ---- Bits and numbers ----

static uint64_t mask(uint64_t v, unsigned bits) { return bits < 64 ? v & ((1ull << bits) - 1) : v; }
static int64_t sign(uint64_t v, unsigned bits) { return (int64_t)(v << (64 - bits)) >> (64 - bits); }

static double number(const struct ir_type *t, uint64_t bits) {
    double d;
    float f;
    if (t->kind == IR_DOUBLE) return memcpy(&d, &bits, 8), d;
    uint32_t low = (uint32_t)bits;
    return memcpy(&f, &low, 4), (double)f;
}
static uint64_t bits_of(const struct ir_type *t, double d) {
    uint64_t v;
    uint32_t low;
    if (t->kind == IR_DOUBLE) return memcpy(&v, &d, 8), v;
    float f = (float)d;
    return memcpy(&low, &f, 4), low;
}

// Correctly rounded in the type; the double results of F32 operands are exact or round twice harmlessly.
static double rounded(const struct ir_type *t, double d) {
    return t->kind == IR_DOUBLE ? d : (double)(float)d;
}
static double fused(const struct ir_type *t, double a, double b, double c) {
    return t->kind == IR_DOUBLE ? fma(a, b, c) : (double)fmaf((float)a, (float)b, (float)c);
}

struct bounds {
    double lo, hi;
};
static const struct bounds nothing = {INFINITY, -INFINITY};
static struct bounds include(struct bounds b, double x) {
    if (isnan(x) || isnan(b.lo)) return (struct bounds){NAN, NAN};
    return (struct bounds){x < b.lo ? x : b.lo, x > b.hi ? x : b.hi};
}

// N ULP on both sides of a real result, to the values of the type inside: an ULP is that of the real's
// binade.
static struct bounds widened(const struct ir_type *t, struct bounds b, double ulp) {
    if (!ulp) return (struct bounds){rounded(t, b.lo), rounded(t, b.hi)};
    if (t->kind == IR_DOUBLE) return give_up("an inexact operation in F64"), b;
    double *side[2] = {&b.lo, &b.hi};
    for (int k = 0; k < 2; k++) {
        double x = *side[k];
        if (isnan(x) || isinf(x) || !x) continue;
        int e = ilogb(x);
        double limit = x + (k ? ulp : -ulp) * ldexp(1, (e < -126 ? -126 : e) - 23);
        float f = (float)limit;
        if (!k && (double)f < limit) f = nextafterf(f, INFINITY);
        if (k && (double)f > limit) f = nextafterf(f, -INFINITY);
        *side[k] = (double)f;
    }
    return b;
}

// ---- Operations on one element ----

static struct bounds real(const struct ir_instruction *i, const struct bounds x[3]) {
    const struct ir_type *t = i->type;
    struct bounds r = nothing;
    unsigned corners = 1u << i->operands;
    if (i->op == IR_FNEG) return (struct bounds){-x[0].hi, -x[0].lo};
    if (i->op == IR_FABS) {
        double a = fabs(x[0].lo), b = fabs(x[0].hi), low = x[0].lo < 0 && x[0].hi > 0 ? 0 : fmin(a, b);
        return (struct bounds){low, fmax(a, b)};
    }
    if (i->op == IR_FDIV && x[1].lo <= 0 && x[1].hi >= 0 && x[1].lo < x[1].hi) {
        give_up("a division by what may be zero");
        return r;
    }
    for (unsigned c = 0; c < corners; c++) {
        double a = c & 1 ? x[0].hi : x[0].lo, b = c & 2 ? x[1].hi : x[1].lo, d = c & 4 ? x[2].hi : x[2].lo;
        switch (i->op) {
        case IR_FADD: r = include(r, rounded(t, a + b)); break;
        case IR_FSUB: r = include(r, rounded(t, a - b)); break;
        case IR_FMUL: r = include(r, rounded(t, a * b)); break;
        case IR_FMA: r = include(r, fused(t, a, b, d)); break;
        case IR_FMULADD:
            r = include(r, fused(t, a, b, d));
            r = include(r, rounded(t, rounded(t, a * b) + d));
            break;
        case IR_FDIV: r = include(r, a / b); break;
        case IR_SQRT: r = include(r, sqrt(a)); break;
        default: give_up("a real operation"); break;
        }
    }
    return i->op == IR_FDIV || i->op == IR_SQRT ? widened(t, r, i->ulp) : r;
}

static uint64_t integer(const struct ir_instruction *i, uint64_t a, uint64_t b, uint64_t c) {
    unsigned n = i->from->bits;
    switch (i->op) {
    case IR_ADD: return a + b;
    case IR_SUB: return a - b;
    case IR_MUL: return a * b;
    case IR_SHL: return b < n ? a << b : 0;
    case IR_LSHR: return b < n ? a >> b : 0;
    case IR_ASHR: return (uint64_t)(sign(a, n) >> (b < n ? b : n - 1));
    case IR_AND: return a & b;
    case IR_OR: return a | b;
    case IR_XOR: return a ^ b;
    case IR_ZEXT:
    case IR_TRUNC: return a;
    case IR_SEXT: return (uint64_t)sign(a, n);
    case IR_FSHL: return c % n ? a << c % n | b >> (n - c % n) : a;
    case IR_SMAX: return sign(a, n) > sign(b, n) ? a : b;
    case IR_ABS: return sign(a, n) < 0 ? -a : a;
    case IR_CTLZ: return a ? (uint64_t)__builtin_clzll(a) - (64 - n) : n;
    case IR_ICMP:
        switch (i->predicate) {
        case IR_EQ: return a == b;
        case IR_NE: return a != b;
        case IR_UGT: return a > b;
        case IR_UGE: return a >= b;
        case IR_ULT: return a < b;
        case IR_ULE: return a <= b;
        case IR_SGT: return sign(a, n) > sign(b, n);
        case IR_SGE: return sign(a, n) >= sign(b, n);
        case IR_SLT: return sign(a, n) < sign(b, n);
        default: return sign(a, n) <= sign(b, n);
        }
    default: give_up("an integer operation"); return 0;
    }
}

static bool compared(unsigned predicate, double a, double b) {
    if (isnan(a) || isnan(b)) return !(predicate & IR_FCMP_ORDERED);
    return (predicate & (a < b ? IR_FCMP_LESS : a > b ? IR_FCMP_GREATER : IR_FCMP_EQUAL)) != 0;
}

// True in every corner or false in every corner; nothing between them can differ for an order.
static uint64_t comparison(const struct ir_instruction *i, const struct bounds x[2]) {
    bool first = compared(i->predicate, x[0].lo, x[1].lo);
    for (unsigned c = 1; c < 4; c++)
        if (compared(i->predicate, c & 1 ? x[0].hi : x[0].lo, c & 2 ? x[1].hi : x[1].lo) != first)
            give_up("a comparison depends on an inexact value");
    if (x[0].lo <= x[1].hi && x[1].lo <= x[0].hi && (x[0].lo < x[0].hi || x[1].lo < x[1].hi))
        give_up("a comparison depends on an inexact value");
    return first;
}

// ---- Memory ----

static uint8_t *at(uint64_t address, uint64_t size) {
    uint64_t offset = address - (uint64_t)(uintptr_t)arena;
    if (offset > TWIN || size > TWIN - offset) {
        give_up("an access outside the kernel's memory");
        return arena;
    }
    return arena + offset;
}

static void load(const struct ir_type *t, uint64_t address, struct ir_value *out) {
    const uint8_t *p = at(address, t->size);
    size_t step = t->size / t->lanes;
    for (unsigned l = 0; l < t->lanes; l++) {
        out->lo[l] = out->hi[l] = 0;
        memcpy(&out->lo[l], p + l * step, step);
        memcpy(&out->hi[l], p + TWIN + l * step, step);
    }
}
static void save(const struct ir_type *t, uint64_t address, const struct ir_value *v) {
    uint8_t *p = at(address, t->size);
    size_t step = t->size / t->lanes;
    for (unsigned l = 0; l < t->lanes; l++) {
        memcpy(p + l * step, &v->lo[l], step);
        memcpy(p + TWIN + l * step, &v->hi[l], step);
    }
}

// ---- Functions ----

static uint64_t exact(const struct ir_value *v, unsigned lane) {
    if (v->lo[lane] != v->hi[lane]) give_up("an integer depends on an inexact value");
    return v->lo[lane];
}
static void set(struct ir_value *v, unsigned lane, uint64_t x) { v->lo[lane] = v->hi[lane] = x; }

static void arithmetic(const struct ir_instruction *i, struct ir_value *v) {
    struct ir_value *r = &v[i->result];
    const struct ir_value *o[3];
    for (unsigned k = 0; k < 3; k++) o[k] = &v[i->operand[k < i->operands ? k : 0]];
    bool is_real = i->from->kind == IR_FLOAT || i->from->kind == IR_DOUBLE;
    for (unsigned l = 0; l < i->from->lanes; l++) {
        if (!is_real) {
            set(r, l, mask(integer(i, exact(o[0], l), exact(o[1], l), exact(o[2], l)), i->type->bits));
            continue;
        }
        struct bounds x[3];
        for (unsigned k = 0; k < 3; k++)
            x[k] = (struct bounds){number(i->from, o[k]->lo[l]), number(i->from, o[k]->hi[l])};
        if (i->op == IR_FCMP) {
            set(r, l, comparison(i, x));
            continue;
        }
        struct bounds b = real(i, x);
        r->lo[l] = bits_of(i->type, b.lo), r->hi[l] = bits_of(i->type, b.hi);
    }
}

static void atomic(const struct ir_instruction *i, struct ir_value *v) {
    uint64_t address = exact(&v[i->operand[0]], 0), n = exact(&v[i->operand[1]], 0);
    struct ir_value old, new = {0};
    load(i->type, address, &old);
    uint64_t x = exact(&old, 0);
    set(&new, 0, mask(i->op == IR_ATOMIC_ADD ? x + n : x >= n ? 0 : x + 1, i->type->bits));
    save(i->type, address, &new);
    v[i->result] = old;
}

static uint32_t enter(const struct ir_function *f, struct ir_value *v, uint32_t from, uint32_t to) {
    const struct ir_block *b = &f->block[to];
    struct ir_value kept[16];
    if (b->phis > 16) give_up("a block with many phis");
    for (uint32_t p = 0; p < b->phis && p < 16; p++)
        for (uint32_t c = 0; c < b->phi[p].incoming; c++)
            if (b->phi[p].from[c] == from) kept[p] = v[b->phi[p].value[c]];
    for (uint32_t p = 0; p < b->phis && p < 16; p++) v[b->phi[p].result] = kept[p];
    return to;
}

static void shuffled(const struct ir_instruction *i, struct ir_value *v) {
    struct ir_value a = v[i->operand[0]], b = v[i->operand[1]], *r = &v[i->result];
    for (unsigned l = 0; l < i->type->lanes; l++) {
        unsigned from = (unsigned)i->lane[l], n = i->from->lanes;
        r->lo[l] = from < n ? a.lo[from] : b.lo[from - n];
        r->hi[l] = from < n ? a.hi[from] : b.hi[from - n];
    }
}

// What moves values about. Whether it knew the instruction.
static bool move(const struct ir_instruction *i, struct ir_value *v) {
    struct ir_value *r = i->result == UINT32_MAX ? NULL : &v[i->result];
    const struct ir_value *a = &v[i->operand[0]], *b = &v[i->operand[1]];
    uint64_t n;
    switch (i->op) {
    case IR_COPY: *r = *a; return true;
    case IR_SELECT: *r = exact(a, 0) & 1 ? *b : v[i->operand[2]]; return true;
    case IR_LOAD: load(i->type, exact(a, 0), r); return true;
    case IR_STORE: save(i->type, exact(b, 0), a); return true;
    case IR_ADDRESS:
        n = (uint64_t)sign(exact(b, 0), i->from->bits) * i->scale;
        set(r, 0, mask(exact(a, 0) + n, i->type->bits));
        return true;
    case IR_EXTRACT:
        n = exact(b, 0) % IR_LANES;
        r->hi[0] = a->hi[n], r->lo[0] = a->lo[n];
        return true;
    case IR_INSERT:
        n = exact(&v[i->operand[2]], 0) % IR_LANES;
        struct ir_value whole = *a;
        whole.lo[n] = b->lo[0], whole.hi[n] = b->hi[0];
        *r = whole;
        return true;
    case IR_SHUFFLE: shuffled(i, v); return true;
    case IR_ATOMIC_ADD:
    case IR_ATOMIC_WRAP: atomic(i, v); return true;
    case IR_BARRIER: host_barrier(); return true;
    case IR_ITEM: set(r, 0, host_item()->local[i->scale]); return true;
    case IR_GROUP: set(r, 0, host_item()->group[i->scale]); return true;
    case IR_PACKET: set(r, 0, packet); return true;
    case IR_IMPLICIT: set(r, 0, implicit); return true;
    default: return false;
    }
}

static struct ir_value run(const struct ir_function *f, const struct ir_value *given, uint64_t stack,
                           unsigned depth) {
    struct ir_value *v = malloc((f->values + 1) * sizeof *v), result = {0};
    memcpy(v, f->initial, f->values * sizeof *v);
    memcpy(v, given, f->arguments * sizeof *v);
    if (depth == CALLS) give_up("calls go too deep");
    uint32_t block = 0, next = 0;
    while (!problem) {
        const struct ir_instruction *i = &f->instruction[f->block[block].first + next++];
        if (i->op == IR_RETURN) {
            if (i->type->kind != IR_VOID) result = v[i->operand[0]];
            break;
        }
        if (i->op == IR_BRANCH || i->op == IR_SWITCH) {
            uint32_t to = i->target[0];
            if (i->op == IR_BRANCH && i->operands && !(exact(&v[i->operand[0]], 0) & 1)) to = i->target[1];
            for (uint32_t c = 0; c < i->listed; c += 2)
                if (exact(&v[i->operand[0]], 0) == v[i->list[c]].lo[0]) to = i->list[c + 1];
            block = enter(f, v, block, to), next = 0;
        } else if (i->op == IR_ALLOCA) {
            set(&v[i->result], 0, stack);
            stack += (i->scale + 15) & ~15ull;
        } else if (i->op == IR_CALL) {
            struct ir_value list[16];
            for (uint32_t k = 0; k < i->listed; k++) list[k] = v[i->list[k]];
            struct ir_value r = run(i->callee, list, stack, depth + 1);
            if (i->result != UINT32_MAX) v[i->result] = r;
        } else if (i->op == IR_UNREACHABLE)
            give_up("unreachable code");
        else if (!move(i, v))
            arithmetic(i, v);
    }
    free(v);
    return result;
}

static void work_item(void) {
    uint64_t stack = (uint64_t)(uintptr_t)arena + STACKS + (uint64_t)host_item()->index * STACK;
    run(kernel, arguments, stack, 0);
}

// ---- A test ----

static const unsigned sizes[TYPES] = {1, 1, 2, 2, 4, 4, 8, 8, 2, 4, 8};

static void set_up(const struct test *t, uint64_t address[CASE_ARGUMENTS]) {
    for (unsigned i = 0; i < t->argument_count; i++) {
        const struct argument *a = &t->arguments[i];
        uint64_t v = 0;
        memcpy(&v, a->value, 8);
        if (a->kind == ARGUMENT_BUFFER) {
            v = address[i] = take(a->buffer.size + 16);
            memcpy(at(v, a->buffer.size), a->buffer.initial, a->buffer.size);
            memcpy(at(v, a->buffer.size) + TWIN, a->buffer.initial, a->buffer.size);
        } else if (a->kind == ARGUMENT_LDS)
            v = take(a->size);
        set(&arguments[i], 0, v);
    }
    implicit = take(256); // no global offset: zeros
    packet = take(64);
    uint8_t *p = at(packet, 64);
    for (int d = 0; d < 3; d++) {
        memcpy(p + 4 + 2 * d, &(uint16_t){(uint16_t)t->block[d]}, 2);
        memcpy(p + 12 + 4 * d, &t->grid[d], 4);
    }
    memcpy(p + TWIN, p, 64);
}

static const char *compare(const struct test *t, void *const memory[], const uint64_t address[], char *why,
                           size_t capacity) {
    static const struct ir_type f32 = {.kind = IR_FLOAT, .bits = 32}, f64 = {.kind = IR_DOUBLE, .bits = 64};
    for (unsigned i = 0; i < t->argument_count; i++) {
        const struct argument *a = &t->arguments[i];
        if (a->kind != ARGUMENT_BUFFER) continue;
        size_t step = sizes[a->type], n = a->buffer.size / step;
        const uint8_t *lo = at(address[i], a->buffer.size), *hi = lo + TWIN, *got = memory[i];
        for (size_t j = 0; j < n; j++, lo += step, hi += step, got += step) {
            if (!memcmp(lo, got, step) && !memcmp(hi, got, step)) continue;
            const struct ir_type *type = a->type == F64 ? &f64 : &f32;
            uint64_t bits[3] = {0};
            memcpy(&bits[0], got, step), memcpy(&bits[1], lo, step), memcpy(&bits[2], hi, step);
            double x = number(type, bits[0]), low = number(type, bits[1]), high = number(type, bits[2]);
            bool is_real = a->type == F32 || a->type == F64;
            if (is_real && ((isnan(x) && isnan(low)) || (x >= low && x <= high))) continue;
            if (is_real)
                snprintf(why, capacity, "argument %u, [%zu] is %.9g, not within %.9g and %.9g", i, j, x, low,
                         high);
            else
                snprintf(why, capacity, "argument %u, [%zu] is 0x%llx, expected 0x%llx", i, j,
                         (unsigned long long)bits[0], (unsigned long long)bits[1]);
            return why;
        }
    }
    return NULL;
}

const char *emitted_compare(const char *path, const struct test *t, void *const memory[CASE_ARGUMENTS],
                            unsigned wave, char *why, size_t capacity) {
    if (!arena)
        arena = mmap(NULL, 2ul * TWIN, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_32BIT, -1, 0);
    if (arena == MAP_FAILED) return arena = NULL, "no memory for the reference";
    arena_used = 0, problem = NULL;
    struct ir_module *m = ir_open(path, place);
    if (!m) return snprintf(why, capacity, "%s: cannot open", path), why;
    kernel = ir_function(m, t->kernel);
    if (!kernel) return snprintf(why, capacity, "%s: %s", path, ir_error), why;
    if (kernel->arguments != t->argument_count) return "the IR has another number of arguments";
    uint64_t address[CASE_ARGUMENTS];
    set_up(t, address);
    struct host_call c = {.kernel = work_item, .wave = wave};
    memcpy(c.grid, t->grid, sizeof c.grid);
    memcpy(c.block, t->block, sizeof c.block);
    int bad = host_run(&c, t->together);
    if (problem) return snprintf(problem_text, sizeof problem_text, "reference: %s", problem), problem_text;
    return bad ? "the reference cannot run this kernel" : compare(t, memory, address, why, capacity);
}
