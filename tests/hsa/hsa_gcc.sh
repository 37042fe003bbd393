#!/bin/sh
# OpenMP and OpenACC programs, built by GCC 12 with offloading to AMD GPUs, in C, C++ and Fortran: they print what
# they print on the host, and the device ran them. With EVERY=1 all programs on all processors that GCC 12 knows.
# usage: hsa_gcc.sh [softwave]
. "$(dirname "$0")/jobs.inc"
ls /usr/lib/gcc/*/12/accel/amdgcn-amdhsa >/dev/null 2>&1 && command -v gcc-12 >/dev/null || skip_all "gcc-12-offload-amdgcn is not installed"

# program COMPILER SOURCE PROCESSOR FLAGS...
program() {
    compiler=$1 source=$2 processor=$3
    shift 3
    name="$source on $processor"
    if ! command -v "$compiler" >/dev/null; then
        echo "skipped: $source, as $compiler is not installed"
        return
    fi
    march=$processor
    [ "$processor" = gfx803 ] && march=fiji
    if ! $compiler -O2 "$@" -foffload=amdgcn-amdhsa -foffload-options="amdgcn-amdhsa=-march=$march -lm -lgfortran" "$sources/$source" -o device -lm 2>log ||
        ! $compiler -O2 "$@" -foffload=disable "$sources/$source" -o host -lm 2>log; then
        echo "failed: $name does not build: $(grep -m 1 -i error log)"
        return
    fi
    OMP_TARGET_OFFLOAD=DISABLED ACC_DEVICE_TYPE=host ./host | grep -v '^device' | sort >expected
    GCN_DEBUG=1 timeout 300 "$softwave" exec --gpu="$processor" -- ./device >output 2>debug
    code=$?
    grep -v '^device' output | sort >result
    if [ $code -eq 0 ] && cmp -s expected result && grep -q '^device 1' output && grep -q 'GCN debug: Kernel .* launched\|Dispatch\|GCN debug: .*kernel' debug; then
        echo "ok $name"
    else
        echo "failed: $name: exit $code; $(diff expected result | head -n 3); $(grep '^device' output)"
    fi
}
all_on() { # PROCESSOR THE-ONE-FOR-MORE
    job program gcc-12 omp.c $1 -fopenmp
    job program gcc-12 acc.c $1 -fopenacc
    [ -z "$EVERY" ] && [ $1 != $2 ] && return
    job program gcc-12 omp_more.c $1 -fopenmp
    job program gcc-12 acc_more.c $1 -fopenacc
    job program gfortran-12 omp_fortran_more.f90 $1 -fopenacc -cpp
    [ -z "$EVERY" ] && return
    job program gfortran-12 omp_fortran_more.f90 $1 -fopenmp -cpp
    job program gcc-12 omp_more.c $1 -fopenmp -O0
    job program g++-12 omp_classes.cpp $1 -fopenmp
    job program gfortran-12 omp_fortran.f90 $1 -fopenmp
}
for p in gfx803 gfx900 gfx906; do all_on $p gfx900; done
job program gcc-12 acc.c gfx908 -fopenacc # which Debian's libraries of GCC 12 have no code for
job program g++-12 omp_classes.cpp gfx900 -fopenmp
job program gfortran-12 omp_fortran.f90 gfx906 -fopenmp
finish
