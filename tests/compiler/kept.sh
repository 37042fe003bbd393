#!/bin/sh
# SPDX-License-Identifier: MIT
# What a function leaves alone on processors where accumulation registers are vector registers (CALL-20): those from a32 on. A
# kernel of llc-22's keeps numbers in them while a function of ours multiplies matrices. usage: kept.sh [path of softwave]
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
sed 's/~{a\[0:31\]}/~{a32}/' function.ll > refused.ll
for target in gfx90a gfx942; do
    for level in 0 2; do
        "$softwave" cc --verify -O$level --target=$target -c function.ll -o function.o 2> message || { wrong "$target: $(head -n 2 message)" && continue; }
        "$LLC" -mtriple=amdgcn-amd-amdhsa -mcpu=$target -filetype=obj kernel.ll -o kernel.o && "$softwave" ld kernel.o function.o -o both.co 2> message &&
            "$softwave" run --init=random:3 --stack=16K --target=$target -k k -g 64 -b 64 both.co buf:1024,out=out > message 2>&1 || wrong "$target: $(head -n 2 message)"
        [ "$(od -A n -t x4 -N 12 out)" = " 00001234 00001234 00001234" ] && pass || wrong "$target -O$level: $(od -A n -t x4 -N 12 out)"
        # Sums went on meanwhile.
        [ "$(od -A n -t x4 -j 256 -N 4 out)" != " 00000000" ] && pass || wrong "$target -O$level: no sums"
        "$softwave" cc -O$level --target=$target -S refused.ll -o refused.s 2> message
        [ $? = 4 ] && grep -q 'inline assembly that changes a register which the function needs is not supported' message && pass || wrong "$target: a32 is not refused: $(cat message)"
    done
done
end_test
