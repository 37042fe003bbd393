#!/bin/sh
# SPDX-License-Identifier: MIT
# The scripts of examples/cluster under Slurm and GNU parallel: a suite in 8 shares whose results become one file, and a
# kernel in 8 shares whose results are merged, equal to the whole byte for byte. Slurm has one node, on loopback, which this
# test begins and ends; all of it is in a folder that goes. usage: hsa_cluster.sh [softwave]
. "$(dirname "$0")/jobs.inc"
command -v hipcc >/dev/null || skip_all "hipcc is not installed"
for tool in slurmctld slurmd sbatch munged parallel python3; do
    PATH=$PATH:/usr/sbin command -v $tool >/dev/null || skip_all "$tool is not installed"
done
[ -e /usr/include/gtest/gtest.h ] || skip_all "googletest is not installed"
examples=$(realpath "$sources/../../examples")
PATH=$PATH:/usr/sbin:$(dirname "$softwave")
jobs=1 && exec 3>job1.out # one job, whose lines go there
ok() { echo "ok $1" >&3; }
failed() { echo "failed: $1" >&3; }
check() { # WHAT COMMAND...
    what=$1
    shift
    if "$@" >output 2>&1; then ok "$what"; else failed "$what: $(tail -n 5 output)"; fi
}

# ---- Slurm, with a munge of its own ----
me=$(id -un) node=$(hostname -s)
chmod 755 "$scratch"
port=$((20000 + $$ % 20000))
begin_slurm() {
    mkdir state spool && dd if=/dev/urandom of=munge.key bs=1024 count=1 2>/dev/null && chmod 400 munge.key
    munged --foreground --force --key-file="$scratch/munge.key" --socket="$scratch/munge.socket" --pid-file="$scratch/munge.pid" \
        --log-file="$scratch/munge.log" --seed-file="$scratch/munge.seed" >munged.out 2>&1 &
    daemons=$!
    cat >slurm.conf <<S
ClusterName=one
SlurmctldHost=$node(127.0.0.1)
SlurmUser=$me
SlurmdUser=$me
SlurmctldPort=$port
SlurmdPort=$((port + 1))
AuthType=auth/munge
AuthInfo=socket=$scratch/munge.socket
CredType=cred/munge
StateSaveLocation=$scratch/state
SlurmdSpoolDir=$scratch/spool
SlurmctldPidFile=$scratch/slurmctld.pid
SlurmdPidFile=$scratch/slurmd.pid
SlurmctldLogFile=$scratch/slurmctld.log
SlurmdLogFile=$scratch/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=batch_sched_delay=0,sched_min_interval=100000
ReturnToService=2
SlurmdParameters=config_overrides
NodeName=$node NodeAddr=127.0.0.1 CPUs=4 State=UNKNOWN
PartitionName=all Nodes=$node Default=YES MaxTime=INFINITE State=UP OverSubscribe=NO
S
    export SLURM_CONF="$scratch/slurm.conf"
    for wait in $(seq 50); do [ -e munge.socket ] && break || sleep 0.1; done
    slurmctld -D -i >slurmctld.out 2>&1 &
    daemons="$daemons $!"
    slurmd -D >slurmd.out 2>&1 &
    daemons="$daemons $!"
    for wait in $(seq 200); do sinfo -h -o %T 2>/dev/null | grep -q idle && return 0 || sleep 0.1; done
    return 1
}
end_slurm() {
    timeout 10 scancel --state=RUNNING -u "$me" 2>/dev/null
    # shellcheck disable=SC2086
    kill $daemons 2>/dev/null
    # shellcheck disable=SC2086
    wait $daemons 2>/dev/null
    daemons=
}
daemons=
trap 'end_slurm; rm -r "$scratch"' EXIT
array() { timeout 300 sbatch --wait --output=log.%a "$@"; }

# ---- The suite ----
cp "$examples"/cluster/* .
hipcc -O1 -w --offload-arch=gfx90a "$sources/suite.cpp" -o suite -lgtest >log 2>&1 || failed "the suite is not built: $(grep -m 1 error log)"
joined() { # OUT: has each of the 21 tests once
    [ "$(grep -o '<testcase ' "$1" | wc -l)" = 21 ] && [ "$(grep -o '<testcase name="[^"]*"' "$1" | sort -u | wc -l)" = 21 ] &&
        grep -q '<testsuites [^>]*tests="21"' "$1"
}
check "a suite with GNU parallel" ./suite.sh 8 ./suite
check "parallel: results join" ./junit.py parallel.xml 8 results
check "parallel: every test once" joined parallel.xml
rm -r results
BREAK=7 ./suite.sh 8 ./suite >output 2>&1 && failed "a failing test is not told by GNU parallel" || ok "a failing test is told by GNU parallel"
./junit.py broken.xml 8 results >output 2>&1
[ $? = 1 ] && grep -q '1 failures' output && grep -q '<failure' broken.xml && ok "a failing test is in the file" || failed "a failing test: $(cat output)"
rm results/5.xml
./junit.py missing.xml 8 results >output 2>&1
[ $? = 2 ] && grep -q 'share 5 of 8 is missing' output && [ ! -e missing.xml ] && ok "a share without results is named" || failed "a share without results: $(cat output)"
rm -r results
if begin_slurm; then
    check "a suite as a job array" array suite.sbatch ./suite
    check "Slurm: results join" ./junit.py slurm.xml 8 results
    check "Slurm: every test once" joined slurm.xml
fi

# ---- The picture ----
"$softwave" as --target=gfx90a "$examples/mandelbrot.s" -o mandelbrot.o >log 2>&1 && "$softwave" ld -shared -o mandelbrot.co mandelbrot.o ||
    failed "the picture's kernel: $(cat log)"
picture="-g 832,440 mandelbrot.co buf:1372800,out=whole i32:780 i32:440 i32:200"
# shellcheck disable=SC2086
check "the whole picture" "$softwave" run $picture
if [ "$daemons" ] && sinfo -h -o %T 2>/dev/null | grep -q 'idle\|mixed\|alloc'; then
    # shellcheck disable=SC2086
    check "a picture as a job array" array kernel.sbatch $picture
    check "Slurm: 8 shares are merged" "$softwave" merge --out=@0=merged changes/1 changes/2 changes/3 changes/4 changes/5 changes/6 changes/7 changes/8
    check "Slurm: the picture is that of the whole" cmp whole merged
    # One task is killed while it runs: it is missing by name; run again, all is there.
    rm -r changes merged
    printf '#!/bin/sh\n[ "$SLURM_ARRAY_TASK_ID" != 3 ] || kill -KILL $$\n. ./kernel.sbatch\n' >killed.sbatch
    # shellcheck disable=SC2086
    array --array=1-8 killed.sbatch $picture >log 2>&1
    "$softwave" merge --out=@0=merged changes/* >output 2>&1
    [ $? = 2 ] && grep -q 'share 3 of 8 is missing' output && [ ! -e merged ] && ok "a killed share is missing by name" || failed "a killed share: $(cat output)"
    # shellcheck disable=SC2086
    SHARES=8 array --array=3 kernel.sbatch $picture >log 2>&1
    check "run again, it is there" "$softwave" merge --out=@0=merged changes/1 changes/2 changes/3 changes/4 changes/5 changes/6 changes/7 changes/8
    check "and the picture is whole" cmp whole merged
    end_slurm
    pgrep -f "$scratch/slurm.conf" >/dev/null && failed "Slurm's daemons are left" || ok "Slurm has ended"
else
    failed "Slurm does not begin: $(tail -n 3 slurmctld.out slurmd.out munged.out)"
fi
rm -rf changes
# shellcheck disable=SC2086
check "a picture with GNU parallel" sh -c "mkdir changes && seq 8 | parallel --jobs 2 '$softwave' run -j1 --shard={}/8 --changes=changes/{} $picture"
check "parallel: 8 shares are merged" "$softwave" merge --out=@0=merged changes/1 changes/2 changes/3 changes/4 changes/5 changes/6 changes/7 changes/8
check "parallel: the picture is that of the whole" cmp whole merged
finish
