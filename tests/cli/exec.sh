#!/bin/sh
# SPDX-License-Identifier: MIT
# `softwave exec` around any program: exit codes, signals, standard streams; and what it says before the program runs.
# usage: exec.sh [path of softwave]
export SOFTWAVE_CACHE= # compiled code is kept nowhere
softwave=$(realpath "${1:-build/softwave}")
passed=0 failed=0 skipped=0
directory=$(mktemp -d) && trap 'rm -r "$directory"' EXIT && cd "$directory" || exit 1
check() { # NAME CONDITION...: counts
    name=$1
    shift
    if "$@"; then passed=$((passed + 1)); else failed=$((failed + 1)) && echo "$name: exit $got: $(cat error)"; fi
}
run() { "$softwave" exec "$@" > output 2> error < input; got=$?; }
if [ ! -e "$(dirname "$softwave")/hsa/libhsa-runtime64.so.1" ]; then
    echo 'exec.sh: the runtime is not built' && echo '0 passed, 0 failed, 1 skipped' && exit 0
fi
echo text > input

# The exit code is the program's, its streams are its own.
run -- sh -c 'exit 0'
check 'exit 0' [ $got -eq 0 ]
run -- sh -c 'exit 77'
check 'exit 77' [ $got -eq 77 ]
check 'silence' [ ! -s error ]
run -- cat
check 'standard input and output' [ "$(cat output)" = text ]
run -- no-such-program
check 'no program' [ $got -eq 2 ]
check 'no program, said' grep -q 'no-such-program: No such file' error

# A program that a signal ends: 128 and its number, and a line.
run -- sh -c 'kill -SEGV $$'
check 'SIGSEGV' [ $got -eq 139 ]
check 'SIGSEGV, said' grep -q 'softwave exec: signal 11 (Segmentation fault) ended sh' error
run --quiet -- sh -c 'kill -SEGV $$'
check 'SIGSEGV, quiet' [ $got -eq 139 ]
check 'SIGSEGV, not said' [ ! -s error ]
run -- sh -c 'kill -ABRT $$'
check 'SIGABRT' [ $got -eq 134 ]

# Signals to the command reach the program, which may handle them.
cat > traps.sh << 'S'
trap 'echo caught; exit 5' TERM
: > ready
while :; do sleep 0.05; done
S
"$softwave" exec -- sh traps.sh > output 2> error < input &
job=$!
while [ ! -e ready ]; do sleep 0.05; done
kill -TERM $job
wait $job
got=$?
check 'SIGTERM is passed on' [ $got -eq 5 ]
check 'SIGTERM was handled' [ "$(cat output)" = caught ]
# Nothing of it is left when the command itself is killed.
rm ready
"$softwave" exec -- sh -c 'echo $$ > id; : > ready; exec sleep 600' > output 2> error < input &
job=$!
while [ ! -e ready ]; do sleep 0.05; done
id=$(cat id)
kill -KILL $job
wait $job 2> /dev/null
tries=0
while kill -0 "$id" 2> /dev/null && [ $tries -lt 600 ]; do sleep 0.1; tries=$((tries + 1)); done
got=$tries
check 'the program ends with the command' [ $tries -lt 600 ]

# Product names.
cat > gpu.c << 'C'
#include <stdio.h>
#include <stdlib.h>
int main(void) { return puts(getenv("SOFTWAVE_GPU")) < 0; }
C
cc -o gpu gpu.c || exit 1
run --gpu=mi250x --gpu='RX 7900 XTX,cus=4' -- ./gpu
check 'products' [ "$(cat output)" = 'gfx90a;gfx1100,cus=4' ]
run --gpu='gfx90a gfx1100' -- ./gpu
check 'two GPUs in one option' [ $got -eq 1 ]

# A program without code for its GPU, and a HIP that does not know it.
if command -v hipcc > /dev/null; then
    cat > one.hip << 'H'
#include <hip/hip_runtime.h>
__global__ void k(int *p) { *p = 7; }
int main() { int *d, h = 0; if (hipMalloc(&d, 4)) return 3; k<<<1, 1>>>(d); return hipMemcpy(&h, d, 4, hipMemcpyDeviceToHost) || h != 7; }
H
    if hipcc --offload-arch=gfx900 one.hip -o one > /dev/null 2>&1; then
        run --gpu=gfx900 -- ./one
        check 'the right GPU' [ $got -eq 0 ]
        check 'the right GPU, silent' [ ! -s error ]
        run --gpu=gfx90a --gpu=gfx900 -- ./one
        check 'one of two GPUs is right' [ ! "$(grep 'has code for' error)" ]
        run --gpu=gfx1030 -- ./one
        check 'the wrong GPU' grep -q 'one has code for gfx900, none for gfx1030: use --gpu=gfx900, or compile with --offload-arch=gfx1030' error
        check 'a GPU that HIP knows' [ ! "$(grep 'does not know' error)" ]
        run --quiet --gpu=gfx1030 -- ./one
        check 'the wrong GPU, quiet' [ ! "$(grep 'has code for' error)" ]
        library=$(LD_TRACE_LOADED_OBJECTS=1 ./one | sed -n 's/.*libamdhip64.* => \(.*\) (.*/\1/p')
        if grep -q gfx1201 "$library"; then
            skipped=$((skipped + 1)) && echo 'exec.sh: this HIP knows gfx1201: no GPU that it does not know'
        else
            run --gpu=gfx1201 -- ./one
            check 'a GPU that HIP does not know' grep -q 'libamdhip64 .* does not know gfx1201, and may crash; it knows .*gfx900' error
        fi
    else
        skipped=$((skipped + 1)) && echo 'exec.sh: hipcc cannot build a program for gfx900'
    fi
else
    skipped=$((skipped + 1)) && echo 'exec.sh: hipcc is not installed'
fi

echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
