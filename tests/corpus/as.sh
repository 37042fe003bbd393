#!/bin/sh
# SPDX-License-Identifier: MIT
# LLVM's assembler tests through llvm-mc and through `softwave as`, under the processor and features of each
# file's RUN lines: as.sh BUILD DIR, where DIR is what fetch.sh filled. Prints, per processor and features, how
# many lines have equal bytes, different bytes, are refused by both or by one; those that differ go to
# BUILD/corpus-as/*.diff. Fails when the lines of different bytes are not those of expected_as.txt.
set -eu
build=${1:?usage: as.sh BUILD DIR}
tests=${2:?usage: as.sh BUILD DIR}/llvm/test/MC/AMDGPU
here=$(dirname "$0")
mc=${LLVM_MC:-llvm-mc-22}
out=$build/corpus-as
rm -rf "$out"
mkdir -p "$out"

# One file of instructions per processor and features; directives, labels and assignments are other tests' business.
awk -v out="$out" '
    FNR == 1 { runs = 0; delete seen }
    /RUN:.*llvm-mc/ && /-mcpu=/ && !/--crash/ {
        match($0, /-mcpu=[^ ]*/); cpu = substr($0, RSTART + 6, RLENGTH - 6)
        attr = match($0, /-mattr=[^ ]*/) ? tolower(substr($0, RSTART + 7, RLENGTH - 7)) : ""
        if (cpu == "gfx940") cpu = "gfx942"
        if (cpu ~ /[%{]/ || attr ~ /[%{\/]/) next
        if (!(cpu "@" attr in seen)) { seen[cpu "@" attr] = 1; run[++runs] = cpu "@" attr }
        next
    }
    /^[ \t]*[a-z]/ && !/^[ \t]*[a-z0-9_.$]+[ \t]*(=|:)/ {
        sub(/[ \t]*(\/\/|;).*/, ""); gsub(/\r/, ""); sub(/^[ \t]+/, ""); sub(/[ \t]+$/, "")
        if (/\/\*/) next
        for (r = 1; r <= runs; r++) print >> (out "/" run[r] ".lines")
    }' "$tests"/*.s

# Each line is followed by an instruction that none of them is, so that output and input stay in step.
bytes='/encoding: \[/ { sub(/.*encoding: \[/, ""); sub(/\].*/, "")
                        if ($0 == "0x5a,0x5a,0x80,0xbf") { print have == "" ? "-" : have; have = "" } else have = have $0 }'
for f in "$out"/*.lines; do
    name=$(basename "$f" .lines)
    cpu=${name%%@*} attr=${name#*@}
    sort -u "$f" -o "$f"
    sed 's/$/\ns_nop 0x5a5a/' "$f" > "$f.in"
    $mc -triple=amdgcn-amd-amdhsa -mcpu="$cpu" ${attr:+-mattr="$attr"} -show-encoding "$f.in" 2> /dev/null |
        awk "$bytes" > "$f.llvm" || true
    "$build/softwave" as --target="$cpu" ${attr:+--mattr="$attr"} --show-encoding "$f.in" 2> /dev/null |
        awk "$bytes" > "$f.ours" || true
    paste -d'\t' "$f" "$f.llvm" "$f.ours" | awk -F'\t' -v OFS='\t' -v name="$name" -v diff="$out/$name.diff" '
        { n++ }
        $3 == "" { $3 = "-" } # a processor that only llvm-mc overlooks
        $2 == $3 { if ($2 == "-") refused++; else equal++; next }
        $3 == "-" { missing++ }
        $2 == "-" { extra++ }
        $2 != "-" && $3 != "-" { different++ }
        { print > diff }
        END { printf "%-45s %6d lines  %6d equal  %4d different  %4d refused by both  %4d only by us  %4d only by llvm-mc\n",
                name, n, equal, different, refused, missing, extra }'
    rm -f "$f.in"
done | tee "$out/report.txt"
awk '{ for (i = 2; i < NF; i++) if ($(i + 1) ~ /^(lines|equal|different|refused|only)$/) {
           k = $(i + 1) == "only" ? "only " $(i + 2) " " $(i + 3) : $(i + 1); sum[k] += $i } }
     END { for (k in sum) printf "%d %s  ", sum[k], k; print "" }' "$out/report.txt"
unexpected=$(awk -F'\t' '$2 != "-" && $3 != "-" { print $1 }' "$out"/*.diff | sort -u | grep -vxF -f "$here/expected_as.txt" || true)
if [ -n "$unexpected" ]; then
    echo "different bytes, and not in expected_as.txt:"
    echo "$unexpected"
    exit 1
fi
