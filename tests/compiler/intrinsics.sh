#!/bin/sh
# SPDX-License-Identifier: MIT
# Intrinsics of the target (intrinsics.def) by `softwave cc` and by llc-22, on the same device with random registers at
# launch: the same results, lane by lane (INT-01, INT-02, INT-03, INT-04, INT-05, INT-06, INT-07, INT-08, INT-09, INT-10, INT-13, INT-14, INT-15, INT-16,
# INT-17, INT-18, INT-19, INT-20, INT-21, INT-22, INT-23, INT-24, INT-25, INT-26, INT-27, INT-28, INT-29, INT-30,
# INT-31, INT-32, INT-33, INT-34, INT-35, INT-36, INT-39, INT-42, INT-43, INT-44, INT-45). What a processor does not have is refused by name, with exit 4.
# usage: intrinsics.sh [path of softwave]
. "$(dirname "$0")/../tools.sh"
begin_test "$@"
. "$here/together.inc"
need_llvm_22 "$LLC"
need_reader

# NAME PROCESSORS: instructions from %x, %y, %z (i32, and as floats %fx, %fy, %fz) to %r. Processors: all, 8 (from GFX8
# on), 9, 10, 11, 12, 90a (alone), dot (dot products of gfx90a, gfx942, gfx1030), 950 (gfx950), 1250 (gfx1250), 12w (not GFX12), 68 (GFX6 to GFX9), 10w and 64w (waves of 32 and of 64 lanes).
cat > table << 'T'
sad_u8 all: %r = call i32 @llvm.amdgcn.sad.u8(i32 %x, i32 %y, i32 %z)
sad_hi_u8 all: %r = call i32 @llvm.amdgcn.sad.hi.u8(i32 %x, i32 %y, i32 %z)
sad_u16 all: %r = call i32 @llvm.amdgcn.sad.u16(i32 %x, i32 %y, i32 %z)
msad_u8 all: %r = call i32 @llvm.amdgcn.msad.u8(i32 %x, i32 %y, i32 %z)
lerp all: %r = call i32 @llvm.amdgcn.lerp(i32 %x, i32 %y, i32 %z)
alignbyte all: %b = and i32 %z, 3 | %r = call i32 @llvm.amdgcn.alignbyte(i32 %x, i32 %y, i32 %b)
ubfe all: %b = and i32 %y, 31 | %c = and i32 %z, 31 | %r = call i32 @llvm.amdgcn.ubfe.i32(i32 %x, i32 %b, i32 %c)
sbfe all: %b = and i32 %y, 31 | %c = and i32 %z, 31 | %r = call i32 @llvm.amdgcn.sbfe.i32(i32 %x, i32 %b, i32 %c)
perm 8: %r = call i32 @llvm.amdgcn.perm(i32 %x, i32 %y, i32 %z)
mul_u24 all: %r = call i32 @llvm.amdgcn.mul.u24.i32(i32 %x, i32 %y)
mulhi_i24 all: %r = call i32 @llvm.amdgcn.mulhi.i24(i32 %x, i32 %y)
rcp all: %f = call float @llvm.amdgcn.rcp.f32(float %fx) | %r = bitcast float %f to i32
rsq all: %f = call float @llvm.amdgcn.rsq.f32(float %fx) | %r = bitcast float %f to i32
sqrt all: %f = call float @llvm.amdgcn.sqrt.f32(float %fx) | %r = bitcast float %f to i32
exp2 all: %f = call float @llvm.amdgcn.exp2.f32(float %fx) | %r = bitcast float %f to i32
log all: %f = call float @llvm.amdgcn.log.f32(float %fx) | %r = bitcast float %f to i32
sin all: %f = call float @llvm.amdgcn.sin.f32(float %fx) | %r = bitcast float %f to i32
cos all: %f = call float @llvm.amdgcn.cos.f32(float %fx) | %r = bitcast float %f to i32
fract all: %f = call float @llvm.amdgcn.fract.f32(float %fx) | %r = bitcast float %f to i32
mant all: %f = call float @llvm.amdgcn.frexp.mant.f32(float %fx) | %r = bitcast float %f to i32
exponent all: %r = call i32 @llvm.amdgcn.frexp.exp.i32.f32(float %fx)
med3 all: %f = call float @llvm.amdgcn.fmed3.f32(float %fx, float %fy, float %fz) | %r = bitcast float %f to i32
class all: %c = call i1 @llvm.amdgcn.class.f32(float %fx, i32 %y) | %r = zext i1 %c to i32
cubeid all: %f = call float @llvm.amdgcn.cubeid(float %fx, float %fy, float %fz) | %r = bitcast float %f to i32
cubetc all: %f = call float @llvm.amdgcn.cubetc(float %fx, float %fy, float %fz) | %r = bitcast float %f to i32
fixup all: %f = call float @llvm.amdgcn.div.fixup.f32(float %fx, float %fy, float %fz) | %r = bitcast float %f to i32
fmas all: %c = icmp slt i32 %x, %y | %f = call float @llvm.amdgcn.div.fmas.f32(float %fx, float %fy, float %fz, i1 %c) | %r = bitcast float %f to i32
pkrtz all: %v = call <2 x half> @llvm.amdgcn.cvt.pkrtz(float %fx, float %fy) | %r = bitcast <2 x half> %v to i32
pknorm all: %v = call <2 x i16> @llvm.amdgcn.cvt.pknorm.i16(float %fx, float %fy) | %r = bitcast <2 x i16> %v to i32
pk_u16 all: %v = call <2 x i16> @llvm.amdgcn.cvt.pk.u16(i32 %x, i32 %y) | %r = bitcast <2 x i16> %v to i32
pk_u8 all: %b = and i32 %y, 3 | %r = call i32 @llvm.amdgcn.cvt.pk.u8.f32(float %fx, i32 %b, i32 %z)
first all: %a = call i32 @llvm.amdgcn.readfirstlane.i32(i32 %x) | %r = add i32 %a, %y
lane all: %a = call i32 @llvm.amdgcn.readlane.i32(i32 %x, i32 7) | %r = add i32 %a, %y
lane64 all: %l = zext i32 %x to i64 | %m = shl i64 %l, 7 | %a = call i64 @llvm.amdgcn.readlane.i64(i64 %m, i32 9) | %h = lshr i64 %a, 9 | %b = trunc i64 %h to i32 | %r = add i32 %b, %y
write all: %s = call i32 @llvm.amdgcn.readfirstlane.i32(i32 %y) | %r = call i32 @llvm.amdgcn.writelane.i32(i32 %s, i32 5, i32 %x)
write2 all: %s = call i32 @llvm.amdgcn.readfirstlane.i32(i32 %y) | %l = and i32 %s, 31 | %r = call i32 @llvm.amdgcn.writelane.i32(i32 %s, i32 %l, i32 %x)
write_far all: %s = call i32 @llvm.amdgcn.readfirstlane.i32(i32 %y) | %r = call i32 @llvm.amdgcn.writelane.i32(i32 %s, i32 67, i32 %x)
lane_far all: %a = call i32 @llvm.amdgcn.readlane.i32(i32 %x, i32 71) | %r = add i32 %a, %y
inverse32 10w: %b = call i32 @llvm.amdgcn.readfirstlane.i32(i32 %x) | %c = call i1 @llvm.amdgcn.inverse.ballot.i32(i32 %b) | %r = select i1 %c, i32 %y, i32 %z
inverse_known all: %c = call i1 @llvm.amdgcn.inverse.ballot.i64(i64 1311768467463790320) | %r = select i1 %c, i32 %y, i32 %z
inverse64 64w: %l = zext i32 %x to i64 | %m = mul i64 %l, 5000000007 | %b = call i64 @llvm.amdgcn.readfirstlane.i64(i64 %m) | %c = call i1 @llvm.amdgcn.inverse.ballot.i64(i64 %b) | %r = select i1 %c, i32 %y, i32 %z
ballot all: %c = icmp slt i32 %x, %y | %b = call i64 @llvm.amdgcn.ballot.i64(i1 %c) | %t = trunc i64 %b to i32 | %r = xor i32 %t, %z
icmp all: %b = call i64 @llvm.amdgcn.icmp.i64.i32(i32 %x, i32 %y, i32 34) | %t = trunc i64 %b to i32 | %r = xor i32 %t, %z
mbcnt all: %l = call i32 @llvm.amdgcn.mbcnt.lo(i32 %x, i32 %y) | %r = call i32 @llvm.amdgcn.mbcnt.hi(i32 -1, i32 %l)
bpermute 8: %a = shl i32 %x, 2 | %r = call i32 @llvm.amdgcn.ds.bpermute(i32 %a, i32 %y)
permute 8: %w = and i32 %id, 31 | %n = xor i32 %w, 21 | %a = shl i32 %n, 2 | %r = call i32 @llvm.amdgcn.ds.permute(i32 %a, i32 %y)
swizzle all: %r = call i32 @llvm.amdgcn.ds.swizzle(i32 %x, i32 1055)
quads 8: %r = call i32 @llvm.amdgcn.update.dpp.i32(i32 %y, i32 %x, i32 27, i32 15, i32 15, i1 true)
rows 8: %r = call i32 @llvm.amdgcn.update.dpp.i32(i32 %y, i32 %x, i32 273, i32 15, i32 15, i1 false)
banks 8: %r = call i32 @llvm.amdgcn.update.dpp.i32(i32 %y, i32 %x, i32 320, i32 5, i32 10, i1 false)
dpp64 8: %l = zext i32 %x to i64 | %m = mul i64 %l, 5000000007 | %v = call i64 @llvm.amdgcn.update.dpp.i64(i64 0, i64 %m, i32 78, i32 15, i32 15, i1 true) | %h = lshr i64 %v, 20 | %r = trunc i64 %h to i32
permlane16 10: %s = call i32 @llvm.amdgcn.readfirstlane.i32(i32 %z) | %r = call i32 @llvm.amdgcn.permlane16.i32(i32 %y, i32 %x, i32 %s, i32 305419896, i1 false, i1 false)
permlanex16 10: %r = call i32 @llvm.amdgcn.permlanex16.i32(i32 %y, i32 %x, i32 305419896, i32 19088743, i1 true, i1 false)
bitop3 950: %r = call i32 @llvm.amdgcn.bitop3.i32(i32 %x, i32 %y, i32 %z, i32 202)
bitop3h 950: %a = trunc i32 %x to i16 | %b = trunc i32 %y to i16 | %c = trunc i32 %z to i16 | %h = call i16 @llvm.amdgcn.bitop3.i16(i16 %a, i16 %b, i16 %c, i32 45) | %r = zext i16 %h to i32
ashr_pk 950: %b = and i32 %z, 31 | %h = call i16 @llvm.amdgcn.ashr.pk.u8.i32(i32 %x, i32 %y, i32 %b) | %r = zext i16 %h to i32
eight 10: %r = call i32 @llvm.amdgcn.mov.dpp8.i32(i32 %x, i32 6053264)
fdiv_fast all: %f = call float @llvm.amdgcn.fdiv.fast(float %fx, float %fy) | %r = bitcast float %f to i32
permlane64 11: %r = call i32 @llvm.amdgcn.permlane64.i32(i32 %x)
udot4 dot: %r = call i32 @llvm.amdgcn.udot4(i32 %x, i32 %y, i32 %z, i1 false)
udot8 dot: %r = call i32 @llvm.amdgcn.udot8(i32 %x, i32 %y, i32 %z, i1 true)
sdot4 dot: %r = call i32 @llvm.amdgcn.sdot4(i32 %x, i32 %y, i32 %z, i1 false)
udot2 dot: %a = bitcast i32 %x to <2 x i16> | %b = bitcast i32 %y to <2 x i16> | %r = call i32 @llvm.amdgcn.udot2(<2 x i16> %a, <2 x i16> %b, i32 %z, i1 false)
sdot2 dot: %a = bitcast i32 %x to <2 x i16> | %b = bitcast i32 %y to <2 x i16> | %r = call i32 @llvm.amdgcn.sdot2(<2 x i16> %a, <2 x i16> %b, i32 %z, i1 true)
sdot8 dot: %r = call i32 @llvm.amdgcn.sdot8(i32 %x, i32 %y, i32 %z, i1 false)
sudot8 11: %r = call i32 @llvm.amdgcn.sudot8(i1 true, i32 %x, i1 false, i32 %y, i32 %z, i1 false)
sudot8u 11: %r = call i32 @llvm.amdgcn.sudot8(i1 false, i32 %x, i1 true, i32 %y, i32 %z, i1 true)
movdpp 8: %r = call i32 @llvm.amdgcn.mov.dpp.i32(i32 %x, i32 78, i32 15, i32 15, i1 true)
barriers all: call void @llvm.amdgcn.sched.barrier(i32 0) | call void @llvm.amdgcn.sched.group.barrier(i32 1, i32 1, i32 0) | call void @llvm.amdgcn.iglp.opt(i32 0) | %r = add i32 %x, %y
f_log2 all: %f = call float @llvm.log2.f32(float %fx) | %r = bitcast float %f to i32
f_exp2 all: %f = call float @llvm.exp2.f32(float %fx) | %r = bitcast float %f to i32
f_log all: %f = call float @llvm.log.f32(float %fx) | %r = bitcast float %f to i32
f_exp all: %f = call float @llvm.exp.f32(float %fx) | %r = bitcast float %f to i32
f_log10 all: %f = call float @llvm.log10.f32(float %fx) | %r = bitcast float %f to i32
f_sqrt all: %f = call float @llvm.sqrt.f32(float %fx) | %r = bitcast float %f to i32
f_frexp all: %s = call { float, i32 } @llvm.frexp.f32.i32(float %fx) | %f = extractvalue { float, i32 } %s, 0 | %e = extractvalue { float, i32 } %s, 1 | %i = bitcast float %f to i32 | %r = xor i32 %i, %e
fdot2 dot: %a = bitcast i32 %x to <2 x half> | %b = bitcast i32 %y to <2 x half> | %f = call float @llvm.amdgcn.fdot2(<2 x half> %a, <2 x half> %b, float %fz, i1 false) | %r = bitcast float %f to i32
fmad_ftz 68: %f = call float @llvm.amdgcn.fmad.ftz.f32(float %fx, float %fy, float %fz) | %r = bitcast float %f to i32
dot4fp8fp8 12: %f = call float @llvm.amdgcn.dot4.f32.fp8.fp8(i32 %x, i32 %y, float %fz) | %r = bitcast float %f to i32
dot4fp8bf8 12: %f = call float @llvm.amdgcn.dot4.f32.fp8.bf8(i32 %x, i32 %y, float %fz) | %r = bitcast float %f to i32
dot4bf8fp8 12: %f = call float @llvm.amdgcn.dot4.f32.bf8.fp8(i32 %x, i32 %y, float %fz) | %r = bitcast float %f to i32
dot4bf8bf8 12: %f = call float @llvm.amdgcn.dot4.f32.bf8.bf8(i32 %x, i32 %y, float %fz) | %r = bitcast float %f to i32
sudot4 11: %r = call i32 @llvm.amdgcn.sudot4(i1 true, i32 %x, i1 false, i32 %y, i32 %z, i1 false)
sdot4iu 11: %r = call i32 @llvm.amdgcn.sudot4(i1 true, i32 %x, i1 true, i32 %y, i32 %z, i1 true)
red_umin 8: %a = call i32 @llvm.amdgcn.wave.reduce.umin.i32(i32 %x, i32 0) | %r = xor i32 %a, %y
red_umax 8: %a = call i32 @llvm.amdgcn.wave.reduce.umax.i32(i32 %x, i32 0) | %r = xor i32 %a, %y
red_min 8: %a = call i32 @llvm.amdgcn.wave.reduce.min.i32(i32 %x, i32 0) | %r = xor i32 %a, %y
red_max 8: %a = call i32 @llvm.amdgcn.wave.reduce.max.i32(i32 %x, i32 0) | %r = xor i32 %a, %y
red_add 8: %a = call i32 @llvm.amdgcn.wave.reduce.add.i32(i32 %x, i32 0) | %r = xor i32 %a, %y
red_sub 8: %a = call i32 @llvm.amdgcn.wave.reduce.sub.i32(i32 %x, i32 0) | %r = xor i32 %a, %y
red_and 8: %a = call i32 @llvm.amdgcn.wave.reduce.and.i32(i32 %x, i32 0) | %r = xor i32 %a, %y
red_or 8: %a = call i32 @llvm.amdgcn.wave.reduce.or.i32(i32 %x, i32 0) | %r = xor i32 %a, %y
red_xor 8: %a = call i32 @llvm.amdgcn.wave.reduce.xor.i32(i32 %x, i32 0) | %r = xor i32 %a, %y
red_strategy 8: %a = call i32 @llvm.amdgcn.wave.reduce.umin.i32(i32 %y, i32 1) | %b = call i32 @llvm.amdgcn.wave.reduce.umax.i32(i32 %y, i32 2) | %c = sub i32 %b, %a | %r = xor i32 %c, %x
red_uniform 8: %s = call i32 @llvm.amdgcn.readfirstlane.i32(i32 %x) | %a = call i32 @llvm.amdgcn.wave.reduce.add.i32(i32 %s, i32 0) | %r = add i32 %a, %y
red_some 8: %c = icmp slt i32 %x, %y | br i1 %c, label %some, label %all | some: | %u = call i32 @llvm.amdgcn.wave.reduce.umax.i32(i32 %x, i32 0) | br label %all | all: | %r = phi i32 [ %u, %some ], [ %z, %0 ]
red64_umin 8: %l = zext i32 %x to i64 | %m = mul i64 %l, 5000000007 | %a = call i64 @llvm.amdgcn.wave.reduce.umin.i64(i64 %m, i32 0) | %h = lshr i64 %a, 31 | %t = trunc i64 %h to i32 | %r = xor i32 %t, %y
red64_max 8: %l = zext i32 %x to i64 | %m = mul i64 %l, 5000000007 | %a = call i64 @llvm.amdgcn.wave.reduce.max.i64(i64 %m, i32 0) | %h = lshr i64 %a, 31 | %t = trunc i64 %h to i32 | %r = xor i32 %t, %y
red64_add 8: %l = zext i32 %x to i64 | %m = mul i64 %l, 5000000007 | %a = call i64 @llvm.amdgcn.wave.reduce.add.i64(i64 %m, i32 0) | %h = lshr i64 %a, 31 | %t = trunc i64 %h to i32 | %r = xor i32 %t, %y
red64_sub 8: %l = zext i32 %x to i64 | %m = mul i64 %l, 5000000007 | %a = call i64 @llvm.amdgcn.wave.reduce.sub.i64(i64 %m, i32 0) | %h = lshr i64 %a, 31 | %t = trunc i64 %h to i32 | %r = xor i32 %t, %y
red64_xor 8: %l = zext i32 %x to i64 | %m = mul i64 %l, 5000000007 | %a = call i64 @llvm.amdgcn.wave.reduce.xor.i64(i64 %m, i32 0) | %h = lshr i64 %a, 31 | %t = trunc i64 %h to i32 | %r = xor i32 %t, %y
red_fadd 8: %f = call float @llvm.amdgcn.wave.reduce.fadd.f32(float %fz, i32 0) | %a = bitcast float %f to i32 | %r = xor i32 %a, %y
red_fsub 8: %f = call float @llvm.amdgcn.wave.reduce.fsub.f32(float %fz, i32 0) | %a = bitcast float %f to i32 | %r = xor i32 %a, %y
red_fmin 8: %f = call float @llvm.amdgcn.wave.reduce.fmin.f32(float %fz, i32 0) | %a = bitcast float %f to i32 | %r = xor i32 %a, %y
red_fmax 8: %f = call float @llvm.amdgcn.wave.reduce.fmax.f32(float %fz, i32 0) | %a = bitcast float %f to i32 | %r = xor i32 %a, %y
mode all: %m = call i32 @llvm.get.fpmode.i32() | %r = add i32 %m, %x
rounding all: %m = call i32 @llvm.get.rounding() | %r = add i32 %m, %x
round0 all: call void @llvm.set.rounding(i32 0) | %m = call i32 @llvm.get.rounding() | %n = call i32 @llvm.get.fpmode.i32() | %o = shl i32 %n, 8 | %p = xor i32 %m, %o | %r = add i32 %p, %x
round2 all: call void @llvm.set.rounding(i32 2) | %m = call i32 @llvm.get.rounding() | %n = call i32 @llvm.get.fpmode.i32() | %o = shl i32 %n, 8 | %p = xor i32 %m, %o | %r = add i32 %p, %x
round3 all: call void @llvm.set.rounding(i32 3) | %m = call i32 @llvm.get.rounding() | %n = call i32 @llvm.get.fpmode.i32() | %o = shl i32 %n, 8 | %p = xor i32 %m, %o | %r = add i32 %p, %x
round9 all: call void @llvm.set.rounding(i32 9) | %m = call i32 @llvm.get.rounding() | %n = call i32 @llvm.get.fpmode.i32() | %o = shl i32 %n, 8 | %p = xor i32 %m, %o | %r = add i32 %p, %x
round14 all: call void @llvm.set.rounding(i32 14) | %m = call i32 @llvm.get.rounding() | %n = call i32 @llvm.get.fpmode.i32() | %o = shl i32 %n, 8 | %p = xor i32 %m, %o | %r = add i32 %p, %x
round19 all: call void @llvm.set.rounding(i32 19) | %m = call i32 @llvm.get.rounding() | %n = call i32 @llvm.get.fpmode.i32() | %o = shl i32 %n, 8 | %p = xor i32 %m, %o | %r = add i32 %p, %x
round_var all: %a = lshr i32 %x, 30 | call void @llvm.set.rounding(i32 %a) | %m = call i32 @llvm.get.rounding() | %r = add i32 %m, %x
environment 12w: %m = call i64 @llvm.get.fpenv.i64() | %n = xor i64 %m, 5 | call void @llvm.set.fpenv.i64(i64 %n) | %o = call i64 @llvm.get.fpenv.i64() | %t = trunc i64 %o to i32 | %h = lshr i64 %o, 32 | %u = trunc i64 %h to i32 | %v = xor i32 %t, %u | %r = add i32 %v, %x
swap16ff 950: %s = call { i32, i32 } @llvm.amdgcn.permlane16.swap(i32 %x, i32 %y, i1 false, i1 false) | %a = extractvalue { i32, i32 } %s, 0 | %b = extractvalue { i32, i32 } %s, 1 | %m = mul i32 %a, 77 | %n = add i32 %m, %b | %r = xor i32 %n, %x
swap16tf 950: %s = call { i32, i32 } @llvm.amdgcn.permlane16.swap(i32 %x, i32 %y, i1 true, i1 false) | %a = extractvalue { i32, i32 } %s, 0 | %b = extractvalue { i32, i32 } %s, 1 | %m = mul i32 %a, 77 | %n = add i32 %m, %b | %r = xor i32 %n, %x
swap16ft 950: %s = call { i32, i32 } @llvm.amdgcn.permlane16.swap(i32 %x, i32 %y, i1 false, i1 true) | %a = extractvalue { i32, i32 } %s, 0 | %b = extractvalue { i32, i32 } %s, 1 | %m = mul i32 %a, 77 | %n = add i32 %m, %b | %r = xor i32 %n, %x
swap32ff 950: %s = call { i32, i32 } @llvm.amdgcn.permlane32.swap(i32 %x, i32 %y, i1 false, i1 false) | %a = extractvalue { i32, i32 } %s, 0 | %b = extractvalue { i32, i32 } %s, 1 | %m = mul i32 %a, 77 | %n = add i32 %m, %b | %r = xor i32 %n, %x
swap32tf 950: %s = call { i32, i32 } @llvm.amdgcn.permlane32.swap(i32 %x, i32 %y, i1 true, i1 false) | %a = extractvalue { i32, i32 } %s, 0 | %b = extractvalue { i32, i32 } %s, 1 | %m = mul i32 %a, 77 | %n = add i32 %m, %b | %r = xor i32 %n, %x
swap32ft 950: %s = call { i32, i32 } @llvm.amdgcn.permlane32.swap(i32 %x, i32 %y, i1 false, i1 true) | %a = extractvalue { i32, i32 } %s, 0 | %b = extractvalue { i32, i32 } %s, 1 | %m = mul i32 %a, 77 | %n = add i32 %m, %b | %r = xor i32 %n, %x
prng 1250: %r = call i32 @llvm.amdgcn.prng.b32(i32 %x)
tanh 1250: %f = call float @llvm.amdgcn.tanh.f32(float %fx) | %r = bitcast float %f to i32
tanh16 1250: %h = fptrunc float %fx to half | %f = call half @llvm.amdgcn.tanh.f16(half %h) | %i = bitcast half %f to i16 | %r = zext i16 %i to i32
sat_i4 1250: %h = call i16 @llvm.amdgcn.sat.pk4.i4.i8(i32 %x) | %r = zext i16 %h to i32
sat_u4 1250: %h = call i16 @llvm.amdgcn.sat.pk4.u4.u8(i32 %x) | %r = zext i16 %h to i32
add_max 1250: %r = call i32 @llvm.amdgcn.add.max.i32(i32 %x, i32 %y, i32 %z, i1 true)
add_max_u 1250: %r = call i32 @llvm.amdgcn.add.max.u32(i32 %x, i32 %y, i32 %z, i1 false)
add_min 1250: %r = call i32 @llvm.amdgcn.add.min.i32(i32 %x, i32 %y, i32 %z, i1 false)
add_min_u 1250: %r = call i32 @llvm.amdgcn.add.min.u32(i32 %x, i32 %y, i32 %z, i1 true)
pk_add_max 1250: %a = bitcast i32 %x to <2 x i16> | %b = bitcast i32 %y to <2 x i16> | %c = bitcast i32 %z to <2 x i16> | %v = call <2 x i16> @llvm.amdgcn.pk.add.max.i16(<2 x i16> %a, <2 x i16> %b, <2 x i16> %c, i1 true) | %r = bitcast <2 x i16> %v to i32
pk_add_min_u 1250: %a = bitcast i32 %x to <2 x i16> | %b = bitcast i32 %y to <2 x i16> | %c = bitcast i32 %z to <2 x i16> | %v = call <2 x i16> @llvm.amdgcn.pk.add.min.u16(<2 x i16> %a, <2 x i16> %b, <2 x i16> %c, i1 false) | %r = bitcast <2 x i16> %v to i32
bcast 1250: %r = call i32 @llvm.amdgcn.permlane.bcast(i32 %x, i32 3, i32 8)
lane_up 1250: %r = call i32 @llvm.amdgcn.permlane.up(i32 %x, i32 1, i32 16)
lane_down 1250: %r = call i32 @llvm.amdgcn.permlane.down(i32 %x, i32 2, i32 16)
lane_xor 1250: %r = call i32 @llvm.amdgcn.permlane.xor(i32 %x, i32 5, i32 32)
idx_gen 1250: %r = call i32 @llvm.amdgcn.permlane.idx.gen(i32 %x, i32 8)
size all: %n = call i32 @llvm.amdgcn.wavefrontsize() | %r = add i32 %n, %x
getreg all: %n = call i32 @llvm.amdgcn.s.getreg(i32 14593) | %r = add i32 %n, %x
T

. "$here/rows.inc"
${CC:-cc} -w -x c -o make_input - << 'C' || exit 1
#include <stdio.h>
#include <string.h>
int main(void) {
    static const char *const names[] = {"a.in", "b.in", "c.in"};
    unsigned s = 7, v[64];
    float f;
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < 64; i++) {
            s = s * 1664525 + 1013904223;
            f = (float)((int)(s >> 8) % 2000 - 1000) / 64, memcpy(&v[i], &f, 4);
            if (i % 3 == 0) v[i] = s;
            if (i % 3 == 1) v[i] = s >> 26;
        }
        FILE *o = fopen(names[k], "wb");
        fwrite(v, sizeof v, 1, o), fclose(o);
    }
}
C
./make_input && mkdir ours llc || exit 1
for one in gfx600:all,12w,68 gfx803:all,8,12w,64w,68 gfx900:68 gfx90a:all,8,dot,12w,64w gfx942:all,8,dot,12w,64w gfx950:950 gfx1030:all,8,10,dot,12w,10w gfx1030.64:all,8,10,12w,64w gfx1100:all,8,10,11,12w,10w gfx1201:all,8,10,11,12,10w gfx1250:all,8,10,11,10w,1250; do
    rows=$(echo "${one#*:}" | tr , '|') processor=${one%%:*} target=${processor%.64} wave=
    [ "$target" = "$processor" ] || wave=+wavefrontsize64
    module "$rows" > all.ll
    whole "$processor" all.ll llc.co "$LLC" -mtriple=amdgcn-amd-amdhsa -O2 -mcpu="$target" ${wave:+-mattr=$wave} -filetype=obj
    whole "$processor" all.ll ours.co "$softwave" cc --verify --target="$target" ${wave:+--mattr=$wave}
    names=$(kernels_of all.ll)
    for object in ours llc; do
        for name in $names; do
            echo "$name -g 64 -b 64 buf:256,out=$object/$name buf:in=a.in buf:in=b.in buf:in=c.in"
        done > jobs
        rm -f $object/*
        run_all "$processor" jobs $object.co --init=random:5 --target="$target"
    done
    compare_all ours llc
    for name in $names; do alike "$name" && pass || wrong "$processor $name: $(cmp ours/"$name" llc/"$name" 2>&1)"; done
done
# Not there.
for one in gfx600:bpermute gfx803:permlane16 gfx1030:permlane64 gfx600:quads; do
    module "8|10|11" | sed -n "/@${one#*:}(/,/^}/p" > one.ll
    "$softwave" cc --target="${one%%:*}" one.ll -o one.co 2> message
    [ $? -eq 4 ] && grep -q "the intrinsic llvm.amdgcn.* on this processor is not supported" message && pass || wrong "$one: $(cat message)"
done
end_test
