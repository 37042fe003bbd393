#!/bin/sh
# SPDX-License-Identifier: MIT
# objects.sh BUILD FILE...: every AMD GPU code object inside the files (libraries, bundles, code objects) through
# llvm-objdump and `softwave dis`; the texts must be equal but for spacing. LIMIT=N takes N objects a target,
# evenly spread. Prints counts per target and fails on the first difference of any object.
set -eu
build=${1:?usage: objects.sh BUILD FILE...}
shift
here=$(dirname "$0")
objdump=${LLVM_OBJDUMP:-llvm-objdump-22}
out=$build/corpus/objects
mkdir -p "$out"
${CC:-cc} -O2 -o "$out/same_text" "$here/same_text.c"
mkfifo "$out/left" "$out/right" 2> /dev/null || true
status=0
for file; do
    rm -rf "$out/extracted"
    mkdir -p "$out/extracted"
    "$build/softwave" obj "$file" --extract "$out/extracted" > /dev/null
    find "$out/extracted" -type f | sort > "$out/list"
    # The target is the last part of an extracted file's name.
    sed 's/.*-\(gfx[^/]*\)\.co$/\1/' "$out/list" | sort | uniq -c | while read -r count target; do
        grep -- "-$target\.co\$" "$out/list" |
            awk -v n="$count" -v limit="${LIMIT:-0}" '!limit || n <= limit || int(NR * limit / n) != int((NR - 1) * limit / n)' > "$out/chosen"
        wave=
        case $target in gfx1[0-9][0-9][0-9]*) wave=--wave=32 ;; esac   # as llvm-objdump assumes (ERR-06)
        objects=0 equal=0 bad=0
        while read -r object; do
            $objdump -d "$object" > "$out/left" 2> /dev/null &
            "$build/softwave" dis $wave "$object" > "$out/right" &
            "$out/same_text" "$out/left" "$out/right" > "$out/result" || { bad=$((bad + 1)); echo "$object"; cat "$out/result"; }
            wait
            objects=$((objects + 1))
            equal=$((equal + $(awk 'END { print $1 }' "$out/result")))
        done < "$out/chosen"
        echo "$(basename "$file") $target: $objects of $count objects, $equal lines equal, $bad objects differ"
        [ "$bad" = 0 ]
    done || status=1
    rm -rf "$out/extracted"
done
exit $status
