 .globl g
 .weak w
 .hidden h
 .type fn,@function
fn: s_branch fn
g: s_branch g
 s_branch w
w: s_nop 0
 s_mov_b32 s0, g@gotpcrel32@lo+4
 s_mov_b32 s0, fn@gotpcrel32@lo+4
 s_mov_b32 s0, fn@rel32@lo+4
 s_mov_b32 s0, fn@rel32@hi+4
 s_mov_b32 s0, g
 .set al, fn
 .set al4, fn+4
 s_mov_b32 s0, al
 s_mov_b32 s0, al4
 .set u, und
 .long al4
 .long u
 .long .Lt
.Lt:
 .size fn, .-fn
 .file "x.c"
 .ident "hello"
 .section .rodata.str1.1,"aMS",@progbits,1
str: .asciz "hi"
 .section .foo,"a"
 .long str, str+1, .Lt-fn, fn-.
 .quad fn-., g-.
 .comm cm,8,4
 .lcomm lc,8
 .section .bss
 .zero 8
