#!/bin/sh
# SPDX-License-Identifier: MIT
# Constrained floating point (llvm.experimental.constrained.*; INT-14, INT-15) by `softwave cc`, under each rounding that the program
# sets: the results are those of this host's processor under the same rounding, bit for bit. Functions that the host computes
# otherwise are those of the same name without constraints. Operations with exceptions stand where they were written, whether
# anybody needs their results or not. usage: rounding.sh [path of softwave]; TARGETS chooses others.
. "$(dirname "$0")/../tools.sh"
begin_test "$@"
need_reader
${CC:-cc} -w -O1 -frounding-math -o rounding "$here/rounding.c" -lm || exit 1
./rounding ll > all.ll || exit 1
for type in f16 f32 f64; do
    ./rounding input $type $type.a $type.b $type.c || exit 1
    for mode in 0 1 2 3; do ./rounding expected $type $mode $type.a $type.b $type.c $type.$mode || exit 1; done
done
for one in ${TARGETS:-gfx600 gfx803 gfx90a gfx942 gfx1030 gfx1030:64 gfx1100 gfx1201 gfx1250}; do
    target=${one%%:*} wave=${one#"$target"} && wave=${wave#:}
    for level in 0 2; do
        "$softwave" cc --verify -O$level --target="$target" ${wave:+--mattr=+wavefrontsize$wave} all.ll -o ours.co 2> message ||
            { wrong "$one: cc: $(head -n 3 message)" && continue; }
        for type in f16 f32 f64; do
            for mode in 0 1 2 3; do
                "$softwave" run --init=random:3 --target="$target" -k $type -g 512 -b 64 ours.co "buf:$(($(./rounding count $type) * 4096)),out=out" buf:in=$type.a \
                    buf:in=$type.b buf:in=$type.c i32:$mode > message 2>&1 || { wrong "$one $type: $(head -n 2 message)" && continue; }
                found=$(./rounding compare $type out $type.$mode $type.a $type.b)
                [ -z "$found" ] && pass || wrong "$one -O$level $type rounding $mode: $found"
            done
        done
    done
done
# Other functions: as without constraints, under the rounding that a wave begins with.
for name in exp exp2 log log2 log10 sin cos pow powi; do
    case $name in pow) more=', float %b' type='float, float' ;; powi) more=', i32 %n' type='float, i32' ;; *) more='' type=float ;; esac
    suffix=f32 && [ $name != powi ] || suffix=f32.i32
    cat << S
declare float @llvm.$name.$suffix($type)
define amdgpu_kernel void @$name(ptr addrspace(1) %out, ptr addrspace(1) %in0, ptr addrspace(1) %in1) #0 {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %p = getelementptr i64, ptr addrspace(1) %in0, i32 %id
  %q = getelementptr i64, ptr addrspace(1) %in1, i32 %id
  %a = load float, ptr addrspace(1) %p
  %b = load float, ptr addrspace(1) %q
  %k = load i32, ptr addrspace(1) %q
  %n = ashr i32 %k, 26
  %r = call float @llvm.experimental.constrained.$name.$suffix(float %a$more, metadata !"round.dynamic", metadata !"fpexcept.strict") strictfp
  %s = call float @llvm.$name.$suffix(float %a$more)
  %x = bitcast float %r to i32
  %y = bitcast float %s to i32
  %d = xor i32 %x, %y
  %o = getelementptr i32, ptr addrspace(1) %out, i32 %id
  store i32 %d, ptr addrspace(1) %o
  %v = getelementptr i32, ptr addrspace(1) %o, i32 64
  store float %r, ptr addrspace(1) %v
  ret void
}
S
done > functions.ll
echo 'attributes #0 = { strictfp "amdgpu-flat-work-group-size"="64,64" }' >> functions.ll
head -c 256 /dev/zero > zero
for target in gfx600 gfx90a gfx1100; do
    "$softwave" cc --verify --target=$target functions.ll -o ours.co 2> message || wrong "functions $target: $(head -n 3 message)"
    for name in exp exp2 log log2 log10 sin cos pow powi; do
        "$softwave" run --target=$target -k $name -g 64 -b 64 ours.co buf:512,out=out buf:in=f32.a buf:in=f32.b > message 2>&1 || wrong "$name $target: $(cat message)"
        head -c 256 out | cmp -s - zero && [ "$(tail -c 256 out | tr -d '\0' | wc -c)" -gt 64 ] && pass || wrong "$name $target differs"
    done
done

# Exceptions: what nobody needs stays, and in its place; a comparison that signals has an exception for NaN, too.
cat > order.ll << 'S'
define amdgpu_kernel void @k(ptr addrspace(1) %p, float %a, float %b, double %d) strictfp {
  %r0 = call float @llvm.experimental.constrained.fmul.f32(float %a, float %b, metadata !"round.dynamic", metadata !"fpexcept.strict") strictfp
  %r1 = call float @llvm.experimental.constrained.fadd.f32(float %a, float %b, metadata !"round.dynamic", metadata !"fpexcept.strict") strictfp
  call void @llvm.set.rounding(i32 2)
  %r2 = call float @llvm.experimental.constrained.fma.f32(float %a, float %b, float %a, metadata !"round.upward", metadata !"fpexcept.strict") strictfp
  %r3 = call double @llvm.experimental.constrained.ceil.f64(double %d, metadata !"fpexcept.strict") strictfp
  %r4 = call i1 @llvm.experimental.constrained.fcmps.f32(float %a, float %b, metadata !"ogt", metadata !"fpexcept.strict") strictfp
  %r5 = call float @llvm.experimental.constrained.fadd.f32(float %a, float 1.0, metadata !"round.dynamic", metadata !"fpexcept.maytrap") strictfp
  %r6 = call float @llvm.experimental.constrained.fmul.f32(float %a, float 3.0, metadata !"round.dynamic", metadata !"fpexcept.ignore") strictfp
  ret void
}
S
for target in gfx90a gfx1100 gfx1201; do
    "$softwave" cc --verify --target=$target -S order.ll -o order.s 2> message || wrong "order $target: $(head -n 3 message)"
    found=$(grep -oE '[vs]_(mul_f32|add_f32|fma_f32|fmac_f32|setreg|ceil_f64|cmp_u_f32|sub_f32|cmp_gt_f32)' order.s | sed 's/fmac/fma/' | tr '\n' ' ')
    [ "$found" = "v_mul_f32 v_add_f32 s_setreg v_fma_f32 v_ceil_f64 v_cmp_u_f32 v_sub_f32 v_cmp_gt_f32 " ] && pass || wrong "order $target: $found"
done
# refused TEXT CALL
refused() {
    echo "define amdgpu_kernel void @k(ptr addrspace(1) %p, float %a, bfloat %b) strictfp {
  %r = call $2
  ret void
}" > refused.ll
    "$softwave" cc --target=gfx90a refused.ll -o refused.co 2> message
    [ $? = 4 ] && grep -q "function @k: .*$1 is not supported" message && pass || wrong "not refused: $1: $(cat message)"
}
refused 'the intrinsic llvm.experimental.constrained.acos.f32' 'float @llvm.experimental.constrained.acos.f32(float %a, metadata !"round.dynamic", metadata !"fpexcept.strict")'
refused 'rounding of bf16 that is not known to be to nearest' 'bfloat @llvm.experimental.constrained.fadd.bf16(bfloat %b, bfloat %b, metadata !"round.upward", metadata !"fpexcept.strict")'
end_test
