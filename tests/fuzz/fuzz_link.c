// SPDX-License-Identifier: MIT
// Any bytes as the inputs of a link: the first byte chooses options, each further part is prefixed by its
// length in three bytes. What links must open again. Build with clang -fsanitize=fuzzer,address,undefined;
// seeds are objects and archives so prefixed, or alone: bytes that no length fits are one input.
#include <string.h>

#include "base/bytes.h"
#include "softwave/link.h"
#include "softwave/object.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void reopen(const uint8_t *image, size_t length) {
    sw_object *o;
    if (!sw_object_open(image, length, NULL, &o, NULL)) sw_object_close(o);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    enum { INPUTS = 4 };
    if (size < 4) return 0;
    unsigned choice = data[0];
    sw_link_options options = {.size = sizeof options,
                               .pie = choice & 1,
                               .gc_sections = choice & 2,
                               .keep_named_sections = choice & 2,
                               .merge = (choice >> 2) % 3,
                               .symbolic = choice & 16 ? SW_SYMBOLIC_ALL : SW_SYMBOLIC_NONE,
                               .text_relocations = choice & 32,
                               .allow_duplicates = choice & 64,
                               .build_id = choice & 128 ? SW_BUILD_ID_20 : SW_BUILD_ID_NONE,
                               .max_output = 1 << 22};
    sw_link_input inputs[INPUTS];
    size_t count = 0, at = 1;
    while (count < INPUTS && size - at >= 3) {
        size_t length = data[at] | data[at + 1] << 8 | (size_t)data[at + 2] << 16;
        at += 3;
        if (!in_range(at, length, size) || count == INPUTS - 1) length = size - at;
        inputs[count++] = (sw_link_input){.size = sizeof *inputs,
                                          .name = "input",
                                          .bytes = data + at,
                                          .length = length,
                                          .whole_archive = choice & 4,
                                          .lazy = at > 4 && (choice & 8)};
        at += length;
    }
    uint8_t *image;
    size_t length;
    if (!sw_link(inputs, count, &options, &image, &length, NULL)) reopen(image, length);
    sw_link_free(image);
    // A version script and a dynamic list are text of strangers, too.
    options.version_script = options.dynamic_list = (sw_link_text){"script", (const char *)data, size};
    if (!sw_link(inputs, count, &options, &image, &length, NULL)) reopen(image, length);
    sw_link_free(image);
    return 0;
}
