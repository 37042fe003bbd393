// More of the same sections, to be merged and sorted.
.section .text.z,"ax",@progbits
s_nop 0
.section .meta,"ao",@progbits,.text.z
.long 3
.comm common_a,128,16
.section .rodata.str1.1,"aMS",@progbits,1
.asciz "bcdef"
.asciz "def"
.asciz "a long string to be hashed by the seventeen to onehundredtwentyeight path"
.asciz "a much longer string to be hashed: 0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 "
.asciz "the longest string of all, beyond 240: 0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 0123456789"
.section .rodata.str4.4,"aMS",@progbits,4
.long 65,66,67,0,66,67,0
.section .rodata.cst8,"aM",@progbits,8
.quad 4,2,9
.section named_section,"aw",@progbits
.quad 1
.section .ctors.100,"aw",@progbits
.quad 1
.section .init_array.4,"aw",@init_array
.quad 2
