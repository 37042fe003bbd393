#!/bin/sh
# SPDX-License-Identifier: MIT
# Loads that follow each other where XNACK is on: none writes what it or one before it in the run reads (HZ-SMEM-CLAUSE,
# HZ-VMEM-CLAUSE), as what is issued once more would read something else. By the assembly of the test kernels; where XNACK is
# off, nothing keeps them apart. usage: replay.sh [path of softwave]
. "$(dirname "$0")/../tools.sh"
begin_test "$@"
need_llvm_22 "$CLANG"
need_reader
need_libclc
# Prints how many loads write what one before them reads, and how often a load stands behind another one.
cat > runs.awk << 'A'
# The registers of an operand, as numbers of dwords: scalar ones below 1000.
function registers(text, list,    base, ends, n) {
    delete list
    if (text !~ /^-?[sv](\[|[0-9])/) return 0
    base = text ~ /^v/ ? 1000 : 0
    gsub(/[^0-9:]/, "", text)
    n = split(text, ends, ":")
    for (n = ends[1] + 0; n <= (ends[2] == "" ? ends[1] : ends[2]) + 0; n++) list[base + n] = 1
    return 1
}
{ sub(/^\t/, "") }
/^[.;]/ || /^$/ || /:$/ { if (/:$/) { run = ""; delete reads } next }
{
    kind = $1 ~ /^s_(buffer_)?load/ ? "s" : $1 ~ /^(global|flat|buffer|scratch)_load/ ? "v" : ""
    if (kind == "" || kind != run) delete reads
    if (kind != "" && kind == run) {
        behind++
        split($0, words, /[ ,]+/)
        registers(words[2], to)
        for (n in to) if (n in reads) { clashes++; break }
    }
    run = kind
    if (kind == "") next
    count = split($0, words, /[ ,]+/)
    for (k = 3; k <= count; k++) if (registers(words[k], from)) for (n in from) reads[n] = 1
}
END { print clashes + 0, behind + 0 }
A
[ "$(printf '\ts_load_dword s2, s[0:1], 0x0\n\ts_load_dword s1, s[4:5], 0x0\n' | awk -f runs.awk)" = '1 1' ] && pass || wrong "a clash is not found"
[ "$(printf '\ts_load_dword s2, s[0:1], 0x0\n\ts_nop 0\n\ts_load_dword s1, s[4:5], 0x0\n' | awk -f runs.awk)" = '0 0' ] && pass || wrong "s_nop does not end a run"
apart=0
for processor in gfx801 gfx900 gfx90a gfx942; do
    for file in integer control; do
        "$CLANG" -w -target amdgcn-amd-amdhsa -nogpulib -x cl -cl-std=CL2.0 -Xclang -mlink-builtin-bitcode -Xclang $libclc -mcpu=$processor -O2 \
            -ffp-contract=off -S -emit-llvm "$here/../device/kernels/$file.cl" -o $file.ll || exit 1
        "$softwave" cc --verify --target=$processor:xnack+ -S $file.ll -o on.s 2> message || wrong "$processor $file: $(grep -v warning message | head -n 2)"
        "$softwave" cc --target=$processor:xnack- -S $file.ll -o off.s 2> message
        set -- $(awk -f runs.awk on.s) $(awk -f runs.awk off.s)
        [ "$1" = 0 ] && [ "$2" -gt 20 ] && pass || wrong "$processor $file: with XNACK $1 of $2 loads behind others write what those read"
        apart=$((apart + $3))
    done
done
[ $apart -gt 0 ] && pass || wrong "without XNACK nothing would have to be kept apart"
end_test
