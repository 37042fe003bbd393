// SPDX-License-Identifier: MIT
// Any bytes as a file with code objects in it: find, open, load, print. Build with
// clang -fsanitize=fuzzer,address,undefined; seeds are any code objects and bundles.
#include <stdlib.h>

#include "object/print/print.h"
#include "softwave/object.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void try_object(const uint8_t *data, size_t size) {
    sw_object *o;
    if (sw_object_open(data, size, NULL, &o, NULL)) return;
    const sw_layout *l = sw_object_layout(o);
    if (l->size <= 1 << 22) {
        uint8_t *memory = malloc(l->size + 1);
        sw_load_options options = {
            .size = sizeof options, .memory = memory, .length = l->size, .address = 1ull << 30};
        if (memory) sw_object_load(o, &options, NULL);
        free(memory);
    }
    struct text t = {0};
    struct json j = {.out = &t};
    print_object(&t, o, NULL);
    json_open(&j, NULL, '{');
    print_object_json(&j, o, NULL);
    json_close(&j, '}');
    text_free(&t);
    sw_object_close(o);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    sw_container *c;
    sw_container_options options = {.size = sizeof options, .max_decompressed = 1 << 22};
    if (!sw_container_open(data, size, &options, &c, NULL)) {
        size_t count, length, index;
        const uint8_t *image;
        count = sw_container_entry_count(c);
        for (size_t i = 0; i < count && i < 8; i++)
            if (!sw_container_data(c, i, &image, &length, NULL)) try_object(image, length);
        sw_container_pick(c, NULL, "k", &index, NULL);
        sw_container_close(c);
    }
    sw_uri uri = SW_INIT(sw_uri);
    sw_uri_parse((const char *)data, size, &uri, NULL);
    return 0;
}
