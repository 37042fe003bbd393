#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Kernels for conversions.sh: each conversion of 8, 6 and 4-bit floats with each byte that it can take or write, a line
# each: name, group of processors (fp8, 950), instructions with | between them, from i32 %x, %y, %z and float %fx, %fy to
# i32 %r. (Of what v_cvt_scalef32_sr_pk_fp4 leaves alone, llc-22 keeps nothing: only what it writes is compared.)
rows=[]
def k(name,cond,text): rows.append(f"{name} {cond}: {text}")
for f in ('fp8','bf8'):
    for b in range(4):
        k(f"{f}_f32_{b}","fp8",f"%f = call float @llvm.amdgcn.cvt.f32.{f}(i32 %x, i32 {b}) | %i = bitcast float %f to i32 | %r = xor i32 %i, %y")
        k(f"{f}_sr_{b}","fp8",f"%r = call i32 @llvm.amdgcn.cvt.sr.{f}.f32(float %fx, i32 %y, i32 %z, i32 {b})")
    for h in ('true','false'):
        k(f"{f}_pkf_{h}","fp8",f"%v = call <2 x float> @llvm.amdgcn.cvt.pk.f32.{f}(i32 %x, i1 {h}) | %w = bitcast <2 x float> %v to i64 | %h = lshr i64 %w, 32 | %t = trunc i64 %w to i32 | %u = trunc i64 %h to i32 | %n = mul i32 %u, 3 | %r = add i32 %n, %t")
        k(f"{f}_pk_{h}","fp8",f"%r = call i32 @llvm.amdgcn.cvt.pk.{f}.f32(float %fx, float %fy, i32 %z, i1 {h})")
sc="%sb = and i32 %z, 7 | %sc = add i32 %sb, 124 | %si = shl i32 %sc, 23 | %s = bitcast i32 %si to float | "
halves="%hx = bitcast i32 %x to <2 x half> | %bx = bitcast i32 %x to <2 x bfloat> | %oz = bitcast i32 %z to <2 x i16> | "
T={'f32':'float','f16':'half','bf16':'bfloat'}; V={'f16':'%hx','bf16':'%bx'}
for f in ('fp8','bf8'):
  for t in T:
    for h in ('false','true'):
      src="float %fx, float %fy" if t=='f32' else f"<2 x {T[t]}> {V[t]}"
      k(f"s_pk_{f}_{t}_{h}","950",halves+sc+f"%v = call <2 x i16> @llvm.amdgcn.cvt.scalef32.pk.{f}.{t}(<2 x i16> %oz, {src}, float %s, i1 {h}) | %r = bitcast <2 x i16> %v to i32")
      if t=='f32':
        k(f"s_upk_{f}_{t}_{h}","950",sc+f"%v = call <2 x float> @llvm.amdgcn.cvt.scalef32.pk.f32.{f}(i32 %x, float %s, i1 {h}) | %w = bitcast <2 x float> %v to i64 | %h = lshr i64 %w, 32 | %t = trunc i64 %w to i32 | %u = trunc i64 %h to i32 | %n = mul i32 %u, 3 | %r = add i32 %n, %t")
      else:
        k(f"s_upk_{f}_{t}_{h}","950",sc+f"%v = call <2 x {T[t]}> @llvm.amdgcn.cvt.scalef32.pk.{t}.{f}(i32 %x, float %s, i1 {h}) | %r = bitcast <2 x {T[t]}> %v to i32")
    for b in range(0,4):
      e="%fx" if t=='f32' else "%e"
      pre="" if t=='f32' else f"%e = extractelement <2 x {T[t]}> {V[t]}, i32 0 | "
      k(f"s_sr_{f}_{t}_{b}","950",halves+sc+pre+f"%r = call i32 @llvm.amdgcn.cvt.scalef32.sr.{f}.{t}(i32 %z, {T[t]} {e}, i32 %y, float %s, i32 {b})")
  for b in range(4):
    k(f"s_f32_{f}_{b}","950",sc+f"%f = call float @llvm.amdgcn.cvt.scalef32.f32.{f}(i32 %x, float %s, i32 {b}) | %r = bitcast float %f to i32")
    for h in ('false','true'):
      k(f"s_f16_{f}_{b}_{h}","950",sc+f"%ho = bitcast i32 %y to <2 x half> | %f = call <2 x half> @llvm.amdgcn.cvt.scalef32.f16.{f}(<2 x half> %ho, i32 %x, float %s, i32 {b}, i1 {h}) | %r = bitcast <2 x half> %f to i32")
for t in T:
  for b in range(4):
    src="float %fx, float %fy" if t=='f32' else f"<2 x {T[t]}> {V[t]}"
    k(f"s_pk_fp4_{t}_{b}","950",halves+sc+f"%r = call i32 @llvm.amdgcn.cvt.scalef32.pk.fp4.{t}(i32 %z, {src}, float %s, i32 {b})")
    if t=='f32': pre="%p = insertelement <2 x float> poison, float %fx, i32 0 | %q = insertelement <2 x float> %p, float %fy, i32 1 | "; v='%q'
    else: pre="";v=V[t]
    k(f"s_srpk_fp4_{t}_{b}","950",halves+sc+pre+f"%all = call i32 @llvm.amdgcn.cvt.scalef32.sr.pk.fp4.{t}(i32 %z, <2 x {T[t]}> {v}, i32 %y, float %s, i32 {b}) | %byte = lshr i32 %all, {8 * b} | %r = and i32 %byte, 255")
    if t=='f32': post="%w = bitcast <2 x float> %v to i64 | %h = lshr i64 %w, 32 | %t = trunc i64 %w to i32 | %u = trunc i64 %h to i32 | %n = mul i32 %u, 3 | %r = add i32 %n, %t"
    else: post=f"%r = bitcast <2 x {T[t]}> %v to i32"
    k(f"s_upk_fp4_{t}_{b}","950",sc+f"%v = call <2 x {T[t]}> @llvm.amdgcn.cvt.scalef32.pk.{t}.fp4(i32 %x, float %s, i32 {b}) | {post}")
for t in ('f16','bf16'):
  for h in ('false','true'):
    k(f"sr_{t}_{h}","950",halves+f"%o = bitcast i32 %z to <2 x {T[t]}> | %v = call <2 x {T[t]}> @llvm.amdgcn.cvt.sr.{t}.f32(<2 x {T[t]}> %o, float %fx, i32 %y, i1 {h}) | %r = bitcast <2 x {T[t]}> %v to i32")
def six(n): # <6 x i32> from %x %y %z
    s="%v0 = insertelement <6 x i32> poison, i32 %x, i32 0 | "
    prev="%v0"
    for i in range(1,6):
        src=['%x','%y','%z'][i%3]
        s+=f"%m{i} = add i32 {src}, {i*77} | %v{i} = insertelement <6 x i32> {prev}, i32 %m{i}, i32 {i} | "; prev=f"%v{i}"
    return s,prev
def fold6(v):
    s="";prev=None
    for i in range(6):
        s+=f"%e{i} = extractelement <6 x i32> {v}, i32 {i} | "
        if prev is None: prev=f"%e{i}"
        else: s+=f"%k{i} = mul i32 {prev}, 5 | %a{i} = add i32 %k{i}, %e{i} | "; prev=f"%a{i}"
    return s+f"%r = add i32 {prev}, 0"
for f in ('fp6','bf6'):
  for t in T:
    pre,v=six(0)
    post=f"%f1 = extractelement <32 x {T[t]}> %v, i32 3 | %f2 = extractelement <32 x {T[t]}> %v, i32 29 | "
    if t=='f32': post+="%i1 = bitcast float %f1 to i32 | %i2 = bitcast float %f2 to i32 | %r = sub i32 %i1, %i2"
    else: post+=f"%i1 = bitcast {T[t]} %f1 to i16 | %i2 = bitcast {T[t]} %f2 to i16 | %j1 = zext i16 %i1 to i32 | %j2 = zext i16 %i2 to i32 | %j3 = shl i32 %j1, 16 | %r = or i32 %j3, %j2"
    k(f"s_32_{t}_{f}","950",pre+sc+f"%v = call <32 x {T[t]}> @llvm.amdgcn.cvt.scalef32.pk32.{t}.{f}(<6 x i32> {v}, float %s) | {post}")
    n=32
    big="";prev="poison"
    for i in range(32):
        if t=='f32': e=f"%n{i} = fadd float %fx, {float(i)} | "; el=f"float %n{i}"
        else:
            e=f"%n{i} = extractelement <2 x {T[t]}> {V[t]}, i32 {i%2} | "; el=f"{T[t]} %n{i}"
        big+=e+f"%b{i} = insertelement <32 x {T[t]}> {prev}, {el}, i32 {i} | "; prev=f"%b{i}"
    if t!='f32': k(f"s_pk32_{f}_{t}","950",halves+sc+big+f"%v = call <6 x i32> @llvm.amdgcn.cvt.scalef32.pk32.{f}.{t}(<32 x {T[t]}> %b31, float %s) | "+fold6('%v'))
    k(f"s_srpk32_{f}_{t}","950",halves+sc+big+f"%v = call <6 x i32> @llvm.amdgcn.cvt.scalef32.sr.pk32.{f}.{t}(<32 x {T[t]}> %b31, i32 %y, float %s) | "+fold6('%v'))
    if t=='f32':
        sh=", ".join(f"i32 {i}" for i in range(16)); sh2=", ".join(f"i32 {i}" for i in range(16,32))
        k(f"s_2x_{f}","950",halves+sc+big+f"%lo = shufflevector <32 x float> %b31, <32 x float> poison, <16 x i32> <{sh}> | %hi = shufflevector <32 x float> %b31, <32 x float> poison, <16 x i32> <{sh2}> | %v = call <6 x i32> @llvm.amdgcn.cvt.scalef32.2xpk16.{f}.f32(<16 x float> %lo, <16 x float> %hi, float %s) | "+fold6('%v'))
print("\n".join(rows))
