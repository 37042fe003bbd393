#!/bin/sh
# SPDX-License-Identifier: MIT
# GCC's compiler for AMD GPUs with our assembler and linker in place of its own: gcc.sh SOFTWAVE. An OpenACC program is
# compiled for each of its processors; the assembly that GCC writes for the device goes through `softwave as` and
# `softwave ld`, which GCC calls by the names that it looks up; a kernel of the linked program then runs with
# `softwave run`, and its result is compared with what the loop computes. The object is compared with that of the
# assembler that GCC came with.
export SOFTWAVE_CACHE= # compiled code is kept nowhere
softwave=$(realpath "${1:?usage: gcc.sh SOFTWAVE}")
host=${GCC:-gcc-12}
device=x86_64-linux-gnu-accel-amdgcn-amdhsa-gcc-12
theirs=/usr/amdgcn-amdhsa/bin/as
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0 skipped=0
check() { # what, whether
    if [ "$2" = 0 ]; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAILED: $1"; fi
}

if ! command -v "$host" > /dev/null || ! command -v $device > /dev/null; then
    echo "gcc.sh: no GCC for AMD GPUs (gcc-12-offload-amdgcn): 4 processors skipped"
    echo "0 passed, 0 failed, 4 skipped"
    exit 0
fi
mkdir "$work/tools"
# GCC relies on the default of LLVM 13, version 4, except for GFX8.
printf '#!/bin/sh\nexec "%s" as --code-object-version=4 "$@"\n' "$softwave" > "$work/tools/as"
printf '#!/bin/sh\nexec "%s" ld "$@"\n' "$softwave" > "$work/tools/ld"
chmod +x "$work/tools/as" "$work/tools/ld"
cat > "$work/scale.c" << 'END'
int main(void) {
    float a[1000], b[1000];
    for (int i = 0; i < 1000; i++) a[i] = i;
#pragma acc parallel loop copyin(a) copyout(b) num_gangs(4) vector_length(64)
    for (int i = 0; i < 1000; i++) b[i] = a[i] * 2 + 1;
    return b[10] != 21;
}
END
cd "$work" || exit 1
awk 'BEGIN { printf "b:"; for (i = 0; i < 1000; i++) printf " %d", 2 * i + 1; print "" }' > expected
for march in fiji gfx900 gfx906 gfx908; do
    rm -f scale.out*
    "$host" -O2 -fopenacc -foffload=amdgcn-amdhsa "-foffload-options=amdgcn-amdhsa=-march=$march" scale.c -o scale.out -save-temps > log 2>&1
    assembly=scale.out.xamdgcn-amdhsa.mkoffload.2.s
    if [ ! -s $assembly ]; then # this GCC has no libraries for it, perhaps; its compiler alone has written nothing
        echo "gcc.sh: $host writes no code for $march: $(grep -m1 error log)"
        skipped=$((skipped + 1))
        continue
    fi
    $device -B"$work/tools/" -march=$march -mno-xnack -msram-ecc=any $assembly -o "$march.co" > log 2>&1
    check "$march: assembled and linked: $(head -3 log)" $?
    case $march in fiji) version=3 ;; *) version=4 ;; esac
    "$softwave" obj "$march.co" 2> /dev/null | grep -q "Code object V$version for"
    check "$march: a code object of version $version" $?
    "$softwave" run -k main._omp_fn.0 -g 4 -b 1 --buffer a=4000,fill=f32:iota --buffer b=4000,show=f32:1000 "$march.co" \
        buf:16,ptr=0:@a,ptr=8:@b > got 2> log
    cmp -s got expected || "$softwave" run -k main._omp_fn.0 -g 4 -b 1 --buffer a=4000,fill=f32:iota \
        --buffer b=4000,show=f32:1000 --buffer n=4,fill=i32:1000 "$march.co" buf:24,ptr=0:@a,ptr=8:@b,ptr=16:@n > got 2> log
    cmp -s got expected
    check "$march: the kernel's result: $(head -3 log)" $?
    if [ -x $theirs ]; then
        options="-triple=amdgcn--amdhsa -mcpu=$march -mattr=-xnack --amdhsa-code-object-version=$version -filetype=obj"
        case $march in fiji) options=$(echo "$options" | sed 's/-mattr=-xnack//') ;; esac
        $theirs $options -o theirs.o $assembly 2> log && "$softwave" as $options -o ours.o $assembly 2> log &&
            "$softwave" dis theirs.o 2> log | grep -v ':	file format' > theirs.txt &&
            "$softwave" dis ours.o | grep -v ':	file format' > ours.txt && [ -s ours.txt ] && cmp -s ours.txt theirs.txt
        check "$march: the code is that of GCC's own assembler: $(head -3 log)" $?
    fi
done
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
