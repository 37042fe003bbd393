#!/bin/sh
# Installs what was built, or takes it away again: scripts/install.sh install|uninstall BUILD-DIR. PREFIX, LIBDIR,
# DESTDIR, VERSION, LIBS (what the static library needs) and STRIP (a program, or empty) come from the environment.
set -e
action=$1 build=$2
prefix=${PREFIX:-/usr/local}
libdir=${LIBDIR:-$prefix/lib}
softwave=$build/softwave

put() { # FILE TARGET [MODE]
    if [ "$action" = uninstall ]; then
        gone "$2"
    else
        install -D -m "${3:-644}" "$1" "$DESTDIR$2"
        if [ "$STRIP" ]; then
            # Of a static library only debug information goes, of programs and shared ones all that running does not need.
            case $1 in
            *.a) "$STRIP" --strip-debug --enable-deterministic-archives "$DESTDIR$2" ;;
            */softwave | *.so*) "$STRIP" --strip-unneeded "$DESTDIR$2" ;;
            esac
        fi
    fi
}
link() { # NAME TARGET
    if [ "$action" = uninstall ]; then gone "$2"; else ln -sf "$1" "$DESTDIR$2"; fi
}
made() { # TARGET: what standard input says
    if [ "$action" = uninstall ]; then
        gone "$1"
    else
        mkdir -p "$DESTDIR$(dirname "$1")"
        cat >"$DESTDIR$1"
    fi
}
# Removes a file, then its folder and those above it if they are empty, up to PREFIX; folders that every system has
# below /usr/local stay.
gone() { # TARGET
    rm -f "$DESTDIR$1"
    folder=$(dirname "$1")
    while [ "$folder" != / ] && [ "$folder" != . ] && [ "$folder" != "$(dirname "$prefix")" ]; do
        case $folder in /usr | /usr/local | /usr/bin | /usr/lib | /usr/share/* | /usr/local/bin | /usr/local/lib | /usr/local/include | /usr/local/share | /usr/local/share/man) return ;; esac
        rmdir "$DESTDIR$folder" 2>/dev/null || return 0
        folder=$(dirname "$folder")
    done
}
from_to() { realpath -m --relative-to="$1" "$2"; } # the way from a folder to another
# Paths in pkg-config files and in the CMake package start at these files, so that the tree can be staged and moved.
filled() {
    sed -e "s|@UP@|$(from_to "$libdir/pkgconfig" "$prefix")|; s|@CMAKE_UP@|$(from_to "$libdir/cmake/softwave" "$prefix")|
        s|@LIB@|$(from_to "$prefix" "$libdir")|; s|@VERSION@|$VERSION|; s|@LIBS@|$LIBS|" "$1"
}
# shellcheck disable=SC2086
run() { $RUN "$softwave" "$@"; }
# The day of the release stands in man pages, so that a later build gives the same pages.
day() {
    if [ "$SOURCE_DATE_EPOCH" ]; then
        date -u -d "@$SOURCE_DATE_EPOCH" +%F
    else
        released=$(sed -n "s/^## $VERSION (\([0-9-]*\)).*/\1/p" CHANGELOG.md)
        echo "${released:-$(git log -1 --format=%cs 2>/dev/null)}"
    fi
}
page() { # [COMMAND]
    run help --man "$@" | sed "1s/^\(\.TH [^ ]* 1\) \"[^\"]*\"/\1 \"$(day)\"/"
}

put "$build/installed/softwave" "$prefix/bin/softwave" 755
for library in softwave swisa; do
    put "$build/lib$library.a" "$libdir/lib$library.a"
    put "$build/lib$library.so" "$libdir/lib$library.so.0" 755
    link lib$library.so.0 "$libdir/lib$library.so"
    filled doc/$library.pc.in | made "$libdir/pkgconfig/$library.pc"
done
# The HSA runtime in a folder of its own, where it shadows no other.
if [ -e "$build/installed/libhsa-runtime64.so.1" ] || [ "$action" = uninstall ]; then
    put "$build/installed/libhsa-runtime64.so.1" "$libdir/softwave/libhsa-runtime64.so.1" 755
    link libhsa-runtime64.so.1 "$libdir/softwave/libhsa-runtime64.so"
    put "$build/hsa/libsoftwave-driver.so" "$libdir/softwave/libsoftwave-driver.so" 755
fi
for header in include/softwave/*.h; do put "$header" "$prefix/include/softwave/$(basename "$header")"; done
for part in config config-version; do
    filled doc/softwave-$part.cmake.in | made "$libdir/cmake/softwave/softwave-$part.cmake"
done
man=$prefix/share/man/man1
if [ "$action" = uninstall ]; then
    for path in "$DESTDIR$man"/softwave.1 "$DESTDIR$man"/softwave-*.1; do gone "${path#"$DESTDIR"}"; done
    for path in bash-completion/completions/softwave zsh/site-functions/_softwave fish/vendor_completions.d/softwave.fish; do
        gone "$prefix/share/$path"
    done
    exit 0
fi
# Man pages and completion come from the tables that the commands are parsed by. A cross build
# takes them from RUN, an emulator, followed by the program.
page | made "$man/softwave.1"
for command in $(run help --names); do page "$command" | made "$man/softwave-$command.1"; done
run completion bash | made "$prefix/share/bash-completion/completions/softwave"
run completion zsh | made "$prefix/share/zsh/site-functions/_softwave"
run completion fish | made "$prefix/share/fish/vendor_completions.d/softwave.fish"
if [ -z "$DESTDIR" ] && ! PATH=$PATH:/sbin:/usr/sbin ldconfig -p 2>/dev/null | grep -q " => $libdir/libsoftwave.so.0"; then
    echo "Programs that use the shared library find it once the linker knows the folder. Type: sudo ldconfig $libdir"
fi
