 .file 1 "a.c"
 .loc 1 10
 .zero 4
 s_nop 0
 .loc 1 11
 .p2align 6
 s_nop 0
 .loc 1 12
 .fill 3,4,5
 .loc 1 13
 .fill .Lx-.Ly,4,5
 .loc 1 14 
 .uleb128 .Lx-.Ly
 .loc 1 15
foo:
 .byte 1,2,3
 .loc 1 16
 .ascii "x"
 .org 0x200
.Lx:
.Ly:
 .loc 1 17
 .data
 .long 1
 .text
 .loc 1 18
 .loc 1 19 3
