#!/bin/sh
# SPDX-License-Identifier: MIT
# Random programs against the CPU: ten kernels a file, each compiled for twelve processors at an optimisation level
# of its own, by clang as C or, every third file, by hipcc as HIP; run at every vector level, interpreted and native,
# one now and then compiled as well, half of all with guarded memory, and compared word by word.
# usage: programs.sh BUILD SECONDS [SEED [FILES]]; FILES ends after so many files.
. "$(dirname "$0")/../tools.sh"
export SOFTWAVE_CACHE= # compiled code is kept nowhere
build=$(realpath "$1") seconds=$2 seed=${3:-$(date +%s)} files=${4:-0}
here=$(realpath "$(dirname "$0")")
out=$build/torture/random
targets="gfx700 gfx803 gfx900 gfx906 gfx908 gfx90a gfx942 gfx950 gfx1010 gfx1030 gfx1100 gfx1201"
jobs=$(nproc)

for tool in $CLANG $LD_LLD python3; do
    command -v $tool > /dev/null || { echo "random programs: $tool is not installed, 1 skipped"; exit 0; }
done
[ "$5" = one ] || rm -rf "$out"
mkdir -p "$out" || exit 1
cd "$out" || exit 1
common="-w -ffp-contract=off"
HIP_EVERY=${HIP_EVERY:-3} # of so many files one goes through hipcc
# Processors that hipcc knows: none if it is not there.
hip=
echo 'extern "C" __attribute__((global)) void k() {}' > try.hip
for t in $targets; do
    hipcc -w -x hip --offload-device-only --offload-arch=$t -nogpulib -nogpuinc -c try.hip -o try.co > /dev/null 2>&1 && hip="$hip $t"
done
rm -f try.*
end=$(($(date +%s) + seconds))

# One file: generate, compile for all, run. Leaves LOG of N; what differs stays for whoever looks.
one() {
    n=$1
    python3 "$here/programs.py" "$n" 10 > "$n.c" || exit 1
    $CLANG $common -std=gnu17 -O1 -march=x86-64-v2 -fPIC -shared "$n.c" -o "$n.so" || exit 1
    level=$((n % 4))
    if [ "$hip" ] && [ $((n % HIP_EVERY)) = $((1 % HIP_EVERY)) ]; then
        by_hipcc
    else
        by_clang
    fi
    timeout 600 "$build/torture/programs" "./$n.so" $n.*.co >> "$n.log" 2>&1 || echo "$n: exit code $?" >> "$n.log"
    grep -q "failed$" "$n.log" && tail -n 1 "$n.log" | grep -q ", 0 failed" && rm -f $n.*
    [ -e "$n.log" ] || echo "$n" >> good
}
by_clang() {
    for t in $targets; do
        flags=
        # ERR-18: without optimisation, functions read the apertures of GFX7 and GFX8 from address 0xc0.
        case $t in gfx[78]*) [ $level = 0 ] && flags=-mcode-object-version=4 ;; esac
        case $t in gfx10* | gfx11* | gfx12*) [ $((n % 3)) = 0 ] && flags=-mwavefrontsize64 ;; esac
        $CLANG $common -std=gnu17 -O$level $flags -target amdgcn-amd-amdhsa -mcpu=$t -nogpulib \
            -Xclang -fdenormal-fp-math-f32=ieee,ieee "$n.c" -o "$n.$t.co" 2> "$n.$t.err" || { echo "$n.c: clang fails for $t at -O$level" >> "$n.log"; continue; }
    done
}
# HIP functions are for both sides, and C++ allows no narrowing. Without two passes of clang 15 (ERR-34).
by_hipcc() {
    for t in $hip; do
        hipcc $common -std=gnu++17 -x hip --offload-device-only --no-gpu-bundle-output --offload-arch=$t -O$level -nogpulib \
            -nogpuinc -c -Wno-c++11-narrowing -mllvm -amdgpu-codegenprepare-disable-idiv-expansion \
            -mllvm -disable-promote-alloca-to-vector -Xclang -fdenormal-fp-math-f32=ieee,ieee "$n.c" -o "$n.$t.co" 2> "$n.$t.err" ||
            echo "$n.c: hipcc fails for $t at -O$level" >> "$n.log"
    done
}

# As many at once as there are cores.
if [ "$5" = one ]; then
    one "$4"
    exit
fi
n=0
while [ "$(date +%s)" -lt $end ]; do
    [ "$files" -gt 0 ] && [ $n -ge "$files" ] && break
    running=0
    while [ $running -lt "$jobs" ] && { [ "$files" = 0 ] || [ $n -lt "$files" ]; }; do
        one $((seed * 1000 + n)) &
        n=$((n + 1)) running=$((running + 1))
    done
    wait
done
bad=$(ls ./*.log 2> /dev/null | wc -l)
echo "random programs: seed $seed, $((n * 10)) programs, 12 processors, all levels, tiers 0 and 1, some 2, guarded and not; by hipcc for:${hip:- none, it is not installed}; $bad files differ"
[ "$bad" = 0 ] || { head -n 5 ./*.log; exit 1; }
