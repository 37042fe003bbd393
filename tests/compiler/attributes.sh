#!/bin/sh
# SPDX-License-Identifier: MIT
# Attributes of functions (ATT-01, ATT-02, ATT-06, ATT-07, ATT-05, ATT-08 to ATT-24, ATT-26, ATT-30 to ATT-40) by `softwave cc` and by llc-22: the same lines of the kernel descriptor and
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
no_queue "amdgpu-no-queue-ptr"; hidden_
no_hostcall "amdgpu-no-hostcall-ptr"; hidden_
no_heap "amdgpu-no-heap-ptr"; hidden_
no_multigrid "amdgpu-no-multigrid-sync-arg"; hidden_
no_default_queue "amdgpu-no-default-queue"; hidden_
no_completion "amdgpu-no-completion-action"; hidden_
groups "amdgpu-max-num-workgroups"="8,4,2"; max_num_workgroups|max_flat
groups_one "amdgpu-max-num-workgroups"="1,1,1"; max_num_workgroups|max_flat
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
for target in gfx600 gfx900 gfx90a gfx1030 gfx1100 gfx1201 gfx1250; do
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

# ---- What others give a function ----
# A kernel that calls a function from elsewhere asks for all inputs that an attribute of the function does not rule out, and
# writes no register for the others (ATT-08 to ATT-16). Of those that llc asks for as we do, the lines are alike.
inputs() { # inputs ATTRIBUTE
    cat << S
declare void @ext() $1
define amdgpu_kernel void @k(ptr addrspace(1) %p) $1 {
  call void @ext() $1
  ret void
}
S
}
# expect_input TARGET ATTRIBUTE KEY WITH WITHOUT
expect_input() {
    inputs "" > with.ll
    inputs "$2" > without.ll
    for one in with without; do
        "$softwave" cc --verify --target="$1" -S $one.ll -o cc.s 2> message && "$LLC" -mtriple=amdgcn-amd-amdhsa -mcpu="$1" $one.ll -o llc.s 2>> message ||
            { wrong "$1 $2: $(head -n 2 message)" && return; }
        value=$(sed -n "s/.*\.amdhsa_$3 //p" cc.s) theirs=$(sed -n "s/.*\.amdhsa_$3 //p" llc.s)
        [ $one = with ] && wanted=$4 || wanted=$5
        case $3 in *workgroup_id* | *kernarg*) theirs=$wanted ;; esac # llc asks for these in any case
        [ "$value" = "$wanted" ] && [ "$theirs" = "$wanted" ] && pass || wrong "$1 $2: $one it, .amdhsa_$3 is $value, llc: $theirs"
    done
}
for target in gfx803 gfx900 gfx90a gfx942 gfx1030 gfx1100; do
    expect_input $target '"amdgpu-no-workitem-id-z"' system_vgpr_workitem_id 2 1
    expect_input $target '"amdgpu-no-workitem-id-y" "amdgpu-no-workitem-id-z"' system_vgpr_workitem_id 2 0
    expect_input $target '"amdgpu-no-workitem-id-x" "amdgpu-no-workitem-id-y" "amdgpu-no-workitem-id-z"' system_vgpr_workitem_id 2 0
    expect_input $target '"amdgpu-no-workgroup-id-x"' system_sgpr_workgroup_id_x 1 0
    expect_input $target '"amdgpu-no-workgroup-id-y"' system_sgpr_workgroup_id_y 1 0
    expect_input $target '"amdgpu-no-workgroup-id-z"' system_sgpr_workgroup_id_z 1 0
    expect_input $target '"amdgpu-no-dispatch-ptr"' user_sgpr_dispatch_ptr 1 0
    expect_input $target '"amdgpu-no-dispatch-id"' user_sgpr_dispatch_id 1 0
    expect_input $target '"amdgpu-no-implicitarg-ptr"' user_sgpr_kernarg_segment_ptr 1 0
    # Nothing is written to v31 if no dimension is wanted, nor to s[8:9] without hidden arguments.
    inputs '"amdgpu-no-workitem-id-x" "amdgpu-no-workitem-id-y" "amdgpu-no-workitem-id-z"' > without.ll
    "$softwave" cc --target=$target -S without.ll -o cc.s && ! grep -q 'v31' cc.s && pass || wrong "$target: v31 is written though nobody wants ids"
    inputs '"amdgpu-no-implicitarg-ptr"' > without.ll
    "$softwave" cc --target=$target -S without.ll -o cc.s && ! grep -qE ' s[89],' cc.s && pass || wrong "$target: s[8:9] is written though nobody wants hidden arguments"
done

# ---- Hints ----
# More waves beside each other: no more registers than leave room for them (ATT-05). The size of a work-group wins.
many() {
    echo "define amdgpu_kernel void @k(ptr addrspace(1) %p) $1 {"
    for n in $(seq 0 99); do echo "  %p$n = getelementptr i32, ptr addrspace(1) %p, i32 $((n * 64))
  %v$n = load volatile i32, ptr addrspace(1) %p$n"; done
    for n in $(seq 0 99); do echo "  store volatile i32 %v$n, ptr addrspace(1) %p$((99 - n))"; done
    echo "  ret void
}"
}
registers() { sed -n 's/^ *\.vgpr_count: *//p' cc.s; }
many '"amdgpu-flat-work-group-size"="64,64"' > few.ll
many '"amdgpu-flat-work-group-size"="64,64" "amdgpu-waves-per-eu"="8,8"' > waves.ll
many '"amdgpu-flat-work-group-size"="1024,1024" "amdgpu-waves-per-eu"="1,1"' > group.ll
"$softwave" cc --target=gfx90a -S few.ll -o cc.s && [ "$(registers)" -gt 64 ] && pass || wrong "100 values in $(registers) registers"
"$softwave" cc --target=gfx90a -S waves.ll -o cc.s && [ "$(registers)" -le 64 ] && pass || wrong "8 waves: $(registers) registers"
"$softwave" cc --target=gfx90a -S group.ll -o cc.s && [ "$(registers)" -le 128 ] && pass || wrong "1024 work-items: $(registers) registers"
"$softwave" cc --target=gfx90a waves.ll -o waves.co && "$softwave" run -g 1 waves.co 'buf:25600,in=/dev/zero' > message 2>&1 && pass || wrong "8 waves: $(head -n 2 message)"

# What has no effect on code or metadata has none with llc-22 either, in the same modules (ATT-23, ATT-24, ATT-30 to ATT-33,
# ATT-38 to ATT-40). LDS is laid out by what is used, whatever ATT-23 says.
cat > body << 'S'
@m = internal addrspace(3) global [64 x i32] poison
define amdgpu_kernel void @k(ptr addrspace(1) %p, i32 %n) ATTRIBUTE {
  %v = load volatile i32, ptr addrspace(1) %p
  %c = icmp eq i32 %v, %n
  %s = select i1 %c, i32 %n, i32 5
  %u = call i32 @llvm.amdgcn.readfirstlane.i32(i32 %v)
  %w = add i32 %u, %s
  %q = getelementptr i32, ptr addrspace(3) @m, i32 %n
  store i32 %w, ptr addrspace(3) %q
  %x = load i32, ptr addrspace(3) @m
  store i32 %x, ptr addrspace(1) %p
  ret void
}
declare i32 @llvm.amdgcn.readfirstlane.i32(i32)
S
for target in gfx900 gfx1100 gfx1201; do
    for attribute in '' '"amdgpu-lds-size"="1024"' '"amdgpu-gds-size"="256"' '"amdgpu-wave-priority-threshold"="1"' '"amdgpu-memory-bound"="true"' \
        '"amdgpu-wave-limiter"="true"' '"amdgpu-unroll-threshold"="1000"' '"amdgpu-sgpr-hazard-boundary-cull"="1"' '"amdgpu-sgpr-hazard-mem-wait-cull"="1"' \
        '"amdgpu-sgpr-hazard-mem-wait-cull"="1" "amdgpu-sgpr-hazard-mem-wait-cull-threshold"="1"'; do
        sed "s/ATTRIBUTE/$attribute/" body > hint.ll
        "$softwave" cc --target=$target -S hint.ll -o cc.s && "$LLC" -mtriple=amdgcn-amd-amdhsa -mcpu=$target hint.ll -o llc.all || wrong "$target $attribute"
        sed 's/;.*//' llc.all > llc.s # comments say it
        [ "$attribute" ] || { cp cc.s cc.plain && cp llc.s llc.plain; }
        cmp -s cc.s cc.plain && cmp -s llc.s llc.plain && pass || wrong "$target $attribute: $(diff cc.s cc.plain | head -n 2) llc: $(diff llc.s llc.plain | head -n 2)"
    done
    # Waits between units can be left out, to measure what they cost: on GFX12 alone (ATT-37).
    sed 's/ATTRIBUTE/"amdgpu-sgpr-hazard-wait"="0"/' body > hint.ll
    "$softwave" cc --target=$target -S hint.ll -o cc.s && "$LLC" -mtriple=amdgcn-amd-amdhsa -mcpu=$target hint.ll -o llc.all || wrong "$target: hazard-wait"
    sed 's/;.*//' llc.all > llc.s
    for who in cc llc; do
        case $target in gfx12*) grep -q s_wait_alu $who.plain && ! grep -q s_wait_alu $who.s ;; *) cmp -s $who.s $who.plain ;; esac && pass || wrong "$target: hazard-wait: $who"
    done
done

# ---- Hidden arguments that are marked ----
# llc-22 preloads them or refuses; here they are read from memory, so that such a parameter has no place (ATT-35, INIT-21).
cat > hidden.ll << 'S'
define amdgpu_kernel void @k(ptr addrspace(1) %o, i32 inreg "amdgpu-hidden-argument" %h) {
  store i32 %h, ptr addrspace(1) %o
  ret void
}
S
"$softwave" cc --target=gfx942 hidden.ll -o hidden.co 2> message
[ $? = 4 ] && grep -q 'a hidden argument among the explicit ones is not supported' message && pass || wrong "a hidden parameter: $(cat message)"
cat > preload.ll << 'S'
declare ptr addrspace(4) @llvm.amdgcn.implicitarg.ptr()
define amdgpu_kernel void @k(ptr addrspace(1) inreg %o, i32 inreg %x) {
  %h = call ptr addrspace(4) @llvm.amdgcn.implicitarg.ptr()
  %n = load i32, ptr addrspace(4) %h
  %q = getelementptr i16, ptr addrspace(4) %h, i64 6
  %s = load i16, ptr addrspace(4) %q
  %w = zext i16 %s to i32
  %a = mul i32 %n, %w
  %b = add i32 %a, %x
  store i32 %b, ptr addrspace(1) %o
  ret void
}
S
"$softwave" cc --target=gfx942 preload.ll -o ours.co && "$LLC" -mtriple=amdgcn-amd-amdhsa -mcpu=gfx942 -amdgpu-kernarg-preload-count=16 -filetype=obj preload.ll -o theirs.o &&
    "$softwave" ld theirs.o -o theirs.co && for who in ours theirs; do "$softwave" run -g 384 -b 64 $who.co buf:4,show=u32:1 u32:1000 > $who.out 2>&1; done
grep -q ': 1384$' ours.out && cmp -s ours.out theirs.out && pass || wrong "preloaded: $(cat ours.out theirs.out)"

# ---- Accumulation registers ----
# With none allowed, matrix instructions take vector registers, as llc's do; other numbers are a wish (ATT-36).
for number in 0 30; do
    cat > matrix.ll << S
declare <32 x float> @llvm.amdgcn.mfma.f32.32x32x1f32(float, float, <32 x float>, i32, i32, i32)
define amdgpu_kernel void @k(ptr addrspace(1) %o) "amdgpu-flat-work-group-size"="64,64" "amdgpu-agpr-alloc"="$number" {
  %a = load <32 x float>, ptr addrspace(1) %o
  %r = call <32 x float> @llvm.amdgcn.mfma.f32.32x32x1f32(float 1.0, float 2.0, <32 x float> %a, i32 0, i32 0, i32 0)
  store <32 x float> %r, ptr addrspace(1) %o
  ret void
}
S
    for target in gfx90a gfx942; do
        "$softwave" cc --verify --target=$target -S matrix.ll -o cc.s 2> message && "$LLC" -mtriple=amdgcn-amd-amdhsa -mcpu=$target matrix.ll -o llc.s || wrong "$target: $(head -n 2 message)"
        for who in cc llc; do
            grep -q 'agpr_count: *0$' $who.s && grep -q 'v_mfma_f32_32x32x1.*f32 v' $who.s && ! grep -qE '[ ,]a(\[|[0-9])' $who.s && pass || wrong "$target: agpr-alloc=$number: $who: $(grep mfma $who.s)"
        done
        [ "$(sed -n 's/.*accum_offset //p' cc.s)" -ge 32 ] && pass || wrong "$target: agpr-alloc=$number: $(grep accum_offset cc.s)"
    done
done
end_test
