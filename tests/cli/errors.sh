#!/bin/sh
# SPDX-License-Identifier: MIT
# Messages say what they know: what a kernel takes, what was meant, which argument a fault belongs to.
# usage: errors.sh [path of softwave]
. "$(dirname "$0")/../command.sh"

# y[i] = a * x[i], without a check against n.
cat > saxpy.s << 'S'
.amdgcn_target "amdgcn-amd-amdhsa--gfx90a"
.text
.globl saxpy
.p2align 8
.type saxpy,@function
saxpy:
    s_load_dwordx4 s[4:7], s[0:1], 0x0
    s_load_dword s8, s[0:1], 0x10
    v_lshlrev_b32 v1, 2, v0
    s_waitcnt lgkmcnt(0)
    global_load_dword v2, v1, s[6:7]
    s_waitcnt vmcnt(0)
    v_mul_f32 v2, s8, v2
    global_store_dword v1, v2, s[4:5]
    s_endpgm
.section .rodata,"a"
.p2align 6
.amdhsa_kernel saxpy
    .amdhsa_next_free_vgpr 4
    .amdhsa_next_free_sgpr 16
    .amdhsa_accum_offset 4
    .amdhsa_user_sgpr_kernarg_segment_ptr 1
    .amdhsa_kernarg_size 24
.end_amdhsa_kernel
.amdgpu_metadata
amdhsa.version: [1, 2]
amdhsa.target: amdgcn-amd-amdhsa--gfx90a
amdhsa.kernels:
  - .name: saxpy
    .symbol: saxpy.kd
    .kernarg_segment_size: 24
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 16
    .vgpr_count: 4
    .max_flat_workgroup_size: 256
    .args:
      - {.name: y, .type_name: 'float*', .size: 8, .offset: 0, .value_kind: global_buffer, .address_space: global}
      - {.name: x, .type_name: 'const float*', .size: 8, .offset: 8, .value_kind: global_buffer, .address_space: global}
      - {.name: a, .type_name: float, .size: 4, .offset: 16, .value_kind: by_value}
      - {.name: n, .type_name: int, .size: 4, .offset: 20, .value_kind: by_value}
.end_amdgpu_metadata
S
run='run -g 64 saxpy.s'
expect 0 '@0: 3 3' $run buf:256,show=f32:2 buf:256,fill=f32:1 f32:3 i32:64

# Arguments.
expect 1 "kernel 'saxpy' takes 4 arguments, 0 given
  0  y  float*
  1  x  const float*
  2  a  float
  3  n  int
give for example: buf:SIZE buf:SIZE f32:V i32:V" run saxpy.s
expect 1 "argument 2, 'f64:2': 8 bytes given, but 'float a' takes 4 (f32:V)" $run buf:256 buf:256 f64:2 i32:1
expect 1 "argument 'buf:256,show=float': show= needs a type" $run buf:256,show=float buf:256 f32:2 i32:1
expect 1 'did you mean f32?' $run buf:256,show=float buf:256 f32:2 i32:1
expect 1 "argument 2, '2': unknown form; did you mean f32:2?" $run buf:256 buf:256 2 i32:1
expect 1 "argument 3, '64': unknown form; did you mean i32:64?" $run buf:256 buf:256 f32:2 64
expect 1 "argument 2, 'float:2': unknown form; did you mean f32:2?" $run buf:256 buf:256 float:2 i32:1
expect 1 "argument 1, 'in.bin': unknown form; did you mean buf:in=in.bin?" $run buf:256 in.bin f32:2 i32:1
expect 1 "argument 1, 'nonsense': unknown form; see" $run buf:256 nonsense f32:2 i32:1

# Faults.
expect 3 'fault: reads memory that it may not at 0x' $run buf:256 buf:16 f32:2 i32:64
expect 3 '0 bytes past the end of argument 1 (x) (16 bytes)' $run buf:256 buf:16 f32:2 i32:64
expect 3 '64 bytes past the end of argument 0 (y) (128 bytes)' $run buf:128 @0+192 f32:2 i32:64
expect 3 'argument 1 (x) is null' $run buf:256 null f32:2 i32:64
expect 3 'bytes past the end of buffer other (16 bytes)' run -g 64 --buffer other=16 saxpy.s buf:256 @other f32:2 i32:64

# Names that are nearly right.
expect 1 "no command 'rnu'; did you mean 'run'?" rnu
expect 1 "no command 'diss'; did you mean 'dis'?" help diss
# exec says --gpu where others say --target, and LLVM's tools -mcpu: each takes all.
expect 0 'v0 = 0x40400000 (3) in all lanes' eval --gpu=mi250x 'v_add_f32 v0, v1, v2' v1=f32:1 v2=f32:2
expect 1 'give for example: buf:SIZE buf:SIZE f32:V i32:V' run --gpu=mi250x saxpy.s
expect 2 'nothing: No such file' exec --target=mi250x ./nothing
expect 2 'nothing.ll: error: cannot open: No such file' cc --gpu=mi250x nothing.ll
expect 2 'nothing.ll: error: cannot open: No such file' cc -mcpu=gfx90a nothing.ll
expect 2 'nothing.s: error: cannot open: No such file' as --gpu=mi250x nothing.s
expect 2 'nothing.o: error: cannot open: No such file' obj --gpu=mi250x nothing.o
expect 0 'v_add_f32' isa --gpu mi250x v_add_f32
expect 1 'unknown option --grdi=64; did you mean --grid?' run --grdi=64 saxpy.s
expect 1 'unknown option --nothing-like-it' run --nothing-like-it saxpy.s
expect 2 "did you mean v_add_f32" isa v_add_f23
echo 'v_add_f23 v0, v1, v2' > swapped.s
expect 2 "did you mean v_add_f32?" as --target=gfx90a --show-encoding swapped.s
expect 2 "unknown processor 'gxf90a'; did you mean 'gfx90a'?" targets gxf90a
expect 2 "unknown processor 'mi30x'; did you mean 'mi300x'?" targets mi30x
expect 2 "unknown processor 'nothing'
nothing" targets nothing

# Products in place of processors.
for product in mi300x MI300X 'AMD Instinct MI300X' instinct-mi300x; do
    expect 0 'gfx942: ' targets "$product"
done
for pair in 'rx5700:gfx1010' 'RX 6800:gfx1030' 'Radeon RX 7900 XTX:gfx1100' '7900xt:gfx1100' '9070xt:gfx1201' 'Radeon VII:gfx906' \
    'vega64:gfx900' 'mi50:gfx906' 'mi100:gfx908' 'mi210:gfx90a' 'mi250x:gfx90a' 'mi325x:gfx942' 'mi355x:gfx950' 'strix point:gfx1150' \
    'StrixHalo:gfx1151' '8060s:gfx1151' '780M:gfx1103' 'phoenix:gfx1103' 'rx580:gfx803' 'Steam Deck:gfx1033'; do
    expect 0 "${pair#*:}: " targets "${pair%:*}"
done
expect 0 'canonical      gfx90a:xnack+' targets mi250x:xnack+
expect 0 'Instinct MI210, Instinct MI250, Instinct MI250X' targets
expect 0 '"AMD Radeon RX 7900 XT"' targets --json 7900xtx
echo 'v_add_f32 v0, v1, v2' > add.s
expect 0 '[0x01,0x05,0x00,0x02]' as --target=mi250x --show-encoding add.s # GFX9's; it ends in 0x06 from GFX10 on
expect 0 'v0 = 0x40400000 (3) in all lanes' eval --target=mi250x 'v_add_f32 v0, v1, v2' v1=f32:1 v2=f32:2
expect 0 '@0: 3 3' run --target=mi210 -g 64 saxpy.s buf:256,show=f32:2 buf:256,fill=f32:1 f32:3 i32:64
expect 0 's_load_dwordx4' isa --target=mi100 s_load_dwordx4
expect 2 'the text is for amdgcn-amd-amdhsa--gfx90a' run --target=mi300x -g 64 saxpy.s buf:256 buf:256 f32:3 i32:64
# Files name processors only.
sed 's/--gfx90a/--mi250x/' saxpy.s > product.s
expect 2 "unknown processor 'mi250x'" run -g 64 product.s buf:256 buf:256 f32:3 i32:64

# A kernel in assembly that is for no system.
printf '.amdhsa_kernel k\n.end_amdhsa_kernel\n' > none.s
expect 2 "'.amdhsa_kernel' is a directive of amdhsa; this assembly is for no system" as --triple=amdgcn-- --mcpu=gfx900 none.s

# What eval says of instructions that it was given.
expect 2 "instruction 2:1: error: gfx90a has no instruction 'v_foo'
v_foo v1
^" eval --target=gfx90a 's_nop 0' 'v_foo v1'
expect 2 'instruction 1:11: error: ' eval --target=gfx90a 'v_add_f32 w0, v1, v2'
expect 0 'v0 = 0x40200000 (2.5)' eval --target=gfx90a 'v_add_f32 v0, v1, v2' v1=1.5 v2=1.0
expect 0 'v[0:1] = 0x4004000000000000 (2.5)' eval --target=gfx90a 'v_add_f64 v[0:1], v[2:3], v[2:3]' 'v[2:3]=1.25'
expect 0 'v0 = 0x0000001f in all lanes' eval --target=gfx90a 'v_mov_b32 v0, v1' v1=0x1f # no exponent
expect 1 "'1.x' is no value" eval --target=gfx90a 'v_mov_b32 v0, v1' v1=1.x

finish
