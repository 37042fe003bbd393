#!/bin/sh
# SPDX-License-Identifier: MIT
# What ignores EXEC where some lanes of a wave wait: matrix operations and v_writelane write registers of all lanes, and values
# of those that wait must survive it. Results of `softwave cc` and of llc-22 on the same device.
# usage: waiting.sh [path of softwave]; TARGETS="gfx908 gfx1100:64" takes less
. "$(dirname "$0")/../tools.sh"
begin_test "$@"
need_llvm_22 "$LLC"
need_reader

# kernel OPERATION: three shapes. @op(x, y) is what ignores EXEC; all 4 lanes of a row of a matrix take the same ways.
# branch: lanes from 32 on wait with values that they alone need. rounds: lanes that have left the loop wait with the last
# value of their own. nested: a branch within a loop, whose other side waits.
kernels() {
    cat << 'L'
target triple = "amdgcn-amd-amdhsa"
declare i32 @llvm.amdgcn.workitem.id.x()
declare i32 @llvm.amdgcn.writelane(i32, i32, i32)
declare <4 x float> @llvm.amdgcn.mfma.f32.4x4x1f32(float, float, <4 x float>, i32, i32, i32)
define internal float @at(ptr addrspace(1) %in, i64 %id, i64 %k) #1 {
  %n = mul i64 %k, 64
  %m = add i64 %n, %id
  %p = getelementptr float, ptr addrspace(1) %in, i64 %m
  %v = load volatile float, ptr addrspace(1) %p
  ret float %v
}
L
    case $1 in
    mfma) cat << 'L'
define internal float @op(float %x, float %y) #1 {
  %a = call <4 x float> @llvm.amdgcn.mfma.f32.4x4x1f32(float %x, float %y, <4 x float> zeroinitializer, i32 0, i32 0, i32 0)
  %b = call <4 x float> @llvm.amdgcn.mfma.f32.4x4x1f32(float %y, float %x, <4 x float> %a, i32 0, i32 0, i32 0)
  %c = call <4 x float> @llvm.amdgcn.mfma.f32.4x4x1f32(float %x, float %x, <4 x float> zeroinitializer, i32 0, i32 0, i32 0)
  %d = fadd <4 x float> %b, %c
  %e = extractelement <4 x float> %d, i32 0
  %f = extractelement <4 x float> %d, i32 3
  %r = fadd float %e, %f
  ret float %r
}
L
    ;;
    lane) cat << 'L'
define internal float @op(float %x, float %y) #1 {
  %i = bitcast float %x to i32
  %a = call i32 @llvm.amdgcn.writelane(i32 1078530011, i32 45, i32 %i)
  %b = call i32 @llvm.amdgcn.writelane(i32 1078530012, i32 11, i32 %a)
  %f = bitcast i32 %b to float
  %r = fadd float %f, %y
  ret float %r
}
L
    ;;
    esac
    cat << 'L'
define amdgpu_kernel void @branch(ptr addrspace(1) %out, ptr addrspace(1) %in) #0 {
  %i = call i32 @llvm.amdgcn.workitem.id.x()
  %id = zext i32 %i to i64
  %y0 = call float @at(ptr addrspace(1) %in, i64 %id, i64 0)
  %y1 = call float @at(ptr addrspace(1) %in, i64 %id, i64 1)
  %y2 = call float @at(ptr addrspace(1) %in, i64 %id, i64 2)
  %y3 = call float @at(ptr addrspace(1) %in, i64 %id, i64 3)
  %y4 = call float @at(ptr addrspace(1) %in, i64 %id, i64 4)
  %y5 = call float @at(ptr addrspace(1) %in, i64 %id, i64 5)
  %y6 = call float @at(ptr addrspace(1) %in, i64 %id, i64 6)
  %y7 = call float @at(ptr addrspace(1) %in, i64 %id, i64 7)
  %y8 = call float @at(ptr addrspace(1) %in, i64 %id, i64 8)
  %y9 = call float @at(ptr addrspace(1) %in, i64 %id, i64 9)
  %y10 = call float @at(ptr addrspace(1) %in, i64 %id, i64 10)
  %y11 = call float @at(ptr addrspace(1) %in, i64 %id, i64 11)
  %c = icmp ult i32 %i, HALF
  br i1 %c, label %then, label %else
then:
  %t = call float @op(float %y0, float %y1)
  br label %join
else:
  %r3 = fmul float %y2, %y3
  %r4 = fadd float %r3, %y4
  %r5 = fmul float %r4, %y5
  %r6 = fadd float %r5, %y6
  %r7 = fmul float %r6, %y7
  %r8 = fadd float %r7, %y8
  %r9 = fmul float %r8, %y9
  %r10 = fadd float %r9, %y10
  %r11 = fmul float %r10, %y11
  br label %join
join:
  %r = phi float [ %t, %then ], [ %r11, %else ]
  %o = getelementptr float, ptr addrspace(1) %out, i64 %id
  store float %r, ptr addrspace(1) %o
  ret void
}
define amdgpu_kernel void @rounds(ptr addrspace(1) %out, ptr addrspace(1) %in) #0 {
entry:
  %i = call i32 @llvm.amdgcn.workitem.id.x()
  %id = zext i32 %i to i64
  %four = lshr i32 %i, 2
  %most = and i32 %four, 7
  br label %loop
loop:
  %n = phi i32 [ 0, %entry ], [ %n1, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %sum1, %loop ]
  %k = zext i32 %n to i64
  %x = call float @at(ptr addrspace(1) %in, i64 %id, i64 %k)
  %m = call float @op(float %x, float 2.0)
  %sum1 = fadd float %sum, %m
  %k1 = add i64 %k, 1
  %u = call float @at(ptr addrspace(1) %in, i64 %id, i64 %k1)
  %v = fmul float %u, %u
  %n1 = add i32 %n, 1
  %c = icmp ule i32 %n1, %most
  br i1 %c, label %loop, label %exit
exit:
  %r = fadd float %v, %sum1
  %o = getelementptr float, ptr addrspace(1) %out, i64 %id
  store float %r, ptr addrspace(1) %o
  ret void
}
define amdgpu_kernel void @nested(ptr addrspace(1) %out, ptr addrspace(1) %in) #0 {
entry:
  %i = call i32 @llvm.amdgcn.workitem.id.x()
  %id = zext i32 %i to i64
  %four = lshr i32 %i, 2
  br label %loop
loop:
  %n = phi i32 [ 0, %entry ], [ %n1, %join ]
  %sum = phi float [ 0.0, %entry ], [ %sum1, %join ]
  %k = zext i32 %n to i64
  %x = call float @at(ptr addrspace(1) %in, i64 %id, i64 %k)
  %w = fmul float %x, 3.0
  %s = lshr i32 %four, %n
  %odd = and i32 %s, 1
  %c = icmp eq i32 %odd, 0
  br i1 %c, label %then, label %else
then:
  %m = call float @op(float %x, float %sum)
  br label %join
else:
  %e = fadd float %w, %sum
  br label %join
join:
  %sum1 = phi float [ %m, %then ], [ %e, %else ]
  %n1 = add i32 %n, 1
  %more = icmp ult i32 %n1, 5
  br i1 %more, label %loop, label %exit
exit:
  %o = getelementptr float, ptr addrspace(1) %out, i64 %id
  store float %sum1, ptr addrspace(1) %o
  ret void
}
attributes #0 = { "amdgpu-flat-work-group-size"="64,64" }
attributes #1 = { alwaysinline convergent }
L
}

# compare PROCESSOR[:WAVE] OPERATION: each kernel, at two levels.
compare() {
    processor=${1%:*} wave=64
    case $1 in *:32) wave=32 ;; esac
    features=
    case $1 in *:*) features="-mattr=+wavefrontsize$wave" ;; esac
    kernels "$2" | sed "s/HALF/$((wave / 2))/" > k.ll
    # shellcheck disable=SC2086
    "$LLC" -mtriple=amdgcn-amd-amdhsa -mcpu="$processor" $features -O2 -filetype=obj k.ll -o llc.o 2> message &&
        "$softwave" ld -shared llc.o -o llc.co || { wrong "$1 $2: llc: $(head -n 2 message)" && return; }
    for level in 0 2; do
        # shellcheck disable=SC2086
        "$softwave" cc --target="$processor" $features -O$level --verify k.ll -o ours.co 2> message ||
            { wrong "$1 $2 -O$level: $(head -n 2 message)" && continue; }
        for kernel in branch rounds nested; do
            rm -f ours llc
            "$softwave" run --tier=0 -k $kernel -g 64 -b 64 ours.co buf:256,out=ours buf:4K,fill=f32:iota > /dev/null 2> message
            "$softwave" run --tier=0 -k $kernel -g 64 -b 64 llc.co buf:256,out=llc buf:4K,fill=f32:iota > /dev/null 2> /dev/null
            if cmp -s ours llc; then passed=$((passed + 1)); else wrong "$1 $2 -O$level $kernel: $(cmp ours llc 2>&1; head -n 1 message)"; fi
        done
    done
}
for target in ${TARGETS:-gfx908 gfx90a gfx942 gfx950}; do compare "$target" mfma; done
for target in ${TARGETS:-gfx600 gfx803 gfx900 gfx90a gfx1010:32 gfx1030:64 gfx1100:32 gfx1201:32 gfx1250:32}; do compare "$target" lane; done
end_test
