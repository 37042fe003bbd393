#!/bin/sh
# SPDX-License-Identifier: MIT
# `softwave dis --effects`: what it says of each kind of instruction, and that it forgets no register: each one that the
# disassembler's text names is read or written. The record itself is proved by tests/device/test_effects.c.
# usage: effects.sh [path of softwave]
. "$(dirname "$0")/../tools.sh"
softwave=${1:-build/softwave}
golden=$(dirname "$0")/../isa/golden
passed=0 failed=0 skipped=0
check() { # WHAT GOT EXPECTED
    if [ "$2" = "$3" ]; then passed=$((passed + 1)); else
        failed=$((failed + 1))
        printf '%s: got\n%s\nexpected\n%s\n' "$1" "$2" "$3"
    fi
}
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

# One instruction of a processor: says TEXT.
says() { # PROCESSOR INSTRUCTION TEXT
    printf '%s\n' "$2" >"$tmp/one.s"
    "$softwave" as --target="$1" "$tmp/one.s" -o "$tmp/one.o" || return
    check "$1: $2" "$("$softwave" dis --effects --no-leading-addr --no-show-raw-insn "$tmp/one.o" | sed -n 's/^\t; //p')" "$3"
}
says gfx90a 's_load_dwordx4 s[4:7], s[0:1], 0x10' 'reads s[0:1]; writes s[4:7]; loads 16 bytes of global memory, raises lgkmcnt'
says gfx90a 's_waitcnt vmcnt(0) lgkmcnt(2)' 'waits for vmcnt 0, waits for lgkmcnt 2'
says gfx90a 'v_add_co_u32 v1, vcc, s4, v0' 'reads s4, v0, exec; writes v1, vcc'
says gfx90a 'v_fma_f64 v[0:1], v[2:3], v[2:3], v[4:5]' 'reads v[2:3], v[4:5], exec, mode; writes v[0:1]'
says gfx90a 'global_atomic_add_f32 v6, v[2:3], v4, off glc' \
    'reads v[2:3], v4, exec, mode; writes v6; changes 4 bytes a lane of global memory, raises vmcnt'
says gfx90a 'ds_write2_b32 v2, v4, v5 offset0:1 offset1:3' \
    'reads v2, v4, v5, exec; stores 2 x 4 bytes a lane of LDS, raises lgkmcnt'
says gfx90a 'v_mfma_f32_32x32x1f32 a[0:31], v0, v1, a[0:31]' 'reads v0, v1, a[0:31], mode; writes a[0:31]'
says gfx90a 's_and_saveexec_b64 s[8:9], vcc' 'reads vcc, exec; writes s[8:9], exec, scc'
says gfx90a 's_swappc_b64 s[30:31], s[4:5]' 'reads s[4:5], pc; writes s[30:31]; jumps to a register, calls, may give way'
says gfx90a 's_branch 4' 'jumps'
says gfx90a 's_cbranch_scc1 4' 'reads scc; may jump'
says gfx90a 's_cbranch_scc1 0xfffe' 'reads scc; may jump, may give way'
says gfx90a 's_barrier' 'barrier, may give way'
says gfx90a 's_endpgm' 'ends the wave'
says gfx90a 's_nop 0' 'touches nothing'
says gfx1100 'v_add_f16 v1.h, v2.l, v3.h' 'reads v2.l, v3.h, exec, mode; writes v1.h'
says gfx1201 's_wait_loadcnt 3' 'waits for loadcnt 3'
says gfx1201 'global_store_b64 v0, v[2:3], s[4:5]' \
    'reads v0, s[4:5], v[2:3], exec; stores 8 bytes a lane of global memory, raises storecnt'
says gfx1201 'image_load v0, v1, s[0:7] dmask:0x1 dim:SQ_RSRC_IMG_1D' 'reads v1, s[0:7], exec; writes v0; loads up to 16 bytes a lane of global memory, raises loadcnt'
says gfx1201 'image_sample v[0:1], [v2, v3], s[0:7], s[8:11] dmask:0x3 dim:SQ_RSRC_IMG_2D' 'reads v2, v3, s[0:7], s[8:11], exec; writes v[0:1]; loads up to 16 bytes a lane of global memory, raises samplecnt'
says gfx1100 'image_get_resinfo v[0:3], v4, s[0:7] dmask:0xf dim:SQ_RSRC_IMG_2D' 'reads v4, s[0:7], exec; writes v[0:3]; raises vmcnt'
says gfx1030 'image_store v[0:1], v[2:4], s[0:7] dmask:0x7 dim:SQ_RSRC_IMG_3D unorm d16' 'reads v0, v1.l, v[2:4], s[0:7], exec; stores up to 16 bytes a lane of global memory, raises s_waitcnt_vscnt'
says gfx900 'image_atomic_cmpswap v[0:3], v4, s[0:7] dmask:0xf unorm glc' 'reads v[0:3], v[4:7], s[0:7], exec; writes v[0:1]; changes 8 bytes a lane of global memory, raises vmcnt'
says gfx1201 'image_bvh64_intersect_ray v[0:3], [v[4:5], v6, v[8:10], v[12:14], v[16:18]], s[0:3]' \
    'reads v[4:5], v6, v[8:10], v[12:14], v[16:18], s[0:3], exec; writes v[0:3]; loads up to 128 bytes a lane of global memory, raises bvhcnt'
says gfx1250 'tensor_load_to_lds s[0:3], s[4:11]' 'reads s[0:3], s[4:11]; loads up to 8 bytes of global memory to LDS, raises tensorcnt'
says gfx1250 'tensor_store_from_lds s[0:3], s[4:11], s[12:15], s[16:19]' 'reads s[0:3], s[4:11], s[12:15], s[16:19]; stores up to 8 bytes of global memory from LDS, raises tensorcnt'
says gfx1250 'global_load_async_to_lds_b32 v1, v2, s[4:5]' 'reads v2, s[4:5], v1, exec; loads 4 bytes a lane of global memory to LDS, raises asynccnt'
says gfx1250 's_wait_asynccnt 1' 'waits for asynccnt 1'
says gfx1250 's_wait_tensorcnt 0' 'waits for tensorcnt 0'
says gfx1201 'image_bvh8_intersect_ray v[20:29], [v[0:1], v[2:3], v[4:6], v[7:9], v10], s[0:3]' \
    'reads v[0:1], v[2:3], v[4:6], v[7:9], v10, s[0:3], exec; writes v[20:29], v[4:6], v[7:9]; loads up to 128 bytes a lane of global memory, raises bvhcnt'
says gfx1100 'ds_bvh_stack_rtn_b32 v1, v0, v1, v[2:5]' 'not known'

# Every golden line: registers as v4, v[4:5], s.., a.., vcc and m0 in the text are in what is read or written.
cat >"$tmp/names.awk" <<'A'
function collect(text, set,   word, file, n, i, pair, before) {
    before = " "
    while (match(text, /[vsa](\[[0-9]+:[0-9]+\]|[0-9]+)|vcc|m0/)) {
        word = substr(text, RSTART, RLENGTH)
        i = RSTART > 1 ? substr(text, RSTART - 1, 1) : before
        before = substr(word, RLENGTH)
        text = substr(text, RSTART + RLENGTH)
        if (i ~ /[a-z0-9_]/ || text ~ /^[a-km-z_]/) continue # part of another word
        file = substr(word, 1, 1)
        if (word == "vcc" || word == "m0") { set[word]; continue }
        gsub(/[^0-9:]/, "", word)
        n = split(word, pair, ":")
        for (i = pair[1] + 0; i <= pair[n] + 0; i++) set[file i]
    }
}
/^\t; / {
    seen++
    if ($0 ~ /; not known$/) { unknown++; next }
    # Results in TTMPs go nowhere outside of trap handlers; packed F32 may take one register of a pair twice;
    # v_permlane64 does nothing in wave32. A return from a trap handler is illegal outside of one, and reads nothing there.
    # A prefix with scales of a WMMA does nothing alone: the operation behind it reads them.
    # The text of image stores and atomics has a register for a status, which they do not use.
    if (line ~ /^\timage_(store|atomic).* tfe/) { left_out++; next }
    if (line ~ /^\t[^ ]+ ttmp|^\tv_pk_[a-z]+_(f32|b32) |^\tv_permlane64|^\ts_rfe_|^\tv_wmma_ld_scale/) { left_out++; next }
    delete have; delete want
    collect(substr($0, 3), have)
    collect(operands, want)
    for (r in want) if (!(r in have)) { print line " names " r ", but it says" $0; wrong++ }
    next
}
# a16 may be a modifier.
{ line = $0; operands = $0; sub(/^\t?[^ ]+/, "", operands); sub(/ a16( |$)/, " ", operands) }
END { print "seen", seen + 0, "unknown", unknown + 0, "wrong", wrong + 0 }
A
for processor in "$golden"/*/; do
    name=$(basename "$processor")
    cut -d' ' -f1 "$processor"/*.txt >"$tmp/hex"
    "$softwave" dis --hex --effects --target="$name" "$tmp/hex" >"$tmp/listing" 2>&1
    awk -f "$tmp/names.awk" "$tmp/listing" >"$tmp/result"
    total=$(tail -1 "$tmp/result")
    lines=$(grep -vc '^	\(;\|\.long\|\.byte\)' "$tmp/listing")
    case $total in
    "seen $lines unknown "*" wrong 0") passed=$((passed + 1)) ;;
    *) failed=$((failed + 1)) && echo "$name: $lines instructions, $total" && head -5 "$tmp/result" ;;
    esac
done

# As JSON: the same, as arrays.
printf 'v_add_co_u32 v1, vcc, s4, v0\n' >"$tmp/one.s"
"$softwave" as --target=gfx90a "$tmp/one.s" -o "$tmp/one.o"
check JSON "$("$softwave" dis --effects --json "$tmp/one.o" | grep -o '"reads".*')" \
    '"reads": ["s4", "v0", "exec"], "writes": ["v1", "vcc"], "does": []}'
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
