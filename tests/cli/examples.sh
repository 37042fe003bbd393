#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs every example of every --help in one folder, in which its inputs lie; each must end with 0. The order is that of the
# commands below, as some make what others read. An example that needs a tool that is not installed is skipped by name.
# usage: examples.sh [path of softwave]
. "$(dirname "$0")/../command.sh"
export HOME="$directory"
mkdir -p bin lib .zfunc .config/fish/completions && ln -s "$softwave" bin/softwave && cp -r "$here/../../examples" .
PATH=$directory/bin:$PATH

# ---- Inputs ----

# kernel NAME SYMBOL ARGUMENTS: a kernel of gfx90a that stores its number at the first argument; work-items of several groups
kernel() {
    cat << S
.text
.globl $2
.p2align 8
.type $2,@function
$2:
    s_load_dwordx2 s[4:5], s[0:1], 0x0
    v_lshlrev_b32 v1, 2, v0
    s_lshl_b32 s2, s2, 8
    v_add_u32 v1, s2, v1
    v_and_b32 v1, 0xff, v1
    s_waitcnt lgkmcnt(0)
    global_store_dword v1, v0, s[4:5]
    s_endpgm
.section .rodata,"a"
.p2align 6
.amdhsa_kernel $2
    .amdhsa_next_free_vgpr 4
    .amdhsa_next_free_sgpr 16
    .amdhsa_accum_offset 4
    .amdhsa_user_sgpr_kernarg_segment_ptr 1
    .amdhsa_kernarg_size 24
.end_amdhsa_kernel
S
}
{
    echo '.amdgcn_target "amdgcn-amd-amdhsa--gfx90a"'
    kernel saxpy saxpy
} > kernels.s
{
    echo '.amdgcn_target "amdgcn-amd-amdhsa--gfx90a"'
    kernel scale scale
    kernel add add
    kernel 'ns::look' _ZN2ns4lookEPj
    echo '.data
.globl table
.type table,@object
.size table, 8
table: .quad 0
.globl count
.type count,@object
.size count, 4
count: .long 7'
} > a.s
cat > kernel.s << 'S'
.amdgcn_target "amdgcn-amd-amdhsa--gfx1030"
saxpy:
    s_load_dwordx2 s[4:5], s[0:1], 0x0
    v_lshlrev_b32 v1, 2, v0
    s_waitcnt lgkmcnt(0)
    global_store_dword v1, v0, s[4:5]
    s_endpgm
.section .rodata,"a"
.p2align 6
.amdhsa_kernel saxpy
    .amdhsa_next_free_vgpr 4
    .amdhsa_next_free_sgpr 16
    .amdhsa_user_sgpr_kernarg_segment_ptr 1
    .amdhsa_kernarg_size 8
    .amdhsa_wavefront_size32 1
.end_amdhsa_kernel
S
printf abcdefgh > table.bin
cat > saxpy.cl << 'S'
kernel void saxpy(global float *y, global const float *x, float a) {
    size_t i = get_global_id(0);
    y[i] += a * x[i];
}
S
echo 'kernel void k(global int *p) { p[0] = 1; }' > k.cl
# The newest clang, if it is recent enough.
for version in $(seq 18 40); do
    ! command -v clang-$version > /dev/null || printf '#!/bin/sh\nexec clang-%s "$@"\n' $version > bin/clang
done
[ ! -e bin/clang ] || chmod +x bin/clang
cat > saxpy.ll << 'S'
target triple = "amdgcn-amd-amdhsa"
define amdgpu_kernel void @saxpy(ptr addrspace(1) %y, ptr addrspace(1) %x, float %a) {
  %i = call i32 @llvm.amdgcn.workitem.id.x()
  %at = getelementptr float, ptr addrspace(1) %x, i32 %i
  %to = getelementptr float, ptr addrspace(1) %y, i32 %i
  %value = load float, ptr addrspace(1) %at
  %product = fmul float %value, %a
  store float %product, ptr addrspace(1) %to
  ret void
}
declare i32 @llvm.amdgcn.workitem.id.x()
S
for name in kernels a; do softwave as $name.s -o $name.o && softwave ld -shared -o $name.co $name.o; done || exit 1
cp kernels.o main.o
printf 'unused:\n    s_endpgm\n' > math.s && softwave as --target=gfx90a math.s -o math.o && ar rc lib/libmath.a math.o || exit 1
# A host library and a program with code objects in them.
sed 's/--gfx90a/--gfx90a:xnack-/' kernels.s > off.s && softwave as off.s -o off.o && softwave ld -shared -o off.co off.o &&
    softwave bundle --type=o --targets=host-x86_64-unknown-linux-gnu,hipv4-amdgcn-amd-amdhsa--gfx90a:xnack- \
        --input=/dev/null --input=off.co --output=off.hipfb &&
    printf '.section .hip_fatbin,"a"\n.p2align 12\n.incbin "off.hipfb"\n.section .note.GNU-stack,"",@progbits\n' > fat.s &&
    ${CC:-cc} -shared -o libexample.so fat.s || exit 1
# Programs of exec: they start and end the runtime that they find.
cat > program.c << 'C'
#include <dlfcn.h>
int main(void) {
    void *runtime = dlopen("libhsa-runtime64.so.1", RTLD_NOW);
    int (*start)(void) = runtime ? (int (*)(void))dlsym(runtime, "hsa_init") : 0;
    int (*end)(void) = runtime ? (int (*)(void))dlsym(runtime, "hsa_shut_down") : 0;
    return !start || !end || start() || end();
}
C
${CC:-cc} -o program program.c fat.s -ldl && cp program saxpy || exit 1

# ---- Examples ----

# What an example needs besides the inputs; prints what is missing.
lacks() {
    case $1 in
    *saxpy.cl*) compiler=1 ;;
    *) compiler= ;;
    esac
    case $1 in
    clang*) [ -e bin/clang ] || echo 'clang 18 or later' ;;
    *completion\ bash*) command -v bash > /dev/null || echo bash ;;
    *'man -l'*) command -v man > /dev/null || echo man ;;
    *rocminfo*) command -v rocminfo > /dev/null || echo rocminfo ;;
    esac
    [ -z "$compiler" ] || { [ -e bin/clang ] && [ -e /usr/lib/clc/amdgcn-amd-amdhsa.bc ]; } || echo 'clang 18 or later, libclc'
    case $1 in
    *softwave\ cc\ *) ls /usr/lib/*/libLLVM*2[2-9]* /usr/lib/llvm-2[2-9]/lib/libLLVM*.so* > /dev/null 2>&1 || [ "$SOFTWAVE_LLVM" ] || echo 'the library of LLVM 22' ;;
    *softwave\ exec*) [ -e "$(dirname "$softwave")/hsa/libhsa-runtime64.so.1" ] || echo 'the HSA runtime' ;;
    esac
}

commands='as cc ld obj bundle dis targets isa run draw merge eval exec help completion'
[ "$(softwave help --names | sort | tr '\n' ' ')" = "$(echo $commands | tr ' ' '\n' | sort | tr '\n' ' ')" ] ||
    { failed=1 && echo "examples.sh: the commands are $(softwave help --names | tr '\n' ' ')"; }
for command in $commands; do
    # A line each, without the backslashes at ends of lines.
    softwave "$command" --help | sed -n '/^examples:/,$s/^  //p' | sed -e ':a' -e '/\\$/N; s/\\\n *//; ta' > lines
    [ -s lines ] || { failed=$((failed + 1)) && echo "examples.sh: $command has no examples"; }
    while read -r line; do
        missing=$(lacks "$line")
        if [ "$missing" ]; then
            skip "'$line' needs $missing"
            continue
        fi
        case $line in 'source '*) shell=bash ;; *) shell=sh ;; esac
        # An example with a pipe fails when its last part does.
        if timeout 120 "$shell" -c "$line" < /dev/null > output 2>&1; then
            passed=$((passed + 1))
        elif grep -q "^[^ ]*: error: stages behind '.*' are not supported$" output; then # a build without the whole compiler
            skip "'$line': $(tail -n 1 output)"
        else
            failed=$((failed + 1)) && echo "examples.sh: '$line': $(tail -n 3 output)"
        fi
    done < lines
done
finish
