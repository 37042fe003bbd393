#!/bin/sh
# The options tables in all their uses: --help, man pages and shell completion name the same options, which the
# parser takes; man pages are clean; completion works in bash, zsh and fish where there are these.
# usage: completion.sh [path of softwave]
softwave=$(realpath "${1:-build/softwave}")
directory=$(mktemp -d) && trap 'rm -r "$directory"' EXIT && cd "$directory" || exit 1
passed=0 failed=0 skipped=0
check() { # NAME GOT EXPECTED
    if [ "$2" = "$3" ]; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "$1: got '$2', expected '$3'"; fi
}
PATH=$(dirname "$softwave"):$PATH && export PATH

commands=$("$softwave" --help | sed -n 's/^  \([a-z]*\)  .*/\1/p')
check "commands" "$(echo $commands)" "targets obj bundle dis as cc ld isa run draw merge exec eval help completion"
for c in $commands; do
    "$softwave" help "$c" > help.txt
    check "$c --help is softwave help $c" "$("$softwave" "$c" --help | cmp - help.txt && echo same)" same
    "$softwave" help --man "$c" > page.1
    # Every long option of the help stands in the page and in each completion.
    names=$(sed 's/examples:.*//; /^examples:/,$d; /^Accepted without/,$d' help.txt | sed -n 's/^  \(-[^ ]*\(, -[^ ]*\)*\).*/\1/p' | tr -s ', ' '\n' | grep -o -e '^--[a-zA-Z][-a-zA-Z0-9]*' | sort -u)
    for shell in bash zsh fish; do "$softwave" completion $shell > script.$shell; done
    missing=
    for n in $names; do
        grep -q -F -e "$(echo "$n" | sed 's/-/\\-/g')" page.1 || missing="$missing man:$n"
        grep -q -e " $c) words='.*$n[= ]" script.bash || missing="$missing bash:$n"
        sed -n "/^    $c)/,/;;/p" script.zsh | grep -q -e "$n" || missing="$missing zsh:$n"
        grep -q -e "seen_subcommand_from $c' .*-l ${n#--}" script.fish || missing="$missing fish:$n"
    done
    check "options of $c that are missing somewhere" "$missing" ""
    # The parser knows each: what it says is not "unknown option".
    unknown=
    for n in $names; do
        "$softwave" "$c" "$n" < /dev/null 2>&1 > /dev/null | grep -q 'unknown option' && unknown="$unknown $n"
    done
    check "options of $c that its parser refuses" "$unknown" ""
    if command -v man > /dev/null; then
        check "man page of $c" "$(LC_ALL=C.UTF-8 man --warnings -l page.1 2>&1 > /dev/null | grep -v 'cannot adjust\|break')" ""
    else skipped=$((skipped + 1)); fi
done
check "an unknown option" "$("$softwave" dis --nothing 2>&1 | head -n 1)" "softwave dis: unknown option --nothing"
"$softwave" completion csh > /dev/null 2>&1
check "another shell" $? 1

if command -v bash > /dev/null; then
    try() { # WORD...: what bash offers for the last one
        "$softwave" completion bash > script.bash
        bash -c 'source ./script.bash; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _softwave; echo "${COMPREPLY[*]}"' bash "$@"
    }
    processors=$("$softwave" targets | sed -n 's/^  \(gfx90[^ ]*\) .*/\1/p' | tr '\n' ' ')
    processors=${processors% }
    check "bash: commands" "$(try softwave o)" obj
    check "bash: options" "$(try softwave dis --sy)" "--symbolize-operands"
    check "bash: a value" "$(try softwave dis --target = gfx90)" "$processors"
    check "bash: a value apart" "$(try softwave dis --target gfx90)" "$processors"
    check "bash: words" "$(try softwave dis --wave '=')" "32 64"
    check "bash: a letter's value" "$(try softwave ld -O '')" "0 1 2"
    check "bash: a newer processor" "$(try softwave run --target = gfx115)" "gfx1150 gfx1151 gfx1152 gfx1153"
    PATH=$(dirname "$softwave"):$PATH
    check "bash: mnemonics" "$(try softwave isa v_dot2_f32_b)" "v_dot2_f32_bf16"
    check "bash: operands" "$(try softwave completion '')" "bash zsh fish"
else skipped=$((skipped + 9)); fi
if command -v zsh > /dev/null; then
    check "zsh: syntax" "$(zsh -n script.zsh 2>&1)" ""
    # compadd says what it is given instead of adding it.
    cat > zpty.zsh << 'Z'
zmodload zsh/zpty
zpty z zsh -f -i
zpty -w z 'PS1=; autoload -U compinit; compinit -u -D; source ./script.zsh; zstyle ":completion:*" list-prompt ""; LISTMAX=0; COLUMNS=200; echo ready'
zpty -r z line '*ready*ready*' || true
zpty -w -n z $'softwave dis --symb\t'
text=
for ((i = 0; i < 600; i++)); do # a minute, which a loaded machine may need
    while zpty -r -t z line; do text+=$line; done
    [[ $text != *symbolize-operands* ]] || break
    sleep 0.1
done
print -r -- $text
Z
    check "zsh: an option" "$(zsh -f zpty.zsh 2>&1 | grep -o -e '--symbolize-operands' | head -n 1)" "--symbolize-operands"
else skipped=$((skipped + 2)); fi
if command -v fish > /dev/null; then
    try() { HOME=$directory fish --no-config -c 'source script.fish; complete -C "$argv[1]"' "$1" | cut -f 1 | tr '\n' ' '; }
    check "fish: commands" "$(try 'softwave o')" "obj "
    check "fish: options" "$(try 'softwave dis --sy')" "--symbolize-operands "
    check "fish: words" "$(try 'softwave dis --wave ')" "32 64 "
    check "fish: operands" "$(try 'softwave completion ')" "bash fish zsh "
else skipped=$((skipped + 4)); fi

echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
