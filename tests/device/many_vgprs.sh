#!/bin/sh
# SPDX-License-Identifier: MIT
# A kernel that keeps 320 values at once: gfx1250 has registers for them and names those from v256 on by
# s_set_vgpr_msb; others spill. The same source gives the same memory on all.
# many_vgprs.sh [PATH-TO-SOFTWAVE]
. "$(dirname "$0")/../tools.sh"
softwave=$(realpath "${1:-build/softwave}")
need_llvm_22 $CLANG $LD_LLD
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
passed=0 failed=0
verdict() { if "$@" >"$work/log" 2>&1; then passed=$((passed + 1)); else failed=$((failed + 1)) && echo "failed: $*" && tail -n 5 "$work/log"; fi; }

cat >"$work/many.cl" <<'END'
__kernel __attribute__((reqd_work_group_size(32, 1, 1))) void many(__global int *o, __global volatile int *in) {
    int a[320], l = __builtin_amdgcn_workitem_id_x(), s = 0;
#pragma clang loop unroll(full)
    for (int i = 0; i < 320; i++) a[i] = in[i * 32 + l];
#pragma clang loop unroll(full)
    for (int i = 0; i < 320; i++) s = s * 3 + a[319 - i];
#pragma clang loop unroll(full)
    for (int i = 0; i < 320; i++) s ^= a[i] * (i + 1);
    o[l] = s;
}
END
run() { # processor
    $CLANG -w -target amdgcn-amd-amdhsa -nogpulib -x cl -cl-std=CL2.0 -mcpu="$1" -O3 "$work/many.cl" -o "$work/$1.co" &&
        "$softwave" run -g 32 -b 32 "$work/$1.co" "buf:128,out=$work/$1.out" buf:40K,fill=u32:rand:7
}
for processor in gfx900 gfx1201 gfx1250; do verdict run $processor; done
verdict sh -c "'$softwave' dis '$work/gfx1250.co' | grep -q 's_set_vgpr_msb 0x'"
verdict cmp "$work/gfx900.out" "$work/gfx1250.out"
verdict cmp "$work/gfx1201.out" "$work/gfx1250.out"
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ]
