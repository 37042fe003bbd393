// Sections of every kind of flag, type, group and number; what comes back to them; subsections.
.text
.globl start
start: s_nop 0
.section .text.a,"axG",@progbits,group_a,comdat
fa: s_nop 1
    s_branch fb
.section .text.b,"axG",@progbits,group_a,comdat
fb: s_nop 2
.section .rodata.g,"aG",%progbits,group_b
.long fa, fb
.section .rodata.h,"a?"
.long 7
.section .rodata.g2,"a?",@progbits
.long 8
.section .meta,"ao",@progbits,fa
.quad fa
.section .meta,"ao",@progbits,fb
.quad fb
.section .meta0,"ao",@progbits,0
.long 1
.section .u,"aw",@progbits,unique,1
u1: .long u2
.section .u,"aw",@progbits,unique,2
u2: .long u1
.section .u,"aw",@progbits
.long u1
.section .gu,"awG",@progbits,group_c,comdat,unique,9
.long 5
.section .strings,"aMS",@progbits,1
s1: .asciz "one"
s2: .asciz "two"
.section .merged,"aM",@progbits,8
.quad 1
m: .quad 2
.data
.quad s2, m, s1, m+8
.section .flags,#alloc,#write,#execinstr
.long 1
.section .number,"0x30000003",@0x12345
.long 2
.section .excluded,"e"
.long 3
.section .note.mine
.long 4
.section .init_array
.quad start
.section .fini_array.5,"aw"
.quad start
.section .retained,"aR"
.long 1
.section ".quoted name","a",@note
.long 1
.section .text
s_nop 3
.pushsection .rodata
.long 11
.pushsection .data
.long 12
.popsection
.long 13
.popsection
.previous
s_nop 4
.rodata
.long 20
.tdata
t: .long 21
.tbss
.zero 8
.bss
z: .zero 40
