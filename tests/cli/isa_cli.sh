#!/bin/sh
# SPDX-License-Identifier: MIT
# `softwave isa` from the outside: what it prints, where, its exit codes, JSON that parses, pages whose links
# all lead somewhere.
# usage: isa_cli.sh [path of softwave]
softwave=${1:-${SOFTWAVE:-build/softwave}}
scratch=$(mktemp -d)
failed=0 checks=0 skipped=0
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
      GFX8' v_add_co_u32
expect 0 '    v_add_f32
      GFX6 to GFX12' v_add_f32
expect 0 'GFX6, GFX7, GFX10 to GFX12' v_add_f32
expect 0 'GFX9 (CDNA 3), GFX9 (CDNA 4)' global_load_lds_dword
expect 0 'gfx906' v_dot8_i32_i4
expect 0 '  Adds two 32-bit floats.

    D.f32 = S0.f32 + S1.f32' v_add_f32
expect 0 '    for i in 0 to 3 {
        n = S2.u8[i]' v_perm_b32
expect 0 '  VOP2, opcode 0x19, 4 bytes
    | 31 | 30:25  | 24:17 | 16:9 | 8:0  |
    | 0  | 011001 | vdst  | src1 | src0 |' --target=gfx900 v_add_co_u32
expect 0 '    writes vdst      F64      VGPR' --target=gfx90a v_fma_f64
expect 0 'implicit  reads scc, writes -' s_cbranch_scc0
expect 0 'selected  as add(a, b); scc = ucarry(a, b)' s_add_u32
expect 0 'terminator' s_endpgm
expect 0 'executed  yes' v_add_f32
expect 0 'executed  yes: it faults, as it must' v_illegal
expect 0 'executed  yes' export
expect 0 'executed  approximately, within 0.' v_exp_f32
expect 0 'executed  approximately: where hardware rounds inside a sum' v_mfma_f32_4x4x1f32
expect 0 '
approximate: hardware reads tables that are not published
    v_' --fidelity
expect 0 '
unsupported: ' --fidelity
expect 0 'GFX6 to GFX12' --fidelity v_sin_f32
expect 0 'operations                          exact  approximate  unsupported
Vector arithmetic                       1            0            0
all                                     1            0            0' --fidelity v_add_f32
expect 0 'approximate: the host' --fidelity --target=cayman
expect 0 '    v_mfma_f32_16x16x4f32' --fidelity --target=gfx908
expect 2 "gfx908 has no instruction 'v_dual'" --fidelity --target=gfx908 v_dual
expect 1 '--fidelity excludes --search' --fidelity --search=fma
expect 1 'takes no NAME' --fidelity --target=cayman MUL
expect 0 'v_add_f32' v_add_f32_e64
expect 0 'VOPDX, opcode 0x4' --target=gfx1100 v_dual_add_f32
expect 0 'does two operations at once: this one as its first (X) half' v_dual_add_f32
expect 0 'memory    32 bits a lane' --target gfx90a global_load_dword
expect 0 'AGPR' --target=gfx90a v_accvgpr_read_b32
expect 0 's_mov_b32                        Copies a value.' --target=gfx600
expect 0 'v_wmma_f32_16x16x16_f16' --target=gfx1100
expect 0 'usage: softwave isa' --help
expect 2 "no processor has the instruction 'v_ad_f32'; did you mean v_add_f32" v_ad_f32
expect 2 "did you mean v_add_f32, " v_add_f23 # neighbours that changed places are one edit
expect 0 'v_add_f32                        Adds two 32-bit floats.' v_ad
expect 0 'v_mfma_f32_16x16x16_bf16' 'v_mfma*bf16*'
expect 0 'v_fma_f64' --search=FMA
expect 0 'v_bfe_u32' --search='bit field'
expect 2 "no instruction says 'quux'" --search=quux
expect 1 '--search takes no NAME' --search=fma v_add_f32
expect 0 'Vector comparisons: ' # without a name: groups, each with a short text
expect 0 'One bit for each lane, in a mask'
expect 0 'LANE is its number' --rules
check "a prefix of one target alone" "$("$softwave" isa --target=gfx600 v_dual 2>&1 | head -n 1)" "softwave: error: gfx600 has no instruction 'v_dual'"
expect 2 "gfx90a has no instruction 's_movv_b32'; did you mean s_mov_b32" --target=gfx90a s_movv_b32
expect 2 "gfx600 has no instruction 'v_dual_add_f32'" --target=gfx600 v_dual_add_f32
expect 2 "no processor has the instruction ''" ''
expect 2 'no processor has the instruction' "$(head -c 3000 /dev/zero | tr '\0' a)"
expect 1 'unknown processor' --target=gfx999 s_nop
# The R600 family: what operations do, names, groups, opcodes.
expect 0 'CF_END                           Ends the program.' --target=cayman
expect 0 'MUL_IEEE
  Multiplies two floats by the IEEE rules.

  group     ALU
  opcodes   R600 0x2, R700 0x2, Evergreen 0x2, Cayman 0x2' mul_ieee
expect 0 '  also      MUL' MUL_e
expect 0 'SAMPLE_C_G_LZ                    Samples level 0' 'SAMPLE_C_G*'
expect 0 'LDS_MSKOR                        ' lds_m
expect 0 'executed  no: its scale is not known' OFFSET_TO_FLT
expect 0 'executed  yes; not certain: ' RECIP_UINT
expect 0 'BFE_INT                          Extracts a bit field' --search='bit field'
expect 0 'TF_WRITE' --search='tessellation factor'
expect 2 "no instruction says 'wave32'" --target=rv770 --search=wave32
expect 2 "rv770 has no instruction 'LDS_ADD'" --target=rv770 LDS_ADD
expect 2 "rv770 has no instruction 'MULAD_e'; did you mean MULADD_e" --target=rv770 MULAD_e
expect 1 '--html takes nothing else' --html="$scratch/x" --target=rv770
expect 1 'one NAME at a time' s_nop s_mov_b32
expect 1 '--html takes nothing else' --html="$scratch/x" s_nop
expect 2 'No such file' --html=/nonexistent/folder
check "nothing is listed twice" "$("$softwave" isa | grep '^    ' | tr ' ' '\n' | sort | grep . | uniq -d | head -n 1)" ''
check "every operation is listed" "$("$softwave" isa | grep '^    ' | tr ' ' '\n' | grep -c .)" "$("$softwave" isa --json | grep -c '^    "id":')"

if command -v python3 >/dev/null; then
    check "JSON of one" "$("$softwave" isa --json v_fma_f32 | python3 -c 'import json,sys; d=json.load(sys.stdin); print(d[0]["id"], d[0]["operands"][0]["type"], d[0]["executed"], d[0]["code"], d[0]["encodings"][4]["ranges"])')" 'v_fma_f32 F32 True D.f32 = fma(S0.f32, S1.f32, S2.f32) GFX11, GFX12'
    check "JSON of the ledger" "$("$softwave" isa --json --fidelity | python3 -c 'import json,sys
d = json.load(sys.stdin)
print(len(d) > 1900, {e["fidelity"] for e in d} == {"exact", "approximate", "unsupported"},
      all((e["fidelity"] == "exact") == (e["why"] is None) for e in d), all(e["processors"] for e in d),
      0.5 < [e["ulps"] for e in d if e["id"] == "v_exp_f32"][0] < 1)')" 'True True True True True'
    check "the ledger counts as its JSON does" "$("$softwave" isa --json --fidelity --target=gfx1200 | python3 -c 'import json,sys
d = [e["fidelity"] for e in json.load(sys.stdin)]
print(d.count("exact"), d.count("approximate"), d.count("unsupported"))')" "$("$softwave" isa --fidelity --target=gfx1200 | awk '$1 == "all" {print $2, $3, $4}')"
    check "JSON of the R600 family" "$("$softwave" isa --json --target=cayman | python3 -c 'import json,sys; d=json.load(sys.stdin); print(len(d) > 300, all(e["sentence"] and e["opcodes"]["Cayman"] >= 0 and e["executed"] == (e["gap"] is None) for e in d))')" 'True True'
    check "JSON of a name of that family" "$("$softwave" isa --json mul_ieee | python3 -c 'import json,sys; d=json.load(sys.stdin); print(d[0]["name"], d[0]["opcodes"])')" "MUL_IEEE {'R600': 2, 'R700': 2, 'Evergreen': 2, 'Cayman': 2}"
    check "JSON of a target" "$("$softwave" isa --json --target=gfx942 | python3 -c 'import json,sys; print(len(json.load(sys.stdin)) > 800)')" True
fi

# No part of a picture reaches beyond its word.
check "parts that reach beyond their word" "$("$softwave" isa --json --target=gfx1030 | awk '/"low":/ {gsub(/,/, ""); low = $2} /"width":/ {gsub(/,/, ""); if (low + $2 > 32) bad++} END {print bad + 0}')" 0

"$softwave" isa --html="$scratch/pages"
check "--html" $? 0
check "a page for each instruction" "$([ "$(find "$scratch/pages" -name '*.html' | wc -l)" -gt 1900 ] && echo yes)" yes
check "no other folder is left" "$(ls "$scratch" | grep -c part)" 0
if command -v python3 >/dev/null; then
    check "pages are well-formed, every link leads somewhere, every name has a place" "$(python3 - "$scratch/pages" "$softwave" <<'END'
import os, subprocess, sys, xml.etree.ElementTree as tree
folder, softwave = sys.argv[1:]
ids, links, bad = {}, [], []
for name in os.listdir(folder):
    if not name.endswith('.html'): continue
    text = open(os.path.join(folder, name), encoding='utf-8').read()
    try: root = tree.fromstring(text.replace('<!DOCTYPE html>', '', 1))
    except tree.ParseError as e: bad.append(f'{name}: {e}'); continue
    ids[name] = {e.get('id') for e in root.iter() if e.get('id')}
    links += [(name, e.get('href') or e.get('src')) for e in root.iter() if e.get('href') or e.get('src')]
    if not root.find('.//meta[@name="viewport"]') is not None: bad.append(f'{name}: no viewport')
for page, link in links:
    file, _, anchor = link.partition('#')
    if ':' in link or not os.path.exists(os.path.join(folder, file)): bad.append(f'{page}: {link}')
    elif anchor and anchor not in ids.get(file, ()): bad.append(f'{page}: {link}')
import json
for e in json.loads(subprocess.run([softwave, 'isa', '--json'], capture_output=True, text=True).stdout):
    if e['id'] + '.html' not in ids: bad.append(e['id'])
    for n in e['names']:
        for name in [n['name'], *n['aliases']]:
            if name not in ids['index.html']: bad.append('index: ' + name)
print('\n'.join(bad[:3]), end='')
END
)" ''
fi
check "search knows a page and what it does" "$(grep -c '"v_add_f32 .*v_add_f32.html","Adds two 32-bit floats."\|"v_add_f32","v_add_f32.html"' "$scratch/pages/search.js")" 1
check "search knows the R600 family" "$(grep -c '^\["DOT4_e DOT4","r600.html#ALU-DOT4_e","Adds the products of four pairs' "$scratch/pages/search.js")" 1
# Every link of the search leads somewhere.
sed -nE 's/^\[".*","([^"]*)","[^"]*"\],$/\1/p' "$scratch/pages/search.js" | grep -o '^r600.html#.*' | sed 's/^r600.html#//' | sort >"$scratch/links"
grep -oE 'id="[^"]*"' "$scratch/pages/r600.html" | sed 's/id="//; s/"$//' | sort >"$scratch/ids"
check "every operation of the R600 family has a place on its page" "$(diff "$scratch/links" "$scratch/ids" | head -n 3)" ''
check "places on that page are different" "$(uniq -d "$scratch/ids" | head -n 1)" ''
check "operations on that page" "$([ "$(wc -l <"$scratch/ids")" -gt 490 ] && echo yes)" yes
# A folder with files keeps those that are not ours; pages in it are replaced.
echo mine >"$scratch/pages/mine.txt"
echo stale-page >"$scratch/pages/index.html"
"$softwave" isa --html="$scratch/pages/"
check "--html into a folder with files" "$?$(cat "$scratch/pages/mine.txt")$(grep -c stale-page "$scratch/pages/index.html" | sed 's/0//')" 0mine
# On a full disk nothing is left.
if [ -w /dev/full ] && mkdir "$scratch/small" && mount -t tmpfs -o size=1m none "$scratch/small" 2>/dev/null; then
    expect 2 'No space left' --html="$scratch/small/pages"
    check "nothing is left on a full disk" "$(ls -A "$scratch/small")" ''
    umount "$scratch/small"
else
    echo "skipped: a full disk, as nothing can be mounted"
    skipped=$((skipped + 1))
fi

echo "$((checks - failed)) passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
