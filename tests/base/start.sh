#!/bin/sh
# What a process pays before it does anything: tables that the loader has to write page by page when it begins.
# Compilers that link without RELR have the same data there.
# The command and the library that it is linked with count together.
# usage: start.sh SOFTWAVE, with BUILD set
set -eu
passed=0 failed=0
expect() { # what, limit, found
    if [ "$3" -le "$2" ]; then passed=$((passed + 1)); else failed=$((failed + 1)) && echo "$1: at most $2, found $3"; fi
}
# Bytes of a section that is written at the start, of both files.
section() {
    for file in "$1" "$library"; do
        readelf -SW "$file" | sed -n "s/^ *\[ *[0-9]*\] \.\($2\) *[A-Z]* *[0-9a-f]* [0-9a-f]* \([0-9a-f]*\) .*/0x\2/p"
    done | { total=0; while read -r n; do total=$((total + n)); done; echo $total; }
}
library=${BUILD:-build}/libsoftwave.so
expect "bytes of tables with addresses" 500000 "$(section "$1" 'data\.rel\.ro')"
expect "bytes of other data" 8192 "$(section "$1" data)"
expect "rows of instructions that have addresses" 0 "$(nm "$library" | grep -c ' [dD] isa_rows$' || true)"
expect "libraries without rows of instructions" 0 "$(nm "$library" | grep -c ' isa_rows$' | grep -cx 0 || true)"
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ]
