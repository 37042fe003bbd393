// SPDX-License-Identifier: MIT
// Immediates that have a notation of their own: counters to wait for, hardware registers, messages, delays,
// index modes, attributes, swizzle patterns. Each may also be given as a plain number.
#include "asm/insn/fit.h"

#include <stdlib.h>
#include <string.h>

#include "isa/names.h"

struct cursor {
    struct fit *f;
    const char *p, *end;
};

static char look(struct cursor *c) {
    c->p = skip_spaces(c->p, c->end);
    return c->p < c->end ? *c->p : 0;
}
static bool accept(struct cursor *c, char wanted) {
    if (look(c) != wanted) return false;
    c->p++;
    return true;
}
static bool expect(struct cursor *c, char wanted) {
    if (accept(c, wanted)) return true;
    return fit_refuse(c->f, c->p, "expected '%c'", wanted);
}
// A name, or NULL when there is none.
static const char *word(struct cursor *c, size_t *length) {
    if (!is_name_start(look(c))) return NULL;
    const char *start = c->p;
    c->p = skip_name(c->p, c->end);
    *length = (size_t)(c->p - start);
    return start;
}
static bool same(const char *name, const char *at, size_t length) {
    return !strncmp(name, at, length) && !name[length];
}
static bool number(struct cursor *c, const char *what, int64_t lo, int64_t hi, int64_t *out) {
    look(c);
    const char *start = c->p;
    if (!parse_absolute(c->f->st->host, &c->p, c->end, out)) {
        c->f->where = start;
        return false;
    }
    if (*out >= lo && *out <= hi) return true;
    return fit_refuse(c->f, start, "%s must be from %lld to %lld, found %lld", what, (long long)lo,
                      (long long)hi, (long long)*out);
}
// A name of the kind, or its number.
static bool named(struct cursor *c, enum name_kind kind, const char *what, int64_t last, int64_t *out) {
    look(c);
    const char *start = c->p;
    size_t length;
    const char *name = word(c, &length);
    if (name) {
        *out = isa_name_value(c->f->isa, kind, name, length);
        if (*out >= 0 && *out <= last) return true;
        c->p = start;
        if (kind != NAME_HWREG && kind != NAME_MESSAGE)
            return fit_refuse(c->f, start, "%s: no such name on %s", what, c->f->st->mode->processor->name);
        // a symbol, perhaps
    }
    struct mc_value v;
    if (c->f->reporting && name)
        return fit_refuse(c->f, start, "%s: '%.*s' is not known on %s", what,
                          (int)(length < 40 ? length : 40), name, c->f->st->mode->processor->name);
    if (!parse_plain_integer(&c->p, c->end, out)) {
        if (!c->f->st->host->expression(c->f->st->host->context, &c->p, c->end, &v)) {
            c->f->where = start;
            return false;
        }
        if (v.expr) return fit_refuse(c->f, start, "%s: expected an absolute expression", what);
        *out = v.number;
    }
    if (*out < 0 || *out > last)
        return fit_refuse(c->f, start, "%s must be from 0 to %lld, found %lld", what, (long long)last,
                          (long long)*out);
    return true;
}

bool asm_predefined(const struct isa *isa, const char *name, size_t length, int64_t *out) {
    static const char *const bits[] = {"UC_VERSION_W64_BIT", "UC_VERSION_W32_BIT", "UC_VERSION_MDP_BIT"};
    if (length < 10 || memcmp(name, "UC_VERSION", 10)) return false;
    for (int i = 0; i < 3; i++)
        if (same(bits[i], name, length)) return *out = 0x2000 << i, true;
    int v = isa_name_value(isa, NAME_UC_VERSION, name, length);
    return v >= 0 && v < 16 && (*out = v, true);
}

// ---- Counters ----

static void set_counter(const struct counter_field *k, uint32_t n, uint32_t *v) {
    uint32_t low = ((1u << k->width) - 1) << k->lo, high = ((1u << k->width2) - 1) << k->lo2;
    *v = (*v & ~(low | high)) | (n << k->lo & low) | (n >> k->width << k->lo2 & high);
}

// name(n) joined by spaces, '&' or commas; what is not named waits for nothing.
static bool counters(struct cursor *c, const struct counter_field *fields, const char *prefix, int32_t *out) {
    uint32_t v = 0, seen = 0;
    for (const struct counter_field *k = fields; k->name; k++) set_counter(k, UINT32_MAX, &v);
    do {
        look(c);
        const char *start = c->p;
        size_t length, skip = strlen(prefix);
        const char *name = word(c, &length);
        if (!name || length <= skip || memcmp(name, prefix, skip))
            return fit_refuse(c->f, start, "expected the name of a counter");
        name += skip, length -= skip;
        bool saturate = length > 4 && !memcmp(name + length - 4, "_sat", 4);
        if (saturate) length -= 4;
        const struct counter_field *k = fields;
        while (k->name && !same(k->name, name, length)) k++;
        if (!k->name)
            return fit_refuse(c->f, start, "there is no counter %.*s on %s", (int)(length < 40 ? length : 40),
                              name, c->f->st->mode->processor->name);
        if (*prefix && seen >> (k - fields) & 1) return fit_refuse(c->f, start, "%s is given twice", k->name);
        seen |= 1u << (k - fields);
        int64_t n, max = (1 << (k->width + k->width2)) - 1;
        if (!expect(c, '(') ||
            !number(c, k->name, saturate ? INT64_MIN : 0, saturate ? INT64_MAX : max, &n) || !expect(c, ')'))
            return false;
        if (n < 0 || n > max) n = max;
        set_counter(k, (uint32_t)n, &v);
        if (look(c) == '&' || look(c) == ',') c->p++;
    } while (look(c));
    const char *rest = skip_spaces(c->end, c->f->st->end);
    if (rest < c->f->st->end) return fit_refuse(c->f, rest, "expected the name of a counter");
    *out = (int32_t)v;
    return true;
}

// ---- hwreg(name, offset, width), or {id: .., offset: .., size: ..} ----

static bool hwreg(struct cursor *c, int32_t *out) {
    int64_t id, offset = 0, width = 32;
    size_t length;
    if (accept(c, '{')) { // by name, in any order
        int64_t v[3] = {-1, 0, 32};
        unsigned seen = 0;
        while (!accept(c, '}')) {
            static const char *const keys[] = {"id", "offset", "size"};
            look(c);
            const char *at = c->p, *key = word(c, &length);
            unsigned i = 0;
            while (key && i < 3 && !same(keys[i], key, length)) i++;
            if (!key || i == 3) return fit_refuse(c->f, at, "expected id, offset or size");
            if (seen >> i & 1) return fit_refuse(c->f, at, "%s is given twice", keys[i]);
            seen |= 1u << i;
            if (!expect(c, ':')) return false;
            if (i == 0 ? !named(c, NAME_HWREG, "hardware register", 63, &v[0])
                       : !number(c, keys[i], i == 2, i == 2 ? 32 : 31, &v[i]))
                return false;
            if (!accept(c, ',') && look(c) != '}')
                return fit_refuse(c->f, c->p, "expected a comma or a closing brace");
        }
        if (v[0] < 0) v[0] = 0;
        *out = (int32_t)(v[0] | v[1] << 6 | (v[2] - 1) << 11);
        return true;
    }
    const char *start = c->p, *name = word(c, &length);
    if (!name || !same("hwreg", name, length))
        return fit_refuse(c->f, start,
                          "expected a hwreg macro, structured immediate or an absolute expression");
    if (!expect(c, '(') || !named(c, NAME_HWREG, "hardware register", 63, &id)) return false;
    if (accept(c, ',') && (!number(c, "bit offset", 0, 31, &offset) || !expect(c, ',') ||
                           !number(c, "bitfield width", 1, 32, &width)))
        return false;
    if (!expect(c, ')')) return false;
    *out = (int32_t)(id | offset << 6 | (width - 1) << 11);
    return true;
}

// ---- sendmsg(message, operation, stream) ----

static bool message(struct cursor *c, int32_t *out) {
    int64_t id, op = 0, stream = 0;
    bool ops = c->f->isa->message_ops, has_op, has_stream = false;
    size_t length;
    const char *start = c->p, *name = word(c, &length);
    if (!name || !same("sendmsg", name, length))
        return fit_refuse(c->f, start, "expected a sendmsg macro or an absolute expression");
    if (!expect(c, '(')) return false;
    bool symbolic = is_name_start(look(c));
    if (!named(c, NAME_MESSAGE, "message", ops ? 15 : 255, &id)) return false;
    has_op = accept(c, ',');
    if (has_op) {
        const char *at = c->p;
        enum name_kind kind = id == 15 ? NAME_SYS_OP : NAME_GS_OP;
        if (is_name_start(look(c)) || symbolic) {
            if (!named(c, kind, "message operation", 7, &op)) return false;
            if (symbolic && !isa_name(c->f->isa, kind, (unsigned)op))
                return fit_refuse(c->f, at, "invalid message operation");
        } else if (!number(c, "message operation", 0, 7, &op))
            return false;
        if (symbolic && (!ops || (id != 2 && id != 3 && id != 15)))
            return fit_refuse(c->f, at, "the message takes no operation");
        has_stream = accept(c, ',');
        at = c->p;
        if (has_stream && !number(c, "message stream", 0, 3, &stream)) return false;
        if (has_stream && symbolic && (id == 15 || !op))
            return fit_refuse(c->f, at, "the message operation takes no stream");
    } else if (symbolic && ops && (id == 2 || id == 15))
        return fit_refuse(c->f, c->p, "missing message operation");
    if (symbolic && has_op && ops && id == 2 && !op)
        return fit_refuse(c->f, c->p, "invalid message operation");
    if (!expect(c, ')')) return false;
    *out = (int32_t)(id | op << 4 | stream << 8);
    return true;
}

// ---- instid0(..) | instskip(..) | instid1(..) ----

static bool delay(struct cursor *c, int32_t *out) {
    static const char *const ids[] = {"NO_DEP",        "VALU_DEP_1",    "VALU_DEP_2",
                                      "VALU_DEP_3",    "VALU_DEP_4",    "TRANS32_DEP_1",
                                      "TRANS32_DEP_2", "TRANS32_DEP_3", "FMA_ACCUM_CYCLE_1",
                                      "SALU_CYCLE_1",  "SALU_CYCLE_2",  "SALU_CYCLE_3"};
    static const char *const skips[] = {"SAME", "NEXT", "SKIP_1", "SKIP_2", "SKIP_3", "SKIP_4"};
    *out = 0;
    do {
        look(c);
        const char *start = c->p;
        size_t length;
        const char *name = word(c, &length);
        int shift = !name                            ? -1
                    : same("instid0", name, length)  ? 0
                    : same("instskip", name, length) ? 4
                    : same("instid1", name, length)  ? 7
                                                     : -1;
        if (shift < 0) return fit_refuse(c->f, start, "expected instid0, instskip or instid1");
        if (!expect(c, '(')) return false;
        look(c);
        start = c->p;
        if (!(name = word(c, &length))) return fit_refuse(c->f, start, "expected the name of a delay");
        const char *const *names = shift == 4 ? skips : ids;
        int n = shift == 4 ? 6 : 12, i = 0;
        while (i < n && !same(names[i], name, length)) i++;
        if (i == n)
            return fit_refuse(c->f, start, "no delay is called %.*s", (int)(length < 40 ? length : 40), name);
        *out |= i << shift;
        if (!expect(c, ')')) return false;
    } while (accept(c, '|'));
    return true;
}

// ---- gpr_idx(SRC0,DST) ----

static bool gpr_idx(struct cursor *c, int32_t *out) {
    static const char *const modes[] = {"SRC0", "SRC1", "SRC2", "DST"};
    size_t length;
    const char *start = c->p, *name = word(c, &length);
    if (!name || !same("gpr_idx", name, length))
        return fit_refuse(c->f, start, "expected a gpr_idx macro or an absolute expression");
    if (!expect(c, '(')) return false;
    *out = 0;
    if (accept(c, ')')) return true;
    do {
        look(c);
        start = c->p;
        name = word(c, &length);
        int i = 0;
        while (name && i < 4 && !same(modes[i], name, length)) i++;
        if (!name || i == 4)
            return fit_refuse(c->f, start, "expected a VGPR index mode or a closing parenthesis");
        if (*out >> i & 1) return fit_refuse(c->f, start, "duplicate VGPR index mode");
        *out |= 1 << i;
    } while (accept(c, ','));
    return expect(c, ')');
}

// ---- Attributes ----

static bool attribute(struct fit *f, const struct parsed *p, int32_t *out) {
    const char *s = p->at, *e = p->end;
    int n = 0;
    if (p->kind != PARSED_WORD || e - s < 7 || memcmp(s, "attr", 4) || e[-2] != '.')
        return refuse_operand(f, F_attr, p, "attrN.x, .y, .z or .w");
    for (const char *d = s + 4; d < e - 2; d++) {
        if (!is_digit(*d) || n > 63) return refuse_operand(f, F_attr, p, "attrN.x, .y, .z or .w");
        n = n * 10 + (*d - '0');
    }
    const char *channel = memchr("xyzw", e[-1], 4);
    if (!channel) return refuse_operand(f, F_attrchan, p, "attrN.x, .y, .z or .w");
    if (n > 32) return fit_refuse(f, s, "out of bounds interpolation attribute number");
    static const char channels[] = "xyzw";
    f->in.f[F_attrchan] = (int32_t)(strchr(channels, e[-1]) - channels);
    *out = n;
    return true;
}

static bool parameter(struct fit *f, const struct parsed *p, int32_t *out) {
    static const char *const names[] = {"p10", "p20", "p0"};
    for (int i = 0; i < 3; i++)
        if (p->kind == PARSED_WORD && text_is(p->at, p->end, names[i])) {
            *out = i;
            return true;
        }
    return refuse_operand(f, F_src1, p, "p0, p10 or p20");
}

// ---- ds_swizzle: offset:swizzle(MODE, ...) ----

bool fit_swizzle(struct fit *f, const struct modifier *m, int32_t *out) {
    struct cursor c = {f, m->at + 7, m->end};
    static const struct {
        const char *name;
        uint8_t arguments, lo, hi;
    } modes[] = {{"QUAD_PERM", 4, 0, 3}, {"BITMASK_PERM", 0, 0, 0}, {"BROADCAST", 2, 0, 32},
                 {"SWAP", 1, 1, 16},     {"REVERSE", 1, 2, 32},     {"FFT", 1, 0, 31},
                 {"ROTATE", 2, 0, 31}};
    enum { MODES = sizeof modes / sizeof *modes };
    size_t length;
    if (!expect(&c, '(')) return false;
    look(&c);
    const char *start = c.p, *name = word(&c, &length);
    unsigned mode = 0;
    while (name && mode < MODES && !same(modes[mode].name, name, length)) mode++;
    if (!name || mode == MODES) return fit_refuse(f, start, "expected a swizzle mode");
    if (mode >= 5 && !f->isa->swizzle_rotates)
        return fit_refuse(f, start, "%s mode swizzle is not supported on this GPU", modes[mode].name);
    if (!expect(&c, ',')) return false;
    if (mode == 1) { // "01pi" and so on: what becomes of each bit of the lane number
        look(&c);
        start = c.p;
        if (c.end - c.p < 7 || *c.p != '"' || c.p[6] != '"')
            return fit_refuse(f, start, "expected a 5-character mask");
        unsigned and_mask = 0, or_mask = 0, xor_mask = 0;
        for (int i = 0; i < 5; i++) {
            unsigned bit = 16u >> i;
            switch (c.p[1 + i]) {
            case '0': break;
            case '1': or_mask |= bit; break;
            case 'p': and_mask |= bit; break;
            case 'i': and_mask |= bit, xor_mask |= bit; break;
            default: return fit_refuse(f, start, "invalid mask");
            }
        }
        c.p += 7;
        *out = (int32_t)(and_mask | or_mask << 5 | xor_mask << 10);
        return expect(&c, ')');
    }
    int64_t v[4] = {0};
    for (int i = 0; i < modes[mode].arguments; i++) {
        if (i && !expect(&c, ',')) return false;
        int64_t hi = modes[mode].hi, lo = modes[mode].lo;
        if (mode == 2) lo = i ? 0 : 2, hi = i ? v[0] - 1 : 32;
        if (mode == 6 && !i) hi = 1;
        look(&c);
        start = c.p;
        if (!number(&c, mode == 2 && i ? "lane id" : "argument", lo, hi, &v[i])) return false;
        if (((mode == 2 && !i) || mode == 3 || mode == 4) && v[i] & (v[i] - 1))
            return fit_refuse(f, start, "group size must be a power of two");
    }
    switch (mode) {
    case 0: *out = (int32_t)(0x8000 | v[0] | v[1] << 2 | v[2] << 4 | v[3] << 6); break;
    case 2: *out = (int32_t)((32 - v[0]) | v[1] << 5); break;
    case 3: *out = (int32_t)(31 | v[0] << 10); break;
    case 4: *out = (int32_t)(31 | (v[0] - 1) << 10); break;
    case 5: *out = (int32_t)(0xe000 | v[0]); break;
    default: *out = (int32_t)(0xc000 | v[0] << 10 | v[1] << 5); break;
    }
    return expect(&c, ')');
}

// ---- All of them ----

static bool whole(struct cursor *c, bool ok) {
    return ok && (!look(c) || fit_refuse(c->f, c->p, "unexpected text behind the operand"));
}

int fit_immediate(struct fit *f, struct operand_spec spec, int32_t *out) {
    const struct parsed *p;
    switch (spec.type) {
    case T_ENDPGM:
        if (!peek(f)) return *out = 0, 1;
        break;
    case T_IMM16:
    case T_SMALL:
    case T_VERSION:
    case T_LABEL:
    case T_WAITCNT:
    case T_SENDMSG:
    case T_HWREG:
    case T_DELAY:
    case T_DEPCTR:
    case T_GPR_IDX:
    case T_ATTR:
    case T_INTERP: break;
    default: return -1;
    }
    if (!(p = fit_take(f, spec.field))) return 0;
    if (spec.type == T_ATTR) return attribute(f, p, out);
    if (spec.type == T_INTERP) return parameter(f, p, out);
    bool label = spec.type == T_LABEL; // its distance is no literal
    if (p->neg || p->abs || p->sext || (label && p->lit))
        return refuse_operand(f, spec.field, p, label ? "a label or a number" : "a number"), 0;
    struct cursor c = {f, p->at, p->end};
    if (p->kind == PARSED_CALL) {
        switch (spec.type) {
        case T_WAITCNT: return whole(&c, counters(&c, isa_waitcnt_fields(f->isa), "", out));
        case T_DEPCTR: return whole(&c, counters(&c, isa_depctr_fields(f->isa), "depctr_", out));
        case T_SENDMSG: return whole(&c, message(&c, out));
        case T_HWREG: return whole(&c, hwreg(&c, out));
        case T_DELAY: return whole(&c, delay(&c, out));
        case T_GPR_IDX: return whole(&c, gpr_idx(&c, out));
        default: break;
        }
    }
    if (spec.type == T_LABEL && p->kind != PARSED_NUMBER) {
        struct mc_value v = {p->number, p->expr, p->label};
        if (p->kind == PARSED_WORD && text_is(p->at, p->end, "off"))
            return refuse_operand(f, spec.field, p, "a label or a 16-bit number");
        if (p->kind == PARSED_WORD || p->kind == PARSED_CALL) {
            const char *at = p->at;
            if (!f->st->host->expression(f->st->host->context, &at, f->st->end, &v)) return 0;
        } else if (p->kind != PARSED_EXPR)
            return refuse_operand(f, spec.field, p, "a label or a 16-bit number");
        if (v.expr && !v.label) return refuse_operand(f, spec.field, p, "a label or a 16-bit number");
        if (v.expr) {
            f->branch_expr = v.expr;
            *out = 0;
            return 1;
        }
        if (v.number < -0x8000 || v.number > 0xffff)
            return fit_refuse(f, p->at, "expected a 16-bit signed jump offset");
        *out = (int32_t)v.number;
        return 1;
    }
    if (spec.field == F_sdata) return fit_number(f, p, spec.field, 0, 127, out);
    if (spec.type == T_GPR_IDX) return fit_number(f, p, spec.field, 0, 15, out);
    if (spec.field != F_simm16) return fit_number(f, p, spec.field, 0, 255, out);
    bool is_unsigned = f->row->src[0].type == T_U32 && f->in.format->id == FMT_SOPK; // compares
    return fit_number(f, p, spec.field, is_unsigned ? 0 : -0x8000, 0xffff, out);
}
