// SPDX-License-Identifier: MIT
// Line tables: of versions 2 to 5 from .loc directives, as rows and by offset; and damaged in every byte,
// which ends in rows or in a message, in a fixed multiple of the section's memory (DW-37, DW-38, DW-40).
#include <elf.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "softwave/asm.h"
#include "softwave/object.h"

static char heard[512];
static void hear(void *context, const sw_diagnostic *d) {
    (void)context;
    snprintf(heard, sizeof heard, "%s", d->message);
}
static const sw_sink sink = {hear, NULL};

static const char text[] = "\t.text\n"
                           "\t.file\t1 \"dir\" \"a.cl\"\n"
                           "\t.file\t2 \"/abs\" \"b.h\"\n"
                           "f:\n"
                           "\t.loc\t1 10 5 prologue_end\n"
                           "\ts_nop 0\n"
                           "\t.loc\t2 300 1 is_stmt 0\n"
                           "\ts_nop 1\n"
                           "\ts_nop 2\n"
                           "\t.loc\t1 11 7 discriminator 9\n"
                           "\ts_endpgm\n";

// The text assembled; the caller frees.
static uint8_t *assemble(unsigned version, size_t *size) {
    sw_asm_options o = {.size = sizeof o, .os = SW_OS_AMDHSA, .name = "t.s", .dwarf_version = version};
    uint8_t *object = NULL;
    assert_int_equal(sw_target_parse("gfx906", 6, &o.target, &sink), SW_OK);
    if (sw_assemble(text, strlen(text), &o, &object, size, &sink)) fail_msg("%s", heard);
    return object;
}

static void every_version(void **state) {
    (void)state;
    for (unsigned version = 2; version <= 5; version++) {
        size_t size, count;
        uint8_t *bytes = assemble(version, &size);
        sw_object *o;
        sw_lines *l;
        assert_int_equal(sw_object_open(bytes, size, NULL, &o, &sink), SW_OK);
        if (sw_lines_open(o, &l, &sink)) fail_msg("version %u: %s", version, heard);
        count = sw_lines_row_count(l);
        assert_int_equal(count, 4);
        const uint64_t start = sw_lines_row(l, 0)->offset;
        assert_int_equal(sw_lines_row(l, 0)->line, 10);
        assert_int_equal(sw_lines_row(l, 0)->column, 5);
        assert_true(sw_lines_row(l, 0)->prologue_end || version == 2); // of version 3 on
        assert_true(sw_lines_row(l, 0)->is_statement);
        assert_non_null(strstr(sw_lines_row(l, 0)->file->name, "dir/a.cl"));
        assert_int_equal(sw_lines_row(l, 1)->offset, start + 4);
        assert_int_equal(sw_lines_row(l, 1)->line, 300);
        assert_false(sw_lines_row(l, 1)->is_statement);
        assert_string_equal(sw_lines_row(l, 1)->file->name, "/abs/b.h");
        assert_int_equal(sw_lines_row(l, 2)->line, 11);
        if (version >= 4) assert_int_equal(sw_lines_row(l, 2)->discriminator, 9);
        assert_true(sw_lines_row(l, 3)->end_sequence);
        assert_int_equal(sw_lines_row(l, 3)->offset, start + 16);
        // by offset: the row that covers it, nothing outside
        assert_null(sw_lines_find(l, start - 1));
        assert_ptr_equal(sw_lines_find(l, start), sw_lines_row(l, 0));
        assert_ptr_equal(sw_lines_find(l, start + 3), sw_lines_row(l, 0));
        assert_ptr_equal(sw_lines_find(l, start + 8), sw_lines_row(l, 1));
        assert_ptr_equal(sw_lines_find(l, start + 15), sw_lines_row(l, 2));
        assert_null(sw_lines_find(l, start + 16));
        count = sw_lines_file_count(l);
        assert_int_equal(count, 2);
        assert_string_equal(sw_lines_file(l, 0)->name, "/abs/b.h");
        assert_int_equal(sw_lines_file(l, 0)->rows, 1);
        assert_int_equal(sw_lines_file(l, 0)->low, start + 4);
        assert_int_equal(sw_lines_file(l, 0)->high, start + 12);
        assert_int_equal(sw_lines_file(l, 1)->rows, 2);
        sw_lines_close(l);
        sw_object_close(o);
        sw_free(bytes);
    }
}

static void try_lines(const uint8_t *bytes, size_t size, size_t section) {
    sw_object *o;
    sw_lines *l;
    *heard = 0;
    if (sw_object_open(bytes, size, NULL, &o, NULL)) return;
    if (!sw_lines_open(o, &l, &sink)) {
        const size_t count = sw_lines_row_count(l);
        assert_true(count <= section);
        for (size_t i = 0; i < count; i++) assert_non_null(sw_lines_row(l, i)->file->name);
        sw_lines_find(l, 0);
        sw_lines_find(l, ~0ull);
        sw_lines_close(l);
    } else
        assert_true(*heard);
    sw_object_close(o);
}

// The section of this name in an object of ours.
static Elf64_Shdr find_section(const uint8_t *bytes, const char *name) {
    const Elf64_Ehdr *h = (const Elf64_Ehdr *)(const void *)bytes;
    const Elf64_Shdr *s = (const Elf64_Shdr *)(const void *)(bytes + h->e_shoff);
    for (unsigned i = 0; i < h->e_shnum; i++)
        if (!strcmp((const char *)bytes + s[h->e_shstrndx].sh_offset + s[i].sh_name, name)) return s[i];
    fail_msg("no section %s", name);
    return s[0];
}

static void damaged(void **state) {
    (void)state;
    for (unsigned version = 4; version <= 5; version++) {
        size_t size;
        uint8_t *bytes = assemble(version, &size);
        const Elf64_Shdr s = find_section(bytes, ".debug_line");
        static const uint8_t values[] = {0, 1, 0x7f, 0x80, 0xff};
        for (size_t i = 0; i < s.sh_size; i++) {
            uint8_t *at = bytes + s.sh_offset + i, old = *at;
            for (size_t v = 0; v < sizeof values; v++) {
                *at = values[v];
                try_lines(bytes, size, s.sh_size);
            }
            *at = old;
        }
        // a table of directories that takes no bytes each, of any length
        if (version == 5) {
            memset(bytes + s.sh_offset + 30, 0xff, s.sh_size - 30);
            try_lines(bytes, size, s.sh_size);
        }
        sw_free(bytes);
    }
}

static void no_lines(void **state) {
    (void)state;
    static const char plain[] = "s_nop 0\n";
    sw_asm_options a = {.size = sizeof a, .os = SW_OS_AMDHSA};
    uint8_t *bytes;
    size_t size, count;
    sw_object *o;
    sw_lines *l;
    assert_int_equal(sw_target_parse("gfx1100", 7, &a.target, &sink), SW_OK);
    assert_int_equal(sw_assemble(plain, strlen(plain), &a, &bytes, &size, &sink), SW_OK);
    assert_int_equal(sw_object_open(bytes, size, NULL, &o, &sink), SW_OK);
    assert_int_equal(sw_lines_open(o, &l, &sink), SW_OK);
    count = sw_lines_row_count(l);
    assert_int_equal(count, 0);
    assert_null(sw_lines_find(l, 0));
    sw_lines_close(l);
    sw_object_close(o);
    sw_free(bytes);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_version),
        cmocka_unit_test(damaged),
        cmocka_unit_test(no_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
