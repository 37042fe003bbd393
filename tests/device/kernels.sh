#!/bin/sh
# SPDX-License-Identifier: MIT
# Kernels from source to result: builds the kernels of bench/ and tests/device/kernels/ with clang for the GPU and for
# the host, runs both, compares every buffer.
# usage: kernels.sh [path of softwave]; libsoftwave-all.a must lie beside it. Built files stay in kernels/
# beside it and are built again when their source changes.
# Every file is built for every target, every file at every level of optimisation, and every target at every level: of all
# combinations the quarter that has all three; EVERY=1 takes them all. Environment: KERNEL_TARGETS, KERNEL_LEVELS (0 1 2 3), KERNEL_FILES choose
# less; ONLY=TEXT runs kernels whose name contains it; LEVEL=v2 picks the vector level of the host, WEAK=SEED makes memory weak.
. "$(dirname "$0")/../tools.sh"
export SOFTWAVE_CACHE= # compiled code is kept nowhere
softwave=$(realpath "${1:-build/softwave}")
build=$(dirname "$softwave")
here=$(realpath "$(dirname "$0")")
source=$here/kernels
out=$build/kernels
libclc=/usr/lib/clc/amdgcn-amd-amdhsa.bc
KERNEL_TARGETS=${KERNEL_TARGETS:-"gfx803 gfx900 gfx906 gfx90a gfx942 gfx1030 gfx1100 gfx1201 gfx1250 gfx1030w64 gfx1100w64 gfx1201w64 gfx1010"}
KERNEL_LEVELS=${KERNEL_LEVELS:-0 1 2 3}
KERNEL_FILES=${KERNEL_FILES:-"bench integer real convert control atomics lanes math plain assembly"}
jobs=$(nproc)

need_llvm_22 $CLANG $LD_LLD
if [ ! -r $libclc ]; then
    echo "skipped: libclc-22 is not installed"
    echo "0 passed, 0 failed, 1 skipped"
    exit 0
fi
mkdir -p "$out" || exit 1
# What is built here, tests/compiler/kernels.sh uses as well, and may build at the same time.
exec 9> "$out/lock" && flock 9 || exit 1
totals=$(mktemp) && trap 'rm -f "$totals" "$totals.weak"' EXIT

path_of() {
    case $1 in
    bench) echo "$here/../../bench/kernels.cl" ;;
    plain | assembly) echo "$source/$1.c" ;;
    *) echo "$source/$1.cl" ;;
    esac
}

# stale OUTPUT SOURCE: whether OUTPUT must be built
stale() {
    [ ! -e "$1" ] || [ "$2" -nt "$1" ] || [ "$source/common.h" -nt "$1" ]
}

# The runner and the host's side.
host="$CLANG -w -O1 -march=x86-64-v3 -fPIC -Xclang -ffloat16-excess-precision=none"
lib=$build/libsoftwave-all.a
needs_build=
for file in "$source"/*.[ch] "$lib"; do
    if [ ! -e "$out/runner" ] || [ "$file" -nt "$out/runner" ]; then needs_build=1; fi
done
if [ -n "$needs_build" ]; then
    $host -std=gnu17 -ffp-contract=off -fno-builtin -I "$source" -c "$source/builtins.c" -o "$out/builtins.o" &&
        ${CC:-cc} -std=gnu17 -O1 -g -I "$here/../../include" -I "$source" -rdynamic -o "$out/runner" \
            "$source/runner.c" "$source/cases.c" "$source/host.c" "$source/ir.c" "$source/emitted.c" "$out/builtins.o" "$lib" \
            $(pkg-config --libs zlib libzstd msgpack yaml-0.1) -lm -lpthread -ldl || exit 1
fi

# One line for each thing to build: OUTPUT, then the command.
commands=$out/commands
: > "$commands"
for file in $KERNEL_FILES; do
    path=$(path_of "$file")
    for variant in strict fused; do
        contract=off
        if [ $variant = fused ]; then contract=on; fi
        if [ $variant = fused ] && [ "$file" != bench ]; then continue; fi
        if stale "$out/$file.$variant.so" "$path"; then
            language="-x cl -cl-std=CL2.0"
            case $file in plain | assembly) language="-x c -frounding-math" ;; esac
            echo "$host $language -ffp-contract=$contract -shared '$path' -o '$out/$file.$variant.so'" >> "$commands"
        fi
    done
done
objects=
# libclc-22 finds the global offset where code objects before version 5 had it.
gpu="$CLANG -w -target amdgcn-amd-amdhsa -nogpulib"
opencl="-x cl -cl-std=CL2.0 -mcode-object-version=4 -Xclang -mlink-builtin-bitcode -Xclang $libclc"
strict="-cl-fp32-correctly-rounded-divide-sqrt"
number=0
for target in $KERNEL_TARGETS; do
    number=$((number + 1))
    for level in $KERNEL_LEVELS; do
        number_of_file=0
        for file in $KERNEL_FILES; do
            number_of_file=$((number_of_file + 1))
            if [ -z "$EVERY" ] && [ "$file" != assembly ] && [ $(((number + number_of_file + level) % 4)) != 0 ]; then continue; fi
            path=$(path_of "$file")
            processor=${target%w64}
            flags="-mcpu=$processor -O$level"
            if [ "$processor" != "$target" ]; then flags="$flags -mwavefrontsize64"; fi
            if [ "$processor" = gfx803 ]; then # flushes denormals unless told otherwise
                flags="$flags -Xclang -fdenormal-fp-math-f32=ieee,ieee"
                case $file$level in assembly? | plain0) continue ;; esac # the latter: ERR-18
            fi
            language="$opencl $strict"
            case $file in
            plain)
                language="-x c"
                # Half of the builds flush denormals, and let them in for divisions only.
                case $target in *w64) flags="$flags -Xclang -fdenormal-fp-math-f32=preserve-sign,preserve-sign" ;; esac
                ;;
            assembly) # is written for wave64 and needs no level
                if [ "$level" != 2 ] || [ "$processor" != "$target" ]; then continue; fi
                if [ "$target" = gfx1250 ]; then continue; fi # has waves of 32 lanes alone
                path=$source/assembly.S language="-x assembler-with-cpp"
                case $target in gfx1*) flags="$flags -mwavefrontsize64" ;; esac
                ;;
            esac
            object=$out/$target-O$level.$file.co
            objects="$objects $object"
            if stale "$object" "$path"; then
                echo "$gpu $language $flags -ffp-contract=off '$path' -o '$object'" >> "$commands"
            fi
            if [ "$file" != bench ]; then continue; fi
            object=$out/$target-O$level-default.$file.co
            objects="$objects $object"
            # By way of the optimised IR, which the reference evaluates.
            ir=${object%.co}.ll
            if stale "$object" "$path"; then
                echo "$gpu $opencl $flags -S -emit-llvm '$path' -o '$ir' &&" \
                    "$gpu $flags -x ir -Xclang -disable-llvm-passes '$ir' -o '$object'" >> "$commands"
            fi
        done
    done
done
tr '\n' '\0' < "$commands" | xargs -0 -r -n 1 -P "$jobs" sh -c || exit 1
exec 9>&-
# All of them, then those of -O2 again where memory is weak (doc/weak.md): what compilers make waits for all that it needs.
status=0
"$out/runner" "$source/table.txt" "$out" $objects > "$totals" || status=1
seed=1
for object in $objects; do
    case $object in *-O2.* | *-O2-default.*) ;; *) continue ;; esac
    weak="$weak $object"
done
while [ -z "$TIER$WEAK" ] && [ $seed -le 4 ] && [ -n "$weak" ]; do
    WEAK=$seed TIER=0 "$out/runner" "$source/table.txt" "$out" $weak > "$totals.weak" || { status=1 && echo "with --weak=$seed:" >> "$totals"; }
    cat "$totals.weak" >> "$totals"
    seed=$((seed + 1))
done
grep -v ', [0-9]* skipped$' "$totals"
awk '/passed, [0-9]* failed, [0-9]* skipped$/ {p += $1; f += $3; s += $5} END {print p " passed, " f " failed, " s " skipped"}' "$totals"
exit $status
