#!/bin/sh
# SPDX-License-Identifier: MIT
# An option and a function of the HSA runtime that do not exist, added to a copy of the tree as doc/add-an-option.md
# says: each is the lines that the page counts, shows wherever it must, and works. With one of these lines missing, a
# test fails.
# Usage: tests/mutate/made_up_host.sh BUILD
. tests/mutate/made_up.inc
cp -a Makefile include src scripts doc "$work"
mkdir -p "$work/tests" "$work/build"
cp -a tests/cli tests/hsa tests/*.sh tests/*.h tests/*.mk "$work/tests"
cp -a "$build/." "$work/build"
rm -rf "$work/build/logs" "$work/build/tests"
cd "$work"

passes() { "$@" >test.log 2>&1 && passed=$((passed + 1)) || { tail -n 5 test.log >&2 && fail "$*"; }; }
fails() { if "$@" >test.log 2>&1; then fail "passes: $*"; else passed=$((passed + 1)); fi; }

# ---- An option ----
file=src/cli/targets/targets.c
sed -i 's/^enum { JSON, /enum { JSON, LOUD, /
/^    {JSON, 0, "json"/i\    {LOUD, 0, "loud", NULL, "print nothing but a made-up word"},
/^        if (id == SCAN_POSITIONAL && other)/i\        if (id == LOUD) return puts("MADE UP") < 0;' $file
expect "lines of an option" "3 1" "$(lines src '>') $(lines src '<')"
built build/softwave
expect "what it does" "MADE UP" "$(build/softwave targets --loud)"
expect "its help" 1 "$(build/softwave targets --help | grep -c -- '--loud  *print nothing but a made-up word')"
expect "its man page" 1 "$(build/softwave help --man targets | grep -c 'made.*up word')"
expect "its completion" 1 "$(build/softwave completion bash | grep -c -- '--loud')"
passes tests/cli/completion.sh build/softwave
cp "$here/$file" $file

# ---- A function of the HSA runtime ----
if [ ! -e build/hsa/libhsa-runtime64.so.1 ]; then
    echo "skipped: a function of the HSA runtime, which this system does not build"
    echo "$passed passed, 0 failed, 1 skipped"
    exit 0
fi
name=hsa_amd_made_up
cat >>src/hsa/agent/info.c <<C
HSA(status, $name, uint32_t *out) {
    NEED_RUNTIME;
    NEED(out, ST_INVALID_ARGUMENT);
    *out = running()->gpu_count;
    return ST_SUCCESS;
}
C
echo "ENTRY_POINT($name, \"works\", \"later.c\", \"\")" >>src/hsa/entry_points.def
echo "$name ROCR_1 FUNC ours" >>tests/hsa/symbols.txt
echo "// $name" >>tests/hsa/later.c # in place of a call, for the inventory
built build/hsa/libhsa-runtime64.so.1
fails env BUILD=build tests/hsa/hsa_abi.sh # the page has no row
grep -q 'doc/hsa.md' test.log || fail "the message does not name the page"
echo "| $name | works | later.c | |" >>doc/hsa.md
passes env BUILD=build tests/hsa/hsa_abi.sh
expect "lines of a function" "7 1 1" "$(lines src '>') $(lines tests/hsa/symbols.txt '>') $(lines doc '>')"
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
${CC:-cc} client.c -o client build/hsa/libhsa-runtime64.so.1 -Wl,-rpath,"$work/build/hsa" -Wl,-rpath-link,"$work/build"
expect "what it does" "0x100b 0x1001 0 2" "$(SOFTWAVE_GPU='gfx90a;gfx1100' ./client)"
expect "that it is logged" 1 "$(SOFTWAVE_LOG=hsa SOFTWAVE_GPU=gfx1100 ./client 2>&1 | grep -c "$name: refused with 0x1001")"
for file in src/hsa/entry_points.def tests/hsa/symbols.txt tests/hsa/later.c; do
    cp $file saved
    sed -i "/$name/d" $file
    fails env BUILD=build tests/hsa/hsa_abi.sh
    cp saved $file
done
echo "$passed passed, 0 failed, 0 skipped"
