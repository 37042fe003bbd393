#!/bin/sh
# SPDX-License-Identifier: MIT
# What gfx1250 alone has, by `softwave cc`: accesses that are issued once more, clusters of work-groups, flat addresses of
# the stack that name the lane, descriptors of buffers with 57 bits of address, code beside transcendental instructions.
# usage: gfx1250.sh [path of softwave]
. "$(dirname "$0")/../tools.sh"
begin_test "$@"
need_llvm_22 "$LLC"
need_reader
cat > own.ll << 'S'
target triple = "amdgcn-amd-amdhsa"
@slot = internal addrspace(3) global [32 x ptr] poison
declare i32 @llvm.amdgcn.workitem.id.x()
declare i32 @llvm.amdgcn.workgroup.id.x()
declare i32 @llvm.amdgcn.workgroup.id.y()
declare i32 @llvm.amdgcn.workgroup.id.z()
declare i1 @llvm.amdgcn.is.private(ptr)
declare void @llvm.amdgcn.s.barrier()
declare float @llvm.amdgcn.rcp.f32(float)
declare ptr addrspace(8) @llvm.amdgcn.make.buffer.rsrc.p8.p1(ptr addrspace(1), i16, i64, i32)
define amdgpu_kernel void @groups(ptr addrspace(1) %o) {
  %x = call i32 @llvm.amdgcn.workgroup.id.x()
  %y = call i32 @llvm.amdgcn.workgroup.id.y()
  %z = call i32 @llvm.amdgcn.workgroup.id.z()
  %i = call i32 @llvm.amdgcn.workitem.id.x()
  %a = mul i32 %z, 2
  %b = add i32 %a, %y
  %c = mul i32 %b, 3
  %g = add i32 %c, %x
  %h = mul i32 %g, 32
  %n = add i32 %h, %i
  %p = getelementptr i32, ptr addrspace(1) %o, i32 %n
  store i32 %n, ptr addrspace(1) %p
  ret void
}
; Each lane reads what the next one has on its stack, adds to it, and says which addresses are on the stack.
define amdgpu_kernel void @next(ptr addrspace(1) %o) {
  %i = call i32 @llvm.amdgcn.workitem.id.x()
  %m = alloca [4 x i32], addrspace(5)
  %q = getelementptr i32, ptr addrspace(5) %m, i32 2
  %v = mul i32 %i, 1000003
  store volatile i32 %v, ptr addrspace(5) %q
  %f = addrspacecast ptr addrspace(5) %q to ptr
  %s = getelementptr ptr, ptr addrspace(3) @slot, i32 %i
  store ptr %f, ptr addrspace(3) %s
  fence syncscope("workgroup") release
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire
  %j = add i32 %i, 1
  %k = and i32 %j, 31
  %t = getelementptr ptr, ptr addrspace(3) @slot, i32 %k
  %g = load ptr, ptr addrspace(3) %t
  %w = atomicrmw add ptr %g, i32 7 syncscope("workgroup") monotonic
  fence syncscope("workgroup") release
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire
  %u = atomicrmw add ptr addrspace(5) %q, i32 0 monotonic
  %d = sub i32 %u, %v
  %back = addrspacecast ptr %f to ptr addrspace(5)
  %bi = ptrtoint ptr addrspace(5) %back to i32
  %qi = ptrtoint ptr addrspace(5) %q to i32
  %e = sub i32 %bi, %qi
  %is = call i1 @llvm.amdgcn.is.private(ptr %g)
  %og = addrspacecast ptr addrspace(1) %o to ptr
  %no = call i1 @llvm.amdgcn.is.private(ptr %og)
  %b1 = zext i1 %is to i32
  %b2 = zext i1 %no to i32
  %r1 = shl i32 %b2, 1
  %r2 = or i32 %b1, %r1
  %r3 = shl i32 %e, 4
  %r4 = or i32 %r2, %r3
  %r5 = shl i32 %d, 12
  %r6 = or i32 %r4, %r5
  %n = mul i32 %i, 2
  %p = getelementptr i32, ptr addrspace(1) %o, i32 %n
  %p1 = getelementptr i32, ptr addrspace(1) %p, i32 1
  store i32 %w, ptr addrspace(1) %p
  store i32 %r6, ptr addrspace(1) %p1
  ret void
}
define amdgpu_kernel void @descriptor(ptr addrspace(1) %o, ptr addrspace(1) %in) {
  %i = call i32 @llvm.amdgcn.workitem.id.x()
  %p = getelementptr [2 x i64], ptr addrspace(1) %in, i32 %i
  %p1 = getelementptr i64, ptr addrspace(1) %p, i32 1
  %a = load i64, ptr addrspace(1) %p
  %n = load i64, ptr addrspace(1) %p1
  %b = and i64 %a, 144115188075855871
  %c = and i64 %n, 35184372088831
  %q = inttoptr i64 %b to ptr addrspace(1)
  %s = trunc i64 %n to i16
  %t = and i16 %s, 16383
  %f = lshr i32 %i, 1
  %d = call ptr addrspace(8) @llvm.amdgcn.make.buffer.rsrc.p8.p1(ptr addrspace(1) %q, i16 %t, i64 %c, i32 %f)
  %w = ptrtoint ptr addrspace(8) %d to i128
  %r = getelementptr i128, ptr addrspace(1) %o, i32 %i
  store i128 %w, ptr addrspace(1) %r
  ret void
}
define float @beside(float %x, float %y) {
  %a = call float @llvm.amdgcn.rcp.f32(float %x)
  %b = fadd float %a, %y
  ret float %b
}
define float @apart(float %x, float %y, float %z) {
  %a = call float @llvm.amdgcn.rcp.f32(float %x)
  %c = fmul float %z, %y
  %b = fadd float %a, %c
  ret float %b
}
S
head -c 4096 /dev/urandom > in
for processor in gfx1250 gfx1251; do
    "$softwave" cc --verify --target=$processor own.ll -o ours.co 2> message || { wrong "$processor: $(head -n 3 message)" && continue; }
    "$LLC" -mtriple=amdgcn-amd-amdhsa -mcpu=$processor -O2 -filetype=obj own.ll -o llc.o 2> message && "$softwave" ld llc.o -o llc.co ||
        { wrong "$processor: llc: $(head -n 1 message)" && continue; }
    for of in ours llc; do
        "$softwave" run --init=random:3 --target=$processor -k groups -g 96,2,4 -b 32,1,1 $of.co buf:3K,out=$of.groups > message 2>&1 &&
            "$softwave" run --init=random:3 --target=$processor -k next -g 32 $of.co buf:256,out=$of.next > message 2>&1 &&
            "$softwave" run --init=random:3 --target=$processor -k descriptor -g 32 $of.co buf:512,out=$of.descriptor buf:in=in > message 2>&1 ||
            wrong "$processor $of: $(grep -v warning message | head -n 2)"
    done
    for kernel in groups next descriptor; do cmp -s ours.$kernel llc.$kernel && pass || wrong "$processor $kernel: $(cmp ours.$kernel llc.$kernel 2>&1)"; done
    od -A n -v -t u4 -w4 ours.groups | awk '$1 != NR - 1 { exit 1 } END { exit NR != 768 }' && pass || wrong "$processor: ids of groups"
    # The next lane's value; then: 7 was added, the cast is undone, the stack is private, memory is not.
    od -A n -v -t u4 -w8 ours.next | awk '$1 != NR % 32 * 1000003 || $2 != 7 * 4096 + 1 { exit 1 } END { exit NR != 32 }' && pass ||
        wrong "$processor: the stack of the next lane: $(od -A n -t u4 -w8 ours.next | head -n 2)"
done
"$softwave" cc --target=gfx1250 -S own.ll -o own.s
of() { sed -n "/^$1:/,/s_set_pc\|s_endpgm/p" own.s | sed 's/^\t//'; }
says() { if of "$1" | tr '\n' ';' | grep -qE "$2"; then pass; else wrong "$1: no '$2': $(of "$1")"; fi }
lacks() { if of "$1" | grep -qE "$2"; then wrong "$1: '$2': $(of "$1")"; else pass; fi }
says groups '^groups:;s_setreg_imm32_b32 hwreg\(HW_REG_WAVE_MODE, 25, 1\), 1;'
lacks beside 's_setreg'
# A work-group in a cluster: the cluster's id times its size, and the place in it.
says groups 's_getreg_b32 s[0-9]+, 0x199c;'
says groups 's_lshr_b32 s[0-9]+, ttmp6, 12;.*ttmp9.*ttmp7.*ttmp6, 20'
# The instruction behind a transcendental one may not need its result.
says beside 'v_rcp_f32 v0, v0;v_nop;v_add_f32'
says apart 'v_rcp_f32 [^;]*;v_(mul_f32 [^;]*;v_add|nop;)'
says next 's_wait_alu 0xf1fe;s_mov_b64 s\[[0-9:]+\], src_flat_scratch_base_lo;'
end_test
