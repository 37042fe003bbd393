#!/bin/sh
# SPDX-License-Identifier: MIT
# Kernels by clang and llc for every chip that has a libclc, run and compared with the same source on the CPU.
# usage: kernels.sh [path of softwave]; libsoftwave-all.a must lie beside it.
softwave=$(realpath "${1:-build/softwave}")
build=$(dirname "$softwave")
here=$(dirname "$(realpath "$0")")
host=$here/../device/kernels
chips="cedar cypress redwood juniper sumo barts caicos turks cayman"
if ! command -v clang-22 > /dev/null || ! command -v llc-22 > /dev/null || [ ! -e /usr/lib/clc/cedar-r600--.bc ]; then
    echo "no clang-22, llc-22 or libclc for r600"
    echo "0 passed, 0 failed, 1 skipped"
    exit 0
fi
out=$(mktemp -d) && trap 'rm -r "$out"' EXIT
compile="clang-22 -w -O1 -march=x86-64-v3 -ffp-contract=off -fPIC -Xclang -ffloat16-excess-precision=none"
$compile -std=gnu17 -fno-builtin -I "$host" -c "$host/builtins.c" -o "$out/builtins.o" || exit 1
${CC:-cc} -std=gnu17 -O1 -g -I "$here/../../include" -rdynamic -o "$out/runner" "$here/run_kernels.c" "$host/host.c" \
    "$out/builtins.o" "$build/libsoftwave-all.a" $(pkg-config --libs zlib libzstd msgpack yaml-0.1) -lm -lpthread -ldl ||
    exit 1
for k in "$here"/kernels/*.cl; do
    name=$(basename "$k" .cl)
    $compile -x cl -cl-std=CL2.0 -shared "$k" -o "$out/$name.so" || exit 1
    for chip in $chips; do
        clang-22 -target r600-- -mcpu=$chip -x cl -cl-std=CL1.2 -O2 -ffp-contract=off -Xclang -finclude-default-header \
            -Xclang -mlink-builtin-bitcode -Xclang /usr/lib/clc/$chip-r600--.bc -emit-llvm -c "$k" -o "$out/k.bc" &&
            llc-22 -mcpu=$chip -filetype=obj "$out/k.bc" -o "$out/$name-$chip.o" || exit 1
    done
done
"$out/runner" "$out" $chips
