; processors: gfx900 gfx90a gfx1030:64 gfx1100:64
; EXEC by its name, as HIP's device libraries ask for it.
declare i32 @llvm.amdgcn.workitem.id.x()
declare i64 @llvm.read_register.i64(metadata) convergent
declare i32 @llvm.read_register.i32(metadata) convergent
define amdgpu_kernel void @exec(ptr addrspace(1) %out, ptr addrspace(1) %in) {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %c = icmp ult i32 %id, 37
  %q = getelementptr [2 x i64], ptr addrspace(1) %out, i32 %id
  br i1 %c, label %some, label %end
some:
  %e = call i64 @llvm.read_register.i64(metadata !0) convergent
  %h = call i32 @llvm.read_register.i32(metadata !1) convergent
  %l = call i32 @llvm.read_register.i32(metadata !2) convergent
  %x = mul i32 %h, %l
  %z = zext i32 %x to i64
  %q1 = getelementptr i64, ptr addrspace(1) %q, i32 1
  store i64 %e, ptr addrspace(1) %q
  store i64 %z, ptr addrspace(1) %q1
  br label %end
end:
  ret void
}
!0 = !{!"exec"}
!1 = !{!"exec_hi"}
!2 = !{!"exec_lo"}
