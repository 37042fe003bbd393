#!/bin/sh
# Plain HSA programs on software GPUs: every call of the interface on some, copies, barriers and wake-ups on every
# processor that can be executed. Needs clang-22 and the interface's headers. usage: hsa_plain.sh [softwave]
softwave=$(realpath "${1:-build/softwave}")
build=$(realpath "${BUILD:-build}")
sources=$(dirname "$(realpath "$0")")
passed=0 failed=0 skipped=0
skip() {
    echo "skipped: $1"
    echo "0 passed, 0 failed, 1 skipped"
    exit 0
}
[ -e "$build/hsa/libhsa-runtime64.so.1" ] || skip "this system does not build the HSA runtime"
command -v clang-22 >/dev/null && command -v ld.lld-22 >/dev/null || skip "clang-22 or lld-22 is not installed"
[ -e /usr/include/hsa/hsa_ext_amd.h ] || skip "libhsa-runtime-dev is not installed"
scratch=$(mktemp -d) && trap 'rm -r "$scratch"' EXIT && cd "$scratch" || exit 1

for program in plain rest; do
    ${CC:-cc} -std=gnu17 -O1 -w -D_GNU_SOURCE "$sources/$program.c" -L"$build/hsa" -lhsa-runtime64 -lpthread -o $program || exit 1
done
# run PROCESSOR PROGRAM CASE...: each line "ok" is a case that passed
run() {
    processor=$1
    shift
    timeout 300 "$softwave" exec -q --gpu="$processor" -- "$@" >output 2>&1
    code=$?
    passed=$((passed + $(grep -c '^ok ' output)))
    [ $code -eq 0 ] && return
    failed=$((failed + 1))
    echo "$processor: $*: exit $code"
    grep -v '^ok ' output | head -n 5
}
for processor in $("$softwave" targets | sed -n '/^Generic/q; s/^  \(gfx[0-9a-f]*\) .*/\1/p'); do
    if ! clang-22 -x cl -cl-std=CL2.0 -O2 -target amdgcn-amd-amdhsa -mcpu="$processor" -nogpulib \
        "$sources/kernels.cl" -o "$processor.co" 2>errors; then
        failed=$((failed + 1))
        echo "$processor: $(head -n 1 errors)"
        continue
    fi
    case $processor in
    gfx803 | gfx90a | gfx942 | gfx1030 | gfx1100 | gfx1201)
        run "$processor" ./plain $processor.co
        run "$processor" ./rest $processor.co
        ;;
    *) run "$processor" ./plain $processor.co vector_copy woken_by_kernels barriers executables ;;
    esac
done
# Code object V2, which the last clang to write it was 15.
old=$(command -v clang-15 || command -v clang-14)
if [ -n "$old" ]; then
    for processor in gfx803 gfx900:xnack-; do
        $old -x cl -cl-std=CL2.0 -O2 -target amdgcn-amd-amdhsa -mcpu=$processor -nogpulib -mcode-object-version=2 "$sources/kernels.cl" -o v2.co &&
            run $processor ./plain v2.co vector_copy woken_by_kernels executables compute_units traps
    done
else echo "skipped: code object V2, as neither clang-15 nor clang-14 is installed" && skipped=$((skipped + 1)); fi
HSA_CU_MASK='1:7;0:3-4' run gfx90a ./plain gfx90a.co masked_by_environment
# XNACK on: all of the process's memory.
run gfx90a:xnack+ ./plain gfx90a.co svm unmapped xnack
# Other code object versions, and optimisation off.
for version in 4 5 6; do
    clang-22 -x cl -cl-std=CL2.0 -O0 -target amdgcn-amd-amdhsa -mcpu=gfx90a -nogpulib -mcode-object-version=$version \
        "$sources/kernels.cl" -o v$version.co && run gfx90a ./plain v$version.co vector_copy executables
done
# What the environment may say.
says() { # NAME EXPECTED COMMAND...
    name=$1 expected=$2
    shift 2
    got=$("$@" 2>&1)
    case $got in
    *"$expected"*) passed=$((passed + 1)) ;;
    *) failed=$((failed + 1)) && echo "$name: got '$got', expected '$expected'" ;;
    esac
}
says "no such processor" "unknown processor" "$softwave" exec --gpu=gfx1 ./plain gfx90a.co
says "no such setting" "neither cus=N" "$softwave" exec --gpu=gfx90a,colour=red ./plain gfx90a.co
says "no program" "a PROGRAM is missing" "$softwave" exec --gpu=gfx90a
says "no such program" "No such file" "$softwave" exec ./nothing
says "no library there" "no libhsa-runtime64.so.1 in /" "$softwave" exec --library=/ ./plain
says "by hand" "ok vector_copy" env LD_LIBRARY_PATH="$build/hsa" SOFTWAVE_GPU=gfx1100 ./plain gfx1100.co vector_copy
says "statistics" "vector_copy on gfx90a" "$softwave" exec --stats ./plain gfx90a.co vector_copy
says "a timeout" "takes longer than SOFTWAVE_TIMEOUT allows" "$softwave" exec --timeout=0.005 timeout 10 ./plain gfx90a.co side_by_side
"$softwave" exec --profile=profile.json ./plain gfx90a.co vector_copy copies >output 2>&1
says "a timeline" "kernels 1 copies" python3 -c "
import json
events = json.load(open('profile.json'))
print('kernels', sum(e['cat'] == 'kernel' and e['name'] == 'vector_copy' for e in events), 'copies', sum(e['cat'] == 'copy' for e in events))"
for program in rocminfo llvm-offload-device-info-22; do
    if command -v $program >/dev/null; then
        case $program in
        rocminfo) unshare -Urm true 2>/dev/null || { echo "skipped: rocminfo, as no name space can be made" && skipped=$((skipped + 1)) && continue; } ;;
        esac
        says "$program: gfx90a" "AMD Instinct MI210" "$softwave" exec --gpu=gfx90a $program
        says "$program: gfx1201" "gfx1201" "$softwave" exec --gpu=gfx942 --gpu=gfx1201 $program
    else echo "skipped: $program is not installed" && skipped=$((skipped + 1)); fi
done
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
