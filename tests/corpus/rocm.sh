#!/bin/sh
# Today's ROCm on software GPUs, in a Debian root of its own: rocm.sh DIR [SUITE] [STEP...]
#   DIR    the root: made if it is not there, else used as it is; it needs 6 to 30 GB
#   SUITE  sid (default) has HIP 6.4 and hipcc 7, trixie HIP 5.7
#   STEP   base (default), hip, images, samples, hashcat, clblast, llama, model, whisper, clpeak, piglit, leaks, rccl (trixie has it), or a library: rocrand,
#          hiprand, rocprim, hipcub, rocthrust, rocblas, rocsolver, hipsolver, rocsparse, hipsparse, rocfft, hipfft, rocalution, miopen, migraphx, magma.
#          Each installs what it needs
# As root, with debootstrap. Packages come from the source that this machine's apt uses. The tree is copied to
# DIR/softwave and built there, as the root has a newer C library; LEVELS=v3 builds for AVX2 alone, which is faster.
# BUILT=1 takes DIR/softwave as it is.
# GPUS: default "gfx90a gfx1100"; of the step hip "gfx90a gfx942 gfx1030 gfx1100 gfx1201". SECONDS_EACH: of a program, 600.
# PROGRAMS: patterns of names of a library's programs. FILTER: a --gtest_filter for its tests. WITHOUT: cases whose name, type or
# parameter matches this regular expression are left out (rocrand, hiprand: MT19937; WITHOUT= takes them, too). rocThrust's, by name.
# SAMPLE=N: of the filtered cases every Nth (default: what the step says). THREADS: of each GPU.
# EACH: cases of each of rocBLAS's functions, 8. PARAMETERS: of llama.cpp's cases, those whose parameters match, as a regular expression.
# A line a run: how it ended, cases that passed and failed, seconds, and those of the processor. The last line counts the runs.
here=$(dirname "$(realpath "$0")")
tree=$(realpath "$here/../..")
dir=$1 suite=${2:-sid}
[ -n "$dir" ] || { sed -n '2,16s/^# \{0,1\}//p' "$0" && exit 1; }
shift "$(($# < 2 ? $# : 2))"
steps=${*:-base}
gpus=${GPUS:-gfx90a gfx1100} each=${SECONDS_EACH:-600}
passed=0 failed=0 skipped=0 arguments=

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
    find "$dir/softwave" -mindepth 1 -maxdepth 1 ! -name build -exec rm -r {} +
    (cd "$tree" && git ls-files -z | tar -cf - --null -T -) | tar -xf - -C "$dir/softwave"
    in_root make -C /softwave ${LEVELS:+LEVELS=$LEVELS} all >"$dir/build.log" 2>&1 || { tail -n 5 "$dir/build.log" && exit 1; }
}

# ---- Runs ----

# Leaves in `busy` the seconds of processor time of what ended since the call before: those of a loaded machine say little. What is
# killed is not counted.
spent() {
    times >"$dir/times"
    total=$(awk 'NR == 2 {gsub("s", ""); split($1, u, "m"); split($2, k, "m"); print int(60 * (u[1] + k[1]) + u[2] + k[2])}' "$dir/times")
    busy=$((total - ${spent_before:-0})) spent_before=$total
}
# run NAME GPU TEXT COMMAND...: it ends with 0 and prints the text
run() {
    name=$1 gpu=$2 text=$3
    shift 3
    spent
    begin=$(date +%s)
    in_root timeout -s KILL "$each" /softwave/build/softwave exec -q --gpu="$gpu" -- "$@" >"$dir/output" 2>&1
    code=$?
    if [ $code -eq 0 ] && grep -q -e "$text" "$dir/output"; then
        passed=$((passed + 1)) how=ok
    else
        failed=$((failed + 1)) how="failed with $code: $(tail -n 1 "$dir/output")"
    fi
    spent
    echo "$gpu $name: $how, $(($(date +%s) - begin)) s ($busy of processor time)"
}
# Memory (MiB), threads and descriptors of the program, a line a second until its parent ends. DIR/pid is `softwave exec`.
sample() { # PARENT
    while sleep 1 && kill -0 "$1"; do
        exec=$(cat "$dir/pid")
        process=/proc/$(cut -d' ' -f1 "/proc/$exec/task/$exec/children")
        [ -d "$process/fd" ] || continue
        echo "$(awk '/^VmRSS/ {m = $2} /^Threads/ {t = $2} END {print int(m / 1024), t}' "$process/status") $(ls "$process/fd" | wc -l)"
    done >"$dir/samples" 2>/dev/null
}
# watched GPU PROGRAM [ARGUMENT...]: its code, with its output and samples in DIR
watched() {
    gpu=$1
    shift
    : >"$dir/pid"
    in_root timeout -s KILL "$each" sh -c 'echo $$ >/pid && exec "$0" "$@"' /softwave/build/softwave exec -q ${THREADS:+-j $THREADS} \
        --gpu="$gpu" -- "$@" >"$dir/output" 2>&1 &
    parent=$!
    sample $parent &
    wait $parent
    code=$?
    wait
    return $code
}
is_chosen() { # PROGRAM
    case $1 in run-tests | *.py) return 1 ;; esac
    [ -n "$PROGRAMS" ] || return 0
    for pattern in $PROGRAMS; do
        # shellcheck disable=SC2254
        case $1 in $pattern) return 0 ;; esac
    done
    return 1
}
# What a --gtest_filter leaves out for WITHOUT, of the cases that the program lists with their types and parameters.
unwanted() { # PROGRAM
    in_root "$1" --gtest_list_tests 2>/dev/null | awk -v without="$(echo "$WITHOUT" | tr '[:upper:]' '[:lower:]')" '
        /^[^ ]/ {suite = $1; all = tolower($0) ~ without; if (all) print suite "*"; next}
        !all && tolower($0) ~ without {print suite $1}' | paste -sd:
}
# The same for programs of rocThrust's own kind, which take the names of their cases: those that are left. Nothing: all, or another kind.
wanted() { # GPU PROGRAM
    in_root timeout -s KILL "$each" /softwave/build/softwave exec -q --gpu="$1" -- "$2" --list 2>/dev/null | grep -a '^Test[A-Za-z0-9_]*$' | grep -Eiv "$WITHOUT"
}
# The programs of a library's test package, each with the cases that it says passed and failed, and what it held after a
# fifth of its time and at its end.
programs() { # GPU PACKAGE [FILTER [SAMPLE]]
    filter=${FILTER:-$3} part=${SAMPLE:-${4:-1}}
    for program in "$dir/usr/libexec/rocm/$2"/*[_-]*test* "$dir/usr/libexec/rocm/$2"/test_*; do
        [ -x "$program" ] && is_chosen "${program##*/}" || continue
        some=$filter out='' names=''
        if [ -n "$WITHOUT" ]; then
            case $2 in librocthrust*) names=$(wanted "$1" "${program#"$dir"}") ;; *) out=$(unwanted "${program#"$dir"}") ;; esac
        fi
        [ -z "$out" ] || case $some in *-*) some=$some:$out ;; *) some=$some-$out ;; esac
        spent
        begin=$(date +%s)
        # shellcheck disable=SC2086
        GTEST_LISTENER=PASS_LINE_IN_LOG GTEST_TOTAL_SHARDS=$part GTEST_SHARD_INDEX=0 watched "$1" "${program#"$dir"}" \
            ${some:+--gtest_filter="$some"} $names $arguments
        code=$?
        # googletest's lines, or rocThrust's own: a letter a case, a dot if it passed.
        letters=$(grep -a '^[.FKE][.FKE]*$' "$dir/output")
        good=$(($(grep -ac '^\[       OK' "$dir/output") + $(echo "$letters" | tr -cd . | wc -c)))
        sed '/Global test environment tear-down/,$d' "$dir/output" | grep -a '^\[  FAILED  \]' >"$dir/bad" # behind it they are listed again
        bad=$(($(wc -l <"$dir/bad") + $(echo "$letters" | tr -cd FE | wc -c)))
        left=$(grep -ac '^\[  SKIPPED \].*ms)$' "$dir/output")
        case $code in 0) how=ok passed=$((passed + 1)) ;; *) how="failed with $code" failed=$((failed + 1)) ;; esac
        [ $code -ne 137 ] || how="not done after $each s"
        spent
        echo "$1 ${program##*/}: $how, $good passed, $bad failed, $left skipped by it, $(($(date +%s) - begin)) s ($busy of processor time)"
        head -n 20 "$dir/bad" | cut -c1-160
        awk '{line[NR] = $0} END {if (NR > 10) print "  MiB, threads, descriptors: " line[int(NR / 5) + 1] "; at the end " line[NR]}' "$dir/samples"
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
# The HIP programs of tests/hsa by this root's hipcc, on two devices of each GPU; textures and surfaces, or their refusal; code in
# compressed bundles, for the generic target of a GPU's family, and with code object V6, whose kernels print.
hip() {
    packages hipcc libamdhip64-dev
    hip_gpus=${GPUS:-gfx90a gfx942 gfx1030 gfx1100 gfx1201}
    compile() { # PROGRAM SOURCE FLAG...
        name=$1 source=$2
        shift 2
        in_root hipcc -O2 -w "/softwave/$source" -o "/$name" "$@" >"$dir/output" 2>&1 && return
        failed=$((failed + 1))
        echo "$name is not built: $(grep -m 1 error "$dir/output")"
        return 1
    }
    for program in hip_all hip_more hip_today; do
        # shellcheck disable=SC2046
        compile $program tests/hsa/$program.cpp $(printf -- '--offload-arch=%s ' $hip_gpus) || return
    done
    for gpu in $hip_gpus; do
        for run in "all memory" "all streams" "all kernels" "all services malloc" "all devices" "all cooperative" "more atomics" "more waves" \
            "more graphs" "more copies" "more code" "more math" "today allocators" "today addresses" "today launches" "today linking"; do
            begin=$(date +%s)
            # shellcheck disable=SC2086
            in_root timeout -s KILL "$each" /softwave/build/softwave exec -q --gpu=$gpu --gpu=$gpu -- /hip_$run >"$dir/output" 2>&1
            code=$? good=$(grep -c '^ok ' "$dir/output")
            if [ $code -eq 0 ] && [ "$good" -gt 0 ]; then passed=$((passed + 1)) how=ok; else
                failed=$((failed + 1)) how="failed with $code: $(grep -v '^ok ' "$dir/output" | tail -n 1)"
            fi
            echo "$gpu hip_$run: $how, $good cases, $(($(date +%s) - begin)) s"
        done
        case $gpu in gfx90a | gfx94? | gfx950) images=-DWITHOUT_IMAGES ;; *) images= ;; esac
        if compile images tests/hsa/hip_images.cpp --offload-arch=$gpu $images; then
            begin=$(date +%s)
            in_root timeout -s KILL "$each" /softwave/build/softwave exec -q --gpu=$gpu -- /images >"$dir/output" 2>&1
            code=$? good=$(grep -c '^ok ' "$dir/output")
            if [ $code -eq 0 ] && [ "$good" -gt 0 ]; then passed=$((passed + 1)) how=ok; else
                failed=$((failed + 1)) how="failed with $code: $(grep -v '^ok ' "$dir/output" | tail -n 1)"
            fi
            echo "$gpu hip_images${images:+ of a GPU without}: $how, $good cases, $(($(date +%s) - begin)) s"
        fi
        for mode in unmapped closed; do
            in_root timeout -s KILL "$each" /softwave/build/softwave exec -q --gpu=$gpu -- /hip_today addresses $mode >"$dir/output" 2>&1
            if [ $? -eq 134 ] && grep -q "Memory access fault by GPU node-1" "$dir/output"; then passed=$((passed + 1)); else
                failed=$((failed + 1)) && echo "$gpu hip_today addresses $mode: $(tail -n 1 "$dir/output")"
            fi
        done
        family=$(printf '%s\n' gfx942:gfx9-4 gfx1010:gfx10-1 gfx1030:gfx10-3 gfx1100:gfx11 gfx1201:gfx12 gfx906:gfx9 | sed -n "s/^$gpu://p")
        # AMD's compiler library keeps what it has unpacked, and gives one GPU's code to another.
        export AMD_COMGR_CACHE=0
        compile compressed examples/saxpy.cpp --offload-arch=$gpu --offload-compress &&
            if grep -aq CCOB "$dir/compressed"; then run "a compressed bundle" $gpu "saxpy is right" /compressed; else
                failed=$((failed + 1)) && echo "$gpu: the bundle is not compressed"
            fi
        unset AMD_COMGR_CACHE
        if [ -z "$family" ]; then skipped=$((skipped + 1)) && echo "skipped: no generic target has $gpu"; else
            compile generic examples/saxpy.cpp "--offload-arch=$family-generic" && run "code for $family-generic" $gpu "saxpy is right" /generic
        fi
        compile v6 tests/hsa/hip_all.cpp --offload-arch=$gpu -mcode-object-version=6 -gline-tables-only || continue
        run "printf with code object V6" $gpu "item 4 of group says 0.50" /v6 services printf
        in_root timeout -s KILL "$each" /softwave/build/softwave exec --gpu=$gpu -- /v6 errors null >"$dir/output" 2>&1
        if grep -q "writes memory that it may not at 0x0;.*hip_errors.cpp:[0-9]" "$dir/output"; then passed=$((passed + 1)); else
            failed=$((failed + 1)) && echo "$gpu: a fault does not name its line: $(head -n 1 "$dir/output")"
        fi
    done
}
# library PACKAGE [FILTER [SAMPLE]]: its test package on each GPU
library() {
    packages "$1"
    for gpu in $gpus; do programs "$gpu" "$@"; done
}
# The quick subsets, and of those with more than ten thousand cases a part.
# An engine of MT19937 takes two minutes to be made, and there are dozens. It has a number among the generators of each library.
without_mt19937() { # PACKAGE NUMBER
    WITHOUT=${WITHOUT-"mt19937|(^|[^0-9])$2([^0-9]|\$)"} library "$1"
}
rocrand() { without_mt19937 librocrand1-tests 407; }
hiprand() { without_mt19937 libhiprand1-tests 404; }
rocprim() { library librocprim-tests; }
hipcub() { library libhipcub-tests; }
rocthrust() { library librocthrust-tests; }
# rocBLAS reads its 1.6 million cases from a file, which takes minutes: of the quick ones every function's first, last and some
# between (EACH, 8) are written into a file of their own. A case has 576 bytes that begin with the function, at 128 is its category.
rocblas() {
    packages librocblas4-tests
    # shellcheck disable=SC2016
    in_root perl -e 'my ($from, $to, $each) = @ARGV;
        open my $in, "<:raw", $from; open my $out, ">:raw", $to; read $in, my $head, 592; print $out $head;
        my (%all, %seen);
        for my $counts (1, 0) {
            seek $in, 592, 0;
            while (read($in, my $case, 576) == 576) {
                my ($function, $category) = unpack "Z64 x64 Z64", $case;
                next if $category ne "quick";
                $all{$function}++, next if $counts;
                my ($n, $i) = ($all{$function} - 1, $seen{$function}++);
                print $out $case if $n < $each or int($i * ($each - 1) / $n) > int(($i - 1) * ($each - 1) / $n) or !$i;
            }
        }' /usr/share/librocblas4-tests/data/rocblas_gtest.data /quick.data "${EACH:-8}"
    arguments='--data /quick.data'
    library librocblas4-tests '*quick*'
    arguments=
}
rocsolver() { library librocsolver0-tests 'checkin*' 200; }
hipsolver() { library libhipsolver0-tests 'checkin*' 50; }
rocsparse() { library librocsparse1-tests '*quick*' 500; }
hipsparse() { library libhipsparse1-tests '*' 200; }
rocfft() { library librocfft0-tests '-*DISABLED*:manual*' 2000; }
hipfft() { library libhipfft0-tests '-*DISABLED*:manual*' 1000; }
rocalution() { library librocalution0-tests '*' 20; }
# MIOpen compiles kernels as it runs. In sid it passes -isystem /usr/include, behind which libstdc++ does not find math.h: clang
# is told to leave it out. For OpenCL it wants a clang in the folder that it was built in.
miopen_compiler() {
    wanted=$(grep -aom1 '/build/[-a-z]*/miopen[^[:cntrl:]"]*/clang-[0-9]*' "$dir"/usr/lib/*/libMIOpen.so.1 | head -n 1)
    [ -n "$wanted" ] || return
    mkdir -p "$dir${wanted%/*}" && ln -sf "/usr/bin/${wanted##*/}" "$dir$wanted"
    export CCC_OVERRIDE_OPTIONS='# X-isystem' MIOPEN_EXPERIMENTAL_GCN_ASM_PATH="/usr/bin/${wanted##*/}"
}
miopen() {
    packages libmiopen1-tests librocrand-dev # kernels with dropout include its headers, which the library's package does not want
    miopen_compiler
    library libmiopen1-tests 'Smoke*:*Smoke*' 20
    unset CCC_OVERRIDE_OPTIONS MIOPEN_EXPERIMENTAL_GCN_ASM_PATH
}
# MIGraphX has a program a test. Those of headers only begin and end.
migraphx() {
    packages migraphx-tests
    miopen_compiler
    for gpu in $gpus; do
        for program in ${PROGRAMS:-$(cd "$dir/usr/libexec/migraphx/migraphx-tests" && ls -d test_*gpu* test_verify* 2>/dev/null)}; do
            run "$program" "$gpu" . "/usr/libexec/migraphx/migraphx-tests/$program"
        done
    done
    unset CCC_OVERRIDE_OPTIONS MIOPEN_EXPERIMENTAL_GCN_ASM_PATH
}
# MAGMA's programs compare with LAPACK where they are asked to, and say "ok" or "failed" for each size.
magma() {
    packages libmagma-rocm-test
    for gpu in $gpus; do
        for program in ${PROGRAMS:-testing_sgemm testing_dgemm testing_cgemv testing_sgetrf_gpu testing_dpotrf_gpu testing_sgeqrf_gpu testing_dsyevd testing_sgemm_batched}; do
            begin=$(date +%s)
            watched "$gpu" "/usr/lib/x86_64-linux-gnu/libmagma-rocm-test/testing/$program" -l -c -n 10:90:20
            code=$? good=$(grep -c ' ok *$' "$dir/output") bad=$(grep -c ' failed *$' "$dir/output")
            if [ $code -eq 0 ] && [ "$good" -gt 0 ]; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
            echo "$gpu $program: ended with $code, $good ok, $bad failed, $(($(date +%s) - begin)) s"
        done
    done
}
# A program that repeats its cases holds no more at its end than after a fifth of its time.
leaks() {
    packages librocrand1-tests
    for gpu in $gpus; do
        watched "$gpu" /usr/libexec/rocm/librocrand1-tests/test_rocrand_basic --gtest_filter='-*mt19937*:*MT19937*' --gtest_repeat="${REPEAT:-200}"
        echo "$gpu leaks: $(grep -c '^\[  PASSED' "$dir/output") repetitions"
        if awk '{m[NR] = $1; t[NR] = $2; d[NR] = $3} END {
                if (NR < 10) {print "  ended after " NR " s: give REPEAT"; exit 1}
                first = int(NR / 5) + 1
                print "  MiB, threads, descriptors: " m[first], t[first], d[first] "; at the end " m[NR], t[NR], d[NR]
                exit m[NR] > m[first] + 16 + m[first] / 20 || t[NR] > t[first] + 1 || d[NR] > d[first] + 2
            }' "$dir/samples"; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
    done
}
# RCCL's collectives among 2 and 4 processes, each with a GPU of its own (rccl_ranks.cpp).
rccl() {
    packages hipcc librccl-dev
    in_root hipcc -O1 /softwave/tests/corpus/rccl_ranks.cpp -o /rccl_ranks -lrccl >"$dir/output" 2>&1 || { tail -n 3 "$dir/output" && exit 1; }
    for gpu in $gpus; do
        for ranks in 2 4; do
            begin=$(date +%s)
            rm -f "$dir/group"
            devices=$(for _ in $(seq $ranks); do printf ' --gpu=%s' "$gpu"; done)
            for rank in $(seq 0 $((ranks - 1))); do
                # shellcheck disable=SC2086
                in_root timeout -s KILL "$each" /softwave/build/softwave exec -q $devices -- /rccl_ranks "$rank" $ranks /group >"$dir/output$rank" 2>&1 &
            done
            wait
            good=$(cat "$dir"/output[0-3] | grep -c "of $ranks: 0 wrong")
            if [ "$good" -eq $ranks ]; then passed=$((passed + 1)); else failed=$((failed + 1)) && tail -qn 1 "$dir"/output[0-3]; fi
            echo "$gpu rccl: $good of $ranks ranks right, $(($(date +%s) - begin)) s"
            rm -f "$dir"/output[0-3]
        done
    done
}
# Every format of every kind of image of AMD's OpenCL (cl_images.c), or that there are none.
images() {
    packages rocm-opencl-icd ocl-icd-opencl-dev opencl-c-headers
    in_root cc -O1 /softwave/tests/corpus/cl_images.c -o /cl_images -lOpenCL >"$dir/output" 2>&1 || { tail -n 3 "$dir/output" && exit 1; }
    for gpu in $gpus; do
        begin=$(date +%s)
        in_root timeout -s KILL "$each" /softwave/build/softwave exec --gpu=$gpu -- /cl_images >"$dir/output" 2>&1
        code=$? kinds=$(grep -c '^ok ' "$dir/output") how=ok
        case $gpu in
        gfx90a | gfx94? | gfx950) [ $code -eq 1 ] && grep -q "^softwave: this GPU has no images" "$dir/output" || how="failed with $code" ;;
        *) [ "$code $kinds" = "0 6" ] || how="failed with $code" ;;
        esac
        if [ "$how" = ok ]; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
        echo "$gpu images: $how, $kinds kinds, $(awk '/^ok / {n += $3} END {print n + 0}' "$dir/output") formats, $(($(date +%s) - begin)) s"
        grep -v '^ok ' "$dir/output"
    done
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
# llama.cpp's operations against its CPU backend, one after the other. With SAMPLE, of the cases of each that the backend supports every
# Nth by its full name, so that an operation whose cases take hours is tried from its beginning to its end.
llama() {
    packages llama.cpp-tests libggml0-backend-hip
    program=$(cd "$dir" && ls usr/libexec/*/ggml/test-backend-ops usr/libexec/*/llama.cpp-tests/test-backend-ops 2>/dev/null | head -n 1)
    for operation in ${OPERATIONS:-$(in_root "/$program" --list-ops 2>/dev/null | sed -n 's/^  //p')}; do
        for gpu in $gpus; do
            cases=$operation
            [ "${SAMPLE:-1}" -eq 1 ] || cases=$(in_root /softwave/build/softwave exec -q --gpu=$gpu -- "/$program" support -b ROCm0 -o "$operation" \
                --output csv 2>/dev/null | awk -F'","' -v n="$SAMPLE" -v of="$operation" '$1 == "\"ROCm0" && $2 == of && $5 == 1 {
                    last = of "(" $3 ")"
                    if (++all % n == 0) list = list (list ? "," : "") last
                } END {print list ? list : last}')
            spent
            begin=$(date +%s)
            in_root timeout -s KILL "$each" /softwave/build/softwave exec -q --gpu=$gpu -- "/$program" test -b ROCm0 -o "$cases" \
                ${PARAMETERS:+-p "$PARAMETERS"} >"$dir/output" 2>&1
            code=$? count=$(sed -n 's/^ *\([0-9]*\)\/\([0-9]*\) tests passed.*/\1 of \2 passed/p' "$dir/output" | head -n 1)
            case $code in 0) how=ok passed=$((passed + 1)) ;; *) how="failed with $code" failed=$((failed + 1)) ;; esac
            [ $code -ne 137 ] || how="not done after $each s" count="$(grep -ac '): .*OK' "$dir/output") passed, $(grep -ac '): .*FAIL' "$dir/output") failed until then"
            spent
            echo "$gpu $operation: $how, ${count:-no count}, $(($(date +%s) - begin)) s ($busy of processor time)"
        done
    done
}
# A tiny LLaMA model of fixed random weights (tiny_llama.py), of 32-bit floats and of smaller types, evaluated by llama.cpp's CPU
# backend and by its HIP backend. From the probabilities of all tokens that the CPU finds with 32-bit floats, those of a type diverge
# no farther on the GPU than on the CPU, but a tenth and 0.0001 for what is rounded otherwise. Some GPUs do not round activations.
model() {
    command -v python3 >/dev/null || { skipped=$((skipped + 1)) && echo "skipped: python3 is not installed" && return; }
    packages llama.cpp llama.cpp-tools-extra libggml0-backend-hip
    python3 "$here/tiny_llama.py" "$dir/tiny-F32.gguf" "$dir/tiny.txt"
    evaluate() { # GPU TYPE OPTION...: leaves the mean divergence. The HIP backend looks for a device even where none is used.
        gpu=$1 kind=$2
        shift 2
        in_root timeout -s KILL "$each" /softwave/build/softwave exec -q --gpu="$gpu" -- llama-perplexity -m "/tiny-$kind.gguf" -f /tiny.txt \
            -c 256 -b 256 -fit off --kl-divergence-base /logits "$@" >"$dir/output" 2>&1
        code=$?
        mean=$(sed -n 's/^Mean  *KLD: *\([-0-9.]*\) .*/\1/p' "$dir/output")
    }
    evaluate gfx1100 F32 --device none -ngl 0 # writes the probabilities
    for kind in F32 F16 Q8_0 Q4_K_M; do
        [ $kind = F32 ] || in_root llama-quantize /tiny-F32.gguf /tiny-$kind.gguf $kind >"$dir/output" 2>&1
        evaluate gfx1100 $kind --device none -ngl 0 --kl-divergence
        on_cpu=$mean
        for gpu in $gpus; do
            begin=$(date +%s)
            evaluate "$gpu" $kind --device ROCm0 -ngl 99 --kl-divergence
            if [ $code -eq 0 ] && awk -v c="${on_cpu:-x}" -v g="${mean:-x}" 'BEGIN {exit c == "x" || g == "x" || g > c * 1.1 + 0.0001}'; then
                passed=$((passed + 1)) how=ok
            else failed=$((failed + 1)) how="failed with $code"; fi
            echo "$gpu tiny model $kind: $how, mean divergence $mean, on the CPU $on_cpu, $(($(date +%s) - begin)) s"
        done
    done
}
# A tiny Whisper model of fixed random weights (tiny_whisper.py) hears a chirp by whisper.cpp's CPU backend and by its HIP backend:
# the same tokens, each as probable but for a twentieth, as halves are added up in another order.
whisper() {
    command -v python3 >/dev/null || { skipped=$((skipped + 1)) && echo "skipped: python3 is not installed" && return; }
    packages whisper.cpp-tools libggml0-backend-hip
    python3 "$here/tiny_whisper.py" "$dir/tiny-whisper.bin" "$dir/chirp.wav"
    hear() { # GPU NAME OPTION...: leaves numbers of tokens and their probabilities
        gpu=$1 name=$2
        shift 2
        rm -f "$dir/$name.json"
        in_root timeout -s KILL "$each" /softwave/build/softwave exec -q --gpu="$gpu" -- whisper-cli -m /tiny-whisper.bin -f /chirp.wav \
            -bs 1 -bo 1 -nf -mc 0 -nt -ojf -of "/$name" "$@" >"$dir/output" 2>&1
        code=$?
        sed -n 's/^[[:space:]]*"\(id\|p\)": \([-0-9.e]*\),*$/\1 \2/p' "$dir/$name.json" >"$dir/$name.heard"
    }
    hear gfx1100 by-cpu -ng
    for gpu in $gpus; do
        begin=$(date +%s)
        hear "$gpu" by-gpu
        same=$(paste -d' ' "$dir/by-cpu.heard" "$dir/by-gpu.heard" |
            awk '$1 == "id" {n += $2 == $4} $1 == "p" {n -= $4 < $2 * 0.95 || $4 > $2 * 1.05} END {print n + 0}')
        all=$(grep -c ^id "$dir/by-cpu.heard")
        if [ $code -eq 0 ] && [ "$same" -eq "$all" ] && [ "$all" -gt 0 ] && grep -q "using ROCm0 backend" "$dir/output"; then
            passed=$((passed + 1)) how=ok
        else failed=$((failed + 1)) how="failed with $code"; fi
        echo "$gpu whisper: $how, $same of $all tokens as on the CPU, $(($(date +%s) - begin)) s"
    done
}
# Images sampled by AMD's OpenCL against PoCL's on the CPU (cl_samples.c). PoCL's package for loaders excludes AMD's: its library is named
# in a folder of our own.
samples() {
    packages rocm-opencl-icd ocl-icd-opencl-dev opencl-c-headers libpocl2t64
    mkdir -p "$dir/vendors"
    echo libpocl.so.2 >"$dir/vendors/pocl.icd"
    cp "$dir/etc/OpenCL/vendors/amdocl64.icd" "$dir/vendors"
    in_root cc -O1 /softwave/tests/corpus/cl_samples.c -o /cl_samples -lOpenCL -lm >"$dir/output" 2>&1 || { tail -n 3 "$dir/output" && exit 1; }
    for gpu in $gpus; do
        case $gpu in gfx90a | gfx94? | gfx950) echo "$gpu samples: skipped, this GPU has no images" && skipped=$((skipped + 1)) && continue ;; esac
        begin=$(date +%s)
        in_root timeout -s KILL "$each" env OCL_ICD_VENDORS=/vendors /softwave/build/softwave exec -q --gpu=$gpu -- /cl_samples >"$dir/output" 2>&1
        code=$? kinds=$(grep -c '^ok ' "$dir/output") how=ok
        [ "$code $kinds" = "0 5" ] || how="failed with $code"
        if [ "$how" = ok ]; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
        echo "$gpu samples: $how, $kinds kinds, $(awk '/^ok / {s += $5; t += $7} END {print s + 0 " samplers, " t + 0 " texels"}' "$dir/output"), $(($(date +%s) - begin)) s"
        grep -v '^ok ' "$dir/output"
    done
}
# Piglit's OpenCL programs, and of its kernels that cl-program-tester runs every Nth and all with images. Each says "pass", "fail", "warn" or "skip".
piglit() {
    packages piglit rocm-opencl-icd
    tester=$(in_root dpkg -L piglit | grep 'bin/cl-program-tester$')
    for gpu in $gpus; do
        begin=$(date +%s) good=0 bad=0 left=0
        for test in $(in_root dpkg -L piglit | grep -e 'bin/cl-[a-oq-z]') \
            $(in_root dpkg -L piglit | grep -e '\.cl$' -e '\.program_test$' | awk -v n="${SAMPLE:-25}" 'NR % n == 0 || /image|sampler/'); do
            case $test in */bin/*) set -- "$test" -auto ;; *) set -- "$tester" "$test" ;; esac
            in_root timeout -s KILL "$each" /softwave/build/softwave exec -q --gpu=$gpu -- "$@" >"$dir/output" 2>&1
            case $(grep -ao '"result": "[a-z]*"' "$dir/output" | tail -n 1) in
            *pass*) good=$((good + 1)) ;;
            *skip*) left=$((left + 1)) ;;
            *) bad=$((bad + 1)) && echo "  ${test##*/}: $(grep -am 1 'Failed\|failed\|rror' "$dir/output")" ;;
            esac
        done
        if [ $bad -eq 0 ]; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
        skipped=$((skipped + left))
        echo "$gpu piglit: $good passed, $bad failed, $left skipped by it, $(($(date +%s) - begin)) s"
    done
}
# clpeak measures; it is right if it ends with all its numbers. It makes its work by the card's size, so the GPU is a small one:
# by default a fiftieth of the compute units and a hundredth of the memory.
clpeak() {
    packages clpeak rocm-opencl-icd
    for gpu in $gpus; do
        run clpeak "$gpu,${SIZE:-cus=2,memory=256M}" "Kernel launch latency" clpeak -i "${REPEAT:-1}"
        grep -E 'GBPS|GFLOPS|GIOPS|float *:|us$' "$dir/output" | head -n 40
    done
}

[ -d "$dir/usr" ] || make_root
dir=$(realpath "$dir")
trap leave EXIT
mount_systems
# hipcc brings clang, without which the build has no LLVM tier.
packages gcc make pkg-config git zlib1g-dev libzstd-dev libmsgpack-c-dev libyaml-dev binutils hipcc
[ -n "$BUILT" ] || build_tree
for step in $steps; do
    case $step in
    base | hip | images | samples | hashcat | clblast | llama | model | whisper | clpeak | piglit | leaks | rocrand | hiprand | rocprim | hipcub | rocthrust) $step ;;
    rocblas | rocsolver | hipsolver | rocsparse | hipsparse | rocfft | hipfft | rocalution | miopen | migraphx | magma | rccl) $step ;;
    *) echo "no step '$step'" && sed -n '5,7s/^# \{0,1\}//p' "$0" && exit 1 ;;
    esac
done
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
