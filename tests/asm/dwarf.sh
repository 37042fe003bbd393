#!/bin/sh
# SPDX-License-Identifier: MIT
# Debug information: objects equal to llvm-mc-22's byte for byte, for line tables and frames of every DWARF
# version, for sizes that depend on later text, for -g, and for what clang writes with debug information; and
# what readers make of them. Usage: tests/asm/dwarf.sh [build/softwave]
. "$(dirname "$0")/../tools.sh"
bin=${1:-build/softwave}
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
passed=0 failed=0 skipped=0
ok() { passed=$((passed + 1)); }
bad() { failed=$((failed + 1)) && echo "FAIL: $*"; }

# object CPU FILE [OPTION...]: both assemble FILE to the same bytes.
object() {
    cpu=$1 file=$2
    shift 2
    if ! timeout 60 $LLVM_MC -triple=amdgcn-amd-amdhsa -mcpu="$cpu" "$@" -filetype=obj "$file" -o "$dir/llvm.o" 2>"$dir/llvm.err"; then
        bad "$file $cpu $*: llvm-mc refuses: $(grep -m1 error "$dir/llvm.err")"
    elif ! timeout 20 "$bin" as --target="$cpu" "$@" "$file" -o "$dir/our.o" 2>"$dir/our.err"; then
        bad "$file $cpu $*: refused: $(grep -m1 error "$dir/our.err")"
    elif cmp -s "$dir/llvm.o" "$dir/our.o"; then
        ok
    else
        bad "$file $cpu $*: the objects differ"
    fi
}

need_llvm_22 $LLVM_MC $CLANG $LD_LLD

# .file, .loc, .cfi_* (DW-32, DW-37 to DW-40).
for f in tests/asm/dwarf/lines*.s tests/asm/dwarf/frames*.s tests/asm/dwarf/sizes_rows.s; do
    for v in 2 3 4 5; do object gfx900 "$f" -dwarf-version=$v -I tests/asm; done
    object gfx1100 "$f" -I tests/asm
done

# Sizes that depend on later text; branches over 63 words on GFX10.1.
for f in tests/asm/dwarf/sizes*.s; do object gfx90a "$f"; done
for cpu in gfx1010 gfx1012 gfx1030; do
    for f in tests/asm/dwarf/branches*.s; do object $cpu "$f"; done
done
awk 'BEGIN { print ".data"
    for (i = 0; i < 3000; i++) printf ".uleb128 E%d-B%d\nB%d: .zero 62\nE%d:\n", i + 1, i, i, i
    print ".uleb128 128\n.uleb128 128\nE3000:" }' >"$dir/chain.s"
object gfx900 "$dir/chain.s"
awk 'BEGIN { print ".file 1 \"a.c\"\n.cfi_startproc"
    for (i = 0; i < 50000; i++) printf ".loc 1 %d %d\ns_nop 0\n.cfi_def_cfa_offset %d\n", i % 5000, i % 80, i
    print ".cfi_endproc" }' >"$dir/many.s"
object gfx900 "$dir/many.s"
awk 'BEGIN { for (i = 1; i < 5000; i++) printf ".file %d \"d%d\" \"n%d.c\"\n.loc %d %d\ns_nop 0\n", i, i, i, i, i }' >"$dir/files.s"
object gfx900 "$dir/files.s" -dwarf-version=5

# A listing takes the same text.
for f in tests/asm/dwarf/*.s; do
    timeout 20 "$bin" as --target=gfx1010 --show-encoding -I tests/asm -I tests/asm/dwarf "$f" >"$dir/list" 2>"$dir/our.err" && ok ||
        bad "listing of $f: $(grep -m1 error "$dir/our.err")"
done

# -g: only the maker's name is our own.
own="--producer=llvm-mc (based on LLVM $($LLVM_MC --version | sed -n 's/.*LLVM version //p'))"
described() {
    file=$1
    shift
    $LLVM_MC -triple=amdgcn-amd-amdhsa -mcpu=gfx1100 -g "$@" -filetype=obj "$file" -o "$dir/llvm.o" 2>/dev/null
    if ! timeout 20 "$bin" as --target=gfx1100 -g "$own" "$@" "$file" -o "$dir/our.o" 2>"$dir/our.err"; then
        bad "-g $file $*: refused: $(grep -m1 error "$dir/our.err")"
    elif cmp -s "$dir/llvm.o" "$dir/our.o"; then
        ok
    else
        bad "-g $file $*: the objects differ"
    fi
}
for v in 2 3 4 5; do
    for f in tests/asm/dwarf/source*.s; do described "$f" -dwarf-version=$v -I tests/asm/dwarf; done
    described "$PWD/tests/asm/dwarf/source_one.s" -dwarf-version=$v
    described tests/asm/dwarf/source_one.s -dwarf-version=$v -fdebug-compilation-dir=/elsewhere
done
"$bin" as --target=gfx1100 -g tests/asm/dwarf/source_one.s -o "$dir/our.o" &&
    $LLVM_DWARFDUMP --debug-info "$dir/our.o" | grep -q 'DW_AT_producer.*"softwave [0-9]' && ok || bad "the maker's name"
own=

# What clang writes with -g, and what readers say of the linked result.
readable() {
    $LD_LLD -shared "$dir/our.o" -o "$dir/our.so" 2>/dev/null || bad "$1: does not link"
    for f in our.o our.so; do
        $LLVM_DWARFDUMP --verify "$dir/$f" 2>&1 | grep -q 'No errors' && ok || bad "$1: $f: llvm-dwarfdump --verify"
    done
    if command -v eu-readelf >/dev/null; then # libdw
        eu-readelf --debug-dump=decodedline "$dir/our.so" >"$dir/rows" 2>"$dir/complaints"
        [ ! -s "$dir/complaints" ] && grep -q "$2" "$dir/rows" && ok || bad "$1: libdw: $(head -1 "$dir/complaints")"
    else
        skipped=$((skipped + 1))
    fi
}
compiled() { # CPU SOURCE OPTION...
    cpu=$1 source=$2
    shift 2
    case $source in
    *.cl) set -- -x cl -cl-std=CL2.0 -target amdgcn-amd-amdhsa -mcpu=$cpu -nogpulib "$@" ;;
    *.hip) set -- -x hip --cuda-device-only -nogpulib -nogpuinc --offload-arch=$cpu "$@" ;;
    *) set -- -target amdgcn-amd-amdhsa -mcpu=$cpu "$@" ;;
    esac
    # Split units go beside the text.
    if (cd "$dir" && timeout 60 $CLANG -w "$@" -S "$OLDPWD/$source" -o clang.s 2>clang.err); then
        object $cpu "$dir/clang.s"
    else
        bad "$source $*: $(head -1 "$dir/clang.err")"
    fi
}
for cpu in gfx803 gfx90a gfx1010 gfx1030 gfx1100 gfx1201; do
    for source in tests/asm/dwarf/shapes.c tests/asm/dwarf/shapes.cpp tests/asm/dwarf/shapes.hip bench/kernels.cl; do
        compiled $cpu $source -O2 -g
        case $cpu$source in gfx90a*shapes*) readable $source shapes ;; esac
        compiled $cpu $source -O0 -gdwarf-4
        case $cpu$source in gfx1100*shapes*) readable $source shapes ;; esac
    done
    compiled $cpu tests/asm/dwarf/shapes.cpp -O1 -gdwarf-5 -gembed-source
    compiled $cpu tests/asm/dwarf/shapes.hip -O1 -g -gsplit-dwarf
    compiled $cpu tests/asm/dwarf/shapes.c -O1 -gline-tables-only -gdwarf-2
done
# Compressed debug sections (SHF_COMPRESSED) say what plain ones say, in objects and in what is linked of them.
lines() { "$bin" dis -l "$1" 2>"$dir/err" | grep -v 'file format'; }
$CLANG -w -x c -target amdgcn-amd-amdhsa -mcpu=gfx90a -O1 -g -c tests/asm/dwarf/shapes.c -o "$dir/plain.o"
lines "$dir/plain.o" >"$dir/plain"
grep -q '^; .*shapes.c:[0-9]' "$dir/plain" && ok || bad "no lines of plain debug information"
"$bin" ld -shared "$dir/plain.o" -o "$dir/plain.so" || bad "plain debug information does not link"
for method in zlib zstd; do
    if ! $LLVM_OBJCOPY --compress-debug-sections=$method "$dir/plain.o" "$dir/small.o" 2>/dev/null; then
        skipped=$((skipped + 1))
        continue
    fi
    $LLVM_READELF -SW "$dir/small.o" | grep -q '\.debug_line .* C ' && ok || bad "$method: nothing was compressed"
    lines "$dir/small.o" | cmp -s - "$dir/plain" && ok || bad "$method: other lines: $(head -1 "$dir/err")"
    "$bin" ld -shared "$dir/small.o" -o "$dir/small.so" && cmp -s "$dir/small.so" "$dir/plain.so" && ok || bad "$method: links to something else"
    # The payload damaged: a message, no lines.
    at=$($LLVM_READELF -SW "$dir/small.o" | sed -n 's/.*\.debug_line *PROGBITS *[0-9a-f]* *\([0-9a-f]*\).*/\1/p')
    printf '\377\377\377\377\377\377\377\377' | dd of="$dir/small.o" bs=1 seek=$((0x$at + 26)) conv=notrunc 2>/dev/null
    "$bin" obj --lines "$dir/small.o" >/dev/null 2>"$dir/err"
    grep -q 'debug_line.*the compressed data is damaged' "$dir/err" && ok || bad "$method: damage: $(head -1 "$dir/err")"
    "$bin" ld -shared "$dir/small.o" -o "$dir/small.so" 2>"$dir/err"
    grep -q 'the compressed data is damaged' "$dir/err" && ok || bad "$method: damage in ld: $(head -1 "$dir/err")"
done
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed = 0 ]
