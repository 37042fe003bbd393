#!/bin/sh
# Prints the LLVM tools to use, one line: scripts/llvm.sh OLDEST TOOL..., where OLDEST is the oldest major version that will
# do. Names are those of the first version that has all tools: LLVM (a major version) if that is set, else 22, which the
# tests' golden lines are of, else the newest. Prints nothing and fails if there is none.
oldest=$1
shift

# Names with the version, as Debian has them, or bare ones of that version, as Fedora and Arch have them.
tools_of() { # MAJOR TOOL...
    major=$1 names=
    shift
    for tool in "$@"; do
        if command -v "$tool-$major" >/dev/null; then
            names="$names $tool-$major"
        elif "$tool" --version 2>/dev/null | grep -qE "(version|LLD) $major\."; then
            names="$names $tool"
        else
            return 1
        fi
    done
    echo "${names# }"
}

bare=$("$1" --version 2>/dev/null | sed -nE 's/.*(version|LLD) ([0-9]+)\..*/\2/p' | head -n 1)
for major in ${LLVM:-22 $(seq 40 -1 "$oldest")}; do
    [ "$major" -ge "$oldest" ] || continue
    # Most versions are not there: no process is started for them.
    command -v "$1-$major" >/dev/null || [ "$major" = "$bare" ] || continue
    tools_of "$major" "$@" && exit
done
exit 1
