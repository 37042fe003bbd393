#!/bin/sh
# SPDX-License-Identifier: MIT
# Random kernels (random.c) with conditions, loops and switches that lanes take differently, on integers and floats of all
# widths, compiled by clang-22 at -O0 to -O3 and by `softwave cc`: on processors of every family they leave what the
# same source leaves on this host, with random registers at launch. usage: random.sh [path of softwave]
# SECOND=1 asks llc-22, too, about what differs. KERNELS (of a seed), SEEDS and TARGETS choose others: KERNELS=100 SEEDS="$(seq -f %g:6 50)" takes minutes.
. "$(dirname "$0")/../tools.sh"
number=0
begin_test "$@"
. "$here/together.inc"
mkdir ours wanted
need_llvm_22 "$CLANG"
need_reader
${CC:-cc} -w -O1 -o make_kernels "$here/random.c" || exit 1
set -- ${TARGETS:-gfx90a gfx1030 gfx1201:64 gfx803 gfx1100 gfx942 gfx600 gfx1030:64 gfx1250}
targets=$* KERNELS=${KERNELS:-25}
# second: what llc-22 makes of the kernel at hand
second() {
    [ -n "$SECOND" ] || return
    "$LLC" -mtriple=amdgcn-amd-amdhsa -mcpu="$target" ${wave:+-mattr=+wavefrontsize$wave} -O2 -filetype=obj r.ll -o llc.o 2> /dev/null &&
        "$softwave" ld llc.o -o llc.co 2> /dev/null || { echo "; llc-22 fails" && return; }
    "$softwave" run --init=random:"$seed" --target="$target" -k "r$kernel" -g 256 -b 64 llc.co buf:2K,out=out buf:in=in > /dev/null 2>&1
    cmp -s out "wanted/r$kernel.cpu" && echo "; llc-22 is right" || echo "; llc-22 differs, too"
}
# Seeds with a colon have so many functions, which kernels and functions call.
for seed in ${SEEDS:-1 2 3 4 5 6 7 8 61 1:6 2:6 3:6 4:6 5:6 6:6 7:6 8:6}; do
    functions=${seed#"${seed%%:*}"} && seed=${seed%%:*}
    ./make_kernels "$KERNELS" "$seed" "${functions#:}" > r.c && ${CC:-cc} -w -O1 -fwrapv -ffp-contract=off -o host r.c && ./host || exit 1
    # Each seed at another level and on another processor.
    level=$((number % 4)) && eval "processor=\${$((number % $# + 1))}" && number=$((number + 1))
    target=${processor%%:*} wave=${processor#"$target"} && wave=${wave#:}
    "$CLANG" -w -x cl -cl-std=CL2.0 -O$level -target amdgcn-amd-amdhsa -mcpu=gfx90a -nogpulib -mcode-object-version=4 \
        -cl-fp32-correctly-rounded-divide-sqrt -ffp-contract=off -S -emit-llvm r.c -o r.ll || exit 1
    sed -i 's/"target-cpu"="gfx90a"//; s/"target-features"="[^"]*"//' r.ll
    # Every second seed without functions has few registers: values are taken out of them, and phis go to memory.
    few=$((number % 2)) && [ "$functions" = "$seed" ] || few=0
    [ $few = 0 ] || sed -i 's/"uniform-work-group-size"[^ ]*/"amdgpu-num-vgpr"="16" "amdgpu-num-sgpr"="32"/' r.ll
    case $target in *-generic) version=--code-object-version=6 ;; *) version= ;; esac # which no older one knows
    # shellcheck disable=SC2086
    # What clang left on the stack at -O0 stays there, but on GFX6, which has no flat addresses.
    case $level$target in 0gfx60*) own=2 ;; *) own=$level ;; esac
    if ! "$softwave" cc --verify -O$own --target="$target" $version ${wave:+--mattr=+wavefrontsize$wave} r.ll -o r.co 2> message; then
        failed=$((failed + 1)) && echo "seed $seed -O$level $processor: $(grep -v note: message | head -n 2)" && continue
    fi
    rm -f ours/* wanted/*
    mv r[0-9]*.cpu wanted
    numbers=$(seq 0 $((KERNELS - 1)))
    for kernel in $numbers; do echo "r$kernel -g 256 -b 64 buf:2K,out=ours/r$kernel.cpu buf:in=in"; done > jobs
    run_all "seed $seed -O$level $processor" jobs r.co --init=random:"$seed" --target="$target"
    compare_all ours wanted
    for kernel in $numbers; do
        alike "r$kernel.cpu" && pass || wrong "seed $seed -O$level $processor r$kernel: $(cmp "ours/r$kernel.cpu" "wanted/r$kernel.cpu" 2>&1)$(second)"
    done
done
echo "$passed passed, $failed failed, 0 skipped (of $targets)"
exit $((failed > 0))
