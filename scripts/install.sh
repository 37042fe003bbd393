#!/bin/sh
# Installs what was built, or takes it away again: scripts/install.sh install|uninstall BUILD-DIR. PREFIX, LIBDIR,
# DESTDIR, VERSION and LIBS (what the static library needs) come from the environment.
set -e
action=$1 build=$2
prefix=${PREFIX:-/usr/local}
libdir=${LIBDIR:-$prefix/lib}
softwave=$build/softwave

put() { # FILE TARGET [MODE]
    if [ "$action" = uninstall ]; then
        rm -f "$DESTDIR$2"
    else
        install -D -m "${3:-644}" "$1" "$DESTDIR$2"
    fi
}
link() { # NAME TARGET
    if [ "$action" = uninstall ]; then rm -f "$DESTDIR$2"; else ln -sf "$1" "$DESTDIR$2"; fi
}
made() { # TARGET: what standard input says
    if [ "$action" = uninstall ]; then
        cat >/dev/null
        rm -f "$DESTDIR$1"
    else
        mkdir -p "$DESTDIR$(dirname "$1")"
        cat >"$DESTDIR$1"
    fi
}
filled() { sed -e "s|@PREFIX@|$prefix|; s|@LIBDIR@|$libdir|; s|@VERSION@|$VERSION|; s|@LIBS@|$LIBS|" "$1"; }

put "$softwave" "$prefix/bin/softwave" 755
for library in softwave swisa; do
    put "$build/lib$library.a" "$libdir/lib$library.a"
    put "$build/lib$library.so" "$libdir/lib$library.so.0" 755
    link lib$library.so.0 "$libdir/lib$library.so"
    filled doc/$library.pc.in | made "$libdir/pkgconfig/$library.pc"
done
# The HSA runtime in a folder of its own, where it shadows no other.
if [ -e "$build/hsa/libhsa-runtime64.so.1" ] || [ "$action" = uninstall ]; then
    put "$build/hsa/libhsa-runtime64.so.1" "$libdir/softwave/libhsa-runtime64.so.1" 755
    link libhsa-runtime64.so.1 "$libdir/softwave/libhsa-runtime64.so"
fi
for header in include/softwave/*.h; do put "$header" "$prefix/include/softwave/$(basename "$header")"; done
for part in config config-version; do
    filled doc/softwave-$part.cmake.in | made "$libdir/cmake/softwave/softwave-$part.cmake"
done
# Man pages and completion come from the tables that the commands are parsed by.
"$softwave" help --man | made "$prefix/share/man/man1/softwave.1"
for command in $("$softwave" help --names); do
    "$softwave" help --man "$command" | made "$prefix/share/man/man1/softwave-$command.1"
done
"$softwave" completion bash | made "$prefix/share/bash-completion/completions/softwave"
"$softwave" completion zsh | made "$prefix/share/zsh/site-functions/_softwave"
"$softwave" completion fish | made "$prefix/share/fish/vendor_completions.d/softwave.fish"

if [ "$action" = uninstall ]; then
    for folder in "$prefix/include/softwave" "$libdir/cmake/softwave" "$libdir/softwave"; do
        rmdir "$DESTDIR$folder" 2>/dev/null || true
    done
elif [ -z "$DESTDIR" ] && ! PATH=$PATH:/sbin:/usr/sbin ldconfig -p 2>/dev/null | grep -q " => $libdir/libsoftwave.so.0"; then
    echo "Programs that use the shared library find it once the linker knows the folder. Type: sudo ldconfig $libdir"
fi
