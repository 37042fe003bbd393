#!/bin/sh
# SPDX-License-Identifier: MIT
# Attributes of functions (ATT-01, ATT-02, ATT-06, ATT-07, ATT-05, ATT-08 to ATT-24, ATT-26, ATT-30 to ATT-40) by `softwave cc` and by llc-22: the same lines of the kernel descriptor and
# of the metadata. usage: attributes.sh [path of softwave]
. "$(dirname "$0")/../tools.sh"
begin_test "$@"
. "$here/together.inc"
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
# Kernels with an argument, whose hidden arguments are used, one for each row.
{
    echo 'declare ptr addrspace(4) @llvm.amdgcn.implicitarg.ptr()'
    while IFS=';' read -r attributes _; do
        cat << S
define amdgpu_kernel void @${attributes%% *}(ptr addrspace(1) %p, float %x) ${attributes#* } {
  %h = call ptr addrspace(4) @llvm.amdgcn.implicitarg.ptr()
  %v = load i32, ptr addrspace(4) %h
  %f = bitcast i32 %v to float
  %s = fadd float %f, %x
  store float %s, ptr addrspace(1) %p
  ret void
}
S
    done < table
    echo '!llvm.module.flags = !{!0}'
} > rows.ll
rows=$(kernels_of rows.ll | wc -l)
# A verdict for each row: the lines of its kernel that its pattern takes are those of llc, without order.
cat > lines.awk << 'A'
FILENAME == "table" {
    name = $1
    names[++count] = name
    pattern[name] = $0
    sub(/.*; /, "", pattern[name])
    next
}
{
    name = $0
    sub(/\t.*/, "", name)
    there[FILENAME, name] = 1
    if (!(name in pattern)) next
    sub(/^[^\t]*\t/, "")
    if ($0 !~ pattern[name]) next
    gsub(/\047/, "")
    $1 = $1
    if (!((FILENAME, name, $0) in seen)) text[FILENAME, name, ++taken[FILENAME, name]] = $0
    seen[FILENAME, name, $0] = 1
}
function missing(name, here, there,   k, all) {
    for (k = 1; k <= taken[here, name]; k++)
        if (!((there, name, text[here, name, k]) in seen)) all = all " " here ": " text[here, name, k]
    return all
}
END {
    for (n = 1; n <= count; n++) {
        name = names[n]
        differ = missing(name, "llc", "cc") missing(name, "cc", "llc")
        if (!taken["cc", name] && pattern[name] !~ /^(ieee_mode|dx10_clamp)$/) differ = differ " no line"
        if (!(("llc", name) in there) || !(("cc", name) in there)) differ = differ " not compiled"
        print differ ? "wrong " what " " name ":" differ : "pass"
    }
}
A
for target in gfx600 gfx900 gfx90a gfx1030 gfx1100 gfx1201 gfx1250; do
    for version in 400 500; do
        what="$target V${version%00}"
        { cat rows.ll && echo "!0 = !{i32 1, !\"amdhsa_code_object_version\", i32 $version}"; } > all.ll
        whole "$what" all.ll llc.s "$LLC" -O2 -mtriple=amdgcn-amd-amdhsa -mcpu=$target
        whole "$what" all.ll cc.s "$softwave" cc --target=$target -S
        for who in llc cc; do parts $who.s > $who; done
        awk -v what="$what" -f lines.awk table llc cc > rows.verdicts
        verdicts rows.verdicts "$rows"
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
# ATTRIBUTE...; KEY WITH WITHOUT: what the descriptor says under this key without the attributes and with them
cat > inputs << 'T'
"amdgpu-no-workitem-id-z"; system_vgpr_workitem_id 2 1
"amdgpu-no-workitem-id-y" "amdgpu-no-workitem-id-z"; system_vgpr_workitem_id 2 0
"amdgpu-no-workitem-id-x" "amdgpu-no-workitem-id-y" "amdgpu-no-workitem-id-z"; system_vgpr_workitem_id 2 0
"amdgpu-no-workgroup-id-x"; system_sgpr_workgroup_id_x 1 0
"amdgpu-no-workgroup-id-y"; system_sgpr_workgroup_id_y 1 0
"amdgpu-no-workgroup-id-z"; system_sgpr_workgroup_id_z 1 0
"amdgpu-no-dispatch-ptr"; user_sgpr_dispatch_ptr 1 0
"amdgpu-no-dispatch-id"; user_sgpr_dispatch_id 1 0
"amdgpu-no-implicitarg-ptr"; user_sgpr_kernarg_segment_ptr 1 0
T
# One kernel without an attribute, k0, and one for each row.
number=0
{ echo && cat inputs; } | while IFS=';' read -r attributes _; do
    cat << S
declare void @ext$number() $attributes
define amdgpu_kernel void @k$number(ptr addrspace(1) %p) $attributes {
  call void @ext$number() $attributes
  ret void
}
S
    number=$((number + 1))
done > inputs.ll
# A verdict for k0 and for the row's kernel by each row; then nothing is written to v31 if no dimension is wanted, nor to s[8:9]
# without hidden arguments.
cat > inputs.awk << 'A'
FILENAME == "inputs" {
    row = $0
    sub(/;.*/, "", row)
    attributes[++count] = row
    key[count] = ".amdhsa_" $(NF - 2)
    wanted[count, "with"] = $(NF - 1)
    wanted[count, "without"] = $NF
    next
}
$2 ~ /^\.amdhsa_/ { value[FILENAME, $1, $2] = $3 }
FILENAME == "cc" {
    there[$1] = 1
    if (/v31/) ids[$1] = 1
    if (/ s[89],/) hidden[$1] = 1
}
function verdict(wrong, text) { print wrong ? "wrong " what ": " text : "pass" }
END {
    for (n = 1; n <= count; n++)
        for (k = 0; k < 2; k++) {
            kernel = k ? "k" n : "k0"
            side = k ? "without" : "with"
            want = wanted[n, side]
            ours = value["cc", kernel, key[n]]
            theirs = value["llc", kernel, key[n]]
            if (theirs != "" && key[n] ~ /workgroup_id|kernarg/) theirs = want # llc asks for these in any case
            verdict(ours "" != want "" || theirs "" != want "", attributes[n] ": " side " it, " key[n] " is " ours ", llc: " theirs)
        }
    verdict(!there["k3"] || ids["k3"], "v31 is written though nobody wants ids")
    verdict(!there["k9"] || hidden["k9"], "s[8:9] is written though nobody wants hidden arguments")
}
A
for target in gfx803 gfx900 gfx90a gfx942 gfx1030 gfx1100; do
    whole $target inputs.ll llc.s "$LLC" -mtriple=amdgcn-amd-amdhsa -mcpu=$target
    whole $target inputs.ll cc.s "$softwave" cc --verify --target=$target -S
    for who in llc cc; do parts $who.s > $who; done
    awk -v what=$target -f inputs.awk inputs llc cc > inputs.verdicts
    verdicts inputs.verdicts 20
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
cat > hints << 'T'

"amdgpu-lds-size"="1024"
"amdgpu-gds-size"="256"
"amdgpu-wave-priority-threshold"="1"
"amdgpu-memory-bound"="true"
"amdgpu-wave-limiter"="true"
"amdgpu-unroll-threshold"="1000"
"amdgpu-sgpr-hazard-boundary-cull"="1"
"amdgpu-sgpr-hazard-mem-wait-cull"="1"
"amdgpu-sgpr-hazard-mem-wait-cull"="1" "amdgpu-sgpr-hazard-mem-wait-cull-threshold"="1"
"amdgpu-sgpr-hazard-wait"="0"
T
number=0
while read -r attribute; do
    cat << S
@m$number = internal addrspace(3) global [64 x i32] poison
define amdgpu_kernel void @k$number(ptr addrspace(1) %p, i32 %n) $attribute {
  %v = load volatile i32, ptr addrspace(1) %p
  %c = icmp eq i32 %v, %n
  %s = select i1 %c, i32 %n, i32 5
  %u = call i32 @llvm.amdgcn.readfirstlane.i32(i32 %v)
  %w = add i32 %u, %s
  %q = getelementptr i32, ptr addrspace(3) @m$number, i32 %n
  store i32 %w, ptr addrspace(3) %q
  %x = load i32, ptr addrspace(3) @m$number
  store i32 %x, ptr addrspace(1) %p
  ret void
}
S
    number=$((number + 1))
done < hints > hints.ll
echo 'declare i32 @llvm.amdgcn.readfirstlane.i32(i32)' >> hints.ll
# A verdict for each row, the last one apart: the kernel is k0 but for its number. Waits between units can be left out, to measure
# what they cost: on GFX12 alone (ATT-37), by ours and by llc, which the last two verdicts say.
cat > hints.awk << 'A'
FILENAME == "hints" { attribute[count++] = $0; next }
{
    kernel = $1
    if (/\t\.text$/) next # what follows the last one is another text
    if (/s_wait_alu/) waits[FILENAME, kernel] = 1
    sub(/^[^\t]*\t/, "")
    sub(/[ \t]*;.*/, "") # comments say it
    gsub("(k|func_end|BB)" substr(kernel, 2), "K")
    text[FILENAME, kernel] = text[FILENAME, kernel] $0 "\n"
}
function same(who, n) { return text[who, "k0"] != "" && text[who, "k" n] == text[who, "k0"] }
END {
    last = count - 1
    for (n = 0; n < last; n++) print same("cc", n) && same("llc", n) ? "pass" : "wrong " what " " attribute[n] ": cc " same("cc", n) ", llc " same("llc", n)
    for (k = split("cc llc", who, " "); k; k--) {
        if (what ~ /^gfx12/) right = waits[who[k], "k0"] && text[who[k], "k" last] != "" && !waits[who[k], "k" last]
        else right = same(who[k], last)
        print right ? "pass" : "wrong " what ": hazard-wait: " who[k]
    }
}
A
for target in gfx900 gfx1100 gfx1201; do
    whole $target hints.ll llc.s "$LLC" -mtriple=amdgcn-amd-amdhsa -mcpu=$target
    whole $target hints.ll cc.s "$softwave" cc --target=$target -S
    for who in llc cc; do parts $who.s > $who; done
    awk -v what=$target -f hints.awk hints llc cc > hints.verdicts
    verdicts hints.verdicts 12
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
