#!/bin/sh
# SPDX-License-Identifier: MIT
# `softwave dis` from the outside: hexadecimal text, features, data and why it is data, bad input.
# usage: dis.sh [path of softwave]
. "$(dirname "$0")/../tools.sh"
softwave=${1:-build/softwave}
passed=0 failed=0 skipped=0
expect() { # STATUS INPUT OUTPUT ARG...: the whole of both streams
    status=$1 input=$2 text=$3
    shift 3
    output=$(printf '%s\n' "$input" | "$softwave" dis --hex "$@" - 2>&1)
    got=$?
    if [ $got -eq "$status" ] && [ "$output" = "$text" ]; then passed=$((passed + 1)); else
        failed=$((failed + 1))
        echo "dis $*: '$input': exit $got, expected $status with '$text', got '$output'"
    fi
}

expect 0 '02 03 04 06' 'v_add_f32_e32 v2, v2, v1' --target=gfx1100
expect 0 '[0x80,0x00,0x80,0xbe]' 's_mov_b32 s0, 0' --target=gfx900
expect 0 '010001d500000200' 'v_cndmask_b32_e64 v1, s0, v0, s[0:1]' --target=gfx1030 --wave=64
expect 0 '010001d500000200' 'v_cndmask_b32_e64 v1, s0, v0, s0' --target=gfx1030
expect 0 'ffffffff' '.long 0xffffffff' --target=gfx900
expect 0 'ffffffff' '.long 0xffffffff ; no instruction has this encoding' --target=gfx900 --reasons
expect 0 'ff0280be' '.long 0xbe8002ff ; the code ends within the instruction' --target=gfx900 --reasons
expect 0 'f9f9ff7f 00000000' '.long 0x7ffff9f9 ; no instruction has this encoding
v_cndmask_b32_e32 v0, s0, v0, vcc' --target=gfx900 --reasons
expect 0 '017ffdbf' '.long 0xbffd7f01 ; no instruction has this encoding' --target=gfx900 --reasons
expect 0 '0102' '.byte 0x01 ; the code ends within the instruction
.byte 0x02 ; the code ends within the instruction' --target=gfx900 --reasons
# Bytes that crash LLVM 22's disassembler.
for target in gfx803 gfx900 gfx1030; do
    printf '9b f5 99 ea 39 3f 69 ff\n' | "$softwave" dis --hex --target=$target - > /dev/null 2>&1
    if [ $? -eq 0 ]; then passed=$((passed + 1)); else
        failed=$((failed + 1))
        echo "9b f5 99 ea 39 3f 69 ff on $target"
    fi
done
"$softwave" dis --hex --target=gfx900 - < /dev/null > /dev/null 2>&1 && passed=$((passed + 1)) || failed=$((failed + 1))
for bad in 'zz' '123' '1 2'; do
    if printf '%s\n' "$bad" | "$softwave" dis --hex --target=gfx900 - > /dev/null 2>&1 || [ $? -ne 2 ]; then
        failed=$((failed + 1))
        echo "'$bad' is taken"
    else passed=$((passed + 1)); fi
done

# ---- Options of llvm-objdump, with its text ----
directory=$(mktemp -d) && trap 'rm -r "$directory"' EXIT
softwave=$(realpath "$softwave")
check() { # NAME GOT EXPECTED
    if [ "$2" = "$3" ]; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "$1: got '$2', expected '$3'"; fi
}
cat > "$directory/loop.s" << 'S'
    .text
    .globl first
    .type first,@function
first:
    s_nop 0
.Ltop:
    s_cbranch_scc0 next
    s_add_u32 s0, s0, outside@rel32@lo+4
    s_addc_u32 s1, s1, outside@rel32@hi-12
    s_branch .Ltop
    .long 0xffffffff
next:
    v_mov_b32 v0, v1
.Lagain:
    s_cbranch_scc1 .Lagain
    s_setpc_b64 s[30:31]
S
cat > "$directory/source.cl" << 'C'
int twice(int a) __attribute__((noinline));
int twice(int a) {
    return a * 2 +
           7;
}
__kernel void scale(__global int *p, int n) {
    int i = __builtin_amdgcn_workitem_id_x();
    for (int k = 0; k < n; k++)
        p[i] += twice(k);
}
C
cd "$directory" || exit 1
"$softwave" as --target=gfx90a loop.s -o loop.o
if llvm_22 && have $LLVM_OBJDUMP $CLANG; then
    for gpu in gfx90a gfx1100; do
        $CLANG -x cl -cl-std=CL2.0 -g -O1 -target amdgcn-amd-amdhsa -mcpu=$gpu -nogpulib -c source.cl -o $gpu.o
        $CLANG -x cl -cl-std=CL2.0 -g -O1 -target amdgcn-amd-amdhsa -mcpu=$gpu -nogpulib source.cl -o $gpu.co
    done
    $CLANG -x cl -cl-std=CL2.0 -g -gembed-source -gdwarf-5 -O1 -target amdgcn-amd-amdhsa -mcpu=gfx90a -nogpulib source.cl -o embedded.co
    same() { # FILE OPTION...: the same text as llvm-objdump's
        "$softwave" dis "$@" > ours.txt 2>&1
        $LLVM_OBJDUMP -d "$@" > theirs.txt 2>&1
        check "dis $*" "$(diff ours.txt theirs.txt | head -n 4)" ""
    }
    for file in gfx90a.o gfx90a.co gfx1100.o gfx1100.co embedded.co loop.o; do
        same $file -d
        same $file -S
        same $file -r
        same $file -S -r --symbolize-operands
    done
    same gfx90a.o --disassemble-symbols=scale,twice
    same gfx1100.co --disassemble-symbols=scale -S
    same loop.o --disassemble-symbols=next -r
    cat > names.cpp << 'C'
#define device __attribute__((device))
namespace a { template <class T> struct S { device __attribute__((noinline)) static T f(T *x) { return *x * 3; } }; }
__attribute__((global)) void kernel(int *p, float *q) { *p = a::S<int>::f(p); *q = a::S<float>::f(q); }
C
    $CLANG -x hip --cuda-device-only -nogpulib -nogpuinc --offload-arch=gfx1100 -O1 -c names.cpp -o names.co --no-gpu-bundle-output
    same names.co -C
    same names.co --demangle -r
    same names.co -C '--disassemble-symbols=a::S<int>::f(int*)'
    check "dis -k with a C++ name" "$("$softwave" dis -k kernel names.co)" "$("$softwave" dis -k _Z6kernelPiPf names.co)"
    check "and its parameters" "$("$softwave" dis -k 'kernel(int*, float*)' names.co | grep -c s_endpgm)" 1
    # Without addresses or words, lines are llvm-objdump's without these: for AMD GPUs it leaves them in.
    $LLVM_OBJDUMP -d -r --no-leading-addr gfx90a.o > theirs.txt
    for pattern in 's|// [0-9A-F]*: |// |:--no-leading-addr' 's|\(// [0-9A-F]*:\)\( [0-9A-F]\{8\}\)*|\1|:--no-show-raw-insn' \
        's| *// [0-9A-F]*:\( [0-9A-F]\{8\}\)* <| // <|; s| *// [0-9A-F]*:\( [0-9A-F]\{8\}\)*$||:--no-leading-addr --no-show-raw-insn'; do
        options=--${pattern#*:--}
        case $options in *addr*) keep=--no-leading-addr ;; *) keep= ;; esac
        $LLVM_OBJDUMP -d -r $keep gfx90a.o | sed "${pattern%%:--*}" > theirs.txt
        "$softwave" dis -r $options gfx90a.o > ours.txt
        check "dis $options" "$(diff ours.txt theirs.txt | head -n 4)" ""
    done
    rm source.cl
    check "dis -S without the source" "$("$softwave" dis -S gfx90a.co 2>&1 > ours.txt | grep -c 'source.cl: warning: failed to find source')" 1
    "$softwave" dis gfx90a.co > theirs.txt
    check "what is left then" "$(cmp ours.txt theirs.txt && echo same)" same
else skipped=40 && echo "skipped: clang or llvm-objdump of LLVM 22 is not installed"; fi
check "an unknown function" "$("$softwave" dis --disassemble-symbols=nothing loop.o 2>&1 | grep -c "warning: no function 'nothing'")" 1
check "no colours in a file" "$("$softwave" dis loop.o | grep -c "$(printf '\033')")" 0
check "--color=always, without the colours" "$("$softwave" dis -r --color=always loop.o | sed "s/$(printf '\033')\[[0-9]*m//g")" "$("$softwave" dis -r loop.o)"
check "--color=maybe" "$("$softwave" dis --color=maybe loop.o 2>&1 | head -n 1)" "softwave dis: --color takes auto, always or never, not 'maybe'"
# Blocks and edges: a branch to the next function leaves, data ends nothing, a register's target is unknown.
check "--cfg" "$("$softwave" dis --cfg loop.o)" 'digraph code {
  node [shape=box, fontname=monospace];
  subgraph "cluster_first" {
    label="first";
    b0 [label="0:\ls_nop 0\l"];
    b0 -> b4;
    b4 [label="4:\ls_cbranch_scc0 6\l"];
    b4 -> "?4";
    "?4" [label="?", shape=plaintext];
    b4 -> b8 [label="fall through", color=gray40, fontcolor=gray40];
    b8 [label="8:\ls_add_u32 s0, s0, lit(0x0)\ls_addc_u32 s1, s1, lit(0x0)\ls_branch 65530\l"];
    b8 -> b4 [label="loop", color=blue, fontcolor=blue, penwidth=2];
    b1c [label="1c:\l.long 0xffffffff\l"];
  }
  subgraph "cluster_next" {
    label="next";
    b20 [label="20:\lv_mov_b32_e32 v0, v1\l"];
    b20 -> b24;
    b24 [label="24:\ls_cbranch_scc1 65535\l"];
    b24 -> b24 [label="loop", color=blue, fontcolor=blue, penwidth=2];
    b24 -> b28 [label="fall through", color=gray40, fontcolor=gray40];
    b28 [label="28:\ls_setpc_b64 s[30:31]\l"];
    b28 -> "?28";
    "?28" [label="returns", shape=plaintext];
  }
}'
# Fill behind a function is left out, repetitions within one are counted, OpenCL's copies of kernels are for who asks.
cat > fill.s << 'S'
k: s_cbranch_scc0 .Lthere
.rept 9
s_nop 0
.endr
.Lthere: s_endpgm
.rept 200
s_nop 0
.endr
.globl __clang_ocl_kern_imp_k
__clang_ocl_kern_imp_k: s_setpc_b64 s[30:31]
S
"$softwave" as --target=gfx900 fill.s -o fill.o
check "--cfg, fill" "$("$softwave" dis --cfg fill.o | grep -o 's_nop.*')" 's_nop 0  (9 times)\l"];'
check "--cfg, a branch" "$("$softwave" dis --cfg fill.o | grep -c 'label="taken"')" 1
check "--cfg, copies of kernels" "$("$softwave" dis --cfg fill.o | grep -c 'kern_imp')" 0
check "--cfg, a copy that is asked for" "$("$softwave" dis --cfg -k __clang_ocl_kern_imp_k fill.o | grep -c 'returns')" 1
if command -v dot > /dev/null; then
    check "dot reads it" "$("$softwave" dis --cfg loop.o | dot -Tplain 2>&1 | tail -n 1)" stop
else skipped=$((skipped + 1)) && echo "skipped: dot is not installed"; fi

echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
