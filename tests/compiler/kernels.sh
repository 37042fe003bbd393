#!/bin/sh
# SPDX-License-Identifier: MIT
# The kernels of bench/ and tests/device/kernels/ through `softwave cc`, from clang's IR at several levels, on processors
# of every family: what they compute is what the host computes (tests/device/kernels has references and bounds).
# A kernel that is refused is named in REFUSED; any other that is, and any in it that compiles, is a failure.
# What a kernel begins with is as the hardware brings it (INIT-01, 03, 04, 06, 08, 11, 13 to 15), the stack is reached as each
# family has it (PRO-07 to PRO-12, AS-21), and flat addresses are in the space that they say (AS-04 to AS-06, AS-14 to AS-16).
# usage: kernels.sh [path of softwave]; libsoftwave-all.a must lie beside it. EVERY=1 takes all levels on all processors;
# SECOND=1 runs llc-22's objects of the same IR as well, and TIER=2 all of them compiled.
# KERNEL_TARGETS, KERNEL_LEVELS, KERNEL_FILES choose less; COMPILE=1 runs nothing.
. "$(dirname "$0")/../tools.sh"
export SOFTWAVE_CACHE=
softwave=$(realpath "${1:-build/softwave}")
build=$(dirname "$softwave")
here=$(realpath "$(dirname "$0")")
source=$here/../device/kernels
out=$build/kernels-cc
libclc=/usr/lib/clc/amdgcn-amd-amdhsa.bc
KERNEL_FILES=${KERNEL_FILES:-"bench integer real convert control atomics lanes math"}
REFUSED=
need_llvm_22 $CLANG $LD_LLD
[ -r $libclc ] || { echo "skipped: libclc-22 is not installed" && echo "0 passed, 0 failed, 1 skipped" && exit 0; }
mkdir -p "$out/llc" || exit 1
failed=0
# The runner and the host's side are those of the device's test.
[ -n "$COMPILE" ] || KERNEL_TARGETS=gfx90a KERNEL_LEVELS=2 KERNEL_FILES="$KERNEL_FILES" ONLY=nothing "$here/../device/kernels.sh" "$softwave" > /dev/null

# compile TARGET LEVEL FILE: prints the object's name, where it has any kernel
compile() {
    processor=${1%w64}
    path=$source/$3.cl features=
    [ "$3" = bench ] && path=$here/../../bench/kernels.cl
    [ "$processor" != "$1" ] && features=--mattr=+wavefrontsize64
    name=$out/$1-O$2.$3
    "$CLANG" -w -target amdgcn-amd-amdhsa -nogpulib -x cl -cl-std=CL2.0 -mcode-object-version=4 -Xclang -mlink-builtin-bitcode -Xclang $libclc \
        -cl-fp32-correctly-rounded-divide-sqrt -Xclang -fdenormal-fp-math-f32=ieee,ieee -mcpu="$processor" ${features:+-mwavefrontsize64} -O"$2" \
        -ffp-contract=off -S -emit-llvm "$path" -o "$name.ll" || return 1
    kernels=
    for kernel in $(grep -o 'amdgpu_kernel void @[A-Za-z0-9_]*' "$name.ll" | sed 's/.*@//'); do
        case $REFUSED in *" $kernel "*)
            "$softwave" cc --target="$processor" $features -k "$kernel" "$name.ll" -o "$name.co" 2> "$name.message"
            [ $? = 4 ] || echo "FAILED: $1 -O$2 $kernel is in REFUSED, but not refused"
            continue
            ;;
        esac
        kernels="$kernels -k $kernel"
    done
    "$softwave" cc --verify -O"$2" --target="$processor" $features $kernels "$name.ll" -o "$name.co" 2> "$name.message" && echo "$name.co" ||
        echo "FAILED: $1 -O$2 $3: $(grep -v note "$name.message" | head -n 2 | tr '\n' ' ')"
    [ -n "$SECOND" ] || return 0
    second=$out/llc/${name##*/}.co
    "$LLC" -mtriple=amdgcn-amd-amdhsa -mcpu="$processor" ${features:+-mattr=+wavefrontsize64} -O2 -filetype=obj "$name.ll" -o "$second.o" 2> "$name.message" &&
        "$softwave" ld "$second.o" -o "$second" && echo "$second" || echo "llc-22 fails: $1 -O$2 $3: $(head -n 1 "$name.message")" >&2
}

number=0 objects=
for target in ${KERNEL_TARGETS:-gfx803 gfx900 gfx90a gfx942 gfx1030 gfx1100 gfx1201 gfx1100w64 gfx1250}; do
    number=$((number + 1)) level_number=0
    for level in ${KERNEL_LEVELS:-0 1 2 3}; do
        level_number=$((level_number + 1))
        for file in $KERNEL_FILES; do
            # One level a file and processor, another one each time.
            [ -n "$EVERY" ] || [ $(((number + ${#file} + level_number) % 4)) = 0 ] || continue
            compile $target $level $file > "$out/result"
            objects="$objects $(grep -v ^FAILED "$out/result")"
            grep ^FAILED "$out/result" && failed=$((failed + 1))
        done
    done
done
if [ -n "$COMPILE" ]; then
    set -- $objects
    echo "$# passed, $failed failed, 0 skipped"
    exit $((failed > 0 || $# == 0))
fi
"$build/kernels/runner" "$source/table.txt" "$build/kernels" $objects > "$out/runs" 2>&1
grep -v "no such kernel" "$out/runs" | sed '$d' | grep -E "differ|fault|status|worst" | head -n 30
missing=$(grep -c "no such kernel" "$out/runs")
set -- $(tail -n 1 "$out/runs" | tr -d ,)
passed=$1 failed=$(($3 - missing + failed)) skipped=${5:-0}
# Some again where memory is weak and hazards are delivered (doc/weak.md): what is compiled waits for all that it needs.
weak=
for object in $objects; do
    case $object in *.control.co | *.real.co | *.lanes.co | *.atomics.co) weak="$weak $object" ;; esac
done
if [ -z "$TIER" ] && [ -n "$weak" ]; then
    WEAK=3 TIER=0 "$build/kernels/runner" "$source/table.txt" "$build/kernels" $weak > "$out/weak" 2>&1
    grep -v "no such kernel" "$out/weak" | sed '$d' | grep -E "differ|fault|status|worst" | head -n 30
    missing=$(grep -c "no such kernel" "$out/weak")
    set -- $(tail -n 1 "$out/weak" | tr -d ,)
    passed=$((passed + $1)) failed=$((failed + $3 - missing))
fi
echo "$passed passed, $failed failed, $skipped skipped"
exit $((failed > 0))
