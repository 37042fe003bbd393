#!/bin/sh
# SPDX-License-Identifier: MIT
# Variables of the local data share whose addresses stand in other variables: what kernels and functions find there leads to the
# variable, whichever kernel comes (llc-22 leaves this to linkers, which refuse it). Functions with such variables that no kernel
# calls end with a trap, as llc-22's do; both say so. usage: lds.sh [path of softwave]
. "$(dirname "$0")/../tools.sh"
begin_test "$@"
need_llvm_22 "$LLC"
need_reader
cat > addressed.ll << 'E'
@a = internal addrspace(3) global [48 x i32] poison, align 4
@b = internal addrspace(3) global [32 x i32] poison, align 4
@p = addrspace(1) global i32 ptrtoint (ptr addrspace(3) @b to i32), align 4
@q = addrspace(4) constant { i16, ptr addrspace(3), [2 x ptr addrspace(3)] } { i16 7, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @b, i32 8), [2 x ptr addrspace(3)] [ptr addrspace(3) @a, ptr addrspace(3) inttoptr (i32 5 to ptr addrspace(3))] }, align 4
define void @through() {
  %v = load i32, ptr addrspace(1) @p
  %there = inttoptr i32 %v to ptr addrspace(3)
  store i32 77, ptr addrspace(3) %there
  ret void
}
define amdgpu_kernel void @named(ptr addrspace(1) %out) {
  %b = ptrtoint ptr addrspace(3) @b to i32
  %a = ptrtoint ptr addrspace(3) @a to i32
  %at1 = getelementptr i8, ptr addrspace(4) @q, i32 4
  %at2 = getelementptr i8, ptr addrspace(4) @q, i32 8
  %at3 = getelementptr i8, ptr addrspace(4) @q, i32 12
  %x0 = load i32, ptr addrspace(1) @p
  %x1 = load i32, ptr addrspace(4) %at1
  %x2 = load i32, ptr addrspace(4) %at2
  %x3 = load i32, ptr addrspace(4) %at3
  %y0 = sub i32 %x0, %b
  %y1 = sub i32 %x1, %b
  %y2 = sub i32 %x2, %a
  call void @through()
  %y4 = load i32, ptr addrspace(3) @b
  %v0 = insertelement <5 x i32> poison, i32 %y0, i32 0
  %v1 = insertelement <5 x i32> %v0, i32 %y1, i32 1
  %v2 = insertelement <5 x i32> %v1, i32 %y2, i32 2
  %v3 = insertelement <5 x i32> %v2, i32 %x3, i32 3
  %v4 = insertelement <5 x i32> %v3, i32 %y4, i32 4
  store <5 x i32> %v4, ptr addrspace(1) %out, align 4
  ret void
}
@own = internal addrspace(3) global [100 x i64] poison, align 16
define amdgpu_kernel void @unnamed(ptr addrspace(1) %out) {
  store i64 -1, ptr addrspace(3) @own, align 16
  call void @through()
  %v = load i32, ptr addrspace(1) @p
  %there = inttoptr i32 %v to ptr addrspace(3)
  %w = load i32, ptr addrspace(3) %there
  %kept = load i64, ptr addrspace(3) @own, align 16
  %k = trunc i64 %kept to i32
  %o = getelementptr i32, ptr addrspace(1) %out, i32 1
  store i32 %w, ptr addrspace(1) %out
  store i32 %k, ptr addrspace(1) %o
  ret void
}
E
cat > alone.ll << 'E'
@c = internal addrspace(3) global [32 x i32] poison, align 4
define i32 @alone(i32 %n) {
  %none = icmp eq i32 %n, 0
  br i1 %none, label %end, label %use
use:
  %p = getelementptr i32, ptr addrspace(3) @c, i32 %n
  %v = load i32, ptr addrspace(3) %p
  ret i32 %v
end:
  ret i32 7
}
define amdgpu_kernel void @k(ptr addrspace(1) %out) {
  store i32 1, ptr addrspace(1) %out
  ret void
}
E
for target in gfx803 gfx90a gfx1030 gfx1201 gfx1250; do
    "$softwave" cc --verify --target=$target addressed.ll -o o.co 2> message &&
        "$softwave" cc --target=$target --until=read addressed.ll > text.swir &&
        "$softwave" cc --verify --target=$target text.swir -o again.co || { wrong "$target: $(head -n 3 message)" && continue; }
    cmp -s o.co again.co && pass || wrong "$target: another object from the program's text"
    "$softwave" run --target=$target -k named -g 1 -b 1 o.co buf:20,out=out > message 2>&1
    [ "$(od -An -v -tu4 out | xargs)" = "0 8 0 5 77" ] && pass || wrong "$target: named: $(od -An -tu4 out) $(cat message)"
    "$softwave" run --target=$target -k unnamed -g 1 -b 1 o.co buf:8,out=out > message 2>&1
    [ "$(od -An -v -td4 out | xargs)" = "77 -1" ] && pass || wrong "$target: unnamed: $(od -An -td4 out) $(cat message)"
    "$softwave" cc --verify --target=$target -S alone.ll -o ours.s 2> ours && "$LLC" -mtriple=amdgcn-amd-amdhsa -mcpu=$target alone.ll -o theirs.s 2> theirs
    grep -q 'warning: function @alone ends with a trap' ours && grep -q 'warning: .*alone' theirs && pass || wrong "$target: alone: $(cat ours theirs)"
    for who in ours theirs; do sed -n '/^alone:/,/^\.Lfunc_end/p' $who.s | grep -c s_trap > $who; done
    cmp -s ours theirs && grep -q 1 ours && pass || wrong "$target: alone: $(cat ours theirs) traps"
    grep -q 'amdhsa_group_segment_fixed_size 0' ours.s && pass || wrong "$target: alone: the kernel has its variables"
done
end_test
