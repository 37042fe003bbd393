#!/bin/sh
# SPDX-License-Identifier: MIT
# `softwave run` of source: assembly without a descriptor, OpenCL, HIP and LLVM IR through a compiler.
# usage: source.sh [path of softwave]
. "$(dirname "$0")/../command.sh"
mkdir tmp && TMPDIR=$directory/tmp && export TMPDIR

# Assembly without a descriptor: every generation has its arguments, work-group ids and work-item ids.
cat > gfx6.s << 'S'
ids:                                    // group * 64 + item, stored at the same index
    s_load_dwordx2 s[4:5], s[0:1], 0
    s_lshl_b32 s6, s2, 6
    v_add_i32 v0, vcc, s6, v0
    v_lshlrev_b32 v1, 2, v0
    s_waitcnt lgkmcnt(0)
    s_mov_b32 s6, -1
    s_mov_b32 s7, 0xf000
    buffer_store_dword v0, v1, s[4:7], 0 offen
    s_endpgm
S
cat > gfx9.s << 'S'
ids:
    s_load_dwordx2 s[4:5], s[0:1], 0
    s_lshl_b32 s6, s2, 6
    v_add_u32 v0, s6, v0
    v_lshlrev_b32 v1, 2, v0
    s_waitcnt lgkmcnt(0)
    global_store_dword v1, v0, s[4:5]
    s_endpgm
S
sed 's/v_add_u32/v_add_nc_u32/' gfx9.s > gfx10.s
cat > gfx11.s << 'S'
ids:
    s_load_b64 s[4:5], s[0:1], null
    s_lshl_b32 s6, s2, 6
    v_add_nc_u32 v0, s6, v0
    v_lshlrev_b32 v1, 2, v0
    s_waitcnt lgkmcnt(0)
    global_store_b32 v1, v0, s[4:5]
    s_endpgm
S
cat > gfx12.s << 'S'
ids:
    s_load_b64 s[4:5], s[0:1], null
    s_lshl_b32 s6, ttmp9, 6
    v_add_nc_u32 v0, s6, v0
    v_lshlrev_b32 v1, 2, v0
    s_wait_kmcnt 0
    global_store_b32 v1, v0, s[4:5]
    s_endpgm
S
for pair in gfx600:gfx6 gfx900:gfx9 gfx90a:gfx9 gfx942:gfx9 gfx1030:gfx10 gfx1100:gfx11 gfx1201:gfx12; do
    expect 0 '@0: 0 1 2 3 ...' run --target=${pair%:*} -g 128 -b 64 ${pair#*:}.s buf:512,show=u32:4
    "$softwave" run --target=${pair%:*} -g 128 -b 64 ${pair#*:}.s buf:512,out=all.bin 2> /dev/null
    if [ "$(od -An -v -tu4 -w4 all.bin | tr -d ' ' | paste -sd' ')" = "$(seq -s' ' 0 127)" ]; then passed=$((passed + 1)); else
        failed=$((failed + 1)) && echo "$pair: wrong ids"; fi
done
expect 0 "gfx9.s: note: no .amdhsa_kernel, so 'ids' runs with: s[0:1] the address of the arguments" run --target=gfx90a -g 64 gfx9.s buf:256
expect 0 'ttmp9' run --target=gfx1201 -g 64 gfx12.s buf:256
# All registers that are named are there; AGPRs as well.
printf 'k: v_mov_b32 v200, v0\n s_endpgm\n' > many.s
expect 0 '' run --target=gfx900 -g 64 many.s
printf 'k: v_accvgpr_write_b32 a100, v0\n s_endpgm\n' > agpr.s
expect 0 '' run --target=gfx90a -g 64 agpr.s
# No label, several, or one that is asked for.
printf ' s_endpgm\n' > none.s
expect 0 "'kernel' runs with" run --target=gfx900 none.s
printf 'first: s_endpgm\nsecond: s_trap 2\n s_endpgm\n' > two.s
expect 0 "'first' runs with" run --target=gfx900 two.s
expect 3 "'second' runs with" run --target=gfx900 -k second two.s
expect 2 "no label 'third' in .text" run --target=gfx900 -k third two.s
# Errors keep the lines of the text.
printf 'k:\n s_nop 0\n s_nonsense\n' > wrong.s
expect 2 'wrong.s:3:2: error: ' run --target=gfx900 wrong.s
# The text names its target; `as` follows it as `run` does.
{ echo '.amdgcn_target "amdgcn-amd-amdhsa--gfx90a"'; cat gfx9.s; } > named.s
expect 0 '@0: 0 1 2 3 ...' run -g 64 named.s buf:256,show=u32:4
expect 0 'global_store_dword v1, v0, s[4:5]' as --show-encoding named.s
expect 0 '' as named.s -o named.o
expect 0 'gfx90a' obj named.o
expect 1 '--target is missing, and the text has no .amdgcn_target' as gfx9.s -o gfx9.o

# Faults and traces name the lines of the text.
expect 3 'gfx9.s:7
' run --target=gfx90a -g 64 gfx9.s buf:16
expect 0 'v_add_u32_e32 v0, s6, v0  # s6=0x00000000 v0=0x00000003 -> v0=0x00000003  ; gfx9.s:4
' run --target=gfx90a --trace=,lane=3 -g 64 gfx9.s buf:256
# As a table: what the wave has in these registers behind each instruction; a wrong name is no file.
expect 0 'wave            s6         v0    exec_lo  after the instruction
0,0,0:0' run --target=gfx90a --trace=registers=s6+v0+exec_lo,lane=3 -g 64 gfx9.s buf:256
expect 0 '0,0,0:0 0x00000000 0x00000003 0xffffffff  v_add_u32_e32 v0, s6, v0  ; gfx9.s:4
' run --target=gfx90a --trace=registers=s6+v0+exec_lo,lane=3 -g 64 gfx9.s buf:256
expect 1 "'registers=v0+q' is not kernel=NAME" run --target=gfx90a --trace=registers=v0+q -g 64 gfx9.s buf:256
expect 1 "'pc=x' is not kernel=NAME" run --target=gfx90a --trace=pc=x -g 64 gfx9.s buf:256
"$softwave" run --target=gfx90a --trace=plain.txt,lane=3 -g 64 gfx9.s buf:256 2> /dev/null
if [ "$(wc -l < plain.txt)" -eq 7 ] && ! grep -q "$(printf '\033')" plain.txt; then passed=$((passed + 1)); else
    failed=$((failed + 1)) && echo "a trace in a file: $(cat plain.txt)"; fi
if script -qec true /dev/null > /dev/null 2>&1 < /dev/null; then # on a terminal, where one can be made, the same with colours
    script -qec "env -u NO_COLOR TERM=xterm '$softwave' run --target=gfx90a --trace=,lane=3 -g 64 gfx9.s buf:256" /dev/null < /dev/null |
        tr -d '\r' | grep '^0,0,0:0' > coloured.txt
    if grep -q "$(printf '\033')\\[32m" coloured.txt && [ "$(sed "s/$(printf '\033')\\[[0-9;]*m//g" coloured.txt)" = "$(cat plain.txt)" ]
    then passed=$((passed + 1)); else failed=$((failed + 1)) && echo "a trace on a terminal: $(head -c 600 coloured.txt)"; fi
else
    skip 'no script, or no terminals for it: colours of a trace'
fi

# Source, with each compiler that is here.
cat > saxpy.cl << 'C'
__kernel void saxpy(__global float *y, __global const float *x, float a) { size_t i = get_global_id(0); y[i] = a * x[i]; }
C
cat > saxpy.hip << 'H'
#include <hip/hip_runtime.h>
__global__ void saxpy(float *y, const float *x, float a) { int i = blockIdx.x * blockDim.x + threadIdx.x; y[i] = a * x[i]; }
H
buffers='buf:1K,show=f32:4 buf:1K,fill=f32:iota f32:2'
clang=$(for v in $(seq 40 -1 18); do command -v clang-$v; done | head -1)
if [ "$clang" ] && ls /usr/lib/clc/amdgcn-amd-amdhsa.bc > /dev/null 2>&1; then
    for target in gfx90a gfx1100 gfx1201; do expect 0 '@0: 0 2 4 6 ...' run --target=$target -g 256 -b 64 saxpy.cl $buffers; done
    expect 0 '@0: 0 2 4 6 ...' run --target='RX 6800' --wave=64 -g 256 -b 64 saxpy.cl $buffers
    expect 0 "+ $(basename "$clang") -x cl " run -g 256 saxpy.cl $buffers
    expect 0 '-mcpu=gfx90a' run -g 256 saxpy.cl $buffers
    expect 3 'saxpy.cl:1:' run -g 256 -b 64 saxpy.cl buf:512 buf:1K f32:2 # faults have source lines
    echo '__kernel void k(' > wrong.cl
    expect 2 'clang' run wrong.cl
    expect 2 'no-such.cl: error: cannot open' run no-such.cl
    cat > text.ll << 'L'
define amdgpu_kernel void @k() {
  %x = call i32 @llvm.amdgcn.workitem.id.x()
  %wide = zext i32 %x to i256
  %sum = add i256 %wide, 7
  %i = trunc i256 %sum to i32
  call void asm sideeffect "; $0", "v"(i32 %i)
  ret void
}
L
    "$clang" -x cl -cl-std=CL2.0 -O1 -target amdgcn-amd-amdhsa -mcpu=gfx90a -nogpulib -S -emit-llvm -mcode-object-version=4 \
        -Xclang -finclude-default-header -Xclang -mlink-builtin-bitcode -Xclang /usr/lib/clc/amdgcn-amd-amdhsa.bc saxpy.cl -o saxpy.ll
    if command -v "llc-${clang##*-}" > /dev/null; then
        expect 0 '@0: 0 2 4 6 ...' run -g 256 -b 64 saxpy.ll $buffers
        # Ours where LLVM's library is there; llc compiles what it refuses.
        if "$softwave" cc --until=read saxpy.ll > /dev/null 2>&1; then
            expect 0 '+ softwave cc --target=gfx90a saxpy.ll' run -g 256 -b 64 saxpy.ll $buffers
            expect 0 'note: llc is taken, as softwave cc says: function @k: ' run -g 1 text.ll
        else
            skip 'no libllvm22: LLVM IR through softwave cc'
        fi
    else
        skip 'no llc of the same version as clang'
    fi
    # libclc's get_global_id is wrong from code object V5 on, unless a newer one is right: a warning where the ids are.
    bc='-nogpulib -Xclang -finclude-default-header -Xclang -mlink-builtin-bitcode -Xclang /usr/lib/clc/amdgcn-amd-amdhsa.bc'
    cat > ids.cl << 'C'
__kernel void ids(__global uint *out) { out[0] = get_global_id(0); }
C
    # Correct code that reads what the wrong code reads: the builtins, as ROCm's libraries and HIP use them.
    cat > right.cl << 'C'
#define ARGS __builtin_amdgcn_implicitarg_ptr()
__kernel void ids(__global uint *out) {
    __constant uint *counts = ARGS;
    uint groups = counts[1], row = __builtin_amdgcn_workgroup_id_y() * groups + __builtin_amdgcn_workgroup_id_x();
    out[0] = row * 64 + __builtin_amdgcn_workitem_id_x() + (uint)((__constant ulong *)ARGS)[5];
    out[1] = groups;
}
C
    cat > gridded.cl << 'C'
// gridDim.y, without offsets, as HIP has it
__kernel void ids(__global uint *out) {
    __constant uint *counts = __builtin_amdgcn_implicitarg_ptr();
    out[__builtin_amdgcn_workgroup_id_y() * counts[0] + __builtin_amdgcn_workitem_id_x()] = counts[1] * counts[2];
}
C
    for cpu in gfx900 gfx90a gfx1030 gfx1100 gfx1201; do
        for v in 4 5 6; do
            # shellcheck disable=SC2086
            "$clang" -w -x cl -cl-std=CL2.0 -O2 -target amdgcn-amd-amdhsa -mcpu=$cpu $bc -mcode-object-version=$v ids.cl -c -o ids.o
            output=$("$softwave" run -g 1 ids.o buf:256,show=u32:1 2>&1)
            case $output in *"libclc's get_global_id is wrong under code object V$v"*) warns=1 ;; *) warns=0 ;; esac
            case $output in *'@0: 0'*) wrong=0 ;; *) wrong=1 ;; esac
            if [ $warns -eq $wrong ]; then passed=$((passed + 1)); else
                failed=$((failed + 1)) && echo "libclc, $cpu, V$v: warns $warns, wrong $wrong: $output"; fi
            for right in right gridded; do
                "$clang" -w -x cl -cl-std=CL2.0 -O2 -target amdgcn-amd-amdhsa -mcpu=$cpu $bc -mcode-object-version=$v $right.cl -c -o $right.o
                output=$("$softwave" run -g 1 $right.o buf:256 2>&1)
                case $output in *warning*) failed=$((failed + 1)) && echo "$right, $cpu, V$v: $output" ;; *) passed=$((passed + 1)) ;; esac
            done
        done
    done
else
    skip 'no clang from 18 on with libclc: OpenCL source'
fi
if command -v hipcc > /dev/null; then
    expect 0 '@0: 0 2 4 6 ...' run -g 256 -b 64 saxpy.hip $buffers
    expect 0 '+ hipcc --genco --offload-arch=gfx1030' run --target=gfx1030 -g 256 -b 64 saxpy.hip $buffers
else
    skip 'no hipcc: HIP source'
fi
# Without a compiler: what to install.
mkdir empty
for kind in 'saxpy.cl:clang from version 18 on' 'saxpy.hip:hipcc' 'text.ll:llc from version 18 on'; do
    [ -e "${kind%%:*}" ] || echo > "${kind%%:*}"
    PATH=$directory/empty expect 4 "a compiler, ${kind#*:}, and none is in PATH; on Debian and Ubuntu: apt-get install " run "${kind%%:*}"
done
# Nothing of ours is left in the folder for temporary files (hipcc leaves its own).
if [ -z "$(ls tmp | grep '^softwave')" ]; then passed=$((passed + 1)); else failed=$((failed + 1)) && echo "left behind: $(ls tmp)"; fi

finish
