; SPDX-License-Identifier: MIT
; processors: gfx803 gfx90a gfx942 gfx1030:32 gfx1030:64 gfx1100:32 gfx1100:64 gfx1201:32 gfx1201:64 gfx1250
; llvm.stacksave and llvm.stackrestore (INT-11, INT-12): memory of a size that the program decides is taken in each round of a
; loop, and given back, or not.
; (What was taken last is not read: llc-22 does that at a wrong address where the stack has a descriptor.)
; further arguments of gives_back: --stack=64K
; further arguments of keeps: --stack=64K
; further arguments of in_function: --stack=64K

define amdgpu_kernel void @gives_back(ptr addrspace(1) %out, ptr addrspace(1) %in) #0 {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %p = getelementptr i32, ptr addrspace(1) %in, i32 1
  %n = load i32, ptr addrspace(1) %p
  %most = add i32 %n, 40
  br label %loop
loop:
  %i = phi i32 [ 0, %0 ], [ %j, %loop ]
  %sum = phi i32 [ 0, %0 ], [ %more, %loop ]
  %first = phi i32 [ 0, %0 ], [ %begin, %loop ]
  %s = call ptr addrspace(5) @llvm.stacksave.p5()
  %size = and i32 %i, 7
  %count = add i32 %size, 1
  %m = alloca i32, i32 %count, addrspace(5)
  %at = ptrtoint ptr addrspace(5) %m to i32
  %is_first = icmp eq i32 %i, 0
  %begin = select i1 %is_first, i32 %at, i32 %first
  %last = getelementptr i32, ptr addrspace(5) %m, i32 %size
  %value = add i32 %id, %i
  store volatile i32 %value, ptr addrspace(5) %last
  %back = load volatile i32, ptr addrspace(5) %last
  %distance = sub i32 %at, %begin
  %d = mul i32 %distance, 1000
  %b = add i32 %back, %d
  %more = add i32 %sum, %b
  call void @llvm.stackrestore.p5(ptr addrspace(5) %s)
  %j = add i32 %i, 1
  %c = icmp ult i32 %j, %most
  br i1 %c, label %loop, label %done
done:
  %o = getelementptr i32, ptr addrspace(1) %out, i32 %id
  store i32 %more, ptr addrspace(1) %o
  ret void
}
define amdgpu_kernel void @keeps(ptr addrspace(1) %out, ptr addrspace(1) %in) #0 {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %p = getelementptr i32, ptr addrspace(1) %in, i32 1
  %n = load i32, ptr addrspace(1) %p
  %most = add i32 %n, 9
  %s = call ptr addrspace(5) @llvm.stacksave.p5()
  br label %loop
loop:
  %i = phi i32 [ 0, %0 ], [ %j, %loop ]
  %last = phi ptr addrspace(5) [ null, %0 ], [ %m, %loop ]
  %m = alloca i32, i32 %n, addrspace(5)
  %value = add i32 %id, %i
  store volatile i32 %value, ptr addrspace(5) %m
  %j = add i32 %i, 1
  %c = icmp ult i32 %j, %most
  br i1 %c, label %loop, label %done
done:
  %v = add i32 %id, %i
  call void @llvm.stackrestore.p5(ptr addrspace(5) %s)
  %again = alloca i32, i32 %n, addrspace(5)
  store volatile i32 77, ptr addrspace(5) %again
  %a = ptrtoint ptr addrspace(5) %m to i32
  %b = ptrtoint ptr addrspace(5) %again to i32
  %above = icmp ugt i32 %a, %b
  %r = select i1 %above, i32 %v, i32 -1
  %o = getelementptr i32, ptr addrspace(1) %out, i32 %id
  store i32 %r, ptr addrspace(1) %o
  ret void
}
define i32 @taking(i32 %n, i32 %id) noinline {
  %s = call ptr addrspace(5) @llvm.stacksave.p5()
  %m = alloca i32, i32 %n, addrspace(5)
  %q = getelementptr i32, ptr addrspace(5) %m, i32 3
  store volatile i32 %id, ptr addrspace(5) %q
  %v = load volatile i32, ptr addrspace(5) %q
  call void @llvm.stackrestore.p5(ptr addrspace(5) %s)
  %again = alloca i32, i32 %n, addrspace(5)
  store volatile i32 5, ptr addrspace(5) %again
  %a = ptrtoint ptr addrspace(5) %m to i32
  %b = ptrtoint ptr addrspace(5) %again to i32
  %d = sub i32 %a, %b
  %r = add i32 %v, %d
  ret i32 %r
}
define amdgpu_kernel void @in_function(ptr addrspace(1) %out, ptr addrspace(1) %in) #0 {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %p = getelementptr i32, ptr addrspace(1) %in, i32 9
  %n = load i32, ptr addrspace(1) %p
  %r = call i32 @taking(i32 %n, i32 %id)
  %o = getelementptr i32, ptr addrspace(1) %out, i32 %id
  store i32 %r, ptr addrspace(1) %o
  ret void
}
attributes #0 = { "amdgpu-flat-work-group-size"="64,64" }
