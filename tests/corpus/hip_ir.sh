#!/bin/sh
# SPDX-License-Identifier: MIT
# HIP programs whose device code is `softwave cc`'s, from hipcc's IR: those of tests/hsa that test kernels, rocPRIM's and
# rocRAND's device functions among them, run on software GPUs as they are. LLVM's opt removes what kernels do not use
# of their hidden arguments, as hipcc does; with all of them, HIP 5.2 crashes, with objects of llc-22, too. usage: hip_ir.sh BUILD; PROGRAMS, GPUS and LEVELS choose less.
build=$(realpath "$1")
softwave=$build/softwave sources=$(realpath "$(dirname "$0")/../hsa")
for tool in hipcc clang-offload-bundler-15 opt-22; do
    command -v $tool > /dev/null || { echo "hip_ir: skipped, $tool is not installed" && exit 0; }
done
passed=0 failed=0
directory=$(mktemp -d) && trap 'rm -r "$directory"' EXIT && cd "$directory" || exit 1
wrong() { failed=$((failed + 1)) && echo "hip_ir: $*"; }
for program in ${PROGRAMS:-prim rand atomics math waves}; do
    libraries= && [ $program = rand ] && libraries="-lrocrand -lhiprand"
    for gpu in ${GPUS:-gfx90a gfx1030}; do
        for level in ${LEVELS:-O1 O2}; do
            what="$program $gpu -$level"
            flags="-std=c++17 -w -$level --offload-arch=$gpu"
            # shellcheck disable=SC2086
            hipcc $flags --cuda-device-only -emit-llvm -c "$sources/hip_$program.cpp" -o device.bc 2> message &&
                opt-22 -mtriple=amdgcn-amd-amdhsa -mcpu=$gpu -passes=amdgpu-attributor device.bc -o used.bc 2> message &&
                "$softwave" cc --verify --target=$gpu --code-object-version=4 used.bc -o device.co 2> message &&
                clang-offload-bundler-15 -type=o -targets=host-x86_64-unknown-linux,hipv4-amdgcn-amd-amdhsa--$gpu -input=/dev/null \
                    -input=device.co -output=device.hipfb 2> message &&
                hipcc $flags --cuda-host-only -c "$sources/hip_$program.cpp" -Xclang -fcuda-include-gpubinary -Xclang device.hipfb \
                    -o host.o 2> message && c++ host.o -o program -lamdhip64 $libraries 2> message || { wrong "$what: $(grep -m 2 error message)" && continue; }
            timeout 300 "$softwave" exec --gpu=$gpu -- ./program > out 2>&1 || wrong "$what: $(grep -v '^ok' out | tail -n 2)"
            passed=$((passed + $(grep -c '^ok' out)))
        done
    done
done
echo "hip_ir: $passed passed, $failed failed"
exit $((failed > 0))
