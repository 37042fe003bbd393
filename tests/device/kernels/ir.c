// SPDX-License-Identifier: MIT
// Reads LLVM IR text. One pass over a function: every name becomes an index into its frame when first seen,
// so a value may be used before its definition. What is not known is refused, never skipped.
#define _GNU_SOURCE
#include "ir.h"

#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char ir_error[200];

struct name {
    char text[40];
    uint32_t index;
};
struct ir_module {
    char *text;
    uint64_t (*place)(const char *name, uint64_t size);
    struct ir_function *functions;
    struct name globals[16];
    uint64_t address[16];
    unsigned global_count;
};
struct parser {
    struct ir_module *m;
    struct ir_function *f;
    const char *p;
    struct name *values, *labels;
    uint32_t value_room, label_count, label_room, block_room, instruction_room;
    jmp_buf bad;
};

static _Noreturn __attribute__((format(printf, 2, 3))) void refuse(struct parser *s, const char *format,
                                                                   ...) {
    va_list a;
    va_start(a, format);
    int n = vsnprintf(ir_error, sizeof ir_error, format, a);
    va_end(a);
    if (n > 0 && n < 150) snprintf(ir_error + n, sizeof ir_error - (size_t)n, " at '%.40s'", s->p);
    longjmp(s->bad, 1);
}

static void spaces(struct parser *s) {
    while (isspace((unsigned char)*s->p)) s->p++;
}
static bool name_char(char c) { return isalnum((unsigned char)c) || c == '_' || c == '.'; }

// Passes over a word. Where another stands the place is kept, so that looking ahead does not leave the line.
static bool accept(struct parser *s, const char *word) {
    const char *here = s->p;
    spaces(s);
    size_t n = strlen(word);
    if (strncmp(s->p, word, n) || (name_char(word[n - 1]) && name_char(s->p[n]))) return s->p = here, false;
    s->p += n;
    return true;
}
static void expect(struct parser *s, const char *word) {
    if (!accept(s, word)) refuse(s, "'%s' expected", word);
}
static uint64_t number(struct parser *s) {
    spaces(s);
    char *end;
    uint64_t v = strtoull(s->p, &end, 10);
    if (end == s->p) refuse(s, "a number expected");
    s->p = end;
    return v;
}
static void rest_of_line(struct parser *s) { s->p += strcspn(s->p, "\n"); }

// (...) after an attribute
static void skip_parentheses(struct parser *s) {
    if (*s->p != '(') return;
    s->p += strcspn(s->p, ")");
    while (*s->p == ')') s->p++;
}

static const struct ir_type *type_of(struct parser *s) {
    struct ir_type t = {.lanes = 1};
    spaces(s);
    if (accept(s, "void"))
        t.kind = IR_VOID;
    else if (accept(s, "float"))
        t.kind = IR_FLOAT, t.bits = 32;
    else if (accept(s, "double"))
        t.kind = IR_DOUBLE, t.bits = 64;
    else if (accept(s, "ptr")) {
        t.kind = IR_POINTER, t.bits = 64;
        if (accept(s, "addrspace(")) {
            uint64_t space = number(s);
            if (space == 3 || space == 5) t.bits = 32;
            expect(s, ")");
        }
    } else if (*s->p == 'i' && isdigit((unsigned char)s->p[1])) {
        s->p++;
        t.kind = IR_INT, t.bits = (unsigned)number(s);
        if (t.bits > 64) refuse(s, "integer of %u bits", t.bits);
    } else if (*s->p == '<' || *s->p == '[') {
        bool vector = *s->p++ == '<';
        uint64_t n = number(s);
        expect(s, "x");
        const struct ir_type *e = type_of(s);
        expect(s, vector ? ">" : "]");
        if (vector) {
            if (n > IR_LANES) refuse(s, "vector of %d elements", (int)n);
            t = *e, t.lanes = (unsigned)n, t.element = e;
        } else
            t.kind = IR_ARRAY, t.element = e, t.count = n, t.size = n * e->size;
    } else
        refuse(s, "a type expected");
    if (t.kind != IR_ARRAY) t.size = (t.bits + 7) / 8 * t.lanes;
    struct ir_type *kept = malloc(sizeof t);
    *kept = t;
    return kept;
}

static uint32_t new_value(struct parser *s) {
    struct ir_function *f = s->f;
    if (f->values == s->value_room) {
        s->value_room = s->value_room * 2 + 64;
        f->initial = realloc(f->initial, s->value_room * sizeof *f->initial);
        s->values = realloc(s->values, s->value_room * sizeof *s->values);
    }
    f->initial[f->values] = (struct ir_value){0};
    s->values[f->values].text[0] = 0;
    return f->values++;
}

static void read_name(struct parser *s, char out[40]) {
    size_t n = 0;
    s->p++; // % or @
    while (name_char(s->p[n])) n++;
    if (!n || n >= 40) refuse(s, "a name expected");
    memcpy(out, s->p, n);
    out[n] = 0;
    s->p += n;
}

static uint32_t named_value(struct parser *s) {
    char text[40];
    spaces(s);
    if (*s->p != '%') refuse(s, "a value expected");
    read_name(s, text);
    for (uint32_t i = 0; i < s->f->values; i++)
        if (!strcmp(s->values[i].text, text)) return i;
    uint32_t v = new_value(s);
    strcpy(s->values[v].text, text);
    return v;
}

static uint32_t label_named(struct parser *s, const char *text) {
    for (uint32_t i = 0; i < s->label_count; i++)
        if (!strcmp(s->labels[i].text, text)) return i;
    if (s->label_count == s->label_room) {
        s->label_room = s->label_room * 2 + 32;
        s->labels = realloc(s->labels, s->label_room * sizeof *s->labels);
    }
    strcpy(s->labels[s->label_count].text, text);
    return s->label_count++;
}
static uint32_t label(struct parser *s) {
    char text[40];
    spaces(s);
    if (*s->p != '%') refuse(s, "a label expected");
    read_name(s, text);
    return label_named(s, text);
}

static uint64_t global_address(struct parser *s) {
    char text[40], line[64];
    read_name(s, text);
    struct ir_module *m = s->m;
    for (unsigned i = 0; i < m->global_count; i++)
        if (!strcmp(m->globals[i].text, text)) return m->address[i];
    snprintf(line, sizeof line, "\n@%s = ", text);
    const char *at = strstr(m->text, line);
    const char *here = s->p, *type = at ? strstr(at, "global ") : NULL;
    if (!type || !strstr(at, "addrspace(3)") || m->global_count == 16) refuse(s, "variable @%s", text);
    s->p = type + 7;
    uint64_t size = type_of(s)->size;
    s->p = here;
    strcpy(m->globals[m->global_count].text, text);
    return m->address[m->global_count++] = m->place(text, size);
}

static uint64_t scalar_constant(struct parser *s, const struct ir_type *t) {
    spaces(s);
    if (accept(s, "poison") || accept(s, "undef") || accept(s, "null") || accept(s, "false") ||
        accept(s, "zeroinitializer"))
        return 0;
    if (accept(s, "true")) return 1;
    if (accept(s, "addrspacecast (")) {
        uint64_t v = scalar_constant(s, type_of(s));
        expect(s, "to");
        type_of(s);
        expect(s, ")");
        return v;
    }
    if (accept(s, "getelementptr")) {
        while (!accept(s, "(")) {
            if (!accept(s, "inbounds") && !accept(s, "nuw")) refuse(s, "constant");
        }
        const struct ir_type *e = type_of(s);
        expect(s, ",");
        uint64_t v = scalar_constant(s, type_of(s));
        for (bool first = true; accept(s, ","); first = false) {
            if (!first) e = e->element;
            v += scalar_constant(s, type_of(s)) * e->size;
        }
        expect(s, ")");
        return v;
    }
    if (*s->p == '@') return global_address(s);
    char *end;
    uint64_t v;
    if (t->kind == IR_FLOAT || t->kind == IR_DOUBLE) {
        double d;
        if (!strncmp(s->p, "0x", 2))
            v = strtoull(s->p, &end, 16), memcpy(&d, &v, 8);
        else
            d = strtod(s->p, &end);
        memcpy(&v, &d, 8);
        if (t->kind == IR_FLOAT) {
            float f = (float)d;
            uint32_t bits;
            memcpy(&bits, &f, 4);
            v = bits;
        }
    } else
        v = *s->p == '-' ? (uint64_t)strtoll(s->p, &end, 10) : strtoull(s->p, &end, 10);
    if (end == s->p) refuse(s, "a constant expected");
    s->p = end;
    return t->bits < 64 ? v & ((1ull << t->bits) - 1) : v;
}

// A value of known type: its index in the frame.
static uint32_t operand(struct parser *s, const struct ir_type *t) {
    spaces(s);
    if (*s->p == '%') return named_value(s);
    uint32_t v = new_value(s);
    struct ir_value c = {0};
    if (*s->p == '<') {
        s->p++;
        for (unsigned i = 0; i < t->lanes; i++) {
            if (i) expect(s, ",");
            c.lo[i] = scalar_constant(s, type_of(s));
        }
        expect(s, ">");
    } else {
        bool splat = accept(s, "splat (");
        if (splat) type_of(s);
        c.lo[0] = scalar_constant(s, t);
        for (unsigned i = 1; i < t->lanes; i++) c.lo[i] = c.lo[0];
        if (splat) expect(s, ")");
    }
    memcpy(c.hi, c.lo, sizeof c.hi);
    s->f->initial[v] = c;
    return v;
}

// Words between a type and a value, or before a type.
static void skip_attributes(struct parser *s) {
    static const char *const words[] = {"noundef",   "nonnull", "readonly", "writeonly",       "readnone",
                                        "nocapture", "noalias", "captures", "dereferenceable", "range",
                                        "signext",   "zeroext", "fastcc",   "returned",        "nofpclass"};
    for (;;) {
        bool any = false;
        for (size_t i = 0; i < sizeof words / sizeof *words; i++)
            if (accept(s, words[i])) {
                skip_parentheses(s);
                any = true;
            }
        if (accept(s, "align")) number(s), any = true;
        if (!any) return;
    }
}
// Flags that let the compiler or the backend change results are refused, unless the caller allows for them.
static bool skip_flags(struct parser *s, bool approximate) {
    static const char *const harmless[] = {"nuw", "nsw", "exact", "nneg", "disjoint", "samesign", "inbounds"};
    bool reciprocal = false;
    for (bool any = true; any;) {
        any = false;
        for (size_t i = 0; i < sizeof harmless / sizeof *harmless; i++) any |= accept(s, harmless[i]);
        if (approximate && accept(s, "arcp")) any = reciprocal = true;
        if (approximate && accept(s, "afn")) any = true;
    }
    return reciprocal;
}

// The N of "!fpmath !M" on this line, where "!M = !{float N}"; otherwise the operation is correctly rounded.
static double fpmath(struct parser *s) {
    size_t n = strcspn(s->p, "\n");
    const char *at = memmem(s->p, n, "!fpmath !", 9);
    if (!at) return 0;
    char line[40];
    snprintf(line, sizeof line, "\n!%d = !{float ", atoi(at + 9));
    const char *node = strstr(s->m->text, line);
    if (!node) refuse(s, "no %s", line + 1);
    return strtod(node + strlen(line), NULL);
}

static struct ir_instruction *append(struct parser *s, enum ir_op op) {
    struct ir_function *f = s->f;
    if (f->instructions == s->instruction_room) {
        s->instruction_room = s->instruction_room * 2 + 64;
        f->instruction = realloc(f->instruction, s->instruction_room * sizeof *f->instruction);
    }
    struct ir_instruction *i = &f->instruction[f->instructions++];
    *i = (struct ir_instruction){.op = op, .result = UINT32_MAX};
    f->block[f->blocks - 1].count++;
    return i;
}

static struct ir_function *find(struct ir_module *m, const char *name);

struct intrinsic {
    const char *name;
    enum ir_op op;
    unsigned scale;
};
static const struct intrinsic intrinsics[] = {
    {"_Z3fmafff",
     IR_FMA}, // libclc's at -O0: correctly rounded by integer operations, which bounds cannot pass
    {"llvm.fma.f32", IR_FMA},
    {"llvm.fma.f64", IR_FMA},
    {"llvm.fma.v2f32", IR_FMA},
    {"llvm.fmuladd.f32", IR_FMULADD},
    {"llvm.fmuladd.f64", IR_FMULADD},
    {"llvm.fmuladd.v2f32", IR_FMULADD},
    {"llvm.sqrt.f32", IR_SQRT},
    {"llvm.fabs.f32", IR_FABS},
    {"llvm.fshl.i32", IR_FSHL},
    {"llvm.smax.i32", IR_SMAX},
    {"llvm.abs.i32", IR_ABS},
    {"llvm.abs.i64", IR_ABS},
    {"llvm.ctlz.i64", IR_CTLZ},
    {"llvm.amdgcn.s.barrier", IR_BARRIER},
    {"llvm.amdgcn.workitem.id.x", IR_ITEM, 0},
    {"llvm.amdgcn.workitem.id.y", IR_ITEM, 1},
    {"llvm.amdgcn.workitem.id.z", IR_ITEM, 2},
    {"llvm.amdgcn.workgroup.id.x", IR_GROUP, 0},
    {"llvm.amdgcn.workgroup.id.y", IR_GROUP, 1},
    {"llvm.amdgcn.workgroup.id.z", IR_GROUP, 2},
    {"llvm.amdgcn.dispatch.ptr", IR_PACKET},
    {"llvm.amdgcn.implicitarg.ptr", IR_IMPLICIT},
};

static void call(struct parser *s, uint32_t result) {
    skip_flags(s, true);
    skip_attributes(s);
    const struct ir_type *t = type_of(s);
    char name[40];
    spaces(s);
    if (*s->p != '@') refuse(s, "an indirect call");
    read_name(s, name);
    expect(s, "(");
    uint32_t list[16], n = 0;
    const struct ir_type *from = NULL;
    while (!accept(s, ")")) {
        if (n) expect(s, ",");
        if (n == 16) refuse(s, "too many arguments");
        const struct ir_type *a = type_of(s);
        if (!n) from = a;
        skip_attributes(s);
        list[n++] = operand(s, a);
    }
    struct ir_instruction *i = NULL;
    for (size_t k = 0; k < sizeof intrinsics / sizeof *intrinsics; k++)
        if (!strcmp(name, intrinsics[k].name)) {
            i = append(s, intrinsics[k].op);
            i->scale = intrinsics[k].scale;
        }
    if (i) {
        if (n > IR_OPERANDS) refuse(s, "arguments of %s", name);
        memcpy(i->operand, list, n * sizeof *list);
        if (i->op == IR_SQRT) i->ulp = fpmath(s);
    } else if (strncmp(name, "llvm.", 5)) {
        i = append(s, IR_CALL);
        i->callee = find(s->m, name);
        i->list = malloc((n + 1) * sizeof *list);
        memcpy(i->list, list, n * sizeof *list);
        i->listed = n;
    } else
        refuse(s, "intrinsic %s", name);
    i->operands = n, i->type = t, i->from = from, i->result = result;
}

static void branch(struct parser *s) {
    if (accept(s, "label")) {
        uint32_t target = label(s);
        append(s, IR_BRANCH)->target[0] = target;
        return;
    }
    const struct ir_type *t = type_of(s);
    uint32_t c = operand(s, t);
    expect(s, ",");
    expect(s, "label");
    uint32_t yes = label(s);
    expect(s, ",");
    expect(s, "label");
    uint32_t no = label(s);
    struct ir_instruction *i = append(s, IR_BRANCH);
    i->operand[0] = c, i->operands = 1, i->target[0] = yes, i->target[1] = no;
}

static void switch_(struct parser *s) {
    const struct ir_type *t = type_of(s);
    uint32_t v = operand(s, t), list[64], n = 0;
    expect(s, ",");
    expect(s, "label");
    uint32_t otherwise = label(s);
    expect(s, "[");
    while (!accept(s, "]")) {
        if (n == 64) refuse(s, "a switch of more than 32 cases");
        list[n++] = operand(s, type_of(s));
        expect(s, ",");
        expect(s, "label");
        list[n++] = label(s);
    }
    struct ir_instruction *i = append(s, IR_SWITCH);
    i->operand[0] = v, i->operands = 1, i->target[0] = otherwise;
    i->list = malloc((n + 1) * sizeof *list);
    memcpy(i->list, list, n * sizeof *list);
    i->listed = n;
}

// One IR_ADDRESS an index.
static void getelementptr(struct parser *s, uint32_t result) {
    skip_flags(s, false);
    const struct ir_type *e = type_of(s);
    expect(s, ",");
    const struct ir_type *t = type_of(s);
    uint32_t base = operand(s, t);
    for (bool first = true; accept(s, ","); first = false) {
        if (!first) e = e->element;
        if (!e) refuse(s, "an index into no array");
        const struct ir_type *it = type_of(s);
        uint32_t index = operand(s, it);
        bool last = *s->p != ',' || s->p[2] == '!';
        uint32_t sum = last ? result : new_value(s);
        struct ir_instruction *i = append(s, IR_ADDRESS);
        *i = (struct ir_instruction){.op = IR_ADDRESS,
                                     .type = t,
                                     .from = it,
                                     .result = sum,
                                     .operand = {base, index},
                                     .operands = 2,
                                     .scale = e->size};
        base = sum;
        if (last) break;
    }
}

static void phi(struct parser *s, uint32_t result) {
    struct ir_block *b = &s->f->block[s->f->blocks - 1];
    const struct ir_type *t = type_of(s);
    uint32_t value[64], from[64], n = 0;
    do {
        expect(s, "[");
        if (n == 64) refuse(s, "a phi of more than 64 values");
        value[n] = operand(s, t);
        expect(s, ",");
        from[n++] = label(s);
        expect(s, "]");
    } while (accept(s, ","));
    b->phi = realloc(b->phi, (b->phis + 1) * sizeof *b->phi);
    struct ir_phi *x = &b->phi[b->phis++];
    *x = (struct ir_phi){result, n, malloc(n * 4), malloc(n * 4)};
    memcpy(x->value, value, n * 4), memcpy(x->from, from, n * 4);
}

static void shuffle(struct parser *s, uint32_t result) {
    const struct ir_type *t = type_of(s);
    uint32_t a = operand(s, t);
    expect(s, ",");
    uint32_t b = operand(s, type_of(s));
    expect(s, ",");
    const struct ir_type *mask = type_of(s);
    uint32_t m = operand(s, mask);
    struct ir_type *out = malloc(sizeof *out);
    *out = *t, out->lanes = mask->lanes, out->size = t->size / t->lanes * mask->lanes;
    struct ir_instruction *i = append(s, IR_SHUFFLE);
    i->result = result, i->type = out, i->from = t, i->operand[0] = a, i->operand[1] = b, i->operands = 2;
    for (unsigned k = 0; k < mask->lanes; k++) i->lane[k] = (int)s->f->initial[m].lo[k];
}

struct word {
    const char *word;
    unsigned value;
};
static const struct word binary[] = {
    {"add", IR_ADD},   {"sub", IR_SUB},   {"mul", IR_MUL},  {"shl", IR_SHL}, {"lshr", IR_LSHR},
    {"ashr", IR_ASHR}, {"and", IR_AND},   {"or", IR_OR},    {"xor", IR_XOR}, {"fadd", IR_FADD},
    {"fsub", IR_FSUB}, {"fmul", IR_FMUL}, {"fdiv", IR_FDIV}};
static const struct word unary[] = {{"zext", IR_ZEXT},
                                    {"sext", IR_SEXT},
                                    {"trunc", IR_TRUNC},
                                    {"addrspacecast", IR_COPY},
                                    {"bitcast", IR_COPY}};
static const struct word integer_predicates[] = {
    {"eq", IR_EQ},   {"ne", IR_NE},   {"ugt", IR_UGT}, {"uge", IR_UGE}, {"ult", IR_ULT},
    {"ule", IR_ULE}, {"sgt", IR_SGT}, {"sge", IR_SGE}, {"slt", IR_SLT}, {"sle", IR_SLE}};
static const struct word real_predicates[] = {{"oeq", 8 | 2}, {"ogt", 8 | 1}, {"oge", 8 | 3}, {"olt", 8 | 4},
                                              {"ole", 8 | 6}, {"one", 8 | 5}, {"ord", 8 | 7}, {"ueq", 2},
                                              {"ugt", 1},     {"uge", 3},     {"ult", 4},     {"ule", 6},
                                              {"une", 5},     {"uno", 0}};

#define WORD(table) one_of(s, table, sizeof table / sizeof *table)
static int one_of(struct parser *s, const struct word *w, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (accept(s, w[i].word)) return (int)w[i].value;
    return -1;
}

static void with_result(struct parser *s, uint32_t r) {
    int op;
    const struct ir_type *t;
    struct ir_instruction x = {.result = r};
    if ((op = WORD(binary)) >= 0) {
        x.op = (enum ir_op)op;
        bool reciprocal = skip_flags(s, op == IR_FDIV);
        x.type = x.from = t = type_of(s);
        x.operand[0] = operand(s, t);
        expect(s, ",");
        x.operand[1] = operand(s, t);
        x.operands = 2;
        if (op == IR_FDIV) x.ulp = fpmath(s);
        if (reciprocal && s->f->initial[x.operand[0]].lo[0] != 0x3f800000) refuse(s, "arcp with a dividend");
    } else if ((op = WORD(unary)) >= 0) {
        x.op = (enum ir_op)op;
        skip_flags(s, false);
        x.from = type_of(s);
        x.operand[0] = operand(s, x.from), x.operands = 1;
        expect(s, "to");
        x.type = type_of(s);
    } else if (accept(s, "fneg")) {
        x.op = IR_FNEG;
        x.type = x.from = type_of(s);
        x.operand[0] = operand(s, x.type), x.operands = 1;
    } else if (accept(s, "icmp") || accept(s, "fcmp")) {
        x.op = s->p[-4] == 'i' ? IR_ICMP : IR_FCMP;
        skip_flags(s, false);
        op = x.op == IR_ICMP ? WORD(integer_predicates) : WORD(real_predicates);
        if (op < 0) refuse(s, "comparison");
        x.predicate = (unsigned)op;
        x.from = type_of(s);
        x.operand[0] = operand(s, x.from);
        expect(s, ",");
        x.operand[1] = operand(s, x.from), x.operands = 2;
        static const struct ir_type flag = {.kind = IR_INT, .bits = 1, .lanes = 1, .size = 1};
        x.type = &flag;
    } else if (accept(s, "select")) {
        x.op = IR_SELECT;
        x.from = type_of(s);
        x.operand[0] = operand(s, x.from);
        expect(s, ",");
        x.type = type_of(s);
        x.operand[1] = operand(s, x.type);
        expect(s, ",");
        x.operand[2] = operand(s, type_of(s)), x.operands = 3;
    } else if (accept(s, "load")) {
        x.op = IR_LOAD;
        accept(s, "volatile");
        x.type = type_of(s);
        expect(s, ",");
        x.operand[0] = operand(s, x.from = type_of(s)), x.operands = 1;
    } else if (accept(s, "alloca")) {
        x.op = IR_ALLOCA;
        x.type = type_of(s);
        x.scale = x.type->size;
    } else if (accept(s, "extractelement")) {
        x.op = IR_EXTRACT;
        x.from = type_of(s);
        x.type = x.from->element;
        x.operand[0] = operand(s, x.from);
        expect(s, ",");
        x.operand[1] = operand(s, type_of(s)), x.operands = 2;
    } else if (accept(s, "insertelement")) {
        x.op = IR_INSERT;
        x.type = x.from = type_of(s);
        x.operand[0] = operand(s, x.from);
        expect(s, ",");
        x.operand[1] = operand(s, type_of(s));
        expect(s, ",");
        x.operand[2] = operand(s, type_of(s)), x.operands = 3;
    } else if (accept(s, "atomicrmw")) {
        accept(s, "volatile");
        x.op = accept(s, "add") ? IR_ATOMIC_ADD : accept(s, "uinc_wrap") ? IR_ATOMIC_WRAP : IR_UNREACHABLE;
        if (x.op == IR_UNREACHABLE) refuse(s, "atomic operation");
        x.operand[0] = operand(s, type_of(s));
        expect(s, ",");
        x.type = x.from = type_of(s);
        x.operand[1] = operand(s, x.type), x.operands = 2;
    } else if (accept(s, "getelementptr")) {
        getelementptr(s, r);
        return;
    } else if (accept(s, "phi")) {
        phi(s, r);
        return;
    } else if (accept(s, "shufflevector")) {
        shuffle(s, r);
        return;
    } else if (accept(s, "tail call") || accept(s, "call")) {
        call(s, r);
        return;
    } else
        refuse(s, "instruction");
    *append(s, x.op) = x;
}

static void instruction(struct parser *s) {
    if (*s->p == '%') {
        uint32_t r = named_value(s);
        expect(s, "=");
        with_result(s, r);
    } else if (accept(s, "store")) {
        accept(s, "volatile");
        const struct ir_type *t = type_of(s);
        uint32_t v = operand(s, t);
        expect(s, ",");
        uint32_t p = operand(s, type_of(s));
        struct ir_instruction *i = append(s, IR_STORE);
        i->type = i->from = t, i->operand[0] = v, i->operand[1] = p, i->operands = 2;
    } else if (accept(s, "br"))
        branch(s);
    else if (accept(s, "switch"))
        switch_(s);
    else if (accept(s, "ret")) {
        const struct ir_type *t = type_of(s);
        uint32_t v = t->kind == IR_VOID ? 0 : operand(s, t);
        struct ir_instruction *i = append(s, IR_RETURN);
        i->type = t, i->operand[0] = v;
    } else if (accept(s, "fence")) {
    } else if (accept(s, "unreachable"))
        append(s, IR_UNREACHABLE);
    else if (accept(s, "tail call") || accept(s, "call"))
        call(s, UINT32_MAX);
    else
        refuse(s, "instruction");
    rest_of_line(s);
}

static void begin_block(struct parser *s, uint32_t name) {
    struct ir_function *f = s->f;
    if (f->blocks == s->block_room) {
        s->block_room = s->block_room * 2 + 16;
        f->block = realloc(f->block, s->block_room * sizeof *f->block);
    }
    f->block[f->blocks++] = (struct ir_block){.label = name, .first = f->instructions};
}

// Labels become indices of blocks.
static void link_blocks(struct parser *s) {
    struct ir_function *f = s->f;
    uint32_t *at = malloc((s->label_count + 1) * sizeof *at);
    for (uint32_t l = 0; l < s->label_count; l++) {
        at[l] = UINT32_MAX;
        for (uint32_t b = 0; b < f->blocks; b++)
            if (f->block[b].label == l) at[l] = b;
        if (at[l] == UINT32_MAX) refuse(s, "no block %s", s->labels[l].text);
    }
    for (uint32_t k = 0; k < f->instructions; k++) {
        struct ir_instruction *i = &f->instruction[k];
        if (i->op != IR_BRANCH && i->op != IR_SWITCH) continue;
        i->target[0] = at[i->target[0]], i->target[1] = at[i->target[1]];
        for (uint32_t c = 1; c < i->listed; c += 2) i->list[c] = at[i->list[c]];
    }
    for (uint32_t b = 0; b < f->blocks; b++)
        for (uint32_t p = 0; p < f->block[b].phis; p++)
            for (uint32_t c = 0; c < f->block[b].phi[p].incoming; c++)
                f->block[b].phi[p].from[c] = at[f->block[b].phi[p].from[c]];
    free(at);
}

static void function(struct parser *s) {
    char text[80];
    snprintf(text, sizeof text, "@%s(", s->f->name);
    const char *at = s->m->text;
    while ((at = strstr(at, "\ndefine "))) {
        const char *name = strstr(at, text), *end = strchr(at + 1, '\n');
        if (name && name < end) break;
        at++;
    }
    if (!at) refuse(s, "no function %s", s->f->name);
    s->p = strstr(at, text) + strlen(text);
    while (!accept(s, ")")) {
        if (s->f->arguments) expect(s, ",");
        type_of(s);
        skip_attributes(s);
        named_value(s);
        s->f->arguments++;
    }
    // The first block is named by the number that follows the arguments'.
    char entry[40];
    snprintf(entry, sizeof entry, "%u", s->f->arguments);
    rest_of_line(s);
    begin_block(s, label_named(s, entry));
    for (;;) {
        spaces(s);
        if (*s->p == '}') break;
        if (*s->p == ';') {
            rest_of_line(s);
            continue;
        }
        size_t n = 0;
        while (name_char(s->p[n])) n++;
        if (n && s->p[n] == ':') {
            snprintf(entry, sizeof entry, "%.*s", (int)n, s->p);
            begin_block(s, label_named(s, entry));
            rest_of_line(s);
            continue;
        }
        instruction(s);
    }
    link_blocks(s);
}

static struct ir_function *find(struct ir_module *m, const char *name) {
    for (struct ir_function *f = m->functions; f; f = f->next)
        if (!strcmp(f->name, name)) return f;
    struct ir_function *f = calloc(1, sizeof *f);
    snprintf(f->name, sizeof f->name, "%s", name);
    f->next = m->functions;
    return m->functions = f;
}

struct ir_function *ir_function(struct ir_module *m, const char *name) {
    struct ir_function *wanted = find(m, name);
    for (bool again = true; again;) {
        again = false;
        for (struct ir_function *f = m->functions; f; f = f->next) {
            if (f->parsed) continue;
            struct parser *s = calloc(1, sizeof *s);
            s->m = m, s->f = f;
            if (setjmp(s->bad)) return NULL;
            function(s);
            free(s->values), free(s->labels), free(s);
            f->parsed = again = true;
            break; // the list has grown
        }
    }
    return wanted;
}

struct ir_module *ir_open(const char *path, uint64_t (*place)(const char *, uint64_t)) {
    FILE *f = fopen(path, "rb");
    if (!f) return NULL;
    fseek(f, 0, SEEK_END);
    size_t size = (size_t)ftell(f);
    rewind(f);
    struct ir_module *m = calloc(1, sizeof *m);
    m->text = malloc(size + 1);
    m->text[fread(m->text, 1, size, f)] = 0;
    m->place = place;
    fclose(f);
    return m;
}
