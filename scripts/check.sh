#!/bin/sh
# Checks that need a build of their own, or hours if one lets them: scripts/check.sh NAME, from `make NAME`, which
# has built what they take of the usual build.
# BUILD, CC and MAKE come from there; the numbers below may be set.
# With CHECK_LOGS=FOLDER what one says goes to FOLDER/NAME.log, and the end of it is shown when it fails.
# With CHECK_UNTIL=TIME, in seconds as of `date +%s`, what draws at random begins no later, and says so: on slow machines the
# time is for the rest.
set -eu
name=$1
: "${BUILD:=build}" "${MAKE:=make}"
TORTURE_SECONDS=${TORTURE_SECONDS:-60} TORTURE_SEED=${TORTURE_SEED:-3}
MISUSE_SECONDS=${MISUSE_SECONDS:-30} FUZZ_SECONDS=${FUZZ_SECONDS:-20} MUTANTS=${MUTANTS:-8} ROWS=${ROWS:-5}
case $(${CC:-cc} -dumpmachine) in x86_64*) one=v2 best=v4 levels="v2 v3 v4" ;; *) one=plain best=plain levels= ;; esac
TORTURE_LEVELS=${TORTURE_LEVELS:-plain $levels}

case $name in
mutate | torture | fuzz)
    if [ "$(date +%s)" -gt "${CHECK_UNTIL:-9999999999}" ]; then
        echo "$name: NOT RUN, as the time for it was over"
        exit
    fi
    ;;
esac
if [ "${CHECK_LOGS:-}" ]; then
    log=$CHECK_LOGS/$name.log start=$(date +%s)
    . "$(dirname "$0")/processor.sh"
    # make keeps its job server behind low numbers
    exec 9>&1 >"$log" 2>&1
    trap 'code=$?; times >"$log.times"
        took="$(($(date +%s) - start)) s, processor $(processor_seconds "$log.times") s"
        if [ $code = 0 ]; then echo "$name: passed ($took)"; else echo "$name: failed ($took)"; tail -n 60 "$log"; fi >&9' EXIT
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
    built clang CC="$(scripts/llvm.sh 16 clang)" LEVELS="$best" WERROR=-Werror all
    tests/device/tailcalls.sh
    ;;
sanitize) # waves and LDS end at guard pages
    built sanitize OPT=-O1 LEVELS="$one" \
        EXTRA="-fsanitize=address,undefined -fno-sanitize-recover=all -DSW_LOOP_DISPATCH -DSW_GUARD -g1" checked
    export SANITIZED=1
    tests/all.sh "$BUILD" unit
    tests/cli/run.sh "$BUILD/softwave"
    COMPILE=1 KERNEL_TARGETS="gfx803 gfx1201" tests/compiler/kernels.sh "$BUILD/softwave"
    TARGETS=gfx1100 tests/compiler/flow.sh "$BUILD/softwave"
    TARGETS=gfx90a tests/compiler/calls.sh "$BUILD/softwave"
    TIERS=0 tests/torture/run.sh "$BUILD" 20 "$TORTURE_SEED"
    BUILD=$BUILD STRESS_FLAGS=-fsanitize=address,undefined tests/hsa/hsa_stress.sh
    ;;
threads) # launches, spinning kernels, maps that change, faults; with the bodies of hosts that have no levels
    tests="test_device test_lifetime test_guests test_snapshot test_share test_transfer test_events test_queues test_gws test_tiers test_tier_up"
    built threads OPT=-O1 LEVELS=plain EXTRA="-fsanitize=thread -DSW_LOOP_DISPATCH -g1" \
        $(for t in $tests; do echo "$BUILD/threads/tests/$t"; done) "$BUILD/threads/hsa/libhsa-runtime64.so.1"
    for t in $tests; do TSAN_OPTIONS=halt_on_error=1 MISUSE_SECONDS=$MISUSE_SECONDS "$BUILD/tests/$t"; done
    BUILD=$BUILD STRESS_FLAGS=-fsanitize=thread tests/hsa/hsa_stress.sh
    ;;
torture) # kernels between guard pages; programs at all levels, as users have them
    # shellcheck disable=SC2046
    tests/torture/programs.sh "$BUILD" "$TORTURE_SECONDS" "$TORTURE_SEED" $([ "$TORTURE_SEED" != 3 ] || echo 32)
    # shellcheck disable=SC2046
    tests/torture/compiler.sh "$BUILD" "$TORTURE_SECONDS" "$TORTURE_SEED" $([ "$TORTURE_SEED" != 3 ] || echo 128)
    for level in $TORTURE_LEVELS; do same torture "*.$level.*" bitcode; done
    same torture '*.[od]' src/asm src/base src/dis src/isa src/link src/list src/mc src/meta src/object src/profile src/target src/terascale src/texel
    built torture EXTRA="-DSW_GUARD -g1" LEVELS="$TORTURE_LEVELS" tortured
    tests/torture/run.sh "$BUILD" "$TORTURE_SECONDS" "$TORTURE_SEED"
    ;;
mutate)
    tests/mutate/mutate.sh "$BUILD" "$MUTANTS" "$ROWS"
    ;;
recipes)
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
arm64) # the one level that ARM64 has, in an emulator; what is slow there is left to x86-64
    scripts/sysroot.sh arm64 "$BUILD/arm64/root"
    root=$(realpath "$BUILD/arm64/root")
    export PKG_CONFIG_LIBDIR="$root/usr/lib/aarch64-linux-gnu/pkgconfig" PKG_CONFIG_SYSROOT_DIR="$root"
    export PKG_CONFIG_ALLOW_SYSTEM_LIBS=1 PKG_CONFIG_ALLOW_SYSTEM_CFLAGS=1
    tests="test_isa test_isa_api test_target test_asm_insn test_asm_text test_link test_meta test_object_forms test_body_int
        test_body_small test_memory test_memory_atomic test_lanes test_launch test_queues test_lifetime test_terascale_alu"
    built arm64 CC=aarch64-linux-gnu-gcc OPT=-O1 WERROR=-Werror \
        $(for t in $tests; do echo "$BUILD/arm64/tests/$t"; done) "$BUILD/arm64/softwave" "$BUILD/arm64/picture" "$BUILD/arm64/hsa/libhsa-runtime64.so.1"
    # The emulator under the name of the program, as tests start it.
    libraries=$root/usr/lib/aarch64-linux-gnu:$root/lib/aarch64-linux-gnu:$(realpath "$BUILD")
    RUN="qemu-aarch64 -L /usr/aarch64-linux-gnu -E LD_LIBRARY_PATH=$libraries"
    mkdir -p "$BUILD/run" "$BUILD/logs"
    for program in softwave picture; do
        printf '#!/bin/sh\nexec %s "%s" "$@"\n' "$RUN" "$(realpath "$BUILD/$program")" >"$BUILD/run/$program"
        chmod +x "$BUILD/run/$program"
    done
    case $("$BUILD/run/softwave" run --help) in *usage:*) ;; *) echo "softwave for ARM64 does not start" && exit 1 ;; esac
    file=$(head -c 20 "$BUILD/softwave" | od -An -tx1 | tr -d ' \n')
    [ "${file#????????????????????????????????????}" = b700 ] || { echo "that is no program for ARM64: $file" && exit 1; }
    failed=0
    # The picture of two GPUs, computed by an ARM64 GPU in software and compared with what an ARM64 host computes.
    env -u CLANG examples/run.sh "$BUILD/run" >"$BUILD/logs/picture.log" 2>&1 || failed=1
    tail -n 1 "$BUILD/logs/picture.log"
    for gpu in gfx90a gfx1100; do # objects and text of the disassembler are those that x86-64 writes
        "${BUILD%/arm64}/softwave" as --target=$gpu examples/mandelbrot.s -o "$BUILD/x86.o"
        "${BUILD%/arm64}/softwave" ld -shared "$BUILD/x86.o" -o "$BUILD/x86.co"
        "${BUILD%/arm64}/softwave" dis "$BUILD/x86.co" | tail -n +3 >"$BUILD/x86.dis"
        tail -n +3 "$BUILD/run/mandelbrot-$gpu.dis" >"$BUILD/run/arm.dis"
        for pair in "x86.o mandelbrot-$gpu.o" "x86.co mandelbrot-$gpu.co" "x86.dis arm.dis"; do
            cmp "$BUILD/${pair% *}" "$BUILD/run/${pair#* }" || failed=1
        done
    done
    # ARM64 flushes denormal numbers on both sides or on none: what flushes one is an error there, and nowhere a wrong number.
    one_side=$("$BUILD/run/softwave" eval --target=gfx906 'v_add_f32 v0, v1, v1' v1=1 mode=0x3d0 2>&1) && failed=1
    case $one_side in *"on both sides of an operation or on none"*) ;; *) echo "flushing one side alone: $one_side" && failed=1 ;; esac
    for t in $tests; do
        CMOCKA_MESSAGE_OUTPUT=STDOUT $RUN "$BUILD/tests/$t" >"$BUILD/logs/$t.log" 2>&1 || { echo "$t failed on ARM64" && tail -n 20 "$BUILD/logs/$t.log" && failed=1; }
    done
    for t in eval targets; do
        SOFTWAVE=$BUILD/run/softwave BUILD=$BUILD "tests/cli/$t.sh" "$BUILD/run/softwave" >"$BUILD/logs/$t.log" 2>&1 ||
            { echo "tests/cli/$t.sh failed on ARM64" && tail -n 20 "$BUILD/logs/$t.log" && failed=1; }
    done
    cat "$BUILD"/logs/test_*.log | awk '/^\[  PASSED/ {s += $4} END {print s " unit tests passed on ARM64"}'
    tail -qn 1 "$BUILD/logs/eval.log" "$BUILD/logs/targets.log"
    [ $failed = 0 ]
    ;;
reproducible) # some of each kind of object, made in two folders of different names: the same bytes, debug information included
    copy=$(mktemp -d)
    trap 'rm -rf "$copy"' EXIT
    cp -a Makefile include src scripts tests "$copy"
    sample="isa_tables.c isa_tables.o terascale_tables.o src/dis/listing.o src/asm/insn/insn.o src/cli/main.o src/hsa/queue/queue.o src/exec/body/icmp.$one.o
        $([ "$one" = plain ] || echo stencils/src/exec/body/icmp.w32.v3.o)"
    here=$BUILD/reproducible there=$copy/elsewhere failed=0
    rm -rf "$here"
    $MAKE BUILD="$here" $(for o in $sample; do echo "$here/$o"; done)
    (cd "$copy" && $MAKE BUILD=elsewhere $(for o in $sample; do echo "elsewhere/$o"; done))
    for o in $sample; do
        cmp "$here/$o" "$there/$o" || failed=1
        if grep -q -e "$PWD" -e "$copy" "$here/$o" "$there/$o"; then echo "$o names the folder that it was built in" && failed=1; fi
    done
    echo "$(echo "$sample" | wc -w) files built twice"
    [ $failed = 0 ]
    ;;
*)
    echo "usage: scripts/check.sh arm64|reproducible|clang|sanitize|threads|torture|mutate|recipes|fuzz|corpus" >&2
    exit 1
    ;;
esac
