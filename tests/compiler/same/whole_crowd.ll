; processors: gfx803 gfx900 gfx1010:32 gfx1030:64 gfx1100:32 gfx1201:32 gfx1201:64 gfx1250
; More values than registers, which all lanes have. (Where there are accumulation registers, llc-22 brings
; one back with all lanes into a register in which others wait with theirs.)
target triple = "amdgcn-amd-amdhsa"
declare i32 @llvm.amdgcn.workitem.id.x()
declare i32 @llvm.amdgcn.set.inactive.i32(i32, i32)
declare i32 @llvm.amdgcn.strict.wwm.i32(i32)
declare i32 @llvm.amdgcn.ds.swizzle(i32, i32)

define internal i32 @at(ptr addrspace(1) %in, i32 %id, i32 %k) #1 {
  %n = mul i32 %k, 64
  %m = add i32 %n, %id
  %z = zext i32 %m to i64
  %p = getelementptr i32, ptr addrspace(1) %in, i64 %z
  %v = load volatile i32, ptr addrspace(1) %p
  ret i32 %v
}
define amdgpu_kernel void @crowd(ptr addrspace(1) %out, ptr addrspace(1) %in) #2 {
  %i = call i32 @llvm.amdgcn.workitem.id.x()
  %z = zext i32 %i to i64
  %o = getelementptr i32, ptr addrspace(1) %out, i64 %z
  %y0 = call i32 @at(ptr addrspace(1) %in, i32 %i, i32 0)
  %y1 = call i32 @at(ptr addrspace(1) %in, i32 %i, i32 1)
  %y2 = call i32 @at(ptr addrspace(1) %in, i32 %i, i32 2)
  %y3 = call i32 @at(ptr addrspace(1) %in, i32 %i, i32 3)
  %y4 = call i32 @at(ptr addrspace(1) %in, i32 %i, i32 4)
  %y5 = call i32 @at(ptr addrspace(1) %in, i32 %i, i32 5)
  %y6 = call i32 @at(ptr addrspace(1) %in, i32 %i, i32 6)
  %y7 = call i32 @at(ptr addrspace(1) %in, i32 %i, i32 7)
  %y8 = call i32 @at(ptr addrspace(1) %in, i32 %i, i32 8)
  %y9 = call i32 @at(ptr addrspace(1) %in, i32 %i, i32 9)
  %odd = and i32 %i, 6
  %c = icmp eq i32 %odd, 2
  br i1 %c, label %then, label %else
then:
  %a0 = call i32 @llvm.amdgcn.set.inactive.i32(i32 %y0, i32 10)
  %a1 = call i32 @llvm.amdgcn.set.inactive.i32(i32 %y1, i32 11)
  %a2 = call i32 @llvm.amdgcn.set.inactive.i32(i32 %y2, i32 12)
  %a3 = call i32 @llvm.amdgcn.set.inactive.i32(i32 %y3, i32 13)
  %a4 = call i32 @llvm.amdgcn.set.inactive.i32(i32 %y4, i32 14)
  %a5 = call i32 @llvm.amdgcn.set.inactive.i32(i32 %y5, i32 15)
  %a6 = call i32 @llvm.amdgcn.set.inactive.i32(i32 %y6, i32 16)
  %a7 = call i32 @llvm.amdgcn.set.inactive.i32(i32 %y7, i32 17)
  %a8 = call i32 @llvm.amdgcn.set.inactive.i32(i32 %y8, i32 18)
  %a9 = call i32 @llvm.amdgcn.set.inactive.i32(i32 %y9, i32 19)
  call void asm sideeffect "; all", "~{v0},~{v1},~{v2},~{v3}"()
  %b0 = call i32 @llvm.amdgcn.ds.swizzle(i32 %a0, i32 31775)
  %b1 = call i32 @llvm.amdgcn.ds.swizzle(i32 %a1, i32 31775)
  %b2 = call i32 @llvm.amdgcn.ds.swizzle(i32 %a2, i32 31775)
  %b3 = call i32 @llvm.amdgcn.ds.swizzle(i32 %a3, i32 31775)
  %b4 = call i32 @llvm.amdgcn.ds.swizzle(i32 %a4, i32 31775)
  %b5 = call i32 @llvm.amdgcn.ds.swizzle(i32 %a5, i32 31775)
  %b6 = call i32 @llvm.amdgcn.ds.swizzle(i32 %a6, i32 31775)
  %b7 = call i32 @llvm.amdgcn.ds.swizzle(i32 %a7, i32 31775)
  %b8 = call i32 @llvm.amdgcn.ds.swizzle(i32 %a8, i32 31775)
  %b9 = call i32 @llvm.amdgcn.ds.swizzle(i32 %a9, i32 31775)
  %c1 = mul i32 %b0, %b1
  %c2 = xor i32 %c1, %b2
  %c3 = mul i32 %c2, %b3
  %c4 = xor i32 %c3, %b4
  %c5 = mul i32 %c4, %b5
  %c6 = xor i32 %c5, %b6
  %c7 = mul i32 %c6, %b7
  %c8 = xor i32 %c7, %b8
  %c9 = mul i32 %c8, %b9
  %r = call i32 @llvm.amdgcn.strict.wwm.i32(i32 %c9)
  %r1 = xor i32 %r, %y0
  %r2 = mul i32 %r1, %y5
  br label %join
else:
  %e1 = mul i32 %y0, %y1
  %e2 = xor i32 %e1, %y2
  %e3 = mul i32 %e2, %y3
  %e4 = xor i32 %e3, %y4
  %e5 = mul i32 %e4, %y5
  %e6 = xor i32 %e5, %y6
  %e7 = mul i32 %e6, %y7
  %e8 = xor i32 %e7, %y8
  %e9 = mul i32 %e8, %y9
  br label %join
join:
  %s = phi i32 [ %r2, %then ], [ %e9, %else ]
  store i32 %s, ptr addrspace(1) %o
  ret void
}
attributes #1 = { alwaysinline convergent }
attributes #2 = { "amdgpu-flat-work-group-size"="64,64" "amdgpu-num-vgpr"="14" }
