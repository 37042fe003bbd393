#!/bin/sh
# SPDX-License-Identifier: MIT
# Whole objects of softwave as equal to llvm-mc's, byte for byte: every directive by hand for each system, what
# clang writes for every target, code objects V2 and V3 against llvm-mc-14, descriptors with every field at and
# beyond its limits. Usage: tests/asm/as_objects.sh [build/softwave] [all]; with `all` each target is taken at four
# optimisation levels from every source, else at one from one source: each target another pair. TARGETS names some.
# ASM-17 to ASM-77, KD-01 to KD-66, OBJ-01 to OBJ-53, MCX-01 to MCX-03, RES-01 to RES-10, PAL-01 to PAL-18.
. "$(dirname "$0")/../tools.sh"
bin=${1:-build/softwave}
all=${2:-}
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
passed=0 failed=0 skipped=0
ok() { passed=$((passed + 1)); }
bad() { failed=$((failed + 1)) && echo "FAIL: $*"; }

# same NAME LLVM-MC TRIPLE CPU FILE [VERSION [FEATURES]]: both assemble FILE to the same bytes.
same() {
    name=$1 mc=$2 triple=$3 cpu=$4 file=$5 version=$6 features=$7
    set -- ${version:+--code-object-version=$version} ${features:+--mattr=$features}
    if ! $mc -triple="$triple" -mcpu="$cpu" ${version:+--amdhsa-code-object-version=$version} \
        ${features:+-mattr=$features} -filetype=obj "$file" -o "$dir/llvm.o" 2>"$dir/llvm.err"; then
        bad "$name $triple $cpu: llvm-mc refuses: $(grep -m1 error "$dir/llvm.err")"
    elif grep -q 'is not a recognized processor' "$dir/llvm.err"; then
        skipped=$((skipped + 1)) && echo "skipped: $name $triple $cpu, which $mc does not know"
    elif ! timeout 60 "$bin" as --triple="$triple" --mcpu="$cpu" "$@" "$file" -o "$dir/our.o" 2>"$dir/our.err"; then
        bad "$name $triple $cpu: refused: $(grep -m1 error "$dir/our.err")"
    elif cmp -s "$dir/llvm.o" "$dir/our.o"; then
        ok
    else
        bad "$name $triple $cpu: the objects differ"
    fi
}

need_llvm_22 $LLVM_MC $CLANG
here=tests/asm/objects
hsa=amdgcn-amd-amdhsa

# ---- By hand, for each system ----
for triple in $hsa amdgcn-mesa-mesa3d amdgcn--amdpal amdgcn--; do
    for cpu in gfx803 gfx900 gfx1010 gfx1200; do
        for f in sections subsections names lds branches resources; do
            same "$f" $LLVM_MC $triple $cpu $here/$f.s
        done
    done
    [ $triple = $hsa ] && continue
    # From GFX10 on llvm-mc-22 fills RSRC2 with ones, by mistake.
    for cpu in gfx600 gfx701 gfx803 gfx900 gfx90a; do same kernel_code $LLVM_MC $triple $cpu $here/kernel_code.s; done
done
for cpu in gfx1250 gfx1251; do same wide $LLVM_MC $hsa $cpu $here/wide.s; done
same pal $LLVM_MC amdgcn--amdpal gfx900 $here/pal.s
same pal_pairs $LLVM_MC amdgcn--amdpal gfx900 $here/pal_pairs.s

# ---- What clang writes, for every target ----
sources="tests/asm/objects/freestanding.c tests/asm/objects/templates.hip tests/asm/calls.cl bench/kernels.cl"
[ "$all" ] && sources="$sources $(ls tests/device/kernels/*.cl)"
compile() { # SOURCE CPU LEVEL > assembly
    case $1 in
    *.c) set -- "$1" "$2" "$3" --target=$hsa -mcpu="$2" -nogpulib ;;
    *.cl) set -- "$1" "$2" "$3" --target=$hsa -mcpu="$2" -nogpulib -cl-std=CL2.0 -Xclang -finclude-default-header ;;
    *) set -- "$1" "$2" "$3" -x hip --offload-arch="$2" --offload-device-only -nogpuinc -nogpulib ;;
    esac
    file=$1 level=$3
    shift 3
    timeout 120 $CLANG "$@" "$level" -S "$file" -o "$dir/clang.s" 2>"$dir/clang.err"
}
targets=${TARGETS:-$("$bin" targets | sed -n 's/^  \(gfx[^ ]*\) .*/\1/p')}
turn=0
for cpu in $targets; do
    l=0
    for level in -O0 -O1 -O2 -O3; do
        l=$((l + 1))
        [ "$all" ] || [ $((turn % 4 + 1)) = $l ] || continue
        n=0
        for source in $sources; do
            n=$((n + 1))
            [ "$all" ] || [ $((turn / 4 % 4 + 1)) = $n ] || continue
            if compile "$source" "$cpu" $level; then
                same "$(basename "$source") $level" $LLVM_MC $hsa "$cpu" "$dir/clang.s"
            elif grep -q 'not supported\|unsupported\|invalid target ID\|unknown target CPU\|cannot compile\|needs target feature\|exceeds limit\|command failed\|error in backend\|address space' "$dir/clang.err"; then
                # Dynamic stacks, or flat addresses before GFX7.
                skipped=$((skipped + 1)) && echo "skipped: clang does not compile $(basename "$source") $level for $cpu"
            else
                bad "clang $source $cpu $level: $(grep -m1 error "$dir/clang.err")"
            fi
        done
    done
    turn=$((turn + 1))
done

# ---- Code objects of each version ----
# Every EF_AMDGPU_MACH with its features, as V4 and as other systems have them (OBJ-08 to OBJ-14).
echo s_endpgm >"$dir/one.s"
for cpu in $targets; do
    same e_flags $LLVM_MC $hsa "$cpu" "$dir/one.s" 4
    same e_flags $LLVM_MC amdgcn--amdpal "$cpu" "$dir/one.s"
done
compile tests/asm/calls.cl gfx90a -O2
sed '/amdhsa_code_object_version/d' "$dir/clang.s" >"$dir/plain.s"
for version in 4 5 6; do
    for features in "" +xnack -xnack +sramecc,-xnack -sramecc,+xnack +tgsplit; do
        sed "s/gfx90a\"/gfx90a$(echo "$features" | tr ',' '\n' | sed -n 's/^\([-+]\)sramecc$/:sramecc\1/p')$(echo "$features" | tr ',' '\n' | sed -n 's/^\([-+]\)xnack$/:xnack\1/p')\"/; s/\.amdhsa_reserve_xnack_mask.*//" "$dir/plain.s" >"$dir/v.s"
        same "version $version $features" $LLVM_MC $hsa gfx90a "$dir/v.s" $version "$features"
    done
done
if command -v llvm-mc-14 >/dev/null && command -v clang-14 >/dev/null; then
    for cpu in gfx700 gfx701 gfx801 gfx803 gfx810 gfx900 gfx906; do
        same hsa_v2 llvm-mc-14 $hsa $cpu $here/hsa_v2.s 2
    done
    for version in 2 3; do
        for cpu in gfx700 gfx803 gfx900 gfx906 gfx908 gfx90a gfx1010 gfx1030; do
            case $version$cpu in 2gfx908 | 2gfx90a | 2gfx1*) continue ;; esac
            for level in -O0 -O2; do
                clang-14 --target=$hsa -mcpu=$cpu $level -S -mcode-object-version=$version -cl-std=CL2.0 -Xclang \
                    -finclude-default-header -nogpulib tests/asm/calls.cl -o "$dir/clang.s" 2>/dev/null ||
                    bad "clang-14 V$version $cpu"
                same "V$version $level" llvm-mc-14 $hsa $cpu "$dir/clang.s" $version
            done
        done
    done
else
    skipped=$((skipped + 1)) && echo "skipped: llvm-mc-14 is not installed"
fi

# ---- Descriptors: each field with values within and beyond its range (ASM-34 to ASM-73) ----
# llvm-mc goes on behind an error, so one text holds all; the kernels that either refuses are known by their lines.
fields='group_segment_fixed_size private_segment_fixed_size kernarg_size user_sgpr_count
    user_sgpr_private_segment_buffer user_sgpr_dispatch_ptr user_sgpr_queue_ptr user_sgpr_kernarg_segment_ptr
    user_sgpr_dispatch_id user_sgpr_flat_scratch_init user_sgpr_private_segment_size wavefront_size32
    uses_dynamic_stack system_sgpr_private_segment_wavefront_offset enable_private_segment
    system_sgpr_workgroup_id_x system_sgpr_workgroup_id_y system_sgpr_workgroup_id_z system_sgpr_workgroup_info
    system_vgpr_workitem_id next_free_vgpr next_free_sgpr accum_offset reserve_vcc reserve_flat_scratch
    reserve_xnack_mask float_round_mode_32 float_round_mode_16_64 float_denorm_mode_32 float_denorm_mode_16_64
    dx10_clamp ieee_mode round_robin_scheduling fp16_overflow tg_split workgroup_processor_mode memory_ordered
    forward_progress shared_vgpr_count inst_pref_size exception_fp_ieee_invalid_op exception_fp_denorm_src
    exception_fp_ieee_div_zero exception_fp_ieee_overflow exception_fp_ieee_underflow exception_fp_ieee_inexact
    exception_int_div_zero user_sgpr_kernarg_preload_length user_sgpr_kernarg_preload_offset nothing'
values='-1 0 1 2 3 4 5 7 8 12 15 16 17 31 32 63 64 80 81 94 96 97 100 102 103 104 127 128 255 256 511 512 513 1024
    0x80000000 0xffffffff'
pairs='next_free_vgpr=5,accum_offset=8 next_free_vgpr=5,accum_offset=12 kernarg_size=8,user_sgpr_kernarg_preload_length=2
    kernarg_size=8,user_sgpr_kernarg_preload_length=3 user_sgpr_count=1,user_sgpr_dispatch_ptr=1
    user_sgpr_count=2,user_sgpr_dispatch_ptr=1 shared_vgpr_count=2,wavefront_size32=1
    shared_vgpr_count=2,wavefront_size32=0 user_sgpr_count=17,user_sgpr_kernarg_preload_length=9 user_sgpr_kernarg_preload_length=14
    next_free_sgpr=98,reserve_vcc=1 next_free_sgpr=102,reserve_vcc=0
    dx10_clamp=1,dx10_clamp=1'
descriptors() { # CPU > text, nine lines a kernel
    awk -v cpu="$1" -v fields="$fields" -v values="$values" -v pairs="$pairs" '
        function kernel(list,   n, i, part, f, given) {
            n = split(list, part, ",")
            print ".amdhsa_kernel k" count++
            for (i = 1; i <= n; i++) { split(part[i], f, "="); given[f[1]] = 1 }
            print given["next_free_vgpr"] ? "" : ".amdhsa_next_free_vgpr 4"
            print given["next_free_sgpr"] ? "" : ".amdhsa_next_free_sgpr 4"
            print cpu !~ /90a|942|950/ || given["accum_offset"] ? "" : ".amdhsa_accum_offset 4"
            for (i = 1; i <= 4; i++) { split(part[i], f, "="); print i <= n ? ".amdhsa_" f[1] " " f[2] : "" }
            print ".end_amdhsa_kernel"
        }
        BEGIN {
            n = split(fields, field); m = split(values, value); p = split(pairs, pair)
            for (i = 1; i <= n; i++) for (j = 1; j <= m; j++) {
                # Beyond what waves can have, but llvm-mc takes it with waves of 32 lanes.
                if (field[i] == "next_free_vgpr" && value[j] > 256 && cpu ~ /gfx1/) continue
                kernel(field[i] "=" value[j])
            }
            for (i = 1; i <= p; i++) kernel(pair[i])
        }'
}
kernels_of() { sed -n 's/^[^:]*:\([0-9]*\):.*error.*/\1/p' "$1" | awk '{ print int(($1 - 1) / 9) }' | sort -un; }
for cpu in gfx600 gfx701 gfx802 gfx803 gfx900 gfx90a gfx950 gfx1010 gfx1100 gfx1200; do
    descriptors $cpu >"$dir/kd.s"
    : >"$dir/refused.llvm"
    : >"$dir/refused.our"
    # In parts: both stop after a thousand errors.
    split -l 3600 "$dir/kd.s" "$dir/kd.part."
    part=0
    for f in "$dir"/kd.part.*; do
        $LLVM_MC -triple=$hsa -mcpu=$cpu -filetype=obj "$f" -o "$dir/x.o" 2>"$dir/err"
        kernels_of "$dir/err" | awk -v b=$part '{ print $1 + b }' >>"$dir/refused.llvm"
        timeout 60 "$bin" as --target=$cpu "$f" -o "$dir/x.o" 2>"$dir/err"
        kernels_of "$dir/err" | awk -v b=$part '{ print $1 + b }' >>"$dir/refused.our"
        part=$((part + 400))
    done
    rm "$dir"/kd.part.*
    if [ -s "$dir/refused.llvm" ] && cmp -s "$dir/refused.llvm" "$dir/refused.our"; then
        ok
    else
        bad "descriptors of $cpu: kernels refused by one only: $(sort "$dir/refused.llvm" "$dir/refused.our" | uniq -u | head -5 | tr '\n' ' ')"
    fi
    awk 'NR == FNR { no[$1]; next } !(int((FNR - 1) / 9) in no)' "$dir/refused.llvm" "$dir/kd.s" >"$dir/good.s"
    same "$(($(wc -l <"$dir/good.s") / 9)) descriptors" $LLVM_MC $hsa $cpu "$dir/good.s"
done

echo "$passed passed, $failed failed, $skipped skipped"
[ $failed = 0 ]
