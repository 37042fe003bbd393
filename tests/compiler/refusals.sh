#!/bin/sh
# SPDX-License-Identifier: MIT
# What is refused (refusals.txt) is named with function, instruction and source line, exit code 4; what is refused of a whole
# function, with the line where it begins. usage: refusals.sh [path of softwave]
. "$(dirname "$0")/../tools.sh"
begin_test "$@"
need_llvm_22 "${OPT:-opt-22}"
need_reader
awk '/^; gfx/ { n++; name = sprintf("%03d", n); split(substr($0, 3), h, " [|] "); print name, h[1], h[2], h[3] > "list"; next }
    n && !/^;/ { print > name ".ll" }
    n && /^define/ && h[2] > 0 { print "  fence syncscope(\"singlethread\") acquire" > name ".ll" }' "$here/refusals.txt"
while read -r name processor line what; do
    "${OPT:-opt-22}" -mtriple=amdgcn-amd-amdhsa -passes=debugify -S "$name.ll" -o located.ll 2> message || { wrong "$what: opt: $(head -n 2 message)" && continue; }
    "$softwave" cc --target="$processor" -c located.ll -o out.o 2> message
    status=$?
    case $line in
        -) wanted="^located.ll: error: $what is not supported" ;;
        0) wanted="^$name.ll:1: error: function @f: $what is not supported" ;;
        *) wanted="^$name.ll:$((line + 1)):1: error: function @f: '.*': $what is not supported" ;;
    esac
    wanted=$(echo "$wanted" | sed 's/[<>()"]/./g')
    if [ $status = 4 ] && sed "s,^/.*/,," message | grep -q "$wanted"; then pass; else wrong "$what: exit $status, expected '$wanted': $(head -n 1 message)"; fi
done < list
[ "$passed" -gt 25 ] || wrong "only $passed are refused"
end_test
