; processors: gfx942 gfx1100 gfx1201 gfx1250
; CALL-35, CALL-38: results and arguments of functions that ask for scalar registers: results are where others are; arguments
; for which no such register is left are passed as others, in vector registers and then on the stack.
; (Where registers are for the stack, llc-22's functions begin to look at s16, and those that call them begin at s0.)
declare i32 @llvm.amdgcn.workitem.id.x()

define inreg <4 x i32> @four(<4 x i32> inreg %a, i32 %b) #0 {
  %s = insertelement <4 x i32> %a, i32 %b, i32 2
  ret <4 x i32> %s
}
define inreg { half, i64, i1 } @members(half inreg %a, i64 %b, i1 inreg %c) #0 {
  %s = insertvalue { half, i64, i1 } poison, half %a, 0
  %t = insertvalue { half, i64, i1 } %s, i64 %b, 1
  %u = insertvalue { half, i64, i1 } %t, i1 %c, 2
  ret { half, i64, i1 } %u
}
define inreg <40 x i32> @many(<20 x i32> inreg %a, <36 x i32> inreg %b, i32 %v) #0 {
  %s = shufflevector <36 x i32> %b, <36 x i32> poison, <40 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31, i32 32, i32 33, i32 34, i32 35, i32 poison, i32 poison, i32 poison, i32 poison>
  %x = extractelement <20 x i32> %a, i32 0
  %y = extractelement <20 x i32> %a, i32 13
  %z = extractelement <20 x i32> %a, i32 14
  %w = extractelement <20 x i32> %a, i32 19
  %s0 = insertelement <40 x i32> %s, i32 %x, i32 36
  %s1 = insertelement <40 x i32> %s0, i32 %y, i32 37
  %s2 = insertelement <40 x i32> %s1, i32 %z, i32 38
  %z2 = add i32 %w, %v
  %s3 = insertelement <40 x i32> %s2, i32 %z2, i32 39
  ret <40 x i32> %s3
}

define amdgpu_kernel void @few(ptr addrspace(1) %out, ptr addrspace(1) %in) {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %a = load <4 x i32>, ptr addrspace(1) %in
  %r = call inreg <4 x i32> @four(<4 x i32> inreg %a, i32 %id)
  %h = uitofp i32 %id to half
  %h0 = load half, ptr addrspace(1) %in
  %wide = zext i32 %id to i64
  %b = shl i64 %wide, 30
  %c = icmp eq <4 x i32> %a, zeroinitializer
  %c0 = extractelement <4 x i1> %c, i32 0
  %m = call inreg { half, i64, i1 } @members(half inreg %h0, i64 %b, i1 inreg %c0)
  %m0 = extractvalue { half, i64, i1 } %m, 0
  %m1 = extractvalue { half, i64, i1 } %m, 1
  %m2 = extractvalue { half, i64, i1 } %m, 2
  %sum = fadd half %m0, %h
  %sb = bitcast half %sum to i16
  %x = zext i16 %sb to i64
  %y = xor i64 %x, %m1
  %z = zext i1 %m2 to i64
  %k = add i64 %y, %z
  %p = getelementptr { <4 x i32>, i64 }, ptr addrspace(1) %out, i32 %id
  %q = getelementptr { <4 x i32>, i64 }, ptr addrspace(1) %out, i32 %id, i32 1
  store <4 x i32> %r, ptr addrspace(1) %p
  store i64 %k, ptr addrspace(1) %q
  ret void
}

define amdgpu_kernel void @over(ptr addrspace(1) %out, ptr addrspace(1) %in) {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %a = load <20 x i32>, ptr addrspace(1) %in
  %p = getelementptr i8, ptr addrspace(1) %in, i32 1024
  %b = load <36 x i32>, ptr addrspace(1) %p, align 4
  %r = call inreg <40 x i32> @many(<20 x i32> inreg %a, <36 x i32> inreg %b, i32 %id)
  %q = getelementptr [40 x i32], ptr addrspace(1) %out, i32 %id
  store <40 x i32> %r, ptr addrspace(1) %q, align 4
  ret void
}
attributes #0 = { noinline }
