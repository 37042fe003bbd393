#!/bin/sh
# SPDX-License-Identifier: MIT
# Metadata in both directions: YAML with every key of the tables to MessagePack and back to the same YAML, for each
# code object version; and changed line by line, where whatever llvm-mc refuses we refuse in a message that names the
# key (META-03 to META-38).
# usage: metadata.sh [path of softwave]
. "$(dirname "$0")/../tools.sh"
softwave=$(realpath "${1:-${SOFTWAVE:-build/softwave}}")
failed=0 checks=0 skipped=0
directory=$(mktemp -d) && trap 'rm -r "$directory"' EXIT && cd "$directory" || exit 1
fail() {
    echo "$*"
    failed=$((failed + 1))
}

# yaml VERSION MINOR: every key that the version has, in the order in which they are stored.
yaml() {
    cat << END
---
acme.key:        7
amdhsa.kernels:
  - .agpr_count:     4
    .args:
      - .address_space:  global
        .is_const:       true
        .is_restrict:    true
        .is_volatile:    true
        .name:           a
        .offset:         0
        .size:           8
        .type_name:      'int*'
        .value_kind:     global_buffer
        .value_type:     i32
      - .address_space:  local
        .offset:         8
        .pointee_align:  16
        .size:           4
        .value_kind:     dynamic_shared_pointer
      - .access:         write_only
        .actual_access:  write_only
        .is_pipe:        true
        .offset:         16
        .size:           8
        .value_kind:     pipe
      - .offset:         24
        .size:           8
        .value_kind:     hidden_global_offset_x
    .device_enqueue_symbol: handle
    .group_segment_fixed_size: 0
    .kernarg_segment_align: 8
    .kernarg_segment_size: 32
    .kind:           init
    .language:       'OpenCL C++'
    .language_version:
      - 2
      - 0
    .max_flat_workgroup_size: 256
    .max_num_work_groups_x: 1
    .max_num_work_groups_y: 2
    .max_num_work_groups_z: 3
    .name:           k
    .private_segment_fixed_size: 16
    .reqd_workgroup_size:
      - 4
      - 8
      - 2
    .sgpr_count:     6
    .sgpr_spill_count: 1
    .symbol:         k.kd
END
    [ "$1" -ge 5 ] && printf '    .uniform_work_group_size: 1\n    .uses_dynamic_stack: true\n'
    cat << END
    .vec_type_hint:  float4
    .vgpr_count:     8
    .vgpr_spill_count: 2
    .wavefront_size: 64
    .workgroup_size_hint:
      - 1
      - 2
      - 3
amdhsa.printf:
  - '1:2:4:8:a %d "quoted" %s\n'
END
    [ "$1" -ge 4 ] && echo 'amdhsa.target:   amdgcn-amd-amdhsa--gfx90a'
    printf 'amdhsa.version:\n  - 1\n  - %s\n...\n' "$2"
}

# source FILE VERSION: assembly with this metadata
source_of() {
    [ "$2" -ge 4 ] && echo ".amdhsa_code_object_version $2"
    echo .amdgpu_metadata
    cat "$1"
    echo .end_amdgpu_metadata
}

for pair in 3.0 4.1 5.2 6.2; do
    version=${pair%.*}
    checks=$((checks + 2))
    yaml "$version" "${pair#*.}" > "$version.yaml"
    source_of "$version.yaml" "$version" > "$version.s"
    "$softwave" as --target=gfx90a --code-object-version="$version" "$version.s" -o "$version.o" || fail "V$version: not assembled"
    "$softwave" obj --metadata "$version.o" > "$version.back" 2> /dev/null
    cmp "$version.yaml" "$version.back" || fail "V$version: another YAML comes back"
    "$softwave" obj --check "$version.o" 2> "$version.check" || fail "V$version: $(grep error "$version.check")"
    grep -v 'symbol is not defined' "$version.check" | grep -q . && fail "V$version: $(cat "$version.check")"
done

# V2's spelling of the same (META-04 to META-12)
cat > 2.s << 'END'
.hsa_code_object_version 2,1
.hsa_code_object_isa
.amd_amdgpu_hsa_metadata
---
Version: [ 1, 0 ]
Printf: [ '1:1:4:%d' ]
Kernels:
  - Name: k
    SymbolName: 'k@kd'
    Language: OpenCL C
    LanguageVersion: [ 2, 0 ]
    Attrs:
      ReqdWorkGroupSize: [ 4, 8, 2 ]
      WorkGroupSizeHint: [ 1, 2, 3 ]
      VecTypeHint: float4
      RuntimeHandle: handle
    Args:
      - { Name: a, TypeName: 'int*', Size: 8, Align: 8, ValueKind: GlobalBuffer, AddrSpaceQual: Global, IsConst: true, IsRestrict: true, IsVolatile: true }
      - { Size: 4, Align: 4, ValueKind: DynamicSharedPointer, PointeeAlign: 16, AddrSpaceQual: Local }
      - { Size: 8, Align: 8, ValueKind: Pipe, AccQual: WriteOnly, ActualAccQual: WriteOnly, IsPipe: true }
      - { Size: 8, Align: 8, ValueKind: HiddenMultiGridSyncArg }
    CodeProps: { KernargSegmentSize: 32, GroupSegmentFixedSize: 0, PrivateSegmentFixedSize: 16, KernargSegmentAlign: 8,
      WavefrontSize: 64, NumSGPRs: 6, NumVGPRs: 8, MaxFlatWorkGroupSize: 256, NumSpilledSGPRs: 1, NumSpilledVGPRs: 2 }
...
.end_amd_amdgpu_hsa_metadata
END
checks=$((checks + 2))
if "$softwave" as --target=gfx906 --code-object-version=2 2.s -o 2.o; then
    "$softwave" obj --check 2.o 2> 2.check || fail "V2: $(cat 2.check)"
    "$softwave" obj --metadata 2.o 2> /dev/null > 2.back
    for text in '.access:         write_only' '.address_space:  local' '.pointee_align:  16' '.offset:         8' '.is_volatile:    true' \
        'value_kind:     hidden_multigrid_sync_arg' '.kernarg_segment_size: 32' '.sgpr_spill_count: 1' 'device_enqueue_symbol: handle' \
        "amdhsa.printf:" '.wavefront_size: 64'; do
        checks=$((checks + 1))
        grep -qF -- "$text" 2.back || fail "V2 as V3's keys: no '$text'"
    done
else
    fail "V2: not assembled"
fi

# ---- Each line changed in each way ----
# change N HOW: the YAML with line N left out, or with another value
change() { awk -v n="$1" -v how="$2" 'NR != n { print; next }
    how == "out" { if ($1 == "-") { sub(/[^ -].*/, "acme.x: 1"); print } next }
    { sub(/: +[^ ].*$/, ": " how) || sub(/- [^ ].*$/, "- " how); print }' 5.yaml; }
if ! command -v $LLVM_MC > /dev/null; then
    echo "metadata.sh: no $LLVM_MC: its verdicts were not compared"
    skipped=$((skipped + 1))
else
    lines=$(wc -l < 5.yaml)
    refused=0 line=1
    while [ $line -lt "$lines" ]; do
        line=$((line + 1))
        text=$(sed -n "${line}p" 5.yaml)
        key=$(echo "$text" | sed -n 's/^[ -]*\([a-z._]*\):.*/\1/p')
        for how in out x -1 true '[ ]'; do
            case $how$text in out*:) continue ;; esac # what is below would belong to the line above
            change $line "$how" > changed.yaml
            cmp -s changed.yaml 5.yaml && continue
            checks=$((checks + 1))
            source_of changed.yaml 5 > changed.s
            "$softwave" as --target=gfx90a --code-object-version=5 changed.s -o changed.o > ours 2>&1
            ours=$?
            $LLVM_MC -triple=amdgcn-amd-amdhsa -mcpu=gfx90a changed.s -filetype=obj -o theirs.o > theirs 2>&1
            theirs=$?
            if [ $theirs -ne 0 ]; then
                refused=$((refused + 1))
                [ $ours -eq 2 ] || fail "line $line ($text) as '$how': exit $ours, but llvm-mc refuses"
                [ -z "$key" ] || grep -qF -- "$key" ours || fail "line $line ($text) as '$how': the key is not named: $(head -n 1 ours)"
            elif [ $ours -eq 0 ]; then
                "$softwave" obj --check changed.o > checked 2>&1
                [ $? -le 5 ] || fail "line $line ($text) as '$how': obj --check ended with $?"
            fi
        done
    done
    [ $refused -gt 100 ] || fail "llvm-mc refused only $refused changes"
fi
echo "$((checks - failed)) passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
