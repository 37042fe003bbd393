// SPDX-License-Identifier: MIT
// What opening an object lets pass but the manuals do not: metadata by the table of keys (src/meta), kernel
// descriptors by themselves and against the metadata, symbols of kernels (OBJ-32), fields of the ELF header
// that have one value only. Reports only; nothing changes.
#include <stdio.h>
#include <string.h>

#include "meta/meta.h"
#include "object/code/object.h"

struct checking {
    const struct sw_object *o;
    const sw_sink *sink;
    uint64_t where; // of the metadata, or the descriptor, in the object
    const char *kernel;
    bool failed;
};

static void tell(struct checking *c, sw_severity severity, const char *within, const char *message) {
    if (severity == SW_SEVERITY_ERROR) c->failed = true;
    if (!c->sink || !c->sink->report) return;
    sw_diagnostic d = {.size = sizeof d,
                       .severity = severity,
                       .at = {.file = c->o->name,
                              .offset = c->o->file_offset + c->where,
                              .has_offset = true,
                              .within = within},
                       .message = message};
    c->sink->report(c->sink->context, &d);
}

static void problem(struct checking *c, sw_severity severity, const char *key, const char *format, ...)
    PRINTF_LIKE(4, 5);
static void problem(struct checking *c, sw_severity severity, const char *key, const char *format, ...) {
    char message[256], within[200];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    snprintf(within, sizeof within, "kernel '%.100s', %s", c->kernel, key);
    tell(c, severity, within, message);
}

static void from_metadata(void *context, const sw_node *at, sw_severity severity, const char *path,
                          const char *message) {
    (void)at;
    char within[400];
    snprintf(within, sizeof within, "metadata%s%s", *path ? ", " : "", path);
    tell(context, severity, within, message);
}

static void from_descriptor(void *context, const sw_diagnostic *d) {
    struct checking *c = context;
    problem(c, SW_SEVERITY_WARNING, "kernel descriptor", "%s", d->message);
}

// ---- Metadata ------------------------------------------------------------------------------------------

static void check_metadata(struct checking *c) {
    const struct sw_object *o = c->o;
    const bool hsa = o->header.os == SW_OS_AMDHSA, pal = o->header.os == SW_OS_AMDPAL;
    for (size_t i = o->note_count; i-- > 0;)
        if (o->notes[i].type == NOTE_METADATA || o->notes[i].type == NOTE_V2_METADATA)
            c->where = (uint64_t)(o->notes[i].data - o->bytes);
    const sw_node *root = o->metadata_v2 ? o->metadata_v2 : o->metadata;
    if (!root && hsa && o->header.type != ET_CORE)
        tell(c, SW_SEVERITY_WARNING, "notes", "no metadata, which amdhsa requires"); // META-01
    if (!root || (!hsa && !pal)) return;
    char target[SW_TARGET_TEXT + 24] = "amdgcn-amd-amdhsa--";
    if (o->target.processor) sw_target_format(&o->target, target + strlen(target));
    const struct meta_check check = {.version = hsa ? o->header.code_object_version : 0,
                                     .text = o->metadata_v2 != NULL,
                                     .processor = o->target.processor,
                                     .target = target,
                                     .report = from_metadata,
                                     .context = c};
    meta_check(root, &check);
}

// ---- Kernels -------------------------------------------------------------------------------------------

// A field that descriptor and metadata both give.
static void agree(struct checking *c, const char *key, uint64_t metadata, uint64_t descriptor) {
    if (metadata != descriptor)
        problem(c, SW_SEVERITY_ERROR, key, "%llu in the metadata, %llu in the kernel descriptor",
                (unsigned long long)metadata, (unsigned long long)descriptor);
}

static void check_registers(struct checking *c, const sw_kernel *k) {
    const sw_processor *p = c->o->target.processor;
    const sw_kernel_descriptor *d = k->descriptor;
    unsigned vgprs = k->vgpr_count; // .vgpr_count counts the AGPRs of a unified file
    if (!has(p, CAP_unified_vgprs) && k->agpr_count > vgprs) vgprs = k->agpr_count;
    if (vgprs > d->vgprs)
        problem(c, SW_SEVERITY_ERROR, ".vgpr_count", "%u registers, but the kernel descriptor allocates %u",
                vgprs, d->vgprs);
    if (!has(p, CAP_fixed_sgprs) && k->sgpr_count > d->sgprs)
        problem(c, SW_SEVERITY_ERROR, ".sgpr_count", "%u registers, but the kernel descriptor allocates %u",
                k->sgpr_count, d->sgprs);
    if (vgprs > d->vgprs || !has(p, CAP_unified_vgprs) || !k->agpr_count) return;
    if (d->first_agpr + k->agpr_count > d->vgprs)
        problem(c, SW_SEVERITY_ERROR, ".agpr_count",
                "%u registers from %u on, but the kernel descriptor allocates %u", k->agpr_count,
                d->first_agpr, d->vgprs);
}

static bool has_key(const sw_kernel *k, const char *key) { return meta_get(k->metadata, key) != NULL; }

static void check_kernel(struct checking *c, const sw_kernel *k) {
    const struct sw_object *o = c->o;
    c->kernel = k->name;
    if (!k->has_descriptor) return;
    c->where = (uint64_t)(k->descriptor_bytes - o->bytes);
    sw_kernel_descriptor d = SW_INIT(sw_kernel_descriptor);
    const sw_sink sink = {from_descriptor, c};
    sw_descriptor_decode(k->descriptor_bytes, o->target.processor, &d, &sink);
    const sw_symbol *s = sw_object_find_symbol(o, k->symbol), *f = sw_object_find_symbol(o, k->name);
    if (s && (s->type != STT_OBJECT || s->size != SW_DESCRIPTOR_SIZE))
        problem(c, SW_SEVERITY_WARNING, "symbol", "'%.100s' is not an object of 64 bytes", k->symbol);
    if (!f || f->type != STT_FUNC || f->section == SHN_UNDEF)
        problem(c, SW_SEVERITY_WARNING, "symbol", "no function of the kernel's name"); // OBJ-32
    if (!k->has_metadata) {
        problem(c, SW_SEVERITY_WARNING, "metadata", "the kernel has none");
        return;
    }
    if (has_key(k, ".group_segment_fixed_size"))
        agree(c, ".group_segment_fixed_size", k->group_segment_fixed_size, d.group_segment_fixed_size);
    if (has_key(k, ".private_segment_fixed_size"))
        agree(c, ".private_segment_fixed_size", k->private_segment_fixed_size, d.private_segment_fixed_size);
    // KD-04: 0 leaves the size to the metadata
    if (d.kernarg_size) agree(c, ".kernarg_segment_size", k->kernarg_segment_size, d.kernarg_size);
    if (k->wavefront_size) agree(c, ".wavefront_size", k->wavefront_size, d.wavefront_size);
    if (has_key(k, ".uses_dynamic_stack"))
        agree(c, ".uses_dynamic_stack", k->uses_dynamic_stack, d.uses_dynamic_stack);
    if (has_key(k, ".workgroup_processor_mode"))
        agree(c, ".workgroup_processor_mode", k->workgroup_processor_mode, d.wgp_mode);
    check_registers(c, k);
}

// ---- Header --------------------------------------------------------------------------------------------

static void check_header(struct checking *c) {
    const sw_header *h = &c->o->header;
    if (h->version != EV_CURRENT) tell(c, SW_SEVERITY_WARNING, "ELF header", "e_version is not 1");
    if (h->entry) tell(c, SW_SEVERITY_WARNING, "ELF header", "e_entry is not 0"); // OBJ-06
    if (h->os != SW_OS_AMDHSA && h->os != SW_OS_NONE && h->abi_version)
        tell(c, SW_SEVERITY_WARNING, "ELF header", "the ABI version is not 0"); // OBJ-04
}

sw_status sw_object_check(const sw_object *o, const sw_sink *sink) {
    struct checking c = {.o = o, .sink = sink};
    check_header(&c);
    check_metadata(&c);
    for (size_t i = 0; i < o->kernel_count; i++) check_kernel(&c, &o->kernels[i]);
    return c.failed ? SW_CHECK : SW_OK;
}
