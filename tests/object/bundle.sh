#!/bin/sh
# SPDX-License-Identifier: MIT
# `softwave bundle` against clang-offload-bundler: bundles that are equal byte for byte, each taking apart what
# the other made, the same ids accepted and refused; hostile files refused in a message.
# usage: bundle.sh [path of softwave]
. "$(dirname "$0")/../tools.sh"
softwave=$(realpath "${1:-${SOFTWAVE:-build/softwave}}")
failed=0 checks=0 skipped=0
directory=$(mktemp -d) && trap 'rm -r "$directory"' EXIT && cd "$directory" || exit 1

fail() {
    echo "$*"
    failed=$((failed + 1))
}
# expect STATUS TEXT ARG...: runs `softwave bundle ARG...`; TEXT must be in what it prints on either stream.
expect() {
    status=$1 text=$2
    shift 2
    checks=$((checks + 1))
    output=$(timeout 20 "$softwave" bundle "$@" 2>&1)
    got=$?
    [ $got -eq "$status" ] || { fail "bundle $*: exit $got, expected $status: $output"; return; }
    case $output in
    *"$text"*) ;;
    *) fail "bundle $*: no '$text' in: $output" ;;
    esac
}
# same FILE FILE
same() {
    checks=$((checks + 1))
    cmp "$1" "$2" || fail "$1 and $2 differ"
}

host=host-x86_64-unknown-linux-gnu
one=hipv4-amdgcn-amd-amdhsa--gfx906:sramecc+:xnack-
two=hipv4-amdgcn-amd-amdhsa--gfx1100
printf 'first code object' > first
printf 'second\n' > second
: > empty
seq 1 20000 > third

# ---- Usage ----
expect 0 'usage: softwave bundle' --help
expect 1 '--type is missing'
expect 1 "'q': no such file type" --type=q
expect 1 '--targets is missing' --type=o
expect 1 'exclude each other' --list --unbundle --input=first
expect 1 '2 input files for 1 targets' --type=o --targets=$two --input=first --input=second --output=x
expect 1 'one --output is needed' --type=o --targets=$two --input=first
expect 1 '--bundle-align takes a number' --type=o --targets=$two --input=first --output=x --bundle-align=0
expect 1 "not 'lzma'" --type=o --targets=$two --input=first --output=x --compress=lzma
expect 2 'cannot open' --type=o --targets=$two --input=absent --output=x
expect 1 'archives can only be taken apart' --type=a --targets=$two --input=first --output=x

# ---- Ids (TGT-74 to TGT-81, the bundler's rules) ----
expect 2 "unknown offload kind 'cuda'" --type=o --targets=cuda-amdgcn-amd-amdhsa--gfx906 --input=first --output=x
expect 2 "unknown architecture 'zzz'" --type=o --targets=hip-zzz-amd-amdhsa--gfx906 --input=first --output=x
expect 2 'gfx9x6' --type=o --targets=hip-amdgcn-amd-amdhsa--gfx9x6 --input=first --output=x
expect 2 'foo' --type=o --targets=hip-amdgcn-amd-amdhsa--gfx906:foo+ --input=first --output=x
expect 2 'expected KIND-ARCH' --type=o --targets=hip-amdgcn --input=first --output=x
expect 2 'is there twice' --type=o --targets=$two,$two --input=first --input=second --output=x
expect 2 'conflict' --type=o --targets=hip-amdgcn-amd-amdhsa--gfx906:xnack+,hip-amdgcn-amd-amdhsa--gfx906 \
    --input=first --input=second --output=x
expect 2 'exactly one host' --type=o --targets=openmp-amdgcn-amd-amdhsa--gfx906 --input=first --output=x
expect 2 'exactly one host' --type=o --targets=$host,host-aarch64-unknown-linux-gnu --input=first --input=second --output=x
checks=$((checks + 1))
[ ! -e x ] || fail "a refused bundle was written"
# different values of the same features may stand together
expect 0 '' --type=o --targets=hip-amdgcn-amd-amdhsa--gfx906:xnack+,hip-amdgcn-amd-amdhsa--gfx906:xnack- \
    --input=first --input=second --output=both
expect 0 'hip-amdgcn-amd-amdhsa--gfx906:xnack-' --list --input=both
# canonical form: order of features, short triples, alternative names
expect 0 '' --type=o --targets=hip-amdgcn-amd-amdhsa-gfx906:xnack+:sramecc-,hip-amdgcn-amd-amdhsa-fiji --input=first \
    --input=second --output=names
expect 0 'hip-amdgcn-amd-amdhsa--gfx906:sramecc-:xnack+
hip-amdgcn-amd-amdhsa--gfx803' --list names

# ---- Round trips of ours ----
for form in '' --compress --compress=zlib '--compress --ccob-version=1' '--compress=zlib --ccob-version=3 --compression-level=9' \
    --bundle-align=4096; do
    # shellcheck disable=SC2086
    expect 0 '' --type=o --targets=$host,$one,$two --inputs=empty,first,third --output=made $form
    expect 0 "$host-
$one
$two" --list made
    expect 0 '' --type=o --unbundle --targets=$two,$host,$one --outputs=o2,o0,o1 --input=made
    same o0 empty
    same o1 first
    same o2 third
done
# a target that asks for more settings takes code that leaves them open, not the other way round
expect 0 '' --type=o --unbundle --targets=hip-amdgcn-amd-amdhsa--gfx1100 --output=o --input=made
same o third
expect 2 'nothing compatible' --type=o --unbundle --targets=hip-amdgcn-amd-amdhsa--gfx906 --output=o --input=made
expect 2 'nothing compatible' --type=o --unbundle --targets=openmp-amdgcn-amd-amdhsa--gfx1100 --output=o --input=made
expect 0 '' --type=o --unbundle --targets=openmp-amdgcn-amd-amdhsa--gfx1100 --output=o --input=made --hip-openmp-compatible
same o third
expect 0 '' --type=o --unbundle --targets=hip-amdgcn-amd-amdhsa--gfx908,$one --output=o --output=o1 --input=made --allow-missing-bundles
same o empty
same o1 first
# all or nothing: the first target is there, the second is not, so neither file appears
rm -f n1 n2
expect 2 'nothing compatible' --type=o --unbundle --targets=$one,hip-amdgcn-amd-amdhsa--gfx908 --output=n1 --output=n2 --input=made
checks=$((checks + 1))
[ ! -e n1 ] && [ ! -e n2 ] || fail "files of a failed run appeared"
for type in s ll ii; do
    expect 0 '' --type=$type --targets=$host,$two --inputs=empty,second --output=text
    expect 0 '' --type=$type --unbundle --targets=$host,$two --outputs=o0,o1 --input=text
    same o0 empty
    same o1 second
done
expect 2 'neither an ELF file nor an offload bundle' --list first
expect 0 '' --type=o --unbundle --targets=$host,$two --outputs=o0,o1 --input=first --allow-missing-bundles
same o0 first
same o1 empty

# ---- Hostile files ----
printf 'CCOB\003\000\001\000' > cut
expect 2 'cut:0x0: error: compressed bundle: the header is cut off' --list cut
# a bomb: 4 GiB of zeros in 4 MB would be credible, in 100 bytes not
{ printf 'CCOB\002\000\000\000\174\000\000\000\377\377\377\377\000\000\000\000\000\000\000\000'; head -c 100 /dev/zero; } > bomb
expect 2 'decompressed size' --list bomb
head -c 60 made > half
expect 2 '3 entries do not fit' --list half
head -c 150 made > half
expect 2 'lies outside the bundle' --list half
printf '!<arch>\nmember/         0           0     0     644     9999999999`\n' > long.a
expect 2 'runs past the file' --list long.a
printf '\n# __CLANG_OFFLOAD_BUNDLE____START__ %s\ntext' $two > open.s
expect 2 'has no end mark' --list open.s

# ---- Against clang-offload-bundler ----
other=$(command -v $CLANG_OFFLOAD_BUNDLER)
if [ -z "$other" ]; then
    echo "bundle.sh: no clang-offload-bundler: only our own bundles were tested"
    skipped=$((skipped + 1))
else
    for form in '' '-bundle-align=256'; do
        # shellcheck disable=SC2086
        "$other" -type=o -targets=$host,$one,$two -input=empty -input=first -input=third -output=theirs $form || fail "$other failed"
        # shellcheck disable=SC2086
        expect 0 '' --type=o --targets=$host,$one,$two --input=empty --input=first --input=third --output=ours $form
        same ours theirs
    done
    for type in s ll ii d bc; do
        "$other" -type=$type -targets=$host,$one,$two -input=empty -input=first -input=third -output=theirs || fail "$other failed"
        expect 0 '' --type=$type --targets=$host,$one,$two --input=empty --input=first --input=third --output=ours
        same ours theirs
    done
    case $other in
    *-22)
        for form in -compress '-compress -compression-level=9'; do
            # shellcheck disable=SC2086
            "$other" -type=o -targets=$host,$one,$two -input=empty -input=first -input=third -output=theirs $form || fail "$other failed"
            expect 0 "$two" --list theirs
            expect 0 '' --type=o --unbundle --targets=$two --output=o --input=theirs
            same o third
            # shellcheck disable=SC2086
            expect 0 '' --type=o --targets=$host,$one,$two --input=empty --input=first --input=third --output=ours $form
            "$other" -type=o -unbundle -targets=$one,$two -output=o1 -output=o2 -input=ours || fail "$other cannot read our compressed bundle"
            same o1 first
            same o2 third
        done ;;
    *) skipped=$((skipped + 1)) && echo "bundle.sh: no $CLANG_OFFLOAD_BUNDLER: compressed bundles of LLVM's were not tested" ;;
    esac
    # host objects with sections, and archives of them
    if have $CLANG $LLVM_AR $LLVM_READELF; then
        echo 'int host(void) { return 1; }' > h.c && $CLANG -c h.c -o h.o
        echo 'int device(void) { return 2; }' > d.c && $CLANG -target amdgcn-amd-amdhsa -mcpu=gfx906 -nogpulib -c d.c -o d1 && $CLANG -target amdgcn-amd-amdhsa -mcpu=gfx1100 -nogpulib -c d.c -o d2
        "$other" -type=o -targets=$host,$one,$two -input=h.o -input=d1 -input=d2 -output=theirs.o || fail "$other failed"
        expect 0 '' --type=o --targets=$host,$one,$two --input=h.o --input=d1 --input=d2 --output=ours.o
        for f in theirs.o ours.o; do
            expect 0 "$one" --list $f
            expect 0 '' --type=o --unbundle --targets=$host,$one,$two --input=$f --output=o0 --output=o1 --output=o2
            same o1 d1
            same o2 d2
            checks=$((checks + 1))
            $LLVM_READELF -s o0 2>&1 | grep -q 'FUNC .* host' || fail "the host part of $f lost its symbol"
            $LLVM_READELF -S o0 2>&1 | grep -q CLANG_OFFLOAD && fail "the host part of $f still holds bundles"
        done
        "$other" -type=o -unbundle -targets=$one,$two -input=ours.o -output=o1 -output=o2 || fail "$other cannot read our host object"
        same o1 d1
        same o2 d2
        cp theirs.o a_rather_long_member_name.o
        rm -f fat.a && $LLVM_AR cr fat.a theirs.o a_rather_long_member_name.o h.o
        expect 0 "a_rather_long_member_name.o: $two" --list fat.a
        "$other" -type=a -unbundle -targets=$one,$two -input=fat.a -output=t1.a -output=t2.a || fail "$other failed"
        expect 0 '' --type=a --unbundle --targets=$one,$two --input=fat.a --output=o1.a --output=o2.a --check-input-archive
        checks=$((checks + 1))
        [ "$($LLVM_AR t o2.a)" = "$($LLVM_AR t t2.a)" ] || fail "members: $($LLVM_AR t o2.a), expected $($LLVM_AR t t2.a)"
        $LLVM_AR p o2.a > p1 && $LLVM_AR p t2.a > p2
        same p1 p2
        expect 2 'nothing compatible' --type=a --unbundle --targets=hip-amdgcn-amd-amdhsa--gfx803 --input=fat.a --output=x.a
    else
        skipped=$((skipped + 1)) && echo "bundle.sh: $CLANG or $LLVM_AR is missing: host objects and archives were not tested"
    fi
fi
echo "$((checks - failed)) passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
