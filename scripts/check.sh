#!/bin/sh
# Checks that need a build of their own, or hours if one lets them: scripts/check.sh NAME, from `make NAME`, which
# has built what they take of the usual build.
# BUILD, CC and MAKE come from there; the numbers below may be set.
# With CHECK_LOGS=FOLDER what one says goes to FOLDER/NAME.log, and the end of it is shown when it fails.
set -eu
name=$1
: "${BUILD:=build}" "${MAKE:=make}"
TORTURE_SECONDS=${TORTURE_SECONDS:-60} TORTURE_SEED=${TORTURE_SEED:-3}
MISUSE_SECONDS=${MISUSE_SECONDS:-30} FUZZ_SECONDS=${FUZZ_SECONDS:-20} MUTANTS=${MUTANTS:-8} ROWS=${ROWS:-5}
case $(uname -m) in x86_64) one=v2 best=v4 levels="v2 v3 v4" ;; *) one=plain best=plain levels= ;; esac
TORTURE_LEVELS=${TORTURE_LEVELS:-plain $levels}

if [ "${CHECK_LOGS:-}" ]; then
    log=$CHECK_LOGS/$name.log start=$(date +%s)
    # make keeps its job server behind low numbers
    exec 9>&1 >"$log" 2>&1
    trap 'code=$?; took=$(($(date +%s) - start))
        if [ $code = 0 ]; then echo "$name: passed ($took s)"; else echo "$name: failed ($took s)"; tail -n 60 "$log"; fi >&9' EXIT
fi

# built FOLDER VARIABLE... GOAL: another build in that folder, in which what follows then runs
built() {
    BUILD=$BUILD/$1
    shift
    $MAKE BUILD="$BUILD" "$@"
}

# same FOLDER NAMES SOURCES...: what another build would only make once more, of the same text by the same compiler,
# is taken from the usual build if that has it: objects of these sources, with what they depend on, so that make sees
# whether they are as new.
same() {
    to=$BUILD/$1 names=$2
    shift 2
    mkdir -p "$to"
    to_there=$(realpath "$to")
    (cd "$BUILD" && find "$@" -name "$names" -print0 2>/dev/null | xargs -0 -r cp -pu --parents -t "$to_there") || true
    find "$to" -name '*.d' -exec sed -i "s#^$BUILD/\(src\|bitcode\)/#$to/\1/#" {} +
}

case $name in
clang) # which guarantees tail calls; one level, as the sources are the same
    same clang "*.$best.*" bitcode
    built clang CC=clang-22 LEVELS="$best" WERROR=-Werror all
    tests/device/tailcalls.sh
    ;;
sanitize) # waves and LDS end at guard pages
    built sanitize OPT=-O1 LEVELS="$one" \
        EXTRA="-fsanitize=address,undefined -fno-sanitize-recover=all -DSW_LOOP_DISPATCH -DSW_GUARD -g1" checked
    export SANITIZED=1
    tests/all.sh "$BUILD" unit
    tests/cli/run.sh "$BUILD/softwave"
    tests/torture/run.sh "$BUILD" 20 "$TORTURE_SEED"
    BUILD=$BUILD STRESS_FLAGS=-fsanitize=address,undefined tests/hsa/hsa_stress.sh
    ;;
threads) # launches, spinning kernels, maps that change, faults; with the bodies of hosts that have no levels
    tests="test_device test_lifetime test_snapshot test_share test_transfer test_events test_queues test_gws test_tiers test_tier_up"
    built threads OPT=-O1 LEVELS=plain EXTRA="-fsanitize=thread -DSW_LOOP_DISPATCH -g1" \
        $(for t in $tests; do echo "$BUILD/threads/tests/$t"; done) "$BUILD/threads/hsa/libhsa-runtime64.so.1"
    for t in $tests; do TSAN_OPTIONS=halt_on_error=1 MISUSE_SECONDS=$MISUSE_SECONDS "$BUILD/tests/$t"; done
    BUILD=$BUILD STRESS_FLAGS=-fsanitize=thread tests/hsa/hsa_stress.sh
    ;;
torture) # kernels between guard pages; programs at all levels, as users have them
    # shellcheck disable=SC2046
    tests/torture/programs.sh "$BUILD" "$TORTURE_SECONDS" "$TORTURE_SEED" $([ "$TORTURE_SEED" != 3 ] || echo 32)
    for level in $TORTURE_LEVELS; do same torture "*.$level.*" bitcode; done
    same torture '*.[od]' src/asm src/base src/dis src/isa src/link src/list src/meta src/object src/profile src/target src/terascale
    built torture EXTRA="-DSW_GUARD -g1" LEVELS="$TORTURE_LEVELS" tortured
    tests/torture/run.sh "$BUILD" "$TORTURE_SECONDS" "$TORTURE_SEED"
    ;;
mutate)
    tests/mutate/mutate.sh "$BUILD" "$MUTANTS" "$ROWS"
    tests/mutate/made_up.sh "$BUILD"
    ;;
fuzz) # the device is tortured instead
    built fuzz CC=clang OPT=-O1 WERROR= "$BUILD/fuzz/libsoftwave-fuzz.a" \
        EXTRA="-fsanitize=address,undefined,fuzzer-no-link -fno-sanitize-recover=all -gline-tables-only"
    tests/fuzz/run.sh "$BUILD" "$FUZZ_SECONDS"
    ;;
corpus)
    tests/corpus/run.sh "$BUILD" "${CORPUS:-$BUILD/llvm-tests}"
    ;;
*)
    echo "usage: scripts/check.sh clang|sanitize|threads|torture|mutate|fuzz|corpus" >&2
    exit 1
    ;;
esac
