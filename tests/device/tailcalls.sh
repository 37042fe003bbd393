#!/bin/sh
# Every handler of a release build must go on by a jump to the next op's handler, never by a call: a call
# would grow the host stack with each instruction. tests/device/tailcalls.sh BINARY; BUILD is where the objects are.
build=${BUILD:-build}
passed=0 failed=0
for o in "$build"/src/exec/body/*.o "$build"/src/sched/state.o "$build"/src/exec/decode/vector.o "$build"/src/watch/observe.o; do
    [ -f "$o" ] || continue
    # The next op is 48 bytes on, its handler at offset 0; the observer goes to the body, at offset 8. (A
    # handler that jumps may also call through a table at that offset.)
    case $o in *observe.o) offset=0x8 ;; *) offset=0x30 ;; esac
    result=$(objdump -d --no-show-raw-insn "$o" | awk -v at="[*]$offset[(]%r" '
        function finish() { if (jumps) good++; else if (calls) print "  " name }
        /^[0-9a-f]+ </ { finish(); name = $2; calls = jumps = 0 }
        $0 ~ "call +" at && !/[(]%rsp[)]/ { calls++ } # that would be a spilled pointer
        /jmp +[*]/ { jumps++ }
        END { finish(); print "good " good + 0 }')
    bad=$(echo "$result" | grep -v '^good')
    if [ -n "$bad" ]; then
        failed=$((failed + 1))
        echo "$o: these call the next handler instead of jumping to it:"
        echo "$bad"
    elif [ "$(echo "$result" | sed -n 's/^good //p')" -gt 0 ]; then passed=$((passed + 1)); fi
done
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ]
