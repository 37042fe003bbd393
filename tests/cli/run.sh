#!/bin/sh
# SPDX-License-Identifier: MIT
# `softwave run` from the outside: results, bad input of every kind, faults and their reports, exit codes.
# usage: run.sh [path of softwave]
. "$(dirname "$0")/../tools.sh"
need_llvm_22 $CLANG $LLVM_OBJDUMP
. "$(dirname "$0")/../command.sh"
subcommand=run

cat > kernels.c << 'C'
#define KERNEL __attribute__((amdgpu_kernel, visibility("protected"))) void
#define GLOBAL __attribute__((address_space(1)))
#define ID     (__builtin_amdgcn_workgroup_id_x() * 64 + __builtin_amdgcn_workitem_id_x())
typedef unsigned int uint;
typedef unsigned long ulong;
KERNEL fill(GLOBAL uint *out, uint x) { out[ID] = x + ID; }
KERNEL add(GLOBAL uint *out, GLOBAL const uint *in, float scale) { out[ID] = (uint)((float)in[ID] * scale); }
KERNEL read_far(GLOBAL uint *out, ulong offset) { out[ID] = out[ID == 70 ? offset : ID]; }
KERNEL write_far(GLOBAL uint *out, ulong offset) { out[ID == 70 ? offset : ID] = ID; }
KERNEL add_far(GLOBAL uint *out, ulong offset) { __atomic_fetch_add(&out[ID == 70 ? offset : ID], 1, __ATOMIC_RELAXED); }
KERNEL write_at(GLOBAL uint *out, ulong address) { *(volatile uint *)address = *out; }
KERNEL endless(GLOBAL volatile uint *out) { while (*out != 7) {} }
KERNEL jump(GLOBAL uint *out, ulong to) { *out = 1, ((void (*)(void))to)(); }
KERNEL illegal(GLOBAL uint *out) { *out = 1; __asm__ volatile(".long 0xbeffff00\n.long 0xffffffff"); }
KERNEL trap(GLOBAL uint *out) { *out = 1; __builtin_trap(); }
KERNEL sine(GLOBAL volatile float *out, uint x) {
    out[ID] = 3;
    if (x) out[ID] = __builtin_amdgcn_sinf((float)x + ID);
}
__attribute__((reqd_work_group_size(64, 1, 1))) KERNEL fixed(GLOBAL uint *out) { out[ID] = 3; }
C
for target in gfx90a gfx1100; do
    $CLANG -w -O1 -x c -target amdgcn-amd-amdhsa -mcpu=$target -nogpulib kernels.c -o $target.co || exit 1
done

# expect_stopped TEXT ARG...: a kernel that never ends is stopped, and TEXT is in what it prints. Where waves have got by
# then depends on the machine's load: one that is too slow for the first limit gets more time.
expect_stopped() {
    text=$1
    shift
    for seconds in 0.3 3 30; do
        output=$("$softwave" run --timeout $seconds "$@" 2>&1 < /dev/null)
        got=$?
        if [ $got -eq 3 ]; then
            case $output in *"$text"*) passed=$((passed + 1)) && return ;; esac
        fi
    done
    failed=$((failed + 1))
    echo "$*: exit $got, expected 3 with '$text': $(echo "$output" | head -n 8)"
}

cat > stops.s << 'S'
.globl k
.type k,@function
k:
  tensor_stop
  s_endpgm
.rodata
.p2align 6
.amdhsa_kernel k
.amdhsa_next_free_vgpr 4
.amdhsa_next_free_sgpr 8
.end_amdhsa_kernel
S

# Results.
for target in gfx90a gfx1100; do
    expect 0 '@0: 5 6 7 8 ...' -k fill -g 100 -b 64 $target.co buf:400,show=u32:4 u32:5
    expect 0 '@0: 0 2 5 7 ...' -k add -g 64 -b 64 $target.co buf:256,show=u32:4 buf:256,fill=u32:iota f32:2.5
    expect 0 '@0: 9 10' -k fill -g 64 -b 64 $target.co buf:x=256 u32:9 --then -k add -g 64 -b 64 buf:256,show=u32:2 @x f32:1
done

# What kernels print, with the room taken as OpenCL's library does.
cat > print.cl << 'C'
__global char *__printf_alloc(uint bytes) {
    __global uint *p = (__global uint *)((__constant ulong *)__builtin_amdgcn_implicitarg_ptr())[9];
    return (__global char *)p + 8 + __atomic_fetch_add(p, bytes, __ATOMIC_RELAXED);
}
int printf(__constant const char *, ...);
__kernel void hello(int n) { printf("item %d of %d\n", (int)__builtin_amdgcn_workitem_id_x(), n); }
C
$CLANG -w -O1 -x cl -cl-std=CL2.0 -target amdgcn-amd-amdhsa -mcpu=gfx1100 -mcode-object-version=5 -nogpulib print.cl -o print.co || exit 1
expect 0 'item 0 of 2
item 1 of 2' -g 2 -b 2 print.co i32:2

# Wave size and features: those of the object, else a refusal that names both.
small='-k fill -g 64 -b 64'
expect 0 '' --wave=64 $small gfx90a.co buf:256 u32:1
expect 0 '' --wave 32 $small gfx1100.co buf:256 u32:1
expect 2 "'--wave=32' contradicts the code object: kernel 'fill' is built for waves of 64" --wave=32 $small gfx90a.co buf:256 u32:1
expect 2 'built for waves of 32' --wave=64 $small gfx1100.co buf:256 u32:1
expect 1 '--wave takes 32 or 64' --wave=48 $small gfx1100.co buf:256 u32:1
expect 0 '' --mattr=+wavefrontsize32,-wavefrontsize64,+real-true16 $small gfx1100.co buf:256 u32:1
expect 2 'built for waves of 32' --mattr=-wavefrontsize32 $small gfx1100.co buf:256 u32:1
expect 0 '' --mattr=+xnack,-tgsplit $small gfx90a.co buf:256 u32:1 # built for either
expect 2 "no 'sramecc' to choose" --mattr=+sramecc $small gfx1100.co buf:256 u32:1
expect 2 "'+cumode' contradicts" --mattr=+cumode $small gfx1100.co buf:256 u32:1
expect 0 '' --mattr=-cumode $small gfx1100.co buf:256 u32:1
expect 1 "--mattr takes" --mattr=+speed $small gfx1100.co buf:256 u32:1
expect 1 "--mattr takes" --mattr=xnack $small gfx1100.co buf:256 u32:1
$CLANG -w -O1 -x c -target amdgcn-amd-amdhsa -mcpu=gfx90a:xnack- -nogpulib kernels.c -o gfx90a-off.co || exit 1
expect 2 "'+xnack' contradicts the code object: it has 'xnack' off" --mattr=+xnack $small gfx90a-off.co buf:256 u32:1
expect 0 '' --mattr=-xnack $small gfx90a-off.co buf:256 u32:1

# Arguments by value: every type, vectors, raw bytes, pointers (design: command line).
expect 0 '@0: 255 256' $small gfx90a.co buf:256,show=u32:2 u32:0xff
expect 0 '@0: -1 0 1' $small gfx90a.co buf:256,show=i32:3 i32:-1
expect 0 '@0: 67305985 67305986' $small gfx90a.co buf:256,show=u32:2 hex:01020304
expect 0 '@0: 1 1.0000001' $small gfx90a.co buf:256,show=f32:2 f32:1
expect 0 '@0: 513 514' $small gfx90a.co buf:256,show=u32:2 'u8:[1,2,0,0]'
expect 0 '@0: 131073 131074' $small gfx90a.co buf:256,show=u32:2 'u16:[1,2]'
expect 0 '@0: 15360 15361' $small gfx90a.co buf:256,show=u32:2 'f16:[1,0]'
expect 0 '@0: 32768 32769' $small gfx90a.co buf:256,show=u32:2 'f16:[-0,0]'
expect 3 'fault: write' $small gfx90a.co null u32:1
expect 0 '@0: 0 1' -k add -g 64 -b 64 gfx90a.co buf:512,fill=u32:iota,show=u32:2 @0+0 f32:1
expect 0 '@0: 64 65' -k add -g 64 -b 64 gfx90a.co buf:512,fill=u32:iota,show=u32:2 @0+256 f32:1
expect 1 'but it takes 4' $small gfx90a.co buf:256 u8:1
expect 1 'but it takes 4' $small gfx90a.co buf:256 u64:1
expect 1 'no such buffer' $small gfx90a.co @7 u32:1
expect 1 'no such buffer' $small gfx90a.co @nobody u32:1

# Observation: every form of argument and report.
expect 0 'fidelity: ' --fidelity -k add -g 64 -b 64 gfx90a.co buf:256 buf:256 f32:1
expect 0 ' 0 approximate, 0 unsupported' --fidelity --strict -k fill -g 64 -b 64 gfx90a.co buf:256 u32:1
expect 0 '  v_sin_f32                        approximate, within 1.' --fidelity -k sine -g 64 -b 64 gfx90a.co buf:256 u32:1
expect 4 'v_sin_f32' --strict -k sine -g 64 -b 64 gfx90a.co buf:256 u32:1
expect 4 'its result is not exact: hardware reads tables' --strict --tier=2 -k sine -g 64 -b 64 gfx1100.co buf:256 u32:1
expect 0 '@0: 3' --strict -k sine -g 64 -b 64 gfx90a.co buf:256,show=f32 u32:0 # it is not reached
expect 4 ', 0 approximate, 1 unsupported' --fidelity --target=gfx1250 -g 64 stops.s
expect 0 '"waves": 2,' --stats=json -k fill -g 128 -b 64 gfx90a.co buf:512 u32:1
expect 0 'instructions' --stats -k fill -g 128 -b 64 gfx1100.co buf:512 u32:1
expect 0 's_load_' --trace -k fill -g 64 -b 64 gfx90a.co buf:256 u32:1
expect 0 '0,0,0:0' --trace=,wave=0,lane=3,pc=0-0 -k fill -g 64 -b 64 gfx90a.co buf:256 u32:1
expect 0 '' --trace=trace.txt,wave=7 -k fill -g 64 -b 64 gfx90a.co buf:256 u32:1
expect 1 'is not kernel=NAME, pc=LO[-HI], wave=N, lane=0..63, class=' --trace=trace.txt,lane=64 -k fill gfx90a.co buf:256 u32:1
expect 0 '@0: 6 7' --init random:3 --stack 64 -j 1 --level v2 -k fill -g 64 -b 64 gfx90a.co buf:256,show=u32:2 u32:6
expect 0 'x: 1 2 3' -k fill -g 3 -b 3 gfx90a.co buf:x=12,show=u32:3 u32:1
expect 1 'no such buffer' -k fill -g 3 gfx90a.co @nothing u32:1
printf '\001\0\0\0\002\0\0\0' > two.bin
expect 0 '' -k fill -g 2 -b 2 gfx90a.co buf:8,expect=two.bin,show=u32 u32:1
expect 5 'differ from two.bin' -k fill -g 2 -b 2 gfx90a.co buf:8,expect=two.bin,show=u32 u32:2
expect 5 'has 8 bytes' -k fill -g 3 -b 3 gfx90a.co buf:12,expect=two.bin u32:1
expect 0 '@0: 1 3' -k add -g 2 -b 2 gfx90a.co buf:8,show=u32:2 buf:in=two.bin,show=u32 f32:1.7

# Kernels by the names that people give them, and variables of the code object.
cat > names.hip << 'HIP'
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __constant__ __attribute__((constant))
namespace ns {
__device__ int table[8];
__constant__ float factor = 2;
template <class T> __global__ void look(T *p, int n) { p[__builtin_amdgcn_workitem_id_x()] = table[n], table[0]++; }
template __global__ void look<float>(float *, int);
template __global__ void look<int>(int *, int);
}
__global__ void saxpy(float *x, float *y, float a) {
    unsigned i = __builtin_amdgcn_workitem_id_x();
    y[i] += a * x[i] * ns::factor;
}
HIP
clang++-22 -w -x hip -O1 --offload-arch=gfx1100 --offload-device-only --no-gpu-bundle-output -nogpuinc -nogpulib names.hip -o names.co || exit 1
buffers='buf:8,fill=f32:1 buf:8,show=f32 f32:3'
for name in _Z5saxpyPfS_f _Z5saxpyPfS_f.kd saxpy 'saxpy(float*, float*, float)'; do
    expect 0 '@1: 6 6' -k "$name" -g 2 names.co $buffers
done
expect 0 '@0: 0 0' -k 'look<int>' -g 2 names.co buf:8,show=i32 i32:3
expect 0 '@0: 0 0' -k 'ns::look<float>' -g 2 names.co buf:8,show=f32 i32:3
expect 0 '@0: 0 0' -k 'ns::look<int>(int*, int)' -g 2 names.co buf:8,show=i32 i32:3
expect 2 "kernel 'look' may be any of 2:
  void ns::look<float>(float*, int)" -k look -g 2 names.co buf:8 i32:3
expect 2 "no kernel 'saxpi'; did you mean 'saxpy(float*, float*, float)'? There are 3:
  saxpy(float*, float*, float)
      symbol _Z5saxpyPfS_f
      wave32, " -k saxpi names.co
expect 2 "no kernel 'nothing_like_it'. There are 3:" -k nothing_like_it names.co
expect 2 "did you mean 'fill" -k fil gfx90a.co
expect 1 'name the kernel with -k; there are 3:' names.co
expect 2 'bytes of LDS, 0 of scratch, 20 of arguments' -k saxpi names.co
printf '\001\0\0\0\002\0\0\0\003\0\0\0\004\0\0\0\005\0\0\0\006\0\0\0\007\0\0\0\010\0\0\0' > table.bin
expect 0 'ns::table: 2 2 3 4 5 6 7 8
@0: 6 6' -k 'look<int>' -g 2 -b 2 --symbol ns::table=table.bin,show=i32 names.co buf:8,show=i32 i32:5
expect 0 '@0: 7 7' -k 'look<int>' -g 2 --symbol _ZN2ns5tableE,fill=u32:7 names.co buf:8,show=i32 i32:5
expect 0 '@1: 15 15' -k saxpy -g 2 --symbol ns::factor,fill=f32:5,show=f32 names.co $buffers
expect 0 '' -k 'look<int>' -g 2 -b 2 --symbol ns::table,in=table.bin,out=after.bin names.co buf:8 i32:5
expect 0 '' -k 'look<int>' -g 2 -b 2 --symbol ns::table,in=table.bin,expect=after.bin names.co buf:8 i32:5
expect 5 'differ from table.bin' -k 'look<int>' -g 2 -b 2 --symbol ns::table,in=table.bin,expect=table.bin names.co buf:8 i32:5
expect 2 "no variable 'tabel' in memory; there are: _ZN2ns5tableE, _ZN2ns6factorE" --symbol tabel -k saxpy -g 2 names.co $buffers
expect 1 "'table.bin' has 32 bytes, the variable '_ZN2ns6factorE' 4" --symbol ns::factor=table.bin -k saxpy -g 2 names.co $buffers

# Numbers are numbers.
for wrong in '-j x' '-j 1025' '-j -1' '-j 2k' '--lds 1e3' '--lds=-1' '--lds 99999999999999999999' '--stack 0' '--stack many' '--stack 5G' \
    '--timeout 1s' '--timeout 0' '--timeout -1' '--timeout nan' '--print-limit 0' '--init random:x' '--alignment dword'; do
    expect 1 'takes' $wrong -k fill -g 64 -b 64 gfx90a.co buf:256 u32:1
done
expect 1 'tol= needs a number' $small gfx90a.co buf:256,tol=x u32:1
expect 1 'show= needs a number' $small gfx90a.co buf:256,show=u32:x u32:1
expect 1 'fill= needs' $small gfx90a.co buf:256,fill=u32:rand:x u32:1
expect 1 'expected +OFFSET' -k add -g 64 -b 64 gfx90a.co buf:512 @0+x f32:1
expect 0 '' -j 1 --lds 1K --stack 1K --timeout 10.5 --print-limit 1M $small gfx90a.co buf:256 u32:1

# Usage and bad input.
expect 1 'unknown option --frobnicate' --frobnicate
expect 1 'file'
expect 2 'missing.co' -k fill missing.co buf:4 u32:1
expect 1 'takes 2 arguments, 1 given' -k fill -g 64 gfx90a.co buf:256
expect 1 'takes 2 arguments, 3 given' -k fill -g 64 gfx90a.co buf:256 u32:1 u32:2
expect 1 '4' -k fill -g 64 gfx90a.co buf:256 u64:1
expect 1 'argument' -k fill -g 64 gfx90a.co f32:1 u32:1
expect 1 'argument' -k fill -g 64 gfx90a.co buf:256 u32:x
expect 1 'argument' -k fill -g 64 gfx90a.co buf: u32:1
expect 2 "kernel 'nothing'" -k nothing gfx90a.co
expect 1 'add' -g 64 gfx90a.co
expect 1 'grid' -k fill -g 0 gfx90a.co buf:256 u32:1
expect 1 'grid' -k fill -g 1,2,3,4 gfx90a.co buf:256 u32:1
expect 1 'grid' -k fill -g 99999999999 gfx90a.co buf:256 u32:1
expect 1 'work-item' -k fill -g 4096 -b 4096 gfx90a.co buf:16384 u32:1
expect 2 'gfx1030' -k fill -g 64 --target gfx1030 gfx90a.co buf:256 u32:1
expect 2 'gfx9999' -k fill -g 64 --target gfx9999 gfx90a.co buf:256 u32:1
expect 2 'error' -k fill kernels.c buf:256 u32:1
head -c 256 kernels.c > other
expect 5 'differ' -k fill -g 64 gfx90a.co buf:256,expect=other u32:1
expect 5 'bytes' -k fill -g 64 gfx90a.co buf:256,expect=kernels.c u32:1

# Code object V2 (KD-22): kernels with an amd_kernel_code_t, which may ask for what cannot be had.
old_kernel() { # FIELD...: stores 5 + its work-item to where its argument points
    {
        echo '.hsa_code_object_version 2,1
.hsa_code_object_isa 9,0,0,"AMD","AMDGPU"
.text
.p2align 8
.amdgpu_hsa_kernel old
old:
.amd_kernel_code_t
is_ptr64 = 1
enable_sgpr_kernarg_segment_ptr = 1
kernarg_segment_byte_size = 8
wavefront_sgpr_count = 16
workitem_vgpr_count = 4
granulated_wavefront_sgpr_count = 1
granulated_workitem_vgpr_count = 0
user_sgpr_count = 2
float_mode = 192'
        for line; do echo "$line"; done
        echo '.end_amd_kernel_code_t
s_load_dwordx2 s[0:1], s[0:1], 0x0
v_lshlrev_b32 v1, 2, v0
v_add_u32 v0, 5, v0
s_waitcnt lgkmcnt(0)
global_store_dword v1, v0, s[0:1]
s_endpgm'
    } > old.s
    "$softwave" as --code-object-version=2 --target=gfx900 old.s -o old.o
}
old_kernel
expect 0 '@0: 5 6 7 8' -g 4 -b 4 old.o buf:16,show=u32
expect 1 'lies outside the argument block' -g 4 -b 4 old.o buf:16 u32:1
for field in enable_sgpr_grid_workgroup_count_x enable_sgpr_grid_workgroup_count_y enable_sgpr_grid_workgroup_count_z \
    enable_ordered_append_gds; do
    old_kernel "$field = 1"
    expect 4 "the kernel's amd_kernel_code_t has $field = 1" -g 4 -b 4 old.o buf:16
done
# Nobody knows which operations raise what, so a kernel that asks for traps is refused.
for field in enable_exception=1 enable_exception=64; do
    old_kernel "${field%=*} = ${field#*=}"
    expect 4 'kernels that stop at arithmetic exceptions' -g 4 -b 4 old.o buf:16
done
old_kernel "gds_segment_byte_size = 64"
expect 4 "the kernel's amd_kernel_code_t has gds_segment_byte_size = 64" -g 4 -b 4 old.o buf:16
old_kernel "amd_machine_kind = 2"
expect 2 'no amd_kernel_code_t of version 1' -g 4 -b 4 old.o buf:16
for insn in 'ds_read_addtid_b32 v0 gds' 'ds_ordered_count v0, v1 offset:8192 gds'; do
    old_kernel
    sed -i "s/^v_add_u32.*/$insn/" old.s
    "$softwave" as --code-object-version=2 --target=gfx900 old.s -o old.o || failed=$((failed + 1))
    expect 4 "${insn%% *}" -g 4 -b 4 old.o buf:16
done
for target in gfx803 gfx900; do
    clang=$(command -v clang-15 || command -v clang-14) || break
    sed 's/^__attribute__((reqd_work_group_size(64, 1, 1))) //' kernels.c > old.c
    $clang -w -O1 -x c -target amdgcn-amd-amdhsa -mcpu=$target -nogpulib -mcode-object-version=2 old.c -o v2.co || continue
    expect 0 '@0: 5 6 7 8 ...' -k fill -g 100 -b 64 v2.co buf:400,show=u32:4 u32:5
    expect 0 '@0: 0 2 5 7 ...' -k add -g 64 -b 64 v2.co buf:256,show=u32:4 buf:256,fill=u32:iota f32:2.5
    expect 3 'work-group 1,0,0, wave 0, lane 6' -k read_far -g 128 -b 64 v2.co buf:512 u64:0x10000000
    expect 3 'kernel read_far, pc 0x' -k read_far -g 128 -b 64 v2.co buf:512 u64:0x10000000
done

# Device malloc, whose heap is the code object's own in V4 and a hidden argument's in V5 (META-35): blocks of every
# kind, taken by one kernel and given back by the next.
cat > heap.cl << 'C'
extern __global void *__ockl_dm_alloc(ulong);
extern void __ockl_dm_dealloc(ulong);
#define ID (__builtin_amdgcn_workgroup_id_x() * 64 + __builtin_amdgcn_workitem_id_x())
__kernel void take(__global ulong *blocks, ulong size) {
    __global uint *p = (__global uint *)__ockl_dm_alloc(size);
    blocks[ID] = (ulong)p;
    if (p) p[0] = ID, p[size / 4 - 1] = ID;
}
__kernel void give(__global ulong *blocks, __global uint *kept, ulong size) {
    __global uint *p = (__global uint *)blocks[ID];
    kept[ID] = p && p[0] == ID && p[size / 4 - 1] == ID;
    __ockl_dm_dealloc((ulong)p);
}
C
libs=/usr/lib/x86_64-linux-gnu/amdgcn/bitcode
clang=$(command -v clang-15 || command -v clang-14)
if [ -n "$clang" ] && [ -e $libs/oclc_abi_version_500.bc ] && command -v $LD_LLD > /dev/null; then
    for version in 4 5; do
        $clang -w -x cl -cl-std=CL2.0 -O2 -target amdgcn-amd-amdhsa -mcpu=gfx90a -nogpulib -mcode-object-version=$version -c heap.cl -o heap.o \
            $(printf ' -Xclang -mlink-builtin-bitcode -Xclang %s' $libs/ockl.bc $libs/oclc_isa_version_90a.bc $libs/oclc_abi_version_${version}00.bc $libs/oclc_wavefrontsize64_on.bc) &&
            $LD_LLD -shared heap.o -o heap.co || failed=$((failed + 1))
        for size in 16 3072 6400 4000000; do
            expect 0 "@1: 1$(printf ' 1%.0s' $(seq 127))" -k take -g 128 -b 64 heap.co buf:b=1K u64:$size \
                --then -k give -g 128 -b 64 @b buf:512,show=u32:128 u64:$size
        done
    done
fi

# Faults: pc, instruction, work-group, wave, lane and address are reported, nothing else is touched.
for target in gfx90a gfx1100; do
    lane='work-group 1,0,0, wave 0, lane 6'
    for kernel in read_far write_far add_far; do
        expect 3 "$lane" -k $kernel -g 128 -b 64 $target.co buf:512 u64:0x10000000
        expect 3 "kernel $kernel, pc 0x" -k $kernel -g 128 -b 64 $target.co buf:512 u64:0x10000000
        expect 3 'global_' -k $kernel -g 128 -b 64 $target.co buf:512 u64:0x10000000
        expect 3 ' at 0x' -k $kernel -g 128 -b 64 $target.co buf:512 u64:128
    done
    for address in 0 8 0x10000 0x7fffffffe000 0xffffffff00000000 0x8000000000000000; do
        expect 3 'fault: write' -k write_at -g 1 -b 1 $target.co buf:4 u64:$address
    done
    expect 3 'jumps out of its code' -k jump -g 1 -b 1 $target.co buf:4 u64:0x1000
    expect 3 'jumps out of its code' -k jump -g 1 -b 1 $target.co buf:4 u64:0xfffffffffffff000
    expect 3 'illegal instruction' -k illegal -g 1 -b 1 $target.co buf:4
    expect 3 'fault' -k trap -g 1 -b 1 $target.co buf:4
    expect_stopped 'takes longer than its timeout' -k endless -g 256 -b 64 $target.co buf:4
    # On a terminal, how far it is, until it ends.
    if command -v python3 > /dev/null; then
        for seconds in 0.2 3 30; do
            SOFTWAVE_PROGRESS=10 python3 "$here/terminal.py" 80 "endless on $target: 0 of 4 work-groups, 0 %" \
                "$softwave" run --timeout $seconds -k endless -g 256 -b 64 $target.co buf:4 > output 2>&1
            ! grep -q '^exit 3 lines some widest fits cleared seen$' output || break
        done
        if grep -q '^exit 3 lines some widest fits cleared seen$' output; then passed=$((passed + 1)); else
            failed=$((failed + 1))
            echo "progress on $target: $(head -n 3 output)"
        fi
    fi
    expect 0 '' --timeout 600 -k endless -g 256 -b 64 $target.co buf:4,fill=u32:7
done

# Where it was: the function that contains the pc, not the kernel that called it, at the address that dis shows, and
# the source line; a stack that is too small; arguments that nobody serves; what waves wait for.
cat > where.c << 'C'
#define KERNEL __attribute__((amdgpu_kernel, visibility("protected"))) void
#define GLOBAL __attribute__((address_space(1)))
typedef unsigned int uint;
__attribute__((noinline)) void store(GLOBAL uint *p, uint v) { *p = v; }
__attribute__((noinline)) uint wait(GLOBAL volatile uint *p) {
    uint n = 0;
    while (*p != 7)
        n++;
    return n;
}
__attribute__((noinline)) uint deep(uint n, volatile uint *p) {
    volatile uint a[8];
    a[n & 7] = n;
    return n ? a[n & 7] + deep(n - 1, a) * *p : 1;
}
KERNEL far(GLOBAL uint *out, unsigned long at) { store(out + at, 1); }
KERNEL endless(GLOBAL volatile uint *out) { out[1] = wait(out); }
KERNEL half(GLOBAL volatile uint *out) {
    if (__builtin_amdgcn_workitem_id_x() < 64) while (*out != 7) __builtin_amdgcn_s_sleep(1);
    __builtin_amdgcn_s_barrier();
}
KERNEL recursive(GLOBAL uint *out, uint n) { uint x = 1; *out = deep(n, &x); }
C
for target in gfx90a gfx1100; do
    $CLANG -g -w -O1 -x c -target amdgcn-amd-amdhsa -mcpu=$target -nogpulib where.c -o where.$target.co || exit 1
    address=$($LLVM_OBJDUMP -d where.$target.co | sed -n '/<store>:/,/s_setpc/s/.*global_store.*\/\/ 0*\([0-9A-F]*\):.*/\1/p' | tr A-F a-f)
    start=$($LLVM_NM where.$target.co | sed -n 's/^0*\([0-9a-f]*\) . store$/\1/p')
    expect 3 "(store+0x$(printf %x $((0x$address - 0x$start))), 0x$address in dis)" -k far -g 1 -b 1 where.$target.co buf:4 u64:0x10000000
    expect 3 'where.c:4:67' -k far -g 1 -b 1 where.$target.co buf:4 u64:0x10000000
    expect_stopped 'likely loop: from wait+0x' -k endless -g 128 -b 128 where.$target.co buf:8
    expect_stopped 'where.c:7:12' -k endless -g 128 -b 128 where.$target.co buf:8
    expect_stopped 'waits at a barrier: ' -k half -g 128 -b 128 where.$target.co buf:8
    expect_stopped 'likely loop: from half+0x' -k half -g 128 -b 128 where.$target.co buf:8
    expect_stopped '      sleeps' -k half -g 128 -b 128 where.$target.co buf:8
    expect 3 'bytes declared, ' --stack 256 -k recursive -g 1 -b 1 where.$target.co buf:4 u32:30
    expect 3 'needed so far; --stack=BYTES' --stack 256 -k recursive -g 1 -b 1 where.$target.co buf:4 u32:30
    expect 0 '' --stack 64K -k recursive -g 1 -b 1 where.$target.co buf:4 u32:30
done
expect_stopped ' 2 waves in flight:
  0,0,0:0  exec=ffffffffffffffff  ' -k endless -g 128 -b 128 where.gfx90a.co buf:8
expect_stopped 'waits at a barrier: 1 of 2 waves have arrived' -k half -g 128 -b 128 where.gfx90a.co buf:8
cat > hidden.s << 'S'
.text
.globl h
.p2align 8
.type h,@function
h:
 s_load_dwordx2 s[2:3], s[0:1], 0x0
 v_mov_b32 v0, 0
 s_waitcnt lgkmcnt(0)
 global_load_dword v1, v0, s[2:3] offset:24
 s_endpgm
.section .rodata,"a"
.p2align 6
.amdhsa_kernel h
.amdhsa_next_free_vgpr 4
.amdhsa_next_free_sgpr 8
.amdhsa_user_sgpr_kernarg_segment_ptr 1
.end_amdhsa_kernel
.amdgpu_metadata
---
amdhsa.version: [1, 2]
amdhsa.target: amdgcn-amd-amdhsa--gfx900
amdhsa.kernels:
  - {.name: h, .symbol: h.kd, .kernarg_segment_size: 8, .kernarg_segment_align: 8, .group_segment_fixed_size: 0,
     .private_segment_fixed_size: 0, .wavefront_size: 64, .sgpr_count: 8, .vgpr_count: 4, .max_flat_workgroup_size: 64,
     .args: [{.size: 8, .offset: 0, .value_kind: hidden_default_queue, .address_space: global}]}
...
.end_amdgpu_metadata
S
expect 4 'the kernel needs hidden_default_queue, which `run` does not serve' --target=gfx900 -g 1 -b 1 hidden.s

# Truncated and altered objects: a clear message or a run, never a crash. The byte altered walks over the file.
size=$(wc -c < gfx90a.co)
checked() {
    "$softwave" run --timeout 0.5 -k fill -g 64 -b 64 "$1" buf:256 u32:1 > output 2>&1 < /dev/null
    got=$?
    if [ $got -gt 5 ] || { [ $got -ne 0 ] && ! grep -q 'error\|fault' output; }; then
        failed=$((failed + 1))
        echo "$2: exit $got: $(head -c 300 output)"
    else passed=$((passed + 1)); fi
}
i=0
while [ $i -lt 40 ]; do
    head -c $((size * i / 40)) gfx90a.co > bad
    checked bad "truncated to $((size * i / 40)) bytes"
    i=$((i + 1))
done
i=0
while [ $i -lt 200 ]; do
    at=$((i * 7919 % size))
    if [ $i -lt 64 ]; then at=$i; fi # every byte of the ELF header
    cp gfx90a.co bad
    printf "\\$(printf %03o $(((i * 37 + 255) % 256)))" | dd of=bad bs=1 seek=$at conv=notrunc 2> dd.log
    checked bad "byte $at altered ($i)"
    i=$((i + 1))
done

# Assembly text in one step: assembled, loaded and run on GPUs of both wave sizes. Scalar addresses of the kernarg
# segment come in s[0:1]; the descriptor gives nothing else.
assembly() { # processor, words of a load and of a store
    cat << S > square.s
    .amdgcn_target "amdgcn-amd-amdhsa--$1"
    .text
    .globl square
    .p2align 8
    .type square,@function
square:
    $2 s[0:1], s[0:1], 0x0
    v_lshlrev_b32_e32 v1, 2, v0
    v_mul_lo_u32 v0, v0, v0
    $3
    $4 v1, v0, s[0:1]
    s_endpgm
    .section .rodata,"a",@progbits
    .p2align 6
    .amdhsa_kernel square
        .amdhsa_user_sgpr_kernarg_segment_ptr 1
        .amdhsa_next_free_vgpr 2
        .amdhsa_next_free_sgpr 8
        $5
    .end_amdhsa_kernel
    .amdgpu_metadata
---
amdhsa.target: amdgcn-amd-amdhsa--$1
amdhsa.version: [1, 2]
amdhsa.kernels:
  - {.name: square, .symbol: square.kd, .kernarg_segment_size: 8, .kernarg_segment_align: 8,
     .group_segment_fixed_size: 0, .private_segment_fixed_size: 0, .wavefront_size: $6, .sgpr_count: 8,
     .vgpr_count: 2, .max_flat_workgroup_size: 64,
     .args: [{.size: 8, .offset: 0, .value_kind: global_buffer, .address_space: global}]}
...
    .end_amdgpu_metadata
S
    expect 0 '@0: 0 1 4 9 16 25 36 49' --target=$1 $7 -g 64 -b 64 square.s buf:256,show=u32:8
}
wait="s_waitcnt lgkmcnt(0)"
assembly gfx900 s_load_dwordx2 "$wait" global_store_dword "" 64
assembly gfx90a s_load_dwordx2 "$wait" global_store_dword ".amdhsa_accum_offset 4" 64
assembly gfx942 s_load_dwordx2 "$wait" global_store_dword ".amdhsa_accum_offset 4" 64
assembly gfx1030 s_load_dwordx2 "$wait" global_store_dword "" 32
assembly gfx1030 s_load_dwordx2 "$wait" global_store_dword "" 64 --wave=64
assembly gfx1100 s_load_b64 "$wait" global_store_b32 "" 32
assembly gfx1100 s_load_b64 "$wait" global_store_b32 "" 64 --mattr=+wavefrontsize64
assembly gfx1201 s_load_b64 "s_wait_kmcnt 0x0" global_store_b32 "" 32
sed '/amdgcn_target/d' square.s > unsaid.s
expect 1 'assembly needs --target, or .amdgcn_target in its text' -g 64 unsaid.s buf:256
# The text may say it.
for said in gfx1201 gfx90a r600; do { echo '  .amdgcn_target "amdgcn-amd-amdhsa--'$said'" ; as compilers write'; cat unsaid.s; } > said-$said.s; done
expect 0 '@0: 0 1 4 9 16 25 36 49' -g 64 -b 64 said-gfx1201.s buf:256,show=u32:8
expect 2 'error' -g 64 -b 64 said-gfx90a.s buf:256 # whose text it is not
expect 2 'gfx1201' --target=gfx1201 -g 64 -b 64 said-gfx90a.s buf:256
expect 2 'error' -g 64 -b 64 said-r600.s buf:256
echo '.amdgcn_target gfx1201' > said-badly.s
expect 1 'assembly needs --target' -g 64 said-badly.s
echo 'v_fmac_f32_e32 v0, v1, s4' > wrong.s
expect 2 "wrong.s:1:24: error: v_fmac_f32: src1 must be a VGPR on gfx1030, found s4" --target=gfx1030 wrong.s

# Spilled registers, which go through the descriptor of private memory: the same on every generation.
cat > spill.c << 'C'
#define ID (__builtin_amdgcn_workgroup_id_x() * 64 + __builtin_amdgcn_workitem_id_x())
__attribute__((amdgpu_kernel, visibility("protected"))) void spill(__attribute__((address_space(1))) unsigned *out, unsigned at) {
    volatile unsigned a[8];
    for (unsigned i = 0; i < 8; i++) a[i] = (i + 1) * 0x10001 + ID * 0x01010101;
    out[ID] = a[at] ^ a[(at + 3) & 7];
}
C
# Lane 0: a[2] ^ a[5] = 0x30003 ^ 0x60006.
want='@0: 327685 '
first=
for target in gfx700 gfx803 gfx900 gfx1030 gfx1100; do
    $CLANG -w -O0 -x c -target amdgcn-amd-amdhsa -mcpu=$target -nogpulib spill.c -o spill.$target.co || exit 1
    got=$("$softwave" run -g 128 -b 64 spill.$target.co buf:512,show=u32:128 u32:2 2>&1)
    [ -z "$first" ] && first=$got
    if [ "$got" = "$first" ] && [ "${got#*$want}" != "$got" ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "spill on $target: $got"
    fi
done

# Private memory by a negative register and a positive immediate: offsets wrap where hardware does not check their
# range (TRAP-464). Lane 3 stores 4 dwords; they come back by width and, unaligned, by bytes. Atomics take the
# path that is checked lane by lane.
cat > wrap.s << 'S'
.text
.p2align 8
wrap:
  s_load_dwordx2 s[8:9], s[4:5], 0x0
  s_add_u32 s0, s0, s6
  s_addc_u32 s1, s1, 0
  v_mov_b32_e32 v8, 0x04030201
  v_mov_b32_e32 v9, 0x08070605
  v_mov_b32_e32 v10, 0x0c0b0a09
  v_mov_b32_e32 v11, 0x100f0e0d
  v_mov_b32_e32 v1, -8
  v_mov_b32_e32 v2, 0x80000000
  v_lshlrev_b32_e32 v12, 5, v0
  buffer_store_dwordx4 v[8:11], v1, s[0:3], 0 offen offset:24
  s_waitcnt vmcnt(0) lgkmcnt(0)
  buffer_load_dwordx2 v[4:5], v1, s[0:3], 0 offen offset:28
  buffer_load_ushort v6, v1, s[0:3], 0 offen offset:25
  buffer_load_ubyte v7, v1, s[0:3], 0 offen offset:39
  s_waitcnt vmcnt(0)
  v_mov_b32_e32 v3, 0x100
  buffer_atomic_swap v3, v1, s[0:3], 0 offen offset:24 glc
  buffer_load_dword v8, off, s[0:3], 0 offset:16
  s_waitcnt vmcnt(0)
  global_store_dwordx4 v12, v[4:7], s[8:9]
  global_store_dword v12, v3, s[8:9] offset:16
  global_store_dword v12, v8, s[8:9] offset:20
  s_endpgm
.section .rodata,"a"
.p2align 6
.amdhsa_kernel wrap
  .amdhsa_private_segment_fixed_size 64
  .amdhsa_user_sgpr_private_segment_buffer 1
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_system_sgpr_workgroup_id_x 0
  .amdhsa_system_sgpr_private_segment_wavefront_offset 1
  .amdhsa_kernarg_size 8
  .amdhsa_next_free_vgpr 16
  .amdhsa_next_free_sgpr 16
  EXTRA
.end_amdhsa_kernel
S
for target in gfx900 gfx908 gfx90a gfx1010 gfx1030; do
    extra=
    case $target in gfx90a) extra='.amdhsa_accum_offset 16' ;; esac
    sed "s/EXTRA/$extra/" wrap.s > wrap.$target.s
    for wave in "" $(case $target in gfx1*) echo --wave=64 ;; esac); do
        # 0x08070605 0x0c0b0a09 0x0302 0x10, what the exchange found and left
        expect 0 '67305985 256 0 0 134678021 202050057 770 16 67305985 256 0 0' --target=$target $wave -g 4 -b 4 wrap.$target.s buf:128,show=u32:32
    done
done

# The clock of 20 bits counts from the launch, so that short kernels do not see it wrap. On a busy machine a launch
# may be late.
cat > clock.s << 'S'
.text
.p2align 8
clock:
  s_load_dwordx2 s[2:3], s[0:1], 0x0
  s_getreg_b32 s4, hwreg(HW_REG_SHADER_CYCLES, 0, 20)
  s_sleep 10
  s_getreg_b32 s5, hwreg(HW_REG_SHADER_CYCLES, 0, 20)
  s_cmp_lt_u32 s4, s5
  s_cselect_b32 s4, s4, -1
  v_mov_b32_e32 v0, 0
  v_mov_b32_e32 v1, s4
  s_waitcnt lgkmcnt(0)
  global_store_dword v0, v1, s[2:3]
  s_endpgm
.section .rodata,"a"
.p2align 6
.amdhsa_kernel clock
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_kernarg_size 8
  .amdhsa_next_free_vgpr 2
  .amdhsa_next_free_sgpr 8
.end_amdhsa_kernel
S
for target in gfx1030 gfx1100; do
    soon=0
    for _ in 1 2 3 4 5 6 7 8 9 10 11 12; do
        got=$("$softwave" run --target=$target -g 1 -b 1 clock.s buf:4,show=u32:1)
        if [ "${got#*: }" -lt 262144 ]; then soon=$((soon + 1)); fi
    done
    if [ $soon -ge 10 ]; then passed=$((passed + 1)); else
        failed=$((failed + 1))
        echo "clock on $target: $soon of 12 launches began with a clock near 0; last: $got"
    fi
done

# Traces show what instructions read and what they write.
cat > trace.s << 'S'
.text
.p2align 8
trace:
  s_load_dwordx2 s[2:3], s[0:1], 0x0
  s_mov_b32 s4, 0x40490fdb
  v_cvt_f32_u32_e32 v1, v0
  v_mul_f32_e32 v1, s4, v1
  v_cmp_lt_u32_e32 vcc, 1, v0
  v_cndmask_b32_e64 v2, 1.0, 2.0, vcc
  v_cvt_f64_f32_e32 v[4:5], v2
  s_cmp_eq_u32 s4, 0
  s_waitcnt lgkmcnt(0)
  v_lshlrev_b32_e32 v3, 2, v0
  global_store_dword v3, v1, s[2:3] offset:2048
  s_endpgm
.section .rodata,"a"
.p2align 6
.amdhsa_kernel trace
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_kernarg_size 8
  .amdhsa_next_free_vgpr 6
  .amdhsa_next_free_sgpr 8
.end_amdhsa_kernel
S
trace() { # TEXT, further ARG...
    text=$1
    shift
    expect 0 "$text" --target=gfx900 -g 8 -b 8 -j 1 --trace="$@" trace.s buf:4K
}
trace 's_mov_b32 s4, 0x40490fdb -> s4=0x40490fdb' ,
trace 'v_cvt_f32_u32_e32 v1, v0  # v0=[0:0x00000000 1:0x00000001 2:0x00000002 3:0x00000003 ...] -> v1=[0:0x00000000(0) 1:0x3f800000(1) 2:0x40000000(2) 3:0x40400000(3) ...]' ,
trace 'v_mul_f32_e32 v1, s4, v1  # s4=0x40490fdb(3.14159274) v1=0x40000000(2) -> v1=0x40c90fdb(6.28318548)' ,lane=2
trace 'v_cmp_lt_u32_e32 vcc, 1, v0  # v0=[0:0x00000000 1:0x00000001 2:0x00000002 3:0x00000003 ...] -> vcc=0x00000000000000fc' ,
trace 'v_cndmask_b32_e64 v2, 1.0, 2.0, vcc  # vcc=0x00000000000000fc -> v2=[0:0x3f800000 1:0x3f800000 2:0x40000000 3:0x40000000 ...]' ,
trace 'v_cvt_f64_f32_e32 v[4:5], v2  # v2=0x40000000(2) -> v[4:5]=0x4000000000000000(2)' ,lane=7
trace 's_cmp_eq_u32 s4, 0  # s4=0x40490fdb -> scc=0' ,
trace 'global_store_dword v3, v1, s[2:3] offset:2048  # v3=0x00000004 v1=0x40490fdb s[2:3]=0x' ,lane=1
for at in '@\[0:0x[0-9a-f]*800 1:0x[0-9a-f]*804 2:0x[0-9a-f]*808 3:0x[0-9a-f]*80c [.][.][.]\]' ',lane=1 @0x[0-9a-f]*804 '; do # where lanes store
    case $at in ,*) spec=${at%% *} ;; *) spec=, ;; esac
    if "$softwave" run --target=gfx900 -g 8 -b 8 --trace=$spec trace.s buf:4K 2>&1 | grep -q "global_store.*${at#,lane=1 }"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1)) && echo "addresses in a trace: $at"
    fi
done
# On gfx1250 numbers of VGPRs have upper bits (s_set_vgpr_msb): traces, faults and profiles know them.
cat > upper.s << 'S'
.text
.p2align 8
upper:
  s_load_b64 s[2:3], s[0:1], 0x0
  s_set_vgpr_msb 0x40
  v_lshlrev_b32 v4, 2, v0
  s_set_vgpr_msb 0x84
  v_add_nc_u32 v5, 3, v4
  s_wait_kmcnt 0x0
  s_set_vgpr_msb 0x9
  global_store_b32 v4, v5, s[2:3]
  s_endpgm
.section .rodata,"a"
.p2align 6
.amdhsa_kernel upper
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_kernarg_size 8
  .amdhsa_next_free_vgpr 518
  .amdhsa_next_free_sgpr 8
.end_amdhsa_kernel
S
upper='--target=gfx1250 -g 8 -b 8 -j 1'
expect 0 'v_lshlrev_b32_e32 v4 /*v260*/, 2, v0  # v0=[0:0x00000000 1:0x00000001 2:0x00000002 3:0x00000003 ...] -> v260=[0:0x00000000 1:0x00000004 2:0x00000008 3:0x0000000c ...]' $upper --trace=, upper.s buf:4K
expect 0 'v_add_nc_u32_e32 v5 /*v517*/, 3, v4 /*v260*/  # v260=0x0000000c -> v517=0x0000000f' $upper --trace=,lane=3 upper.s buf:4K
expect 0 'global_store_b32 v4 /*v260*/, v5 /*v517*/, s[2:3]  # v260=0x00000008 v517=0x0000000b s[2:3]=0x' $upper --trace=,lane=2 upper.s buf:4K
if "$softwave" run $upper --trace=, upper.s buf:4K 2>&1 | grep -q 'global_store.* @\[0:0x[0-9a-f]*000 1:0x[0-9a-f]*004 2:0x[0-9a-f]*008 3:0x[0-9a-f]*00c [.][.][.]\]'; then
    passed=$((passed + 1))
else
    failed=$((failed + 1)) && echo "addresses of a trace on gfx1250"
fi
expect 3 '  global_store_b32 v4 /*v260*/, v5 /*v517*/, s[2:3]' $upper upper.s u64:16
expect 0 'global_store_b32 v4 /*v260*/, v5 /*v517*/, s[2:3]' $upper --profile upper.s buf:4K
output=$("$softwave" run --target=gfx900 -g 8 -b 8 --trace=,pc=0x10-0x14 trace.s buf:4K 2>&1)
if [ "$(echo "$output" | wc -l)" -eq 2 ]; then passed=$((passed + 1)); else failed=$((failed + 1)) && echo "pc filter: $output"; fi
expect 3 'offset:2048  # v3=' --target=gfx900 -g 8 -b 8 --trace trace.s buf:64
expect 1 'is not kernel=NAME, pc=LO[-HI], wave=N, lane=0..63, class=' --trace=f,pc=1-x --target=gfx900 trace.s buf:64
expect 1 'is not kernel=NAME, pc=LO[-HI], wave=N, lane=0..63, class=' --trace=f,wave= --target=gfx900 trace.s buf:64
trace_lines() { # NAME LINES SPEC: of two kernels one behind the other
    got=$("$softwave" run --trace="$3" -k fill -g 64 -b 64 gfx90a.co buf:x=256 u32:1 --then -k add -g 64 -b 64 buf:256 @x f32:1 2>&1 | sed 's/.*scc=.  //; s/ .*//' | sort -u | xargs)
    if [ "$got" = "$2" ]; then passed=$((passed + 1)); else
        failed=$((failed + 1))
        echo "trace $1: '$got', not '$2'"
    fi
}
trace_lines "of a class" "s_endpgm" ,class=other
trace_lines "of classes" "global_load_dword global_store_dword s_endpgm" ,class=global+other
trace_lines "of no kernel" "" ,kernel=nothing
trace_lines "of a kernel" "global_store_dword" ,kernel=fill,class=global,wave=0
expect 1 'class=VALU' --trace=f,class=VALU --target=gfx900 trace.s buf:64
expect 1 'class=' --trace=f,class=salu+ --target=gfx900 trace.s buf:64
expect 3 '(did not finish)' --trace -k read_far -g 128 -b 64 gfx90a.co buf:512 u64:0x10000000

# Registers at the start: only what the descriptor asks for, packed without gaps. Of the work-group ids only Y
# (TRAP-408, INIT-01, INIT-11, KD-46, KD-48), of the work-item ids X and Y, in two registers or one (INIT-14, INIT-15,
# KD-50, KD-70, TRAP-407); in front of them, by choice, the dispatch id (INIT-07, KD-13).
start_kernel() { # TARGET UNPACK-LINES DIRECTIVES GROUP-SGPR
    printf '%s\n' .text '.p2align 8' start: 's_load_dwordx2 s[8:9], s[0:1], 0x0' "$2" \
        'v_lshlrev_b32_e32 v4, 1, v1' \
        "s_mul_i32 s10, s$4, 6" "s_lshl_b32 s11, s$4, 16" 'v_lshlrev_b32_e32 v5, 8, v1' \
        'v_or_b32_e32 v5, v5, v0' 'v_or_b32_e32 v5, s11, v5' \
        'v_lshlrev_b32_e32 v6, 2, v4' 'v_lshlrev_b32_e32 v7, 2, v0' 's_lshl_b32 s10, s10, 2' 's_waitcnt lgkmcnt(0)' \
        's_add_u32 s8, s8, s10' 's_addc_u32 s9, s9, 0' 'v_or_b32_e32 v6, v6, v7' "$5" s_endpgm \
        '.section .rodata,"a"' '.p2align 6' '.amdhsa_kernel start' '.amdhsa_user_sgpr_kernarg_segment_ptr 1' \
        '.amdhsa_system_sgpr_workgroup_id_x 0' '.amdhsa_system_sgpr_workgroup_id_y 1' \
        '.amdhsa_system_vgpr_workitem_id 1' '.amdhsa_kernarg_size 8' '.amdhsa_next_free_vgpr 12' \
        '.amdhsa_next_free_sgpr 16' "$3" .end_amdhsa_kernel > "start.$1.s"
}
packed='v_bfe_u32 v1, v0, 10, 10
v_and_b32_e32 v0, 0x3ff, v0'
global='global_store_dword v6, v5, s[8:9]'
flat='v_mov_b32_e32 v9, s9
v_add_i32_e32 v8, vcc, s8, v6
v_addc_u32_e32 v9, vcc, 0, v9, vcc
flat_store_dword v[8:9], v5'
want='@0: 0 1 256 257 512 513 65536 65537 65792 65793 66048 66049'
for target in gfx700 gfx803 gfx900 gfx90a gfx942 gfx1030 gfx1100; do
    unpack= more= store=$global
    case $target in
    gfx700) store=$flat ;;
    gfx803) store=$(echo "$flat" | sed 's/v_add_i32/v_add_u32/') ;;
    gfx9[04]*[a2]) unpack=$packed more='.amdhsa_accum_offset 12' ;;
    gfx1100) unpack=$packed ;;
    esac
    start_kernel $target "$unpack" "$more" 2 "$store"
    expect 0 "$want" --target=$target -g 4,6 -b 2,3 start.$target.s buf:48,show=u32:12
    start_kernel $target "$unpack" "$more
.amdhsa_user_sgpr_dispatch_id 1" 4 "$store"
    expect 0 "$want" --target=$target -g 4,6 -b 2,3 start.$target.s buf:48,show=u32:12
done

# What a kernel finds where nobody wrote: 0, or what --init asks for, so that programs that rely on 0 show (TRAP-405).
# Groups have at most 1024 work-items (TRAP-403).
cat > left.s << 'S'
.text
.p2align 8
left:
  s_load_dwordx2 s[2:3], s[0:1], 0x0
  v_mov_b32_e32 v1, 0
  ds_read_b32 v2, v1
  v_mov_b32_e32 v4, s9
  s_waitcnt lgkmcnt(0)
  global_store_dword v1, v5, s[2:3]
  global_store_dword v1, v2, s[2:3] offset:4
  global_store_dword v1, v4, s[2:3] offset:8
  s_endpgm
.section .rodata,"a"
.p2align 6
.amdhsa_kernel left
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_kernarg_size 8
  .amdhsa_group_segment_fixed_size 64
  .amdhsa_next_free_vgpr 8
  .amdhsa_next_free_sgpr 16
.end_amdhsa_kernel
S
left="--target=gfx900 -g 1 -b 1 left.s buf:12,show=u32:3"
expect 0 '@0: 0 0 0' --init=zero $left
expect 0 '@0: 3587560917 3587560917 3587560917' --init=pattern $left
# Strict alignment: two dwords at 4 (BUF-53, BUF-54).
sed 's/global_store_dword v1, v2, s\[2:3\] offset:4/global_store_dwordx2 v1, v[1:2], s[2:3] offset:4/; s/left/odd/g' left.s > odd.s
odd="--target=gfx900 -g 1 -b 1 odd.s buf:12,show=u32:3"
expect 0 '@0: 0 0 0' --alignment=unaligned $odd
expect 0 '@0: 0 0 0' --alignment=dword-strict $odd
expect 3 'accesses a misaligned address' --alignment=strict $odd
one=$("$softwave" run --init=random:7 $left) two=$("$softwave" run --init=random:7 $left) other=$("$softwave" run --init=random:8 $left)
if [ "$one" = "$two" ] && [ "$one" != "$other" ]; then passed=$((passed + 1)); else
    failed=$((failed + 1))
    echo "--init=random:7 gives '$one', then '$two'; random:8 gives '$other'"
fi
expect 2 'work-group size is 1088, the limit is 1024' --target=gfx900 -g 1088 -b 1088 left.s buf:12

# Arguments that no metadata lists, and buffers that hold addresses of others, as GCC's kernels want them.
cat > nested.s << 'S'
.text
.p2align 8
nested:
  s_load_dwordx2 s[2:3], s[0:1], 0x0
  s_load_dword s6, s[0:1], 0x8
  s_waitcnt lgkmcnt(0)
  s_load_dwordx2 s[4:5], s[2:3], 0x8
  v_lshlrev_b32_e32 v1, 2, v0
  v_add_u32_e32 v0, s6, v0
  s_waitcnt lgkmcnt(0)
  global_store_dword v1, v0, s[4:5]
  s_endpgm
.section .rodata,"a"
.p2align 6
.amdhsa_kernel nested
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_kernarg_size 12
  .amdhsa_next_free_vgpr 2
  .amdhsa_next_free_sgpr 8
.end_amdhsa_kernel
S
expect 0 'x: 100 101 102 103 ...' --target=gfx900 -g 8 -b 8 --buffer x=32,show=u32:4 nested.s buf:16,ptr=8:@x u32:100
expect 0 'x: 0 7 8 9 ...' --target=gfx900 -g 7 -b 7 --buffer x=32,show=u32:4,fill=u32:0 nested.s buf:16,ptr=8:@x+4 u32:7
expect 1 'lies outside the argument block' --target=gfx900 -g 8 nested.s buf:16 u32:1 u32:2
expect 1 'ptr= lies outside of its buffer' --target=gfx900 -g 8 --buffer x=32 nested.s buf:16,ptr=9:@x u32:1
expect 1 'no such buffer before it' --target=gfx900 -g 8 nested.s buf:16,ptr=0:@later u32:1
expect 1 'ptr= needs OFFSET:@NAME' --target=gfx900 -g 8 nested.s buf:16,ptr=@later u32:1

# Profiles, also of a kernel that faults; none is half written.
expect 0 'instructions by 1 waves of 64' --profile -k fill -g 64 -b 64 gfx90a.co buf:256 u32:1
expect 0 'bytes asked, 1.00 touched for each' --profile -k fill -g 64 -b 64 gfx90a.co buf:256 u32:1
expect 0 '' --profile=p.json -k fill -g 64 -b 64 gfx90a.co buf:256 u32:1 --then -k fill -g 64 -b 64 buf:256 u32:2
expect 0 '' --profile=p.folded -k fill -g 64 -b 64 gfx90a.co buf:256 u32:1
expect 3 'instructions by' --profile -k read_far -g 128 -b 64 gfx90a.co buf:512 u64:0x10000000
expect 2 'nowhere/p.json' --profile=nowhere/p.json -k fill -g 64 -b 64 gfx90a.co buf:256 u32:1
expect 1 '--profile excludes --trace' --profile --trace -k fill -g 64 -b 64 gfx90a.co buf:256 u32:1
if python3 -c 'import json; d = json.load(open("p.json")); assert len(d) == 2 and d[1]["kernel"] == "fill" and d[0]["instructions"][0]["executions"] == 1' &&
    grep -q '^fill;.* [0-9][0-9]*$' p.folded; then passed=$((passed + 1)); else
    failed=$((failed + 1))
    echo "profiles: $(head -c 300 p.json p.folded)"
fi

finish
