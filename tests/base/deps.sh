#!/bin/sh
# What scripts/deps.sh asks for, by distribution: nothing that is there, nothing of the tests in order to run.
passed=0 failed=0
expect() { # NAME STATUS PATTERN: how the last command ended, and what it must have printed
    if [ $status -eq "$2" ] && echo "$output" | grep -q -e "$3"; then passed=$((passed + 1)); else
        failed=$((failed + 1))
        echo "$1: exit $status, expected $2 with '$3': $output"
    fi
}
refuse() { # NAME PATTERN: what it must not have printed
    if echo "$output" | grep -q -e "$2"; then failed=$((failed + 1)) && echo "$1: '$2' in: $output"; else passed=$((passed + 1)); fi
}
system=$(mktemp) && trap 'rm -f "$system"' EXIT
# No library is to be found: as on a fresh machine.
fresh() { # ID KIND...
    echo "ID=$1" >"$system"
    shift
    output=$(OS_RELEASE=$system PKG_CONFIG_LIBDIR=/nonexistent PKG_CONFIG_PATH= scripts/deps.sh "$@" 2>&1)
    status=$?
}
fresh fedora build
expect "Fedora" 1 'sudo dnf install .*zlib-devel libzstd-devel msgpack-devel libyaml-devel'
refuse "Fedora" 'cmocka\|clang'
fresh '"arch"' build
expect "Arch" 1 'sudo pacman -S --needed .*zlib zstd msgpack-c libyaml'
refuse "Arch" 'cmocka\|clang'
fresh plan9 build
expect "elsewhere" 1 'by their names on Debian: .*libyaml-dev'
fresh fedora build test
expect "Fedora, tests" 1 'libcmocka-devel clang'
# Where the libraries are, however they came there, nothing else is asked for.
echo "ID=arch" >"$system"
output=$(OS_RELEASE=$system scripts/deps.sh build 2>&1)
status=$?
expect "a machine that can build" 0 '^$'
output=$(make -n run 2>&1 | grep 'deps.sh')
status=$?
expect "make run" 0 'scripts/deps.sh build$'

echo "$passed passed, $failed failed, 0 skipped"
[ $failed -eq 0 ]
