#!/bin/sh
# SPDX-License-Identifier: MIT
# Vertex and pixel shaders by llc for every processor of the family, run as one wave and compared with the same functions
# on the CPU. usage: shaders.sh [path of softwave]; libsoftwave-all.a must lie beside it.
. "$(dirname "$0")/../tools.sh"
softwave=$(realpath "${1:-build/softwave}")
build=$(dirname "$softwave")
here=$(dirname "$(realpath "$0")")
chips="r600 r630 rs880 rv670 rv710 rv730 rv770 cedar cypress juniper redwood sumo barts caicos turks cayman"
if ! command -v $LLC > /dev/null; then
    echo "no $LLC"
    echo "0 passed, 0 failed, 1 skipped"
    exit 0
fi
out=$(mktemp -d) && trap 'rm -r "$out"' EXIT
${CC:-cc} -std=gnu17 -O1 -g -ffp-contract=off -I "$here/../../include" -o "$out/runner" "$here/run_shaders.c" \
    "$build/libsoftwave-all.a" $(pkg-config --libs zlib libzstd msgpack yaml-0.1) -lm -lpthread || exit 1
for s in "$here"/shaders/*.ll; do
    for chip in $chips; do
        $LLC -mtriple=r600 -mcpu=$chip -filetype=obj "$s" -o "$out/$(basename "$s" .ll)-$chip.o" || exit 1
    done
done
"$out/runner" "$out" $chips
