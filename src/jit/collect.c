// SPDX-License-Identifier: MIT
// The build's collector of stencils: reads the object files of one vector level, of bodies compiled for wave
// sizes of 32 and 64, and writes their pieces as a compressed image and a C file that refers to it.
// collect LEVEL IMAGE NAMES OBJECT... > C-FILE; objects are named *.w32.*.o and *.w64.*.o. Pieces that are
// not self-contained, as they call something, are left out: their handlers are not copied.
#include <elf.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "jit/stencil.h"
#include "base/hash.h"

static const char *const hole_names[STENCIL_KINDS] = STENCIL_HOLES;

struct bytes {
    uint8_t *data;
    size_t size, capacity;
};
static struct bytes stencils, places, names, pool, code;
static FILE *name_list; // of the stencils' functions

struct key {
    char object[80];
    unsigned offset, entry;
    unsigned stencil[2][2];
};
static struct key *keys;
static size_t key_count, key_capacity;

static void fail(const char *what, const char *name) {
    fprintf(stderr, "collect: %s: %s\n", name, what);
    exit(1);
}

static void *append(struct bytes *b, const void *data, size_t size) {
    if (b->size + size > b->capacity) {
        b->capacity = 2 * (b->size + size);
        b->data = realloc(b->data, b->capacity);
        if (!b->data) fail("out of memory", "");
    }
    void *at = b->data + b->size;
    if (data)
        memcpy(at, data, size);
    else
        memset(at, 0, size);
    b->size += size;
    return at;
}

static bool begins(const char *text, const char *with) {
    return !memcmp(text, with, strnlen(text, strlen(with))) && strlen(text) >= strlen(with);
}

// ---- One object file ----

struct object {
    const char *path;
    uint8_t *data;
    size_t size;
    const Elf64_Ehdr *header;
    const Elf64_Shdr *sections;
    unsigned section_count;
    const Elf64_Sym *symbols;
    size_t symbol_count;
    const char *names;
    size_t names_size;
    unsigned wave;   // 0: of 32 lanes, 1: of 64
    int64_t *pooled; // by section: where it stands in the pool, -1: not there
    unsigned *made;  // by symbol: the stencil of a function, one more; 0: not tried
};

static const void *inside(const struct object *o, uint64_t offset, uint64_t size) {
    if (offset > o->size || size > o->size - offset) fail("truncated", o->path);
    return o->data + offset;
}

static void open_object(struct object *o, const char *path) {
    *o = (struct object){.path = path, .wave = memmem(path, strlen(path), ".w64.", 5) != NULL};
    FILE *f = fopen(path, "rb");
    if (!f || fseek(f, 0, SEEK_END)) fail("cannot be read", path);
    o->size = (size_t)ftell(f);
    o->data = malloc(o->size);
    rewind(f);
    if (!o->data || fread(o->data, 1, o->size, f) != o->size) fail("cannot be read", path);
    fclose(f);
    o->header = inside(o, 0, sizeof *o->header);
    if (memcmp(o->header->e_ident, ELFMAG, SELFMAG) || o->header->e_machine != EM_X86_64)
        fail("not an object file of x86-64", path);
    o->section_count = o->header->e_shnum;
    o->sections = inside(o, o->header->e_shoff, o->section_count * sizeof *o->sections);
    for (unsigned i = 0; i < o->section_count; i++) {
        const Elf64_Shdr *s = &o->sections[i];
        if (s->sh_type != SHT_SYMTAB) continue;
        o->symbols = inside(o, s->sh_offset, s->sh_size);
        o->symbol_count = s->sh_size / sizeof *o->symbols;
        if (s->sh_link >= o->section_count) fail("no names", path);
        o->names_size = o->sections[s->sh_link].sh_size;
        o->names = inside(o, o->sections[s->sh_link].sh_offset, o->names_size);
    }
    o->pooled = malloc(o->section_count * sizeof *o->pooled);
    o->made = calloc(o->symbol_count, sizeof *o->made);
    if (!o->pooled || !o->made) fail("out of memory", path);
    for (unsigned i = 0; i < o->section_count; i++) o->pooled[i] = -1;
}

static void close_object(struct object *o) {
    free(o->pooled);
    free(o->made);
    free(o->data);
}

static const char *name_of(const struct object *o, const Elf64_Sym *s) {
    return s->st_name < o->names_size ? o->names + s->st_name : "";
}

static const Elf64_Rela *relocations(const struct object *o, unsigned section, size_t *count) {
    for (unsigned i = 0; i < o->section_count; i++) {
        const Elf64_Shdr *s = &o->sections[i];
        if (s->sh_type != SHT_RELA || s->sh_info != section) continue;
        *count = s->sh_size / sizeof(Elf64_Rela);
        return inside(o, s->sh_offset, s->sh_size);
    }
    *count = 0;
    return NULL;
}

static const Elf64_Sym *symbol_named(const struct object *o, const char *name) {
    for (size_t i = 0; i < o->symbol_count; i++)
        if (!strcmp(name_of(o, &o->symbols[i]), name) && o->symbols[i].st_shndx != SHN_UNDEF)
            return &o->symbols[i];
    return NULL;
}

// ---- One piece ----

// Where a section of constants stands in the pool; -1: it is not one.
static int64_t pooled(struct object *o, unsigned section) {
    if (section >= o->section_count) return -1;
    const Elf64_Shdr *s = &o->sections[section];
    size_t count;
    if (s->sh_type != SHT_PROGBITS || s->sh_flags & (SHF_EXECINSTR | SHF_WRITE) || !(s->sh_flags & SHF_ALLOC))
        return -1;
    if (relocations(o, section, &count)) return -1;
    if (o->pooled[section] >= 0) return o->pooled[section];
    while (pool.size % 64) append(&pool, "", 1);
    o->pooled[section] = (int64_t)pool.size;
    append(&pool, inside(o, s->sh_offset, s->sh_size), s->sh_size);
    return o->pooled[section];
}

static int kind_of(const char *name) {
    if (begins(name, "control_yield_")) return STENCIL_YIELD;
    if (!begins(name, "hole_")) return -1;
    for (int i = 0; i < STENCIL_KINDS; i++)
        if (!strcmp(name + 5, hole_names[i])) return i;
    return -1;
}

// Takes note of one relocation. False: it is of a kind that pieces cannot have.
static bool add_place(struct object *o, const uint8_t *text, const Elf64_Rela *r) {
    const size_t symbol = ELF64_R_SYM(r->r_info);
    if (symbol >= o->symbol_count || r->r_offset < 1 || r->r_offset > UINT16_MAX) return false;
    const Elf64_Sym *s = &o->symbols[symbol];
    struct stencil_place p = {.at = (uint16_t)r->r_offset, .addend = (int32_t)r->r_addend};
    const unsigned type = ELF64_R_TYPE(r->r_info);
    if (p.addend != r->r_addend) return false;
    if (s->st_shndx != SHN_UNDEF) {
        const int64_t at = type == R_X86_64_PC32 ? pooled(o, s->st_shndx) : -1;
        if (at < 0) return false;
        p.kind = STENCIL_POOL;
        p.addend += (int32_t)(at + (int64_t)s->st_value);
        append(&places, &p, sizeof p);
        return true;
    }
    const int kind = kind_of(name_of(o, s));
    if (kind < 0 || kind == STENCIL_POOL) return false;
    p.kind = (uint8_t)kind;
    if (kind < STENCIL_POOL) { // a jump, never a call
        const uint8_t before = text[r->r_offset - 1];
        const bool jump =
            before == 0xe9 || (before >> 4 == 8 && r->r_offset > 1 && text[r->r_offset - 2] == 0x0f);
        if (!jump || (type != R_X86_64_PLT32 && type != R_X86_64_PC32) || r->r_addend != -4) return false;
    } else if (kind >= STENCIL_OP) {
        if (type != R_X86_64_64) return false;
    } else if (type == R_X86_64_32S)
        p.kind |= STENCIL_SIGNED;
    else if (type != R_X86_64_32)
        return false;
    append(&places, &p, sizeof p);
    return true;
}

// Bits that the function's template leaves to others: of the symbol that is named like it, less its suffix.
static uint32_t without_bits(const struct object *o, const char *function) {
    char name[128];
    const char *suffix = strrchr(function, '_');
    if (!suffix || (size_t)(suffix - function) > sizeof name - 16) return 0;
    snprintf(name, sizeof name, "%.*s__without", (int)(suffix - function), function);
    const Elf64_Sym *s = symbol_named(o, name);
    if (!s || s->st_shndx >= o->section_count) return 0;
    uint32_t bits;
    memcpy(&bits, inside(o, o->sections[s->st_shndx].sh_offset + s->st_value, 4), 4);
    return bits;
}

// The stencil of a function; NO_STENCIL: it cannot be one.
static unsigned make_stencil(struct object *o, const Elf64_Sym *function) {
    unsigned *made = &o->made[function - o->symbols];
    if (*made) return *made - 1;
    *made = NO_STENCIL + 1;
    const unsigned section = function->st_shndx;
    if (ELF64_ST_TYPE(function->st_info) != STT_FUNC || section >= o->section_count || function->st_value ||
        function->st_size != o->sections[section].sh_size || function->st_size > UINT16_MAX)
        return NO_STENCIL;
    const uint8_t *text = inside(o, o->sections[section].sh_offset, function->st_size);
    const size_t first = places.size;
    size_t count, size = function->st_size;
    const Elf64_Rela *r = relocations(o, section, &count);
    for (size_t i = 0; i < count; i++)
        if (!add_place(o, text, &r[i])) {
            places.size = first;
            return NO_STENCIL;
        }
    // What stands behind the piece needs no jump from its end.
    struct stencil_place *last = (struct stencil_place *)(places.data + places.size) - 1;
    if (places.size > first && last->kind == STENCIL_NEXT && last->at + 4u == size &&
        text[size - 5] == 0xe9) {
        size -= 5;
        places.size -= sizeof *last;
    }
    const struct stencil s = {.code = (uint32_t)code.size,
                              .places = (uint32_t)(first / sizeof *last),
                              .size = (uint16_t)size,
                              .place_count = (uint16_t)((places.size - first) / sizeof *last),
                              .without = without_bits(o, name_of(o, function))};
    append(&code, text, size);
    const unsigned number = (unsigned)(stencils.size / sizeof s);
    if (number >= NO_STENCIL) fail("too many stencils", o->path);
    append(&stencils, &s, sizeof s);
    append(&names, name_of(o, function), strlen(name_of(o, function)) + 1);
    fprintf(name_list, "%u %s\n", o->wave ? 64u : 32u, name_of(o, function));
    *made = number + 1;
    return number;
}

// ---- Which handlers they are ----

static struct key *key_for(const char *object, unsigned offset, unsigned entry) {
    for (size_t i = key_count; i-- > 0;)
        if (keys[i].offset == offset && keys[i].entry == entry && !strcmp(keys[i].object, object))
            return &keys[i];
    if (key_count == key_capacity) {
        key_capacity = key_capacity ? 2 * key_capacity : 1024;
        keys = realloc(keys, key_capacity * sizeof *keys);
        if (!keys) fail("out of memory", object);
    }
    struct key *k = &keys[key_count++];
    *k = (struct key){.offset = offset, .entry = entry};
    for (int i = 0; i < 4; i++) k->stencil[i / 2][i % 2] = NO_STENCIL;
    if (strlen(object) >= sizeof k->object) fail("a long name", object);
    strcpy(k->object, object);
    return k;
}

static void add_key(struct object *o, const char *object, unsigned offset, unsigned entry,
                    const Elf64_Sym *function) {
    char name[160];
    unsigned found[2] = {make_stencil(o, function), NO_STENCIL};
    static const char *const others[] = {"back", "saddr"};
    for (int i = 0; i < 2; i++) {
        snprintf(name, sizeof name, "%s__%s", name_of(o, function), others[i]);
        const Elf64_Sym *other = symbol_named(o, name);
        if (other) found[1] = make_stencil(o, other);
    }
    if (found[0] == NO_STENCIL && found[1] == NO_STENCIL) return;
    memcpy(key_for(object, offset, entry)->stencil[o->wave], found, sizeof found);
}

// What a pointer refers to: the symbol of a function or of data at exactly that place.
static const Elf64_Sym *pointed(const struct object *o, const Elf64_Rela *r) {
    if (ELF64_R_TYPE(r->r_info) != R_X86_64_64 || ELF64_R_SYM(r->r_info) >= o->symbol_count) return NULL;
    const Elf64_Sym *s = &o->symbols[ELF64_R_SYM(r->r_info)];
    const uint64_t at = s->st_value + (uint64_t)r->r_addend;
    if (s->st_shndx == SHN_UNDEF) return NULL;
    if (ELF64_ST_TYPE(s->st_info) == STT_FUNC) return s; // by its name: another may stand there, too
    for (size_t i = 0; i < o->symbol_count; i++) {
        const Elf64_Sym *t = &o->symbols[i];
        const unsigned type = ELF64_ST_TYPE(t->st_info);
        if (t->st_shndx == s->st_shndx && t->st_value == at && (type == STT_FUNC || type == STT_OBJECT))
            return t;
    }
    return NULL;
}

// Keys of the pointers in an object; `through` is the offset of the pointer that led to it, in `object`.
static void add_keys(struct object *o, const char *object, const Elf64_Sym *data, int through) {
    size_t count;
    const Elf64_Rela *r = relocations(o, data->st_shndx, &count);
    for (size_t i = 0; i < count; i++) {
        if (r[i].r_offset < data->st_value || r[i].r_offset >= data->st_value + data->st_size) continue;
        const unsigned offset = (unsigned)(r[i].r_offset - data->st_value);
        const Elf64_Sym *to = pointed(o, &r[i]);
        if (!to) continue;
        if (ELF64_ST_TYPE(to->st_info) == STT_FUNC)
            add_key(o, object, through < 0 ? offset : (unsigned)through, through < 0 ? NO_ENTRY : offset / 8,
                    to);
        else if (through < 0)
            add_keys(o, object, to, (int)offset);
    }
}

static void collect(const char *path, const char *level) {
    struct object o;
    open_object(&o, path);
    const size_t tail = strlen(level) + 1;
    for (size_t i = 0; i < o.symbol_count; i++) {
        const Elf64_Sym *s = &o.symbols[i];
        const char *name = name_of(&o, s);
        const size_t length = strlen(name);
        if (ELF64_ST_TYPE(s->st_info) != STT_OBJECT || ELF64_ST_BIND(s->st_info) != STB_GLOBAL ||
            s->st_shndx >= o.section_count || !s->st_shndx)
            continue;
        const bool mine =
            length > tail && name[length - tail] == '_' && !strcmp(name + length - tail + 1, level);
        if (mine && (begins(name, "body_") || begins(name, "device_steps_"))) add_keys(&o, name, s, -1);
    }
    close_object(&o);
}

// ---- Output ----

static void relate(struct stencil *s, size_t count, struct stencil_place *p, size_t place_count) {
    for (size_t i = 0; i < count; i++) s[i].code = s[i].places = 0;
    for (size_t i = place_count; i-- > 1;) p[i].at = (uint16_t)(p[i].at - p[i - 1].at);
}

static size_t write_image(const char *path) {
    while (pool.size % 64) append(&pool, "", 1);
    while (names.size % 64) append(&names, "", 1);
    const struct stencil_image head = {.stencils = (uint32_t)(stencils.size / sizeof(struct stencil)),
                                       .places = (uint32_t)(places.size / sizeof(struct stencil_place)),
                                       .name_bytes = (uint32_t)names.size,
                                       .pool_bytes = (uint32_t)pool.size,
                                       .code_bytes = (uint32_t)code.size};
    struct bytes all = {0};
    append(&all, &head, sizeof head);
    relate((struct stencil *)stencils.data, head.stencils, (struct stencil_place *)places.data, head.places);
    stencil_split(append(&all, NULL, stencils.size), stencils.data, sizeof(struct stencil), head.stencils);
    stencil_split(append(&all, NULL, places.size), places.data, sizeof(struct stencil_place), head.places);
    append(&all, names.data, names.size);
    append(&all, pool.data, pool.size);
    append(&all, code.data, code.size);
    const size_t bound = ZSTD_compressBound(all.size);
    void *out = malloc(bound);
    const size_t size = out ? ZSTD_compress(out, bound, all.data, all.size, 19) : 0;
    FILE *f = fopen(path, "wb");
    if (!size || ZSTD_isError(size) || !f || fwrite(out, 1, size, f) != size || fclose(f))
        fail("cannot be written", path);
    free(out);
    free(all.data);
    return all.size;
}

// So that the C file is another when the image is: caches of compilers look at text only.
static uint64_t hash_of_file(const char *path) {
    uint64_t hash = HASH_BEGIN;
    FILE *f = fopen(path, "rb");
    for (int c; f && (c = getc(f)) != EOF;) hash = hash_byte(hash, (uint8_t)c);
    if (f) fclose(f);
    return hash;
}

static void print_number(unsigned n) { printf(n == NO_STENCIL ? "NO_STENCIL" : "%u", n); }

static bool starts_object(size_t key) { return !key || strcmp(keys[key].object, keys[key - 1].object); }

static void print_c(const char *level, const char *image, size_t bytes) {
    printf("// Written by collect.c from objects of vector level %s.\n#include \"jit/stencil.h\"\n"
           "__asm__(\".section .rodata\\n.balign 16\\nstencil_image_%s:\\n.incbin \\\"%s\\\"\\n"
           "stencil_image_end_%s:\\n.previous\");\n"
           "extern const uint8_t stencil_image_%s[], stencil_image_end_%s[];\n"
           "extern void control_yield_%s(void);\nenum { IMAGE_HASH = 0x%x };\n",
           level, level, image, level, level, level, level, (unsigned)(hash_of_file(image) & 0x7fffffff));
    for (size_t i = 0; i < key_count; i++)
        if (starts_object(i)) printf("extern const char %s[];\n", keys[i].object);
    printf("static const void *const objects[] = {\n");
    for (size_t i = 0; i < key_count; i++)
        if (starts_object(i)) printf("    %s,\n", keys[i].object);
    printf("};\nstatic const struct stencil_key keys[] = {\n");
    for (size_t i = 0, object = 0; i < key_count; i++) {
        object += i && starts_object(i);
        printf("    {%zu, %u, %u, {{", object, keys[i].offset, keys[i].entry);
        for (int j = 0; j < 4; j++) {
            print_number(keys[i].stencil[j / 2][j % 2]);
            printf(j == 1 ? "}, {" : j == 3 ? "}" : ", ");
        }
        printf("}},\n");
    }
    printf("};\nextern const struct stencil_set stencils_%s;\nconst struct stencil_set stencils_%s = {\n"
           "    \"%s\", objects, keys, sizeof keys / sizeof *keys, stencil_image_%s, stencil_image_end_%s, "
           "%zu,\n"
           "    control_yield_%s};\n",
           level, level, level, level, level, bytes, level);
}

int main(int argc, char **argv) {
    if (argc < 5) return 1;
    if (!(name_list = fopen(argv[3], "w"))) fail("cannot be written", argv[3]);
    for (int i = 4; i < argc; i++) collect(argv[i], argv[1]);
    if (fclose(name_list)) fail("cannot be written", argv[3]);
    print_c(argv[1], argv[2], write_image(argv[2]));
    if (getenv("STENCILS_VERBOSE"))
        fprintf(stderr, "%zu stencils, %zu places, %zu keys, pool %zu, code %zu bytes\n",
                stencils.size / sizeof(struct stencil), places.size / sizeof(struct stencil_place), key_count,
                pool.size, code.size);
    return 0;
}
