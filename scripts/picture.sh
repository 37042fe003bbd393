#!/bin/sh
# SPDX-License-Identifier: MIT
# The picture of the README: the Mandelbrot kernel of examples/ on a software GPU, each number compared with the host's.
# usage: scripts/picture.sh [BUILD [OUT.png]]
set -e
build=${1:-build} out=${2:-doc/mandelbrot.png} width=390 height=220 limit=200
scratch=$(mktemp -d) && trap 'rm -r "$scratch"' EXIT
"$build/softwave" as --target=gfx90a "$(dirname "$0")/../examples/mandelbrot.s" -o "$scratch/kernel.o"
"$build/softwave" ld -shared "$scratch/kernel.o" -o "$scratch/kernel.co"
"$build/softwave" run -g 416,220 "$scratch/kernel.co" buf:$((4 * width * height)),out="$scratch/steps" \
    i32:$width i32:$height i32:$limit
"$build/picture" $width $height $limit "$out" "$scratch/steps" >"$scratch/drawn"
