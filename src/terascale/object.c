// SPDX-License-Identifier: MIT
// Reading objects: header, sections, functions, state, relocations.
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "terascale/object.h"

#ifndef EM_AMDGPU
#define EM_AMDGPU 224
#endif
enum { R_AMDGPU_ABS32 = 6, FUNCTION_ALIGNMENT = 256, SETTING_BYTES = 8 };

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

// ---- Writing ----

uint32_t ts_resources_register(enum ts_family family, enum ts_stage stage) {
    static const uint32_t registers[2][TS_STAGES] = {{0x28868, 0x28868, 0x28850, 0x2887c, 0x28890},
                                                     {0x288d4, 0x28860, 0x28844, 0x28878, 0x28890}};
    return registers[family >= TS_EVERGREEN][stage];
}

typedef ARRAY(uint8_t) bytes;

static bool add(bytes *b, const void *data, size_t n) {
    if (!array_reserve(b, n)) return false;
    if (n) memcpy(b->items + b->count, data, n);
    b->count += n;
    return true;
}

static bool add32(bytes *b, uint32_t v) { return add(b, &v, 4); }

static bool align(bytes *b, size_t to, uint32_t fill) {
    while (b->count % to) {
        const uint8_t byte = (uint8_t)(fill >> 8 * (b->count & 3));
        if (!array_push(b, byte)) return false;
    }
    return true;
}

// One block of settings a function: what the text says, before what the program needs. All blocks are of one
// size, since nothing else tells where one ends: the last setting of a shorter one is repeated.
typedef ARRAY(struct ts_setting) settings;
enum { COMPUTED = 3 }; // stand first

static bool add_setting(settings *out, struct ts_setting s, bool replaces) {
    for (size_t i = 0; i < out->count && i < COMPUTED; i++)
        if (out->items[i].reg == s.reg) {
            if (replaces) out->items[i].value = s.value;
            return true;
        }
    return array_push(out, s); // all of them, in order: border colours are written through an index
}

static bool collect_settings(const struct ts_chip *chip, const struct ts_function *f, settings *out) {
    const struct ts_setting computed[COMPUTED] = {
        {ts_resources_register(chip->family, f->stage), f->gprs | f->stack << 8},
        {TS_REG_DB_SHADER_CONTROL, f->kills ? 1 << 6 : 0}, // KILL_ENABLE
        {TS_REG_LDS_ALLOC, (f->lds + 3) / 4},
    };
    bool good = true;
    for (unsigned i = 0; i < COMPUTED; i++) good = good && add_setting(out, computed[i], false);
    for (size_t i = 0; i < f->settings.count; i++)
        good = good && add_setting(out, f->settings.items[i], true);
    return good;
}

static bool add_settings(const struct ts_chip *chip, const ts_functions *f, bytes *config) {
    size_t most = 0;
    settings all = {0};
    bool good = true;
    for (size_t i = 0; i < f->count && good; i++) {
        all.count = 0;
        good = collect_settings(chip, &f->items[i], &all);
        if (all.count > most) most = all.count;
    }
    for (size_t i = 0; i < f->count && good; i++) {
        all.count = 0;
        good = collect_settings(chip, &f->items[i], &all);
        for (size_t k = 0; k < most && good; k++) {
            const struct ts_setting *s = &all.items[k < all.count ? k : all.count - 1];
            good = add32(config, s->reg) && add32(config, s->value);
        }
    }
    array_free(&all);
    return good;
}

enum { TEXT = 1, CONFIG, SYMTAB, STRTAB, SHSTRTAB, SECTIONS };

static bool write_all(const struct ts_chip *chip, unsigned mach, const ts_functions *f, bytes *out) {
    static const char names[] = "\0.text\0.AMDGPU.config\0.symtab\0.strtab\0.shstrtab";
    static const uint8_t name_at[SECTIONS] = {0, 1, 7, 22, 30, 38};
    bytes text = {0}, config = {0}, symbols = {0}, strings = {0};
    Elf32_Sym null = {0};
    bool good = add(&symbols, &null, sizeof null) && add(&strings, "", 1);
    for (size_t i = 0; i < f->count && good; i++) {
        const struct ts_function *fn = &f->items[i];
        good = align(&text, FUNCTION_ALIGNMENT, TS_PADDING);
        Elf32_Sym y = {.st_name = (uint32_t)strings.count,
                       .st_value = (uint32_t)text.count,
                       .st_size = (uint32_t)(4 * fn->code.count),
                       .st_info = ELF32_ST_INFO(STB_GLOBAL, STT_FUNC),
                       .st_shndx = TEXT};
        good = good && add(&symbols, &y, sizeof y) && add(&strings, fn->name, strlen(fn->name) + 1) &&
               add(&text, fn->code.items, 4 * fn->code.count);
    }
    good = good && add_settings(chip, f, &config);
    Elf32_Ehdr h = {.e_type = ET_REL,
                    .e_machine = EM_AMDGPU,
                    .e_version = EV_CURRENT,
                    .e_flags = mach,
                    .e_ehsize = sizeof h,
                    .e_shentsize = sizeof(Elf32_Shdr),
                    .e_shnum = SECTIONS,
                    .e_shstrndx = SHSTRTAB};
    memcpy(h.e_ident, ELFMAG "\1\1\1\0\1", 9);
    const bytes shstr = {(uint8_t *)names, sizeof names, 0},
                *parts[SECTIONS] = {NULL, &text, &config, &symbols, &strings, &shstr};
    static const uint32_t types[SECTIONS] = {0,          SHT_PROGBITS, SHT_PROGBITS,
                                             SHT_SYMTAB, SHT_STRTAB,   SHT_STRTAB};
    static const uint32_t alignments[SECTIONS] = {0, FUNCTION_ALIGNMENT, 1, 4, 1, 1};
    Elf32_Shdr s[SECTIONS] = {{0}};
    good = good && add(out, &h, sizeof h);
    for (unsigned i = 1; i < SECTIONS && good; i++) {
        good = align(out, alignments[i], 0);
        s[i] = (Elf32_Shdr){.sh_name = name_at[i],
                            .sh_type = types[i],
                            .sh_flags = i == TEXT ? SHF_ALLOC | SHF_EXECINSTR : 0,
                            .sh_offset = (uint32_t)out->count,
                            .sh_size = (uint32_t)parts[i]->count,
                            .sh_addralign = alignments[i],
                            .sh_link = i == SYMTAB ? STRTAB : 0,
                            .sh_info = i == SYMTAB ? 1 : 0,
                            .sh_entsize = i == SYMTAB ? sizeof(Elf32_Sym) : 0};
        good = good && add(out, parts[i]->items, parts[i]->count);
    }
    good = good && align(out, 4, 0);
    h.e_shoff = (uint32_t)out->count;
    good = good && add(out, s, sizeof s);
    if (good) memcpy(out->items, &h, sizeof h);
    array_free(&text);
    array_free(&config);
    array_free(&symbols);
    array_free(&strings);
    return good;
}

uint8_t *ts_write_object(const struct ts_chip *chip, unsigned mach, const ts_functions *f, size_t *size) {
    bytes out = {0};
    if (!write_all(chip, mach, f, &out)) array_free(&out);
    *size = out.count;
    return out.items;
}
