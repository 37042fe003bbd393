; A picture that is scaled to another size by an image instruction: image and sampler are arguments, which `softwave run`
; makes for whatever GPU it runs on. One source for gfx900, gfx1030, gfx1100 and gfx1200.
;
;   softwave as --target=gfx1030 examples/scale.s -o scale.o && softwave ld -shared scale.o -o scale.co
;   softwave run -g 640,480 -b 64,1 scale.co image:640x480,out=large.png image:in=small.ppm sampler:linear,clamp \
;       f32:0.0015625 f32:0.00208333
;
; Arguments: the image to write, the image to read, the sampler, 1 / width and 1 / height of the image to write.
; s[0:1] arguments, s2 and s3 work-group of 64 by 1 (gfx1200: TTMPs), v0 work-item
.set generation, .amdgcn.gfx_generation_number

.text
.globl scale
.p2align 8
.type scale,@function
scale:
  s_load_dwordx4 s[4:7], s[0:1], 0x0        ; to, from
  s_load_dwordx4 s[8:11], s[0:1], 0x10      ; sampler, 1 / width, 1 / height
.if generation >= 11
  v_and_b32_e32 v0, 0x3ff, v0
.endif
.if generation >= 12
  s_mov_b32 s2, ttmp9
  s_and_b32 s3, ttmp7, 0xffff
  s_wait_kmcnt 0
.else
  s_waitcnt lgkmcnt(0)
.endif
  s_load_dwordx8 s[16:23], s[4:5], 0x0      ; the resources and the sampler
  s_load_dwordx8 s[24:31], s[6:7], 0x0
  s_load_dwordx4 s[12:15], s[8:9], 0x0
.if generation >= 12
  s_wait_kmcnt 0
.else
  s_waitcnt lgkmcnt(0)
.endif

  ; The pixel, and its middle from 0 to 1.
  s_lshl_b32 s2, s2, 6
  v_or_b32_e32 v0, s2, v0
  v_mov_b32_e32 v1, s3
  v_cvt_f32_u32_e32 v2, v0
  v_cvt_f32_u32_e32 v3, v1
  v_add_f32_e32 v2, 0.5, v2
  v_add_f32_e32 v3, 0.5, v3
  v_mul_f32_e32 v2, s10, v2
  v_mul_f32_e32 v3, s11, v3
.if generation >= 12
  image_sample_lz v[4:7], [v2, v3], s[24:31], s[12:15] dmask:0xf dim:SQ_RSRC_IMG_2D
  s_wait_samplecnt 0
  image_store v[4:7], [v0, v1], s[16:23] dmask:0xf dim:SQ_RSRC_IMG_2D
.elseif generation >= 10
  image_sample_lz v[4:7], v[2:3], s[24:31], s[12:15] dmask:0xf dim:SQ_RSRC_IMG_2D
  s_waitcnt vmcnt(0)
  image_store v[4:7], v[0:1], s[16:23] dmask:0xf dim:SQ_RSRC_IMG_2D
.else
  image_sample_lz v[4:7], v[2:3], s[24:31], s[12:15] dmask:0xf
  s_waitcnt vmcnt(0)
  image_store v[4:7], v[0:1], s[16:23] dmask:0xf unorm
.endif
  s_endpgm

.macro describe target, lanes
.rodata
.p2align 6
.amdhsa_kernel scale
  .amdhsa_kernarg_size 32
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_system_sgpr_workgroup_id_y 1
  .amdhsa_next_free_vgpr 8
  .amdhsa_next_free_sgpr 32
.end_amdhsa_kernel

.amdgpu_metadata
---
amdhsa.version: [1, 2]
amdhsa.target: amdgcn-amd-amdhsa--\target
amdhsa.kernels:
  - .name: scale
    .symbol: scale.kd
    .kernarg_segment_size: 32
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: \lanes
    .sgpr_count: 32
    .vgpr_count: 8
    .max_flat_workgroup_size: 256
    .reqd_workgroup_size: [64, 1, 1]
    .args:
      - {.name: to, .offset: 0, .size: 8, .value_kind: image, .address_space: global}
      - {.name: from, .offset: 8, .size: 8, .value_kind: image, .address_space: global}
      - {.name: sampler, .offset: 16, .size: 8, .value_kind: sampler, .address_space: global}
      - {.name: x_step, .offset: 24, .size: 4, .value_kind: by_value}
      - {.name: y_step, .offset: 28, .size: 4, .value_kind: by_value}
...
.end_amdgpu_metadata
.endm
.if generation >= 12
  describe gfx1200, 32
.elseif generation >= 11
  describe gfx1100, 32
.elseif generation >= 10
  describe gfx1030, 32
.else
  describe gfx900, 64
.endif
