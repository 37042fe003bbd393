#!/bin/sh
# Installs into a scratch folder and uses the result as a stranger would: only versioned sw_* symbols, a
# program through pkg-config against the shared and the static library, the man page, every --help.
export SOFTWAVE_CACHE= # compiled code is kept nowhere
build=${BUILD:-build}
root=$(cd "$build" && pwd)/install-test
passed=0 failed=0 skipped=0
check() { if [ "$2" = "$3" ]; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "$1: got '$2', expected '$3'"; fi; }

rm -rf "$root"
make --no-print-directory BUILD="$build" PREFIX="$root" install >"$build/install.log" 2>&1
check "make install" $? 0
check "hint about ldconfig" "$(grep -c "sudo ldconfig $root/lib" "$build/install.log")" 1
check "symbols of the shared library that are not sw_*" "$(nm -D --defined-only "$root/lib/libsoftwave.so" | awk '$3 !~ /^(sw_|SOFTWAVE_)/' | wc -l)" 0
check "unversioned symbols" "$(nm -D --defined-only "$root/lib/libsoftwave.so" | grep ' T sw_' | grep -cv '@@SOFTWAVE_0.1')" 0
check "symbols of the static library that are not sw_*" "$(nm -g --defined-only "$root/lib/libsoftwave.a" | awk 'NF == 3 && $3 !~ /^sw_/' | wc -l)" 0
cat >"$root/user.c" <<'C'
#include <softwave/device.h>
#include <stdio.h>
int main(void) {
    sw_target t;
    char text[SW_TARGET_TEXT];
    if (sw_target_parse("gfx90a:xnack-:sramecc+", 22, &t, NULL) != SW_OK) return 1;
    sw_target_format(&t, text);
    puts(text);
}
C
export PKG_CONFIG_PATH=$root/lib/pkgconfig
cc "$root/user.c" $(pkg-config --cflags --libs softwave) -o "$root/shared" && check "shared" "$(LD_LIBRARY_PATH=$root/lib "$root/shared")" "gfx90a:sramecc+:xnack-"
cc "$root/user.c" $(pkg-config --cflags softwave) "$root/lib/libsoftwave.a" -lz -lzstd -lmsgpackc -lyaml -lm -lpthread -o "$root/static" && check "static" "$("$root/static")" "gfx90a:sramecc+:xnack-"
# libswisa: only sw_* symbols, nothing but libc, the example through pkg-config against both libraries.
check "symbols of libswisa.so that are not sw_*" "$(nm -D --defined-only "$root/lib/libswisa.so" | awk '$3 !~ /^(sw_|SOFTWAVE_)/' | wc -l)" 0
check "symbols of libswisa.a that are not sw_*" "$(nm -g --defined-only "$root/lib/libswisa.a" | awk 'NF == 3 && $3 !~ /^sw_/' | wc -l)" 0
check "what libswisa.so needs" "$(readelf -d "$root/lib/libswisa.so" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' | tr '\n' ' ')" "libc.so.6 "
check "writable data of libswisa.so" "$(size -A "$root/lib/libswisa.so" | awk '$1 ~ /^\.(data|bss)$/ && $2 > 16')" ""
# The heap is for whole listings (dis/listing.c, kept.c, graph.c) and files only.
objects=$(find "$build/src/isa" "$build/src/dis" "$build/src/asm/insn" -name "*.o" | grep -vE "/(listing|kept|graph)\.")
check "allocation by decoding, printing, encoding or assembling" "$(nm -A -u $objects | grep -E ' (malloc|calloc|realloc|arena_[a-z]*)$')" ""
check "objects looked at" "$([ "$(echo "$objects" | wc -l)" -ge 25 ] && echo yes)" yes
want='8f0080be  s_mov_b32 s0, 15  (SOP1)'
for how in "$(pkg-config --libs swisa)" "$root/lib/libswisa.a"; do
    cc -std=c17 -Wall -Werror examples/disassemble.c $(pkg-config --cflags swisa) $how -o "$root/example"
    check "example with $how" "$(LD_LIBRARY_PATH=$root/lib "$root/example" gfx90a 's_mov_b32 s0, (3+4)*2|1' | head -n 1)" "$want"
done
check "example, error" "$(LD_LIBRARY_PATH=$root/lib "$root/example" gfx90a 'v_foo' 2>&1)" "column 1: gfx90a has no instruction 'v_foo'"
for compiler in "c++ -x c++ -std=c++17" "cc -x c -std=c99 -pedantic"; do
    command -v "${compiler%% *}" >/dev/null || { skipped=$((skipped + 1)) && echo "skipped: $compiler, as it is not installed" && continue; }
    echo '#include <softwave/isa.h>' | $compiler -Wall -Werror -fsyntax-only $(pkg-config --cflags swisa) - && check "$compiler" ok ok || check "$compiler" no ok
done
if command -v cmake >/dev/null; then
    mkdir "$root/cmake" && cp "$root/user.c" "$root/cmake"
    cat >"$root/cmake/CMakeLists.txt" <<'C'
cmake_minimum_required(VERSION 3.10)
project(user C)
find_package(softwave 0.1 REQUIRED)
foreach(how softwave softwave_static)
    add_executable(user_${how} user.c)
    target_link_libraries(user_${how} softwave::${how})
endforeach()
C
    cmake -S "$root/cmake" -B "$root/cmake/build" -DCMAKE_PREFIX_PATH="$root" >"$root/cmake/log" 2>&1 && cmake --build "$root/cmake/build" >>"$root/cmake/log" 2>&1
    check "find_package(softwave)" $? 0
    for how in softwave softwave_static; do check "CMake, $how" "$("$root/cmake/build/user_$how")" "gfx90a:sramecc+:xnack-"; done
    sed -i 's/softwave 0.1 REQUIRED/softwave 7.0 REQUIRED/' "$root/cmake/CMakeLists.txt"
    cmake -S "$root/cmake" -B "$root/cmake/other" -DCMAKE_PREFIX_PATH="$root" >"$root/cmake/log" 2>&1
    check "find_package, another version" $? 1
    # Staged under DESTDIR for /usr, then moved: both ways find headers and libraries where the tree is now.
    make --no-print-directory BUILD="$build" PREFIX=/usr LIBDIR=/usr/lib/somewhere DESTDIR="$root/stage" install-strip >"$build/install.log" 2>&1
    mkdir "$root/moved" && mv "$root/stage/usr" "$root/moved/tree"
    sed -i 's/softwave 7.0 REQUIRED/softwave 0.1 REQUIRED/' "$root/cmake/CMakeLists.txt"
    cmake -S "$root/cmake" -B "$root/cmake/moved" -Dsoftwave_DIR="$root/moved/tree/lib/somewhere/cmake/softwave" >"$root/cmake/log" 2>&1 &&
        cmake --build "$root/cmake/moved" >>"$root/cmake/log" 2>&1
    check "find_package, staged and moved" $? 0
    for how in softwave softwave_static; do check "CMake, moved, $how" "$("$root/cmake/moved/user_$how")" "gfx90a:sramecc+:xnack-"; done
    moved=$(PKG_CONFIG_PATH=$root/moved/tree/lib/somewhere/pkgconfig pkg-config --cflags --libs softwave)
    cc "$root/user.c" $moved -o "$root/moved/user"
    check "pkg-config, moved" "$(LD_LIBRARY_PATH=$root/moved/tree/lib/somewhere "$root/moved/user")" "gfx90a:sramecc+:xnack-"
    check "the command, moved" "$("$root/moved/tree/bin/softwave" targets gfx90a >/dev/null 2>&1 && echo runs)" runs
    check "the paths of this build in installed files" "$(grep -rl "$PWD" "$root/moved/tree/lib/somewhere/pkgconfig" "$root/moved/tree/lib/somewhere/cmake")" ""
    check "install-strip" "$(readelf -SW "$root/moved/tree/bin/softwave" "$root"/moved/tree/lib/somewhere/*.so "$root/moved/tree/lib/somewhere/libsoftwave.a" | grep -c '\.debug_info')" 0
    rm -r "$root/moved" "$root/stage"
else skipped=$((skipped + 11)) && echo "skipped: the CMake package, as cmake is not installed"; fi
check "one copy of the library's code" "$(readelf -d "$root/bin/softwave" "$root/lib/softwave/libhsa-runtime64.so.1" | grep -c 'NEEDED.*libsoftwave.so.0')" 2
check "where they look for it" "$(readelf -d "$root/bin/softwave" "$root/lib/softwave/libhsa-runtime64.so.1" | sed -n 's/.*(RUNPATH).*\[\(.*\)\]/\1/p' | tr '\n' ' ')" '$ORIGIN/../lib $ORIGIN/.. '
SOURCE_DATE_EPOCH=86400 make --no-print-directory BUILD="$build" PREFIX="$root/dated" install >/dev/null 2>&1
check "a given date" "$(head -n 1 "$root/dated/share/man/man1/softwave-dis.1")" '.TH SOFTWAVE-DIS 1 "1970-01-02" "softwave 0.1.0" "User Commands"'
rm -r "$root/dated"
for page in softwave $("$root/bin/softwave" help --names | sed 's/^/softwave-/'); do
    check "man page $page" "$(sed -n 2p "$root/share/man/man1/$page.1")" ".SH NAME"
done
for command in targets obj bundle dis as ld isa run exec eval help completion; do
    "$root/bin/softwave" $command --help >"$root/help.txt" 2>&1
    check "$command --help" $? 0
    check "$command --help has examples" "$(grep -ci '^examples\?:' "$root/help.txt")" 1
done
"$root/bin/softwave" >/dev/null 2>&1
check "no command" $? 1
"$root/bin/softwave" nothing >/dev/null 2>&1
check "unknown command" $? 1
check "version" "$("$root/bin/softwave" --version)" "softwave 0.1.0"
# Taking it away leaves nothing, needs no build, and keeps what somebody else put there.
rm -rf "$root/cmake" "$root"/*.c "$root"/*.txt "$root/shared" "$root/static" "$root/example"
mkdir "$root/share/mine"
env -u MAKEFLAGS -u MAKELEVEL make --no-print-directory BUILD="$build/none" PREFIX="$root" uninstall >"$build/uninstall.log" 2>&1
check "make uninstall" "$(find "$root" -mindepth 1 | sed "s#^$root/##" | sort | tr '\n' ' ')" "share share/mine "
check "what make uninstall compiles" "$(cat "$build/uninstall.log")$(ls "$build/none" 2>/dev/null)" ""
rm -rf "$root"
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
