#!/bin/sh
# SPDX-License-Identifier: MIT
# Kernels by clang and llc for every chip that has a libclc, run and compared with the same source on the CPU.
# usage: kernels.sh [path of softwave]; libsoftwave-all.a must lie beside it.
. "$(dirname "$0")/../tools.sh"
softwave=$(realpath "${1:-build/softwave}")
lib=$(dirname "$softwave")/libsoftwave-all.a
here=$(dirname "$(realpath "$0")")
host=$here/../device/kernels
chips="cedar cypress redwood juniper sumo barts caicos turks cayman"
need_llvm_22 $CLANG $LLC
if [ ! -e /usr/lib/clc/cedar-r600--.bc ]; then
    echo "no libclc for r600"
    echo "0 passed, 0 failed, 1 skipped"
    exit 0
fi
out=$(mktemp -d) && trap 'rm -r "$out"' EXIT
# Signed sums wrap on both sides.
compile="$CLANG -w -O1 -fwrapv -march=x86-64-v3 -ffp-contract=off -fPIC -Xclang -ffloat16-excess-precision=none"
$compile -std=gnu17 -fno-builtin -I "$host" -c "$host/builtins.c" -o "$out/builtins.o" || exit 1
${CC:-cc} -std=gnu17 -O1 -g -I "$here/../../include" -rdynamic -o "$out/runner" "$here/run_kernels.c" "$host/host.c" \
    "$out/builtins.o" "$lib" $(pkg-config --libs zlib libzstd msgpack yaml-0.1) -lm -lpthread -ldl ||
    exit 1
# build SOURCE CHIP...
build() {
    k=$1 name=$(basename "$1" .cl)
    shift
    $compile -x cl -cl-std=CL2.0 -shared "$k" -o "$out/$name.so" || exit 1
    for chip; do
        $CLANG -w -fwrapv -target r600-- -mcpu=$chip -x cl -cl-std=CL1.2 -O2 -ffp-contract=off -Xclang -finclude-default-header \
            -Xclang -mlink-builtin-bitcode -Xclang /usr/lib/clc/$chip-r600--.bc -emit-llvm -c "$k" -o "$out/k.bc" &&
            timeout 20 $LLC -mcpu=$chip -filetype=obj "$out/k.bc" -o "$out/$name-$chip.o" || exit 1
    done
}
for k in "$here"/kernels/*.cl; do build "$k" $chips; done
# From a generator of programs; RANDOM_FROM and RANDOM_TO for others. llc crashes on some, when it runs out of registers.
left=0
for n in $(seq "${RANDOM_FROM:-1}" "${RANDOM_TO:-12}"); do
    python3 "$here/random_kernel.py" "$n" > "$out/random$n.cl"
    (build "$out/random$n.cl" cedar cypress cayman) > "$out/log" 2>&1 || left=$((left + 1))
done
echo "$left random kernels do not compile"
[ $((2 * left)) -lt $((${RANDOM_TO:-12} - ${RANDOM_FROM:-1} + 1)) ] || exit 1
"$out/runner" "$out" $chips
