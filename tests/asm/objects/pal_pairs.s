// The older form: pairs, in any order, those given twice combined.
.amd_amdgpu_pal_metadata 0x2e13,0x90,0x2e12,0x2c0
.amd_amdgpu_pal_metadata 0x10000006,5, 0x2e12, 0x1
s_endpgm
