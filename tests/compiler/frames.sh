#!/bin/sh
# SPDX-License-Identifier: MIT
# What kernels, functions and shaders begin with for the stack, by the assembly of `softwave cc`: PRO-01, PRO-03 to PRO-06, PRO-13 to
# PRO-16, CALL-21, CALL-35, CALL-38, CALL-39, CALL-41, CC-06, CC-09; memory that a work-group shares (AS-19). usage: frames.sh [path of softwave]
. "$(dirname "$0")/../tools.sh"
begin_test "$@"
need_reader
cat > frames.ll << 'S'
@shared = internal addrspace(3) global [64 x i32] poison
declare i32 @llvm.amdgcn.workitem.id.x()
declare i32 @llvm.amdgcn.workgroup.id.x()
declare void @llvm.amdgcn.s.barrier()
define i32 @leaf(i32 %x) noinline {
  %r = add i32 %x, 1
  ret i32 %r
}
define i32 @between(i32 %x, i32 %y) noinline {
  %p = alloca [3 x i32], addrspace(5)
  store volatile i32 %y, ptr addrspace(5) %p
  %a = call i32 @leaf(i32 %x)
  %r = add i32 %a, %y
  ret i32 %r
}
define amdgpu_kernel void @calls(ptr addrspace(1) %o, i32 %n) {
  %p = alloca [4 x i32], addrspace(5)
  store volatile i32 %n, ptr addrspace(5) %p
  %r = call i32 @between(i32 %n, i32 7)
  store i32 %r, ptr addrspace(1) %o
  ret void
}
define amdgpu_kernel void @stack(ptr addrspace(1) %o, i32 %n) {
  %p = alloca [4 x i32], addrspace(5)
  %q = getelementptr i32, ptr addrspace(5) %p, i32 %n
  store volatile i32 %n, ptr addrspace(5) %q
  ret void
}
define amdgpu_kernel void @none(ptr addrspace(1) %o, i32 %n) {
  store i32 %n, ptr addrspace(1) %o
  ret void
}
define amdgpu_kernel void @lds(ptr addrspace(1) %o) {
  %i = call i32 @llvm.amdgcn.workitem.id.x()
  %g = call i32 @llvm.amdgcn.workgroup.id.x()
  %h = mul i32 %g, 100
  %v = add i32 %h, %i
  %p = getelementptr i32, ptr addrspace(3) @shared, i32 %i
  store i32 %v, ptr addrspace(3) %p
  fence syncscope("workgroup") release
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire
  %j = sub i32 63, %i
  %q = getelementptr i32, ptr addrspace(3) @shared, i32 %j
  %w = load i32, ptr addrspace(3) %q
  %first = icmp eq i32 %i, 0
  br i1 %first, label %store, label %end
store:
  %r = getelementptr i32, ptr addrspace(1) %o, i32 %g
  store i32 %w, ptr addrspace(1) %r
  br label %end
end:
  ret void
}
S
{ echo "define amdgpu_kernel void @spills(ptr addrspace(1) %p) \"amdgpu-num-vgpr\"=\"24\" {"
    for n in $(seq 0 39); do echo "  %p$n = getelementptr i32, ptr addrspace(1) %p, i32 $((n * 64))
  %v$n = load volatile i32, ptr addrspace(1) %p$n"; done
    for n in $(seq 0 39); do echo "  store volatile i32 %v$n, ptr addrspace(1) %p$((39 - n))"; done
    echo "  ret void
}"; } >> frames.ll
# function NAME: its lines; has NAME PATTERN, lacks NAME PATTERN: on the target at hand
function() { sed -n "/^$1:/,/\.size $1,/p" all.s; }
has() { function "$1" | grep -qE "$2" && pass || wrong "$target: $1 has not: $2"; }
lacks() { function "$1" | grep -E "$2" > found; [ ! -s found ] && pass || wrong "$target: $1 has: $(head -n 2 found)"; }
field() { sed -n "/\.amdhsa_kernel $1\$/,/\.end_amdhsa_kernel/s/.*\.amdhsa_$2 //p" all.s; }
expect_field() { [ "$(field "$1" "$2")" = "$3" ] && pass || wrong "$target: $1: .amdhsa_$2 is $(field "$1" "$2")"; }
for target in gfx600 gfx803 gfx900 gfx90a gfx942 gfx1030 gfx1100 gfx1201 gfx1250; do
    "$softwave" cc --verify --target=$target -S frames.ll -o all.s 2> message && "$softwave" cc --target=$target -c frames.ll -o all.o || { wrong "$target: $(head -n 3 message)" && continue; }
    case $target in gfx1*) wave=32 ;; *) wave=64 ;; esac
    case $target in gfx942 | gfx11* | gfx12*) architected=1 counted=16 ;; *) architected= counted=$((16 * wave)) ;; esac
    # PRO-01, CALL-38, CALL-39: there is no unwinding information, as llc has none.
    ! grep -q '\.cfi' all.s && ! "$softwave" obj --sections all.o 2>&1 | grep -qE 'debug_frame|eh_frame' && pass || wrong "$target: unwinding information"
    # PRO-04, PRO-05: s32 is where the kernel's own memory ends, for all lanes together where buffers are; s33 is not used.
    has calls "s_mov_b32 s32, 0x$(printf %x $counted)\$"
    lacks calls 's33'
    lacks stack 's3[23]'
    has between 's_mov_b32 s33, s32'
    # PRO-13, PRO-14, PRO-16: the descriptor is in s[0:3], where it is asked for; the wave's part of the memory begins so many bytes
    # behind. llc has it in the first registers that are free, where it is for spilling alone, and asks for it in any case.
    for kernel in calls stack spills none; do
        used=1 && [ $kernel != none ] || used=0
        if [ "$architected" ]; then
            expect_field $kernel enable_private_segment $used
            lacks $kernel 'buffer_(load|store)'
        else
            expect_field $kernel user_sgpr_private_segment_buffer $used
            expect_field $kernel system_sgpr_private_segment_wavefront_offset $used
            [ $used = 1 ] && has $kernel 's_add_u32 s0, s0, s' && has $kernel 's_addc_u32 s1, s1, 0'
            [ $used = 1 ] || lacks $kernel 's_add_u32 s0, s0'
        fi
    done
    # CALL-41: slots of four bytes, by buffer instructions where there is a descriptor.
    if [ "$architected" ]; then has spills 'scratch_store_(dword|b32) '; else has spills 'buffer_store_dword v[0-9]+, .*s\[0:3\], 0( offset:[0-9]*[048])?$'; fi
    # PRO-06: there, no flat addresses are. PRO-03: from GFX9 on LDS asks nothing of M0.
    case $target in gfx600) ! grep -qP '^\ts_.*flat_scratch' all.s && pass || wrong "$target: flat_scratch" ;; esac
    case $target in gfx600 | gfx803) has lds 's_mov_b32 m0, -1' ;; *) lacks lds 'm0' ;; esac
    # CALL-21: what a function that is known leaves alone is not made use of: values stand in registers that every function keeps.
    has between 'v_mov_b32 v4[1-7], v1'
    # AS-19: lanes of one work-group see each other's values, not those of others.
    "$softwave" cc --target=$target frames.ll -o all.co && "$softwave" run --target=$target -k lds -g 256 -b 64 all.co buf:16,show=u32:4 > out 2> message
    grep -q ': 63 163 263 363$' out && pass || wrong "$target: lds: $(cat out message)"
done
# PRO-15: the processors whose waves all have 96 scalar registers begin alike.
for target in gfx802; do
    "$softwave" cc --verify --target=$target -S frames.ll -o all.s && has spills 's_add_u32 s0, s0, s' && expect_field spills user_sgpr_private_segment_buffer 1
done

# CALL-35: scalar arguments begin behind those registers that the function may be given besides, s4 if it is given none, and s0 where no
# registers are for the stack. CALL-38: none are on the stack where a vector register is left.
inreg() { # inreg COUNT ATTRIBUTES
    echo "define i32 @f([$1 x i32] inreg %a) $2 {
  %e = extractvalue [$1 x i32] %a, $(($1 - 1))
  ret i32 %e
}" > inreg.ll
}
all='"amdgpu-no-dispatch-ptr" "amdgpu-no-queue-ptr" "amdgpu-no-implicitarg-ptr" "amdgpu-no-dispatch-id" "amdgpu-no-workgroup-id-x" "amdgpu-no-workgroup-id-y" "amdgpu-no-workgroup-id-z" "amdgpu-no-lds-kernel-id"'
while read -r target count first attributes; do
    [ "$attributes" = all ] && attributes=$all || attributes=
    inreg "$count" "$attributes"
    "$softwave" cc --verify --target="$target" -S inreg.ll -o all.s 2> message && has f "s$((first + count - 1))\$"
    inreg $((31 - first)) "$attributes"
    "$softwave" cc --verify --target="$target" -S inreg.ll -o all.s 2> message && f=$(sed -n '/^f:/,/s_setpc/p' all.s) &&
        ! echo "$f" | grep -q 'v_mov' && pass || wrong "$target: an argument too many is not in v0: $f $(cat message)"
done << 'T'
gfx900 3 16
gfx900 3 4 all
gfx1030 14 16
gfx1030 26 4 all
gfx942 5 0 all
gfx1100 30 0 all
T

# CC-06: where the stack has a descriptor, it goes from one function of a chain to the next in s[48:51], so that 48 are left for arguments.
chain() { # chain COUNT
    echo "define amdgpu_cs_chain void @f([$1 x i32] inreg %a, ptr addrspace(1) %p) {
  %e = extractvalue [$1 x i32] %a, $(($1 - 1))
  store i32 %e, ptr addrspace(1) %p
  ret void
}" > chain.ll
}
for target in gfx1030 gfx1100; do
    chain 48
    "$softwave" cc --verify --target=$target --triple=amdgcn--amdpal -S chain.ll -o all.s && has f 's47' && lacks f 's(48|49|50|51)|s\[4[5-9]'
    chain 49
    "$softwave" cc --target=$target --triple=amdgcn--amdpal -S chain.ll -o all.s 2> message
    [ $target,$? = gfx1030,4 ] || { [ $target = gfx1100 ] && has f 's48'; } && pass || wrong "$target: 49 scalar arguments: $(cat message)"
done
# CC-09: the stack is empty where such a function begins, and it may call graphics functions.
cat > chain.ll << 'S'
declare amdgpu_gfx i32 @other(i32)
define amdgpu_cs_chain void @own(i32 inreg %a, ptr addrspace(1) %p) {
  %m = alloca [4 x i32], addrspace(5)
  %q = getelementptr i32, ptr addrspace(5) %m, i32 %a
  store volatile i32 %a, ptr addrspace(5) %q
  ret void
}
define amdgpu_cs_chain void @calls(i32 inreg %a, ptr addrspace(1) %p) {
  %m = alloca [4 x i32], addrspace(5)
  store volatile i32 %a, ptr addrspace(5) %m
  %r = call amdgpu_gfx i32 @other(i32 %a)
  store i32 %r, ptr addrspace(1) %p
  ret void
}
S
target=gfx1100
"$softwave" cc --verify --target=$target --triple=amdgcn--amdpal -S chain.ll -o all.s 2> message || wrong "chain: $(cat message)"
lacks own 's32'
has calls 's_mov_b32 s32, 0x10$'
has calls 's_swappc_b64'
end_test
