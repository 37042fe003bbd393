; processors: gfx803 gfx90a gfx1030:64 gfx1100:64
; What a round of a loop gives to all lanes, and lanes keep that leave the loop then: comparisons of all lanes, and lanes read.
declare i32 @llvm.amdgcn.workitem.id.x()
declare i32 @llvm.amdgcn.readfirstlane.i32(i32)
declare i64 @llvm.amdgcn.icmp.i64.i32(i32, i32, i32)
declare i64 @llvm.amdgcn.fcmp.i64.f32(float, float, i32)
declare i64 @llvm.amdgcn.ballot.i64(i1)
define amdgpu_kernel void @matches(ptr addrspace(1) %out, ptr addrspace(1) %in) {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %v = urem i32 %id, 5
  %f = uitofp i32 %v to float
  br label %loop
loop:
  %n = phi i32 [0, %0], [%n1, %loop]
  %first = call i32 @llvm.amdgcn.readfirstlane.i32(i32 %v)
  %same = icmp eq i32 %first, %v
  %a = call i64 @llvm.amdgcn.icmp.i64.i32(i32 %first, i32 %v, i32 32)
  %g = uitofp i32 %first to float
  %b = call i64 @llvm.amdgcn.fcmp.i64.f32(float %f, float %g, i32 2)
  %c = call i64 @llvm.amdgcn.ballot.i64(i1 %same)
  %n1 = add i32 %n, 1
  br i1 %same, label %end, label %loop
end:
  %q = getelementptr [4 x i64], ptr addrspace(1) %out, i32 %id
  %q1 = getelementptr i64, ptr addrspace(1) %q, i32 1
  %q2 = getelementptr i64, ptr addrspace(1) %q, i32 2
  %q3 = getelementptr i64, ptr addrspace(1) %q, i32 3
  store i64 %a, ptr addrspace(1) %q
  store i64 %b, ptr addrspace(1) %q1
  store i64 %c, ptr addrspace(1) %q2
  %z = zext i32 %n to i64
  %w = shl i64 %z, 32
  %f1 = zext i32 %first to i64
  %y = or i64 %w, %f1
  store i64 %y, ptr addrspace(1) %q3
  ret void
}
