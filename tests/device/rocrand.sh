#!/bin/sh
# SPDX-License-Identifier: MIT
# The kernels of Debian's librocrand1, for seven GPUs: every word of every kernel decodes, as llvm-objdump decodes
# it where that is installed; generators are initialised, then run over the same buffers, and give the sequences that
# rocrand/reference.c computes on the host from the published algorithms.
# usage: rocrand.sh [path of softwave]. Environment: ROCRAND the library, ROCRAND_TARGETS choose less, CC.
. "$(dirname "$0")/../tools.sh"
export SOFTWAVE_CACHE= # compiled code is kept nowhere
softwave=$(realpath "${1:-build/softwave}")
here=$(realpath "$(dirname "$0")")
out=$(dirname "$softwave")/rocrand
targets=${ROCRAND_TARGETS:-"gfx803 gfx900:xnack- gfx906:xnack- gfx908:xnack- gfx90a:xnack+ gfx90a:xnack- gfx1030"}
passed=0 failed=0 skipped=0

for file in ${ROCRAND:-} /usr/lib/*/librocrand.so.1.1 /opt/rocm/lib/librocrand.so.1.1; do
    if [ -r "$file" ]; then
        library=$file
        break
    fi
done
if [ -z "${library:-}" ]; then
    echo "rocrand.sh: librocrand1 is not installed"
    echo "0 passed, 0 failed, 1 skipped"
    exit 0
fi
mkdir -p "$out/fused" "$out/mad" || exit 1
${CC:-cc} -std=gnu17 -O1 -ffp-contract=off -o "$out/reference" "$here/rocrand/reference.c" -lm &&
    "$out/reference" "$out/fused" && "$out/reference" "$out/mad" mad || exit 1

# The kernels of Poisson numbers need a program of their own.
library_all=$(dirname "$softwave")/libsoftwave-all.a
if [ -r "$library_all" ]; then
    ${CC:-cc} -std=gnu17 -O1 -I "$here/../../include" -o "$out/poisson" "$here/rocrand/poisson.c" "$library_all" \
        $(pkg-config --libs zlib libzstd msgpack yaml-0.1) -lm -lpthread -ldl || exit 1
else
    rm -f "$out/poisson"
fi

pass() { passed=$((passed + 1)); }
fail() {
    failed=$((failed + 1))
    echo "FAILED: $*"
}

# ---- Decoding ----

# words_inside OBJECT: the kernels' words that are no instruction, and the number of instructions. A kernel is as long
# as its symbol says; what lies between kernels is padding.
words_inside() {
    "$softwave" dis "$1" | awk '
        /^[0-9a-f]+ </ { inside = 1 }
        /^\t/ && inside { if ($1 ~ /^\.long/) bad++; else good++ }
        END { print bad + 0, good + 0 }'
}

object_of() { ls "$out"/*"-$(echo "$1" | tr : _).co" 2> /dev/null; }

"$softwave" obj --extract="$out" --all "$library" > "$out/extract.log" 2>&1 || fail "extracting code objects"
for target in $targets; do
    object=$(object_of "$target")
    if [ ! -r "$object" ]; then
        fail "$target: no code object"
        continue
    fi
    kernels=$("$softwave" obj "$object" | grep -c '^Kernel ')
    words=$(words_inside "$object")
    echo "$target: $kernels kernels, ${words#* } instructions, ${words% *} words undecoded"
    if [ "$kernels" -eq 80 ] && [ "${words% *}" -eq 0 ] && [ "${words#* }" -gt 40000 ]; then pass; else fail "$target: undecoded, or not the 80 kernels"; fi
    if llvm_22 && have $LLVM_OBJDUMP; then
        "$softwave" dis "$object" | sed 1,3d > "$out/ours.txt"
        $LLVM_OBJDUMP -d "$object" 2> /dev/null | sed 1,3d > "$out/theirs.txt"
        if cmp -s "$out/ours.txt" "$out/theirs.txt"; then pass; else fail "$target: llvm-objdump prints otherwise"; fi
    else
        skipped=$((skipped + 1))
    fi
done

# ---- Running ----

space=_ZN12rocrand_host6detailL
# arguments_of TYPE-CODE CLASS: the template arguments of a generator's kernel; half is repeated as a substitution
arguments_of() {
    case $1 in
    6__half) echo "I$1$2IS2_EE" ;;
    *) echo "I$1$2I$1EE" ;;
    esac
}

# run TARGET NAME ARGUMENTS...: one process; each buffer that is compared counts
run() {
    gpu=$1 title=$2
    shift 2
    checks=$(printf '%s\n' "$@" | grep -c 'expect=')
    if "$softwave" run --target="$gpu" "$@" > "$out/run.log" 2>&1; then passed=$((passed + checks)); else
        wrong=$(grep -c ' differ from ' "$out/run.log")
        if [ "$wrong" -eq 0 ]; then wrong=$checks; fi
        passed=$((passed + checks - wrong)) failed=$((failed + wrong))
        echo "FAILED: $gpu $title"
        grep -v -e 'warning: ' -e '\.\.\.$' "$out/run.log" | sed 's/^/    /' | head -n 8
    fi
}

# Kernels as SIZE:CODE:DISTRIBUTION:CLASS:TOLERANCE: bytes of a value, its type's code in a mangled name, the
# reference's name for what is made, the class that makes it, ULP. Sobol's have values a thread in front.
plain_kernels="
    4:j:uint:20uniform_distribution:0
    1:h:uchar:20uniform_distribution:0
    2:t:ushort:20uniform_distribution:0
    4:f:float:20uniform_distribution:0
    8:d:double:20uniform_distribution:0
    2:6__half:half:20uniform_distribution:0
    4:f:normal:19normal_distribution:8
    8:d:normal_double:19normal_distribution:8
    2:6__half:normal_half:19normal_distribution:8
    4:f:log_normal:23log_normal_distribution:8
    8:d:log_normal_double:23log_normal_distribution:8
    2:6__half:log_normal_half:23log_normal_distribution:8"
mrg_kernels="
    4:j:uint:24mrg_uniform_distribution:0
    1:h:uchar:24mrg_uniform_distribution:0
    2:t:ushort:24mrg_uniform_distribution:0
    4:f:float:24mrg_uniform_distribution:0
    8:d:double:24mrg_uniform_distribution:0
    2:6__half:half:24mrg_uniform_distribution:0
    4:f:normal:23mrg_normal_distribution:8
    8:d:normal_double:23mrg_normal_distribution:8
    2:6__half:normal_half:23mrg_normal_distribution:8
    4:f:log_normal:27mrg_log_normal_distribution:8
    8:d:log_normal_double:27mrg_log_normal_distribution:8
    2:6__half:log_normal_half:27mrg_log_normal_distribution:8"
sobol_kernels="
    1:4:j:uint:26sobol_uniform_distribution:0
    4:1:h:uchar:26sobol_uniform_distribution:0
    2:2:t:ushort:26sobol_uniform_distribution:0
    1:4:f:float:26sobol_uniform_distribution:0
    1:8:d:double:26sobol_uniform_distribution:0
    2:2:6__half:half:26sobol_uniform_distribution:0
    1:4:f:normal:25sobol_normal_distribution:128
    2:2:6__half:normal_half:25sobol_normal_distribution:2
    2:2:6__half:log_normal_half:29sobol_log_normal_distribution:2
    1:8:d:normal_double:25sobol_normal_distribution:128
    1:4:f:log_normal:29sobol_log_normal_distribution:128
    1:8:d:log_normal_double:29sobol_log_normal_distribution:128"
count=5003

# shown TYPE-CODE: the type by which a buffer is compared
shown() {
    case $1 in j) echo u32 ;; h) echo u8 ;; t) echo u16 ;; f) echo f32 ;; d) echo f64 ;; 6__half) echo f16 ;; esac
}

# fields KERNEL: sets size, code, what, class, tolerance
fields() {
    size=${1%%:*} rest=${1#*:}
    code=${rest%%:*} rest=${rest#*:}
    what=${rest%%:*} rest=${rest#*:}
    class=${rest%%:*} tolerance=${rest#*:}
}

# distribution_argument WHAT: the distribution object, one byte, or mean 0 and deviation 1, by pairs for most halves
distribution_argument() {
    case $1 in
    *normal) echo hex:000000000000803f ;;
    *normal_half) if [ -n "${2:-}" ]; then echo hex:0000003c; else echo hex:00000000003c003c; fi ;;
    *normal_double) echo hex:0000000000000000000000000000f03f ;;
    *) echo u8:0 ;;
    esac
}

engines_chain() { # TARGET NAME ENGINE-CLASS SEED KERNELS
    name=$2 engine=$3 seed=$4 kernels=$5
    run "$target" "$name initialise" -k "${space}19init_engines_kernelEPN14rocrand_device${engine}Ejyy" -g 1024 -b 256 \
        "$library" "buf:engines=24K,show=u32:0,expect=$known/$name.engines" u32:3 "u64:$seed" u64:5
    set -- -k "${space}19init_engines_kernelEPN14rocrand_device${engine}Ejyy" -g 1024 -b 256 \
        "$library" buf:engines=24K u32:3 "u64:$seed" u64:5
    for kernel in $kernels; do
        fields "$kernel"
        set -- "$@" --then -k "${space}15generate_kernel$(arguments_of "$code" "$class")EvPN14rocrand_device${engine}EjPT_mT0_" \
            -g 1024 -b 256 @engines u32:3 \
            "buf:$((size * count)),show=$(shown "$code"):0,expect=$known/$name.$what,tol=$tolerance" \
            "u64:$count" "$(distribution_argument "$what")"
    done
    run "$target" "$name generate" "$@"
}

for target in $targets; do
    # A GPU without a fast FMA rounds the product first.
    if [ "$target" = gfx803 ]; then known=$out/mad; else known=$out/fused; fi
    engines_chain "$target" xorwow 13xorwow_engine 0x123456789abcdef0 "$plain_kernels"
    engines_chain "$target" mrg32k3a 15mrg32k3a_engine 12345 "$mrg_kernels"
    engine=$(od -An -v -tx1 "$known/philox.engine" | tr -d ' \n')
    for kernel in $plain_kernels; do
        fields "$kernel"
        run "$target" "philox $what" -k "${space}15generate_kernel$(arguments_of "$code" "$class")EvNS0_27philox4x32_10_device_engineEPT_mT0_" \
            -g 1024 -b 256 "$library" "hex:$engine" \
            "buf:$((size * count)),show=$(shown "$code"):0,expect=$known/philox.$what,tol=$tolerance" \
            "u64:$count" "$(distribution_argument "$what")"
    done
    set --
    for kernel in $plain_kernels; do
        fields "$kernel"
        if [ $# -eq 0 ]; then first="$library" engines="buf:engines=$(wc -c < "$known/mtgp32.engines"),in=$known/mtgp32.engines"; else
            first='' engines=@engines
            set -- "$@" --then
        fi
        set -- "$@" -k "${space}15generate_kernelILj256E${code}${class}I$([ "$code" = 6__half ] && echo S2_ || echo "$code")EEEvPN14rocrand_device13mtgp32_engineEPT0_mT1_" \
            -g 512 -b 256 $first "$engines" \
            "buf:$((size * count)),show=$(shown "$code"):0,expect=$known/mtgp32.$what,tol=$tolerance" \
            "u64:$count" "$(distribution_argument "$what")"
    done
    run "$target" mtgp32 "$@"
    for kernel in $sobol_kernels; do
        width=${kernel%%:*}
        fields "${kernel#*:}"
        buffer="buf:$((size * 1500 * 8)),show=$(shown "$code"):0,tol=$tolerance"
        again=$([ "$code" = 6__half ] && echo S2_ || echo "$code")
        template="ILj${width}E${code}${class}I${again}EEEvPT0_m"
        run "$target" "sobol32 $what" -k "${space}15generate_kernel${template}PKjjT1_" -g 512,8 -b 128 "$library" \
            "$buffer,expect=$known/sobol32.$what" u64:1500 "buf:1K,in=$known/sobol32.vectors" u32:77 "$(distribution_argument "$what" single)"
        run "$target" "sobol64 $what" -k "${space}18generate_kernel_64${template}PKyjT1_" -g 512,8 -b 128 "$library" \
            "$buffer,expect=$known/sobol64.$what" u64:1500 "buf:4K,in=$known/sobol64.vectors" u32:77 "$(distribution_argument "$what" single)"
    done
    if [ -x "$out/poisson" ]; then
        "$out/poisson" "$(object_of "$target")" "$known" > "$out/run.log" 2>&1
        totals=$(sed -n 's/^\([0-9]*\) passed, \([0-9]*\) failed$/\1 \2/p' "$out/run.log")
        if [ -n "$totals" ]; then passed=$((passed + ${totals% *})) failed=$((failed + ${totals#* })); else failed=$((failed + 6)); fi
        if [ "${totals#* }" != 0 ]; then echo "FAILED: $target poisson" && head -n 6 "$out/run.log"; fi
    else
        skipped=$((skipped + 6))
    fi
done

echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
