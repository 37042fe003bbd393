#!/bin/sh
# SPDX-License-Identifier: MIT
# The torture programs of a build, SECONDS each; SEED for another run than the last.
# usage: run.sh BUILD SECONDS [SEED]
build=$1 seconds=$2 seed=${3:-$(date +%s)}
failed=0
for program in kernels objects; do
    "$build/torture/$program" "$seconds" "$seed" || {
        echo "torture: $program failed with seed $seed"
        failed=1
    }
done
exit $failed
