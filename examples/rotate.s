; A picture of 256 by 256 pixels (8_8_8_8), turned around its middle by an image instruction with a linear filter:
; one source for gfx900, gfx1030, gfx1100 and gfx1200. The kernel writes the image's resource and sampler by itself, as
; a driver would; only their bits differ from generation to generation.
;
;   softwave as --target=gfx1030 examples/rotate.s -o rotate.o && softwave ld -shared rotate.o -o rotate.co
;   softwave run -g 256,256 rotate.co buf:262144,out=turned.bin buf:in=picture.bin f32:0.7071068 f32:0.7071068
;
; s[0:1] arguments, s2 and s3 work-group (gfx1200: TTMPs), v0 and v1 work-item, packed in v0 from gfx1100 on
.set generation, .amdgcn.gfx_generation_number

.text
.globl rotate
.p2align 8
.type rotate,@function
rotate:
  s_load_dwordx4 s[4:7], s[0:1], 0x0        ; turned, picture
  s_load_dwordx2 s[20:21], s[0:1], 0x10     ; cosine, sine
.if generation >= 11
  v_bfe_u32 v1, v0, 10, 10
  v_and_b32_e32 v0, 0x3ff, v0
.endif
.if generation >= 12
  s_mov_b32 s2, ttmp9
  s_and_b32 s3, ttmp7, 0xffff
  s_wait_kmcnt 0
.else
  s_waitcnt lgkmcnt(0)
.endif

  ; The resource: base in units of 256 bytes, format 8_8_8_8 UNORM, width and height less one, components in their
  ; order, type 2D. Rows follow each other without a gap.
  s_lshr_b64 s[8:9], s[6:7], 8
  s_and_b32 s9, s9, 0xff
.if generation >= 12
  s_or_b32 s9, s9, (42 << 17) | (3 << 30)
  s_mov_b32 s10, 63 | (255 << 14)
.elseif generation >= 11
  s_or_b32 s9, s9, (42 << 20) | (3 << 30)
  s_mov_b32 s10, 63 | (255 << 14)
.elseif generation >= 10
  s_or_b32 s9, s9, (56 << 20) | (3 << 30)
  s_mov_b32 s10, 63 | (255 << 14) | (1 << 31)
.else
  s_or_b32 s9, s9, 10 << 20
  s_mov_b32 s10, 255 | (255 << 14)
.endif
  s_mov_b32 s11, 0xfac | (9 << 28)
.if generation >= 10
  s_mov_b32 s12, 0
.else
  s_mov_b32 s12, 255 << 13
.endif
  s_mov_b32 s13, 0
  s_mov_b64 s[14:15], 0
  ; The sampler: a border around the picture, opaque black; linear filters; levels of detail up to 15.
  s_mov_b32 s16, 6 | (6 << 3)
.if generation >= 12
  s_mov_b32 s17, (15 << 8) << 13
.else
  s_mov_b32 s17, (15 << 8) << 12
.endif
  s_mov_b32 s18, (1 << 20) | (1 << 22)
  s_mov_b32 s19, 1 << 30

  ; The pixel, and where it is from the middle.
  s_lshl_b32 s2, s2, 6
  s_lshl_b32 s3, s3, 2
  v_or_b32_e32 v0, s2, v0
  v_or_b32_e32 v1, s3, v1
  v_lshlrev_b32_e32 v13, 8, v1
  v_or_b32_e32 v13, v13, v0
  v_lshlrev_b32_e32 v13, 2, v13
  v_cvt_f32_u32_e32 v2, v0
  v_cvt_f32_u32_e32 v3, v1
  v_add_f32_e32 v2, 0xc2ff0000, v2          ; -127.5
  v_add_f32_e32 v3, 0xc2ff0000, v3
  ; Turned, in units of the picture's size from its edge.
  v_mul_f32_e32 v4, s20, v2
  v_mul_f32_e32 v5, s21, v3
  v_sub_f32_e32 v4, v4, v5
  v_mul_f32_e32 v5, s21, v2
  v_mul_f32_e32 v6, s20, v3
  v_add_f32_e32 v5, v5, v6
  v_mul_f32_e32 v4, 0x3b800000, v4          ; 1 / 256
  v_mul_f32_e32 v5, 0x3b800000, v5
  v_add_f32_e32 v4, 0.5, v4
  v_add_f32_e32 v5, 0.5, v5
.if generation >= 12
  image_sample_lz v[8:11], [v4, v5], s[8:15], s[16:19] dmask:0xf dim:SQ_RSRC_IMG_2D
  s_wait_samplecnt 0
.elseif generation >= 10
  image_sample_lz v[8:11], v[4:5], s[8:15], s[16:19] dmask:0xf dim:SQ_RSRC_IMG_2D
  s_waitcnt vmcnt(0)
.else
  image_sample_lz v[8:11], v[4:5], s[8:15], s[16:19] dmask:0xf
  s_waitcnt vmcnt(0)
.endif
  v_mov_b32_e32 v12, 0
.irp n, 0, 1, 2, 3
  v_mul_f32_e32 v[8+\n], 0x437f0000, v[8+\n]    ; 255
  v_cvt_pk_u8_f32 v12, v[8+\n], \n, v12
.endr
  global_store_dword v13, v12, s[4:5]
  s_endpgm

.macro describe target, lanes
.rodata
.p2align 6
.amdhsa_kernel rotate
  .amdhsa_kernarg_size 24
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_system_sgpr_workgroup_id_y 1
  .amdhsa_system_vgpr_workitem_id 1
  .amdhsa_next_free_vgpr 14
  .amdhsa_next_free_sgpr 22
.end_amdhsa_kernel

.amdgpu_metadata
---
amdhsa.version: [1, 2]
amdhsa.target: amdgcn-amd-amdhsa--\target
amdhsa.kernels:
  - .name: rotate
    .symbol: rotate.kd
    .kernarg_segment_size: 24
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: \lanes
    .sgpr_count: 22
    .vgpr_count: 14
    .max_flat_workgroup_size: 256
    .reqd_workgroup_size: [64, 4, 1]
    .args:
      - {.name: turned, .offset: 0, .size: 8, .value_kind: global_buffer, .address_space: global}
      - {.name: picture, .offset: 8, .size: 8, .value_kind: global_buffer, .address_space: global}
      - {.name: cosine, .offset: 16, .size: 4, .value_kind: by_value}
      - {.name: sine, .offset: 20, .size: 4, .value_kind: by_value}
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
