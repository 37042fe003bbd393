#!/bin/sh
# SPDX-License-Identifier: MIT
# softwave ld against ld.lld-22: the same bytes for the same inputs and options (OBJ-05, OBJ-15 to OBJ-20,
# OBJ-32, OBJ-36 to OBJ-53); both outputs run alike; what must be refused, with its message and exit code.
# Usage: tests/link/ld.sh [build/softwave]
. "$(dirname "$0")/../tools.sh"
bin=$(realpath "${1:-build/softwave}")
here=$(realpath "$(dirname "$0")")/inputs
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1
passed=0 failed=0 skipped=0
ok() { passed=$((passed + 1)); }
bad() { failed=$((failed + 1)) && echo "FAIL: $*"; }
need_llvm_22 $LD_LLD $CLANG $LLVM_MC
# ld.lld names itself in .comment, unless told otherwise.
LLD_VERSION="Linker: $("$bin" --version)"
export LLD_VERSION
compile() { $CLANG -w -target amdgcn-amd-amdhsa -nogpulib -c "$@" || exit 1; }
assemble() { $LLVM_MC -triple=amdgcn-amd-amdhsa -filetype=obj "$@" || exit 1; }

# ---- The same bytes ----
cp "$here"/* .
for f in main other third; do
    compile -O1 -mcpu=gfx90a -ffunction-sections -fdata-sections $f.cpp -o $f.o
    compile -O1 -g -mcpu=gfx90a $f.cpp -o ${f}g.o
    compile -O0 -g -gz -mcpu=gfx90a $f.cpp -o ${f}z.o
done
for f in sections more; do assemble -mcpu=gfx90a $f.s -o $f.o; done
$LLVM_AR rcs some.a other.o third.o more.o
$LLVM_AR rcs debug.a thirdg.o otherg.o
# same [!] ARG...: both write the same bytes, or with "!" both refuse.
same() {
    refused=0
    [ "$1" = "!" ] && refused=1 && shift
    rm -f our.so their.so
    $LD_LLD "$@" -o their.so 2>their.err
    theirs=$?
    timeout 20 "$bin" ld "$@" -o our.so 2>our.err
    ours=$?
    if [ $refused = 1 ]; then
        if [ $theirs -ne 0 ] && [ $ours -eq 2 ]; then ok; else bad "ld $*: exit $ours, ld.lld $theirs"; fi
    elif [ $theirs -ne 0 ] || [ $ours -ne 0 ]; then
        bad "ld $*: exit $ours, ld.lld $theirs: $(head -1 our.err) $(head -1 their.err)"
    elif cmp -s our.so their.so; then
        ok
    else
        bad "ld $*: the outputs differ: $(cmp our.so their.so)"
    fi
}
while read -r line; do
    case $line in '#'* | '') continue ;; esac
    # shellcheck disable=SC2086
    same $line
done <cases.txt

# Symbols of the command line, and the map.
cat > def1.s << 'S'
 .text
 .globl f
 .protected f
 .type f,@function
f: s_nop 0
 s_add_u32 s0, s0, g@rel32@lo+4
 s_endpgm
 .size f, .-f
local: s_endpgm
 .data
 .globl v
v: .quad w
 .quad outside
 .section .rodata.str1.1,"aMS",@progbits,1
 .asciz "hello"
S
cat > def2.s << 'S'
 .text
 .globl g
 .hidden g
g: s_nop 1
 s_endpgm
 .bss
 .globl w
w: .zero 16
 .comm c1, 8, 8
 .section .text.two,"ax",@progbits
 .globl two
two: s_endpgm
 .section .rodata.str1.1,"aMS",@progbits,1
 .asciz "lo"
 .asciz "hello"
S
printf '.text\n.globl lib\n.type lib,@function\nlib: s_nop 3\n s_endpgm\n' > def3.s
for f in def1 def2 def3; do assemble -mcpu=gfx90a $f.s -o $f.o; done
$LLVM_AR rcs def.a def3.o
for options in '' '--defsym=alias=f+4 --defsym=new=w' '--defsym=x=f --defsym=y=lib def.a' '--defsym d=w-f --defsym=sum=4+alias-f --defsym=alias=f+8' \
    '--defsym=f=0x10 -Bsymbolic' '--defsym=c2=c1 --gc-sections' '--defsym=f2=f -s' '--whole-archive def.a --defsym=n=-4' '-g --defsym=end_of=v+16 main.o otherg.o some.a -O2'; do
    # shellcheck disable=SC2086
    same -shared --defsym=outside=0x1234 def1.o def2.o ${options#-g} -Map=map
    # shellcheck disable=SC2086
    $LD_LLD -shared --defsym=outside=0x1234 def1.o def2.o ${options#-g} -Map=their.map -o their.so 2> /dev/null
    # shellcheck disable=SC2086
    "$bin" ld -shared --defsym=outside=0x1234 def1.o def2.o ${options#-g} -Map=our.map -o our.so
    if cmp our.map their.map; then ok; else bad "-Map with $options"; diff our.map their.map | head -n 4; fi
done
if [ "$("$bin" ld -M def1.o def2.o -o our.so | head -n 1)" = "$(head -n 1 our.map)" ]; then ok; else bad "-M"; fi
same ! -shared def1.o def2.o --defsym=a=nothing
same ! -shared def1.o def2.o --defsym=a
same ! -shared def1.o def2.o --defsym=a=
same ! -shared def1.o def2.o --defsym=a=f+
same ! -shared def1.o def2.o --defsym==f
"$bin" ld def1.o def2.o --defsym='a=2*3' -o our.so 2> our.err
if [ $? = 2 ] && grep -q "only sums and differences" our.err; then ok; else bad "--defsym with a product"; fi

# Relocatable output: the sections, relocations and symbols of ld.lld's. It keeps empty notes, groups and LLVM's own tables, which are
# left out here, and relocations of no type, which it then refuses to link.
facts() {
    $LLVM_READELF -SW "$1" | sed -n 's/^ *\[ *[0-9]*\] \(\S*\) *\(\S*\) *[0-9a-f]* [0-9a-f]* \([0-9a-f]*\) \([0-9a-f]*\) .* \([0-9]*\)$/\1 \2 \3 \4 \5/p' |
        grep -v 'COMMON\|GNU-stack\|^.symtab\|^.strtab\|^.shstrtab\|GROUP\|addrsig\|^.rela.debug' | sort
    $LLVM_READELF -rW "$1" | grep R_AMDGPU | grep -v NONE | awk '{print $1, $3, $4, $5, $6, $7}' | sort
    $LLVM_READELF -sW "$1" | awk 'NR > 3 && $4 != "SECTION" {print $2, $3, $4, $5, $6, $8}' | sort
}
partly() {
    $LD_LLD -r "$@" -o their.o && "$bin" ld -r "$@" -o our.o || { bad "ld -r $*"; return; }
    facts their.o > their.txt
    facts our.o > our.txt
    if [ -s our.txt ] && cmp -s our.txt their.txt; then ok; else bad "ld -r $*: $(diff our.txt their.txt | head -n 4)"; fi
    # Both linkers make the same of it, also once more.
    same -shared our.o
    "$bin" ld -r our.o -o again.o && facts again.o > their.txt
    if cmp -s our.txt their.txt; then ok; else bad "ld -r of ld -r $*: $(diff our.txt their.txt | head -n 4)"; fi
}
partly def1.o def2.o
partly main.o other.o third.o
partly maing.o otherg.o thirdg.o
partly mainz.o otherz.o thirdz.o
partly sections.o more.o
partly main.o some.a sections.o
partly def1.o def2.o def.a
partly --whole-archive def.a def1.o def2.o
# What is linked in two steps is loaded as what is linked in one: the same code behind every symbol.
"$bin" ld -r def1.o def2.o -o whole.o && "$bin" ld whole.o def3.o -o our.so && "$bin" ld def1.o def2.o def3.o -o their.so
if cmp -s our.so their.so; then ok; else bad "a link in two steps"; fi
"$bin" ld -r -S maing.o otherg.o -o our.o
if $LLVM_READELF -SW our.o | grep -q debug; then bad "ld -r -S"; else ok; fi

# Random files under random options; RANDOM_SEED and RANDOM_CASES for others and more.
if command -v python3 >/dev/null; then
    mkdir random
    (cd random && python3 "$here/random_links.py" "$bin" "${RANDOM_SEED:-1}" "${RANDOM_CASES:-40}") >random.txt || bad "random links: $(cat random.txt)"
    passed=$((passed + $(sed -n 's/^\([0-9]*\) same, \([0-9]*\) refused.*/\1 + \2/p' random.txt)))
else
    skipped=$((skipped + 1)) && echo "skipped: python3 is not installed"
fi

# What GCC's offload compiler links, with its own libraries: thousands of members, objects of LLVM 13.
gcn=/usr/lib/gcc/x86_64-linux-gnu/12/accel/amdgcn-amdhsa
for variant in "" /gfx900 /gfx906 /gfx908; do
    if [ ! -f $gcn$variant/crt0.o ]; then
        skipped=$((skipped + 1)) && echo "skipped: gcc-12-offload-amdgcn is not installed"
        continue
    fi
    for options in "" --gc-sections "-O2 --no-export-dynamic"; do
        # shellcheck disable=SC2086
        same --pie --export-dynamic $options -z undefs $gcn$variant/crt0.o -L$gcn$variant -L$gcn -lgomp -lgcc -lc -lgcc
    done
done

# clang drives it as its own linker.
printf '#!/bin/sh\nexec "%s" ld "$@"\n' "$bin" >linker
chmod +x linker
for how in "" -flto "-Wl,--gc-sections -O3"; do
    # shellcheck disable=SC2086
    $CLANG -w -O1 -target amdgcn-amd-amdhsa -mcpu=gfx1030 -nogpulib $how main.cpp other.cpp third.cpp --ld-path="$dir/linker" -o driven.so 2>driven.err
    status=$?
    if [ "$how" = -flto ]; then
        if grep -q 'unsupported: LLVM bitcode' driven.err && [ $status -ne 0 ]; then ok; else bad "clang -flto: $(head -2 driven.err)"; fi
    elif [ $status -eq 0 ] && "$bin" obj driven.so >obj.txt && grep -q second obj.txt; then
        ok
    else
        bad "clang $how: $(head -2 driven.err)"
    fi
done

# ---- Linked programs run: both linkers' and, from text, as + ld + run alone ----
# shows NAME EXPECTED ARG...: softwave run prints EXPECTED.
shows() {
    name=$1 expected=$2
    shift 2
    got=$(timeout 20 "$bin" run -j1 -g 64 -b 64 "$@" 2>&1)
    if [ "$got" = "$expected" ]; then ok; else bad "$name: run prints '$got', expected '$expected'"; fi
}
runs() { # NAME FILE
    shows "$1" "@0: 1 18 208 12 112" -k first "$2" buf:20,fill=i32:1,show=i32:5
    shows "$1" "@0: 107 1 1 1" -k second "$2" buf:16,fill=i32:1,show=i32:4
}
for cpu in gfx803 gfx900 gfx906 gfx90a gfx942 gfx950 gfx1010 gfx1030 gfx1100 gfx1151 gfx1201 gfx9-generic \
    gfx9-4-generic gfx10-3-generic gfx11-generic gfx12-generic; do
    mkdir -p $cpu
    for f in main other third; do
        compile -O1 -S -mcpu=$cpu $f.cpp -o $cpu/$f.s
        assemble -mcpu=$cpu $cpu/$f.s -o $cpu/$f.o
        timeout 20 "$bin" as --target=$cpu $cpu/$f.s -o $cpu/$f.our.o || bad "$cpu: as refuses $f.s"
    done
    same -shared $cpu/main.o $cpu/other.o $cpu/third.o
    runs "$cpu ld.lld" their.so
    runs "$cpu ld" our.so
    if timeout 20 "$bin" ld -shared $cpu/main.our.o $cpu/other.our.o $cpu/third.our.o -o text.so; then
        runs "$cpu as and ld" text.so
    else
        bad "$cpu: ld refuses what as wrote"
    fi
done

# ---- What has to be refused, and how ----
# refused STATUS TEXT ARG...: ld exits with STATUS, TEXT is in its message, and it writes nothing.
refused() {
    status=$1 text=$2
    shift 2
    rm -f no.so
    timeout 20 "$bin" ld -o no.so "$@" >out.txt 2>&1
    got=$?
    if [ $got -ne "$status" ] || ! grep -qF -e "$text" out.txt || [ -e no.so ]; then
        bad "ld $*: exit $got, expected $status with '$text': $(head -2 out.txt)"
    else
        ok
    fi
}
text() { # NAME CPU [OPTION...]: standard input to NAME.o
    name=$1 cpu=$2
    shift 2
    $LLVM_MC -triple=amdgcn-amd-amdhsa -mcpu="$cpu" "$@" -filetype=obj -o "$name.o" - || bad "$name is not assembled"
}
echo '.globl f
f: s_nop 0' | text plain gfx90a
echo '.globl f
f: s_nop 0' | text again gfx90a
echo 's_nop 0' | text other_processor gfx942
echo '.amdgcn_target "amdgcn-amd-amdhsa--gfx90a:xnack+"
s_nop 0' | text xnack_on gfx90a -mattr=+xnack
echo '.amdgcn_target "amdgcn-amd-amdhsa--gfx90a:xnack-"
s_nop 0' | text xnack_off gfx90a -mattr=-xnack
echo '.amdgcn_target "amdgcn-amd-amdhsa--gfx90a:sramecc+"
s_nop 0' | text ecc_on gfx90a -mattr=+sramecc
echo '.amdgcn_target "amdgcn-amd-amdhsa--gfx90a:sramecc-"
s_nop 0' | text ecc_off gfx90a -mattr=-sramecc
echo '.amdhsa_code_object_version 5
s_nop 0' | text version_5 gfx90a
echo 's_nop 0' | $LLVM_MC -triple=amdgcn-amd-amdpal -mcpu=gfx90a -filetype=obj -o pal.o -
refused 2 'incompatible processor: it is for gfx942, but plain.o for gfx90a' plain.o other_processor.o
refused 2 'incompatible xnack: it is for gfx90a:xnack-' xnack_on.o xnack_off.o
refused 2 'incompatible sramecc' ecc_off.o ecc_on.o
refused 2 'incompatible ABI version 3, but plain.o has 4' plain.o version_5.o
refused 2 'OS ABI 65, but plain.o has 64' plain.o pal.o
refused 2 'again.o: error: duplicate symbol: f, first defined in plain.o' plain.o again.o
same -shared plain.o xnack_on.o
same -shared xnack_on.o plain.o ecc_off.o
same -shared xnack_off.o ecc_on.o
same -shared version_5.o
same -shared pal.o
same ! -shared plain.o other_processor.o
same ! -shared xnack_on.o xnack_off.o
same ! -shared plain.o version_5.o
# Generic processors carry a version in e_flags (OBJ-10).
echo 's_nop 0' | text generic gfx9-generic
cp generic.o generic2.o
printf '\002' | dd of=generic2.o bs=1 seek=51 conv=notrunc 2>/dev/null
same -shared generic.o
same ! -shared generic.o generic2.o
refused 2 'incompatible generic version 2, but generic.o has 1' generic.o generic2.o
# The metadata may not name another target than the code.
$CLANG -w -x cl -c -target amdgcn-amd-amdhsa -mcpu=gfx90a -nogpulib -o note.o - <<'CL'
kernel void k(global int *p) { *p = 1; }
CL
sed 's/amdhsa--gfx90a/amdhsa--gfx906/' note.o >note_wrong.o
refused 2 'amdhsa.target: the metadata is for gfx906, the link for gfx90a' note_wrong.o

# Relocations (OBJ-40 to OBJ-51) that cannot be.
echo '.hidden g
s_getpc_b64 s[0:1]
s_add_u32 s0, s0, g@rel32@lo+4' | text needs_hidden gfx90a
refused 2 'needs_hidden.o: error: .text: undefined hidden symbol: g, referenced at 0x8' needs_hidden.o
echo 's_getpc_b64 s[0:1]
s_add_u32 s0, s0, g@rel32@lo+4' | text needs_default gfx90a
refused 2 "R_AMDGPU_REL32_LO at 0x8 cannot be used against symbol 'g'" needs_default.o
refused 2 'undefined symbol: g' --no-undefined needs_default.o
echo 's_add_u32 s0, s0, g@gotpcrel32@lo+4' | text needs_slot gfx90a
same -shared needs_slot.o
refused 2 'undefined symbol: g' -z defs needs_slot.o
refused 2 'undefined symbol: g' -pie needs_slot.o
echo '.section .rodata,"a",@progbits
.quad g' | text constant gfx90a
refused 2 'R_AMDGPU_ABS64 at 0x0 cannot be used against symbol '"'g'"': the section is read-only' constant.o
same -shared -z notext constant.o
echo '.data
.long g' | text short gfx90a
refused 2 'R_AMDGPU_ABS32 at 0x0 cannot be used against symbol' short.o
echo '.globl n
.hidden n
n = 0x123456789' | text number gfx90a
echo '.data
.long n' | text number_user gfx90a
refused 2 'out of range: 0x123456789 does not fit 32 bits' number.o number_user.o
echo 's_branch far
.fill 40000, 4, 0
.section .text.far,"ax",@progbits
.globl far
.hidden far
far: s_endpgm' | text branch gfx90a
refused 2 "to 'far' is out of range: 0x9c40 does not fit 16 bits" branch.o
same ! -shared branch.o

echo '.type i,@gnu_indirect_function
.globl i
i: s_endpgm' | text indirect gfx90a
refused 2 'indirect.o: error: i: GPU code has neither indirect functions' indirect.o

# More sections than 16 bits can number, some with the numbers of special ones.
awk 'BEGIN { for (i = 0; i < 65600; i++) printf ".section s%d,\"aw\",@progbits\n.globl v%d\nv%d: .quad v%d\n", i, i, i, i * 7 % 65600 }' |
    text many gfx90a
same -shared many.o
same -shared -O2 -Bsymbolic --gc-sections many.o

# Inputs that are none.
printf 'BC\300\336....................' >bitcode.o
refused 4 'unsupported: LLVM bitcode' bitcode.o
refused 4 'unsupported: a shared object as input' text.so
# Thin archives name their members, from their own folder on.
mkdir -p folder/below && cp other.o folder/a_member_with_a_rather_long_name.o && cp third.o folder/below/
(cd folder && $LLVM_AR rcs --thin thin.a a_member_with_a_rather_long_name.o below/third.o ../more.o)
(cd folder && $LLVM_AR rcS --thin "$OLDPWD/bare.a" "$PWD/below/third.o")
same -shared main.o folder/thin.a
same -shared main.o --whole-archive folder/thin.a
same -shared main.o "$PWD/folder/thin.a" bare.a
same -shared main.o other.o --whole-archive bare.a
rm folder/below/third.o
refused 2 'folder/thin.a: error: cannot open the member folder/below/third.o' --whole-archive folder/thin.a
printf '!<thin>\n//                                              12        `\n/dev/zero/\n\n/0              0           0     0     644     8         `\n' >device.a
refused 2 'cannot open the member /dev/zero' --whole-archive device.a
printf '!<thin>\n' >thin.a
refused 2 'no object to link' thin.a
head -c 300 some.a >cut.a
refused 2 'cut.a: error: no proper header of an archive member' --whole-archive cut.a
refused 2 'neither an ELF object nor an archive' cases.txt
refused 2 'unable to find library -lnothing' -L . -lnothing
refused 2 'cannot open' nothing.o
refused 2 'no object to link' some.a
refused 1 'unknown option --frobnicate' --frobnicate plain.o
refused 1 'unknown option -z frobnicate' -z frobnicate plain.o
refused 1 'no input files'
refused 4 'unsupported: linker scripts' -T script plain.o
printf '{ a b; };' >wrong.script
refused 2 'wrong.script:1: error' --version-script=wrong.script plain.o
printf 'V1 { a; };' >wrong.script
refused 2 'no version names' --version-script=wrong.script plain.o
head -c 200 plain.o >cut.o
refused 2 'cut.o' cut.o

# ---- Arguments ----
printf -- "-shared\n'plain.o' \"xnack_on.o\"\n" >arguments
"$bin" ld @arguments -o a.so && "$bin" ld -shared plain.o xnack_on.o -o b.so
if cmp -s a.so b.so; then ok; else bad "response file"; fi
mkdir -p lib && cp some.a lib/libsome.a
"$bin" ld -Llib main.o -lsome -o a.so && "$bin" ld -L lib -shared main.o -l:libsome.a -o b.so
if cmp -s a.so b.so; then ok; else bad "-l"; fi
if "$bin" ld --version | grep -q '^softwave ld .*GNU'; then ok; else bad "--version"; fi
if "$bin" ld --help | grep -q '^examples'; then ok; else bad "--help"; fi
if [ "$(cd "$dir" && "$bin" ld plain.o -o - | head -c 4 | od -An -c | tr -d ' ')" = '177ELF' ]; then ok; else bad "-o -"; fi

# ---- LDS variables of several files (OBJ-33), which ld.lld does not know ----
cat >lds1.s <<'S'
.globl buffer
.amdgpu_lds buffer, 64, 16
.amdgpu_lds after, 8, 8
.globl k
.p2align 8
.type k,@function
k:
 s_load_dwordx2 s[0:1], s[0:1], 0x0
 v_mov_b32 v0, 0
 v_mov_b32 v2, buffer@abs32@lo
 v_mov_b32 v3, other@abs32@lo
 v_mov_b32 v4, after@abs32@lo
 s_waitcnt lgkmcnt(0)
 ds_write_b32 v3, v3
 s_waitcnt lgkmcnt(0)
 ds_read_b32 v5, v3
 s_waitcnt lgkmcnt(0)
 global_store_dwordx4 v0, v[2:5], s[0:1]
 s_endpgm
.size k, .-k
.rodata
.p2align 6
.amdhsa_kernel k
 .amdhsa_next_free_vgpr 8
 .amdhsa_next_free_sgpr 8
 .amdhsa_accum_offset 8
 .amdhsa_user_sgpr_kernarg_segment_ptr 1
.end_amdhsa_kernel
.amdgpu_metadata
amdhsa.kernels:
  - .name: k
    .symbol: k.kd
    .kernarg_segment_size: 8
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 8
    .vgpr_count: 8
    .max_flat_workgroup_size: 64
    .args:
      - {.address_space: global, .offset: 0, .size: 8, .value_kind: global_buffer}
amdhsa.target: amdgcn-amd-amdhsa--gfx90a
amdhsa.version: [1, 2]
.end_amdgpu_metadata
S
sed -i 's/^.rodata/.section .rodata,"a",@progbits/' lds1.s
cat >lds2.s <<'S'
.globl other
.amdgpu_lds other, 16, 32
.globl buffer
.amdgpu_lds buffer, 128, 32
S
for f in lds1 lds2; do "$bin" as --target=gfx90a $f.s -o $f.o || bad "as $f.s"; done
"$bin" ld lds1.o lds2.o -o lds.so
# buffer is the larger of both declarations at 0, other behind it at its alignment, the local one last.
shows "LDS" "@0: 0 128 144 128" -k k lds.so buf:16,show=u32:4
size=$($LLVM_READELF -s lds.so | awk '$NF == "buffer" { print $2, $3, $7; exit }')
if [ "$size" = "0000000000000000 128 ABS" ]; then ok; else bad "LDS symbol: $size"; fi

echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
