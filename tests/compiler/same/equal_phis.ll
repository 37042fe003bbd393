; processors: gfx600 gfx803 gfx900 gfx90a gfx1030:32 gfx1030:64 gfx1100:32 gfx1201:64 gfx1250
; Phis that are one constant whatever way is taken: rows that have no room for another number take them.
target triple = "amdgcn-amd-amdhsa"

define amdgpu_kernel void @k(ptr addrspace(1) %out, ptr addrspace(1) %in) {
  %c = load i32, ptr addrspace(1) %in
  %t = icmp ne i32 %c, 5
  br i1 %t, label %a, label %b
a:
  %x = load volatile i32, ptr addrspace(1) %in
  br label %b
b:
  %p = phi i64 [ -83, %0 ], [ -83, %a ]
  %l = phi i32 [ 1000, %0 ], [ 1000, %a ]
  %q = trunc i64 %p to i8
  %r = zext i8 %q to i32
  %1 = xor i32 %r, %l
  %2 = mul i32 %l, 77777
  %3 = add i32 %2, %1
  %u = icmp ne i32 %c, 6
  br i1 %u, label %d, label %e
d:
  %y = load volatile i32, ptr addrspace(1) %in
  br label %e
e:
  %m = phi i32 [ %l, %b ], [ 1000, %d ]
  %n = and i32 %m, 65535
  %4 = sub i32 %n, %3
  store i32 %4, ptr addrspace(1) %out
  %o = getelementptr i32, ptr addrspace(1) %out, i32 1
  store i32 %3, ptr addrspace(1) %o
  ret void
}
