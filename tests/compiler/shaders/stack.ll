; Shaders with memory on the stack. The first argument is the lower half of amdpal's table.
define amdgpu_cs { float, float, float } @stack_cs(i32 inreg %table, i32 inreg %a, i32 inreg %b, i32 %v) {
  %p = alloca [16 x i32], addrspace(5)
  %x = and i32 %v, 15
  %q = getelementptr i32, ptr addrspace(5) %p, i32 %x
  %qa = getelementptr i32, ptr addrspace(5) %p, i32 %a
  %qb = getelementptr i32, ptr addrspace(5) %p, i32 %b
  store volatile i32 %b, ptr addrspace(5) %qa
  store volatile i32 %a, ptr addrspace(5) %qb
  store volatile i32 %v, ptr addrspace(5) %q
  %r1 = load volatile i32, ptr addrspace(5) %qa
  %r2 = load volatile i32, ptr addrspace(5) %qb
  %r3 = load volatile i32, ptr addrspace(5) %q
  %f1 = bitcast i32 %r1 to float
  %f2 = bitcast i32 %r2 to float
  %f3 = bitcast i32 %r3 to float
  %s1 = insertvalue { float, float, float } poison, float %f1, 0
  %s2 = insertvalue { float, float, float } %s1, float %f2, 1
  %s3 = insertvalue { float, float, float } %s2, float %f3, 2
  ret { float, float, float } %s3
}
define amdgpu_ps { float, float } @stack_ps(i32 inreg %table, i32 inreg %a, i32 inreg %b, float %v, float %w) #0 {
  %p = alloca [16 x float], addrspace(5)
  %qa = getelementptr float, ptr addrspace(5) %p, i32 %a
  %qb = getelementptr float, ptr addrspace(5) %p, i32 %b
  store volatile float %v, ptr addrspace(5) %qa
  store volatile float %w, ptr addrspace(5) %qb
  %r1 = load volatile float, ptr addrspace(5) %qa
  %r2 = load volatile float, ptr addrspace(5) %qb
  %s1 = insertvalue { float, float } poison, float %r1, 0
  %s2 = insertvalue { float, float } %s1, float %r2, 1
  ret { float, float } %s2
}
; More values than registers.
define amdgpu_cs { float, float } @stack_spills(i32 inreg %table, i32 inreg %a, i32 inreg %b, i32 %v) #1 {
  %m0 = mul i32 %v, 3
  %v0 = call i32 asm sideeffect "v_xor_b32 $0, 0, $1", "=v,v"(i32 %m0)
  %m1 = mul i32 %v, 5
  %v1 = call i32 asm sideeffect "v_xor_b32 $0, 1, $1", "=v,v"(i32 %m1)
  %m2 = mul i32 %v, 7
  %v2 = call i32 asm sideeffect "v_xor_b32 $0, 2, $1", "=v,v"(i32 %m2)
  %m3 = mul i32 %v, 9
  %v3 = call i32 asm sideeffect "v_xor_b32 $0, 3, $1", "=v,v"(i32 %m3)
  %m4 = mul i32 %v, 11
  %v4 = call i32 asm sideeffect "v_xor_b32 $0, 4, $1", "=v,v"(i32 %m4)
  %m5 = mul i32 %v, 13
  %v5 = call i32 asm sideeffect "v_xor_b32 $0, 5, $1", "=v,v"(i32 %m5)
  %m6 = mul i32 %v, 15
  %v6 = call i32 asm sideeffect "v_xor_b32 $0, 6, $1", "=v,v"(i32 %m6)
  %m7 = mul i32 %v, 17
  %v7 = call i32 asm sideeffect "v_xor_b32 $0, 7, $1", "=v,v"(i32 %m7)
  %m8 = mul i32 %v, 19
  %v8 = call i32 asm sideeffect "v_xor_b32 $0, 8, $1", "=v,v"(i32 %m8)
  %m9 = mul i32 %v, 21
  %v9 = call i32 asm sideeffect "v_xor_b32 $0, 9, $1", "=v,v"(i32 %m9)
  %m10 = mul i32 %v, 23
  %v10 = call i32 asm sideeffect "v_xor_b32 $0, 10, $1", "=v,v"(i32 %m10)
  %m11 = mul i32 %v, 25
  %v11 = call i32 asm sideeffect "v_xor_b32 $0, 11, $1", "=v,v"(i32 %m11)
  %m12 = mul i32 %v, 27
  %v12 = call i32 asm sideeffect "v_xor_b32 $0, 12, $1", "=v,v"(i32 %m12)
  %m13 = mul i32 %v, 29
  %v13 = call i32 asm sideeffect "v_xor_b32 $0, 13, $1", "=v,v"(i32 %m13)
  %m14 = mul i32 %v, 31
  %v14 = call i32 asm sideeffect "v_xor_b32 $0, 14, $1", "=v,v"(i32 %m14)
  %m15 = mul i32 %v, 33
  %v15 = call i32 asm sideeffect "v_xor_b32 $0, 15, $1", "=v,v"(i32 %m15)
  %m16 = mul i32 %v, 35
  %v16 = call i32 asm sideeffect "v_xor_b32 $0, 16, $1", "=v,v"(i32 %m16)
  %m17 = mul i32 %v, 37
  %v17 = call i32 asm sideeffect "v_xor_b32 $0, 17, $1", "=v,v"(i32 %m17)
  %m18 = mul i32 %v, 39
  %v18 = call i32 asm sideeffect "v_xor_b32 $0, 18, $1", "=v,v"(i32 %m18)
  %m19 = mul i32 %v, 41
  %v19 = call i32 asm sideeffect "v_xor_b32 $0, 19, $1", "=v,v"(i32 %m19)
  %m20 = mul i32 %v, 43
  %v20 = call i32 asm sideeffect "v_xor_b32 $0, 20, $1", "=v,v"(i32 %m20)
  %m21 = mul i32 %v, 45
  %v21 = call i32 asm sideeffect "v_xor_b32 $0, 21, $1", "=v,v"(i32 %m21)
  %m22 = mul i32 %v, 47
  %v22 = call i32 asm sideeffect "v_xor_b32 $0, 22, $1", "=v,v"(i32 %m22)
  %m23 = mul i32 %v, 49
  %v23 = call i32 asm sideeffect "v_xor_b32 $0, 23, $1", "=v,v"(i32 %m23)
  %m24 = mul i32 %v, 51
  %v24 = call i32 asm sideeffect "v_xor_b32 $0, 24, $1", "=v,v"(i32 %m24)
  %m25 = mul i32 %v, 53
  %v25 = call i32 asm sideeffect "v_xor_b32 $0, 25, $1", "=v,v"(i32 %m25)
  %m26 = mul i32 %v, 55
  %v26 = call i32 asm sideeffect "v_xor_b32 $0, 26, $1", "=v,v"(i32 %m26)
  %m27 = mul i32 %v, 57
  %v27 = call i32 asm sideeffect "v_xor_b32 $0, 27, $1", "=v,v"(i32 %m27)
  %m28 = mul i32 %v, 59
  %v28 = call i32 asm sideeffect "v_xor_b32 $0, 28, $1", "=v,v"(i32 %m28)
  %m29 = mul i32 %v, 61
  %v29 = call i32 asm sideeffect "v_xor_b32 $0, 29, $1", "=v,v"(i32 %m29)
  %m30 = mul i32 %v, 63
  %v30 = call i32 asm sideeffect "v_xor_b32 $0, 30, $1", "=v,v"(i32 %m30)
  %m31 = mul i32 %v, 65
  %v31 = call i32 asm sideeffect "v_xor_b32 $0, 31, $1", "=v,v"(i32 %m31)
  %m32 = mul i32 %v, 67
  %v32 = call i32 asm sideeffect "v_xor_b32 $0, 32, $1", "=v,v"(i32 %m32)
  %m33 = mul i32 %v, 69
  %v33 = call i32 asm sideeffect "v_xor_b32 $0, 33, $1", "=v,v"(i32 %m33)
  %m34 = mul i32 %v, 71
  %v34 = call i32 asm sideeffect "v_xor_b32 $0, 34, $1", "=v,v"(i32 %m34)
  %m35 = mul i32 %v, 73
  %v35 = call i32 asm sideeffect "v_xor_b32 $0, 35, $1", "=v,v"(i32 %m35)
  %m36 = mul i32 %v, 75
  %v36 = call i32 asm sideeffect "v_xor_b32 $0, 36, $1", "=v,v"(i32 %m36)
  %m37 = mul i32 %v, 77
  %v37 = call i32 asm sideeffect "v_xor_b32 $0, 37, $1", "=v,v"(i32 %m37)
  %m38 = mul i32 %v, 79
  %v38 = call i32 asm sideeffect "v_xor_b32 $0, 38, $1", "=v,v"(i32 %m38)
  %m39 = mul i32 %v, 81
  %v39 = call i32 asm sideeffect "v_xor_b32 $0, 39, $1", "=v,v"(i32 %m39)
  %s0 = add i32 %v0, %a
  %s1 = xor i32 %s0, %v1
  %s2 = xor i32 %s1, %v2
  %s3 = add i32 %s2, %v3
  %s4 = xor i32 %s3, %v4
  %s5 = xor i32 %s4, %v5
  %s6 = add i32 %s5, %v6
  %s7 = xor i32 %s6, %v7
  %s8 = xor i32 %s7, %v8
  %s9 = add i32 %s8, %v9
  %s10 = xor i32 %s9, %v10
  %s11 = xor i32 %s10, %v11
  %s12 = add i32 %s11, %v12
  %s13 = xor i32 %s12, %v13
  %s14 = xor i32 %s13, %v14
  %s15 = add i32 %s14, %v15
  %s16 = xor i32 %s15, %v16
  %s17 = xor i32 %s16, %v17
  %s18 = add i32 %s17, %v18
  %s19 = xor i32 %s18, %v19
  %s20 = xor i32 %s19, %v20
  %s21 = add i32 %s20, %v21
  %s22 = xor i32 %s21, %v22
  %s23 = xor i32 %s22, %v23
  %s24 = add i32 %s23, %v24
  %s25 = xor i32 %s24, %v25
  %s26 = xor i32 %s25, %v26
  %s27 = add i32 %s26, %v27
  %s28 = xor i32 %s27, %v28
  %s29 = xor i32 %s28, %v29
  %s30 = add i32 %s29, %v30
  %s31 = xor i32 %s30, %v31
  %s32 = xor i32 %s31, %v32
  %s33 = add i32 %s32, %v33
  %s34 = xor i32 %s33, %v34
  %s35 = xor i32 %s34, %v35
  %s36 = add i32 %s35, %v36
  %s37 = xor i32 %s36, %v37
  %s38 = xor i32 %s37, %v38
  %s39 = add i32 %s38, %v39
  %t0 = add i32 %v39, %b
  %t1 = xor i32 %t0, %v38
  %t2 = add i32 %t1, %v37
  %t3 = xor i32 %t2, %v36
  %t4 = add i32 %t3, %v35
  %t5 = xor i32 %t4, %v34
  %t6 = add i32 %t5, %v33
  %t7 = xor i32 %t6, %v32
  %t8 = add i32 %t7, %v31
  %t9 = xor i32 %t8, %v30
  %t10 = add i32 %t9, %v29
  %t11 = xor i32 %t10, %v28
  %t12 = add i32 %t11, %v27
  %t13 = xor i32 %t12, %v26
  %t14 = add i32 %t13, %v25
  %t15 = xor i32 %t14, %v24
  %t16 = add i32 %t15, %v23
  %t17 = xor i32 %t16, %v22
  %t18 = add i32 %t17, %v21
  %t19 = xor i32 %t18, %v20
  %t20 = add i32 %t19, %v19
  %t21 = xor i32 %t20, %v18
  %t22 = add i32 %t21, %v17
  %t23 = xor i32 %t22, %v16
  %t24 = add i32 %t23, %v15
  %t25 = xor i32 %t24, %v14
  %t26 = add i32 %t25, %v13
  %t27 = xor i32 %t26, %v12
  %t28 = add i32 %t27, %v11
  %t29 = xor i32 %t28, %v10
  %t30 = add i32 %t29, %v9
  %t31 = xor i32 %t30, %v8
  %t32 = add i32 %t31, %v7
  %t33 = xor i32 %t32, %v6
  %t34 = add i32 %t33, %v5
  %t35 = xor i32 %t34, %v4
  %t36 = add i32 %t35, %v3
  %t37 = xor i32 %t36, %v2
  %t38 = add i32 %t37, %v1
  %t39 = xor i32 %t38, %v0
  %f1 = bitcast i32 %s39 to float
  %f2 = bitcast i32 %t39 to float
  %r1 = insertvalue { float, float } poison, float %f1, 0
  %r2 = insertvalue { float, float } %r1, float %f2, 1
  ret { float, float } %r2
}
define amdgpu_gfx i32 @leaf(i32 %x, i32 %y) noinline {
  %p = alloca [4 x i32], addrspace(5)
  %i = and i32 %y, 3
  %q = getelementptr i32, ptr addrspace(5) %p, i32 %i
  %q2 = getelementptr i32, ptr addrspace(5) %p, i32 2
  store volatile i32 7, ptr addrspace(5) %q2
  store volatile i32 %x, ptr addrspace(5) %q
  %r = load volatile i32, ptr addrspace(5) %q2
  %s = mul i32 %r, %y
  ret i32 %s
}
define amdgpu_cs { float, float } @stack_calls(i32 inreg %table, i32 inreg %a, i32 inreg %b, i32 %v) {
  %p = alloca [16 x i32], addrspace(5)
  %x = and i32 %v, 15
  %q = getelementptr i32, ptr addrspace(5) %p, i32 %x
  store volatile i32 %v, ptr addrspace(5) %q
  %r = call amdgpu_gfx i32 @leaf(i32 %v, i32 %a)
  %t = call amdgpu_gfx i32 @leaf(i32 %b, i32 %v)
  %l = load volatile i32, ptr addrspace(5) %q
  %s = add i32 %t, %l
  %f1 = bitcast i32 %r to float
  %f2 = bitcast i32 %s to float
  %r1 = insertvalue { float, float } poison, float %f1, 0
  %r2 = insertvalue { float, float } %r1, float %f2, 1
  ret { float, float } %r2
}
attributes #0 = { "InitialPSInputAddr"="0xffff" }
attributes #1 = { "amdgpu-num-vgpr"="24" }
