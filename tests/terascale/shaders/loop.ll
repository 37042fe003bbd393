; A loop whose length is in the input, with a branch and a way out; a position and a parameter.
define amdgpu_vs void @loop(<4 x float> inreg %unused, <4 x float> inreg %v) {
entry:
  %x = extractelement <4 x float> %v, i32 0
  %limit = extractelement <4 x float> %v, i32 1
  br label %head
head:
  %i = phi float [ 0.0, %entry ], [ %next, %tail ]
  %sum = phi float [ %x, %entry ], [ %total, %tail ]
  %on = fcmp olt float %i, %limit
  br i1 %on, label %body, label %out
body:
  %big = fcmp ogt float %sum, 100.0
  br i1 %big, label %out, label %work
work:
  %even = fcmp olt float %sum, 10.0
  br i1 %even, label %one, label %two
one:
  %more = fadd float %sum, %i
  %mo = fadd float %more, 1.5
  br label %tail
two:
  %much = fmul float %sum, 1.25
  br label %tail
tail:
  %total = phi float [ %mo, %one ], [ %much, %two ]
  %next = fadd float %i, 1.0
  br label %head
out:
  %p = insertelement <4 x float> %v, float %sum, i32 2
  call void @llvm.r600.store.swizzle(<4 x float> %p, i32 60, i32 1)
  %q = insertelement <4 x float> %v, float %i, i32 0
  call void @llvm.r600.store.swizzle(<4 x float> %q, i32 0, i32 2)
  ret void
}
declare void @llvm.r600.store.swizzle(<4 x float>, i32, i32)
