// SPDX-License-Identifier: MIT
// Loading code objects: layout, static and dynamic relocations against their formulas (OBJ-33 to OBJ-54).
#include "piece.h"
#include "object_support.h"

static bool resolve_ext(void *context, const char *name, uint64_t *address) {
    unsigned *calls = context;
    ++*calls;
    *address = 0x12345678;
    return !strcmp(name, "ext");
}

static sw_status load_at(const sw_object *o, uint64_t address, uint8_t **memory, unsigned *calls,
                         struct heard *h) {
    const sw_layout *l = sw_object_layout(o);
    sw_sink sink = {hear, h};
    memset(h, 0, sizeof *h);
    *memory = aligned_alloc(l->alignment, align_up(l->size, l->alignment));
    memset(*memory, 0xcc, l->size);
    sw_load_options options = {.size = sizeof options,
                               .memory = *memory,
                               .length = l->size,
                               .address = address,
                               .resolve = calls ? resolve_ext : NULL,
                               .context = calls};
    return sw_object_load(o, &options, &sink);
}

static const char *every_relocation(void) { return PIECE("every_relocation"); }

// OBJ-33, OBJ-38 to OBJ-51: each static relocation against its formula, at two addresses (OBJ-54).
static void static_relocations(void **state) {
    (void)state;
    need("$LLVM_MC");
    write_input("r.s", every_relocation());
    run("$LLVM_MC -triple=amdgcn-amd-amdhsa -mcpu=gfx906 -filetype=obj r.s -o r.o");
    struct file f = open_input("r.o");
    sw_object *o = open_object(&f);
    const sw_layout *l = sw_object_layout(o);
    uint64_t text, other, data, lab;
    assert_true(sw_object_symbol_offset(o, sw_object_find_symbol(o, "f"), &text));
    assert_true(sw_object_symbol_offset(o, sw_object_find_symbol(o, "other"), &other));
    assert_true(sw_object_symbol_offset(o, sw_object_find_symbol(o, "d"), &data));
    assert_true(sw_object_symbol_offset(o, sw_object_find_symbol(o, "lab"), &lab));
    assert_false(sw_object_symbol_offset(o, sw_object_find_symbol(o, "small"), &lab));
    assert_true(sw_object_symbol_offset(o, sw_object_find_symbol(o, "lab"), &lab));
    assert_int_equal(l->lds_size, 80);
    for (uint64_t address = 0x10000000; address < 0x40000000; address += 0x20000000) {
        uint8_t *m;
        unsigned calls = 0;
        struct heard h;
        if (load_at(o, address, &m, &calls, &h)) fail_msg("%s", h.text);
        assert_int_equal(calls, 2); // "ext" and "maybe", once each
        const uint64_t ext = 0x12345678;
        uint64_t rel = ext + 4 - (address + text + 8);
        assert_int_equal(rd32(m + text + 8), (uint32_t)rel);
        assert_int_equal(rd32(m + text + 16), (uint32_t)((ext + 12 - (address + text + 16)) >> 32));
        uint64_t slot = address + text + 24 - 4 + (uint64_t)(int64_t)(int32_t)rd32(m + text + 24) - address;
        assert_true(slot % 8 == 0 && slot + 8 <= l->size);
        assert_int_equal(rd64(m + slot), ext);
        assert_int_equal(rd32(m + text + 32), (uint32_t)((slot + 12 - (text + 32)) >> 32));
        assert_int_equal(rd32(m + text + 40), ext);
        assert_int_equal(rd32(m + text + 48), 0);
        assert_int_equal((int16_t)rd16(m + text + 52), ((int64_t)other - (int64_t)(text + 52) - 4) / 4);
        assert_int_equal(rd16(m + text + 54), 0xbf82); // s_branch itself is untouched
        assert_int_equal(rd32(m + text + 60), 0);
        assert_int_equal(rd32(m + text + 68), 16);
        assert_int_equal(rd64(m + data), ext);
        assert_int_equal(rd64(m + data + 8), ext - (address + data + 8));
        assert_int_equal(rd32(m + data + 16), (uint32_t)(ext - (address + data + 16)));
        assert_int_equal(rd32(m + data + 20), address + lab);
        assert_int_equal(rd64(m + data + 24), address + text + 8);
        assert_int_equal(rd64(m + data + 32), 0);
        assert_int_equal(rd64(m + lab), 0);
        free(m);
    }
    uint8_t *m;
    struct heard h;
    unsigned calls = 0;
    assert_int_equal(load_at(o, 0x7f0000000000, &m, &calls, &h), SW_BAD_INPUT); // ABS32, REL32 out of reach
    assert_non_null(strstr(h.text, "does not fit 32 bits"));
    free(m);
    assert_int_equal(load_at(o, 0x10000000, &m, NULL, &h), SW_BAD_INPUT);
    assert_string_equal(h.text, ".text: undefined symbol 'ext'\n"); // once, though used nine times
    free(m);
    sw_object_close(o);
    file_close(&f);
}

// OBJ-19, OBJ-50: what the linker left to the loader; and the .bss behind the data is zero.
static void dynamic_relocations(void **state) {
    (void)state;
    need("$CLANG");
    write_input("k.cl", opencl);
    write_input("e.s",
                ".data\n.globl here\n.type here,@object\n.size here,8\nhere: .quad ext+16\n .quad here\n");
    compile("l", "gfx90a", 5);
    struct file f = open_input("l.co");
    sw_object *o = open_object(&f);
    uint8_t *m;
    struct heard h;
    const uint64_t address = 0x7f0000000000;
    if (load_at(o, address, &m, NULL, &h)) fail_msg("%s", h.text);
    const sw_symbol *pointer = sw_object_find_symbol(o, "pointer"),
                    *counter = sw_object_find_symbol(o, "counter");
    const sw_symbol *zeros = sw_object_find_symbol(o, "zeros"), *table = sw_object_find_symbol(o, "table");
    assert_int_equal(rd64(m + pointer->value), address + counter->value);
    assert_int_equal(rd32(m + counter->value), 7);
    assert_int_equal(rd32(m + table->value + 8), 3);
    for (unsigned i = 0; i < 1000; i++) assert_int_equal(rd32(m + zeros->value + 4 * i), 0);
    const sw_layout *l = sw_object_layout(o);
    assert_int_equal(l->alignment, 4096);
    unsigned executable = 0, writable = 0;
    for (size_t i = 0; i < l->range_count; i++) {
        executable += l->ranges[i].executable;
        writable += l->ranges[i].writable;
        assert_false(l->ranges[i].executable && l->ranges[i].writable);
    }
    assert_int_equal(executable, 1);
    assert_true(writable >= 1);
    sw_load_options options = {
        .size = sizeof options, .memory = m, .length = l->size - 1, .address = address};
    assert_int_equal(sw_object_load(o, &options, NULL), SW_USAGE);
    options.length = l->size, options.address = address + 8;
    assert_int_equal(sw_object_load(o, &options, NULL), SW_USAGE);
    free(m);
    sw_object_close(o);
    file_close(&f);

    run("$LLVM_MC -triple=amdgcn-amd-amdhsa -mcpu=gfx906 -filetype=obj e.s -o e.o &&"
        " $LD_LLD -shared e.o -o e.co && $LLVM_OBJCOPY --strip-sections e.co s.co");
    for (int stripped = 0; stripped < 2; stripped++) { // without section headers: through PT_DYNAMIC
        f = open_input(stripped ? "s.co" : "e.co");
        o = open_object(&f);
        const size_t count = sw_object_section_count(o);
        assert_int_equal(count == 0, stripped);
        unsigned calls = 0;
        if (load_at(o, address, &m, &calls, &h)) fail_msg("%s", h.text);
        const sw_symbol *here = sw_object_find_symbol(o, "here");
        assert_int_equal(rd64(m + here->value), 0x12345678 + 16);
        assert_int_equal(rd64(m + here->value + 8), address + here->value);
        assert_int_equal(calls, 1);
        free(m);
        sw_object_close(o);
        file_close(&f);
    }
    // Linkers refuse to leave the other dynamic types behind, so the ABS64 in the file is turned into each.
    static const struct {
        unsigned type;
        uint64_t low; // what the eight bytes at "here" become
        const char *refused;
    } types[] = {{R_AMDGPU_ABS32_LO, 0x12345688, NULL},
                 {R_AMDGPU_ABS32_HI, 0, NULL},
                 {R_AMDGPU_ABS32, 0x12345688, NULL},
                 {R_AMDGPU_NONE, 0, NULL},
                 {R_AMDGPU_REL32, 0, "dynamic relocations: relocation type 4 has no meaning here\n"},
                 {12, 0, "dynamic relocations: relocation type 12 has no meaning here\n"}};
    f = open_input("e.co");
    uint8_t *copy = malloc(f.size);
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        memcpy(copy, f.data, f.size);
        uint64_t addend = 16;
        uint8_t *entry = memmem(copy, f.size, &addend, 8); // of the only relocation with that addend
        while (entry && rd32(entry - 8) != R_AMDGPU_ABS64)
            entry = memmem(entry + 1, f.size - (size_t)(entry + 1 - copy), &addend, 8);
        assert_non_null(entry);
        wr32(entry - 8, types[i].type);
        struct heard heard = {0};
        if (sw_object_open(copy, f.size, NULL, &o, &(sw_sink){hear, &heard})) fail_msg("%s", heard.text);
        unsigned calls = 0;
        sw_status s = load_at(o, address, &m, &calls, &h);
        if (types[i].refused) {
            assert_int_equal(s, SW_BAD_INPUT);
            assert_string_equal(h.text, types[i].refused);
        } else {
            if (s) fail_msg("%s", h.text);
            assert_int_equal(rd64(m + sw_object_find_symbol(o, "here")->value), types[i].low);
        }
        free(m);
        sw_object_close(o);
    }
    free(copy);
    file_close(&f);
}

// A relocatable object, loaded by us, and the same object linked by lld reach the same things.
static void relocatable_like_linked(void **state) {
    (void)state;
    need("$CLANG");
    write_input("k.cl", opencl);
    compile("b", "gfx1030", 5);
    struct file f = open_input("b.o"), g = open_input("b.co");
    sw_object *o = open_object(&f), *p = open_object(&g);
    uint8_t *m, *n;
    struct heard h;
    if (load_at(o, 0x10000000, &m, NULL, &h) || load_at(p, 0x10000000, &n, NULL, &h)) fail_msg("%s", h.text);
    const size_t count = sw_object_kernel_count(o);
    for (size_t i = 0; i < count; i++) {
        const sw_kernel *q = sw_object_find_kernel(p, sw_object_kernel(o, i)->name);
        assert_int_equal(sw_object_kernel(o, i)->code_size, q->code_size);
        assert_int_equal(sw_object_kernel(o, i)->entry_offset % 256, 0);
        int64_t entry =
            (int64_t)rd64(m + sw_object_kernel(o, i)->descriptor_offset + 16); // what a dispatch will use
        assert_int_equal(sw_object_kernel(o, i)->descriptor_offset + (uint64_t)entry,
                         sw_object_kernel(o, i)->entry_offset);
        // code differs only in the words that relocations fill
        unsigned different = 0;
        for (uint64_t b = 0; b < sw_object_kernel(o, i)->code_size; b += 4)
            different += rd32(m + sw_object_kernel(o, i)->entry_offset + b) != rd32(n + q->entry_offset + b);
        assert_true(different <= 12);
    }
    free(m), free(n);
    sw_object_close(o), sw_object_close(p);
    file_close(&f), file_close(&g);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(static_relocations),
        cmocka_unit_test(dynamic_relocations),
        cmocka_unit_test(relocatable_like_linked),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
