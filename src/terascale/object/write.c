// SPDX-License-Identifier: MIT
// Writing objects: text, a block of state for each function, symbols.
#include <elf.h>
#include <string.h>

#include "terascale/object/program.h"

#ifndef EM_AMDGPU
#define EM_AMDGPU 224
#endif
enum { FUNCTION_ALIGNMENT = 256 };

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

void ts_functions_free(ts_functions *f) {
    for (size_t i = 0; i < f->count; i++) {
        free(f->items[i].name);
        free(f->items[i].code.items);
        array_free(&f->items[i].settings);
    }
    array_free(f);
}
