#!/bin/sh
# SPDX-License-Identifier: MIT
# Functions that call each other, through `softwave cc` on every generation and wave size: those of calls.def, and the
# shapes of control flow as functions that are called. usage: calls.sh [path of softwave]
# CALL-01 to CALL-05, CALL-07 to CALL-19, CALL-22 to CALL-28, CALL-33, CALL-34, CALL-36, CALL-40; CC-01, CC-02, CC-17.
. "$(dirname "$0")/../tools.sh"
begin_test "$@"
for shapes in calls called; do
    SHAPES=$shapes "$here/flow.sh" "$softwave" > out
    sed '$d' out
    set -- $(tail -n 1 out | tr -d ,)
    passed=$((passed + $1)) failed=$((failed + $3)) skipped=$((skipped + $5))
done
# A call that has to be a jump is one where it is the only way out, on every generation.
for target in gfx600 gfx803 gfx90a gfx942 gfx1030 gfx1100 gfx1201 gfx1250; do
    "$softwave" cc --verify --target=$target -S "$here/same/tail.ll" -o tail.s 2> message || wrong "$target: $(head -n 3 message)"
    for one in jumps:1:1 jumps_with_stack:1:0 returns_twice:0:1; do
        sed -n "/^${one%%:*}:/,/\\.size ${one%%:*},/p" tail.s > function.s
        jumps=$(grep -cE 's_set_?pc_(b64|i64) vcc' function.s) calls=$(grep -cE 's_swap_?pc_(b64|i64)' function.s)
        [ "$one" = "${one%%:*}:$jumps:$calls" ] && pass || wrong "$target: $one: $jumps jumps, $calls calls"
    done
done
# Where lanes part, it is a call: with llc-22, lanes that are done early do not come back.
{ cat "$here/same/tail.ll" && cat << 'S'; } > sum.ll
define amdgpu_kernel void @sum(ptr addrspace(1) %out) {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %r = call i32 @returns_twice(i32 %id, i32 0)
  %q = getelementptr i32, ptr addrspace(1) %out, i32 %id
  store i32 %r, ptr addrspace(1) %q
  ret void
}
S
for target in gfx900 gfx942 gfx1030 gfx1201 gfx1250; do
    "$softwave" cc --target=$target sum.ll -o sum.co && "$softwave" run --target=$target --stack=64K -k sum -g 8 -b 8 sum.co buf:32,show=u32:8 > out 2> message
    grep -q ': 0 1 3 6 10 15 21 28$' out && pass || wrong "$target: sum: $(cat out message)"
done
end_test
