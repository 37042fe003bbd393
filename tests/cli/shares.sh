#!/bin/sh
# SPDX-License-Identifier: MIT
# One kernel in shares: `softwave run --shard`, `softwave merge`. The merged result is that of the whole grid, byte for byte;
# whatever cannot be merged is refused by name, and damaged files end with a diagnostic.
# usage: shares.sh [path of softwave]
. "$(dirname "$0")/../command.sh"

same() { # NAME FILE FILE
    if cmp -s "$2" "$3"; then passed=$((passed + 1)); else failed=$((failed + 1)) && echo "$1: $2 and $3 differ"; fi
}
code() { # NAME ARGUMENT-BYTES: a kernel of gfx90a from standard input; s[4:5] and on are its arguments, s8 the group, v0 the item
    echo ".text
.globl $1
.p2align 8
.type $1,@function
$1:"
    cat
    echo "    s_endpgm
.section .rodata,\"a\"
.p2align 6
.amdhsa_kernel $1
    .amdhsa_next_free_vgpr 16
    .amdhsa_next_free_sgpr 32
    .amdhsa_accum_offset 16
    .amdhsa_user_sgpr_kernarg_segment_ptr 1
    .amdhsa_system_sgpr_workgroup_id_x 1
    .amdhsa_kernarg_size $2
.end_amdhsa_kernel"
}
load='
    s_load_dwordx2 s[4:5], s[0:1], 0x0
    s_load_dwordx2 s[6:7], s[0:1], 0x8
    s_lshl_b32 s8, s2, 6
    v_add_u32 v1, s8, v0
    v_lshlrev_b32 v2, 2, v1
    v_mov_b32 v3, 0
    v_mov_b32 v4, 1
    s_waitcnt lgkmcnt(0)'
{
    echo '.amdgcn_target "amdgcn-amd-amdhsa--gfx90a"'
    # every way to change memory that can be merged: stores, and atomics of each kind, of 32 and 64 bits
    code all 16 << S
$load
    v_mul_lo_u32 v5, v1, v1
    v_add_u32 v6, 7, v5
    v_mov_b32 v7, v1
    global_store_dword v2, v5, s[4:5]
    v_and_b32 v8, 12, v2
    global_atomic_add v8, v6, s[6:7]
    global_atomic_sub v8, v6, s[6:7] offset:16
    global_atomic_xor v8, v5, s[6:7] offset:32
    global_atomic_smin v8, v5, s[6:7] offset:48
    global_atomic_umax v8, v5, s[6:7] offset:64
    v_lshlrev_b32 v9, v1, v4
    global_atomic_or v8, v9, s[6:7] offset:80
    v_not_b32 v10, v9
    global_atomic_and v8, v10, s[6:7] offset:96
    v_mov_b32 v11, -1
    global_atomic_inc v8, v11, s[6:7] offset:112
    global_atomic_dec v8, v11, s[6:7] offset:128
    global_atomic_add_x2 v3, v[6:7], s[6:7] offset:144
    global_atomic_xor_x2 v3, v[6:7], s[6:7] offset:152
    global_atomic_umin v8, v5, s[6:7] offset:160
    global_atomic_smax v8, v5, s[6:7] offset:176
    s_waitcnt vmcnt(0)
S
    # all groups store their number at the same place
    code clash 16 << S
$load
    v_mov_b32 v5, s2
    v_add_u32 v5, 1, v5
    global_store_dword v3, v5, s[4:5] offset:8
S
    # takes tickets: the old value of an atomic operation decides
    code tickets 16 << S
$load
    global_atomic_add v5, v3, v4, s[6:7] glc
    s_waitcnt vmcnt(0)
    global_store_dword v2, v5, s[4:5]
S
    # all groups count to the same number, but the order of float additions matters
    code floats 16 << S
$load
    global_atomic_add_f32 v3, v4, s[6:7]
S
    code wrap 16 << S
$load
    v_mov_b32 v5, 5
    global_atomic_inc v3, v5, s[6:7]
S
    # one share stores what another adds to
    code mixed 16 << S
$load
    s_cmp_lg_u32 s2, 0
    s_cbranch_scc1 1f
    v_mov_b32 v5, 0x55
    global_store_dword v3, v5, s[6:7]
    s_endpgm
1:  global_atomic_add v3, v4, s[6:7]
S
    code sync 16 << S
    v_mov_b32 v0, 3
    s_mov_b32 m0, 0
    ds_gws_barrier v0 gds
S
    # group 0 sets a flag, the others wait for it
    code spin 16 << S
$load
    s_cmp_lg_u32 s2, 0
    s_cbranch_scc1 1f
    global_store_dword v3, v4, s[4:5]
    s_endpgm
1:  s_sleep 1
    global_load_dword v5, v3, s[4:5] glc
    s_waitcnt vmcnt(0)
    v_readfirstlane_b32 s9, v5
    s_cmp_eq_u32 s9, 0
    s_cbranch_scc1 1b
S
    # a long loop whose registers change: no deadlock
    code busy 16 << S
$load
    s_mov_b32 s9, 30000000
1:  s_sub_u32 s9, s9, 1
    s_cmp_lg_u32 s9, 0
    s_cbranch_scc1 1b
    global_store_dword v2, v1, s[4:5]
S
    code variable 16 << S
$load
    s_getpc_b64 s[10:11]
    s_add_u32 s10, s10, count@rel32@lo+4
    s_addc_u32 s11, s11, count@rel32@hi+12
    v_mov_b32 v5, 3
    global_atomic_add v3, v5, s[10:11]
    global_store_dword v2, v1, s[4:5]
.data
.globl count
.protected count
.type count,@object
.size count, 4
count: .long 7
.text
S
} > k.s
"$softwave" as k.s -o k.o && "$softwave" ld -shared -o k.co k.o || exit 1

shares() { # KERNEL N ARGUMENT...: runs N shares of 10 work-groups; leaves 1.ch and on
    kernel=$1 of=$2
    shift 2
    rm -f ./*.ch
    for i in $(seq $of); do
        expect 0 "" run --shard=$i/$of --changes=$i.ch -k $kernel -g 640 -b 64 k.co "$@"
    done
}
files() { for i in $(seq $1); do echo $i.ch; done; }

# ---- As the whole ----
arguments="buf:2560 buf:words=192,fill=u32:0x7ffffff0"
"$softwave" run -k all -g 640 -b 64 k.co buf:2560,out=whole0 buf:words=192,fill=u32:0x7ffffff0,out=whole1 || failed=$((failed + 1))
for n in 1 2 3 7 10; do
    shares all $n $arguments
    expect 0 "all on gfx90a: $n share" merge --out=@0=got0 --out=words=got1 $(files $n)
    same "$n shares, stores" whole0 got0
    same "$n shares, atomic operations" whole1 got1
done
shares all 3 $arguments
expect 0 "all on" merge --out=words=got1 3.ch 1.ch 2.ch
same "in any order" whole1 got1
# The same at each tier.
for tier in 0 1 2; do
    for i in 1 2; do expect 0 "" run --tier=$tier --shard=$i/2 --changes=t$i.ch -k all -g 640 -b 64 k.co $arguments; done
    expect 0 "" merge --out=@0=got0 --out=words=got1 t1.ch t2.ch
    same "tier $tier, stores" whole0 got0
    same "tier $tier, atomic operations" whole1 got1
done
# Contents that are not in the file are given once more, and looked at.
head -c 2000000 /dev/urandom > input
"$softwave" run -k all -g 640 -b 64 k.co buf:in=input,out=whole0 buf:192 || failed=$((failed + 1))
shares all 2 buf:in=input buf:192
expect 1 "needs --in=@0=FILE" merge --out=@0=got0 1.ch 2.ch
expect 0 "" merge --in=@0=input --out=@0=got0 1.ch 2.ch
same "large input" whole0 got0
head -c 2000000 /dev/zero > other
expect 2 "not what @0 held before the run" merge --in=@0=other --out=@0=got0 1.ch 2.ch
# Variables of the code object, named or not.
"$softwave" run --symbol count,show=u32 -k variable -g 640 -b 64 k.co buf:2560 buf:4 > shown
shares variable 2 --symbol count buf:2560 buf:4
expect 0 "count: 0 of 4 bytes changed, 1 words joined" merge --out=count=got 1.ch 2.ch
if [ "$(cat shown)" = "count: 1927" ] && [ "$(od -An -tu4 got | tr -d ' ')" = 1927 ]; then passed=$((passed + 1)); else
    failed=$((failed + 1)) && echo "a variable: $(cat shown), $(od -An -tu4 got)"
fi
shares variable 2 buf:2560 buf:4
expect 0 "code object: 0 of" merge 1.ch 2.ch
expect 0 "1 words joined" merge 1.ch 2.ch

# ---- Refused ----
shares clash 3 buf:2560 buf:192
expect 5 "@0+0x8: shares 1 and 2 of 3 changed this byte differently" merge $(files 3)
shares tickets 2 buf:2560 buf:192
expect 5 "@1+0x0: shares 1 and 2 of 2 did atomic operations on this word that depend on their order" merge 1.ch 2.ch
shares floats 2 buf:2560 buf:192
expect 5 "@1+0x0: shares 1 and 2 of 2 did atomic operations on this word that depend on their order" merge 1.ch 2.ch
shares wrap 2 buf:2560 buf:192
expect 5 "that depend on their order" merge 1.ch 2.ch
shares mixed 10 buf:2560 buf:192
expect 5 "@1+0x0: shares 1 and 2 of 10 changed this word, one by a store and one by atomic operations" merge $(files 10)
# What one share does alone is nobody's conflict.
shares tickets 1 buf:2560 buf:192
expect 0 "tickets on" merge 1.ch

# A share that is missing, there twice, of another run.
shares all 4 $arguments
expect 2 "share 2 of 4 is missing" merge 1.ch 3.ch 4.ch
expect 2 "share 4 of 4 is missing" merge 1.ch 3.ch
expect 2 "share 1 of 4 is there twice" merge 1.ch 1.ch 2.ch 3.ch
for other in "buf:2560 buf:words=192,fill=u32:1" "buf:2564 buf:words=192,fill=u32:0x7ffffff0"; do
    expect 0 "" run --shard=2/4 --changes=o.ch -k all -g 640 -b 64 k.co $other
    expect 2 "are of different runs" merge 1.ch o.ch 3.ch 4.ch
done
expect 0 "" run --shard=2/4 --changes=o.ch -k clash -g 640 -b 64 k.co $arguments
expect 2 "are of different runs" merge 1.ch o.ch 3.ch 4.ch
expect 0 "" run --shard=2/4 --changes=o.ch -k all -g 704 -b 64 k.co $arguments
expect 2 "are of different runs" merge 1.ch o.ch 3.ch 4.ch
# One that is interrupted leaves no file.
rm -f busy.ch
"$softwave" run --shard=1/2 --changes=busy.ch -k busy -g 640000 -b 64 k.co buf:2560000 buf:4 > log 2>&1 &
pid=$! && sleep 0.5 && kill -TERM $pid && wait $pid 2> /dev/null
if [ ! -e busy.ch ] && [ -z "$(ls busy.ch.* 2> /dev/null)" ]; then passed=$((passed + 1)); else failed=$((failed + 1)) && echo "an interrupted share left a file"; fi
expect 2 "busy.ch" merge busy.ch 1.ch
expect 3 "timeout" run --timeout=0.3 --shard=1/2 --changes=busy.ch -k busy -g 640000 -b 64 k.co buf:2560000 buf:4
[ ! -e busy.ch ] || { failed=$((failed + 1)) && echo "a share that was stopped left a file"; }

# ---- Groups that talk to each other ----
expect 4 "global wave sync and data share reach the work-groups of other shares" run --shard=1/2 --changes=g.ch -k sync -g 256 -b 64 k.co buf:4 buf:4
for tier in 0 1 2; do
    expect 4 "what they wait for must come from another share" run --tier=$tier --timeout=60 --shard=2/2 --changes=g.ch -k spin -g 256 -b 64 k.co buf:4 buf:4
    expect 0 "" run --tier=$tier --timeout=60 --shard=1/2 --changes=g.ch -k spin -g 256 -b 64 k.co buf:4 buf:4
done
expect 4 "what they wait for must come from another share" run -j1 --timeout=60 --shard=2/2 --changes=g.ch -k spin -g 256 -b 64 k.co buf:4 buf:4
# Work that takes its time is no such thing.
expect 0 "" run --tier=0 --shard=2/2 --changes=g.ch -k busy -g 256 -b 64 k.co buf:1K buf:4

# ---- The command line ----
run="run -k all -g 640 -b 64 k.co $arguments"
for bad in 0/4 5/4 1/0 1 /4 1/ x/y -1/4 1/4x; do expect 1 "--shard takes I/N" run --shard=$bad --changes=x -k all k.co; done
expect 1 "--shard and --changes go together" $run --shard=1/2
expect 1 "--shard and --changes go together" $run --changes=x
expect 1 "11 shares of a grid that has 10 work-groups" $run --shard=1/11 --changes=x
expect 1 "--shard is for one kernel" $run --shard=1/2 --changes=x --then -k clash
expect 1 "no changes file given" merge
expect 1 "takes NAME=FILE" merge --out=@0 1.ch 2.ch 3.ch 4.ch
expect 1 "the run had no buffer 'b'" merge --out=b=f 1.ch 2.ch 3.ch 4.ch
expect 2 "nowhere/x" $run --shard=1/2 --changes=nowhere/x

# ---- Damaged files ----
expect 2 "not a changes file" merge k.s
printf SWCHANGE > short && expect 2 "not a changes file" merge short
size=$(wc -c < 1.ch)
for at in 40 100 $((size / 2)) $((size - 1)); do
    head -c $at 1.ch > cut && expect 2 "cut off or damaged" merge cut 2.ch 3.ch 4.ch
done
{ head -c 8 1.ch && printf '\2\0\0\0' && tail -c +13 1.ch; } > new && expect 2 "of version 2; this Softwave reads version 1" merge new
finish
