#!/bin/sh
# rocPRIM's sort, scan, reduce, select, histogram and run-length on 30 million elements, on software GPUs of 64 and of 32
# lanes. usage: primitives.sh BUILD
export SOFTWAVE_CACHE= # compiled code is kept nowhere
build=$(realpath "$1")
sources=$(realpath "$(dirname "$0")/../hsa")
[ -e /usr/include/rocprim/rocprim.hpp ] && command -v hipcc >/dev/null || { echo "skipped: rocPRIM, as it or hipcc is not installed" && exit 0; }
[ -e "$build/hsa/libhsa-runtime64.so.1" ] || { echo "skipped: rocPRIM, as this system does not build the HSA runtime" && exit 0; }
scratch=$(mktemp -d) && trap 'rm -r "$scratch"' EXIT || exit 1
hipcc --offload-arch=gfx90a --offload-arch=gfx1030 -std=c++14 -O2 -w "$sources/hip_prim.cpp" -o "$scratch/prim" || exit 1
for gpu in gfx90a gfx1030; do
    "$build/softwave" exec -q --gpu=$gpu -- "$scratch/prim" 30000000 >"$scratch/output" 2>&1 ||
        { echo "rocPRIM on $gpu:" && tail -n 5 "$scratch/output" && exit 1; }
    echo "rocPRIM on $gpu: $(grep -c '^ok ' "$scratch/output") algorithms on 30 million elements"
done
