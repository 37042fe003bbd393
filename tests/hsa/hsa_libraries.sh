#!/bin/sh
# Debian's libraries for AMD GPUs and LLVM's offload library on software GPUs: rocRAND, rocSPARSE, rocPRIM; memory,
# kernels and symbols by way of liboffload; each library on one processor. With EVERY=1 only the first two, on all
# processors that they have code for, and
# longer sequences, and hipSPARSE. usage: hsa_libraries.sh [softwave]
. "$(dirname "$0")/jobs.inc"
# library NAME HEADER PROCESSOR FLAGS...
library() {
    name=$1 header=$2 gpu=$3
    shift 3
    [ -e "/usr/include/$header" ] && command -v hipcc >/dev/null || { echo "skipped: $name, as hipcc or $header is not installed" && return; }
    if hipcc --offload-arch=$gpu -O2 -w "$sources/hip_$name.cpp" -o "$name" "$@" 2>errors; then
        cases $gpu "./$name"
    else
        echo "failed: $name does not build: $(grep -m 1 error errors)"
    fi
}
if [ -n "$EVERY" ]; then
    on() { # PROCESSOR
        cases $1 $scratch/rand more
        cases $1 $scratch/sparse
        if [ -e $scratch/hipsparse ]; then cases $1 $scratch/hipsparse; fi
    }
    processors="gfx803 gfx900 gfx906 gfx908 gfx90a gfx1030"
    archs=$(printf ' --offload-arch=%s' $processors)
    hipcc $archs -O2 -w "$sources/hip_rand.cpp" -o rand -lrocrand -lhiprand 2>errors || skip_all "rocRAND or hipRAND: $(grep -m 1 error errors)"
    hipcc $archs -O2 -w "$sources/hip_sparse.cpp" -o sparse -lrocsparse 2>errors || skip_all "rocSPARSE: $(grep -m 1 error errors)"
    if [ -e /usr/include/hipsparse/hipsparse.h ]; then
        hipcc $archs -O2 -w "$sources/hip_hipsparse.cpp" -o hipsparse -lhipsparse 2>errors || job say "failed: hipSPARSE does not build: $(grep -m 1 error errors)"
    else job say "skipped: hipSPARSE, as libhipsparse-dev is not installed"; fi
    for p in $processors; do job on $p; done
    finish
fi
job library prim rocprim/rocprim.hpp gfx1030 -std=c++14 # the longest goes first
job library rand hiprand/hiprand.h gfx1030 -lrocrand -lhiprand
job library sparse rocsparse/rocsparse.h gfx90a -lrocsparse

by_offload() {
    kernels_of $1 kernels.co || return
    cases $1 $scratch/offload kernels.co
    # What the library says of a kernel that traps (TRAP-04, TRAP-05).
    says "$1: a trap" 'execution interrupted by hardware trap instruction' timeout 300 "$softwave" exec -q --gpu=$1 -- $scratch/offload kernels.co trap
}
library=$(ls /usr/lib/llvm-$LLVM_MAJOR/lib/libLLVMOffload.so /usr/lib/*/libLLVMOffload.so.$LLVM_MAJOR.1 2>/dev/null | head -n 1)
if [ -n "$library" ] && [ -e /usr/lib/llvm-$LLVM_MAJOR/include/offload/OffloadAPI.h ] && command -v $CLANG >/dev/null; then
    ${CC:-cc} -std=gnu17 -O1 -w -I/usr/lib/llvm-$LLVM_MAJOR/include "$sources/offload.c" "$library" -o offload || exit 1
    for processor in $(processors); do job by_offload $processor; done
else job say "skipped: liboffload, as liboffload-$LLVM_MAJOR-dev or $CLANG is not installed"; fi
finish
