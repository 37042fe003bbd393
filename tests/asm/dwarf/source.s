 .macro mm x
 s_nop \x
lab\x:
 s_nop 2
 .endm
 .macro outer
 s_nop 9
 mm 5
 .endm
f:
 mm 3
 outer
 .rept 2
 s_nop 6
 .endr
 .include "source.inc"
 .data
dd: .long 4
 .text
_g: .long 7
"q r": s_nop 3
 .p2align 8
 .cfi_startproc
 s_endpgm
 .cfi_endproc
