#!/bin/sh
# Assembles the Mandelbrot kernel for two GPUs of different families with Softwave's own assembler and linker, runs
# both on software GPUs, and compares each number with one computed on the host: examples/run.sh BUILD-DIR.
# No other compiler is needed. With CLANG=clang-22 in the environment, the same kernel in OpenCL C is compiled, run
# and compared as well.
set -e
build=$1 width=780 height=440 limit=200
softwave=$build/softwave
say() { printf '\n$ %s\n' "$*" && "$@"; }
run() { # NAME: what is in build/NAME.co
    say "$softwave" run --stats -g 832,440 "$build/$1.co" buf:1372800,out="$build/$1.bin" i32:$width i32:$height i32:$limit
    results="$results $build/$1.bin"
}

results=
for gpu in gfx90a gfx1100; do
    name=mandelbrot-$gpu
    say "$softwave" as --target=$gpu examples/mandelbrot.s -o "$build/$name.o"
    say "$softwave" ld -shared "$build/$name.o" -o "$build/$name.co"
    printf '\n$ %s dis %s | head\n' "$softwave" "$build/$name.co"
    "$softwave" dis "$build/$name.co" >"$build/$name.dis"
    sed -n 1,10p "$build/$name.dis"
    run $name
done
what="CDNA2 (gfx90a) and RDNA3 (gfx1100)"
if [ "$CLANG" ]; then
    say "$CLANG" -x cl -cl-std=CL2.0 -O2 -target amdgcn-amd-amdhsa -mcpu=gfx90a -nogpulib -ffp-contract=off \
        -cl-fp32-correctly-rounded-divide-sqrt examples/mandelbrot.cl -o "$build/mandelbrot-opencl.co"
    run mandelbrot-opencl
    what="$what, and OpenCL C compiled by $CLANG,"
fi
echo
# shellcheck disable=SC2086
"$build/picture" $width $height $limit "$build/mandelbrot.png" $results
echo "$what agree with the host on every pixel. The picture is in $build/mandelbrot.png."
