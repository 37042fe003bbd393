#!/bin/sh
# SPDX-License-Identifier: MIT
# LLVM's disassembler tests through llvm-mc and through `softwave dis --hex`, under the processor and
# features of each file's RUN lines: dis.sh BUILD DIR, where DIR is what fetch.sh filled. Prints, per processor
# and features, how many lines are equal, different, refused by both or by one; differing lines go to
# BUILD/corpus/*.diff. Fails when bytes differ that expected.txt does not list.
set -eu
build=${1:?usage: dis.sh BUILD DIR}
tests=${2:?usage: dis.sh BUILD DIR}/llvm/test/MC/Disassembler/AMDGPU
here=$(dirname "$0")
mc=${LLVM_MC:-llvm-mc-22}
out=$build/corpus
rm -rf "$out"
mkdir -p "$out"

# One file of bytes per processor and features. Later LLVMs call gfx940 gfx942.
awk -v out="$out" '
    FNR == 1 { runs = 0; delete seen }
    /RUN:.*llvm-mc/ && /-mcpu=/ && /disassemble/ && !/--crash/ {
        match($0, /-mcpu=[^ ]*/); cpu = substr($0, RSTART + 6, RLENGTH - 6)
        attr = match($0, /-mattr=[^ ]*/) ? tolower(substr($0, RSTART + 7, RLENGTH - 7)) : ""
        if (cpu == "gfx940") cpu = "gfx942"
        if (!(cpu "@" attr in seen)) { seen[cpu "@" attr] = 1; run[++runs] = cpu "@" attr }
        next
    }
    /^[ \t]*\[?0x[0-9a-fA-F]/ {
        sub(/[ \t]*#.*/, ""); gsub(/[][\r]/, ""); gsub(/[ \t,]+/, ","); gsub(/^,|,$/, "")
        for (r = 1; r <= runs; r++) print tolower($0) >> (out "/" run[r] ".hex")
    }' "$tests"/*.txt

# Each test is followed by an instruction that none of them is, so that output and input stay in step.
for f in "$out"/*.hex; do
    name=$(basename "$f" .hex)
    cpu=${name%%@*} attr=${name#*@}
    sort -u "$f" -o "$f"
    sed 's/.*/[&]\n[0x5a,0x5a,0x80,0xbf]/' "$f" > "$f.in"
    $mc --disassemble -triple=amdgcn -mcpu="$cpu" ${attr:+-mattr="$attr"} "$f.in" 2> /dev/null |
        awk -f "$here/lines.awk" > "$f.llvm" || true
    "$build/softwave" dis --hex --target="$cpu" ${attr:+--mattr="$attr"} "$f.in" 2> /dev/null |
        awk -f "$here/lines.awk" > "$f.ours" || true
    paste -d'\t' "$f" "$f.llvm" "$f.ours" > "$f.both"
    awk -F'\t' -v name="$name" -v diff="$out/$name.diff" '
        { n++ }
        $2 == $3 { if ($2 == "-") refused++; else equal++; next }
        $3 == "-" { missing++ }
        $2 == "-" { extra++ }
        $2 != "-" && $3 != "-" { different++ }
        { print > diff }
        END { printf "%-45s %6d lines  %6d equal  %4d different  %4d refused by both  %4d only by us  %4d only by llvm-mc\n",
                name, n, equal, different, refused, missing, extra }' "$f.both"
    rm -f "$f.in"
done | tee "$out/report.txt"
# What only llvm-mc shows is expected to be data here when llvm-mc itself does not make the same bytes of its text.
bytes='/encoding: \[/ { sub(/.*encoding: \[/, ""); sub(/\].*/, "")
                        if ($0 == "0x5a,0x5a,0x80,0xbf") { print have == "" ? "-" : have; have = "" } else have = have $0 }'
for f in "$out"/*.diff; do
    [ -e "$f" ] || continue
    name=$(basename "$f" .diff)
    cpu=${name%%@*} attr=${name#*@}
    cut -f2 "$f" | sed 's/$/\ns_nop 0x5a5a/' |
        $mc -triple=amdgcn -mcpu="$cpu" ${attr:+-mattr="$attr"} -show-encoding 2> /dev/null | awk "$bytes" > "$f.back" || true
    paste -d'\t' "$f" "$f.back" | awk -F'\t' '$3 == "-" && $1 != $4 { lossy++; next } { print $1 } END { print lossy + 0 > "/dev/stderr" }' \
        > "$f.faithful" 2>> "$out/lossy"
done
unexpected=$(cat "$out"/*.faithful 2> /dev/null | sort -u | grep -vxF -f "$here/expected.txt" || true)
awk '{ for (i = 2; i < NF; i++) if ($(i + 1) ~ /^(lines|equal|different)$/) sum[$(i + 1)] += $i }
     END { print sum["lines"] " lines, " sum["equal"] " equal, " sum["different"] " different" }' "$out/report.txt"
awk '{ n += $1 } END { print n + 0 " lines shown by llvm-mc alone, with text that does not give their bytes" }' "$out/lossy"
if [ -n "$unexpected" ]; then
    echo "not in expected.txt:"
    echo "$unexpected"
    exit 1
fi
