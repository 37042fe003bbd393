// SPDX-License-Identifier: MIT
// What the parts of the printer share: the growing line and the operand writers.
// The line never overflows: writers stop adding at its end.
#ifndef DIS_PRINT_H
#define DIS_PRINT_H

#include "dis/dis.h"
#include "isa/names.h"

struct printer {
    char *p, *end;
    const struct isa *isa;
    const struct insn *in;
    const struct row *row; // the half being printed, of a VOPD
    const struct print_options *options;
    bool wave32, later; // `later`: an operand has been written
    uint8_t msb;        // upper bits of the number of the VGPR that is written next
};

// text.c
void put_char(struct printer *p, char c);
void printer_put(struct printer *p, const char *s);
void put_dec(struct printer *p, int64_t v);
void put_number(struct printer *p, unsigned v); // in decimal, below 1000
void put_hex(struct printer *p, uint64_t v);
void put_field(struct printer *p, const char *label, int64_t v);      // " label:v"
void put_flag(struct printer *p, enum field field, const char *text); // the text if the field is set
void put_list(struct printer *p, const char *label, unsigned bit_mask, unsigned count); // " label:[1,0]"
static inline void next_operand(struct printer *p) {
    printer_put(p, p->later ? ", " : " ");
    p->later = true;
}

// operand.c
void put_register(struct printer *p, unsigned code, unsigned dwords);
void put_msb(struct printer *p, enum field field); // says in which field the operand is that comes next
void put_vgprs(struct printer *p, enum field field, unsigned dwords); // VGPRs in a field
void put_source(struct printer *p, const struct operand *o);          // register, inline constant or literal
bool needs_lit(const struct printer *p, const struct operand *o);     // a literal that is written lit()
void put_operand(struct printer *p, struct operand_spec spec);

// immediate.c
bool put_immediate(struct printer *p, enum operand_type type, uint32_t v); // false: not an immediate type
void put_swizzle(struct printer *p, unsigned offset);
void put_dpp(struct printer *p);
void put_sdwa(struct printer *p);

// print_memory.c, print_image.c
void print_smem(struct printer *p);
void print_ds(struct printer *p);
void print_flat(struct printer *p);
void print_buffer(struct printer *p);
void put_cache_policy(struct printer *p);
void print_image(struct printer *p);
void print_export(struct printer *p);
void print_tensor(struct printer *p);

// valu.c
void print_valu(struct printer *p);
void print_vopd(struct printer *p);

#endif
