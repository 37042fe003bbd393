#!/bin/sh
# What the tree needs from the system: scripts/deps.sh [--install] KIND... with the kinds
#   build   what `make` and `make run` need
#   unit    what `make test` cannot do without
#   test    what more tests can use: other assemblers, compilers, runtimes
#   arm64   a cross compiler and an emulator for `make arm64`
#   bench   what `make bench` compares with
# Prints nothing if all is there. Otherwise it names what is missing and prints the line that installs it, and fails.
# With --install, root on Debian or Ubuntu gets the packages installed instead. Packages that the system does not have are
# named and left out; tests that need them are skipped.
CC=${CC:-cc} PKG_CONFIG=${PKG_CONFIG:-pkg-config}
install=no
[ "$1" = --install ] && install=yes && shift

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
am_root() { [ "$(id -u)" = 0 ]; }

# ---- What the package system has, asked once for all: each call reads all lists ----
ask_apt() {
    available=$(apt-cache policy $candidates 2>/dev/null | awk '/^[^ ]/ {name = $1; sub(/:.*/, "", name)} /^ *Candidate: *[^( ]/ {print name}')
    if [ "$available" ]; then lists=yes; else lists=no; fi
}
is_available() {
    [ $distribution = debian ] && [ $lists = yes ] || return 0
    case "
$available
" in *"
$1
"*) ;; *) return 1 ;; esac
}
is_installed() {
    case $distribution in
    debian) dpkg -s "$1" 2>/dev/null | grep -q '^Status: .* installed' ;;
    fedora) rpm -q --whatprovides "$1" >/dev/null 2>&1 ;;
    arch) pacman -Q "$1" >/dev/null 2>&1 ;;
    *) false ;;
    esac
}
# The LLVM to install: the version of the tests' golden lines, else the newest that there is.
llvm_version() {
    for v in ${LLVM:-22 $(seq 30 -1 18)}; do is_available "clang-$v" && echo "$v" && return; done
    echo 22
}

# Packages of a kind. a|b is the first of them that is installed, or that there is.
packages() {
    case $distribution-$1 in
    fedora-build) echo gcc make binutils pkgconf-pkg-config zlib-devel libzstd-devel msgpack-devel libyaml-devel ;;
    fedora-unit) echo libcmocka-devel ;;
    fedora-test) echo clang llvm lld libclc python3 elfutils cmake ;;
    fedora-arm64) ;;
    fedora-bench) echo time pocl ocl-icd-devel opencl-headers ;;
    arch-build) echo gcc make binutils pkgconf zlib zstd msgpack-c libyaml ;;
    arch-unit) echo cmocka ;;
    arch-test) echo clang llvm lld libclc python elfutils cmake ;;
    arch-arm64) ;;
    arch-bench) echo time pocl ocl-icd opencl-headers ;;
    *-build) echo gcc make binutils pkg-config zlib1g-dev libzstd-dev "libmsgpack-c-dev|libmsgpack-dev" libyaml-dev ;;
    *-unit) echo libcmocka-dev ;;
    *-test)
        v=$(llvm_version)
        echo clang-$v llvm-$v lld-$v libclc-$v clang-tools-$v liboffload-$v-dev llvm-14 libclang-rt-14-dev clang \
            clang-format python3 python3-numpy zsh fish elfutils cmake gcc-12-offload-amdgcn g++-12 gfortran-12 libhsa-runtime-dev rocminfo hipcc \
            libamdhip64-dev libhiprand-dev librocrand1 librocrand-dev librocprim-dev librocsparse-dev libhipsparse-dev \
            openmpi-bin libopenmpi-dev mpich libmpich-dev slurmctld slurmd slurm-client munge parallel libgtest-dev
        ;;
    *-arm64) echo gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user ;;
    *-bench) echo time pocl-opencl-icd ocl-icd-opencl-dev opencl-headers ;;
    esac
}

# To build, compiler and libraries count, wherever they come from.
is_complete() { # KIND
    case $1 in
    build)
        command -v "${CC%% *}" >/dev/null && command -v "$PKG_CONFIG" >/dev/null &&
            "$PKG_CONFIG" --exists zlib libzstd yaml-0.1 && { "$PKG_CONFIG" --exists msgpack-c || "$PKG_CONFIG" --exists msgpack; }
        ;;
    unit) command -v "$PKG_CONFIG" >/dev/null && "$PKG_CONFIG" --exists cmocka ;;
    *) false ;;
    esac
}

of_kind() { case $1 in build) echo "zlib, libzstd, msgpack-c and yaml-0.1" ;; *) echo cmocka ;; esac }

# Leaves `missing`, and in `unknown` what this system does not have.
find_missing() { # KIND...
    missing='' unknown=''
    for kind in "$@"; do
        is_complete "$kind" && continue
        for choice in $(packages "$kind"); do
            found=
            for p in $(echo "$choice" | tr '|' ' '); do is_installed "$p" && found=installed && break; done
            [ "$found" ] && continue
            for p in $(echo "$choice" | tr '|' ' '); do is_available "$p" && found=$p && break; done
            if [ "$found" ]; then missing="$missing $found"; else unknown="$unknown $choice"; fi
        done
    done
}

incomplete=
for kind in "$@"; do is_complete "$kind" || incomplete="$incomplete $kind"; done
[ "$incomplete" ] || exit 0
# All names that packages() may give, for all versions of LLVM.
lists=yes candidates=
if [ $distribution = debian ]; then
    versions=$(for v in ${LLVM:-$(seq 30 -1 18)}; do LLVM=$v; for kind in $incomplete; do lists=no packages "$kind"; done; done)
    candidates=$(echo "libc6-dev $versions" | tr ' |' '\n\n' | sort -u)
    ask_apt
fi
find_missing "$@"
if [ -z "$missing" ]; then
    # What is not to be had stops a build, but no test.
    for kind in "$@"; do
        case $kind in build | unit) is_complete "$kind" && continue ;; *) continue ;; esac
        if [ -n "$unknown" ]; then
            echo "This system has no package for:$unknown"
        else
            echo "The packages for this are installed, but '$CC' or '$PKG_CONFIG' does not work or finds no $(of_kind "$kind")."
        fi
        exit 1
    done
    exit 0
fi

if [ $install = yes ] && [ $distribution = debian ] && am_root; then
    export DEBIAN_FRONTEND=noninteractive
    echo "Missing:$missing"
    echo "Installing them, as this is root on Debian or Ubuntu: apt-get update, then apt-get install --no-install-recommends ..."
    apt-get update -q || exit 1
    ask_apt
    find_missing "$@"
    [ -z "$unknown" ] || echo "Not among this system's packages:$unknown"
    # shellcheck disable=SC2086
    exec apt-get install --no-install-recommends -q -y $missing
fi
case $distribution in
debian) command="apt-get install --no-install-recommends" ;;
fedora) command="dnf install" ;;
arch) command="pacman -S --needed" ;;
*) command= ;;
esac
sudo=
am_root || sudo="sudo "
if [ -n "$command" ]; then
    echo "Missing:$missing"
    [ -z "$unknown" ] || echo "Not among this system's packages:$unknown"
    [ $lists = yes ] || sudo="${sudo}apt-get update && $sudo"
    echo "Type: $sudo$command$missing"
else
    echo "Missing, by their names on Debian:$missing"
fi
exit 1
