#!/bin/sh
# SPDX-License-Identifier: MIT
# Matrix instructions, from intrinsics: results of `softwave cc` and of llc-22 on the same device, bit for bit. Accumulation
# registers: results that stay in them through a loop, spilling into them, inline assembly that asks for them (INT-40, INT-41).
# usage: matrix.sh [path of softwave]; TARGETS="gfx908 gfx1100:64" takes less
. "$(dirname "$0")/../tools.sh"
begin_test "$@"
. "$here/together.inc"
need_llvm_22 "$LLC"
need_reader

# NAME A B C PROCESSORS [NUMBERS]: the types of the matrices; numbers (cbsz, abid, blgp) other than 0.
cat > mfma << 'T'
mfma.f32.16x16x16bf16.1k v4i16 v4i16 v4f32 gfx90a,gfx942,gfx950
mfma.f32.16x16x16f16 v4f16 v4f16 v4f32 gfx908,gfx90a,gfx942,gfx950
mfma.f32.16x16x1f32 f32 f32 v16f32 gfx908,gfx90a,gfx942,gfx950
mfma.f32.16x16x2bf16 v2i16 v2i16 v16f32 gfx908,gfx90a
mfma.f32.16x16x32.bf16 v8bf16 v8bf16 v4f32 gfx950
mfma.f32.16x16x32.bf8.bf8 i64 i64 v4f32 gfx942,gfx950
mfma.f32.16x16x32.bf8.fp8 i64 i64 v4f32 gfx942,gfx950
mfma.f32.16x16x32.f16 v8f16 v8f16 v4f32 gfx950
mfma.f32.16x16x32.fp8.bf8 i64 i64 v4f32 gfx942,gfx950
mfma.f32.16x16x32.fp8.fp8 i64 i64 v4f32 gfx942,gfx950
mfma.f32.16x16x4bf16.1k v4i16 v4i16 v16f32 gfx90a,gfx942,gfx950
mfma.f32.16x16x4f16 v4f16 v4f16 v16f32 gfx908,gfx90a,gfx942,gfx950
mfma.f32.16x16x4f32 f32 f32 v4f32 gfx908,gfx90a,gfx942,gfx950
mfma.f32.16x16x8.xf32 v2f32 v2f32 v4f32 gfx942
mfma.f32.16x16x8bf16 v2i16 v2i16 v4f32 gfx908,gfx90a
mfma.f32.32x32x16.bf16 v8bf16 v8bf16 v16f32 gfx950
mfma.f32.32x32x16.bf8.bf8 i64 i64 v16f32 gfx942,gfx950
mfma.f32.32x32x16.bf8.fp8 i64 i64 v16f32 gfx942,gfx950
mfma.f32.32x32x16.f16 v8f16 v8f16 v16f32 gfx950
mfma.f32.32x32x16.fp8.bf8 i64 i64 v16f32 gfx942,gfx950
mfma.f32.32x32x16.fp8.fp8 i64 i64 v16f32 gfx942,gfx950
mfma.f32.32x32x1f32 f32 f32 v32f32 gfx908,gfx90a,gfx942,gfx950
mfma.f32.32x32x2bf16 v2i16 v2i16 v32f32 gfx908,gfx90a
mfma.f32.32x32x2f32 f32 f32 v16f32 gfx908,gfx90a,gfx942,gfx950
mfma.f32.32x32x4.xf32 v2f32 v2f32 v16f32 gfx942
mfma.f32.32x32x4bf16 v2i16 v2i16 v16f32 gfx908,gfx90a
mfma.f32.32x32x4bf16.1k v4i16 v4i16 v32f32 gfx90a,gfx942,gfx950
mfma.f32.32x32x4f16 v4f16 v4f16 v32f32 gfx908,gfx90a,gfx942,gfx950
mfma.f32.32x32x8bf16.1k v4i16 v4i16 v16f32 gfx90a,gfx942,gfx950
mfma.f32.32x32x8f16 v4f16 v4f16 v16f32 gfx908,gfx90a,gfx942,gfx950
mfma.f32.4x4x1f32 f32 f32 v4f32 gfx908,gfx90a,gfx942,gfx950
mfma.f32.4x4x2bf16 v2i16 v2i16 v4f32 gfx908,gfx90a
mfma.f32.4x4x4bf16.1k v4i16 v4i16 v4f32 gfx90a,gfx942,gfx950
mfma.f32.4x4x4f16 v4f16 v4f16 v4f32 gfx908,gfx90a,gfx942,gfx950
mfma.f64.16x16x4f64 f64 f64 v4f64 gfx90a,gfx942,gfx950
mfma.f64.4x4x4f64 f64 f64 f64 gfx90a,gfx942,gfx950
mfma.i32.16x16x16i8 i32 i32 v4i32 gfx908,gfx90a
mfma.i32.16x16x32.i8 i64 i64 v4i32 gfx942,gfx950
mfma.i32.16x16x4i8 i32 i32 v16i32 gfx908,gfx90a,gfx942,gfx950
mfma.i32.16x16x64.i8 v4i32 v4i32 v4i32 gfx950
mfma.i32.32x32x16.i8 i64 i64 v16i32 gfx942,gfx950
mfma.i32.32x32x32.i8 v4i32 v4i32 v16i32 gfx950
mfma.i32.32x32x4i8 i32 i32 v32i32 gfx908,gfx90a,gfx942,gfx950
mfma.i32.32x32x8i8 i32 i32 v16i32 gfx908,gfx90a
mfma.i32.4x4x4i8 i32 i32 v4i32 gfx908,gfx90a,gfx942,gfx950
smfmac.f32.16x16x128.bf8.bf8 v4i32 v8i32 v4f32 gfx950
smfmac.f32.16x16x128.bf8.fp8 v4i32 v8i32 v4f32 gfx950
smfmac.f32.16x16x128.fp8.bf8 v4i32 v8i32 v4f32 gfx950
smfmac.f32.16x16x128.fp8.fp8 v4i32 v8i32 v4f32 gfx950
smfmac.f32.16x16x32.bf16 v4i16 v8i16 v4f32 gfx942,gfx950
smfmac.f32.16x16x32.f16 v4f16 v8f16 v4f32 gfx942,gfx950
smfmac.f32.16x16x64.bf16 v8bf16 v16bf16 v4f32 gfx950
smfmac.f32.16x16x64.bf8.bf8 v2i32 v4i32 v4f32 gfx942,gfx950
smfmac.f32.16x16x64.bf8.fp8 v2i32 v4i32 v4f32 gfx942,gfx950
smfmac.f32.16x16x64.f16 v8f16 v16f16 v4f32 gfx950
smfmac.f32.16x16x64.fp8.bf8 v2i32 v4i32 v4f32 gfx942,gfx950
smfmac.f32.16x16x64.fp8.fp8 v2i32 v4i32 v4f32 gfx942,gfx950
smfmac.f32.32x32x16.bf16 v4i16 v8i16 v16f32 gfx942,gfx950
smfmac.f32.32x32x16.f16 v4f16 v8f16 v16f32 gfx942,gfx950
smfmac.f32.32x32x32.bf16 v8bf16 v16bf16 v16f32 gfx950
smfmac.f32.32x32x32.bf8.bf8 v2i32 v4i32 v16f32 gfx942,gfx950
smfmac.f32.32x32x32.bf8.fp8 v2i32 v4i32 v16f32 gfx942,gfx950
smfmac.f32.32x32x32.f16 v8f16 v16f16 v16f32 gfx950
smfmac.f32.32x32x32.fp8.bf8 v2i32 v4i32 v16f32 gfx942,gfx950
smfmac.f32.32x32x32.fp8.fp8 v2i32 v4i32 v16f32 gfx942,gfx950
smfmac.f32.32x32x64.bf8.bf8 v4i32 v8i32 v16f32 gfx950
smfmac.f32.32x32x64.bf8.fp8 v4i32 v8i32 v16f32 gfx950
smfmac.f32.32x32x64.fp8.bf8 v4i32 v8i32 v16f32 gfx950
smfmac.f32.32x32x64.fp8.fp8 v4i32 v8i32 v16f32 gfx950
smfmac.i32.16x16x128.i8 v4i32 v8i32 v4i32 gfx950
smfmac.i32.16x16x64.i8 v2i32 v4i32 v4i32 gfx942,gfx950
smfmac.i32.32x32x32.i8 v2i32 v4i32 v16i32 gfx942,gfx950
smfmac.i32.32x32x64.i8 v4i32 v8i32 v16i32 gfx950
mfma.f32.32x32x1f32 f32 f32 v32f32 gfx908,gfx90a,gfx942,gfx950 1,1,3
mfma.f32.4x4x1f32 f32 f32 v4f32 gfx908,gfx90a,gfx942,gfx950 2,1,5
mfma.f32.16x16x4f16 v4f16 v4f16 v16f32 gfx908,gfx90a,gfx942,gfx950 2,3,4
mfma.i32.16x16x4i8 i32 i32 v16i32 gfx908,gfx90a,gfx942,gfx950 1,0,2
smfmac.f32.16x16x32.f16 v4f16 v8f16 v4f32 gfx942,gfx950 1,1
smfmac.i32.32x32x32.i8 v2i32 v4i32 v16i32 gfx942,gfx950 1,1
mfma.f64.16x16x4f64 f64 f64 v4f64 gfx942,gfx950 0,0,5
mfma.scale.f32.16x16x128.f8f6f4 v8i32 v8i32 v4f32 gfx950 0,0
mfma.scale.f32.16x16x128.f8f6f4 v8i32 v4i32 v4f32 gfx950 1,4
mfma.scale.f32.16x16x128.f8f6f4 v6i32 v6i32 v4f32 gfx950 2,2
mfma.scale.f32.16x16x128.f8f6f4 v6i32 v8i32 v4f32 gfx950 3,1
mfma.scale.f32.16x16x128.f8f6f4 v4i32 v6i32 v4f32 gfx950 4,3
mfma.scale.f32.32x32x64.f8f6f4 v8i32 v8i32 v16f32 gfx950 0,0
mfma.scale.f32.32x32x64.f8f6f4 v8i32 v4i32 v16f32 gfx950 1,4
mfma.scale.f32.32x32x64.f8f6f4 v6i32 v6i32 v16f32 gfx950 2,2
mfma.scale.f32.32x32x64.f8f6f4 v6i32 v8i32 v16f32 gfx950 3,1
mfma.scale.f32.32x32x64.f8f6f4 v4i32 v6i32 v16f32 gfx950 4,3
T
# NAME A B C PROCESSOR KIND: plain, bit (which halves), signs
cat > wmma << 'T'
wmma.f32.16x16x16.f16 v16f16 v16f16 v8f32 gfx1100:32 plain
wmma.f32.16x16x16.bf16 v16i16 v16i16 v8f32 gfx1100:32 plain
wmma.f16.16x16x16.f16.tied v16f16 v16f16 v16f16 gfx1100:32 bit0
wmma.bf16.16x16x16.bf16.tied v16i16 v16i16 v16i16 gfx1100:32 bit0
wmma.f16.16x16x16.f16.tied v16f16 v16f16 v16f16 gfx1100:32 bit1
wmma.bf16.16x16x16.bf16.tied v16i16 v16i16 v16i16 gfx1100:32 bit1
wmma.i32.16x16x16.iu8 v4i32 v4i32 v8i32 gfx1100:32 signs00
wmma.i32.16x16x16.iu4 v2i32 v2i32 v8i32 gfx1100:32 signs00
wmma.i32.16x16x16.iu8 v4i32 v4i32 v8i32 gfx1100:32 signs01
wmma.i32.16x16x16.iu4 v2i32 v2i32 v8i32 gfx1100:32 signs01
wmma.i32.16x16x16.iu8 v4i32 v4i32 v8i32 gfx1100:32 signs10
wmma.i32.16x16x16.iu4 v2i32 v2i32 v8i32 gfx1100:32 signs10
wmma.i32.16x16x16.iu8 v4i32 v4i32 v8i32 gfx1100:32 signs11
wmma.i32.16x16x16.iu4 v2i32 v2i32 v8i32 gfx1100:32 signs11
wmma.f32.16x16x16.f16 v8f16 v8f16 v8f32 gfx1200:32 plain
wmma.f32.16x16x16.bf16 v8i16 v8i16 v8f32 gfx1200:32 plain
wmma.f16.16x16x16.f16 v8f16 v8f16 v8f16 gfx1200:32 bit0
wmma.bf16.16x16x16.bf16 v8i16 v8i16 v8i16 gfx1200:32 bit0
wmma.f32.16x16x16.fp8.fp8 v2i32 v2i32 v8f32 gfx1200:32 plain
swmmac.f32.16x16x32.fp8.fp8 v2i32 v4i32 v8f32 gfx1200:32 index
wmma.f32.16x16x16.fp8.bf8 v2i32 v2i32 v8f32 gfx1200:32 plain
swmmac.f32.16x16x32.fp8.bf8 v2i32 v4i32 v8f32 gfx1200:32 index
wmma.f32.16x16x16.bf8.fp8 v2i32 v2i32 v8f32 gfx1200:32 plain
swmmac.f32.16x16x32.bf8.fp8 v2i32 v4i32 v8f32 gfx1200:32 index
wmma.f32.16x16x16.bf8.bf8 v2i32 v2i32 v8f32 gfx1200:32 plain
swmmac.f32.16x16x32.bf8.bf8 v2i32 v4i32 v8f32 gfx1200:32 index
wmma.i32.16x16x16.iu8 v2i32 v2i32 v8i32 gfx1200:32 signs00
wmma.i32.16x16x16.iu4 i32 i32 v8i32 gfx1200:32 signs00
wmma.i32.16x16x32.iu4 v2i32 v2i32 v8i32 gfx1200:32 signs00
swmmac.i32.16x16x32.iu8 v2i32 v4i32 v8i32 gfx1200:32 index00
swmmac.i32.16x16x32.iu4 i32 v2i32 v8i32 gfx1200:32 index00
swmmac.i32.16x16x64.iu4 v2i32 v4i32 v8i32 gfx1200:32 wide00
wmma.i32.16x16x16.iu8 v2i32 v2i32 v8i32 gfx1200:32 signs11
wmma.i32.16x16x16.iu4 i32 i32 v8i32 gfx1200:32 signs11
wmma.i32.16x16x32.iu4 v2i32 v2i32 v8i32 gfx1200:32 signs11
swmmac.i32.16x16x32.iu8 v2i32 v4i32 v8i32 gfx1200:32 index11
swmmac.i32.16x16x32.iu4 i32 v2i32 v8i32 gfx1200:32 index11
swmmac.i32.16x16x64.iu4 v2i32 v4i32 v8i32 gfx1200:32 wide11
swmmac.f32.16x16x32.f16 v8f16 v16f16 v8f32 gfx1200:32 index
swmmac.f32.16x16x32.bf16 v8i16 v16i16 v8f32 gfx1200:32 index
swmmac.f16.16x16x32.f16 v8f16 v16f16 v8f16 gfx1200:32 index
swmmac.bf16.16x16x32.bf16 v8i16 v16i16 v8i16 gfx1200:32 index
wmma.f32.16x16x16.f16 v16f16 v16f16 v4f32 gfx1100:64 plain
wmma.f32.16x16x16.bf16 v16i16 v16i16 v4f32 gfx1100:64 plain
wmma.f16.16x16x16.f16.tied v16f16 v16f16 v8f16 gfx1100:64 bit0
wmma.bf16.16x16x16.bf16.tied v16i16 v16i16 v8i16 gfx1100:64 bit0
wmma.f16.16x16x16.f16.tied v16f16 v16f16 v8f16 gfx1100:64 bit1
wmma.bf16.16x16x16.bf16.tied v16i16 v16i16 v8i16 gfx1100:64 bit1
wmma.i32.16x16x16.iu8 v4i32 v4i32 v4i32 gfx1100:64 signs00
wmma.i32.16x16x16.iu4 v2i32 v2i32 v4i32 gfx1100:64 signs00
wmma.i32.16x16x16.iu8 v4i32 v4i32 v4i32 gfx1100:64 signs01
wmma.i32.16x16x16.iu4 v2i32 v2i32 v4i32 gfx1100:64 signs01
wmma.i32.16x16x16.iu8 v4i32 v4i32 v4i32 gfx1100:64 signs10
wmma.i32.16x16x16.iu4 v2i32 v2i32 v4i32 gfx1100:64 signs10
wmma.i32.16x16x16.iu8 v4i32 v4i32 v4i32 gfx1100:64 signs11
wmma.i32.16x16x16.iu4 v2i32 v2i32 v4i32 gfx1100:64 signs11
wmma.f32.16x16x16.f16 v4f16 v4f16 v4f32 gfx1200:64 plain
wmma.f32.16x16x16.bf16 v4i16 v4i16 v4f32 gfx1200:64 plain
wmma.f16.16x16x16.f16 v4f16 v4f16 v4f16 gfx1200:64 bit0
wmma.bf16.16x16x16.bf16 v4i16 v4i16 v4i16 gfx1200:64 bit0
wmma.f32.16x16x16.fp8.fp8 i32 i32 v4f32 gfx1200:64 plain
swmmac.f32.16x16x32.fp8.fp8 i32 v2i32 v4f32 gfx1200:64 index
wmma.f32.16x16x16.fp8.bf8 i32 i32 v4f32 gfx1200:64 plain
swmmac.f32.16x16x32.fp8.bf8 i32 v2i32 v4f32 gfx1200:64 index
wmma.f32.16x16x16.bf8.fp8 i32 i32 v4f32 gfx1200:64 plain
swmmac.f32.16x16x32.bf8.fp8 i32 v2i32 v4f32 gfx1200:64 index
wmma.f32.16x16x16.bf8.bf8 i32 i32 v4f32 gfx1200:64 plain
swmmac.f32.16x16x32.bf8.bf8 i32 v2i32 v4f32 gfx1200:64 index
wmma.i32.16x16x16.iu8 i32 i32 v4i32 gfx1200:64 signs00
wmma.i32.16x16x16.iu4 i32 i32 v4i32 gfx1200:64 signs00
wmma.i32.16x16x32.iu4 i32 i32 v4i32 gfx1200:64 signs00
swmmac.i32.16x16x32.iu8 i32 v2i32 v4i32 gfx1200:64 index00
swmmac.i32.16x16x32.iu4 i32 i32 v4i32 gfx1200:64 index00
swmmac.i32.16x16x64.iu4 i32 v2i32 v4i32 gfx1200:64 index00
wmma.i32.16x16x16.iu8 i32 i32 v4i32 gfx1200:64 signs11
wmma.i32.16x16x16.iu4 i32 i32 v4i32 gfx1200:64 signs11
wmma.i32.16x16x32.iu4 i32 i32 v4i32 gfx1200:64 signs11
swmmac.i32.16x16x32.iu8 i32 v2i32 v4i32 gfx1200:64 index11
swmmac.i32.16x16x32.iu4 i32 i32 v4i32 gfx1200:64 index11
swmmac.i32.16x16x64.iu4 i32 v2i32 v4i32 gfx1200:64 index11
swmmac.f32.16x16x32.f16 v4f16 v8f16 v4f32 gfx1200:64 index
swmmac.f32.16x16x32.bf16 v4i16 v8i16 v4f32 gfx1200:64 index
swmmac.f16.16x16x32.f16 v4f16 v8f16 v4f16 gfx1200:64 index
swmmac.bf16.16x16x32.bf16 v4i16 v8i16 v4i16 gfx1200:64 index
T

# llvm TYPE: v4f32 as LLVM writes it, in $said
llvm() {
    case $1 in
        *bf16) said=bfloat ;;
        *f16) said=half ;;
        *f32) said=float ;;
        *f64) said=double ;;
        *) said=i${1##*i} ;;
    esac
    case $1 in v*) said="${1%%[!v0-9]*} x $said>" && said="<${said#v}" ;; esac
}
types() { # types A B C: in $ta, $tb, $tc
    llvm "$1" && ta=$said && llvm "$2" && tb=$said && llvm "$3" && tc=$said
}
# plain NAME: with underscores for what a symbol cannot have, in $k
plain() {
    k=$1
    while :; do
        case $k in *[.,]*) k=${k%%[.,]*}_${k#*[.,]} ;; *) break ;; esac
    done
}

# kernel NAME A B C ARGUMENTS: one product, then (NAME_loop) a sum of products in a loop
kernel() {
    types "$2" "$3" "$4" && a=$ta b=$tb c=$tc
    for form in "" _loop; do
        echo "define amdgpu_kernel void @$1$form(ptr addrspace(1) %out, ptr addrspace(1) %in_a, ptr addrspace(1) %in_b, ptr addrspace(1) %in_c, i32 %n) #0 {"
        echo "entry:"
        echo "  %id = call i32 @llvm.amdgcn.workitem.id.x()"
        echo "  %pa = getelementptr $a, ptr addrspace(1) %in_a, i32 %id"
        echo "  %pb = getelementptr $b, ptr addrspace(1) %in_b, i32 %id"
        echo "  %pc = getelementptr $c, ptr addrspace(1) %in_c, i32 %id"
        echo "  %pi = getelementptr i32, ptr addrspace(1) %in_a, i32 %id"
        echo "  %a = load $a, ptr addrspace(1) %pa, align 4"
        echo "  %b = load $b, ptr addrspace(1) %pb, align 4"
        echo "  %c0 = load $c, ptr addrspace(1) %pc, align 4"
        echo "  %index = load i32, ptr addrspace(1) %pi"
        echo "  %short = trunc i32 %index to i16"
        echo "  br label %more"
        echo "more:"
        echo "  %i = phi i32 [ 0, %entry ], [ %j, %more ]"
        echo "  %c = phi $c [ %c0, %entry ], [ %d, %more ]"
        echo "  %d = call $c @llvm.amdgcn.$6($5)"
        echo "  %j = add i32 %i, 1"
        if [ -n "$form" ]; then echo "  %again = icmp ult i32 %j, %n"; else echo "  %again = icmp ult i32 %j, 0"; fi
        echo "  br i1 %again, label %more, label %end"
        echo "end:"
        echo "  %po = getelementptr $c, ptr addrspace(1) %out, i32 %id"
        echo "  store $c %d, ptr addrspace(1) %po, align 4"
        echo "  ret void"
        echo "}"
    done
}

mfma_module() {
    grep -E "[ ,]$1([ ,]|\$)" mfma | while read -r name a b c _ numbers; do
        types "$a" "$b" "$c"
        plain "k_${name}_$numbers"
        IFS=,
        set -- $numbers
        unset IFS
        case $name in
            *scale*) arguments="$ta %a, $tb %b, $tc %c, i32 $1, i32 $2, i32 2, i32 %index, i32 3, i32 %n" name=$name.$a.$b ;;
            smfmac*) arguments="$ta %a, $tb %b, $tc %c, i32 %index, i32 ${1:-0}, i32 ${2:-0}" ;;
            *) arguments="$ta %a, $tb %b, $tc %c, i32 ${1:-0}, i32 ${2:-0}, i32 ${3:-0}" ;;
        esac
        kernel "$k" "$a" "$b" "$c" "$arguments" "$name"
    done
}
wmma_module() {
    grep " $1 " wmma | while read -r name a b c _ kind; do
        types "$a" "$b" "$c"
        plain "k_${name}_$kind"
        sa=${kind%?} sa=${sa#"${sa%?}"} sb=${kind#"${kind%?}"} # the last two letters
        case $kind in
            plain) arguments="$ta %a, $tb %b, $tc %c" suffix=.$c.$a ;;
            bit*) arguments="$ta %a, $tb %b, $tc %c, i1 $sb" suffix=.$c.$a ;;
            signs*) arguments="i1 $sa, $ta %a, i1 $sb, $tb %b, $tc %c, i1 $sa" suffix=.$c.$a ;;
            index) arguments="$ta %a, $tb %b, $tc %c, i16 %short" suffix=.$c.$a.$b.i16 ;;
            wide*) arguments="i1 $sa, $ta %a, i1 $sb, $tb %b, $tc %c, i32 %index, i1 $sb" suffix=.$c.$a.$b.i32 ;;
            index*) arguments="i1 $sa, $ta %a, i1 $sb, $tb %b, $tc %c, i16 %short, i1 $sb" suffix=.$c.$a.$b.i16 ;;
        esac
        kernel "$k" "$a" "$b" "$c" "$arguments" "$name$suffix"
    done
}

${CC:-cc} -w -x c -o make_input - << 'C' || exit 1
#include <stdio.h>
int main(void) {
    unsigned s = 7;
    for (int k = 0; k < 3; k++) {
        FILE *o = fopen((const char *[]){"a.in", "b.in", "c.in"}[k], "wb");
        for (int i = 0; i < 64 * 128; i++) s = s * 1664525 + 1013904223, putc((i & 3) == 3 && s >> 29 ? 0x3f : s >> 24, o);
        fclose(o);
    }
}
C
./make_input || exit 1

mkdir ours llc
compare() { # PROCESSOR WAVE: all.ll on both, all kernels in one process
    whole "$1 $2" all.ll llc.co "$LLC" -mtriple=amdgcn-amd-amdhsa -O2 -mcpu="$1" ${2:+-mattr=+wavefrontsize$2} -filetype=obj
    whole "$1 $2" all.ll ours.co "$softwave" cc --verify --target="$1" ${2:+--mattr=+wavefrontsize$2}
    names=$(kernels_of all.ll)
    rm -f ours/* llc/*
    for object in ours llc; do
        for name in $names; do
            echo "$name -g 64 -b 64 buf:8192,out=$object/$name buf:in=a.in buf:in=b.in buf:in=c.in u32:3"
        done > jobs
        run_all "$1 $2" jobs $object.co --init=random:5 --target="$1"
    done
    compare_all ours llc
    for name in $names; do alike "$name" && pass || wrong "$1 $2 $name: $(cmp ours/"$name" llc/"$name" 2>&1)"; done
}
for target in ${TARGETS:-gfx908 gfx90a gfx942 gfx950 gfx1100:32 gfx1100:64 gfx1200:32 gfx1200:64}; do
    case $target in
        *:*) wmma_module "$target" > all.ll ;;
        *) mfma_module "$target" > all.ll ;;
    esac
    echo 'attributes #0 = { "amdgpu-flat-work-group-size"="64,64" }' >> all.ll
    wave=${target#*:}
    [ "$wave" != "$target" ] || wave=
    compare "${target%:*}" "$wave"
done
# Values that fit no vector register are kept in accumulation registers before the stack.
{
    echo 'define amdgpu_kernel void @many(ptr addrspace(1) %out, ptr addrspace(1) %in, ptr addrspace(1) %b, ptr addrspace(1) %c, i32 %n) #0 {'
    echo '  %id = call i32 @llvm.amdgcn.workitem.id.x()'
    echo '  %p = getelementptr i32, ptr addrspace(1) %in, i32 %id'
    for n in $(seq 0 300); do
        echo "  %p$n = getelementptr i32, ptr addrspace(1) %p, i32 $n"
        echo "  %v$n = load volatile i32, ptr addrspace(1) %p$n"
    done
    echo '  %s0 = add i32 %v0, 1'
    for n in $(seq 300); do
        echo "  %m$n = mul i32 %v$n, %s$((n - 1))"
        echo "  %s$n = add i32 %m$n, %v$((300 - n))"
    done
    echo '  %q = getelementptr i32, ptr addrspace(1) %out, i32 %id'
    echo '  store i32 %s300, ptr addrspace(1) %q'
    echo '  ret void'
    echo '}'
    echo 'attributes #0 = { "amdgpu-flat-work-group-size"="64,64" }'
} > spill.ll
# Registers that inline assembly asks for, names, changes, or takes over from an operand.
cat > asm.ll << 'L'
define amdgpu_kernel void @asm(ptr addrspace(1) %out, ptr addrspace(1) %in, ptr addrspace(1) %b, ptr addrspace(1) %c, i32 %n) #0 {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %f = uitofp i32 %n to float
  %g = uitofp i32 %id to float
  %r = call i32 asm "v_accvgpr_read_b32 $0, $1", "=v,a"(i32 %id)
  %w = call i32 asm "v_accvgpr_write_b32 $0, $1", "=a,v"(i32 %id)
  %x = call i32 asm "v_accvgpr_write_b32 a5, $1", "={a5},v"(i32 %id)
  %y = call i32 asm "v_accvgpr_read_b32 $0, a6", "=v,{a6}"(i32 %n)
  call void asm sideeffect "v_accvgpr_write_b32 a7, 3", "~{a7}"()
  %m = call <4 x float> asm "v_mfma_f32_4x4x1f32 $0, $1, $2, $3", "=a,v,v,a"(float %f, float %g, <4 x float> zeroinitializer)
  %o = call <4 x float> asm "v_mfma_f32_4x4x1f32 $0, $1, $2, $3", "=a,v,v,0"(float %f, float %g, <4 x float> %m)
  %e = extractelement <4 x float> %o, i32 2
  %i = bitcast float %e to i32
  %s = add i32 %r, %w
  %t = add i32 %s, %x
  %u = add i32 %t, %y
  %v = xor i32 %u, %i
  %q = getelementptr i32, ptr addrspace(1) %out, i32 %id
  store i32 %v, ptr addrspace(1) %q
  ret void
}
attributes #0 = { "amdgpu-flat-work-group-size"="64,64" }
L
for target in gfx908 gfx90a; do
    cp asm.ll all.ll && compare $target ""
    cp spill.ll all.ll && compare $target ""
    "$softwave" cc --target=$target spill.ll -S -o spill.s 2> message
    grep -q '\.private_segment_fixed_size: 0$' spill.s && grep -qE '\.agpr_count: [1-9]' spill.s && pass || wrong "$target: values on the stack: $(cat message)"
done
"$softwave" cc --target=gfx906 asm.ll -o asm.co 2> message
[ $? -eq 4 ] && grep -q "accumulation registers on this processor" message && pass || wrong "gfx906: $(cat message)"
end_test
