#!/bin/sh
# SPDX-License-Identifier: MIT
# `exec --weak`: a HIP program whose work-groups pass a message without fences goes wrong for some seeds, for the same ones each
# time, and never with fences; other HIP programs are right with every seed; what is refused.
# usage: exec_weak.sh [path of softwave]
. "$(dirname "$0")/../hsa/jobs.inc"
command -v hipcc >/dev/null || skip_all "hipcc is not installed"
here=$sources jobs=1 && exec 3>job1.out # one job, whose lines go there
check() { # check WHAT GOT EXPECTED
    if [ "$2" = "$3" ]; then echo "ok $1" >&3; else echo "failed: $1: got '$2', expected '$3'" >&3; fi
}
for gpu in gfx90a gfx1030; do
    hipcc -O2 -w --offload-arch=$gpu "$here/message.cpp" -o message.$gpu >log 2>&1 || echo "failed: message is not built: $(grep -m 1 error log)" >&3
done
hipcc -O2 -w --offload-arch=gfx90a "$here/soon.cpp" -o soon >log 2>&1 || echo "failed: soon is not built: $(grep -m 1 error log)" >&3
weak() { timeout 60 "$softwave" exec -q --gpu=$1 --weak=$2 -- ./message.$1 $3; } # GPU SEED fence|none
first_wrong() {
    for seed in $(seq 100); do [ "$(weak $1 $seed none)" = 7 ] || { echo $seed && return; }; done
}
for gpu in gfx90a gfx1030; do
    wrong=$(first_wrong $gpu)
    check "$gpu: some seed without fences is wrong" "${wrong:+some}" some
    check "$gpu: that seed again" "$(weak $gpu "${wrong:-1}" none)" 0
    check "$gpu: with fences" "$(for seed in 1 2 3 4 5 "${wrong:-1}"; do weak $gpu $seed fence; done | tr '\n' ' ')" "7 7 7 7 7 7 "
    check "$gpu: without --weak" "$("$softwave" exec -q --gpu=$gpu -- ./message.$gpu none)" 7
done
check "SOFTWAVE_WEAK" "$(SOFTWAVE_WEAK=3 "$softwave" exec -q --gpu=gfx90a -- ./message.gfx90a none)" "$("$softwave" exec -q --gpu=gfx90a --weak=3 -- ./message.gfx90a none)"
check "--weak=0" "$("$softwave" exec --weak=0 -- ./message.gfx90a none 2>&1 | head -n 1)" "softwave exec: --weak takes a number from 1 on, with ',hazards' behind it if wanted, not '0'"
check "--weak=3,hazard" "$("$softwave" exec --weak=3,hazard -- ./message.gfx90a none 2>&1 | head -n 1)" "softwave exec: --weak takes a number from 1 on, with ',hazards' behind it if wanted, not '3,hazard'"
check "SOFTWAVE_WEAK=,hazards" "$(SOFTWAVE_WEAK=,hazards "$softwave" exec -q --gpu=gfx90a -- ./message.gfx90a fence 2>&1 | grep -c "SOFTWAVE_WEAK: ',hazards' is not a number above 0")" 1
for gpu in gfx90a gfx1030; do
    check "$gpu: with fences and hazards" "$(for seed in 1 2 3 4 5; do weak $gpu $seed,hazards fence; done | tr '\n' ' ')" "7 7 7 7 7 "
done
check "a register that is moved between lanes too soon" "$(for seed in 1 2 3 4 5 6; do "$softwave" exec -q --gpu=gfx90a --weak=$seed,hazards -- ./soon; done | sort -u | tr '\n' ' ')" "5 7 "
check "unless hazards are asked for" "$(for seed in 1 2 3 4 5 6; do "$softwave" exec -q --gpu=gfx90a --weak=$seed -- ./soon; done | sort -u | tr '\n' ' ')" "7 "
check "XNACK" "$("$softwave" exec -q --gpu=gfx90a:xnack+ --weak -- ./message.gfx90a none 2>&1 | grep -c 'weak memory is for')" 1
for program in waves cooperative; do
    hipcc -O1 -w --offload-arch=gfx90a "$sources/../hsa/hip_$program.cpp" -o $program >log 2>&1 || echo "failed: hip_$program is not built: $(grep -m 1 error log)" >&3
    [ -x $program ] || continue
    for seed in 1 2; do
        timeout 300 "$softwave" exec -q --gpu=gfx90a --weak=$seed -- ./$program >out 2>&1
        check "hip_$program with seed $seed" "$? $(tail -n 3 out | grep -c failed)" "0 0"
    done
done
finish
