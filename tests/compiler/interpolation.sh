#!/bin/sh
# SPDX-License-Identifier: MIT
# Attributes of pixel shaders (llvm.amdgcn.interp.*, lds.param.load, lds.direct.load; INT-46) by `softwave cc` and by llc-22:
# for every intrinsic, channel, half and corner the same instructions, attributes and sources, and the same
# values of M0. (The emulator has no attributes.) Where LDS has 16 banks, a result has a register of its own. Loads from LDS
# wait for what still reads their register. What a processor does not have is refused. usage: interpolation.sh [path of softwave]
. "$(dirname "$0")/../tools.sh"
begin_test "$@"
need_llvm_22 "$LLC" "$LLVM_MC"
need_reader

f() { # f NAME RESULT PARAMETERS CALL
    printf 'define amdgpu_ps %s @%s(%s) {\n  %%r = call %s @llvm.amdgcn.%s\n  ret %s %%r\n}\n' "$2" "$1" "$3" "$2" "$4" "$2"
}
old() { # up to GFX10
    for k in 0 1 2 3; do
        f p1_$k float 'float %a, i32 inreg %m' "interp.p1(float %a, i32 $k, i32 $((k * 9)), i32 %m)"
        f p2_$k float 'float %a, float %b, i32 inreg %m' "interp.p2(float %a, float %b, i32 $k, i32 $((32 - k)), i32 %m)"
        [ $k = 3 ] || f mov_$k float 'i32 inreg %m' "interp.mov(i32 $k, i32 $k, i32 $((k + 29)), i32 %m)"
        [ "$1" = gfx600 ] || [ "$1" = gfx703 ] || for h in 0 1; do
            f p1h_$k$h float 'float %a, i32 inreg %m' "interp.p1.f16(float %a, i32 $k, i32 $((k * 9)), i1 $h, i32 %m)"
            f p2h_$k$h half 'float %a, float %b, i32 inreg %m' "interp.p2.f16(float %a, float %b, i32 $k, i32 $((32 - k)), i1 $h, i32 %m)"
        done
    done
    f number float 'float %a' "interp.p1(float %a, i32 2, i32 9, i32 256)"
}
new() {
    for k in 0 1 2 3; do f load_$k float 'i32 inreg %m' "lds.param.load(i32 $k, i32 $((k * 10)), i32 %m)"; done
    f direct float 'i32 inreg %m' "lds.direct.load.f32(i32 %m)"
    f p10 float 'float %a, float %b, float %c' 'interp.inreg.p10(float %a, float %b, float %c)'
    f p2 float 'float %a, float %b, float %c' 'interp.inreg.p2(float %a, float %b, float %c)'
    for h in 0 1; do
        f p10h_$h float 'float %a, float %b, float %c' "interp.inreg.p10.f16(float %a, float %b, float %c, i1 $h)"
        f p2h_$h half 'float %a, float %b, float %c' "interp.inreg.p2.f16(float %a, float %b, float %c, i1 $h)"
        f p10z_$h float 'float %a, float %b, float %c' "interp.p10.rtz.f16(float %a, float %b, float %c, i1 $h)"
        f p2z_$h half 'float %a, float %b, float %c' "interp.p2.rtz.f16(float %a, float %b, float %c, i1 $h)"
    done
}
# list FILE: of each function its interpolations, without the register of the result, and what M0 is
list() {
    awk '/^[a-z0-9_]+:/ { print "#" $1 } /v_interp|_load |m0,/ { sub(/;.*/, ""); gsub(/wait_[a-z_]*:[0-9]+/, ""); gsub(/[ \t]+/, " "); sub(/ $/, ""); print }' "$1" |
        sed -E 's/_e(32|64)//; s/s_movk_i32/s_mov_b32/; s/^ (v_interp_[a-z0-9_]*|[a-z]+_[a-z]+_load) v[0-9]+/\1 -/'
}
for one in gfx600 gfx703 gfx803 gfx810 gfx900 gfx1010 gfx1030:32 gfx1030:64 gfx1100:32 gfx1100:64 gfx1201:32; do
    target=${one%%:*} wave=${one#"$target"} && wave=${wave#:}
    true16=
    case $target in gfx11*) new > all.ll && true16=-mattr=-real-true16 ;; gfx12*) new > all.ll ;; *) old $target > all.ll ;; esac
    count=$(grep -c '^define' all.ll)
    for level in 0 2; do
        "$softwave" cc --verify -O$level --triple=amdgcn--amdpal --target="$target" ${wave:+--mattr=+wavefrontsize$wave} -S all.ll -o ours.s 2> message &&
            "$softwave" cc -O$level --triple=amdgcn--amdpal --target="$target" -c all.ll -o ours.o 2> message || { wrong "$one: $(head -n 3 message)" && continue; }
        "$LLC" -O2 -mtriple=amdgcn--amdpal -mcpu="$target" ${true16:+$true16} ${wave:+-mattr=+wavefrontsize$wave} all.ll -o theirs.s 2> message || { wrong "$one: llc: $(head -n 1 message)" && continue; }
        for who in ours theirs; do list $who.s > $who; done
        if [ "$(grep -cE '^(v_interp|l?ds_)' ours)" -ge "$count" ] && cmp -s ours theirs; then pass; else wrong "$one -O$level: $(diff ours theirs | head -n 6)"; fi
    done
    case $target in gfx703 | gfx810) sed -n '/^p1_0:/,/endpgm/p' ours.s | grep -qE 'v_interp_p1_f32 v([0-9]+), v\1,' && wrong "$one: p1 writes its source" || pass ;; esac
done
# A load of a parameter comes when EXP_CNT says so, and takes a register that nothing reads any more.
new > all.ll
for target in gfx1100 gfx1201; do
    "$softwave" cc --verify --triple=amdgcn--amdpal --target=$target -S all.ll -o ours.s 2> message || wrong "$target: $(head -n 3 message)"
    order=$(sed -n '/^load_1:/,/exec_lo, s/p' ours.s | sed -nE 's/.*(s_waitcnt_depctr 0xffe3|ds_param_load|s_wqm|s_mov_b32 exec_lo).*/\1/p; s/.*(expcnt).*/\1/p' | tr '\n' ' ')
    case $target in
    gfx1100) want='s_wqm s_waitcnt_depctr 0xffe3 ds_param_load expcnt s_mov_b32 exec_lo ' ;;
    *) want='s_wqm ds_param_load expcnt s_mov_b32 exec_lo ' ;;
    esac
    [ "$order" = "$want" ] && pass || wrong "$target: $order"
done
refused() { # refused TARGET CALL TEXT
    f f float 'float %a, i32 inreg %m' "$2" > refused.ll
    "$softwave" cc --triple=amdgcn--amdpal --target="$1" -S refused.ll -o refused.s 2> message
    [ $? = 4 ] && grep -q "$3" message && pass || wrong "$1: $2: $(head -n 2 message)"
}
refused gfx600 'interp.p1.f16(float %a, i32 0, i32 0, i1 0, i32 %m)' 'llvm.amdgcn.interp.p1.f16 on this processor'
refused gfx90a 'interp.p1(float %a, i32 0, i32 0, i32 %m)' 'llvm.amdgcn.interp.p1 on this processor'
refused gfx1100 'interp.mov(i32 0, i32 0, i32 0, i32 %m)' 'llvm.amdgcn.interp.mov on this processor'
refused gfx1030 'lds.param.load(i32 0, i32 0, i32 %m)' 'llvm.amdgcn.lds.param.load on this processor'
refused gfx900 'interp.p1(float %a, i32 0, i32 33, i32 %m)' 'an attribute of this number'
end_test
