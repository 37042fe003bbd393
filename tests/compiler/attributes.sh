#!/bin/sh
# SPDX-License-Identifier: MIT
# Attributes of functions (ATT-01, ATT-02, ATT-06, ATT-07, ATT-26) by `softwave cc` and by llc-22: the same lines of the kernel descriptor and
# of the metadata. usage: attributes.sh [path of softwave]
. "$(dirname "$0")/../tools.sh"
begin_test "$@"
need_llvm_22 "$LLC"
need_reader

# NAME ATTRIBUTES; LINES, as a pattern, that llc and cc have alike
cat > table << 'T'
group "amdgpu-flat-work-group-size"="64,256"; max_flat_workgroup_size
group_small "amdgpu-flat-work-group-size"="1,32"; max_flat_workgroup_size
group_none ; max_flat_workgroup_size
hidden "amdgpu-implicitarg-num-bytes"="128"; kernarg_size|kernarg_segment_size
ieee_off "amdgpu-ieee"="false"; ieee_mode
ieee_on "amdgpu-ieee"="true"; ieee_mode
clamp_off "amdgpu-dx10-clamp"="false"; dx10_clamp
flush "denormal-fp-math-f32"="preserve-sign,preserve-sign"; denorm_mode
flush_all "denormal-fp-math"="preserve-sign,preserve-sign"; denorm_mode
keep "denormal-fp-math"="ieee,ieee"; denorm_mode
T
# A kernel with an argument, whose hidden arguments are used.
module() {
    cat << S
declare ptr addrspace(4) @llvm.amdgcn.implicitarg.ptr()
define amdgpu_kernel void @k(ptr addrspace(1) %p, float %x) $1 {
  %h = call ptr addrspace(4) @llvm.amdgcn.implicitarg.ptr()
  %v = load i32, ptr addrspace(4) %h
  %f = bitcast i32 %v to float
  %s = fadd float %f, %x
  store float %s, ptr addrspace(1) %p
  ret void
}
!llvm.module.flags = !{!0}
!0 = !{i32 1, !"amdhsa_code_object_version", i32 $2}
S
}
lines() { grep -E "$1" "$2" | tr -d "'" | awk '{$1 = $1; print}' | sort -u; }
for target in gfx600 gfx900 gfx90a gfx1030 gfx1100 gfx1201; do
    for version in 400 500; do
        while IFS=';' read -r attributes pattern; do
            name=${attributes%% *} attributes=${attributes#* } pattern=${pattern# }
            module "$attributes" $version > a.ll
            "$LLC" -O2 -mtriple=amdgcn-amd-amdhsa -mcpu=$target a.ll -o llc.s 2> message || { echo "$target $name: llc: $(head -n 1 message)" && failed=$((failed + 1)) && continue; }
            "$softwave" cc --target=$target -S a.ll -o cc.s 2> message || { echo "$target $name: $(head -n 1 message)" && failed=$((failed + 1)) && continue; }
            lines "$pattern" llc.s > llc.lines
            lines "$pattern" cc.s > cc.lines
            if cmp -s llc.lines cc.lines && { [ -s cc.lines ] || [ "$pattern" = ieee_mode ] || [ "$pattern" = dx10_clamp ]; }; then passed=$((passed + 1)); else
                failed=$((failed + 1)) && echo "$target V${version%00} $name: $(diff llc.lines cc.lines | grep '[<>]' | head -n 3 | tr '\n' ' ')"
            fi
        done < table
    done
done
# The upper half of a 32-bit address of constant memory.
cat > high.ll << 'S'
define amdgpu_kernel void @k(ptr addrspace(1) %p, ptr addrspace(6) %q) "amdgpu-32bit-address-high-bits"="0x12345" {
  %c = addrspacecast ptr addrspace(6) %q to ptr
  %i = ptrtoint ptr %c to i64
  store i64 %i, ptr addrspace(1) %p
  ret void
}
S
"$softwave" cc --target=gfx90a high.ll -o high.co 2> message && "$softwave" run -g 1 high.co buf:8,show=u64:1 u32:0x80001000 > out 2>&1
grep -q ': 320256383913984$' out && passed=$((passed + 1)) || { failed=$((failed + 1)) && echo "high half: $(cat message out)"; }
end_test
