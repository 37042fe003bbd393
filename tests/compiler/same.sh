#!/bin/sh
# SPDX-License-Identifier: MIT
# Every kernel of same/*.ll by `softwave cc --verify` and by llc-22, on the same device with random registers at launch:
# both leave the same bytes. A kernel takes a buffer that it writes and one that it reads (64 work-items, 64 KiB each);
# the first lines of a file say for which processors it is, what it shows, which further arguments a kernel has, and how it
# is launched otherwise; "; for PATTERN: NAME=VALUE ..." what names in it stand for on processors of this pattern, the first
# that fits. usage: same.sh [path of softwave]
# FILES and TARGETS choose less.
. "$(dirname "$0")/../tools.sh"
begin_test "$@"
. "$here/together.inc"
need_llvm_22 "$LLC"
need_reader
# Numbers of all sizes, the first ones small.
"${PYTHON:-python3}" -c '
import random, struct, sys
random.seed(7)
sys.stdout.buffer.write(b"".join(struct.pack("<I", i if i < 64 else random.getrandbits(32)) for i in range(16384)))' > in

# with_values FILE TARGET: the file with what its names stand for
with_values() {
    sed -n 's/^; for \([^:]*\): \(.*\)/\1 \2/p' "$1" | while read -r pattern values; do
        # shellcheck disable=SC2254
        case $2 in $pattern) echo "$values" | tr ' ' '\n' | sed 's/\(.*\)=\(.*\)/s,\\b\1\\b,\2,g/' && break ;; esac
    done > values
    sed -f values "$1"
}

# noted WHAT: what the file says behind "; WHAT: ", in $said. The shell finds it, as processes cost more than what they test.
newline='
'
noted() {
    said=${notes#*"$newline; $1: "}
    if [ "$said" = "$notes" ]; then said=; else said=${said%%"$newline"*}; fi
}
mkdir ours llc
for file in "$here"/same/${FILES:-*}.ll; do
    name=${file##*/} && name=${name%.ll}
    notes=$newline$(grep '^; ' "$file")
    kernels=$(kernels_of "$file")
    # What each kernel is given; SIDE is ours or llc.
    for kernel in $kernels; do
        noted "launch of $kernel" && launch=$said
        noted "further arguments of $kernel"
        echo "$kernel ${launch:--g 64 -b 64} buf:64K,out=SIDE/$kernel buf:in=in $said"
    done > jobs
    # Options, as --weak, are for a whole process.
    for side in ours llc; do sed "s,SIDE/,$side/,; / --/d" jobs > jobs.$side && sed -n "s,SIDE/,$side/,; / --/p" jobs > apart.$side; done
    noted processors
    for processor in ${TARGETS:-$said}; do
        target=${processor%%:*} wave=${processor#"$target"} && wave=${wave#:}
        feature=${wave:++wavefrontsize$wave}
        case $notes in *"$newline; for "*) with_values "$file" "$target" > "$name.ll" ;; *) cp "$file" "$name.ll" ;; esac
        rm -f ours/* llc/*
        whole "$name $processor" "$name.ll" ours.co "$softwave" cc --verify --target="$target" ${feature:+--mattr=$feature} || continue
        whole "$name $processor" "$name.ll" llc.o "$LLC" -mtriple=amdgcn-amd-amdhsa -mcpu="$target" -mattr="$feature" -O2 -filetype=obj || continue
        "$softwave" ld llc.o -o llc.co || { wrong "$name $processor: ld" && continue; }
        for side in ours llc; do
            [ ! -s jobs.$side ] || run_all "$name $processor" jobs.$side $side.co --init=random:5 --target="$target"
            while read -r kernel arguments; do
                echo "$kernel $arguments" > apart
                run_all "$name $processor" apart $side.co --init=random:5 --target="$target" < /dev/null
            done < apart.$side
        done
        compare_all ours llc
        for kernel in $kernels; do
            alike "$kernel" && pass || wrong "$name $processor $kernel: $(cmp ours/"$kernel" llc/"$kernel" 2>&1)"
        done
    done
done
end_test
