// SPDX-License-Identifier: MIT
// Of the assembly text what memory instructions alone have: offsets, cache policy, waits.
#include "compiler/cache.h"
#include "compiler/waits.h"
#include "isa/names.h"

#include <stdio.h>

static unsigned format_of(const struct compiler *c, const struct row *row) {
    return c->isa->codings[c->isa->row_codings[row - isa_rows]].format;
}

bool compiler_has_offset(const struct compiler *c, const struct row *row) {
    const unsigned format = format_of(c, row);
    return (row->flags & (ROW_VM_CNT | ROW_LGKM_CNT) && format != FMT_SMEM) || format == FMT_FLAT ||
           format == FMT_GLOBAL;
}

void compiler_put_offset(struct compiler *c, const struct row *row, int32_t offset) {
    if (row->flags & ROW_TWO_OFFSETS)
        text_printf(c->assembly, " offset0:%d offset1:%d", offset & 255, offset >> 8 & 255);
    else if (offset)
        text_printf(c->assembly, " offset:%d", offset);
}

// The temporal hint of GFX12.
static void put_hint(struct compiler *c, const struct row *row, unsigned bits) {
    static const char *const names[] = {"RT", "NT", "HT", "LU", "NT_RT", "RT_NT", "NT_HT", "NT_WB"};
    static const char *const atomics[] = {"RT", "RETURN", "NT", "NT_RETURN"};
    const bool loads = row->flags & ROW_LOAD;
    unsigned hint = bits >> CACHE_TH_SHIFT & 7;
    if (row->atomic || row->flags & ROW_ATOMIC) {
        if (bits & CACHE_RETURN) hint |= 1;
        if (hint) text_printf(c->assembly, " th:TH_ATOMIC_%s", atomics[hint & 3]);
        return;
    }
    if (bits & CACHE_HINT_LAST_USE) hint = 3;
    if (bits & CACHE_HINT_NT) hint = 1;
    if (!hint) return;
    const char *name = hint == 3 && (bits & 3) == 3 ? "BYPASS" : hint == 3 && !loads ? "WB" : names[hint];
    text_printf(c->assembly, " th:TH_%s_%s", loads ? "LOAD" : "STORE", name);
}

void compiler_put_cache(struct compiler *c, const struct ir_inst *i) {
    static const char *const scopes[] = {"", " scope:SCOPE_SE", " scope:SCOPE_DEV", " scope:SCOPE_SYS"};
    static const char *const old[] = {" glc", " slc", " dlc"}, *const new[] = {" sc0", " nt", " sc1"};
    const struct ir_memory *m = ir_memory_of(c->f, i);
    const unsigned bits = m ? m->cache : 0;
    const struct row *row = ir_row(i->op);
    if (!bits || format_of(c, row) == FMT_DS) return;
    if (isa_memory_family(c->isa) >= MEMORY_GFX12) {
        put_hint(c, row, bits);
        text_puts(c->assembly, scopes[bits & 3]);
        return;
    }
    const bool named_anew = c->isa->sc_bits;
    const struct insn in = {.row = row, .format = c->isa->formats[format_of(c, row)]};
    const unsigned all = bits & CACHE_RETURN ? bits | CACHE_GLC : bits;
    for (unsigned b = 0; b < 3; b++)
        if (all >> b & 1)
            text_puts(c->assembly, named_anew ? new[b] : b == 2 && !insn_has(&in, F_dlc) ? " scc" : old[b]);
}

void compiler_put_wait(struct compiler *c, const struct ir_inst *i) {
    const struct counters *k = isa_counters(c->isa);
    bool any = false;
    for (unsigned n = 0; n < i->operands; n++) {
        const uint32_t wait = (uint32_t)ir_number(ir_operand(c->f, i, n));
        const unsigned counter = compiler_wait_counter(wait), count = compiler_wait_count(wait);
        if (counter >= COUNTERS || !k->most[counter] || count >= k->most[counter]) continue;
        if (k->split) {
            text_printf(c->assembly, "\t%s 0x%x\n", k->wait[counter], count);
        } else if (counter != COUNTER_VS) {
            text_printf(c->assembly, "%s %s(%u)", any ? "" : "\ts_waitcnt", k->wait[counter], count);
            any = true;
        }
    }
    if (any) text_puts(c->assembly, "\n");
    for (unsigned n = 0; n < i->operands && !k->split; n++) {
        const uint32_t wait = (uint32_t)ir_number(ir_operand(c->f, i, n));
        if (compiler_wait_counter(wait) == COUNTER_VS && k->most[COUNTER_VS])
            text_printf(c->assembly, "\t%s null, 0x%x\n", k->wait[COUNTER_VS], compiler_wait_count(wait));
    }
}

void compiler_put_export(struct compiler *c, const struct ir_inst *i) {
    static const struct {
        unsigned flag;
        const char *name;
    } flags[] = {{IR_EXPORT_DONE, "done"},
                 {IR_EXPORT_PAIRS, "compr"},
                 {IR_EXPORT_VALID, "vm"},
                 {IR_EXPORT_ROW, "row_en"}};
    const unsigned n = (unsigned)ir_number(ir_operand(c->f, i, 0)), to = n / IR_EXPORT_TO & 63;
    text_printf(c->assembly, " %s", isa_export_target(c->isa, to));
    for (unsigned k = 0; k < 4; k++) {
        const ir_ref v = ir_operand(c->f, i, 1 + k);
        text_puts(c->assembly, k ? ", " : " ");
        if (ir_is(v, IR_VALUE))
            text_printf(c->assembly, "v%u", ir_register_first(c->f->registers[ir_index(v)]));
        else
            text_puts(c->assembly, "off");
    }
    for (size_t k = 0; k < sizeof flags / sizeof *flags; k++)
        if (n & flags[k].flag) text_printf(c->assembly, " %s", flags[k].name);
}

// Pixels of which no lane is left are exported all the same, to nothing; from GFX10 on if the shader exports
// any. From GFX11 on there is no such target.
void compiler_put_end(struct compiler *c) {
    const unsigned exports = c->f->facts.exports;
    const struct row *row = compiler_named_row(c, "export");
    if (c->f->facts.convention == IR_PIXEL_SHADER && row && (exports || !c->isa->prim_export)) {
        const char *target = !c->isa->row_export ? "null" : exports & 1 ? "mrt0" : "mrtz";
        text_printf(c->assembly, "\t%s %s off, off, off, off done%s\n", isa_row_name(c->isa, row), target,
                    c->isa->row_export ? "" : " vm");
    }
    text_puts(c->assembly, "\ts_endpgm\n");
}

void compiler_put_exit(struct compiler *c, unsigned number) {
    char label[24];
    snprintf(label, sizeof label, "_live%u", number);
    text_puts(c->assembly, "\ts_cbranch_execnz ");
    compiler_put_name(c->assembly, ".L", c->f->name, label);
    text_puts(c->assembly, "\n");
    compiler_put_end(c);
    compiler_put_name(c->assembly, ".L", c->f->name, label);
    text_puts(c->assembly, ":\n");
}
