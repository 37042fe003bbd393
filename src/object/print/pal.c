// SPDX-License-Identifier: MIT
// PAL's code objects explained: pipelines with their hardware stages, and registers by name with what their
// values stand for (PAL-03 to PAL-28). Objects of old compilers carry the registers as a list of pairs in a
// note of their own.
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "object/code/object.h"
#include "object/print/print.h"

enum { NAME = 48, USER_DATA = 0x0c, STAGE_USER_DATA = 32, COMPUTE_USER_DATA = 0x2e40 };

static const struct {
    uint32_t base;
    const char *name;
} stages[] = {{0x2c00, "PS"}, {0x2c40, "VS"}, {0x2c80, "GS"}, {0x2cc0, "ES"}, {0x2d00, "HS"}, {0x2d40, "LS"}};
static const char *const old_stages[] = {"LS", "HS", "ES", "GS", "VS", "PS", "CS"};

enum form { ONE, MANY, BY_STAGE, OLD };
static const struct {
    uint32_t number, count;
    enum form form;
    const char *name;
} registers[] = {
#define REGISTER(number, name)      {number, 1, ONE, name},
#define FAMILY(number, count, name) {number, count, MANY, name},
#define STAGES(number, name)        {number, 6, BY_STAGE, name},
#define PSEUDO(number, name)        {number, 7, OLD, name},
#include "object/print/pal_registers.def"
#undef REGISTER
#undef FAMILY
#undef STAGES
#undef PSEUDO
};

// Whether the register holds user data, whose value is an encoding (PAL-18).
static bool is_user_data(uint32_t number) {
    if (number >= COMPUTE_USER_DATA && number < COMPUTE_USER_DATA + 16) return true;
    for (size_t i = 0; i < sizeof stages / sizeof *stages; i++)
        if (number - stages[i].base - USER_DATA < STAGE_USER_DATA) return true;
    return false;
}

bool pal_register_name(uint32_t number, char *out) {
    for (size_t i = 0; i < sizeof registers / sizeof *registers; i++) {
        const uint32_t at = number - registers[i].number;
        if (registers[i].form == ONE && !at) return snprintf(out, NAME, "%s", registers[i].name);
        if (registers[i].form == MANY && at < registers[i].count)
            return snprintf(out, NAME, "%s_%u", registers[i].name, at);
        if (registers[i].form == OLD && at < registers[i].count)
            return snprintf(out, NAME, "%s_%s", old_stages[at], registers[i].name);
        for (size_t s = 0; registers[i].form == BY_STAGE && s < sizeof stages / sizeof *stages; s++)
            if (at == stages[s].base) return snprintf(out, NAME, "%s_%s", registers[i].name, stages[s].name);
    }
    for (size_t s = 0; s < sizeof stages / sizeof *stages; s++)
        if (number - stages[s].base - USER_DATA < STAGE_USER_DATA)
            return snprintf(out, NAME, "SPI_SHADER_USER_DATA_%s_%u", stages[s].name,
                            number - stages[s].base - USER_DATA);
    *out = 0;
    return false;
}

// PAL-21 to PAL-28. False where the encoding is not defined.
bool pal_user_data(uint32_t value, char *out) {
    static const char *const names[] = {
        [0x00] = "GlobalTable",    [0x01] = "PerShaderTable",    [0x02] = "SpillTable",
        [0x03] = "BaseVertex",     [0x04] = "BaseInstance",      [0x05] = "DrawIndex",
        [0x06] = "Workgroup",      [0x0a] = "EsGsLdsSize",       [0x0b] = "ViewId",
        [0x0c] = "StreamOutTable", [0x0d] = "PerShaderPerfData", [0x0f] = "VertexBufferTable",
        [0x10] = "UavExportTable", [0x11] = "NggCullingData",    [0x15] = "FetchShaderPtr",
    };
    if (value < 128) return snprintf(out, NAME, "user data entry %u", value);
    const uint32_t at = value - 0x10000000;
    if (at < sizeof names / sizeof *names && names[at]) return snprintf(out, NAME, "%s", names[at]);
    snprintf(out, NAME, "undefined");
    return false;
}

static bool ends(const char *name, const char *end) {
    const char *at = strstr(name, end);
    return at != NULL && (!at[strlen(end)] || at[strlen(end)] == '_');
}

// What the value says, "" when the number is all there is to say.
static void explain(const sw_object *o, uint32_t number, const char *name, uint32_t value, char out[96]) {
    *out = 0;
    if (is_user_data(number)) {
        pal_user_data(value, out);
        return;
    }
    uint8_t bytes[SW_DESCRIPTOR_SIZE] = {0};
    sw_kernel_descriptor d = SW_INIT(sw_kernel_descriptor);
    const bool one = ends(name, "PGM_RSRC1"), two = ends(name, "COMPUTE_PGM_RSRC2");
    if ((!one && !two) || !o->target.processor) return;
    wr32(bytes + (one ? 48 : 52), value); // laid out as in a kernel descriptor
    if (sw_descriptor_decode(bytes, o->target.processor, &d, NULL)) return;
    if (two)
        snprintf(out, 96, "%u user SGPRs%s", d.user_sgpr_count, d.enable_private_segment ? ", scratch" : "");
    else // the wave size is in another register
        snprintf(out, 96, "%u VGPRs, %u SGPRs", d.vgprs, d.sgprs);
}

static void print_register(struct text *t, const sw_object *o, uint32_t number, uint32_t value) {
    char name[NAME], meaning[96];
    if (!pal_register_name(number, name)) snprintf(name, sizeof name, "?");
    explain(o, number, name, value, meaning);
    text_printf(t, "    0x%08x  0x%08x  %s", number, value, name);
    if (*meaning) text_pad(t, 60), text_printf(t, "  %s", meaning);
    text_puts(t, "\n");
}

void print_pal_pairs(struct text *t, const sw_object *o, const sw_note *n) {
    for (size_t i = 0; i + 8 <= n->size; i += 8)
        print_register(t, o, rd32(n->data + i), rd32(n->data + i + 4));
    if (n->size % 8) text_printf(t, "    %zu bytes are left over\n", n->size % 8);
}

// ---- Pipelines -----------------------------------------------------------------------------------------

static void text_of(struct text *t, const sw_node *n) {
    if (n->kind == SW_NODE_STRING) text_name(t, n->as.string.data, n->as.string.length);
}

static void print_stage(struct text *t, const sw_node *key, const sw_node *stage) {
    static const struct {
        const char *key, *unit;
    } numbers[] = {{".vgpr_count", "VGPRs"},
                   {".agpr_count", "AGPRs"},
                   {".sgpr_count", "SGPRs"},
                   {".lds_size", "bytes LDS"},
                   {".scratch_memory_size", "bytes scratch"},
                   {".wavefront_size", "lanes a wave"}};
    text_puts(t, "  stage ");
    text_of(t, key);
    text_pad(t, 16);
    const sw_node *entry = meta_get(stage, ".entry_point");
    if (entry) text_puts(t, "  "), text_of(t, entry);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        uint64_t n;
        const sw_node *v = meta_get(stage, numbers[i].key);
        if (v && meta_number(v, false, &n)) text_printf(t, ", %" PRIu64 " %s", n, numbers[i].unit);
    }
    text_puts(t, "\n");
}

void print_pal(struct text *t, const sw_object *o) {
    const sw_node *list = meta_get(o->metadata, "amdpal.pipelines");
    if (o->header.os != SW_OS_AMDPAL || !list || list->kind != SW_NODE_ARRAY) return;
    for (uint32_t p = 0; p < list->count; p++) {
        const sw_node *pipeline = &list->as.items[p], *name = meta_get(pipeline, ".name");
        const sw_node *type = meta_get(pipeline, ".type"), *map = meta_get(pipeline, ".hardware_stages");
        text_printf(t, "\nPipeline %u", p);
        if (name) text_puts(t, " "), text_of(t, name);
        if (type) text_puts(t, ", "), text_of(t, type);
        text_puts(t, "\n");
        for (uint32_t i = 0; map && map->kind == SW_NODE_MAP && i < map->count; i++)
            print_stage(t, &map->as.items[2 * i], &map->as.items[2 * i + 1]);
        map = meta_get(pipeline, ".registers");
        if (!map || map->kind != SW_NODE_MAP) continue;
        text_puts(t, "  registers\n");
        for (uint32_t i = 0; i < map->count; i++) {
            uint64_t number, value;
            if (meta_number(&map->as.items[2 * i], false, &number) &&
                meta_number(&map->as.items[2 * i + 1], false, &value) && number <= UINT32_MAX &&
                value <= UINT32_MAX)
                print_register(t, o, (uint32_t)number, (uint32_t)value);
        }
    }
}

// ---- JSON ----------------------------------------------------------------------------------------------

static void register_json(struct json *j, const sw_object *o, uint32_t number, uint32_t value) {
    char name[NAME], meaning[96];
    json_open(j, NULL, '{');
    json_uint(j, "number", number);
    json_uint(j, "value", value);
    json_string(j, "name", pal_register_name(number, name) ? name : NULL);
    explain(o, number, name, value, meaning);
    json_string(j, "meaning", *meaning ? meaning : NULL);
    json_close(j, '}');
}

// The registers of every pipeline, and of the old note, as one list; the rest is in the metadata.
void print_pal_json(struct json *j, const sw_object *o) {
    if (o->header.os != SW_OS_AMDPAL) return;
    json_open(j, "pal_registers", '[');
    const sw_node *list = meta_get(o->metadata, "amdpal.pipelines");
    for (uint32_t p = 0; list && list->kind == SW_NODE_ARRAY && p < list->count; p++) {
        const sw_node *map = meta_get(&list->as.items[p], ".registers");
        for (uint32_t i = 0; map && map->kind == SW_NODE_MAP && i < map->count; i++) {
            uint64_t number, value;
            if (meta_number(&map->as.items[2 * i], false, &number) &&
                meta_number(&map->as.items[2 * i + 1], false, &value) && number <= UINT32_MAX &&
                value <= UINT32_MAX)
                register_json(j, o, (uint32_t)number, (uint32_t)value);
        }
    }
    for (size_t n = 0; n < o->note_count; n++)
        for (size_t i = 0; is_pal_pairs(&o->notes[n]) && i + 8 <= o->notes[n].size; i += 8)
            register_json(j, o, rd32(o->notes[n].data + i), rd32(o->notes[n].data + i + 4));
    json_close(j, ']');
}
