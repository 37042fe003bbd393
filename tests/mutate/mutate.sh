#!/bin/sh
# Breaks facts of the target, format, descriptor and instruction tables and expects a test to notice each:
# tests/mutate/mutate.sh BUILD-DIR [COUNT [PERCENT]]. A mutant changes one number of src/target/*.{c,def} or of a bit
# picture in src/isa/formats.def, COUNT of each, or a fact of a row in src/isa, PERCENT of them all (see
# mutate_rows.c), or what a row computes, COUNT / 4 of each text (mutate_is.c); a mutant that builds and passes every
# test is a failure. SEED draws them.
# The parts run at once, each with a copy of the sources of its own.
build=$1 count=${2:-10} percent=${3:-1} part=$4 seed=${SEED:-1}
if [ -z "$part" ]; then
    for part in processors formats descriptors rows is; do "$0" "$build" "$count" "$percent" $part >"$build/mutate-$part.log" 2>&1 & done
    wait
    cat "$build"/mutate-processors.log "$build"/mutate-formats.log "$build"/mutate-descriptors.log "$build"/mutate-rows.log \
        "$build"/mutate-is.log
    cat "$build"/mutate-*.log | awk '/^[0-9]+ passed, [0-9]+ failed/ {p += $1; f += $3; n++}
        END {print p + 0 " passed, " f + 0 " failed, 0 skipped"; exit n != 5 || f > 0}'
    exit
fi
work=$build/mutate-$part
rm -rf "$work" && mkdir -p "$work"
passed=0 failed=0
cc="${CC:-cc} -std=gnu17 -D_GNU_SOURCE -O0 -w -Itests -Itests/isa"
libs="-lcmocka $(pkg-config --libs zlib libzstd msgpack yaml-0.1) -lm -lpthread"

# Prints line numbers of candidates, then draws.
draw() { awk -v n="$1" -v seed="$2" 'BEGIN {srand(seed)} {line[NR] = $0} END {for (i = 0; i < n && NR; i++) print line[int(rand() * NR) + 1]}'; }

# Changes one digit run of the given line: the k-th number, of those behind what BEFORE matches, becomes another.
change() { awk -v at="$2" -v pick="$3" -v before="$4" '
    function go(rest, want,  out, n, number) { # want < 0: how many there are
        while (match(rest, /[0-9]+/)) {
            number = substr(rest, RSTART, RLENGTH)
            out = out substr(rest, 1, RSTART - 1)
            if (out ~ before && n++ == want)
                number = (number ~ /^[01]+$/ && length(number) > 1) ? (substr(number, 1, 1) == "0" ? "1" : "0") substr(number, 2) : number + 1
            out = out number
            rest = substr(rest, RSTART + RLENGTH)
        }
        return want < 0 ? n : out rest
    }
    NR != at {print; next}
    {n = go($0, -1); print n ? go($0, pick % n) : $0}' "$1"; }

# verdict NAME COMMAND...: the command, which builds and tests, must fail.
verdict() {
    name=$1
    shift
    if "$@"; then failed=$((failed + 1)) && echo "survived: $name"; else passed=$((passed + 1)); fi
}
# And succeed where nothing is broken: what does not build proves nothing.
sound() {
    if "$@"; then passed=$((passed + 1)); else failed=$((failed + 1)) && echo "fails with nothing broken: $*" && tail -n 3 "$work"/compile.log "$work"/passes.log; fi
}

mkdir -p "$work/src"
cp -r src/base src/target src/isa "$work/src/" && cp -r include "$work/"

compile() { $cc -I"$work/src" -I"$work/include" "$@" $libs 2>"$work/compile.log"; }
# A mutant may never end. Processor time is the same on a busy machine.
passes() { (ulimit -t 60 && exec "$1") >"$work/passes.log" 2>&1; }

# ---- Processors: their entries, and what generations have of registers and memory ----
processors_pass() {
    compile tests/isa/test_processors.c "$work"/src/target/*.c "$build/libsoftwave-all.a" -o "$work/a" &&
        compile tests/isa/test_target.c "$work"/src/target/*.c "$build/libsoftwave-all.a" -o "$work/b" && passes "$work/a" && passes "$work/b"
}
processors() {
    sound processors_pass
    entries src/target/processors.c '^ *(\{\.name = "gfx|IN\(|\.generation = )' "$count"
    facts='F[(](lds_(kib|granule)|[sv]gpr(s|_file|_granule|_encoding)|waves_per|simds_per)[a-z_0-9]*'
    entries src/target/generations.def "$facts" "$(((count + 1) / 2))" "$facts, \$"
}
entries() { # file, lines, how many, what stands before their numbers
    file=$1
    for line in $(grep -nE "$2" $file | cut -d: -f1 | draw "$3" "$seed"); do
        change $file "$line" $((line * 7 + seed)) "$4" >"$work/$file"
        cmp -s $file "$work/$file" && continue
        verdict "$file:$line: $(sed -n "${line}p" "$work/$file")" processors_pass
    done
    cp $file "$work/$file"
}

# ---- Formats ----
formats_pass() {
    compile -DEXPAND "$work"/src/isa/expand.c "$work"/src/isa/rows.c "$work"/src/isa/encode.c "$work"/src/isa/meaning.c "$work"/src/target/*.c \
        "$build/libsoftwave-all.a" -o "$work/expand" &&
        "$work/expand" >"$work/isa_tables.c" 2>/dev/null &&
        compile -Isrc tests/isa/test_isa.c "$work"/isa_tables.c $(ls "$work"/src/isa/*.c | grep -v expand) "$work"/src/target/*.c src/dis/*.c \
            "$build/libsoftwave-all.a" -o "$work/c" && passes "$work/c"
}
formats() {
    file=src/isa/formats.def
    sound formats_pass
    for line in $(grep -nE '^(FORMAT|SUFFIX)\(.*[0-9]' $file | cut -d: -f1 | draw "$count" $((seed + 1))); do
        change $file "$line" $((line * 5 + seed)) >"$work/$file"
        cmp -s $file "$work/$file" && continue
        verdict "$file:$line: $(sed -n "${line}p" "$work/$file")" formats_pass
    done
}

# ---- Kernel descriptors, PAL's registers ----
descriptors_pass() {
    compile "tests/object/$test.c" "$work/src/object/$source.c" "$build/libsoftwave-all.a" -o "$work/d" && passes "$work/d"
}
descriptors() {
    mkdir -p "$work/src/meta" && cp -r src/object "$work/src/" && cp src/meta/* "$work/src/meta/"
    for pair in code/descriptor_fields.def:code/descriptor:test_object_descriptor print/pal_registers.def:print/pal:test_object_forms; do
        file=src/object/${pair%%:*} source=${pair#*:}
        test=${source#*:} source=${source%:*}
        sound descriptors_pass
        for line in $(grep -nE '^[A-Z0-9]+\(' $file | cut -d: -f1 | draw "$count" $((seed + 2))); do
            change $file "$line" $((line * 5 + seed)) >"$work/$file"
            cmp -s $file "$work/$file" && continue
            verdict "$file:$line: $(sed -n "${line}p" "$work/$file")" descriptors_pass
        done
        cp $file "$work/$file"
    done

}

# ---- Rows ----
rows_pass() { sh "$work/check" 2>"$work/check.log" && [ ! -s "$work/failed" ]; }
rows() {
    # Many rows are broken at once; a failing line says which operation it is about.
    $cc -Iinclude -Isrc tests/mutate/golden_rows.c "$build/libsoftwave-all.a" -o "$work/golden" $libs || exit 1
    $cc -Iinclude -Isrc tests/mutate/mutate_rows.c -o "$work/mutate_rows" || exit 1
    "$work/golden" tests/isa/golden --rows | sort >"$work/rows.txt"
    $cc -O1 -c -Iinclude -Isrc tests/mutate/golden_rows.c -o "$work/golden.o" &&
        $cc -O1 -c -Iinclude -Isrc tests/isa/test_facts.c -o "$work/facts.o" &&
        $cc -O1 -c -Iinclude -Isrc tests/asm/test_asm_insn.c -o "$work/insn.o" || exit 1
    for f in src/isa/encode.c src/isa/meaning.c src/target/*.c; do
        $cc -c -DEXPAND -Iinclude -Isrc $f -o "$work/expand-$(basename $f .c).o" || exit 1
    done
    cat >"$work/check" <<END
set -e
$cc -DEXPAND -I$work/src -I$work/include $work/src/isa/expand.c $work/src/isa/rows.c $work/expand-*.o $build/libsoftwave-all.a -lm -o $work/expand
$work/expand > $work/isa_tables.c 2> $work/contradictions
$cc -I$work/src -I$work/include -c $work/isa_tables.c -o $work/isa_tables.o
$cc -I$work/src -I$work/include -c $work/src/isa/rows.c -o $work/rows.o
for t in golden facts insn; do $cc $work/\$t.o $work/isa_tables.o $work/rows.o $build/libsoftwave-all.a -o $work/\$t-mutant $libs; done
$work/golden-mutant tests/isa/golden | sort > $work/lines
join -o 1.2 $work/rows.txt $work/lines | sort -u > $work/failed
$work/facts-mutant --failures >> $work/failed || true
$work/insn-mutant 2>&1 | sed -n 's|^tests/asm/[a-z]*.txt:[0-9]*: \\([a-z0-9_]*\\).*|\\1|p' | sed 's/_e32$\|_e64$\|_dpp$\|_sdwa$//' >> $work/failed
END
    sound rows_pass
    "$work/mutate_rows" src/isa "$work" "$percent" "$seed" "sh $work/check 2> $work/check.log" >"$work/rows.log"
    grep '^survived' "$work/rows.log"
    tail -1 "$work/rows.log"
    passed=$((passed + $(awk '/^batch/ {n += $2 - $3} END {print n + 0}' "$work/rows.log")))
    failed=$((failed + $(awk '/^batch/ {n += $3} END {print n + 0}' "$work/rows.log")))
}

# ---- What rows compute ----
is_pass() { sh "$work/check" && [ ! -s "$work/failed" ]; }
is() {
    # Each text is broken at once; a row that differs says which.
    $cc -I"$work/src" -Iinclude -Isrc tests/mutate/mutate_is.c "$build/libsoftwave-all.a" -o "$work/mutate_is" $libs &&
        $cc -O1 -c -Iinclude -Isrc tests/isa/test_is.c -o "$work/test_is.o" || exit 1
    for f in src/isa/rows.c src/isa/operations.c src/target/*.c; do
        $cc -c -DEXPAND -Iinclude -Isrc $f -o "$work/expand-$(basename $f .c).o" || exit 1
    done
    cat >"$work/check" <<END
rm -f $work/failed
$cc -DEXPAND -I$work/src -Isrc -Iinclude $work/src/isa/select_expand.c $work/expand-*.o $build/libsoftwave-all.a -lm -o $work/expand || exit
$work/expand > $work/select_tables.c 2> $work/messages
expanded=\$?
sed -n 's/^select_expand: \([a-z0-9_]*\):.*/\1/p' $work/messages > $work/refused
[ \$expanded = 0 ] || exit 1
$cc -I$work/src -Iinclude -c $work/select_tables.c -o $work/select_tables.o &&
    $cc $work/test_is.o $work/select_tables.o $build/libsoftwave-all.a -o $work/is-mutant $libs || exit 1
(ulimit -t 300 && exec $work/is-mutant --failures) > $work/failed
[ \$? -le 1 ]
END
    sound is_pass
    "$work/mutate_is" "$work" "$seed" "$(((count + 3) / 4))" "sh $work/check" >"$work/is.log"
    grep '^survived\|names no row' "$work/is.log"
    tail -1 "$work/is.log"
    passed=$((passed + $(awk '/^batch/ {n += $2 - $3} END {print n + 0}' "$work/is.log")))
    failed=$((failed + $(awk '/^batch/ {n += $3} END {print n + 0}' "$work/is.log")))
}

$part
rm -rf "$work"
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ]
