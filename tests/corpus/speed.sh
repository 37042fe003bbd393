#!/bin/sh
# SPDX-License-Identifier: MIT
# speed.sh BUILD FILE: `softwave dis` against llvm-objdump on one code object, output thrown away: processor time
# of the best of five runs each, instructions a second, and whether ours stays below 10 MB of anonymous memory.
set -eu
build=${1:?usage: speed.sh BUILD FILE}
file=${2:?usage: speed.sh BUILD FILE}
objdump=${LLVM_OBJDUMP:-llvm-objdump-22}
best() {
    for _ in 1 2 3 4 5; do
        perf stat -x, -e task-clock "$@" 2>&1 > /dev/null | awk -F, '/task-clock/ { print $1 }'
    done | sort -n | head -1
}
lines=$("$build/softwave" dis "$file" | grep -c '//')
ours=$(best "$build/softwave" dis "$file")
theirs=$(best "$objdump" -d "$file")
echo "$lines $ours $theirs" | awk '{ printf "%d instructions: softwave dis %.0f ms (%.1f M/s), llvm-objdump %.0f ms (%.1f M/s): %.1f times\n",
    $1, $2, $1 / $2 / 1000, $3, $1 / $3 / 1000, $3 / $2 }'
if prlimit --data=10485760 "$build/softwave" dis "$file" > /dev/null; then
    echo "below 10 MB of anonymous memory"
else
    echo "more than 10 MB of anonymous memory"
    exit 1
fi
