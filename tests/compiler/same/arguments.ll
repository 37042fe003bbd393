; processors: gfx701 gfx803 gfx90a gfx942 gfx1030 gfx1100 gfx1201 gfx1250
; Arguments of kernels of every shape: aggregates, references to the kernarg segment (byref), vectors that are no whole
; dwords, small floats, more than 64 bytes (INIT, CC rows of kernels). Bits that a type does not have are not looked at.
; further arguments of aggregate: hex:7942bdf22106f0847762f0f3cb4d764dc7072051159a0f89f2c6dacae344bb311245fd6f84df9ad7 u32:77 hex:c5b3d076ac0e8f53a7356c88913f20f6f72db022d24d0a96dad43c1617c1a98e78129e0327371065
; further arguments of byref: u8:3 hex:d095864f15ada0b846c1c0ebc5348adc799adf849bad05d4a10ac0441eaaeeb4b48efa0b1f0abd80 u16:9
; further arguments of small: f16:1.5 u8:200 hex:e998 hex:a35aba5e u8:1 u16:1234 hex:a0bd8799c1350d43
; further arguments of large: hex:9e71897aa75fde3134a4aa72e05628ac6fe68a733d1161a15d8eae2bb042d7958aedb1d594d6d112d34f6602f4de7110e993ae7422923d7d171165dc1906f63d57997a0ad31b3aae4081f41fb471653e3d577a8c4103f9cc198a7f89d81af2a5001c40173f1923f7102cfaa150a124b3c5c79bb88761a8db3f4101c2285b15bf u8:9 hex:ebc216dc1bbefea1d7d6eb097d6f8a24d972da420ea6bf863eed3fc037a33402f24978c7162f32c05b0cae3e0d3af691992d127a36331fa65c277b5c7fe8c981 hex:bccbb3d62ac078d352d4f74fcd4c5331fef7e25f4588654ba17697d3886f9d0b89f5c36658b87aa4f749d6f569ef0ef625cc17ef7578236f827b6184465f12825617a05dd82e2b3c2f879512b6e7ac030faba9dfc2f8276bfac840a33d8c27dd39e08031bfbce6978736ad3afcb41e965d4c5bbde83f3748a9d7995feaf69f5a23365cc8b733888ac41b4515f58a7eb5aacee523b4fe394d8a3339395e60d5c8414acb63575b6780bd960fe3d0c4a19efe99f70f61013777fb58eb65636c12e339914e45ef2d190db87727ff09ada5a8b044291128af692066df71f8a13715d1276652c8fef222d86afa9b0bedeacde05ce91383bbbde5b9cd72016b84bd49eb
%S = type { i8, i64, [3 x i16], half, <3 x i8>, { float, i1 } }
declare i32 @llvm.amdgcn.workitem.id.x()

define amdgpu_kernel void @aggregate(ptr addrspace(1) %out, ptr addrspace(1) %in, %S %s, i32 %n, %S %t) {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %c = icmp ult i32 %id, 20
  %u = select i1 %c, %S %s, %S %t
  %p = getelementptr [64 x i8], ptr addrspace(1) %out, i32 %id
  %v = insertvalue %S %u, i8 5, 0
  store %S %v, ptr addrspace(1) %p
  %q = getelementptr [64 x i8], ptr addrspace(1) %out, i32 40
  %l = load %S, ptr addrspace(1) %in, align 4
  store %S %l, ptr addrspace(1) %q, align 4
  %q2 = getelementptr i32, ptr addrspace(1) %p, i32 12
  store i32 %n, ptr addrspace(1) %q2
  ret void
}
define amdgpu_kernel void @byref(ptr addrspace(1) %out, ptr addrspace(1) %in, i8 %b, ptr addrspace(4) byref(%S) align 8 %s, i16 %n) {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %p = getelementptr i8, ptr addrspace(1) %out, i32 %id
  %i = urem i32 %id, 40
  %f = getelementptr i8, ptr addrspace(4) %s, i32 %i
  %c = icmp ne i32 %i, 17
  %x = load i8, ptr addrspace(4) %f
  %n8 = trunc i16 %n to i8
  %y = add i8 %x, %n8
  %z = xor i8 %y, %b
  store i8 %z, ptr addrspace(1) %p
  ret void
}
define amdgpu_kernel void @small(ptr addrspace(1) %out, ptr addrspace(1) %in, half %h, i8 %b, <2 x i8> %v2, <3 x i8> %v3, i1 %one, bfloat %bf, <3 x i16> %v16) {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %p = getelementptr [64 x i8], ptr addrspace(1) %out, i32 %id
  store half %h, ptr addrspace(1) %p
  %p1 = getelementptr i8, ptr addrspace(1) %p, i32 2
  store i8 %b, ptr addrspace(1) %p1
  %p2 = getelementptr i8, ptr addrspace(1) %p, i32 4
  store <2 x i8> %v2, ptr addrspace(1) %p2
  %p3 = getelementptr i8, ptr addrspace(1) %p, i32 8
  store <3 x i8> %v3, ptr addrspace(1) %p3
  %p4 = getelementptr i8, ptr addrspace(1) %p, i32 12
  %w = zext i1 %one to i32
  store i32 %w, ptr addrspace(1) %p4
  %p5 = getelementptr i8, ptr addrspace(1) %p, i32 16
  store bfloat %bf, ptr addrspace(1) %p5
  %p6 = getelementptr i8, ptr addrspace(1) %p, i32 24
  store <3 x i16> %v16, ptr addrspace(1) %p6
  ret void
}
define amdgpu_kernel void @large(ptr addrspace(1) %out, ptr addrspace(1) %in, <16 x i64> %v, i8 %b, [8 x i64] %a, <32 x i64> %w) {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %p = getelementptr [512 x i8], ptr addrspace(1) %out, i32 %id
  store <16 x i64> %v, ptr addrspace(1) %p
  %p1 = getelementptr i8, ptr addrspace(1) %p, i32 128
  store [8 x i64] %a, ptr addrspace(1) %p1
  %p2 = getelementptr i8, ptr addrspace(1) %p, i32 256
  store <32 x i64> %w, ptr addrspace(1) %p2
  ret void
}
