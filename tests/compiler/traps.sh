#!/bin/sh
# SPDX-License-Identifier: MIT
# Traps by `softwave cc` and by llc-22: the same fault on the emulator, with the queue's address in s[0:1] before GFX9 (TRAP-05); for
# other systems llvm.trap ends the program, and llvm.debugtrap is nothing but a warning (TRAP-08, TRAP-09). usage: traps.sh
# [path of softwave]
. "$(dirname "$0")/../tools.sh"
begin_test "$@"
need_llvm_22 "$LLC"
need_reader
for version in 4 5; do
    cat > trap$version.ll << S
define amdgpu_kernel void @k(ptr addrspace(1) %p, i32 %n) {
  %c = icmp eq i32 %n, 3
  br i1 %c, label %trap, label %end
trap:
  call void @llvm.trap()
  unreachable
end:
  store i32 1, ptr addrspace(1) %p
  call void @llvm.debugtrap()
  store i32 2, ptr addrspace(1) %p
  ret void
}
!llvm.module.flags = !{!0}
!0 = !{i32 1, !"amdhsa_code_object_version", i32 ${version}00}
S
    for target in gfx600 gfx803 gfx900 gfx90a gfx942 gfx1030 gfx1100 gfx1201 gfx1250; do
        "$softwave" cc --verify --target=$target trap$version.ll -o ours.co 2> message && "$softwave" cc --target=$target -S trap$version.ll -o ours.s 2>> message &&
            "$LLC" -mtriple=amdgcn-amd-amdhsa -mcpu=$target -filetype=obj trap$version.ll -o theirs.o 2>> message && "$softwave" ld theirs.o -o theirs.co ||
            { wrong "$target V$version: $(head -n 3 message)" && continue; }
        for number in 2:3 3:4; do # what each of them does, by the kernel's argument
            for who in ours theirs; do
                "$softwave" run --target=$target -k k -g 1 -b 1 $who.co buf:4 i32:${number#*:} 2>&1 | grep -o 'fault: traps (s_trap .)' > $who.fault
            done
            cmp -s ours.fault theirs.fault && grep -q "s_trap ${number%:*}" ours.fault && pass || wrong "$target V$version: $(cat ours.fault theirs.fault)"
        done
        # V4: the kernel begins with it in s[0:1]; V5: it is one of the hidden arguments, 200 bytes behind where these begin.
        moves=$(grep -B 3 's_trap 0x2' ours.s | grep -cE '(s_mov_b32|v_readfirstlane_b32) s[01],|s_load_(dwordx2|b64) s\[0:1\]')
        asked=$(sed -n 's/.*user_sgpr_queue_ptr //p' ours.s)
        case $target,$version in
        gfx600,4 | gfx803,4) [ "$asked" = 1 ] ;;
        gfx600,5 | gfx803,5) [ "$moves" -gt 0 ] && grep -qE 's_load_(dwordx2|b64) s\[[0-9:]*\], s\[[0-9:]*\], 0x(c8|32)' ours.s ;;
        *) [ "$moves" = 0 ] && [ "$asked" = 0 ] ;;
        esac && pass || wrong "$target V$version: $moves moves of the queue's address, asked for: $asked"
    done
done
sed 's/amdgpu_kernel void @k(ptr addrspace(1) %p, i32 %n/amdgpu_cs void @k(ptr addrspace(1) inreg %p, i32 inreg %n/' trap5.ll > shader.ll
for system in amdgcn-- amdgcn-mesa-mesa3d amdgcn--amdpal; do
    "$softwave" cc --verify --target=gfx900 --triple=$system -S shader.ll -o ours.s 2> message && "$LLC" -mtriple=$system -mcpu=gfx900 shader.ll -o theirs.s 2> warning ||
        wrong "$system: $(head -n 3 message)"
    [ "$(grep -c s_endpgm ours.s)" -ge 2 ] && ! grep -q s_trap ours.s && ! grep -q s_trap theirs.s && pass || wrong "$system: $(grep -n 's_endpgm\|s_trap' ours.s)"
    grep -q 'warning: function @k: llvm.debugtrap has no effect: no trap handler is there' message && grep -q 'debugtrap handler not supported' warning && pass ||
        wrong "$system: $(cat message warning)"
done
end_test
