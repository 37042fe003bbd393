 .section .text.a,"ax",@progbits
a: s_nop 0
 .section .text.b,"ax",@progbits
 .long 1
.section .foo,"a",@progbits
b:
