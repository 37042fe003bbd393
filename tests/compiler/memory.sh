#!/bin/sh
# SPDX-License-Identifier: MIT
# Memory in compiled kernels: LDS in all widths, barriers, dynamic LDS, flat addresses, unaligned values, copies and
# fills, and every atomic operation on every type in every address space (native, or as a loop of compare and exchange),
# on every processor family and wave size, with random registers at launch. Results are those of this host's processor;
# of the kernels in OpenCL C those of llc-22's objects too. No register is used that a load has yet to write (pending.c),
# which running does not show. AS-01, AS-02, AS-04 to AS-07,
# AS-13 to AS-16, SCOPE-01 to SCOPE-05, MM-COM-05, MM-COM-06.
# usage: memory.sh [path of softwave]; TARGETS chooses others.
. "$(dirname "$0")/../tools.sh"
begin_test "$@"
. "$here/together.inc"

need_llvm_22 "$CLANG" "$LLC"
need_libclc
"$CLANG" -w -x cl -cl-std=CL2.0 -O2 -target amdgcn-amd-amdhsa -mcpu=gfx90a -nogpulib -mcode-object-version=4 -Xclang \
    -finclude-default-header -Xclang -mlink-builtin-bitcode -Xclang $libclc -S -emit-llvm "$here/memory.cl" -o all.ll || exit 1
"$softwave" cc --target=gfx90a -k reverse all.ll 2> message || { grep -q 'libllvm22' message && skip_all "libllvm22 is not installed"; }
sed 's/"target-cpu"="gfx90a"//; s/"target-features"="[^"]*"//' all.ll |
    awk '/^define .*@__clang_ocl_kern_imp_/ { skip = 1 } !skip; /^}/ { skip = 0 }' > any.ll # bodies that kernels have inside
${CC:-cc} -O2 -o pending "$here/pending.c" || exit 1
${CC:-cc} -O1 -o atomics "$here/atomics.c" && ./atomics ll > atomics.ll && ./atomics data || exit 1

# Copies: of constant and of variable length, that overlap and that do not, per item.
cat > move.ll << 'S'
@l = internal addrspace(3) global [4096 x i8] poison, align 4
define amdgpu_kernel void @move(ptr addrspace(1) %o, ptr addrspace(1) %a, i32 %n, i64 %m) #0 {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %off = mul i32 %id, 64
  %ai = getelementptr i8, ptr addrspace(1) %a, i32 %off
  %oi = getelementptr i8, ptr addrspace(1) %o, i32 %off
  %li = getelementptr i8, ptr addrspace(3) @l, i32 %off
  call void @llvm.memcpy.p3.p1.i32(ptr addrspace(3) align 4 %li, ptr addrspace(1) align 4 %ai, i32 47, i1 false)
  call void @llvm.memset.p3.i32(ptr addrspace(3) align 1 %li, i8 7, i32 %n, i1 false)
  %l3 = getelementptr i8, ptr addrspace(3) %li, i32 3
  call void @llvm.memmove.p3.p3.i32(ptr addrspace(3) align 1 %l3, ptr addrspace(3) align 1 %li, i32 21, i1 false)
  %b = trunc i32 %id to i8
  call void @llvm.memset.p1.i32(ptr addrspace(1) align 4 %oi, i8 %b, i32 64, i1 false)
  call void @llvm.memcpy.p1.p3.i32(ptr addrspace(1) align 4 %oi, ptr addrspace(3) align 4 %li, i32 47, i1 false)
  %o5 = getelementptr i8, ptr addrspace(1) %oi, i32 5
  call void @llvm.memmove.p1.p1.i64(ptr addrspace(1) %o5, ptr addrspace(1) %oi, i64 %m, i1 false)
  %o1 = getelementptr i8, ptr addrspace(1) %oi, i32 1
  call void @llvm.memmove.p1.p1.i64(ptr addrspace(1) %oi, ptr addrspace(1) %o1, i64 %m, i1 false)
  ret void
}
attributes #0 = { "amdgpu-flat-work-group-size"="1,64" }
declare i32 @llvm.amdgcn.workitem.id.x()
S

# Spaces: nulls of LDS and stack are all ones, of others 0, and casts keep them; half an address of constant memory; a
# lane's own memory and constant memory know no atomic operations but do them.
cat > space.ll << 'S'
@l = internal addrspace(3) global [64 x i32] poison, align 4
define amdgpu_kernel void @null(ptr addrspace(1) %o, ptr addrspace(1) %a) #0 {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %p = getelementptr i32, ptr addrspace(1) %a, i32 %id
  %x = load i32, ptr addrspace(1) %p
  %near = inttoptr i32 %x to ptr addrspace(3)
  %flat = addrspacecast ptr addrspace(3) %near to ptr
  %isnull = icmp eq ptr %flat, null
  %back = addrspacecast ptr %flat to ptr addrspace(3)
  %y = ptrtoint ptr addrspace(3) %back to i32
  %bits = ptrtoint ptr %flat to i64
  %low = trunc i64 %bits to i32
  %z = zext i1 %isnull to i32
  %w = mul i32 %z, 1000
  %v = add i32 %w, %y
  %u = add i32 %v, %low
  %q = getelementptr i32, ptr addrspace(1) %o, i32 %id
  store i32 %u, ptr addrspace(1) %q
  ret void
}
define amdgpu_kernel void @half(ptr addrspace(1) %o, ptr addrspace(4) %a) #0 {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %h = addrspacecast ptr addrspace(4) %a to ptr addrspace(6)
  %s = load i32, ptr addrspace(6) %h
  %hp = getelementptr i32, ptr addrspace(6) %h, i32 %id
  %x = load i32, ptr addrspace(6) %hp
  %y = load atomic i32, ptr addrspace(4) %a syncscope("agent") acquire, align 4
  %t = add i32 %x, %s
  %u = sub i32 %t, %y
  %q = getelementptr i32, ptr addrspace(1) %o, i32 %id
  store i32 %u, ptr addrspace(1) %q
  ret void
}
define amdgpu_kernel void @own(ptr addrspace(1) %o, i32 %n) #0 {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %s = alloca [4 x i32], addrspace(5)
  %p = getelementptr [4 x i32], ptr addrspace(5) %s, i32 0, i32 %n
  store i32 %id, ptr addrspace(5) %p
  %x = atomicrmw uinc_wrap ptr addrspace(5) %p, i32 40 syncscope("agent") acq_rel
  %c = cmpxchg ptr addrspace(5) %p, i32 5, i32 77 monotonic monotonic
  %x2 = extractvalue {i32, i1} %c, 0
  %y = load volatile i32, ptr addrspace(5) %p
  %z0 = add i32 %x, %y
  %z = add i32 %z0, %x2
  %q = getelementptr i32, ptr addrspace(1) %o, i32 %id
  store i32 %z, ptr addrspace(1) %q
  ret void
}
attributes #0 = { "amdgpu-flat-work-group-size"="1,64" "amdgpu-32bit-address-high-bits"="8192" }
declare i32 @llvm.amdgcn.workitem.id.x()
S

cat > host.c << 'C'
#include <stdint.h>
#include <stdio.h>
#include <string.h>
enum { N = 256 };
static unsigned state = 12345;
static unsigned number(void) { return state = state * 1664525 + 1013904223, state >> 8; }
static void put(const char *name, const void *data, size_t size) { FILE *f = fopen(name, "wb"); fwrite(data, size, 1, f); fclose(f); }
#define PUT(name, array) put(name, array, sizeof array)
struct __attribute__((packed)) odd { uint8_t c; int64_t q; uint16_t s; int32_t v[4]; uint8_t t[4]; };
int main(void) {
    static int a[N], o[N], h[64], l[64], f[N]; static uint8_t in[N * 32 + 64], out[N * 32 + 64], m[4200], mo[4200];
    for (int i = 0; i < N; i++) a[i] = (int)(number() << 8 ^ number());
    for (size_t i = 0; i < sizeof in; i++) in[i] = (uint8_t)number();
    for (size_t i = 0; i < sizeof m; i++) m[i] = (uint8_t)number();
    PUT("a.in", a), PUT("in.in", in), PUT("m.in", m);
    for (int g = 0; g < N; g++) {
        const int i = g & 63, b = g & ~63, j = 63 - i, k = j ^ 5;
        o[g] = (int)((unsigned)a[b + j] + (uint8_t)a[b + j] * 3u + (unsigned)(short)a[b + (j ^ 1)] + (unsigned)(int)((int64_t)a[b + (j ^ 3)] * 3000000000 >> 20) +
                     (unsigned)(int)(float)(k + k * 2 * (k * 3) + (a[b + k] & 255)));
    }
    PUT("reverse.cpu", o);
    int most = 0, all = 0, sum = 0;
    for (int b = 0; b < N; b += 64) {
        memset(l, 0, sizeof l);
        for (int i = 0; i < 64; i++) l[a[b + i] & 15]++, most = a[b + i] > most ? a[b + i] : most, all ^= a[b + i];
        for (int i = 0; i < 64; i++) o[b + i] = l[i & 15];
        for (int i = 0; i < 16; i++) h[i] += l[i];
    }
    for (int i = 0; i < N; i++) sum += i;
    h[20] = most, h[21] = all, h[22] = N, h[23] = sum;
    PUT("histogram.cpu", o), PUT("histogram2.cpu", h);
    for (int n = 0; n < 2; n++)
        for (int b = 0; b < N; b += 64) {
            int r[64], p[64];
            for (int i = 0; i < 64; i++) l[i] = (int)((unsigned)a[b + i] * 3), p[i] = a[b + i];
            for (int i = 0; i < 64; i++) {
                unsigned v = (unsigned)((i & 1) ? l[63 - i] : p[63 - i]);
                r[i] = (int)(v + (unsigned)((n ? l : p)[i * 7 & 63]) * 5 + (n ? 1000 : 0));
            }
            memcpy(n ? l : p, r, sizeof r);
            for (int i = 0; i < 64; i++) f[b + i] = (int)((unsigned)r[i] + (unsigned)l[i ^ 1]);
            if (b == N - 64) put(n ? "flat1.cpu" : "flat0.cpu", f, sizeof f);
        }
    for (int g = 0; g < N; g++) {
        struct odd x;
        memcpy(&x, in + (g ^ 1) * 32, sizeof x);
        x.q++, x.s = (uint16_t)(x.s * 3), x.c ^= 85;
        for (int k = 0; k < 4; k++) x.v[k] ^= k < 3 ? k + 1 : g ^ 1;
        for (int k = 0; k < 3; k++) x.t[k] = (uint8_t)(x.t[k] + k + 1);
        uint8_t *w = out + g * 32;
        memcpy(w, &x, 27 + 3);
        for (int k = 0; k < 4; k++) w[27 + k] = (uint8_t)(in[g * 32 + 27 + k] + 9 - k);
    }
    PUT("odd.cpu", out);
    static int x[64], y[64];
    for (int i = 0; i < 64; i++) x[i] = i % 3 ? i * 4 : i % 2 ? -1 : 0, y[i] = x[i] == -1 ? 1000 + -1 + 0 : 2 * x[i];
    PUT("null.in", x), PUT("null.cpu", y);
    for (int i = 0; i < 64; i++) {
        int in_memory = i >= 40 ? 0 : i + 1, last = in_memory == 5 ? 77 : in_memory;
        y[i] = i + last + in_memory;
    }
    PUT("own.cpu", y);
    static const int lengths[] = {0, 1, 17, 38, 59};
    for (int n = 0; n < 5; n++) {
        char name[32];
        for (int i = 0; i < 64; i++) {
            uint8_t x[64], *w = mo + i * 64;
            memcpy(x, m + i * 64, 47), memset(x, 7, 9), memmove(x + 3, x, 21), memset(w, i, 64), memcpy(w, x, 47);
            memmove(w + 5, w, lengths[n]), memmove(w, w + 1, lengths[n]);
        }
        sprintf(name, "move%d.cpu", lengths[n]), put(name, mo, 64 * 64);
    }
    return 0;
}
C
${CC:-cc} -w -O1 -fwrapv -o host host.c && ./host && head -c 256 a.in > a64.in || exit 1

# The kernels that have no source in OpenCL C, in one module.
{ sed 's/@l\b/@l_move/g; s/#0/#1/g' move.ll && sed 's/@l\b/@l_space/g; s/#0/#2/g' space.ll && cat atomics.ll; } |
    awk '!/^declare/ || !seen[$0]++' > more.ll

only more.ll move i64_global > waited.ll
# What each run is to leave behind, under its name, and "KERNEL ARGUMENT..." of each; DIRECTORY is that of the results.
mkdir wanted ours llc
job() { # job FILE NAME EXPECTED KERNEL ARGUMENT...: OUT stands for the file NAME
    file=$1 name=$2
    cp "$3" "wanted/$name"
    shift 3
    echo "$*" | sed "s,out=OUT,out=DIRECTORY/$name,; s,out=,&,"
} >> "$1"
job any.jobs reverse reverse.cpu reverse -g 256 -b 64 buf:1K,out=OUT buf:in=a.in
job any.jobs histogram histogram.cpu histogram -g 256 -b 64 buf:1K,out=OUT buf:in=a.in buf:256,out=DIRECTORY/histogram2 lds:256
cp histogram2.cpu wanted/histogram2
for n in 0 1; do job any.jobs flat$n flat$n.cpu flat -g 256 -b 64 buf:1K,out=OUT buf:in=a.in i32:$n; done
job any.jobs odd odd.cpu odd -g 256 -b 64 buf:8256,out=OUT buf:in=in.in
for n in 0 1 17 38 59; do job more.jobs move$n move$n.cpu move -g 64 -b 64 buf:4200,out=OUT buf:in=m.in i32:9 i64:$n; done
job more.jobs null null.cpu null -g 64 -b 64 buf:256,out=OUT buf:in=null.in
job more.jobs own own.cpu own -g 64 -b 64 buf:256,out=OUT i32:2
job more.jobs half a64.in half -g 64 -b 64 buf:256,out=OUT buf:in=a.in
for type in i8 i16 i32 i64 float double; do
    for space in global coarse local flat; do
        job more.jobs ${type}_$space $type.cpu ${type}_$space -g 64 -b 64 "buf:$(stat -c %s $type.cpu),out=OUT" buf:in=$type.a buf:in=$type.b
    done
done

# waits KERNEL COUNT: of the assembly ours.s; without each of COUNT waits something must be wrong
waits() {
    awk -v name="$1" '/^\t\.globl / { other = $2 != name; if (!other) there = 1 } !other; END { exit !there }' ours.s > one.s &&
        ./pending one.s "$2" > message && pass || wrong "$processor $1: waits: $(head -n 3 message)"
}
# run DIRECTORY OBJECT JOBS
run() {
    sed "s,DIRECTORY,$1,g" "$3" > now.jobs
    run_all "$processor" now.jobs "$2" --init=random:1$passed --target="$target"
}
# check DIRECTORY NAME...: that the runs left what is wanted
check() {
    compare_all "$1" wanted
    shift
    for name; do alike "$name" && pass || wrong "$processor $name: $one: $(cmp "$one/$name" "wanted/$name" 2>&1)"; done
}

TARGETS=${TARGETS:-"gfx600 gfx700 gfx803 gfx900 gfx908 gfx90a gfx942 gfx1010 gfx1030 gfx1030:64 gfx1100 gfx1100:64 gfx1201 gfx1201:64 gfx1250"}
for processor in $TARGETS; do
    target=${processor%%:*} wave=${processor#"$target"} && wave=${wave#:}
    features=${wave:+--mattr=+wavefrontsize$wave}
    rm -f ours/* llc/*
    "$LLC" -O2 -mcpu="$target" ${wave:+-mattr=+wavefrontsize$wave} -filetype=obj any.ll -o llc.co 2> /dev/null || rm -f llc.co
    # GFX6 has no flat addresses.
    lacking=
    [ "$target" != gfx600 ] || lacking="flat null i8_flat i16_flat i32_flat i64_flat float_flat double_flat"
    for module in any more; do
        without $module.ll $lacking > now.ll
        awk -v lacking=" $lacking " '!index(lacking, " " $1 " ")' $module.jobs > wanted.jobs
        whole "$processor" now.ll $module.co "$softwave" cc --verify --target="$target" $features
        run ours $module.co wanted.jobs
        [ $module = more ] || [ ! -r llc.co ] || run llc llc.co wanted.jobs
    done
    truncate -cs 4096 ours/move* # what is behind is not looked at
    names="reverse histogram histogram2 flat0 flat1 odd" kernels="reverse histogram flat odd"
    [ -z "$lacking" ] || names="reverse histogram histogram2 odd" kernels="reverse histogram odd"
    check ours $names
    [ ! -r llc.co ] || check llc $names
    check ours $(sed 's/.*DIRECTORY.\([a-z0-9_]*\).*/\1/' wanted.jobs)
    without any.ll $lacking > now.ll
    whole "$processor" now.ll ours.s "$softwave" cc --target="$target" $features -S
    for kernel in $kernels; do waits $kernel 10; done
    whole "$processor" waited.ll ours.s "$softwave" cc --target="$target" $features -S
    for kernel in move i64_global; do waits $kernel 10; done
done

# What GFX6 cannot do is refused by instruction.
target=gfx600 features=
if "$softwave" cc --target=gfx600 -k flat any.ll -o ours.co 2> message; then wrong "a flat address on gfx600"; else
    [ $? -eq 4 ] && grep -q "function @flat: .*a flat address on this processor is not supported" message && pass || wrong "gfx600: $(cat message)"
fi
end_test
