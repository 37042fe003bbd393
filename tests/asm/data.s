; Data, alignment, sections
.data
.byte 1, -1, 255, 'a'
.short 1, -2, 65535
.int 1, 0xffffffff
.quad 1, -1
.octa 0x0123456789abcdef0123456789abcdef, 5
.ascii "ab\n\101\x41", "c"
.asciz "d", "e"
.string "quoted \" \\"
.float 1.5, -2, inf, 1e3
.double 3.25, -0.0
.zero 3
.space 5, 0xaa
.skip 2
.fill 3, 2, 0x1234
.fill 2, 8, -1
.uleb128 0, 127, 128, 300000
.sleb128 -1, 63, 64, -128, 300000
.p2align 4
.balign 32, 0x11
.byte 1
.p2align 6, , 3
.balign 4
.p2alignl 3, 0x1234
.org 0x200
.org . + 8, 0x22
.byte 9
.text
s_nop 0
.p2align 4
s_nop 1
.align 32
.pushsection .other, "aw", @nobits
.zero 16
.popsection
s_nop 2
.section .mine, "aMS", @progbits, 1
.string "merge"
.section .note.x, "", @note
.long 1
.previous
.string "again"
.bss
.p2align 3
.zero 9
.section ".quo ted", "ax"
"odd label": .long "odd label"
.incbin "bytes.bin", 1, 4
.include "included.inc"
