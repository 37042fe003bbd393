#!/bin/sh
# SPDX-License-Identifier: MIT
# `softwave targets` from the outside: what it prints, where, and its exit codes.
# usage: targets.sh [path of softwave]
. "$(dirname "$0")/../command.sh"
subcommand=targets

expect 0 'gfx803           0x2a  dGPU  fiji, polaris10, polaris11'
expect 0 'gfx9-4-generic   0x5f  -     version 1'
expect 0 '"name": "cayman"' --json
expect 0 'gfx803: GCN GFX8 (Volcanic Islands), amdgcn, dGPU' polaris10
expect 0 'covered by          gfx9-generic since version 1' gfx906
expect 0 'gfx900 (1), gfx902 (1), gfx904 (1), gfx906 (1), gfx909 (1), gfx90c (1)' gfx9-generic
expect 0 'canonical      gfx90a:sramecc-:xnack+' gfx90a:xnack+:sramecc-
expect 0 'e_flags V4     0xb3f' gfx90a:xnack+:sramecc-
expect 0 'e_flags V3     0x13f  gfx90a+xnack' amdgcn-amd-amdhsa--gfx90a:xnack+:sramecc-
expect 0 '"V6": 16777553' --json amdgcn-amd-amdhsa--gfx9-generic
expect 0 'canonical      gfx906:sramecc-:xnack+' --v3 gfx906+xnack
expect 0 'bundle entry   hip-amdgcn-amd-amdhsa--gfx906+xnack' hip-amdgcn-amd-amdhsa--gfx906+xnack
expect 0 'host-x86_64-unknown-linux-- (host code)' host-x86_64-unknown-linux
expect 0 '  3  Local                   group     LDS       32 bits  null 0xffffffff' --address-spaces
expect 0 '"hsa_segment": "group"' --address-spaces --json
expect 0 'usage: softwave targets' --help
expect 2 "error: unknown processor 'gfx999'" gfx999
expect 2 "error: gfx1030 has no feature 'xnack'" gfx1030:xnack+
expect 2 "error: unknown offload kind 'hipv5'" hipv5-amdgcn-amd-amdhsa--gfx900
expect 1 'more than two processors' gfx900 gfx906 gfx908
expect 0 'ISA version         10.3.0                  11.0.0' gfx1030 gfx1100
expect 0 'compute units       72                      96' gfx1030 'RX 7900 XTX'
expect 1 'compared as text alone' --json gfx900 gfx906
expect 1 "'gfx906:xnack+' is a target id" gfx906:xnack+ gfx900
expect 2 "unknown processor 'gfx999'" gfx900 gfx999
expect 4 'cayman is of the R600 family' gfx900 cayman
expect 1 '--address-spaces takes no processor' --address-spaces gfx900
expect 1 'unknown option' --nonsense

count=$("$softwave" targets --json | grep -c '^    "name": ')
rows=$(grep -c '{\.name = "' "$here/../../src/target/processors.c")
if [ "$count" -eq "$rows" ]; then passed=$((passed + 1)); else failed=$((failed + 1)) && echo "targets --json lists $count processors of $rows"; fi

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
# Two processors: exactly the instructions that `softwave isa` has for one and not for the other, and their number.
check_alone() {
    "$softwave" targets "$1" "$2" | awk -v of="of $3 alone: " 'index($0, of) {on = 1; sub(/.*: /, ""); print "count", $0; next}
        /^$/ || /^  [^ ]/ {on = 0} on {gsub(/,/, ""); for (i = 1; i <= NF; i++) print $i}' >"$tmp/shown"
    sed -n 's/^count //p' "$tmp/shown" >"$tmp/count"
    grep -v '^count' "$tmp/shown" | sort -u >"$tmp/names"
    wrong=$(while read -r name; do
        "$softwave" isa --target="$3" "$name" >/dev/null 2>&1 || echo "$name: not on $3"
    done <"$tmp/names" | head -3)
    if [ -s "$tmp/names" ] && [ -z "$wrong" ] && [ "$(grep -vc '^count' "$tmp/shown")" -eq "$(cat "$tmp/count")" ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1)) && echo "targets $1 $2: of $3 alone: $wrong"
    fi
}
check_alone gfx900 gfx906 gfx906
check_alone gfx90a gfx908 gfx90a
# What is the same is not shown.
same=$("$softwave" targets gfx1030 gfx1031 | wc -l)
if [ "$same" -le 3 ]; then passed=$((passed + 1)); else failed=$((failed + 1)) && echo "gfx1030 and gfx1031 differ in $same lines"; fi
finish
