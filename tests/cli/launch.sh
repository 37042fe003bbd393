#!/bin/sh
# SPDX-License-Identifier: MIT
# examples/launch.c: builds as C and as C++ without a warning, against both libraries, and does what it says.
# usage: launch.sh SOFTWAVE, with BUILD set
build=$(realpath "${BUILD:-build}")
root=$(realpath "$(dirname "$0")/../..")
passed=0 failed=0 skipped=0
directory=$(mktemp -d) && trap 'rm -r "$directory"' EXIT && cd "$directory" || exit 1
export SOFTWAVE_CACHE= # compiled code is kept nowhere
check() { if [ "$2" = "$3" ]; then passed=$((passed + 1)); else failed=$((failed + 1)) && echo "$1: got '$2', expected '$3'"; fi; }
warnings='-Wall -Wextra -Wpedantic -Werror'
cp "$root/examples/launch.c" .
cp "$build/libsoftwave.so" libsoftwave.so && ln -s libsoftwave.so libsoftwave.so.0

both() { # NAME COMMAND...: builds and runs it
    name=$1
    shift
    if ! "$@" 2> error; then
        failed=$((failed + 1)) && echo "$name: $(head -5 error)"
        return
    fi
    for gpu in gfx90a mi250x gfx942; do
        check "$name on $gpu" "$(LD_LIBRARY_PATH=. ./launch $gpu 2> error)" "0 2.5 5 ... 637.5
with a null pointer the kernel reads memory that it may not at 0x0"
        check "$name on $gpu says" "$(cat error)" ""
    done
}
# shellcheck disable=SC2086
{
    both C cc -std=c99 $warnings -I"$root/include" launch.c -o launch -L. -lsoftwave
    if command -v c++ > /dev/null; then
        both C++ c++ -std=c++11 $warnings -I"$root/include" -x c++ launch.c -o launch -L. -lsoftwave
        echo '#include "softwave/softwave.h"
int main() { sw_device_options o = SW_INIT(sw_device_options); sw_fault f = SW_INIT(sw_fault); sw_counts c = SW_INIT(sw_counts);
             return o.size != sizeof o || f.size != sizeof f || c.size != sizeof c || o.threads || f.kind || c.waves; }' > init.cpp
        c++ -std=c++11 $warnings -I"$root/include" init.cpp -o init 2> error
        check 'SW_INIT in C++ warns' "$(cat error)" ""
        ./init
        check 'SW_INIT in C++' $? 0
    else
        skipped=$((skipped + 1)) && echo 'launch.sh: no C++ compiler'
    fi
}
# What is wrong with a launch.
cat > wrong.c << 'C'
#include <stdio.h>
#define main example
#include "launch.c"
#undef main
static void say(void *context, const sw_diagnostic *d) { (void)context; puts(d->message); }
int main(void) {
    const sw_sink out = {say, NULL};
    sw_target target;
    uint8_t *code = NULL;
    sw_object *object = NULL;
    sw_device *device = NULL;
    sw_executable *e = NULL;
    if (sw_target_choose("gfx90a", 6, &target, &sink) || load(&target, &code, &object, &device, &e)) return 1;
    void *buffer = sw_device_alloc(device, 1024);
    const float a = 1;
    const sw_kernel_value values[] = {{&buffer, 8}, {&buffer, 8}, {&a, 4}, {&buffer, 8}};
    sw_launch l = SW_INIT(sw_launch);
    printf("%d ", sw_device_launch(device, &l, NULL, &out));
    l.executable = e, l.object = object, l.kernel = "scael", l.arguments = values, l.argument_count = 3, l.grid[0] = 64;
    printf("%d ", sw_device_launch(device, &l, NULL, &out));
    l.kernel = "scale", l.argument_count = 4;
    printf("%d ", sw_device_launch(device, &l, NULL, &out));
    l.argument_count = 3;
    printf("%d\n", sw_device_launch(device, &l, NULL, &out));
    l.size = 3;
    printf("%d\n", sw_device_launch(device, &l, NULL, NULL));
    char small[8];
    sw_fault f = SW_INIT(sw_fault);
    f.kind = SW_FAULT_TRAP, f.address = 2;
    printf("%zu %s\n", sw_fault_describe(&f, small, sizeof small), small);
    f.kind = (sw_fault_kind)99;
    sw_fault_describe(&f, small, sizeof small);
    printf("%s, %s, %s, %u\n", small, sw_status_text(SW_CHECK), sw_status_text((sw_status)77), sw_version_number());
    sw_device_destroy(device);
    sw_object_close(object);
    sw_free(code);
    return 0;
}
C
cc -std=c99 -I"$root/include" wrong.c -o wrong -L. -lsoftwave 2> error || cat error
check 'wrong launches' "$(LD_LIBRARY_PATH=. ./wrong)" "sw_launch names no executable, object or kernel
1 no kernel is called 'scael'
1 kernel 'scale': argument 3, 8 bytes, is not within its 24 bytes of arguments
1 0
1
16 traps (
faults, a comparison failed, unknown status, 100"

echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
