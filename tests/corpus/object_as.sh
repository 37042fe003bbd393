#!/bin/sh
# SPDX-License-Identifier: MIT
# Objects and refusals against llvm-mc over LLVM's own tests of directives: object_as.sh BUILD DIR, where DIR is what
# fetch.sh filled. Every RUN line of llvm-mc is repeated with -filetype=obj; a test without a processor, or with one
# that LLVM 22 no longer has, gets one. Objects must be equal byte for byte; a text that one refuses, the other must.
# Then every source at four optimisation levels for every target (tests/asm/as_objects.sh all).
set -eu
build=${1:?usage: object_as.sh BUILD DIR}
tests=${2:?usage: object_as.sh BUILD DIR}/llvm/test/MC/AMDGPU
out=$build/corpus-objects
rm -rf "$out"
mkdir -p "$out"

# FILE TRIPLE CPU FEATURES VERSION SYMBOLS, one line a run; instructions are as.sh's business.
awk '
    FNR == 1 { name = FILENAME; sub(/.*\//, "", name) }
    /RUN:.*llvm-mc/ && name ~ /^(alignto|amd_kernel|cfi|data|elf-|extrasg|hsa|isa-version|labels|max-|mcexpr|occup|offset|pal|reloc|spurious|sym_|totalnum|trap|user-sgpr|xnack|wave32|macro|branch-comment|round-trip|s_endpgm)/ {
        line = $0; sub(/\|.*/, "", line)
        triple = cpu = attr = version = defs = ""
        n = split(line, word, /[ \t]+/)
        for (i = 1; i <= n; i++) {
            w = word[i]; sub(/^--/, "-", w)
            if (w == "-triple" || w == "-arch") triple = word[i + 1]
            else if (w ~ /^-(triple|arch)=/) { triple = w; sub(/^[^=]*=/, "", triple) }
            else if (w ~ /^-mcpu=/) cpu = substr(w, 7)
            else if (w ~ /^-mattr=/) attr = substr(w, 8)
            else if (w ~ /code-object-version=/) { version = w; sub(/.*=/, "", version) }
            else if (w ~ /^-defsym=/) defs = defs " " w
            else if (w == "-defsym") defs = defs " -defsym=" word[i + 1]
        }
        if (triple !~ /^amdgcn/ || cpu ~ /%/) next
        if (cpu == "") cpu = "gfx900"
        if (cpu == "gfx800") cpu = "gfx803"
        if (cpu == "gfx940") cpu = "gfx942"
        key = FILENAME "\t" triple "\t" cpu "\t" attr "\t" version "\t" defs
        if (!(key in seen)) { seen[key] = 1; print key }
    }' "$tests"/*.s > "$out/runs"

tab=$(printf '\t')
tr '\t' '|' < "$out/runs" | while IFS='|' read -r file triple cpu attr version defs; do
    rm -f "$out"/*.o
    name="$(basename "$file") $triple $cpu $attr $version$defs"
    set -- -triple="$triple" -mcpu="$cpu" ${attr:+-mattr="$attr"} -filetype=obj
    llvm=0 ours=0
    # shellcheck disable=SC2086
    llvm-mc-22 "$@" ${version:+--amdhsa-code-object-version=$version} $defs "$file" -o "$out/llvm.o" > /dev/null 2>&1 || llvm=1
    our_defs=$(echo "$defs" | sed 's/ -defsym/ --defsym/g')
    # shellcheck disable=SC2086
    timeout 60 "$build/softwave" as --triple="$triple" --mcpu="$cpu" ${attr:+--mattr="$attr"} \
        ${version:+--code-object-version=$version} $our_defs "$file" -o "$out/our.o" > /dev/null 2>&1 || ours=1
    if [ $llvm = 1 ] && [ $ours = 1 ]; then
        echo "refused by both${tab}$name"
    elif [ $llvm = 1 ]; then
        echo "only by us${tab}$name"
    elif [ $ours = 1 ]; then
        echo "only by llvm-mc${tab}$name"
    elif cmp -s "$out/llvm.o" "$out/our.o"; then
        echo "equal${tab}$name"
    else
        echo "different${tab}$name"
    fi
done > "$out/report.txt"
cut -f1 "$out/report.txt" | sort | uniq -c
if grep -v "^equal${tab}\|^refused by both${tab}" "$out/report.txt"; then exit 1; fi
tests/asm/as_objects.sh "$build/softwave" all | tail -n 20
