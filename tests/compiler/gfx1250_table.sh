#!/bin/sh
# SPDX-License-Identifier: MIT
# The intrinsics that gfx1250 adds (gfx1250_table.txt), by `softwave cc` and by llc-22: matrix operations with formats, scales
# and signs, conversions with scales, ids in clusters run on the same device with random registers, lane by lane the same;
# copies that go on while the wave does, tensors, barriers by number, prefetches and transposed loads are the same instructions
# but for their registers. What other processors do not have is refused. usage: gfx1250_table.sh [path of softwave]
here=$(realpath "$(dirname "$0")")
. "$here/../tools.sh"
begin_test "$@"
need_llvm_22 "$LLC"
need_reader
command -v python3 > /dev/null || skip_all "python3 is not installed"
for kind in run text; do python3 "$here/gfx1250_table.py" $kind < "$here/gfx1250_table.txt" > $kind.ll; done
# Bytes of about 1 as small floats, halves and floats, of both signs.
python3 -c 'import random; random.seed(5); open("in", "wb").write(bytes(random.choice((0, 128)) | random.randrange(0x2c, 0x42) for i in range(16384)))'
llc() { "$LLC" -mtriple=amdgcn-amd-amdhsa -O2 -mcpu="$1" "$2" -o "$3" ${4:+-filetype=obj} 2> message || wrong "llc: $(head -n 1 message)"; }

llc gfx1250 run.ll llc.o object && "$softwave" ld llc.o -o llc.co
"$softwave" cc --verify --target=gfx1250 run.ll -o ours.co 2> message || wrong "cc: $(grep -v note: message | head -n 2)"
zeros=
for kernel in $(sed -n 's/^define.*@\(n[a-z0-9_A-Z]*\)(.*/\1/p' run.ll); do
    for of in ours llc; do
        "$softwave" run --init=random:3 --target=gfx1250 -k "$kernel" -g 32 -b 32 $of.co buf:2K,out=$of.out buf:in=in > message 2>&1 ||
            wrong "$kernel: $of: $(grep -v warning message | head -n 2)"
    done
    cmp -s ours.out llc.out && pass || wrong "$kernel: $(cmp ours.out llc.out 2>&1)"
    case $kernel in *_cluster_* | *_wave_id) continue ;; esac # which are 0
    cmp -s -n 2048 ours.out /dev/zero && zeros="$zeros $kernel"
done
[ -z "$zeros" ] && pass || wrong "nothing but zeros:$zeros"

# of FILE: its instructions of these kinds by function, without numbers of registers
of() {
    sed -n 's/[;#].*//; s/^\(n[0-9]*_[a-zA-Z0-9_]*\):.*/\1/p; s/^[ \t]*\(s_barrier\|s_get_barrier\|s_wakeup\|tensor_\|cluster_\|[a-z]*_load_async\|[a-z]*_store_async\|[a-z]*_load_tr\|[a-z]*_load_monitor\|[a-z_]*prefetch_\|ds_bpermute_fi\|ds_atomic\|v_cvt\|v_swmmac\)/\1/p' "$1" |
        sed 's/\b[vs]\([0-9]\+\|\[[0-9:]*\]\)/R/g; s/0x\([0-9]\)\b/\1/g; s/_e64 / /; s/ *$//'
}
llc gfx1250 text.ll llc.s
"$softwave" cc --verify --target=gfx1250 -S text.ll -o ours.s 2> message || wrong "cc: $(grep -v note: message | head -n 2)"
of llc.s > llc.text && of ours.s > ours.text
for function in $(sed -n 's/^define.*@\(n[a-z0-9_A-Z]*\)(.*/\1/p' text.ll); do
    for of in ours llc; do sed -n "/^$function\$/,/^n[0-9]/p" $of.text | grep -v '^n[0-9]' > $of.one; done
    [ -s llc.one ] && cmp -s ours.one llc.one && pass || wrong "$function: $(cat ours.one): not $(cat llc.one)"
done

for one in gfx1200:wmma.f32.16x16x64.fp8.fp8 gfx1201:cvt.scale.pk8.f32.fp8 gfx1100:cluster.id.x gfx1200:cluster.workgroup.id.y; do
    python3 "$here/gfx1250_table.py" run < "$here/gfx1250_table.txt" > all.ll
    name=$(sed -n "s/^define.*@\(n[0-9]*_$(echo "${one#*:}" | tr . _)[a-z0-9_]*\)(.*/\1/p" all.ll | head -n 1)
    "$softwave" cc --target="${one%%:*}" -k "$name" all.ll -o one.co 2> message
    [ $? -eq 4 ] && grep -q "on this processor is not supported" message && pass || wrong "$one: $(cat message)"
done
echo 'declare void @llvm.amdgcn.s.cluster.barrier() define amdgpu_kernel void @k() { call void @llvm.amdgcn.s.cluster.barrier() ret void }' > one.ll
"$softwave" cc --target=gfx1200 one.ll -o one.co 2> message
[ $? -eq 4 ] && grep -q "the intrinsic llvm.amdgcn.s.cluster.barrier on this processor" message && pass || wrong "a barrier of clusters: $(cat message)"
end_test
