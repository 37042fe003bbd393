// SPDX-License-Identifier: MIT
// Any text at all assembles or is refused, in bounded time and memory. The first byte picks the GPU, whether
// a listing is made, whether the text itself is described (-g), the DWARF version, and whether a second byte
// picks system and code object version.
#include <stdint.h>
#include "softwave/asm.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool drop(void *context, const char *text, size_t length) {
    (void)context, (void)text;
    return length < 1 << 20;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char *const names[] = {"gfx700", "gfx803",  "gfx900",  "gfx90a",
                                        "gfx942", "gfx1030", "gfx1100", "gfx1201"};
    if (!size) return 0;
    sw_asm_options o = {.size = sizeof o,
                        .os = SW_OS_AMDHSA,
                        .name = "fuzz",
                        .no_files = true,
                        .max_output = 1 << 20,
                        .max_expansion = 1 << 16};
    const char *name = names[data[0] & 7];
    size_t length = 0;
    while (name[length]) length++;
    static const sw_sink silent = {0};
    if (sw_target_parse(name, length, &o.target, &silent)) return 0;
    if (data[0] & 8) o.listing = drop;
    o.debug = data[0] & 16;
    o.dwarf_version = 2 + (data[0] >> 5 & 3);
    size_t taken = 1;
    if (data[0] & 0x80 && size > 1) {
        static const uint8_t systems[] = {SW_OS_AMDHSA, SW_OS_AMDPAL, SW_OS_MESA3D, SW_OS_NONE};
        o.os = systems[data[1] & 3];
        o.code_object_version = 2 + (data[1] >> 2 & 7) % 5;
        taken = 2;
    }
    uint8_t *object;
    size_t object_size;
    sw_assemble((const char *)data + taken, size - taken, &o, &object, &object_size, &silent);
    sw_free(object);
    return 0;
}
