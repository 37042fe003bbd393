#!/bin/sh
# SPDX-License-Identifier: MIT
# Kernels compiled by clang and llc for every chip that has a libclc: `dis --llvm` prints what llc printed, `as` of our
# own text gives the same code, and finds the registers that llc found. usage: llc.sh [path of softwave]
. "$(dirname "$0")/../tools.sh"
softwave=$(realpath "${1:-build/softwave}")
here=$(dirname "$(realpath "$0")")
passed=0 failed=0 skipped=0 turn=0
need_llvm_22 $CLANG $LLC
clang=$(command -v $CLANG) llc=$(command -v $LLC)
if [ ! -e /usr/lib/clc/cedar-r600--.bc ]; then
    echo "no libclc for r600"
    echo "0 passed, 0 failed, 1 skipped"
    exit 0
fi
directory=$(mktemp -d) && trap 'rm -r "$directory"' EXIT
cd "$directory" || exit 1
good() { passed=$((passed + 1)); }
bad() {
    failed=$((failed + 1))
    echo "$*"
}
text() { objcopy -I elf32-little -O binary -j .text "$1" "$2"; }

# compare NAME CHIP: k.o and k.s are there
compare() {
    if "$softwave" dis --llvm k.o > llvm.txt && python3 "$here/same_text.py" k.s llvm.txt > differ.txt; then good; else
        bad "$1 on $2 is printed otherwise: $(head -2 differ.txt)"
    fi
    "$softwave" dis k.o > ours.s || bad "$1 on $2: no listing"
    if grep -q '^ *[0-9]*!' ours.s || grep -q UNCHECKED ours.s; then bad "$1 on $2 breaks a rule"; else good; fi
    grep -v 'set SQ_PGM_RESOURCES' ours.s > plain.s
    if "$softwave" as --target="$2" plain.s -o again.o; then good; else bad "$1 on $2: our text is refused"; fi
    text k.o llc.bin
    text again.o again.bin
    # A listing has relocations applied.
    if "$softwave" obj k.o | grep -q ' 0 relocations'; then :; else cp again.bin llc.bin; fi
    if cmp -s llc.bin again.bin; then good; else bad "$1 on $2: other code"; fi
    "$softwave" obj k.o | grep -o 'NUM_GPRS([0-9]*)' > llc.gprs
    "$softwave" obj again.o | grep -o 'NUM_GPRS([0-9]*)' > again.gprs
    if cmp -s llc.gprs again.gprs; then good; else bad "$1 on $2: $(paste llc.gprs again.gprs | head -2)"; fi
}

for chip in cedar cypress redwood juniper sumo barts caicos turks cayman; do
    for k in "$here"/kernels/*.cl; do
        turn=$((turn + 1))
        if [ -z "$EVERY" ] && [ $(((turn + turn / 10) % 2)) = 1 ]; then continue; fi
        name=$(basename "$k" .cl)
        if "$clang" -target r600-- -mcpu=$chip -x cl -cl-std=CL1.2 -O2 -Xclang -finclude-default-header \
            -Xclang -mlink-builtin-bitcode -Xclang /usr/lib/clc/$chip-r600--.bc -emit-llvm -c "$k" -o k.bc 2> clang.log &&
            "$llc" -mcpu=$chip -show-mc-encoding k.bc -o k.s && "$llc" -mcpu=$chip -filetype=obj k.bc -o k.o; then
            compare "$name" $chip
        else
            bad "$name on $chip does not compile: $(head -2 clang.log)"
        fi
    done
done
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
