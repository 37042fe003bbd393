#!/bin/sh
# The wide set on GPUs of both kinds of waves. WIDE=quick takes a third of its kernels. Fails where results differ,
# and where a kernel is above 4 times C by default, or slower at a higher tier: it is named.
# bench/wide/run.sh BUILD-DIR [GPU...]
set -e
export SOFTWAVE_CACHE= # compiled code is kept nowhere
build=$1
shift
work=$build/bench
clc=/usr/lib/clc/amdgcn-amd-amdhsa.bc
names= seconds=1.5
[ "$WIDE" != quick ] || { names="transpose reduce fft256 gemm_naive sha256 aes spmv conv5 sobel matvec_q8" seconds=0.3; }
status=0
for gpu in ${*:-gfx90a gfx1100}; do
    clang-22 -x cl -cl-std=CL2.0 -target amdgcn-amd-amdhsa -mcpu="$gpu" -nogpulib -mcode-object-version=4 -w -O2 -Ibench/wide \
        -Xclang -mlink-builtin-bitcode -Xclang $clc bench/wide/kernels.cl -o "$work/wide-$gpu.co"
    "$work/wide" "$work/wide-$gpu.co" "$gpu" $seconds $names || status=1
done
exit $status
