// SPDX-License-Identifier: MIT
// Code object V2: the processor is in its ISA version note, not in e_flags (OBJ-22 to OBJ-30). Its metadata,
// YAML, is read by v2_metadata.c. Its kernels begin with an amd_kernel_code_t, which nothing here reads.
#include "object/code/object.h"

#include <string.h>

sw_status object_target_v2(struct sw_object *o, const sw_sink *sink) {
    const char *within = "ISA version note";
    for (size_t i = 0; i < o->note_count; i++) {
        const sw_note *n = &o->notes[i];
        if (strcmp(n->vendor, "AMD") || n->type != NOTE_V2_ISA_VERSION) continue;
        if (n->size < 16)
            return object_bad(o, sink, n->offset, within, "%zu bytes, expected at least 16", n->size);
        struct located_sink l;
        return sw_target_from_isa_version(rd32(n->data + 4), rd32(n->data + 8), rd32(n->data + 12),
                                          &o->target, object_located(&l, o, sink, n->offset, within));
    }
    return object_bad(o, sink, 0, "notes", "code object V2 (ABI version 0) without an ISA version note");
}
