#!/bin/bash
# SPDX-License-Identifier: MIT
# Assembler and disassembler against LLVM's on the same text and the same object, whole processes, output thrown
# away, best of seven runs each: text.sh BUILD [PROCESSOR...]. The text is the golden lines of a processor, over and over,
# which favours the disassembler's kept texts where they hold all of the lines; the objects of installed libraries are
# compiled code and no line of them is repeated for the bench.
set -eu
build=${1:?usage: text.sh BUILD [PROCESSOR...]}
shift
[ $# -gt 0 ] || set -- gfx90a gfx1100
here=$(dirname "$0")
mkdir -p "$build/bench"

best() { # milliseconds; a clock that needs no process of its own
    for _ in 1 2 3 4 5 6 7; do
        start=${EPOCHREALTIME/[^0-9]/}
        "$@" > /dev/null 2>&1
        echo $((${EPOCHREALTIME/[^0-9]/} - start))
    done | sort -n | head -1 | awk '{ print $1 / 1e3 }'
}
memory() { env time -f %M "$@" 2>&1 > /dev/null | tail -1; }
report() { awk -v what="$1" -v n="$2" -v ours="$3" -v theirs="$4" -v peer="$5" -v goal="$6" 'BEGIN {
    printf "  %-12s %8d instructions  %8.1f ms (%.2f M/s)   %-15s %8.1f ms (%.2f M/s)   %5.1f times (goal %s)\n",
        what, n, ours, n / ours / 1000, peer, theirs, n / theirs / 1000, theirs / ours, goal }'; }

for gpu in "$@"; do
    text=$build/bench/$gpu.s object=$build/bench/$gpu.o
    # Lines that need modes of their own stay out.
    sed -n 's/^[0-9a-f]*  //p' "$here"/../tests/isa/golden/$gpu/*.txt > "$text.once"
    n=0
    : > "$text"
    while [ $n -lt 300000 ]; do
        cat "$text.once" >> "$text"
        n=$(wc -l < "$text")
    done
    echo "$gpu:"
    report assemble "$n" "$(best "$build/softwave" as --target=$gpu -o "$object" "$text")" \
        "$(best llvm-mc-22 -triple=amdgcn-amd-amdhsa -mcpu=$gpu -filetype=obj -o "$object.llvm" "$text")" llvm-mc "6"
    cmp -s "$object" "$object.llvm" && echo "  the objects are equal" || echo "  the objects differ"
    report disassemble "$n" "$(best "$build/softwave" dis "$object")" "$(best llvm-objdump-22 -d "$object")" \
        llvm-objdump "10"
    echo "  peak memory in KiB, with mapped input: as $(memory "$build/softwave" as --target=$gpu -o "$object" "$text"), dis $(memory "$build/softwave" dis "$object"); the text has $(($(wc -c < "$text") / 1024)), the object $(($(wc -c < "$object") / 1024))"
    rm -f "$text" "$text.once" "$object" "$object.llvm"
done

# Compiled code: the largest object of each library for each of two GPUs.
for library in /usr/lib/*/librocrand.so.1.1 /usr/lib/*/librocsparse.so.0.1; do
    [ -r "$library" ] || continue
    objects=$build/bench/objects
    rm -rf "$objects"
    mkdir -p "$objects"
    "$build/softwave" obj --extract="$objects" "$library" > /dev/null
    for gpu in gfx90a gfx1030; do
        object=$(ls -S "$objects"/*"$gpu"* | head -1)
        n=$("$build/softwave" dis "$object" | grep -c '//')
        echo "$(basename "$object"):"
        report disassemble "$n" "$(best "$build/softwave" dis "$object")" "$(best llvm-objdump-22 -d "$object")" \
            llvm-objdump "10"
    done
    rm -rf "$objects"
done
