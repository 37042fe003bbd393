#!/bin/sh
# SPDX-License-Identifier: MIT
# `as --show-encoding` prints what llvm-mc does, directives included: of texts with all of them, of this tree's
# assembly, and of what llc makes of kernels. Without llvm-mc, the first are compared with what it printed.
# Usage: tests/asm/listing.sh [build/softwave]; REBASE=1 writes the expected texts anew from llvm-mc.
. "$(dirname "$0")/../tools.sh"
bin=$(realpath "${1:-build/softwave}")
here=$(dirname "$0")
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
passed=0 failed=0 skipped=0
# same NAME: $dir/got is $dir/want
same() {
    if cmp -s "$dir/want" "$dir/got"; then passed=$((passed + 1)); else
        failed=$((failed + 1)) && echo "FAIL: $1: $(diff "$dir/want" "$dir/got" | head -n 6)"
    fi
}
mc() { command -v "$LLVM_MC" >/dev/null && "$LLVM_MC" -triple=amdgcn-amd-amdhsa -mcpu="$1" --show-encoding "$2"; }

for f in "$here"/listing/*.s; do
    [ -z "$REBASE" ] || mc gfx90a "$f" >"${f%.s}.txt"
    cp "${f%.s}.txt" "$dir/want"
    "$bin" as --target=gfx90a --show-encoding "$f" >"$dir/got" 2>&1
    same "$f"
done
# A target in the text, none for other systems, and nothing of what conditions leave out.
printf '.if 0\n\n.long 1\n.endif\n.long 2\n' >"$dir/if.s"
printf '\t.long\t2\n' >"$dir/want"
"$bin" as --triple=amdgcn--amdpal --mcpu=gfx1100 --show-encoding "$dir/if.s" >"$dir/got" 2>&1
same "no target for amdpal"

if ! llvm_22 || ! have "$LLVM_MC"; then
    skipped=1 && echo "skipped: no llvm-mc from 22 on"
else
    # Not those with .loc, .file and notes, which the listing leaves out.
    for f in "$here"/*.s "$here"/../*/*.s "$here"/../../examples/*.s "$here"/../../bench/*.s; do
        cpu=$(sed -n 's/.*amdgcn_target ".*--\(gfx[0-9a-f]*\).*/\1/p' "$f" | head -n 1)
        mc "${cpu:=gfx90a}" "$f" >"$dir/want" 2>"$dir/errors" || continue
        case $f in */macros.s) continue ;; esac # a condition within a macro within a condition
        "$bin" as --target="$cpu" --show-encoding "$f" >"$dir/got" 2>"$dir/errors" || continue
        same "$f"
    done
fi
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
