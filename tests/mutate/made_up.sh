#!/bin/sh
# SPDX-License-Identifier: MIT
# The recipes of CONTRIBUTING, followed to the letter: an instruction, a generation, a memory atomic, an option and a
# function of the HSA runtime that do not exist are added to one copy of the tree (BUILD/made_up) as doc/add-an-instruction.md,
# doc/add-a-generation.md and doc/add-an-option.md say. Each is as many lines as its page counts. The copy is built, each
# made-up thing does what it is made for, the tests that look at tables, options and functions pass, and with a line missing a
# test names what to add.
# Usage: tests/mutate/made_up.sh BUILD
set -eu
build=${1:?usage: $(basename "$0") BUILD}
mkdir -p "$build"
here=$PWD work=$(realpath "$build")/made_up passed=0 skipped=0
rm -rf "$work"
mkdir "$work"
find . -mindepth 1 -maxdepth 1 ! -name .git ! -name 'build*' ! -name "${build%%/*}" -exec cp -a -t "$work" {} +
cd "$work"
# One level, as sanitizers have it: what is new is in the tables, and `make test` has all tiers. Also where a test makes something.
case $(${CC:-cc} -dumpmachine) in x86_64*) level=v2 ;; *) level=plain ;; esac
export MAKEFLAGS="BUILD=build LEVELS=$level OPT=-O1"

fail() {
    echo "$*" >&2
    exit 1
}
expect() { # what, expected, found
    [ "$2" = "$3" ] || fail "$1: expected '$2', found '$3'"
    passed=$((passed + 1))
}
# Lines that the copy has more ('>') or less ('<') than the tree, since `begin`; files that differ.
begin() { rm -rf "$work.before" && mkdir "$work.before" && cp -a src tests doc "$work.before"; }
more() { (diff -rN "$work.before/$1" "$1" || true) | grep -c '^>' || true; }
less() { (diff -rN "$work.before/$1" "$1" || true) | grep -c '^<' || true; }
files() { (diff -rq "$work.before/$1" "$1" || true) | wc -l; }
made() { make -j"$(nproc)" "$@" >make.log 2>&1; }
built() { made "$@" || { tail -n 20 make.log >&2 && fail "make $*"; }; }

# ---- Recipe: an instruction, one line in each of seven files ----
begin
vector=v_made_up_u32
echo "I($vector, $vector, .dst = VD(U32), .src = V3(U32, U32, U32), .flags = E64_DPP, .enc = {VOP3(G10(0x3fd))})" >>src/isa/vop3.def
echo "TRIOP($vector, u32v, (a & b) + c)" >>src/exec/body/int.c
echo "M($vector, \"Bitwise AND of two values, then adds the third.\", \"D.u32 = (S0.u32 & S1.u32) + S2.u32\")" >>src/isa/meaning_vector.def
echo "0500fdd701050e04  $vector v5, v1, v2, v3" >>tests/isa/golden/gfx1100/vop3.txt
echo "$vector | $vector gfx1010 | vdst:U32:1 = src0:U32:29 src1:U32:29 src2:U32:29 | exec > | vop3_dpp" >>tests/isa/facts.txt
echo "gfx1010-gfx1200 | $vector v5, v1, v2, v3 | v1=12 v2=10 v3=1 | v5=9 | -" >>tests/device/sems.txt
echo "$vector VOP3 32 2f0 vdst=105,src0=101,src1=102,src2=103 v1=c v2=a v3=1 exec_lo=1 > v5=9 @ gfx1010" >>tests/pseudocode/vectors.txt
expect "files, lines of an instruction" "7 7 0" "$(($(files src) + $(files tests))) $(($(more src) + $(more tests))) $(($(less src) + $(less tests)))"

# ---- Recipe: a generation, its row with a column and capabilities, a processor, and what the tests say of that ----
begin
cat >>src/target/generations.def <<'ROW'
GENERATION(GFX13, GFX12, G13, "GCN GFX13 (made up)", F(lds_address_bits, 18))
#define G13(n) OPCODE(GFX13, n)
#define GFX13_CAPS GFX12_CAPS
ROW
sed -i '/{.name = "gfx1201"/i\    {.name = "gfx1300", IN(GFX13,), ISA(13, 0, 0), .elf_mach = 0x7e, .compute_units = 32},' src/target/processors.c
sed -i '/{"TGT-51", "gfx1201"/i\    {"TGT-51", "gfx1300", "", "dGPU", 0x7e, "cumode wavefrontsize64", "HP", ""},
/{GFX12, "GCN GFX12 (RDNA 4)"/i\        {GFX13, "GCN GFX13 (made up)", "gfx1300=32 "},
s/^#define IN_GFX12   "/&gfx1300 /' tests/isa/test_processors.c
cp -r tests/isa/golden/gfx1201 tests/isa/golden/gfx1300
expect "files, lines of a generation" "2 4 0" "$(files src) $(more src) $(less src)"
expect "lines of its processor in the tests" "3 1" "$(more tests/isa/test_processors.c) $(less tests)"

# ---- Recipe: a memory atomic ----
begin
atomic=global_atomic_absdiff_u32
sed -i 's/^ATOMIC(mskor_b32, /ATOMIC(absdiff_u32, 4, 0) &/' src/isa/atomics.def
sed -i 's/^    X(run, cond_sub_u32)/    X(run, absdiff_u32) X(run, cond_sub_u32)/' src/exec/body/atomic.c
object=build/src/exec/body/atomic.$level.o
! made $object || fail "an atomic that does nothing compiles"
grep -q "DWORD_absdiff_u32.* not handled" make.log || fail "$(cat make.log)"
passed=$((passed + 1))
sed -i 's/^    case DWORD_cond_sub_u32:/    case DWORD_absdiff_u32: return old < src ? src - old : old - src;\n&/' src/exec/body/exchange.h
cat >>src/isa/flat.def <<ROW
I($atomic, global_atomic, .dst = VD(B32), .src = FLAT_DATA(B32), .atomic = ATOMIC_absdiff_u32, .flags = LOAD | STORE | VM_CNT, .enc = {GLOBAL(G12(0x7f))})
ROW
sed -i 's/^    X(A, B, cond_sub_u32,/    X(A, B, absdiff_u32, "Replaces 32 bits by how far they are from the data", "u32", "t < DATA.u32 ? DATA.u32 - t : t - DATA.u32") \\\n&/' src/isa/meaning_memory.def
echo "7cc01fee000000004dc4fe81  $atomic v[77:78], v0, off offset:-8257852" >>tests/isa/golden/gfx1201/global.txt
echo "$atomic | $atomic gfx1200 | vdst:B32:1 = vaddr:ADDR:1 vdata:B32:1 saddr:SADDR:4 | exec > | load store atomic vm flat" >>tests/isa/facts.txt
sed -i 's/^    case ATOMIC_cond_sub_u32:/    case ATOMIC_absdiff_u32: return o < s ? s - o : o - s;\n&/' tests/device/test_memory_atomic.c
echo "$atomic GLOBAL 32 2f0 th=1,vdst=102,vaddr=106,vdata=10a,saddr=7c v6=L8000 v7=H0 v10=5 exec_lo=1 [0]=7 > v2=7 [0]=2 @ gfx1200 gfx1250" >>tests/pseudocode/vectors.txt
expect "files, lines of an atomic" "9 9 2" "$(($(files src) + $(files tests))) $(($(more src) + $(more tests))) $(less src)"

# ---- Recipe: an option ----
begin
sed -i 's/^enum option { TARGET, /enum option { LOUD, TARGET, /
/^    {TARGET, 0, "target"/i\    {LOUD, 0, "loud", NULL, "print nothing but a made-up word"},
/^        case TARGET: /i\        case LOUD: return puts("MADE UP") < 0;' src/cli/isa/isa.c
expect "lines of an option" "3 1" "$(more src) $(less src)"

# ---- Recipe: a function of the HSA runtime, one function and three lines, and a test ----
begin
function=hsa_amd_made_up
cat >>src/hsa/agent/info.c <<C
HSA(status, $function, uint32_t *out) {
    NEED_RUNTIME;
    NEED(out, ST_INVALID_ARGUMENT);
    *out = running()->gpu_count;
    return ST_SUCCESS;
}
C
echo "ENTRY_POINT($function, \"works\", \"later.c\", \"\")" >>src/hsa/entry_points.def
echo "| $function | works | later.c | |" >>doc/hsa.md
echo "$function ROCR_1 FUNC ours" >>tests/hsa/symbols.txt
echo "// $function" >>tests/hsa/later.c # in place of a call, for the inventory: the client below calls it
expect "lines of a function" "7 1 1" "$(more src) $(more tests/hsa/symbols.txt) $(more doc)"

# ---- What they do ----
built all tests-built
expect "assembled" "$vector v5, v1, v2, v3 ; encoding: [0x05,0x00,0xfd,0xd7,0x01,0x05,0x0e,0x04]" \
    "$(echo "$vector v5, v1, v2, v3" | build/softwave as --target=gfx1100 --show-encoding - | tail -n 1 | sed 's/^[ \t]*//; s/  *;/ ;/')"
expect "disassembled" "$vector v5, v1, v2, v3" "$(echo 0500fdd701050e04 | build/softwave dis --hex --target=gfx1100 - | sed 's/^[ \t]*//')"
timeout 600 build/softwave eval --target=gfx1300 "$vector v5, v1, v2, v3" v1=12 v2=10 v3=1 >eval.log
grep -q 'v5 .*9' eval.log || fail "executed: $(cat eval.log)"
passed=$((passed + 1))
expect "its family" "GCN GFX13 (made up)" "$(build/softwave targets gfx1300 | sed -n 's/^gfx1300: \(.*\), amdgcn.*/\1/p')"
expect "disassembled" "$atomic v[77:78], v0, off offset:-8257852" "$(echo 7cc01fee000000004dc4fe81 | build/softwave dis --hex --target=gfx1300 - | sed 's/^[ \t]*//')"
expect "what the option does" "MADE UP" "$(build/softwave isa --loud)"
expect "its help" 1 "$(build/softwave isa --help | grep -c -- '--loud  *print nothing but a made-up word')"
expect "its man page" 1 "$(build/softwave help --man isa | grep -c 'made.*up word')"
expect "its completion" 1 "$(build/softwave completion bash | grep -c -- '--loud')"
runtime=build/hsa/libhsa-runtime64.so.1
if [ -e $runtime ]; then
    cat >client.c <<'C'
#include <stdint.h>
#include <stdio.h>
int hsa_init(void), hsa_amd_made_up(uint32_t *);
int main(void) {
    uint32_t gpus = 0;
    const int early = hsa_amd_made_up(&gpus);
    if (hsa_init()) return 1;
    const int refused = hsa_amd_made_up(0), done = hsa_amd_made_up(&gpus);
    printf("0x%x 0x%x %d %u\n", early, refused, done, gpus);
    return 0;
}
C
    ${CC:-cc} client.c -o client $runtime -Wl,-rpath,"$work/build/hsa" -Wl,-rpath-link,"$work/build"
    expect "what the function does" "0x100b 0x1001 0 2" "$(SOFTWAVE_GPU='gfx90a;gfx1300' ./client)"
    expect "that it is logged" 1 "$(SOFTWAVE_LOG=hsa SOFTWAVE_GPU=gfx1100 ./client 2>&1 | grep -c "$function: refused with 0x1001")"
    rm client.c client
else
    echo "skipped: a function of the HSA runtime, which this system does not build"
    skipped=1
fi

# ---- What the tree tests ----
# What goes over the rows of the tables, processors, options and functions. Scripts that compare known lines, objects and programs
# with other tools see nothing of what is new: they run in `make test`.
rm -f make.log eval.log
# shellcheck disable=SC2046
tests/all.sh build base cli-completion cli-docs cli-errors cli-isa_cli cli-targets hsa-hsa_abi \
    $(ls tests/asm tests/base tests/device tests/hsa tests/isa tests/link tests/object tests/pseudocode tests/terascale tests/texel |
        sed -n 's/^\(test_.*\)\.c$/\1/p' | grep -vE '_tiers$|^test_(anywhere|cut|guests|share|tier_up|transfer|trial|wave_loop)$') >tests.log 2>&1 || { grep -B 1 -A 20 -E '[1-9][0-9]* failed' tests.log | head -n 200 && fail "tests fail where made-up things are; logs: $work/build/logs"; }
grep -v ' 0 skipped ' tests.log
grep -q '^gfx1300 ' build/logs/test_round_trip.log || fail "the round trip leaves the new generation out"
passed=$((passed + 1))

# ---- A line less: what says so, and with which words ----
# without FILE PATTERN WORDS COMMAND...: FILE without the lines of PATTERN, until COMMAND has failed
without() {
    file=$1 pattern=$2 words=$3
    shift 3
    cp -p "$file" saved
    sed -i "/$pattern/d" "$file"
    case $file in *.c) [ "$1" = made ] || built "$1" ;; esac
    if BUILD=build SOFTWAVE=build/softwave CMOCKA_MESSAGE_OUTPUT=STDOUT "$@" >wrong.log 2>&1; then fail "$* passes without '$pattern' in $file"; fi
    [ "$1" != made ] || mv make.log wrong.log
    cp saved "$file" # newer than what was built without the line
    grep -q -- "$words" wrong.log || { tail -n 20 wrong.log >&2 && fail "$* does not say '$words' without '$pattern' in $file"; }
    passed=$((passed + 1))
}
# Every body is run by a test, but for what a line less does not run.
bodies_run() {
    rm -rf sems && mkdir sems && (grep -L "^$vector\$" build/logs/sems/* | xargs -r cp -t sems)
    SEMS_DIR=$PWD/sems build/tests/test_traps && SEMS_DIR=$PWD/sems build/tests/test_sems
}
without tests/isa/facts.txt "^$vector " "test_facts --write.*$vector" build/tests/test_facts
without tests/isa/golden/gfx1100/vop3.txt "  $vector " "$vector has no line in tests/isa/golden" build/tests/test_isa
without tests/isa/golden/gfx1201/global.txt "  $atomic " "$atomic has no line in tests/isa/golden" build/tests/test_isa
without tests/device/sems.txt " $vector " "$vector: no test runs its body.* tests/device/sems.txt" bodies_run
without tests/pseudocode/vectors.txt "^$vector \|^$atomic " "$atomic: add a line to tests/pseudocode/vectors.txt" build/tests/test_pairs
mv tests/isa/golden/gfx1300 saved_golden
! build/tests/test_isa >wrong.log 2>&1 || fail "no golden lines of gfx1300, and test_isa passes"
grep -q "the generation of gfx1300 has a folder in tests/isa/golden" wrong.log || fail "$(tail -n 20 wrong.log)"
mv saved_golden tests/isa/golden/gfx1300
without tests/isa/test_processors.c '"gfx1300", "' 'gfx1300 has no row in tests/isa/test_processors.c' build/tests/test_processors
without tests/device/test_memory_atomic.c ATOMIC_absdiff_u32 'absdiff_u32 has no case in reference() of tests/device/test_memory_atomic.c' \
    build/tests/test_memory_atomic
if [ -e $runtime ]; then
    for file in src/hsa/entry_points.def tests/hsa/symbols.txt doc/hsa.md tests/hsa/later.c; do
        without $file "$function" "$function" tests/hsa/hsa_abi.sh
    done
fi
without src/cli/isa/isa.c "^        case LOUD:" "LOUD.* not handled" made WERROR=-Werror build/src/cli/isa/isa.o
without src/isa/meaning_vector.def "^M($vector" "$vector" made build/softwave
without src/exec/body/int.c "^TRIOP($vector" "$vector" made build/softwave
skipped=$((skipped + $(tail -n 1 tests.log | sed -n 's/.* \([0-9]*\) skipped$/\1/p')))
tail -n 1 tests.log | sed 's/^/tests of the tree: /'
cd "$here" && rm -rf "$work" "$work.before"
echo "$passed passed, 0 failed, $skipped skipped"
