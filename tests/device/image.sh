#!/bin/sh
# SPDX-License-Identifier: MIT
# The example of images (examples/rotate.s) on four generations, and the same result at each tier. A picture that is
# turned by 0 and by 180 degrees is the same, or has its pixels in the opposite order.
# tests/device/image.sh BINARY
export SOFTWAVE_CACHE=
softwave=${1:-build/softwave}
source=$(dirname "$0")/../../examples/rotate.s
passed=0 failed=0 skipped=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
same() { # WHAT FILE FILE
    if cmp -s "$2" "$3"; then passed=$((passed + 1)); else
        failed=$((failed + 1))
        echo "$1: $(cmp "$2" "$3" 2>&1)"
    fi
}

# 65,536 pixels, no two alike.
awk 'BEGIN { for (i = 0; i < 65536; i++) printf "\\%03o\\%03o\\%03o\\%03o\n", i % 256, int(i / 256), (i * 7) % 251, 255 }' >"$work/escapes"
# shellcheck disable=SC2059
printf "$(tr -d '\n' <"$work/escapes")" >"$work/picture"
[ "$(wc -c <"$work/picture")" = 262144 ] || { echo "the picture has $(wc -c <"$work/picture") bytes" && exit 1; }
# Its pixels backwards.
tac "$work/escapes" >"$work/backwards"
# shellcheck disable=SC2059
printf "$(tr -d '\n' <"$work/backwards")" >"$work/reversed"

turn() { # GPU TIER COSINE SINE
    "$softwave" run --tier="$2" -g 256,256 "$work/$1.co" buf:262144,out="$work/turned" buf:in="$work/picture" f32:"$3" f32:"$4" >"$work/log" 2>&1 ||
        { cat "$work/log" && : >"$work/turned"; }
}
for gpu in gfx900 gfx1030 gfx1100 gfx1200; do
    "$softwave" as --target=$gpu "$source" -o "$work/$gpu.o" && "$softwave" ld -shared "$work/$gpu.o" -o "$work/$gpu.co" || failed=$((failed + 1))
    for tier in 0 1 2; do
        "$softwave" run --tier=$tier -g 256,256 "$work/$gpu.co" buf:262144 buf:in="$work/picture" f32:1 f32:0 >/dev/null 2>"$work/log"
        if grep -q "no tier" "$work/log"; then skipped=$((skipped + 3)) && continue; fi
        turn $gpu $tier 1 0
        same "$gpu, tier $tier, by 0 degrees" "$work/turned" "$work/picture"
        turn $gpu $tier -1 0
        same "$gpu, tier $tier, by 180 degrees" "$work/turned" "$work/reversed"
        turn $gpu $tier 0.8660254 0.5
        [ -f "$work/by30" ] || cp "$work/turned" "$work/by30"
        same "$gpu, tier $tier, by 30 degrees" "$work/turned" "$work/by30"
    done
done
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
