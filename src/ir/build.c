// SPDX-License-Identifier: MIT
// Makes modules, functions, types, constants and instructions. Nothing here fails at once: where memory is
// missing, module->failed is set, and what is returned may be used further without harm.
#include "ir/ir.h"
#include "base/hash.h"
#include "isa/select.h"

// ---- Names ----

const char *const ir_flag_names[IR_FLAGS] = {"nuw",     "nsw",        "exact",     "disjoint", "nneg",
                                             "partial", "convergent", "divergent", "reassoc",  "nnan",
                                             "ninf",    "nsz",        "arcp",      "contract", "afn"};
const char *const ir_lanes_names[IR_LANES] = {NULL, "all", "quads", "live"};
const char *const ir_space_names[IR_SPACES] = {"generic", "global",     "region", "local",    "constant",
                                               "private", "constant32", "fat",    "resource", "strided"};
const char *const ir_order_names[IR_ORDERS] = {"plain",   "unordered", "monotonic", NULL,
                                               "acquire", "release",   "acq_rel",   "seq_cst"};
const char *const ir_scope_names[IR_SCOPES] = {"system",    "singlethread", "wavefront",
                                               "workgroup", "cluster",      "agent"};
const char *const ir_memory_flag_names[IR_MEMORY_FLAGS] = {
    "volatile",  "nontemporal", "last_use", "invariant", "noclobber",     "dereferenceable",
    "no_remote", "no_fine",     "one_as",   "weak",      "any_denormals", "not_stack"};

static const struct {
    const char *name;
    unsigned operands;
} pseudos[] = {
#define X(name, operands) {#name, operands},
    IR_PSEUDOS(X)
#undef X
};

const char *ir_op_name(unsigned op) {
    return op < OPERATIONS ? operation_info((enum operation)op)->name
           : op < IR_ROWS  ? pseudos[op - OPERATIONS].name
                           : row_id(ir_row(op));
}
unsigned ir_op_operands(unsigned op) {
    return op < OPERATIONS ? operation_info((enum operation)op)->operands
           : op < IR_ROWS  ? pseudos[op - OPERATIONS].operands
                           : OPERATION_ANY;
}
unsigned ir_op_properties(unsigned op) {
    return op < OPERATIONS                            ? operation_info((enum operation)op)->properties
           : op == OP_p_wait || op == OP_p_write_lane ? OPERATION_EFFECT
           : op == OP_p_skip || op == OP_p_return || op == OP_p_end_lanes ? OPERATION_TERMINATOR
           : op == OP_p_live || op == OP_p_set_inactive ? OPERATION_CONVERGENT | OPERATION_VARIES
           : op == OP_p_whole || op == OP_p_quads       ? OPERATION_CONVERGENT
           : ir_has_called(op) ? OPERATION_READS | OPERATION_WRITES | OPERATION_EFFECT |
                                     OPERATION_CONVERGENT | OPERATION_VARIES
           : op == OP_p_enter || op == OP_p_leave || op == OP_p_exit ? OPERATION_EFFECT
                                                                     : 0;
}
unsigned ir_op_named(const char *name, size_t length) {
    const unsigned op = operation_named(name, length);
    if (op < OPERATIONS) return op;
    const struct slice s = {name, length};
    for (unsigned i = OPERATIONS; i < IR_ROWS; i++)
        if (slice_is(s, pseudos[i - OPERATIONS].name)) return i;
    for (unsigned i = 0; i < isa_row_count; i++)
        if (slice_is(s, row_id(&isa_rows[i]))) return IR_ROWS + i;
    return IR_ROWS + isa_row_count;
}
bool ir_has_row(const struct ir_module *m, const char *id) {
    const unsigned op = ir_op_named(id, strlen(id));
    return m->processor && op >= IR_ROWS && op < IR_ROWS + isa_row_count &&
           select_exists(isa_of(m->processor), op - IR_ROWS);
}

// ---- Modules ----

enum { MOST_TYPES = 0xffff };

struct ir_module *ir_module_create(void) {
    struct ir_module *m = calloc(1, sizeof *m);
    if (!m) return NULL;
    m->types = calloc(MOST_TYPES, sizeof *m->types);
    if (!m->types || pthread_mutex_init(&m->adding, NULL)) {
        free(m->types);
        free(m);
        return NULL;
    }
    m->last = &m->functions;
    m->code_object_version = 6;
    ir_type_of(m, IR_VOID, 0, 1); // number 0
    return m;
}

static void function_free(struct ir_function *f) {
    array_free(&f->arguments);
    array_free(&f->values);
    array_free(&f->insts);
    array_free(&f->operands);
    array_free(&f->blocks);
    array_free(&f->edges);
    array_free(&f->order);
    array_free(&f->memory);
    array_free(&f->constants);
    array_free(&f->locations);
    free(f->registers);
    arena_free(&f->arena);
    free(f);
}

void ir_function_take_out(struct ir_function *f) {
    struct ir_module *m = f->module;
    if (f->symbol != IR_NO_DEF && m->symbols.items[f->symbol].function == f)
        m->symbols.items[f->symbol].function = NULL;
    for (struct ir_function **at = &m->functions; *at; at = &(*at)->next)
        if (*at == f) {
            *at = f->next;
            if (m->last == &f->next) m->last = at;
            break;
        }
    f->next = NULL;
}

void ir_function_free(struct ir_function *f) {
    ir_function_take_out(f);
    function_free(f);
}

void ir_module_free(struct ir_module *m) {
    if (!m) return;
    for (struct ir_function *f = m->functions, *next; f; f = next) {
        next = f->next;
        function_free(f);
    }
    free(m->types);
    pthread_mutex_destroy(&m->adding);
    array_free(&m->symbols);
    free(m->names);
    array_free(&m->files);
    array_free(&m->aliases);
    array_free(&m->formats);
    arena_free(&m->arena);
    free(m);
}

void ir_address_add(struct ir_module *m, uint32_t variable, const struct ir_address *address) {
    struct ir_symbol *s = &m->symbols.items[variable];
    const bool full = !(s->address_count & (s->address_count - 1)); // room doubles
    if (full) {
        struct ir_address *more =
            arena_alloc(&m->arena, (s->address_count ? 2 * s->address_count : 1) * sizeof *more);
        if (!more) {
            m->failed = true;
            return;
        }
        if (s->address_count) memcpy(more, s->addresses, s->address_count * sizeof *more);
        s->addresses = more;
    }
    s->addresses[s->address_count++] = *address;
}

// Where the number of a name is, or would be.
static size_t name_slot(const struct ir_module *m, const char *name, size_t length) {
    const uint64_t h = hash_bytes(HASH_BEGIN, name, length);
    size_t slot = (size_t)(h ^ h >> 32) & (m->name_room - 1);
    for (; m->names[slot]; slot = (slot + 1) & (m->name_room - 1)) {
        const char *other = m->symbols.items[m->names[slot] - 1].name;
        if (strlen(other) == length && !memcmp(other, name, length)) break;
    }
    return slot;
}

// Half of the room at least stays free.
static bool make_room(struct ir_module *m) {
    if (2 * m->symbols.count < m->name_room) return true;
    const size_t room = m->name_room ? 2 * m->name_room : 64;
    uint32_t *names = calloc(room, sizeof *names);
    if (!names) return false;
    free(m->names);
    m->names = names;
    m->name_room = room;
    for (uint32_t n = 0; n < m->symbols.count; n++) {
        const char *name = m->symbols.items[n].name;
        uint32_t *slot = &names[name_slot(m, name, strlen(name))];
        if (!*slot) *slot = n + 1; // the first of a name counts
    }
    return true;
}

uint32_t ir_symbol_named(const struct ir_module *m, const char *name, size_t length) {
    return m->name_room ? m->names[name_slot(m, name, length)] - 1 : IR_NO_DEF;
}

uint32_t ir_symbol_add(struct ir_module *m, const char *name, enum ir_symbol_kind kind) {
    const struct ir_symbol added = {.name = name, .kind = (uint8_t)kind, .align = 1};
    if (!name || !array_push(&m->symbols, added) || !make_room(m)) {
        m->failed = true;
        return 0;
    }
    const uint32_t n = (uint32_t)m->symbols.count - 1;
    uint32_t *slot = &m->names[name_slot(m, name, strlen(name))];
    if (!*slot) *slot = n + 1;
    return n;
}

struct ir_function *ir_function_add(struct ir_module *m, const char *name, bool is_kernel) {
    struct ir_function *f = calloc(1, sizeof *f);
    if (!f) {
        m->failed = true;
        return NULL;
    }
    *f = (struct ir_function){.module = m, .name = name, .is_kernel = is_kernel};
    f->symbol = ir_symbol_named(m, name, strlen(name));
    if (f->symbol != IR_NO_DEF) m->symbols.items[f->symbol].function = f;
#define X(fact, standard) .fact = standard,
    f->facts = (struct ir_facts){IR_FACTS(X)};
#undef X
    *m->last = f;
    m->last = &f->next;
    return f;
}

// The number of a type from a number on; `until`: it is not among those before.
static size_t find_type(const struct ir_module *m, const struct ir_type *wanted, size_t from, size_t until) {
    for (; from < until; from++) {
        const struct ir_type *t = m->types[from];
        if (t->kind == wanted->kind && t->bits == wanted->bits && t->count == wanted->count) break;
    }
    return from;
}

uint16_t ir_type_of(struct ir_module *m, enum ir_kind kind, unsigned bits, unsigned count) {
    const struct ir_type wanted = {(uint8_t)kind, (uint16_t)bits, (uint16_t)count};
    const size_t before = atomic_load_explicit(&m->type_count, memory_order_acquire);
    size_t found = find_type(m, &wanted, 0, before);
    if (found < before) return (uint16_t)found;
    pthread_mutex_lock(&m->adding);
    const size_t now = m->type_count;
    found = find_type(m, &wanted, before, now);
    struct ir_type *own = found == now && now < MOST_TYPES ? arena_alloc(&m->arena, sizeof *own) : NULL;
    if (own) {
        *own = wanted;
        m->types[now] = own;
        atomic_store_explicit(&m->type_count, now + 1, memory_order_release);
    } else if (found == now) {
        m->failed = true;
        found = 0;
    }
    pthread_mutex_unlock(&m->adding);
    return (uint16_t)found;
}
uint16_t ir_int(struct ir_module *m, unsigned bits) { return ir_type_of(m, IR_INT, bits, 1); }

unsigned ir_type_bits(const struct ir_module *m, uint16_t type) {
    const struct ir_type *t = ir_type_at(m, type);
    return (unsigned)t->bits * t->count;
}

// ---- Parts of functions ----

static bool kept(struct ir_function *f, bool pushed) {
    if (!pushed) f->module->failed = true;
    return pushed;
}

uint32_t ir_block_add(struct ir_function *f) {
    const struct ir_block block = {.first = (uint32_t)f->insts.count, .dominator = IR_NO_DEF};
    return kept(f, array_push(&f->blocks, block)) ? (uint32_t)f->blocks.count - 1 : 0;
}

uint32_t ir_value_add(struct ir_function *f, uint16_t type) {
    const struct ir_value value = {.def = IR_NO_DEF, .type = type};
    return kept(f, array_push(&f->values, value)) ? (uint32_t)f->values.count - 1 : 0;
}

static ir_ref constant(struct ir_function *f, struct ir_constant c) {
    for (size_t i = f->constants.count; i-- > 0;) {
        const struct ir_constant *o = f->constants.items[i];
        if (o->low == c.low && o->high == c.high && o->type == c.type && o->poison == c.poison)
            return ir_make(IR_CONSTANT, (uint32_t)i);
    }
    struct ir_constant *own = arena_alloc(&f->arena, sizeof *own);
    if (!kept(f, own && array_push(&f->constants, own))) return IR_NOTHING;
    *own = c;
    return ir_make(IR_CONSTANT, (uint32_t)f->constants.count - 1);
}

ir_ref ir_constant_bits(struct ir_function *f, uint16_t type, uint64_t low, uint64_t high) {
    const unsigned bits = ir_type_bits(f->module, type);
    if (bits < 64) low &= (1ull << bits) - 1;
    if (bits <= 64) high = 0;
    if (bits > 64 && bits < 128) high &= (1ull << (bits - 64)) - 1;
    return constant(f, (struct ir_constant){.low = low, .high = high, .type = type});
}
ir_ref ir_poison(struct ir_function *f, uint16_t type) {
    return constant(f, (struct ir_constant){.type = type, .poison = true});
}

uint16_t ir_memory_add(struct ir_function *f, const struct ir_memory *memory) {
    for (size_t i = 0; i < f->memory.count; i++)
        if (!memcmp(&f->memory.items[i], memory, sizeof *memory)) return (uint16_t)(i + 1);
    if (f->memory.count >= 0xffff) {
        f->module->failed = true;
        return 0;
    }
    return kept(f, array_push(&f->memory, *memory)) ? (uint16_t)f->memory.count : 0;
}

uint32_t ir_location_add(struct ir_function *f, uint32_t file, uint32_t line, uint32_t column) {
    const struct ir_location l = {file, line, column};
    const size_t n = f->locations.count;
    if (n && !memcmp(&f->locations.items[n - 1], &l, sizeof l)) return (uint32_t)n;
    return kept(f, array_push(&f->locations, l)) ? (uint32_t)f->locations.count : 0;
}

struct ir_inst *ir_append(struct ir_function *f, unsigned op, const ir_ref *operands, unsigned count) {
    static struct ir_inst nowhere; // written where memory is missing, never read
    struct ir_inst i = {.op = (uint16_t)op,
                        .operands = (uint16_t)count,
                        .first_result = (uint32_t)f->values.count,
                        .first_operand = (uint32_t)f->operands.count};
    if (!f->blocks.count || count > 0xffff || !kept(f, array_reserve(&f->operands, count)) ||
        !kept(f, array_push(&f->insts, i))) {
        f->module->failed = true;
        return &nowhere;
    }
    if (count) memcpy(f->operands.items + f->operands.count, operands, count * sizeof *operands);
    f->operands.count += count;
    f->blocks.items[f->blocks.count - 1].count++;
    return &f->insts.items[f->insts.count - 1];
}

bool ir_set_operands(struct ir_function *f, struct ir_inst *i, const ir_ref *operands, size_t count) {
    if (!array_reserve(&f->operands, count)) return false;
    i->first_operand = (uint32_t)f->operands.count;
    i->operands = (uint16_t)count;
    if (count) memcpy(f->operands.items + f->operands.count, operands, count * sizeof *operands);
    f->operands.count += count;
    return true;
}

ir_ref ir_result(struct ir_function *f, uint16_t type) {
    const uint32_t value = ir_value_add(f, type);
    if (f->module->failed || !f->insts.count) return IR_NOTHING;
    struct ir_inst *i = &f->insts.items[f->insts.count - 1];
    if (!i->results++) i->first_result = value;
    f->values.items[value].def = (uint32_t)f->insts.count - 1;
    return ir_make(IR_VALUE, value);
}

void ir_define(struct ir_function *f, uint32_t value) {
    if (f->module->failed || !f->insts.count) return;
    struct ir_inst *i = &f->insts.items[f->insts.count - 1];
    i->results = 1;
    i->first_result = value;
    f->values.items[value].def = (uint32_t)f->insts.count - 1;
}

ir_ref ir_emit(struct ir_function *f, unsigned op, uint16_t type, const ir_ref *operands, unsigned count) {
    ir_append(f, op, operands, count);
    return ir_result(f, type);
}

uint16_t ir_ref_type(const struct ir_function *f, ir_ref r) {
    if (ir_is(r, IR_VALUE)) return f->values.items[ir_index(r)].type;
    return ir_is(r, IR_CONSTANT) ? f->constants.items[ir_index(r)]->type : 0;
}

// ---- Writing anew ----

#define MOVE(to, from)                                                                                       \
    ((to)->items = (from)->items, (to)->count = (from)->count, (to)->capacity = (from)->capacity,            \
     (from)->items = NULL, (from)->count = (from)->capacity = 0)

void ir_take(struct ir_function *f, struct ir_old *old) {
    MOVE(&old->insts, &f->insts);
    MOVE(&old->operands, &f->operands);
    MOVE(&old->blocks, &f->blocks);
    for (size_t i = 0; i < f->values.count; i++)
        if (f->values.items[i].def != IR_ARGUMENT_DEF) f->values.items[i].def = IR_NO_DEF;
}

void ir_old_free(struct ir_old *old) {
    array_free(&old->insts);
    array_free(&old->operands);
    array_free(&old->blocks);
}

struct ir_inst *ir_copy(struct ir_function *f, const struct ir_old *old, const struct ir_inst *i) {
    struct ir_inst *copy = ir_append(f, i->op, old->operands.items + i->first_operand, i->operands);
    const uint32_t operands = copy->first_operand;
    *copy = *i;
    copy->first_operand = operands;
    for (unsigned r = 0; r < i->results; r++)
        f->values.items[i->first_result + r].def = (uint32_t)f->insts.count - 1;
    return copy;
}
