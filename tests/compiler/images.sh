#!/bin/sh
# SPDX-License-Identifier: MIT
# Intrinsics of images by `softwave cc` and by llc-22: for every operation, dimension and size of addresses, gradients and
# data (images.awk), the same instruction with the same flags, sizes of operands and descriptors (INT-12); where both leave
# arguments in their registers, the same registers. Constants show the order of an address of 16 bits. Descriptors that
# differ by lane become a loop. What a processor does not have is refused. Objects assemble. KINDS=^plain takes less.
# usage: images.sh [path of softwave]
tests=$(cd "$(dirname "$0")" && pwd)
. "$tests/../tools.sh"
begin_test "$@"
need_llvm_22 "$LLC"
need_reader

# instructions FILE: a line for each function, registers as they are; then the same by sizes
cat > list.awk << 'A'
function total(list,   n, k, part, sum, ends) {
    n = split(list, part, ", ")
    for (k = 1; k <= n; k++) {
        if (match(part[k], /\[.*:/)) {
            gsub(/.*\[|\]/, "", part[k])
            split(part[k], ends, ":")
            sum += ends[2] - ends[1] + 1
        } else
            sum++
    }
    return sum
}
/^f[0-9]+_[a-z0-9_]*:/ { name = $1 }
/^[ \t]+image_/ {
    sub(/;.*/, "")
    gsub(/[ \t]+/, " ")
    sub(/ $/, "")
    sub(/^ /, "")
    print name, $0 > (out ".full")
    rest = $0
    text = ""
    while (match(rest, /(^| )(v|s)?\[[^]]*(\[[^]]*\][^]]*)*\]|(^| )v[0-9]+/)) { # tuples, lists, registers
        one = substr(rest, RSTART, RLENGTH)
        before = substr(rest, 1, RSTART - 1)
        rest = substr(rest, RSTART + RLENGTH)
        sub(/^ /, "", one)
        inner = one
        if (inner ~ /^\[/) { sub(/^\[/, "", inner); sub(/\]$/, "", inner) }
        text = text before " " (one ~ /^s/ ? "s" : "v") "*" total(inner)
    }
    print name, text rest > (out ".sizes")
}
A
for one in gfx600 gfx700 gfx803 gfx810 gfx900 gfx90a gfx1010 gfx1030 gfx1030:: gfx1100 gfx1201; do
    target=${one%%:*}
    awk -v kinds="${KINDS:-}" -f "$tests/images.awk" > all.ll
    # LLVM has no coarse gradients of 16 bits on GFX9.
    [ "$target" = gfx900 ] && awk -v kinds="${KINDS:-}" -f "$tests/images.awk" | awk '/^define/ { skip = /a16.*_cd_/ } !skip' > all.ll
    level=2 && [ "$one" = gfx1030:: ] && level=0
    "$softwave" cc --verify -O$level --triple=amdgcn--amdpal --target="$target" -S all.ll -o ours.s 2> message
    case $? in 0 | 4) ;; *) wrong "$target: $(head -n 3 message)" && continue ;; esac
    sed -n "s/.*function @\(f[0-9]*_[a-z0-9_]*\):.*/\1/p" message > refused
    sed 's/f[0-9]*_//' refused | sort -u | tr '\n' ' ' > refused.kinds
    awk 'FILENAME == "refused" { no["@" $1 "("] = 1; next } /^define/ { match($0, /@[^(]*\(/); skip = substr($0, RSTART, RLENGTH) in no } !skip' refused all.ll > taken.ll
    "$softwave" cc --verify -O$level --triple=amdgcn--amdpal --target="$target" -S taken.ll -o ours.s 2> message &&
        "$softwave" cc -O$level --triple=amdgcn--amdpal --target="$target" -c taken.ll -o ours.o 2> message || { wrong "$target: $(head -n 3 message)" && continue; }
    "$LLC" -O2 -mtriple=amdgcn--amdpal -mcpu="$target" taken.ll -o theirs.s 2> message || { wrong "$target: llc: $(head -n 1 message)" && continue; }
    for who in ours theirs; do awk -v out=$who -f list.awk $who.s; done
    count=$(grep -c '^define' taken.ll)
    # LLVM prints a register more for LWE alone than it reads.
    sed -i -E '/_(plain|a16)_lwe_load/s/v\*[0-9]/v*/' ours.sizes theirs.sizes
    # Samples without a result: LLVM writes no data, whose registers the encoding names all the same.
    sed -i -E '/_nortn:/s/(image_[a-z0-9_]*) (off|v\*[24]),/\1 -,/' ours.sizes theirs.sizes
    # Some processors want more registers for data of 16 bits than the instruction names.
    case $target in gfx810 | gfx9*) sed -i -E '/_d16_(store|gather)/s/v\*[0-9]/v*/' ours.sizes theirs.sizes ;; esac
    if cmp -s ours.sizes theirs.sizes && [ "$(wc -l < ours.sizes)" -ge "$((count - 1))" ]; then pass; else wrong "$target: $(diff ours.sizes theirs.sizes | head -n 4)"; fi
    # Without sizes of 16 bits and without a status, nothing has to move where registers are not scattered.
    for who in ours theirs; do grep -E '_plain_(load|sample|gather|resinfo)' $who.full > $who.plain; done
    cmp -s ours.plain theirs.plain && [ -n "$KINDS" -o "$(wc -l < ours.plain)" -gt 30 ] && pass || wrong "$target -O$level: $(wc -l < ours.plain): $(diff ours.plain theirs.plain | head -n 4)"
    echo "$target: $count $(cat refused.kinds)" >> refused.all
done
# What a processor has not is refused (llc-22 cannot select it).
cat > wanted.all << 'W'
gfx600: 702 a16_atomic a16_atomic64 a16_cd_nortn a16_cd_sample a16_cmpswap a16_cmpswap64 a16_d16_load a16_d16_store a16_d16_tfe_load a16_fatomic a16_fatomic12 a16_g16_cd_nortn a16_g16_cd_sample a16_g16_nortn a16_g16_sample a16_gather a16_getlod a16_load a16_load_mip a16_lwe_load a16_msaa a16_msaa_d16 a16_msaa_x a16_nortn a16_pkatomic a16_resinfo a16_sample a16_store a16_store_mip a16_tfe_load a16_tfe_lwe_load plain_cd_d16_sample plain_cd_nortn plain_d16_gather plain_d16_load plain_d16_sample plain_d16_store plain_d16_tfe_load plain_fatomic12 plain_g16_cd_nortn plain_g16_cd_sample plain_g16_nortn plain_g16_sample plain_msaa plain_msaa_d16 plain_msaa_x plain_nortn plain_pkatomic 
gfx700: 702 a16_atomic a16_atomic64 a16_cd_nortn a16_cd_sample a16_cmpswap a16_cmpswap64 a16_d16_load a16_d16_store a16_d16_tfe_load a16_fatomic a16_fatomic12 a16_g16_cd_nortn a16_g16_cd_sample a16_g16_nortn a16_g16_sample a16_gather a16_getlod a16_load a16_load_mip a16_lwe_load a16_msaa a16_msaa_d16 a16_msaa_x a16_nortn a16_pkatomic a16_resinfo a16_sample a16_store a16_store_mip a16_tfe_load a16_tfe_lwe_load plain_cd_d16_sample plain_cd_nortn plain_d16_gather plain_d16_load plain_d16_sample plain_d16_store plain_d16_tfe_load plain_fatomic12 plain_g16_cd_nortn plain_g16_cd_sample plain_g16_nortn plain_g16_sample plain_msaa plain_msaa_d16 plain_msaa_x plain_nortn plain_pkatomic 
gfx803: 830 a16_atomic a16_atomic64 a16_cd_nortn a16_cd_sample a16_cmpswap a16_cmpswap64 a16_d16_load a16_d16_store a16_d16_tfe_load a16_fatomic a16_fatomic12 a16_g16_cd_nortn a16_g16_cd_sample a16_g16_nortn a16_g16_sample a16_gather a16_getlod a16_load a16_load_mip a16_lwe_load a16_msaa a16_msaa_d16 a16_msaa_x a16_nortn a16_pkatomic a16_resinfo a16_sample a16_store a16_store_mip a16_tfe_load a16_tfe_lwe_load plain_cd_nortn plain_fatomic plain_fatomic12 plain_g16_cd_nortn plain_g16_cd_sample plain_g16_nortn plain_g16_sample plain_msaa plain_msaa_d16 plain_msaa_x plain_nortn plain_pkatomic 
gfx810: 830 a16_atomic a16_atomic64 a16_cd_nortn a16_cd_sample a16_cmpswap a16_cmpswap64 a16_d16_load a16_d16_store a16_d16_tfe_load a16_fatomic a16_fatomic12 a16_g16_cd_nortn a16_g16_cd_sample a16_g16_nortn a16_g16_sample a16_gather a16_getlod a16_load a16_load_mip a16_lwe_load a16_msaa a16_msaa_d16 a16_msaa_x a16_nortn a16_pkatomic a16_resinfo a16_sample a16_store a16_store_mip a16_tfe_load a16_tfe_lwe_load plain_cd_nortn plain_fatomic plain_fatomic12 plain_g16_cd_nortn plain_g16_cd_sample plain_g16_nortn plain_g16_sample plain_msaa plain_msaa_d16 plain_msaa_x plain_nortn plain_pkatomic 
gfx900: 1484 a16_fatomic a16_fatomic12 a16_g16_nortn a16_msaa a16_msaa_d16 a16_msaa_x a16_nortn a16_pkatomic a16_sample plain_cd_nortn plain_fatomic plain_fatomic12 plain_g16_cd_nortn plain_g16_cd_sample plain_g16_nortn plain_g16_sample plain_msaa plain_msaa_d16 plain_msaa_x plain_nortn plain_pkatomic 
gfx90a: 621 a16_cd_nortn a16_cd_sample a16_d16_tfe_load a16_fatomic a16_fatomic12 a16_g16_cd_nortn a16_g16_cd_sample a16_g16_nortn a16_g16_sample a16_gather a16_getlod a16_lwe_load a16_msaa a16_msaa_d16 a16_msaa_x a16_nortn a16_pkatomic a16_sample a16_tfe_load a16_tfe_lwe_load plain_cd_d16_sample plain_cd_nortn plain_cd_sample plain_cd_tfe_sample plain_d16_gather plain_d16_sample plain_d16_tfe_load plain_fatomic plain_fatomic12 plain_g16_cd_nortn plain_g16_cd_sample plain_g16_nortn plain_g16_sample plain_gather plain_getlod plain_lwe_load plain_msaa plain_msaa_d16 plain_msaa_x plain_nortn plain_pkatomic plain_sample plain_tfe_gather plain_tfe_load plain_tfe_lwe_load plain_tfe_sample 
gfx1010: 1964 a16_fatomic12 a16_msaa a16_msaa_d16 a16_msaa_x a16_pkatomic plain_fatomic12 plain_msaa plain_msaa_d16 plain_msaa_x plain_pkatomic 
gfx1030: 1968 a16_fatomic12 a16_msaa a16_msaa_d16 a16_pkatomic plain_fatomic12 plain_msaa plain_msaa_d16 plain_pkatomic 
gfx1030: 1968 a16_fatomic12 a16_msaa a16_msaa_d16 a16_pkatomic plain_fatomic12 plain_msaa plain_msaa_d16 plain_pkatomic 
gfx1100: 1612 a16_cd_nortn a16_cd_sample a16_fatomic a16_fatomic12 a16_g16_cd_nortn a16_g16_cd_sample a16_gather a16_msaa_x a16_pkatomic plain_cd_d16_sample plain_cd_nortn plain_cd_sample plain_cd_tfe_sample plain_d16_gather plain_fatomic plain_fatomic12 plain_g16_cd_nortn plain_g16_cd_sample plain_gather plain_msaa_x plain_pkatomic plain_tfe_gather 
gfx1201: 1644 a16_cd_nortn a16_cd_sample a16_fatomic a16_g16_cd_nortn a16_g16_cd_sample a16_gather a16_msaa_x plain_cd_d16_sample plain_cd_nortn plain_cd_sample plain_cd_tfe_sample plain_d16_gather plain_fatomic plain_g16_cd_nortn plain_g16_cd_sample plain_gather plain_msaa_x plain_tfe_gather 
W
[ -n "$KINDS" ] || { cmp -s refused.all wanted.all && pass || wrong "refused: $(diff refused.all wanted.all)"; }

# Addresses of 16 bits that are numbers: the same dwords. The upper half of a last one says nothing.
awk -v kinds='^a16_(load|load_mip|store|sample|gather|getlod|g16_sample|atomic)$' -f "$tests/images.awk" | awk '
    /^define/ { n = 0; gsub(/(half|i16) %[a-z0-9]*, /, "") }
    /@llvm/ { while (match($0, /(half|i16) %[a-z0-9]*/)) {
        n++
        $0 = substr($0, 1, RSTART - 1) (substr($0, RSTART, 1) == "h" ? "half 0xH4" n "2" n % 10 : "i16 " 1000 + n) substr($0, RSTART + RLENGTH)
    } }
    { print }' | sed -E '/@llvm/s/0xH4([0-9])2/0xH4\12/; /@llvm/s/0xH4(1[0-9])2/0xH4\1/' > numbers.ll
cat > words.awk << 'A'
function dwords(tuple, ends, k) {
    gsub(/[^0-9:]/, "", tuple)
    if (split(tuple, ends, ":") < 2) ends[2] = ends[1]
    for (k = ends[1]; k <= ends[2]; k++) words = words " " (("v" k) in held ? held["v" k] : "v" k)
}
/^f[0-9]+_/ { name = $1; delete held }
/v_mov_b32/ { sub(/;.*/, ""); sub(/,/, "", $2); held[$2] = $3 in held ? held[$3] : $3 ~ /^[0-9]+$/ ? sprintf("0x%x", $3) : $3 }
/^[ \t]+image_/ {
    sub(/;.*/, "")
    words = ""
    sub(/^[ \t]*[a-z0-9_]+ +v(\[[0-9:]*\]|[0-9]+), /, "")
    sub(/, s\[.*/, "")
    sub(/^\[/, "")
    for (n = split($0, part, /, /); n > 0; n--) order[n] = part[n]
    for (n = 1; n in order; n++) dwords(order[n])
    delete order
    print name words
}
A
for target in gfx900 gfx1030; do
    cp numbers.ll taken.ll
    [ $target = gfx1030 ] || awk '/^define/ { skip = /g16|_sample/ } !skip' numbers.ll > taken.ll
    "$softwave" cc --triple=amdgcn--amdpal --target=$target -S taken.ll -o ours.s 2> message || wrong "numbers $target: $(head -n 3 message)"
    "$LLC" -O2 -mtriple=amdgcn--amdpal -mcpu=$target taken.ll -o theirs.s 2> message || wrong "numbers $target: llc: $(head -n 2 message)"
    for who in ours theirs; do awk -f words.awk $who.s > $who; done
    [ "$(wc -l < ours)" -gt 50 ] && cmp -s ours theirs && pass || wrong "numbers $target: $(wc -l < ours) $(diff ours theirs | head -n 6)"
done

# Pixel shaders: levels of detail that come from neighbours, and what llvm.amdgcn.wqm asks for, are computed in whole quads
# of lanes; what is seen from outside is not.
cat > pixels.ll << 'S'
define amdgpu_ps void @sample(float %a, float %b, <8 x i32> inreg %r, <4 x i32> inreg %p, ptr addrspace(1) inreg %q) {
  %x = fadd float %a, 3.0
  %v = call float @llvm.amdgcn.image.sample.2d.f32.f32(i32 1, float %x, float %b, <8 x i32> %r, <4 x i32> %p, i1 0, i32 0, i32 0)
  store float %v, ptr addrspace(1) %q
  ret void
}
define amdgpu_ps float @value(i32 %a) {
  %n = call i32 @llvm.amdgcn.update.dpp.i32(i32 0, i32 %a, i32 177, i32 15, i32 15, i1 false)
  %w = call i32 @llvm.amdgcn.wqm.i32(i32 %n)
  %f = bitcast i32 %w to float
  ret float %f
}
define amdgpu_ps float @none(float %a, <8 x i32> inreg %r, <4 x i32> inreg %p) {
  %v = call float @llvm.amdgcn.image.sample.lz.1d.f32.f32(i32 1, float %a, <8 x i32> %r, <4 x i32> %p, i1 0, i32 0, i32 0)
  ret float %v
}
S
cat > more_pixels.ll << 'S'
define amdgpu_ps float @store(float %a, <8 x i32> inreg %r, <4 x i32> inreg %p, ptr addrspace(1) inreg %q) {
  store float %a, ptr addrspace(1) %q
  %v = call float @llvm.amdgcn.image.sample.1d.f32.f32(i32 1, float %a, <8 x i32> %r, <4 x i32> %p, i1 0, i32 0, i32 0)
  ret float %v
}
define amdgpu_ps float @branch(float %a, i32 %n, <8 x i32> inreg %r, <4 x i32> inreg %p, ptr addrspace(1) inreg %q) {
  %c = icmp eq i32 %n, 0
  br i1 %c, label %yes, label %no
yes:
  %v = call float @llvm.amdgcn.image.sample.1d.f32.f32(i32 1, float %a, <8 x i32> %r, <4 x i32> %p, i1 0, i32 0, i32 0)
  br label %no
no:
  %w = phi float [ %v, %yes ], [ 0.0, %0 ]
  ret float %w
}
define amdgpu_ps float @differs(float %a, <8 x i32> %r, <4 x i32> inreg %p) {
  %v = call float @llvm.amdgcn.image.sample.1d.f32.f32(i32 1, float %a, <8 x i32> %r, <4 x i32> %p, i1 0, i32 0, i32 0)
  ret float %v
}
S
for target in gfx803 gfx900 gfx1030 gfx1100 gfx1201; do
    "$softwave" cc --verify --triple=amdgcn--amdpal --target=$target -S pixels.ll -o pixels.s 2> message &&
        "$softwave" cc --triple=amdgcn--amdpal --target=$target -c pixels.ll -o pixels.o 2> message || { wrong "pixels $target: $(head -n 2 message)" && continue; }
    order=$(sed -nE 's/^(sample|value|none):/\1/p; s/.*s_mov_b(32|64) s.*, exec.*/save/p; s/.*s_wqm_.*/quads/p; s/.*(v_add_f32|dpp|image_sample|image_sample_lz|store).*/\1/p; s/.*s_mov_b(32|64) exec.*/exact/p' pixels.s | tr '\n' ' ')
    [ "$order" = 'sample save quads v_add_f32 image_sample exact store value save quads dpp exact none image_sample ' ] && pass || wrong "pixels $target: $order"
    "$softwave" cc --verify --triple=amdgcn--amdpal --target=$target -S more_pixels.ll -o pixels.s 2> message
    order=$(sed -nE 's/^(store|branch|differs):/\1/p; s/.*s_mov_b(32|64) s.*, exec.*/save/p; s/.*s_wqm_.*/quads/p; s/.*s_and_b(32|64) exec(_lo)?, exec(_lo)?, s\[?44.*/live/p; s/.*(image_sample|image_sample_lz|_store).*/\1/p
        s/.*s_cbranch_exec.*/part/p; s/.*s_mov_b(32|64) exec.*/back/p' pixels.s | tr '\n' ' ')
    [ "$order" = 'store save quads save live _store back image_sample back part branch save quads part image_sample back part back part back part differs save quads save save part image_sample back part back back part ' ] && pass || wrong "pixels $target: $order $(cat message)"
done

# Descriptors that differ by lane: a loop that makes them scalars, and one with the sampler.
cat > loop.ll << 'S'
define amdgpu_cs <4 x float> @load(i32 %x, <8 x i32> %r) {
  %v = call <4 x float> @llvm.amdgcn.image.load.1d.v4f32.i32(i32 15, i32 %x, <8 x i32> %r, i32 0, i32 0)
  ret <4 x float> %v
}
define amdgpu_cs <4 x float> @sample(float %x, <8 x i32> inreg %r, <4 x i32> %s) {
  %v = call <4 x float> @llvm.amdgcn.image.sample.l.1d.v4f32.f32(i32 15, float %x, float %x, <8 x i32> %r, <4 x i32> %s, i1 0, i32 0, i32 0)
  ret <4 x float> %v
}
define amdgpu_cs void @store(<4 x float> %d, i32 %x, <8 x i32> %r) {
  call void @llvm.amdgcn.image.store.1d.v4f32.i32(<4 x float> %d, i32 15, i32 %x, <8 x i32> %r, i32 0, i32 0)
  ret void
}
S
for target in gfx600 gfx900 gfx1030 gfx1100 gfx1201; do
    "$softwave" cc --verify --triple=amdgcn--amdpal --target=$target -S loop.ll -o loop.s 2> message &&
        "$softwave" cc --triple=amdgcn--amdpal --target=$target -c loop.ll -o loop.o 2> message || { wrong "loop $target: $(head -n 2 message)" && continue; }
    read=$(awk '/^(load|sample|store):/ { n = 0 } /readfirstlane/ { n++ } /image_/ { printf "%d ", n }' loop.s)
    loops=$(grep -c 's_cbranch_execnz\|s_cbranch_scc[01]' loop.s)
    [ "$read" = "8 4 8 " ] && [ "$loops" -ge 3 ] && pass || wrong "loop $target: $read, $loops loops"
done
end_test
