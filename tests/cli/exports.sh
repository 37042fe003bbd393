#!/bin/sh
# SPDX-License-Identifier: MIT
# Exports: what `softwave run --exports` and `eval` show of them, on each generation that has them, at each tier.
# usage: exports.sh [path of softwave]
softwave=${1:-build/softwave}
scratch=$(mktemp -d)
trap 'rm -r "$scratch"' EXIT
passed=0 failed=0
check() { # NAME GOT WANTED
    if [ "$2" = "$3" ]; then passed=$((passed + 1)); else
        failed=$((failed + 1))
        echo "$1: got '$2', expected '$3'"
    fi
}
# run GPU STATUS INSTRUCTIONS OPTION...: output, with its status if that is not STATUS
run() {
    gpu=$1 status=$2
    {
        printf '.text\n.globl k\n.p2align 8\n.type k,@function\nk:\n%s\ns_endpgm\n' "$3"
        printf '.rodata\n.p2align 6\n.amdhsa_kernel k\n.amdhsa_next_free_vgpr 8\n.amdhsa_next_free_sgpr 16\n.end_amdhsa_kernel\n'
    } > "$scratch/k.s"
    shift 3
    "$softwave" run --target="$gpu" --no-cache -b 64 "$@" "$scratch/k.s" 2> "$scratch/message"
    code=$?
    [ $code = "$status" ] || echo "status $code"
}

# Lanes of two waves, in the order of groups and waves however many workers there are.
rows='launch group wave lane target values
1 0,0,0 0 0 mrt0 0x00000000 0x3f800000 off 0x00000000 done
1 0,0,0 0 2 mrt0 0x40000000 0x3f800000 off 0x00000002 done
1 0,0,0 0 0 pos0 0x00000000 off off 0x00000000 done row 7
1 0,0,0 0 1 pos0 0x00000001 off off 0x00000001 done row 7
1 0,0,0 1 0 mrt0 0x42000000 0x3f800000 off 0x00000020 done
1 0,0,0 1 2 mrt0 0x42080000 0x3f800000 off 0x00000022 done
1 0,0,0 1 0 pos0 0x00000020 off off 0x00000020 done row 7
1 0,0,0 1 1 pos0 0x00000021 off off 0x00000021 done row 7
1 1,0,0 0 0 mrt0 0x00000000 0x3f800000 off 0x00000000 done
1 1,0,0 0 2 mrt0 0x40000000 0x3f800000 off 0x00000002 done
1 1,0,0 0 0 pos0 0x00000000 off off 0x00000000 done row 7
1 1,0,0 0 1 pos0 0x00000001 off off 0x00000001 done row 7'
for gpu in gfx1100:exp gfx1201:export; do
    name=${gpu#*:} gpu=${gpu%:*}
    code="v_cvt_f32_u32 v1, v0
v_mov_b32 v2, 1.0
s_mov_b32 m0, 0x107
s_mov_b32 exec_lo, 5
$name mrt0 v1, v2, off, v0 done
s_mov_b32 exec_lo, 3
$name pos0 v0, off, off, v0 done row_en"
    for tier in 0 1 2; do
        check "$gpu, tier $tier" "$(run $gpu 0 "$code" --tier=$tier -j 4 --exports -g 96)" "$rows"
    done
    check "$gpu, taken by nobody" "$(run $gpu 4 "$code" -g 64)" ""
    check "its message" "$(head -n 1 "$scratch/message")" \
        "softwave: fault: reaches an instruction that cannot be executed: an export that nobody takes (softwave run --exports does)"
done

# Pairs of halves, parameters, the mask of pixels; nothing is exported where no lane executes, or VSKIP skips it.
old='v_mov_b32 v1, 0x40003c00
exp mrt7 v0, v0, v1, v1 compr vm
exp mrtz off, off, v1, v1 compr
exp param31 off, v1, off, off
exp null off, off, off, off done vm
s_mov_b64 exec, 0
exp pos3 v0, v0, v0, v0 done'
wanted='launch group wave lane target values
1 0,0,0 0 63 mrt7 0x0000003f 0x40003c00 compr vm
1 0,0,0 0 63 mrtz off 0x40003c00 compr
1 0,0,0 0 63 param31 off 0x40003c00 off off
1 0,0,0 0 63 null off off off off done vm'
for gpu in gfx600 gfx701 gfx803 gfx900 gfx906 gfx1010 gfx1030; do
    wave=
    case $gpu in gfx1*) wave=--wave=64 ;; esac
    check "$gpu" "$(run $gpu 0 "s_mov_b32 exec_lo, 0
s_brev_b32 exec_hi, 1
$old" $wave --exports -g 64)" "$wanted"
done
check "VSKIP" "$(run gfx900 0 's_setreg_imm32_b32 hwreg(HW_REG_MODE, 28, 1), 1
exp mrt0 v0, v0, v0, v0 done vm
s_setreg_imm32_b32 hwreg(HW_REG_MODE, 28, 1), 0
s_mov_b64 exec, 1
exp mrt1 off, off, off, v0' --exports -g 64 | tail -n +2)" "1 0,0,0 0 0 mrt1 off off off 0x00000000"
check "pos4 and prim" "$(run gfx1030 0 's_mov_b32 exec_lo, 1
exp pos4 v0, v0, v0, v0
exp prim v0, off, off, off done' --exports -g 32 | tail -n +2)" "1 0,0,0 0 0 pos4 0x00000000 0x00000000 0x00000000 0x00000000
1 0,0,0 0 0 prim 0x00000000 off off off done"
check "two colours" "$(run gfx1100 0 's_mov_b32 exec_lo, 1
exp dual_src_blend0 v0, off, off, off
exp dual_src_blend1 off, v0, off, off' --exports -g 32 | tail -n +2)" "1 0,0,0 0 0 dual_src_blend0 0x00000000 off off off
1 0,0,0 0 0 dual_src_blend1 off 0x00000000 off off"
# Nothing is taken of an export to nothing.
check "to nothing" "$(run gfx900 0 'exp null off, off, off, off done vm' -g 64)" ""
# A target that the processor does not have, and an export on a GPU without.
check "parameters on gfx1100" "$(run gfx1100 2 'exp param0 v0, v0, v0, v0' --exports -g 32)" ""
check "gfx90a has none" "$(run gfx90a 2 'exp mrt0 v0, v0, v0, v0' --exports -g 64)" ""
run gfx1100 1 '.long 0xf8000201, 0' --exports -g 32 > /dev/null
check "a parameter's number on gfx1100" "$(head -n 1 "$scratch/message")" \
    "softwave: fault: reaches an illegal instruction: no such export target"

# Into a file, which is as it was where nothing ran.
run gfx1030 0 'exp mrt0 v0, v0, v0, v0 done' --exports="$scratch/out" -g 32 > "$scratch/shown"
check "a file" "$(wc -l < "$scratch/out"; wc -c < "$scratch/shown")" "33
0"
run gfx1030 2 'exp mrt0 v0, v0' --exports="$scratch/out" -g 32 > /dev/null
check "the file stays" "$(wc -l < "$scratch/out")" 33
check "eval" "$("$softwave" eval --target=gfx1100 --lanes=2 'exp mrt0 v1, v2, off, off done' v1=f32:1.5 'v2=[1,2]')" \
    "mrt0 of lane 0: 0x3fc00000 0x00000001 off off
mrt0 of lane 1: 0x3fc00000 0x00000002 off off"

echo "$passed passed, $failed failed, 0 skipped"
[ $failed -eq 0 ]
