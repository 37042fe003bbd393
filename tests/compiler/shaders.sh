#!/bin/sh
# SPDX-License-Identifier: MIT
# Shaders and graphics functions (CC-03 to CC-05, CC-07, CC-08, CC-10 to CC-16, CC-18 to CC-20; ATT-29) by `softwave cc` and by
# llc-22: the code of either stands behind instructions that fill the registers it begins with, in front of others that
# store those in which it gives something back; on the emulator both leave the same bytes. usage: shaders.sh [path of
# softwave]; TARGETS chooses others.
. "$(dirname "$0")/../tools.sh"
begin_test "$@"
need_llvm_22 "$LLC" "${LLVM_EXTRACT:-llvm-extract-22}"
need_reader

# code FILE.s NAME...: the functions of an assembly text, the first one first, without directives
code() {
    text=$1 && shift
    for name; do
        printf ".globl %s\n.protected %s\n" "$name" "$name"
        awk -v name="$name" '$1 == name ":" { inside = 1 } $1 == ".size" || $1 ~ /^\.Lfunc_end/ { if (inside && $1 != ".size") print; inside = 0 }
            inside && ($1 !~ /^\./ || $1 ~ /:$/) { sub(/;.*/, ""); print }' "$text"
        [ "$name" != "$first" ] || epilog
    done
}
# As processes cost more than what they test, the shell itself does what it can.
# Registers before: v_N of lane L is 0x3f800000 + (L << 12) + 16 N, s_N is 7 N + 3, but s[10:11] are where to store.
prolog() {
    case $target in gfx12*) waits="s_wait_kmcnt 0x0
s_wait_dscnt 0x0" ;; *) waits="s_waitcnt lgkmcnt(0)" ;; esac
    cat << S
.amdgcn_target "amdgcn-amd-amdhsa--$target"
.text
.globl k
.p2align 8
.type k,@function
k:
s_load_dwordx2 s[10:11], s[0:1], 0x0
v_lshlrev_b32 v20, 12, v0
v_add_nc_u32 v20, 0x3f800000, v20
$waits
v_mov_b32 v102, s10
v_mov_b32 v103, s11
v_mov_b32 v100, 0
ds_write_b64 v100, v[102:103]
$waits
S
    for n in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19; do echo "v_add_nc_u32 v$n, $((16 * n)), v20"; done
    for n in 0 1 2 3 4 5 6 7 8 9 12 13 14 15 16 17 18 19; do echo "s_mov_b32 s$n, $((7 * n + 3))"; done
    echo "s_nop 7"
    [ -z "$lanes" ] || echo "s_mov_b32 exec_lo, $lanes"
    [ -z "$lanes" ] || [ "$wave" = 32 ] || echo "s_mov_b32 exec_hi, $lanes"
}
epilog() {
    cat << S
v_mov_b32 v100, 0
ds_read_b64 v[102:103], v100
$waits
v_mbcnt_lo_u32_b32 v104, -1, 0
S
    [ "$wave" = 32 ] || echo "v_mbcnt_hi_u32_b32 v104, -1, v104"
    cat << S
v_lshlrev_b32 v104, 6, v104
v_readfirstlane_b32 s60, v102
v_readfirstlane_b32 s61, v103
s_nop 7
S
    n=0
    while [ $n -lt "$floats" ]; do echo "global_store_dword v104, v$n, s[60:61] offset:$((4 * n))" && n=$((n + 1)); done
    n=0
    while [ $n -lt "$others" ]; do
        echo "v_mov_b32 v110, s$n
global_store_dword v104, v110, s[60:61] offset:$((4 * n + 32))" && n=$((n + 1))
    done
    echo s_endpgm
}
descriptor() {
    cat << S
.rodata
.p2align 6
.amdhsa_kernel k
.amdhsa_user_sgpr_kernarg_segment_ptr 1
.amdhsa_user_sgpr_count 2
.amdhsa_kernarg_size 8
.amdhsa_group_segment_fixed_size 64
.amdhsa_next_free_vgpr 128
.amdhsa_next_free_sgpr 96
$(case $target in gfx90a | gfx942) echo ".amdhsa_accum_offset 128" ;; esac)
$(case $target in gfx1*) echo ".amdhsa_wavefront_size32 $((wave == 32))" ;; esac)
$(case $target in gfx12* | gfx942 | gfx11*) echo ".amdhsa_enable_private_segment 1" ;; esac)
.amdhsa_private_segment_fixed_size 256
.end_amdhsa_kernel
.amdgpu_metadata
---
amdhsa.version: [1, 2]
amdhsa.target: amdgcn-amd-amdhsa--$target
amdhsa.kernels:
  - .name: k
    .symbol: k.kd
    .args: [{.address_space: global, .offset: 0, .size: 8, .value_kind: global_buffer}]
    .kernarg_segment_size: 8
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 64
    .private_segment_fixed_size: 256
    .wavefront_size: $wave
    .sgpr_count: 96
    .vgpr_count: 128
    .max_flat_workgroup_size: 64
...
.end_amdgpu_metadata
S
}
# run WHO NAME...: the first function of WHO.s, and what it needs of the others
run() {
    who=$1 && shift
    first=$1
    { prolog && code "$who.s" "$@" && descriptor; } | case $target in
    gfx9*) sed 's/v_add_nc_u32/v_add_u32/' ;;
    *) cat ;;
    esac > "$who-k.s"
    feature=
    case $target in gfx1*) feature=--mattr=+wavefrontsize$wave ;; esac
    "$softwave" as --target="$target" $feature "$who-k.s" -o "$who.o" 2> message && "$softwave" ld "$who.o" -o "$who.co" 2>> message &&
        "$softwave" run --timeout=60 --target="$target" -g "$wave" -b "$wave" "$who.co" "buf:16K,out=$who.out" > message 2>&1 || { head -n 3 message > "$who.out" && echo fault >> "$who.out"; }
}
same() { # same FLOATS OTHERS NAME...: a shader that gives back so many
    floats=$1 others=$2 && shift 2
    run ours "$@"
    run theirs "$@"
    if cmp -s ours.out theirs.out && ! grep -aq fault ours.out && ! cmp -s ours.out zeros; then pass; else wrong "$target:$wave $system $1: $(grep -a fault -B2 ours.out) $(cmp ours.out theirs.out 2>&1)"; fi
    true
}
compile() { # compile FILE: ours.s and theirs.s
    feature=
    case $target in gfx1*) feature=+wavefrontsize$wave ;; esac
    case $target in gfx9*) flags=159744 ;; gfx10*) flags=822165504 ;; *) flags=822099968 ;; esac
    sed "s/iWAVE/i$wave/g; s/FLAGS/$flags/" "$here/shaders/$1.ll" > "$1.ll"
    "$softwave" cc --verify --target="$target" ${feature:+--mattr=$feature} --triple="$system" -S "$1.ll" -o ours.s 2> message ||
        { wrong "$1 $target:$wave: cc: $(head -n 3 message)" && return 1; }
    "$LLC" -mtriple="$system" -mcpu="$target" -mattr="$feature" -O2 "$1.ll" -o theirs.s 2> message || { wrong "$1 $target:$wave: llc: $(head -n 3 message)" && return 1; }
}
head -c 16384 /dev/zero > zeros
lanes=
for one in ${TARGETS:-gfx900:64 gfx90a:64 gfx942:64 gfx1030:32 gfx1030:64 gfx1100:32 gfx1201:32 gfx1201:64}; do
    target=${one%:*} wave=${one#*:}
    for system in amdgcn-- amdgcn-mesa-mesa3d; do
        compile entry && same 4 0 cs && same 2 7 es && same 1 1 gs && same 1 0 hs && same 3 0 ls && same 0 1 vs && same 2 0 ps &&
            same 2 0 ps_no_location && same 2 0 ps_initial
    done
    system=amdgcn--
    compile void && same 0 0 stores && same 1 0 mask && same 1 0 first && same 1 0 all
    compile lanes && same 1 0 lanes_constant && same 1 0 lanes_all && same 1 0 lanes_counted && same 1 0 lanes_shifted
    # Lanes of quads are missing: one, three, all of some.
    lanes=0xf7e13f8d
    compile quads && same 1 0 branch && same 1 0 rounds && same 1 0 kill_all && same 1 0 live && same 1 0 both && same 1 0 loop
    case $target in gfx90a | gfx942) ;; *) # llc-22 exports there, which these processors cannot
        same 1 0 kill_branch && same 1 0 kill_rounds && same 1 0 kill_quads && same 2 0 demote && same 1 0 demote_alone ;;
    esac
    case $target in gfx11* | gfx12*) compile quads_calls && same 1 0 calls function ;; esac
    lanes=
    case $target in gfx9*) continue ;; esac
    compile chain && same 0 0 start next last
    compile chain_whole && same 0 0 start middle whole last
done
# Shaders are there in linked objects, too; texts between stages lead to the same code.
target=gfx1100 wave=32 system=amdgcn--amdpal
compile chain
for stage in read:lds calls:move abi:atomic legal:select assign:waits; do
    "$softwave" cc --target=$target --triple=$system --until="${stage%:*}" chain.ll > stage.swir 2> message &&
        "$softwave" cc --verify --from="${stage#*:}" -S stage.swir -o stage.s 2>> message && cmp -s stage.s ours.s && pass || wrong "text behind ${stage%:*}: $(head -n 3 message)"
done
for file in quads chain_whole; do
    compile $file
    for stage in ends legal select whole memory_model control assign waits; do
        "$softwave" cc --target=$target --triple=$system --until=$stage -S $file.ll -o stage.swir 2> message &&
            "$softwave" cc --verify -S stage.swir -o stage.s 2>> message && cmp -s stage.s ours.s && pass || wrong "$file: text behind $stage: $(head -n 3 message)"
    done
done
"$softwave" cc --target=$target --triple=$system chain.ll -o chain.co 2> message && "$softwave" dis chain.co > chain.s 2>> message && [ "$(grep -cE '<?(start|next|last)>?:' chain.s)" = 3 ] && pass ||
    wrong "a linked chain: $(head -n 3 message) $(grep -c : chain.s)"
# What conventions do not allow, or what is not there yet, is refused by name.
refused() { # refused TEXT FUNCTION
    echo "$2" > refused.ll
    "$softwave" cc --target=gfx1030 --triple=amdgcn--amdpal -S refused.ll -o refused.s 2> message
    [ $? = 4 ] && grep -q "$1 is not supported" message && pass || wrong "not refused: $1: $(cat message)"
}
refused "a shader that asks for what only kernels begin with" 'declare i32 @llvm.amdgcn.workitem.id.x()
define amdgpu_cs float @f() {
  %i = call i32 @llvm.amdgcn.workitem.id.x()
  %x = bitcast i32 %i to float
  ret float %x
}'
refused "a call from a function of another convention" 'declare void @other()
define amdgpu_gfx void @f() {
  call void @other()
  ret void
}'
refused "a chain that begins here, on this processor" 'declare void @llvm.amdgcn.cs.chain.p0.i32.i32.i32(ptr, i32, i32, i32, i32 immarg, ...)
define amdgpu_cs void @f(ptr inreg %p) {
  call void (ptr, i32, i32, i32, i32, ...) @llvm.amdgcn.cs.chain.p0.i32.i32.i32(ptr %p, i32 -1, i32 inreg 1, i32 2, i32 0)
  unreachable
}'

# Kernels and graphics functions (CC-14), each by either compiler. llc has no such functions for amdhsa: their code is that for
# no system.
# by_either FILE TARGETS NAME...: the kernel @calls of the file with its functions of these names
by_either() {
    file=$1 targets=$2 && shift 2
    "${LLVM_EXTRACT:-llvm-extract-22}" -S --func=calls "$here/shaders/$file.ll" -o kernel.ll && "${LLVM_EXTRACT:-llvm-extract-22}" -S --delete --func=calls \
        "$here/shaders/$file.ll" -o functions.ll || exit 1
    head -c 65536 "$softwave" > in
    # llc gives kernels as many registers as the functions of their own module have, at most.
    { cat kernel.ll && echo 'define void @many_registers() { call void asm sideeffect "", "~{v95},~{s95}"() ret void }'; } > more.ll
    for target in $targets; do
        first=
        "$softwave" cc --verify --target=$target -c kernel.ll -o ours-kernel.o 2> message && "$softwave" cc --verify --target=$target -c functions.ll -o \
            ours-functions.o 2>> message || wrong "$file $target: cc: $(head -n 3 message)"
        "$LLC" -mtriple=amdgcn-amd-amdhsa -mcpu=$target -filetype=obj more.ll -o theirs-kernel.o 2> message && "$LLC" -mtriple=amdgcn-- -mcpu=$target functions.ll \
            -o theirs.s 2>> message || wrong "$file $target: llc: $(head -n 3 message)"
        { echo ".amdgcn_target \"amdgcn-amd-amdhsa--$target\"" && code theirs.s "$@"; } > theirs-k.s
        "$softwave" as --target=$target theirs-k.s -o theirs-functions.o || wrong "$file $target: as"
        for pair in theirs-theirs ours-theirs theirs-ours ours-ours; do
            rm -f $pair.out
            "$softwave" ld ${pair%-*}-kernel.o ${pair#*-}-functions.o -o both.co 2> message && "$softwave" run --stack=64K --target=$target -k calls -g 64 -b 64 \
                both.co "buf:64K,out=$pair.out" buf:in=in > message 2>&1 || wrong "$file $target $pair: $(head -n 3 message)"
            cmp -s $pair.out theirs-theirs.out && [ "$(tr -d '\0' < $pair.out | wc -c)" -gt 64 ] && pass || wrong "$file $target $pair: $(cmp $pair.out theirs-theirs.out 2>&1)"
        done
    done
}
by_either gfx "gfx900 gfx90a gfx942 gfx1030 gfx1100 gfx1201" leaf middle
# Functions of whole waves, and calls of them.
by_either whole "gfx1030 gfx1100 gfx1201" sum plain outer other
end_test
