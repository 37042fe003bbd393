// Code that test_link.c works on; see tests/piece.h.

// ---- rich ----
.globl k
.protected k
.p2align 8
k: s_getpc_b64 s[0:1]
    s_add_u32 s0, s0, d@gotpcrel32@lo+4
    s_addc_u32 s1, s1, d@gotpcrel32@hi+12
    s_endpgm
.section .rodata.s,"aMS",@progbits,1
s1: .asciz "hello"
.asciz "lo"
.section .data.rel.ro,"aw",@progbits
.quad s1, k, u
.weak u
.section .init_array.7,"aw",@init_array
.quad k
.data
.globl d
d: .quad d
.comm c, 64, 16
.section .debug_x,"",@progbits
.quad k
.long d2
.globl d2
    d2 = 5
.section named,"aw",@nobits
.zero 12

// ---- relocations_are_computed ----
.globl here
.hidden here
here: s_getpc_b64 s[0:1]
    s_add_u32 s0, s0, there@rel32@lo+4
    s_addc_u32 s1, s1, there@rel32@hi+12
    s_add_u32 s0, s0, there@gotpcrel32@lo+4
    s_addc_u32 s1, s1, there@gotpcrel32@hi+12
    s_mov_b32 s2, number@abs32@lo
    s_mov_b32 s3, number@abs32@hi
    s_endpgm
.data
.globl data
.hidden data
data: .quad there
.quad number
.long number2
.long there-.
.quad there-.
.quad 0

// ---- relocations_are_computed, 2 ----
.data
.zero 20
.globl there
.hidden there
there: .long 7
.globl number, number2
.hidden number, number2
    number = 0x123456789ab
    number2 = -2

// ---- unused_sections_go ----
.globl used
.protected used
used: s_getpc_b64 s[0:1]
    s_add_u32 s0, s0, helper@rel32@lo+4
.section .text.h,"ax",@progbits
.globl helper
.hidden helper
helper: s_endpgm
.section .text.u,"ax",@progbits
.globl unused
.hidden unused
unused: s_endpgm
.section .init_array,"aw",@init_array
.quad called
.section .text.c,"ax",@progbits
called: s_nop 1
