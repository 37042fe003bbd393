#!/bin/sh
# SPDX-License-Identifier: MIT
# `softwave isa` from the outside: what it prints, where, its exit codes, JSON that parses, pages whose links
# all lead somewhere, and every example of its help.
# usage: isa_cli.sh [path of softwave]
softwave=${1:-${SOFTWAVE:-build/softwave}}
scratch=$(mktemp -d)
failed=0 checks=0
trap 'rm -rf "$scratch"' EXIT

# expect STATUS TEXT ARG...: runs `softwave isa ARG...`; TEXT must be in what it prints on either stream.
expect() {
    checks=$((checks + 1))
    status=$1 text=$2
    shift 2
    output=$("$softwave" isa "$@" 2>&1)
    got=$?
    ok=1
    [ $got -eq "$status" ] || ok=0
    case $output in
    *"$text"*) ;;
    *) ok=0 ;;
    esac
    [ $ok -eq 1 ] || { echo "isa $*: exit $got, expected $status with '$text': $(echo "$output" | head -n 5)"; failed=$((failed + 1)); }
}
check() {
    checks=$((checks + 1))
    [ "$2" = "$3" ] || { echo "$1: got '$2', expected '$3'"; failed=$((failed + 1)); }
}

expect 0 '    v_add_u32
      gfx801, gfx802, gfx803, gfx805, gfx810' v_add_co_u32
expect 0 '  VOP2, opcode 0x19, 4 bytes
    | 31 | 30:25  | 24:17 | 16:9 | 8:0  |
    | 0  | 011001 | vdst  | src1 | src0 |' --target=gfx900 v_add_co_u32
expect 0 '    writes vdst      F64      VGPR' --target=gfx90a v_fma_f64
expect 0 'implicit  reads scc, writes -' s_cbranch_scc0
expect 0 'terminator' s_endpgm
expect 0 'executed  yes' v_add_f32
expect 0 'v_add_f32' v_add_f32_e64
expect 0 'VOPDX, opcode 0x4' --target=gfx1100 v_dual_add_f32
expect 0 'memory    32 bits a lane' --target gfx90a global_load_dword
expect 0 'AGPR' --target=gfx90a v_accvgpr_read_b32
expect 0 's_mov_b32                            SOP1 0x' --target=gfx600
expect 0 'v_wmma_f32_16x16x16_f16' --target=gfx1100
expect 0 'usage: softwave isa' --help
expect 2 "no processor has the instruction 'v_ad_f32'; did you mean v_add_f32" v_ad_f32
expect 2 "gfx90a has no instruction 's_movv_b32'; did you mean s_mov_b32" --target=gfx90a s_movv_b32
expect 2 "gfx600 has no instruction 'v_dual_add_f32'" --target=gfx600 v_dual_add_f32
expect 2 "no processor has the instruction ''" ''
expect 2 'no processor has the instruction' "$(head -c 3000 /dev/zero | tr '\0' a)"
expect 1 'unknown processor' --target=gfx999 s_nop
expect 4 'no instructions of cayman' --target=cayman
expect 1 'one NAME at a time' s_nop s_mov_b32
expect 1 '--html takes nothing else' --html="$scratch/x" s_nop
expect 2 'No such file' --html=/nonexistent/folder
check "nothing is listed twice" "$("$softwave" isa | sort | uniq -d | head -n 1)" ''

if command -v python3 >/dev/null; then
    check "JSON of one" "$("$softwave" isa --json v_fma_f32 | python3 -c 'import json,sys; d=json.load(sys.stdin); print(d[0]["id"], d[0]["operands"][0]["type"], d[0]["executed"])')" 'v_fma_f32 F32 True'
    check "JSON of a target" "$("$softwave" isa --json --target=gfx942 | python3 -c 'import json,sys; print(len(json.load(sys.stdin)) > 800)')" True
fi

# No part of a picture reaches beyond its word.
check "parts that reach beyond their word" "$("$softwave" isa --json --target=gfx1030 | awk '/"low":/ {gsub(/,/, ""); low = $2} /"width":/ {gsub(/,/, ""); if (low + $2 > 32) bad++} END {print bad + 0}')" 0

"$softwave" isa --html="$scratch/pages"
check "--html" $? 0
check "a page for each processor and group" "$([ "$(ls "$scratch/pages" | wc -l)" -gt 70 ] && echo yes)" yes
check "no unfinished file" "$(ls "$scratch/pages" | grep -vc '\.html$')" 0
check "links that lead nowhere" "$(cd "$scratch/pages" && cat ./*.html | grep -o 'href="[^"#]*' | sed 's/href="//' | sort -u | while read -r f; do [ -f "$f" ] || echo "$f"; done)" ''
check "anchors that lead nowhere" "$(cd "$scratch/pages" && grep -ho 'href="[^"]*#[^"]*' gfx90a.html gfx1100.html gfx600.html | sed 's/href="//' | sort -u >../links; grep -o 'id="[^"]*' ./*.html | sed 's/^\.\///; s/:id="/#/' | sort -u >../anchors; comm -23 ../links ../anchors | head -n 3)" ''

# The examples of the help run.
"$softwave" isa --help | sed -n '/^examples:/,$s/^  softwave isa/isa/p' >"$scratch/examples"
check "examples" "$([ "$(wc -l <"$scratch/examples")" -ge 4 ] && echo yes)" yes
binary=$(cd "$(dirname "$softwave")" && pwd)/$(basename "$softwave")
while read -r line; do
    (cd "$scratch" && eval "\"$binary\" $line" >/dev/null 2>&1)
    check "example: $line" $? 0
done <"$scratch/examples"
echo "$((checks - failed)) passed, $failed failed, 0 skipped"
[ $failed -eq 0 ]
