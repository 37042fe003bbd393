#!/bin/sh
# SPDX-License-Identifier: MIT
# The examples of images (examples/rotate.s, scale.s) on four generations, and the same result at each tier. A picture that
# is turned by 0 and by 180 degrees is the same, or has its pixels in the opposite order. Images and samplers as arguments
# of `softwave run`: pictures read and written, formats, kinds, and what is refused.
# tests/device/image.sh BINARY
export SOFTWAVE_CACHE=
softwave=${1:-build/softwave}
source=$(dirname "$0")/../../examples/rotate.s
passed=0 failed=0 skipped=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
same() { # WHAT FILE FILE
    if cmp -s "$2" "$3"; then passed=$((passed + 1)); else
        failed=$((failed + 1))
        echo "$1: $(cmp "$2" "$3" 2>&1)"
    fi
}

# 65,536 pixels, no two alike.
awk 'BEGIN { for (i = 0; i < 65536; i++) printf "\\%03o\\%03o\\%03o\\%03o\n", i % 256, int(i / 256), (i * 7) % 251, 255 }' >"$work/escapes"
# shellcheck disable=SC2059
printf "$(tr -d '\n' <"$work/escapes")" >"$work/picture"
[ "$(wc -c <"$work/picture")" = 262144 ] || { echo "the picture has $(wc -c <"$work/picture") bytes" && exit 1; }
# Its pixels backwards.
tac "$work/escapes" >"$work/backwards"
# shellcheck disable=SC2059
printf "$(tr -d '\n' <"$work/backwards")" >"$work/reversed"

turn() { # GPU TIER COSINE SINE
    "$softwave" run --tier="$2" -g 256,256 "$work/$1.co" buf:262144,out="$work/turned" buf:in="$work/picture" f32:"$3" f32:"$4" >"$work/log" 2>&1 ||
        { cat "$work/log" && : >"$work/turned"; }
}
for gpu in gfx900 gfx1030 gfx1100 gfx1200; do
    "$softwave" as --target=$gpu "$source" -o "$work/$gpu.o" && "$softwave" ld -shared "$work/$gpu.o" -o "$work/$gpu.co" || failed=$((failed + 1))
    for tier in 0 1 2; do
        "$softwave" run --tier=$tier -g 256,256 "$work/$gpu.co" buf:262144 buf:in="$work/picture" f32:1 f32:0 >/dev/null 2>"$work/log"
        if grep -q "no tier" "$work/log"; then skipped=$((skipped + 3)) && continue; fi
        turn $gpu $tier 1 0
        same "$gpu, tier $tier, by 0 degrees" "$work/turned" "$work/picture"
        turn $gpu $tier -1 0
        same "$gpu, tier $tier, by 180 degrees" "$work/turned" "$work/reversed"
        turn $gpu $tier 0.8660254 0.5
        [ -f "$work/by30" ] || cp "$work/turned" "$work/by30"
        same "$gpu, tier $tier, by 30 degrees" "$work/turned" "$work/by30"
    done
done
# ---- Arguments ----
run() { "$softwave" run "$@" >"$work/log" 2>&1; }
# expect STATUS TEXT ARG...: `softwave run ARG...` ends so, and the text is in what it prints.
expect() {
    status=$1 text=$2
    shift 2
    run "$@"
    got=$?
    if [ $got -eq "$status" ] && grep -q -e "$text" "$work/log"; then passed=$((passed + 1)); else
        failed=$((failed + 1))
        echo "run $*: exit $got, expected $status with '$text': $(head -n 3 "$work/log")"
    fi
}
# A picture of 64 by 48 pixels, and what a linear filter makes of two pixels on eight.
{ printf 'P6\n# a comment\n64 48\n255\n' && head -c 9216 "$work/picture"; } >"$work/small.ppm"
printf 'P5 2 1 255\n\000\200' >"$work/two.pgm"
scale="$(dirname "$source")/scale.s"
for gpu in gfx900 gfx1030 gfx1100 gfx1200; do
    "$softwave" as --target=$gpu "$scale" -o "$work/$gpu.o" && "$softwave" ld -shared "$work/$gpu.o" -o "$work/$gpu.co" || failed=$((failed + 1))
    run -g 64,48 -b 64,1 "$work/$gpu.co" image:64x48,out="$work/$gpu.ppm" image:in="$work/small.ppm" sampler:nearest,clamp f32:0.015625 f32:0.020833334
    tail -c 9216 "$work/$gpu.ppm" >"$work/pixels"
    head -c 9216 "$work/picture" >"$work/wanted"
    same "$gpu, a picture of its own size" "$work/pixels" "$work/wanted"
    run -g 64,48 -b 64,1 "$work/$gpu.co" image:64x48,format=bgra8,out="$work/blue.ppm" image:in="$work/small.ppm" sampler:nearest,clamp f32:0.015625 f32:0.020833334
    same "$gpu, blue before red" "$work/blue.ppm" "$work/$gpu.ppm"
    run -g 128,96 -b 64,1 "$work/$gpu.co" image:128x96,out="$work/$gpu.png" image:in="$work/small.ppm" sampler:linear,mirror f32:0.0078125 f32:0.010416667
    same "$gpu, twice as large" "$work/$gpu.png" "$work/gfx900.png"
    # Texel n of 64 lies at (n + 0.5) / 32 - 0.5 of two texels: 0 and 128 of 255.
    expect 0 '^@0: 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0.00784' -g 64,1 -b 64,1 "$work/$gpu.co" image:64x1,format=r32f,show=f32:17 image:in="$work/two.pgm",format=r8 sampler:linear,clamp f32:0.015625 f32:1
    expect 0 '^@0: 1 1 ' -g 64,1 -b 64,1 "$work/$gpu.co" image:64x1,format=r32f,show=f32:2 image:2x2,format=r8,fill=u8:255 sampler:nearest,border,white f32:4 f32:4
    expect 4 "$gpu has no images of format 24_8_snorm" -g 64,1 -b 64,1 "$work/$gpu.co" image:64x1,format=24_8_snorm image:2x2 sampler: f32:1 f32:1
done
od -An -c -N 4 "$work/gfx900.png" | grep -q '211   P   N   G' && passed=$((passed + 1)) || { failed=$((failed + 1)) && echo "a PNG file begins otherwise"; }
wide="-g 64,1 -b 64,1 $work/gfx1100.co"
steps="f32:0.015625 f32:1"
# Images go on to the next kernel by name, and compare with files.
expect 0 '^big: 0 0 0 255 255 1 0 255 7 255 2 255 0 14 255 255 ' -g 64,48 -b 64,1 "$work/gfx1100.co" image:first=64x48 image:in="$work/small.ppm" sampler:nearest f32:0.015625 f32:0.020833334 --then -g 64,1 -b 64,1 image:big=64x48,show=u8:16 @first sampler:nearest f32:0.015625 f32:0.020833334
expect 0 '^@0: 0 1 2 3 ' $wide image:64x1,out="$work/small.raw",show=u8 image:64x1,fill=u8:iota sampler:nearest $steps
expect 5 'values differ' $wide image:64x1,expect="$work/small.raw" image:64x1 sampler:nearest $steps
expect 0 '^@1: 0 1 2 3 ' $wide image:64x1,expect="$work/small.raw" image:64x1,in="$work/small.raw",show=u8 sampler:nearest $steps
expect 0 '^@1: 7 7 7 7 7 7 7 7 ' $wide image:64x1 image:4x4x2,kind=3d,format=r8,levels=1,fill=u8:7,show=u8:8 sampler:nearest $steps
expect 0 'image_sample_lz  *approximate: ' --fidelity $wide image:64x1 image:8x8 sampler:nearest $steps
expect 1 'kind= is 1d, 2d' $wide image:64x1,kind=4d image:8x8 sampler:nearest $steps
expect 1 "no image format 'rgb9'" $wide image:64x1,format=rgb9 image:8x8 sampler:nearest $steps
expect 1 'unknown part; known are nearest, linear' $wide image:64x1 image:8x8 sampler:cubic $steps
expect 1 'needs its size' $wide image:format=r8 image:8x8 sampler:nearest $steps
expect 1 'take neither ptr= nor at=' $wide image:64x1,at=256 image:8x8 sampler:nearest $steps
expect 1 'pictures have 8-bit components' $wide image:64x1,format=r32f,out="$work/x.png" image:8x8 sampler:nearest $steps
expect 1 'the picture has another size' $wide image:64x1 image:8x8,in="$work/small.ppm" sampler:nearest $steps
expect 1 'the file has 9' $wide image:64x1 image:8x8,in="$work/wanted" sampler:nearest $steps
expect 1 'without an offset' $wide image:64x1 @0+4 sampler:nearest $steps
expect 4 'neither wrap nor mirror' $wide image:64x1 image:8x8 sampler:texels,wrap $steps
expect 1 'give for example: image:WIDTHxHEIGHT image:WIDTHxHEIGHT sampler:linear' $wide image:64x1
sed 's/gfx1100, 32/gfx90a, 64/' "$scale" | sed -n '/^\.macro describe/,$p' >"$work/none.tail"
{ printf '.text\n.globl scale\n.p2align 8\n.type scale,@function\nscale:\n  s_endpgm\n.set generation, 11\n' && sed 's/_sgpr 32/_sgpr 32\n.amdhsa_accum_offset 4/' "$work/none.tail"; } >"$work/none.s"
"$softwave" as --target=gfx90a "$work/none.s" -o "$work/none.o" && "$softwave" ld -shared "$work/none.o" -o "$work/none.co" || failed=$((failed + 1))
expect 4 'gfx90a has no images' -g 64,1 -b 64,1 "$work/none.co" image:64x1 image:8x8 sampler:nearest $steps
expect 4 'gfx90a has no images' -g 64,1 -b 64,1 "$work/none.co" buf:64 buf:64 sampler:nearest $steps
expect 0 'every buffer is as without --weak' --weak=1..2 $wide image:64x1 image:8x8 sampler:nearest $steps
expect 1 'images do not run in shares' --shard 1/2 --changes "$work/c" $wide image:64x1 image:8x8 sampler:nearest $steps

echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
