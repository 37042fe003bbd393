#!/bin/sh
# SPDX-License-Identifier: MIT
# From text to a loadable object: `softwave as` and `softwave ld` against llvm-mc and ld.lld on the same sources, whole
# processes, best of seven each: link.sh BUILD. The goal is 5 times LLVM's speed.
set -eu
build=${1:?usage: link.sh BUILD}
softwave=$build/softwave
work=$build/bench/link
mkdir -p "$work"

best() { # milliseconds
    for _ in 1 2 3 4 5 6 7; do
        start=$(date +%s%N)
        "$@" >/dev/null 2>&1
        echo $(($(date +%s%N) - start))
    done | sort -n | head -1 | awk '{ print $1 / 1e6 }'
}
report() { awk -v what="$1" -v ours="$2" -v theirs="$3" -v goal="$4" 'BEGIN {
    printf "  %-34s %8.1f ms   LLVM %8.1f ms   %5.1f times%s\n", what, ours, theirs, theirs / ours, goal }'; }
ours() { # SOURCE...: each assembled, then all linked
    for f in "$@"; do "$softwave" as --target=gfx90a "$f" -o "$f.o"; done
    "$softwave" ld -shared -o "$work/ours.so" "$work"/*.s.o
}
theirs() {
    for f in "$@"; do llvm-mc-22 -triple=amdgcn-amd-amdhsa -mcpu=gfx90a -filetype=obj "$f" -o "$f.o"; done
    ld.lld-22 -shared -o "$work/theirs.so" "$work"/*.s.o
}
both() { # WHAT: the sources of $work
    LLD_VERSION="Linker: $("$softwave" --version)"
    export LLD_VERSION
    report "$1: as + ld" "$(best ours "$work"/*.s)" "$(best theirs "$work"/*.s)" " (goal 5)"
    report "$1: ld alone" "$(best "$softwave" ld -shared -o "$work/ours.so" "$work"/*.s.o)" \
        "$(best ld.lld-22 -shared -o "$work/theirs.so" "$work"/*.s.o)" ""
    cmp -s "$work/ours.so" "$work/theirs.so" && echo "  the outputs are equal" || echo "  the outputs differ"
    rm -f "$work"/*
}

echo "link, gfx90a:"
clang-22 -x cl -cl-std=CL2.0 -target amdgcn-amd-amdhsa -mcpu=gfx90a -nogpulib -w -O2 -S \
    -Xclang -mlink-builtin-bitcode -Xclang /usr/lib/clc/amdgcn-amd-amdhsa.bc bench/kernels.cl -o "$work/kernels.s"
both "the kernels of this benchmark"
# Files of 200 functions each that call one another, with data that points to them and strings to merge.
for file in 1 2 3 4 5 6 7 8; do
    awk -v file=$file 'BEGIN {
        for (i = 0; i < 200; i++) {
            name = "f" file "_" i; other = "f" (file % 8 + 1) "_" (i * 7) % 200
            printf ".section .text.%s,\"ax\",@progbits\n.globl %s\n.hidden %s\n.hidden %s\n.type %s,@function\n%s:\n", name, name, name, other, name, name
            for (k = 0; k < 40; k++) printf "  v_fma_f32 v%d, v%d, v2, v3\n  s_add_u32 s%d, s4, %d\n", k, k + 1, k, i * k
            printf "  s_getpc_b64 s[0:1]\n  s_add_u32 s0, s0, %s@rel32@lo+4\n  s_addc_u32 s1, s1, %s@rel32@hi+12\n  s_setpc_b64 s[30:31]\n.size %s, .-%s\n", other, other, name, name
            printf ".section .rodata.str1.1,\"aMS\",@progbits,1\n.L%s: .asciz \"the name of %s, %s\"\n", name, other, other
            printf ".section .data.rel.ro,\"aw\",@progbits\n  .quad %s, .L%s\n", name, name
        }
    }' >"$work/file$file.s"
done
both "8 files of 200 functions"
