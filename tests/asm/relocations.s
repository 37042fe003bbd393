s_nop 1 // x
.text
foo: s_nop 2
bar:
 s_branch foo
 s_branch fwd
1: s_branch 1b
 s_branch 1f
1:
fwd:
 s_mov_b32 s0, foo
 s_mov_b32 s0, ext
 s_mov_b32 s0, ext@rel32@lo+4
 s_mov_b32 s0, ext@rel32@hi+12
 s_mov_b32 s0, ext@gotpcrel32@lo+4
 s_mov_b32 s0, ext@abs32@lo
 s_mov_b32 s0, fwd-foo
 x = 5
 s_mov_b32 s0, x
 s_mov_b32 s0, x+100
 s_mov_b32 s0, y
 y = 7
.p2align 8
 .long ext, foo, foo-bar
 .quad ext, foo
 .data
d: .long foo-.
 .byte 1,2,'a'
