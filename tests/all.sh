#!/bin/sh
# Runs every built unit test and every shell test, JOBS at once (default: all cores), the longest first:
# tests/all.sh BUILD-DIR [WHAT...]. Ends with one line of totals. Only WHAT runs: `unit` for the unit tests, the name of a
# folder for its scripts, a unit test's name or FOLDER-NAME for one of them. Each test leaves its output in
# BUILD-DIR/logs/NAME.log (shell tests: FOLDER-NAME.log) and "PASSED FAILED SKIPPED SECONDS" in NAME.total. Its line says
# how many seconds it took, and how many of them on a processor: the latter a busy machine leaves as they are.

# What tests compile is kept nowhere, but where they say so.
export SOFTWAVE_CACHE=
. "$(dirname "$0")/tools.sh"
. "$(dirname "$0")/../scripts/processor.sh"

# Scripts of different folders may have one name.
name_of() {
    case $1 in
    *.sh) echo "$(basename "$(dirname "$1")")-$(basename "$1" .sh)" ;;
    *) basename "$1" ;;
    esac
}

# Unit tests count their cases as cmocka reports them.
run_unit() {
    CMOCKA_MESSAGE_OUTPUT=STDOUT "$test" >"$log" 2>&1
    code=$?
    p=$(sed -n 's/^\[  PASSED  \] \([0-9]*\) test.*/\1/p' "$log" | awk '{s += $1} END {print s + 0}')
    f=$(sed -n 's/^\[  FAILED  \] \([^:]*: \)\{0,1\}\([0-9][0-9]*\) test.*/\2/p' "$log" | awk '{s += $1} END {print s + 0}')
    s=$(sed -n 's/^\[  SKIPPED \] \([^:]*: \)\{0,1\}\([0-9][0-9]*\) test.*/\2/p' "$log" | awk '{s += $1} END {print s + 0}')
}

# Shell tests end with "N passed, N failed, N skipped".
run_shell() {
    SOFTWAVE=$build/softwave BUILD=$build "$test" "$build/softwave" >"$log" 2>&1
    code=$?
    last=$(grep -E '[0-9]+ passed, [0-9]+ failed' "$log" | tail -n 1)
    p=$(echo "$last" | sed -n 's/.*[^0-9]*\b\([0-9][0-9]*\) passed.*/\1/p')
    f=$(echo "$last" | sed -n 's/.* \([0-9][0-9]*\) failed.*/\1/p')
    s=$(echo "$last" | sed -n 's/.* \([0-9][0-9]*\) skipped.*/\1/p')
    p=${p:-0} f=${f:-0} s=${s:-0}
}

# One test: what it counted, in one write, so that the lines of several do not mix.
if [ "$1" = --one ]; then
    build=$2 test=$3
    name=$(name_of "$test")
    log=$build/logs/$name.log
    start=$(date +%s)
    case $test in *.sh) run_shell ;; *) run_unit ;; esac
    [ $code -ne 0 ] && [ "$f" -eq 0 ] && f=1
    [ $code -eq 0 ] && [ "$p" -eq 0 ] && [ "$s" -eq 0 ] && f=1 # a test that ran nothing
    seconds=$(($(date +%s) - start))
    echo "$p $f $s $seconds" >"$build/logs/$name.total"
    times >"$build/logs/$name.times"
    report="$name: $p passed, $f failed, $s skipped ($seconds s, processor $(processor_seconds "$build/logs/$name.times") s)"
    if [ "$f" -gt 0 ]; then
        case $test in
        *.sh) report="$report
$(tail -n 20 "$log")" ;;
        *) report="$report
$(grep -E 'FAILED|ERROR|error|Failure|!=|not equal' "$log" | head -20)" ;;
        esac
    fi
    # Why cases were skipped, in the test's own words.
    [ "$s" -eq 0 ] || report="$report
$(grep -hE '^skipped|skipped: |(is|are) not installed|^no |: no |needs LLVM' "$log" | sort -u | head -n 4 | sed 's/^/    /')"
    printf '%s\n' "$report"
    exit 0
fi

build=$1
shift
only=$*
logs=$build/logs
mkdir -p "$logs"

# As long as no run has left its times, these are known to be the longest, in seconds.
known() {
    case $1 in
    device-tiers | cli-limits | hsa-hsa_hip | compiler-straight | compiler-cc | compiler-kernels | compiler-flow | compiler-random | compiler-intrinsics) echo 45 ;;
    hsa-hsa_plain | hsa-hsa_libraries | terascale-kernels | device-kernels) echo 30 ;;
    asm-as_objects | asm-dwarf | asm-as | asm-metadata | link-ld | device-rocrand | hsa-hsa_gcc | terascale-llc | cli-run | test_round_trip | test_object) echo 15 ;;
    test_object* | test_memory* | test_body* | test_lifetime | cli-*) echo 5 ;;
    *) echo 0 ;;
    esac
}
# asked KIND NAME: whether the test runs
asked() { case " ${only:-$1} " in *" $1 "* | *" $2 "*) ;; *) return 1 ;; esac; }
# "SECONDS KIND NAME TEST" for each test, the longest of the run before first.
list() {
    for t in "$build"/tests/test_* tests/*/*.sh; do
        name=$(name_of "$t") kind=unit
        case $t in *.sh) kind=${name%%-*} ;; esac
        asked "$kind" "$name" || continue
        case $t in *.d | tests/corpus/* | tests/fuzz/* | tests/mutate/* | tests/torture/*) continue ;; */test_sems) continue ;; esac
        if [ -s "$logs/$name.total" ]; then seconds=$(sed 's/.* //' "$logs/$name.total"); else seconds=$(known "$name"); fi
        echo "$seconds $kind $name $t"
    done | sort -rn
}
listed=$(list)
found=" $(echo "$listed" | awk '{print $2, $3}' | tr '\n' ' ') test_sems "
for what in $only; do
    case $found in *" $what "*) ;; *) echo "no test is called $what" && exit 1 ;; esac
done
tests=$(echo "$listed" | awk '{print $4}')
rm -rf "$logs"/*.total "$logs/sems"
mkdir "$logs/sems" && SEMS_DIR=$(realpath "$logs/sems") && export SEMS_DIR
echo "$tests" | xargs -P "${JOBS:-$(nproc)}" -n 1 "$0" --one "$build"
# Last, as it looks at what the others ran.
if [ -x "$build/tests/test_sems" ] && asked unit test_sems; then
    "$0" --one "$build" "$build/tests/test_sems"
    tests="$tests $build/tests/test_sems"
fi

# The line that installs what the skipped ones need; the last line stays that of the totals.
if awk '{s += $3} END {exit s == 0}' "$logs"/*.total && [ -z "$only" ]; then
    echo "Skipped tests need other tools, named above. To install those that this system has: make deps-test"
fi
# How much of the instruction table has a second statement.
grep -h '^pairs of a row' "$logs/test_vectors.log" "$logs/test_pairs.log" 2>/dev/null
missing=0
for t in $tests; do [ -s "$logs/$(name_of "$t").total" ] || missing=$((missing + 1)); done
cat "$logs"/*.total | awk -v missing="$missing" '
    {passed += $1; failed += $2; skipped += $3}
    END {failed += missing; print passed + 0 " passed, " failed + 0 " failed, " skipped + 0 " skipped"; exit failed > 0}'
