#!/bin/sh
# SPDX-License-Identifier: MIT
# `softwave cc` against llc-22 -O2, both in process and on the same IR of the ten kernels of kernels.cl: the time that the
# module takes, instructions that a launch executes, registers. compile.sh BUILD [PROCESSOR...]
set -e
build=$1 softwave=$1/softwave work=$1/bench/compiled
shift
[ $# -gt 0 ] || set -- gfx803 gfx900 gfx90a gfx942 gfx1030 gfx1100 gfx1201 gfx1250
clc=/usr/lib/clc/amdgcn-amd-amdhsa.bc
export SOFTWAVE_CACHE=
mkdir -p "$work"
# arguments KERNEL: a launch that both objects run
arguments() {
    case $1 in
    saxpy) echo "-g 4096 -b 256 buf:16K buf:16K f32:2" ;;
    sgemm_naive) echo "-g 64,64 -b 16,16 buf:16K buf:16K buf:16K i32:64" ;;
    sgemm_lds) echo "-g 64,64 -b 16,16 buf:16K buf:16K buf:16K i32:64" ;;
    nbody) echo "-g 256 -b 64 buf:4K buf:4K,fill=f32:iota i32:256" ;;
    mandel) echo "-g 64,64 -b 64,4 buf:16K i32:64 i32:64 i32:64" ;;
    reduce) echo "-g 4096 -b 256 buf:1K buf:16K,fill=u32:iota" ;;
    histogram) echo "-g 1024 -b 256 buf:1K buf:64K,fill=u32:iota i32:16384" ;;
    hash) echo "-g 1024 -b 256 buf:4K i32:100" ;;
    stencil) echo "-g 64,64 -b 64,4 buf:20K buf:20K i32:66" ;;
    daxpy64) echo "-g 1024 -b 256 buf:8K buf:8K f64:1.5 i32:16" ;;
    esac
}
executed() { # OBJECT PROCESSOR KERNEL: instructions without waits and hints
    # shellcheck disable=SC2046
    "$softwave" run --stats --target="$2" -k "$3" "$1" $(arguments "$3") 2>/dev/null |
        awk '$1 == "instructions" {all = $2} $1 == "wait" {wait = $2} END {print all - wait}'
}
registers() { awk -v kernel="$2" -v what="$3" '$1 == ".amdhsa_kernel" {on = $2 == kernel} on && $1 == ".amdhsa_next_free_" what {print $2}' "$1"; }

for gpu in "$@"; do
    clang-22 -x cl -cl-std=CL2.0 -target amdgcn-amd-amdhsa -mcpu="$gpu" -nogpulib -mcode-object-version=4 -w -O2 -Xclang -mlink-builtin-bitcode \
        -Xclang $clc -S -emit-llvm bench/kernels.cl -o "$work/$gpu.ll"
    names=$(grep -o 'amdgpu_kernel void @[a-z_0-9]*' "$work/$gpu.ll" | sed 's/.*@/-k /')
    # Functions that no kernel calls are nobody's work.
    opt-22 -passes='internalize,globaldce' -internalize-public-api-list="$(grep -o 'amdgpu_kernel void @[a-z_0-9]*' "$work/$gpu.ll" | sed 's/.*@//' | paste -sd , -)" \
        -S "$work/$gpu.ll" -o "$work/$gpu.less.ll" && mv "$work/$gpu.less.ll" "$work/$gpu.ll"
    # shellcheck disable=SC2086
    "$softwave" cc --target="$gpu" $names "$work/$gpu.ll" -o "$work/$gpu.co" 2>/dev/null
    # shellcheck disable=SC2086
    "$softwave" cc --target="$gpu" $names -S "$work/$gpu.ll" -o "$work/$gpu.ours.s" 2>/dev/null
    llc-22 -O2 -mcpu="$gpu" "$work/$gpu.ll" -o "$work/$gpu.llc.s"
    llc-22 -O2 -mcpu="$gpu" -filetype=obj "$work/$gpu.ll" -o "$work/$gpu.llc.o"
    ours=$("$build/bench/compile" ours "$work/$gpu.ll" "$gpu" 20) theirs=$("$build/bench/compile" llc "$work/$gpu.ll" "$gpu" 20)
    echo "$gpu: $ours $theirs" | awk '{printf "%s ten kernels: %.2f ms to read and %.2f to compile, llc-22 %.2f and %.2f: %.2f of its time\n", $1, $2 / 1e3, $3 / 1e3, $4 / 1e3, $5 / 1e3, $3 / $5}'
    for kernel in saxpy sgemm_naive sgemm_lds nbody mandel reduce histogram hash stencil daxpy64; do
        echo "$kernel $(executed "$work/$gpu.co" "$gpu" $kernel) $(executed "$work/$gpu.llc.o" "$gpu" $kernel)" \
            "$(registers "$work/$gpu.ours.s" $kernel vgpr) $(registers "$work/$gpu.llc.s" $kernel vgpr)"
    done | awk '{a = $2 / $3; b = $4 / $5; s += log(a); t += log(b); n++
        printf "  %-12s executed %8d, llc %8d: %5.2f   VGPRs %3d, llc %3d: %5.2f\n", $1, $2, $3, a, $4, $5, b}
        END {printf "  %-12s %38.2f %27.2f\n", "geometric mean", exp(s / n), exp(t / n)}'
done
