#!/bin/sh
# SPDX-License-Identifier: MIT
# Clocks and the program counter by `softwave cc`: the instructions that llc-22 takes on each generation, and on the emulator a
# clock that does not go back (llvm.readcyclecounter, llvm.readsteadycounter, llvm.amdgcn.s.memtime and s.memrealtime). The
# program counter (INT-38) lies in the function that asks for it, and its upper bits are a sign. usage: clocks.sh [path of softwave]
. "$(dirname "$0")/../tools.sh"
begin_test "$@"
need_llvm_22 "$LLC"
need_reader
kernel() { # kernel NAME INTRINSIC
    cat << S
define amdgpu_kernel void @$1(ptr addrspace(1) %out) {
  %a = call i64 @llvm.$2()
  call void asm sideeffect "s_nop 7", ""()
  %b = call i64 @llvm.$2()
  %p = getelementptr i64, ptr addrspace(1) %out, i32 1
  store i64 %a, ptr addrspace(1) %out
  store i64 %b, ptr addrspace(1) %p
  ret void
}
S
}
{ kernel cycles readcyclecounter && kernel steady readsteadycounter; } > all.ll
{ kernel memtime amdgcn.s.memtime && kernel realtime amdgcn.s.memrealtime; } > scalar.ll
cat > counter.ll << 'S'
define i64 @here() noinline {
  %a = call i64 @llvm.amdgcn.s.getpc()
  ret i64 %a
}
define amdgpu_kernel void @counter(ptr addrspace(1) %out) {
  %a = call i64 @here()
  %f = ptrtoint ptr @here to i64
  %d = sub i64 %a, %f
  %h = ashr i64 %a, 47
  %p = getelementptr i64, ptr addrspace(1) %out, i32 1
  store i64 %d, ptr addrspace(1) %out
  store i64 %h, ptr addrspace(1) %p
  ret void
}
S
names() { "$softwave" dis "$1" | grep -oE 's_(memtime|memrealtime|sendmsg_rtn_b64|getreg_b32|get_shader_cycles_u64) .*' | sed -E 's/ *[;/].*//; s/s\[?[0-9:]+\]?(, |$)//'; }
for one in gfx600 gfx701 gfx803 gfx90a gfx942 gfx1030:32 gfx1030:64 gfx1100:32 gfx1100:64 gfx1201:32 gfx1201:64 gfx1250; do
    target=${one%%:*} wave=${one#"$target"} && wave=${wave#:}
    for level in 0 2; do
        for file in all scalar; do
            "$softwave" cc --verify -O$level --target="$target" ${wave:+--mattr=+wavefrontsize$wave} -c $file.ll -o ours.o 2> message
            status=$?
            # What llc cannot select, ours refuses by name.
            "$LLC" -O2 -mtriple=amdgcn-amd-amdhsa -mcpu="$target" -mattr="${wave:++wavefrontsize$wave}" -filetype=obj $file.ll -o theirs.o 2> llc.message
            if [ $? -ne 0 ]; then
                grep -q 'Cannot select: intrinsic' llc.message && [ $status = 4 ] && grep -q 'the intrinsic llvm.amdgcn.s.mem.*time on this processor is not supported' message && pass ||
                    wrong "$one $file: llc refuses it: $(head -n 2 message)"
                continue
            fi
            [ $status = 0 ] || { wrong "$one -O$level $file: $(head -n 2 message)" && continue; }
            names ours.o > ours.names
            names theirs.o > theirs.names
            cmp -s ours.names theirs.names && pass || wrong "$one -O$level $file: $(diff ours.names theirs.names | head -n 6)"
        done
        "$softwave" cc -O$level --target="$target" ${wave:+--mattr=+wavefrontsize$wave} all.ll -o all.co 2> message || wrong "$one: $(head -n 2 message)"
        for name in cycles steady; do
            "$softwave" run --target="$target" -k $name -g 1 all.co buf:16,out=out > message 2>&1 || wrong "$one $name: $(head -n 2 message)"
            # GFX6 and GFX7 have no steady clock; of GFX11's cycles, the lowest 20 bits.
            od -A n -t u8 out | awk -v still="$([ $name = steady ] && case $target in gfx[67]*) echo 1 ;; esac)" \
                'still { exit !($1 == 0 && $2 == 0) } { exit !($1 >= 0 && $2 > $1) }' && pass || wrong "$one -O$level $name: $(od -A n -t u8 out)"
        done
        "$softwave" cc --verify -O$level --target="$target" ${wave:+--mattr=+wavefrontsize$wave} counter.ll -o counter.co 2> message &&
            "$softwave" run --target="$target" -k counter -g 1 --stack=1K counter.co buf:16,out=out > message 2>&1 || wrong "$one counter: $(head -n 2 message)"
        od -A n -t d8 out | awk '{ exit !($1 > 0 && $1 < 64 && ($2 == 0 || $2 == -1)) }' && pass || wrong "$one -O$level counter: $(od -A n -t d8 out)"
    done
    "$softwave" cc --target="$target" ${wave:+--mattr=+wavefrontsize$wave} -S counter.ll -o counter.s && sed -n '/^here:/,/s_setpc/p' counter.s | tr '\n' ' ' |
        grep -qE 's_getpc_b64 s\[.*s_ashr_i32 s[0-9]+, s[0-9]+, 16|s_sext_i32_i16|s_get_pc_i64' && pass || wrong "$one: no sign: $(sed -n '/^here:/,/s_setpc/p' counter.s)"
done
end_test
