; The Mandelbrot set by hand: the kernel of mandelbrot.cl for gfx90a (waves of 64) and gfx1100 (waves of 32).
; All lanes step together until none of them is inside. Lanes that are inside count.
; Every operation rounds as C's does on the host, so picture.c computes the same numbers, bit for bit.
;
; s[0:1] arguments, s2 and s3 work-group, v0 work-item: x in bits 9:0, y in bits 19:10
.if .amdgcn.gfx_generation_number >= 11
  .set wave32, 1
  .macro below a, b ; vcc = a < b
    v_cmp_lt_f32_e32 vcc_lo, \a, \b
  .endm
  .macro keep_where_above a, b ; the lanes in which a > b
    v_cmp_gt_i32_e32 vcc_lo, \a, \b
    s_and_b32 exec_lo, exec_lo, vcc_lo
  .endm
  .macro count d, one
    v_cndmask_b32_e64 \one, 0, 1, vcc_lo
    v_add_nc_u32_e32 \d, \d, \one
  .endm
  .macro add d, a, b
    v_add_nc_u32_e32 \d, \a, \b
  .endm
.else
  .set wave32, 0
  .macro below a, b
    v_cmp_lt_f32_e32 vcc, \a, \b
  .endm
  .macro keep_where_above a, b
    v_cmp_gt_i32_e32 vcc, \a, \b
    s_and_b64 exec, exec, vcc
  .endm
  .macro count d, one
    v_cndmask_b32_e64 \one, 0, 1, vcc
    v_add_u32_e32 \d, \d, \one
  .endm
  .macro add d, a, b
    v_add_u32_e32 \d, \a, \b
  .endm
.endif

; q = n / d, correctly rounded: v_rcp may be wrong in its last bit, the steps behind it correct that.
; n, d and q are normal numbers, far from overflow, so nothing has to be scaled. r and e are scratch registers.
.macro divide q, n, d, r, e
  v_rcp_f32_e32 \r, \d
  v_fma_f32 \e, -\d, \r, 1.0
  v_fma_f32 \r, \e, \r, \r
  v_mul_f32_e32 \q, \n, \r
  v_fma_f32 \e, -\d, \q, \n
  v_fma_f32 \q, \e, \r, \q
  v_fma_f32 \e, -\d, \q, \n
  v_fma_f32 \q, \e, \r, \q
.endm

.text
.globl mandelbrot
.p2align 8
.type mandelbrot,@function
mandelbrot:
  s_load_dwordx4 s[4:7], s[0:1], 0x0        ; steps, width, height
  s_load_dword s8, s[0:1], 0x10             ; limit
  v_bfe_u32 v1, v0, 10, 10
  v_and_b32_e32 v0, 0x3ff, v0
  s_lshl_b32 s2, s2, 6                      ; groups of 64 by 4 pixels
  s_lshl_b32 s3, s3, 2
  add v0, s2, v0                            ; x
  add v1, s3, v1                            ; y
  s_waitcnt lgkmcnt(0)
  keep_where_above s6, v0
  keep_where_above s7, v1

  v_cvt_f32_i32_e32 v2, s6                  ; c = (-2.2 + 3.2 x / width) + (-1.25 + 2.5 y / height) i
  v_cvt_f32_i32_e32 v3, s7
  v_cvt_f32_i32_e32 v4, v0
  v_cvt_f32_i32_e32 v5, v1
  v_mul_f32_e32 v4, 0x404ccccd, v4
  v_mul_f32_e32 v5, 0x40200000, v5
  divide v6, v4, v2, v9, v10
  divide v7, v5, v3, v9, v10
  v_add_f32_e32 v4, 0xc00ccccd, v6
  v_add_f32_e32 v5, 0xbfa00000, v7

  v_mov_b32_e32 v6, 0                       ; z
  v_mov_b32_e32 v7, 0
  v_mov_b32_e32 v8, 0                       ; steps
  v_mov_b32_e32 v12, 4.0
step:
  v_mul_f32_e32 v9, v6, v6
  v_mul_f32_e32 v10, v7, v7
  v_add_f32_e32 v11, v9, v10
  below v11, v12                            ; |z|² < 4
  s_cmp_eq_u32 s8, 0
  s_cbranch_scc1 done
  s_cbranch_vccz done
  count v8, v11
  v_mul_f32_e32 v11, v6, v7                 ; z = z² + c
  v_sub_f32_e32 v6, v9, v10
  v_add_f32_e32 v6, v6, v4
  v_add_f32_e32 v11, v11, v11
  v_add_f32_e32 v7, v11, v5
  s_sub_u32 s8, s8, 1
  s_branch step
done:
  v_mul_lo_u32 v1, v1, s6
  add v0, v0, v1
  v_lshlrev_b32_e32 v0, 2, v0
  global_store_dword v0, v8, s[4:5]
  s_endpgm
.size mandelbrot, .-mandelbrot

.macro describe target, lanes, more:vararg
.section .rodata,"a"
.p2align 6
.amdhsa_kernel mandelbrot
  .amdhsa_kernarg_size 20
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_system_sgpr_workgroup_id_y 1
  .amdhsa_system_vgpr_workitem_id 1
  .amdhsa_next_free_vgpr 13
  .amdhsa_next_free_sgpr 9
  .amdhsa_float_denorm_mode_32 3
  \more
.end_amdhsa_kernel

.amdgpu_metadata
---
amdhsa.version: [1, 2]
amdhsa.target: amdgcn-amd-amdhsa--\target
amdhsa.kernels:
  - .name: mandelbrot
    .symbol: mandelbrot.kd
    .kernarg_segment_size: 20
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: \lanes
    .sgpr_count: 9
    .vgpr_count: 13
    .max_flat_workgroup_size: 256
    .reqd_workgroup_size: [64, 4, 1]
    .args:
      - {.name: steps, .offset: 0, .size: 8, .value_kind: global_buffer, .address_space: global}
      - {.name: width, .offset: 8, .size: 4, .value_kind: by_value}
      - {.name: height, .offset: 12, .size: 4, .value_kind: by_value}
      - {.name: limit, .offset: 16, .size: 4, .value_kind: by_value}
...
.end_amdgpu_metadata
.endm
.if wave32
  describe gfx1100, 32
.else
  describe gfx90a, 64, .amdhsa_accum_offset 16
.endif
