#!/bin/sh
# Many threads, queues, devices and processes at once (stress.c), and the plain programs once more in sanitizer
# builds: BUILD=build/threads STRESS_FLAGS=-fsanitize=thread. STRESS_SECONDS and STRESS_SEED may be set.
# usage: hsa_stress.sh
. "$(dirname "$0")/jobs.inc"
command -v $CLANG >/dev/null && command -v $LD_LLD >/dev/null || skip_all "$CLANG or $LD_LLD is not installed"
[ -e /usr/include/hsa/hsa_ext_amd.h ] || skip_all "libhsa-runtime-dev is not installed"
passed=0 failed=0
$CLANG -x cl -cl-std=CL2.0 -O2 -target amdgcn-amd-amdhsa -mcpu=gfx90a -nogpulib "$sources/kernels.cl" -o kernels.co || exit 1
for program in stress $([ -n "$STRESS_FLAGS" ] && echo plain rest processes); do
    ${CC:-cc} -std=gnu17 -O1 -g -w -D_GNU_SOURCE $STRESS_FLAGS "$sources/$program.c" "$build/hsa/libhsa-runtime64.so.1" -lpthread -o $program || exit 1
    arguments=
    [ $program = stress ] && arguments="${STRESS_SECONDS:-3} ${STRESS_SEED:-1}"
    # ThreadSanitizer knows no threads behind a fork.
    case $STRESS_FLAGS in *thread*) [ $program = rest ] && continue && : ;; esac
    export SOFTWAVE_FAULT=quiet LD_LIBRARY_PATH="$build/hsa" TSAN_OPTIONS=halt_on_error=1
    case $STRESS_FLAGS in *thread*) export NO_FORKS=1 ;; esac
    for gpus in "gfx90a;gfx90a"; do
        if SOFTWAVE_GPU=$gpus timeout 600 ./$program kernels.co $arguments >output 2>&1; then
            passed=$((passed + $(grep -c '^ok ' output)))
            grep '^ok stress' output
        else
            failed=$((failed + 1))
            echo "$program on $gpus: exit $?"
            grep -v '^ok ' output | tail -n 20
        fi
    done
done
echo "$passed passed, $failed failed, 0 skipped"
[ $failed -eq 0 ]
