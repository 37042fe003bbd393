#!/bin/sh
# SPDX-License-Identifier: MIT
# Control flow that lanes take differently, through `softwave cc` on every generation and wave size: the shapes of
# flow.def at -O0's and -O2's shapes of clang's code, with random registers at launch, equal to the same source on this
# host's processor. With SHAPES=calls, the same of functions that call each other (calls.def), with SHAPES=called those
# of flow.def as functions that are called. usage: flow.sh [path of softwave]; TARGETS chooses others.
. "$(dirname "$0")/../tools.sh"
begin_test "$@"
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

cat > host.c << 'C'
#include <stdio.h>
#define SHAPE(name) static int name(int x, int n)
#define FUNCTION static
#include SHAPE_FILE
static void put(const char *name, const void *data, size_t size) { FILE *f = fopen(name, "wb"); fwrite(data, size, 1, f); fclose(f); }
int main(void) {
    static int in[256], out[256];
    unsigned seed = 99;
    for (int i = 0; i < 256; i++) in[i] = i < 64 ? i : (int)((seed = seed * 1664525 + 1013904223) >> 9);
    put("in", in, sizeof in);
#define RUN(name) for (int i = 0; i < 256; i++) out[i] = name(in[i], 6); put("k_" #name ".cpu", out, sizeof out); puts("k_" #name);
    SHAPES(RUN)
}
C
${CC:-cc} -w -O1 -fwrapv -DSHAPE_FILE="\"$FILE.def\"" -I "$here" -o host host.c && ./host > kernels || exit 1

TARGETS=${TARGETS:-"gfx600 gfx700 gfx803 gfx900 gfx90a gfx942 gfx1010 gfx1030:64 gfx1100 gfx1201 gfx1201:64"}
for one in $TARGETS; do
    target=${one%%:*} wave=${one#"$target"} && wave=${wave#:}
    features=${wave:+--mattr=+wavefrontsize$wave}
    for level in O1 O2; do
        names=$(sed 's/^/-k /' kernels)
        if ! "$softwave" cc --verify --target="$target" $features $names $level.ll -o ours.co 2> message; then
            wrong "$one -$level: cc: $(head -n 3 message)" && continue
        fi
        for kernel in $(cat kernels); do
            rm -f out
            if ! timeout 60 "$softwave" run --init=random:1$passed --tier=0 --target="$target" -k "$kernel" -g 256 -b 64 ours.co \
                buf:1K,out=out buf:in=in i32:6 > message 2>&1; then
                wrong "$one -$level $kernel: $(grep -v warning message | head -n 3)"
            elif ! cmp -s out "$kernel.cpu"; then
                wrong "$one -$level $kernel: $(cmp out "$kernel.cpu" 2>&1)"
            else pass; fi
        done
    done
done
[ "$SHAPES" = flow ] || end_test
# With so few registers that values have to leave them (ATT-03, ATT-04).
sed 's/"uniform-work-group-size"[^ ]*/"amdgpu-num-vgpr"="8" "amdgpu-num-sgpr"="28"/' O1.ll > few.ll
for target in gfx600 gfx90a gfx1030 gfx1201; do
    "$softwave" cc --verify --target="$target" few.ll -o few.co 2> message || { wrong "$target, few registers: cc: $(head -n 3 message)" && continue; }
    for kernel in $(cat kernels); do
        timeout 60 "$softwave" run --init=random:2 --tier=0 --target="$target" -k "$kernel" -g 256 -b 64 few.co buf:1K,out=out buf:in=in i32:6 \
            > message 2>&1 && cmp -s out "$kernel.cpu" && pass || wrong "$target $kernel, few registers: $(grep -v warning message | head -n 3)"
    done
done

# Text between any two stages changes nothing.
for kernel in k_within k_targets; do
    "$softwave" cc --target=gfx90a -k $kernel -S O1.ll -o whole.s
    for stage in blocks divergence legal select memory_model control assign waits; do
        "$softwave" cc --target=gfx90a --verify -k $kernel --until=$stage O1.ll -o stage.swir && "$softwave" cc --verify -S stage.swir -o stage.s &&
            cmp whole.s stage.s && pass || wrong "$kernel: behind $stage"
    done
done
end_test
