// SPDX-License-Identifier: MIT
// Object files that come from a cache, whatever stands in them: they are put into memory or refused, and
// nothing outside of them is read, nothing outside of the pages for them written, in time that grows with
// their size.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <elf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "jit/object_load.h"

// ---- An object as LLVM writes it: code, constants, relocations between them and to a table ----

enum { NONE, TEXT, RODATA, RELA, SYMTAB, STRTAB, SECTIONS };
static const char names[] = "\0run\0second\0table\0constants";
struct whole {
    Elf64_Ehdr head;
    uint8_t text[96], rodata[40];
    Elf64_Rela rela[4];
    Elf64_Sym symbols[5];
    char names[32];
    Elf64_Shdr sections[SECTIONS];
};

#define SECTION(t, f, m)                                                                                     \
    .sh_type = (t), .sh_flags = (f), .sh_offset = offsetof(struct whole, m), .sh_size = sizeof w->m
static void make(struct whole *w) {
    *w = (struct whole){
        .head = {.e_ident = ELFMAG,
                 .e_type = ET_REL,
                 .e_machine = EM_X86_64,
                 .e_shoff = offsetof(struct whole, sections),
                 .e_shentsize = sizeof(Elf64_Shdr),
                 .e_shnum = SECTIONS},
        .symbols = {[1] = {.st_name = 1, .st_shndx = TEXT, .st_value = 16},
                    [2] = {.st_name = 5, .st_shndx = TEXT, .st_value = 48},
                    [3] = {.st_name = 12},
                    [4] = {.st_name = 18, .st_shndx = RODATA}},
        .rela = {{.r_offset = 20, .r_info = ELF64_R_INFO(4, R_X86_64_PC32), .r_addend = -4},
                 {.r_offset = 32, .r_info = ELF64_R_INFO(3, R_X86_64_PLT32), .r_addend = 4},
                 {.r_offset = 88, .r_info = ELF64_R_INFO(3, R_X86_64_64)},
                 {.r_offset = 92, .r_info = ELF64_R_INFO(1, R_X86_64_PC32)}},
        .sections = {[TEXT] = {SECTION(SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, text), .sh_addralign = 16},
                     [RODATA] = {SECTION(SHT_PROGBITS, SHF_ALLOC, rodata), .sh_addralign = 64},
                     [RELA] = {SECTION(SHT_RELA, 0, rela), .sh_link = SYMTAB, .sh_info = TEXT},
                     [SYMTAB] = {SECTION(SHT_SYMTAB, 0, symbols), .sh_link = STRTAB},
                     [STRTAB] = {SECTION(SHT_STRTAB, 0, names)}}};
    memset(w->text, 0xcc, sizeof w->text);
    memcpy(w->names, names, sizeof names);
}

// ---- Where it lies, and where it goes to: both end at a page that nobody may touch ----

enum { PAGES = 1 << 16 };
static uint8_t *room_for_object, *room_for_code;

static uint8_t *guarded(void) {
    uint8_t *p = mmap(NULL, 2 * PAGES, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_true(p != MAP_FAILED && !mprotect(p, PAGES, PROT_READ | PROT_WRITE));
    return p;
}
static int setup(void **state) {
    (void)state;
    room_for_object = guarded(), room_for_code = guarded();
    return 0;
}

// Whether it was taken. What follows the code belongs to others.
static bool taken(const void *bytes, size_t size, size_t *start) {
    uint8_t *object = room_for_object + PAGES - (size + 7) / 8 * 8;
    memcpy(object, bytes, size);
    const size_t code = compiled_size(object, size);
    if (!code || code > PAGES) return false;
    uint8_t *to = room_for_code + PAGES - code;
    size_t other;
    if (!compiled_place(object, size, to, (uint64_t)(uintptr_t)to, "run", "table",
                        (uint64_t)(uintptr_t)to + code, start))
        return false;
    assert_true(*start < code);
    if (compiled_find(object, size, "second", &other)) assert_true(other < code);
    return true;
}

static void as_it_is(void **state) {
    (void)state;
    struct whole w;
    size_t start;
    make(&w);
    assert_int_equal(compiled_size((const uint8_t *)&w, sizeof w), 128 + 64);
    assert_true(taken(&w, sizeof w, &start));
    assert_int_equal(start, 16);
    const uint8_t *code = room_for_code + PAGES - 192;
    int32_t distance;
    uint64_t address;
    memcpy(&distance, code + 20, 4);
    assert_int_equal(distance, 128 - 20 - 4);
    memcpy(&distance, code + 32, 4);
    assert_int_equal(distance, 192 - 32 + 4);
    memcpy(&address, code + 88, 4); // the last relocation is over its upper half
    assert_int_equal((uint32_t)address, (uint32_t)(uintptr_t)(code + 192));
}

// ---- Others ----

static const uint64_t values[] = {0,
                                  1,
                                  2,
                                  3,
                                  7,
                                  8,
                                  24,
                                  63,
                                  64,
                                  65,
                                  95,
                                  96,
                                  97,
                                  0x7f,
                                  0xff,
                                  0x100,
                                  0xfff0,
                                  0xffff,
                                  0x10000,
                                  sizeof(struct whole) - 1,
                                  sizeof(struct whole),
                                  sizeof(struct whole) + 1,
                                  0x7fffffff,
                                  0x80000000,
                                  0xffffffff,
                                  0x100000000,
                                  INT64_MAX,
                                  1ull << 63,
                                  UINT64_MAX - 7,
                                  UINT64_MAX};
enum { VALUES = sizeof values / sizeof *values };

// Every field of any width with each of these values, and what it was and a little more or less.
static void every_field(void **state) {
    (void)state;
    struct whole w;
    size_t start, count = 0;
    for (size_t width = 1; width <= 8; width *= 2)
        for (size_t at = 0; at + width <= sizeof w; at += width)
            for (int v = -4; v < VALUES; v++) {
                make(&w);
                uint64_t value = 0;
                memcpy(&value, (char *)&w + at, width);
                value = v < 0 ? value + (uint64_t)(v + 2) : values[v];
                memcpy((char *)&w + at, &value, width);
                count += taken(&w, sizeof w, &start);
            }
    assert_true(count > 1000); // most is code
}

static uint32_t next_random(uint32_t *seed) { return *seed = *seed * 1664525 + 1013904223, *seed >> 8; }

// Several of them at once, and objects that end early.
static void several_fields(void **state) {
    (void)state;
    uint32_t seed = 1;
    struct whole w;
    size_t start, count = 0;
    for (int round = 0; round < 200000; round++) {
        make(&w);
        for (unsigned n = 1 + next_random(&seed) % 4; n--;) {
            const size_t width = (size_t)1 << next_random(&seed) % 4, fields = offsetof(struct whole, rela),
                         at = (next_random(&seed) % 8 ? fields + next_random(&seed) % (sizeof w - fields)
                                                      : next_random(&seed) % sizeof w) /
                              width * width;
            const uint64_t value =
                next_random(&seed) % 2 ? values[next_random(&seed) % VALUES] : next_random(&seed);
            memcpy((char *)&w + at, &value, width);
        }
        const size_t size = next_random(&seed) % 4 ? sizeof w : next_random(&seed) % (sizeof w + 1);
        count += taken(&w, size, &start);
    }
    assert_true(count > 1000 && count < 190000);
}

// Relocations in all of many sections: the place of each is known without looking at those before it.
static void many_sections(void **state) {
    (void)state;
    enum { LAST = 60000, RELOCATIONS = 500000 };
    const size_t size = sizeof(struct whole) + LAST * sizeof(Elf64_Shdr) + RELOCATIONS * sizeof(Elf64_Rela);
    uint8_t *all = calloc(1, size), *to = calloc(LAST + SECTIONS, 64);
    struct whole w;
    make(&w);
    Elf64_Shdr *s = (Elf64_Shdr *)(all + sizeof w), text = w.sections[TEXT];
    Elf64_Rela *r = (Elf64_Rela *)(s + LAST);
    text.sh_size = 8;
    for (unsigned i = SECTIONS; i < LAST; i++) s[i] = text;
    memcpy(s, w.sections, sizeof w.sections);
    s[RELA] = (Elf64_Shdr){.sh_type = SHT_RELA,
                           .sh_offset = (uint64_t)((uint8_t *)r - all),
                           .sh_size = RELOCATIONS * sizeof *r,
                           .sh_info = LAST - 1};
    for (unsigned i = 0; i < RELOCATIONS; i++) r[i] = (Elf64_Rela){.r_info = ELF64_R_INFO(2, R_X86_64_64)};
    w.head.e_shoff = sizeof w, w.head.e_shnum = LAST;
    w.symbols[2].st_shndx = LAST - 2;
    memcpy(all, &w, sizeof w);
    size_t start;
    const size_t code = compiled_size(all, size);
    assert_int_equal(code, 128 + 64 + 64 * (LAST - SECTIONS));
    assert_true(compiled_place(all, size, to, (uint64_t)(uintptr_t)to, "run", "table", 0, &start));
    uint64_t address;
    memcpy(&address, to + code - 64, 8);
    assert_int_equal(address, (uint64_t)(uintptr_t)to + code - 128 + 48);
    free(to);
    free(all);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_it_is),
        cmocka_unit_test(every_field),
        cmocka_unit_test(several_fields),
        cmocka_unit_test(many_sections),
    };
    return cmocka_run_group_tests(tests, setup, NULL);
}
