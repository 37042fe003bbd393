# Sourced by tests of the command, first thing: `. "$(dirname "$0")/../command.sh"`. Their argument, the path of softwave,
# becomes $softwave. The test goes on in an empty folder, $directory, which vanishes with it; $here is where the test lies.
# A test ends with `finish`.
export SOFTWAVE_CACHE= # compiled code is kept nowhere
softwave=$(realpath "${1:-${SOFTWAVE:-build/softwave}}")
here=$(dirname "$(realpath "$0")")
passed=0 failed=0 skipped=0
subcommand= # put before the arguments of `expect`
directory=$(mktemp -d) && trap 'rm -r "$directory"' EXIT && cd "$directory" || exit 1

# expect STATUS TEXT ARG...: runs `softwave ARG...`; TEXT must be in what it prints on either stream.
expect() {
    status=$1 text=$2
    shift 2
    output=$("$softwave" $subcommand "$@" 2>&1 < /dev/null)
    got=$?
    case $output in
    *"$text"*) found=1 ;;
    *) found=0 ;;
    esac
    if [ $got -eq "$status" ] && [ $found -eq 1 ]; then passed=$((passed + 1)); else
        failed=$((failed + 1))
        echo "$subcommand $*: exit $got, expected $status with '$text': $(printf %.600s "$output")"
    fi
}
# skip WHY: counts a case that cannot be tried here
skip() { skipped=$((skipped + 1)) && echo "$(basename "$0"): $*"; }
finish() {
    echo "$passed passed, $failed failed, $skipped skipped"
    [ "$failed" -eq 0 ]
}
