#!/bin/sh
# A test program of googletest in shares on one machine, with GNU parallel:
#   suite.sh SHARES PROGRAM ARGUMENT...
#   ./junit.py results.xml SHARES results
shares=$1
shift
mkdir -p results
program=$1
shift
export GTEST_TOTAL_SHARDS="$shares"
seq 0 $((shares - 1)) | parallel --quote --jobs "${JOBS:-100%}" env GTEST_SHARD_INDEX={} \
    softwave exec -j1 --gpu="${GPU:-gfx90a}" -- "$program" --gtest_output=xml:results/{}.xml "$@"
