#!/bin/sh
# Libraries and headers of another Debian architecture in a folder, for cross builds: scripts/sysroot.sh ARCH DIR. Nothing of
# this system changes and root is not needed: the packages of this system's release are fetched with apt-get, into lists of
# their own, and unpacked. Does nothing if DIR is complete.
set -eu
arch=$1 dir=$2
[ ! -e "$dir/complete" ] || exit 0
mkdir -p "$dir/apt/lists/partial" "$dir/apt/archives/partial" "$dir/apt/debs"
dir=$(realpath "$dir")
: >"$dir/apt/status"
apt() {
    program=$1
    shift
    "$program" -q -o APT::Architecture="$arch" -o APT::Architectures="$arch" -o Dir::State="$dir/apt" -o Dir::State::status="$dir/apt/status" \
        -o Dir::Cache="$dir/apt" -o APT::Sandbox::User="$(id -un)" -o Acquire::Languages=none "$@"
}
apt apt-get update
first() { for p; do apt apt-cache show "$p" >/dev/null 2>&1 && echo "$p" && return; done; }
# shellcheck disable=SC2046
(cd "$dir/apt/debs" && apt apt-get download zlib1g-dev libzstd-dev libyaml-dev libyaml-0-2 zlib1g libzstd1 libcmocka-dev libcmocka0 \
    $(first libmsgpack-c-dev libmsgpack-dev) $(first libmsgpackc2 libmsgpack-c2))
for package in "$dir"/apt/debs/*.deb; do dpkg-deb -x "$package" "$dir"; done
rm -rf "$dir/apt"
: >"$dir/complete"
