// SPDX-License-Identifier: MIT
// Order and scope of accesses: a small interpreter of memory_model.def gives each access its cache policy and
// puts waits and cache maintenance around it; fences and barriers become those alone. Waits are soft: waits.c
// drops what it proves needless, but not those behind a write-back, which nothing else waits for. Requires:
// select. Leaves: no fence.
#include "compiler/cache.h"
#include "compiler/waits.h"

#include <stdio.h>

enum { LOAD = 1, STORE, RMW, FENCE };
enum { // order; those of atomics are LLVM's
    MONOTONIC = IR_MONOTONIC,
    ACQUIRE = IR_ACQUIRE,
    RELEASE = IR_RELEASE,
    ACQ_REL = IR_ACQ_REL,
    SEQ_CST = IR_SEQ_CST,
    VOLATILE,
    NONTEMPORAL
};
enum {
    THREAD = 1,
    WAVE = 2,
    GROUP = 4,
    AGENT = 8,
    SYSTEM = 16,
    CLUSTER = 32, // where there are clusters of work-groups; elsewhere it is the agent
    LANES = THREAD | WAVE,
    NEAR = GROUP | CLUSTER,
    DEVICE = AGENT | SYSTEM,
    FAR_AWAY = DEVICE | CLUSTER,
    ANY = 63
};
enum {
    GENERIC = 1 << IR_GENERIC,
    GLOBAL = 1 << IR_GLOBAL,
    LOCAL = 1 << IR_LOCAL,
    FAR = GENERIC | GLOBAL,
    ALL = FAR | LOCAL,
    NOT_LOCAL = FAR | 1 << IR_CONSTANT_SPACE | 1 << IR_PRIVATE
};
static const struct rule {
    uint8_t family, operation, order, scopes, spaces;
    const char *sequence;
} rules[] = {
#define R(family, id, operation, order, scopes, spaces, sequence)                                            \
    {MEMORY_##family, operation, order, scopes, spaces, sequence},
#include "compiler/memory_model.def"
};

struct model {
    struct compiler *c;
    struct ir_function *f;
    struct ir_old old;
    const struct ir_inst *i; // the old one
    enum memory_family family;
    const struct counters *counters;
    // Of the access at hand:
    unsigned operation, scope;
    bool returns, opencl, written_back;
    bool far, near;          // what a fence orders: global memory, LDS
    bool limited, shared_m0; // M0 limits LDS here, and is written for other purposes
};

static const struct rule *find(const struct model *m, unsigned operation, unsigned order, unsigned space) {
    for (size_t n = 0; n < sizeof rules / sizeof *rules; n++)
        if (rules[n].family == m->family && rules[n].operation == operation && rules[n].order == order &&
            rules[n].scopes & m->scope && rules[n].spaces >> space & 1)
            return &rules[n];
    return NULL;
}

// ---- Conditions ----

static bool holds_all(const struct model *m, const char **s);

static bool holds_one(const struct model *m, const char **s) {
    const char what = *(*s)++;
    bool yes;
    switch (what) {
    case '!': return !holds_one(m, s);
    case '(':
        yes = holds_all(m, s);
        if (**s == ')') ++*s;
        return yes;
    case 'r': return m->returns;
    case 'c': return m->f->facts.cumode;
    case 't': return m->f->facts.tgsplit;
    case 'o': return m->opencl;
    case 'a': return m->scope == AGENT;
    default: return isa_dlc_is_policy(m->c->isa); // '1'
    }
}
// Alternatives, and within them what must hold together.
static bool holds_all(const struct model *m, const char **s) {
    bool any = false;
    for (;; ++*s) {
        bool all = holds_one(m, s);
        while (**s == '&') {
            ++*s;
            all &= holds_one(m, s);
        }
        any |= all;
        if (**s != '|') return any;
    }
}
// What stands behind a name: nothing, or a condition.
static bool holds(const struct model *m, const char **s) {
    if (**s != '?') return true;
    ++*s;
    return holds_all(m, s);
}

// ---- Steps ----

static size_t word(const char *s) { return strspn(s, "abcdefghijklmnopqrstuvwxyz0123456789_"); }
static bool is_word(const char *s, size_t n, const char *name) {
    return n == strlen(name) && !memcmp(s, name, n);
}

static void append_wait(struct model *m, unsigned counters) {
    ir_ref operands[COUNTERS];
    unsigned count = 0;
    for (unsigned c = 0; c < COUNTERS; c++)
        if (counters >> c & 1 && m->counters->most[c])
            operands[count++] =
                ir_immediate((int32_t)compiler_wait(c, 0, m->written_back && c == m->counters->stores));
    if (count) ir_append(m->f, OP_p_wait, operands, count)->location = m->i->location;
}

// W(name?condition, ...)
static const char *wait(struct model *m, const char *s) {
    static const struct {
        const char *name;
        uint8_t counter;
    } names[] = {{"vm", COUNTER_VM},         {"vs", COUNTER_VS},   {"ds", COUNTER_LGKM},
                 {"sample", COUNTER_SAMPLE}, {"bvh", COUNTER_BVH}, {"x", COUNTER_X}};
    unsigned counters = 0;
    for (s += 2; *s && *s != ')'; s += *s == ',') {
        const size_t n = word(s);
        const char *name = s;
        s += n;
        const bool wanted = holds(m, &s);
        for (size_t k = 0; k < sizeof names / sizeof *names; k++)
            if (wanted && is_word(name, n, names[k].name) &&
                (m->operation != FENCE || (names[k].counter == COUNTER_LGKM ? m->near : m->far)))
                counters |= 1u << names[k].counter;
    }
    append_wait(m, counters);
    return *s ? s + 1 : s;
}

// [bit?condition, ...]
static const char *bits(const struct model *m, const char *s, unsigned *out) {
    static const struct {
        const char *name;
        uint8_t bits;
    } names[] = {{"glc", CACHE_GLC}, {"slc", CACHE_SLC}, {"dlc", CACHE_DLC}, {"sc0", CACHE_SC0},
                 {"sc1", CACHE_SC1}, {"se", 1},          {"sys", 3}};
    *out = 0;
    if (*s != '[') return s;
    for (++s; *s && *s != ']'; s += *s == ',') {
        const size_t n = word(s);
        const char *name = s;
        s += n;
        const bool wanted = holds(m, &s);
        for (size_t k = 0; k < sizeof names / sizeof *names; k++)
            if (wanted && is_word(name, n, names[k].name)) *out |= names[k].bits;
        if (wanted && is_word(name, n, "nt")) *out |= m->family >= MEMORY_GFX12 ? CACHE_HINT_NT : CACHE_NT;
        if (wanted && is_word(name, n, "scope"))
            *out |= m->scope == SYSTEM                                                      ? 3
                    : m->scope == AGENT                                                     ? 2
                    : m->scope == CLUSTER                                                   ? 1
                    : m->scope == GROUP && m->family == MEMORY_GFX12 && !m->f->facts.cumode ? 1
                                                                                            : 0;
    }
    return *s ? s + 1 : s;
}

static const char *maintenance(struct model *m, const char *s) {
    const size_t n = word(s);
    char id[40];
    unsigned cache;
    snprintf(id, sizeof id, "%s%.*s", strncmp(s, "global_", 7) ? "buffer_" : "", (int)n, s);
    s = bits(m, s + n, &cache);
    if (!holds(m, &s) || (m->operation == FENCE && !m->far)) return s;
    const struct row *row = compiler_named_row(m->c, id);
    if (!row && !strcmp(id, "buffer_wbinvl1_vol")) row = compiler_named_row(m->c, "buffer_wbinvl1");
    if (!row) {
        compiler_refuse(m->c, m->i, "cache maintenance on this processor");
        return s;
    }
    struct ir_inst *i = ir_append(m->f, ir_op_of_row(row), NULL, 0);
    i->location = m->i->location;
    if (cache) i->memory = ir_memory_add(m->f, &(struct ir_memory){.cache = (uint8_t)cache});
    if (strstr(id, "wb") && !strstr(id, "inv")) m->written_back = true;
    return s;
}

static void copy_access(struct model *m, unsigned cache) {
    struct ir_inst *i = ir_copy(m->f, &m->old, m->i);
    const struct ir_memory *old = ir_memory_of(m->f, m->i);
    if (!cache || !old || m->c->m->failed) return;
    struct ir_memory memory = *old;
    memory.cache |= (uint8_t)cache;
    i->memory = ir_memory_add(m->f, &memory);
}

// Runs the steps before and behind the access, and the access.
static void run(struct model *m, const struct rule *rule, unsigned space) {
    const char *s = rule ? rule->sequence : m->operation == FENCE ? "" : "*";
    m->written_back = false;
    while (*s && !m->c->status && !m->c->m->failed) {
        unsigned cache;
        if (*s == ' ')
            s++;
        else if (*s == 'W')
            s = wait(m, s);
        else if (*s == '*') {
            s = bits(m, s + 1, &cache);
            copy_access(m, cache);
        } else if (*s == '=') { // as another order, whose OpenCL omissions do not hold
            const char *order = strchr(s, ':') + 1;
            const bool acquire = !strcmp(order, "acquire"), release = !strcmp(order, "release");
            m->opencl = false;
            const struct rule *next = find(m, m->operation,
                                           acquire   ? ACQUIRE
                                           : release ? RELEASE
                                                     : ACQ_REL,
                                           space);
            s = next ? next->sequence : m->operation == FENCE ? "" : "*";
        } else
            s = maintenance(m, s);
    }
}

// ---- What each access is ----

static unsigned scope_of(const struct model *m, const struct ir_memory *memory) {
    static const uint8_t scopes[IR_SCOPES] = {
        [IR_SYSTEM] = SYSTEM,   [IR_SINGLE_THREAD] = THREAD, [IR_WAVEFRONT] = WAVE,
        [IR_WORKGROUP] = GROUP, [IR_CLUSTER] = AGENT,        [IR_AGENT] = AGENT};
    const bool cluster = memory->scope == IR_CLUSTER && m->family == MEMORY_GFX125;
    const unsigned scope = cluster ? CLUSTER : memory->scope < IR_SCOPES ? scopes[memory->scope] : SYSTEM;
    return memory->space == IR_LOCAL && scope & FAR_AWAY ? GROUP : scope;
}

// Of success and failure together.
static unsigned order_of(const struct ir_memory *memory) {
    const unsigned a = memory->order, b = memory->failure_order;
    if (a == SEQ_CST || b == SEQ_CST) return SEQ_CST;
    if (b != ACQUIRE || a == ACQ_REL || a == ACQUIRE) return a;
    return a == RELEASE ? ACQ_REL : ACQUIRE;
}

static void access(struct model *m, const struct row *row) {
    struct ir_memory memory = *ir_memory_of(m->f, m->i);
    if (memory.space >= IR_FAT) memory.space = IR_GLOBAL; // buffers are a way to global memory
    const bool ordered = memory.order > IR_UNORDERED && (1u << memory.space & ALL);
    unsigned order = order_of(&memory);
    m->operation = row->atomic                                          ? RMW
                   : row->flags & ROW_LOAD && !(row->flags & ROW_STORE) ? LOAD
                   : row->flags & ROW_STORE && m->i->results ? LOAD // to LDS as well, on the same row
                   : row->flags & ROW_STORE                  ? STORE
                                                             : LOAD;
    m->scope = ordered ? scope_of(m, &memory) : THREAD;
    m->returns = m->i->results;
    // The one-as scopes order one address space. Sequentially consistent ones join all the same, and in CU
    // mode waits for LDS are all there is.
    const bool one_as = memory.flags & IR_ONE_AS && order != SEQ_CST && !m->f->facts.cumode;
    m->opencl = one_as || (m->c->m->triple && strstr(m->c->m->triple, "-opencl"));
    if (!ordered)
        order = memory.flags & IR_VOLATILE      ? VOLATILE
                : memory.flags & IR_NONTEMPORAL ? NONTEMPORAL
                : memory.order == IR_UNORDERED  ? MONOTONIC
                                                : 0;
    if (!ordered && order != VOLATILE && memory.flags & IR_LAST_USE && m->operation == LOAD &&
        m->family >= MEMORY_GFX12) {
        copy_access(m, CACHE_HINT_LAST_USE);
        return;
    }
    run(m, order ? find(m, m->operation, order, memory.space) : NULL, memory.space);
}

static void fence(struct model *m) {
    const struct ir_memory memory = *ir_memory_of(m->f, m->i);
    const unsigned named = memory.spaces_fenced & (GLOBAL | LOCAL);
    m->operation = FENCE;
    m->scope = scope_of(m, &memory);
    m->returns = m->opencl = false;
    m->far = !named || named & GLOBAL;
    m->near = !named || named & LOCAL;
    run(m, find(m, FENCE, memory.order, IR_GLOBAL), IR_GLOBAL);
}

// A wave that waits at a barrier cannot take back what it has outstanding, up to GFX9.
static void barrier(struct model *m) {
    if (m->family == MEMORY_GFX6) {
        m->written_back = false;
        append_wait(m, 1u << COUNTER_VM | 1u << COUNTER_LGKM | 1u << COUNTER_EXP);
    }
    ir_copy(m->f, &m->old, m->i);
}

// The device's semaphores: all that is outstanding is waited for behind them, as LLVM has it.
static void global_sync(struct model *m) {
    ir_copy(m->f, &m->old, m->i);
    m->written_back = false;
    append_wait(m, 1u << COUNTER_VM | 1u << COUNTER_LGKM | 1u << COUNTER_EXP);
}

// ---- M0 ----

static bool reaches_region(const struct model *m, const struct ir_inst *i) {
    const struct ir_memory *memory = ir_is_row(i->op) ? ir_memory_of(m->f, i) : NULL;
    return memory && memory->space == IR_REGION;
}

// Rows without an address of their own have it in M0.
static bool reaches_lds(const struct model *m, const struct ir_inst *i) {
    return ir_is_row(i->op) && ir_row(i->op)->src[0].field == F_addr && ir_row(i->op)->reads & R_M0 &&
           ir_row(i->op)->flags & ROW_LGKM_CNT && ir_row(i->op)->class != CLASS_GWS &&
           ir_row(i->op)->class != CLASS_GDS && !reaches_region(m, i) &&
           m->c->isa->codings[m->c->isa->row_codings[i->op - IR_ROWS]].format == FMT_DS;
}

// True if an instruction gives M0 a value of its own, for another purpose.
static bool writes_m0(const struct model *m, const struct ir_inst *i) {
    const ir_ref to = i->operands ? m->old.operands.items[i->first_operand] : IR_NOTHING;
    return !i->results && ir_is(to, IR_REGISTER) && ir_register_class_of(ir_index(to)) == IR_M0;
}

static void set_m0(struct model *m, uint32_t value) {
    ir_append(m->f, OP_p_moves,
              (ir_ref[]){ir_make(IR_REGISTER, ir_register(IR_M0, 0, 1)),
                         ir_constant_bits(m->f, ir_int(m->c->m, 32), value, 0)},
              2);
}
static void open_lds(struct model *m) { set_m0(m, 0xffffffff); }

// Where M0 limits the addresses in LDS, it is opened once, at the beginning, or before each access if M0 has
// another use, which functions may have.
static void look_at_m0(struct model *m) {
    bool any = false;
    for (size_t n = 0; n < m->old.insts.count; n++) {
        any |= reaches_lds(m, &m->old.insts.items[n]);
        m->shared_m0 |= writes_m0(m, &m->old.insts.items[n]) || ir_has_called(m->old.insts.items[n].op) ||
                        reaches_region(m, &m->old.insts.items[n]);
    }
    m->limited = any && m->c->isa->m0_limits_lds;
}

// ---- The pass ----

static void instruction(struct model *m) {
    const struct row *row = ir_is_row(m->i->op) ? ir_row(m->i->op) : NULL;
    if (m->i->op == OP_fence)
        fence(m);
    else if (row && row == compiler_named_row(m->c, "s_barrier"))
        barrier(m);
    else if (row && row->class == CLASS_GWS)
        global_sync(m);
    else if (row && m->i->memory && row->flags & (ROW_LOAD | ROW_STORE))
        access(m, row);
    else
        ir_copy(m->f, &m->old, m->i);
}

void compiler_memory_model(struct compiler *c) {
    struct model m = {
        .c = c, .f = c->f, .family = isa_memory_family(c->isa), .counters = isa_counters(c->isa)};
    ir_take(c->f, &m.old);
    look_at_m0(&m);
    for (size_t b = 0; b < m.old.blocks.count && !c->status; b++) {
        const struct ir_block *block = &m.old.blocks.items[b];
        ir_block_add(c->f);
        uint32_t n = 0;
        // Copies of the inputs' registers stand first.
        for (; !b && n < block->count && m.old.insts.items[block->first + n].op == OP_p_copy; n++)
            ir_copy(c->f, &m.old, &m.old.insts.items[block->first + n]);
        if (!b && m.limited && !m.shared_m0) open_lds(&m);
        for (; n < block->count && !c->status && !c->m->failed; n++) {
            m.i = &m.old.insts.items[block->first + n];
            if (m.limited && m.shared_m0 && reaches_lds(&m, m.i)) open_lds(&m);
            if (reaches_region(&m, m.i)) set_m0(&m, c->f->facts.gds); // its size
            instruction(&m);
        }
    }
    ir_old_free(&m.old);
}
