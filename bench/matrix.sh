#!/bin/sh
# SPDX-License-Identifier: MIT
# Matrix instructions on one thread: billions of operations a second (a multiplication and an addition are two) and
# nanoseconds each, the best of eight runs. usage: matrix.sh BUILD-DIR
build=$1
here=$(dirname "$0")
for kernel in f32_32x32x1:4096 f32_16x16x4:2048 f16_32x32x8:16384 f16_16x16x16:8192 bf16_32x32x8:16384 f64_16x16x4:2048 i8_16x16x16:8192; do
    for run in 1 2 3 4 5 6 7 8; do
        "$build/softwave" run --target=gfx90a -j1 --stats -k "${kernel%:*}" -g 640 -b 64 "$here/matrix.s"
    done | awk -v name="${kernel%:*}" -v operations="${kernel#*:}" '
        /^ *time/ {if (!best || $2 < best) best = $2}
        END {printf "  %-14s %6.1f G/s  %6.0f ns\n", name, 10 * 3200 * operations / best / 1e9, best / (10 * 3200) * 1e9}'
done
