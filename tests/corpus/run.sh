#!/bin/sh
# The large comparisons: LLVM's own tests, fetched once into DIR, and every code object of two libraries, against
# llvm-mc and llvm-objdump, 60 million random words through disassembler and assembler, kernels at all levels, rocPRIM on many elements, the compiler on LLVM's tests, all programs of the runtime on all their processors, every row on every processor against the manuals' pseudo-code in PSEUDOCODE=DIR; LIMIT=N takes only N objects a target. ROCM_ROOT=DIR also runs today's ROCm there, ROCM_STEPS of rocm.sh. Usage: tests/corpus/run.sh BUILD DIR
build=$1 corpus=$2
here=$(dirname "$0")
"$here/fetch.sh" "$corpus" && "$here/dis.sh" "$build" "$corpus" && "$here/as.sh" "$build" "$corpus" &&
    "$here/object_as.sh" "$build" "$corpus" && "$here/terascale.sh" "$build" "$corpus" && "$here/codegen.sh" "$build" "$corpus" && "$here/hip_ir.sh" "$build" && ROUND_TRIP_WORDS=1000 "$build/tests/test_round_trip" || exit 1
# What make test takes a part of.
EVERY=1 "$here/../device/kernels.sh" "$build/softwave" && EVERY=1 SECOND=1 "$here/../compiler/kernels.sh" "$build/softwave" && EVERY=1 "$here/../terascale/llc.sh" "$build/softwave" &&
    RANDOM_TO=48 "$here/../terascale/kernels.sh" "$build/softwave" && "$here/../asm/as_objects.sh" "$build/softwave" all || exit 1
"$here/pseudocode.sh" "$build" || exit 1
"$here/primitives.sh" "$build" && "$here/clients.sh" "$build" || exit 1
for f in /usr/lib/*/librocrand.so.1.1 /usr/lib/*/librocsparse.so.0.1; do
    [ -f "$f" ] || continue
    "$here/obj.sh" "$build" "$f" && "$here/objects.sh" "$build" "$f" && "$here/back.sh" "$build" "$f" || exit 1
done
[ -z "$ROCM_ROOT" ] || "$here/rocm.sh" "$ROCM_ROOT" "${ROCM_SUITE:-sid}" ${ROCM_STEPS:-base} || exit 1
