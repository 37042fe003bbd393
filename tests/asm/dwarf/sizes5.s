 .data
 .uleb128 b-a
 .balign 16, 0xab
 .balignl 16, 0x12345678
a: .zero 5
 .p2align 3,,2
 .byte 5
 .p2align 3,0x11,7
b:
