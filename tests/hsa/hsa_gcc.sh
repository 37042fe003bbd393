#!/bin/sh
# OpenMP and OpenACC programs, built by GCC 12 with offloading to AMD GPUs, in C, C++ and Fortran: they print what
# they print on the host, and the device ran them. usage: hsa_gcc.sh [softwave]
softwave=$(realpath "${1:-build/softwave}")
build=$(realpath "${BUILD:-build}")
sources=$(dirname "$(realpath "$0")")
passed=0 failed=0 skipped=0
skip() {
    echo "skipped: $1"
    echo "0 passed, 0 failed, 1 skipped"
    exit 0
}
[ -e "$build/hsa/libhsa-runtime64.so.1" ] || skip "this system does not build the HSA runtime"
ls /usr/lib/gcc/*/12/accel/amdgcn-amdhsa >/dev/null 2>&1 && command -v gcc-12 >/dev/null || skip "gcc-12-offload-amdgcn is not installed"
scratch=$(mktemp -d) && trap 'rm -r "$scratch"' EXIT && cd "$scratch" || exit 1

# program COMPILER SOURCE PROCESSOR FLAGS...
program() {
    compiler=$1 source=$2 processor=$3
    shift 3
    name="$source on $processor"
    if ! command -v "$compiler" >/dev/null; then
        echo "skipped: $source, as $compiler is not installed"
        skipped=$((skipped + 1))
        return
    fi
    march=$processor
    [ "$processor" = gfx803 ] && march=fiji
    if ! $compiler -O2 "$@" -foffload=amdgcn-amdhsa -foffload-options="amdgcn-amdhsa=-march=$march -lm -lgfortran" "$sources/$source" -o device -lm 2>log ||
        ! $compiler -O2 "$@" -foffload=disable "$sources/$source" -o host -lm 2>log; then
        failed=$((failed + 1))
        echo "$name does not build: $(grep -m 1 -i error log)"
        return
    fi
    OMP_TARGET_OFFLOAD=DISABLED ACC_DEVICE_TYPE=host ./host | grep -v '^device' | sort >expected
    GCN_DEBUG=1 timeout 200 "$softwave" exec --gpu="$processor" -- ./device >output 2>debug
    code=$?
    grep -v '^device' output | sort >result
    if [ $code -eq 0 ] && cmp -s expected result && grep -q '^device 1' output && grep -q 'GCN debug: Kernel .* launched\|Dispatch\|GCN debug: .*kernel' debug; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "$name: exit $code; $(diff expected result | head -n 3); $(grep '^device' output)"
    fi
}
for p in gfx803 gfx900 gfx906; do
    program gcc-12 omp.c $p -fopenmp
    program gcc-12 acc.c $p -fopenacc
done
program gcc-12 acc.c gfx908 -fopenacc
program g++-12 omp_classes.cpp gfx900 -fopenmp
program gfortran-12 omp_fortran.f90 gfx906 -fopenmp
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
