#!/bin/sh
# Vector code of the levels above v2 uses upper halves of registers that code for any x86-64 must not find in use:
# some hosts then take 190 ns for each instruction of that code. So whatever bodies call must be of their own level,
# or come right behind a vzeroupper; and so must the return to whoever entered them.
# What they end in by a jump returns there, and libc's functions on blocks of memory look after themselves.
# tests/device/uppers.sh BINARY; BUILD is where the objects are.
build=${BUILD:-build}
passed=0 failed=0 skipped=0
for o in "$build"/src/exec/body/*.v[34].o; do
    [ -f "$o" ] || continue
    level=${o%.o} level=${level##*.}
    bad=$(objdump -dr --no-show-raw-insn "$o" | awk -v level="_$level" '
        /^[0-9a-f]+ </ { name = $2; clean = 0; next }
        /R_X86_64_(PLT32|PC32|GOTPCRELX|REX_GOTPCRELX)/ {
            callee = $NF; sub(/[-+]0x[0-9a-f]*$/, "", callee)
            if (called && !was_clean && callee !~ level "$" && callee !~ /^(mem|[.]text|wave_fault)/ && callee !~ /^[.]/) print "  " name " calls " callee
            called = 0; next
        }
        { called = 0 }
        /vzeroupper/ { clean = 1 }
        /[ \t]call +/ { called = 1; was_clean = clean; clean = 0 }
        /%[yz]mm/ { clean = 0 }
        /^ +[0-9a-f]+:.*ret/ && name ~ /<(enter|leave)>/ && !clean { print "  " name " returns" }
    ')
    if [ -n "$bad" ]; then
        failed=$((failed + 1))
        echo "$o: upper halves of registers may be in use where"
        echo "$bad"
    else passed=$((passed + 1)); fi
done
[ $((passed + failed)) -gt 0 ] || skipped=1
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
