// SPDX-License-Identifier: MIT
// Any bytes as a bundle to take apart, as ids, and as parts to bundle: what was written must read back.
#include <stdlib.h>
#include <string.h>

#include "softwave/bundle.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void take_apart(const uint8_t *data, size_t size) {
    static const char *const wanted[] = {"host-x86_64-unknown-linux--",
                                         "hip-amdgcn-amd-amdhsa--gfx906:xnack+"};
    sw_container *c;
    sw_container_options options = {.size = sizeof options, .max_decompressed = 1 << 22};
    uint8_t *out;
    size_t length, found;
    if (!sw_bundle_host_object(data, size, &out, &length, NULL)) sw_free(out);
    if (sw_container_open(data, size, &options, &c, NULL)) return;
    ptrdiff_t entries[2];
    const uint8_t *part;
    sw_bundle_choose(c, wanted, 2, true, entries);
    for (int i = 0; i < 2; i++)
        if (entries[i] >= 0) sw_container_data(c, (size_t)entries[i], &part, &length, NULL);
    const size_t count = sw_container_entry_count(c);
    if (count < 64) sw_bundle_check_container(c, NULL);
    if (!sw_bundle_unpack_archive(c, wanted[1], false, &out, &length, &found, NULL)) sw_free(out);
    sw_container_close(c);
}

static void put_together(const uint8_t *data, size_t size) {
    char id[SW_BUNDLE_ID_TEXT], text[64] = "";
    const size_t n = size < sizeof text - 1 ? size : sizeof text - 1;
    memcpy(text, data, n);
    if (sw_bundle_id_standardize(text, id, NULL)) strcpy(id, "hip-amdgcn-amd-amdhsa--gfx906");
    char again[SW_BUNDLE_ID_TEXT];
    if (sw_bundle_id_standardize(id, again, NULL) || strcmp(id, again)) abort(); // standard form is final
    const sw_bundle_part parts[] = {{"host-x86_64-unknown-linux--", data, size}, {id, data, size}};
    for (int form = 0; form < 3; form++) {
        sw_bundle_options o = {.size = sizeof o, .compression = form ? 0 : (sw_bundle_compression)(size % 3)};
        uint8_t *out;
        size_t length;
        if (sw_bundle_write((sw_bundle_form)form, parts, 2, &o, &out, &length, NULL)) continue;
        sw_container *c;
        sw_container_options options = {.size = sizeof options, .max_decompressed = 1 << 24};
        if (!sw_container_open(out, length, &options, &c, NULL)) {
            const size_t count = sw_container_entry_count(c);
            sw_container_close(c);
        } else if (form < 2)
            abort();
        sw_free(out);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    take_apart(data, size);
    if (size < 4096) put_together(data, size);
    return 0;
}
