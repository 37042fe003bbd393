#!/bin/sh
# SPDX-License-Identifier: MIT
# `softwave obj` from the outside: what it prints, what it extracts, its exit codes.
# usage: obj.sh [path of softwave]
. "$(dirname "$0")/../tools.sh"
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
if ! have $CLANG $LLVM_OFFLOAD_BINARY; then
    echo "obj.sh: $CLANG is not installed: only errors were tested"
    echo "$((checks - failed)) passed, $failed failed, 1 skipped"
    exit $failed
fi

cat > k.cl << 'END'
kernel void scale(global float *values, float by) { values[__builtin_amdgcn_workgroup_id_x()] *= by; }
kernel void nothing(void) {}
END
for cpu in gfx906 gfx1100; do
    $CLANG -w -x cl -target amdgcn-amd-amdhsa -mcpu=$cpu -mcode-object-version=5 -nogpulib -cl-kernel-arg-info -O2 -c k.cl -o $cpu.o &&
        $LD_LLD -shared $cpu.o -o $cpu.co || exit 1
done
$LLVM_OFFLOAD_BINARY -o both --image=file=gfx906.co,triple=amdgcn-amd-amdhsa,arch=gfx906,kind=hip \
    --image=file=gfx1100.co,triple=amdgcn-amd-amdhsa,arch=gfx1100,kind=hip || exit 1

expect 0 'Code object V5 for gfx906' gfx906.co
expect 0 'ET_REL, relocatable' gfx906.o
expect 0 'R_AMDGPU_REL64          scale + 0x10' gfx906.o
expect 0 '    .name:           scale' gfx906.co
expect 0 '         0       0       8  global_buffer             global float* values' gfx906.co
expect 0 '95:64    12          KERNARG_SIZE                        bytes' -k scale gfx906.co
expect 0 '458      1           ENABLE_WAVEFRONT_SIZE32             wave32' gfx1100.co
expect 2 "no kernel 'absent'. There are 2:" -k absent gfx906.co
expect 2 "no kernel 'scael'; did you mean 'scale(float* values, float by)'?" -k scael gfx906.co
expect 0 '  scale(float* values, float by)
      wave64, ' --kernels gfx906.co
expect 0 'occupancy 10' --kernels gfx906.co
expect 1 '--kernels is text' --kernels --json gfx906.co
expect 0 '  nothing()' --kernels gfx906.co
expect 0 'Entry 1: hipv4-amdgcn-amd-amdhsa--gfx1100
  nothing()
      wave32, ' --kernels --all both
expect 2 "no code object for any target with kernel 'absent'" -k absent both
expect 0 'both: offload binary, 2 code objects in 2 bundles' both
expect 0 'Code object V5 for gfx1100' --target=gfx1100 both
expect 2 'no code object for gfx803; there is code for: gfx906, gfx1100' --target=gfx803 both
expect 0 'Entry 1: hipv4-amdgcn-amd-amdhsa--gfx1100' --all both
expect 1 'entry 7 is no code object of both' --entry=7 both
expect 0 '' --extract=out both
for i in 0-gfx906 1-gfx1100; do
    cmp "out/both-$i.co" "${i#*-}.co" || failed=1
done
# What is taken out of a library, by target and by kernel.
sed 's/scale/other/' k.cl > l.cl
$CLANG -w -x cl -target amdgcn-amd-amdhsa -mcpu=gfx906 -nogpulib -O2 -c l.cl -o other.o && $LD_LLD -shared other.o -o other.co || exit 1
$LLVM_OFFLOAD_BINARY -o three --image=file=gfx906.co,triple=amdgcn-amd-amdhsa,arch=gfx906,kind=hip \
    --image=file=other.co,triple=amdgcn-amd-amdhsa,arch=gfx906,kind=hip \
    --image=file=gfx1100.co,triple=amdgcn-amd-amdhsa,arch=gfx1100,kind=hip || exit 1
taken() { # FILES ARG...: which files --extract writes
    files=$1
    shift
    rm -rf taken
    expect 0 '' --extract=taken "$@" three
    checks=$((checks + 1))
    [ "$(ls taken | tr '\n' ' ')" = "$files " ] || { echo "obj --extract $*: $(ls taken)" && failed=1; }
}
taken 'three-0-gfx906.co three-1-gfx906.co' --target=gfx906
taken 'three-0-gfx906.co three-2-gfx1100.co' -k scale
taken 'three-1-gfx906.co' --target=gfx906:xnack- -k other
taken 'three-2-gfx1100.co' --entry=2
cmp taken/three-2-gfx1100.co gfx1100.co || failed=1
expect 2 "no code object for gfx1100 with kernel 'other'" --extract=taken --target=gfx1100 -k other three
expect 2 'no code object for gfx803; there is code for: gfx906, gfx1100' --extract=taken --target=gfx803 three
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

# V2: amd_kernel_code_t field by field (KD-22); PAL: registers by name (PAL-18 to PAL-28), old list and pipelines
cat > v2.s << 'END'
.hsa_code_object_version 2,1
.hsa_code_object_isa 9,0,6,"AMD","AMDGPU"
.text
.amdgpu_hsa_kernel k
k:
.amd_kernel_code_t
wavefront_sgpr_count = 20
compute_pgm_rsrc1_vgprs = 2
private_element_size = 1
.end_amd_kernel_code_t
s_endpgm
END
"$softwave" as --code-object-version=2 --target=gfx906 v2.s -o v2.o || failed=1
expect 0 'Code object V2 for gfx906' v2.o
expect 0 '84       20          wavefront_sgpr_count' -k k v2.o
expect 0 'GRANULATED_WORKITEM_VGPR_COUNT                   12 VGPRs' v2.o
expect 0 'private_element_size                           4 bytes' v2.o
expect 0 ', vendor AMD, architecture AMDGPU' v2.o
# every field of amd_kernel_code_t, set by name in assembly and read back
if command -v python3 > /dev/null; then
    checks=$((checks + 1))
    "$softwave" obj --json v2.o 2> /dev/null | python3 -c '
import json, subprocess, sys
softwave = sys.argv[1]
code = json.load(sys.stdin)["entries"][0]["kernels"][0]["kernel_code"]
assert len(code) == 48, len(code)
# fixed by the target, derived, or without a name in assembly
skip = ("kernel_code_prefetch_byte_offset", "max_scratch_backing_memory_byte_size", "enable_wavefront_size32", "compute_pgm_rsrc1", "compute_pgm_rsrc2")
want = {}
for i, name in enumerate(n for n in code if n not in skip):
    one = name.startswith(("enable_", "is_"))
    want[name] = 1 if one else 2 if name == "private_element_size" else 4 + i % 8 if "align" in name or name == "wavefront_size" else 3 * i + 1
want["wavefront_size"] = 6
lines = [n.replace("amd_kernel_code_version", "amd_code_version") + f" = {v}" for n, v in want.items()]
text = ".hsa_code_object_version 2,1\n.hsa_code_object_isa\n.text\n.amdgpu_hsa_kernel k\nk:\n.amd_kernel_code_t\n" + "\n".join(lines) + "\n.end_amd_kernel_code_t\ns_endpgm\n"
open("fields.s", "w").write(text)
subprocess.run([softwave, "as", "--code-object-version=2", "--target=gfx906", "fields.s", "-o", "fields.o"], check=True)
out = subprocess.run([softwave, "obj", "--json", "fields.o"], capture_output=True, check=True).stdout
got = json.loads(out)["entries"][0]["kernels"][0]["kernel_code"]
for name, value in want.items():
    assert got[name] == value, (name, got[name], value)
' "$softwave" || { echo "obj: amd_kernel_code_t"; failed=1; }
fi
printf '.text\ns_endpgm\n.amd_amdgpu_pal_metadata 0x2c0a,0x2c0042,0x2c0c,0x10000000,0x2c0d,5,0x10000027,7,0x2c0e,0x10000007\n' > pal.s
"$softwave" as --triple=amdgcn--amdpal --target=gfx900 pal.s -o pal.o || failed=1
expect 0 '0x00002c0a  0x002c0042  SPI_SHADER_PGM_RSRC1_PS           12 VGPRs, 16 SGPRs' pal.o
expect 0 '0x00002c0c  0x10000000  SPI_SHADER_USER_DATA_PS_0         GlobalTable' pal.o
expect 0 'SPI_SHADER_USER_DATA_PS_1         user data entry 5' pal.o
expect 0 'SPI_SHADER_USER_DATA_PS_2         undefined' pal.o
expect 0 'CS_NUM_USED_VGPRS' pal.o
cat > main.ll << 'END'
define amdgpu_cs void @main(i32 inreg %a, i32 %b) {
 call void asm sideeffect "; use $0", "v"(i32 %b)
 ret void }
END
$CLANG -w -x ir -target amdgcn-amd-amdpal -mcpu=gfx1030 -c main.ll -o pipeline.o || exit 1
expect 0 'stage .cs       _amdgpu_cs_main' pipeline.o
expect 0 'COMPUTE_PGM_RSRC1                 4 VGPRs' pipeline.o
expect 5 'pipeline 0, .internal_pipeline_hash: the key is missing' --check pipeline.o

# every fact of llvm-readobj, the metadata's YAML to the character (tests/corpus/obj.sh does whole libraries)
if have python3 $LLVM_READOBJ; then
    checks=$((checks + 1))
    python3 "$here/../corpus/obj_facts.py" "$softwave" $LLVM_READOBJ gfx906.o gfx906.co gfx1100.o gfx1100.co || failed=1
fi
# line tables of every form, row by row as llvm-dwarfdump; the line of a fault
if have python3 $LLVM_READOBJ $LLVM_DWARFDUMP; then
    checks=$((checks + 1))
    for form in -gdwarf-2 -gdwarf-4 '-gdwarf-4 -gdwarf64' '-gdwarf-5 -gembed-source' '-gdwarf-5 -gdwarf64'; do
        # shellcheck disable=SC2086
        $CLANG -w -x cl -target amdgcn-amd-amdhsa -mcpu=gfx906 -nogpulib -O2 -g $form -c k.cl -o "lines$form.o" &&
            $LD_LLD -shared "lines$form.o" -o "lines$form.co" || exit 1
    done
    python3 "$here/../corpus/obj_facts.py" "$softwave" $LLVM_READOBJ lines* || failed=1
    expect 0 'k.cl (source of ' 'lines-gdwarf-5 -gembed-source.co'
    expect 0 'k.cl:1:' --lines 'lines-gdwarf-4.co'
    checks=$((checks + 2))
    [ "$("$softwave" dis -l -k scale lines-gdwarf-4.co | grep -c '^; .*k.cl:1$')" -ge 1 ] || { echo "dis -l: no source line"; failed=1; }
    "$softwave" run -k scale -g 1 -b 1 lines-gdwarf-4.co null f32:1 2>&1 | grep -q '  .*k\.cl:1:[0-9]*$' || { echo "run: no source line in the fault"; failed=1; }
fi
# host objects as HIP's drivers write them: plain and compressed bundles, offload binaries
if command -v $CLANG_OFFLOAD_BUNDLER > /dev/null; then
    cat > h.hip << 'END'
struct dim3 { unsigned x, y, z; };
extern "C" int hipLaunchKernel(const void *, dim3, dim3, void **, unsigned long, void *);
extern "C" int __hipPushCallConfiguration(dim3, dim3, unsigned long, void *);
extern "C" int __hipPopCallConfiguration(dim3 *, dim3 *, unsigned long *, void *);
__attribute__((global)) void k(int *p) { *p = 1; }
END
    for form in --no-offload-new-driver --offload-compress --offload-new-driver '--offload-new-driver --offload-compress'; do
        # shellcheck disable=SC2086
        $CLANG -w -x hip h.hip --offload-arch=gfx906 --offload-arch=gfx90a:xnack+ -nogpulib -nogpuinc -O1 $form -c -o h.o || exit 1
        expect 0 'h.o: host file, 2 code objects in 1 bundles' h.o
        expect 0 'gfx90a:xnack+  ' h.o
        expect 0 'gfx906   ' h.o
        expect 0 'Kernel _Z1kPi' --target=gfx906:xnack- h.o
    done
fi
# escape sequences in names must not reach the terminal
LC_ALL=C sed 's/scale/s\x1b[3m/g' gfx906.co > odd.co
expect 0 's\x1b[3m' odd.co
echo "$((checks - failed)) passed, $failed failed, 0 skipped"
exit $failed
