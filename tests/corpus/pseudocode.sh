#!/bin/sh
# Every row that a manual describes, on every processor that has it, against the manual's pseudo-code, which
# lies in PSEUDOCODE=DIR (isa-pseudocode-{cdna,rdna3,rdna4}.json, manuals/cdna5.md.gz). Usage: tests/corpus/pseudocode.sh BUILD
build=$1
log=$build/logs/pseudocode.log
mkdir -p "$build/logs"
if [ ! -f "$PSEUDOCODE/isa-pseudocode-cdna.json" ]; then
    echo "skipped: no manuals in PSEUDOCODE=${PSEUDOCODE:-(not set)}"
    echo "pseudo-code: 0 passed, 0 failed, 1 skipped"
    exit 0
fi
"$build/pseudocode" "$PSEUDOCODE" --all --trials="${TRIALS:-12}" >"$log"
status=$?
tail -n 5 "$log"
[ $status = 0 ] || { grep -m 40 ': manual\|PC: \|no operands' "$log"; echo "pseudo-code: 0 passed, 1 failed, 0 skipped"; exit 1; }
echo "pseudo-code: 1 passed, 0 failed, 0 skipped"
