// SPDX-License-Identifier: MIT
// Names of the numbers in ELF tables and notes, as the manuals spell them.
#include "object/code/object.h"

#include <string.h>

const char *name_of_relocation(unsigned type) {
    static const char *const names[] = {
        [0] = "R_AMDGPU_NONE",          [1] = "R_AMDGPU_ABS32_LO",  [2] = "R_AMDGPU_ABS32_HI",
        [3] = "R_AMDGPU_ABS64",         [4] = "R_AMDGPU_REL32",     [5] = "R_AMDGPU_REL64",
        [6] = "R_AMDGPU_ABS32",         [7] = "R_AMDGPU_GOTPCREL",  [8] = "R_AMDGPU_GOTPCREL32_LO",
        [9] = "R_AMDGPU_GOTPCREL32_HI", [10] = "R_AMDGPU_REL32_LO", [11] = "R_AMDGPU_REL32_HI",
        [13] = "R_AMDGPU_RELATIVE64",   [14] = "R_AMDGPU_REL16",
    };
    return type < sizeof names / sizeof *names ? names[type] : NULL;
}

const char *name_of_section_type(unsigned type) {
    switch (type) {
    case SHT_NULL: return "NULL";
    case SHT_PROGBITS: return "PROGBITS";
    case SHT_SYMTAB: return "SYMTAB";
    case SHT_STRTAB: return "STRTAB";
    case SHT_RELA: return "RELA";
    case SHT_HASH: return "HASH";
    case SHT_DYNAMIC: return "DYNAMIC";
    case SHT_NOTE: return "NOTE";
    case SHT_NOBITS: return "NOBITS";
    case SHT_REL: return "REL";
    case SHT_DYNSYM: return "DYNSYM";
    case SHT_GROUP: return "GROUP";
    case SHT_SYMTAB_SHNDX: return "SYMTAB_SHNDX";
    case SHT_GNU_HASH: return "GNU_HASH";
    case 0x6fff4c03: return "LLVM_ADDRSIG";
    default: return NULL;
    }
}

const char *name_of_segment_type(unsigned type) {
    switch (type) {
    case PT_NULL: return "NULL";
    case PT_LOAD: return "LOAD";
    case PT_DYNAMIC: return "DYNAMIC";
    case PT_NOTE: return "NOTE";
    case PT_PHDR: return "PHDR";
    case PT_GNU_RELRO: return "GNU_RELRO";
    case PT_GNU_STACK: return "GNU_STACK";
    default: return NULL;
    }
}

const char *name_of_symbol_type(unsigned type) {
    static const char *const names[] = {"notype", "object", "func", "section", "file", "common", "tls"};
    return type < sizeof names / sizeof *names ? names[type] : type == 10 ? "kernel" : NULL;
}

const char *name_of_note(const sw_note *n) {
    if (!strcmp(n->vendor, "AMDGPU"))
        return n->type == 32 ? "NT_AMDGPU_METADATA" : n->type == 33 ? "NT_AMDGPU_KFD_CORE_STATE" : NULL;
    if (strcmp(n->vendor, "AMD")) return NULL;
    switch (n->type) {
    case 1: return "NT_AMD_HSA_CODE_OBJECT_VERSION";
    case 2: return "NT_AMD_HSA_HSAIL";
    case 3: return "NT_AMD_HSA_ISA_VERSION";
    case 10: return "NT_AMD_HSA_METADATA";
    case 11: return "NT_AMD_HSA_ISA_NAME";
    case 12: return "NT_AMD_PAL_METADATA";
    default: return NULL;
    }
}
