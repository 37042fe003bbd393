#!/bin/sh
# SPDX-License-Identifier: MIT
# Objects of ours and of llc-22 call each other's functions: kernels of calls.def by one compiler, the functions that they
# call by the other, linked by `softwave ld`, equal to the host's results. usage: abi.sh [path of softwave]; TARGETS
# chooses others.
# CALL-01 to CALL-05, CALL-08 to CALL-10, CALL-13, CALL-14, CALL-17 to CALL-19, CALL-22 to CALL-26, CALL-28, CALL-34, CALL-36; CC-01.
. "$(dirname "$0")/../tools.sh"
. "$(dirname "$0")/shapes.inc"
begin_test "$@"
. "$here/together.inc"
need_llvm_22 "$CLANG" "$LLC" "${LLVM_EXTRACT:-llvm-extract-22}"
need_libclc
need_reader
clang_ll() { # clang_ll FILE.ll OPTION...: the kernels of calls.def, with functions that other objects can see
    "$CLANG" -w -x cl -cl-std=CL2.0 -O1 -fno-vectorize -fno-slp-vectorize -target amdgcn-amd-amdhsa -mcpu=gfx90a -nogpulib -mcode-object-version=4 \
        -Xclang -finclude-default-header -DSHAPE_FILE="\"calls.def\"" -DCALLED=inline -DFUNCTION='__attribute__((noinline))' -Xclang \
        -mlink-builtin-bitcode -Xclang $libclc -I "$here" -S -emit-llvm "$here/flow.cl" -o "$1"
}
clang_ll all.ll || exit 1
sed -i 's/"target-cpu"="gfx90a"//; s/"target-features"="[^"]*"//' all.ll
"${LLVM_EXTRACT:-llvm-extract-22}" -S --rfunc='^k_' all.ll -o kernels.ll && "${LLVM_EXTRACT:-llvm-extract-22}" -S --delete --rfunc='^k_' all.ll \
    -o functions.ll || exit 1
# llc gives kernels as many registers as the functions of their own module have, at most.
cp kernels.ll more-kernels.ll && cp functions.ll more-functions.ll
echo 'define void @many_registers() { call void asm sideeffect "", "~{v63},~{s95}"() ret void }' >> more-kernels.ll
host_results calls || exit 1
TARGETS=${TARGETS:-"gfx803 gfx900 gfx90a gfx942 gfx1030 gfx1100 gfx1201 gfx1250"}
for processor in $TARGETS; do
    for part in kernels functions; do
        "$softwave" cc --verify --target="$processor" -c $part.ll -o ours-$part.o 2> message || wrong "$processor $part: cc: $(head -n 3 message)"
        "$LLC" -mcpu="$processor" -filetype=obj more-$part.ll -o theirs-$part.o 2> message || wrong "$processor $part: llc: $(head -n 3 message)"
    done
    for pair in ours-theirs theirs-ours; do
        rm -f both.co
        "$softwave" ld "${pair%-*}-kernels.o" "${pair#*-}-functions.o" -o both.co 2> message || { wrong "$processor $pair: ld: $(head -n 3 message)" && continue; }
        run_shapes "$processor $pair" both.co --stack=64K --target="$processor"
    done
done
end_test
