#!/bin/sh
# SPDX-License-Identifier: MIT
# Fetches LLVM's own tests of the AMDGPU assembler and disassembler, an outside oracle that is compared with
# and never copied: `fetch.sh DIR` downloads Debian's llvm-toolchain-19 source package with apt and leaves
# DIR/llvm/test/MC/AMDGPU, DIR/llvm/test/MC/Disassembler/AMDGPU and DIR/llvm/test/CodeGen/AMDGPU (for the R600 family) behind. `fetch.sh DIR TARBALL` takes the
# .orig.tar.xz from elsewhere. Nothing happens when the tests are there already. Needs 250 MB while it runs.
set -eu
dir=${1:?usage: fetch.sh DIR [TARBALL]}
tests=$dir/llvm/test/MC
[ -d "$tests/Disassembler/AMDGPU" ] && [ -d "$dir/llvm/test/CodeGen/AMDGPU" ] && exit 0
mkdir -p "$dir"
tarball=${2:-$(ls "$dir"/llvm-toolchain-19_*.orig.tar.xz 2>/dev/null || true)}
if [ -z "$tarball" ]; then
    # A source list of its own, so that the machine's is left alone; lists and archive stay in DIR.
    apt=$dir/apt
    mkdir -p "$apt/parts" "$apt/lists/partial"
    . /etc/os-release
    printf 'Types: deb-src\nURIs: %s\nSuites: %s\nComponents: main\nSigned-By: %s\n' \
        "${DEBIAN_MIRROR:-$(awk '/^URIs:/ { print $2; exit } $1 == "deb" { print $2; exit }' \
            /etc/apt/sources.list.d/debian.sources /etc/apt/sources.list 2>/dev/null)}" \
        "$VERSION_CODENAME" /usr/share/keyrings/debian-archive-keyring.gpg > "$apt/parts/source.sources"
    apt=$(cd "$apt" && pwd)
    options="-o Dir::Etc::sourcelist=/dev/null -o Dir::Etc::sourceparts=$apt/parts -o Dir::State::lists=$apt/lists"
    # shellcheck disable=SC2086
    (cd "$dir" && apt-get $options -q update && apt-get $options -q source --download-only llvm-toolchain-19)
    tarball=$(ls "$dir"/llvm-toolchain-19_*.orig.tar.xz)
fi
tar -C "$dir" -xf "$tarball" --wildcards --strip-components=1 \
    '*/llvm/test/MC/AMDGPU' '*/llvm/test/MC/Disassembler/AMDGPU' '*/llvm/test/CodeGen/AMDGPU'
