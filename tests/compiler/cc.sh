#!/bin/sh
# SPDX-License-Identifier: MIT
# `softwave cc`: what it refuses and how, and that every kernel of bench/ and of tests/device/kernels can be read at every
# level of optimisation, or is refused by the name of a construct. EVERY=1 takes all levels. usage: cc.sh [path of softwave]
. "$(dirname "$0")/../tools.sh"
top=$(realpath "$(dirname "$0")/../..")
begin_test "$@"

# expect STATUS TEXT ARG...: runs `softwave cc ARG...`; TEXT must be in what it prints on either stream.
expect() {
    status=$1 text=$2
    shift 2
    output=$("$softwave" cc "$@" 2>&1 < /dev/null)
    got=$?
    case $output in *"$text"*) found=1 ;; *) found=0 ;; esac
    if [ $got -eq "$status" ] && [ $found -eq 1 ]; then pass; else
        wrong "cc $*: exit $got, expected $status with '$text': $(printf %.600s "$output")"
    fi
}

cat > own.swir << 'S'
; comments and empty lines are left out

module target "gfx90a" version 6 after read
kernel @k { wave 64; }
b0:
  return
S
expect 1 "FILE is missing"
expect 1 "no stage 'nonsense'" --until=nonsense own.swir
expect 0 "kernel @k" --until=parse own.swir
expect 0 "kernel @k" --until=parse --mattr=-wavefrontsize32,+wavefrontsize64 own.swir
expect 4 "feature '+real-true16': the compiler takes wavefrontsize32" --until=parse --mattr=+wavefrontsize64,+real-true16 own.swir
expect 0 "kernel @k" --until=parse --mattr=+wavefrontsize64,+cumode,-tgsplit own.swir
expect 4 "feature 'wavefrontsize64'" --until=parse --mattr=wavefrontsize64 own.swir
expect 0 "kernel @k" --until=read --llvm=/does/not/exist own.swir # needs no LLVM
sed 's/return/retrun/' own.swir > bad.swir
expect 2 "bad.swir:6:3: error: no operation or row of this name" --until=read bad.swir
sed 's/gfx90a/cayman/' own.swir > bad.swir
expect 4 "bad.swir: error: cayman is no processor of amdgcn" bad.swir
expect 4 "cayman is no processor of amdgcn" --target=cayman own.swir
sed 's/wave 64;//' own.swir > bad.swir
expect 2 "@k: gfx90a has no waves of 0 lanes" bad.swir
sed 's/wave 64;/wave 32;/' own.swir > bad.swir
expect 2 "@k: gfx90a has no waves of 32 lanes" bad.swir
sed 's/version 6/version 3/' own.swir > bad.swir
expect 4 "code objects of version 3 are not made; 4 to 6 are" bad.swir
grep -v return own.swir > bad.swir
expect 2 "b0 has no terminator" --until=read bad.swir

# Assembly of the module, which stands in front of all functions; LLVM's text that begins with it is not taken for ours.
cat > assembly.ll << 'S'
module asm ".globl there"
module asm "there = 5 ; a \22comment\22"
define amdgpu_kernel void @k() {
  ret void
}
S
"$softwave" cc --until=read assembly.ll > message 2>&1
if ! grep -q libllvm22 message; then
    expect 0 "there = 5 ; a" --target=gfx90a -S assembly.ll -o -
    expect 0 'assembly ".globl there\0athere = 5 ; a \22comment\22' --target=gfx90a --until=read assembly.ll
    "$softwave" cc --target=gfx90a --until=read assembly.ll -o assembly.swir && expect 0 ".globl there" -S assembly.swir -o -
    sed 's/there = 5/v_nothing v0/' assembly.ll > bad.ll
    expect 2 "bad.ll: error: assembly of the module, line 2, column" --target=gfx90a bad.ll
    sed 's/there = 5.*"/.incbin \\22bad.ll\\22"/' assembly.ll > bad.ll
    expect 2 "bad.ll: error: assembly of the module, line 2, column" --target=gfx90a bad.ll
fi

# Any number of threads; what is said with -v; passes of LLVM.
expect 1 "-j takes 0 to 1024" -j x own.swir
expect 1 "-j takes 0 to 1024" -j 1025 own.swir
expect 0 "target gfx90a, waves of 64 lanes, code object V6, 1 function" -v -j 0 own.swir -o own.co

# Every function that is refused is reported, not the first alone.
cat > several.swir << 'S'
module target "gfx90a" version 6 after read
kernel @k { wave 64; }
b0:
  return
kernel @first { wave 64; }
b0:
  sleep 1:i32
  return
kernel @second { wave 64; }
b0:
  sleep 1:i32
  return
S
expect 4 "function @first: 'sleep 1:i32': this operation is not supported" several.swir
expect 4 "function @second: 'sleep 1:i32': this operation is not supported" several.swir
# LLVM IR. Without LLVM, and with something else in its place.
echo 'define amdgpu_kernel void @k() { ret void }' > k.ll
expect 4 "cannot load LLVM's library: /does/not/exist" --until=read --llvm=/does/not/exist k.ll
libc=$(ldd "$softwave" | awk '/libc\.so/ {print $3}')
expect 4 "is no library of LLVM: it lacks LLVM" --until=read --llvm="$libc" k.ll
if SOFTWAVE_LLVM=/does/not/exist "$softwave" cc --until=read k.ll 2> message; then wrong "SOFTWAVE_LLVM is not looked at"; else
    grep -q "/does/not/exist" message && pass || wrong "SOFTWAVE_LLVM: $(cat message)"
fi
if ! "$softwave" cc --until=read k.ll > k.swir 2> message; then
    grep -q "needs libLLVM.so.22.1 (apt-get install libllvm22; --llvm=PATH names another)" message || wrong "without LLVM: $(cat message)"
    echo "skipped: libllvm22 is not installed"
    echo "$passed passed, $failed failed, $((skipped + 1)) skipped"
    exit $((failed > 0))
fi
pass
# LLVM's messages with its line and column.
printf 'define void @f() {\n  %%a = add i32 1, %%b\n  ret void\n}\n' > bad.ll
expect 2 "bad.ll:2:19: error: use of undefined value '%b'" --until=read bad.ll
printf 'define i32 @f() {\n  ret void\n}\n' > bad.ll
expect 2 "bad.ll:2:7: error: value doesn't match function result type 'i32'" --until=read bad.ll
printf 'define void @f(i32 %%x) {\n  br label %%a\na:\n  %%p = phi i32 [ 0, %%a ]\n  ret void\n}\n' > bad.ll
expect 2 "PHI node entries do not match predecessors" --until=read bad.ll
printf 'BC\300\336 no bitcode' > bad.bc
expect 2 "bad.bc: error: " --until=read bad.bc
# Constructs that are refused, by function and instruction.
printf 'define void @f(ptr %%p) {\n  %%r = call fastcc i32 %%p(i32 swiftself 1)\n  ret void\n}\n' > call.ll
expect 4 "function @f: '%r = call fastcc i32 %p(i32 swiftself 1)': an argument that is passed in this way is not supported" --until=read call.ll
printf 'target triple = "x86_64-linux-gnu"\ndefine void @f() {\n  ret void\n}\n' > host.ll
expect 4 "the target triple x86_64-linux-gnu is not supported" --until=read host.ll
printf 'define void @f(ptr addrspace(1) %%p) {\n  fence syncscope("everyone") acquire\n  ret void\n}\n' > scope.ll
expect 4 'syncscope("everyone") is not supported' --until=read scope.ll # SCOPE-13
printf 'define void @f(i1 %%c) {\n  call void @llvm.amdgcn.kill(i1 %%c)\n  ret void\n}\n' > kill.ll
expect 4 'the intrinsic llvm.amdgcn.kill in a function is not supported' --target=gfx900 -S -o out.s kill.ll
printf 'define amdgpu_cs void @f(i32 inreg %%a) {\n  %%l = call i1 @llvm.amdgcn.init.whole.wave()\n  ret void\n}\n' > whole.ll
expect 4 'a wave that becomes whole here is not supported' --target=gfx1201 --triple=amdgcn-- -S -o out.s whole.ll
printf 'define amdgpu_kernel void @f() {\n  call i128 asm sideeffect "", "={s[100:103]}"()\n  ret void\n}\n' > sgprs.ll
expect 4 'inline assembly with scalar registers that are not there is not supported' --target=gfx900 -S -o out.s sgprs.ll
# Of a kernel's on GFX6, VCC and its kin are the last four (llvm-mc-22 refuses a descriptor with more).
expect 4 'inline assembly with scalar registers that are not there is not supported' --target=gfx600 -S -o out.s sgprs.ll
sed 's/amdgpu_kernel //' sgprs.ll > sgprs_function.ll
expect 0 '' --target=gfx600 -c -o out.o sgprs_function.ll
sed 's/100:103/96:99/' sgprs.ll > sgprs_last.ll
expect 0 '' --target=gfx600 -c -o out.o sgprs_last.ll
printf 'define amdgpu_kernel void @f(i32 %%m) {\n  call void @llvm.amdgcn.s.setreg(i32 -2047, i32 %%m)\n  ret void\n}\n' > setreg.ll
expect 0 '' --target=gfx803 -S -o out.s setreg.ll
printf 'define amdgpu_kernel void @f(ptr addrspace(1) %%p, double %%a) {\n  %%r = call double @llvm.amdgcn.mfma.f64.4x4x4f64(double %%a, double %%a, double %%a, i32 1, i32 2, i32 3)\n  store double %%r, ptr addrspace(1) %%p\n  ret void\n}\n' > signs.ll
for target in gfx90a gfx942; do expect 0 '' --target=$target -c -o out.o signs.ll; done
printf 'define void @f() {\n  %%n = call i32 @llvm.amdgcn.groupstaticsize()\n  store i32 %%n, ptr addrspace(5) null\n  ret void\n}\n' > size.ll
expect 4 'the size of local memory in a function is not supported' --target=gfx900 -S -o out.s size.ll

# Every kernel: what is read is printed, read back and printed to the same text, verified at both ends.
# Passes of LLVM's that are asked for run first.
cat > passes.ll << 'S'
define amdgpu_kernel void @k(ptr addrspace(1) %p) {
  %x = add i32 5, 6
  br label %loop
loop:
  %i = phi i32 [ 0, %0 ], [ %j, %loop ]
  %j = add i32 %i, %x
  %c = icmp ult i32 %j, 100
  br i1 %c, label %loop, label %end
end:
  store i32 %j, ptr addrspace(1) %p
  ret void
}
S
if "$softwave" cc --until=read k.ll > message 2>&1; then
    expect 0 "phi" --target=gfx90a --until=read passes.ll
    output=$("$softwave" cc --target=gfx90a --until=read '--llvm-passes=default<O2>' passes.ll 2>&1)
    case $output in *phi*) wrong "--llvm-passes: $output" ;; *'store 110:i32'*) pass ;; *) wrong "--llvm-passes: $output" ;; esac
    expect 1 "passes.ll: error: LLVM's passes: unknown pass name 'nonsense'" --target=gfx90a --llvm-passes=nonsense passes.ll
    expect 0 "LLVM 22: " -v --target=gfx90a passes.ll -o passes.co
fi
if have "$CLANG" && llvm_22 && [ -r $libclc ]; then
    read=0 refused=0
    for file in "$top"/bench/kernels.cl "$top"/tests/device/kernels/*.cl; do
        for level in ${EVERY:+0 1 3} 2; do
            name=$(basename "$file" .cl)$level
            "$CLANG" -w -x cl -cl-std=CL2.0 -O$level -target amdgcn-amd-amdhsa -mcpu=gfx90a -nogpulib -mcode-object-version=5 \
                -Xclang -finclude-default-header -Xclang -mlink-builtin-bitcode -Xclang $libclc -I "$top/tests/device/kernels" \
                -emit-llvm -S "$file" -o "$name.ll" 2> message || { wrong "$name: $(head -n 2 message)" && continue; }
            for kernel in $(sed -n 's/^define .*amdgpu_kernel .*@\([A-Za-z0-9_]*\)(.*/\1/p' "$name.ll"); do
                "$softwave" cc --verify --until=read -k "$kernel" "$name.ll" > first.swir 2> message
                case $? in
                0)
                    read=$((read + 1))
                    "$softwave" cc --verify --until=read first.swir > second.swir 2> message && cmp -s first.swir second.swir ||
                        wrong "$name: $kernel: the text is read to another program: $(cat message)"
                    ;;
                4)
                    refused=$((refused + 1))
                    grep -q "function @$kernel: .* is not supported" message || wrong "$name: $kernel: $(cat message)"
                    ;;
                *) wrong "$name: $kernel: exit $?: $(cat message)" ;;
                esac
            done
        done
    done
    echo "$read kernels were read, $refused refused by construct"
    # Of bench/, all but those of -O0 are read.
    for level in ${EVERY:+1 3} 2; do
        if "$softwave" cc --verify --until=read kernels$level.ll > first.swir 2> message; then pass; else wrong "bench -O$level: $(cat message)"; fi
    done
    [ $read -gt 90 ] && pass || wrong "only $read kernels were read"
    # Any number of threads gives the same bytes.
    "$softwave" cc -j 1 kernels2.ll -o one.co 2> message && "$softwave" cc -j 8 kernels2.ll -o eight.co 2> message && cmp one.co eight.co && pass || wrong "-j 8 differs from -j 1"
else
    skipped=$((skipped + 1)) && echo "skipped: clang-22 or libclc-22 is not installed"
fi
# Figures of each function and times of each stage.
cat > stats.swir << 'S'
module triple "amdgcn-amd-amdhsa" target "amdgcn-amd-amdhsa--gfx90a" version 5 after read
kernel @k { wave 64; }
b0:
  return
S
"$softwave" cc --stats stats.swir -o stats.co 2> message && grep -q '^  k  *1 instructions, .* waves a SIMD' message && grep -q '^  waits .* ms$' message && pass ||
    wrong "--stats: $(cat message)"
"$softwave" cc --stats=json stats.swir -o stats.co 2> message && python3 -c 'import json; d = json.load(open("message")); assert d["functions"][0]["instructions"] == 1 and "emit" in d["seconds"]' &&
    pass || wrong "--stats=json: $(cat message)"
"$softwave" cc --stats=xml stats.swir 2> message; [ $? = 1 ] && grep -q 'only json is known' message && pass || wrong "--stats=xml: $(cat message)"
end_test
