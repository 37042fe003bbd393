#!/bin/sh
# SPDX-License-Identifier: MIT
# The stack of shaders where it is reached through a buffer (ATT-25), by `softwave cc` and by llc-22: with the descriptor in
# amdpal's table, or in registers under mesa3d, the code of either leaves the same results on the emulator, behind code that
# gives it both. Where the driver fills in symbols, and where waves of two stages are one, the words of the
# descriptor, the registers and what is loaded are those of llc-22's code. usage: shader_stack.sh [path of softwave]
. "$(dirname "$0")/../tools.sh"
begin_test "$@"
need_llvm_22 "$LLC"
need_reader

# code FILE.s NAME: the function of an assembly text without directives
code() {
    printf ".globl %s\n.protected %s\n" "$2" "$2"
    awk -v name="$2" '$1 == name ":" { inside = 1 } $1 == ".size" || $1 ~ /^\.Lfunc_end/ { if (inside && $1 != ".size") print; inside = 0 }
        inside && ($1 !~ /^\./ || $1 ~ /:$/) { sub(/;.*/, ""); print }' "$1"
}
prolog() {
    cat << S
.amdgcn_target "amdgcn-amd-amdhsa--$target"
.data
.p2align 6
table: .zero 64
.text
.globl k
.p2align 8
.type k,@function
k:
s_load_dwordx2 s[10:11], s[4:5], 0x0
s_mov_b32 s20, s6
s_mov_b64 s[12:13], s[0:1]
s_mov_b64 s[14:15], s[2:3]
s_waitcnt lgkmcnt(0)
v_mov_b32 v102, s10
v_mov_b32 v103, s11
v_mov_b32 v100, 0
ds_write_b64 v100, v[102:103]
v_mov_b32 v92, s12
v_mov_b32 v93, s13
v_mov_b32 v94, s14
v_mov_b32 v95, s15
s_getpc_b64 s[16:17]
s_add_u32 s16, s16, table@rel32@lo+4
s_addc_u32 s17, s17, table@rel32@hi+12
global_store_dwordx4 v100, v[92:95], s[16:17]
global_store_dwordx4 v100, v[92:95], s[16:17] offset:16
s_waitcnt vmcnt(0) lgkmcnt(0)
$(case $target in gfx1*) echo "s_waitcnt_vscnt null, 0x0" ;; esac)
s_dcache_inv
v_add_nc_u32 v1, 0x3f800000, v0
v_mov_b32 v2, v0
S
    case $system in
    *amdpal) echo "s_mov_b32 s0, s16
s_mov_b32 s1, 5
s_mov_b32 s2, 9
s_mov_b32 s3, s20" ;;
    *) echo "s_mov_b64 s[0:1], $(case $1 in stack_ps) echo "s[16:17]" ;; *) echo "s[12:13]" ;; esac)
s_mov_b32 s2, 77
s_mov_b32 s3, 5
s_mov_b32 s4, 9
s_mov_b32 s5, s20" ;;
    esac
    echo "s_nop 7"
}
epilog() {
    cat << S
v_mov_b32 v100, 0
ds_read_b64 v[102:103], v100
s_waitcnt lgkmcnt(0)
v_mbcnt_lo_u32_b32 v104, -1, 0
$([ "$wave" = 32 ] || echo "v_mbcnt_hi_u32_b32 v104, -1, v104")
v_lshlrev_b32 v104, 4, v104
v_readfirstlane_b32 s60, v102
v_readfirstlane_b32 s61, v103
s_nop 7
S
    for n in $(seq 0 $(($1 - 1))); do echo "global_store_dword v104, v$n, s[60:61] offset:$((4 * n))"; done
    echo s_endpgm
}
descriptor() {
    cat << S
.rodata
.p2align 6
.amdhsa_kernel k
.amdhsa_user_sgpr_private_segment_buffer 1
.amdhsa_user_sgpr_kernarg_segment_ptr 1
.amdhsa_system_sgpr_workgroup_id_x 0
.amdhsa_system_sgpr_private_segment_wavefront_offset 1
.amdhsa_kernarg_size 8
.amdhsa_group_segment_fixed_size 64
.amdhsa_private_segment_fixed_size 1024
.amdhsa_next_free_vgpr $(case $target in gfx90a) echo 256 ;; *) echo 128 ;; esac)
.amdhsa_next_free_sgpr 96
$(case $target in gfx90a) echo ".amdhsa_accum_offset 128" ;; esac)
$(case $target in gfx1*) echo ".amdhsa_wavefront_size32 $((wave == 32))" ;; esac)
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
    .private_segment_fixed_size: 1024
    .wavefront_size: $wave
    .sgpr_count: 96
    .vgpr_count: 128
    .max_flat_workgroup_size: 64
...
.end_amdgpu_metadata
S
}
# One thread: both groups write the table of descriptors.
run() { # run WHO NAME RESULTS
    { prolog "$2" && code "$1.s" "$2" && epilog "$3" && { [ "$2" != stack_calls ] || code "$1.s" leaf; } && descriptor; } | case $target in
    gfx9*) sed 's/v_add_nc_u32/v_add_u32/' ;;
    *) cat ;;
    esac > "$1-k.s"
    size=
    case $target in gfx1*) size=--mattr=+wavefrontsize$wave ;; esac
    "$softwave" as --target="$target" $size "$1-k.s" -o "$1.o" 2> message && "$softwave" ld "$1.o" -o "$1.co" 2>> message &&
        "$softwave" run --threads=1 --init=random:7 --target="$target" -g 128 -b "$wave" "$1.co" "buf:4096,out=$1.out" > message 2>&1 || { head -n 3 message > "$1.out" && echo fault >> "$1.out"; }
}
calls() { # what stack_calls gives two waves one after the other
    "${PYTHON:-python3}" -c '
import struct, sys
leaf = lambda x, y: (x if y & 3 == 2 else 7) * y
out = b"".join(struct.pack("<4I", leaf(v, 5), leaf(9, v) + v, 0, 0) for v in range(int(sys.argv[1])))
sys.stdout.buffer.write(out.ljust(4096, b"\0"))' "$wave"
}
for one in gfx900:64 gfx90a:64 gfx1010:32 gfx1030:32 gfx1030:64; do
    target=${one%:*} wave=${one#*:}
    feature=
    case $target in gfx1*) feature=+wavefrontsize$wave ;; esac
    for system in amdgcn--amdpal amdgcn-mesa-mesa3d; do
        "$softwave" cc --verify --target="$target" ${feature:+--mattr=$feature} --triple="$system" -S "$here/shaders/stack.ll" -o ours.s 2> message || { wrong "$one $system: cc: $(head -n 3 message)" && continue; }
        "$LLC" -mtriple="$system" -mcpu="$target" -mattr="$feature" "$here/shaders/stack.ll" -o theirs.s 2> message || { wrong "$one $system: llc: $(head -n 1 message)" && continue; }
        for shader in stack_cs:3 stack_ps:2 stack_spills:2 stack_calls:2; do
            run ours "${shader%:*}" "${shader#*:}"
            # llc's addresses of functions are known only to a driver: there, the host's results.
            case $shader in stack_calls*) calls > theirs.out ;; *) run theirs "${shader%:*}" "${shader#*:}" ;; esac
            if cmp -s ours.out theirs.out && ! grep -aq fault ours.out && [ -n "$(tr -d "\0" < ours.out | head -c 1 | od -A n)" ]; then pass; else wrong "$one $system $shader: $(grep -a fault -B2 ours.out) $(cmp ours.out theirs.out 2>&1)"; fi
        done
    done
done

# What is read to make the descriptor, as llc has it.
cat > kinds.ll << 'L'
define amdgpu_hs void @hs(i32 inreg %a, i32 inreg %b) {
  %p = alloca [9 x i32], addrspace(5)
  %q = getelementptr i32, ptr addrspace(5) %p, i32 %b
  store volatile i32 1, ptr addrspace(5) %q
  ret void
}
define amdgpu_gs void @gs(i32 inreg %a, i32 inreg %b, i32 inreg %c, i32 inreg %d, i32 inreg %e, i32 inreg %f, i32 inreg %g, i32 inreg %h, i32 inreg %i, i32 inreg %j) {
  %p = alloca [9 x i32], addrspace(5)
  %q = getelementptr i32, ptr addrspace(5) %p, i32 %b
  store volatile i32 1, ptr addrspace(5) %q
  ret void
}
define amdgpu_cs void @high(i32 inreg %a, i32 inreg %b) "amdgpu-git-ptr-high"="0x1234" {
  %p = alloca [9 x i32], addrspace(5)
  %q = getelementptr i32, ptr addrspace(5) %p, i32 %b
  store volatile i32 1, ptr addrspace(5) %q
  ret void
}
define amdgpu_vs void @vs(i32 inreg %a, i32 inreg %b, i32 inreg %c) {
  %p = alloca [9 x i32], addrspace(5)
  %q = getelementptr i32, ptr addrspace(5) %p, i32 %b
  store volatile i32 1, ptr addrspace(5) %q
  ret void
}
L
# Of each shader: the registers in which table and wave's place were at the beginning, constants, and the load's offset.
cat > facts.awk << 'A'
function was(r) { return (r in from) ? from[r] : r }
/^[a-z]+:/ { if (name) print name, facts; name = $1; facts = ""; delete from }
{ sub(/;.*/, ""); gsub(/,/, "") }
/s_mov_b32|s_movk_i32/ {
    if ($3 ~ /^s[0-9]+$/) { from[$2] = was($3); if ($2 ~ /vcc_lo/ || (got && $2 == got)) table = was($3) }
    else if ($3 ~ /SCRATCH|0x|^-1$/ && $2 ~ /^s|vcc_hi/ && !made) facts = facts " " $3
}
/s_getpc/ { facts = facts " pc"; got = $2; gsub(/s\[|:.*/, "", got); got = "s" got }
/s_load_dwordx[24]/ { facts = facts " " $1 ":" $4; if ($3 != "vcc") { low = $3; gsub(/s\[|:.*/, "", low); table = was("s" low) } facts = facts " table:" table }
/s_bitset0/ { facts = facts " stride" }
/s_add_u32|s_add_co_u32/ && !made { facts = facts " place:" was($4); made = 1 }
/endpgm/ { made = 0; got = "" }
END { print name, facts }
A
for one in gfx600:64 gfx700:64 gfx803:64 gfx900:64 gfx1010:32 gfx1010:64 gfx1030:32; do
    target=${one%:*} wave=${one#*:}
    feature=
    case $target in gfx1*) feature=+wavefrontsize$wave ;; esac
    for system in amdgcn--amdpal amdgcn-- amdgcn-mesa-mesa3d; do
        "$softwave" cc --verify --target="$target" ${feature:+--mattr=$feature} --triple="$system" -S kinds.ll -o ours.s 2> message &&
            "$softwave" cc --target="$target" ${feature:+--mattr=$feature} --triple="$system" -c kinds.ll -o ours.o 2> message || { wrong "$one $system: cc: $(head -n 3 message)" && continue; }
        "$LLC" -mtriple="$system" -mcpu="$target" -mattr="$feature" kinds.ll -o theirs.s 2> message || { wrong "$one $system: llc: $(head -n 1 message)" && continue; }
        for who in ours theirs; do awk -f facts.awk $who.s > $who.facts; done
        cmp -s ours.facts theirs.facts && [ "$(grep -c place ours.facts)" = 4 ] && pass || wrong "$one $system: $(diff ours.facts theirs.facts)"
    done
done
"$softwave" cc --target=gfx900 --triple=amdgcn-amd-amdhsa -S kinds.ll -o refused.s 2> message
[ $? = 4 ] && [ "$(grep -c 'a shader with memory on the stack, or a call, on this processor is not supported' message)" = 4 ] && pass || wrong "amdhsa: $(head -n 3 message)"
end_test
