#!/bin/sh
# Prints, measured in one run: each kernel's time on software GPUs over its time on the host's OpenCL CPU
# device (PoCL) with the same threads; vector instructions a second; start time and memory; nanoseconds a body;
# assembling and disassembling against LLVM's tools.
# bench/run.sh BUILD-DIR [THREADS]
set -e
build=$1 threads=${2:-1}
softwave=$build/softwave
clc=/usr/lib/clc/amdgcn-amd-amdhsa.bc
work=$build/bench
POCL_MAX_PTHREAD_COUNT=$threads "$work/native" bench/kernels.cl >"$work/native.txt"
for gpu in gfx90a gfx1030 gfx1100 gfx1201; do
    clang-22 -x cl -cl-std=CL2.0 -target amdgcn-amd-amdhsa -mcpu=$gpu -nogpulib -mcode-object-version=4 -w -O2 \
        -Xclang -mlink-builtin-bitcode -Xclang $clc bench/kernels.cl -o "$work/$gpu.co"
    "$work/bench" "$work/$gpu.co" $gpu "$threads" >"$work/$gpu.txt"
    echo "$gpu, $threads thread(s): milliseconds on PoCL and on Softwave, Softwave / PoCL"
    paste "$work/native.txt" "$work/$gpu.txt" | awk '{r = $4 / $2; s += log(r); n++; printf "  %-12s %9.3f %9.3f  %6.2f\n", $1, $2, $4, r}
        END {printf "  %-12s %26.2f\n", "geometric mean", exp(s / n)}'
done
outliers=0
"$work/bodies" || outliers=1
# A tiny kernel from process start to end, and its peak memory.
best=999999
for i in 1 2 3 4 5 6 7 8 9; do
    t=$( { /usr/bin/env time -f '%e %M' $softwave run -j1 -k hash -g 64 "$work/gfx90a.co" buf:256 i32:1 2>&1 >/dev/null; } 2>/dev/null | tail -n 1)
    memory=${t#* }
    start=$(date +%s%N)
    $softwave run -j1 -k hash -g 64 "$work/gfx90a.co" buf:256 i32:1 >/dev/null
    us=$((($(date +%s%N) - start) / 1000))
    [ $us -lt $best ] && best=$us
done
echo "a tiny kernel, whole process: $best us, peak memory ${memory:-?} KiB (goals: 10000 us, 20480 KiB)"
# Assembler and disassembler against LLVM's.
bench/text.sh "$build" gfx90a gfx1100 gfx1201
# Assembler and linker against LLVM's.
bench/link.sh "$build"
# A body far above the median of its class is a failure, named above.
[ $outliers = 0 ]
