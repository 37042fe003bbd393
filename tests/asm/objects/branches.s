// Branches over 0x3f words, which GFX10.1 must not take, one after the other, and branches to other sections.
.globl global
s_branch over
.rept 0x3f
s_nop 0
.endr
over: s_cbranch_vccnz over2
s_cbranch_scc1 over3
.rept 0x3e
s_nop 1
.endr
over2: s_nop 2
over3: s_nop 3
global: s_branch global
s_branch elsewhere
s_branch over
.p2align 6
s_endpgm
.section .text.other,"ax"
elsewhere: s_branch over
.data
.long over2 - over, over3 - over2
