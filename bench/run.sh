#!/bin/sh
# Prints, measured in one run: each kernel's time on software GPUs, at each tier, over its time on the host's OpenCL CPU
# device (PoCL) with the same threads, which native code must not lengthen; the same kernels at each vector level, none of which may be slower than the one
# below, and on more threads; what a dispatch costs; nanoseconds a body; matrix instructions; kernels of language models
# against C; start time and memory; assembling and disassembling against LLVM's tools. Every table has the CPU's name: figures are of one host.
# bench/run.sh BUILD-DIR [THREADS]
export SOFTWAVE_CACHE= # compiled code is kept nowhere
set -e
build=$1 threads=${2:-1}
softwave=$build/softwave
clc=/usr/lib/clc/amdgcn-amd-amdhsa.bc
work=$build/bench
cpu=$(sed -n 's/^model name[^:]*: *//p' /proc/cpuinfo 2>/dev/null | head -n 1)
cpu="${cpu:-$(uname -m)}, $(sed -n 's/^\(cpu family\|model\)[\t ]*: */\1 /p' /proc/cpuinfo 2>/dev/null | head -n 2 | paste -sd ' ')"
echo "$cpu, $(date +%F), load $(cut -d ' ' -f 1 /proc/loadavg 2>/dev/null) before"
: >"$work/native.all.txt"
on_pocl() { # the best of what was measured so far
    POCL_MAX_PTHREAD_COUNT=$threads "$work/native" bench/kernels.cl >>"$work/native.all.txt"
    awk '!($1 in best) {order[n++] = $1; best[$1] = $2} $2 < best[$1] {best[$1] = $2}
        END {for (i = 0; i < n; i++) print order[i], best[order[i]]}' "$work/native.all.txt" >"$work/native.txt"
}
on_pocl
# Each processor at all tiers: milliseconds of KERNEL at TIER, the best of what was measured so far. A tier that is slower than
# the one below fails by name.
tiers=0
at_tier() { "$work/bench" "$work/$gpu.co" $gpu "$threads" "" "$2" "$1" >>"$work/$gpu.$1.txt"; }
best_at() { awk -v name="$2" '$1 == name && (!best || $2 < best) {best = $2} END {print best}' "$work/$gpu.$1.txt"; }
slower_tier() { awk -v a="$(best_at $(($2 - 1)) "$1")" -v b="$(best_at "$2" "$1")" 'BEGIN {exit !(b > 1.1 * a)}'; }
check_tier() {
    for try in 1 2 3 4; do # others may use this host
        slower_tier "$1" "$2" || return 0
        at_tier $(($2 - 1)) "$1" && at_tier "$2" "$1"
    done
    slower_tier "$1" "$2" || return 0
    echo "SLOWER: $1 takes $(best_at "$2" "$1") ms on $gpu at tier $2, $(best_at $(($2 - 1)) "$1") ms at tier $(($2 - 1))"
    tiers=1
}
# No kernel may take more than twice PoCL's time at tier 2, both the best of what was measured so far.
above=0
is_above() { awk -v name="$1" -v a="$(best_at 2 "$1")" '$1 == name {exit !(a > 2 * $2)}' "$work/native.txt"; }
check_native() {
    for try in 1 2 3 4; do # others may use this host, and memory lies better for one process than for another
        is_above "$1" || return 0
        at_tier 2 "$1" && on_pocl
    done
    is_above "$1" || return 0
    echo "ABOVE: $1 takes $(best_at 2 "$1") ms on $gpu at tier 2, more than twice $(awk -v name="$1" '$1 == name {print $2}' "$work/native.txt") ms on PoCL"
    above=1
}
for gpu in gfx90a gfx942 gfx1030 gfx1100 gfx1201; do
    clang-22 -x cl -cl-std=CL2.0 -target amdgcn-amd-amdhsa -mcpu=$gpu -nogpulib -mcode-object-version=4 -w -O2 \
        -Xclang -mlink-builtin-bitcode -Xclang $clc bench/kernels.cl -o "$work/$gpu.co"
    for tier in 0 1 2; do
        : >"$work/$gpu.$tier.txt"
        at_tier $tier
    done
    for kernel in $(awk '{print $1}' "$work/native.txt"); do
        check_tier "$kernel" 1
        check_tier "$kernel" 2
    done
    for pass in 1 2; do # PoCL's may get better meanwhile
        for kernel in $(awk '{print $1}' "$work/native.txt"); do check_native "$kernel"; done
    done
    echo "$gpu, $threads thread(s), $cpu: milliseconds on PoCL, at tiers 0, 1 and 2, and over PoCL's"
    while read -r kernel native; do echo "$kernel $native $(best_at 0 "$kernel") $(best_at 1 "$kernel") $(best_at 2 "$kernel")"; done <"$work/native.txt" |
        awk '{a = $3 / $2; b = $4 / $2; c = $5 / $2; s += log(a); t += log(b); u += log(c); n++; printf "  %-12s %9.3f %9.3f %9.3f %9.3f  %6.2f %6.2f %6.2f\n", $1, $2, $3, $4, $5, a, b, c}
        END {printf "  %-12s %47.2f %6.2f %6.2f\n", "geometric mean", exp(s / n), exp(t / n), exp(u / n)}'
done
"$work/valu"
# Each level against the one below: milliseconds of NAME at LEVEL, the best of what was measured so far.
levels=0 below=
at_level() { "$work/bench" "$work/gfx1100.co" gfx1100 "$threads" "$1" $2 >>"$work/level.$1.txt" 2>/dev/null; }
best_of() { awk -v name="$2" '$1 == name && (!best || $2 < best) {best = $2} END {print best}' "$work/level.$1.txt"; }
slower() { awk -v a="$(best_of "$below" "$1")" -v b="$(best_of "$level" "$1")" 'BEGIN {exit !(b > 1.1 * a)}'; }
for level in v2 v3 v4; do
    : >"$work/level.$level.txt"
    at_level $level || continue # not built, or this host does not have it
    [ -z "$below" ] || for kernel in $(awk '{print $1}' "$work/level.$level.txt" | sort -u); do
        for try in 1 2 3 4; do # others may use this host
            slower "$kernel" || continue 2
            at_level "$below" "$kernel" && at_level $level "$kernel"
        done
        ! slower "$kernel" && continue
        echo "SLOWER: $kernel takes $(best_of $level "$kernel") ms at level $level, $(best_of "$below" "$kernel") ms at $below"
        levels=1
    done
    below=$level
done
echo "gfx1100, $threads thread(s), $cpu: milliseconds at levels v2, v3, v4"
for kernel in $(awk '{print $1}' "$work/level.v2.txt" | awk '!seen[$0]++'); do
    printf '  %-12s' "$kernel"
    for level in v2 v3 v4; do printf ' %9s' "$(best_of $level "$kernel")"; done
    echo
done
# What more threads are worth at tiers 1 and 2, and to PoCL in the same minutes: hosts have fewer cores than they say. What the
# host itself gives is what a process on one thread keeps when as many run at once (its time alone over that then), and the
# loops of bench/host.c, which take turns with the kernels.
cores=$(nproc)
for n in 1 2 "$cores"; do
    POCL_MAX_PTHREAD_COUNT=$n "$work/native" bench/kernels.cl | awk '{print $1, $2}' >"$work/native.$n.txt"
done
"$work/bench" "$work/gfx1100.co" gfx1100 1 >"$work/alone.txt"
for n in 2 "$cores"; do
    for i in $(seq "$n"); do "$work/bench" "$work/gfx1100.co" gfx1100 1 | awk '{print $2}' >"$work/alone.$i.txt" & done
    wait
    (cd "$work" && paste $(seq -f 'alone.%g.txt' "$n")) | awk '{s = 0; for (i = 1; i <= NF; i++) s += $i; print s / NF}' >"$work/host.$n.txt"
done
for tier in 1 2; do
    "$work/bench" "$work/gfx1100.co" gfx1100 "1,2,$cores" "" "" $tier >"$work/threads.txt"
    echo "gfx1100 at tier $tier, $cpu: milliseconds on 1, 2 and $cores threads; the part of each thread that is used (goals: 0.90 at 2, 0.85 at $cores), by the best and by medians; processes that share nothing; PoCL's part"
    grep -v '^host:' "$work/threads.txt" | paste "$work/native.1.txt" "$work/native.2.txt" "$work/native.$cores.txt" - "$work/host.2.txt" "$work/host.$cores.txt" |
        awk -v cores="$cores" -v alone="$work/alone.txt" 'BEGIN {while ((getline line <alone) > 0) {split(line, one); best[one[1]] = one[2]}}
            {printf "  %-14s %9.3f %9.3f %9.3f  %5.2f %5.2f  %5.2f %5.2f  %5.2f %5.2f  %5.2f %5.2f\n", $1, $8, $10, $12, $8 / $10 / 2, $8 / $12 / cores, $9 / $11 / 2, $9 / $13 / cores, best[$1] / $14, best[$1] / $15, $2 / $4 / 2, $2 / $6 / cores}'
    grep '^host:' "$work/threads.txt" |
        awk -v cores="$cores" '{printf "  %-14s %9.3f %9.3f %9.3f  %5.2f %5.2f  %5.2f %5.2f\n", $1, $2, $4, $6, $2 / $4 / 2, $2 / $6 / cores, $3 / $5 / 2, $3 / $7 / cores}'
done
echo "what a dispatch costs, $cpu"
dispatches=0
"$work/dispatch" "$work/gfx1100.co" gfx1100 "$(nproc)" || dispatches=1
outliers=0
"$work/bodies" || outliers=1
echo "matrix instructions of gfx90a on one thread, $cpu (goals: 30 for F32, 60 for F16)"
bench/matrix.sh "$build"
# Kernels of language models against the same in C with OpenMP.
clang-22 -x cl -cl-std=CL2.0 -target amdgcn-amd-amdhsa -mcpu=gfx90a -nogpulib -mcode-object-version=4 -w -O2 -Ibench \
    -Xclang -mlink-builtin-bitcode -Xclang $clc bench/llm.cl -o "$work/llm.co"
echo "gfx90a, $threads thread(s), $cpu: milliseconds in C and on Softwave, Softwave / C, operations a second of both"
different=0
OMP_NUM_THREADS=$threads "$work/llm" "$work/llm.co" gfx90a "$threads" || different=1
# Kernels of all kinds that nobody tuned for, against C (WIDE=quick: a third of them).
bench/wide/run.sh "$build" || different=1
# The compiler against LLVM's code generator.
bench/compile.sh "$build"
# A tiny kernel from process start to end, and its peak memory, in turn with processes that do nothing: most of it is the host's.
echo "whole processes, $cpu: microseconds at best and in the median of 200, page faults, peak KiB (goals of the tiny kernel: 3000 us, 8192 KiB)"
"$work/start" 200 true -- "$softwave" --version -- "$softwave" run -k hash -g 64 "$work/gfx90a.co" buf:256 i32:1 |
    paste -d ' ' - - - | awk '{printf "  nothing (true)   %7d %7d %5d %6d\n  softwave         %7d %7d %5d %6d\n  a tiny kernel    %7d %7d %5d %6d\n", $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12}'
# The same kernel, and the largest of the bench, where LLVM compiles it first.
for kernel in hash sgemm_lds; do
    memory=$( { /usr/bin/env time -f '%M' $softwave run --tier=2 -j1 -k $kernel -g 64 "$work/gfx90a.co" buf:65536 $(if [ $kernel = hash ]; then echo i32:1; else echo buf:65536 buf:65536 i32:16; fi) 2>&1 >/dev/null; } 2>/dev/null | tail -n 1)
    hit=
    for i in 1 2; do # the second finds what the first has kept
        hit=$( { SOFTWAVE_CACHE=$work/cache /usr/bin/env time -f '%M' $softwave run --tier=2 -j1 -k $kernel -g 64 "$work/gfx90a.co" buf:65536 $(if [ $kernel = hash ]; then echo i32:1; else echo buf:65536 buf:65536 i32:16; fi) 2>&1 >/dev/null; } 2>/dev/null | tail -n 1)
    done
    echo "$kernel at tier 2, whole process: peak memory ${memory:-?} KiB, ${hit:-?} KiB where its code is on disk"
done
# Assembler and disassembler against LLVM's.
bench/text.sh "$build" gfx90a gfx1100 gfx1201
# Assembler and linker against LLVM's.
bench/link.sh "$build"
# The HSA runtime.
bench/hsa.sh "$build"
# How costs grow with grids and objects.
growth=0
bench/growth.sh "$build" || growth=1
# A body far above the median of its class, a level or tier slower than the one below, dispatches far above their goal and costs that grow faster than their input are
# failures, named above.
[ $different = 0 ] && [ $outliers = 0 ] && [ $growth = 0 ] && [ $levels = 0 ] && [ $tiers = 0 ] && [ $above = 0 ] && [ $dispatches = 0 ]
