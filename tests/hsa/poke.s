// Kernels of reach.c and of the torture program runtime.c.
.amdgcn_target "amdgcn-amd-amdhsa--gfx90a"
.text

// poke(to, value): stores 64 bits.
.globl poke
.p2align 8
.type poke,@function
poke:
  s_load_dwordx4 s[4:7], s[0:1], 0x0
  v_mov_b32_e32 v0, 0
  s_waitcnt lgkmcnt(0)
  v_mov_b32_e32 v2, s6
  v_mov_b32_e32 v3, s7
  global_store_dwordx2 v0, v[2:3], s[4:5]
  s_waitcnt vmcnt(0)
  s_endpgm
.Lpoke_end:
  .size poke, .Lpoke_end-poke

// scribble(areas, count, seed, rounds, bait): in each round every lane stores 64 bits at a random 8-byte word of a random
// area. An area is a base address and a number of words, 64 bits each. The values are random, small, addresses near
// the area, or addresses of the page `bait`. areas and bait have 64 bits, count, seed, rounds and a gap 32.
.globl scribble
.p2align 8
.type scribble,@function
scribble:
  s_load_dwordx2 s[4:5], s[0:1], 0x0
  s_load_dwordx4 s[8:11], s[0:1], 0x8
  s_load_dwordx2 s[14:15], s[0:1], 0x18
  s_lshl_b32 s12, s2, 6
  v_add_u32_e32 v1, s12, v0
  s_waitcnt lgkmcnt(0)
  s_mov_b32 s13, 0x9e3779b1
  v_mul_lo_u32 v1, v1, s13
  v_xor_b32_e32 v1, s9, v1
  v_or_b32_e32 v1, 1, v1
.Lround:
  v_mov_b32_e32 v10, 0
.macro NEXT to
  v_lshlrev_b32_e32 v9, 13, v1
  v_xor_b32_e32 v1, v1, v9
  v_lshrrev_b32_e32 v9, 17, v1
  v_xor_b32_e32 v1, v1, v9
  v_lshlrev_b32_e32 v9, 5, v1
  v_xor_b32_e32 v1, v1, v9
  v_mov_b32_e32 \to, v1
.endm
  NEXT v2                                  // the area
  v_mul_hi_u32 v2, v2, s8
  v_lshlrev_b32_e32 v2, 4, v2
  global_load_dwordx4 v[4:7], v2, s[4:5]   // its base and size
  NEXT v3
  s_waitcnt vmcnt(0)
  v_mul_hi_u32 v3, v3, v6                  // the word
  v_lshlrev_b32_e32 v3, 3, v3
  v_add_co_u32_e32 v4, vcc, v4, v3
  v_addc_co_u32_e32 v5, vcc, 0, v5, vcc
  NEXT v6                                  // the value: 64 random bits, or
  NEXT v7
  v_and_b32_e32 v8, 3, v7
  v_cmp_eq_u32_e32 vcc, 0, v8
  v_cndmask_b32_e32 v7, v7, v10, vcc       // one from 0 to 7, or
  v_and_b32_e32 v11, 7, v6
  v_cndmask_b32_e32 v6, v6, v11, vcc
  v_cmp_eq_u32_e32 vcc, 1, v8
  v_cndmask_b32_e32 v7, v7, v5, vcc        // an address near the area, or
  v_cmp_eq_u32_e32 vcc, 2, v8
  v_and_b32_e32 v11, 0xff8, v6
  v_or_b32_e32 v11, s14, v11
  v_cndmask_b32_e32 v6, v6, v11, vcc       // one in the page
  v_mov_b32_e32 v11, s15
  v_cndmask_b32_e32 v7, v7, v11, vcc
  global_store_dwordx2 v[4:5], v[6:7], off
  s_sub_u32 s10, s10, 1
  s_cmp_lg_u32 s10, 0
  s_cbranch_scc1 .Lround
  s_waitcnt vmcnt(0)
  s_endpgm
.Lscribble_end:
  .size scribble, .Lscribble_end-scribble

// peek(from): loads 64 bits and stores nothing.
.globl peek
.p2align 8
.type peek,@function
peek:
  s_load_dwordx2 s[4:5], s[0:1], 0x0
  v_mov_b32_e32 v0, 0
  s_waitcnt lgkmcnt(0)
  global_load_dwordx2 v[2:3], v0, s[4:5]
  s_waitcnt vmcnt(0)
  s_endpgm
.Lpeek_end:
  .size peek, .Lpeek_end-peek

.macro KERNEL name
.rodata
.p2align 6
.amdhsa_kernel \name
  .amdhsa_next_free_vgpr 16
  .amdhsa_next_free_sgpr 24
  .amdhsa_accum_offset 16
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_system_sgpr_workgroup_id_x 1
  .amdhsa_kernarg_size 32
.end_amdhsa_kernel
.endm
KERNEL poke
KERNEL scribble
KERNEL peek

.amdgpu_metadata
---
amdhsa.version: [1, 2]
amdhsa.target: amdgcn-amd-amdhsa--gfx90a
amdhsa.kernels:
  - .name: poke
    .symbol: poke.kd
    .kernarg_segment_size: 32
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 24
    .vgpr_count: 16
    .max_flat_workgroup_size: 64
  - .name: scribble
    .symbol: scribble.kd
    .kernarg_segment_size: 32
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 24
    .vgpr_count: 16
    .max_flat_workgroup_size: 64
  - .name: peek
    .symbol: peek.kd
    .kernarg_segment_size: 32
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 24
    .vgpr_count: 16
    .max_flat_workgroup_size: 64
...
.end_amdgpu_metadata
