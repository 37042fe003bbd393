#!/bin/sh
# SPDX-License-Identifier: MIT
# Conversions from and to floats of 8, 6 and 4 bits, with and without a scale, with each byte that they take or change, by
# `softwave cc` at -O0 and -O2 and by llc-22: lane by lane the same in the emulator (INT-09). What a processor has not is
# refused. usage: conversions.sh [path of softwave]
here=$(realpath "$(dirname "$0")")
. "$here/../tools.sh"
begin_test "$@"
. "$here/together.inc"
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
mkdir llc ours0 ours2
for one in gfx942:fp8 gfx1201:fp8 gfx950:'fp8|950'; do
    target=${one%%:*}
    module "${one#*:}" > all.ll
    whole "$target" all.ll llc.co "$LLC" -mtriple=amdgcn-amd-amdhsa -O2 -mcpu="$target" -filetype=obj
    for level in 0 2; do whole "$target -O$level" all.ll ours$level.co "$softwave" cc --verify -O$level --target="$target"; done
    names=$(kernels_of all.ll)
    for object in llc ours0 ours2; do
        for name in $names; do
            echo "$name -g 64 -b 64 buf:256,out=$object/$name buf:in=a.in buf:in=b.in buf:in=c.in"
        done > jobs
        rm -f $object/*
        run_all "$target" jobs $object.co --init=random:5 --target="$target"
    done
    for level in 0 2; do
        compare_all ours$level llc
        for name in $names; do alike "$name" && pass || wrong "$target -O$level $name: $(cmp ours$level/"$name" llc/"$name" 2>&1)"; done
    done
done
for one in gfx90a:fp8_f32_0 gfx1030:fp8_pk_true gfx942:s_f32_fp8_0 gfx1201:s_32_f32_fp6 gfx1201:sr_f16_false; do
    module 'fp8|950' | sed -n "/@${one#*:}(/,/^}/p" > one.ll
    "$softwave" cc --target="${one%%:*}" one.ll -o one.co 2> message
    [ $? -eq 4 ] && grep -q "the intrinsic llvm.amdgcn.cvt.* on this processor is not supported" message && pass || wrong "$one: $(cat message)"
done
end_test
