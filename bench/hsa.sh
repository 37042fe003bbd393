#!/bin/sh
# What the HSA runtime costs: bench/hsa.sh BUILD-DIR. With hipcc also the time of a whole HIP process that runs
# one kernel.
build=$(realpath "$1")
work=$build/bench
[ -e "$build/hsa/libhsa-runtime64.so.1" ] || exit 0
if [ ! -e /usr/include/hsa/hsa_ext_amd.h ] || ! command -v clang-22 >/dev/null; then
    echo "the HSA runtime: not measured, as libhsa-runtime-dev or clang-22 is not installed"
    exit 0
fi
clang-22 -x cl -cl-std=CL2.0 -O2 -target amdgcn-amd-amdhsa -mcpu=gfx90a -nogpulib tests/hsa/kernels.cl -o "$work/hsa.co" &&
    ${CC:-cc} -std=gnu17 -O2 -w -D_GNU_SOURCE bench/hsa.c "$build/hsa/libhsa-runtime64.so.1" -lpthread -o "$work/hsa" || exit 1
for threads in 1 "$(nproc)"; do
    echo "the HSA runtime, gfx90a with $threads worker(s):"
    "$build/softwave" exec -j "$threads" --gpu=gfx90a -- "$work/hsa" "$work/hsa.co" || exit 1
done
if command -v hipcc >/dev/null; then
    cat >"$work/first.cpp" <<'END'
#include <hip/hip_runtime.h>
__global__ void store(int *p) { *p = 1; }
int main() {
    int *p, v = 0;
    if (hipMalloc(&p, 4) != hipSuccess) return 1;
    store<<<1, 1>>>(p);
    return hipMemcpy(&v, p, 4, hipMemcpyDeviceToHost) != hipSuccess || v != 1;
}
END
    hipcc --offload-arch=gfx90a -O2 -w "$work/first.cpp" -o "$work/first" || exit 1
    best=999999
    for i in 1 2 3 4 5 6 7; do
        start=$(date +%s%N)
        "$build/softwave" exec --gpu=gfx90a "$work/first" || exit 1
        ms=$((($(date +%s%N) - start) / 1000000))
        [ $ms -lt $best ] && best=$ms
    done
    echo "  a HIP process that runs one kernel, whole: $best ms (most of it is HIP's own compilation of its copy kernels)"
fi
