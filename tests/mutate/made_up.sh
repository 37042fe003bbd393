#!/bin/sh
# SPDX-License-Identifier: MIT
# An instruction, a generation and a memory atomic that do not exist, added to a copy of the tree as
# doc/add-an-instruction.md and doc/add-a-generation.md say: the instruction is six files with a line each, and is
# assembled, disassembled and executed; the generation is its row, a processor's entry and golden lines, and moves no
# line of facts.txt; the atomic is eight files with a line each, and does not compile without what it does. Objects of
# BUILD are used where they still fit.
# Usage: tests/mutate/made_up.sh BUILD
. tests/mutate/made_up.inc
cp -a Makefile include src scripts "$work"
mkdir -p "$work/tests" "$work/build/tests"
cp -a tests/isa tests/device tests/*.h tests/*.mk "$work/tests"
for f in src stencils bitcode; do [ ! -d "$build/$f" ] || cp -a "$build/$f" "$work/build"; done
for f in expand_isa isa_tables.c isa_tables.o expand_terascale terascale_tables.c terascale_tables.o collect gather; do
    [ ! -f "$build/$f" ] || cp -a "$build/$f" "$work/build"
done
cd "$work"

passes() { "$@" >test.log 2>&1 && passed=$((passed + 1)) || { grep -E 'expected|got|ERROR|decode' test.log | head -n 20 >&2 && fail "$*"; }; }

# ---- An instruction: row, body, meaning, golden line, line of facts, what it does ----
op=0x3fd name=v_made_up_u32
echo "I($name, $name, .dst = VD(U32), .src = V3(U32, U32, U32), .flags = E64_DPP, .enc = {VOP3(G10($op))})" >>src/isa/vop3.def
echo "TRIOP($name, u32v, (a & b) + c)" >>src/exec/body/int.c
echo "M($name, \"Bitwise AND of two values, then adds the third.\", \"D.u32 = (S0.u32 & S1.u32) + S2.u32\")" >>src/isa/meaning_vector.def
echo "0500fdd701050e04  $name v5, v1, v2, v3" >>tests/isa/golden/gfx1100/vop3.txt
echo "$name | $name gfx1010 | vdst:U32:1 = src0:U32:29 src1:U32:29 src2:U32:29 | exec > | vop3_dpp" >>tests/isa/facts.txt
echo "gfx1010-gfx1200 | $name v5, v1, v2, v3 | v1=12 v2=10 v3=1 | v5=9 | -" >>tests/device/sems.txt
expect "files of an instruction" 6 "$(($(changed src) + $(changed tests/isa) + $(changed tests/device)))"
expect "lines of an instruction" 6 "$(($(lines src '>') + $(lines tests/isa '>') + $(lines tests/device '>')))"
built build/softwave build/tests/test_isa build/tests/test_meaning build/tests/test_facts build/tests/test_traps build/tests/test_sems
passes build/tests/test_isa
passes build/tests/test_facts
MEANING_ONLY=$name passes build/tests/test_meaning
passes build/tests/test_sems
expect "assembled" "$name v5, v1, v2, v3 ; encoding: [0x05,0x00,0xfd,0xd7,0x01,0x05,0x0e,0x04]" \
    "$(echo "$name v5, v1, v2, v3" | build/softwave as --target=gfx1100 --show-encoding - | tail -n 1 | sed 's/^[ \t]*//; s/  *;/ ;/')"
expect "disassembled" "$name v5, v1, v2, v3" "$(echo 0500fdd701050e04 | build/softwave dis --hex --target=gfx1100 - | sed 's/^[ \t]*//')"
timeout 600 build/softwave eval --target=gfx1100 "$name v5, v1, v2, v3" v1=12 v2=10 v3=1 >eval.log
grep -q 'v5 .*9' eval.log || fail "executed: $(cat eval.log)"
passed=$((passed + 1))
sed -i "/$name/d" src/isa/vop3.def src/isa/meaning_vector.def src/exec/body/int.c tests/isa/golden/gfx1100/vop3.txt tests/isa/facts.txt tests/device/sems.txt
expect "files left" 0 "$(($(changed src) + $(changed tests/isa) + $(changed tests/device)))"

# ---- A generation: its row, a processor, golden lines ----
cat >>src/target/generations.def <<'ROW'
GENERATION(GFX13, GFX12, G13, "GCN GFX13 (made up)", F(lds_address_bits, 18))
#define G13(n) OPCODE(GFX13, n)
#define GFX13_CAPS GFX12_CAPS
ROW
sed -i '/{.name = "gfx1201"/i\    {.name = "gfx1300", IN(GFX13,), ISA(13, 0, 0), .elf_mach = 0x7e, .compute_units = 32},' src/target/processors.c
cp -r tests/isa/golden/gfx1201 tests/isa/golden/gfx1300
expect "files of a generation" 2 "$(changed src)"
expect "lines of a generation" 4 "$(lines src '>')"
expect "lines taken away" 0 "$(($(lines src '<') + $(lines tests/isa '<') + $(lines tests/device '<')))"
rm -r build # every file knows of generations, and most know of atomics
quick="BUILD=build OPT=-O0 LEVELS=$(case $(uname -m) in x86_64) echo v2 ;; *) echo plain ;; esac)"

# ---- A memory atomic: operation, what it does, list, row, meaning, golden line, line of facts, reference ----
name=global_atomic_absdiff_u32 before=$(lines src '>')
sed -i 's/^ATOMIC(mskor_b32, /ATOMIC(absdiff_u32, 4, 0) &/' src/isa/atomics.def
sed -i 's/^    X(run, cond_sub_u32)/    X(run, absdiff_u32) X(run, cond_sub_u32)/' src/exec/body/atomic.c
object=build/$([ "$(uname -m)" = x86_64 ] && echo src/exec/body/atomic.v2.o || echo src/exec/body/atomic.plain.o)
! make -s $quick $object >make.log 2>&1 || fail "an atomic that does nothing compiles"
grep -q "DWORD_absdiff_u32.* not handled" make.log || fail "$(cat make.log)"
passed=$((passed + 1))
sed -i 's/^    case DWORD_cond_sub_u32:/    case DWORD_absdiff_u32: return old < src ? src - old : old - src;\n&/' src/exec/body/exchange.h
cat >>src/isa/flat.def <<ROW
I($name, global_atomic, .dst = VD(B32), .src = FLAT_DATA(B32), .atomic = ATOMIC_absdiff_u32, .flags = LOAD | STORE | VM_CNT, .enc = {GLOBAL(G12(0x7f))})
ROW
sed -i 's/^    X(A, B, cond_sub_u32,/    X(A, B, absdiff_u32, "Replaces 32 bits by how far they are from the data", "u32", "t < DATA.u32 ? DATA.u32 - t : t - DATA.u32") \\\n&/' src/isa/meaning_memory.def
echo "7cc01fee000000004dc4fe81  $name v[77:78], v0, off offset:-8257852" >>tests/isa/golden/gfx1201/global.txt
echo "$name | $name gfx1200 | vdst:B32:1 = vaddr:ADDR:1 vdata:B32:1 saddr:SADDR:4 | exec > | load store atomic vm flat" >>tests/isa/facts.txt
sed -i 's/^    case ATOMIC_cond_sub_u32:/    case ATOMIC_absdiff_u32: return o < s ? s - o : o - s;\n&/' tests/device/test_memory_atomic.c
expect "lines of an atomic" 5 "$(($(lines src '>') - before))"
built $quick build/softwave build/tests/test_isa build/tests/test_facts build/tests/test_round_trip build/tests/test_meaning build/tests/test_memory_atomic
passes build/tests/test_isa
passes build/tests/test_facts
passes env ROUND_TRIP_WORDS=1 build/tests/test_round_trip
grep -q '^gfx1300 ' test.log || fail "the round trip leaves the new generation out"
expect "its family" "GCN GFX13 (made up)" "$(build/softwave targets gfx1300 | sed -n 's/^gfx1300: \(.*\), amdgcn.*/\1/p')"
timeout 600 build/softwave eval --target=gfx1300 "v_add_f32 v0, v1, v2" v1=f32:1.5 v2=f32:2 >eval.log
grep -q 'v0 ' eval.log || fail "executed: $(cat eval.log)"
MEANING_ONLY=$name passes build/tests/test_meaning
passes build/tests/test_memory_atomic
expect "disassembled" "$name v[77:78], v0, off offset:-8257852" "$(echo 7cc01fee000000004dc4fe81 | build/softwave dis --hex --target=gfx1300 - | sed 's/^[ \t]*//')"
echo "$((passed + 2)) passed, 0 failed, 0 skipped"
