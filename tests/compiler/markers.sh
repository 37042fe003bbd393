#!/bin/sh
# SPDX-License-Identifier: MIT
# Metadata of accesses, as llc-22 has it: amdgpu.last.use on loads, alone and with nontemporal (IRM-01); whether an atomic
# operation of system scope is one instruction or a loop, with and without amdgpu.no.remote.memory (IRM-02; the other spelling
# of it says nothing, IRM-05), amdgpu.no.fine.grained.memory (IRM-03) and amdgpu.ignore.denormal.mode (IRM-04).
# usage: markers.sh [path of softwave]
. "$(dirname "$0")/../tools.sh"
begin_test "$@"
. "$here/together.inc"
need_llvm_22 "$LLC"
need_reader

# both PROCESSOR FILE: the file `ours` and the file `llc`, assembly with the kernel's name in front of each line
both() {
    whole "$1" "$2" ours.s "$softwave" cc --verify --target="$1" -S
    whole "$1" "$2" llc.s "$LLC" -mtriple=amdgcn-amd-amdhsa -O2 -mcpu="$1"
    for side in ours llc; do parts $side.s > $side; done
}
# Kernels are numbered; the file `loads` or `atomics` says in line N what k(N) is about.
number=0
for marks in "" "!amdgpu.last.use" "!nontemporal" "!amdgpu.last.use !nontemporal"; do
    attached=
    for mark in $marks; do
        value='!0'
        [ "$mark" = '!nontemporal' ] && value='!1'
        attached="$attached, $mark $value"
    done
    number=$((number + 1))
    echo "'$marks'" >&3
    cat << L
define amdgpu_kernel void @k$number(ptr addrspace(1) %out, ptr addrspace(1) %in) {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %p = getelementptr i32, ptr addrspace(1) %in, i32 %id
  %v = load i32, ptr addrspace(1) %p, align 4$attached
  %q = getelementptr i32, ptr addrspace(1) %out, i32 %id
  store i32 %v, ptr addrspace(1) %q
  ret void
}
L
done > loads.ll 3> loads
printf '!0 = !{}\n!1 = !{i32 1}\n' >> loads.ll
# The bits of the load, in the order of their names.
cat > loads.awk << 'A'
FILENAME == "loads" { about[++count] = $0; next }
{ there[FILENAME, $1] = 1 }
/global_load_(dword|b32)/ {
    for (n = 2; n <= NF; n++) if ($n ~ /^(th:[A-Z_]*|slc|glc|dlc|nt)$/) met[FILENAME, $1, $n] = names[$n] = 1
}
END {
    for (n = 1; n <= count; n++) {
        ours = theirs = ""
        wrong = !(("ours", "k" n) in there) || !(("llc", "k" n) in there)
        for (bit in names) {
            if (("ours", "k" n, bit) in met) ours = ours " " bit
            if (("llc", "k" n, bit) in met) theirs = theirs " " bit
        }
        print wrong || ours != theirs ? "wrong " target " " about[n] ": '" ours "', llc '" theirs "'" : "pass"
    }
}
A
for target in gfx90a gfx1100 gfx1200; do
    both $target loads.ll
    awk -v target=$target -f loads.awk loads ours llc > verdicts
    verdicts verdicts $number
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
number=0
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
        number=$((number + 1))
        echo "$operation $type '$marks'" >&3
        cat << L
define amdgpu_kernel void @k$number(ptr addrspace(1) %out, $type %x) {
  %v = atomicrmw $operation ptr addrspace(1) %out, $type %x seq_cst$attached
  ret void
}
L
    done
done < operations > atomics.ll 3> atomics
echo '!0 = !{}' >> atomics.ll
# How many loops of compare and exchange.
cat > atomics.awk << 'A'
FILENAME == "atomics" { about[++count] = $0; next }
{ there[FILENAME, $1] = 1 }
/cmpswap/ { loops[FILENAME, $1]++ }
END {
    for (n = 1; n <= count; n++) {
        ours = loops["ours", "k" n] + 0
        theirs = loops["llc", "k" n] + 0
        wrong = !(("ours", "k" n) in there) || !(("llc", "k" n) in there)
        print wrong || ours != theirs ? "wrong " target " " about[n] ": " ours " loops, llc has " theirs : "pass"
    }
}
A
for target in gfx90a gfx942 gfx1100 gfx1201 gfx1250; do
    both $target atomics.ll
    awk -v target=$target -f atomics.awk atomics ours llc > verdicts
    verdicts verdicts $number
done
end_test
