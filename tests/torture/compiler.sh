#!/bin/sh
# SPDX-License-Identifier: MIT
# Random kernels by `softwave cc` against the CPU (tests/compiler/random.sh) for SECONDS: all processors, waves and levels in
# turn, with functions in every other seed, each stage verified; llc-22 is asked about what differs.
# usage: compiler.sh BUILD SECONDS [SEED [SEEDS]]; SEEDS ends after so many seeds.
here=$(dirname "$0")
build=$1 seconds=$2 seed=${3:-$(date +%s)} most=${4:-1000000}
targets="gfx600 gfx700 gfx803 gfx900 gfx906 gfx908 gfx90a gfx942 gfx950 gfx1010 gfx1010:64 gfx1030 gfx1030:64 gfx1100 gfx1100:64
    gfx1151 gfx1200 gfx1201:64 gfx1250 gfx9-generic gfx10-3-generic gfx11-generic gfx12-generic"
end=$(($(date +%s) + seconds)) passed=0 failed=0 rounds=0
while [ "$(date +%s)" -lt $end ] && [ $((rounds * 8)) -lt "$most" ]; do
    # Eight seeds are two at each level; which processors they meet is another matter each time.
    seeds=
    for n in 0 1 2 3 4 5 6 7; do seeds="$seeds $((seed + rounds * 8 + n))$([ $((n % 2)) = 0 ] || echo :6)"; done
    # shellcheck disable=SC2086
    set -- $targets
    for n in $(seq $((rounds * 8 % $#))); do set -- "$@" "$1" && shift; done
    rounds=$((rounds + 1))
    SECOND=1 SEEDS=$seeds TARGETS=$* KERNELS=20 "$here/../compiler/random.sh" "$build/softwave" > "$build/torture.compiler" 2>&1
    grep -v ' passed, ' "$build/torture.compiler"
    # shellcheck disable=SC2046
    set -- $(tail -n 1 "$build/torture.compiler" | tr -d ,)
    [ "$5" = 1 ] && [ "$1" = 0 ] && echo "compiler: skipped" && exit 0
    passed=$((passed + $1)) failed=$((failed + $3))
done
echo "compiler: $passed random kernels are right, $failed differ, from seed $seed on"
exit $((failed > 0 || passed == 0))
