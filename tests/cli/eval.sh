#!/bin/sh
# SPDX-License-Identifier: MIT
# `softwave eval`: instructions on a wave, what they change, bad input.
# usage: eval.sh [path of softwave]
softwave=${1:-build/softwave}
passed=0 failed=0
expect() { # STATUS OUTPUT ARG...: the whole output, or for errors a part of it
    status=$1 text=$2
    shift 2
    output=$("$softwave" eval "$@" 2>&1)
    got=$?
    case $status:$output in
    0:"$text") same=1 ;;
    0:*) same=0 ;;
    *"$text"*) same=1 ;;
    *) same=0 ;;
    esac
    if [ $got -eq "$status" ] && [ $same -eq 1 ]; then passed=$((passed + 1)); else
        failed=$((failed + 1))
        echo "eval $*: exit $got, expected $status with '$text', got '$output'"
    fi
}

expect 0 'v0 = 0x40200000 (2.5), 0x40600000 (3.5), 0x40900000 (4.5), 0x3fc00000 (1.5), ...' \
    --target=gfx90a --lanes=4 'v_add_f32 v0, v1, v2' v1=f32:1.5 'v2=f32:[1,2,3]'
expect 0 'v0 = 0x00000002 in all lanes
v1 = 0x00000001 in all lanes' --target=gfx1100 'v_swap_b32 v0, v1' v0=1 v1=2
expect 0 'v0 = 0x40200000 (2.5) in all lanes' --target=gfx1100 'v_add_f32 v0, v1, v2' v1=f32:1.5 v2=f32:1
expect 0 's0 = 0x00000000
s3 = 0x00000001
scc = 0' --target=gfx1100 's_add_u32 s0, s1, s2' 's_addc_u32 s3, 0, 0' s0=7 s1=0xffffffff s2=1 scc=1
expect 0 's3 = 0x00000001' --target=gfx900 's_add_u32 s0, s1, s2' 's_addc_u32 s3, 0, 0' s1=0xffffffff s2=1
expect 0 'vcc = 0x0000000000000007' --target=gfx900 'v_cmp_gt_u32 vcc, v0, 0' 'v0=[1,2,3]'
expect 0 'vcc_lo = 0x00000007' --target=gfx1030 'v_cmp_gt_u32 vcc_lo, v0, 0' 'v0=[1,2,3]'
expect 0 'vcc = 0x0000000000000007' --target=gfx1030 --wave=64 'v_cmp_gt_u32 vcc, v0, 0' 'v0=[1,2,3]'
expect 0 'v[0:1] = 0x3ff028f5c28f5c29 (1.01) in all lanes' \
    --target=gfx900 'v_fma_f64 v[0:1], v[2:3], v[2:3], 1.0' 'v[2:3]=f64:0.1'
# EXEC: lanes that are off keep their value.
expect 0 'v0 = 0x00000005, 0x00000000, 0x00000005, 0x00000000, ...' \
    --target=gfx1201 --lanes=4 'v_mov_b32 v0, 5' exec=5
# Rounding: 1 + 2^-24 to nearest, then upwards.
expect 0 'v0 = 0x3f800000 (1) in all lanes' --target=gfx906 'v_add_f32 v0, 1.0, v1' v1=0x33800000 mode=0x3f0
expect 0 'v0 = 0x3f800001 (1.00000012) in all lanes' --target=gfx906 'v_add_f32 v0, 1.0, v1' v1=0x33800000 mode=0x3f1
expect 0 'v0 = 0x3f800000 (1) in all lanes' --target=gfx906 'v_add_f32 v0, 1.0, v1' v1=0x33800000 mode=0x3f2
expect 0 'v0 = 0xbf800001 (-1.00000012) in all lanes' --target=gfx906 'v_add_f32 v0, -1.0, v1' v1=0xb3800000 mode=0x3f2
# Denormal numbers: 2^-127 times 1, and the product of 2^-100 and 2^-30, with MODE that flushes and keeps.
for number in '0x00400000 (5.87747175e-39)' '0x00000001 (1.40129846e-45)'; do
    expect 0 "v0 = $number in all lanes" --target=gfx906 'v_mul_f32 v0, 1.0, v1' v1=${number% *} mode=0x3f0
    expect 0 'v0 = 0x00000000 (0) in all lanes' --target=gfx906 'v_mul_f32 v0, 1.0, v1' v0=9 v1=${number% *} mode=0x30c
done
expect 0 'v0 = 0x00080000 (7.34683969e-40) in all lanes' --target=gfx906 'v_mul_f32 v0, v1, v2' v1=0x0d800000 v2=0x30800000 mode=0x3f0
expect 0 'v0 = 0x00000000 (0) in all lanes' --target=gfx906 'v_mul_f32 v0, v1, v2' v0=9 v1=0x0d800000 v2=0x30800000 mode=0x30c
# V_DIV_FMAS scales where VCC says so, an addend of zero by 2^-128, too.
expect 0 'v[0:1] = 0x3808000000000000 (8.8162076311671563e-39) in all lanes' --target=gfx90a 'v_div_fmas_f64 v[0:1], v[2:3], v[4:5], v[6:7]' \
    v[2:3]=f64:3 v[4:5]=f64:1 v[6:7]=f64:0 vcc=0xffffffffffffffff
expect 0 'v[0:1] = 0x4008000000000000 (3) in all lanes' --target=gfx90a 'v_div_fmas_f64 v[0:1], v[2:3], v[4:5], v[6:7]' \
    v[2:3]=f64:3 v[4:5]=f64:1 v[6:7]=f64:0 vcc=0
expect 0 'a0 = 0x00000009 in all lanes' --target=gfx90a 'v_accvgpr_write_b32 a0, v1' v1=9
expect 0 'v0 = 0x0000000c in all lanes' --target=gfx908 'v_accvgpr_read_b32 v0, a3' a3=12
expect 0 'm0 = 0x00000003' --target=gfx803 's_mov_b32 m0, 3'
expect 0 'v1 = 0x00000007 in all lanes' --target=gfx900 's_branch skip' 'v_mov_b32 v0, 1' 'skip:' 'v_mov_b32 v1, 7'
# Halves of registers: of 128 in the short encodings, of all in the long ones (TRAP-036, TRAP-037).
expect 0 'v0 = 0x42001234 (0.00075722) in all lanes' --target=gfx1100 'v_add_f16_e32 v0.h, v1.l, v1.h' v1=0x40003c00 v0=0x1234
expect 0 'v200 = 0x12344400 (4) in all lanes' --target=gfx1100 'v_add_f16_e64 v200.l, v1.h, v1.h' v1=0x40003c00 v200=0x12340000
expect 0 'v128 = 0x00070077 in all lanes' --target=gfx1100 'v_mad_u16 v128.h, v1.l, v1.h, v2.l' v1=0x20003 v2=1 v128=0x77
expect 0 'v0 = 0xb8385678 in all lanes' --target=gfx1200 --mattr=+real-true16 'v_cvt_pk_fp8_f32 v0.h, v1, v2' v1=f32:1 v2=f32:-1 v0=0x12345678
expect 0 'nothing changed' --target=gfx900 's_nop 0'
expect 1 '--target is missing' 's_nop 0'
expect 1 'an instruction is missing' --target=gfx900 v0=1
expect 1 "'w0' is no register" --target=gfx900 's_nop 0' w0=1
expect 1 'is no value' --target=gfx900 's_nop 0' v0=f32:x
expect 1 'mode takes a number' --target=gfx900 's_nop 0' mode=x
expect 1 '--lanes takes a number from 1 to 64' --target=gfx900 --lanes=many 's_nop 0'
expect 1 '--wave takes 32 or 64' --target=gfx1030 --wave=64x 's_nop 0'
expect 1 'is no value' --target=gfx900 's_nop 0' 'v0=[1,2'
expect 2 "did you mean v_add_f32?" --target=gfx900 'v_ad_f32 v0, v1, v2'
expect 2 'v_add_f32: src1 must be a VGPR' --target=gfx900 'v_add_f32_e32 v0, v1, s2'
expect 3 'reads memory that it may not' --target=gfx900 'global_load_dword v0, v[2:3], off'
# An image instruction: without a resource nothing is there; memory of nobody faults; a ray meets no node behind the tree.
expect 0 'v0 = 0x00000000 in all lanes' --target=gfx900 'image_load v0, v[0:3], s[0:7] dmask:0x1 unorm' v0=1 's[0:7]=0'
expect 3 'reads memory that it may not' --target=gfx900 'image_load v0, v[0:1], s[0:7] dmask:0x1 unorm' s0=0x1234 s1=0x00a00000 s3=0x90000fac
expect 0 'v0 = 0xffffffff in all lanes
v1 = 0xffffffff in all lanes
v2 = 0xffffffff in all lanes
v3 = 0xffffffff in all lanes' --target=gfx1030 'image_bvh_intersect_ray v[0:3], v[4:14], s[0:3]' v4=29 s3=0x81000000
expect 4 'triangles are returned by number' --target=gfx1030 'image_bvh_intersect_ray v[0:3], v[4:14], s[0:3]' s3=0x80000000
expect 4 'context switches' --target=gfx1250 tensor_stop
expect 0 'v1 = 0x00000002 in all lanes' --target=gfx900 's_setvskip 1, 0' 'v_mov_b32 v0, 2' 's_setvskip 0, 0' 'v_mov_b32 v1, 2'
# OPSEL chooses the half of a scalar register, too (TRAP-037).
expect 0 'v2 = 0x777700ff in all lanes' --target=gfx1100 'v_xor_b16 v2.l, s4, v3.l op_sel:[1,0,0]' s4=0x00f01234 v2=0x77770000 v3=0xf
expect 0 'v2 = 0x40000000 (2) in all lanes' --target=gfx1100 'v_cvt_f32_f16_e64 v2, s4 op_sel:[1,0]' s4=0x40000000

echo "$passed passed, $failed failed, 0 skipped"
[ $failed -eq 0 ]
