// SPDX-License-Identifier: MIT
// The stack of shaders where it is reached through a buffer. Kernels begin with its descriptor in s[0:3];
// shaders begin with arguments there. So their arguments move up by four registers, and the descriptor is
// made in s[0:3]. Under amdpal it is in a table whose address the driver gives. Under mesa3d its first half
// is in s[0:1] of compute shaders; others have the address of that half there. Elsewhere the half is two
// symbols that the driver fills in. The wave's part of the memory begins at what the register behind the
// arguments has.
#include "base/resource_kind.h"
#include "compiler/convention.h"
#include "isa/counters.h"

enum { MOVED = 4 };
// Waves of two stages in one begin with the table's address and the place of their part elsewhere.
enum { MERGED_TABLE = 8, MERGED_OFFSET = 5 };

static unsigned resource_of(const struct compiler *c) { return fact(c->processor, FACT_resource); }

static bool is_merged(const struct compiler *c) {
    return c->f->facts.stage == IR_STAGE_MERGED && resource_of(c) >= RESOURCE_GFX9;
}

static unsigned table_register(const struct compiler *c) { return is_merged(c) ? MERGED_TABLE : 0; }

bool compiler_take_shader_stack(struct compiler *c) {
    struct ir_facts *facts = &c->f->facts;
    const bool compute = compiler_system(c->m) == SW_OS_AMDHSA; // there is no descriptor to be had
    const unsigned arguments = facts->user_sgprs;
    if (compute || ir_is_chain(c->f) || arguments >= CONVENTION_STACK_TOP - MOVED) return false;
    const unsigned offset = is_merged(c) ? MERGED_OFFSET : arguments;
    facts->stack_buffer = 1;
    facts->stack_offset = offset + MOVED + 1;
    if (facts->user_sgprs <= offset) facts->user_sgprs = offset + 1;
    if (compiler_system(c->m) == SW_OS_AMDPAL && facts->user_sgprs <= table_register(c))
        facts->user_sgprs = table_register(c) + 1;
    for (size_t n = 0; n < c->f->insts.count; n++) {
        const struct ir_inst *i = &c->f->insts.items[n];
        if ((i->op != OP_copy && i->op != OP_p_copy) || !i->operands) continue;
        ir_ref *r = &c->f->operands.items[i->first_operand];
        const unsigned first =
            ir_is(*r, IR_REGISTER) ? ir_register_first(ir_index(*r)) : CONVENTION_STACK_TOP;
        if (first < arguments && ir_register_class_of(ir_index(*r)) == IR_SGPR)
            *r = ir_make(IR_REGISTER, ir_register(IR_SGPR, first + MOVED, ir_register_dwords(ir_index(*r))));
    }
    return true;
}

unsigned compiler_shader_registers(const struct ir_function *f) {
    const bool moves = ir_is_entry(f) && !f->is_kernel && f->facts.stack_buffer;
    return moves ? f->facts.user_sgprs + MOVED : 0;
}

static const char *name(const struct compiler *c, const char *id) {
    const struct row *row = compiler_named_row(c, id);
    return row ? isa_row_name(c->isa, row) : id;
}

// The last dword of a buffer whose elements of a dword stand one behind the other for the lanes of a wave.
static uint32_t format_of(const struct compiler *c) {
    enum {
        BY_LANE = 1 << 23,
        STRIDE_64 = 3 << 21,
        STRIDE_32 = 2 << 21,
        ELEMENTS_OF_4 = 1 << 19,
        ANY_FORMAT = 0xf << 12,
        NEWER_FORMAT = 3 << 28 | 1 << 24 | 0x16 << 12
    };
    const unsigned kind = resource_of(c);
    return BY_LANE | (c->f->facts.wave == 64 ? STRIDE_64 : STRIDE_32) |
           (kind < RESOURCE_GFX9 ? ELEMENTS_OF_4 : 0u) | (kind < RESOURCE_GFX8 ? ANY_FORMAT : 0u) |
           (kind >= RESOURCE_GFX10 ? NEWER_FORMAT : 0u);
}

static void put_wait(struct compiler *c) {
    const bool split = isa_counters(c->isa)->split;
    text_printf(c->assembly, "\t%s\n", split ? "s_wait_kmcnt 0x0" : "s_waitcnt lgkmcnt(0)");
}

// The upper half of the table's address is that of the program, or what an attribute says.
static void put_table(struct compiler *c) {
    enum { UNKNOWN = 0xffffffff, OF_COMPUTE = 16, BIT_OF_64 = 21 };
    const struct ir_facts *facts = &c->f->facts;
    struct text *t = c->assembly;
    const unsigned at = facts->stage == IR_STAGE_COMPUTE ? OF_COMPUTE : 0;
    const unsigned unit = c->isa->formats[FMT_SMEM]->words > 1 ? 1 : 4; // one dword counts dwords
    if (facts->table_high == UNKNOWN)
        text_printf(t, "\t%s vcc\n", name(c, "s_getpc_b64"));
    else
        text_printf(t, "\ts_mov_b32 vcc_hi, 0x%x\n", facts->table_high);
    text_printf(t, "\ts_mov_b32 vcc_lo, s%u\n", table_register(c) + MOVED);
    text_printf(t, "\t%s s[0:3], vcc, 0x%x\n", name(c, "s_load_b128"), at / unit);
    put_wait(c);
    if (resource_of(c) >= RESOURCE_GFX10 && facts->wave == 32)
        text_printf(t, "\ts_bitset0_b32 s3, %u\n", BIT_OF_64);
    c->f->facts.uses_vcc = 1;
}

void compiler_put_shader_stack(struct compiler *c) {
    struct text *t = c->assembly;
    const sw_os system = compiler_system(c->m);
    for (unsigned n = c->f->facts.user_sgprs; n-- > 0;)
        text_printf(t, "\ts_mov_b32 s%u, s%u\n", n + MOVED, n);
    if (system == SW_OS_AMDPAL) {
        put_table(c);
        return;
    }
    if (system == SW_OS_MESA3D && c->f->facts.stage != IR_STAGE_COMPUTE) {
        text_printf(t, "\t%s s[0:1], s[%u:%u], 0x0\n", name(c, "s_load_b64"), MOVED, MOVED + 1);
        put_wait(c);
    } else if (system != SW_OS_MESA3D)
        text_puts(t, "\ts_mov_b32 s0, SCRATCH_RSRC_DWORD0\n\ts_mov_b32 s1, SCRATCH_RSRC_DWORD1\n");
    text_printf(t, "\ts_mov_b32 s2, -1\n\ts_mov_b32 s3, 0x%x\n", format_of(c));
}
