#!/bin/sh
# SPDX-License-Identifier: MIT
# Kernels whose branches all lanes take alike through `softwave cc` on every generation and wave size, with random registers at launch:
# their results are those of the same source on this host's processor, and of llc-22's objects on the same device.
# Assembly from `cc -S` gives llvm-mc-22 the bytes of `cc -c`, and .swir text of every stage gives the same assembly as
# no text. usage: straight.sh [path of softwave]; TARGETS chooses others.
. "$(dirname "$0")/../tools.sh"
begin_test "$@"
. "$here/together.inc"

need_llvm_22 "$CLANG" "$LLC" "$LLVM_MC"
need_libclc
"$CLANG" -w -x cl -cl-std=CL2.0 -O2 -target amdgcn-amd-amdhsa -mcpu=gfx90a -nogpulib -mcode-object-version=4 -Xclang \
    -finclude-default-header -Xclang -mlink-builtin-bitcode -Xclang $libclc -S -emit-llvm "$here/straight.cl" -o all.ll || exit 1
need_reader
# Of any processor: ours is given by --target, llc's by -mcpu.
sed 's/"target-cpu"="gfx90a"//; s/"target-features"="[^"]*"//' all.ll |
    awk '/^define .*@__clang_ocl_kern_imp_/ { skip = 1 } !skip; /^}/ { skip = 0 }' > any.ll # bodies that kernels have inside

# The host's results, in the same files as inputs and results of the kernels.
cat > host.c << 'C'
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
typedef unsigned char uchar; typedef unsigned short ushort; typedef unsigned uint; typedef unsigned long ulong;
typedef float float4 __attribute__((vector_size(16))); typedef int int4 __attribute__((vector_size(16)));
enum { N = 256 };
static uint state = 12345;
static uint number(void) { return state = state * 1664525 + 1013904223, state >> 8; }
static void put(const char *name, const void *data, size_t size) { FILE *f = fopen(name, "wb"); fwrite(data, size, 1, f); fclose(f); }
#define PUT(name, array) put(name, array, sizeof array)
int main(void) {
    static float y[N], x[N]; static long lo[N]; static int a[N]; static short b[N]; static uchar c[N], bo[N]; static ushort p[N];
    static double d[N], dout[2 * N]; static float4 va[N], vo[N]; static int4 vb[N]; static uint g[512];
    for (int i = 0; i < N; i++) {
        y[i] = i, x[i] = (float)(number() % 1000), a[i] = (int)(number() << 9), b[i] = (short)number(), c[i] = (uchar)number();
        d[i] = (int)(number() % 2000 - 1000) / 64.0;
        for (int k = 0; k < 4; k++) va[i][k] = (float)((int)(number() % 512) - 256) / 4, vb[i][k] = (int)(number() % 100) - 50;
    }
    PUT("y.in", y), PUT("x.in", x), PUT("a.in", a), PUT("b.in", b), PUT("c.in", c), PUT("d.in", d), PUT("va.in", va), PUT("vb.in", vb);
    const long k = -123456789012345, n = 3000000000u; const short h = -77; const uchar s = 200; const double dk = 1.25;
    for (int i = 0; i < N; i++) {
        y[i] += 2.5f * x[i];
        long v = (long)((ulong)(long)a[i] * (ulong)k) + b[i];
        v ^= (long)((ulong)v << 13);
        v = (v >> 7) - c[i];
        uint u = (uint)v;
        u = u > (uint)n ? u - (uint)n : u + (uint)(int)h;
        ulong w = (ulong)v >> 37 | (ulong)u << 40;
        lo[i] = (v ^ (long)((ulong)u << 20)) + (a[i] < b[i] ? 5 : -3) + (long)w - (c[i] > 100 ? b[i] : a[i] >> 3) + (v < k ? 1 : 2);
        bo[i] = (uchar)(c[i] * 3 + s) ^ (uchar)(b[i] >> 5);
        p[i] = (ushort)((ushort)((b[i] * 4) - c[i]) + (ushort)(b[i] > (short)c[i]));
        dout[i] = d[i] * dk + a[i];
        dout[N + i] = d[i] > 3.0 ? fma(d[i], dk, d[i] * dk) : (double)(float)d[i];
        for (int e = 0; e < 4; e++) vo[i][e] = fabsf(va[i][3 - e] - 0.75f) + (float)vb[i][e] * -va[i][3 - e];
    }
    for (uint gz = 0; gz < 4; gz++) for (uint gy = 0; gy < 4; gy++) for (uint gx = 0; gx < 32; gx++)
        g[(gz * 4 + gy) * 32 + gx] = gx | gy << 8 | gz << 16 | gy % 2 << 20 | gz / 2 << 24 | gx / 16 << 28;
    PUT("saxpy.cpu", y), PUT("integers.cpu", lo), PUT("bytes.cpu", bo), PUT("doubles.cpu", dout), PUT("vectors.cpu", vo), PUT("grid.cpu", g);
    PUT("bytes2.cpu", p);
    static int loops[N]; static float matrix[N];
    const int m = 5;
    for (int i = 0; i < N; i++) {
        int s = a[i], t = 1;
        for (int j = 0; j < 40; j++) {
            for (int q = 0; q < (j & 3); q++) { int u = t; s = s * 3 + q; t = s ^ t; s = u + j; }
            if (m == j) s += 7;
            switch ((j + m) & 7) {
            case 0: t++;
            case 1: s -= t; break;
            case 2: case 5: s ^= 5 << (m & 7); break;
            case 6: t = (int)((uint)t << 7 | (uint)t >> 25); break;
            }
            if (j > m * 3) break;
        }
        loops[i] = s + t * 31;
        matrix[i] = 0;
        for (int q = 0; q < 16; q++) matrix[i] = fmaf(x[i / 16 * 16 + q], x[q * 16 + i % 16], matrix[i]);
    }
    PUT("loops.cpu", loops), PUT("matrix.cpu", matrix);
}
C
${CC:-cc} -w -O1 -ffp-contract=off -fwrapv -o host host.c -lm && ./host || exit 1

# What `run` is given for each kernel.
cat > all.jobs << 'T'
saxpy -g 256 -b 64 buf:in=y.in,out=OUT/saxpy.cpu buf:in=x.in f32:2.5
integers -g 256 -b 64 buf:2K,out=OUT/integers.cpu buf:in=a.in buf:in=b.in buf:in=c.in i64:-123456789012345 i16:-77 u32:3000000000
bytes -g 256 -b 64 buf:256,out=OUT/bytes.cpu buf:512,out=OUT/bytes2.cpu buf:in=c.in buf:in=b.in u8:200
doubles -g 256 -b 64 buf:4K,out=OUT/doubles.cpu buf:in=d.in buf:in=a.in f64:1.25
vectors -g 256 -b 64 buf:4K,out=OUT/vectors.cpu buf:in=va.in buf:in=vb.in f32:0.75
grid -g 32,4,4 -b 16,2,2 buf:2K,out=OUT/grid.cpu u32:32
loops -g 256 -b 64 buf:1K,out=OUT/loops.cpu buf:in=a.in i32:40 i32:5
matrix -g 16,16 -b 16,4 buf:1K,out=OUT/matrix.cpu buf:in=x.in buf:in=x.in i32:16
T
mkdir wanted ours0 ours2 llc0 && cp ./*.cpu wanted
for side in ours0 ours2 llc0; do sed "s,OUT/,$side/,g" all.jobs > $side.jobs; done

TARGETS=${TARGETS:-"gfx600 gfx700 gfx803 gfx900 gfx908 gfx90a gfx942 gfx1010 gfx1030 gfx1030:64 gfx1100 gfx1100:64 gfx1201 gfx1201:64 gfx1250"}
for processor in $TARGETS; do
    target=${processor%%:*} wave=${processor#"$target"} && wave=${wave#:}
    rm -f ours?/* llc0/*
    whole "$processor" any.ll llc.co "$LLC" -O2 -mcpu="$target" ${wave:+-mattr=+wavefrontsize$wave} -filetype=obj
    whole "$processor" any.ll ours.co "$softwave" cc --verify --target="$target" ${wave:+--mattr=+wavefrontsize$wave}
    for side in ours0 ours2 llc0; do
        run_all "$processor" $side.jobs ${side%?}.co --init=random:1$passed --tier=${side#"${side%?}"} --target="$target"
        # llc's order of rounding is its own business: of ours, the host decides.
        compare_all $side wanted
        for kernel in saxpy integers bytes doubles vectors grid loops matrix; do
            alike $kernel.cpu && { [ $kernel != bytes ] || alike bytes2.cpu; } && pass ||
                wrong "$processor $kernel: ${side%?} at tier ${side#"${side%?}"}: $(cmp $side/$kernel.cpu $kernel.cpu 2>&1)"
        done
    done
done

# Bytes of llvm-mc.
for one in gfx700 gfx90a gfx1030:64 gfx1201; do
    target=${one%%:*} wave=${one#"$target"} && wave=${wave#:}
    features=${wave:+--mattr=+wavefrontsize$wave}
    for kernel in saxpy integers loops; do
        "$softwave" cc --target="$target" $features -k $kernel -S any.ll -o ours.s && "$softwave" cc --target="$target" $features -k $kernel -c any.ll -o ours.o &&
            "$LLVM_MC" -triple=amdgcn-amd-amdhsa -mcpu="$target" ${wave:+-mattr=+wavefrontsize$wave} -filetype=obj ours.s -o mc.o && cmp ours.o mc.o &&
            pass || wrong "$one $kernel: llvm-mc's bytes differ"
    done
done

# Text between any two stages changes nothing.
kernels="-k saxpy -k integers -k loops"
"$softwave" cc --target=gfx90a $kernels -S any.ll -o whole.s && parts whole.s > whole
for stage in read lds abi atomic address blocks waterfall divergence legal select memory_model control assign waits; do
    rm -f stage.s
    "$softwave" cc --target=gfx90a --verify $kernels --until=$stage any.ll -o stage.swir && "$softwave" cc --verify -S stage.swir -o stage.s
    parts stage.s > stage
    awk -F '\t' -v stage=$stage '
        { text[FILENAME, $1] = text[FILENAME, $1] $0 "\n" }
        END {
            for (n = split("saxpy integers loops", kernel, " "); n; n--) {
                same = text["whole", kernel[n]] != "" && text["whole", kernel[n]] == text["stage", kernel[n]]
                print same ? "pass" : "wrong " kernel[n] ": behind " stage
            }
        }' whole stage > verdicts
    before=$failed
    verdicts verdicts 3
    cmp -s whole.s stage.s || [ $failed != $before ] || wrong "behind $stage: what belongs to no kernel"
done

# A loop with two entries gets one; what is linked is as the metadata of its version should be.
cat > entries.ll << 'S'
define amdgpu_kernel void @k(ptr addrspace(1) %p, i32 %n) {
  %c = icmp eq i32 %n, 3
  br i1 %c, label %one, label %two
one:
  %i = phi i32 [%n, %0], [%k, %two]
  %j = add i32 %i, 1
  %d = icmp ugt i32 %j, 9
  br i1 %d, label %done, label %two
two:
  %l = phi i32 [5, %0], [%j, %one]
  %k = add i32 %l, 2
  br label %one
done:
  store i32 %j, ptr addrspace(1) %p
  ret void
}
S
for count in 3:10 4:11; do
    "$softwave" run --target=gfx90a -g 1 entries.ll buf:4,show=u32:1 u32:${count%:*} > out 2> message
    grep -q "@0: ${count#*:}" out && ! grep -q warning message && pass || wrong "a loop with two entries: $(cat out message)"
done

# What cannot be compiled is refused by function and reason, and `run` then takes llc.
cat > text.ll << 'S'
define amdgpu_kernel void @k(ptr addrspace(1) %p) {
  %x = load i32, ptr addrspace(1) %p
  %wide = zext i32 %x to i256
  %sum = add i256 %wide, 7
  %i = trunc i256 %sum to i32
  store i32 %i, ptr addrspace(1) %p
  ret void
}
S
if "$softwave" cc --target=gfx90a text.ll 2> message; then wrong "integers of 256 bits are compiled: another construct that llc alone takes belongs here"; else
    [ $? -eq 4 ] && grep -q "function @k: .*type i256 is not supported" message && pass || wrong "a wide integer: $(cat message)"
fi
"$softwave" run -g 1 text.ll buf:4,show=u32:1 > out 2> message
grep -q '@0: 7' out && grep -q "note: llc is taken, as softwave cc says: function @k: .*type i256" message && pass ||
    wrong "run of a wide integer: $(cat out message)"
# Phis that exchange their values, in scalar and in vector registers.
cat > swap.ll << 'S'
define amdgpu_kernel void @k(ptr addrspace(1) %p, i32 %n) {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %id5 = add i32 %id, 5
  br label %loop
loop:
  %i = phi i32 [0, %0], [%j, %loop]
  %a = phi i32 [3, %0], [%b, %loop]
  %b = phi i32 [5, %0], [%d, %loop]
  %d = phi i32 [9, %0], [%a, %loop]
  %x = phi i32 [%id, %0], [%y, %loop]
  %y = phi i32 [%id5, %0], [%x, %loop]
  %j = add i32 %i, 1
  %c = icmp eq i32 %j, %n
  br i1 %c, label %done, label %loop
done:
  %s = mul i32 %a, 1000000
  %t = mul i32 %b, 10000
  %u = mul i32 %d, 1000
  %v = add i32 %s, %t
  %w = add i32 %v, %u
  %x2 = mul i32 %x, 10
  %z = add i32 %x2, %y
  %r = add i32 %w, %z
  %q = getelementptr i32, ptr addrspace(1) %p, i32 %id
  store i32 %r, ptr addrspace(1) %q
  ret void
}
declare i32 @llvm.amdgcn.workitem.id.x()
S
for count in 1:3059005,3059016 2:5093050,5093061 3:9035005,9035016 4:3059050,3059061; do
    "$softwave" cc --verify --target=gfx1030 swap.ll -o swap.co &&
        "$softwave" run -g 32 swap.co buf:128,show=u32:2 u32:${count%%:*} > out 2>&1
    grep -q "@0: $(echo ${count#*:} | tr , ' ')" out && pass || wrong "swap $count: $(cat out)"
done
"$softwave" run -k saxpy --target=gfx1100 -g 256 -b 64 any.ll buf:in=y.in,out=out buf:in=x.in f32:2.5 > message 2>&1
grep -q '^+ softwave cc --target=gfx1100 any.ll' message && cmp out saxpy.cpu && pass || wrong "run: $(head -n 3 message)"
end_test
