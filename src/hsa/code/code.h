// SPDX-License-Identifier: MIT
// Loaded code as other rooms see it.
#ifndef HSA_CODE_CODE_H
#define HSA_CODE_CODE_H

#include "base/array.h"
#include "hsa/agent/agent.h"

struct symbol {
    char *name;
    bool is_kernel, is_const, is_dynamic, is_definition;
    struct loaded *loaded; // NULL: a program's variable
    uint64_t address, size, alignment;
    uint32_t kernarg_size, kernarg_alignment, group_size, private_size, wave_size;
};
struct loaded {
    struct loaded *next;
    struct executable *executable;
    struct agent *agent;
    sw_executable *code;
    sw_object *object; // kept when it has line tables
    uint8_t *copy;     // of what its lines need
    size_t copied;
    uint64_t base, size;
    uint32_t storage;
    const void *storage_base;
    uint64_t storage_size;
    char *uri;
    uint32_t users;               // dispatches; atomic
    ARRAY(struct symbol) symbols; // by name
};
// The loaded code that this address lies in; takes a use of it. NULL: none of this agent's.
struct loaded *loaded_use(struct agent *a, uint64_t address);
void loaded_unuse(struct loaded *l);
// NULL: no kernel's descriptor is there.
const struct symbol *loaded_kernel(const struct loaded *l, uint64_t address);
bool code_lies_in(uint64_t lo, uint64_t size); // of a loaded code object
// The host wrote [lo, lo + size): code in it is decoded anew.
void code_changed(uint64_t lo, uint64_t size);
void executables_tell_fidelity(void); // of what is loaded now
void executables_close(void);
void executables_forget(void);
void old_code_forget(void);
size_t loader_table(void *table, size_t length); // the loader's extension

#endif
