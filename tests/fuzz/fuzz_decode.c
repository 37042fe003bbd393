// SPDX-License-Identifier: MIT
// Decoding and printing of any bytes: the first byte chooses the processor, the second options, the rest is
// code.
#include <stdlib.h>

#include "dis/listing.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool swallow(void *context, const char *text, size_t length) {
    size_t *sum = context;
    for (size_t i = 0; i < length; i++) *sum += (unsigned char)text[i];
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 2) return 0;
    size_t sum = 0;
    struct listing_symbol symbols[2] = {{0x1000, "a", 64}, {0x1000 + size / 2, "b", 32}};
    static const struct listing_relocation relocations[] = {
        {0xfff, "R_1", "s", 0}, {0x1005, "R_2", "t", INT64_MIN}, {0x1009, "R_3", "", 5}};
    struct listing l = {.processor = sw_processor_at(data[0] % sw_processor_count()),
                        .wave32 = data[1] & 1,
                        .labels = data[1] & 2,
                        .json = data[1] & 4,
                        .zeroes = data[1] & 8,
                        .no_address = data[1] & 32,
                        .no_words = data[1] & 64,
                        .colour = data[1] & 128,
                        .relocations = relocations,
                        .relocation_count = data[1] >> 4 & 1 ? 3 : 0,
                        .symbols = symbols,
                        .symbol_count = data[1] >> 4 & 1 ? 2 : 0,
                        .write = swallow,
                        .context = &sum};
    list_code(&l, data + 2, size - 2, 0x1000, 0, UINT64_MAX);
    list_graph(&l, data + 2, size - 2, 0x1000, 0, UINT64_MAX);
    return 0;
}
