#!/bin/sh
# SPDX-License-Identifier: MIT
# Input without an end, text that grows without one, and output that does not fit: each is an error that names the
# limit, in bounded time and memory. usage: limits.sh [path of softwave]
export SOFTWAVE_CACHE= # compiled code is kept nowhere
softwave=$(realpath "${1:-build/softwave}")
passed=0 failed=0 skipped=0
directory=$(mktemp -d) && trap 'rm -rf "$directory"' EXIT && cd "$directory" || exit 1

# expect STATUS TEXT COMMAND...: TEXT is in what it prints on either stream; ten minutes and 3 GiB are far more than enough, also on a loaded machine.
expect() {
    status=$1 text=$2
    shift 2
    (
        [ "$SANITIZED" ] || ulimit -v 12000000
        exec timeout 600 "$softwave" "$@"
    ) > output 2>&1 < "${input:-/dev/null}"
    got=$?
    if [ $got -eq "$status" ] && { [ -z "$text" ] || grep -qF -- "$text" output; }; then passed=$((passed + 1)); else
        failed=$((failed + 1))
        echo "$*: exit $got, expected $status with '$text': $(head -c 300 output)"
    fi
}
# has_python COUNT WHAT: false, and that many cases are skipped, if it is not installed
has_python() { command -v python3 > /dev/null || { skipped=$((skipped + $1)) && echo "skipped: $2, as python3 is not installed" && false; }; }
as() { # STATUS TEXT, the text on standard input
    cat > t.s
    expect "$1" "$2" as --target=gfx900 t.s -o t.o
}

kernel() { # metadata of arguments
    cat << S
.text
.globl k
.p2align 8
.type k,@function
k: s_endpgm
.section .rodata,"a"
.p2align 6
.amdhsa_kernel k
.amdhsa_next_free_vgpr 4
.amdhsa_next_free_sgpr 8
.amdhsa_user_sgpr_kernarg_segment_ptr 1
.amdhsa_kernarg_size 8
.end_amdhsa_kernel
S
}
kernel > k.s

# Streams.
expect 2 'more than 1073741824 bytes' run --target=gfx900 k.s buf:in=/dev/zero
expect 0 '@0: 0 0' run --target=gfx900 k.s buf:64,in=/dev/zero,show=u32:2 # as many as it has room for
expect 2 'more than 1073741824 bytes' run --target=gfx900 k.s buf:64,expect=/dev/zero
expect 2 'more than 16777216 bytes' ld @/dev/zero
expect 2 'more than 1073741824 bytes' ld /dev/zero
input=/dev/zero
expect 2 'more than 1073741824 bytes' obj -
expect 2 'more than 1073741824 bytes' dis -
input=
printf '%.0s@e\n' $(seq 1000) > d
printf '%.0s@d\n' $(seq 1000) > c
printf '%.0s@c\n' $(seq 1000) > b
: > e
expect 1 'response files have more than 16777216 bytes' ld @b
as 2 "'/dev/zero' has more than 268435456 bytes" << 'S'
.include "/dev/zero"
S
as 2 "'/dev/zero' has more than 268435456 bytes" << 'S'
.incbin "/dev/zero"
S

# Text that grows: repetitions, macros that call themselves, arguments that double, warnings.
most='exceed 268435456 bytes'
as 2 "$most" << 'S'
.rept 0x7fffffffffffffff
s_nop 0
.endr
S
as 2 "$most" << 'S'
.rept 0x7fffffffffffffff
.long \+
.endr
S
as 2 "$most" << 'S'
.rept 1000000000
.rept 1000000000
.endr
.endr
S
as 2 "$most" << 'S'
.rept 1000000000
.incbin "/dev/null"
.endr
S
as 2 'too many warnings' << 'S'
.rept 0x7fffffffffffffff
.warning "again"
.endr
S
as 2 'nested more than 64 levels deep' << 'S'
.macro f n
f \n
f \n
.endm
f 1
S
as 2 "$most" << 'S'
.macro d a
d \a\a
.endm
d xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
S
{
    printf '.macro m0\ns_nop 0\n.endm\n'
    for i in 1 2 3 4 5 6 7 8 9; do
        printf '.macro m%d\n' $i
        for j in 1 2 3 4 5 6 7 8 9 0; do printf 'm%d\n' $((i - 1)); done
        printf '.endm\n'
    done
    printf 'm9\n'
} | as 2 "$most"
# Comparing names of parameters is work, too, though nothing comes of it.
{
    printf '.macro m '
    seq -f 'parameter%04.0f' -s , 999
    for i in $(seq 20000); do printf '\\parameter0998 '; done
    printf '\n.endm\n.rept 1000000\nm\n.endr\n'
} | as 2 "$most"
# Many macros: each use finds its own at once.
{
    for i in $(seq 40000); do printf '.macro m%d\n.endm\n' "$i"; done
    for i in $(seq 200000); do echo m1; done
} > t.s
expect 0 '' as --target=gfx900 t.s -o t.o

# An image of nearly 4 GiB, of which next to nothing is in the file: what it leaves empty is not touched.
{
    kernel
    printf '.bss\n.globl big\n.type big,@object\n.size big, 4026531840\nbig: .skip 4026531840\n'
} > sparse.s
expect 0 '' as --target=gfx900 sparse.s -o sparse.o
expect 0 '' ld -shared -o sparse.co sparse.o
if [ -z "$SANITIZED" ] && has_python 2 'memory that sparse images take'; then
    for file in sparse.o sparse.co; do
        kilobytes=$( (exec python3 -c '
import resource, subprocess, sys
code = subprocess.call(sys.argv[1:])
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss if code == 0 else "exit", code)' "$softwave" run -j1 $file null 2>&1) | tail -n 1 | cut -d' ' -f1)
        if [ "$kilobytes" -lt 100000 ] 2> /dev/null; then passed=$((passed + 1)); else
            failed=$((failed + 1))
            echo "run $file: $kilobytes KiB"
        fi
    done
fi

# What a kernel prints: a megabyte of records that become gigabytes.
{
    cat << 'S'
.text
.globl p
.p2align 8
.type p,@function
p: s_load_dwordx2 s[2:3], s[0:1], 0x0
 s_waitcnt lgkmcnt(0)
 v_mov_b32 v0, 0
 v_mov_b32 v1, 1048568
 global_store_dword v0, v1, s[2:3]
 s_endpgm
.section .rodata,"a"
.p2align 6
.amdhsa_kernel p
.amdhsa_next_free_vgpr 4
.amdhsa_next_free_sgpr 8
.amdhsa_user_sgpr_kernarg_segment_ptr 1
.end_amdhsa_kernel
.amdgpu_metadata
---
amdhsa.version: [1, 2]
amdhsa.target: amdgcn-amd-amdhsa--gfx900
S
    printf 'amdhsa.printf: ["0:0:'
    printf '%.0s%%1000d' $(seq 2000)
    cat << 'S'
"]
amdhsa.kernels:
  - {.name: p, .symbol: p.kd, .kernarg_segment_size: 8, .kernarg_segment_align: 8, .group_segment_fixed_size: 0,
     .private_segment_fixed_size: 0, .wavefront_size: 64, .sgpr_count: 8, .vgpr_count: 4, .max_flat_workgroup_size: 64,
     .args: [{.size: 8, .offset: 0, .value_kind: hidden_printf_buffer, .address_space: global}]}
...
.end_amdgpu_metadata
S
} > p.s
expect 3 'printed more text than the limit' run --target=gfx900 -g 1 -b 1 p.s
size=$(wc -c < output)
if [ "$size" -gt 67108000 ] && [ "$size" -lt 67110000 ]; then passed=$((passed + 1)); else
    failed=$((failed + 1)) && echo "printed: $size bytes"
fi
# Standard output that takes its time, from the first byte on: the timeout holds while text is written.
mkfifo slow
(dd bs=1 count=1 2> /dev/null && sleep 1 && exec cat) < slow > /dev/null &
"$softwave" run --target=gfx900 -g 1 -b 1 --timeout=0.3 p.s > slow 2> error
got=$?
wait $!
if [ $got -eq 3 ] && grep -q 'takes longer than its timeout' error; then passed=$((passed + 1)); else
    failed=$((failed + 1)) && echo "timeout while printing: exit $got: $(cat error)"
fi

# Full disks.
full() { # ARG...: with standard output on a full disk
    "$softwave" "$@" > /dev/full 2> error
    got=$?
    if [ $got -eq 2 ] && [ "$(grep -c 'cannot write' error)" -eq 1 ]; then passed=$((passed + 1)); else
        failed=$((failed + 1)) && echo "$* on a full disk: exit $got: $(cat error)"
    fi
}
echo s_nop 0 > t.s
"$softwave" as --target=gfx900 k.s -o k.o
full as --target=gfx900 --show-encoding t.s
seq 20000 | sed 's/.*/v_add_f32 v0, v1, v2/' > long.s
full as --target=gfx900 --show-encoding long.s # longer than one buffer
full dis k.o
full dis --json k.o
full obj k.o
full obj --json k.o
full targets
full isa v_add_f32
full run --help
full --help
full --version
full run --target=gfx900 k.s buf:64,show=u32
full eval --target=gfx900 's_mov_b32 s0, 1'
expect 2 'cannot write' as --target=gfx900 t.s -o /dev/full
expect 2 'cannot write' ld k.o -o /dev/full
expect 2 'cannot write' run --target=gfx900 k.s buf:64,out=/dev/full
expect 2 '/dev/full: error: cannot write: No space left on device' run --target=gfx900 --trace=/dev/full k.s null
"$softwave" run --target=gfx900 --trace k.s null 2> /dev/full
if [ $? -eq 2 ]; then passed=$((passed + 1)); else failed=$((failed + 1)) && echo 'a trace on a full standard error'; fi

# A file that does not fit its disk is not there afterwards, and one that was there before is as it was.
cat > fill.py << 'P'
import os, resource, sys
resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096)) # what is longer cannot be written
import signal
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
os.execv(sys.argv[1], sys.argv[1:])
P
if has_python 2 'files that do not fit'; then
mkdir part
python3 fill.py "$softwave" run --target=gfx900 --trace=part/trace -g 40960 -b 64 k.s null > output 2>&1
got=$?
if [ $got -eq 2 ] && grep -q 'part/trace: error: cannot write: File too large' output && [ -z "$(ls part)" ]; then passed=$((passed + 1)); else
    failed=$((failed + 1)) && echo "a trace that does not fit: exit $got, $(ls -l part), $(cat output)"; fi
echo old > part/trace
python3 fill.py "$softwave" run --target=gfx900 --trace=part/trace -g 40960 -b 64 k.s null > output 2>&1
got=$?
if [ $got -eq 2 ] && [ "$(ls part)" = trace ] && [ "$(cat part/trace)" = old ]; then passed=$((passed + 1)); else
    failed=$((failed + 1)) && echo "a trace over an older one: exit $got, $(ls -l part)"; fi
fi

# A signal stops what is traced or profiled, and what that gave until then is written whole.
cat > endless.s << 'S'
k:
 s_add_u32 s10, s10, 1
 s_branch k
S
mkdir ends
: > said
"$softwave" run --target=gfx900 --trace=ends/trace -g 64 endless.s > said 2>&1 &
for try in $(seq 6000); do # as soon as there is something
    [ "$(sed -n 's/^wchar: //p' /proc/$!/io 2> /dev/null || echo 100000)" -lt 100000 ] || break
    sleep 0.1
done
kill -TERM $! && wait $!
got=$?
if [ $got -eq 143 ] && [ "$(ls ends)" = trace ] && [ "$(wc -l < ends/trace)" -gt 100 ] && grep -q 'kernel k was stopped by a signal' said &&
    [ -z "$(grep -v 's_add_u32\|s_branch' ends/trace)" ] && [ -z "$(tail -c 1 ends/trace | tr -d '\n')" ]; then passed=$((passed + 1)); else
    failed=$((failed + 1)) && echo "a trace that a signal ends: exit $got, $(ls -l ends), $(cat said)"; fi

# Refused before there is an object: nothing is freed that nobody made.
expect 1 'not for the R600 family' as --target=rv770 --show-encoding t.s
if command -v valgrind > /dev/null && [ ! "$SANITIZED" ]; then
    valgrind -q --error-exitcode=99 "$softwave" as --target=rv770 --show-encoding t.s > output 2>&1
    got=$?
    if [ $got -eq 1 ]; then passed=$((passed + 1)); else failed=$((failed + 1)) && echo "under valgrind: exit $got: $(cat output)"; fi
else
    skipped=$((skipped + 1)) && echo 'limits.sh: no valgrind: whether `as` frees only what it has is not looked at'
fi

# An output file that is there already keeps its mode, and a link to it stays one.
"$softwave" as --target=gfx900 t.s -o new.o
echo old > there.o && chmod 640 there.o && ln -s there.o link.o
"$softwave" as --target=gfx900 t.s -o link.o
if [ "$(stat -c %a there.o)" = 640 ] && [ -L link.o ] && cmp -s new.o there.o && [ "$(stat -c %a new.o)" = "$(printf %o $((0666 & ~$(umask))))" ]
then passed=$((passed + 1)); else failed=$((failed + 1)) && echo "modes: $(stat -c '%n %a' ./*.o)"; fi

# Interrupted at any moment: no temporary file stays behind.
if has_python 1 'interrupts'; then
mkdir out
i=0
while [ $i -lt 25 ]; do
    python3 -c '
import signal, subprocess, sys, time
p = subprocess.Popen(sys.argv[2:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
time.sleep(int(sys.argv[1]) * 0.004)
p.send_signal(signal.SIGINT)
p.wait()' $i "$softwave" run --target=gfx900 -j2 k.s buf:32M,out=out/result
    i=$((i + 1))
done
rest=$(ls out | grep -v '^result$')
if [ -z "$rest" ]; then passed=$((passed + 1)); else failed=$((failed + 1)) && echo "left behind: $rest"; fi
fi

echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
