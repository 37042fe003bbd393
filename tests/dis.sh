#!/bin/sh
# SPDX-License-Identifier: MIT
# `softwave dis` from the outside: hexadecimal text, features, data and why it is data, bad input.
# usage: dis.sh [path of softwave]
softwave=${1:-build/softwave}
passed=0 failed=0
expect() { # STATUS INPUT OUTPUT ARG...: the whole of both streams
    status=$1 input=$2 text=$3
    shift 3
    output=$(printf '%s\n' "$input" | "$softwave" dis --hex "$@" - 2>&1)
    got=$?
    if [ $got -eq "$status" ] && [ "$output" = "$text" ]; then passed=$((passed + 1)); else
        failed=$((failed + 1))
        echo "dis $*: '$input': exit $got, expected $status with '$text', got '$output'"
    fi
}

expect 0 '02 03 04 06' 'v_add_f32_e32 v2, v2, v1' --target=gfx1100
expect 0 '[0x80,0x00,0x80,0xbe]' 's_mov_b32 s0, 0' --target=gfx900
expect 0 '010001d500000200' 'v_cndmask_b32_e64 v1, s0, v0, s[0:1]' --target=gfx1030 --wave=64
expect 0 '010001d500000200' 'v_cndmask_b32_e64 v1, s0, v0, s0' --target=gfx1030
expect 0 'ffffffff' '.long 0xffffffff' --target=gfx900
expect 0 'ffffffff' '.long 0xffffffff ; no instruction has this encoding' --target=gfx900 --reasons
expect 0 'ff0280be' '.long 0xbe8002ff ; the code ends within the instruction' --target=gfx900 --reasons
expect 0 'f9f9ff7f 00000000' '.long 0x7ffff9f9 ; no instruction has this encoding
v_cndmask_b32_e32 v0, s0, v0, vcc' --target=gfx900 --reasons
expect 0 '017ffdbf' '.long 0xbffd7f01 ; no instruction has this encoding' --target=gfx900 --reasons
expect 0 '0102' '.byte 0x01 ; the code ends within the instruction
.byte 0x02 ; the code ends within the instruction' --target=gfx900 --reasons
# Bytes that crash LLVM 22's disassembler.
for target in gfx803 gfx900 gfx1030; do
    printf '9b f5 99 ea 39 3f 69 ff\n' | "$softwave" dis --hex --target=$target - > /dev/null 2>&1
    if [ $? -eq 0 ]; then passed=$((passed + 1)); else
        failed=$((failed + 1))
        echo "9b f5 99 ea 39 3f 69 ff on $target"
    fi
done
"$softwave" dis --hex --target=gfx900 - < /dev/null > /dev/null 2>&1 && passed=$((passed + 1)) || failed=$((failed + 1))
for bad in 'zz' '123' '1 2'; do
    if printf '%s\n' "$bad" | "$softwave" dis --hex --target=gfx900 - > /dev/null 2>&1 || [ $? -ne 2 ]; then
        failed=$((failed + 1))
        echo "'$bad' is taken"
    else passed=$((passed + 1)); fi
done

echo "$passed passed, $failed failed, 0 skipped"
[ $failed -eq 0 ]
