// SPDX-License-Identifier: MIT
// Debug information in assembly text: what is refused, where and why; that hostile sizes, numbers and tables
// end in bounded time; and the smallest facts of line tables and frames (DW-01 to DW-11, DW-32, DW-38).
// Equality with LLVM is the business of tests/asm/dwarf.sh.
#include <elf.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "base/text.h"
#include "softwave/asm.h"

struct first {
    char message[256];
    unsigned line, column, errors, warnings;
};

static void keep_first(void *context, const sw_diagnostic *d) {
    struct first *f = context;
    f->warnings += d->severity == SW_SEVERITY_WARNING;
    if (d->severity != SW_SEVERITY_ERROR || f->errors++) return;
    snprintf(f->message, sizeof f->message, "%s", d->message);
    f->line = d->at.line;
    f->column = d->at.column;
}

struct result {
    struct first first;
    sw_status status;
    uint8_t *object;
    size_t size;
};

static struct result assemble(const char *text, size_t length, const char *gpu, unsigned version,
                              bool debug) {
    struct result r = {0};
    sw_asm_options o = {.size = sizeof o, .os = SW_OS_AMDHSA, .name = "t.s", .no_files = true};
    o.max_output = 1 << 24;
    o.max_expansion = 1 << 24;
    o.dwarf_version = version;
    o.debug = debug;
    o.directory = "/d";
    assert_int_equal(sw_target_parse(gpu, strlen(gpu), &o.target, NULL), SW_OK);
    r.status = sw_assemble(text, length, &o, &r.object, &r.size, &(sw_sink){keep_first, &r.first});
    return r;
}

static void refuse(const char *text, unsigned line, unsigned column, const char *message) {
    struct result r = assemble(text, strlen(text), "gfx900", 0, false);
    assert_int_equal(r.status, SW_BAD_INPUT);
    assert_null(r.object);
    assert_string_equal(r.first.message, message);
    assert_int_equal(r.first.line, line);
    assert_int_equal(r.first.column, column);
}

// ---- Refusals ----

static void malformed_line_directives(void **state) {
    (void)state;
    refuse(".loc x", 1, 6, "expected integer");
    refuse(".loc -1", 1, 6, "expected integer");
    refuse(".loc 0 1", 1, 6, "file number less than one in '.loc' directive");
    refuse(".loc 1 1", 1, 6, "unassigned file number in '.loc' directive");
    refuse(".file 1 \"a\"\n.loc 2 1", 2, 6, "unassigned file number in '.loc' directive");
    refuse(".file 1 \"a\"\n.loc 1 -3", 2, 8, "unexpected token in '.loc' directive");
    refuse(".file 1 \"a\"\n.loc 1, 3", 2, 7, "unexpected token in '.loc' directive");
    refuse(".file 1 \"a\"\n.loc 1 1 is_stmt 2", 2, 18, "is_stmt value not 0 or 1");
    refuse(".file 1 \"a\"\n.loc 1 1 is_stmt x", 2, 18, "is_stmt value not a constant value");
    refuse(".file 1 \"a\"\n.loc 1 1 isa -1", 2, 14, "isa number less than zero");
    refuse(
        ".file 1 \"a\"\n.loc 1 1 view 0", 2, 10,
        "unknown sub-directive in '.loc' directive: basic_block, prologue_end, epilogue_begin, is_stmt, isa, "
        "discriminator are known");
    refuse(".file 1 \"a\"\n.loc 1 1 1 1", 2, 12, "unexpected token in '.loc' directive");
    refuse(".file -1 \"a\"", 1, 7, "expected string");
    refuse(".file 1 a", 1, 9, "expected string");
    refuse(".file \"a\" \"b\"", 1, 11, "explicit path specified, but no file number");
    refuse(".file \"a\" md5 1", 1, 11, "MD5 checksum specified, but no file number");
    refuse(".file \"a\" source \"\"", 1, 11, "source specified, but no file number");
    refuse(".file 1 \"a\" md5", 1, 16, "expected a checksum of 128 bits");
    refuse(".file 1 \"a\" md6 1", 1, 13, "unexpected 'md6' in '.file' directive: md5 and source are known");
    refuse(".file 1 \"a\" source 3", 1, 20, "expected string");
    refuse(".file 1 \"a\"\n.file 1 \"b\"", 2, 1, "file number already allocated");
    refuse(".file 99999999999 \"a\"", 1, 1, "file numbers go up to 1048576");
    refuse(".file 2 \"a\"", 0, 0, "unassigned file number: 1 for .file directives");
    refuse(".line x", 1, 7, "unexpected text at the end of the statement");
    refuse(".loc_label", 1, 11, "expected identifier");
    refuse(".cv_file 1 \"a\"", 1, 1, "unknown directive '.cv_file'");
}

static void malformed_frame_directives(void **state) {
    (void)state;
    const char *between = "this directive must appear between .cfi_startproc and .cfi_endproc directives";
    refuse(".cfi_endproc", 1, 1, between);
    refuse(".cfi_def_cfa_offset 4", 1, 1, between);
    refuse(".cfi_personality 0, p", 1, 1, between);
    refuse(".cfi_startproc complex", 1, 16, "unexpected token: only 'simple' may stand here");
    refuse(".cfi_startproc\n.cfi_startproc", 2, 1,
           "starting new .cfi frame before finishing the previous one");
    refuse("s_nop 0\n.cfi_startproc", 2, 1, "unfinished frame: .cfi_endproc is missing");
    refuse(".cfi_startproc\n.data\n.cfi_endproc", 3, 1, "the frame began in another section, .text");
    refuse(".cfi_startproc\n.cfi_offset s1", 2, 15, "expected comma");
    refuse(".cfi_startproc\n.cfi_offset s1, x", 2, 17, "expected absolute expression");
    refuse(
        ".cfi_startproc\n.cfi_offset v256, 4", 2, 13,
        "'v256' is no register with a DWARF number on gfx900: s, v, a with a number, pc, exec, exec_lo, vcc, "
        "vcc_lo, or the number itself");
    refuse(".cfi_startproc\n.cfi_restore 5 6", 2, 16, "unexpected text at the end of the statement");
    refuse(".cfi_sections .foo", 1, 15, "no frames are kept in .foo: expected .eh_frame or .debug_frame");
    refuse(".cfi_sections 3", 1, 15, "expected .eh_frame or .debug_frame");
    refuse(".cfi_startproc\n.cfi_lsda 0x55, x", 2, 11, "unsupported encoding.");
    refuse(".cfi_startproc\n.cfi_lsda 0x1b", 2, 15, "expected comma");
    refuse(".cfi_startproc\n.cfi_return_column 256\n.cfi_endproc", 1, 1,
           "this format's return column goes up to 255, not 256");
    refuse(".cfi_b_key_frame", 1, 1, "unknown directive '.cfi_b_key_frame'");
    refuse(".cfi_startproc\n.cfi_label a\na:\n.cfi_endproc", 2, 1, "symbol 'a' is already defined");
}

static void sizes_without_end(void **state) {
    (void)state;
    const char *endless = "the sizes of this text depend on each other without end";
    refuse("a: .zero b-a\n.zero 5\nb:", 0, 0, endless);
    refuse(".org a\n.zero 4\na:", 0, 0, endless);
    refuse(".uleb128 undefined", 1, 10, ".uleb128 expression is not absolute");
    // What is found out late is said of the line in the file, not of that in the macro.
    refuse("s_nop 0\n.macro m\n.rept 2\n.uleb128 undefined\n.endr\n.endm\ns_nop 0\nm", 8, 0,
           ".uleb128 expression is not absolute");
    refuse("s_nop 0\n.macro m\ns_branch nowhere\n.endm\nm", 5, 0, "undefined label 'nowhere'");
    refuse(".zero a-b\n.data\na:\n.text\nb:", 1, 7, ".fill, .zero or .space expression is not absolute");
}

// ---- Bounds ----

static void bounded(const char *text, size_t length) {
    clock_t start = clock();
    struct result r = assemble(text, length, "gfx1010", 0, false);
    sw_free(r.object);
    assert_true((clock() - start) / CLOCKS_PER_SEC < 10);
}

static void hostile_text_ends(void **state) {
    (void)state;
    struct text t = {0};
    // Each size follows the next one's: the slowest order to settle in.
    for (unsigned i = 0; i < 20000; i++)
        text_printf(&t, ".uleb128 E%u-B%u\nB%u: .zero 62\nE%u:\n", i + 1, i, i, i);
    text_printf(&t, ".zero 3\nE20000:\n");
    bounded(t.data, t.length);
    t.length = 0;
    for (unsigned i = 0; i < 100000; i++)
        text_printf(&t, ".file %u \"d%u\" \"f\"\n.loc %u %u\ns_nop 0\n", i + 1, i, i + 1, i * 7);
    bounded(t.data, t.length);
    t.length = 0;
    for (unsigned i = 0; i < 50000; i++)
        text_printf(&t, ".cfi_startproc\n.cfi_personality 0, p%u\n.cfi_remember_state\n.cfi_endproc\n",
                    i % 7);
    bounded(t.data, t.length);
    t.length = 0;
    for (unsigned i = 0; i < 20000; i++) text_printf(&t, "s_branch L%u\n", (i * 7919) % 20000);
    for (unsigned i = 0; i < 20000; i++) text_printf(&t, "L%u: s_nop 0\n", i);
    bounded(t.data, t.length);
    text_free(&t);
    static const char *const texts[] = {
        ".space b-a\na: .zero 0x100000\nb:",
        ".fill b-a, 8, 1\na: .zero 0x7fffffff\nb:",
        ".fill b-a, 8, 1\na: .org 0x7fffffffffffffff\nb:",
        ".bss\n.zero b-a\na: .zero 1<<39\nb:",
        ".org b+0x7fffffffffffffff\nb:",
        ".uleb128 b-a\n.p2align 31\na: .p2align 31\nb:",
        ".file 1 \"a\"\n.loc 1 18446744073709551615 18446744073709551615 discriminator -1 isa "
        "0x7fffffff\ns_nop 0",
        ".cfi_startproc\n.cfi_offset 0xffffffffffffffff, -0x8000000000000000\n"
        ".cfi_rel_offset 1, 0x7fffffffffffffff\n.cfi_adjust_cfa_offset 0x7fffffffffffffff\n"
        ".cfi_adjust_cfa_offset 0x7fffffffffffffff\n.cfi_endproc",
        ".debug_line:\n.file 1 \"a\"\n.loc 1 1\ns_nop 0",
        ".section .debug_line,\"\",@nobits\n.zero 8\n.text\n.file 1 \"a\"\n.loc 1 1\ns_nop 0",
        ".section .eh_frame,\"a\",@nobits\n.text\n.cfi_startproc\n.cfi_endproc",
        ".section .debug_line\n.uleb128 b-a\na:\nb: .text\n.file 1 \"a\"\n.loc 1 1\ns_nop 0",
        ".section .eh_frame\n.uleb128 b-a\na:\nb: .text\n.cfi_startproc\n.cfi_endproc",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) bounded(texts[i], strlen(texts[i]));
}

// ---- Facts ----

struct bytes {
    const uint8_t *data;
    size_t size;
};

static struct bytes section(const struct result *r, const char *name) {
    assert_int_equal(r->status, SW_OK);
    const Elf64_Ehdr *h = (const Elf64_Ehdr *)r->object;
    const Elf64_Shdr *s = (const Elf64_Shdr *)(r->object + h->e_shoff);
    for (unsigned i = 1; i < h->e_shnum; i++)
        if (!strcmp((const char *)r->object + s[h->e_shstrndx].sh_offset + s[i].sh_name, name))
            return (struct bytes){r->object + s[i].sh_offset, s[i].sh_size};
    fail_msg("no section %s", name);
    return (struct bytes){0};
}

static uint64_t uleb(const uint8_t *p) {
    uint64_t v = 0;
    for (unsigned shift = 0;; shift += 7, p++) {
        v |= (uint64_t)(*p & 0x7f) << shift;
        if (!(*p & 0x80)) return v;
    }
}

static void headers(void **state) {
    (void)state;
    for (unsigned version = 2; version <= 5; version++) {
        const char *text =
            ".file 1 \"a\"\n.loc 1 1\ns_nop 0\n.cfi_sections .debug_frame\n.cfi_startproc\n.cfi_endproc";
        struct result r = assemble(text, strlen(text), "gfx1100", version, false);
        struct bytes line = section(&r, ".debug_line"), frame = section(&r, ".debug_frame");
        const uint8_t *p = line.data + 4;
        assert_int_equal(p[0], version);
        p += 2;
        if (version >= 5) {
            assert_int_equal(p[0], 8); // address size
            assert_int_equal(p[1], 0); // segment selectors (DW-38)
            p += 2;
        }
        assert_int_equal(p[4], 4); // minimum instruction length
        if (version >= 4) assert_int_equal(p[5], 1);
        static const uint8_t of_entry[] = {1, 3, 4, 4};
        assert_int_equal(frame.data[8], of_entry[version - 2]);
        const uint8_t *factors = frame.data + 10 + (version >= 4 ? 2 : 0);
        assert_int_equal(factors[0], 4); // DW-32
        assert_int_equal(factors[1], 4);
        assert_int_equal(factors[2], 16); // PC_64
        sw_free(r.object);
    }
}

static void register_numbers(void **state) {
    (void)state;
    static const struct {
        const char *name;
        unsigned number;
    } known[] = {{"exec_lo", 1},  {"pc", 16},      {"exec", 17}, {"s0", 32},     {"s63", 95},
                 {"status", 128}, {"vcc_lo", 512}, {"vcc", 768}, {"s64", 1088},  {"s105", 1129},
                 {"v0", 2560},    {"v255", 2815},  {"a0", 3072}, {"a255", 3327}, {"5", 5}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        char text[128];
        snprintf(text, sizeof text, ".cfi_startproc\n.cfi_same_value %s\n.cfi_endproc", known[i].name);
        struct result r = assemble(text, strlen(text), "gfx1030", 0, false);
        struct bytes frame = section(&r, ".eh_frame");
        assert_int_equal(frame.data[0x25], 8); // DW_CFA_same_value
        assert_int_equal(uleb(frame.data + 0x26), known[i].number);
        sw_free(r.object);
    }
}

static void md5_of_text(void **state) {
    (void)state;
    // Around the lengths at which the padding needs a block of its own; the checksums are md5sum's.
    static const struct {
        unsigned length;
        const char *sum;
    } known[] = {{55, "5bf61340bf94d0b42edc349a9c4f9126"},
                 {56, "194cea9b72d00dd2dc61a3f0b52161ed"},
                 {64, "5a0b54e08b3a521279c7949ff57b1a83"},
                 {119, "4c6450e2eb1ef67af9e3d89f7f323284"}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        char text[128];
        memset(text, ' ', sizeof text);
        memcpy(text, "x:", 2);
        struct result r = assemble(text, known[i].length, "gfx900", 5, true);
        struct bytes line = section(&r, ".debug_line");
        char sum[33];
        for (unsigned k = 0; k < 16; k++) snprintf(sum + 2 * k, 3, "%02x", line.data[line.size - 16 + k]);
        assert_string_equal(sum, known[i].sum);
        sw_free(r.object);
    }
}

static void inconsistent_checksums_are_told_once(void **state) {
    (void)state;
    const char *text = ".file 1 \"a\" md5 1\n.file 2 \"b\"\n.file 3 \"c\" md5 2\n";
    struct result r = assemble(text, strlen(text), "gfx900", 5, false);
    assert_int_equal(r.status, SW_OK);
    assert_int_equal(r.first.warnings, 1);
    sw_free(r.object);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(malformed_line_directives),
        cmocka_unit_test(malformed_frame_directives),
        cmocka_unit_test(sizes_without_end),
        cmocka_unit_test(hostile_text_ends),
        cmocka_unit_test(headers),
        cmocka_unit_test(register_numbers),
        cmocka_unit_test(md5_of_text),
        cmocka_unit_test(inconsistent_checksums_are_told_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
