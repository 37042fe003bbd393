#!/bin/sh
# Every id that a header, a source or a line of the device tests cites has a line in doc/facts.md, or a section
# in doc/errata.md; no id has two.
# usage: facts_cited.sh (from the root of the tree)
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
ids() { grep -rhoE '\b[A-Z][A-Z0-9]*-[0-9]{2,3}\b' "$@" | grep -v '^GFX' | sort -u; }
{
    sed -nE 's/^- ([A-Z][A-Z0-9]*-[0-9]+) .*/\1/p' doc/facts.md
    sed -nE 's/^## (ERR-[0-9]+) .*/\1/p' doc/errata.md
} | sort >"$work/known"
ids include src tests/device/*.txt doc/facts.md >"$work/cited"
failed=0
for id in $(comm -23 "$work/cited" "$work/known"); do
    echo "$id has no line in doc/facts.md or doc/errata.md; cited in:"
    grep -rlwe "$id" include src tests/device/*.txt doc/facts.md | sed 's/^/    /'
    failed=$((failed + 1))
done
for id in $(uniq -d "$work/known"); do
    echo "$id stands twice"
    failed=$((failed + 1))
done
cited=$(wc -l <"$work/cited")
[ "$cited" -gt 500 ] || { echo "only $cited ids are cited: the search is broken" && failed=$((failed + 1)); }
echo "$((cited - failed)) passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ]
