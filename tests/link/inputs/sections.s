// Every kind of section, symbol and relocation that text can ask for.
.text
.globl function
.type function,@function
function:
 s_getpc_b64 s[0:1]
 s_add_u32 s0, s0, pointers@rel32@lo+4
 s_addc_u32 s1, s1, pointers@rel32@hi+12
 s_getpc_b64 s[2:3]
 s_add_u32 s2, s2, elsewhere@gotpcrel32@lo+4
 s_addc_u32 s3, s3, elsewhere@gotpcrel32@hi+12
 s_add_u32 s2, s2, number@gotpcrel32@lo+4
 s_addc_u32 s3, s3, number@gotpcrel32@hi+12
 s_branch far_away
 s_setpc_b64 s[30:31]
.size function, .-function
.section .text.other,"ax",@progbits
.globl far_away
.hidden far_away
far_away: s_endpgm
.data
number: .long 5
.p2align 3
pointers: .quad function
 .quad number+4
 .quad elsewhere
 .quad weak_one
 .quad weak_hidden
 .quad 0x1234
.weak weak_one
.weak weak_hidden
.hidden weak_hidden
.comm common_a,64,32
.comm common_b,8,8
.globl absolute
absolute = 0x4242
.section named_section,"aw",@progbits
.quad __start_named_section, __stop_named_section
.quad _end, _edata, __bss_start
.section .init_array.5,"aw",@init_array
.quad function
.section .init_array,"aw",@init_array
.quad function
.section .init_array.3,"aw",@init_array
.quad function
.section .ctors.3,"aw",@progbits
.quad function
.section .ctors,"aw",@progbits
.quad function
.section .ctors.65530,"aw",@progbits
.quad function
.section .meta,"ao",@progbits,.text.other
.long 1
.section .meta2,"ao",@progbits,.text
.long 2
.section .rodata.str1.1,"aMS",@progbits,1
.Lstr: .asciz "abcdef"
named: .asciz "def"
.section .rodata.cst8,"aM",@progbits,8
.quad 1,2,3,1,2
.section .data.rel.ro.foo,"aw",@progbits
.quad named
.quad .Lstr
.section .foo_nobits,"aw",@nobits
.zero 100
.section .tail,"a",@note
.long 4,4,1
.ascii "ABC\0"
.long 9
