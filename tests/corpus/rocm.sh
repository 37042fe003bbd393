#!/bin/sh
# Today's ROCm on software GPUs, in a Debian root of its own: rocm.sh DIR [SUITE] [STEP...]
#   DIR    the root: made if it is not there, else used as it is; it needs 6 to 30 GB
#   SUITE  sid (default) has HIP 6.4 and hipcc 7, trixie HIP 5.7
#   STEP   base (default), rocrand, hiprand, rocprim, llama, hashcat, clblast: each installs what it needs
# As root, with debootstrap. Packages come from the source that this machine's apt uses. The tree is copied to
# DIR/softwave and built there, as the root has a newer C library; LEVELS=v3 builds for AVX2 alone, which is faster.
# GPUS: default "gfx90a gfx1100". FILTER: a --gtest_filter for the libraries' tests. SECONDS_EACH: of a program, 600.
# A line a run: how it ended, cases that passed and failed, seconds. The last line counts the runs.
here=$(dirname "$(realpath "$0")")
tree=$(realpath "$here/../..")
dir=$1 suite=${2:-sid}
[ -n "$dir" ] || { sed -n '2,10s/^# \{0,1\}//p' "$0" && exit 1; }
shift "$(($# < 2 ? $# : 2))"
steps=${*:-base}
gpus=${GPUS:-gfx90a gfx1100} each=${SECONDS_EACH:-600}
passed=0 failed=0

[ "$(id -u)" = 0 ] || { echo "skipped: a root needs the rights of root"; exit 0; }

# ---- The root ----

in_root() { chroot "$dir" env LC_ALL=C PATH=/usr/sbin:/usr/bin:/sbin:/bin "$@"; }
packages() { DEBIAN_FRONTEND=noninteractive in_root apt-get install -y -q "$@" >"$dir/install.log" 2>&1 || { tail -n 5 "$dir/install.log" && exit 1; }; }
source_of_packages() {
    cat /etc/apt/sources.list.d/debian.sources /etc/apt/sources.list 2>/dev/null |
        awk '$1 == "URIs:" {print $2; exit} $1 == "deb" {for (i = 2; i <= NF; i++) if ($i ~ /:\/\//) {print $i; exit}}'
}
make_root() {
    command -v debootstrap >/dev/null || { echo "debootstrap is not installed" && exit 1; }
    from=$(source_of_packages)
    [ -n "$from" ] || { echo "no source of packages in /etc/apt" && exit 1; }
    debootstrap --variant=minbase --no-check-gpg "$suite" "$dir" "$from" >"$dir.log" 2>&1 || { tail -n 5 "$dir.log" && exit 1; }
    printf 'deb [trusted=yes] %s %s main contrib\n' "$from" "$suite" >"$dir/etc/apt/sources.list"
    # A mirror that stands still has release files that are too old.
    printf 'APT::Install-Recommends "false";\nAcquire::Check-Valid-Until "false";\n' >"$dir/etc/apt/apt.conf.d/99softwave"
    in_root apt-get update -q >/dev/null || exit 1
}
mounted=
mount_systems() {
    for system in proc dev sys; do
        mountpoint -q "$dir/$system" && continue
        mount --bind "/$system" "$dir/$system" && mounted="$dir/$system $mounted" || exit 1
    done
}
leave() { for system in $mounted; do umount "$system"; done; }
build_tree() {
    mkdir -p "$dir/softwave"
    (cd "$tree" && git ls-files -z | tar -cf - --null -T -) | tar -xf - -C "$dir/softwave"
    in_root make -C /softwave ${LEVELS:+LEVELS=$LEVELS} all >"$dir/build.log" 2>&1 || { tail -n 5 "$dir/build.log" && exit 1; }
}

# ---- Runs ----

# run NAME GPU TEXT COMMAND...: it ends with 0 and prints the text
run() {
    name=$1 gpu=$2 text=$3
    shift 3
    begin=$(date +%s)
    in_root timeout -s KILL "$each" /softwave/build/softwave exec -q --gpu="$gpu" -- "$@" >"$dir/output" 2>&1
    code=$?
    if [ $code -eq 0 ] && grep -q -e "$text" "$dir/output"; then
        passed=$((passed + 1)) how=ok
    else
        failed=$((failed + 1)) how="failed with $code: $(tail -n 1 "$dir/output")"
    fi
    echo "$gpu $name: $how, $(($(date +%s) - begin)) s"
}
# The programs of a library's test package, each with the cases that it says passed and failed.
programs() { # GPU PACKAGE
    for program in "$dir/usr/libexec/rocm/$2"/test_*; do
        [ -x "$program" ] || continue
        begin=$(date +%s)
        in_root timeout -s KILL "$each" /softwave/build/softwave exec -q --gpu="$1" -- "${program#"$dir"}" \
            ${FILTER:+--gtest_filter="$FILTER"} >"$dir/output" 2>&1
        code=$?
        good=$(grep -c '^\[       OK' "$dir/output") bad=$(grep -c '^\[  FAILED  \].*ms)$' "$dir/output")
        case $code in 0) how=ok passed=$((passed + 1)) ;; *) how="failed with $code" failed=$((failed + 1)) ;; esac
        [ $code -ne 137 ] || how="not done after $each s"
        echo "$1 ${program##*/}: $how, $good passed, $bad failed, $(($(date +%s) - begin)) s"
        grep '^\[  FAILED  \].*ms)$' "$dir/output" | head -n 5
    done
}

base() {
    packages hipcc libamdhip64-dev rocm-opencl-icd rocminfo clinfo
    cat >"$dir/saxpy.hip" <<'HIP'
#include <hip/hip_runtime.h>
#include <cstdio>
#include <vector>
__global__ void saxpy(int n, float a, const float *x, float *y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + y[i];
}
int main() {
    const int n = 1000003;
    std::vector<float> x(n), y(n), got(n);
    for (int i = 0; i < n; i++) x[i] = i % 1000, y[i] = i % 77;
    float *dx = nullptr, *dy = nullptr;
    if (hipMalloc(&dx, n * 4) != hipSuccess || hipMalloc(&dy, n * 4) != hipSuccess) return 2;
    if (hipMemcpy(dx, x.data(), n * 4, hipMemcpyHostToDevice) != hipSuccess) return 3;
    if (hipMemcpy(dy, y.data(), n * 4, hipMemcpyHostToDevice) != hipSuccess) return 3;
    saxpy<<<(n + 255) / 256, 256>>>(n, 2.f, dx, dy);
    if (hipMemcpy(got.data(), dy, n * 4, hipMemcpyDeviceToHost) != hipSuccess) return 4;
    int wrong = 0;
    for (int i = 0; i < n; i++) wrong += got[i] != 2.f * x[i] + y[i];
    printf("%d wrong\n", wrong);
    return wrong != 0;
}
HIP
    for gpu in $gpus; do
        run rocminfo $gpu "Name: *$gpu" rocminfo
        run clinfo $gpu "Device Name *$gpu" clinfo
        in_root hipcc --offload-arch=$gpu /saxpy.hip -o /saxpy >"$dir/output" 2>&1 || { tail -n 3 "$dir/output"; failed=$((failed + 1)); }
        run "saxpy of this root's hipcc" $gpu "^0 wrong" /saxpy
    done
    if in_root cc -std=gnu17 -fsyntax-only -w -iquote /softwave/src /softwave/tests/hsa/abi.c >"$dir/output" 2>&1; then passed=$((passed + 1)); else
        failed=$((failed + 1))
        echo "numbers and layouts of this root's headers: $(grep -m 1 error "$dir/output")"
    fi
    # Whatever AMD's library of this root exports, ours does.
    readelf -W --dyn-syms "$dir"/usr/lib/*/libhsa-runtime64.so.1 | sed -n 's/@@/ /p' |
        awk '$7 != "UND" && $8 != $9 {print $8, $9, $4}' | sort >"$dir/theirs"
    grep -v '^#' "$here/../hsa/symbols.txt" | cut -d' ' -f1-3 | sort >"$dir/listed"
    lacking=$(comm -23 "$dir/theirs" "$dir/listed" | tr '\n' ' ')
    if [ -s "$dir/theirs" ] && [ -z "$lacking" ]; then passed=$((passed + 1)); else
        failed=$((failed + 1))
        echo "symbols of this root's libhsa-runtime64 that tests/hsa/symbols.txt lacks: $lacking"
    fi
}
rocrand() {
    packages librocrand1-tests
    for gpu in $gpus; do programs $gpu librocrand1-tests; done
}
hiprand() {
    packages libhiprand1-tests
    for gpu in $gpus; do programs $gpu libhiprand1-tests; done
}
rocprim() {
    packages librocprim-tests
    for gpu in $gpus; do programs $gpu librocprim-tests; done
}
# Digests of "abc" on AMD's OpenCL; hashcat tests itself before each.
hashcat() {
    packages hashcat rocm-opencl-icd
    for gpu in $gpus; do
        for kind in 0:md5sum 100:sha1sum 1400:sha256sum 1700:sha512sum; do
            digest=$(printf abc | ${kind#*:} | cut -d' ' -f1)
            run "hashcat -m ${kind%:*}" $gpu "^Status.*Cracked" \
                hashcat -m "${kind%:*}" -a 3 --force --potfile-disable -D 2 -T 64 -u 32 -n 1 -w 1 "$digest" '?l?l?l'
        done
    done
}
# CLBlast against the host's BLAS. Its programs end with the number of failures.
clblast() {
    packages clblast-tests rocm-opencl-icd
    for gpu in $gpus; do
        for program in ${ROUTINES:-$(cd "$dir/usr/bin" && ls clblast_test_*)}; do
            run "$program" $gpu "test(s) passed" "$program" -platform 0 -device 0
            echo "  $(awk '{gsub(/\033\[[0-9;]*m/, "")} /test\(s\) passed/ {p += $1} /test\(s\) failed/ {f += $1} END {print p + 0 " passed, " f + 0 " failed"}' "$dir/output")"
        done
    done
}
# llama.cpp's operations against its CPU backend, one after the other.
llama() {
    packages llama.cpp-tests libggml0-backend-hip
    program=$(cd "$dir" && ls usr/libexec/*/ggml/test-backend-ops usr/libexec/*/llama.cpp-tests/test-backend-ops 2>/dev/null | head -n 1)
    for operation in ${OPERATIONS:-$(in_root "/$program" --list-ops 2>/dev/null | sed -n 's/^  //p')}; do
        for gpu in $gpus; do
            begin=$(date +%s)
            in_root timeout -s KILL "$each" /softwave/build/softwave exec -q --gpu=$gpu -- "/$program" test -b ROCm0 -o "$operation" >"$dir/output" 2>&1
            code=$? cases=$(sed -n 's/^ *\([0-9]*\)\/\([0-9]*\) tests passed.*/\1 of \2 passed/p' "$dir/output" | head -n 1)
            case $code in 0) how=ok passed=$((passed + 1)) ;; *) how="failed with $code" failed=$((failed + 1)) ;; esac
            [ $code -ne 137 ] || how="not done after $each s"
            echo "$gpu $operation: $how, ${cases:-no count}, $(($(date +%s) - begin)) s"
        done
    done
}

[ -d "$dir/usr" ] || make_root
dir=$(realpath "$dir")
trap leave EXIT
mount_systems
packages gcc make pkg-config git zlib1g-dev libzstd-dev libmsgpack-c-dev libyaml-dev binutils
build_tree
for step in $steps; do
    case $step in
    base | rocrand | hiprand | rocprim | llama | hashcat | clblast) $step ;;
    *) echo "no step '$step': base, rocrand, hiprand, rocprim, llama, hashcat and clblast" && exit 1 ;;
    esac
done
echo "$passed passed, $failed failed, 0 skipped"
[ $failed -eq 0 ]
