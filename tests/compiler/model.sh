#!/bin/sh
# SPDX-License-Identifier: MIT
# The memory model beside its sequences, which test_memory_model has. Waits that nothing needs are merged or left out
# (MM-COM-01, MM-COM-14). OpenCL's model orders one address space (MM-COM-03). Orders that LLVM does not have (MM-COM-09).
# What is on the stack has no order, and its lines in caches are not dropped (MM-COM-05, MM-COM-19, MM-GFX69-09). Scalar
# loads read what nobody writes while the kernel runs (MM-COM-06, MM-GFX69-05); nothing is stored by scalar instructions, so that their cache
# is neither written back nor dropped (MM-GFX69-06, MM-GFX90A-06, MM-GFX942-07, MM-GFX1011-07, MM-GFX12-06). Caches are
# dropped between dispatches: arguments, and what another kernel stored, are read as they are (MM-GFX69-08, MM-GFX1011-06, MM-GFX12-07).
# usage: model.sh [path of softwave]
. "$(dirname "$0")/../tools.sh"
begin_test "$@"
need_reader
cat > model.ll << 'S'
declare i32 @llvm.amdgcn.workitem.id.x()
define amdgpu_kernel void @alone(ptr addrspace(1) %o) {
  fence syncscope("workgroup") seq_cst
  store i32 1, ptr addrspace(1) %o
  ret void
}
define amdgpu_kernel void @once(ptr addrspace(1) %o, ptr addrspace(1) %p) {
  store i32 1, ptr addrspace(1) %o
  fence syncscope("workgroup") seq_cst
  store i32 2, ptr addrspace(1) %p
  ret void
}
define amdgpu_kernel void @twice(ptr addrspace(1) %o, ptr addrspace(1) %p) {
  store i32 1, ptr addrspace(1) %o
  fence syncscope("workgroup") release
  fence syncscope("workgroup") seq_cst
  fence syncscope("workgroup") acquire
  store i32 2, ptr addrspace(1) %p
  ret void
}
define amdgpu_kernel void @lane(ptr addrspace(1) %o, ptr addrspace(1) %p) {
  store i32 1, ptr addrspace(1) %o
  fence syncscope("wavefront") seq_cst
  fence syncscope("singlethread") seq_cst
  store i32 2, ptr addrspace(1) %p
  ret void
}
define amdgpu_kernel void @both(ptr addrspace(3) %l, ptr addrspace(1) %o) {
  store i32 1, ptr addrspace(3) %l
  store atomic i32 1, ptr addrspace(1) %o syncscope("agent") release, align 4
  ret void
}
define amdgpu_kernel void @known(ptr addrspace(1) noalias readonly %p, ptr addrspace(1) %o) {
  %x = load i32, ptr addrspace(1) %p, !invariant.load !0
  store i32 %x, ptr addrspace(1) %o
  ret void
}
define amdgpu_kernel void @written(ptr addrspace(1) %p, ptr addrspace(1) %o) {
  store i32 3, ptr addrspace(1) %o
  %x = load i32, ptr addrspace(1) %p
  store i32 %x, ptr addrspace(1) %o
  ret void
}
; Each lane writes to its stack, is ordered, and adds there.
define amdgpu_kernel void @stack(ptr addrspace(1) %o, i32 %n) {
  %i = call i32 @llvm.amdgcn.workitem.id.x()
  %m = alloca [16 x i32], addrspace(5)
  %k = and i32 %i, 15
  %p = getelementptr i32, ptr addrspace(5) %m, i32 %k
  store volatile i32 %i, ptr addrspace(5) %p
  fence syncscope("agent") seq_cst
  %j = add i32 %k, %n
  %q = getelementptr i32, ptr addrspace(5) %m, i32 %j
  %a = atomicrmw add ptr addrspace(5) %q, i32 5 seq_cst
  %b = load atomic i32, ptr addrspace(5) %p seq_cst, align 4
  %s = mul i32 %a, 1000
  %t = add i32 %s, %b
  %r = getelementptr i32, ptr addrspace(1) %o, i32 %i
  store i32 %t, ptr addrspace(1) %r
  ret void
}
; Reads by each cache, then stores: the next kernel reads the same lines.
define amdgpu_kernel void @add(ptr addrspace(1) noalias %p, ptr addrspace(1) noalias readonly %q, i32 %n) {
  %i = call i32 @llvm.amdgcn.workitem.id.x()
  %s = load i32, ptr addrspace(1) %q, !invariant.load !0
  %a = getelementptr i32, ptr addrspace(1) %p, i32 %i
  %v = load i32, ptr addrspace(1) %a
  %w = add i32 %v, %s
  %x = add i32 %w, %n
  store i32 %x, ptr addrspace(1) %a
  ret void
}
!0 = !{}
S
# The scalar registers do not suffice, and there is no kernel without its own ways.
cat > crowd.awk << 'A'
BEGIN {
    print "define amdgpu_kernel void @crowd(ptr addrspace(1) noalias readonly %p, ptr addrspace(1) noalias %o) #0 {"
    for (k = 0; k < 60; k++)
        printf "%%a%d = getelementptr i32, ptr addrspace(1) %%p, i32 %d\n%%v%d = load i32, ptr addrspace(1) %%a%d, !invariant.load !0\n", k, 7 * k, k, k
    for (k = 0; k < 60; k++)
        printf "%%b%d = getelementptr i32, ptr addrspace(1) %%o, i32 %%v%d\nstore i32 %%v%d, ptr addrspace(1) %%b%d\n", k, 59 - k, k, k
    print "ret void\n}\nattributes #0 = { \"amdgpu-num-sgpr\"=\"32\" }\n!0 = !{}"
}
A
awk -f crowd.awk > crowd.ll
of() { sed -n "/^$1:/,/s_endpgm/p" model.s | sed 's/^\t//'; }
waits() { of "$1" | grep -cE '^s_wait'; }
same() { [ "$2" = "$3" ] && pass || wrong "$target: $1: $2, not $3"; }
says() { of "$1" | grep -qE "$2" && pass || wrong "$target $1: no '$2': $(of "$1")"; }
lacks() { of "$1" | grep -qE "$2" && wrong "$target $1: '$2': $(of "$1")" || pass; }
for target in gfx600 gfx803 gfx906 gfx90a gfx942 gfx1030 gfx1100 gfx1201 gfx1250; do
    "$softwave" cc --verify --target=$target -S model.ll -o model.s 2> message || wrong "$target: $(head -n 2 message)"
    # Nothing is outstanding: the argument alone is waited for.
    same "waits of a fence alone" "$(waits alone)" 1
    same "waits of three fences" "$(waits twice)" "$(waits once)"
    says once 's_wait(cnt vmcnt\(0\)|cnt_vscnt null, 0x0|_storecnt 0x0|cnt lgkmcnt\(0\))'
    lacks lane 'inv|wb|vmcnt\(0\)|vscnt|storecnt 0x0'
    says known '^s_load_(dword|b32) s[0-9]+, s\[[0-9:]+\], 0x0' && lacks known '(global|flat|buffer)_load'
    says written '(global|flat|buffer)_load'
    lacks stack '(buffer|scratch)_load.* (glc|sc[01]|scope)'
    "$softwave" cc --verify --target=$target -S crowd.ll -o model.s 2> message || wrong "$target: $(head -n 2 message)"
    lacks crowd 's_(buffer_)?(store|atomic)|s_dcache'
done
# LDS is not waited for where only global memory is ordered.
for target in gfx906 gfx1100 gfx1201; do
    "$softwave" cc --target=$target -S model.ll -o model.s
    before() { of both | sed '/\(global\|flat\)_store/q' | sed '1,/ds_/d' | grep -cE 'lgkmcnt|dscnt'; }
    same "LDS before a release" "$(before)" 1
    "$softwave" cc --target=$target --triple=amdgcn-amd-amdhsa-opencl -S model.ll -o model.s 2> message || wrong "$target opencl: $(head -n 2 message)"
    same "LDS before a release by OpenCL's model" "$(before)" 0
done
for line in 'store atomic i32 1, ptr addrspace(1) %o acquire, align 4' 'store atomic i32 1, ptr addrspace(1) %o acq_rel, align 4' \
    '%x = load atomic i32, ptr addrspace(1) %o release, align 4' '%x = load atomic i32, ptr addrspace(1) %o acq_rel, align 4'; do
    printf 'define amdgpu_kernel void @k(ptr addrspace(1) %%o) {\n  %s\n  ret void\n}\n' "$line" > order.ll
    "$softwave" cc --target=gfx90a order.ll -o order.co 2> message
    [ $? = 2 ] && grep -q 'order.ll:2:' message && pass || wrong "$line: $(head -n 1 message)"
done
# weak KERNEL CONDITION ARG...: run with $seed, all 64 words of the buffer hold what awk's condition says
weak() {
    kernel=$1 condition=$2 && shift 2
    "$softwave" run --weak=$seed --target=$target -k "$kernel" -g 64 model.co "$@" > message 2>&1 || wrong "$target $kernel: $(head -n 2 message)"
    od -A n -v -t u4 -w4 out | awk "!($condition) { bad = 1 } END { exit bad || NR != 64 }" && pass || wrong "$target $kernel $seed: $(od -A n -t u4 out | head -n 1)"
}
for target in gfx803 gfx90a gfx942 gfx1030 gfx1100 gfx1201; do
    "$softwave" cc --target=$target model.ll -o model.co
    for seed in 1 2 3 4 5 6 7 8; do
        weak stack '$1 == (NR - 1) * 1001 + 5' buf:256,out=out i32:0
        # What was added is the next kernel's sum: 64 words and what one word is, thrice.
        weak add '$1 == 78' buf:p=256,fill=u32:1,out=out buf:q=256,fill=u32:2 i32:10 \
            --then -k add -g 64 @q @p i32:20 --then -k add -g 64 @p @q i32:30
    done
done
end_test
