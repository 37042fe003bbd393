#!/bin/sh
# Runs every built unit test and every shell test: tests/all.sh BUILD-DIR [unit]. Ends with one line of
# totals. With `unit` only the unit tests run.
build=$1 only=$2
passed=0 failed=0 skipped=0
mkdir -p "$build/logs"

# Unit tests count their cases as cmocka reports them.
for t in "$build"/tests/test_*; do
    case $t in *.d) continue ;; esac
    name=$(basename "$t")
    log=$build/logs/$name.log
    start=$(date +%s)
    CMOCKA_MESSAGE_OUTPUT=STDOUT "$t" >"$log" 2>&1
    code=$?
    p=$(sed -n 's/^\[  PASSED  \] \([0-9]*\) test.*/\1/p' "$log" | awk '{s += $1} END {print s + 0}')
    f=$(sed -n 's/^\[  FAILED  \] [^:]*: \([0-9]*\) test.*/\1/p' "$log" | awk '{s += $1} END {print s + 0}')
    s=$(sed -n 's/^\[  SKIPPED \] [^:]*: \([0-9]*\) test.*/\1/p' "$log" | awk '{s += $1} END {print s + 0}')
    [ $code -ne 0 ] && [ "$f" -eq 0 ] && f=1
    [ $code -eq 0 ] && [ "$p" -eq 0 ] && [ "$s" -eq 0 ] && f=1 # a test program that ran nothing
    passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + s))
    echo "$name: $p passed, $f failed, $s skipped ($(($(date +%s) - start)) s)"
    [ "$f" -gt 0 ] && grep -E 'FAILED|ERROR|error|Failure|!=|not equal' "$log" | head -20
done

# Shell tests end with "N passed, N failed, N skipped".
for t in tests/*.sh; do
    [ "$only" = unit ] && break
    name=$(basename "$t" .sh)
    case $name in all | includes | mutate) continue ;; esac
    log=$build/logs/$name.log
    start=$(date +%s)
    SOFTWAVE=$build/softwave BUILD=$build "$t" "$build/softwave" >"$log" 2>&1
    code=$?
    last=$(grep -E '[0-9]+ passed, [0-9]+ failed' "$log" | tail -n 1)
    p=$(echo "$last" | sed -n 's/.*[^0-9]*\b\([0-9][0-9]*\) passed.*/\1/p')
    f=$(echo "$last" | sed -n 's/.* \([0-9][0-9]*\) failed.*/\1/p')
    s=$(echo "$last" | sed -n 's/.* \([0-9][0-9]*\) skipped.*/\1/p')
    p=${p:-0} f=${f:-0} s=${s:-0}
    [ $code -ne 0 ] && [ "$f" -eq 0 ] && f=1
    [ $code -eq 0 ] && [ "$p" -eq 0 ] && [ "$s" -eq 0 ] && f=1
    passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + s))
    echo "$name: $p passed, $f failed, $s skipped ($(($(date +%s) - start)) s)"
    [ "$f" -gt 0 ] && tail -n 20 "$log"
done

echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
