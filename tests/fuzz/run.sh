#!/bin/sh
# Fuzzes everything that reads other people's bytes or text, SECONDS for each target, in a build with sanitizers:
# tests/fuzz/run.sh BUILD-DIR SECONDS. BUILD-DIR holds libsoftwave-fuzz.a; what each target found so far stays in
# BUILD-DIR/corpus-NAME, its last words in BUILD-DIR/NAME.log, and what made it fail in BUILD-DIR.
build=$1 seconds=$2
libs="$(pkg-config --libs zlib libzstd yaml-0.1) $(pkg-config --libs msgpack-c 2>/dev/null || pkg-config --libs msgpack) -lm -lpthread"
flags="-fsanitize=address,undefined,fuzzer -fno-sanitize-recover=all -std=gnu17 -D_GNU_SOURCE -Iinclude -Isrc -I."

# One target. All of them run at once, as many as there are cores.
one() {
    source=$1
    name=$(basename "$source" .c)
    corpus=$build/corpus-$name
    seeds=
    [ "$name" = fuzz_asm ] && seeds="tests/asm tests/asm/dwarf"
    dictionary=tests/fuzz/$name.dict
    [ -f "$dictionary" ] && dictionary="-dict=$dictionary" || dictionary=
    mkdir -p "$corpus"
    # shellcheck disable=SC2086
    clang $flags "$source" "$build/libsoftwave-fuzz.a" $libs -o "$build/$name" &&
        "$build/$name" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -print_final_stats=1 \
            -artifact_prefix="$build/" $dictionary "$corpus" $seeds >"$build/$name.log" 2>&1 ||
        { tail -n 40 "$build/$name.log"; echo "$name failed"; exit 1; }
    echo "$name: $(sed -n 's/^stat::number_of_executed_units: *//p' "$build/$name.log") inputs"
}

if [ "$3" ]; then one "$3"; else ls tests/fuzz/fuzz_*.c | xargs -P "$(nproc)" -n 1 "$0" "$build" "$seconds"; fi
