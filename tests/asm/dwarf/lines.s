 .text
 .file 1 "d1" "a.c"
 .file 2 "d2/b.c"
 .file 3 "/c.c"
 .file 4 "x//y/"
 .file 5 ""
 .loc 1 1
a: s_nop 0
 .loc 2 5 7 is_stmt 0
 s_nop 0
 .loc 3 2 70000 is_stmt 1 isa 3
 .p2align 8
 s_nop 0
 .loc 4 1000000 1 basic_block prologue_end epilogue_begin discriminator 200
 s_nop 0
 .loc 5 0
 .section .text.x,"ax",@progbits
 .loc 1 3
 s_nop 0
 .zero 4*17
 .loc 1 3
 s_nop 0
 .zero 4*16
 .loc 1 8
 s_nop 0
 .zero 4*300
 .loc 1 4
 .pushsection .text.y,"ax",@progbits
 .loc 1 99 
 .long 4
 .popsection
 s_nop 0
 .loc 1 9
 .long b
 .loc 1 10
 .quad 5,b
 .text
 .loc 1 3
 .text
 s_nop 0
 .loc_label foo
 .loc 1 6
 s_nop 0
 .loc 1 7
 .loc_label foo2
 .loc_label foo3
 .data
 .long foo, foo2
 .loc 1 8
 .ascii "abc"
 .loc 2 8
 .asciz ""
 .loc 1 7
 .octa 5
 .loc 1 6
 .double 1.0
 .loc 1 5
 .sleb128 5
 .loc 1 4
 .incbin "bytes.bin",0,4
b:
