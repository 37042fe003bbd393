// SPDX-License-Identifier: MIT
// Code objects cut off, damaged at random, and damaged on purpose: each ends in a message that says where, or
// in an object that loads and prints within its bounds. Meant to run under a sanitizer too.
#include "object_support.h"

static struct file hostile_seed(void) {
    need("$CLANG");
    write_input(
        "h.cl",
        "__global int x; __global int *p = &x; __kernel void k(__global int *a, int n) { a[n] = *p; }\n");
    run("$CLANG -w -x cl -cl-std=CL2.0 -target amdgcn-amd-amdhsa -mcpu=gfx906 -nogpulib -O2 -c h.cl -o h.o "
        "&& "
        "$LD_LLD -shared -s h.o -o h.co");
    return open_input("h.co");
}

// Opens, loads and prints what opens. Whether it opened.
static bool exercise(const uint8_t *bytes, size_t size) {
    sw_object *o;
    struct heard h = {0};
    sw_sink sink = {hear, &h};
    sw_status s = sw_object_open(bytes, size, NULL, &o, &sink);
    if (s) {
        assert_null(o);
        assert_true(h.errors >= 1); // never silently
        return false;
    }
    const sw_layout *l = sw_object_layout(o);
    if (l->size <= 1 << 20) {
        uint8_t *m = malloc(l->size + 1);
        sw_load_options options = {
            .size = sizeof options, .memory = m, .length = l->size, .address = 0x40000000};
        sw_object_load(o, &options, NULL);
        free(m);
    }
    struct text t = {0};
    print_object(&t, o, NULL);
    struct json j = {.out = &t};
    json_open(&j, NULL, '{');
    print_object_json(&j, o, NULL);
    json_close(&j, '}');
    text_free(&t);
    sw_object_close(o);
    return true;
}

static void truncations(void **state) {
    (void)state;
    struct file f = hostile_seed();
    assert_true(exercise(f.data, f.size));
    for (size_t n = 0; n < f.size; n++) {
        uint8_t *copy = malloc(n + 1); // exact size: a sanitizer sees the first byte too far
        memcpy(copy, f.data, n);
        uint8_t *exact = realloc(copy, n ? n : 1);
        if (exercise(exact, n)) fail_msg("opened after %zu of %zu bytes", n, f.size);
        free(exact);
    }
    file_close(&f);
}

static uint64_t next_random(uint64_t *s) {
    *s ^= *s << 13, *s ^= *s >> 7, *s ^= *s << 17;
    return *s;
}

static void bit_flips(void **state) {
    (void)state;
    struct file f = hostile_seed();
    uint8_t *copy = malloc(f.size);
    uint64_t seed = 0x9e3779b97f4a7c15;
    unsigned opened = 0;
    for (unsigned i = 0; i < 20000; i++) {
        memcpy(copy, f.data, f.size);
        unsigned flips = 1 + i % 4;
        for (unsigned j = 0; j < flips; j++) {
            uint64_t r = next_random(&seed), at = r % f.size;
            if (i & 4)
                copy[at] ^= (uint8_t)(1 << (r >> 40 & 7));
            else
                copy[at] = (uint8_t)(r >> 48 & 1 ? 0xff : r >> 32);
        }
        opened += exercise(copy, f.size);
    }
    assert_true(opened > 100 && opened < 19900);
    free(copy);
    file_close(&f);
}

// A field of the file overwritten, and the message that names it.
static void expect_refusal(const struct file *f, size_t offset, uint64_t value, unsigned width,
                           const char *message) {
    uint8_t *copy = malloc(f->size);
    memcpy(copy, f->data, f->size);
    memcpy(copy + offset, &value, width);
    struct heard h = {0};
    sw_sink sink = {hear, &h};
    sw_object *o;
    if (!sw_object_open(copy, f->size, NULL, &o, &sink)) fail_msg("opened although %s", message);
    if (!strstr(h.text, message)) fail_msg("expected '%s', got '%s'", message, h.text);
    free(copy);
}

static void refusals(void **state) {
    (void)state;
    struct file f = hostile_seed();
    uint64_t sections = rd64(f.data + 40);
    size_t section_of[16] = {0}; // first header of each type
    for (unsigned i = rd16(f.data + 60); i-- > 0;) {
        size_t at = sections + i * 64;
        if (rd32(f.data + at + 4) < 16) section_of[rd32(f.data + at + 4)] = at;
    }
    size_t dynsym = section_of[SHT_DYNSYM], rela = section_of[SHT_RELA];
    uint64_t symbols = rd64(f.data + dynsym + 24), relocations = rd64(f.data + rela + 24);
    uint64_t notes = rd64(f.data + section_of[SHT_NOTE] + 24);
    expect_refusal(&f, 0, 'X', 1, "ELF header: not an ELF file");
    expect_refusal(&f, 4, 1, 1, "a 32-bit code object (R600 family)"); // OBJ-01
    expect_refusal(&f, 4, 7, 1, "class is 7, expected ELFCLASS64");
    expect_refusal(&f, 5, 2, 1, "data encoding is 2"); // OBJ-02
    expect_refusal(&f, 7, 9, 1, "OS ABI is 9");        // OBJ-03
    expect_refusal(&f, 8, 5, 1, "ABI version is 5");   // OBJ-04
    expect_refusal(&f, 16, 9, 2, "type is 9, expected ET_REL, ET_DYN or ET_CORE");
    expect_refusal(&f, 18, 62, 2, "machine is 62, expected EM_AMDGPU"); // OBJ-06
    expect_refusal(&f, 48, 0x27, 1, "e_flags: ");                       // OBJ-12
    expect_refusal(&f, 58, 63, 2, "section header size is 63");
    expect_refusal(&f, 60, 0xfffe, 2, "section headers: 65534 headers lie outside");
    expect_refusal(&f, 62, 0xfff0, 2, "section name table 65520 does not exist");
    expect_refusal(&f, 54, 55, 2, "program header size is 55");
    expect_refusal(&f, 56, 0xffff, 2, "65535 program headers, at most 256");
    expect_refusal(&f, dynsym + 24, 1ull << 40, 8, "lies outside the file");
    expect_refusal(&f, dynsym + 48, 3, 8, "alignment 0x3 of section");
    expect_refusal(&f, dynsym + 56, 25, 8, ".dynsym: entry size is 25, expected 24");
    expect_refusal(&f, dynsym + 40, 999, 4, ".dynsym: section 999 is not its string table");
    expect_refusal(&f, symbols + 24, 0x7fffffff, 4, ".dynsym: name of symbol 1 lies outside");
    expect_refusal(&f, symbols + 24 + 6, 0x1234, 2, "is in section 4660 of");
    expect_refusal(&f, rela + 56, 16, 8, ".rela.dyn: entry size is 16, expected 24");
    expect_refusal(&f, relocations + 12, 99, 4, ".rela.dyn: relocation 0 uses symbol 99");
    expect_refusal(&f, notes, 0xfffffff0, 4, "notes: a note of 4294967280");
    expect_refusal(&f, notes + 4, 0x10000, 4, "notes: a note of 7 + 65536 bytes");
    expect_refusal(&f, notes + 20, 0xdf, 1, "metadata: ");
    file_close(&f);
}

// Headers by the thousand that name the same bytes: refused early, not read thousands of times.
static void overlaps(void **state) {
    (void)state;
    enum { COUNT = 20000, TABLE = 64 + COUNT * 64, SIZE = TABLE + 240 };
    uint8_t *b = calloc(1, SIZE);
    memcpy(b,
           "\x7f"
           "ELF\2\1\1\x40\3",
           9);
    wr16(b + 16, ET_REL), wr16(b + 18, 224), wr32(b + 20, 1), wr64(b + 40, 64), wr32(b + 48, 0x52f);
    wr16(b + 52, 64), wr16(b + 58, 64), wr16(b + 60, COUNT);
    static const struct {
        unsigned type, entry;
        uint64_t size;
        const char *message;
    } cases[] = {
        {SHT_PROGBITS, 0, SIZE, "section headers: the sections overlap to an absurd degree\n"},
        {SHT_SYMTAB, 24, 240, ": section 0 is not its string table\n"},
        {SHT_RELA, 24, 240, ": the relocation sections overlap\n"},
        {SHT_NOTE, 0, 240, ": note sections overlap\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        for (size_t j = 1; j < COUNT; j++) {
            uint8_t *h = b + 64 + j * 64;
            wr32(h + 4, cases[i].type), wr64(h + 24, 0), wr64(h + 32, cases[i].size),
                wr64(h + 56, cases[i].entry);
            if (cases[i].type == SHT_NOTE) wr64(h + 24, TABLE); // zeros: notes of nothing
        }
        struct heard h = {0};
        sw_sink sink = {hear, &h};
        sw_object *o;
        assert_int_equal(sw_object_open(b, SIZE, NULL, &o, &sink), SW_BAD_INPUT);
        assert_string_equal(h.text, cases[i].message);
    }
    free(b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(truncations),
        cmocka_unit_test(bit_flips),
        cmocka_unit_test(refusals),
        cmocka_unit_test(overlaps),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
