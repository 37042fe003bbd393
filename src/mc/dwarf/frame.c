// SPDX-License-Identifier: MIT
// Writes .eh_frame and .debug_frame from the frames that .cfi_* directives described: what frames share in
// common entries, then one entry for each frame. Equal to LLVM's byte for byte; sizes of code are in words of
// four bytes (DW-32), and addresses in .eh_frame are distances from where they stand.
#include "mc/dwarf/dwarf.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

enum {
    CFA_advance_loc = 0x40,
    CFA_offset = 0x80,
    CFA_restore = 0xc0,
    CFA_advance_loc1 = 0x02,
    CFA_advance_loc2 = 0x03,
    CFA_advance_loc4 = 0x04,
    CFA_offset_extended = 0x05,
    CFA_restore_extended = 0x06,
    CFA_undefined = 0x07,
    CFA_same_value = 0x08,
    CFA_register = 0x09,
    CFA_remember_state = 0x0a,
    CFA_restore_state = 0x0b,
    CFA_def_cfa = 0x0c,
    CFA_def_cfa_register = 0x0d,
    CFA_def_cfa_offset = 0x0e,
    CFA_offset_extended_sf = 0x11,
    CFA_val_offset = 0x14,
    CFA_val_offset_sf = 0x15,
    CFA_gnu_window_save = 0x2d,
    CFA_llvm_def_aspace_cfa = 0x30,
};
enum { PE_relative_4 = 0x1b, PE_relative = 0x10, PC_COLUMN = 16 };

struct frame_writer {
    struct program *program;
    bool eh;
    int64_t cfa_offset;
    int64_t first_offset; // where frames without a definition of their own begin
};

// ---- Instructions ----

static bool advance(struct program *program, const struct cfi *c, uint64_t from) {
    uint64_t words = (place_offset(c->place) - from) / DWARF_CODE_ALIGNMENT;
    if (!words) return true;
    if (words < 64) return dwarf_put(program, CFA_advance_loc | words, 1);
    if (words <= UINT8_MAX) return dwarf_put(program, CFA_advance_loc1, 1) && dwarf_put(program, words, 1);
    if (words <= UINT16_MAX) return dwarf_put(program, CFA_advance_loc2, 1) && dwarf_put(program, words, 2);
    return dwarf_put(program, CFA_advance_loc4, 1) && dwarf_put(program, words, 4);
}

static bool put_reg(struct program *program, unsigned op, uint32_t reg) {
    return dwarf_put(program, op, 1) && dwarf_put_uleb(program, reg);
}

// A register saved at an offset in units of the data alignment; registers below 64 have short forms.
static bool put_offset_of(struct program *program, uint32_t reg, int64_t offset) {
    offset /= DWARF_DATA_ALIGNMENT;
    if (offset < 0) return put_reg(program, CFA_offset_extended_sf, reg) && dwarf_put_sleb(program, offset);
    if (reg < 64) return dwarf_put(program, CFA_offset + reg, 1) && dwarf_put_uleb(program, (uint64_t)offset);
    return put_reg(program, CFA_offset_extended, reg) && dwarf_put_uleb(program, (uint64_t)offset);
}

static bool put_instruction(struct frame_writer *w, const struct cfi *c) {
    struct program *program = w->program;
    int64_t units = c->a / DWARF_DATA_ALIGNMENT;
    switch ((enum cfi_op)c->op) {
    case CFI_DEF_CFA:
        w->cfa_offset = c->a;
        return put_reg(program, CFA_def_cfa, c->reg) && dwarf_put_uleb(program, (uint64_t)c->a);
    case CFI_DEF_CFA_OFFSET:
        w->cfa_offset = c->a;
        return dwarf_put(program, CFA_def_cfa_offset, 1) && dwarf_put_uleb(program, (uint64_t)c->a);
    case CFI_ADJUST_CFA_OFFSET:
        w->cfa_offset = (int64_t)((uint64_t)w->cfa_offset + (uint64_t)c->a);
        return dwarf_put(program, CFA_def_cfa_offset, 1) && dwarf_put_uleb(program, (uint64_t)w->cfa_offset);
    case CFI_DEF_CFA_REGISTER: return put_reg(program, CFA_def_cfa_register, c->reg);
    case CFI_DEF_ASPACE_CFA:
        w->cfa_offset = c->a;
        return put_reg(program, CFA_llvm_def_aspace_cfa, c->reg) && dwarf_put_uleb(program, (uint64_t)c->a) &&
               dwarf_put_uleb(program, (uint64_t)c->b);
    case CFI_OFFSET: return put_offset_of(program, c->reg, c->a);
    case CFI_REL_OFFSET:
        return put_offset_of(program, c->reg, (int64_t)((uint64_t)c->a - (uint64_t)w->cfa_offset));
    case CFI_VAL_OFFSET:
        return units < 0
                   ? put_reg(program, CFA_val_offset_sf, c->reg) && dwarf_put_sleb(program, units)
                   : put_reg(program, CFA_val_offset, c->reg) && dwarf_put_uleb(program, (uint64_t)units);
    case CFI_REGISTER:
        return put_reg(program, CFA_register, c->reg) && dwarf_put_uleb(program, (uint64_t)c->a);
    case CFI_RESTORE:
        return c->reg < 64 ? dwarf_put(program, CFA_restore | c->reg, 1)
                           : put_reg(program, CFA_restore_extended, c->reg);
    case CFI_SAME_VALUE: return put_reg(program, CFA_same_value, c->reg);
    case CFI_UNDEFINED: return put_reg(program, CFA_undefined, c->reg);
    case CFI_REMEMBER_STATE: return dwarf_put(program, CFA_remember_state, 1);
    case CFI_RESTORE_STATE: return dwarf_put(program, CFA_restore_state, 1);
    case CFI_WINDOW_SAVE: return dwarf_put(program, CFA_gnu_window_save, 1);
    case CFI_ESCAPE: return program_emit(program, c->bytes.text, c->bytes.length);
    case CFI_LABEL:
        return c->label->state == SYMBOL_UNDEFINED
                   ? program_define_label(program, c->label, NULL)
                   : program_late_error(program, c->at, "symbol '%s' is already defined", c->label->name);
    default: return true;
    }
}

// ---- Entries ----

static unsigned size_of(unsigned encoding) {
    static const uint8_t sizes[8] = {8, 0, 2, 4, 8};
    return sizes[encoding & 7];
}

static bool put_pointer(struct program *program, struct symbol *s, unsigned encoding) {
    return dwarf_put_symbol(program, s, size_of(encoding), encoding & PE_relative);
}

static bool put_common(struct frame_writer *w, const struct frame *f) {
    struct program *program = w->program;
    unsigned version = w->eh ? 1 : program->dwarf->version == 2 ? 1 : program->dwarf->version == 3 ? 3 : 4;
    uint64_t length = program->section->size;
    if (!dwarf_put(program, 0, 4) || !dwarf_put(program, w->eh ? 0 : UINT32_MAX, 4) ||
        !dwarf_put(program, version, 1))
        return false;
    if (w->eh) {
        char augmentation[8] = "z";
        if (f->personality) strcat(augmentation, "P");
        if (f->lsda) strcat(augmentation, "L");
        strcat(augmentation, "R");
        if (f->signal) strcat(augmentation, "S");
        if (!program_emit(program, augmentation, strlen(augmentation))) return false;
    }
    if (!dwarf_put(program, 0, 1)) return false;
    if (version >= 4 && !(dwarf_put(program, DWARF_ADDRESS, 1) && dwarf_put(program, 0, 1))) return false;
    uint32_t column = f->return_column == UINT32_MAX ? PC_COLUMN : f->return_column;
    if (version == 1 && column > 255)
        return program_late_error(program, f->at, "this format's return column goes up to 255, not %u",
                                  column);
    if (!dwarf_put_uleb(program, DWARF_CODE_ALIGNMENT) || !dwarf_put_sleb(program, DWARF_DATA_ALIGNMENT) ||
        !(version == 1 ? dwarf_put(program, column, 1) : dwarf_put_uleb(program, column)))
        return false;
    if (w->eh) {
        unsigned size = 1u + (f->personality ? 1 + size_of(f->personality_encoding) : 0) + (f->lsda ? 1 : 0);
        if (!dwarf_put_uleb(program, size) ||
            (f->personality && !(dwarf_put(program, f->personality_encoding, 1) &&
                                 put_pointer(program, f->personality, f->personality_encoding))) ||
            (f->lsda && !dwarf_put(program, f->lsda_encoding, 1)) || !dwarf_put(program, PE_relative_4, 1))
            return false;
    }
    // LLVM's: what the frame before the common entry left.
    w->first_offset = w->cfa_offset;
    if (!program_align(program, w->eh ? 4 : DWARF_ADDRESS, NULL, 0, 0)) return false;
    dwarf_put_length(program, length);
    return true;
}

static bool put_frame(struct frame_writer *w, uint64_t common, const struct frame *f, bool last) {
    struct program *program = w->program;
    struct section *s = program->section;
    uint64_t length = s->size, begin = place_offset(f->begin), size = place_offset(f->end) - begin;
    unsigned address = w->eh ? 4 : DWARF_ADDRESS;
    w->cfa_offset = w->first_offset;
    if (!dwarf_put(program, 0, 4)) return false;
    if (!(w->eh ? dwarf_put(program, s->size - common, 4) : dwarf_put_offset(program, s, common)))
        return false;
    if (w->eh && size > UINT32_MAX) return program_late_error(program, f->at, "the frame is too long");
    if (!dwarf_put_place(program, f->begin, address, w->eh) || !dwarf_put(program, size, address))
        return false;
    if (w->eh) {
        if (!dwarf_put_uleb(program, f->lsda ? size_of(f->lsda_encoding) : 0)) return false;
        if (f->lsda && !put_pointer(program, f->lsda, f->lsda_encoding)) return false;
    }
    uint64_t at = begin;
    for (size_t i = 0; i < f->cfi.count; i++) {
        const struct cfi *c = &f->cfi.items[i];
        if (!advance(program, c, at) || !put_instruction(w, c)) return false;
        at = place_offset(c->place);
    }
    if (!program_align(program, last ? DWARF_ADDRESS : address, NULL, 0, 0)) return false;
    dwarf_put_length(program, length);
    return true;
}

// ---- Sections ----

static int by_name(const struct symbol *a, const struct symbol *b) {
    size_t x = a ? a->length : 0, y = b ? b->length : 0, n = x < y ? x : y;
    int c = n ? memcmp(a->name, b->name, n) : 0;
    return c ? c : (x > y) - (x < y);
}

// What frames of one common entry agree in.
static int compare(const struct frame *a, const struct frame *b) {
    int c = by_name(a->personality, b->personality);
    if (c) return c;
#define BY(field)                                                                                            \
    if (a->field != b->field) return a->field < b->field ? -1 : 1
    BY(personality_encoding);
    BY(lsda_encoding);
    BY(signal);
    BY(simple);
    BY(return_column);
#undef BY
    return 0;
}

struct sorted {
    struct frame *frame;
    size_t number;
};
static int in_order(const void *a, const void *b) {
    const struct sorted *x = a, *y = b;
    int c = compare(x->frame, y->frame);
    return c ? c : (x->number > y->number) - (x->number < y->number);
}

static bool write_section(struct program *program, const struct sorted *frames, size_t count, bool eh) {
    struct frame_writer w = {.program = program, .eh = eh};
    if (!dwarf_enter(program, eh ? ".eh_frame" : ".debug_frame", eh ? SHF_ALLOC : 0, 0)) return false;
    uint64_t common = 0;
    for (size_t i = 0; i < count; i++) {
        const struct frame *f = frames[i].frame;
        if (!i || (eh && compare(frames[i - 1].frame, f))) {
            common = program->section->size;
            if (!put_common(&w, f)) return false;
        }
        if (!put_frame(&w, common, f, i + 1 == count)) return false;
    }
    return true;
}

bool dwarf_write_frames(struct program *program) {
    struct dwarf *d = program->dwarf;
    if (d->open_frames.count)
        return program_late_error(program, d->open_frames.items[0]->at,
                                  "unfinished frame: .cfi_endproc is missing");
    size_t count = d->frames.count;
    if (!count) return true;
    struct sorted *frames = calloc(count, sizeof *frames);
    if (!frames) return program_no_memory(program);
    for (size_t i = 0; i < count; i++) frames[i] = (struct sorted){d->frames.items[i], i};
    qsort(frames, count, sizeof *frames, in_order);
    bool ok = (d->no_eh_frame || write_section(program, frames, count, true)) &&
              (!d->debug_frame || write_section(program, frames, count, false));
    free(frames);
    return ok;
}
