// Code that test_object_load.c works on; see tests/piece.h.

// ---- every_relocation ----
.text
.globl f
.type f,@function
f: s_getpc_b64 s[0:1]  // 0
    s_add_u32 s0, s0, ext@rel32@lo+4  // 4, literal 8
    s_addc_u32 s1, s1, ext@rel32@hi+12  // 12, 16
    s_add_u32 s0, s0, ext@gotpcrel32@lo+4  // 20, 24
    s_addc_u32 s1, s1, ext@gotpcrel32@hi+12  // 28, 32
    s_mov_b32 s0, ext@abs32@lo  // 36, 40
    s_mov_b32 s1, ext@abs32@hi  // 44, 48
    s_branch other  // 52
    s_mov_b32 s0, small@abs32@lo  // 56, 60
    s_mov_b32 s0, large@abs32@lo  // 64, 68
    s_endpgm
.section .text2,"ax",@progbits
.globl other
other: s_endpgm
.data
d: .quad ext  // 0
.quad ext-.  // 8
.long ext-.  // 16
.long lab  // 20
.quad f+8  // 24
.quad maybe  // 32
.weak maybe
.bss
lab: .zero 16
.amdgpu_lds small, 4, 4
.amdgpu_lds large, 64, 16
