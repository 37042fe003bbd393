#!/bin/sh
# SPDX-License-Identifier: MIT
# softwave ld against ld.lld-22: the same bytes for the same inputs and options (OBJ-05, OBJ-15 to OBJ-20,
# OBJ-32, OBJ-36 to OBJ-53); both outputs run alike; what must be refused, with its message and exit code.
# Usage: tests/ld.sh [build/softwave]
bin=$(realpath "${1:-build/softwave}")
here=$(realpath "$(dirname "$0")")/link
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1
passed=0 failed=0 skipped=0
ok() { passed=$((passed + 1)); }
bad() { failed=$((failed + 1)) && echo "FAIL: $*"; }
if ! command -v ld.lld-22 >/dev/null || ! command -v clang-22 >/dev/null; then
    echo "ld.sh: clang-22 or ld.lld-22 is not installed"
    echo "0 passed, 0 failed, 1 skipped"
    exit 0
fi
# ld.lld names itself in .comment, unless told otherwise.
LLD_VERSION="Linker: $("$bin" --version)"
export LLD_VERSION
compile() { clang-22 -w -target amdgcn-amd-amdhsa -nogpulib -c "$@" || exit 1; }
assemble() { llvm-mc-22 -triple=amdgcn-amd-amdhsa -filetype=obj "$@" || exit 1; }

# ---- The same bytes ----
cp "$here"/* .
for f in main other third; do
    compile -O1 -mcpu=gfx90a -ffunction-sections -fdata-sections $f.cpp -o $f.o
    compile -O1 -g -mcpu=gfx90a $f.cpp -o ${f}g.o
    compile -O0 -g -gz -mcpu=gfx90a $f.cpp -o ${f}z.o
done
for f in sections more; do assemble -mcpu=gfx90a $f.s -o $f.o; done
llvm-ar-22 rcs some.a other.o third.o more.o
llvm-ar-22 rcs debug.a thirdg.o otherg.o
# same [!] ARG...: both write the same bytes, or with "!" both refuse.
same() {
    refused=0
    [ "$1" = "!" ] && refused=1 && shift
    rm -f our.so their.so
    ld.lld-22 "$@" -o their.so 2>their.err
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

echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
