#!/bin/sh
# SPDX-License-Identifier: MIT
# Two objects with the same inline functions and weak variables, which name each other's functions and variables,
# are linked by `softwave ld`: both ours, both llc-22's, one of each. All compute the same. How other objects may name a symbol
# is as llc-22 says it, but that ours are protected where nothing is said. usage: linkage.sh [path of softwave]; TARGETS chooses.
. "$(dirname "$0")/../tools.sh"
begin_test "$@"
need_llvm_22 "$LLC" "$LLVM_READELF"
need_reader
cat > both.ll << 'EOF'
declare i32 @llvm.amdgcn.workitem.id.x()
declare i32 @llvm.amdgcn.workgroup.id.x()
@shared = linkonce_odr addrspace(1) global i32 1000
define linkonce_odr i32 @once(i32 %x) noinline {
  %old = load i32, ptr addrspace(1) @shared
  %r = add i32 %x, %old
  ret i32 %r
}
EOF
cat both.ll - > first.ll << 'EOF'
define weak_odr protected amdgpu_kernel void @again(ptr addrspace(1) %out) {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %v = call i32 @once(i32 %id)
  %q = getelementptr i32, ptr addrspace(1) %out, i32 %id
  store i32 %v, ptr addrspace(1) %q
  ret void
}
@replaced = weak addrspace(1) global i32 1
@there = external addrspace(1) global [2 x i32]
@there_constant = external addrspace(4) constant i32
@beside = external hidden addrspace(1) global i32
@missing = extern_weak addrspace(1) global i32
declare extern_weak void @missing_function()
declare i32 @far(i32)
declare hidden i32 @far_hidden(i32)
define weak i32 @replaced_function(i32 %x) noinline {
  ret i32 0
}
@own = hidden addrspace(1) global i32 7
@own_name = weak alias i32, ptr addrspace(1) @own
define amdgpu_kernel void @k(ptr addrspace(1) %out) {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %q = getelementptr [12 x i32], ptr addrspace(1) %out, i32 %id
  %a = load i32, ptr addrspace(1) @replaced
  store i32 %a, ptr addrspace(1) %q
  %lane = and i32 %id, 1
  %tp = getelementptr [2 x i32], ptr addrspace(1) @there, i32 0, i32 %lane
  %b = load i32, ptr addrspace(1) %tp
  %q1 = getelementptr i32, ptr addrspace(1) %q, i32 1
  store i32 %b, ptr addrspace(1) %q1
  %c = load i32, ptr addrspace(4) @there_constant
  %q2 = getelementptr i32, ptr addrspace(1) %q, i32 2
  store i32 %c, ptr addrspace(1) %q2
  %d = load i32, ptr addrspace(1) @beside
  %q3 = getelementptr i32, ptr addrspace(1) %q, i32 3
  store i32 %d, ptr addrspace(1) %q3
  %n = ptrtoint ptr addrspace(1) @missing to i64
  %n32 = trunc i64 %n to i32
  %q4 = getelementptr i32, ptr addrspace(1) %q, i32 4
  store i32 %n32, ptr addrspace(1) %q4
  %m = ptrtoint ptr @missing_function to i64
  %m32 = trunc i64 %m to i32
  %q5 = getelementptr i32, ptr addrspace(1) %q, i32 5
  store i32 %m32, ptr addrspace(1) %q5
  %e = call i32 @far(i32 %id)
  %q6 = getelementptr i32, ptr addrspace(1) %q, i32 6
  store i32 %e, ptr addrspace(1) %q6
  %f = call i32 @far_hidden(i32 %id)
  %q7 = getelementptr i32, ptr addrspace(1) %q, i32 7
  store i32 %f, ptr addrspace(1) %q7
  %g = call i32 @replaced_function(i32 %id)
  %q8 = getelementptr i32, ptr addrspace(1) %q, i32 8
  store i32 %g, ptr addrspace(1) %q8
  %odd = icmp eq i32 %lane, 0
  %to = select i1 %odd, ptr @far, ptr @once
  %h = call i32 %to(i32 %id)
  %q9 = getelementptr i32, ptr addrspace(1) %q, i32 9
  store i32 %h, ptr addrspace(1) %q9
  %o = load i32, ptr addrspace(1) @own_name
  %q10 = getelementptr i32, ptr addrspace(1) %q, i32 10
  store i32 %o, ptr addrspace(1) %q10
  ret void
}
EOF
cat both.ll - > second.ll << 'EOF'
@replaced = addrspace(1) global i32 2
@there = addrspace(1) global [2 x i32] [i32 30, i32 31]
@there_constant = addrspace(4) constant i32 44
@beside = hidden addrspace(1) global i32 55
define i32 @far(i32 %x) noinline {
  %r = call i32 @once(i32 %x)
  %s = mul i32 %r, 3
  ret i32 %s
}
define hidden i32 @far_hidden(i32 %x) noinline {
  %s = xor i32 %x, 77
  ret i32 %s
}
define i32 @replaced_function(i32 %x) noinline {
  %g = call i32 @llvm.amdgcn.workgroup.id.x()
  %s = shl i32 %g, 8
  %r = or i32 %x, %s
  ret i32 %r
}
EOF
"${PYTHON:-python3}" -c '
import struct, sys
for i in range(64):
    far = 3 * (i + 1000)
    row = [2, 30 + i % 2, 44, 55, 0, 0, far, i ^ 77, i, far if i % 2 == 0 else i + 1000, 7, 0]
    sys.stdout.buffer.write(struct.pack("<12I", *row))' > expected.k
"${PYTHON:-python3}" -c '
import struct, sys
sys.stdout.buffer.write(b"".join(struct.pack("<I", i + 1000) for i in range(64)) + bytes(64 * 44))' > expected.again

# symbols FILE: name, binding, whether it is hidden, whether it is defined
symbols() {
    "$LLVM_READELF" -sW "$1" | awk '$8 ~ /^(shared|once|again|replaced|there|beside|missing|far|own|k)[a-z_]*(.kd)?$/ {
        print $8, $5, $6 == "HIDDEN" ? "hidden" : "", $7 == "UND" ? "elsewhere" : "" }' | sort
}
for one in ${TARGETS:-gfx803 gfx90a gfx1030 gfx1100 gfx1201 gfx1250}; do
    for part in first second; do
        "$softwave" cc --verify --target="$one" -c $part.ll -o ours-$part.o 2> message || wrong "$one $part: cc: $(head -n 3 message)"
        "$LLC" -mtriple=amdgcn-amd-amdhsa -mcpu="$one" -filetype=obj $part.ll -o theirs-$part.o 2> message || wrong "$one $part: llc: $(head -n 3 message)"
        symbols ours-$part.o > ours && symbols theirs-$part.o > theirs
        if [ -s ours ] && cmp -s ours theirs; then pass; else wrong "$one $part: $(diff ours theirs | head -n 5)"; fi
    done
    # As text between passes, too.
    "$softwave" cc --target="$one" --until=read first.ll -o first.swir 2> message && "$softwave" cc --verify -c first.swir -o again.o 2> message
    if cmp -s again.o ours-first.o; then pass; else wrong "$one text: $(head -n 3 message) $(cmp again.o ours-first.o 2>&1)"; fi
    for pair in ours-ours ours-theirs theirs-ours theirs-theirs; do
        rm -f both.co
        "$softwave" ld "${pair%-*}-first.o" "${pair#*-}-second.o" -o both.co 2> message || { wrong "$one $pair: ld: $(head -n 3 message)" && continue; }
        for kernel in k again; do
            "$softwave" run --init=random:3 --stack=16K --target="$one" -k $kernel -g 64 -b 64 both.co buf:3072,out=out > message 2>&1
            if cmp -s out expected.$kernel; then pass; else wrong "$one $pair $kernel: $(head -n 2 message) $(cmp out expected.$kernel 2>&1)"; fi
        done
    done
done
end_test
