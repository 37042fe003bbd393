// SPDX-License-Identifier: MIT
// Any text at all demangles or not, in bounded time and within its room.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "softwave/object.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char *name = malloc(size + 3), *text = malloc(1000);
    if (name && text) {
        memcpy(name, "_Z", 2);
        memcpy(name + 2, data, size);
        name[size + 2] = 0;
        if (sw_demangle(name, text, 1000) >= 1000) abort();
    }
    free(name);
    free(text);
    return 0;
}
