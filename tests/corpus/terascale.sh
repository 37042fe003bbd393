#!/bin/sh
# SPDX-License-Identifier: MIT
# LLVM's own tests of code generation for r600, rv770, redwood and cayman, compiled by llc-22: `dis --llvm` prints every
# word as llc does, and what `dis` prints assembles to the same code. terascale.sh BUILD CORPUS, as fetch.sh leaves it.
# Tests of plain functions are left out: llc gives these no control flow.
build=$1 corpus=$2
softwave=$(realpath "$build/softwave")
here=$(dirname "$(realpath "$0")")
tests=$(realpath "$corpus/llvm/test/CodeGen/AMDGPU")
directory=$(mktemp -d) && trap 'rm -r "$directory"' EXIT
compared=0 words=0 failed=0 left=0
# Known: llc puts integer shifts of r600 in vector slots there (ERR-36).
breaks_rules() { [ "$1$2" = r600schedule-fs-loop-nested.ll ]; }
code() { objcopy -I elf32-little -O binary -j .text "$1" "$2"; }

one() {
    chip=$1 file=$2 name=$(basename "$2")
    cd "$directory" || exit 1
    timeout 20 llc-22 -mtriple=r600 -mcpu="$chip" -show-mc-encoding "$file" -o k.s 2> /dev/null &&
        timeout 20 llc-22 -mtriple=r600 -mcpu="$chip" -filetype=obj "$file" -o k.o 2> /dev/null || return
    if grep -q '^	RETURN' k.s || ! grep -q 'encoding: \[0x' k.s; then
        left=$((left + 1))
        return
    fi
    compared=$((compared + 1))
    if ! "$softwave" dis --llvm k.o > llvm.txt || ! python3 "$here/../terascale/same_text.py" k.s llvm.txt > differ.txt; then
        echo "$chip $name: other text: $(head -1 differ.txt)"
        failed=$((failed + 1))
    fi
    words=$((words + $(tail -1 differ.txt | cut -d' ' -f1)))
    "$softwave" dis k.o > ours.s
    if grep -q '^ *[0-9]*!' ours.s || grep -q UNCHECKED ours.s; then
        breaks_rules "$chip" "$name" || { echo "$chip $name breaks a rule" && failed=$((failed + 1)); }
    fi
    "$softwave" as --target="$chip" ours.s -o again.o || failed=$((failed + 1))
    code k.o llc.bin
    code again.o again.bin
    if "$softwave" obj k.o | grep -q ' 0 relocations' && ! cmp -n "$(stat -c %s again.bin)" llc.bin again.bin; then
        echo "$chip $name: other code"
        failed=$((failed + 1))
    fi
}

for file in $(grep -l r600 "$tests"/*.ll); do
    for chip in r600 rv770 redwood cayman; do one $chip "$file"; done
done
echo "$compared files compared, $words words, $failed differ, $left of plain functions left out"
[ $compared -gt 400 ] && [ $failed -eq 0 ]
