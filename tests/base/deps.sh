#!/bin/sh
# What scripts/deps.sh asks for, by distribution: nothing that is there, nothing of the tests in order to run, and only
# packages that the system has. Nothing but `make run` and `make deps` installs anything.
unset LLVM
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
scratch=$(mktemp -d) && trap 'rm -r "$scratch"' EXIT
# A machine of this distribution for a user who is not root: nothing is installed, and packages are those of the list PACKAGES.
printf '#!/bin/sh\necho "${FAKE_ID:-1000}"\n' >"$scratch/id"
printf '#!/bin/sh\nexit 1\n' >"$scratch/dpkg"
cp "$scratch/dpkg" "$scratch/rpm" && cp "$scratch/dpkg" "$scratch/pacman"
cat >"$scratch/apt-cache" <<'E2'
#!/bin/sh
for asked; do
    for p in $PACKAGES; do [ "$p" != "$asked" ] || printf '%s:\n  Installed: (none)\n  Candidate: 1.0\n' "$p"; done
done
E2
printf '#!/bin/sh\necho "apt-get $*"\n' >"$scratch/apt-get"
chmod +x "$scratch"/*
fresh() { # ID ARGUMENT...
    echo "ID=$1" >"$scratch/release"
    shift
    output=$(PATH=$scratch:$PATH OS_RELEASE=$scratch/release PKG_CONFIG_LIBDIR=/nonexistent PKG_CONFIG_PATH='' scripts/deps.sh "$@" 2>&1)
    status=$?
}
fresh fedora build
expect "Fedora" 1 'sudo dnf install .*zlib-devel libzstd-devel msgpack-devel libyaml-devel$'
refuse "Fedora" 'cmocka\|clang'
fresh '"arch"' build
expect "Arch" 1 'sudo pacman -S --needed .*zlib zstd msgpack-c libyaml$'
refuse "Arch" 'cmocka\|clang'
fresh plan9 build
expect "elsewhere" 1 'by their names on Debian: .*libyaml-dev'
fresh fedora build unit
expect "Fedora, make test" 1 'libyaml-devel libcmocka-devel$'
fresh fedora build unit test
expect "Fedora, make deps-test" 1 'libcmocka-devel clang'

# Debian 12, Debian 13, and a machine that has not fetched the lists of packages yet.
build="gcc make binutils pkg-config zlib1g-dev libzstd-dev libyaml-dev libc6-dev"
export PACKAGES="$build libmsgpack-dev libcmocka-dev clang-22 llvm-22 lld-22 clang-19 hipcc llvm-14"
fresh debian build unit
expect "Debian 12" 1 '^Type: sudo apt-get install .*libzstd-dev libmsgpack-dev libyaml-dev libcmocka-dev$'
fresh debian build unit test
expect "Debian 12, make deps-test" 1 '^Type: .*clang-22 llvm-22 lld-22 .*llvm-14 .*hipcc'
export PACKAGES="$build libmsgpack-c-dev libmsgpack-dev libcmocka-dev clang-17 clang-19 llvm-19 lld-19"
fresh debian build
expect "Debian 13" 1 '^Type: sudo apt-get install .* libmsgpack-c-dev '
fresh ubuntu build unit test
expect "Debian 13, make deps-test" 1 '^Type: .*clang-19 llvm-19 lld-19'
refuse "Debian 13, make deps-test" '^Type: .*\(clang-17\|clang-22\|llvm-14\|hipcc\)'
expect "Debian 13, what it does not have" 1 "^Not among this system's packages:.*llvm-14.*hipcc"
PACKAGES=
fresh debian build
expect "no lists" 1 '^Type: sudo apt-get update && sudo apt-get install .*libyaml-dev'
# Only with --install, and only as root; it says so first.
PACKAGES="$build libmsgpack-dev libcmocka-dev"
fresh debian --install build
expect "a user" 1 '^Type: sudo apt-get install'
refuse "a user" '^apt-get'
export FAKE_ID=0
fresh debian build unit
expect "root" 1 '^Type: apt-get install'
refuse "root" '^apt-get'
fresh debian --install build
expect "root, --install" 0 '^apt-get install --no-install-recommends -q -y gcc .* libyaml-dev$'
expect "root, --install, says so" 0 '^Missing: gcc .*libyaml-dev$'
refuse "root, --install" cmocka

# Where the libraries are, however they came there, nothing else is asked for.
echo "ID=arch" >"$scratch/release"
output=$(OS_RELEASE=$scratch/release scripts/deps.sh build 2>&1)
status=$?
expect "a machine that can build" 0 '^$'
for goal in run test bench deps deps-test; do
    output=$(make -n $goal 2>&1 | sed -n 's/.*scripts.deps.sh/deps.sh/p')
    status=$?
    case $goal in
    run) expect "make run" 0 '^deps.sh --install build$' ;;
    test) expect "make test" 0 '^deps.sh build unit$' ;;
    bench) expect "make bench" 0 '^deps.sh build test bench$' ;;
    deps) expect "make deps" 0 '^deps.sh --install build unit test bench$' ;;
    deps-test) expect "make deps-test" 0 '^deps.sh --install build unit test$' ;;
    esac
done

# A machine with make and little else: one useful message, whatever is called, and no noise of probes.
mkdir "$scratch/bare"
for tool in make sh sed grep tr seq cat env nproc realpath dpkg dpkg-query head; do
    ! path=$(command -v $tool) || ln -s "$path" "$scratch/bare/$tool"
done
cp "$scratch/id" "$scratch/bare/id"
for goal in all run test; do
    output=$(env -i FAKE_ID=1000 PATH="$scratch/bare" OS_RELEASE="$scratch/release" make $goal 2>&1)
    status=$?
    expect "make $goal on a bare machine" 2 '^Type: sudo pacman -S --needed .*libyaml'
    check=$(echo "$output" | grep -v '^Missing: \|^Type: \|^make: \*\*\*\|^Makefile:[0-9]*: \*\*\* packages are missing')
    if [ -z "$check" ]; then passed=$((passed + 1)); else failed=$((failed + 1)) && echo "make $goal on a bare machine also says: $check"; fi
done
for goal in clean help; do
    output=$(env -i PATH="$scratch/bare" make BUILD="$scratch/none" -n $goal 2>&1)
    status=$?
    refuse "make $goal on a bare machine" 'Missing\|not found\|No such'
done
output=$(make BUILD="a folder" -n 2>&1)
status=$?
expect "BUILD with a space" 2 "BUILD is 'a folder'"
if echo 'int main(void) {return 0;}' | cc -m32 -E -xc - >/dev/null 2>&1 && [ "$(uname -m)" = x86_64 ]; then
    output=$(make CC="cc -m32" -n 2>&1)
    status=$?
    expect "32 bits" 2 'a 64-bit host is needed'
fi

echo "$passed passed, $failed failed, 0 skipped"
[ $failed -eq 0 ]
