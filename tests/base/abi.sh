#!/bin/sh
# The binary interface of the libraries against tests/base/abi.txt: no exported symbol vanishes, and no member of a public
# struct moves. Allowed are new symbols, new structs, and members at the end of a struct that can grow: of one that
# states its size, that the library gives one by one, or whose arrays the caller says the stride of. Each other struct is
# one of the values below, which stay as they are.
# The list begins each line with the version since which there is such a name. What came behind the first release says so in its
# header: "Since 0.2.0" in the comment above the declaration, or behind it (softwave/base.h).
# usage: abi.sh [SOFTWAVE], with BUILD and CC set; abi.sh --record writes the list anew (make abi)
export LC_ALL=C
one_by_one="sw_header sw_entry sw_section sw_segment sw_symbol sw_relocation sw_note sw_argument sw_line sw_line_file sw_address_space"
stride="sw_operand sw_operand_spec sw_encoding sw_format_part"
values="sw_target sw_sink sw_location sw_node sw_image_range sw_kernel_value sw_region sw_link_text sw_bundle_part sw_terascale_buffer sw_terascale_setting sw_terascale_output sw_step_place"
build=${BUILD:-build} recorded=tests/base/abi.txt
scratch=$(mktemp -d) && trap 'rm -r "$scratch"' EXIT
list=$scratch/list
sed 's/^[0-9.]* //' $recorded >"$list"

# "symbol LIBRARY NAME" and "struct NAME SIZE: MEMBER OFFSET, MEMBER OFFSET" lines.
for library in softwave swisa; do
    "${NM:-nm}" -D --defined-only "$build/lib$library.so" | awk -v l=$library '$3 ~ /^sw_/ {sub(/@.*/, "", $3); print "symbol lib" l, $3}'
done | sort >"$scratch/now"
{ echo stddef.h && echo stdio.h && (cd include && ls softwave/*.h); } | sed 's/.*/#include <&>/' >"$scratch/structs.c"
sed 's://.*::' include/softwave/*.h | tr '\n' ' ' | sed -E ':inner; s/(struct|union) *\{[^{}]*\}/int/; t inner' | awk '
    BEGIN {
        RS = "}"
        print "int main(void) {"
    }
    match($0, /struct sw_[a-z0-9_]* *\{/) {
        name = substr($0, RSTART + 7, RLENGTH - 7); sub(/ *\{.*/, "", name)
        count = split(substr($0, RSTART + RLENGTH), member, ";")
        printf "printf(\"struct %s %%zu:\", sizeof(struct %s));\n", name, name
        for (i = 1; i < count; i++) {
            m = member[i]
            if (match(m, /\(\*[a-z0-9_]*\)/)) m = substr(m, RSTART + 2, RLENGTH - 3)
            parts = split(m, one, ",")
            for (p = 1; p <= parts; p++) {
                sub(/ *(\[[^]]*\] *)*$/, "", one[p]); sub(/.*[ *]/, "", one[p])
                if (one[p] != "") printf "printf(\" %s %%zu\", offsetof(struct %s, %s));\n", one[p], name, one[p]
            }
        }
        print "puts(\"\");"
    }
    END {print "}"}' >>"$scratch/structs.c"
if ! ${CC:-cc} -Iinclude -w "$scratch/structs.c" -o "$scratch/structs"; then
    echo "the headers have a struct that this script cannot read"
    echo "0 passed, 1 failed, 0 skipped"
    exit 1
fi
$RUN "$scratch/structs" | sort >>"$scratch/now"
version=$(sed -n 's/^#define SW_VERSION_NUMBER //p' include/softwave/base.h | awk '{print int($1 / 10000) "." int($1 / 100) % 100 "." $1 % 100}')
if [ "$1" = --record ]; then # what is new is of the version that is being made
    awk -v version="$version" '
        function key() {return $2 == "symbol" ? $2 " " $3 " " $4 : $2 " " $3}
        FNR == NR {since[key()] = $1; next}
        {$0 = "0 " $0; sub(/^0/, key() in since ? since[key()] : version); print}' $recorded "$scratch/now" >"$scratch/new"
    cp "$scratch/new" $recorded
    echo "$recorded: $(grep -c ' symbol ' $recorded) symbols, $(grep -c ' struct ' $recorded) structs"
    exit 0
fi

# compare OLD NEW: what is wrong, what is new, and the totals
compare() {
    awk -v grow="$one_by_one $stride" -v fixed="$values" '
    BEGIN {
        n = split(grow, word, " "); for (i = 1; i <= n; i++) can_grow["struct " word[i]]
        n = split(fixed, word, " "); for (i = 1; i <= n; i++) is_value["struct " word[i]]
    }
    function key(line, word) {split(line, word, " "); return word[1] == "symbol" ? line : word[1] " " word[2]}
    FNR == NR {old[key($0)] = $0; next}
    {now[key($0)] = $0}
    END {
        for (k in old) {
            if (!(k in now)) {print "gone: " k; failed++; continue}
            if (old[k] == now[k]) {passed++; continue}
            a = old[k]; b = now[k]
            sub(/^[^:]*:/, "", a); sub(/^[^:]*:/, "", b)
            if ((a ~ /^ size 0 / || k in can_grow) && index(b " ", a " ") == 1) {print "grew at its end, which is allowed: " k; passed++; continue}
            print "changed: " old[k] "\n     to: " now[k]; failed++
        }
        for (k in now) {
            if (!(k in old)) print "new, recorded by make abi: " k
            if (k !~ /^struct / || now[k] ~ /^[^:]*: size 0 / || k in can_grow || k in is_value) continue
            print "cannot grow, and is no value that abi.sh knows: " k
            failed++
        }
        print passed + 0 " passed, " failed + 0 " failed, 0 skipped"
        exit failed > 0
    }' "$1" "$2"
}

# since RECORDED HEADER...: names whose header does not say, or says wrongly, since when they are there
since() {
    awk '
    FNR == NR {
        if (first == "") first = $1
        if ($1 < first) first = $1
        name = $2 == "symbol" ? $4 : $3
        if (!(name in version) || $1 < version[name]) version[name] = $1
        next
    }
    FNR == 1 {above = ""}
    /^ *$/ {above = ""; next}
    /^ *\/\// {above = above " " $0; next}
    {
        code = $0; sub(/ *\/\/.*/, "", code)
        said = match(above " " $0, /Since [0-9]+\.[0-9]+\.[0-9]+/) ? substr(above " " $0, RSTART + 6, RLENGTH - 6) : ""
        while (match(code, /struct sw_[a-z0-9_]* *\{|sw_[a-z0-9_]*\(/)) {
            name = substr(code, RSTART, RLENGTH); code = substr(code, RSTART + RLENGTH)
            sub(/^struct /, "", name); sub(/ *[{(]$/, "", name)
            if (!(name in version)) continue
            seen[name]
            wanted = version[name] == first ? "" : version[name]
            if (said != wanted) {print FILENAME ": " name ": its comment says " (said == "" ? "no \"Since\"" : "\"Since " said "\"") ", the list " version[name]; failed++}
        }
        if (code !~ /,$/) above = ""
    }
    END {
        for (name in version) if (!(name in seen)) {print "no header declares " name; failed++}
        exit failed > 0
    }' "$@"
}

# First that it notices: a symbol and a struct less, a member moved, against one more at the end.
{
    sed 's/^\(struct sw_fault [0-9]*: size 0 \)[a-z_]* /\1other /; /^symbol libswisa sw_version$/d' "$list"
    echo "struct sw_added 4: a 0"
} >"$scratch/wrong"
sed 's/^\(struct sw_counts\) [0-9]*:.* \([a-z_]* [0-9]*\)$/&/; s/^\(struct sw_counts [0-9]*:.*\)$/\1 more 4000/' "$list" >"$scratch/grown"
compare "$list" "$scratch/wrong" >"$scratch/found"
for line in 'gone: symbol libswisa sw_version' 'changed: struct sw_fault ' 'new, .*: struct sw_added' 'cannot grow.*: struct sw_added' '[0-9]* passed, 3 failed, 0 skipped'; do
    grep -q "^$line" "$scratch/found" && continue
    echo "abi.sh does not find '$line'"
    echo "0 passed, 1 failed, 0 skipped"
    exit 1
done
compare "$list" "$scratch/grown" | grep -q '^grew at its end.*sw_counts' || { echo "a struct may not grow"; echo "0 passed, 1 failed, 0 skipped"; exit 1; }
printf '0.1.0 symbol libswisa sw_old\n0.2.0 symbol libswisa sw_new\n' >"$scratch/versions"
for comment in 'Since 0.2.0: makes it anew.' 'Makes it anew.' 'Since 0.3.0.'; do
    printf '// As ever.\nvoid sw_old(void);\n\n// %s\nvoid sw_new(void);\n' "$comment" >"$scratch/header.h"
    since "$scratch/versions" "$scratch/header.h" >"$scratch/found"
    case $?$comment in 0*0.2.0* | 1[M]* | 1*0.3.0*) ;; *) echo "abi.sh takes '$comment' wrongly" && cat "$scratch/found" && echo "0 passed, 1 failed, 0 skipped" && exit 1 ;; esac
done
since $recorded include/softwave/*.h >"$scratch/found" || { cat "$scratch/found"; echo "0 passed, $(wc -l <"$scratch/found") failed, 0 skipped"; exit 1; }
compare "$list" "$scratch/now"
