// SPDX-License-Identifier: MIT
// Prints one processor for `softwave targets`: as a page of text or as a JSON object.
#include "cli/targets/targets.h"

sw_processor_info targets_info(const sw_processor *p) {
    sw_processor_info info = {.size = sizeof info};
    sw_processor_get_info(p, &info);
    return info;
}

void targets_join(struct text *t, const char *const *list, const char *separator) {
    for (size_t i = 0; list[i]; i++) text_printf(t, "%s%s", i ? separator : "", list[i]);
}

static void label(struct text *t, const char *name) {
    text_printf(t, "  %s", name);
    text_pad(t, 22);
}

static void label_list(struct text *t, const char *name, const char *const *list) {
    if (!list[0]) return;
    label(t, name);
    targets_join(t, list, ", ");
    text_puts(t, "\n");
}

static void show_members(struct text *t, const sw_processor *generic) {
    label(t, "members (since)");
    const char *separator = "";
    for (size_t i = 0; i < sw_processor_count(); i++) {
        sw_processor_info m = targets_info(sw_processor_at(i));
        if (m.member_of != generic) continue;
        text_printf(t, "%s%s (%u)", separator, m.name, m.member_since);
        separator = ", ";
    }
    text_puts(t, "\n");
}

// What a product is called without its maker.
static const char *short_name(const sw_product *p) { return p->name + (strncmp(p->name, "AMD ", 4) ? 0 : 4); }

void targets_products(struct text *t, const sw_processor *processor, size_t column) {
    enum { WIDTH = 100 };
    size_t used = 0;
    for (size_t i = 0; i < sw_product_count(); i++) {
        sw_product p = {.size = sizeof p};
        sw_product_get(i, &p);
        if (p.processor != processor) continue;
        const char *name = short_name(&p);
        if (used && used + 2 + strlen(name) + 1 > WIDTH) text_puts(t, ",\n"), used = 0;
        if (!used) text_pad(t, used = column + 1);
        const bool first = t->data[t->length - 1] == ' ';
        text_printf(t, "%s%s", first ? "" : ", ", name);
        used += strlen(name) + (first ? 0 : 2);
    }
    if (used) text_puts(t, "\n");
}

void targets_show_processor(struct text *t, const sw_processor *processor) {
    sw_processor_info p = targets_info(processor);
    text_printf(t, "%s: %s, %s%s\n", p.name, p.family, p.architecture,
                p.generic ? ", generic"
                : p.apu   ? ", APU"
                          : ", dGPU");
    label_list(t, "also", p.alternatives);
    struct text products = {0};
    targets_products(&products, processor, 21);
    if (products.length) label(t, "products"), text_puts(t, products.data + 22);
    text_free(&products);
    label(t, "EF_AMDGPU_MACH"), text_printf(t, "0x%02x\n", p.mach);
    label_list(t, "features", p.features);
    label_list(t, "properties", p.properties);
    label_list(t, "loaders", p.loaders);
    if (p.generic) {
        label(t, "generic version"), text_printf(t, "%u\n", p.generic_version);
        show_members(t, processor);
    }
    if (p.member_of) {
        label(t, "covered by");
        text_printf(t, "%s since version %u\n", sw_processor_name(p.member_of), p.member_since);
    }
    if (!p.wave_sizes) return; // R600: nothing else is known here
    label(t, "ISA version"), text_printf(t, "%u.%u.%u\n", p.isa_major, p.isa_minor, p.isa_stepping);
    label(t, "lanes of a wave"), text_printf(t, "%s\n", targets_lanes(p.wave_sizes));
    label(t, "VGPRs"), text_printf(t, "%u of a wave", p.vgprs);
    if (p.agprs) text_printf(t, " and %u AGPRs", p.agprs);
    text_printf(t, "; %u in a SIMD, allocated by %u", p.vgpr_file_w64, p.vgpr_granule_w64);
    if (p.vgpr_file_w32) text_printf(t, " (wave32: %u by %u)", p.vgpr_file_w32, p.vgpr_granule_w32);
    text_puts(t, "\n");
    label(t, "SGPRs"), text_printf(t, "%u, allocated by %u\n", p.sgprs, p.sgpr_granule);
    label(t, "LDS"),
        text_printf(t, "%u bytes of a work-group, allocated by %u\n", p.lds_bytes, p.lds_granule);
    label(t, "reported device");
    text_printf(t, "%u compute units of %u SIMDs of %u waves\n", p.compute_units, p.simds_per_cu,
                p.waves_per_simd);
    text_puts(t, "  capabilities\n");
    for (size_t i = 0; i < sw_capability_count(); i++) {
        if (!sw_processor_has(processor, i)) continue;
        text_printf(t, "    %s", sw_capability_name(i));
        text_pad(t, 30);
        text_printf(t, " %s\n", sw_capability_text(i));
    }
}

static void json_list(struct json *j, const char *key, const char *const *list) {
    json_open(j, key, '[');
    for (size_t i = 0; list[i]; i++) json_string(j, NULL, list[i]);
    json_close(j, ']');
}

void targets_json_processor(struct json *j, const char *key, const sw_processor *processor) {
    sw_processor_info p = targets_info(processor);
    json_open(j, key, '{');
    json_string(j, "name", p.name);
    json_list(j, "alternatives", p.alternatives);
    json_open(j, "products", '[');
    for (size_t i = 0; i < sw_product_count(); i++) {
        sw_product product = {.size = sizeof product};
        sw_product_get(i, &product);
        if (product.processor == processor) json_string(j, NULL, product.name);
    }
    json_close(j, ']');
    json_string(j, "architecture", p.architecture);
    json_string(j, "family", p.family);
    json_string(j, "kind", p.generic ? "generic" : p.apu ? "APU" : "dGPU");
    json_uint(j, "mach", p.mach);
    json_list(j, "features", p.features);
    json_list(j, "properties", p.properties);
    json_list(j, "loaders", p.loaders);
    json_uint(j, "generic_version", p.generic_version);
    json_open(j, "members", '[');
    for (size_t i = 0; i < sw_processor_count(); i++) {
        sw_processor_info m = targets_info(sw_processor_at(i));
        if (m.member_of != processor) continue;
        json_open(j, NULL, '{');
        json_string(j, "name", m.name);
        json_uint(j, "since", m.member_since);
        json_close(j, '}');
    }
    json_close(j, ']');
    json_string(j, "member_of", p.member_of ? sw_processor_name(p.member_of) : NULL);
    json_uint(j, "member_since", p.member_since);
    json_open(j, "isa_version", '[');
    json_uint(j, NULL, p.isa_major), json_uint(j, NULL, p.isa_minor), json_uint(j, NULL, p.isa_stepping);
    json_close(j, ']');
    json_open(j, "wave_sizes", '[');
    if (p.wave_sizes & 32) json_uint(j, NULL, 32);
    if (p.wave_sizes & 64) json_uint(j, NULL, 64);
    json_close(j, ']');
#define NUMBER(field) json_uint(j, #field, p.field)
    NUMBER(vgprs), NUMBER(agprs), NUMBER(vgpr_file_w64), NUMBER(vgpr_file_w32), NUMBER(vgpr_granule_w64);
    NUMBER(vgpr_granule_w32), NUMBER(sgprs), NUMBER(sgpr_granule), NUMBER(lds_bytes), NUMBER(lds_granule);
    NUMBER(waves_per_simd), NUMBER(simds_per_cu), NUMBER(compute_units);
#undef NUMBER
    json_open(j, "capabilities", '[');
    for (size_t i = 0; i < sw_capability_count(); i++)
        if (sw_processor_has(processor, i)) json_string(j, NULL, sw_capability_name(i));
    json_close(j, ']');
    json_close(j, '}');
}
