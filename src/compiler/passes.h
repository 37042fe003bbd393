// SPDX-License-Identifier: MIT
// The passes of compile.c, each of compiler.f, and questions that several of them ask.
#ifndef COMPILER_PASSES_H
#define COMPILER_PASSES_H

#include "compiler/compiler.h"
#include "isa/select.h"

void compiler_lds(struct compiler *c); // of the whole module
void compiler_calls(struct compiler *c);
void compiler_move(struct compiler *c);
void compiler_space(struct compiler *c);
void compiler_inputs(struct compiler *c); // of the whole module: what functions need of what waves begin with
void compiler_abi(struct compiler *c);
void compiler_atomic(struct compiler *c);
void compiler_address(struct compiler *c);
void compiler_quads(struct compiler *c);
void compiler_ends(struct compiler *c);
void compiler_blocks(struct compiler *c);
void compiler_waterfall(struct compiler *c);
void compiler_divergence(struct compiler *c);
void compiler_legal(struct compiler *c);
void compiler_select(struct compiler *c);
void compiler_whole(struct compiler *c);
void compiler_memory_model(struct compiler *c);
void compiler_control(struct compiler *c);
void compiler_assign(struct compiler *c);
void compiler_waits(struct compiler *c);
void compiler_hazards(struct compiler *c);
void compiler_resources(struct compiler *c); // of the whole module: what kernels need for all that they call
void compiler_emit(struct compiler *c);

// threads.c: a pass over each function, by as many threads as the options say; then `after`, of each in
// order.
typedef void compiler_pass(struct compiler *c);
void compiler_each(struct compiler *c, compiler_pass *pass, void (*after)(struct compiler *));

// inline_asm.c: the constraints of inline assembly; whether it asks memory for something (what is wrong with
// its text is reported); the text.
struct constraints;
void compiler_asm_constraints(const struct compiler *c, ir_ref name, struct constraints *out);
// True if all its results are in registers that it names, and go elsewhere behind it.
bool compiler_asm_moves_results(const struct compiler *c, const struct ir_inst *i);
// True if a result may be in the registers of an operand that nobody needs behind it.
bool compiler_asm_may_share(const struct compiler *c, const struct ir_inst *i);
bool compiler_asm_counts(struct compiler *c, const struct ir_inst *i, const ir_ref *operands);
void compiler_put_asm(struct compiler *c, struct text *t, const struct ir_inst *i);
// The module's own assembly.
void compiler_put_module_asm(struct compiler *c);

// emit_text.c, descriptor.c, metadata.c: of the whole module
void compiler_begin_text(struct compiler *c);
void compiler_end_text(struct compiler *c);
void compiler_descriptor(struct compiler *c);
void compiler_metadata(struct compiler *c);
void compiler_put_modifiers(struct compiler *c, const struct ir_inst *i); // behind the operands of a row
// Operand `n` of a row if it names an attribute, or a corner of a triangle. False: it does not.
bool compiler_put_attribute(struct compiler *c, const struct row *row, unsigned n, ir_ref operand);
// True if a row's modifiers hold numbers, of which one operand stands behind the sources (IR_CBSZ,
// IR_MATRIX_*).
bool compiler_has_number(const struct compiler *c, const struct row *row);
int32_t compiler_row_number(const struct compiler *c,
                            const struct ir_inst *i); // that operand; 0: there is none
void compiler_variables(struct compiler *c);
// names.c: a symbol's name with these texts, in quotes if the assembler wants them; the quotes take the texts
// in, or (put_line) leave them out.
void compiler_put_line(struct text *t, const char *before, const char *name, const char *behind);
bool compiler_is_plain_name(const char *name);
// How other objects may name what is defined here: enum ir_visibility.
void compiler_put_linkage(struct text *t, const char *name, bool weak, unsigned visibility);
// True if the symbol is reached by its distance, not through the linker's table.
bool compiler_is_near(const struct ir_symbol *s);
// An address from its place in that table, which the pair of registers has.
// The wait of a pseudo operation between writing a scalar register and reading it, if it needs one
// (IR_SETTLES); its bytes.
unsigned compiler_put_settled(struct compiler *c, const struct ir_inst *i);
void compiler_put_table_load(struct compiler *c, const char *registers);
void compiler_put_name(struct text *t, const char *before, const char *name, const char *behind);

// emit_memory.c: of the text what memory alone has. The offset of an access; its cache policy and that of
// cache maintenance; waits.
bool compiler_has_offset(const struct compiler *c, const struct row *row);
void compiler_put_offset(struct compiler *c, const struct row *row, int32_t offset);
void compiler_put_cache(struct compiler *c, const struct ir_inst *i);
void compiler_put_wait(struct compiler *c, const struct ir_inst *i);
// emit_buffer.c: how a buffer access finds its address, and its format.
void compiler_put_buffer(struct compiler *c, const struct ir_inst *i);
// Behind everything else: that the access is one of LDS as well, or of the region.
void compiler_put_lds(struct compiler *c, const struct ir_inst *i);
// divergence.c: true if it loads what may be another matter in each lane, whatever the address is.
bool compiler_loads_of_lane(const struct ir_function *f, const struct ir_inst *i);
// True if what an instruction with these operands loads goes to LDS, at M0.
bool compiler_goes_to_lds(const struct compiler *c, const struct ir_inst *i, const ir_ref *operands);
bool compiler_is_image(const struct compiler *c, const struct row *row);
void compiler_put_image(struct compiler *c, const struct ir_inst *i);
void compiler_put_export(struct compiler *c, const struct ir_inst *i); // target, sources, flags
void compiler_put_end(struct compiler *c);                             // of a wave whose lanes have all ended
void compiler_put_exit(struct compiler *c, unsigned number); // number: of this place in the function

// shader_stack.c: gives the shader at hand a stack in a buffer, if nothing did before. False: there is none
// for it.
bool compiler_take_shader_stack(struct compiler *c);
// So many scalar registers are used where it begins.
unsigned compiler_shader_registers(const struct ir_function *f);
void compiler_put_shader_stack(struct compiler *c); // s[0:3] as the hardware has it, without the wave's place
// emit_call.c: calls, frames, and what kernels begin with for them.
void compiler_put_kernel_stack(struct compiler *c);
void compiler_put_call(struct compiler *c, const struct ir_inst *i);
void compiler_put_jump(struct compiler *c, const struct ir_inst *i); // to a function that does not come back
void compiler_put_return(struct compiler *c);
void compiler_put_enter(struct compiler *c, const struct ir_inst *i);
void compiler_put_leave(struct compiler *c, const struct ir_inst *i);

// descriptor.c: vector registers of a kernel with all that it calls, of both kinds.
unsigned compiler_all_vgprs(const struct compiler *c, const struct ir_facts *facts);

// resources.c: symbols for what functions need.
void compiler_put_resources(struct compiler *c); // of the function at hand
void compiler_put_maxima(struct compiler *c);
// So many VGPRs that the largest work-group of the function at hand fits a compute unit.
unsigned compiler_vgpr_limit(const struct compiler *c);

// The cheapest row whose whole pattern is this operation on its sources, of `bits` for results and operands
// (0: whatever). NULL: none. *entry->way says how sources and operands belong together.
const struct select_entry *compiler_row(const struct compiler *c, unsigned op, enum select_bank bank,
                                        unsigned bits, unsigned from_bits);
// The greatest offset that accesses to this memory hold.
unsigned compiler_greatest_offset(const struct compiler *c, const struct ir_memory *m);
// The row of an atomic operation on values of this type that memory is accessed by (`way` as in
// select_memory.c); NULL: none computes it.
const struct row *compiler_atomic_row(const struct compiler *c, unsigned op, const struct ir_type *t,
                                      const char *way, bool returns);
// True if a scalar load can do it: uniform address, dwords, memory that nobody writes meanwhile.
bool compiler_loads_scalar(const struct compiler *c, const struct ir_inst *load);
// legal_buffer.c: the operands of an intrinsic on buffers, by its name behind "llvm.amdgcn.", that are the
// same in all lanes. False: it is another one.
bool compiler_buffer_operands(const char *name, unsigned *descriptor, unsigned *scalar);
// The row of a scalar load of so many bytes from a buffer; one of 12 bytes loads 16. NULL: there is none.
const struct row *compiler_scalar_buffer_row(const struct compiler *c, unsigned bytes);
// The row of this id that the processor has; NULL: none.
const struct row *compiler_named_row(const struct compiler *c, const char *id);
// Bytes of the hidden arguments behind the explicit ones.
unsigned compiler_hidden_bytes(const struct ir_function *f);
// Whether the kernel has them: as it says by no attribute that nobody wants them, or uses them.
bool compiler_has_hidden(const struct ir_function *f);

#endif
