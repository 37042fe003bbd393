#!/bin/sh
# SPDX-License-Identifier: MIT
# Exports of shaders (llvm.amdgcn.exp, exp.compr, exp.row) by `softwave cc` and by llc-22: the same instruction for every
# target, set of sources and flag, byte for byte. (The emulator has no exports.) Sources are not written again before an
# export has read them. What is not there on a processor is refused. usage: exports.sh [path of softwave]
. "$(dirname "$0")/../tools.sh"
begin_test "$@"
need_llvm_22 "$LLC" "$LLVM_MC"
need_reader

shader() { # shader NAME CALL: its arguments are %a to %d, %h and %i (pairs of halves), and %row
    printf 'define amdgpu_ps void @%s(float %%a, float %%b, float %%c, float %%d, i32 inreg %%row) {\n' "$1"
    printf '  %%x = bitcast float %%a to <2 x half>\n  %%y = bitcast float %%b to <2 x half>\n  call void @llvm.amdgcn.%s\n  ret void\n}\n' "$2"
}
every() { # every PROCESSOR: all that it has
    case $1 in
    gfx6* | gfx7* | gfx8* | gfx9*) to='0 1 7 8 9 12 15 32 33 63' ;;
    gfx10*) to='0 7 8 9 12 16 20 32 63' ;;
    *) to='0 7 8 12 16 20' ;;
    esac
    for t in $to; do shader target$t "exp.f32(i32 $t, i32 15, float %a, float %b, float %c, float %d, i1 false, i1 false)"; done
    for en in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do
        shader part$en "exp.f32(i32 0, i32 $en, float %a, float %b, float %c, float %d, i1 true, i1 true)"
        shader integer$en "exp.i32(i32 1, i32 $en, i32 %row, i32 7, i32 0, i32 -5, i1 true, i1 false)"
    done
    case $1 in
    gfx11* | gfx12*) for en in 1 15; do shader row$en "exp.row.f32(i32 0, i32 $en, float %a, float %b, float %c, float %d, i1 true, i32 %row)"; done ;;
    *) for en in 0 3 12 15; do shader pairs$en "exp.compr.v2f16(i32 2, i32 $en, <2 x half> %x, <2 x half> %y, i1 false, i1 true)"; done ;;
    esac
}
exports() { # exports PROCESSOR WAVE FILE: the bytes of its exports, and what their sources were last given
    grep -E '^[[:space:]]*(exp|export) ' "$3" | sed 's/;.*//' | "$LLVM_MC" -triple=amdgcn -mcpu="$1" -mattr="${2:++wavefrontsize$2}" -show-encoding 2>&1 | sed -n 's/.*encoding: //p; /error/p'
}
for one in gfx600 gfx701 gfx803 gfx900 gfx1030:32 gfx1030:64 gfx1100:32 gfx1100:64 gfx1201:32 gfx1201:64; do
    target=${one%%:*} wave=${one#"$target"} && wave=${wave#:}
    every "$target" > all.ll
    count=$(grep -c '^define' all.ll)
    for level in 0 2; do
        "$softwave" cc --verify -O$level --triple=amdgcn--amdpal --target="$target" ${wave:+--mattr=+wavefrontsize$wave} -S all.ll -o ours.s 2> message ||
            { wrong "$one: cc: $(head -n 3 message)" && continue; }
        "$LLC" -O2 -mtriple=amdgcn--amdpal -mcpu="$target" -mattr="${wave:++wavefrontsize$wave}" all.ll -o theirs.s 2> message || { wrong "$one: llc: $(head -n 1 message)" && continue; }
        # Of constants and pairs, the registers differ.
        for who in ours theirs; do exports "$target" "$wave" $who.s | grep -v error > $who.all && grep -vE '^\[0x[12][0-9a-f],' $who.all > $who; done
        if cmp -s ours theirs && [ "$(wc -l < ours.all)" = "$count" ] && [ "$(wc -l < theirs.all)" = "$count" ] &&
            [ "$(cut -c1-21 ours.all)" = "$(cut -c1-21 theirs.all)" ]; then pass; else wrong "$one -O$level: $(diff ours theirs | head -n 4)"; fi
    done
    # A source that is written behind the export waits until it has been read.
    cat > wait.ll << 'S'
define amdgpu_ps void @f(float %a, float %b, float %c, float %d) {
  call void @llvm.amdgcn.exp.f32(i32 0, i32 15, float %a, float %b, float %c, float %d, i1 false, i1 false)
  %s = fadd float %a, %b
  call void @llvm.amdgcn.exp.f32(i32 1, i32 1, float %s, float poison, float poison, float poison, i1 true, i1 false)
  ret void
}
S
    "$softwave" cc --verify --triple=amdgcn--amdpal --target="$target" -S wait.ll -o wait.s 2> message || wrong "$one: $(head -n 3 message)"
    to=$(sed -n 's/.*v_add_f32 \(v[0-9]*\),.*/\1/p' wait.s)
    case $to in v[0-3]) sed -n '/exp.* mrt0/,/v_add_f32/p' wait.s | grep -q 'expcnt' && pass || wrong "$one: no wait: $(grep -E '^.(v_|s_|exp)' wait.s)" ;; v*) pass ;; *) wrong "$one: no sum" ;; esac
done
# Lanes that end (llvm.amdgcn.kill): where none is left, the wave ends at once, with an export to nothing, by the attributes
# amdgpu-color-export and amdgpu-depth-export (ATT-27, ATT-28).
for one in gfx600 gfx803 gfx900 gfx1030:32 gfx1030:64 gfx1100:32 gfx1100:64 gfx1201:32; do
    target=${one%%:*} wave=${one#"$target"} && wave=${wave#:}
    for attributes in '' '"amdgpu-color-export"="0"' '"amdgpu-color-export"="1"' '"amdgpu-depth-export"="1"' '"amdgpu-color-export"="0" "amdgpu-depth-export"="1"'; do
        cat > kill.ll << S
define amdgpu_ps void @f(float %a, float %b) $attributes {
  %c = fcmp olt float %a, 1.0
  call void @llvm.amdgcn.kill(i1 %c)
  call void @llvm.amdgcn.exp.f32(i32 1, i32 15, float %a, float %b, float %a, float %b, i1 true, i1 true)
  ret void
}
define amdgpu_vs void @g(float %a) $attributes {
  %c = fcmp olt float %a, 1.0
  call void @llvm.amdgcn.kill(i1 %c)
  ret void
}
S
        "$softwave" cc --verify --triple=amdgcn--amdpal --target="$target" ${wave:+--mattr=+wavefrontsize$wave} -S kill.ll -o ours.s 2> message &&
            "$LLC" -mtriple=amdgcn--amdpal -mcpu="$target" -mattr="${wave:++wavefrontsize$wave}" kill.ll -o theirs.s 2> message || wrong "kill $one: $(head -n 3 message)"
        for who in ours theirs; do grep -oE '^[[:space:]](exp|export) .*|s_endpgm' $who.s | sed 's/ *;.*//; s/^[[:space:]]//' | sort > $who; done
        cmp -s ours theirs && grep -q 's_cbranch_execnz' ours.s && [ "$(grep -c s_endpgm ours)" = 4 ] && pass || wrong "kill $one $attributes: $(diff ours theirs)"
    done
done
refused() { # refused PROCESSOR TEXT CALL
    shader f "$3" > refused.ll
    "$softwave" cc --triple=amdgcn--amdpal --target="$1" -S refused.ll -o refused.s 2> message
    [ $? = 4 ] && grep -q "$2 is not supported" message && pass || wrong "not refused: $1 $2: $(cat message)"
}
refused gfx1100 'the intrinsic llvm.amdgcn.exp.compr.v2f16 on this processor' 'exp.compr.v2f16(i32 2, i32 15, <2 x half> %x, <2 x half> %y, i1 false, i1 true)'
refused gfx1030 'the intrinsic llvm.amdgcn.exp.row.f32 on this processor' 'exp.row.f32(i32 0, i32 15, float %a, float %b, float %c, float %d, i1 true, i32 %row)'
refused gfx90a 'the intrinsic llvm.amdgcn.exp.f32 on this processor' 'exp.f32(i32 0, i32 15, float %a, float %b, float %c, float %d, i1 true, i1 false)'
for one in gfx900:16 gfx900:21 gfx1030:21 gfx1100:9 gfx1100:32 gfx1100:21 gfx1201:22 gfx1201:17; do
    refused ${one%:*} 'an export to this target' "exp.f32(i32 ${one#*:}, i32 15, float %a, float %b, float %c, float %d, i1 true, i1 false)"
done
refused gfx900 'an export of half a pair' 'exp.compr.v2f16(i32 2, i32 1, <2 x half> %x, <2 x half> %y, i1 false, i1 true)'

# Messages, halts and cache maintenance that the emulator does not do: llc's instructions, where the processor has them
# (INT-07). m0 has a message's number.
halts() { # halts CALL...: a kernel each
    for call; do echo "define amdgpu_kernel void @f$((halt += 1))(i32 %x) {
  call void @llvm.amdgcn.$call
  ret void
}"; done
}
words() { sed -nE 's/;.*//; s/[[:space:]]+$//; s/^[[:space:]]*(s_sendmsg|s_sendmsghalt|s_sethalt|buffer_wbinvl1|buffer_wbinvl1_vol)( .*)?$/\1\2/p; s/^[[:space:]]*s_mov_b32 m0, s.*/m0/p' "$1"; }
halt=0
halts 's.sendmsghalt(i32 1, i32 %x)' 's.sendmsghalt(i32 3, i32 %x)' 's.sendmsg(i32 1, i32 %x)' 's.sethalt(i32 1)' 's.sethalt(i32 0)' > halt.ll
for target in gfx600 gfx700 gfx803 gfx900 gfx90a gfx1030 gfx1100 gfx1201; do
    cp halt.ll all.ll
    case $target in gfx6*) halts 'buffer.wbinvl1()' >> all.ll ;; gfx[789]*) [ $target = gfx90a ] || halts 'buffer.wbinvl1()' 'buffer.wbinvl1.vol()' >> all.ll ;; esac
    "$softwave" cc --verify --target=$target -S all.ll -o ours.s 2> message && "$softwave" cc --target=$target -c all.ll -o ours.o 2> message &&
        "$LLC" -mtriple=amdgcn-amd-amdhsa -mcpu=$target all.ll -o theirs.s 2> message || { wrong "halts $target: $(head -n 2 message)" && continue; }
    for who in ours theirs; do
        words $who.s > $who.words
        grep -v '^m0' $who.words | "$LLVM_MC" -triple=amdgcn -mcpu=$target -show-encoding 2>&1 | sed -n 's/.*encoding: //p; /error/p' > $who
    done
    cmp -s ours theirs && [ "$(wc -l < ours)" -ge 5 ] && [ "$(grep -c m0 ours.words)" = 3 ] && pass || wrong "halts $target: $(diff ours theirs)"
done
halts 'buffer.wbinvl1()' > refused.ll
for target in gfx942 gfx1030 gfx1201; do
    "$softwave" cc --target=$target -S refused.ll -o refused.s 2> message
    [ $? = 4 ] && grep -q 'the intrinsic llvm.amdgcn.buffer.wbinvl1 on this processor is not supported' message && pass || wrong "not refused: $target: $(cat message)"
done
end_test
