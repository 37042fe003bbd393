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
