 .data
.Lq2:
 .uleb128 x
 .byte 1
 .org 16
 .uleb128 y-z
 .org 40, 0x44
 .p2align 2
 .long z
 y: .zero 5
 z:
 .long y-z
 x = z-y
