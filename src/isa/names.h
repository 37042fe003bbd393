// SPDX-License-Identifier: MIT
// What the values of operand fields are called on a generation: special registers, hardware registers,
// messages, buffer formats, export targets.
#ifndef ISA_NAMES_H
#define ISA_NAMES_H

#include "isa/isa.h"

enum name_kind {
    NAME_HWREG,
    NAME_MESSAGE,
    NAME_GS_OP,
    NAME_SYS_OP,
    NAME_BUFFER_FORMAT,
    NAME_DATA_FORMAT,
    NAME_NUM_FORMAT,
    NAME_UC_VERSION
};

// NULL: the value has no name there.
const char *isa_name(const struct isa *isa, enum name_kind kind, unsigned value);
// The value of a name, also of those that are only accepted; -1: there is no such name.
int isa_name_value(const struct isa *isa, enum name_kind kind, const char *name, size_t length);

enum scalar_kind { SCALAR_SGPR, SCALAR_TTMP, SCALAR_SPECIAL, SCALAR_NONE };
struct scalar {
    uint8_t kind;     // enum scalar_kind
    uint8_t index;    // of an SGPR or TTMP
    const char *name; // of a special register
};
// Whether the processors of a set have the special register that others have at `code`. Names of those that
// it has not are printed, as LLVM does, but assemble nowhere.
bool isa_has_special(const struct isa *isa, unsigned code);
// Whether a source selector means anything: a register, a constant, a literal. The marks of DPP and SDWA do
// not.
bool isa_has_source(const struct isa *isa, unsigned code);

// What s_trap with this immediate tells the trap handler: its lower 8 bits, from GFX12 on 4.
unsigned isa_trap_number(const struct isa *isa, unsigned immediate);

// The name of what an export goes to; NULL: the processor has no target of this number.
enum { EXPORT_TARGETS = 64, EXPORT_NULL = 9, EXPORT_PARAMETERS = 32 };
const char *isa_export_target(const struct isa *isa, unsigned number);
// Whether an export sends register vsrc<i>. Compressed ones have two registers.
bool insn_exports(const struct insn *in, unsigned i);
// The scalar register, or pair of them, at `code` (0-127 and 230-254 of the source space).
struct scalar isa_scalar(const struct isa *isa, unsigned code, unsigned dwords);

struct counter_field {
    const char *name;
    uint8_t lo, width, lo2, width2; // low and high part
};
// Fields of s_waitcnt and of s_waitcnt_depctr, ended by a NULL name.
const struct counter_field *isa_waitcnt_fields(const struct isa *isa);
const struct counter_field *isa_depctr_fields(const struct isa *isa);
// Switches a feature as -mattr spells it, without its sign, in a copy of a processor's table:
// wavefrontsize32, wavefrontsize64 (into *wave32), real-true16. Features that change neither encodings nor
// spelling are left alone. False: the processor has no such choice.
bool isa_set_feature(struct isa *isa, bool *wave32, const char *name, size_t length, bool on);
// A buffer load that may go to LDS (TRAP-322).
bool isa_loads_to_lds(const struct isa *isa, const struct row *row);

#endif
