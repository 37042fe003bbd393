#!/bin/sh
# Every handler of a release build must end in a jump to the next op's handler, never in a call: a call would
# grow the host stack with each instruction. tests/tailcalls.sh BINARY; BUILD is where the objects are.
build=${BUILD:-build}
passed=0 failed=0
for o in "$build"/src/device/body_*.o "$build"/src/device/state.o "$build"/src/device/translate_vector.o "$build"/src/device/observe.o; do
    [ -f "$o" ] || continue
    objdump -d --no-show-raw-insn "$o" >"$build/tailcalls.txt"
    # The next op is 48 bytes on, its handler at offset 0; the observer's is the body, at offset 8.
    case $o in *observe.o) offset=0x8 ;; *) offset=0x30 ;; esac
    calls=$(grep -cE "call +\*$offset\(%r" "$build/tailcalls.txt")
    jumps=$(grep -cE 'jmp +\*' "$build/tailcalls.txt")
    if [ "$calls" -gt 0 ]; then
        failed=$((failed + 1))
        echo "$o: $calls handlers call the next instead of jumping:"
        awk -v call="call +[*]$offset[(]" '/^[0-9a-f]+ </ {name = $2} $0 ~ call {print "  " name}' "$build/tailcalls.txt" | sort -u | head -20
    elif [ "$jumps" -gt 0 ]; then passed=$((passed + 1)); fi
done
rm -f "$build/tailcalls.txt"
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ]
