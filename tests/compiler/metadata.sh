#!/bin/sh
# SPDX-License-Identifier: MIT
# Metadata and kernel descriptor by `softwave cc` and by llc-22: the same keys and values, for code objects V4, V5 and V6
# (META, KD and LANG rows, LANG-01, MCX-02), of a module with arguments of all kinds and of the kernels of bench/ and of tests/device/kernels.
# Left out is what follows from the code itself: counts of registers and spills, the bytes of stack, and in the descriptor which
# registers are asked for, since llc asks for what an attribute does not rule out and we for what is used.
# usage: metadata.sh [path of softwave]
. "$(dirname "$0")/../tools.sh"
begin_test "$@"
need_llvm_22 "$LLC" "$LLVM_READELF" "$LLVM_OBJCOPY" "$CLANG"
need_reader
cat > all.ll << 'S'
target triple = "amdgcn-amd-amdhsa"
%S = type { i8, i64, [3 x i16] }
@dynamic = external addrspace(3) global [0 x i32], align 16
@table = internal addrspace(3) global [64 x i32] poison, align 4
declare ptr addrspace(4) @llvm.amdgcn.implicitarg.ptr()
define amdgpu_kernel void @kinds(ptr addrspace(1) %global, ptr addrspace(4) %constant, ptr addrspace(3) align 32 %local, ptr %flat, i8 %byte, i16 %short, half %h, float %f, double %d, <3 x i32> %v3, <2 x i8> %v2, %S %s, ptr addrspace(4) byref(%S) align 8 %ref, i1 %one, <16 x float> %large) {
  store i8 %byte, ptr addrspace(1) %global
  ret void
}
define amdgpu_kernel void @no_hidden(ptr addrspace(1) %p) #0 {
  store i32 1, ptr addrspace(1) %p
  ret void
}
define amdgpu_kernel void @some_hidden(ptr addrspace(1) %p) #1 {
  %h = call ptr addrspace(4) @llvm.amdgcn.implicitarg.ptr()
  %v = load i32, ptr addrspace(4) %h
  store i32 %v, ptr addrspace(1) %p
  ret void
}
define amdgpu_kernel void @few_hidden(ptr addrspace(1) %p, i8 %b) #2 {
  store i8 %b, ptr addrspace(1) %p
  ret void
}
define amdgpu_kernel void @lds(ptr addrspace(1) %p, i32 %i) #0 {
  %q = getelementptr i32, ptr addrspace(3) @dynamic, i32 %i
  %r = getelementptr i32, ptr addrspace(3) @table, i32 %i
  store i32 %i, ptr addrspace(3) %r
  %v = load i32, ptr addrspace(3) %q
  store i32 %v, ptr addrspace(1) %p
  ret void
}
define amdgpu_kernel void @dynamic_hidden(ptr addrspace(1) %p, i32 %i) {
  %q = getelementptr i32, ptr addrspace(3) @dynamic, i32 %i
  %v = load i32, ptr addrspace(3) %q
  store i32 %v, ptr addrspace(1) %p
  ret void
}
define amdgpu_kernel void @described(ptr addrspace(1) noalias readonly %in, ptr addrspace(1) noalias writeonly %out, i32 %n) #3 !kernel_arg_addr_space !1 !kernel_arg_access_qual !2 !kernel_arg_type !3 !kernel_arg_base_type !3 !kernel_arg_type_qual !4 !kernel_arg_name !5 !reqd_work_group_size !6 !work_group_size_hint !7 {
  store i32 %n, ptr addrspace(1) %out
  ret void
}
define amdgpu_kernel void @begins() #4 {
  ret void
}
define amdgpu_kernel void @ends() #5 {
  ret void
}
attributes #0 = { "amdgpu-no-implicitarg-ptr" }
attributes #1 = { "amdgpu-no-hostcall-ptr" "amdgpu-no-multigrid-sync-arg" "amdgpu-no-heap-ptr" "amdgpu-no-default-queue" "amdgpu-no-completion-action" "amdgpu-no-queue-ptr" }
attributes #2 = { "amdgpu-implicitarg-num-bytes"="48" "uniform-work-group-size"="true" }
attributes #3 = { "amdgpu-flat-work-group-size"="64,128" "amdgpu-max-num-workgroups"="3,4,1" }
attributes #4 = { "device-init" "amdgpu-no-implicitarg-ptr" }
attributes #5 = { "device-fini" "amdgpu-no-implicitarg-ptr" }
!opencl.ocl.version = !{!8}
!llvm.module.flags = !{!0}
!0 = !{i32 1, !"amdhsa_code_object_version", i32 600}
!1 = !{i32 1, i32 1, i32 0}
!2 = !{!"none", !"none", !"none"}
!3 = !{!"int*", !"uint*", !"unsigned int"}
!4 = !{!"const restrict", !"volatile", !""}
!5 = !{!"in", !"it's", !"true"}
!6 = !{i32 8, i32 4, i32 2}
!7 = !{i32 16, i32 2, i32 1}
!8 = !{i32 2, i32 0}
S
{ cat all.ll && cat << 'S'; } > printf.ll
!llvm.printf.fmts = !{!9, !10}
!9 = !{!"1:1:4:%d it's\5Cn"}
!10 = !{!"2:2:8:4:%g %d"}
S

# metadata OBJECT: the note without what the code decides
metadata() {
    "$LLVM_READELF" --notes "$1" | sed -n '/^ *---/,/^\.\.\./p' |
        grep -vE '\.(agpr_count|sgpr_count|vgpr_count|sgpr_spill_count|vgpr_spill_count|private_segment_fixed_size):' | sed -E 's/^  - \.agpr_count: .*//'
}
# descriptor OBJECT: the fields that attributes and arguments decide, by the manual's places of their bits
descriptor() {
    "$LLVM_OBJCOPY" -O binary -j .rodata "$1" rodata.bin && python3 -c '
import struct, sys
data = open("rodata.bin", "rb").read()
for at in range(0, len(data), 64):
    group, _, kernarg, rsrc3, rsrc1, rsrc2, properties, preload = struct.unpack("<III32xIIIHH4x", data[at:at + 64])
    print(f"lds {group} kernarg {kernarg} preload {preload} modes {rsrc1 >> 10:#x} exceptions {rsrc2 >> 24:#x} wave32 {properties >> 10 & 1}", end="")
    print(f" split {rsrc3 >> 16 & 1}" if sys.argv[1] in ("gfx90a", "gfx942") else "")' "$2"
}
# same NAME TARGET OPTIONS FILE
compare() {
    "$softwave" cc --target="$2" $3 "$4" -o ours.o 2> message || { wrong "$1 $2: cc: $(head -n 2 message)" && return; }
    "$LLC" -mcpu="$2" $5 -filetype=obj "$4" -o llc.o 2> message || { wrong "$1 $2: llc: $(head -n 2 message)" && return; }
    for what in metadata descriptor; do
        $what ours.o "$2" > ours.$what
        $what llc.o "$2" > llc.$what
        if [ -s llc.$what ] && cmp -s ours.$what llc.$what; then pass; else wrong "$1 $2 V$version: $what: $(diff llc.$what ours.$what | head -n 12)"; fi
    done
}
for version in 4 5 6; do
    for target in gfx701 gfx803 gfx90a gfx942 gfx1030 gfx1100 gfx1201 gfx1250; do
        for file in all printf; do
            sed "s/code_object_version\", i32 600/code_object_version\", i32 ${version}00/" $file.ll > v.ll
            compare $file $target "" v.ll
        done
    done
    compare all gfx1030 --mattr=+wavefrontsize64,+cumode v.ll -mattr=+wavefrontsize64,+cumode
    [ -r $libclc ] || continue
    for file in "$here"/../../bench/kernels.cl "$here"/../device/kernels/integer.cl "$here"/../device/kernels/lanes.cl; do
        "$CLANG" -w -x cl -cl-std=CL2.0 -O2 -target amdgcn-amd-amdhsa -mcpu=gfx90a -nogpulib -mcode-object-version=$version -Xclang \
            -finclude-default-header -Xclang -mlink-builtin-bitcode -Xclang $libclc -I "$here/../device/kernels" -S -emit-llvm "$file" -o k.ll || continue
        compare "$(basename "$file")" gfx90a "" k.ll
    done
done
end_test
