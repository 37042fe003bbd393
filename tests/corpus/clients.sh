#!/bin/sh
# The programs of the HSA runtime's tests on every processor that their compilers know, optimised and not: HIP, its
# libraries, GCC's OpenMP and OpenACC. usage: clients.sh BUILD
build=$(realpath "$1")
here=$(dirname "$(realpath "$0")")/../hsa
for test in hsa_hip hsa_libraries hsa_gcc; do
    echo "$test on all processors:"
    EVERY=1 BUILD=$build "$here/$test.sh" "$build/softwave" || exit 1
done
