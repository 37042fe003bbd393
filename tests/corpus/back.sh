#!/bin/sh
# SPDX-License-Identifier: MIT
# Listings of code objects assembled back: back.sh BUILD FILE.... Every instruction of every code object in each file (a
# code object, a library or program with embedded ones) is disassembled, its text assembled, and the bytes compared.
# What does not give its bytes back is put to llvm-mc: bits that hardware ignores and compilers once set differently,
# and words of data that read as instructions, come out of it as they come out of ours. Prints the counts per code
# object; fails when ours and llvm-mc's answers differ.
set -eu
build=${1:?usage: back.sh BUILD FILE...}
shift
mc=${LLVM_MC:-llvm-mc-22}
work=$build/corpus-back
rm -rf "$work"
mkdir -p "$work"
bytes='/encoding: \[/ { sub(/.*encoding: \[/, ""); sub(/\].*/, "")
                        if ($0 == "0x5a,0x5a,0x80,0xbf") { print have == "" ? "-" : have; have = "" } else have = have $0 }'
failed=0
for file in "$@"; do
    mkdir "$work/objects"
    "$build/softwave" obj --extract "$work/objects" "$file" > /dev/null 2>&1
    for object in "$work"/objects/*; do
        target=$(basename "$object" | sed 's/.*-\(gfx[0-9a-z]*\).*/\1/')
        # Bytes and text of each line: words are printed high byte first.
        "$build/softwave" dis "$object" | sed -n 's|^\t\(.*[^ ]\) *// [0-9A-F]*: *\([0-9A-F ]*\).*|\2\t\1|p' |
            awk -F'\t' '$2 !~ /^\.long/ { n = split($1, w, " "); s = ""
                for (i = 1; i <= n; i++) for (k = 7; k >= 1; k -= 2) s = s (s == "" ? "" : ",") "0x" tolower(substr(w[i], k, 2))
                print s "\t" $2 }' > "$work/insns"
        cut -f2 "$work/insns" | sed 's/$/\ns_nop 0x5a5a/' > "$work/text.s"
        "$build/softwave" as --target="$target" --show-encoding "$work/text.s" 2> /dev/null | awk "$bytes" > "$work/ours" || true
        paste "$work/insns" "$work/ours" | awk -F'\t' '$1 != $3' > "$work/other"
        cut -f2 "$work/other" | sed 's/$/\ns_nop 0x5a5a/' > "$work/text.s"
        $mc -triple=amdgcn-amd-amdhsa -mcpu="$target" -show-encoding "$work/text.s" 2> /dev/null | awk "$bytes" > "$work/llvm" || true
        paste "$work/other" "$work/llvm" | awk -F'\t' '$3 != $4' > "$work/wrong"
        echo "$(basename "$object"): $(wc -l < "$work/insns") instructions, $(wc -l < "$work/other") with other bytes, of which $(wc -l < "$work/wrong") are not llvm-mc's"
        if [ -s "$work/wrong" ]; then
            failed=1
            head -3 "$work/wrong"
        fi
    done
    rm -r "$work/objects"
done
exit $failed
