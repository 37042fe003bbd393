// Variables in LDS.
.globl lds0
.amdgpu_lds lds0, 8192, 16
.amdgpu_lds lds1, 0, 1
.amdgpu_lds lds2, 32768
.local lds3
.amdgpu_lds lds3, 4
.hidden lds4
.amdgpu_lds lds4, 4, 2 + 6
s_mov_b32 s0, lds0@abs32@lo
s_mov_b32 s1, lds2@abs32@lo
s_mov_b32 s2, lds3@abs32@lo
s_mov_b32 s3, lds4@abs32@lo
.long lds0
.amdgpu_lds lds0, 8192, 16
