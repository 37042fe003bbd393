#!/bin/sh
# HIP programs, built by Debian's hipcc and run as they are: memory, streams, kernels, services of the host, errors,
# several devices, code compiled at run time; on seven processors, optimised and not. usage: hsa_hip.sh [softwave]
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
command -v hipcc >/dev/null || skip "hipcc is not installed"
scratch=$(mktemp -d) && trap 'rm -r "$scratch"' EXIT && cd "$scratch" || exit 1
ulimit -c 0 # programs that are to abort leave no core

processors="gfx803 gfx900 gfx906 gfx908 gfx90a gfx1010 gfx1030"
all=$(for p in $processors; do printf ' --offload-arch=%s' $p; done)
# The programs, as many at once as there are processors; NAME.log says what was wrong.
for p in memory streams kernels services errors devices cooperative; do
    echo "hipcc $all -O3 $sources/hip_$p.cpp -o hip_$p -w >hip_$p.log 2>&1"
    [ $p = devices ] && continue
    echo "hipcc --offload-arch=gfx90a -O0 $sources/hip_$p.cpp -o hip_$p-O0 -w >hip_$p-O0.log 2>&1"
done | sed 's/hip_devices.cpp -o hip_devices/& -lhiprtc/' | xargs -P "${JOBS:-$(nproc)}" -I{} sh -c '{} || true'
[ -x hip_devices ] || { # hiprtc is part of the runtime library in this version
    hipcc $all -O3 "$sources/hip_devices.cpp" -o hip_devices -w >hip_devices.log 2>&1
}

# cases GPUS PROGRAM...: each line "ok" is a case that passed
cases() {
    gpus=$1
    shift
    if [ ! -x "$1" ]; then
        failed=$((failed + 1))
        echo "$1 was not built: $(grep -m 1 error "$1.log")"
        return
    fi
    timeout 300 "$softwave" exec -q $gpus -- "./$@" >output 2>&1
    code=$?
    passed=$((passed + $(grep -c '^ok ' output)))
    [ $code -eq 0 ] && return
    failed=$((failed + 1))
    echo "$gpus: $*: exit $code"
    grep -v '^ok ' output | head -n 5
}
# ends NAME CODE TEXT PROGRAM...: how a program ends and what it says
ends() {
    name=$1 code=$2 text=$3
    shift 3
    timeout 100 "$softwave" exec $gpus -- "./$@" >output 2>&1
    got=$?
    if [ "$got" = "$code" ] && { [ -z "$text" ] || grep -q "$text" output; }; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "$name: $*: exit $got, expected $code with '$text'"
        head -n 5 output
    fi
}

for p in $processors; do
    for program in memory streams kernels; do cases "--gpu=$p" hip_$program; done
    cases "--gpu=$p" hip_services malloc
    gpus="--gpu=$p"
    ends "$p" 0 "item 4 of group says 0.50" hip_services printf
    ends "$p" 134 "Device-side assertion .limit > (int)threadIdx.x. failed" hip_services assert
done
for program in memory streams kernels; do cases --gpu=gfx90a hip_$program-O0; done
cases "--gpu=gfx90a --gpu=gfx90a" hip_devices
cases "--gpu=gfx906 --gpu=gfx1030" hip_devices peers
cases "--gpu=gfx90a --gpu=gfx90a" hip_cooperative
for p in gfx900 gfx906 gfx908 gfx1010 gfx1030; do cases "--gpu=$p" hip_cooperative; done

gpus=--gpu=gfx90a
cases "$gpus" hip_services-O0 malloc
ends "printf's length" 0 "returned 26" hip_services printf
timeout 60 "$softwave" exec -q --gpu=gfx90a -- ./hip_services many >output 2>&1
[ "$(sort -n output | uniq | wc -l)" = 1024 ] && passed=$((passed + 1)) || { failed=$((failed + 1)) && echo "printf of 1024 items: $(wc -l <output) lines"; }
ends "an assertion that holds" 0 "" hip_services assert-holds
ends "abort" 134 "kernel _Z4stopv.kd on gfx90a traps (s_trap 2)" hip_services abort
ends "a trap" 134 "Device::callbackQueue aborting with error" hip_services trap
cases "$gpus" hip_errors bad-launches
for mode in null behind freed host; do ends "$mode" 134 "Memory access fault by GPU node-1" hip_errors $mode; done
ends "the fault's place" 134 "kernel _Z5storePii.kd on gfx90a writes memory that it may not at 0x0; .*lane 3" hip_errors null
gpus="--gpu=gfx90a --gpu=gfx90a"
ends "memory of another device" 134 "Memory access fault by GPU node-1" hip_errors other-device
# The example of doc/guide-hip.md.
hipcc --offload-arch=gfx90a --offload-arch=gfx1030 -O2 -w "$sources/../../examples/saxpy.cpp" -o saxpy
for gpu in gfx90a gfx1030; do gpus=--gpu=$gpu && ends "the guide's example" 0 "saxpy is right" saxpy; done
"$softwave" exec --gpu=gfx90a --profile=profile.json ./hip_streams graphs >/dev/null 2>&1
if python3 -c "import json; exit(len([e for e in json.load(open('profile.json')) if e['name'].startswith('add(')]) != 50)"; then
    passed=$((passed + 1))
else failed=$((failed + 1)) && echo "the timeline of graphs"; fi
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
