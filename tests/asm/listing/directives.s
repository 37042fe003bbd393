
.text

s_nop 0
; comment
s_nop 1 ; trailing

// c2

k:

.globl a, b
.hidden h
.weak w
.local l
.internal i
.protected p
.type k,@function
.type o,%object
.size k, .-k
.size k, 4+k-a
.set x, 5
.set y, k+4
z = 7
.equ e, -3
.equiv q, 3
.long 1, 2, 0xffffffff, -1, k, k+4, k-a, k-a-4, 4+k, (k-a)*2, k@rel32@lo+4, -k, ~k, k&3, k-4, k+(-4), 1+2*3, k-(a+b), x, y, z
.byte 255, -1, 'a'
.short 65535
.quad -1, 0xffffffffffffffff
.int 5
.2byte 3
.value 3
.ascii "abc\n\t\001\"\\é"
.ascii "a", "bc"
.asciz "abc"
.string "q"
.asciz ""
.zero 8
.skip 4
.space 4, 1
.fill 3, 4, 7
.fill 3
.p2align 4
.p2align 4, 0x90
.p2align 4,,8
.balign 8
.align 16
.data
.p2align 4
.p2align 4, 1
.bss
.zero 4
.section .foo,"ax",@progbits
.p2align 3
.section .foo,"ax",@progbits
.section .rodata
.section .note.GNU-stack,"",@progbits
.section .bar,"aMS",@progbits,1
.section .baz,"awG",@progbits,grp,comdat
.section .AMDGPU.csdata,"",@progbits
.section .b,"aw",@nobits
.section .text.k,"ax",@progbits
.pushsection .rodata
.popsection
.previous
.text 1
.subsection 2
.ident "foo"
.comm c, 8, 4
.lcomm d, 8
.amdgpu_lds v, 16, 4
.addrsig
.addrsig_sym k
.float 1.0
.double 2.5
.uleb128 300, k-a
.sleb128 -3
.octa 5
.org 100
.weakref r, k
.symver k, k@V
.extern ee
.globl	q2
.cfi_sections .debug_frame
.cfi_startproc
.cfi_endproc
.amdhsa_code_object_version 5
