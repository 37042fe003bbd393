.amdgcn_target "amdgcn-amd-amdhsa--gfx90a"
.amdhsa_code_object_version 5
.text
.macro twice op
    \op
    \op
.endm
.protected k
.globl k
.p2align 8
.type k,@function
k:
    twice "s_nop 1"
    s_load_dwordx2 s[4:5], s[0:1], 0x0
    s_endpgm
.Lend:
.size k, .Lend-k

.section .rodata,"a",@progbits
.p2align 6
.amdhsa_kernel k
    .amdhsa_group_segment_fixed_size 16
    .amdhsa_user_sgpr_kernarg_segment_ptr 1
    .amdhsa_user_sgpr_dispatch_ptr 1
    .amdhsa_system_vgpr_workitem_id 2
    .amdhsa_next_free_vgpr 12
    .amdhsa_next_free_sgpr 2+4
    .amdhsa_accum_offset 8
    .amdhsa_float_denorm_mode_32 3
.end_amdhsa_kernel
.amdgpu_metadata
---
amdhsa.version: [ 1, 2 ]
amdhsa.target: 'amdgcn-amd-amdhsa--gfx90a'
amdhsa.kernels:
  - .symbol: k.kd
    .name: k
    .kernarg_segment_size: 8
    .group_segment_fixed_size: 16
    .private_segment_fixed_size: 0
    .kernarg_segment_align: 8
    .wavefront_size: 64
    .sgpr_count: 12
    .vgpr_count: 12
    .max_flat_workgroup_size: 256
    .language_version: [2, 0]
    .args:
      - { .size: 8, .offset: 0, .value_kind: global_buffer, .type_name: "float*", .name: "a b" }
...
.end_amdgpu_metadata
