#!/bin/sh
# SPDX-License-Identifier: MIT
# The commands on the R600 family from the outside. usage: cli.sh [path of softwave]
. "$(dirname "$0")/../command.sh"
cat > double.s << 'S'
; out[i] = 2 * in[i]
double:
    .lds 16
ALU: KCACHE0(CB0:0-31)
    0 t: MULLO_INT R2.x, R1.x, KC0[1].z
    1 x: ADD_INT R2.x, PS, R0.x
    2 x: LSHL_INT R2.x, PV.x, (2)
    3 x: ADD_INT R3.x, PV.x, KC0[2].y
      y: ADD_INT R5.y, PV.x, KC0[2].z
    4 x: LSHR_INT R5.x, R5.y, (2)
TC:
    VFETCH R4.x___, R3.x, b1 FORMAT(32) NUM_FORMAT(INT)
ALU:
    0 x: ADD_INT R4.x, R4.x, R4.x
MEM_RAT_CACHELESS: STORE_RAW, RAT(0)[R5], R4.x___ TYPE(1) END_OF_PROGRAM
S
expect 0 '' as --target=redwood double.s -o double.o
printf 'f:\nCF_END\n' > end.s
expect 0 '' as --target=aruba end.s -o aruba.o
expect 0 'SQ_PGM_RESOURCES_LS NUM_GPRS(6)' obj double.o
expect 0 'SQ_LDS_ALLOC SIZE(4)' obj double.o
expect 0 'MEM_RAT_CACHELESS: STORE_RAW, RAT(0)[R5], R4.x___ END_OF_PROGRAM TYPE(1)' dis double.o
expect 0 'VTX_READ_32 T4.X, T3.X, 0, #1' dis --llvm double.o
expect 0 '@1: 0 2 4 6' run double.o -g 128 -b 64 buf:512,fill=i32:iota buf:512,show=i32:4
expect 0 '@1: 0 2 4 6' run --target=cypress -g 64 -b 64 double.s buf:256,fill=i32:iota buf:256,show=i32:4
expect 3 'outside of every buffer' run double.o -g 128 -b 64 buf:512 buf:256
printf 'f:\nNOP END_OF_PROGRAM\n' > nothing.s
expect 4 'rv770 has no compute stage' run --target=rv770 -g 64 nothing.s
expect 1 'whole work-groups' run double.o -g 100 -b 64 buf:512 buf:512
expect 1 'are not for the R600 family' run --stats double.o -g 64 buf:512 buf:512
expect 0 'fidelity: LSHL_INT is unsure: amounts beyond 31' run --fidelity double.o -g 64 buf:512 buf:512
printf 'f:\n.L0:\nJUMP ADDR(.L0) COND(FALSE)\nNOP END_OF_PROGRAM\n' > loop.s
expect 3 'stopped after 5000 control-flow instructions' run --target=cypress --limit 5000 -g 64 loop.s
expect 3 'stopped after 0.05 seconds' run --target=cypress --timeout 0.05 -g 64 loop.s
printf 'f:\nALU:\n0 x: MOV R0.x, PV.x\nNOP END_OF_PROGRAM\n' > pv.s
expect 0 '' run --target=cypress -g 64 pv.s
expect 3 'PV.x is read, which the group before did not write' run --strict --target=cypress -g 64 pv.s
expect 1 '--limit is for the R600 family' run --limit 5 --target=gfx900 -g 64 pv.s
printf 'f:\nMEM_RAT: ADD_RTN, RAT(3)[R0], R0\nJUMPTABLE COND(FALSE)\n' > rat.s
expect 4 'JUMPTABLE: how its table is laid out is not known' run --target=cypress -g 64 rat.s --buffer rat3=256,show=u32:4
expect 4 'fidelity: JUMPTABLE is unsupported: how its table' run --fidelity --target=cypress -g 64 rat.s --buffer rat3=256
printf 'f:\nMEM_RAT: ADD_RTN, RAT(3)[R0], R0 END_OF_PROGRAM\n' > rat.s
expect 0 'rat3: 0 1 2 3' run --target=cypress -g 64 rat.s --buffer rat3=256,show=u32:4
expect 3 'RAT 3 is not there' run --target=cypress -g 64 rat.s
expect 2 "no kernel 'frob'" run -k frob double.o -g 64 buf:512 buf:512
"$softwave" dis double.o > again.s && "$softwave" as --target=redwood again.s -o again.o
if cmp -s double.o again.o; then passed=$((passed + 1)); else failed=$((failed + 1)) && echo "another object"; fi
printf '05 00 00 00 01 00 80 82' > jump.txt
expect 0 '0000 JUMP ADDR(5) POP_CNT(1)' dis --hex --target=redwood jump.txt
expect 2 'expected two hexadecimal digits' dis --hex --target=redwood double.s
expect 1 'is for the R600 family' dis --llvm --hex --target=gfx900 jump.txt
expect 0 'cayman' obj aruba.o
cat > cayman.s << 'S'
f:
VC: ADDR(1) CNT(1)
S
expect 2 'cayman has no VC' as --target=cayman -o x.o cayman.s
expect 1 'is not for the R600 family' as --target=cypress --show-encoding double.s
expect 0 'R0.x = 0x3f800000 (1) in all lanes' eval --target=rv770 'x: MUL_e*2_sat R0.x, R1.x, C3.y' R1.x=f32:4 C3.y=f32:0.5
expect 0 'R0.y = 0x3e800000 (0.25) in all lanes' eval --target=r600 'x: NOP ____; t: RCP_e R0.y, R1.x' R1.x=f32:4
expect 0 'killed = 0x0000000000000006' eval --target=cedar 'x: KILLGT ____, R1.x, 1.0' 'R1.x=f32:[1,2,3]'
expect 4 'SET_MODE: what its sources mean is not known' eval --target=cedar 'x: SET_MODE R0.x, R0.x, R0.x'
expect 0 'R1.y = 0x00000002' eval --target=rv770 '.texture t3 WIDTH(20) HEIGHT(5) FORMAT(8) LEVELS(3)' \
    'GET_TEXTURE_INFO R1, R0.xxxx, t3, s0' R0.x=1
expect 0 'R3.x = 0x40800000 (4), 0x40800000 (4)' eval --target=cypress 'x: MUL_e R2.x, R0.x, (2.0)' \
    'GET_GRADIENTS_H R1.x___, R2, t0, s0' 'x: ADD R3.x, R1.x, R1.x' 'R0.x=f32:[1,2,3,4]'
expect 1 'an instruction is missing' eval --target=cypress '.bool 1' R0.x=1
expect 2 "no operation 'FROB'" eval --target=cedar 'x: FROB R0.x'
expect 1 'is no register that can be set' eval --target=cedar 'x: NOP ____' s0=1
# A kernel that loads from a texture, whose resource its text states.
cat > texture.s << 'S'
load:
    .texture t3 WIDTH(4) FORMAT(32) NUM_FORMAT(INT) ADDRESS(0x40000)
TC:
    LD R3.x___, R0.x000, t3, s0
ALU: KCACHE0(CB0:0-31)
    0 x: LSHR_INT R2.x, KC0[2].y, (2)
    1 x: ADD_INT R2.x, PV.x, R0.x
MEM_RAT_CACHELESS: STORE_RAW, RAT(0)[R2], R3.x___ TYPE(1) END_OF_PROGRAM
S
expect 0 '@0: 0 1 2 3' run --target=cypress -g 4 -b 4 texture.s --buffer t=16,fill=i32:iota,at=0x40000 buf:16,show=i32
expect 3 'texel 0, 0 of slice 0 is at 0x40000, outside of every buffer' run --target=cypress -g 4 -b 4 texture.s buf:16
expect 0 '' as --target=cypress texture.s -o texture.o
expect 0 'SQ_TEX_RESOURCE_WORD7_819 DATA_FORMAT(13) TYPE(2)' dis texture.o
# Pictures. The one of the help, in bytes and in floats; one with a texture, a fetch shader and indices.
example=$(dirname "$softwave")/../examples/picture.s
[ -f "$example" ] || example=$here/../../examples/picture.s
expect 0 '65536 of 256x256 pixels drawn' draw --target=cypress --size=256,256 -o a.ppm quads,4 "$example"
expect 0 '4 of 2x2 pixels drawn' draw --target=barts quads,4 "$example" --size=2,2 --out=b.pfm
expect 0 '3 of 2x2 pixels drawn' draw --target=barts --size=2,2 strip,3 "$example"
same() { # TEXT WHAT
    if [ "$1" = "$2" ]; then passed=$((passed + 1)); else failed=$((failed + 1)) && echo "'$1', expected '$2'"; fi
}
same "$(wc -c < a.ppm) $(head -c 14 a.ppm | tr '\n' ' ')" "196623 P6 256 256 255"
# The same picture as PNG, read by Python's zlib alone.
expect 0 '65536 of 256x256 pixels drawn' draw --target=cypress --size=256,256 -o a.png quads,4 "$example"
if command -v python3 > /dev/null; then
    same "$(python3 -c '
import struct, sys, zlib
png, ppm = open("a.png", "rb").read(), open("a.ppm", "rb").read()
assert png[:8] == b"\x89PNG\r\n\x1a\n"
at, data = 8, b""
while at < len(png):
    n, kind = struct.unpack(">I4s", png[at:at + 8])
    body = png[at + 8:at + 8 + n]
    assert struct.unpack(">I", png[at + 8 + n:at + 12 + n])[0] == zlib.crc32(kind + body), kind
    if kind == b"IHDR": width, height, depth, colour = struct.unpack(">IIBB", body[:10])
    if kind == b"IDAT": data += body
    at += 12 + n
raw = zlib.decompress(data)
rows = b"".join(raw[y * (3 * width + 1) + 1:(y + 1) * (3 * width + 1)] for y in range(height))
print(width, height, depth, colour, rows == ppm[-len(rows):])')" "256 256 8 2 True"
else
    skip 'no python3: a picture as PNG'
fi
same "$(tail -c 48 b.pfm | od -An -v -t f4 -w4 | head -2 | tr -s ' \n' ' ')" " 0.25 0.25 "
cat > textured.s << 'S'
vs:
    .stage vertex
    .buffer f0 ADDRESS(0x10000) SIZE(64) STRIDE(16) FORMAT(32_32_32_32_FLOAT) FORMAT_COMP
CALL_FS
EXP_DONE: POS0, R1
EXP_DONE: PARAM0, R1.zw01 END_OF_PROGRAM
fs:
    .stage vertex
TC:
    VFETCH R1, R0.x, b160 USE_CONST_FIELDS
RETURN
ps:
    .stage pixel
TC:
    SAMPLE R0, R0.xy__, t2, s1
ALU: KCACHE0(CB0:0-15)
    0 x: MUL_e R0.x, R0.x, KC0[0].x
EXP_DONE: PIX0, R0 END_OF_PROGRAM
S
sed -i 's/PARAM0, R1.zw01/PARAM0, R2/; s/USE_CONST_FIELDS/&\n    VFETCH R2, R0.x, b161 USE_CONST_FIELDS/; s/^CALL_FS/    .buffer f1 ADDRESS(0x10100) SIZE(64) STRIDE(16) FORMAT(32_32_32_32_FLOAT) FORMAT_COMP\n&/' textured.s
cat > state.s << 'S'
state:
    .stage pixel
    .texture t2 WIDTH(2) HEIGHT(2) FORMAT(32_FLOAT) ADDRESS(0x10200) SEL(xxx1)
    .sampler s1 CLAMP_X(LAST_TEXEL) CLAMP_Y(LAST_TEXEL)
S
floats() { # numbers as little-endian F32
    for number; do
        case $number in
        -1) printf '\0\0\200\277' ;;
        0) printf '\0\0\0\0' ;;
        1) printf '\0\0\200\77' ;;
        2) printf '\0\0\0\100' ;;
        3) printf '\0\0\100\100' ;;
        4) printf '\0\0\200\100' ;;
        *) echo "floats: $number" >&2 ;;
        esac
    done
}
floats -1 1 0 1 1 1 0 1 1 -1 0 1 -1 -1 0 1 > corners.bin
floats 0 0 0 1 1 0 0 1 1 1 0 1 0 1 0 1 > places.bin
floats 1 2 0 0 0 0 0 0 3 4 > texels.bin
for index in 0 1 2 0 2 3; do printf "\\$index\0\0\0"; done > order.bin
draw="draw --target=rv770 --size=2,2 --vertex=vs --fetch=fs --pixel=ps triangles,6"
expect 0 '4 of 2x2 pixels drawn' $draw -o c.pfm --state=state.s --indices=order --buffer order=24,in=order.bin \
    --buffer v=64,in=corners.bin,at=0x10000 --buffer p=64,in=places.bin,at=0x10100 --buffer t=40,in=texels.bin,at=0x10200 \
    textured.s 'f32:[0.5,0,0,0]'
same "$(tail -c 48 c.pfm | od -An -v -t f4 -w12 | awk '{print $1 "," $2}' | tr '\n' ' ')" "1.5,3 2,4 0.5,1 1,2 "
expect 3 'resource 2 is no texture' $draw --indices=order --buffer order=24,in=order.bin --buffer v=64,in=corners.bin,at=0x10000 \
    --buffer p=64,in=places.bin,at=0x10100 textured.s f32:1
expect 1 'buffers lie at the same addresses' $draw --buffer v=64,at=0x10000 --buffer p=64,at=0x10000 textured.s
expect 1 'what is drawn is triangles, strip, fan or quads' draw --target=barts lines,2 "$example"
expect 1 '--size takes two numbers' draw --target=barts quads,4 --size=0,2 "$example"
expect 1 'ends in .png, .ppm or .pfm' draw --target=barts quads,4 -o a.jpg "$example"
expect 1 'names no buffer' draw --target=barts quads,4 --indices=x "$example"
expect 1 'has 1 numbers, for 4 vertices' draw --target=barts quads,4 --buffer x=4 --indices=x "$example"
expect 2 "no kernel 'frob'" draw --target=barts quads,4 --pixel=frob "$example"
expect 1 'several vertex shaders; which one?' draw --target=rv770 quads,4 textured.s
expect 1 'at= needs a multiple of 256' draw --target=barts quads,4 --buffer x=4,at=1 "$example"
expect 0 'rings: fidelity: ' draw --fidelity --target=barts quads,4 --vertex=corners --pixel=rings "$example"
expect 1 'needs --vertex and --pixel' draw --fidelity --target=barts quads,4 "$example"
expect 1 'needs what is drawn' draw --target=barts
printf 's_endpgm\n' > gcn.s
expect 4 'no program of the R600 family' draw --target=gfx900 quads,4 gcn.s
expect 2 'state holds no code' draw --target=cypress quads,4 --state="$example" "$example"
finish
