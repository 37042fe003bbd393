// SPDX-License-Identifier: MIT
// Reading objects: header, sections, functions, state, relocations.
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "terascale/object/object.h"

#ifndef EM_AMDGPU
#define EM_AMDGPU 224
#endif
enum { R_AMDGPU_ABS32 = 6, SETTING_BYTES = 8 };

static sw_status bad(const struct ts_object *o, const sw_sink *sink, const char *within, const char *what) {
    const sw_location at = {.file = o->name, .within = within};
    return diag_fail(sink, SW_BAD_INPUT, &at, "%s", what);
}

struct reader {
    struct ts_object *o;
    Elf32_Ehdr header;
    const Elf32_Shdr *unused;
    uint32_t text, config, symtab, strings, rel; // section numbers; 0: none
    const sw_sink *sink;
};

static Elf32_Shdr section(const struct reader *r, uint32_t n) {
    Elf32_Shdr s;
    memcpy(&s, r->o->data + r->header.e_shoff + (size_t)n * sizeof s, sizeof s);
    return s;
}

static bool holds(const struct reader *r, const Elf32_Shdr *s) {
    return s->sh_type == SHT_NOBITS || in_range(s->sh_offset, s->sh_size, r->o->size);
}

static const char *string_at(const struct reader *r, const Elf32_Shdr *strings, uint32_t at) {
    if (at >= strings->sh_size || strings->sh_type == SHT_NOBITS) return "";
    const char *s = (const char *)r->o->data + strings->sh_offset + at;
    return memchr(s, 0, strings->sh_size - at) ? s : "";
}

static sw_status read_header(struct reader *r) {
    struct ts_object *o = r->o;
    if (o->size < sizeof r->header) return bad(o, r->sink, "ELF header", "the file ends within it");
    memcpy(&r->header, o->data, sizeof r->header);
    const Elf32_Ehdr *h = &r->header;
    if (memcmp(h->e_ident, ELFMAG, SELFMAG) || h->e_ident[EI_CLASS] != ELFCLASS32 ||
        h->e_machine != EM_AMDGPU)
        return bad(o, r->sink, "ELF header", "no ELF32 object of an AMD GPU");
    if (h->e_ident[EI_DATA] != ELFDATA2LSB) return bad(o, r->sink, "ELF header", "not little-endian");
    o->flags = h->e_flags;
    o->processor = sw_processor_by_mach(h->e_flags & 0xff);
    o->chip = ts_chip_of(o->processor);
    if (!o->chip) {
        const sw_location at = {.file = o->name, .within = "ELF header"};
        return diag_fail(r->sink, SW_BAD_INPUT, &at,
                         "e_flags is 0x%x, which names no processor of the R600 family", h->e_flags);
    }
    if (h->e_shentsize != sizeof(Elf32_Shdr) ||
        !in_range(h->e_shoff, (uint64_t)h->e_shnum * sizeof(Elf32_Shdr), o->size))
        return bad(o, r->sink, "section table", "outside the file");
    return SW_OK;
}

static sw_status find_sections(struct reader *r) {
    struct ts_object *o = r->o;
    if (!r->header.e_shnum || r->header.e_shstrndx >= r->header.e_shnum)
        return bad(o, r->sink, "section table", "no names of sections");
    const Elf32_Shdr names = section(r, r->header.e_shstrndx);
    if (!holds(r, &names)) return bad(o, r->sink, "section names", "outside the file");
    for (uint32_t i = 1; i < r->header.e_shnum; i++) {
        const Elf32_Shdr s = section(r, i);
        const char *name = string_at(r, &names, s.sh_name);
        if (!holds(r, &s)) return bad(o, r->sink, *name ? name : "a section", "outside the file");
        if (!strcmp(name, ".text") && s.sh_type == SHT_PROGBITS) r->text = i;
        if (!strcmp(name, ".AMDGPU.config") && s.sh_type == SHT_PROGBITS) r->config = i;
        if (s.sh_type == SHT_SYMTAB) r->symtab = i;
    }
    for (uint32_t i = 1; i < r->header.e_shnum; i++) {
        const Elf32_Shdr s = section(r, i);
        if (s.sh_type == SHT_REL && s.sh_info == r->text) r->rel = i;
    }
    if (!r->text) return bad(o, r->sink, "section table", "no .text");
    const Elf32_Shdr text = section(r, r->text);
    o->text = o->data + text.sh_offset;
    o->text_size = text.sh_size;
    if (r->config) {
        const Elf32_Shdr config = section(r, r->config);
        o->config = o->data + config.sh_offset;
        o->config_size = config.sh_size;
    }
    return SW_OK;
}

static int by_address(const void *a, const void *b) {
    const struct ts_symbol *x = a, *y = b;
    if (x->value != y->value) return x->value < y->value ? -1 : 1;
    return y->global - x->global;
}

// Functions in the text, one for an address: a local copy of a name says nothing more.
static sw_status read_functions(struct reader *r) {
    struct ts_object *o = r->o;
    if (!r->symtab) return SW_OK;
    const Elf32_Shdr table = section(r, r->symtab);
    const Elf32_Shdr strings =
        table.sh_link < r->header.e_shnum ? section(r, table.sh_link) : (Elf32_Shdr){0};
    const uint32_t count =
        table.sh_entsize == sizeof(Elf32_Sym) ? table.sh_size / (uint32_t)sizeof(Elf32_Sym) : 0;
    o->functions = calloc((size_t)count + 1, sizeof *o->functions);
    if (!o->functions) return diag_fail(r->sink, SW_NO_MEMORY, NULL, "out of memory");
    for (uint32_t i = 0; i < count; i++) {
        Elf32_Sym y;
        memcpy(&y, o->data + table.sh_offset + (size_t)i * sizeof y, sizeof y);
        if (ELF32_ST_TYPE(y.st_info) != STT_FUNC || y.st_shndx != r->text) continue;
        const char *name = string_at(r, &strings, y.st_name);
        if (!in_range(y.st_value, y.st_size, o->text_size) || y.st_value & 7)
            return bad(o, r->sink, *name ? name : "a function", "outside .text, or not at a word");
        o->functions[o->function_count++] =
            (struct ts_symbol){name, y.st_value, y.st_size, ELF32_ST_BIND(y.st_info) == STB_GLOBAL, NULL, 0};
    }
    qsort(o->functions, o->function_count, sizeof *o->functions, by_address);
    uint32_t n = 0;
    for (uint32_t i = 0; i < o->function_count; i++)
        if (!n || o->functions[n - 1].value != o->functions[i].value) o->functions[n++] = o->functions[i];
    o->function_count = n;
    return SW_OK;
}

// All blocks are of one size: that of the section over the number of functions.
static sw_status read_config(struct reader *r) {
    struct ts_object *o = r->o;
    if (!o->config_size || !o->function_count) return SW_OK;
    const uint32_t block = o->config_size / o->function_count;
    if (block % SETTING_BYTES || block * o->function_count != o->config_size)
        return bad(o, r->sink, ".AMDGPU.config",
                   "its size is not a number of register settings for each function");
    for (uint32_t i = 0; i < o->function_count; i++) {
        o->functions[i].settings = o->config + (size_t)i * block;
        o->functions[i].setting_count = block / SETTING_BYTES;
    }
    return SW_OK;
}

static sw_status relocate(struct reader *r) {
    struct ts_object *o = r->o;
    o->code = calloc(1, ((size_t)o->text_size + 15) & ~(size_t)7);
    if (!o->code) return diag_fail(r->sink, SW_NO_MEMORY, NULL, "out of memory");
    memcpy(o->code, o->text, o->text_size);
    if (!r->rel) return SW_OK;
    const Elf32_Shdr rel = section(r, r->rel);
    const Elf32_Shdr table = r->symtab ? section(r, r->symtab) : (Elf32_Shdr){0};
    for (uint32_t at = 0; at + sizeof(Elf32_Rel) <= rel.sh_size; at += (uint32_t)sizeof(Elf32_Rel)) {
        Elf32_Rel e;
        Elf32_Sym y = {0};
        memcpy(&e, o->data + rel.sh_offset + at, sizeof e);
        const uint64_t symbol = (uint64_t)ELF32_R_SYM(e.r_info) * sizeof y;
        if (!in_range(symbol, sizeof y, table.sh_size)) return bad(o, r->sink, ".rel.text", "no such symbol");
        memcpy(&y, o->data + table.sh_offset + symbol, sizeof y);
        if (ELF32_R_TYPE(e.r_info) != R_AMDGPU_ABS32) {
            const sw_location place = {.file = o->name, .within = ".rel.text"};
            return diag_fail(r->sink, SW_UNSUPPORTED, &place,
                             "relocation %u; only R_AMDGPU_ABS32 (6) is known", ELF32_R_TYPE(e.r_info));
        }
        if (e.r_offset & 3 || !in_range(e.r_offset, 4, o->text_size))
            return bad(o, r->sink, ".rel.text", "a place outside .text");
        if (y.st_shndx != r->text) {
            o->unresolved++;
            continue;
        }
        o->code[e.r_offset / 4] += y.st_value; // the addend is in place
        o->relocations++;
    }
    return SW_OK;
}

sw_status ts_object_open(const uint8_t *data, size_t size, const char *name, struct ts_object *out,
                         const sw_sink *sink) {
    *out = (struct ts_object){.data = data, .size = size, .name = name};
    struct reader r = {.o = out, .sink = sink};
    sw_status status = read_header(&r);
    if (!status) status = find_sections(&r);
    if (!status) status = read_functions(&r);
    if (!status) status = read_config(&r);
    if (!status) status = relocate(&r);
    if (status) ts_object_close(out);
    return status;
}

void ts_object_close(struct ts_object *o) {
    free(o->functions);
    free(o->code);
    o->functions = NULL;
    o->code = NULL;
}

const struct ts_symbol *ts_object_function(const struct ts_object *o, const char *name) {
    for (uint32_t i = 0; i < o->function_count; i++)
        if (!strcmp(o->functions[i].name, name)) return &o->functions[i];
    return NULL;
}

uint32_t ts_symbol_setting(const struct ts_symbol *s, uint32_t reg, uint32_t otherwise) {
    for (uint32_t i = 0; i < s->setting_count; i++)
        if (rd32(s->settings + SETTING_BYTES * i) == reg) return rd32(s->settings + SETTING_BYTES * i + 4);
    return otherwise;
}

enum ts_stage ts_stage_of(const struct ts_object *o, const struct ts_symbol *f) {
    for (unsigned s = TS_STAGES; s-- > 1;)
        for (uint32_t k = 0; k < f->setting_count; k++)
            if (rd32(f->settings + SETTING_BYTES * k) ==
                    ts_resources_register(o->chip->family, (enum ts_stage)s) &&
                (o->chip->family >= TS_EVERGREEN || s != TS_STAGE_VERTEX))
                return (enum ts_stage)s;
    return TS_STAGE_COMPUTE;
}
