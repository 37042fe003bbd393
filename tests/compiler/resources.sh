#!/bin/sh
# SPDX-License-Identifier: MIT
# What functions need, with all that they call: the symbols of objects of ours and of llc-22 say the same of registers that
# inline assembly names, of calls that nobody knows, recursion and stacks whose size the program decides (RES-01 to
# RES-09, RES-11); assembly with these symbols gives the same bytes through llvm-mc-22 (MCX-02, MCX-03); kernels get what
# their functions need. usage: resources.sh [path of softwave]
. "$(dirname "$0")/../tools.sh"
begin_test "$@"
need_llvm_22 "$LLC" "$LLVM_MC" llvm-readelf-22 llvm-objcopy-22
need_reader
cat > res.ll << 'S'
target triple = "amdgcn-amd-amdhsa"
declare void @elsewhere()
define i32 @leaf(i32 %x) noinline {
  call void asm sideeffect "; many", "~{v70},~{s25}"()
  ret i32 %x
}
define i32 @other(i32 %x) noinline {
  call void asm sideeffect "v_mov_b32 v51, 0", "~{v51},~{vcc}"()
  %r = call i32 @leaf(i32 %x)
  ret i32 %r
}
define i32 @recursive(i32 %n) noinline {
  %z = icmp eq i32 %n, 0
  br i1 %z, label %end, label %more
more:
  %m = sub i32 %n, 1
  %r = call i32 @recursive(i32 %m)
  ret i32 %r
end:
  ret i32 1
}
define i32 @stack(i32 %n) noinline {
  %p = alloca i32, i32 %n, addrspace(5)
  store volatile i32 1, ptr addrspace(5) %p
  %q = alloca [100 x i32], addrspace(5)
  store volatile i32 2, ptr addrspace(5) %q
  ret i32 0
}
define amdgpu_kernel void @calls(ptr addrspace(1) %o, i32 %n) {
  %r = call i32 @other(i32 %n)
  store i32 %r, ptr addrspace(1) %o
  ret void
}
define amdgpu_kernel void @recurses(ptr addrspace(1) %o, i32 %n) {
  %r = call i32 @recursive(i32 %n)
  store i32 %r, ptr addrspace(1) %o
  ret void
}
define amdgpu_kernel void @dynamic(ptr addrspace(1) %o, i32 %n) {
  %r = call i32 @stack(i32 %n)
  store i32 %r, ptr addrspace(1) %o
  ret void
}
define amdgpu_kernel void @unknown() {
  call void @elsewhere()
  ret void
}
S
symbols() { llvm-readelf-22 -s "$1" | awk '$4 == "NOTYPE" && $8 ~ /[.]/ { print $8, $2 }' | sed 's/^\.L//' | sort; }
value() { # of a name in a list
    digits=$(awk -v name="$2" '$1 == name { print $2 }' "$1")
    [ "$digits" ] && printf '%d\n' "0x$digits" || echo "no $2"
}
for target in gfx803 gfx90a gfx1030 gfx1201 gfx1250; do
    "$softwave" cc --verify --target=$target -c res.ll -o ours.o && "$LLC" -mcpu=$target -filetype=obj res.ll -o theirs.o 2> message ||
        { wrong "$target: $(cat message)" && continue; }
    symbols ours.o > ours && symbols theirs.o > theirs
    for name in calls.num_vgpr unknown.num_vgpr calls.num_agpr unknown.num_agpr calls.has_dyn_sized_stack dynamic.has_dyn_sized_stack \
        recurses.has_dyn_sized_stack unknown.has_dyn_sized_stack recurses.has_recursion unknown.has_recursion calls.private_seg_size \
        unknown.private_seg_size; do
        [ "$(value ours $name)" = "$(value theirs $name)" ] && pass || wrong "$target $name: $(value ours $name), llc: $(value theirs $name)"
    done
    for line in leaf.num_vgpr:71 other.num_vgpr:71 unknown.has_indirect_call:1 calls.has_indirect_call:0 recursive.has_recursion:1 \
        calls.has_recursion:0 leaf.num_named_barrier:0 calls.uses_vcc:1 unknown.uses_vcc:1 unknown.uses_flat_scratch:1; do
        [ "$(value ours ${line%:*})" = "${line#*:}" ] && pass || wrong "$target $line: $(value ours ${line%:*})"
    done
    # What calls others needs no less than they do.
    for what in num_vgpr numbered_sgpr private_seg_size uses_vcc; do
        for pair in calls:other other:leaf recurses:recursive dynamic:stack; do
            [ "$(value ours ${pair%:*}.$what)" -ge "$(value ours ${pair#*:}.$what)" ] && pass || wrong "$target $what: ${pair%:*} less than ${pair#*:}"
        done
    done
    [ "$(value ours recurses.num_vgpr)" -lt 71 ] && pass || wrong "$target: recursion takes the registers of others"
    "$softwave" cc --target=$target -k calls res.ll -o calls.co && "$softwave" obj --kernels calls.co > kernels
    grep -qE '(7[1-9]|8[0-9]|96) VGPRs' kernels && pass || wrong "$target: $(cat kernels)"
    "$softwave" cc --target=$target -S res.ll -o text.s && "$LLVM_MC" -triple=amdgcn-amd-amdhsa -mcpu=$target -filetype=obj text.s -o mc.o &&
        for section in .text .rodata .note; do
            for object in ours mc; do llvm-objcopy-22 -O binary --only-section=$section $object.o $object.bin; done
            cmp ours.bin mc.bin && pass || wrong "$target: $section is not llvm-mc's"
        done
done

# Functions that call each other at random, often in circles: a kernel has the registers of all that it can reach, and says
# that its stack is dynamic where a circle is among them.
random_calls() { # SEED: calls.ll, and in `reached` each kernel with its registers and whether it reaches a circle
    awk -v seed="$1" -v count=40 '
    function reach(from, n) { if (!seen[from, n]++) for (m in calls) { split(m, e, SUBSEP); if (e[1] == n) reach(from, e[2]) } }
    BEGIN {
        srand(seed)
        print "target triple = \"amdgcn-amd-amdhsa\"" > "calls.ll"
        for (n = 0; n < count; n++) {
            uses[n] = 42 + int(rand() * 80)
            for (k = int(rand() * 2.4); k > 0; k--) calls[n, int(rand() * count)] = 1
        }
        for (n = 0; n < count; n++) {
            printf "define void @f%d(i1 %%c) noinline {\n br i1 %%c, label %%b, label %%e\nb:\n", n > "calls.ll"
            printf " call void asm sideeffect \"\", \"~{v%d}\"()\n", uses[n] > "calls.ll"
            for (m = 0; m < count; m++) if ((n, m) in calls) printf " call void @f%d(i1 %%c)\n", m > "calls.ll"
            printf " ret void\ne:\n ret void\n}\n" > "calls.ll"
        }
        for (n = 0; n < count; n++) for (m in calls) { split(m, e, SUBSEP); if (e[1] == n) reach(n, e[2]) }
        for (k = 0; k < 12; k++) {
            root = int(rand() * count)
            printf "define amdgpu_kernel void @k%d(i1 %%c) {\n call void @f%d(i1 %%c)\n ret void\n}\n", k, root > "calls.ll"
            most = uses[root] + 1; circle = (root, root) in seen
            for (n = 0; n < count; n++) if ((root, n) in seen) {
                if (uses[n] >= most) most = uses[n] + 1
                circle = circle || (n, n) in seen
            }
            print "k" k, most, circle ? "true" : "false" > "reached"
        }
    }'
}
circles=0
for seed in 1 2 3 4 5 6; do
    random_calls $seed
    "$softwave" cc --verify --target=gfx90a calls.ll -o calls.co && llvm-readelf-22 --notes calls.co |
        awk '/\.name: *k/ { name = $2 } /\.uses_dynamic_stack/ { dynamic = $2 } /\.vgpr_count/ { print name, $2, dynamic }' | sort > found
    circles=$((circles + $(grep -c true reached)))
    sort reached | cmp -s - found && pass || wrong "seed $seed: $(sort reached | diff - found | head -n 2)"
done
# Values that many ways lead to, and long ones: each of 60 functions calls the next two, each of 3,000 the next.
for shape in "60 2" "3000 1"; do
    awk -v n="${shape% *}" -v next_ones="${shape#* }" 'BEGIN {
        print "target triple = \"amdgcn-amd-amdhsa\""
        for (i = 0; i < n; i++) {
            printf "define void @f%d() noinline {\n", i
            for (k = 1; k <= next_ones && i + k < n; k++) printf " call void @f%d()\n", i + k
            if (i == n - 1) print " call void asm sideeffect \"\", \"~{v93}\"()"
            print " ret void\n}"
        }
    }' > ways.ll
    "$softwave" cc --target=gfx90a -c ways.ll -o ways.o && symbols ways.o > ways &&
        [ "$(value ways f0.num_vgpr)" = 94 ] && [ "$(grep -c '^f.*num_vgpr 0*5e$' ways)" = "${shape% *}" ] && pass || wrong "$shape: $(head -n 1 ways)"
done
[ $circles -gt 6 ] && [ $circles -lt 66 ] && pass || wrong "$circles of 72 kernels reach circles"
end_test
