#!/bin/sh
# softwave as against llvm-mc-22: objects equal byte for byte, for hand-written text and clang's output.
# Usage: tests/asm/as.sh [build/softwave]
. "$(dirname "$0")/../tools.sh"
bin=${1:-build/softwave}
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
passed=0 failed=0 skipped=0
ok() { passed=$((passed + 1)); }
bad() { failed=$((failed + 1)) && echo "FAIL: $*"; }

# object NAME CPU FILE [OPTION...]: both assemble FILE to the same bytes.
object() {
    name=$1 cpu=$2 file=$3
    shift 3
    if ! $LLVM_MC -triple=amdgcn-amd-amdhsa -mcpu="$cpu" "$@" -filetype=obj "$file" -o "$dir/llvm.o" 2>"$dir/llvm.err"; then
        bad "$name $cpu: llvm-mc refuses: $(grep -m1 error "$dir/llvm.err")"
    elif ! timeout 20 "$bin" as --target="$cpu" "$@" "$file" -o "$dir/our.o" 2>"$dir/our.err"; then
        bad "$name $cpu: refused: $(grep -m1 error "$dir/our.err")"
    elif cmp -s "$dir/llvm.o" "$dir/our.o"; then
        ok
    else
        bad "$name $cpu: the objects differ"
    fi
}
# refused NAME MESSAGE: the text on standard input is an error, for LLVM too.
refused() {
    cat >"$dir/bad.s"
    if $LLVM_MC -triple=amdgcn-amd-amdhsa -mcpu=gfx900 -filetype=obj "$dir/bad.s" -o "$dir/bad.o" 2>/dev/null; then
        bad "$1: llvm-mc accepts it"
    elif timeout 20 "$bin" as --target=gfx900 "$dir/bad.s" -o "$dir/bad.o" 2>"$dir/err"; then
        bad "$1: accepted"
    elif grep -qF "$2" "$dir/err"; then
        ok
    else
        bad "$1: $(head -1 "$dir/err")"
    fi
}

need_llvm_22 $LLVM_MC $CLANG

for f in tests/asm/*.s; do
    for cpu in gfx900 gfx90a gfx1030; do
        object "$f" $cpu "$f" -I tests/asm
    done
done

# Every descriptor field on every class of processor (KD rows, ASM-35 to ASM-73).
# Kernels of one text, so that one comparison shows them all.
descriptor() {
    kernels=$((kernels + 1))
    echo ".amdhsa_kernel k$kernels"
    for field in "$@"; do echo ".amdhsa_${field%=*} ${field#*=}"; done
    echo ".end_amdhsa_kernel"
} >>"$dir/kd.s"
for cpu in gfx600 gfx700 gfx801 gfx802 gfx803 gfx810 gfx900 gfx906 gfx908 gfx90a gfx942 gfx950 gfx1010 gfx1030 gfx1100 gfx1151 gfx1200 gfx9-generic gfx12-generic; do
    case $cpu in gfx90a | gfx942 | gfx950) accum=accum_offset=4 ;; *) accum=kernarg_size=8 ;; esac
    kernels=0
    : >"$dir/kd.s"
    for n in 1 8 9 24 64 65 ; do descriptor next_free_vgpr=$n next_free_sgpr=$n $accum; done
    for n in 0 1 10 11 12 13 14 15 16 26 96; do
        [ $cpu = gfx802 ] && [ $n -gt 80 ] && continue
        descriptor next_free_vgpr=4 next_free_sgpr=$n $accum
        descriptor next_free_vgpr=4 next_free_sgpr=$n reserve_vcc=0 $accum
    done
    for field in group_segment_fixed_size=100 private_segment_fixed_size=16 user_sgpr_count=7 user_sgpr_dispatch_ptr=1 \
        user_sgpr_queue_ptr=1 user_sgpr_kernarg_segment_ptr=1 user_sgpr_dispatch_id=1 user_sgpr_private_segment_size=1 \
        uses_dynamic_stack=1 system_sgpr_workgroup_id_x=0 system_sgpr_workgroup_id_y=1 system_sgpr_workgroup_id_z=1 \
        system_sgpr_workgroup_info=1 system_vgpr_workitem_id=2 float_round_mode_32=1 float_round_mode_16_64=2 \
        float_denorm_mode_32=3 float_denorm_mode_16_64=0 exception_fp_ieee_invalid_op=1 exception_fp_denorm_src=1 \
        exception_fp_ieee_div_zero=1 exception_fp_ieee_overflow=1 exception_fp_ieee_underflow=1 \
        exception_fp_ieee_inexact=1 exception_int_div_zero=1; do
        descriptor next_free_vgpr=4 next_free_sgpr=4 $accum $field
    done
    object "$kernels descriptors" $cpu "$dir/kd.s"
    # Those that only some have: both must agree on which.
    for field in user_sgpr_private_segment_buffer=1 user_sgpr_flat_scratch_init=1 reserve_flat_scratch=0 \
        reserve_xnack_mask=1 wavefront_size32=0 enable_private_segment=1 \
        system_sgpr_private_segment_wavefront_offset=1 dx10_clamp=0 ieee_mode=0 round_robin_scheduling=1 \
        fp16_overflow=1 tg_split=1 workgroup_processor_mode=0 memory_ordered=0 forward_progress=0 \
        inst_pref_size=3 user_sgpr_kernarg_preload_length=2; do
        printf '.amdhsa_kernel k\n.amdhsa_next_free_vgpr 4\n.amdhsa_next_free_sgpr 13\n.amdhsa_%s\n.amdhsa_%s\n.end_amdhsa_kernel\n' \
            "$(echo $accum | tr = ' ')" "$(echo $field | tr = ' ')" >"$dir/kd.s"
        if $LLVM_MC -triple=amdgcn-amd-amdhsa -mcpu=$cpu -filetype=obj "$dir/kd.s" -o "$dir/llvm.o" 2>/dev/null; then
            object "$field" $cpu "$dir/kd.s"
        elif timeout 20 "$bin" as --target=$cpu "$dir/kd.s" -o "$dir/our.o" 2>/dev/null; then
            bad "$field on $cpu: LLVM refuses it"
        else
            ok
        fi
    done
done

# Code objects of each version (OBJ-04, OBJ-09, OBJ-10).
echo 's_endpgm' >"$dir/v.s"
for v in 4 5 6; do
    printf '.amdhsa_code_object_version %s\ns_endpgm\n' $v >"$dir/v.s"
    object "version $v" gfx90a "$dir/v.s"
done

# Features switched on the command line reach the descriptor and e_flags (ASM-46, ASM-59, ASM-66, ASM-67).
: >"$dir/kd.s"
kernels=0
descriptor next_free_vgpr=4 next_free_sgpr=13
for f in +wavefrontsize64 +cumode; do object "-mattr=$f" gfx1030 "$dir/kd.s" -mattr=$f; done
descriptor next_free_vgpr=4 next_free_sgpr=13 accum_offset=4
sed -i 1,4d "$dir/kd.s"
for f in +tgsplit -xnack +xnack,+sramecc -xnack,-sramecc; do object "-mattr=$f" gfx90a "$dir/kd.s" -mattr=$f; done

# What clang writes: code, descriptors, resource symbols, metadata (ASM-74, RES-01 to RES-10).
for cpu in gfx700 gfx803 gfx900 gfx906 gfx908 gfx90a gfx942 gfx950 gfx1010 gfx1030 gfx1100 gfx1150 gfx1201 gfx9-generic gfx11-generic gfx12-generic; do
    for o in -O0 -O2; do
        if timeout 60 $CLANG --target=amdgcn-amd-amdhsa -mcpu=$cpu $o -S -cl-std=CL2.0 -Xclang -finclude-default-header \
            -nogpulib tests/asm/calls.cl -o "$dir/clang.s" 2>/dev/null; then
            object "clang $o" $cpu "$dir/clang.s"
        else
            skipped=$((skipped + 1))
        fi
    done
done

refused "division" "division by zero" <<'T'
.long 1/0-x
.long 1/0
T
refused "label twice" "symbol 'a' is already defined" <<'T'
a: a:
T
refused "far label" "undefined label" <<'T'
s_branch nowhere
T
refused "branch range" "branch size exceeds simm16" <<'T'
s_branch far
.zero 1000000
far:
T
refused "vgprs" ".amdhsa_next_free_vgpr directive is required" <<'T'
.amdhsa_kernel k
.amdhsa_next_free_sgpr 1
.end_amdhsa_kernel
T
refused "macro without end" "no matching '.endmacro'" <<'T'
.macro m
T
refused "recursion" "nested more than" <<'T'
.macro m
m
.endm
m
T
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed = 0 ]
