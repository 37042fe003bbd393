; processors: gfx803 gfx90a gfx942 gfx1030 gfx1030:64 gfx1100 gfx1201 gfx1250
; Inline assembly: registers of both kinds, pairs, ties, results that are written early, several results, numbers.
declare i32 @llvm.amdgcn.workitem.id.x()

define amdgpu_kernel void @vectors(ptr addrspace(1) %out, ptr addrspace(1) %in) {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %p = getelementptr i32, ptr addrspace(1) %in, i32 %id
  %q = getelementptr [8 x i32], ptr addrspace(1) %out, i32 %id
  %a = load i32, ptr addrspace(1) %p
  %s = load i32, ptr addrspace(1) %in
  %x = call i32 asm "v_xor_b32 $0, $1, $2", "=v,v,v"(i32 %a, i32 %id)
  %y = call i32 asm sideeffect "v_lshlrev_b32 $0, 3, $1 ; a comment
  v_or_b32 $0, 1, $0", "=&v,v,~{memory}"(i32 %x)
  %f = bitcast i32 %a to float
  %h = call float asm "v_mul_f32 ${0}, $1, ${2}", "=v,v,v"(float %f, float 2.0)
  %t = call i32 asm "v_add_f32 $0, $0, $1", "=v,v,0"(i32 %s, i32 %y)
  %c = call i32 asm "v_and_b32 $0, $1, $2", "=v,v,v,~{vcc},~{m0}"(i32 %s, i32 %y)
  %zero = and i32 %c, 0
  %t2 = or i32 %t, %zero
  store i32 %x, ptr addrspace(1) %q
  %q1 = getelementptr i32, ptr addrspace(1) %q, i32 1
  store i32 %y, ptr addrspace(1) %q1
  %q2 = getelementptr i32, ptr addrspace(1) %q, i32 2
  store float %h, ptr addrspace(1) %q2
  %q3 = getelementptr i32, ptr addrspace(1) %q, i32 3
  store i32 %t2, ptr addrspace(1) %q3
  ret void
}

define amdgpu_kernel void @scalars(ptr addrspace(1) %out, ptr addrspace(1) %in) {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %q = getelementptr [8 x i32], ptr addrspace(1) %out, i32 %id
  %a = load i64, ptr addrspace(1) %in
  %p1 = getelementptr i64, ptr addrspace(1) %in, i32 100
  %b = load i64, ptr addrspace(1) %p1
  %x = call i64 asm "s_xor_b64 $0, $1, $2", "=s,s,s"(i64 %a, i64 %b)
  %r = call { i32, i32 } asm "s_mov_b32 $0, $2 \0A s_add_u32 $1, $2, $3", "=&s,=s,s,i,~{scc}"(i32 7, i32 12345)
  %r0 = extractvalue { i32, i32 } %r, 0
  %r1 = extractvalue { i32, i32 } %r, 1
  %m = call i32 asm "s_movk_i32 $0, $1", "=s,I"(i32 -7)
  %n = call i32 asm "s_mov_b32 $0, $1", "=s,A"(float 1.0)
  %v = call <2 x i16> asm "v_mov_b32 $0, $1", "=v,s"(<2 x i16> <i16 3, i16 -4>)
  %u = call { i32, i64 } asm "v_mov_b32 $0, $2 \0A v_mov_b32 $0, $0", "=&v,=s,v,1"(i32 %id, i64 %x)
  %u0 = extractvalue { i32, i64 } %u, 0
  %u1 = extractvalue { i32, i64 } %u, 1
  store i64 %u1, ptr addrspace(1) %q
  %q1 = getelementptr i32, ptr addrspace(1) %q, i32 2
  store i32 %r0, ptr addrspace(1) %q1
  %q2 = getelementptr i32, ptr addrspace(1) %q, i32 3
  store i32 %r1, ptr addrspace(1) %q2
  %q3 = getelementptr i32, ptr addrspace(1) %q, i32 4
  store i32 %m, ptr addrspace(1) %q3
  %q4 = getelementptr i32, ptr addrspace(1) %q, i32 5
  store i32 %n, ptr addrspace(1) %q4
  %q5 = getelementptr i32, ptr addrspace(1) %q, i32 6
  store <2 x i16> %v, ptr addrspace(1) %q5
  %q6 = getelementptr i32, ptr addrspace(1) %q, i32 7
  store i32 %u0, ptr addrspace(1) %q6
  ret void
}

; Lanes leave at different times; a scalar of the loop is what assembly makes.
define amdgpu_kernel void @loop(ptr addrspace(1) %out, ptr addrspace(1) %in) {
entry:
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %q = getelementptr i32, ptr addrspace(1) %out, i32 %id
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %v = phi i32 [ %id, %entry ], [ %w, %loop ]
  %j = call i32 asm "s_add_u32 $0, $1, 3", "=s,s,~{scc}"(i32 %i)
  %w = call i32 asm "v_lshlrev_b32 $0, 1, $1", "=v,v"(i32 %v)
  %c = icmp ult i32 %j, %id
  br i1 %c, label %loop, label %end
end:
  %r = add i32 %j, %w
  store i32 %r, ptr addrspace(1) %q
  ret void
}

; Registers by name: operands, results, and what is changed besides.
define amdgpu_kernel void @named(ptr addrspace(1) %out, ptr addrspace(1) %in) {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %p = getelementptr i32, ptr addrspace(1) %in, i32 %id
  %v = load i32, ptr addrspace(1) %p
  %a = call i32 asm sideeffect "v_xor_b32 v5, v5, v6", "={v5},{v5},{v6}"(i32 %id, i32 %v)
  %b = call i32 asm sideeffect "s_mov_b32 s20, 0x1234\0A\09v_mov_b32 $0, s20\0A\09v_mov_b32 v0, 0\0A\09s_mov_b32 s12, 0\0A\09s_mov_b32 s13, 0", "=v,~{s20},~{v0},~{s[12:13]}"()
  %c = call i64 asm "s_mov_b64 s[16:17], 7", "={s[16:17]}"()
  %c0 = trunc i64 %c to i32
  %s = add i32 %a, %b
  %s1 = add i32 %s, %c0
  %s2 = add i32 %s1, %id
  %q = getelementptr i32, ptr addrspace(1) %out, i32 %id
  store i32 %s2, ptr addrspace(1) %q
  ret void
}
define i32 @changes(i32 %x) noinline {
  %r = call i32 asm sideeffect "v_mov_b32 v41, v2\0A\09v_or_b32 $0, v41, v2", "=v,{v2},~{v41},~{s28}"(i32 %x)
  ret i32 %r
}
define amdgpu_kernel void @named_in_functions(ptr addrspace(1) %out, ptr addrspace(1) %in) {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %p = getelementptr i32, ptr addrspace(1) %in, i32 %id
  %v = load i32, ptr addrspace(1) %p
  %a = call i32 @changes(i32 %v)
  %b = call i32 @changes(i32 %id)
  %s = mul i32 %a, %b
  %t = add i32 %s, %v
  %q = getelementptr i32, ptr addrspace(1) %out, i32 %id
  store i32 %t, ptr addrspace(1) %q
  ret void
}
