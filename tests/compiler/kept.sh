#!/bin/sh
# SPDX-License-Identifier: MIT
# What a function leaves alone, or keeps where inline assembly changes it: accumulation registers from a32 on (CALL-20), in which a
# kernel of llc-22's keeps numbers while a function of ours multiplies matrices; its caller's frame (s33), the top of the stack
# (s32) and the stack's descriptor (s[0:3]), in kernels as well. usage: kept.sh [path of softwave]
. "$(dirname "$0")/../tools.sh"
begin_test "$@"
need_llvm_22 "$LLC"
need_reader
cat > kernel.ll << 'S'
declare void @work(ptr addrspace(1))
define amdgpu_kernel void @k(ptr addrspace(1) %out) {
  call void asm sideeffect "v_mov_b32 v1, 0x1234\0As_nop 7\0Av_accvgpr_write_b32 a32, v1\0Av_accvgpr_write_b32 a63, v1\0Av_accvgpr_write_b32 a33, v1", "~{v1},~{a32},~{a63},~{a33}"()
  call void @work(ptr addrspace(1) %out)
  %a = call i32 asm sideeffect "s_nop 7\0Av_accvgpr_read_b32 $0, a32", "=v"()
  %b = call i32 asm sideeffect "v_accvgpr_read_b32 $0, a63", "=v"()
  %c = call i32 asm sideeffect "v_accvgpr_read_b32 $0, a33", "=v"()
  store i32 %a, ptr addrspace(1) %out
  %p1 = getelementptr i32, ptr addrspace(1) %out, i32 1
  store i32 %b, ptr addrspace(1) %p1
  %p2 = getelementptr i32, ptr addrspace(1) %out, i32 2
  store i32 %c, ptr addrspace(1) %p2
  ret void
}
S
cat > function.ll << 'S'
define void @work(ptr addrspace(1) %p) "amdgpu-flat-work-group-size"="64,64" {
  %q = getelementptr i32, ptr addrspace(1) %p, i32 64
  %a = load volatile <16 x float>, ptr addrspace(1) %q
  %r = call <16 x float> @llvm.amdgcn.mfma.f32.16x16x1f32(float 1.0, float 2.0, <16 x float> %a, i32 0, i32 0, i32 0)
  call void asm sideeffect "v_accvgpr_write_b32 a31, v0", "~{a[0:31]}"()
  store volatile <16 x float> %r, ptr addrspace(1) %q
  ret void
}
S
sed 's/asm sideeffect "v_accvgpr_write_b32 a31, v0", "~{a\[0:31\]}"/asm sideeffect "v_accvgpr_write_b32 a32, v0\\0Av_accvgpr_write_b32 a33, v0\\0Av_accvgpr_write_b32 a63, v0", "~{a[32:33]},~{a63}"/' \
    function.ll > changed.ll
for target in gfx908 gfx90a gfx942 gfx950; do
    for level in 0 2; do
        for function in function changed; do
            "$softwave" cc --verify -O$level --target=$target -c $function.ll -o function.o 2> message || { wrong "$target: $(head -n 2 message)" && continue; }
            "$LLC" -mtriple=amdgcn-amd-amdhsa -mcpu=$target -filetype=obj kernel.ll -o kernel.o && "$softwave" ld kernel.o function.o -o both.co 2> message &&
                "$softwave" run --init=random:3 --stack=16K --target=$target -k k -g 64 -b 64 both.co buf:1024,out=out > message 2>&1 || wrong "$target: $(head -n 2 message)"
            [ "$(od -A n -t x4 -N 12 out)" = " 00001234 00001234 00001234" ] && pass || wrong "$target -O$level $function: $(od -A n -t x4 -N 12 out)"
            # Sums went on meanwhile.
            [ "$(od -A n -t x4 -j 256 -N 4 out)" != " 00000000" ] && pass || wrong "$target -O$level $function: no sums"
        done
    done
done

# Scalar registers that the processor does not have: nothing of them is changed, but they are no operands.
cat > beyond.ll << 'S'
define void @changed() {
  call void asm sideeffect "s_mov_b32 s5, 1", "~{s5},~{s103}"()
  ret void
}
S
"$softwave" cc --target=gfx900 -c beyond.ll -o beyond.o 2> message && pass || wrong "s103 changed: $(head -n 2 message)"
sed 's/~{s5},~{s103}/{s103},~{s5}/; s/"()/"(i32 7)/' beyond.ll > message.ll && "$softwave" cc --target=gfx900 -c message.ll -o beyond.o 2> message
[ $? = 4 ] && grep -q "'inline_asm.*': inline assembly with scalar registers that are not there" message && pass || wrong "s103 is no operand: $(head -n 2 message)"

# llc-22 warns that these registers are reserved, and its code loses them.
cat > stack.ll << 'S'
declare i32 @llvm.amdgcn.workitem.id.x()
define i32 @leaf(i32 %x) noinline {
  %r = call i32 asm sideeffect "s_movk_i32 s33, 77\0Av_xor_b32 $0, s33, $1", "=v,v,~{s33}"(i32 %x)
  ret i32 %r
}
; Some lanes alone come here, and the stack is wanted behind it.
define void @branched(i32 %x, ptr addrspace(5) %p) noinline {
  %own = alloca [4 x i32], addrspace(5)
  %c = icmp ugt i32 %x, 20
  br i1 %c, label %one, label %two
one:
  call void asm sideeffect "s_mov_b32 s0, 5\0As_mov_b32 s2, 5", "~{s0},~{s2}"()
  br label %two
two:
  %v = load volatile i32, ptr addrspace(5) %p
  store volatile i32 %v, ptr addrspace(5) %own
  %w = load volatile i32, ptr addrspace(5) %own
  store volatile i32 %w, ptr addrspace(5) %p
  ret void
}
define i32 @deep(i32 %x) noinline {
  %a = alloca [4 x i32], addrspace(5)
  %i = and i32 %x, 3
  %p = getelementptr [4 x i32], ptr addrspace(5) %a, i32 0, i32 %i
  store volatile i32 %x, ptr addrspace(5) %p
  %r = call i32 asm sideeffect "s_movk_i32 s33, 64\0As_movk_i32 s32, 78\0As_mov_b32 s0, 5\0As_mov_b32 s1, 5\0As_mov_b32 s2, 5\0As_mov_b32 s3, 7\0Av_mov_b32 $0, s33", "=v,~{s33},~{s32},~{s[0:3]}"()
  call void @branched(i32 %x, ptr addrspace(5) %p)
  %l = call i32 @leaf(i32 %r)
  %v = load volatile i32, ptr addrspace(5) %p
  %s = add i32 %l, %v
  ret i32 %s
}
define amdgpu_kernel void @k(ptr addrspace(1) %out) {
  %v = call i32 @llvm.amdgcn.workitem.id.x()
  %a = alloca [4 x i32], addrspace(5)
  %i = and i32 %v, 3
  %pa = getelementptr [4 x i32], ptr addrspace(5) %a, i32 0, i32 %i
  store volatile i32 %v, ptr addrspace(5) %pa
  %got = call i32 asm sideeffect "s_movk_i32 s32, 78\0As_mov_b32 s0, 5\0As_mov_b32 s1, 5\0As_mov_b32 s2, 5\0As_mov_b32 s3, 7", "={s2},~{s32},~{s[0:3]}"()
  %w = call i32 @deep(i32 %v)
  %u = load volatile i32, ptr addrspace(5) %pa
  %z = add i32 %w, %u
  %y = add i32 %z, %got
  %q = getelementptr i32, ptr addrspace(1) %out, i32 %v
  store i32 %y, ptr addrspace(1) %q
  ret void
}
S
"${PYTHON:-python3}" -c '
import struct, sys
sys.stdout.buffer.write(b"".join(struct.pack("<I", (64 ^ 77) + 2 * i + 5) for i in range(64)))' > expected
for target in gfx700 gfx803 gfx900 gfx90a gfx942 gfx1030 gfx1100 gfx1201 gfx1250; do
    for level in 0 2; do
        "$softwave" cc --verify -O$level --target=$target stack.ll -o stack.co 2> message || { wrong "$target: $(head -n 2 message)" && continue; }
        "$softwave" run --init=random:4 --stack=16K --target=$target -k k -g 64 -b 64 stack.co buf:256,out=out > message 2>&1
        if cmp -s out expected; then pass; else wrong "$target -O$level stack: $(head -n 2 message) $(cmp out expected 2>&1)"; fi
    done
done
end_test
