#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs every `sh` block of doc/run-one-kernel.md, in order and in one folder. What it prints on standard output must be the
# `text` block that follows, if there is one. "<!-- needs: TOOL... -->" above a block names what it cannot do without,
# "<!-- exit: N -->" the exit code that its last command has. usage: docs.sh SOFTWAVE
softwave=$(realpath "${1:-build/softwave}")
page=$(realpath "$(dirname "$0")/../../doc/run-one-kernel.md")
passed=0 failed=0 skipped=0
directory=$(mktemp -d) && trap 'rm -r "$directory"' EXIT && cd "$directory" || exit 1
export SOFTWAVE_CACHE= # compiled code is kept nowhere
mkdir bin blocks work && ln -s "$softwave" bin/softwave
# A Python with NumPy may not be the first one.
for python in python3 /usr/bin/python3; do
    "$python" -c 'import numpy' 2> /dev/null && ln -sf "$(command -v "$python")" bin/python3 && break
done
PATH=$directory/bin:$PATH

has() {
    case $1 in
    clang) [ "$(for v in $(seq 40 -1 18); do command -v clang-$v; done)" ] && ls /usr/lib/clc/amdgcn-amd-amdhsa.bc > /dev/null 2>&1 ;;
    llc) [ "$(for v in $(seq 40 -1 18); do command -v llc-$v; done)" ] ;;
    numpy) python3 -c 'import numpy' 2> /dev/null ;;
    *) command -v "$1" > /dev/null ;;
    esac
}

# In the folder blocks: N.sh, N.needs, N.exit, N.text
awk '
/^<!-- needs: / {needs = $0; sub(/^<!-- needs: /, "", needs); sub(/ -->$/, "", needs)}
/^<!-- exit: / {code = $3}
/^```sh$/ {n++; file = "blocks/" n ".sh"; print needs > ("blocks/" n ".needs"); print code + 0 > ("blocks/" n ".exit"); needs = code = ""; printf "" > file; next}
/^```text$/ {file = "blocks/" n ".text"; printf "" > file; next}
/^```$/ {file = ""; next}
file {print > file}' "$page"
count=$(ls blocks/*.sh | wc -l)
[ "$count" -ge 10 ] || { failed=1 && echo "docs.sh: only $count blocks"; }
for n in $(seq "$count"); do
    first=$(grep -m 1 softwave "blocks/$n.sh")
    lacks=
    for tool in $(cat "blocks/$n.needs"); do has "$tool" || lacks="$lacks $tool"; done
    if [ "$lacks" ]; then
        skipped=$((skipped + 1)) && echo "docs.sh: '$first' needs$lacks"
        continue
    fi
    (cd work && sh -e "../blocks/$n.sh") > output 2> error
    got=$?
    if [ $got -ne "$(cat "blocks/$n.exit")" ]; then
        failed=$((failed + 1)) && echo "docs.sh: '$first' ends with $got: $(head -5 error)"
    elif [ -e "blocks/$n.text" ] && ! cmp -s output "blocks/$n.text"; then
        failed=$((failed + 1)) && echo "docs.sh: '$first' prints '$(cat output)'"
    else
        passed=$((passed + 1))
    fi
done
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
