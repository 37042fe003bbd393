#!/bin/sh
# The lists of operations with a stencil (hot.h) and without a piece (rare.h) name bodies, each in one list; and each
# operation of hot.h has a stencil.
# usage: stencils.sh BINARY; BUILD is where the objects are
build=${BUILD:-build}
body=src/exec/body
work=$(mktemp -d) && trap 'rm -r "$work"' EXIT
failed=0
sed -n 's/^#define HAS_STENCIL_\([a-z0-9_]*\) .*/\1/p' $body/hot.h | sort >"$work/hot"
sed -n 's/^#define NO_PIECE_\([a-z0-9_]*\) .*/\1/p' $body/rare.h | sort >"$work/rare"
"${NM:-nm}" "$build"/$body/*.o | sed -n 's/.* body_\(.*\)_\(v[234]\|plain\)$/\1/p' | sort -u >"$work/bodies"
check() { # check FILE WHAT: lines of the file are what is wrong
    wrong=$(wc -l <"$1")
    failed=$((failed + wrong))
    sed "s|\$|: $2|" "$1"
}
comm -23 "$work/hot" "$work/bodies" >"$work/wrong" && check "$work/wrong" "in hot.h, but no body"
comm -23 "$work/rare" "$work/bodies" >"$work/wrong" && check "$work/wrong" "in rare.h, but no body"
comm -12 "$work/hot" "$work/rare" >"$work/wrong" && check "$work/wrong" "in hot.h and rare.h"
for names in "$build"/stencils_v*.names; do
    [ -f "$names" ] || continue
    while read -r name; do grep -q " ${name}_[vs]*\$" "$names" || echo "$name"; done <"$work/hot" >"$work/wrong"
    check "$work/wrong" "without a stencil in $names"
done
passed=$(($(cat "$work/hot" "$work/rare" | wc -l) - failed))
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
