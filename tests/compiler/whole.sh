#!/bin/sh
# SPDX-License-Identifier: MIT
# Code of whole waves behind a place where lanes meet that came different ways: each lane has what its own way computed. llc-22
# lets all lanes execute the moves there, so that one way overwrites the other; it compiles the same without that, each way
# by itself. It is wrong for gfx90a and gfx942 even so, as a result of all lanes has the register of lanes that wait: what it
# makes for gfx900 is taken there. (What both compile alike is in same/whole*.ll.) And what is refused.
# usage: whole.sh [path of softwave]; TARGETS takes less
. "$(dirname "$0")/../tools.sh"
begin_test "$@"
need_llvm_22 "$LLC"
need_reader

# kernel FIRST SECOND: what is done with a value on each way, and where they meet
kernel() {
    cat << L
target triple = "amdgcn-amd-amdhsa"
declare i32 @llvm.amdgcn.workitem.id.x()
declare i32 @llvm.amdgcn.set.inactive.i32(i32, i32)
declare i32 @llvm.amdgcn.strict.wwm.i32(i32)
declare i32 @llvm.amdgcn.ds.swizzle(i32, i32)
define internal i32 @same(i32 %v) alwaysinline {
  ret i32 %v
}
define amdgpu_kernel void @f(ptr addrspace(1) %out, ptr addrspace(1) %in) {
entry:
  %i = call i32 @llvm.amdgcn.workitem.id.x()
  %z = zext i32 %i to i64
  %o = getelementptr i32, ptr addrspace(1) %out, i64 %z
  %p = getelementptr i32, ptr addrspace(1) %in, i64 %z
  %w = load i32, ptr addrspace(1) %p
  %five = urem i32 %i, 5
  %c = icmp ult i32 %five, 2
  br i1 %c, label %yes, label %no
yes:
  %a = call i32 @llvm.amdgcn.set.inactive.i32(i32 %w, i32 100)
  %b = call i32 @llvm.amdgcn.ds.swizzle(i32 %a, i32 31775)
  %b1 = call i32 @$1(i32 %b)
  br label %on
no:
  %d = call i32 @llvm.amdgcn.set.inactive.i32(i32 %w, i32 200)
  %e = call i32 @llvm.amdgcn.ds.swizzle(i32 %d, i32 1055)
  %e1 = call i32 @$1(i32 %e)
  br label %on
on:
  %x = phi i32 [ %b1, %yes ], [ %e1, %no ]
  %y = add i32 %x, 3
  %r = call i32 @$2(i32 %y)
  store i32 %r, ptr addrspace(1) %o
  ret void
}
L
}
kernel same llvm.amdgcn.strict.wwm.i32 > together.ll
kernel llvm.amdgcn.strict.wwm.i32 same > apart.ll
head -c 256 "$softwave" > in
for one in ${TARGETS:-gfx803 gfx900 gfx90a gfx942 gfx1010:32 gfx1030:64 gfx1100:32 gfx1201:32 gfx1201:64 gfx1250:32}; do
    target=${one%%:*} wave=${one#"$target"} && wave=${wave#:}
    rm -f ours llc
    theirs=$target
    case $target in gfx9*) theirs=gfx900 ;; esac
    "$softwave" cc --verify --target="$target" ${wave:+--mattr=+wavefrontsize$wave} together.ll -o ours.co 2> message &&
        "$LLC" -mtriple=amdgcn-amd-amdhsa -mcpu=$theirs -mattr="${wave:++wavefrontsize$wave}" -O2 -filetype=obj apart.ll -o llc.o 2> message &&
        "$softwave" ld llc.o -o llc.co || { wrong "$one: $(head -n 3 message)" && continue; }
    for who in ours llc; do
        "$softwave" run --init=random:3 -g 64 -b 64 $who.co buf:256,out=$who buf:in=in > message 2>&1 || wrong "$one $who: $(head -n 3 message)"
    done
    cmp -s ours llc && pass || wrong "$one: $(cmp ours llc 2>&1)"
done

# Text between stages changes nothing.
for file in whole whole_crowd; do
    "$softwave" cc --target=gfx1030 -S "$here/same/$file.ll" -o whole.s || wrong "$file"
    for stage in quads ends divergence legal select whole memory_model control assign waits; do
        "$softwave" cc --target=gfx1030 --until=$stage -S "$here/same/$file.ll" -o stage.swir 2> message && "$softwave" cc --verify -S stage.swir -o stage.s 2>> message &&
            cmp -s whole.s stage.s && pass || wrong "$file: text behind $stage: $(head -n 2 message)"
    done
done

refused() { # refused TEXT FUNCTION
    echo "$2" > refused.ll
    "$softwave" cc --target=gfx1100 --triple=amdgcn--amdpal -S refused.ll -o refused.s 2> message
    [ $? = 4 ] && grep -q "$1 is not supported" message && pass || wrong "not refused: $1: $(cat message)"
}
refused "a wave that becomes whole here" 'define amdgpu_cs_chain void @f(i32 inreg %s, i32 %v) {
  %c = icmp eq i32 %v, 0
  br i1 %c, label %a, label %b
a:
  %w = call i1 @llvm.amdgcn.init.whole.wave()
  br label %b
b:
  ret void
}'
refused "inline assembly that changes a register which the function needs" 'define amdgpu_cs float @f(float %v) {
  %a = call float @llvm.amdgcn.set.inactive.f32(float %v, float 1.0)
  call void asm sideeffect "", "~{s46}"()
  %w = call float @llvm.amdgcn.strict.wwm.f32(float %a)
  ret float %w
}'
refused "a bit of whole waves" 'define amdgpu_cs float @f(i32 %v) {
  %c = icmp eq i32 %v, 0
  %w = call i1 @llvm.amdgcn.strict.wwm.i1(i1 %c)
  %r = select i1 %w, float 1.0, float 2.0
  ret float %r
}'
end_test
