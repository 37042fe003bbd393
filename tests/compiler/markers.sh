#!/bin/sh
# SPDX-License-Identifier: MIT
# Metadata of accesses, as llc-22 has it: amdgpu.last.use on loads, alone and with nontemporal (IRM-01); whether an atomic
# operation of system scope is one instruction or a loop, with and without amdgpu.no.remote.memory (IRM-02; the other spelling
# of it says nothing, IRM-05), amdgpu.no.fine.grained.memory (IRM-03) and amdgpu.ignore.denormal.mode (IRM-04).
# usage: markers.sh [path of softwave]
. "$(dirname "$0")/../tools.sh"
begin_test "$@"
need_llvm_22 "$LLC"
need_reader

# asm PROCESSOR: ours.s and llc.s of one.ll
asm() {
    "$softwave" cc --verify --target="$1" -S one.ll -o ours.s 2> message || wrong "$1: cc: $(head -n 2 message)"
    "$LLC" -mtriple=amdgcn-amd-amdhsa -O2 -mcpu="$1" one.ll -o llc.s 2> message || wrong "$1: llc: $(head -n 2 message)"
}
for target in gfx90a gfx1100 gfx1200; do
    for marks in "" "!amdgpu.last.use" "!nontemporal" "!amdgpu.last.use !nontemporal"; do
        attached=
        for mark in $marks; do
            number='!0'
            [ "$mark" = '!nontemporal' ] && number='!1'
            attached="$attached, $mark $number"
        done
        cat > one.ll << L
define amdgpu_kernel void @k(ptr addrspace(1) %out, ptr addrspace(1) %in) {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %p = getelementptr i32, ptr addrspace(1) %in, i32 %id
  %v = load i32, ptr addrspace(1) %p, align 4$attached
  %q = getelementptr i32, ptr addrspace(1) %out, i32 %id
  store i32 %v, ptr addrspace(1) %q
  ret void
}
!0 = !{}
!1 = !{i32 1}
L
        asm $target
        for side in ours llc; do
            grep -oE 'global_load_(dword|b32).*' $side.s | grep -oE ' (th:[A-Z_]*|slc|glc|dlc|nt)' | sort | tr -d '\n' > $side.bits
        done
        cmp -s ours.bits llc.bits && pass || wrong "$target '$marks': '$(cat ours.bits)', llc '$(cat llc.bits)'"
    done
done
# OPERATION TYPE
cat > operations << 'T'
add i32
sub i32
and i32
umax i32
xor i64
uinc_wrap i32
fadd float
fadd double
fmin float
T
for target in gfx90a gfx942 gfx1100 gfx1201 gfx1250; do
    while read -r operation type; do
        for marks in "" remote fine denormal access "remote fine" "remote fine denormal"; do
            attached=
            for mark in $marks; do
                case $mark in
                    remote) attached="$attached, !amdgpu.no.remote.memory !0" ;;
                    access) attached="$attached, !amdgpu.no.remote.memory.access !0" ;;
                    fine) attached="$attached, !amdgpu.no.fine.grained.memory !0" ;;
                    denormal) attached="$attached, !amdgpu.ignore.denormal.mode !0" ;;
                esac
            done
            cat > one.ll << L
define amdgpu_kernel void @k(ptr addrspace(1) %out, $type %x) {
  %v = atomicrmw $operation ptr addrspace(1) %out, $type %x seq_cst$attached
  ret void
}
!0 = !{}
L
            asm $target
            ours=$(grep -c cmpswap ours.s) theirs=$(grep -c cmpswap llc.s)
            [ "$ours" = "$theirs" ] && pass || wrong "$target $operation $type '$marks': $ours loops, llc has $theirs"
        done
    done < operations
done
end_test
