; processors: gfx803 gfx900 gfx90a gfx942 gfx1030 gfx1030:64 gfx1100 gfx1201 gfx1201:64 gfx1250
; Calls that have to be jumps (musttail): as the only way out of a function, with arguments on the stack; where lanes part
; they are calls.
declare i32 @llvm.amdgcn.workitem.id.x()
define i32 @last(i32 %a, i32 %b) noinline {
  %x = call i32 @llvm.amdgcn.workitem.id.x()
  %m = mul i32 %a, %b
  %r = add i32 %m, %x
  ret i32 %r
}
define i32 @jumps(i32 %a, i32 %b) noinline {
  %v = call i32 @last(i32 %a, i32 7)
  %w = xor i32 %v, %b
  %r = musttail call i32 @last(i32 %w, i32 %v)
  ret i32 %r
}
define i32 @many(<40 x i32> %v, i32 %a) noinline {
  %e = extractelement <40 x i32> %v, i32 38
  %f = extractelement <40 x i32> %v, i32 0
  %s = mul i32 %e, %a
  %r = add i32 %s, %f
  ret i32 %r
}
define i32 @jumps_with_stack(<40 x i32> %v, i32 %a) noinline {
  %e = extractelement <40 x i32> %v, i32 39
  %w = insertelement <40 x i32> %v, i32 %e, i32 38
  %k = insertelement <40 x i32> %w, i32 %a, i32 39
  %r = musttail call i32 @many(<40 x i32> %k, i32 %e)
  ret i32 %r
}
define i32 @returns_twice(i32 %n, i32 %sum) noinline {
  %z = icmp eq i32 %n, 0
  br i1 %z, label %end, label %more
more:
  %m = sub i32 %n, 1
  %s = add i32 %sum, %n
  %r = musttail call i32 @returns_twice(i32 %m, i32 %s)
  ret i32 %r
end:
  ret i32 %sum
}
define amdgpu_kernel void @jump(ptr addrspace(1) %out, ptr addrspace(1) %in) {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %p = getelementptr i32, ptr addrspace(1) %in, i32 %id
  %v = load i32, ptr addrspace(1) %p
  %r = call i32 @jumps(i32 %v, i32 %id)
  %q = getelementptr i32, ptr addrspace(1) %out, i32 %id
  store i32 %r, ptr addrspace(1) %q
  ret void
}
define amdgpu_kernel void @with_stack(ptr addrspace(1) %out, ptr addrspace(1) %in) {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %p = getelementptr [40 x i32], ptr addrspace(1) %in, i32 %id
  %v = load <40 x i32>, ptr addrspace(1) %p, align 4
  %r = call i32 @jumps_with_stack(<40 x i32> %v, i32 %id)
  %q = getelementptr i32, ptr addrspace(1) %out, i32 %id
  store i32 %r, ptr addrspace(1) %q
  ret void
}
