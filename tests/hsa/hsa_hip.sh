#!/bin/sh
# HIP programs, built by Debian's hipcc and run as they are: memory, streams, kernels, services of the host, errors,
# several devices, code compiled at run time; on seven processors, optimised and not. With EVERY=1 only this: all of
# the programs on each processor at -O0 and at -O3. usage: hsa_hip.sh [softwave]
. "$(dirname "$0")/jobs.inc"
command -v hipcc >/dev/null || skip_all "hipcc is not installed"

# The programs, in files for some processors each, which are built at once.
build() { # FILE SOURCE FLAGS PROCESSOR...
    file=$1 source=$2 flags=$3
    shift 3
    hipcc $flags $(printf ' --offload-arch=%s' "$@") "$sources/$source.cpp" -o "$scratch/$file" -w >log 2>&1 &&
        echo "ok $file is built" || echo "failed: $file is not built: $(grep -m 1 error log)"
}
more="atomics waves graphs copies code math"
everything() { # PROCESSOR LEVEL
    all=$scratch/all$2
    for program in memory streams kernels "services malloc"; do cases $1 $all $program; done
    cases $1 $all errors bad-launches
    for program in $more; do cases $1 $scratch/more$2 $program; done
    cases "$1 $1" $all devices
    [ $1 = gfx803 ] || cases "$1 $1" $all cooperative # which begins with GFX9
    ends "printf on $1 $2" $1 0 "item 4 of group says 0.50" $all services printf
    ends "assert on $1 $2" $1 134 "Device-side assertion .limit > (int)threadIdx.x. failed" $all services assert
    ends "abort on $1 $2" $1 134 "kernel .*stop.* on $1 traps (s_trap 2)" $all services abort
    for mode in null freed host; do ends "$mode on $1 $2" $1 134 "Memory access fault by GPU node-1" $all errors $mode; done
    SOFTWAVE_EXACT_BOUNDS=1 ends "behind on $1 $2" $1 134 "Memory access fault by GPU node-1" $all errors behind
    SOFTWAVE_TIMEOUT=0.2 ends "no end on $1 $2" "$1" 134 "takes longer than" $all errors hang
}
if [ -n "$EVERY" ]; then
    processors="gfx803 gfx900 gfx906 gfx908 gfx90a gfx1010 gfx1030"
    for level in -O0 -O3; do
        for file in all more; do job build $file$level hip_$file $level $processors; done
    done
    wait
    for p in $processors; do
        for level in -O0 -O3; do job everything $p $level; done
    done
    finish
fi
job build old hip_all -O3 gfx803 gfx900
job build mixed hip_all -O3 gfx906 gfx1030
job build gfx908 hip_all -O3 gfx908 gfx1010
job build gfx90a hip_all -O3 gfx90a
job build O0 hip_all -O0 gfx90a
job build more hip_more -O2 gfx90a
guide() {
    hipcc --offload-arch=gfx90a --offload-arch=gfx1030 -O2 -w "$sources/../../examples/saxpy.cpp" -o saxpy
    for gpu in gfx90a gfx1030; do ends "the guide's example" $gpu 0 "saxpy is right" ./saxpy; done
}
job guide
# The lines of examples/ci, as its users' machines run them.
ci() { # FILE
    mkdir examples && cp "$sources/../../examples/saxpy.cpp" examples
    for gpu in gfx90a gfx1030; do
        sed -n 's/^ *- run: \(.*\)/\1/p; s/^ *- \(hipcc .*\|softwave exec .*\)/\1/p' "$sources/../../examples/ci/$1" | sed "s/\${{ matrix.gpu }}/$gpu/g" >lines
        if [ "$(wc -l <lines)" = 2 ] && PATH=$(dirname "$softwave"):$PATH GPU=$gpu sh -e lines >output 2>&1 && grep -q "saxpy is right" output; then
            echo "ok examples/ci/$1 on $gpu"
        else echo "failed: examples/ci/$1 on $gpu: $(cat lines output)"; fi
    done
}
job ci github.yml
job ci gitlab.yml
needed() { # of Debian's packages to build: those of scripts/deps.sh
    for package in $(sed -n 's/^RUN apt-get update && apt-get install -y --no-install-recommends \(.*make.*\)/\1/p' "$sources/../../examples/ci/Containerfile"); do
        grep -q "\b$package\b" "$sources/../../scripts/deps.sh" && echo "ok $package" || echo "failed: examples/ci/Containerfile installs $package, scripts/deps.sh does not"
    done
}
job needed
wait
file_of() {
    case $1 in
    gfx803 | gfx900) echo "$scratch/old" ;;
    gfx906 | gfx1030) echo "$scratch/mixed" ;;
    gfx908 | gfx1010) echo "$scratch/gfx908" ;;
    *) echo "$scratch/gfx90a" ;;
    esac
}
for program in $more; do job cases gfx90a $scratch/more $program; done
SOFTWAVE_STRICT=1 job ends "an inexact result" gfx90a 134 "its result is not exact: hardware reads tables" $scratch/more math
for p in gfx803 gfx900 gfx906 gfx908 gfx90a gfx1010 gfx1030; do
    all=$(file_of $p)
    turn=$((turn + 1))
    case $((turn % 2)) in # two of four in turn; gfx90a has all of them without optimisation
    0) for program in memory "services malloc"; do job cases $p $all $program; done ;;
    *) for program in streams kernels; do job cases $p $all $program; done ;;
    esac
    case $p in gfx803 | gfx90a) ;; *) job cases $p $all cooperative ;; esac
    job ends "printf on $p" $p 0 "item 4 of group says 0.50" $all services printf
    job ends "assert on $p" $p 134 "Device-side assertion .limit > (int)threadIdx.x. failed" $all services assert
done
all=$scratch/gfx90a
for program in memory streams kernels "services malloc"; do job cases gfx90a $scratch/O0 $program; done
job cases "gfx90a gfx90a" $all cooperative
job cases "gfx90a gfx90a" $all devices
job cases "gfx906 gfx1030" $scratch/mixed devices peers
job ends "printf's length" gfx90a 0 "returned 26" $all services printf
many_lines() {
    timeout 300 "$softwave" exec -q --gpu=gfx90a -- $all services many >output 2>&1
    if [ "$(sort -n output | uniq | wc -l)" = 1024 ]; then echo "ok printf of 1024 items"; else echo "failed: printf of 1024 items: $(wc -l <output) lines"; fi
}
job many_lines
job ends "an assertion that holds" gfx90a 0 "" $all services assert-holds
job ends "abort" gfx90a 134 "kernel .*stop.* on gfx90a traps (s_trap 2)" $all services abort
job ends "a trap" gfx90a 134 "Queue.* aborting with error" $all services trap
job cases gfx90a $all errors bad-launches
timeout_of_a_kernel() { SOFTWAVE_TIMEOUT=0.2 ends "no end" gfx90a 134 "kernel errors::spin(.*) on gfx90a takes longer than" $all errors hang; }
job timeout_of_a_kernel
SOFTWAVE_EXACT_BOUNDS=1 job ends "behind" gfx90a 134 "Memory access fault by GPU node-1" $all errors behind
for mode in null freed host; do job ends "$mode" gfx90a 134 "Memory access fault by GPU node-1" $all errors $mode; done
job ends "host memory with XNACK" gfx90a:xnack+ 0 "" $all errors host
job ends "the fault's place" gfx90a 134 "kernel .*store.* on gfx90a writes memory that it may not at 0x0; .*lane 3" $all errors null
job ends "memory of another device" "gfx90a gfx90a" 134 "Memory access fault by GPU node-1" $all errors other-device
# The same kernels from the shell, which serves their calls of the host itself.
run_says() { # NAME CODE TEXT KERNEL ARG...
    name=$1 expected=$2 text=$3
    shift 3
    timeout 300 "$softwave" run --target=gfx90a -k "$@" >output 2>&1
    got=$?
    if [ $got = $expected ] && grep -q -e "$text" output; then echo "ok run: $name"; else echo "failed: run: $name: exit $got: $(head -n 5 output)"; fi
}
job run_says printf 0 "item 4 of group says 0.50" say -g 3 -b 3 $all i32:2
job run_says assert 3 "Device-side assertion .limit > (int)threadIdx.x. failed" check -g 64 -b 64 $all i32:10
job run_says malloc 0 "^@0: 45 55 65 " list -g 64 -b 64 $all buf:256,show=i32:64
run_lines() {
    timeout 300 "$softwave" run --target=gfx90a -k many -g 1024 -b 64 $all >output 2>&1
    if [ "$(sort -n output | uniq | wc -l)" = 1024 ]; then echo "ok run: printf of 1024 items"; else echo "failed: run: printf of 1024 items: $(wc -l <output) lines"; fi
}
job run_lines
timeline() {
    "$softwave" exec --gpu=gfx90a --profile=profile.json $all streams graphs >/dev/null 2>&1
    if python3 -c "import json; exit(len([e for e in json.load(open('profile.json')) if 'add(' in e['name']]) != 50)"; then
        echo "ok the timeline of graphs"
    else echo "failed: the timeline of graphs"; fi
}
job timeline
finish
