#!/bin/sh
# How costs grow: grids from 2^10 to 2^28 work-items, objects from 50 to 50,000 kernels through as, ld, dis and obj, IR of as
# many functions that call each other through cc.
# Prints the time of each size for one item of it; what costs more than twice as much an item at one size as it did at the
# size before, beyond what starting costs, is named and fails. MOST bounds the kernels and functions.
# bench/growth.sh BUILD-DIR
build=$(realpath "$1")
softwave=$build/softwave
work=$build/bench/growth
mkdir -p "$work" && cd "$work" || exit 1
failed=0

now() { date +%s%N; }
# best COMMAND...: nanoseconds of the best of three.
best() {
    least=
    for try in 1 2 3; do
        start=$(now)
        "$@" >/dev/null 2>log || { echo "$*: $(head -n 3 log)" >&2; exit 1; }
        spent=$(($(now) - start))
        if [ -z "$least" ] || [ $spent -lt "$least" ]; then least=$spent; fi
        [ $spent -gt 5000000000 ] && break
    done
    echo "$least"
}
# row WHAT SIZE NANOSECONDS: prints it, and compares it with the row before. Under 50 ms a process is mostly start.
row() {
    [ -n "$3" ] || { failed=1; return; }
    awk -v what="$1" -v size="$2" -v ns="$3" -v before="$before" 'BEGIN {
        each = ns / size
        printf "  %-6s %10d  %10.1f ms  %12.1f ns each\n", what, size, ns / 1e6, each
        exit before != "" && ns > 5e7 && each > 2 * before }' || {
        echo "GROWS: $1 at $2 costs more than twice as much for each as at the size before"
        failed=1
    }
    before=$(awk -v size="$2" -v ns="$3" 'BEGIN {print ns / size}')
}

kernels() { # as many of them
    awk -v n="$1" 'BEGIN {for (i = 0; i < n; i++) {
        printf ".text\n.globl k%d\n.p2align 8\n.type k%d,@function\nk%d:\n v_add_f32_e32 v0, %d, v1\n s_endpgm\n.size k%d, .-k%d\n", i, i, i, i % 64, i, i
        printf ".section .rodata,\"a\",@progbits\n.p2align 6\n.amdhsa_kernel k%d\n.amdhsa_next_free_vgpr 2\n.amdhsa_next_free_sgpr 8\n.end_amdhsa_kernel\n", i}
        print ".amdgpu_metadata\n---\namdhsa.version: [1, 2]\namdhsa.kernels:"
        for (i = 0; i < n; i++)
            printf "  - .name: k%d\n    .symbol: k%d.kd\n    .kernarg_segment_size: 0\n    .kernarg_segment_align: 8\n    .group_segment_fixed_size: 0\n    .private_segment_fixed_size: 0\n    .wavefront_size: 64\n    .sgpr_count: 8\n    .vgpr_count: 2\n    .max_flat_workgroup_size: 256\n", i, i
        print "...\n.end_amdgpu_metadata"}'
}

echo "objects of so many kernels, for each kernel"
for tool in as ld dis obj; do
    before=
    for n in 50 500 5000 50000; do
        [ $n -gt "${MOST:-50000}" ] && continue
        [ -f $n.s ] || kernels $n >$n.s
        case $tool in
        as) row as $n "$(best "$softwave" as --target=gfx900 $n.s -o $n.o)" ;;
        ld) row ld $n "$(best "$softwave" ld -shared $n.o -o $n.co)" ;;
        dis) row dis $n "$(best "$softwave" dis $n.co)" ;;
        obj) row obj $n "$(best "$softwave" obj $n.co)" ;;
        esac
    done
done
calls() { # so many functions, each of which calls one behind it
    awk -v n="$1" 'BEGIN {
        print "target triple = \"amdgcn-amd-amdhsa\""
        for (i = 0; i < n; i++)
            printf "define i32 @f%d(i32 %%x) noinline {\n %%y = call i32 @f%d(i32 %%x)\n %%r = add i32 %%y, %d\n ret i32 %%r\n}\n", i, i + 1 + int((n - 1 - i) / 2), i
        printf "define i32 @f%d(i32 %%x) {\n ret i32 %%x\n}\n", n}'
}
echo "IR of so many functions, for each function"
before=
for n in 50 500 5000 50000; do
    [ $n -gt "${MOST:-50000}" ] && continue
    calls $n >$n.ll
    row cc $n "$(best "$softwave" cc --target=gfx90a -c $n.ll -o $n.o)"
done
echo "grids of so many work-items, one instruction a wave, for each work-item"
before=
for power in 10 13 16 19 22 25 28; do
    row run $((1 << power)) "$(best "$softwave" run -k k0 -g $((1 << power)) -b 256 50.co)"
done
rm -f ./*.s ./*.ll ./*.o ./*.co
exit $failed
