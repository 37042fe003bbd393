// SPDX-License-Identifier: MIT
// Opening a code object, phase by phase, and reading access to what was found.
#include "object/code/object.h"

#include <stdlib.h>
#include <string.h>

#include "base/sized.h"

// e_flags mean by ABI version what V3's did for every OS but amdhsa (OBJ-08).
static sw_status read_target(struct sw_object *o, const sw_sink *sink) {
    bool hsa = o->header.os == SW_OS_AMDHSA;
    if (hsa && o->header.code_object_version == 2) return object_target_v2(o, sink);
    if (o->header.type == ET_CORE) { // may leave the GPU to its notes
        if (o->header.machine != EM_AMDGPU ||
            sw_target_from_eflags(o->header.flags, o->header.abi_version, &o->target, NULL))
            o->target.processor = NULL;
        return SW_OK;
    }
    struct located_sink l;
    return sw_target_from_eflags(o->header.flags, hsa ? o->header.abi_version : 1, &o->target,
                                 object_located(&l, o, sink, 48, "e_flags"));
}

static sw_status read_names(struct sw_object *o, const sw_sink *sink) {
    sw_status s = object_read_elf(o, sink);
    if (!s) s = object_read_symbols(o, sink);
    return s;
}

sw_status object_read_for_link(struct sw_object *o, const sw_sink *sink) {
    sw_status s = object_read_relocations(o, sink);
    if (!s) s = object_read_notes(o, sink);
    if (!s) s = read_target(o, sink);
    return s;
}

static sw_status read_all(struct sw_object *o, const sw_sink *sink) {
    sw_status s = object_read_elf(o, sink);
    if (!s) s = object_read_tables(o, sink);
    if (!s) s = object_read_notes(o, sink);
    if (!s) s = read_target(o, sink);
    if (!s) s = object_place(o, sink);
    if (!s && !o->no_metadata) s = object_read_metadata(o, sink);
    if (!s) s = object_read_kernels(o, sink);
    return s;
}

static sw_status open_with(sw_status (*read)(struct sw_object *o, const sw_sink *sink), const uint8_t *bytes,
                           size_t length, const sw_object_options *options, sw_object **out,
                           const sw_sink *sink) {
    *out = NULL;
    sw_object_options with;
    sw_status s = sized_take(SIZED(sw_object_options, no_metadata), &with, options, sink);
    if (s) return s;
    struct sw_object *o = calloc(1, sizeof *o);
    if (!o) return diag_fail(sink, SW_NO_MEMORY, NULL, "out of memory");
    o->bytes = bytes;
    o->size = length;
    if (with.name) o->name = arena_copy(&o->arena, with.name, strlen(with.name));
    o->file_offset = with.offset;
    o->no_metadata = with.no_metadata;
    s = read(o, sink);
    if (s)
        sw_object_close(o);
    else
        *out = o;
    return s;
}

sw_status sw_object_open(const uint8_t *bytes, size_t length, const sw_object_options *options,
                         sw_object **out, const sw_sink *sink) {
    return open_with(read_all, bytes, length, options, out, sink);
}

sw_status object_open_names(const uint8_t *bytes, size_t length, const sw_object_options *options,
                            struct sw_object **out, const sw_sink *sink) {
    return open_with(read_names, bytes, length, options, out, sink);
}

void sw_object_close(sw_object *o) {
    if (!o) return;
    arena_free(&o->arena);
    free(o);
}

const sw_header *sw_object_header(const sw_object *o) { return &o->header; }
const sw_target *sw_object_target(const sw_object *o) { return &o->target; }
#define ONE_BY_ONE(type, what)                                                                               \
    size_t sw_object_##what##_count(const sw_object *o) { return o->what##_count; }                          \
    const type *sw_object_##what(const sw_object *o, size_t i) {                                             \
        return i < o->what##_count ? &o->what##s[i] : NULL;                                                  \
    }
ONE_BY_ONE(sw_section, section)
ONE_BY_ONE(sw_segment, segment)
ONE_BY_ONE(sw_relocation, relocation)
ONE_BY_ONE(sw_note, note)
ONE_BY_ONE(sw_kernel, kernel)
#undef ONE_BY_ONE
size_t sw_object_symbol_count(const sw_object *o, sw_symbol_table table) { return o->symbols[table].count; }
const sw_symbol *sw_object_symbol(const sw_object *o, sw_symbol_table table, size_t i) {
    return i < o->symbols[table].count ? &o->symbols[table].items[i] : NULL;
}
const sw_argument *sw_kernel_argument(const sw_kernel *k, size_t i) {
    return i < k->argument_count ? &k->arguments[i] : NULL;
}
const sw_node *sw_object_metadata(const sw_object *o) { return o->metadata; }
const sw_layout *sw_object_layout(const sw_object *o) { return &o->layout; }
