#!/bin/sh
# What the tree needs from the system: scripts/deps.sh [--install] KIND..., where KIND is build (also all that
# `make run` needs), test or bench. Nothing happens when it is there. Otherwise root on Debian gets it installed,
# and everyone else is told what to type; without the packages of the kind `test` tests are skipped, so outside
# Debian they are only named.
CC=${CC:-cc}
install=0
[ "$1" = --install ] && install=1 && shift

distribution=other
for id in $(sed -n 's/^ID\(_LIKE\)\{0,1\}=//p' "${OS_RELEASE:-/etc/os-release}" 2>/dev/null | tr -d '"'); do
    case $id in
    debian | ubuntu) distribution=debian ;;
    fedora | rhel) distribution=fedora ;;
    arch) distribution=arch ;;
    *) continue ;;
    esac
    break
done

packages() {
    case $distribution-$1 in
    fedora-build) echo gcc make binutils pkgconf-pkg-config zlib-devel libzstd-devel msgpack-devel libyaml-devel ;;
    fedora-test) echo libcmocka-devel clang llvm lld libclc python3 elfutils ;;
    fedora-bench) echo time pocl ocl-icd-devel opencl-headers ;;
    arch-build) echo gcc make binutils pkgconf zlib zstd msgpack-c libyaml ;;
    arch-test) echo cmocka clang llvm lld libclc python elfutils ;;
    arch-bench) echo time pocl ocl-icd opencl-headers ;;
    *-build) echo gcc make binutils pkg-config zlib1g-dev libzstd-dev libmsgpack-dev libyaml-dev ;;
    *-test) echo libcmocka-dev clang-22 llvm-22 llvm-14 lld-22 libclc-22 librocrand1 libclang-rt-14-dev clang clang-tools-22 clang-format python3 elfutils gcc-12-offload-amdgcn g++-12 gfortran-12 libhsa-runtime-dev rocminfo hipcc libamdhip64-dev libhiprand-dev librocrand-dev librocprim-dev librocsparse-dev libhipsparse-dev liboffload-22-dev ;;
    *-bench) echo time pocl-opencl-icd ocl-icd-opencl-dev opencl-headers ;;
    esac
}

# To build, the libraries count, wherever they come from.
can_build() {
    command -v "${CC%% *}" >/dev/null && command -v pkg-config >/dev/null &&
        pkg-config --exists zlib libzstd yaml-0.1 && { pkg-config --exists msgpack-c || pkg-config --exists msgpack; }
}

is_installed() {
    case $distribution in
    debian) dpkg -s "$1" 2>/dev/null | grep -q '^Status: .* installed' ;;
    fedora) rpm -q --whatprovides "$1" >/dev/null 2>&1 ;;
    arch) pacman -Q "$1" >/dev/null 2>&1 ;;
    *) false ;;
    esac
}

missing=
for kind in "$@"; do
    [ "$kind" = build ] && can_build && continue
    for p in $(packages "$kind"); do is_installed "$p" || missing="$missing $p"; done
done
[ -z "$missing" ] && exit 0

case $distribution in
debian) command="apt-get install --no-install-recommends" ;;
fedora) command="dnf install" ;;
arch) command="pacman -S --needed" ;;
*) command= ;;
esac
if [ $distribution = debian ] && { [ $install = 1 ] || [ "$(id -u)" = 0 ]; }; then
    export DEBIAN_FRONTEND=noninteractive
    apt-get update -q && exec $command -q -y $missing
fi
if [ -n "$command" ]; then
    echo "Missing:$missing"
    echo "Type: sudo $command$missing"
else
    echo "Missing, by their names on Debian:$missing"
fi
# Only Debian 12 is known to have every package of the tests under this name.
case " $* " in *" build "*) can_build || exit 1 ;; esac
case " $* " in *" test "*) [ $distribution = debian ] || { pkg-config --exists cmocka && exit 0; } ;; esac
exit 1
