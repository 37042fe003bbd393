// SPDX-License-Identifier: MIT
// After the text: every kept expression becomes bytes, or a relocation when it needs the linker.
#include <elf.h>
#include <string.h>

#include "mc/object/object.h"
#include "base/bytes.h"

// OBJ-39 to OBJ-51.
enum {
    R_NONE = 0,
    R_ABS32_LO = 1,
    R_ABS32_HI = 2,
    R_ABS64 = 3,
    R_REL32 = 4,
    R_REL64 = 5,
    R_ABS32 = 6,
    R_GOTPCREL = 7,
    R_GOTPCREL32_LO = 8,
    R_GOTPCREL32_HI = 9,
    R_REL32_LO = 10,
    R_REL32_HI = 11,
    R_REL16 = 14,
};

static const uint8_t variant_relocation[] = {
    [VARIANT_GOTPCREL] = R_GOTPCREL,
    [VARIANT_GOTPCREL32_LO] = R_GOTPCREL32_LO,
    [VARIANT_GOTPCREL32_HI] = R_GOTPCREL32_HI,
    [VARIANT_REL32_LO] = R_REL32_LO,
    [VARIANT_REL32_HI] = R_REL32_HI,
    [VARIANT_REL64] = R_REL64,
    [VARIANT_ABS32_LO] = R_ABS32_LO,
    [VARIANT_ABS32_HI] = R_ABS32_HI,
    [VARIANT_ABS64] = R_ABS64,
};

struct resolving {
    struct program *program;
    struct section *section;
    const struct fixup *fixup;
    struct relocatable value;
    bool relative;
};

static const char *name_of(const struct symbol *s) { return s->name ? s->name : "."; }

static bool patch(struct resolving *r, int64_t v) {
    static const uint8_t sizes[] = {[FIX_DATA1] = 1, [FIX_DATA2] = 2,   [FIX_DATA4] = 4,
                                    [FIX_DATA8] = 8, [FIX_LITERAL] = 4, [FIX_LITERAL8] = 8};
    const struct fixup *f = r->fixup;
    uint8_t *p = r->section->data + f->offset;
    if (f->kind == FIX_BRANCH) {
        int64_t words = (v - 4) / 4;
        if (words < -32768 || words > 32767)
            return program_late_error(r->program, f->at, "branch size exceeds simm16: %lld words",
                                      (long long)words);
        wr16(p, (uint16_t)words);
        return true;
    }
    unsigned size = sizes[f->kind];
    if (size < 8 && (v < -(1ll << (size * 8 - 1)) || v >= 1ll << size * 8) && f->kind != FIX_LITERAL)
        return program_late_error(r->program, f->at, "value evaluated as %lld is out of range", (long long)v);
    memcpy(p, &v, size);
    return true;
}

static bool relocation_type(struct resolving *r, uint32_t *type) {
    const struct fixup *f = r->fixup;
    const struct symbol *y = r->value.add;
    if (y && y->name && (!strcmp(y->name, "SCRATCH_RSRC_DWORD0") || !strcmp(y->name, "SCRATCH_RSRC_DWORD1")))
        return *type = R_ABS32_LO, true;
    if (f->kind == FIX_RELOC) return *type = f->type, true;
    if (r->value.variant) return *type = variant_relocation[r->value.variant], true;
    switch (f->kind) {
    case FIX_DATA4:
    case FIX_LITERAL: *type = r->relative ? R_REL32 : R_ABS32; return true;
    case FIX_DATA8:
    case FIX_LITERAL8: *type = r->relative ? R_REL64 : R_ABS64; return true;
    case FIX_BRANCH:
        if (y && y->state == SYMBOL_UNDEFINED)
            return program_late_error(r->program, f->at, "undefined label '%s'", name_of(y));
        *type = R_REL16;
        return true;
    default:
        return program_late_error(r->program, f->at, "no relocation of %s holds one or two bytes",
                                  y ? name_of(y) : "it");
    }
}

static const struct symbol *weakref_target(const struct symbol *y) {
    for (unsigned i = 0; y->weakref && y->value->kind == EXPR_SYMBOL && i < 64; i++) y = y->value->symbol;
    return y;
}

static bool relocate(struct resolving *r) {
    struct relocation out = {.offset = r->fixup->offset, .addend = r->value.number};
    if (!relocation_type(r, &out.type)) return false;
    const struct symbol *y = r->value.add;
    struct section *home;
    uint64_t offset;
    if (y && !symbol_place(r->program, y, &home, &offset)) home = NULL;
    bool local = y && home && !(y->has_binding && y->binding != STB_LOCAL);
    bool by_name = !local || r->fixup->kind == FIX_RELOC || r->value.variant == VARIANT_GOTPCREL ||
                   (home->flags & SHF_MERGE && r->value.number) || home->flags & SHF_TLS ||
                   y->type == STT_GNU_IFUNC;
    if (y && !by_name) {
        out.addend += (int64_t)offset;
        y = home->symbol;
    }
    if (y && y->weakref) {
        y = weakref_target(y);
        program_register(r->program, (struct symbol *)y);
        if (!y->relocated) ((struct symbol *)y)->weakly = true;
    } else {
        if (y && y->rename) y = y->rename;
        if (y) ((struct symbol *)y)->relocated = true;
    }
    out.symbol = y;
    if (y && y->temporary && y->state == SYMBOL_UNDEFINED)
        return program_late_error(r->program, r->fixup->at, "undefined temporary symbol '%s'", name_of(y));
    // Without a place for addends of their own, relocations keep them in the section (OBJ-36).
    int64_t kept = r->program->options->os == SW_OS_AMDHSA || r->fixup->kind == FIX_RELOC ? 0 : out.addend;
    if ((r->fixup->kind == FIX_BRANCH || kept) && !patch(r, kept)) return false;
    return array_push(&r->section->relocations, out) || program_no_memory(r->program);
}

// Whether its place in its own section is final: the linker may put nothing else in its stead.
static bool is_local(const struct symbol *s) {
    return !(s->has_binding && s->binding != STB_LOCAL) && s->type != STT_GNU_IFUNC;
}

static bool resolve(struct resolving *r) {
    struct program *program = r->program;
    const struct fixup *f = r->fixup;
    enum expr_status status = expr_evaluate(f->expr, &program->layout, &r->value);
    if (status)
        return program_late_error(program, f->at, "%s",
                                  status == EXPR_UNKNOWN ? "expected relocatable expression"
                                                         : expr_status_text(status));
    r->relative = f->kind == FIX_BRANCH ||
                  ((f->kind == FIX_LITERAL || f->kind == FIX_LITERAL8) && expr_is_relative(f->expr));
    // The place is a word before the field in which a branch stands.
    struct section *home;
    uint64_t offset;
    const struct symbol *sub = r->value.sub, *add = r->value.add;
    if (sub) {
        if (!symbol_place(program, sub, &home, &offset))
            return program_late_error(
                program, f->at, "symbol '%s' can not be undefined in a subtraction expression", name_of(sub));
        if (home != r->section)
            return program_late_error(program, f->at, "cannot represent a difference across sections");
        r->relative = true;
        r->value.number = (int64_t)((uint64_t)r->value.number + f->offset - offset);
    } else if (!add && !r->relative && f->kind != FIX_RELOC)
        return patch(r, r->value.number);
    if (add && r->relative && !r->value.variant && symbol_place(program, add, &home, &offset) &&
        home == r->section && is_local(add))
        return patch(r, (int64_t)(offset + (uint64_t)r->value.number - f->offset));
    return relocate(r);
}

bool object_branch(struct program *program, const struct section *s, uint64_t offset,
                   const struct expr *target, int64_t *words) {
    struct relocatable r;
    struct section *home;
    uint64_t to;
    if (expr_evaluate(target, &program->layout, &r) || !r.add || r.sub || r.variant) return false;
    if (!symbol_place(program, r.add, &home, &to) || home != s || !is_local(r.add)) return false;
    *words = (int64_t)(to + (uint64_t)r.number - offset - 4) / 4;
    return true;
}

bool object_resolve(struct program *program) {
    bool ok = true;
    for (struct section *s = program->sections; s; s = s->next)
        for (size_t i = 0; i < s->fixups.count; i++) {
            struct resolving r = {.program = program, .section = s, .fixup = &s->fixups.items[i]};
            if (!resolve(&r)) ok = false;
            if (program->failed || program->errors >= 1000) return false;
        }
    return ok;
}
