#!/bin/sh
# SPDX-License-Identifier: MIT
# obj.sh BUILD FILE...: every AMD GPU code object inside the files must be found, extracted and explained, and what
# `softwave obj --json` says of it equal to llvm-readobj's facts: header, sections, program headers, symbols,
# relocations, notes, metadata to the character. LIMIT=N takes N objects a file, evenly spread. Prints the counts;
# fails on the first file with a difference.
set -eu
build=${1:?usage: obj.sh BUILD FILE...}
shift
here=$(dirname "$0")
out=$build/corpus/obj
for file; do
    rm -rf "$out" && mkdir -p "$out/extracted"
    listed=$("$build/softwave" obj --json "$file" | grep -c '"is_device": true')
    "$build/softwave" obj --extract="$out/extracted" "$file" > /dev/null
    find "$out/extracted" -type f | sort > "$out/list"
    count=$(wc -l < "$out/list")
    [ "$listed" -eq "$count" ] || { echo "$file: $listed code objects listed, $count extracted"; exit 1; }
    sed 's/.*-\(gfx[^/]*\)\.co$/\1/' "$out/list" | sort | uniq -c | sed "s/^/$(basename "$file"):/"
    awk -v n="$count" -v limit="${LIMIT:-0}" '!limit || n <= limit || int(NR * limit / n) != int((NR - 1) * limit / n)' "$out/list" |
        xargs -n 100 python3 "$here/obj_facts.py" "$build/softwave" "${LLVM_READOBJ:-llvm-readobj-22}" > "$out/result" || { cat "$out/result"; exit 1; }
    awk -v f="$(basename "$file")" '{ o += $1; n += $3; d += $5 } END { print f ": " o " objects, " n " facts, " d " differ" }' "$out/result"
    rm -rf "$out/extracted"
done
