# Sourced by tests/all.sh and by scripts in folders below: chooses the LLVM whose tools the tests call, 18 or later, and
# exports their names: CLANG, LLVM_MC, LD_LLD and so on, and LLVM_MAJOR. LLVM=19 asks for that version. A tool that is not
# installed has a name that no command has, so tests ask with `command -v "$LLVM_MC"`.
if [ -z "$LLVM_MAJOR" ]; then
    for top in . "$(dirname "$0")/.." "$(dirname "$0")/../.."; do [ ! -x "$top/scripts/llvm.sh" ] || break; done
    chosen=$("$top/scripts/llvm.sh" 18 clang || "$top/scripts/llvm.sh" 18 llvm-mc || echo "clang-${LLVM:-22}")
    LLVM_MAJOR=${chosen##*-}
    # A name without a version: Fedora and Arch have one LLVM.
    case $LLVM_MAJOR in *[!0-9]*) LLVM_MAJOR=$($chosen --version | sed -nE 's/.*version ([0-9]+)\..*/\1/p' | head -n 1) ;; esac
    export LLVM_MAJOR
    for tool in clang llvm-mc ld.lld llvm-objdump llvm-readelf llvm-readobj llvm-ar llvm-nm llvm-dwarfdump llvm-objcopy \
        llvm-offload-binary llvm-offload-device-info clang-offload-bundler llc; do
        name=$tool-$LLVM_MAJOR
        case $chosen in *-"$LLVM_MAJOR") ;; *) ! command -v $tool >/dev/null || name=$tool ;; esac
        export "$(echo $tool | tr 'a-z.-' 'A-Z__')=$name"
    done
fi
# have COMMAND...: whether all are there
have() { for command; do command -v "$command" >/dev/null || return 1; done; }
# Golden lines and bytes are those of LLVM 22.
llvm_22() { [ "$LLVM_MAJOR" = 22 ]; }
# need_llvm_22 TOOL...: ends the test, as one that is skipped, unless these tools of LLVM 22 are there
need_llvm_22() {
    if ! llvm_22; then
        echo "skipped: it needs LLVM 22, whose bytes, spelling and processors it knows; this is LLVM $LLVM_MAJOR"
    else
        have "$@" && return
        for tool; do have "$tool" || echo "skipped: $tool is not installed"; done
    fi
    echo "0 passed, 0 failed, 1 skipped"
    exit 0
}

# ---- Tests of `softwave cc` ----

libclc=/usr/lib/clc/amdgcn-amd-amdhsa.bc
pass() { passed=$((passed + 1)); }
wrong() { failed=$((failed + 1)) && echo "$*"; }
skip_all() { echo "skipped: $*" && echo "0 passed, 0 failed, 1 skipped" && exit 0; }
# end_test: the last line of a test that counts by pass and wrong
end_test() { echo "$passed passed, $failed failed, $skipped skipped" && exit $((failed > 0)); }
# begin_test [SOFTWAVE]: goes into a directory of the test's own. $softwave is the program, $here the script's folder.
begin_test() {
    export SOFTWAVE_CACHE=
    softwave=$(realpath "${1:-build/softwave}")
    here=$(realpath "$(dirname "$0")")
    passed=0 failed=0 skipped=0
    directory=$(mktemp -d) && trap 'rm -r "$directory"' EXIT && cd "$directory" || exit 1
}
# need_reader: ends the test, as one that is skipped, unless LLVM's library can be loaded
need_reader() {
    echo 'define amdgpu_kernel void @k() { ret void }' > k.ll
    "$softwave" cc --target=gfx90a k.ll 2> message || { grep -q 'libllvm22' message && skip_all "libllvm22 is not installed"; }
}
# need_libclc: the same of OpenCL's library
need_libclc() { [ -r $libclc ] || skip_all "libclc-22 is not installed"; }
