#!/bin/sh
# SPDX-License-Identifier: MIT
# Every operation on integers of 1 to 128 bits, on floats of all kinds and on vectors of them (arithmetic.c) through
# `softwave cc`, with random registers at launch, on processors of every family: the results are the same bits as those
# of llc-22's object for gfx90a, special operands in all pairs and random ones. usage: arithmetic.sh [path of softwave];
# TARGETS and TYPES choose others. Shows what compiler.md 3.6 says of INT, FP and conversions (T20, T21, T24, T25).
. "$(dirname "$0")/../tools.sh"
begin_test "$@"
need_llvm_22 "$LLC"
${CC:-cc} -w -O1 -o make_kernels "$here/arithmetic.c" || exit 1
./make_kernels ll > all.ll || exit 1
need_reader
"$LLC" -mtriple=amdgcn-amd-amdhsa -O2 -mcpu=gfx90a -filetype=obj all.ll -o llc.co || exit 1

# run TARGET OBJECT TYPE BYTES
run() {
    "$softwave" run --init=random:9 --target="$1" -k "$3" -g 512 -b 64 "$2" "buf:$4,out=out" "buf:in=$3.a" "buf:in=$3.b" \
        "buf:in=$3.c" > message 2>&1
}
./make_kernels types > types
for one in "expected:gfx90a" ${TARGETS:-gfx600 gfx803 gfx90a gfx942 gfx1030:64 gfx1100 gfx1201 gfx1250}; do
    case $one in
    expected:*) target=${one#expected:} object=llc.co ;;
    *)
        target=${one%%:*} object=ours.co wave=${one#"$target"} && wave=${wave#:}
        "$softwave" cc --verify --target="$target" ${wave:+--mattr=+wavefrontsize$wave} all.ll -o ours.co 2> message ||
            { failed=$((failed + 1)) && echo "$one: cc: $(head -n 2 message)" && continue; }
        ;;
    esac
    while read -r type results; do
        case " ${TYPES:-$type} " in *" $type "*) ;; *) continue ;; esac
        [ -e "$type.a" ] || ./make_kernels input "$type" "$type.a" "$type.b" "$type.c"
        if ! run "$target" $object "$type" $((results * 8192)); then
            failed=$((failed + 1)) && echo "$one $type: $(grep -v warning message | head -n 2)"
        elif [ $object = llc.co ]; then
            mv out "$type.expected"
        elif cmp -s out "$type.expected"; then
            passed=$((passed + 1))
        else
            failed=$((failed + 1))
            cmp -l out "$type.expected" | awk '{ print int(($1 - 1) / 8192) + 1, int(($1 - 1) / 16) % 512 }' | sort -u > wrong
            echo "$one $type: $(./make_kernels operations "$type" | awk 'NR == FNR { if (!($1 in first)) first[$1] = $2; next }
                FNR in first { printf "%s (item %d) ", $0, first[FNR] }' wrong -)"
        fi
    done < types
done
end_test
