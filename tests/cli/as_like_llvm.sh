#!/bin/sh
# SPDX-License-Identifier: MIT
# `as` and `dis` as compiler engineers use llvm-mc and llvm-objdump: what they print is the same.
# usage: as_like_llvm.sh [path of softwave]
softwave=$(realpath "${1:-build/softwave}")
passed=0 failed=0 skipped=0
directory=$(mktemp -d) && trap 'rm -r "$directory"' EXIT && cd "$directory" || exit 1
check() { if [ "$2" = "$3" ]; then passed=$((passed + 1)); else failed=$((failed + 1)) && echo "$1: got '$2', expected '$3'"; fi; }
mc=$(for v in $(seq 40 -1 22); do command -v llvm-mc-$v; done | head -1)

# Scalar loads are shown as they were written: null and 0 have the same bytes.
cat > gfx11.s << 'S'
s_load_b64 s[2:3], s[0:1], null
s_load_b64 s[2:3], s[0:1], 0x0
s_load_b64 s[2:3], s[0:1], 0
s_load_b64 s[2:3], s[0:1], s5
s_load_b64 s[2:3], s[0:1], s5 offset:0
s_load_b64 s[2:3], s[0:1], null offset:0
s_load_b64 s[2:3], s[0:1], 16
s_load_b64 s[2:3], s[0:1], s5 offset:16
s_buffer_load_b32 s2, s[4:7], 0
s_buffer_load_b32 s2, s[4:7], null
s_mov_b32 s2, null
s_mov_b32 s2, 0
S
sed 's/_b64 s\[2:3\], s\[0/_dwordx2 s[2:3], s[0/; s/load_b32/load_dword/' gfx11.s > gfx10.s
cp gfx11.s gfx12.s
check 'null' "$("$softwave" as --target=gfx1100 --show-encoding gfx11.s | sed -n '2s/ *;.*//p' | tr -d '\t')" 's_load_b64 s[2:3], s[0:1], null'
check '0' "$("$softwave" as --target=gfx1100 --show-encoding gfx11.s | sed -n '4s/ *;.*//p' | tr -d '\t')" 's_load_b64 s[2:3], s[0:1], 0x0'
check 'null offset:0' "$("$softwave" as --target=gfx1100 --show-encoding gfx11.s | sed -n '7s/ *;.*//p' | tr -d '\t')" 's_load_b64 s[2:3], s[0:1], null offset:0x0'
if [ "$mc" ]; then
    for pair in gfx1030:gfx10 gfx1100:gfx11 gfx1201:gfx12; do
        cpu=${pair%:*} text=${pair#*:}.s
        check "$cpu, as $(basename "$mc")" "$("$softwave" as -triple=amdgcn-amd-amdhsa -mcpu=$cpu -show-encoding "$text")" \
            "$("$mc" -triple=amdgcn-amd-amdhsa -mcpu=$cpu -show-encoding "$text")"
    done
else
    skipped=$((skipped + 3)) && echo 'as_like_llvm.sh: no llvm-mc from 22 on'
fi

# Bytes to text.
printf '[0x01,0x05,0x00,0x06]\n0x01 0x05 0x00 0x06\n# a comment\n[0xff,0x04,0x02,0x06,0x00,0x00,0x80,0x42]\n' > bytes
for how in '' -show-encoding; do
    got=$("$softwave" as -triple=amdgcn-amd-amdhsa -mcpu=gfx1030 -disassemble $how bytes)
    check "-disassemble $how" "$(echo "$got" | sed -n '1s/ *;.*//; 1p' | tr -d '\t')" 'v_add_f32_e32 v0, v1, v2'
    if [ "$mc" ]; then
        check "-disassemble $how, as llvm-mc" "$got" "$("$mc" -triple=amdgcn-amd-amdhsa -mcpu=gfx1030 -disassemble $how bytes)"
    else
        skipped=$((skipped + 1))
    fi
done
"$softwave" as --target=gfx1030 --disassemble - > output 2>&1 << 'H'
[0x01,0x05,0x00,0x06]
[0x01,0xzz]
H
check 'no byte' "$? $(sed -n 's/:.*error//p' output | tail -1)" '2 <stdin>: expected two hexadecimal digits'
echo '[0xff,0xff,0xff,0xff]' | "$softwave" as --target=gfx1030 --disassemble - > output 2>&1
check 'no instruction' "$? $(head -1 output)" '2 <stdin>:1:1: error: these bytes are no instruction of gfx1030'

# --filetype: an object, or the text of another option; never an object in place of text.
echo s_endpgm > end.s
"$softwave" as --target=gfx900 -filetype=asm end.s -o end.text > output 2>&1
check '-filetype=asm alone' "$? $(cat output) $(ls end.text 2> /dev/null)" '4 softwave: error: --filetype=asm: text is written only with --show-encoding or --disassemble '
check '-filetype=asm -show-encoding' "$("$softwave" as --target=gfx900 -filetype=asm -show-encoding end.s | tail -n 1 | cut -f 2 | cut -d ' ' -f 1)" s_endpgm
"$softwave" as --target=gfx900 -filetype=obj end.s -o end.o && check '-filetype=obj' "$(head -c 4 end.o | tail -c 3)" ELF
"$softwave" as --target=gfx900 -filetype=null end.s > output 2>&1
check '-filetype=null' "$?" 1

# Data sections as well.
cat > data.s << 'S'
.text
s_endpgm
.section .rodata,"a"
.long 0x7e000280
S
"$softwave" as --target=gfx900 data.s -o data.o
check 'dis -d' "$("$softwave" dis -d data.o | grep -c rodata)" 0
check 'dis -D' "$("$softwave" dis -D data.o | grep -c 'v_mov_b32_e32 v0, 0\|section .rodata')" 2

echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
