#!/bin/sh
# Every file that a comment of the sources or a document names is in the tree. A name with folders is the end of a path.
# usage: file_names.sh (from the root of the tree)
set -eu
# Made by the build, of others, in examples; v3.h and its like are halves of registers.
foreign="isa_tables.c select_tables.c math.h hsa_ext_image.h"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
find . \( -name .git -o -path './build*' -o -name __pycache__ \) -prune -o -type f -print | sed 's:^\./::' >"$work/files"
{
    grep -rnoE '//.*|/\*.*' --include='*.[ch]' --include='*.def' src include tests bench | grep -vE '^tests/(asm|corpus)/.*\.c:'
    grep -rnoE '(^|[^$])# .*' --include='*.sh' --include='*.mk' --include=Makefile Makefile src scripts tests bench
    grep -rnE . --include='*.md' README.md CONTRIBUTING.md doc src python
} | awk -v foreign="$foreign" '
    FNR == NR {
        known[$0]
        for (rest = $0; (slash = index(rest, "/")); known[rest]) rest = substr(rest, slash + 1)
        next
    }
    BEGIN {
        n = split(foreign, word, " ")
        for (i = 1; i <= n; i++) known[word[i]]
        # what may stand before a name in the middle of a path, a pattern or another word
        inside = "[A-Za-z0-9_./*${}<>\\\\-]"
    }
    {
        split($0, part, ":")
        text = substr($0, length(part[1]) + length(part[2]) + 3)
        while (match(text, /[a-z0-9_][A-Za-z0-9_\/.-]*\.(c|h|def|sh|mk|md)/)) {
            name = substr(text, RSTART, RLENGTH)
            before = RSTART > 1 ? substr(text, RSTART - 1, 1) : ""
            after = substr(text, RSTART + RLENGTH, 1)
            text = substr(text, RSTART + RLENGTH)
            if (before ~ inside || after ~ /[A-Za-z0-9_\/*]/ || text ~ /^\.[a-z]/ || name ~ /^v[0-9]+\.h$/) continue
            sub(/^build\//, "", name)
            all++
            if (name in known) continue
            print part[1] ":" part[2] ": there is no " name
            failed++
        }
    }
    END {
        if (all < 500) {
            print "only " all " names were found: the search is broken"
            failed++
        }
        printf "%d passed, %d failed, 0 skipped\n", all - failed, failed
        exit failed > 0
    }' "$work/files" -
