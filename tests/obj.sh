#!/bin/sh
# SPDX-License-Identifier: MIT
# `softwave obj` from the outside: what it prints, what it extracts, its exit codes.
# usage: obj.sh [path of softwave]
softwave=$(realpath "${1:-${SOFTWAVE:-build/softwave}}")
here=$(cd "$(dirname "$0")" && pwd)
failed=0 checks=0
directory=$(mktemp -d) && trap 'rm -r "$directory"' EXIT && cd "$directory" || exit 1

# expect STATUS TEXT ARG...: runs `softwave obj ARG...`; TEXT must be in what it prints on either stream.
expect() {
    status=$1 text=$2
    shift 2
    checks=$((checks + 1))
    output=$("$softwave" obj "$@" 2>&1)
    got=$?
    if [ $got -ne "$status" ]; then
        echo "obj $*: exit $got, expected $status"
        failed=1
    fi
    case $output in
    *"$text"*) ;;
    *)
        echo "obj $*: no '$text' in: $(printf %.300s "$output")"
        failed=1
        ;;
    esac
}

expect 0 'usage: softwave obj' --help
expect 1 'which file?'
expect 1 'unknown option --frobnicate' --frobnicate x
expect 1 "--entry takes a number, not 'x'" --entry=x file
expect 2 'cannot open' missing
printf 'hello' > text
expect 2 'text:0x0: error: neither an ELF file nor an offload bundle' text
: > empty
expect 2 'the file is empty' empty
if ! command -v clang-22 llvm-offload-binary-22 > /dev/null; then
    echo "obj.sh: clang-22 is not installed: only errors were tested"
    echo "$((checks - failed)) passed, $failed failed, 1 skipped"
    exit $failed
fi

cat > k.cl << 'END'
kernel void scale(global float *values, float by) { values[__builtin_amdgcn_workgroup_id_x()] *= by; }
kernel void nothing(void) {}
END
for cpu in gfx906 gfx1100; do
    clang-22 -w -x cl -target amdgcn-amd-amdhsa -mcpu=$cpu -mcode-object-version=5 -nogpulib -cl-kernel-arg-info -O2 -c k.cl -o $cpu.o &&
        ld.lld-22 -shared $cpu.o -o $cpu.co || exit 1
done
llvm-offload-binary-22 -o both --image=file=gfx906.co,triple=amdgcn-amd-amdhsa,arch=gfx906,kind=hip \
    --image=file=gfx1100.co,triple=amdgcn-amd-amdhsa,arch=gfx1100,kind=hip || exit 1

expect 0 'Code object V5 for gfx906' gfx906.co
expect 0 'ET_REL, relocatable' gfx906.o
expect 0 'R_AMDGPU_REL64          scale + 0x10' gfx906.o
expect 0 '    .name:           scale' gfx906.co
expect 0 '         0       0       8  global_buffer             global float* values' gfx906.co
expect 0 '95:64    12          KERNARG_SIZE                        bytes' -k scale gfx906.co
expect 0 '458      1           ENABLE_WAVEFRONT_SIZE32             wave32' gfx1100.co
expect 2 "no code object for any target with kernel 'absent'" -k absent gfx906.co
expect 0 'both: offload binary, 2 code objects in 2 bundles' both
expect 0 'Code object V5 for gfx1100' --target=gfx1100 both
expect 2 'no code object for gfx803; there is code for: gfx906, gfx1100' --target=gfx803 both
expect 0 'Entry 1: hipv4-amdgcn-amd-amdhsa--gfx1100' --all both
expect 1 'entry 7 is no code object of both' --entry=7 both
expect 0 '' --extract=out both
for i in 0-gfx906 1-gfx1100; do
    cmp "out/both-$i.co" "${i#*-}.co" || failed=1
done
"$softwave" obj - < gfx906.co | grep -q 'Kernel scale' || { echo "obj -: nothing read from standard input"; failed=1; }
if command -v python3 > /dev/null; then
    "$softwave" obj --json --all both | python3 -c '
import json, sys
d = json.load(sys.stdin)
assert d["kind"] == "offload binary" and len(d["entries"]) == 2
e = d["entries"][1]
assert e["target"] == "gfx1100" and e["header"]["code_object_version"] == 5
k = [k for k in e["kernels"] if k["name"] == "scale"][0]
assert k["descriptor"]["KERNARG_SIZE"] == 12 and k["resources"]["wavefront_size"] == 32
assert k["arguments"][1]["value_kind"] == "by_value" and k["problems"] == []
' || failed=1
fi
# --check: what compilers write passes; one changed byte of metadata or descriptor is named
expect 0 '' --check gfx906.co
expect 0 '' --check both
LC_ALL=C sed 's/by_value/by_valve/' gfx906.co > wrong.co
expect 5 "metadata, kernel 'scale', argument 1, .value_kind: 'by_valve' is not a value of this key: by_value" --check wrong.co
LC_ALL=C sed 's/[.]wavefront_size/.wavefront_sive/' gfx906.co > wrong.co
expect 5 "metadata, kernel 'scale', .wavefront_size: the key is missing" --check wrong.co
expect 5 "metadata, kernel 'scale', .wavefront_sive: unknown key" --check wrong.co
expect 0 "  error: metadata, kernel 'scale', .wavefront_size: the key is missing" wrong.co
LC_ALL=C sed 's/--gfx906/--gfx908/' gfx906.co > wrong.co
expect 5 "metadata, amdhsa.target: 'amdgcn-amd-amdhsa--gfx908' is not the target" --check wrong.co

# every fact of llvm-readobj, the metadata's YAML to the character (tests/corpus/obj.sh does whole libraries)
if command -v python3 llvm-readobj-22 > /dev/null; then
    checks=$((checks + 1))
    python3 "$here/corpus/obj_facts.py" "$softwave" llvm-readobj-22 gfx906.o gfx906.co gfx1100.o gfx1100.co || failed=1
fi
# line tables of every form, row by row as llvm-dwarfdump; the line of a fault
if command -v python3 llvm-readobj-22 llvm-dwarfdump-22 > /dev/null; then
    checks=$((checks + 1))
    for form in -gdwarf-2 -gdwarf-4 '-gdwarf-4 -gdwarf64' '-gdwarf-5 -gembed-source' '-gdwarf-5 -gdwarf64'; do
        # shellcheck disable=SC2086
        clang-22 -w -x cl -target amdgcn-amd-amdhsa -mcpu=gfx906 -nogpulib -O2 -g $form -c k.cl -o "lines$form.o" &&
            ld.lld-22 -shared "lines$form.o" -o "lines$form.co" || exit 1
    done
    python3 "$here/corpus/obj_facts.py" "$softwave" llvm-readobj-22 lines* || failed=1
    expect 0 'k.cl (source of ' 'lines-gdwarf-5 -gembed-source.co'
    expect 0 'k.cl:1:' --lines 'lines-gdwarf-4.co'
    checks=$((checks + 1))
    "$softwave" run -k scale -g 1 -b 1 lines-gdwarf-4.co null f32:1 2>&1 | grep -q '  .*k\.cl:1:[0-9]*$' || { echo "run: no source line in the fault"; failed=1; }
fi
# escape sequences in names must not reach the terminal
LC_ALL=C sed 's/scale/s\x1b[3m/g' gfx906.co > odd.co
expect 0 's\x1b[3m' odd.co
echo "$((checks - failed)) passed, $failed failed, 0 skipped"
exit $failed
