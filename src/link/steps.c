// SPDX-License-Identifier: MIT
// A link from beginning to end; see link.h for who does what.
#include <stdlib.h>

#include "base/sized.h"
#include "link/link.h"

static void read_objects(struct link *l) {
    for (size_t i = 0; i < l->objects.count; i++) object_file_sections(l, l->objects.items[i]);
    for (size_t i = 0; i < l->objects.count; i++) object_file_locals(l, l->objects.items[i]);
    if (!link_failed(l)) resolve_duplicates(l);
}

static void arrange(struct link *l) {
    commons_place(l);
    definitions_place(l);
    sections_gather(l);
    sections_collect(l);
    dynamic_create(l);
    output_create(l);
}

static void decide(struct link *l) {
    symbols_start_stop(l);
    symbols_finish(l);
    lds_place(l);
    relocations_scan(l);
}

static void lay_out(struct link *l) {
    dynamic_fill_symbols(l);
    output_sort(l);
    segments_create(l);
    if (link_failed(l)) return;
    symbols_place_reserved(l);
    dynamic_finish(l);
    layout_assign(l);
    definitions_finish(l);
}

static void link_partly(struct link *l) {
    sections_gather(l);
    output_create(l);
    if (!link_failed(l)) partial_write(l);
}

static void link_all(struct link *l, const sw_link_input *inputs, size_t count) {
    resolve_inputs(l, inputs, count);
    if (!link_failed(l)) target_merge(l);
    if (!link_failed(l)) read_objects(l);
    if (l->options->relocatable) {
        if (!link_failed(l)) link_partly(l);
        return;
    }
    if (!link_failed(l)) definitions_declare(l);
    if (!link_failed(l)) symbols_reserve(l);
    if (!link_failed(l)) versions_apply(l);
    if (!link_failed(l)) arrange(l);
    if (!link_failed(l)) decide(l);
    if (!link_failed(l)) lay_out(l);
    if (!link_failed(l)) image_write(l);
    if (!link_failed(l)) map_write(l);
}

static void finish(struct link *l) {
    for (size_t i = 0; i < l->all.count; i++) sw_object_close(l->all.items[i]->object);
    for (size_t i = 0; i < l->every_section.count; i++) array_free(&l->every_section.items[i]->inputs);
    for (size_t i = 0; i < l->merge_groups.count; i++) array_free(&l->merge_groups.items[i]->members);
    array_free(&l->objects);
    array_free(&l->all);
    array_free(&l->symbols);
    array_free(&l->definitions);
    array_free(&l->inputs);
    array_free(&l->sections);
    array_free(&l->every_section);
    array_free(&l->merge_groups);
    array_free(&l->relocations);
    array_free(&l->got);
    array_free(&l->symtab);
    array_free(&l->dynsym);
    array_free(&l->segments);
    free(l->symbol_names.entries);
    free(l->groups.entries);
    free(l->section_names.entries);
    free(l->merge_kinds.entries);
    text_free(&l->strtab.text);
    text_free(&l->dynstr.text);
    text_free(&l->shstrtab.text);
    arena_free(&l->arena);
}

static sw_status check_options(const sw_link_options *o, const sw_sink *sink) {
    if (o->max_page_size & (o->max_page_size - 1) || o->max_page_size > 1 << 24)
        return diag_fail(sink, SW_USAGE, NULL, "%llu is no page size", (unsigned long long)o->max_page_size);
    if (o->build_id == SW_BUILD_ID_GIVEN && (!o->build_id_bytes || o->build_id_size > 1024))
        return diag_fail(sink, SW_USAGE, NULL, "the build id is missing or longer than 1024 bytes");
    return SW_OK;
}

static void set_defaults(sw_link_options *o) {
    if (!o->max_page_size) o->max_page_size = 4096;
    if (!o->entry) o->entry = "_start";
    if (!o->init) o->init = "_init";
    if (!o->fini) o->fini = "_fini";
    if (!o->max_output) o->max_output = 4ull << 30;
}

// The caller's inputs, whose first one says how far apart they lie.
static sw_status take_inputs(const sw_link_input *inputs, size_t count, sw_link_input *own,
                             const sw_sink *sink) {
    sw_status status = SW_OK;
    for (size_t i = 0; i < count && !status; i++) {
        const sw_link_input *in = (const sw_link_input *)((const char *)inputs + i * inputs->size);
        status = sized_take(SIZED(sw_link_input, lazy), &own[i], in, sink);
        if (!status && in->size != inputs->size)
            status = diag_fail(sink, SW_USAGE, NULL, "input %zu states another size than the first", i);
    }
    return status;
}

sw_status sw_link(const sw_link_input *inputs, size_t count, const sw_link_options *options, uint8_t **image,
                  size_t *length, const sw_sink *sink) {
    *image = NULL;
    *length = 0;
    sw_link_options o;
    sw_status status = sized_take(SIZED(sw_link_options, open_context), &o, options, sink);
    if (status) return status;
    set_defaults(&o);
    if ((status = check_options(&o, sink))) return status;
    struct link *l = calloc(1, sizeof *l);
    sw_link_input *own = calloc(count + 1, sizeof *own);
    status = l && own ? take_inputs(inputs, count, own, sink)
                      : diag_fail(sink, SW_NO_MEMORY, NULL, "out of memory");
    if (status) {
        free(own);
        free(l);
        return status;
    }
    l->options = &o;
    l->sink = sink;
    l->budget = o.max_output;
    l->shared = !o.pie;
    l->symbolic = o.symbolic == SW_SYMBOLIC_ALL || (l->shared && o.dynamic_list.text);
    l->header = (struct output_section){.name = "", .index = 1, .flags = SHF_ALLOC, .alignment = 1};
    l->program_headers = (struct output_section){.name = "", .flags = SHF_ALLOC, .alignment = 8};
    link_all(l, own, count);
    free(own);
    status = l->no_memory ? SW_NO_MEMORY : l->unsupported ? SW_UNSUPPORTED : l->errors ? SW_BAD_INPUT : SW_OK;
    if (status)
        free(l->image);
    else
        *image = l->image, *length = l->file_size;
    finish(l);
    free(l);
    return status;
}
