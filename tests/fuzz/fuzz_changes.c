// SPDX-License-Identifier: MIT
// Any bytes are read as changes of a share, or refused; what was read is written as the same bytes again,
// merges with itself or is refused, and goes to memory of its own regions. Head and checksum are made right,
// so that the rest is reached.
#include <stdlib.h>
#include <string.h>

#include "base/md5.h"
#include "changes/format.h"
#include "softwave/changes.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// The build for fuzzing has no device, and nothing here begins a share.
const sw_target *sw_device_target(const sw_device *device) {
    (void)device;
    abort();
}

static void apply(const sw_changes *c, const sw_sink *sink) {
    enum { MOST = 1 << 16 };
    sw_changes_info info = {.size = sizeof info};
    if (sw_changes_look(c, &info)) abort();
    for (size_t i = 0; i < info.region_count; i++) {
        sw_region_info r = {.size = sizeof r};
        if (sw_changes_region(c, i, &r)) abort();
        if (r.bytes > MOST) continue;
        uint8_t *memory = calloc(1, r.bytes + 8);
        if (memory) {
            sw_changes_initial(c, i, memory, r.bytes, sink);
            sw_changes_apply(c, i, memory, r.bytes, sink);
        }
        free(memory);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const sw_sink silent = {0};
    sw_changes *c = NULL, *all = NULL;
    uint8_t *bytes = malloc(size + CHANGES_CHECKED_FROM), *again = NULL;
    if (!bytes) return 0;
    const size_t whole = size + CHANGES_CHECKED_FROM;
    const uint32_t version = CHANGES_VERSION;
    memcpy(bytes, CHANGES_MAGIC, CHANGES_MAGIC_BYTES);
    memcpy(bytes + CHANGES_MAGIC_BYTES, &version, sizeof version);
    if (size) memcpy(bytes + CHANGES_CHECKED_FROM, data, size);
    md5(bytes + CHANGES_CHECKED_FROM, size, bytes + CHANGES_MAGIC_BYTES + sizeof version);
    if (!sw_changes_read(bytes, whole, "fuzz", &c, &silent)) {
        const sw_changes *const shares[] = {c};
        size_t written;
        if (!sw_changes_write(c, &again, &written, &silent) &&
            (written != whole || memcmp(again, bytes, whole)))
            abort();
        apply(c, &silent);
        if (!sw_changes_merge(shares, 1, &all, &silent)) apply(all, &silent);
    }
    sw_changes_free_bytes(again);
    sw_changes_free(all);
    sw_changes_free(c);
    free(bytes);
    return 0;
}
