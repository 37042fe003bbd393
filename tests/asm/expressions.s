.data
.quad 1==1, 1!=1, 2<3, -1>>1, -8>>1, 1<<63, 7%-4, -7/2, 1||0, 2&&3, !5, ~5, 1+2*3, 1|2+4, 8-4|2, 6&3*2, 5^1<<1, 1<>2
.quad -1>>1, 0x8000000000000000, 0xffffffffffffffff, 0b101, 017, 'a', '\n', 1<<64, 2&&0+1, 3-2-1, 0-1, 1==1==1, 1!2

// Names that are numbers on GPUs with s_version.
.if .amdgcn.gfx_generation_number >= 10
s_version UC_VERSION_GFX10|UC_VERSION_W32_BIT
s_version (UC_VERSION_GFX11 | UC_VERSION_W64_BIT) + 0
.endif
