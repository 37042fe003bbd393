#!/bin/sh
# SPDX-License-Identifier: MIT
# Buffers and special memory by the text of `softwave cc`, against llc-22's where it takes the same (same.sh runs kernels):
# cache policies of intrinsics on every generation; the region, which DS instructions reach with gds (AS-18, MM-COM-08);
# flat addresses from constant memory, which are taken for global ones (AS-17); pointers have 64 bits whatever the data
# layout says (AS-12); pointers with an index, against llc's code for struct intrinsics (AS-28); what is refused, with
# exit 4. usage: buffers.sh [path of softwave]
. "$(dirname "$0")/../tools.sh"
begin_test "$@"
need_llvm_22 "$LLC"
need_reader

# ---- Cache policies ----
# functions POLICY...: a load, a store and atomic operations with and without a result of each
functions() {
    echo 'declare i32 @llvm.amdgcn.raw.ptr.buffer.load.i32(ptr addrspace(8), i32, i32, i32)
declare void @llvm.amdgcn.raw.ptr.buffer.store.i32(i32, ptr addrspace(8), i32, i32, i32)
declare i32 @llvm.amdgcn.raw.ptr.buffer.atomic.add.i32(i32, ptr addrspace(8), i32, i32, i32)'
    for policy; do
        echo "define amdgpu_ps void @f$policy(ptr addrspace(8) inreg %r, i32 %o, i32 inreg %s) {
  %v = call i32 @llvm.amdgcn.raw.ptr.buffer.load.i32(ptr addrspace(8) %r, i32 %o, i32 %s, i32 $policy)
  call void @llvm.amdgcn.raw.ptr.buffer.store.i32(i32 %v, ptr addrspace(8) %r, i32 %o, i32 %s, i32 $policy)
  %w = call i32 @llvm.amdgcn.raw.ptr.buffer.atomic.add.i32(i32 1, ptr addrspace(8) %r, i32 %o, i32 %s, i32 $policy)
  %x = call i32 @llvm.amdgcn.raw.ptr.buffer.atomic.add.i32(i32 1, ptr addrspace(8) %r, i32 %w, i32 %s, i32 $policy)
  ret void
}"
    done
}
# accesses FILE: names and modifiers, without registers
accesses() { sed -nE 's/^(f[0-9]+):.*/\1/p; s/;.*//; s/^[[:space:]]*(buffer_[a-z0-9_]*).*( offen.*)/\1\2/p' "$1" | sed 's/ *$//'; }
for target in gfx600 gfx700 gfx803 gfx900 gfx90a gfx942 gfx1010 gfx1030 gfx1100 gfx1201; do
    policies='0 1 2 3 4 5 6 7 8 16 17 32'
    [ $target = gfx1201 ] && policies='0 1 2 3 8 9 10 16 17 24 64'
    # shellcheck disable=SC2086
    functions $policies > policies.ll
    "$LLC" -mtriple=amdgcn-amd-amdpal -mcpu=$target policies.ll -o llc.s 2> message || { wrong "$target: llc: $(head -n 1 message)" && continue; }
    "$softwave" cc --triple=amdgcn-amd-amdpal --target=$target -S policies.ll -o ours.s 2> message || { wrong "$target: cc: $(head -n 1 message)" && continue; }
    accesses llc.s > llc.txt
    accesses ours.s > ours.txt
    [ "$(wc -l < llc.txt)" -gt 50 ] && cmp -s llc.txt ours.txt && pass || wrong "$target: policies: $(diff llc.txt ours.txt | head -n 4)"
done

# ---- The region ----
cat > region.ll << 'E'
define amdgpu_kernel void @atomics(ptr addrspace(2) %p, ptr addrspace(1) %o) #0 {
  %v = atomicrmw add ptr addrspace(2) %p, i32 5 monotonic
  %w = atomicrmw umax ptr addrspace(2) %p, i32 6 monotonic
  %s = add i32 %v, %w
  store i32 %s, ptr addrspace(1) %o
  ret void
}
attributes #0 = { "amdgpu-gds-size"="4096" }
E
cat > region_access.ll << 'E'
define amdgpu_kernel void @accesses(ptr addrspace(2) %p, ptr addrspace(3) %l, ptr addrspace(1) %o) #0 {
  %v = load i32, ptr addrspace(2) %p
  %q = getelementptr i32, ptr addrspace(2) %p, i32 5
  store i32 %v, ptr addrspace(2) %q
  %w = load i64, ptr addrspace(2) %p, align 8
  %x = load i32, ptr addrspace(3) %l
  %x64 = zext i32 %x to i64
  %s = add i64 %w, %x64
  store i64 %s, ptr addrspace(1) %o
  ret void
}
attributes #0 = { "amdgpu-gds-size"="4096" }
E
# region FILE: instructions of DS without registers, and what M0 is; a number that M0 has already counts once
region() {
    sed -nE 's/;.*//; s/[[:space:]]+$//; s/^[[:space:]]*(ds_[a-z0-9_]+) .*( gds)$/\1\2/p; s/^[[:space:]]*s_mov(k_i|_b)32 m0, (.*)/m0 \2/p' "$1" |
        awk '/^m0/ { if ($0 == last) next; last = $0 } { print }'
}
for target in gfx600 gfx700 gfx803 gfx900; do
    "$LLC" -mtriple=amdgcn-amd-amdhsa -mcpu=$target region.ll -o llc.s && region llc.s > llc.txt
    "$softwave" cc --target=$target -S region.ll -o ours.s 2> message && region ours.s > ours.txt
    grep -q gds llc.txt && cmp -s llc.txt ours.txt && pass || wrong "$target: region: $(diff llc.txt ours.txt)"
    # LDS beside it: M0 is all ones for that one where it limits it.
    "$softwave" cc --verify --target=$target region_access.ll -o region.o 2> message && "$softwave" cc --target=$target -S region_access.ll -o ours.s && region ours.s > ours.txt
    [ "$(grep -c 'gds$' ours.txt)" -eq 3 ] && [ "$(head -n 1 ours.txt)" = "m0 0x1000" ] && pass || wrong "$target: $(cat message ours.txt)"
    case $target in gfx900) ones=0 ;; *) ones=1 ;; esac
    [ "$(grep -c '^m0 -1' ours.txt)" -eq $ones ] && pass || wrong "$target: M0 for LDS: $(cat ours.txt)"
done
for target in gfx90a gfx942 gfx1201; do
    for file in region region_access; do
        "$softwave" cc --target=$target $file.ll -o region.o 2> message
        [ $? -eq 4 ] && grep -q 'the region (global data share) on this processor is not supported' message && pass || wrong "$target $file: $(cat message)"
    done
done

# ---- Counts in the order of waves ----
# ordered TYPE NAME INDEX RELEASE DONE: a function
ordered() {
    echo "define $1 @f_$2_$4_$5(ptr addrspace(2) inreg %p, i32 %v, ptr addrspace(1) %o) {
  %c = call i32 @llvm.amdgcn.ds.ordered.$2(ptr addrspace(2) %p, i32 %v, i32 0, i32 0, i1 0, i32 $3, i1 $4, i1 $5)
  store i32 %c, ptr addrspace(1) %o
  ret void
}"
}
for one in gfx600:1 gfx803:1 gfx900:63 gfx1010:16777217 gfx1030:67108867 gfx1100:16777217; do
    target=${one%%:*} index=${one#*:}
    for type in amdgpu_kernel amdgpu_ps; do
        triple=amdgcn-amd-amdhsa && [ $type = amdgpu_kernel ] || triple=amdgcn--amdpal
        for name in add swap; do
            for flags in '0 0' '1 0' '1 1'; do ordered "$type void" $name "$index" $flags; done
        done > ordered.ll
        [ $type = amdgpu_kernel ] && sed -i 's/inreg //' ordered.ll
        "$LLC" -mtriple=$triple -mcpu=$target ordered.ll -o llc.s && "$softwave" cc --verify --triple=$triple --target=$target -S ordered.ll -o ours.s 2> message &&
            "$softwave" cc --triple=$triple --target=$target -c ordered.ll -o ours.o 2> message || wrong "$target: $(head -n 2 message)"
        for who in llc ours; do sed -nE 's/;.*//; s/[[:space:]]+$//; s/^[[:space:]]*(ds_ordered_count) .*( offset:.*)/\1\2/p; s/^[[:space:]]*s_mov_b32 m0, s.*/m0/p' $who.s > $who.txt; done
        [ "$(grep -c gds llc.txt)" = 6 ] && [ "$(grep -c m0 ours.txt)" = 6 ] && cmp -s llc.txt ours.txt && pass || wrong "$target $type: ordered: $(diff llc.txt ours.txt | head -n 5)"
    done
done
for one in gfx90a:1:1:0:the.intrinsic gfx1201:16777217:1:0:the.intrinsic gfx900:64:1:0:an.ordered.count gfx900:1:0:1:an.ordered.count gfx1030:1:1:0:an.ordered.count; do
    echo "$one" | tr : ' ' > case.txt
    read -r target index release done what < case.txt
    ordered 'amdgpu_kernel void' add "$index" "$release" "$done" | sed 's/inreg //' > ordered.ll
    "$softwave" cc --target="$target" -c ordered.ll -o ours.o 2> message
    [ $? = 4 ] && grep -q "$what.* is not supported" message && pass || wrong "$one: $(cat message)"
done

# ---- Scalar loads ----
# The first scalar loads have no cache policy; a descriptor in arguments is read from there.
cat > scalar.ll << 'S'
define amdgpu_ps i32 @f(<4 x i32> inreg %r) {
  %v = call i32 @llvm.amdgcn.s.buffer.load.i32(<4 x i32> %r, i32 4, i32 1)
  ret i32 %v
}
S
for one in gfx600: gfx700: gfx803:.glc gfx900:.glc gfx1030:.glc; do
    "$softwave" cc --verify --triple=amdgcn--amdpal --target=${one%%:*} -S scalar.ll -o scalar.s 2> message &&
        "$softwave" cc --triple=amdgcn--amdpal --target=${one%%:*} -c scalar.ll -o scalar.o 2> message &&
        grep -qE "s_buffer_load_dword s[0-9]+, s\[0:3\], 0x[14]${one#*:}\$" scalar.s && ! grep -q readfirstlane scalar.s && pass || wrong "$one: scalar: $(cat message; grep -E 's_buffer|v_' scalar.s)"
done

# ---- Waits ----
# What is read of LDS has come; M0 is not read at once where the hardware does not wait.
cat > order.ll << 'E'
declare void @llvm.amdgcn.raw.ptr.buffer.load.lds(ptr addrspace(8), ptr addrspace(3), i32, i32, i32, i32, i32)
declare void @llvm.amdgcn.global.load.lds(ptr addrspace(1), ptr addrspace(3), i32, i32, i32)
declare void @llvm.amdgcn.ds.gws.init(i32, i32)
define amdgpu_kernel void @k(ptr addrspace(8) %r, ptr addrspace(1) %p, ptr addrspace(3) %l, ptr addrspace(3) %m, ptr addrspace(1) %o, i32 %n) {
  call void @llvm.amdgcn.raw.ptr.buffer.load.lds(ptr addrspace(8) %r, ptr addrspace(3) %l, i32 4, i32 0, i32 0, i32 0, i32 0)
  call void @llvm.amdgcn.global.load.lds(ptr addrspace(1) %p, ptr addrspace(3) %m, i32 4, i32 0, i32 0)
  %v = load i32, ptr addrspace(3) %l
  store i32 %v, ptr addrspace(1) %o
  call void @llvm.amdgcn.ds.gws.init(i32 0, i32 %n)
  ret void
}
E
for target in gfx900 gfx90a gfx942 gfx1010 gfx1030; do
    "$softwave" cc --target=$target -S order.ll -o order.s 2> message || { wrong "$target: $(head -n 1 message)" && continue; }
    waited=$(awk '/ lds$|load_lds/ { n++ } /vmcnt\(0\)/ { w = n } /ds_read/ { print n, w }' order.s)
    [ "$waited" = "2 2" ] && pass || wrong "$target: LDS is read before it is written: $waited"
    case $target in gfx10*) continue ;; esac
    close=$(awk '/^\t[a-z]/ { if (($0 ~ / lds$|load_lds|gds$/) && before ~ / m0,/) print; before = $0 }' order.s)
    [ -z "$close" ] && pass || wrong "$target: M0 is read at once: $close"
done

# ---- Flat addresses from constant memory; pointers have 64 bits ----
cat > flat.ll << 'E'
target datalayout = "e-p:32:32-p1:32:32"
define amdgpu_kernel void @constant(ptr addrspace(4) %c, ptr addrspace(1) %o) {
  %p = load ptr, ptr addrspace(4) %c
  %v = load i32, ptr %p
  store i32 %v, ptr addrspace(1) %o
  ret void
}
define amdgpu_kernel void @global(ptr addrspace(1) %c, ptr addrspace(1) %o) {
  %p = load ptr, ptr addrspace(1) %c
  %v = load i32, ptr %p
  store i32 %v, ptr addrspace(1) %o
  ret void
}
E
"$softwave" cc --target=gfx900 -k constant -S flat.ll -o constant.s && ! grep -q flat_load constant.s && grep -q 'global_load_dword ' constant.s && pass || wrong "an address from constant memory: $(grep load constant.s)"
"$softwave" cc --target=gfx900 -k global -S flat.ll -o global.s && grep -q 'flat_load_dword ' global.s && pass || wrong "an address from global memory: $(grep load global.s)"
sed -n '/\.args:/,/hidden/p' constant.s | grep -c '\.size: *8' > sizes
[ "$(cat sizes)" -eq 2 ] && grep -q 's_load_dwordx2' constant.s && pass || wrong "$(cat sizes) arguments of 64 bits"

# ---- Pointers with an index ----
# One file for ours and one for llc, of the same kernel: element `id` of 24 bytes, and an offset in it.
head='declare i32 @llvm.amdgcn.workitem.id.x()
declare ptr addrspace(9) @llvm.amdgcn.make.buffer.rsrc.p9.p1(ptr addrspace(1), i16, i64, i32)
declare ptr addrspace(8) @llvm.amdgcn.make.buffer.rsrc.p8.p1(ptr addrspace(1), i16, i64, i32)
declare i32 @llvm.amdgcn.struct.ptr.buffer.load.i32(ptr addrspace(8), i32, i32, i32, i32)
declare <2 x i32> @llvm.amdgcn.struct.ptr.buffer.load.v2i32(ptr addrspace(8), i32, i32, i32, i32)
declare void @llvm.amdgcn.struct.ptr.buffer.store.i32(i32, ptr addrspace(8), i32, i32, i32, i32)
declare i32 @llvm.amdgcn.struct.ptr.buffer.atomic.add.i32(i32, ptr addrspace(8), i32, i32, i32, i32)
define amdgpu_kernel void @k(ptr addrspace(1) %out, ptr addrspace(1) %in) {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %four = and i32 %id, 12'
{
    echo "$head"
    cat << 'E'
  %stack = alloca ptr addrspace(9), addrspace(5)
  %a = call ptr addrspace(9) @llvm.amdgcn.make.buffer.rsrc.p9.p1(ptr addrspace(1) %in, i16 24, i64 40, i32 268595200)
  %zero = load i32, ptr addrspace(9) %a
  store volatile ptr addrspace(9) %a, ptr addrspace(5) %stack
  store volatile i32 %id, ptr addrspace(5) %stack
  %p = load volatile ptr addrspace(9), ptr addrspace(5) %stack
  %q = getelementptr i8, ptr addrspace(9) %p, i32 %four
  %v = load i32, ptr addrspace(9) %q
  %q1 = getelementptr i32, ptr addrspace(9) %q, i32 1
  %w = load <2 x i32>, ptr addrspace(9) %q1, align 4
  %tor = call ptr addrspace(8) @llvm.amdgcn.make.buffer.rsrc.p8.p1(ptr addrspace(1) %out, i16 32, i64 60, i32 268595200)
  %to = addrspacecast ptr addrspace(8) %tor to ptr addrspace(9)
  store volatile ptr addrspace(9) %to, ptr addrspace(5) %stack
  store volatile i32 %id, ptr addrspace(5) %stack
  %o = load volatile ptr addrspace(9), ptr addrspace(5) %stack
  store i32 %v, ptr addrspace(9) %o
  %o1 = getelementptr i8, ptr addrspace(9) %o, i32 4
  %w0 = extractelement <2 x i32> %w, i32 0
  store i32 %w0, ptr addrspace(9) %o1
  %o2 = getelementptr i8, ptr addrspace(9) %o, i32 8
  %w1 = extractelement <2 x i32> %w, i32 1
  store i32 %w1, ptr addrspace(9) %o2
  %old = atomicrmw add ptr addrspace(9) %o2, i32 %id syncscope("agent") monotonic
  %o3 = getelementptr i8, ptr addrspace(9) %o, i32 12
  store i32 %old, ptr addrspace(9) %o3
  %o4 = getelementptr i8, ptr addrspace(9) %o, i32 16
  store i32 %zero, ptr addrspace(9) %o4
  ret void
}
E
} > strided.ll
{
    echo "$head"
    cat << 'E'
  %a = call ptr addrspace(8) @llvm.amdgcn.make.buffer.rsrc.p8.p1(ptr addrspace(1) %in, i16 24, i64 40, i32 268595200)
  %zero = call i32 @llvm.amdgcn.struct.ptr.buffer.load.i32(ptr addrspace(8) %a, i32 0, i32 0, i32 0, i32 0)
  %v = call i32 @llvm.amdgcn.struct.ptr.buffer.load.i32(ptr addrspace(8) %a, i32 %id, i32 %four, i32 0, i32 0)
  %four1 = add i32 %four, 4
  %w = call <2 x i32> @llvm.amdgcn.struct.ptr.buffer.load.v2i32(ptr addrspace(8) %a, i32 %id, i32 %four1, i32 0, i32 0)
  %to = call ptr addrspace(8) @llvm.amdgcn.make.buffer.rsrc.p8.p1(ptr addrspace(1) %out, i16 32, i64 60, i32 268595200)
  %w0 = extractelement <2 x i32> %w, i32 0
  %w1 = extractelement <2 x i32> %w, i32 1
  call void @llvm.amdgcn.struct.ptr.buffer.store.i32(i32 %v, ptr addrspace(8) %to, i32 %id, i32 0, i32 0, i32 0)
  call void @llvm.amdgcn.struct.ptr.buffer.store.i32(i32 %w0, ptr addrspace(8) %to, i32 %id, i32 4, i32 0, i32 0)
  call void @llvm.amdgcn.struct.ptr.buffer.store.i32(i32 %w1, ptr addrspace(8) %to, i32 %id, i32 8, i32 0, i32 0)
  %old = call i32 @llvm.amdgcn.struct.ptr.buffer.atomic.add.i32(i32 %id, ptr addrspace(8) %to, i32 %id, i32 8, i32 0, i32 0)
  call void @llvm.amdgcn.struct.ptr.buffer.store.i32(i32 %old, ptr addrspace(8) %to, i32 %id, i32 12, i32 0, i32 0)
  call void @llvm.amdgcn.struct.ptr.buffer.store.i32(i32 %zero, ptr addrspace(8) %to, i32 %id, i32 16, i32 0, i32 0)
  ret void
}
E
} > structs.ll
"${PYTHON:-python3}" -c '
import random, struct, sys
random.seed(9)
sys.stdout.buffer.write(b"".join(struct.pack("<I", random.getrandbits(32)) for i in range(4096)))' > in
for target in gfx600 gfx700 gfx803 gfx900 gfx90a gfx942 gfx1010 gfx1030 gfx1100 gfx1201; do
    "$LLC" -mtriple=amdgcn-amd-amdhsa -mcpu=$target -filetype=obj structs.ll -o llc.o 2> message && "$softwave" ld llc.o -o llc.co || { wrong "$target: llc: $(head -n 1 message)" && continue; }
    for level in 0 2; do
        "$softwave" cc --verify -O$level --target=$target strided.ll -o ours.co 2> message || { wrong "$target -O$level: $(head -n 2 message)" && continue; }
        for object in ours llc; do
            "$softwave" run --init=random:3 --target=$target -k k -g 64 -b 64 $object.co buf:4K,out=$object.out buf:in=in > message 2>&1 || wrong "$target $object: $(head -n 2 message)"
        done
        cmp -s ours.out llc.out && [ "$(od -An -tx4 -v -w32 ours.out | sort -u | wc -l)" -gt 1 ] && pass || wrong "$target -O$level: $(cmp ours.out llc.out 2>&1)"
    done
done

# ---- Unaligned accesses ----
# By pointers into buffers, against llc's by plain ones: before GFX10, buffers drop the low bits of addresses of dwords.
unaligned() { # CAST TO FROM SPACE: a kernel
    echo 'declare i32 @llvm.amdgcn.workitem.id.x()
declare ptr addrspace(7) @llvm.amdgcn.make.buffer.rsrc.p7.p1(ptr addrspace(1), i16, i64, i32)
define amdgpu_kernel void @k(ptr addrspace(1) %out, ptr addrspace(1) %in) {
  %id = call i32 @llvm.amdgcn.workitem.id.x()'
    [ "$1" = 1 ] || echo '  %to = call ptr addrspace(7) @llvm.amdgcn.make.buffer.rsrc.p7.p1(ptr addrspace(1) %out, i16 0, i64 4096, i32 805466112)
  %from = call ptr addrspace(7) @llvm.amdgcn.make.buffer.rsrc.p7.p1(ptr addrspace(1) %in, i16 0, i64 4096, i32 805466112)'
    echo "  %at = mul i32 %id, 17
  %p = getelementptr i8, ptr addrspace($1) $2, i32 %at
  %v = load <3 x i32>, ptr addrspace($1) %p, align 1
  %p1 = getelementptr i8, ptr addrspace($1) %p, i32 2
  %w = load i16, ptr addrspace($1) %p1, align 1
  %at1 = mul i32 %id, 50
  %o = getelementptr i8, ptr addrspace($1) $3, i32 %at1
  store <3 x i32> %v, ptr addrspace($1) %o, align 2
  %o1 = getelementptr i8, ptr addrspace($1) %o, i32 15
  store i64 1234567890123456789, ptr addrspace($1) %o1, align 1
  %o2 = getelementptr i8, ptr addrspace($1) %o, i32 25
  store i16 %w, ptr addrspace($1) %o2, align 1
  ret void
}"
}
unaligned 7 %from %to > ours.ll
unaligned 1 %in %out > llc.ll
for target in gfx700 gfx803 gfx900 gfx942 gfx1030 gfx1100 gfx1201; do
    "$LLC" -mtriple=amdgcn-amd-amdhsa -mcpu=$target -filetype=obj llc.ll -o llc.o 2> message && "$softwave" ld llc.o -o llc.co &&
        "$softwave" cc --verify --target=$target ours.ll -o ours.co 2> message || { wrong "$target: $(head -n 2 message)" && continue; }
    for object in ours llc; do
        "$softwave" run --init=random:3 --target=$target -k k -g 64 -b 64 $object.co buf:4K,out=$object.out buf:in=in > message 2>&1 || wrong "$target $object: $(head -n 2 message)"
    done
    cmp -s ours.out llc.out && pass || wrong "$target: unaligned: $(cmp ours.out llc.out 2>&1)"
done

# ---- Numbers in addresses ----
cat > numbers.ll << 'E'
define amdgpu_ps float @f(ptr addrspace(8) inreg %r, i32 %n) {
  %p = addrspacecast ptr addrspace(8) %r to ptr addrspace(7)
  %q = getelementptr inbounds [5 x i32], ptr addrspace(7) %p, i32 %n, i32 3
  %v = load float, ptr addrspace(7) %q
  ret float %v
}
E
"$softwave" cc --triple=amdgcn-amd-amdpal --target=gfx1030 -S numbers.ll -o numbers.s && grep -q 'buffer_load_dword .* offen offset:12' numbers.s && pass || wrong "a number that is no offset: $(grep buffer_load numbers.s)"

# ---- Text between the stages ----
for file in fat fat_atomics lds_loads; do
    "$softwave" cc --target=gfx1030 -S "$here/same/$file.ll" -o whole.s 2> message || wrong "$file: $(head -n 1 message)"
    for stage in read move space atomic address blocks waterfall divergence legal select memory_model assign waits; do
        "$softwave" cc --target=gfx1030 --until=$stage -S "$here/same/$file.ll" -o stage.swir 2> message &&
            "$softwave" cc --verify --target=gfx1030 -S stage.swir -o again.s 2> message && cmp -s whole.s again.s && pass ||
            wrong "$file: text behind $stage: $(head -n 2 message)"
    done
done

# ---- Refused ----
# refused TARGET FILE REASON
refused() {
    "$softwave" cc --target="$1" "$2" -o refused.o 2> message
    [ $? -eq 4 ] && grep -qF "$3" message && pass || wrong "$1: $2: not refused with '$3': $(cat message)"
}
cat > tfe.ll << 'E'
declare { i32, i32 } @llvm.amdgcn.raw.ptr.buffer.load.sl_i32i32s(ptr addrspace(8), i32, i32, i32)
define amdgpu_kernel void @k(ptr addrspace(8) %r, ptr addrspace(1) %o) {
  %v = call { i32, i32 } @llvm.amdgcn.raw.ptr.buffer.load.sl_i32i32s(ptr addrspace(8) %r, i32 0, i32 0, i32 0)
  store { i32, i32 } %v, ptr addrspace(1) %o
  ret void
}
E
refused gfx90a tfe.ll 'whether memory was missing (tfe), on this processor'
cat > float.ll << 'E'
declare float @llvm.amdgcn.raw.ptr.buffer.atomic.fadd.f32(float, ptr addrspace(8), i32, i32, i32)
define amdgpu_kernel void @k(ptr addrspace(8) %r) {
  %v = call float @llvm.amdgcn.raw.ptr.buffer.atomic.fadd.f32(float 1.0, ptr addrspace(8) %r, i32 0, i32 0, i32 0)
  ret void
}
E
refused gfx900 float.ll 'an atomic operation of this kind on a buffer on this processor'
cat > tolds.ll << 'E'
declare void @llvm.amdgcn.raw.ptr.buffer.load.lds(ptr addrspace(8), ptr addrspace(3), i32, i32, i32, i32, i32)
define amdgpu_kernel void @k(ptr addrspace(8) %r, ptr addrspace(3) %l) {
  call void @llvm.amdgcn.raw.ptr.buffer.load.lds(ptr addrspace(8) %r, ptr addrspace(3) %l, i32 4, i32 0, i32 0, i32 0, i32 0)
  ret void
}
E
refused gfx1100 tolds.ll 'a load of this size to LDS on this processor'
sed 's/i32 4, i32 0/i32 16, i32 0/' tolds.ll > tolds16.ll
refused gfx942 tolds16.ll 'a load of this size to LDS on this processor'
functions 7 > policy.ll
refused gfx1201 policy.ll 'a cache policy of this kind'
end_test
