#!/bin/sh
# SPDX-License-Identifier: MIT
# Kernels that need more registers than there are, in loops whose values move on in circles, and kernels with jumps over
# more than 32767 dwords, forwards and back (large.awk), through `softwave cc`: equal to the same source on this host's
# processor, with random registers at launch. usage: large.sh [path of softwave]; TARGETS chooses others.
. "$(dirname "$0")/../tools.sh"
begin_test "$@"
need_llvm_22 "$CLANG"
need_reader
awk -v values=150 -v lines=2600 -f "$here/large.awk" > kernels.h || exit 1
${CC:-cc} -w -O1 -DKERNELS='"kernels.h"' -I . -o host "$here/large.c" && ./host 5 || exit 1
"$CLANG" -w -x cl -cl-std=CL2.0 -O1 -target amdgcn-amd-amdhsa -mcpu=gfx90a -nogpulib -mcode-object-version=4 \
    -DKERNELS='"kernels.h"' -I . -S -emit-llvm "$here/large.c" -o large.ll || exit 1
sed -i 's/"target-cpu"="gfx90a"//; s/"target-features"="[^"]*"//' large.ll
for one in ${TARGETS:-gfx90a gfx1100 gfx1201:64 gfx803}; do
    target=${one%%:*} wave=${one#"$target"} && wave=${wave#:}
    if ! "$softwave" cc --target="$target" ${wave:+--mattr=+wavefrontsize$wave} large.ll -o large.co 2> message; then
        failed=$((failed + 1)) && echo "$one: $(grep -v note: message | head -n 3)" && continue
    fi
    for kernel in turns_wave turns_lanes far_lanes far_wave; do
        rm -f out
        if "$softwave" run --init=random:3 --target="$target" -k "$kernel" -g 128 -b 64 large.co buf:512,out=out buf:in=in u32:5 u32:77 > message 2>&1 &&
            cmp -s out "$kernel.cpu"; then
            passed=$((passed + 1))
        else
            failed=$((failed + 1)) && echo "$one $kernel: $(cmp out $kernel.cpu 2>&1) $(grep -v warning message | head -n 2)"
        fi
    done
done
# That they are what they are meant to be: jumps go by way of others, and values are kept in lanes and in memory.
"$softwave" cc --target=gfx1100 -S large.ll -o large.s 2> message || wrong "-S: $(head -n 3 message)"
for one in 's_branch .*_far' 's_cbranch_.*_far' '_over' v_writelane_b32 scratch_store_b32; do
    if [ "$(grep -c "$one" large.s)" -gt 3 ]; then pass; else wrong "large.s has no $one"; fi
done
end_test
