#!/bin/sh
# A kernel does not steer the runtime (reach.c): each case in a process of its own. Also that only reach.c knows the
# layouts of what kernels can write. usage: hsa_reach.sh [softwave]
. "$(dirname "$0")/jobs.inc"
[ -e /usr/include/hsa/hsa_ext_amd.h ] || skip_all "libhsa-runtime-dev is not installed"
only_reach() { # NAME PATTERN: in no file of the runtime but reach.*
    found=$(grep -rlE --include='*.[ch]' "$2" "$sources/../../src/hsa" | sed 's|.*/src/hsa/||' | grep -v reach_layout)
    if [ "$found" = signal/reach.c ]; then echo "ok $1"; else echo "failed: $1: $(echo $found)"; fi
}
job only_reach "the layouts are included by reach.c alone" 'include "hsa/signal/reach_layout.h"'
job only_reach "handles are not made pointers" 'struct (amd_signal|amd_queue|aql_queue) \*\)\(uintptr_t\)|struct (amd_signal|amd_queue|aql_queue) \{'
client reach || exit 1
"$softwave" as --target=gfx90a "$sources/poke.s" -o poke.o && "$softwave" ld poke.o -o poke.co || exit 1
for name in $(LD_LIBRARY_PATH="$build/hsa" ./reach); do
    job cases gfx90a "$scratch/reach" "$scratch/poke.co" "$name"
done
finish
