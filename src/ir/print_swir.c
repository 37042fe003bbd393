// SPDX-License-Identifier: MIT
// A module as .swir text, which parse.c reads back to the same module.
#include "ir/ir.h"

static void put_string(struct text *t, const char *s) {
    text_puts(t, "\"");
    for (; *s; s++) {
        const unsigned char c = (unsigned char)*s;
        if (c < 32 || c == '"' || c == '\\' || c > 126)
            text_printf(t, "\\%02x", c);
        else
            text_add(t, s, 1);
    }
    text_puts(t, "\"");
}

static bool is_plain_name(const char *s) {
    if (!*s) return false;
    for (; *s; s++)
        if (!(*s == '_' || *s == '.' || *s == '$' || (*s >= '0' && *s <= '9') || (*s >= 'a' && *s <= 'z') ||
              (*s >= 'A' && *s <= 'Z')))
            return false;
    return true;
}

static void put_symbol(struct text *t, const char *name) {
    text_puts(t, "@");
    if (is_plain_name(name))
        text_puts(t, name);
    else
        put_string(t, name);
}

static void put_type(struct text *t, const struct ir_module *m, uint16_t type) {
    const struct ir_type *y = ir_type_at(m, type);
    if (y->count != 1) text_printf(t, "%ux", y->count);
    switch ((enum ir_kind)y->kind) {
    case IR_INT: text_printf(t, "i%u", y->bits); return;
    case IR_F16: text_puts(t, "f16"); return;
    case IR_BF16: text_puts(t, "bf16"); return;
    case IR_F32: text_puts(t, "f32"); return;
    case IR_F64: text_puts(t, "f64"); return;
    case IR_BITS: text_printf(t, "b%u", y->bits); return;
    case IR_VOID:
    case IR_KINDS: break;
    }
    text_puts(t, "void");
}

// ---- Operands ----

void ir_put_register(struct text *t, uint32_t reg) {
    static const char *const names[IR_REGISTERS] = {"s",    "v",  "a",   "ttmp", "vcc",
                                                    "exec", "m0", "scc", "null", "src_"};
    static const char *const apertures[IR_APERTURES] = {"shared_base", "private_base",
                                                        "flat_scratch_base_lo"};
    const enum ir_register_class class = ir_register_class_of(reg);
    const unsigned first = ir_register_first(reg), dwords = ir_register_dwords(reg);
    text_puts(t, names[class]);
    if (class == IR_APERTURE) text_puts(t, first < IR_APERTURES ? apertures[first] : "?");
    if (class <= IR_TTMP && dwords == 1)
        text_printf(t, "%u", first);
    else if (class <= IR_TTMP)
        text_printf(t, "[%u:%u]", first, first + dwords - 1);
    else if ((class == IR_VCC || class == IR_EXEC) && dwords == 1)
        text_puts(t, first ? "_hi" : "_lo");
}

static void put_constant(struct text *t, const struct ir_function *f, const struct ir_constant *c) {
    const struct ir_type *y = ir_type_at(f->module, c->type);
    const unsigned bits = ir_type_bits(f->module, c->type);
    if (c->poison)
        text_puts(t, "poison");
    else if (bits > 64)
        text_printf(t, "0x%llx%016llx", (unsigned long long)c->high, (unsigned long long)c->low);
    else if (y->kind == IR_INT && bits > 1)
        text_printf(t, "%lld", (long long)((int64_t)(c->low << (64 - bits)) >> (64 - bits)));
    else
        text_printf(t, y->kind == IR_INT ? "%llu" : "0x%llx", (unsigned long long)c->low);
    text_puts(t, ":");
    put_type(t, f->module, c->type);
}

void ir_print_ref(struct text *t, const struct ir_function *f, ir_ref r) {
    switch (ir_kind(r)) {
    case IR_VALUE: text_printf(t, "%%%u", ir_index(r)); return;
    case IR_CONSTANT: put_constant(t, f, f->constants.items[ir_index(r)]); return;
    case IR_REGISTER: ir_put_register(t, ir_index(r)); return;
    case IR_SYMBOL: put_symbol(t, f->module->symbols.items[ir_index(r)].name); return;
    case IR_BLOCK: text_printf(t, "b%u", ir_index(r)); return;
    case IR_OBJECT: text_printf(t, "$%u", ir_index(r)); return;
    case IR_IMMEDIATE: text_printf(t, "%d", ir_number(r)); return;
    case IR_NONE:
    case IR_REF_KINDS: break;
    }
    text_puts(t, "_");
}

static void put_value(struct text *t, const struct ir_function *f, uint32_t value) {
    static const char *const banks[IR_BANKS] = {"", "s.", "v.", "a.", "va.", "m.", "scc.", "x.", "w."};
    const struct ir_value *v = &f->values.items[value];
    text_printf(t, "%%%u", value);
    if (f->registers && f->registers[value]) {
        text_puts(t, "=");
        ir_put_register(t, f->registers[value]);
    }
    text_printf(t, ":%s", banks[v->bank]);
    put_type(t, f->module, v->type);
}

static void put_memory(struct text *t, const struct ir_memory *m) {
    text_printf(t, " [%s, bytes %u, align %u", ir_space_names[m->space], m->bytes, 1u << m->align_log2);
    if (m->order) text_printf(t, ", scope %s, order %s", ir_scope_names[m->scope], ir_order_names[m->order]);
    if (m->failure_order) text_printf(t, ", failure %s", ir_order_names[m->failure_order]);
    if (m->spaces_fenced) text_printf(t, ", fenced %u", m->spaces_fenced);
    if (m->cache) text_printf(t, ", cache %u", m->cache);
    for (unsigned i = 0; i < IR_MEMORY_FLAGS; i++)
        if (m->flags >> i & 1) text_printf(t, ", %s", ir_memory_flag_names[i]);
    text_puts(t, "]");
}

static void put_modifiers(struct text *t, unsigned m) {
    if (m / IR_NEG & 15) text_printf(t, " neg %u", m / IR_NEG & 15);
    if (m / IR_ABS & 15) text_printf(t, " abs %u", m / IR_ABS & 15);
    if (m & IR_CLAMP) text_puts(t, " clamp");
    if (m / IR_OMOD & 3) text_printf(t, " omod %u", m / IR_OMOD & 3);
    if (m / IR_OP_SEL & 3) text_printf(t, " op_sel %u", m / IR_OP_SEL & 3);
    if (m & IR_TIED) text_puts(t, " tied");
    if (m & IR_DPP) text_puts(t, " dpp");
    if (m & IR_EARLY) text_puts(t, " early");
}

static void put_location(struct text *t, const struct ir_function *f, uint32_t location) {
    if (!location) return;
    const struct ir_location *l = &f->locations.items[location - 1];
    text_printf(t, " !%u:%u:%u", l->file, l->line, l->column);
}

void ir_print_inst(struct text *t, const struct ir_function *f, const struct ir_inst *i) {
    for (unsigned r = 0; r < i->results; r++) {
        if (r) text_puts(t, ", ");
        put_value(t, f, i->first_result + r);
    }
    if (i->results) text_puts(t, " = ");
    text_puts(t, ir_op_name(i->op));
    for (unsigned k = 0; k < IR_FLAGS; k++)
        if (i->flags >> k & 1) text_printf(t, ".%s", ir_flag_names[k]);
    if (i->lanes && i->lanes < IR_LANES) text_printf(t, ".%s", ir_lanes_names[i->lanes]);
    for (unsigned k = 0; k < i->operands; k++) {
        text_puts(t, k ? ", " : " ");
        ir_print_ref(t, f, ir_operand(f, i, k));
    }
    if (i->memory) put_memory(t, ir_memory_of(f, i));
    put_modifiers(t, i->modifiers);
    put_location(t, f, i->location);
}

// ---- Functions ----

static void put_argument(struct text *t, const struct ir_function *f, const struct ir_argument *a) {
    text_puts(t, "  arg ");
    put_value(t, f, a->value);
    text_printf(t, " offset %u size %u align %u", a->offset, a->size, a->align);
    if (a->space) text_printf(t, " space %u", a->space);
    if (a->pointee_align) text_printf(t, " pointee %u", a->pointee_align);
    if (a->passed) text_printf(t, " passed %u", a->passed);
    const char *const texts[] = {a->kind, a->name, a->type_name, a->access, a->actual_access};
    static const char *const words[] = {"kind", "name", "type", "access", "actual"};
    for (unsigned i = 0; i < sizeof words / sizeof *words; i++)
        if (texts[i]) {
            text_printf(t, " %s ", words[i]);
            put_string(t, texts[i]);
        }
    if (a->is_const) text_puts(t, " const");
    if (a->is_restrict) text_puts(t, " restrict");
    if (a->is_volatile) text_puts(t, " volatile");
    if (a->is_pipe) text_puts(t, " pipe");
    text_puts(t, "\n");
}

static void put_function(struct text *t, const struct ir_function *f) {
    text_puts(t, f->is_kernel ? "\nkernel " : "\nfunction ");
    put_symbol(t, f->name);
    text_puts(t, " {");
#define X(fact, standard)                                                                                    \
    if (f->facts.fact != (standard)) text_printf(t, " " #fact " %u;", f->facts.fact);
    IR_FACTS(X)
#undef X
    text_puts(t, " }");
    put_location(t, f, f->location);
    text_puts(t, "\n");
    for (size_t i = 0; i < f->arguments.count; i++) put_argument(t, f, &f->arguments.items[i]);
    for (size_t b = 0; b < f->blocks.count; b++) {
        const struct ir_block *block = &f->blocks.items[b];
        text_printf(t, "b%zu:\n", b);
        for (uint32_t n = 0; n < block->count; n++) {
            text_puts(t, "  ");
            ir_print_inst(t, f, &f->insts.items[block->first + n]);
            text_puts(t, "\n");
        }
    }
}

const char *const ir_visibility_names[IR_VISIBILITIES] = {"seen", "hidden", "protected"};

static void put_global(struct text *t, const struct ir_symbol *s) {
    text_puts(t, s->kind == IR_VARIABLE_SYMBOL ? "variable " : "symbol ");
    put_symbol(t, s->name);
    if (s->kind == IR_VARIABLE_SYMBOL)
        text_printf(t, " space %u size %llu align %llu", s->space, (unsigned long long)s->size,
                    (unsigned long long)s->align);
    if (s->defined) text_puts(t, " defined");
    if (s->constant) text_puts(t, " constant");
    if (s->local) text_puts(t, " local");
    if (s->weak) text_puts(t, " weak");
    if (s->barrier) text_puts(t, " barrier");
    if (s->replaceable) text_puts(t, " replaceable");
    if (s->visibility) text_printf(t, " %s", ir_visibility_names[s->visibility]);
    if (s->without) text_printf(t, " without %u", s->without);
    if (s->bytes) {
        text_puts(t, " bytes \"");
        for (uint64_t i = 0; i < s->size; i++) text_printf(t, "\\%02x", s->bytes[i]);
        text_puts(t, "\"");
    }
    text_puts(t, "\n");
}

static void put_addresses(struct text *t, const struct ir_module *m, const struct ir_symbol *s) {
    for (size_t n = 0; n < s->address_count; n++) {
        const struct ir_address *a = &s->addresses[n];
        text_puts(t, "address ");
        put_symbol(t, s->name);
        text_printf(t, " %llu ", (unsigned long long)a->offset);
        put_symbol(t, m->symbols.items[a->symbol].name);
        text_printf(t, " %lld\n", (long long)a->addend);
    }
}

static void put_alias(struct text *t, const struct ir_module *m, const struct ir_alias *a) {
    text_puts(t, "alias ");
    put_symbol(t, a->name);
    text_puts(t, " ");
    put_symbol(t, m->symbols.items[a->symbol].name);
    text_printf(t, " %lld", (long long)a->addend);
    if (a->weak) text_puts(t, " weak");
    if (a->visibility) text_printf(t, " %s", ir_visibility_names[a->visibility]);
    text_puts(t, "\n");
}

void ir_print(struct text *t, const struct ir_module *m) {
    text_puts(t, "module");
    if (m->triple) {
        text_puts(t, " triple ");
        put_string(t, m->triple);
    }
    if (m->processor) {
        char id[SW_TARGET_TEXT];
        sw_target_format(&m->target, id);
        text_puts(t, " target ");
        put_string(t, id);
    }
    text_printf(t, " version %u", m->code_object_version);
    if (m->stage) {
        text_puts(t, " after ");
        text_puts(t, m->stage);
    }
    text_puts(t, "\n");
    if (m->assembly) {
        text_puts(t, "assembly ");
        put_string(t, m->assembly);
        text_puts(t, "\n");
    }
    for (size_t i = 0; i < m->files.count; i++) {
        text_puts(t, "file ");
        put_string(t, m->files.items[i].directory);
        text_puts(t, " ");
        put_string(t, m->files.items[i].name);
        text_puts(t, "\n");
    }
    for (size_t i = 0; i < m->symbols.count; i++) put_global(t, &m->symbols.items[i]);
    for (size_t i = 0; i < m->symbols.count; i++) put_addresses(t, m, &m->symbols.items[i]);
    for (size_t i = 0; i < m->aliases.count; i++) put_alias(t, m, &m->aliases.items[i]);
    for (const struct ir_function *f = m->functions; f; f = f->next) put_function(t, f);
}
