#!/bin/sh
# SPDX-License-Identifier: MIT
# The torture programs of a build, SECONDS each; SEED for another run than the last. A crash of random kernels is
# reduced to one kernel and the instructions that it takes.
# Waves and LDS end at guard pages, and bodies check each register that they reach (SW_GUARD). `make torture` draws
# the same ones always, by seed 3; TORTURE_SEED=$(date +%s) draws others, of which programs may differ by a mistake of
# the compiler (doc/errata.md, ERR-34): the first 32 files of seed 3 do not.
# A build with other dispatch than tail calls interprets only: TIERS says what there is to run.
# usage: [TIERS="0 1 2"] run.sh BUILD SECONDS [SEED]
export SOFTWAVE_CACHE= # compiled code is kept nowhere
build=$1 seconds=$2 seed=${3:-$(date +%s)} tiers=${TIERS:-0 1 2}
failed=0

# reduce ARGUMENTS...: those that a crash of `kernels` left
reduce() {
    for n in $(seq 0 255); do
        KERNEL=$n "$build/torture/kernels" "$@" > /dev/null 2>&1 && continue
        mask=1023 bit=1
        while [ $bit -lt 1024 ]; do
            KERNEL=$n KEEP=$((mask & ~bit)) "$build/torture/kernels" "$@" > /dev/null 2>&1 || mask=$((mask & ~bit))
            bit=$((bit * 2))
        done
        echo "reduced: KERNEL=$n KEEP=$mask kernels $*"
        return
    done
    echo "not reduced: it takes several of the kernels"
}

# Mangled objects, and kernels that scribble over the HSA runtime's memory, beside the kernels.
"$build/torture/objects" "$seconds" "$seed" > "$build/torture/objects.log" 2>&1 &
objects=$!
runtime=
if [ -x "$build/torture/runtime" ]; then
    rm -f "$build/torture"/asan.*
    # It closes standard error, where refusals of packets are many; what sanitizers find goes to files.
    ASAN_OPTIONS=$ASAN_OPTIONS:log_path=$build/torture/asan UBSAN_OPTIONS=$UBSAN_OPTIONS:log_path=$build/torture/asan \
        "$build/torture/runtime" "$seconds" "$seed" > "$build/torture/runtime.log" 2>&1 &
    runtime=$!
else
    echo "runtime: not built, as libhsa-runtime-dev is not installed, 1 skipped" > "$build/torture/runtime.log"
fi
parts=$(echo "$tiers" | wc -w)
for tier in $tiers; do # interpreted, all native, all compiled, the same time each
    export TEST_TIER=$tier
    "$build/torture/kernels" $(((seconds + parts - 1) / parts)) "$seed" 2> "$build/torture/crash" && continue
    cat "$build/torture/crash"
    echo "torture: kernels failed with seed $seed at tier $tier"
    # shellcheck disable=SC2046
    set -- $(sed -n 's/^crash: kernels [0-9]* //p' "$build/torture/crash" | head -n 1)
    [ $# = 3 ] && reduce 0 "$@"
    failed=1
    break
done
# The same kernels at all tiers.
if [ $failed = 0 ] && [ "$parts" -gt 1 ] && ! "$build/torture/tiers" "$seconds" "$seed"; then
    echo "torture: tiers differ with seed $seed; SHOW=1 $build/torture/tiers 0 SEED PROCESSOR prints the kernel"
    failed=1
fi
wait $objects || {
    echo "torture: objects failed with seed $seed"
    failed=1
}
[ -z "$runtime" ] || wait $runtime || {
    echo "torture: runtime failed with $?, seed $seed"
    cat "$build/torture"/asan.* 2> /dev/null
    failed=1
}
cat "$build/torture/objects.log" "$build/torture/runtime.log"
exit $failed
