#!/bin/sh
# Plain HSA programs on software GPUs: every call of the interface on some, copies, barriers and wake-ups on every
# processor that can be executed. Needs clang-22 and the interface's headers. usage: hsa_plain.sh [softwave]
. "$(dirname "$0")/jobs.inc"
command -v $CLANG >/dev/null && command -v $LD_LLD >/dev/null || skip_all "$CLANG or $LD_LLD is not installed"
[ -e /usr/include/hsa/hsa_ext_amd.h ] || skip_all "libhsa-runtime-dev is not installed"
for program in plain rest processes later bounds old_linux; do client $program || exit 1; done
plain=$scratch/plain rest=$scratch/rest processes=$scratch/processes later=$scratch/later bounds=$scratch/bounds old_linux=$scratch/old_linux

whole() { kernels_of $1 kernels.co && cases $1 $2 kernels.co; }
some() {
    kernels_of $1 kernels.co && cases $1 $plain kernels.co vector_copy woken_by_kernels barriers executables compute_units segments
}
for processor in gfx803 gfx90a gfx942 gfx1030 gfx1100 gfx1201; do
    job whole $processor $rest
    job whole $processor $plain
    job cases $processor $later
done
for processor in $(processors); do
    case $processor in gfx803 | gfx90a | gfx942 | gfx1030 | gfx1100 | gfx1201) ;; *) job some $processor ;; esac
done
version() { # Other code object versions, and optimisation off.
    kernels_of gfx90a kernels.co -O0 -mcode-object-version=$1 && cases gfx90a $plain kernels.co vector_copy executables hidden_arguments segments
}
for number in 4 5 6; do job version $number; done
version_2() { # which the last clang to write it was 15
    kernels_of $1 kernels.co -mcode-object-version=2 && cases $1 $plain kernels.co vector_copy woken_by_kernels executables compute_units traps segments
}
OLD_CLANG=$(command -v clang-15 || command -v clang-14)
if [ -n "$OLD_CLANG" ]; then
    for target in gfx803 gfx900:xnack-; do job version_2 $target; done
else job say "skipped: code object V2, as neither clang-15 nor clang-14 is installed"; fi
wait
unset OLD_CLANG

# What the environment may say.
kernels_of gfx90a gfx90a.co && kernels_of gfx1100 gfx1100.co || exit 1
code=$scratch/gfx90a.co
HSA_CU_MASK='1:7;0:3-4' job cases gfx90a $plain $code masked_by_environment
job cases gfx90a $processes $code
for version in 6.10 5.10; do job cases gfx90a $old_linux $version $rest $code; done # copies over holes
for pair in "gfx90a $code" "gfx1100 $scratch/gfx1100.co"; do
    set -- $pair
    job cases "$1 $1" $bounds $2 lenient
    SOFTWAVE_EXACT_BOUNDS=1 job cases "$1 $1" $bounds $2 exact
    SOFTWAVE_TIER=2 job cases $1 $bounds $2 lenient
    SOFTWAVE_TIER=1 SOFTWAVE_EXACT_BOUNDS=1 job cases $1 $bounds $2 exact
done
job cases gfx90a:xnack+ $plain $code svm unmapped mapped_anew xnack # all of the process's memory
HSA_XNACK=1 job cases gfx90a $plain $code xnack
# Mistakes: a message that names what was wrong, and the exit code of that kind; with a program that runs, its own.
exits() { # NAME CODE TEXT COMMAND...
    name=$1 expected=$2 text=$3
    shift 3
    timeout 300 "$@" >output 2>&1 </dev/null
    got=$?
    if [ $got = $expected ] && { [ -z "$text" ] || grep -q -e "$text" output; }; then echo "ok $name"; else
        echo "failed: $name: $*: exit $got, expected $expected with '$text': $(head -n 3 output)"
    fi
}
exec="$softwave exec"
touch "$scratch/no_execute" && chmod 644 "$scratch/no_execute"
job exits "no processor" 1 "processor name expected" $exec --gpu= $plain $code
job exits "a wrong processor" 1 "unknown processor 'gfx9999'" $exec --gpu=gfx9999 $plain $code
job exits "a wrong feature" 1 "unknown feature 'foo'" $exec --gpu=gfx90a:foo+ $plain $code
job exits "two GPUs in one" 1 "takes one GPU, not 'gfx90a;gfx1100'" $exec "--gpu=gfx90a;gfx1100" $plain $code
job exits "no compute units" 1 "'cus=0' is neither cus=N nor memory=BYTES" $exec --gpu=gfx90a,cus=0 $plain $code
job exits "memory that is none" 1 "'memory=4Q' is neither" $exec --gpu=gfx90a,memory=4Q $plain $code
job exits "a processor without it" 4 "r600 has no HSA runtime" $exec --gpu=r600 $plain $code
job exits "too many units" 1 "from 1 to 104" $exec --gpu=gfx90a,cus=105 $plain $code vector_copy
job exits "two GPUs" 0 "ok vector_copy" $exec --gpu=gfx90a --gpu=gfx1100,cus=8,memory=512M $plain $code vector_copy
job exits "a missing program" 2 "./nothing: No such file" $exec ./nothing
job exits "a folder" 2 "Permission denied" $exec "$scratch"
job exits "a program that may not run" 2 "no_execute: Permission denied" $exec "$scratch/no_execute"
job exits "its own exit code" 77 "" $exec sh -c "exit 77"
job exits "code that is none" 1 "not so" $exec $plain $plain vector_copy
job exits "code that is not there" 1 "not so: f" $exec $plain nothing.co vector_copy
job exits "code for another processor" 1 "check_object: refused with 0x100d, as this is not so: sw_target_compatible" $exec --log=hsa --gpu=gfx1030 $plain $code vector_copy
job exits "a full disk" 0 "the profile is cut short" $exec --profile=/dev/full $plain $code vector_copy copies
job exits "a full disk for a trace" 0 "the trace is cut short" $exec --trace=/dev/full $plain $code vector_copy
job exits "no folder for a profile" 2 "nowhere/p.json cannot be written: No such file" $exec --profile=nowhere/p.json $plain $code vector_copy
job exits "a folder for a trace" 2 "cannot be written: Is a directory" $exec --trace="$scratch,lane=1" $plain $code vector_copy
by_hand() { # NAME TEXT VARIABLE=VALUE
    exits "by hand: $1" 1 "$2" env LD_LIBRARY_PATH="$build/hsa" "$3" $plain $code vector_copy
}
job by_hand "no such GPU" "SOFTWAVE_GPU: unknown processor 'gfx1'" SOFTWAVE_GPU=gfx1
job by_hand "no GPU" "SOFTWAVE_GPU: ';' names no GPU" "SOFTWAVE_GPU=;"
job by_hand "half a setting" "'cus=' is neither cus=N, from 1 to 104, nor" "SOFTWAVE_GPU=gfx90a,cus="
job by_hand "an R600" "r600 cannot be executed" SOFTWAVE_GPU=r600
job by_hand "no number of threads" "SOFTWAVE_THREADS: 'many' is not a number" SOFTWAVE_THREADS=many
job by_hand "no number of bytes" "SOFTWAVE_MEMORY: '4Q' is not a number" SOFTWAVE_MEMORY=4Q
job by_hand "no number of seconds" "SOFTWAVE_TIMEOUT: '-1' is not a number of seconds" SOFTWAVE_TIMEOUT=-1
job says "no such processor" "unknown processor" "$softwave" exec --gpu=gfx1 $plain $code
job says "no such setting" "neither cus=N" "$softwave" exec --gpu=gfx90a,colour=red $plain $code
job says "no program" "a PROGRAM is missing" "$softwave" exec --gpu=gfx90a
job says "no such program" "No such file" "$softwave" exec ./nothing
job says "no library there" "no libhsa-runtime64.so.1 in /" "$softwave" exec --library=/ $plain
job says "by hand" "ok vector_copy" env LD_LIBRARY_PATH="$build/hsa" SOFTWAVE_GPU=gfx1100 $plain $scratch/gfx1100.co vector_copy
job says "statistics" "vector_copy on gfx90a" "$softwave" exec --stats $plain $code vector_copy
job says "a timeout" "kernel spin on gfx90a takes longer than --timeout (SOFTWAVE_TIMEOUT) allows, 0.05 s" "$softwave" exec --timeout=0.05 timeout 300 $plain $code endless
job says "after a timeout" "ok endless" "$softwave" exec --timeout=0.05 timeout 300 $plain $code endless
job says "a log" "hsa_executable_freeze, [0-9.]* us" "$softwave" exec --log=hsa $plain $code vector_copy
job says "a log of refusals" "hsa_queue_create: refused with 0x1008, as this is not so: size <= MAX_PACKETS" "$softwave" exec --log=hsa $plain $code refusals
job says "no such log" "takes 'hsa', not 'all'" "$softwave" exec --log=all $plain
job says "a trace" "^0 [0-9]*,0,0:0 [0-9a-f]* exec=ffffffffffffffff scc=[01]  s_endpgm" "$softwave" exec --trace=- $plain $code vector_copy
job says "a trace with values" "  v_[a-z0-9_]* v[0-9].*  # .*v[0-9]*=.* -> .*v[0-9]*=0x" "$softwave" exec --trace=-,class=valu $plain $code vector_copy
job says "a trace as a table" "^0 1,0,0:0 0x[0-9a-f]* 0x[0-9a-f]*  v_" "$softwave" exec --trace=-,registers=v0+s0,class=valu $plain $code vector_copy
traced() { # NAME EXPECTED SPEC: mnemonics of kernels of two cases
    "$softwave" exec --trace="trace$3" $plain $code vector_copy executables >/dev/null 2>&1
    says "$1" "^$2$" sh -c "sed 's/.*scc=.  //; s/ .*//' trace | sort -u | xargs"
}
job traced "a trace of a class" "s_endpgm" ,class=other
job traced "a trace of a kernel" "s_load_dword" ,kernel=vector_copy,class=smem,lane=3,wave=0,pc=0
job traced "a trace of no kernel" "" ,kernel=vector_copies
job says "no such filter" "'colour=red' is not kernel=NAME, pc=LO" "$softwave" exec --trace=f,colour=red $plain $code
job says "a trace without a file" "takes a file" "$softwave" exec --trace=class=valu $plain $code
job says "a trace by hand" "SOFTWAVE_TRACE: 'x=1' is not FILE" env LD_LIBRARY_PATH="$build/hsa" SOFTWAVE_TRACE=f,x=1 $plain $code vector_copy
job exits "exact bounds" 0 "ok exact: small_memory" $exec -q --exact-bounds $bounds $code exact
job says "fidelity" "fidelity on gfx90a: [0-9]* operations exact, 0 approximate" "$softwave" exec --fidelity $plain $code vector_copy
counted() { # NAME COUNT TEXT COMMAND...: so many lines have it
    name=$1 expected=$2 text=$3
    shift 3
    "$@" >output 2>&1
    got=$(grep -c -e "$text" output)
    if [ "$got" = "$expected" ]; then echo "ok $name"; else echo "failed: $name: $got lines with '$text', expected $expected"; fi
}
job counted "fidelity, a line for a GPU" 1 "fidelity on gfx90a: [1-9]" "$softwave" exec --fidelity $plain $code vector_copy executables
job counted "fidelity, a line for each kind of GPU" 1 "fidelity on gfx90a: [1-9]" "$softwave" exec --fidelity --gpu=gfx90a --gpu=gfx90a $plain $code vector_copy executables
job counted "images, once" 1 "softwave: this GPU has no images" "$softwave" exec $rest $code
job counted "images, when quiet" 0 "this GPU has no images" "$softwave" exec -q $rest $code
job says "no kernel" "softwave: no kernel was launched" "$softwave" exec --stats $plain $code refusals
job says "no runtime" "softwave exec: no kernel was launched: true never called the runtime" "$softwave" exec --stats true
job counted "a runtime" 0 "never called the runtime" "$softwave" exec --stats sh -c "$plain $code refusals"
job counted "kernels" 0 "no kernel was launched" "$softwave" exec --stats $plain $code vector_copy
# Progress of what takes long: on a terminal alone.
progress() { # NAME EXPECTED COLUMNS PATTERN COMMAND...
    name=$1 text=$2
    shift 2
    says "$name" "^$text$" python3 "$sources/../cli/terminal.py" "$@"
}
shown="exit 0 lines some widest fits cleared seen"
SOFTWAVE_PROGRESS=5 job progress "progress on a terminal" "$shown" 80 "spin on gfx90a: 0 of 4 work-groups, 0 %, [0-9.]* s" "$softwave" exec $plain $code slow
SOFTWAVE_PROGRESS=5 job progress "progress on a narrow one" "$shown" 30 "softwave:" "$softwave" exec $plain $code slow
SOFTWAVE_PROGRESS=5 ANSWER=$(printf '\003') job progress "interrupted from the keyboard" "exit 130 lines some .* seen" 80 "spin on gfx90a" "$softwave" exec $plain $code slow
silent() { # NAME COMMAND...: on a terminal, and nothing of it on standard error
    name=$1
    shift
    says "$name" "^exit 0 lines none" python3 "$sources/../cli/terminal.py" 80 "ok slow" "$@"
}
SOFTWAVE_PROGRESS=5 job silent "no progress where errors go elsewhere" sh -c "exec '$softwave' exec $plain $code slow 2>errors </dev/null"
SOFTWAVE_PROGRESS=5 TERM=dumb job silent "no progress on a dumb terminal" sh -c "exec '$softwave' exec $plain $code slow </dev/null"
job silent "no progress when quiet" sh -c "exec '$softwave' exec -q $plain $code slow </dev/null"
no_progress_in_files() {
    SOFTWAVE_PROGRESS=5 "$softwave" exec $plain $code slow </dev/null >out 2>errors
    says "no progress in files" "^0 0$" sh -c 'grep -c work-groups out errors | sed "s/.*://" | xargs'
}
job no_progress_in_files
timeline() {
    "$softwave" exec --profile=profile.json $plain $code vector_copy copies >/dev/null 2>&1
    says "a timeline" "kernels 2 copies [1-9][0-9]* calls 1" python3 -c "
import json
events = json.load(open('profile.json'))
print('kernels', sum(e['cat'] == 'kernel' and e['name'] == 'vector_copy' for e in events), 'copies', sum(e['cat'] == 'copy' for e in events),
      'calls', sum(e['cat'] == 'api' and e['name'] == 'hsa_executable_freeze' for e in events))"
}
job timeline
# Each process has its own file, one behind the other and at once; what an earlier run left is replaced.
timelines() {
    echo stale >several.json
    "$softwave" exec --profile=several.json sh -c "$plain $code vector_copy; $plain $code vector_copy & $plain $code vector_copy; wait" >/dev/null 2>&1
    says "timelines of three processes" "^3 files, kernels 2 2 2 first True" python3 -c "
import glob, json, re
names = sorted(glob.glob('several*'), key=len)
print(len(names), 'files, kernels', *[sum(e['cat'] == 'kernel' for e in json.load(open(n))) for n in names],
      'first', names[0] == 'several.json' and all(re.fullmatch(r'several[.][0-9]+[.]json', n) for n in names[1:]))"
    echo stale >byhand.d
    LD_LIBRARY_PATH="$build/hsa" SOFTWAVE_GPU=gfx90a SOFTWAVE_PROFILE=byhand.d $plain $code vector_copy >/dev/null 2>&1
    says "a timeline by hand" "^byhand.d 2$" python3 -c "
import glob, json
print(*glob.glob('byhand*'), sum(e['cat'] == 'kernel' for e in json.load(open('byhand.d'))))"
}
job timelines
for program in rocminfo $LLVM_OFFLOAD_DEVICE_INFO; do
    if ! command -v $program >/dev/null; then
        job say "skipped: $program is not installed"
    else
        job says "$program: gfx90a" "AMD Instinct MI210" "$softwave" exec --gpu=gfx90a $program
        job says "$program: gfx1201" "gfx1201" "$softwave" exec --gpu=gfx942 --gpu=gfx1201 $program
    fi
done
# The files of the kernel driver: found by programs that are to find them, and gone with the program.
driver_files() {
    mkdir temporary
    export TMPDIR="$PWD/temporary"
    says "driver files: nodes" "gfx_target_version 110000" "$softwave" exec --driver-files --gpu=gfx90a --gpu=gfx1100 -- cat /sys/class/kfd/kfd/topology/nodes/2/properties
    says "driver files: the device" "^yes$" "$softwave" exec --driver-files -- sh -c 'test -e /dev/kfd && : <>/dev/kfd && echo yes'
    says "driver files: a list" "^0 1 2$" "$softwave" exec --driver-files --gpu=gfx90a --gpu=gfx90a -- python3 -c '
import os
print(*sorted(os.listdir("/sys/class/kfd/kfd/topology/nodes")))'
    says "driver files: the module" "^live$" "$softwave" exec --driver-files -- cat /sys/module/amdgpu/initstate
    says "driver files: other paths" "^Linux version" "$softwave" exec --driver-files -- cat /proc/version
    says "driver files: not for everybody" "^[|][|]$" "$softwave" exec -- sh -c 'echo "|$LD_PRELOAD$SOFTWAVE_DRIVER_FILES|"'
    says "driver files: none left" "^0$" sh -c 'ls temporary | wc -l'
    says "driver files: no folder for them" "no folder can be made in /proc/none" env TMPDIR=/proc/none "$softwave" exec --driver-files -- true
    echo "#!/bin/sh" >looks && echo "test -e /dev/kfd && echo seen" >>looks && chmod 755 looks
    [ -e /dev/kfd ] || says "driver files: a program that names one" "^seen$" "$softwave" exec -- ./looks
}
job driver_files
# A client of a runtime to come: what it lacks is said before the loader ends it.
from_the_future() {
    echo 'int hsa_init(void) { return 0; } int hsa_from_the_future(void) { return 0; }' >stub.c
    echo 'ROCR_1 { global: hsa_*; local: *; };' >map
    echo 'int hsa_init(void); int hsa_from_the_future(void); int main(void) { return hsa_init() + hsa_from_the_future(); }' >client.c
    mkdir lib
    ${CC:-cc} -shared -fPIC stub.c -Wl,-soname,libhsa-runtime64.so.1 -Wl,--version-script=map -o lib/libhsa-runtime64.so.1 &&
        ${CC:-cc} client.c -o client lib/libhsa-runtime64.so.1 || echo "failed: a client of a runtime to come is not built"
    says "a missing symbol" "^softwave exec: client imports what the runtime in .* does not have.*: hsa_from_the_future;" "$softwave" exec -- ./client
    says "no symbol is missing" "^0$" sh -c "'$softwave' exec -- $plain $code vector_copy 2>&1 | grep -c imports"
}
job from_the_future
finish
