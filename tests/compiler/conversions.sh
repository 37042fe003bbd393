#!/bin/sh
# SPDX-License-Identifier: MIT
# Conversions from and to floats of 8, 6 and 4 bits, with and without a scale, with each byte that they take or change, by
# `softwave cc` at -O0 and -O2 and by llc-22: lane by lane the same in the emulator (INT-09). What a processor has not is
# refused. usage: conversions.sh [path of softwave]
here=$(realpath "$(dirname "$0")")
. "$here/../tools.sh"
begin_test "$@"
need_llvm_22 "$LLC"
need_reader
command -v python3 > /dev/null || skip_all "python3 is not installed"
python3 "$here/conversions.py" > table

. "$here/rows.inc"
python3 - << 'P'
import random, struct
random.seed(7)
for n in "abc": # small floats, whatever bits, small numbers
    with open(n + ".in", "wb") as f:
        for i in range(64):
            f.write([struct.pack("<f", random.uniform(-16, 16)), struct.pack("<I", random.getrandbits(32)), struct.pack("<I", random.getrandbits(6))][i % 3])
P
run() { # run NAME OBJECT RESULT
    "$softwave" run --init=random:5 --target="$target" -k "$1" -g 64 -b 64 "$2" "buf:256,out=$3" buf:in=a.in buf:in=b.in buf:in=c.in > message 2>&1 ||
        wrong "$target $1: $2: $(grep -v warning message | head -n 2)"
}
for one in gfx942:fp8 gfx1201:fp8 gfx950:'fp8|950'; do
    target=${one%%:*}
    module "${one#*:}" > all.ll
    "$LLC" -mtriple=amdgcn-amd-amdhsa -O2 -mcpu="$target" -filetype=obj all.ll -o llc.co 2> message || { wrong "$target: llc: $(head -n 1 message)" && continue; }
    for level in 0 2; do
        "$softwave" cc --verify -O$level --target="$target" all.ll -o ours$level.co 2> message || wrong "$target: cc: $(head -n 2 message)"
    done
    for name in $(sed -n 's/^define.*@\([a-z0-9_]*\)(.*/\1/p' all.ll); do
        run "$name" llc.co llc.out
        for level in 0 2; do
            run "$name" ours$level.co ours.out
            cmp -s ours.out llc.out && pass || wrong "$target -O$level $name: $(cmp ours.out llc.out 2>&1)"
        done
    done
done
for one in gfx90a:fp8_f32_0 gfx1030:fp8_pk_true gfx942:s_f32_fp8_0 gfx1201:s_32_f32_fp6 gfx1201:sr_f16_false; do
    module 'fp8|950' | sed -n "/@${one#*:}(/,/^}/p" > one.ll
    "$softwave" cc --target="${one%%:*}" one.ll -o one.co 2> message
    [ $? -eq 4 ] && grep -q "the intrinsic llvm.amdgcn.cvt.* on this processor is not supported" message && pass || wrong "$one: $(cat message)"
done
end_test
