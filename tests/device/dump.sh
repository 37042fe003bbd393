#!/bin/sh
# SPDX-License-Identifier: MIT
# `run --dump`: what each phase of the LLVM tier shows of a kernel, and that the pieces that were made of instructions read
# and write the registers that the record of effects names (`dis --effects`), no others.
# usage: dump.sh [path of softwave]
. "$(dirname "$0")/../tools.sh"
softwave=${1:-build/softwave}
passed=0 failed=0 skipped=0
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
has() { # WHAT FILE PATTERN
    if grep -Eq "$3" "$2"; then pass; else wrong "$1: no line '$3' in" && sed 's/^/    /' "$2" | head -40; fi
}

# `mixed` has a loop, lanes that do not execute, LDS, and steps that are called or left; `rows` is straight. `tile` makes
# addresses of 64 bits in blocks whose rows are shorter than a wave.
kernel() { # NAME [LINE...]: its instructions on standard input, more lines of its descriptor
    printf '.text\n.globl %s\n.p2align 8\n.type %s,@function\n%s:\n' "$1" "$1" "$1"
    cat
    printf '.rodata\n.p2align 6\n.amdhsa_kernel %s\n.amdhsa_next_free_vgpr 8\n.amdhsa_next_free_sgpr 16\n' "$1"
    printf '.amdhsa_group_segment_fixed_size 256\n.amdhsa_user_sgpr_kernarg_segment_ptr 1\n'
    shift
    for line; do printf '%s\n' "$line"; done
    printf '.end_amdhsa_kernel\n'
}
metadata() {
    printf '.amdgpu_metadata\namdhsa.version: [1, 2]\namdhsa.target: amdgcn-amd-amdhsa--gfx900\namdhsa.kernels:\n'
    for name; do
        printf '  - .name: %s\n    .symbol: %s.kd\n    .kernarg_segment_size: 8\n    .kernarg_segment_align: 8\n' "$name" "$name"
        printf '    .group_segment_fixed_size: 256\n    .private_segment_fixed_size: 0\n    .wavefront_size: 64\n'
        printf '    .sgpr_count: 16\n    .vgpr_count: 8\n    .max_flat_workgroup_size: 1024\n'
        printf '    .args:\n      - {.offset: 0, .size: 8, .value_kind: global_buffer, .address_space: global}\n'
    done
    printf '.end_amdgpu_metadata\n'
}
{
    kernel mixed <<'END'
    s_load_dwordx2 s[2:3], s[0:1], 0x0
    v_lshlrev_b32 v1, 2, v0
    v_mov_b32 v3, 0
    s_mov_b32 s4, 5
loop:
    v_mad_u32_u24 v3, v3, v0, s4
    v_add_u32_dpp v4, v3, v3 row_shr:1 row_mask:0xf bank_mask:0xf
    s_sub_u32 s4, s4, 1
    s_cmp_lg_u32 s4, 0
    s_cbranch_scc1 loop
    ds_write_b32 v1, v3
    v_cmp_lt_u32 vcc, 40, v0
    s_and_saveexec_b64 s[6:7], vcc
    v_addc_co_u32 v2, vcc, v3, v3, vcc
    s_mov_b64 exec, s[6:7]
    v_readlane_b32 s8, v3, s4
    ds_read_b32 v5, v1
    s_waitcnt lgkmcnt(0)
    v_xor_b32 v2, v5, v0
    global_store_dword v1, v2, s[2:3]
    s_sleep 0
    s_endpgm
END
    kernel rows <<'END'
    s_load_dwordx2 s[2:3], s[0:1], 0x0
    v_lshlrev_b32 v1, 2, v0
    v_mul_lo_u32 v2, v0, v0
    s_waitcnt lgkmcnt(0)
    global_store_dword v1, v2, s[2:3]
    s_endpgm
END
    kernel tile '.amdhsa_system_vgpr_workitem_id 1' <<'END'
    s_load_dwordx2 s[2:3], s[0:1], 0x0
    v_lshlrev_b32 v2, 4, v1
    v_add_u32 v2, v2, v0
    v_lshlrev_b32 v2, 2, v2
    s_waitcnt lgkmcnt(0)
    v_mov_b32 v3, s3
    v_add_co_u32 v4, vcc, s2, v2
    v_addc_co_u32 v5, vcc, 0, v3, vcc
    global_store_dword v[4:5], v2, off
    s_endpgm
END
    kernel product '.amdhsa_system_vgpr_workitem_id 1' <<'END'
    s_load_dwordx2 s[2:3], s[0:1], 0x0
    v_mov_b32 v6, 64
    v_lshlrev_b32 v2, 2, v0
    s_waitcnt lgkmcnt(0)
    v_mad_u64_u32 v[4:5], vcc, v1, v6, s[2:3]
    v_mul_lo_u32 v7, v1, v1
    v_add_co_u32 v4, vcc, v4, v2
    v_addc_co_u32 v5, vcc, 0, v5, vcc
    v_add_u32 v7, v7, v0
    global_store_dword v[4:5], v7, off
    s_endpgm
END
    kernel powers '.amdhsa_system_vgpr_workitem_id 1' <<'END'
    s_load_dwordx2 s[2:3], s[0:1], 0x0
    v_lshlrev_b32 v2, 4, v1
    v_add_u32 v2, v2, v0
    v_lshlrev_b32 v2, 2, v2
    v_add_u32 v1, 2, v1
    .rept 100
    v_mul_lo_u32 v1, v1, v1
    .endr
    v_add_u32 v1, v1, v0
    s_waitcnt lgkmcnt(0)
    global_store_dword v2, v1, s[2:3]
    s_endpgm
END
    # A pointer that a loop moves, and a signed number of elements.
    kernel sum <<'END'
    s_load_dwordx2 s[2:3], s[0:1], 0x0
    v_mov_b32 v6, 0
    s_movk_i32 s4, 3
    v_subrev_u32 v1, 32, v0
    v_ashrrev_i32 v2, 31, v1
    v_lshlrev_b64 v[4:5], 2, v[1:2]
    s_waitcnt lgkmcnt(0)
    v_mov_b32 v3, s3
    v_add_co_u32 v4, vcc, s2, v4
    v_addc_co_u32 v5, vcc, v3, v5, vcc
again:
    global_load_dword v7, v[4:5], off offset:128
    v_add_co_u32 v4, vcc, 4, v4
    v_addc_co_u32 v5, vcc, 0, v5, vcc
    s_sub_u32 s4, s4, 1
    s_cmp_lg_u32 s4, 0
    s_waitcnt vmcnt(0)
    v_add_u32 v6, v6, v7
    s_cbranch_scc1 again
    v_lshlrev_b32 v0, 2, v0
    global_store_dword v0, v6, s[2:3] offset:1024
    s_endpgm
END
    metadata mixed rows tile product powers sum
} >"$tmp/k.s"
"$softwave" as -mcpu=gfx900 "$tmp/k.s" -o "$tmp/k.o" && "$softwave" ld -shared "$tmp/k.o" -o "$tmp/k.co" || wrong "no kernel"
run() { "$softwave" run -j1 -k "${kernel:-mixed}" -g 64 -b 64 "$@" "$tmp/k.co" buf:256,show=u32:4; }

# Names that no phase has, and tiers that compile nothing.
run --dump=plan,flaw >/dev/null 2>"$tmp/err"
[ $? = 1 ] && grep -q "no phase 'flaw' to dump, only all, plan, slots, flow, code, join, affine, wholes, finish" "$tmp/err" &&
    pass || wrong "--dump=plan,flaw: $(cat "$tmp/err")"
phases=$(sed -n 's/.* only all, \(.*\)/\1/p' "$tmp/err") # which the help names in the same order
"$softwave" run --help | tr '\n' ' ' | tr -s ' ' | grep -q "or all: $phases " && pass || wrong "--help does not name $phases"
run --dump=plan --tier=1 >/dev/null 2>"$tmp/err"
[ $? = 1 ] && grep -q 'of tier 2 alone' "$tmp/err" && pass || wrong "--dump with --tier=1: $(cat "$tmp/err")"

run --dump=all --no-cache >"$tmp/out" 2>"$tmp/all"
if ! grep -q 'behind plan' "$tmp/all"; then
    run --stats --tier=2 2>&1 | grep -q 'tier 2' && wrong "nothing is shown of what was compiled"
    echo "skipped: nothing is compiled here" && skipped=1
    end_test
fi
run --tier=0 2>/dev/null | cmp -s - "$tmp/out" && pass || wrong "results differ from the interpreter's"
for phase in plan slots flow code join affine finish; do # nothing of this kernel is in halves
    sed -n "/^; ---- behind $phase\$/,/^; ----/{/^; ----/d;p}" "$tmp/all" >"$tmp/$phase"
    [ -s "$tmp/$phase" ] && pass || wrong "nothing behind $phase"
done
run --dump=slots,flow 2>&1 >/dev/null | grep -c '^; ----' | grep -qx 2 && pass || wrong "--dump=slots,flow shows something else"
# Twice the same text, though nothing is taken from the cache in between.
run --dump=all --no-cache 2>"$tmp/again" >/dev/null
cmp -s "$tmp/all" "$tmp/again" && pass || wrong "the second dump differs"

has plan "$tmp/plan" '^plan: [0-9]+ steps, wave64$'
has plan "$tmp/plan" '^ +[0-9]+ \+0x0000 piece s_load_B64 reads ranges s\[0:1\]; writes s\[2:3\]; entry memory$'
has plan "$tmp/plan" '^ +[0-9]+ \+0x00[0-9a-f]+ piece s_cbranch_scc1_[a-z_]+ reads budget interrupt scc; writes budget; to 5$'
has plan "$tmp/plan" '^ +4 \+0x0014 jump to 5$'
has plan "$tmp/plan" ' piece dpp_narrow reads not_lanes exec; writes saved_exec exec;$'
has plan "$tmp/plan" ' leave( |$)' # s_sleep
has slots "$tmp/slots" '^ +[0-9]+ exec$'
has slots "$tmp/slots" '^ +[0-9]+ constant32\+[0-9]+:4 constant$'
has flow "$tmp/flow" '^fused: [0-9]+ segments$'
has flow "$tmp/flow" '^ +[0-9]+ steps [0-9]+-[0-9]+ some; dirty'
has flow "$tmp/flow" '^ +[0-9]+ steps [0-9]+-[0-9]+ all stored unmarked; dirty'
has code "$tmp/code" 'call ptr @v_xor_b32_vv\('
has finish "$tmp/finish" 'define .*@fused\('
grep -q 'call ptr @v_' "$tmp/finish" && wrong "pieces are left behind finish" || pass

kernel=rows run --dump=flow,affine 2>"$tmp/rows" >/dev/null
has rows "$tmp/rows" '^rows: 1 segments$'
has rows "$tmp/rows" '^affine step 4 lane 0 sure: .* = shl '
grep -q 'unsure' "$tmp/rows" && wrong "an address of rows is unsure" || pass

# A chunk of 16 lanes, or of 8, carries alike, and follows its first lane.
"$softwave" run -j1 -k tile -g 16,16 -b 16,16 --dump=affine,finish "$tmp/k.co" buf:1K,show=u32:20 2>"$tmp/tile" >"$tmp/out"
grep -q ' 4 8 12 16 .* 68 72 76' "$tmp/out" && pass || wrong "results of tile: $(cat "$tmp/out")"
has tile "$tmp/tile" '^affine step 0 lane 0 unsure: .* = (zext|sext) <(8|16) x i1>'
has tile "$tmp/tile" '^addresses step 4 lane 0 sure: .* @lanes_wide_chunk'
sed -n '/^define .*@rows(/,/^}/p' "$tmp/tile" >"$tmp/finish"
has tile "$tmp/finish" '^define .*@rows\('
grep -Eq 'scatter|x i32> .*, <[0-9]+ x i1>' "$tmp/finish" && wrong "lanes of tile are looked at one by one" || pass

# Products of the number of a row, which all lanes of a chunk have, are no vectors.
"$softwave" run -j1 -k product -g 16,16 -b 16,16 --dump=wholes,finish "$tmp/k.co" buf:1K,show=u32:34 2>"$tmp/product" >"$tmp/out"
grep -q ' 1 2 3 .* 14 15 1 2 3 .* 15 16 4 5' "$tmp/out" && pass || wrong "results of product: $(cat "$tmp/out")"
sed -n '/^define .*@rows(/,/^}/p' "$tmp/product" >"$tmp/finish"
has product "$tmp/finish" ' mul i32 '
grep -Eq ' mul .*<[0-9]+ x i(32|64)> ' "$tmp/finish" && wrong "product multiplies lane by lane" || pass
# There are 2^100 ways to the number of the row here, which nobody walks.
"$softwave" run -j1 -k powers -g 16,16 -b 16,16 --tier=0 "$tmp/k.co" buf:1K,show=u32:34 2>/dev/null >"$tmp/want"
"$softwave" run -j1 -k powers -g 16,16 -b 16,16 --tier=2 --no-cache "$tmp/k.co" buf:1K,show=u32:34 2>/dev/null >"$tmp/out"
[ -s "$tmp/out" ] && cmp -s "$tmp/want" "$tmp/out" && pass || wrong "results of powers: $(cat "$tmp/out")"

# Numbers of 64 bits in two registers: one number, in the loop one phi.
"$softwave" run -j1 -k sum -g 64 -b 64 --dump=wholes,finish "$tmp/k.co" buf:2K,fill=u32:iota,show=u32:260 2>"$tmp/sum" >"$tmp/out"
"$softwave" run -j1 -k sum -g 64 -b 64 --tier=0 "$tmp/k.co" buf:2K,fill=u32:iota,show=u32:260 2>/dev/null | cmp -s - "$tmp/out" && pass ||
    wrong "results of sum differ from the interpreter's"
has sum "$tmp/sum" '^whole of .* = add i64 .*: .* = add i64 .*, 128$'
sed -n '/^define .*@rows(/,/^}/p' "$tmp/sum" >"$tmp/finish"
has sum "$tmp/finish" ' = phi i64 '
grep -q ' = sext i32 .* to i64' "$tmp/finish" && pass || wrong "sum does not extend the number of elements: $(grep -c . "$tmp/finish")"

# Registers, instruction by instruction. Steps around a body use temporaries, and narrow EXEC for a while.
start=$("$softwave" dis "$tmp/k.co" | sed -n 's/^0*\([0-9a-f]*\) <mixed>:$/\1/p')
"$softwave" dis --effects "$tmp/k.co" | awk '
    /\/\/ [0-9A-F]+:/ { pc = $0; sub(/.*\/\/ /, "", pc); sub(/:.*/, "", pc) }
    /^\t; / { print pc "|" $0 }' >"$tmp/records"
run --stats 2>/dev/null >"$tmp/stats"
awk -v start="$start" -v of_v3="$(grep -c 'level v3' "$tmp/stats")" '
    function hex(s,   n, i) {
        s = tolower(s)
        for (i = 1; i <= length(s); i++) n = n * 16 + index("0123456789abcdef", substr(s, i, 1)) - 1
        return n
    }
    # Adds the registers of a list to set[pc, register]; of other names only those that both sides have.
    function note(pc, list, set,   words, n, i, w, from, to, r) {
        n = split(list, words, /[ ,]+/)
        for (i = 1; i <= n; i++) {
            w = words[i]
            if (w ~ /^[sv]\[[0-9]+:[0-9]+\]$/) {
                from = w; sub(/^.\[/, "", from); sub(/:.*/, "", from)
                to = w; sub(/.*:/, "", to); sub(/\]/, "", to)
                for (r = from + 0; r <= to + 0; r++) set[pc, substr(w, 1, 1) r] = 1
                continue
            }
            sub(/\+.*/, "", w)
            sub(/:.*/, "", w)
            if (w ~ /^[sv][0-9]+$/ || w == "vcc" || w == "scc" || w == "exec") set[pc, w] = 1
        }
    }
    function part(line, word) {
        if (!match(line, word " [^;]*")) return ""
        return substr(line, RSTART + length(word) + 1, RLENGTH - length(word) - 1)
    }
    FNR == NR {
        split($0, side, "|")
        pc = hex(side[1]) - hex(start)
        note(pc, part(side[2], "reads"), reads)
        note(pc, part(side[2], "writes"), writes)
        next
    }
    $3 == "piece" {
        pc = hex(substr($2, 4))
        pieces[pc]++
        if (of_v3) sub(/not_lanes/, "exec") # what of EXEC code for v3 asks, as it has no masks
        note(pc, part($0, "reads"), got_reads)
        note(pc, part($0, "writes"), got_writes)
    }
    END {
        for (k in writes) {
            split(k, at, SUBSEP)
            if (!(at[1] in pieces)) continue
            checked++
            if (!(k in got_writes)) print at[1] ": the piece does not write " at[2]
        }
        for (k in got_writes) {
            split(k, at, SUBSEP)
            checked++
            if (!(k in writes) && !(at[2] == "exec" && pieces[at[1]] > 1)) print at[1] ": the record does not write " at[2]
        }
        for (k in reads) {
            split(k, at, SUBSEP)
            if (!(at[1] in pieces)) continue
            checked++
            if (!(k in got_reads)) print at[1] ": the piece does not read " at[2]
        }
        print "checked " checked
    }' "$tmp/records" "$tmp/plan" >"$tmp/differences"
count=$(sed -n 's/^checked //p' "$tmp/differences")
[ "${count:-0}" -ge 40 ] && pass || wrong "only ${count:-0} registers were compared"
grep -v '^checked' "$tmp/differences" && wrong "pieces and records differ" || pass
end_test
