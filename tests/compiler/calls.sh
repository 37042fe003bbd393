#!/bin/sh
# SPDX-License-Identifier: MIT
# Functions that call each other, through `softwave cc` on every generation and wave size: those of calls.def, and the
# shapes of control flow as functions that are called. usage: calls.sh [path of softwave]
# CALL-01 to CALL-05, CALL-07 to CALL-19, CALL-22 to CALL-28, CALL-33, CALL-34, CALL-36, CALL-40; CC-01, CC-02, CC-17.
. "$(dirname "$0")/../tools.sh"
begin_test "$@"
for shapes in calls called; do
    SHAPES=$shapes "$here/flow.sh" "$softwave" > out
    sed '$d' out
    set -- $(tail -n 1 out | tr -d ,)
    passed=$((passed + $1)) failed=$((failed + $3)) skipped=$((skipped + $5))
done
end_test
