#!/bin/sh
# What `make run` shows: the example agrees with the host, calls no foreign compiler, and notices one wrong number.
# usage: example.sh SOFTWAVE, with BUILD set
build=${BUILD:-build}
passed=0 failed=0 skipped=0
check() { if [ "$2" = "$3" ]; then passed=$((passed + 1)); else failed=$((failed + 1)) && echo "$1: got '$2', expected '$3'"; fi; }
scratch=$(mktemp -d) && trap 'rm -r "$scratch"' EXIT
ln -s "$(realpath "$1")" "$(realpath "$build/picture")" "$scratch"

# Tools of LLVM that say so when they are called.
mkdir "$scratch/path"
for tool in clang clang-14 clang-22 ld.lld ld.lld-14 ld.lld-22 llvm-mc llc cc gcc as ld; do
    printf '#!/bin/sh\necho "$0 $*" >>"%s/called"\nexit 1\n' "$scratch" >"$scratch/path/$tool"
    chmod +x "$scratch/path/$tool"
done
env -u CLANG PATH="$scratch/path:$PATH" examples/run.sh "$scratch" >"$scratch/out" 2>&1
check "make run" $? 0
check "what it says" "$(tail -n 1 "$scratch/out")" \
    "CDNA2 (gfx90a) and RDNA3 (gfx1100) agree with the host on every pixel. The picture is in $scratch/mandelbrot.png."
check "foreign tools it calls" "$(cat "$scratch/called" 2>/dev/null)" ""
check "size of the results" "$(cat "$scratch"/mandelbrot-*.bin | wc -c)" $((2 * 4 * 780 * 440))
check "both results" "$(cmp "$scratch/mandelbrot-gfx90a.bin" "$scratch/mandelbrot-gfx1100.bin" 2>&1)" ""

# One number of 343,200 is one too high.
cd "$scratch" || exit 1
{ head -c 40000 mandelbrot-gfx90a.bin && printf '\377' && tail -c +40002 mandelbrot-gfx90a.bin; } >wrong.bin
./picture 780 440 200 wrong.png wrong.bin >out 2>&1
check "a wrong number" $? 1
check "its place" "$(grep -c '^picture: wrong.bin: pixel 640,12: 255 steps on the GPU, [0-9]* on the host$' out)" 1
check "how many are wrong" "$(tail -n 1 out)" "picture: wrong.bin: 1 pixels differ"
head -c 40000 mandelbrot-gfx90a.bin >short.bin
check "a file that is too short" "$(./picture 780 440 200 wrong.png short.bin 2>&1)" "picture: short.bin does not hold 343200 numbers"
cd "$OLDPWD" || exit 1

# The README's picture is the one that its script draws: the same bytes, or where another zlib packed them or another
# libm rounds otherwise, colours that differ by 1 at most.
furthest() {
    python3 - "$@" <<'END'
import sys, zlib
def pixels(path):
    png, at, packed = open(path, 'rb').read(), 8, b''
    while at < len(png):
        size = int.from_bytes(png[at:at + 4], 'big')
        if png[at + 4:at + 8] == b'IDAT': packed += png[at + 8:at + 8 + size]
        at += size + 12
    return png[16:24], zlib.decompress(packed)
(a, b), (c, d) = pixels(sys.argv[1]), pixels(sys.argv[2])
print(max(abs(x - y) for x, y in zip(b, d)) if a == c and len(b) == len(d) else 'another size')
END
}
scripts/picture.sh "$scratch" "$scratch/readme.png"
check "the picture is drawn" $? 0
if ! cmp -s doc/mandelbrot.png "$scratch/readme.png"; then
    far=$(furthest doc/mandelbrot.png "$scratch/readme.png")
    check "the README's picture (scripts/picture.sh makes it anew)" "$([ "$far" -le 1 ] && echo current)" current
fi

# The same kernel in OpenCL C.
if command -v "${CLANG:=clang-22}" >/dev/null; then
    check "OpenCL C" "$(CLANG=$CLANG examples/run.sh "$scratch" 2>&1 | tail -n 1 | grep -c 'OpenCL C compiled by .* agree')" 1
else
    skipped=1 && echo "skipped: OpenCL C, as $CLANG is not installed"
fi
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
