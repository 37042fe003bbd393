#!/bin/sh
# Installs into a scratch folder and uses the result as a stranger would: only versioned sw_* symbols, a
# program through pkg-config against the shared and the static library, the man page, every --help.
build=${BUILD:-build}
root=$(cd "$build" && pwd)/install-test
passed=0 failed=0
check() { if [ "$2" = "$3" ]; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "$1: got '$2', expected '$3'"; fi; }

rm -rf "$root"
make --no-print-directory BUILD="$build" PREFIX="$root" install >/dev/null 2>&1
check "make install" $? 0
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
cc "$root/user.c" $(pkg-config --cflags softwave) "$root/lib/libsoftwave.a" -lz -lzstd -lmsgpackc -lm -lpthread -o "$root/static" && check "static" "$("$root/static")" "gfx90a:sramecc+:xnack-"
check "man page" "$([ -s "$root/share/man/man1/softwave.1" ] && echo yes)" yes
for command in targets obj dis run; do
    "$root/bin/softwave" $command --help >"$root/help.txt" 2>&1
    check "$command --help" $? 0
    check "$command --help has examples" "$(grep -ci '^examples\?:' "$root/help.txt")" 1
done
"$root/bin/softwave" >/dev/null 2>&1
check "no command" $? 1
"$root/bin/softwave" nothing >/dev/null 2>&1
check "unknown command" $? 1
check "version" "$("$root/bin/softwave" --version)" "softwave 0.1.0"
rm -rf "$root"
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ]
