#!/bin/sh
# The HSA runtime's binary interface: numbers and layouts against the headers of its clients, the functions that
# it exports against those of AMD's library, the rows of entry_points.def, the tests that they name and the table
# in doc/hsa.md. usage: hsa_abi.sh
build=${BUILD:-build}
library=$build/hsa/libhsa-runtime64.so.1
passed=0 failed=0 skipped=0
check() { # NAME GOT EXPECTED
    if [ "$2" = "$3" ]; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "$1: got '$2', expected '$3'"; fi
}
scratch=$(mktemp -d) && trap 'rm -r "$scratch"' EXIT || exit 1
[ -e "$library" ] || { echo "no $library: this system does not build it"; echo "0 passed, 0 failed, 1 skipped"; exit 0; }

nm -D --defined-only "$library" | awk '{print $3}' | sort > "$scratch/symbols"
check "symbols without their version" "$(grep -v '@@ROCR_1$' "$scratch/symbols" | grep -v '^ROCR_1$')" ""
sed -n 's/^\(hsa_.*\)@@ROCR_1$/\1/p' "$scratch/symbols" > "$scratch/exported"
check "names that are not hsa_*" "$(sed 's/@@.*//' "$scratch/symbols" | grep -v '^hsa_' | tr '\n' ' ')" "ROCR_1 _amdgpu_r_debug "
sed -n 's/^ENTRY_POINT(\([a-z_0-9]*\),.*/\1/p' src/hsa/entry_points.def | sort > "$scratch/rows"
check "functions without a row, and rows without a function" "$(comm -3 "$scratch/exported" "$scratch/rows")" ""
sed -n 's/^ENTRY_POINT(\([a-z_0-9]*\), "\(.*\)", "\(.*\)", "\(.*\)")$/| \1 | \2 | \3 | \4 |/p' src/hsa/entry_points.def |
    sed 's/ |  |$/ | |/' > "$scratch/table"
check "rows that are written otherwise" "$(wc -l < "$scratch/table")" "$(wc -l < "$scratch/rows")"
grep '^| hsa_' doc/hsa.md > "$scratch/documented"
check "the table in doc/hsa.md" "$(diff "$scratch/table" "$scratch/documented")" ""
check "states that do not exist" "$(cut -d'|' -f3 "$scratch/table" | sort -u | grep -v -x ' works \| kept \| no effect \| refuses ')" ""
# The test that a row names calls the function, by its name or with an order pasted to it.
uncalled=
while IFS='|' read -r _ name _ test _; do
    name=${name# } name=${name% } test=${test# } test=${test% }
    grep -q "\b$name\b" "tests/hsa/$test" 2>/dev/null && continue
    stem=$(echo "$name" | sed -E 's/_(relaxed|acquire|release|acq_rel|scacquire|screlease|scacq_screl)$/_/')
    grep -q "\b$stem##order\b" "tests/hsa/$test" 2>/dev/null || uncalled="$uncalled $name:$test"
done < "$scratch/table"
check "functions that their test does not call" "$uncalled" ""
check "of the rest of the tree it needs the library above it alone" "$(readelf -d "$library" | sed -n 's/.*(NEEDED).*\[\(.*softwave.*\)\]/\1/p; s/.*(RUNPATH).*\[\(.*\)\]/\1/p' | tr '\n' ' ')" 'libsoftwave.so.0 $ORIGIN/.. '
check "stays loaded" "$(readelf -d "$library" | grep -c NODELETE)" 1
# Clients that load it late have no room for that.
check "needs no static thread-local storage" "$(readelf -d "$library" | grep -c STATIC_TLS)" 0
check "both names" "$(readlink "$build/hsa/libhsa-runtime64.so")" libhsa-runtime64.so.1

if [ -e /usr/include/hsa/hsa_ext_amd.h ]; then
    check "numbers and layouts" "$(${CC:-cc} -std=gnu17 -fsyntax-only -w -iquote src tests/hsa/abi.c 2>&1)" ""
else
    echo "skipped: numbers and layouts, as libhsa-runtime-dev is not installed"
    skipped=$((skipped + 1))
fi
# NAME VERSION TYPE: what some version of AMD's library exports, and with it the few names of ours.
grep -v '^#' tests/hsa/symbols.txt | cut -d' ' -f1-3 | sort > "$scratch/listed"
exported() { readelf -W --dyn-syms "$1" | sed -n 's/@@/ /p' | awk '$7 != "UND" && $8 != $9 {print $8, $9, $4}' | sort; }
exported "$library" > "$scratch/ours"
check "symbols of tests/hsa/symbols.txt that the library lacks" "$(comm -13 "$scratch/ours" "$scratch/listed")" ""
check "symbols that the list lacks" "$(comm -23 "$scratch/ours" "$scratch/listed")" ""
check "symbols of the list" "$([ "$(wc -l < "$scratch/listed")" -ge 270 ] && sort -u "$scratch/listed" | wc -l)" "$(wc -l < "$scratch/listed")"

theirs=$(ls /usr/lib/*/libhsa-runtime64.so.1 2>/dev/null | head -n 1)
if [ -n "$theirs" ]; then
    exported "$theirs" > "$scratch/theirs"
    check "what AMD's library exports and ours does not" "$(comm -13 "$scratch/ours" "$scratch/theirs")" ""
else
    echo "skipped: names against AMD's library, which is not installed"
    skipped=$((skipped + 1))
fi
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
