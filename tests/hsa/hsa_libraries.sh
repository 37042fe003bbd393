#!/bin/sh
# Debian's libraries for AMD GPUs and LLVM's offload library on software GPUs: rocRAND, rocSPARSE, rocPRIM; memory,
# kernels and symbols by way of liboffload. usage: hsa_libraries.sh [softwave]
softwave=$(realpath "${1:-build/softwave}")
build=$(realpath "${BUILD:-build}")
sources=$(dirname "$(realpath "$0")")
passed=0 failed=0 skipped=0
[ -e "$build/hsa/libhsa-runtime64.so.1" ] || { echo "skipped: this system does not build the HSA runtime" && echo "0 passed, 0 failed, 1 skipped" && exit 0; }
ulimit -c 0 # a program that is to abort leaves no core
scratch=$(mktemp -d) && trap 'rm -r "$scratch"' EXIT && cd "$scratch" || exit 1
skip() {
    echo "skipped: $1"
    skipped=$((skipped + 1))
}
# run GPU PROGRAM...
run() {
    gpu=$1
    shift
    timeout 300 "$softwave" exec -q --gpu="$gpu" -- "$@" >output 2>&1
    code=$?
    passed=$((passed + $(grep -c '^ok ' output)))
    [ $code -eq 0 ] && return
    failed=$((failed + 1))
    echo "$gpu: $*: exit $code"
    grep -v '^ok ' output | head -n 5
}
# library NAME HEADER FLAGS...
library() {
    name=$1 header=$2
    shift 2
    [ -e "/usr/include/$header" ] && command -v hipcc >/dev/null || { skip "$name, as hipcc or $header is not installed" && return; }
    if hipcc --offload-arch=gfx90a --offload-arch=gfx1030 -O2 -w "$sources/hip_$name.cpp" -o "$name" "$@" 2>errors; then
        for gpu in gfx90a gfx1030; do run $gpu "./$name"; done
    else
        failed=$((failed + 1))
        echo "$name does not build: $(grep -m 1 error errors)"
    fi
}
library rand rocrand/rocrand.h -lrocrand
library sparse rocsparse/rocsparse.h -lrocsparse
library prim rocprim/rocprim.hpp -std=c++14

offload=$(ls /usr/lib/llvm-22/lib/libLLVMOffload.so /usr/lib/*/libLLVMOffload.so.22.1 2>/dev/null | head -n 1)
if [ -n "$offload" ] && [ -e /usr/lib/llvm-22/include/offload/OffloadAPI.h ] && command -v clang-22 >/dev/null; then
    ${CC:-cc} -std=gnu17 -O1 -w -I/usr/lib/llvm-22/include "$sources/offload.c" "$offload" -o offload || exit 1
    for processor in $("$softwave" targets | sed -n '/^Generic/q; s/^  \(gfx[0-9a-f]*\) .*/\1/p'); do
        clang-22 -x cl -cl-std=CL2.0 -O2 -target amdgcn-amd-amdhsa -mcpu="$processor" -nogpulib "$sources/kernels.cl" -o kernels.co 2>errors || { failed=$((failed + 1)) && head -n 1 errors; }
        run "$processor" ./offload kernels.co
        # What the library says of a kernel that traps (TRAP-04, TRAP-05).
        timeout 60 "$softwave" exec -q --gpu="$processor" -- ./offload kernels.co trap >output 2>&1
        if grep -q 'execution interrupted by hardware trap instruction' output; then
            passed=$((passed + 1))
        else failed=$((failed + 1)) && echo "$processor: a trap: $(head -n 1 output)"; fi
    done
else skip "liboffload, as liboffload-22-dev or clang-22 is not installed"; fi
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
