#!/bin/sh
# Builds the Mandelbrot kernel for two GPUs of different families, runs both on software GPUs, compares the
# results and shows the picture: examples/run.sh BUILD-DIR. With clang the kernel is compiled, without it the
# one in assembly beside it is assembled and linked by softwave itself.
set -e
build=$1 width=780 height=440 limit=200
softwave=$build/softwave
say() { printf '\n$ %s\n' "$*"; "$@"; }
compile() { # GPU: false without a clang that can
    for clang in "${CLANG:-clang-22}" clang; do
        command -v "$clang" >/dev/null &&
            "$clang" -x cl -cl-std=CL2.0 -O2 -target amdgcn-amd-amdhsa -mcpu="$1" -nogpulib -ffp-contract=off \
                examples/mandelbrot.cl -o "$build/mandelbrot-$1.co" 2>/dev/null && return
    done
    return 1
}
assemble() { # GPU
    say $softwave as --target="$1" examples/mandelbrot.s -o "$build/mandelbrot-$1.o"
    say $softwave ld -shared "$build/mandelbrot-$1.o" -o "$build/mandelbrot-$1.co"
}
for gpu in gfx90a gfx1100; do
    compile $gpu || assemble $gpu
    printf '\n$ %s dis %s | head\n' "$softwave" "$build/mandelbrot-$gpu.co"
    $softwave dis "$build/mandelbrot-$gpu.co" >"$build/mandelbrot-$gpu.dis" && sed -n 1,10p "$build/mandelbrot-$gpu.dis"
    say $softwave run --stats -g 832,440 "$build/mandelbrot-$gpu.co" buf:1372800,out="$build/mandelbrot-$gpu.bin" i32:$width i32:$height i32:$limit
done
echo
"$build/picture" "$build/mandelbrot-gfx90a.bin" $width $height $limit "$build/mandelbrot.png"
cmp "$build/mandelbrot-gfx90a.bin" "$build/mandelbrot-gfx1100.bin"
echo "CDNA2 (gfx90a) and RDNA3 (gfx1100) agree on every pixel. The picture is in $build/mandelbrot.png."
