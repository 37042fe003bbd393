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
# run TARGET OBJECT KERNEL OUT
run() {
    "$softwave" run --init=random:5 --target="$1" -k "$3" ${launch:--g 64 -b 64} "$2" buf:64K,out="$4" buf:in=in $more > message 2>&1 ||
        { faulted=1 && echo "fault" && head -n 3 message; } > "$4"
}
for file in "$here"/same/${FILES:-*}.ll; do
    name=${file##*/} && name=${name%.ll}
    notes=$newline$(grep '^; ' "$file")
    for one in ${TARGETS:-$(sed -n 's/^; processors: //p' "$file")}; do
        target=${one%%:*} wave=${one#"$target"} && wave=${wave#:}
        feature=${wave:++wavefrontsize$wave}
        with_values "$file" "$target" > "$name.ll"
        "$softwave" cc --verify --target="$target" ${feature:+--mattr=$feature} "$name.ll" -o ours.co 2> message ||
            { wrong "$name $one: cc: $(head -n 3 message)" && continue; }
        "$LLC" -mtriple=amdgcn-amd-amdhsa -mcpu="$target" -mattr="$feature" -O2 -filetype=obj "$name.ll" -o llc.o 2> message &&
            "$softwave" ld llc.o -o llc.co || { wrong "$name $one: llc: $(head -n 3 message)" && continue; }
        for kernel in $(sed -nE 's/^define amdgpu_kernel void @"?([^("]*)"?\(.*/\1/p' "$file"); do
            noted "launch of $kernel" && launch=$said
            noted "further arguments of $kernel" && more=$said faulted=
            run "$target" ours.co "$kernel" ours
            run "$target" llc.co "$kernel" theirs
            if cmp -s ours theirs && [ ! "$faulted" ]; then pass; else
                wrong "$name $one $kernel: $(grep -a '^fault' -A2 ours) $(cmp ours theirs 2>&1)"
            fi
        done
    done
done
end_test
