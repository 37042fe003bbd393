s_nop 0
 .section .text.u,"ax",@progbits
.uleb128 b-a
 s_nop 0
a: .zero 200
b:
