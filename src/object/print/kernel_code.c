// SPDX-License-Identifier: MIT
// Kernels of code object V2: the amd_kernel_code_t that their symbol points at, field by field, and what its
// COMPUTE_PGM_RSRC1 and 2 and code properties mean, which are laid out as in the kernel descriptors of later
// versions (KD-22).
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/sized.h"
#include "object/code/object.h"
#include "object/print/print.h"

enum { CODE_SIZE = 256 };
enum form { NUMBER, BYTES, LOG2, SIGNED, HEX, ELEMENT };

static const struct {
    uint16_t offset;
    uint8_t bit, width;
    enum form form;
    const char *name;
} fields[] = {
#define CODE(offset, bits, name, form)      {offset, 0, bits, form, name},
#define BIT(offset, bit, width, name, form) {offset, bit, width, form, name},
#include "object/print/kernel_code.def"
#undef CODE
#undef BIT
};
#define COUNT (sizeof fields / sizeof *fields)

static uint64_t value_of(const uint8_t *bytes, size_t i) {
    uint64_t v = 0;
    const unsigned size = fields[i].bit + fields[i].width > 32      ? 8
                          : fields[i].width == 8                    ? 1
                          : fields[i].width == 16 && !fields[i].bit ? 2
                                                                    : 4;
    memcpy(&v, bytes + fields[i].offset, size);
    return bits(v, fields[i].bit, fields[i].width);
}

// The bytes at the kernel's symbol, or NULL.
static const uint8_t *code_of(const struct sw_object *o, const sw_kernel *k) {
    const sw_symbol *s = sw_object_find_symbol(o, k->symbol);
    uint64_t offset;
    if (!s) s = sw_object_find_symbol(o, k->name);
    if (!s || s->section == SHN_UNDEF) return NULL;
    if (!o->header.relocatable)
        return object_file_offset(o, s->value, CODE_SIZE, &offset) ? o->bytes + offset : NULL;
    if (s->section >= o->section_count) return NULL;
    const sw_section *c = &o->sections[s->section];
    return c->data && in_range(s->value, CODE_SIZE, c->size) ? c->data + s->value : NULL;
}

// As the 64 bytes of a kernel descriptor, whose fields these two words and the properties share.
static void as_descriptor(const uint8_t *code, uint8_t out[SW_DESCRIPTOR_SIZE]) {
    memset(out, 0, SW_DESCRIPTOR_SIZE);
    memcpy(out, code + 64, 4);      // LDS
    memcpy(out + 4, code + 60, 4);  // scratch
    memcpy(out + 8, code + 72, 4);  // arguments
    memcpy(out + 16, code + 16, 8); // where the code begins
    memcpy(out + 48, code + 48, 8);
    wr16(out + 56, rd16(code + 56) & 0x47f); // without the grid's work-group counts
}

// Fields that ask for what no kernel descriptor can say. Compilers leave them 0.
static const struct {
    uint16_t offset;
    uint8_t bit, width;
} unsupported[] = {
    {56, 7, 1},  // work-group counts in SGPRs
    {56, 8, 1},  //
    {56, 9, 1},  //
    {56, 16, 1}, // ordered append
    {68, 0, 32}, // GDS
};
static const char *unsupported_field(const uint8_t *code, uint64_t *value) {
    for (size_t u = 0; u < sizeof unsupported / sizeof *unsupported; u++) {
        *value = bits(rd32(code + unsupported[u].offset), unsupported[u].bit, unsupported[u].width);
        if (!*value) continue;
        for (size_t i = 0; i < COUNT; i++)
            if (fields[i].offset == unsupported[u].offset && fields[i].bit == unsupported[u].bit)
                return fields[i].name;
    }
    return NULL;
}

sw_status sw_kernel_code_descriptor(const uint8_t code[SW_KERNEL_CODE_SIZE], uint8_t out[SW_DESCRIPTOR_SIZE],
                                    const sw_sink *sink) {
    enum { MAJOR = 1, MACHINE_AMDGPU = 1 };
    if (rd32(code) != MAJOR || rd16(code + 8) != MACHINE_AMDGPU)
        return diag_fail(sink, SW_BAD_INPUT, NULL, "no amd_kernel_code_t of version 1 for AMD GPUs");
    uint64_t value;
    const char *field = unsupported_field(code, &value);
    if (field)
        return diag_fail(sink, SW_UNSUPPORTED, NULL, "the kernel's amd_kernel_code_t has %s = %" PRIu64,
                         field, value);
    as_descriptor(code, out);
    return SW_OK;
}

sw_status sw_kernel_with_descriptor(const sw_object *o, const sw_kernel *k, sw_kernel *out,
                                    sw_kernel_descriptor *descriptor, const sw_sink *sink) {
    const struct sized kind = SIZED(sw_kernel, metadata);
    sw_status status = sized_check(kind, out, sink);
    if (status) return status;
    sized_fill(kind, out, k);
    if (k->has_descriptor) return SW_OK;
    sw_kernel own = *k;
    sw_kernel_descriptor d = SW_INIT(sw_kernel_descriptor);
    const uint8_t *code = code_of(o, k);
    const sw_symbol *s = sw_object_find_symbol(o, k->symbol);
    uint8_t bytes[SW_DESCRIPTOR_SIZE];
    if (!s) s = sw_object_find_symbol(o, k->name);
    if (!code || !sw_object_symbol_offset(o, s, &own.descriptor_offset))
        return diag_fail(sink, SW_BAD_INPUT, NULL, "kernel '%s' has no amd_kernel_code_t", k->name);
    status = sw_kernel_code_descriptor(code, bytes, sink);
    if (status != SW_OK) return status;
    if (sw_descriptor_decode(bytes, sw_object_target(o)->processor, &d, NULL) != SW_OK)
        return diag_fail(sink, SW_BAD_INPUT, NULL, "the amd_kernel_code_t of kernel '%s' makes no sense",
                         k->name);
    status =
        sw_descriptor_decode(bytes, sw_object_target(o)->processor, descriptor, sink); // as the caller has it
    own.has_descriptor = true;
    own.descriptor = descriptor;
    own.entry_offset = own.descriptor_offset + rd64(code + 16);
    if (!k->kernarg_segment_size) own.kernarg_segment_size = d.kernarg_size;
    own.group_segment_fixed_size = d.group_segment_fixed_size;
    own.private_segment_fixed_size = d.private_segment_fixed_size;
    if (!status) sized_fill(kind, out, &own);
    return status;
}

static void print_meaning(struct text *t, size_t i, uint64_t v) {
    switch (fields[i].form) {
    case BYTES: text_puts(t, "bytes"); break;
    case LOG2:
        if (v < 64) text_printf(t, "%" PRIu64, (uint64_t)1 << v);
        break;
    case ELEMENT: text_printf(t, "%u bytes", 2u << v); break;
    default: break;
    }
}

bool print_kernel_code(struct text *t, const sw_object *o, const sw_kernel *k) {
    const uint8_t *code = code_of(o, k);
    if (!code) return false;
    text_puts(t, "  amd_kernel_code_t\n    offset   value       field\n");
    for (size_t i = 0; i < COUNT; i++) {
        const uint64_t v = value_of(code, i);
        text_printf(t, "    %-8u ", fields[i].offset);
        if (fields[i].form == SIGNED)
            text_printf(t, "%-11" PRId64 " ", sign_extend(v, fields[i].width));
        else
            text_printf(t, fields[i].form == HEX ? "0x%-9" PRIx64 " " : "%-11" PRIu64 " ", v);
        text_puts(t, fields[i].name);
        text_pad(t, 72);
        print_meaning(t, i, v);
        while (t->length && t->data[t->length - 1] == ' ') t->data[--t->length] = 0;
        text_puts(t, "\n");
        sw_descriptor_field f = SW_INIT(sw_descriptor_field);
        uint8_t descriptor[SW_DESCRIPTOR_SIZE];
        const unsigned first = fields[i].offset * 8u; // RSRC1 and RSRC2 have the same place in a descriptor
        as_descriptor(code, descriptor);
        for (size_t n = 0; fields[i].form == HEX && fields[i].width == 32 &&
                           sw_descriptor_field_at(descriptor, o->target.processor, n, &f);
             n++) {
            if (f.bit < first || f.bit >= first + 32) continue;
            text_printf(t, "      %-3u    %-9" PRIu64 " %s", f.bit - first, f.value, f.name);
            if (*f.meaning) text_pad(t, 72), text_puts(t, f.meaning);
            text_puts(t, "\n");
        }
    }
    return true;
}

void print_kernel_code_json(struct json *j, const sw_object *o, const sw_kernel *k) {
    const uint8_t *code = code_of(o, k);
    if (!code) return;
    json_open(j, "kernel_code", '{');
    for (size_t i = 0; i < COUNT; i++) {
        const uint64_t v = value_of(code, i);
        if (fields[i].form == SIGNED)
            json_int(j, fields[i].name, sign_extend(v, fields[i].width));
        else
            json_uint(j, fields[i].name, v);
    }
    json_close(j, '}');
}
