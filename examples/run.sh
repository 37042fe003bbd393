#!/bin/sh
# Builds the Mandelbrot kernel for two GPUs of different families with clang, runs both on software GPUs,
# compares the results and shows the picture: examples/run.sh BUILD-DIR
set -e
build=$1 width=780 height=440 limit=200
softwave=$build/softwave
say() { printf '\n$ %s\n' "$*"; "$@"; }
for gpu in gfx90a gfx1100; do
    clang-22 -x cl -cl-std=CL2.0 -O2 -target amdgcn-amd-amdhsa -mcpu=$gpu -nogpulib -ffp-contract=off \
        examples/mandelbrot.cl -o "$build/mandelbrot-$gpu.co"
    printf '\n$ %s dis %s | head\n' "$softwave" "$build/mandelbrot-$gpu.co"
    $softwave dis "$build/mandelbrot-$gpu.co" >"$build/mandelbrot-$gpu.s" && sed -n 1,10p "$build/mandelbrot-$gpu.s"
    say $softwave run --stats -g 832,440 "$build/mandelbrot-$gpu.co" buf:1372800,out="$build/mandelbrot-$gpu.bin" i32:$width i32:$height i32:$limit
done
echo
"$build/picture" "$build/mandelbrot-gfx90a.bin" $width $height $limit "$build/mandelbrot.png"
cmp "$build/mandelbrot-gfx90a.bin" "$build/mandelbrot-gfx1100.bin"
echo "CDNA2 (gfx90a) and RDNA3 (gfx1100) agree on every pixel. The picture is in $build/mandelbrot.png."
