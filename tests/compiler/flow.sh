#!/bin/sh
# SPDX-License-Identifier: MIT
# Control flow that lanes take differently, through `softwave cc` on every generation and wave size: the shapes of
# flow.def at -O0's and -O2's shapes of clang's code, with random registers at launch, equal to the same source on this
# host's processor. With SHAPES=calls, the same of functions that call each other (calls.def), with SHAPES=called those
# of flow.def as functions that are called. usage: flow.sh [path of softwave]; TARGETS chooses others.
. "$(dirname "$0")/../tools.sh"
. "$(dirname "$0")/shapes.inc"
begin_test "$@"
. "$here/together.inc"
need_llvm_22 "$CLANG"
need_libclc
SHAPES=${SHAPES:-flow} FILE=$SHAPES FUNCTION=inline
[ "$SHAPES" = called ] && FILE=flow FUNCTION='__attribute__((noinline))'
# -O1 without the passes that make selects of branches keeps every branch of the source.
for level in O1 O2; do
    "$CLANG" -w -x cl -cl-std=CL2.0 -$level -fno-vectorize -fno-slp-vectorize -target amdgcn-amd-amdhsa -mcpu=gfx90a -nogpulib -mcode-object-version=4 -Xclang \
        -finclude-default-header -DSHAPE_FILE="\"$FILE.def\"" -DCALLED="$FUNCTION" -Xclang -mlink-builtin-bitcode -Xclang $libclc -I "$here" -S -emit-llvm "$here/flow.cl" -o $level.ll || exit 1
    sed -i 's/"target-cpu"="gfx90a"//; s/"target-features"="[^"]*"//' $level.ll
done
need_reader

host_results $FILE || exit 1

TARGETS=${TARGETS:-"gfx600 gfx700 gfx803 gfx900 gfx90a gfx942 gfx1010 gfx1030:64 gfx1100 gfx1201 gfx1201:64 gfx1250"}
for processor in $TARGETS; do
    target=${processor%%:*} wave=${processor#"$target"} && wave=${wave#:}
    features=${wave:+--mattr=+wavefrontsize$wave}
    for level in O1 O2; do
        names=$(sed 's/^/-k /' kernels)
        if ! "$softwave" cc --verify --target="$target" $features $names $level.ll -o ours.co 2> message; then
            wrong "$processor -$level: cc: $(head -n 3 message)" && continue
        fi
        run_shapes "$processor -$level" ours.co --init=random:1$passed --target="$target"
    done
done
[ "$SHAPES" = flow ] || end_test
# With so few registers that values have to leave them (ATT-03, ATT-04).
sed 's/"uniform-work-group-size"[^ ]*/"amdgpu-num-vgpr"="8" "amdgpu-num-sgpr"="28"/' O1.ll > few.ll
for target in gfx600 gfx90a gfx1030 gfx1201; do
    "$softwave" cc --verify --target="$target" few.ll -o few.co 2> message || { wrong "$target, few registers: cc: $(head -n 3 message)" && continue; }
    run_shapes "$target, few registers:" few.co --init=random:2 --target="$target"
done

# Text between any two stages changes nothing.
for kernel in k_within k_targets; do
    "$softwave" cc --target=gfx90a -k $kernel -S O1.ll -o whole.s
    for stage in blocks waterfall divergence legal select memory_model control assign waits; do
        "$softwave" cc --target=gfx90a --verify -k $kernel --until=$stage O1.ll -o stage.swir && "$softwave" cc --verify -S stage.swir -o stage.s &&
            cmp whole.s stage.s && pass || wrong "$kernel: behind $stage"
    done
done
end_test
