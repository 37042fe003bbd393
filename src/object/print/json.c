// SPDX-License-Identifier: MIT
// A code object as JSON. Keys are those of the headers and manuals in lower case; numbers are numbers, names
// of unknown numbers are null.
#include "object/code/object.h"
#include "object/print/print.h"

#include <string.h>

static void name(struct json *j, const char *key, const char *s) {
    if (s)
        json_name(j, key, s, strlen(s));
    else
        json_string(j, key, NULL);
}

static void header(struct json *j, const sw_object *o) {
    static const char *const os[] = {"none", "amdhsa", "amdpal", "mesa3d"};
    const sw_header *h = &o->header;
    char target[SW_TARGET_TEXT];
    if (o->target.processor) sw_target_format(&o->target, target);
    json_string(j, "target", o->target.processor ? target : NULL);
    json_open(j, "header", '{');
    json_uint(j, "code_object_version", h->code_object_version);
    json_uint(j, "generic_version", h->generic_version);
    json_string(j, "type",
                h->relocatable       ? "ET_REL"
                : h->type == ET_DYN  ? "ET_DYN"
                : h->type == ET_CORE ? "ET_CORE"
                                     : "ET_EXEC");
    json_string(j, "os", os[h->os]);
    json_uint(j, "os_abi", h->os_abi);
    json_uint(j, "abi_version", h->abi_version);
    json_uint(j, "machine", h->machine);
    json_uint(j, "flags", h->flags);
    json_uint(j, "entry", h->entry);
    json_close(j, '}');
    json_open(j, "layout", '{');
    json_uint(j, "size", o->layout.size);
    json_uint(j, "alignment", o->layout.alignment);
    json_uint(j, "lds_size", o->layout.lds_size);
    json_close(j, '}');
}

static void tables(struct json *j, const sw_object *o) {
    json_open(j, "sections", '[');
    for (size_t i = 0; i < o->section_count; i++) {
        const sw_section *s = &o->sections[i];
        json_open(j, NULL, '{');
        name(j, "name", s->name);
        json_string(j, "type", name_of_section_type(s->type));
        json_uint(j, "type_number", s->type);
        json_uint(j, "flags", s->flags);
        json_uint(j, "address", s->address);
        json_uint(j, "offset", s->offset);
        json_uint(j, "size", s->size);
        json_uint(j, "link", s->link);
        json_uint(j, "info", s->info);
        json_uint(j, "alignment", s->alignment);
        json_uint(j, "entry_size", s->entry_size);
        json_close(j, '}');
    }
    json_close(j, ']');
    json_open(j, "segments", '[');
    for (size_t i = 0; i < o->segment_count; i++) {
        const sw_segment *s = &o->segments[i];
        json_open(j, NULL, '{');
        json_string(j, "type", name_of_segment_type(s->type));
        json_uint(j, "type_number", s->type);
        json_uint(j, "flags", s->flags);
        json_uint(j, "address", s->address);
        json_uint(j, "offset", s->offset);
        json_uint(j, "file_size", s->file_size);
        json_uint(j, "memory_size", s->memory_size);
        json_uint(j, "alignment", s->alignment);
        json_close(j, '}');
    }
    json_close(j, ']');
    for (int table = 0; table < 2; table++) {
        json_open(j, table == SW_SYMTAB ? "symbols" : "dynamic_symbols", '[');
        for (size_t i = 1; i < o->symbols[table].count; i++) {
            const sw_symbol *s = &o->symbols[table].items[i];
            json_open(j, NULL, '{');
            name(j, "name", s->name);
            json_uint(j, "value", s->value);
            json_uint(j, "size", s->size);
            json_string(j, "type", name_of_symbol_type(s->type));
            json_uint(j, "binding", s->binding);
            json_uint(j, "visibility", s->visibility);
            json_uint(j, "section", s->section);
            json_close(j, '}');
        }
        json_close(j, ']');
    }
}

// What is not metadata, of which there is a tree: V2's numbers, else the bytes.
static void note_data(struct json *j, const sw_note *n) {
    const bool amd = !strcmp(n->vendor, "AMD");
    if (amd && n->type == NOTE_V2_VERSION && n->size >= 8) {
        json_uint(j, "major", rd32(n->data));
        json_uint(j, "minor", rd32(n->data + 4));
    } else if (amd && n->type == NOTE_V2_ISA_VERSION && n->size >= 16) {
        json_uint(j, "major", rd32(n->data + 4));
        json_uint(j, "minor", rd32(n->data + 8));
        json_uint(j, "stepping", rd32(n->data + 12));
    } else if (amd && n->type == NOTE_V2_ISA_NAME)
        json_name(j, "isa", (const char *)n->data, strnlen((const char *)n->data, n->size));
    else if (n->type != NOTE_METADATA && !(amd && n->type == NOTE_V2_METADATA)) {
        struct text hex = {0};
        text_add(&hex, "", 0);
        for (size_t i = 0; i < n->size; i++) text_printf(&hex, "%02x", n->data[i]);
        json_string(j, "bytes", hex.failed ? NULL : hex.data);
        text_free(&hex);
    }
}

static void relocations_and_notes(struct json *j, const sw_object *o) {
    json_open(j, "relocations", '[');
    for (size_t i = 0; i < o->relocation_count; i++) {
        const sw_relocation *r = &o->relocations[i];
        json_open(j, NULL, '{');
        json_uint(j, "offset", r->offset);
        json_uint(j, "section", r->section);
        json_string(j, "type", name_of_relocation(r->type));
        json_uint(j, "type_number", r->type);
        name(j, "symbol", r->symbol ? o->symbols[r->table].items[r->symbol].name : NULL);
        if (!r->implicit_addend) json_int(j, "addend", r->addend);
        json_close(j, '}');
    }
    json_close(j, ']');
    json_open(j, "notes", '[');
    for (size_t i = 0; i < o->note_count; i++) {
        const sw_note *n = &o->notes[i];
        json_open(j, NULL, '{');
        name(j, "vendor", n->vendor);
        json_uint(j, "type", n->type);
        json_string(j, "name", name_of_note(n));
        json_uint(j, "offset", n->offset);
        json_uint(j, "size", n->size);
        note_data(j, n);
        json_close(j, '}');
    }
    json_close(j, ']');
    if (o->metadata) print_node_json(j, "metadata", o->metadata);
    print_pal_json(j, o);
}

static void problem(void *context, const sw_diagnostic *d) { json_string(context, NULL, d->message); }

static void kernel(struct json *j, const sw_object *o, const sw_kernel *k) {
    json_open(j, NULL, '{');
    name(j, "name", k->name);
    name(j, "symbol", k->symbol);
    if (k->has_descriptor) {
        const sw_kernel_descriptor *d = k->descriptor;
        const char *limit;
        json_uint(j, "descriptor_offset", k->descriptor_offset);
        json_uint(j, "entry_offset", k->entry_offset);
        json_uint(j, "code_size", k->code_size);
        json_open(j, "descriptor", '{');
        sw_descriptor_field f = SW_INIT(sw_descriptor_field);
        for (size_t i = 0; sw_descriptor_field_at(k->descriptor_bytes, o->target.processor, i, &f); i++) {
            if (f.width == 64)
                json_int(j, f.name, (int64_t)f.value);
            else
                json_uint(j, f.name, f.value);
        }
        json_close(j, '}');
        json_open(j, "problems", '[');
        sw_kernel_descriptor again = SW_INIT(sw_kernel_descriptor);
        sw_sink sink = {problem, j};
        sw_descriptor_decode(k->descriptor_bytes, o->target.processor, &again, &sink);
        json_close(j, ']');
        json_open(j, "resources", '{');
        json_uint(j, "wavefront_size", d->wavefront_size);
        json_uint(j, "vgprs", d->vgprs);
        json_uint(j, "first_agpr", d->first_agpr);
        json_uint(j, "sgprs", d->sgprs);
        json_uint(j, "lds", d->group_segment_fixed_size);
        json_uint(j, "scratch", d->private_segment_fixed_size);
        json_uint(j, "reserved_bits", d->reserved_bits);
        json_uint(j, "occupancy", sw_kernel_occupancy(k, o->target.processor, 0, 0, &limit));
        json_string(j, "limited_by", limit);
        json_close(j, '}');
    }
    if (o->header.code_object_version == 2) print_kernel_code_json(j, o, k);
    if (k->has_metadata) {
        json_open(j, "arguments", '[');
        for (size_t i = 0; i < k->argument_count; i++) {
            const sw_argument *a = &k->arguments[i];
            json_open(j, NULL, '{');
            name(j, "name", a->name);
            name(j, "type_name", a->type_name);
            json_uint(j, "offset", a->offset);
            json_uint(j, "size", a->size);
            name(j, "value_kind", a->value_kind_name);
            json_string(j, "address_space", name_of_address_space(a->address_space));
            json_string(j, "access", name_of_access(a->access));
            json_close(j, '}');
        }
        json_close(j, ']');
        json_uint(j, "kernarg_segment_size", k->kernarg_segment_size);
        json_uint(j, "kernarg_segment_align", k->kernarg_segment_align);
        json_uint(j, "max_flat_workgroup_size", k->max_flat_workgroup_size);
    }
    json_close(j, '}');
}

static void object_problem(void *context, const sw_diagnostic *d) {
    struct json *j = context;
    json_open(j, NULL, '{');
    json_string(j, "severity", d->severity == SW_SEVERITY_ERROR ? "error" : "warning");
    json_uint(j, "offset", d->at.offset);
    name(j, "within", d->at.within);
    name(j, "message", d->message);
    json_close(j, '}');
}

void print_object_json(struct json *j, const sw_object *o, const char *only) {
    header(j, o);
    if (!only) {
        tables(j, o);
        relocations_and_notes(j, o);
    }
    json_open(j, "kernels", '[');
    for (size_t i = 0; i < o->kernel_count; i++)
        if (!only || !strcmp(only, o->kernels[i].name) || !strcmp(only, o->kernels[i].symbol))
            kernel(j, o, &o->kernels[i]);
    json_close(j, ']');
    if (only) return;
    print_line_summary_json(j, o);
    json_open(j, "problems", '[');
    const sw_sink sink = {object_problem, j};
    sw_object_check(o, &sink);
    json_close(j, ']');
}
